package stats

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var stress = flag.Bool("stress", false, "run the tests that measure: minutes")

// TestReferenceStrengths compares with fishtest. Its intervals and LOS lack the games that
// Elo adds, so they differ by a few percent in matches of 100 pairs and
// by less in longer ones.
func TestReferenceStrengths(t *testing.T) {
	for _, row := range readTable(t, "elo.txt", 6) {
		t.Run(row[0], func(t *testing.T) {
			c := parseCounted(t, row[0])
			elo, nelo := Elo(c), NormalizedElo(c)
			checkDigits(t, "nElo", nelo.Value, row[1])
			checkDigits(t, "nElo error", nelo.Error, row[2])
			checkDigits(t, "Elo", elo.Value, row[3])
			few := 4 / float64(MomentsOf(c).N)
			reference := parseFloat(t, row[4])
			checkNear(t, "Elo error", elo.Error(), reference, few*reference)
			checkNear(t, "LOS", 100*LOS(c), parseFloat(t, row[5]), 30*few)
		})
	}
}

func TestStrengthsAtTheEdges(t *testing.T) {
	inf := math.Inf(1)
	type strengths struct {
		Elo        Interval
		Normalized Estimate
		LOS        float64
	}
	usual := func(games float64) float64 { return eloScale * confidence / math.Sqrt(games) }
	for _, test := range []struct {
		name string
		c    Counts
		want strengths
	}{
		{"no games", Games{}, strengths{Interval{0, -inf, inf}, Estimate{0, inf}, 0.5}},
		{"no pairs", Pairs{}, strengths{Interval{0, -inf, inf}, Estimate{0, inf}, 0.5}},
		{"all won", Games{Wins: 9}, strengths{Interval{inf, 80.8590, inf}, Estimate{inf, inf}, 0.998824}},
		{"all lost", Games{Losses: 1}, strengths{Interval{-inf, -inf, 351.7047}, Estimate{-inf, inf}, 0.363177}},
		{"all pairs won", Pairs{WinWin: 7}, strengths{Interval{inf, 120.1139, inf}, Estimate{inf, inf}, 0.9999}},
		{"all drawn", Games{Draws: 7}, strengths{Interval{0, -133.5420, 133.5420}, Estimate{0, usual(7)}, 0.5}},
		{"all pairs even", Pairs{Even: 8}, strengths{Interval{0, -75.3087, 75.3087}, Estimate{0, usual(16)}, 0.5}},
		{"all pairs alike", Pairs{LossDraw: 3}, strengths{Interval{EloOfScore(0.25), -408.0718, 100.0501}, Estimate{-inf, inf}, 0.166865}},
		{"three wins and a draw", Games{Wins: 3, Draws: 1}, strengths{Interval{EloOfScore(7. / 8), -104.7996, 673.7763}, NormalizedElo(Games{Wins: 3, Draws: 1}), 0.851620}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := strengths{Elo(test.c), NormalizedElo(test.c), LOS(test.c)}
			near := cmp.Comparer(func(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-4*math.Max(1, math.Abs(a)) })
			if diff := cmp.Diff(test.want, got, near); diff != "" {
				t.Errorf("strengths (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEloOfScoreInvertsScoreOfElo(t *testing.T) {
	for _, elo := range []float64{-1200, -400, -3.5, 0, 0.01, 20, 800} {
		checkNear(t, "EloOfScore", EloOfScore(ScoreOfElo(elo)), elo, 1e-9)
	}
	checkNear(t, "score of 400 Elo", ScoreOfElo(400), 10.0/11, 1e-15)
}

// randomGames and randomPairs return random counts of very different sizes, often zero.
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
			for _, x := range []float64{elo.Value, elo.Low, elo.High, nelo.Value, nelo.Error, LOS(c)} {
				if math.IsNaN(x) {
					t.Fatalf("%T %v: Elo %v, nElo %v, LOS %v", c, c, elo, nelo, LOS(c))
				}
			}
		}
	}
}

func TestStrengthsAreAntisymmetric(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	check := func(a, b Counts) {
		t.Helper()
		checkNear(t, "Elo", Elo(b).Value, -Elo(a).Value, 1e-8)
		checkNear(t, "Elo's lower end", Elo(b).Low, -Elo(a).High, 1e-6*Elo(a).Error())
		checkNear(t, "Elo's upper end", Elo(b).High, -Elo(a).Low, 1e-6*Elo(a).Error())
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

// independentPairs returns the pairs of independent games with the same shares as g. Their
// number is the square of the number of games.
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
			// The games in the pairs, with the same shares.
			scale := 2 * g.Total()
			games := Games{Wins: g.Wins * scale, Losses: g.Losses * scale, Draws: g.Draws * scale}
			checkNear(t, "games", float64(games.Total()), float64(2*pairs.Total()), 0)
			checkNear(t, "Elo", Elo(pairs).Value, Elo(games).Value, 1e-9)
			checkNear(t, "Elo error", Elo(pairs).Error(), Elo(games).Error(), 1e-3)
			checkNear(t, "nElo", NormalizedElo(pairs).Value, NormalizedElo(games).Value, 1e-9)
			checkNear(t, "nElo error", NormalizedElo(pairs).Error, NormalizedElo(games).Error, 1e-9)
			checkNear(t, "LOS", LOS(pairs), LOS(games), 1e-5)
		})
	}
}

