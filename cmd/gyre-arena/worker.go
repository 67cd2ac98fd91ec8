package main

import (
	"context"
	"errors"
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

	"gyre/bench/hub"
	"gyre/bench/load"
	"gyre/cmd/internal/commandline"
)

const workerSynopsis = `usage: gyre-arena worker -hub URL [-key FILE] [-tls-ca FILE] [-slots N] [-cache DIR]
                         [-allow HASH] [-engine SPEC] [-once]

Plays games of the matches of a hub: see HUB.md. The worker runs the programs that the
matches send, as the user that it was started by: join only hubs of people whom you
would let run programs here. Each is told when it is first run; -allow runs only those
that you have looked at. Engines that are not sent, as they may not be copied or need
more than a file, are offered: with -engine 'name=yngine cmd=./yngine' the worker plays
in matches of -engine offered=yngine too.

Ctrl-C ends it at any moment: games under way are given back, and played elsewhere.
The status is 1 when the hub gives the worker no more work, because its results were
wrong.
`

// hubFlags are the flags of what connects to a hub.
type hubFlags struct{ url, key, ca string }

const (
	hubHelp = "`URL` of a hub, such as nats://HOST:4222; with TLS tls://HOST:4222, as a websocket ws://HOST:PORT or wss://HOST"
	caHelp  = "`FILE` of certificates in PEM that the hub's is signed by (default: those of the system)"
	keyHelp = "`FILE` of the key for the hub, if it has keys"
)

// connect connects to the hub.
func (h *hubFlags) connect(ctx context.Context, role hub.Role, name string) (*hub.Hub, error) {
	return hub.Connect(ctx, hub.Address{URL: h.url, Key: h.key, CA: h.ca, Role: role, Name: name, Makes: role == hub.ForMatch})
}

// runWorker plays jobs of a hub.
func runWorker(args []string, stdout, stderr io.Writer) error {
	f := commandline.NewFlags("worker")
	var at hubFlags
	f.StringVar(&at.url, "hub", "", hubHelp)
	f.StringVar(&at.key, "key", "", keyHelp)
	f.StringVar(&at.ca, "tls-ca", "", caHelp)
	slots := f.Int("slots", load.Processors(), "`games` at once")
	var allow allowList
	f.Var(&allow, "allow", "`HASH` or FILE: run no program but those of this SHA-256, or like this file, and those without env. of the match; again for each (default: all that the matches send)")
	offers := offerList{}
	f.Var(offers, "engine", "`SPEC` of an engine of this machine that matches may ask for by its name, and that is not sent: name=NAME cmd=COMMAND, dir=, env.NAME=, option.NAME=; again for each")
	cache := f.String("cache", defaultCache(), "`folder` of programs and files of matches")
	once := f.Bool("once", false, "end when the first match that it has played in is over")
	if err := commandline.Parse(f, args, workerSynopsis, stdout); err != nil {
		return err
	}
	wrong := func(text string) error {
		return &commandline.UsageError{Command: "worker", Err: errors.New(text)}
	}
	switch {
	case at.url == "":
		return wrong("which hub? Give -hub")
	case *cache == "":
		return wrong("where do programs go? Give -cache")
	case *slots < 1:
		return wrong(fmt.Sprintf("-slots %d: not at least 1", *slots))
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
		_, _ = fmt.Fprintln(w, text) // games go on where nobody reads
	}
	say(stdout, fmt.Sprintf("%s for %s; programs that its matches send run here, from %s", numbered(*slots, "slot"), at.url, *cache))
	if len(offers) > 0 {
		say(stdout, "offers "+offers.String())
	}
	w := &hub.Worker{Hub: h, Name: ownName(), Slots: *slots, Cache: *cache, Once: *once, Allow: allow, Offers: offers,
		Tell: func(text string) { say(stdout, text) },
		Warn: func(err error) { say(stderr, "warning: "+err.Error()) }}
	return w.Run(ctx)
}

// numbered returns a number of things in words.
func numbered(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// allowList is the flag -allow: hashes of programs.
type allowList []string

func (l *allowList) String() string { return strings.Join(*l, " ") }

// Set takes one more.
func (l *allowList) Set(text string) error {
	if hub.IsHash(text) {
		*l = append(*l, text)
		return nil
	}
	sum, err := hub.HashOf(text)
	if err != nil {
		return fmt.Errorf("%q: neither a SHA-256 in hexadecimal nor a file: %w", text, err)
	}
	*l = append(*l, sum)
	return nil
}

// offerList is the flag -engine of a worker: engines of its own.
type offerList map[string]hub.Offer

func (l offerList) String() string { return strings.Join(slices.Sorted(maps.Keys(l)), " ") }

// Set takes one more.
func (l offerList) Set(text string) error {
	e, err := parseEngine(text, engineSpec{})
	switch {
	case err != nil:
		return err
	case len(e.command) == 0 || e.reference+e.offered != "" || len(e.build) > 0:
		return errors.New("an engine that is offered has a cmd")
	case e.limits.String() != "" || e.margin != "" || e.restart:
		return errors.New("limits, margin and restart are the match's")
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

// defaultCache is where a worker keeps programs; empty where the system has no place.
func defaultCache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "gyre-arena")
}

// notInName are runs of characters that a worker's name has none of.
var notInName = regexp.MustCompile(`[^A-Za-z0-9]+`)

// ownName is the name of a worker without a key: that of the machine, and the process.
func ownName() string {
	host, err := os.Hostname()
	if err != nil || host == "" {
		host = "worker"
	}
	host = notInName.ReplaceAllString(host, "-")
	return fmt.Sprintf("%.30s-%d", host, os.Getpid())
}
