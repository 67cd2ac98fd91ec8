package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"gyre/cmd/gyre-board/internal/session"
	"gyre/cmd/internal/commandline"
	"gyre/protocol"
)

// The browser tests play on the page in a real Chromium, one process for all,
// with a profile of its own for each test:
//
//	browser_chromium_test.go  the browser
//	browser_server_test.go    a board to visit
//	browser_static_test.go    the page that needs no server, and -static to test all with it
//	browser_firefox_test.go   Firefox, and a test of the main paths in it (browser_foxtab_test.go)
//	browser_tab_test.go       a tab: opening, waiting, looking
//	browser_input_test.go     clicking, tapping, typing
//	browser_turns_test.go     entering turns as a person does
//	browser_measure_test.go   -measure to measure, and pictures in five sizes
//	browser_*_test.go         the tests, a flow each

// browserVariable says what to do where there is no Chromium: with the value
// required, the tests fail instead of being skipped.
const browserVariable = "GYRE_BROWSER"

// noChromium says how to get one.
const noChromium = "no Chromium on the PATH: install one (Debian: apt-get install chromium) to run the browser tests"

// screenshots is the directory for pictures of the page.
var screenshots = flag.String("screenshots", "", "write screenshots of the page's main views into `DIR`")

// chromium returns the context of the browser, which the first call starts. A
// test that cannot have one is skipped.
func chromium(t *testing.T) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("browser tests are left out with -short")
	}
	ctx, err := startBrowser()
	switch missing := errors.Is(err, exec.ErrNotFound); {
	case missing && os.Getenv(browserVariable) != "required":
		t.Skip(noChromium)
	case missing:
		t.Fatal(noChromium)
	case err != nil:
		t.Fatal(err)
	}
	return ctx
}

// started holds the context of the browser once it runs.
var started struct {
	sync.Mutex
	ctx context.Context
}

// startBrowser starts the browser once.
var startBrowser = sync.OnceValues(func() (context.Context, error) {
	path, err := findChromium()
	if err != nil {
		return nil, err
	}
	allocator, _ := chromedp.NewExecAllocator(context.Background(), chromiumOptions(path)...)
	// The library complains of events that it does not know; the tests fail by themselves.
	ctx, _ := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	if err := chromedp.Do(ctx); err != nil {
		return nil, fmt.Errorf("starting %s: %w", path, err)
	}
	started.Lock()
	defer started.Unlock()
	started.ctx = ctx
	return ctx, nil
})

// chromiumOptions returns the options with which the tests start a Chromium.
func chromiumOptions(path string) []chromedp.ExecAllocatorOption {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.WindowSize(windowWidth, windowHeight),
		chromedp.WSURLReadTimeout(*patience),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
	)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // it refuses to run as root with one
	}
	return options
}

// The size of a tab's window in CSS pixels.
const (
	windowWidth  = 1280
	windowHeight = 900
)

// findChromium returns the path of a Chromium, or an error that is
// exec.ErrNotFound.
func findChromium() (path string, err error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "headless-shell"} {
		if path, err = exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", err
}

// endBrowser ends the browser if there is one.
func endBrowser() {
	started.Lock()
	defer started.Unlock()
	if started.ctx == nil {
		return
	}
	ctx, cancel := context.WithTimeout(started.ctx, time.Minute)
	defer cancel()
	if err := chromedp.Cancel(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "ending the browser:", err)
	}
}

// patient waits long for engines, on however busy a machine.
var patient = session.Patience{
	Engine: protocol.Patience{Handshake: 10 * time.Minute, Answer: 10 * time.Minute, Stop: 10 * time.Minute, Quit: time.Minute},
	Grace:  10 * time.Minute,
}

// site is a board that is served for a test, as the command would.
type site struct {
	t       *testing.T
	args    []string
	address string // http://HOST:PORT/
	stop    func() // as Ctrl-C does, and waits for the end
}

// serveSite serves a board on a free port, with more flags, until the test ends. With
// -static it is the exported page, or the test is skipped, which needs a server.
func serveSite(t *testing.T, args ...string) *site {
	t.Helper()
	if *static && len(args) == 0 {
		return serveFolder(t).site
	}
	serverOnly(t)
	s := &site{t: t, args: append([]string{"-open=false"}, args...)}
	s.start("0")
	t.Cleanup(func() { s.stop() })
	return s
}

// serverOnly skips a test of what only the server has.
func serverOnly(t *testing.T) {
	t.Helper()
	if *static {
		t.Skip("the exported page has no server")
	}
}

