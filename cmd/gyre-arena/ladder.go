package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"gyre/bench/game"
	"gyre/bench/ladder"
	"gyre/bench/match"
	"gyre/cmd/internal/commandline"
)

const ladderSynopsis = `usage: gyre-arena ladder -engine SPEC -time DURATION LIMIT [FLAGS]
       gyre-arena ladder -rate -pairs N -o RATINGS [FLAGS]

Places an engine on a scale of built-in players of fixed strength: first it meets
each of them, then, until the time is up, those nearest to it. Its rating is printed
with an error, half the 95% interval; random play has 0.

With -rate the built-in players meet each other instead, and the file of their
ratings is written, bench/ladder/ratings.txt in the sources.

The players:
`

// errTimeUp is why a run of the ladder ended.
var errTimeUp = errors.New("the time is up")

// nearest is how many players the engine meets in the end.
const nearest = 3

// runLadder places an engine, or rates the players.
func runLadder(args []string, stdout, stderr io.Writer) error {
	c := newContest("ladder")
	limit := c.flags.Duration("time", 10*time.Minute, "`time` that the placing of the engine takes")
	rate := c.flags.Bool("rate", false, "rate the built-in players instead")
	path := c.flags.String("o", "", "`FILE` for the ratings of -rate (default: only printed)")
	if err := c.parse(args, ladderSynopsis+playerList(), stdout); err != nil {
		return err
	}
	var more []game.Engine
	for _, p := range ladder.Players() {
		more = append(more, p.Engine())
	}
	if c.pairs == 0 && c.games == 0 {
		c.pairs = 2
	}
	var err error
	switch {
	case *rate && len(c.specs.texts) > 0:
		err = errors.New("-rate and -engine exclude each other")
	case !*rate && len(c.specs.texts) != 1:
		err = errors.New("which engine is to be rated? Give one -engine, or -rate")
	case *limit <= 0:
		err = errors.New("-time is positive")
	}
	schedule := match.Gauntlet
	if *rate {
		schedule = match.RoundRobin
	}
	var m *match.Match
	if err == nil {
		m, err = c.match(schedule, more...)
	}
	if err != nil {
		return &commandline.UsageError{Command: "ladder", Err: err}
	}
	if *rate {
		return c.ratePlayers(m, *path, stdout, stderr)
	}
	return c.place(m, *limit, stdout, stderr)
}

// playerList lists the players with what they do.
func playerList() string {
	text := ""
	for _, p := range ladder.Players() {
		text += fmt.Sprintf("  %-15s %s\n", p.Name, p.About)
	}
	return text
}

// ratePlayers plays the players against each other and writes their ratings.
func (c *contest) ratePlayers(m *match.Match, path string, stdout, stderr io.Writer) error {
	write := func(s *match.Standing) error {
		fixed, err := parseAnchor(ladder.Anchor+"=0", m)
		if err != nil {
			return err
		}
		if err := writeTournament(stdout, m, s, fixed); err != nil || path == "" || !s.Over() {
			return err
		}
		return writeRatings(path, m, s, fixed)
	}
	return c.play(m, func(s *match.Standing) string { return leaders(m, s) }, write, stdout, stderr)
}

// place plays the engine against the players until the time is up.
func (c *contest) place(m *match.Match, limit time.Duration, stdout, stderr io.Writer) error {
	scale, err := ladder.Ratings()
	if err != nil {
		return err
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	files := c.files(time.Now())
	if err := c.checkNames(files); err != nil {
		return &commandline.UsageError{Command: c.flags.Name(), Err: err}
	}
	// The time is for games: it begins when all are known to play.
	if err := m.CheckEngines(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errTimeUp)
	defer cancel()
	climb := &climb{scale: scale, engine: m.Engines[0].Name}
	outline := func(s *match.Standing) string { return climb.outline(m, s) }
	standing, err := c.run(ctx, m, files, outline, stdout, stderr)
	if standing != nil {
		climb.keep(m, standing)
	}
	if err == nil {
		near := climb.near(m, nearest)
		second := beside(files)
		standing, err = c.run(ctx, near, second, func(s *match.Standing) string { return climb.outline(near, s) }, stdout, stderr)
		if standing != nil {
			climb.keep(near, standing)
		}
	}
	if errors.Is(err, errTimeUp) {
		err = nil
	}
	return errors.Join(err, climb.write(stdout))
}
