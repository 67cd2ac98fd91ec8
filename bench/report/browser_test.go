package report

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"gyre/bench/stats"
)

// matchData is sixty pairs of a match with a test, and a name that looks like an
// element.
func matchData(t *testing.T) *Data {
	t.Helper()
	d := testData(t)
	d.Test(stats.Hypotheses{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05})
	for number := 10; number < 120; number++ {
		l := testLine(number, []string{"white", "black", "draw", "white"}[(number*7+number/3)%4])
		l.Turns = l.Turns[:1+number%3]
		if err := d.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// cutOff lists the texts of charts that are not wholly within their drawing, and
// what makes the page wider than its window.
const cutOff = `(() => {
	const outside = [];
	for (const svg of document.querySelectorAll('.stage > svg')) {
		const box = svg.getBoundingClientRect();
		for (const text of svg.querySelectorAll('text')) {
			const {left, right, top, bottom} = text.getBoundingClientRect();
			if (left < box.left || right > box.right || top < box.top - 1 || bottom > box.bottom + 1) outside.push(text.textContent + ' at ' + [left, right, top, bottom]);
		}
	}
	if (document.documentElement.scrollWidth > innerWidth) outside.push('the page is ' + document.documentElement.scrollWidth + ' wide');
	return outside;
})()`

// TestBrowserChartsFit looks for labels that are cut off or lie over each other,
// in a wide window and on a phone, light and dark.
func TestBrowserChartsFit(t *testing.T) {
	ctx := browser(t)
	for width, scheme := range map[int64]string{1200: "light", 390: "dark"} {
		wish := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
		open(t, ctx, matchData(t), width)
		if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, wish); err != nil {
			t.Fatal(err)
		}
		for _, found := range look[[]string](t, ctx, cutOff) {
			t.Errorf("%d wide: %s", width, found)
		}
		for _, found := range look[[]string](t, ctx, `[...document.querySelectorAll('.stage > svg')].flatMap((svg) => {
			const boxes = [...svg.querySelectorAll('.tick[text-anchor=middle]')].map((text) => [text.textContent, text.getBoundingClientRect()]);
			return boxes.slice(1).filter(([, box], i) => box.left < boxes[i][1].right + 4).map(([text]) => text);
		})`) {
			t.Errorf("%d wide: %s lies over the number before it", width, found)
		}
	}
}

// eloDrawing is the drawing of the first chart.
const eloDrawing = `document.querySelector('#chart-0 .stage > svg')`

// mouse returns what moves and presses the mouse at a share of the first chart's
// width.
func mouse(t *testing.T, ctx context.Context) func(input.DispatchMouseEventType, float64) {
	box := look[map[string]float64](t, ctx, `(() => {
		`+eloDrawing+`.scrollIntoView({block: 'center'});
		const {x, y, width, height} = `+eloDrawing+`.getBoundingClientRect();
		return {x, y, width, height};
	})()`)
	return func(kind input.DispatchMouseEventType, share float64) {
		t.Helper()
		act(t, ctx, chromedp.MouseEvent(kind, box["x"]+box["width"]*share, box["y"]+box["height"]/2, chromedp.ButtonLeft))
	}
}

// shown returns what a chart says of a point of the Elo.
func shown(elo series, i int) string {
	format := func(v float64) string {
		decimals := 1
		switch {
		case v == math.Trunc(v):
			decimals = 0
		case max(v, -v) < 10:
			decimals = 2
		}
		return strings.ReplaceAll(fmt.Sprintf("%.*f", decimals, v), "-", "\u2212")
	}
	return fmt.Sprintf("pairs %.0f: Elo %s (%s to %s)", elo.X[i], format(elo.Y[i]), format(elo.Low[i]), format(elo.High[i]))
}

// TestBrowserChartsAnswer asks a chart for its values by the mouse and by keys.
func TestBrowserChartsAnswer(t *testing.T) {
	ctx := browser(t)
	d := matchData(t)
	open(t, ctx, d, 1200)
	elo := held(t, written(t, d))[0].Series[0]
	last := len(elo.X) - 1
	value := func() string { return look[string](t, ctx, eloDrawing+`.getAttribute('aria-valuetext')`) }
	mouse(t, ctx)(chromedp.MouseMoved, 0.999)
	if got, want := value(), shown(elo, last); got != want {
		t.Errorf("the mouse at the end shows %q, want %q", got, want)
	}
	if box := look[string](t, ctx, `document.querySelector('#chart-0 .tip').innerText`); !strings.Contains(box, fmt.Sprintf("pairs %.0f", elo.X[last])) {
		t.Errorf("the box beside the mouse says %q", box)
	}
	look[bool](t, ctx, eloDrawing+`.focus() ?? true`)
	for _, step := range []struct {
		key string
		at  int
	}{{"ArrowLeft", last - 1}, {"ArrowLeft", last - 2}, {"ArrowRight", last - 1}, {"Home", 0}, {"End", last}, {"ArrowRight", last}} {
		look[bool](t, ctx, fmt.Sprintf(`%s.dispatchEvent(new KeyboardEvent('keydown', {key: %q}))`, eloDrawing, step.key))
		if got, want := value(), shown(elo, step.at); got != want {
			t.Errorf("%s shows %q, want %q", step.key, got, want)
		}
	}
}

// TestBrowserChartsZoom looks at a part of a chart, by a drag of the mouse and by
// a button, and at all of it again by a key.
func TestBrowserChartsZoom(t *testing.T) {
	ctx := browser(t)
	open(t, ctx, matchData(t), 1200)
	ticks := func() string {
		return look[string](t, ctx, `[...document.querySelectorAll('#chart-0 .tick[text-anchor=middle]')].map((text) => text.textContent).join(' ')`)
	}
	whole := ticks()
	if whole != "10 20 30 40 50" {
		t.Errorf("the axis says %q", whole)
	}
	move := mouse(t, ctx)
	move(chromedp.MouseMoved, 0.4)
	move(chromedp.MousePressed, 0.4)
	move(chromedp.MouseMoved, 0.6)
	move(chromedp.MouseReleased, 0.6)
	if got := ticks(); got != "24 26 28 30 32 34" {
		t.Errorf("after a drag over the middle the axis says %q", got)
	}
	act(t, ctx, chromedp.KeyEvent("0"))
	if got := ticks(); got != whole {
		t.Errorf("the key 0 leaves the axis at %q, want %q", got, whole)
	}
	look[bool](t, ctx, `document.querySelector('#chart-0 [data-act="zoom in"]').click() ?? true`)
	if got := ticks(); got == whole || strings.Count(got, " ") < 3 {
		t.Errorf("the button leaves the axis at %q", got)
	}
}

// TestBrowserChartsDraw counts what is drawn of the data: each value of a line is a
// corner of its path, each count a bar. No name becomes an element.
func TestBrowserChartsDraw(t *testing.T) {
	ctx := browser(t)
	d := matchData(t)
	open(t, ctx, d, 800)
	for i, c := range held(t, written(t, d)) {
		want := 0
		for _, s := range c.Series {
			want += len(s.X)
		}
		got := look[int](t, ctx, fmt.Sprintf(`(() => {
			const drawn = document.querySelector('#chart-%d .stage > svg');
			return [...drawn.querySelectorAll('path.line')].reduce((n, path) => n + path.getAttribute('d').match(/[ML]/g).length, 0) + drawn.querySelectorAll('rect.bar').length;
		})()`, i))
		if got != want {
			t.Errorf("%s: %d values are drawn, want %d", c.Title, got, want)
		}
	}
	if found := look[int](t, ctx, `document.querySelectorAll('old').length`); found > 0 {
		t.Errorf("%d elements by the name of an engine", found)
	}
}

// TestBrowserReportAccess has axe look at a report.
func TestBrowserReportAccess(t *testing.T) {
	ctx := browser(t)
	open(t, ctx, matchData(t), 1200)
	accessible(t, ctx)
}

// accessible has axe look for what keeps people from using the page that is open. npm
// fetches it: see cmd/gyre-board/testdata/npm/README.md.
func accessible(t *testing.T, ctx context.Context) {
	t.Helper()
	axe, err := os.ReadFile("../../cmd/gyre-board/testdata/npm/node_modules/axe-core/axe.min.js")
	if err != nil && os.Getenv("GYRE_BROWSER") != "required" {
		t.Log("no axe-core: npm ci --prefix cmd/gyre-board/testdata/npm")
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	act(t, ctx, chromedp.Evaluate[chromedp.Void](string(axe)))
	for _, found := range look[[]string](t, ctx, `axe.run({resultTypes: ['violations']}).then(({violations}) => violations.flatMap(({id, help, nodes}) =>
		nodes.map(({target, failureSummary}) => id + ': ' + help + ' at ' + target.join(' ') + ': ' + failureSummary)))`) {
		t.Error(found)
	}
}
