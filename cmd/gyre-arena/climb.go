package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"gyre/bench/ladder"
	"gyre/bench/match"
	"gyre/bench/stats"
)

// climb is an engine's way up the ladder: its results against the players.
type climb struct {
	scale  []ladder.Rating
	engine string
	games  []stats.Games // against each, as the engine sees them
	pairs  []stats.Pairs
}

// index returns which of the players has a name.
func (c *climb) index(name string) int {
	return slices.IndexFunc(c.scale, func(r ladder.Rating) bool { return r.Name == name })
}

// with returns the opponents with the results of a match added to those kept.
func (c *climb) with(m *match.Match, s *match.Standing) *climb {
	all := &climb{scale: c.scale, engine: c.engine, games: make([]stats.Games, len(c.scale)), pairs: make([]stats.Pairs, len(c.scale))}
	copy(all.games, c.games)
	copy(all.pairs, c.pairs)
	for i, pairing := range m.Schedule.Pairings {
		at := all.index(m.Engines[pairing[1]].Name)
		all.games[at] = all.games[at].Plus(s.Pairings[i].Games)
		all.pairs[at] = all.pairs[at].Plus(s.Pairings[i].Pairs)
	}
	return all
}

// keep adds the results of a match.
func (c *climb) keep(m *match.Match, s *match.Standing) { *c = *c.with(m, s) }

// rating places the engine.
func (c *climb) rating() stats.Estimate {
	var met []stats.Opponent
	for i, r := range c.scale {
		if i < len(c.pairs) {
			met = append(met, stats.Opponent{Elo: r.Elo, Pairs: c.pairs[i]})
		}
	}
	return stats.Place(met, stats.DefaultPrior)
}

// outline is the rating with the results of a match that goes on.
func (c *climb) outline(m *match.Match, s *match.Standing) string {
	return "rating " + estimate(c.with(m, s).rating())
}

// near returns a match against the players whose ratings are nearest, which goes
// on until it is ended.
func (c *climb) near(m *match.Match, players int) *match.Match {
	rating := c.rating().Value
	order := slices.Clone(m.Schedule.Pairings)
	away := func(p [2]int) float64 {
		return math.Abs(c.scale[c.index(m.Engines[p[1]].Name)].Elo.Value - rating)
	}
	slices.SortStableFunc(order, func(a, b [2]int) int { return cmp.Compare(away(a), away(b)) })
	next := *m
	next.ID += "-near"
	next.Schedule = match.Schedule{Pairings: order[:min(players, len(order))], Rounds: 100_000}
	return &next
}

// write writes the results and the rating.
func (c *climb) write(w io.Writer) error {
	var b bytes.Buffer
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\nagainst\trating\terror\twon\tdrawn\tlost\t")
	for i, r := range c.scale {
		if i < len(c.games) && c.games[i].Total() > 0 {
			g := c.games[i]
			fmt.Fprintf(table, "%s\t%.1f\t%.1f\t%d\t%d\t%d\t\n", r.Name, r.Elo.Value, r.Elo.Error, g.Wins, g.Draws, g.Losses)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(&b, "\n%s is rated %s\n", c.engine, estimate(c.rating()))
	_, err := w.Write(b.Bytes())
	return err
}

// beside returns the files of the second part of a climb.
func beside(files match.Files) match.Files {
	name := func(path string) string {
		if path == "" {
			return ""
		}
		base, ending, _ := cutLast(path, ".")
		return base + "-near" + ending
	}
	return match.Files{Lines: name(files.Lines), Records: name(files.Records)}
}

// cutLast cuts a text before the last place of sep.
func cutLast(text, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(text, sep); i >= 0 {
		return text[:i], text[i:], true
	}
	return text, "", false
}

// ratingsMark is what a file of ratings begins with that may be written over.
const ratingsMark = "Ratings of the reference players"

// writeRatings writes the file of the players' ratings.
func writeRatings(path string, m *match.Match, s *match.Standing, fixed anchored) error {
	r, err := stats.Rate(len(m.Engines), s.Encounters(), stats.DefaultPrior)
	if err != nil {
		return err
	}
	var all []ladder.Rating
	for i := range m.Engines {
		all = append(all, ladder.Rating{Name: m.Engines[i].Name, Elo: fixed.rating(r, i)})
	}
	comment := fmt.Sprintf(ratingsMark+": NAME ELO ERROR, half the 95%% interval against %s.\nMeasured %s: round-robin of %d games, %d pairs of each pairing, by gyre-arena ladder -rate.",
		ladder.Anchor, time.Now().UTC().Format(time.DateOnly), s.Games, m.Schedule.Rounds)
	return replaceFile(path, ratingsMark, func(w io.Writer) error { return ladder.WriteRatings(w, comment, all) })
}
