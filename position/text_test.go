package position_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gyre/position"
)

// TestDraw compares drawings with those in testdata/draw.txt: a line that starts with
// "= " and a position, then its drawing.
func TestDraw(t *testing.T) {
	text, err := os.ReadFile("testdata/draw.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := strings.Split(string(text), "= ")[1:]
	if len(cases) == 0 {
		t.Fatal("no positions to draw")
	}
	for _, c := range cases {
		name, want, _ := strings.Cut(c, "\n")
		p, err := position.Parse(name, position.Standard)
		if err != nil {
			t.Fatal(err)
		}
		got := p.Draw()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		for line := range strings.Lines(got) {
			if len(line) > 80 {
				t.Errorf("%s: a line of %d characters", name, len(line))
			}
		}
	}
}

// TestDrawNotes checks that notes of any length follow their points, and that notes
// after all points hide nothing: without them the drawing is unchanged.
func TestDrawNotes(t *testing.T) {
	p := position.Start(position.Standard)
	for _, c := range []struct {
		note  string
		whole int // points with room for the whole note
	}{
		{"1", position.PointCount}, {"123", position.PointCount}, {"123456", 81}, {"1234567", 0},
	} {
		notes := map[position.Point]string{}
		for _, at := range position.Board().Points(nil) {
			notes[at] = c.note
		}
		got := p.DrawNotes(notes)
		if n := strings.Count(got, "."+c.note); n != c.whole {
			t.Errorf("%q occurs %d times, want %d:\n%s", c.note, n, c.whole, got)
		}
		bare := regexp.MustCompile(`\.1[0-9]*\+?`).ReplaceAllString(got, ".")
		if diff := cmp.Diff(strings.Fields(p.Draw()), strings.Fields(bare)); diff != "" {
			t.Errorf("without the notes %q:\n%s", c.note, diff)
		}
	}
}

// TestPieces converts the positions of random games to pieces and back.
func TestPieces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 17))
	for game := range 40 {
		p := position.Start(position.Rules(game % 2))
		for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(turns[:0]) {
			p = p.After(turns[rng.IntN(len(turns))])
			pieces := p.Pieces()
			if again, err := pieces.Position(); err != nil || !again.Equal(p) {
				t.Fatalf("%v became %v, %v", &p, &again, err)
			}
		}
	}
}

// TestPiecesRejected changes one field of a valid position so that it becomes
// invalid.
func TestPiecesRejected(t *testing.T) {
	p, err := position.Parse("1BB1/1B5/2B5/9/2B4w2/9/1W1W1w4/1WW2W3/8/7/4 w 0-0", position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		field  string
		change func(*position.Pieces)
	}{
		{"side", func(c *position.Pieces) { c.SideToMove = 2 }},
		{"rules", func(c *position.Pieces) { c.Rules = 2 }},
		{"score", func(c *position.Pieces) { c.Removed[position.White] = -1 }},
		{"score", func(c *position.Pieces) { c.Removed[position.Black] = 256 }},
		{"score", func(c *position.Pieces) { c.Removed = [2]int{3, 3} }},
		{"board", func(c *position.Pieces) { c.Removed[position.White] = 1 }},
		{"board", func(c *position.Pieces) { c.Markers[position.Black] = c.Rings[position.White] }},
		{"board", func(c *position.Pieces) { c.Markers[position.Black] = position.Bitboard{Lo: 1} }},
		{"board", func(c *position.Pieces) { c.Markers[position.White].Hi |= 1 << 63 }},
		{"board", func(c *position.Pieces) { c.Rings[position.White] = c.Rings[position.White].WithoutFirst() }},
		{"board", func(c *position.Pieces) { c.Markers[position.Black] = position.Row(40).Points() }},
	} {
		pieces := p.Pieces()
		test.change(&pieces)
		got, err := pieces.Position()
		if wrong, ok := errors.AsType[*position.Error](err); !ok || wrong.Field != test.field {
			t.Errorf("%+v became %v, error %v, not of the field %s", pieces, &got, err, test.field)
		}
	}
}

// A rejectedPosition is a text that is not a position, the field of the error, and
// words that its reason must contain.
type rejectedPosition struct {
	name, text, rules string
	field             string
	reason            []string
}

// The valid texts that the cases below break.
const (
	// White to move with five rings a side and a few markers.
	good = "W2B/6B/8/9/10/1Wwwbw1b1/10/9/B7/B6/WWWB w 0-0"
	// A board of 52 markers.
	markers = "bbbb/bbbbbbb/wwwwwwww/bbbbbbbbb/wwwwwwwwww/bbbbbbbbb/wwwww5/9/BBB5/BBWW3/WWW1"
)

