package puzzles

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/tactics/proof"
	"gyre/position"
	"gyre/position/plaintext/plaintexttest"
	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/evaluation"
)

// oneRow is a puzzle in which the ring on f3 completes a row by leaving it, and wins.
const oneRow = `{"id":"a1","fen":"3B/W5B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 2-0","rules":"standard","theme":"make-row","rating":700,"solution":["f3-e2;xf3-f7xb1"],"mate":1}`

// equalPuzzles compares positions by value.
var equalPuzzles = cmp.Comparer(func(a, b position.Position) bool { return a.Equal(b) })

// TestReadWrite reads the set and writes it back.
func TestReadWrite(t *testing.T) {
	all, err := Set()
	if err != nil {
		t.Fatal(err)
	}
	file, err := Files.ReadFile(SetName)
	if err != nil {
		t.Fatal(err)
	}
	text := string(file)
	var written bytes.Buffer
	if err := Write(&written, all); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, written.String()); diff != "" {
		t.Errorf("the set (-file +written):\n%s", diff)
	}
	if !strings.Contains(text[:1024], Mark) {
		t.Errorf("the first kilobyte of the set lacks %q", Mark)
	}
}

// TestBadLines changes a valid line so that Read must reject it.
func TestBadLines(t *testing.T) {
	if _, err := Read(strings.NewReader("\n" + oneRow + "\n")); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ old, now, want string }{
		{`{`, `[`, "not a puzzle: "},
		{`}`, ``, "not a puzzle: unexpected EOF"},
		{`}`, `} {}`, "not a puzzle: more than one object"},
		{`"mate"`, `"mat"`, `not a puzzle: json: unknown field "mat"`},
		{`"a1"`, `"A1"`, `id "A1": use 1 to 16 lower-case letters and digits`},
		{`"a1"`, `""`, `id ""`},
		{`standard`, `bullet`, `rules "bullet"`},
		{`3B/`, `3B1/`, `fen: board`},
		{`make-row`, `fork`, `unknown theme "fork": use one of make-row,`},
		{`make-row`, `two-rows`, `theme two-rows: does not match the solution`},
		{`700`, `-10`, `rating -10: must be from 0 to 3000`},
		{`700`, `7000`, `rating 7000: must be from 0 to 3000`},
		{`,"mate":1`, `,"mate":9`, `mate 9: must be from 1 to 5`},
		{`,"mate":1`, ``, `solution: wins in 1, but mate is 0`},
		{`,"mate":1`, `,"mate":2`, `solution: wins in 1, but mate is 2`},
		{`"standard","theme":"make-row","rating":700,"solution":["f3-e2;xf3-f7xb1"]`, `"standard","theme":"win","rating":700,"solution":["f3-e2;xf3-f7xb1","a5-b6"]`, "solution: turn 2 "},
		{`3B/W5B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 2-0`, `W2B/W5B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 1-0`, `solution: no win after 1 turns of the solver, but mate is 1`},
		{`["f3-e2;xf3-f7xb1"]`, `[]`, "solution of 0 turns"},
		{`["f3-e2;xf3-f7xb1"]`, `["f3-e2"]`, `solution: turn 1 "f3-e2"`},
		{`["f3-e2;xf3-f7xb1"]`, `["f3-e2;xf3-f7xb1","b1-b2"]`, `solution: turn 2 "b1-b2"`},
	} {
		_, err := Read(strings.NewReader("\n" + strings.Replace(oneRow, test.old, test.now, 1)))
		if err == nil || !strings.HasPrefix(err.Error(), "line 2: "+test.want) {
			t.Errorf("%s for %s: error %v, want line 2: %s", test.now, test.old, err, test.want)
		}
	}
}

// TestRepeated reads a repeated ID, and a repeated position under a symmetry.
func TestRepeated(t *testing.T) {
	all, err := Read(strings.NewReader(oneRow))
	if err != nil {
		t.Fatal(err)
	}
	const turn = position.Symmetry(2)
	turned := all[0]
	turned.ID, turned.Position = "b2", turn.Position(&turned.Position)
	turned.Solution = []position.Turn{turn.Turn(turned.Solution[0])}
	var text bytes.Buffer
	if err := Write(&text, []Puzzle{turned}); err != nil {
		t.Fatal(err)
	}
	for _, second := range []string{oneRow, text.String()} {
		if _, err := Read(strings.NewReader(oneRow + "\n\n" + second)); err == nil || !strings.HasSuffix(err.Error(), " repeats line 1") || !strings.HasPrefix(err.Error(), "line 3: ") {
			t.Errorf("error %v, want line 3 repeats line 1", err)
		}
	}
}