func TestDescriptions(t *testing.T) {
	for _, test := range []struct {
		counts         Counts
		elo, nelo, los string
	}{
		{Pairs{}, TooFew, TooFew, TooFew},
		{Pairs{3: 1}, TooFew, TooFew, TooFew},
		{Pairs{4: 9}, TooFew, TooFew, TooFew},
		{Pairs{4: 10}, "at least +189.4", "without bounds", ">99.9%"},
		{Pairs{0: 10}, "at most -189.4", "without bounds", "<0.1%"},
		{Pairs{2: 100}, "+0.0 (-6.7 to +6.7)", "+0.0 +- 48.2", "50.0%"},
		{Games{Draws: 30}, "+0.0 (-40.5 to +40.5)", "+0.0 +- 124.3", "50.0%"},
		{Games{Draws: 19}, TooFew, TooFew, TooFew},
		{Pairs{1, 0, 2, 0, 17}, "+381.7 (+171.2 to +704.3)", "+385.4 +- 107.7", ">99.9%"},
		{Pairs{5, 20, 40, 25, 10}, "+26.1 (-9.3 to +60.8)", "+36.4 +- 48.2", "92.4%"},
	} {
		elo, nelo, los := DescribeElo(test.counts), DescribeNormalizedElo(test.counts), DescribeLOS(test.counts)
		if !strings.HasPrefix(elo, test.elo) || !strings.HasPrefix(nelo, test.nelo) || !strings.HasPrefix(los, test.los) {
			t.Errorf("%v: Elo %q, nElo %q, LOS %q, want %q, %q, %q", test.counts, elo, nelo, los, test.elo, test.nelo, test.los)
		}
	}
}

// TestVerdict checks the verdict of results in words, from both engines' view.
func TestVerdict(t *testing.T) {
	for _, test := range []struct {
		counts Pairs
		want   string
	}{
		{Pairs{}, "Too few games for a verdict: 0, and at least 20 are needed"},
		{Pairs{0, 0, 0, 0, 9}, "Too few games for a verdict: 18, and at least 20 are needed"},
		{Pairs{5, 20, 40, 25, 10}, "No clear difference: new +26.1 Elo (95%: -9.3 to +60.8)"},
		{Pairs{1, 2, 10, 20, 30}, "new is stronger: +242.6 Elo (95%: +172.9 to +301.4)"},
		{Pairs{0, 0, 0, 0, 12}, "new is stronger: at least +223.8 Elo"},
	} {
		if got := Verdict("new", "old", test.counts); got != test.want {
			t.Errorf("%v: %q, want %q", test.counts, got, test.want)
		}
		swapped := strings.Replace(test.want, "new is", "old is", 1)
		if strings.HasPrefix(test.want, "No clear") {
			swapped = "No clear difference: new -26.1 Elo (95%: -60.8 to +9.3)"
		}
		if got := Verdict("new", "old", test.counts.Swapped()); got != swapped {
			t.Errorf("%v swapped: %q, want %q", test.counts, got, swapped)
		}
	}
}

