package openings

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/search"
	"gyre/search/book"
)

// tiny is a quick expansion.
var tiny = Expansion{Positions: 36, Nodes: 150, Lines: 3, Deviation: 40, TurnCost: 5}

// grown returns the book of an expansion after a run with a file of searches, and the number
// of new searches. after is the number of new searches after which the run is interrupted;
// 0 for no interruption.
func grown(t *testing.T, e Expansion, path string, threads, after int) (entries []book.Entry, searched int) {
	t.Helper()
	s, err := OpenSearches(path, e, "this engine")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	why := errors.New("interrupted")
	ctx, interrupt := context.WithCancelCause(context.Background())
	defer interrupt(nil)
	tree := NewTree(e)
	err = tree.Grow(ctx, e.OnThreads(threads), s.Known, func(found Searched) error {
		if searched++; searched == after {
			interrupt(why)
		}
		return s.Keep(found)
	}, func(int) {})
	if after > 0 && !errors.Is(err, why) || after == 0 && err != nil {
		t.Fatalf("interrupted after %d: %v", after, err)
	}
	if tree.Searched() == 0 {
		return nil, searched
	}
	b, err := tree.Book("")
	if err != nil {
		t.Fatal(err)
	}
	return b.Entries(), searched
}

// TestExpansionRepeats makes the same book with one thread, with three, in one run, in many
// interrupted runs, and by growing a smaller one.
func TestExpansionRepeats(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	want, searched := grown(t, tiny, filepath.Join(folder, "one"), 1, 0)
	if searched != tiny.Positions || len(want) <= searched {
		t.Fatalf("%d positions, %d of them searched", len(want), searched)
	}
	for _, e := range want {
		if e.Expanded {
			searched--
		}
	}
	if searched != 0 {
		t.Errorf("%d more positions are searched than expanded", searched)
	}
	three, _ := grown(t, tiny, filepath.Join(folder, "three"), 3, 0)
	if diff := cmp.Diff(want, three); diff != "" {
		t.Errorf("three threads (-one +three):\n%s", diff)
	}
	path := filepath.Join(folder, "interrupted")
	for _, after := range []int{1, 4, 11} {
		grown(t, tiny, path, 2, after)
	}
	resumed, searched := grown(t, tiny, path, 2, 0)
	if diff := cmp.Diff(want, resumed); diff != "" || searched >= tiny.Positions-10 {
		t.Errorf("interrupted three times, then %d new searches (-whole +resumed):\n%s", searched, diff)
	}
	less := tiny
	less.Positions = 21
	path = filepath.Join(folder, "grown")
	grown(t, less, path, 1, 0)
	larger, searched := grown(t, tiny, path, 1, 0)
	if diff := cmp.Diff(want, larger); diff != "" || searched > tiny.Positions-less.Positions+Round {
		t.Errorf("grown with %d new searches (-whole +grown):\n%s", searched, diff)
	}
}

// TestExpansionIsNegamax compares the scores of a tree with the plain definition, and checks
// that children follow from their parents and that no turn beyond the deviation is followed.
func TestExpansionIsNegamax(t *testing.T) {
	t.Parallel()
	tree := NewTree(tiny)
	if err := tree.Grow(context.Background(), tiny.OnThreads(2), nil, func(Searched) error { return nil }, func(int) {}); err != nil {
		t.Fatal(err)
	}
	for _, n := range tree.nodes {
		p := position.Start(tiny.Rules)
		for _, turn := range n.turns {
			p = p.After(turn)
		}
		if p != n.position || p.SymmetricHash() != n.key {
			t.Errorf("%v is not the position after its turns", &n.position)
		}
		if len(n.children) == 0 {
			continue
		}
		best := -n.children[0].score
		for _, child := range n.children {
			best = max(best, -child.score)
			if len(child.turns) != len(n.turns)+1 {
				t.Errorf("a child is reached after %d turns, its parent after %d", len(child.turns), len(n.turns))
			}
		}
		if best != n.score {
			t.Errorf("%v is worth %d, want %d", &n.position, n.score, best)
		}
	}
	if main := tree.Main(); len(main) < 2 {
		t.Errorf("a main line of %d turns", len(main))
	}
}

