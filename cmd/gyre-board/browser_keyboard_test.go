package main

import (
	"slices"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"gyre/position"
)

// TestBrowserKeyboard plays a game of blitz by the keyboard alone, from the
// dialog for a new game to its end.
func TestBrowserKeyboard(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.tabTo("#new-game")
	b.press(kb.Enter)
	b.await("the dialog", "document.querySelector('#new-dialog').open")
	b.tabTo("[name=rules]:checked")
	b.press(kb.ArrowDown)
	b.await("blitz", `document.querySelector('#new-dialog').querySelector('[name=rules]:checked').value === 'blitz'`)
	b.tabTo(id("new-start"))
	b.press(kb.Enter)
	b.await("the dialog to close", "!document.querySelector('#new-dialog').open")
	b.awaitState("place")
	b.playBlitz(b.walkTo)
	b.awaitText("#announcer", "wins")
}

// TestBrowserKeyboardRows takes rows by the keys for candidates, and a turn back
// by Escape.
func TestBrowserKeyboardRows(t *testing.T) {
	t.Parallel()
	b := visitPosition(t, sevenInARow)
	b.press("g")
	b.walkTo(at("f5"))
	b.walkTo(at("h7"))
	b.awaitState("row")
	b.press("n", "n")
	b.awaitText(id("choice-text"), "Row 2 of 3: f3 to f7")
	b.awaitText("#announcer", "Row 2 of 3, f3 to f7.")
	b.press("p")
	b.awaitText(id("choice-text"), "Row 1 of 3: f2 to f6")
	b.press(kb.Enter)
	b.awaitState("ring")
	b.press(kb.Escape)
	b.awaitState("row")
	b.press("n", "n", "n", kb.Enter)
	b.awaitText("#strip", "row f4 to f8")
	b.press("n")
	b.press(kb.Enter)
	b.awaitPly(1)
	b.press("l")
	b.awaitText("#announcer", "White moves f5 to h7")
}

// TestBrowserTurnBox enters turns by their notation, wrong ones first.
func TestBrowserTurnBox(t *testing.T) {
	t.Parallel()
	b := visitPosition(t, twoCross)
	b.press("i")
	b.press("f5-f9", kb.Enter)
	b.awaitText("#turn-error", "f")
	b.fill(id("turn-box"), "f5-h7;xc5-g5xb2")
	b.press(kb.Enter)
	b.awaitTurn("f5-h7;xc5-g5xb2")
}

// tabTo presses Tab until an element has the focus.
func (b *tab) tabTo(selector string) {
	b.t.Helper()
	b.find(selector)
	for range 200 {
		if look[bool](b, "document.activeElement === document.querySelector(`"+selector+"`)") {
			return
		}
		b.press(kb.Tab)
	}
	b.t.Fatalf("no Tab leads to %s\n%s", selector, b.state())
}

// walkTo goes to a point by the arrow keys, or to anything else by Tab, and
// presses Enter there.
func (b *tab) walkTo(selector string) {
	b.t.Helper()
	goal := look[string](b, "document.querySelector(`"+selector+"`).dataset.point ?? ''")
	if goal == "" {
		b.tabTo(selector)
		b.press(kb.Enter)
		return
	}
	b.press("g")
	here := look[string](b, "document.activeElement.dataset.point")
	for _, step := range walk(here, goal) {
		if step.shifted {
			b.pressShifted(step.key)
		} else {
			b.press(step.key)
		}
	}
	b.await("the focus on "+goal, "document.activeElement.dataset.point === '"+goal+"'")
	b.press(kb.Enter)
}

// stride is a key that walks along a line of the board.
type stride struct {
	key             string
	shifted         bool
	columns, number int
}

var strides = []stride{
	{kb.ArrowUp, false, 0, 1}, {kb.ArrowDown, false, 0, -1},
	{kb.ArrowRight, false, 1, 0}, {kb.ArrowLeft, false, -1, 0},
	{kb.ArrowUp, true, 1, 1}, {kb.ArrowDown, true, -1, -1},
}

// walk returns the fewest keys that lead from one point to another.
func walk(from, to string) []stride {
	type way struct {
		at   position.Point
		keys []stride
	}
	begin, _ := position.ParsePoint(from)
	goal, _ := position.ParsePoint(to)
	seen := map[position.Point]bool{begin: true}
	for ways := []way{{at: begin}}; len(ways) > 0; ways = ways[1:] {
		w := ways[0]
		if w.at == goal {
			return w.keys
		}
		for _, s := range strides {
			next, ok := position.PointAt(w.at.Column()+s.columns, w.at.Number()+s.number)
			if ok && !seen[next] {
				seen[next] = true
				ways = append(ways, way{next, append(slices.Clone(w.keys), s)})
			}
		}
	}
	return nil
}
