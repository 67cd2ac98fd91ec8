package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gyre/bench/browsertest"
	"gyre/bench/puzzles"
	"gyre/cmd/gyre-board/internal/export"
	"gyre/position"
)

// These tests check what the page does when something fails: storage that is blocked, full
// or damaged, a network that is cut, and input that comes too early.

// newBlockedTab opens a tab of a browser that blocks all site data: cookies, localStorage,
// IndexedDB, locks and service workers.
func newBlockedTab(t *testing.T) *tab {
	t.Helper()
	path := browsertest.Chromium(t)
	profile := t.TempDir()
	if err := os.Mkdir(filepath.Join(profile, "Default"), 0o700); err != nil {
		t.Fatal(err)
	}
	const preferences = `{"profile":{"default_content_setting_values":{"cookies":2}}}`
	if err := os.WriteFile(filepath.Join(profile, "Default", "Preferences"), []byte(preferences), 0o600); err != nil {
		t.Fatal(err)
	}
	options := append(browsertest.Options(path), chromedp.UserDataDir(profile))
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

// TestBrowserBlockedStorage plays against an engine in browsers that block all site data. The page
// works, says once that it stores nothing, and its parts open.
func TestBrowserBlockedStorage(t *testing.T) {
	t.Parallel()
	blocked := map[string]func(*testing.T) *tab{
		"Chromium": newBlockedTab,
		"Firefox": func(t *testing.T) *tab {
			return newFoxTab(t, "user_pref(\"network.cookie.cookieBehavior\", 2);\n")
		},
	}
	for name, open := range blocked {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			playBlocked(t, open(t))
		})
	}
}

// playBlocked plays in a tab of a browser that blocks all site data.
func playBlocked(t *testing.T, b *tab) {
	t.Helper()
	b.visit(serveSite(t).address)
	if !look[bool](b, `(() => { try { return !localStorage } catch { return true } })()`) {
		t.Fatal("this browser does not block site data")
	}
	b.awaitText("#notices", "nothing is saved")
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
	// What needs the database says why it has nothing, in the words of the page.
	const why = "the browser blocks site data"
	b.click("#games")
	b.awaitText("#game-list", why)
	b.click(id("games-reviews"))
	b.awaitText(id("reviews-said"), why)
	b.click("#reviews-dialog [data-act=close]")
	b.click("#games-dialog [data-close]")
	b.click(id("openings"))
	b.fill(id("explorer-games"), "mine")
	b.awaitText(id("explorer-said"), why)
	b.openRating()
	b.awaitText(id("rating-now"), why)
	b.press(kb.Escape)
	// The progress in puzzles and missed moments last for the visit.
	set, err := puzzles.Set()
	if err != nil {
		t.Fatal(err)
	}
	b.openPuzzles()
	b.solve(b.puzzle(set), b.click)
	b.awaitText(id("puzzle-rating"), "Streak 1, best 1. Solved 1 of 1.")
	b.click(id("puzzle-next"))
	b.awaitPuzzle("yours")
	b.solve(b.puzzle(set), b.click)
	b.awaitText(id("puzzle-rating"), "Streak 2, best 2. Solved 2 of 2.")
	b.click(id("puzzles-close"))
	b.awaitPly(2)
	b.openLost()
	b.click("#moments .cards button")
	b.awaitHint("a2", "place your ring")
	b.click(at("a2"))
	b.awaitText(id("moment-said"), "a2 is the turn that you played.")
	look[bool](b, `((later) => (Date.now = () => later, document.dispatchEvent(new Event('visibilitychange')), true))(Date.now() + 48 * 3600_000)`)
	b.await("the badge of the moment", `document.querySelector('[data-testid=due]')?.checkVisibility()`)
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
	other := b.secondTab()
	other.visit(s.at("standard", "", middleGame...))
	other.awaitPly(len(middleGame))
	other.press("t")
	other.awaitText(id("threat-text"), "threatens ")
	if notices := b.text("#notices"); notices != "" {
		t.Errorf("there is a notice: %s", notices)
	}
}

// serveExport serves the exported page by a handler, which gets the page's folder and the server of its
// files. It returns the address.
func serveExport(t *testing.T, handle func(w http.ResponseWriter, r *http.Request, folder string, files http.Handler)) (address string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "board")
	if err := export.WriteFolder(t.Context(), folder, exported(t)); err != nil {
		t.Fatal(err)
	}
	files := http.FileServer(http.Dir(folder))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handle(w, r, folder, files)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// serveProgram serves the exported page from a folder. Requests for the program go to a
