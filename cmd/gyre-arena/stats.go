package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/progress"
)

const statsSynopsis = `usage: gyre-arena stats (-pairs LL,LD,DD+WL,WD,WW | -games W,L,D)
                        [-elo0 E -elo1 E] [FLAGS]
       gyre-arena stats -simulate N -elo0 E -elo1 E
                        [-draws SHARE | -pairs LL,LD,DD+WL,WD,WW] [FLAGS]

Computes the statistics of a match result as the first engine sees it:

  gyre-arena stats -pairs 5,20,40,25,10 -elo0 0 -elo1 10

Prints one line "name value" each for elo, elo_low, elo_high, elo_error, nelo,
nelo_error and los (in percent), and with -elo0 and -elo1 also for llr, lower,
upper and state of the sequential test. The 95% interval of Elo is from elo_low
to elo_high; an error is the 95% margin of error. Fewer than ten pairs or
twenty games are too few.

With -simulate it simulates the test N times with random pairs, at both
hypotheses, halfway between them, and at the strengths of -at. It prints how
often the test errs and how many pairs it needs. The pairs are distributed like
those of -pairs, or like two independent games with the share -draws of draws,
shifted to each strength.
`

// runStats computes match statistics.
func runStats(args []string, stdout, stderr io.Writer) error {
	flags := commandline.NewFlags("stats")
	var counts stats.Counts
	flags.Func("pairs", "numbers of pairs by their result (0, 1/2, 1, 1 1/2, 2 points): `LL,LD,DD+WL,WD,WW`", func(text string) error {
		pairs, err := stats.ParsePairs(text)
		counts = pairs
		return err
	})
	flags.Func("games", "numbers of won, lost and drawn games: `W,L,D`", func(text string) error {
		games, err := stats.ParseGames(text)
		counts = games
		return err
	})
	var simulate simulateFlags
	simulate.progress.Add(flags)
	flags.IntVar(&simulate.tests, "simulate", 0, "simulate `N` tests")
	flags.Float64Var(&simulate.draws, "draws", 0, "`share` of drawn games, with -simulate")
	flags.StringVar(&simulate.at, "at", "", "more strengths for -simulate, in the unit of -model: `ELO,...`")
	flags.Uint64Var(&simulate.seed, "seed", 1, "seed of -simulate, a whole `number`")
	flags.IntVar(&simulate.most, "most", unlimited, "`pairs` after which a simulated test ends undecided")
	h := stats.Hypotheses{}
	flags.Float64Var(&h.Elo0, "elo0", 0, "`Elo` of hypothesis H0")
	flags.Float64Var(&h.Elo1, "elo1", 0, "`Elo` of hypothesis H1, greater than -elo0")
	flags.Float64Var(&h.Alpha, "alpha", 0.05, "`probability` of accepting H1 if H0 is true")
	flags.Float64Var(&h.Beta, "beta", 0.05, "`probability` of accepting H0 if H1 is true")
	flags.TextVar(&h.Model, "model", stats.Normalized, "unit of -elo0 and -elo1, `normalized|logistic` Elo")
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
			return simulate.run(test, shape, elos, stdout, stderr)
		}
	}
	if err != nil {
		return &commandline.UsageError{Command: flags.Name(), Err: err}
	}
	return stats.WriteReport(stdout, counts, test)
}

// statsTest checks which flags are given, and returns the test of h, or nil if there is
// no test.
func statsTest(given map[string]bool, h stats.Hypotheses) (*stats.SPRT, error) {
	switch {
	case given["pairs"] && given["games"]:
		return nil, errors.New("-pairs and -games exclude each other")
	case !given["pairs"] && !given["games"] && !given["simulate"]:
		return nil, errors.New("the result is missing; give -pairs or -games")
	case !given["elo0"] && !given["elo1"]:
		return nil, nil
	case !given["elo0"]:
		return nil, errors.New("-elo1 needs -elo0")
	case !given["elo1"]:
		return nil, errors.New("-elo0 needs -elo1")
	}
	test, err := stats.NewSPRT(h)
	if err != nil {
		return nil, fmt.Errorf("invalid test: %w", err)
	}
	return test, nil
}

// simulateFlags are the flags of stats for simulated tests.
type simulateFlags struct {
	tests int
	draws float64
	at    string
	seed  uint64
	most  int

	progress progress.Flags
}

// maxSimulated bounds the number of tests.
const maxSimulated = 1_000_000

// check checks the flags, given the names of those on the command line.
func (s *simulateFlags) check(given map[string]bool) error {
	for _, name := range []string{"draws", "at", "seed", "most"} {
		if given[name] && !given["simulate"] {
			return fmt.Errorf("-%s needs -simulate", name)
		}
	}
	switch {
	case !given["simulate"]:
		return nil
	case s.tests < 1 || s.tests > maxSimulated:
		return fmt.Errorf("-simulate %d: not a number from 1 to %d", s.tests, maxSimulated)
	case s.most < 1:
		return fmt.Errorf("-most %d: must be at least 1", s.most)
	case given["games"]:
		return errors.New("-simulate needs pairs, not -games; give -pairs or -draws")
	case given["pairs"] && given["draws"]:
		return errors.New("-pairs and -draws exclude each other")
	case !given["elo0"] || !given["elo1"]:
		return errors.New("-simulate needs a test; give -elo0 and -elo1")
	}
	return nil
}

