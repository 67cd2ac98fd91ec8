package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"gyre/bench/game"
	"gyre/bench/journal"
	"gyre/bench/ladder"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/cmd/internal/commandline"
	"gyre/position/plaintext"
)

const ladderSynopsis = `usage: gyre-arena ladder -engine SPEC -time DURATION LIMIT [FLAGS]
       gyre-arena ladder -rate -pairs N -o RATINGS [FLAGS]
       gyre-arena ladder GAMES.jsonl ... [-o RATINGS]

Rates an engine against built-in players of known strength:

  gyre-arena ladder -engine cmd=./gyre -nodes 2000 -time 10m

The engine first plays all of them, then, until the time is up, those nearest
to its rating. The error of the rating is its 95% margin of error; random play
has rating 0. Ctrl-C stops the run; the same command with the same -out resumes
it for the same time again. -outside also records the rating in a file of other
programs, which the ladder shows next to its results. With -hub the workers of
a hub play the games; see cmd/gyre-hub/README.md.

With -rate the built-in players play each other and their ratings are written,
as in bench/ladder/ratings.txt. Given files of games of tournaments between
them, played with -engine reference=NAME, the ladder rates them from these
games. If the engine itself is -engine reference=NAME, -o replaces its line in
such a file, or adds it.

Players (those marked * have no rating, so the ladder does not use them):
`

// errTimeUp is the cause of the end of a ladder run.
var errTimeUp = errors.New("the time is up")

// nearest is the number of players that the engine meets in the end.
const nearest = 3

// ladderRun is the command ladder.
type ladderRun struct {
	*matchConfig
}

// runLadder rates an engine, or the players.
func runLadder(args []string, stdout, stderr io.Writer) error {
	limit, rate, path, outside := 10*time.Minute, false, "", ""
	c := &ladderRun{matchConfig: newMatchConfig("ladder",
		matchFlag{"time", "When to stop", 0, &limit, "`time` for the games of the engine"},
		matchFlag{"rate", "Engines", played, &rate, "rate the built-in players instead of an engine"},
		matchFlag{"o", "Output", local, &path, "`FILE` for the ratings of -rate or of GAMES, or a file of ratings in which the line of -engine reference=NAME is replaced (default: none)"},
		matchFlag{"outside", "Output", 0, &outside, "`FILE` of ratings of other programs, such as bench/ladder/outside.txt, to record the result in"})}
	files, err := c.parseMixed(args, ladderSynopsis+playerList(), stdout)
	if err != nil {
		return err
	}
	if len(files) > 0 {
		return c.rateGames(files, path, stdout, stderr)
	}
	scale, err := ladder.Ratings()
	if err != nil {
		return err
	}
	var more []game.Engine
	for _, r := range scale {
		p, err := ladder.Find(r.Name)
		if err != nil {
			return err
		}
		if p.Name != c.referenced() { // it does not play itself
			more = append(more, p.Engine())
		}
	}
	if c.pairs == 0 && c.games == 0 {
		c.pairs = 2
	}
	switch {
	case rate && len(c.specs.texts) > 0:
		err = errors.New("-rate and -engine exclude each other")
	case !rate && len(c.specs.texts) != 1:
		err = errors.New("the engine to rate is missing; give one -engine, or -rate")
	case !rate && path != "" && c.referenced() == "":
		err = errors.New("-o is for ratings of the built-in players; give -rate, files of their games, or -engine reference=NAME")
	case rate && outside != "":
		err = errors.New("-rate and -outside exclude each other")
	case limit <= 0:
		err = errors.New("-time must be positive")
	case !rate:
		err = cmp.Or(isRewritable("-o", path), isRewritable("-outside", outside))
	}
	schedule := match.Gauntlet
	if rate {
		schedule = match.RoundRobin
	}
	var m *match.Match
	if err == nil {
		m, err = c.match(schedule, more...)
	}
	if err != nil {
		return &commandline.UsageError{Command: "ladder", Err: err}
	}
	if rate {
		return c.ratePlayers(m, path, stdout, stderr)
	}
	return c.place(m, scale, limit, path, outside, stdout, stderr)
}

