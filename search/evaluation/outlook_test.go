package evaluation

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// windowsOnly returns random weights without ring moves and blocked rings.
func windowsOnly(seed uint64) *Weights {
	w := randomWeights(seed)
	w.Move, w.Blocked = 0, 0
	return w
}

// TestOutlook checks what quiet turns are said to lead to against the evaluation
// of the positions after them, in whatever order the turns are given.
func TestOutlook(t *testing.T) {
	e := NewEvaluator(windowsOnly(1))
	if !e.WindowsOnly() {
		t.Fatal("these weights are of more than windows")
	}
	for _, p := range ongoing(20) {
		turns := p.QuietTurns(nil)
		for i := range turns { // mix the rings
			turns[i], turns[i*7%len(turns)] = turns[i*7%len(turns)], turns[i]
		}
		var want []int
		for _, turn := range turns {
			var child position.Position
			p.Play(&child, turn)
			want = append(want, -e.Evaluate(&child))
		}
		var a Accumulator
		e.Reset(&a, &p)
		if diff := cmp.Diff(want, e.Outlook(&a, &p, turns, nil)); diff != "" {
			t.Fatalf("%v after %v (-want +got):\n%s", &p, turns, diff)
		}
	}
}

// TestWindowsOnly checks that weights of more than windows say so.
func TestWindowsOnly(t *testing.T) {
	w := windowsOnly(1)
	w.Blocked = 1
	if NewEvaluator(w).WindowsOnly() {
		t.Error("a blocked ring costs something")
	}
	w.Blocked, w.Move = 0, -1
	if NewEvaluator(w).WindowsOnly() {
		t.Error("a ring move is worth something")
	}
}

// BenchmarkOutlook looks at the quiet turns of a position.
func BenchmarkOutlook(b *testing.B) {
	e := NewEvaluator(windowsOnly(1))
	p := games(1)[0].positions[40]
	turns := p.QuietTurns(nil)
	var a Accumulator
	e.Reset(&a, &p)
	var worths []int
	b.ReportAllocs()
	for b.Loop() {
		worths = e.Outlook(&a, &p, turns, worths[:0])
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(turns)), "ns/turn")
}
