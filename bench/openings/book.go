package openings

import (
	"bufio"
	"errors"
	"fmt"
	"io"
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
