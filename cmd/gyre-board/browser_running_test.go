package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"gyre/position"
	"gyre/position/record"
)

// twoPeople begins a game of two people and places some rings.
func (b *tab) twoPeople(lists map[string]string, points ...string) {
	b.t.Helper()
	b.newGame(lists, "[name=who][value=people]", "[name=rules][value=standard]")
	for i, point := range points {
		b.awaitHint(point, "place your ring")
		b.click(at(point))
		b.awaitPly(i + 1)
	}
}

// TestBrowserResigned resigns, takes that back, resigns again, and finds the end
// again after loading, in the record, and in a tab that opens the record.
func TestBrowserResigned(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.address)
	b.twoPeople(nil, "f6", "e5", "g6")
	b.click("#resign")
	b.awaitText("#prompt", "Black resigns: White wins.")
	b.click(`[data-notice=undo] [data-testid=notice-action]`)
	b.awaitState("place")
	if turns := b.turns(); len(turns) != 3 {
		t.Errorf("after taking back the end there are the turns %v", turns)
	}
	b.click("#resign")
	b.awaitText("#prompt", "Black resigns")
	b.reload()
	b.awaitState("over")
	b.awaitText("#prompt", "Black resigns")
	b.click("#games")
	file := b.download(func() { b.click(id("save-record")) })
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	game, err := record.Parse(string(text))
	if err != nil || game.Result() != position.WhiteWins || game.Tag("Termination") != "resignation" {
		t.Errorf("the record is %v\n%s", err, text)
	}
	other := newTab(t)
	other.visit(s.address)
	other.openFiles(file)
	other.awaitState("over")
	other.awaitText("#prompt", "Black resigns: White wins.")
}

// TestBrowserLookingBack clicks on the board while an earlier turn of a running game
// is shown: nothing is played, and the page says what can be done.
func TestBrowserLookingBack(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.twoPeople(nil, "f6", "e5", "g6")
	b.press(",", ",")
	b.awaitPly(1)
	b.awaitText("#prompt", "You are looking at turn 1")
	b.click(at("a2"))
	b.await("the answer", `document.querySelector('#prompt.asks')`)
	if turns := b.turns(); strings.Join(turns, " ") != "f6 e5 g6" {
		t.Errorf("the game is %v", turns)
	}
	b.click(id("to-live"))
	b.awaitPly(3)
	// Playing on from there has to be asked for, and keeps what was played.
	b.press(",")
	b.awaitPly(2)
	b.click(id("play-here"))
	b.awaitHint("a2", "place your ring")
	b.click(at("a2"))
	b.awaitTurn("a2")
	b.awaitText("#turns .variation", "g6")
}

// TestBrowserLineOfRunningGame clicks a line of the analysis in a running game: the
// game goes on as it was.
func TestBrowserLineOfRunningGame(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.newGame(map[string]string{"new-level-b": b.lowestLevel()})
	b.awaitState("place")
	b.click(at("f6"))
	b.awaitPly(2)
	b.click("#analysis")
	b.await("lines", `document.querySelectorAll('[data-testid=lines] > li').length === 3`)
	before := b.turns()
	b.click(`[data-testid=lines] li .pv[data-pv="0"]`)
	b.awaitText("#notices", "The game goes on")
	if after := b.turns(); len(after) != len(before) {
		t.Errorf("the game has the turns %v, and had %v", after, before)
	}
	if b.text(id("play-on")) != "Pause" {
		t.Error("the game does not run any more")
	}
}

// TestBrowserPressWhileShown presses a ring while the turn before is still being
// shown: it is picked when that is done.
func TestBrowserPressWhileShown(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.media("prefers-reduced-motion", "no-preference")
	b.visit(serveSite(t).at("standard", "", middleGame...))
	b.awaitState("move")
	spot := b.find(at("f3"))
	look[bool](b, `(window.shown = false, new MutationObserver(([{target}]) => { window.shown ||= target.dataset.state === 'showing'; })
		.observe(document.querySelector('#board'), {attributes: true}), true)`)
	b.click("#replay")
	b.await("the turn to be shown", "window.shown")
	b.do("clicking a ring", chromedp.MouseClickXY(spot.X, spot.Y))
	b.awaitHint("f3", "picked")
}

// TestBrowserForcedColours looks at the sides with the colours of the system: they
// are told apart.
func TestBrowserForcedColours(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}}}); err != nil {
		t.Fatal(err)
	}
	for _, selector := range []string{".disc", "#board svg", "#eval-bar"} {
		if got := look[string](b, fmt.Sprintf(`getComputedStyle(document.querySelector('%s')).forcedColorAdjust`, selector)); got != "none" && got != "preserve-parent-color" {
			t.Errorf("the colours of %s are %s", selector, got)
		}
	}
}

// TestBrowserResignedFile opens a game of boardspace.net that was resigned: it is over,
// also after loading the page again, and its record tells how it ended.
func TestBrowserResignedFile(t *testing.T) {
	t.Parallel()
	file, err := filepath.Abs("internal/sgf/testdata/Y-Clara-BestBot-2026-03-21-2221.sgf")
	if err != nil {
		t.Fatal(err)
	}
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.openFiles(file)
	b.awaitState("over")
	b.awaitText("#prompt", "White resigns: Black wins.")
	b.reload()
	b.awaitState("over")
	b.awaitText("#prompt", "White resigns: Black wins.")
	b.click("#games")
	text, err := os.ReadFile(b.download(func() { b.click(id("save-record")) }))
	if err != nil {
		t.Fatal(err)
	}
	game, err := record.Parse(string(text))
	if err != nil || game.Result() != position.BlackWins || game.Tag("Termination") != "resignation" {
		t.Errorf("the record is %v\n%s", err, text)
	}
}
