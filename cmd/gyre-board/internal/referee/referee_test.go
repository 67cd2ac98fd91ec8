package referee

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A promptCase is a turn in the making and what is asked for next.
type promptCase struct {
	name, path string // a position, or turns from the start
	rules      string
	steps      []Step
	prompt     string
}

func TestPrompts(t *testing.T) {
	const (
		six    = "W3/W6/W7/9/10/1wwwwww2/10/9/8/6B/BBBB w 2-0"
		apart  = "W2B/W5B/1wwwww2/9/W9/9/10/2wwwww2/B7/B6/WW1B w 0-0"
		cross  = "W3/W6/W7/3w5/W3w5/2wwwww2/5w4/5w3/B7/B6/BBB1 w 1-0"
		early  = "W2B/4W1B/2wwbww1/9/10/1wwwww3/B9/9/B7/7/WWWB w 0-0"
		passes = "4/6w/b5ww/1b4bw1/2b3ww2/2w2bb2/3w1bw3/3bbw3/wbbWwbww/2BWbwb/BWB1 w 2-2"
	)
	row := func(first, last string) Step { return Step{Do: DoRow, Row: &[2]string{first, last}} }
	ring := func(from string) Step { return Step{Do: DoRing, From: from} }
	for _, test := range []promptCase{
		{"the first ring", "", "", nil, "White: place a ring (1 of 5)."},
		{"a later ring", "f6 e5 a2", "", nil, "Black: place a ring (2 of 5)."},
		{"a ring placed", "f6", "", []Step{{Do: DoPlace, To: "e5"}}, "Black: the turn is complete."},
		{"six in a row", six, "", nil, "White: Black's turn completed your row: choose the five to take off before you move."},
		{"the ring for it", six, "", []Step{row("f3", "f7")}, "White: now take one of your rings off."},
		{"the third ring", six, "", []Step{row("f7", "f3"), ring("a2")}, "White wins, 3 to 0."},
		{"two rows apart", apart, "", nil, "White: Black's turn completed your rows: take one off before you move (1 of 2)."},
		{"the second of two rows", apart, "", []Step{row("c2", "c6"), ring("a2")}, "White: take a row off (2 of 2)."},
		{"two rows that cross", cross, "", nil, "White: Black's turn completed your row: choose the five to take off before you move."},
		{"one row", early, "", nil, "White: Black's turn completed your row: take it off before you move."},
		{"the ring move after it", early, "", []Step{row("f3", "f7"), ring("k7")}, "White: move one of your rings."},
		{"a row made in the turn", early, "", []Step{row("f3", "f7"), ring("k7"), {Do: DoMove, From: "b5", To: "d5"}}, "White: take your row off."},
		{"a pass", passes, "", nil, "White: none of your rings can move, so you pass."},
		{"a game that is over", "W2B/4w1B/8/4w4/2bbbbb3/9/10/9/8/7/W2B b 3-2", "", nil, "White wins, 3 to 2."},
		{"a blitz game won", "W3/W6/W7/W8/W9/1wwwww3/10/9/8/6B/BBBB w 0-0", "blitz", []Step{row("f3", "f7"), ring("a2")}, "White wins, 1 to 0."},
		{"a draw", "2bw/4bbw/5www/bbwwwbbbB/wwbwbwwWWB/bbwwbbwBW/6wwbw/5bbbw/4wwb1/3wbw1/1bwb w 2-2", "", nil, "A draw, 2 to 2."},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := Path{Rules: test.rules, Turns: strings.Fields(test.path)}
			if strings.Contains(test.path, "/") {
				path.Start, path.Turns = test.path, nil
			}
			next, err := read(t, path).Steps(test.steps)
			if err != nil {
				t.Fatal(err)
			}
			if next.Prompt != test.prompt {
				t.Errorf("asks %q, want %q", next.Prompt, test.prompt)
			}
		})
	}
}

// TestARowOfARun looks at all that the page is told while a run of six is taken
// off.
func TestARowOfARun(t *testing.T) {
	line := read(t, Path{Start: "W3/W6/W7/9/10/1wwwwww2/10/9/8/6B/BBBB w 2-0"})
	next, err := line.Steps(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []Step{
		{Do: DoRow, Row: &[2]string{"f3", "f7"}, Points: []string{"f3", "f4", "f5", "f6", "f7"}},
		{Do: DoRow, Row: &[2]string{"f4", "f8"}, Points: []string{"f4", "f5", "f6", "f7", "f8"}},
	}
	if diff := cmp.Diff(want, next.Steps); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([][2]string{{"f3", "f7"}, {"f4", "f8"}}, next.View.Rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	next, err = line.Steps(next.Steps[1:])
	if err != nil || next.Taking == nil || *next.Taking != [2]string{"f4", "f8"} {
		t.Errorf("takes %v, %v", next.Taking, err)
	}
	if diff := cmp.Diff([]Step{{Do: DoRing, From: "a2"}, {Do: DoRing, From: "b1"}, {Do: DoRing, From: "c1"}}, next.Steps); diff != "" {
		t.Errorf("rings (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"row f4 to f8"}, next.Strip); diff != "" {
		t.Errorf("strip (-want +got):\n%s", diff)
	}
}

// TestFlipsAreInOrder looks at the markers that a move flips, both ways.
func TestFlipsAreInOrder(t *testing.T) {
	line := read(t, Path{Start: "W2B/6B/8/9/10/1Wwwbw1b1/10/9/B7/B6/WWWB w 0-0"})
	next, err := line.Steps(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range next.Steps {
		if step.From == "f3" && step.To == "f8" {
			if diff := cmp.Diff([]string{"f4", "f5", "f6", "f7"}, step.Flips); diff != "" {
				t.Error(diff)
			}
			return
		}
	}
	t.Error("f3 cannot move to f8")
}

// TestSentences puts turns into words.
func TestSentences(t *testing.T) {
	const early = "W2B/4W1B/2wwbww1/9/10/1wwwww3/B9/9/B7/7/WWWB w 0-0"
	for _, test := range []struct{ start, turn, words string }{
		{"", "f6", "White places a ring on f6."},
		{early, "xf3-f7xk7;b5-d5;xc3-c7xk8", "White takes the row f3 to f7 and the ring at k7, moves b5 to d5, flips one marker, takes the row c3 to c7 and the ring at k8."},
		{"W2B/6B/8/9/10/1Wwwbw1b1/10/9/B7/B6/WWWB w 0-0", "f3-f8", "White moves f3 to f8, flips four markers."},
		{"W3/W6/W7/9/10/1wwwwww2/10/9/8/6B/BBBB w 2-0", "xf3-f7xa2", "White takes the row f3 to f7 and the ring at a2. White wins, 3 to 0."},
		{"4/6w/b5ww/1b4bw1/2b3ww2/2w2bb2/3w1bw3/3bbw3/wbbWwbww/2BWbwb/BWB1 w 2-2", "pass", "White passes, as no ring can move."},
	} {
		game := read(t, Path{Start: test.start, Turns: []string{test.turn}}).Game()
		if got := game.Turns[0].Words; got != test.words {
			t.Errorf("%s: %q, want %q", test.turn, got, test.words)
		}
	}
}
