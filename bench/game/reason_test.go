package game

import (
	"testing"

	"gyre/position"
	"gyre/protocol"
)

// TestAdjudication feeds scores, each from the view of the side that makes the turn,
// White first, and checks in which turn the game ends.
func TestAdjudication(t *testing.T) {
	rules := Adjudication{WinTurns: 2, WinScore: 300, DrawTurns: 1, DrawScore: 10, DrawFrom: 5}
	const none = 1 << 20
	score := func(cp int) Ply { return Ply{HasScore: cp != none, Score: protocol.Score{Value: cp}} }
	mate := func(plies int) Ply { return Ply{HasScore: true, Score: protocol.Score{Mate: true, Value: plies}} }
	for _, test := range []struct {
		name   string
		plies  []Ply
		turn   int // 0: never
		result position.Result
	}{
		{"white is ahead", []Ply{score(300), score(-300), score(400), score(-301), score(0)}, 4, position.WhiteWins},
		{"black is ahead", []Ply{score(-300), score(300), score(-400), score(500)}, 4, position.BlackWins},
		{"one turn too few", []Ply{score(299), score(-300), score(400), score(-301)}, 0, position.Ongoing},
		{"scores disagree", []Ply{score(300), score(300), score(300), score(300), score(300)}, 0, position.Ongoing},
		{"a missing score", []Ply{score(300), score(-300), score(none), score(-300), score(300)}, 0, position.Ongoing},
		{"a mate score", []Ply{mate(5), mate(-4), score(300), mate(0), score(0)}, 4, position.WhiteWins},
		{"a draw", []Ply{score(0), score(10), score(-10), score(5), score(5)}, 5, position.Draw},
		{"a mate score is not a draw", []Ply{score(0), score(0), mate(1), score(0), mate(-1)}, 0, position.Ongoing},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := agreement{rules: rules}
			turn, result := 0, position.Ongoing
			for i := range test.plies {
				r, reason := a.update(position.Side(i%2), &test.plies[i], i+1)
				if r != position.Ongoing {
					turn, result = i+1, r
					if !reason.Adjudicated() {
						t.Errorf("reason %v", reason)
					}
					break
				}
			}
			if turn != test.turn || result != test.result {
				t.Errorf("%v in turn %d, want %v in turn %d", result, turn, test.result, test.turn)
			}
		})
	}
	limited := agreement{rules: Adjudication{MaxTurns: 3}}
	for number, want := range []Reason{Unfinished, Unfinished, TurnLimit} {
		if r, reason := limited.update(position.Side(number%2), &Ply{}, number+1); reason != want || (r == position.Draw) != (want == TurnLimit) {
			t.Errorf("turn %d of 3: %v by %v, want %v", number+1, r, reason, want)
		}
	}
	off := agreement{}
	for i := range 200 {
		if r, _ := off.update(position.Side(i%2), &Ply{HasScore: true}, i+1); r != position.Ongoing {
			t.Fatal("adjudicated when off")
		}
	}
}

func TestReasonTexts(t *testing.T) {
	for _, r := range append(Reasons(), Unfinished) {
		text, _ := r.MarshalText()
		var again Reason
		if err := again.UnmarshalText(text); err != nil || again != r {
			t.Errorf("%v: parsed as %v, %v", r, again, err)
		}
	}
	var r Reason
	if r.UnmarshalText([]byte("boredom")) == nil {
		t.Error("\"boredom\" was accepted")
	}
}
