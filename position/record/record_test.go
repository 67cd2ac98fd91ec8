package record_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gyre/position"
	"gyre/position/plaintext/plaintexttest"
	"gyre/position/record"
)

// TestRecordsAreWrittenAsRead reads a canonical file and checks that writing its
// records reproduces it.
func TestRecordsAreWrittenAsRead(t *testing.T) {
	text, err := os.ReadFile("testdata/records.txt")
	if err != nil {
		t.Fatal(err)
	}
	records, err := record.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var written strings.Builder
	for i := range records {
		if err := records[i].Write(&written); err != nil {
			t.Fatalf("record %d: %v", i, err)
		}
	}
	if diff := cmp.Diff(string(text), written.String()); diff != "" {
		t.Errorf("written otherwise than read (-read +written):\n%s", diff)
	}
}

// TestRecordsPage reads and writes the examples of RECORDS.md.
func TestRecordsPage(t *testing.T) {
	page, err := os.ReadFile("../RECORDS.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(page), "```record\n")
	for _, block := range blocks[1:] {
		text, _, _ := strings.Cut(block, "```")
		game, err := record.Parse(text)
		if err != nil || len(game.Turns) == 0 {
			t.Errorf("%s: %d turns, %v", text, len(game.Turns), err)
		}
		if err := game.Write(io.Discard); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	if len(blocks) != 3 {
		t.Errorf("%d examples, want 2", len(blocks)-1)
	}
}

// TestForms reads the first record of each text of testdata/forms.json. The Python package, the
// board and the review read the same ones.
func TestForms(t *testing.T) {
	content, err := os.ReadFile("testdata/forms.json")
	if err != nil {
		t.Fatal(err)
	}
	var tests []struct {
		Name, Text, Turns string
		Tags              map[string]string
		Line, Turn        int    // of the error; 0 if there is none
		Code              string // of the error; "" for any
	}
	if err := json.Unmarshal(content, &tests); err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		t.Run(test.Name, func(t *testing.T) {
			game, err := record.NewReader(strings.NewReader(test.Text)).Read()
			wrong, ok := errors.AsType[*record.Error](err)
			if ok && (wrong.Line != test.Line || wrong.Turn != test.Turn) || !ok && (err != nil || test.Line != 0) {
				t.Fatalf("the error is %v", err)
			}
			if err != nil {
				if test.Code != "" && wrong.Code != test.Code {
					t.Errorf("the error is %v with code %q, want %q", err, wrong.Code, test.Code)
				}
				return
			}
			var turns []string
			for _, turn := range game.Turns {
				turns = append(turns, turn.Turn.String())
			}
			if got := strings.Join(turns, " "); got != test.Turns {
				t.Errorf("turns %s", got)
			}
			for name, want := range test.Tags {
				if got := game.Tag(name); got != want {
					t.Errorf("tag %s: %q", name, got)
				}
			}
		})
	}
}

