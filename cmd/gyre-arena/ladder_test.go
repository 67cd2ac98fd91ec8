package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/ladder"
	"gyre/bench/match"
	"gyre/bench/openings"
	"gyre/bench/stats"
	"gyre/cmd/internal/commandline"
	"gyre/position"
)

// TestLadderCommand rates an engine in a short time, and then resumes the run: all games
// are in one file, their number never falls, and the rating has an error.
func TestLadderCommand(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	args := []string{"ladder", "-engine", a.engine("it", enginetest.Good), "-time", "300ms", "-pairs", "1", "-nodes", "1",
		"-opening-bound", "0", "-out", "ladder.jsonl", "-progress", "lines", "-every", "1ns"}
	before := 0
	for run := range 2 {
		output, status := a.run(args...)
		if status != commandline.ExitSuccess || !regexp.MustCompile(`\nit is rated [+-][0-9.]+ \+- ([0-9.]+|inf)\n`).MatchString(output) {
			t.Fatalf("status %d: %s", status, output)
		}
		for _, want := range []string{"games go to ladder.jsonl", "resume with:\n  ", "-out ladder.jsonl"} {
			if !strings.Contains(output, want) {
				t.Errorf("%q is missing in:\n%s", want, output)
			}
		}
		if run > 0 && before > 0 && !strings.Contains(output, fmt.Sprintf("resumed after %d games", before)) {
			t.Errorf("after %d games:\n%s", before, output)
		}
		for _, found := range regexp.MustCompile(`(?m)^(\d+) games, `).FindAllStringSubmatch(output, -1) {
			n, err := strconv.Atoi(found[1])
			if err != nil || n != before+1 {
				t.Fatalf("%s games after %d:\n%s", found[1], before, output)
			}
			before = n
		}
		if games := a.games("ladder.jsonl"); len(games) != before || before > 0 && games[0].Black != ladder.Anchor {
			t.Errorf("%d games, %d shown", len(games), before)
		}
	}
	if names, err := filepath.Glob(filepath.Join(a.dir, "*-near*")); err != nil || len(names) > 0 {
		t.Errorf("games in %v, %v", names, err)
	}
}

