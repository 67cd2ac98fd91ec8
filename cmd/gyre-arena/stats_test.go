package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/cmd/internal/commandline"
)

func TestStats(t *testing.T) {
	const pairs = "elo 26.106693\nelo_low -9.591561\nelo_high 61.311192\nelo_error 35.451376\nnelo 36.354623\nnelo_error 48.151231\nlos 92.292996\n"
	const games = "elo -15.693521\nelo_low -45.999741\nelo_high 14.805744\nelo_error 30.402743\nnelo -20.756450\nnelo_error 40.126026\nlos 15.824021\n"
	const won = "elo inf\nelo_low 1179.874602\nelo_high inf\nelo_error inf\nnelo inf\nnelo_error inf\nlos 100.000000\n"
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

func TestStatsRefuses(t *testing.T) {
	for _, test := range []struct{ line, message string }{
		{"stats", "the result is missing; give -pairs or -games"},
		{"stats -games 1,2,3 -pairs 1,2,3,4,5", "-pairs and -games exclude each other"},
		{"stats -pairs 1,2", `-pairs "1,2": 2 counts, need the 5 of LL,LD,DD+WL,WD,WW`},
		{"stats -games 1,-2,3", `-games: count 2 "-2": not a whole number of at least 0`},
		{"stats -pairs", "-pairs needs a value: -pairs LL,LD,DD+WL,WD,WW"},
		{"stats -games 1,2,3 -elo0 0", "-elo0 needs -elo1"},
		{"stats -games 1,2,3 -elo1 5", "-elo1 needs -elo0"},
		{"stats -games 1,2,3 -elo0 5 -elo1 5", "invalid test: elo0 5: must be less than elo1 5"},
		{"stats -games 1,2,3 -elo0 0 -elo1 NaN", "invalid test: elo1 NaN: must be between -1000 and 1000"},
		{"stats -games 1,2,3 -elo0 0 -elo1 5 -alpha 2", "invalid test: alpha 2: must be between 0 and 1"},
		{"stats -games 1,2,3 -elo0 zero", `-elo0 "zero": not a number`},
		{"stats -games 1,2,3 -model bayes", `-model "bayes": must be normalized or logistic`},
		{"stats -games 1,2,3 -sprt", "unknown flag -sprt"},
		{"stats -games 1,2,3 more", `unexpected argument "more"`},
	} {
		t.Run(test.line, func(t *testing.T) {
			want := usageFailure("stats: "+test.message, "gyre-arena help stats")
			if diff := cmp.Diff(want, runLine(test.line)); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSimulateCommand prints a line for each strength, the same in every run.
func TestSimulateCommand(t *testing.T) {
	t.Parallel()
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
		"stats -simulate 0" + test:                           "-simulate 0: not a number from 1 to 1000000",
		"stats -simulate 5":                                  "-simulate needs a test; give -elo0 and -elo1",
		"stats -simulate 5 -games 1,2,3" + test:              "-simulate needs pairs, not -games; give -pairs or -draws",
		"stats -simulate 5 -pairs 1,2,3,4,5 -draws 0" + test: "-pairs and -draws exclude each other",
		"stats -simulate 5 -pairs 0,0,0,0,0" + test:          "pairs 0,0,0,0,0: no pairs",
		"stats -simulate 5 -draws 1" + test:                  "share of draws 1: must be at least 0 and less than 1",
		"stats -simulate 5 -at 1,x" + test:                   `-at "1,x": "x" is not a number from -1000 to 1000`,
		"stats -simulate 5 -most 0" + test:                   "-most 0: must be at least 1",
		"stats -pairs 1,2,3,4,5 -draws 0.5":                  "-draws needs -simulate",
		"stats -simulate 5 -elo0 5 -elo1 0":                  "invalid test: elo0 5: must be less than elo1 0",
	} {
		if diff := cmp.Diff(usageFailure("stats: "+message, "gyre-arena help stats"), runLine(line)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
	}
}

// TestForecastLine checks the line about the length of a match with a test.
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
	const want = "expected pairs of the test: 800 if the difference is 0, 800 if it is 20, 1308\n  halfway; error rates 5% and 5%; the match ends after 500\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}
