package record_test

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/position/record"
)

// The file is canonical: what is read from it is written as it stands there.
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

// What the records of the file say.
func TestRecordsSayWhatTheyHold(t *testing.T) {
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

// An error of the input is told as it is.
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
