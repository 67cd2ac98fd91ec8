package report

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
)

// servedPage serves the text of page, which is empty while the hub is away.
func servedPage(t *testing.T) (url string, page *atomic.Value) {
	t.Helper()
	page = &atomic.Value{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		text, _ := page.Load().(string)
		if text == "" {
			http.Error(w, "away", http.StatusBadGateway)
			return
		}
		_, _ = w.Write([]byte(text)) // who reads no more has gone
	}))
	t.Cleanup(server.Close)
	return server.URL, page
}

// halved marks a number of a chart, takes each second number from it, and returns the number
// that was marked, that which is, and how many are left.
const halved = `(() => {
	const [chart] = charts, half = structuredClone(chart.data);
	for (const s of half.series) for (const of of ["x", "y", "low", "high"]) s[of] = s[of]?.filter((_, i) => i % 2);
	chart.show(5);
	const was = chart.xs[5];
	chart.take(half);
	chart.draw();
	return [was, chart.xs[chart.at], chart.xs.length];
})()`

// TestBrowserHub opens the page of a hub in a wide window and on a phone, zooms into a chart
// there, and has the match go on, the hub be away and a match end.
func TestBrowserHub(t *testing.T) {
	ctx := browser(t)
	at, h := time.Now(), &Hub{}
	for pairs := 20; pairs <= 200; pairs += 10 {
		h.Saw(hubStatus(pairs), at)
	}
	url, page := servedPage(t)
	page.Store(hubPageOf(t, h))
	// renewed waits until an expression is true, having the page ask for itself at once.
	renewed := func(expression string) {
		t.Helper()
		look[bool](t, ctx, `(async () => { while (!(`+expression+`)) { await renew(); await new Promise(requestAnimationFrame); } return true; })()`)
	}
	for _, width := range []int64{1200, 390} {
		act(t, ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(url))
		renewed(`document.querySelectorAll('.stage > svg .axes').length === 2`)
		for _, found := range look[[]string](t, ctx, cutOff) {
			t.Errorf("%d wide: %s", width, found)
		}
	}
	accessible(t, ctx)
	if pieces := look[int](t, ctx, `document.querySelectorAll('.board .ring, .board .marker').length`); pieces != 5 {
		t.Errorf("the board has %d pieces, not 4 and a ring that was removed", pieces)
	}
	if named := look[int](t, ctx, `document.querySelectorAll('old').length`); named > 0 {
		t.Error("a name is an element")
	}
	view := func() []float64 { return look[[]float64](t, ctx, `charts[0].view`) }
	look[bool](t, ctx, `document.querySelector('#chart-0 [data-act="zoom in"]').click() ?? true`)
	zoomed := view()
	h.Saw(hubStatus(300), at.Add(time.Second))
	page.Store(hubPageOf(t, h))
	renewed(`document.querySelector('.told').textContent.includes('300 pairs')`)
	if diff := cmp.Diff(zoomed, view()); diff != "" || zoomed[1] > 199 {
		t.Errorf("the part that was looked at, of 20 to 200 pairs, when the match goes on (-before +after):\n%s", diff)
	}
	look[bool](t, ctx, `document.querySelector('#chart-0 [data-act="show all"]').click() ?? true`)
	if diff := cmp.Diff([]float64{20, 300}, view()); diff != "" {
		t.Errorf("all of it (-want +got):\n%s", diff)
	}
	if drawn := look[int](t, ctx, `document.querySelectorAll('.board .marker').length`); drawn != 3 {
		t.Errorf("the board has %d markers, not 3, after it is drawn anew", drawn)
	}
	if diff := cmp.Diff([]float64{70, 70, 10}, look[[]float64](t, ctx, halved)); diff != "" {
		t.Errorf("the number that was marked, and is when each second point is gone, of so many (-want +got):\n%s", diff)
	}
	page.Store("")
	renewed(`!document.getElementById('lost').hidden`)
	h.Saw(hubStatus(310), at.Add(2*time.Second))
	page.Store(hubPageOf(t, h))
	renewed(`document.getElementById('lost').hidden`)
	page.Store(hubPageOf(t, &Hub{}))
	untilOver(t, ctx)
}

// untilOver has the page ask for itself until it shows no match: it is loaded anew then, which
// breaks off what is asked meanwhile.
func untilOver(t *testing.T, ctx context.Context) {
	t.Helper()
	for over := false; !over; {
		var err error
		over, err = chromedp.Run(ctx, chromedp.Evaluate[bool](`document.querySelector('[data-part="no match"]') !== null || (renew(), false)`))
		if ctx.Err() != nil {
			t.Fatalf("the match that is over is still there: %v", err)
		}
		over = over && err == nil
	}
}
