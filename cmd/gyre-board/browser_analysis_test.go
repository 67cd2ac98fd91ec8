package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gyre/bench/browsertest"
	"gyre/bench/enginetest"
	"gyre/bench/puzzles"
	"gyre/position"
	"gyre/position/record"
)

// middleGame is a game in which both sides have markers on the board.
var middleGame = []string{"f6", "e5", "g6", "e7", "e4", "g8", "d6", "f8", "h7", "d4",
	"f6-f4", "e5-f5", "g6-e6", "e7-e8", "f4-f3", "g8-h8"}

// TestBrowserAnalysis turns the analysis on and off, changes the number of lines, points at a
// line and plays one of its turns.
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
	b.await("the score next to the board", `document.querySelector('#eval-bar').checkVisibility() && document.querySelector('#eval-bar').ariaLabel.startsWith('Score')`)
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
	// New lines would move the first one away from the pointer.
	b.await("five lines again, of which the first is clicked", `(([first, ...others]) => {
		if (others.length === 4) first.querySelector('.pv').click();
		return others.length === 4;
	})(document.querySelectorAll('[data-testid=lines] > li'))`)
	b.awaitPly(len(middleGame) + 1)
}

// TestBrowserThreat shows the other side's threat.
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

// review reviews the game with short searches.
func (b *tab) review() {
	b.t.Helper()
	b.click("#tab-review")
	b.await("the panel", `document.querySelector('[data-testid=review-nodes]')`)
	look[bool](b, `(document.querySelector('[data-testid=review-nodes]').append(new Option('300')), true)`)
	b.fill(id("review-nodes"), "300")
	b.click(id("review"))
}

// TestBrowserReview checks the progress, the graph and the summary of a review, also on a phone.
// They disappear with the game.
func TestBrowserReview(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	b.review()
	b.await("the summary", `document.querySelector('[data-testid=review-summary] > summary')?.textContent.includes('White') &&
		!document.querySelector('[data-testid=review-bar]')`)
	b.await("what the last turn lost, on the board", `document.querySelector('#board .verdict')`)
	graph := b.find(id("graph"))
	b.do("clicking the middle of the graph", chromedp.MouseClickXY(graph.X, graph.Y))
	b.await("an earlier position", fmt.Sprintf(`document.querySelector('#board').dataset.ply !== '%d'`, len(middleGame)))
	for _, phone := range screens[3:] {
		b.become(phone)
		b.await(phone.name+": the shown turn and its buttons in view, once the page has its new size", `((panel, card) => card.top >= panel.top - 1 && card.bottom <= panel.bottom + 1)(
			document.querySelector('#panel-review').getBoundingClientRect(), document.querySelector('.review-finding .buttons, .review-finding .finding').getBoundingClientRect())`)
	}
	low := screen{"a low phone", 390, 780, true}
	b.become(low)
	b.tap(id("review-summary") + " > summary")
	b.await("the table of the review", `document.querySelector('[data-testid=review-summary]').open`)
	look[bool](b, `(document.querySelector('#panel-review').scrollTop = 0, true)`)
	if high := look[int](b, "document.documentElement.scrollHeight"); high > low.height {
		t.Errorf("with the table of the review, the page has %d pixels", high)
	}
	b.become(screens[1])
	b.newGame(nil)
	b.await("no summary of another game", `!document.querySelector('[data-testid=review-summary]')`)
}

// TestBrowserWords checks that a turn that removes a row is in words wherever it is read, except in lists of
// turns: the graph, the card and the question of a review, a puzzle from the mistake, a threat, and the
// engine's other ways to finish a move.
func TestBrowserWords(t *testing.T) {
	t.Parallel()
	const (
		played, best = "f5 to h7, then removing the row c5 to g5 and the ring on b2", "f5 to h7, then removing the row c5 to g5 and the ring on j10"
		sides        = `{\"w\":{\"turns\":1,\"accuracy\":21.5},\"b\":{\"turns\":0,\"accuracy\":0}}`
		tree         = `[{\"turn\":\"\",\"score\":{\"cp\":30}},{\"turn\":\"f5-h7;xc5-g5xb2\",\"score\":{\"cp\":-110},\"finding\":{\"label\":\"blunder\",\"lost\":32.5,\"accuracy\":21.5,\"missedRow\":false,\"best\":\"f5-h7;xc5-g5xj10\",\"line\":[\"f5-h7;xc5-g5xj10\"]},\"review\":` + sides + `}]`
	)
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.openFiles(fileOf(t, "row.txt", "[Position \""+twoCross+"\"]\n[Tree \""+tree+"\"]\n\n1.f5-h7;xc5-g5xb2 *\n"))
	b.awaitPly(1)
	b.await("the move in the graph", `document.querySelector('[aria-valuetext^="Turn 1, f5 to h7: "]')`)
	b.click("#tab-review")
	b.awaitText(id("finding"), "1. "+played+" ??blunder")
	b.awaitText(id("finding"), "Better: "+best+".")
	b.click(id("review-summary") + " > summary")
	b.awaitText(id("turning-point"), "1. White "+played+": 57% → 25% for White")
	b.saysTurnsInWords("the review")
	b.click(id("retry"))
	b.awaitText(id("retry-text"), "Find a better turn for White than "+played+".")
	b.saysTurnsInWords("a question")
	b.click("#tab-turns")
	b.click("#tab-review")
	b.click(id("turning-point"))
	b.awaitPly(1)
	b.click(id("review-more") + " > summary")
	b.click(id("review-puzzles"))
	b.awaitPuzzle("yours")
	b.click(id("puzzle-show"))
	b.awaitPuzzle("shown")
	b.awaitText(id("puzzle-said"), "Solution: "+best+".")
	b.saysTurnsInWords("a solution")
	b.click(id("puzzles-close"))
	b.awaitPly(1)
	b.press(kb.Home)
	b.awaitPly(0)
	b.click("#tab-analysis")
	b.click("#analysis")
	b.await("other ways to finish a move", `[...document.querySelectorAll('[data-testid=line-others]')].some((others) => /or removing the row/.test(others.textContent))`)
	b.click(id("threat"))
	b.awaitText(id("threat-text"), "Black threatens ")
	b.saysTurnsInWords("the analysis")
}

