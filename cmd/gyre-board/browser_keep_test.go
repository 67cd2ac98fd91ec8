package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	pages "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"gyre/position"
)

// own are the titles of the games in the list that belong to no collection.
const own = `[...document.querySelectorAll('#game-list > ul [data-testid=open-game], ul#game-list [data-testid=open-game]')]`

// openFiles opens files by the dialog of games.
func (b *tab) openFiles(files ...string) {
	b.t.Helper()
	b.click("#games")
	b.await("the dialog", `document.querySelector('#games-dialog')?.open`)
	if b.fox != nil {
		b.try("choosing files", b.fox.choose(b.ctx, id("open-file"), files))
		return
	}
	b.do("choosing files", chromedp.SetUploadFiles(chromedp.CSS(id("open-file")), files))
}

// openText opens a text by the dialog of games.
func (b *tab) openText(text string) {
	b.t.Helper()
	b.click("#games")
	b.fill(id("paste"), text)
	b.click(id("open-paste"))
}

// fileOf returns a file of a test.
func fileOf(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestBrowserCollection opens a file of many games: nothing that was there goes,
// all of them are there, and all are saved again.
func TestBrowserCollection(t *testing.T) {
	t.Parallel()
	const games = 130
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	var text strings.Builder
	for i := range games {
		fmt.Fprintf(&text, "[White \"A%d\"]\n\n1.f6 {a [ tag\n[Not \"one\"]} 2.e5 3.g6 *\n\n", i)
	}
	b.openFiles(fileOf(t, "many.txt", text.String()))
	b.awaitPly(3)
	b.click("#games")
	b.awaitText("#game-list", fmt.Sprintf("%d turns", len(middleGame)))
	b.awaitText("#game-list summary", fmt.Sprintf("many.txt · %d games", games))
	b.click("#game-list summary")
	b.await("the first game of the file", `document.querySelector('.collection [data-testid=open-game]')?.textContent.includes('A0 ')`)
	b.click(id("more-games"))
	b.await("all of them", fmt.Sprintf(`document.querySelectorAll('.collection [data-testid=open-game]').length === %d`, games))
	saved, err := os.ReadFile(b.download(func() { b.click(id("save-all")) }))
	if err != nil {
		t.Fatal(err)
	}
	if count := strings.Count(string(saved), "[White "); count != games+1 {
		t.Errorf("%d games are saved, want %d", count, games+1)
	}
	// What is deleted comes back.
	b.click(id("delete-collection"))
	b.awaitText("#game-list summary", "many.txt · 1 game") // the one that is open
	b.click("#games-dialog [data-close]")
	b.click(`[data-notice=undo] [data-testid=notice-action]`)
	b.click("#games")
	b.awaitText("#game-list summary", fmt.Sprintf("many.txt · %d games", games))
}

// TestBrowserBadFiles opens files of which one cannot be read, and one only in part:
// it is named, and the others are opened.
func TestBrowserBadFiles(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", twoCross))
	bad := fileOf(t, "bad.txt", "hello\n")
	part := fileOf(t, "part.txt", "[White \"One\"]\n\n1.f6 2.e5 *\n\n[White \"Two\"]\n\n1.f6\n2.f6 *\n\n[White \"Three\"]\n\n1.g6 *\n")
	b.openFiles(bad, part)
	b.awaitText(id("open-error"), "bad.txt: turn 1")
	b.awaitText(id("open-error"), "part.txt: line 8")
	b.awaitText("#game-list summary", "part.txt · 2 games")
	b.awaitPly(2)
}

// TestBrowserTooLong opens what is longer than the server takes: that is said, and
// the board goes on.
func TestBrowserTooLong(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", twoCross))
	b.click("#games")
	b.await("the dialog", `document.querySelector('#games-dialog')?.open`)
	look[bool](b, `(document.querySelector('#paste').value = '[White "A"]\n\n{' + 'x'.repeat(4e6) + '}', true)`)
	b.click(id("open-paste"))
	b.awaitText(id("open-error"), "too long")
	b.click("#games-dialog [data-close]")
	b.enter(mustTurn(t, twoCross, "f5-h7;xc5-g5xb2"), b.click)
	b.position(position.Standard, twoCross)
}

// TestBrowserNoEmptyGames comes to the page several times without playing: no game
// is kept of that.
func TestBrowserNoEmptyGames(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.address)
	b.reload()
	other := b.beside()
	other.visit(s.address)
	other.click("#games")
	other.await("the list", `document.querySelector('#game-list').childElementCount > 0`)
	if titles := look[[]string](other, own+`.map((button) => button.textContent)`); len(titles) > 0 {
		t.Errorf("games are kept that nobody played: %q", titles)
	}
}

