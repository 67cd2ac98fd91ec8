package openings

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/game"
	"gyre/position"
)

// quick is a recipe whose search is short.
var quick = Recipe{Seed: 5, Rings: AllRings, Moves: 3, Bound: 10, Nodes: 300}

func generate(t *testing.T, r Recipe, count int) []string {
	t.Helper()
	g, err := NewGenerator(r)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for i := range count {
		o, err := g.Opening(i)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, Format(o))
	}
	return texts
}

// TestSameSeedSameSet makes a set twice, the second time asking for the last
// opening first.
func TestSameSeedSameSet(t *testing.T) {
	first := generate(t, quick, 20)
	g, err := NewGenerator(quick)
	if err != nil {
		t.Fatal(err)
	}
	for i := 19; i >= 0; i-- {
		o, err := g.Opening(i)
		if err != nil {
			t.Fatal(err)
		}
		if Format(o) != first[i] {
			t.Errorf("opening %d: %s, before %s", i, Format(o), first[i])
		}
	}
	other := quick
	other.Seed++
	if second := generate(t, other, 20); cmp.Equal(first, second) {
		t.Error("another seed makes the same set")
	}
}

// TestOpeningsKeepTheirPromises checks length, distinctness and balance, and
// that what is refused is refused for its score.
func TestOpeningsKeepTheirPromises(t *testing.T) {
	g, err := NewGenerator(quick)
	if err != nil {
		t.Fatal(err)
	}
	judge := newJudge(quick)
	seen := map[uint64]bool{}
	for i := range 20 {
		o, err := g.Opening(i)
		if err != nil {
			t.Fatal(err)
		}
		end, err := o.End()
		if err != nil {
			t.Fatal(err)
		}
		if len(o.Turns) != 13 || end.Over() {
			t.Errorf("opening %d: %s", i, Format(o))
		}
		if !judge.even(&end) {
			t.Errorf("opening %d is not even", i)
		}
		for s := range position.Symmetry(position.Symmetries) {
			image := s.Position(&end)
			if seen[image.Hash()] {
				t.Errorf("opening %d is another, seen by symmetry %d", i, s)
			}
		}
		seen[end.Hash()] = true
	}
	if int(g.tried) == len(g.made) {
		t.Error("no candidate was refused")
	}
}

// TestSymmetricKey checks that the key tells positions apart, but not images.
func TestSymmetricKey(t *testing.T) {
	p := position.Start(position.Standard)
	keys := map[uint64]int{}
	for _, turn := range p.Turns(nil) {
		var child position.Position
		p.Play(&child, turn)
		keys[child.SymmetricHash()]++
	}
	if len(keys) != 11 {
		t.Errorf("%d classes of first rings, the board has 11", len(keys))
	}
}

func TestRecipes(t *testing.T) {
	for _, r := range []Recipe{{Moves: -1}, {Moves: 21}, {Bound: -1}, {Bound: 5}, {Rings: Rings{-1, 3}}, {Rings: Rings{3, 11}}, {Rings: Rings{3, 2}}} {
		if _, err := NewGenerator(r); err == nil {
			t.Errorf("%+v was taken", r)
		}
	}
	if err := Default.Check(); err != nil {
		t.Error(err)
	}
	if text := Default.String(); !strings.Contains(text, "seed 1") {
		t.Error(text)
	}
}

func TestBook(t *testing.T) {
	p := position.Start(position.Standard)
	for _, word := range []string{"e3", "f6"} {
		turn, err := p.ParseTurn(word)
		if err != nil {
			t.Fatal(err)
		}
		var child position.Position
		p.Play(&child, turn)
		p = child
	}
	text := "# two ways to say the same, and more\n\ne3 F6\n" + p.String() + "\n" +
		p.String() + " moves g7 # and on\nmoves e3 f6 g7\n" + position.StartText + "\n"
	book, err := Read(strings.NewReader(text), "book", position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	var ends, written []string
	for round := range len(book) + 1 {
		o, err := book.Opening(round)
		if err != nil {
			t.Fatal(err)
		}
		end, err := o.End()
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, end.String())
		written = append(written, Format(o))
	}
	if ends[0] != p.String() || ends[1] != p.String() || ends[2] != ends[3] || ends[5] != ends[0] {
		t.Errorf("ends %q", ends)
	}
	if diff := cmp.Diff([]string{"e3 f6", p.String(), p.String() + " g7", "e3 f6 g7", position.StartText, "e3 f6"}, written); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string]string{
		"e3\nz9":                        "book:2: ",
		"4/7 w 0-0":                     "book:1: ",
		position.StartText + " e3 e3":   "book:1: ",
		"":                              "no openings",
		strings.Repeat("x", 1<<16) + "": "book:1: ",
	} {
		if _, err := Read(strings.NewReader(text), "book", position.Standard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: error %v", text, err)
		}
	}
	if _, err := (Book{}).Opening(0); err == nil {
		t.Error("an empty book has an opening")
	}
}

func FuzzBook(f *testing.F) {
	f.Add("e3 f6\n" + position.StartText + " moves a2")
	f.Fuzz(func(t *testing.T, text string) {
		book, err := Read(strings.NewReader(text), "fuzz", position.Standard)
		if err != nil {
			return
		}
		var out strings.Builder
		for _, o := range book {
			out.WriteString(Format(o) + "\n")
		}
		again, err := Read(strings.NewReader(out.String()), "fuzz", position.Standard)
		if diff := cmp.Diff(book, again, cmp.Comparer(func(a, b game.Opening) bool { return Format(a) == Format(b) })); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
	})
}