// isRewritable returns an error for a pipe or a device in place of a file of ratings, which is read
// and written.
func isRewritable(flag, path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return fmt.Errorf("%s %s: this is a pipe or a device; give the name of a file of ratings", flag, path)
	}
	return nil
}

// referenced returns the name of the built-in player to rate, or "" for another engine.
func (c *ladderRun) referenced() string {
	specs, err := c.engines()
	if err != nil || len(specs) != 1 {
		return ""
	}
	return specs[0].reference
}

// playerList lists the players with their descriptions. A star marks players without a
// rating.
func playerList() string {
	scale, _ := ladder.Ratings() // an error is reported when the command begins
	var b strings.Builder
	for _, p := range ladder.Players() {
		mark := ""
		if !slices.ContainsFunc(scale, func(r ladder.Rating) bool { return r.Name == p.Name }) {
			mark = "*"
		}
		commandline.WriteRow(&b, "  "+p.Name+mark, p.About)
	}
	return b.String()
}

// place rates the engine against the players until the time is up: first against all
// of them, then against the nearest. All games belong to one match.
func (c *ladderRun) place(m *match.Match, scale []ladder.Rating, limit time.Duration, path, outside string, stdout, stderr io.Writer) error {
	if path != "" { // only one of its lines is replaced
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("-o: %w", err)
		}
	}
	outputs := []output{{"-o", path, ratingsMark}, {"-outside", outside, ladder.OutsideMark}}
	files, err := c.prepare(m, stdout, outputs...)
	if err != nil {
		return err
	}
	climb := &climb{scale: scale, match: m}
	leave, err := c.useHub(m, climb.outline, stdout, stderr)
	if err != nil {
		return err
	}
	defer leave()
	// The number of first rounds determines later games, so it belongs to the identity.
	m.ID += fmt.Sprintf("-%d", m.Schedule.Rounds)
	ctx, release := commandline.UntilInterrupted()
	defer release()
	closeTrace, err := c.openTrace(m)
	if err != nil {
		return err
	}
	standing, err := c.climb(ctx, climb, limit, files, stdout, stderr)
	err = errors.Join(err, closeTrace())
	if errors.Is(err, errTimeUp) {
		err = nil
	}
	if standing == nil {
		return err
	}
	_, changed := errors.AsType[*match.ChangedError](err)
	err = errors.Join(err, climb.write(stdout, standing))
	if !changed { // else the rating is that of an earlier program
		err = errors.Join(err, c.saveClimb(stdout, climb, standing), c.savePlayer(stdout, path, climb, standing), c.saveOutside(stdout, outside, climb, standing))
	}
	err = errors.Join(err, c.writeRepeats(stdout, m, standing), c.load.write(stdout, standing))
	if !standing.Over() {
		_, failed := fmt.Fprintf(stdout, "resume with:\n  %s\n", c.resume())
		err = errors.Join(err, failed)
	}
	return err
}

// climb plays the match of a climb, whose first rounds decide the later ones, and
// returns the final standing. The limit is for games, not for the check of the engines.
func (c *ladderRun) climb(ctx context.Context, climb *climb, limit time.Duration, files match.Files, stdout, stderr io.Writer) (*match.Standing, error) {
	m := climb.match
	if err := m.CheckEngines(ctx); err != nil {
		return nil, err
	}
	ctx, expire := context.WithTimeoutCause(ctx, limit, errTimeUp)
	defer expire()
	shown := c.observer(ctx, m, climb.outline, stdout, stderr)
	shown.total = 2 * unlimited // unknown
	shown.announce = func() error {
		_, err := fmt.Fprintf(stdout, "games go to %s\n", named(files))
		return err
	}
	more := unlimited
	if c.opened != nil && !c.repeatOpenings {
		more = len(c.opened) - m.Schedule.Rounds
	}
	standing, chosen, err := climb.resumed(files)
	if err == nil && (len(chosen) == 0 && !standing.Over() || more == 0) { // each climb runs a match, which locks and checks its file
		standing, err = c.run(ctx, m, files, shown)
	}
	if err != nil || more == 0 {
		return standing, err
	}
	m.Schedule = climb.further(standing, chosen, nearest, more)
	return c.run(ctx, m, files, shown)
}

