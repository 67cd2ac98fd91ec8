package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"gyre/bench/ladder"
	"gyre/bench/match"
	"gyre/bench/stats"
)

// climb is an engine's way up the ladder: the first engine of a match among the
// players.
type climb struct {
	scale []ladder.Rating
	match *match.Match
}

// met returns the rating of the player that a pairing of the schedule is with.
func (c *climb) met(pairing int) ladder.Rating {
	name := c.match.Engines[c.match.Schedule.Pairings[pairing][1]].Name
	return c.scale[slices.IndexFunc(c.scale, func(r ladder.Rating) bool { return r.Name == name })]
}

// rating places the engine.
func (c *climb) rating(s *match.Standing) stats.Estimate {
	var met []stats.Opponent
	for i := range s.Pairings {
		met = append(met, stats.Opponent{Elo: c.met(i).Elo, Pairs: s.Pairings[i].Pairs})
	}
	return stats.Place(met, stats.DefaultPrior)
}

// outline is the rating in a line.
func (c *climb) outline(s *match.Standing) string { return "rating " + estimate(c.rating(s)) }

// further returns the schedule with further rounds against some of the players: a
// number of those whose ratings are nearest to the engine's in a standing.
func (c *climb) further(s *match.Standing, players, rounds int) match.Schedule {
	rating := c.rating(s).Value
	away := func(pairing int) float64 { return math.Abs(c.met(pairing).Elo.Value - rating) }
	var order []int
	for i := range s.Pairings {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(away(a), away(b)) })
	schedule := c.match.Schedule
	schedule.Some, schedule.More = order[:min(players, len(order))], rounds
	slices.Sort(schedule.Some)
	return schedule
}

// write writes the results and the rating.
func (c *climb) write(w io.Writer, s *match.Standing) error {
	var b bytes.Buffer
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\nagainst\trating\terror\twon\tdrawn\tlost\t")
	for i, p := range s.Pairings {
		if r := c.met(i); p.Games.Total() > 0 {
			fmt.Fprintf(table, "%s\t%.1f\t%.1f\t%d\t%d\t%d\t\n", r.Name, r.Elo.Value, r.Elo.Error, p.Games.Wins, p.Games.Draws, p.Games.Losses)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if beyond := s.Games - 2*s.Settled; beyond > 0 {
		fmt.Fprintf(&b, "and %d games after these in the schedule, kept and not counted\n", beyond)
	}
	rating := c.rating(s)
	fmt.Fprintf(&b, "\n%s is rated %s\n", c.match.Engines[0].Name, estimate(rating))
	if err := c.writeNeighbours(&b, rating.Value); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}