// shape returns the distribution of the pairs.
func (s *simulateFlags) shape(pairs stats.Counts) (stats.Shape, error) {
	if observed, given := pairs.(stats.Pairs); given {
		return stats.ObservedPairs(observed)
	}
	return stats.IndependentPairs(s.draws)
}

// strengths returns the strengths to simulate: the two hypotheses, halfway between them,
// and those of -at.
func (s *simulateFlags) strengths(h stats.Hypotheses) ([]float64, error) {
	all := []float64{h.Elo0, (h.Elo0 + h.Elo1) / 2, h.Elo1}
	if s.at == "" {
		return all, nil
	}
	for _, word := range strings.Split(s.at, ",") {
		elo, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil || !(elo >= -1000 && elo <= 1000) {
			return nil, fmt.Errorf("-at %q: %q is not a number from -1000 to 1000", s.at, word)
		}
		all = append(all, elo)
	}
	return all, nil
}

// run simulates and prints a line for each strength. Progress goes to stderr.
func (s *simulateFlags) run(test *stats.SPRT, shape stats.Shape, elos []float64, stdout, stderr io.Writer) error {
	ctx, release := commandline.UntilInterrupted()
	defer release()
	var b strings.Builder
	h := test.Hypotheses()
	fmt.Fprintf(&b, "test %s [%g, %g], alpha %g, beta %g: %d simulations at each strength\n", h.Model, h.Elo0, h.Elo1, h.Alpha, h.Beta, s.tests)
	words := make([]string, len(shape))
	for i, share := range shape {
		words[i] = fmt.Sprintf("%.1f%%", 100*share)
	}
	fmt.Fprintf(&b, "pairs LL, LD, DD+WL, WD, WW: %s before the shift\n", strings.Join(words, ", "))
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "elo\taccept H0\taccept H1\tundecided\tpairs\tmedian\t95%\tlongest\tforecast\t")
	meter := s.progress.Meter("tests", stderr, stderr)
	meter.Begin(len(elos)*s.tests, 0)
	simulation := stats.Simulation{Test: test, Shape: shape, Tests: s.tests, Seed: s.seed, MaxPairs: s.most, Step: func() { meter.Step(nil) }}
	for _, elo := range elos {
		result, err := simulation.Run(ctx, elo)
		if err != nil {
			meter.End()
			return err
		}
		percent := func(n int) string { return fmt.Sprintf("%.2f%%", 100*float64(n)/float64(s.tests)) }
		_, forecast := test.Forecast(shape, elo)
		fmt.Fprintf(table, "%g\t%s\t%s\t%s\t%.0f\t%d\t%d\t%d\t%.0f\t\n", elo, percent(result.AcceptedH0), percent(result.AcceptedH1), percent(result.Undecided),
			result.Mean(), result.Quantile(0.5), result.Quantile(0.95), result.Quantile(1), forecast)
	}
	meter.End()
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(&b, "pairs is the mean number; 95% is the quantile; forecast is Wald's formula")
	_, err := io.WriteString(stdout, b.String())
	return err
}

// typicalTurns is about how many turns of both engines a game has after a usual opening.
const typicalTurns = 60

// expectedTime says how long a match with limits of real time takes at most, by its clocks. For other
// limits, and on the workers of a hub, only the games show it.
func expectedTime(m *match.Match) string {
	var longest time.Duration // of a game
	sum := 0.0                // of all games
	for _, p := range m.Schedule.Pairings {
		var game time.Duration
		for _, engine := range p {
			l := m.Engines[engine].Limits
			if !l.RealTime() {
				return ""
			}
			game += l.Longest(typicalTurns / 2)
		}
		longest = max(longest, game)
		sum += float64(game) * 2 * float64(m.Schedule.Rounds)
	}
	text := fmt.Sprintf("a game takes at most about %v", shortDuration(longest))
	if m.Schedule.Rounds < unlimited && m.Executor == nil {
		all := time.Duration(min(sum/float64(m.Concurrency), math.MaxInt64/2)) // no overflow
		text += fmt.Sprintf(", the %d games %v at -concurrency %d", m.Schedule.Games(), shortDuration(all), m.Concurrency)
	}
	return text + "\n"
}

// shortDuration rounds a time to two or three digits.
func shortDuration(d time.Duration) time.Duration {
	switch {
	case d >= time.Hour:
		return d.Round(time.Minute)
	case d >= 10*time.Second:
		return d.Round(time.Second)
	}
	return d.Round(100 * time.Millisecond)
}

// writeForecast writes how long a match with a test will take. The pairs are not known
// yet, so it assumes independent games without draws.
func writeForecast(w io.Writer, m *match.Match) error {
	if _, err := io.WriteString(w, expectedTime(m)); err != nil || m.Test == nil {
		return err
	}
	shape, err := stats.IndependentPairs(0)
	if err != nil {
		return err
	}
	h := m.Test.Hypotheses()
	_, at0 := m.Test.Forecast(shape, h.Elo0)
	_, between := m.Test.Forecast(shape, (h.Elo0+h.Elo1)/2)
	_, at1 := m.Test.Forecast(shape, h.Elo1)
	end := ""
	if m.Schedule.Rounds < unlimited {
		end = fmt.Sprintf("; the match ends after %d", m.Schedule.Rounds)
	}
	_, err = io.WriteString(w, wrapped(fmt.Sprintf("expected pairs of the test: %.0f if the difference is %g, %.0f if it is %g, %.0f halfway; error rates %g%% and %g%%%s",
		at0, h.Elo0, at1, h.Elo1, between, 100*h.Alpha, 100*h.Beta, end), 2))
	return err
}
