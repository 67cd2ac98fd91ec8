package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"gyre/bench/enginetest"
	"gyre/position"
)

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
// automatically, and then only on request.
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

// startMatch starts a match of two levels with short searches.
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

// TestBrowserMatch stops a match, reloads the page and resumes it. All games are in the library
// once.
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
	b.awaitText(id("match-said"), "You can resume it at any time.")
	before := look[int](b, played)
	b.reload()
	b.click("#games")
	b.click(id("games-match"))
	b.await("the match", `document.querySelector('#match-of')?.options.length === 2`)
	b.fill("#match-of", look[string](b, `document.querySelector('#match-of').options[1].value`))
	b.await("its games", fmt.Sprintf(`%s === %d`, played, before))
	b.awaitText(id("match-elo"), "Elo difference ")
	b.click(id("match-go"))
	// The games are short, so the test stops the match as soon as there are more.
	b.await("more games", fmt.Sprintf(`%s > %d && (document.querySelector('[data-testid=match-stop]').click(), true)`, played, before+1))
	b.awaitText(id("match-said"), "You can resume it at any time.")
	all := look[int](b, played)
	b.awaitText(id("match-counts"), "of 2,000 games at 30 positions per turn.")
	b.await("the pairs by points", `[...document.querySelectorAll('[data-testid=match-pairs] th')].map(({textContent}) => textContent).join() === '0,½,1,1½,2' &&
		document.querySelectorAll('[data-testid=match-pairs] td').length === 5`)
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
