package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	pages "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/coder/websocket"

	"gyre/bench/puzzles"
	"gyre/position"
	"gyre/position/record"
	"gyre/search"
	"gyre/search/alphabeta"
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
	b.sized = true // another window would end the turn that is shown
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

// TestBrowserPrint prints a game from a dark phone: the board and all turns are on the paper, and no
// buttons.
func TestBrowserPrint(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	b.awaitPly(len(middleGame))
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print", Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}}); err != nil {
		t.Fatal(err)
	}
	if got := look[string](b, `(() => {
		const seen = (one) => one.getClientRects().length > 0;
		const wrong = [...document.querySelectorAll('button:not(.point, .turn-button, .pv), nav, #notices')].filter(seen).map((one) => 'prints ' + (one.id || one.className));
		const board = document.querySelector('#board').getBoundingClientRect();
		if (!(board.width > 100 && board.width <= innerWidth && Math.abs(board.width - board.height) < 2)) wrong.push('the board has ' + board.width + ' by ' + board.height);
		const panel = document.querySelector('#panel-turns');
		const turns = [...panel.querySelectorAll('.turn-button')];
		if (turns.length < `+fmt.Sprint(len(middleGame))+` || !turns.every(seen)) wrong.push('prints ' + turns.filter(seen).length + ' turns');
		for (let box = panel; box; box = box.parentElement) if (box !== document.documentElement && getComputedStyle(box).overflowY !== 'visible') wrong.push((box.id || box.tagName) + ' cuts its content');
		if (getComputedStyle(panel).color !== 'rgb(22, 26, 31)') wrong.push('the text is ' + getComputedStyle(panel).color);
		return wrong.join('; ');
	})()`); got != "" {
		t.Error(got)
	}
}

