package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gyre/bench/game"
	"gyre/bench/hub"
	"gyre/bench/journal"
	"gyre/bench/load"
	"gyre/bench/match"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/hubflags"
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

// runWorker plays the jobs of a hub.
func runWorker(args []string, stdout, stderr io.Writer) error {
	f := commandline.NewFlags("worker")
	var at hubflags.Hub
	at.Add(f, "")
	slots := f.Int("slots", load.Processors(), "`games` at once")
	var allow allowList
	f.Var(&allow, "allow", "`HASH` or FILE: run only programs with this SHA-256, or equal to this file, and without env. of the match, but with any arguments and options; may be repeated (default: all that the matches send)")
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
	case at.URL == "":
		return wrong("give -hub, the URL of a hub")
	case *cache == "":
		return wrong("give -cache, a folder for programs")
	case *slots < 1:
		return wrong(fmt.Sprintf("-slots %d: use at least 1", *slots))
	}
	if err := journal.MayWriteIn(*cache); err != nil { // before the first match, not with it
		return fmt.Errorf("-cache %w", err)
	}
	if err := os.MkdirAll(*cache, 0o700); err != nil {
		return fmt.Errorf("-cache %w", err)
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	h, err := at.Connect(ctx, hub.ForWorker, ownName())
	if err != nil {
		return err
	}
	defer h.Close()
	var mu sync.Mutex
	say := func(w io.Writer, text string) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = io.WriteString(w, wrapped(text, 2)) // games continue even if nobody reads the output
	}
	say(stdout, fmt.Sprintf("%s for %s; this worker runs the programs that matches send, from %s", plural(*slots, "slot"), at.URL, *cache))
	if len(offers) > 0 {
		say(stdout, "offers "+offers.String())
	}
	w := &hub.Worker{Hub: h, Name: ownName(), Slots: *slots, Cache: *cache, Once: *once, Allow: allow, Offers: offers,
		Tell: func(text string) { say(stdout, text) },
		Warn: func(err error) { say(stderr, "warning: "+err.Error()) }}
	return w.Run(ctx)
}

// allowList is the value of -allow: hashes of programs.
type allowList []string

// Repeatable returns true.
func (l *allowList) Repeatable() bool { return true }

func (l *allowList) String() string { return strings.Join(*l, " ") }

