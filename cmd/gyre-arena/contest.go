package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/cmd/internal/commandline"
	"gyre/protocol"
)

// parse reads the command line and the file that it names.
func (c *contest) parse(args []string, synopsis string, stdout io.Writer) error {
	if err := commandline.Parse(c.flags, args, synopsis, stdout); err != nil {
		return err
	}
	var err error
	if c.config != "" {
		err = applyConfig(c.flags, c.config)
	}
	if err == nil {
		err = c.progress.Check()
	}
	if err == nil {
		err = c.checkHubFlags()
	}
	if err != nil {
		return &commandline.UsageError{Command: c.flags.Name(), Err: err}
	}
	return nil
}

// engines returns the descriptions of the engines, whole.
func (c *contest) engines() ([]engineSpec, error) {
	base, err := parseEngine(c.each, engineSpec{limits: c.limits})
	if err != nil {
		return nil, fmt.Errorf("-each: %w", err)
	}
	var specs []engineSpec
	for _, text := range c.specs.texts {
		e, err := parseEngine(text, base)
		if err != nil {
			return nil, err
		}
		if e.limits.Timed() && e.limits.NodesTime == 0 { // also with a clock of its own
			e.limits.NodesTime = cmp.Or(base.limits.NodesTime, c.limits.NodesTime)
		}
		if err := c.useBuild(&e); err != nil {
			return nil, err
		}
		specs = append(specs, e)
	}
	nameEngines(specs)
	return specs, nil
}

// test returns the sequential test, nil without one.
func (c *contest) test() (*stats.SPRT, error) {
	if c.sprt == "" {
		return nil, nil
	}
	if _, err := fmt.Sscanf(c.sprt+"\n", "%g,%g\n", &c.hypotheses.Elo0, &c.hypotheses.Elo1); err != nil {
		return nil, fmt.Errorf("-sprt %q: not ELO0,ELO1", c.sprt)
	}
	return stats.NewSPRT(c.hypotheses)
}

// match returns what is to be played. schedule makes its schedule from the numbers
// of engines and rounds; more engines come after those of the command line. Errors
// are of the command line or of the files that it names.
func (c *contest) match(schedule func(engines, rounds int) match.Schedule, more ...game.Engine) (*match.Match, error) {
	specs, err := c.engines()
	if err != nil {
		return nil, err
	}
	pairs, err := c.pairsWanted()
	if err != nil {
		return nil, err
	}
	if err := c.readBook(); err != nil {
		return nil, err
	}
	rounds, err := c.rounds(pairs)
	if err != nil {
		return nil, err
	}
	m := &match.Match{
		Concurrency: c.concurrency, Recover: c.recover, Again: c.faultsAgain, OtherPrograms: c.otherPrograms,
		Schedule:   schedule(len(specs)+len(more), rounds),
		Conditions: game.Conditions{Margin: c.margin, TurnPatience: c.turnPatience, Adjudication: c.adjudication, Ponder: c.ponder, PV: c.pv},
		Patience:   protocol.Patience{Handshake: c.startPatience, Answer: c.startPatience, Stop: c.stopPatience},
	}
	for i := range specs {
		e, err := specs[i].engine()
		if err != nil {
			return nil, err
		}
		m.Engines = append(m.Engines, e)
	}
	m.Engines = append(m.Engines, more...)
	if e := absent(m); e != nil && c.hub.url == "" {
		return nil, fmt.Errorf("engine %q is %s by workers of a hub: which? Give -hub", e.Name, e.Program)
	}
	if m.Processors, err = c.shareProcessors(m); err != nil {
		return nil, err
	}
	if m.Test, err = c.test(); err != nil {
		return nil, err
	}
	opened, source, err := c.openings()
	if err != nil {
		return nil, err
	}
	m.Openings = opened
	if m.ID, err = identity(specs, more, m, source); err != nil {
		return nil, err
	}
	c.load = newMachineLoad(m)
	return m, m.Check()
}

// identity returns what tells a match from others: the same for the same
// engines, pairings, openings and conditions, but for any number of rounds.
func identity(specs []engineSpec, more []game.Engine, m *match.Match, openings string) (string, error) {
	var texts []string
	for i := range specs {
		texts = append(texts, specs[i].String())
	}
	for i := range more {
		texts = append(texts, more[i].Name)
	}
	all, err := json.Marshal(map[string]any{
		"engines": texts, "pairings": m.Schedule.Pairings, "openings": openings, "conditions": m.Conditions,
	})
	return fmt.Sprintf("%016x", xxh3.Hash(all)), err
}

// files returns where the games go; the name of a new file tells the time.
func (c *contest) files(now time.Time) match.Files {
	if c.out == "" {
		c.out = c.flags.Name() + now.Format("-20060102-150405") + ".jsonl"
	}
	files := match.Files{Lines: c.out, Records: c.records, Unchecked: c.unchecked}
	switch c.records {
	case "none":
		files.Records = ""
	case "":
		files.Records = strings.TrimSuffix(c.out, ".jsonl") + ".txt"
	}
	if info, err := os.Stat(c.out); err == nil && !info.Mode().IsRegular() && c.records == "" {
		files.Records = "" // beside a device there is no place for files
	}
	return files
}
