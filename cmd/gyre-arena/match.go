package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/bench/stats"
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

// estimate writes a number and its error.
func estimate(e stats.Estimate) string {
	if math.IsInf(e.Value, 0) {
		return "unknown"
	}
	if math.IsInf(e.Error, 0) {
		return stats.Signed(e.Value) + " +- inf"
	}
	return fmt.Sprintf("%s +- %.1f", stats.Signed(e.Value), e.Error)
}

// wdl writes games with the share of the points.
func wdl(g stats.Games) string {
	share := 0.0
	if g.Total() > 0 {
		share = 100 * (float64(g.Wins) + float64(g.Draws)/2) / float64(g.Total())
	}
	return fmt.Sprintf("+%d =%d -%d (%.1f%%)", g.Wins, g.Draws, g.Losses, share)
}

// scoreLine is the state of a match of two engines in one line, what matters
// most first.
func scoreLine(s *match.Standing, test *stats.SPRT) string {
	p := s.Pairings[0]
	text := fmt.Sprintf("%s Elo %s", wdl(p.Games), stats.DescribeElo(p.Pairs))
	if test != nil {
		lower, upper := test.Bounds()
		text += fmt.Sprintf(" LLR %.2f (%.2f, %.2f)", s.LLR, lower, upper)
	}
	text += fmt.Sprintf(" [%s] nElo %s LOS %.1f%%", p.Pairs, estimate(stats.NormalizedElo(p.Pairs)), 100*stats.LOS(p.Pairs))
	if n := faults(s); n > 0 {
		text += fmt.Sprintf(" faults %d", n)
	}
	return text
}

// faults is the number of games lost by a fault.
func faults(s *match.Standing) int {
	n := 0
	for _, of := range s.Faults {
		for _, games := range of {
			n += games
		}
	}
	return n
}

// writeMatch writes the result of a match of two engines.
func writeMatch(w io.Writer, m *match.Match, s *match.Standing) error {
	var b strings.Builder
	p := s.Pairings[0]
	fmt.Fprintf(&b, "\n%s against %s, %d games in %d pairs\n", m.Engines[0].Name, m.Engines[1].Name, p.Games.Total(), p.Pairs.Total())
	fmt.Fprintf(&b, "  games   %s\n", wdl(p.Games))
	fmt.Fprintf(&b, "  white   %s\n", wdl(p.ByWhite[0]))
	fmt.Fprintf(&b, "  black   %s\n", wdl(p.ByWhite[1]))
	fmt.Fprintf(&b, "  pairs   LL %d, LD %d, DD+WL %d, WD %d, WW %d\n", p.Pairs[0], p.Pairs[1], p.Pairs[2], p.Pairs[3], p.Pairs[4])
	fmt.Fprintf(&b, "  Elo     %s\n", stats.DescribeElo(p.Pairs))
	fmt.Fprintf(&b, "  nElo    %s\n", estimate(stats.NormalizedElo(p.Pairs)))
	fmt.Fprintf(&b, "  LOS     %.2f%%\n", 100*stats.LOS(p.Pairs))
	if m.Test != nil {
		h := m.Test.Hypotheses()
		lower, upper := m.Test.Bounds()
		fmt.Fprintf(&b, "  SPRT    %s [%g, %g]: LLR %.3f (%.3f, %.3f), %s\n", h.Model, h.Elo0, h.Elo1, s.LLR, lower, upper, verdict(s.State))
	}
	if beyond := s.Games - 2*s.Settled; beyond > 0 {
		fmt.Fprintf(&b, "  and %d games after these in the schedule, kept and not counted\n", beyond)
	}
	writeEnds(&b, s)
	_, err := io.WriteString(w, b.String())
	return err
}

// verdict says what a test has decided.
func verdict(state stats.State) string {
	if state == stats.Continue {
		return "not decided"
	}
	return state.String()
}

// writeEnds writes how the games ended, which engine lost how many by what fault, and
// what was wrong in what engines told.
func writeEnds(b *strings.Builder, s *match.Standing) {
	if s.LeftOut > 0 {
		fmt.Fprintf(b, "  left out, for an engine did not play: %d of the pairs; -again plays those games again\n", s.LeftOut)
	}
	fmt.Fprintf(b, "  ends    %s\n", reasonCounts(s.Ends))
	for i, of := range s.Faults {
		if len(of) > 0 {
			fmt.Fprintf(b, "  faults  of %s: %s\n", s.Names[i], reasonCounts(of))
		}
	}
	for i, c := range s.Claims {
		if c.WrongMates > 0 {
			fmt.Fprintf(b, "  mates   of %s: %d of %d wins that it announced did not come in time\n", s.Names[i], c.WrongMates, c.Mates)
		}
		if c.Illegal > 0 {
			fmt.Fprintf(b, "  lines   of %s: %d of its searches told turns that are not legal\n", s.Names[i], c.Illegal)
		}
	}
}

// reasonCounts writes counts by reason, in the order of the reasons.
func reasonCounts(counts map[game.Reason]int) string {
	var parts []string
	for _, r := range game.Reasons() {
		if n := counts[r]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", r, n))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}
