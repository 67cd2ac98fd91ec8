package sgf

import (
	"strings"

	"gyre/position"
	"gyre/position/record"
)

// Game is a game of a file.
type Game struct {
	Start position.Position
	Tags  []record.Tag // of those that Holds tells of
	Own   string       // what the caller keeps of the game besides; empty for nothing
	Root  *Node        // the start
}

// Node is a position in the tree of a game: the start, or what a turn led to.
type Node struct {
	Turn     position.Turn // None at the start
	Notes    Notes
	End      *End    // where the game ended here and the board does not show it
	Children []*Node // the first is the main way on
}

// Notes are what stands beside a turn.
type Notes struct {
	Comment string
	Arrows  [][2]position.Point // a circle where both points are the same
	Clock   *Clock
	Fault   Fault
	Own     string // what the caller keeps of the node besides; empty for nothing
}

// Clock is what was left to both sides when the turn was done, in milliseconds.
type Clock struct{ White, Black float64 }

// Fault is how bad a turn is.
type Fault uint8

// The faults: as DO, BM[1] and BM[2] tell them.
const (
	NoFault Fault = iota
	Doubtful
	Bad
	VeryBad
)

// End is the end of a game that the board does not show.
type End struct {
	Result position.Result
	Why    string // "resignation", "agreement", "time forfeit", "forfeit" or "adjudication" in files of others
}

// Leaf returns the end of the main line.
func (g *Game) Leaf() *Node {
	node := g.Root
	for len(node.Children) > 0 {
		node = node.Children[0]
	}
	return node
}

// Holds tells whether the format has a place for a tag where its value stays as it is.
func Holds(tag record.Tag) bool {
	switch tag.Name {
	case "White", "Black", "Event":
		return tag.Value != "" && tag.Value == strings.Trim(record.Printable(tag.Value), `"`)
	case "Date":
		date, ok := dateOf(strings.ReplaceAll(tag.Value, ".", "-"))
		return ok && date == tag.Value
	}
	return false
}
