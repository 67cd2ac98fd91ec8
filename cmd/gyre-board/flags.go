package main

import (
	"fmt"
	"io"
	"strconv"

	"gyre/cmd/gyre-board/internal/session"
	"gyre/cmd/internal/commandline"
)

const synopsis = `usage: gyre-board [FLAGS]             shows the board
       gyre-board export [FLAGS] DIR  writes it as static files; -help tells more
       gyre-board version

Shows the board in the browser: to play, to watch engines and to analyse games.
Only this machine can reach it, unless -addr says otherwise. Any engine that
speaks the protocol can join: -engine 'Mine=./mine -fast'. Ctrl-C ends the board
and all engines, with exit status 130.
`

// settings are what the flags ask for.
type settings struct {
	address string
	hosts   []string
	open    bool
	engines []session.Engine
}

// parseFlags reads the command line, with the errors of [commandline.Parse].
func parseFlags(args []string, stdout io.Writer) (settings, error) {
	flags := commandline.NewFlags("")
	s := settings{engines: []session.Engine{builtIn()}}
	flags.StringVar(&s.address, "addr", "", "`ADDRESS` to listen on, HOST:PORT; a bare port is on this machine alone, and 0 is a free one (default "+usualPort+", or a free one if it is taken)")
	port := flags.String("port", "", "the `PORT` alone, on this machine")
	flags.BoolVar(&s.open, "open", true, "open the browser")
	flags.Func("engine", "another engine, `NAME=CMD`: what it is called, and its program with arguments, quoted as in a shell; again for each", s.addEngine)
	flags.Func("host", "another `NAME` by which browsers ask for the board; again for each", func(name string) error {
		s.hosts = append(s.hosts, name)
		return nil
	})
	if err := commandline.Parse(flags, args, synopsis, stdout); err != nil {
		return s, err
	}
	if *port != "" {
		if _, err := strconv.ParseUint(*port, 10, 16); err != nil {
			return s, &commandline.UsageError{Err: fmt.Errorf("-port %q: not a port", *port)}
		}
		s.address = *port
	}
	return s, nil
}
