package main

import (
	"cmp"
	"context"
	crand "crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	pages "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"

	"gyre/bench/puzzles"
	"gyre/cmd/gyre-board/internal/rooms"
	"gyre/position"
	"gyre/position/record"
	"gyre/search"
	"gyre/search/alphabeta"
)

// The benchmarks measure how fast the page is. They need browsers and an idle machine:
//
//	GYRE_BROWSER=1 go test ./cmd/gyre-board -run '^$' -bench . -benchtime 5x

// randomRecord returns the record of a game of random turns.
func randomRecord(random *rand.Rand, number int) string {
	var text strings.Builder
	fmt.Fprintf(&text, "[White \"W%d\"]\n[Black \"B%d\"]\n\n", number, number)
	p := position.Start(position.Standard)
	var turns []position.Turn
	for ply := 1; !p.Over() && ply <= 70; ply++ {
		turns = p.Turns(turns[:0])
		turn := turns[random.IntN(len(turns))]
		fmt.Fprintf(&text, "%d.%v ", ply, turn)
		p = p.After(turn)
	}
	result := "*"
	if p.Over() {
		result = fmt.Sprintf("%d-%d", p.Removed(position.White), p.Removed(position.Black))
	}
	return text.String() + result + "\n\n"
}

// BenchmarkCollection opens a file of 10,000 games. It reports the page's longest block, and the memory
// of the page before and after.
func BenchmarkCollection(b *testing.B) {
	const games = 10_000
	random := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	for i := range games {
		text.WriteString(randomRecord(random, i))
	}
	many := fileOf(b, "many.txt", text.String())
	const used = `(window.gc?.(), performance.memory.usedJSHeapSize / 1e6)`
	for b.Loop() {
		b.StopTimer()
		page := newTab(b)
		page.visit(serveSite(b).address)
		before := look[float64](page, used)
		look[bool](page, `(window.longest = 0, new PerformanceObserver((list) => list.getEntries().forEach(({duration}) => (window.longest = Math.max(window.longest, duration)))).observe({type: 'longtask'}), true)`)
		b.StartTimer()
		page.openFiles(many)
		page.await("the first game", `document.querySelectorAll('#turns > button').length > 20`)
		page.await("the end of the import", `!document.querySelector('#games-dialog').open || document.querySelector('#open-error').textContent`)
		if wrong := page.text("#open-error"); wrong != "" {
			b.Fatal(wrong)
		}
		b.ReportMetric(look[float64](page, `window.longest`), "longest-block-ms")
		page.click("#games")
		page.awaitText("#game-list summary", fmt.Sprintf("many.txt · %d games", games))
		b.ReportMetric(before, "MB-before")
		b.ReportMetric(look[float64](page, used), "MB-after")
	}
}

// BenchmarkFirstTurn opens the bundled page, as in a release, with a processor throttled four times, and
// places a ring. It reports the medians of the times until the board is drawn, until it can be used, and
// from the turn to the engine's. With -static it opens the exported page.
func BenchmarkFirstTurn(b *testing.B) {
	var address string
	if *static {
		address = serveFolder(b).address
	} else {
		address = serveBundle(b)
	}
	times := map[string][]float64{}
	for b.Loop() {
		page := newTab(b)
		page.throttle()
		page.visit(address)
		page.awaitState("place")
		for unit, entry := range map[string]string{"drawn-ms": "first-contentful-paint", "usable-ms": "usable"} {
			times[unit] = append(times[unit], look[float64](page, fmt.Sprintf(`performance.getEntriesByName('%s')[0].startTime`, entry)))
		}
		at := page.find(at("f6"))
		began := time.Now()
		page.do("placing a ring", chromedp.MouseClickXY(at.X, at.Y))
		page.awaitPly(2)
		times["answer-ms"] = append(times["answer-ms"], float64(time.Since(began).Milliseconds()))
		page.do("leaving", chromedp.Navigate("about:blank"))
	}
	for unit, all := range times {
		slices.Sort(all)
		b.ReportMetric(all[len(all)/2], unit)
	}
}

// throttle makes the page's processor four times slower.
func (b *tab) throttle() {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 4}); err != nil {
		b.t.Fatal(err)
	}
}

