// Package browsertest finds and starts the browsers of tests. Browser tests run only if the
// environment variable [Variable] is set, because they take minutes and need Chromium, Firefox
// and axe. If it is set, a missing program fails the test.
package browsertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// Variable is the environment variable that requests browser tests, with any value but the empty
// one: GYRE_BROWSER=1 go test ./cmd/gyre-board.
const Variable = "GYRE_BROWSER"

// Requested reports whether browser tests run.
func Requested() bool { return os.Getenv(Variable) != "" }

// Request skips the test unless browser tests are requested.
func Request(t testing.TB) {
	t.Helper()
	if !Requested() {
		t.Skip("browser tests run on request: " + Variable + "=1")
	}
}

// Chromium returns the path of Chromium. It skips the test if browser tests are not requested, and
// fails it if there is no Chromium.
func Chromium(t testing.TB) string {
	t.Helper()
	return find(t, "chromium", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "headless-shell")
}

// Firefox does the same for Firefox.
func Firefox(t testing.TB) string {
	t.Helper()
	return find(t, "firefox-esr", "firefox-esr", "firefox")
}

// find returns the path of the first program on the PATH.
func find(t testing.TB, debian string, names ...string) string {
	t.Helper()
	Request(t)
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatalf("no %s on the PATH: install one (Debian: apt-get install %s), or unset %s to skip the browser tests", names[len(names)-1], debian, Variable)
	return ""
}

// Patience limits every wait of a browser test on a machine that is not overloaded: see [EndOfWait].
const Patience = time.Minute

// lastWords is the time before the deadline of all tests at which a wait ends, so that the test can
// still report what it waited for.
const lastWords = 15 * time.Second

// EndOfWait returns when a wait that begins now has failed: after [Patience]. On Linux, if more than
// four programs for each processor want to run, the wait is longer in proportion, up to ten times.
func EndOfWait(t testing.TB) time.Time {
	patience := Patience
	var load float64
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		_, _ = fmt.Sscan(string(text), &load)
	}
	if crowd := load / float64(4*runtime.NumCPU()); crowd > 1 {
		patience = time.Duration(float64(patience) * min(crowd, 10))
	}
	end := time.Now().Add(patience)
	if t, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if deadline, ok := t.Deadline(); ok && deadline.Add(-lastWords).Before(end) {
			end = deadline.Add(-lastWords)
		}
	}
	return end
}

// Options returns the options of Chromium for tests, which more may follow.
func Options(path string) []chromedp.ExecAllocatorOption {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.Flag("disable-component-update", true),
		// Without the last three, each profile also loads two pages for the address bar, which no
		// test sees. The others are the library's.
		chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup"))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium refuses to run a sandbox as root
	}
	return options
}

// Start starts a Chromium with its own profile, which ends with the test, and returns its context.
func Start(t testing.TB) context.Context {
	t.Helper()
	allocator, cancel := chromedp.NewExecAllocator(t.Context(), Options(Chromium(t))...)
	t.Cleanup(cancel)
	// The library reports events that it does not know. They do not matter.
	ctx, cancel := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	t.Cleanup(cancel)
	// A browser ends with the context in which it was started, so no wait may start it.
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal("starting Chromium: ", err)
	}
	return ctx
}

// Axe returns the code of axe, which finds accessibility faults. It skips the test if browser
// tests are not requested, and fails it if npm has not installed axe: see
// cmd/gyre-board/testdata/npm/README.md.
func Axe(t testing.TB) string {
	t.Helper()
	Request(t)
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			break
		} else if !errors.Is(err, os.ErrNotExist) || folder == filepath.Dir(folder) {
			t.Fatal("no go.mod above the test's folder: ", err)
		}
		folder = filepath.Dir(folder)
	}
	script, err := os.ReadFile(filepath.Join(folder, "cmd/gyre-board/testdata/npm/node_modules/axe-core/axe.min.js"))
	if errors.Is(err, os.ErrNotExist) {
		t.Fatal("no axe-core: run `npm ci --prefix cmd/gyre-board/testdata/npm` to check accessibility")
	} else if err != nil {
		t.Fatal(err)
	}
	return string(script)
}
