package session

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/stats"
	"gyre/position"
)

// TestStanding counts results: games, whole pairs, and what package stats makes of them.
func TestStanding(t *testing.T) {
	percent := func(x float64) *float64 { return &x }
	mixed := stats.Pairs{1, 0, 2, 1, 3}
	elo := stats.Elo(mixed)
	for _, test := range []struct {
		results string
		want    standing
	}{
		{"", standing{Course: []eloPoint{}}},
		{"w", standing{Wins: 1, Course: []eloPoint{}}},
		{"ww", standing{Wins: 2, Pairs: [5]int{4: 1}, Elo: "at least -511.5", Course: []eloPoint{}}},
		{"wlddl", standing{Wins: 1, Draws: 2, Losses: 2, Pairs: [5]int{2: 2}, Elo: stats.DescribeElo(stats.Pairs{2: 2}), Course: []eloPoint{}}},
		{"ll" + "wl" + "lw" + "wd" + "ww" + "ww" + "ww", standing{Wins: 9, Draws: 1, Losses: 4, Pairs: mixed, Elo: stats.DescribeElo(mixed),
			Superiority: percent(tenths(100 * stats.LOS(mixed))), Course: []eloPoint{{Pairs: 7, Elo: tenths(elo.Value), Error: tenths(elo.Error)}}}},
	} {
		got, err := countResults(test.results)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(got.Course); n > 0 {
			got.Course = got.Course[n-1:]
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.results, diff)
		}
	}
	if _, err := countResults("wx"); err == nil || err.Error() != "results: the letter 'x' of game 2 is none of w, d, l" {
		t.Errorf("%v", err)
	}
	if _, err := (*session)(nil).standing(standingQuestion{strings.Repeat("w", mostGames+1)}); err == nil {
		t.Error("results without end are counted")
	}
}

// TestResultFor tells results as both sides see them.
func TestResultFor(t *testing.T) {
	got := ""
	for _, side := range []position.Side{position.White, position.Black} {
		for _, result := range []position.Result{position.WhiteWins, position.Draw, position.BlackWins} {
			got += string(resultFor(side, result))
		}
	}
	if got != "wdlldw" {
		t.Error(got)
	}
}
