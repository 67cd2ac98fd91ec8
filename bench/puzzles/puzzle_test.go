package puzzles

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/tactics/proof"
	"gyre/position"
	"gyre/search/alphabeta"
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
		{`"standard","theme":"make-row","rating":700,"solution":["f3-e2;xf3-f7xb1"]`, `"standard","theme":"win","rating":700,"solution":["f3-e2;xf3-f7xb1","a5-b6"]`, "solution, turn 2"},
		{`3B/W5B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 2-0`, `W2B/W5B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 1-0`, `solution: no win after 1 turns of the solver, but mate is 1`},
		{`["f3-e2;xf3-f7xb1"]`, `[]`, "solution of 0 turns"},
		{`["f3-e2;xf3-f7xb1"]`, `["f3-e2"]`, `solution, turn 1: turn "f3-e2"`},
		{`["f3-e2;xf3-f7xb1"]`, `["f3-e2;xf3-f7xb1","b1-b2"]`, `solution, turn 2: turn "b1-b2"`},
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
	every, nodes := 40, uint64(30_000)
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
