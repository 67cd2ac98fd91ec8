package puzzles

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// oneRow is a line whose solver makes a row by moving the ring on f3 away, and wins.
const oneRow = `{"id":"a1","fen":"3B/W5B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 2-0","rules":"standard","theme":"make-row","rating":700,"solution":["f3-e2;xf3-f7xb1"],"mate":1}`

// equalPuzzles compares positions by what they are.
var equalPuzzles = cmp.Comparer(func(a, b position.Position) bool { return a.Equal(b) })

// TestReadWrite writes the set as it was read.
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
		t.Errorf("the beginning of the set lacks %q", Mark)
	}
}

// TestBadLines is a table of changes of a line that make it one to refuse.
func TestBadLines(t *testing.T) {
	if _, err := Read(strings.NewReader("\n" + oneRow + "\n")); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ old, now, want string }{
		{`{`, `[`, "no puzzle: "},
		{`}`, ``, "no puzzle: unexpected EOF"},
		{`}`, `} {}`, "no puzzle: more than one object"},
		{`"mate"`, `"mat"`, `no puzzle: json: unknown field "mat"`},
		{`"a1"`, `"A1"`, `id "A1": one to 16 small letters and digits are wanted`},
		{`"a1"`, `""`, `id ""`},
		{`standard`, `bullet`, `rules "bullet"`},
		{`3B/`, `3B1/`, `fen: board`},
		{`make-row`, `fork`, `theme "fork": none of`},
		{`make-row`, `two-rows`, `theme two-rows: it does not fit the solution`},
		{`700`, `-10`, `rating -10: not from 0 to 3000`},
		{`700`, `7000`, `rating 7000: not from 0 to 3000`},
		{`,"mate":1`, `,"mate":9`, `mate 9: not from 1 to 5`},
		{`,"mate":1`, ``, `the solution wins in 1, and mate is 0`},
		{`,"mate":1`, `,"mate":2`, `the solution wins in 1, and mate is 2`},
		{`"standard","theme":"make-row","rating":700,"solution":["f3-e2;xf3-f7xb1"]`, `"standard","theme":"win","rating":700,"solution":["f3-e2;xf3-f7xb1","a5-b6"]`, "solution, turn 2"},
		{`3B/W5B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 2-0`, `W2B/W5B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 1-0`, `the solution has not won after 1 turns of the solver, and mate is 1`},
		{`["f3-e2;xf3-f7xb1"]`, `[]`, "a solution of 0 turns"},
		{`["f3-e2;xf3-f7xb1"]`, `["f3-e2"]`, `solution, turn 1: turn "f3-e2"`},
		{`["f3-e2;xf3-f7xb1"]`, `["f3-e2;xf3-f7xb1","b1-b2"]`, `solution, turn 2: turn "b1-b2"`},
	} {
		_, err := Read(strings.NewReader("\n" + strings.Replace(oneRow, test.old, test.now, 1)))
		if err == nil || !strings.HasPrefix(err.Error(), "line 2: "+test.want) {
			t.Errorf("%s for %s: error %v, want one of line 2: %s", test.now, test.old, err, test.want)
		}
	}
}

// TestTwice gives the same id twice, and the same position turned.
func TestTwice(t *testing.T) {
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
		if _, err := Read(strings.NewReader(oneRow + "\n\n" + second)); err == nil || !strings.HasSuffix(err.Error(), " is that of line 1") || !strings.HasPrefix(err.Error(), "line 3: ") {
			t.Errorf("error %v of line 3 as that of line 1", err)
		}
	}
}

// TestLongLine reads a line that is too long.
func TestLongLine(t *testing.T) {
	_, err := Read(strings.NewReader(oneRow + "\n" + strings.Repeat("x", mostLine+1)))
	if err == nil || err.Error() != "line 2: longer than 65536 bytes" {
		t.Errorf("error %v", err)
	}
}

// FuzzRead checks that what Read takes Write writes so that Read takes the same.
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
			t.Fatalf("%q is written so that it is refused: %v", text, err)
		}
		if diff := cmp.Diff(all, again, equalPuzzles); diff != "" {
			t.Errorf("%q (-first +again):\n%s", text, diff)
		}
	})
}
