package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gyre/position/record"
)

// beginLink begins a game by link in the dialog for a new game, as the player with the given
// name.
func (b *tab) beginLink(name, side string) {
	b.t.Helper()
	b.newGame(map[string]string{"new-name": name}, "[name=who][value=link]", fmt.Sprintf("[name=side][value=%s]", side))
}

// shared returns the link in the dialog, and closes the dialog.
func (b *tab) shared() string {
	b.t.Helper()
	b.await("the dialog with the link", `document.querySelector('#share-dialog')?.open`)
	link := look[string](b, `document.querySelector('#share-link').value`)
	b.click("#share-dialog [data-close]")
	return link
}

// TestBrowserByLink plays by links between two browsers. Each opens every link in a new tab, as
// from a message. Both keep the game.
func TestBrowserByLink(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	ann, bob := newTab(t), newTab(t)
	ann.visit(s.address)
	ann.beginLink("Ann", "w")
	ann.awaitText("#remote-text", "Your turn")
	ann.awaitState("place")
	ann.click(at("f6"))
	first := ann.shared()
	ann.awaitText("#remote-text", "Waiting for the link")
	if !strings.Contains(first, "turns=f6") || !strings.Contains(first, "white=Ann") || !strings.Contains(first, "game=") {
		t.Errorf("the first link is %s", first)
	}
	bob.visit(first)
	bob.awaitPly(1)
	bob.awaitText("#turn-w, #player-w", "Ann")
	bob.awaitText("#remote-text", "Your turn")
	bob.awaitState("place")
	bob.reload()
	bob.awaitState("place")
	bob.click(at("e5"))
	second := bob.shared()
	// The link opens in a new tab, which takes the game over from the old one.
	again := ann.secondTab()
	again.visit(second)
	again.awaitPly(2)
	again.awaitText("#remote-text", "Your turn")
	ann.awaitText("#notices", "open in another tab")
	again.reload()
	again.awaitPly(2)
	again.awaitState("place")
	again.click(at("f7"))
	third := again.shared()
	again.click(id("remote-share"))
	if got := again.shared(); got != third {
		t.Errorf("the link is %s and later %s", third, got)
	}
	follow := func(link string) {
		t.Helper()
		look[bool](bob, fmt.Sprintf("(location.href = %q, true)", link))
	}
	follow(third)
	bob.awaitPly(3)
	bob.awaitState("place")
	follow(first)
	bob.awaitText("#notices", "older than your game")
	bob.awaitPly(3)
	follow(strings.Replace(third, "f6,e5,f7", "f6,e5,f8,f9", 1))
	bob.awaitText("#notices", "does not continue your game")
	bob.awaitPly(3)
	if got := bob.turns(); !slices.Equal(got, []string{"f6", "e5", "f7"}) {
		t.Errorf("the game became %v", got)
	}
	follow(strings.Replace(third, "f6,e5,f7", "f6,e5,f6", 1))
	bob.awaitText("#notices", "turn 3")
	bob.click(at("d5"))
	bob.shared()
	bob.click("#resign")
	bob.click("[data-notice=resign] " + id("notice-action"))
	last := bob.shared()
	bob.awaitText("#end-result", "White wins")
	look[bool](again, fmt.Sprintf("(location.href = %q, true)", last))
	again.awaitText("#end-result", "White wins")
	if got := again.turns(); len(got) != 4 {
		t.Errorf("the game ends with %v", got)
	}
}

