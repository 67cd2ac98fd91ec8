package sgf

import (
	"fmt"
	"slices"
	"strings"

	"gyre/cmd/gyre-board/internal/referee"
	"gyre/position"
)

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
			w.property("DT", strings.ReplaceAll(tag.Value, ".", "-"))
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
	for _, step := range referee.StepsOf(node.Turn) {
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
