package stats

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
)

// Ratings are the Elo ratings of several engines from Rate. Engines are identified by
// their indices. Only differences of ratings are meaningful; each method says what its
// rating is relative to.
type Ratings struct {
	elo   []float64 // with mean zero
	fit   *maximum  // the games with the prior
	top   []float64 // the ratings of fit, in natural units
	games []int

	mu       sync.Mutex
	compared map[[2]int]comparison // of engines i < j: each costs many inversions
	about    map[int]Interval      // AboutMean of engines
}

// Prepare computes all ratings and differences at once, on all processors. Otherwise each is
// computed when it is asked for: those of 50 engines take seconds.
func (r *Ratings) Prepare() {
	pairs := make(chan [2]int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for p := range pairs {
				if p[0] == p[1] {
					r.AboutMean(p[0])
				} else {
					r.compare(p[0], p[1])
				}
			}
		})
	}
	for i := range r.elo {
		for j := i; j < len(r.elo); j++ {
			pairs <- [2]int{i, j}
		}
	}
	close(pairs)
	workers.Wait()
}

// Len returns the number of engines.
func (r *Ratings) Len() int { return len(r.elo) }

// Rating returns the rating of engine i for tables: relative to the mean of all engines,
// but of two engines relative to the second, so that the first has the same Elo as in
// Elo.
func (r *Ratings) Rating(i int) Interval {
	if len(r.elo) == 2 {
		return r.Difference(i, 1)
	}
	return r.AboutMean(i)
}

// Enough reports whether engine i has enough games to state its rating: see Enough.
func (r *Ratings) Enough(i int) bool { return r.games[i] >= minGames }

// AboutMean returns the rating of engine i relative to the mean of all engines, which is
// zero. Of two engines this is half their difference.
func (r *Ratings) AboutMean(i int) Interval {
	n := float64(len(r.elo))
	if n == 1 {
		return Interval{}
	}
	r.mu.Lock()
	known, ok := r.about[i]
	r.mu.Unlock()
	if ok {
		return known
	}
	// The rating is (n-1)/n of the difference to the mean of the others.
	weights := make([]float64, len(r.elo))
	for j := range weights {
		weights[j] = -1 / (n - 1)
	}
	weights[i] = 1
	low, high := r.contrast(weights).interval()
	scale := (n - 1) / n
	made := around(r.elo[i], scale*low, scale*high)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.about[i] = made
	return made
}

// Anchored returns the rating of engine i if that of the anchor is fixed at elo. The
// interval is that of their difference; the anchor's own has no width.
func (r *Ratings) Anchored(i, anchor int, elo float64) Interval {
	d := r.Difference(i, anchor)
	return Interval{d.Value + elo, d.Low + elo, d.High + elo}
}

// Difference returns how much stronger engine i is than engine j. An end of the interval is
// infinite if no game bounds it: if i, directly and through others, won or lost all games
// that compare it with j.
func (r *Ratings) Difference(i, j int) Interval {
	if i == j {
		return Interval{}
	}
	if i > j {
		d := r.compare(j, i).difference
		return Interval{-d.Value, -d.High, -d.Low}
	}
	return r.compare(i, j).difference
}

// comparison is the difference of two engines and the likelihood that the first is stronger.
type comparison struct {
	difference Interval
	los        float64
}

// compare compares two engines, once.
func (r *Ratings) compare(i, j int) comparison {
	r.mu.Lock()
	known, ok := r.compared[[2]int{i, j}]
	r.mu.Unlock()
	if ok {
		return known
	}
	weights := make([]float64, len(r.elo))
	weights[i], weights[j] = 1, -1
	c := r.contrast(weights)
	low, high := c.interval()
	made := comparison{around(r.elo[i]-r.elo[j], low, high), normalCDF(c.excess(slices.Clone(c.center), 0) * confidence / c.reach)}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.compared[[2]int{i, j}] = made
	return made
}

