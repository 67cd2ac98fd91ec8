// Command gyre is the engine. It speaks the protocol of PROTOCOL.md on standard input
// and output. Arguments are one command of the protocol; the program runs it and
// exits:
//
//	gyre                       read commands from standard input
//	gyre bench                 run the benchmark
//	gyre perft 3               count sequences of three turns
//	gyre version               show version, revision, weights and signature
//	gyre completion bash       print a completion script for a shell
//	gyre analyse games.jsonl   answer queries in JSON lines
//	gyre review game.sgf       review a game: accuracy, mistakes, better lines
//	gyre -tune                 offer the search parameters as options, for tuning
//
// The flag -tune comes before other arguments. The exit status is 0 at the end of
// input and after quit, 1 if a stream or the command fails, 2 if the command line is
// invalid, and 130 after a signal. A signal first stops the current command and lets
// it answer.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
	"gyre/protocol"
)

func main() { os.Exit(run(os.Args[1:])) }

// run serves standard input, or runs the command in words, and returns the exit
// status.
func run(words []string) int {
	switch {
	case asksForVersion(words):
		return printVersion()
	case len(words) > 1 && asksForVersion(words[:1]):
		fmt.Fprintf(os.Stderr, "gyre: version: unexpected argument %q\nTry \"gyre -help\".\n", words[1])
		return commandline.ExitUsage
	case len(words) > 0 && (words[0] == "analyse" || words[0] == "analyze"):
		return analyse.RunAlone(words[1:], os.Stdout, os.Stderr)
	case len(words) > 0 && words[0] == "review":
		return reviewCommand.RunAlone(words[1:], os.Stdout, os.Stderr)
	case len(words) > 0 && words[0] == "completion":
		return completion.RunAlone(words[1:], os.Stdout, os.Stderr)
	}
	protocolCommands := protocol.CommandWords()
	served, known := engine.New, append([]string{"analyse", "completion", "review", "version"}, protocolCommands...)
	if len(words) > 0 && isTune(words[0]) {
		served, known, words = engine.NewTunable, protocolCommands, words[1:]
	}
	if len(words) > 0 {
		words = commandOf(words)
		if at := slices.IndexFunc(words, isTune); at >= 0 {
			fmt.Fprintf(os.Stderr, "gyre: -tune comes before the command: gyre -tune %s\n", commandline.JoinWords(slices.DeleteFunc(slices.Clone(words), isTune)))
			return commandline.ExitUsage
		}
		if !slices.ContainsFunc(words, func(word string) bool { return slices.Contains(protocolCommands, word) }) {
			fmt.Fprintf(os.Stderr, "gyre: unknown command %q%s\nTry \"gyre -help\".\n", words[0], commandline.DidYouMean("", words[0], known))
			return commandline.ExitUsage
		}
	}
	server := protocol.NewServer(served(), os.Stdin, os.Stdout)
	ctx, release := commandline.UntilInterrupted()
	defer release()
	context.AfterFunc(ctx, server.Interrupt)
	var err error
	if len(words) == 0 {
		err = server.Serve()
	} else {
		err = server.RunCommand(words)
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

// isTune reports whether a word is the flag -tune.
func isTune(word string) bool { return word == "-tune" || word == "--tune" }

// completion prints a completion script.
var completion = commandline.Command{Name: "gyre", Run: func(args []string, stdout, _ io.Writer) error {
	words := append([]string{"-help", "-tune", "version"}, protocol.CommandWords()...)
	return commandline.WriteCompletion("gyre", words, []commandline.Command{
		{Name: "analyse", Summary: "analyze positions", Run: runAnalyse},
		{Name: "review", Summary: "review a game", Run: runReview},
	}, args, stdout)
}}

// asksForVersion reports whether words ask for the version.
func asksForVersion(words []string) bool {
	return len(words) == 1 && slices.Contains([]string{"version", "-v", "-version", "--version"}, words[0])
}

// printVersion identifies this build and returns the exit status.
func printVersion() int {
	if _, err := os.Stdout.WriteString(engine.About("gyre")); err != nil {
		fmt.Fprintln(os.Stderr, "gyre:", err)
		return commandline.ExitFailure
	}
	return commandline.ExitSuccess
}

// usage precedes the protocol's own help.
const usage = `usage: gyre                    speak the protocol on standard input and output
       gyre COMMAND            run one of its commands, listed below
       gyre analyse [FILE...]  analyze positions, in JSON lines: gyre analyse -help
       gyre review GAME        review a game: gyre review -help
       gyre -tune [COMMAND]    offer the search parameters as options, for tuning
       gyre version            show version, revision, weights and signature
       gyre completion SHELL   print a completion script for bash, zsh or fish

`

// commandOf replaces common help flags by the command help.
func commandOf(words []string) []string {
	switch words[0] {
	case "-h", "-help", "--help":
		fmt.Print(usage)
		return []string{"help"}
	}
	return words
}
