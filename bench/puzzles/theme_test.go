package puzzles

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gyre/position"
)

// playable returns positions of random games in which rings move.
func playable(games int) (all []position.Position) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range games {
		for p := position.Start(position.Standard); !p.Over(); {
			turns := p.Turns(nil)
			if !p.Placing() && rng.IntN(4) == 0 {
				all = append(all, p)
			}
			p = after(&p, turns[rng.IntN(len(turns))])
		}
	}
	return all
}

// rowIn tells by the definition whether a side could make a row if it were to move: by
// playing every turn that it would have. The other side must have no row.
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

// TestThemesByDefinition checks the themes of turns of random games against what the
// turns do when they are played.
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
		q := after(&p, turn)
		if p.HasRow(us) || q.HasRow(us.Opponent()) {
			continue // the other side cannot be to move
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
			t.Errorf("no turn has the theme %v", Theme(theme))
		}
	}
}

// TestThemeNames reads every name, and no other.
func TestThemeNames(t *testing.T) {
	for _, theme := range Themes() {
		if got, err := ParseTheme(theme.String()); err != nil || got != theme {
			t.Errorf("%v is read as %v, %v", theme, got, err)
		}
	}
	if _, err := ParseTheme("win "); err == nil {
		t.Error("a theme that there is not is read")
	}
}
