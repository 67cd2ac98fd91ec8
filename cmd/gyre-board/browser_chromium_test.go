package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
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
	allocator, _ := chromedp.NewExecAllocator(context.Background(), options...)
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
