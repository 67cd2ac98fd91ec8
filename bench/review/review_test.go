package review

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gyre/position"
	"gyre/protocol"
)

// cp and mate are scores.
func cp(n int) protocol.Score   { return protocol.Score{Value: n} }
func mate(n int) protocol.Score { return protocol.Score{Mate: true, Value: n} }

// played returns the positions and turns of a game.
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
		p = p.After(turn)
		positions, turns = append(positions, p), append(turns, turn)
	}
	return positions, turns
}

// best returns a judgement with the given score and engine's turn.
func best(t *testing.T, p *position.Position, score protocol.Score, word string) Judgement {
	t.Helper()
	turn, err := p.ParseTurn(word)
	if err != nil {
		t.Fatal(err)
	}
	return Judgement{Score: score, Line: []position.Turn{turn}}
}

// TestReview judges a game. A loss is the difference in chances for the side that played. A
// new judgement of a position changes the verdicts before and after it. A turn has no label before a
// check confirms its loss.
func TestReview(t *testing.T) {
	positions, turns := played(t, position.StartText, "f6", "e5", "a2", "b1")
	judgements := []Judgement{
		best(t, &positions[0], cp(20), "g7"), best(t, &positions[1], cp(-10), "e5"), best(t, &positions[2], cp(100), "a3"),
		best(t, &positions[3], cp(100), "b2"), best(t, &positions[4], mate(5), "c1"),
	}
	r := New(positions, turns)
	var verdicts []Verdict
	for ply, j := range judgements {
		verdicts = append(verdicts, r.Judge(ply, j)...)
	}
	want := []Verdict{
		{Ply: 1, Side: position.White, Turn: turns[0], Best: judgements[0].Line, Reply: judgements[1].Line[0], Before: cp(20), After: cp(10), Lost: 2.486, Accuracy: 91.16},
		{Ply: 2, Side: position.Black, Turn: turns[1], Best: judgements[1].Line, Reply: judgements[2].Line[0], Before: cp(-10), After: cp(-100), Accuracy: 100},
		{Ply: 3, Side: position.White, Turn: turns[2], Best: judgements[2].Line, Reply: judgements[3].Line[0], Before: cp(100), After: cp(-100), Lost: 46.212, Accuracy: 13.53, Doubtful: true},
		{Ply: 4, Side: position.Black, Turn: turns[3], Best: judgements[3].Line, Reply: judgements[4].Line[0], Before: cp(100), After: mate(-5), Lost: 73.106, Accuracy: 0, Doubtful: true},
	}
	near := cmpopts.EquateApprox(0, 0.01)
	if diff := cmp.Diff(want, verdicts, near); diff != "" {
		t.Errorf("verdicts (-want +got):\n%s", diff)
	}
	wantSummaries := [2]Summary{{Turns: 2, Accuracy: 52.3, MeanLost: 24.3}, {Turns: 2, Accuracy: 50, MeanLost: 36.6}}
	if diff := cmp.Diff(wantSummaries, r.Summaries(), near); diff != "" {
		t.Errorf("summaries (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want[2:], r.Doubtful(), near); diff != "" {
		t.Errorf("doubtful (-want +got):\n%s", diff)
	}
	again := r.Judge(3, best(t, &positions[3], cp(-90), "b2"))
	if len(again) != 2 || again[0].Ply != 3 || again[0].Doubtful || again[1].Ply != 4 || !again[1].Doubtful {
		t.Errorf("judged again: %+v", again)
	}
	if v, _ := r.Check(4, cp(100), mate(-5)); v.Label != Blunder || v.Doubtful || len(r.Doubtful()) != 0 {
		t.Errorf("after its check: %+v", v)
	}
	if got := r.Summaries(); got[position.Black].Blunders != 1 {
		t.Errorf("after a check, the summaries are %+v", got)
	}
}

// TestCheck compares turns with the engine's. The smaller loss counts, with its scores.
func TestCheck(t *testing.T) {
	positions, turns := played(t, position.StartText, "f6", "e5")
	r := New(positions, turns)
	r.Judge(0, best(t, &positions[0], cp(20), "g7"))
	r.Judge(1, best(t, &positions[1], cp(36), "f5")) // f6 falls from 55% to 41%
	for _, test := range []struct {
		best, played protocol.Score
		before       protocol.Score
		label        Label
	}{
		{cp(30), cp(0), cp(30), Inaccuracy}, // from 57% to 50%
		{cp(30), cp(28), cp(30), Fine},
		{cp(10), cp(60), cp(10), Fine}, // the turn is better than the engine's
		{cp(100), cp(-100), cp(20), Mistake},
	} {
		if got, ok := r.Check(1, test.best, test.played); !ok || got.Before != test.before || got.Label != test.label {
			t.Errorf("%v against %v: %+v", test.best, test.played, got)
		}
	}
	if _, ok := r.Check(2, cp(0), cp(0)); ok {
		t.Error("a turn is judged before its positions are")
	}
}

// TestCompare compares a turn with another one. Both are searched alone in the position before them, with
// the nodes of a check, so the label is confirmed.
func TestCompare(t *testing.T) {
	positions, turns := played(t, position.StartText, "f6")
	better := positions[0].Turns(nil)[0]
	for _, test := range []struct {
		better, played protocol.Score
		label          Label
	}{
		{cp(0), cp(-100), Blunder},
		{cp(0), cp(-16), Fine},
		{cp(0), cp(40), Fine}, // better than the other one
	} {
		var tasks []Task
		judge := func(_ context.Context, task Task) (Judgement, error) {
			tasks = append(tasks, task)
			score := test.played
			if task.Turn == better {
				score = test.better
			}
			return Judgement{Score: score, Line: []position.Turn{task.Turn, turns[0]}}, nil
		}
		v, err := New(positions, turns).Compare(t.Context(), 1, better, 7, judge)
		if diff := cmp.Diff([]Task{{Nodes: 77, Turn: better}, {Nodes: 77, Turn: turns[0]}}, tasks); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		if v.Label != test.label || v.Doubtful || v.Before != test.better || v.After != test.played || v.Best[0] != better || v.Reply != turns[0] {
			t.Errorf("%v against %v: %+v", test.played, test.better, v)
		}
	}
	broken := errors.New("broken")
	if _, err := New(positions, turns).Compare(t.Context(), 1, better, 7, func(context.Context, Task) (Judgement, error) { return Judgement{}, broken }); !errors.Is(err, broken) {
		t.Errorf("the judge fails: %v", err)
	}
}

// TestAccuracy checks the accuracy of turns.
func TestAccuracy(t *testing.T) {
	for _, test := range []struct {
		before, after protocol.Score
		accuracy      float64
	}{
		{cp(0), cp(0), 100},
		{cp(0), cp(50), 100},
		{cp(-110), cp(-139), 63.75}, // from 25% to 20%
		{cp(139), cp(110), 88},      // from 80% to 75%
		{cp(0), cp(-100), 28.93},
		{mate(3), cp(300), 90.74},
		{mate(3), mate(9), 100},
		{cp(-500), cp(-900), 13.95},
		{cp(-600), cp(-900), 100},
		{cp(-700), mate(-2), 100},
		{cp(0), mate(-2), 0.0025},
	} {
		if got := accuracyOf(test.before, test.after); math.Abs(got-test.accuracy) > 0.2 {
			t.Errorf("%v to %v has %g, want %g", test.before, test.after, got, test.accuracy)
		}
	}
}

// TestLabels checks labels for pairs of scores.
func TestLabels(t *testing.T) {
	for _, test := range []struct {
		before, after protocol.Score
		label         Label
	}{
		{cp(0), cp(0), Fine},
		{cp(0), cp(-17), Fine},       // 4.2%
		{cp(0), cp(-18), Fine},       // 4.488%, shown as 4%
		{cp(0), cp(-19), Inaccuracy}, // 4.7%, shown as 5%
		{cp(0), cp(-37), Inaccuracy},
		{cp(0), cp(-39), Mistake},
		{cp(0), cp(-58), Mistake},
		{cp(0), cp(-61), Blunder},
		{cp(900), cp(400), Fine},
		{cp(0), cp(50), Fine},
		{mate(3), mate(7), Fine},
		{mate(3), cp(320), Fine},
		{mate(3), cp(300), Inaccuracy},
		{mate(3), mate(-2), Blunder},
		{cp(0), mate(-2), Blunder},
	} {
		lost := Lost(test.before, test.after)
		if got := LabelOf(lost); got != test.label {
			t.Errorf("%v to %v is %q, want %q", test.before, test.after, got, test.label)
		}
		if got := LabelOf(Shown(lost)); got != test.label {
			t.Errorf("%v to %v is shown as %g, which is %q, want %q", test.before, test.after, Shown(lost), got, test.label)
		}
	}
}

// TestEndOfGame judges the turn that ends a game. No engine judges the final position.
func TestEndOfGame(t *testing.T) {
	positions, turns := played(t, "W3/W6/W7/9/10/1wwwwww2/10/9/8/6B/BBBB w 2-0", "xf3-f7xa2")
	r := New(positions, turns)
	other := Judgement{Score: mate(1), Line: []position.Turn{positions[0].Turns(nil)[1]}}
	verdicts := r.Judge(0, other)
	if len(verdicts) != 1 || verdicts[0].After != mate(1) || verdicts[0].Lost != 0 || verdicts[0].Label != Fine || verdicts[0].MissedRow {
		t.Errorf("the verdicts are %+v", verdicts)
	}
	if got := r.Summaries()[position.White]; got.Turns != 1 || got.Accuracy != 100 {
		t.Errorf("the summary is %+v", got)
	}
}

// TestUnfinished checks the summary while a position is not judged yet.
func TestUnfinished(t *testing.T) {
	positions, turns := played(t, position.StartText, "f6", "e5", "a2")
	r := New(positions, turns)
	for _, ply := range []int{0, 1, 3} {
		r.Judge(ply, Judgement{})
	}
	got := r.Summaries()
	if got[position.White].Turns != 1 || got[position.White].Accuracy != 100 || got[position.Black] != (Summary{}) {
		t.Errorf("the summaries are %+v", got)
	}
}

// TestMissedRows checks when a turn that removes no row should have.
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
		t.Fatal("no turn removes a row")
	}
	quiet := turn("a2-a3")
	for _, test := range []struct {
		name       string
		turn, best position.Turn
		label      Label
		missed     bool
	}{
		{"the best turn removes a row", quiet, taking, Fine, true},
		{"the turn removes it", taking, taking, Fine, false},
		{"a bad turn", quiet, quiet, Mistake, true},
		{"a good turn", quiet, quiet, Fine, false},
		{"a bad turn that removes it", taking, quiet, Blunder, false},
	} {
		if got := missedRow(p, test.turn, test.best, test.label); got != test.missed {
			t.Errorf("%s: %t", test.name, got)
		}
	}
}

