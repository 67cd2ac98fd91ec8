package main

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/zeebo/xxh3"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/load"
	"gyre/bench/match"
	"gyre/cmd/internal/commandline"
	"gyre/position/plaintext/plaintexttest"
)

// TestMatchCommand plays a match and checks the output, and that the printed command
// repeats the match.
func TestMatchCommand(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	args := []string{"match", "-engine", a.engine("new", enginetest.Good), "-engine", a.engine("old", enginetest.Good) + " nodes=7",
		"-each", "option.Hash=2", "-nodes", "1", "-games", "6", "-concurrency", "2", "-opening-bound", "0", "-out", "first.jsonl", "-trace", "trace"}
	output, status := a.run(args...)
	if status != commandline.ExitSuccess {
		t.Fatalf("status %d: %s", status, output)
	}
	for _, want := range []string{"new against old, 6 games in 3 pairs", "LOS", "games go to first.jsonl", "ends "} {
		if !strings.Contains(output, want) {
			t.Errorf("%q is missing in:\n%s", want, output)
		}
	}
	games := a.games("first.jsonl")
	if len(games) != 6 || games[0].Limits != [2]string{"nodes=1", "nodes=7"} {
		t.Errorf("%d games, %+v", len(games), games[0])
	}
	var setups []*match.Setup
	for _, game := range games {
		if game.Setup != nil {
			setups = append(setups, game.Setup)
		}
	}
	if len(setups) != 1 || len(setups[0].Engines) != 2 || !strings.Contains(setups[0].Command, "-nodes 1") || strings.Contains(setups[0].Command, "first.jsonl") || strings.Contains(setups[0].Command, "trace") {
		t.Errorf("how the match was started: %+v", setups)
	}
	trace, err := os.ReadFile(filepath.Join(a.dir, "trace"))
	if err != nil || !strings.Contains(string(trace), "new > setoption name Hash value 2") {
		t.Errorf("trace of %d bytes, %v", len(trace), err)
	}
	var again string
	for line := range strings.Lines(strings.ReplaceAll(output, " \\\n", " ")) { // without line breaks in commands
		if command, found := strings.CutPrefix(line, "  "+programName(executable(t, "cmd/gyre-arena"))+" "); found {
			again = command
		}
	}
	words, err := commandline.SplitWords(again, commandline.BackslashQuotes)
	if err != nil {
		t.Fatal(err)
	}
	if output, status := a.run(append(words, "-out", "second.jsonl")...); status != commandline.ExitSuccess {
		t.Fatalf("status %d: %s", status, output)
	}
	if diff := cmp.Diff(games, a.games("second.jsonl"), sameGames); diff != "" {
		t.Errorf("repeated: %s", diff)
	}
	if output, status := a.run("report", "first.jsonl", "-o", "page.html", "-elo0", "0", "-elo1", "5"); status != commandline.ExitSuccess {
		t.Fatalf("status %d: %s", status, output)
	}
	if page, err := os.ReadFile(filepath.Join(a.dir, "page.html")); err != nil || !strings.Contains(string(page), "new against old") {
		t.Errorf("page of %d bytes, %v", len(page), err)
	}
	for _, wrong := range [][]string{{"report", "-o", "page.html"}, {"report", "missing.jsonl"}, {"report", "trace", "-o", "x"}, {"report", "first.jsonl", "-elo1", "-5"}} {
		if output, status := a.run(wrong...); status == commandline.ExitSuccess {
			t.Errorf("%v: %s", wrong, output)
		}
	}
}

// TestMatchByNodes plays with clocks in nodes, one engine with its own. Lines, result and
// the printed command show it. Engines that cannot are reported before the first game.
func TestMatchByNodes(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	counts := []string{"-engine", a.engine("new", enginetest.Counts), "-engine", a.engine("own", enginetest.Counts) + " tc=1+0.02"}
	good := []string{"-engine", a.engine("old", enginetest.Good), "-engine", a.engine("bad", enginetest.CountsNone)}
	flags := []string{"-tc", "0.4+0.004", "-nodestime", "1000", "-opening-rings", "0-10", "-opening-bound", "0", "-pairs", "1"}
	output, status := a.run(append(append([]string{"match", "-out", "games.jsonl"}, counts...), flags...)...)
	for _, want := range []string{" -nodestime 1000 ", " -opening-rings 0-10 ", "2 games in 1 pair"} {
		if !strings.Contains(output, want) || status != commandline.ExitSuccess {
			t.Errorf("status %d, %q is missing in:\n%s", status, want, output)
		}
	}
	if strings.Contains(output, "timers") {
		t.Errorf("the result has a line about real time:\n%s", output)
	}
	if diff := cmp.Diff([2]string{"tc=0.4+0.004 nodestime=1000", "tc=1+0.02 nodestime=1000"}, a.games("games.jsonl")[0].Limits); diff != "" {
		t.Error(diff)
	}
	output, status = a.run(append(append([]string{"match", "-out", "none.jsonl"}, good...), flags...)...)
	for _, want := range []string{"engine old cannot play: it has no option nodestime", "engine bad cannot play: it reports no nodes"} {
		if !strings.Contains(output, want) || status != commandline.ExitFailure {
			t.Errorf("status %d, %q is missing in:\n%s", status, want, output)
		}
	}
	if _, err := os.Stat(filepath.Join(a.dir, "none.jsonl")); err == nil {
		t.Error("a file of games was begun")
	}
}

// shortGames adds a limit of turns to the arguments of a command that have none.
func shortGames(args []string) []string {
	if slices.Contains(args, "-max-turns") {
		return args
	}
	return append(args, "-max-turns", "20")
}

