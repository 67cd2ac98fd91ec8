package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReferenceStrengths(t *testing.T) {
	for _, row := range readTable(t, "elo.txt", 6) {
		t.Run(row[0], func(t *testing.T) {
			c := parseCounted(t, row[0])
			elo, nelo := Elo(c), NormalizedElo(c)
			checkDigits(t, "nElo", nelo.Value, row[1])
			checkDigits(t, "nElo error", nelo.Error, row[2])
			checkDigits(t, "Elo", elo.Value, row[3])
			checkDigits(t, "Elo error", elo.Error, row[4])
			checkDigits(t, "LOS", 100*LOS(c), row[5])
		})
	}
}

func TestStrengthsAtTheEdges(t *testing.T) {
	inf := math.Inf(1)
	type strengths struct {
		Elo, Normalized Estimate
		LOS             float64
	}
	usual := func(games float64) float64 { return eloScale * confidence / math.Sqrt(games) }
	quarter := EloOfScore(0.25)
	for _, test := range []struct {
		name string
		c    Counts
		want strengths
	}{
		{"no games", Games{}, strengths{Estimate{0, inf}, Estimate{0, inf}, 0.5}},
		{"no pairs", Pairs{}, strengths{Estimate{0, inf}, Estimate{0, inf}, 0.5}},
		{"all won", Games{Wins: 9}, strengths{Estimate{inf, inf}, Estimate{inf, inf}, 1}},
		{"all lost", Games{Losses: 1}, strengths{Estimate{-inf, inf}, Estimate{-inf, inf}, 0}},
		{"all pairs won", Pairs{WinWin: 7}, strengths{Estimate{inf, inf}, Estimate{inf, inf}, 1}},
		{"all drawn", Games{Draws: 7}, strengths{Estimate{0, 0}, Estimate{0, usual(7)}, 0.5}},
		{"all pairs even", Pairs{Even: 8}, strengths{Estimate{0, 0}, Estimate{0, usual(16)}, 0.5}},
		{"all pairs alike", Pairs{LossDraw: 3}, strengths{Estimate{quarter, 0}, Estimate{-inf, inf}, 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := strengths{Elo(test.c), NormalizedElo(test.c), LOS(test.c)}
			near := cmp.Comparer(func(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-9 })
			if diff := cmp.Diff(test.want, got, near); diff != "" {
				t.Errorf("strengths (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEloErrorIsInfiniteBeyondOnesidedScores(t *testing.T) {
	e := Elo(Games{Wins: 3, Draws: 1})
	if math.IsInf(e.Value, 0) || !math.IsInf(e.Error, 1) {
		t.Errorf("3 wins and a draw: %v, want a finite Elo with an infinite error", e)
	}
}

func TestEloOfScoreInvertsScoreOfElo(t *testing.T) {
	for _, elo := range []float64{-1200, -400, -3.5, 0, 0.01, 20, 800} {
		checkNear(t, "EloOfScore", EloOfScore(ScoreOfElo(elo)), elo, 1e-9)
	}
	checkNear(t, "score of 400 Elo", ScoreOfElo(400), 10.0/11, 1e-15)
}

// randomGames and randomPairs draw counts of very different sizes, often zero.
func randomGames(random *rand.Rand) Games {
	return Games{Wins: randomCount(random), Losses: randomCount(random), Draws: randomCount(random)}
}

func randomPairs(random *rand.Rand) Pairs {
	var p Pairs
	for i := range p {
		p[i] = randomCount(random)
	}
	return p
}

func randomCount(random *rand.Rand) int {
	if random.IntN(4) == 0 {
		return 0
	}
	return int(math.Exp(12 * random.Float64()))
}

func TestStrengthsAreNeverNaN(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		for _, c := range []Counts{randomGames(random), randomPairs(random)} {
			elo, nelo := Elo(c), NormalizedElo(c)
			for _, x := range []float64{elo.Value, elo.Error, nelo.Value, nelo.Error, LOS(c)} {
				if math.IsNaN(x) {
					t.Fatalf("%T %v: Elo %v, nElo %v, LOS %v", c, c, elo, nelo, LOS(c))
				}
			}
		}
	}
}

func TestStrengthsTurnWithTheSides(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	check := func(a, b Counts) {
		t.Helper()
		checkNear(t, "Elo", Elo(b).Value, -Elo(a).Value, 1e-8)
		checkNear(t, "Elo error", Elo(b).Error, Elo(a).Error, 1e-6*Elo(a).Error)
		checkNear(t, "nElo", NormalizedElo(b).Value, -NormalizedElo(a).Value, 1e-6)
		checkNear(t, "nElo error", NormalizedElo(b).Error, NormalizedElo(a).Error, 1e-9)
		checkNear(t, "LOS", LOS(b), 1-LOS(a), 1e-9)
		if t.Failed() {
			t.Fatalf("counts %v and swapped %v", a, b)
		}
	}
	for range 1000 {
		g, p := randomGames(random), randomPairs(random)
		check(g, g.Swapped())
		check(p, p.Swapped())
	}
}

// independentPairs are the pairs that so many games of each result make if the
// second game knows nothing of the first: the square of the total of each. Both
// counts stand for the same shares; the pairs hold total/2 times the games.
func independentPairs(g Games) Pairs {
	return Pairs{
		LossLoss: g.Losses * g.Losses,
		LossDraw: 2 * g.Losses * g.Draws,
		Even:     g.Draws*g.Draws + 2*g.Wins*g.Losses,
		WinDraw:  2 * g.Wins * g.Draws,
		WinWin:   g.Wins * g.Wins,
	}
}

func TestIndependentPairsAgreeWithGames(t *testing.T) {
	for _, g := range []Games{{Wins: 300, Losses: 280, Draws: 420}, {Wins: 90, Losses: 100, Draws: 10}, {Wins: 60, Losses: 50}} {
		t.Run(g.String(), func(t *testing.T) {
			pairs := independentPairs(g)
			// As many games as the pairs hold, in the same shares.
			scale := 2 * g.Total()
			games := Games{Wins: g.Wins * scale, Losses: g.Losses * scale, Draws: g.Draws * scale}
			checkNear(t, "games", float64(games.Total()), float64(2*pairs.Total()), 0)
			checkNear(t, "Elo", Elo(pairs).Value, Elo(games).Value, 1e-9)
			checkNear(t, "Elo error", Elo(pairs).Error, Elo(games).Error, 1e-9)
			checkNear(t, "nElo", NormalizedElo(pairs).Value, NormalizedElo(games).Value, 1e-9)
			checkNear(t, "nElo error", NormalizedElo(pairs).Error, NormalizedElo(games).Error, 1e-9)
			checkNear(t, "LOS", LOS(pairs), LOS(games), 1e-9)
		})
	}
}