// TestBrowserResignedFile opens a boardspace.net game that ended with a resignation. The result
// survives a reload, and is in the record.
func TestBrowserResignedFile(t *testing.T) {
	t.Parallel()
	file, err := filepath.Abs("../../position/sgf/testdata/Y-Clara-BestBot-2026-03-21-2221.sgf")
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
		b.awaitText(id("won-w"), "1 of 1 ring won")
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

// TestBrowserLost loses a game against a level. The next game offered is against an easier one.
func TestBrowserLost(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.newGame(map[string]string{"new-level-b": "Casual"})
	b.awaitHint("f6", "place your ring")
	b.click(at("f6"))
	b.awaitPly(2)
	b.click("#resign")
	b.awaitText(id("end-level"), "Easier level: Novice")
	b.click("[data-notice=undo] button:last-child")
	b.become(sizes[1])
	b.isWhole("a lost game")
	if high := look[[]float64](b, `(({scrollHeight, clientHeight}) => [scrollHeight, clientHeight])(document.querySelector('#panel-end'))`); high[0] > high[1]+1 {
		t.Errorf("the result has %.0f pixels and needs %.0f", high[1], high[0])
	}
	b.click(id("end-level"))
	b.awaitText(id("name-b"), "Gyre, Novice")
}

// TestBrowserResignByTouch resigns on a phone. It takes a second tap, and the first is forgotten after a
// while.
func TestBrowserResignByTouch(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.asPhone()
	b.visit(serveSite(t).address)
	b.newGame(map[string]string{"new-level-b": b.lowestLevel()})
	b.awaitHint("f6", "place your ring")
	b.tap(at("f6"))
	b.awaitPly(2)
	b.tap("#resign")
	b.awaitText("#resign", "Resign? Tap again.")
	if !look[bool](b, `document.querySelector('#tab-end').hidden`) {
		t.Error("one tap resigns")
	}
	b.await("the first tap to be forgotten", `document.querySelector('#resign').textContent.trim() === 'Resign'`)
	b.tap("#resign")
	b.awaitText("#resign", "Tap again.")
	b.tap("#resign")
	b.awaitText(id("end-result"), "You resigned.")
	b.isWhole("a resigned game")
}

// TestBrowserLearnStays plays a game by its turns. The rules show until the first ring is moved, and then
// the turns.
func TestBrowserLearnStays(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.twoPeople(nil, "f6", "e5", "g6", "e7", "e4", "g8", "d6", "f8", "h7", "d4")
	b.await("the rules, after all rings are placed", `document.querySelector('#how').checkVisibility() && !document.querySelector('#panel-turns').checkVisibility()`)
	b.move("f6", "f7")
	b.await("the turns in place of the rules", `!document.querySelector('#how').checkVisibility() && document.querySelector('#panel-turns').checkVisibility()`)
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
	b.sized = true // points are compared by their places
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
	b.twoPeople(map[string]string{"new-clock": "1+1"}, "f6")
	b.await("the clock to run", clockRuns("b"))
	// Let time run fast. A single jump would be the sleep of the computer, which does not count.
	look[bool](b, `(window.clocked = performance.now.bind(performance), window.ahead = 0, setInterval(() => { window.ahead += 2000; }, 100),
		performance.now = () => window.clocked() + window.ahead, true)`)
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
	b.await("the review", `!document.querySelector('[data-testid=review-bar]') && document.querySelector('[data-testid=summary]')`)
	b.press(kb.End, ",")
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
		b.awaitText(id("review-summary"), "Accuracy")
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
// its game, and that a low window shows only the last one.
func TestBrowserNoticesKeepLayout(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.at("standard", twoCross))
	const top = `document.querySelector('#board').getBoundingClientRect().top + scrollY`
	before := look[float64](b, top)
	b.do("following an invalid link", chromedp.Evaluate[chromedp.Void](`location.hash = 'rules=standard&turns=f6,f6'`))
	b.awaitText("#notices", "f6 is not free")
	if after := look[float64](b, top); after != before {
		t.Errorf("the board moved from %.0f to %.0f", before, after)
	}
	b.do("following a link", chromedp.Evaluate[chromedp.Void](`location.hash = 'rules=standard&turns=f6,e5'`))
	b.awaitPly(2)
	b.await("the notice to go", `document.querySelector('#notices').childElementCount === 0`)
	low := screen{"low", 844, 390, false}
	b.become(low)
	b.newGame(nil, "[name=who][value=people]")
	b.awaitHint("f6", "place your ring")
	b.click(at("f6"))
	b.click("#resign")
	b.awaitText("[data-notice=undo]", "resigned")
	b.do("following a damaged link", chromedp.Evaluate[chromedp.Void](`location.hash = 'rush=2026-13-26'`))
	b.awaitText("#notices", "The date in this link is damaged")
	if high := look[int](b, "document.documentElement.scrollHeight"); high > low.height {
		t.Errorf("with two notices the page has %d pixels", high)
	}
	b.isWhole("two notices")
	b.click("[data-notice]:last-child [data-testid=notice-close]")
	b.await("the notice before", `document.querySelector('[data-notice=undo]').checkVisibility()`)
}

// stateFor is the board's state in which it expects a kind of step.
var stateFor = [...]string{
	position.StepPlace:    "place",
	position.StepMove:     "move",
	position.StepPass:     "pass",
	position.StepTakeRow:  "row",
	position.StepTakeRing: "ring",
}

// ready waits until the board can be used, shows a finished game, or waits for an engine.
func (b *tab) ready() {
	b.t.Helper()
	b.await("the board", `['showing', 'waiting', ''].indexOf(document.querySelector('#board')?.dataset.state ?? '') < 0`)
}

// awaitState waits until the board is in one of the given states.
func (b *tab) awaitState(states ...string) {
	b.t.Helper()
	list := "'" + strings.Join(states, "', '") + "'"
	b.await("the board's state "+list, fmt.Sprintf(`[%s].includes(document.querySelector('#board')?.dataset.state)`, list))
}

// awaitPly waits until the board shows the position after ply turns.
func (b *tab) awaitPly(ply int) {
	b.t.Helper()
	b.await(fmt.Sprint("turn ", ply), fmt.Sprintf(`document.querySelector('#board').dataset.ply === '%d' && document.querySelector('#board').dataset.state !== 'showing'`, ply))
}

// turns returns the main line in the list of turns.
func (b *tab) turns() []string {
	b.t.Helper()
	return look[[]string](b, `[...document.querySelectorAll('#turns > button .turn')].map((turn) => turn.textContent)`)
}

// pieces returns the pieces on the board according to the labels of its buttons.
func (b *tab) pieces() map[string]string {
	b.t.Helper()
	return look[map[string]string](b, `Object.fromEntries([...document.querySelectorAll('#board button')]
		.map((button) => [button.dataset.point, button.getAttribute('aria-label').split(', ')[1]])
		.filter(([, piece]) => piece !== 'vacant'))`)
}

// played returns the position after the list of turns.
func (b *tab) played(rules position.Rules, start string) position.Position {
	b.t.Helper()
	p, err := position.Parse(start, rules)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, word := range b.turns() {
		turn, err := p.ParseTurn(word)
		if err != nil {
			b.t.Fatalf("the list of turns has %q: %v", word, err)
		}
		p = p.After(turn)
	}
	return p
}

// position returns the position after the list of turns, and checks that the board shows it.
func (b *tab) position(rules position.Rules, start string) position.Position {
	b.t.Helper()
	p := b.played(rules, start)
	want := map[string]string{}
	for _, side := range []position.Side{position.White, position.Black} {
		for what, points := range map[string]position.Bitboard{"ring": p.Rings(side), "marker": p.Markers(side)} {
			for _, point := range points.Points(nil) {
				want[point.String()] = side.String() + " " + what
			}
		}
	}
	b.until(fmt.Sprintf("the board to show %v", &p), func() bool { return maps.Equal(b.pieces(), want) })
	return p
}

// at returns the selector of a point's button.
func at(point string) string { return fmt.Sprintf("#board button[data-point=%q]", point) }

// id returns the selector of an element by its test ID.
func id(name string) string { return fmt.Sprintf("[data-testid=%q]", name) }

// awaitHint waits until pressing a point has the given effect.
func (b *tab) awaitHint(point, words string) {
	b.t.Helper()
	if b.foreign {
		b.awaitCan(point)
		return
	}
	b.await(fmt.Sprintf("%s: %s", point, words), fmt.Sprintf("document.querySelector(`%s`).getAttribute('aria-label').includes(%q)", at(point), words))
}

// awaitCan waits until pressing a point has an effect.
func (b *tab) awaitCan(point string) {
	b.t.Helper()
	b.await(point+" to press", fmt.Sprintf("document.querySelector(`%s`).classList.contains('can')", at(point)))
}

// enter enters a turn, in any language of the page. click may be a tap.
func (b *tab) enter(turn position.Turn, click func(selector string)) {
	b.t.Helper()
	b.enterAfter(turn, click, func(int) {})
}

// enterAfter enters a turn, and calls before with the number of each step when the board waits
// for it.
func (b *tab) enterAfter(turn position.Turn, click func(selector string), before func(step int)) {
	b.t.Helper()
	// A rush shows the end of a turn for a moment only, and then its next puzzle.
	const shown = `[document.querySelector('#board').dataset.ply, document.querySelector('#rush')?.dataset.puzzle].join()`
	begun := look[string](b, shown)
	for i, step := range stepsOf(turn) {
		b.awaitState(stateFor[step.Kind])
		before(i)
		from, to := step.From.String(), step.To.String()
		switch step.Kind {
		case position.StepPlace:
			b.awaitCan(to)
			click(at(to))
		case position.StepMove:
			b.awaitCan(from)
			click(at(from))
			b.awaitCan(to)
			click(at(to))
		case position.StepPass:
			click(id("pass"))
		case position.StepTakeRow:
			first, last := step.Row.Ends()
			b.takeRow(first.String(), last.String(), click)
		case position.StepTakeRing:
			b.awaitCan(from)
			click(at(from))
			if look[bool](b, `document.querySelector('#board').dataset.state === 'ring' && document.querySelector('[data-testid=take]') !== null`) {
				click(id("take")) // fingers must confirm
			}
		}
		b.await(fmt.Sprintf("step %d of %v", i+1, turn), fmt.Sprintf(
			`document.querySelector('#strip').childElementCount > %d || %s !== '%s'`, i, shown, begun))
	}
	b.await("the end of the turn "+turn.String(), fmt.Sprintf(`%s !== '%s'`, shown, begun))
}

// rowEnds finds the ends of a row in the bar below the board.
var rowEnds = regexp.MustCompile(`\b([a-k]\d+)\b.*\b([a-k]\d+)\b`)

// takeRow removes a row with the bar below the board, in any language of the page.
func (b *tab) takeRow(first, last string, click func(selector string)) {
	b.t.Helper()
	b.await("a row", `document.querySelector('[data-testid=take]') && document.querySelector('#board').dataset.state === 'row'`)
	for range position.RowCount {
		if ends := rowEnds.FindStringSubmatch(b.text(id("choice-text"))); ends != nil && ends[1] == first && ends[2] == last {
			click(id("take"))
			return
		}
		click(id("row-next"))
	}
	b.t.Fatalf("no row %s to %s to take\n%s", first, last, b.state())
}

// stepsOf returns the steps of a turn.
func stepsOf(turn position.Turn) (steps []position.Step) {
	removal := func(i int) {
		r := turn.Removal(i)
		steps = append(steps, position.Step{Kind: position.StepTakeRow, Row: r.Row}, position.Step{Kind: position.StepTakeRing, From: r.Ring})
	}
	for i := range turn.Before() {
		removal(i)
	}
	switch turn.Kind() {
	case position.Place:
		steps = append(steps, position.Step{Kind: position.StepPlace, To: turn.To()})
	case position.Move:
		steps = append(steps, position.Step{Kind: position.StepMove, From: turn.From(), To: turn.To()})
	case position.Pass:
		steps = append(steps, position.Step{Kind: position.StepPass})
	}
	for i := range turn.After() {
		removal(turn.Before() + i)
	}
	return steps
}

// playBlitz plays White's turns of a blitz game against an engine to the end, using a short
// search. It returns the last position.
func (b *tab) playBlitz(click func(selector string)) position.Position {
	b.t.Helper()
	player := alphabeta.New(4)
	for {
		b.awaitState(append(slices.Clone(stateFor[:]), "over")...)
		p := b.position(position.Blitz, position.StartText)
		if p.Over() {
			return p
		}
		if p.SideToMove() != position.White {
			b.t.Fatalf("the board expects a turn of Black\n%s", b.state())
		}
		out := player.Search(context.Background(), p, search.Limits{Nodes: 4000}, func(search.Info) {})
		b.enter(out.Best, click)
	}
}

// TestBrowserBlitz plays a blitz game against the weakest level with the mouse, starting from a
// newly opened page.
func TestBrowserBlitz(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.newGame(map[string]string{"new-level-b": b.lowestLevel()}, blitz)
	end := b.playBlitz(b.click)
	b.awaitText("#prompt", "The game is over.")
	winner := map[position.Result]string{position.WhiteWins: "White wins 1–0", position.BlackWins: "Black wins 1–0", position.Draw: "Draw"}[end.Result()]
	b.awaitText("#prompt", winner)
	b.await("the graph of what the engine thought of it", `document.querySelector('#end-graph .graph-white')?.checkVisibility()`)
	if end.Result() == position.WhiteWins && !strings.Contains(b.text(id("won-w")), "1 of 1 ring won") {
		t.Errorf("White has %q", b.text(id("won-w")))
	}
}

// lowestLevel returns the value of the weakest level.
func (b *tab) lowestLevel() string {
	b.t.Helper()
	return look[string](b, `document.querySelector("[data-testid=new-level-b]").options[0].value`)
}

// Positions with difficult rows. White moves first, except in blackGives.
const (
	// The ring on f5 leaves the marker that makes f2 to f8 a row of seven.
	sevenInARow = "1BB1/1W3W1/8/1b7/9B/wwwWwww2/10/7b1/8/1W3W1/1BB1 w 0-0"
	// The ring on f5 leaves a marker in two rows that cross, f2-f6 and c5-g5.
	twoCross = "1BB1/1W3W1/4w3/1b2w4/4w4B/wwwWw4/3w6/7b1/8/1W3W1/1BB1 w 0-0"
	// d8-h8 makes two rows apart, d4-d8 and g4-g8.
	twoApart = "1BB1/1W3W1/8/3wwwwW1/9B/9/2wwwwb3/9/8/1W3W1/1BB1 w 0-0"
	// c5-h5 turns two markers over and makes White's row f2-f6.
	blackGives = "1B2/1W3W1/4B3/1b1W5/9B/wwwbw4/3b6/7b1/8/1W3W1/1BB1 b 0-0"
	// No ring of White can move.
	mustPass = "WB2/WWB4/BBB5/9/10/9/10/9/8/7/4 w 2-0"
)

// TestRowPositions checks the descriptions of the positions.
func TestRowPositions(t *testing.T) {
	for _, c := range []struct{ start, turn string }{
		{sevenInARow, "f5-h7;xf3-f7xb2"},
		{twoCross, "f5-h7;xc5-g5xb2"},
		{twoApart, "d8-h8;xg4-g8xb2;xd4-d8xb6"},
		{blackGives, "c5-h5"},
		{mustPass, "pass"},
	} {
		p, err := position.Parse(c.start, position.Standard)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.ParseTurn(c.turn); err != nil {
			t.Errorf("%s: %v", c.turn, err)
		}
	}
}

// visitPosition opens a game of two people at a position.
func visitPosition(t *testing.T, start string) *tab {
	t.Helper()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", start))
	return b
}

// move clicks a ring and its target.
func (b *tab) move(from, to string) {
	b.t.Helper()
	b.awaitHint(from, "can move")
	b.click(at(from))
	b.awaitHint(to, "move here")
	b.click(at(to))
}

// enterMove clicks the ring and the target of a turn that begins with its move.
func (b *tab) enterMove(turn string) {
	b.t.Helper()
	move, _, _ := strings.Cut(turn, ";")
	from, to, _ := strings.Cut(move, "-")
	b.move(from, to)
}

// awaitTurn waits until the last turn in the list is the given one.
func (b *tab) awaitTurn(word string) {
	b.t.Helper()
	b.await("the turn "+word, fmt.Sprintf(`[...document.querySelectorAll('#turns > button .turn')].at(-1)?.textContent === %q`, word))
}

// TestBrowserLongRow removes each row of five from a row of seven: with markers, the handle and
// the bar.
func TestBrowserLongRow(t *testing.T) {
	t.Parallel()
	b := visitPosition(t, sevenInARow)
	for name, choose := range map[string]struct {
		take func()
		row  string
	}{
		"markers": {func() {
			b.click(at("f8")) // only one row of five contains it
			b.awaitText(id("choice-text"), "f4 to f8")
			b.click(at("e5")) // has no effect
			b.awaitText(id("choice-text"), "f4 to f8")
			b.click(at("f5"))
		}, "f4-f8"},
		"the handle": {func() {
			f2, f3 := b.find(at("f2")), b.find(at("f3"))
			b.do("clicking the handle of f3 to f7", chromedp.MouseClickXY((f2.X+f3.X)/2, (f2.Y+f3.Y)/2))
		}, "f3-f7"},
		"the bar": {func() { b.takeRow("f2", "f6", b.click) }, "f2-f6"},
	} {
		b.move("f5", "h7")
		b.awaitState("row")
		b.awaitText("#prompt", "Choose the five markers to remove")
		choose.take()
		b.awaitState("ring")
		b.awaitText("#strip", "Row "+strings.Replace(choose.row, "-", " to ", 1))
		b.click(at("b2"))
		b.awaitTurn("f5-h7;x" + choose.row + "xb2")
		if got := b.position(position.Standard, sevenInARow); got.Removed(position.White) != 1 {
			t.Errorf("%s: %v", name, &got)
		}
		b.click(id("take-back"))
		b.awaitPly(0)
	}
}

// TestBrowserCrossingRows removes one of two rows that share a marker. Clicking the shared
// marker selects neither. It also goes back a step.
func TestBrowserCrossingRows(t *testing.T) {
	t.Parallel()
	b := visitPosition(t, twoCross)
	b.move("f5", "h7")
	b.awaitState("row")
	b.click(at("f5"))
	b.awaitText(id("choice-text"), " of 2: ")
	b.click(at("f3"))
	b.awaitText(id("choice-text"), "f2 to f6")
	b.click(id("step-back"))
	b.awaitText(id("choice-text"), " of 2: ")
	b.click(at("c5"))
	b.awaitText(id("choice-text"), "c5 to g5")
	b.click(at("c5"))
	b.awaitText("#prompt", "Now remove one of your rings")
	b.click(at("j10"))
	b.awaitTurn("f5-h7;xc5-g5xj10")
}

// TestBrowserTwoRows removes two rows in one turn, after undoing the first removal.
func TestBrowserTwoRows(t *testing.T) {
	t.Parallel()
	b := visitPosition(t, twoApart)
	b.move("d8", "h8")
	b.awaitText("#prompt", "Remove a row (1 of 2)")
	b.takeRow("d4", "d8", b.click)
	b.awaitState("ring")
	b.click(id("step-back"))
	b.awaitText("#prompt", "Remove a row (1 of 2)")
	b.takeRow("g4", "g8", b.click)
	b.awaitState("ring")
	b.click(at("b2"))
	b.awaitText("#prompt", "(2 of 2)")
	b.click(id("take"))
	b.awaitState("ring")
	b.click(at("b6"))
	b.awaitTurn("d8-h8;xg4-g8xb2;xd4-d8xb6")
}

// TestBrowserMessages counts the page's requests: none while a turn is entered, also if steps are
// taken back, and one when it is finished. Another one asks the engine for its answer.
func TestBrowserMessages(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ start, turn string }{
		"a ring is placed": {position.StartText, "f6"},
		"a row":            {twoCross, "f5-h7;xc5-g5xb2"},
		"two rows":         {twoApart, "d8-h8;xg4-g8xb2;xd4-d8xb6"},
		"a pass":           {mustPass, "pass"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newTab(t)
			b.visit(serveSite(t).at("standard", c.start))
			b.ready()
			b.recordMessages()
			b.enterAfter(mustTurn(t, c.start, c.turn), b.click, func(step int) {
				if step == 1 {
					b.click(id("step-back"))
					b.enterMove(c.turn)
				}
				if sent := look[string](b, "window.sent.join()"); sent != "" {
					t.Errorf("before step %d the page has sent %s", step+1, sent)
				}
			})
			b.awaitTurn(c.turn)
			if sent := look[string](b, "window.sent.join()"); sent != "game" {
				t.Errorf("for the whole turn the page has sent %s, want game", sent)
			}
		})
	}
	t.Run("against an engine", func(t *testing.T) {
		b := newTab(t)
		b.visit(serveSite(t).address)
		b.newGame(map[string]string{"new-level-b": b.lowestLevel()})
		b.awaitHint("f6", "place your ring")
		b.recordMessages()
		b.click(at("f6"))
		b.awaitPly(2)
		b.awaitState("place")
		// Once a page, the rating asks what the engine can do.
		if sent := look[string](b, "window.sent.filter((what) => what !== 'engine').join()"); sent != "game,think,game" {
			t.Errorf("for a turn and its answer the page has sent %s, want game,think,game", sent)
		}
	})
}