// function, and there is no service worker, which would load the program, too.
func serveProgram(t *testing.T, program func(w http.ResponseWriter, r *http.Request, file string)) (address string) {
	t.Helper()
	return serveExport(t, func(w http.ResponseWriter, r *http.Request, folder string, files http.Handler) {
		switch name := strings.TrimPrefix(r.URL.Path, "/"); {
		case name == "sw.js":
			http.NotFound(w, r)
		case strings.HasPrefix(name, "program-"):
			program(w, r, filepath.Join(folder, name))
		default:
			files.ServeHTTP(w, r)
		}
	})
}

// forgiveLoading makes the end of the test ignore errors about files that could not be loaded.
func (b *tab) forgiveLoading() {
	b.t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.errors = slices.DeleteFunc(b.errors, func(text string) bool {
			return strings.Contains(text, "Failed to load resource") || strings.Contains(text, "fetching the script")
		})
	})
}

// TestStaticInterruptedDownload cuts the connection at five places of the program. The page
// says so, asks for the rest alone, shows the progress, and works at last.
func TestStaticInterruptedDownload(t *testing.T) {
	for _, part := range []float64{0, 0.01, 0.25, 0.5, 0.99} {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			interruptDownload(t, part)
		})
	}
}

// interruptDownload cuts the connection after a part of the program.
func interruptDownload(t *testing.T, part float64) {
	b := newTab(t)
	b.forgiveLoading()
	requests := make(chan string, 100) // the ranges asked for after the cut
	cut := make(chan struct{})         // closed to cut the connection
	rest := make(chan struct{})        // closed when the rest may come
	served := false
	address := serveProgram(t, func(w http.ResponseWriter, r *http.Request, file string) {
		if served {
			requests <- r.Header.Get("Range")
			<-rest
			http.ServeFile(w, r, file)
			return
		}
		served = true
		content, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(content)))
		_, _ = w.Write(content[:int(part*float64(len(content)))])
		w.(http.Flusher).Flush()
		<-cut
		panic(http.ErrAbortHandler)
	})
	interrupt := sync.OnceFunc(func() { close(cut) })
	t.Cleanup(interrupt)
	release := sync.OnceFunc(func() { close(rest) })
	t.Cleanup(release)
	b.do("opening the page", chromedp.Navigate(address))
	if part > 0 {
		b.awaitText("#notices", "Downloading")
		b.await("the progress", fmt.Sprintf(`document.querySelector('#notices progress').value >= %v * document.querySelector('#notices progress').max - 1`, part))
	}
	interrupt()
	b.awaitText("#notices", "Download interrupted. It will resume when the network is back.")
	if bar := look[float64](b, `(({value, max}) => value / max)(document.querySelector('#notices progress'))`); bar > part || bar < part-0.01 {
		t.Errorf("%.2f of the program is shown as %.2f of it", part, bar)
	}
	if asked := <-requests; (part > 0) != strings.HasPrefix(asked, "bytes=") || asked == "bytes=0-" {
		t.Errorf("the page asks for %q", asked)
	}
	release()
	b.ready()
	b.await("no notice", `document.querySelector('#notices').childElementCount === 0`)
	if len(requests) > 0 {
		t.Errorf("the page asks again: %q", <-requests)
	}
}

// TestStaticCutNetwork cuts the network during the page's first visit, before the script
// that draws the board. The page has its style, and says what is missing.
func TestStaticCutNetwork(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.forgiveLoading()
	address := serveExport(t, func(w http.ResponseWriter, r *http.Request, _ string, files http.Handler) {
		if came := []string{"/", "early.js", "page.css"}; !slices.Contains(came, path.Base(r.URL.Path)) {
			panic(http.ErrAbortHandler)
		}
		files.ServeHTTP(w, r)
	})
	b.do("opening the page", chromedp.Navigate(address))
	b.awaitText("#prompt", "is missing. Check your connection, and reload the page.")
	if sheets := look[int](b, `document.styleSheets.length`); sheets != 1 {
		t.Errorf("the page has %d style sheets, want 1", sheets)
	}
	if bar := b.boxOf(".top"); bar.Bottom-bar.Top > 80 {
		t.Errorf("the head of the page is %.0f pixels high", bar.Bottom-bar.Top)
	}
}

