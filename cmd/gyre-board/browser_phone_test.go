package main

import (
	"testing"

	"github.com/chromedp/chromedp"

	"gyre/position"
)

// asPhone makes the tab a phone's.
func (b *tab) asPhone() {
	b.t.Helper()
	b.do("becoming a phone", chromedp.EmulateViewport(360, 740, chromedp.EmulateScale(3), chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulatePortrait))
}

// TestBrowserPhone plays a row of more than five on a phone by taps: there is no
// room for handles, a ring taken off wants a second tap, and each step is told.
func TestBrowserPhone(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.asPhone()
	b.visit(serveSite(t).at("standard", sevenInARow))
	b.fitsWidth()
	b.awaitHint("f5", "can move")
	b.tap(at("f5"))
	b.awaitText("#prompt", "White: choose where f5 goes.")
	b.awaitHint("h7", "move here")
	b.tap(at("h7"))
	b.awaitState("row")
	b.tap(at("f2"))
	b.awaitText(id("choice-text"), "f2 to f6")
	b.fitsWidth()
	b.tap(id("take"))
	b.awaitState("ring")
	b.tap(at("b2"))
	b.awaitText(id("choice-text"), "The ring at b2")
	b.tap(at("b6"))
	b.awaitText(id("choice-text"), "The ring at b6")
	b.tap(at("b6"))
	b.awaitTurn("f5-h7;xf2-f6xb6")
	b.awaitText(id("turn-before"), "White moves f5 to h7")
	b.position(position.Standard, sevenInARow)
	b.fitsWidth()
}

// fitsWidth checks that nothing makes the page wider than its window.
func (b *tab) fitsWidth() {
	b.t.Helper()
	if wide := look[[]string](b, `document.documentElement.scrollWidth <= innerWidth ? [] :
		[...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
			.map((element) => element.tagName + '#' + element.id + '.' + element.className)`); len(wide) > 0 {
		b.t.Errorf("wider than the window: %v", wide)
	}
}

// TestBrowserPhoneGame plays a game of blitz on a phone by taps.
func TestBrowserPhoneGame(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.asPhone()
	b.visit(serveSite(t).address)
	b.newGame(nil, blitz)
	b.playBlitz(b.tap)
	b.awaitText("#prompt", "The game is over.")
}
