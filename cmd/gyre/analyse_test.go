package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/cmd/internal/commandline"
	"gyre/protocol/analysis"
)

// This flag compares the speed of one thread and two, on an idle machine:
//
//	go test ./cmd/gyre -run AnalyseThreads -v -timeout 1h -speed
var speed = flag.Bool("speed", false, "analyse 1000 positions of 20000 nodes with one thread and with two, alternately, five times each")

// written writes a text to a new file and returns its path.
func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAnalyse checks the output and the exit status of the command.
func TestAnalyse(t *testing.T) {
	one := written(t, "one.jsonl", `{"id":"1","maxNodes":10}`+"\n")
	two := written(t, "two.jsonl", "oh\n"+`{"id":"2","maxNodes":10}`+"\n")
	nothing := filepath.Join(t.TempDir(), "nothing.jsonl")
	for _, c := range []struct {
		words          string
		stdout, stderr []string // texts that they contain
		lines          int      // on standard output
		status         int
	}{
		{"-threads 1 " + one, []string{`{"id":"1",`}, []string{"gyre analyse: 1 positions in "}, 1, 0},
		{one + " -threads=2 " + two + " -hash 1", []string{`{"id":"1",`, `{"id":"2",`, `"error":"` + two + `: not a JSON object`},
			[]string{"gyre analyse: 2 positions in ", "; rejected lines: 1"}, 3, 0},
		{"-", []string{`{"id":"3",`}, nil, 1, 0},
		{"", []string{`{"id":"3",`}, nil, 1, 0},
		{"-help", []string{"usage: gyre analyse", "-threads number", "-cache FILE"}, nil, 19, 0},
		{one + " " + nothing, nil, []string{"gyre analyse: " + nothing}, 0, 1},
		{os.TempDir(), nil, []string{"is a directory"}, 0, 1},
		{"-cache " + one + " " + one, nil, []string{one + ":1: not an analysis cache"}, 0, 1},
	} {
		command := gyre(t, append([]string{"analyse"}, strings.Fields(c.words)...)...)
		var stderr strings.Builder
		command.Stderr, command.Stdin = &stderr, strings.NewReader(`{"id":"3","maxNodes":10}`)
		out, _ := command.Output()
		if status := command.ProcessState.ExitCode(); status != c.status || strings.Count(string(out), "\n") != c.lines {
			t.Errorf("gyre analyse %s: status %d, %q, %q", c.words, status, out, stderr.String())
		}
		for said, parts := range map[string][]string{string(out): c.stdout, stderr.String(): c.stderr} {
			for _, part := range parts {
				if !strings.Contains(said, part) {
					t.Errorf("gyre analyse %s: no %q in %q", c.words, part, said)
				}
			}
		}
	}
}

// TestAnalyseNothing checks that analyse prints no hint when its input is the null device.
func TestAnalyseNothing(t *testing.T) {
	command := gyre(t, "analyse")
	if out, err := command.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v, %q", err, out)
	}
}

// TestAnalyseInterrupt checks that a signal ends the program, and that only finished
// answers are written.
func TestAnalyseInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system has no interrupts")
	}
	command := gyre(t, "analyse", "-threads", "1")
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	const endless = `{"id":"long","maxNodes":9223372036854775807,"reportDuringSearchEvery":0.01}`
	if _, err := io.WriteString(in, `{"id":"short","maxNodes":10}`+"\n"+endless+"\n"); err != nil {
		t.Fatal(err)
	}
	lines := json.NewDecoder(out)
	var answers []string
	interrupted := false
	for {
		var answer struct {
			ID             string
			IsDuringSearch bool
		}
		if err := lines.Decode(&answer); err != nil {
			if err != io.EOF {
				t.Errorf("the output ends in the middle of a line: %v", err)
			}
			break
		}
		switch {
		case !answer.IsDuringSearch:
			answers = append(answers, answer.ID)
		case !interrupted: // a second signal would kill it
			interrupted = true
			if err := command.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
	}
	err = command.Wait()
	if status := command.ProcessState.ExitCode(); status != commandline.ExitInterrupted || !slices.Equal(answers, []string{"short"}) {
		t.Errorf("ended with %v, after answers to %q", err, answers)
	}
}