// TestIntervalIncludesValue checks all results of few pairs.
func TestIntervalIncludesValue(t *testing.T) {
	const most = 5
	var p Pairs
	var visit func(class int)
	visit = func(class int) {
		if class == len(p) {
			if e := Elo(p); !(e.Low <= e.Value && e.Value <= e.High) {
				t.Errorf("%v: %v", p, e)
			}
			return
		}
		for p[class] = range most {
			visit(class + 1)
		}
	}
	visit(0)
}

// trueShapes are true distributions of pairs for the coverage of intervals.
func trueShapes() map[string]Shape {
	independent := func(won, drawn float64) Shape {
		lost := 1 - won - drawn
		return Shape{lost * lost, 2 * lost * drawn, drawn*drawn + 2*won*lost, 2 * won * drawn, won * won}
	}
	return map[string]Shape{
		"even without draws":   independent(0.5, 0),
		"even":                 independent(0.45, 0.1),
		"even with many draws": independent(0.2, 0.6),
		"60%":                  independent(0.55, 0.1),
		"75%":                  independent(0.7, 0.1),
		"90%":                  independent(0.875, 0.05),
		"97%":                  independent(0.965, 0.01),
		"mostly split":         {0.1, 0, 0.8, 0, 0.1},
		"mostly split, 57%":    {0.01, 0.01, 0.83, 0.05, 0.1},
		"swept":                {0.4, 0, 0, 0, 0.6},
	}
}

// TestCoverage simulates matches and checks how often the interval of Elo contains the
// true difference. The plain interval contains it in 51% to 94% of matches of ten pairs,
// depending on the distribution.
func TestCoverage(t *testing.T) {
	matches := 2000
	lengths := []int{10, 30, 200}
	if *stress {
		matches, lengths = 100_000, []int{10, 11, 13, 15, 20, 30, 50, 100, 200, 500, 1000}
	}
	for name, shape := range trueShapes() {
		mean, _ := meanAndDeviation(shape[:])
		truth := EloOfScore(mean)
		for _, pairs := range lengths {
			random := rand.New(rand.NewPCG(5, uint64(pairs)))
			covered := 0
			for range matches {
				if e := Elo(drawPairs(random, shape, pairs)); e.Low <= truth && truth <= e.High {
					covered++
				}
			}
			coverage := float64(covered) / float64(matches)
			if *stress {
				t.Logf("%-20s %4d pairs: %.4f", name, pairs, coverage)
			}
			noise := 3 * math.Sqrt(0.05*0.95/float64(matches))
			if coverage < 0.935-noise {
				t.Errorf("%s, %d pairs: the interval contains the truth in %.1f%% of %d matches", name, pairs, 100*coverage, matches)
			}
		}
	}
}

// TestCoverageByElo checks that from 50 pairs on the interval of Elo contains the true difference
// in 94% to 96% of matches, with few draws and with many.
func TestCoverageByElo(t *testing.T) {
	const matches = 10_000
	for _, drawn := range []float64{0, 0.05, 0.2} {
		for _, elo := range []float64{0, 100, 300} {
			won := ScoreOfElo(elo) - drawn/2
			lost := 1 - won - drawn
			shape := Shape{lost * lost, 2 * lost * drawn, drawn*drawn + 2*won*lost, 2 * won * drawn, won * won}
			for _, pairs := range []int{10, 50, 500} {
				random := rand.New(rand.NewPCG(27, uint64(pairs)))
				covered := 0
				for range matches {
					if e := Elo(drawPairs(random, shape, pairs)); e.Low <= elo && elo <= e.High {
						covered++
					}
				}
				coverage := 100 * float64(covered) / matches
				t.Logf("%+4.0f Elo, %2.0f%% draws, %3d pairs: the interval contains the truth in %.1f%% of %d matches", elo, 100*drawn, pairs, coverage, matches)
				if coverage < 94 || coverage > 96 && pairs >= 50 {
					t.Errorf("%+.0f Elo, %.0f%% draws, %d pairs: %.1f%%", elo, 100*drawn, pairs, coverage)
				}
			}
		}
	}
}

