package main

import (
	"encoding/json"
	"fmt"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gyre/cmd/gyre-board/internal/gametext"
	"gyre/position"
)

// saved returns the content of the file that a button saves.
func (b *tab) saved(selector string) []byte {
	b.t.Helper()
	content, err := os.ReadFile(b.download(func() { b.click(selector) }))
	if err != nil {
		b.t.Fatal(err)
	}
	return content
}

// TestBrowserLibrary saves a game with a note as SGF, all games as one file, and pictures of
// the game; and opens the two files, and the log of a game elsewhere, in another browser.
func TestBrowserLibrary(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.at("standard", "", middleGame...))
	b.click("#tab-turns")
	b.click("#note-panel summary")
	b.fill(id("note"), "here ] it turned")
	b.click("#games")
	sgf := string(b.saved(id("save-sgf")))
	read, err := gametext.Read(sgf, "")
	if err != nil || len(read.Games) != 1 || len(read.Games[0].Path.Turns) != len(middleGame) || read.Games[0].Comments[fmt.Sprint(len(middleGame))] != "here ] it turned" {
		t.Errorf("%+v, %v:\n%s", read, err, sgf)
	}
	backup := b.download(func() { b.click(id("back-up")) })
	b.images()

	other := newTab(t)
	other.visit(s.address)
	other.openFiles(backup)
	other.awaitText("#copied", "1 game added.")
	other.click("#games-dialog [data-close]")
	other.inStore(`{ const {result, ...older} = game; games.put(older); }` + damagedGame)
	other.openFiles(backup)
	other.awaitText("#copied", "0 games added, 1 game of the file here already.")
	other.undoneDelete()
	other.click(id("open-game"))
	other.awaitPly(len(middleGame))
	other.awaitText("#turns", "here ] it turned")
	log, err := filepath.Abs("internal/bga/testdata/game3.json")
	if err != nil {
		t.Fatal(err)
	}
	other.openFiles(log)
	other.awaitText(id("player-w"), "North")
	other.awaitState("over")
	damaged := filepath.Join(t.TempDir(), "damaged.json")
	if err := os.WriteFile(damaged, []byte(`{"format":"gyre games 1","games":[{"id":"x","tree":[{"turn":""},{"turn":"z9"}],"rules":"standard","start":"startpos","players":{"w":{"kind":"person"},"b":{"kind":"person"}},"tags":[]}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	other.openFiles(damaged)
	other.awaitText(id("open-error"), "damaged.json: game 1: ")
}

// damagedGame stores a game that cannot be read: see inStore.
const damagedGame = `games.put({id: 'damaged', start: 'startpos', tree: null});
	heads.put({id: 'damaged', title: 'Damaged', turns: 0, changed: 1, revision: 1, collection: ''});`

// inStore does something to the stores of the games and of their heads, where game is the
// value of a game.
func (b *tab) inStore(script string) {
	b.t.Helper()
	look[bool](b, `new Promise((resolve) => {
		indexedDB.open('gyre').onsuccess = ({target: {result: db}}) => {
			const tx = db.transaction(['games', 'heads'], 'readwrite');
			const [games, heads] = [tx.objectStore('games'), tx.objectStore('heads')];
			games.openCursor().onsuccess = ({target}) => { const game = target.result?.value; `+script+` };
			tx.oncomplete = () => { db.close(); resolve(true); };
		};
	})`)
}

// undoneDelete deletes the first game of the list, which another tab then stores again, and
// brings it back: then there are both.
func (b *tab) undoneDelete() {
	b.t.Helper()
	const rows = `document.querySelectorAll('[data-testid=open-game]').length`
	b.await("the game and the damaged one", rows+` === 2`)
	b.inStore(`window.kept = game;`)
	b.click(id("delete-game"))
	b.await("one game less", rows+` === 1`)
	b.inStore(`games.put(window.kept); heads.put({...window.kept, revision: 7});`)
	b.click("#games-dialog [data-close]")
	b.click(`[data-notice=undo] [data-testid=notice-action]`)
	b.click("#games")
	b.await("one game more", rows+` === 3`)
}

// images saves the shown position as SVG and PNG, and the game as a GIF.
func (b *tab) images() {
	b.t.Helper()
	b.click(id("image"))
	b.await("the picture", `document.querySelector('#image-preview')?.naturalWidth > 0`)
	if text := string(b.saved(id("image-svg"))); !strings.HasPrefix(text, "<svg") || strings.Contains(text, "var(") || strings.Contains(text, "class=") {
		b.t.Errorf("the picture is %.300s", text)
	}
	file, err := os.Open(b.download(func() { b.click(id("image-png")) }))
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	still, err := png.Decode(file)
	if err != nil {
		b.t.Fatal(err)
	}
	if size := still.Bounds().Size(); size.X != 800 || size.Y != 800 {
		b.t.Errorf("the picture has %v pixels", size)
	}
	colours := map[uint32]bool{}
	for x := range 800 {
		r, _, _, _ := still.At(x, 400).RGBA()
		colours[r] = true
	}
	if len(colours) < 20 {
		b.t.Errorf("the picture is blank: %d colours across", len(colours))
	}
	b.fill("#image-size", "480")
	moving, err := os.Open(b.download(func() { b.click(id("image-gif")) }))
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = moving.Close() }()
	film, err := gif.DecodeAll(moving)
	if err != nil {
		b.t.Fatal(err)
	}
	if len(film.Image) != len(middleGame)+1 || film.Config.Width != 480 || film.LoopCount != 0 {
		b.t.Errorf("%d frames, %d pixels wide, loop %d", len(film.Image), film.Config.Width, film.LoopCount)
	}
	if info, err := moving.Stat(); err != nil || info.Size() > 1_000_000 {
		b.t.Errorf("the GIF has %d bytes, %v", info.Size(), err)
	}
	look[bool](b, `(HTMLCanvasElement.prototype.toBlob = (done) => done(null), true)`)
	b.click(id("image-png"))
	b.awaitText(id("image-said"), "That cannot be done now: the browser makes no picture")
}

// TestBrowserEditor sets a position up by presses, a drag and keys, is told what is wrong
// with it, and plays from it.
func TestBrowserEditor(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.click("#games")
	b.click(id("editor"))
	b.await("the editor", `document.querySelector('#editor-dialog')?.open`)
	b.click(id("editor-empty"))
	b.awaitText(id("editor-said"), "It can be played. White: place a ring (1 of 5).")
	on := func(point string) string { return fmt.Sprintf(`#editor-board [data-point=%q]`, point) }
	for tool, points := range map[string][]string{"W": {"a2", "a3", "b1", "c1", "f6"}, "B": {"k7", "k8", "k9", "k10", "j10"}} {
		b.click(id("tool-" + tool))
		for _, point := range points {
			b.click(on(point))
		}
	}
	b.awaitText(id("editor-said"), "White: move one of your rings.")
	b.click(id("tool-b"))
	for _, point := range []string{"d2", "d3", "d4", "d5", "d6"} {
		b.click(on(point))
	}
	b.awaitText(id("editor-said"), "It cannot be played yet: black has a row, d2-d6, and is not to move.")
	b.click(id("editor-back"))
	from, to := b.find(on("d5")), b.find(on("e6"))
	b.do("dragging d5 to e6", chromedp.DragAndDropXY(from.X, from.Y, to.X, to.Y, 5))
	look[bool](b, fmt.Sprintf(`(document.querySelector(%q).focus(), true)`, on("e7")))
	b.press("4", kb.Enter)
	b.await("the marker", `document.querySelector('#editor-board [data-point=e7]').getAttribute('aria-label') === 'e7, black marker'`)
	b.awaitText(id("editor-said"), "White: move one of your rings.")
	b.until("the text of the position", func() bool {
		p, err := position.Parse(look[string](b, `document.querySelector('#editor-text').value`), position.Standard)
		return err == nil && fmt.Sprint(p.Markers(position.Black).Points(nil)) == "[d2 d3 d4 e6 e7]"
	})
	if !look[bool](b, fmt.Sprintf(`((field) => { field.value = %q; field.dispatchEvent(new Event('change')); return document.querySelector('#editor-play').disabled; })(document.querySelector('#editor-text'))`, twoCross)) {
		t.Error("the last position can be played while the text is read")
	}
	b.await("the position", `document.querySelector('#editor-board [data-point=a2]').getAttribute('aria-label') === 'a2, vacant'`)
	b.click(id("editor-play"))
	b.await("the dialog for a new game", `document.querySelector('#new-dialog').open`)
	look[bool](b, `(document.querySelector('#new-dialog [value=people]').click(), true)`)
	b.click(id("new-start"))
	b.await("the board", `!document.querySelector('dialog[open]')`)
	b.awaitPly(0)
	b.position(position.Standard, twoCross)
	var kept struct{ Rules string }
	if err := json.Unmarshal([]byte(look[string](b, `sessionStorage.getItem('gyre.draft')`)), &kept); err != nil || kept.Rules != "standard" {
		t.Errorf("%+v, %v", kept, err)
	}
}

// TestBrowserExplorer walks through an opening by the explorer's turns, and counts the games
// that are kept here.
func TestBrowserExplorer(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.at("standard", ""))
	const ways = `[...document.querySelectorAll('#explorer-ways tr')].map((row) => row.textContent)`
	b.click(id("openings"))
	b.await("the first turns", ways+`.length > 3`)
	first := look[[]string](b, ways)
	// The second press comes before there are rows for the position that the first led to.
	look[bool](b, `((row) => { row.click(); row.click(); return true; })(document.querySelector('#explorer-ways `+id("explorer-turn")+`'))`)
	b.awaitPly(1)
	b.await("one turn", `document.querySelectorAll('#turns > button').length === 1`)
	b.await("other turns", ways+`.length > 0 && `+ways+`[0] !== `+fmt.Sprintf("%q", first[0]))
	b.fill(id("explorer-games"), "mine")
	b.awaitText(id("explorer-said"), "No finished game kept here went on from here.")
	b.inStore(damagedGame)
	b.openFiles(fileOf(t, "won.sgf", "(;SU[Yinsh];P0[1 place wr e 5];P1[2 place br f 6];P0[3 Resign])"))
	b.awaitPly(2)
	b.click("#go-first")
	b.awaitPly(0)
	b.click(id("openings"))
	b.await("the game", ways+`.length === 1 && `+ways+`[0].includes('0 %')`)
	b.awaitText(id("explorer-said"), "1 of the games could not be counted.")
}
