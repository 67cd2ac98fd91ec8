package report

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/position"
)

// row is one line of a table.
type row []string

// wdl returns wins, draws, losses and the share of the points.
func wdl(g stats.Games) row {
	share := "-"
	if g.Total() > 0 {
		share = fmt.Sprintf("%.1f%%", 100*(float64(g.Wins)+float64(g.Draws)/2)/float64(g.Total()))
	}
	return row{fmt.Sprint(g.Wins), fmt.Sprint(g.Draws), fmt.Sprint(g.Losses), share}
}

// estimate returns a number with its error.
func estimate(e stats.Estimate) string {
	if math.IsInf(e.Value, 0) || math.IsInf(e.Error, 0) {
		return fmt.Sprintf("%+.1f ± ∞", e.Value)
	}
	return fmt.Sprintf("%+.1f ± %.1f", e.Value, e.Error)
}

// encounterRows is a row for each two engines that met.
func encounterRows(s *match.Standing) []row {
	var rows []row
	for _, e := range s.Pairings {
		r := append(row{s.Names[e.Engines[0]], s.Names[e.Engines[1]]}, wdl(e.Games)...)
		r = append(r, e.Pairs.String(), strings.ReplaceAll(stats.DescribeElo(e.Pairs), "+-", "±"), estimate(stats.NormalizedElo(e.Pairs)), fmt.Sprintf("%.2f%%", 100*stats.LOS(e.Pairs)))
		rows = append(rows, r)
	}
	return rows
}

// ratingRows is a row for each engine of a standing, in its order, with its rating if games link them all.
func ratingRows(engines []*engine, s *match.Standing) ([]row, error) {
	ratings, err := stats.Rate(len(engines), s.Encounters(), stats.DefaultPrior)
	if _, unlinked := errors.AsType[*stats.UnlinkedError](err); err != nil && !unlinked {
		return nil, err
	}
	var rows []row
	for i, e := range engines {
		rating := "?"
		if ratings != nil {
			rating = estimate(ratings.AboutMean(i))
		}
		rows = append(rows, append(row{e.name, e.limits, rating}, wdl(e.games())...))
	}
	return rows, nil
}

// colourRows is two rows for each engine.
func colourRows(engines []*engine) []row {
	var rows []row
	for _, e := range engines {
		for side, g := range e.byColour {
			rows = append(rows, append(row{e.name, position.Side(side).String()}, wdl(g)...))
		}
	}
	return rows
}

// useRows is what each engine used.
func useRows(engines []*engine) []row {
	var rows []row
	for _, e := range engines {
		r := row{e.name, fmt.Sprint(e.turns)}
		mean, speed, depth := "-", "-", "-"
		if e.turns > 0 {
			mean = fmt.Sprintf("%.1f ms", e.milliseconds/float64(e.turns))
		}
		if e.searching > 0 {
			speed = fmt.Sprintf("%.0f", float64(e.nodes)/e.searching*1000)
		}
		if e.deep > 0 {
			depth = fmt.Sprintf("%.2f", float64(e.depths)/float64(e.deep))
		}
		rows = append(rows, append(r, mean, fmt.Sprintf("%.1f ms", e.longest), depth, fmt.Sprint(e.nodes), speed))
	}
	return rows
}

// endRows is a row for each reason that games ended for, with who lost by it if
// it is a fault.
func endRows(ends map[game.Reason]int, engines []*engine) []row {
	var rows []row
	for _, reason := range game.Reasons() {
		if ends[reason] == 0 {
			continue
		}
		r := row{reason.String(), fmt.Sprint(ends[reason])}
		for _, e := range engines {
			count := ""
			if reason.Fault() {
				count = fmt.Sprint(e.faults[reason])
			}
			r = append(r, count)
		}
		rows = append(rows, r)
	}
	return rows
}

// pairTexts are the outcomes of pairs by half points.
var pairTexts = [...]string{"LL", "LD", "DD+WL", "WD", "WW"}

// openingRows is a row for each pair.
func openingRows(pairs []*match.PooledPair) []row {
	var rows []row
	for _, p := range pairs {
		outcome := "not whole"
		switch {
		case p.Ends.Counts():
			outcome = pairTexts[p.Ends.HalfPoints()]
		case p.Ends.Whole():
			outcome = "left out"
		}
		r := row{fmt.Sprint(p.Round + 1), p.First, p.Second, outcome}
		for _, end := range p.Ends {
			text := ""
			if end.Result != position.Ongoing {
				text = fmt.Sprintf("%s, %s", end.Result, end.Reason)
			}
			r = append(r, text)
		}
		rows = append(rows, append(r, p.Opening))
	}
	return rows
}
