package main

import (
	"fmt"
	"os"
	"testing"

	"gyre/position"
	"gyre/position/record"
)

// seconds returns what a side's clock shows.
func (b *tab) seconds(side string) float64 {
	b.t.Helper()
	return look[float64](b, fmt.Sprintf(`document.querySelector('[data-testid=clock-%s]').textContent.split(':').reduce((sum, part) => 60 * sum + Number(part), 0)`, side))
}

// clockRuns is the expression of whether a side's clock runs.
func clockRuns(side string) string {
	return fmt.Sprintf(`document.querySelector('[data-testid=clock-%s]').classList.contains('runs')`, side)
}

// TestBrowserClocksGiveNothingBack uses some of a turn's time, and then pauses, plays
// on, loads the page again, looks back, and plays on from an earlier turn: the time stays
// used. What is left after a turn is in the record, too.
func TestBrowserClocksGiveNothingBack(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.address)
	b.twoPeople(map[string]string{"new-clock": "30+10"}, "f6")
	b.await("some of the time to be used", `document.querySelector('[data-testid=clock-b]').textContent < '29:58'`)
	used := b.seconds("b")
	check := func(what string) {
		t.Helper()
		if now := b.seconds("b"); now > used {
			t.Errorf("%s: the clock shows %.1f s after %.1f s", what, now, used)
		} else {
			used = now
		}
	}
	b.click(id("play-on"))
	b.await("the pause", `!`+clockRuns("b"))
	check("a pause")
	b.click(id("play-on"))
	b.await("the clock to run", clockRuns("b"))
	check("playing on")
	b.reload()
	b.await("the clock to run", clockRuns("b"))
	check("loading again")
	b.press(",")
	b.awaitPly(0)
	check("looking back")
	b.click(id("to-live"))
	b.awaitPly(1)
	b.await("the clock to run", clockRuns("b"))
	check("having looked back")
	b.press(",")
	b.awaitPly(0)
	b.click(id("play-here"))
	b.awaitHint("a2", "place your ring")
	check("playing on from an earlier turn")
	b.click(at("a2"))
	b.awaitPly(1)
	b.await("the clock to run", clockRuns("b"))
	check("another turn")
	used += 10 // for the turn that comes
	b.awaitHint("e5", "place your ring")
	b.click(at("e5"))
	b.awaitPly(2)
	check("its own turn")
	left := b.text(id("clock-b"))
	b.click("#games")
	file := b.download(func() { b.click(id("save-record")) })
	other := newTab(t)
	other.visit(s.address)
	other.openFiles(file)
	other.awaitPly(2)
	other.awaitText(id("clock-b"), left)
}

// TestBrowserTimeIsUp lets a player's time run out: the game is lost, also after loading
// the page again, and so says the record.
func TestBrowserTimeIsUp(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.twoPeople(map[string]string{"new-clock": "1+1"}, "f6")
	b.await("the clock to run", clockRuns("b"))
	// Two minutes pass at once.
	look[bool](b, `(window.clocked = performance.now.bind(performance), performance.now = () => window.clocked() + 120_000, true)`)
	b.awaitText("#prompt", "Black's time is up: White wins.")
	b.await("the result to show", `document.querySelector('#panel-end').checkVisibility()`)
	if left := b.seconds("b"); left != 0 {
		t.Errorf("%.1f s are left", left)
	}
	b.reload()
	b.awaitState("over")
	b.awaitText("#prompt", "Black's time is up: White wins.")
	b.click("#games")
	text, err := os.ReadFile(b.download(func() { b.click(id("save-record")) }))
	if err != nil {
		t.Fatal(err)
	}
	game, err := record.Parse(string(text))
	if err != nil || game.Result() != position.WhiteWins || game.Tag("Termination") != "time forfeit" {
		t.Errorf("the record is %v\n%s", err, text)
	}
}
