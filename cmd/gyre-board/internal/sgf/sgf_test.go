package sgf

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/position/record"
)

// file returns a file of testdata.
func file(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// summary is what a game came to.
type summary struct {
	White, Black, Date, Termination string
	Turns                           int
	Last                            string
	Score                           [2]int
	OnBoard                         bool // whether the board says that it is over
}

// TestBoardspaceGames reads real games. Each replays legally to its end, comes
// to what the file tells, and can be written as a record.
func TestBoardspaceGames(t *testing.T) {
	for name, want := range map[string]summary{
		"Y-BestBot-David-2026-03-13-1856": {"BestBot", "David", "2026.03.13", "resignation", 11, "e1-e2", [2]int{3, 0}, false},
		"Y-Ben-Dumbot-2026-03-20-0237":    {"Ben", "Dumbot", "2026.03.19", "", 66, "d3-g3;xd1-d5xf4", [2]int{2, 3}, true},
		"Y-Anna-Dumbot-2026-02-20-0858":   {"Anna", "Dumbot", "2026.02.20", "", 46, "c5-d5;xc1-c5xf6", [2]int{2, 3}, true},
		"Y-Anna-Dumbot-2026-02-23-1415":   {"Anna", "Dumbot", "2026.02.23", "", 45, "i8-h7;xi4-i8xj5", [2]int{3, 1}, true},
		"Y-Clara-BestBot-2026-03-21-2221": {"Clara", "BestBot", "2026.03.21", "resignation", 42, "c5-c4", [2]int{1, 3}, false},
	} {
		t.Run(name, func(t *testing.T) {
			records, err := Read(file(t, name+".sgf"))
			if err != nil || len(records) != 1 {
				t.Fatalf("%d games, %v", len(records), err)
			}
			r := records[0]
			end, err := r.End()
			if err != nil {
				t.Fatal(err)
			}
			got := summary{r.Tag("White"), r.Tag("Black"), r.Tag("Date"), r.Tag("Termination"), len(r.Turns), r.Turns[len(r.Turns)-1].Turn.String(), r.Score, end.Over()}
			if diff := cmp.Diff(want, got); diff != "" || !r.Finished {
				t.Errorf("the game (-want +got):\n%s", diff)
			}
			var text strings.Builder
			if err := r.Write(&text); err != nil {
				t.Error(err)
			}
		})
	}
}

// begin is the head of a game, and rings the turns up to the first ring move.
const (
	begin = "(;SU[Yinsh]P0[id \"a\"]P1[id \"b\"];P0[0 Start White]"
	rings = "P0[1 place wr a 2]P1[2 place br k 7]P0[3 place wr b 1]P1[4 place br k 8]P0[5 place wr c 1]P1[6 place br k 9]" +
		"P0[7 place wr d 1]P1[8 place br k 10]P0[9 place wr f 6]P1[10 place br j 10]"
	ringTurns = "a2 k7 b1 k8 c1 k9 d1 k10 f6 j10"
)

// TestWaysToWrite reads what the game's site writes in more than one way.
func TestWaysToWrite(t *testing.T) {
	for _, test := range []struct{ name, text, turns, result string }{
		{"a move in one piece", begin + rings + "P0[11 move F 6 f 9])", ringTurns + " f6-f9", "*"},
		{"a marker placed and a ring dropped", begin + rings + "P0[11 place w f 6]P0[12 drop board f 9]P0[13 Done])", ringTurns + " f6-f9", "*"},
		{"a change of mind", begin + rings + "P0[11 place w a 2]P0[12 drop w]P0[13 place w f 6]P0[14 drop board f 6]P0[15 pick board f 6]P0[16 drop board f 9])", ringTurns + " f6-f9", "*"},
		{"a ring picked up and dropped", begin + "P0[1 pick wr]P0[2 drop board e 5])", "e5", "*"},
		{"the other player begins", "(;SU[Yinsh];P1[1 place wr e 5];P0[2 place br f 6])", "e5 f6", "*"},
		{"resigned", begin + "P0[1 place wr e 5]P1[2 Resign])", "e5", "3-0"},
		{"a draw agreed", begin + "P0[1 place wr e 5]P1[2 OfferDraw]P0[3 AcceptDraw])", "e5", "0-0"},
		{"won as the file tells", begin + "RE[Game won by b]P0[1 place wr e 5])", "e5", "0-3"},
		{"a result that names both", begin + "RE[a resigned against b]P0[1 place wr e 5])", "e5", "*"},
		{"blitz", "(;SU[Yinsh-Blitz];P0[1 place wr e 5];P1[2 Resign])", "e5", "1-0"},
		{"variations and times", begin + "(;P0[1 place wr e 5]TM[17](;P1[2 place br f 6])(;P1[2 place br g 7]))(;P0[1 place wr a 2]);P0[time 0:01:43 ])", "e5 f6", "*"},
		{"brackets in texts", begin + `C[a \] and \\ ; ( here];P0[1 place wr e 5])`, "e5", "*"},
	} {
		t.Run(test.name, func(t *testing.T) {
			records, err := Read(test.text)
			if err != nil {
				t.Fatal(err)
			}
			var turns []string
			for _, turn := range records[0].Turns {
				turns = append(turns, turn.Turn.String())
			}
			if got := strings.Join(turns, " "); got != test.turns {
				t.Errorf("turns %s, want %s", got, test.turns)
			}
			var text strings.Builder
			if err := records[0].Write(&text); err != nil || !strings.Contains(text.String(), `[Result "`+test.result+`"]`) {
				t.Errorf("%v:\n%s", err, text.String())
			}
		})
	}
}

// TestComments keeps what was said, at its turn.
func TestComments(t *testing.T) {
	records, err := Read(begin + "P0[1 place wr e 5];C[good\nluck};]P1[2 place br f 6])")
	if err != nil || records[0].Turns[1].Comment != "good luck);" {
		t.Errorf("%+v, %v", records, err)
	}
}

// TestSeveralGames reads a file of two.
func TestSeveralGames(t *testing.T) {
	records, err := Read(begin + ")\n" + begin + "P0[1 place wr e 5])")
	if err != nil || len(records) != 2 || len(records[1].Turns) != 1 {
		t.Errorf("%+v, %v", records, err)
	}
}

// TestAPassWithoutAWord goes on where one player cannot move and the file does
// not say so.
func TestAPassWithoutAWord(t *testing.T) {
	start, err := position.Parse("4/6w/b5ww/1b4bw1/2b3ww2/2w2bb2/3w1bw3/3bbw3/wbbWwbww/2BWbwb/BWB1 w 2-2", position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	r := &replaying{record: record.New(start), now: start, partial: position.Begin(&start), begun: true, sides: [2]position.Side{position.White, position.Black}}
	a, _, err := actionOf(property{line: 1, name: "P1", value: "5 move j 7 j 6"})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.act(a); err != nil || len(r.record.Turns) != 2 || r.record.Turns[0].Turn.String() != "pass" {
		t.Errorf("%+v, %v", r.record.Turns, err)
	}
}

func TestFilesThatAreRefused(t *testing.T) {
	for _, test := range []struct {
		text, reason string
		line         int
	}{
		{"", "there is no game", 1},
		{"\n  x", "begins with a parenthesis", 2},
		{"(;SU[Hex])", `a game of "Hex", not of YINSH`, 1},
		{"(;GM[24])", "SU, the property that names the game, is missing", 1},
		{"(;SU[Yinsh]\n;P0[1 place wr e 5]", "ends within a game", 2},
		{"(;SU[Yinsh\n\n", "a bracket that is not closed", 1},
		{"(;SU)", "SU has no value", 1},
		{"(;SU[Yinsh]\n\n!)", `'!' stands where a property should`, 3},
		{begin + "\nP0[1 place wr z 9])", `point "z9"`, 2},
		{begin + "\nP0[1 place wr e 5]\nP1[2 place br e 5])", "place: that is not legal here, in turn 2", 3},
		{begin + "P0[1 place wr e 5]\nP0[2 place wr e 6])", "place: it is the turn of black", 2},
		{begin + rings + "\nP0[11 move f 6 g 8])", "move: that is not legal here, in turn 11", 2},
		{begin + rings + "P0[11 remove w a 2 a 5])", "", 0},
	} {
		records, err := Read(test.text)
		if test.reason == "" {
			if err != nil {
				t.Errorf("%q: %v", test.text, err)
			}
			continue
		}
		fault, ok := errors.AsType[*Error](err)
		if !ok || fault.Line != test.line || !strings.Contains(fault.Reason, test.reason) {
			t.Errorf("%q: %v, %v, want line %d: %s", test.text, records, err, test.line, test.reason)
		}
	}
}

// FuzzRead reads any text. What it takes are games that are legal to their ends
// and can be written as records; else it names a line.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.sgf")
	if err != nil || len(files) == 0 {
		f.Fatal("no games: ", err)
	}
	for _, name := range files {
		f.Add(file(f, filepath.Base(name)))
	}
	f.Add(begin + rings + "P0[11 place w f 6]P0[12 drop board f 9];C[so])")
	f.Fuzz(func(t *testing.T, text string) {
		records, err := Read(text)
		if err != nil {
			if fault, ok := errors.AsType[*Error](err); !ok || fault.Line < 1 {
				t.Errorf("the error is %v", err)
			}
			return
		}
		for _, r := range records {
			var written strings.Builder
			if err := r.Write(&written); err != nil {
				t.Fatalf("%v: %+v", err, r)
			}
			if _, err := record.Parse(written.String()); err != nil {
				t.Errorf("%v:\n%s", err, written.String())
			}
		}
	})
}
