package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"unicode"
	"unicode/utf8"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	pages "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"gyre/bench/browsertest"
	"gyre/bench/puzzles"
	"gyre/cmd/gyre-board/internal/export"
	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
)

// static runs the browser tests with the exported page, except tests that need a server.
var static = flag.Bool("static", false, "run the browser tests with the exported page instead of the server's")

// plainSite is the page's site, made once for all tests.
var plainSite = sync.OnceValues(func() (*export.Site, error) { return makeSite(context.Background(), page(), "") })

// exported returns the site of the page. It takes half a minute if nothing is built
// yet, so only browser tests do it.
func exported(t testing.TB) *export.Site {
	t.Helper()
	browsertest.Request(t)
	site, err := plainSite()
	if err != nil {
		t.Fatal(err)
	}
	return site
}

// host is a plain web server of a folder.
type host struct {
	*site
	folder atomic.Pointer[string]
}

// serveFolder serves the exported page until the test ends or stop is called.
func serveFolder(t testing.TB) *host {
	t.Helper()
	browsertest.Browser(t)
	h := &host{}
	h.put(t, exported(t))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.FileServer(http.Dir(*h.folder.Load())).ServeHTTP(w, r)
	}))
	h.site = &site{t: t, address: server.URL + "/", stop: sync.OnceFunc(server.Close)}
	t.Cleanup(h.stop)
	return h
}

// put replaces the folder's files with those of a site.
func (h *host) put(t testing.TB, s *export.Site) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "board")
	if err := export.WriteFolder(t.Context(), folder, s); err != nil {
		t.Fatal(err)
	}
	h.folder.Store(&folder)
}

// awaitKept waits until the service worker has stored all files.
func (b *tab) awaitKept() {
	b.t.Helper()
	b.await("the files to be kept", `navigator.serviceWorker.controller?.state === 'activated'`)
}

// TestStaticOffline loads the page once and cuts the network. Everything still works: a part that
// was never loaded, a game against the engine, boardspace.net files, a review, and links in new
// tabs.
func TestStaticOffline(t *testing.T) {
	t.Parallel()
	h := serveFolder(t)
	b := newTab(t)
	b.visit(h.address)
	b.awaitKept()
	h.stop()
	b.reload()
	b.press("?")
	b.awaitHelp()
	b.press(kb.Escape)
	b.newGame(map[string]string{"new-level-b": b.lowestLevel()})
	b.awaitState("place")
	b.awaitHint("f6", "place your ring")
	b.click(at("f6"))
	b.awaitPly(2)
	b.openFiles(boardspaceGames(t)...)
	b.await("the first of the games", `document.querySelectorAll('#turns > button').length > 10`)
	b.click("#games")
	b.await("all of them", own+`.length >= 5`)
	b.press(kb.Escape)
	b.review()
	b.await("the review", `!document.querySelector('[data-testid=review-bar]') && document.querySelector('[data-testid=summary]')`)
	other := b.secondTab()
	other.visit(h.at("standard", "", middleGame...))
	other.awaitPly(len(middleGame))
	other.position(position.Standard, position.StartText)
}

// shownTexts collects all texts that the page has, including names for screen readers, and all
// that it gets later. They survive a reload.
const shownTexts = `(() => {
	const texts = new Set(JSON.parse(sessionStorage.getItem('test.texts') ?? '[]'));
	const names = ['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-valuetext'];
	const add = (node) => {
		const { parentElement } = node;
		if (node.nodeType === Node.TEXT_NODE && !parentElement?.closest('script, style')) texts.add(node.data);
		if (node.nodeType !== Node.ELEMENT_NODE) return;
		for (const name of names) if (node.hasAttribute(name)) texts.add(node.getAttribute(name));
		node.childNodes.forEach(add);
	};
	const watch = new MutationObserver((changes) => changes.forEach(({type, target, addedNodes}) => type === 'childList' ? addedNodes.forEach(add) : add(target)));
	addEventListener('DOMContentLoaded', () => { // the index is in English until it is translated
		const ready = new MutationObserver(() => {
			if (!document.querySelector('#board').dataset.state) return;
			ready.disconnect();
			add(document.body);
			watch.observe(document, {subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: names});
		});
		ready.observe(document.querySelector('#board'), {attributeFilter: ['data-state']});
	});
	addEventListener('pagehide', () => sessionStorage.setItem('test.texts', JSON.stringify([...texts])));
	globalThis.shownTexts = () => [...texts];
})()`

