// Command gyre-board serves a YINSH board in the browser: to play, to watch engines and to
// analyze games. README.md is its guide.
//
// The exit status is 0 on success and after help, 1 on failure, 2 for a wrong command line
// and 130 after a signal. A signal ends all sessions and engines first.
package main

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/netip"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"gyre/bench/puzzles"
	"gyre/cmd/gyre-board/internal/clients"
	"gyre/cmd/gyre-board/internal/export"
	"gyre/cmd/gyre-board/internal/rooms"
	"gyre/cmd/gyre-board/internal/server"
	"gyre/cmd/gyre-board/internal/session"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
	"gyre/position/record"
	"gyre/protocol"
)

func main() {
	ctx, _ := commandline.UntilInterrupted()
	os.Exit(run(ctx, session.DefaultPatience, os.Args[1:], os.Stdout, os.Stderr))
}

// run executes a command line and returns the exit status. It serves the board until ctx is
// done, and waits for engines with the given patience.
func run(ctx context.Context, patience session.Patience, args []string, stdout, stderr io.Writer) int {
	exporting := commandline.Command{Name: "export", Summary: "write the board as a static site", Run: func(args []string, stdout, _ io.Writer) error {
		return exportSite(ctx, args, stdout)
	}}
	if len(args) > 0 && args[0] == exporting.Name {
		alone := commandline.Command{Name: "gyre-board export", About: engine.About, Run: exporting.Run}
		return alone.RunAlone(args[1:], stdout, stderr)
	}
	serving := commandline.Command{Name: "gyre-board", About: engine.About, Subcommands: []commandline.Command{exporting}, Run: func(args []string, stdout, stderr io.Writer) error {
		s, err := parseFlags(args, stdout)
		if err != nil {
			return err
		}
		return serve(ctx, s, patience, stdout, stderr)
	}}
	return serving.RunAlone(args, stdout, stderr)
}

// maxReviewers limits how many engines review one game. Several tabs may run a review, and
// all engines together are limited too.
const maxReviewers = 4

// maxRoomSessions is the number of pages that can be open at the same time if people can play
// each other: two in each room, and spectators.
const maxRoomSessions = 3000

// mark returns a word for a name, from which nobody can find the name without the secret.
func mark(secret, name string) string {
	code := hmac.New(sha256.New, []byte(secret))
	_, _ = code.Write([]byte(name)) // never fails
	return hex.EncodeToString(code.Sum(nil)[:markBytes])
}

// markBytes is the length of a mark: enough that no two clients of a server share one.
const markBytes = 12

// serve serves the board until ctx is done, and returns the cause.
func serve(ctx context.Context, s settings, patience session.Patience, stdout, stderr io.Writer) (failure error) {
	listener, hosts, err := listen(s.address, s.hosts)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }()
	bounds := session.DefaultBounds
	bounds.Reviewers = min(runtime.NumCPU(), maxReviewers)
	if s.rooms != "" {
		bounds.Sessions = maxRoomSessions
	}
	hub := session.NewHub(engine.Version, s.engines, bounds, patience)
	warn := func(err error) {
		_, _ = fmt.Fprintf(stderr, "%s %v\n", time.Now().Format(time.DateTime), err) // there is nobody else to tell
	}
	var unsaved <-chan error // of the rooms
	if s.rooms != "" {
		open, err := rooms.Open(s.rooms, rooms.DefaultBounds, rooms.Secrets{Key: rand.Text, Mark: mark}, warn)
		if err != nil {
			return fmt.Errorf("-rooms: %w", err)
		}
		defer func() { failure = errors.Join(failure, open.Close()) }()
		hub.WithRooms(open)
		unsaved = open.Failed()
	}
	var all *clients.Clients // nil for one person at this machine
	if s.rooms != "" || !isLoopback(listener.Addr()) {
		limits := clients.Default
		limits.Hash, limits.Threads = s.maxHash, s.maxThreads
		all = clients.New(limits)
	}
	board, err := server.New(page(), hosts, s.frames, hub, all, s.proxies)
	if err != nil {
		return err
	}
	board.Warn = warn
	web := board.Web()
	address := "http://" + hosts[0] + "/"
	if _, err := fmt.Fprintf(stdout, "The board is at %s\n%sCtrl-C ends it.\n", address, elsewhere(hosts)); err != nil {
		return err
	}
	if s.open {
		openBrowser(address)
	}
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(board.Listener(listener)) }()
	select {
	case err = <-failed:
	case err = <-unsaved:
		err = fmt.Errorf("-rooms: %w; after the next start all games continue as they were saved", err)
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	// Close ends the requests. WebSockets are no longer requests; board.Close ends them.
	err = errors.Join(err, web.Close())
	board.Close()
	return err
}

