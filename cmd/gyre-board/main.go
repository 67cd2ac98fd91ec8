// Command gyre-board shows the board in a browser: to play, to watch engines
// and to analyse games. It serves the page and drives the engines, its own and
// those that the command line names, by the text protocol.
//
//	main.go        the command, from its flags to its end
//	page.go        the page's files
//	flags.go       the flags
//	engineflag.go  the engines that they name
//	listen.go      where it listens, by which names it may be called, and the browser
//	export.go      the command export: the page as static files, without a server
//	page/          the page: HTML, CSS and ES modules, served as they are
//	internal/      server, session, and what they answer with:
//	  server       HTTP and the WebSocket, and who may have them
//	  session      one page: its questions, and its orders to engines
//	  referee      what the rules say: boards, steps, words
//	  review       judging the turns of a game
//	  gametext     games as text
//	  sgf          games from boardspace.net
//	  export       the page as a folder of static files
//	wasm/          what that page runs instead of asking a server
//
// The exit status is 0 after help, 1 when something fails, 2 for a command line
// that is wrong, and 130 after a signal, which ends the board in good order.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"time"

	"gyre/cmd/gyre-board/internal/server"
	"gyre/cmd/gyre-board/internal/session"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
)

func main() {
	ctx, _ := commandline.UntilInterrupted()
	os.Exit(command(ctx, session.DefaultPatience).RunAlone(os.Args[1:], os.Stdout, os.Stderr))
}

// command is gyre-board, which serves the board until ctx is done, and waits for
// engines with some patience.
func command(ctx context.Context, patience session.Patience) *commandline.Command {
	return &commandline.Command{Name: "gyre-board", About: engine.About, Run: func(args []string, stdout, _ io.Writer) error {
		if len(args) > 0 && args[0] == "export" {
			return exportSite(ctx, args[1:], stdout)
		}
		s, err := parseFlags(args, stdout)
		if err != nil {
			return err
		}
		return serve(ctx, s, patience, stdout)
	}}
}

// How a connection is bounded before it is a WebSocket.
const (
	headerLimit = 30 * time.Second // for a request's header to come; a browser opens connections before it needs them
	idleLimit   = 2 * time.Minute  // between two requests
	mostHeader  = 16 << 10         // bytes of a request's header
)

// mostReviewers is how many engines review a game, however many processors there are: several
// tabs may have one reviewed, and all engines together are bounded.
const mostReviewers = 4

// serve serves the board until ctx is done, and returns the cause of that.
func serve(ctx context.Context, s settings, patience session.Patience, stdout io.Writer) error {
	listener, hosts, err := listen(s.address, s.hosts)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }()
	bounds := session.DefaultBounds
	bounds.Reviewers = min(runtime.NumCPU(), mostReviewers)
	hub := session.NewHub(engine.Version, s.engines, bounds, patience)
	board, err := server.New(page(), hosts, hub)
	if err != nil {
		return err
	}
	web := &http.Server{Handler: board, ReadHeaderTimeout: headerLimit, IdleTimeout: idleLimit, MaxHeaderBytes: mostHeader}
	address := "http://" + hosts[0] + "/"
	if _, err := fmt.Fprintf(stdout, "The board is at %s\n%sCtrl-C ends it.\n", address, elsewhere(hosts)); err != nil {
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
		err = context.Cause(ctx)
	}
	// Close ends the requests; those that have become WebSockets are the board's.
	err = errors.Join(err, web.Close())
	board.Close()
	return err
}
