package report

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/bench/stats"
)

// testLine returns a game of a two-engine match with the given result.
func testLine(number int, result string) *match.Line {
	cp := 15
	l := &match.Line{Match: "m", Game: number, Round: number / 2, White: "new", Black: "<old>", Result: result, Reason: game.RingsRemoved,
		Rules: "standard", Opening: []string{"e3", "f6"}, Limits: [2]string{"nodes=5", "nodes=7"},
		Turns: []match.TurnLine{{Turn: "a2", CP: &cp, Depth: 4, Nodes: 1000, MS: 10}, {Turn: "a3", MS: 30}, {Turn: "a4", Depth: 6, MS: 20}},
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
	met := d.standing().Pairings
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
	if diff := cmp.Diff(stats.Pairs{0, 0, 0, 0, 1}, d.standing().Pairings[0].Pairs); diff != "" {
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
	for _, want := range []string{"<h1>Too few games for a verdict: 8, and at least 20 are needed</h1>", "new against &lt;old&gt;", "9 games", "Test of 0 against 5 normalized Elo: undecided (LLR", "1 0 1 1 1", "5 nodes a turn", "</html>"} {
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
		typeset("+26.1 (-9.6 to +61.3) a-b +- 3"): "+26.1 (−9.6 to +61.3) a-b ± 3", points(stats.Games{Draws: 1}): "½", points(stats.Games{Wins: 2, Draws: 3}): "3½", points(stats.Games{}): "0",
		limitsText([]string{"tc=10+0.1 nodestime=1000", "nodes=6000"}): "clock 10+0.1, 1,000 nodes count as 1 ms; 6,000 nodes a turn", limitsText([]string{"movetime=100"}): "100ms a turn",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
