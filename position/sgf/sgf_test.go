package sgf

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gyre/position"
	"gyre/position/plaintext/plaintexttest"
	"gyre/position/record"
)

// file returns a file in testdata.
func file(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// summary is the outcome of a game.
type summary struct {
	White, Black, Date, Termination string
	Turns                           int
	Last                            string
	Score                           [2]int
	OnBoard                         bool // whether the game is over on the board
}

// TestBoardspaceGames reads real games. Each must replay legally, end with the result in the
// file, and be writable as a record.
func TestBoardspaceGames(t *testing.T) {
	for name, want := range map[string]summary{
		"Y-BestBot-David-2026-03-13-1856": {"BestBot", "David", "2026.03.13", "resignation", 11, "e1-e2", [2]int{0, 0}, false},
		"Y-Ben-Dumbot-2026-03-20-0237":    {"Ben", "Dumbot", "2026.03.19", "", 66, "d3-g3;xd1-d5xf4", [2]int{2, 3}, true},
		"Y-Anna-Dumbot-2026-02-20-0858":   {"Anna", "Dumbot", "2026.02.20", "", 46, "c5-d5;xc1-c5xf6", [2]int{2, 3}, true},
		"Y-Anna-Dumbot-2026-02-23-1415":   {"Anna", "Dumbot", "2026.02.23", "", 45, "i8-h7;xi4-i8xj5", [2]int{3, 1}, true},
		"Y-Clara-BestBot-2026-03-21-2221": {"Clara", "BestBot", "2026.03.21", "resignation", 42, "c5-c4", [2]int{1, 1}, false},
	} {
		t.Run(name, func(t *testing.T) {
			games, _, err := Read(file(t, name+".sgf"))
			if err != nil || len(games) != 1 {
				t.Fatalf("%d games, %v", len(games), err)
			}
			g := &games[0]
			turns, end := mainLine(g)
			got := summary{tag(g, "White"), tag(g, "Black"), tag(g, "Date"), "", len(turns), turns[len(turns)-1], [2]int{end.Removed(position.White), end.Removed(position.Black)}, end.Over()}
			if leaf := leafOf(*g); leaf.End != nil {
				got.Termination = leaf.End.Why
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the game (-want +got):\n%s", diff)
			}
		})
	}
}

// mainLine returns the turns of the main line and its last position.
func mainLine(g *Game) (turns []string, end position.Position) {
	end = g.Start
	for node := g.Root; len(node.Children) > 0; {
		node = node.Children[0]
		turns = append(turns, node.Turn.String())
		end = end.After(node.Turn)
	}
	return turns, end
}

// tag returns the value of a tag.
func tag(g *Game, name string) string {
	for _, t := range g.Tags {
		if t.Name == name {
			return t.Value
		}
	}
	return ""
}

// begin is the header of a game; rings are the turns before the first ring move.
const (
	begin = "(;SU[Yinsh]P0[id \"a\"]P1[id \"b\"];P0[0 Start White]"
	rings = "P0[1 place wr a 2]P1[2 place br k 7]P0[3 place wr b 1]P1[4 place br k 8]P0[5 place wr c 1]P1[6 place br k 9]" +
		"P0[7 place wr d 1]P1[8 place br k 10]P0[9 place wr f 6]P1[10 place br j 10]"
	ringTurns = "a2 k7 b1 k8 c1 k9 d1 k10 f6 j10"
)

// TestWaysToWrite reads alternative forms that Boardspace writes.
func TestWaysToWrite(t *testing.T) {
	for _, test := range []struct{ name, text, turns, end string }{
		{"a move in one piece", begin + rings + "P0[11 move F 6 f 9])", ringTurns + " f6-f9", ""},
		{"a marker placed and a ring dropped", begin + rings + "P0[11 place w f 6]P0[12 drop board f 9]P0[13 Done])", ringTurns + " f6-f9", ""},
		{"a change of mind", begin + rings + "P0[11 place w a 2]P0[12 drop w]P0[13 place w f 6]P0[14 drop board f 6]P0[15 pick board f 6]P0[16 drop board f 9])", ringTurns + " f6-f9", ""},
		{"a ring picked up and dropped", begin + "P0[1 pick wr]P0[2 drop board e 5])", "e5", ""},
		{"several actions in a property", begin + "P0[1 pick wr][2 drop board e 5][3 Done])", "e5", ""},
		{"the other player begins", "(;SU[Yinsh];P1[1 place wr e 5];P0[2 place br f 6])", "e5 f6", ""},
		{"resigned", begin + "P0[1 place wr e 5]P1[2 Resign])", "e5", "p1win resignation"},
		{"a draw agreed", begin + "P0[1 place wr e 5]P1[2 OfferDraw]P0[3 AcceptDraw])", "e5", "draw agreement"},
		{"the file has the result", begin + "RE[Game won by b]P0[1 place wr e 5])", "e5", "p2win adjudication"},
		{"won as the format has it", begin + "RE[W+Time]P0[1 place wr e 5])", "e5", "p1win time forfeit"},
		{"a result that names both", begin + "RE[a resigned against b]P0[1 place wr e 5])", "e5", ""},
		{"blitz", "(;SU[Yinsh-Blitz];P0[1 place wr e 5];P1[2 Resign])", "e5", "p1win resignation"},
		{"variations and times", begin + "(;P0[1 place wr e 5]TM[17](;P1[2 place br f 6])(;P1[2 place br g 7]))(;P0[1 place wr a 2]);P0[time 0:01:43 ])", "e5 f6", ""},
		{"brackets in texts", begin + `C[a \] and \\ ; ( here];P0[1 place wr e 5])`, "e5", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			games, _, err := Read(test.text)
			if err != nil {
				t.Fatal(err)
			}
			turns, _ := mainLine(&games[0])
			if got := strings.Join(turns, " "); got != test.turns {
				t.Errorf("turns %s, want %s", got, test.turns)
			}
			end := ""
			if e := leafOf(games[0]).End; e != nil {
				end = results[e.Result] + " " + e.Why
			}
			if end != test.end {
				t.Errorf("end %q, want %q", end, test.end)
			}
		})
	}
}

