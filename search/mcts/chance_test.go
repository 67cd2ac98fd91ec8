package mcts

import (
	"math"
	"testing"
)

// TestChancesOnEveryArchitecture checks that no evaluation's chance lies so near the
// middle of two that the last bits of its calculation decide how it is rounded. That of
// 0 is exact.
func TestChancesOnEveryArchitecture(t *testing.T) {
	for centipawns := -5000; centipawns <= 5000; centipawns++ {
		if centipawns == 0 {
			continue
		}
		chance := float64(certain) / (1 + math.Exp(-float64(centipawns)/evaluationScale))
		if math.Abs(chance-math.Floor(chance)-0.5) < 1e-9 {
			t.Errorf("%d centipawns: a chance of %v", centipawns, chance)
		}
	}
}

// TestPriorWeights compares them with what they stand for.
func TestPriorWeights(t *testing.T) {
	for n, got := range priorWeights {
		if want := math.Exp(-float64(n) / priorUnit); math.Abs(got-want) > 1e-12*want {
			t.Errorf("%d steps: %v, want %v", n, got, want)
		}
	}
}
