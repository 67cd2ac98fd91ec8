package record_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/position/record"
)

// A gameVector is a whole game of package position's test data.
type gameVector struct {
	name   string // file and line
	rules  string
	result string // "white", "black", "draw" or "ongoing"
	turns  []string
}

// gameVectors reads the games by a program and by people. Lines have fields
// between bars; the first is the rules where there are four.
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

// Every game of the vectors can be kept as a record.
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
		var child position.Position
		p.Play(&child, turn)
		p = child
	}
	game.Close(&p)
	return game
}

// writeAndRead takes a record through its text twice.
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

// mustParse reads a position that must be accepted.
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
