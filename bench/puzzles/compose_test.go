package puzzles

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
)

// small is a fast recipe.
var small = Recipe{Seed: 7, Puzzles: 3, Games: 30, Nodes: 1500, Lead: 200, Hold: 100}

// made runs a recipe and returns the puzzles as text, with the last progress report.
func made(t *testing.T, recipe Recipe, set []Puzzle) (text string, last Progress) {
	t.Helper()
	searcher := alphabeta.New(1)
	defer searcher.Close()
	all, err := Compose(context.Background(), recipe, set, searcher, func(p Progress) { last = p })
	if err != nil {
		t.Fatal(err)
	}
	return textOf(t, all), last
}

// textOf formats puzzles as a file.
func textOf(t *testing.T, all []Puzzle) string {
	t.Helper()
	var text bytes.Buffer
	if err := Write(&text, all); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// mustRead parses a file of puzzles.
func mustRead(t *testing.T, text string) []Puzzle {
	t.Helper()
	all, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestSameRecipe makes a small set twice. Both are equal and valid, and no theme exceeds its
// quota.
func TestSameRecipe(t *testing.T) {
	first, _ := made(t, small, nil)
	second, _ := made(t, small, nil)
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("the same recipe (-first +second):\n%s", diff)
	}
	all := mustRead(t, first)
	if len(all) != small.Puzzles {
		t.Errorf("%d puzzles, want %d", len(all), small.Puzzles)
	}
	count := map[Theme]int{}
	for _, z := range all {
		if count[z.Theme]++; count[z.Theme] > 1 {
			t.Errorf("%d puzzles have the theme %v, want at most 1", count[z.Theme], z.Theme)
		}
	}
}

// TestGrow grows a set with another seed. The puzzle with two right turns is dropped, the
// others come first and stay unchanged, and one more is found. Growing the result with the
// same recipe changes nothing.
func TestGrow(t *testing.T) {
	const two = `{"id":"a1","fen":"3B/W5B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 2-0","rules":"standard","theme":"win","rating":700,"solution":["f3-b3;xf3-f7xb1"],"mate":1}`
	recipe := small
	recipe.Puzzles, recipe.Again = 1, 4000
	one, _ := made(t, recipe, nil)
	recipe.Seed, recipe.Puzzles = 8, 2
	grown, report := made(t, recipe, mustRead(t, two+"\n"+one))
	if lines := strings.SplitAfter(grown, "\n"); len(lines) != 3 || lines[0] != one || report.Kept != 1 || report.Puzzles != 2 {
		t.Fatalf("%+v: from\n%s%s\ngot\n%s", report, two, one, grown)
	}
	again, report := made(t, recipe, mustRead(t, grown))
	if diff := cmp.Diff(grown, again); diff != "" || report.Games > 0 {
		t.Errorf("%+v: growing again (-first +second):\n%s", report, diff)
	}
}

// shortSighted is a searcher for which every turn wins with many nodes, and only the right
// one with few.
type shortSighted struct {
	search.Searcher
	right position.Turn
	many  uint64
}

// NewGameFor does nothing: there is no state.
func (*shortSighted) NewGameFor(uint64) {}

// Search returns a win or a loss.
func (s *shortSighted) Search(_ context.Context, _ position.Position, limits search.Limits, _ func(search.Info)) search.Outcome {
	score := search.LossIn(4)
	if limits.Nodes >= s.many || slices.Contains(limits.SearchTurns, s.right) {
		score = search.WinIn(3)
	}
	return search.Outcome{Best: limits.SearchTurns[0], Info: search.Info{Score: score}}
}

// TestConfirms checks that the final checks drop a puzzle if another turn turns out to be
// right with ten times the nodes.
func TestConfirms(t *testing.T) {
	set, err := Set()
	if err != nil {
		t.Fatal(err)
	}
	recipe := Recipe{Again: 1000, Hold: 300}
	for _, test := range []struct {
		many uint64
		want bool
	}{{1000, false}, {10_000, false}, {10_001, true}} {
		c := &composer{recipe: &recipe, judge: Judge{Searcher: &shortSighted{right: set[0].Solution[0], many: test.many}}}
		holds, err := c.holds(context.Background(), &set[0])
		if err != nil {
			t.Fatal(err)
		}
		if holds != test.want {
			t.Errorf("another turn wins with %d nodes: holds is %v, want %v", test.many, holds, test.want)
		}
	}
}

// TestInterrupted cancels a run after its first puzzle.
func TestInterrupted(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	searcher := alphabeta.New(1)
	defer searcher.Close()
	all, err := Compose(ctx, small, nil, searcher, func(p Progress) {
		if p.Puzzles > 0 {
			cancel(enough)
		}
	})
	if !errors.Is(err, enough) || all != nil {
		t.Errorf("%d puzzles, %v", len(all), err)
	}
}

// TestWrongRecipes checks that invalid recipes are rejected.
func TestWrongRecipes(t *testing.T) {
	for _, wrong := range []func(*Recipe){
		func(r *Recipe) { r.Puzzles = 0 },
		func(r *Recipe) { r.Games = 0 },
		func(r *Recipe) { r.Nodes = 299 },
		func(r *Recipe) { r.Lead = 0 },
		func(r *Recipe) { r.Hold = 1001 },
	} {
		r := small
		wrong(&r)
		if _, err := Compose(context.Background(), r, nil, nil, nil); err == nil {
			t.Errorf("%+v was accepted", r)
		}
	}
}

// TestFit checks the most likely rating for several outcomes.
func TestFit(t *testing.T) {
	level := func(elo, found, missed int) (tries []try) {
		for i := range found + missed {
			tries = append(tries, try{elo, i < found})
		}
		return tries
	}
	for _, test := range []struct {
		name  string
		tries []try
		want  int
	}{
		{"half the tries of a level", level(1200, 20, 20), 1200},
		{"nobody", nil, 1500},
		{"ten in eleven tries of a level, which is 400 better", level(1500, 100, 10), 1100},
		{"one level always, the other never", append(level(1000, 0, 10), level(2000, 10, 0)...), 1500},
	} {
		if got := fit(test.tries); got < test.want-20 || got > test.want+20 {
			t.Errorf("%s: %d, want about %d", test.name, got, test.want)
		}
	}
	if easy, hard := fit(level(300, 4, 0)), fit(level(2700, 0, 4)); easy > 300 || hard < 2700 {
		t.Errorf("always found: %d; never found: %d", easy, hard)
	}
}