// BenchmarkFrames replays turns, one of them with a row. It reports the time that the page's main thread
// works for each frame while pieces move: the mean, 95% of the frames, the longest frame, and the mean of
// each kind of work. It counts processor time, which depends little on other programs. At 60 frames a
// second, a processor throttled four times leaves 4.2 ms.
func BenchmarkFrames(b *testing.B) {
	s := serveSite(b)
	page := newTab(b)
	page.media("prefers-reduced-motion", "no-preference")
	for _, game := range []struct {
		start string
		turns []string
	}{{sevenInARow, []string{"f5-h7;xf3-f7xb6"}}, {"", middleGame[:11]}, {"", middleGame[:12]}, {"", middleGame[:14]}, {"", middleGame}} {
		b.Run(game.turns[len(game.turns)-1], func(b *testing.B) {
			page.visit(s.at("standard", game.start, game.turns...))
			page.awaitPly(len(game.turns))
			page.awaitState("move")
			var frames []float64
			for b.Loop() {
				events := page.trace([]string{"toplevel", "cc", "devtools.timeline"}, func() {
					// Empty callbacks make the browser draw each frame in the main thread.
					look[bool](page, `new Promise((resolve) => {
						const board = document.querySelector('#board');
						let [began, shown] = [false, false];
						const frame = () => shown ? resolve(true) : requestAnimationFrame(frame);
						new MutationObserver((_, watch) => {
							began ||= board.dataset.state !== 'move';
							shown = began && board.dataset.state === 'move';
							if (shown) watch.disconnect();
						}).observe(board, {attributeFilter: ['data-state']});
						frame();
						document.querySelector('#replay').click();
					})`)
				})
				each, parts := frameWork(events)
				frames = append(frames, each...)
				for part, ms := range parts {
					b.ReportMetric(ms, part+"-ms")
				}
			}
			total := 0.0
			for _, frame := range frames {
				total += frame
			}
			slices.Sort(frames)
			b.ReportMetric(total/float64(len(frames)), "mean-ms")
			b.ReportMetric(frames[len(frames)*95/100], "95%-ms")
			b.ReportMetric(frames[len(frames)-1], "longest-ms")
		})
	}
}

// trace returns the events of Chromium's trace of some categories while act runs.
func (b *tab) trace(categories []string, act func()) (events []traceEvent) {
	b.t.Helper()
	var mu sync.Mutex
	ended := make(chan struct{}, 1)
	ctx, cancel := context.WithCancel(b.ctx)
	defer cancel()
	b.try("listening to the trace", chromedp.Listen(ctx, func(event any) {
		switch event := event.(type) {
		case *tracing.EventDataCollected:
			mu.Lock()
			defer mu.Unlock()
			for _, value := range event.Value {
				var e traceEvent
				if err := json.Unmarshal(value, &e); err != nil {
					b.t.Error(err)
				}
				events = append(events, e)
			}
		case *tracing.EventTracingComplete:
			ended <- struct{}{}
		}
	}))
	_, err := chromedp.Call(b.ctx, tracing.Start, tracing.StartParams{TransferMode: tracing.StartTransferModeReportEvents, TraceConfig: &tracing.TraceConfig{IncludedCategories: categories}})
	b.try("tracing", err)
	act()
	_, err = chromedp.Call(b.ctx, tracing.End, struct{}{})
	b.try("ending the trace", err)
	<-ended
	mu.Lock()
	defer mu.Unlock()
	return events
}

// traceEvent is an event of Chromium's trace. Times are in microseconds.
type traceEvent struct {
	Name          string
	PH            string
	TID           int
	TS, Dur, TDur float64
	Args          struct {
		ElementCount int // that UpdateLayoutTree restyled
		BeginData    struct {
			DirtyObjects int        // to lay out
			StackTrace   []struct { // of a script
				FunctionName, URL string
				LineNumber        int
			}
		}
	}
}

// frameWork returns the milliseconds of processor time that a page's main thread worked for each
// frame, and the mean of each kind of work.
func frameWork(events []traceEvent) (frames []float64, parts map[string]float64) {
	begins := map[int][]float64{} // by thread
	thread := 0
	slices.SortFunc(events, func(a, b traceEvent) int { return cmp.Compare(a.TS, b.TS) })
	for _, e := range events {
		if e.Name == "ProxyMain::BeginMainFrame" {
			begins[e.TID] = append(begins[e.TID], e.TS)
			if len(begins[e.TID]) > len(begins[thread]) {
				thread = e.TID
			}
		}
	}
	frames = make([]float64, len(begins[thread]))
	work := map[string]float64{}
	for _, e := range events {
		if e.TID != thread || e.PH != "X" {
			continue
		}
		work[e.Name] += e.TDur / 1000
		if e.Name == "ThreadControllerImpl::RunTask" {
			// The task belongs to the frame that it begins, or to the one before it.
			if frame := sort.SearchFloat64s(begins[thread], e.TS+e.Dur); frame > 0 {
				frames[frame-1] += e.TDur / 1000
			}
		}
	}
	parts = map[string]float64{}
	for _, name := range []string{"FunctionCall", "UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit"} {
		parts[name] = work[name] / float64(len(frames))
	}
	return frames, parts
}

