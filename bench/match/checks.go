package match

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"gyre/bench/game"
	"gyre/position"
)

// BrokenError tells that a match has stopped because an engine did not play.
type BrokenError struct {
	Line *Line // the game, which is on disk
}

// Error tells the game, the engine, and what was wrong with it.
func (e *BrokenError) Error() string {
	return fmt.Sprintf("stopped after game %d: %s loses: %s: %s", e.Line.Game+1, e.Line.Loser(), e.Line.Reason, e.Line.Detail)
}

// CheckEngines has every engine show that it can play, as many at once as games
// are played, and notes which program each is; but not those that are not on this
// machine. Run does it unless it was done. The
// error tells all engines that cannot play, or is ctx's cause.
func (m *Match) CheckEngines(ctx context.Context) error {
	opening, err := m.Openings.Opening(0)
	if err != nil {
		return fmt.Errorf("opening of round 1: %w", err)
	}
	checked := make([]game.Checked, len(m.Engines))
	failures := make([]error, len(m.Engines))
	slots := make(chan struct{}, m.Concurrency)
	var all sync.WaitGroup
	for i := range m.Engines {
		e := &m.Engines[i]
		if e.Start == nil { // those who play with it check it
			checked[i].Program = e.Program
			continue
		}
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			w := &Worker{match: m}
			player := game.NewPlayer(e, m.Patience, w.trace(e.Name))
			checked[i], failures[i] = player.Check(ctx, opening, m.Conditions)
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	programs := make([]string, len(m.Engines))
	for i := range m.Engines {
		if failures[i] != nil {
			failures[i] = fmt.Errorf("engine %s cannot play: %w", m.Engines[i].Name, failures[i])
		}
		programs[i] = checked[i].Program
		if warning := checked[i].Warning; warning != nil {
			m.warnings = append(m.warnings, warning)
		}
	}
	if err := errors.Join(failures...); err != nil {
		return err
	}
	m.programs = programs
	return nil
}

// Programs returns which program each engine is, as CheckEngines has noted it.
func (m *Match) Programs() []string { return m.programs }

// lastProgram is the program that played as an engine in a file's last game of it.
type lastProgram struct {
	program string // empty for none
	game    int
}

// notePrograms remembers who played a game of the file.
func (c *collector) notePrograms(line *Line) {
	if line.Game >= c.standing.schedule.Games() {
		return // an error elsewhere
	}
	for side, engine := range c.standing.schedule.Game(line.Game).Sides {
		if program := line.Programs[position.Side(side)]; program != "" {
			c.programs[engine] = lastProgram{program, line.Game}
		}
	}
}

// samePrograms returns an error when an engine that was checked is another program
// than the one that played the games on disk: their result would be of neither.
func (m *Match) samePrograms(played []lastProgram) error {
	for i, last := range played {
		if last.program != "" && last.program != m.programs[i] && !m.OtherPrograms {
			return fmt.Errorf("engine %s has changed: its command starts %q, but game %d was played by %q; "+
				"begin another match with a new -out, or go on all the same with -other-programs",
				m.Engines[i].Name, m.programs[i], last.game+1, last.program)
		}
	}
	return nil
}