// results are the words for results.
var results = [...]string{position.Ongoing: "none", position.WhiteWins: "p1win", position.BlackWins: "p2win", position.Draw: "draw"}

// TestVariations reads all variations, including branches within a turn.
func TestVariations(t *testing.T) {
	games, _, err := Read(begin + rings + "(;P0[11 move f 6 f 9](;P1[12 move k 7 j 7])(;P1[12 move k 7 i 7]))(;P0[11 place w f 6](;P0[12 drop board f 10])(;P0[12 drop board f 7]C[short];C[the end])))")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	var walk func(n *Node, path string)
	walk = func(n *Node, path string) {
		for _, child := range n.Children {
			walk(child, path+" "+child.Turn.String()+child.Notes.Comment)
		}
		if len(n.Children) == 0 {
			all = append(all, strings.TrimPrefix(path, " "+ringTurns+" "))
		}
	}
	walk(games[0].Root, "")
	if diff := cmp.Diff([]string{"f6-f9 k7-j7", "f6-f9 k7-i7", "f6-f10", "f6-f7short\nthe end"}, all); diff != "" {
		t.Errorf("variations (-want +got):\n%s", diff)
	}
}

// TestNotes checks which turn each note is attached to.
func TestNotes(t *testing.T) {
	games, _, err := Read("(;SU[Yinsh]C[first];P0[1 place wr e 5];C[good\nlu\\\nck};]P1[2 place br f 6]AR[e5:z9][e5:F6]CR[aa][a2]WL[59.0005]BL[60];P0[3 place wr g 5]BM[2]WL[3]BL[soon];P0[4 Done]C[late]GYRE[own])")
	if err != nil {
		t.Fatal(err)
	}
	point := func(name string) position.Point {
		p, err := position.ParsePoint(name)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	var got []Notes
	for node := games[0].Root; ; node = node.Children[0] {
		got = append(got, node.Notes)
		if len(node.Children) == 0 {
			break
		}
	}
	want := []Notes{
		{Comment: "first"},
		{},
		{Comment: "good\nluck};", Arrows: [][2]position.Point{{point("e5"), point("f6")}, {point("a2"), point("a2")}}, Clock: &Clock{59000.5, 60000}},
		{Fault: VeryBad, Comment: "late", Own: "own"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the notes (-want +got):\n%s", diff)
	}
}

// TestArrowOrder checks that arrows and circles keep their order, also when another program has
// changed them. The format has one list for each.
func TestArrowOrder(t *testing.T) {
	const ordered = "AR[e5:f6][a2:b3]CR[k10][c3]GYREMARKS[k10][e5:f6][c3][a2:b3]"
	for _, test := range []struct{ notes, want string }{
		{ordered, ordered},
		{"AR[e5:f6][a2:b3]CR[k10]GYREMARKS[e5:f6][a2:b3][k10]", "AR[e5:f6][a2:b3]CR[k10]"},
		{"AR[e5:f6]CR[k10]GYREMARKS[k10][e5:f6][c3]", "AR[e5:f6]CR[k10]"},
		{"AR[e5:f6]CR[k10][c3]GYREMARKS[k10][e5:f6]", "AR[e5:f6]CR[k10][c3]"},
		{"CR[k10][k10]AR[e5:f6]GYREMARKS[k10][e5:f6][e5:f6]", "AR[e5:f6]CR[k10][k10]GYREMARKS[k10][k10][e5:f6]"},
		{"GYREMARKS[k10]", ""},
	} {
		games, _, err := Read(begin + "P0[1 place wr e 5]" + test.notes + ")")
		if err != nil {
			t.Fatalf("%s: %v", test.notes, err)
		}
		if got := Write(&games[0]); !strings.Contains(strings.ReplaceAll(got, "\n", ""), " Done]"+test.want+")") {
			t.Errorf("%s is written as %s", test.notes, got)
		}
	}
}

// TestSeveralGames reads a file with two games.
func TestSeveralGames(t *testing.T) {
	games, _, err := Read(begin + ")\n" + begin + "P0[1 place wr e 5])")
	if err != nil || len(games) != 2 || len(games[1].Root.Children) != 1 {
		t.Errorf("%+v, %v", games, err)
	}
}

// TestUnrecordedPass inserts a pass that the file does not contain.
func TestUnrecordedPass(t *testing.T) {
	start, err := position.Parse("4/6w/b5ww/1b4bw1/2b3ww2/2w2bb2/3w1bw3/3bbw3/wbbWwbww/2BWbwb/BWB1 w 2-2", position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{place: place{node: &Node{}, steps: record.NewReplay(start), begun: true, sides: [2]position.Side{position.White, position.Black}}}
	root := r.node
	a, _, err := actionOf(property{line: 1, name: "P1"}, "5 move j 7 j 6")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.act(a); err != nil || len(root.Children) != 1 || root.Children[0].Turn.String() != "pass" || len(root.Children[0].Children) != 1 {
		t.Errorf("the turns are %+v, %v", root.Children, err)
	}
}

func TestRejectedFiles(t *testing.T) {
	for _, test := range []struct {
		text, code string
		line       int
	}{
		{"", "no-game", 1},
		{"\n  x", "no-game", 1},
		{"(SU[Yinsh])", "no-game", 1},
		{"(;SU[Hex])", "other-game", 1},
		{"(;GM[24])", "no-setup", 1},
		{"(;SU[Yinsh\n\n", "no-setup", 1},
		{"(;SU)", "no-setup", 1},
		{begin + "\nP0[1 place wr z 9])", "bad-point", 2},
		{begin + "\nP0[1 move e 5 e 6]P0[2 place wr e 5])", "not-legal", 2},
		{begin + rings + "P0[11 remove w a 2 a 5])", "", 0},
		{begin + strings.Repeat("(", 1000), "too-deep", 1},
	} {
		games, _, err := Read(test.text)
		if test.code == "" {
			if err != nil {
				t.Errorf("%q: %v", test.text, err)
			}
			continue
		}
		fault, ok := errors.AsType[*record.Error](err)
		if !ok || fault.Code != test.code || fault.Line != test.line {
			t.Errorf("%q: %v, %v, want line %d: %s", test.text, games, err, test.line, test.code)
		}
	}
}

// TestOddFiles reads files as other programs write and damage them. The Python package reads the
// same ones.
func TestOddFiles(t *testing.T) {
	wanted := map[string]string{}
	for line := range strings.Lines(file(t, "odd/expected.txt")) {
		if name, want, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name != "#" {
			wanted[name] = want
		}
	}
	names, err := filepath.Glob("testdata/odd/*.sgf")
	if err != nil || len(names) != len(wanted) {
		t.Fatalf("%d files and %d expectations, %v", len(names), len(wanted), err)
	}
	for _, path := range names {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			var got string
			if games, skipped, err := Read(file(t, "odd/"+name)); err == nil {
				turns, end := mainLine(&games[0])
				var lines []string
				for _, s := range skipped {
					lines = append(lines, strconv.Itoa(s.Line))
				}
				got = fmt.Sprintf("turns=%d result=%d-%d games=%d skipped=%s", len(turns), end.Removed(position.White), end.Removed(position.Black), len(games), strings.Join(lines, ","))
			} else if wrong, ok := errors.AsType[*record.Error](err); ok {
				got = fmt.Sprintf("error=%d", wrong.Line)
			} else {
				t.Errorf("the error is %v", err)
			}
			if got != wanted[name] {
				t.Errorf("%s, want %s", got, wanted[name])
			}
		})
	}
}

// TestTexts reads the texts of testdata/texts.json, over which other readers of SGF stumbled. The
// Python package reads the same ones.
func TestTexts(t *testing.T) {
	var tests []struct {
		Name, Text, Turns      string
		Tags, Comments, Arrows map[string]string // comments and arrows by turn, from 1
		Others, Warnings       int               // further variations after the first turn that has any
		Error, Unfinished      bool
	}
	if err := json.Unmarshal([]byte(file(t, "texts.json")), &tests); err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		t.Run(test.Name, func(t *testing.T) {
			games, skipped, err := Read(test.Text)
			if (err != nil) != test.Error {
				t.Fatalf("the error is %v", err)
			}
			if err != nil {
				return
			}
			turns, _ := mainLine(&games[0])
			if got := strings.Join(turns, " "); got != test.Turns || len(skipped) != test.Warnings {
				t.Errorf("turns %s, skipped %v", got, skipped)
			}
			if test.Tags != nil {
				tags := map[string]string{}
				for _, tag := range games[0].Tags {
					if _, twice := tags[tag.Name]; twice {
						t.Errorf("tag %s twice", tag.Name)
					}
					tags[tag.Name] = tag.Value
				}
				if diff := cmp.Diff(test.Tags, tags); diff != "" {
					t.Errorf("tags (-want +got):\n%s", diff)
				}
			}
			if test.Unfinished && leafOf(games[0]).End != nil {
				t.Errorf("the game has ended: %+v", leafOf(games[0]).End)
			}
			others := 0
			for node, number := games[0].Root, 0; ; number++ {
				at := strconv.Itoa(number)
				if node.Notes.Comment != test.Comments[at] {
					t.Errorf("comment of turn %s: %q", at, node.Notes.Comment)
				}
				var arrows []string
				for _, arrow := range node.Notes.Arrows {
					arrows = append(arrows, arrow[0].String()+arrow[1].String())
				}
				if got := strings.Join(arrows, " "); got != test.Arrows[at] {
					t.Errorf("arrows of turn %s: %s", at, got)
				}
				if len(node.Children) == 0 {
					break
				}
				others += len(node.Children) - 1
				node = node.Children[0]
			}
			if others != test.Others {
				t.Errorf("%d other variations", others)
			}
		})
	}
}