// TestStaticWrongType loads the page from a server that sends its modules as plain text. The page says so.
func TestStaticWrongType(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.forgiveLoading()
	address := serveExport(t, func(w http.ResponseWriter, r *http.Request, _ string, files http.Handler) {
		if name := path.Base(r.URL.Path); strings.HasSuffix(name, ".js") && name != "early.js" {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		}
		files.ServeHTTP(w, r)
	})
	b.do("opening the page", chromedp.Navigate(address))
	b.awaitText("#prompt", "as text/plain. The owner of this site has to correct")
	b.mu.Lock()
	defer b.mu.Unlock()
	b.errors = slices.DeleteFunc(b.errors, func(text string) bool { return strings.Contains(text, "MIME type") })
}

// TestStaticEarlyInput clicks, types and draws on a page that is still waiting for its
// program. It throws no error, and does what was asked for once it is ready.
func TestStaticEarlyInput(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.forgiveLoading()
	program := make(chan struct{})
	release := sync.OnceFunc(func() { close(program) })
	address := serveProgram(t, func(w http.ResponseWriter, r *http.Request, file string) {
		<-program
		http.ServeFile(w, r, file)
	})
	t.Cleanup(release)
	b.do("opening the page", chromedp.Navigate(address))
	b.await("the board", `document.querySelectorAll('.point').length === 85`)
	for _, key := range []string{"n", "l", "r", "u", "f", "a", "t", "d", kb.ArrowLeft, kb.Home, kb.Escape} {
		b.press(key)
	}
	for _, tab := range []string{"turns", "review"} {
		b.click("#tab-" + tab)
	}
	b.click(at("f6"))
	b.click("#tab-analysis")
	release()
	b.ready()
	b.awaitPly(2)
	b.await("the tab", `document.querySelector('#panel-analysis').checkVisibility()`)
}

// TestBrowserForcedColorsState checks that forced colors leave visible which tab is selected, whose
// turn it is, and how many rings are won.
func TestBrowserForcedColorsState(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", mustPass))
	b.media("forced-colors", "active", "prefers-reduced-motion", "reduce")
	const differ = `(one, other, ...properties) => properties.some((property) =>
		getComputedStyle(document.querySelector(one))[property] !== getComputedStyle(document.querySelector(other))[property])`
	for what, pair := range map[string]string{
		"the selected tab": `'#tabs [aria-selected=true]', '#tabs [aria-selected=false]', 'borderTopWidth', 'color'`,
		"the side to move": `'.player.to-move', '.player:not(.to-move)', 'outlineStyle', 'borderTopColor'`,
		"a ring won":       `'.pip.got', '.pip:not(.got)', 'borderTopWidth', 'borderTopStyle'`,
	} {
		if !look[bool](b, "("+differ+")("+pair+")") {
			t.Errorf("%s looks like the others", what)
		}
	}
}

// TestBrowserLinkToGame follows a link that names the players. The page shows their names and
// the turns, and its own link has the names, too.
func TestBrowserLinkToGame(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...) + "&white=Ann%20%26%20Co&black=B%C3%A9la")
	b.awaitPly(len(middleGame))
	b.awaitText(id("name-w"), "Ann & Co")
	b.awaitText(id("name-b"), "Béla")
	b.await("the turns", `document.querySelector('#panel-turns').checkVisibility()`)
	b.click("#games")
	b.click(id("copy-link"))
	b.await("the link", `document.querySelector('#copy-text').value.endsWith('&white=Ann%20%26%20Co&black=B%C3%A9la')`)
	b.await("the position for the picture", `document.querySelector('#copy-text').value.includes('&board=') && new URL(document.querySelector('#copy-text').value).searchParams.get('board').split('/').length === 11`)
}

