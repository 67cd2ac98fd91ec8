package load

import (
	"context"
	"runtime"
	"slices"
	"testing"
	"time"
)

// TestLateness checks the median and the worst of made-up times.
func TestLateness(t *testing.T) {
	var none Lateness
	if none.Median() != 0 || none.Worst() != 0 || none.Total() != 0 {
		t.Errorf("of none: %v, %v", none.Median(), none.Worst())
	}
	for _, test := range []struct {
		name          string
		times         []time.Duration
		median, worst time.Duration
	}{
		{"one", []time.Duration{250 * time.Microsecond}, 250 * time.Microsecond, 250 * time.Microsecond},
		{"early ones", []time.Duration{-time.Second, -1, 0}, 0, 0},
		{"most in time", []time.Duration{0, 0, 0, time.Minute}, 100 * time.Microsecond, time.Minute},
		{"most late", []time.Duration{0, 5 * time.Millisecond, 5 * time.Millisecond}, 5 * time.Millisecond, 5 * time.Millisecond},
		{"beyond all steps", []time.Duration{time.Hour, 2 * time.Hour}, time.Second, 2 * time.Hour},
	} {
		var l Lateness
		for _, d := range test.times {
			l.Add(d)
		}
		if l.Median() != test.median || l.Worst() != test.worst || l.Total() != len(test.times) {
			t.Errorf("%s: median %v, worst %v of %d", test.name, l.Median(), l.Worst(), l.Total())
		}
	}
}

// TestOver counts what is later than a time.
func TestOver(t *testing.T) {
	var l Lateness
	for _, late := range []time.Duration{0, 300 * time.Microsecond, 20 * time.Millisecond, 20300 * time.Microsecond, time.Minute} {
		l.Add(late)
	}
	for limit, want := range map[time.Duration]int{-time.Second: 4, 0: 4, time.Millisecond: 3, 20 * time.Millisecond: 2, 21 * time.Millisecond: 1, time.Hour: 0} {
		if got := l.Over(limit); got != want {
			t.Errorf("%d are later than %v, not %d", want, limit, got)
		}
	}
}

// TestOverload finds load that lasts, by timers or by threads, but not what comes
// now and then.
func TestOverload(t *testing.T) {
	const margin, processors = 20 * time.Millisecond, 4
	type look struct {
		late    time.Duration
		threads int
	}
	idle, late, crowded := look{time.Millisecond, 1}, look{11 * time.Millisecond, 1}, look{0, 9}
	for name, test := range map[string]struct {
		looks []look
		why   string
	}{
		"idle":                   {slices.Repeat([]look{idle}, 1000), ""},
		"late now and then":      {slices.Repeat(append(slices.Repeat([]look{idle}, window-1), late), 50), ""},
		"late for a while":       {append(slices.Repeat([]look{idle}, 5*window), slices.Repeat([]look{late}, window)...), "timers come up to 11ms late"},
		"always late":            {slices.Repeat([]look{late}, 1000), "timers come up to 11ms late"},
		"all processors busy":    {slices.Repeat([]look{{0, processors}}, 1000), ""},
		"and all that is beside": {slices.Repeat([]look{{0, processors + 4}}, 1000), ""},
		"crowded now and then":   {slices.Repeat([]look{{0, 1}, crowded, {0, 1}}, 500), ""},
		"crowded for a while":    {append(slices.Repeat([]look{idle}, 5*window), slices.Repeat([]look{crowded}, window)...), "9.0 threads want its 4 processors"},
		"threads are not known":  {slices.Repeat([]look{{0, 0}}, 1000), ""},
	} {
		w := NewWatch(margin)
		w.processors = processors
		told := 0
		for _, l := range test.looks {
			if w.add(l.late, l.threads) {
				told++
			}
		}
		if w.Overloaded() != test.why || told > 1 || (told == 1) != (test.why != "") || w.Lateness.Total() != len(test.looks) {
			t.Errorf("%s: told %d times %q", name, told, w.Overloaded())
		}
	}
}

// TestThreads checks the mean, and that nothing is said of what is not known.
func TestThreads(t *testing.T) {
	w := &Watch{processors: 2}
	if _, _, known := w.Threads(); known {
		t.Error("known before the first look")
	}
	w.add(0, 1)
	w.add(0, 4)
	if mean, processors, known := w.Threads(); mean != 2.5 || processors != 2 || !known {
		t.Errorf("%v threads, %d processors, %v", mean, processors, known)
	}
	if runtime.GOOS == "linux" && machineProcessors() < runtime.NumCPU() {
		t.Errorf("%d processors, of which we may use %d", machineProcessors(), runtime.NumCPU())
	}
}

// TestRun measures real timers until there is one, and then ends.
func TestRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	w := NewWatch(-time.Hour) // every timer is too late
	w.Run(ctx, func(string) { cancel() })
	if w.Lateness.Total() != tooMany || w.Overloaded() == "" {
		t.Errorf("%d timers", w.Lateness.Total())
	}
}

// TestShare gives no processor to two games.
func TestShare(t *testing.T) {
	shares, err := Share(1, 1)
	if runtime.GOOS != "linux" {
		if err == nil {
			t.Error("no error where processors cannot be told apart")
		}
		return
	}
	if err != nil || len(shares) != 1 || len(shares[0]) != 1 {
		t.Fatalf("%v, %v", shares, err)
	}
	all, err := Share(runtime.NumCPU(), 1)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for _, share := range all {
		if seen[share[0]] {
			t.Errorf("processor %d is given twice", share[0])
		}
		seen[share[0]] = true
	}
	if _, err := Share(runtime.NumCPU(), 2); err == nil {
		t.Error("more processors given than there are")
	}
}
