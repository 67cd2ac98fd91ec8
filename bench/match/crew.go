package match

import (
	"context"
	"fmt"
	"sync"

	"gyre/bench/game"
)

// Job is a game to play.
type Job struct {
	Game    Game
	Opening game.Opening
	// Settings are options of engines in this game alone, by index.
	Settings map[int][]game.Setting
}

// Result is a game that was played, or why it was not.
type Result struct {
	Line *Line
	Err  error
	// Kept, if not nil, is called when the line is on disk for good.
	Kept func()
}

// Crew plays the games of a match: the workers of this process, or those of other
// machines. What holds for all of them:
//
//   - Play returns and closes results when jobs is closed and all its games were played,
//     or ctx is done; then nothing of it runs any more.
//   - Each job has one result with a line at most. Games come in any order.
//   - Results are taken until they are closed, also after ctx is done. After an error
//     among them nothing more is wanted of Play.
//   - warn may be called from any goroutine until Play returns.
type Crew interface {
	Play(ctx context.Context, m *Match, jobs <-chan Job, results chan<- Result, warn func(error))
}

// handOut gives the games of the numbers to the crew, in their order.
func (m *Match) handOut(ctx context.Context, numbers []int, jobs chan<- Job) error {
	defer close(jobs)
	for _, number := range numbers {
		g := m.Schedule.Game(number)
		opening, err := m.Openings.Opening(g.Round)
		if err != nil {
			return fmt.Errorf("opening of round %d: %w", g.Round+1, err)
		}
		select {
		case jobs <- Job{Game: g, Opening: opening}:
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

// local is the crew of this process: Match.Concurrency workers.
type local struct{}

// Play has all workers take jobs until there are no more.
func (local) Play(ctx context.Context, m *Match, jobs <-chan Job, results chan<- Result, warn func(error)) {
	var all sync.WaitGroup
	for i := range m.Concurrency {
		w := m.NewWorker(warn)
		if m.Processors != nil {
			w.processors = m.Processors[i]
		}
		all.Go(func() {
			defer w.Close()
			for j := range jobs {
				line, err := w.Play(ctx, j)
				results <- Result{Line: line, Err: err}
				if err != nil {
					return
				}
			}
		})
	}
	all.Wait()
	close(results)
}
