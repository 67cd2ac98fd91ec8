package hub

import (
	"slices"
	"time"

	"gyre/bench/match"
)

// unit is what one job plays: a pair of games, or a range of numbers.
type unit struct {
	number int // from 0, in the order of dispatch
	games  int
	jobs   []match.Job // of a pair
	span   span        // of a range
	job    *jobMessage
	// earlier is the result of an earlier execution, if the unit is only checked; otherwise nil.
	earlier *resultMessage
	doubted time.Time // when a worker first reported a fault of it that would end the task; zero for never

	attempt int       // from 0
	worker  string    // who plays it; empty while it is ready
	reply   string    // the subject of the reply with which the worker got it
	renewed time.Time // when the worker reported that it plays it
	given   time.Time // when its worker got it
	// loser is the worker that said last that it did not get the unit, which was given to it at firstGiven.
	loser      string
	firstGiven time.Time
	holders    []string  // from whom it was taken
	since      time.Time // when its last attempt was dispatched
	// asked holds who sent a first result that needs confirmation, and the workers that received the unit after it,
	// with whether their results count; nil before.
	asked     map[string]bool
	gotAt     map[string]time.Time // when these workers first received it, if they may still play it
	reporters []string             // who sent such results
	lost      map[string]bool      // the workers that did not get the unit after it at first
	drawn     string               // whose turn it is to confirm that result, until turnEnds; empty before anyone's
	turnEnds  time.Time
	patience  time.Duration // for how long others may ask for no unit and are still waited for, if longer than maxPatience
	rejected  []resultID    // invalid results, each of which was a fault of its worker
}

// lose notes that a worker did not get the unit. The first time it does not count as asked.
func (u *unit) lose(worker string) {
	delete(u.gotAt, worker)
	if u.asked == nil || u.lost[worker] {
		return
	}
	if u.lost == nil {
		u.lost = map[string]bool{}
	}
	u.lost[worker] = true
	if delete(u.asked, worker); slices.Contains(u.reporters, worker) {
		u.asked[worker] = false
	}
}

// again returns a copy of a unit for another worker than those that have played it.
func (u *unit) again(workers []string) *unit {
	again := *u
	again.worker, again.holders, again.asked, again.gotAt, again.drawn = "", nil, map[string]bool{}, nil, ""
	for _, worker := range workers {
		again.asked[worker] = false
	}
	again.reporters, again.lost, again.rejected = slices.Clone(workers), nil, nil
	return &again
}

// isDoubted reports whether a unit waits for a worker that confirms its first result.
func (u *unit) isDoubted() bool { return u.asked != nil && u.worker == "" }

// takesFrom reports whether a result of a worker may count. Before a first result needs confirmation, that of anyone
// may, such as one of an earlier run of the match. After that, only a worker that received the unit again may send one.
func (u *unit) takesFrom(worker string) bool { return u.asked == nil || u.asked[worker] }

// window holds the units that are out.
type window struct {
	least     time.Duration   // Settings.Patience
	open      map[int]*unit   // by number
	durations []time.Duration // of the last units that one worker played, from its request to the result
}

const (
	keptDurations = 101
	minDurations  = 5 // units; before them, only maxPatience counts
	slowFactor    = 3
	maxPatience   = 10 * time.Minute
	endPatience   = 24 * time.Hour // before one worker's fault ends the task: others may be busy elsewhere for long
)

func newWindow(least time.Duration) *window { return &window{least: least, open: map[int]*unit{}} }

func (w *window) add(u *unit, now time.Time) {
	u.since = now
	w.open[u.number] = u
}

// finish removes a unit that has its result. took is how long its worker had it, or 0 if it was handed out more than once:
// such times say little, and short ones would make other workers seem slow.
func (w *window) finish(u *unit, took time.Duration) {
	delete(w.open, u.number)
	if took == 0 {
		return
	}
	if len(w.durations) == keptDurations {
		w.durations = w.durations[1:]
	}
	w.durations = append(w.durations, took)
}

// retry starts another attempt at a unit.
func (w *window) retry(u *unit, now time.Time) {
	u.attempt++
	u.since = now
}

// slow returns the lowest unit if it has been out for more than three times the median, since
// all later units wait for it; otherwise nil. Units whose first results wait for another worker do not count: that may
// take long, and others wait for the next ones meanwhile.
func (w *window) slow(now time.Time) *unit {
	var lowest *unit
	for _, u := range w.open {
		if !u.isDoubted() && (lowest == nil || u.number < lowest.number) {
			lowest = u
		}
	}
	if lowest == nil || now.Sub(lowest.since) <= w.patience() {
		return nil
	}
	return lowest
}

func (w *window) patience() time.Duration {
	if len(w.durations) < minDurations {
		return maxPatience
	}
	sorted := slices.Sorted(slices.Values(w.durations))
	return min(max(slowFactor*sorted[len(sorted)/2], w.least), maxPatience)
}
