package report

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"gyre/bench/browsertest"
	"gyre/bench/game"
	"gyre/bench/hub"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/bench/tune"
)

// pastRecord returns a detached match with a test and files of its games, of which the worker
// attic played three of four.
func pastRecord(t *testing.T, name string, state hub.State, pairs int) hub.Record {
	t.Helper()
	h := stats.Hypotheses{Elo0: 0, Elo1: 10, Alpha: 0.05, Beta: 0.05}
	test, err := stats.NewSPRT(h)
	if err != nil {
		t.Fatal(err)
	}
	var text []byte
	standing := match.NewStanding(match.RoundRobin(2, pairs), []string{"new", "<old>"}, test)
	began := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for number := range 2 * pairs {
		l := testLine(number, "white")
		if number%8 > 1 && number%2 == 1 { // most pairs are won, the others are even
			l.Result = "black"
		}
		l.Worker, l.Began, l.Seconds, l.Test = "attic", began.Add(time.Duration(number)*10*time.Second), 10, &h
		if number%4 == 3 {
			l.Worker = "cellar"
		}
		if err := standing.Add(l); err != nil {
			t.Fatal(err)
		}
		if text, err = l.Append(text); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "games.jsonl")
	if pairs > 0 {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	low, high := test.Bounds()
	d := hub.DetachedMatch{Name: name, Owner: "ada", Command: "gyre-arena match -name " + name, State: state, Started: began}
	if state != hub.Running {
		d.Ended = began.Add(time.Hour)
	}
	d.Progress = hub.Progress{Engines: []string{"new", "<old>"}, Limits: []string{"nodes=6000", "nodes=6000"}, Counts: standing.Pairings[0].Pairs, Pairs: standing.Settled, LLR: standing.LLR,
		Bounds: [2]float64{low, high}, Test: &h, Played: 2 * pairs, Total: 1000}
	r := &hub.Request{Name: name, Command: d.Command, Setup: &match.Setup{Options: map[string]string{"new": "Skill=19"}, Openings: "seed 5"},
		Spec: &hub.Spec{Test: &h, Engines: []hub.EngineSpec{{Name: "new", Limits: game.TimeControl{Nodes: 6000}, Checked: "0123 Gyre 1.2"}, {Name: "<old>", Limits: game.TimeControl{Nodes: 6000}, Checked: "4567 Gyre 1.1"}}}}
	return hub.Record{DetachedMatch: d, Request: r, Games: path}
}

// pastRecords returns matches in all states.
func pastRecords(t *testing.T) ([]hub.Record, *hub.Status) {
	failed := pastRecord(t, "idea-5", hub.Impaired, 4)
	failed.Reason = "engine <old> has changed"
	records := []hub.Record{pastRecord(t, "idea-9", hub.Running, 60), pastRecord(t, "idea-8", hub.Running, 0), pastRecord(t, "idea-7", hub.Over, 200),
		pastRecord(t, "idea-6", hub.Paused, 20), failed, pastRecord(t, "idea-4", hub.Stopped, 30)}
	return records, &hub.Status{Matches: map[string]hub.MatchStatus{"~.k9": {Client: "hub:idea-9", Out: 3}, "~.k8": {Client: "hub:idea-8"}}}
}

// TestLongConditions lets the texts of one match be long. The page has those of others, and few of them.
func TestLongConditions(t *testing.T) {
	long := strings.Repeat("'", 1<<20) // each is five bytes of HTML
	for name, change := range map[string]func(r *hub.Request){
		"command":  func(r *hub.Request) { r.Command = long },
		"options":  func(r *hub.Request) { r.Setup.Options["new"] = long },
		"openings": func(r *hub.Request) { r.Setup.Openings = long },
		"parameters": func(r *hub.Request) {
			r.Tuning = &tune.Tuning{SPSA: tune.SPSA{Parameters: []tune.Parameter{{Name: long}}}}
		},
		"program": func(r *hub.Request) { r.Spec.Engines[0].Checked = long },
	} {
		h := &History{}
		records := []hub.Record{pastRecord(t, "long", hub.Over, 4), pastRecord(t, "other", hub.Over, 4)}
		change(records[0].Request)
		h.Observe(records, &hub.Status{}, time.Now())
		var out strings.Builder
		if err := h.Write(&out, false); err != nil || out.Len() > 200_000 || !strings.Contains(out.String(), "gyre-arena match -name other</pre>") {
			t.Errorf("%s: a page of %d bytes, %v", name, out.Len(), err)
		}
	}
}

// TestPanic reads files of games of which one makes the reader panic. Afterwards the others are read, and that one is not read
// again before it grows.
func TestPanic(t *testing.T) {
	h := &History{}
	records := []hub.Record{pastRecord(t, "bad", hub.Over, 4), pastRecord(t, "good", hub.Over, 4)}
	records[0].Request.Spec = nil
	h.Observe(records, nil, time.Now())
	panics := 0
	for range 3 {
		func() {
			defer func() {
				if recover() != nil {
					panics++
				}
			}()
			h.Read(t.Context())
		}()
	}
	good, bad := h.courses["good"], h.courses["bad"]
	if panics != 1 || good == nil || good.games != 8 || bad == nil || bad.err == nil {
		t.Errorf("%d panics; good: %+v, bad: %+v", panics, good, bad)
	}
}

// TestHistory reads the history and the reports of its matches.
func TestHistory(t *testing.T) {
	h := &History{}
	page := func() string {
		var out strings.Builder
		if err := h.Write(&out, false); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	if text := page(); !strings.Contains(text, "waiting for the hub") || !strings.Contains(text, "No matches yet.") {
		t.Errorf("an empty history: %s", text)
	}
	records, status := pastRecords(t)
	at := time.Date(2026, 3, 1, 14, 0, 0, 0, time.UTC)
	h.Observe(records, status, at)
	h.Read(t.Context())
	text := page()
	for _, want := range []string{
		"as of 14:00:00 · 1 running · 1 queued · 1 paused · 1 finished · 1 stopped · 1 failed",
		`<a href="idea-7">idea-7</a> <span class="state finished">finished</span>`, `data-state="queued"`, "new is stronger: +", "Test of 0 against 10 normalized Elo: decided for 10",
		"400 of 1,000 games · 6.0 games a minute · 2 workers: attic 300, cellar 100", "Started by ada on 2026-03-01 12:00 UTC, finished 2026-03-01 13:00 UTC",
		`aria-label="LLR of idea-7 by pairs, now `, fmt.Sprintf("after %d pairs", records[2].Pairs), ">Skill=19</td>", ">0123 Gyre 1.2</td>", ">6,000 nodes a turn</td>", "test of 0 against 10, errors 0.05 and 0.05", "openings: seed 5",
		"gyre-arena match -name idea-7</pre>", "engine &lt;old&gt; has changed",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(text, "<old>") || strings.Contains(text, `<a href="idea-8">`) {
		t.Errorf("a name became an element, or a match without games has a report: %s", text)
	}
	report := func(name string) (string, error) {
		text, err := h.Report(t.Context(), name)
		return string(text), err
	}
	text, err := report("idea-7")
	for _, want := range []string{"<title>idea-7: new against &lt;old&gt;</title>", "new is stronger: +", "finished · Started by ada", "2 workers: attic 300, cellar 100", `<a href="./">History</a>`, `"games":[`} {
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("report: %q is missing, %v", want, err)
		}
	}
	records[5].Request.Tuning = &tune.Tuning{SPSA: tune.SPSA{Iterations: 5, Rate: 0.002, Seed: 7, Parameters: []tune.Parameter{{Name: "Margin", Value: 40, Max: 100, Step: 6}}}, Batch: 2}
	records[5].Engines, records[5].Counts, records[5].Test, records[5].Score, records[5].Games = []string{"new"}, stats.Pairs{}, nil, "Margin 40.0", "missing"
	h.Observe(records, status, at)
	h.Read(t.Context())
	if text, err := report("idea-4"); err != nil || !strings.Contains(text, "<title>idea-4: Tuning of 1 option</title>") || !strings.Contains(text, "stopped · Started by ada") {
		t.Errorf("the page of a tuning: %v, %s", err, text)
	}
	for _, want := range []string{"Tuning of new", `<p class="lead">Margin 40.0</p>`, "Margin=40,0,100,6 · batches of 2 pairs"} {
		if text := page(); !strings.Contains(text, want) {
			t.Errorf("of a tuning, %q is missing", want)
		}
	}
	for _, name := range []string{"idea-8", "none", "../state"} {
		if _, err := report(name); !errors.Is(err, ErrNoReport) {
			t.Errorf("report of %s: %v", name, err)
		}
	}
	// A file that grows is read again, but not at once.
	if err := os.Rename(pastRecord(t, "idea-9", hub.Running, 80).Games, records[0].Games); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		after time.Duration
		want  string
	}{{time.Second, "after 60 pairs"}, {time.Hour, "after 80 pairs"}} {
		h.Observe(records, status, at.Add(test.after))
		h.Read(t.Context())
		if !strings.Contains(page(), test.want) {
			t.Errorf("%v later: no %q", test.after, test.want)
		}
	}
	// Another match has the name of a deleted one, and no game yet.
	renewed := slices.Clone(records)
	renewed[0].Started, renewed[0].Games = at, "missing"
	h.Observe(renewed, status, at.Add(time.Hour))
	if strings.Contains(page(), "after 80 pairs") {
		t.Error("a new match has the chart of a deleted one")
	}
	var many []hub.Record
	for i := range maxShown + 3 {
		r := records[1]
		r.Name = fmt.Sprintf("many-%d", i)
		many = append(many, r)
	}
	busy := &History{}
	busy.Observe(many, status, at)
	busy.Read(t.Context())
	for all, want := range map[bool]int{false: maxShown, true: maxShown + 3} {
		var out strings.Builder
		if err := busy.Write(&out, all); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(out.String(), "<article"); got != want || strings.Contains(out.String(), "Show 3 more") == all {
			t.Errorf("of many matches %d are shown, want %d", got, want)
		}
	}
	if err := os.WriteFile(records[3].Games, []byte("{}\n{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.Observe(records, status, at.Add(2*time.Hour))
	h.Read(t.Context())
	if text := page(); !strings.Contains(text, "games of idea-6:1") {
		t.Errorf("a damaged file is not named: %s", text)
	}
}

// TestBrowserHistory filters the history in a browser, in three widths, light and dark.
func TestBrowserHistory(t *testing.T) {
	ctx := browsertest.Start(t)
	h := &History{}
	records, status := pastRecords(t)
	h.Observe(records, status, time.Now())
	h.Read(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var err error
		if name := strings.TrimPrefix(r.URL.Path, "/history/"); name != "" {
			var text []byte
			text, err = h.Report(t.Context(), name)
			_, _ = w.Write(text) // the browser may be gone
		} else {
			err = h.Write(w, false)
		}
		if err != nil {
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	for _, at := range []struct{ width, height int64 }{{1440, 900}, {820, 1180}, {390, 844}} {
		for _, scheme := range []string{"light", "dark"} {
			wish := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
			if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, wish); err != nil {
				t.Fatal(err)
			}
			for _, page := range []string{"", "idea-7"} {
				act(t, ctx, chromedp.EmulateViewport(at.width, at.height), chromedp.Navigate(server.URL+"/history/"+page))
				look[bool](t, ctx, `(async () => { for (const d of document.querySelectorAll('details')) d.open = true; return true; })()`)
				for _, found := range look[[]string](t, ctx, cutOff) {
					t.Errorf("%q, %d wide: %s", page, at.width, found)
				}
				accessible(t, ctx)
				if dir := os.Getenv("GYRE_SCREENS"); dir != "" {
					picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
					if err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("history%s-%d-%s.png", page, at.width, scheme)), picture, 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	shown := `[...document.querySelectorAll('.past:not([hidden]) h3')].map((h) => h.firstElementChild.textContent.trim()).join()`
	for filter, want := range map[string]string{"": "idea-9,queued,idea-7,idea-6,idea-5,idea-4", "#state=finished": "idea-7", "#words=changed+ada": "idea-5", "#words=nobody": ""} {
		act(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(server.URL+"/history/"+filter))
		if got := look[string](t, ctx, shown); got != want {
			t.Errorf("%q shows %q, want %q", filter, got, want)
		}
	}
	// What the reader chooses stays after a refresh, and open details stay open.
	act(t, ctx, chromedp.Navigate(server.URL+"/history/"))
	look[bool](t, ctx, `(async () => {
		document.querySelector('details').open = true;
		const state = document.getElementById('state');
		state.value = 'running';
		state.dispatchEvent(new Event('input', { bubbles: true }));
		return true;
	})()`)
	records[0].Played = 130
	h.Observe(records, status, time.Now())
	h.Read(t.Context())
	if got := look[string](t, ctx, `(async () => { await renew(); return [location.hash, document.querySelector('details').open, document.getElementById('found').textContent, document.querySelector('.past').textContent.includes('130 of 1,000 games'), `+shown+`].join(' '); })()`); got != "#state=running true 1 of 6 matches true idea-9" {
		t.Errorf("after a refresh: %s", got)
	}
}

// TestHistoryOfMany reads the matches of an owner whose many files grow all the time, and of one with few. The many are read
// at a rate, in turn, and do not keep the others from being read.
func TestHistoryOfMany(t *testing.T) { synctest.Test(t, testHistoryOfMany) }

func testHistoryOfMany(t *testing.T) {
	const many = 8
	records := []hub.Record{}
	for i := range many {
		records = append(records, pastRecord(t, fmt.Sprint("many", i), hub.Running, 2))
	}
	few := pastRecord(t, "few", hub.Running, 2)
	few.Owner = "bob"
	records = append(records, few)
	info, err := os.Stat(few.Games)
	if err != nil {
		t.Fatal(err)
	}
	first := &History{rests: map[string]time.Time{"ada": time.Now().Add(time.Second)}}
	first.Observe(records, nil, time.Now())
	first.Read(&once{Context: t.Context()})
	if len(first.courses) != 1 || first.courses["few"] == nil {
		t.Errorf("it first reads %v", slices.Collect(maps.Keys(first.courses)))
	}
	h := &History{rate: 1.1 * float64(info.Size()) / courseInterval.Seconds()} // a file each time
	at, reads := time.Now(), map[string]int{}
	const rounds = 4 * many
	for round := range rounds {
		before := maps.Clone(h.courses)
		h.Observe(records, nil, at)
		h.Read(t.Context())
		for name, c := range h.courses {
			if c != before[name] {
				reads[name]++
			}
		}
		if round == 0 && len(reads) != len(records) {
			t.Errorf("at first it reads %v", reads)
		}
		for _, r := range records {
			file, err := os.OpenFile(r.Games, os.O_WRONLY|os.O_APPEND, 0)
			if err == nil {
				_, err = file.WriteString("\n")
			}
			if err = errors.Join(err, file.Close()); err != nil {
				t.Fatal(err)
			}
		}
		at = at.Add(courseInterval)
	}
	all := 0
	for i := range many {
		n := reads[fmt.Sprint("many", i)]
		if all += n; n < 2 || n > 5 {
			t.Errorf("a file of many was read %d times in %d rounds", n, rounds)
		}
	}
	if reads["few"] < rounds-2 || all > rounds+many {
		t.Errorf("in %d rounds, a single file was read %d times, and the %d of another owner %d times", rounds, reads["few"], many, all)
	}
}

// once is done after one look at it.
type once struct {
	context.Context
	looks int
}

// Err implements context.Context.
func (o *once) Err() error {
	if o.looks++; o.looks > 1 {
		return context.Canceled
	}
	return nil
}

// TestAbandonedReports asks for reports of a match and of a tuning and goes away. Nothing is read, or no more.
func TestAbandonedReports(t *testing.T) {
	played := pastRecord(t, "played", hub.Over, 2)
	tuned := played
	tuned.Name, tuned.DetachedMatch.Name = "tuned", "tuned"
	request := *played.Request
	request.Tuning, tuned.Request = &tune.Tuning{}, &request
	h := &History{}
	h.Observe([]hub.Record{played, tuned}, nil, time.Now())
	for _, name := range []string{"played", "tuned"} {
		for looks := range 2 { // before it is gone: while it waits, and while its file is read
			if _, err := h.Report(&once{Context: t.Context(), looks: 1 - looks}, name); !errors.Is(err, context.Canceled) {
				t.Errorf("%s, gone after %d looks: error %v", name, looks, err)
			}
		}
	}
}

// TestKeptReport asks for the report of a match again and again. It is written again when the match or its file has changed, and
// another match has its own.
func TestKeptReport(t *testing.T) {
	played, other := pastRecord(t, "played", hub.Running, 2), pastRecord(t, "other", hub.Over, 2)
	h := &History{}
	ask := func(name string) []byte {
		t.Helper()
		h.Observe([]hub.Record{played, other}, nil, time.Now())
		text, err := h.Report(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	last := ask("played")
	for _, test := range []struct {
		name   string
		change func()
		again  bool
	}{
		{"nothing", func() {}, false},
		{"its file", func() { played.Games = pastRecord(t, "played", hub.Running, 3).Games }, true},
		{"nothing later", func() {}, false},
		{"its state", func() { played.State = hub.Over }, true},
		{"its start", func() { played.Started = played.Started.Add(time.Millisecond) }, true},
		{"the last report", func() { ask("other") }, true},
	} {
		test.change()
		text := ask("played")
		if again := &text[0] != &last[0]; again != test.again {
			t.Errorf("after a change of %s it is written again: %t", test.name, again)
		}
		last = text
	}
}

// TestReportWaits asks for a report while another one is written, for a reader who has left.
func TestReportWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &History{writing: make(chan struct{}, 1)}
		h.writing <- struct{}{}
		h.Observe([]hub.Record{pastRecord(t, "played", hub.Running, 2)}, nil, time.Now())
		left, leave := context.WithCancel(t.Context())
		leave()
		if _, err := h.Report(left, "played"); !errors.Is(err, context.Canceled) {
			t.Errorf("who has left gets %v", err)
		}
	})
}

// TestLongMatches reports on matches with more games than a report holds, and with a file that is longer than a hub reads.
func TestLongMatches(t *testing.T) {
	d := New()
	d.room = 3 * costOf(testLine(0, "white"))
	const games = 10
	for number := range games {
		if err := d.Add(testLine(number, "white")); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	if err := d.Write(&out); err != nil || len(d.held) != 3 || d.left != games-3 || d.Games() != games {
		t.Errorf("%d of %d games are held, %d are left, %v", len(d.held), d.Games(), d.left, err)
	}
	if text := out.String(); !strings.Contains(text, "all but the last 7") {
		t.Error("the page does not say how many games are missing")
	}
	long := pastRecord(t, "long", hub.Over, 2)
	h := &History{}
	h.Observe([]hub.Record{long}, nil, time.Now())
	if _, err := h.Report(t.Context(), "long"); err != nil {
		t.Error(err)
	}
	file, err := os.OpenFile(long.Games, os.O_WRONLY, 0)
	if err = errors.Join(err, file.Truncate(maxRead+1), file.Close()); err != nil { // with a hole
		t.Fatal(err)
	}
	h.Read(t.Context())
	for range 2 {
		if _, err := h.Report(t.Context(), "long"); err == nil || !strings.Contains(err.Error(), "fetch the match") {
			t.Errorf("the report: %v", err)
		}
		long.Request.Tuning = &tune.Tuning{}
	}
	if c := h.courses["long"]; c == nil || c.err == nil || c.games > 0 {
		t.Errorf("the history has %+v", c)
	}
}
