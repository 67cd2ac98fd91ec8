package evaluation

import (
	"testing"

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
		var a Accumulator
		e.Reset(&a, &p)
		for i, prospect := range e.Outlook(&a, &p, turns, nil) {
			var child position.Position
			p.Play(&child, turns[i])
			if want := -e.Evaluate(&child); prospect.Worth != want {
				t.Fatalf("%v after %v: foreseen is %d, want %d", &p, turns[i], prospect.Worth, want)
			}
			var followed, fresh Accumulator
			e.Follow(&followed, &a, &p, turns[i], prospect)
			if e.Reset(&fresh, &child); followed != fresh {
				t.Fatalf("%v after %v: followed %x, from scratch %x", &p, turns[i], followed, fresh)
			}
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
	var prospects []Prospect
	b.ReportAllocs()
	for b.Loop() {
		prospects = e.Outlook(&a, &p, turns, prospects[:0])
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(turns)), "ns/turn")
}