// start runs the command on a port.
func (s *site) start(port string) {
	s.t.Helper()
	ctx, cancel := context.WithCancelCause(context.Background())
	output, stdout := io.Pipe()
	var stderr strings.Builder
	status := make(chan int, 1)
	go func() {
		status <- command(ctx, patient).RunAlone(append([]string{"-port", port}, s.args...), stdout, &stderr)
		_ = stdout.Close()
	}()
	s.stop = sync.OnceFunc(func() {
		cancel(commandline.ErrInterrupted)
		if got := <-status; got != commandline.ExitInterrupted {
			s.t.Errorf("the board ended with status %d: %s", got, &stderr)
		}
	})
	lines := bufio.NewScanner(output)
	for s.address = ""; s.address == "" && lines.Scan(); {
		if _, after, found := strings.Cut(lines.Text(), "http://"); found {
			s.address = "http://" + strings.TrimSpace(after)
		}
	}
	go func() { _, _ = io.Copy(io.Discard, output) }()
	if s.address == "" {
		cancel(nil)
		s.t.Fatalf("the board ended with status %d without an address: %s", <-status, &stderr)
	}
}

// restart ends the command and runs it again on the same port.
func (s *site) restart() {
	s.t.Helper()
	s.stop()
	address, err := url.Parse(s.address)
	if err != nil {
		s.t.Fatal(err)
	}
	s.start(address.Port())
}

// fetch returns what a path of the board holds.
func (s *site) fetch(path string) string {
	s.t.Helper()
	response, err := http.Get(s.address + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %s, %v", path, response.Status, err)
	}
	return string(text)
}

// at is the link to a position, the turns played from it, and its rules.
func (s *site) at(rules, start string, turns ...string) string {
	link := s.address + "#rules=" + rules
	if start != "" {
		link += "&start=" + strings.ReplaceAll(start, " ", "_")
	}
	if len(turns) > 0 {
		link += "&turns=" + strings.Join(turns, ",")
	}
	return link
}

// patience is how long a tab waits for anything: a guard against waiting for ever,
// on however busy a machine.
var patience = flag.Duration("patience", 5*time.Minute, "how long a browser test waits for anything")

// lastWords is how long before all tests are out of time a tab waits no more, so
// that it can tell what it waited for.
const lastWords = 15 * time.Second

// tab is a tab of the browser, used as a person would. What goes wrong ends its
// test, and so do errors that the page writes to the console.
type tab struct {
	t   *testing.T
	ctx context.Context // of Chromium's tab
	fox *foxTab         // nil in Chromium

	thrown atomic.Bool // whether the page has thrown what nobody caught: it will not come right
	mu     sync.Mutex
	errors []string // on the page's console, each once
}

// newTab opens a tab with a profile of its own that asks for less motion.
func newTab(t *testing.T) *tab {
	t.Helper()
	return openTab(t, chromium(t), chromedp.WithNewBrowserContext())
}

// beside opens another tab of the same person.
func (b *tab) beside() *tab {
	b.t.Helper()
	return openTab(b.t, b.ctx)
}

// openTab opens a tab in a context of the browser or of another tab.
func openTab(t *testing.T, parent context.Context, options ...chromedp.ContextOption) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(parent, options...)
	b := &tab{t: t, ctx: ctx}
	t.Cleanup(func() {
		b.atEnd()
		cancel()
	})
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, log.Enable, struct{}{}); err != nil {
		t.Fatal(err)
	}
	b.media("prefers-reduced-motion", "reduce")
	return b
}

// atEnd fails the test if there are errors on the console.
func (b *tab) atEnd() {
	b.t.Helper()
	b.forgive() // a board may end before its tabs
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.errors) > 0 {
		b.t.Errorf("the page's console has errors:\n%s", strings.Join(b.errors, "\n"))
	}
}

// listen keeps the errors on the console.
func (b *tab) listen(event any) {
	switch event := event.(type) {
	case *runtime.EventExceptionThrown:
		text := event.ExceptionDetails.Text
		if event.ExceptionDetails.Exception != nil {
			text += " " + event.ExceptionDetails.Exception.Description
		}
		b.thrown.Store(true)
		b.complain(text)
	case *runtime.EventConsoleAPICalled:
		if event.Type == "error" || event.Type == "assert" {
			text := fmt.Sprintf("console.%s:", event.Type)
			for _, arg := range event.Args {
				text += fmt.Sprintf(" %s%s", arg.Value, arg.Description)
			}
			b.complain(text)
		}
	case *log.EventEntryAdded:
		if event.Entry.Level == "error" {
			b.complain(event.Entry.Text + " " + event.Entry.URL)
		}
	}
}

// complain keeps an error on the console.
func (b *tab) complain(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.Contains(b.errors, text) {
		b.errors = append(b.errors, text)
	}
}

// forgive forgets the errors on the console about a connection that was cut, by a
// test or at its end, and about what a page that was left had asked a service worker for,
// of which Firefox gives no address.
func (b *tab) forgive() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.errors = slices.DeleteFunc(b.errors, func(text string) bool {
		return strings.Contains(text, "WebSocket") || strings.Contains(text, "ERR_CONNECTION_REFUSED") ||
			strings.Contains(text, "Failed to load ‘’. A ServiceWorker intercepted")
	})
}

