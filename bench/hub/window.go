package hub

import (
	"slices"
	"time"

	"gyre/bench/match"
)

// unit is what goes out as one job: a pair of games, or a range of others.
type unit struct {
	number int // from 0; greater for those handed out later
	games  int
	jobs   []match.Job // of a pair
	span   span        // of a range
	job    jobMessage

	attempt int       // of its last job, from 0
	out     bool      // whether the broker has taken that job
	since   time.Time // when that was handed out
	first   time.Time // when the unit was, the first time
	doubted bool      // whether a result was not believed
}

// window is the units that are out.
type window struct {
	open   map[int]*unit   // by number
	lasted []time.Duration // of units, from being handed out to their results: the last ones
}

// Which units are slow.
const (
	lastedKept  = 101
	lastedLeast = 5 // units; before them only slowest counts
	slowFactor  = 3
	slowest     = 10 * time.Minute
	slowLeast   = 5 * time.Second // less is no reason to play a unit twice
)

func newWindow() *window { return &window{open: map[int]*unit{}} }

// add puts a unit out.
func (w *window) add(u *unit, now time.Time) {
	u.since, u.first = now, now
	w.open[u.number] = u
}

// ended takes a unit that has its result.
func (w *window) ended(u *unit, now time.Time) {
	delete(w.open, u.number)
	if len(w.lasted) == lastedKept {
		w.lasted = w.lasted[1:]
	}
	w.lasted = append(w.lasted, now.Sub(u.first))
}

// again has a unit handed out anew.
func (w *window) again(u *unit, now time.Time) {
	u.attempt++
	u.out, u.since = false, now
}

// slow returns the lowest unit when all that are played after it wait for it: when it is
// out for more than three times the median. nil for none.
func (w *window) slow(now time.Time) *unit {
	var lowest *unit
	for _, u := range w.open {
		if lowest == nil || u.number < lowest.number {
			lowest = u
		}
	}
	if lowest == nil || now.Sub(lowest.since) <= w.patience() {
		return nil
	}
	return lowest
}

// patience is how long a unit may be out.
func (w *window) patience() time.Duration {
	if len(w.lasted) < lastedLeast {
		return slowest
	}
	sorted := slices.Sorted(slices.Values(w.lasted))
	return min(max(slowFactor*sorted[len(sorted)/2], slowLeast), slowest)
}

// unsent returns the units that the broker has yet to take, in order.
func (w *window) unsent() []*unit {
	var all []*unit
	for _, u := range w.open {
		if !u.out {
			all = append(all, u)
		}
	}
	slices.SortFunc(all, func(a, b *unit) int { return a.number - b.number })
	return all
}
