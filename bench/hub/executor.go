package hub

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"gyre/bench/hub/internal/wire"
	"gyre/bench/match"
)

// Executor plays the games of one match on the workers of a hub. It implements
// match.Executor.
type Executor struct {
	Hub *Hub
	// Programs are the programs of the match's engines. Their files are sent to the hub.
	Programs []Program
	// Clock is the speed that real clocks are meant for, if there are any; see
	// Hub.Reference.
	Clock *ClockSpec
	// Client says where the match's journal is; see ClientOf. When the same client resumes
	// the same match, it gets the results that came meanwhile.
	Client string
	// Score returns the match's score; it may be nil. It may be called from any goroutine.
	Score func() Progress
	Queue Queue
	// Settings are Default except in tests.
	Settings Settings

	given    *work // by a Controller; nil otherwise
	match    *match.Match
	work     *work // of match
	results  chan<- match.Result
	last     *match.Line      // the game recorded last
	disputed map[int]*recheck // of the match, also for its next execution
	longest  time.Duration    // see dispatcher; also for its next execution
}

// ClientOf returns the name of a client that stores its results in a file: this machine and
// the file.
func ClientOf(file string) string {
	machine, err := os.Hostname()
	if err != nil {
		machine = "unknown"
	}
	if path, err := filepath.Abs(file); err == nil {
		file = path
	}
	return machine + ":" + file
}

