package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"gyre/bench/ladder"
	"gyre/bench/match"
)

// rung is something of a known rating.
type rung struct {
	text string
	elo  float64
}

// writeNeighbours tells what stands next to a rating, below and above: players of the
// ladder, and outside programs that were measured.
func (c *climb) writeNeighbours(w io.Writer, elo float64) error {
	outside, err := ladder.OutsideRatings()
	if err != nil {
		return err
	}
	own := c.match.Engines[0].Name
	var rungs []rung
	for _, r := range c.scale {
		if r.Name != own {
			rungs = append(rungs, rung{fmt.Sprintf("%s (%s)", r.Name, estimate(r.Elo)), r.Elo.Value})
		}
	}
	for _, o := range outside {
		if o.Name != own {
			rungs = append(rungs, rung{fmt.Sprintf("%s (%s, an outside program)", o.Name, estimate(o.Elo)), o.Elo.Value})
		}
	}
	slices.SortStableFunc(rungs, func(a, b rung) int { return cmp.Compare(a.elo, b.elo) })
	above := slices.IndexFunc(rungs, func(r rung) bool { return r.elo > elo })
	switch {
	case len(rungs) == 0:
	case above == 0:
		_, err = fmt.Fprintf(w, "  below %s\n", rungs[0].text)
	case above < 0:
		_, err = fmt.Fprintf(w, "  above %s\n", rungs[len(rungs)-1].text)
	default:
		_, err = fmt.Fprintf(w, "  above %s\n  below %s\n", rungs[above-1].text, rungs[above].text)
	}
	return err
}

// saveClimb writes the summary of a climb to the file -json, if there is one.
func (c *contest) saveClimb(climb *climb, standing *match.Standing) error {
	if c.json == "" {
		return nil
	}
	s, err := rated(standing, anchored{engine: -1})
	if err != nil {
		return err
	}
	out := newSummary(c.flags.Name(), s, nil)
	over, rating := s.Over(), newNumber(climb.rating(standing))
	out.Over, out.Rating = &over, &rating
	return saveSummary(c.json, out)
}

// saveOutside writes the result of a climb into a file of outside ratings, if one is
// named and games were counted.
func (c *contest) saveOutside(path string, climb *climb, standing *match.Standing) error {
	games := counted(standing)
	if path == "" || games == 0 {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	all, err := ladder.ParseOutside(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	name := climb.match.Engines[0].Name
	all = slices.DeleteFunc(all, func(o ladder.Outside) bool { return o.Name == name })
	all = append(all, ladder.Outside{Name: name, Elo: climb.rating(standing), Games: games, Date: time.Now().UTC(), Engine: c.described})
	slices.SortStableFunc(all, func(a, b ladder.Outside) int { return cmp.Compare(a.Elo.Value, b.Elo.Value) })
	return replaceFile(path, ladder.OutsideMark, func(w io.Writer) error { return ladder.WriteOutside(w, all) })
}