// TestClimbInOneFile plays all players and then the nearest, with a book that runs out,
// and resumes from every place where the file is cut: each opening is played once with
// each color against a player, and the number of games never falls.
func TestClimbInOneFile(t *testing.T) {
	t.Parallel()
	scale, err := ladder.Ratings()
	if err != nil {
		t.Fatal(err)
	}
	c := &ladderRun{matchConfig: newMatchConfig("ladder")}
	if c.opened, err = openings.Read(strings.NewReader("e3 f6\nf6 e3\ng7 e3\nf6 g7\n"), "book", position.Standard); err != nil {
		t.Fatal(err)
	}
	players := ladder.Players()
	m := match.Match{ID: "m", Openings: c.opened, Concurrency: 2, Engines: []game.Engine{players[1].Engine(), players[0].Engine(), players[1].Engine()}}
	m.Engines[0].Name = "it"
	m.Schedule = match.Gauntlet(len(m.Engines), 1)
	files := match.Files{Lines: filepath.Join(t.TempDir(), "games.jsonl")}
	for _, kept := range []int{0, 3, 4, 11, 16} {
		if kept > 0 {
			lines := strings.SplitAfter(readText(t, files.Lines), "\n")
			if err := os.WriteFile(files.Lines, []byte(strings.Join(lines[:kept], "")), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		again := m
		placing := &climb{scale: scale, match: &again}
		standing, err := c.climb(context.Background(), placing, time.Hour, files, io.Discard, io.Discard)
		if err != nil || !standing.Over() || standing.Games != 16 {
			t.Fatalf("after %d games: %+v, %v", kept, standing, err)
		}
		numbers := map[string]bool{}
		if err := readGames(files.Lines, false, func(l *match.Line) error {
			key := strings.Join(append([]string{l.White, l.Black}, l.Opening...), " ")
			if numbers[key] {
				t.Errorf("%s is played twice", key)
			}
			numbers[key] = true
			return nil
		}); err != nil || len(numbers) != 16 {
			t.Errorf("%d games, %v", len(numbers), err)
		}
	}
}

// TestReferencePlayers plays a match of two built-in players.
func TestReferencePlayers(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	output, status := a.run("match", "-engine", "reference=greedy", "-engine", "reference=random name=dice", "-pairs", "2", "-opening-bound", "0", "-out", "games.jsonl")
	if status != commandline.ExitSuccess || !strings.Contains(output, "greedy against dice, 4 games") {
		t.Errorf("status %d: %s", status, output)
	}
}

// climbing returns an engine that beats the weakest five of the players, which are rated
// 100 Elo apart.
func climbing(t *testing.T) (*climb, *match.Match, *match.Standing) {
	t.Helper()
	m := &match.Match{ID: "m", Engines: []game.Engine{{Name: "it"}}}
	var scale []ladder.Rating
	for i, p := range ladder.Players() {
		m.Engines = append(m.Engines, p.Engine())
		scale = append(scale, ladder.Rating{Name: p.Name, Elo: stats.Estimate{Value: float64(100 * i), Error: 10}})
	}
	m.Schedule = match.Gauntlet(len(m.Engines), 2)
	standing := match.NewStanding(m.Schedule, m.Names(), nil)
	for number := range m.Schedule.Games() {
		g := m.Schedule.Game(number)
		line := &match.Line{Game: number, White: m.Engines[g.Sides[0]].Name, Black: m.Engines[g.Sides[1]].Name, Result: "white", Reason: game.RingsRemoved}
		if wins := max(g.Sides[0], g.Sides[1]) <= 5; wins != (g.Sides[0] == 0) {
			line.Result = "black"
		}
		if err := standing.Add(line); err != nil {
			t.Fatal(err)
		}
	}
	return &climb{scale: scale, match: m}, m, standing
}

// TestClimb checks which players the engine meets in the end.
func TestClimb(t *testing.T) {
	t.Parallel()
	c, m, standing := climbing(t)
	if r := c.rating(standing); math.Abs(r.Value-450) > 60 || r.Error < 20 || r.Error > 200 {
		t.Errorf("rating %+v", r)
	}
	further := c.further(standing, nil, 4, 10)
	if diff := cmp.Diff([]int{3, 4, 5, 6}, further.Extended); diff != "" || further.Extra != 10 || further.Rounds != m.Schedule.Rounds {
		t.Errorf("%+v %s", further, diff)
	}
	if err := further.Check(len(m.Engines)); err != nil {
		t.Error(err)
	}
}

// TestClimbAgain replays games of the first rounds, which moves the rating, and takes them back. The
// players that the engine met afterwards stay, and the others are those nearest to the new rating.
func TestClimbAgain(t *testing.T) {
	t.Parallel()
	c, m, standing := climbing(t)
	first := m.Schedule.Games()
	schedule := c.further(standing, nil, nearest, 10)
	line := func(number int, wins bool) *match.Line {
		g := schedule.Game(number)
		l := &match.Line{Match: m.ID, Game: number, White: m.Engines[g.Sides[0]].Name, Black: m.Engines[g.Sides[1]].Name, Result: "white", Reason: game.RingsRemoved}
		if wins != (g.Sides[0] == 0) {
			l.Result = "black"
		}
		return l
	}
	for _, played := range [][]int{{}, {0}, {1}, {4}, {0, 1}, {0, 1, 2, 3, 4, 5, 6}, {5, 2, 9}} {
		for _, rounds := range []int{first, first - 3} { // the second after a retraction
			var text []byte
			add := func(l *match.Line) {
				var err error
				if text, err = l.Append(text); err != nil {
					t.Fatal(err)
				}
			}
			for number := range rounds { // it failed in all games, and loses or wins them now
				broken := line(number, false)
				broken.Reason = game.Stall
				add(broken)
			}
			want := map[int]int{}
			for _, further := range played {
				add(line(first+further, true))
				want[further/2%nearest] = schedule.Extended[further/2%nearest]
			}
			for number := range rounds {
				add(line(number, true))
			}
			files := match.Files{Lines: filepath.Join(t.TempDir(), "games.jsonl")}
			if err := os.WriteFile(files.Lines, text, 0o600); err != nil {
				t.Fatal(err)
			}
			again, chosen, err := c.resumed(files)
			if diff := cmp.Diff(want, chosen); diff != "" || err != nil || again.Games != rounds {
				t.Fatalf("%v: %d games, %v %s", played, again.Games, err, diff)
			}
			now := c.further(again, chosen, nearest, 10)
			if err := now.Check(len(m.Engines)); err != nil || len(now.Extended) != nearest || len(played) == 0 && cmp.Equal(now, schedule) {
				t.Errorf("%v: %+v, %v", played, now, err)
			}
			whole := match.NewStanding(now, m.Names(), nil)
			if err := readGames(files.Lines, false, whole.Add); err != nil || whole.Games != rounds+len(played) {
				t.Errorf("%v: %d games, %v", played, whole.Games, err)
			}
		}
	}
}

// TestRatingsFile writes the ratings of an invented tournament and reads them.
func TestRatingsFile(t *testing.T) {
	t.Parallel()
	_, m, _ := climbing(t)
	m.Engines = m.Engines[1:]
	m.Schedule = match.RoundRobin(len(m.Engines), 1)
	names := m.Names()
	standing := match.NewStanding(m.Schedule, names, nil)
	for number := range m.Schedule.Games() {
		g := m.Schedule.Game(number)
		line := &match.Line{Game: number, White: names[g.Sides[0]], Black: names[g.Sides[1]], Result: "white", Reason: game.RingsRemoved}
		if g.Sides[0] < g.Sides[1] {
			line.Result = "black"
		}
		if err := standing.Add(line); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "ratings.txt")
	table, err := rated(standing, anchored{engine: 0})
	if err != nil {
		t.Fatal(err)
	}
	if err := writeRatings(io.Discard, path, "by a test", table); err != nil {
		t.Fatal(err)
	}
	text := readText(t, path)
	all, err := ladder.ParseRatings(text)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(all); i++ {
		if all[i].Elo.Value <= all[i-1].Elo.Value {
			t.Errorf("%+v after %+v", all[i], all[i-1])
		}
	}
	if !strings.HasPrefix(text, "# Ratings of the reference players") || all[0].Elo.Value != 0 {
		t.Error(text)
	}
}

// TestRatingsFromGames rates the players from two overlapping files of invented games, and
// compares the file of ratings with an independent computation.
func TestRatingsFromGames(t *testing.T) {
	t.Chdir(t.TempDir())
	rng := rand.New(rand.NewPCG(15, 5))
	var names []string
	var strengths []float64
	for i, p := range ladder.Players() {
		names, strengths = append(names, p.Name), append(strengths, 0.4*float64(i))
	}
	points, games := square(len(names)), square(len(names))
	for _, part := range []struct {
		path     string
		from, to int
	}{{"low.jsonl", 0, 8}, {"high.jsonl", 4, len(names)}} {
		p, g := madeGames(t, part.path, part.path, names[part.from:part.to], strengths[part.from:part.to], 400, rng)
		for i := range p {
			for j := range p {
				points[part.from+i][part.from+j] += p[i][j]
				games[part.from+i][part.from+j] += g[i][j]
			}
		}
	}
	got := runLine("ladder low.jsonl high.jsonl -o ratings.txt")
	if got.Status != commandline.ExitSuccess || !strings.Contains(got.Stdout, "boardspace-4") {
		t.Fatalf("%+v", got)
	}
	all, err := ladder.ParseRatings(readText(t, "ratings.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want := minorized(points, games)
	for i, r := range all {
		if math.Abs(r.Elo.Value-(want[i]-want[0])) > 0.2 || (r.Elo.Error > 0) != (i > 0) {
			t.Errorf("%s is rated %v, want %.1f", r.Name, r.Elo, want[i]-want[0])
		}
	}
	for line, message := range map[string]string{
		"ladder low.jsonl":                     ": no games of",
		"ladder low.jsonl -pairs 3":            "files of games and -pairs exclude each other",
		"ladder high.jsonl none.jsonl":         "none.jsonl",
		"ladder low.jsonl high.jsonl -o games": "",
	} {
		if got := runLine(line); !strings.Contains(got.Stderr, message) || (got.Status == commandline.ExitSuccess) != (message == "") {
			t.Errorf("%s: %+v", line, got)
		}
	}
	madeGames(t, "other.jsonl", "o", []string{"random", "stranger"}, []float64{0, 1}, 5, rng)
	if got := runLine("ladder low.jsonl high.jsonl other.jsonl"); !strings.Contains(got.Stderr, `"stranger": choose from random`) {
		t.Errorf("%+v", got)
	}
}

// TestPlacedPlayer writes the rating of a player that climbed to a file of ratings. Only
// its line changes, and other files stay.
func TestPlacedPlayer(t *testing.T) {
	t.Parallel()
	climb, _, standing := climbing(t)
	before := readText(t, filepath.Join("..", "..", "bench", "ladder", "ratings.txt"))
	path := filepath.Join(t.TempDir(), "ratings.txt")
	c := &ladderRun{matchConfig: newMatchConfig("ladder")}
	c.specs.texts = []string{"reference=boardspace-3"}
	for _, text := range []string{before, "openings e3 f6\n", ""} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		err := c.savePlayer(io.Discard, path, climb, standing)
		after := readText(t, path)
		if text != before {
			if err == nil || after != text {
				t.Errorf("%q became %q, %v", text, after, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		then, now := strings.Split(before, "\n"), strings.Split(after, "\n")
		rating := climb.rating(standing)
		want := fmt.Sprintf("boardspace-3 %.1f %.1f # placed on the scale of the others ", rating.Value, rating.Error)
		for i := range then {
			if line := strings.Join(strings.Fields(now[i]), " "); strings.HasPrefix(then[i], "boardspace-3") {
				if !strings.HasPrefix(line, want) || !strings.HasSuffix(line, fmt.Sprintf(" by %d games", standing.Games)) {
					t.Errorf("%q, want %q", line, want)
				}
			} else if now[i] != then[i] {
				t.Errorf("%q became %q", then[i], now[i])
			}
		}
	}
}

// TestOutsideFile records a result in a file of ratings of other programs: next to others,
// replacing one of the same name, and never in a file of another kind.
func TestOutsideFile(t *testing.T) {
	t.Parallel()
	climb, _, standing := climbing(t)
	path := filepath.Join(t.TempDir(), "outside.txt")
	const other = "# Ratings of outside programs\nother 900.0 50.0 80 2026-11-20 cmd=./other\nit 1.0 2.0 2 2026-11-20 cmd=./it\n"
	if err := os.WriteFile(path, []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &ladderRun{matchConfig: newMatchConfig("ladder")}
	c.described = []engineSpec{{command: []string{"./it", "-x"}}}
	if err := c.saveOutside(io.Discard, path, climb, standing); err != nil {
		t.Fatal(err)
	}
	all, err := ladder.ParseOutside(readText(t, path))
	if err != nil {
		t.Fatal(err)
	}
	rating := climb.rating(standing)
	if len(all) != 2 || all[0].Name != "it" || all[1].Elo != (stats.Estimate{Value: 900, Error: 50}) || all[0].Engine != "'cmd=./it -x'" || all[0].Games != standing.Games ||
		time.Since(all[0].Date) > 48*time.Hour || all[0].Elo.Value < rating.Value-0.1 || all[0].Elo.Value > rating.Value+0.1 {
		t.Errorf("%+v", all)
	}
	for _, foreign := range []string{"openings e3 f6\n", "it 1.0 2.0 2 2026-11-20 cmd=./it\n"} {
		if err := os.WriteFile(path, []byte(foreign), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := c.saveOutside(io.Discard, path, climb, standing); err == nil || readText(t, path) != foreign {
			t.Errorf("%q was written over, %v", foreign, err)
		}
	}
}

// TestNeighbors checks what is shown below and above a rating; the players are rated 100
// Elo apart, and the program meets none of itself.
func TestNeighbors(t *testing.T) {
	c, _, _ := climbing(t)
	players := ladder.Players()
	last := players[len(players)-1].Name
	for elo, want := range map[float64]string{
		-50: "  below random (+0.0 +- 10.0)\n",
		150: "  above greedy (+100.0 +- 10.0)\n  below " + players[2].Name + " (+200.0 +- 10.0)\n",
	} {
		var b strings.Builder
		if err := c.writeNeighbors(&b, elo); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Errorf("at %v: %s", elo, diff)
		}
	}
	var b strings.Builder
	c.match.Engines[0].Name = last
	if err := c.writeNeighbors(&b, 1e5); err != nil || strings.Contains(b.String(), last) {
		t.Errorf("%q, %v", b.String(), err)
	}
}

// TestLadderHelp checks that -rate, which selects the players, is listed with the engines.
func TestLadderHelp(t *testing.T) {
	engines, _, _ := strings.Cut(runLine("ladder -help").Stdout, "\nLimits:")
	if !strings.Contains(engines, "  -rate ") {
		t.Errorf("the engines' flags lack -rate:\n%s", engines)
	}
}
