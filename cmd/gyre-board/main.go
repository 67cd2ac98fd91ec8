// Command gyre-board shows the board in a browser: to play, to watch engines
// and to analyse games. It serves the page and drives the engines, its own and
// those that the command line names, by the text protocol.
//
//	main.go        the command, from its flags to its end
//	flags.go       the flags
//	engineflag.go  the engines that they name
//	listen.go      where it listens, and by which names it may be called
//	browser.go     opening the browser
//	page.go        the page's files
//	page/          the page: HTML, CSS and ES modules, served as they are
//	internal/      server, session, and what they answer with:
//	  server       HTTP and the WebSocket, and who may have them
//	  session      one page: its questions, and its orders to engines
//	  referee      what the rules say: boards, steps, words
//	  review       judging the turns of a game
//	  gametext     games as text
//	  sgf          games from boardspace.net
//
// The exit status is 0 after help and after an interrupt, which ends the board
// in good order; 1 when something fails; and 2 for a command line that is wrong.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"gyre/cmd/gyre-board/internal/server"
	"gyre/cmd/gyre-board/internal/session"
	"gyre/cmd/internal/engine"
)

// The exit statuses.
const (
	exitSuccess = 0
	exitFailure = 1
	exitUsage   = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// After the first signal, the next one ends the program as usual.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run executes the command line, without the program's name, until ctx is done,
// and returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	s, err := parseFlags(args, stdout)
	if err == nil {
		err = serve(ctx, s, stdout)
	}
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return exitSuccess
	}
	fmt.Fprintf(stderr, "gyre-board: %v\n", err)
	if _, wrong := errors.AsType[*usageError](err); wrong {
		fmt.Fprintf(stderr, "Try %q.\n", "gyre-board -help")
		return exitUsage
	}
	return exitFailure
}

// How a connection is bounded before it is a WebSocket.
const (
	headerLimit = 5 * time.Second // for a request's header to come
	idleLimit   = 2 * time.Minute // between two requests
	mostHeader  = 16 << 10        // bytes of a request's header
)

// serve serves the board until ctx is done.
func serve(ctx context.Context, s settings, stdout io.Writer) error {
	listener, hosts, err := listen(s.address, s.hosts)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }()
	room := session.NewRoom(engine.Version, s.engines, session.DefaultBounds, session.DefaultPatience)
	board, err := server.New(page(), hosts, room)
	if err != nil {
		return err
	}
	web := &http.Server{Handler: board, ReadHeaderTimeout: headerLimit, IdleTimeout: idleLimit, MaxHeaderBytes: mostHeader}
	address := "http://" + hosts[0] + "/"
	if _, err := fmt.Fprintf(stdout, "The board is at %s\nCtrl-C ends it.\n", address); err != nil {
		return err
	}
	if s.open {
		openBrowser(address)
	}
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(listener) }()
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	// Close ends the requests; those that have become WebSockets are the board's.
	err = errors.Join(err, web.Close())
	board.Close()
	return err
}
