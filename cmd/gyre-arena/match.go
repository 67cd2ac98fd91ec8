package main

import (
	"errors"
	"io"

	"gyre/bench/match"
	"gyre/cmd/internal/commandline"
)

const matchSynopsis = `usage: gyre-arena match -engine SPEC -engine SPEC (-pairs N | -games N | -sprt ELO0,ELO1) LIMIT [FLAGS]

Plays two engines against each other, each opening with both colours, a fixed
number of games or until a sequential test decides. Statistics are the first
engine's. For example:

  gyre-arena match -engine 'name=new cmd=./gyre' -engine 'name=old cmd=./gyre-old' \
      -each option.Hash=16 -tc 1+0.01 -sprt 0,10 -concurrency 2 -out new.jsonl

Before the first game each engine has to start, take its options and make a turn.
The match stops when an engine dies, hangs, cannot start or breaks the rules; with
-recover it goes on, that engine started anew. The pair of such a game counts for
nothing, as it tells of the program and not of its strength; -again plays the game
again. A game lost on time counts.

With -hub the games are played by the workers of a hub, on any number of machines. By
nodes they are the same as here; clocks are scaled to each machine: see HUB.md.

Ctrl-C ends it at any moment, as does a terminal that closes; the same command with
the same -out goes on, also with more -pairs. When the arena is killed, Linux ends its
engines too; on other systems an engine that hangs may stay behind.

Lines of games carry checksums: a file that was changed is refused, and so is one of
anything else. An opening is played once, with both colours. More games at once than
processors are refused; with a clock the machine's load is watched, and told at the end.
`

// runMatch plays a match of two engines.
func runMatch(args []string, stdout, stderr io.Writer) error {
	c := newContest("match")
	c.testFlags()
	c.addHub()
	if err := c.parse(args, matchSynopsis, stdout); err != nil {
		return err
	}
	if len(c.specs.texts) != 2 {
		return &commandline.UsageError{Command: "match", Err: errors.New("a match is of two engines: give -engine twice")}
	}
	m, err := c.match(match.RoundRobin)
	if err != nil {
		return &commandline.UsageError{Command: "match", Err: err}
	}
	outline := func(s *match.Standing) string { return scoreLine(s, m.Test) }
	if err := c.buildEngines(m, stdout); err != nil {
		return err
	}
	leave, err := c.overHub(m, outline, stdout)
	if err != nil {
		return err
	}
	defer leave()
	write := func(s *match.Standing) error {
		table, err := rated(s, anchored{engine: -1})
		return errors.Join(writeMatch(stdout, m, s), err, c.saveSummary(table, m))
	}
	return c.play(m, outline, write, stdout, stderr)
}
