package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/game"
	"gyre/bench/hub"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/cmd/internal/commandline"
)

// madeGames writes a file of the games of an invented tournament. The results depend on the
// strengths; some pairs are incomplete, and some games are lost by a fault.
// It returns the points and games of each engine against each, in the pairs that count.
func madeGames(t *testing.T, path, id string, names []string, strengths []float64, pairs int, rng *rand.Rand) (points, games [][]float64) {
	t.Helper()
	var text []byte
	points, games = square(len(names)), square(len(names))
	for number := range pairs {
		i, j := rng.IntN(len(names)), rng.IntN(len(names)-1)
		if j >= i {
			j++
		}
		lines, scored, counts := madePair(names[i], names[j], 1/(1+math.Exp(strengths[j]-strengths[i])), number, rng)
		for _, l := range lines {
			l.Match = id
			var err error
			if text, err = l.Append(text); err != nil {
				t.Fatal(err)
			}
		}
		if counts {
			points[i][j] += scored
			points[j][i] += 2 - scored
			games[i][j] += 2
			games[j][i] += 2
		}
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return points, games
}

func square(n int) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, n)
	}
	return rows
}

// madePair returns the games of a pair, the points of its first engine, and whether the
// pair is counted.
func madePair(first, second string, chance float64, number int, rng *rand.Rand) (lines []*match.Line, points float64, counts bool) {
	counts = true
	for reversed := range 2 {
		l := &match.Line{Game: 2*number + reversed, White: first, Black: second, Result: "draw", Reason: game.PoolEmpty, Rules: "standard",
			Began: time.Unix(int64(rng.Uint32()), 0).UTC()}
		won, lost := "white", "black"
		if reversed == 1 {
			l.White, l.Black, won, lost = second, first, lost, won
		}
		switch x := rng.Float64(); {
		case x < 0.1:
			points += 0.5
		case x < 0.1+0.9*chance:
			l.Result, l.Reason, points = won, game.RingsRemoved, points+1
		default:
			l.Result, l.Reason = lost, game.RingsRemoved
		}
		if l.Result != "draw" && rng.IntN(50) == 0 {
			l.Reason, counts = game.Stall, false
		}
		lines = append(lines, l)
	}
	if rng.IntN(50) == 0 {
		return lines[:1], points, false
	}
	return lines, points, counts
}

// minorized returns the maximum-likelihood ratings in Elo, relative to their mean. It
// repeatedly sets each engine's strength to its points divided by the sum of games/(own
// strength + opponent's). Source: D. Hunter, "MM algorithms for generalized Bradley-Terry
// models" (2004).
func minorized(points, games [][]float64) []float64 {
	n := len(points)
	strength := make([]float64, n)
	for i := range strength {
		strength[i] = 1
	}
	opponents := make([]int, n)
	for i := range n {
		for j := range n {
			if games[i][j] > 0 {
				opponents[i]++
			}
		}
	}
	for range 20_000 {
		next := make([]float64, n)
		for i := range n {
			won, met := 0.0, 0.0
			for j := range n {
				if games[i][j] > 0 {
					virtual := 1 / float64(max(opponents[i], opponents[j])) // half won
					won += points[i][j] + virtual/2
					met += (games[i][j] + virtual) / (strength[i] + strength[j])
				}
			}
			next[i] = won / met
		}
		strength = next
	}
	mean := 0.0
	for _, s := range strength {
		mean += math.Log10(s) / float64(n)
	}
	elo := make([]float64, n)
	for i, s := range strength {
		elo[i] = 400 * (math.Log10(s) - mean)
	}
	return elo
}

