package protocol

import (
	"fmt"
	"strconv"
)

// Score is a value from the point of view of the side to move at the root.
type Score struct {
	// Mate tells that the end of the game is seen: Value is then the number
	// of plies to it, positive when the side to move wins.
	Mate bool
	// Value is in hundredths of the unit that PROTOCOL.md defines, unless Mate.
	Value int
}

// String returns the score in the words of the protocol, `cp N` or `mate N`.
func (s Score) String() string {
	if s.Mate {
		return "mate " + strconv.Itoa(s.Value)
	}
	return "cp " + strconv.Itoa(s.Value)
}

// Bound tells how a reported score relates to the true one.
type Bound uint8

// A score is exact, or the true one is at least (LowerBound) or at most
// (UpperBound) as high.
const (
	Exact Bound = iota
	LowerBound
	UpperBound
)

// String returns the word of the protocol for the bound; it is empty for Exact.
func (b Bound) String() string {
	switch b {
	case Exact:
		return ""
	case LowerBound:
		return "lowerbound"
	case UpperBound:
		return "upperbound"
	}
	return fmt.Sprintf("Bound(%d)", uint8(b))
}
