package stats

import (
	"math"
	"testing"
)

// TestPlace holds ratings of even and one-sided results to what they must be.
func TestPlace(t *testing.T) {
	at := func(elo, reach float64, g Games) Opponent {
		return Opponent{Elo: Estimate{Value: elo, Error: reach}, Games: g}
	}
	for _, test := range []struct {
		name      string
		opponents []Opponent
		want      Estimate
	}{
		{"no games", []Opponent{at(500, 1, Games{})}, Estimate{0, math.Inf(1)}},
		{"even with one", []Opponent{at(500, 0, Games{Wins: 50, Losses: 49})}, Estimate{500 + 3.47, 68.1}},
		{"between two", []Opponent{at(400, 0, Games{Wins: 75, Losses: 25}), at(600, 0, Games{Wins: 25, Losses: 75})}, Estimate{500, 49.9}},
		{"all won", []Opponent{at(0, 0, Games{Wins: 99})}, Estimate{919.5, 482.7}},
		{"against one little known", []Opponent{at(0, 100, Games{Wins: 5000, Losses: 5000})}, Estimate{0, 100.23}},
		{"pairs", []Opponent{{Pairs: Pairs{0, 0, 50, 0, 0}}}, Estimate{0, 67.8}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Place(test.opponents, DefaultPrior)
			if math.Abs(got.Value-test.want.Value) > 0.1 || got.Error != test.want.Error && math.Abs(got.Error-test.want.Error) > 0.1 {
				t.Errorf("%.2f +- %.2f, want %.2f +- %.2f", got.Value, got.Error, test.want.Value, test.want.Error)
			}
		})
	}
}

// TestPlaceAgreesWithRate places an engine against one other.
func TestPlaceAgreesWithRate(t *testing.T) {
	pairs := Pairs{3, 10, 20, 15, 9}
	r, err := Rate(2, []Encounter{{First: 0, Second: 1, Pairs: pairs}}, DefaultPrior)
	if err != nil {
		t.Fatal(err)
	}
	want := r.Anchored(0, 1, 1000).Value
	if got := Place([]Opponent{{Elo: Estimate{Value: 1000}, Pairs: pairs}}, DefaultPrior).Value; math.Abs(got-want) > 1e-6 {
		t.Errorf("placed at %v, rated %v", got, want)
	}
}
