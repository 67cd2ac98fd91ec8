package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"gyre/bench/game"
	"gyre/bench/ladder"
	"gyre/bench/match"
	"gyre/cmd/internal/commandline"
)

const ladderSynopsis = `usage: gyre-arena ladder -engine SPEC -time DURATION LIMIT [FLAGS]
       gyre-arena ladder -rate -pairs N -o RATINGS [FLAGS]
       gyre-arena ladder GAMES.jsonl ... [-o RATINGS]

Places an engine on a scale of built-in players of fixed strength: first it meets
each of them, then, until the time is up, those nearest to it. Its rating is printed
with an error, half the 95% interval; random play has 0. Ctrl-C ends it at any
moment; the same command with the same -out goes on for as long again. -outside keeps it
in a file of ratings of other programs, beside which the ladder then tells results.
With -hub the games are played by the workers of a hub: see HUB.md.

With -rate the built-in players meet each other instead, and the file of their
ratings is written, bench/ladder/ratings.txt in the sources. With files of games
of tournaments between them, as -engine reference=NAME plays, they are rated from
these: so those that tell most for their time can meet the most often. A player that
is placed by -engine reference=NAME gets its line in such a file with -o.

The players:
`

// errTimeUp is why a run of the ladder ended.
var errTimeUp = errors.New("the time is up")

// nearest is how many players the engine meets in the end.
const nearest = 3

// runLadder places an engine, or rates the players.
func runLadder(args []string, stdout, stderr io.Writer) error {
	c := newContest("ladder")
	c.addHub()
	limit := c.flags.Duration("time", 10*time.Minute, "`time` that the placing of the engine takes")
	rate := c.flags.Bool("rate", false, "rate the built-in players instead")
	path := c.flags.String("o", "", "`FILE` for the ratings of -rate or of GAMES, or of ratings in which that of the player of -engine reference=NAME is replaced (default: only printed)")
	outside := c.flags.String("outside", "", "`FILE` of ratings of outside programs, bench/ladder/outside.txt in the sources, in which the result is written, in place of that of before")
	files, args := commandline.LeadingWords(args)
	if err := c.parse(args, ladderSynopsis+playerList(), stdout); err != nil {
		return err
	}
	if len(files) > 0 {
		return c.rateGames(files, *path, stdout, stderr)
	}
	var more []game.Engine
	for _, p := range ladder.Players() {
		if p.Name != c.referenced() { // else it would meet itself
			more = append(more, p.Engine())
		}
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
	case !*rate && *path != "" && c.referenced() == "":
		err = errors.New("-o keeps ratings of the ladder's players: give -rate, files of their games, or -engine reference=NAME")
	case *rate && *outside != "":
		err = errors.New("-rate and -outside exclude each other")
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
	if specs, err := c.engines(); err == nil && len(specs) == 1 {
		c.described = specs[0].String()
	}
	if *rate {
		return c.ratePlayers(m, *path, stdout, stderr)
	}
	return c.place(m, *limit, *path, *outside, stdout, stderr)
}

// referenced returns the name of the player that is to be rated, empty for another engine.
func (c *contest) referenced() string {
	specs, err := c.engines()
	if err != nil || len(specs) != 1 {
		return ""
	}
	return specs[0].reference
}

// playerList lists the players with what they do.
func playerList() string {
	text := ""
	for _, p := range ladder.Players() {
		text += fmt.Sprintf("  %-15s %s\n", p.Name, p.About)
	}
	return text
}

// place plays the engine against the players until the time is up: first all of
// them, then those nearest to it. All games are of one match.
func (c *contest) place(m *match.Match, limit time.Duration, path, outside string, stdout, stderr io.Writer) error {
	scale, err := ladder.Ratings()
	if err != nil {
		return err
	}
	if err := c.buildEngines(m, stdout); err != nil {
		return err
	}
	climb := &climb{scale: scale, match: m}
	outline := climb.outline
	leave, err := c.overHub(m, outline, stdout)
	if err != nil {
		return err
	}
	defer leave()
	files := c.files(time.Now())
	if err := c.checkNames(files); err != nil {
		return &commandline.UsageError{Command: c.flags.Name(), Err: err}
	}
	if _, err := fmt.Fprintf(stdout, "games go to %s\n", files.Lines); err != nil {
		return err
	}
	// Rounds of all players are followed by others, so they belong to the match.
	m.ID += fmt.Sprintf("-%d", m.Schedule.Rounds)
	ctx, release := commandline.UntilInterrupted()
	defer release()
	standing, err := c.traced(m, func() (*match.Standing, error) {
		// The time is for games: it begins when all are known to play.
		if err := m.CheckEngines(ctx); err != nil {
			return nil, err
		}
		ctx, cancel := context.WithTimeoutCause(ctx, limit, errTimeUp)
		defer cancel()
		return c.climb(ctx, climb, outline, files, stdout, stderr)
	})
	if errors.Is(err, errTimeUp) {
		err = nil
	}
	if standing == nil {
		return err
	}
	err = errors.Join(err, climb.write(stdout, standing), c.saveClimb(climb, standing), c.savePlayer(path, climb, standing), c.saveOutside(outside, climb, standing), c.writeRepeats(stdout, m, standing), c.load.write(stdout, standing))
	if !standing.Over() {
		_, failed := fmt.Fprintf(stdout, "to go on:\n  %s\n", c.goOn())
		err = errors.Join(err, failed)
	}
	return err
}

// climb plays the match of a climb, in which the first rounds decide what comes
// after them, and returns the standing at its end.
func (c *contest) climb(ctx context.Context, climb *climb, outline func(*match.Standing) string, files match.Files, stdout, stderr io.Writer) (*match.Standing, error) {
	m := climb.match
	shown := c.observer(ctx, m, outline, stdout, stderr)
	shown.total = 2 * unlimited // nobody knows
	standing, err := firstRounds(m, files)
	if err == nil && !standing.Over() {
		standing, err = c.run(ctx, m, files, shown)
	}
	more := unlimited
	if c.opened != nil && !c.repeatOpenings {
		more = len(c.opened) - m.Schedule.Rounds
	}
	if err != nil || more == 0 {
		return standing, err
	}
	m.Schedule = climb.further(standing, nearest, more)
	return c.run(ctx, m, files, shown)
}

// firstRounds returns the standing after the first rounds of a match that goes on:
// what a file of games holds of them. It does not care for the rest of the file.
func firstRounds(m *match.Match, files match.Files) (*match.Standing, error) {
	standing := match.NewStanding(m.Schedule, names(m), nil)
	if info, err := os.Stat(files.Lines); err != nil || !info.Mode().IsRegular() {
		return standing, nil // what is wrong shows when it is opened
	}
	return standing, readGames(files.Lines, files.Unchecked, func(line *match.Line) error {
		if line.Match != m.ID || line.Game >= m.Schedule.Games() {
			return nil
		}
		return standing.Add(line)
	})
}

// names returns the engines' names.
func names(m *match.Match) []string {
	var all []string
	for i := range m.Engines {
		all = append(all, m.Engines[i].Name)
	}
	return all
}
