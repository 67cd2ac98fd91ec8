package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// league is a tournament in which not all engines met, with draws, pairs and single games
// between them, and results within pairs that depend on each other.
var league = []Encounter{
	{First: 0, Second: 1, Pairs: Pairs{40, 20, 210, 35, 95}},
	{First: 1, Second: 2, Pairs: Pairs{25, 60, 120, 50, 45}},
	{First: 2, Second: 3, Games: Games{Wins: 330, Draws: 40, Losses: 180}},
	{First: 3, Second: 0, Pairs: Pairs{110, 30, 70, 10, 20}},
	{First: 4, Second: 3, Pairs: Pairs{5, 10, 250, 20, 15}},
	{First: 4, Second: 5, Games: Games{Wins: 60, Draws: 300, Losses: 50}},
}

// TestErrorsAgreeWithBootstrap holds the errors of the differences of ratings, and how
// likely each engine is the stronger, to those that the bootstrap finds: the league again
// and again with its results drawn from those there were (B. Efron, "Bootstrap methods:
// another look at the jackknife", 1979). It knows nothing of curvature or scatter. With
// 1,500 leagues a deviation is known to within 1.8%, as one deviation of it, so 6% is
// allowed; a likelihood to within 1.3 hundredths, and 4 are.
func TestErrorsAgreeWithBootstrap(t *testing.T) {
	const engines, leagues = 6, 1500
	random := rand.New(rand.NewPCG(15, 79))
	var sum, squares, above [engines][engines]float64
	for range leagues {
		again := make([]Encounter, len(league))
		for k, e := range league {
			again[k] = resampled(random, e)
		}
		r := mustRate(t, engines, again, DefaultPrior)
		for i := range engines {
			for j := range engines {
				d := r.Difference(i, j).Value
				sum[i][j] += d / leagues
				squares[i][j] += d * d / leagues
				if d > 0 {
					above[i][j] += 1.0 / leagues
				}
			}
		}
	}
	r := mustRate(t, engines, league, DefaultPrior)
	for i := range engines {
		for j := range i {
			name := fmt.Sprintf("of engines %d and %d", i, j)
			want := confidence * math.Sqrt(squares[i][j]-sum[i][j]*sum[i][j])
			checkNear(t, "error "+name, r.Difference(i, j).Error, want, 0.06*want)
			checkNear(t, "LOS "+name, r.LOS(i, j), above[i][j], 0.04)
		}
	}
}

// resampled returns as many results as an encounter has, each one of them by chance.
func resampled(random *rand.Rand, e Encounter) Encounter {
	var games [3]int
	var pairs [5]int
	drawFrom(random, []int{e.Games.Losses, e.Games.Draws, e.Games.Wins}, games[:])
	drawFrom(random, e.Pairs[:], pairs[:])
	e.Games, e.Pairs = Games{Losses: games[0], Draws: games[1], Wins: games[2]}, pairs
	return e
}

// drawFrom counts as many draws from an urn as it has balls, each put back.
func drawFrom(random *rand.Rand, urn, drawn []int) {
	total := 0
	for _, n := range urn {
		total += n
	}
	for range total {
		x := random.IntN(total)
		for i, n := range urn {
			if x -= n; x < 0 {
				drawn[i]++
				break
			}
		}
	}
}