// setAgain records what is set to the value that it has, and the turns that are taken out of their list.
const setAgain = `(window.again = [], new MutationObserver((records) => {
	for (const {type, target, attributeName, oldValue, removedNodes} of records) {
		if (type === 'attributes' && !['class', 'tabindex'].includes(attributeName) && oldValue === target.getAttribute(attributeName)) again.push(attributeName + ' of ' + target.tagName + '#' + target.id);
		if (target.id === 'turns') again.push(...[...removedNodes].filter((node) => node.matches?.('button')).map(({textContent}) => 'turn ' + textContent));
	}
}).observe(document.body, {subtree: true, childList: true, attributes: true, attributeOldValue: true}), true)`

// TestBrowserChangesOnly picks a ring and moves it. What has not changed is not set again, because
// that costs the browser style and layout.
func TestBrowserChangesOnly(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	b.awaitHint("f3", "can move")
	look[bool](b, setAgain)
	b.click(at("f3"))
	b.awaitHint("f2", "move here")
	b.click(at("f2"))
	b.awaitPly(len(middleGame) + 1)
	b.await("the turn in the list", fmt.Sprintf(`document.querySelectorAll('#turns > button').length === %d`, len(middleGame)+1))
	if again := look[[]string](b, "again"); len(again) > 0 {
		t.Errorf("set again without a change: %s", strings.Join(again, ", "))
	}
}

