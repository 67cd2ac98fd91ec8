package commandline

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"

	"gyre/position"
)

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