// patiently returns the context of waiting for one thing.
func (b *tab) patiently() (context.Context, context.CancelFunc) {
	end := time.Now().Add(*patience)
	if deadline, ok := b.t.Deadline(); ok && deadline.Add(-lastWords).Before(end) {
		end = deadline.Add(-lastWords)
	}
	return context.WithDeadline(b.ctx, end)
}

// do runs actions, which what tells of.
func (b *tab) do(what string, actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := b.patiently()
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.t.Fatalf("%s: %v\n%s", what, err, b.state())
	}
}

// visit opens an address, and waits until the board is there. Only a new tab
// visits: an address that differs after the # alone loads nothing anew.
func (b *tab) visit(address string) {
	b.t.Helper()
	if b.fox != nil {
		b.fox.must(b.t, "browsingContext.navigate", map[string]any{"context": b.fox.context, "url": address, "wait": "complete"}, nil)
	} else {
		b.do("opening "+address, chromedp.Navigate(address))
	}
	b.ready()
}

// reload loads the page again.
func (b *tab) reload() {
	b.t.Helper()
	if b.fox != nil {
		b.fox.must(b.t, "browsingContext.reload", map[string]any{"context": b.fox.context, "wait": "complete"}, nil)
	} else {
		b.do("loading the page again", chromedp.Reload())
	}
	b.ready()
}

// media sets what the page is told of the person's wishes.
func (b *tab) media(pairs ...string) {
	b.t.Helper()
	var wishes emulation.SetEmulatedMediaParams
	for i := 0; i < len(pairs); i += 2 {
		wishes.Features = append(wishes.Features, &emulation.MediaFeature{Name: pairs[i], Value: pairs[i+1]})
	}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, wishes); err != nil {
		b.t.Fatal(err)
	}
}

// look returns the value of an expression in the page.
func look[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, cancel := b.patiently()
	defer cancel()
	value, err := evaluate[T](ctx, b, expression)
	if err != nil {
		b.t.Fatalf("looking at %s: %v", expression, err)
	}
	return value
}

// evaluate returns what an expression in the page comes to.
func evaluate[T any](ctx context.Context, b *tab, expression string) (T, error) {
	if b.fox != nil {
		return evaluated[T](ctx, b.fox, expression)
	}
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// await waits until an expression in the page is true.
func (b *tab) await(what, expression string) {
	b.t.Helper()
	expression = fmt.Sprintf("Boolean(%s)", expression)
	b.until(what, func() bool {
		// While a page is being loaded there is nothing to look at.
		done, err := evaluate[bool](b.ctx, b, expression)
		return err == nil && done
	})
}

// until waits until something is done.
func (b *tab) until(what string, done func() bool) {
	b.t.Helper()
	ctx, cancel := b.patiently()
	defer cancel()
	for ; !done(); time.Sleep(10 * time.Millisecond) {
		if ctx.Err() != nil || b.thrown.Load() {
			b.t.Fatalf("waited in vain for %s\n%s", what, b.state())
		}
	}
}

// awaitText waits until an element holds a text.
func (b *tab) awaitText(selector, text string) {
	b.t.Helper()
	b.await(fmt.Sprintf("%q in %s", text, selector), fmt.Sprintf("document.querySelector(%q)?.textContent.includes(%q)", selector, text))
}

// text returns the text of an element, or nothing if it is not there.
func (b *tab) text(selector string) string {
	b.t.Helper()
	return look[string](b, fmt.Sprintf("document.querySelector(%q)?.textContent ?? ''", selector))
}

// state tells what the page shows, for messages. It fails nothing.
func (b *tab) state() string {
	ctx, cancel := context.WithTimeout(b.ctx, 5*time.Second)
	defer cancel()
	said, err := evaluate[string](ctx, b, `['#prompt', '#strip', '#notices', '#choices', '#announcer', '#turns', 'dialog[open]']
		.map((id) => id + ': ' + document.querySelector(id)?.textContent).join('\n') + '\nat ' + location.href`)
	if err != nil {
		said = "the page does not answer: " + err.Error()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return said + "\nconsole: " + strings.Join(b.errors, "\n")
}

// spot is a place in the window in CSS pixels.
type spot struct{ X, Y float64 }

// find waits until an element can be pressed, and returns its middle: there,
// enabled, in view, and with nothing else over it. What is in a panel that does not
// show has its tab pressed first.
func (b *tab) find(selector string) spot {
	b.t.Helper()
	found := fmt.Sprintf(`((element) => {
		document.querySelector('#tab-' + element?.closest('[role=tabpanel][hidden]')?.id.slice('panel-'.length))?.click();
		if (!element || element.disabled || !element.checkVisibility({visibilityProperty: true})) return null;
		element.scrollIntoView({block: 'nearest', inline: 'nearest', behavior: 'instant'});
		const box = element.getBoundingClientRect();
		const spot = {X: box.x + box.width / 2, Y: box.y + box.height / 2};
		const top = document.elementFromPoint(spot.X, spot.Y);
		const board = element.closest('.board');
		return top && (element.contains(top) || board?.contains(top)) ? spot : null;
	})(document.querySelector(%q))`, selector)
	b.await(selector+" to press", found)
	return look[spot](b, found)
}

// press presses a key once, or several after each other.
func (b *tab) press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		if b.fox != nil {
			b.try("pressing "+key, b.fox.press(b.ctx, key, false))
			continue
		}
		b.do("pressing "+key, chromedp.KeyEvent(key))
	}
}

