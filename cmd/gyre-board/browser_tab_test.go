package main

import (
	"context"
	"flag"
	"fmt"
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
)

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
