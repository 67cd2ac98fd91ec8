package compose

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/puzzles"
	"gyre/search/alphabeta"
)

// small is a recipe that takes little time.
var small = Recipe{Seed: 7, Puzzles: 3, Games: 30, Nodes: 1500}

// made returns the puzzles of the small recipe as text.
func made(t *testing.T) string {
	t.Helper()
	searcher := alphabeta.New(1)
	defer searcher.Close()
	all, err := Run(context.Background(), small, searcher, func(Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := puzzles.Write(&text, all); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// TestSameRecipe makes a small set twice: it is the same, can be read, and has no theme
// more often than wanted.
func TestSameRecipe(t *testing.T) {
	first := made(t)
	if diff := cmp.Diff(first, made(t)); diff != "" {
		t.Errorf("the same recipe (-first +second):\n%s", diff)
	}
	all, err := puzzles.Read(bytes.NewReader([]byte(first)))
	if err != nil {
		t.Fatal(err)
	}
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

// TestInterrupted ends a run after its first puzzle.
func TestInterrupted(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	searcher := alphabeta.New(1)
	defer searcher.Close()
	all, err := Run(ctx, small, searcher, func(p Progress) {
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
	for _, r := range []Recipe{{Games: 1, Nodes: 1000}, {Puzzles: 1, Nodes: 1000}, {Puzzles: 1, Games: 1, Nodes: 299}} {
		if _, err := Run(context.Background(), r, nil, nil); err == nil {
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
