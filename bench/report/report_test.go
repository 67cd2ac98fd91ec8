package report

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/game"
	"gyre/bench/hub"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/bench/tune"
	"gyre/protocol"
)

// testLine returns a game of a two-engine match with the given result.
func testLine(number int, result string) *match.Line {
	cp := 15
	l := &match.Line{Match: "m", Game: number, Round: number / 2, White: "new", Black: "<old>", Result: result, Reason: game.RingsRemoved,
		Rules: "standard", Opening: []string{"e3", "f6"}, Limits: [2]string{"nodes=5", "nodes=7"},
		Turns: []match.TurnLine{{Turn: "a2", ScoreFields: protocol.ScoreFields{CP: &cp}, Depth: 4, Nodes: 1000, MS: 10}, {Turn: "a3", MS: 30}, {Turn: "a4", Depth: 6, MS: 20}},
		Began: time.Date(2026, 3, 1, 12, 0, number, 0, time.UTC), Seconds: 2}
	if number%2 == 1 {
		l.White, l.Black = l.Black, l.White
	}
	return l
}

// testData returns four and a half pairs: WW, LL, DD+WL, WD.
func testData(t *testing.T) *Data {
	t.Helper()
	d := New()
	for number, result := range []string{"white", "black", "black", "white", "white", "white", "white", "draw", "black"} {
		l := testLine(number, result)
		if number == 3 {
			l.Reason = game.TimeForfeit
		}
		if err := d.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// pairsOf returns the rows of the pairs.
func pairsOf(d *Data) []pairRow {
	p := &matchPage{Data: d, pairs: d.pool.Pairs()}
	return p.pairRows()
}

// TestNumbers checks the tables.
func TestNumbers(t *testing.T) {
	d := testData(t)
	met := d.standing(nil).Pairings
	if len(met) != 1 {
		t.Fatalf("%d encounters", len(met))
	}
	if diff := cmp.Diff(stats.Pairs{1, 0, 1, 1, 1}, met[0].Pairs); diff != "" {
		t.Error(diff)
	}
	want := [2]stats.Games{{Wins: 3, Losses: 1}, {Wins: 1, Losses: 2, Draws: 1}}
	if diff := cmp.Diff(want, met[0].ByWhite); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]row{
		{"new", "14", "19.3 ms", "30.0 ms", "5.00", "5,000", "100,000"},
		{"<old>", "13", "20.8 ms", "30.0 ms", "5.00", "4,000", "100,000"},
	}, useRows(d.engines)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]row{{"rings", "8", "", ""}, {"time forfeit", "1", "1", "0"}}, endRows(d.ends, d.engines)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(pairRow{Round: 2, First: "new", Second: "<old>", Outcome: "0", Games: [2]int{3, 4}}, pairsOf(d)[1]); diff != "" {
		t.Error(diff)
	}
}