// TestBrowserOldGames comes to the page with games of the store of before: they are
// kept, and open.
func TestBrowserOldGames(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	look[bool](b, `(() => {
		const tree = [{turn: ''}, {turn: 'f6', comment: 'an old note'}, {turn: 'e5', end: {winner: 'w', why: 'resigned'}}];
		const person = {kind: 'person'};
		const game = {id: '1-2', rules: 'blitz', start: 'startpos', players: {w: person, b: person}, clock: null, moveTime: 2000,
			tags: [], created: 1e12, playing: false, title: 'old', turns: 2, tree, at: [0, 0], live: [0, 0]};
		localStorage.setItem('gyre.game.1-2', JSON.stringify(game));
		localStorage.setItem('gyre.game.damaged', '{"id":');
		localStorage.setItem('gyre.games', JSON.stringify([{id: '1-2', title: 'old', turns: 2, changed: 1e12}]));
		return true;
	})()`)
	b.reload()
	b.click("#games")
	b.click(`[data-game="1-2"]`)
	b.awaitText("#turns", "an old note")
	b.awaitText("#prompt", "Black resigns: White wins.")
	if left := look[[]string](b, `Object.keys(localStorage).filter((key) => key.startsWith('gyre.game'))`); len(left) != 1 || left[0] != "gyre.game.damaged" {
		t.Errorf("the store of before holds %q", left)
	}
}

// TestBrowserStoreFull plays on while the browser keeps nothing: that is said, the
// game outlives loading the page again, and is kept once there is room.
func TestBrowserStoreFull(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	look[bool](b, `(window.put = IDBObjectStore.prototype.put, IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); }, true)`)
	b.move("f3", "f2")
	b.awaitPly(len(middleGame) + 1)
	b.awaitText("#notices", "cannot keep this game")
	b.reload()
	b.awaitPly(len(middleGame) + 1)
	b.move("d4", "d5")
	b.await("the notice to go", `!document.querySelector('[data-notice=keeping]')`)
}

// TestBrowserStoreDamaged loads the page again with its game damaged in the store, and then
// with a store that cannot be opened: the game that is open is not lost, and the page says
// what is wrong.
func TestBrowserStoreDamaged(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	b.move("f3", "f2")
	b.awaitPly(len(middleGame) + 1)
	look[bool](b, `new Promise((resolve, reject) => {
		localStorage.setItem('gyre.settings', '{"tab":');
		const opening = indexedDB.open('gyre');
		opening.onerror = reject;
		opening.onsuccess = () => {
			const tx = opening.result.transaction('games', 'readwrite');
			tx.objectStore('games').put({id: JSON.parse(sessionStorage.getItem('gyre.tab')).game, tree: 7, changed: 9e15});
			tx.oncomplete = () => resolve(true);
		};
	})`)
	b.reload()
	b.awaitPly(len(middleGame) + 1)
	broken := pages.AddScriptToEvaluateOnNewDocumentParams{Source: "indexedDB.open = () => { throw new DOMException('damaged', 'UnknownError'); }"}
	if _, err := chromedp.Call(b.ctx, pages.AddScriptToEvaluateOnNewDocument, broken); err != nil {
		t.Fatal(err)
	}
	b.reload()
	b.awaitPly(len(middleGame) + 1)
	b.move("d4", "d5")
	b.awaitText("#notices", "cannot keep this game now (damaged)")
	b.click("#games")
	b.awaitText("#game-list", "keeps no games now: damaged")
	b.click(id("back-up"))
	b.awaitText("#copied", "That cannot be done now: damaged")
	b.click("#games-dialog [data-close]")
	b.reload()
	b.awaitTurn("d4-d5")
	b.position(position.Standard, position.StartText)
}