// LOS returns the likelihood, from 0 to 1, that engine i is stronger than engine j; 1/2
// if their ratings are equal. It is above 97.5% if and only if the interval of Difference
// is above 0, unless very few or lopsided games leave the test of Rate without an end on
// that side: then it may be lower.
func (r *Ratings) LOS(i, j int) float64 {
	if r.elo[i] == r.elo[j] {
		return 0.5
	}
	if i > j {
		return 1 - r.compare(j, i).los
	}
	return r.compare(i, j).los
}

// contrast is a weighted sum of ratings, such as the difference of two, with what its
// interval needs: see Rate. Numbers are in natural units.
type contrast struct {
	weights []float64
	games   *maximum  // with the adjustment
	center  []float64 // the ratings of games
	scatter []float64 // of each encounter, at the center
	width   float64   // the standard error of the sum at the center
	reach   float64   // standard errors on either side of the mean in an interval
	// fallback reports whether points bound the sum from below and above. If they do and the
	// test finds no end, because they are very few, the end is reach times width away.
	fallback [2]bool
}

// contrast prepares the weighted sum of the ratings. The weights add up to zero.
func (r *Ratings) contrast(weights []float64) *contrast {
	c := &contrast{weights: weights, games: &maximum{engines: len(r.elo)}}
	pull := r.fit.curvature(r.top).factor().solve(weights[1:])
	sum := dot(weights[1:], pull)
	for k := range r.fit.encounters {
		e := &r.fit.encounters[k]
		d := e.across(pull)
		c.games.add(e.Encounter, max(0.01*e.virtual, adjustment*e.information(r.top)*d*d/sum))
	}
	c.center = c.games.climb(slices.Clone(r.top))
	pull = c.games.curvature(c.center).factor().solve(weights[1:])
	variance, squares, most := 0.0, 0.0, 0.0
	for k := range c.games.encounters {
		e := &c.games.encounters[k]
		scatter, d := e.scatter(e.expected(c.center)), e.across(pull)
		outcomes := float64(e.Games.Total()+e.Pairs.Total()) + e.virtual/float64(e.gamesPerOutcome())
		c.scatter = append(c.scatter, scatter)
		part := scatter * d * d
		variance += part
		most = max(most, part)
		squares += part * part / outcomes
	}
	c.width = math.Sqrt(variance)
	c.reach = student(variance*variance/squares - 1)
	if most < variance*(1-settled) { // not one encounter alone, whose interval is that of Elo
		c.fallback = r.bounded(weights)
	}
	return c
}

// bounded reports whether points bound a weighted sum of ratings from below and from above.
// The likelihood of an engine that took no point from any engine of a group rises as both
// move apart. The sum is therefore bounded from above if a chain of points leads from each
// engine of negative weight to each of positive weight, and from below if one leads back.
func (r *Ratings) bounded(weights []float64) (bounds [2]bool) {
	bounds = [2]bool{true, true}
	for i, w := range weights {
		if w <= 0 {
			continue
		}
		for side, beats := range []func(points, games float64) bool{
			func(points, _ float64) bool { return points > 0 },
			func(points, games float64) bool { return points < games },
		} {
			reached := r.chains(i, beats)
			for j, v := range weights {
				if v < 0 && !reached[j] {
					bounds[side] = false
				}
			}
		}
	}
	return bounds
}

// chains returns the engines that a chain of encounters leads to from one engine. follow
// reports whether to go on from the engine that took the points to the other.
func (r *Ratings) chains(from int, follow func(points, games float64) bool) []bool {
	reached := make([]bool, len(r.elo))
	reached[from] = true
	for grown := true; grown; {
		grown = false
		for _, e := range r.fit.encounters {
			points, games := e.Encounter.points(), float64(e.Encounter.games())
			if reached[e.First] && !reached[e.Second] && follow(points, games) {
				reached[e.Second], grown = true, true
			}
			if reached[e.Second] && !reached[e.First] && follow(games-points, games) {
				reached[e.First], grown = true, true
			}
		}
	}
	return reached
}

// furthest is how far two engines that met may be further apart at an end of an interval than
// at its center, in natural units: 2,606 Elo. Beyond it their games say nothing.
const furthest = 15

