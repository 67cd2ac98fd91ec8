// Package search chooses turns. It has two searchers of one form, [Searcher]:
// alpha-beta and MCTS. Both work on positions and the evaluation, end by the
// same limits, and report through a callback; neither prints.
//
// What both share:
//
//	searcher.go     the form of a searcher
//	limits.go       when to end, and what is reported
//	score.go        scores, and proven ends
//	wdl.go          from a score to the chances of winning, drawing and losing
//	timemanager.go  how long a turn may take
//	skill.go        playing below full strength
//
// Alpha-beta, from the outside in:
//
//	alphabeta.go    the searcher: threads over one table
//	worker.go       what one thread owns
//	iterate.go      iterative deepening with aspiration windows, and its lines
//	root.go         the turns at the root
//	node.go         principal variation search of a node
//	pruning.go      what is reduced and left out, with all margins
//	quiescence.go   the leaves: turns that take rows off, and threats to win
//	picker.go       the order of the turns of a node, in stages
//	rowtaking.go    the order of the turns that take rows off
//	history.go      what the order learns
//	placement.go    placing rings on a board with symmetries
//	table.go        the transposition table
//	prefetch_*.go   fetching a line of it early, where the processor can
//	prove.go        a win in so many turns, or that there is none
//	rows.go         one row from winning, and rows that the opponent completed
//
// Monte-Carlo tree search:
//
//	mcts.go         the searcher; its comment lists the files mcts_*.go
package search
