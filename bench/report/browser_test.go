package report

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"gyre/bench/browsertest"
	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/bench/tune"
	"gyre/position"
	"gyre/position/record"
	"gyre/protocol"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// open opens the page of d in a window of the given width.
func open(t *testing.T, ctx context.Context, d *Data, width int64) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	page := written(t, d)
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	act(t, ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate("file://"+path))
	if drawn := look[int](t, ctx, `new Promise((done) => {
		const drawn = () => { const n = document.querySelectorAll('.stage > svg .axes').length; n === document.querySelectorAll('[id^=chart-]').length ? done(n) : requestAnimationFrame(drawn); };
		drawn();
	})`); drawn != strings.Count(page, `id="chart-`) {
		t.Fatalf("the page shows %d charts, want %d", drawn, strings.Count(page, `id="chart-`))
	}
}

// act performs user actions.
func act(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	ctx, cancel := context.WithDeadline(ctx, browsertest.EndOfWait(t))
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// look evaluates an expression in the page.
func look[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	ctx, cancel := context.WithDeadline(ctx, browsertest.EndOfWait(t))
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// matchData returns sixty pairs of a match with a test. One engine's name looks like an
// element.
func matchData(t *testing.T) *Data {
	t.Helper()
	d := testData(t)
	d.Test(stats.Hypotheses{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05})
	for number := 9; number < 120; number++ {
		l := testLine(number, []string{"white", "black", "draw", "white"}[(number*7+number/3)%4])
		l.Turns = l.Turns[:1+number%3]
		if err := d.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// cutOff lists the texts of charts that extend beyond their drawing, and the elements that make
// the page wider than its window.
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

// TestBrowserChartsFit checks that no label is cut off or overlaps another, in a wide window
// and on a phone, light and dark.
func TestBrowserChartsFit(t *testing.T) {
	ctx := browsertest.Start(t)
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
			t.Errorf("%d wide: %s overlaps the number before it", width, found)
		}
	}
}

// eloDrawing selects the drawing of the first chart.
const eloDrawing = `document.querySelector('#chart-0 .stage > svg')`

// mouse returns a function that moves or presses the mouse at a fraction of the first chart's
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

// shown returns the text of the i-th point of the Elo chart.
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

// TestBrowserChartsAnswer reads the values of a chart with the mouse and the keyboard.
func TestBrowserChartsAnswer(t *testing.T) {
	ctx := browsertest.Start(t)
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
		t.Errorf("the box next to the mouse shows %q", box)
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

// TestBrowserChartsZoom zooms into a chart with the mouse and a button, and out with a key.
func TestBrowserChartsZoom(t *testing.T) {
	ctx := browsertest.Start(t)
	open(t, ctx, matchData(t), 1200)
	ticks := func() string {
		return look[string](t, ctx, `[...document.querySelectorAll('#chart-0 .tick[text-anchor=middle]')].map((text) => text.textContent).join(' ')`)
	}
	whole := ticks()
	if whole != "10 15 20 25 30 35 40 45 50 55 60" {
		t.Errorf("the axis shows %q", whole)
	}
	move := mouse(t, ctx)
	move(chromedp.MouseMoved, 0.4)
	move(chromedp.MousePressed, 0.4)
	move(chromedp.MouseMoved, 0.6)
	move(chromedp.MouseReleased, 0.6)
	if got := ticks(); got != "28 30 32 34 36 38" {
		t.Errorf("after dragging over the middle the axis shows %q", got)
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

// TestBrowserChartsDraw counts what is drawn: a corner of the path for each value of a line, and
// a bar for each count. No name becomes an element.
func TestBrowserChartsDraw(t *testing.T) {
	ctx := browsertest.Start(t)
	d := matchData(t)
	open(t, ctx, d, 800)
	for i, c := range held(t, written(t, d)) {
		want := 0
		for _, s := range c.Series {
			want += len(s.X)
		}
		got := look[int](t, ctx, fmt.Sprintf(`(() => {
			const drawn = document.querySelector('#chart-%d .stage > svg');
			const corners = new Set([...drawn.querySelectorAll('path.line')].flatMap((path) => path.getAttribute('d').match(/[\d.]+ [\d.]+/g).map((at) => path.classList[1] + at)));
			return corners.size + drawn.querySelectorAll('rect.bar').length;
		})()`, i))
		if got != want {
			t.Errorf("%s: %d values are drawn, want %d", c.Title, got, want)
		}
	}
	if found := look[int](t, ctx, `document.querySelectorAll('old').length`); found > 0 {
		t.Errorf("an engine's name became %d elements", found)
	}
}

// TestBrowserReportAccess checks a report with axe.
func TestBrowserReportAccess(t *testing.T) {
	ctx := browsertest.Start(t)
	open(t, ctx, matchData(t), 1200)
	accessible(t, ctx)
}

// accessible checks the open page for accessibility violations with axe, dark and light.
func accessible(t *testing.T, ctx context.Context) {
	t.Helper()
	act(t, ctx, chromedp.Evaluate[chromedp.Void](browsertest.Axe(t)))
	for _, scheme := range []string{"dark", "light"} {
		wish := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
		if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, wish); err != nil {
			t.Fatal(err)
		}
		for _, found := range look[[]string](t, ctx, `axe.run({resultTypes: ['violations']}).then(({violations}) => violations.flatMap(({id, help, nodes}) =>
			nodes.map(({target, failureSummary}) => id + ': ' + help + ' at ' + target.join(' ') + ': ' + failureSummary)))`) {
			t.Errorf("%s: %s", scheme, found)
		}
	}
}

// randomGames adds complete games of random turns to d and returns the positions of each,
// including the start.
func randomGames(t *testing.T, d *Data, games int) (positions [][]string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(15, 5))
	for number := range games {
		l := testLine(number, "draw")
		l.Reason, l.Opening, l.Turns = game.PoolEmpty, []string{}, nil
		p := position.Start(position.Standard)
		path := []string{p.String()}
		for !p.Over() {
			turns := p.Turns(nil)
			turn := turns[rng.IntN(len(turns))]
			if word := turn.String(); len(l.Opening) < 10 {
				l.Opening = append(l.Opening, word)
			} else {
				cp := rng.IntN(2000) - 1000
				l.Turns = append(l.Turns, match.TurnLine{Turn: word, ScoreFields: protocol.ScoreFields{CP: &cp}})
			}
			p = p.After(turn)
			path = append(path, p.String())
		}
		l.Result = p.Result().String()
		if err := d.Add(l); err != nil {
			t.Fatal(err)
		}
		positions = append(positions, path)
	}
	return positions
}

// TestBrowserGamesPlayTurns compares the positions that the page computes from random games
// with those of the rules.
func TestBrowserGamesPlayTurns(t *testing.T) {
	ctx := browsertest.Start(t)
	d := matchData(t)
	before := len(d.held)
	want := randomGames(t, d, 20)
	open(t, ctx, d, 1200)
	got := look[[][]string](t, ctx, fmt.Sprintf(`dataOf(document).games.slice(%d).map((game) => {
		return positionsOf(game).map(formatBoard);
	})`, before))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("positions (-want +got):\n%s", diff)
	}
}

// TestBrowserGamesOpen opens a game by its link, steps through it, and searches for games by
// opening, end and swing.
func TestBrowserGamesOpen(t *testing.T) {
	ctx := browsertest.Start(t)
	d := New()
	for number := range 120 {
		l := testLine(number, "white")
		if number == 7 {
			l.Reason = game.TimeForfeit
		}
		if number == 9 {
			l.Opening = []string{"k7", "f6"}
			high, low := 900, 900
			l.Turns = []match.TurnLine{{Turn: "a2", ScoreFields: protocol.ScoreFields{CP: &high}}, {Turn: "a3", ScoreFields: protocol.ScoreFields{CP: &low}}}
		}
		if err := d.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	open(t, ctx, d, 390)
	text := func(name string) string {
		return look[string](t, ctx, fmt.Sprintf(`document.querySelector('[data-games="%s"]').textContent`, name))
	}
	if hidden := look[bool](t, ctx, `document.querySelector('[data-games="viewer"]').hidden`); !hidden {
		t.Error("a game is open without a link")
	}
	look[bool](t, ctx, `new Promise((done) => { addEventListener('hashchange', () => done(true)); location.hash = '#game-10-3'; })`)
	if got := text("now"); got != "3. a2, +9.00 for White; removed rings 0–0" {
		t.Errorf("the link shows %q", got)
	}
	for _, step := range []struct{ key, want string }{
		{"ArrowLeft", "2. f6, opening; removed rings 0–0"}, {"End", "4. a3, −9.00 for White; removed rings 0–0"}, {"ArrowRight", "4. a3, −9.00 for White; removed rings 0–0"},
		{"Home", "before the first turn, opening; removed rings 0–0"},
	} {
		look[bool](t, ctx, fmt.Sprintf(`document.querySelector('[data-games="on"]').dispatchEvent(new KeyboardEvent('keydown', {key: %q, bubbles: true}))`, step.key))
		if got := text("now"); got != step.want {
			t.Errorf("%s shows %q, want %q", step.key, got, step.want)
		}
	}
	look[bool](t, ctx, `document.querySelector('[data-games="sharpest"]').click() ?? true`)
	if got, address := text("now"), look[string](t, ctx, `location.hash`); got != "4. a3, −9.00 for White; removed rings 0–0" || address != "#game-10-4" {
		t.Errorf("the sharpest swing shows %q at %q", got, address)
	}
	find := func(name, value string) (first, count string) {
		look[bool](t, ctx, fmt.Sprintf(`(() => { const field = document.querySelector('[data-games="%s"]'); field.value = %q; field.dispatchEvent(new Event('input')); return true; })()`, name, value))
		return look[string](t, ctx, `document.querySelector('[data-games="rows"] a').getAttribute('href')`), text("count")
	}
	for _, test := range []struct{ field, value, first, count string }{
		{"text", "k7 f6", "#game-10", "1 of 120 games"}, {"text", "", "#game-1", "120 of 120 games"},
		{"reason", "faults", "#game-8", "1 of 120 games"}, {"reason", "", "#game-1", "120 of 120 games"},
		{"order", "swing", "#game-10", "120 of 120 games"},
	} {
		if first, count := find(test.field, test.value); first != test.first || count != test.count {
			t.Errorf("%s %q finds %s first of %s, want %s of %s", test.field, test.value, first, count, test.first, test.count)
		}
	}
	for _, found := range look[[]string](t, ctx, cutOff) {
		t.Errorf("on a phone: %s", found)
	}
	act(t, ctx, chromedp.EmulateViewport(1200, 900))
}

// TestBrowserGamesFocus checks that the arrow keys step through a game that was just opened by a
// link in the address, by a click, and by a button.
func TestBrowserGamesFocus(t *testing.T) {
	ctx := browsertest.Start(t)
	open(t, ctx, matchData(t), 1200)
	at := func() string {
		return look[string](t, ctx, `location.hash + ' ' + document.activeElement.dataset.games`)
	}
	look[bool](t, ctx, `new Promise((done) => { addEventListener('hashchange', () => done(true), {once: true}); location.hash = '#game-11-3'; })`)
	for _, step := range []struct{ act, want string }{
		{`true`, "#game-11-4 viewer"},
		{`new Promise((done) => { addEventListener('hashchange', () => done(true), {once: true}); document.querySelector('[data-games="rows"] a').click(); })`, "#game-1-3 viewer"},
		{`new Promise((done) => { addEventListener('hashchange', () => done(true), {once: true}); document.querySelector('[data-games="after"]').click(); })`, "#game-2-3 viewer"},
	} {
		look[bool](t, ctx, step.act)
		act(t, ctx, chromedp.KeyEvent("\u0303")) // arrow to the right
		if got := at(); got != step.want {
			t.Errorf("after %s the arrow leads to %q, want %q", step.act, got, step.want)
		}
	}
	if current := look[string](t, ctx, `document.querySelector('.turns [aria-current]').textContent`); current != "3.a2+0.15" {
		t.Errorf("the list of turns marks %q", current)
	}
	look[bool](t, ctx, `document.querySelector('.turns [data-turn="1"]').click() ?? true`)
	if got := look[string](t, ctx, `location.hash`); got != "#game-2-1" {
		t.Errorf("a click on the first turn leads to %q", got)
	}
}

// TestBrowserManyGames checks that a page of 3,000 games shows only the rows in sight, reaches all
// of them by scrolling, and saves all as records that can be read and as a table.
func TestBrowserManyGames(t *testing.T) {
	ctx := browsertest.Start(t)
	d := New()
	randomGames(t, d, 40)
	for number := 40; number < 3000; number++ {
		if err := d.Add(testLine(number, "white")); err != nil {
			t.Fatal(err)
		}
	}
	open(t, ctx, d, 1200)
	const rows = `document.querySelectorAll('[data-games="rows"] tbody tr').length`
	if n := look[int](t, ctx, rows); n > 60 {
		t.Errorf("the page has %d rows", n)
	}
	last := look[string](t, ctx, `new Promise((done) => {
		const box = document.querySelector('[data-games="rows"]');
		box.addEventListener('scroll', () => requestAnimationFrame(() => done([...box.querySelectorAll('a')].at(-1).textContent)));
		box.scrollTop = 1e9;
	})`)
	if n := look[int](t, ctx, rows); last != "3000" || n > 60 {
		t.Errorf("at the end the last game is %q of %d rows", last, n)
	}
	if lines := strings.Count(look[string](t, ctx, `tableOf(gameList.found)`), "\r\n"); lines != 3000 {
		t.Errorf("the table has %d lines", lines)
	}
	games, err := record.NewReader(strings.NewReader(look[string](t, ctx, `gameList.games.slice(0, 40).map(recordOf).join("\n")`))).ReadAll()
	if err != nil || len(games) != 40 {
		t.Fatalf("%d records: %v", len(games), err)
	}
	for i, g := range games {
		if len(g.Turns) != len(d.held[i].Turns) || g.Tag("White") != d.held[i].White {
			t.Errorf("record %d has %d turns, want %d", i+1, len(g.Turns), len(d.held[i].Turns))
		}
	}
}

// TestBrowserCopy checks the button next to the command, and the link to the board.
func TestBrowserCopy(t *testing.T) {
	ctx := browsertest.Start(t)
	d := New()
	for number := range 4 {
		l := testLine(number, "white")
		if number == 0 {
			l.Setup = &match.Setup{Command: "gyre-arena match -nodes 5", Options: map[string]string{"new": "Skill=19"}, Openings: "seed 1"}
		}
		if err := d.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	open(t, ctx, d, 390)
	if text := look[string](t, ctx, `document.querySelector('#settings ~ table').textContent + document.getElementById('command-1').textContent`); !strings.Contains(text, "Skill=19") || !strings.Contains(text, "gyre-arena match -nodes 5") {
		t.Errorf("the settings are %q", text)
	}
	look[bool](t, ctx, `{
		const said = document.getElementById('said');
		globalThis.copied = new Promise((done) => new MutationObserver(() => done(said.textContent)).observe(said, {childList: true}));
		document.querySelector('[data-copy="command-1"]').focus();
		true;
	}`)
	act(t, ctx, chromedp.KeyEvent("\r")) // browsers copy only for a person
	said := look[string](t, ctx, `copied`)
	if said != "Copied" {
		t.Errorf("the button says %q", said)
	}
	link := look[string](t, ctx, `(location.hash = '#game-2-3', gameList.follow(), document.querySelector('[data-games="open"]').href)`)
	if want := DefaultBoard + "#rules=standard&turns=e3%2Cf6%2Ca2%2Ca3%2Ca4&at=3&white=%3Cold%3E&black=new"; link != want {
		t.Errorf("the board opens at %s, want %s", link, want)
	}
	accessible(t, ctx)
}

// TestBrowserTournament checks the page of a tournament with axe, wide and on a phone.
func TestBrowserTournament(t *testing.T) {
	ctx := browsertest.Start(t)
	for _, width := range []int64{1200, 820, 390} {
		open(t, ctx, tournamentData(t, 40), width)
		for _, found := range look[[]string](t, ctx, cutOff) {
			t.Errorf("%d wide: %s", width, found)
		}
		accessible(t, ctx)
	}
}

// TestBrowserTuning checks that a value which hardly changed looks so: its chart spans at least a
// step.
func TestBrowserTuning(t *testing.T) {
	ctx := browsertest.Start(t)
	tuning := &tune.Tuning{SPSA: tune.SPSA{Iterations: 5, Rate: 0.002, Seed: 7, Parameters: []tune.Parameter{{Name: "Margin", Value: 36, Min: 0, Max: 120, Step: 6}}}, Batch: 1}
	var text strings.Builder
	if err := WriteTuning(&text, tuning, &tune.Progress{Played: 3, Path: []tune.Point{{Iteration: 0, Values: []float64{36}}, {Iteration: 1, Values: []float64{36}}, {Iteration: 2, Values: []float64{35.995}}, {Iteration: 3, Values: []float64{35.99}}}}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int64{1200, 390} {
		act(t, ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate("file://"+path))
		span := look[float64](t, ctx, `new Promise((done) => { const drawn = () => (charts[0].vertical ? done(charts[0].vertical.high - charts[0].vertical.low) : requestAnimationFrame(drawn)); drawn(); })`)
		if span < 6 {
			t.Errorf("the axis spans %v, less than a step", span)
		}
		for _, found := range look[[]string](t, ctx, cutOff) {
			t.Errorf("%d wide: %s", width, found)
		}
		accessible(t, ctx)
	}
}

// servedPage serves the text in page. While it is empty the hub is down.
func servedPage(t *testing.T) (url string, page *atomic.Value) {
	t.Helper()
	page = &atomic.Value{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		text, _ := page.Load().(string)
		if text == "" {
			http.Error(w, "away", http.StatusBadGateway)
			return
		}
		_, _ = w.Write([]byte(text)) // the client may have gone
	}))
	t.Cleanup(server.Close)
	return server.URL, page
}

// halved marks a point of a chart and then removes every second point from it. It returns the
// point marked before, the one marked after, and the number of points left.
const halved = `(() => {
	const [chart] = charts, half = structuredClone(chart.data);
	for (const s of half.series) for (const of of ["x", "y", "low", "high"]) s[of] = s[of]?.filter((_, i) => i % 2);
	chart.show(5);
	const was = chart.xs[5];
	chart.take(half);
	chart.draw();
	return [was, chart.xs[chart.at], chart.xs.length];
})()`

// TestBrowserHub opens the page of a hub in a wide window and on a phone and zooms into a chart.
// Then the match continues, the hub goes down, and the match ends.
func TestBrowserHub(t *testing.T) {
	ctx := browsertest.Start(t)
	at, h := time.Now(), &Hub{}
	for pairs := 20; pairs <= 200; pairs += 10 {
		h.Observe(hubStatus(pairs), at)
	}
	url, page := servedPage(t)
	page.Store(hubPageOf(t, h))
	// renewed refreshes the page until an expression is true.
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
	if pieces := look[int](t, ctx, `document.querySelectorAll('.board .piece').length`); pieces != 5 {
		t.Errorf("the board has %d pieces, want 4 and a removed ring", pieces)
	}
	if named := look[int](t, ctx, `document.querySelectorAll('old').length`); named > 0 {
		t.Error("a name became an element")
	}
	view := func() []float64 { return look[[]float64](t, ctx, `charts[0].view`) }
	look[bool](t, ctx, `document.querySelector('#chart-0 [data-act="zoom in"]').click() ?? true`)
	zoomed := view()
	h.Observe(hubStatus(300), at.Add(time.Second))
	page.Store(hubPageOf(t, h))
	renewed(`document.querySelector('.summary').textContent.includes('600 of 1,000 games')`)
	if diff := cmp.Diff(zoomed, view()); diff != "" || zoomed[1] > 199 {
		t.Errorf("the visible part, of 20 to 200 pairs, after the match continued (-before +after):\n%s", diff)
	}
	look[bool](t, ctx, `document.querySelector('#chart-0 [data-act="show all"]').click() ?? true`)
	if diff := cmp.Diff([]float64{20, 300}, view()); diff != "" {
		t.Errorf("the whole chart (-want +got):\n%s", diff)
	}
	if drawn := look[int](t, ctx, `document.querySelectorAll('.board .marker').length`); drawn != 3 {
		t.Errorf("the board has %d markers after a refresh, want 3", drawn)
	}
	if diff := cmp.Diff([]float64{70, 70, 10}, look[[]float64](t, ctx, halved)); diff != "" {
		t.Errorf("the mark before and after removing points, and the points left (-want +got):\n%s", diff)
	}
	page.Store("")
	renewed(`!document.getElementById('lost').hidden`)
	h.Observe(hubStatus(310), at.Add(2*time.Second))
	page.Store(hubPageOf(t, h))
	renewed(`document.getElementById('lost').hidden`)
	page.Store(hubPageOf(t, &Hub{}))
	untilOver(t, ctx)
}

// untilOver refreshes the page until it shows no match. The page then reloads, which cancels
// evaluations.
func untilOver(t *testing.T, ctx context.Context) {
	t.Helper()
	ctx, cancel := context.WithDeadline(ctx, browsertest.EndOfWait(t))
	defer cancel()
	for over := false; !over; {
		var err error
		over, err = chromedp.Run(ctx, chromedp.Evaluate[bool](`document.querySelector('[data-part="no match"]') !== null || (renew(), false)`))
		if ctx.Err() != nil {
			t.Fatalf("the finished match is still shown: %v", err)
		}
		over = over && err == nil
	}
}
