// Command gyre-train learns the engine's evaluation from its own games, and makes
// puzzles for people of them.
//
//	gyre-train COMMAND [FLAGS]
//	gyre-train help [COMMAND]
//
// The map of the files:
//
//	main.go      the table of commands
//	generate.go  generate, samples from games of the engine against itself
//	generation.go  what its games depend on
//	overhub.go   the same by the workers of a hub; range, what they run
//	inspect.go   inspect, what files of samples hold; games counted as they come
//	list.go      list, samples as text
//	fit.go       fit, a model from samples
//	samples.go   the samples that it learns from
//	fitrun.go    epoch by epoch
//	export.go    export, weights for the engine from a model
//	puzzles.go   puzzles, problems for people; puzzlecheck.go searches them anew
//	files.go     reading models and weights, and writing over files of one's own kind alone
//
// Its folders:
//
//	internal/sample     the format of files of samples, and counts of what they hold
//	internal/selfplay   games of the engine against itself
//	internal/fit        finding the model that predicts best
//	internal/model      the model, as text and rounded to weights
//
// The exit status is 0 for success, 1 for a failure, 2 for a command line that
// is wrong, and 130 after a signal.
package main

import (
	"os"

	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
)

// program is gyre-train. A new command has a file of its own and a line here.
func program() *commandline.Program {
	return &commandline.Program{Name: "gyre-train", About: engine.About, Commands: []commandline.Command{
		{Name: "generate", Summary: "make samples: positions of the engine's own games, with scores and results", Run: runGenerate},
		{Name: "range", Summary: "write some games of generate to standard output, as workers of a hub do", Run: runRange},
		{Name: "inspect", Summary: "count what files of samples hold, and check them", Run: runInspect},
		{Name: "list", Summary: "write samples as text, a line each", Run: runList},
		{Name: "fit", Summary: "learn a model of the evaluation from samples", Run: runFit},
		{Name: "export", Summary: "make weights for the engine of a model, or a model of weights", Run: runExport},
		{Name: "puzzles", Summary: "make puzzles for people from the engine's games, or check them", Run: runPuzzles},
	}}
}

func main() {
	os.Exit(program().Run(os.Args[1:], os.Stdout, os.Stderr))
}
