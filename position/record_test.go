package position_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// The file is canonical: what is read from it is written as it stands there.
func TestRecordsAreWrittenAsRead(t *testing.T) {
	text, err := os.ReadFile("testdata/records.txt")
	if err != nil {
		t.Fatal(err)
	}
	records, err := position.NewRecordReader(strings.NewReader(string(text))).ReadAll()
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

// What the records of the file say.
func TestRecordsSayWhatTheyHold(t *testing.T) {
	file, err := os.Open("testdata/records.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := position.NewRecordReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	type summary struct {
		White, Termination, Rules, Result string
		Score                             [2]int
		Turns, Comments                   int
	}
	var got []summary
	for _, record := range records {
		s := summary{
			record.Tag("White"), record.Tag("Termination"), record.Start.Rules().String(), record.Result().String(),
			record.Score, len(record.Turns), 0,
		}
		for _, recorded := range record.Turns {
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

// Every game of the vectors can be kept as a record.
func TestGamesAsRecords(t *testing.T) {
	var all strings.Builder
	var records []position.Record
	for i, vector := range append(gameVectors(t), humanVectors(t)...) {
		record := recordOf(t, vector)
		record.SetTag("Event", fmt.Sprint("game ", i))
		record.SetTag("Black", "somebody")
		back := writeAndRead(t, record)
		if got := back.Result().String(); got != strings.Replace(vector.result, "unfinished", "ongoing", 1) {
			t.Errorf("line %d: %s, want %s", vector.line, got, vector.result)
		}
		if err := record.Write(&all); err != nil {
			t.Fatal(err)
		}
		records = append(records, back)
	}
	got, err := position.NewRecordReader(strings.NewReader(all.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(records, got); diff != "" {
		t.Errorf("one after another they differ:\n%s", diff)
	}
}

func recordOf(t *testing.T, vector gameVector) position.Record {
	t.Helper()
	p := mustParse(t, startText, vector.rules)
	record := position.NewRecord(p)
	for i, word := range vector.turns {
		turn, err := p.ParseTurn(word)
		if err != nil {
			t.Fatal(err)
		}
		comment := ""
		if i%5 == 0 {
			comment = fmt.Sprintf("+0.%d/%d 1.5s", i, i+3)
		}
		record.Add(turn, comment)
		var child position.Position
		p.Play(&child, turn)
		p = child
	}
	record.Close(&p)
	return record
}

// writeAndRead takes a record through its text twice.
func writeAndRead(t *testing.T, record position.Record) position.Record {
	t.Helper()
	var first, second strings.Builder
	if err := record.Write(&first); err != nil {
		t.Fatal(err)
	}
	back, err := position.ParseRecord(first.String())
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

// A reader takes what is not canonical too.
func TestRecordsReadLeniently(t *testing.T) {
	const canonical = "[White \"Anna\"]\n[Result \"*\"]\n[Rules \"blitz\"]\n[X \"y\"]\n\n{hello you} 1.e3 {first second} 2.a5 *\n\n"
	for name, text := range map[string]string{
		"as it is written":         canonical,
		"line ends of two bytes":   strings.ReplaceAll(canonical, "\n", "\r\n"),
		"no line end":              strings.TrimSpace(canonical),
		"tags in another order":    "[X \"y\"] [Rules \"blitz\"] [White \"Anna\"]\n{hello you} 1.e3 {first second} 2.a5 *",
		"no numbers":               "[White \"Anna\"][Rules \"blitz\"][X \"y\"] {hello you} e3 {first second} a5 *",
		"numbers apart":            "[White \"Anna\"][Rules \"blitz\"][X \"y\"] {hello you} 1. e3 {first second} 2.\na5\n*",
		"several comments":         "[White \"Anna\"][Rules \"blitz\"][X \"y\"] {hello}{you} {} 1.e3{first}{\n\tsecond  }2.a5{}*",
		"upper case":               "[White \"Anna\"][Rules \"blitz\"][X \"y\"] {hello you} 1.E3 {first second} 2.A5 *",
		"the start as a position":  "[White \"Anna\"][Rules \"blitz\"][X \"y\"][Position \"" + startText + "\"] {hello you} 1.e3 {first second} 2.a5 *",
		"white space within a tag": "[ White  \"Anna\" ]\n[Rules\t\"blitz\"]\n[X\n\"y\"]\n\n{hello you} 1.e3 {first second} 2.a5 *",
	} {
		t.Run(name, func(t *testing.T) {
			record, err := position.ParseRecord(text)
			if err != nil {
				t.Fatal(err)
			}
			var written strings.Builder
			if err := record.Write(&written); err != nil {
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
	blitz := mustParse(t, startText, "blitz")
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
		record := position.NewRecord(test.end)
		record.Award(&test.end, test.result, "time forfeit")
		if record.Score != test.score || record.Result() != test.result || record.Tag("Termination") != "time forfeit" {
			t.Errorf("%s: score %v, %s, want %v", test.result, record.Score, record.Result(), test.score)
		}
		back := writeAndRead(t, record)
		if diff := cmp.Diff(record, back); diff != "" {
			t.Errorf("%s: read back (-want +got):\n%s", test.result, diff)
		}
	}
}

// An error of the input is told as it is.
func TestRecordInputFails(t *testing.T) {
	broken := errors.New("the disk is gone")
	input := io.MultiReader(strings.NewReader("[White \"Anna\"]\n1.e3 2."), failing{broken})
	reader := position.NewRecordReader(input)
	for range 2 {
		if _, err := reader.Read(); !errors.Is(err, broken) {
			t.Errorf("the error is %v", err)
		}
	}
	if _, err := position.NewRecordReader(strings.NewReader(" \n")).Read(); err != io.EOF {
		t.Errorf("of no records the first is %v", err)
	}
	record, err := position.ParseRecord("*")
	if err != nil {
		t.Fatal(err)
	}
	if err := record.Write(failing{broken}); !errors.Is(err, broken) {
		t.Errorf("writing ends with %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error)  { return 0, f.err }
func (f failing) Write([]byte) (int, error) { return 0, f.err }
