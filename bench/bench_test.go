package bench

import (
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/mcts"
)

// TestRepeats runs the bench twice with one searcher: the second run must not use
// anything from the first.
func TestRepeats(t *testing.T) {
	const depth = 2
	s := alphabeta.New(1)
	first, err := Run(context.Background(), s, search.Limits{Depth: depth}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Run(context.Background(), s, search.Limits{Depth: depth}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if first.Nodes != second.Nodes || first.Nodes == 0 {
		t.Errorf("%d nodes, then %d, want the same and some", first.Nodes, second.Nodes)
	}
}

// counting reports 7 nodes in each search, then 10.
type counting struct{ searches, newGames int }

func (c *counting) NewGame() { c.newGames++ }

func (c *counting) Search(_ context.Context, root position.Position, limits search.Limits, report func(search.Info)) search.Outcome {
	c.searches++
	report(search.Info{Nodes: 7, Depth: 1})
	report(search.Info{Nodes: 10, Depth: limits.Depth})
	return search.Outcome{Best: root.Turns(nil)[0]}
}

// TestOutput checks the output except for times, and that NewGame is called before
// each position.
func TestOutput(t *testing.T) {
	c := &counting{}
	var out strings.Builder
	total, err := Run(context.Background(), c, search.Limits{Depth: 3}, &out)
	if err != nil {
		t.Fatal(err)
	}
	all, err := Positions()
	if err != nil {
		t.Fatal(err)
	}
	if c.newGames != len(all) || c.searches != len(all) || total.Nodes != uint64(10*len(all)) {
		t.Errorf("%d new games, %d searches and %d nodes of %d positions", c.newGames, c.searches, total.Nodes, len(all))
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != len(all)+4 {
		t.Fatalf("%d lines, want one for each of %d positions and 4:\n%s", len(lines), len(all), out.String())
	}
	if diff := cmp.Diff(" 1/25        10 nodes  the start                  a2", lines[0]); diff != "" {
		t.Errorf("first line (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("signature 250", lines[len(lines)-1]); diff != "" {
		t.Errorf("last line (-want +got):\n%s", diff)
	}
}

// TestCanceled cancels a run before its first position.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	total, err := Run(ctx, &counting{}, search.Limits{Depth: 3}, io.Discard)
	if !errors.Is(err, context.Canceled) || total.Nodes != 0 {
		t.Errorf("%d nodes and error %v, want none and %v", total.Nodes, err, context.Canceled)
	}
}

// TestPositions checks that the bench has 25 different positions, under both rules,
// some with rings to place, and none of a finished game.
func TestPositions(t *testing.T) {
	all, err := Positions()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 25 {
		t.Errorf("%d positions, want 25", len(all))
	}
	seen := map[position.Position]bool{}
	rules, placing := [2]int{}, 0
	for i := range all {
		p := &all[i].Position
		if p.Over() {
			t.Errorf("position %d is over: %v", i+1, p)
		}
		if seen[*p] {
			t.Errorf("position %d occurs twice: %v", i+1, p)
		}
		seen[*p] = true
		rules[p.Rules()]++
		if p.Placing() {
			placing++
		}
	}
	if placing == 0 || rules[position.Standard] == 0 || rules[position.Blitz] == 0 {
		t.Errorf("%d with rings to place, %d standard and %d blitz, want some of each", placing, rules[position.Standard], rules[position.Blitz])
	}
}

// TestBadPositions checks that an invalid text is rejected with an error that names
// the line.
func TestBadPositions(t *testing.T) {
	start := position.StartText
	for _, text := range []string{
		start,
		start + " | standard",
		start + " | bullet | start",
		"4/7 w 0-0 | standard | start",
		start + " | standard | start | more",
	} {
		_, err := ParsePositions("# comment\n\n" + text)
		if err == nil || !strings.HasPrefix(err.Error(), "line 3: ") {
			t.Errorf("%q: error %v, want one of line 3", text, err)
		}
	}
}

// FuzzPositions checks that positions survive the round trip through their text.
func FuzzPositions(f *testing.F) {
	f.Add(positionsText)
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ParsePositions(text)
		if err != nil {
			return
		}
		var written strings.Builder
		for i := range all {
			p := &all[i].Position
			written.WriteString(p.String() + " | " + p.Rules().String() + " | " + all[i].Name + "\n")
		}
		again, err := ParsePositions(written.String())
		if err != nil {
			t.Fatalf("%q is written as %q: %v", text, written.String(), err)
		}
		if diff := cmp.Diff(all, again); diff != "" {
			t.Errorf("%q (-first +again):\n%s", text, diff)
		}
	})
}

var update = flag.Bool("update", false, "update the file SIGNATURE")

// TestSignature compares the default runs with the file. The file holds for every
// architecture; .ci/run tests several. After a change of the search that changes the
// nodes it visits, update the file with
//
//	go test ./bench -run Signature -update
func TestSignature(t *testing.T) {
	if testing.Short() {
		t.Skip("searches of seconds")
	}
	renewed := ""
	for _, c := range []struct {
		method   string
		searcher Searcher
		limits   search.Limits
	}{
		{AlphaBeta, alphabeta.New(HashMebibytes), search.Limits{Depth: Depth}},
		{MCTS, mcts.New(HashMebibytes), search.Limits{Nodes: Visits}},
	} {
		total, err := Run(context.Background(), c.searcher, c.limits, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		renewed += c.method + " " + total.Signature() + "\n"
		if got, want := total.Signature(), Signature(c.method); got != want && !*update {
			t.Errorf("the signature of %s is %s, and the file says %s; if play should change, accept it with: go test ./bench -run Signature -update", c.method, got, want)
		}
	}
	if *update {
		if err := os.WriteFile("SIGNATURE", []byte(renewed), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestUnknownSignature asks for an unknown method.
func TestUnknownSignature(t *testing.T) {
	if got := Signature("minimax"); got != "" {
		t.Errorf("signature %q of an unknown method", got)
	}
}