// try ends the test if something could not be done.
func (b *tab) try(what string, err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatalf("%s: %v\n%s", what, err, b.state())
	}
}

// pressShifted presses a key with Shift held.
func (b *tab) pressShifted(key string) {
	b.t.Helper()
	if b.fox != nil {
		b.try("pressing Shift and "+key, b.fox.press(b.ctx, key, true))
		return
	}
	b.do("pressing Shift and "+key, chromedp.KeyEvent(key, chromedp.KeyModifiers(kb.ModifierShift)))
}

// fill gives a box a text, in place of what is there, or chooses an entry of a
// list by its value.
func (b *tab) fill(selector, value string) {
	b.t.Helper()
	b.find(selector)
	look[bool](b, fmt.Sprintf(`((field) => {
		field.value = %q;
		for (const event of ['input', 'change']) field.dispatchEvent(new Event(event, {bubbles: true}));
		return true;
	})(document.querySelector(%q))`, value, selector))
}

// aim has the page watch what the next press hits. What comes to anything but the element is
// kept from the page, as it may have moved since its place was looked up (after Playwright's
// check of the hit target).
const aim = `((selector) => {
	const kinds = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'touchstart', 'touchend', 'click'];
	let hit;
	const guard = (event) => {
		const element = document.querySelector(selector);
		hit ??= Boolean(element?.contains(event.target) || element?.closest('.board')?.contains(event.target));
		if (hit) return;
		event.preventDefault();
		event.stopImmediatePropagation();
	};
	const options = {capture: true, passive: false};
	for (const kind of kinds) addEventListener(kind, guard, options);
	window.aimed = () => {
		for (const kind of kinds) removeEventListener(kind, guard, options);
		return Boolean(hit);
	};
	return true;
})(%q)`

// strike presses an element at its middle, and does so again as long as it has moved away.
func (b *tab) strike(selector string, press func(spot)) {
	b.t.Helper()
	b.until("a press that hits "+selector, func() bool {
		at := b.find(selector)
		look[bool](b, fmt.Sprintf(aim, selector))
		press(at)
		// A page that is left by the press cannot say what it hit.
		hit, err := evaluate[bool](b.ctx, b, "window.aimed?.() ?? true")
		return hit || err != nil
	})
}

// click clicks an element with the mouse.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.strike(selector, func(at spot) {
		if b.fox != nil {
			b.try("clicking "+selector, b.fox.click(b.ctx, at))
			return
		}
		b.do("clicking "+selector, chromedp.MouseClickXY(at.X, at.Y))
	})
}

// tap taps an element with a finger.
func (b *tab) tap(selector string) {
	b.t.Helper()
	b.strike(selector, func(at spot) {
		b.do("tapping "+selector, chromedp.TapXY(at.X, at.Y))
	})
}

// TestBrowserAim presses a button that moves away between the look at its place and the
// press: what lies there now is not pressed, and the button is, in its new place.
func TestBrowserAim(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	look[bool](b, `((pressed) => {
		for (const [name, top] of [['runaway', 300], ['beneath', 200]]) {
			const button = Object.assign(document.createElement('button'), {id: name, textContent: name});
			button.style = 'position: fixed; z-index: 9; left: 100px; width: 200px; height: 44px; top: ' + top + 'px';
			button.onclick = () => pressed.push(name);
			document.body.append(button);
		}
		window.pressed = pressed;
		return true;
	})([])`)
	moved := false
	b.strike("#runaway", func(at spot) {
		if !moved {
			look[bool](b, `(document.querySelector('#runaway').style.top = '400px', document.querySelector('#beneath').style.top = '300px', true)`)
			moved = true
		}
		b.do("clicking", chromedp.MouseClickXY(at.X, at.Y))
	})
	if got := look[string](b, "window.pressed.join()"); got != "runaway" {
		t.Errorf("pressed %q, want runaway alone", got)
	}
}
