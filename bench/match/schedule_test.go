package match

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSchedules checks for all games that each pair has both colours and each
// round every pairing.
func TestSchedules(t *testing.T) {
	for name, s := range map[string]Schedule{
		"two": RoundRobin(2, 3), "round-robin": RoundRobin(4, 2), "gauntlet": Gauntlet(4, 2),
		"some go on": {Pairings: Gauntlet(4, 2).Pairings, Rounds: 2, Some: []int{2, 0}, More: 3},
	} {
		if err := s.Check(4); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		counts := map[[3]int]int{} // by round and sides
		for n := range s.Games() {
			g := s.Game(n)
			if other := s.Game(n ^ 1); other.Sides != [2]int{g.Sides[1], g.Sides[0]} || other.Round != g.Round || other.Pair != g.Pair {
				t.Errorf("%s: %+v and %+v are no pair", name, g, other)
			}
			counts[[3]int{g.Round, g.Sides[0], g.Sides[1]}]++
		}
		if len(counts) != s.Games() {
			t.Errorf("%s: %d different games of %d", name, len(counts), s.Games())
		}
	}
	if diff := cmp.Diff([][2]int{{0, 1}, {0, 2}, {1, 2}}, RoundRobin(3, 1).Pairings); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][2]int{{0, 1}, {0, 2}}, Gauntlet(3, 1).Pairings); diff != "" {
		t.Error(diff)
	}
	if RoundRobin(2, 1).Check(1) == nil {
		t.Error("one engine plays alone")
	}
	if (Schedule{Pairings: RoundRobin(2, 1).Pairings, Rounds: 1, Some: []int{1}, More: 1}).Check(2) == nil {
		t.Error("a pairing that there is not goes on")
	}
}