// rejectedPositions holds every way in which a text is not a position.
var rejectedPositions = []rejectedPosition{
	{"empty", "", "standard", "position", []string{"three fields"}},
	{"only a board", "4/7/8/9/10/9/10/9/8/7/4", "standard", "position", []string{"three fields"}},
	{"no score", "4/7/8/9/10/9/10/9/8/7/4 w", "standard", "position", []string{"three fields"}},
	{"trailing text", startText + " 7", "standard", "position", []string{"three fields"}},
	{"a trailing space", startText + " ", "standard", "position", []string{"three fields"}},
	{"a trailing newline", startText + "\n", "standard", "score", []string{"score"}},
	{"a leading space", " " + startText, "standard", "position", nil},
	{"two spaces", strings.Replace(startText, " ", "  ", 1), "standard", "position", nil},
	{"far too long", startText + strings.Repeat("4", 1<<16), "standard", "position", []string{"longer"}},

	{"ten columns", "4/7/8/9/10/9/10/9/8/7 w 0-0", "standard", "board", []string{"10 columns", "11"}},
	{"twelve columns", "4/7/8/9/10/9/10/9/8/7/4/4 w 0-0", "standard", "board", []string{"12 columns", "11"}},
	{"a column too long by a run", "5/7/8/9/10/9/10/9/8/7/4 w 0-0", "standard", "board", []string{"column a", "4 points"}},
	{"a column too long by a letter", "4W/7/8/9/10/9/10/9/8/7/4 w 0-0", "standard", "board", []string{"column a", "too long", "5 points"}},
	{"a column too long by far", "4/7/8/9/10/9/" + strings.Repeat("w", 100) + "/9/8/7/4 w 0-0", "standard", "board", []string{"column g", "too long"}},
	{"a column too short", "4/7/8/9/10/9/10/9/8/7/3 w 0-0", "standard", "board", []string{"column k", "too short", "3 points"}},
	{"an empty column", "4/7/8/9//9/10/9/8/7/4 w 0-0", "standard", "board", []string{"column e", "too short"}},
	{"a run of zero", "4/7/8/9/10/9/010/9/8/7/4 w 0-0", "standard", "board", []string{"column g"}},
	{"a run past all numbers", "4/7/8/9/10/9/99999999999999999999/9/8/7/4 w 0-0", "standard", "board", []string{"column g"}},
	{"an unknown letter", "4/7/2x5/9/10/9/10/9/8/7/4 w 0-0", "standard", "board", []string{"column c", `"x"`}},
	{"an invalid byte", "4/7/2\xff5/9/10/9/10/9/8/7/4 w 0-0", "standard", "board", []string{"column c"}},

	{"an upper-case side", "4/7/8/9/10/9/10/9/8/7/4 W 0-0", "standard", "side", []string{"w or b"}},
	{"no side", "4/7/8/9/10/9/10/9/8/7/4  0-0", "standard", "side", []string{"w or b"}},
	{"a score without a hyphen", "4/7/8/9/10/9/10/9/8/7/4 w 00", "standard", "score", []string{"hyphen"}},
	{"a score with extra digits", "4/7/8/9/10/9/10/9/8/7/4 w 0-00", "standard", "score", []string{"score"}},
	{"a score of letters", "4/7/8/9/10/9/10/9/8/7/4 w a-b", "standard", "score", []string{"score"}},
	{"a negative score", "4/7/8/9/10/9/10/9/8/7/4 w -1-0", "standard", "score", []string{"score"}},

	{"52 markers", markers + " w 0-0", "standard", "board", []string{"markers", "51"}},
	{"six rings", "WW1B/6B/8/9/10/1Wwwbw1b1/10/9/B7/B6/WWWB w 0-0", "standard", "board", []string{"white", "6 rings", "5"}},
	{"rings and removed over five", strings.Replace(good, "0-0", "0-1", 1), "standard", "board", []string{"black", "6 rings", "5"}},
	{"markers while placing", "W2B/6B/8/9/10/9/10/9/8/7/3w w 0-0", "standard", "", []string{"placed"}},
	{"removed while placing", "4/7/8/9/10/9/10/9/8/7/4 w 1-0", "standard", "score", []string{"placed"}},
	{"white placed twice", "WW2/7/8/9/10/9/10/9/8/7/4 w 0-0", "standard", "side", []string{"2 white", "0 black"}},
	{"black placed first", "B3/7/8/9/10/9/10/9/8/7/4 w 0-0", "standard", "side", []string{"0 white", "1 black"}},
	{"white to place again", "W3/7/8/9/10/9/10/9/8/7/4 w 0-0", "standard", "side", []string{"white cannot be the side to move"}},
	{"black to place first", "4/7/8/9/10/9/10/9/8/7/4 b 0-0", "standard", "side", []string{"black cannot be the side to move"}},
	{"rings missing after all are placed", "W2B/6B/8/9/10/1Wwwbw1b1/10/9/B7/B6/WW1B w 0-0", "standard", "", []string{"placed"}},

	{"a row of white with black to move", "W3/W6/W7/W8/W9/1wwwww3/10/9/8/6B/BBBB b 0-0", "standard", "board", []string{"white", "f3-f7"}},
	{"a row of black with white to move", "W3/W6/W7/W8/W9/9/5bbbbb/9/8/6B/BBBB w 0-0", "standard", "board", []string{"black", "g7-g11"}},
	{"more rings than win", "4/7/8/9/10/9/10/9/8/7/WBBB w 4-2", "standard", "score", []string{"white", "4"}},
	{"more than all rings", "4/7/8/9/10/9/10/9/8/7/BBBB w 0-7", "standard", "score", []string{"black", "7"}},
	{"more rings than win in blitz", "W2B/6B/8/9/10/9/10/9/B7/B6/1WWB w 2-0", "blitz", "score", []string{"white", "2"}},
	{"both sides at three", "4/7/8/9/10/9/10/9/8/7/WWBB w 3-3", "standard", "score", []string{"both", "3"}},
	{"both sides at one in blitz", "4/7/8/9/10/9/10/9/8/WWBB3/WWBB w 1-1", "blitz", "score", []string{"both", "1"}},
}

