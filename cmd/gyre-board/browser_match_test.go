package main

import (
	"fmt"
	"testing"
)

// startMatch starts a match of two levels, by short searches.
func (b *tab) startMatch(games int) {
	b.t.Helper()
	b.await("the form", `document.querySelector('#match-form select')`)
	look[bool](b, `(document.querySelector('[data-testid=match-limits]').append(new Option('short', '{"nodes":30}')), true)`)
	b.fill(id("match-limits"), `{"nodes":30}`)
	b.fill(id("match-rules"), "blitz")
	b.fill(id("match-level0"), "Novice")
	b.fill(id("match-level1"), "Casual")
	b.fill(id("match-games"), fmt.Sprint(games))
	b.click(id("match-start"))
}

// TestBrowserMatch plays a match: it is stopped, goes on after loading the page where it was,
// and all its games are in the library, each once.
func TestBrowserMatch(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.address)
	b.click("#new-game")
	b.click("#new-dialog [data-part=match]")
	b.startMatch(2000)
	const played = `document.querySelectorAll('[data-testid=match-game]').length`
	b.await("four games", played+` >= 4`)
	b.click(id("match-stop"))
	b.awaitText(id("match-said"), "It can go on at any time.")
	before := look[int](b, played)
	b.reload()
	b.click("#games")
	b.click(id("games-match"))
	b.await("the match", `document.querySelector('#match-of')?.options.length === 2`)
	b.fill("#match-of", look[string](b, `document.querySelector('#match-of').options[1].value`))
	b.await("its games", fmt.Sprintf(`%s === %d`, played, before))
	b.awaitText(id("match-elo"), "Elo of the first: ")
	b.click(id("match-go"))
	// The games are short: the match is stopped in the moment in which there are more.
	b.await("more games", fmt.Sprintf(`%s > %d && (document.querySelector('[data-testid=match-stop]').click(), true)`, played, before+1))
	b.awaitText(id("match-said"), "It can go on at any time.")
	all := look[int](b, played)
	b.awaitText(id("match-counts"), "of 2000 games at 30 positions a turn.")
	b.inspectApart(t, "match")
	look[bool](b, `((all) => {
		all[0].results += 'w';
		localStorage.setItem('gyre.matches', JSON.stringify(all));
		return dispatchEvent(new StorageEvent('storage', {key: 'gyre.matches'}));
	})(JSON.parse(localStorage.getItem('gyre.matches')))`)
	b.await("the game that another tab has played", fmt.Sprintf(`%s === %d`, played, all+1))
	b.click("#match-games button:nth-child(2)")
	b.await("the game", `!document.querySelector('dialog[open]') && document.querySelector('#board').dataset.ply > 10`)
	b.click("#games")
	b.awaitText(".collection summary", fmt.Sprintf("Match Gyre, Novice – Gyre, Casual, blitz · %d games", all))
}
