package main

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gyre/position"
)

// TestBrowserMotion checks that a turn is shown step by step to those who have not
// asked for less motion, that a click jumps to its end, and that a turn can be
// entered after it.
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
	b.move("f3", "f2")
	b.awaitPly(len(middleGame) + 1)
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
