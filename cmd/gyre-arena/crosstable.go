package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"gyre/bench/match"
	"gyre/bench/stats"
)

// anchored is an engine whose rating is fixed; engine -1 for none.
type anchored struct {
	engine int
	elo    float64
}

// parseAnchor reads NAME=ELO.
func parseAnchor(text string, names []string) (anchored, error) {
	if text == "" {
		return anchored{engine: -1}, nil
	}
	name, number, _ := strings.Cut(text, "=")
	elo, err := strconv.ParseFloat(number, 64)
	if err != nil || !(elo > -10000 && elo < 10000) {
		return anchored{}, fmt.Errorf("-anchor %q: not NAME=ELO", text)
	}
	if i := slices.Index(names, name); i >= 0 {
		return anchored{engine: i, elo: elo}, nil
	}
	return anchored{}, fmt.Errorf("-anchor %q: no engine of that name", text)
}

// rating returns the rating of an engine.
func (a anchored) rating(r *stats.Ratings, engine int) stats.Estimate {
	if a.engine < 0 {
		return r.AboutMean(engine)
	}
	return r.Anchored(engine, a.engine, a.elo)
}

// writeTournament writes the cross table, with the ratings if games link all
// engines.
func writeTournament(w io.Writer, s *match.Standing, fixed anchored) error {
	ratings, err := stats.Rate(len(s.Names), s.Encounters(), stats.DefaultPrior)
	if _, unlinked := errors.AsType[*stats.UnlinkedError](err); err != nil && !unlinked {
		return err
	}
	points, games := totals(s)
	order := make([]int, len(s.Names))
	for i := range order {
		order[i] = i
	}
	share := func(i int) float64 { return points[i] / float64(max(games[i], 1)) }
	slices.SortStableFunc(order, func(a, b int) int {
		if ratings != nil {
			return cmp.Compare(fixed.rating(ratings, b).Value, fixed.rating(ratings, a).Value)
		}
		return cmp.Compare(share(b), share(a))
	})
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "\n#\tengine\tElo\terror\tpoints\tgames\t%\t")
	for place := range order {
		fmt.Fprintf(table, "%d\t", place+1)
	}
	fmt.Fprintln(table)
	for place, i := range order {
		elo, reach := "?", "?"
		if ratings != nil {
			e := fixed.rating(ratings, i)
			elo, reach = stats.Signed(e.Value), fmt.Sprintf("%.1f", e.Error)
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%.1f\t%d\t%.1f\t", place+1, s.Names[i], elo, reach, points[i], games[i], 100*share(i))
		for _, j := range order {
			fmt.Fprintf(table, "%s\t", between(s, i, j))
		}
		fmt.Fprintln(table)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(&b, "points of the row's engine against the column's; errors are half the 95%% interval\n")
	writeEnds(&b, s)
	_, err = io.WriteString(w, b.String())
	return err
}

// between returns the points that engine i has made against engine j.
func between(s *match.Standing, i, j int) string {
	for _, p := range s.Pairings {
		g := p.Games
		switch p.Engines {
		case [2]int{j, i}:
			g = g.Swapped()
		case [2]int{i, j}:
		default:
			continue
		}
		return strconv.FormatFloat(float64(g.Wins)+float64(g.Draws)/2, 'f', -1, 64)
	}
	return "-"
}
