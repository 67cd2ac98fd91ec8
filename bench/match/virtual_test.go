package match

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gyre/bench/enginetest"
	"gyre/bench/game"
)

// TestMatchByNodes plays a match by a virtual clock three times, one game at once
// and two: games, times of turns and what engines are told of their clocks are the
// same, and lines say that the times are virtual.
func TestMatchByNodes(t *testing.T) {
	t.Parallel()
	var first map[int]*Line
	var firstClocks []string
	for _, concurrency := range []int{1, 1, 2} {
		m := testMatch(t, 3, concurrency, enginetest.Counts, enginetest.Counts)
		for i := range m.Engines {
			m.Engines[i].Limits = game.Limits{Base: 40 * time.Millisecond, Increment: time.Duration(9+i) * time.Millisecond, NodesTime: 100}
		}
		var mu sync.Mutex
		var clocks []string
		m.Trace = func(engine string, toEngine bool, line string) {
			mu.Lock()
			defer mu.Unlock()
			if toEngine && strings.HasPrefix(line, "go ") {
				clocks = append(clocks, engine+" "+line)
			}
		}
		files := testFiles(t)
		mustRun(t, m, files, &listener{})
		lines := readFile(t, files.Lines)
		slices.Sort(clocks) // games at once are told of in any order
		if first == nil {
			first, firstClocks = lines, clocks
		}
		if diff := cmp.Diff(first, lines, cmpopts.IgnoreFields(Line{}, "Began", "Seconds")); diff != "" {
			t.Errorf("%d games at once: %s", concurrency, diff)
		}
		if diff := cmp.Diff(firstClocks, clocks); diff != "" {
			t.Errorf("%d games at once, clocks: %s", concurrency, diff)
		}
	}
	flags := 0
	for _, l := range first {
		if l.Reason == game.TimeForfeit {
			flags++
		}
	}
	record, err := first[0].Record()
	if err != nil {
		t.Fatal(err)
	}
	const white = "tc=0.04+0.009 nodestime=100"
	if first[0].Limits[0] != white || record.Tag("WhiteLimits") != white || first[0].Turns[0].MS != 10.07 || flags == 0 {
		t.Errorf("limits %q, record %q, first turn %v ms, %d flags", first[0].Limits, record.Tag("WhiteLimits"), first[0].Turns[0].MS, flags)
	}
}