// TestBigComment reads a comment of a hundred kilobytes.
func TestBigComment(t *testing.T) {
	comment := strings.Repeat("long ", 20_000)
	games, skipped, err := Read(begin + "P0[1 place wr e 5]C[" + comment + "])")
	if err != nil || len(skipped) > 0 || leafOf(games[0]).Notes.Comment != comment {
		t.Errorf("skipped %v, %v", skipped, err)
	}
}

// TestWorkIsBounded reads games that repeat something so often that its cost would grow with the square, or would be that of
// each variation. A reader takes a multiple of their bytes, and rejects notes that many variations share.
func TestWorkIsBounded(t *testing.T) {
	long := strings.Repeat("long ", 20_000)
	shared := func(note, way string) string {
		return begin + "P0[1 place wr e 5];P0[2 Done];P1[3 pick br];" + note + strings.Repeat(way, 2000) + ")"
	}
	for _, test := range []struct{ name, text, code string }{
		{"few comments", begin + strings.Repeat("C["+long+"];", 10) + ")", ""},
		{"many comments", begin + strings.Repeat("C[a];", 50_000) + ")", "too-long"},
		{"many comments of one node", begin + strings.Repeat("C[a]", 50_000) + ")", "too-long"},
		{"many lists of arrows", begin + strings.Repeat("AR[a2:a3];", 50_000) + ")", "too-long"},
		{"many arrows", begin + "AR" + strings.Repeat("[a2:a3]", 20_000) + ")", ""},
		{"empty nodes", begin + strings.Repeat(";", 200_000) + ")", ""},
		{"empty variations", shared("C["+long+"]", "(;)"), ""},
		{"comment of all variations", shared("C["+long+"]", "(;C[b])"), "too-long"},
		{"own text of all variations", shared("GYRE["+long+"]", "(;P1[place br f 6])"), "too-long"},
		{"text between properties", begin + strings.Repeat("a ", 100_000) + ")", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, skipped, err := Read(test.text)
			runtime.ReadMemStats(&after)
			fault, _ := errors.AsType[*record.Error](err)
			if (err != nil) != (test.code != "") || fault != nil && fault.Code != test.code {
				t.Errorf("%v, want %q", err, test.code)
			}
			if each := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(test.text)); each > 300 || len(skipped) > maxSkipped {
				t.Errorf("%.0f bytes of memory are needed for each byte; %d faults", each, len(skipped))
			}
		})
	}
}

