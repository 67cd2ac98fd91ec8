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
	c.flags.StringVar(&c.hub.url, "hub", "", "play on the workers of the hub at this `URL`, such as nats://HOST:4222; all else stays as it is, and the games come to -out: see HUB.md")
	c.flags.StringVar(&c.hub.key, "key", "", keyHelp)
	c.flags.StringVar(&c.hub.ca, "tls-ca", "", caHelp)
	c.flags.Uint64Var(&c.referenceNPS, "reference-nps", 0, "with -hub and a clock, the `nodes` a second of the last -engine with one that its times are meant for; workers on which it is slower get more time (default: as on this machine, which is measured once for each program)")
}

// checkHubFlags returns which flags do not go with -hub, or without it.
func (c *matchConfig) checkHubFlags() error {
	if c.hub.url == "" {
		if c.hub.key+c.hub.ca != "" || c.referenceNPS > 0 {
			return errors.New("-key, -tls-ca and -reference-nps are for -hub")
		}
		return nil
	}
	for _, name := range []string{"concurrency", "oversubscribe", "pin", "trace"} {
		if commandline.Given(c.flags)[name] {
			return fmt.Errorf("-%s is for games on this machine, and -hub for games on others, whose workers say how many they play at once", name)
		}
	}
	return nil
}

// overHub has a match played by the workers of -hub, if it is given. In the end call the
// function. outline gives the score for the hub's status.
func (c *matchConfig) overHub(m *match.Match, outline func(*match.Standing) string, stdout io.Writer) (leave func(), err error) {
	if c.hub.url == "" {
		return func() {}, nil
	}
	programs, err := c.sentPrograms(m)
	if err != nil {
		return nil, &commandline.UsageError{Command: c.flags.Name(), Err: err}
	}
	var score atomic.Value
	score.Store(hub.Progress{})
	c.tell = func(s *match.Standing) {
		if s.Games == 0 {
			return
		}
		told := hub.Progress{Score: outline(s)}
		if len(s.Pairings) == 1 {
			told.Counts = s.Pairings[0].Pairs
		}
		if m.Test != nil {
			told.Pairs, told.LLR = s.Settled, s.LLR
			told.Bounds[0], told.Bounds[1] = m.Test.Bounds()
		}
		score.Store(told)
	}
	c.files(time.Now()) // names the file
	crew, err := c.crew(m, programs, func() hub.Progress { return score.Load().(hub.Progress) }, stdout)
	if err != nil {
		return nil, err
	}
	m.Executor, c.load = crew, c.load.elsewhere()
	return crew.Hub.Close, nil
}

// absent returns the first engine of a match that is not on this machine, nil for none.
func absent(m *match.Match) *game.Engine {
	for i := range m.Engines {
		if e := &m.Engines[i]; e.Start == nil {
			return e
		}
	}
	return nil
}

// crew connects to the hub of -hub, whose workers are the crew of the match that it
// returns. It tells what real clocks are for.
func (c *matchConfig) crew(m *match.Match, programs []hub.Program, score func() hub.Progress, stdout io.Writer) (*hub.Crew, error) {
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
	clock, told, err := h.Reference(ctx, m, programs, c.referenceNPS)
	if err == nil && told != "" {
		_, err = fmt.Fprintln(stdout, told)
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return &hub.Crew{Hub: h, Programs: programs, Clock: clock, Client: hub.ClientOf(c.out), Score: score}, nil
}

// sentPrograms returns the programs of a match that the hub is sent. The error says why
// the match cannot be played over one.
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
