package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/coder/websocket"
	"gyre/position"
	"gyre/position/record"
)

// twoPeople starts a game of two people and places rings.
func (b *tab) twoPeople(lists map[string]string, points ...string) {
	b.t.Helper()
	b.newGame(lists, "[name=who][value=people]", "[name=rules][value=standard]")
	for i, point := range points {
		b.awaitHint(point, "place your ring")
		b.click(at(point))
		b.awaitPly(i + 1)
	}
}

// TestBrowserResigned resigns, takes it back and resigns again. The result survives a reload,
// and is in the record.
func TestBrowserResigned(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.address)
	b.twoPeople(nil, "f6", "e5", "g6")
	b.click("#resign")
	b.awaitText("#prompt", "Black resigned: White wins.")
	b.click(`[data-notice=undo] [data-testid=notice-action]`)
	b.awaitState("place")
	if turns := b.turns(); len(turns) != 3 {
		t.Errorf("after taking back the end there are the turns %v", turns)
	}
	b.click("#resign")
	b.awaitText("#prompt", "Black resigned")
	b.reload()
	b.awaitState("over")
	b.awaitText("#prompt", "Black resigned")
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
	other.awaitText("#prompt", "Black resigned: White wins.")
}

// TestBrowserLookingBack clicks the board while it shows an earlier turn of a running game. The
// click plays no turn, and the page offers what to do.
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
	// Playing from there needs a confirmation, and keeps the later turns.
	b.press(",")
	b.awaitPly(2)
	b.click(id("play-here"))
	b.awaitHint("a2", "place your ring")
	b.click(at("a2"))
	b.awaitTurn("a2")
	b.awaitText("#turns .variation", "g6")
}

// TestBrowserLineOfRunningGame clicks a line of the analysis during a game, which continues
// unchanged.
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
	b.awaitText("#notices", "The game is running")
	if after := b.turns(); len(after) != len(before) {
		t.Errorf("the game has the turns %v, and had %v", after, before)
	}
	if b.text(id("play-on")) != "Pause" {
		t.Error("the game does not run any more")
	}
}

// TestBrowserPressWhileShown presses a ring during the animation of the previous turn. The ring
// is selected after it.
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

// TestBrowserForcedColors checks that the sides look different in forced-colors mode.
func TestBrowserForcedColors(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}}}); err != nil {
		t.Fatal(err)
	}
	for _, selector := range []string{".disc", "#board svg", "#eval-bar"} {
		if got := look[string](b, fmt.Sprintf(`getComputedStyle(document.querySelector('%s')).forcedColorAdjust`, selector)); got != "none" && got != "preserve-parent-color" {
			t.Errorf("the colors of %s are %s", selector, got)
		}
	}
}

// TestBrowserResignedFile opens a boardspace.net game that ended with a resignation. The result
// survives a reload, and is in the record.
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
	b.awaitText("#prompt", "White resigned: Black wins.")
	b.reload()
	b.awaitState("over")
	b.awaitText("#prompt", "White resigned: Black wins.")
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

// TestBrowserEnding plays a game against an engine to its end, and checks the result and the
// buttons for a rematch, the other side and the next level.
func TestBrowserEnding(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("blitz", blackGives, "c5-h5"))
	if !look[bool](b, `document.querySelector('#tab-end').hidden`) {
		t.Error("there is a result before the end")
	}
	b.newGame(map[string]string{"new-level-b": b.lowestLevel()}, blitz, "[name=here]")
	win := func() {
		t.Helper()
		b.takeRow("f2", "f6", b.click)
		b.awaitState("ring")
		b.click(at("b2"))
		b.awaitState("over")
		b.await("the result to show", `document.querySelector('#panel-end').checkVisibility()`)
		b.awaitText(id("end-result"), "You win 1–0!")
		if moves := look[string](b, `getComputedStyle(document.querySelector('#end-disc')).animationName`); moves != "none" {
			t.Errorf("the animation %s runs with reduced motion", moves)
		}
		b.awaitText("#end-rings .winner", "1 of 1 ring won")
		b.awaitText(id("end-facts"), "1 turn · ")
	}
	for _, next := range []struct{ button, white, black string }{
		{"end-rematch", "You", "Gyre, Beginner"},
		{"end-level", "You", "Gyre, Novice"},
		{"end-other", "Gyre, Novice", "You"},
	} {
		win()
		b.click(id(next.button))
		b.awaitText(id("name-w"), next.white)
		b.awaitText(id("name-b"), next.black)
		b.await("no result of another game", `!document.querySelector('#panel-end').checkVisibility() || document.querySelector('[data-testid=name-w]').textContent.includes('Novice')`)
	}
}

