package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/cmd/internal/commandline"
)

// TestSimulateCommand prints a line for each strength, the same each time.
func TestSimulateCommand(t *testing.T) {
	const line = "stats -simulate 50 -elo0 0 -elo1 100 -at -50,150 -draws 0.1"
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
	if other := runLine("stats -simulate 50 -elo0 0 -elo1 100 -pairs 10,5,60,5,20"); other.Status != commandline.ExitSuccess || !strings.Contains(other.Stdout, "DD+WL, WD, WW: 10.0%, 5.0%, 60.0%, 5.0%, 20.0%") {
		t.Errorf("%+v", other)
	}
}

func TestSimulateRefuses(t *testing.T) {
	const test = " -elo0 0 -elo1 5"
	for line, message := range map[string]string{
		"stats -simulate 0" + test:                           "-simulate 0: not from 1 to 1000000",
		"stats -simulate 5":                                  "-simulate needs a test: give -elo0 and -elo1",
		"stats -simulate 5 -games 1,2,3" + test:              "-simulate draws pairs: give -pairs or -draws",
		"stats -simulate 5 -pairs 1,2,3,4,5 -draws 0" + test: "-pairs and -draws exclude each other",
		"stats -simulate 5 -pairs 0,0,0,0,0" + test:          "pairs 0,0,0,0,0: none",
		"stats -simulate 5 -draws 1" + test:                  "share of draws 1: not from 0 to below 1",
		"stats -simulate 5 -at 1,x" + test:                   `-at "1,x": "x" is no Elo from -1000 to 1000`,
		"stats -simulate 5 -most 0" + test:                   "-most 0: not at least 1",
		"stats -pairs 1,2,3,4,5 -draws 0.5":                  "-draws without -simulate",
		"stats -simulate 5 -elo0 5 -elo1 0":                  "no such test: elo0 5: not below elo1 0",
	} {
		if diff := cmp.Diff(usageFailure("stats: "+message, "gyre-arena help stats"), runLine(line)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
	}
}

// TestForecastLine looks at what a match with a test tells before its first game.
func TestForecastLine(t *testing.T) {
	test, err := stats.NewSPRT(stats.Hypotheses{Elo0: 0, Elo1: 20, Alpha: 0.05, Beta: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, m := range []*match.Match{{Test: test, Schedule: match.RoundRobin(2, 500)}, {Schedule: match.RoundRobin(2, 500)}} {
		if err := writeForecast(&b, m); err != nil {
			t.Fatal(err)
		}
	}
	const want = "the test takes some 800 pairs if the difference is 0, 800 if it is 20, and 1308 halfway; it errs in about 5% and 5% of matches at these two; the match has 500 at most\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}
