package main

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserEnding plays a game against an engine to its end: the result shows with
// the rings of both, a rematch has the same sides, the other side the other ones, and
// the next level a stronger engine.
func TestBrowserEnding(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("blitz", blackGives, "c5-h5"))
	if !look[bool](b, `document.querySelector('#tab-end').hidden`) {
		t.Error("there is a result before the end")
	}
	b.newGame(map[string]string{"new-level-b": b.lowestLevel()}, blitz, "[name=here]")
	win := func() {
		t.Helper()
		b.takeRow("f2", "f6", b.click)
		b.awaitState("ring")
		b.click(at("b2"))
		b.awaitState("over")
		b.await("the result to show", `document.querySelector('#panel-end').checkVisibility()`)
		b.awaitText(id("end-result"), "White wins, 1 to 0.")
		b.awaitText("#end-rings .winner", "1 of 1 ring won")
		b.awaitText(id("end-facts"), "1 turn · ")
	}
	for _, next := range []struct{ button, white, black string }{
		{"end-rematch", "You", "Gyre, Beginner"},
		{"end-level", "You", "Gyre, Novice"},
		{"end-other", "Gyre, Novice", "You"},
	} {
		win()
		b.click(id(next.button))
		b.awaitText(id("name-w"), next.white)
		b.awaitText(id("name-b"), next.black)
		b.await("no result of another game", `!document.querySelector('#panel-end').checkVisibility() || document.querySelector('[data-testid=name-w]').textContent.includes('Novice')`)
	}
}

// TestBrowserWatch watches two engines: the score of their games is told, and the next
// game begins by itself with sides changed.
func TestBrowserWatch(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("blitz", blackGives, "c5-h5"))
	if look[bool](b, `Boolean(document.querySelector('#watch')?.checkVisibility())`) {
		t.Error("people who play are watched")
	}
	b.newGame(map[string]string{"new-level-w": "Novice", "new-level-b": "Casual"}, "[name=who][value=engines]", blitz, "[name=here]")
	b.awaitText(id("name-w"), "Novice")
	b.awaitText(id("match-score"), "Score 1 : 0")
	b.click("label:has(#next-by-itself)")
	b.awaitText(id("name-w"), "Casual")
	b.awaitText(id("match-score"), "Score 1 : 1")
}

// TestBrowserTitle looks at the page's title: it tells when it is one's turn.
func TestBrowserTitle(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.awaitState("place")
	b.await("the title", `document.title === '● Your turn – YINSH on Gyre'`)
	b.click(id("play-on"))
	b.await("the title of a game that rests", `document.title === 'YINSH on Gyre'`)
}

// TestBrowserGraph shows a reviewed game: the graph has an axis and marks on the
// mistakes, pointing at it tells of a turn, and n and p walk along the mistakes.
func TestBrowserGraph(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	const tree = `[{\"turn\":\"\",\"score\":{\"cp\":0}},{\"turn\":\"f6\",\"score\":{\"cp\":-100},\"finding\":{\"label\":\"blunder\",\"loss\":120,\"missedRow\":false,\"best\":\"e5\"}},{\"turn\":\"e5\",\"score\":{\"cp\":-90}},{\"turn\":\"g6\",\"score\":{\"cp\":-150},\"finding\":{\"label\":\"inaccuracy\",\"loss\":20,\"missedRow\":false,\"best\":\"e4\"}}]`
	b.visit(serveSite(t).address)
	b.openFiles(fileOf(t, "graph.txt", "[Tree \""+tree+"\"]\n\n1.f6 2.e5 3.g6 *\n"))
	b.awaitPly(3)
	b.click("#tab-review")
	b.awaitText(id("graph"), "50 %")
	b.await("two marks", `document.querySelectorAll('#graph [data-testid=graph-mark]').length === 2`)
	plot := b.find("#graph .graph-plot")
	b.do("pointing at the graph", chromedp.MouseEvent("mouseMoved", plot.X-60, plot.Y))
	b.awaitText("#graph [data-testid=graph-tip]", "Turn 1, f6: 27 % for White (−1.00), blunder")
	for _, step := range []struct {
		key string
		ply int
	}{{"p", 1}, {"n", 3}} {
		b.press(step.key)
		b.awaitPly(step.ply)
	}
}

// TestBrowserTurned turns the board round: points change places, and a click on one
// means that one.
func TestBrowserTurned(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	before := b.find(at("a2"))
	b.press("f")
	b.await("the board to turn", fmt.Sprintf(`Math.abs(document.querySelector('%s').getBoundingClientRect().x - %f) > 100`, at("a2"), before.X))
	b.reload()
	b.await("the board still turned", `document.querySelector('#turn-board').ariaPressed === 'true'`)
	b.move("f3", "f2")
	b.awaitTurn("f3-f2")
	b.click(id("turn-board"))
	if after := b.find(at("a2")); after != before {
		t.Errorf("turned back, a2 is at %v and was at %v", after, before)
	}
}
