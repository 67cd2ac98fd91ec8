// Package puzzles provides puzzles for people to solve: positions from games in which
// exactly one turn is right. [Set] returns the puzzles of file puzzles.jsonl, which
// gyre-train puzzles generates with package compose.
//
// # One right turn
//
// The chance of a turn is the share of the points that a search expects after it, in
// thousandths: 1000 times win + draw/2 in the model of package search, or 1000 or 0 if the
// search proves the result. A puzzle is selected if the chance of its first turn exceeds
// that of every other answer by 300, the loss that a game review calls a blunder. That
// search uses 100,000 nodes for the right turn and 100,000 for the others. The margin must
// hold with ten times as many nodes too, so no check with 1,000,000 nodes finds a second
// right turn in the set. A check with other nodes or another engine may find a smaller
// margin. The turn remains the only right one as long as it leads by [Tolerance], the loss
// that a review calls an inaccuracy.
//
// Two turns are the same answer if they move the same ring to the same point and remove
// the same rows: see [Same]. The removed ring matters only for the theme [RightRing]; then
// every other ring is worse by the same margin.
//
// A puzzle with Mate N is proven, by a search of all replies, to be won in N turns of the
// solver and in no fewer.
//
// Puzzles and their file format are in puzzle.go, themes in theme.go, and the searches that
// decide whether a turn is right in judge.go.
package puzzles

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"

	"github.com/zeebo/xxh3"

	"gyre/bench/tactics"
	"gyre/position"
)

// Limits of a puzzle.
const (
	MaxMate   = 5    // turns of the solver
	MaxRating = 3000 // on the scale of gyre-arena ladder; the lowest is 0
)

// Puzzle is a position in which the side to move, the solver, has one right turn.
type Puzzle struct {
	ID       string // one to 16 lower-case letters and digits; see [IDOf]
	Position position.Position
	Theme    Theme
	// Rating is the strength at which a player finds the first turn half the time. The
	// scale is that of gyre-arena ladder, on which uniformly random play has 0.
	Rating int
	// Solution is the right turn, the expected reply, the next right turn and so on: an
	// odd number of turns. Each turn of the solver is the only right one, except the last
	// turn of a win: there any turn that wins at once is right.
	Solution []position.Turn
	// Mate is the smallest number of turns in which the solver wins against the best
	// defense, or 0 if no win is proven.
	Mate int
}

// SetName is the name of the set in [Files]. [Read] reads its format.
const SetName = "puzzles.jsonl"

// Files holds the set and no other file.
//
//go:embed puzzles.jsonl
var Files embed.FS

// Set returns the puzzles of the set. An error means that the committed file is invalid.
func Set() ([]Puzzle, error) {
	file, err := Files.Open(SetName)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return Read(file)
}

// IDOf returns the ID of the puzzle with position p. Positions that are equal up to a
// symmetry of the board or a swap of colors have the same ID.
func IDOf(p *position.Position) string {
	const digits = "0123456789abcdefghjkmnpqrstvwxyz" // without look-alikes
	sum := xxh3.HashString(tactics.Canonical(p))
	var id [8]byte
	for i := range id {
		id[i] = digits[sum>>(5*i)&31]
	}
	return string(id[:])
}

// String identifies the puzzle in messages.
func (z *Puzzle) String() string {
	return fmt.Sprintf("puzzle %s, %v %v", z.ID, &z.Position, z.Position.Rules())
}

// idForm matches a valid ID.
var idForm = regexp.MustCompile(`^[a-z0-9]{1,16}$`)

// Check reports how a puzzle violates the rules of the game, or nil. All turns of the
// solution must be legal.
func (z *Puzzle) Check() error {
	switch {
	case !idForm.MatchString(z.ID):
		return fmt.Errorf("id %q: use 1 to 16 lower-case letters and digits", z.ID)
	case z.Rating < 0 || z.Rating > MaxRating:
		return fmt.Errorf("rating %d: must be from 0 to %d", z.Rating, MaxRating)
	case z.Mate < 0 || z.Mate > MaxMate:
		return fmt.Errorf("mate %d: must be from 1 to %d, or omitted", z.Mate, MaxMate)
	case len(z.Solution)%2 == 0:
		return fmt.Errorf("solution of %d turns: must begin and end with a turn of the solver", len(z.Solution))
	case !z.Has(z.Theme):
		return fmt.Errorf("theme %v: does not match the solution", z.Theme)
	}
	return z.checkEnd()
}

// checkEnd checks the end of the solution. Either the solver has won, after Mate turns, or
// the game is still going on.
func (z *Puzzle) checkEnd() error {
	p := z.Position
	for _, t := range z.Solution {
		p = p.After(t)
	}
	turns := (len(z.Solution) + 1) / 2
	switch won := p.Result() == wonBy(z.Position.SideToMove()); {
	case p.Over() && !won:
		return errors.New("solution: the game is over and the solver has not won")
	case won && z.Mate != turns:
		return fmt.Errorf("solution: wins in %d, but mate is %d", turns, z.Mate)
	case !won && z.Mate > 0 && turns >= z.Mate:
		return fmt.Errorf("solution: no win after %d turns of the solver, but mate is %d", turns, z.Mate)
	}
	return nil
}

// wonBy returns the result in which side has won.
func wonBy(side position.Side) position.Result {
	return position.WhiteWins + position.Result(side)
}

// line is the JSON form of a puzzle.
type line struct {
	ID       string   `json:"id"`
	FEN      string   `json:"fen"` // BOARD SIDE SCORE
	Rules    string   `json:"rules"`
	Theme    string   `json:"theme"`
	Rating   int      `json:"rating"`
	Solution []string `json:"solution"`
	Mate     int      `json:"mate,omitempty"`
}

// Mark occurs in the first kilobyte of every file of puzzles and identifies the format.
const Mark = `,"theme":"`

// maxLine is the maximum length of a line in bytes.
const maxLine = 1 << 16

// Read reads puzzles. Each is a JSON object on a line of its own:
//
//	{"id":"k3v9a0xw","fen":"BOARD SIDE SCORE","rules":"standard","theme":"make-row",
//	 "rating":1240,"solution":["e4-e8;xb3-b7xb2"],"mate":2}
//
// all on one line. The field mate is omitted if no win is proven. Empty lines are ignored.
// Read rejects lines that are not such an object, illegal turns, contradictions to the
// rules (see [Puzzle.Check]), and IDs and positions that an earlier line has. The error
// names the line.
func Read(in io.Reader) ([]Puzzle, error) {
	var all []Puzzle
	seen := map[string]int{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
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
		// The ID made of the position detects a repeated position under another ID.
		for _, id := range []string{z.ID, "=" + IDOf(&z.Position)} {
			if before, twice := seen[id]; twice {
				return nil, fmt.Errorf("line %d: puzzle %s repeats line %d", number, z.ID, before)
			}
			seen[id] = number
		}
		all = append(all, z)
	}
	if err := lines.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("longer than %d bytes", maxLine)
		}
		return nil, fmt.Errorf("line %d: %w", number+1, err)
	}
	return all, nil
}

// readLine parses and checks a puzzle.
func readLine(text []byte) (Puzzle, error) {
	var l line
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&l); err != nil {
		return Puzzle{}, fmt.Errorf("not a puzzle: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return Puzzle{}, errors.New("not a puzzle: more than one object")
	}
	z, err := l.puzzle()
	if err != nil {
		return Puzzle{}, err
	}
	return z, z.Check()
}

// puzzle converts the line to a puzzle.
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
		p = p.After(t)
	}
	return z, nil
}

// Write writes puzzles in the format of Read.
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