// interval returns the sums, in Elo, whose excess is less than reach.
func (c *contrast) interval() (low, high float64) {
	return naturalElo * c.end(-1), naturalElo * c.end(1)
}

// end returns the lower or upper end of the interval, for a direction of -1 or 1.
func (c *contrast) end(direction float64) float64 {
	middle := dot(c.weights, c.center)
	ratings := slices.Clone(c.center)
	// beyond is positive outside the interval.
	beyond := func(distance float64) float64 {
		return -direction*c.excess(ratings, middle+direction*distance) - c.reach
	}
	wald := c.reach * c.width
	near, far := 0.0, wald
	atNear, atFar := -c.reach, beyond(far)
	// A step so long that the curvature vanishes has no excess: it is halved, up to 20 times.
	halvings := 0
	for !(atFar >= 0) {
		lost := math.IsNaN(atFar)
		if lost {
			halvings++
			copy(ratings, c.center)
		}
		if halvings > 20 || c.games.apart(ratings)-c.games.apart(c.center) > furthest {
			if c.fallback[int(direction+1)/2] {
				return middle + direction*wald
			}
			return math.Inf(int(direction))
		}
		if lost {
			far = (near + far) / 2
		} else {
			near, atNear = far, atFar
			far *= 1.5
		}
		atFar = beyond(far)
	}
	// The Illinois method: M. Dowell and P. Jarratt, "A modified regula falsi method for
	// computing the root of an equation" (1971).
	for range 100 {
		at := (near*atFar - far*atNear) / (atFar - atNear)
		if far-near < settled || at <= near || at >= far {
			break
		}
		switch b := beyond(at); {
		case math.Abs(b) < 1e-9:
			return middle + direction*at
		case b < 0:
			near, atNear, atFar = at, b, atFar/2
		default:
			far, atFar, atNear = at, b, atNear/2
		}
	}
	return middle + direction*(near+far)/2
}

