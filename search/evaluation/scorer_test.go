package evaluation

import (
	"testing"

	"gyre/position"
)

// TestScoreQuiet compares the static scores of quiet turns, in any order, with the
// evaluation of the positions after them, and checks the accumulators made from the
// scores.
func TestScoreQuiet(t *testing.T) {
	checkQuietScores(t, NewEvaluator(randomWeights(1)), ongoing(20))
}

// checkQuietScores is TestScoreQuiet for an evaluator and some positions.
func checkQuietScores(t *testing.T, e *Evaluator, positions []position.Position) {
	t.Helper()
	s := NewScorer(e)
	for _, p := range positions {
		turns := p.QuietTurns(nil)
		for i := range turns { // mix the rings
			turns[i], turns[i*7%len(turns)] = turns[i*7%len(turns)], turns[i]
		}
		var a Accumulator
		e.Reset(&a, &p)
		for i, known := range s.ScoreQuiet(&a, &p, turns, nil) {
			child := p.After(turns[i])
			if want := -e.Evaluate(&child); known.Score != want {
				t.Fatalf("%v after %v: static score %d, want %d", &p, turns[i], known.Score, want)
			}
			var updated, fresh Accumulator
			e.UpdateQuiet(&updated, &a, &p, turns[i], known)
			if e.Reset(&fresh, &child); updated != fresh {
				t.Fatalf("%v after %v: updated %v, from scratch %v", &p, turns[i], updated, fresh)
			}
		}
	}
}

// BenchmarkScoreQuiet scores the quiet turns of a position.
func BenchmarkScoreQuiet(b *testing.B) {
	e := DefaultEvaluator()
	p := games(1)[0].positions[40]
	turns := p.QuietTurns(nil)
	var a Accumulator
	e.Reset(&a, &p)
	var scores []QuietScore
	s := NewScorer(e)
	b.ReportAllocs()
	for b.Loop() {
		scores = s.ScoreQuiet(&a, &p, turns, scores[:0])
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(turns)), "ns/turn")
}

// TestScoreRowTaking compares the static scores of row-taking turns, in any order,
// with the evaluation of the positions after them.
func TestScoreRowTaking(t *testing.T) {
	e := NewEvaluator(randomWeights(1))
	checked := 0
	for _, p := range ongoing(100) {
		turns := p.CompletingTurns(nil)
		var a Accumulator
		e.Reset(&a, &p)
		for range 2 {
			for i, score := range e.ScoreRowTaking(&a, &p, turns, nil) {
				child := p.After(turns[i])
				if want := -e.Evaluate(&child); score != want {
					t.Fatalf("%v after %v: static score %d, want %d", &p, turns[i], score, want)
				}
				checked++
			}
			for i := range turns { // mix the groups
				turns[i], turns[i*7%len(turns)] = turns[i*7%len(turns)], turns[i]
			}
		}
	}
	if checked < 1000 {
		t.Errorf("only %d turns", checked)
	}
}
