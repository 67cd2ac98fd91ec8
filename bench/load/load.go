// Package load tells whether the machine has time left for what is measured on
// it: engines that wait for a processor lose games on time, and seem weaker than
// they are.
package load

import (
	"context"
	"fmt"
	"runtime"
	"time"
)

// Watch looks again and again how busy the machine is. It sleeps for a short time,
// and measures how much later than that it wakes; and, on Linux, counts the threads
// that run or wait for a processor.
type Watch struct {
	Lateness Lateness // of all timers

	limit      time.Duration
	processors int // of the whole machine
	threads    int // in all looks together
	looks      int
	now        windowed
	why        string
}

// windowed is what the looks of a window have seen.
type windowed struct {
	looks, late, threads int
}

const (
	// interval is between two looks: short enough to see load that comes and goes,
	// and long enough to make none.
	interval = 50 * time.Millisecond
	// A machine is overloaded when tooMany timers of a window are too late; a single
	// one has many causes.
	window  = 40
	tooMany = 4
	// A machine is overloaded when, on average over a window, more threads want a
	// processor than crowd for each and some beside. A search runs at all times of a
	// game; beside come the arena, the kernel, and the engines' own collectors of
	// garbage: 1.5 to 2 threads in matches on two processors with nothing else running.
	crowd  = 1.5
	beside = 2
)

// NewWatch returns a watch for turns that may be late by a margin. Timers that are
// late by half of it are too late: the engines' are late as well then, and those
// of the engine and of the arena add up.
func NewWatch(margin time.Duration) *Watch {
	return &Watch{limit: margin / 2, processors: machineProcessors()}
}

// Run measures until ctx is done. overloaded is called once, from the same
// goroutine, when the machine is overloaded, with what shows it.
func (w *Watch) Run(ctx context.Context, overloaded func(why string)) {
	for {
		due := time.Now().Add(interval)
		timer := time.NewTimer(interval)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
		late := time.Since(due)
		if w.add(late, runnableThreads()) {
			overloaded(w.why)
		}
	}
}

// add takes a look: the lateness of a timer and the threads besides our own, 0 if
// they are not known. It tells whether the machine turns out to be overloaded.
func (w *Watch) add(late time.Duration, threads int) bool {
	w.Lateness.Add(late)
	w.looks++
	w.threads += threads
	w.now.looks++
	w.now.threads += threads
	if late > w.limit {
		w.now.late++
	}
	before := w.why
	switch mean := float64(w.now.threads) / window; {
	case w.why != "":
	case w.now.late >= tooMany:
		w.why = fmt.Sprintf("timers come up to %v late", w.Lateness.Worst().Round(step))
	case w.now.looks == window && w.processors > 0 && mean > crowd*float64(w.processors)+beside:
		w.why = fmt.Sprintf("%.1f threads want its %d processors", mean, w.processors)
	}
	if w.now.looks == window {
		w.now = windowed{}
	}
	return w.why != before
}

// Overloaded returns what first showed that the machine was overloaded, nothing if
// it never was.
func (w *Watch) Overloaded() string { return w.why }

// Threads returns how many threads wanted a processor on average, and how many
// processors there are; false where that is not known.
func (w *Watch) Threads() (mean float64, processors int, known bool) {
	if w.looks == 0 || w.processors == 0 {
		return 0, 0, false
	}
	return float64(w.threads) / float64(w.looks), w.processors, true
}

// step is how exactly a median is known, and steps how many are told apart: what
// is later counts as the last.
const (
	step  = 100 * time.Microsecond
	steps = 10_000
)

// Lateness is how late things came, any number of them in little memory. The zero
// value has none.
type Lateness struct {
	counts []int // by steps
	total  int
	worst  time.Duration
}

// Add adds one. What came early counts as in time.
func (l *Lateness) Add(late time.Duration) {
	if l.counts == nil {
		l.counts = make([]int, steps)
	}
	late = max(late, 0)
	l.counts[min(int(late/step), steps-1)]++
	l.total++
	l.worst = max(l.worst, late)
}

// Total returns how many there are.
func (l *Lateness) Total() int { return l.total }

// Worst returns the longest, 0 if there are none.
func (l *Lateness) Worst() time.Duration { return l.worst }

// Over returns how many are later than a time, to a tenth of a millisecond.
func (l *Lateness) Over(limit time.Duration) (n int) {
	for i := min(int(max(limit, 0)/step)+1, steps); i < len(l.counts); i++ {
		n += l.counts[i]
	}
	return n
}

// Median returns the time that half of them do not exceed, to a tenth of a
// millisecond, 0 if there are none.
func (l *Lateness) Median() time.Duration {
	below := 0
	for i, n := range l.counts {
		below += n
		if 2*below >= l.total {
			return min(time.Duration(i+1)*step, l.worst)
		}
	}
	return 0
}

// Processors returns how many processors this program may use: those of the
// machine, less what the system keeps from it by affinity, by a container's share
// or by GOMAXPROCS.
func Processors() int { return min(runtime.NumCPU(), runtime.GOMAXPROCS(0)) }

// Share returns the processors of each game, by their numbers: each game has as many
// of its own. The error says that there are not enough, or that this system cannot
// tell them apart.
func Share(games, each int) ([][]int, error) {
	numbers, err := processorNumbers()
	if err != nil {
		return nil, err
	}
	if games > len(numbers)/each {
		return nil, fmt.Errorf("%d games with %d processors each: there are only %d", games, each, len(numbers))
	}
	var shares [][]int
	for i := range games {
		shares = append(shares, numbers[i*each:(i+1)*each])
	}
	return shares, nil
}
