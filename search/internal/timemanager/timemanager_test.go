package timemanager

import (
	"testing"
	"time"

	"gyre/search"
)

// TestBudget checks the shares of the time by limits, in milliseconds.
func TestBudget(t *testing.T) {
	ms := time.Millisecond
	moveTime := 100 * ms
	short := 3 * ms
	for _, c := range []struct {
		name                string
		limits              search.Limits
		limited             bool
		leastSoft, mostSoft time.Duration
		mostHard            time.Duration
	}{
		{"no limit", search.Limits{Depth: 5}, false, 0, 0, 0},
		{"time of the turn", search.Limits{MoveTime: &moveTime}, true, 100 * ms, 100 * ms, 100 * ms},
		{"time of the turn with overhead", search.Limits{MoveTime: &moveTime, Overhead: 10 * ms}, true, 90 * ms, 90 * ms, 90 * ms},
		{"less than the overhead", search.Limits{MoveTime: &short, Overhead: 10 * ms}, true, ms, ms, ms},
		{"a minute", search.Limits{Clock: &search.Clock{Left: time.Minute}}, true, time.Second, 4 * time.Second, 20 * time.Second},
		{"increment alone", search.Limits{Clock: &search.Clock{Left: 20 * ms, Increment: 10 * time.Second}}, true, ms, 15 * ms, 15 * ms},
		{"a millisecond", search.Limits{Clock: &search.Clock{Left: ms}}, true, ms, ms, ms},
		{"nothing left", search.Limits{Clock: &search.Clock{}}, true, ms, ms, ms},
		{"last turn of a control", search.Limits{Clock: &search.Clock{Left: 10 * time.Second, MovesToGo: 1}}, true, time.Second, 10 * time.Second, 10 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := budgetFor(c.limits)
			if b.limited != c.limited {
				t.Fatalf("limited is %v", b.limited)
			}
			if b.soft < c.leastSoft || b.soft > c.mostSoft {
				t.Errorf("soft limit %v, want from %v to %v", b.soft, c.leastSoft, c.mostSoft)
			}
			if b.hard > c.mostHard || b.hard < b.soft {
				t.Errorf("hard limit %v, want from %v to %v", b.hard, b.soft, c.mostHard)
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

// TestSteadySearchUsesLess checks that a search whose best turn changes goes on
// longer than one that is sure.
func TestSteadySearchUsesLess(t *testing.T) {
	var steady, changing Manager
	for i := range 8 {
		steady.IterationDone(50, false, 0.9)
		changing.IterationDone(50-search.Score(10*i), i%2 == 0, 0.3)
	}
	if steady.factor >= changing.factor {
		t.Errorf("factor %v for a steady search, %v for a changing one", steady.factor, changing.factor)
	}
}