func TestPositionsRejected(t *testing.T) {
	mustParse(t, good, "standard")
	for _, test := range rejectedPositions {
		t.Run(test.name, func(t *testing.T) {
			rules, err := position.ParseRules(test.rules)
			if err != nil {
				t.Fatal(err)
			}
			p, err := position.Parse(test.text, rules)
			if err == nil {
				t.Fatalf("accepted as %s", p.String())
			}
			checkError(t, err, test.field, test.reason)
		})
	}
}

// TestPositionsAccepted accepts a row of the side that is not to move if the game is
// over.
func TestPositionsAccepted(t *testing.T) {
	for _, test := range []struct{ name, text, rules string }{
		{"a row of the winner", "3B/W5B/8/9/W9/9/10/2wwwww2/B7/B6/3B b 3-0", "standard"},
		{"a row of the loser", "W2B/4w1B/8/4w4/2bbbbb3/9/10/9/8/7/W2B b 3-2", "standard"},
		{"all but one ring placed", "W2B/4W1B/8/9/10/9/10/9/B7/7/WWWB b 0-0", "standard"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := mustParse(t, test.text, test.rules)
			checkText(t, &p)
		})
	}
}

// TestTurnsRejected checks the reasons for words that are not legal turns.
func TestTurnsRejected(t *testing.T) {
	const (
		crossing = "W3/W6/W7/3w5/W3w5/2wwwww2/5w4/5w3/B7/B6/BBB1 w 1-0"
		moving   = "W2B/6B/8/9/10/1Wwwbw1b1/10/9/B7/B6/WWWB w 0-0"
		won      = "3B/W5B/8/9/W9/9/10/2wwwww2/B7/B6/3B b 3-0"
	)
	for _, test := range []struct {
		name, position, word string
		reason               []string
	}{
		{"empty", moving, "", nil},
		{"none", moving, "none", nil},
		{"a long word", moving, strings.Repeat("f3-f8;", 20), []string{"longer"}},
		{"not a turn", moving, "resign", []string{"resign"}},
		{"a point off the board", moving, "f3-f11", nil},
		{"an empty part", moving, "f3-f8;", nil},
		{"two moves", moving, "f3-f8;f8-f9", []string{"after"}},
		{"a hyphen too many", moving, "f3--f8", nil},
		{"a leading zero", moving, "f03-f8", nil},
		{"placing when all are placed", moving, "f6", []string{"placed"}},
		{"a move while placing", startText, "f6-f7", []string{"placed"}},
		{"a pass while placing", startText, "pass", []string{"pass"}},
		{"a pass with moves", moving, "pass", []string{"pass"}},
		{"a missing ring", moving, "f2-f3", []string{"no ring", "f2"}},
		{"the other side's ring", moving, "a5-a4", []string{"no ring", "a5"}},
		{"an unreachable point", moving, "f3-f9", []string{"f3", "f9"}},
		{"a missing row", moving, "f3-f8;xf4-f8xa2", []string{"xf4-f8xa2"}},
		{"a row not removed", crossing, "a2-a3", []string{"row", "first"}},
		{"a row without its ring", crossing, "xf4-f8;a2-a3", []string{"xf4-f8"}},
		{"a row of four", crossing, "xf4-f7xa2;b1-b2", []string{"xf4-f7xa2"}},
		{"no row", crossing, "xf3-f7xa2;b1-b2", []string{"f3-f7", "row"}},
		{"not a ring", crossing, "xf4-f8xa3;b1-b2", []string{"no ring", "a3"}},
		{"a missing move", crossing, "xf4-f8xa2", []string{"move", "missing"}},
		{"a removed ring moves", crossing, "xf4-f8xa2;a2-a3", []string{"no ring", "a2"}},
		{"after the end", won, "a5-a4", []string{"over"}},
		{"a removal after the end", won, "xh5-h9xa5", []string{"over"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := mustParse(t, test.position, "standard")
			turn, err := p.ParseTurn(test.word)
			if err == nil {
				t.Fatalf("accepted as %s", turn)
			}
			checkError(t, err, "turn", test.reason)
		})
	}
}

