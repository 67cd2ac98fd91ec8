package puzzles

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// playable returns positions from random games, after the rings are placed.
func playable(games int) (all []position.Position) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range games {
		for p := position.Start(position.Standard); !p.Over(); {
			turns := p.Turns(nil)
			if !p.Placing() && rng.IntN(4) == 0 {
				all = append(all, p)
			}
			p = p.After(turns[rng.IntN(len(turns))])
		}
	}
	return all
}

// rowIn reports whether side could make a row if it were its turn, by playing each turn it
// would have. The other side must not have a row.
func rowIn(p *position.Position, side position.Side) bool {
	if p.HasRow(side) {
		return true
	}
	pieces := p.Pieces()
	pieces.SideToMove = side
	q, err := pieces.Position()
	if err != nil {
		panic(err)
	}
	for _, t := range q.Turns(nil) {
		if t.Removals() > 0 {
			return true
		}
	}
	return false
}

// TestThemesByDefinition compares the themes of turns in random games with the effects of
// playing them.
func TestThemesByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	var seen [themeCount]int
	for _, p := range playable(150) {
		turns := p.Turns(nil)
		turn := turns[rng.IntN(len(turns))]
		if completing := p.CompletingTurns(nil); len(completing) > 0 && rng.IntN(2) == 0 {
			turn = completing[rng.IntN(len(completing))]
		}
		us := p.SideToMove()
		q := p.After(turn)
		if p.HasRow(us) || q.HasRow(us.Opponent()) {
			continue // it cannot be the other side's turn
		}
		stops := !q.Over() && rowIn(&p, us.Opponent()) && !rowIn(&q, us.Opponent())
		threatens := !q.Over() && !rowIn(&p, us) && rowIn(&q, us)
		rows := q.Removed(us) - p.Removed(us)
		want := [themeCount]bool{
			MakeRow: rows == 1, StopRow: rows == 0 && stops, TwoRows: rows > 1, RightRing: rows > 0,
			BreakAndMake: stops && (rows > 0 || threatens), Threaten: rows == 0 && threatens,
		}
		for theme := range themeCount {
			got := theme.Fits(&p, turn)
			if got {
				seen[theme]++
			}
			if got != want[theme] {
				t.Errorf("%v in %v: theme %v is %t, want %t", turn, &p, theme, got, want[theme])
			}
		}
	}
	for theme, count := range seen {
		if others := []Theme{Win, OpponentsRow}; count == 0 && !slices.Contains(others, Theme(theme)) {
			t.Errorf("theme %v never occurred", Theme(theme))
		}
	}
}

// TestThemeNames parses every name, and rejects an unknown one.
func TestThemeNames(t *testing.T) {
	for _, theme := range Themes() {
		if got, err := ParseTheme(theme.String()); err != nil || got != theme {
			t.Errorf("%v parses as %v, %v", theme, got, err)
		}
	}
	if _, err := ParseTheme("win "); err == nil {
		t.Error("an unknown theme was accepted")
	}
}

// mustParse parses a position with the standard rules.
func mustParse(t *testing.T, text string) position.Position {
	t.Helper()
	p, err := position.Parse(text, position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// mustTurn parses a turn of p.
func mustTurn(t *testing.T, p *position.Position, word string) position.Turn {
	t.Helper()
	turn, err := p.ParseTurn(word)
	if err != nil {
		t.Fatal(err)
	}
	return turn
}

// TestSame checks whether pairs of turns are the same answer, ignoring the removed rings and
// comparing them. The page's answers.test has the same cases.
func TestSame(t *testing.T) {
	const (
		six = "W2B/W5B/W7/W8/W9/wwwwww3/10/9/B7/B6/3B w 0-0"     // a row of six that Black completed for White
		two = "W2B/W5B/Wwwwww2/W8/W9/wwwww4/10/9/B7/B6/3B w 0-0" // two rows that Black completed
		own = "W2B/W5B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 1-0"      // the ring on f3 completes a row by leaving it
	)
	for _, test := range []struct {
		text, a, b    string
		loose, strict bool
	}{
		{own, "a2-a3", "a2-a3", true, true},
		{own, "a2-a3", "a2-a4", false, false},
		{own, "f3-b3;xf3-f7xc1", "f3-b3;xf3-f7xa2", true, false},
		{own, "f3-b3;xf3-f7xc1", "f3-h5;xf3-f7xc1", false, false},
		{own, "f3-b3;xf3-f7xc1", "a2-a3", false, false},
		{six, "xf2-f6xa2;b1-b2", "xf2-f6xa2;b1-b2", true, true},
		{six, "xf2-f6xa2;b1-b2", "xf2-f6xc1;b1-b2", true, false},
		{six, "xf2-f6xa2;b1-b2", "xf3-f7xa2;b1-b2", false, false},
		{six, "xf2-f6xa2;b1-b2", "xf2-f6xa2;b1-b3", false, false},
		{two, "xc2-c6xa2;xf2-f6xb1;c1-b1", "xf2-f6xb1;xc2-c6xa2;c1-b1", true, true},
		{two, "xc2-c6xa2;xf2-f6xb1;c1-b1", "xc2-c6xb1;xf2-f6xa2;c1-b1", true, true},
		{two, "xc2-c6xa2;xf2-f6xb1;c1-b1", "xc2-c6xd1;xf2-f6xb1;c1-b1", true, false},
	} {
		p := mustParse(t, test.text)
		a, b := mustTurn(t, &p, test.a), mustTurn(t, &p, test.b)
		if diff := cmp.Diff([2]bool{test.loose, test.strict}, [2]bool{Same(a, b, false), Same(a, b, true)}); diff != "" {
			t.Errorf("%s and %s (-want +got):\n%s", test.a, test.b, diff)
		}
	}
}