// TestBrowserFileNames saves a game, whose file names the players and the time, and opens a
// picture, which is no game file.
func TestBrowserFileNames(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).at("standard", "", middleGame...) + "&white=Ann&black=B%C3%A9la%20/%202")
	b.awaitPly(len(middleGame))
	b.click("#games")
	b.click(id("save-record"))
	b.awaitText("#copied", "Saved as yinsh-Ann-Béla-2-2")
	b.press(kb.Escape)
	b.openFiles(fileOf(t, "picture.png", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"))
	b.awaitText(id("open-error"), "picture.png: This is not a game file.")
	if wrong := b.text("#open-error"); strings.Contains(wrong, "turn") {
		t.Errorf("the page says: %s", wrong)
	}
}

// TestBrowserDatabaseRepair opens the page with a database that has lost a part. The page says
// so in words, and repairs it on request: games that can be read are kept.
func TestBrowserDatabaseRepair(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.forgiveLoading()
	s := serveSite(t)
	b.do("opening an empty page", chromedp.Navigate(s.address+"none"))
	look[bool](b, `new Promise((resolve, reject) => {
		const opening = indexedDB.open('gyre', 1);
		opening.onerror = reject;
		opening.onupgradeneeded = () => opening.result.createObjectStore('games', {keyPath: 'id'});
		opening.onsuccess = () => {
			const tx = opening.result.transaction('games', 'readwrite');
			const person = {kind: 'person'};
			tx.objectStore('games').put({id: '1-2', rules: 'standard', start: 'startpos', players: {w: person, b: person}, clock: null, moveTime: 0,
				tags: [['White', 'Ann'], ['Black', 'Ben']], result: '', created: 1e12, changed: 1e12, playing: false, left: null, collection: '',
				title: 'Ann – Ben, standard, today', turns: 1, tree: [{turn: ''}, {turn: 'f6'}], at: [0], live: [0]});
			tx.objectStore('games').put({id: '3-4', tree: 7});
			tx.objectStore('games').put({id: '5-6', tree: []});
			tx.oncomplete = () => (opening.result.close(), resolve(true));
		};
	})`)
	b.visit(s.address)
	b.awaitState("place")
	b.awaitHint("f6", "place your ring")
	b.click(at("f6"))
	b.awaitText("#notices", "the browser’s database is damaged")
	look[string](b, `document.querySelector('[data-notice=keeping]').dataset.first = 'true'`)
	// The games are never only in the memory of the tab, which may be closed at any time.
	look[bool](b, `(indexedDB.deleteDatabase = () => { throw new Error('it would be deleted'); }, true)`)
	b.awaitText("#prompt", "2 of 5") // the engine's turn could not be kept either
	b.click("[data-notice=keeping][data-first] [data-testid=notice-action]")
	b.awaitText("#notices", "One game was kept. 2 games could not be read")
	b.click("#games")
	b.awaitText("#game-list", "Ann – Ben")
	if list := b.text("#game-list"); !strings.Contains(list, "1 turn") {
		t.Errorf("the games are %s", list)
	}
}

// TestBrowserReload reloads the page during a turn. Its steps survive.
func TestBrowserReload(t *testing.T) {
	t.Parallel()
	b := visitPosition(t, twoApart)
	b.move("d8", "h8")
	b.takeRow("d4", "d8", b.click)
	b.awaitState("ring")
	b.reload()
	b.awaitState("ring")
	b.awaitText("#strip", "Row d4 to d8")
	b.click(at("b2"))
	b.takeRow("g4", "g8", b.click)
	b.awaitState("ring")
	b.click(at("b6"))
	b.awaitTurn("d8-h8;xd4-d8xb2;xg4-g8xb6")
	b.reload()
	b.awaitPly(1)
	b.awaitTurn("d8-h8;xd4-d8xb2;xg4-g8xb6")
	b.position(position.Standard, twoApart)
}

// TestBrowserReloadWaits reloads the page while another page still holds the lock of its game.
// The tab waits for the lock and keeps the steps of the current turn. A copy of the game would
// not have them.
func TestBrowserReloadWaits(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.at("standard", twoApart))
	b.move("d8", "h8")
	b.takeRow("d4", "d8", b.click)
	b.awaitState("ring")
	const open = `JSON.parse(sessionStorage.getItem('gyre.tab'))`
	b.await("the step to be kept", open+`.prefix.length === 2`)
	game := look[string](b, open+`.game`)
	holder := b.secondTab()
	holder.visit(s.at("standard", twoCross))
	holder.await("the game to be held", fmt.Sprintf(`(window.held ??= (navigator.locks.request('gyre.game.%[1]s', {steal: true}, () => {
		window.has = true;
		return new Promise((free) => {
			const look = async () => (await navigator.locks.query()).pending.some(({name}) => name === 'gyre.game.%[1]s') ? free() : setTimeout(look, 20);
			look();
		});
	}), true)) && window.has`, game))
	b.reload()
	b.awaitState("ring")
	b.awaitText("#strip", "Row d4 to d8")
	if got := look[string](b, open+`.game`); got != game {
		t.Errorf("the tab has game %s, and had %s", got, game)
	}
}