// TestIllegalTurns reads games with an illegal turn: the fault names its line, its number and what is
// wrong.
func TestIllegalTurns(t *testing.T) {
	for _, test := range []struct {
		text, code string
		line, turn int
		turns      string
	}{
		{begin + "\nP0[1 place wr e 5]\nP1[2 place br e 5])", "not-legal", 3, 2, "e5"},
		{begin + "P0[1 place wr e 5]\nP0[2 place wr e 6])", "other-side", 2, 2, "e5"},
		{begin + "P0[1 place wr e 5]\nP1[2 place br z 9];P1[2 place br e 5])", "bad-point", 2, 2, "e5"},
		{begin + rings + "\nP0[11 move f 6 g 8]P0[12 move f 6 f 7])", "not-legal", 2, 11, ringTurns},
	} {
		games, skipped, err := Read(test.text)
		if err != nil || len(games) != 1 || len(skipped) != 1 {
			t.Errorf("%q: %d games, skipped %v, %v", test.text, len(games), skipped, err)
			continue
		}
		if fault := skipped[0]; fault.Code != test.code || fault.Line != test.line || fault.Turn != test.turn {
			t.Errorf("%q: skipped %v (%s), want line %d, turn %d: %s", test.text, fault, fault.Code, test.line, test.turn, test.code)
		}
		if turns, _ := mainLine(&games[0]); strings.Join(turns, " ") != test.turns {
			t.Errorf("%q: turns %v", test.text, turns)
		}
	}
}

