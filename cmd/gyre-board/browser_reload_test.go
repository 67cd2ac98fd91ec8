package main

import (
	"fmt"
	"testing"

	"gyre/position"
)

// TestBrowserReload reloads the page during a turn. Its steps survive.
func TestBrowserReload(t *testing.T) {
	t.Parallel()
	b := visitPosition(t, twoApart)
	b.move("d8", "h8")
	b.takeRow("d4", "d8", b.click)
	b.awaitState("ring")
	b.reload()
	b.awaitState("ring")
	b.awaitText("#strip", "Row d4 to d8")
	b.click(at("b2"))
	b.takeRow("g4", "g8", b.click)
	b.awaitState("ring")
	b.click(at("b6"))
	b.awaitTurn("d8-h8;xd4-d8xb2;xg4-g8xb6")
	b.reload()
	b.awaitPly(1)
	b.awaitTurn("d8-h8;xd4-d8xb2;xg4-g8xb6")
	b.position(position.Standard, twoApart)
}

// TestBrowserReloadWaits reloads the page while another page still holds the lock of its game.
// The tab waits for the lock and keeps the steps of the current turn. A copy of the game would
// not have them.
func TestBrowserReloadWaits(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.at("standard", twoApart))
	b.move("d8", "h8")
	b.takeRow("d4", "d8", b.click)
	b.awaitState("ring")
	const open = `JSON.parse(sessionStorage.getItem('gyre.tab'))`
	b.await("the step to be kept", open+`.prefix.length === 2`)
	game := look[string](b, open+`.game`)
	holder := b.secondTab()
	holder.visit(s.at("standard", twoCross))
	holder.await("the game to be held", fmt.Sprintf(`(window.held ??= (navigator.locks.request('gyre.game.%[1]s', {steal: true}, () => {
		window.has = true;
		return new Promise((free) => {
			const look = async () => (await navigator.locks.query()).pending.some(({name}) => name === 'gyre.game.%[1]s') ? free() : setTimeout(look, 20);
			look();
		});
	}), true)) && window.has`, game))
	b.reload()
	b.awaitState("ring")
	b.awaitText("#strip", "Row d4 to d8")
	if got := look[string](b, open+`.game`); got != game {
		t.Errorf("the tab has game %s, and had %s", got, game)
	}
}

// TestBrowserReloadAtOnce reloads the page at the moment when it shows another position. That
// position must come back. The clock advances with each call, as it may between two saves.
func TestBrowserReloadAtOnce(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.twoPeople(nil, "f6", "e5")
	const open = `JSON.parse(sessionStorage.getItem('gyre.tab'))`
	b.await("the last turn to be kept", open+`.at.length === 2`)
	look[bool](b, `((now) => {
		Date.now = () => ++now;
		window.left = true;
		document.querySelector('[data-testid=go-back]').click();
		location.reload();
		return true;
	})(Date.now())`)
	b.await("the new page", `!window.left`)
	b.awaitText("#prompt", "looking at turn 1")
}

// TestBrowserReloadThinking reloads the page while the engine thinks. The engine thinks again
// and plays.
func TestBrowserReloadThinking(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.newGame(map[string]string{"new-level-b": b.fullStrength()})
	b.awaitState("place")
	b.click(at("f6"))
	b.awaitThinking()
	b.reload()
	b.awaitPly(2)
	b.awaitState("place")
}

// awaitThinking waits until the engine thinks about its first turn, or has already played it.
func (b *tab) awaitThinking() {
	b.t.Helper()
	b.await("the engine's turn", `document.querySelector('#board').dataset.state === 'thinking' || document.querySelector('#board').dataset.ply === '2'`)
}

// blitz selects the blitz rules in the dialog for a new game.
const blitz = "[name=rules][value=blitz]"

// newGame starts a game with the dialog. lists are values by list, buttons are selectors.
func (b *tab) newGame(lists map[string]string, buttons ...string) {
	b.t.Helper()
	const open = `JSON.parse(sessionStorage.getItem('gyre.tab'))?.game`
	b.await("a game", open)
	before := look[string](b, open)
	b.click("#new-game")
	for _, selector := range buttons {
		b.click("#new-dialog label:has(" + selector + ")")
	}
	for list, value := range lists {
		b.fill(id(list), value)
	}
	b.click(id("new-start"))
	b.await("the new game", open+" !== '"+before+"'")
}

// fullStrength returns the value of the strongest level.
func (b *tab) fullStrength() string {
	b.t.Helper()
	return look[string](b, `[...document.querySelector("[data-testid=new-level-b]").options].at(-1).value`)
}

// TestBrowserServerRestart restarts the server during a game. The page reconnects, and the game
// continues.
func TestBrowserServerRestart(t *testing.T) {
	serverOnly(t)
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.at("standard", "", middleGame...))
	b.click("#analysis")
	b.await("lines", `document.querySelectorAll('[data-testid=lines] > li').length === 3`)
	s.stop()
	b.awaitText("#notices", "lost")
	s.restart()
	b.await("the connection", `!document.querySelector('[data-notice=connection]')`)
	b.await("the analysis to go on", `document.querySelectorAll('[data-testid=lines] > li').length === 3`)
	b.move("f3", "f2")
	b.awaitPly(len(middleGame) + 1)
	b.position(position.Standard, position.StartText)
}

// TestBrowserServerRestartThinking restarts the server while the engine thinks. The engine
// thinks again and plays.
func TestBrowserServerRestartThinking(t *testing.T) {
	serverOnly(t)
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.address)
	b.newGame(map[string]string{"new-level-b": b.fullStrength()})
	b.awaitState("place")
	b.click(at("f6"))
	b.awaitThinking()
	s.stop()
	b.awaitText("#notices", "lost")
	s.restart()
	b.awaitPly(2)
	b.awaitState("place")
	b.position(position.Standard, position.StartText)
}

// TestBrowserTwoTabs plays different games in two tabs of one profile and reloads both. A tab
// cannot open the other's game, only a copy of it.
func TestBrowserTwoTabs(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	first := newTab(t)
	first.visit(s.at("standard", twoCross))
	second := first.secondTab()
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
	// The list contains both games; the second tab opens the first tab's.
	second.click("#games")
	second.click("#game-list li:nth-child(2) button")
	second.awaitText("#notices", "open in another tab")
	if got := second.turns(); len(got) != 1 || got[0] != "f5-h7;xf3-f7xb6" {
		t.Errorf("the second tab shows %v, and not its own game any more", got)
	}
	second.click(id("notice-action"))
	second.awaitTurn("f5-h7;xc5-g5xb2")
	second.move("a3", "a2")
	second.awaitPly(2)
	first.reload()
	first.awaitPly(1)
	if got := first.turns(); len(got) != 1 {
		t.Errorf("the first tab's game has the turns %v, of which one is its own", got)
	}
}
