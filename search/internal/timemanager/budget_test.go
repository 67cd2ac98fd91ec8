package timemanager

import (
	"testing"
	"time"

	"gyre/search"
)

// TestBudget checks the shares of the time by limits.
func TestBudget(t *testing.T) {
	const ms = time.Millisecond
	moveTime := func(d time.Duration) *time.Duration { return &d }
	for _, c := range []struct {
		name                string
		limits              search.Limits
		leastSoft, mostSoft time.Duration
		leastHard, mostHard time.Duration
	}{
		{"no limit", search.Limits{Depth: 5}, endless, endless, endless, endless},
		{"infinite", search.Limits{Infinite: true, MoveTime: moveTime(ms)}, endless, endless, endless, endless},
		{"time of the turn", search.Limits{MoveTime: moveTime(100 * ms)}, endless, endless, 100 * ms, 100 * ms},
		{"time of the turn with overhead", search.Limits{MoveTime: moveTime(200 * ms), Overhead: 10 * ms}, endless, endless, 190 * ms, 190 * ms},
		{"a tenth of it is overhead at most", search.Limits{MoveTime: moveTime(10 * ms), Overhead: 10 * ms}, endless, endless, 9 * ms, 9 * ms},
		{"no time for the turn", search.Limits{MoveTime: moveTime(0), Overhead: 10 * ms}, endless, endless, ms, ms},
		{"a minute", search.Limits{Clock: &search.Clock{Left: time.Minute}}, time.Second, 4 * time.Second, time.Second, 20 * time.Second},
		{"increment alone", search.Limits{Clock: &search.Clock{Left: 20 * ms, Increment: 10 * time.Second}}, ms, 15 * ms, ms, 15 * ms},
		{"a millisecond", search.Limits{Clock: &search.Clock{Left: ms}}, ms, ms, ms, ms},
		{"nothing left", search.Limits{Clock: &search.Clock{}}, ms, ms, ms, ms},
		{"last turn of a control", search.Limits{Clock: &search.Clock{Left: 10 * time.Second, MovesToGo: 1}}, time.Second, 10 * time.Second, time.Second, 10 * time.Second},
		{"a clock shorter than the turn's time", search.Limits{Clock: &search.Clock{Left: 200 * ms}, MoveTime: moveTime(3000 * ms)}, ms, 200 * ms, ms, 200 * ms},
		{"a clock longer than the turn's time", search.Limits{Clock: &search.Clock{Left: time.Hour}, MoveTime: moveTime(30 * ms)}, time.Second, time.Hour, 30 * ms, 30 * ms},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := budgetFor(c.limits)
			if b.soft < c.leastSoft || b.soft > c.mostSoft {
				t.Errorf("soft limit %v, want from %v to %v", b.soft, c.leastSoft, c.mostSoft)
			}
			if b.hard < c.leastHard || b.hard > c.mostHard {
				t.Errorf("hard limit %v, want from %v to %v", b.hard, c.leastHard, c.mostHard)
			}
		})
	}
}

// TestClockNeverRunsOut plays clocks down with turns that take all that the
// hard limit and the overhead allow.
func TestClockNeverRunsOut(t *testing.T) {
	for _, start := range []time.Duration{time.Second, time.Minute} {
		left := start
		for turn := range 36 { // the ring moves of one side, at most
			overhead := 5 * time.Millisecond
			b := budgetFor(search.Limits{Clock: &search.Clock{Left: left}, Overhead: overhead})
			if left > 10*time.Millisecond && b.hard > left-overhead {
				t.Fatalf("turn %d of a clock of %v: %v of the %v left", turn, start, b.hard, left)
			}
			left -= b.hard
		}
		if left <= 0 {
			t.Errorf("a clock of %v runs out", start)
		}
	}
}
