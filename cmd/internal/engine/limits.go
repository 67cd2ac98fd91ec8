package engine

import (
	"gyre/position"
	"gyre/protocol"
	"gyre/search"
)

// limits says a search's limits in the terms of package search.
func (e *Engine) limits(l protocol.Limits, side position.Side) search.Limits {
	wanted := search.Limits{
		Mate: l.Mate, Infinite: l.Infinite, SearchTurns: l.SearchTurns,
		MultiPV: e.settings.multiPV, Overhead: e.settings.overhead, NodesTime: e.settings.nodesTime,
	}
	if l.HasDepth {
		wanted.Depth = l.Depth
	}
	if l.HasNodes {
		wanted.Nodes = l.Nodes
	}
	if l.HasMoveTime {
		wanted.MoveTime = &l.MoveTime
	}
	if clock := l.Clock[side]; clock.Set {
		wanted.Clock = &search.Clock{Left: clock.Left, Increment: clock.Increment, MovesToGo: l.MovesToGo}
	}
	return wanted
}

// bounds are the protocol's words for the search's bounds.
var bounds = [...]protocol.Bound{
	search.Exact: protocol.Exact,
	search.Lower: protocol.LowerBound,
	search.Upper: protocol.UpperBound,
}

// infoOf says a report of the search of a position in the terms of the protocol.
func infoOf(root *position.Position, i search.Info, withWDL bool) protocol.Info {
	out := protocol.Info{
		Depth: i.Depth, SelDepth: i.SelDepth, MultiPV: i.MultiPV,
		Nodes: i.Nodes, Time: i.Time, HashFull: i.HashFull, PV: i.PV, Message: i.Message,
	}
	if i.Message != "" {
		return out
	}
	out.HasScore, out.Bound = true, bounds[i.Bound]
	scale := search.ScaleOf(root)
	plies, proven := i.Score.Mate()
	out.Score = protocol.Score{Mate: proven, Value: plies}
	if !proven {
		out.Score.Value = scale.Centipawns(i.Score)
	}
	if withWDL {
		out.HasWDL = true
		out.WDL[0], out.WDL[1], out.WDL[2] = scale.WDL(i.Score)
	}
	return out
}
