// Package load measures whether the machine is overloaded. Engines that wait
// for a processor lose games on time and look weaker than they are.
//
// [Watch] samples how late timers fire and, on Linux, how many threads compete
// for the processors. [Share] assigns processors to games.
package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Watch samples how busy the machine is. Each sample sleeps for a short time and
// measures how late the timer fired. On Linux it also counts the threads that run
// or wait for a processor.
type Watch struct {
	Lateness Lateness // of all timers

	limit      time.Duration
	processors int // of the whole machine; 0 if unknown
	threads    int // sum over all samples
	samples    int
	window     sampleWindow
	why        string
}

// sampleWindow sums up the samples of the current window.
type sampleWindow struct {
	samples, late, threads int
}

const (
	// interval is the time between two samples: short enough to see bursts of load,
	// long enough not to cause any.
	interval = 50 * time.Millisecond
	// windowSize is how many samples make up a window. The machine is overloaded when
	// maxLate timers of one window are too late; a single late timer has many causes.
	windowSize = 40
	maxLate    = 4
	// The machine is overloaded when the mean number of threads over a window exceeds
	// threadsPerProcessor for each processor plus extraThreads. In each game one engine
	// searches at any time. The extra threads are the arena, the kernel, and the engines'
	// garbage collectors: 1.5 to 2 threads in matches on two otherwise idle processors.
	threadsPerProcessor = 1.5
	extraThreads        = 2
)

// NewWatch returns a watch for turns that may be late by margin. A timer is too late
// when it fires more than half the margin late: engine and arena are then both late
// by that much, and the two delays add up.
func NewWatch(margin time.Duration) *Watch {
	return &Watch{limit: margin / 2, processors: machineProcessors()}
}

// Run samples until ctx is done. It calls overloaded at most once, from the same
// goroutine, with the evidence that the machine is overloaded.
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

// add records a sample: how late the timer fired and how many other threads were
// runnable, 0 if unknown. It reports whether this sample is the first to show that
// the machine is overloaded.
func (w *Watch) add(late time.Duration, threads int) bool {
	w.Lateness.Add(late)
	w.samples++
	w.threads += threads
	w.window.samples++
	w.window.threads += threads
	if late > w.limit {
		w.window.late++
	}
	before := w.why
	switch mean := float64(w.window.threads) / windowSize; {
	case w.why != "":
	case w.window.late >= maxLate:
		w.why = fmt.Sprintf("timers fire up to %v late", w.Lateness.Worst().Round(step))
	case w.window.samples == windowSize && w.processors > 0 && mean > threadsPerProcessor*float64(w.processors)+extraThreads:
		w.why = fmt.Sprintf("%.1f threads compete for its %d processors", mean, w.processors)
	}
	if w.window.samples == windowSize {
		w.window = sampleWindow{}
	}
	return w.why != before
}

// Overloaded returns the first evidence that the machine was overloaded, "" if there
// was none.
func (w *Watch) Overloaded() string { return w.why }

// Threads returns the mean number of runnable threads and the number of processors.
// known is false if the system does not report them.
func (w *Watch) Threads() (mean float64, processors int, known bool) {
	if w.samples == 0 || w.processors == 0 {
		return 0, 0, false
	}
	return float64(w.threads) / float64(w.samples), w.processors, true
}

// step is the resolution of Lateness, and steps the number of its buckets. Longer
// delays count in the last bucket.
const (
	step  = 100 * time.Microsecond
	steps = 10_000
)

// Lateness is a histogram of delays of constant size. The zero value is empty.
type Lateness struct {
	counts []int // by bucket
	total  int
	worst  time.Duration
}

// Add adds one delay. A negative delay counts as 0.
func (l *Lateness) Add(late time.Duration) {
	if l.counts == nil {
		l.counts = make([]int, steps)
	}
	late = max(late, 0)
	l.counts[min(int(late/step), steps-1)]++
	l.total++
	l.worst = max(l.worst, late)
}

// Total returns the number of delays.
func (l *Lateness) Total() int { return l.total }

// Worst returns the longest delay, 0 if there are none.
func (l *Lateness) Worst() time.Duration { return l.worst }

// Over returns how many delays exceed limit, to a tenth of a millisecond.
func (l *Lateness) Over(limit time.Duration) (n int) {
	for i := min(int(max(limit, 0)/step)+1, steps); i < len(l.counts); i++ {
		n += l.counts[i]
	}
	return n
}

// Median returns the median delay to a tenth of a millisecond, 0 if there are none.
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

// Processors returns how many processors this program may use: those of the machine,
// limited by CPU affinity, by a container's quota, and by GOMAXPROCS.
func Processors() int { return min(runtime.NumCPU(), runtime.GOMAXPROCS(0)) }

// Share assigns each game its own processors, as many as each says, by their
// numbers. It returns an error if there are not enough processors, or if programs
// cannot be bound to processors on this system.
func Share(games, each int) ([][]int, error) {
	if runtime.GOOS != "linux" {
		return nil, fmt.Errorf("binding programs to processors works on Linux only, not on %s", runtime.GOOS)
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return nil, fmt.Errorf("which processors this program may use: %w", err)
	}
	numbers, err := allowedProcessors(string(status))
	if err != nil {
		return nil, fmt.Errorf("/proc/self/status: %w", err)
	}
	if games > len(numbers)/each {
		return nil, fmt.Errorf("%d games with %d processors each: only %d processors are available", games, each, len(numbers))
	}
	var shares [][]int
	for i := range games {
		shares = append(shares, numbers[i*each:(i+1)*each])
	}
	return shares, nil
}

// allowedProcessors returns the numbers of the processors that a process may run on,
// from its /proc/PID/status, as in `Cpus_allowed_list: 0-3,8`: see proc_pid_status(5).
func allowedProcessors(status string) ([]int, error) {
	var list string
	for line := range strings.Lines(status) {
		if value, ok := strings.CutPrefix(line, "Cpus_allowed_list:"); ok {
			list = strings.TrimSpace(value)
		}
	}
	if list == "" {
		return nil, errors.New("no Cpus_allowed_list")
	}
	var numbers []int
	for part := range strings.SplitSeq(list, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, err := strconv.Atoi(from)
		if err != nil {
			return nil, fmt.Errorf("invalid Cpus_allowed_list %q: %w", list, err)
		}
		last, err := strconv.Atoi(to)
		if err != nil {
			return nil, fmt.Errorf("invalid Cpus_allowed_list %q: %w", list, err)
		}
		for n := first; n <= last; n++ {
			numbers = append(numbers, n)
		}
	}
	return numbers, nil
}

// machineProcessors returns how many processors the machine has, including those
// that this program may not use, 0 if unknown.
func machineProcessors() (n int) {
	if runtime.GOOS != "linux" {
		return 0
	}
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(text) {
		if len(line) > 3 && bytes.HasPrefix(line, []byte("cpu")) && line[3] != ' ' {
			n++
		}
	}
	return n
}

// runnableThreads returns how many threads of the machine run or wait for a
// processor, not counting the caller, 0 if unknown.
func runnableThreads() int {
	if runtime.GOOS != "linux" {
		return 0
	}
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	var averages [3]float64
	var runnable int
	if _, err := fmt.Sscanf(string(text), "%f %f %f %d/", &averages[0], &averages[1], &averages[2], &runnable); err != nil {
		return 0
	}
	return max(runnable-1, 0)
}
