package main

import (
	"testing"

	"gyre/position"
)

// TestBrowserTwoTabs plays a game in each of two tabs of one person, which must
// not disturb each other, also when both are loaded again and when one opens the
// other's game.
func TestBrowserTwoTabs(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	first := newTab(t)
	first.visit(s.at("standard", twoCross))
	second := first.beside()
	second.visit(s.at("standard", sevenInARow))
	first.enter(mustTurn(t, twoCross, "f5-h7;xc5-g5xb2"), first.click)
	second.enter(mustTurn(t, sevenInARow, "f5-h7;xf3-f7xb6"), second.click)
	for _, b := range []*tab{first, second} {
		b.awaitPly(1)
		b.reload()
		b.awaitPly(1)
	}
	first.position(position.Standard, twoCross)
	second.position(position.Standard, sevenInARow)
	// The list has both games; the second one opens the first's.
	second.click("#games")
	second.click("#game-list li:nth-child(2) button")
	second.awaitTurn("f5-h7;xc5-g5xb2")
	second.move("a3", "a2")
	second.awaitPly(2)
	first.reload()
	first.awaitPly(1)
	if got := first.turns(); len(got) != 1 {
		t.Errorf("the first tab's game has the turns %v, of which one is its own", got)
	}
}
