package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// The exit statuses.
const (
	exitSuccess = 0
	exitFailure = 1
	exitUsage   = 2
	// exitInterrupted is the status after a signal, as shells have it of SIGINT.
	exitInterrupted = 130
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run executes the command line, without the program's name, and returns the
// exit status. Results go to stdout, what went wrong to stderr.
func run(args []string, stdout, stderr io.Writer) int {
	err := dispatch(args, stdout, stderr)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return exitSuccess
	}
	fmt.Fprintf(stderr, "gyre-arena: %v\n", err)
	if wrong, ok := errors.AsType[*usageError](err); ok {
		fmt.Fprintf(stderr, "Try %q.\n", wrong.hint())
		return exitUsage
	}
	if errors.Is(err, errInterrupted) {
		return exitInterrupted
	}
	return exitFailure
}

// dispatch runs the command that the first word names with the words after it.
func dispatch(args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		return &usageError{err: errors.New("no command given")}
	}
	name := args[0]
	if asksForHelp(name) {
		name = "help"
	}
	c, err := find(name)
	if err != nil {
		return err
	}
	return c.run(args[1:], stdout, stderr)
}