// TestBrowserMistake checks that a mistake is marked in the list, in the graph and on the board
// after a reload. The test looks at the better turn, adds the better line as a variation, and
// plays the turn again, worse and better. It does so on a phone, too, and the mistake becomes a
// puzzle.
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
	b.await("what the turns lost", `[...document.querySelectorAll('#turns [data-testid=lost]')].map((lost) => lost.textContent).join() === '−33%lost 33%,lost 0%'`)
	b.await("a green dot on the board", `document.querySelector('#board .verdict .fine')`)
	b.press(",")
	b.awaitPly(1)
	b.await("a red dot on the board", `document.querySelector('#board .verdict .blunder')`)
	b.click("#tab-review")
	b.awaitText(id("review-summary"), "Accuracy: White 21.5%, Black 100.0%")
	b.click(id("review-summary") + " > summary")
	b.awaitText(id("summary"), "White21.5%")
	b.awaitText(id("summary"), "Black100.0%")
	b.awaitText(id("turning-point"), "1. White a2: 57% → 25% for White")
	b.awaitText(id("finding"), "1. a2 ??blunder White 57% to 25%. Better: e5.")
	b.click(id("show-better"))
	b.awaitPly(0)
	b.await("the better turn on the board", `document.querySelector('#board .arrows > *')`)
	b.awaitText(id("finding"), "1. a2 ??blunder")
	b.await("a way to try again while the better turn is shown", `document.querySelector('[data-testid=retry]').checkVisibility()`)
	b.click(id("retry"))
	b.awaitText(id("retry-text"), "Find a better turn for White than a2.")
	b.await("no card next to the question", `!document.querySelector('[data-testid=finding]')`)
	b.await("no answer to the question on the board", `!document.querySelector('#board .arrows-best > *')`)
	b.click(id("turning-point"))
	b.awaitText(id("finding"), "1. a2 ")
	b.click(id("show-better"))
	b.awaitPly(0)
	b.click(id("review-more") + " > summary")
	b.click(id("better-line"))
	b.click(id("review-more") + " > summary")
	b.awaitText("#turns .variation", "1.e5Better: 57% for White.2.f6")
	b.click(id("turning-point"))
	b.awaitText(id("finding"), "1. a2 ")
	b.click(id("retry"))
	b.awaitText(id("retry-text"), "Find a better turn for White than a2.")
	b.await("no second card", `!document.querySelector('[data-testid=finding]')`)
	b.awaitHint("f6", "place your ring")
	b.click(at("f6"))
	// Both turns are searched again, so the review's claim that e5 is better does not count.
	b.awaitText(id("retry-text"), "Good. f6 loses 0%; a2 lost 33%. The review’s turn is e5.")
	b.click(".retry button")
	b.awaitHint("e5", "place your ring")
	b.click(at("e5"))
	b.awaitText(id("retry-text"), "Well done! That is the review’s turn.")
	if look[bool](b, `Boolean(document.querySelector('[data-testid=next-mistake]'))`) {
		t.Error("a button leads from the only mistake to the next one")
	}
	b.become(screens[3])
	b.tap(".retry button:nth-of-type(2)")
	b.tap(id("next-mistake"))
	b.await("the words about the turn, in view", `((panel, words) => words && words.top > panel.top - 1 && words.bottom < panel.bottom)(
		document.querySelector('#panel-review').getBoundingClientRect(), document.querySelector('.review-finding .finding')?.getBoundingClientRect())`)
	b.tap(id("review-more") + " > summary")
	b.tap(id("review-puzzles"))
	b.awaitText(id("puzzle-task"), "White to move. Find a better turn than in your game.")
	b.awaitPuzzle("yours")
}