// excess returns by how many standard errors the games say more than a value of the sum: the
// derivative of the likelihood by the sum, at the most likely ratings with this sum, in
// units of its standard error. It falls as the sum rises. ratings is where to start, and
// receives these ratings.
func (c *contrast) excess(ratings []float64, sum float64) float64 {
	var pull []float64
	for range maxNewtonSteps {
		factored := c.games.curvature(ratings).factor()
		pull = factored.solve(c.weights[1:])
		whole := dot(c.weights[1:], pull)
		// First move to the sum, then keep it.
		if gap := sum - dot(c.weights, ratings); math.Abs(gap) > settled {
			copy(ratings, moved(ratings, pull, gap/whole))
			continue
		}
		step := factored.solve(c.games.gradient(ratings))
		along := dot(c.weights[1:], step) / whole
		for i := range step {
			step[i] -= along * pull[i]
		}
		next, length := c.games.advance(ratings, step)
		copy(ratings, next)
		if length < settled {
			break
		}
	}
	variance := 0.0
	for k := range c.games.encounters {
		e := &c.games.encounters[k]
		d := e.across(pull)
		variance += c.scatter[k] * d * d
	}
	return dot(pull, c.games.gradient(ratings)) / math.Sqrt(variance)
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// around returns an interval that includes the value.
func around(value, low, high float64) Interval {
	return Interval{value, math.Min(low, value), math.Max(high, value)}
}

// DefaultPrior is the usual prior of Rate: one virtual game for each engine.
const DefaultPrior = 1.0

// Newton's method stops when no rating changes by more than settled. It halves steps
// longer than longStep while they lower the likelihood; shorter steps are safe. All are
// in natural units of 174 Elo.
const (
	settled        = 1e-11
	longStep       = 0.1
	maxNewtonSteps = 200
)

// naturalElo is the Elo of one natural unit of rating, in which the expected score is
// 1/(1+exp(-difference)).
const naturalElo = 400 / math.Ln10

// Rate returns the maximum-likelihood ratings of a number of engines in the Bradley-Terry
// model, with a draw as half a win and half a loss: the ratings whose logistic
// expectations add up to each engine's points. The difference of two engines that met
// nobody else is the Elo of their score, with the interval and LOS of Elo and LOS.
//
// prior is the number of virtual games, half of them won, that are added for each engine and
// shared among those that it met; it must be positive. It keeps the ratings finite if an
// engine won or lost all games, and favors no rating. Use DefaultPrior. A virtual game against
// each opponent would draw the ends of a wide tournament hundreds of Elo closer together. Two
// engines need no prior unless one of them scored all points.
//
// The interval of a difference holds the values that the games do not contradict. At the
// most likely ratings with such a difference, the points of the games that compare the two
// engines differ from the expected ones by less than two standard errors, which come from
// the observed scatter of the points. Draws, and opposite results within a pair, therefore
// narrow it. The test is also valid if an engine won all games, when the likelihood has no
// curvature at its top that could say how certain the ratings are: games against other
// engines make no difference less certain, and an end that nothing bounds is infinite.
// Before the test, five games are added as in [Elo]. They are shared among the encounters
// by their part in the uncertainty of the difference, so two engines that no others connect
// have the interval and LOS of [Elo] and [LOS], whatever else they played. The degrees of
// freedom of Student's distribution are Satterthwaite's.
//
// Sources: R. Bradley and M. Terry, "Rank analysis of incomplete block designs" (1952);
// P. Huber, "The behavior of maximum likelihood estimates under nonstandard conditions"
// (1967); D. Boos, "On generalized score tests" (1992); W. Hauck and A. Donner, "Wald's test
// as applied to hypotheses in logit analysis" (1977); F. Satterthwaite, "An approximate
// distribution of estimates of variance components" (1946).
//
// The error is an *UnlinkedError if games do not connect all engines. Rate also returns
// an error if an engine met itself or is out of range, or if the prior is not positive.
func Rate(engines int, encounters []Encounter, prior float64) (*Ratings, error) {
	if engines < 1 {
		return nil, fmt.Errorf("%d engines: need at least one", engines)
	}
	if !(prior > 0) || math.IsInf(prior, 1) {
		return nil, fmt.Errorf("prior %v: must be a positive number of games", prior)
	}
	merged, err := merge(engines, encounters)
	if err != nil {
		return nil, err
	}
	if err := linked(engines, merged); err != nil {
		return nil, err
	}
	if len(merged) == 1 && merged[0].points() > 0 && merged[0].points() < float64(merged[0].games()) {
		prior = 0
	}
	met, games := make([]int, engines), make([]int, engines) // other engines, and games
	for _, e := range merged {
		for _, engine := range []int{e.First, e.Second} {
			met[engine]++
			games[engine] += e.games()
		}
	}
	fit := &maximum{engines: engines}
	for _, e := range merged {
		fit.add(e, prior/float64(max(met[e.First], met[e.Second])))
	}
	r := &Ratings{fit: fit, top: fit.climb(make([]float64, engines)), games: games, compared: map[[2]int]comparison{}, about: map[int]Interval{}}
	mean := 0.0
	for _, x := range r.top {
		mean += x / float64(engines)
	}
	for _, x := range r.top {
		r.elo = append(r.elo, naturalElo*(x-mean))
	}
	return r, nil
}

// maximum finds the ratings of maximum likelihood. Ratings are in natural units. Only
// differences count, so engine 0 stays at zero, and the vectors and matrices of the
// equations omit it: row i is engine i+1.
type maximum struct {
	engines    int
	encounters []regularized
}

// regularized is an encounter with a number of virtual games, half of them won.
type regularized struct {
	Encounter
	virtual, games, points float64 // all with the virtual games
}

func (m *maximum) add(e Encounter, virtual float64) {
	m.encounters = append(m.encounters, regularized{e, virtual, float64(e.games()) + virtual, e.points() + virtual/2})
}

// scatter returns the scatter of an encounter, including the virtual games: single games,
// or independent games in pairs if the encounter has pairs.
func (e *regularized) scatter(p float64) float64 {
	perGame := adjustmentVariance + float64(e.gamesPerOutcome())*(p-0.5)*(p-0.5)
	return e.Encounter.scatter(p) + e.virtual*perGame
}

// expected returns the expected score per game of an encounter's first engine.
func (e *regularized) expected(ratings []float64) float64 {
	return 1 / (1 + math.Exp(ratings[e.Second]-ratings[e.First]))
}

// information returns the part of an encounter in the curvature of the likelihood.
func (e *regularized) information(ratings []float64) float64 {
	// p(1-p), also if 1-p is too small for a difference.
	odds := math.Exp(-math.Abs(ratings[e.First] - ratings[e.Second]))
	return e.games * odds / ((1 + odds) * (1 + odds))
}

// across returns the difference of its engines in a vector of the equations.
func (e *regularized) across(vector []float64) float64 {
	d := -vector[e.Second-1] // Second is never engine 0
	if e.First > 0 {
		d += vector[e.First-1]
	}
	return d
}

// apart returns the largest difference of the ratings of two engines that met.
func (m *maximum) apart(ratings []float64) float64 {
	most := 0.0
	for k := range m.encounters {
		e := &m.encounters[k]
		most = max(most, math.Abs(ratings[e.First]-ratings[e.Second]))
	}
	return most
}

// climb finds the ratings by Newton's method from a start, which it changes.
func (m *maximum) climb(ratings []float64) []float64 {
	for range maxNewtonSteps {
		next, length := m.advance(ratings, m.curvature(ratings).factor().solve(m.gradient(ratings)))
		ratings = next
		if length < settled {
			break
		}
	}
	return ratings
}

// advance returns the ratings after a step of Newton's method, and the longest change.
func (m *maximum) advance(ratings, step []float64) (next []float64, length float64) {
	for _, s := range step {
		length = max(length, math.Abs(s))
	}
	share := 1.0
	next = moved(ratings, step, share)
	if length > longStep {
		for m.logLikelihood(next) < m.logLikelihood(ratings) && share*length > longStep {
			share /= 2
			next = moved(ratings, step, share)
		}
	}
	return next, length
}

// moved returns the ratings after a share of a step.
func moved(ratings, step []float64, share float64) []float64 {
	next := make([]float64, len(ratings))
	for i, s := range step {
		next[i+1] = ratings[i+1] + share*s
	}
	return next
}

// logLikelihood returns the log-likelihood of the points up to a constant. Written with
// logarithms of 1+exp(-|d|), it is finite for all differences d.
func (m *maximum) logLikelihood(ratings []float64) float64 {
	sum := 0.0
	for k := range m.encounters {
		e := &m.encounters[k]
		d := ratings[e.First] - ratings[e.Second]
		sum += e.points*d - e.games*(math.Max(d, 0)+math.Log1p(math.Exp(-math.Abs(d))))
	}
	return sum
}

// gradient returns by how much each engine's points exceed the expected points.
func (m *maximum) gradient(ratings []float64) []float64 {
	all := make([]float64, m.engines)
	for k := range m.encounters {
		e := &m.encounters[k]
		above := e.points - e.games*e.expected(ratings)
		all[e.First] += above
		all[e.Second] -= above
	}
	return all[1:]
}

// curvature returns the negative second derivative of the log-likelihood. It is positive
// definite because games link all engines to engine 0.
func (m *maximum) curvature(ratings []float64) symmetric {
	sum := newSymmetric(m.engines - 1)
	for k := range m.encounters {
		e := &m.encounters[k]
		w := e.information(ratings)
		i, j := e.First-1, e.Second-1
		sum[j][j] += w
		if i >= 0 {
			sum[i][i] += w
			sum[i][j] -= w
			sum[j][i] -= w
		}
	}
	return sum
}

// Encounter is the results between two engines from the view of the first. Engines are
// identified by their indices. A game counts either in Games or, with the other game of
// its pair, in Pairs.
type Encounter struct {
	First, Second int
	Games         Games
	Pairs         Pairs
}

// UnlinkedError is the error for two engines that cannot be compared: no games connect
// them, not even through other engines.
type UnlinkedError struct {
	First, Second int
}

// Error names the two engines by their indices.
func (e *UnlinkedError) Error() string {
	return fmt.Sprintf("engines %d and %d are not linked by any games", e.First, e.Second)
}

// swapped returns the same games from the second engine's view.
func (e Encounter) swapped() Encounter {
	return Encounter{First: e.Second, Second: e.First, Games: e.Games.Swapped(), Pairs: e.Pairs.Swapped()}
}

// games returns the number of games, including those in pairs.
func (e Encounter) games() int { return e.Games.Total() + 2*e.Pairs.Total() }

// gamesPerOutcome returns 2 if the encounter has pairs, otherwise 1.
func (e Encounter) gamesPerOutcome() int {
	if e.Pairs.Total() > 0 {
		return e.Pairs.GamesPerOutcome()
	}
	return e.Games.GamesPerOutcome()
}

// points returns the points of the first engine.
func (e Encounter) points() float64 {
	halves := 2*e.Games.Wins + e.Games.Draws
	for i, n := range e.Pairs {
		halves += i * n
	}
	return float64(halves) / 2
}

// scatter returns the sum of the squared differences between the points and the expected
// points at a score of p per game, over single games and pairs.
func (e Encounter) scatter(p float64) float64 {
	sum := 0.0
	for _, c := range []Counts{e.Games, e.Pairs} {
		worth := float64(c.GamesPerOutcome())
		classes := c.Classes()
		for i, n := range classes {
			off := worth * (classScore(i, len(classes)) - p)
			sum += float64(n) * off * off
		}
	}
	return sum
}

// merge checks the encounters and returns one for each two engines that met, with First
// less than Second, in ascending order.
func merge(engines int, encounters []Encounter) ([]Encounter, error) {
	var merged []Encounter
	index := map[[2]int]int{}
	for i, e := range encounters {
		if err := e.check(engines); err != nil {
			return nil, fmt.Errorf("encounter %d: %w", i, err)
		}
		if e.games() == 0 {
			continue
		}
		if e.First > e.Second {
			e = e.swapped()
		}
		key := [2]int{e.First, e.Second}
		at, met := index[key]
		if !met {
			index[key] = len(merged)
			merged = append(merged, e)
			continue
		}
		merged[at].Games = merged[at].Games.Plus(e.Games)
		merged[at].Pairs = merged[at].Pairs.Plus(e.Pairs)
	}
	slices.SortFunc(merged, func(a, b Encounter) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
	})
	return merged, nil
}

