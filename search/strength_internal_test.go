package search

import (
	"math/rand/v2"
	"testing"
)

// TestRatingsAscend checks that a higher rating never has more noise or fewer nodes,
// that ratings are clamped, and that the two tables meet.
func TestRatingsAscend(t *testing.T) {
	last := effortOf(MinElo)
	if last.nodes != 0 || last.noise < 100*2*maxCounted {
		t.Errorf("the lowest rating is played with %+v", last)
	}
	for elo := MinElo; elo <= MaxElo; elo++ {
		now := effortOf(elo)
		if now.nodes < last.nodes || now.noise > last.noise || now.nodes > 0 && now.noise > 0 {
			t.Fatalf("Elo %d is played with %+v, %d with %+v", elo, now, elo-1, last)
		}
		last = now
	}
	if effortOf(-5) != effortOf(MinElo) || effortOf(9999) != effortOf(MaxElo) {
		t.Error("ratings beyond the bounds are others than these")
	}
	if noises[len(noises)-1] != (milestone{nodeCounts[0].elo, 0}) {
		t.Errorf("chance ends at %+v, nodes begin at %+v", noises[len(noises)-1], nodeCounts[0])
	}
}

// TestSkillChooses checks the average choice among lines: worse at lower levels, and
// never a clear loss at a high one.
func TestSkillChooses(t *testing.T) {
	var lines []Info
	for _, score := range []Score{150, 140, 120, 60, -100, 4 - Win} {
		lines = append(lines, Info{Score: score})
	}
	last := 0.0
	for level := FullSkill - 1; level >= 0; level-- {
		w := &weakened{level: level}
		rng := rand.New(rand.NewPCG(3, uint64(level)))
		loss, draws := 0.0, 4000
		for range draws {
			chosen := w.choose(lines, rng)
			loss += min(float64(lines[0].Score-chosen.Score), maxLoss)
			if chosen.Score < 0 && level >= FullSkill/2 {
				t.Fatalf("level %d chose the line of score %d", level, chosen.Score)
			}
		}
		if loss /= float64(draws); loss < last-2 {
			t.Errorf("level %d gives away %.1f, the level above %.1f", level, loss, last)
		}
		last = loss
	}
	if last < 50 {
		t.Errorf("level 0 gives away %.1f a turn, want 50 or more", last)
	}
}
