package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"gyre/position"
)

// Positions in which rows are hard to take. White moves first in all but
// blackGives.
const (
	// The ring on f5 leaves the marker that makes f2 to f8 a row of seven.
	sevenInARow = "1BB1/1W3W1/8/1b7/9B/wwwWwww2/10/7b1/8/1W3W1/1BB1 w 0-0"
	// The ring on f5 leaves a marker in two rows that cross, f2-f6 and c5-g5.
	twoCross = "1BB1/1W3W1/4w3/1b2w4/4w4B/wwwWw4/3w6/7b1/8/1W3W1/1BB1 w 0-0"
	// d8-h8 makes two rows apart, d4-d8 and g4-g8.
	twoApart = "1BB1/1W3W1/8/3wwwwW1/9B/9/2wwwwb3/9/8/1W3W1/1BB1 w 0-0"
	// c5-h5 turns two markers over and makes White's row f2-f6.
	blackGives = "1B2/1W3W1/4B3/1b1W5/9B/wwwbw4/3b6/7b1/8/1W3W1/1BB1 b 0-0"
	// No ring of White can move.
	mustPass = "WB2/WWB4/BBB5/9/10/9/10/9/8/7/4 w 2-0"
)

// TestRowPositions checks that the positions are what they are said to be.
func TestRowPositions(t *testing.T) {
	for _, c := range []struct{ start, turn string }{
		{sevenInARow, "f5-h7;xf3-f7xb2"},
		{twoCross, "f5-h7;xc5-g5xb2"},
		{twoApart, "d8-h8;xg4-g8xb2;xd4-d8xb6"},
		{blackGives, "c5-h5"},
		{mustPass, "pass"},
	} {
		p, err := position.Parse(c.start, position.Standard)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.ParseTurn(c.turn); err != nil {
			t.Errorf("%s: %v", c.turn, err)
		}
	}
}

// visitPosition opens a game of two people at a position.
func visitPosition(t *testing.T, start string) *tab {
	t.Helper()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", start))
	return b
}

// move clicks a ring and its target.
func (b *tab) move(from, to string) {
	b.t.Helper()
	b.awaitHint(from, "can move")
	b.click(at(from))
	b.awaitHint(to, "move here")
	b.click(at(to))
}

// awaitTurn waits until the last turn in the list is this one.
func (b *tab) awaitTurn(word string) {
	b.t.Helper()
	b.await("the turn "+word, fmt.Sprintf(`[...document.querySelectorAll('#turns > button .turn')].at(-1)?.textContent === %q`, word))
}

// TestBrowserLongRow takes each five of a row of seven: by markers, by the
// handle, and by the bar.
func TestBrowserLongRow(t *testing.T) {
	t.Parallel()
	b := visitPosition(t, sevenInARow)
	for name, choose := range map[string]struct {
		take func()
		row  string
	}{
		"markers": {func() {
			b.click(at("f8")) // only one five goes through it
			b.awaitText(id("choice-text"), "f4 to f8")
			b.click(at("e5")) // means nothing, and changes nothing
			b.awaitText(id("choice-text"), "f4 to f8")
			b.click(at("f5"))
		}, "f4-f8"},
		"the handle": {func() {
			f2, f3 := b.find(at("f2")), b.find(at("f3"))
			b.do("clicking the handle of f3 to f7", chromedp.MouseClickXY((f2.X+f3.X)/2, (f2.Y+f3.Y)/2))
		}, "f3-f7"},
		"the bar": {func() { b.takeRow("f2", "f6", b.click) }, "f2-f6"},
	} {
		b.move("f5", "h7")
		b.awaitState("row")
		b.awaitText("#prompt", "choose the five to take off")
		choose.take()
		b.awaitState("ring")
		b.awaitText("#strip", "row "+strings.Replace(choose.row, "-", " to ", 1))
		b.click(at("b2"))
		b.awaitTurn("f5-h7;x" + choose.row + "xb2")
		if got := b.position(position.Standard, sevenInARow); got.Removed(position.White) != 1 {
			t.Errorf("%s: %v", name, &got)
		}
		b.click(id("take-back"))
		b.awaitPly(0)
	}
}

// TestBrowserCrossingRows takes one of two rows that share a marker, after a
// click on the shared one, which decides nothing, and a step back.
func TestBrowserCrossingRows(t *testing.T) {
	t.Parallel()
	b := visitPosition(t, twoCross)
	b.move("f5", "h7")
	b.awaitState("row")
	b.click(at("f5"))
	b.awaitText(id("choice-text"), " of 2: ")
	b.click(at("f3"))
	b.awaitText(id("choice-text"), "f2 to f6")
	b.click(id("step-back"))
	b.awaitText(id("choice-text"), " of 2: ")
	b.click(at("c5"))
	b.awaitText(id("choice-text"), "c5 to g5")
	b.click(at("c5"))
	b.awaitText("#prompt", "now take one of your rings off")
	b.click(at("j10"))
	b.awaitTurn("f5-h7;xc5-g5xj10")
}

// TestBrowserTwoRows takes two rows off in one turn, after taking the first one
// back.
func TestBrowserTwoRows(t *testing.T) {
	t.Parallel()
	b := visitPosition(t, twoApart)
	b.move("d8", "h8")
	b.awaitText("#prompt", "take a row off (1 of 2)")
	b.takeRow("d4", "d8", b.click)
	b.awaitState("ring")
	b.click(id("step-back"))
	b.awaitText("#prompt", "take a row off (1 of 2)")
	b.takeRow("g4", "g8", b.click)
	b.awaitState("ring")
	b.click(at("b2"))
	b.awaitText("#prompt", "(2 of 2)")
	b.click(id("take"))
	b.awaitState("ring")
	b.click(at("b6"))
	b.awaitTurn("d8-h8;xg4-g8xb2;xd4-d8xb6")
}

// TestBrowserGivenRow lets Black make a row of White's, which White has to take
// off before he moves.
func TestBrowserGivenRow(t *testing.T) {
	t.Parallel()
	b := visitPosition(t, blackGives)
	b.move("c5", "h5")
	b.awaitTurn("c5-h5")
	b.awaitState("row")
	b.awaitText("#prompt", "White: Black's turn completed your row: take it off before you move.")
	b.click(at("d4")) // a ring cannot move yet
	b.awaitState("row")
	b.click(id("take"))
	b.awaitState("ring")
	b.click(at("j10"))
	b.awaitState("move")
	b.move("d4", "d6")
	b.awaitTurn("xf2-f6xj10;d4-d6")
}

// TestBrowserPass passes where nothing else can be done, and checks that it is
// told.
func TestBrowserPass(t *testing.T) {
	t.Parallel()
	b := visitPosition(t, mustPass)
	b.awaitText("#prompt", "White: none of your rings can move, so you pass.")
	b.click(id("pass"))
	b.awaitTurn("pass")
	b.awaitText("#announcer", "White passes, as no ring can move.")
}
