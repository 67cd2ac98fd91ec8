package game

import (
	"errors"
	"fmt"
	"time"

	"gyre/position"
)

// Verify replays a game that was played elsewhere by two engines, by side, and returns
// why it cannot have come of Play; nil if it can. Checked are every turn, the end by the
// rules or the scores, and with a virtual clock all times. What a replay cannot know it
// takes as told: scores, nodes, real times, and that an engine was at fault, though not
// where the game was over without it.
func (p *Played) Verify(engines [2]*Engine, conditions Conditions) error {
	board, err := p.Opening.End()
	if err != nil {
		return err
	}
	v := replay{engines: engines, conditions: conditions, agreement: agreement{rules: conditions.Adjudication}}
	for side := range v.clocks {
		v.clocks[side] = newClock(engines[side].Limits)
	}
	result, reason, detail := position.Ongoing, Unfinished, ""
	for i := range p.Plies {
		ply, number := &p.Plies[i], len(p.Opening.Turns)+i+1
		if reason != Unfinished {
			return fmt.Errorf("turn %d comes after the game's end by %v", number, reason)
		}
		if ply.Turn == position.None || !board.Legal(ply.Turn) {
			return fmt.Errorf("turn %d, %v, is not legal", number, ply.Turn)
		}
		if !conditions.PV && len(ply.PV) > 0 {
			return fmt.Errorf("turn %d has a line, which was not to be kept", number)
		}
		side := board.SideToMove()
		if err := v.charge(side, ply); err != nil {
			return fmt.Errorf("turn %d: %w", number, err)
		}
		var child position.Position
		board.Play(&child, ply.Turn)
		board = child
		result, reason, detail = v.agreement.after(&board, side, ply, number)
	}
	if err := v.late(p); err != nil {
		return err
	}
	switch {
	case reason == Unfinished && p.Reason.Fault() && p.Result != position.Draw:
		return nil // as told
	case reason == Unfinished:
		return fmt.Errorf("the game ended by %v, which its turns do not tell", p.Reason)
	case p.Reason != reason || p.Result != result || p.Detail != detail:
		return fmt.Errorf("the end is %v, %v %q, by its turns it is %v, %v %q", p.Result, p.Reason, p.Detail, result, reason, detail)
	}
	return nil
}

// replay is a game that is verified.
type replay struct {
	engines    [2]*Engine
	conditions Conditions
	clocks     [2]clock
	agreement  agreement
	over       []time.Duration // of turns that took more than their time, by virtual clocks
}

// charge takes a turn's time off a virtual clock.
func (v *replay) charge(side position.Side, ply *Ply) error {
	limits := v.engines[side].Limits
	if limits.NodesTime == 0 {
		return nil
	}
	elapsed := virtualTime(ply.Nodes, limits.NodesTime)
	if differ(elapsed, ply.Time) {
		return fmt.Errorf("%d nodes are %v, not %v", ply.Nodes, elapsed, ply.Time)
	}
	allowed, timed := v.clocks[side].allowed()
	if timed && elapsed > allowed+v.engines[side].margin(v.conditions) {
		return fmt.Errorf("it took %v of %v, and the game went on", elapsed, allowed)
	}
	if timed && elapsed > allowed {
		v.over = append(v.over, elapsed-allowed)
	}
	v.clocks[side].spend(elapsed)
	return nil
}

// late holds the times of answers that were late to those of virtual clocks. A game that
// was lost on time has one more.
func (v *replay) late(p *Played) error {
	for _, e := range v.engines {
		if e.Limits.NodesTime == 0 && e.Limits.Timed() {
			return nil
		}
	}
	want := len(v.over)
	if p.Reason == TimeForfeit {
		want++
	}
	if len(p.Late) != want {
		return fmt.Errorf("%d answers are told to be late, by the clocks it is %d", len(p.Late), want)
	}
	for i, over := range v.over {
		if differ(over, p.Late[i]) {
			return fmt.Errorf("an answer is told to be late by %v, by the clock it is %v", p.Late[i], over)
		}
	}
	if p.Reason == TimeForfeit && !v.engines[0].Limits.Timed() && !v.engines[1].Limits.Timed() {
		return errors.New("a loss on time without a clock")
	}
	return nil
}

// differ tells whether two times are more than the rounding of files apart.
func differ(a, b time.Duration) bool { return max(a-b, b-a) > time.Microsecond }
