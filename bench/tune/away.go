package tune

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"gyre/bench/game"
	"gyre/bench/match"
)

// Away is the [Player] whose pairs of games a crew plays, on other machines for one. Begin
// has to be called before, and End after all.
type Away struct {
	// Match is of the engine, checked, against itself: first plus, then minus.
	Match      *match.Match
	Parameters []Parameter // options of the engine
	Crew       match.Crew
	Warn       func(error)

	jobs chan match.Job
	stop context.CancelFunc
	over chan struct{} // closed when the crew plays no more
	err  error         // why, then

	handing sync.Mutex // of openings and jobs: the games of a pair follow each other
	mu      sync.Mutex
	waiting map[int]chan *match.Line // by pair
}

// errOver is why a crew plays no more.
var errOver = errors.New("the tuning is over")

// Begin has the crew play.
func (a *Away) Begin(ctx context.Context) {
	ctx, a.stop = context.WithCancel(ctx)
	a.jobs, a.over = make(chan match.Job), make(chan struct{})
	a.waiting = map[int]chan *match.Line{}
	results := make(chan match.Result)
	go a.Crew.Play(ctx, a.Match, a.jobs, results, a.Warn)
	go func() {
		defer close(a.over)
		for r := range results {
			switch {
			case r.Err != nil:
				a.err = errors.Join(a.err, r.Err)
				a.stop()
			default:
				a.came(r)
			}
		}
		if a.err == nil {
			a.err = errOver
		}
	}()
}

// came passes a game on to who waits for it.
func (a *Away) came(r match.Result) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if waits := a.waiting[r.Line.Game/2]; waits != nil {
		waits <- r.Line // it has place for both games
	}
	if r.Kept != nil {
		r.Kept() // if it comes not to the disk the pair is played again
	}
}

// End ends the crew.
func (a *Away) End() {
	a.stop()
	<-a.over
}

// Play has the crew play the pair of games of an iteration. See [Player].
func (a *Away) Play(ctx context.Context, _, k int, plus, minus []int) (Result, error) {
	games, err := a.handOut(ctx, k, plus, minus)
	if err != nil {
		return Result{}, err
	}
	var result Result
	for range 2 {
		select {
		case line := <-games:
			if line.Reason.Broken() {
				return Result{}, fmt.Errorf("iteration %d, with %v as plus and %v as minus: %s: %v: %s", k,
					settings(a.Parameters, plus), settings(a.Parameters, minus), line.Result, line.Reason, line.Detail)
			}
			result.count(line.Game%2, line.Outcome())
		case <-a.over:
			return Result{}, a.err
		case <-ctx.Done():
			return Result{}, context.Cause(ctx)
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.waiting, k-1)
	return result, nil
}

// handOut gives both games of an iteration to the crew, one after the other.
func (a *Away) handOut(ctx context.Context, k int, plus, minus []int) (<-chan *match.Line, error) {
	a.handing.Lock()
	defer a.handing.Unlock()
	opening, err := a.Match.Openings.Opening(k - 1)
	if err != nil {
		return nil, fmt.Errorf("opening of iteration %d: %w", k, err)
	}
	games := make(chan *match.Line, 2)
	a.mu.Lock()
	a.waiting[k-1] = games
	a.mu.Unlock()
	for number := 2 * (k - 1); number < 2*k; number++ {
		j := match.Job{Game: a.Match.Schedule.Game(number), Opening: opening,
			Settings: map[int][]game.Setting{plusSide: settings(a.Parameters, plus), minusSide: settings(a.Parameters, minus)}}
		select {
		case a.jobs <- j:
		case <-a.over:
			return nil, a.err
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return games, nil
}
