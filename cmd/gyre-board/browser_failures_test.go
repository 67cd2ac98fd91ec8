package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// These tests check what the page does when something fails: storage that is blocked, full
// or damaged, a network that is cut, and input that comes too early.

// newBlockedTab opens a tab of a browser that blocks all site data: cookies, localStorage,
// IndexedDB, locks and service workers.
func newBlockedTab(t *testing.T) *tab {
	t.Helper()
	chromium(t)
	path, err := findChromium()
	if err != nil {
		t.Fatal(err)
	}
	profile := t.TempDir()
	if err := os.Mkdir(filepath.Join(profile, "Default"), 0o700); err != nil {
		t.Fatal(err)
	}
	const preferences = `{"profile":{"default_content_setting_values":{"cookies":2}}}`
	if err := os.WriteFile(filepath.Join(profile, "Default", "Preferences"), []byte(preferences), 0o600); err != nil {
		t.Fatal(err)
	}
	options := append(chromiumOptions(path), chromedp.UserDataDir(profile))
	allocator, endAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil {
			t.Errorf("ending the browser: %v", err)
		}
		end()
		endAllocator()
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return openTab(t, ctx)
}

// TestBrowserBlockedStorage plays against an engine in a browser that blocks all site data.
// The page works, says once that it stores nothing, and its parts open.
func TestBrowserBlockedStorage(t *testing.T) {
	t.Parallel()
	b := newBlockedTab(t)
	b.visit(serveSite(t).address)
	if !look[bool](b, `(() => { try { return !localStorage } catch { return true } })()`) {
		t.Fatal("this browser does not block site data")
	}
	b.awaitText("#notices", "stores nothing")
	b.click("[data-notice=storage] [data-testid=notice-close]")
	b.click("#new-game")
	b.fill(id("new-level-b"), b.lowestLevel())
	b.click(id("new-start"))
	b.awaitState("place")
	b.awaitHint("f6", "place your ring")
	b.click(at("f6"))
	b.awaitPly(2)
	b.choose("board", "slate")
	b.await("the chosen board", `document.documentElement.dataset.board === 'slate'`)
	b.press(kb.Escape)
	for _, part := range []string{"games", "help"} {
		b.click("#" + part)
		b.await("the dialog", `document.querySelector('dialog[open]')`)
		b.click("dialog[open] [data-close]")
	}
	if notices := b.text("#notices"); notices != "" {
		t.Errorf("there is another notice: %s", notices)
	}
}

// TestBrowserThreatWhilePlacing asks for a threat while rings are placed, where there cannot
// be one: nothing happens, and no engine is reported dead.
func TestBrowserThreatWhilePlacing(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	s := serveSite(t)
	b.visit(s.address)
	b.click("#analysis")
	b.await("the engine's lines", `document.querySelectorAll('[data-testid=lines] > li').length > 0`)
	b.press("t")
	if !look[bool](b, `document.querySelector('#threat').disabled`) {
		t.Error("the button can be pressed while rings are placed")
	}
	other := b.beside()
	other.visit(s.at("standard", "", middleGame...))
	other.awaitPly(len(middleGame))
	other.press("t")
	other.awaitText(id("threat-text"), "threatens ")
	if notices := b.text("#notices"); notices != "" {
		t.Errorf("there is a notice: %s", notices)
	}
}
