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
	middle := phase{moves: 12, most: 30}
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
		{"a minute", search.Limits{Clock: &search.Clock{Left: time.Minute}}, time.Second, 4 * time.Second, 5 * time.Second, 20 * time.Second},
		{"increment alone", search.Limits{Clock: &search.Clock{Left: 20 * ms, Increment: 10 * time.Second}}, ms, 15 * ms, ms, 15 * ms},
		{"a millisecond", search.Limits{Clock: &search.Clock{Left: ms}}, ms, ms, ms, ms},
		{"nothing left", search.Limits{Clock: &search.Clock{}}, ms, ms, ms, ms},
		{"last turn of a control", search.Limits{Clock: &search.Clock{Left: 10 * time.Second, MovesToGo: 1}}, time.Second, 10 * time.Second, time.Second, 10 * time.Second},
		{"a clock shorter than the turn's time", search.Limits{Clock: &search.Clock{Left: 200 * ms}, MoveTime: moveTime(3000 * ms)}, ms, 200 * ms, ms, 200 * ms},
		{"a clock longer than the turn's time", search.Limits{Clock: &search.Clock{Left: time.Hour}, MoveTime: moveTime(30 * ms)}, time.Second, time.Hour, 30 * ms, 30 * ms},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := budgetFor(c.limits, &usual, middle)
			if b.soft < c.leastSoft || b.soft > c.mostSoft {
				t.Errorf("soft limit %v, want from %v to %v", b.soft, c.leastSoft, c.mostSoft)
			}
			if b.hard < c.leastHard || b.hard > c.mostHard {
				t.Errorf("hard limit %v, want from %v to %v", b.hard, c.leastHard, c.mostHard)
			}
		})
	}
}

// TestSharesByPhase checks the soft and hard limit of a clock by where in the game it is.
func TestSharesByPhase(t *testing.T) {
	const ms = time.Millisecond
	placing, first, middle, late := phase{placing: true, most: 41}, phase{most: 36}, phase{moves: 15, most: 21}, phase{moves: 30, most: 6}
	for _, c := range []struct {
		name       string
		clock      search.Clock
		overhead   time.Duration
		phase      phase
		soft, hard time.Duration
	}{
		{"placing", search.Clock{Left: 10_040 * ms}, 0, placing, 120 * ms, 300 * ms},
		{"placing, with an increment", search.Clock{Left: 10_000 * ms, Increment: 100 * ms}, 0, placing, 120 * ms, 300 * ms},
		{"first ring move", search.Clock{Left: 10_000 * ms, Increment: 100 * ms}, 0, first, 294 * ms, 1470 * ms},
		{"middle", search.Clock{Left: 6000 * ms, Increment: 100 * ms}, 0, middle, 354 * ms, 1770 * ms},
		{"late", search.Clock{Left: 900 * ms, Increment: 10 * ms}, 0, late, 113400 * time.Microsecond, 567 * ms},
		{"overhead", search.Clock{Left: 6010 * ms, Increment: 100 * ms}, 10 * ms, middle, 354 * ms, 1770 * ms},
		{"overhead of the turns to come", search.Clock{Left: 6060 * ms}, 2 * ms, late, 6043 * ms * 3 / 25, 6043 * ms * 3 / 5},
		{"five turns to the control", search.Clock{Left: 10_000 * ms, Increment: ms, MovesToGo: 5}, 0, first, 1200540 * time.Microsecond, 6002700 * time.Microsecond},
		{"the last turn before it", search.Clock{Left: 10_000 * ms, MovesToGo: 1}, 0, first, 6000 * ms, 10_000 * ms},
		{"a placing before it", search.Clock{Left: 10_000 * ms, Increment: ms, MovesToGo: 3}, 0, placing, 1200 * ms, 3000 * ms},
		{"the last placing before it", search.Clock{Left: 10_000 * ms, MovesToGo: 1}, 0, placing, 6000 * ms, 10_000 * ms},
		{"increment alone", search.Clock{Increment: 1000 * ms}, 0, late, ms, ms},
	} {
		b := shareOfClock(&c.clock, c.overhead, &usual, c.phase)
		if far := 100 * time.Microsecond; (b.soft-c.soft).Abs() > far || (b.hard-c.hard).Abs() > far {
			t.Errorf("%s: soft %v and hard %v, want %v and %v", c.name, b.soft, b.hard, c.soft, c.hard)
		}
	}
}