// TestBrowserAnalysisRests hides the page. The analysis stops, and resumes when the page is
// visible.
func TestBrowserAnalysisRests(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	b.click("#analysis")
	b.await("three lines", `document.querySelectorAll('[data-testid=lines] > li').length === 3`)
	b.recordMessages()
	see := func(hidden bool) {
		t.Helper()
		look[bool](b, fmt.Sprintf(`(Object.defineProperty(document, 'hidden', {configurable: true, value: %t}), document.dispatchEvent(new Event('visibilitychange')))`, hidden))
	}
	see(true)
	b.await("the end of the search", `window.sent.join() === 'stop'`)
	see(false)
	b.await("another search", `window.sent.join() === 'stop,think'`)
}

// TestBrowserEngineOptions changes an option of the analysis engine. The engine receives it, and
// the page remembers it.
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

// twoFours is a blitz position in which White wins with the ring at f3, and loses to Black's ring
// at h4 after any other turn.
const twoFours = "W2B/WW4B/W7/9/10/1Wwwww3/10/1Bbbbb3/B7/B6/4 w 0-0"

// TestBrowserWorth selects rings while the analysis is on. Their targets show losses as color,
// number and text until the analysis is off.
func TestBrowserWorth(t *testing.T) {
	t.Parallel()
	axe := browsertest.Axe(t)
	b := newTab(t)
	b.visit(serveSite(t).at("blitz", twoFours))
	b.awaitHint("f3", "can move")
	b.click("#analysis")
	b.await("lines", `document.querySelector('[data-testid=lines] > li')`)
	b.click(at("f3"))
	b.awaitHint("f2", "move here, loses nothing")
	b.await("the best targets", `document.querySelector('.worth[data-to=f2] text').textContent === '0'`)
	b.click(at("a2"))
	b.awaitHint("a3", "loses 100%")
	b.await("the targets", `document.querySelectorAll('.worth:not(.short)').length > 1 && document.querySelector('.worth[data-to=a3] text').textContent === '×' && !document.querySelector('.target')`)
	look[bool](b, axe+";true")
	b.inspectBoth("worth")
	b.click("#analysis")
	b.await("the dots", `document.querySelector('.target') && !document.querySelector('.worth')`)
	b.click(at("f3"))
	b.awaitHint("f2", "move here")
	b.await("no worth", `!document.querySelector('.worth')`)
	b.click(at("f2"))
	b.awaitState("row", "ring", "over")
}

// inspectBoth checks the accessibility of a view in a wide window and on a phone.
func (b *tab) inspectBoth(name string) {
	b.t.Helper()
	b.become(screens[3])
	b.inspect(name, "narrow", "dark")
	b.become(screens[0])
	b.inspect(name, "wide", "light")
}

// inspectApart is like inspectBoth, but as a subtest, which may be skipped. It leaves the tab a
// phone.
func (b *tab) inspectApart(t *testing.T, name string) {
	t.Helper()
	t.Run("access", func(t *testing.T) {
		b.do("loading axe", chromedp.Evaluate[chromedp.Void](browsertest.Axe(t)))
		b.inspect(name, "wide", "light")
		b.asPhone()
		b.inspect(name, "narrow", "dark")
	})
}

