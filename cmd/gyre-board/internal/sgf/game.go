// Package sgf reads and writes boardspace.net's YINSH games: files in the Smart Game Format
// whose nodes record the players' mouse actions.
//
// Boardspace names points as Gyre does. It splits a turn into nodes: placing a marker and
// dropping a ring, or a move; removing a row, removing a ring; and "Done" after each. The
// rules determine where a turn ends, so the reader ignores "Done". It also ignores
// preparations, for example picking up a piece.
//
// The format also holds whole trees. Notes use the properties of FF[4]: C, AR and CR (arrows,
// circles), WL and BL (clocks), DO and BM (bad turns). Notes without a standard property go
// into private ones, which other programs keep or ignore: GYRESTART, the position at the
// start; GYREGAME and GYRE, texts of the caller for the game and for a node; GYREMARKS, the
// arrows and circles of a node in order, written only if a circle precedes an arrow. A note
// that the reader does not understand is ignored.
package sgf

import (
	"strconv"
	"strings"

	"gyre/position"
	"gyre/position/record"
)

// Game is a game with all its variations.
type Game struct {
	Start position.Position
	Tags  []record.Tag // only tags for which Holds is true
	Own   string       // text of the caller for the game; may be empty
	Root  *Node        // the start
}

// Node is a position in the tree of a game: the start, or the position after a turn.
type Node struct {
	Turn     position.Turn // None at the start
	Notes    Notes
	End      *End    // the end of the game, if the board does not show it
	Children []*Node // the main line first
}

// Notes are the annotations of a turn.
type Notes struct {
	Comment string
	Arrows  [][2]position.Point // a circle if both points are the same
	Clock   *Clock
	Fault   Fault
	Own     string // text of the caller for the node; may be empty
}

// Clock is the time left on both clocks after the turn in milliseconds.
type Clock struct {
	White float64 `json:"w"`
	Black float64 `json:"b"`
}

// Fault classifies a bad turn.
type Fault uint8

// The faults, in the format DO, BM[1] and BM[2].
const (
	NoFault Fault = iota
	Doubtful
	Bad
	VeryBad
)

// End is an end of the game that the board does not show.
type End struct {
	Result position.Result
	Why    string // in others' files "resignation", "agreement", "time forfeit", "forfeit" or "adjudication"
}

// Holds reports whether the format can store a tag unchanged.
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

// result returns the result in the standard form, or the empty string for an unfinished game.
func (g *Game) result() string {
	end := g.Start
	leaf := g.Root
	for len(leaf.Children) > 0 {
		leaf = leaf.Children[0]
		end = end.After(leaf.Turn)
	}
	result, how := end.Result(), ""
	switch {
	case end.Over():
		how = strconv.Itoa(max(end.Removed(position.White), end.Removed(position.Black)) - min(end.Removed(position.White), end.Removed(position.Black)))
	case leaf.End == nil:
		return ""
	default:
		result = leaf.End.Result
		how = map[string]string{"resignation": "Resign", "time forfeit": "Time", "forfeit": "Forfeit"}[leaf.End.Why]
	}
	switch result {
	case position.WhiteWins:
		return "W+" + how
	case position.BlackWins:
		return "B+" + how
	}
	return "Draw"
}

// add adds other notes. Comments and arrows are appended; everything else replaces the
// earlier value.
func (n *Notes) add(other Notes) {
	if n.Comment != "" && other.Comment != "" {
		n.Comment += "\n"
	}
	n.Comment += other.Comment
	n.Arrows = append(n.Arrows[:len(n.Arrows):len(n.Arrows)], other.Arrows...)
	if other.Clock != nil {
		n.Clock = other.Clock
	}
	if other.Fault != NoFault {
		n.Fault = other.Fault
	}
	if other.Own != "" {
		n.Own = other.Own
	}
}

// Clocks are in milliseconds here and in seconds in the format. The conversion moves the
// decimal point in the text, so a time that is written and read again is the same number.

// secondsOf returns milliseconds as a number of seconds without an exponent.
func secondsOf(ms float64) string {
	text := strconv.FormatFloat(ms, 'f', -1, 64)
	sign := ""
	if text[0] == '-' {
		sign, text = "-", text[1:]
	}
	whole, part, _ := strings.Cut(text, ".")
	whole = strings.Repeat("0", max(0, 4-len(whole))) + whole
	cut := len(whole) - 3
	part = strings.TrimRight(whole[cut:]+part, "0")
	if part != "" {
		part = "." + part
	}
	return sign + whole[:cut] + part
}

// millisecondsOf reads a number of seconds as milliseconds.
func millisecondsOf(text string) (float64, error) {
	whole, part, _ := strings.Cut(strings.TrimSpace(text), ".")
	part += strings.Repeat("0", max(0, 3-len(part)))
	if strings.Trim(whole, "+-0123456789") != "" || strings.Trim(part, "0123456789") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(whole+part[:3]+"."+part[3:], 64)
}

// finish sets the game's tags, and its end if the file gives one and the moves do not. main is
// the end of the main line.
func (g *Game) finish(t tags, main *place) {
	for side, name := range [2]string{position.White: "White", position.Black: "Black"} {
		player := 0
		if main.sideOf(0) != position.Side(side) {
			player = 1
		}
		if t.players[player] != "" {
			g.Tags = append(g.Tags, record.Tag{Name: name, Value: t.players[player]})
		}
	}
	g.Tags = append(g.Tags, t.others...)
	if main.node.End == nil && !main.steps.Now().Over() {
		main.node.End = t.end(main.sideOf)
	}
}
