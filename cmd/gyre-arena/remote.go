package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"gyre/bench/game"
	"gyre/bench/hub"
	"gyre/bench/match"
	"gyre/cmd/internal/commandline"
)

// addHub adds the flags of a match over a hub.
func (c *matchConfig) addHub() {
	c.detach.addQueue(c)
	c.flags.StringVar(&c.hub.url, "hub", "", "play on the workers of the hub at this `URL`, such as nats://HOST:4222; the games are stored in -out as usual")
	c.flags.StringVar(&c.hub.key, "key", "", keyHelp)
	c.flags.StringVar(&c.hub.ca, "tls-ca", "", caHelp)
	c.flags.Uint64Var(&c.referenceNPS, "reference-nps", 0, "with -hub and a clock, the `nodes` a second of the last -engine with a clock for which times are meant; slower workers get more time (default: measured on this machine, once for each program)")
}

// checkHubFlags returns an error for flags that cannot be used with -hub, or without it.
func (c *matchConfig) checkHubFlags() error {
	if err := c.detach.check(c); err != nil {
		return err
	}
	if c.hub.url == "" {
		if c.hub.key+c.hub.ca != "" || c.referenceNPS > 0 {
			return errors.New("-key, -tls-ca and -reference-nps are for -hub")
		}
		return nil
	}
	for _, name := range []string{"concurrency", "oversubscribe", "pin", "trace"} {
		if commandline.Given(c.flags)[name] {
			return fmt.Errorf("-%s is for games on this machine; with -hub the workers decide how many they play at once", name)
		}
	}
	return nil
}

// useHub lets the workers of -hub, if it is given, play a match. Call the function at the end
// of the match. outline returns the score for the hub's status.
func (c *matchConfig) useHub(m *match.Match, outline func(*match.Standing) string, stdout io.Writer) (disconnect func(), err error) {
	if c.hub.url == "" {
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
	c.files(time.Now()) // sets c.out
	executor, err := c.hubExecutor(m, programs, func() hub.Progress { return score.Load().(hub.Progress) }, stdout)
	if err != nil {
		return nil, err
	}
	m.Executor, c.load = executor, c.load.elsewhere()
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
// speed that real clocks are meant for.
func (c *matchConfig) hubExecutor(m *match.Match, programs []hub.Program, score func() hub.Progress, stdout io.Writer) (*hub.Executor, error) {
	if c.referenceNPS > 0 && !slices.ContainsFunc(m.Engines, func(e game.Engine) bool { return e.Limits.RealTime() }) {
		return nil, &commandline.UsageError{Command: c.flags.Name(), Err: errors.New("-reference-nps is for clocks of real time, and no engine has one")}
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	h, err := c.hub.connect(ctx, hub.ForMatch, "")
	if err != nil {
		return nil, err
	}
	if err := h.BuildOthers(ctx, programs); err != nil {
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
	return &hub.Executor{Hub: h, Programs: programs, Clock: clock, Client: hub.ClientOf(c.out), Score: score, Queue: c.detach.queue}, nil
}

// sentPrograms returns the programs of a match's engines. The error says why the match cannot
// be played over a hub.
func (c *matchConfig) sentPrograms(m *match.Match) ([]hub.Program, error) {
	specs, err := c.engines()
	if err != nil {
		return nil, err
	}
	programs := make([]hub.Program, len(m.Engines))
	for i := range m.Engines {
		switch {
		case i >= len(specs): // a player of the ladder
			programs[i].Reference = m.Engines[i].Name
		case specs[i].reference != "":
			programs[i].Reference = specs[i].reference
		case specs[i].offered != "":
			programs[i].Offered = specs[i].offered
		default:
			if programs[i].Program, _, err = specs[i].program(); err != nil {
				return nil, err
			}
			if source := specs[i].build; len(source) > 0 {
				programs[i].Build = func(ctx context.Context, system string) (string, error) {
					return c.built.program(ctx, source[0], system)
				}
			}
		}
	}
	return programs, hub.Playable(m, programs)
}
