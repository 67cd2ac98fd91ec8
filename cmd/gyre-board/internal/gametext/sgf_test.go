package gametext

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/cmd/gyre-board/internal/referee"
	"gyre/position"
)

// differ returns the differences of two games as JSON. cmp.Diff is too slow for the nested
// slices of trees.
func differ(t *testing.T, a, b Game) string {
	t.Helper()
	var texts [2]string
	for i, game := range [2]Game{a, b} {
		text, err := json.MarshalIndent(game, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	return cmp.Diff(texts[0], texts[1])
}

// outAndIn writes a game as SGF and reads it back.
func outAndIn(t *testing.T, game Game) Game {
	t.Helper()
	written, err := WriteSGF(game)
	if err != nil {
		t.Fatalf("%v: %+v", err, game)
	}
	read, err := Read(written, "")
	if err != nil {
		t.Fatalf("%v:\n%s", err, written)
	}
	if read.Kind != KindSGF || len(read.Games) != 1 {
		t.Fatalf("%s, %d games:\n%s", read.Kind, len(read.Games), written)
	}
	return read.Games[0]
}

// TestSGFOfSite writes real boardspace.net games and reads them back.
func TestSGFOfSite(t *testing.T) {
	files, err := filepath.Glob("../sgf/testdata/*.sgf")
	if err != nil || len(files) != 5 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			read, err := Read(string(text), "")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(read.Games[0], outAndIn(t, read.Games[0]), anyOrder); diff != "" {
				t.Errorf("again (-first +second):\n%s", diff)
			}
		})
	}
}

// TestSGFOfTree writes a tree with every kind of note and reads it back. It also checks the
// standard properties, which other programs read.
func TestSGFOfTree(t *testing.T) {
	game := Game{
		Path: referee.Path{Rules: "blitz", Start: "startpos", Turns: []string{"f6", "e5"}}, Tree: aTree(), End: &End{"b", "time forfeit"}, Result: "0-1",
		Tags: [][2]string{{"White", "Anna ]\\"}, {"Black", "Ben"}, {"Date", "2026.03.13"}, {"Termination", "time forfeit"}, {"TimeControl", "60+1"}}, Comments: map[string]string{},
	}
	game.Tree[0].Others[0] = append(game.Tree[0].Others[0], Node{Turn: "h8"})
	if diff := differ(t, game, outAndIn(t, game)); diff != "" {
		t.Errorf("again (-first +second):\n%s", diff)
	}
	text, err := WriteSGF(game)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"(;\nFF[4]GM[24]", "SU[Yinsh-Blitz]", `P0[id "Anna \]\\"]PW[Anna \]\\]`, "DT[2026-03-13]", "RE[B+Time]", "C[a } brace\nand a line]",
		"; P0[1 place wr F 6]\n; P0[2 Done]AR[f6:f9]CR[e5]WL[59.0005]BL[60]", "BM[2]",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

// TestSGFOfRandomTrees writes trees of random turns and notes and reads them back.
func TestSGFOfRandomTrees(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 10
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 14))
		grower := &grower{Rand: r, left: 120}
		rules := []position.Rules{position.Standard, position.Blitz}[seed%2]
		start := position.Start(rules)
		for range r.IntN(4) * r.IntN(12) {
			start = grower.play(&start, grower.turn(&start))
		}
		root := grower.notes()
		line := grower.grow(start, &root)
		game := Game{
			Path: referee.Path{Rules: rules.String(), Start: start.String(), Turns: []string{}}, Tree: append([]Node{root}, line...),
			Tags: [][2]string{{"White", strings.ReplaceAll(grower.text(), "\n", " ")}, {"Black", "\"Ben\""}, {"Date", "2026.??.??"}}, Comments: map[string]string{}, Result: "*",
		}
		if start == position.Start(rules) {
			game.Path.Start = referee.StartWord
		}
		for _, n := range line {
			game.Path.Turns = append(game.Path.Turns, n.Turn)
		}
		ended, err := game.Path.Read()
		if err != nil {
			t.Fatal(err)
		}
		if end := ended.End(); end.Over() {
			game.Result = fmt.Sprintf("%d-%d", end.Removed(position.White), end.Removed(position.Black))
		} else if seed%3 == 0 {
			game.End = &End{[]string{"w", "b", ""}[r.IntN(3)], []string{"resignation", "agreement", "a cat"}[r.IntN(3)]}
			game.Tree[len(game.Tree)-1].End = game.End
			game.Tags = append(game.Tags, [2]string{"Termination", game.End.Why})
		}
		if !holdsMore(game.Tree) {
			t.Fatalf("seed %d: a tree without notes", seed)
		}
		again := outAndIn(t, game)
		if game.End != nil {
			game.Result = again.Result // the result of the end
		}
		if diff := differ(t, game, again); diff != "" {
			t.Fatalf("seed %d: again (-first +second):\n%s", seed, diff)
		}
		if diff := differ(t, again, outAndIn(t, again)); diff != "" {
			t.Fatalf("seed %d: at the second time (-first +second):\n%s", seed, diff)
		}
	}
}