// Play plays the games on the workers of the hub; see match.Executor.
func (e *Executor) Play(ctx context.Context, m *match.Match, jobs <-chan match.Job, results chan<- match.Result, warn func(error)) error {
	defer close(results)
	w, err := e.workOf(m)
	if err != nil {
		return err
	}
	e.results = results
	d := &dispatcher{work: *w, task: e, warnings: wire.NewWarnings(warn), excluded: m.Excluded(), disputed: e.disputed, longest: e.longest}
	units, stop := make(chan *unit), make(chan struct{})
	var pairing sync.WaitGroup
	pairing.Go(func() { pairUp(jobs, units, stop) })
	err = d.dispatch(ctx, units)
	e.longest = d.longest
	close(stop)
	pairing.Wait()
	if err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

// workOf returns what is played of a match. It reads the programs, which may be large, once for each match.
func (e *Executor) workOf(m *match.Match) (*work, error) {
	if e.match != m {
		e.disputed, e.longest = map[int]*recheck{}, 0
	}
	switch {
	case e.match == m:
	case e.given != nil:
		e.match, e.work = m, e.given
	default:
		spec, blobs, err := newSpec(m, e.Programs, e.Clock, e.Client)
		if err != nil {
			return nil, err
		}
		e.match, e.work = m, &work{hub: e.Hub, spec: spec, blobs: blobs, owner: e.Hub.name, began: time.Now(), queue: e.Queue, settings: e.Settings, score: e.Score}
	}
	return e.work, nil
}

// Checks implements match.Checker.
func (e *Executor) Checks(m *match.Match) bool {
	w, err := e.workOf(m)
	return err == nil && w.compares()
}

// pairUp makes units of the games of each pair. It closes units, and returns early when stop
// is closed.
func pairUp(jobs <-chan match.Job, units chan<- *unit, stop <-chan struct{}) {
	defer close(units)
	var pair []match.Job
	emit := func() {
		u := &unit{number: pair[0].Game.Pair, games: len(pair), jobs: pair, job: newJob(pair), doubted: pair[0].Doubted}
		if pair[0].Earlier != nil {
			u.earlier = &resultMessage{}
			for _, j := range pair {
				u.earlier.Games = append(u.earlier.Games, j.Earlier)
			}
		}
		pair = nil
		select {
		case units <- u:
		case <-stop:
		}
	}
	for {
		var j match.Job
		open := false
		select {
		case j, open = <-jobs:
		case <-stop:
			return
		}
		if len(pair) > 0 && (!open || j.Game.Pair != pair[0].Game.Pair) {
			emit()
		}
		if !open {
			return
		}
		if pair = append(pair, j); len(pair) == 2 {
			emit()
		}
	}
}

// verify replays the games of a result.
func (e *Executor) verify(u *unit, r *resultMessage) error {
	if len(r.Games) != len(u.jobs) {
		return fmt.Errorf("it has %d games instead of %d", len(r.Games), len(u.jobs))
	}
	if err := e.Clock.verify(r); err != nil {
		return err
	}
	for i, j := range u.jobs {
		if err := e.match.Verify(j, r.Games[i]); err != nil {
			return fmt.Errorf("game %d: %w", j.Game.Number+1, err)
		}
	}
	return nil
}

// needsReplay reports a game that an engine lost by a fault: the machine may have caused it. A
// loss on time counts, as in local matches; see game.Reason.Broken.
func (e *Executor) needsReplay(r *resultMessage, worker string) error {
	for _, line := range r.Games {
		if line.Reason.Broken() {
			return fmt.Errorf("game %d: %s loses on worker %s: %s: %s; the pair is played once more", line.Game+1, line.Loser(), worker, line.Reason, line.Detail)
		}
	}
	return nil
}

func (e *Executor) faultEnds() bool { return !e.match.ContinueOnFault }

func (e *Executor) mayPlay(*unit) bool { return true } // the match writes a result at once

func (e *Executor) reserve(*unit, *resultMessage) bool { return true }

func (e *Executor) mismatch(one, other *resultMessage) error {
	for i := range one.Games {
		if err := match.Same(one.Games[i], other.Games[i]); err != nil {
			return fmt.Errorf("game %d: %w", one.Games[i].Game+1, err)
		}
	}
	return nil
}

// record sends the games of a pair to the match, which writes them to its journal.
func (e *Executor) record(_ *unit, r *resultMessage, worker string, recorded func()) error {
	var left atomic.Int64
	left.Store(int64(len(r.Games)))
	for _, line := range r.Games {
		line.Worker = worker
		e.last = line
		e.results <- match.Result{Line: line, Kept: func() {
			if left.Add(-1) == 0 {
				recorded()
			}
		}}
	}
	return nil
}

// replay plays the games of a pair on this machine.
func (e *Executor) replay(ctx context.Context, u *unit) (*resultMessage, error) {
	for i := range e.match.Engines {
		if e.match.Engines[i].Start == nil {
			return nil, errNotHere
		}
	}
	w := e.match.NewWorker(func(error) {})
	defer w.Close()
	r := &resultMessage{}
	for _, j := range u.jobs {
		line, err := w.Play(ctx, j)
		if err != nil {
			return nil, err
		}
		r.Games = append(r.Games, line)
	}
	return r, nil
}

// note implements task. If the match had one game of a pair already, only the other was compared, so the pair is neither
// confirmed nor disputed: the checks before the end of the match are of whole pairs.
func (e *Executor) note(u *unit, f finding) {
	pairs, whole := []int{u.number}, len(u.jobs) == 2
	switch {
	case f == confirmed && whole:
		e.results <- match.Result{Confirmed: pairs}
	case f == disputed && whole:
		e.results <- match.Result{Disputed: pairs}
	case f == doubted:
		e.results <- match.Result{Doubted: pairs}
	}
}

// retract takes a worker's games out of the match, which then closes the jobs. It plays these
// games in another execution.
func (e *Executor) retract(worker string, excludes bool, why error) {
	e.results <- match.Result{Retraction: &match.Retraction{Worker: worker, Why: why.Error(), Excludes: excludes}}
}

func (e *Executor) newest() *Newest {
	if e.last == nil {
		return nil
	}
	l := e.last
	played, err := l.Played()
	if err != nil {
		return nil // verify has replayed it
	}
	n := &Newest{Number: l.Game + 1, White: l.White, Black: l.Black, Result: l.Result, Reason: l.Reason.String(),
		Position: played.Final.String(), Turns: len(l.Opening) + len(l.Turns), Worker: l.Worker}
	switch {
	case len(l.Turns) > 0:
		n.Turn = l.Turns[len(l.Turns)-1].Turn
	case len(l.Opening) > 0:
		n.Turn = l.Opening[len(l.Opening)-1]
	}
	return n
}
