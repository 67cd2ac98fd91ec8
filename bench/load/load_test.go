package load

import (
	"context"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestLateness(t *testing.T) {
	var none Lateness
	if none.Median() != 0 || none.Worst() != 0 || none.Total() != 0 {
		t.Errorf("empty: median %v, worst %v", none.Median(), none.Worst())
	}
	for _, test := range []struct {
		name          string
		times         []time.Duration
		median, worst time.Duration
	}{
		{"one", []time.Duration{250 * time.Microsecond}, 250 * time.Microsecond, 250 * time.Microsecond},
		{"early", []time.Duration{-time.Second, -1, 0}, 0, 0},
		{"mostly on time", []time.Duration{0, 0, 0, time.Minute}, 100 * time.Microsecond, time.Minute},
		{"mostly late", []time.Duration{0, 5 * time.Millisecond, 5 * time.Millisecond}, 5 * time.Millisecond, 5 * time.Millisecond},
		{"beyond the last bucket", []time.Duration{time.Hour, 2 * time.Hour}, time.Second, 2 * time.Hour},
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

func TestOver(t *testing.T) {
	var l Lateness
	for _, late := range []time.Duration{0, 300 * time.Microsecond, 20 * time.Millisecond, 20300 * time.Microsecond, time.Minute} {
		l.Add(late)
	}
	for limit, want := range map[time.Duration]int{-time.Second: 4, 0: 4, time.Millisecond: 3, 20 * time.Millisecond: 2, 21 * time.Millisecond: 1, time.Hour: 0} {
		if got := l.Over(limit); got != want {
			t.Errorf("Over(%v) = %d, want %d", limit, got, want)
		}
	}
}

// TestOverload checks that lasting load is detected, by timers or by threads, and
// that occasional load is ignored.
func TestOverload(t *testing.T) {
	const margin, processors = 20 * time.Millisecond, 4
	type sample struct {
		late    time.Duration
		threads int
	}
	idle, late, crowded := sample{time.Millisecond, 1}, sample{11 * time.Millisecond, 1}, sample{0, 9}
	for name, test := range map[string]struct {
		samples []sample
		why     string
	}{
		"idle":                 {slices.Repeat([]sample{idle}, 1000), ""},
		"occasionally late":    {slices.Repeat(append(slices.Repeat([]sample{idle}, windowSize-1), late), 50), ""},
		"late for a while":     {append(slices.Repeat([]sample{idle}, 5*windowSize), slices.Repeat([]sample{late}, windowSize)...), "timers fire up to 11ms late"},
		"always late":          {slices.Repeat([]sample{late}, 1000), "timers fire up to 11ms late"},
		"all processors busy":  {slices.Repeat([]sample{{0, processors}}, 1000), ""},
		"and extra threads":    {slices.Repeat([]sample{{0, processors + 4}}, 1000), ""},
		"occasionally crowded": {slices.Repeat([]sample{{0, 1}, crowded, {0, 1}}, 500), ""},
		"crowded for a while":  {append(slices.Repeat([]sample{idle}, 5*windowSize), slices.Repeat([]sample{crowded}, windowSize)...), "9.0 threads compete for its 4 processors"},
		"threads unknown":      {slices.Repeat([]sample{{0, 0}}, 1000), ""},
	} {
		w := NewWatch(margin)
		w.processors = processors
		reports := 0
		for _, l := range test.samples {
			if w.add(l.late, l.threads) {
				reports++
			}
		}
		if w.Overloaded() != test.why || reports > 1 || (reports == 1) != (test.why != "") || w.Lateness.Total() != len(test.samples) {
			t.Errorf("%s: reported %d times, %q", name, reports, w.Overloaded())
		}
	}
}

// TestThreads checks the mean, and that it is unknown before the first sample.
func TestThreads(t *testing.T) {
	w := &Watch{processors: 2}
	if _, _, known := w.Threads(); known {
		t.Error("known before the first sample")
	}
	w.add(0, 1)
	w.add(0, 4)
	if mean, processors, known := w.Threads(); mean != 2.5 || processors != 2 || !known {
		t.Errorf("%v threads, %d processors, %v", mean, processors, known)
	}
	if runtime.GOOS == "linux" && machineProcessors() < runtime.NumCPU() {
		t.Errorf("%d processors, but this program may use %d", machineProcessors(), runtime.NumCPU())
	}
}

// TestRun samples timers until overload is reported.
func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := NewWatch(-time.Hour) // every timer is too late
		w.Run(ctx, func(string) { cancel() })
		if w.Lateness.Total() != maxLate || w.Overloaded() == "" {
			t.Errorf("%d timers", w.Lateness.Total())
		}
	})
}

// TestShare checks that no two games share a processor.
func TestShare(t *testing.T) {
	shares, err := Share(1, 1)
	if runtime.GOOS != "linux" {
		if err == nil {
			t.Error("no error on a system without CPU affinity")
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
			t.Errorf("processor %d is assigned twice", share[0])
		}
		seen[share[0]] = true
	}
	if _, err := Share(runtime.NumCPU(), 2); err == nil {
		t.Error("more processors assigned than available")
	}
}

func TestAllowedProcessors(t *testing.T) {
	for status, want := range map[string][]int{
		"Name:\tx\nCpus_allowed:\tf\nCpus_allowed_list:\t0-3\nMems_allowed_list:\t0\n": {0, 1, 2, 3},
		"Cpus_allowed_list:\t5\n":           {5},
		"Cpus_allowed_list:\t0-1,4,10-11\n": {0, 1, 4, 10, 11},
		"Cpus_allowed_list:\t0-\n":          nil,
		"Cpus_allowed_list:\n":              nil,
		"Name:\tx\n":                        nil,
	} {
		got, err := allowedProcessors(status)
		if !slices.Equal(got, want) || (err == nil) != (want != nil) {
			t.Errorf("%q: %v, %v", status, got, err)
		}
	}
}