// TestResumeWithOtherSettings begins a run of each command that plays games, and repeats it with
// another setting. The error names the setting and the flag for another file. Nothing changes on
// disk.
func TestResumeWithOtherSettings(t *testing.T) {
	t.Parallel()
	const param = "MoveOverhead=10,0,50,5"
	a := newArena(t)
	one, two := a.engine("one", enginetest.Good), a.engine("two", enginetest.Good)
	openings := filepath.Join(a.dir, "openings")
	if err := os.WriteFile(openings, []byte("f6\ng7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	two1 := []string{"-engine", one, "-engine", two}
	climb := []string{"-engine", one, "-openings", openings, "-max-turns", "2", "-time", "1s"} // the strongest players think longer
	for _, test := range []struct {
		command string
		args    []string // of both runs
		first   []string // of the first run only
		second  []string
		want    string // in the error, besides the flag -out
	}{
		{"match", two1, []string{"-pairs", "1", "-seed", "1"}, []string{"-pairs", "1", "-seed", "2"}, "(seed: 1, now 2)"},
		{"match", two1, []string{"-pairs", "1", "-each", "nodes=1"}, []string{"-pairs", "1", "-each", "nodes=2"}, "(each: nodes=1, now nodes=2)"},
		{"match", []string{"-engine", one}, []string{"-pairs", "1", "-engine", two}, []string{"-pairs", "1", "-engine", two + " option.Hash=4"}, "(engine 2: none, now option.Hash=4)"},
		{"match", two1, []string{"-pairs", "1"}, []string{"-pairs", "1", "-margin", "30ms"}, "(margin: 20ms, now 30ms)"},
		{"match", two1, []string{"-pairs", "1"}, []string{"-pairs", "1", "-openings", openings}, "openings: none, now "},
		{"match", two1, []string{"-pairs", "3"}, []string{"-pairs", "2"}, "-pairs 3 or more"},
		{"match", two1, []string{"-games", "4", "-max-turns", "30"}, []string{"-games", "4", "-max-turns", "31"}, "(max-turns: 30, now 31)"},
		{"tournament", append(two1, "-engine", a.engine("three", enginetest.Good), "-pairs", "1"), nil, []string{"-gauntlet"}, "(gauntlet: false, now true)"},
		{"tournament", append(two1, "-engine", a.engine("three", enginetest.Good)), []string{"-pairs", "2"}, []string{"-pairs", "1"}, "-pairs 2 or more"},
		{"versions", append(two1, "-pairs", "1"), nil, []string{"-rules", "blitz"}, "(rules: standard, now blitz)"},
		{"versions", two1, []string{"-pairs", "2"}, []string{"-pairs", "1"}, "-pairs 2 or more"},
		{"tune", []string{"-engine", one, "-param", param}, []string{"-iterations", "2"}, []string{"-iterations", "3"}, "(iterations: 2, now 3)"},
		{"tune", []string{"-engine", one, "-iterations", "1", "-param"}, []string{param}, []string{param + "0"}, "(param: " + param + ", now "},
		{"ladder", climb, []string{"-pairs", "1"}, []string{"-pairs", "2"}, "(pairs: 1, now 2)"},
	} {
		t.Run(test.command+test.want, func(t *testing.T) {
			name := fmt.Sprintf("%x.jsonl", xxh3.HashString(t.Name()))
			run := func(args []string) (string, int) {
				all := slices.Concat([]string{test.command, "-nodes", "1", "-out", name}, test.args, args)
				if !slices.Contains(all, "-openings") {
					all = append(all, "-opening-bound", "0")
				}
				return a.run(shortGames(all)...)
			}
			if output, status := run(test.first); status != commandline.ExitSuccess {
				t.Fatalf("status %d: %s", status, output)
			}
			files := func() map[string]string {
				found := map[string]string{}
				err := filepath.WalkDir(a.dir, func(path string, d fs.DirEntry, err error) error {
					if err == nil && !d.IsDir() {
						found[path] = readText(t, path)
					}
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
				return found
			}
			before := files()
			output, status := run(test.second)
			for _, want := range []string{test.want, name, "-out"} {
				if status != commandline.ExitFailure || !strings.Contains(output, want) {
					t.Errorf("status %d, %q is missing in: %s", status, want, output)
				}
			}
			if diff := cmp.Diff(before, files()); diff != "" {
				t.Errorf("files changed: %s", diff)
			}
		})
	}
}

// TestRebuiltEngine finishes a run of each command that plays games, and repeats it with another
// program under the same command, or other weights under the same name: none shows the old result
// as that of the new program, and no rating of it is recorded. Files that the engine writes may change.
func TestRebuiltEngine(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		command string
		args    []string
	}{
		{"match", []string{"-pairs", "1"}},
		{"tournament", []string{"-pairs", "1"}},
		{"versions", []string{"-pairs", "1"}},
		{"tune", []string{"-iterations", "1", "-param", "Alpha=5,0,12,1"}},
		{"ladder", []string{"-pairs", "2", "-openings", "openings", "-max-turns", "2", "-time", "1m", "-outside", "outside"}},
	} {
		t.Run(test.command, func(t *testing.T) {
			t.Parallel()
			a := newArena(t)
			if err := os.WriteFile(filepath.Join(a.dir, "openings"), []byte("f6\ng7\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			one := a.engine("one", enginetest.Tunes)
			args := slices.Concat([]string{test.command, "-nodes", "1", "-out", "games", "-engine", one + " option.EvalFile=weights option.LogFile=log"}, test.args)
			if test.command != "ladder" {
				args = append(args, "-opening-bound", "0")
			}
			if test.command != "ladder" && test.command != "tune" {
				args = append(args, "-engine", a.engine("two", enginetest.Good))
			}
			_, program, _ := strings.Cut(one, "cmd=")
			weights, log := filepath.Join(a.dir, "weights"), filepath.Join(a.dir, "log")
			for _, step := range []struct{ changed, want string }{{weights, ""}, {log, ""}, {weights, "has changed"}, {log, "has changed"}, {program, "has changed"}} {
				before, _ := os.ReadFile(step.changed) // it may be new
				if err := os.WriteFile(step.changed, append(before, "\n# changed\n"...), 0o700); err != nil {
					t.Fatal(err)
				}
				status := commandline.ExitSuccess
				if step.want != "" {
					status = commandline.ExitFailure
				}
				rating := filepath.Join(a.dir, "outside")
				os.Remove(rating)
				output, got := a.run(shortGames(args)...)
				if _, err := os.Stat(rating); (err == nil) != (test.command == "ladder" && step.want == "") {
					t.Errorf("with another %s: record of the rating: %v", filepath.Base(step.changed), err)
				}
				if got != status || !strings.Contains(output, step.want) {
					t.Fatalf("with another %s: status %d, want %d: %s", filepath.Base(step.changed), got, status, output)
				}
			}
		})
	}
}

// TestFullDisk writes the games to a full disk.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no disk that is always full")
	}
	a := newArena(t)
	output, status := a.run("match", "-engine", a.engine("new", enginetest.Good), "-engine", a.engine("old", enginetest.Good),
		"-nodes", "1", "-pairs", "50", "-opening-bound", "0", "-out", "/dev/full")
	if status != commandline.ExitFailure || !strings.Contains(output, "no space left on device") {
		t.Errorf("status %d: %s", status, output)
	}
}

// TestKeysGivenTwice gives keys of an engine twice, with different values.
func TestKeysGivenTwice(t *testing.T) {
	for _, keys := range []string{"name=a name=b", "cmd=a cmd=b", "nodes=1 nodes=2", "margin=1ms margin=2ms", "restart=on restart=off", "dir=a dir=b",
		"option.Hash=1 option.hash=2", "env.A=1 env.A=2", "reference=random reference=greedy", "offered=a offered=b", "build=a build=b"} {
		if _, err := parseEngine(keys, engineSpec{}, commandline.BackslashQuotes); err == nil || !strings.Contains(err.Error(), "given twice") {
			t.Errorf("%s: error %v", keys, err)
		}
	}
	e, err := parseEngine("cmd=a nodes=1 nodes=1 option.Hash=1 env.A=1 env.a=2", engineSpec{options: []game.Setting{{Name: "Hash", Value: "2"}}}, commandline.BackslashQuotes)
	if want := []game.Setting{{Name: "Hash", Value: "1"}}; err != nil || cmp.Diff(want, e.options) != "" || len(e.env) != 2 {
		t.Errorf("%+v, error %v", e, err)
	}
}

// TestKeysOfReferences gives a built-in player keys that it would ignore, and defaults that are for
// other engines.
func TestKeysOfReferences(t *testing.T) {
	base := engineSpec{limits: game.TimeControl{Nodes: 5}, options: []game.Setting{{Name: "Hash", Value: "2"}}, margin: "5ms"}
	for _, key := range []string{"nodes=5", "tc=1+0.1", "movetime=5", "depth=1", "limit=none", "nodestime=5", "option.Hash=1", "env.A=1", "dir=.", "margin=1ms", "restart=on"} {
		name, _, _ := strings.Cut(key, "=")
		for _, text := range []string{"reference=random " + key, key + " name=dice reference=random"} {
			if _, err := parseEngine(text, base, commandline.BackslashQuotes); err == nil || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(name)) {
				t.Errorf("%s: error %v", text, err)
			}
		}
	}
	e, err := parseEngine("reference=random name=dice", base, commandline.BackslashQuotes)
	if err != nil || e.reference != "random" || e.name != "dice" {
		t.Errorf("%+v, error %v", e, err)
	}
}

// TestTraceOfResumedMatch checks that the trace of a match keeps the lines of earlier runs.
func TestTraceOfResumedMatch(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	one, two := a.engine("one", enginetest.Good), a.engine("two", enginetest.Good)
	want := ""
	for _, pairs := range []string{"1", "2"} {
		output, status := a.run("match", "-engine", one, "-engine", two, "-nodes", "1", "-pairs", pairs, "-opening-bound", "0", "-max-turns", "20", "-out", "games.jsonl", "-trace", "trace")
		trace := readText(t, filepath.Join(a.dir, "trace"))
		if status != commandline.ExitSuccess || !strings.HasPrefix(trace, want) || len(trace) == len(want) {
			t.Fatalf("status %d, a trace of %d bytes after %d: %s", status, len(trace), len(want), output)
		}
		want = trace
	}
}

// TestTournaments plays a round-robin and a gauntlet in which one engine always loses,
// and checks the tables.
func TestTournaments(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	args := []string{"tournament", "-engine", a.engine("bad", enginetest.Late) + " movetime=30", "-engine", a.engine("one", enginetest.Good),
		"-engine", a.engine("two", enginetest.Good), "-nodes", "1", "-pairs", "2", "-opening-bound", "0", "-concurrency", "2", "-anchor", "bad=1000"}
	for _, test := range []struct {
		extra string
		games int
		last  string // the line of the engine that loses
	}{
		{"-gauntlet=false", 12, `3 +bad +\+1000\.0 +fixed +0\.0 +8 +0\.0 +0 +0 +-`},
		{"-gauntlet", 8, `3 +bad +\+1000\.0 +fixed +0\.0 +8 +0\.0 +0 +0 +-`},
	} {
		output, status := a.run(append(args, test.extra, "-out", test.extra[1:]+".jsonl")...)
		if status != commandline.ExitSuccess || !regexp.MustCompile(test.last).MatchString(output) {
			t.Errorf("%s: status %d: %s", test.extra, status, output)
		}
		if !strings.Contains(output, "faults  of bad: time forfeit 8") {
			t.Errorf("%s: %s", test.extra, output)
		}
		if games := a.games(test.extra[1:] + ".jsonl"); len(games) != test.games {
			t.Errorf("%s: %d games", test.extra, len(games))
		}
	}
}

// TestFewerOpeningsThanPairs repeats openings only with -repeat-openings, and then warns
// before the match and in the result.
func TestFewerOpeningsThanPairs(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	// The second and the third are the same but for a symmetry of the board.
	for name, text := range map[string]string{"two.txt": "e3 f6\nf6 e3\n", "three.txt": "e3\nf5\nf7\n", "cut.txt": "e3 f6\ne3 f7\nf6 e3\nf6 a2\n"} {
		if err := os.WriteFile(filepath.Join(a.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"match", "-engine", a.engine("new", enginetest.Good), "-engine", a.engine("old", enginetest.Good), "-nodes", "1"}
	for _, test := range []struct {
		name   string
		more   []string
		status int
		want   []string
		games  int
	}{
		{"enough", []string{"-openings", "two.txt", "-pairs", "2"}, commandline.ExitSuccess, nil, 4},
		{"too few", []string{"-openings", "two.txt", "-pairs", "5"}, commandline.ExitUsage,
			[]string{"two.txt has 2 openings for 5 pairs of each pairing; give -pairs 2, more openings, or -repeat-openings"}, 0},
		{"too few, and played again", []string{"-openings", "two.txt", "-pairs", "5", "-repeat-openings"}, commandline.ExitSuccess,
			[]string{"warning: 3 of the 5 pairs", "(two.txt has 2)", "\n  repeats 3 of 5 pairs"}, 10},
		{"symmetric ones", []string{"-openings", "three.txt", "-pairs", "3"}, commandline.ExitSuccess,
			[]string{"warning: 1 of the 3 pairs", "(three.txt has 3)", "\n  repeats 1 of 3 pairs"}, 6},
		{"a test", []string{"-openings", "two.txt", "-sprt", "0,10"}, commandline.ExitSuccess,
			[]string{"warning: two.txt has 2 openings, so the match ends after 2 pairs even if the test is undecided", ", undecided\n"}, 4},
		{"cut to one", []string{"-openings", "cut.txt", "-opening-plies", "1", "-pairs", "3"}, commandline.ExitUsage,
			[]string{"cut.txt as selected has 2 openings for 3 pairs"}, 0},
		{"at random", []string{"-openings", "cut.txt", "-opening-order", "random", "-seed", "4", "-opening-start", "3", "-pairs", "2"}, commandline.ExitSuccess, nil, 4},
		{"beyond the end", []string{"-openings", "cut.txt", "-opening-start", "5", "-pairs", "2"}, commandline.ExitUsage,
			[]string{"cut.txt: there is no opening 5: the book has 4"}, 0},
		{"no book to select from", []string{"-opening-order", "random", "-pairs", "2"}, commandline.ExitUsage,
			[]string{"-opening-order needs -openings"}, 0},
		{"no such order", []string{"-openings", "cut.txt", "-opening-order", "best", "-pairs", "2"}, commandline.ExitUsage,
			[]string{`-opening-order "best": not sequential or random`}, 0},
		{"as long as a game", []string{"-openings", "two.txt", "-pairs", "2", "-max-turns", "2"}, commandline.ExitUsage, []string{"-max-turns 2"}, 0},
		{"as long as a game, at random", []string{"-opening-bound", "0", "-pairs", "2", "-max-turns", "14"}, commandline.ExitUsage, []string{"-max-turns 14"}, 0},
		{"as long as a game, some rings", []string{"-opening-rings", "0-4", "-opening-bound", "0", "-pairs", "2", "-max-turns", "4"}, commandline.ExitUsage, []string{"-max-turns 4"}, 0},
		{"shorter than a game", []string{"-openings", "two.txt", "-pairs", "2", "-max-turns", "3"}, commandline.ExitSuccess, []string{"turn limit 4"}, 4},
		{"few rings", []string{"-opening-rings", "1", "-opening-bound", "0", "-pairs", "12"}, commandline.ExitUsage,
			[]string{"-opening-rings 1 has 11 openings for 12 pairs of each pairing; give -pairs 11, more openings, or -repeat-openings"}, 0},
		{"no ring, played again", []string{"-opening-rings", "0", "-opening-bound", "0", "-pairs", "2", "-repeat-openings"}, commandline.ExitSuccess,
			[]string{"warning: 1 of the 2 pairs", "(-opening-rings 0 has 1)", "\n  repeats 1 of 2 pairs"}, 4},
		{"some rings", []string{"-opening-rings", "0-10", "-opening-bound", "0", "-pairs", "3"}, commandline.ExitSuccess, nil, 6},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := strings.ReplaceAll(test.name, " ", "-") + ".jsonl"
			output, status := a.run(shortGames(append(append(args, "-out", file), test.more...))...)
			if status != test.status {
				t.Fatalf("status %d: %s", status, output)
			}
			for _, want := range test.want {
				if !strings.Contains(output, want) {
					t.Errorf("%q is missing in:\n%s", want, output)
				}
			}
			if len(test.want) == 0 && (strings.Contains(output, "warning") || strings.Contains(output, "repeats")) {
				t.Errorf("warned for nothing:\n%s", output)
			}
			if test.games > 0 && len(a.games(file)) != test.games {
				t.Errorf("%d games", len(a.games(file)))
			}
		})
	}
}

// TestProgramName calls the program in the usual ways.
func TestProgramName(t *testing.T) {
	for called, want := range map[string]string{
		"gyre-arena":                           "gyre-arena",
		"../bin/gyre-arena":                    "../bin/gyre-arena",
		"/home/me/my bin/arena2":               "'/home/me/my bin/arena2'",
		"/tmp/go-build123/b001/exe/gyre-arena": "go run gyre/cmd/gyre-arena",
	} {
		if got := programName(called); got != want {
			t.Errorf("%s: %s, want %s", called, got, want)
		}
	}
}

// TestRepeatWords checks the command that repeats a match, for a program whose path contains
// an equals sign.
func TestRepeatWords(t *testing.T) {
	given := os.Args[0]
	defer func() { os.Args[0] = given }()
	os.Args[0] = "/tmp/a=b/gyre-arena"
	c := newMatchConfig("match")
	args := []string{"-engine", "name=x cmd=x", "-engine", "cmd=y", "-each", "option.Hash=16", "-pin", "-recover=false", "-tc", "1+0.1", "-seed", "2", "-out", "o"}
	if err := c.parse(args, "", io.Discard); err != nil {
		t.Fatal(err)
	}
	want := []string{"/tmp/a=b/gyre-arena", "match", "-each option.Hash=16", "-engine 'name=x cmd=x'", "-engine cmd=y", "-pin=true", "-recover=false", "-tc 1+0.1"}
	if diff := cmp.Diff(want, c.repeatWords("seed", "out")); diff != "" {
		t.Error(diff)
	}
}

// TestConfigFiles plays the same match from flags, TOML and JSON.
// TestConfigStrict rejects configurations of which a part would be lost in silence, and names
// the line.
func TestConfigStrict(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, test := range []struct{ name, text, where string }{
		{"after.json", "{\"games\": 2}\n{\"nodes\": 3}", "after.json:2: "},
		{"text.json", "{\"games\": 2}\nnodes", "text.json:2: "},
		{"twice.json", "{\"games\": 2,\n\"nodes\": 1,\n\"games\": 4}", "twice.json:3: "},
		{"inner.json", "{\"engine\": [{\"cmd\": \"a\",\n\"cmd\": \"b\"}]}", "inner.json:2: "},
		{"open.json", "{\"games\": 2,\n", "open.json:2: "},
		{"list.json", "[1]", "list.json:1: "},
		{"empty.json", "", "empty.json:1: "},
		{"twice.toml", "games = 2\ngames = 4\n", "twice.toml:2: "},
		{"broken.toml", "games = 2\nnodes =\n", "broken.toml:2: "},
	} {
		if err := os.WriteFile(test.name, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		err := applyConfig(newMatchConfig("match").flags, test.name)
		if err == nil || !strings.HasPrefix(err.Error(), test.where) {
			t.Errorf("%s: error %v, want one at %s", test.name, err, test.where)
		}
	}
	for _, text := range []string{"[[engine]]\nname = \"a\"\nrestart = true", "[[engine]]\nname = \"a\"\nrestart = \"on\"", "[each]\nrestart = true"} {
		if err := os.WriteFile("restart.toml", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c := newMatchConfig("match")
		if err := applyConfig(c.flags, "restart.toml"); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		e, err := parseEngine(append(c.specs.texts, c.each)[0], engineSpec{}, commandline.BackslashQuotes)
		if err != nil || !e.restart {
			t.Errorf("%s: restart %v, %v", text, e.restart, err)
		}
	}
}

// TestPathsOfWindows reads descriptions of engines as on Windows, on any system.
func TestPathsOfWindows(t *testing.T) {
	e, err := parseEngine(`name=a cmd=C:\engines\gyre.exe dir=.\e1 option.EvalFile=C:\nets\a.weights env.X=C:\x`, engineSpec{}, commandline.BackslashIsPlain)
	if err != nil || e.command[0] != `C:\engines\gyre.exe` || e.dir != `.\e1` || e.options[0].Value != `C:\nets\a.weights` || e.env[0] != `X=C:\x` {
		t.Errorf("%+v, %v", e, err)
	}
	again, err := parseEngine(e.String(), engineSpec{}, commandline.BackslashIsPlain)
	if diff := cmp.Diff(e.String(), again.String()); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
}

func TestConfigFiles(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	first, second := a.engine("new", enginetest.Good), a.engine("old", enginetest.Good)
	path := func(spec string) string { return strings.SplitN(spec, "cmd=", 2)[1] }
	files := map[string]string{
		"match.toml": "games = 2\nnodes = 3\nopening-bound = 0\nsprt = [0, 10]\nmargin = \"5ms\"\nadjudicate-win = \"900,3\"\neach = {option = {Hash = 4}}\n" +
			"[[engine]]\nname = \"new\"\ncmd = \"" + path(first) + "\"\n[[engine]]\nname = \"old\"\ncmd = \"" + path(second) + "\"\n",
		"match.json": `{"games": 2, "nodes": 3, "opening-bound": 0, "sprt": "0,10", "margin": "5ms", "adjudicate-win": [900, 3], "each": "option.Hash=4",
			"engine": ["` + first + `", {"name": "old", "cmd": "` + path(second) + `"}]}`,
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(a.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	flags := []string{"match", "-engine", first, "-engine", second, "-each", "option.Hash=4", "-games", "2", "-nodes", "3", "-opening-bound", "0",
		"-sprt", "0,10", "-margin", "5ms", "-adjudicate-win", "900,3", "-out", "flags.jsonl"}
	for _, args := range [][]string{flags, {"match", "-config", "match.toml", "-out", "toml.jsonl"}, {"match", "-config", "match.json", "-out", "json.jsonl"}} {
		if output, status := a.run(args...); status != commandline.ExitSuccess || !strings.Contains(output, "-adjudicate-win 900,3") {
			t.Fatalf("%v: status %d: %s", args, status, output)
		}
	}
	want := a.games("flags.jsonl")
	for _, name := range []string{"toml.jsonl", "json.jsonl"} {
		if diff := cmp.Diff(want, a.games(name), sameGames); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for name, text := range map[string]string{"unknown.toml": "gmes = 2", "broken.toml": "games =", "wrong.json": `{"games": "two"}`, "inner.toml": `config = "x"`} {
		if err := os.WriteFile(filepath.Join(a.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if output, status := a.run("match", "-config", name); status != commandline.ExitUsage || !strings.Contains(output, name) {
			t.Errorf("%s: status %d: %s", name, status, output)
		}
	}
}

// TestCommandLine breaks long command lines only before flags.
func TestCommandLine(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("command lines of Windows are not broken")
	}
	long := "-engine '" + strings.Repeat("x", 90) + "'"
	words := []string{"gyre-arena", "match", "-pairs 1", long, "-each option.Hash=16", "-nodes 1000", "-openings book.txt", "-records none", "-out games.jsonl", "-seed 1234567"}
	const want = "gyre-arena match -pairs 1 \\\n      LONG \\\n      -each option.Hash=16 -nodes 1000 -openings book.txt -records none \\\n      -out games.jsonl -seed 1234567"
	if got := commandLine(words); got != strings.ReplaceAll(want, "LONG", long) {
		t.Errorf("%s", got)
	}
}

// TestFaultyMatches checks that misbehaving engines lose for the right reason, and that
// the match continues to its end. Package game tests all kinds of misbehavior.
func TestFaultyMatches(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{
		enginetest.StartsOnce: "start failure 2",
		enginetest.Hangs:      "stall 2",
		enginetest.Illegal:    "illegal turn 2",
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			a := newArena(t)
			output, status := a.run("match", "-engine", a.engine("bad", kind), "-engine", a.engine("good", enginetest.Good), "-pairs", "1", "-nodes", "1",
				"-opening-bound", "0", "-turn-patience", "1s", "-stop-patience", "300ms", "-out", "games.jsonl", "-concurrency", "2", "-recover")
			if status != commandline.ExitSuccess || !strings.Contains(output, "faults  of bad: "+want) || !strings.Contains(output, "0 games in 0 pairs") ||
				!strings.Contains(output, "omitted 1 pair decided by an engine's fault") {
				t.Errorf("status %d: %s", status, output)
			}
		})
	}
}

// TestMatchOfMissingEngine runs the README's match without the old program, which fails,
// and then with it.
func TestMatchOfMissingEngine(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	args := []string{"match", "-engine", a.engine("new", enginetest.Good), "-engine", "name=old cmd=./gyre-old",
		"-nodes", "1", "-pairs", "2", "-sprt", "0,10", "-opening-bound", "0", "-out", "games.jsonl"}
	args = append(args[:7], args[9:]...) // -sprt sets the number of games
	output, status := a.run(args...)
	if status != commandline.ExitFailure || !strings.Contains(output, "engine old cannot play: it cannot be started: ./gyre-old: no such file or directory") || strings.Contains(output, "fork/exec") {
		t.Errorf("status %d: %s", status, output)
	}
	if files, _ := filepath.Glob(filepath.Join(a.dir, "games*")); len(files) > 0 {
		t.Errorf("files %q", files)
	}
	_, path, _ := strings.Cut(a.engine("", enginetest.Late), "cmd=")
	if err := os.Rename(path, filepath.Join(a.dir, "gyre-old")); err != nil {
		t.Fatal(err)
	}
	args[slices.Index(args, "-sprt")], args[slices.Index(args, "0,10")] = "-pairs", "1"
	if output, status := a.run(args...); status != commandline.ExitSuccess || len(a.games("games.jsonl")) != 2 {
		t.Errorf("with the program there: status %d: %s", status, output)
	}
}

// TestMatchStops plays an engine that dies in the first game: the match stops with an
// error that says why. After the program is repaired, the printed command with
// -other-programs replays the game.
func TestMatchStops(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	_, good, _ := strings.Cut(a.engine("", enginetest.Good), "cmd=")
	bad := a.engine("bad", enginetest.Dies)
	_, path, _ := strings.Cut(bad, "cmd=")
	args := []string{"match", "-engine", bad, "-engine", a.engine("good", enginetest.Good),
		"-pairs", "1", "-nodes", "1", "-opening-bound", "0", "-out", "games.jsonl"}
	output, status := a.run(args...)
	for _, want := range []string{"stopped after game 1: bad loses: disconnect: ", "index out of range", "resume with:\n", "-again", "-recover"} {
		if status != commandline.ExitFailure || !strings.Contains(output, want) {
			t.Fatalf("status %d, no %q: %s", status, want, output)
		}
	}
	if err := os.Rename(good, path); err != nil {
		t.Fatal(err)
	}
	output, status = a.run(append(args, "-again")...)
	if status != commandline.ExitFailure || !strings.Contains(output, "engine bad has changed") || !strings.Contains(output, "-other-programs") {
		t.Fatalf("another program: status %d: %s", status, output)
	}
	output, status = a.run(append(args, "-again", "-other-programs")...)
	if status != commandline.ExitSuccess || !strings.Contains(output, "2 games in 1 pair") {
		t.Errorf("again: status %d: %s", status, output)
	}
	if output, status := a.run("report", "games.jsonl"); status != commandline.ExitSuccess || !strings.Contains(output, "a report of 2 games") {
		t.Errorf("report: status %d: %s", status, output)
	}
}

// TestRejectedOption checks that a match does not start if an engine rejects an option, and that the error
// names the engine and the option and quotes the engine's reason.
func TestRejectedOption(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	output, status := a.run("match", "-engine", a.engine("good", enginetest.Good), "-engine", a.engine("picky", enginetest.Picky)+" option.Hash=7",
		"-nodes", "1", "-pairs", "1", "-opening-bound", "0", "-out", "games.jsonl")
	for _, word := range []string{"picky", "Hash", `"7"`, "no weights there"} {
		if status != commandline.ExitFailure || !strings.Contains(output, word) {
			t.Errorf("status %d, no %q: %s", status, word, output)
		}
	}
	if _, err := os.Stat(filepath.Join(a.dir, "games.jsonl")); err == nil {
		t.Error("a file was created")
	}
}

// TestDeadEngineInTournament checks that a tournament with an engine that does not run
// does not start.
func TestDeadEngineInTournament(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	output, status := a.run("tournament", "-engine", a.engine("one", enginetest.Good), "-engine", a.engine("dead", enginetest.Exits),
		"-engine", a.engine("two", enginetest.Good), "-nodes", "1", "-pairs", "1", "-opening-bound", "0", "-out", "games.jsonl")
	if status != commandline.ExitFailure || !strings.Contains(output, "engine dead cannot play: it died: exit status 3: after \"ugi\"; it said: no weights") {
		t.Errorf("status %d: %s", status, output)
	}
}

// TestQuickTurns checks the warning about a match of 10 ms per turn.
func TestQuickTurns(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	output, status := a.run("match", "-engine", a.engine("quick", enginetest.Good), "-engine", a.engine("slow", enginetest.Good)+" nodes=1",
		"-movetime", "10", "-margin", "10s", "-pairs", "1", "-opening-bound", "0", "-out", "games.jsonl")
	if status != commandline.ExitSuccess || strings.Count(output, "has 10ms for a turn and took ") != 1 {
		t.Errorf("status %d: %s", status, output)
	}
}

// TestDecidedByTime counts games lost on time, and shows no Elo for one pair.
func TestDecidedByTime(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	output, status := a.run("match", "-engine", a.engine("late", enginetest.Late)+" movetime=30", "-engine", a.engine("good", enginetest.Good)+" nodes=1",
		"-pairs", "1", "-opening-bound", "0", "-out", "games.jsonl")
	if status != commandline.ExitSuccess || !strings.Contains(output, "time forfeit 2") || !strings.Contains(output, "  Elo     too few games\n") {
		t.Errorf("status %d: %s", status, output)
	}
}

// TestKilledMatch kills the arena during a match several times, cuts the last line, and
// resumes: the games are the same as without kills, each once.
func TestKilledMatch(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	args := []string{"match", "-engine", a.engine("new", enginetest.Good), "-engine", a.engine("old", enginetest.Good),
		"-nodes", "1", "-games", "40", "-concurrency", "2", "-opening-bound", "0", "-out"}
	if output, status := a.run(append(args, "whole.jsonl")...); status != commandline.ExitSuccess {
		t.Fatalf("status %d: %s", status, output)
	}
	path := filepath.Join(a.dir, "killed.jsonl")
	whole := int64(len(readText(t, filepath.Join(a.dir, "whole.jsonl"))))
	for kills := range 3 {
		command, output := a.command(append(args, "killed.jsonl")...)
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		waitForGrowth(t, path, int64(kills+1)*whole/4)
		_ = command.Process.Kill()
		_ = command.Wait()
		if info, err := os.Stat(path); err != nil {
			t.Fatalf("%v: %s", err, output)
		} else if err := os.Truncate(path, info.Size()-20); err != nil {
			t.Fatal(err)
		}
	}
	if output, status := a.run(append(args, "killed.jsonl")...); status != commandline.ExitSuccess || !strings.Contains(output, "resumed after") {
		t.Fatalf("status %d: %s", status, output)
	}
	if diff := cmp.Diff(a.games("whole.jsonl"), a.games("killed.jsonl"), sameGames); diff != "" {
		t.Error(diff)
	}
}

// waitForGrowth waits until a file has a number of bytes. There is no portable event for that.
func waitForGrowth(t *testing.T, path string, size int64) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if info, err := os.Stat(path); err == nil && info.Size() >= size {
			return
		}
	}
	t.Fatalf("%s does not grow to %d bytes", path, size)
}

// TestClaimsReported plays an engine that announces false wins with illegal lines. They are
// reported during the match and in the result, and cost no game. -pv records lines.
func TestClaimsReported(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	args := []string{"match", "-engine", a.engine("liar", enginetest.Lies), "-engine", a.engine("good", enginetest.Good),
		"-nodes", "1", "-pairs", "1", "-opening-bound", "0"}
	output, status := a.run(append(args, "-pv", "-out", "kept.jsonl", "-json", "kept.json")...)
	for _, want := range []string{"warning: game 1: liar expects ", "  mates   of liar: ", "announced wins were not on time", "  lines   of liar: "} {
		if !strings.Contains(output, want) || status != commandline.ExitSuccess {
			t.Errorf("status %d, %q is missing in:\n%s", status, want, output)
		}
	}
	if strings.Contains(output, "of good: ") {
		t.Errorf("the other engine is charged:\n%s", output)
	}
	turn := a.games("kept.jsonl")[0].Turns[0]
	if len(turn.PV) != 1 || turn.PV[0] != turn.Turn || turn.Illegal == "" {
		t.Errorf("%+v", turn)
	}
	if records := readText(t, filepath.Join(a.dir, "kept.txt")); !strings.Contains(records, "s "+turn.Turn+"}") {
		t.Errorf("no line in the records: %.600s", records)
	}
	var s summary
	if err := json.Unmarshal([]byte(readText(t, filepath.Join(a.dir, "kept.json"))), &s); err != nil {
		t.Fatal(err)
	}
	if liar, good := s.Engines[0], s.Engines[1]; liar.WrongMates < 10 || liar.Mates < liar.WrongMates || liar.Illegal < 10 || good.Mates+good.Illegal > 0 {
		t.Errorf("%+v, %+v", liar, good)
	}
	if output, status := a.run(append(args, "-out", "plain.jsonl")...); status != commandline.ExitSuccess {
		t.Errorf("status %d: %s", status, output)
	}
	if turn := a.games("plain.jsonl")[0].Turns[0]; len(turn.PV) > 0 {
		t.Errorf("%+v", turn)
	}
}

// TestMoreGamesThanProcessors checks that more games or threads than processors need
// -oversubscribe.
func TestMoreGamesThanProcessors(t *testing.T) {
	const two = "match -engine cmd=./nowhere -engine cmd=./nowhere -nodes 1 -pairs 1 -opening-bound 0 "
	processors := load.Processors()
	for line, message := range map[string]string{
		fmt.Sprintf("%s -concurrency %d", two, processors+1):         fmt.Sprintf("-concurrency %d with 1 threads per game: this machine has %d processors", processors+1, processors),
		fmt.Sprintf("%s -each option.threads=%d", two, processors+1): fmt.Sprintf("-concurrency 1 with %d threads per game: this machine has %d processors", processors+1, processors),
		fmt.Sprintf("%s -ponder -concurrency %d", two, processors):   fmt.Sprintf("-concurrency %d with 2 threads per game: this machine has %d processors", processors, processors),
		two + "-pin -oversubscribe":                                  "-pin and -oversubscribe exclude each other",
		two + "-pin -concurrency 1000000":                            "-pin: ",
	} {
		got := runLine(line)
		if got.Status != commandline.ExitUsage || !strings.Contains(got.Stderr, message) {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// TestPinnedMatch pins the engines to processors.
func TestPinnedMatch(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only on Linux")
	}
	a := newArena(t)
	output, status := a.run("match", "-engine", a.engine("new", enginetest.Good), "-engine", a.engine("old", enginetest.Good),
		"-nodes", "1", "-pairs", "1", "-opening-bound", "0", "-out", "games.jsonl", "-pin")
	if status != commandline.ExitSuccess || strings.Contains(output, "\n  time ") {
		t.Errorf("status %d: %s", status, output)
	}
}

// TestTimeReported plays an engine that is late in each game: the result shows how often
// and how late. It does not depend on the machine's load.
func TestTimeReported(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	output, status := a.run("match", "-engine", a.engine("late", enginetest.Late)+" movetime=100", "-engine", a.engine("good", enginetest.Good),
		"-nodes", "1", "-pairs", "1", "-opening-bound", "0", "-out", "games.jsonl")
	shown := regexp.MustCompile(`\n  time    2 of 2 games lost on time; \d+ answers late, median [0-9.]+m?s, worst [0-9.]+m?s; the arena's timers late by `)
	if !shown.MatchString(strings.ReplaceAll(output, "\n          ", " ")) {
		t.Errorf("status %d: %s", status, output)
	}
}

// TestForeignOutputs names a user's file as every kind of output: the file stays, the
// error names it, and no game is played.
func TestForeignOutputs(t *testing.T) {
	t.Parallel()
	const book = "e3 f6\n"
	a := newArena(t)
	engines := []string{"-engine", a.engine("new", enginetest.Good), "-engine", a.engine("old", enginetest.Good),
		"-pairs", "1", "-nodes", "1", "-openings", "book.txt"}
	path := filepath.Join(a.dir, "book.txt")
	match := func(more ...string) []string { return append(append([]string{"match"}, engines...), more...) }
	for name, text := range map[string]string{"book.txt": book, "mine.txt": "mine", "mine.html": "<html>mine"} {
		if err := os.WriteFile(filepath.Join(a.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if output, status := a.run(match("-out", "games.jsonl")...); status != commandline.ExitSuccess {
		t.Fatalf("status %d: %s", status, output)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{match("-out", "book.jsonl"), "book.txt is named twice, by the records of -out, which -records renames or, with none, disables and by -openings"},
		{match("-out", "x.jsonl", "-records", "x.jsonl"), "x.jsonl is named twice, by -out and by -records"},
		{match("-out", "x.jsonl", "-records", "./x.jsonl"), "x.jsonl is named twice, by -out and by -records"},
		{match("-out", "book.txt"), "book.txt is named twice, by -out and by -openings"},
		{match("-out", "x.jsonl", "-trace", "book.txt"), "book.txt is named twice, by -trace and by -openings"},
		{match("-out", "mine.jsonl"), "mine.txt exists"},
		{match("-out", "mine.txt"), "mine.txt:1: "},
		{match("-out", "x.jsonl", "-records", "mine.html"), "mine.html exists"},
		{match("-out", "x.jsonl", "-trace", "mine.txt"), "mine.txt exists"},
		{match("-out", "games.txt", "-records", "none"), "games.txt:1: "},
		{match("-out", "x.jsonl", "-records", "games.jsonl"), "games.jsonl exists"},
		{append(append([]string{"tournament"}, engines...), "-out", "mine.jsonl"), "mine.txt exists"},
		{[]string{"ladder", "-engine", engines[1], "-nodes", "1", "-out", "mine.jsonl"}, "mine.txt exists"},
		{match("-out", "x.jsonl", "-json", "mine.txt"), "mine.txt exists"},
		{match("-out", "x.jsonl", "-json", "missing/x.json"), "missing/"},
		{append(append([]string{"tournament"}, engines...), "-out", "x.jsonl", "-json", "mine.txt"), "mine.txt exists"},
		{[]string{"ladder", "-engine", engines[1], "-nodes", "1", "-out", "x.jsonl", "-json", "mine.txt"}, "mine.txt exists"},
		{[]string{"ladder", "-engine", engines[1], "-nodes", "1", "-out", "x.jsonl", "-outside", "mine.txt"}, "mine.txt exists"},
		{[]string{"ladder", "-engine", "reference=random", "-nodes", "1", "-out", "x.jsonl", "-o", "mine.txt"}, "mine.txt exists"},
		{[]string{"ladder", "-engine", "reference=random", "-nodes", "1", "-out", "x.jsonl", "-o", "none.txt"}, "none.txt: no such file"},
		{[]string{"openings", "-count", "1", "-o", "book.txt"}, "book.txt exists"},
		{[]string{"report", "mine.txt"}, "mine.txt:1: not a game file"},
		{[]string{"standing", "mine.txt"}, "mine.txt:1: not a game file"},
		{[]string{"report", "games.jsonl", "-o", "mine.html"}, "mine.html exists"},
		{[]string{"report", "games.jsonl", "-o", "games.jsonl"}, "games.jsonl exists"},
	} {
		games := readText(t, filepath.Join(a.dir, "games.jsonl"))
		output, status := a.run(test.args...)
		if status == commandline.ExitSuccess || !strings.Contains(output, test.want) {
			t.Errorf("%v: status %d: %s", test.args, status, output)
		}
		if strings.Contains(output, "games go to") {
			t.Errorf("%v: a file is announced before it is checked: %s", test.args, output)
		}
		if _, err := os.Stat(filepath.Join(a.dir, "x.jsonl")); err == nil {
			t.Fatalf("%v: games were played before all files were checked", test.args)
		}
		if text := readText(t, path); text != book {
			t.Fatalf("%v: the openings are %q", test.args, text)
		}
		if text := readText(t, filepath.Join(a.dir, "mine.txt")) + readText(t, filepath.Join(a.dir, "mine.html")); text != "mine<html>mine" {
			t.Fatalf("%v: the user's files hold %q", test.args, text)
		}
		if text := readText(t, filepath.Join(a.dir, "games.jsonl")); text != games {
			t.Fatalf("%v: the games have changed", test.args)
		}
	}
}

// TestOwnOutputs overwrites files that the arena wrote.
func TestOwnOutputs(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	match := []string{"match", "-engine", a.engine("new", enginetest.Good), "-engine", a.engine("old", enginetest.Good),
		"-nodes", "1", "-opening-bound", "0", "-out", "games.jsonl", "-trace", "trace", "-pairs"}
	for _, args := range [][]string{
		append(match, "1"), append(match, "2"),
		{"report", "games.jsonl"}, {"report", "games.jsonl"},
		{"openings", "-count", "1", "-o", "book.txt"}, {"openings", "-count", "2", "-o", "book.txt"},
	} {
		if output, status := a.run(args...); status != commandline.ExitSuccess {
			t.Errorf("%v: status %d: %s", args, status, output)
		}
	}
	for name, want := range map[string]string{"games.txt": `[Round "4"]`, "trace": "new > quit", "report.html": "4 games", "book.txt": openingsMark + "2, "} {
		if text := readText(t, filepath.Join(a.dir, name)); !strings.Contains(text, want) {
			t.Errorf("%s lacks %q:\n%.300s", name, want, text)
		}
	}
}

// TestOddConfigs reads configurations in the forms in which files come.
func TestOddConfigs(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, sample := range map[string]string{
		"config.toml": "# comment\ngames = 2\nout = \"" + plaintexttest.Name + "\"\n",
		"config.json": "{\"games\": 2,\n\"out\": \"" + plaintexttest.Name + "\"}\n",
	} {
		t.Run(name, func(t *testing.T) {
			plaintexttest.Run(t, sample, func(content string) (string, error) {
				if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
				c := newMatchConfig("match")
				err := applyConfig(c.flags, name)
				return fmt.Sprint(c.games, c.out), err
			})
		})
	}
}

// TestLeaders checks the line of progress of a tournament before and after the first pair.
func TestLeaders(t *testing.T) {
	s := &match.Standing{Names: []string{"a", "b"}, Pairings: []match.PairingResult{{Engines: [2]int{0, 1}}}}
	if got := leaders(s); got != noResult {
		t.Errorf("before the first pair: %q", got)
	}
	s.Pairings[0].Games.Wins = 2
	if got, want := leaders(s), "a leads with 2.0 of 2 points"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
