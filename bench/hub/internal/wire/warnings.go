package wire

import (
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Warnings reports warnings that others cause, such as the holders of keys. It reports only some of each source, so that none
// fills a log, and counts the rest. It is safe for concurrent use.
type Warnings struct {
	report func(error)

	mu      sync.Mutex
	sources map[string]*source
	looked  time.Time // when there were too many of them last
}

// source is who causes warnings.
type source struct {
	pace  *rate.Limiter
	left  int       // warnings that were left out since their number was last reported
	since time.Time // when the first of these came
}

const (
	// A source may cause WarningBurst warnings at once, and one in each WarningInterval on average. That is also how long a
	// number of further ones waits for more of them.
	WarningBurst    = 32
	WarningInterval = time.Minute
	// maxSources is how many sources are counted one by one. All others count as one source.
	maxSources = 10_000
)

// NewWarnings returns warnings that report to a function, which may be called from several goroutines.
func NewWarnings(report func(error)) *Warnings {
	return &Warnings{report: report, sources: map[string]*source{}}
}

// Warn reports a warning that a source caused, such as "key attic", unless there were too many of it.
func (w *Warnings) Warn(from string, err error) {
	if w.take(from, time.Now()) {
		w.report(err)
	}
}

// take counts a warning, and reports whether it may be reported.
func (w *Warnings) take(from string, now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.sources[from]
	if s == nil {
		if len(w.sources) >= maxSources && now.Sub(w.looked) >= WarningInterval {
			w.looked = now
			maps.DeleteFunc(w.sources, func(_ string, s *source) bool { return s.left == 0 && s.pace.TokensAt(now) >= WarningBurst })
		}
		if len(w.sources) >= maxSources {
			from = "others"
		}
		if s = w.sources[from]; s == nil {
			s = &source{pace: rate.NewLimiter(rate.Every(WarningInterval), WarningBurst)}
			w.sources[from] = s
		}
	}
	if s.pace.AllowN(now, 1) {
		return true
	}
	if s.left == 0 {
		s.since = now
	}
	s.left++
	return false
}

// Flush reports how many warnings of each source were left out. It waits a WarningInterval for more of them, except at the
// end. Call it from time to time.
func (w *Warnings) Flush(end bool) {
	var all []error
	now := time.Now()
	w.mu.Lock()
	for _, from := range slices.Sorted(maps.Keys(w.sources)) {
		if s := w.sources[from]; s.left > 0 && (end || now.Sub(s.since) >= WarningInterval) {
			all = append(all, fmt.Errorf("%d more warnings of %s", s.left, from))
			s.left = 0
		}
	}
	w.mu.Unlock()
	for _, err := range all {
		w.report(err)
	}
}

// Contained returns the error of do, or one with the stack if do panics.
func Contained(do func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &panicError{value, debug.Stack()}
		}
	}()
	return do()
}

// panicError is a panic with its stack.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }
