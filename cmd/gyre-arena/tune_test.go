package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/cmd/internal/commandline"
)

// TestTuneRestarts counts the processes of an engine that is restarted for each game, and of one
// that is not. Four processes are those of the checks: two at the bounds, and one for each side.
func TestTuneRestarts(t *testing.T) {
	t.Parallel()
	for restart, want := range map[string]int{"on": 4 + 2*2*2, "off": 4 + 2} {
		a := newArena(t)
		output, status := a.run("tune", "-engine", a.engine("test", enginetest.Good)+" restart="+restart, "-nodes", "5", "-iterations", "2",
			"-opening-bound", "0", "-param", "MoveOverhead=10,0,50,5", "-out", "tune.jsonl")
		if _, started, err := enginetest.Left(a.pids); status != commandline.ExitSuccess || err != nil || started != want {
			t.Errorf("restart=%s: status %d, %d processes started instead of %d, %v: %s", restart, status, started, want, err, output)
		}
	}
}

// TestKilledTuning kills a tuning twice and resumes it with another -concurrency: values
// and page are the same as without kills.
func TestKilledTuning(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("dozens of games")
	}
	a := newArena(t)
	args := []string{"tune", "-engine", a.engine("test", enginetest.Tunes), "-nodes", "1", "-iterations", "12", "-batch", "4", "-rate", "0.2", "-opening-bound", "0",
		"-param", "Alpha=3,0,12,3", "-param", "Beta=6,1,30,4"}
	whole, status := a.run(append(args, "-out", "whole.jsonl", "-o", "whole.html")...)
	if status != commandline.ExitSuccess {
		t.Fatalf("status %d: %s", status, whole)
	}
	size := int64(len(readText(t, filepath.Join(a.dir, "whole.jsonl"))))
	for kills := range 2 {
		command, output := a.command(append(args, "-concurrency", "2", "-out", "killed.jsonl", "-o", "killed.html")...)
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		waitForGrowth(t, filepath.Join(a.dir, "killed.jsonl"), int64(kills+1)*size/3)
		_ = command.Process.Kill() // on a busy machine it may have ended
		_ = command.Wait()
		if code := command.ProcessState.ExitCode(); code > 0 {
			t.Fatalf("status %d: %s", code, output)
		}
	}
	killed, status := a.run(append(args, "-concurrency", "2", "-out", "killed.jsonl", "-o", "killed.html")...)
	if status != commandline.ExitSuccess || !strings.Contains(killed, "resumed after") {
		t.Fatalf("status %d: %s", status, killed)
	}
	if diff := cmp.Diff(result(t, whole), strings.Replace(result(t, killed), "killed.html", "whole.html", 1)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(iterations(t, a, "whole.jsonl"), iterations(t, a, "killed.jsonl")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(readText(t, filepath.Join(a.dir, "whole.html")), readText(t, filepath.Join(a.dir, "killed.html"))); diff != "" {
		t.Errorf("the pages differ:\n%s", diff)
	}
	if strings.Contains(whole, "Beta                          6 ->     6.00") {
		t.Errorf("the tuning moved nothing: %s", whole)
	}
}

// result returns the result of a run from its output.
func result(t *testing.T, output string) string {
	t.Helper()
	at := strings.Index(output, "after 12 of 12 pairs")
	if at < 0 {
		t.Fatalf("no result: %s", output)
	}
	return output[at:]
}

// iterations returns the iterations of a file in order, without the setups, which the first
// line of each run has.
func iterations(t *testing.T, a *arena, name string) (all []string) {
	t.Helper()
	for text := range strings.Lines(readText(t, filepath.Join(a.dir, name))) {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%s: %v in %s", name, err, text)
		}
		delete(line, "setup")
		delete(line, "sum")
		all = append(all, fmt.Sprint(line))
	}
	slices.Sort(all)
	return all
}

// TestVersions plays versions, repeats the command, adds a version, and changes the
// conditions.
func TestVersions(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	common := []string{"-games", "4", "-max-turns", "40", "-opening-bound", "0", "-out", "games", "-svg", "curve.svg", "-nodes"}
	engines := map[string]string{}
	for _, name := range []string{"v=1", "v2<3", "v4", "v5"} {
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
		{[]string{"v=1", "v2<3"}, 4, "v2%3C3-vs-v=1.jsonl"},
		{[]string{"v=1", "v2<3"}, 4, "v2%3C3-vs-v=1.jsonl"},
		{[]string{"v=1", "v2<3", "v4", "v5"}, 20, "v5-vs-v2%3C3.jsonl"},
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
	output, status := a.run(args("2", "v=1", "v2<3")...)
	if status != commandline.ExitFailure || !strings.Contains(output, "v2%3C3-vs-v=1.jsonl:1: ") || !strings.Contains(output, "(nodes: 1, now 2)") {
		t.Errorf("other conditions: status %d: %s", status, output)
	}
	output, status = a.run(append(args("1", "v=1", "v2<3"), "-json", "./curve.svg")...)
	if status != commandline.ExitUsage || !strings.Contains(output, "curve.svg is named twice, by -json and by -svg") {
		t.Errorf("a file named twice: status %d: %s", status, output)
	}
	if n := played(); n != 20 {
		t.Errorf("the rejected command played: %d games", n)
	}
}
