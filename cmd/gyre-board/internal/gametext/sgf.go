package gametext

import (
	"encoding/json"
	"io"
	"slices"
	"strings"

	"gyre/cmd/gyre-board/internal/referee"
	"gyre/position"
	"gyre/position/boundedjson"
	"gyre/position/record"
	"gyre/position/sgf"
)

// readSGF reads a file in the Smart Game Format, without what cannot be read of it.
func readSGF(text string, memory Memory) (Text, error) {
	if err := memory.take(strings.Count(text, "(")*branchSize + strings.Count(text, "[")*propertySize); err != nil {
		return Text{}, err
	}
	files, skipped, err := sgf.Read(text)
	if err != nil {
		return Text{}, referee.Because("", err)
	}
	read := Text{Kind: KindSGF}
	for i := range files {
		if err := memory.take(fileSize + ownSize(&files[i])); err != nil {
			return Text{}, err
		}
		game, err := readFile(&files[i])
		if err != nil {
			return Text{}, err
		}
		read.Games = append(read.Games, game)
	}
	read.skip(skipped)
	return read, nil
}

// ownSize returns what the JSON in a game's private properties needs.
func ownSize(file *sgf.Game) int {
	all := boundedjson.Size([]byte(file.Own))
	for left := []*sgf.Node{file.Root}; len(left) > 0; {
		node := left[len(left)-1]
		left = append(left[:len(left)-1], node.Children...)
		if node.Notes.Own != "" {
			all += boundedjson.Size([]byte(node.Notes.Own))
		}
	}
	return all
}

// readFile converts a game of a file.
func readFile(file *sgf.Game) (Game, error) {
	turns, end, _ := file.MainLine()
	r := record.New(file.Start, turns...)
	for _, tag := range file.Tags {
		r.SetTag(tag.Name, tag.Value)
	}
	var own privateData
	if file.Own != "" {
		if err := parse(file.Own, &own); err != nil {
			return Game{}, referee.Errorf("line 1", "GYREGAME: %v", err).With("damaged")
		}
	}
	if err := setTags(&r, own.Tags); err != nil {
		return Game{}, err
	}
	tree := readLine(file.Root)
	setComments(&r, tree)
	r.Close(&end)
	leaf := &tree[len(tree)-1]
	if !r.Finished && leaf.End != nil {
		r.Award(&end, leaf.End.result(), leaf.End.Why)
		if own.Result != "" {
			score, err := scoreOf(own.Result)
			if err != nil {
				return Game{}, err
			}
			r.Score = score
		}
	}
	if err := r.Write(io.Discard); err != nil {
		return Game{}, referee.Because("", err)
	}
	game := gameOf(&r)
	if holdsMore(tree) {
		game.Tree, game.Comments = tree, map[string]string{}
	}
	return game, nil
}

// readLine returns a node and the main line after it, including variations.
func readLine(from *sgf.Node) []Node {
	var line []Node
	for node := from; ; node = node.Children[0] {
		n := readNode(node)
		for _, other := range node.Children[min(1, len(node.Children)):] {
			n.Others = append(n.Others, readLine(other))
		}
		if line = append(line, n); len(node.Children) == 0 {
			return line
		}
	}
}

// readNode converts a node of a file. It ignores a private property that it cannot read.
func readNode(node *sgf.Node) Node {
	var n Node
	if parse(node.Notes.Own, &n) != nil {
		n = Node{}
	}
	n.Turn, n.Comment, n.Clock, n.Others = "", node.Notes.Comment, node.Notes.Clock, nil
	if node.Turn != position.None {
		n.Turn = node.Turn.String()
	}
	if n.End == nil && node.End != nil {
		n.End = &End{Winner: winners[node.End.Result], Why: node.End.Why}
	}
	var arrows []Arrow
	for _, arrow := range node.Notes.Arrows {
		arrows = append(arrows, Arrow{arrow[0].String(), arrow[1].String()})
	}
	n.Arrows = append(arrows, n.Arrows...)
	return n
}

// privateData is the JSON in the private property of a game.
type privateData struct {
	Tags   [][2]string `json:"tags,omitempty"`
	Result string      `json:"result,omitempty"` // if neither the board nor the end shows it
}

// faults are the faults by label of a review.
var faults = map[string]sgf.Fault{"inaccuracy": sgf.Doubtful, "mistake": sgf.Bad, "blunder": sgf.VeryBad}

// WriteSGF returns a game with all variations as a boardspace.net file. It rejects the same
// games as Write.
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
	var own privateData
	if end := gameOf(&r).End; end != nil {
		tree[len(tree)-1].End, own.Result = end, r.ResultText()
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

// treeOf returns a tree of the main line.
func treeOf(r *record.Game) []Node {
	tree := []Node{{Comment: r.Comment}}
	for _, turn := range r.Turns {
		tree = append(tree, Node{Turn: turn.Turn.String(), Comment: turn.Comment})
	}
	return tree
}

// addWays adds the continuations of a node with position p: line is the main one. All turns
// are legal.
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
		after := p.After(turn)
		if err := addWays(child, after, way[0].Others, way[1:]); err != nil {
			return err
		}
	}
	return nil
}

// writeNode converts a node for a file. Values without a standard property go into the private
// one as JSON.
func writeNode(n Node) (*sgf.Node, error) {
	node := &sgf.Node{Notes: sgf.Notes{Comment: n.Comment, Clock: n.Clock}, End: endOf(n.End)}
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

// emptyNode is the JSON of a node without such values.
const emptyNode = `{"turn":""}`

// endOf converts an end.
func endOf(e *End) *sgf.End {
	if e == nil {
		return nil
	}
	return &sgf.End{Result: e.result(), Why: e.Why}
}
