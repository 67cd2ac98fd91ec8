package stats

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
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

func TestWriteReport(t *testing.T) {
	const strengths = "elo 26.106693\nelo_error 34.826425\nnelo 36.354623\nnelo_error 48.151231\nlos 93.053547\n"
	for _, test := range []struct {
		name string
		c    Counts
		sprt *SPRT
		want string
	}{
		{"strengths alone", Pairs{5, 20, 40, 25, 10}, nil, strengths},
		{"with a test", Pairs{5, 20, 40, 25, 10}, newTest(t, Normalized, 0, 20),
			strengths + "llr 0.866512\nlower -2.944439\nupper 2.944439\nstate continue\n"},
		{"one-sided", Games{Losses: 4250}, newTest(t, Normalized, -10, 0),
			"elo -inf\nelo_error inf\nnelo -inf\nnelo_error inf\nlos 0.000000\n" +
				"llr -120.548268\nlower -2.944439\nupper 2.944439\nstate accept H0\n"},
		{"nothing", Games{}, newTest(t, Logistic, 0, 5),
			"elo 0.000000\nelo_error inf\nnelo 0.000000\nnelo_error inf\nlos 50.000000\n" +
				"llr 0.000000\nlower -2.944439\nupper 2.944439\nstate continue\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			if err := WriteReport(&out, test.c, test.sprt); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, out.String()); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
		})
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func TestWriteReportReturnsTheWritersError(t *testing.T) {
	want := errors.New("disk full")
	if err := WriteReport(brokenWriter{want}, Games{}, nil); !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}

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