// grower builds random trees.
type grower struct {
	*rand.Rand
	left int // nodes that may be added
}

// turn returns a random turn.
func (g *grower) turn(p *position.Position) position.Turn {
	turns := p.Turns(nil)
	if takings := p.CompletingTurns(nil); len(takings) > 0 {
		turns = takings // rows are rare
	}
	return turns[g.IntN(len(turns))]
}

// play returns the position after a turn.
func (g *grower) play(p *position.Position, turn position.Turn) position.Position {
	after := p.After(turn)
	return after
}

// grow returns the main line from a position, and adds the other lines to the node before it.
func (g *grower) grow(p position.Position, before *Node) []Node {
	if g.left <= 0 || p.Over() {
		return nil
	}
	var ways [][]Node
	var seen []position.Turn
	for n := 1 + g.IntN(8)/6; n > 0; n-- {
		turn := g.turn(&p)
		if slices.Contains(seen, turn) {
			continue
		}
		seen = append(seen, turn)
		g.left--
		node := g.notes()
		node.Turn = turn.String()
		rest := g.grow(g.play(&p, turn), &node)
		ways = append(ways, append([]Node{node}, rest...))
	}
	before.Others = ways[1:]
	if before.Preferred >= len(ways) {
		before.Preferred = 0
	}
	return ways[0]
}

// notes returns a node with random notes.
func (g *grower) notes() Node {
	var n Node
	has := func() bool { return g.IntN(3) == 0 }
	if has() {
		n.Comment = g.text()
	}
	if has() {
		cp := g.IntN(1000) - 500
		n.Score = &Score{CP: &cp, Depth: g.IntN(9)}
	}
	if has() {
		n.Finding = &Finding{Label: []string{"", "inaccuracy", "mistake", "blunder"}[g.IntN(4)], Lost: float64(g.IntN(1000)) / 10, MissedRow: has(), Best: "f6"}
	}
	if has() {
		n.Clock = &Clock{g.Float64() * 1e6, float64(g.IntN(3))}
	}
	if has() {
		n.Arrows = []Arrow{{"e5", "f6"}, {"a2", "j11"}, {"k10", "k10"}, {"c3", "c3"}}
		g.Shuffle(len(n.Arrows), func(i, j int) { n.Arrows[i], n.Arrows[j] = n.Arrows[j], n.Arrows[i] })
		n.Arrows = n.Arrows[:1+g.IntN(4)]
	}
	n.Preferred = g.IntN(2)
	return n
}

// text returns a text with characters that need escaping.
func (g *grower) text() string {
	pieces := []string{"]", "\\", "\\]", "(;", ")", ":", "a", "ü", " ", "  ", "\n", "\"", "}", "[C]"}
	text := "x"
	for range g.IntN(12) {
		text += pieces[g.IntN(len(pieces))]
	}
	return text
}
