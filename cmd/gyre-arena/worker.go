package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"gyre/bench/hub"
	"gyre/bench/load"
	"gyre/cmd/internal/commandline"
)

const workerSynopsis = `usage: gyre-arena worker -hub URL [-key FILE] [-tls-ca FILE] [-slots N]
            [-cache DIR] [-allow HASH] [-engine SPEC] [-once]

Plays games of the matches of a hub; cmd/gyre-hub/README.md is the guide. The worker
runs the programs that the matches send, as your user: connect only to hubs of people
whom you trust to run programs here. It prints each program before its first run, and
-allow restricts it to programs that you have checked. Offer an engine that must not be
copied, or that needs more than one file: with -engine 'name=yngine cmd=./yngine' the
worker also plays in matches of -engine offered=yngine.

Press Ctrl-C to stop it at any time: other workers play its unfinished games. The exit
status is 1 if the hub suspends the worker because its results were wrong.
`

// hubFlags are the flags of the commands that connect to a hub.
type hubFlags struct{ url, key, ca string }

const (
	hubHelp = "`URL` of a hub, such as nats://HOST:4222; tls://HOST:4222 with TLS, or ws://HOST:PORT or wss://HOST over WebSocket"
	caHelp  = "PEM `FILE` of the authorities that sign the hub's certificate (default: those of the system)"
	keyHelp = "`FILE` of the key for the hub, if it has keys"
)

// add adds the flags.
func (h *hubFlags) add(f *flag.FlagSet) {
	f.StringVar(&h.url, "hub", "", hubHelp)
	f.StringVar(&h.key, "key", "", keyHelp)
	f.StringVar(&h.ca, "tls-ca", "", caHelp)
}

// hubWait is for how long programs wait for a hub that restarts; 0 for the default. Tests without
// a hub change it.
var hubWait time.Duration

// connect connects to the hub.
func (h *hubFlags) connect(ctx context.Context, role hub.Role, name string) (*hub.Hub, error) {
	return hub.Connect(ctx, hub.Address{URL: h.url, Key: h.key, CA: h.ca, Role: role, Name: name, Create: role == hub.ForMatch, Wait: hubWait})
}

// runWorker plays the jobs of a hub.
func runWorker(args []string, stdout, stderr io.Writer) error {
	f := commandline.NewFlags("worker")
	var at hubFlags
	at.add(f)
	slots := f.Int("slots", load.Processors(), "`games` at once")
	var allow allowList
	f.Var(&allow, "allow", "`HASH` or FILE: run only programs with this SHA-256, or equal to this file, and without env. of the match; may be repeated (default: all that the matches send)")
	offers := offerList{}
	f.Var(offers, "engine", "`SPEC` of an engine of this machine that matches can request by its name, and that is not sent: name=NAME cmd=COMMAND, dir=, env.NAME=, option.NAME=; may be repeated")
	cache := f.String("cache", defaultCache(), "`folder` for programs and files of matches")
	once := f.Bool("once", false, "end when the first match it has played in is over")
	if err := commandline.Parse(f, args, workerSynopsis, stdout); err != nil {
		return err
	}
	wrong := func(text string) error {
		return &commandline.UsageError{Command: "worker", Err: errors.New(text)}
	}
	switch {
	case at.url == "":
		return wrong("give -hub, the URL of a hub")
	case *cache == "":
		return wrong("give -cache, a folder for programs")
	case *slots < 1:
		return wrong(fmt.Sprintf("-slots %d: use at least 1", *slots))
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	h, err := at.connect(ctx, hub.ForWorker, ownName())
	if err != nil {
		return err
	}
	defer h.Close()
	var mu sync.Mutex
	say := func(w io.Writer, text string) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = io.WriteString(w, wrapped(text, 2)) // games go on without a reader
	}
	say(stdout, fmt.Sprintf("%s for %s; this worker runs the programs that matches send, from %s", numbered(*slots, "slot"), at.url, *cache))
	if len(offers) > 0 {
		say(stdout, "offers "+offers.String())
	}
	w := &hub.Worker{Hub: h, Name: ownName(), Slots: *slots, Cache: *cache, Once: *once, Allow: allow, Offers: offers,
		Tell: func(text string) { say(stdout, text) },
		Warn: func(err error) { say(stderr, "warning: "+err.Error()) }}
	return w.Run(ctx)
}

// numbered returns a number of things, as in "2 slots".
func numbered(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// allowList is the value of -allow: hashes of programs.
type allowList []string

func (l *allowList) String() string { return strings.Join(*l, " ") }

// Set adds a hash, or the hash of a file.
func (l *allowList) Set(text string) error {
	if hub.IsHash(text) {
		*l = append(*l, text)
		return nil
	}
	sum, err := hub.HashOf(text)
	if err != nil {
		return fmt.Errorf("%q: neither a SHA-256 nor a file: %w", text, err)
	}
	*l = append(*l, sum)
	return nil
}

// offerList is the value of -engine: engines of the worker.
type offerList map[string]hub.Offer

func (l offerList) String() string { return strings.Join(slices.Sorted(maps.Keys(l)), " ") }

// Set adds an engine.
func (l offerList) Set(text string) error {
	e, err := parseEngine(text, engineSpec{})
	switch {
	case err != nil:
		return err
	case len(e.command) == 0 || e.reference+e.offered != "" || len(e.build) > 0:
		return errors.New("an offered engine needs cmd=")
	case e.limits.String() != "" || e.margin != "" || e.restart:
		return errors.New("the match sets limits, margin and restart")
	}
	if _, twice := l[e.name]; twice {
		return fmt.Errorf("engine %s is offered twice", e.name)
	}
	if err := hub.CheckOffer(e.name); err != nil {
		return err
	}
	program, settings, err := e.program()
	if err == nil {
		_, err = exec.LookPath(program.Path)
	}
	l[e.name] = hub.Offer{Program: program, Settings: settings}
	return err
}

// defaultCache returns the default folder for programs; empty if the system has none.
func defaultCache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "gyre-arena")
}

// notInName matches characters that a worker's name cannot have.
var notInName = regexp.MustCompile(`[^A-Za-z0-9]+`)

// ownName returns the name of a worker without a key: the names of the machine and the process.
func ownName() string {
	host, err := os.Hostname()
	if err != nil || host == "" {
		host = "worker"
	}
	host = notInName.ReplaceAllString(host, "-")
	return fmt.Sprintf("%.30s-%d", host, os.Getpid())
}