// TestSkipped checks which lines the warnings name. The Python package has the same table.
func TestSkipped(t *testing.T) {
	for _, test := range []struct {
		text  string
		lines []int
	}{
		{"(;SU[Yinsh]P0[1 place wr F 6])", nil},
		{"x\ny (;SU[Yinsh]P0[1 place wr F 6])", []int{1}},
		{"\n\nx (;SU[Yinsh]P0[1 place wr F 6])\n\ny", []int{3, 5}},
		{"(;SU[Yinsh]P0[1 place wr F 6])\n;\n", []int{2}},
		{"(;SU[Yinsh]P0[1 place wr F 6]", []int{1}},
		{"(;SU[Yinsh]\nC\n;P0[1 place wr F 6])", []int{2}},
		{"(;su[Yinsh];\n[x]P0[1 place wr F 6])\x1a\x00", []int{2}},
		{"(;SU[Yinsh]P0[1 place wr F 6]\nC[x", []int{2, 2}},
		{"(;SU[Yinsh](;P0[1 place wr F 6]\n", []int{2}},
		{"(;SU[Yinsh]\n--- é\n;P0[1 place wr F 6])", []int{2, 2}},
	} {
		games, skipped, err := Read(test.text)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		var lines []int
		for _, one := range skipped {
			lines = append(lines, one.Line)
		}
		turns, _ := mainLine(&games[0])
		if diff := cmp.Diff(test.lines, lines); diff != "" || !slices.Equal(turns, []string{"f6"}) {
			t.Errorf("%q: turns %v, lines (-want +got):\n%s", test.text, turns, diff)
		}
	}
}