// TestRun reviews a game with judges of which some fail. All turns are judged, and the verdicts
// come in the same order as from one judge.
func TestRun(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	positions := []position.Position{position.Start(position.Blitz)}
	var turns []position.Turn
	for p := &positions[0]; !p.Over(); p = &positions[len(positions)-1] {
		legal := p.Turns(nil)
		turns = append(turns, legal[random.IntN(len(legal))])
		positions = append(positions, p.After(turns[len(turns)-1]))
	}
	broken := errors.New("broken")
	// after returns a judge that fails after a number of positions.
	after := func(most int) Judge {
		return func(ctx context.Context, task Task) (Judgement, error) {
			if most--; most < 0 {
				return Judgement{}, broken
			}
			line := []position.Turn{positions[task.Ply].Turns(nil)[0]} // seldom the turn played
			return Judgement{Score: cp((task.Ply*53 + len(task.Turn.String())) % 200), Line: line}, ctx.Err()
		}
	}
	run := func(judges ...Judge) (told []Verdict, shares []float64, err error) {
		err = New(positions, turns).Run(t.Context(), 7, judges, func(share float64, verdicts []Verdict) {
			told, shares = append(told, verdicts...), append(shares, share)
		})
		return told, shares, err
	}
	want, shares, err := run(after(1000))
	if err != nil || len(want) < len(turns) || !slices.IsSorted(shares) || shares[len(shares)-1] > 1 {
		t.Fatalf("%d verdicts on %d turns, shares %v, %v", len(want), len(turns), shares, err)
	}
	for range 20 {
		got, _, err := run(after(1000), after(0), after(5), after(1000))
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Fatalf("with four judges: %v (-want +got):\n%s", err, diff)
		}
	}
	if _, _, err := run(after(3)); !errors.Is(err, broken) {
		t.Errorf("the only judge fails: %v", err)
	}
}