// TestStandingOfSeveralFiles combines three files of different matches, one of them given
// twice, and compares the ratings with an independent computation.
func TestStandingOfSeveralFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	rng := rand.New(rand.NewPCG(15, 3))
	names := []string{"a", "b", "c", "d", "e", "f"}
	strengths := []float64{0, 0.3, -0.4, 1.1, 0.2, -1.5}
	points, games := square(len(names)), square(len(names))
	add := func(path, id string, from, to int) {
		p, g := madeGames(t, path, id, names[from:to], strengths[from:to], 150, rng)
		for i := range p {
			for j := range p {
				points[from+i][from+j] += p[i][j]
				games[from+i][from+j] += g[i][j]
			}
		}
	}
	add("one.jsonl", "1", 0, 4)
	add("two.jsonl", "2", 2, 6)
	add("three.jsonl", "3", 0, 6)
	got := runLine("standing one.jsonl two.jsonl three.jsonl two.jsonl -json -")
	if got.Status != commandline.ExitSuccess || !strings.Contains(got.Stderr, " duplicate games are counted once") {
		t.Fatalf("%+v", got)
	}
	var s summary
	if err := json.Unmarshal([]byte(got.Stdout), &s); err != nil {
		t.Fatal(err)
	}
	index := map[string]int{}
	for i, e := range s.Engines {
		index[e.Name] = i
	}
	want := minorized(points, games)
	for i, name := range names {
		e := s.Engines[index[name]]
		if math.Abs(*e.Elo.Value-want[i]) > 0.1 {
			t.Errorf("%s is rated %.3f, want %.3f", name, *e.Elo.Value, want[i])
		}
		for j, other := range names {
			d := s.Differences[index[name]][index[other]]
			if math.Abs(*d.Value-(want[i]-want[j])) > 0.1 {
				t.Errorf("%s above %s: %.3f, want %.3f", name, other, *d.Value, want[i]-want[j])
			}
			if i == j {
				continue
			}
			// The interval is not exactly symmetric.
			if z := *d.Value / *d.Error * 1.959964; math.Abs(d.LOS-math.Erfc(-z/math.Sqrt2)/2) > 0.02 {
				t.Errorf("%s above %s: %.2f +- %.2f has the LOS %.6f", name, other, *d.Value, *d.Error, d.LOS)
			}
		}
	}
	total := 0.0
	for _, row := range games {
		for _, n := range row {
			total += n
		}
	}
	if s.Pairs != int(total)/4 || s.Excluded == 0 || s.Games <= 2*s.Pairs {
		t.Errorf("%d games, %d pairs, %d omitted, want %v pairs", s.Games, s.Pairs, s.Excluded, total/4)
	}
}

// TestStandingFits prints tables of many engines in 80 columns, with every number whole.
func TestStandingFits(t *testing.T) {
	t.Chdir(t.TempDir())
	rng := rand.New(rand.NewPCG(15, 5))
	names, strengths := []string{}, []float64{}
	for i := range 9 {
		names, strengths = append(names, fmt.Sprintf("engine-%d", i+1)), append(strengths, float64(i)/9)
	}
	madeGames(t, "many.jsonl", "1", names, strengths, 200, rng)
	got := runLine("standing many.jsonl -json -")
	var s summary
	if err := json.Unmarshal([]byte(got.Stdout), &s); err != nil {
		t.Fatal(err)
	}
	got = runLine("standing many.jsonl")
	for line := range strings.Lines(got.Stdout) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > textWidth {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for i, e := range s.Engines {
		for j, d := range s.Differences[i] {
			if i != j && !strings.Contains(got.Stdout, "  "+stats.Interval{Value: *d.Value, Low: *d.Low, High: *d.High}.String()) {
				t.Errorf("the difference of %s and %s is missing", e.Name, s.Engines[j].Name)
			}
		}
	}
	if t.Failed() {
		t.Log(got.Stdout)
	}
}

func TestWrapped(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "\n"},
		{"  time    none", "  time    none\n"},
		{"  time    " + strings.Repeat("12345678 ", 8) + "123456789 1", "  time    " + strings.Repeat("12345678 ", 6) + "12345678\n          12345678 123456789 1\n"},
		{strings.Repeat("x", 90) + " y", strings.Repeat("x", 90) + "\n          y\n"},
	} {
		if got := wrapped(test.text, 10); got != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}

