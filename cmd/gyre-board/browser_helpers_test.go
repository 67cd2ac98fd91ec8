package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
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
	"gyre/bench/browsertest"
	"gyre/cmd/gyre-board/internal/session"
	"gyre/cmd/internal/commandline"
	"gyre/protocol"
)

// The browser tests use the page in Chromium. All tests share one process; each has its own
// profile. This file starts the board, and contains the actions of a user:
// opening, waiting, looking, clicking and typing. With -static the tests use the exported page.

// screenshots is the directory for pictures of the page.
var screenshots = flag.String("screenshots", "", "write screenshots of the page's main views into `DIR`")

// patient is the patience for engines on a busy machine.
var patient = session.Patience{
	Engine: protocol.Patience{Handshake: 10 * time.Minute, Answer: 10 * time.Minute, Stop: 10 * time.Minute, Quit: time.Minute},
	Grace:  10 * time.Minute,
}

// site is a board for a test, run by the command.
type site struct {
	t       testing.TB
	args    []string
	address string // http://HOST:PORT/
	stop    func() // sends the interrupt and waits for the end
}

// serveSite is serveBoard for a browser test. With -static it serves the exported page, or skips the
// test if there are flags. It also skips the test if browser tests are not requested.
func serveSite(t testing.TB, args ...string) *site {
	t.Helper()
	browsertest.Request(t)
	if *static && len(args) == 0 {
		return serveFolder(t).site
	}
	return serveBoard(t, args...)
}

// serveBoard runs a board on a free port until the test ends. args are additional flags.
func serveBoard(t testing.TB, args ...string) *site {
	t.Helper()
	serverOnly(t)
	s := &site{t: t, args: append([]string{"-open=false"}, args...)}
	s.start("0")
	t.Cleanup(func() { s.stop() })
	return s
}

// serverOnly skips tests that need the server.
func serverOnly(t testing.TB) {
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
		status <- run(ctx, patient, append([]string{"-port", port}, s.args...), stdout, &stderr)
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

// fetch returns the content of a path.
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

// at returns the link to a position with the given rules, start and turns.
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

// tab is a tab of the browser. An error ends the test, and so does an error on the page's
// console.
type tab struct {
	t   testing.TB
	ctx context.Context // of Chromium's tab
	fox *foxTab         // nil in Chromium

	sized   bool     // whether the test has chosen the window
	foreign bool     // whether the page is not in English, so that awaitText and awaitHint wait for any text
	wide    bool     // whether texts are wider than usual
	known   bool     // whether another tab has the same colors, so that inspect leaves contrasts out
	cut     []string // controls that were not whole, each once

	thrown atomic.Bool // whether the page has an uncaught exception
	mu     sync.Mutex
	errors []string // on the console, each once
}

// newTab opens a tab in its own profile. It prefers reduced motion.
func newTab(t testing.TB) *tab {
	t.Helper()
	return openTab(t, browsertest.Browser(t), chromedp.WithNewBrowserContext())
}

// secondTab opens another tab in the same profile.
func (b *tab) secondTab() *tab {
	b.t.Helper()
	return openTab(b.t, b.ctx)
}

// openTab opens a tab in a context of the browser or of another tab.
func openTab(t testing.TB, parent context.Context, options ...chromedp.ContextOption) *tab {
	t.Helper()
	ctx, cancel := browsertest.Tab(t, parent, options...)
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

// atEnd fails the test if the console has errors.
func (b *tab) atEnd() {
	b.t.Helper()
	b.forgive() // the server may end before its tabs
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.errors) > 0 {
		b.t.Errorf("the page's console has errors:\n%s", strings.Join(b.errors, "\n"))
	}
}

// listen records errors on the console.
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

// complain records an error.
func (b *tab) complain(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.Contains(b.errors, text) {
		b.errors = append(b.errors, text)
	}
}

// forgive removes errors about closed connections, and about requests of a page that was left
// to a service worker. Firefox reports these without an address.
func (b *tab) forgive() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.errors = slices.DeleteFunc(b.errors, func(text string) bool {
		return strings.Contains(text, "WebSocket") || strings.Contains(text, "ERR_CONNECTION_REFUSED") ||
			strings.Contains(text, "Failed to load ‘’. A ServiceWorker intercepted")
	})
}

// patiently returns the context of one wait.
func (b *tab) patiently() (context.Context, context.CancelFunc) {
	return context.WithDeadline(b.ctx, browsertest.EndOfWait(b.t))
}

// do runs actions. what describes them in errors.
func (b *tab) do(what string, actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := b.patiently()
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.t.Fatalf("%s: %v\n%s", what, err, b.state())
	}
}

// visit opens an address and waits for the board. Call it only for a new tab: an address that
// differs only after the # does not load the page.
func (b *tab) visit(address string) {
	b.t.Helper()
	if b.fox != nil {
		b.fox.must(b.t, "browsingContext.navigate", map[string]any{"context": b.fox.context, "url": address, "wait": "complete"}, nil)
	} else {
		b.do("opening "+address, chromedp.Navigate(address))
	}
	b.ready()
}

// reload reloads the page.
func (b *tab) reload() {
	b.t.Helper()
	if b.fox != nil {
		b.fox.must(b.t, "browsingContext.reload", map[string]any{"context": b.fox.context, "wait": "complete"}, nil)
	} else {
		b.do("loading the page again", chromedp.Reload())
	}
	b.ready()
}

// media sets the user's preferences, as pairs of media features and values.
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
		b.t.Fatalf("looking at %s: %v\n%s", expression, err, b.state())
	}
	return value
}

// evaluate evaluates an expression in the page.
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
		// While the page is loading, expressions fail.
		done, err := evaluate[bool](b.ctx, b, expression)
		return err == nil && done
	})
}

