// Package commandline runs programs that have several commands, each with flags
// of its own, and programs that are one command.
package commandline

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"gyre/position"
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

// NewFlags returns an empty set of flags for a command. The set prints nothing
// itself; Parse does.
func NewFlags(command string) *flag.FlagSet {
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	return flags
}

// Parse reads the words of a command that takes flags alone. Asked for help it
// writes the synopsis and the flags to stdout and returns flag.ErrHelp, or the
// error of writing; words that are wrong are a *UsageError.
func Parse(flags *flag.FlagSet, args []string, synopsis string, stdout io.Writer) error {
	words, err := ParseMixed(flags, args, synopsis, stdout)
	if err == nil && len(words) > 0 {
		return &UsageError{Command: flags.Name(), Err: fmt.Errorf("unexpected word %q", words[0])}
	}
	return err
}

// ParseMixed is Parse for a command that takes words too, before, between and after
// its flags. It returns them.
func ParseMixed(flags *flag.FlagSet, args []string, synopsis string, stdout io.Writer) (words []string, err error) {
	for err = flags.Parse(args); err == nil && flags.NArg() > 0; err = flags.Parse(flags.Args()[1:]) {
		words = append(words, flags.Arg(0))
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		var usage bytes.Buffer
		fmt.Fprintln(&usage, synopsis)
		flags.SetOutput(&usage)
		flags.PrintDefaults()
		if _, failed := stdout.Write(usage.Bytes()); failed != nil {
			return nil, failed
		}
		return nil, err
	case err != nil:
		return nil, &UsageError{Command: flags.Name(), Err: err}
	}
	return words, nil
}

// Given returns the names of the flags that the command line set.
func Given(flags *flag.FlagSet) map[string]bool {
	names := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { names[f.Name] = true })
	return names
}

// LeadingWords splits off the words before the first flag.
func LeadingWords(args []string) (words, rest []string) {
	for i, word := range args {
		if len(word) > 1 && word[0] == '-' {
			return args[:i], args[i:]
		}
	}
	return args, nil
}

// Rules is the flag -rules. Its zero value is the standard rules.
type Rules struct{ position.Rules }

// Set reads standard or blitz.
func (r *Rules) Set(text string) (err error) {
	r.Rules, err = position.ParseRules(text)
	return err
}

// ErrInterrupted is why work ended that a signal stopped.
var ErrInterrupted = errors.New("interrupted")

// UntilInterrupted returns a context that the first SIGINT, SIGTERM or SIGHUP
// ends, with the cause ErrInterrupted; the next SIGINT or SIGTERM ends the
// program as usual. A terminal that closes often sends SIGHUP twice, so further
// ones do nothing; and none does where the program was started to ignore it, as
// by nohup. The function stops watching for signals.
func UntilInterrupted() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals, hangups := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	notifyHangup(hangups)
	go func() {
		select {
		case <-signals:
			signal.Stop(signals)
			cancel(ErrInterrupted)
		case <-hangups:
			cancel(ErrInterrupted)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(signals); cancel(nil) }
}
