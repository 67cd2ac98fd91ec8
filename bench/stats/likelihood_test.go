package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// checkDistribution fails unless p is positive and adds up to 1.
func checkDistribution(t *testing.T, p []float64) {
	t.Helper()
	sum := 0.0
	for _, share := range p {
		sum += share
		if !(share > 0) {
			t.Fatalf("distribution %v: a share is not positive", p)
		}
	}
	checkNear(t, "sum of the shares", sum, 1, 1e-9)
}

func TestLikeliestDistributionsMeetTheirConstraint(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	for range 300 {
		for _, c := range []Counts{randomGames(random), randomPairs(random)} {
			n, p := regularShares(c.Classes())
			if n == 0 {
				continue
			}
			elo := 2 * maxHypothesis * (random.Float64() - 0.5)
			q := likeliestWithMean(p, elo)
			checkDistribution(t, q)
			mean, _ := meanAndDeviation(q)
			checkNear(t, "mean score", mean, ScoreOfElo(elo), 1e-9)

			ratio := 4 * (random.Float64() - 0.5)
			q = likeliestWithRatio(p, ratio)
			checkDistribution(t, q)
			mean, deviation := meanAndDeviation(q)
			checkNear(t, "mean in deviations", (mean-0.5)/deviation, ratio, 1e-9)
			if t.Failed() {
				t.Fatalf("counts %v, Elo %v, ratio %v", c, elo, ratio)
			}
		}
	}
}

// No distribution nearby that meets the same constraint makes the shares
// likelier. The neighbours move along the constraint: in three classes a mean
// leaves one direction.
func TestLikeliestWithMeanIsTheLikeliest(t *testing.T) {
	_, p := regularShares(Games{Wins: 30, Losses: 50, Draws: 20}.Classes())
	logLikelihood := func(q []float64) float64 {
		sum := 0.0
		for i := range p {
			sum += p[i] * math.Log(q[i])
		}
		return sum
	}
	best := likeliestWithMean(p, 40)
	for _, step := range []float64{-1e-3, -1e-5, 1e-5, 1e-3} {
		near := []float64{best[0] + step, best[1] - 2*step, best[2] + step}
		if logLikelihood(near) >= logLikelihood(best) {
			t.Errorf("%v is likelier than %v", near, best)
		}
	}
}

// The observed shares are the likeliest of all, so under their own strength they
// are the solution.
func TestLikeliestAtTheObservedStrength(t *testing.T) {
	for _, c := range []Counts{Pairs{5, 20, 40, 25, 10}, Games{136, 96, 111}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			_, p := regularShares(c.Classes())
			byModel := map[string][]float64{
				"logistic":   likeliestWithMean(p, Elo(c).Value),
				"normalized": likeliestWithNormalizedElo(c.GamesPerOutcome())(p, NormalizedElo(c).Value),
			}
			for model, q := range byModel {
				checkNear(t, model+" distance", distance(p, q), 0, 1e-9)
			}
		})
	}
}

func TestTiltKeepsDigitsOfRareClasses(t *testing.T) {
	// Two classes with phi -1 and 1: the shares must become equal.
	for _, rare := range []float64{0.5, 1e-3, 1e-9, 1e-15} {
		for _, p := range [][]float64{{rare, 1 - rare}, {1 - rare, rare}} {
			q := tilt(p, []float64{-1, 1})
			checkNear(t, fmt.Sprint("tilted ", p), q[0], 0.5, 1e-14)
			checkNear(t, fmt.Sprint("tilted ", p), q[1], 0.5, 1e-14)
		}
	}
}

func TestNormalizedModelDoesNotDependOnItsStart(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	for range 1000 {
		for _, c := range []Counts{randomGames(random), randomPairs(random)} {
			n, p := regularShares(c.Classes())
			if n == 0 {
				continue
			}
			ratio := 1.8 * (random.Float64() - 0.5)
			uniform := make([]float64, len(p))
			for i := range uniform {
				uniform[i] = 1 / float64(len(p))
			}
			got, want := likeliestWithRatio(p, ratio), iterateRatio(uniform, p, ratio)
			if far := distance(got, want); !(far < 1e-9) {
				t.Fatalf("%T %v, ratio %v: %v, from the uniform distribution %v", c, c, ratio, got, want)
			}
		}
	}
}
