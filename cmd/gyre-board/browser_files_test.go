package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gyre/position"
	"gyre/position/record"
)

// TestBrowserSaveAndLoad saves a game as a file and opens the file in another
// tab.
func TestBrowserSaveAndLoad(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.at("standard", "", middleGame...))
	file := b.download(func() {
		b.click("#games")
		b.click(id("save-record"))
	})
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if game, err := record.Parse(string(text)); err != nil || len(game.Turns) != len(middleGame) {
		t.Fatalf("saved %q: %v", text, err)
	}
	other := newTab(t)
	other.visit(s.address)
	other.click("#games")
	other.do("choosing the file", chromedp.SetUploadFiles(chromedp.CSS(id("open-file")), []string{file}))
	other.awaitPly(len(middleGame))
	other.position(position.Standard, position.StartText)
}

// download returns the path of the file that is downloaded when something is
// done.
func (b *tab) download(do func()) string {
	b.t.Helper()
	dir := b.t.TempDir()
	browserContext := chromedp.FromContext(b.ctx).BrowserContextID
	_, err := chromedp.CallBrowser(b.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: "allow", BrowserContextID: browserContext, DownloadPath: dir,
	})
	if err != nil {
		b.t.Fatal(err)
	}
	do()
	path := ""
	b.until("the file", func() bool {
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(files) != 1 || strings.HasSuffix(files[0], ".crdownload") {
			return false
		}
		path = files[0]
		return true
	})
	return path
}

// boardspaceGames returns the paths of games of boardspace.net.
func boardspaceGames(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("internal/sgf/testdata/*.sgf")
	if err != nil || len(files) < 5 {
		t.Fatalf("games of boardspace.net: %q, %v", files, err)
	}
	for i := range files {
		if files[i], err = filepath.Abs(files[i]); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestBrowserOpensText opens what can be pasted: a position, turns, a game of
// Boardspace; and says what is wrong with what cannot be opened.
func TestBrowserOpensText(t *testing.T) {
	t.Parallel()
	sgf, err := os.ReadFile("internal/sgf/testdata/Y-Anna-Dumbot-2026-02-20-0858.sgf")
	if err != nil {
		t.Fatal(err)
	}
	b := newTab(t)
	b.visit(serveSite(t).address)
	open := b.openText
	open(strings.Join(middleGame, " "))
	b.awaitPly(len(middleGame))
	b.position(position.Standard, position.StartText)
	open(twoCross)
	b.awaitPly(0)
	b.position(position.Standard, twoCross)
	open(string(sgf))
	b.await("the game's turns", `document.querySelectorAll('#turns > button').length > 20`)
	b.awaitState("over", "move", "row", "pass")
	open("f6 e5 e5")
	b.awaitText(id("open-error"), "turn 3")
}

// TestBrowserLink copies the link of a game and opens it in another profile.
func TestBrowserLink(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.at("standard", twoCross))
	b.enter(mustTurn(t, twoCross, "f5-h7;xc5-g5xb2"), b.click)
	b.awaitPly(1)
	link := b.copied(id("copy-link"))
	other := newTab(t)
	other.visit(link)
	other.awaitPly(1)
	if first, second := b.position(position.Standard, twoCross), other.position(position.Standard, twoCross); !first.Equal(second) {
		t.Errorf("the link %s leads to %v, want %v", link, &second, &first)
	}
}

// mustTurn reads a turn of a position of the standard rules.
func mustTurn(t *testing.T, start, word string) position.Turn {
	t.Helper()
	p, err := position.Parse(start, position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	turn, err := p.ParseTurn(word)
	if err != nil {
		t.Fatal(err)
	}
	return turn
}

// copied returns what a button of the dialog of games copies.
func (b *tab) copied(selector string) string {
	b.t.Helper()
	look[bool](b, `(Object.defineProperty(navigator, 'clipboard', {configurable: true,
		value: {writeText: async (text) => { window.copied = text; }}}), true)`)
	b.click("#games")
	b.click(selector)
	b.await("something to be copied", "typeof window.copied === 'string'")
	return look[string](b, "window.copied")
}

// TestBrowserVariations goes back, plays otherwise, and finds both ways again.
func TestBrowserVariations(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	b.awaitPly(len(middleGame))
	b.press(",", ",")
	b.awaitPly(len(middleGame) - 2)
	b.move("f4", "f2")
	b.awaitPly(len(middleGame) - 1)
	b.awaitText("#turns", "f4-f2")
	b.awaitText("#turns", middleGame[len(middleGame)-1])
	b.press(kb.Home)
	b.awaitPly(0)
	b.press(kb.End)
	b.awaitText("#turns [aria-current=true]", "f4-f2")
}

// TestBrowserBadLink follows links to games that cannot be, from a game and into
// a new tab: the page says what is wrong, and the game that it has goes on.
func TestBrowserBadLink(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.at("standard", twoCross))
	b.do("following a link", chromedp.Evaluate[chromedp.Void](`location.hash = 'rules=standard&turns=f6,f6'`))
	b.awaitText("#notices", "f6 is not vacant")
	b.enter(mustTurn(t, twoCross, "f5-h7;xc5-g5xb2"), b.click)
	b.awaitTurn("f5-h7;xc5-g5xb2")
	b.position(position.Standard, twoCross)

	fresh := newTab(t)
	fresh.visit(s.at("standard", "", "f6", "f6"))
	fresh.awaitText("#notices", "f6 is not vacant")
	fresh.awaitState("place")
	fresh.click(at("f6"))
	fresh.awaitPly(2)
	fresh.position(position.Standard, position.StartText)
}

// TestBrowserDelete deletes a variation, from its second turn on, and brings it back.
func TestBrowserDelete(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", "f6", "e5", "g6"))
	b.awaitPly(3)
	b.press(",", ",")
	b.awaitPly(1)
	for ply, point := range []string{"a2", "b3"} {
		b.awaitHint(point, "place your ring")
		b.click(at(point))
		b.awaitPly(2 + ply)
	}
	b.click(id("delete"))
	b.awaitPly(2)
	b.await("its turn to go", `!document.querySelector('#turns').textContent.includes('b3')`)
	b.awaitText("#turns", "a2")
	b.awaitText("#turns", "g6")
	b.click(`[data-notice=undo] [data-testid=notice-action]`)
	b.awaitText("#turns", "b3")
	b.awaitPly(3)
}