// check returns an error if e is invalid for a number of engines.
func (e Encounter) check(engines int) error {
	for _, i := range []int{e.First, e.Second} {
		if i < 0 || i >= engines {
			return fmt.Errorf("engine %d: there are %d engines", i, engines)
		}
	}
	if e.First == e.Second {
		return fmt.Errorf("engine %d met itself", e.First)
	}
	for _, c := range []Counts{e.Games, e.Pairs} {
		for _, n := range c.Classes() {
			if n < 0 {
				return fmt.Errorf("engines %d and %d: negative count %d", e.First, e.Second, n)
			}
		}
	}
	return nil
}

// linked returns an *UnlinkedError unless games connect engine 0 to all others.
func linked(engines int, encounters []Encounter) error {
	reached := make([]bool, engines)
	reached[0] = true
	for grown := true; grown; {
		grown = false
		for _, e := range encounters {
			if reached[e.First] != reached[e.Second] {
				reached[e.First], reached[e.Second] = true, true
				grown = true
			}
		}
	}
	for i, r := range reached {
		if !r {
			return &UnlinkedError{First: 0, Second: i}
		}
	}
	return nil
}

// Opponent is an engine with a known rating, and the results of another engine against
// it.
type Opponent struct {
	Elo   Estimate
	Games Games // from the view of the other
	Pairs Pairs // from the view of the other; not included in Games
}

