package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
)

// command is a word of the command line with what it does. A new one has a file
// of its own and a line in commands.
type command struct {
	name    string
	summary string // one line, for the list of help
	// run executes the command with the words after its name. It returns
	// flag.ErrHelp after having shown its usage when asked to, and a *usageError
	// for words that are wrong.
	run func(args []string, stdout, stderr io.Writer) error
}

// commands is the table of all commands, in the order that help lists them.
func commands() []command {
	return []command{
		{"match", "two engines against each other, a number of games or until a test decides", runMatch},
		{"tournament", "several engines, each against each or one against all", runTournament},
		{"ladder", "an engine's rating, against players of known strength", runLadder},
		{"openings", "make openings for matches", runOpenings},
		{"report", "a page of HTML about the games of a match", runReport},
		{"stats", "Elo, LOS and SPRT of a match result", runStats},
		{"help", "list the commands, or show the flags of one", runHelp},
	}
}

// find returns the command of that name, or a *usageError.
func find(name string) (command, error) {
	for _, c := range commands() {
		if c.name == name {
			return c, nil
		}
	}
	return command{}, &usageError{err: fmt.Errorf("unknown command %q", name)}
}

// usageError is a command line that is wrong: err says in what.
type usageError struct {
	command string // empty when it is the command that is missing or unknown
	err     error
}

func (e *usageError) Error() string {
	if e.command == "" {
		return e.err.Error()
	}
	return e.command + ": " + e.err.Error()
}

func (e *usageError) Unwrap() error { return e.err }

// hint is the command line that explains the right use.
func (e *usageError) hint() string {
	if e.command == "" {
		return "gyre-arena help"
	}
	return "gyre-arena help " + e.command
}

// newFlags returns an empty set of flags for a command. The set prints nothing
// itself; parse does.
func newFlags(command string) *flag.FlagSet {
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	return flags
}

// parse reads the words of a command that takes flags alone. Asked for help it
// writes the synopsis and the flags to stdout and returns flag.ErrHelp, or the
// error of writing; words that are wrong are a *usageError.
func parse(flags *flag.FlagSet, args []string, synopsis string, stdout io.Writer) error {
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		var usage bytes.Buffer
		fmt.Fprintln(&usage, synopsis)
		flags.SetOutput(&usage)
		flags.PrintDefaults()
		if _, failed := stdout.Write(usage.Bytes()); failed != nil {
			return failed
		}
		return err
	case err != nil:
		return &usageError{command: flags.Name(), err: err}
	case flags.NArg() > 0:
		return &usageError{command: flags.Name(), err: fmt.Errorf("unexpected word %q", flags.Arg(0))}
	}
	return nil
}

// given returns the names of the flags that the command line set.
func given(flags *flag.FlagSet) map[string]bool {
	names := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { names[f.Name] = true })
	return names
}