// clickedTurn has the clicks of a turn on a page. Each click is a task of its own, and shows its end on
// the board. Where turns differ in a click, round n clicks the n-th of its elements.
type clickedTurn struct {
	address string
	clicks  []click
}

type click struct {
	name  string
	on    []string
	shown string
}

// clickedTurns place a ring, and in the middle of a game pick a ring, move it, remove a row and remove a
// ring.
func clickedTurns(s *site) []clickedTurn {
	state := func(name string) string {
		return fmt.Sprintf(`document.querySelector('#board').dataset.state === '%s'`, name)
	}
	picked := func(point string) string {
		return fmt.Sprintf(`document.querySelector('#board [data-point=%s]').getAttribute('aria-label').includes('picked')`, point)
	}
	ply := func(ply int) string { return fmt.Sprintf(`document.querySelector('#board').dataset.ply === '%d'`, ply) }
	ends := func(start string, turns []string, pattern string) (on []string) {
		for _, point := range endsOf(s.t, start, turns, pattern) {
			on = append(on, at(point))
		}
		return on
	}
	return []clickedTurn{
		{s.at("standard", "", middleGame[:5]...), []click{{"place", ends("", middleGame[:5], `^(..?.?)$`), ply(6)}}},
		{s.at("standard", "", middleGame...), []click{{"pick", []string{at("f3")}, picked("f3")}, {"move", ends("", middleGame, `^f3-([a-k]\d+)$`), ply(len(middleGame) + 1)}}},
		{s.at("standard", twoCross), []click{
			{"pick-for-row", []string{at("f5")}, picked("f5")},
			{"move-to-row", []string{at("h7")}, state("row")},
			{"remove-row", []string{id("take")}, state("ring")},
			{"remove-ring", ends(twoCross, nil, `^f5-h7;xc5-g5x(..?.?)$`), ply(1)},
		}},
	}
}

