// Package tune finds better values of an engine's options by games of the engine against
// itself: SPSA, simultaneous perturbation stochastic approximation (Spall, "Multivariate
// Stochastic Approximation Using a Simultaneous Perturbation Gradient Approximation",
// 1992), as Stockfish's fishtest has it.
//
//	spsa.go    SPSA: values, gains, and what a pair of games teaches
//	tuning.go  Tuning: what is played, and Run, with every pair on disk
//	line.go    a pair as a line of JSON, and the file of lines
//	games.go   Games: a pair of games between an engine and itself
//	away.go    Away: the same by a crew, on other machines for one
//
// An iteration is a pair of games from one opening, with colours reversed: all values are
// moved by chance, each up or down, for one side, and by as much the other way for the
// other. All values then move a little towards the side that did better. Each iteration
// draws its chances from the seed and its number, and the iterations of a batch all start
// from the values after the batch before. So a tuning comes to the same values for any
// number of games at once, and however often it was killed, as long as its games repeat.
package tune

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"

	"gyre/bench/journal"
)

// Player plays the iterations of a tuning. Its methods may be called from several
// goroutines.
type Player interface {
	// Play plays iteration k, from 1, with these values for the two sides, in a slot from
	// 0 and below Tuning.Concurrency that no other iteration has meanwhile. The result is
	// how many games more plus has won than minus. An error is that nothing was found, or
	// ctx's.
	Play(ctx context.Context, slot, k int, plus, minus []int) (Result, error)
}

// Result is what an iteration came to, as plus sees it.
type Result struct {
	Wins   int `json:"wins"`
	Draws  int `json:"draws"`
	Losses int `json:"losses"`
}

// Balance is how many more games were won than lost.
func (r Result) Balance() float64 { return float64(r.Wins - r.Losses) }

// Tuning is what is sought, and how.
type Tuning struct {
	SPSA
	// ID tells this tuning from others, in every line of its file: the same for the same
	// engine, openings and conditions. Run adds what it knows itself.
	ID string
	// Program tells the program that plays from others under the same command.
	Program string
	// OtherPrograms goes on although another program played what is on disk.
	OtherPrograms bool
	Concurrency   int // iterations at once
	Batch         int // iterations that start from the same values
}

// Check returns what is wrong, nil if nothing.
func (t *Tuning) Check() error {
	switch {
	case t.Concurrency < 1:
		return fmt.Errorf("concurrency %d: not at least 1", t.Concurrency)
	case t.Batch < 1:
		return fmt.Errorf("batch %d: not at least 1", t.Batch)
	}
	return t.SPSA.Check()
}

// Progress is how far a tuning has come.
type Progress struct {
	Played int // iterations
	Total  Result
	Path   [][]float64 // the values at first and after each batch, by parameter
}

// Values returns the values as they stand.
func (p *Progress) Values() []float64 { return p.Path[len(p.Path)-1] }

// Observer hears how a tuning goes, one call at a time.
type Observer interface {
	// Resumed is called once, with what was on disk.
	Resumed(*Progress)
	// Ended is called after each iteration, when it is on disk.
	Ended(*Progress)
}

// Run plays the iterations that are not yet in the file at path, which it begins if there
// is none. Those under way when ctx is done are dropped. The progress comes also with an
// error, unless nothing could be begun; the error is ctx's cause when that is done first.
func (t *Tuning) Run(ctx context.Context, path string, player Player, observer Observer) (*Progress, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	r := &run{Tuning: t, player: player, observer: observer, results: map[int]Result{}}
	log, err := r.open(path)
	if err != nil {
		return nil, err
	}
	r.log = log
	r.progress.Path = [][]float64{t.Start()}
	for r.learn() {
	}
	r.progress.Played, r.progress.Total = len(r.results), total(r.results)
	observer.Resumed(&r.progress)
	for err == nil && r.learned < t.Iterations {
		if err = r.batch(ctx); err == nil {
			r.learn()
		}
	}
	return &r.progress, errors.Join(err, log.Close())
}

// total returns the sum of results.
func total(results map[int]Result) (sum Result) {
	for _, r := range results {
		sum.add(r)
	}
	return sum
}

// add counts another result.
func (r *Result) add(other Result) {
	r.Wins += other.Wins
	r.Draws += other.Draws
	r.Losses += other.Losses
}

