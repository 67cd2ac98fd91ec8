package stats

import (
	"math"
	"testing"
)

// TestDescribeElo checks what is said of results that show no deviation: what is
// known, never certainty.
func TestDescribeElo(t *testing.T) {
	for _, test := range []struct {
		counts Counts
		want   string
	}{
		{Pairs{}, "unknown"},
		{Pairs{4: 8}, "at least +137.1"},
		{Pairs{0: 8}, "at most -137.1"},
		{Pairs{4: 1}, "at least -511.5"},
		{Pairs{2: 1}, "+0.0, from -636.4 to +636.4"},
		{Pairs{2: 100}, "+0.0, from -10.3 to +10.3"},
		{Games{Draws: 30}, "+0.0, from -33.1 to +33.1"},
		{Pairs{2: 1, 4: 1}, "+190.8, at least -67.9"},
		{Pairs{0: 1, 4: 1}, "+0.0, without bounds"},
		{Pairs{5, 20, 40, 25, 10}, "+26.1 +- 34.8"},
	} {
		if got := DescribeElo(test.counts); got != test.want {
			t.Errorf("%v: %q, want %q", test.counts, got, test.want)
		}
	}
}

// TestOneClassBoundsHold goes through true distributions of which all drawn pairs
// may be of one class: the bounds leave out the true Elo at most one time in
// twenty, and are as near as that allows.
func TestOneClassBoundsHold(t *testing.T) {
	for class := range 5 {
		for _, pairs := range []int{1, 8, 100} {
			low, high := OneClassBounds(float64(class)/4, pairs)
			nearest := 0.0 // chance of what lies just outside
			for _, other := range []int{0, 4} {
				for share := 0.0005; share < 1; share += 0.001 {
					elo := EloOfScore(share*float64(class)/4 + (1-share)*float64(other)/4)
					chance := math.Pow(share, float64(pairs))
					if elo >= low && elo <= high {
						continue
					}
					if nearest = max(nearest, chance); chance > 0.05 {
						t.Errorf("class %d, else %d, share %.3f of %d pairs: Elo %.1f is outside %.1f to %.1f", class, other, share, pairs, elo, low, high)
					}
				}
			}
			if nearest < 0.04 {
				t.Errorf("class %d, %d pairs: %.1f to %.1f is too wide, %.3f", class, pairs, low, high, nearest)
			}
		}
	}
}