// TestLongLine reads a line that is too long.
func TestLongLine(t *testing.T) {
	_, err := Read(strings.NewReader(oneRow + "\n" + strings.Repeat("x", maxLine+1)))
	if err == nil || err.Error() != "line 2: longer than 65536 bytes" {
		t.Errorf("error %v", err)
	}
}

// FuzzRead checks that puzzles survive being written and read again.
func FuzzRead(f *testing.F) {
	f.Add(oneRow)
	set, err := Files.ReadFile(SetName)
	if err != nil {
		f.Fatal(err)
	}
	first, _, _ := strings.Cut(string(set), "\n")
	f.Add(first)
	f.Fuzz(func(t *testing.T, text string) {
		all, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		var written bytes.Buffer
		if err := Write(&written, all); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&written)
		if err != nil {
			t.Fatalf("%q is written in a form that Read rejects: %v", text, err)
		}
		if diff := cmp.Diff(all, again, equalPuzzles); diff != "" {
			t.Errorf("%q (-first +again):\n%s", text, diff)
		}
	})
}

// mustSet returns the set.
func mustSet(t *testing.T) []Puzzle {
	t.Helper()
	all, err := Set()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestSetMix checks that the set has enough puzzles of each theme and strength, and that
// IDs match positions.
func TestSetMix(t *testing.T) {
	all := mustSet(t)
	if len(all) < 1500 {
		t.Errorf("%d puzzles, want at least 1500", len(all))
	}
	var themes [themeCount]int
	var bands [4]int // of 500 points; the last has no upper bound
	for i := range all {
		z := &all[i]
		themes[z.Theme]++
		bands[min(z.Rating/500, 3)]++
		if want := IDOf(&z.Position); z.ID != want {
			t.Errorf("puzzle %s: its position has ID %s", z.ID, want)
		}
	}
	for theme, count := range themes {
		if count < len(all)/50 {
			t.Errorf("%d of %d puzzles have the theme %v", count, len(all), Theme(theme))
		}
	}
	for i, count := range bands {
		if count < len(all)/30 {
			t.Errorf("%d of %d puzzles are rated at least %d, in a band of 500", count, len(all), 500*i)
		}
	}
}

// TestSetProofs proves by exhaustive search that a win exists in the stated number of turns
// and in no fewer, and that no other answer wins as fast.
func TestSetProofs(t *testing.T) {
	every, longest := 1, 3
	if testing.Short() {
		every, longest = 12, 2
	}
	solver := proof.NewSolver()
	proven := 0
	for i, z := range mustSet(t) {
		if z.Mate == 0 || z.Mate > longest || i%every != 0 {
			continue
		}
		proven++
		if z.Mate > 1 && solver.Wins(&z.Position, z.Mate-1) {
			t.Errorf("%v is won in fewer turns than %d", &z, z.Mate)
		}
		winning := solver.WinningTurns(&z.Position, z.Mate)
		if len(winning) == 0 {
			t.Errorf("%v is not won in %d", &z, z.Mate)
		}
		for _, turn := range winning {
			if !Same(turn, z.Solution[0], false) {
				t.Errorf("%v is also won in %d by %v", &z, z.Mate, turn)
			}
		}
	}
	if proven == 0 {
		t.Error("no wins were checked")
	}
}

// TestSetHolds rechecks some puzzles of the set: each has only one right turn.
func TestSetHolds(t *testing.T) {
	every, nodes := 100, uint64(30_000)
	if testing.Short() {
		every = 400
	}
	searcher := alphabeta.New(2)
	defer searcher.Close()
	judge := Judge{Searcher: searcher}
	all := mustSet(t)
	for i := 0; i < len(all); i += every {
		wrong, err := judge.Recheck(context.Background(), &all[i], nodes, Tolerance)
		if err != nil {
			t.Fatal(err)
		}
		if wrong != nil {
			t.Error(wrong)
		}
	}
}

// oracle is a scripted searcher. It reports a list of scores, one per iteration, until the
// search is canceled.
type oracle struct {
	search.Searcher
	rightTurn     position.Turn
	right, others []search.Score // if the right turn is among the searched turns, and if not
}

// NewGameFor does nothing: there is no state.
func (*oracle) NewGameFor(uint64) {}

// Search reports the scripted scores.
func (o *oracle) Search(ctx context.Context, _ position.Position, limits search.Limits, report func(search.Info)) (out search.Outcome) {
	scores := o.others
	if slices.Contains(limits.SearchTurns, o.rightTurn) {
		scores = o.right
	}
	for i := 0; i < len(scores) && ctx.Err() == nil; i++ {
		out.Best = limits.SearchTurns[0]
		out.Info = search.Info{Depth: i + 1, Score: scores[i], PV: []position.Turn{out.Best}}
		report(out.Info)
	}
	return out
}

// TestRecheck checks by how many thousandths the right turn leads for given scores.
func TestRecheck(t *testing.T) {
	z := mustSet(t)[0]
	score := func(share float64) search.Score { return evaluation.ScaleOf(&z.Position).ScoreOf(share) }
	won, lost := search.WinIn(3), search.LossIn(4)
	for _, test := range []struct {
		name          string
		right, others []search.Score
		lead          int
	}{
		{"two shares", []search.Score{score(0.8)}, []search.Score{score(0.45)}, 350},
		{"a win and a share", []search.Score{won}, []search.Score{score(0.75)}, 250},
		{"two wins", []search.Score{won}, []search.Score{won}, 0},
		{"a win and a loss", []search.Score{won}, []search.Score{lost}, 1000},
		{"the right turn is worse", []search.Score{score(0.3)}, []search.Score{score(0.9)}, -600},
		{"the last iteration counts", []search.Score{score(0.5), score(0.7)}, []search.Score{score(0.5), lost}, 700},
		{"a proof ends the search", []search.Score{won, score(0.3)}, []search.Score{lost, score(0.9)}, 1000},
	} {
		judge := Judge{&oracle{rightTurn: z.Solution[0], right: test.right, others: test.others}}
		for least, want := range map[int]bool{test.lead - 3: true, test.lead + 3: false} { // 3 for rounding
			wrong, err := judge.Recheck(context.Background(), &z, 1000, least)
			if err != nil {
				t.Fatal(err)
			}
			if holds := wrong == nil; holds != want {
				t.Errorf("%s: holds with margin %d: %v, want %v: %v", test.name, least, holds, want, wrong)
			}
		}
	}
}

// TestRecheckInterrupted cancels a check.
func TestRecheckInterrupted(t *testing.T) {
	z := mustSet(t)[0]
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	judge := Judge{&oracle{rightTurn: z.Solution[0]}}
	if wrong, err := judge.Recheck(ctx, &z, 1000, 1); err != context.Canceled {
		t.Errorf("%v, %v, want %v", wrong, err, context.Canceled)
	}
}

// playable returns positions from random games, after the rings are placed.
func playable(games int) (all []position.Position) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range games {
		for p := position.Start(position.Standard); !p.Over(); {
			turns := p.Turns(nil)
			if !p.Placing() && rng.IntN(4) == 0 {
				all = append(all, p)
			}
			p = p.After(turns[rng.IntN(len(turns))])
		}
	}
	return all
}

