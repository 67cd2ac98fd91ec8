package main

import (
	"errors"
	"fmt"
	"io"

	"gyre/bench/stats"
	"gyre/cmd/internal/commandline"
)

const statsSynopsis = `usage: gyre-arena stats (-pairs LL,LD,DD+WL,WD,WW | -games W,L,D) [-elo0 E -elo1 E] [FLAGS]
       gyre-arena stats -simulate N -elo0 E -elo1 E [-draws SHARE | -pairs LL,LD,DD+WL,WD,WW] [FLAGS]

Prints, a line "name value" each, elo, elo_error, nelo, nelo_error and los (in
percent) of a match result as the first engine sees it; with -elo0 and -elo1 also
llr, lower, upper and state of the test between the two. Errors are half the width
of the 95% interval.

With -simulate it plays the test out N times with pairs drawn by chance, at both
hypotheses, halfway and at the strengths of -at, and prints how often it errs and how
many pairs it takes. The pairs are spread as those of -pairs, or as two independent
games of which the share -draws is drawn, with their strength moved.
`

// runStats is the calculator of match statistics.
func runStats(args []string, stdout, _ io.Writer) error {
	flags := commandline.NewFlags("stats")
	var counts stats.Counts
	flags.Func("pairs", "pairs of games by their result, `LL,LD,DD+WL,WD,WW`", func(text string) error {
		pairs, err := stats.ParsePairs(text)
		counts = pairs
		return err
	})
	flags.Func("games", "games by their result, `W,L,D`", func(text string) error {
		games, err := stats.ParseGames(text)
		counts = games
		return err
	})
	var simulate simulateFlags
	flags.IntVar(&simulate.tests, "simulate", 0, "play `N` tests out")
	flags.Float64Var(&simulate.draws, "draws", 0, "`share` of games that are drawn, with -simulate")
	flags.StringVar(&simulate.at, "at", "", "`ELO,...` further strengths for -simulate, in the unit of -model")
	flags.Uint64Var(&simulate.seed, "seed", 1, "`number` that -simulate draws by")
	flags.IntVar(&simulate.most, "most", unlimited, "`pairs` after which a simulated test ends undecided")
	h := stats.Hypotheses{}
	flags.Float64Var(&h.Elo0, "elo0", 0, "`Elo` of hypothesis H0")
	flags.Float64Var(&h.Elo1, "elo1", 0, "`Elo` of hypothesis H1, more than -elo0")
	flags.Float64Var(&h.Alpha, "alpha", 0.05, "`chance` to accept H1 where H0 holds")
	flags.Float64Var(&h.Beta, "beta", 0.05, "`chance` to accept H0 where H1 holds")
	flags.TextVar(&h.Model, "model", stats.Normalized, "`unit` of -elo0 and -elo1: normalized or logistic")
	if err := commandline.Parse(flags, args, statsSynopsis, stdout); err != nil {
		return err
	}
	given := commandline.Given(flags)
	test, err := statsTest(given, h)
	if err == nil {
		err = simulate.check(given)
	}
	if err == nil && given["simulate"] {
		var shape stats.Shape
		var elos []float64
		if shape, err = simulate.shape(counts); err == nil {
			elos, err = simulate.strengths(h)
		}
		if err == nil {
			return simulate.run(test, shape, elos, stdout)
		}
	}
	if err != nil {
		return &commandline.UsageError{Command: flags.Name(), Err: err}
	}
	return stats.WriteReport(stdout, counts, test)
}

// statsTest checks which flags are given, and returns the test of h, nil if none
// is asked for.
func statsTest(given map[string]bool, h stats.Hypotheses) (*stats.SPRT, error) {
	switch {
	case given["pairs"] && given["games"]:
		return nil, errors.New("-pairs and -games exclude each other")
	case !given["pairs"] && !given["games"] && !given["simulate"]:
		return nil, errors.New("neither -pairs nor -games given")
	case !given["elo0"] && !given["elo1"]:
		return nil, nil
	case !given["elo0"]:
		return nil, errors.New("-elo1 without -elo0")
	case !given["elo1"]:
		return nil, errors.New("-elo0 without -elo1")
	}
	test, err := stats.NewSPRT(h)
	if err != nil {
		return nil, fmt.Errorf("no such test: %w", err)
	}
	return test, nil
}