// TestShares judges recorded games with recorded scores: of positions with 20,000 nodes, and of the turns
// that are checked with 220,000. It pins which share of the turns gets each label. TestCalibrate of
// package session plays and judges more games.
func TestShares(t *testing.T) {
	text, err := os.ReadFile("testdata/games.json")
	if err != nil {
		t.Fatal(err)
	}
	var games []struct {
		Name   string
		Random int // the side that plays random turns, or -1
		Start  string
		Turns  []string
		Scores []int          // of the position before each turn, for its side
		Same   []bool         // whether the engine's turn was played
		Checks map[int][2]int // by turn: the scores of the engine's turn and of the one played
	}
	if err := json.Unmarshal(text, &games); err != nil {
		t.Fatal(err)
	}
	score := func(n int) protocol.Score {
		if abs := max(n, -n); abs > 9000 { // decided
			return mate(n / abs)
		}
		return cp(n)
	}
	got := map[string]Summary{}
	for _, game := range games {
		positions, turns := played(t, game.Start, game.Turns...)
		r := New(positions, turns)
		for ply, n := range game.Scores {
			choice := turns[ply]
			if legal := positions[ply].Turns(nil); !game.Same[ply] {
				choice = legal[slices.IndexFunc(legal, func(turn position.Turn) bool { return turn != turns[ply] })]
			}
			r.Judge(ply, Judgement{Score: score(n), Line: []position.Turn{choice}})
		}
		for _, v := range r.Doubtful() {
			c, checked := game.Checks[v.Ply]
			if !checked {
				t.Fatalf("%s: turn %d is doubtful and has no check", game.Name, v.Ply)
			}
			r.Check(v.Ply, score(c[0]), score(c[1]))
		}
		for side, s := range r.Summaries() {
			name := game.Name
			if game.Random >= 0 {
				name = "Strong against random turns"
				if side == game.Random {
					name = "random turns against Strong"
				}
			}
			sum := got[name]
			sum.Turns += s.Turns
			sum.Inaccuracies += s.Inaccuracies
			sum.Mistakes += s.Mistakes
			sum.Blunders += s.Blunders
			got[name] = sum
		}
	}
	want := map[string]Summary{
		"Strong against itself":       {Turns: 97, Inaccuracies: 8, Blunders: 2},
		"Strong against random turns": {Turns: 38, Inaccuracies: 1},
		"random turns against Strong": {Turns: 38, Inaccuracies: 8, Mistakes: 2},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
