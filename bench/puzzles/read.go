package puzzles

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"gyre/position"
)

// line is a puzzle as a line of a file has it.
type line struct {
	ID       string   `json:"id"`
	FEN      string   `json:"fen"` // BOARD SIDE SCORE
	Rules    string   `json:"rules"`
	Theme    string   `json:"theme"`
	Rating   int      `json:"rating"`
	Solution []string `json:"solution"`
	Mate     int      `json:"mate,omitempty"`
}

// Mark is in the first kilobyte of every file of puzzles, and tells it from others.
const Mark = `,"theme":"`

// mostLine bounds the bytes of a line.
const mostLine = 1 << 16

// Read reads puzzles, each a JSON object on a line of its own:
//
//	{"id":"k3v9a0xw","fen":"BOARD SIDE SCORE","rules":"standard","theme":"make-row",
//	 "rating":1240,"solution":["e4-e8;xb3-b7xb2"],"mate":2}
//
// all on one line; mate is left out where no win is proven. Empty lines count for
// nothing. The error names the line and what is wrong in it: no such object, a turn
// that is not legal, what the rules do not bear out (see [Puzzle.Check]), or an id or
// a position that an earlier line has.
func Read(in io.Reader) ([]Puzzle, error) {
	var all []Puzzle
	seen := map[string]int{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, mostLine)
	number := 0
	for lines.Scan() {
		number++
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 {
			continue
		}
		z, err := readLine(text)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		// A position has its id in all sets of the command, so two of one are found by it.
		for _, id := range []string{z.ID, "=" + IDOf(&z.Position)} {
			if before, twice := seen[id]; twice {
				return nil, fmt.Errorf("line %d: puzzle %s is that of line %d", number, z.ID, before)
			}
			seen[id] = number
		}
		all = append(all, z)
	}
	if err := lines.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("longer than %d bytes", mostLine)
		}
		return nil, fmt.Errorf("line %d: %w", number+1, err)
	}
	return all, nil
}

// readLine reads a puzzle and checks it.
func readLine(text []byte) (Puzzle, error) {
	var l line
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&l); err != nil {
		return Puzzle{}, fmt.Errorf("no puzzle: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return Puzzle{}, errors.New("no puzzle: more than one object")
	}
	z, err := l.puzzle()
	if err != nil {
		return Puzzle{}, err
	}
	return z, z.Check()
}

// puzzle returns what the line says.
func (l *line) puzzle() (z Puzzle, err error) {
	z = Puzzle{ID: l.ID, Rating: l.Rating, Mate: l.Mate}
	rules, err := position.ParseRules(l.Rules)
	if err != nil {
		return z, err
	}
	if z.Position, err = position.Parse(l.FEN, rules); err != nil {
		return z, fmt.Errorf("fen: %w", err)
	}
	if z.Theme, err = ParseTheme(l.Theme); err != nil {
		return z, err
	}
	p := z.Position
	for i, word := range l.Solution {
		t, err := p.ParseTurn(word)
		if err != nil {
			return z, fmt.Errorf("solution, turn %d: %w", i+1, err)
		}
		z.Solution = append(z.Solution, t)
		p = after(&p, t)
	}
	return z, nil
}

// after returns the position after a legal turn.
func after(p *position.Position, t position.Turn) (child position.Position) {
	p.Play(&child, t)
	return child
}

// Write writes puzzles as Read takes them.
func Write(out io.Writer, all []Puzzle) error {
	for i := range all {
		z := &all[i]
		l := line{z.ID, z.Position.String(), z.Position.Rules().String(), z.Theme.String(), z.Rating, nil, z.Mate}
		for _, t := range z.Solution {
			l.Solution = append(l.Solution, t.String())
		}
		text, err := json.Marshal(l)
		if err != nil {
			return err
		}
		if _, err := out.Write(append(text, '\n')); err != nil {
			return err
		}
	}
	return nil
}