// TestBrowserRoom plays in a room between two browsers, with a spectator, reloads, and a restart
// of the server. The finished game is in the file.
func TestBrowserRoom(t *testing.T) {
	serverOnly(t)
	t.Parallel()
	file := filepath.Join(t.TempDir(), "club.txt")
	s := serveSite(t, "-rooms", file)
	ann, bob, eve := newTab(t), newTab(t), newTab(t)
	ann.visit(s.address)
	ann.newGame(map[string]string{"new-name": "Ann", "new-clock": "10+5"}, "[name=who][value=room]", "[name=side][value=w]")
	ann.await("the dialog with the link", `document.querySelector('#share-dialog')?.open`)
	ann.click("#share-kinds label:nth-child(2)")
	watch := look[string](ann, `document.querySelector('#share-link').value`)
	ann.click("#share-kinds label:nth-child(1)")
	invitation := ann.shared()
	if !strings.HasPrefix(invitation, watch+"&seat=") {
		t.Fatalf("the links are %s and %s", invitation, watch)
	}
	ann.awaitText("#remote-text", "Waiting for your opponent")
	bob.visit(invitation)
	bob.awaitText("#remote-text", "Ann is here")
	ann.awaitText("#remote-text", "is here")
	eve.visit(watch)
	eve.awaitText("#remote-text", "You are watching")
	ann.awaitText("#remote-text", "1 spectator")
	all := []*tab{ann, bob, eve}
	turn := func(b *tab, point string, ply int) {
		t.Helper()
		b.awaitState("place")
		b.click(at(point))
		for _, b := range all {
			b.awaitPly(ply)
		}
	}
	turn(ann, "f6", 1)
	turn(bob, "e5", 2)
	ann.await("a running clock", `document.querySelector('[data-testid=clock-w].runs')`)
	for i, b := range all {
		b.reload()
		b.awaitPly(2)
		if state := []string{"place", "theirs", "theirs"}[i]; state != "" {
			b.awaitState(state)
		}
	}
	turn(ann, "f7", 3)
	s.stop()
	bob.awaitText("#notices", "lost")
	bob.awaitState("place")
	bob.click(at("d5")) // is sent after the restart
	s.restart()
	for _, b := range all {
		b.awaitPly(4)
	}
	ann.awaitState("place")
	turn(ann, "e4", 5)
	eve.inspectApart(t, "watching a room")
	bob.click("#resign")
	bob.click("[data-notice=resign] " + id("notice-action"))
	for _, b := range all {
		b.awaitText("#end-result", "White wins")
	}
	ann.click(id("end-rematch"))
	for _, b := range []*tab{bob, ann} {
		b.click("[data-notice=rematch] " + id("notice-action"))
		b.awaitPly(0)
	}
	bob.awaitState("place")
	// Without a seat nobody plays, and a wrong link shows nothing.
	if got := eve.text("#remote-text"); !strings.Contains(got, "watching") || look[bool](eve, `!document.querySelector('#resign').hidden`) {
		t.Errorf("the spectator sees %q", got)
	}
	stranger := newTab(t)
	stranger.visit(watch + "X")
	stranger.awaitText("#notices", "does not exist")
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	games, err := record.NewReader(in).ReadAll()
	if err != nil || len(games) != 1 || len(games[0].Turns) != 5 || games[0].Tag("White") != "Ann" || games[0].Tag("Termination") != "resignation" {
		t.Errorf("the results are %+v, %v", games, err)
	}
}

// TestBrowserOffers finishes two games. After the first, the page offers sound and, as the browser
// can, to install it. After the second it offers nothing.
func TestBrowserOffers(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	look[bool](b, `dispatchEvent(Object.assign(new Event('beforeinstallprompt', {cancelable: true}), {prompt: () => (window.prompted = true)})) || true`)
	b.twoPeople(nil, "f6", "e5")
	b.click("#resign")
	b.await("the offers", `document.querySelectorAll('[data-testid=offers] p').length === 2`)
	b.inspectApart(t, "offers")
	b.become(screens[0])
	b.click(id("offer-install"))
	b.await("the browser's dialog", `window.prompted`)
	b.click(id("offer-sound"))
	if got := look[string](b, `JSON.parse(localStorage.getItem('gyre.settings')).sound`); got != "on" {
		t.Errorf("sound is %q", got)
	}
	b.twoPeople(nil, "f6", "e5")
	b.click("#resign")
	b.awaitText("#end-result", "wins")
	b.reload()
	b.awaitText("#end-result", "wins")
	if look[bool](b, `Boolean(document.querySelector('[data-testid=offers] p'))`) {
		t.Error("the page repeats its offers")
	}
}
