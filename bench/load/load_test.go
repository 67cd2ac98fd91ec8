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

// TestOverload finds load that lasts, but not a single late timer now and then.
func TestOverload(t *testing.T) {
	const margin, late, inTime = 20 * time.Millisecond, 11 * time.Millisecond, time.Millisecond
	for name, test := range map[string]struct {
		times []time.Duration
		want  int // times that it was told
	}{
		"idle":           {slices.Repeat([]time.Duration{inTime}, 1000), 0},
		"now and then":   {slices.Repeat(append(slices.Repeat([]time.Duration{inTime}, window-1), late), 50), 0},
		"a while":        {append(slices.Repeat([]time.Duration{inTime}, 200), slices.Repeat([]time.Duration{late}, window)...), 1},
		"all of it late": {slices.Repeat([]time.Duration{late}, 1000), 1},
	} {
		w := NewWatch(margin)
		told := 0
		for _, d := range test.times {
			if w.add(d) {
				told++
			}
		}
		if told != test.want || w.Overloaded() != (test.want > 0) || w.Lateness.Total() != len(test.times) {
			t.Errorf("%s: told %d times, overloaded %v", name, told, w.Overloaded())
		}
	}
}

// TestRun measures real timers until there is one, and then ends.
func TestRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	w := NewWatch(-time.Hour) // every timer is too late
	w.Run(ctx, func(time.Duration) { cancel() })
	if w.Lateness.Total() != tooMany || !w.Overloaded() {
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