// Set adds a hash, or the hash of a file.
func (l *allowList) Set(text string) error {
	if hub.IsHash(text) {
		*l = append(*l, text)
		return nil
	}
	if info, err := os.Stat(text); err == nil && (!info.Mode().IsRegular() || info.Size() == 0) { // a device may have no end
		return fmt.Errorf("%q: not the file of a program", text)
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

// Repeatable returns true.
func (l offerList) Repeatable() bool { return true }

func (l offerList) String() string { return strings.Join(slices.Sorted(maps.Keys(l)), " ") }

// Set adds an engine.
func (l offerList) Set(text string) error {
	e, err := parseEngine(text, engineSpec{}, commandline.LocalBackslash())
	switch {
	case err != nil:
		return err
	case len(e.command) == 0 || e.reference+e.offered != "" || len(e.build) > 0:
		return errors.New("an offered engine needs cmd=")
	case e.name == "":
		return errors.New("an offered engine needs name=, by which matches request it")
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
		err = program.Find()
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

const statusSynopsis = `usage: gyre-arena status -hub URL [-key FILE] [-tls-ca FILE] [-json] [-watch]

Prints the matches in progress on a hub, its workers, and those whose results were
wrong. With -watch it repeats that until Ctrl-C. If the hub has keys, it needs one for
matches.
`

// runStatus prints the status of a hub.
func runStatus(args []string, stdout, _ io.Writer) error {
	f := commandline.NewFlags("status")
	var at hubflags.Hub
	at.Add(f, "")
	asJSON := f.Bool("json", false, "print a line of JSON")
	watch := f.Bool("watch", false, "repeat every two seconds, until Ctrl-C")
	if err := commandline.Parse(f, args, statusSynopsis, stdout); err != nil {
		return err
	}
	return connected("status", &at, func(ctx context.Context, h *hub.Hub) error {
		return writeStatus(ctx, h, *asJSON, *watch, stdout)
	})
}

// connected connects to a hub, calls do, and closes the connection. ctx is canceled by Ctrl-C.
func connected(command string, at *hubflags.Hub, do func(ctx context.Context, h *hub.Hub) error) error {
	if at.URL == "" {
		return &commandline.UsageError{Command: command, Err: errors.New("give -hub, the URL of a hub")}
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	h, err := at.Connect(ctx, hub.ForMatch, "")
	if err != nil {
		return err
	}
	defer h.Close()
	return do(ctx, h)
}

// writeStatus prints the status of a hub, and with watch again and again.
func writeStatus(ctx context.Context, h *hub.Hub, asJSON, watch bool, stdout io.Writer) error {
	for {
		status, err := h.Status(ctx)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return err
		case asJSON:
			err = json.NewEncoder(stdout).Encode(status)
		default:
			err = status.Write(stdout, wrapped)
		}
		if err != nil || !watch {
			return err
		}
		select {
		case <-time.After(watchEvery):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if !asJSON {
			if _, err := fmt.Fprintln(stdout); err != nil {
				return err
			}
		}
	}
}

// watchEvery is the time between two reports of status -watch.
const watchEvery = 2 * time.Second

// useHub lets the workers of -hub, if it is given, play a match. Call the function at the end
// of the match. outline returns the score for the hub's status.
func (c *matchConfig) useHub(m *match.Match, outline func(*match.Standing) string, stdout, stderr io.Writer) (disconnect func(), err error) {
	if c.hub.URL == "" {
		return func() {}, nil
	}
	programs, err := c.sentPrograms(m)
	if err != nil {
		return nil, &commandline.UsageError{Command: c.flags.Name(), Err: err}
	}
	var score atomic.Value
	score.Store(hub.Progress{})
	c.publish = func(s *match.Standing) {
		score.Store(hub.ProgressOf(outline, m, s))
	}
	executor, err := c.hubExecutor(m, programs, func() hub.Progress { return score.Load().(hub.Progress) }, stdout, stderr)
	if err != nil {
		return nil, err
	}
	m.Executor = executor
	if c.load != nil {
		c.load = &machineLoad{} // of other machines
	}
	return executor.Hub.Close, nil
}

// absent returns the first engine of a match that is not on this machine; nil if there is none.
func absent(m *match.Match) *game.Engine {
	for i := range m.Engines {
		if e := &m.Engines[i]; e.Start == nil {
			return e
		}
	}
	return nil
}

// hubExecutor connects to the hub of -hub and returns an executor for a match. It prints the
// speed that real clocks are meant for, and warnings.
func (c *matchConfig) hubExecutor(m *match.Match, programs []hub.Program, score func() hub.Progress, stdout, stderr io.Writer) (*hub.Executor, error) {
	if c.referenceNPS > 0 && !m.RealTime() {
		return nil, &commandline.UsageError{Command: c.flags.Name(), Err: errors.New("-reference-nps is for clocks of real time, and no engine has one")}
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	h, err := c.hub.Connect(ctx, hub.ForMatch, "")
	if err != nil {
		return nil, err
	}
	warn := func(err error) { _, _ = fmt.Fprintf(stderr, "warning: %v\n", err) }
	if err := h.BuildOthers(ctx, programs, warn); err != nil {
		h.Close()
		return nil, err
	}
	clock, line, err := h.Reference(ctx, m, programs, c.referenceNPS)
	if err == nil && line != "" {
		_, err = fmt.Fprintln(stdout, line)
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return &hub.Executor{Hub: h, Programs: programs, Clock: clock, Client: hub.ClientOf(c.out), Score: score, Queue: c.work.Queue}, nil
}

// sentPrograms returns the programs of a match's engines. The error says why the match cannot
// be played over a hub.
func (c *matchConfig) sentPrograms(m *match.Match) ([]hub.Program, error) {
	programs := make([]hub.Program, len(m.Engines))
	for i := range m.Engines {
		switch {
		case i >= len(c.described): // a player of the ladder
			programs[i].Reference = m.Engines[i].Name
		case c.described[i].reference != "":
			programs[i].Reference = c.described[i].reference
		case c.described[i].offered != "":
			programs[i].Offered = c.described[i].offered
		default:
			var err error
			if programs[i].Program, _, err = c.described[i].program(); err != nil {
				return nil, err
			}
			if source := c.described[i].build; len(source) > 0 {
				programs[i].Build = func(ctx context.Context, system string) (string, error) {
					return c.built.program(ctx, source[0], system)
				}
			}
		}
	}
	return programs, hub.Playable(m, programs)
}
