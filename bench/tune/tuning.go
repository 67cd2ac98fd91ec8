// Package tune improves the values of an engine's options by playing games of the engine
// against itself. It uses SPSA, simultaneous perturbation stochastic approximation (Spall,
// "Multivariate Stochastic Approximation Using a Simultaneous Perturbation Gradient
// Approximation", 1992), in the variant of Stockfish's fishtest.
//
// One iteration is a pair of games from one opening with colors reversed. Each value is
// randomly moved up or down for one side, and the opposite way for the other side. Then all
// values move a little toward the side that scored better. The random choices of an
// iteration depend only on the seed and its number. All iterations of a batch start from the
// values after the previous batch. So a tuning reaches the same values at any concurrency and
// after any interruption, as long as its games are reproducible.
//
// [Tuning.Run] runs a tuning and records every iteration in a file. A [Player] plays the
// games: [Games] through an executor, on this machine or on others.
package tune

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"

	"gyre/bench/journal"
	"gyre/bench/match"
	"gyre/bench/stats"
)

// Player plays the iterations of a tuning. Its methods may be called concurrently.
type Player interface {
	// Play plays iteration k, counted from 1, with the given values for the two sides, and
	// counts the games from the view of plus. It returns an error if they produced no result or
	// ctx is done. It calls begun once it may be called for the next iteration.
	Play(ctx context.Context, k int, plus, minus []int, begun func()) (stats.Games, error)
}

// Tuning describes a tuning.
type Tuning struct {
	SPSA
	// ID identifies the tuning in every line of its file. It must be the same for the same
	// engine, openings and conditions. Run adds its own parameters.
	ID string
	// Program identifies the engine's program, which may change under the same command.
	Program string
	// Setup, if not nil, goes into the first line that Run writes. If the file belongs to
	// another tuning, the error says how its setup differs.
	Setup *match.Setup
	// OtherPrograms allows resuming a file that another program played.
	OtherPrograms bool
	Concurrency   int // iterations played at once
	Batch         int // iterations that start from the same values
	// Turns, if not nil, are those in which Run reads the file.
	Turns journal.Turns `json:"-"`
}

// Check reports what is wrong with the tuning, or nil.
func (t *Tuning) Check() error {
	switch {
	case t.Concurrency < 1:
		return fmt.Errorf("concurrency %d: must be at least 1", t.Concurrency)
	case t.Batch < 1:
		return fmt.Errorf("batch %d: must be at least 1", t.Batch)
	}
	if err := t.SPSA.Check(); err != nil {
		return err
	}
	// Values between the bounds have fewer digits than one of them.
	longest := line{Tuning: t.Identity(), Iteration: t.Iterations, Program: t.Program, Games: stats.Games{Wins: 2, Draws: 2, Losses: 2}, Setup: t.Setup}
	for _, p := range t.Parameters {
		value := p.Min
		if len(strconv.Itoa(p.Max)) > len(strconv.Itoa(p.Min)) {
			value = p.Max
		}
		longest.Plus = append(longest.Plus, value)
	}
	longest.Minus = longest.Plus
	_, err := journal.AppendChecked(nil, longest)
	return err
}

// Progress is the state of a tuning.
type Progress struct {
	Played int         // iterations
	Total  stats.Games // from the view of plus
	Path   []Point     // the values at the start and after each batch; of many batches, at even distances and after the last
}

// Point is a point of the path of a tuning.
type Point struct {
	Iteration int // after which it had the values; 0 at the start
	Values    []float64
}

// A path has maxPoints points at most, or those with maxValues values of all parameters, but leastPoints.
const (
	maxPoints   = 1000
	leastPoints = 16
	maxValues   = 200_000
)

// Values returns the current values.
func (p *Progress) Values() []float64 { return p.Path[len(p.Path)-1].Values }

// Observer follows a tuning. Its methods are never called concurrently.
type Observer interface {
	// Resumed is called once, with the progress read from the file.
	Resumed(*Progress)
	// Ended is called after each iteration, once it is on disk.
	Ended(*Progress)
}

