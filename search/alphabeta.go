// Package search chooses turns.
package search

import (
	"context"
	"slices"
	"time"

	"gyre/position"
	"gyre/search/evaluation"
)

// AlphaBeta is an iterative-deepening alpha-beta searcher over a transposition
// table.
type AlphaBeta struct {
	table    *Table
	Overhead time.Duration // kept back of each turn's time for what lies between engine and clock

	control  *control
	nodes    uint64
	selDepth int
	plies    []ply
	history  [2][128][128]int32 // by side, from and to
	rootTurn position.Turn
}

// ply is the memory for one ply of the tree.
type ply struct {
	child  position.Position
	turns  []position.Turn
	scores []int32
	pv     []position.Turn
}

// NewAlphaBeta returns a searcher with a table of so many mebibytes.
func NewAlphaBeta(mebibytes int) *AlphaBeta {
	return &AlphaBeta{table: NewTable(mebibytes), plies: make([]ply, MaxDepth+2)}
}

// NewGame forgets what belongs to one game.
func (s *AlphaBeta) NewGame() {
	s.table.Clear()
	s.history = [2][128][128]int32{}
}

// Resize gives the table another size, and forgets what it knew.
func (s *AlphaBeta) Resize(mebibytes int) { s.table = NewTable(mebibytes) }

// Search looks for the best turn until a limit is reached or the context is
// done, and reports each iteration.
func (s *AlphaBeta) Search(ctx context.Context, root position.Position, limits Limits, report func(Info)) Outcome {
	s.control = begin(ctx, limits, s.Overhead)
	defer s.control.end()
	s.table.NextSearch()
	s.nodes, s.selDepth = 0, 0
	turns := limits.SearchTurns
	if len(turns) == 0 {
		turns = root.Turns(nil)
	}
	if len(turns) == 0 || root.Over() {
		return Outcome{}
	}
	best := Outcome{Best: turns[0]}
	for depth := 1; depth <= MaxDepth && s.control.another(depth); depth++ {
		score, ok := s.root(&root, turns, depth)
		if len(s.plies[0].pv) > 0 {
			best.Best, best.Ponder = s.plies[0].pv[0], position.None
			if len(s.plies[0].pv) > 1 {
				best.Ponder = s.plies[0].pv[1]
			}
		}
		if !ok {
			break
		}
		best.Info = Info{
			Depth: depth, SelDepth: s.selDepth, MultiPV: 1, Score: score, Nodes: s.nodes,
			Time: s.control.elapsed(), HashFull: s.table.Full(), PV: slices.Clone(s.plies[0].pv),
		}
		report(best.Info)
		if plies, proven := score.Mate(); proven && max(plies, -plies) <= depth && !limits.Infinite && limits.Ponder == nil {
			break
		}
	}
	return best
}

// root searches all turns at the root, the best of the iteration before first.
func (s *AlphaBeta) root(p *position.Position, turns []position.Turn, depth int) (Score, bool) {
	here := &s.plies[0]
	here.pv = here.pv[:0]
	alpha := -Infinity
	for i, t := range turns {
		p.Play(&here.child, t)
		score := -s.node(&here.child, 1, depth-1, -Infinity, -alpha)
		if s.control.stopped.Load() {
			return alpha, false
		}
		if score > alpha {
			alpha = score
			here.pv = append(append(here.pv[:0], t), s.plies[1].pv...)
			copy(turns[1:i+1], turns[:i])
			turns[0] = t
		}
	}
	return alpha, true
}

// node returns the score of a position at a ply of the tree.
func (s *AlphaBeta) node(p *position.Position, ply, depth int, alpha, beta Score) Score {
	here := &s.plies[ply]
	here.pv = here.pv[:0]
	s.nodes++
	s.selDepth = max(s.selDepth, ply)
	if s.nodes&1023 == 0 || s.control.limits.Nodes > 0 {
		s.control.poll(s.nodes)
	}
	if s.control.stopped.Load() {
		return 0
	}
	if p.Over() {
		return s.ended(p, ply)
	}
	if depth <= 0 || ply >= MaxDepth {
		return Score(evaluation.Evaluate(p))
	}
	entry, known := s.table.Probe(p.Hash())
	if known && entry.Depth >= depth {
		score := entry.Score.fromTable(ply)
		if entry.Bound == Exact || entry.Bound == Lower && score >= beta || entry.Bound == Upper && score <= alpha {
			return score
		}
	}
	here.turns = p.Turns(here.turns[:0])
	s.order(p, here, entry)
	best, bound, bestTurn := -Infinity, Upper, position.None
	for _, t := range here.turns {
		p.Play(&here.child, t)
		score := -s.node(&here.child, ply+1, depth-1, -beta, -alpha)
		if s.control.stopped.Load() {
			return 0
		}
		if score > best {
			best, bestTurn = score, t
		}
		if score > alpha {
			alpha, bound = score, Exact
			here.pv = append(append(here.pv[:0], t), s.plies[ply+1].pv...)
		}
		if alpha >= beta {
			bound = Lower
			s.history[p.SideToMove()][t.From()][t.To()] += int32(depth * depth)
			break
		}
	}
	s.table.Store(p.Hash(), Entry{Turn: bestTurn, Score: best.toTable(ply), Depth: depth, Bound: bound})
	return best
}

// ended is the score of a game that is over.
func (s *AlphaBeta) ended(p *position.Position, ply int) Score {
	switch p.Result() {
	case position.Draw:
		return 0
	case position.WhiteWins + position.Result(p.SideToMove()):
		return winIn(ply)
	}
	return lossIn(ply)
}

// order sorts the turns of a ply: the table's first, then those that remove
// rings, then by history.
func (s *AlphaBeta) order(p *position.Position, here *ply, entry Entry) {
	here.scores = here.scores[:0]
	for _, t := range here.turns {
		score := s.history[p.SideToMove()][t.From()][t.To()] + int32(t.Removals())<<28
		if entry.sameTurn(t) {
			score = 1<<31 - 1
		}
		here.scores = append(here.scores, score)
	}
	for i := 1; i < len(here.turns); i++ {
		t, score := here.turns[i], here.scores[i]
		j := i
		for ; j > 0 && here.scores[j-1] < score; j-- {
			here.turns[j], here.scores[j] = here.turns[j-1], here.scores[j-1]
		}
		here.turns[j], here.scores[j] = t, score
	}
}