// drawPairs draws random pairs from a distribution.
func drawPairs(random *rand.Rand, shape Shape, pairs int) (p Pairs) {
	for range pairs {
		class, x := 0, random.Float64()
		for ; class < len(shape)-1 && x >= shape[class]; class++ {
			x -= shape[class]
		}
		p[class]++
	}
	return p
}

func TestWriteReport(t *testing.T) {
	const strengths = "elo 26.106693\nelo_low -9.323519\nelo_high 60.777986\nelo_error 35.050752\nnelo 36.354623\nnelo_error 48.151231\nlos 92.423193\n"
	for _, test := range []struct {
		name string
		c    Counts
		sprt *SPRT
		want string
	}{
		{"strengths only", Pairs{5, 20, 40, 25, 10}, nil, strengths},
		{"with a test", Pairs{5, 20, 40, 25, 10}, newTest(t, Normalized, 0, 20),
			strengths + "llr 0.866512\nlower -2.944439\nupper 2.944439\nstate continue\n"},
		{"one-sided", Games{Losses: 4250}, newTest(t, Normalized, -10, 0),
			"elo -inf\nelo_low -inf\nelo_high -1157.103698\nelo_error inf\nnelo -inf\nnelo_error inf\nlos 0.000000\n" +
				"llr -120.548268\nlower -2.944439\nupper 2.944439\nstate accept H0\n"},
		{"no games", Games{}, newTest(t, Logistic, 0, 5),
			"strength too few games: 0, and at least 20 are needed\n" +
				"llr 0.000000\nlower -2.944439\nupper 2.944439\nstate continue\n"},
		{"one pair", Pairs{WinDraw: 1}, nil, "strength too few games: 2, and at least 20 are needed\n"},
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

func TestWriteReportError(t *testing.T) {
	want := errors.New("disk full")
	if err := WriteReport(brokenWriter{want}, Games{}, nil); !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}

// league is a tournament in which not all engines met, with draws, pairs and single games,
// and dependent results within pairs.
var league = []Encounter{
	{First: 0, Second: 1, Pairs: Pairs{40, 20, 210, 35, 95}},
	{First: 1, Second: 2, Pairs: Pairs{25, 60, 120, 50, 45}},
	{First: 2, Second: 3, Games: Games{Wins: 330, Draws: 40, Losses: 180}},
	{First: 3, Second: 0, Pairs: Pairs{110, 30, 70, 10, 20}},
	{First: 4, Second: 3, Pairs: Pairs{5, 10, 250, 20, 15}},
	{First: 4, Second: 5, Games: Games{Wins: 60, Draws: 300, Losses: 50}},
}

// TestErrorsAgreeWithBootstrap compares the intervals of rating differences and the LOS
// with the bootstrap, which uses neither curvature nor scatter: it resamples the results
// of the league many times (B. Efron, "Bootstrap methods: another look at the jackknife",
// 1979). With 400 leagues the standard error is 3.5% for a deviation and 0.025 for a likelihood; the
// test allows 10% and 0.08, and with -stress, 1,500 leagues, 6% and 0.04.
func TestErrorsAgreeWithBootstrap(t *testing.T) {
	const engines = 6
	leagues, deviation, likelihood := 400, 0.1, 0.08
	if *stress {
		leagues, deviation, likelihood = 1500, 0.06, 0.04
	}
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
				sum[i][j] += d / float64(leagues)
				squares[i][j] += d * d / float64(leagues)
				if d > 0 {
					above[i][j] += 1 / float64(leagues)
				}
			}
		}
	}
	r := mustRate(t, engines, league, DefaultPrior)
	for i := range engines {
		for j := range i {
			name := fmt.Sprintf("of engines %d and %d", i, j)
			want := confidence * math.Sqrt(squares[i][j]-sum[i][j]*sum[i][j])
			checkNear(t, "error "+name, r.Difference(i, j).Error(), want, deviation*want)
			checkNear(t, "LOS "+name, r.LOS(i, j), above[i][j], likelihood)
		}
	}
}