// TestBrowserCoach checks hints and the coach in a game against an engine. A hint first shows
// where to look, and then the turn with a reason. The coach asks before a blunder, also after a
// reload. The game does not count for the rating, the next one does.
func TestBrowserCoach(t *testing.T) {
	t.Parallel()
	axe := browsertest.Axe(t)
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.at("blitz", twoFours))
	b.newGame(map[string]string{"new-level-b": b.lowestLevel()}, blitz, "[data-testid=new-here]")
	b.awaitHint("a2", "can move")
	b.click("#hint")
	b.awaitText(id("coach-said"), "Look at the ring on f3.")
	b.await("the mark", `document.querySelector('.arrows-best').childElementCount > 0`)
	b.await("the card below all of the prompt", `document.querySelector('#coach-box').previousElementSibling.matches('.before')`)
	look[bool](b, axe+";true")
	b.inspectBoth("hint")
	b.press("h")
	b.awaitText(id("coach-said"), "It wins the game.")

	b.choose("coach", "on")
	b.press(kb.Escape)
	b.reload()
	b.await("the coach", `document.querySelector('#coach-box')`)
	b.blunder()
	b.await("the turn as a red arrow and the answer as a blue one", `document.querySelector('.arrows-threat').childElementCount > 0 && document.querySelector('.arrows-line').childElementCount > 0`)
	b.click(id("coach-back"))
	b.await("no arrows", `!document.querySelector('.arrows-threat').childElementCount && !document.querySelector('.arrows-line').childElementCount`)
	b.blunder()
	b.awaitText("#prompt", "White moves a2 to a3")
	look[bool](b, axe+";true")
	b.inspectBoth("coach")
	b.press(kb.Escape)
	b.awaitHint("a2", "can move")
	b.openRating()
	b.awaitText(id("rating-game"), "The current game does not count: you had hints and the coach.")
	b.press(kb.Escape)
	b.blunder()
	b.tabTo(id("coach-play"))
	b.press(kb.Enter)
	b.await("the prompt, which the question leaves alone", `document.querySelector('#coach-box').hidden && document.querySelector('#prompt').checkVisibility() && document.querySelector('#prompt').textContent`)
	b.await("the engine's answer, which may end the game", `document.querySelector('#board').dataset.ply === '2' && !['showing', 'waiting', 'thinking'].includes(document.querySelector('#board').dataset.state)`)
	look[bool](b, `((resign) => (resign.hidden || resign.click(), true))(document.querySelector('#resign'))`)
	b.awaitText(id("end-rating"), "Not rated: you had hints and the coach.")

	b.newGame(map[string]string{"new-level-b": b.lowestLevel()}, "[name=rules][value=standard]")
	b.await("a hint to ask for in the next game", `document.querySelector('#hint').checkVisibility() && document.querySelector('#prompt').checkVisibility()`)
	b.countedGame()
	look[bool](b, axe+";true")
	b.inspectBoth("rating")
	b.press(kb.Escape)
	b.openFiles(fileOf(t, "backup.json", `{"format":"gyre games 1","games":[],"results":[{"game":"1-2","at":1700000000000,"opponent":"Gyre, Club","elo":1200,"score":1}]}`))
	b.awaitText("#copied", "added")
	b.press(kb.Escape)
	b.reload()
	b.openRating()
	b.awaitText(id("rating-now"), "after 2 games")
	b.awaitText(id("rating-table"), "Gyre, Club (1200)")
}

// blunder enters a turn that loses at once, and waits for the coach's question.
func (b *tab) blunder() {
	b.t.Helper()
	b.awaitHint("a2", "can move")
	b.click(at("a2"))
	b.awaitHint("a3", "move here")
	b.click(at("a3"))
	b.awaitText(id("coach-said"), "a2 to a3 is a blunder: your winning chances drop from 100% to 0%. Black can then win with h4 to ")
}

// openRating opens the dialog with the rating.
func (b *tab) openRating() {
	b.t.Helper()
	b.click("#tab-learn")
	b.click("#learn [data-part=rating]")
	b.await("the rating", `document.querySelector('#rating-dialog')?.open`)
}

// countedGame plays and resigns a game against a level without help. The result is in the rating,
// also after a reload.
func (b *tab) countedGame() {
	b.t.Helper()
	b.choose("coach", "")
	b.press(kb.Escape)
	b.newGame(map[string]string{"new-level-b": b.lowestLevel()}, "[name=rules][value=standard]")
	for ply, point := range []string{"f6", "a2"} {
		b.await("a point for a ring", fmt.Sprintf(`document.querySelector('#board').dataset.ply === '%d' && document.querySelector('#board').dataset.state === 'place'`, 2*ply))
		if look[bool](b, fmt.Sprintf("document.querySelector(`%s`).classList.contains('can')", at(point))) {
			b.click(at(point))
		} else {
			b.click(at("k7"))
		}
	}
	b.awaitPly(4)
	b.click("#resign")
	b.awaitText(id("end-rating"), "Your rating:")
	b.reload()
	b.openRating()
	b.awaitText(id("rating-now"), "after one game")
	b.awaitText(id("rating-table"), "lost")
}

// wonFile is a file name that is wider than a phone.
const wonFile = "games in which a win was thrown away by somebody, and others.txt"

// longer is a number of nodes that takes too long for a test; shorter takes a moment.
const longer, shorter = 2_000_000_000, 300

// TestBrowserReviewButtons resigns a game. In the tab Review nothing takes a turn back or resumes the game.
func TestBrowserReviewButtons(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.newGame(map[string]string{"new-level-b": b.lowestLevel()})
	b.awaitHint("f6", "place your ring")
	b.click(at("f6"))
	b.awaitPly(2)
	b.click("#resign")
	b.awaitText(id("end-result"), "resigned")
	b.find("#take-back")
	b.click("#tab-review")
	b.press(",")
	b.awaitPly(1)
	b.await("neither Take back nor Resume", `!document.querySelector('#take-back').checkVisibility() && !document.querySelector('#play-on').checkVisibility()`)
}