// climb rates the first engine of a match against the players.
type climb struct {
	scale []ladder.Rating
	match *match.Match
}

// resumed returns the standing after the first rounds of a match, from the file of games, and the
// players that the engine met afterwards: pairings by place in Schedule.Extended.
func (c *climb) resumed(files match.Files) (*match.Standing, map[int]int, error) {
	m, chosen := c.match, map[int]int{}
	standing := match.NewStanding(m.Schedule, m.Names(), nil)
	if info, err := os.Stat(files.Lines); err != nil || !info.Mode().IsRegular() {
		return standing, chosen, nil // opening the file reports errors
	}
	places := min(nearest, len(m.Schedule.Pairings))
	return standing, chosen, readGames(files.Lines, files.Unchecked, func(line *match.Line) error {
		switch further := line.Game - m.Schedule.Games(); {
		case line.Match != m.ID:
			return nil
		case further < 0:
			return standing.Add(line)
		default:
			isMet := func(p [2]int) bool { name := m.Engines[p[1]].Name; return name == line.White || name == line.Black }
			if pairing := slices.IndexFunc(m.Schedule.Pairings, isMet); pairing >= 0 {
				chosen[further/2%places] = pairing
			}
			return nil
		}
	})
}

// met returns the rating of the player in a pairing of the schedule.
func (c *climb) met(pairing int) ladder.Rating {
	name := c.match.Engines[c.match.Schedule.Pairings[pairing][1]].Name
	return c.scale[slices.IndexFunc(c.scale, func(r ladder.Rating) bool { return r.Name == name })]
}

// rating returns the rating of the engine.
func (c *climb) rating(s *match.Standing) stats.Estimate {
	var met []stats.Opponent
	for i := range s.Pairings {
		met = append(met, stats.Opponent{Elo: c.met(i).Elo, Pairs: s.Pairings[i].Pairs})
	}
	return stats.Place(met, stats.DefaultPrior)
}

// outline returns the rating in one line.
func (c *climb) outline(s *match.Standing) string { return "rating " + estimate(c.rating(s)) }

// further returns the schedule with more rounds against some players: those chosen before, by place,
// and those whose ratings are nearest to the engine's rating in a standing. A replayed game changes
// the rating, but not a choice by which games were played.
func (c *climb) further(s *match.Standing, chosen map[int]int, players, rounds int) match.Schedule {
	rating := c.rating(s).Value
	away := func(pairing int) float64 { return math.Abs(c.met(pairing).Elo.Value - rating) }
	var order []int
	for i := range s.Pairings {
		if !slices.Contains(slices.Collect(maps.Values(chosen)), i) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(away(a), away(b)) })
	players = min(players, len(s.Pairings))
	order = order[:max(0, min(players-len(chosen), len(order)))]
	slices.Sort(order)
	schedule := c.match.Schedule
	schedule.Extra = rounds
	for place := range players {
		pairing, isChosen := chosen[place]
		if !isChosen {
			pairing, order = order[0], order[1:]
		}
		schedule.Extended = append(schedule.Extended, pairing)
	}
	return schedule
}