// TestCheck checks legal and invalid turns.
func TestCheck(t *testing.T) {
	p := mustParse(t, startText, "standard")
	middle, err := p.ParseTurn("f6")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check(middle); err != nil {
		t.Errorf("a legal turn: %v", err)
	}
	checkError(t, p.Check(position.None), "turn", []string{"missing"})
	child := p.After(middle)
	checkError(t, child.Check(middle), "turn", []string{"f6 is not vacant"})
	checkError(t, p.Check(^position.None), "turn", nil)
}

func TestPointsRejected(t *testing.T) {
	for _, text := range []string{"", "f", "6", "f0", "f1", "f11", "a1", "a6", "k6", "k11", "l5", "f06", "f6 ", " f6", "f-6", "f66", "f6f6", "\xe6f6", "`6"} {
		t.Run(text, func(t *testing.T) {
			p, err := position.ParsePoint(text)
			if err == nil {
				t.Fatalf("accepted as %s", p)
			}
			checkError(t, err, "point", nil)
		})
	}
}

func TestRulesRejected(t *testing.T) {
	for _, text := range []string{"", "Standard", "bli", "blitz "} {
		_, err := position.ParseRules(text)
		if err == nil {
			t.Fatalf("accepts %q", text)
		}
		checkError(t, err, "rules", nil)
	}
}

// checkError compares the field of an error (any if field is empty) and the words of
// its reason.
func checkError(t *testing.T, err error, field string, reason []string) {
	t.Helper()
	var typed *position.Error
	if !errors.As(err, &typed) {
		t.Fatalf("%v is a %T", err, err)
	}
	if typed.Field == "" || field != "" && typed.Field != field {
		t.Errorf("field is %q, want %q: %v", typed.Field, field, err)
	}
	if typed.Reason == "" || !strings.Contains(err.Error(), typed.Reason) || !strings.Contains(err.Error(), typed.Field) {
		t.Errorf("%q leaves field or reason out", err)
	}
	for _, words := range reason {
		if !strings.Contains(typed.Reason, words) {
			t.Errorf("reason is %q, without %q", typed.Reason, words)
		}
	}
	if len(err.Error()) > 300 {
		t.Errorf("an error of %d bytes", len(err.Error()))
	}
}

// FuzzParse parses any text. An accepted position must survive the round trip through
// its text, and it must be playable.
func FuzzParse(f *testing.F) {
	for _, vector := range perftVectors(f) {
		f.Add(vector.position, false, uint64(1))
	}
	for _, c := range rulingCases(f) {
		f.Add(c.position, c.rules == "blitz", uint64(2))
	}
	f.Fuzz(func(t *testing.T, text string, blitz bool, choice uint64) {
		rules := position.Standard
		if blitz {
			rules = position.Blitz
		}
		p, err := position.Parse(text, rules)
		if err != nil {
			fuzzError(t, err)
			return
		}
		checkText(t, &p)
		if t.Failed() {
			return
		}
		playSteps(t, p, choice)
	})
}