// TestRecordFields checks the fields of the records in the file.
func TestRecordFields(t *testing.T) {
	file, err := os.Open("testdata/records.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := record.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	type summary struct {
		White, Termination, Rules, Result string
		Score                             [2]int
		Turns, Comments                   int
	}
	var got []summary
	for _, game := range records {
		s := summary{
			game.Tag("White"), game.Tag("Termination"), game.Start.Rules().String(), game.Result().String(),
			game.Score, len(game.Turns), 0,
		}
		for _, recorded := range game.Turns {
			if recorded.Comment != "" {
				s.Comments++
			}
		}
		got = append(got, s)
	}
	want := []summary{
		{"Anna", "", "standard", "white", [2]int{3, 1}, 45, 2},
		{"", "", "blitz", "black", [2]int{0, 1}, 22, 0},
		{`Ann "Ring" Onymous \ Co`, "resignation", "standard", "black", [2]int{0, 3}, 4, 0},
		{"", "", "standard", "white", [2]int{3, 2}, 1, 1},
		{"", "agreement", "standard", "draw", [2]int{1, 1}, 2, 0},
		{"", "", "standard", "ongoing", [2]int{0, 0}, 0, 0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the records (-want +got):\n%s", diff)
	}
	if opening := records[3].Comment; opening != "both third rows in one move" {
		t.Errorf("the comment ahead is %q", opening)
	}
}

// TestRecordsReadLeniently reads text that is not canonical.
func TestRecordsReadLeniently(t *testing.T) {
	const canonical = "[White \"Anna\"]\n[Result \"*\"]\n[Rules \"blitz\"]\n[X \"y\"]\n\n{hello you} 1.e3 {first second} 2.a5 *\n\n"
	for name, text := range map[string]string{
		"as it is written":         canonical,
		"line ends of two bytes":   strings.ReplaceAll(canonical, "\n", "\r\n"),
		"no line end":              strings.TrimSpace(canonical),
		"tags in another order":    "[X \"y\"] [Rules \"blitz\"] [White \"Anna\"]\n{hello you} 1.e3 {first second} 2.a5 *",
		"no numbers":               "[White \"Anna\"][Rules \"blitz\"][X \"y\"] {hello you} e3 {first second} a5 *",
		"numbers apart":            "[White \"Anna\"][Rules \"blitz\"][X \"y\"] {hello you} 1. e3 {first second} 2.\na5\n*",
		"numbers of pairs":         "[White \"Anna\"][Rules \"blitz\"][X \"y\"] {hello you} 1. e3 {first second} a5 *",
		"numbers of pairs, twice":  "[White \"Anna\"][Rules \"blitz\"][X \"y\"] {hello you} 1.e3 {first second} 1... a5 *",
		"several comments":         "[White \"Anna\"][Rules \"blitz\"][X \"y\"] {hello}{you} {} 1.e3{first}{\n\tsecond  }2.a5{}*",
		"upper case":               "[White \"Anna\"][Rules \"blitz\"][X \"y\"] {hello you} 1.E3 {first second} 2.A5 *",
		"the start as a position":  "[White \"Anna\"][Rules \"blitz\"][X \"y\"][Position \"" + position.StartText + "\"] {hello you} 1.e3 {first second} 2.a5 *",
		"white space within a tag": "[ White  \"Anna\" ]\n[Rules\t\"blitz\"]\n[X\n\"y\"]\n\n{hello you} 1.e3 {first second} 2.a5 *",
	} {
		t.Run(name, func(t *testing.T) {
			game, err := record.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			var written strings.Builder
			if err := game.Write(&written); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(canonical, written.String()); diff != "" {
				t.Errorf("written (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAward(t *testing.T) {
	p := mustParse(t, "4/W6/wW6/9/W9/2ww1ww2/10/9/B7/B6/BBB1 b 2-0", "standard")
	blitz := mustParse(t, position.StartText, "blitz")
	for _, test := range []struct {
		end    position.Position
		result position.Result
		score  [2]int
	}{
		{p, position.WhiteWins, [2]int{3, 0}},
		{p, position.BlackWins, [2]int{2, 3}},
		{p, position.Draw, [2]int{0, 0}},
		{p, position.Ongoing, [2]int{0, 0}},
		{blitz, position.WhiteWins, [2]int{1, 0}},
		{blitz, position.BlackWins, [2]int{0, 1}},
	} {
		game := record.New(test.end)
		game.Award(&test.end, test.result, "time forfeit")
		if game.Score != test.score || game.Result() != test.result || game.Tag("Termination") != "time forfeit" {
			t.Errorf("%s: score %v, %s, want %v", test.result, game.Score, game.Result(), test.score)
		}
		back := writeAndRead(t, game)
		if diff := cmp.Diff(game, back); diff != "" {
			t.Errorf("%s: read back (-want +got):\n%s", test.result, diff)
		}
	}
}

// TestRecordInputFails checks that an error of the input is returned unchanged.
func TestRecordInputFails(t *testing.T) {
	broken := errors.New("the disk is gone")
	input := io.MultiReader(strings.NewReader("[White \"Anna\"]\n1.e3 2."), failing{broken})
	reader := record.NewReader(input)
	for range 2 {
		if _, err := reader.Read(); !errors.Is(err, broken) {
			t.Errorf("the error is %v", err)
		}
	}
	if _, err := record.NewReader(strings.NewReader(" \n")).Read(); err != io.EOF {
		t.Errorf("of no records the first is %v", err)
	}
	game, err := record.Parse("*")
	if err != nil {
		t.Fatal(err)
	}
	if err := game.Write(failing{broken}); !errors.Is(err, broken) {
		t.Errorf("writing ends with %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error)  { return 0, f.err }
func (f failing) Write([]byte) (int, error) { return 0, f.err }

// A gameVector is a whole game from package position's test data.
type gameVector struct {
	name   string // file and line
	rules  string
	result string // "white", "black", "draw" or "ongoing"
	turns  []string
}

// gameVectors reads the games played by a program and by people. Lines have fields
// separated by bars; the first of four fields is the rules.
func gameVectors(t *testing.T) []gameVector {
	t.Helper()
	var vectors []gameVector
	for _, file := range []string{"games.txt", "human.txt"} {
		text, err := os.ReadFile("../testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
				continue
			}
			fields := strings.Split(line, "|")
			rules := "standard"
			if len(fields) == 4 {
				rules, fields = strings.TrimSpace(fields[0]), fields[1:]
			}
			if len(fields) != 3 {
				t.Fatalf("%s:%d: %d fields", file, i+1, len(fields))
			}
			result := strings.Replace(strings.TrimSpace(fields[0]), "unfinished", "ongoing", 1)
			vectors = append(vectors, gameVector{fmt.Sprintf("%s:%d", file, i+1), rules, result, strings.Fields(fields[2])})
		}
	}
	return vectors
}

// TestGamesAsRecords checks that every game of the vectors survives the round trip
// through a record.
func TestGamesAsRecords(t *testing.T) {
	var all strings.Builder
	var records []record.Game
	for i, vector := range gameVectors(t) {
		game := recordOf(t, vector)
		game.SetTag("Event", fmt.Sprint("game ", i))
		game.SetTag("Black", "somebody")
		back := writeAndRead(t, game)
		if got := back.Result().String(); got != vector.result {
			t.Errorf("%s: %s, want %s", vector.name, got, vector.result)
		}
		if err := game.Write(&all); err != nil {
			t.Fatal(err)
		}
		records = append(records, back)
	}
	got, err := record.NewReader(strings.NewReader(all.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(records, got); diff != "" {
		t.Errorf("one after another they differ:\n%s", diff)
	}
}

func recordOf(t *testing.T, vector gameVector) record.Game {
	t.Helper()
	p := mustParse(t, position.StartText, vector.rules)
	game := record.New(p)
	for i, word := range vector.turns {
		turn, err := p.ParseTurn(word)
		if err != nil {
			t.Fatal(err)
		}
		comment := ""
		if i%5 == 0 {
			comment = fmt.Sprintf("+0.%d/%d 1.5s", i, i+3)
		}
		game.Add(turn, comment)
		p = p.After(turn)
	}
	game.Close(&p)
	return game
}

// writeAndRead checks that a record survives two round trips through its text.
func writeAndRead(t *testing.T, game record.Game) record.Game {
	t.Helper()
	var first, second strings.Builder
	if err := game.Write(&first); err != nil {
		t.Fatal(err)
	}
	back, err := record.Parse(first.String())
	if err != nil {
		t.Fatalf("%v in\n%s", err, first.String())
	}
	if err := back.Write(&second); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first.String(), second.String()); diff != "" {
		t.Fatalf("written again it differs:\n%s", diff)
	}
	for _, line := range strings.Split(first.String(), "\n") {
		if len(line) > 80 && line[0] != '[' {
			t.Errorf("a line of %d bytes: %s", len(line), line)
		}
	}
	return back
}

// TestReplay replays games step by step, and checks that illegal steps change nothing.
func TestReplay(t *testing.T) {
	for _, vector := range gameVectors(t) {
		game := recordOf(t, vector)
		r := record.NewReplay(game.Start)
		for i, recorded := range game.Turns {
			want, side := recorded.Turn, r.Now().SideToMove()
			after := r.Now().After(want)
			steps := want.Steps()
			for n, step := range steps {
				if _, _, err := r.Do(side.Opponent(), step); err == nil {
					t.Errorf("turn %d: a step of the other side is accepted", i+1)
				}
				if _, _, err := r.Do(side, position.Step{Kind: position.StepPass}); err == nil && step.Kind != position.StepPass {
					t.Errorf("turn %d: a pass is accepted", i+1)
				}
				got, complete, err := r.Do(side, step)
				last := n == len(steps)-1
				if err != nil || complete != last || r.InTurn() == last || last && got != want {
					t.Fatalf("turn %d, %v: %v, %t, %v", i+1, want, got, complete, err)
				}
			}
			if !r.Now().Equal(after) {
				t.Errorf("turn %d leads to %v", i+1, r.Now())
			}
		}
	}
}

// mustParse parses a position that must be valid.
func mustParse(t testing.TB, text, rules string) position.Position {
	t.Helper()
	r, err := position.ParseRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	p, err := position.Parse(text, r)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

// TestRecordsRejected reads texts that are not records, and checks the line, the code and the values
// of the fault.
func TestRecordsRejected(t *testing.T) {
	over := "[Position \"W2B/4W1B/2wwbww1/4b4/2bbwbb3/9/10/9/8/7/W2B w 2-2\"]\n1.b5-f5;xc3-c7xf5 "
	for _, test := range []struct {
		name, text, want string
	}{
		{"nothing", "", "0 no-game"},
		{"only white space", " \n\t\n", "0 no-game"},
		{"only tags", "[White \"Anna\"]\n[Black \"Ben\"]\n", "3 no-result"},
		{"another text", "# Gyre\n\n[![a](b)](c)\n", "1 no-game"},
		{"another text after tags", "[White \"Anna\"]\nGyre 5 *", "2 not-a-turn part=Gyre"},
		{"no result", "1.e3\n2.a5\n", "3 no-result"},
		{"two records", "1.e3 *\n2.a5 *", "2: more than one record"},
		{"a tag in the middle", "1.e3\n[White \"Anna\"]\n2.a5 *", "2 tag-inside"},
		{"a tag without a value", "\n[White]\n*", "2 bad-tag"},
		{"a tag without a name", "[\"Anna\"] *", "1 bad-tag"},
		{"a tag's name with a sign", "[Wh-ite \"Anna\"] *", "1 bad-tag"},
		{"a tag that is open", "[White \"Anna\" *", "1 bad-tag"},
		{"a value that is open", "[White \"Anna] *", "1 bad-tag"},
		{"a value with an unknown escape", `[White "An\na"] *`, "1 bad-tag"},
		{"a value of two lines", "[White \"An\nna\"] *", "1 not-text"},
		{"the same tag twice", "[White \"Anna\"]\n[White \"Anna\"]\n*", "2 duplicate-tag"},
		{"two results in tags", "[Result \"*\"]\n[Result \"*\"]\n*", "2 duplicate-tag"},
		{"too many tags", manyTags(1000) + "*", "201 too-long"},
		{"unknown rules", "\n\n[Rules \"chess\"]\n*", "3 bad-rules"},
		{"a position that is none", "[Rules \"blitz\"]\n[Position \"4 w 0-0\"]\n*", "2 column-count count=1 wanted=11"},
		{"a position of other rules", "[Rules \"blitz\"][Position \"4/W6/wW6/9/W9/2ww1ww2/10/9/B7/B6/BBB1 b 2-0\"] *", "1 bad-removed most=1"},
		{"a comment that is open", "1.e3\n{and\nso on\n", "2 open-comment"},
		{"a comment with a bell", "1.e3\n{\a} *", "2 not-text"},
		{"a comment too long", "{" + strings.Repeat("long ", 1<<14) + "} *", "1 too-long"},
		{"comments too long together", strings.Repeat("{long long long}", 1<<12) + " *", "1 too-long"},
		{"a wrong number", "1.e3 3.a5 *", "1 turn-number number=2"},
		{"numbers of two kinds", "1.e3 1.a5 3.a2 *", "1 turn-number number=3"},
		{"a turn that ends in a semicolon", "1.e3; *", "1 not-a-turn part=*"},
		{"a turn of many parts", "1.e3" + strings.Repeat(" ; e3", 100) + " *", "1 too-long"},
		{"an illegal turn before an open comment", "1.e3 2.e3 {", "1 not-vacant point=e3"},
		{"black's number for white", "[Position \"" + position.StartText + "\"]\n2.e3 *", "2 turn-number number=1"},
		{"an illegal turn", "1.e3\n2.e3 *", "2 not-vacant point=e3"},
		{"no turn", "1.e3 2.e4+ *", "1 not-a-turn part=e4+"},
		{"a word too long", "1.e3 " + strings.Repeat("x", 10000), "1 too-long"},
		{"a turn after the end", over + "2.b7-b6 3-2", "2 game-over"},
		{"a result that differs from the board's", over + "3-1", "2 wrong-result"},
		{"no result, but the game is over", over + "*", "2 wrong-result"},
		{"a result that differs from the board's, explained", "[Termination \"time forfeit\"]\n" + over + "2-3", "3 wrong-result"},
		{"a tag with another result", "[Result \"2-3\"]\n" + over + "3-2", "3 other-result"},
		{"a tag without the result", "[Result \"*\"]\n[Termination \"time forfeit\"]\n1.e3 3-0", "3 other-result"},
		{"a result without a reason", "1.e3\n0-3", "2 wrong-result"},
		{"a result with a normal end", "[Termination \"normal\"]\n1.e3 0-3", "2 wrong-result"},
		{"more rings than win", "[Termination \"adjudication\"]\n1.e3 0-4", "2 wrong-result"},
		{"more rings than win in blitz", "[Rules \"blitz\"][Termination \"adjudication\"]\n1.e3 0-2", "2 wrong-result"},
		{"two winners", "[Termination \"adjudication\"]\n1.e3 3-3", "2 wrong-result"},
		{"far too long", "1.e3 " + strings.Repeat(" ", 2<<20) + " *", "1 too-long"},
	} {
		t.Run(test.name, func(t *testing.T) {
			game, err := record.Parse(test.text)
			if err == nil {
				t.Fatalf("accepted as %+v", game)
			}
			checkError(t, err)
			if got := faultOf(err); got != test.want {
				t.Errorf("%s, want %s: %v", got, test.want, err)
			}
		})
	}
}

// faultOf returns the line of an error, its code, and its values by name.
func faultOf(err error) string {
	fault, ok := errors.AsType[*record.Error](err)
	if !ok {
		return fmt.Sprintf("an error without a line: %v", err)
	}
	if fault.Code == "" {
		return fmt.Sprint(fault.Line, ": ", fault.Reason) // no text that people enter has this error
	}
	text := fmt.Sprint(fault.Line, " ", fault.Code)
	for _, name := range slices.Sorted(maps.Keys(fault.Values)) {
		text += fmt.Sprintf(" %s=%s", name, fault.Values[name])
	}
	return text
}

func manyTags(n int) string {
	var text strings.Builder
	for i := range n {
		text.WriteString("[T" + strings.Repeat("x", i%90) + string(rune('a'+i/90)) + " \"\"]\n")
	}
	return text.String()
}

// TestRecordsNotWritten checks that Write rejects records that Read could not read
// back.
func TestRecordsNotWritten(t *testing.T) {
	start := mustParse(t, position.StartText, "standard")
	place, err := start.ParseTurn("f6")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		spoil  func(*record.Game)
		reason string
	}{
		{"an illegal turn", func(r *record.Game) { r.Add(place, "") }, "turn 2"},
		{"no turn", func(r *record.Game) { r.Add(position.None, "") }, "turn 2"},
		{"a closing brace in a comment", func(r *record.Game) { r.Turns[0].Comment = "a } b" }, "brace"},
		{"a comment that is not UTF-8", func(r *record.Game) { r.Comment = "\xff" }, "UTF-8"},
		{"a comment too long", func(r *record.Game) { r.Comment = strings.Repeat("x", 1<<15) }, "comment longer"},
		{"a value of two lines", func(r *record.Game) { r.SetTag("White", "a\nb") }, "control"},
		{"a name with a space", func(r *record.Game) { r.SetTag("Two words", "") }, "name"},
		{"no name", func(r *record.Game) { r.SetTag("", "x") }, "name"},
		{"a tag that a field holds", func(r *record.Game) { r.SetTag("Result", "*") }, "duplicate tag"},
		{"a tag twice", func(r *record.Game) { r.Tags = []record.Tag{{Name: "A"}, {Name: "A"}} }, "duplicate tag"},
		{"too many tags", func(r *record.Game) { r.Tags = make([]record.Tag, 1000) }, "tags"},
		{"too long", func(r *record.Game) { r.SetTag("A", strings.Repeat("x", 2<<20)) }, "longer than"},
		{"a result without a reason", func(r *record.Game) { r.Finished = true }, "Termination"},
		{"rings below none", func(r *record.Game) { r.Award(&start, position.Draw, "x"); r.Score[0] = -1 }, "-1 rings"},
	} {
		t.Run(test.name, func(t *testing.T) {
			game := record.New(start)
			game.Add(place, "")
			test.spoil(&game)
			var written strings.Builder
			err := game.Write(&written)
			if err == nil || written.Len() > 0 {
				t.Fatalf("written, with error %v:\n%.1000s", err, written.String())
			}
			checkError(t, err, test.reason)
		})
	}
}

// checkError checks that an error is about a record, is not too long, and that its
// reason contains the words.
func checkError(t *testing.T, err error, reason ...string) {
	t.Helper()
	var typed *record.Error
	if !errors.As(err, &typed) || typed.Reason == "" || len(err.Error()) > 1000 {
		t.Fatalf("%T with %d bytes: %.500q", err, len(err.Error()), err)
	}
	for _, words := range reason {
		if !strings.Contains(strings.ReplaceAll(typed.Error(), ", turn", ": turn"), words) {
			t.Errorf("error is %q, without %q", typed, words)
		}
	}
}

// FuzzRead reads any text as records and writes them. The written text must be
// stable.
func FuzzRead(f *testing.F) {
	text, err := os.ReadFile("testdata/records.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, one := range strings.SplitAfter(string(text), "\n\n[") {
		f.Add(strings.TrimSuffix("["+one, "["))
	}
	f.Add(string(text))
	f.Add("[Rules \"blitz\"] {a}{b} 1. e3 2.\na5 *")
	f.Fuzz(func(t *testing.T, text string) {
		reader := record.NewReader(strings.NewReader(text))
		records, err := reader.ReadAll()
		if err != nil {
			checkError(t, err)
			return
		}
		written := writeAll(t, records)
		again, err := record.NewReader(strings.NewReader(written)).ReadAll()
		if err != nil {
			t.Fatalf("%v in what was written:\n%s", err, written)
		}
		if diff := cmp.Diff(written, writeAll(t, again)); diff != "" {
			t.Fatalf("written again it differs:\n%s", diff)
		}
	})
}

func writeAll(t *testing.T, records []record.Game) string {
	t.Helper()
	var text strings.Builder
	for i := range records {
		if err := records[i].Write(&text); err != nil {
			t.Fatalf("record %d was read and cannot be written: %v", i, err)
		}
	}
	return text.String()
}

// TestOddFiles reads records in the forms in which files come.
func TestOddFiles(t *testing.T) {
	plaintexttest.Run(t, "[White \""+plaintexttest.Name+"\"]\n\n1.e3 {a\ncomment} 2.a5 *\n", func(content string) (string, error) {
		game, err := record.Parse(content)
		if err != nil {
			return "", err
		}
		var text strings.Builder
		err = game.Write(&text)
		return text.String(), err
	})
}