// TestBrowserReloadAtOnce reloads the page at the moment when it shows another position. That
// position must come back. The clock advances with each call, as it may between two saves.
func TestBrowserReloadAtOnce(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.twoPeople(nil, "f6", "e5")
	const open = `JSON.parse(sessionStorage.getItem('gyre.tab'))`
	b.await("the last turn to be kept", open+`.at.length === 2`)
	look[bool](b, `((now) => {
		Date.now = () => ++now;
		window.left = true;
		document.querySelector('[data-testid=go-back]').click();
		location.reload();
		return true;
	})(Date.now())`)
	b.await("the new page", `!window.left`)
	b.awaitText("#prompt", "looking at turn 1")
}

// reloads is the number of reloads of TestBrowserReloadsByLink.
var reloads = flag.Int("reloads", 5, "reload a game by link at `N` random moments")

// TestBrowserReloadsByLink reloads the page at random moments of games by link: before any step
// of a turn, just after the turn, and before the link is sent. Nothing is lost, and the link
// has all turns.
func TestBrowserReloadsByLink(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	random := rand.New(rand.NewPCG(20, 1))
	players := [2]*tab{newTab(t), newTab(t)}
	visited := [2]bool{}
	done, kinds := 0, map[string]int{}
	for game := 1; done < *reloads; game++ {
		p, err := position.Parse(twoApart, position.Standard)
		if err != nil {
			t.Fatal(err)
		}
		link := s.at("standard", twoApart) + fmt.Sprintf("&white=Ann&black=Bob&game=1-%d", game)
		turn, err := p.ParseTurn("d8-h8;xd4-d8xb2;xg4-g8xb6")
		if err != nil {
			t.Fatal(err)
		}
		for played := []string{}; done < *reloads && !p.Over(); done++ {
			side := p.SideToMove()
			b := players[side]
			if visited[side] {
				look[bool](b, fmt.Sprintf("(location.href = %q, true)", link))
			} else {
				b.visit(link)
				visited[side] = true
			}
			b.await("the link to be followed", `!location.hash`)
			b.awaitPly(len(played))
			if len(played) > 0 {
				legal := p.Turns(nil)
				turn = legal[random.IntN(len(legal))]
			}
			moment := random.IntN(len(stepsOf(turn)) + 2)
			reload := func(at int) {
				if at == moment {
					b.reload()
				}
			}
			b.enterAfter(turn, b.click, reload)
			played = append(played, turn.String())
			p = p.After(turn)
			switch after := moment - len(stepsOf(turn)); after {
			case 0, 1:
				if after == 1 {
					b.await("the link to send", `document.querySelector('#share-dialog')?.open`)
				}
				kinds[[]string{"after the turn", "before the link is sent"}[after]]++
				b.reload()
				b.awaitPly(len(played))
				b.click(id("remote-share"))
			default:
				kinds["within the turn"]++
			}
			if p.Over() {
				continue
			}
			link = b.shared()
			if got := b.turns(); !slices.Equal(got, played) || !strings.Contains(link, "turns="+strings.Join(played, ",")) {
				t.Fatalf("reload %d: the game has %v, and the link is %s, want %v", done+1, got, link, played)
			}
		}
	}
	t.Logf("%d reloads: %v", done, kinds)
}

// TestBrowserReloadThinking reloads the page while the engine thinks. The engine thinks again
// and plays.
func TestBrowserReloadThinking(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.newGame(map[string]string{"new-level-b": b.fullStrength()})
	b.awaitState("place")
	b.click(at("f6"))
	b.awaitThinking()
	b.reload()
	b.awaitPly(2)
	b.awaitState("place")
}

// awaitThinking waits until the engine thinks about its first turn, or has already played it.
func (b *tab) awaitThinking() {
	b.t.Helper()
	b.await("the engine's turn", `document.querySelector('#board').dataset.state === 'thinking' || document.querySelector('#board').dataset.ply === '2'`)
}

// blitz selects the blitz rules in the dialog for a new game.
const blitz = "[name=rules][value=blitz]"