// playSteps plays some turns step by step. A position can have far more turns than
// steps.
func playSteps(t *testing.T, p position.Position, choice uint64) {
	for range 12 {
		begun := position.Begin(&p)
		for !begun.Complete() {
			steps := begun.Steps(nil)
			begun.Apply(steps[choice%uint64(len(steps))])
			choice = choice*6364136223846793005 + 1442695040888963407
			choice ^= choice >> 29
		}
		turn := begun.Turn()
		if p.Over() != (turn == position.None) || p.Legal(turn) != (turn != position.None) {
			t.Fatalf("%s in %s, over %t", turn, p.String(), p.Over())
		}
		const fewRows = 3
		if len(p.Rows(p.SideToMove(), nil)) <= fewRows && p.Count() < 1000 {
			if turns := p.Turns(nil); len(turns) != p.Count() || turn != position.None && !slices.Contains(turns, turn) {
				t.Fatalf("%s of %d turns, counted %d, in %s", turn, len(turns), p.Count(), p.String())
			}
		}
		if turn == position.None {
			return
		}
		child := p.After(turn)
		checkText(t, &child)
		p = child
	}
}

// FuzzParseTurn parses any word as a turn. An accepted turn must survive the round
// trip.
func FuzzParseTurn(f *testing.F) {
	var positions []position.Position
	for _, c := range rulingCases(f) {
		positions = append(positions, mustParse(f, c.position, c.rules))
		for _, word := range append(append(slices.Clone(c.turns), c.has...), c.lacks...) {
			f.Add(word, uint8(len(positions)-1))
		}
	}
	f.Fuzz(func(t *testing.T, word string, which uint8) {
		p := positions[int(which)%len(positions)]
		turn, err := p.ParseTurn(word)
		if err != nil {
			fuzzError(t, err)
			return
		}
		back, err := p.ParseTurn(turn.String())
		if err != nil || back != turn || !p.Legal(turn) || !slices.Contains(p.Turns(nil), turn) {
			t.Fatalf("%q is %s, and that is %s, %v in %s", word, turn, back, err, p.String())
		}
		child := p.After(turn)
		checkText(t, &child)
	})
}

// TestNumbersOfColumns checks that the error for a number that a column does not have says
// which it has, in points and in all parts of turns.
func TestNumbersOfColumns(t *testing.T) {
	start := position.Start(position.Standard)
	for text, says := range map[string]string{
		"a9": "column a has the numbers 2 to 5", "K11": "column k has the numbers 7 to 10", "f1": "column f has the numbers 2 to 10",
		"e11-e4": "column e has the numbers 1 to 10", "e4-e0": "column e has the numbers 1 to 10",
		"xa1-a5xb2": "column a has the numbers 2 to 5", "f6;xb3-b7xj4": "column j has the numbers 5 to 11",
		"l5": "", "f": "", "f6g7": "", "x": "", "e4-": "",
	} {
		errs := map[string]error{}
		_, errs["turn"] = start.ParseTurn(text)
		if !strings.ContainsAny(text, "-;") {
			_, errs["point"] = position.ParsePoint(text)
		}
		for field, err := range errs {
			wrong, ok := errors.AsType[*position.Error](err)
			if !ok || wrong.Field != field || strings.Contains(wrong.Reason, "has the numbers") != (says != "") || !strings.Contains(wrong.Reason, says) {
				t.Errorf("%s as a %s: error %v, want of the field %s: %q", text, field, err, field, says)
			}
		}
	}
}

// FuzzParsePoint parses any word as a point. An accepted point must survive the round
// trip.
func FuzzParsePoint(f *testing.F) {
	for _, word := range []string{"a2", "f6", "K10", "e10", "l1", "a06", "", "f"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		p, err := position.ParsePoint(word)
		if err != nil {
			fuzzError(t, err)
			return
		}
		if back, err := position.ParsePoint(p.String()); err != nil || back != p || !p.OnBoard() {
			t.Fatalf("%q is %s, and that is %s, %v", word, p, back, err)
		}
	})
}

// fuzzError checks the properties of every error of the package.
func fuzzError(t *testing.T, err error) {
	t.Helper()
	var typed *position.Error
	if !errors.As(err, &typed) || typed.Field == "" || typed.Reason == "" || len(err.Error()) > 1000 {
		t.Fatalf("%T with %d bytes: %.500q", err, len(err.Error()), err)
	}
}