// TestAnalyseCache kills processes that share a cache, 20 of them after some answers, and
// checks that no answer is ever wrong. At the end nothing is searched, and the bytes are the
// same each time.
func TestAnalyseCache(t *testing.T) {
	var queries strings.Builder
	positions := gamePositions(40)
	for i, p := range positions {
		fmt.Fprintf(&queries, `{"id":"%d","start":"%s","maxNodes":300}`+"\n", i, p)
	}
	path, cache := written(t, "queries.jsonl", queries.String()), filepath.Join(t.TempDir(), "cache")
	answers := func(out []byte) (lines []string) {
		for line := range strings.Lines(string(out)) {
			answer, _, _ := strings.Cut(line, `,"timeMs"`)
			lines = append(lines, answer)
		}
		slices.Sort(lines)
		return lines
	}
	plain, err := gyre(t, "analyse", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	right := answers(plain)
	for round := range 10 {
		command := gyre(t, "analyse", "-threads", "2", "-cache", cache, path)
		out, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(out)
		for range round * 4 {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				t.Fatal(err)
			}
			if got := answers(line)[0]; !slices.Contains(right, got) {
				t.Errorf("round %d: a wrong answer: %s", round, got)
			}
		}
		if err := command.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = command.Wait() // the status of a killed process
	}
	var last string
	for range 3 {
		command := gyre(t, "analyse", "-threads", "1", "-cache", cache, path)
		var stderr strings.Builder
		command.Stderr = &stderr
		out, err := command.Output()
		if err != nil {
			t.Fatal(err, stderr.String())
		}
		if diff := cmp.Diff(right, answers(out)); diff != "" {
			t.Errorf("answers (-without the cache +with it):\n%s", diff)
		}
		if last != "" && (string(out) != last || !strings.Contains(stderr.String(), fmt.Sprintf("from the cache: %d", len(positions)))) {
			t.Errorf("the bytes differ, or positions were searched again: %s", stderr.String())
		}
		last = string(out)
	}
}

// TestProgressLine checks the line of progress.
func TestProgressLine(t *testing.T) {
	for _, c := range []struct {
		p          analysis.Progress
		read, size int64
		want       string
	}{
		{analysis.Progress{Left: 10}, 100, 100, "0 of 10 positions, 0.0/s"},
		{analysis.Progress{Answers: 30, Left: 70}, 100, 100, "30 of 100 positions, 3.0/s, 23s left"},
		{analysis.Progress{Answers: 20, Left: 80}, 100, 300, "20 of about 300 positions, 2.0/s, 2m20s left"},
		{analysis.Progress{Answers: 20, Left: 80, Faults: 3}, 100, -1, "20 positions in 10s, 2.0/s; rejected lines: 3"},
		{analysis.Progress{Answers: 20, Cached: 7}, 100, -1, "20 positions in 10s, 2.0/s; from the cache: 7"},
		{analysis.Progress{Answers: 100}, 100, 100, "100 positions in 10s, 10.0/s"},
	} {
		if got := progressLine(c.p, c.read, c.size, 10*time.Second); got != c.want {
			t.Errorf("%+v, %d of %d bytes: %q, want %q", c.p, c.read, c.size, got, c.want)
		}
	}
}