// until waits until done returns true. It asks again after a pause, and less often if it takes
// long, because each question costs processor time in three processes.
func (b *tab) until(what string, done func() bool) {
	b.t.Helper()
	ctx, cancel := b.patiently()
	defer cancel()
	for pause := 10 * time.Millisecond; !done(); pause = min(pause*5/4, 100*time.Millisecond) {
		if ctx.Err() != nil || b.thrown.Load() {
			b.t.Fatalf("timeout waiting for %s\n%s", what, b.state())
		}
		time.Sleep(pause)
	}
}

// awaitText waits until an element contains a text.
func (b *tab) awaitText(selector, text string) {
	b.t.Helper()
	if b.foreign {
		b.await("text in "+selector, fmt.Sprintf("document.querySelector(%q)?.textContent.trim()", selector))
		return
	}
	b.await(fmt.Sprintf("%q in %s", text, selector), fmt.Sprintf("document.querySelector(%q)?.textContent.includes(%q)", selector, text))
}

// text returns the text of an element, or the empty string if it does not exist.
func (b *tab) text(selector string) string {
	b.t.Helper()
	return look[string](b, fmt.Sprintf("document.querySelector(%q)?.textContent ?? ''", selector))
}

// recordMessages records the kinds of the page's requests from now on in window.sent.
func (b *tab) recordMessages() {
	b.t.Helper()
	look[bool](b, `(() => {
		window.sent = [];
		for (const [by, name] of [[WebSocket.prototype, 'send'], [MessagePort.prototype, 'postMessage']]) {
			const send = by[name];
			by[name] = function (text) {
				window.sent.push(JSON.parse(text).do);
				send.call(this, text);
			};
		}
		return true;
	})()`)
}

// state describes what the page shows, for error messages. It never fails the test.
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

// spot is a point of the window in CSS pixels.
type spot struct{ X, Y float64 }

// find waits until an element can be pressed: it is enabled, in view and not covered. It returns
// the element's center. If the element is in a hidden panel, find selects the panel's tab.
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
	var at *spot
	b.until(selector+" to press", func() bool {
		var err error
		// While the page is loading, expressions fail.
		at, err = evaluate[*spot](b.ctx, b, found)
		return err == nil && at != nil
	})
	return *at
}

// press presses keys one after another, and checks the page after the last one.
func (b *tab) press(keys ...string) {
	b.t.Helper()
	b.key(keys...)
	b.stepped("pressing " + strings.Join(keys, " "))
}

// key presses keys that are a part of a step, such as those that move the focus to an element.
func (b *tab) key(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		if b.fox != nil {
			b.try("pressing "+key, b.fox.press(b.ctx, key, false))
			continue
		}
		b.do("pressing "+key, chromedp.KeyEvent(key))
	}
}

// try ends the test if err is not nil.
func (b *tab) try(what string, err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatalf("%s: %v\n%s", what, err, b.state())
	}
}

// pressShifted presses a key with Shift.
func (b *tab) pressShifted(key string) {
	b.t.Helper()
	if b.fox != nil {
		b.try("pressing Shift and "+key, b.fox.press(b.ctx, key, true))
		return
	}
	b.do("pressing Shift and "+key, chromedp.KeyEvent(key, chromedp.KeyModifiers(kb.ModifierShift)))
}

// fill sets the text of a field, or selects the list entry with the given value.
func (b *tab) fill(selector, value string) {
	b.t.Helper()
	b.find(selector)
	look[bool](b, fmt.Sprintf(`((field) => {
		field.value = %q;
		for (const event of ['input', 'change']) field.dispatchEvent(new Event(event, {bubbles: true}));
		return true;
	})(document.querySelector(%q))`, value, selector))
}

// aim watches what the next press hits. If it hits another element, because the element has
// moved since find, aim keeps the press from the page. This follows Playwright's check of the
// hit target. If the element moves between the press and its release, the browser clicks what is
// there by then, and aim keeps the click from the page.
const aim = `((selector) => {
	const kinds = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'touchstart', 'touchend', 'click'];
	let [hit, pressed, clicked] = [];
	const guard = (event) => {
		const element = document.querySelector(selector);
		const on = Boolean(element?.contains(event.target) || element?.closest('.board')?.contains(event.target));
		hit ??= on;
		pressed ??= element;
		if (event.type === 'click') {
			if (!clicked && !on && element === pressed && element.checkVisibility()) hit = false;
			clicked = true;
		}
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

// strike presses an element's center, and repeats that if the element has moved.
func (b *tab) strike(selector string, press func(spot)) {
	b.t.Helper()
	b.until("a press that hits "+selector, func() bool {
		at := b.find(selector)
		look[bool](b, fmt.Sprintf(aim, selector))
		press(at)
		// If the press leaves the page, the result is unknown.
		hit, err := evaluate[bool](b.ctx, b, "window.aimed?.() ?? true")
		return hit || err != nil
	})
	b.stepped("pressing " + selector)
}

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

// TestBrowserAim presses a button that moves away just before the press, and one that moves away
// before its release. Only these buttons may be pressed.
func TestBrowserAim(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.sized = true // the buttons do not fit into a phone
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
	b.asPhone()
	for _, press := range []func(string){b.click, b.tap} {
		look[bool](b, `((button) => {
			window.pressed.length = 0;
			button.style.top = '100px';
			button.addEventListener('pointerdown', () => (button.style.top = '200px'), {once: true});
			return true;
		})(document.querySelector('#runaway'))`)
		press("#runaway")
		if got := look[string](b, "window.pressed.join()"); got != "runaway" {
			t.Errorf("pressed %q, want runaway alone", got)
		}
	}
}
