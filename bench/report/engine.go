package report

import (
	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/position"
)

// engine is what is kept of an engine.
type engine struct {
	name     string
	limits   string
	byColour [2]stats.Games
	faults   map[game.Reason]int

	turns                 int
	milliseconds, longest float64
	nodes                 uint64
	searching             float64 // milliseconds of the turns of which the nodes are known
	depths, deep          int     // sum over turns, and turns, of which the depth is known
	byTurn                []perTurn
}

// perTurn is the sums for one turn's number in the game.
type perTurn struct {
	turns, deep  int
	milliseconds float64
	depths       int
}

// add takes a game in which the engine has a side.
func (e *engine) add(l *match.Line, side position.Side) {
	e.limits = l.Limits[side]
	g := &e.byColour[side]
	switch {
	case l.Outcome() == position.Draw:
		g.Draws++
	case l.Result == side.String():
		g.Wins++
	default:
		g.Losses++
		if l.Reason.Fault() {
			e.faults[l.Reason]++
		}
	}
	first := l.SideOf(0)
	for i := range l.Turns {
		if first^position.Side(i%2) == side {
			e.turn(&l.Turns[i], len(l.Opening)+i)
		}
	}
}

// turn takes one of its turns.
func (e *engine) turn(t *match.TurnLine, number int) {
	for len(e.byTurn) <= number {
		e.byTurn = append(e.byTurn, perTurn{})
	}
	at := &e.byTurn[number]
	e.turns++
	at.turns++
	e.milliseconds += t.MS
	at.milliseconds += t.MS
	e.longest = max(e.longest, t.MS)
	if t.Nodes > 0 {
		e.nodes += t.Nodes
		e.searching += t.MS
	}
	if t.Depth > 0 {
		e.depths += t.Depth
		e.deep++
		at.depths += t.Depth
		at.deep++
	}
}

// games returns all its games.
func (e *engine) games() stats.Games { return e.byColour[0].Plus(e.byColour[1]) }
