package hub

import (
	"slices"
	"time"

	"gyre/bench/match"
)

// openPair is a pair that is out.
type openPair struct {
	number  int
	jobs    []match.Job
	attempt int       // of its last job, from 0
	out     bool      // whether the broker has taken that job
	since   time.Time // when that was handed out
	first   time.Time // when the pair was, the first time
	faulted bool      // an attempt ended by a fault of an engine
}

// window is the pairs that are out.
type window struct {
	pairs  map[int]*openPair
	lasted []time.Duration // of pairs, from being handed out to their results: the last ones
}

// Which pairs are slow.
const (
	lastedKept  = 101
	lastedLeast = 5 // pairs; before them only slowest counts
	slowFactor  = 3
	slowest     = 10 * time.Minute
	slowLeast   = 5 * time.Second // less is no reason to play a pair twice
)

func newWindow() *window { return &window{pairs: map[int]*openPair{}} }

// add puts a pair out.
func (w *window) add(jobs []match.Job, now time.Time) *openPair {
	p := &openPair{number: jobs[0].Game.Pair, jobs: jobs, since: now, first: now}
	w.pairs[p.number] = p
	return p
}

// ended takes a pair that has its result.
func (w *window) ended(p *openPair, now time.Time) {
	delete(w.pairs, p.number)
	if len(w.lasted) == lastedKept {
		w.lasted = w.lasted[1:]
	}
	w.lasted = append(w.lasted, now.Sub(p.first))
}

// again has a pair handed out anew.
func (w *window) again(p *openPair, now time.Time) {
	p.attempt++
	p.out, p.since = false, now
}

// slow returns the lowest pair when all that are played after it wait for it: when it is
// out for more than three times the median. nil for none.
func (w *window) slow(now time.Time) *openPair {
	var lowest *openPair
	for _, p := range w.pairs {
		if lowest == nil || p.number < lowest.number {
			lowest = p
		}
	}
	if lowest == nil || now.Sub(lowest.since) <= w.patience() {
		return nil
	}
	return lowest
}

// patience is how long a pair may be out.
func (w *window) patience() time.Duration {
	if len(w.lasted) < lastedLeast {
		return slowest
	}
	sorted := slices.Sorted(slices.Values(w.lasted))
	return min(max(slowFactor*sorted[len(sorted)/2], slowLeast), slowest)
}

// unsent returns the pairs that the broker has yet to take, in order.
func (w *window) unsent() []*openPair {
	var all []*openPair
	for _, p := range w.pairs {
		if !p.out {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b *openPair) int { return a.number - b.number })
	return all
}
