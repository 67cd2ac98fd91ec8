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
	"fmt"
	"slices"
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
		date, ok := dateOf(standardDate.Replace(tag.Value))
		return ok && date == tag.Value
	}
	return false
}

// standardDate converts a date of a record to one of the format.
var standardDate = strings.NewReplacer(".??", "", ".", "-")

// MainLine returns the turns of the main line, and the position and the node after them.
func (g *Game) MainLine() (turns []position.Turn, end position.Position, leaf *Node) {
	end, leaf = g.Start, g.Root
	for len(leaf.Children) > 0 {
		leaf = leaf.Children[0]
		turns, end = append(turns, leaf.Turn), end.After(leaf.Turn)
	}
	return turns, end, leaf
}

// result returns the result in the standard form, or the empty string for an unfinished game.
func (g *Game) result() string {
	_, end, leaf := g.MainLine()
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

// size returns the length of the notes that take memory, in bytes.
func (n *Notes) size() int { return len(n.Comment) + len(n.Own) + len(n.Arrows)*len("a1:a2") }

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
	if main.node.End == nil && !main.steps.Now().Over() && !main.ended {
		main.node.End = t.end(main.sideOf)
	}
}

// Write returns the text of a file with one game. All turns must be legal.
func Write(g *Game) string {
	w := &writer{}
	w.text.WriteString("(;\nFF[4]GM[24]VV[2]CA[UTF-8]AP[Gyre]\n")
	w.property("SU", map[position.Rules]string{position.Standard: "Yinsh", position.Blitz: "Yinsh-Blitz"}[g.Start.Rules()])
	if g.Start != position.Start(g.Start.Rules()) {
		w.property(ownStart, g.Start.String())
	}
	w.tags(g)
	w.property("RE", g.result())
	w.property(ownGame, g.Own)
	w.text.WriteString("\n")
	w.notes(&g.Root.Notes)
	w.node("P0", "Start White")
	w.ways(g.Root, g.Start)
	w.text.WriteString(")\n")
	return w.text.String()
}

// writer builds a file.
type writer struct {
	text  strings.Builder
	count int // actions before this point
}

// property writes a property, unless its value is empty.
func (w *writer) property(name, value string) {
	if value != "" {
		w.text.WriteString(name + "[" + escape(value) + "]")
	}
}

// node begins a node with a player's action.
func (w *writer) node(player, action string) {
	fmt.Fprintf(&w.text, "\n; %s[%d %s]", player, w.count, action)
	w.count++
}

// tags writes the tags that the format can store.
func (w *writer) tags(g *Game) {
	for _, tag := range g.Tags {
		if !Holds(tag) {
			continue
		}
		switch tag.Name {
		case "White":
			w.property("P0", `id "`+tag.Value+`"`)
			w.property("PW", tag.Value)
		case "Black":
			w.property("P1", `id "`+tag.Value+`"`)
			w.property("PB", tag.Value)
		case "Event":
			w.property("GN", tag.Value)
		case "Date":
			w.property("DT", standardDate.Replace(tag.Value))
		}
	}
}

// ways writes the variations at a node with position p. Each branch has a turn of its own, so
// the length of a game limits the nesting.
func (w *writer) ways(node *Node, p position.Position) {
	for len(node.Children) == 1 {
		node = node.Children[0]
		p = w.turn(node, p)
	}
	before := w.count
	for _, child := range node.Children {
		w.count = before
		w.text.WriteString("\n(")
		w.ways(child, w.turn(child, p))
		w.text.WriteString(")")
	}
}

// players are the properties, rings and markers of the sides.
var players = [2]struct{ name, ring, marker string }{
	position.White: {"P0", whiteRing, whiteMarker},
	position.Black: {"P1", blackRing, blackMarker},
}

// turn writes the actions of a turn, and returns the position after it. The notes follow the
// last action.
func (w *writer) turn(node *Node, p position.Position) position.Position {
	player := players[p.SideToMove()]
	for _, step := range node.Turn.Steps() {
		switch step.Kind {
		case position.StepPlace:
			w.node(player.name, "place "+player.ring+" "+spaced(step.To))
		case position.StepMove:
			w.node(player.name, "move "+spaced(step.From)+" "+spaced(step.To))
		case position.StepPass:
			w.node(player.name, "Pass")
		case position.StepTakeRow:
			first, last := step.Row.Ends()
			w.node(player.name, "remove "+player.marker+" "+spaced(first)+" "+spaced(last))
		case position.StepTakeRing:
			w.node(player.name, "remove "+player.ring+" "+spaced(step.From))
		}
		w.node(player.name, "Done")
	}
	w.notes(&node.Notes)
	after := p.After(node.Turn)
	if node.End != nil && node.End.Why == "resignation" && len(node.Children) == 0 && node.End.Result != position.Draw {
		loser := players[position.White].name
		if node.End.Result == position.WhiteWins {
			loser = players[position.Black].name
		}
		w.node(loser, "Resign")
		w.node(loser, "Done")
	}
	return after
}

// spaced returns a point in Boardspace's form: "G 11".
func spaced(p position.Point) string {
	name := p.String()
	return strings.ToUpper(name[:1]) + " " + name[1:]
}

// notes writes the notes of a turn.
func (w *writer) notes(n *Notes) {
	w.property("C", n.Comment)
	var arrows, circles [][2]position.Point
	for _, arrow := range n.Arrows {
		if arrow[0] == arrow[1] {
			circles = append(circles, arrow)
		} else {
			arrows = append(arrows, arrow)
		}
	}
	w.arrows("AR", arrows)
	w.arrows("CR", circles)
	if !slices.Equal(append(arrows, circles...), n.Arrows) {
		w.arrows(ownMarks, n.Arrows)
	}
	if n.Clock != nil {
		w.property("WL", secondsOf(n.Clock.White))
		w.property("BL", secondsOf(n.Clock.Black))
	}
	switch n.Fault {
	case Doubtful:
		w.text.WriteString("DO[]")
	case Bad:
		w.property("BM", "1")
	case VeryBad:
		w.property("BM", "2")
	}
	w.property(ownNode, n.Own)
}

// arrows writes a property whose values are arrows and circles, unless there are none.
func (w *writer) arrows(name string, all [][2]position.Point) {
	if len(all) > 0 {
		w.text.WriteString(name)
	}
	for _, arrow := range all {
		value := arrow[0].String()
		if arrow[0] != arrow[1] {
			value += ":" + arrow[1].String()
		}
		w.text.WriteString("[" + value + "]")
	}
}
