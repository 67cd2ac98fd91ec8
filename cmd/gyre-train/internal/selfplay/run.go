package selfplay

import (
	"context"
	"errors"
	"sync"

	"gyre/cmd/gyre-train/internal/sample"
)

// Engine makes the searchers of a run, one for each thread.
type Engine func() Searcher

// job is a game to play.
type job struct {
	number uint32
	done   chan struct{} // closed when what follows is set
	game   *sample.Game
	err    error
}

// gamesAhead is how many games of each thread may wait for one before them.
const gamesAhead = 8

// Run plays the games with the numbers first to end - 1 on so many threads, and
// gives them to keep in order, several at once if they are ready. It ends early
// with the first error: that of keep, of a game, or the cause of ctx.
func Run(ctx context.Context, r *Recipe, engine Engine, threads int, first, end uint32, keep func([]*sample.Game) error) error {
	ctx, cancel := context.WithCancel(ctx)
	jobs := make(chan *job)
	order := make(chan *job, gamesAhead*threads)
	var players sync.WaitGroup
	defer players.Wait()
	defer cancel()
	for range threads {
		players.Go(func() {
			p := NewPlayer(r, engine())
			for j := range jobs {
				j.game, j.err = p.Game(ctx, j.number)
				close(j.done)
			}
		})
	}
	players.Go(func() {
		defer close(order)
		defer close(jobs)
		for number := first; number < end; number++ {
			j := &job{number: number, done: make(chan struct{})}
			select {
			case order <- j:
			case <-ctx.Done():
				return
			}
			jobs <- j // a player that is told to stop soon takes it
		}
	})
	kept, err := collect(order, keep)
	if err == nil && kept < int(end-first) {
		err = context.Cause(ctx)
	}
	return err
}

// collect gives games to keep in the order in which they come, and returns how
// many.
func collect(order <-chan *job, keep func([]*sample.Game) error) (kept int, err error) {
	var batch []*sample.Game
	hand := func() error {
		if len(batch) == 0 {
			return nil
		}
		err := keep(batch)
		kept += len(batch)
		batch = nil
		return err
	}
	for j := range order {
		if !j.ready() {
			if err := hand(); err != nil {
				return kept, err
			}
			<-j.done
		}
		if j.err != nil {
			return kept, errors.Join(j.err, hand())
		}
		batch = append(batch, j.game)
	}
	return kept, hand()
}

// ready tells whether the game is played.
func (j *job) ready() bool {
	select {
	case <-j.done:
		return true
	default:
		return false
	}
}
