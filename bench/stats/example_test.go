package stats_test

import (
	"fmt"

	"gyre/bench/stats"
)

// The strength of the first engine after a match of 100 pairs, in which each opening is
// played with both colors.
func ExampleElo() {
	pairs, err := stats.ParsePairs("5,20,40,25,10")
	if err != nil {
		fmt.Println(err)
		return
	}
	elo := stats.Elo(pairs)
	fmt.Printf("Elo %+.1f, between %+.1f and %+.1f with 95%% confidence\n", elo.Value, elo.Low, elo.High)
	fmt.Printf("stronger with a likelihood of %.1f%%\n", 100*stats.LOS(pairs))
	// Output:
	// Elo +26.1, between -9.3 and +60.8 with 95% confidence
	// stronger with a likelihood of 92.4%
}

// A sequential test decides between two hypotheses as soon as the games allow it.
func ExampleSPRT() {
	test, err := stats.NewSPRT(stats.Hypotheses{Model: stats.Normalized, Elo0: 0, Elo1: 20, Alpha: 0.05, Beta: 0.05})
	if err != nil {
		fmt.Println(err)
		return
	}
	low, high := test.Bounds()
	fmt.Printf("between %.2f and %.2f\n", low, high)
	for _, pairs := range []stats.Pairs{{2, 8, 18, 14, 4}, {40, 160, 360, 280, 80}} {
		fmt.Printf("%v: LLR %.2f, %v\n", pairs, test.LLR(pairs), test.State(pairs))
	}
	// Output:
	// between -2.94 and 2.94
	// 2,8,18,14,4: LLR 0.66, continue
	// 40,160,360,280,80: LLR 13.14, accept H1
}

// The ratings of three engines after a round robin.
func ExampleRate() {
	names := []string{"new", "old", "random"}
	ratings, err := stats.Rate(len(names), []stats.Encounter{
		{First: 0, Second: 1, Games: stats.Games{Wins: 55, Draws: 5, Losses: 40}},
		{First: 0, Second: 2, Games: stats.Games{Wins: 98, Losses: 2}},
		{First: 1, Second: 2, Games: stats.Games{Wins: 96, Draws: 1, Losses: 3}},
	}, stats.DefaultPrior)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, name := range names {
		e := ratings.AboutMean(i)
		fmt.Printf("%-6s %+6.0f (%+.0f to %+.0f)\n", name, e.Value, e.Low, e.High)
	}
	fmt.Printf("new is stronger than old with a likelihood of %.0f%%\n", 100*ratings.LOS(0, 1))
	// Output:
	// new      +229 (+171 to +293)
	// old      +175 (+118 to +238)
	// random   -404 (-501 to -310)
	// new is stronger than old with a likelihood of 95%
}
