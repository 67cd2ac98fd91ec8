package openings

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"gyre/bench/game"
)

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
