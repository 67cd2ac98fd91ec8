package main

import (
	"fmt"
	"io"
	"runtime"

	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
	"gyre/protocol/analysis"
)

const analyseSynopsis = `usage: gyre analyse [FLAGS] [FILE...]

Answers queries for the analysis of positions, a JSON object a line, from files or
from standard input:

  {"id":"a game","turns":["f6","g7","e4"],"analyzeTurns":[1,2,3],"maxNodes":20000}

PROTOCOL.md describes them, under "Analysis as JSON lines". An answer is the same with
any number of threads, and whatever else is asked.
`

// analyse is the command of that name.
var analyse = commandline.Command{Name: "gyre analyse", Run: runAnalyse, About: engine.About}

// runAnalyse answers queries for the analysis of positions.
func runAnalyse(args []string, stdout, stderr io.Writer) error {
	flags := commandline.NewFlags("")
	threads := flags.Int("threads", min(runtime.GOMAXPROCS(0), engine.MostThreads), "`number` of positions searched side by side")
	hash := flags.Int("hash", engine.AnalysisHash, "`MiB` for the table of each search at most; answers of long searches depend on it")
	names, err := commandline.ParseMixed(flags, args, analyseSynopsis, stdout)
	if err != nil {
		return err
	}
	switch {
	case *threads < 1 || *threads > engine.MostThreads:
		err = fmt.Errorf("-threads %d: out of range 1 to %d", *threads, engine.MostThreads)
	case *hash < 1 || *hash > engine.MostAnalysisHash:
		err = fmt.Errorf("-hash %d: out of range 1 to %d", *hash, engine.MostAnalysisHash)
	}
	if err != nil {
		return &commandline.UsageError{Err: err}
	}
	in, err := newCollection(names)
	if err != nil {
		return err
	}
	analysts, err := engine.NewAnalysts(*threads, *hash)
	if err != nil {
		return err
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	server := analysis.NewServer(analysts, engine.AnalysisBuild(), stdout)
	switch {
	case in.atTerminal:
		fmt.Fprintln(stderr, `gyre analyse: reads queries, a JSON object a line; "gyre analyse -help" tells more`)
	case in.files:
		defer in.tellProgress(server, stderr)()
	}
	return server.Serve(ctx, in.inputs)
}
