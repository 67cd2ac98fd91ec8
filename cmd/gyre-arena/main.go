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
		{Name: "ladder", Summary: "an engine's rating, against players of known strength", Run: runLadder},
		{Name: "openings", Summary: "make openings for matches", Run: runOpenings},
		{Name: "report", Summary: "a page of HTML about the games of a match", Run: runReport},
		{Name: "stats", Summary: "Elo, LOS and SPRT of a match result", Run: runStats},
	}}
}

func main() {
	os.Exit(program().Run(os.Args[1:], os.Stdout, os.Stderr))
}