// wires counts the page's messages and the bytes of both ends.
const wires = `globalThis.wire = {messages: 0, bytes: 0}; globalThis.WebSocket = class extends WebSocket {
	constructor(...args) {
		super(...args);
		this.addEventListener('message', ({data}) => wire.bytes += data.length);
	}
	send(text) {
		wire.messages++;
		wire.bytes += text.length;
		super.send(text);
	}
}`

// TestBrowserBytes plays a game of 80 turns, and counts the messages and bytes of the visit. The
// second half of the game costs no more than the visit up to then.
func TestBrowserBytes(t *testing.T) {
	serverOnly(t)
	t.Parallel()
	text, err := os.ReadFile("../../position/testdata/games.txt")
	if err != nil {
		t.Fatal(err)
	}
	var turns []string
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line[strings.LastIndex(line, "|")+1:]); strings.HasPrefix(line, "standard|") && len(words) >= 80 {
			turns = words[:80]
		}
	}
	b := newTab(t)
	if _, err := chromedp.Call(b.ctx, pages.AddScriptToEvaluateOnNewDocument, pages.AddScriptToEvaluateOnNewDocumentParams{Source: wires}); err != nil {
		t.Fatal(err)
	}
	b.visit(serveSite(t).address)
	b.newGame(nil, "[name=who][value=people]")
	b.awaitHint(turns[0], "place your ring")
	half := [2]int{}
	for i, turn := range turns {
		look[bool](b, fmt.Sprintf(`(document.querySelector('#turn-box').value = %q, document.querySelector('#notation').requestSubmit(), true)`, turn))
		b.awaitPly(i + 1)
		if i == 39 {
			half = look[[2]int](b, "[wire.messages, wire.bytes]")
		}
	}
	whole := look[[2]int](b, "[wire.messages, wire.bytes]")
	t.Logf("40 turns: %d messages, %d bytes; 80 turns: %d messages, %d bytes", half[0], half[1], whole[0], whole[1])
	if whole[0]-half[0] != 40 || whole[1] > 2*half[1] {
		t.Errorf("40 turns cost %d messages and %d bytes, 80 turns %d messages and %d bytes", half[0], half[1], whole[0], whole[1])
	}
}

