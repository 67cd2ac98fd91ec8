package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/coder/websocket"
	"gyre/bench/browsertest"
	"gyre/position"
)

// firefox is a Firefox driven by WebDriver BiDi (W3C).
type firefox struct {
	conn *websocket.Conn

	mu      sync.Mutex
	number  int
	waiting map[int]chan reply
	console func(text string) // receives errors on the console
}

// reply is the answer to a command, or an event.
type reply struct {
	Type    string          `json:"type"` // "success", "error" or "event"
	ID      int             `json:"id"`
	Result  json.RawMessage `json:"result"`
	Error   string          `json:"error"`
	Message string          `json:"message"`
	Method  string          `json:"method"`
	Params  struct {
		Level string `json:"level"`
		Text  string `json:"text"`
	} `json:"params"`
}

// startFirefox starts a Firefox with its own profile and further preferences. It ends with the test.
func startFirefox(t testing.TB, further string) *firefox {
	t.Helper()
	path := browsertest.Firefox(t)
	profile := t.TempDir()
	// The first-run pages of a new profile would disturb the test.
	const preferences = "user_pref(\"ui.prefersReducedMotion\", 1);\nuser_pref(\"datareporting.policy.dataSubmissionEnabled\", false);\nuser_pref(\"app.update.enabled\", false);\nuser_pref(\"browser.shell.checkDefaultBrowser\", false);\n"
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(preferences+further), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, path, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "--width", "1280", "--height", "900")
	command.Env = append(os.Environ(), "HOME="+profile, "MOZ_HEADLESS_WIDTH=1280", "MOZ_HEADLESS_HEIGHT=900")
	stderr, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = command.Wait() // it was killed
	})
	address := ""
	lines := bufio.NewScanner(stderr)
	for address == "" && lines.Scan() {
		_, address, _ = strings.Cut(lines.Text(), "WebDriver BiDi listening on ")
	}
	go func() {
		for lines.Scan() {
			// Firefox blocks if nobody reads its output.
		}
	}()
	if address == "" {
		t.Fatal("Firefox ended without an address")
	}
	conn, _, err := websocket.Dial(ctx, address+"/session", nil)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(1 << 26)
	f := &firefox{conn: conn, waiting: map[int]chan reply{}, console: func(string) {}}
	go f.read(ctx)
	f.must(t, "session.new", map[string]any{"capabilities": map[string]any{}}, nil)
	f.must(t, "session.subscribe", map[string]any{"events": []string{"log.entryAdded"}}, nil)
	return f
}

// read distributes replies until the connection ends.
func (f *firefox) read(ctx context.Context) {
	for {
		_, text, err := f.conn.Read(ctx)
		if err != nil {
			f.mu.Lock()
			for _, waiting := range f.waiting {
				close(waiting)
			}
			f.waiting = nil
			f.mu.Unlock()
			return
		}
		var r reply
		if json.Unmarshal(text, &r) != nil {
			continue
		}
		f.mu.Lock()
		waiting := f.waiting[r.ID]
		delete(f.waiting, r.ID)
		console := f.console
		f.mu.Unlock()
		if r.Type == "event" {
			if r.Params.Level == "error" {
				console(r.Params.Text)
			}
		} else if waiting != nil {
			waiting <- r
		}
	}
}

