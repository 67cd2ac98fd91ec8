package match

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/journal"
)

// TestRefusedMatches checks what Run does not begin, or does not go on with.
func TestRefusedMatches(t *testing.T) {
	t.Parallel()
	good := func() *Match { return testMatch(t, 1, 1, enginetest.Good, enginetest.Good) }
	line := func(number, white, black int, result string) string {
		const form = `{"match":"test","game":%d,"white":"good%d","black":"good%d","result":%q,"reason":"adjudicated draw","rules":"standard"}`
		return string(journal.AppendChecked(nil, fmt.Appendf(nil, form, number, white, black, result)))
	}
	first := line(0, 0, 1, "draw")
	for _, test := range []struct {
		name  string
		spoil func(*Match)
		text  string
		want  string
	}{
		{"two of a name", func(m *Match) { m.Engines[1].Name = "good0" }, "", "two of that name"},
		{"no name", func(m *Match) { m.Engines[1].Name = "" }, "", "no name"},
		{"no limits", func(m *Match) { m.Engines[1].Limits = game.Limits{} }, "", "no limit"},
		{"no games", func(m *Match) { m.Schedule.Rounds = 0 }, "", "no games"},
		{"too many games", func(m *Match) { m.Schedule.Rounds = 1 << 40 }, "", "more than"},
		{"no workers", func(m *Match) { m.Concurrency = 0 }, "", "concurrency 0"},
		{"an opening that fails", func(m *Match) { m.Openings = noOpenings{} }, "", "round 1: none left"},
		{"no such option", func(m *Match) { m.Engines[0].Settings = []game.Setting{{Name: "x", Value: "y"}} }, "", `no such option`},
		{"another match", func(m *Match) { m.ID = "other" }, first, ":1: game 0 is of another match"},
		{"a game too many", nil, line(2, 0, 1, "draw"), ":1: game 2: the match has only 2 games"},
		{"a game twice", nil, first + first, ":2: game 0 is there twice"},
		{"the wrong sides", nil, line(0, 1, 0, "draw"), ":1: game 0: good1 against good0"},
		{"damage inside", nil, "{\n" + first, ":1: "},
		{"no result", nil, line(0, 0, 1, "won"), `result "won"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, files := good(), testFiles(t)
			if test.spoil != nil {
				test.spoil(m)
			}
			if err := os.WriteFile(files.Lines, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := m.Run(context.Background(), files, &listener{})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v", err)
			}
			if text, _ := os.ReadFile(files.Lines); string(text) != test.text {
				t.Errorf("the file is now %q", text)
			}
		})
	}
}

// noOpenings has none.
type noOpenings struct{}

func (noOpenings) Opening(int) (game.Opening, error) { return game.Opening{}, errors.New("none left") }