// TestExcluded checks that a pair is excluded if an engine did not play.
func TestExcluded(t *testing.T) {
	d := New()
	for number, result := range []string{"white", "black", "black", "white"} {
		l := testLine(number, result)
		if number == 3 {
			l.Reason = game.Stall
		}
		if err := d.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(stats.Pairs{0, 0, 0, 0, 1}, d.standing(nil).Pairings[0].Pairs); diff != "" {
		t.Error(diff)
	}
	if rows := pairsOf(d); rows[1].Outcome != "excluded" {
		t.Errorf("row %+v", rows[1])
	}
}

// TestPage checks that the page is complete, needs no other file, and escapes names.
func TestPage(t *testing.T) {
	d := testData(t)
	d.Test(stats.Hypotheses{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05})
	var out strings.Builder
	if err := d.Write(&out); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{"<h1>Too few games for a verdict: 8, and at least 20 are needed</h1>", "new against &lt;old&gt;", "9 games", "Test of 0 against 5 normalized Elo: undecided (LLR", "1\u00a00\u00a01\u00a01\u00a01", "5 nodes a turn", "</html>"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	for _, wrong := range []string{"<old>", "src=", "<link", "@import", "ZgotmplZ"} {
		if strings.Contains(text, wrong) {
			t.Errorf("the page contains %q", wrong)
		}
	}
	if charts := strings.Count(text, `<figure class="chart" id="chart-`); charts != 5 {
		t.Errorf("%d charts", charts)
	}
	if err := New().Write(io.Discard); err == nil {
		t.Error("a page without games was written")
	}
}

// tournamentData returns a tournament of three engines. Each won every game against later ones,
// except for every fifth game.
func tournamentData(t *testing.T, rounds int) *Data {
	t.Helper()
	d := New()
	names := [][2]string{{"engine1", "engine2"}, {"engine1", "engine3"}, {"engine2", "engine3"}}
	for number := range 6 * rounds {
		l := testLine(number, "white")
		l.Round = number / 6
		l.White, l.Black = names[number/2%3][number%2], names[number/2%3][1-number%2]
		if (number%2 == 1) != (number%5 == 0) {
			l.Result = "black"
		}
		if err := d.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// TestTournamentPage checks the page of a tournament: its verdict, cross table and ratings.
func TestTournamentPage(t *testing.T) {
	for rounds, verdict := range map[int]string{1: "<h1>Too few games for a verdict</h1>", 30: "<h1>engine1 is the strongest of 3: +"} {
		page := written(t, tournamentData(t, rounds))
		for _, want := range []string{"<title>engine1, engine2, engine3</title>", verdict, "Points of the row", `class="track"`, `>engine3</th>`} {
			if !strings.Contains(page, want) {
				t.Errorf("%d rounds: %q is missing", rounds, want)
			}
		}
	}
}

// TestNumberTexts checks how numbers are written.
func TestNumberTexts(t *testing.T) {
	for got, want := range map[string]string{
		grouped(1234567.891, 1): "1,234,567.9", grouped(-999.5, 0): "−1,000", grouped(0, 2): "0.00", grouped(-0.001, 2): "0.00", grouped(100, 0): "100",
		typeset("+26.1 (-9.3 to +60.8) a-b +- 3"): "+26.1 (−9.3 to +60.8) a-b ± 3", points(stats.Games{Draws: 1}): "½", points(stats.Games{Wins: 2, Draws: 3}): "3½", points(stats.Games{}): "0",
		limitsText([]string{"tc=10+0.1 nodestime=1000", "nodes=6000"}): "clock 10+0.1, 1,000 nodes count as 1 ms; 6,000 nodes a turn", limitsText([]string{"movetime=100"}): "100ms a turn",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// written returns the page of d.
func written(t *testing.T, d *Data) string {
	t.Helper()
	var out strings.Builder
	if err := d.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// held returns the charts in the page.
func held(t *testing.T, page string) []chart {
	t.Helper()
	_, after, _ := strings.Cut(page, `<script type="application/json" id="data">`)
	text, _, found := strings.Cut(after, "</script>")
	if !found {
		t.Fatalf("no chart data in the page: %s", page)
	}
	var data pageData
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return data.Charts
}

// TestThePageHoldsItsCharts compares the charts in the page with the games: Elo and the test
// after each pair, game lengths, and each engine's times and depths by turn.
func TestThePageHoldsItsCharts(t *testing.T) {
	d := testData(t)
	h := stats.Hypotheses{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05}
	d.Test(h)
	test, err := stats.NewSPRT(h)
	if err != nil {
		t.Fatal(err)
	}
	low, high := test.Bounds()
	llr := series{}
	for i, counts := range []stats.Pairs{{0, 0, 0, 0, 1}, {1, 0, 0, 0, 1}, {1, 0, 1, 0, 1}, {1, 0, 1, 1, 1}} {
		llr.X = append(llr.X, float64(i+1))
		llr.Y = append(llr.Y, thousandths(test.LLR(counts)))
	}
	turns, faint := []float64{3, 4, 5}, "Mean of all games. Faint: fewer than 10 games."
	want := []chart{
		{Title: "Log-likelihood ratio (LLR) of the test", Note: "The test passes at H1 and fails at H0.", X: "pairs", Y: "LLR", Zero: true, Series: []series{llr},
			Bounds: []bound{{"H0", thousandths(low)}, {"H1", thousandths(high)}}},
		{Title: "Pair results", Note: "Points of new in the two games of a pair.", X: "points", Y: "pairs", Bars: true, Labels: []string{"0", "½", "1", "1½", "2"}, Zero: true,
			Series: []series{{X: []float64{0, 1, 2, 3, 4}, Y: []float64{1, 0, 1, 1, 1}}}, Bounds: []bound{}},
		{Title: "Games by length", X: "turns", Y: "games", Bars: true, Zero: true, Series: []series{{X: []float64{5}, Y: []float64{9}}}, Bounds: []bound{}},
		{Title: "Time per turn", Note: faint, X: "turn", Y: "ms", Zero: true, Bounds: []bound{},
			Series: []series{{Name: "new", X: turns, Y: []float64{10, 30, 20}, Games: []int{5, 4, 5}}, {Name: "<old>", X: turns, Y: []float64{10, 30, 20}, Games: []int{4, 5, 4}}}},
		{Title: "Depth reached", Note: faint, X: "turn", Y: "turns", Zero: true, Bounds: []bound{},
			Series: []series{{Name: "new", X: []float64{3, 5}, Y: []float64{4, 6}, Games: []int{5, 5}}, {Name: "<old>", X: []float64{3, 5}, Y: []float64{4, 6}, Games: []int{4, 4}}}},
	}
	if diff := cmp.Diff(want, held(t, written(t, d))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNamesStayText checks that engine names cannot inject scripts or end the page's script.
func TestNamesStayText(t *testing.T) {
	for _, name := range []string{`</script><script>alert(1)</script>`, `<!--<script>`, `"]}];alert(1)//`, "a\u2028b", `<img src=x onerror=alert(1)>`} {
		d := New()
		for number := range 2 {
			l := testLine(number, "white")
			if l.White = name; number == 1 {
				l.White, l.Black = "new", name
			}
			if err := d.Add(l); err != nil {
				t.Fatal(err)
			}
		}
		page := written(t, d)
		if scripts, ends := strings.Count(page, "<script"), strings.Count(page, "</script"); scripts != 2 || ends != 2 {
			t.Errorf("%q: %d scripts and %d ends of scripts, want 2 and 2", name, scripts, ends)
		}
		if strings.ContainsAny(name, "<") && strings.Contains(page, name) {
			t.Errorf("%q is not escaped", name)
		}
		charts := held(t, page)
		if got := charts[len(charts)-1].Series[0].Name; got != name {
			t.Errorf("the charts name it %q, want %q", got, name)
		}
	}
}

// TestScriptRuns checks that the content security policy allows the page's script by its hash,
// and no other.
func TestScriptRuns(t *testing.T) {
	text, hash := joined(append(boardScripts(), viewerScript, gamesScript)...)
	page := written(t, testData(t))
	if !strings.Contains(page, "<script>"+text+"</script>") {
		t.Error("the page does not contain its script")
	}
	if !strings.Contains(page, "script-src '"+hash+"'\"") || strings.Contains(page, "script-src 'unsafe") {
		t.Errorf("the policy does not consist of the script's hash %s", hash)
	}
}

// TestLongMatch checks a match with more pairs than a chart has points, whose last pair is
// incomplete.
func TestLongMatch(t *testing.T) {
	d := New()
	for number := range 5001 {
		result := []string{"white", "black", "draw", "white"}[(number*7+number/3)%4]
		if err := d.Add(testLine(number, result)); err != nil {
			t.Fatal(err)
		}
	}
	c := trajectoryOf("new", d.pool.Standing(nil).Pooled, nil, chartPoints)
	if n := len(c.pairs); n < chartPoints || n > 2*chartPoints || c.pairs[n-1] != 2500 {
		t.Errorf("%d points, the last %v", n, c.pairs[n-1])
	}
	if elo, enough := eloChart("new", c); !enough || elo.Settled < 200 || elo.Settled > 300 {
		t.Errorf("enough: %v, settled after %v pairs, want a tenth of 2500", enough, elo.Settled)
	}
}

// TestEloChartStarts checks that the chart of Elo starts with the first pair from which on there
// always is an interval, and not before ten pairs.
func TestEloChartStarts(t *testing.T) {
	open := stats.Elo(stats.Pairs{0, 0, 0, 0, 14})
	c := trajectory{}
	for pairs := 1; pairs <= 20; pairs++ {
		e := stats.Elo(stats.Pairs{1, 0, 2, 0, pairs})
		if pairs == 12 {
			e = open
		}
		c.pairs, c.elo = append(c.pairs, float64(pairs)), append(c.elo, e)
	}
	for last, want := range map[int]float64{11: 10, 20: 13} {
		got, enough := eloChart("new", trajectory{pairs: c.pairs[:last], elo: c.elo[:last]})
		if !enough || got.Series[0].X[0] != want {
			t.Errorf("of %d pairs the chart starts at %v, want %v", last, got.Series, want)
		}
	}
}

// TestEmptyCharts checks that empty charts are omitted.
func TestEmptyCharts(t *testing.T) {
	if _, enough := eloChart("new", trajectory{pairs: []float64{1}, elo: []stats.Interval{{Value: 1, Low: -1, High: 3}}}); enough {
		t.Error("a chart was made of the Elo after one pair")
	}
	if _, enough := llrChart(trajectory{pairs: []float64{1, 2}, elo: make([]stats.Interval, 2)}, 0, 0); enough {
		t.Error("a chart was made without a test")
	}
	if _, enough := turnChart("", "", []*engine{{byTurn: make([]perTurn, 5)}}, func(perTurn) (float64, int) { return 0, 0 }); enough {
		t.Error("a chart was made of an engine without data")
	}
}

// hubStatus returns the status of a hub with one match. Its first engine leads, it has a test,
// and the name of the other engine looks like an element.
func hubStatus(pairs int) *hub.Status {
	counts := stats.Pairs{pairs / 10, pairs / 10, pairs / 5, pairs / 5}
	counts[4] = pairs - counts.Total()
	return &hub.Status{
		Matches: map[string]hub.MatchStatus{"~.abcdefghij": {Match: "m", Client: "here:<b>games.jsonl", Games: 2 * pairs, Out: 3,
			Newest: &hub.Newest{Number: 2 * pairs, White: "new", Black: "<old>", Result: "white", Reason: "rings", Turn: "e3-g3",
				Position: "4/7/3Ww3/4b4/10/8b/10/9/8/7/4 b 1-0", Turns: 50 + pairs, Worker: "attic"},
			Progress: hub.Progress{Score: fmt.Sprintf("%d pairs", pairs), Counts: counts, Pairs: pairs, LLR: float64(pairs) / 50, Bounds: [2]float64{-2.94, 2.94},
				Engines: []string{"new", "<old>"}, Limits: []string{"nodes=6000", "nodes=6000"}, Played: 2 * pairs, Total: 1000, Command: "gyre-arena match -seed 7",
				Test: &stats.Hypotheses{Elo0: 0, Elo1: 10, Alpha: 0.05, Beta: 0.05}},
		}},
		Workers: map[string]hub.WorkerStatus{"attic": {Name: "attic", System: "linux/amd64", Slots: 4, Busy: 3, Pairs: pairs,
			Refuses: []string{"me.klmnopqrst"}, Why: map[string]string{"me.klmnopqrst": "its program is " + strings.Repeat("f", 64)}, Limited: "timers come late"}},
		Faults: map[string]hub.Faults{"cellar": {Count: 1, Last: []string{"a lie"}}, "mal.attic": {Count: 3, Last: []string{"<old>"}}},
	}
}

// hubPageOf returns the page of a hub.
func hubPageOf(t *testing.T, h *Hub) string {
	t.Helper()
	var out strings.Builder
	if err := h.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestHubPage checks the page before the first status, of an idle hub, and of a hub with a
// match.
func TestHubPage(t *testing.T) {
	at, h := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), &Hub{Address: "-hub nats://10.0.0.1:4222"}
	has := func(wants ...string) {
		t.Helper()
		page := hubPageOf(t, h)
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%q is missing", want)
			}
		}
		if strings.Contains(page, "<b>games") || strings.Contains(page, "<old>") {
			t.Errorf("a name became an element: %s", page)
		}
	}
	has("waiting for the hub", "No matches running.", "No workers connected.", "gyre-arena worker -hub nats://10.0.0.1:4222</pre>", "data-copy", `>{"charts":[]}</script>`)
	h.Observe(&hub.Status{}, at)
	has("as of 12:00:00", "No matches running.", "No workers connected.")
	h.Observe(hubStatus(8), at)
	has("Too few games for a verdict: 16, and at least 20 are needed", "The chart of Elo begins after 10 pairs", "The chart of the test begins after two pairs", `>{"charts":[]}</script>`)
	h.Observe(hubStatus(40), at)
	has("new is stronger: +127.0\u00a0Elo (95%:\u00a0", `id="command-~.abcdefghij" tabindex="0" role="region" aria-label="Command">gyre-arena match -seed 7</pre>`, "new against &lt;old&gt;", "80 of 1,000 games · measuring speed · 3 jobs in progress", "Test of 0 against 10 normalized Elo: undecided", "Limits: 6,000 nodes a turn",
		"here:&lt;b&gt;games.jsonl", `data-position="4/7/3Ww3/4b4/10/8b/10/9/8/7/4 b 1-0"`,
		"Game 80, the most recent: new (White) against &lt;old&gt;, new won by removing a ring after 90 turns, the last e3-g3; played by attic",
		">attic</td>", ">3 of 4</td>", "worker attic cannot play klmnopqr: its program is fff", "worker attic plays fewer games at once: timers come late", "worker cellar: 1 fault in the last day, the last because: a lie",
		"worker attic, for the matches of mal: 3 faults in the last day; suspended, the last because: &lt;old&gt;")
	h.Observe(hubStatus(40), at.Add(10*time.Second))
	has("6.40 games a second")
	h.Observe(hubStatus(50), at.Add(20*time.Second))
	has("4.20 games a second", "about 4 min left")
	var titles []string
	for _, c := range held(t, hubPageOf(t, h)) {
		titles = append(titles, c.Title)
		if got := c.Series[0].X; got[len(got)-1] != 50 {
			t.Errorf("%s ends at %v pairs", c.Title, got)
		}
	}
	if diff := cmp.Diff([]string{"Elo of new so far, with its 95% interval", "Log-likelihood ratio (LLR) of the test"}, titles); diff != "" {
		t.Errorf("charts (-want +got):\n%s", diff)
	}
	h.Observe(&hub.Status{}, at.Add(60*time.Second))
	has("No matches running.", "Matches no longer running", "new is stronger: +127.0\u00a0Elo (95%:\u00a0", "Command to repeat it", "100 of 1,000 games when last seen at 2026-03-01 12:00:20; it has finished or stopped since", "last seen 40 s ago", `>{"charts":[]}</script>`)
	h.Observe(hubStatus(200), at.Add(65*time.Second)) // beyond the bound of the test
	h.Observe(&hub.Status{}, at.Add(67*time.Second))
	has("decided for 10", "400 of 1,000 games · finished at 2026-03-01 12:01:05")
	h.Observe(hubStatus(210), at.Add(70*time.Second))
	if page := hubPageOf(t, h); strings.Contains(page, "no longer running") || strings.Contains(page, "last seen") {
		t.Error("a resumed match or a worker that is back is shown as gone")
	}
}

// TestHubReports checks that a match that ends between two looks at the hub is shown as in its
// last report, also if it was never seen running, and that later reports wait.
func TestHubReports(t *testing.T) {
	at, h := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), &Hub{}
	over := hubStatus(200).Matches["~.abcdefghij"]
	over.Over = true
	h.Observe(hubStatus(8), at)
	h.Report("~.abcdefghij", over, at.Add(time.Second))
	short := hubStatus(20).Matches["~.abcdefghij"]
	short.Client, short.Over = "short", true
	h.Report("me.klmnopqrst", short, at.Add(time.Second))
	h.Report("me.uvwxyzabcd", short, at.Add(3*time.Second))
	h.Observe(&hub.Status{}, at.Add(2*time.Second))
	page := hubPageOf(t, h)
	for _, want := range []string{"400 of 1,000 games · finished at 2026-03-01 12:00:01", "40 of 1,000 games · finished", ">short · klmnopqr<"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "uvwxyzab") {
		t.Error("a report that is newer than the status ends a match")
	}
}

// TestHubDetached checks what the page says of detached matches that are no longer running.
func TestHubDetached(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		state        hub.State
		reason, want string
	}{
		{hub.Stopped, "", "40 of 1,000 games · stopped at 2026-03-01 12:00:01<"},
		{hub.Paused, "", "40 of 1,000 games · paused at 2026-03-01 12:00:01<"},
		{hub.Over, "", "40 of 1,000 games · finished at 2026-03-01 12:00:01<"},
		{hub.Impaired, "an <engine> crashed", "40 of 1,000 games · failed at 2026-03-01 12:00:01: an &lt;engine&gt; crashed<"},
		{hub.Running, "", "40 of 1,000 games when last seen at 2026-03-01 12:00:00; it has finished or stopped since<"},
	} {
		h, status := &Hub{}, hubStatus(20)
		m := status.Matches["~.abcdefghij"]
		m.Client = "hub:idea"
		status.Matches["~.abcdefghij"] = m
		h.Observe(status, at)
		r := hub.Record{DetachedMatch: hub.DetachedMatch{Name: "idea", State: test.state, Reason: test.reason, Ended: at.Add(time.Second)}, Request: &hub.Request{Spec: &hub.Spec{Match: m.Match}}}
		h.Detached = []hub.Record{r}
		h.Observe(&hub.Status{}, at.Add(2*time.Second))
		if page := hubPageOf(t, h); !strings.Contains(page, test.want) {
			t.Errorf("%s: %s", test.state, page)
		}
	}
}

// TestHubPast follows a match for a long time and over an interruption. The history stays
// bounded, includes the last status, and never goes back.
func TestHubPast(t *testing.T) {
	at, h := time.Unix(0, 0), &Hub{}
	for pairs := 1; pairs <= 3*maxSeen; pairs++ {
		h.Observe(hubStatus(pairs), at.Add(time.Duration(pairs)*time.Second))
		past := h.past["~.abcdefghij"]
		if len(past.past) > maxSeen || past.Pairs != pairs || past.past[len(past.past)-1].counts.Total() != pairs {
			t.Fatalf("after %d calls %d entries are kept, the last with %d pairs", pairs, len(past.past), past.Pairs)
		}
	}
	past := h.past["~.abcdefghij"]
	if rate := rateOf(past.past); rate != 2 {
		t.Errorf("the rate is %v games a second", rate)
	}
	went := trajectorySeen(past.past)
	for i := 1; i < len(went.pairs); i++ {
		if went.pairs[i] <= went.pairs[i-1] {
			t.Fatalf("%v pairs follow %v", went.pairs[i], went.pairs[i-1])
		}
	}
	h.Observe(hubStatus(5), at)
	if left := len(h.past["~.abcdefghij"].past); left != 1 {
		t.Errorf("%d entries are kept from before the interruption", left)
	}
}

// TestHubMemory follows matches whose statuses have much text, in each look another. What is kept of earlier looks, and
// of workers that are gone, has hardly any.
func TestHubMemory(t *testing.T) {
	texts := func(look int) (all []string) {
		for i := range 1000 {
			all = append(all, fmt.Sprintf("%100d", look*1000+i))
		}
		return all
	}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	h, before := &Hub{}, heap()
	const looks, most = 300, 10 << 20
	for look := range looks { // 100 kB of texts each
		at, status := time.Unix(int64(look), 0), hubStatus(look)
		m := status.Matches["~.abcdefghij"]
		m.Needs = texts(look)
		status.Matches["~.abcdefghij"] = m
		status.Workers = map[string]hub.WorkerStatus{fmt.Sprint("w", look): {Slots: 1, Refuses: texts(look)}}
		h.Observe(status, at)
	}
	if len(h.past["~.abcdefghij"].past) != looks || len(h.gone) != looks-1 {
		t.Errorf("%d looks and %d workers are kept", len(h.past["~.abcdefghij"].past), len(h.gone))
	}
	if after := heap(); after > before+most {
		t.Errorf("%d looks take %d bytes", looks, after-before)
	}
	many := &hub.Status{Matches: map[string]hub.MatchStatus{}}
	for i := range 1000 {
		many.Matches[fmt.Sprint("me.", i)] = hub.MatchStatus{}
	}
	for look := range 2 * maxKept / len(many.Matches) {
		h.Observe(many, time.Unix(int64(looks+look), 0))
	}
	kept := 0
	for _, f := range h.past {
		kept += len(f.past)
	}
	if kept > maxKept {
		t.Errorf("%d looks at %d matches are kept", kept, len(many.Matches))
	}
}

// TestHubOwners shows matches of two owners with the same key: neither takes the place of the other, nor of a detached
// match that it claims to be.
func TestHubOwners(t *testing.T) {
	at, h, status := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), &Hub{}, hubStatus(20)
	mine := status.Matches["~.abcdefghij"]
	mine.Client = "hub:idea"
	theirs := mine
	theirs.Score, theirs.Engines, theirs.Games = "theirs", nil, 1
	status.Matches = map[string]hub.MatchStatus{"~.abcdefghij": mine, "other.abcdefghij": theirs}
	h.Observe(status, at)
	h.Report("other.abcdefghij", theirs, at.Add(time.Second))
	h.Report("~.abcdefghij", mine, at.Add(time.Second))
	h.Observe(&hub.Status{}, at.Add(2*time.Second))
	h.Detached = []hub.Record{{DetachedMatch: hub.DetachedMatch{Name: "idea", State: hub.Stopped, Ended: at.Add(time.Second)}, Request: &hub.Request{Spec: &hub.Spec{Match: mine.Match}}}}
	page := hubPageOf(t, h)
	for want, times := range map[string]int{"theirs": 1, "new is stronger": 1, "stopped at 2026-03-01 12:00:01": 1, "40 of 1,000 games": 2} {
		if n := strings.Count(page, want); n != times {
			t.Errorf("%q is on the page %d times", want, n)
		}
	}
	var history History
	status.Matches = map[string]hub.MatchStatus{"other.abcdefghij": theirs}
	h.Detached[0].State = hub.Running
	history.Observe(h.Detached, status, at)
	if state := history.stateOf(&h.Detached[0]); state != "queued" {
		t.Errorf("a match of which another key claims to play games is %s", state)
	}
}

// TestTuningPage checks the page of a tuning: the values, and the path of each parameter with
// the number of pairs behind each value.
func TestTuningPage(t *testing.T) {
	tuning := &tune.Tuning{SPSA: tune.SPSA{Iterations: 5, Rate: 0.002, Seed: 7, Parameters: []tune.Parameter{
		{Name: "<Margin>", Value: 40, Min: 0, Max: 100, Step: 6}, {Name: "Rate", Value: 160, Min: 50, Max: 400, Step: 12.5}}}, Batch: 2}
	reached := &tune.Progress{Played: 5, Path: []tune.Point{{Iteration: 0, Values: []float64{40, 160}}, {Iteration: 2, Values: []float64{41.5, 150}}, {Iteration: 4, Values: []float64{43, 155.25}}, {Iteration: 5, Values: []float64{42.6, 170.1234}}}}
	var text strings.Builder
	if err := WriteTuning(&text, tuning, reached); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		TuningMark,
		`>&lt;Margin&gt;</td>`, `data-label="now">42.60</td>`, `data-label="change">+2.60</td>`, ">0 to 100</td>", `data-label="step">6</td>`,
		`data-label="now">170.12</td>`, ">50 to 400</td>", `data-label="step">12.5</td>`,
		">option.&lt;Margin&gt;=43 option.Rate=170</pre>", `data-copy="options"`, "Finished: 5 pairs played",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	want := chart{Title: "Rate", X: "pairs", Y: "value", Least: 12.5, Bounds: []bound{{"start", 160}},
		Series: []series{{Name: "Rate", X: []float64{0, 2, 4, 5}, Y: []float64{160, 150, 155.25, 170.123}}}}
	if diff := cmp.Diff(want, pathChart(tuning, reached, 1)); diff != "" {
		t.Error(diff)
	}
}

// TestSwing checks that chances are those of PROTOCOL.md: 100 hundredths are 73%, a forced win 100%.
func TestSwing(t *testing.T) {
	even, behind, mate := 0, -100, 1
	l := testLine(0, "white")
	l.Turns[0].CP, l.Turns[1].CP, l.Turns[2].Mate = &even, &behind, &mate // of White, Black and White
	for _, want := range [][2]int{{23, 4}, {27, 5}} {
		d := New()
		last := l.Turns[2].Mate
		if want[1] == 4 {
			l.Turns[2].Mate = nil
		}
		if err := d.Add(l); err != nil {
			t.Fatal(err)
		}
		l.Turns[2].Mate = last
		if got := [2]int{d.held[0].Swing, d.held[0].SwingAt}; got != want {
			t.Errorf("swing %d%% at turn %d, want %d%% at turn %d", got[0], got[1], want[0], want[1])
		}
	}
}

// TestPageAgreesWithMatch checks that a page counts the pairs that the match counted: up to the
// verdict of the test that its last run had.
func TestPageAgreesWithMatch(t *testing.T) {
	narrow := stats.Hypotheses{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05}
	wide := stats.Hypotheses{Elo0: 0, Elo1: 200, Alpha: 0.05, Beta: 0.05}
	for _, test := range []struct {
		name  string
		tests []*stats.Hypotheses // of the runs of the match, each of the same number of games
		state stats.State
		early bool // whether pairs are not settled
		lacks int  // the number of a game that has not ended; 0 for none
	}{
		{"games after the verdict", []*stats.Hypotheses{&wide}, stats.AcceptH1, true, 0},
		{"resumed with another test", []*stats.Hypotheses{&wide, &narrow}, stats.Continue, false, 0},
		{"resumed without a test", []*stats.Hypotheses{&wide, nil}, stats.Continue, false, 0},
		{"resumed with a test", []*stats.Hypotheses{nil, &wide}, stats.AcceptH1, true, 0},
		{"a gap with a test", []*stats.Hypotheses{&wide}, stats.Continue, true, 9},
		{"a gap without a test", []*stats.Hypotheses{nil}, stats.Continue, true, 30},
	} {
		t.Run(test.name, func(t *testing.T) {
			const games = 48
			var last *stats.SPRT
			if h := test.tests[len(test.tests)-1]; h != nil {
				var err error
				if last, err = stats.NewSPRT(*h); err != nil {
					t.Fatal(err)
				}
			}
			want := match.NewStanding(match.RoundRobin(2, games/2), []string{"new", "<old>"}, last)
			d := New()
			for number := range games {
				if number > 0 && number == test.lacks {
					continue
				}
				winner := number % 2 // new, but the last pairs are lost
				if number >= games-12 {
					winner = 1 - winner
				}
				l := testLine(number, []string{"white", "black"}[winner])
				l.Began = l.Began.Add(time.Duration(number) * time.Minute)
				l.Test = test.tests[number*len(test.tests)/games]
				if err := want.Add(l); err != nil {
					t.Fatal(err)
				}
				if err := d.Add(l); err != nil {
					t.Fatal(err)
				}
			}
			if want.State != test.state || (want.Settled < games/2) != test.early {
				t.Fatalf("the match: %v after %d pairs", want.State, want.Settled)
			}
			page := written(t, d)
			pairs := want.Pairings[0].Pairs
			if text := strings.ReplaceAll(pairs.String(), ",", "\u00a0"); !strings.Contains(page, text) {
				t.Errorf("the page lacks the pairs %s", pairs)
			}
			text := ""
			if last != nil {
				text = typeset(testText(last, want.LLR, want.State))
			}
			if _, after, found := strings.Cut(page, `<p class="test">`); found != (last != nil) || !strings.HasPrefix(after, text) {
				t.Errorf("the page has %.80q, want %q", after, text)
			}
			for _, c := range held(t, page) {
				if x := c.Series[0].X; strings.Contains(c.Title, "LLR") && x[len(x)-1] != float64(pairs.Total()) {
					t.Errorf("the chart of the LLR ends at pair %v, want %d", x[len(x)-1], pairs.Total())
				}
			}
		})
	}
}
