package main

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// awaitHelp waits for the help sheet, which is loaded when it is wanted.
func (b *tab) awaitHelp() {
	b.t.Helper()
	b.await("the help", `document.querySelector('#help-dialog')?.open`)
}

// TestBrowserParts opens a part of the page that is loaded when it is wanted: while the
// server is gone, when it has another version of the page, and when all is well. What is
// wrong is told, and can be tried again.
func TestBrowserParts(t *testing.T) {
	serverOnly(t) // the exported page keeps its parts: see TestStaticOffline
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.address)
	s.stop()
	b.press("?")
	b.awaitText(`[data-notice="part help"]`, "Help cannot be loaded: there is no connection.")
	s.restart()
	b.await("the connection", `!document.querySelector('[data-notice=connection]')`)
	look[bool](b, `(window.loaded = window.fetch, window.fetch = async () => new Response('', {status: 404}), true)`)
	b.click(`[data-notice="part help"] [data-testid=notice-action]`)
	b.awaitText(`[data-notice="part help"]`, "another version now")
	look[bool](b, `(window.fetch = window.loaded, true)`)
	b.click("#help")
	b.awaitHelp()
	if b.text("#notices") != "" {
		t.Errorf("the page still tells %q", b.text("#notices"))
	}
	b.press(kb.Escape)
	b.press("?")
	b.awaitHelp()
	if sheets := look[int](b, `document.querySelectorAll('#help-dialog').length`); sheets != 1 {
		t.Errorf("there are %d sheets", sheets)
	}
}
