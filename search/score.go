package search

// Score is the worth of a position for the side to move: in the centipawns of the
// evaluation, or near ±Win a proven end.
type Score int32

// The bounds of scores. A win found n plies from now is Win - n.
const (
	Infinity     Score = 32000
	Win          Score = 31000
	MaxDepth           = 100 // turns; no game has more ring moves and rings to place than 81
	WinThreshold       = Win - 2*MaxDepth
)

// WinIn is the score of a win plies from the root.
func WinIn(plies int) Score { return Win - Score(plies) }

// LossIn is the score of a loss plies from the root.
func LossIn(plies int) Score { return -Win + Score(plies) }

// Mate returns in how many plies the game is won (positive) or lost (negative,
// or zero if it is lost already), and whether the score says so.
func (s Score) Mate() (plies int, proven bool) {
	switch {
	case s >= WinThreshold:
		return int(Win - s), true
	case s <= -WinThreshold:
		return -int(Win + s), true
	}
	return 0, false
}