// rowIn reports whether side could make a row if it were its turn, by playing each turn it
// would have. The other side must not have a row.
func rowIn(p *position.Position, side position.Side) bool {
	if p.HasRow(side) {
		return true
	}
	pieces := p.Pieces()
	pieces.SideToMove = side
	q, err := pieces.Position()
	if err != nil {
		panic(err)
	}
	for _, t := range q.Turns(nil) {
		if t.Removals() > 0 {
			return true
		}
	}
	return false
}

// TestThemesByDefinition compares the themes of turns in random games with the effects of
// playing them.
func TestThemesByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	var seen [themeCount]int
	for _, p := range playable(150) {
		turns := p.Turns(nil)
		turn := turns[rng.IntN(len(turns))]
		if completing := p.CompletingTurns(nil); len(completing) > 0 && rng.IntN(2) == 0 {
			turn = completing[rng.IntN(len(completing))]
		}
		us := p.SideToMove()
		q := p.After(turn)
		if p.HasRow(us) || q.HasRow(us.Opponent()) {
			continue // it cannot be the other side's turn
		}
		stops := !q.Over() && rowIn(&p, us.Opponent()) && !rowIn(&q, us.Opponent())
		threatens := !q.Over() && !rowIn(&p, us) && rowIn(&q, us)
		rows := q.Removed(us) - p.Removed(us)
		want := [themeCount]bool{
			MakeRow: rows == 1, StopRow: rows == 0 && stops, TwoRows: rows > 1, RightRing: rows > 0,
			BreakAndMake: stops && (rows > 0 || threatens), Threaten: rows == 0 && threatens,
		}
		for theme := range themeCount {
			got := theme.Fits(&p, turn)
			if got {
				seen[theme]++
			}
			if got != want[theme] {
				t.Errorf("%v in %v: theme %v is %t, want %t", turn, &p, theme, got, want[theme])
			}
		}
	}
	for theme, count := range seen {
		if others := []Theme{Win, OpponentsRow}; count == 0 && !slices.Contains(others, Theme(theme)) {
			t.Errorf("theme %v never occurred", Theme(theme))
		}
	}
}