// TestAnalyseThreads compares the answers of one thread and two.
func TestAnalyseThreads(t *testing.T) {
	count, nodes, rounds := 20, 500, 1
	if *speed {
		count, nodes, rounds = 1000, 20_000, 5
	}
	var queries strings.Builder
	for i, p := range gamePositions(7 * count) {
		if i%7 == 0 {
			fmt.Fprintf(&queries, `{"id":"%d","start":"%s","maxNodes":%d}`+"\n", i, p, nodes)
		}
	}
	path := written(t, "queries.jsonl", queries.String())
	var ratios []float64
	for range rounds {
		var answers [2][]string
		var times [2]time.Duration
		for i, threads := range []string{"1", "2"} {
			began := time.Now()
			out, err := gyre(t, "analyse", "-threads", threads, path).Output()
			if err != nil {
				t.Fatal(err)
			}
			times[i] = time.Since(began)
			for line := range strings.Lines(string(out)) {
				answer, _, _ := strings.Cut(line, `,"timeMs"`)
				answers[i] = append(answers[i], answer)
			}
			slices.Sort(answers[i])
		}
		if diff := cmp.Diff(answers[0], answers[1]); diff != "" || len(answers[0]) != count {
			t.Errorf("%d answers (-one thread +two):\n%s", len(answers[0]), diff)
		}
		ratios = append(ratios, times[0].Seconds()/times[1].Seconds())
		t.Logf("%d positions of %d nodes: %v with one thread, %v with two, %.2f times as fast", count, nodes, times[0], times[1], ratios[len(ratios)-1])
	}
	if slices.Sort(ratios); *speed && ratios[rounds/2] < 1.9 {
		t.Errorf("two threads are %.2f times as fast, the median of %d", ratios[rounds/2], rounds)
	}
}

const boardspaceGame = "../../position/sgf/testdata/Y-Clara-BestBot-2026-03-21-2221.sgf"

const damagedGame = "../../position/sgf/testdata/odd/23-dash.sgf"

// TestReview runs gyre review as a user types it.
func TestReview(t *testing.T) {
	folder := t.TempDir()
	records := written(t, "two.txt", "1.f6 2.g7 *\n\n[White \"B\"] 1.a2 2.a3 *\n")
	broken := written(t, "broken.txt", "1.f6\n2.f6 *\n")
	empty := written(t, "empty.txt", "")
	html := filepath.Join(folder, "review.html")
	for _, c := range []struct {
		words  string
		stdout string // part of it
		stderr string
		status int
	}{
		{boardspaceGame + " -nodes 100", "Clara - BestBot, 1-3 (resignation)\n", "", 0},
		{boardspaceGame + " -nodes 100 -json -threads 2", `"summary":{"w":{"turns":21,`, "", 0},
		{boardspaceGame + " -nodes 100 -o " + html, "", "", 0},
		{boardspaceGame + " -nodes 100 -o " + html, "", html + ": the file exists and is not overwritten", 1},
		{boardspaceGame + " -nodes 100 -o " + filepath.Join(folder, "review.json"), "", "", 0},
		{records + " -game 2 -nodes 10", "B - Black, *", "game 2 of the 2 in " + records, 0},
		{"../../README.md", "", "../../README.md:1: \"#\": this text is no game record", 1},
		{damagedGame + " -nodes 10", "Ben - Dumbot, 2-3", "warning: " + damagedGame + ":32: ", 0},
		{records + " -game 3", "", "-game 3: " + records + " has the games 1 to 2", 2},
		{broken, "", broken + ":2: ", 1},
		{empty, "", empty + ": no game found", 1},
		{filepath.Join(folder, "nothing"), "", "nothing: no such file", 1},
		{"-help", "usage: gyre review", "", 0},
	} {
		command := gyre(t, append([]string{"review"}, strings.Fields(c.words)...)...)
		var stderr strings.Builder
		command.Stderr = &stderr
		out, _ := command.Output()
		if status := command.ProcessState.ExitCode(); status != c.status || !strings.Contains(string(out), c.stdout) || !strings.Contains(stderr.String(), c.stderr) {
			t.Errorf("gyre review %s: status %d, %q, %q", c.words, status, out, stderr.String())
		}
	}
	page, err := os.ReadFile(html)
	if err != nil || !strings.HasPrefix(string(page), "<!doctype html>") || !strings.Contains(string(page), `"white":"Clara"`) {
		t.Errorf("the page is %.100q, %v", page, err)
	}
	data, err := os.ReadFile(filepath.Join(folder, "review.json"))
	if err != nil || !json.Valid(data) || !strings.Contains(string(page), strings.TrimSpace(strings.Split(string(data), "\n")[8])) {
		t.Errorf("the JSON is %.100q, %v", data, err)
	}
}