// Run plays the iterations that are missing from the file at path, which it creates if
// necessary. When ctx is done, it drops unfinished iterations. It returns the progress
// together with an error, unless it could not start. If ctx is done first, the error is its
// cause.
func (t *Tuning) Run(ctx context.Context, path string, player Player, observer Observer) (*Progress, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	r := &run{Tuning: t, identity: t.Identity(), player: player, observer: observer, results: map[int]stats.Games{}, setup: t.Setup}
	log, err := journal.Open(path, func(in io.Reader) (int64, error) {
		in, endTurn := journal.InTurns(in, t.Turns)
		defer endTurn()
		return kind.ReadLines(in, path, r.read)
	})
	if err != nil {
		return nil, err
	}
	r.log = log
	r.begin()
	observer.Resumed(&r.progress)
	for err == nil && r.learned < t.Iterations {
		if err = r.batch(ctx); err == nil {
			r.learn()
		}
	}
	return &r.progress, errors.Join(err, log.Close())
}

// Read returns the progress in the file at path, which it does not change. A missing file has none. If ctx is done first,
// the error is its cause.
func (t *Tuning) Read(ctx context.Context, path string) (*Progress, error) {
	r := &run{Tuning: t, identity: t.Identity(), results: map[int]stats.Games{}}
	file, err := os.Open(path)
	if err == nil {
		defer file.Close()
		_, err = kind.ReadLines(file, path, func(text []byte) error { return cmp.Or(context.Cause(ctx), r.read(text)) })
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	r.begin()
	return &r.progress, nil
}

// Brief returns the current values in one line.
func (t *Tuning) Brief(p *Progress) string {
	var words []string
	for i, parameter := range t.Parameters {
		words = append(words, fmt.Sprintf("%s %.1f", parameter.Name, p.Values()[i]))
	}
	return strings.Join(words, ", ")
}

// run is a running tuning.
type run struct {
	*Tuning
	identity string // of the tuning, which may have many parameters
	player   Player
	learned  int // number of iterations learned from, all from the first on
	stride   int // iterations between two points of the path

	mu       sync.Mutex // guards the following fields
	log      *journal.Journal
	observer Observer
	results  map[int]stats.Games // by iteration
	progress Progress
	setup    *match.Setup // for the next line; nil once it is written
	before   *match.Setup // the last one of the file
}

// begin sets the progress from the results in the file.
func (r *run) begin() {
	r.progress.Path, r.stride = []Point{{Values: r.Start()}}, r.Batch
	for r.learn() {
	}
	r.progress.Played = len(r.results)
	for _, games := range r.results {
		r.progress.Total = r.progress.Total.Plus(games)
	}
}

// last returns the last iteration of the next batch.
func (r *run) last() int { return min(r.learned+r.Batch, r.Iterations) }

// learn learns from the next batch if it is complete, and reports whether it was.
func (r *run) learn() bool {
	last := r.last()
	for k := r.learned + 1; k <= last; k++ {
		if _, played := r.results[k]; !played {
			return false
		}
	}
	values := append([]float64(nil), r.progress.Values()...)
	for k := r.learned + 1; k <= last; k++ {
		r.Learn(values, k, float64(r.results[k].Wins-r.results[k].Losses))
	}
	r.learned = last
	r.add(Point{last, values})
	return last < r.Iterations
}

// add adds a point to the path. If there are too many, every other one goes.
func (r *run) add(next Point) {
	path := r.progress.Path
	isBetween := func(one Point) bool { return one.Iteration%r.stride != 0 }
	if last := len(path) - 1; last > 0 && isBetween(path[last]) {
		path = path[:last]
	}
	if len(path) >= min(maxPoints, max(maxValues/max(len(next.Values), 1), leastPoints)) {
		r.stride *= 2
		path = slices.DeleteFunc(path, isBetween)
	}
	r.progress.Path = append(path, next)
}

// batch plays the missing iterations of the next batch. An iteration has a goroutine from when the one before has begun: a
// hub has tunings with large batches, of which few iterations are played at once.
func (r *run) batch(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	values := r.progress.Values()
	var players sync.WaitGroup
	atOnce := make(chan struct{}, min(r.Concurrency, r.Batch))
	for k := r.learned + 1; k <= r.last(); k++ {
		if r.isPlayed(k) {
			continue
		}
		select {
		case atOnce <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		next := make(chan struct{})
		players.Go(func() {
			begun := sync.OnceFunc(func() { close(next) })
			defer begun()
			defer func() { <-atOnce }()
			plus, minus := r.Sides(values, k)
			result, err := r.player.Play(ctx, k, plus, minus, begun)
			if err == nil {
				err = r.keep(k, plus, minus, result)
			}
			if err != nil {
				stop(err)
			}
		})
		<-next
	}
	players.Wait()
	return context.Cause(ctx)
}

func (r *run) isPlayed(k int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, played := r.results[k]
	return played
}

// keep writes an iteration to disk and counts it.
func (r *run) keep(k int, plus, minus []int, result stats.Games) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	text, err := journal.AppendChecked(nil, line{Tuning: r.identity, Iteration: k, Program: r.Program, Plus: plus, Minus: minus, Games: result, Setup: r.setup})
	if err == nil {
		err = r.log.Append(text)
	}
	if err != nil {
		return err
	}
	r.setup = nil
	r.results[k] = result
	r.progress.Played++
	r.progress.Total = r.progress.Total.Plus(result)
	r.observer.Ended(&r.progress)
	return nil
}

// line is an iteration in the file.
type line struct {
	Tuning    string `json:"tuning"` // [Tuning.Identity]
	Iteration int    `json:"iteration"`
	Program   string `json:"program"`
	Plus      []int  `json:"plus"` // the sides' values, by parameter
	Minus     []int  `json:"minus"`
	stats.Games
	Setup *match.Setup `json:"setup,omitempty"` // in the first line of each run
}

// kind describes files of iterations.
var kind = journal.Kind{
	Prefix:  `{"tuning":`,
	Foreign: errors.New("not a line of a tuning, so the file was not changed: use another file name"),
}

// Identity returns a text that identifies the tuning. It does not depend on the concurrency.
func (t *Tuning) Identity() string {
	var all []string
	for _, p := range t.Parameters {
		all = append(all, p.String())
	}
	text := fmt.Sprint(t.ID, " ", strings.Join(all, " "), " ", t.Iterations, " ", t.Rate, " ", t.Seed, " ", t.Batch)
	return fmt.Sprintf("%016x", xxh3.HashString(text))
}

// read reads a line.
func (r *run) read(text []byte) error {
	if err := kind.Check(text); err != nil {
		return err
	}
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return err
	}
	_, twice := r.results[l.Iteration]
	r.before = cmp.Or(l.Setup, r.before)
	switch {
	case l.Tuning != r.identity:
		return &journal.OtherRunError{Flag: "-out", Differences: r.before.Differences(r.Setup)}
	case l.Iteration < 1 || l.Iteration > r.Iterations || twice:
		return fmt.Errorf("iteration %d: repeated, or not from 1 to %d", l.Iteration, r.Iterations)
	case l.Program != r.Program && !r.OtherPrograms:
		return fmt.Errorf("the engine has changed: its command now starts %q, but %q played iteration %d; "+
			"start a new tuning with another -out, or resume this one with -other-programs", r.Program, l.Program, l.Iteration)
	}
	r.results[l.Iteration] = l.Games
	return nil
}

