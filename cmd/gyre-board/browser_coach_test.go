package main

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestBrowserCoach plays an engine: a hint tells where to look, and then the turn with the
// reason; the coach, once it is wanted, asks before a blunder, also after loading the page
// again, and takes it back or lets it be played. The game does not count for the player's
// rating, which is told; the next one does, and is there again after loading.
func TestBrowserCoach(t *testing.T) {
	t.Parallel()
	axe := axeScript(t)
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.at("blitz", twoFours))
	b.newGame(map[string]string{"new-level-b": b.lowestLevel()}, blitz, "[data-testid=new-here]")
	b.awaitHint("a2", "can move")
	b.click("#hint")
	b.awaitText(id("coach-said"), "Look at the ring on f3.")
	b.await("the mark", `document.querySelector('.arrows-best').childElementCount > 0`)
	look[bool](b, axe+";true")
	b.inspectBoth("hint")
	b.press("h")
	b.awaitText(id("coach-said"), "It wins the game.")

	b.choose("coach", "on")
	b.press(kb.Escape)
	b.reload()
	b.await("the coach", `document.querySelector('#coach-box')`)
	b.blunder()
	b.click(id("coach-back"))
	b.blunder()
	look[bool](b, axe+";true")
	b.inspectBoth("coach")
	b.press(kb.Escape)
	b.awaitHint("a2", "can move")
	b.openRating()
	b.awaitText(id("rating-game"), "The game on the board does not count: it had hints and the coach.")
	b.press(kb.Escape)
	b.blunder()
	b.tabTo(id("coach-play"))
	b.press(kb.Enter)
	b.await("the engine's answer, which may end the game", `document.querySelector('#board').dataset.ply === '2' && !['showing', 'waiting', 'thinking'].includes(document.querySelector('#board').dataset.state)`)
	look[bool](b, `((resign) => (resign.hidden || resign.click(), true))(document.querySelector('#resign'))`)
	b.awaitText(id("end-rating"), "does not count for your rating: it had hints and the coach.")

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

// blunder enters a turn that loses at once, and waits until the coach has asked.
func (b *tab) blunder() {
	b.t.Helper()
	b.awaitHint("a2", "can move")
	b.click(at("a2"))
	b.awaitHint("a3", "move here")
	b.click(at("a3"))
	b.awaitText(id("coach-said"), "a2-a3 gives away 100 %: your chances fall from 100 % to 0 %. Black then wins the game by h4-")
}

// openRating opens the dialog of the player's rating.
func (b *tab) openRating() {
	b.t.Helper()
	b.click("#tab-learn")
	b.click("#learn [data-part=rating]")
	b.await("the rating", `document.querySelector('#rating-dialog')?.open`)
}

// countedGame plays some turns without the coach against a level, resigns, and finds the
// result in the player's rating, also after loading.
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
	b.awaitText(id("rating-now"), "after 1 game")
	b.awaitText(id("rating-table"), "lost")
}
