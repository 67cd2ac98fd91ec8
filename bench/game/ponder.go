package game

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"gyre/position"
	"gyre/protocol"
)

// ponderName is the option by which an engine is told that it will think in its
// opponent's time, UCI's name for it.
const ponderName = "Ponder"

// tellPonder finds out whether the engine ponders: its description sets the option, or
// the conditions do, for every engine that has it. The error says that its time is
// virtual: nodes in the opponent's time would cost it its own.
func (p *Player) tellPonder(client *protocol.Client, conditions Conditions) error {
	named := func(name string) bool { return strings.EqualFold(name, ponderName) }
	p.ponders = false
	for _, s := range p.Engine.Settings {
		if named(s.Name) {
			p.ponders, _ = strconv.ParseBool(s.Value) // SetOption has taken it
		}
	}
	set := slices.ContainsFunc(p.Engine.Settings, func(s Setting) bool { return named(s.Name) })
	has := slices.ContainsFunc(client.Options(), func(o protocol.Option) bool { return named(o.Name) })
	if conditions.Ponder && has && !set {
		if err := client.SetOption(ponderName, "true"); err != nil {
			return err
		}
		p.ponders = true
	}
	if p.ponders && p.Engine.Limits.NodesTime > 0 {
		return errors.New("it ponders, and its time is counted in nodes: one excludes the other")
	}
	return nil
}

// pondering is a search in the opponent's time.
type pondering struct {
	turn    position.Turn // that the opponent is expected to make
	running *protocol.Running
}

// ponder has an engine go on with the turn that it expects, after its own: that which
// it named, or the second of its line. An engine that expects none does not ponder. What
// goes wrong shows when it is asked next.
func (g *run) ponder(ctx context.Context, client *protocol.Client, side position.Side, answer *protocol.Answer) {
	expected := answer.Ponder
	if pv := answer.Last.PV; expected == position.None && len(pv) > 1 && pv[0] == answer.Best {
		expected = pv[1]
	}
	if expected == position.None || !g.played.Final.Legal(expected) {
		return
	}
	var child position.Position
	if g.played.Final.Play(&child, expected); child.Over() {
		return
	}
	if client.TellPosition(g.played.Opening.Start, append(slices.Clip(g.turns), expected)) != nil {
		return
	}
	limits := ask(side, g.clocks)
	limits.Ponder = true
	if running, err := client.Begin(ctx, limits, nil); err == nil {
		g.pondering[side] = &pondering{expected, running}
	}
}

// expected returns the search of the side to move, if it ponders on the turn that was
// made. Any other is ended.
func (g *run) expected(side position.Side) *protocol.Running {
	p := g.pondering[side]
	if p == nil || p.turn != g.turns[len(g.turns)-1] {
		g.endPondering(side)
		return nil
	}
	g.pondering[side] = nil
	return p.running
}

// endPondering stops the pondering of a side and hears its answer, which is for nothing:
// only an engine that gives none any more is at fault, and is found out by that.
func (g *run) endPondering(side position.Side) {
	p := g.pondering[side]
	if p == nil {
		return
	}
	g.pondering[side] = nil
	stopped, stop := context.WithCancel(context.Background())
	stop()
	_, _ = p.running.Wait(stopped)
}
