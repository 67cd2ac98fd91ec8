package compose

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/puzzles"
	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
)

// small is a recipe that takes little time.
var small = Recipe{Seed: 7, Puzzles: 3, Games: 30, Nodes: 1500, Lead: 200, Hold: 100}

// made returns the puzzles of a recipe that grows a set, as text, with what was told last.
func made(t *testing.T, recipe Recipe, set []puzzles.Puzzle) (text string, last Progress) {
	t.Helper()
	searcher := alphabeta.New(1)
	defer searcher.Close()
	all, err := Run(context.Background(), recipe, set, searcher, func(p Progress) { last = p })
	if err != nil {
		t.Fatal(err)
	}
	return textOf(t, all), last
}

// textOf returns puzzles as a file has them.
func textOf(t *testing.T, all []puzzles.Puzzle) string {
	t.Helper()
	var text bytes.Buffer
	if err := puzzles.Write(&text, all); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// mustRead reads puzzles of a file.
func mustRead(t *testing.T, text string) []puzzles.Puzzle {
	t.Helper()
	all, err := puzzles.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestSameRecipe makes a small set twice: it is the same, can be read, and has no theme
// more often than wanted.
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
	count := map[puzzles.Theme]int{}
	for _, z := range all {
		if count[z.Theme]++; count[z.Theme] > 1 {
			t.Errorf("%d puzzles have the theme %v, want at most 1", count[z.Theme], z.Theme)
		}
	}
}

// TestGrow grows a set by the games of another seed: of its puzzles one that has two right
// turns is dropped, the others come first as they are, and one more is found that holds.
// Grown again by the same recipe the set stays as it is, as every puzzle holds.
func TestGrow(t *testing.T) {
	const two = `{"id":"a1","fen":"3B/W5B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 2-0","rules":"standard","theme":"win","rating":700,"solution":["f3-b3;xf3-f7xb1"],"mate":1}`
	recipe := small
	recipe.Puzzles, recipe.Again = 1, 4000
	one, _ := made(t, recipe, nil)
	recipe.Seed, recipe.Puzzles = 8, 2
	grown, told := made(t, recipe, mustRead(t, two+"\n"+one))
	if lines := strings.SplitAfter(grown, "\n"); len(lines) != 3 || lines[0] != one || told.Kept != 1 || told.Puzzles != 2 {
		t.Fatalf("%+v: of\n%s%s\ncame\n%s", told, two, one, grown)
	}
	again, told := made(t, recipe, mustRead(t, grown))
	if diff := cmp.Diff(grown, again); diff != "" || told.Games > 0 {
		t.Errorf("%+v: grown again (-first +second):\n%s", told, diff)
	}
}

// shortSighted is a searcher to whom every turn wins with many nodes, and only the right
// one with fewer.
type shortSighted struct {
	search.Searcher
	right position.Turn
	many  uint64
}

// NewGameFor forgets nothing, as there is nothing.
func (*shortSighted) NewGameFor(uint64) {}

// Search finds a win or a loss.
func (s *shortSighted) Search(_ context.Context, _ position.Position, limits search.Limits, _ func(search.Info)) search.Outcome {
	score := search.LossIn(4)
	if limits.Nodes >= s.many || slices.Contains(limits.SearchTurns, s.right) {
		score = search.WinIn(3)
	}
	return search.Outcome{Best: limits.SearchTurns[0], Info: search.Info{Score: score}}
}

// TestConfirms searches a puzzle by the last searches of a recipe: none is kept whose other
// turns turn out to be right with ten times the nodes that choose.
func TestConfirms(t *testing.T) {
	set, err := puzzles.Set()
	if err != nil {
		t.Fatal(err)
	}
	recipe := Recipe{Again: 1000, Hold: 300}
	for _, test := range []struct {
		many uint64
		want bool
	}{{1000, false}, {10_000, false}, {10_001, true}} {
		c := &composer{recipe: &recipe, judge: puzzles.Judge{Searcher: &shortSighted{right: set[0].Solution[0], many: test.many}}}
		holds, err := c.holds(context.Background(), &set[0])
		if err != nil {
			t.Fatal(err)
		}
		if holds != test.want {
			t.Errorf("another turn wins with %d nodes: the puzzle holds is %v, want %v", test.many, holds, test.want)
		}
	}
}

// TestInterrupted ends a run after its first puzzle.
func TestInterrupted(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	searcher := alphabeta.New(1)
	defer searcher.Close()
	all, err := Run(ctx, small, nil, searcher, func(p Progress) {
		if p.Puzzles > 0 {
			cancel(enough)
		}
	})
	if !errors.Is(err, enough) || all != nil {
		t.Errorf("%d puzzles, %v", len(all), err)
	}
}

// TestWrongRecipes gives recipes that make nothing.
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
		if _, err := Run(context.Background(), r, nil, nil, nil); err == nil {
			t.Errorf("%+v is no error", r)
		}
	}
}

// TestFit is a table of tries and the rating that is likeliest with them.
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
		{"half of one level", level(1200, 20, 20), 1200},
		{"nobody", nil, 1500},
		{"ten in eleven of one level, which is 400 better", level(1500, 100, 10), 1100},
		{"two levels, of which one finds all and one nothing", append(level(1000, 0, 10), level(2000, 10, 0)...), 1500},
	} {
		if got := fit(test.tries); got < test.want-20 || got > test.want+20 {
			t.Errorf("%s: %d, want about %d", test.name, got, test.want)
		}
	}
	if easy, hard := fit(level(300, 4, 0)), fit(level(2700, 0, 4)); easy > 300 || hard < 2700 {
		t.Errorf("found by all: %d; by none: %d", easy, hard)
	}
}