// run is a tuning that runs.
type run struct {
	*Tuning
	player  Player
	learned int // iterations, all up to this one

	mu       sync.Mutex // of all that follows
	log      *journal.Journal
	observer Observer
	results  map[int]Result // by iteration
	progress Progress
}

// last returns the last iteration of the batch that is next to be learned from.
func (r *run) last() int { return min(r.learned+r.Batch, r.Iterations) }

// learn learns from the next batch if it is whole, and tells whether it was.
func (r *run) learn() bool {
	last := r.last()
	for k := r.learned + 1; k <= last; k++ {
		if _, played := r.results[k]; !played {
			return false
		}
	}
	values := append([]float64(nil), r.progress.Values()...)
	for k := r.learned + 1; k <= last; k++ {
		r.Learn(values, k, r.results[k].Balance())
	}
	r.learned = last
	r.progress.Path = append(r.progress.Path, values)
	return last < r.Iterations
}

// batch plays what is missing of the next batch.
func (r *run) batch(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	missing := make(chan int, r.Batch)
	for k := r.learned + 1; k <= r.last(); k++ {
		if _, played := r.results[k]; !played {
			missing <- k
		}
	}
	close(missing)
	values := r.progress.Values()
	var slots sync.WaitGroup
	for slot := range r.Concurrency {
		slots.Go(func() {
			for k := range missing {
				if ctx.Err() != nil {
					return
				}
				plus, minus := r.Sides(values, k)
				result, err := r.player.Play(ctx, slot, k, plus, minus)
				if err == nil {
					err = r.keep(k, plus, minus, result)
				}
				if err != nil {
					stop(err)
					return
				}
			}
		})
	}
	slots.Wait()
	return context.Cause(ctx)
}

// keep takes an iteration to disk and counts it.
func (r *run) keep(k int, plus, minus []int, result Result) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	text, err := line{Tuning: r.Identity(), Iteration: k, Program: r.Program, Plus: plus, Minus: minus, Result: result}.text()
	if err == nil {
		err = r.log.Append(text)
	}
	if err != nil {
		return err
	}
	r.results[k] = result
	r.progress.Played++
	r.progress.Total.add(result)
	r.observer.Ended(&r.progress)
	return nil
}

// line is an iteration on disk.
type line struct {
	Tuning    string `json:"tuning"` // which it belongs to
	Iteration int    `json:"iteration"`
	Program   string `json:"program"`
	Plus      []int  `json:"plus"` // the values of the sides, by parameter
	Minus     []int  `json:"minus"`
	Result
}

// kind is that of a file of iterations.
var kind = journal.Kind{
	Begins:  `{"tuning":`,
	Foreign: errors.New("this is no line of a tuning, so the file stays as it is: give another name"),
}

// text returns the line with its checksum and its end.
func (l line) text() ([]byte, error) {
	object, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	return journal.AppendChecked(nil, object), nil
}

// Identity returns what tells this tuning from others: the same for any number of
// iterations at once.
func (t *Tuning) Identity() string {
	var all []string
	for _, p := range t.Parameters {
		all = append(all, p.String())
	}
	text := fmt.Sprint(t.ID, " ", strings.Join(all, " "), " ", t.Iterations, " ", t.Rate, " ", t.Seed, " ", t.Batch)
	return fmt.Sprintf("%016x", xxh3.HashString(text))
}

// open opens the file at path, or begins it, and reads the iterations that it holds.
func (r *run) open(path string) (*journal.Journal, error) {
	return journal.Open(path, func(in io.Reader) (int64, error) { return kind.ReadLines(in, path, r.read) })
}

// read takes a whole line.
func (r *run) read(text []byte) error {
	if err := kind.Check(text); err != nil {
		return err
	}
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return err
	}
	_, twice := r.results[l.Iteration]
	switch {
	case l.Tuning != r.Identity():
		return fmt.Errorf("iteration %d is of another tuning, with other parameters, iterations, engines, openings or conditions", l.Iteration)
	case l.Iteration < 1 || l.Iteration > r.Iterations || twice:
		return fmt.Errorf("iteration %d: of %d, each once", l.Iteration, r.Iterations)
	case l.Program != r.Program && !r.OtherPrograms:
		return fmt.Errorf("the engine has changed: its command starts %q, but iteration %d was played by %q; "+
			"begin another tuning with a new -out, or go on all the same with -other-programs", r.Program, l.Iteration, l.Program)
	}
	r.results[l.Iteration] = l.Result
	return nil
}