// TestBrowserGivenRow lets Black complete a row for White, which White must remove first.
func TestBrowserGivenRow(t *testing.T) {
	t.Parallel()
	b := visitPosition(t, blackGives)
	b.move("c5", "h5")
	b.awaitTurn("c5-h5")
	b.awaitState("row")
	b.awaitText("#prompt", "White: Your opponent completed your row. Remove it before you move.")
	b.click(at("d4")) // a ring cannot move yet
	b.awaitState("row")
	b.click(id("take"))
	b.awaitState("ring")
	b.click(at("j10"))
	b.awaitState("move")
	b.move("d4", "d6")
	b.awaitTurn("xf2-f6xj10;d4-d6")
}

// TestBrowserPass passes when no other turn is legal, and checks that the page says so.
func TestBrowserPass(t *testing.T) {
	t.Parallel()
	b := visitPosition(t, mustPass)
	b.awaitText("#prompt", "White: None of your rings can move, so you pass.")
	b.click(id("pass"))
	b.awaitTurn("pass")
	b.awaitText("#announcer", "White passes because no ring can move.")
}

// TestBrowserMotion checks that turns are animated unless the user prefers reduced motion, that
// a click skips the animation, and that a turn entered during it is animated to its end.
func TestBrowserMotion(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.media("prefers-reduced-motion", "no-preference")
	b.visit(serveSite(t).at("standard", "", middleGame...))
	b.press(kb.Home)
	b.awaitPly(0)
	b.press(kb.End)
	b.awaitPly(len(middleGame))
	look[bool](b, `(window.shown = false, new MutationObserver(([{target}]) => { window.shown ||= target.dataset.state === 'showing'; })
		.observe(document.querySelector('#board'), {attributes: true}), true)`)
	b.click("#replay")
	b.await("the turn to be shown", "window.shown")
	at := b.find(at("k7"))
	b.do("clicking the board", chromedp.MouseClickXY(at.X, at.Y))
	b.awaitState("move")
	b.position(position.Standard, position.StartText)
	look[bool](b, `(window.cut = 0, window.finish = Animation.prototype.finish,
		Animation.prototype.finish = function () { window.cut++; window.finish.call(this); }, true)`)
	b.move("f3", "f2")
	b.awaitPly(len(middleGame) + 1)
	b.awaitHint("f8", "can move")
	if cut := look[int](b, "window.cut"); cut > 0 {
		t.Errorf("the motion of one's own turn is cut off: %d", cut)
	}
	b.position(position.Standard, position.StartText)
}

// TestBrowserDrag drags rings to illegal and legal targets. Illegal ones change nothing.
func TestBrowserDrag(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	b.awaitHint("f3", "can move")
	drag := func(from, to string) {
		first, last := b.find(at(from)), b.find(at(to))
		b.do("dragging "+from+" to "+to, chromedp.DragAndDropXY(first.X, first.Y, last.X, last.Y, 5))
	}
	drag("f3", "k9")
	b.awaitPly(len(middleGame))
	drag("f3", "f2")
	b.awaitPly(len(middleGame) + 1)
	b.awaitTurn("f3-f2")
	b.position(position.Standard, position.StartText)
}

