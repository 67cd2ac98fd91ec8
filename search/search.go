// Package search defines how a program asks for the best turn of a position. A
// [Searcher] searches a position within [Limits], reports [Info] through a callback
// and returns an [Outcome]. Package alphabeta and package mcts (Monte Carlo tree
// search) implement it. Neither prints anything.
//
//	search.go      Searcher, Limits, Info, Outcome, Score and Bound
//	parameters.go  the tunable constants: margins, reductions, shares of the time
//
// This package is only the contract: it imports no searcher and no evaluation. The
// packages below it import it:
//
//	alphabeta, mcts  the searchers
//	strength         playing at a skill level or a rating
//	evaluation       the static evaluation, and the scale from scores to probabilities of win,
//	                 draw and loss
//	book             opening books
//
// Both searchers use these internal packages:
//
//	timemanager  all limits of a search
//	root         the turns at the root, and placings up to symmetry
//	mate         the exact mate search, and rows that decide a game
//	memory       memory for tables and trees, outside the garbage-collected heap
//
// # Glossary
//
// A turn is everything a side does before its opponent moves. Most games call this
// a move. A ply is the distance of a turn from the root. Where to find the terms of
// the field:
//
//	alpha-beta, principal variation search (PVS), zero window  alphabeta/search.go
//	iterative deepening, aspiration windows, MultiPV           alphabeta/root.go
//	quiescence search, standing pat, capture search            alphabeta/search.go
//	internal iterative reduction (IIR)                         alphabeta/search.go
//	singular extension, multi-cut                              alphabeta/pruning.go
//	mate-distance pruning                                      alphabeta/search.go
//	lazy SMP                                                   alphabeta/alphabeta.go
//	late-move pruning (LMP, move-count pruning)                alphabeta/pruning.go
//	futility pruning and its margin                            alphabeta/pruning.go
//	reverse futility pruning (static null move)                alphabeta/pruning.go
//	late-move reductions (LMR)                                 alphabeta/pruning.go
//	transposition table, its entries and replacement           alphabeta/table.go
//	move ordering, staged move picker, move scores             alphabeta/picker.go
//	killers                                                    alphabeta/search.go, picker.go
//	countermove, history, continuation history                 alphabeta/history.go
//	selection by PUCT, exploration, backup                     mcts/visit.go
//	implicit minimax backup                                    mcts/visit.go
//	solver (MCTS-Solver)                                       mcts/visit.go, chance.go
//	expansion, priors                                          mcts/expand.go
//	time management: check time, start iteration               internal/timemanager
//	proof search, mate in N                                    internal/mate
//	static evaluation, patterns (n-tuples), accumulator        evaluation
//
// Terms that only this game has:
//
//	quiet turn             a ring move that removes no row
//	completing move        a ring move that makes a row of the mover
//	row-taking turn        the counterpart of a capture: it removes a row and one of the mover's rings
//	one row from winning   the next row wins, so every completing move threatens mate
//	crossing               a point with what its three lines say about it; a net values them (package evaluation)
//	opponent's row         a row of the side to move that the opponent's turn completed
//	placing                a turn at the start of the game that puts a ring on the board
//	pool                   the markers that are not on the board; the last one ends the game
package search

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"time"

	"gyre/position"
)

// Searcher chooses turns. A searcher runs one search at a time. Between searches it
// may keep what it has learned about the game.
type Searcher interface {
	// Search searches for the best turn of root until a limit is reached or ctx is
	// done. It calls report with its progress, always from the calling goroutine. It
	// returns a legal turn even if there is no time at all. The outcome has no turn
	// only if the game is over.
	Search(ctx context.Context, root position.Position, limits Limits, report func(Info)) Outcome
	// NewGame forgets everything about the current game.
	NewGame()
	// Resize sets the size of the memory in mebibytes and forgets its contents. If
	// the machine does not have enough memory, Resize returns an error and changes
	// nothing.
	Resize(mebibytes int) error
	// Close frees the memory, which is outside the garbage-collected heap. A closed
	// searcher cannot search. If a searcher becomes unreachable without Close, its
	// memory is freed eventually.
	Close()
	// SetThreads sets the number of threads that search.
	SetThreads(threads int)
	// SetParameters sets the parameters that this searcher uses.
	SetParameters(p *Parameters)
}

// Bound says how a score relates to the true score.
type Bound uint8

// The bounds.
const (
	Exact Bound = iota
	Lower       // the true score is at least this
	Upper       // the true score is at most this
)

// String returns "lower" or "upper", and nothing for an exact score.
func (b Bound) String() string { return [...]string{"", "lower", "upper"}[b] }