// write writes the results and the rating.
func (c *climb) write(w io.Writer, s *match.Standing) error {
	var b bytes.Buffer
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\nagainst\trating\terror\twon\tdrawn\tlost\t")
	for i, p := range s.Pairings {
		if r := c.met(i); p.Games.Total() > 0 {
			fmt.Fprintf(table, "%s\t%.1f\t%.1f\t%d\t%d\t%d\t\n", r.Name, r.Elo.Value, r.Elo.Error, p.Games.Wins, p.Games.Draws, p.Games.Losses)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if beyond := s.Games - 2*s.Settled; beyond > 0 {
		fmt.Fprintf(&b, "%s of incomplete or later pairs, kept but not counted\n", plural(beyond, "game"))
	}
	rating := c.rating(s)
	fmt.Fprintf(&b, "\n%s is rated %s\n", c.match.Engines[0].Name, estimate(rating))
	if err := c.writeNeighbors(&b, rating.Value); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// ratePlayers plays a tournament of the players and writes their ratings.
func (c *ladderRun) ratePlayers(m *match.Match, path string, stdout, stderr io.Writer) error {
	write := func(s *match.Standing) error {
		table, err := onScale(s)
		if err != nil {
			return err
		}
		if err := errors.Join(writeTournament(stdout, table), c.saveSummary(stdout, table, m, nil)); err != nil || path == "" || !s.Over() {
			return err
		}
		return writeRatings(stdout, path, fmt.Sprintf("round-robin of %d games, %d pairs of each pairing, by gyre-arena ladder -rate", s.Games, m.Schedule.Rounds), table)
	}
	return c.play(m, leaders, write, stdout, stderr, output{"-o", path, ratingsMark})
}

// rateGames rates the players from files of their games.
func (c *ladderRun) rateGames(files []string, path string, stdout, stderr io.Writer) error {
	for name := range commandline.Given(c.flags) {
		if !slices.Contains([]string{"rate", "o", "json", "unchecked"}, name) {
			return &commandline.UsageError{Command: c.flags.Name(), Err: fmt.Errorf("files of games and -%s exclude each other", name)}
		}
	}
	if path != "" { // before the files are read
		if err := journal.MayWrite(path, ratingsMark); err != nil {
			return err
		}
	}
	pool, err := readPool(files, c.unchecked)
	if err != nil {
		return err
	}
	standing := pool.Standing(nil)
	for _, name := range standing.Names {
		if _, err := ladder.Find(name); err != nil {
			return fmt.Errorf("the files contain games of an engine that is not a built-in player: %w", err)
		}
	}
	scale, err := ladder.Ratings()
	if err != nil {
		return err
	}
	for _, r := range scale {
		if !slices.Contains(standing.Names, r.Name) {
			return fmt.Errorf("%s: no games of %s, and the ladder needs some of each of its players", strings.Join(files, ", "), r.Name)
		}
	}
	table, err := onScale(standing)
	if err != nil {
		return err
	}
	if err := errors.Join(warnOfPool(stderr, pool), writeTournament(stdout, table), saveSummary(stdout, c.json, newSummary(c.flags.Name(), table, nil))); err != nil || path == "" {
		return err
	}
	return writeRatings(stdout, path, fmt.Sprintf("%d games of tournaments, by gyre-arena ladder", standing.Games), table)
}

// onScale rates the players of a standing on the ladder's scale, whose anchor has
// rating 0.
func onScale(s *match.Standing) (*ratedStanding, error) {
	return rated(s, anchored{engine: slices.Index(s.Names, ladder.Anchor)})
}

// ratingsMark is the start of a file of ratings. A file without it is not overwritten.
const ratingsMark = "Ratings of the reference players"

// writeRatings writes the file of the players' ratings and how they were measured.
func writeRatings(stdout io.Writer, path, how string, s *ratedStanding) error {
	if s.unlinked != nil {
		return s.unlinked
	}
	var all []ladder.Rating
	for _, p := range ladder.Players() {
		if i := slices.Index(s.Names, p.Name); i >= 0 {
			all = append(all, ladder.Rating{Name: p.Name, Elo: s.fixed.rating(s.ratings, i).Symmetric()})
		}
	}
	comment := fmt.Sprintf(ratingsMark+": NAME ELO ERROR, half the 95%% interval against %s.\nMeasured %s: %s.",
		ladder.Anchor, time.Now().UTC().Format(time.DateOnly), how)
	return save(stdout, path, ratingsMark, fmt.Sprintf("%d ratings", len(all)), func(w io.Writer) error { return ladder.WriteRatings(w, comment, all) })
}

// counted returns the number of counted games of a climb.
func counted(standing *match.Standing) int { return 2 * (standing.Settled - standing.Excluded) }

// savePlayer replaces the rating of the player that climbed in a file of ratings, if a
// path is given and games were counted. All other lines stay.
func (c *ladderRun) savePlayer(stdout io.Writer, path string, climb *climb, standing *match.Standing) error {
	games := counted(standing)
	if path == "" || games == 0 {
		return nil
	}
	text, err := commandline.ReadFile(path)
	if err != nil {
		return err
	}
	rating := ladder.Rating{Name: c.referenced(), Elo: climb.rating(standing)}
	how := fmt.Sprintf("placed on the scale of the others %s by %d games", time.Now().UTC().Format(time.DateOnly), games)
	replaced, err := ladder.ReplaceRating(string(text), rating, how)
	if err != nil {
		return plaintext.In(path, err)
	}
	return save(stdout, path, ratingsMark, "the rating of "+rating.Name, func(w io.Writer) error {
		_, err := io.WriteString(w, replaced)
		return err
	})
}

// rung is a player or program of known rating.
type rung struct {
	text string
	elo  float64
}

// writeNeighbors writes the nearest players and other programs below and above a
// rating.
func (c *climb) writeNeighbors(w io.Writer, elo float64) error {
	outside, err := ladder.OutsideRatings()
	if err != nil {
		return err
	}
	own := c.match.Engines[0].Name
	var rungs []rung
	for _, r := range c.scale {
		if r.Name != own {
			rungs = append(rungs, rung{fmt.Sprintf("%s (%s)", r.Name, estimate(r.Elo)), r.Elo.Value})
		}
	}
	for _, o := range outside {
		if o.Name != own {
			rungs = append(rungs, rung{fmt.Sprintf("%s (%s, another program)", o.Name, estimate(o.Elo)), o.Elo.Value})
		}
	}
	slices.SortStableFunc(rungs, func(a, b rung) int { return cmp.Compare(a.elo, b.elo) })
	above := slices.IndexFunc(rungs, func(r rung) bool { return r.elo > elo })
	switch {
	case len(rungs) == 0:
	case above == 0:
		_, err = fmt.Fprintf(w, "  below %s\n", rungs[0].text)
	case above < 0:
		_, err = fmt.Fprintf(w, "  above %s\n", rungs[len(rungs)-1].text)
	default:
		_, err = fmt.Fprintf(w, "  above %s\n  below %s\n", rungs[above-1].text, rungs[above].text)
	}
	return err
}

// saveClimb writes the summary of a climb to the file -json, if it is given.
func (c *ladderRun) saveClimb(stdout io.Writer, climb *climb, standing *match.Standing) error {
	s, err := rated(standing, anchored{engine: -1})
	if err != nil {
		return err
	}
	rating := newNumber(climb.rating(standing))
	return c.saveSummary(stdout, s, climb.match, &rating)
}

// saveOutside records the result of a climb in a file of ratings of other programs, if a
// path is given and games were counted.
func (c *ladderRun) saveOutside(stdout io.Writer, path string, climb *climb, standing *match.Standing) error {
	games := counted(standing)
	if path == "" || games == 0 {
		return nil
	}
	text, err := commandline.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	all, err := ladder.ParseOutside(string(text))
	if err != nil {
		return plaintext.In(path, err)
	}
	name := climb.match.Engines[0].Name
	all = slices.DeleteFunc(all, func(o ladder.Outside) bool { return o.Name == name })
	all = append(all, ladder.Outside{Name: name, Elo: climb.rating(standing), Games: games, Date: time.Now().UTC(), Engine: c.described[0].String()})
	slices.SortStableFunc(all, func(a, b ladder.Outside) int { return cmp.Compare(a.Elo.Value, b.Elo.Value) })
	return save(stdout, path, ladder.OutsideMark, "the rating of "+name, func(w io.Writer) error { return ladder.WriteOutside(w, all) })
}
