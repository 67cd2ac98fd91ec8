package search

import "testing"

// TestRatingsAscend checks that a higher rating is never played with more chance or fewer
// nodes, that ratings beyond the bounds count as these, and that the tables meet.
func TestRatingsAscend(t *testing.T) {
	last := effortOf(LeastElo)
	if last.nodes != 0 || last.noise < 100*2*mostCounted {
		t.Errorf("the least rating is played with %+v", last)
	}
	for elo := LeastElo; elo <= MostElo; elo++ {
		now := effortOf(elo)
		if now.nodes < last.nodes || now.noise > last.noise || now.nodes > 0 && now.noise > 0 {
			t.Fatalf("Elo %d is played with %+v, %d with %+v", elo, now, elo-1, last)
		}
		last = now
	}
	if effortOf(-5) != effortOf(LeastElo) || effortOf(9999) != effortOf(MostElo) {
		t.Error("ratings beyond the bounds are others than these")
	}
	if noises[len(noises)-1] != (milestone{nodeCounts[0].elo, 0}) {
		t.Errorf("chance ends at %+v, nodes begin at %+v", noises[len(noises)-1], nodeCounts[0])
	}
}
