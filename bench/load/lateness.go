package load

import "time"

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