// call sends a command and stores the answer in result.
func (f *firefox) call(ctx context.Context, method string, params, result any) error {
	answer := make(chan reply, 1)
	f.mu.Lock()
	if f.waiting == nil {
		f.mu.Unlock()
		return errors.New("Firefox has ended")
	}
	f.number++
	number := f.number
	f.waiting[number] = answer
	f.mu.Unlock()
	text, err := json.Marshal(map[string]any{"id": number, "method": method, "params": params})
	if err != nil {
		return err
	}
	if err := f.conn.Write(ctx, websocket.MessageText, text); err != nil {
		return err
	}
	select {
	case r, ok := <-answer:
		switch {
		case !ok:
			return errors.New("Firefox has ended")
		case r.Type == "error":
			return fmt.Errorf("%s: %s: %s", method, r.Error, r.Message)
		case result != nil:
			return json.Unmarshal(r.Result, result)
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// must is like call, but fails the test on errors.
func (f *firefox) must(t testing.TB, method string, params, result any) {
	t.Helper()
	ctx, cancel := context.WithDeadline(t.Context(), browsertest.EndOfWait(t))
	defer cancel()
	if err := f.call(ctx, method, params, result); err != nil {
		t.Fatal(err)
	}
}

// foxTab is a tab of Firefox.
type foxTab struct {
	*firefox
	context string
}

// newFoxTab starts Firefox and returns its tab.
func newFoxTab(t testing.TB, further ...string) *tab {
	t.Helper()
	f := startFirefox(t, strings.Join(further, ""))
	var made struct{ Context string }
	f.must(t, "browsingContext.create", map[string]any{"type": "tab"}, &made)
	b := &tab{t: t, ctx: context.Background(), fox: &foxTab{f, made.Context}}
	f.mu.Lock()
	f.console = b.complain
	f.mu.Unlock()
	t.Cleanup(func() { b.atEnd() })
	return b
}

// remote is the value of a script.
type remote struct {
	Type   string `json:"type"` // "success" or "exception"
	Result struct {
		Value    json.RawMessage `json:"value"`
		SharedID string          `json:"sharedId"` // of an element
	} `json:"result"`
	ExceptionDetails struct{ Text string } `json:"exceptionDetails"`
}

// evaluate evaluates an expression in the page.
func (f *foxTab) evaluate(ctx context.Context, expression string) (remote, error) {
	var found remote
	err := f.call(ctx, "script.evaluate", map[string]any{"expression": expression, "target": map[string]any{"context": f.context}, "awaitPromise": true}, &found)
	if err == nil && found.Type == "exception" {
		err = errors.New(found.ExceptionDetails.Text)
	}
	return found, err
}

// act performs actions of an input device.
func (f *foxTab) act(ctx context.Context, device map[string]any, actions ...map[string]any) error {
	device["actions"] = actions
	return f.call(ctx, "input.performActions", map[string]any{"context": f.context, "actions": []any{device}}, nil)
}

// click clicks a point of the window.
func (f *foxTab) click(ctx context.Context, at spot) error {
	return f.act(ctx, map[string]any{"type": "pointer", "id": "mouse", "parameters": map[string]any{"pointerType": "mouse"}},
		map[string]any{"type": "pointerMove", "x": math.Round(at.X), "y": math.Round(at.Y)},
		map[string]any{"type": "pointerDown", "button": 0}, map[string]any{"type": "pointerUp", "button": 0})
}

// foxKeys are the keys with special codes in WebDriver.
var foxKeys = map[string]string{
	kb.Enter: "\uE007", kb.Tab: "\uE004", kb.Escape: "\uE00C", kb.Home: "\uE011", kb.End: "\uE010",
	kb.ArrowLeft: "\uE012", kb.ArrowUp: "\uE013", kb.ArrowRight: "\uE014", kb.ArrowDown: "\uE015",
}

// press presses a key, or types a text, with or without Shift.
func (f *foxTab) press(ctx context.Context, text string, shifted bool) error {
	var actions []map[string]any
	key := func(kind, value string) { actions = append(actions, map[string]any{"type": kind, "value": value}) }
	keys := strings.Split(text, "")
	if named := foxKeys[text]; named != "" {
		keys = []string{named}
	}
	const shift = "\uE008"
	if shifted {
		key("keyDown", shift)
	}
	for _, one := range keys {
		key("keyDown", one)
		key("keyUp", one)
	}
	if shifted {
		key("keyUp", shift)
	}
	return f.act(ctx, map[string]any{"type": "key", "id": "keyboard"}, actions...)
}

// choose selects files for a file input.
func (f *foxTab) choose(ctx context.Context, selector string, files []string) error {
	input, err := f.evaluate(ctx, fmt.Sprintf("document.querySelector(%q)", selector))
	if err != nil {
		return err
	}
	element := map[string]any{"sharedId": input.Result.SharedID}
	return f.call(ctx, "input.setFiles", map[string]any{"context": f.context, "element": element, "files": files}, nil)
}

// evaluated evaluates an expression and decodes its value.
func evaluated[T any](ctx context.Context, f *foxTab, expression string) (value T, err error) {
	found, err := f.evaluate(ctx, "Promise.resolve("+expression+").then((value) => JSON.stringify(value) ?? 'null')")
	if err != nil {
		return value, err
	}
	var text string
	if err := json.Unmarshal(found.Result.Value, &text); err != nil {
		return value, err
	}
	return value, json.Unmarshal([]byte(text), &value)
}

// TestFirefox checks the main paths in Firefox: a game against the engine with mouse and
// keyboard, reloading, rows, an analysis, a review, and opening a file.
func TestFirefox(t *testing.T) {
	t.Parallel()
	b := newFoxTab(t)
	s := serveSite(t)
	b.visit(s.address)
	b.newGame(map[string]string{"new-level-b": b.lowestLevel()})
	b.awaitState("place")
	b.awaitHint("f6", "place your ring")
	b.click(at("f6"))
	b.awaitPly(2)
	b.reload()
	b.awaitPly(2)
	b.awaitState("place")
	b.press("g")
	for _, point := range []string{"b1", "a2", "k10", "j11"} {
		if len(b.pieces()) == 2 && b.pieces()[point] == "" {
			b.walkTo(at(point))
			break
		}
	}
	b.awaitPly(4)
	b.position(position.Standard, position.StartText)

	b.openFiles(fileOf(t, "game.txt", strings.Join(middleGame, " ")))
	b.awaitPly(len(middleGame))
	b.move("f3", "f2")
	b.awaitTurn("f3-f2")
	b.click("#analysis")
	b.await("three lines", `document.querySelectorAll('[data-testid=lines] > li').length === 3`)
	b.click("#analysis")
	b.review()
	b.await("the review", `!document.querySelector('[data-testid=review-bar]') && document.querySelector('[data-testid=summary]')`)

	b.openText(sevenInARow)
	b.awaitPly(0)
	b.move("f5", "h7")
	b.takeRow("f3", "f7", b.click)
	b.awaitState("ring")
	b.reload()
	b.awaitState("ring")
	b.click(at("b2"))
	b.awaitTurn("f5-h7;xf3-f7xb2")
	b.position(position.Standard, sevenInARow)
	b.leaveWhileLoading()
}

// leaveWhileLoading leaves the page just after it has started to import a part. Firefox then
// rejects the import.
func (b *tab) leaveWhileLoading() {
	b.t.Helper()
	look[bool](b, `(window.left = true, document.addEventListener('load', (event) => {
		if (event.target.href?.includes('help.css')) location.reload();
	}, true), document.querySelector('#help').click(), true)`)
	b.await("the new page", `!window.left`)
	b.ready()
}
