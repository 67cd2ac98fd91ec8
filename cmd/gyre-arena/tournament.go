package main

import (
	"errors"
	"fmt"
	"io"

	"gyre/bench/match"
	"gyre/cmd/internal/commandline"
)

const tournamentSynopsis = `usage: gyre-arena tournament -engine SPEC -engine SPEC ... (-pairs N | -games N) LIMIT [FLAGS]

Plays several engines, each against each, or with -gauntlet the first against each
of the others. All pairings of a round begin with the same opening. At the end come
a cross table and ratings by maximum likelihood, with their errors.

Before the first game each engine has to start, take its options and make a turn.
The tournament stops when an engine dies, hangs, cannot start or breaks the rules; with
-recover it goes on, that engine started anew. The pair of such a game counts for
nothing, as it tells of the program and not of its strength; -again plays the game
again. A game lost on time counts.

With -hub the games are played by the workers of a hub, on any number of machines, and
are the same as here: see HUB.md.

Ctrl-C ends it at any moment; the same command with the same -out goes on.
`

// runTournament plays a tournament.
func runTournament(args []string, stdout, stderr io.Writer) error {
	c := newContest("tournament")
	c.addHub()
	gauntlet := c.flags.Bool("gauntlet", false, "the first engine against each of the others, instead of each against each")
	anchor := c.flags.String("anchor", "", anchorHelp)
	if err := c.parse(args, tournamentSynopsis, stdout); err != nil {
		return err
	}
	wrong := func(err error) error { return &commandline.UsageError{Command: "tournament", Err: err} }
	if len(c.specs.texts) < 2 {
		return wrong(errors.New("a tournament is of two engines at least: give -engine for each"))
	}
	schedule := match.RoundRobin
	if *gauntlet {
		schedule = match.Gauntlet
	}
	m, err := c.match(schedule)
	if err != nil {
		return wrong(err)
	}
	fixed, err := parseAnchor(*anchor, names(m))
	if err != nil {
		return wrong(err)
	}
	outline := func(s *match.Standing) string { return leaders(s) }
	if err := c.buildEngines(m, stdout); err != nil {
		return err
	}
	leave, err := c.overHub(m, outline, stdout)
	if err != nil {
		return err
	}
	defer leave()
	write := func(s *match.Standing) error {
		table, err := rated(s, fixed)
		if err != nil {
			return err
		}
		return errors.Join(writeTournament(stdout, table), c.saveSummary(table, m))
	}
	return c.play(m, outline, write, stdout, stderr)
}

// leaders is the state of a tournament in a line.
func leaders(s *match.Standing) string {
	points, games := totals(s)
	best := 0
	for i := range points {
		if points[i]*float64(max(games[best], 1)) > points[best]*float64(max(games[i], 1)) {
			best = i
		}
	}
	text := fmt.Sprintf("%s leads with %.1f/%d", s.Names[best], points[best], games[best])
	if n := faults(s); n > 0 {
		text += fmt.Sprintf(" faults %d", n)
	}
	return text
}

// totals returns the points and games of each engine.
func totals(s *match.Standing) (points []float64, games []int) {
	points, games = make([]float64, len(s.Names)), make([]int, len(s.Names))
	for _, p := range s.Pairings {
		for k, g := range []struct{ wins, draws, total int }{
			{p.Games.Wins, p.Games.Draws, p.Games.Total()},
			{p.Games.Losses, p.Games.Draws, p.Games.Total()},
		} {
			points[p.Engines[k]] += float64(g.wins) + float64(g.draws)/2
			games[p.Engines[k]] += g.total
		}
	}
	return points, games
}
