package gametext

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gyre/bench/report/gamereview"
	"gyre/bench/review"
	"gyre/cmd/gyre-board/internal/referee"
	"gyre/position"
	"gyre/position/plaintext"
	"gyre/position/plaintext/plaintexttest"
	"gyre/position/record"
	"gyre/position/sgf"
	"gyre/protocol"
)

const (
	aRecord  = "[White \"Anna\"]\n[Black \"Ben\"]\n[Result \"3-0\"]\n[Rules \"standard\"]\n[Termination \"resignation\"]\n\n{hello} 1.e3 2.a5 {0.35/9} 3-0\n\n"
	siteFile = "(;SU[Yinsh];P0[1 place wr e 5])"
	tenRings = "f6 e5 g6 e7 e4 g8 d6 f8 h7 d4"
	midway   = "W2B/6B/8/9/10/1Wwwbw1b1/10/9/B7/B6/1WWB b 1-0"
)

// TestRead detects and reads each kind of text.
func TestRead(t *testing.T) {
	turns := func(words ...string) referee.Path {
		return referee.Path{Rules: "standard", Start: "startpos", Turns: append([]string{}, words...)}
	}
	plain := func(path referee.Path) []Game {
		return []Game{{Path: path, Tags: [][2]string{}, Comments: map[string]string{}, Result: "*"}}
	}
	at := func(rules, start string, words ...string) referee.Path {
		return referee.Path{Rules: rules, Start: start, Turns: append([]string{}, words...)}
	}
	for _, test := range []struct {
		name, text, rules string
		want              Text
	}{
		{"a list of turns", "f6 E5\na2", "", Text{Kind: KindTurns, Games: plain(turns("f6", "e5", "a2"))}},
		{"numbered turns", " 1.f6 2. e5 3.a2 *\n", "", Text{Kind: KindTurns, Games: plain(turns("f6", "e5", "a2"))}},
		{"turns in pairs", "1. f6 e5 2. a2", "", Text{Kind: KindTurns, Games: plain(turns("f6", "e5", "a2"))}},
		{"a move of two points", tenRings + " f6 f4", "", Text{Kind: KindTurns, Games: plain(turns(strings.Fields(tenRings + " f6-f4")...))}},
		{"a record in pairs", "[White \"Anna\"]\n\n1. f6 e5 {a ; b} 2. a2 *", "", Text{Kind: KindRecord, Games: []Game{{
			Path: turns("f6", "e5", "a2"), Tags: [][2]string{{"White", "Anna"}}, Comments: map[string]string{"2": "a ; b"}, Result: "*",
		}}}},
		{"turns of blitz", "f6", "blitz", Text{Kind: KindTurns, Games: plain(at("blitz", "startpos", "f6"))}},
		{"a position", " " + midway + "\n", "", Text{Kind: KindPosition, Games: plain(at("standard", "W2B/6B/8/9/10/1Wwwbw1b1/10/9/B7/B6/1WWB b 1-0"))}},
		{"the start", position.StartText, "blitz", Text{Kind: KindPosition, Games: plain(at("blitz", "startpos"))}},
		{"a command", "position startpos moves f6 e5", "", Text{Kind: KindPosition, Games: plain(turns("f6", "e5"))}},
		{"a command with a position", "position fen 4/7/8/9/10/4W4/10/9/8/7/4 b 0-0 moves e5", "", Text{Kind: KindPosition, Games: plain(at("standard", "4/7/8/9/10/4W4/10/9/8/7/4 b 0-0", "e5"))}},
		{"a position with turns", "4/7/8/9/10/4W4/10/9/8/7/4 b 0-0 moves e5", "", Text{Kind: KindPosition, Games: plain(at("standard", "4/7/8/9/10/4W4/10/9/8/7/4 b 0-0", "e5"))}},
		{"a record", aRecord, "", Text{Kind: KindRecord, Games: []Game{{
			Path: turns("e3", "a5"), Tags: [][2]string{{"White", "Anna"}, {"Black", "Ben"}, {"Termination", "resignation"}},
			Comments: map[string]string{"0": "hello", "2": "0.35/9"}, Result: "3-0", End: &End{"w", "resignation"},
		}}}},
		{"a file of the game's site", siteFile, "", Text{Kind: KindSGF, Games: plain(turns("e5"))}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Read(test.text, test.rules, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("read (-want +got):\n%s", diff)
			}
		})
	}
	if got, err := Read(aRecord+aRecord, "", nil); err != nil || len(got.Games) != 2 {
		t.Errorf("two records: %+v, %v", got, err)
	}
}

