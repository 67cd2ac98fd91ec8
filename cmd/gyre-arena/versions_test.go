package main

import (
	"encoding/xml"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"gyre/bench/enginetest"
	"gyre/cmd/internal/commandline"
)

// TestVersions plays versions, repeats the command, adds a version, and changes the
// conditions.
func TestVersions(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	common := []string{"-games", "20", "-opening-bound", "0", "-out", "games", "-svg", "curve.svg", "-nodes"}
	engines := map[string]string{}
	for _, name := range []string{"v1", "v2<3", "v4", "v5"} {
		engines[name] = a.engine(name, enginetest.Good)
	}
	args := func(nodes string, versions ...string) []string {
		all := []string{"versions"}
		for _, v := range versions {
			all = append(all, "-engine", engines[v])
		}
		return append(append(all, common...), nodes)
	}
	// played returns the number of games in the folder.
	played := func() (games int) {
		files, err := filepath.Glob(filepath.Join(a.dir, "games", "*.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			games += len(a.games(filepath.Join("games", filepath.Base(f))))
		}
		return games
	}
	for _, step := range []struct {
		versions []string
		games    int
		file     string // of the last pairing
	}{
		{[]string{"v1", "v2<3"}, 20, "v2%3C3-vs-v1.jsonl"},
		{[]string{"v1", "v2<3"}, 20, "v2%3C3-vs-v1.jsonl"},
		{[]string{"v1", "v2<3", "v4", "v5"}, 100, "v5-vs-v2%3C3.jsonl"},
	} {
		before := ""
		if step.games == played() {
			before = readText(t, filepath.Join(a.dir, "games", step.file))
		}
		output, status := a.run(args("1", step.versions...)...)
		if status != commandline.ExitSuccess || !strings.Contains(output, "versions, the oldest first") {
			t.Fatalf("%v: status %d: %s", step.versions, status, output)
		}
		if n := played(); n != step.games {
			t.Errorf("%v: %d games, want %d", step.versions, n, step.games)
		}
		if after := readText(t, filepath.Join(a.dir, "games", step.file)); before != "" && after != before {
			t.Errorf("the repeated command changed %s", step.file)
		}
		curve := readText(t, filepath.Join(a.dir, "curve.svg"))
		decoder := xml.NewDecoder(strings.NewReader(curve))
		for {
			if _, err := decoder.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("the curve is no XML: %v", err)
			}
		}
		if n := strings.Count(curve, "<circle"); n != len(step.versions) {
			t.Errorf("%d points, want %d", n, len(step.versions))
		}
	}
	output, status := a.run(args("2", "v1", "v2<3")...)
	if status != commandline.ExitFailure || !strings.Contains(output, "v2%3C3-vs-v1.jsonl holds games under other conditions") || !strings.Contains(output, "nodes=1") || !strings.Contains(output, "nodes=2") {
		t.Errorf("other conditions: status %d: %s", status, output)
	}
	if n := played(); n != 100 {
		t.Errorf("the refused command played: %d games", n)
	}
}

func TestVersionsRefusesBadCommandLines(t *testing.T) {
	for line, want := range map[string]string{
		"versions -nodes 1 -engine name=a,cmd=x":        "at least two versions",
		"versions -nodes 1 -engine cmd=x -engine cmd=y": "has no name",
	} {
		if got := runLine(line); got.Status != commandline.ExitUsage || !strings.Contains(got.Stderr, want) {
			t.Errorf("%s: %+v", line, got)
		}
	}
}