// Place returns the rating of an engine from its games against opponents with known
// ratings: the maximum-likelihood rating in the Bradley-Terry model of Rate, with prior
// virtual games, half of them won, shared among the opponents. prior must be positive; it
// keeps the rating finite.
//
// The error combines that from the curvature of the likelihood with the errors of the
// opponents' ratings, weighted and taken as independent. Without games the rating is 0
// with an infinite error.
func Place(opponents []Opponent, prior float64) Estimate {
	met := 0
	for _, o := range opponents {
		if o.Games.Total()+o.Pairs.Total() > 0 {
			met++
		}
	}
	prior /= float64(max(met, 1))
	low, high := -placeReach, placeReach
	for range 100 {
		middle := (low + high) / 2
		if excess, _ := placeAt(opponents, prior, middle); excess > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	rating := (low + high) / 2
	_, weights := placeAt(opponents, prior, rating)
	total := 0.0
	for _, w := range weights {
		total += w
	}
	if total == 0 {
		return Estimate{Error: math.Inf(1)}
	}
	reach := confidence * naturalElo / math.Sqrt(total)
	variance := reach * reach
	for i, w := range weights {
		part := w / total * opponents[i].Elo.Error
		variance += part * part
	}
	return Estimate{Value: rating, Error: math.Sqrt(variance)}
}

// placeReach is the maximum rating in Elo, far beyond any that games can show.
const placeReach = 100_000.0

// placeAt returns by how much an engine's points exceed those expected at a rating, and the
// weight of each opponent: the information in its games. prior is for each opponent.
func placeAt(opponents []Opponent, prior, elo float64) (excess float64, weights []float64) {
	for _, o := range opponents {
		e := Encounter{Games: o.Games, Pairs: o.Pairs}
		games := float64(e.games())
		if games == 0 {
			weights = append(weights, 0)
			continue
		}
		p := ScoreOfElo(elo - o.Elo.Value)
		excess += e.points() + prior/2 - (games+prior)*p
		weights = append(weights, (games+prior)*p*(1-p))
	}
	return excess, weights
}

// symmetric is a symmetric matrix by rows, with both triangles.
type symmetric [][]float64

// newSymmetric returns the zero matrix with n rows.
func newSymmetric(n int) symmetric {
	cells := make([]float64, n*n)
	rows := make(symmetric, n)
	for i := range rows {
		rows[i] = cells[i*n : (i+1)*n]
	}
	return rows
}

// cholesky is the lower triangle L of a positive definite matrix L L^T. What is above it has no meaning.
type cholesky [][]float64

// factor turns a, which must be positive definite, into its Cholesky factor.
func (a symmetric) factor() cholesky {
	l := cholesky(a)
	for j := range a {
		column := l[j][:j]
		i := j
		// Four rows at a time: their sums do not wait for each other.
		for ; i+4 <= len(a); i += 4 {
			l0, l1, l2, l3 := l[i][:j], l[i+1][:j], l[i+2][:j], l[i+3][:j]
			s0, s1, s2, s3 := a[i][j], a[i+1][j], a[i+2][j], a[i+3][j]
			for k, c := range column {
				s0 -= float64(l0[k] * c)
				s1 -= float64(l1[k] * c)
				s2 -= float64(l2[k] * c)
				s3 -= float64(l3[k] * c)
			}
			l[i][j], l[i+1][j], l[i+2][j], l[i+3][j] = s0, s1, s2, s3
		}
		for ; i < len(a); i++ {
			rest := a[i][j]
			for k, c := range column {
				rest -= float64(l[i][k] * c)
			}
			l[i][j] = rest
		}
		l[j][j] = math.Sqrt(l[j][j])
		for i := j + 1; i < len(a); i++ {
			l[i][j] /= l[j][j]
		}
	}
	return l
}

// solve returns the x for which L L^T x = b.
func (l cholesky) solve(b []float64) []float64 {
	x := make([]float64, len(b))
	for i := range x {
		x[i] = b[i]
		for k := range i {
			x[i] -= l[i][k] * x[k]
		}
		x[i] /= l[i][i]
	}
	for i := len(x) - 1; i >= 0; i-- {
		for k := i + 1; k < len(x); k++ {
			x[i] -= l[k][i] * x[k]
		}
		x[i] /= l[i][i]
	}
	return x
}
