package main

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// twoFours is a position of blitz in which White wins by a row, with the ring at f3, and
// loses to Black's ring at h4 by anything else.
const twoFours = "W2B/WW4B/W7/9/10/1Wwwww3/10/1Bbbbb3/B7/B6/4 w 0-0"

// TestBrowserWorth picks rings with the analysis on: their targets tell what they are worth,
// by colour, number and words, until the analysis is off.
func TestBrowserWorth(t *testing.T) {
	t.Parallel()
	axe := axeScript(t)
	b := newTab(t)
	b.visit(serveSite(t).at("blitz", twoFours))
	b.awaitHint("f3", "can move")
	b.click("#analysis")
	b.await("lines", `document.querySelector('[data-testid=lines] > li')`)
	b.click(at("f3"))
	b.awaitHint("f2", "move here, loses nothing")
	b.await("the best targets", `document.querySelector('.worth.fine text').textContent === '0'`)
	b.click(at("a2"))
	b.awaitHint("a3", "loses 100 per cent")
	b.await("the targets", `document.querySelectorAll('.worth.blunder').length > 1 && document.querySelector('.worth.blunder text').textContent === '×' && !document.querySelector('.target')`)
	look[bool](b, axe+";true")
	b.inspectBoth("worth")
	b.click("#analysis")
	b.await("the dots", `document.querySelector('.target') && !document.querySelector('.worth')`)
	b.click(at("f3"))
	b.awaitHint("f2", "move here")
	b.await("no worth", `!document.querySelector('.worth')`)
	b.click(at("f2"))
	b.awaitState("row", "ring", "over")
}

// inspectBoth looks for what keeps people from using a view in a wide window and on a phone.
func (b *tab) inspectBoth(name string) {
	b.t.Helper()
	b.become(screens[3])
	b.inspect(name, "narrow", "dark")
	b.become(screens[0])
	b.inspect(name, "wide", "light")
}

// inspectApart does so as a test of its own, which may be skipped. The tab becomes a phone.
func (b *tab) inspectApart(t *testing.T, name string) {
	t.Helper()
	t.Run("access", func(t *testing.T) {
		b.do("loading axe", chromedp.Evaluate[chromedp.Void](axeScript(t)))
		b.inspect(name, "wide", "light")
		b.asPhone()
		b.inspect(name, "narrow", "dark")
	})
}
