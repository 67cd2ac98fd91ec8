package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/cmd/internal/commandline"
)

// TestConfigFiles plays the same from flags, from TOML and from JSON.
func TestConfigFiles(t *testing.T) {
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