// TestBrowserReviewAtEnd resigns a game in which both sides missed wins, and presses Review of the result: the first
// mistake is shown, and after a better turn the next one. The tab Review was open before, when the game was played.
func TestBrowserReviewAtEnd(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	for _, row := range []struct {
		screen screen
		press  func(b *tab, selector string)
	}{
		{screens[3], (*tab).tap},
		{screens[1], (*tab).click},
	} {
		t.Run(row.screen.name, func(t *testing.T) {
			t.Parallel()
			b := newTab(t)
			press := func(selector string) {
				t.Helper()
				row.press(b, selector)
			}
			b.visit(s.at("blitz", twoFours))
			b.become(row.screen)
			b.newGame(nil, blitz, "[name=who][value=engine]", "[data-testid=new-here]")
			press("#tab-review")
			b.await("the panel", `document.querySelector('[data-testid=review]')?.disabled`)
			b.newGame(nil, blitz, "[name=who][value=people]", "[data-testid=new-here]")
			var winning position.Turn
			for ply := range 3 {
				b.awaitPly(ply)
				p := b.played(position.Blitz, twoFours)
				var quiet []position.Turn
				for _, turn := range p.Turns(nil) {
					if after := p.After(turn); !after.Over() {
						quiet = append(quiet, turn)
					} else if ply == 0 {
						winning = turn
					}
				}
				b.enterAfter(quiet[0], press, func(int) {})
			}
			press("#resign")
			if row.screen.touch {
				press("#resign")
			}
			b.await("the result", `document.querySelector('#panel-end').checkVisibility()`)
			b.isWhole("the result")
			press("#end-review")
			b.await("the first mistake", `document.querySelector('[data-testid=finding] .label')`)
			b.awaitPly(1)
			b.await("the end of the review", `!document.querySelector('[data-testid=review-bar]')`)
			b.isWhole("the first mistake")
			press(id("retry"))
			b.awaitPly(0)
			b.enterAfter(winning, press, func(int) {})
			b.await("that it is as good", `document.querySelector('[data-testid=retry-done]')`)
			b.isWhole("the better turn")
			press(id("next-mistake"))
			b.awaitPly(2)
			b.await("the next mistake", `document.querySelector('[data-testid=finding] .label')`)
			b.isWhole("the next mistake")
			press(id("retry"))
			b.awaitPly(1)
			b.await("the question", `document.querySelector('[data-testid=retry-text]')`)
		})
	}
}

// offerDepths adds both to the choices for the review of several games.
func (b *tab) offerDepths() {
	b.t.Helper()
	look[bool](b, fmt.Sprintf(`(document.querySelector('[data-testid=reviews-nodes]').append(new Option('long', '%d'), new Option('short', '%d')), true)`, longer, shorter))
}

// manyGames returns records: an undecided game, and the given number of games in which a win is
// thrown away.
func manyGames(t *testing.T, thrown int) string {
	t.Helper()
	text := "[White \"Cid\"]\n[Black \"Dan\"]\n\n"
	for i, turn := range middleGame {
		if i%2 == 0 {
			text += fmt.Sprintf("%d.", i/2+1)
		}
		text += turn + " "
	}
	return text + "*\n\n" + blunders(t, thrown)
}

// blunders returns records of games in which White throws away an immediate win.
func blunders(t *testing.T, count int) (text string) {
	t.Helper()
	set, err := puzzles.Set()
	if err != nil {
		t.Fatal(err)
	}
	for i := range set {
		z := &set[i]
		if z.Mate != 1 || z.Position.SideToMove() != position.White || count == 0 {
			continue
		}
		var one strings.Builder
		game := record.New(z.Position)
		game.SetTag("White", "Ann")
		game.SetTag("Black", fmt.Sprintf("Bob %d", count))
		game.Add(wrongTurn(t, z), "")
		if err := game.Write(&one); err != nil {
			t.Fatal(err)
		}
		text += one.String()
		count--
	}
	if count > 0 {
		t.Fatalf("%d puzzles too few", count)
	}
	return text
}

