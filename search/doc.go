// Package search chooses turns. It is the contract that two searchers keep,
// [Searcher]: alpha-beta in package alphabeta, and Monte-Carlo tree search in package
// mcts. Both work on positions and the evaluation, end by the same limits, and
// report through a callback; neither prints.
//
//	searcher.go    the form of a searcher, and what it reports
//	limits.go      when to end
//	parameters.go  the numbers that games decide: margins, reductions, shares of the time
//	score.go       scores, proven ends, and the chances of winning, drawing and losing
//	skill.go       playing below full strength, by a level
//	strength.go    the same by a rating, and strengthtable.go what a rating is played with
//
// What the searchers share lies in packages of their own below internal:
//
//	timemanager  all limits of a search
//	root         the turns at the root, and placings on a board with symmetries
//	mate         a win in so many turns or that there is none, and rows that decide a game
//	memory       the memory of tables and trees, outside the heap of the garbage collector
//
// # Glossary
//
// A turn is all that a side does before the other is to move: what is called a move
// elsewhere. A ply is a turn's place in the tree. Where the terms of the field are:
//
//	alpha-beta, principal variation search (PVS), zero window  alphabeta/node.go
//	iterative deepening, aspiration windows, MultiPV           alphabeta/iterate.go
//	lazy SMP                                                   alphabeta/alphabeta.go
//	quiescence search, standing pat, capture search            alphabeta/quiescence.go
//	late-move pruning (LMP, move-count pruning)                alphabeta/pruning.go
//	futility pruning and its margin                            alphabeta/pruning.go
//	reverse futility pruning (static null move)                alphabeta/pruning.go
//	late-move reductions (LMR)                                 alphabeta/pruning.go, node.go
//	internal iterative reduction (IIR)                         alphabeta/node.go
//	mate-distance pruning                                      alphabeta/node.go
//	transposition table, its entries and replacement           alphabeta/table.go
//	move ordering, staged move picker                          alphabeta/picker.go
//	move scores, selection of the best                         alphabeta/movelist.go
//	killers, countermove, history, continuation history        alphabeta/history.go, node.go
//	selection by PUCT, exploration, back up                    mcts/visit.go
//	expansion, priors                                          mcts/expand.go
//	implicit minimax back up, solver (MCTS-Solver)             mcts/backup.go, proof.go
//	time management: check time, start iteration               internal/timemanager
//	proof search, mate in N                                    internal/mate
//	static evaluation, patterns (n-tuples), accumulator        evaluation
//
// And what only this game has:
//
//	quiet turn             a ring move that takes no row off
//	completing move        a ring move that makes a row of the mover
//	turn that takes rows   what a capture is elsewhere: a row goes, and a ring of one's own
//	one row from winning   the next row wins: every completing move is then a threat of mate
//	opponent's row         a row of the side to move that the opponent's turn completed
//	placing                a turn at the beginning, while rings are put on the board
//	pool                   the markers that are left; with the last one the game ends
package search