// endsOf returns the points at the end of the legal turns that match a pattern.
func endsOf(t testing.TB, start string, turns []string, pattern string) (points []string) {
	t.Helper()
	p := position.Start(position.Standard)
	if start != "" {
		var err error
		if p, err = position.Parse(start, position.Standard); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range turns {
		turn, err := p.ParseTurn(text)
		if err != nil {
			t.Fatal(err)
		}
		p = p.After(turn)
	}
	for _, turn := range p.Turns(nil) {
		if found := regexp.MustCompile(pattern).FindStringSubmatch(turn.String()); found != nil {
			points = append(points, found[1])
		}
	}
	if len(points) == 0 {
		t.Fatalf("no turn is %s", pattern)
	}
	return points
}

// traceClick returns the events of Chromium's trace of a click. Its marks are "click begins"; "click is
// drawn", in the next frame; and "click is shown", in the frame with the end of what the click did.
func (b *tab) traceClick(on, shown string, categories []string) []traceEvent {
	b.t.Helper()
	return b.trace(append(categories, "blink.user_timing", "devtools.timeline"), func() {
		look[bool](b, fmt.Sprintf(`new Promise((resolve) => setTimeout(() => {
			const element = document.querySelector(%q);
			performance.mark('click begins');
			element.click();
			requestAnimationFrame(() => performance.mark('click is drawn'));
			const frame = () => %s ? (performance.mark('click is shown'), setTimeout(resolve, 0, true)) : requestAnimationFrame(frame);
			requestAnimationFrame(frame);
		}))`, on, shown))
	})
}

// traceClicks calls act with the trace of each click of a turn, and then takes the turn back.
func (b *tab) traceClicks(turn clickedTurn, round int, categories []string, act func(name string, events []traceEvent)) {
	b.t.Helper()
	for _, click := range turn.clicks {
		on := click.on[round%len(click.on)]
		b.find(on)
		b.await(on+" to press", fmt.Sprintf("document.querySelector(`%s`).matches('.can, :not([data-point])')", on))
		b.awaitFrame()
		act(click.name, b.traceClick(on, click.shown, categories))
	}
	b.awaitState("place", "move")
	b.click(id("take-back"))
	b.awaitState("place", "move")
}

// barePage has as many elements of a drawing as the board, and a button that moves one of them.
func barePage() string {
	var text strings.Builder
	text.WriteString(`data:text/html,<title>Bare</title><button onclick="ring.style.transform=ring.style.transform ? '' : 'translate(40px)'">Move</button><svg viewBox="0 0 1000 1000" width="700">`)
	for i := range 215 {
		fmt.Fprintf(&text, `<circle cx="%d" cy="%d" r="20" fill="none" stroke="black" />`, i%20*50+25, i/20*50+25)
	}
	return text.String() + `<g id="ring"><circle cx="25" cy="25" r="20" fill="none" stroke="red" /></g></svg>`
}

// BenchmarkClick clicks through turns. It reports the median and the maximum of the time that the page's
// main thread works from a click to the end of the next frame: scripts, style, layout, paint and commit, but
// neither raster nor the compositor's thread, nor the program. The same until the frame that shows the
// program's answer is called "all". Parts are those of the last click. Turns are new while a page has new
// ones; otherwise the answer is there at once and makes the first frame longer.
//
// It counts processor time, times four for a processor that is four times slower. Chromium's throttle
// stretches the time of the clock instead, and so counts other programs too. A bare page, which moves one of
// as many elements, shows the least that a click costs on this machine.
func BenchmarkClick(b *testing.B) {
	const slower = 4
	turns := append(clickedTurns(serveSite(b)), clickedTurn{clicks: []click{{"bare", []string{"button"}, "true"}}})
	for _, turn := range turns {
		b.Run(turn.clicks[len(turn.clicks)-1].name, func(b *testing.B) {
			page := newTab(b)
			if turn.address == "" {
				page.do("opening a bare page", chromedp.Navigate(barePage()))
			} else {
				page.visit(turn.address)
			}
			all := map[string][]float64{}
			measure := func(name string, events []traceEvent) {
				ms, parts := workBetween(events, "click begins", "click is drawn")
				all[name] = append(all[name], slower*ms)
				for part, work := range parts {
					b.ReportMetric(slower*work.ms, name+"-"+part+"-ms")
					b.ReportMetric(float64(work.count), name+"-"+part+"-count")
				}
				ms, _ = workBetween(events, "click begins", "click is shown")
				all[name+"-all"] = append(all[name+"-all"], slower*ms)
			}
			for round := 0; b.Loop(); round++ {
				if turn.address == "" {
					page.awaitFrame()
					measure("bare", page.traceClick("button", "true", []string{"toplevel"}))
				} else {
					page.traceClicks(turn, round, []string{"toplevel"}, measure)
				}
			}
			for name, ms := range all {
				slices.Sort(ms)
				b.ReportMetric(ms[len(ms)/2], name+"-median-ms")
				b.ReportMetric(ms[len(ms)-1], name+"-most-ms")
			}
		})
	}
}

// TestBrowserForcedLayouts clicks through turns. No script makes the browser lay out the page before its
// frame: a layout takes as long as all scripts of a click. A frame restyles few of the page's elements, and lays out few
// of its objects. A browser has one trace, which has all tabs, so this test runs alone.
func TestBrowserForcedLayouts(t *testing.T) {
	const mostStyled, mostLaidOut = 150, 150 // of more than 400
	for _, turn := range clickedTurns(serveSite(t)) {
		t.Run(turn.clicks[len(turn.clicks)-1].name, func(t *testing.T) {
			b := newTab(t)
			b.visit(turn.address)
			b.click("#tab-turns")
			b.traceClicks(turn, 0, []string{"disabled-by-default-devtools.timeline.stack"}, func(name string, events []traceEvent) {
				layouts, within := 0, false
				slices.SortFunc(events, func(a, b traceEvent) int { return cmp.Compare(a.TS, b.TS) })
				for _, e := range events {
					switch stack := e.Args.BeginData.StackTrace; {
					case e.Name == "click begins":
						within = true
					case e.Name == "click is shown":
						within = false
					case e.Name == "UpdateLayoutTree" && e.Args.ElementCount > mostStyled:
						t.Errorf("%s restyles %d elements", name, e.Args.ElementCount)
					case e.Name == "Layout":
						layouts++
						if dirty := e.Args.BeginData.DirtyObjects; dirty > mostLaidOut {
							t.Errorf("%s lays out %d objects", name, dirty)
						}
						if within && len(stack) > 0 {
							t.Errorf("%s: %s in %s, line %d, forces a layout", name, stack[0].FunctionName, stack[0].URL, stack[0].LineNumber+1)
						}
					}
				}
				if layouts == 0 {
					t.Errorf("%s: the trace has no layout", name)
				}
			})
		})
	}
}

// work is how often a page's main thread did something, and for how long.
type work struct {
	count int
	ms    float64
}

// workBetween returns the milliseconds of processor time of the tasks of a page's main thread between two
// marks, the tasks with the marks included, and each kind of work.
func workBetween(events []traceEvent, from, to string) (ms float64, parts map[string]work) {
	begins, ends, thread := 0., 0., 0
	for _, e := range events {
		switch e.Name {
		case from:
			begins, thread = e.TS, e.TID
		case to:
			ends = e.TS
		}
	}
	parts = map[string]work{"FunctionCall": {}, "UpdateLayoutTree": {}, "Layout": {}, "PrePaint": {}, "Paint": {}, "Layerize": {}, "Commit": {}}
	last := ends // the end of the task with the second mark
	for _, e := range events {
		if e.TID == thread && e.Name == "ThreadControllerImpl::RunTask" && e.TS+e.Dur > begins && e.TS < ends {
			ms += e.TDur / 1000
			last = max(last, e.TS+e.Dur)
		}
	}
	for _, e := range events {
		if part, ok := parts[e.Name]; ok && e.PH == "X" && e.TID == thread && e.TS+e.Dur > begins && e.TS < last {
			parts[e.Name] = work{part.count + 1, part.ms + e.TDur/1000}
		}
	}
	return ms, parts
}

// BenchmarkGIF saves a game of 45 turns as a GIF of 800 pixels.
func BenchmarkGIF(b *testing.B) {
	p := position.Start(position.Standard)
	random := rand.New(rand.NewPCG(3, 4))
	var turns []string
	for len(turns) < 45 && !p.Over() {
		all := p.Turns(nil)
		turn := all[random.IntN(len(all))]
		turns, p = append(turns, turn.String()), p.After(turn)
	}
	page := newTab(b)
	page.visit(serveSite(b).at("standard", "", turns...))
	page.click("#games")
	page.click(id("image"))
	page.await("the picture", `document.querySelector('[data-testid=image-preview]')?.naturalWidth > 0`)
	for b.Loop() {
		b.ReportMetric(float64(len(page.saved(id("image-gif")))), "bytes")
	}
}

// BenchmarkSpeed searches the same position alternately in the browser and natively.
func BenchmarkSpeed(b *testing.B) {
	const nodes = 400_000
	page := newTab(b)
	page.visit(serveFolder(b).address)
	p := position.Start(position.Standard)
	for _, word := range middleGame {
		turn, err := p.ParseTurn(word)
		if err != nil {
			b.Fatal(err)
		}
		p = p.After(turn)
	}
	// The page's Worker, started as the page does: see link/transports.js.
	look[bool](page, `(async () => {
		const address = (path) => new URL(path, document.querySelector('script[type=module]').src);
		const program = new URL(document.querySelector('meta[name=gyre-program]').content, location.href).href;
		const start = (message) => {
			const worker = new Worker(address('link/program.js'), {type: 'module'});
			worker.postMessage(message, [message.port]);
			return worker;
		};
		const {port1, port2} = new MessageChannel();
		const session = start({role: 'session', port: port2, program});
		session.onmessage = ({data}) => 'start' in data && start({...data, role: 'engine'});
		window.measured = {
			ask: (what, fields) => port1.postMessage(JSON.stringify({...fields, id: 1, do: what})),
			listen: (heard) => (port1.onmessage = ({data}) => heard(JSON.parse(data))),
		};
		const ready = new Promise((resolve) => measured.listen(resolve));
		measured.ask('hello', {});
		await ready;
		return true;
	})()`)
	player := alphabeta.New(64)
	var there, native float64
	var searches int
	for b.Loop() {
		type speed struct{ Nodes, Time float64 }
		browser := look[speed](page, fmt.Sprintf(`new Promise((resolve, reject) => {
			let last;
			measured.listen(({event, lines, error}) => {
				if (error) reject(new Error(error.message));
				if (event === 'info') last = lines[0];
				if (event === 'best') resolve({Nodes: last.nodes, Time: last.time});
			});
			measured.ask('think', {search: %d, engine: 'Gyre', game: 'game %[1]d', path: {start: %q}, limits: {nodes: %d}});
		})`, searches+1, p.String(), nodes))
		player.NewGame()
		began := time.Now()
		out := player.Search(context.Background(), p, search.Limits{Nodes: nodes}, func(search.Info) {})
		native += float64(out.Info.Nodes) / time.Since(began).Seconds()
		there += browser.Nodes / browser.Time * 1000
		searches++
	}
	b.ReportMetric(there/float64(searches), "browser-nodes/s")
	b.ReportMetric(native/float64(searches), "native-nodes/s")
	b.ReportMetric(there/native, "browser/native")
}

// pictured are the views for TestPictures by name.
var pictured = map[string]func(b *tab, s *site){
	"first": func(b *tab, s *site) { b.visit(s.address) },
	"game": func(b *tab, s *site) {
		b.visit(s.at("standard", "", middleGame...))
		b.newGame(map[string]string{"new-level-b": b.fullStrength(), "new-clock": "5+3"}, "[name=here]")
		b.move("f3", "f2")
		b.await("the engine's turn or its answer", `document.querySelector('#board').dataset.ply >= 1`)
		b.click("#tab-turns")
	},
	"rows": func(b *tab, s *site) {
		b.visit(s.at("standard", sevenInARow))
		b.move("f5", "h7")
		b.awaitState("row")
	},
	"analysis": func(b *tab, s *site) {
		b.visit(s.at("standard", "", middleGame...))
		b.click("#analysis")
		b.await("three lines", `document.querySelectorAll('[data-testid=lines] > li').length === 3`)
	},
	"review": func(b *tab, s *site) {
		b.visit(s.at("standard", "", middleGame...))
		b.review()
		b.await("the summary", `!document.querySelector('[data-testid=review-bar]') && document.querySelector('[data-testid=summary]')`)
	},
	"end": func(b *tab, s *site) {
		b.visit(s.at("blitz", twoCross))
		b.enter(mustTurn(b.t, twoCross, "f5-h7;xc5-g5xb2"), b.click)
		b.awaitState("over")
	},
	"help": func(b *tab, s *site) { b.visit(s.address); b.click("#help"); b.awaitHelp() },
	"games": func(b *tab, s *site) {
		b.visit(s.at("standard", "", middleGame...))
		b.click("#games")
		b.awaitText("#game-list", "16 turns")
	},
	"settings": func(b *tab, s *site) { b.visit(s.address); b.choose("board", "") },
	"crowded":  func(b *tab, s *site) { b.visit(s.at("standard", crowded)); b.awaitState("move") },
	"editor": func(b *tab, s *site) {
		b.visit(s.at("standard", twoCross))
		b.click("#games")
		b.click(id("editor"))
		b.awaitText(id("editor-said"), "Playable")
	},
	"match": func(b *tab, s *site) {
		b.visit(s.address)
		b.openMatch()
		b.startMatch(4)
		b.awaitText(id("match-said"), "over")
	},
	"solved": func(b *tab, s *site) {
		set, err := puzzles.Set()
		if err != nil {
			b.t.Fatal(err)
		}
		b.visit(s.address)
		b.openPuzzles()
		b.solve(b.puzzle(set), b.click)
		b.awaitPuzzle("solved")
	},
	"new": func(b *tab, s *site) { b.visit(s.address); b.click("#new-game") },
}

// crowded is a position with many pieces, rings at the edge, and rings won by both sides.
const crowded = "1ww1/wwW2ww/bWw1b1bb/w1w1w2bW/1bb1w1w1wb/Bw3bb1w/Bb1b4wb/b5bw1/ww2B1bB/bbb2wb/2w1 w 2-1"

// looks are the windows and preferences of TestPictures.
var looks = []struct {
	screen
	scheme, board string
	forced        bool
}{
	{screens[0], "light", "", false}, {screens[1], "light", "", false}, {screens[2], "light", "", false},
	{screens[3], "light", "", false}, {screens[4], "light", "", false}, {smallPhone, "light", "", false}, {zoomed, "light", "", false},
	{screens[0], "dark", "", false}, {screens[3], "dark", "slate", false}, {screens[1], "dark", "wood", false},
	{screens[1], "light", "slate", false}, {screens[1], "dark", "", true}, {screens[3], "light", "wood", true},
}

// TestPictures takes pictures of the views in several windows and themes. It needs -screenshots.
func TestPictures(t *testing.T) {
	if *screenshots == "" {
		t.Skip("pictures are for people: -screenshots")
	}
	s := serveSite(t)
	for name, show := range pictured {
		t.Run(name, func(t *testing.T) {
			b := newTab(t)
			show(b, s)
			for _, l := range looks {
				b.become(l.screen)
				forced := map[bool]string{false: "none", true: "active"}[l.forced]
				b.media("prefers-color-scheme", l.scheme, "prefers-reduced-motion", "reduce", "forced-colors", forced)
				look[bool](b, fmt.Sprintf("Boolean((document.documentElement.dataset.board = %q) || true)", l.board))
				b.await("the board's size", fmt.Sprintf(`document.querySelector('#board').clientWidth <= %d`, min(l.width, l.height)))
				picture, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
				if err != nil {
					t.Fatal(err)
				}
				path := fmt.Sprintf("%s/%s-%dx%d-%s%s%s.png", *screenshots, name, l.width, l.height, l.scheme, l.board, map[bool]string{true: "-forced"}[l.forced])
				if err := os.WriteFile(path, picture, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// stress is the number of games of TestBrowserStressRooms.
var stress = flag.Int("stress", 1, "play `N` games in rooms, with lost connections and reloads")

// sockets lets a test cut the page's connection.
const sockets = `globalThis.WebSocket = class extends WebSocket {
	constructor(...args) { super(...args); globalThis.cut = () => this.close(); }
}`

// TestBrowserStressRooms plays games in rooms between two tabs, and reloads pages and cuts
// connections at random, also right after a turn. No turn is lost, both pages show the same clocks,
// and the file has each game once with its result:
//
//	go test -run TestBrowserStressRooms ./cmd/gyre-board -v -timeout 0 -stress 200
func TestBrowserStressRooms(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "club.txt")
	s := serveSite(t, "-rooms", file)
	random := rand.New(rand.NewPCG(11, 1))
	reloads, cuts, played := 0, 0, 0
	var want []string
	for game := range *stress {
		rules, extra := position.Standard, []string(nil)
		if game%2 == 1 {
			rules, extra = position.Blitz, []string{blitz}
		}
		players := [2]*tab{newTab(t), newTab(t)}
		for _, b := range players {
			if _, err := chromedp.Call(b.ctx, pages.AddScriptToEvaluateOnNewDocument, pages.AddScriptToEvaluateOnNewDocumentParams{Source: sockets}); err != nil {
				t.Fatal(err)
			}
		}
		players[0].visit(s.address)
		players[0].newGame(map[string]string{"new-name": fmt.Sprint("Ann ", game), "new-clock": "30+10"}, append(extra, "[name=who][value=room]", "[name=side][value=w]")...)
		players[1].visit(players[0].shared())
		players[1].awaitText("#remote-text", "is here")
		disturb := func() {
			b := players[random.IntN(2)]
			switch random.IntN(6) {
			case 0:
				reloads++
				b.reload()
			case 1:
				cuts++
				look[bool](b, "(globalThis.cut(), true)")
			}
		}
		p, length := position.Start(rules), 4+random.IntN(24)
		if *stress == 1 {
			length = 10 // with four reloads and four lost connections
		}
		var turns []string
		for len(turns) < length && !p.Over() {
			disturb()
			legal := p.Turns(nil)
			turn := legal[random.IntN(len(legal))]
			players[p.SideToMove()].enter(turn, players[p.SideToMove()].click)
			disturb()
			p = p.After(turn)
			turns = append(turns, turn.String())
			for side, b := range players {
				b.awaitPly(len(turns))
				if got := b.turns(); !slices.Equal(got, turns) {
					t.Fatalf("game %d: tab %d shows %v, want %v", game, side, got, turns)
				}
			}
			rests := [2]string{"b", "w"}[p.SideToMove()]
			players[1].until("the clocks to agree", func() bool { return players[0].seconds(rests) == players[1].seconds(rests) })
			runs := [2]string{"w", "b"}[p.SideToMove()]
			players[1].until("the running clocks to agree", func() bool { return math.Abs(players[0].seconds(runs)-players[1].seconds(runs)) <= 1 })
		}
		result := p.Result()
		if !p.Over() {
			loser := game / 2 % 2
			players[loser].click("#resign")
			players[loser].click("[data-notice=resign] " + id("notice-action"))
			result = [2]position.Result{position.BlackWins, position.WhiteWins}[loser]
		}
		for _, b := range players {
			b.await("the end", `document.querySelector('#end-result')?.checkVisibility()`)
		}
		played += len(turns)
		want = append(want, fmt.Sprint(result, ": ", strings.Join(turns, " ")))
		t.Logf("game %d: %d turns, %v", game+1, len(turns), result)
		for _, b := range players {
			b.do("closing the page", chromedp.Navigate("about:blank"))
		}
	}
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	games, err := record.NewReader(in).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, game := range games {
		var words []string
		for _, turn := range game.Turns {
			words = append(words, turn.Turn.String())
		}
		got = append(got, fmt.Sprint(game.Result(), ": ", strings.Join(words, " ")))
	}
	if !slices.Equal(got, want) {
		t.Errorf("the file has the games %q, want %q", got, want)
	}
	t.Logf("%d games, %d turns, %d reloads, %d lost connections", len(got), played, reloads, cuts)
}

// BenchmarkRooms opens 500 rooms with both players, and reports the memory of a room. Then it reports
// the time from a click in one tab until another tab shows the turn, on a server with these rooms.
func BenchmarkRooms(b *testing.B) {
	serverOnly(b)
	file := filepath.Join(b.TempDir(), "club.txt")
	b.ReportMetric(fillRooms(b, file, 500)/1024, "KiB/room")
	s := serveSite(b, "-rooms", file)
	const now = "performance.timeOrigin + performance.now()"
	var clicks []float64
	for b.Loop() {
		ann, bob := newTab(b), newTab(b)
		ann.visit(s.address)
		ann.newGame(map[string]string{"new-name": "Ann"}, "[name=who][value=room]", "[name=side][value=w]")
		bob.visit(ann.shared())
		bob.awaitText("#remote-text", "is here")
		players := [2]*tab{ann, bob}
		for ply, point := range []string{"f6", "e5", "f7", "d5", "e4", "g6", "d4", "g7", "e6", "f8"} {
			mover, other := players[ply%2], players[1-ply%2]
			mover.awaitState("place")
			other.awaitPly(ply)
			look[bool](mover, `(addEventListener('click', () => (window.clicked = `+now+`), {capture: true, once: true}), true)`)
			look[bool](other, `(window.shown = 0, new MutationObserver((_, watch) => { window.shown = `+now+`; watch.disconnect(); }).observe(document.querySelector('#board'), {attributeFilter: ['data-ply']}), true)`)
			mover.click(at(point))
			other.awaitPly(ply + 1)
			clicks = append(clicks, look[float64](other, "window.shown")-look[float64](mover, "window.clicked"))
		}
	}
	slices.Sort(clicks)
	b.ReportMetric(clicks[len(clicks)/2], "seen-ms")
	b.ReportMetric(clicks[len(clicks)-1], "seen-most-ms")
}

// fillRooms fills a file with rooms after 20 turns, with both players, and returns the bytes of memory
// that each takes.
func fillRooms(b *testing.B, file string, count int) float64 {
	b.Helper()
	heap := func() uint64 {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	before := heap()
	all, err := rooms.Open(file, rooms.DefaultBounds, rooms.Secrets{Key: crand.Text}, func(error) {})
	if err != nil {
		b.Fatal(err)
	}
	random := rand.New(rand.NewPCG(500, 1))
	var visitors []*rooms.Visitor
	for range count {
		keys, err := all.Create(rooms.Terms{Rules: "standard", Clock: &rooms.TimeControl{Base: 3_600_000}}, nil)
		if err != nil {
			b.Fatal(err)
		}
		for _, key := range []string{keys.Seats.White, keys.Seats.Black} {
			visitor, err := all.Enter(keys.Room, key, "Player", nil)
			if err != nil {
				b.Fatal(err)
			}
			visitors = append(visitors, visitor)
		}
		p := position.Start(position.Standard)
		for ply := range 20 {
			legal := p.Turns(nil)
			turn := legal[random.IntN(len(legal))]
			if err := all.Play(keys.Room, [2]string{keys.Seats.White, keys.Seats.Black}[p.SideToMove()], ply, turn.String()); err != nil {
				b.Fatal(err)
			}
			p = p.After(turn)
		}
	}
	took := float64(heap()-before) / float64(count)
	runtime.KeepAlive(visitors)
	if err := all.Close(); err != nil {
		b.Fatal(err)
	}
	return took
}