const synopsis = `usage: gyre-board [FLAGS]             serve the board and open it in a browser
       gyre-board export [FLAGS] DIR  write the board as static files
       gyre-board version

Play YINSH, watch engines and analyze games in the browser. Only this machine can
connect, unless -addr says otherwise. Ctrl-C ends the board and all engines.

Examples:
  gyre-board                                    play against the built-in engine
  gyre-board -engine 'Mine=./mine -fast'        add an engine that speaks PROTOCOL.md
  gyre-board -addr 0.0.0.0:7117 -open=false     serve the local network
  gyre-board -addr 0.0.0.0:7117 -rooms club.txt let two people play on two machines
`

// isOrigin reports whether a text is the origin of a site on the web.
func isOrigin(text string) bool {
	origin, err := url.Parse(text)
	return err == nil && (origin.Scheme == "http" || origin.Scheme == "https") && origin.Hostname() != "" &&
		text == origin.Scheme+"://"+origin.Host && !strings.ContainsAny(text, "*;, '\"")
}

// settings are the values of the flags.
type settings struct {
	address string
	hosts   []string
	proxies []netip.Prefix
	// The largest Hash, in MiB, and the most Threads that pages may choose if others can connect.
	maxHash, maxThreads int

	frames  []string // origins whose pages may show the board in a frame
	open    bool
	engines []session.Engine
	rooms   string // file of the games that people play each other; empty without rooms
}

// parseFlags reads the command line. Its errors are those of [commandline.Parse].
func parseFlags(args []string, stdout io.Writer) (settings, error) {
	flags := commandline.NewFlags("")
	s := settings{engines: []session.Engine{builtIn()}}
	flags.StringVar(&s.address, "addr", "", "listen on `HOST:PORT`; PORT alone means this machine only, and port 0 any free port (default "+defaultPort+", or a free port if it is taken)")
	port := flags.String("port", "", "listen on `PORT` of this machine only")
	flags.BoolVar(&s.open, "open", true, "open a browser")
	flags.StringVar(&s.rooms, "rooms", "", "let people on different machines play each other in rooms, and append finished games to `FILE`")
	flags.IntVar(&s.maxHash, "max-hash", clients.Default.Hash, "if others can connect, the largest Hash of an engine that a page may choose, in `MIB`")
	flags.IntVar(&s.maxThreads, "max-threads", clients.Default.Threads, "if others can connect, the most Threads of an engine that a page may choose: `N`")
	flags.Var(commandline.Each(s.addEngine), "engine", "add the engine `NAME=CMD`: its name on the page, and its command line, quoted as in a shell; repeatable")
	flags.Var(commandline.Each(func(name string) error {
		if name == "" || strings.ContainsAny(name, "/ ") {
			return fmt.Errorf("%q is not a host name; use NAME or NAME:PORT", name)
		}
		s.hosts = append(s.hosts, name)
		return nil
	}), "host", "also accept requests for the host `NAME`, or NAME:PORT behind a proxy; repeatable")
	flags.Var(commandline.Each(func(text string) error {
		proxy, err := parseProxy(text)
		s.proxies = append(s.proxies, proxy)
		return err
	}), "proxy", "`ADDRESS` of a proxy, or ADDRESS/BITS of several, whose X-Forwarded-For says where a request comes from; repeatable")
	flags.Var(commandline.Each(func(text string) error {
		if !isOrigin(text) {
			return fmt.Errorf("%q is not an origin; use http://HOST or https://HOST, with :PORT if there is one", text)
		}
		s.frames = append(s.frames, text)
		return nil
	}), "frame", "allow pages of `ORIGIN`, such as https://club.example, to show the board in a frame; repeatable")
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' {
		known := []string{"export", "version", "completion"}
		return s, &commandline.UsageError{Err: fmt.Errorf("unknown command %q%s", args[0], commandline.DidYouMean("", args[0], known))}
	}
	if err := commandline.Parse(flags, args, synopsis, stdout); err != nil {
		return s, err
	}
	if *port != "" {
		if _, err := strconv.ParseUint(*port, 10, 16); err != nil {
			return s, &commandline.UsageError{Err: fmt.Errorf("-port %q: not a port; use a number from 0 to 65535", *port)}
		}
		s.address = *port
	}
	if s.address != "" {
		if _, _, err := splitAddress(s.address); err != nil {
			return s, &commandline.UsageError{Err: fmt.Errorf("-addr: %w", err)}
		}
	}
	return s, nil
}

// builtInName is the name of the engine that is part of this program.
const builtInName = "Gyre"

// maxEngineName is the longest name of an engine in bytes.
const maxEngineName = 60

// builtIn returns the engine of this program. It is used through the protocol, as others are.
func builtIn() session.Engine {
	return session.Engine{Name: builtInName, Start: protocol.Local(func() protocol.Engine { return engine.New() }).Start}
}

