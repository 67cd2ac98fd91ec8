package gametext

import (
	"encoding/json"
	"fmt"
	"strings"

	"gyre/cmd/gyre-board/internal/referee"
	"gyre/position"
	"gyre/position/record"
)

// treeTag is the tag of a record that holds what its turns and comments cannot:
// variations, and what was drawn, scored and found. Its value is the JSON of a
// []Node. Programs that do not know it keep it as it is.
const treeTag = "Tree"

// Node is a turn in the tree of a game. A line is a list of nodes, so that a long
// game does not nest deeply; the first node of the whole tree is the start, which
// has no turn.
type Node struct {
	Turn      string             `json:"turn"`
	Comment   string             `json:"comment,omitempty"` // any text
	Score     *Score             `json:"score,omitempty"`   // White's view of the position
	Finding   *Finding           `json:"finding,omitempty"` // of a review, about this turn
	Review    map[string]Summary `json:"review,omitempty"`  // by side, of the review of the line that ended here
	Clock     *Clock             `json:"clock,omitempty"`   // what was left when the turn was done
	End       *End               `json:"end,omitempty"`
	Arrows    []Arrow            `json:"arrows,omitempty"`    // that the user drew
	Preferred int                `json:"preferred,omitempty"` // which way on was looked at last, from 0
	Others    [][]Node           `json:"others,omitempty"`    // the ways on from here besides the next node
}

// Score is a score as the page keeps it: one of CP and Mate is there.
type Score struct {
	CP    *int `json:"cp,omitempty"`
	Mate  *int `json:"mate,omitempty"`
	Depth int  `json:"depth,omitempty"`
}

// Finding is what a review found about a turn. The review's package says how it is measured.
type Finding struct {
	Label     string   `json:"label"`
	Lost      float64  `json:"lost"`     // chances, in per cent of a point
	Accuracy  float64  `json:"accuracy"` // 0 to 100
	MissedRow bool     `json:"missedRow"`
	Best      string   `json:"best"`           // empty for the turn itself
	Line      []string `json:"line,omitempty"` // how the engine would have gone on, from Best on
}

// Summary is a review of one side's turns.
type Summary struct {
	Turns        int     `json:"turns"`
	Accuracy     float64 `json:"accuracy"` // 0 to 100
	MeanLost     float64 `json:"meanLost"` // by a turn, in per cent of a point
	Inaccuracies int     `json:"inaccuracies"`
	Mistakes     int     `json:"mistakes"`
	Blunders     int     `json:"blunders"`
	MissedRows   int     `json:"missedRows"`
}

// Clock is what is left to both sides, in milliseconds.
type Clock struct {
	White float64 `json:"w"`
	Black float64 `json:"b"`
}

// End is the end of a game that the board does not show.
type End struct {
	Winner string `json:"winner"` // "w", "b", or "" for a draw
	Why    string `json:"why"`    // the Termination tag: "resignation", "time forfeit"
}

// Arrow is an arrow, or a circle where both points are the same.
type Arrow struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// readTree reads the tag of a tree, whose first way on has to be the record's
// turns, and which has all comments.
func (g *Game) readTree(value string, r *record.Game) error {
	var tree []Node
	if err := json.Unmarshal([]byte(value), &tree); err != nil {
		return inTree("%v", err)
	}
	if err := checkTree(tree, &r.Start, len(r.Turns), func(i int) string { return r.Turns[i].Turn.String() }); err != nil {
		return err
	}
	g.Comments = map[string]string{}
	if holdsMore(tree) {
		g.Tree = tree
		return nil
	}
	for i, node := range tree {
		if node.Comment != "" {
			g.Comments[fmt.Sprint(i)] = node.Comment
		}
	}
	return nil
}

// checkTree checks that all turns of a tree are legal, and that its first way on
// is a line of so many turns.
func checkTree(tree []Node, start *position.Position, turns int, turn func(int) string) error {
	if len(tree) != turns+1 || tree[0].Turn != "" {
		return inTree("it is not of the turns that follow")
	}
	for i, node := range tree[1:] {
		if node.Turn != turn(i) {
			return inTree("turn %d is %.20q instead of %s", i+1, node.Turn, turn(i))
		}
	}
	if err := checkWays(*start, tree[0].Others); err != nil {
		return err
	}
	return checkLine(*start, tree[1:])
}

// checkLine checks the turns of a line from a position on, and the ways beside it.
func checkLine(p position.Position, line []Node) error {
	for i := range line {
		turn, err := p.ParseTurn(line[i].Turn)
		if err != nil {
			return inTree("%v", err)
		}
		var child position.Position
		p.Play(&child, turn)
		p = child
		if err := checkWays(p, line[i].Others); err != nil {
			return err
		}
	}
	return nil
}

// checkWays checks the lines that go on from a position.
func checkWays(p position.Position, ways [][]Node) error {
	for _, way := range ways {
		if len(way) == 0 {
			return inTree("a way on without a turn")
		}
		if err := checkLine(p, way); err != nil {
			return err
		}
	}
	return nil
}

// inTree is an error of the tree.
func inTree(format string, args ...any) *referee.Error {
	return &referee.Error{Message: fmt.Sprintf(format, args...), Where: "tag " + treeTag}
}

// addTree puts the comments of a tree's first way on to the turns of a record,
// and the tree into its tag where they do not hold all of it.
func addTree(game *record.Game, tree []Node) error {
	err := checkTree(tree, &game.Start, len(game.Turns), func(i int) string { return game.Turns[i].Turn.String() })
	if err != nil {
		return err
	}
	for i, node := range tree {
		if i == 0 {
			game.Comment = commentOf(node.Comment)
		} else {
			game.Turns[i-1].Comment = commentOf(node.Comment)
		}
	}
	if !holdsMore(tree) {
		return nil
	}
	text, err := json.Marshal(tree)
	if err != nil {
		return inTree("%v", err)
	}
	game.SetTag(treeTag, string(text))
	return nil
}

// holdsMore tells whether a tree holds more than the turns, comments and result of
// a record.
func holdsMore(tree []Node) bool {
	for i, n := range tree {
		early := n.End != nil && i < len(tree)-1
		if early || n.Score != nil || n.Finding != nil || len(n.Review) > 0 || n.Clock != nil || len(n.Arrows) > 0 || len(n.Others) > 0 || n.Comment != commentOf(n.Comment) {
			return true
		}
	}
	return false
}

// longestComment is how many bytes of a comment stand beside its turn; the tree
// holds all of it.
const longestComment = 1 << 14

// commentOf returns a text as a record's comment: white space counts as one
// space, and a closing brace cannot stand in it.
func commentOf(text string) string {
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "}", ")")
	if len(text) > longestComment {
		text = strings.TrimSpace(strings.ToValidUTF8(text[:longestComment], ""))
	}
	return text
}
