package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"gyre/bench/hub"
	"gyre/bench/match"
	"gyre/bench/openings"
	"gyre/bench/tune"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/hubflags"
)

// detached hands a match to the hub and prints how to follow it. tuning is the tuning that the match
// belongs to, or nil.
func (c *matchConfig) detached(m *match.Match, tuning *tune.Tuning, stdout, stderr io.Writer) error {
	if err := c.buildEngines(m, stdout); err != nil {
		return err
	}
	programs, err := c.sentPrograms(m)
	if err != nil {
		return &commandline.UsageError{Command: c.flags.Name(), Err: err}
	}
	if tuning != nil {
		programs[1] = programs[0] // one engine plays both sides
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	name := c.work.NameOf(c.flags.Name())
	m.Setup = c.setup()
	r := hub.Request{Name: name, Command: m.Setup.Command, Queue: c.work.Queue, Rules: c.recipe.Rules, Tuning: tuning}
	if c.opened != nil {
		for _, o := range c.opened {
			r.Book = append(r.Book, openings.Format(o))
		}
	} else {
		first, err := m.Openings.Opening(0)
		if err != nil {
			return err
		}
		r.Recipe, r.First = &c.recipe, openings.Format(first)
	}
	if err := m.CheckEngines(ctx); err != nil {
		return err
	}
	executor, err := c.hubExecutor(m, programs, nil, stdout, stderr)
	if err != nil {
		return err
	}
	defer executor.Hub.Close()
	if err := executor.Hub.Detach(ctx, m, programs, executor.Clock, r); err != nil {
		return err
	}
	_, err = io.WriteString(stdout, c.hub.Detached("plays match", name))
	return err
}

const attachSynopsis = `usage: gyre-arena attach [NAME] -hub URL [-key FILE] [-tls-ca FILE]

Follows a detached match until it is over. Ctrl-C ends only this command. Without a
name it lists the detached matches of the hub. Games are counted in pairs, in the order of
the match, so some of the games played may not be counted yet.
`

const stopSynopsis = `usage: gyre-arena stop NAME -hub URL [-key FILE] [-tls-ca FILE]

Stops a detached match. Its games stay on the hub. resume, or the command that started it,
resumes it. With keys, only the owner of the match and holders of a key for administrators
can stop it.
`

const pauseSynopsis = `usage: gyre-arena pause NAME -hub URL [-key FILE] [-tls-ca FILE]

Pauses a detached match until resume. It stays paused if the hub restarts. With keys, only
the owner of the match and holders of a key for administrators can pause it.
`

const resumeSynopsis = `usage: gyre-arena resume NAME -hub URL [-key FILE] [-tls-ca FILE]

Resumes a detached match that is paused, was stopped or failed. With keys, only the owner
of the match and holders of a key for administrators can resume it.
`

const deleteSynopsis = `usage: gyre-arena delete NAME -hub URL [-key FILE] [-tls-ca FILE]

Deletes a detached match that is not running, and its games, from the hub. Files that fetch
wrote stay. With keys, only the owner of the match and holders of a key for administrators
can delete it.
`

const fetchSynopsis = `usage: gyre-arena fetch NAME -hub URL [-key FILE] [-tls-ca FILE] [-out FILE]

Prints the state of a detached match and writes its games to a file, for standing,
stats and report. If the file has the first of these games, fetch adds only the rest.
To see the result of a tuning, run tune with this file as -out. The games of
gyre-train generate -detach are a file of samples.
`

const unsuspendSynopsis = `usage: gyre-arena unsuspend NAME -hub URL [-key FILE] [-tls-ca FILE]

Makes the hub forget the faults of a key, so that its holder can continue at once. With a
key for administrators, and on a hub without keys, it forgets all faults; with another key
those that matches of this key reported. Start a worker that ended for its suspension
again.
`

// runUnsuspend makes a hub forget the faults of a key.
func runUnsuspend(args []string, stdout, _ io.Writer) error {
	return onHub(commandline.NewFlags("unsuspend"), unsuspendSynopsis, args, stdout, func(ctx context.Context, h *hub.Hub, name string) error {
		if err := h.Unsuspend(ctx, name); err != nil {
			return err
		}
		_, err := fmt.Fprintf(stdout, "the hub has forgotten the faults of %s\n", name)
		return err
	})
}

// onHub parses the command line of attach, stop, fetch and the like, connects to the hub, and calls
// do with the name of the match or key, which is empty for attach without one. f has the flags that only
// this command has.
func onHub(f *flag.FlagSet, synopsis string, args []string, stdout io.Writer, do func(ctx context.Context, h *hub.Hub, name string) error) error {
	var at hubflags.Hub
	at.Add(f, "")
	words, err := commandline.ParseMixed(f, args, synopsis, stdout)
	if err != nil {
		return err
	}
	if len(words) > 1 || len(words) == 0 && f.Name() != "attach" {
		of := "match"
		if f.Name() == "unsuspend" {
			of = "key"
		}
		return &commandline.UsageError{Command: f.Name(), Err: fmt.Errorf("give the name of one %s", of)}
	}
	return connected(f.Name(), &at, func(ctx context.Context, h *hub.Hub) error {
		return do(ctx, h, strings.Join(words, "")) // at most one word
	})
}

// attachInterval is the time between two looks at a detached match.
const attachInterval = 2 * time.Second

// runAttach follows a detached match, or lists all without a name.
func runAttach(args []string, stdout, _ io.Writer) error {
	return onHub(commandline.NewFlags("attach"), attachSynopsis, args, stdout, func(ctx context.Context, h *hub.Hub, name string) error {
		if name == "" {
			return listDetached(ctx, h, stdout)
		}
		return follow(ctx, h, name, stdout)
	})
}

// listDetached prints the detached matches of a hub.
func listDetached(ctx context.Context, h *hub.Hub, stdout io.Writer) error {
	all, err := h.AllDetached(ctx)
	if err == nil && len(all) == 0 {
		_, err = fmt.Fprintln(stdout, "the hub has no detached matches")
	}
	for i := range all {
		if err == nil {
			_, err = fmt.Fprintln(stdout, detachedLine(&all[i]))
		}
	}
	return err
}

// follow prints the state of a detached match whenever it changes, until the match is over.
func follow(ctx context.Context, h *hub.Hub, name string, stdout io.Writer) error {
	for last := ""; ; {
		d, err := h.Detached(ctx, name)
		if err != nil {
			return err
		}
		if line := detachedLine(d); line != last {
			last = line
			if _, err := fmt.Fprintln(stdout, line); err != nil {
				return err
			}
		}
		switch d.State {
		case hub.Over:
			return nil
		case hub.Stopped, hub.Paused:
			return fmt.Errorf("match %s is %s", name, d.State)
		case hub.Impaired:
			return fmt.Errorf("match %s failed: %s", name, d.Reason)
		}
		select {
		case <-time.After(attachInterval):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// detachedLine describes a detached match.
func detachedLine(d *hub.DetachedMatch) string {
	games := fmt.Sprintf("%d games", d.Played)
	if d.Total > 0 {
		games = fmt.Sprintf("%d of %d games", d.Played, d.Total)
	}
	if counted := 2 * d.Counts.Total(); len(d.Engines) == 2 && counted < d.Played {
		games += fmt.Sprintf(" played, %d counted", counted)
	}
	parts := []string{fmt.Sprintf("%s: %s, %s", d.Name, d.State, games)}
	if d.Bounds != [2]float64{} {
		parts = append(parts, fmt.Sprintf("LLR %.2f (%.2f, %.2f)", d.LLR, d.Bounds[0], d.Bounds[1]))
	}
	if d.Score != "" {
		parts = append(parts, d.Score)
	}
	if d.Owner != "" {
		parts = append(parts, "of "+d.Owner)
	}
	for _, why := range []string{d.Reason, d.Wait, d.Doubt} {
		if why != "" {
			parts = append(parts, why)
		}
	}
	return strings.Join(parts, ", ")
}

// changing returns a command that changes the state of a detached match and says so.
func changing(command, done, synopsis string) func(args []string, stdout, _ io.Writer) error {
	return func(args []string, stdout, _ io.Writer) error {
		return onHub(commandline.NewFlags(command), synopsis, args, stdout, func(ctx context.Context, h *hub.Hub, name string) error {
			if err := h.Change(ctx, command, name); err != nil {
				return err
			}
			_, err := fmt.Fprintf(stdout, "%s %s\n", done, name)
			return err
		})
	}
}

// runFetch writes the games of a detached match to a file.
func runFetch(args []string, stdout, _ io.Writer) error {
	f := commandline.NewFlags("fetch")
	path := f.String("out", "", "`FILE` for the games (default: NAME.jsonl, and NAME.gyre for samples)")
	return onHub(f, fetchSynopsis, args, stdout, func(ctx context.Context, h *hub.Hub, name string) error {
		d, err := h.Detached(ctx, name) // before a file is created
		if err != nil {
			return err
		}
		out := cmp.Or(*path, name+".jsonl")
		if *path == "" && d.Samples {
			out = name + ".gyre"
		}
		state, err := fetchGames(ctx, h, name, out)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(stdout, "%s\ngames are in %s\n", detachedLine(state), out)
		return err
	})
}

// fetchGames appends missing games to a file. It does not change a file that begins with other
// content.
func fetchGames(ctx context.Context, h *hub.Hub, name, out string) (state *hub.DetachedMatch, err error) {
	if info, err := os.Stat(out); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil, fmt.Errorf("%s: this is a pipe or a device, and a later fetch continues a file: give the name of one", out)
	}
	file, err := os.OpenFile(out, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	for offset := int64(0); ; {
		data, state, err := h.Fetch(ctx, name, offset)
		if err != nil || len(data) == 0 {
			if err == nil && offset < info.Size() {
				err = fmt.Errorf("%s has more than the games of match %s; choose another -out", out, name)
			}
			return state, err
		}
		have := make([]byte, min(int64(len(data)), max(info.Size()-offset, 0)))
		if _, err := file.ReadAt(have, offset); err != nil {
			return nil, err
		}
		if string(have) != string(data[:len(have)]) {
			return nil, fmt.Errorf("%s does not begin with the games of match %s; choose another -out", out, name)
		}
		if _, err := file.WriteAt(data[len(have):], offset+int64(len(have))); err != nil {
			return nil, err
		}
		offset += int64(len(data))
	}
}
