package gametext

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/cmd/gyre-board/internal/referee"
)

// aTree returns a tree that uses every field of Node.
func aTree() []Node {
	cp, mate := -35, 4
	summary := Summary{Turns: 1, Accuracy: 41.2, MeanLost: 12.5, Blunders: 1}
	return []Node{
		{Comment: "a } brace\nand a line", Others: [][]Node{{{Turn: "e5", Comment: "or here"}, {Turn: "f6", Others: [][]Node{{{Turn: "g7"}}}}}}},
		{Turn: "f6", Score: &Score{CP: &cp, Depth: 9}, Clock: &Clock{59000.5, 60000}, Arrows: []Arrow{{"f6", "f9"}, {"e5", "e5"}}, Preferred: 1},
		{
			Turn: "e5", Score: &Score{Mate: &mate}, Finding: &Finding{Label: "blunder", Lost: 31.4, Accuracy: 20.1, MissedRow: true, Best: "g7", Line: []string{"g7", "e5"}},
			Review: map[string]Summary{"w": summary, "b": summary}, End: &End{"b", "time forfeit"},
		},
	}
}

// TestTreesAreKept writes a tree into a record and reads it back. The comments at the turns
// are simplified; those in the tree are unchanged.
func TestTreesAreKept(t *testing.T) {
	game := Game{Path: referee.Path{Rules: "blitz", Turns: []string{"f6", "e5"}}, Tree: aTree(), End: &End{"b", "time forfeit"}}
	text, err := Write(game)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"{a ) brace and a line}", "[Result \"0-1\"]", "[Termination \"time forfeit\"]"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	read, err := Read(text, "")
	if err != nil {
		t.Fatal(err)
	}
	got := read.Games[0]
	if diff := cmp.Diff(game.Tree, got.Tree); diff != "" {
		t.Errorf("the tree (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(game.End, got.End); diff != "" || got.Result != "0-1" {
		t.Errorf("the end, result %s (-want +got):\n%s", got.Result, diff)
	}
	for _, tag := range got.Tags {
		if tag[0] == treeTag {
			t.Errorf("the tree is among the tags: %s", tag[1])
		}
	}
}

// TestPlainTrees writes trees of turns and comments only. They need no tag.
func TestPlainTrees(t *testing.T) {
	text, err := Write(Game{Path: referee.Path{Turns: []string{"f6"}}, Tree: []Node{{Comment: "first"}, {Turn: "f6", Comment: "the middle"}}})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text, treeTag) || !strings.Contains(text, "{first} 1.f6 {the middle}") {
		t.Errorf("it is\n%s", text)
	}
}

// TestRejectedTrees reads damaged trees, and trees of other turns.
func TestRejectedTrees(t *testing.T) {
	for _, test := range []struct{ tree, message string }{
		{"hello", "invalid character"},
		{"{}", "cannot unmarshal"},
		{"[]", "does not belong to the turns"},
		{`[{"turn":""}]`, "does not belong to the turns"},
		{`[{"turn":"f6"},{"turn":"f6"}]`, "does not belong to the turns"},
		{`[{"turn":""},{"turn":"e5"}]`, "turn 1 is"},
		{`[{"turn":"","others":[[]]},{"turn":"f6"}]`, "has no turns"},
		{`[{"turn":"","others":[[{"turn":"z1"}]]},{"turn":"f6"}]`, "z1"},
		{`[{"turn":""},{"turn":"f6","others":[[{"turn":"f6"}]]}]`, "f6 is not vacant"},
		{`[{"turn":"","score":{"cp":"<b>"}},{"turn":"f6"}]`, "cannot unmarshal"},
	} {
		text := "[Tree \"" + strings.ReplaceAll(test.tree, `"`, `\"`) + "\"]\n\n1.f6 *\n"
		got, err := Read(text, "")
		fault, ok := errors.AsType[*referee.Error](err)
		if !ok || fault.Where != "tag Tree" || !strings.Contains(fault.Message, test.message) {
			t.Errorf("%s: %+v, %v", test.tree, got, err)
		}
	}
	if text, err := Write(Game{Path: referee.Path{Turns: []string{"f6"}}, Tree: []Node{{}}}); err == nil {
		t.Errorf("a tree without the turns is written:\n%s", text)
	}
}

// TestEndsAreAwarded writes games that did not end on the board.
func TestEndsAreAwarded(t *testing.T) {
	for _, test := range []struct {
		rules  string
		end    End
		result string
	}{
		{"standard", End{"w", "resignation"}, "3-0"},
		{"blitz", End{"b", "time forfeit"}, "0-1"},
		{"standard", End{"", "agreement"}, "0-0"},
	} {
		text, err := Write(Game{Path: referee.Path{Rules: test.rules, Turns: []string{"f6"}}, End: &test.end})
		if err != nil {
			t.Fatal(err)
		}
		read, err := Read(text, "")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&test.end, read.Games[0].End); diff != "" || read.Games[0].Result != test.result {
			t.Errorf("%+v: %s (-want +got):\n%s", test.end, read.Games[0].Result, diff)
		}
	}
}
