// Command gyre-arena measures engines.
//
//	gyre-arena COMMAND [FLAGS]
//	gyre-arena help [COMMAND]
//
// The files:
//
//	main.go         the table of commands
//	matchconfig.go  the flags of the commands that play games, and the match they describe
//	play.go         playing a match, its progress, the machine's load, and its output files
//	engine.go       the text that describes an engine, and engines built from Go sources
//	hub.go          worker, status, hub (which runs gyre-hub), and matches played by workers
//	detached.go     matches that a hub plays by itself: -detach, attach, stop, fetch and delete
//	match.go        match and tournament
//	standing.go     standing, report, cross tables, ratings and the JSON summary
//	ladder.go       ladder
//	versions.go     versions
//	tune.go         tune
//	stats.go        stats
//	openings.go     openings, explore, book, and range for the workers of a hub
//	check.go        check
//
// The exit status is 0 for success, 1 for a failure, 2 for an invalid command line, and
// 130 after a signal.
package main

import (
	"errors"
	"fmt"
	"os"

	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
	"gyre/protocol"
)

// program returns gyre-arena with its commands.
func program() *commandline.Program {
	return &commandline.Program{Name: "gyre-arena", About: engine.About, Moved: map[string]string{"hub": "gyre-hub"}, Commands: []commandline.Command{
		{Name: "match", Summary: "play two engines against each other", Run: runMatch},
		{Name: "tournament", Summary: "play several engines, each against each or one against all", Run: runTournament},
		{Name: "standing", Summary: "compute ratings, differences and LOS from files of games", Run: runStanding},
		{Name: "ladder", Summary: "rate an engine against players of known strength", Run: runLadder},
		{Name: "versions", Summary: "play versions of an engine and draw their Elo as a curve", Run: runVersions},
		{Name: "tune", Summary: "tune an engine's options by games against itself", Run: runTune},
		{Name: "worker", Summary: "play games of the matches of a hub", Run: runWorker},
		{Name: "status", Summary: "show the matches and workers of a hub", Run: runStatus},
		{Name: "unsuspend", Summary: "let a suspended worker or key of a hub continue", Run: runUnsuspend},
		{Name: "attach", Summary: "follow a match that a hub plays by itself", Run: runAttach},
		{Name: "stop", Summary: "stop a match that a hub plays by itself", Run: changing("stop", "stopped", stopSynopsis)},
		{Name: "pause", Summary: "pause a match that a hub plays by itself", Run: changing("pause", "paused", pauseSynopsis)},
		{Name: "resume", Summary: "resume a match that a hub plays by itself", Run: changing("resume", "resumed", resumeSynopsis)},
		{Name: "fetch", Summary: "get the games of a match that a hub plays by itself", Run: runFetch},
		{Name: "delete", Summary: "delete a match that a hub played by itself", Run: changing("delete", "deleted", deleteSynopsis)},
		{Name: "openings", Summary: "make openings for matches", Run: runOpenings},
		{Name: "book", Summary: "make or check an opening book for the engine", Run: runBook},
		{Name: "range", Summary: "search positions for book, for workers of a hub", Run: runRange},
		{Name: "explore", Summary: "make the table of the board's opening explorer", Run: runExplore},
		{Name: "report", Summary: "make an HTML page about the games of a match", Run: runReport},
		{Name: "check", Summary: "check whether an engine follows the protocol", Run: runCheck},
		{Name: "stats", Summary: "compute Elo, LOS and SPRT of a match result", Run: runStats},
	}}
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "worker" { // it runs the programs of others; all its children are theirs
		if err := protocol.Contain(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
			fmt.Fprintf(os.Stderr, "warning: programs of matches may leave processes behind: %v\n", err)
		}
	}
	os.Exit(program().Run(os.Args[1:], os.Stdout, os.Stderr))
}
