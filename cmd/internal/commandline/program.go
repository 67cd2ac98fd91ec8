// Package commandline runs programs that have several commands, each with flags
// of its own.
//
//	program.go  Program: from the words of the command line to an exit status
//	help.go     its command help
//	flags.go    the flags of a command
//	usage.go    command lines that are wrong
//	signals.go  going on until Ctrl-C
package commandline

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

// Program is a program with several commands. It adds help to them.
type Program struct {
	Name     string
	Commands []Command // in the order that help lists them
}

// Command is a word of the command line with what it does.
type Command struct {
	Name    string
	Summary string // one line, for the list of help
	// Run executes the command with the words after its name. It returns
	// flag.ErrHelp after having shown its usage when asked to, and a *UsageError
	// for words that are wrong.
	Run func(args []string, stdout, stderr io.Writer) error
}

// The exit statuses.
const (
	ExitSuccess = 0
	ExitFailure = 1
	ExitUsage   = 2
	// ExitInterrupted is the status after a signal, as shells have it of SIGINT.
	ExitInterrupted = 130
)

// Run executes the command line, without the program's name, and returns the
// exit status. Results go to stdout, what went wrong to stderr.
func (p *Program) Run(args []string, stdout, stderr io.Writer) int {
	err := p.dispatch(args, stdout, stderr)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return ExitSuccess
	}
	// Nothing is left to be done where this cannot be written.
	_, _ = fmt.Fprintf(stderr, "%s: %v\n", p.Name, err)
	if wrong, ok := errors.AsType[*UsageError](err); ok {
		_, _ = fmt.Fprintf(stderr, "Try %q.\n", p.hint(wrong))
		return ExitUsage
	}
	if errors.Is(err, ErrInterrupted) {
		return ExitInterrupted
	}
	return ExitFailure
}

// dispatch runs the command that the first word names with the words after it.
func (p *Program) dispatch(args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		return &UsageError{Err: errors.New("no command given")}
	}
	name := args[0]
	if asksForHelp(name) {
		name = "help"
	}
	c, err := p.find(name)
	if err != nil {
		return err
	}
	return c.Run(args[1:], stdout, stderr)
}

// all returns the commands with help.
func (p *Program) all() []Command {
	help := Command{"help", "list the commands, or show the flags of one", p.help}
	return append(p.Commands[:len(p.Commands):len(p.Commands)], help)
}

// find returns the command of that name, or a *UsageError.
func (p *Program) find(name string) (Command, error) {
	for _, c := range p.all() {
		if c.Name == name {
			return c, nil
		}
	}
	return Command{}, &UsageError{Err: fmt.Errorf("unknown command %q", name)}
}