// TestBrowserWatch watches two engines. The page counts the score and starts the next game with
// reversed colors.
func TestBrowserWatch(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("blitz", blackGives, "c5-h5"))
	if look[bool](b, `Boolean(document.querySelector('#watch')?.checkVisibility())`) {
		t.Error("a game of two people shows the score of watched games")
	}
	b.newGame(map[string]string{"new-level-w": "Novice", "new-level-b": "Casual"}, "[name=who][value=engines]", blitz, "[name=here]")
	b.awaitText(id("name-w"), "Novice")
	b.awaitText(id("match-score"), "Score 1–0")
	b.click("label:has(#next-by-itself)")
	b.awaitText(id("name-w"), "Casual")
	b.awaitText(id("match-score"), "Score 1–1")
}

// TestBrowserTitle checks that the title shows when it is the user's turn.
func TestBrowserTitle(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.awaitState("place")
	b.await("the title", `document.title === '● Your turn – YINSH on Gyre'`)
	b.click(id("play-on"))
	b.await("the title of a game that rests", `document.title === 'YINSH on Gyre'`)
}

// TestBrowserGraph checks the graph of a reviewed game: its axis, its marks, the text for the
// turn at the pointer, and the keys n and p, which step through the mistakes.
func TestBrowserGraph(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	const tree = `[{\"turn\":\"\",\"score\":{\"cp\":0}},{\"turn\":\"f6\",\"score\":{\"cp\":-100},\"finding\":{\"label\":\"blunder\",\"loss\":120,\"missedRow\":false,\"best\":\"e5\"}},{\"turn\":\"e5\",\"score\":{\"cp\":-90}},{\"turn\":\"g6\",\"score\":{\"cp\":-150},\"finding\":{\"label\":\"inaccuracy\",\"loss\":20,\"missedRow\":false,\"best\":\"e4\"}}]`
	b.visit(serveSite(t).address)
	b.openFiles(fileOf(t, "graph.txt", "[Tree \""+tree+"\"]\n\n1.f6 2.e5 3.g6 *\n"))
	b.awaitPly(3)
	b.click("#tab-review")
	b.awaitText(id("graph"), "50%")
	b.await("two marks", `document.querySelectorAll('#graph [data-testid=graph-mark]').length === 2`)
	plot := b.find("#graph .graph-plot")
	b.do("pointing at the graph", chromedp.MouseEvent("mouseMoved", plot.X-60, plot.Y))
	b.awaitText("#graph [data-testid=graph-tip]", "Turn 1, f6: 27% for White (−1.00), blunder")
	for _, step := range []struct {
		key string
		ply int
	}{{"p", 1}, {"n", 3}} {
		b.press(step.key)
		b.awaitPly(step.ply)
	}
}

// TestBrowserTurned turns the board. Points move, and clicks select the points at their new
// places.
func TestBrowserTurned(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	before := b.find(at("a2"))
	b.press("f")
	b.await("the board to turn", fmt.Sprintf(`Math.abs(document.querySelector('%s').getBoundingClientRect().x - %f) > 100`, at("a2"), before.X))
	b.reload()
	b.await("the board still turned", `document.querySelector('#turn-board').ariaPressed === 'true'`)
	b.move("f3", "f2")
	b.awaitTurn("f3-f2")
	b.click(id("turn-board"))
	if after := b.find(at("a2")); after != before {
		t.Errorf("turned back, a2 is at %v and was at %v", after, before)
	}
}