// TestMainFollowsTheBest makes a tree in which the best line ends in an image of a position
// that was first reached after other turns.
func TestMainFollowsTheBest(t *testing.T) {
	t.Parallel()
	tree := NewTree(tiny)
	start := position.Start(tiny.Rules)
	for _, s := range []struct {
		turns string
		lines map[string]search.Score
	}{
		{"", map[string]search.Score{"a2": 10, "f6": 5}},
		{"a2", map[string]search.Score{"g7": 0, "h5": 20}},
		{"a2 g7", map[string]search.Score{"f6": 1}},
		{"a2 g7 f6", map[string]search.Score{"b3": -1}},
		{"f6", map[string]search.Score{"e5": -1}},
		{"f6 e5", map[string]search.Score{"k10": 1}}, // the image of a2 g7 f6 by half a turn
	} {
		turns, err := start.ParseTurns(strings.Fields(s.turns))
		if err != nil {
			t.Fatal(err)
		}
		p := start.AfterAll(turns...)
		var lines []Line
		for _, word := range slices.Sorted(maps.Keys(s.lines)) {
			turn, err := p.ParseTurn(word)
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, Line{Turn: turn, Score: s.lines[word]})
		}
		tree.expand(tree.node(p, turns, 0), lines)
	}
	tree.rescore()
	want, err := start.ParseTurns([]string{"f6", "e5", "k10", "j9"})
	if err != nil {
		t.Fatal(err)
	}
	got := tree.Main()
	if len(got) != len(want) {
		t.Fatalf("the main line is %q, want %q or an image", position.Words(got), position.Words(want))
	}
	for n := range want {
		is, should := start.AfterAll(got[:n+1]...), start.AfterAll(want[:n+1]...)
		if is.SymmetricHash() != should.SymmetricHash() {
			t.Fatalf("the main line is %q, want %q or an image", position.Words(got), position.Words(want))
		}
	}
}

// TestSearchesRejected opens files that are not those of the expansion.
func TestSearchesRejected(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	good := filepath.Join(folder, "good")
	one := tiny
	one.Positions = 1
	grown(t, one, good, 1, 0)
	text, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	more := tiny
	more.Nodes++
	for name, test := range map[string]struct {
		text      []byte
		expansion Expansion
		engine    string
		want      string
	}{
		"other nodes":  {text, more, "this engine", "other settings (version 1, standard, -nodes 150 -lines 3, this engine)"},
		"other engine": {text, tiny, "another", "other settings"},
		"foreign":      {[]byte("my notes\n"), tiny, "this engine", "not a file of searches"},
		"other JSON":   {[]byte("{\"a\":1}\n"), tiny, "this engine", "not a file of searches"},
		"changed":      {bytes.Replace(text, []byte(`"score":`), []byte(`"score":1`), 1), tiny, "this engine", "changed after it was written"},
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, test.text, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenSearches(path, test.expansion, test.engine); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, test.text) {
			t.Errorf("%s: the file changed, %v", name, err)
		}
	}
	cut := filepath.Join(folder, "cut")
	if err := os.WriteFile(cut, text[:len(text)-5], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, searched := grown(t, one, cut, 1, 0); searched != 1 {
		t.Errorf("%d searches after a cut line, want 1", searched)
	}
}

// TestInvalidExpansions checks that invalid expansions are rejected.
func TestInvalidExpansions(t *testing.T) {
	t.Parallel()
	if err := DefaultExpansion.Check(); err != nil {
		t.Error(err)
	}
	for _, change := range []func(*Expansion){
		func(e *Expansion) { e.Positions = 0 }, func(e *Expansion) { e.Nodes = 0 }, func(e *Expansion) { e.Lines = 65 },
		func(e *Expansion) { e.Deviation = -1 }, func(e *Expansion) { e.TurnCost = -1 },
	} {
		e := DefaultExpansion
		change(&e)
		if e.Check() == nil {
			t.Errorf("%v was accepted", e)
		}
	}
}