// TestReadLogs reads a boardgamearena.com log.
func TestReadLogs(t *testing.T) {
	log, err := os.ReadFile("../../../../position/bga/testdata/game1.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(string(log), "", nil)
	if err != nil || got.Kind != KindBGA || len(got.Games) != 1 || got.Games[0].Result != "2-3" {
		t.Errorf("%+v, %v", got, err)
	}
}

// placeOf returns the place and the code of an error of package referee, "none" for other errors.
func placeOf(err error) (where, code string) {
	fault, ok := errors.AsType[*referee.Error](err)
	switch {
	case !ok:
		return "none", "none"
	case fault.Fault == nil:
		return fault.Where, ""
	}
	return fault.Where, fault.Fault.Code
}

func TestRejectedTexts(t *testing.T) {
	for _, test := range []struct{ text, rules, where, code string }{
		{" \n", "", "", "empty"},
		{"hello", "", "turn 1", "not-a-turn"},
		{"f6", "fast", "rules", "bad-rules"},
		{"4/7 w 0-0", "", "start", "column-count"},
		{"[White \"Anna\"]\n\n1.z3", "", "line 3, turn 1", "not-a-turn"},
		{"{a} 1.f6\n2.f6 *\n[White \"Ben\"]\n\n*", "", "line 2, turn 2", "not-vacant"}, // the page reads each alone
		{"[White \"Anna\"", "", "line 1", "bad-tag"},
		{"(;SU[Yinsh]\n;P0[1 place wr z 9])", "", "line 2, turn 1", "bad-point"},
		{`{"data":{"logs":[]}}`, "", "data.logs", "no-moves"},
	} {
		got, err := Read(test.text, test.rules, nil)
		if where, code := placeOf(err); where != test.where || code != test.code {
			t.Errorf("%q: %+v, %v at %q with code %q", test.text, got, err, where, code)
		}
	}
}

// TestIllegalTurn reads texts with an illegal turn. The turns before it are read, and the fault names it.
func TestIllegalTurn(t *testing.T) {
	for _, test := range []struct{ text, rules, turns, where, code string }{
		{"f6 f6", "", "f6", "turn 2", "not-vacant"},
		{"1.f6\n\n2.f6 3.e5", "blitz", "f6", "turn 2", "not-vacant"},
		{"position startpos moves f6 e5 f6 a2", "", "f6 e5", "turn 3", "not-vacant"},
		{"[White \"Anna\"]\n[Result \"3-0\"]\n[Termination \"resignation\"]\n\n1.e3 2.a2 {well}\n3.e3 3-0", "", "e3 a2", "line 6, turn 3", "not-vacant"},
		{"[A \"b\"]\n\n*\n[A \"c\"]\n\n1.e3 2.e3 3.a2", "", "", "line 6, turn 2", "not-vacant"}, // the first game has no turns
		{"(;SU[Yinsh]RE[W+Resign]\n;P0[1 place wr e 3]P1[2 place br a 2]\n;P0[3 place wr a 2]C[well];P1[4 Resign])", "", "e3 a2", "line 3, turn 3", "not-legal"},
		{"(;SU[Yinsh];P0[1 place wr e 3])(;SU[Yinsh];P0[1 place wr e 3]\n;P0[2 place wr a 2])", "", "e3", "line 2, turn 2", "other-side"},
		{logOf(logged("places a ring on", 1, "", "E3"), logged("places a ring on", 2, "", "E3"), `{"type":"gameEnd","log":"A wins","args":{"player_id":1}}`), "", "e3", "packet 1, notification 2, turn 2", "not-legal"},
	} {
		got, err := Read(test.text, test.rules, nil)
		if err != nil || len(got.Skipped) != 1 || got.Skipped[0].Where != test.where || got.Skipped[0].Fault.Code != test.code {
			t.Errorf("%q: %+v, %v", test.text, got.Skipped, err)
			continue
		}
		game := got.Games[0]
		if turns := strings.Join(game.Path.Turns, " "); turns != test.turns || game.Result != "*" || game.End != nil {
			t.Errorf("%q: the first game is %+v", test.text, game)
		}
	}
}

// complaintOf returns the error of Read, or else the first fault of what it skipped.
func complaintOf(text Text, err error) error {
	if err == nil && len(text.Skipped) > 0 {
		return text.Skipped[0]
	}
	return err
}

// anyOrder ignores the order of tags: known tags are written first.
var anyOrder = cmpopts.SortSlices(func(a, b [2]string) bool { return a[0] < b[0] })

// TestWriteReads checks that writing and reading preserve texts and games.
func TestWriteReads(t *testing.T) {
	real, err := os.ReadFile("../../../../position/sgf/testdata/Y-Clara-BestBot-2026-03-21-2221.sgf")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{aRecord, siteFile, midway, "f6 e5", string(real)} {
		read, err := Read(text, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		written, err := Write(read.Games[0])
		if err != nil {
			t.Fatalf("%.100q: %v", text, err)
		}
		again, err := Read(written, "", nil)
		if err != nil {
			t.Fatalf("%v:\n%s", err, written)
		}
		if diff := cmp.Diff(read.Games, again.Games, anyOrder); diff != "" {
			t.Errorf("again (-first +second):\n%s", diff)
		}
		if text == aRecord && written != aRecord {
			t.Errorf("(-want +got):\n%s", cmp.Diff(aRecord, written))
		}
	}
}

func TestUnwritableGames(t *testing.T) {
	for _, test := range []struct {
		game  Game
		where string
	}{
		{Game{Path: referee.Path{Turns: []string{"f6", "f6"}}}, "turn 2"},
		{Game{Comments: map[string]string{"1": "x"}}, "comments"},
		{Game{Comments: map[string]string{"x": "x"}}, "comments"},
		{Game{Result: "won"}, "result"},
		{Game{Result: "3-0"}, ""},
		{Game{Tags: [][2]string{{"two words", "x"}}}, ""},
		{Game{Tags: [][2]string{{"White", "a\nb"}}}, ""},
	} {
		text, err := Write(test.game)
		fault, ok := errors.AsType[*referee.Error](err)
		if !ok || fault.Where != test.where {
			t.Errorf("%+v: %q, %v", test.game, text, err)
		}
	}
}

// TestManyTags writes games with more tags than a record may have. They are counted before they are compared with each other.
func TestManyTags(t *testing.T) {
	tags := func(n int) (all [][2]string) {
		for i := range n {
			all = append(all, [2]string{fmt.Sprint("T", i), "x"})
		}
		return all
	}
	own, err := json.Marshal(privateData{Tags: tags(30_000)})
	if err != nil {
		t.Fatal(err)
	}
	file := "(;SU[Yinsh]GYREGAME[" + strings.NewReplacer("\\", "\\\\", "]", "\\]").Replace(string(own)) + "])"
	honest, hostile := Game{Tags: tags(record.MaxTags - 3)}, Game{Tags: tags(30_000)}
	for _, test := range []struct {
		name string
		do   func() error
		ok   bool
		most uint64 // bytes of memory
	}{
		{"most tags", func() error { _, err := Write(honest); return err }, true, 4 << 20},
		{"write", func() error { _, err := Write(hostile); return err }, false, 1 << 16},
		{"write SGF", func() error { _, err := WriteSGF(hostile); return err }, false, 1 << 16},
		{"read SGF", func() error { _, err := Read(file, "", nil); return err }, false, 12 << 20},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := test.do()
		runtime.ReadMemStats(&after)
		if fault, _ := errors.AsType[*referee.Error](err); (err == nil) != test.ok || fault != nil && (fault.Fault == nil || fault.Fault.Code != "too-long") {
			t.Errorf("%s: %v", test.name, err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > test.most {
			t.Errorf("%s needs %d bytes of memory", test.name, used)
		}
	}
}

// TestManyValues reads texts with more JSON than any honest one has. It is counted before it is parsed.
func TestManyValues(t *testing.T) {
	nodes := "[" + strings.Repeat("{},", 200_000) + "{}]"
	for name, test := range map[string]struct{ text, code string }{
		"record": {"[Tree \"" + nodes + "\"]\n*", "damaged"},
		"game":   {"(;SU[Yinsh]GYREGAME[{\"tags\":[" + strings.Repeat("[\\],", 200_000) + "[\\]\\]}])", "damaged"},
		"node":   {"(;SU[Yinsh]GYRE[{\"arrows\":" + strings.ReplaceAll(nodes, "]", "\\]") + "}])", ""},
		"log":    {"{\"logs\":1,\"data\":{\"logs\":" + nodes + "}}", "not-a-log"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		read, err := Read(test.text, "", nil)
		runtime.ReadMemStats(&after)
		if _, code := placeOf(err); err != nil && code != test.code || (err == nil) != (test.code == "") || err == nil && read.Games[0].Tree != nil {
			t.Errorf("%s: %v", name, err)
		}
		if used := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(test.text)); used > 16 {
			t.Errorf("%s: %.0f bytes of memory are needed for each byte", name, used)
		}
	}
}

// FuzzRead checks that each game that can be read can be written, and stays the same.
func FuzzRead(f *testing.F) {
	for _, text := range []string{aRecord, siteFile, midway, "1.f6 2.e5", "1. f6 e5 2. d4", "position startpos moves f6", "[Tree \"[{\\\"turn\\\":\\\"\\\",\\\"comment\\\":\\\"}\\\"}]\"]\n*"} {
		f.Add(text, "standard")
		f.Add(text, "blitz")
	}
	f.Fuzz(func(t *testing.T, text, rules string) {
		read, err := Read(text, rules, nil)
		if err != nil {
			if _, ok := errors.AsType[*referee.Error](err); !ok {
				t.Errorf("the error is %v", err)
			}
			return
		}
		for _, game := range read.Games {
			written, err := Write(game)
			if err != nil {
				t.Fatalf("%v: %+v", err, game)
			}
			again, err := Read(written, "", nil)
			if err != nil {
				t.Fatalf("%v:\n%s", err, written)
			}
			if diff := cmp.Diff([]Game{game}, again.Games, anyOrder); diff != "" {
				t.Errorf("again (-first +second):\n%s", diff)
			}
		}
	})
}

// TestSGFOfOthers reads games whose GYRE property has unexpected content.
func TestSGFOfOthers(t *testing.T) {
	for _, own := range []string{"ours", `{"finding":{"label":"mistake"},"score":3}`} {
		read, err := Read("(;SU[Yinsh];P0[1 place wr e 5]GYRE["+own+"]C[here])", "", nil)
		if err != nil {
			t.Errorf("%s: %v", own, err)
			continue
		}
		want := Game{Path: read.Games[0].Path, Tags: [][2]string{}, Comments: map[string]string{"1": "here"}, Result: "*"}
		if diff := differ(t, want, read.Games[0]); diff != "" || len(want.Path.Turns) != 1 {
			t.Errorf("%s (-want +got):\n%s", own, diff)
		}
	}
}

// TestRejectedSGF reads files with damaged private properties.
func TestRejectedSGF(t *testing.T) {
	for _, test := range []struct{ text, where, code string }{
		{"(;SU[Yinsh]GYREGAME[x])", "line 1", "damaged"},
		{"(;SU[Yinsh]\nGYRESTART[4/7 w 0-0])", "line 2", "column-count"},
	} {
		_, err := Read(test.text, "", nil)
		if where, code := placeOf(err); where != test.where || code != test.code {
			t.Errorf("%q: %v at %q with code %q", test.text, err, where, code)
		}
	}
}

// waysToWrite are ways to write the turns of a game.
var waysToWrite = map[string]func(turns []string) string{
	"words":                   func(turns []string) string { return strings.Join(turns, " ") },
	"blanks after semicolons": func(turns []string) string { return strings.ReplaceAll(strings.Join(turns, " "), ";", "; ") },
	"blanks around them":      func(turns []string) string { return strings.ReplaceAll(strings.Join(turns, "\n"), ";", " ;\n") },
	"numbered, with blanks":   func(turns []string) string { return strings.ReplaceAll(numbered(turns, 1), ";", "; ") },
	"in pairs":                func(turns []string) string { return numbered(turns, 2) },
	"in pairs, with blanks":   func(turns []string) string { return strings.ReplaceAll(numbered(turns, 2), ";", " ; ") },
}

// numbered writes turns with a number before every group of each turns.
func numbered(turns []string, each int) string {
	var text strings.Builder
	for i, turn := range turns {
		if i%each == 0 {
			fmt.Fprintf(&text, "%d. ", i/each+1)
		}
		text.WriteString(turn + " ")
	}
	return text.String()
}

// unhyphened writes moves with a space instead of the hyphen.
func unhyphened(turns []string) string {
	words := make([]string, len(turns))
	for i, turn := range turns {
		parts := strings.Split(turn, ";")
		for j, part := range parts {
			if !strings.HasPrefix(part, "x") {
				parts[j] = strings.Replace(part, "-", " ", 1)
			}
		}
		words[i] = strings.Join(parts, ";")
	}
	return strings.Join(words, " ")
}

// TestWaysToWriteTurns writes human games in many ways, as lists and in records, and reads
// them back.
func TestWaysToWriteTurns(t *testing.T) {
	files, err := filepath.Glob("../../../../position/sgf/testdata/*.sgf")
	if err != nil || len(files) < 3 {
		t.Fatalf("%q, %v", files, err)
	}
	rows := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		game, err := Read(string(text), "", nil)
		if err != nil {
			t.Fatal(err)
		}
		want := game.Games[0].Path
		rows += strings.Count(strings.Join(want.Turns, ""), ";")
		result := game.Games[0].Result
		if game.Games[0].End != nil {
			result = "*" // a resignation, which the turns do not show
		}
		check := func(way, text string) {
			t.Helper()
			got, err := Read(text, want.Rules, nil)
			if err != nil {
				t.Errorf("%s, %s: %v", filepath.Base(file), way, err)
			} else if diff := cmp.Diff(want, got.Games[0].Path); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", filepath.Base(file), way, diff)
			}
		}
		check("without hyphens", unhyphened(want.Turns))
		for way, write := range waysToWrite {
			turns := write(want.Turns)
			check(way, turns)
			check(way+", in a record", fmt.Sprintf("[White \"Anna\"]\n[Rules %q]\n\n%s %s\n", want.Rules, turns, result))
		}
	}
	if rows < 3 {
		t.Errorf("the games have %d rows", rows)
	}
}

// aTree returns a tree that uses every field of Node.
func aTree() []Node {
	cp, mate := -35, 4
	summary := review.Summary{Turns: 1, Accuracy: 41.2, MeanLost: 12.5, Blunders: 1}
	return []Node{
		{Comment: "a } brace\nand a line", Others: [][]Node{{{Turn: "e5", Comment: "or here"}, {Turn: "f6", Others: [][]Node{{{Turn: "g7"}}}}}}},
		{Turn: "f6", Score: &Score{protocol.ScoreFields{CP: &cp}, 9}, Clock: &sgf.Clock{White: 59000.5, Black: 60000}, Arrows: []Arrow{{"f6", "f9"}, {"e5", "e5"}}, Preferred: 1},
		{
			Turn: "e5", Score: &Score{ScoreFields: protocol.ScoreFields{Mate: &mate}}, Finding: &Finding{Label: "blunder", Lost: 31.4, Accuracy: 20.1, MissedRow: true, Best: "g7", Line: []string{"g7", "e5"}},
			Review: map[string]review.Summary{"w": summary, "b": summary}, End: &End{"b", "time forfeit"},
		},
	}
}

// TestTreesAreKept writes a tree into a record and reads it back. The comments at the turns
// are simplified; those in the tree are unchanged.
func TestTreesAreKept(t *testing.T) {
	game := Game{Path: referee.Path{Rules: "blitz", Turns: []string{"f6", "e5"}}, Tree: aTree(), End: &End{"b", "time forfeit"}}
	text, err := Write(game)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"{a ) brace and a line}", "[Result \"0-1\"]", "[Termination \"time forfeit\"]"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	read, err := Read(text, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	got := read.Games[0]
	if diff := cmp.Diff(game.Tree, got.Tree); diff != "" {
		t.Errorf("the tree (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(game.End, got.End); diff != "" || got.Result != "0-1" {
		t.Errorf("the end, result %s (-want +got):\n%s", got.Result, diff)
	}
	for _, tag := range got.Tags {
		if tag[0] == treeTag {
			t.Errorf("the tree is among the tags: %s", tag[1])
		}
	}
}

// TestPlainTrees writes trees of turns and comments only. They need no tag.
func TestPlainTrees(t *testing.T) {
	text, err := Write(Game{Path: referee.Path{Turns: []string{"f6"}}, Tree: []Node{{Comment: "first"}, {Turn: "f6", Comment: "the middle"}}})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text, treeTag) || !strings.Contains(text, "{first} 1.f6 {the middle}") {
		t.Errorf("it is\n%s", text)
	}
}

// TestRejectedTrees reads damaged trees, and trees of other turns.
func TestRejectedTrees(t *testing.T) {
	for _, tree := range []string{
		"hello",
		"{}",
		"[]",
		`[{"turn":""}]`,
		`[{"turn":"f6"},{"turn":"f6"}]`,
		`[{"turn":""},{"turn":"e5"}]`,
		`[{"turn":"","others":[[]]},{"turn":"f6"}]`,
		`[{"turn":"","others":[[{"turn":"z1"}]]},{"turn":"f6"}]`,
		`[{"turn":""},{"turn":"f6","others":[[{"turn":"f6"}]]}]`,
		`[{"turn":"","score":{"cp":"<b>"}},{"turn":"f6"}]`,
	} {
		text := "[Tree \"" + strings.ReplaceAll(tree, `"`, `\"`) + "\"]\n\n1.f6 *\n"
		got, err := Read(text, "", nil)
		if where, code := placeOf(err); where != "tag Tree" || code != "damaged" {
			t.Errorf("%s: %+v, %v at %q with code %q", tree, got, err, where, code)
		}
	}
	if text, err := Write(Game{Path: referee.Path{Turns: []string{"f6"}}, Tree: []Node{{}}}); err == nil {
		t.Errorf("a tree without the turns is written:\n%s", text)
	}
}

// TestEndsAreAwarded writes games that did not end on the board.
func TestEndsAreAwarded(t *testing.T) {
	for _, test := range []struct {
		rules  string
		end    End
		result string
	}{
		{"standard", End{"w", "resignation"}, "3-0"},
		{"blitz", End{"b", "time forfeit"}, "0-1"},
		{"standard", End{"", "agreement"}, "0-0"},
	} {
		text, err := Write(Game{Path: referee.Path{Rules: test.rules, Turns: []string{"f6"}}, End: &test.end})
		if err != nil {
			t.Fatal(err)
		}
		read, err := Read(text, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&test.end, read.Games[0].End); diff != "" || read.Games[0].Result != test.result {
			t.Errorf("%+v: %s (-want +got):\n%s", test.end, read.Games[0].Result, diff)
		}
	}
}

// differ returns the differences of two games as JSON. cmp.Diff is too slow for the nested
// slices of trees.
func differ(t *testing.T, a, b Game) string {
	t.Helper()
	var texts [2]string
	for i, game := range [2]Game{a, b} {
		text, err := json.MarshalIndent(game, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	return cmp.Diff(texts[0], texts[1])
}

// outAndIn writes a game as SGF and reads it back.
func outAndIn(t *testing.T, game Game) Game {
	t.Helper()
	written, err := WriteSGF(game)
	if err != nil {
		t.Fatalf("%v: %+v", err, game)
	}
	read, err := Read(written, "", nil)
	if err != nil {
		t.Fatalf("%v:\n%s", err, written)
	}
	if read.Kind != KindSGF || len(read.Games) != 1 {
		t.Fatalf("%s, %d games:\n%s", read.Kind, len(read.Games), written)
	}
	return read.Games[0]
}

// TestSGFOfSite writes real boardspace.net games and reads them back.
func TestSGFOfSite(t *testing.T) {
	files, err := filepath.Glob("../../../../position/sgf/testdata/*.sgf")
	if err != nil || len(files) != 5 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			read, err := Read(string(text), "", nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(read.Games[0], outAndIn(t, read.Games[0]), anyOrder); diff != "" {
				t.Errorf("again (-first +second):\n%s", diff)
			}
		})
	}
}

// TestSGFOfTree writes a tree with every kind of note and reads it back. It also checks the
// standard properties, which other programs read.
func TestSGFOfTree(t *testing.T) {
	game := Game{
		Path: referee.Path{Rules: "blitz", Start: "startpos", Turns: []string{"f6", "e5"}}, Tree: aTree(), End: &End{"b", "time forfeit"}, Result: "0-1",
		Tags: [][2]string{{"White", "Anna ]\\"}, {"Black", "Ben"}, {"Date", "2026.03.13"}, {"Termination", "time forfeit"}, {"TimeControl", "60+1"}}, Comments: map[string]string{},
	}
	game.Tree[0].Others[0] = append(game.Tree[0].Others[0], Node{Turn: "h8"})
	if diff := differ(t, game, outAndIn(t, game)); diff != "" {
		t.Errorf("again (-first +second):\n%s", diff)
	}
	text, err := WriteSGF(game)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"(;\nFF[4]GM[24]", "SU[Yinsh-Blitz]", `P0[id "Anna \]\\"]PW[Anna \]\\]`, "DT[2026-03-13]", "RE[B+Time]", "C[a } brace\nand a line]",
		"; P0[1 place wr F 6]\n; P0[2 Done]AR[f6:f9]CR[e5]WL[59.0005]BL[60]", "BM[2]",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

// TestSGFOfRandomTrees writes trees of random turns and notes and reads them back.
func TestSGFOfRandomTrees(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 10
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 14))
		grower := &grower{Rand: r, left: 120}
		rules := []position.Rules{position.Standard, position.Blitz}[seed%2]
		start := position.Start(rules)
		for range r.IntN(4) * r.IntN(12) {
			start = grower.play(&start, grower.turn(&start))
		}
		root := grower.notes()
		line := grower.grow(start, &root)
		game := Game{
			Path: referee.Path{Rules: rules.String(), Start: start.String(), Turns: []string{}}, Tree: append([]Node{root}, line...),
			Tags: [][2]string{{"White", strings.ReplaceAll(grower.text(), "\n", " ")}, {"Black", "\"Ben\""}, {"Date", "March 2026"}}, Comments: map[string]string{}, Result: "*",
		}
		if start == position.Start(rules) {
			game.Path.Start = referee.StartWord
		}
		for _, n := range line {
			game.Path.Turns = append(game.Path.Turns, n.Turn)
		}
		ended, err := game.Path.Read()
		if err != nil {
			t.Fatal(err)
		}
		if end := ended.End(); end.Over() {
			game.Result = fmt.Sprintf("%d-%d", end.Removed(position.White), end.Removed(position.Black))
		} else if seed%3 == 0 {
			game.End = &End{[]string{"w", "b", ""}[r.IntN(3)], []string{"resignation", "agreement", "a cat"}[r.IntN(3)]}
			game.Tree[len(game.Tree)-1].End = game.End
			game.Tags = append(game.Tags, [2]string{"Termination", game.End.Why})
		}
		if !holdsMore(game.Tree) {
			t.Fatalf("seed %d: a tree without notes", seed)
		}
		again := outAndIn(t, game)
		if game.End != nil {
			game.Result = again.Result // the result of the end
		}
		if diff := differ(t, game, again); diff != "" {
			t.Fatalf("seed %d: again (-first +second):\n%s", seed, diff)
		}
		if diff := differ(t, again, outAndIn(t, again)); diff != "" {
			t.Fatalf("seed %d: at the second time (-first +second):\n%s", seed, diff)
		}
	}
}

// grower builds random trees.
type grower struct {
	*rand.Rand
	left int // nodes that may be added
}

// turn returns a random turn.
func (g *grower) turn(p *position.Position) position.Turn {
	turns := p.Turns(nil)
	if takings := p.CompletingTurns(nil); len(takings) > 0 {
		turns = takings // rows are rare
	}
	return turns[g.IntN(len(turns))]
}

// play returns the position after a turn.
func (g *grower) play(p *position.Position, turn position.Turn) position.Position {
	after := p.After(turn)
	return after
}

// grow returns the main line from a position, and adds the other lines to the node before it.
func (g *grower) grow(p position.Position, before *Node) []Node {
	if g.left <= 0 || p.Over() {
		return nil
	}
	var ways [][]Node
	var seen []position.Turn
	for n := 1 + g.IntN(8)/6; n > 0; n-- {
		turn := g.turn(&p)
		if slices.Contains(seen, turn) {
			continue
		}
		seen = append(seen, turn)
		g.left--
		node := g.notes()
		node.Turn = turn.String()
		rest := g.grow(g.play(&p, turn), &node)
		ways = append(ways, append([]Node{node}, rest...))
	}
	before.Others = ways[1:]
	if before.Preferred >= len(ways) {
		before.Preferred = 0
	}
	return ways[0]
}

// notes returns a node with random notes.
func (g *grower) notes() Node {
	var n Node
	has := func() bool { return g.IntN(3) == 0 }
	if has() {
		n.Comment = g.text()
	}
	if has() {
		cp := g.IntN(1000) - 500
		n.Score = &Score{protocol.ScoreFields{CP: &cp}, g.IntN(9)}
	}
	if has() {
		n.Finding = &Finding{Label: []string{"", "inaccuracy", "mistake", "blunder"}[g.IntN(4)], Lost: float64(g.IntN(1000)) / 10, MissedRow: has(), Best: "f6"}
	}
	if has() {
		n.Clock = &sgf.Clock{White: g.Float64() * 1e6, Black: float64(g.IntN(3))}
	}
	if has() {
		n.Arrows = []Arrow{{"e5", "f6"}, {"a2", "j11"}, {"k10", "k10"}, {"c3", "c3"}}
		g.Shuffle(len(n.Arrows), func(i, j int) { n.Arrows[i], n.Arrows[j] = n.Arrows[j], n.Arrows[i] })
		n.Arrows = n.Arrows[:1+g.IntN(4)]
	}
	n.Preferred = g.IntN(2)
	return n
}

// text returns a text with characters that need escaping.
func (g *grower) text() string {
	pieces := []string{"]", "\\", "\\]", "(;", ")", ":", "a", "ü", " ", "  ", "\n", "\"", "}", "[C]"}
	text := "x"
	for range g.IntN(12) {
		text += pieces[g.IntN(len(pieces))]
	}
	return text
}

// logOf returns a log from boardgamearena.com with the given notifications. Player 1 is White.
func logOf(notifications ...string) string {
	return `{"data":{"players":[{"id":1,"name":"A","color":"ffffff"},{"id":2,"name":"B"}],"logs":[{"data":[` + strings.Join(notifications, ",") + `]}]}}`
}

// logged returns the notification of a move.
func logged(what string, player int, from, to string) string {
	return fmt.Sprintf(`{"type":"move","log":" %s ","args":{"player_id":%d,"locationFrom":%q,"locationTo":%q}}`, what, player, from, to)
}

// TestFaults reads invalid texts. The error has the fault and the place for the page's words.
func TestFaults(t *testing.T) {
	for _, test := range []struct {
		text, where string
		want        position.Fault
	}{
		{" ", "", position.Fault{Code: "empty"}},
		{"f6 e5 e5", "turn 3", position.Fault{Code: "not-vacant", Values: map[string]string{"point": "e5"}}},
		{"f6 e5 zz", "turn 3", position.Fault{Code: "not-a-turn", Values: map[string]string{"part": "zz"}}},
		{"[White \"A\"]\n\n1.f6 2.f6", "line 3, turn 2", position.Fault{Code: "not-vacant", Values: map[string]string{"point": "f6"}}},
		{"4/7/8/9/10/9/10/9/8/7/5 w 0-0", "start", position.Fault{Code: "column-length", Values: map[string]string{"column": "k", "wanted": "4"}}},
		{"4/7/8/9/10/9/10/9/8/7/q w 0-0", "start", position.Fault{Code: "column-sign", Values: map[string]string{"column": "k", "sign": "q"}}},
		{"4/7/8/9/10/9/10/9/8/7/4 x 0-0", "start", position.Fault{Code: "bad-side"}},
		{"position 4/7", "", position.Fault{Code: "bad-command"}},
		{"[Rules \"go\"]\n\n*", "line 1", position.Fault{Code: "bad-rules"}},
		{"[A \"\"]\n[A \"\"]\n\n*", "line 2", position.Fault{Code: "duplicate-tag"}},
		{"[A b]\n\n*", "line 1", position.Fault{Code: "bad-tag"}},
		{"[A \"\x01\"]\n\n*", "line 1", position.Fault{Code: "not-text"}},
		{"{a", "line 1", position.Fault{Code: "open-comment"}},
		{"{a} " + strings.Repeat("f", 200), "line 1", position.Fault{Code: "too-long"}},
		{"{a}\n1.f6 3.e5 *", "line 2", position.Fault{Code: "turn-number", Values: map[string]string{"number": "2"}}},
		{"f6 (e5 g7) g7", "turn 2", position.Fault{Code: "variation"}},
		{"(f6) e5", "turn 1", position.Fault{Code: "variation"}},
		{"{a} f6", "line 1", position.Fault{Code: "no-result"}},
		{"{a} f6\n[A \"\"]", "line 2", position.Fault{Code: "tag-inside"}},
		{"{a} f6 3-0", "line 1", position.Fault{Code: "wrong-result"}},
		{"[Result \"3-1\"]\n\nf6 *", "line 3", position.Fault{Code: "other-result"}},
		{"[Tree \"x\"]\n\nf6 *", "tag Tree", position.Fault{Code: "damaged"}},
		{"(;SU[Yinsh]GYREGAME[x])", "line 1", position.Fault{Code: "damaged"}},
		{`(;SU[Yinsh]RE[W+Resign]GYREGAME[{"result":"x"}])`, "result", position.Fault{Code: "bad-result", Values: map[string]string{"text": "x"}}},
		{"(;C[])", "line 1", position.Fault{Code: "no-setup"}},
		{"(;SU[Hex])", "line 1", position.Fault{Code: "other-game", Values: map[string]string{"game": "Hex"}}},
		{"(;" + strings.Repeat("(", 1000), "line 1", position.Fault{Code: "too-deep", Values: map[string]string{"most": "1000"}}},
		{"(;SU[Yinsh]\nP0[1 place wr z 9])", "line 2, turn 1", position.Fault{Code: "bad-point", Values: map[string]string{"point": "z9"}}},
		{"(;SU[Yinsh]\nP0[1 move a 2 a 3])", "line 2, turn 1", position.Fault{Code: "not-legal"}},
		{"(;SU[Yinsh]P0[1 place wr e 5]\nP0[2 place wr e 6])", "line 2, turn 2", position.Fault{Code: "other-side", Values: map[string]string{"side": "b"}}},
		{"(;SU[Yinsh]\nGYRESTART[1 w 0-0])", "line 2", position.Fault{Code: "column-count", Values: map[string]string{"count": "1", "wanted": "11"}}},
		{`{"a":{"logs":[`, "", position.Fault{Code: "not-a-log"}},
		{`{"data":{"logs":[]}}`, "data.logs", position.Fault{Code: "no-moves"}},
		{logOf(`{"type":"move","log":"dances","args":{}}`), "packet 1, notification 1", position.Fault{Code: "unknown-move", Values: map[string]string{"move": "dances"}}},
		{logOf(`{"type":"restartUndo","log":"","args":{}}`), "packet 1, notification 1", position.Fault{Code: "not-played"}},
		{logOf(logged("places a ring on", 2, "", "E5")), "packet 1, notification 1", position.Fault{Code: "not-first", Values: map[string]string{"name": "A"}}},
		{logOf(logged("places a marker on", 1, "", "E5"), logged("moves a ring from", 1, "E6", "E7")), "packet 1, notification 2", position.Fault{Code: "marker-elsewhere", Values: map[string]string{"marker": "e5", "ring": "e6"}}},
		{logOf(logged("removes a row of markers from", 1, "A2", "A5")), "packet 1, notification 1", position.Fault{Code: "not-a-row", Values: map[string]string{"from": "a2", "to": "a5"}}},
		{logOf(logged("places a ring on", 1, "", "E5"), `{"type":"gameEnd","log":"A has removed 3 rings","args":{"player_id":1}}`), "packet 1, notification 2", position.Fault{Code: "moves-missing"}},
	} {
		err := complaintOf(Read(test.text, "", nil))
		fault, ok := errors.AsType[*referee.Error](err)
		if !ok || fault.Fault == nil {
			t.Errorf("%q: %v has no fault", test.text, err)
			continue
		}
		if diff := cmp.Diff(test.want, *fault.Fault); diff != "" || fault.Where != test.where {
			t.Errorf("%q: at %q, fault (-want +got):\n%s", test.text, fault.Where, diff)
		}
	}
}

// TestOddForms reads each kind of text in the forms in which files come.
func TestOddForms(t *testing.T) {
	log, err := os.ReadFile("../../../../position/bga/testdata/game1.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, sample := range map[string]string{
		KindRecord: "[White \"" + plaintexttest.Name + "\"]\n\n1.e3 2.a5 *\n",
		KindSGF:    "(;SU[Yinsh]P0[id \"" + plaintexttest.Name + "\"]\n;P0[1 place wr e 5])\n",
		KindTurns:  "e3\na5\n", KindPosition: midway + "\n", KindBGA: string(log),
	} {
		t.Run(name, func(t *testing.T) {
			plaintexttest.Run(t, sample, func(content string) (string, error) {
				text, err := Read(content, "", nil)
				if fault, ok := errors.AsType[*referee.Error](err); ok && fault.Fault != nil && fault.Fault.Code == "not-text" {
					return "", &plaintext.Error{What: fault.Message} // the page has only the code and the message
				}
				return fmt.Sprintf("%+v", text), err
			})
		})
	}
}

// TestReadsAsTheBoard checks that the review and the board read the same turns and result of a text,
// or both refuse it at the same place.
func TestReadsAsTheBoard(t *testing.T) {
	whole, err := os.ReadFile("../../../../position/sgf/testdata/odd/00-orig.sgf")
	if err != nil {
		t.Fatal(err)
	}
	read, err := Read(string(whole), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	written, err := Write(read.Games[0])
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{
		"as written":       written,
		"apart":            strings.ReplaceAll(written, ";", " ; "),
		"apart, after":     strings.ReplaceAll(written, ";", ";\n"),
		"pairs":            "[White \"A\"]\n\n1. f6 e5 {a ; b} 2. a2 *",
		"pairs, twice":     "[White \"A\"]\n\n1. f6 1... e5 2. a2 *",
		"black's numbers":  "[Position \"4/7/8/9/10/4W4/10/9/8/7/4 b 0-0\"]\n2.e5 3.a2 *",
		"from one":         "[Position \"4/7/8/9/10/4W4/10/9/8/7/4 b 0-0\"]\n1.e5 2.a2 *",
		"wrong number":     "[White \"A\"]\n\n1.f6\n3.e5 *",
		"illegal":          "[White \"A\"]\n\n1.f6\n2.f6 *",
		"damaged file":     "before (;SU[Yinsh]\n--- ;P0[1 place wr e 5]",
		"page":             "# Gyre\n\n[Go](https://go.dev)\n",
		"file of no YINSH": "(;SU[Hex])",
	}
	content, err := os.ReadFile("../../../../position/record/testdata/forms.json")
	if err != nil {
		t.Fatal(err)
	}
	var forms []struct{ Name, Text, Code string }
	if err := json.Unmarshal(content, &forms); err != nil {
		t.Fatal(err)
	}
	codes := map[string]string{}
	for _, form := range forms {
		texts[form.Name], codes[form.Name] = form.Text, form.Code
	}
	if texts["apart"] == written {
		t.Fatal("the game has no turn of two parts")
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			board, boardErr := Read(text, "", nil)
			games, _, err := gamereview.Read(text)
			if err != nil { // the board shows the turns before an illegal one
				boardErr = complaintOf(board, boardErr)
			}
			if err != nil || boardErr != nil {
				fault, ok := errors.AsType[*record.Error](err)
				fault2, ok2 := errors.AsType[*referee.Error](boardErr)
				if !ok || !ok2 || fault.Where() != fault2.Where || fault2.Fault == nil || fault.Code != fault2.Fault.Code || codes[name] != "" && fault.Code != codes[name] {
					t.Errorf("the review says %v, the board %v", err, boardErr)
				}
				return
			}
			got := append(position.Words(games[0].Turns), games[0].Record.ResultText())
			if diff := cmp.Diff(append(board.Games[0].Path.Turns, board.Games[0].Result), got); diff != "" {
				t.Errorf("(-board +review):\n%s", diff)
			}
		})
	}
}

// TestSkipped reads the damaged files of package sgf: what it skips is reported with a line and a
// fault, whose values the page's messages need.
func TestSkipped(t *testing.T) {
	needed := map[string]string{"no-parenthesis": "found", "no-property": "found", "no-value": "name"}
	names, err := filepath.Glob("../../../../position/sgf/testdata/odd/*.sgf")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	found := map[string]bool{}
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, want, wrong := sgf.Read(string(content))
		text, err := Read(string(content), "", nil)
		if (err == nil) != (wrong == nil) || err == nil && len(text.Skipped) != len(want) {
			t.Errorf("%s: %d skipped and %v, of package sgf %d and %v", filepath.Base(name), len(text.Skipped), err, len(want), wrong)
		}
		for _, fault := range text.Skipped {
			value := needed[fault.Fault.Code]
			if !strings.HasPrefix(fault.Where, "line ") || value != "" && fault.Fault.Values[value] == "" {
				t.Errorf("%s: %+v at %q", filepath.Base(name), fault.Fault, fault.Where)
			}
			found[fault.Fault.Code] = true
		}
	}
	if len(found) < 3 {
		t.Errorf("only %v were skipped", found)
	}
}
