// Package load tells whether the machine has time left for what is measured on
// it: engines that wait for a processor lose games on time, and seem weaker than
// they are.
//
//	watch.go       Watch: how late this program's own timers come
//	lateness.go    Lateness: their median and the worst of them
//	processors.go  the processors there are, shared out to games
package load

import (
	"context"
	"time"
)

// Watch sleeps again and again for a short time, and measures how much later than
// that it wakes. On a machine with time left that is far below a millisecond.
type Watch struct {
	Lateness Lateness // of all timers

	limit  time.Duration
	recent int // timers of the present window
	late   int // of these, later than the limit
	told   bool
}

const (
	// interval is between two timers: short enough to see load that comes and
	// goes, and long enough to make none.
	interval = 50 * time.Millisecond
	// A machine is overloaded when so many timers of a window are too late; a
	// single one has many causes.
	window  = 40
	tooMany = 4
)

// NewWatch returns a watch for turns that may be late by a margin. Timers that are
// late by half of it are too late: the engines' are late as well then, and those
// of the engine and of the arena add up.
func NewWatch(margin time.Duration) *Watch { return &Watch{limit: margin / 2} }

// Run measures until ctx is done. overloaded is called once, from the same
// goroutine, when the machine is overloaded.
func (w *Watch) Run(ctx context.Context, overloaded func(worst time.Duration)) {
	for {
		due := time.Now().Add(interval)
		timer := time.NewTimer(interval)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
		if w.add(time.Since(due)) {
			overloaded(w.Lateness.Worst())
		}
	}
}

// add takes the lateness of a timer, and tells whether the machine turns out to be
// overloaded by it.
func (w *Watch) add(late time.Duration) bool {
	w.Lateness.Add(late)
	w.recent++
	if late > w.limit {
		w.late++
	}
	found := w.late >= tooMany && !w.told
	w.told = w.told || found
	if w.recent == window {
		w.recent, w.late = 0, 0
	}
	return found
}

// Overloaded tells whether the machine was overloaded at any time.
func (w *Watch) Overloaded() bool { return w.told }
