// Command gyre-arena measures engines.
//
//	gyre-arena COMMAND [FLAGS]
//	gyre-arena help [COMMAND]
//
// The map of the files:
//
//	main.go     the table of commands
//	stats.go    stats, the calculator of match statistics
//	simulate.go tests played out by chance, and the forecast before a match
//	match.go    match, two engines against each other
//	tournament.go, crosstable.go  tournament, and its table and ratings
//	standing.go   standing, one of files of games
//	ladder.go, climb.go  ladder, an engine among players of known strength
//	scale.go    how strong these players are
//	outside.go  beside which other programs it stands
//	tune.go      tune, better values of an engine's options
//	tuneshown.go how that goes, here or over a hub
//	openings.go  openings
//	explore.go   the table of the board's opening explorer
//	report.go    report, a page about a match
//	check.go     check, whether an engine keeps to the protocol
//	hub.go       hub, which matches are played over on many machines, and its keys
//	hubpage.go   the page of a hub
//	worker.go    worker, one of these machines
//	status.go    status, what a hub knows
//
// What the commands that play games share:
//
//	contestflags.go  their flags
//	contest.go       from the flags to a match
//	rounds.go        how many pairs, and the openings that they begin with
//	enginespec.go    how an engine is described
//	engineprogram.go the program that it runs
//	enginebuild.go   the same from its sources
//	configfile.go    flags from a file of TOML or JSON
//	outputs.go       which files they may write to
//	repeat.go        the command line that does the same again
//	overhub.go       playing over a hub
//	play.go          playing, until the end or a signal
//	load.go          sharing the machine, and watching that it keeps up
//	observer.go      what is shown meanwhile
//	scoreline.go     the score in a line
//	summary.go       the result at the end
//	summaryfile.go   the same for programs
//
// The exit status is 0 for success, 1 for a failure, 2 for a command line that
// is wrong, and 130 after a signal.
package main

import (
	"os"

	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
)

// program is gyre-arena. A new command has a file of its own and a line here.
func program() *commandline.Program {
	return &commandline.Program{Name: "gyre-arena", About: engine.About, Commands: []commandline.Command{
		{Name: "match", Summary: "two engines against each other, a number of games or until a test decides", Run: runMatch},
		{Name: "tournament", Summary: "several engines, each against each or one against all", Run: runTournament},
		{Name: "standing", Summary: "ratings, their differences and LOS, of files of games", Run: runStanding},
		{Name: "ladder", Summary: "an engine's rating, against players of known strength", Run: runLadder},
		{Name: "tune", Summary: "better values of an engine's options, by games against itself", Run: runTune},
		{Name: "hub", Summary: "serve a hub, over which matches are played on many machines", Run: runHub},
		{Name: "worker", Summary: "play games of the matches of a hub", Run: runWorker},
		{Name: "status", Summary: "the matches and workers of a hub", Run: runStatus},
		{Name: "openings", Summary: "make openings for matches", Run: runOpenings},
		{Name: "explore", Summary: "make the table of the board's opening explorer", Run: runExplore},
		{Name: "report", Summary: "a page of HTML about the games of a match", Run: runReport},
		{Name: "check", Summary: "whether an engine keeps to the protocol", Run: runCheck},
		{Name: "stats", Summary: "Elo, LOS and SPRT of a match result", Run: runStats},
	}}
}

func main() {
	os.Exit(program().Run(os.Args[1:], os.Stdout, os.Stderr))
}
