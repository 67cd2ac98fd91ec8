package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/zeebo/xxh3"

	"gyre/bench/match"
	"gyre/bench/openings"
	"gyre/cmd/internal/commandline"
)

// pairsWanted returns how many pairs each pairing is to play, 0 for as many as a
// test takes.
func (c *contest) pairsWanted() (int, error) {
	switch {
	case c.pairs < 0 || c.games < 0 || c.games%2 != 0:
		return 0, errors.New("-pairs and -games are positive, and -games is even: each opening is played with both colours")
	case c.pairs > 0 && c.games > 0:
		return 0, errors.New("-pairs and -games exclude each other")
	case c.pairs > 0:
		return c.pairs, nil
	case c.games > 0:
		return c.games / 2, nil
	case c.sprt != "":
		return 0, nil
	}
	return 0, errors.New("how many games? Give -pairs or -games")
}

// unlimited is how many pairs are played where nobody says how many.
const unlimited = 100_000

// rounds returns how many pairs each pairing plays at most, so that no opening is
// played again unless -repeat-openings says so.
func (c *contest) rounds(pairs int) (int, error) {
	switch {
	case c.opened == nil || c.repeatOpenings:
		if pairs == 0 {
			return unlimited, nil
		}
		return pairs, nil
	case pairs > len(c.opened):
		return 0, fmt.Errorf("%s has %d openings for %d pairs of each pairing: give -pairs %d, more openings, or -repeat-openings", c.bookName(), len(c.opened), pairs, len(c.opened))
	case pairs == 0:
		return len(c.opened), nil
	}
	return pairs, nil
}

// recipeWanted is what random openings are made by.
func (c *contest) recipeWanted() openings.Recipe {
	recipe := c.recipe
	recipe.Seed, recipe.Rules = c.seed, c.rules.Rules
	return recipe
}

// bookName says where the openings come from that can run out.
func (c *contest) bookName() string {
	if c.book == "" {
		return "-opening-rings " + c.recipe.Rings.String()
	}
	if c.selected.Plies > 0 || c.selected.Start > 1 {
		return c.book + " as selected"
	}
	return c.book
}

// readBook reads the file of openings, if one is named; without one it makes all
// openings of a recipe that makes few.
func (c *contest) readBook() error {
	if c.book == "" {
		if given := commandline.Given(c.flags); given["opening-order"] || given["opening-start"] || given["opening-plies"] {
			return errors.New("-opening-order, -opening-start and -opening-plies are for -openings")
		}
		recipe := c.recipeWanted()
		if !recipe.Few() {
			return nil
		}
		generator, err := openings.NewGenerator(recipe)
		if err != nil {
			return err
		}
		if _, err := generator.Opening(0); err != nil {
			return err
		}
		c.opened = generator.All()
		return nil
	}
	file, err := os.Open(c.book)
	if err != nil {
		return err
	}
	defer file.Close()
	book, err := openings.Read(file, c.book, c.rules.Rules)
	if err != nil {
		return err
	}
	c.selected.Seed = c.seed
	if c.opened, err = book.Select(c.selected); err != nil {
		return fmt.Errorf("%s: %w", c.book, err)
	}
	return nil
}

// setOrder reads the flag -opening-order.
func (c *contest) setOrder(text string) error {
	c.selected.Shuffled = text == "random"
	if text != "random" && text != "sequential" {
		return errors.New("neither sequential nor random")
	}
	return nil
}

// openings returns the openings, and what tells them from others.
func (c *contest) openings() (match.Openings, string, error) {
	if c.book != "" {
		var texts []string
		for _, o := range c.opened {
			texts = append(texts, openings.Format(o))
		}
		return c.opened, fmt.Sprintf("%x", xxh3.HashString(strings.Join(texts, "\n"))), nil
	}
	recipe := c.recipeWanted()
	generator, err := openings.NewGenerator(recipe)
	if err != nil {
		return nil, "", err
	}
	// A search that has become another one makes other openings.
	first, err := generator.Opening(0)
	source := recipe.String() + ": " + openings.Format(first)
	if c.opened != nil {
		return c.opened, source, err
	}
	return generator, source, err
}

// warnRepeats tells ahead of a match when openings will run out or come again.
func (c *contest) warnRepeats(w io.Writer, m *match.Match) {
	if c.opened == nil {
		return
	}
	// What cannot be warned of does the match no harm.
	switch repeats := count(c.opened.Repeats(m.Schedule.Rounds)); {
	case repeats > 0:
		_, _ = fmt.Fprintf(w, "warning: %d of the %d pairs of each pairing begin with an opening that was played before (%s has %d): "+
			"where the engines repeat their games, errors of the result are larger than what will be printed\n", repeats, m.Schedule.Rounds, c.bookName(), len(c.opened))
	case m.Test != nil && m.Schedule.Rounds == len(c.opened):
		_, _ = fmt.Fprintf(w, "warning: %s has %d openings, so the match ends after as many pairs, decided or not\n", c.bookName(), len(c.opened))
	}
}

// count returns how many are true.
func count(all []bool) (n int) {
	for _, one := range all {
		if one {
			n++
		}
	}
	return n
}

// writeRepeats writes how many of the pairs that count began as earlier ones.
func (c *contest) writeRepeats(w io.Writer, m *match.Match, s *match.Standing) error {
	if c.opened == nil || s.Settled == 0 {
		return nil
	}
	repeated := c.opened.Repeats(m.Schedule.Game(2*s.Settled-2).Round + 1)
	pairs := make([]bool, s.Settled)
	for i := range pairs {
		pairs[i] = repeated[m.Schedule.Game(2*i).Round]
	}
	if count(pairs) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "  repeats %d of %d pairs begin with an opening that was played before: the errors above may be too small\n", count(pairs), s.Settled)
	return err
}