// seconds returns the time on a side's clock.
func (b *tab) seconds(side string) float64 {
	b.t.Helper()
	return look[float64](b, fmt.Sprintf(`document.querySelector('[data-testid=clock-%s]').textContent.split(':').reduce((sum, part) => 60 * sum + Number(part), 0)`, side))
}

// clockRuns returns the expression for whether a side's clock runs.
func clockRuns(side string) string {
	return fmt.Sprintf(`document.querySelector('[data-testid=clock-%s]').classList.contains('runs')`, side)
}

// TestBrowserClocksKeepUsedTime uses time, and then pauses, resumes, reloads, looks back, and
// plays from an earlier turn. None of this gives time back. The record contains the clocks.
func TestBrowserClocksKeepUsedTime(t *testing.T) {
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
	used += 10 // the increment
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

// TestBrowserTimeIsUp lets a player's time run out. The loss survives a reload, and is in the
// record.
func TestBrowserTimeIsUp(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.twoPeople(map[string]string{"new-clock": "30+10"}, "f6")
	b.await("the clock to run", clockRuns("b"))
	// Jump ahead by an hour.
	look[bool](b, `(window.clocked = performance.now.bind(performance), performance.now = () => window.clocked() + 3_600_000, true)`)
	b.awaitText("#prompt", "Black ran out of time: White wins.")
	b.await("the result to show", `document.querySelector('#panel-end').checkVisibility()`)
	if left := b.seconds("b"); left != 0 {
		t.Errorf("%.1f s are left", left)
	}
	b.reload()
	b.awaitState("over")
	b.awaitText("#prompt", "Black ran out of time: White wins.")
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

// TestBrowserKeepsAll adds notes, an arrow, a variation and a review. All of them survive a
// reload, and are in the record.
func TestBrowserKeepsAll(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.at("standard", "", middleGame...))
	b.review()
	b.await("the review", `document.querySelector('#review-progress').hidden && document.querySelector('#review-summary table')`)
	b.press(",")
	b.awaitPly(len(middleGame) - 1)
	b.click("#note-panel summary")
	b.fill(id("note"), "a } brace")
	b.press("g", "d")
	b.click("#turns button")
	b.press(".", ",")
	b.awaitPly(1)
	b.click(at("a2"))
	b.awaitPly(2)
	check := func(b *tab) {
		t.Helper()
		b.awaitText("#turns .variation", "a2")
		b.awaitText("#turns", "a } brace")
		b.click("#tab-review")
		b.awaitText("#review-summary", "Accuracy")
	}
	b.click(fmt.Sprintf(`#turns > button[data-turn="%d"]`, len(middleGame)))
	b.awaitPly(len(middleGame))
	check(b)
	b.reload()
	check(b)
	b.click("#games")
	file := b.download(func() { b.click(id("save-record")) })
	other := newTab(t)
	other.visit(s.address)
	other.openFiles(file)
	other.awaitPly(len(middleGame))
	check(other)
}

// TestBrowserTooManyTabs opens more tabs than the server allows. The last one reports it, and
// connects once there is room.
func TestBrowserTooManyTabs(t *testing.T) {
	serverOnly(t)
	t.Parallel()
	s := serveSite(t)
	token := s.fetch("token")
	var others []*websocket.Conn
	for range 16 {
		conn, _, err := websocket.Dial(context.Background(), strings.Replace(s.address, "http", "ws", 1)+"socket", &websocket.DialOptions{Subprotocols: []string{"gyre", "token." + token}})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.CloseNow() }()
		if err := conn.Write(t.Context(), websocket.MessageText, []byte(`{"id":1,"do":"hello"}`)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := conn.Read(t.Context()); err != nil {
			t.Fatal(err)
		}
		others = append(others, conn)
	}
	b := newTab(t)
	b.do("opening the page", chromedp.Navigate(s.address))
	b.awaitText("#notices", "Too many boards are open")
	_ = others[0].CloseNow()
	b.ready()
	b.await("the notice to go", `!document.querySelector('[data-notice=connection]')`)
}

// TestBrowserHelpAtTop checks that the help opens at its top on a phone.
func TestBrowserHelpAtTop(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.asPhone()
	b.visit(serveSite(t).address)
	b.tap("#help")
	b.awaitHelp()
	if top := look[float64](b, `document.querySelector('#help-dialog').scrollTop`); top != 0 {
		t.Errorf("it is scrolled by %.0f", top)
	}
}

// TestBrowserLabels checks that labels of a review fit on one line, and do not widen the page.
func TestBrowserLabels(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	const tree = `[{\"turn\":\"\"},{\"turn\":\"f6\",\"finding\":{\"label\":\"blunder\",\"loss\":120,\"missedRow\":true,\"best\":\"e5\"}},{\"turn\":\"e5\",\"finding\":{\"label\":\"inaccuracy\",\"loss\":20,\"missedRow\":true,\"best\":\"e4\"}}]`
	b.visit(serveSite(t).address)
	b.openFiles(fileOf(t, "labels.txt", "[Tree \""+tree+"\"]\n\n1.f6 2.e5 *\n"))
	b.awaitPly(2)
	if tall := look[[]string](b, `[...document.querySelectorAll('#turns .label')].filter((label) => label.getBoundingClientRect().height > 30).map((label) => label.textContent)`); len(tall) > 0 {
		t.Errorf("labels of several lines: %q", tall)
	}
	if count := look[int](b, `document.querySelectorAll('#turns .label').length`); count != 4 {
		t.Errorf("%d labels", count)
	}
	b.fitsWidth()
}

// TestBrowserArrowsOfATurn begins a turn while the analysis shows arrows. The arrows of the old
// position disappear, and the score bar does not jump.
func TestBrowserArrowsOfATurn(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", twoCross))
	b.click("#analysis")
	const arrowsSeen = `[...document.querySelectorAll('#board .arrows > *')].filter((arrow) => arrow.getClientRects().length > 0 && arrow.getBoundingClientRect().width > 0).map((arrow) => arrow.outerHTML)`
	b.await("an arrow", arrowsSeen+".length > 0")
	look[bool](b, `(document.querySelector('[data-testid=line-more]').click(), true)`) // lines move while the engine searches
	b.await("all of a line", `document.querySelector('[data-testid=lines] li.open')`)
	b.do("pointing elsewhere", chromedp.MouseEvent("mouseMoved", 2, 2))
	b.await("the arrows again", arrowsSeen+".length > 0")
	b.move("f5", "h7")
	b.awaitState("row")
	if seen := look[[]string](b, arrowsSeen); len(seen) > 0 {
		t.Errorf("in the middle of the turn there are the arrows %q", seen)
	}
	share := `document.querySelector('#eval-bar').style.getPropertyValue('--share')`
	look[bool](b, fmt.Sprintf(`(window.shares = [%s], new MutationObserver(() => window.shares.push(%s))
		.observe(document.querySelector('#eval-bar'), {attributes: true}), true)`, share, share))
	b.takeRow("c5", "g5", b.click)
	b.awaitState("ring")
	b.click(at("b2"))
	b.awaitPly(1)
	b.await("a score of the new position", `window.shares.length > 2`)
	if jumps := look[[]string](b, `window.shares.filter((share) => share === '50%')`); len(jumps) > 0 {
		t.Errorf("the bar went to the middle %d times", len(jumps))
	}
}

// TestBrowserNoticesKeepLayout checks that a notice does not move the board, and disappears with
// its game.
func TestBrowserNoticesKeepLayout(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.at("standard", twoCross))
	const top = `document.querySelector('#board').getBoundingClientRect().top + scrollY`
	before := look[float64](b, top)
	b.do("following an invalid link", chromedp.Evaluate[chromedp.Void](`location.hash = 'rules=standard&turns=f6,f6'`))
	b.awaitText("#notices", "f6 is not vacant")
	if after := look[float64](b, top); after != before {
		t.Errorf("the board moved from %.0f to %.0f", before, after)
	}
	b.do("following a link", chromedp.Evaluate[chromedp.Void](`location.hash = 'rules=standard&turns=f6,e5'`))
	b.awaitPly(2)
	b.await("the notice to go", `document.querySelector('#notices').childElementCount === 0`)
}