// TestStatusWidth checks that no line of the status is wider than 80 columns, and that lines
// are broken between words.
func TestStatusWidth(t *testing.T) {
	score := "LLR 0.93 (-2.94, 2.94), Elo +52.1 (-3.6 to +108.4), +1234 =56 -1178 (51.1%), [123,234,345,456,567], nElo +63.9 +- 68.1, LOS 96.7%"
	status := hub.Status{
		Matches: map[string]hub.MatchStatus{"9b85529be0459ca3": {Client: "tower:/home/someone/matches/games.jsonl", Games: 2400, Out: 24, Progress: hub.Progress{Score: score, Played: 2468, Total: 100000}}},
		Workers: map[string]hub.WorkerStatus{"w": {Slots: 16, System: "linux/amd64", Refuses: []string{"9b85529b"}, Why: map[string]string{"9b85529b": strings.Repeat("its processor lacks an instruction; ", 5)}}},
		Waiting: 24,
	}
	var text strings.Builder
	if err := status.Write(&text, wrapped); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(text.String()) {
		if n := len(strings.TrimRight(line, " \n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if joined := strings.Join(strings.Fields(text.String()), " "); !strings.Contains(joined, "2468 of 100000 games, 24 jobs in progress, tower:") || !strings.Contains(joined, score) {
		t.Errorf("the status is %s", text.String())
	}
}

// sweepGames writes a file of pairs in which the first engine won all games.
func sweepGames(t *testing.T, path, first, second string, pairs int) {
	t.Helper()
	var text []byte
	for number := range 2 * pairs {
		l := &match.Line{Match: path, Game: number, White: first, Black: second, Result: "white", Reason: game.RingsRemoved, Rules: "standard",
			Began: time.Unix(int64(number), 0).UTC()}
		if number%2 == 1 {
			l.White, l.Black, l.Result = second, first, "black"
		}
		var err error
		if text, err = l.Append(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestStandingOfSweeps checks that a clean sweep is as certain in a standing of three engines
// as alone, in the tables and the summary.
func TestStandingOfSweeps(t *testing.T) {
	for _, pairs := range []int{10, 20, 50} {
		t.Chdir(t.TempDir())
		sweepGames(t, "r0.jsonl", "new", "r0", pairs)
		sweepGames(t, "r1.jsonl", "new", "r1", pairs)
		read := func(files string) (s summary) {
			got := runLine("standing " + files + " -json -")
			if err := json.Unmarshal([]byte(got.Stdout), &s); err != nil {
				t.Fatalf("%v: %+v", err, got)
			}
			return s
		}
		alone, both := read("r0.jsonl").Differences[0][1], read("r0.jsonl r1.jsonl").Differences[0]
		for j := 1; j <= 2; j++ {
			if d := both[j]; d.LOS < alone.LOS-1e-9 || d.Low == nil || *d.Low < *alone.Low-1e-6 || d.High != nil {
				t.Errorf("%d pairs: with a third engine %+v, LOS %v; alone at least %v, LOS %v", pairs, d.number, d.LOS, *alone.Low, alone.LOS)
			}
		}
		bound := "at least " + stats.Signed(*alone.Low)
		got := runLine("standing r0.jsonl r1.jsonl -anchor r0=0")
		if n := strings.Count(got.Stdout, bound); n != 3 || strings.Count(got.Stdout, ">99.9%") != 2 || strings.Contains(got.Stdout, "Inf") {
			t.Errorf("%d pairs: %q appears %d times, want 3, in\n%s", pairs, bound, n, got.Stdout)
		}
	}
}

// TestStandingTables checks the output with an anchor, and without ratings.
func TestStandingTables(t *testing.T) {
	t.Chdir(t.TempDir())
	rng := rand.New(rand.NewPCG(15, 4))
	madeGames(t, "ab.jsonl", "1", []string{"a", "b"}, []float64{0, 0.5}, 40, rng)
	madeGames(t, "cd.jsonl", "2", []string{"c", "d"}, []float64{0, 0.5}, 40, rng)
	got := runLine("standing ab.jsonl -anchor a=1500 -json ab.json")
	for _, want := range []string{"games of 2 engines", "1500.0", "Elo of the row's engine minus the column's", "likelihood that"} {
		if !strings.Contains(got.Stdout, want) || got.Status != commandline.ExitSuccess {
			t.Errorf("%q is missing in %+v", want, got)
		}
	}
	if text := readText(t, "ab.json"); !strings.Contains(text, `"anchor": "a"`) || !strings.Contains(text, `"value": 1500,`) {
		t.Errorf("the summary is %s", text)
	}
	got = runLine("standing ab.jsonl cd.jsonl")
	if got.Status != commandline.ExitSuccess || !strings.Contains(got.Stdout, "no ratings: ") {
		t.Errorf("%+v", got)
	}
	madeGames(t, "few.jsonl", "3", []string{"a", "b"}, []float64{0, 0.5}, 9, rng)
	got = runLine("standing few.jsonl")
	if n := strings.Count(got.Stdout, stats.TooFew); n != 5 || got.Status != commandline.ExitSuccess { // the interval, two differences, two likelihoods
		t.Errorf("%q appears %d times, want 5, in %+v", stats.TooFew, n, got)
	}
	if got := runLine("standing ab.json"); got.Status != commandline.ExitFailure || !strings.Contains(got.Stderr, "ab.json:1: ") {
		t.Errorf("%+v", got)
	}
	if err := os.WriteFile("empty.jsonl", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := runLine("standing empty.jsonl"); got.Status != commandline.ExitFailure || !strings.Contains(got.Stderr, "empty.jsonl: no games") {
		t.Errorf("%+v", got)
	}
}

func TestStats(t *testing.T) {
	const pairs = "elo 26.106693\nelo_low -9.323519\nelo_high 60.777986\nelo_error 35.050752\nnelo 36.354623\nnelo_error 48.151231\nlos 92.423193\n"
	const games = "elo -15.693521\nelo_low -45.968831\nelo_high 14.881089\nelo_error 30.424960\nnelo -20.756450\nnelo_error 40.126026\nlos 15.924661\n"
	const won = "elo inf\nelo_low 1157.103698\nelo_high inf\nelo_error inf\nnelo inf\nnelo_error inf\nlos 100.000000\n"
	const bounds = "lower -2.944439\nupper 2.944439\n"
	for _, test := range []struct{ line, want string }{
		{"stats -pairs 0,0,0,1,0", "strength too few games: 2, and at least 20 are needed\n"},
		{"stats -pairs 5,20,40,25,10", pairs},
		{"stats -pairs=5,20,40,25,10 -model logistic -alpha 0.1", pairs},
		{"stats --games 76,89,123", games},
		{"stats -pairs 5,20,40,25,10 -elo0 0 -elo1 20", pairs + "llr 0.866512\n" + bounds + "state continue\n"},
		{"stats -pairs 5,20,40,25,10 -elo0 0 -elo1 20 -model normalized", pairs + "llr 0.866512\n" + bounds + "state continue\n"},
		{"stats -model logistic -elo0 0 -elo1 20 -pairs 5,20,40,25,10", pairs + "llr 1.026536\n" + bounds + "state continue\n"},
		{"stats -pairs 5,20,40,25,10 -elo0 0 -elo1 20 -alpha 0.4 -beta 0.1",
			pairs + "llr 0.866512\nlower -1.791759\nupper 0.810930\nstate accept H1\n"},
		{"stats -pairs 5,20,40,25,10 -elo0 -10 -elo1 -5 -alpha 0.1 -beta 0.1 -model logistic",
			pairs + "llr 0.527439\nlower -2.197225\nupper 2.197225\nstate continue\n"},
		{"stats -games 4250,0,0 -elo0 0 -elo1 10", won + "llr 120.548268\n" + bounds + "state accept H1\n"},
	} {
		t.Run(test.line, func(t *testing.T) {
			if diff := cmp.Diff(outcome{Stdout: test.want}, runLine(test.line)); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSimulateCommand prints a line for each strength, the same in every run.
func TestSimulateCommand(t *testing.T) {
	t.Parallel()
	const line = "stats -simulate 50 -elo0 0 -elo1 100 -at -50,150 -draws 0.1 -progress none"
	first := runLine(line)
	if first.Status != commandline.ExitSuccess || first.Stderr != "" {
		t.Fatalf("%+v", first)
	}
	if diff := cmp.Diff(first, runLine(line)); diff != "" {
		t.Error(diff)
	}
	var strengths []string
	for text := range strings.Lines(first.Stdout) {
		if words := strings.Fields(text); len(words) == 9 && strings.HasSuffix(words[1], "%") {
			strengths = append(strengths, words[0])
		}
	}
	if diff := cmp.Diff([]string{"0", "50", "100", "-50", "150"}, strengths); diff != "" {
		t.Errorf("%s in:\n%s", diff, first.Stdout)
	}
	shown := runLine(strings.Replace(line, "-progress none", "-every 0s", 1))
	if lines := strings.Split(shown.Stderr, "\n"); len(lines) != 251 || !strings.HasPrefix(lines[249], "250/250, ") || shown.Stdout != first.Stdout {
		t.Errorf("progress: %+v", shown)
	}
	if other := runLine("stats -simulate 50 -elo0 0 -elo1 100 -pairs 10,5,60,5,20"); other.Status != commandline.ExitSuccess || !strings.Contains(other.Stdout, "DD+WL, WD, WW: 10.0%, 5.0%, 60.0%, 5.0%, 20.0%") {
		t.Errorf("%+v", other)
	}
}

// TestForecastLine checks the line about the length of a match with a test.
// TestExpectedTime checks how long matches are said to take.
func TestExpectedTime(t *testing.T) {
	for _, test := range []struct {
		limits      [2]string
		rounds      int
		concurrency int
		want        string
	}{
		{[2]string{"tc=60+0.6", "tc=60+0.6"}, 10, 2, "a game takes at most about 2m36s, the 20 games 26m0s at -concurrency 2\n"},
		{[2]string{"movetime=100", "tc=40/10+0"}, 1, 1, "a game takes at most about 13s, the 2 games 26s at -concurrency 1\n"},
		{[2]string{"movetime=5", "movetime=5 nodes=7"}, 1, 1, "a game takes at most about 300ms, the 2 games 600ms at -concurrency 1\n"},
		{[2]string{"movetime=100", "movetime=100"}, unlimited, 1, "a game takes at most about 6s\n"},
		{[2]string{"movetime=24h", "movetime=24h"}, unlimited - 1, 1, "a game takes at most about 1440h0m0s, the 199998 games 1281023h54m0s at -concurrency 1\n"}, // 292 years are the longest
		{[2]string{"nodes=100", "movetime=100"}, 1, 1, ""},
		{[2]string{"movetime=100 nodestime=5", "movetime=100 nodestime=5"}, 1, 1, ""},
	} {
		m := &match.Match{Engines: make([]game.Engine, 2), Schedule: match.RoundRobin(2, test.rounds), Concurrency: test.concurrency}
		for i, text := range test.limits {
			for _, word := range strings.Fields(text) {
				name, value, _ := strings.Cut(word, "=")
				if _, err := m.Engines[i].Limits.Set(name, value); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := expectedTime(m); got != test.want {
			t.Errorf("%v: %q, want %q", test.limits, got, test.want)
		}
	}
}

func TestForecastLine(t *testing.T) {
	test, err := stats.NewSPRT(stats.Hypotheses{Elo0: 0, Elo1: 20, Alpha: 0.05, Beta: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	engines := make([]game.Engine, 2)
	for _, m := range []*match.Match{{Engines: engines, Test: test, Schedule: match.RoundRobin(2, 500)}, {Engines: engines, Schedule: match.RoundRobin(2, 500)}} {
		if err := writeForecast(&b, m); err != nil {
			t.Fatal(err)
		}
	}
	const want = "expected pairs of the test: 800 if the difference is 0, 800 if it is 20, 1308\n  halfway; error rates 5% and 5%; the match ends after 500\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

// TestSummaryOfDisputed counts the pairs of which two workers have different results.
func TestSummaryOfDisputed(t *testing.T) {
	standing := match.NewStanding(match.RoundRobin(2, 4), []string{"a", "b"}, nil)
	standing.Disputed = []int{1, 3}
	s, err := rated(standing, anchored{engine: -1})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := json.Marshal(newSummary("match", s, nil)); err != nil || !strings.Contains(string(text), `"disputed":2`) {
		t.Errorf("%s, %v", text, err)
	}
}