// TestBrowserManyReviews reviews the games of a file while a game continues. It stops, and
// resumes with the remaining games after a reload. Results are stored with each game, summed up
// by player, and mistakes become puzzles.
func TestBrowserManyReviews(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.address)
	b.openFiles(fileOf(t, wonFile, manyGames(t, 3)))
	b.awaitPly(len(middleGame))
	b.click("#games")
	b.click(id("games-reviews"))
	b.await("the dialog", `document.querySelector('[data-testid=reviews-of]')?.options.length === 2`)
	b.offerDepths()
	b.fill(id("reviews-of"), wonFile)
	b.awaitText(id("reviews-start"), "Review 4 games")
	b.fill(id("reviews-nodes"), fmt.Sprint(longer))
	b.click(id("reviews-start"))
	b.awaitText(id("reviews-said"), "Game 1 of 4.")
	b.reload()
	b.awaitPly(len(middleGame))
	b.click("#tab-review")
	b.click(id("reviews"))
	b.awaitText(id("reviews-said"), "4 games are left from last time.")
	b.click(id("reviews-list") + " li:nth-child(2) input")
	b.awaitText(id("reviews-start"), "Review 3 games")
	b.offerDepths()
	b.fill(id("reviews-nodes"), fmt.Sprint(longer))
	b.click(id("reviews-start"))
	b.awaitText(id("reviews-said"), "Game 1 of 3.")
	b.click(id("reviews-stop"))
	b.awaitText(id("reviews-said"), "3 games left. Choose Review to continue.")
	b.fill(id("reviews-nodes"), fmt.Sprint(shorter))
	b.click(id("reviews-all"))
	b.find(id("reviews-start"))
	// The reviews take only a moment, so the dialog is closed at once.
	look[bool](b, `(document.querySelector('[data-testid=reviews-start]').click(), document.querySelector('#reviews-dialog').close(), true)`)
	b.awaitText("[data-notice=reviews]", "4 games reviewed.")
	b.click("[data-notice=reviews] [data-testid=notice-action]")
	b.awaitText(id("reviews-table"), "Ann3")
	b.await("each player", `document.querySelectorAll('[data-testid=reviews-table] tbody tr').length === 3`)
	b.await("what each came to", `[...document.querySelectorAll('[data-testid=reviews-result]')].filter(({textContent}) => /^\d+% : –$/.test(textContent)).length === 3`)
	b.inspectApart(t, "reviews")
	b.asPhone()
	if look[bool](b, `((dialog) => dialog.scrollWidth > dialog.clientWidth)(document.querySelector('#reviews-dialog'))`) {
		t.Error("the dialog is wider than a phone")
	}
	b.click(id("reviews-list") + " li:nth-child(3) button")
	// The explanation of its turn comes last, and moves everything below.
	b.await("the review of the game", `document.querySelector('[data-testid=review-summary] table') && document.querySelector('.review-finding .finding') && !document.querySelector('dialog[open]')`)
	b.click(id("review-more") + " > summary")
	b.click(id("reviews"))
	b.click(id("reviews-puzzles"))
	b.awaitText(id("puzzle-task"), "White to move. Find a better turn than in ")
}

// secondEngine serves a board with a second engine. Its processes write their IDs into the
// directory pids.
func secondEngine(t *testing.T, kind string) (s *site, pids string) {
	t.Helper()
	dir := t.TempDir()
	pids = filepath.Join(dir, "pids")
	if err := os.Mkdir(pids, 0o700); err != nil {
		t.Fatal(err)
	}
	path, err := enginetest.Script(dir, kind, pids)
	if err != nil {
		t.Fatal(err)
	}
	return serveSite(t, "-engine", "Second="+path), pids
}

// programsIn returns the process IDs in a directory.
func programsIn(t *testing.T, pids string) (all []int) {
	t.Helper()
	files, err := os.ReadDir(pids)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		pid, err := strconv.Atoi(file.Name())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, pid)
	}
	return all
}

// TestBrowserEngineKilled kills Black's engine while it waits. The page restarts it, reports
// that, and the game continues.
func TestBrowserEngineKilled(t *testing.T) {
	t.Parallel()
	s, pids := secondEngine(t, enginetest.Good)
	b := newTab(t)
	b.visit(s.address)
	b.newGame(map[string]string{"new-engine-b": "Second", "new-level-b": b.fullStrength()})
	for ply, point := range []string{"f6", "e4"} {
		b.awaitState("place")
		b.awaitHint(point, "place your ring")
		b.click(at(point))
		b.awaitPly(2*ply + 2)
	}
	all := programsIn(t, pids)
	if len(all) != 1 {
		t.Fatalf("%d programs run, want 1", len(all))
	}
	kill(t, all[0])
	b.awaitState("place")
	b.awaitHint("g4", "place your ring")
	b.click(at("g4"))
	b.awaitPly(6)
	b.awaitText("#notices", "was restarted")
	b.position(position.Standard, position.StartText)
	if all := programsIn(t, pids); len(all) != 2 {
		t.Errorf("%d programs were started, want 2", len(all))
	}
}

// TestBrowserEngineDies checks that an engine that dies in every search is restarted once
// automatically, and then only on request. The page says why in its language.
func TestBrowserEngineDies(t *testing.T) {
	t.Parallel()
	s, pids := secondEngine(t, enginetest.DiesAlways)
	b := newTab(t)
	b.visit(s.address)
	b.newGame(map[string]string{"new-engine-b": "Second", "new-level-b": b.fullStrength()})
	b.awaitState("place")
	b.awaitHint("f6", "place your ring")
	b.click(at("f6"))
	for asked := range 2 {
		b.awaitText("#notices", "Second has stopped")
		if all := programsIn(t, pids); len(all) != 2*(asked+1) {
			t.Errorf("asked %d times: %d programs were started", asked, len(all))
		}
		b.click(`[data-testid="notice-action"]`)
	}
	b.speak("de")
	b.awaitText("#notices", "Second wurde unerwartet beendet")
}

