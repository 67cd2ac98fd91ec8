package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/coder/websocket"
)

// TestBrowserKeepsAll writes notes, draws an arrow, plays a variation and has the game
// reviewed: all of it is there after loading the page again, and in the record.
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

// TestBrowserTooManyTabs opens a tab more than the server has places for: it says so,
// and is a board once there is room.
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

// TestBrowserHelpBegins opens the help on a phone: it begins at its beginning.
func TestBrowserHelpBegins(t *testing.T) {
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

// TestBrowserLabels shows the labels of a review in the list of turns: each is one line,
// and so is the page no wider for them.
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

// TestBrowserArrowsOfATurn begins a turn while the analysis has arrows on the board: they
// are of the position before, and go; the bar of the score stays where it was when the
// next position is shown.
func TestBrowserArrowsOfATurn(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", twoCross))
	b.click("#analysis")
	const arrowsSeen = `[...document.querySelectorAll('#board .arrows > *')].filter((arrow) => arrow.getClientRects().length > 0 && arrow.getBoundingClientRect().width > 0).map((arrow) => arrow.outerHTML)`
	b.await("an arrow", arrowsSeen+".length > 0")
	look[bool](b, `(document.querySelector('[data-testid=line-more]').click(), true)`) // lines move while they are found
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

// TestBrowserNoticesMoveNothing shows a notice: the board stays where it is, and the
// notice goes with the game that it is about.
func TestBrowserNoticesMoveNothing(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.at("standard", twoCross))
	const top = `document.querySelector('#board').getBoundingClientRect().top + scrollY`
	before := look[float64](b, top)
	b.do("following a link to nothing", chromedp.Evaluate[chromedp.Void](`location.hash = 'rules=standard&turns=f6,f6'`))
	b.awaitText("#notices", "f6 is not vacant")
	if after := look[float64](b, top); after != before {
		t.Errorf("the board moved from %.0f to %.0f", before, after)
	}
	b.do("following a link", chromedp.Evaluate[chromedp.Void](`location.hash = 'rules=standard&turns=f6,e5'`))
	b.awaitPly(2)
	b.await("the notice to go", `document.querySelector('#notices').childElementCount === 0`)
}
