package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gyre/bench/enginetest"
	"gyre/cmd/internal/commandline"
)

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
			[]string{"cut.txt: first opening 5: the book has 4"}, 0},
		{"no book to select from", []string{"-opening-order", "random", "-pairs", "2"}, commandline.ExitUsage,
			[]string{"-opening-order, -opening-start and -opening-plies need -openings"}, 0},
		{"no such order", []string{"-openings", "cut.txt", "-opening-order", "best", "-pairs", "2"}, commandline.ExitUsage,
			[]string{`-opening-order "best": not sequential or random`}, 0},
		{"few rings", []string{"-opening-rings", "1", "-opening-bound", "0", "-pairs", "12"}, commandline.ExitUsage,
			[]string{"-opening-rings 1 has 11 openings for 12 pairs of each pairing; give -pairs 11, more openings, or -repeat-openings"}, 0},
		{"no ring, played again", []string{"-opening-rings", "0", "-opening-bound", "0", "-pairs", "2", "-repeat-openings"}, commandline.ExitSuccess,
			[]string{"warning: 1 of the 2 pairs", "(-opening-rings 0 has 1)", "\n  repeats 1 of 2 pairs"}, 4},
		{"some rings", []string{"-opening-rings", "0-10", "-opening-bound", "0", "-pairs", "3"}, commandline.ExitSuccess, nil, 6},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := strings.ReplaceAll(test.name, " ", "-") + ".jsonl"
			output, status := a.run(append(append(args, "-out", file), test.more...)...)
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

// TestConfigFiles plays the same match from flags, TOML and JSON.
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
