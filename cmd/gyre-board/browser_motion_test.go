package main

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gyre/position"
)

// TestBrowserMotion checks that a turn is shown step by step to those who have not
// asked for less motion, that a click jumps to its end, and that a turn can be
// entered after it, which is shown to its end.
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

// TestBrowserDrag drags rings: to where they cannot go, which changes nothing,
// and to where they can.
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

// TestBrowserSound places rings without and with sounds: none is made, nor what makes them
// fetched, until they are asked for, and then also after loading the page again.
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
	// The part is fetched, if at all, when the ring begins to fall: a sound comes later.
	look[bool](b, `(window.loaded = window.fetch, window.wanted = 0,
		window.fetch = (what, ...how) => { window.wanted += String(what).includes('/parts/sound/'); return window.loaded(what, ...how); }, true)`)
	place("a2", 5)
	if look[int](b, "window.wanted") > 0 {
		t.Error("the sounds are fetched, which nobody has asked for")
	}
	b.choose("sound", "on")
	b.await("a sound to try it", "window.sounds > 0")
	if got := look[int](b, "window.wanted"); got != 1 {
		t.Errorf("the sounds are fetched %d times", got)
	}
	b.click("#settings-dialog [data-close]")
	b.reload()
	listen()
	place("a3", 6)
	b.await("the sound of a ring", "window.sounds > 0")
}

// choose opens the settings and chooses a value of one.
func (b *tab) choose(setting, value string) {
	b.t.Helper()
	b.click("#settings")
	b.click(fmt.Sprintf("#settings-dialog label:has([name=%s][value=%q])", setting, value))
}

// TestBrowserMySide plays Black against an engine: the board turns so that Black is below,
// unless that is not wanted, and turns back for a game of White.
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
