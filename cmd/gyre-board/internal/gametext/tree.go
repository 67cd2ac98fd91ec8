package gametext

import (
	"encoding/json"
	"fmt"
	"strings"

	"gyre/cmd/gyre-board/internal/referee"
	"gyre/cmd/gyre-board/internal/review"
	"gyre/cmd/gyre-board/internal/sgf"
	"gyre/position"
	"gyre/position/record"
)

// treeTag is the tag of a record for content that turns and comments cannot express:
// variations, drawings, scores and findings. Its value is the JSON of a []Node. Programs that
// do not know the tag preserve it.
const treeTag = "Tree"

// Node is a turn in the tree of a game. A line is a list of nodes, so a long game does not
// nest deeply. The first node of the tree is the start, which has no turn.
type Node struct {
	Turn      string                    `json:"turn"`
	Comment   string                    `json:"comment,omitempty"` // any text
	Score     *Score                    `json:"score,omitempty"`   // from White's view
	Finding   *Finding                  `json:"finding,omitempty"` // of a review of this turn
	Review    map[string]review.Summary `json:"review,omitempty"`  // summary by side of the review of the line that ends here
	Clock     *sgf.Clock                `json:"clock,omitempty"`   // time left after the turn
	End       *End                      `json:"end,omitempty"`
	Arrows    []Arrow                   `json:"arrows,omitempty"`    // drawn by the user
	Preferred int                       `json:"preferred,omitempty"` // index of the continuation viewed last
	Others    [][]Node                  `json:"others,omitempty"`    // continuations other than the next node
}

// Score is an engine's score. Either CP or Mate is set.
type Score struct {
	CP    *int `json:"cp,omitempty"`
	Mate  *int `json:"mate,omitempty"`
	Depth int  `json:"depth,omitempty"`
}

// Finding is a review's result for a turn. Package review defines its numbers.
type Finding struct {
	Label     string   `json:"label"`
	Lost      float64  `json:"lost"`     // chances in percent
	Accuracy  float64  `json:"accuracy"` // 0 to 100
	MissedRow bool     `json:"missedRow"`
	Best      string   `json:"best"`           // empty if the turn is the best
	Line      []string `json:"line,omitempty"` // the engine's line from Best on
}

// End is an end of the game that the board does not show.
type End struct {
	Winner string `json:"winner"` // "w", "b", or "" for a draw
	Why    string `json:"why"`    // the Termination tag, for example "resignation" or "time forfeit"
}

// result returns the result for the winner.
func (e *End) result() position.Result {
	for won, winner := range winners {
		if winner == e.Winner {
			return won
		}
	}
	return position.Draw
}

// Arrow is an arrow, or a circle if both points are the same.
type Arrow struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// readTree reads the tree tag. Its main line must equal the record's turns. It also contains
// all comments.
func readTree(g *Game, value string, r *record.Game) error {
	var tree []Node
	if err := json.Unmarshal([]byte(value), &tree); err != nil {
		return inTree("%v", err)
	}
	if err := checkTree(tree, r); err != nil {
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

// checkTree checks that all turns of a tree are legal, and that its main line consists of the
// turns of a record.
func checkTree(tree []Node, r *record.Game) error {
	if len(tree) != len(r.Turns)+1 || tree[0].Turn != "" {
		return inTree("the tree does not belong to the turns of the record")
	}
	for i, node := range tree[1:] {
		if turn := r.Turns[i].Turn.String(); node.Turn != turn {
			return inTree("turn %d is %.20q instead of %s", i+1, node.Turn, turn)
		}
	}
	if err := checkWays(r.Start, tree[0].Others); err != nil {
		return err
	}
	return checkLine(r.Start, tree[1:])
}

// checkLine checks the turns of a line that starts at p, and its variations.
func checkLine(p position.Position, line []Node) error {
	for i := range line {
		turn, err := p.ParseTurn(line[i].Turn)
		if err != nil {
			return inTree("%v", err)
		}
		p = p.After(turn)
		if err := checkWays(p, line[i].Others); err != nil {
			return err
		}
	}
	return nil
}

// checkWays checks the continuations of a position.
func checkWays(p position.Position, ways [][]Node) error {
	for _, way := range ways {
		if len(way) == 0 {
			return inTree("a variation has no turns")
		}
		if err := checkLine(p, way); err != nil {
			return err
		}
	}
	return nil
}

// inTree returns an error in the tree tag.
func inTree(format string, args ...any) *referee.Error {
	return referee.Errorf("tag "+treeTag, format, args...).With("damaged")
}

// addTree adds the comments of a tree's main line to a record, and the tree tag if the tree
// contains more.
func addTree(game *record.Game, tree []Node) error {
	if err := checkTree(tree, game); err != nil {
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

// holdsMore reports whether a tree contains more than a record's turns, comments and result.
func holdsMore(tree []Node) bool {
	for i, n := range tree {
		early := n.End != nil && i < len(tree)-1
		if early || n.Score != nil || n.Finding != nil || len(n.Review) > 0 || n.Clock != nil || len(n.Arrows) > 0 || len(n.Others) > 0 || n.Comment != commentOf(n.Comment) {
			return true
		}
	}
	return false
}

// longestComment limits a comment in a record in bytes. The tree contains the whole comment.
const longestComment = 1 << 14

// commentOf converts a text to a record's comment: white space becomes single spaces, and a
// closing brace becomes a parenthesis.
func commentOf(text string) string {
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "}", ")")
	if len(text) > longestComment {
		text = strings.TrimSpace(strings.ToValidUTF8(text[:longestComment], ""))
	}
	return text
}