// words are the words of three letters or more in a language's messages, in lower case.
func words(t testing.TB, language string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, name := range []string{"page.ftl", "parts.ftl"} {
		text, err := os.ReadFile(filepath.Join("page", "language", language, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range wordsIn(notWords.ReplaceAllString(string(text), " ")) {
			found[word] = true
		}
	}
	return found
}

// notWords are the parts of a Fluent file that are not text: comments, ids, keys of variants, and
// references.
var notWords = regexp.MustCompile(`(?m)^#.*$|^ *[.-]?[\w-]+ *=|^ *\*?\[\w+\]|\{ *\$\w+ *(->)?|</?\w+>`)

// wordsIn returns the words of three letters or more in a text, in lower case.
func wordsIn(text string) []string {
	return slices.DeleteFunc(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }), func(word string) bool { return utf8.RuneCountInString(word) < 3 })
}

// TestStaticOfflinePolish uses the page on a phone whose language is Polish, without a network
// after the first visit: it plays against a level, solves a puzzle, reviews the game, and opens
// the other parts. Nothing fails, and no text has an English word.
func TestStaticOfflinePolish(t *testing.T) {
	t.Parallel()
	set, err := puzzles.Set()
	if err != nil {
		t.Fatal(err)
	}
	h := serveFolder(t)
	b := newTab(t)
	polish := emulation.SetUserAgentOverrideParams{UserAgent: look[string](b, "navigator.userAgent"), AcceptLanguage: "pl-PL,pl"}
	if _, err := chromedp.Call(b.ctx, emulation.SetUserAgentOverride, polish); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(b.ctx, pages.AddScriptToEvaluateOnNewDocument, pages.AddScriptToEvaluateOnNewDocumentParams{Source: shownTexts}); err != nil {
		t.Fatal(err)
	}
	b.visit(h.address)
	b.become(screens[3])
	b.awaitKept()
	if _, err := chromedp.Call(b.ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(b.ctx, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: true, DownloadThroughput: -1, UploadThroughput: -1}); err != nil {
		t.Fatal(err)
	}
	h.stop()
	b.reload()
	if got := look[string](b, "document.documentElement.lang + navigator.onLine"); got != "plfalse" {
		t.Fatalf("the language of the page and whether it is online: %s", got)
	}

	b.tap("#new-game")
	b.fill(id("new-level-b"), b.lowestLevel())
	b.tap(id("new-start"))
	b.await("the new game", `!document.querySelector('#new-dialog').open`)
	player := alphabeta.New(4)
	for ply := 0; ply < 24; ply += 2 {
		b.awaitPly(ply)
		b.awaitState(stateFor[:]...)
		p := b.played(position.Standard, position.StartText)
		b.enter(player.Search(t.Context(), p, search.Limits{Nodes: 2000}, func(search.Info) {}).Best, b.tap)
	}
	b.awaitPly(24)
	b.fitsWidth()

	b.tap("#tab-learn")
	b.tap("[data-part=puzzles]")
	b.awaitPuzzle("yours")
	b.solve(b.puzzle(set), b.tap)
	b.fitsWidth()
	b.tap(id("puzzles-close"))
	b.awaitPly(24)

	b.tap("#resign")
	b.await("the question", `document.querySelector('#resign').classList.contains('armed')`)
	b.tap("#resign")
	b.await("the end", `document.querySelector('#end-result')?.checkVisibility()`)
	b.fitsWidth()
	b.review()
	b.await("the review", `!document.querySelector('[data-testid=review-bar]') && document.querySelector('[data-testid=summary]')`)
	b.fitsWidth()
	for _, part := range []string{"#games", "#settings", "#help", "[data-part=tutorial]"} {
		b.tap(part)
		b.await(part, `document.querySelector('dialog[open]')`)
		b.fitsWidth()
		b.press(kb.Escape)
		b.await("the dialog to close", `!document.querySelector('dialog[open]')`)
	}
	if notices := b.text("#notices"); notices != "" {
		t.Errorf("there is a notice: %s", notices)
	}
	english, translated := words(t, "en"), words(t, "pl")
	texts := look[[]string](b, "shownTexts()")
	for _, text := range texts {
		for _, word := range wordsIn(text) {
			if english[word] && !translated[word] {
				t.Errorf("%q is English: %q", word, text)
			}
		}
	}
	t.Logf("%d texts without an English word", len(texts))
}