// TestBrowserReviewWithoutEngine presses Review of a result if the chosen engine dies in every search. The page
// reports it and offers the review again, one engine always stays chosen, and another one reviews the game.
func TestBrowserReviewWithoutEngine(t *testing.T) {
	t.Parallel()
	s, _ := secondEngine(t, enginetest.DiesAlways)
	b := newTab(t)
	b.visit(s.at("blitz", twoCross, "f5-h7;xc5-g5xb2"))
	b.awaitState("over")
	look[bool](b, `(localStorage.setItem('gyre.settings', JSON.stringify({analysts: ['Second']})), true)`)
	b.reload()
	b.click("#tab-end")
	b.click("#end-review")
	b.awaitText("#notices", "Second has stopped")
	b.await("the review to be offered again", `document.querySelector('[data-testid=review]')?.disabled === false && !document.querySelector('[data-testid=review-bar]')`)
	b.click("#tab-analysis")
	b.click("#analysis")
	const second, builtIn = "#engine-choice label:has([value=Second])", "#engine-choice label:not(:has([value=Second]))"
	b.click(second)
	b.await("one engine to stay chosen", `document.querySelector('#engine-choice [value=Second]').checked`)
	b.click(builtIn)
	b.click(second)
	b.await("the other engine alone", `[...document.querySelectorAll('#engine-choice :checked')].every(({value}) => value !== 'Second')`)
	b.click("#tab-end")
	b.click("#end-review")
	b.await("the summary", `document.querySelector('[data-testid=review-summary]') && !document.querySelector('[data-testid=review-bar]')`)
}