// Info is a progress report of a search.
type Info struct {
	Depth    int   // of the iteration that found the score, in turns; 0 for a static score
	SelDepth int   // deepest ply reached, in turns
	MultiPV  int   // number of the line, from 1
	Score    Score // from the side to move's point of view; a mate may come sooner
	Bound    Bound
	Nodes    uint64        // positions visited by all threads: searched, or decided by their evaluation
	Time     time.Duration // since the start of the search, by the clock of its limits
	HashFull int           // used share of the table or tree, in thousandths
	PV       []position.Turn
	Message  string // a message without a score; empty otherwise
}

// KeepLine puts the report of a line into a list of the latest reports by line, and returns the
// list. It ignores messages.
func KeepLine(lines []Info, i Info) []Info {
	switch at := i.MultiPV - 1; {
	case i.Message != "":
	case at < len(lines):
		lines[at] = i
	case at == len(lines):
		lines = append(lines, i)
	}
	return lines
}

// Outcome is the result of a search.
type Outcome struct {
	Best   position.Turn // the turn to play; None if the game is over
	Ponder position.Turn // the expected reply; None if unknown
	Info   Info          // the line of the best turn; its score may be a bound
}

// Limits holds the limits of a search, which ends at the first one reached. A field
// with its zero value sets no limit. Without any limit, the search ends when its context is
// done, at [MaxDepth], or when there is nothing left to search.
//
// While the search ponders, depth and mate are limited, but not time and nodes. If NodesTime
// is set, time is measured in nodes, so that with one thread a search with time limits always
// does the same work.
//
// A search with Mate ends when it has found a mate or proven that there is none. Without
// a mate, the turn to play comes from a short normal search, which runs before the proof within
// a quarter of the nodes and of the time.
type Limits struct {
	Clock       [2]Clock        // by side; position.White is player 1
	MovesToGo   int             // turns to the next time control; 0 if the time is for the whole game
	MoveTime    time.Duration   // for this turn
	Depth       int             // of the last iteration, in turns
	Nodes       uint64          // to visit
	Mate        int             // search for a win in at most this many turns of the side to move, not counting replies
	Infinite    bool            // search until the context is done, even if the result is proven
	Ponder      bool            // search on the opponent's time until PonderHit is closed, which starts the clock
	PonderHit   <-chan struct{} // closed when the opponent plays the expected turn
	SearchTurns []position.Turn // the turns to search at the root, each once; all if empty

	// The protocol sets these by options, not with `go`.
	MultiPV   int           // lines to report; 0 means 1
	Overhead  time.Duration // reserved for the delay between engine and clock; at most a tenth of MoveTime
	NodesTime uint64        // nodes that count as a millisecond; 0 for real time
}

// Clock is the clock of a side. There is no clock if Left is 0: for a clock without any
// time left, set a nanosecond.
type Clock struct {
	Left      time.Duration // remaining now
	Increment time.Duration // added after each turn
}

// nodesPerMillisecond is an upper bound for one thread.
const nodesPerMillisecond = 10_000

// MaxNodes returns an upper bound of the nodes that one thread visits within the limits
// on nodes and time, for a side to move. It is [math.MaxUint64] without these limits.
func (l *Limits) MaxNodes(side position.Side) uint64 {
	most := cmp.Or(l.Nodes, math.MaxUint64)
	if l.Infinite || l.Ponder {
		return math.MaxUint64
	}
	for _, limit := range []time.Duration{l.MoveTime, l.Clock[side].Left} {
		if limit > 0 {
			milliseconds := uint64((limit-1)/time.Millisecond) + 1
			if high, nodes := bits.Mul64(milliseconds, cmp.Or(l.NodesTime, nodesPerMillisecond)); high == 0 {
				most = min(most, nodes)
			}
		}
	}
	return most
}

// Score is the value of a position for the side to move: centipawns of the
// evaluation, or a proven result near ±Win.
type Score int32

// The range of scores. A win n plies from now is Win - n.
const (
	Infinity     Score = 32000
	Win          Score = 31000
	MaxDepth           = 100 // turns; no game has more than 81 ring moves and placings
	WinThreshold       = Win - 2*MaxDepth
)

// WinIn returns the score of a win plies from the root.
func WinIn(plies int) Score { return Win - Score(plies) }

// LossIn returns the score of a loss plies from the root.
func LossIn(plies int) Score { return -Win + Score(plies) }

// Mate returns the number of plies to a proven win (positive) or loss (negative, or
// zero if the game is already lost), and whether the score is a proven result.
func (s Score) Mate() (plies int, proven bool) {
	switch {
	case s >= WinThreshold:
		return int(Win - s), true
	case s <= -WinThreshold:
		return -int(Win + s), true
	}
	return 0, false
}
