package puzzles

import (
	"embed"
	"fmt"

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
