package main

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// middleGame is a game in which both sides have markers on the board.
var middleGame = []string{"f6", "e5", "g6", "e7", "e4", "g8", "d6", "f8", "h7", "d4",
	"f6-f4", "e5-f5", "g6-e6", "e7-e8", "f4-f3", "g8-h8"}

// TestBrowserAnalysis turns analysis on and off, asks for other numbers of
// lines, points at a line, and plays a turn of one.
func TestBrowserAnalysis(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	b.click("#analysis")
	b.await("three lines", `document.querySelectorAll('[data-testid=lines] > li').length === 3`)
	b.await("a deeper search", `Number.parseInt(document.querySelector('[data-testid=depth]')?.textContent.split(' ')[1]) >= 4`)
	for _, part := range []string{"score", "nodes", "speed"} {
		b.await("the "+part, fmt.Sprintf(`document.querySelector('[data-testid=%s]')?.textContent`, part))
	}
	b.await("the score beside the board", `document.querySelector('#eval-bar').checkVisibility() && document.querySelector('#eval-bar').ariaLabel.startsWith('Score')`)
	b.await("an arrow", `document.querySelector('#board svg .arrow, #board svg [class*=arrow]')`)
	b.fill(id("line-count"), "5")
	b.await("five lines", `document.querySelectorAll('[data-testid=lines] > li').length === 5`)

	at := b.find(`[data-testid=lines] li .pv[data-pv="0"]`)
	before := b.pieces()
	b.do("pointing at a line", chromedp.MouseEvent("mouseMoved", at.X, at.Y))
	b.await("the board after the line's first turn", fmt.Sprintf(
		`[...document.querySelectorAll('#board button')].filter((point) => !point.getAttribute('aria-label').includes('vacant')).length !== %d || document.querySelector('#board svg [class*=last]')`, len(before)))
	b.do("pointing elsewhere", chromedp.MouseEvent("mouseMoved", 2, 2))

	b.click("#analysis")
	b.await("no analysis", `!document.querySelector('#analysis-body').checkVisibility() && !document.querySelector('#eval-bar').checkVisibility()`)
	b.press("a")
	b.await("five lines again", `document.querySelectorAll('[data-testid=lines] > li').length === 5`)
	b.click(`[data-testid=lines] li .pv[data-pv="0"]`)
	b.awaitPly(len(middleGame) + 1)
}

// TestBrowserThreat asks what the other side would do.
func TestBrowserThreat(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	b.click("#analysis")
	b.click(id("threat"))
	b.awaitText(id("threat-text"), "Black threatens ")
	b.click(id("threat"))
	b.await("no threat", `!document.querySelector('[data-testid=threat-text]').checkVisibility()`)
}

// review has the game reviewed by short searches.
func (b *tab) review() {
	b.t.Helper()
	look[bool](b, `(document.querySelector('#review-nodes').append(new Option('short', '300')), true)`)
	b.fill(id("review-nodes"), "300")
	b.click(id("review"))
}

// TestBrowserReview reviews a game: its progress, a graph to click, a summary.
func TestBrowserReview(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	b.review()
	b.await("the summary", `document.querySelector('[data-testid=review-summary]').textContent.includes('White') &&
		!document.querySelector('#review-progress').checkVisibility()`)
	graph := b.find(id("graph"))
	b.do("clicking the middle of the graph", chromedp.MouseClickXY(graph.X, graph.Y))
	b.await("an earlier position", fmt.Sprintf(`document.querySelector('#board').dataset.ply !== '%d'`, len(middleGame)))
}

// TestBrowserShowBetter loads the page again after a review: it still shows the better
// turn of one that was a mistake, on the board where that was played.
func TestBrowserShowBetter(t *testing.T) {
	t.Parallel()
	const sides = `{\"w\":{\"turns\":1},\"b\":{\"turns\":1}}`
	const tree = `[{\"turn\":\"\"},{\"turn\":\"f6\",\"finding\":{\"label\":\"blunder\",\"loss\":120,\"missedRow\":false,\"best\":\"e5\"}},{\"turn\":\"e4\",\"review\":` + sides + `}]`
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.openFiles(fileOf(t, "reviewed.txt", "[Tree \""+tree+"\"]\n\n1.f6 2.e4 *\n"))
	b.awaitPly(2)
	b.reload()
	b.awaitPly(2)
	b.press(",")
	b.awaitPly(1)
	b.awaitText(id("finding"), "Turn 1, f6: blunder, loss 1.20")
	b.click(id("show-better"))
	b.awaitPly(0)
	b.await("the better turn on the board", `document.querySelector('#board .arrows > *')`)
}

// TestBrowserAnalysisRests hides the page: its analysis stops, and begins again when
// the page is seen.
func TestBrowserAnalysisRests(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	b.click("#analysis")
	b.await("three lines", `document.querySelectorAll('[data-testid=lines] > li').length === 3`)
	look[bool](b, `(() => {
		window.sent = [];
		for (const [by, name] of [[WebSocket.prototype, 'send'], [MessagePort.prototype, 'postMessage']]) {
			const send = by[name];
			by[name] = function (text) {
				window.sent.push(JSON.parse(text).do);
				send.call(this, text);
			};
		}
		return true;
	})()`)
	see := func(hidden bool) {
		t.Helper()
		look[bool](b, fmt.Sprintf(`(Object.defineProperty(document, 'hidden', {configurable: true, value: %t}), document.dispatchEvent(new Event('visibilitychange')))`, hidden))
	}
	see(true)
	b.await("the end of the search", `window.sent.join() === 'stop'`)
	see(false)
	b.await("another search", `window.sent.join() === 'stop,think'`)
}

// TestBrowserEngineOptions gives the engine of the analysis more memory: it is told so,
// and the page keeps it.
func TestBrowserEngineOptions(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	const lines = `document.querySelectorAll('[data-testid=lines] > li').length === 3`
	b.click("#analysis")
	b.await("three lines", lines)
	b.click("#engine-options summary")
	b.await("the options", `document.querySelector('#engine-fields [data-option=Threads]') && document.querySelector('#engine-fields [data-option=Hash]')`)
	b.fill("[data-option=Hash]", "32")
	b.await("lines after the change", lines)
	b.fill("[data-option=Threads]", "0")
	if got := look[string](b, `document.querySelector('[data-option=Threads]').value`); got != "1" {
		t.Errorf("0 threads became %s", got)
	}
	b.reload()
	b.click("#analysis")
	b.await("three lines", lines)
	b.click("#engine-options summary")
	b.await("the memory", `document.querySelector('#engine-fields [data-option=Hash]')?.value === '32'`)
}
