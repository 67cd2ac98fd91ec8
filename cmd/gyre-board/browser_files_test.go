package main

import (
	"encoding/json"
	"fmt"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	pages "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gyre/cmd/gyre-board/internal/gametext"
	"gyre/position"
	"gyre/position/record"
)

// TestBrowserSaveAndLoad saves a game as a file and opens it in another tab.
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

// download calls do, and returns the path of the file that it downloads.
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

// boardspaceGames returns the paths of boardspace.net games.
func boardspaceGames(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../../position/sgf/testdata/*.sgf")
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

// TestBrowserOpensText opens pasted texts: a position, turns, a Boardspace game. Invalid texts
// give an error.
func TestBrowserOpensText(t *testing.T) {
	t.Parallel()
	sgf, err := os.ReadFile("../../position/sgf/testdata/Y-Anna-Dumbot-2026-02-20-0858.sgf")
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

// TestBrowserTranslatesErrors opens invalid texts with the page in German and in Polish. The
// errors name the fault in that language.
func TestBrowserTranslatesErrors(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	for _, test := range []struct{ language, text, want string }{
		{"de", "f6 e5 e5", "Zug 3: e5 ist nicht frei"},
		{"de", "4/7/8/9/10/9/10/9/8/7/5 w 0-0", "Spalte k muss 4 Punkte haben"},
		{"pl", "[White \"A\"]\n\n1.f6 2.f6", "wiersz 3, ruch 2: pole f6 nie jest wolne"},
		{"pl", "4/7/8/9/10 w 0-0", "liczba kolumn planszy: 5 zamiast 11"},
		{"en", "(;SU[Hex])", "line 1: this is a game of Hex, not YINSH"},
		{"de", "(;SU[Yinsh]\nP0[1 place wr z 9])", "Zeile 2, Zug 1: „z9“ ist kein Punkt des Bretts"},
		{"fr", "(;SU[Yinsh]P0[1 place wr e 5]\nP0[2 place wr e 6])", "ligne 2, coup 2 : c’est aux Noirs de jouer"},
		{"nl", "{a}\n1.f6 3.e5 *", "regel 2: verwacht werd zetnummer 2"},
		{"pl", "[White \"A\"]\n\n1.f6", "wiersz 3: partia kończy się bez wyniku"},
		{"es", `{"data":{"logs":[{"data":[{"type":"move","log":"dances","args":{}}]}]}}`, "paquete 1, notificación 1: jugada desconocida: «dances»"},
		{"es", `{"data":{"logs":[{"data":[{"type":"move","log":" places a ring on ","args":{"player_id":1,"locationTo":"E5"}},{"type":"move","log":" places a ring on ","args":{"player_id":2,"locationTo":"E5"}}]}]}}`, "paquete 1, notificación 2, jugada 2: "},
	} {
		look[bool](b, fmt.Sprintf("(localStorage.setItem('gyre.settings', JSON.stringify({language: '%s'})), true)", test.language))
		b.reload()
		b.openText(test.text)
		b.awaitText(id("open-error"), test.want)
	}
}

// TestBrowserLink copies the link to a game and opens it in another profile.
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

// mustTurn parses a turn in a position with the standard rules.
func mustTurn(t testing.TB, start, word string) position.Turn {
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

// copied returns the text that a button in the dialog of games copies.
func (b *tab) copied(selector string) string {
	b.t.Helper()
	look[bool](b, `(Object.defineProperty(navigator, 'clipboard', {configurable: true,
		value: {writeText: async (text) => { window.copied = text; }}}), true)`)
	b.click("#games")
	b.click(selector)
	b.await("something to be copied", "typeof window.copied === 'string'")
	return look[string](b, "window.copied")
}

// TestBrowserVariations goes back, plays another turn, and finds both lines.
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

// TestBrowserBadLink opens damaged links, in a game and in a new tab. The page shows the turns that
// are legal and reports the error; without any, its game continues.
func TestBrowserBadLink(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.at("standard", twoCross))
	follow := func(fragment string) {
		t.Helper()
		look[bool](b, fmt.Sprintf("(location.hash = %q, true)", fragment))
	}
	follow("room=ab-c%26seat%3Ddef")
	b.awaitText("#notices", "damaged")
	follow("rules=standard&start=hello&turns=f6")
	b.awaitText("#notices", "three fields")
	b.enter(mustTurn(t, twoCross, "f5-h7;xc5-g5xb2"), b.click)
	b.awaitTurn("f5-h7;xc5-g5xb2")
	b.position(position.Standard, twoCross)
	follow("rules=standard&turns=f6,e5,g6,e5,d4")
	b.awaitText("#notices", "e5 is not free")
	b.awaitPly(3)
	follow("rules=standard&turns=f6,e5%29.")
	b.awaitPly(2)
	if notices := b.text("#notices"); notices != "" {
		t.Errorf("there is a notice: %s", notices)
	}

	fresh := newTab(t)
	fresh.visit(s.at("standard", "", "f6", "f6"))
	fresh.awaitText("#notices", "f6 is not free")
	fresh.awaitPly(1)
	fresh.awaitState("place")
	fresh.click(at("e5"))
	fresh.awaitPly(2)
	fresh.position(position.Standard, position.StartText)
	fresh.openText(s.at("blitz", "", "f6", "e5", "g6"))
	fresh.awaitPly(3)
}

// TestBrowserDelete deletes a variation from its second turn on, and undoes that.
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

// own selects the games in the list that belong to no collection.
const own = `[...document.querySelectorAll('#game-list > ul [data-testid=open-game], ul#game-list [data-testid=open-game]')]`

// openFiles opens files with the dialog of games.
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

// openText opens a text with the dialog of games.
func (b *tab) openText(text string) {
	b.t.Helper()
	b.click("#games")
	b.fill(id("paste"), text)
	b.click(id("open-paste"))
}

// fileOf writes a temporary file.
func fileOf(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestBrowserCollection opens a file of many games. They are added to the existing games, and all
// can be saved.
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
	// Deleting can be undone.
	b.click(id("delete-collection"))
	b.awaitText("#game-list summary", "many.txt · 1 game") // the open one
	b.click("#games-dialog [data-close]")
	b.click(`[data-notice=undo] [data-testid=notice-action]`)
	b.click("#games")
	b.awaitText("#game-list summary", fmt.Sprintf("many.txt · %d games", games))
}

// TestBrowserBadFiles opens several files. One is invalid and one partly so. The page names it and
// opens the rest.
func TestBrowserBadFiles(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", twoCross))
	bad := fileOf(t, "bad.txt", "hello\n")
	part := fileOf(t, "part.txt", "[White \"One\"]\n\n1.f6 2.e5 *\n\n[White \"Two\"]\n\n1.f6\n2.f6 *\n\n[White \"Three\"]\n\n1.g6 *\n")
	b.openFiles(bad, part)
	b.awaitText(id("open-error"), "bad.txt: turn 1")
	b.awaitText(id("open-error"), "part.txt: line 8")
	b.awaitText("#game-list summary", "part.txt · 3 games") // the second one up to its illegal turn
	b.awaitPly(2)
}

// TestBrowserTooLong opens a text that is longer than the server accepts. The page reports it, and
// the board still works.
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

// TestBrowserNoEmptyGames visits the page several times without playing. It stores no games.
func TestBrowserNoEmptyGames(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.address)
	b.reload()
	other := b.secondTab()
	other.visit(s.address)
	other.click("#games")
	other.await("the list", `document.querySelector('#game-list').childElementCount > 0`)
	if titles := look[[]string](other, own+`.map((button) => button.textContent)`); len(titles) > 0 {
		t.Errorf("games without turns are stored: %q", titles)
	}
}

// TestBrowserStoreFull plays while the browser's storage is full. The page reports it, the game
// survives a reload, and is stored once there is room.
func TestBrowserStoreFull(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...))
	look[bool](b, `(window.put = IDBObjectStore.prototype.put, IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); }, true)`)
	b.move("f3", "f2")
	b.awaitPly(len(middleGame) + 1)
	b.awaitText("#notices", "cannot be saved now: the browser’s storage is full")
	b.reload()
	b.awaitPly(len(middleGame) + 1)
	b.move("d4", "d5")
	b.await("the notice to go", `!document.querySelector('[data-notice=keeping]')`)
}

// TestBrowserStoreDamaged reloads the page with its game damaged in the store, and with a store
// that cannot be opened. The open game is not lost, and the page reports the error.
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
	b.awaitText("#notices", "cannot be saved now: the browser’s database is damaged")
	b.click("#games")
	b.awaitText("#game-list", "cannot be saved or read now: the browser’s database is damaged")
	b.click(id("back-up"))
	b.awaitText("#copied", "This is not possible now: the browser’s database is damaged")
	b.click("#games-dialog [data-close]")
	b.reload()
	b.awaitTurn("d4-d5")
	b.position(position.Standard, position.StartText)
}

// saved returns the content of the file that a button saves.
func (b *tab) saved(selector string) []byte {
	b.t.Helper()
	content, err := os.ReadFile(b.download(func() { b.click(selector) }))
	if err != nil {
		b.t.Fatal(err)
	}
	return content
}

// TestBrowserLibrary saves a game with a note as SGF, all games as one file, and pictures. It opens
// the files, and a replay log, in another profile.
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
	read, err := gametext.Read(sgf, "", nil)
	if err != nil || len(read.Games) != 1 || len(read.Games[0].Path.Turns) != len(middleGame) || read.Games[0].Comments[fmt.Sprint(len(middleGame))] != "here ] it turned" {
		t.Errorf("%+v, %v:\n%s", read, err, sgf)
	}
	backup := b.download(func() { b.click(id("back-up")) })
	b.images()

	other := newTab(t)
	other.visit(s.address)
	other.openFiles(backup)
	other.awaitText("#copied", "One game added.")
	other.click("#games-dialog [data-close]")
	other.inStore(`{ const {result, ...older} = game; games.put(older); }` + damagedGame)
	other.openFiles(backup)
	other.awaitText("#copied", "0 games added; 1 already here.")
	other.undoneDelete()
	other.click(id("open-game"))
	other.awaitPly(len(middleGame))
	other.awaitText("#turns", "here ] it turned")
	log, err := filepath.Abs("../../position/bga/testdata/game3.json")
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

// inStore runs a script on the stores of games and heads. Its variable game is a game's value.
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

// undoneDelete deletes the first game, which another tab then stores again, and undoes the
// deletion. Both versions exist then.
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

// images saves the position as SVG and PNG, and the game as GIF.
func (b *tab) images() {
	b.t.Helper()
	b.click(id("image"))
	b.await("the picture", `document.querySelector('[data-testid=image-preview]')?.naturalWidth > 0`)
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
	if info, err := file.Stat(); err != nil || info.Size() > 200_000 {
		b.t.Errorf("the picture has %d bytes, %v, want at most 200,000", info.Size(), err)
	} else {
		b.t.Logf("the picture has %d bytes", info.Size())
	}
	colors := map[uint32]bool{}
	for x := range 800 {
		r, _, _, _ := still.At(x, 400).RGBA()
		colors[r] = true
	}
	if len(colors) < 20 {
		b.t.Errorf("the picture is blank: %d colors across", len(colors))
	}
	b.fill(id("image-size"), "480")
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
	b.fill(id("image-size"), "800")
	for _, theme := range []string{"wood", "slate"} {
		look[bool](b, fmt.Sprintf("Boolean(document.documentElement.dataset.board = %q)", theme))
		picture := b.saved(id("image-png"))
		b.t.Logf("%s: the picture has %d bytes", theme, len(picture))
		if len(picture) > 200_000 {
			b.t.Errorf("%s: the picture has %d bytes, want at most 200,000", theme, len(picture))
		}
	}
	look[bool](b, `(CanvasRenderingContext2D.prototype.getImageData = () => { throw new Error('the browser makes no picture of this size'); }, true)`)
	b.click(id("image-png"))
	b.awaitText(id("image-said"), "This is not possible now: the browser cannot make a picture")
}

// TestBrowserGameList opens the list of games on a phone. Each row has the result and a picture of the
// last position. No dialog focuses a text field, which would raise the keyboard.
func TestBrowserGameList(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.asPhone()
	b.visit(serveSite(t).at("blitz", twoCross, "f5-h7;xc5-g5xb2") + "&white=Ann&black=Bob")
	b.awaitState("over")
	for _, dialog := range []string{"new-game", "settings", "help", "games"} {
		b.tap("#" + dialog)
		b.await("the dialog", `document.querySelector('dialog[open]')`)
		if focused := look[string](b, `document.activeElement.matches('input:not([type=radio], [type=checkbox]), textarea') ? document.activeElement.outerHTML : ''`); focused != "" {
			t.Errorf("%s raises the keyboard for %s", dialog, focused)
		}
		if dialog != "games" {
			b.tap("dialog[open] [data-close]")
		}
	}
	b.awaitText(id("game-outcome"), "White won")
	b.do("becoming a wider phone", chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulatePortrait)) // narrow ones show no pictures
	b.await("a picture of the last position", `document.querySelectorAll('#game-list .miniature circle').length > 5`)
	b.isWhole("the list of games")
}

// TestBrowserEditor sets up a position with clicks, a drag and keys, sees its problems, and plays
// from it.
func TestBrowserEditor(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.click("#games")
	b.click(id("editor"))
	b.await("the editor alone", `document.querySelector('#editor-panel')?.checkVisibility() && !document.querySelector('dialog[open]')`)
	for _, tab := range []string{"turns", "analysis", "review", "learn"} {
		b.press(kb.Escape)
		b.click("#tab-" + tab)
		b.await(tab, fmt.Sprintf(`document.querySelector('#panel-%s').checkVisibility()`, tab))
		b.click("#games")
		b.click(id("editor"))
		b.await("the editor instead of "+tab, `[...document.querySelectorAll('aside .panel')].filter((panel) => panel.checkVisibility()).map(({ id }) => id).join() === 'editor-panel'`)
	}
	b.click(id("editor-empty"))
	b.awaitText(id("editor-said"), "Place a ring (1 of 5).")
	on := func(point string) string { return fmt.Sprintf(`#editor-board [data-point=%q]`, point) }
	for tool, points := range map[string][]string{"W": {"a2", "a3", "b1", "c1", "f6"}, "B": {"k7", "k8", "k9", "k10", "j10"}} {
		b.click(id("tool-" + tool))
		for _, point := range points {
			b.click(on(point))
		}
	}
	b.awaitText(id("editor-said"), "Move one of your rings.")
	b.click(id("tool-b"))
	for _, point := range []string{"d2", "d3", "d4", "d5", "d6"} {
		b.click(on(point))
	}
	b.awaitText(id("editor-said"), "Not playable: the player who moved last has not removed the row d2-d6.")
	b.click(id("editor-back"))
	from, to := b.find(on("d5")), b.find(on("e6"))
	b.do("dragging d5 to e6", chromedp.DragAndDropXY(from.X, from.Y, to.X, to.Y, 5))
	look[bool](b, fmt.Sprintf(`(document.querySelector(%q).focus(), true)`, on("e7")))
	b.press("4", kb.Enter)
	b.await("the marker", `document.querySelector('#editor-board [data-point=e7]').getAttribute('aria-label') === 'e7, black marker'`)
	right := b.find(on("e7"))
	b.do("pressing the right button on e7", chromedp.MouseClickXY(right.X, right.Y, chromedp.ButtonRight))
	b.await("no marker", `document.querySelector('#editor-board [data-point=e7]').getAttribute('aria-label') === 'e7, vacant'`)
	b.become(sizes[6])
	b.isWhole("the editor on a phone")
	b.tap(id("tool-b"))
	b.tap(on("e7"))
	b.awaitText(id("editor-said"), "Move one of your rings.")
	b.press(kb.Escape)
	b.await("the game", `!document.querySelector('#editor-panel').checkVisibility() && document.querySelector('#board').checkVisibility({visibilityProperty: true})`)
	b.tap("#games")
	b.tap(id("editor"))
	b.become(sizes[1])
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

// TestBrowserEmbed opens a game with ?embed, as in a frame of another site. It shows the board,
// the turns and the buttons to step through them, and leads to the same game on the whole page.
func TestBrowserEmbed(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	link := s.at("standard", "", middleGame...)
	b.visit(strings.Replace(link, "#", "?embed&white=Ann#", 1))
	b.awaitPly(len(middleGame))
	const shown = `['#new-game', '#notation', '.tab-row', '#resign', '#board', '#player-w', '#panel-turns', '#go-back', '#full-board']
		.filter((name) => document.querySelector(name).getClientRects().length > 0).join(' ')`
	if got, want := look[string](b, shown), "#board #player-w #panel-turns #go-back #full-board"; got != want {
		t.Errorf("shown: %s, want %s", got, want)
	}
	if got, want := look[string](b, `document.querySelector('#full-board').href`), strings.Replace(link, "#", "?white=Ann#", 1); got != want {
		t.Errorf("the whole page is at %s, want %s", got, want)
	}
	b.click("#go-back")
	b.awaitPly(len(middleGame) - 1)
	b.inspectApart(t, "embedded")
	b.reload()
	b.awaitPly(len(middleGame))
	if got, want := look[string](b, shown), "#board #player-w #panel-turns #go-back #full-board"; got != want {
		t.Errorf("shown after reloading the frame: %s, want %s", got, want)
	}
	// A frame holds all that it shows, without scrolling: the current turn, too, if there is room.
	for _, frame := range []struct {
		screen
		shown string
	}{
		{screen{"frame", 480, 640, false}, "#board #go-back #turn-board #turns [aria-current]"},
		{screen{"phone", 390, 800, false}, "#board #go-back #turn-board #turns [aria-current]"},
		{screen{"wide frame", 640, 360, false}, "#board #go-back #turn-board #turns [aria-current]"},
		{screen{"small frame", 390, 390, false}, "#board #go-back #turn-board"},
	} {
		b.become(frame.screen)
		b.visit(strings.Replace(link, "#", "?embed#", 1))
		b.awaitPly(len(middleGame))
		const whole = `['#board', '#go-back', '#turn-board', '#turns [aria-current]'].filter((name) => {
			const element = document.querySelector(name);
			const [box, panel] = [element, document.querySelector('#panel-turns')].map((shown) => shown.getBoundingClientRect());
			return element.checkVisibility() && box.top >= 0 && box.bottom <= innerHeight && (!element.closest('#panel-turns') || box.top >= panel.top && box.bottom <= panel.bottom + 1);
		}).join(' ') + (document.documentElement.scrollHeight > innerHeight ? ', and it scrolls' : '')`
		if got := look[string](b, whole); got != frame.shown {
			t.Errorf("a %s shows %s, want %s", frame.name, got, frame.shown)
		}
	}
}

// TestBrowserExplorer plays an opening from the explorer's turns, counts the user's games, and opens it below the engine's lines.
func TestBrowserExplorer(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.at("standard", ""))
	const ways = `[...document.querySelectorAll('#explorer-ways tr')].map((row) => row.textContent)`
	b.click(id("openings"))
	b.await("the first turns", ways+`.length > 3`)
	first := look[[]string](b, ways)
	// The second click comes before the rows of the next position.
	look[bool](b, `((row) => { row.click(); row.click(); return true; })(document.querySelector('#explorer-ways `+id("explorer-turn")+`'))`)
	b.awaitPly(1)
	b.await("one turn", `document.querySelectorAll('#turns > button').length === 1`)
	b.await("other turns", ways+`.length > 0 && `+ways+`[0] !== `+fmt.Sprintf("%q", first[0]))
	b.fill(id("explorer-games"), "mine")
	b.awaitText(id("explorer-said"), "None of your finished games continue from here.")
	b.click(id("explorer-back"))
	b.awaitPly(0)
	b.inStore(damagedGame)
	b.openFiles(fileOf(t, "won.sgf", "(;SU[Yinsh];P0[1 place wr e 5];P1[2 place br f 6];P0[3 Resign])"))
	b.awaitPly(2)
	b.click("#go-first")
	b.awaitPly(0)
	b.click(id("openings"))
	b.await("the game", ways+`.length === 1 && `+ways+`[0].includes('0%')`)
	b.awaitText(id("explorer-said"), "One game could not be counted.")

	other := newTab(t)
	other.visit(s.at("standard", "", middleGame...))
	other.become(sizes[1])
	other.click("#analysis")
	other.await("three lines", `document.querySelectorAll('[data-testid=lines] > li').length === 3`)
	other.click(id("openings"))
	other.await("the way back to be in view below the engine's lines", `((back, panel) => document.querySelector('#explorer-back').checkVisibility() && back.top >= panel.top && back.bottom <= panel.bottom)(
		document.querySelector('#explorer-back').getBoundingClientRect(), document.querySelector('#panel-analysis').getBoundingClientRect())`)
}

// TestBrowserFind searches 10,000 stored games by words, player, result and source, and names one and tags
// it. Finding reads the games in pieces, so that no task blocks the page for long.
func TestBrowserFind(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...) + "&white=Ann&black=Bob")
	b.click("#games")
	b.await("the stored game", `document.querySelector('[data-testid=open-game]')`)
	b.click("#games-dialog [data-close]")
	b.inStore(`for (let i = 0; i < 10000; i++) {
		const one = {...game, id: 'g' + i, title: 'Player ' + i % 100 + ' – Player ' + i % 7 + ', standard, 2026.01.01', titleNames: ['Player ' + i % 100, 'Player ' + i % 7], outcome: ['w', 'b', 'd', ''][i % 4], collection: i % 2 ? 'club.txt' : '', changed: i};
		games.put(one);
		const {tree, ...head} = one;
		heads.put({...head, revision: 1});
	}`)
	b.click("#games")
	found := func(what string, count int) {
		t.Helper()
		text := fmt.Sprintf("%d games found", count)
		if count >= 1000 {
			text = fmt.Sprintf("%d,%03d games found", count/1000, count%1000)
		}
		if count == 1 {
			text = "1 game found"
		}
		b.await(what, fmt.Sprintf(`document.querySelector('[data-testid=found-games]')?.textContent === %q`, text))
	}
	look[bool](b, `(window.longest = 0, new PerformanceObserver((list) => list.getEntries().forEach(({duration}) => (window.longest = Math.max(window.longest, duration)))).observe({type: 'longtask'}), true)`)
	b.fill(id("find-words"), "player 42 –")
	found("one player of White", 100)
	b.fill(id("find-result"), "d")
	found("the draws", 100)
	b.fill(id("find-result"), "w")
	b.awaitText("#game-list", "No games match")
	b.fill(id("find-result"), "")
	b.fill(id("find-words"), "")
	b.await("the club in the list of sources", `document.querySelector('#find-source option[value="club.txt"]')`)
	if listed := look[[]string](b, `[...document.querySelectorAll('#find-source option')].slice(2).map((option) => option.value)`); !slices.Equal(listed, []string{"club.txt"}) {
		t.Errorf("the sources are %q", listed)
	}
	b.fill(id("find-source"), "club.txt")
	found("the club's games", 5000)
	if rows := look[int](b, `document.querySelectorAll('[data-testid=open-game]').length`); rows != 40 {
		t.Errorf("%d rows are shown at first", rows)
	}
	t.Logf("the longest task took %d ms", look[int](b, `Math.round(window.longest)`))
	// The heads are read once, and at most 200 at a time.
	look[bool](b, `(window.reads = 0, (() => {
		const {getAll} = IDBObjectStore.prototype;
		IDBObjectStore.prototype.getAll = function (...args) { window.reads++; return getAll.apply(this, args); };
	})(), true)`)
	b.fill(id("find-source"), "")
	b.await("the whole list", `!document.querySelector('[data-testid=found-games]')`)
	look[bool](b, `(document.querySelector('#find-player').focus(), true)`)
	b.await("the players with the most games", `document.querySelectorAll('#find-players option').length === 102`)
	first := look[int](b, `window.reads`)
	b.fill(id("find-player"), "player 4")
	found("exactly this player", 1513)
	b.fill(id("find-player"), "yer 42")
	found("a part of a player's name", 100)
	b.fill(id("find-result"), "w")
	b.awaitText("#game-list", "No games match")
	b.fill(id("find-result"), "")
	if reads := look[int](b, `window.reads`); first != 51 || reads != first {
		t.Errorf("the games were read in %d pieces to suggest players, and in %d to search", first, reads-first)
	}
	b.fill(id("find-player"), "")
	b.await("the whole list", `!document.querySelector('[data-testid=found-games]')`)
	b.fill(id("find-words"), "ann")
	found("Ann's game", 1)
	b.click(id("name-game"))
	b.fill(id("game-name"), "The final")
	b.fill(id("game-labels"), "club, final, club")
	b.click(id("save-name"))
	b.awaitText(".own-words", "The final · club and final")
	b.fill(id("find-words"), "final club")
	found("the named game", 1)
	b.fill(id("find-words"), "42 –")
	found("the games of a player", 100)
	b.click(id("name-game"))
	b.fill(id("game-labels"), "lesson")
	b.click(id("save-name"))
	b.fill(id("find-words"), "lesson")
	found("a tag", 1)
	b.inspectApart(t, "found games")
}

// beginLink begins a game by link in the dialog for a new game, as the player with the given
// name.
func (b *tab) beginLink(name, side string) {
	b.t.Helper()
	b.newGame(map[string]string{"new-name": name}, "[name=who][value=link]", fmt.Sprintf("[name=side][value=%s]", side))
}

// lockedHelp checks whether engine, threats, openings and review are locked, also for their keys.
func (b *tab) lockedHelp(want bool) {
	b.t.Helper()
	b.await(fmt.Sprintf("the lock %t", want), fmt.Sprintf(`document.querySelector('#analysis').disabled === %t`, want))
	b.press("a")
	if on := look[bool](b, `document.querySelector('#analysis').getAttribute('aria-checked') === 'true'`); on == want {
		b.t.Errorf("the key turns the engine on: %t", on)
	}
	if want {
		b.press("t")
	}
	if open := look[[]bool](b, `['#analysis', '#threat', '#openings'].map((button) => document.querySelector(button).disabled)`); want && slices.Contains(open, false) || open[0] != want || open[2] != want {
		b.t.Errorf("engine, threat and openings are locked: %v, want %t", open, want)
	}
	b.click("#tab-review")
	b.await("the review's button", fmt.Sprintf(`document.querySelector('[data-testid=review]')?.disabled === %t`, want))
	if title := look[string](b, `document.querySelector('[data-testid=review]').title`); want && !strings.Contains(title, "until this game is over") {
		b.t.Errorf("the review's button says %q", title)
	}
	b.press(map[bool]string{true: "g", false: "a"}[want])
}

// TestBrowserHelpLater begins a game by link while the engine and the openings are shown. They end,
// and the record notes no help. With another game open, several reviews leave it out, too.
func TestBrowserHelpLater(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.click("#tab-analysis")
	b.click("#analysis")
	b.await("lines", `document.querySelectorAll('[data-testid=lines] > li').length`)
	b.click("#openings")
	b.await("the openings", `document.querySelector('#explorer')?.checkVisibility()`)
	b.beginLink("Ann", "w")
	b.awaitState("place")
	b.lockedHelp(true)
	b.click(at("f6"))
	b.shared()
	b.click("#resign")
	b.awaitText("[data-notice=resign]", "Resign this game?")
	b.twoPeople(nil)
	if notices := b.text("#notices"); notices != "" {
		t.Errorf("over another game, a notice asks %q", notices)
	}
	tags := look[string](b, `new Promise((resolve) => (indexedDB.open('gyre').onsuccess = ({target: {result: db}}) => {
		db.transaction('games').objectStore('games').getAll().onsuccess = ({target: {result}}) => (db.close(), resolve(String(result.flatMap(({tags}) => tags))));
	}))`)
	if tags != "White,Ann" {
		t.Errorf("the game by link has the tags %s", tags)
	}
	b.click("#games")
	b.click(id("games-reviews"))
	b.click(id("reviews-start"))
	b.awaitText(id("reviews-said"), "it is being played")
}

// shared returns the link in the dialog, and closes the dialog.
func (b *tab) shared() string {
	b.t.Helper()
	b.await("the dialog with the link", `document.querySelector('#share-dialog')?.open`)
	link := look[string](b, `document.querySelector('[data-testid=share-link]').value`)
	b.click("#share-dialog " + id("close"))
	return link
}

// TestBrowserByLink plays by links between two browsers. Each opens every link in a new tab, as
// from a message. Both keep the game.
func TestBrowserByLink(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	ann, bob := newTab(t), newTab(t)
	ann.visit(s.address)
	ann.beginLink("Ann", "w")
	ann.awaitText("#remote-text", "Your turn")
	ann.awaitState("place")
	ann.click(at("f6"))
	first := ann.shared()
	ann.awaitText("#remote-text", "Waiting for the link")
	if !strings.Contains(first, "turns=f6") || !strings.Contains(first, "white=Ann") || !strings.Contains(first, "game=") || !strings.Contains(first, "board=4/7/8/9/10/4W4/10/9/8/7/4_b_0-0") {
		t.Errorf("the first link is %s", first)
	}
	bob.visit(first)
	bob.awaitPly(1)
	bob.awaitText("#turn-w, #player-w", "Ann")
	bob.awaitText("#remote-text", "Your turn")
	bob.awaitState("place")
	bob.lockedHelp(true)
	bob.reload()
	bob.awaitState("place")
	bob.lockedHelp(true)
	bob.click(at("e5"))
	second := bob.shared()
	// The link opens in a new tab, which takes the game over from the old one.
	again := ann.secondTab()
	again.visit(second)
	again.awaitPly(2)
	again.awaitText("#remote-text", "Your turn")
	ann.awaitText("#notices", "open in another tab")
	again.reload()
	again.awaitPly(2)
	again.awaitState("place")
	again.click(at("f7"))
	third := again.shared()
	again.click(id("remote-share"))
	if got := again.shared(); got != third {
		t.Errorf("the link is %s and later %s", third, got)
	}
	follow := func(link string) {
		t.Helper()
		look[bool](bob, fmt.Sprintf("(location.href = %q, true)", link))
	}
	follow(third)
	bob.awaitPly(3)
	bob.awaitState("place")
	follow(first)
	bob.awaitText("#notices", "older than your game")
	bob.awaitPly(3)
	follow(strings.Replace(third, "f6,e5,f7", "f6,e5,f8,f9", 1))
	bob.awaitText("#notices", "does not continue your game")
	bob.awaitPly(3)
	if got := bob.turns(); !slices.Equal(got, []string{"f6", "e5", "f7"}) {
		t.Errorf("the game became %v", got)
	}
	follow(strings.Replace(third, "f6,e5,f7", "f6,e5,f6", 1))
	bob.awaitText("#notices", "turn 3")
	bob.click(at("d5"))
	bob.shared()
	bob.click("#resign")
	bob.click("[data-notice=resign] " + id("notice-action"))
	last := bob.shared()
	bob.awaitText("#end-result", "White wins")
	look[bool](again, fmt.Sprintf("(location.href = %q, true)", last))
	again.awaitText("#end-result", "White wins")
	if got := again.turns(); len(got) != 4 {
		t.Errorf("the game ends with %v", got)
	}
}

// TestBrowserRoom plays in a room between two browsers, with a spectator, reloads, and a restart
// of the server. The finished game is in the file.
func TestBrowserRoom(t *testing.T) {
	serverOnly(t)
	t.Parallel()
	file := filepath.Join(t.TempDir(), "club.txt")
	s := serveSite(t, "-rooms", file)
	ann, bob, eve := newTab(t), newTab(t), newTab(t)
	ann.visit(s.address)
	ann.newGame(map[string]string{"new-name": "Ann", "new-clock": "10+5"}, "[name=who][value=room]", "[name=side][value=w]")
	ann.await("the dialog with the link", `document.querySelector('#share-dialog')?.open`)
	ann.fill(id("share-kinds"), "watch")
	watch := look[string](ann, `document.querySelector('[data-testid=share-link]').value`)
	ann.fill(id("share-kinds"), "play")
	invitation := ann.shared()
	if !strings.HasPrefix(invitation, watch+"&seat=") {
		t.Fatalf("the links are %s and %s", invitation, watch)
	}
	ann.awaitText("#remote-text", "Waiting for your opponent")
	bob.visit(invitation)
	bob.awaitText("#remote-text", "Ann is here")
	ann.awaitText("#remote-text", "is here")
	eve.visit(watch)
	eve.awaitText("#remote-text", "You are watching")
	ann.awaitText("#remote-text", "1 spectator")
	all := []*tab{ann, bob, eve}
	turn := func(b *tab, point string, ply int) {
		t.Helper()
		b.awaitState("place")
		b.click(at(point))
		for _, b := range all {
			b.awaitPly(ply)
		}
	}
	turn(ann, "f6", 1)
	turn(bob, "e5", 2)
	ann.lockedHelp(true)
	bob.lockedHelp(true)
	eve.lockedHelp(false)
	ann.awaitText("#prompt", "White, your turn")
	ann.awaitText(id("name-w"), "Ann (you)")
	bob.awaitText(id("name-b"), "You")
	ann.awaitText("#remote-text", "Your opponent is here")
	ann.await("a running clock", `document.querySelector('[data-testid=clock-w].runs')`)
	for i, b := range all {
		b.reload()
		b.awaitPly(2)
		if state := []string{"place", "theirs", "theirs"}[i]; state != "" {
			b.awaitState(state)
		}
	}
	turn(ann, "f7", 3)
	s.stop()
	bob.awaitText("#notices", "lost")
	bob.awaitState("place")
	bob.click(at("d5")) // is sent after the restart
	s.restart()
	for _, b := range all {
		b.awaitPly(4)
	}
	ann.awaitState("place")
	ann.recordMessages()
	turn(ann, "e4", 5)
	if sent := look[[]string](ann, "window.sent.sort()"); !slices.Equal(sent, []string{"game", "play"}) {
		t.Errorf("for a turn in a room the page has sent %q", sent)
	}
	eve.inspectApart(t, "watching a room")
	ann.click("#resign")
	ann.awaitText("[data-notice=resign]", "Resign this game?")
	bob.click("#resign")
	bob.click("[data-notice=resign] " + id("notice-action"))
	for _, b := range all {
		b.awaitText("#end-result", "White wins")
	}
	ann.await("no question after the game", `!document.querySelector('[data-notice=resign]')`)
	ann.lockedHelp(false)
	ann.click("#tab-end")
	ann.click(id("end-rematch"))
	for _, b := range []*tab{bob, ann} {
		b.click("[data-notice=rematch] " + id("notice-action"))
		b.awaitPly(0)
	}
	bob.awaitState("place")
	// Without a seat nobody plays, and a wrong link shows nothing.
	if got := eve.text("#remote-text"); !strings.Contains(got, "watching") || look[bool](eve, `!document.querySelector('#resign').hidden`) {
		t.Errorf("the spectator sees %q", got)
	}
	stranger := newTab(t)
	stranger.visit(watch + "X")
	stranger.awaitText("#notices", "does not exist")
	// With too many tabs at a seat, the oldest one says why it no longer follows the game.
	stranger.visit(invitation)
	stranger.awaitText("#end-result", "White wins")
	look[bool](stranger, fmt.Sprintf(`(async () => {
		const [, room, key] = /room=(\w+)&seat=(\w+)/.exec(%q)
		const token = await (await fetch('token')).text()
		window.tabs = Array.from({length: 8}, () => new WebSocket(location.origin.replace('http', 'ws') + '/socket', ['gyre', 'token.' + token]))
		for (const tab of tabs) tab.onopen = () => tab.send(JSON.stringify({id: 1, do: 'enter', room, key}))
		return true
	})()`, invitation))
	stranger.awaitText("#notices", "Close another tab")
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	games, err := record.NewReader(in).ReadAll()
	if err != nil || len(games) != 1 || len(games[0].Turns) != 5 || games[0].Tag("White") != "Ann" || games[0].Tag("Termination") != "resignation" {
		t.Errorf("the results are %+v, %v", games, err)
	}
}

// TestBrowserOffers finishes two games. After the first, the page offers sound and, as the browser
// can, to install it. After the second it offers nothing.
func TestBrowserOffers(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	look[bool](b, `dispatchEvent(Object.assign(new Event('beforeinstallprompt', {cancelable: true}), {prompt: () => (window.prompted = true)})) || true`)
	b.twoPeople(nil, "f6", "e5")
	b.click("#resign")
	b.await("the offers", `document.querySelectorAll('[data-testid=offers] p').length === 2`)
	b.inspectApart(t, "offers")
	b.become(screens[0])
	b.click(id("offer-install"))
	b.await("the browser's dialog", `window.prompted`)
	b.click(id("offer-sound"))
	if got := look[string](b, `JSON.parse(localStorage.getItem('gyre.settings')).sound`); got != "on" {
		t.Errorf("sound is %q", got)
	}
	b.twoPeople(nil, "f6", "e5")
	b.click("#resign")
	b.awaitText("#end-result", "wins")
	b.reload()
	b.awaitText("#end-result", "wins")
	if look[bool](b, `Boolean(document.querySelector('[data-testid=offers] p'))`) {
		t.Error("the page repeats its offers")
	}
}
