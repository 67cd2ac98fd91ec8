package gametext

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"gyre/cmd/gyre-board/internal/referee"
	"gyre/cmd/gyre-board/internal/sgf"
	"gyre/position"
	"gyre/position/record"
)

// readSGF reads a file in the Smart Game Format.
func readSGF(text string) (Text, error) {
	files, err := sgf.Read(text)
	if fault, ok := errors.AsType[*sgf.Error](err); ok {
		return Text{}, inLine(fault.Line, "%s", fault.Reason)
	}
	if err != nil {
		return Text{}, &referee.Error{Message: err.Error()}
	}
	read := Text{Kind: KindSGF}
	for i := range files {
		game, err := readFile(&files[i])
		if err != nil {
			return Text{}, err
		}
		read.Games = append(read.Games, game)
	}
	return read, nil
}

// inLine is an error of a line of a file.
func inLine(line int, format string, args ...any) *referee.Error {
	return &referee.Error{Message: fmt.Sprintf(format, args...), Where: fmt.Sprintf("line %d", max(line, 1))}
}

// readFile returns a game of a file as the page keeps it.
func readFile(file *sgf.Game) (Game, error) {
	r := record.New(file.Start)
	for _, tag := range file.Tags {
		r.SetTag(tag.Name, tag.Value)
	}
	var own besides
	if file.Own != "" {
		if err := json.Unmarshal([]byte(file.Own), &own); err != nil {
			return Game{}, inLine(1, "GYREGAME: %v", err)
		}
	}
	for _, tag := range own.Tags {
		r.SetTag(tag[0], tag[1])
	}
	tree := readLine(file.Root)
	r.Comment = commentOf(tree[0].Comment)
	end := file.Start
	for i, node := 1, file.Root; len(node.Children) > 0; i++ {
		node = node.Children[0]
		r.Add(node.Turn, commentOf(tree[i].Comment))
		var after position.Position
		end.Play(&after, node.Turn)
		end = after
	}
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
		return Game{}, &referee.Error{Message: err.Error()}
	}
	game := gameOf(&r)
	if holdsMore(tree) {
		game.Tree, game.Comments = tree, map[string]string{}
	}
	return game, nil
}

// readLine returns a node and the main line after it, with the ways beside it.
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

// readNode returns a node of a file as the page keeps it. What is ours in it and cannot be
// read is passed over.
func readNode(node *sgf.Node) Node {
	var n Node
	if json.Unmarshal([]byte(node.Notes.Own), &n) != nil {
		n = Node{}
	}
	n.Turn, n.Comment, n.Clock, n.Others = "", node.Notes.Comment, nil, nil
	if node.Turn != position.None {
		n.Turn = node.Turn.String()
	}
	if c := node.Notes.Clock; c != nil {
		n.Clock = &Clock{c.White, c.Black}
	}
	if n.End == nil && node.End != nil {
		n.End = &End{Winner: winners[node.End.Result], Why: node.End.Why}
	}
	arrows := make([]Arrow, 0, len(n.Arrows))
	for _, arrow := range node.Notes.Arrows {
		arrows = append(arrows, Arrow{arrow[0].String(), arrow[1].String()})
	}
	n.Arrows = slices.Clip(append(arrows, n.Arrows...))
	if len(n.Arrows) == 0 {
		n.Arrows = nil
	}
	return n
}
