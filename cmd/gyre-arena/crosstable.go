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

// anchorHelp explains the flag -anchor.
const anchorHelp = "`NAME=ELO` of an engine whose rating is fixed, instead of the mean at 0"

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

// ratedStanding is a standing with the ratings of its engines.
type ratedStanding struct {
	*match.Standing
	fixed   anchored
	ratings *stats.Ratings // nil if games do not link all engines
	// unlinked are two engines that no games link, where there are no ratings.
	unlinked *stats.UnlinkedError
}

// rated returns a standing with its ratings.
func rated(standing *match.Standing, fixed anchored) (*ratedStanding, error) {
	s := &ratedStanding{Standing: standing, fixed: fixed}
	var err error
	s.ratings, err = stats.Rate(len(s.Names), s.Encounters(), stats.DefaultPrior)
	if unlinked, ok := errors.AsType[*stats.UnlinkedError](err); ok {
		s.unlinked = unlinked
		return s, nil
	}
	return s, err
}

// order returns the engines, the best first: by rating, or by the share of points.
func (s *ratedStanding) order() []int {
	points, games := totals(s.Standing)
	share := func(i int) float64 { return points[i] / float64(max(games[i], 1)) }
	order := make([]int, len(s.Names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if s.ratings != nil {
			return cmp.Compare(s.fixed.rating(s.ratings, b).Value, s.fixed.rating(s.ratings, a).Value)
		}
		return cmp.Compare(share(b), share(a))
	})
	return order
}

// writeTournament writes the cross table, with the ratings if games link all
// engines.
func writeTournament(w io.Writer, s *ratedStanding) error {
	points, games := totals(s.Standing)
	order := s.order()
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "\n#\tengine\tElo\terror\tpoints\tgames\t%\t")
	for place := range order {
		fmt.Fprintf(table, "%d\t", place+1)
	}
	fmt.Fprintln(table)
	for place, i := range order {
		elo, reach := "?", "?"
		if s.ratings != nil {
			e := s.fixed.rating(s.ratings, i)
			elo, reach = stats.Signed(e.Value), fmt.Sprintf("%.1f", e.Error)
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%.1f\t%d\t%.1f\t", place+1, s.Names[i], elo, reach, points[i], games[i], 100*points[i]/float64(max(games[i], 1)))
		for _, j := range order {
			fmt.Fprintf(table, "%s\t", between(s.Standing, i, j))
		}
		fmt.Fprintln(table)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(&b, "points of the row's engine against the column's; errors are half the 95%% interval\n")
	writeEnds(&b, s.Standing)
	_, err := io.WriteString(w, b.String())
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
