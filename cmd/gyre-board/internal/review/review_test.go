package review

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/protocol"
)

// cp and mate are scores.
func cp(n int) protocol.Score   { return protocol.Score{Value: n} }
func mate(n int) protocol.Score { return protocol.Score{Mate: true, Value: n} }

// played returns the positions of a game, and its turns.
func played(t *testing.T, text string, words ...string) (positions []position.Position, turns []position.Turn) {
	t.Helper()
	p, err := position.Parse(text, position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	positions = append(positions, p)
	for _, word := range words {
		turn, err := p.ParseTurn(word)
		if err != nil {
			t.Fatal(err)
		}
		var child position.Position
		p.Play(&child, turn)
		p = child
		positions, turns = append(positions, p), append(turns, turn)
	}
	return positions, turns
}

// TestGame judges a game by an engine that always says the same: what is lost
// is the difference of the scores as the side sees them that played.
func TestGame(t *testing.T) {
	positions, turns := played(t, position.StartText, "f6", "e5", "a2", "b1")
	best := func(ply int, word string) Judgement {
		turn, err := positions[ply].ParseTurn(word)
		if err != nil {
			t.Fatal(err)
		}
		return Judgement{Best: turn}
	}
	judgements := []Judgement{best(0, "g7"), best(1, "e5"), best(2, "a3"), best(3, "b2"), best(4, "c1")}
	for i, score := range []protocol.Score{cp(20), cp(-10), cp(100), cp(100), mate(5)} {
		judgements[i].Score = score
	}
	var asked []int
	var verdicts []Verdict
	summaries, err := Game(positions, turns, func(ply int) (Judgement, error) {
		asked = append(asked, ply)
		return judgements[ply], nil
	}, func(v Verdict) { verdicts = append(verdicts, v) })
	if err != nil {
		t.Fatal(err)
	}
	want := []Verdict{
		{Ply: 1, Side: position.White, Turn: turns[0], Best: judgements[0].Best, Before: cp(20), After: cp(10), Loss: 10},
		{Ply: 2, Side: position.Black, Turn: turns[1], Best: judgements[1].Best, Before: cp(-10), After: cp(-100)},
		{Ply: 3, Side: position.White, Turn: turns[2], Best: judgements[2].Best, Before: cp(100), After: cp(-100), Loss: 200, Label: Blunder},
		{Ply: 4, Side: position.Black, Turn: turns[3], Best: judgements[3].Best, Before: cp(100), After: mate(-5), Loss: 1100, Label: Blunder},
	}
	if diff := cmp.Diff(want, verdicts); diff != "" {
		t.Errorf("verdicts (-want +got):\n%s", diff)
	}
	wantSummaries := [2]Summary{{Turns: 2, Loss: 210, Blunders: 1}, {Turns: 2, Loss: 1100, Blunders: 1}}
	if diff := cmp.Diff(wantSummaries, summaries); diff != "" {
		t.Errorf("summaries (-want +got):\n%s", diff)
	}
	if got := summaries[position.White].MeanLoss(); got != 105 {
		t.Errorf("the mean loss is %g", got)
	}
	if diff := cmp.Diff([]int{0, 1, 2, 3, 4}, asked); diff != "" {
		t.Errorf("asked about (-want +got):\n%s", diff)
	}
}

// TestLabels labels what a turn threw away, from the scores before and after.
func TestLabels(t *testing.T) {
	for _, test := range []struct {
		before, after protocol.Score
		label         Label
	}{
		{cp(0), cp(0), Fine},
		{cp(0), cp(-39), Fine},
		{cp(0), cp(-42), Inaccuracy},
		{cp(0), cp(-85), Mistake},
		{cp(0), cp(-140), Blunder},
		{cp(900), cp(400), Fine},
		{cp(0), cp(50), Fine},
		{mate(3), mate(7), Fine},
		{mate(3), cp(300), Fine},
		{mate(3), mate(-2), Blunder},
		{cp(0), mate(-2), Blunder},
	} {
		if got := labelOf(expected(test.before) - expected(test.after)); got != test.label {
			t.Errorf("%v to %v is %q, want %q", test.before, test.after, got, test.label)
		}
	}
}

// TestTheEndOfAGame judges the turn that ends it, which no engine is asked
// about.
func TestTheEndOfAGame(t *testing.T) {
	positions, turns := played(t, "W3/W6/W7/9/10/1wwwwww2/10/9/8/6B/BBBB w 2-0", "xf3-f7xa2")
	summaries, err := Game(positions, turns, func(ply int) (Judgement, error) {
		if ply != 0 {
			t.Errorf("asked about position %d", ply)
		}
		return Judgement{Score: mate(1), Best: positions[0].Turns(nil)[1]}, nil
	}, func(v Verdict) {
		if v.After != mate(1) || v.Loss != 0 || v.Label != Fine || v.MissedRow {
			t.Errorf("the verdict is %+v", v)
		}
	})
	if err != nil || summaries[position.White].Turns != 1 {
		t.Errorf("%+v, %v", summaries, err)
	}
}

// TestMissedRows asks when a turn that takes no row should have taken one.
func TestMissedRows(t *testing.T) {
	// White's ring on f3 completes the row f3 to f7 by moving away.
	positions, _ := played(t, "W2B/W5B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 1-0")
	p := &positions[0]
	turn := func(word string) position.Turn {
		turn, err := p.ParseTurn(word)
		if err != nil {
			t.Fatal(err)
		}
		return turn
	}
	var taking position.Turn
	for _, completing := range p.CompletingTurns(nil) {
		taking = completing
	}
	if taking == position.None {
		t.Fatal("no turn takes a row")
	}
	quiet := turn("a2-a3")
	for _, test := range []struct {
		name       string
		turn, best position.Turn
		label      Label
		missed     bool
	}{
		{"the best turn takes one", quiet, taking, Fine, true},
		{"it takes it", taking, taking, Fine, false},
		{"a bad turn", quiet, quiet, Mistake, true},
		{"a good turn", quiet, quiet, Fine, false},
		{"a bad turn that takes it", taking, quiet, Blunder, false},
	} {
		if got := missedRow(p, test.turn, test.best, test.label); got != test.missed {
			t.Errorf("%s: %t", test.name, got)
		}
	}
}

// TestGameStops passes an engine's error on, with what was judged before it.
func TestGameStops(t *testing.T) {
	positions, turns := played(t, position.StartText, "f6", "e5", "a2")
	broken := errors.New("it died")
	summaries, err := Game(positions, turns, func(ply int) (Judgement, error) {
		if ply == 2 {
			return Judgement{}, broken
		}
		return Judgement{}, nil
	}, func(Verdict) {})
	if !errors.Is(err, broken) || summaries[position.White].Turns != 1 || summaries[position.Black].Turns != 0 {
		t.Errorf("%+v, %v", summaries, err)
	}
}
