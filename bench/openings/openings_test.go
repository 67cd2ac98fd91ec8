package openings

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/game"
	"gyre/position"
	"gyre/position/plaintext/plaintexttest"
	"gyre/search/alphabeta"
)

// fiveLines are openings of which the last two begin like others or their mirror images.
const fiveLines = "e3 f6 a2\ne4 f6\nf6 e3\ne3 a4\nf6 a2 a3\n"

func TestSelection(t *testing.T) {
	book, err := Read(strings.NewReader(fiveLines), "book", position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	texts := func(s Selection) []string {
		t.Helper()
		selected, err := book.Select(s)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, o := range selected {
			all = append(all, Format(o))
		}
		return all
	}
	whole := strings.Split(strings.TrimSpace(fiveLines), "\n")
	for name, test := range map[string]struct {
		selection Selection
		want      []string
	}{
		"all":           {Selection{}, whole},
		"the first":     {Selection{Start: 1}, whole},
		"from an index": {Selection{Start: 4}, whole[3:]},
		"truncated":     {Selection{Plies: 1}, []string{"e3", "e4", "f6"}},
		"and from":      {Selection{Plies: 1, Start: 2}, []string{"e4", "f6"}},
		"longer":        {Selection{Plies: 9}, whole},
	} {
		if diff := cmp.Diff(test.want, texts(test.selection)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	shuffled := texts(Selection{Shuffled: true, Seed: 2})
	if diff := cmp.Diff(shuffled, texts(Selection{Shuffled: true, Seed: 2})); diff != "" {
		t.Errorf("the same seed gives another order: %s", diff)
	}
	if diff := cmp.Diff(shuffled[2:], texts(Selection{Shuffled: true, Seed: 2, Start: 3})); diff != "" {
		t.Errorf("the start is not in shuffled order: %s", diff)
	}
	if slices.Equal(shuffled, whole) || slices.Equal(shuffled, texts(Selection{Shuffled: true, Seed: 3})) {
		t.Errorf("order %q", shuffled)
	}
	slices.Sort(shuffled)
	slices.Sort(whole)
	if diff := cmp.Diff(whole, shuffled); diff != "" {
		t.Errorf("shuffling changes the openings: %s", diff)
	}
	for _, wrong := range []Selection{{Start: 6}, {Start: -1}, {Plies: -1}} {
		if _, err := book.Select(wrong); err == nil {
			t.Errorf("%+v was accepted", wrong)
		}
	}
}

func TestBook(t *testing.T) {
	p := position.Start(position.Standard)
	for _, word := range []string{"e3", "f6"} {
		turn, err := p.ParseTurn(word)
		if err != nil {
			t.Fatal(err)
		}
		p = p.After(turn)
	}
	text := "# two forms of the same opening, and more\n\ne3 F6\n" + p.String() + "\n" +
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
		"e3\nz9":                      "book:2: ",
		"4/7 w 0-0":                   "book:1: ",
		position.StartText + " e3 e3": "book:1: ",
		"":                            "no openings",
		"a2\n" + strings.Repeat("x", longestLine+2): "book:2: longer than 65536 bytes",
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

// quick is a recipe with a short search.
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

// TestSameSeedSameSet generates a set twice, the second time asking for the last opening
// first.
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
		t.Error("another seed gives the same set")
	}
}

// TestLearn makes openings again of which a generator has learned all, some, or others that the recipe does not give. They
// are the same, and it searches none that it knows.
func TestLearn(t *testing.T) {
	const count = 30
	for _, r := range []Recipe{quick, {Seed: 2, Rings: Rings{0, 5}, Bound: 30, Nodes: 100}} {
		// searches makes openings, and returns how many searches that took.
		searches := func(learned [][]string) (made [][]string, searched int) {
			g, err := NewGenerator(r)
			if err != nil {
				t.Fatal(err)
			}
			defer g.Close()
			g.score = func(ctx context.Context, s *alphabeta.Searcher, p *position.Position, nodes uint64) (int, uint64) {
				searched++
				return scoreOf(ctx, s, p, nodes)
			}
			for number, turns := range learned {
				if turns != nil {
					g.Learn(number, turns)
				}
			}
			for number := range count {
				o, err := g.Opening(number)
				if err != nil {
					t.Fatal(err)
				}
				made = append(made, position.Words(o.Turns))
			}
			return made, searched
		}
		want, all := searches(nil)
		some, others := slices.Clone(want), make([][]string, count)
		for number := 0; number < count; number += 3 {
			some[number] = nil
		}
		for number := range count {
			others[number] = strings.Fields(strings.Repeat("none ", len(want[number])))
		}
		for name, test := range map[string]struct {
			learned     [][]string
			least, most int
		}{
			"all":    {want, 0, 0},
			"some":   {some, count / 3, all - count/3},
			"others": {others, all, all},
		} {
			if got, searched := searches(test.learned); !cmp.Equal(got, want) || searched < test.least || searched > test.most {
				t.Errorf("%v, %s: %d searches, without what it learned %d; the same: %t", r, name, searched, all, cmp.Equal(got, want))
			}
		}
	}
}

// TestOpenings checks length, distinctness and balance, and that some candidates are
// rejected.
func TestOpenings(t *testing.T) {
	g, err := NewGenerator(quick)
	if err != nil {
		t.Fatal(err)
	}
	judge := alphabeta.New(generatorHash)
	defer judge.Close()
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
		if !g.even(&Loan{searcher: judge}, &end) {
			t.Errorf("opening %d is not even", i)
		}
		for s := range position.Symmetry(position.Symmetries) {
			image := s.Position(&end)
			if seen[image.Hash()] {
				t.Errorf("opening %d is a duplicate by symmetry %d", i, s)
			}
		}
		seen[end.Hash()] = true
	}
	if int(g.tried) == len(g.made) {
		t.Error("no candidate was rejected")
	}
}

// TestSymmetricKey checks that keys distinguish positions but not symmetric images.
func TestSymmetricKey(t *testing.T) {
	p := position.Start(position.Standard)
	keys := map[uint64]int{}
	for _, turn := range p.Turns(nil) {
		child := p.After(turn)
		keys[child.SymmetricHash()]++
	}
	if len(keys) != 11 {
		t.Errorf("%d classes of first rings, want 11", len(keys))
	}
}

func TestRecipes(t *testing.T) {
	for _, r := range []Recipe{{Moves: -1}, {Moves: 21}, {Bound: -1}, {Bound: 5}, {Rings: Rings{-1, 3}}, {Rings: Rings{3, 11}}, {Rings: Rings{3, 2}}} {
		if _, err := NewGenerator(r); err == nil {
			t.Errorf("%+v was accepted", r)
		}
	}
	if err := Default.Check(); err != nil {
		t.Error(err)
	}
	if text := Default.String(); !strings.Contains(text, "seed 1") {
		t.Error(text)
	}
}

func TestRings(t *testing.T) {
	for _, test := range []struct {
		text string
		want Rings
		ok   bool
	}{
		{"10", AllRings, true},
		{"0", Rings{0, 0}, true},
		{"3", Rings{3, 3}, true},
		{"0-10", Rings{0, 10}, true},
		{"2-4", Rings{2, 4}, true},
		{"11", Rings{}, false},
		{"0-11", Rings{}, false},
		{"4-2", Rings{}, false},
		{"-1", Rings{}, false},
		{"-1-3", Rings{}, false},
		{"1-", Rings{}, false},
		{"", Rings{}, false},
		{"all", Rings{}, false},
	} {
		var got Rings
		err := got.UnmarshalText([]byte(test.text))
		if got != test.want || (err == nil) != test.ok {
			t.Errorf("%q: %+v, %v", test.text, got, err)
		}
		if test.ok && got.String() != test.text {
			t.Errorf("%q: String returns %q", test.text, got)
		}
	}
}

func FuzzRings(f *testing.F) {
	f.Add("0-10")
	f.Fuzz(func(t *testing.T, text string) {
		var r, again Rings
		if r.UnmarshalText([]byte(text)) != nil {
			return
		}
		if err := errors.Join(r.Check(), again.UnmarshalText([]byte(r.String()))); err != nil || again != r {
			t.Errorf("%q: %+v, then %+v, %v", text, r, again, err)
		}
	})
}

// TestRecipeText checks that the texts of recipes do not change, because files of games
// identify their match by them.
func TestRecipeText(t *testing.T) {
	for want, r := range map[string]Recipe{
		"seed 1: rings at random, then 4 moves":                                   {Seed: 1, Rings: AllRings, Moves: 4},
		"seed 1: 0-10 rings at random, after all of them 4 moves":                 {Seed: 1, Rings: Rings{0, 10}, Moves: 4},
		"seed 1: 3 rings at random":                                               {Seed: 1, Rings: Rings{3, 3}, Moves: 4},
		"seed 2: 0-4 rings at random, no side ahead by more than 5 after 9 nodes": {Seed: 2, Rings: Rings{0, 4}, Moves: 4, Bound: 5, Nodes: 9},
	} {
		if got := r.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestAllRingsUnchanged compares with openings of recorded matches, from a version without
// Rings. No search selects among them, so they never change.
func TestAllRingsUnchanged(t *testing.T) {
	for _, test := range []struct {
		recipe Recipe
		want   string
	}{
		{Recipe{Seed: 1, Rings: AllRings, Rules: position.Blitz}, `
g5 b4 h7 a3 h5 f10 i8 g4 d7 c1
k10 b5 i10 j7 d6 j9 i4 b6 f9 d7
h11 g6 i5 i6 c8 a5 f5 e10 c1 c5
g3 h5 k10 j9 f9 b2 j8 i9 i11 j6`},
		{Recipe{Seed: 7, Rings: AllRings, Moves: 4}, `
d4 d8 b6 c4 j5 i5 k10 f9 g7 f2 k10-f5 c4-i10 b6-e6 i5-i6
g7 i6 a5 d5 f4 d2 d1 f3 c6 b5 c6-c5 d5-j5 f4-i4 j5-j8
g8 k8 b4 a5 f4 k7 b2 d2 i10 i9 b2-d4 k7-f7 g8-h8 k8-i6`},
	} {
		if diff := cmp.Diff(test.want, "\n"+strings.Join(generate(t, test.recipe, strings.Count(test.want, "\n")), "\n")); diff != "" {
			t.Errorf("%v: %s", test.recipe, diff)
		}
	}
}

// TestOpeningsOfSomeRings generates openings with some rings left to place. Their numbers of
// rings are in the range and about equally frequent. All are legal, balanced and distinct,
// and the same each time.
func TestOpeningsOfSomeRings(t *testing.T) {
	const openings = 300
	recipe := Recipe{Seed: 3, Rings: Rings{2, 10}, Moves: 2, Bound: 60, Nodes: 50}
	g, err := NewGenerator(recipe)
	if err != nil {
		t.Fatal(err)
	}
	judge := alphabeta.New(generatorHash)
	defer judge.Close()
	seen := map[uint64]bool{}
	numbers := map[int]int{}
	var texts []string
	for i := range openings {
		o, err := g.Opening(i)
		if err != nil {
			t.Fatal(err)
		}
		end, err := o.End()
		if err != nil {
			t.Fatal(err)
		}
		rings := len(o.Turns)
		if rings == allRings+recipe.Moves {
			rings = allRings
		}
		numbers[rings]++
		if key := end.SymmetricHash(); seen[key] || !g.even(&Loan{searcher: judge}, &end) {
			t.Errorf("opening %d, %s: duplicate %t", i, Format(o), seen[key])
		} else {
			seen[key] = true
		}
		texts = append(texts, Format(o))
	}
	for rings := recipe.Rings.Min; rings <= recipe.Rings.Max; rings++ {
		if n := numbers[rings]; n < 15 || n > 55 { // 33 plus or minus three standard deviations
			t.Errorf("%d openings with %d rings", n, rings)
		}
		delete(numbers, rings)
	}
	if len(numbers) > 0 {
		t.Errorf("openings with other numbers of rings: %v", numbers)
	}
	if diff := cmp.Diff(texts, generate(t, recipe, openings)); diff != "" {
		t.Errorf("generated again: %s", diff)
	}
}

// TestFewOpenings checks recipes with few openings: they generate each exactly once and
// then return an error. A range continues with more rings.
func TestFewOpenings(t *testing.T) {
	for _, test := range []struct {
		rings Rings
		want  int
	}{{Rings{0, 0}, 1}, {Rings{1, 1}, 11}, {Rings{0, 1}, 12}} {
		g, err := NewGenerator(Recipe{Seed: 1, Rings: test.rings})
		if err != nil {
			t.Fatal(err)
		}
		all := g.All()
		if len(all) != test.want || !g.recipe.Few() {
			t.Errorf("%v rings: %d openings", test.rings, len(all))
		}
		for round, repeats := range all.Repeats(len(all)) {
			if repeats {
				t.Errorf("%v rings: opening %d is a duplicate", test.rings, round)
			}
		}
		_, err = g.Opening(test.want)
		if want := fmt.Sprintf("openings after number %d cannot be generated: ", test.want); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v rings: %v", test.rings, err)
		}
	}
	numbers := map[int]int{}
	for _, text := range generate(t, Recipe{Seed: 1, Rings: Rings{0, 3}}, 200) {
		if text == position.StartText {
			text = ""
		}
		numbers[len(strings.Fields(text))]++
	}
	if numbers[0] != 1 || numbers[1] != 11 || len(numbers) != 4 {
		t.Errorf("openings by rings: %v", numbers)
	}
}

// TestStartIsEven checks that the start of a game is within the default bound.
func TestStartIsEven(t *testing.T) {
	recipe := Default
	recipe.Rings = Rings{0, 0}
	if got := generate(t, recipe, 1)[0]; got != position.StartText {
		t.Errorf("opening %q", got)
	}
}

// small is a quick exploration.
var small = Exploration{Seed: 3, Games: 12, Nodes: 20, Plies: 4, Slips: 0.2, MinGames: 2, ScoreNodes: 30}

// TestExplorationRepeats explores on one thread and on three with the same result: each
// position once, with at least the minimum number of games.
func TestExplorationRepeats(t *testing.T) {
	var found [2][]Explored
	for i, threads := range []int{1, 3} {
		done, of := 0, 0
		var err error
		if found[i], err = small.Run(context.Background(), threads, func(d, o int) { done, of = d, o }); err != nil {
			t.Fatal(err)
		}
		if done != of || done != small.Games+len(found[i]) {
			t.Errorf("%d of %d done", done, of)
		}
	}
	if diff := cmp.Diff(found[0], found[1]); diff != "" || len(found[0]) < 3 {
		t.Errorf("%d positions (-one thread +three):\n%s", len(found[0]), diff)
	}
	first := 0
	start := position.Start(position.Standard)
	keys := map[string]bool{}
	for _, turn := range start.Turns(nil) {
		child := start.After(turn)
		keys[Key(&child)] = true
	}
	for i, x := range found[0] {
		if x.Games < small.MinGames || x.HalfPoints < 0 || x.HalfPoints > 2*x.Games || i > 0 && x.Key <= found[0][i-1].Key {
			t.Errorf("%v", x)
		}
		if keys[x.Key] {
			first += x.Games
		}
	}
	if first < small.Games/2 || first > small.Games {
		t.Errorf("%d of %d games are counted after the first turn", first, small.Games)
	}
}

// TestExplorationEnds cancels an exploration.
func TestExplorationEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	if _, err := small.Run(ctx, 1, func(int, int) { cancel(why) }); !errors.Is(err, why) {
		t.Errorf("%v", err)
	}
}

// TestKeysAreSymmetric compares the keys of symmetric images.
func TestKeysAreSymmetric(t *testing.T) {
	p, err := position.Parse("W2B/6B/8/9/10/1Wwwbw1b1/10/9/B7/B6/1WWB b 1-0", position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	for s := range position.Symmetry(position.Symmetries) {
		image := s.Position(&p)
		if Key(&image) != Key(&p) {
			t.Errorf("symmetry %d: %s, want %s", s, Key(&image), Key(&p))
		}
	}
	start := position.Start(position.Standard)
	if Key(&start) == Key(&p) {
		t.Error("two positions have the same key")
	}
}

// TestInvalidExplorations checks that invalid explorations are rejected.
func TestInvalidExplorations(t *testing.T) {
	if err := DefaultExploration.Check(); err != nil {
		t.Error(err)
	}
	for _, change := range []func(*Exploration){
		func(e *Exploration) { e.Games = 0 }, func(e *Exploration) { e.Nodes = 0 }, func(e *Exploration) { e.Plies = 99 },
		func(e *Exploration) { e.Slips = 2 }, func(e *Exploration) { e.MinGames = 0 },
	} {
		e := DefaultExploration
		change(&e)
		if e.Check() == nil {
			t.Errorf("%v was accepted", e)
		}
	}
}

// TestWork bounds the searches for one opening.
func TestWork(t *testing.T) {
	r := Recipe{Seed: 1, Rings: AllRings, Bound: 1, Nodes: 1000}
	for work, enough := range map[uint64]bool{0: true, 1: false, 2000: false, 100_000_000: true} {
		g, err := NewGenerator(r)
		if err != nil {
			t.Fatal(err)
		}
		g.Work = work
		if _, err := g.Opening(0); (err == nil) != enough || err != nil && !strings.Contains(err.Error(), "in all") {
			t.Errorf("with %d nodes: %v", work, err)
		}
		g.Close()
	}
}

// TestOddForms reads openings in the forms in which files come.
func TestOddForms(t *testing.T) {
	plaintexttest.Run(t, "# "+plaintexttest.Name+"\ne3 f6\n\na2 a3\n", func(content string) (string, error) {
		book, err := Read(strings.NewReader(content), "book", position.Standard)
		if err != nil {
			return "", err
		}
		return Format(book[0]) + "\n" + Format(book[1]), nil
	})
}

// TestHashSet adds hashes, among them those at the ends of the range, and all of them again. Each counts once, and needs
// little memory.
func TestHashSet(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	hashes := []uint64{0, 1, 2, math.MaxUint64, math.MaxUint64 - 1}
	for range 100_000 {
		hashes = append(hashes, rng.Uint64())
	}
	var s hashSet
	for _, isNew := range []bool{true, false} {
		for _, hash := range hashes {
			if s.add(hash) != isNew {
				t.Fatalf("hash %x is new: %t", hash, !isNew)
			}
		}
	}
	slots := 0
	for i := range s {
		slots += cap(s[i].slots)
	}
	if each := 8 * float64(slots) / float64(len(hashes)); each > 13 {
		t.Errorf("each hash needs %.1f bytes", each)
	}
}
