package match

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/game"
)

// TestClaims announces wins in a game of five turns after an opening of three, in which
// black makes the first of them, the third and the last, and wins.
func TestClaims(t *testing.T) {
	for name, test := range map[string]struct {
		turn, mate int
		result     string
		reason     game.Reason
		white      Claims
		black      Claims
	}{
		"in time":                   {2, 3, "black", game.RingsRemoved, Claims{}, Claims{Mates: 1}},
		"sooner than announced":     {2, 9, "black", game.RingsRemoved, Claims{}, Claims{Mates: 1}},
		"a turn too late":           {2, 2, "black", game.RingsRemoved, Claims{}, Claims{Mates: 1, WrongMates: 1}},
		"the other wins":            {2, 3, "white", game.RingsRemoved, Claims{}, Claims{Mates: 1, WrongMates: 1}},
		"a draw":                    {2, 3, "draw", game.PoolEmpty, Claims{}, Claims{Mates: 1, WrongMates: 1}},
		"of white":                  {1, 4, "black", game.RingsRemoved, Claims{Mates: 1, WrongMates: 1}, Claims{}},
		"adjudicated before":        {2, 5, "black", game.AdjudicatedWin, Claims{}, Claims{}},
		"adjudicated, and overdue":  {2, 1, "black", game.AdjudicatedWin, Claims{}, Claims{Mates: 1, WrongMates: 1}},
		"the opponent died before":  {2, 5, "black", game.Disconnect, Claims{}, Claims{}},
		"its own loss":              {1, -4, "white", game.RingsRemoved, Claims{}, Claims{}},
		"the end that is there":     {4, 0, "black", game.RingsRemoved, Claims{}, Claims{}},
		"with the turn that wins":   {4, 1, "black", game.RingsRemoved, Claims{}, Claims{Mates: 1}},
		"of white, with a win in 1": {3, 1, "white", game.RingsRemoved, Claims{Mates: 1, WrongMates: 1}, Claims{}},
	} {
		l := &Line{Result: test.result, Reason: test.reason, Rules: "standard", Opening: []string{"e3", "f6", "a2"}, Turns: make([]TurnLine, 5)}
		l.Turns[test.turn].Mate = &test.mate
		if diff := cmp.Diff([2]Claims{test.white, test.black}, l.Claims()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