// resampled returns an encounter with the same number of results, drawn from e with
// replacement.
func resampled(random *rand.Rand, e Encounter) Encounter {
	var games [3]int
	var pairs [5]int
	drawFrom(random, []int{e.Games.Losses, e.Games.Draws, e.Games.Wins}, games[:])
	drawFrom(random, e.Pairs[:], pairs[:])
	e.Games, e.Pairs = Games{Losses: games[0], Draws: games[1], Wins: games[2]}, pairs
	return e
}

// drawFrom counts random draws from an urn with replacement, as many as it has balls.
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

func TestParseGames(t *testing.T) {
	got, err := ParseGames(" 76, 89 ,123")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Games{Wins: 76, Losses: 89, Draws: 123}, got); diff != "" {
		t.Errorf("games (-want +got):\n%s", diff)
	}
}

func TestParsePairs(t *testing.T) {
	got, err := ParsePairs("5,20,40,25,10")
	if err != nil {
		t.Fatal(err)
	}
	want := Pairs{LossLoss: 5, LossDraw: 20, Even: 40, WinDraw: 25, WinWin: 10}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pairs (-want +got):\n%s", diff)
	}
}

func TestParseErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", `pairs "": 1 counts, need the 5 of LL,LD,DD+WL,WD,WW`},
		{"1,2,3", `pairs "1,2,3": 3 counts, need the 5 of LL,LD,DD+WL,WD,WW`},
		{"1,2,3,4,5,6", `pairs "1,2,3,4,5,6": 6 counts, need the 5 of LL,LD,DD+WL,WD,WW`},
		{"1,2,,4,5", `pairs: count 3 "": missing`},
		{"1,-2,3,4,5", `pairs: count 2 "-2": not a non-negative integer`},
		{"1,2,3,4,5.0", `pairs: count 5 "5.0": not a non-negative integer`},
		{"1000000001,2,3,4,5", `pairs: count 1 "1000000001": more than 1000000000`},
		{"99999999999999999999,2,3,4,5", `pairs: count 1 "99999999999999999999": more than 1000000000`},
	} {
		t.Run(test.text, func(t *testing.T) {
			_, err := ParsePairs(test.text)
			if err == nil || err.Error() != test.want {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}

func FuzzParseGames(f *testing.F) {
	f.Add("76,89,123")
	f.Fuzz(func(t *testing.T, text string) {
		games, err := ParseGames(text)
		checkRoundTrip(t, games, err, ParseGames)
	})
}

func FuzzParsePairs(f *testing.F) {
	f.Add("5,20,40,25,10")
	f.Fuzz(func(t *testing.T, text string) {
		pairs, err := ParsePairs(text)
		checkRoundTrip(t, pairs, err, ParsePairs)
	})
}

// checkRoundTrip checks that an error names the kind of counts, and that parsed counts can be
// parsed from their own text.
func checkRoundTrip[C interface {
	comparable
	String() string
}](t *testing.T, counts C, err error, parse func(string) (C, error)) {
	t.Helper()
	if err != nil {
		if kind := err.Error(); !strings.HasPrefix(kind, "games") && !strings.HasPrefix(kind, "pairs") {
			t.Fatalf("error %v", err)
		}
		return
	}
	again, err := parse(counts.String())
	if err != nil || again != counts {
		t.Fatalf("%v reads back as %v, %v", counts, again, err)
	}
}

// TestNiceStep checks steps at and around each limit.
func TestNiceStep(t *testing.T) {
	for _, test := range []struct{ span, most, want float64 }{
		{0, 6, 0}, {6, 6, 1}, {6.1, 6, 2}, {12, 6, 2}, {12.1, 6, 5}, {30, 6, 5}, {30.1, 6, 10}, {60, 6, 10}, {200, 6, 50}, {400, 6, 100},
		{5000, 6, 1000}, {0.3, 3, 0.1}, {0.007, 5, 0.002}, {5, 5, 1}, {45, 5, 10},
	} {
		if got := NiceStep(test.span, test.most); got < test.want*(1-1e-12) || got > test.want*(1+1e-12) {
			t.Errorf("span %v in at most %v parts: %v, want %v", test.span, test.most, got, test.want)
		}
	}
}