// TestBrowserRelease releases a picked ring by a click on it, on the board outside all points, on the page
// next to the board, and on the prompt. Clicks on a panel keep it.
func TestBrowserRelease(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	b.awaitHint("f3", "can move")
	ring := b.find(at("f3"))
	corner := look[spot](b, `(({x, y}) => ({X: x + 8, Y: y + 8}))(document.querySelector('#board').getBoundingClientRect())`)
	for name, where := range map[string]spot{"the ring": ring, "the corner": corner, "the page": {1, 1}, "the prompt": b.find("#prompt")} {
		b.click(at("f3"))
		b.awaitHint("f2", "move here")
		b.click("#tab-turns")
		edge := look[spot](b, `(({x, bottom}) => ({X: x + 3, Y: bottom - 3}))(document.querySelector('#panel-turns').getBoundingClientRect())`)
		b.do("clicking the panel's edge", chromedp.MouseClickXY(edge.X, edge.Y))
		b.awaitHint("f2", "move here")
		b.do("clicking "+name, chromedp.MouseClickXY(where.X, where.Y))
		b.await("no picked ring after a click on "+name, fmt.Sprintf(`!document.querySelector(%q).getAttribute('aria-label').includes('move here')`, at("f2")))
	}
}

// TestBrowserDragByFinger drags a ring on a phone.
func TestBrowserDragByFinger(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.asPhone()
	b.visit(serveSite(t).at("standard", "", middleGame...))
	b.awaitHint("f3", "can move")
	first, last := b.find(at("f3")), b.find(at("f2"))
	touch := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
		t.Helper()
		order := input.DispatchTouchEventParams{Type: kind, TouchPoints: append([]*input.TouchPoint{}, points...)}
		if _, err := chromedp.Call(b.ctx, input.DispatchTouchEvent, order); err != nil {
			t.Fatal(err)
		}
	}
	touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: first.X, Y: first.Y})
	for i := range 6 {
		share := float64(i) / 5
		touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: first.X + share*(last.X-first.X), Y: first.Y + share*(last.Y-first.Y)})
	}
	b.awaitHint("f2", "move here")
	touch(input.DispatchTouchEventTypeTouchEnd)
	b.awaitTurn("f3-f2")
	b.position(position.Standard, position.StartText)
}

// TestBrowserConfirm confirms turns: by touch on a phone, by mouse and by the keyboard. Games against an engine ask
// only if the setting says always. Two quick taps next to each other place one ring, and two fingers none.
func TestBrowserConfirm(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.choose("confirm", "people")
	b.press(kb.Escape)
	b.awaitHint("f6", "place your ring")
	b.click(at("f6"))
	b.awaitPly(2)
	b.twoPeople(nil)
	b.awaitHint("f6", "place your ring")
	b.click(at("f6"))
	b.awaitState("confirm")
	b.click(id("refuse"))
	b.awaitHint("f6", "place your ring")
	b.tabTo(at("f6"))
	b.press(kb.Enter)
	b.awaitText("#prompt", "Play this turn?")
	b.press(kb.Escape)
	b.awaitHint("f6", "place your ring")
	b.press(kb.Enter)
	b.awaitState("confirm")
	b.press(kb.Enter)
	b.awaitPly(1)

	b.become(sizes[6])
	b.awaitHint("e5", "place your ring")
	b.tap(at("e5"))
	b.awaitState("confirm")
	b.isWhole("a turn to confirm")
	b.picture("confirm", "390x844", "light")
	b.tap(at("d5")) // waits for the answer
	b.tap(id("confirm"))
	b.awaitPly(2)

	b.choose("confirm", "")
	b.press(kb.Escape)
	b.awaitHint("g7", "place your ring")
	spot := b.find(at("g7"))
	begun := time.Now()
	touch := func(kind input.DispatchTouchEventType, after time.Duration, points ...*input.TouchPoint) {
		t.Helper()
		when := input.TimeSinceEpoch(float64(begun.Add(after).UnixMilli()) / 1000)
		order := input.DispatchTouchEventParams{Type: kind, Timestamp: when, TouchPoints: append([]*input.TouchPoint{}, points...)}
		if _, err := chromedp.Call(b.ctx, input.DispatchTouchEvent, order); err != nil {
			t.Fatal(err)
		}
	}
	first, second := 0.0, 1.0
	touch(input.DispatchTouchEventTypeTouchStart, 0, &input.TouchPoint{X: spot.X, Y: spot.Y, ID: &first})
	touch(input.DispatchTouchEventTypeTouchStart, 20*time.Millisecond, &input.TouchPoint{X: spot.X, Y: spot.Y, ID: &first}, &input.TouchPoint{X: spot.X + 70, Y: spot.Y, ID: &second})
	touch(input.DispatchTouchEventTypeTouchEnd, 80*time.Millisecond)
	b.awaitPly(2)
	for i, after := range []time.Duration{time.Second, time.Second + 180*time.Millisecond} {
		touch(input.DispatchTouchEventTypeTouchStart, after, &input.TouchPoint{X: spot.X + float64(8*i), Y: spot.Y, ID: &first})
		touch(input.DispatchTouchEventTypeTouchEnd, after+40*time.Millisecond)
		b.awaitPly(3)
	}
	b.tap(at("d5"))
	b.awaitPly(4)
	if got := strings.Join(b.turns(), " "); got != "f6 e5 g7 d5" {
		t.Errorf("the turns are %s", got)
	}
}

// TestBrowserSound checks that sounds are off, and not loaded, until the user turns them on. The
// setting survives a reload.
func TestBrowserSound(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame[:4]...))
	listen := func() {
		t.Helper()
		look[bool](b, `(() => {
			window.sounds = 0;
			const start = AudioScheduledSourceNode.prototype.start;
			AudioScheduledSourceNode.prototype.start = function (...when) { window.sounds++; start.apply(this, when); };
			return true;
		})()`)
	}
	listen()
	place := func(point string, ply int) {
		t.Helper()
		b.awaitHint(point, "place your ring")
		b.click(at(point))
		b.awaitPly(ply)
	}
	// The part would be fetched when the ring begins to move, before any sound.
	look[bool](b, `(window.loaded = window.fetch, window.fetched = 0,
		window.fetch = (what, ...how) => { window.fetched += String(what).includes('/parts/sound/'); return window.loaded(what, ...how); }, true)`)
	place("a2", 5)
	if look[int](b, "window.fetched") > 0 {
		t.Error("the sounds are fetched although they are off")
	}
	b.choose("sound", "on")
	b.await("a sound to try it", "window.sounds > 0")
	if got := look[int](b, "window.fetched"); got != 1 {
		t.Errorf("the sounds are fetched %d times", got)
	}
	b.click("#settings-dialog [data-close]")
	b.reload()
	listen()
	place("a3", 6)
	b.await("the sound of a ring", "window.sounds > 0")
}

