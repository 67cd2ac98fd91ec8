// Package openings makes the positions that games of a match begin with: at
// random from a seed, or from a file.
//
//	book.go       Book: openings from a file, and writing one; Selection: which of them
//	generator.go  Recipe and Generator: random openings that a search finds even
//	explore.go    Exploration: how games of the engine with itself go on from each
package openings

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"gyre/bench/game"
	"gyre/position"
)

// Book is a list of openings. A match with more rounds than openings begins
// with the first again.
type Book []game.Opening

// Opening returns the opening of a round from 0.
func (b Book) Opening(round int) (game.Opening, error) {
	if len(b) == 0 {
		return game.Opening{}, errors.New("no openings")
	}
	return b[round%len(b)], nil
}

// Repeats returns, for each round below a number, whether it begins with a position
// that an earlier round began with, symmetries of the board apart: all do that come
// after the last opening, and those of openings that are in the book twice.
func (b Book) Repeats(rounds int) []bool {
	seen := map[uint64]bool{}
	repeats := make([]bool, rounds)
	for i := range repeats {
		if i >= len(b) {
			repeats[i] = true
			continue
		}
		end, err := b[i].End()
		if err != nil {
			continue // it will be told when it is to be played
		}
		key := end.SymmetricHash()
		repeats[i], seen[key] = seen[key], true
	}
	return repeats
}

// longestLine bounds a line of a file of openings, in bytes.
const longestLine = 1 << 16

// Read reads openings, one a line: a position, BOARD SIDE SCORE, or turns from
// the start, or a position and turns after it. A word `moves` before the turns
// is passed over, as are empty lines and what follows a #. The error names the
// line.
func Read(in io.Reader, name string, rules position.Rules) (Book, error) {
	var book Book
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longestLine)
	number := 0
	for lines.Scan() {
		number++
		text, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		o, err := parse(words, rules)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		book = append(book, o)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, number+1, err)
	}
	if len(book) == 0 {
		return nil, fmt.Errorf("%s: no openings in it", name)
	}
	return book, nil
}

// positionWords is how many words a position has.
const positionWords = 3

// parse reads an opening of at least one word.
func parse(words []string, rules position.Rules) (game.Opening, error) {
	o := game.Opening{Start: position.Start(rules)}
	if strings.Contains(words[0], "/") {
		n := min(len(words), positionWords)
		var err error
		if o.Start, err = position.Parse(strings.Join(words[:n], " "), rules); err != nil {
			return o, err
		}
		words = words[n:]
	}
	if len(words) > 0 && words[0] == "moves" {
		words = words[1:]
	}
	p := o.Start
	for _, word := range words {
		t, err := p.ParseTurn(word)
		if err != nil {
			return o, err
		}
		o.Turns = append(o.Turns, t)
		var child position.Position
		p.Play(&child, t)
		p = child
	}
	_, err := o.End()
	return o, err
}

// Format returns an opening as Read takes it.
func Format(o game.Opening) string {
	var words []string
	if start := o.Start.String(); start != position.StartText || len(o.Turns) == 0 {
		words = append(words, start)
	}
	for _, t := range o.Turns {
		words = append(words, t.String())
	}
	return strings.Join(words, " ")
}

// Selection is which openings of a book are played, and in which order. The zero
// value is all, as they stand.
type Selection struct {
	// Plies is how many turns of each opening are kept; 0 keeps all. Openings that lead
	// to the same position as one before them then, symmetries apart, go.
	Plies int
	// Shuffled puts them in an order that Seed decides, the same on any machine.
	Shuffled bool
	Seed     uint64
	// Start is the number, from 1, of the first that is played, in that order; those
	// before it go. 0 is the same as 1.
	Start int
}

// Check returns what is wrong with the selection, nil if nothing.
func (s Selection) Check() error {
	switch {
	case s.Plies < 0:
		return fmt.Errorf("openings cut after %d turns: negative", s.Plies)
	case s.Start < 0:
		return fmt.Errorf("opening %d to begin with: negative", s.Start)
	}
	return nil
}

// Select returns what a selection takes of the book: cut, put in order, and from its
// start on. The error says what is wrong with the selection, or that nothing is left.
func (b Book) Select(s Selection) (Book, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	b = b.cut(s.Plies)
	if s.Shuffled {
		b = slices.Clone(b)
		rng := rand.New(rand.NewPCG(s.Seed, 0))
		rng.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
	}
	start := max(s.Start, 1)
	if start > len(b) {
		return nil, fmt.Errorf("opening %d to begin with: there are %d", start, len(b))
	}
	return b[start-1:], nil
}

// cut returns the openings with no more turns than plies, each position once.
func (b Book) cut(plies int) Book {
	if plies == 0 {
		return b
	}
	var kept Book
	for _, o := range b {
		kept = append(kept, game.Opening{Start: o.Start, Turns: o.Turns[:min(plies, len(o.Turns))]})
	}
	repeats := kept.Repeats(len(kept))
	var once Book
	for i, o := range kept {
		if !repeats[i] {
			once = append(once, o)
		}
	}
	return once
}
