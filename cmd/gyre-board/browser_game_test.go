package main

import (
	"strings"
	"testing"

	"gyre/position"
)

// TestBrowserBlitz plays a whole game of blitz against the lowest level by
// clicks, as somebody would who opens the page for the first time.
func TestBrowserBlitz(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.click("#new-game")
	b.fill(id("new-level-b"), b.lowestLevel())
	b.click(id("new-start"))
	b.await("the dialog to close", "!document.querySelector('#new-dialog').open")
	end := b.playBlitz(b.click)
	b.awaitText("#prompt", "The game is over.")
	winner := map[position.Result]string{position.WhiteWins: "White wins, 1 to 0", position.BlackWins: "Black wins, 0 to 1", position.Draw: "A draw"}[end.Result()]
	b.awaitText("#prompt", winner)
	if end.Result() == position.WhiteWins && !strings.Contains(b.text(id("won-w")), "1 of 1 ring won") {
		t.Errorf("White has %q", b.text(id("won-w")))
	}
}

// lowestLevel returns the value of the first level on offer.
func (b *tab) lowestLevel() string {
	b.t.Helper()
	return look[string](b, `document.querySelector("[data-testid=new-level-b]").options[0].value`)
}
