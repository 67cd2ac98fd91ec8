package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"gyre/bench/ladder"
	"gyre/bench/match"
	"gyre/cmd/internal/commandline"
)

// ratePlayers plays the players against each other and writes their ratings.
func (c *contest) ratePlayers(m *match.Match, path string, stdout, stderr io.Writer) error {
	outline := func(s *match.Standing) string { return leaders(s) }
	leave, err := c.overHub(m, outline, stdout)
	if err != nil {
		return err
	}
	defer leave()
	write := func(s *match.Standing) error {
		table, err := onScale(s)
		if err != nil {
			return err
		}
		if err := errors.Join(writeTournament(stdout, table), c.saveSummary(table, m)); err != nil || path == "" || !s.Over() {
			return err
		}
		return writeRatings(path, fmt.Sprintf("round-robin of %d games, %d pairs of each pairing, by gyre-arena ladder -rate", s.Games, m.Schedule.Rounds), table)
	}
	return c.play(m, outline, write, stdout, stderr)
}

// rateGames rates the players from files of games that they played.
func (c *contest) rateGames(files []string, path string, stdout, stderr io.Writer) error {
	for name := range commandline.Given(c.flags) {
		if !slices.Contains([]string{"rate", "o", "json", "unchecked"}, name) {
			return &commandline.UsageError{Command: c.flags.Name(), Err: fmt.Errorf("files of games and -%s exclude each other", name)}
		}
	}
	pool, err := readPool(files, c.unchecked)
	if err != nil {
		return err
	}
	standing := pool.Standing()
	for _, name := range standing.Names {
		if _, err := ladder.Find(name); err != nil {
			return fmt.Errorf("the files are not of the ladder's players alone: %w", err)
		}
	}
	for _, p := range ladder.Players() {
		if !slices.Contains(standing.Names, p.Name) {
			return fmt.Errorf("the files hold no games of %s", p.Name)
		}
	}
	table, err := onScale(standing)
	if err != nil {
		return err
	}
	if err := errors.Join(warnOfPool(stderr, pool), writeTournament(stdout, table), saveSummary(c.json, newSummary(c.flags.Name(), table, nil))); err != nil || path == "" {
		return err
	}
	return writeRatings(path, fmt.Sprintf("%d games of tournaments, by gyre-arena ladder", standing.Games), table)
}

// onScale rates the players of a standing on the ladder's scale: its anchor has 0.
func onScale(s *match.Standing) (*ratedStanding, error) {
	fixed, err := parseAnchor(ladder.Anchor+"=0", s.Names)
	if err != nil {
		return nil, err
	}
	return rated(s, fixed)
}

// ratingsMark is what a file of ratings begins with that may be written over.
const ratingsMark = "Ratings of the reference players"

// writeRatings writes the file of the players' ratings, and how they were measured.
func writeRatings(path, how string, s *ratedStanding) error {
	if s.unlinked != nil {
		return s.unlinked
	}
	var all []ladder.Rating
	for _, p := range ladder.Players() {
		if i := slices.Index(s.Names, p.Name); i >= 0 {
			all = append(all, ladder.Rating{Name: p.Name, Elo: s.fixed.rating(s.ratings, i)})
		}
	}
	comment := fmt.Sprintf(ratingsMark+": NAME ELO ERROR, half the 95%% interval against %s.\nMeasured %s: %s.",
		ladder.Anchor, time.Now().UTC().Format(time.DateOnly), how)
	return replaceFile(path, ratingsMark, func(w io.Writer) error { return ladder.WriteRatings(w, comment, all) })
}

// counted is how many games of a climb count.
func counted(standing *match.Standing) int { return 2 * (standing.Settled - standing.LeftOut) }

// savePlayer writes the rating of the player that climbed into a file of ratings, in place
// of that of before, if one is named and games were counted. All other lines stay.
func (c *contest) savePlayer(path string, climb *climb, standing *match.Standing) error {
	games := counted(standing)
	if path == "" || games == 0 {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	rating := ladder.Rating{Name: c.referenced(), Elo: climb.rating(standing)}
	how := fmt.Sprintf("placed on the scale of the others %s by %d games", time.Now().UTC().Format(time.DateOnly), games)
	replaced, err := ladder.ReplaceRating(string(text), rating, how)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return replaceFile(path, ratingsMark, func(w io.Writer) error {
		_, err := io.WriteString(w, replaced)
		return err
	})
}