// kill kills a process.
func kill(t *testing.T, pid int) {
	t.Helper()
	process, err := os.FindProcess(pid)
	if err == nil {
		err = process.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestBrowserEnginesEnd checks that a page's engines end when the page is closed.
func TestBrowserEnginesEnd(t *testing.T) {
	t.Parallel()
	s, pids := secondEngine(t, enginetest.Good)
	b := newTab(t)
	b.visit(s.address)
	b.newGame(map[string]string{"new-engine-b": "Second"})
	b.awaitState("place")
	b.click(at("f6"))
	b.awaitPly(2)
	b.do("leaving", chromedp.Navigate("about:blank"))
	b.until("the program to end", func() bool {
		left, all, err := enginetest.Left(pids)
		return err == nil && all == 1 && len(left) == 0
	})
}

// TestBrowserTwoEngines analyzes with two engines at the same time, and then plays a game
// between them.
func TestBrowserTwoEngines(t *testing.T) {
	t.Parallel()
	s, _ := secondEngine(t, enginetest.Good)
	b := newTab(t)
	b.visit(s.at("standard", "", middleGame...))
	b.click("#analysis")
	b.click("#engine-choice label:has([value=Second])")
	b.await("lines of both", `document.querySelectorAll('[data-testid=lines]').length === 2 &&
		[...document.querySelectorAll('[data-testid=lines]')].every((list) => list.childElementCount > 0)`)
	b.click("#analysis")
	b.newGame(map[string]string{"new-engine-w": "Second", "new-level-b": b.lowestLevel()}, "[name=who][value=engines]")
	b.await("some turns", `document.querySelectorAll('#turns > button').length >= 6`)
	b.click(id("play-on"))
	b.await("play to stop", `document.querySelector('#board').dataset.state !== 'thinking'`)
}

// TestStaticEngineFails breaks the Worker of an engine. The page reports it, and the engine can
// be restarted.
func TestStaticEngineFails(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveFolder(t).at("standard", "", middleGame...))
	look[bool](b, `(window.Whole = Worker, window.Worker = function () { return new Whole(document.querySelector('script[type=module]').src, {type: 'module'}); }, true)`)
	b.click("#analysis")
	b.awaitText("#notices", "Gyre")
	look[bool](b, `(window.Worker = Whole, true)`)
	b.click("#notices [data-testid=notice-action]")
	b.await("a line", `document.querySelectorAll('[data-testid=lines] > li').length > 0`)
}

// matchGames is the number of games of the match.
const matchGames = `document.querySelectorAll('[data-testid=match-game]').length`

// openMatch opens the tab for matches.
func (b *tab) openMatch() {
	b.t.Helper()
	b.click("#new-game")
	b.click("#new-dialog [data-part=match]")
}

// startMatch starts a match of a level and the engine at full strength, which uses its time:
// games of two levels would be over before a busy page shows them.
func (b *tab) startMatch(games int) {
	b.t.Helper()
	b.await("the form", `document.querySelector('#match-form select')`)
	look[bool](b, `(document.querySelector('[data-testid=match-limits]').append(new Option('short', '{"movetime":20}')), true)`)
	b.fill(id("match-limits"), `{"movetime":20}`)
	b.fill(id("match-rules"), "blitz")
	b.fill(id("match-level0"), "Novice")
	b.fill(id("match-level1"), "")
	b.fill(id("match-games"), fmt.Sprint(games))
	b.click(id("match-start"))
}

// TestBrowserMatch stops a match, reloads the page and resumes it. All games are in the library
// once. The board follows the running game until another one is opened, and closing the tab shows
// the game before the match.
func TestBrowserMatch(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.at("standard", "", middleGame...))
	b.openMatch()
	const played = matchGames
	b.await("no list without a match", `document.querySelector('#match-form').checkVisibility() && !document.querySelector('#match-of').checkVisibility()`)
	players := func() string {
		return look[string](b, `['match-level0', 'match-level1'].map((name) => document.querySelector('[data-testid=' + name + ']').value).join()`)
	}
	strongest := look[string](b, `[...document.querySelector('[data-testid=match-level1]').options].at(-2).value`)
	if got, want := players(), ","+strongest; got != want {
		t.Errorf("a first match is of %q, want %q: full strength and the strongest level", got, want)
	}
	b.startMatch(2000)
	// A running game has no result yet, and stays for a while when it is over.
	const running = `document.querySelector('#match-games [aria-current=true]') && !document.querySelector('#tab-end').checkVisibility() && document.querySelector('#board').dataset.ply > 10`
	b.await("a running game on the board", running+` && document.querySelector('[data-testid=name-w]').textContent.includes('Gyre')`)
	b.await("four games", played+` >= 4`)
	b.await("all points next to the names", `((points) => points.every((root) => root.checkVisibility()) && points.reduce((sum, root) => sum + Number(root.textContent.replace('½', '.5')), 0) >= 4)([...document.querySelectorAll('.match-points b')])`)
	b.click("#match-games button:first-child")
	b.await("the first game, while others are played", `document.querySelector('#match-games button').ariaCurrent === 'true' && document.querySelector('#tab-end').checkVisibility()`)
	shown := look[int](b, played)
	b.await("a further game", fmt.Sprintf(`%s > %d`, played, shown))
	if !look[bool](b, `document.querySelector('#match-games button').ariaCurrent === 'true'`) {
		t.Error("the running game took the board from an opened one")
	}
	b.do("watching the running game", chromedp.Evaluate[chromedp.Void](`document.querySelector('[data-testid=match-live]').click()`))
	b.await("the running game", running)
	b.click(id("match-stop"))
	b.awaitText(id("match-said"), "You can resume it at any time.")
	before := look[int](b, played)
	b.click(id("match-close"))
	b.await("the game before the match", fmt.Sprintf(`document.querySelector('#board').dataset.ply == %d && !document.querySelector('#tab-match').checkVisibility() && document.querySelector('#tab-learn').checkVisibility()`, len(middleGame)))
	b.reload()
	b.click("#games")
	b.click(id("games-match"))
	b.await("the match", `document.querySelector('#match-of')?.options.length === 2`)
	if got := players(); got != "Novice," {
		t.Errorf("the next match is of %q, not of the players of the last one", got)
	}
	b.fill("#match-of", look[string](b, `document.querySelector('#match-of').options[1].value`))
	b.await("its games", fmt.Sprintf(`%s === %d`, played, before))
	b.awaitText(id("match-elo"), "Elo difference ")
	b.click(id("match-go"))
	// The games are short, so the test stops the match as soon as there are more.
	b.await("more games", fmt.Sprintf(`%s > %d && (document.querySelector('[data-testid=match-stop]').click(), true)`, played, before+1))
	b.awaitText(id("match-said"), "You can resume it at any time.")
	all := look[int](b, played)
	b.awaitText(id("match-counts"), "of 2,000 games at 0.02 s per turn.")
	b.await("the pairs by points", `[...document.querySelectorAll('[data-testid=match-pairs] th')].map(({textContent}) => textContent).join() === '0,½,1,1½,2' &&
		document.querySelectorAll('[data-testid=match-pairs] td').length === 5`)
	b.awaitText("#tab-match", "Match")
	look[bool](b, `((all) => {
		all[0].results += 'w';
		localStorage.setItem('gyre.matches', JSON.stringify(all));
		return dispatchEvent(new StorageEvent('storage', {key: 'gyre.matches'}));
	})(JSON.parse(localStorage.getItem('gyre.matches')))`)
	b.await("the game that another tab has played", fmt.Sprintf(`%s === %d`, played, all+1))
	b.click("#match-games button:nth-child(2)")
	b.await("the game", `document.querySelector('#board').dataset.ply > 10`)
	b.await("no bar to watch a game that is over", `document.querySelector('#watch') && !document.querySelector('#watch').checkVisibility()`)
	b.click("#games")
	b.awaitText(".collection summary", fmt.Sprintf("Match Gyre, Novice – Gyre, blitz · %d games", all))
}
