package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"

	"gyre/cmd/gyre-board/internal/session"
)

const synopsis = `usage: gyre-board [FLAGS]

Shows the board in the browser: to play, to watch engines and to analyse games.
Only this machine can reach it, unless -addr says otherwise. Any engine that
speaks the protocol can join: -engine 'Mine=./mine -fast'. Ctrl-C ends the board
and all engines.
`

// settings are what the flags ask for.
type settings struct {
	address string
	hosts   []string
	open    bool
	engines []session.Engine
}

// usageError is a command line that is wrong.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// parseFlags reads the command line. Asked for help it writes the flags to
// stdout and returns flag.ErrHelp, or the error of writing; words that are wrong
// are a *usageError.
func parseFlags(args []string, stdout io.Writer) (settings, error) {
	flags := flag.NewFlagSet("gyre-board", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	s := settings{engines: []session.Engine{builtIn()}}
	flags.StringVar(&s.address, "addr", "", "`ADDRESS` to listen on, HOST:PORT; a bare port is on this machine alone, and 0 is a free one (default "+usualPort+", or a free one if it is taken)")
	port := flags.String("port", "", "the `PORT` alone, on this machine")
	flags.BoolVar(&s.open, "open", true, "open the browser")
	flags.Func("engine", "another engine, `NAME=CMD`: what it is called, and its program with arguments, quoted as in a shell; again for each", s.addEngine)
	flags.Func("host", "another `NAME` by which browsers ask for the board; again for each", func(name string) error {
		s.hosts = append(s.hosts, name)
		return nil
	})
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return s, help(flags, stdout)
	}
	if err == nil && flags.NArg() > 0 {
		err = fmt.Errorf("unexpected word %q", flags.Arg(0))
	}
	if err != nil {
		return s, &usageError{err}
	}
	if *port != "" {
		if _, err := strconv.ParseUint(*port, 10, 16); err != nil {
			return s, &usageError{fmt.Errorf("-port %q: not a port", *port)}
		}
		s.address = *port
	}
	return s, nil
}

// help writes the flags to stdout.
func help(flags *flag.FlagSet, stdout io.Writer) error {
	var usage bytes.Buffer
	usage.WriteString(synopsis + "\n")
	flags.SetOutput(&usage)
	flags.PrintDefaults()
	if _, err := stdout.Write(usage.Bytes()); err != nil {
		return err
	}
	return flag.ErrHelp
}