// Parameter is an integer option to tune.
type Parameter struct {
	Name     string
	Value    int     // initial value
	Min, Max int     // range
	Step     float64 // distance of the two sides from the value in the last iteration, c in SPSA; larger before
}

// ParseParameter parses NAME=VALUE,MIN,MAX,STEP.
func ParseParameter(text string) (Parameter, error) {
	name, numbers, found := strings.Cut(text, "=")
	words := strings.Split(numbers, ",")
	if !found || name == "" || len(words) != 4 {
		return Parameter{}, fmt.Errorf("%q: expected NAME=START,MIN,MAX,STEP, for example FutilityPerTurn=40,0,120,6", text)
	}
	p := Parameter{Name: name}
	for i, number := range []*int{&p.Value, &p.Min, &p.Max} {
		var err error
		if *number, err = strconv.Atoi(words[i]); err != nil {
			return Parameter{}, fmt.Errorf("%s: %q: expected an integer", name, words[i])
		}
	}
	var err error
	if p.Step, err = strconv.ParseFloat(words[3], 64); err != nil {
		return Parameter{}, fmt.Errorf("%s: %q: the step must be a number", name, words[3])
	}
	return p, p.Check()
}

// Check reports what is wrong with the parameter, or nil.
func (p Parameter) Check() error {
	switch {
	case p.Min >= p.Max:
		return fmt.Errorf("%s: the minimum %d must be less than the maximum %d", p.Name, p.Min, p.Max)
	case p.Value < p.Min || p.Value > p.Max:
		return fmt.Errorf("%s: %d is out of range %d to %d", p.Name, p.Value, p.Min, p.Max)
	case !(p.Step > 0) || p.Step > float64(p.Max-p.Min):
		return fmt.Errorf("%s: step %g: must be above 0 and at most the distance from %d to %d", p.Name, p.Step, p.Min, p.Max)
	}
	return nil
}