// changed returns the page with another title.
func changed(t *testing.T) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	err := fs.WalkDir(page(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(page(), name)
		files[name] = &fstest.MapFile{Data: content}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	files["index.html"].Data = []byte(strings.Replace(string(files["index.html"].Data), "<head>", "<head><meta name=\"second\">", 1))
	files["main.js"].Data = append(files["main.js"].Data, "document.documentElement.dataset.second = 'true';\n"...)
	return files
}

// TestStaticNewVersion installs a new version, first only partly. A tab keeps its version until it
// is asked to load the new one. Another tab keeps the old one with its parts.
func TestStaticNewVersion(t *testing.T) {
	t.Parallel()
	h := serveFolder(t)
	b := newTab(t)
	b.visit(h.at("standard", "", middleGame...))
	b.awaitKept()
	other := b.secondTab()
	other.visit(h.at("standard", "", "f6"))
	old := *h.folder.Load()
	second, err := makeSite(t.Context(), changed(t), "")
	if err != nil {
		t.Fatal(err)
	}
	h.put(t, second)
	index, err := os.ReadFile(filepath.Join(*h.folder.Load(), "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	stale, err := os.ReadFile(filepath.Join(old, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	h.write(t, "index.html", stale)
	refused := look[string](b, `navigator.serviceWorker.getRegistration().then(async (registration) => {
		const found = new Promise((resolve) => registration.addEventListener('updatefound', () => resolve(registration.installing)));
		await registration.update();
		const worker = await found;
		return new Promise((resolve) => {
			const look = () => ['redundant', 'installed'].includes(worker.state) && resolve(worker.state);
			worker.addEventListener('statechange', look);
			look();
		});
	})`)
	if refused != "redundant" {
		t.Errorf("with an old index the new version is %s", refused)
	}
	b.reload()
	h.write(t, "index.html", index)
	look[bool](b, `navigator.serviceWorker.getRegistration().then((registration) => registration.update()).then(() => true)`)
	b.awaitText("#notices", "new version")
	b.check(t, "before it is asked for", false)
	b.click(`[data-notice="version"] [data-testid=notice-action]`)
	b.await("the new version", `document.documentElement.dataset.second`)
	b.ready()
	b.awaitPly(len(middleGame))
	b.check(t, "once it is asked for", true)
	other.press("?")
	other.awaitHelp()
	other.check(t, "in another tab", false)
	other.press(kb.Escape)
	other.click(at("e5"))
	other.awaitPly(2)
}

// write replaces a file of the folder.
func (h *host) write(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(*h.folder.Load(), name), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// check checks that all files in a tab are from one version.
func (b *tab) check(t *testing.T, when string, second bool) {
	t.Helper()
	marks := look[[]bool](b, `[document.querySelector('meta[name=second]') !== null, document.documentElement.dataset.second === 'true']`)
	if fmt.Sprint(marks) != fmt.Sprint([]bool{second, second}) {
		t.Errorf("%s: index and main are of the second version: %v, want %v", when, marks, second)
	}
	folders := look[[]string](b, `[...new Set(performance.getEntriesByType('resource').map(({name}) => /page-[0-9a-f]+/.exec(name)?.[0]).filter(Boolean))]`)
	if len(folders) != 1 {
		t.Errorf("%s: files of %q", when, folders)
	}
}

// TestStaticUnsupported opens the page without WebAssembly, and from a file. It reports what is
// wrong.
func TestStaticUnsupported(t *testing.T) {
	t.Parallel()
	h := serveFolder(t)
	b := newTab(t)
	b.do("opening the file", chromedp.Navigate("file://"+filepath.Join(*h.folder.Load(), "index.html")))
	b.awaitText("#prompt", "only from a web server")
	b.mu.Lock()
	b.errors = nil // expected: a file may not load modules
	b.mu.Unlock()

	old := newTab(t)
	lacking := pages.AddScriptToEvaluateOnNewDocumentParams{Source: "delete globalThis.WebAssembly"}
	if _, err := chromedp.Call(old.ctx, pages.AddScriptToEvaluateOnNewDocument, lacking); err != nil {
		t.Fatal(err)
	}
	old.do("opening the page", chromedp.Navigate(h.address))
	old.awaitText("#prompt", "too old for the board: it lacks WebAssembly")
}

// TestStaticSize limits the compressed size of the exported page.
func TestStaticSize(t *testing.T) {
	const most = 2_500_000
	sent, err := exported(t).Sent()
	if err != nil {
		t.Fatal(err)
	}
	if t.Logf("%d bytes", sent); sent > most {
		t.Errorf("the exported page has %d bytes, more than %d", sent, most)
	}
}

// awaitHelp waits for the help, which is loaded on demand.
func (b *tab) awaitHelp() {
	b.t.Helper()
	b.await("the help", `document.querySelector('#help-dialog')?.open`)
}

// TestBrowserParts opens a part that is loaded on demand: while the server is down, when it goes
// down before the import, when it has another version, and normally. Errors are shown, and the
// user can try again.
func TestBrowserParts(t *testing.T) {
	serverOnly(t) // the exported page stores its parts: see TestStaticOffline
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	const notice, action = `[data-notice="part help"]`, `[data-notice="part help"] [data-testid=notice-action]`
	b.visit(s.address)
	// The style is cached, so only the import needs the server.
	look[string](b, `fetch(document.querySelector('script[type=module]').src.replace('main.js', 'parts/help/help.css')).then((answer) => answer.text())`)
	s.stop()
	b.press("?")
	b.awaitText(notice, "Help cannot be loaded: there is no connection.")
	look[bool](b, `(window.loaded = window.fetch, window.fetch = async () => new Response('', {headers: {'Content-Type': 'text/javascript'}}), true)`)
	b.click(action)
	b.awaitText(action, "Reload the page")
	b.awaitText(notice, "Help cannot be loaded: there is no connection.")
	look[bool](b, `(window.fetch = window.loaded, true)`)
	s.restart()
	b.await("the connection", `!document.querySelector('[data-notice=connection]')`)
	b.click(action)
	b.await("the new page", `!document.querySelector('[data-notice="part help"]')`)
	b.ready()
	look[bool](b, `(window.loaded = window.fetch, window.fetch = async () => new Response('', {status: 404}), true)`)
	b.press("?")
	b.awaitText(notice, "the board has been updated")
	look[bool](b, `(window.fetch = window.loaded, true)`)
	b.click("#help")
	b.awaitHelp()
	if b.text("#notices") != "" {
		t.Errorf("the page still shows %q", b.text("#notices"))
	}
	b.press(kb.Escape)
	b.press("?")
	b.awaitHelp()
	if sheets := look[int](b, `document.querySelectorAll('#help-dialog').length`); sheets != 1 {
		t.Errorf("there are %d sheets", sheets)
	}
}
