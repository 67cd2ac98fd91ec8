package evaluation

import (
	"fmt"

	"gyre/position"
)

// Weights is what an evaluation knows: the worth, for the side to move, of what
// [Features] tell of a position. It is plain numbers; an [Evaluator] is made
// from it to be fast.
type Weights struct {
	// Windows is the worth of a window by its index, in WindowUnit-ths of a
	// centipawn. A window and its reversal are worth the same: so the 12
	// symmetries of a position are.
	Windows [WindowStates]int16
	// Sixes is what a six is worth by its index beside the two windows in it, in
	// WindowUnit-ths of a centipawn, and as much as its reversal.
	Sixes [SixStates]int16
	// Removed is the worth of the rings removed, by the own and by theirs, in
	// centipawns.
	Removed [RemovedStates][RemovedStates]int16
	// Tempo is the worth of being to move, in centipawns.
	Tempo int16
	// Move is the worth of each ring move that the own rings have more than
	// theirs, in MoveUnit-ths of a centipawn.
	Move int16
	// Blocked is what each own ring that cannot move costs, and each of theirs
	// gains, in centipawns.
	Blocked int16
	// About tells in one line where the weights come from.
	About string
}

// RemovedStates is the number of rings that a side can have removed while the
// game goes on: none to two.
const RemovedStates = 3

// The units of weights finer than a centipawn.
const (
	WindowUnit = 16  // of Weights.Windows and Weights.Sixes in a centipawn
	MoveUnit   = 100 // of Weights.Move in a centipawn
)

// terms are the parts of an evaluation, in centipawns for the side to move.
type terms struct {
	windows, removed, moves, blocked, tempo int
}

// sum is the evaluation.
func (t *terms) sum() int {
	return bounded(t.windows + t.removed + t.moves + t.blocked + t.tempo)
}

// Evaluate returns the worth in centipawns, for the side to move, of a position
// with such features. This is what the evaluation is by definition; an
// [Evaluator] computes the same faster.
func (w *Weights) Evaluate(f *Features) int {
	t := w.terms(f)
	return t.sum()
}

// terms returns the parts of the evaluation. Each is rounded towards zero, so
// that weights without a difference between the sides give evaluations without
// one.
func (w *Weights) terms(f *Features) terms {
	windows := 0
	for _, index := range f.Windows {
		windows += int(w.Windows[index])
	}
	for _, index := range f.Sixes {
		windows += int(w.Sixes[index])
	}
	return terms{
		windows: windows / WindowUnit,
		removed: w.removed(f.Own, f.Theirs),
		moves:   f.Moves * int(w.Move) / MoveUnit,
		blocked: -f.Blocked * int(w.Blocked),
		tempo:   int(w.Tempo),
	}
}

// removed returns the worth of rings removed. With more than RemovedStates
// allows the game is over, and the worth is without measure.
func (w *Weights) removed(own, theirs int) int {
	switch over := RemovedStates - 1; {
	case own > over && theirs > over:
		return 0
	case own > over:
		return Bound
	case theirs > over:
		return -Bound
	}
	return int(w.Removed[own][theirs])
}

// check tells whether the weights are such as an evaluation can have.
func (w *Weights) check() error {
	if err := checkReversals("window", w.Windows[:], position.RowLength); err != nil {
		return err
	}
	if err := checkReversals("six", w.Sixes[:], SixPoints); err != nil {
		return err
	}
	return checkAbout(w.About)
}

// checkReversals tells whether reversals are worth the same.
func checkReversals(name string, worths []int16, points int) error {
	for index, worth := range worths {
		if twin := Reversed(index, points); worths[twin] != worth {
			return fmt.Errorf("%s %d is worth %d, and its reversal %d is worth %d", name, index, worth, twin, worths[twin])
		}
	}
	return nil
}

// Features is a position as weights see it, for the side to move.
type Features struct {
	Windows     [position.RowCount]uint16 // the index of each window
	Sixes       [SixCount]uint16          // the index of each six
	Own, Theirs int                       // rings removed
	Moves       int                       // own ring moves less theirs
	Blocked     int                       // own rings that cannot move less theirs
}

// FeaturesOf returns the features of a position whose game is not over.
func FeaturesOf(p *position.Position) Features {
	us, them := p.SideToMove(), p.SideToMove().Opponent()
	moves, blocked := p.RingMoves(us)
	theirMoves, theirBlocked := p.RingMoves(them)
	f := Features{
		Own: p.Removed(us), Theirs: p.Removed(them),
		Moves: moves - theirMoves, Blocked: blocked - theirBlocked,
	}
	for row := range f.Windows {
		f.Windows[row] = indexAt(p, position.Row(row).Points(), us)
	}
	for six := range f.Sixes {
		f.Sixes[six] = indexAt(p, sixes[six], us)
	}
	return f
}
