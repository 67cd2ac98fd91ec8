package gametext

import (
	"encoding/json"
	"io"
	"slices"

	"gyre/cmd/gyre-board/internal/referee"
	"gyre/cmd/gyre-board/internal/sgf"
	"gyre/position"
	"gyre/position/record"
)

// besides is what a file in the Smart Game Format holds of a game in a property of our
// own.
type besides struct {
	Tags   [][2]string `json:"tags,omitempty"`
	Result string      `json:"result,omitempty"` // where the board and the end do not tell it
}

// faults are the labels of a review as the format has them.
var faults = map[string]sgf.Fault{"inaccuracy": sgf.Doubtful, "mistake": sgf.Bad, "blunder": sgf.VeryBad}

// WriteSGF returns the text of a file in the Smart Game Format, as boardspace.net has
// it, with the whole tree. What is refused and how is as in Write.
func WriteSGF(g Game) (string, error) {
	r, err := recordOf(g)
	if err != nil {
		return "", err
	}
	if err := r.Write(io.Discard); err != nil {
		return "", &referee.Error{Message: err.Error()}
	}
	tree := slices.Clone(g.Tree)
	if tree == nil {
		tree = treeOf(&r)
	}
	var own besides
	if end := gameOf(&r).End; end != nil {
		tree[len(tree)-1].End, own.Result = end, resultOf(&r)
	}
	file := sgf.Game{Start: r.Start}
	if file.Root, err = writeNode(tree[0]); err != nil {
		return "", err
	}
	if err := addWays(file.Root, r.Start, tree[0].Others, tree[1:]); err != nil {
		return "", err
	}
	for _, tag := range r.Tags {
		switch {
		case tag.Name == treeTag:
		case sgf.Holds(tag):
			file.Tags = append(file.Tags, tag)
		default:
			own.Tags = append(own.Tags, [2]string{tag.Name, tag.Value})
		}
	}
	if own.Tags != nil || own.Result != "" {
		text, err := json.Marshal(own)
		if err != nil {
			return "", &referee.Error{Message: err.Error()}
		}
		file.Own = string(text)
	}
	return sgf.Write(&file), nil
}

// treeOf returns the tree of a record that has none.
func treeOf(r *record.Game) []Node {
	tree := []Node{{Comment: r.Comment}}
	for _, turn := range r.Turns {
		tree = append(tree, Node{Turn: turn.Turn.String(), Comment: turn.Comment})
	}
	return tree
}

// addWays adds the ways on from a node, where a position is: a line goes on as the main
// one, others beside it. Their turns are legal.
func addWays(node *sgf.Node, p position.Position, others [][]Node, line []Node) error {
	ways := others
	if len(line) > 0 {
		ways = append([][]Node{line}, others...)
	}
	for _, way := range ways {
		turn, err := p.ParseTurn(way[0].Turn)
		if err != nil {
			return inTree("%v", err)
		}
		child, err := writeNode(way[0])
		if err != nil {
			return err
		}
		child.Turn = turn
		node.Children = append(node.Children, child)
		var after position.Position
		p.Play(&after, turn)
		if err := addWays(child, after, way[0].Others, way[1:]); err != nil {
			return err
		}
	}
	return nil
}

// writeNode returns a node for a file: the format has places for some of what it holds,
// and the rest is JSON.
func writeNode(n Node) (*sgf.Node, error) {
	node := &sgf.Node{Notes: sgf.Notes{Comment: n.Comment}, End: endOf(n.End)}
	if n.Clock != nil {
		node.Notes.Clock = &sgf.Clock{White: n.Clock.White, Black: n.Clock.Black}
	}
	if n.Finding != nil {
		node.Notes.Fault = faults[n.Finding.Label]
	}
	rest := n
	rest.Turn, rest.Comment, rest.Clock, rest.Others, rest.Arrows = "", "", nil, nil, nil
	for _, arrow := range n.Arrows {
		from, err := position.ParsePoint(arrow.From)
		to, err2 := position.ParsePoint(arrow.To)
		if err != nil || err2 != nil || from.String() != arrow.From || to.String() != arrow.To {
			rest.Arrows = append(rest.Arrows, arrow)
			continue
		}
		node.Notes.Arrows = append(node.Notes.Arrows, [2]position.Point{from, to})
	}
	text, err := json.Marshal(rest)
	if err != nil {
		return nil, inTree("%v", err)
	}
	if string(text) != emptyNode {
		node.Notes.Own = string(text)
	}
	return node, nil
}

// emptyNode is a node of which nothing is left for JSON.
const emptyNode = `{"turn":""}`

// endOf returns an end for a file.
func endOf(e *End) *sgf.End {
	if e == nil {
		return nil
	}
	return &sgf.End{Result: e.result(), Why: e.Why}
}
