// Package tactics measures how fast a searcher finds forced wins: over a suite
// of positions that are proven, by exhaustive search, to be won in exactly 1 to
// 5 turns of the side to move. The positions come from games.
//
//	suite.go      the suite and the text of its file, suite.txt
//	canonical.go  when two positions are the same but for a symmetry or the colours
//	run.go        Run: a searcher at every problem, and when it has solved one
//	watch.go      the time to solution, from what a search reports
//	summary.go    shares solved and times, by number of turns
//	progress.go   a line that says how far the run is
//
// A problem counts as solved if the turn that the searcher answers with is one
// of those listed: the turns that still win in the least number of turns. A
// turn that wins later does not count.
//
// Folder proof holds the plain solver that proves the suite, and folder
// generate the program that makes it.
package tactics
