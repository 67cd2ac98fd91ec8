package report

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// patience is how long the browser may take over anything, on a machine that does
// much else.
const patience = 3 * time.Minute

// browser starts a Chromium. Without one the test is skipped, or fails where
// GYRE_BROWSER=required.
func browser(t *testing.T) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("browser tests are left out with -short")
	}
	var path string
	var err error
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "headless-shell"} {
		if path, err = exec.LookPath(name); err == nil {
			break
		}
	}
	if err != nil && os.Getenv("GYRE_BROWSER") != "required" {
		t.Skip("no Chromium on the PATH")
	}
	if err != nil {
		t.Fatal(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.Flag("disable-component-update", true))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // it refuses to run as root with one
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	allocator, cancel := chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	t.Cleanup(cancel)
	return ctx
}

// open shows the page of the data in a window of that width.
func open(t *testing.T, ctx context.Context, d *Data, width int64) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	page := written(t, d)
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	act(t, ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate("file://"+path))
	if drawn := look[int](t, ctx, `new Promise((done) => {
		const drawn = () => { const n = document.querySelectorAll('.stage > svg .axes').length; n === document.querySelectorAll('.chart').length ? done(n) : requestAnimationFrame(drawn); };
		drawn();
	})`); drawn != strings.Count(page, "<figure") {
		t.Fatalf("%d charts are drawn, want %d", drawn, strings.Count(page, "<figure"))
	}
}

// act has the person do something.
func act(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// look returns the value of an expression in the page.
func look[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return value
}