// addEngine adds the engine that text, NAME=CMD, describes. Its program starts when a page
// first uses the engine.
func (s *settings) addEngine(text string) error {
	name, commandLine, found := strings.Cut(text, "=")
	name = record.Printable(name)
	if !found || name == "" || name == "cmd" || name == "name" { // as for gyre-arena
		return fmt.Errorf("not NAME=CMD; write, for example, %s", commandline.QuoteWord(named(text)))
	}
	if len(name) > maxEngineName {
		return fmt.Errorf("the name is longer than %d bytes", maxEngineName)
	}
	for _, other := range s.engines {
		if strings.EqualFold(other.Name, name) {
			return fmt.Errorf("there is already an engine named %q; use another name", name)
		}
	}
	command, err := commandline.SplitWords(commandLine, commandline.LocalBackslash())
	if err != nil {
		return err
	}
	if len(command) == 0 {
		return errors.New("the command is missing; write NAME=CMD")
	}
	program := protocol.Program{Path: command[0], Args: command[1:]}
	if err := program.Find(); err != nil {
		if path := commandline.BlankPath(command); path != "" {
			return fmt.Errorf("cannot run %w; quote a path with blanks: %s", err, commandline.QuoteWord(fmt.Sprintf("%s=%q", name, path)))
		}
		return fmt.Errorf("cannot run %w", err)
	}
	s.engines = append(s.engines, session.Engine{Name: name, Start: program.Start})
	return nil
}

// named returns NAME=CMD for a text that is only a command, or an engine as gyre-arena describes it.
func named(text string) string {
	words, err := commandline.SplitWords(text, commandline.LocalBackslash())
	if err != nil {
		return "Mine=./mine -fast"
	}
	name := ""
	for len(words) > 0 {
		key, value, _ := strings.Cut(words[0], "=")
		if key == "name" {
			name = value
		} else if key == "cmd" || key == "" {
			words[0] = value
			break
		} else {
			break
		}
		words = words[1:]
	}
	if len(words) == 0 || words[0] == "" {
		return "Mine=./mine -fast"
	}
	base := filepath.Base(words[0])
	return cmp.Or(name, strings.TrimSuffix(base, filepath.Ext(base))) + "=" + strings.Join(words, " ")
}

// page returns the page's files and the puzzle set, with paths relative to the page's folder.
func page() fs.FS {
	files, err := embeddedPage()
	if err != nil {
		panic(err) // the folder's name is right
	}
	return pageFiles{files}
}

// setFolder is the folder in which the page looks for the puzzle set.
const setFolder = "parts/puzzles"

// pageFiles are the page's files plus the puzzle set, which is in bench/puzzles.
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

Write the board as a folder of static files for any web server. The exported page plays,
analyzes and opens games entirely in the browser, and works offline after the first
visit. DIR is a new or empty folder, or one that an earlier export wrote and that is
updated.
`

// exportSite writes the page as a folder. It stops when ctx is done.
func exportSite(ctx context.Context, args []string, stdout io.Writer) error {
	flags := commandline.NewFlags("")
	archived := flags.Bool("zip", true, "also write DIR.zip")
	address := flags.String("url", "", "`ADDRESS` of the site, such as https://example.org/yinsh/: programs that preview links then find their picture")
	words, err := commandline.ParseMixed(flags, args, exportSynopsis, stdout)
	if err != nil {
		return err
	}
	if len(words) != 1 || words[0] == "" {
		return &commandline.UsageError{Err: errors.New("name exactly one folder")}
	}
	if at, err := url.Parse(*address); *address != "" && (err != nil || at.Scheme != "https" && at.Scheme != "http" || at.Host == "") {
		return &commandline.UsageError{Err: fmt.Errorf("-url %q: not an address; write, for example, https://example.org/yinsh/", *address)}
	}
	folder, archive := filepath.Clean(words[0]), ""
	if *archived {
		archive = folder + ".zip"
	}
	if err := export.MayWrite(folder, archive); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(stdout, "Building the page and its program..."); err != nil {
		return err
	}
	site, err := makeSite(ctx, page(), *address)
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
	if archive != "" {
		if err := export.WriteArchive(archive, filepath.Base(folder), site); err != nil {
			return err
		}
		written += " and " + archive
	}
	_, err = fmt.Fprintf(stdout, "Wrote %s: version %s, %d files, %.2f MB to download.\nServe the folder with any web server, for example: python3 -m http.server --directory %s\n",
		written, site.Version, len(site.Files), float64(sent)/1e6, folder)
	return err
}

// makeSite bundles a page for an address, which may be empty, and adds the program.
func makeSite(ctx context.Context, page fs.FS, address string) (*export.Site, error) {
	folder, err := os.MkdirTemp("", "gyre-export-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // it is in the system's temporary folder
	program, err := export.ReadProgram(ctx, folder)
	if err != nil {
		return nil, err
	}
	bundled, err := export.Bundle(ctx, page, folder)
	if err != nil {
		return nil, err
	}
	return export.NewSite(bundled, program, address)
}
