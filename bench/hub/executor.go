package hub

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"gyre/bench/match"
)

// Crew is the workers of a hub as the crew of one match.
type Crew struct {
	Hub *Hub
	// Programs are those of the match's engines: their files are sent to the hub.
	Programs []Program
	// Clock is what real clocks are for, if there are any: see Hub.Reference.
	Clock *ClockSpec
	// Client says where the match's journal is. The same match of the same client
	// takes results that came while it was not played.
	Client string
	// Score returns the match's score; it may be nil. It may be called from any goroutine.
	Score func() Progress
	// Settings are Default but in tests.
	Settings Settings

	match   *match.Match
	results chan<- match.Result
	last    *match.Line // the game that was kept last
}

// Play has the workers of the hub play the games: see match.Executor.
func (c *Crew) Play(ctx context.Context, m *match.Match, jobs <-chan match.Job, results chan<- match.Result, warn func(error)) (match.End, error) {
	defer close(results)
	c.match, c.results = m, results
	d := &dealer{hub: c.Hub, of: c, client: c.Client, score: c.Score, settings: c.Settings, warn: warn}
	units, stop := make(chan *unit), make(chan struct{})
	var pairing sync.WaitGroup
	pairing.Go(func() { pairUp(jobs, units, stop) })
	err := d.deal(ctx, units)
	close(stop)
	pairing.Wait()
	if err != nil && ctx.Err() == nil {
		return match.Failed, err
	}
	return match.EndOf(ctx), nil
}

// pairUp makes units of games: the two of a pair are one. It closes units, and ends early
// when stop is closed.
func pairUp(jobs <-chan match.Job, units chan<- *unit, stop <-chan struct{}) {
	defer close(units)
	var half []match.Job // of a pair whose second game is yet to come
	pass := func() {
		u := &unit{number: half[0].Game.Pair, games: len(half), jobs: half, job: newJob(half)}
		half = nil
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
		if len(half) > 0 && (!open || j.Game.Pair != half[0].Game.Pair) {
			pass()
		}
		if !open {
			return
		}
		if half = append(half, j); len(half) == 2 {
			pass()
		}
	}
}

func (c *Crew) name() string { return c.match.ID }

func (c *Crew) spec() (*Spec, []*Blob, error) { return newSpec(c.match, c.Programs, c.Clock, c.Client) }

// judge returns why a result cannot be that of its games.
func (c *Crew) judge(u *unit, r *resultMessage) error {
	if len(r.Games) != len(u.jobs) {
		return fmt.Errorf("%d games, and %d were to be played", len(r.Games), len(u.jobs))
	}
	if err := c.Clock.judge(r); err != nil {
		return err
	}
	for i, j := range u.jobs {
		if err := c.match.Verify(j, r.Games[i]); err != nil {
			return fmt.Errorf("game %d: %w", j.Game.Number+1, err)
		}
	}
	return nil
}

// doubt tells of an engine that did not play: it may have been the machine. A loss on time
// is believed, as it is elsewhere: see game.Reason.Broken.
func (c *Crew) doubt(r *resultMessage, worker string) error {
	for _, line := range r.Games {
		if line.Reason.Broken() {
			return fmt.Errorf("game %d: %s loses on worker %s: %s: %s; the pair is played once more", line.Game+1, line.Loser(), worker, line.Reason, line.Detail)
		}
	}
	return nil
}

// repeats tells whether the same job has the same games each time: not with real clocks,
// players that choose by chance, engines that search in several threads, or such as each
// worker may have another build of.
func (c *Crew) repeats() bool {
	if realTime(c.match) {
		return false
	}
	for i := range c.match.Engines {
		if c.Programs[i].Reference+c.Programs[i].Offered != "" {
			return false
		}
		for _, o := range c.match.Engines[i].Settings {
			if strings.EqualFold(o.Name, "Threads") && o.Value != "1" {
				return false
			}
		}
	}
	return true
}

// differ returns how two results of the same job differ, nil if they do not.
func (c *Crew) differ(one, other *resultMessage) error {
	for i := range one.Games {
		if err := match.Same(one.Games[i], other.Games[i]); err != nil {
			return fmt.Errorf("game %d: %w", one.Games[i].Game+1, err)
		}
	}
	return nil
}

// keep has the games of a pair go to the journal.
func (c *Crew) keep(_ *unit, r *resultMessage, worker string, kept func()) error {
	var left atomic.Int64
	left.Store(int64(len(r.Games)))
	for _, line := range r.Games {
		line.Worker = worker
		c.last = line
		c.results <- match.Result{Line: line, Kept: func() {
			if left.Add(-1) == 0 {
				kept()
			}
		}}
	}
	return nil
}

// newest returns how the game ended that was kept last.
func (c *Crew) newest() *Newest {
	if c.last == nil {
		return nil
	}
	l := c.last
	played, err := l.Played()
	if err != nil {
		return nil // it was played when it came
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

// ClientOf returns what is told of where results are kept: this machine and the file.
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