// TestCommentsOfTurns checks that a comment on any node of a turn belongs to the turn, and one on a
// node without an action to the turn before it.
func TestCommentsOfTurns(t *testing.T) {
	games, _, err := Read(file(t, "odd/40-comments.sgf"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[int]string{}
	for node, number := games[0].Root, 0; ; node, number = node.Children[0], number+1 {
		if node.Notes.Comment != "" {
			got[number] = node.Notes.Comment
		}
		if len(node.Children) == 0 {
			break
		}
	}
	if diff := cmp.Diff(map[int]string{11: "MARKER NODE\nDROP NODE\nDONE NODE\nOWN NODE BEFORE BLACK"}, got); diff != "" {
		t.Errorf("comments by turn (-want +got):\n%s", diff)
	}
}

// FuzzRead checks that each file either is unchanged after writing and reading it again, or
// gives an error with a fault for the page.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.sgf")
	odd, err2 := filepath.Glob("testdata/odd/*.sgf")
	files = append(files, odd...)
	if err = errors.Join(err, err2); err != nil || len(files) == 0 {
		f.Fatal("no games: ", err)
	}
	for _, name := range files {
		f.Add(file(f, strings.TrimPrefix(filepath.ToSlash(name), "testdata/")))
	}
	f.Add(begin + rings + "P0[11 place w f 6]P0[12 drop board f 9];C[so]DO[](;P1[13 move k 7 j 7]AR[e5:f6]WL[0.5]BL[1])(;P1[Resign]))")
	f.Fuzz(func(t *testing.T, text string) {
		games, _, err := Read(text)
		if err != nil {
			if fault, ok := errors.AsType[*record.Error](err); !ok || fault.Code == "" {
				t.Errorf("the error is %v", err)
			}
			return
		}
		for i := range games {
			written := Write(&games[i])
			first, _, err := Read(written)
			if err != nil {
				t.Fatalf("%v:\n%s", err, written)
			}
			// The first time drops notes without a turn, and ends that the format cannot express.
			text := Write(&first[0])
			second, _, err := Read(text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(text, Write(&second[0])); diff != "" {
				t.Fatalf("again (-first +second):\n%s", diff)
			}
		}
	})
}

// leafOf returns the last node of the main line.
func leafOf(g Game) *Node {
	node := g.Root
	for len(node.Children) > 0 {
		node = node.Children[0]
	}
	return node
}

// TestOddForms reads a file in the forms in which files come.
func TestOddForms(t *testing.T) {
	plaintexttest.Run(t, "(;SU[Yinsh]\nP0[id \""+plaintexttest.Name+"\"]\n;P0[1 place wr e 5]C[two\nlines])\n", func(content string) (string, error) {
		games, _, err := Read(content)
		if err != nil {
			return "", err
		}
		return Write(&games[0]), nil
	})
}