// TestThemeNames parses every name, and rejects an unknown one.
func TestThemeNames(t *testing.T) {
	for _, theme := range Themes() {
		if got, err := ParseTheme(theme.String()); err != nil || got != theme {
			t.Errorf("%v parses as %v, %v", theme, got, err)
		}
	}
	if _, err := ParseTheme("win "); err == nil {
		t.Error("an unknown theme was accepted")
	}
}

// mustParse parses a position with the standard rules.
func mustParse(t *testing.T, text string) position.Position {
	t.Helper()
	p, err := position.Parse(text, position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// mustTurn parses a turn of p.
func mustTurn(t *testing.T, p *position.Position, word string) position.Turn {
	t.Helper()
	turn, err := p.ParseTurn(word)
	if err != nil {
		t.Fatal(err)
	}
	return turn
}

// TestSame checks whether pairs of turns are the same answer, ignoring the removed rings and
// comparing them. The page's answers.test has the same cases.
func TestSame(t *testing.T) {
	const (
		six = "W2B/W5B/W7/W8/W9/wwwwww3/10/9/B7/B6/3B w 0-0"     // a row of six that Black completed for White
		two = "W2B/W5B/Wwwwww2/W8/W9/wwwww4/10/9/B7/B6/3B w 0-0" // two rows that Black completed
		own = "W2B/W5B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 1-0"      // the ring on f3 completes a row by leaving it
	)
	for _, test := range []struct {
		text, a, b    string
		loose, strict bool
	}{
		{own, "a2-a3", "a2-a3", true, true},
		{own, "a2-a3", "a2-a4", false, false},
		{own, "f3-b3;xf3-f7xc1", "f3-b3;xf3-f7xa2", true, false},
		{own, "f3-b3;xf3-f7xc1", "f3-h5;xf3-f7xc1", false, false},
		{own, "f3-b3;xf3-f7xc1", "a2-a3", false, false},
		{six, "xf2-f6xa2;b1-b2", "xf2-f6xa2;b1-b2", true, true},
		{six, "xf2-f6xa2;b1-b2", "xf2-f6xc1;b1-b2", true, false},
		{six, "xf2-f6xa2;b1-b2", "xf3-f7xa2;b1-b2", false, false},
		{six, "xf2-f6xa2;b1-b2", "xf2-f6xa2;b1-b3", false, false},
		{two, "xc2-c6xa2;xf2-f6xb1;c1-b1", "xf2-f6xb1;xc2-c6xa2;c1-b1", true, true},
		{two, "xc2-c6xa2;xf2-f6xb1;c1-b1", "xc2-c6xb1;xf2-f6xa2;c1-b1", true, true},
		{two, "xc2-c6xa2;xf2-f6xb1;c1-b1", "xc2-c6xd1;xf2-f6xb1;c1-b1", true, false},
	} {
		p := mustParse(t, test.text)
		a, b := mustTurn(t, &p, test.a), mustTurn(t, &p, test.b)
		if diff := cmp.Diff([2]bool{test.loose, test.strict}, [2]bool{Same(a, b, false), Same(a, b, true)}); diff != "" {
			t.Errorf("%s and %s (-want +got):\n%s", test.a, test.b, diff)
		}
	}
}

// small is a fast recipe.
var small = Recipe{Seed: 7, Puzzles: 2, Games: 30, Nodes: 600, Lead: 200, Hold: 100}

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
	recipe.Puzzles, recipe.Again = 1, 1000
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

// TestOddForms reads puzzles in the forms in which files come.
func TestOddForms(t *testing.T) {
	plaintexttest.Run(t, "\n"+oneRow+"\n", func(content string) (string, error) {
		all, err := Read(strings.NewReader(content))
		if err != nil {
			return "", err
		}
		return all[0].ID, nil
	})
}
