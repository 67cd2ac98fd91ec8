package engine

import (
	"context"
	"testing"

	"gyre/position"
	"gyre/protocol"
)

// TestLimitStrength checks that the rating reaches the search, before the level of skill,
// that games differ at it, and that it counts for nothing until it is asked for.
func TestLimitStrength(t *testing.T) {
	root := position.Start(position.Standard)
	choose := func(games int, settings ...string) position.Turn {
		e := small(t)
		for i := 0; i < len(settings); i += 2 {
			if err := option(t, e, settings[i]).Set(settings[i+1]); err != nil {
				t.Fatal(err)
			}
		}
		for range games {
			e.NewGame()
		}
		best, _ := e.Search(context.Background(), root, protocol.Limits{Nodes: 300, HasNodes: true}, nil, func(protocol.Info) {})
		if !root.Legal(best) {
			t.Fatalf("%v: %v is not legal", settings, best)
		}
		return best
	}
	full := choose(0)
	different := map[position.Turn]bool{}
	for games := range 8 {
		if got := choose(games, "UCI_Elo", "0"); got != full {
			t.Errorf("game %d: %v with a rating that is not asked for, %v without", games, got, full)
		}
		if got := choose(games, "UCI_Elo", "3000", "UCI_LimitStrength", "true", "Skill", "0"); got != full {
			t.Errorf("game %d: %v at the highest rating, %v without one", games, got, full)
		}
		different[choose(games, "UCI_Elo", "0", "UCI_LimitStrength", "true")] = true
	}
	if len(different) == 1 {
		t.Error("eight games at the lowest rating begin with one turn")
	}
}