// newGame starts a game with the dialog. lists are values by list, buttons are selectors.
func (b *tab) newGame(lists map[string]string, buttons ...string) {
	b.t.Helper()
	const open = `JSON.parse(sessionStorage.getItem('gyre.tab'))?.game`
	b.await("a game", open)
	before := look[string](b, open)
	b.click("#new-game")
	for _, selector := range buttons {
		b.click("#new-dialog label:has(" + selector + ")")
	}
	for list, value := range lists {
		b.fill(id(list), value)
	}
	b.click(id("new-start"))
	b.await("the new game", open+" !== '"+before+"'")
}

// fullStrength returns the value of the strongest level.
func (b *tab) fullStrength() string {
	b.t.Helper()
	return look[string](b, `[...document.querySelector("[data-testid=new-level-b]").options].at(-1).value`)
}

// TestBrowserServerRestart restarts the server during a game. The page reconnects, and the game
// continues. If the server has another version then, the page offers to reload.
func TestBrowserServerRestart(t *testing.T) {
	serverOnly(t)
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.at("standard", "", middleGame...))
	b.click("#analysis")
	b.await("lines", `document.querySelectorAll('[data-testid=lines] > li').length === 3`)
	s.stop()
	b.awaitText("#notices", "lost")
	s.restart()
	b.await("the connection", `!document.querySelector('[data-notice=connection]')`)
	b.await("the analysis to go on", `document.querySelectorAll('[data-testid=lines] > li').length === 3`)
	b.move("f3", "f2")
	b.awaitPly(len(middleGame) + 1)
	b.position(position.Standard, position.StartText)
	if look[bool](b, `document.querySelector('[data-notice=version]') !== null`) {
		t.Error("the page offers the version that it has")
	}
	look[bool](b, `((parse) => {
		JSON.parse = (text, ...more) => {
			const value = parse(text, ...more);
			if (value?.ok?.version) value.ok.version += ' and newer';
			return value;
		};
		return true;
	})(JSON.parse)`)
	s.restart()
	b.click("[data-notice=version] [data-testid=notice-action]")
	b.await("the page, loaded again", `!document.querySelector('[data-notice=version]')`)
	b.awaitPly(len(middleGame) + 1)
}

// TestBrowserServerRestartThinking restarts the server while the engine thinks. The engine
// thinks again and plays.
func TestBrowserServerRestartThinking(t *testing.T) {
	serverOnly(t)
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.address)
	b.newGame(map[string]string{"new-level-b": b.fullStrength()})
	b.awaitState("place")
	b.click(at("f6"))
	b.awaitThinking()
	s.stop()
	b.awaitText("#notices", "lost")
	s.restart()
	b.awaitPly(2)
	b.awaitState("place")
	b.position(position.Standard, position.StartText)
}

// TestBrowserTwoTabs plays different games in two tabs of one profile and reloads both. A tab
// cannot open the other's game, only a copy of it.
func TestBrowserTwoTabs(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	first := newTab(t)
	first.visit(s.at("standard", twoCross))
	second := first.secondTab()
	second.visit(s.at("standard", sevenInARow))
	first.enter(mustTurn(t, twoCross, "f5-h7;xc5-g5xb2"), first.click)
	second.enter(mustTurn(t, sevenInARow, "f5-h7;xf3-f7xb6"), second.click)
	for _, b := range []*tab{first, second} {
		b.awaitPly(1)
		b.reload()
		b.awaitPly(1)
	}
	first.position(position.Standard, twoCross)
	second.position(position.Standard, sevenInARow)
	// The list contains both games; the second tab opens the first tab's.
	second.click("#games")
	second.await("the game of the other tab", `document.querySelector('#game-list li:nth-child(2) [data-testid=delete-game]')?.textContent`)
	second.isWholeAtAllSizes(func(screen) {})
	second.become(sizes[1])
	second.click("#game-list li:nth-child(2) button")
	second.awaitText("#notices", "open in another tab")
	if got := second.turns(); len(got) != 1 || got[0] != "f5-h7;xf3-f7xb6" {
		t.Errorf("the second tab shows %v, and not its own game any more", got)
	}
	second.click(id("notice-action"))
	second.awaitTurn("f5-h7;xc5-g5xb2")
	second.move("a3", "a2")
	second.awaitPly(2)
	first.reload()
	first.awaitPly(1)
	if got := first.turns(); len(got) != 1 {
		t.Errorf("the first tab's game has the turns %v, of which one is its own", got)
	}
}