// choose sets a setting in the dialog.
func (b *tab) choose(setting, value string) {
	b.t.Helper()
	b.click("#settings")
	b.click(fmt.Sprintf("#settings-dialog label:has([name=%s][value=%q])", setting, value))
}

// TestBrowserMySide plays Black against an engine. Black is at the bottom unless the setting
// says otherwise. In a game with White, White is.
func TestBrowserMySide(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.awaitState("place")
	turned := func(want bool) {
		t.Helper()
		b.await(fmt.Sprintf("the board turned: %t", want), fmt.Sprintf(`document.querySelector('#board').classList.contains('turned') === %t`, want))
	}
	turned(false)
	black := "[name=side][value=b]"
	b.newGame(map[string]string{"new-level-b": b.lowestLevel()}, black)
	turned(true)
	b.awaitState("place")
	b.awaitHint("a2", "place your ring")
	b.click(at("a2"))
	b.awaitPly(3)
	b.choose("mySide", "white")
	b.click("#settings-dialog [data-close]")
	turned(false)
	b.reload()
	turned(false)
	b.choose("mySide", "")
	b.click("#settings-dialog [data-close]")
	turned(true)
	b.newGame(nil, "[name=side][value=w]")
	turned(false)
}

// TestBrowserKeyboard uses the page with the keyboard alone in Chromium.
func TestBrowserKeyboard(t *testing.T) {
	t.Parallel()
	useKeyboard(t, newTab(t))
}

// TestFirefoxKeyboard uses the page with the keyboard alone in Firefox.
func TestFirefoxKeyboard(t *testing.T) {
	t.Parallel()
	useKeyboard(t, newFoxTab(t))
}

// useKeyboard plays a blitz game with the keyboard, including the dialog for a new game. Then it
// reviews the game, solves a puzzle, and plays a turn with two rows.
func useKeyboard(t *testing.T, b *tab) {
	t.Helper()
	set, err := puzzles.Set()
	if err != nil {
		t.Fatal(err)
	}
	s := serveSite(t)
	b.visit(s.address)
	b.tabTo("#new-game")
	b.press(kb.Enter)
	b.await("the dialog", "document.querySelector('#new-dialog').open")
	b.tabTo("[name=rules]:checked")
	b.press(kb.ArrowDown)
	b.await("blitz", `document.querySelector('#new-dialog').querySelector('[name=rules]:checked').value === 'blitz'`)
	b.tabTo(id("new-start"))
	b.press(kb.Enter)
	b.await("the dialog to close", "!document.querySelector('#new-dialog').open")
	b.awaitState("place")
	played := b.playBlitz(b.walkTo)
	if played.Result() != position.Draw {
		b.awaitText("#announcer", "wins")
	}

	b.tabToPanel("review")
	b.await("the panel", `document.querySelector('[data-testid=review-nodes]')`)
	look[bool](b, `(document.querySelector('[data-testid=review-nodes]').append(new Option('300')), true)`)
	b.tabTo(id("review-nodes"))
	b.press(kb.End)
	b.await("short searches", `document.querySelector('[data-testid=review-nodes]').value === '300'`)
	b.tabTo(id("review"))
	b.press(kb.Enter)
	b.await("the review", `!document.querySelector('[data-testid=review-bar]') && document.querySelector('[data-testid=summary]')`)
	b.press("g")
	for look[string](b, `document.querySelector('#board').dataset.ply`) != "0" {
		b.press(",")
	}
	b.awaitPly(0)
	b.press(".")
	b.awaitPly(1)
	b.await("the text about the turn", `document.querySelector('[data-testid=finding]')?.textContent`)

	b.tabToPanel("learn")
	b.tabTo("[data-part=puzzles]")
	b.press(kb.Enter)
	b.awaitPuzzle("yours")
	b.solve(b.puzzle(set), b.walkTo)
	b.tabTo(id("puzzles-close"))
	b.press(kb.Enter)
	b.await("the rules", `document.querySelector('#how').checkVisibility()`)

	look[bool](b, fmt.Sprintf("(location.href = %q, true)", s.at("standard", twoApart)))
	b.awaitPly(0)
	b.enter(mustTurn(t, twoApart, "d8-h8;xd4-d8xb2;xg4-g8xb6"), b.walkTo)
	b.awaitTurn("d8-h8;xd4-d8xb2;xg4-g8xb6")
}

// tabToPanel shows a panel with Tab and the arrow keys.
func (b *tab) tabToPanel(name string) {
	b.t.Helper()
	b.tabTo("#tabs [aria-selected=true]")
	for range 6 {
		if look[bool](b, fmt.Sprintf(`document.activeElement.id === 'tab-%s'`, name)) {
			return
		}
		b.press(kb.ArrowRight)
	}
	b.t.Fatalf("the arrow keys do not reach the panel %s\n%s", name, b.state())
}

// TestBrowserRowByKeyboard completes a row and removes it with the keyboard. The focus goes to the
// row and then to a ring, and the keys that step through a game leave the unfinished turn alone.
func TestBrowserRowByKeyboard(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	turns := strings.Split("f6,e5,g6,j5,f5,d2,e6,f9,g7,e7,g7-g9,f9-g10,e6-g8,j5-j9,g8-f7,d2-k9,g6-g5,e7-d7,g9-f8,k9-k8", ",")
	b.visit(serveSite(t).at("standard", "", turns...))
	b.awaitPly(len(turns))
	b.awaitState("move")
	b.press("g")
	b.walkTo(at("g5"))
	b.walkTo(at("c1"))
	b.awaitState("row")
	first := look[string](b, "document.activeElement.dataset.point ?? document.activeElement.tagName")
	if hint := look[string](b, "document.activeElement.getAttribute('aria-label')"); !strings.Contains(hint, "press to remove it") {
		t.Errorf("the focus is on %s: %s", first, hint)
	}
	b.awaitText("#announcer", "Enter removes it")
	unfinished := func(state string) {
		t.Helper()
		for _, key := range []string{",", ".", kb.Home, kb.End} {
			b.press(key)
		}
		look[bool](b, "(document.activeElement.blur(), true)")
		for _, key := range []string{kb.ArrowLeft, kb.ArrowRight, kb.ArrowUp} {
			b.press(key)
		}
		b.awaitState(state)
		b.awaitPly(len(turns))
		b.press("g")
	}
	unfinished("row")
	b.tabTo(id("take"))
	b.press(kb.Enter)
	b.awaitState("ring")
	b.await("the focus on a ring", `document.activeElement.matches('.point.can')`)
	unfinished("ring")
	b.press(kb.Enter)
	b.awaitPly(len(turns) + 1)
}

