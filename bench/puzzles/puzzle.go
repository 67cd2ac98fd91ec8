// Package puzzles holds little problems for people to solve: positions of games
// in which one turn is right.
//
//	puzzle.go       Puzzle; the set, puzzles.jsonl
//	read.go         reading and writing it, a line each
//	check.go        what has to hold of a puzzle by the rules
//	theme.go        themes, by facts of the position and the turn
//	same.go         when two turns are the same answer
//	judge.go        Judge: what turns are worth, by a search of so many nodes
//	unique.go       Lead; whether a turn is the only right one
//	puzzles.jsonl   the set: made by gyre-train puzzles
//
// # One right turn
//
// The chance of a turn is the share of the points that a search expects after it,
// in thousandths: 1000 times win + draw/2 of the model of package search, and 1000
// or 0 where the search proves the end. A puzzle is chosen if the chance of its first
// turn is 300 above that of every other answer, the loss at which a review of a game
// says "blunder", with 100,000 nodes for the right turn and 100,000 for the others. It
// comes into the set only if it is as far above with ten times as many: so a check of any
// puzzle of the set with 1,000,000 nodes finds no other right turn. A check with other
// nodes, or by another engine, may find less: as long as the turn is [Tolerance] above,
// the loss at which a review says "inaccuracy", no other is right.
//
// Two turns are the same answer if they move the same ring to the same point and
// take the same rows off: see [Same]. Which ring pays counts where the theme is
// [RightRing], and there every other ring is worse by as much.
//
// A puzzle with Mate N is proven, by a search of all replies, to be won in N turns
// of the solver and in no fewer.
//
// Folder compose makes puzzles.
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

// The bounds of puzzles.
const (
	MostMate   = 5    // turns of the solver until it has won
	MostRating = 3000 // on the scale of gyre-arena ladder; the least is 0
)

// Puzzle is a position whose side to move, the solver, has one right turn.
type Puzzle struct {
	ID       string // of one to 16 letters and digits; [IDOf] makes it of the position
	Position position.Position
	Theme    Theme
	// Rating says how strong a player must be to find the first turn half the time, on
	// the scale of gyre-arena ladder, where uniformly random play has 0.
	Rating int
	// Solution is the right turn, the reply expected, the next right turn and so on: an
	// odd number of turns. Each of the solver's is the only right one but for the last
	// of a win, where any turn that wins at once will do.
	Solution []position.Turn
	// Mate is in how many turns of the solver, as few as can be, it wins against the best
	// defence; 0 if no win is proven.
	Mate int
}

// SetName is the name of the set, as [Read] takes it, in Files.
const SetName = "puzzles.jsonl"

// Files has the set and nothing else.
//
//go:embed puzzles.jsonl
var Files embed.FS

// Set returns the puzzles of the set. The error says what is wrong with the
// committed file.
func Set() ([]Puzzle, error) {
	file, err := Files.Open(SetName)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return Read(file)
}

// IDOf returns the name of the puzzle of a position: the same for positions that
// are the same but for a symmetry of the board or the colours.
func IDOf(p *position.Position) string {
	const digits = "0123456789abcdefghjkmnpqrstvwxyz" // without those that look alike
	sum := xxh3.HashString(tactics.Canonical(p))
	var id [8]byte
	for i := range id {
		id[i] = digits[sum>>(5*i)&31]
	}
	return string(id[:])
}

// String names the puzzle for people.
func (z *Puzzle) String() string {
	return fmt.Sprintf("puzzle %s, %v %v", z.ID, &z.Position, z.Position.Rules())
}

// idForm is the form of an id.
var idForm = regexp.MustCompile(`^[a-z0-9]{1,16}$`)

// Check returns what is wrong with a puzzle by the rules of the game alone, nil if
// nothing. Its solution must be legal.
func (z *Puzzle) Check() error {
	switch {
	case !idForm.MatchString(z.ID):
		return fmt.Errorf("id %q: one to 16 small letters and digits are wanted", z.ID)
	case z.Rating < 0 || z.Rating > MostRating:
		return fmt.Errorf("rating %d: not from 0 to %d", z.Rating, MostRating)
	case z.Mate < 0 || z.Mate > MostMate:
		return fmt.Errorf("mate %d: not from 1 to %d, nor left out", z.Mate, MostMate)
	case len(z.Solution)%2 == 0:
		return fmt.Errorf("a solution of %d turns: it begins and ends with the solver's", len(z.Solution))
	case !z.Has(z.Theme):
		return fmt.Errorf("theme %v: it does not fit the solution", z.Theme)
	}
	return z.checkEnd()
}

// checkEnd checks how the solution ends: with a game that the solver has won, after as
// many turns as it wins in, or going on.
func (z *Puzzle) checkEnd() error {
	p := z.Position
	for _, t := range z.Solution {
		p = after(&p, t)
	}
	turns := (len(z.Solution) + 1) / 2
	switch won := p.Result() == wonBy(z.Position.SideToMove()); {
	case p.Over() && !won:
		return errors.New("the solver has not won at the end of the solution")
	case won && z.Mate != turns:
		return fmt.Errorf("the solution wins in %d, and mate is %d", turns, z.Mate)
	case !won && z.Mate > 0 && turns >= z.Mate:
		return fmt.Errorf("the solution has not won after %d turns of the solver, and mate is %d", turns, z.Mate)
	}
	return nil
}

// wonBy is the result in which a side has won.
func wonBy(side position.Side) position.Result {
	return position.WhiteWins + position.Result(side)
}

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
