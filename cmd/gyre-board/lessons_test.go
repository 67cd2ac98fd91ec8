package main

import (
	"encoding/json"
	"io/fs"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// lesson is a lesson of the tutorial, as its file has it.
type lesson struct {
	Title, Say, Hint, Done, Again, Goal string
	Accept                              []string
	Start, Turn                         string
}

// lessons returns the lessons of the tutorial.
func lessons(t *testing.T) (all []lesson) {
	t.Helper()
	text, err := fs.ReadFile(page(), "parts/tutorial/lessons.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// reaches tells whether a turn does what a lesson asks for, by the rules.
func (l *lesson) reaches(p *position.Position, turn position.Turn) bool {
	var after position.Position
	p.Play(&after, turn)
	switch l.Goal {
	case "place":
		return turn.Kind() == position.Place
	case "move":
		return turn.Kind() == position.Move
	case "flip":
		return p.Flipped(turn).Count() >= 2
	case "row":
		return turn.Removals() > 0
	case "stop":
		return !after.HasRow(position.Black) && len(after.Completions(position.Black, nil)) == 0
	case "win":
		return after.Result() == position.WhiteWins
	}
	return false
}

// TestLessons checks the tutorial by the rules: its positions can stand, the turn that is
// shown does what is asked for, others do not where a word for that is needed, and the turns
// that are told to stop Black are those that do.
func TestLessons(t *testing.T) {
	all := lessons(t)
	if len(all) < 6 || len(all) > 8 {
		t.Errorf("there are %d lessons", len(all))
	}
	for _, l := range all {
		t.Run(l.Title, func(t *testing.T) {
			p, err := position.Parse(l.Start, position.Standard)
			if err != nil {
				t.Fatal(err)
			}
			turn, err := p.ParseTurn(l.Turn)
			if err != nil {
				t.Fatal(err)
			}
			if !l.reaches(&p, turn) {
				t.Errorf("%v does not do it", turn)
			}
			missed := false
			var stops []string
			for _, turn := range p.Turns(nil) {
				reached := l.reaches(&p, turn)
				missed = missed || !reached
				if l.Goal == "stop" && reached {
					stops = append(stops, turn.String())
				}
			}
			if missed != (l.Again != "") {
				t.Errorf("some turns miss: %t, and then it says %q", missed, l.Again)
			}
			slices.Sort(l.Accept)
			if diff := cmp.Diff(slices.Sorted(slices.Values(stops)), l.Accept); diff != "" && l.Goal == "stop" {
				t.Errorf("turns that stop Black (-are +told):\n%s", diff)
			}
			if l.Say == "" || l.Hint == "" || l.Done == "" {
				t.Error("a text is missing")
			}
		})
	}
}
