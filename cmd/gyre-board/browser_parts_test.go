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
// server is gone, when it goes before the part is imported, when it has another version of
// the page, and when all is well. What is wrong is told, and can be tried again.
func TestBrowserParts(t *testing.T) {
	serverOnly(t) // the exported page keeps its parts: see TestStaticOffline
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	const notice, action = `[data-notice="part help"]`, `[data-notice="part help"] [data-testid=notice-action]`
	b.visit(s.address)
	// The style is kept, so that only the import goes to the server.
	look[string](b, `fetch(document.querySelector('script[type=module]').src.replace('main.js', 'parts/help/help.css')).then((answer) => answer.text())`)
	s.stop()
	b.press("?")
	b.awaitText(notice, "Help cannot be loaded: there is no connection.")
	look[bool](b, `(window.loaded = window.fetch, window.fetch = async () => new Response(''), true)`)
	b.click(action)
	b.awaitText(action, "Load the page again")
	b.awaitText(notice, "Help cannot be loaded: there is no connection.")
	look[bool](b, `(window.fetch = window.loaded, true)`)
	s.restart()
	b.await("the connection", `!document.querySelector('[data-notice=connection]')`)
	b.click(action)
	b.await("the page anew", `!document.querySelector('[data-notice="part help"]')`)
	b.ready()
	look[bool](b, `(window.loaded = window.fetch, window.fetch = async () => new Response('', {status: 404}), true)`)
	b.press("?")
	b.awaitText(notice, "another version now")
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
