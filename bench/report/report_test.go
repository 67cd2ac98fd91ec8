package report

import (
	"fmt"
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
		{"new", "14", "19.3 ms", "30.0 ms", "5.00", "5000", "100000"},
		{"<old>", "13", "20.8 ms", "30.0 ms", "5.00", "4000", "100000"},
	}, useRows(d.engines)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]row{{"rings", "8", "", ""}, {"time forfeit", "1", "1", "0"}}, endRows(d.ends, d.engines)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(row{"2", "new", "<old>", "LL", "black, rings", "white, time forfeit", "e3 f6"}, openingRows(d.pool.Pairs())[1]); diff != "" {
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
	if rows := openingRows(d.pool.Pairs()); rows[1][3] != "excluded" {
		t.Errorf("row %q", rows[1])
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
	for _, want := range []string{"new against &lt;old&gt;", "9 games", "LLR", "Sequential test", "undecided", "1,0,1,1,1", "</html>"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	for _, wrong := range []string{"<old>", "src=", "<link", "@import", "ZgotmplZ"} {
		if strings.Contains(text, wrong) {
			t.Errorf("the page contains %q", wrong)
		}
	}
	if charts := strings.Count(text, "<figure"); charts != 5 {
		t.Errorf("%d charts", charts)
	}
	if err := New().Write(io.Discard); err == nil {
		t.Error("a page without games was written")
	}
}

// TestTournamentPage checks the page of a match of three engines.
func TestTournamentPage(t *testing.T) {
	d := New()
	for number := range 6 {
		l := testLine(number, "white")
		for _, name := range []*string{&l.White, &l.Black} {
			*name = fmt.Sprint("engine", [...]map[string]int{{"new": 1, "<old>": 2}, {"new": 1, "<old>": 3}, {"new": 2, "<old>": 3}}[number/2][*name])
		}
		if err := d.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	if err := d.Write(&out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "<title>engine1, engine2, engine3</title>") {
		t.Errorf("%.400s", out.String())
	}
}
