package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStats(t *testing.T) {
	const pairs = "elo 26.106693\nelo_error 34.826425\nnelo 36.354623\nnelo_error 48.151231\nlos 93.053547\n"
	const games = "elo -15.693521\nelo_error 30.458001\nnelo -20.756450\nnelo_error 40.126026\nlos 15.532643\n"
	const won = "elo inf\nelo_error inf\nnelo inf\nnelo_error inf\nlos 100.000000\n"
	const bounds = "lower -2.944439\nupper 2.944439\n"
	for _, test := range []struct{ line, want string }{
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
		{"stats", "neither -pairs nor -games given"},
		{"stats -games 1,2,3 -pairs 1,2,3,4,5", "-pairs and -games exclude each other"},
		{"stats -pairs 1,2", `invalid value "1,2" for flag -pairs: pairs "1,2": 2 counts, need the 5 of LL,LD,DD+WL,WD,WW`},
		{"stats -games 1,-2,3", `invalid value "1,-2,3" for flag -games: games: count 2 "-2": not a whole number of at least 0`},
		{"stats -pairs", "flag needs an argument: -pairs"},
		{"stats -games 1,2,3 -elo0 0", "-elo0 without -elo1"},
		{"stats -games 1,2,3 -elo1 5", "-elo1 without -elo0"},
		{"stats -games 1,2,3 -elo0 5 -elo1 5", "no such test: elo0 5: not below elo1 5"},
		{"stats -games 1,2,3 -elo0 0 -elo1 NaN", "no such test: elo1 NaN: not between -1000 and 1000"},
		{"stats -games 1,2,3 -elo0 0 -elo1 5 -alpha 2", "no such test: alpha 2: not between 0 and 1"},
		{"stats -games 1,2,3 -elo0 zero", `invalid value "zero" for flag -elo0: parse error`},
		{"stats -games 1,2,3 -model bayes", `invalid value "bayes" for flag -model: model "bayes": neither normalized nor logistic`},
		{"stats -games 1,2,3 -sprt", "flag provided but not defined: -sprt"},
		{"stats -games 1,2,3 more", `unexpected word "more"`},
	} {
		t.Run(test.line, func(t *testing.T) {
			want := usageFailure("stats: "+test.message, "gyre-arena help stats")
			if diff := cmp.Diff(want, runLine(test.line)); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
		})
	}
}
