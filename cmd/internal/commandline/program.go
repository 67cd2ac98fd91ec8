// Package commandline runs programs that have several commands, each with flags
// of its own, and programs that are one command.
//
//	program.go  Program: from the words of the command line to an exit status
//	help.go     its commands help and version, and what is said of a command line that is wrong
//	flags.go    the flags of a command
//	signals.go  going on until Ctrl-C, or until the terminal closes: hangup_*.go
package commandline

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

// Program is a program with several commands. It adds help and version to them.
type Program struct {
	Name     string
	Commands []Command // in the order that help lists them
	// About tells the program of that name from other builds of it, in lines, for
	// the command version.
	About func(program string) string
}

// Command is a word of the command line with what it does.
type Command struct {
	Name    string
	Summary string // one line, for the list of help
	// Run executes the command with the words after its name. It returns
	// flag.ErrHelp after having shown its usage when asked to, and a *UsageError
	// for words that are wrong.
	Run func(args []string, stdout, stderr io.Writer) error
	// About is that of a program that is this one command: see [Program].
	About func(program string) string
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
	return exitStatus(p.dispatch(args, stdout, stderr), p.Name, p.hint, stderr)
}

// RunAlone executes the command line of a program that is this one command, and
// returns the exit status as [Program.Run] does. The flags of such a command are
// those of no name: NewFlags("").
func (c *Command) RunAlone(args []string, stdout, stderr io.Writer) int {
	hint := func(*UsageError) string { return c.Name + " -help" }
	run := c.Run
	if len(args) > 0 && asksForVersion(args[0]) {
		run = (&Program{Name: c.Name, About: c.About}).version
		args = args[1:]
	}
	return exitStatus(run(args, stdout, stderr), c.Name, hint, stderr)
}

// exitStatus writes to stderr why a program has ended with an error, and returns
// its exit status.
func exitStatus(err error, name string, hint func(*UsageError) string, stderr io.Writer) int {
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return ExitSuccess
	}
	// Nothing is left to be done where this cannot be written.
	_, _ = fmt.Fprintf(stderr, "%s: %v\n", name, err)
	if wrong, ok := errors.AsType[*UsageError](err); ok {
		_, _ = fmt.Fprintf(stderr, "Try %q.\n", hint(wrong))
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
	switch {
	case asksForHelp(name):
		name = "help"
	case asksForVersion(name):
		name = "version"
	}
	c, err := p.find(name)
	if err != nil {
		return err
	}
	return c.Run(args[1:], stdout, stderr)
}

// all returns the commands with help and version.
func (p *Program) all() []Command {
	return append(p.Commands[:len(p.Commands):len(p.Commands)],
		Command{Name: "help", Summary: "list the commands, or show the flags of one", Run: p.help},
		Command{Name: "version", Summary: "tell this build from others: revision, weights, signature", Run: p.version})
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
