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
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"gyre/bench/puzzles"
	"gyre/cmd/gyre-board/internal/export"
	"gyre/cmd/gyre-board/internal/server"
	"gyre/cmd/gyre-board/internal/session"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
	"gyre/cmd/internal/shellwords"
	"gyre/protocol"
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

// builtInName is the name of the engine that needs no other program.
const builtInName = "Gyre"

// longestEngineName is how many bytes an engine's name may have.
const longestEngineName = 60

// builtIn is the engine of this program, behind the same protocol as others.
func builtIn() session.Engine {
	return session.Engine{Name: builtInName, Start: protocol.Local(func() protocol.Engine { return engine.New() }).Start}
}

// addEngine adds the engine that NAME=CMD describes. Its program is started when
// a page first wants it.
func (s *settings) addEngine(text string) error {
	name, commandLine, found := strings.Cut(text, "=")
	name = strings.TrimSpace(name)
	if !found || name == "" {
		return errors.New("not NAME=CMD")
	}
	if len(name) > longestEngineName {
		return fmt.Errorf("a name of more than %d bytes", longestEngineName)
	}
	for _, other := range s.engines {
		if strings.EqualFold(other.Name, name) {
			return fmt.Errorf("a second engine of the name %q", name)
		}
	}
	command, err := shellwords.Split(commandLine)
	if err != nil {
		return err
	}
	if len(command) == 0 {
		return errors.New("no command")
	}
	if _, err := exec.LookPath(command[0]); err != nil {
		return err
	}
	program := protocol.Program{Path: command[0], Args: command[1:]}
	s.engines = append(s.engines, session.Engine{Name: name, Start: program.Start})
	return nil
}

// embedded holds the page's files, as they are: nothing builds them.
//
//go:embed page
var embedded embed.FS

// page returns the page's files by their names within the folder, the set of puzzles
// among them.
func page() fs.FS {
	files, err := fs.Sub(embedded, "page")
	if err != nil {
		panic(err) // the folder's name is right
	}
	return pageFiles{files}
}

// setFolder is where the page looks for the set of puzzles.
const setFolder = "parts/puzzles"

// pageFiles are the page's files with the set of puzzles, which lies elsewhere.
type pageFiles struct{ fs.FS }

// Open opens a file or a folder.
func (p pageFiles) Open(name string) (fs.File, error) {
	if name == path.Join(setFolder, puzzles.SetName) {
		return puzzles.Files.Open(puzzles.SetName)
	}
	return p.FS.Open(name)
}

// ReadDir lists a folder.
func (p pageFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(p.FS, name)
	if err != nil || name != setFolder {
		return entries, err
	}
	set, err := puzzles.Files.ReadDir(".")
	return append(entries, set...), err
}

const exportSynopsis = `usage: gyre-board export [FLAGS] DIR

Writes the board as a folder of static files, which any web server serves: it plays,
analyses and opens games in the browser alone, and without a network after the first
visit. DIR is a new folder, or one of an earlier export, which gets the new version.
`

// exportSite writes the page as a folder, until ctx is done.
func exportSite(ctx context.Context, args []string, stdout io.Writer) error {
	flags := commandline.NewFlags("export")
	archived := flags.Bool("zip", true, "write DIR.zip, too")
	words, err := commandline.ParseMixed(flags, args, exportSynopsis, stdout)
	if err != nil {
		return err
	}
	if len(words) != 1 || words[0] == "" {
		return &commandline.UsageError{Command: "export", Err: errors.New("it takes one folder")}
	}
	folder := filepath.Clean(words[0])
	if _, err := fmt.Fprintln(stdout, "Making the page and its program..."); err != nil {
		return err
	}
	program, err := export.ReadProgram(ctx)
	if err != nil {
		return err
	}
	site, err := export.NewSite(page(), program)
	if err != nil {
		return err
	}
	sent, err := site.Sent()
	if err != nil {
		return err
	}
	if err := export.WriteFolder(ctx, folder, site); err != nil {
		return err
	}
	written := folder
	if *archived {
		if err := export.WriteArchive(folder+".zip", filepath.Base(folder), site); err != nil {
			return err
		}
		written += " and " + folder + ".zip"
	}
	_, err = fmt.Fprintf(stdout, "Wrote %s: version %s, %d files, %.2f MB over the wire.\nServe the folder by any web server, such as: python3 -m http.server --directory %s\n",
		written, site.Version, len(site.Files), float64(sent)/1e6, folder)
	return err
}
