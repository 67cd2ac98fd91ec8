// Command gyre is the engine on standard input and output. It speaks the
// protocol that PROTOCOL.md describes. Words on the command line are run as one
// command of that protocol, after which the program exits:
//
//	gyre                       reads commands from standard input
//	gyre bench                 runs the benchmark
//	gyre perft 3               counts sequences of three turns
//	gyre version               tells this build from others, outside the protocol
//	gyre analyse games.jsonl   answers queries in JSON lines, the protocol's other part
//	gyre -tune                 has the numbers of its search for options as well
//
// With -tune, which stands before the other words, tuning can change how it searches.
// The exit status is 0 at the end of input and after quit, 1 when a stream or
// the command on the command line fails, and 130 after a signal, which first
// stops what runs and lets it answer.
package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
	"gyre/protocol"
)

func main() { os.Exit(run(os.Args[1:])) }

// run serves standard input, or runs the command that words make, and returns
// the exit status.
func run(words []string) int {
	switch {
	case asksForVersion(words):
		return tellVersion()
	case len(words) > 0 && (words[0] == "analyse" || words[0] == "analyze"):
		return analyse.RunAlone(words[1:], os.Stdout, os.Stderr)
	}
	served := engine.New
	if len(words) > 0 && (words[0] == "-tune" || words[0] == "--tune") {
		served, words = engine.NewTunable, words[1:]
	}
	server := protocol.NewServer(served(), os.Stdin, os.Stdout)
	ctx, release := commandline.UntilInterrupted()
	defer release()
	context.AfterFunc(ctx, server.Interrupt)
	var err error
	if len(words) == 0 {
		err = server.Serve()
	} else {
		err = server.RunCommand(commandOf(words))
	}
	switch {
	case ctx.Err() != nil:
		return commandline.ExitInterrupted
	case err != nil:
		fmt.Fprintln(os.Stderr, "gyre:", err)
		return commandline.ExitFailure
	}
	return commandline.ExitSuccess
}

// asksForVersion tells whether words are no command of the protocol, but ask for the
// version.
func asksForVersion(words []string) bool {
	return len(words) == 1 && slices.Contains([]string{"version", "-v", "-version", "--version"}, words[0])
}

// tellVersion tells this build from others, and returns the exit status.
func tellVersion() int {
	if _, err := os.Stdout.WriteString(engine.About("gyre")); err != nil {
		fmt.Fprintln(os.Stderr, "gyre:", err)
		return commandline.ExitFailure
	}
	return commandline.ExitSuccess
}

// usage is what stands before the protocol's own help.
const usage = `usage: gyre                    speaks the protocol on standard input and output
       gyre COMMAND            runs one command of it; they are listed below
       gyre analyse [FILE...]  analyses positions, in JSON lines: gyre analyse -help
       gyre version            tells this build from others

`

// commandOf turns the flags that people try into the commands that they mean.
func commandOf(words []string) []string {
	switch words[0] {
	case "-h", "-help", "--help":
		fmt.Print(usage)
		return []string{"help"}
	}
	return words
}
