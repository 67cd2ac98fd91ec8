// Package openings provides the openings of a match: random ones from a seed, or those
// of a file.
//
//	book.go       Book: openings of a file; Selection: which of them, in which order
//	generator.go  Recipe and Generator: random openings that a search finds balanced
//	explore.go    Exploration: statistics of openings from games of the engine with itself
//	expansion.go  Expansion: a tree of openings by deep searches, for the engine's opening book
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
	"gyre/position/plaintext"
)

// Book is a list of openings. A match with more rounds than openings starts over with the
// first.
type Book []game.Opening

// Opening returns the opening of a round, counted from 0.
func (b Book) Opening(round int) (game.Opening, error) {
	if len(b) == 0 {
		return game.Opening{}, errors.New("no openings")
	}
	return b[round%len(b)], nil
}

// Repeats reports for each of the first rounds whether its opening leads to the same
// position as that of an earlier round, up to symmetry. These are all rounds after the
// last opening, and duplicate openings of the book.
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
			continue // reported when it is played
		}
		key := end.SymmetricHash()
		repeats[i], seen[key] = seen[key], true
	}
	return repeats
}

// longestLine is the maximum length of a line in bytes.
const longestLine = 1 << 16

// Read reads openings in a text, which package plaintext decodes, one per line: a position (BOARD SIDE SCORE), turns from the start,
// or a position followed by turns. It skips the word `moves` before the turns, empty
// lines, and comments that start with #. Errors start with the given file name and the
// line number.
func Read(in io.Reader, name string, rules position.Rules) (Book, error) {
	return read(in, name, rules, func(string) error { return nil })
}

// read is Read. It calls mayParse with each line, and returns its error.
func read(in io.Reader, name string, rules position.Rules, mayParse func(line string) error) (Book, error) {
	var book Book
	lines := bufio.NewScanner(plaintext.NewReader(in))
	lines.Buffer(nil, longestLine+len("\r\n"))
	number := 0
	for lines.Scan() {
		number++
		if err := mayParse(lines.Text()); err != nil {
			return nil, err
		}
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
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("longer than %d bytes; write one opening per line", longestLine)
		}
		return nil, fmt.Errorf("%s:%d: %w", name, number+1, err)
	}
	if len(book) == 0 {
		return nil, fmt.Errorf("%s: no openings", name)
	}
	return book, nil
}

// positionWords is the number of words of a position.
const positionWords = 3

// parse parses an opening of at least one word.
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
	var err error
	if o.Turns, err = o.Start.ParseTurns(words); err != nil {
		return o, err
	}
	_, err = o.End()
	return o, err
}

// Format returns an opening in the form of Read.
func Format(o game.Opening) string {
	var words []string
	if start := o.Start.String(); start != position.StartText || len(o.Turns) == 0 {
		words = append(words, start)
	}
	return strings.Join(append(words, position.Words(o.Turns)...), " ")
}

// Selection says which openings of a book are played, and in which order. The zero value
// selects all in their order.
type Selection struct {
	// Plies is how many turns of each opening are kept; 0 keeps all. If openings then lead
	// to the same position, up to symmetry, only the first is kept.
	Plies int
	// Shuffled shuffles the openings by Seed, in the same way on every machine.
	Shuffled bool
	Seed     uint64
	// Start is the number, counted from 1, of the first opening played, after shuffling.
	// 0 means 1.
	Start int
}

// Check returns an error if the selection is invalid.
func (s Selection) Check() error {
	switch {
	case s.Plies < 0:
		return fmt.Errorf("openings of %d turns: negative", s.Plies)
	case s.Start < 0:
		return fmt.Errorf("first opening %d: negative", s.Start)
	}
	return nil
}

// Select returns the selected openings: truncated, shuffled, and from the start on. It
// returns an error if the selection is invalid or empty.
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
		return nil, fmt.Errorf("there is no opening %d: the book has %d", start, len(b))
	}
	return b[start-1:], nil
}

// cut returns the openings truncated to a number of turns, without duplicates.
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