// String formats the parameter as ParseParameter reads it.
func (p Parameter) String() string {
	return fmt.Sprintf("%s=%d,%d,%d,%g", p.Name, p.Value, p.Min, p.Max, p.Step)
}

// SPSA holds the parameters of the method. Iteration k, counted from 1, moves a value by
// c_k = c / k^0.101 for its games, and then by a_k = a / (A + k)^0.602 times the gradient
// estimate. Spall recommends these exponents ("Implementation of the Simultaneous Perturbation
// Algorithm for Stochastic Optimization", 1998). A is a tenth of all iterations. In the last
// iteration c_k = Step and a_k = Rate Step^2, as in fishtest.
type SPSA struct {
	Parameters []Parameter
	Iterations int
	Rate       float64
	Seed       uint64
}

// The exponents, and the fraction of the iterations that is A.
const (
	alpha     = 0.602
	gamma     = 0.101
	stability = 0.1
)

// Check reports what is wrong, or nil.
func (s *SPSA) Check() error {
	names := map[string]bool{}
	for _, p := range s.Parameters {
		if err := p.Check(); err != nil {
			return err
		}
		if name := strings.ToLower(p.Name); names[name] {
			return fmt.Errorf("parameter %s is given twice", p.Name)
		}
		names[strings.ToLower(p.Name)] = true
	}
	switch {
	case len(s.Parameters) == 0:
		return errors.New("no parameters: name at least one option to tune")
	case s.Iterations < 1:
		return fmt.Errorf("%d iterations: must be at least 1", s.Iterations)
	case !(s.Rate > 0 && s.Rate <= 1):
		return fmt.Errorf("rate %g: must be above 0 and at most 1", s.Rate)
	}
	return nil
}

// Start returns the initial values.
func (s *SPSA) Start() []float64 {
	var values []float64
	for _, p := range s.Parameters {
		values = append(values, float64(p.Value))
	}
	return values
}

// perturbation returns c_k of a parameter.
func (s *SPSA) perturbation(p *Parameter, k int) float64 {
	return p.Step * math.Pow(float64(s.Iterations)/float64(k), gamma)
}

// gain returns a_k of a parameter.
func (s *SPSA) gain(p *Parameter, k int) float64 {
	shift := stability * float64(s.Iterations)
	return s.Rate * p.Step * p.Step * math.Pow((shift+float64(s.Iterations))/(shift+float64(k)), alpha)
}

// Sides returns the values of both sides in iteration k. Each value is moved up for one side
// and down for the other. Fractions are rounded randomly in proportion, in the same way for
// both sides, so that they count on average.
func (s *SPSA) Sides(values []float64, k int) (plus, minus []int) {
	rng := s.chance(k)
	for i := range s.Parameters {
		p := &s.Parameters[i]
		move := sign(rng) * s.perturbation(p, k)
		up := rng.Float64()
		plus = append(plus, p.whole(values[i]+move, up))
		minus = append(minus, p.whole(values[i]-move, up))
	}
	return plus, minus
}

// Learn moves values by the result of iteration k: the wins of plus minus its losses.
func (s *SPSA) Learn(values []float64, k int, result float64) {
	rng := s.chance(k)
	for i := range s.Parameters {
		p := &s.Parameters[i]
		direction := sign(rng)
		rng.Float64() // keeps the sequence in step with Sides
		values[i] += direction * s.gain(p, k) / s.perturbation(p, k) * result
		values[i] = min(max(values[i], float64(p.Min)), float64(p.Max))
	}
}

// chance returns the random source of iteration k.
func (s *SPSA) chance(k int) *rand.Rand { return rand.New(rand.NewPCG(s.Seed, uint64(k))) }

// Round returns the integer nearest to value.
func Round(value float64) int { return int(math.Round(value)) }

// sign returns 1 or -1 at random.
func sign(rng *rand.Rand) float64 { return float64(2*rng.IntN(2) - 1) }

// whole rounds value down, or up if its fraction plus up reaches 1; up is from 0 to 1.
func (p *Parameter) whole(value, up float64) int {
	return min(max(int(math.Floor(value+up)), p.Min), p.Max)
}
