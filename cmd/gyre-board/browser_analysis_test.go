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
	// Lines that are about to come would move the first from under a pointer.
	b.await("five lines again, of which the first is clicked", `(([first, ...others]) => {
		if (others.length === 4) first.querySelector('.pv').click();
		return others.length === 4;
	})(document.querySelectorAll('[data-testid=lines] > li'))`)
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
	b.click("#tab-review")
	b.await("the panel", `document.querySelector('#review-nodes')`)
	look[bool](b, `(document.querySelector('#review-nodes').append(new Option('short', '300')), true)`)
	b.fill(id("review-nodes"), "300")
	b.click(id("review"))
}

// TestBrowserReview reviews a game: its progress, a graph to click, a summary, which is in
// view on a phone, too, and goes with its game.
func TestBrowserReview(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	b.review()
	b.await("the summary", `document.querySelector('[data-testid=review-summary]').textContent.includes('White') &&
		!document.querySelector('#review-progress').checkVisibility()`)
	b.await("what the last turn lost, on the board", `document.querySelector('#board .verdict')`)
	graph := b.find(id("graph"))
	b.do("clicking the middle of the graph", chromedp.MouseClickXY(graph.X, graph.Y))
	b.await("an earlier position", fmt.Sprintf(`document.querySelector('#board').dataset.ply !== '%d'`, len(middleGame)))
	for _, phone := range screens[3:] {
		b.become(phone)
		b.await(phone.name+": what each side lost in view, once the page has its new size", `((panel, sides) => sides.top >= panel.top && sides.bottom <= panel.bottom)(
			document.querySelector('#panel-review').getBoundingClientRect(), document.querySelector('[data-testid=summary] tbody').getBoundingClientRect())`)
	}
	b.become(screens[1])
	b.newGame(nil)
	b.await("no summary of another game", `!document.querySelector('#review-summary').childElementCount`)
}

// TestBrowserMistake loads the page again after a review: it still tells of a turn that was a
// mistake, in the list, in the graph and on the board. The better turn is shown where that was
// played; the better line becomes a variation; and the turn is played again, worse and
// better. On a phone one comes to it, too; and it is a puzzle.
func TestBrowserMistake(t *testing.T) {
	t.Parallel()
	const sides = `{\"w\":{\"turns\":1,\"accuracy\":21.5},\"b\":{\"turns\":1,\"accuracy\":100}}`
	const tree = `[{\"turn\":\"\",\"score\":{\"cp\":30}},{\"turn\":\"a2\",\"score\":{\"cp\":-110},\"finding\":{\"label\":\"blunder\",\"lost\":32.5,\"accuracy\":21.5,\"missedRow\":false,\"best\":\"e5\",\"line\":[\"e5\",\"f6\"]}},` +
		`{\"turn\":\"e4\",\"finding\":{\"label\":\"\",\"lost\":0,\"accuracy\":100,\"missedRow\":false,\"best\":\"\"},\"review\":` + sides + `}]`
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.openFiles(fileOf(t, "reviewed.txt", "[Tree \""+tree+"\"]\n\n1.a2 2.e4 *\n"))
	b.awaitPly(2)
	b.await("the turns in place of the rules", `document.querySelector('#panel-turns').checkVisibility()`)
	b.reload()
	b.awaitPly(2)
	b.await("what the turns lost", `[...document.querySelectorAll('#turns [data-testid=lost]')].map((lost) => lost.textContent).join() === '−33 % lost,lost nothing'`)
	b.await("a green dot on the board", `document.querySelector('#board .verdict .fine')`)
	b.press(",")
	b.awaitPly(1)
	b.await("a red dot on the board", `document.querySelector('#board .verdict .blunder')`)
	b.click("#tab-review")
	b.awaitText(id("summary"), "White21.5 %")
	b.awaitText(id("summary"), "Black100.0 %")
	b.awaitText(id("turning-point"), "1. White a2: 57 % → 25 % for White")
	b.awaitText(id("finding"), "Turn 1, a2: blunder, loses 33 %, now 25 % for White.")
	b.awaitText(id("finding"), "Better was e5.")
	b.click(id("show-better"))
	b.awaitPly(0)
	b.await("the better turn on the board", `document.querySelector('#board .arrows > *')`)
	b.press(".")
	b.click(id("better-line"))
	b.awaitText("#turns .variation", "1.e5Better: 57 % for White.2.f6")
	b.click(id("turning-point"))
	b.awaitText(id("finding"), "Turn 1, a2")
	b.click(id("retry"))
	b.awaitText(id("retry-text"), "Find a better turn for White than a2.")
	b.awaitHint("f6", "place your ring")
	b.click(at("f6"))
	b.awaitText(id("retry-text"), "f6 loses nothing; a2 lost 33 %.")
	b.click(".retry button")
	b.awaitHint("e5", "place your ring")
	b.click(at("e5"))
	b.awaitText(id("retry-text"), "Well found: that is the engine's turn, too.")
	b.become(screens[3])
	b.tap(id("turning-point"))
	b.await("the words about the turn, in view", `((panel, words) => words && words.top > panel.top - 1 && words.bottom < panel.bottom)(
		document.querySelector('#panel-review').getBoundingClientRect(), document.querySelector('#review-finding .finding')?.getBoundingClientRect())`)
	b.tap(id("review-puzzles"))
	b.awaitText(id("puzzle-task"), "White to move. Find a better turn than in your game.")
	b.awaitPuzzle("yours")
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
