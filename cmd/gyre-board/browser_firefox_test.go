package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
)

// noFirefox says how to get one.
const noFirefox = "no Firefox on the PATH: install one (Debian: apt-get install firefox-esr) to play in it, too"

// firefox is a Firefox that a test drives by WebDriver BiDi, as the W3C describes it.
type firefox struct {
	conn *websocket.Conn

	mu      sync.Mutex
	number  int
	waiting map[int]chan reply
	console func(text string) // is told of errors
}

// reply is what the browser answers to a command.
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

// startFirefox starts a Firefox with a profile of its own, which ends with the test.
func startFirefox(t *testing.T) *firefox {
	t.Helper()
	if testing.Short() {
		t.Skip("browser tests are left out with -short")
	}
	path, err := findFirefox()
	if err != nil {
		t.Skip(noFirefox)
	}
	profile := t.TempDir()
	// What a person sees in the first minutes of a new profile has nothing to do with the page.
	const preferences = "user_pref(\"ui.prefersReducedMotion\", 1);\nuser_pref(\"datareporting.policy.dataSubmissionEnabled\", false);\nuser_pref(\"app.update.enabled\", false);\nuser_pref(\"browser.shell.checkDefaultBrowser\", false);\n"
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(preferences), 0o600); err != nil {
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
			// It goes on only while somebody reads what it says.
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

// findFirefox returns the path of a Firefox, or an error that is exec.ErrNotFound.
func findFirefox() (path string, err error) {
	for _, name := range []string{"firefox-esr", "firefox"} {
		if path, err = exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", err
}

// read hands replies to those who wait for them, until the connection ends.
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

// call gives the browser a command, and reads what it answers into result.
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

// must is call, and fails the test.
func (f *firefox) must(t *testing.T, method string, params, result any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), *patience)
	defer cancel()
	if err := f.call(ctx, method, params, result); err != nil {
		t.Fatal(err)
	}
}
