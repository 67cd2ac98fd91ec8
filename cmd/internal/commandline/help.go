package commandline

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"slices"
)

// help lists the commands, or has the one named show its flags.
func (p *Program) help(args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		return p.list(stdout)
	}
	if len(args) > 1 {
		return &UsageError{Command: "help", Err: fmt.Errorf("unexpected word %q", args[1])}
	}
	if args[0] == "help" || asksForHelp(args[0]) {
		return p.list(stdout)
	}
	c, err := p.find(args[0])
	if err != nil {
		return err
	}
	return c.Run([]string{"-help"}, stdout, stderr)
}

// list writes the usage and a line for each command.
func (p *Program) list(w io.Writer) error {
	text := "usage: " + p.Name + " COMMAND [FLAGS]\n\ncommands:\n"
	for _, c := range p.all() {
		text += fmt.Sprintf("  %-12s %s\n", c.Name, c.Summary)
	}
	text += "\n\"" + p.Name + " help COMMAND\" shows the flags of a command.\n"
	_, err := io.WriteString(w, text)
	return err
}

// version tells this build from others.
func (p *Program) version(args []string, stdout, _ io.Writer) error {
	if len(args) == 1 && asksForHelp(args[0]) {
		_, err := fmt.Fprintf(stdout, "usage: %s version\n\nTells this build from others: revision, Go, weights, signature.\n", p.Name)
		return cmp.Or(err, flag.ErrHelp)
	}
	if len(args) > 0 {
		return &UsageError{Command: "version", Err: fmt.Errorf("unexpected word %q", args[0])}
	}
	_, err := io.WriteString(stdout, p.About(p.Name))
	return err
}

// asksForVersion says whether a word in place of a command calls for the version.
func asksForVersion(word string) bool {
	return slices.Contains([]string{"version", "-version", "--version"}, word)
}

// asksForHelp says whether the word is the flag that the flag package takes for
// a call for help.
func asksForHelp(word string) bool {
	return slices.Contains([]string{"-h", "--h", "-help", "--help"}, word)
}

// UsageError is a command line that is wrong: Err says in what.
type UsageError struct {
	Command string // empty when it is the command that is missing or unknown
	Err     error
}

func (e *UsageError) Error() string {
	if e.Command == "" {
		return e.Err.Error()
	}
	return e.Command + ": " + e.Err.Error()
}

func (e *UsageError) Unwrap() error { return e.Err }

// hint is the command line that explains the right use.
func (p *Program) hint(e *UsageError) string {
	if e.Command == "" {
		return p.Name + " help"
	}
	return p.Name + " help " + e.Command
}