// TestBrowserKeyboardRows removes rows with the keyboard, undoes steps with Escape, looks back and
// takes a turn back. It checks what screen readers read out.
func TestBrowserKeyboardRows(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", sevenInARow))
	b.newGame(nil, "[name=who][value=people]", "[name=here]")
	b.awaitState("move")
	look[bool](b, `(window.spoken = [], new MutationObserver(([{target}]) => target.textContent && spoken.push(target.textContent)).observe(document.querySelector('#announcer'), {childList: true}), true)`)
	spoken := func(want string) {
		t.Helper()
		got := "" // a slow page reads out its sentences one by one
		for len(got) < len(want) {
			b.await(fmt.Sprintf("%q to be read out", want), `spoken.length`)
			got = strings.TrimSpace(got + " " + look[string](b, "spoken.shift()"))
		}
		if got != want {
			t.Errorf("a screen reader reads out %q, want %q", got, want)
		}
	}
	b.press("g")
	b.walkTo(at("f5"))
	spoken("White: Choose where f5 goes. f5, 19 targets.")
	b.walkTo(at("h7"))
	b.awaitState("row")
	spoken("White: Choose the five markers to remove.")
	b.press("n")
	spoken("Row 1 of 3, f2 to f6.")
	b.press("n")
	spoken("Row 2 of 3, f3 to f7.")
	b.awaitText(id("choice-text"), "Row 2 of 3: f3 to f7")
	b.press("p")
	spoken("Row 1 of 3, f2 to f6.")
	b.awaitText(id("choice-text"), "Row 1 of 3: f2 to f6")
	b.press(kb.Enter)
	b.awaitState("ring")
	spoken("White: Now remove one of your rings.")
	b.press(kb.Escape)
	b.awaitState("row")
	spoken("White: Choose the five markers to remove.")
	for number := 1; number <= 3; number++ {
		b.press("n")
		spoken(fmt.Sprintf("Row %d of 3, f%d to f%d.", number, number+1, number+5))
	}
	b.press(kb.Enter)
	b.awaitText("#strip", "Row f4 to f8")
	spoken("White: Now remove one of your rings.")
	b.press(kb.Enter)
	b.awaitPly(1)
	last := "White moves f5 to h7, removes the row f4 to f8 and the ring on h7."
	spoken(last + " Black: Move one of your rings.")
	b.press("l")
	spoken(last)
	b.press(",")
	spoken("You are looking at the start of the game.")
	b.press(".")
	spoken(last + " Black: Move one of your rings.")
	b.press("u")
	spoken("Turn taken back. White: Move one of your rings.")
}

// TestBrowserTurnBox enters invalid and valid turns in notation.
func TestBrowserTurnBox(t *testing.T) {
	t.Parallel()
	b := visitPosition(t, twoCross)
	b.press("i")
	b.press("f5-f9", kb.Enter)
	b.awaitText("#turn-error", "f")
	b.fill(id("turn-box"), "f5-h7;xc5-g5xb2")
	b.press(kb.Enter)
	b.awaitTurn("f5-h7;xc5-g5xb2")
}

// tabTo presses Tab until an element has the focus.
func (b *tab) tabTo(selector string) {
	b.t.Helper()
	b.find(selector)
	for range 200 {
		if look[bool](b, "document.activeElement === document.querySelector(`"+selector+"`)") {
			b.stepped("Tab to " + selector)
			return
		}
		b.key(kb.Tab)
	}
	b.t.Fatalf("Tab does not reach %s\n%s", selector, b.state())
}

// walkTo moves to a point with the arrow keys, or to any other element with Tab, and presses
// Enter.
func (b *tab) walkTo(selector string) {
	b.t.Helper()
	goal := look[string](b, "document.querySelector(`"+selector+"`).dataset.point ?? ''")
	if goal == "" {
		b.tabTo(selector)
		b.press(kb.Enter)
		return
	}
	b.press("g")
	here := look[string](b, "document.activeElement.dataset.point")
	for _, step := range walk(here, goal) {
		if step.shifted {
			b.pressShifted(step.key)
		} else {
			b.key(step.key)
		}
	}
	b.await("the focus on "+goal, "document.activeElement.dataset.point === '"+goal+"'")
	b.press(kb.Enter)
}

// stride is a key that moves along a line of the board.
type stride struct {
	key             string
	shifted         bool
	columns, number int
}

var strides = []stride{
	{kb.ArrowUp, false, 0, 1}, {kb.ArrowDown, false, 0, -1},
	{kb.ArrowRight, false, 1, 0}, {kb.ArrowLeft, false, -1, 0},
	{kb.ArrowUp, true, 1, 1}, {kb.ArrowDown, true, -1, -1},
}

// walk returns the shortest sequence of keys from one point to another.
func walk(from, to string) []stride {
	type way struct {
		at   position.Point
		keys []stride
	}
	begin, _ := position.ParsePoint(from)
	goal, _ := position.ParsePoint(to)
	seen := map[position.Point]bool{begin: true}
	for ways := []way{{at: begin}}; len(ways) > 0; ways = ways[1:] {
		w := ways[0]
		if w.at == goal {
			return w.keys
		}
		for _, s := range strides {
			next, ok := position.PointAt(w.at.Column()+s.columns, w.at.Number()+s.number)
			if ok && !seen[next] {
				seen[next] = true
				ways = append(ways, way{next, append(slices.Clone(w.keys), s)})
			}
		}
	}
	return nil
}
