package coach

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gyre/position"
)

// allMarkers is how many markers there are, on the board and in the pool.
const allMarkers = 51

// TestFactsHold goes through random games and holds whatever is said of turns, good and bad,
// against the slow rules.
func TestFactsHold(t *testing.T) {
	games := 120
	if testing.Short() {
		games = 30
	}
	rng := rand.New(rand.NewPCG(14, 5))
	var seen [kindCount]int
	for game := range games {
		p := position.Start([]position.Rules{position.Standard, position.Blitz}[game%2])
		for !p.Over() {
			turns := p.Turns(nil)
			turn, better := turns[rng.IntN(len(turns))], turns[rng.IntN(len(turns))]
			if rows := p.CompletingTurns(nil); len(rows) > 0 {
				better = rows[rng.IntN(len(rows))]
				if rng.IntN(2) == 0 {
					turn = rows[rng.IntN(len(rows))]
				}
			}
			for _, fact := range Against(&p, turn, better) {
				seen[fact.Kind]++
				check(t, &p, turn, better, fact)
			}
			for _, fact := range For(&p, turn) {
				seen[fact.Kind]++
				check(t, &p, turn, better, fact)
			}
			var child position.Position
			p.Play(&child, turn)
			p = child
		}
	}
	t.Logf("facts by kind: %v", seen)
	for kind, count := range seen {
		if count == 0 {
			t.Errorf("no fact of kind %d was ever told", kind)
		}
	}
}

// check holds a fact about a turn against the slow rules.
func check(t *testing.T, p *position.Position, turn, better position.Turn, f Fact) {
	t.Helper()
	side, other := p.SideToMove(), p.SideToMove().Opponent()
	before := slowOf(p)
	after, moved := before.played(turn, side)
	holds := f.Side == side && f.Sentence() != ""
	switch f.Kind {
	case Wins:
		holds = holds && slowWin(p, turn, after)
	case LosesNext:
		var child position.Position
		p.Play(&child, turn)
		end, _ := after.played(f.Turn, other)
		holds = holds && child.Check(f.Turn) == nil && slowWin(&child, f.Turn, end)
	case TakesRows:
		for i, row := range f.Rows {
			holds = holds && (i < turn.Before() && before.holds(row, side) || i >= turn.Before() && moved.holds(row, side))
		}
		holds = holds && len(f.Rows) == turn.Removals()
	case GivesRows:
		for _, row := range f.Rows {
			holds = holds && after.holds(row, other)
		}
		holds = holds && len(f.Rows) == after.fives(other, 5)
	case OpensRow:
		holds = holds && !before.canMakeRow(other) && slowMakes(after, f.Turn, other)
	case LeavesRow:
		holds = holds && before.canMakeRow(other) && slowMakes(after, f.Turn, other)
	case StopsRows:
		holds = holds && before.canMakeRow(other) && !after.canMakeRow(other)
	case MissesRow:
		holds = holds && p.Check(f.Turn) == nil && f.Turn.Removals() > turn.Removals()
	case PaysOther:
		holds = holds && p.Check(f.Turn) == nil && f.Turn == better && f.Turn.From() == turn.From() && f.Turn.To() == turn.To() && f.Turn.Removals() > 0 &&
			slices.Equal(rowsOf(f.Turn), rowsOf(turn)) && rings(f.Turn) != rings(turn)
	case Threatens:
		holds = holds && !before.canMakeRow(side) && slowMakes(after, f.Turn, side)
	case LosesFours:
		holds = holds && before.fives(side, 4) == f.Had && after.fives(side, 4) == f.Left && f.Left < f.Had
	case GainsFours:
		holds = holds && before.fives(side, 4) == f.Had && after.fives(side, 4) == f.Left && f.Left > f.Had
	case FewMarkers:
		holds = holds && allMarkers-after.markers() == f.Left
	}
	if !holds {
		t.Errorf("%v, turn %v: it is not true that %q (%+v)", p, turn, f.Sentence(), f)
	}
}

// slowMakes tells whether a turn is a ring move of a side that makes a row.
func slowMakes(s slow, turn position.Turn, side position.Side) bool {
	m := slowMove{turn.From(), turn.To()}
	return turn.Kind() == position.Move && slices.Contains(s.moves(side), m) && s.after(m, side).fives(side, 5) > 0
}

// slowWin tells whether a turn wins the game: by rings, or by more of them when the pool is
// empty.
func slowWin(p *position.Position, turn position.Turn, after slow) bool {
	side := p.SideToMove()
	mine, theirs := p.Removed(side)+turn.Removals(), p.Removed(side.Opponent())
	return mine >= p.Rules().WinningRings() || after.markers() == allMarkers && mine > theirs
}

// TestSentences puts facts about certain turns into words.
func TestSentences(t *testing.T) {
	for _, test := range []struct {
		had, left int
		want      string
	}{
		{2, 1, "Black had four markers of a row at two places, and has them at one place after it."},
		{0, 1, "Black has four markers of a row at one place after it, and had none before."},
		{3, 0, "Black had four markers of a row at three places, and has none after it."},
	} {
		if got := (Fact{Kind: LosesFours, Side: position.Black, Had: test.had, Left: test.left}).Sentence(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
	for left, want := range map[int]string{0: "No markers are left", 1: "One marker is left", 7: "Seven markers are left"} {
		if got := (Fact{Kind: FewMarkers, Left: left}).Sentence(); got != want+": when there is none, who has taken off more rings wins." {
			t.Errorf("%q, want %q", got, want)
		}
	}
	const early = "W2B/4W1B/2wwbww1/9/10/1wwwww3/B9/9/B7/7/WWWB w 0-0"
	const f3 = "W2B/W5B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 1-0"
	for _, test := range []struct {
		position, turn, better string
		against, forBetter     []string
	}{
		{f3, "a2-a3", "f3-f2;xf3-f7xa2", []string{"White could take a row off, by f3-f2;xf3-f7xa2."}, []string{"It takes the row f3 to f7 off."}},
		{f3, "f3-f2;xf3-f7xa2", "f3-f2;xf3-f7xb1", []string{"The same row can be paid with the ring at b1."}, []string{"It takes the row f3 to f7 off."}},
		{"W3/W6/W7/9/10/1wwwwww2/10/9/8/6B/BBBB w 2-0", "xf3-f7xa2", "xf4-f8xa2", nil, []string{"It wins the game."}},
		{early, "xf3-f7xk7;b5-d5;xc3-c7xk8", "xf3-f7xk7;b5-b6", nil, []string{"It takes the row f3 to f7 off."}},
	} {
		p, err := position.Parse(test.position, position.Standard)
		if err != nil {
			t.Fatal(err)
		}
		turn, err := p.ParseTurn(test.turn)
		if err != nil {
			t.Fatal(err)
		}
		better, err := p.ParseTurn(test.better)
		if err != nil {
			t.Fatal(err)
		}
		for _, said := range []struct {
			facts []Fact
			want  []string
		}{{Against(&p, turn, better), test.against}, {For(&p, better), test.forBetter}} {
			var got []string
			for _, fact := range said.facts {
				got = append(got, fact.Sentence())
			}
			for _, sentence := range said.want {
				if !slices.Contains(got, sentence) {
					t.Errorf("%s at %s: %q lacks %q", test.turn, test.position, got, sentence)
				}
			}
		}
	}
}
