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
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
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

// The size of a window in CSS pixels.
const (
	WindowWidth  = 1280
	WindowHeight = 800
)

// Options returns the options of Chromium for tests, which more may follow.
func Options(path string) []chromedp.ExecAllocatorOption {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.WindowSize(WindowWidth, WindowHeight),
		chromedp.WSURLReadTimeout(Patience),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-quic", true),
		// Without the spare renderer, a profile starts only the processes that it uses. Without the
		// last three, it also loads two pages for the address bar, which no test sees. The others are
		// the library's.
		chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,SpareRendererForSitePerProcess,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup"))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium refuses to run a sandbox as root
	}
	return options
}

// shared contains the context of the running browser.
var shared struct {
	sync.Mutex
	ctx context.Context
}

// Browser returns the context of the Chromium that all tests of a package share, and starts it on the
// first call. [Main] ends it. Browser skips the test if browser tests are not requested.
func Browser(t testing.TB) context.Context {
	t.Helper()
	path := Chromium(t)
	shared.Lock()
	defer shared.Unlock()
	if shared.ctx == nil {
		allocator, _ := chromedp.NewExecAllocator(context.Background(), Options(path)...)
		// The library reports events that it does not know. They do not matter.
		ctx, _ := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
		// A browser ends with the context in which it was started, so no wait may start it.
		if err := chromedp.Do(ctx); err != nil {
			t.Fatalf("starting %s: %v", path, err)
		}
		shared.ctx = ctx
	}
	return shared.ctx
}

// Main runs the tests of a package, ends the browser that they share, and returns the exit status.
// Packages that call [Browser] or [Start] call it in TestMain.
func Main(m *testing.M) int {
	status := m.Run()
	shared.Lock()
	defer shared.Unlock()
	if shared.ctx != nil {
		ctx, cancel := context.WithTimeout(shared.ctx, time.Minute)
		defer cancel()
		if err := chromedp.Cancel(ctx); err != nil {
			fmt.Fprintln(os.Stderr, "ending the browser:", err)
		}
	}
	return status
}

// Start opens a tab with its own profile, which ends with the test, and returns its context.
func Start(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := Tab(t, Browser(t), chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	return ctx
}

// Tab opens a tab in a context of the browser or of another tab. cancel closes it.
func Tab(t testing.TB, parent context.Context, options ...chromedp.ContextOption) (ctx context.Context, cancel context.CancelFunc) {
	t.Helper()
	ctx, cancel = chromedp.NewContext(parent, options...)
	// The library asks for the events of requests, several for each file. No test needs them.
	if _, err := chromedp.Call(ctx, network.Disable, struct{}{}); err != nil {
		cancel()
		t.Fatal("opening a tab: ", err)
	}
	return ctx, cancel
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
