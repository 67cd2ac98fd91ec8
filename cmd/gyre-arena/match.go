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

// playHelp says how matches and tournaments are played.
const playHelp = `
Before the first game, every engine must start, accept its options and play a
turn. If an engine crashes, hangs, fails to start or breaks the rules, the
games stop. With -recover they continue and the engine is restarted. The pair of
such a game is not counted; -again replays the game. Games lost on time are
counted.

With -hub the workers of a hub play the games; see cmd/gyre-hub/README.md.
Games limited by nodes are the same as on this machine. Clocks are scaled to
the speed of each machine.
`

const matchSynopsis = `usage: gyre-arena match -engine SPEC -engine SPEC
                        (-pairs N | -games N | -sprt ELO0,ELO1) LIMIT [FLAGS]

Plays a match of two engines, for example until a test decides whether the
first is stronger:

  gyre-arena match -engine 'name=new cmd=./gyre' -engine 'name=old cmd=./gyre-old' \
      -each option.Hash=16 -tc 1+0.01 -sprt 0,10 -concurrency 2 -out new.jsonl

Each opening is played twice, once with each color. Results are those of the
first engine.
` + playHelp + `
Ctrl-C stops the match, and so does closing the terminal. The same command with
the same -out resumes it, even with more -pairs. If the arena is killed, Linux
stops its engines too; on other systems a hanging engine may survive.

The lines of -out have checksums, so a changed file is rejected. With a clock,
the load of the machine is measured and reported at the end.
`

// runMatch plays a match of two engines.
func runMatch(args []string, stdout, stderr io.Writer) error {
	c := newMatchConfig("match")
	if err := c.parse(args, matchSynopsis, stdout); err != nil {
		return err
	}
	if len(c.specs.texts) != 2 {
		return &commandline.UsageError{Command: "match", Err: errors.New("a match needs two engines; give -engine twice")}
	}
	m, err := c.match(match.RoundRobin)
	if err != nil {
		return &commandline.UsageError{Command: "match", Err: err}
	}
	outline := func(s *match.Standing) string { return scoreLine(s, m.Test) }
	if c.work.Detach {
		return c.detached(m, nil, stdout, stderr)
	}
	write := func(s *match.Standing) error {
		table, err := rated(s, anchored{engine: -1})
		return errors.Join(writeMatch(stdout, m, s), err, c.saveSummary(stdout, table, m, nil))
	}
	return c.play(m, outline, write, stdout, stderr)
}

const tournamentSynopsis = `usage: gyre-arena tournament -engine SPEC -engine SPEC ...
                             (-pairs N | -games N) LIMIT [FLAGS]

Plays a tournament of several engines, each against each, or with -gauntlet the
first against each of the others:

  gyre-arena tournament -engine cmd=./gyre -engine 'name=old cmd=./gyre-old' \
      -engine reference=greedy -pairs 50 -nodes 2000

All pairings of a round use the same opening. The result is a cross table with
ratings by maximum likelihood and their errors.
` + playHelp + `
Ctrl-C stops the tournament; the same command with the same -out resumes it.
`

// runTournament plays a tournament.
func runTournament(args []string, stdout, stderr io.Writer) error {
	var gauntlet bool
	var anchor string
	c := newMatchConfig("tournament",
		matchFlag{"gauntlet", "Engines", played, &gauntlet, "the first engine plays each of the others, instead of each against each"},
		matchFlag{"anchor", "Engines", 0, &anchor, anchorHelp})
	if err := c.parse(args, tournamentSynopsis, stdout); err != nil {
		return err
	}
	wrong := func(err error) error { return &commandline.UsageError{Command: "tournament", Err: err} }
	if len(c.specs.texts) < 2 {
		return wrong(errors.New("a tournament needs at least two engines; give -engine once for each"))
	}
	schedule := match.RoundRobin
	if gauntlet {
		schedule = match.Gauntlet
	}
	m, err := c.match(schedule)
	if err != nil {
		return wrong(err)
	}
	fixed, err := parseAnchor(anchor, m.Names())
	if err != nil {
		return wrong(err)
	}
	if c.work.Detach {
		return c.detached(m, nil, stdout, stderr)
	}
	write := func(s *match.Standing) error {
		table, err := rated(s, fixed)
		if err != nil {
			return err
		}
		return errors.Join(writeTournament(stdout, table), c.saveSummary(stdout, table, m, nil))
	}
	return c.play(m, leaders, write, stdout, stderr)
}

// leaders returns the state of a tournament in one line.
func leaders(s *match.Standing) string {
	totals, best := s.Totals(), 0
	for i, t := range totals {
		if t.Points()*float64(max(totals[best].Total(), 1)) > totals[best].Points()*float64(max(t.Total(), 1)) {
			best = i
		}
	}
	text := noResult
	if totals[best].Total() > 0 {
		text = fmt.Sprintf("%s leads with %.1f of %d points", s.Names[best], totals[best].Points(), totals[best].Total())
	}
	if n := faults(s); n > 0 {
		text += fmt.Sprintf(", faults %d", n)
	}
	return text
}

// estimate formats a number and its error.
func estimate(e stats.Estimate) string {
	if math.IsInf(e.Value, 0) {
		return "unknown"
	}
	if math.IsInf(e.Error, 0) {
		return stats.Signed(e.Value) + " +- inf"
	}
	return fmt.Sprintf("%s +- %.1f", stats.Signed(e.Value), e.Error)
}

// wdl formats games with the share of the points.
func wdl(g stats.Games) string {
	share := 0.0
	if g.Total() > 0 {
		share = 100 * g.Points() / float64(g.Total())
	}
	return fmt.Sprintf("+%d =%d -%d (%.1f%%)", g.Wins, g.Draws, g.Losses, share)
}

// scoreLine returns the state of a match in one line, the most important part first.
func scoreLine(s *match.Standing, test *stats.SPRT) string {
	p := s.Pairings[0]
	var parts []string
	if p.Pairs.Total() == 0 {
		parts = append(parts, noResult)
	} else {
		if test != nil {
			bound, upper := test.Bounds()
			llr := math.Round(100*s.LLR)/100 + 0 // never -0
			if llr >= 0 {
				bound = upper
			}
			parts = append(parts, fmt.Sprintf("LLR %.2f of %.2f", llr, bound))
		}
		if stats.Enough(p.Pairs) {
			parts = append(parts, shortName(s.Names[p.Engines[0]])+" "+stats.Elo(p.Pairs).Elo())
		} else {
			parts = append(parts, "Elo "+stats.TooFew)
		}
	}
	if n := faults(s); n > 0 {
		parts = append(parts, fmt.Sprintf("faults %d", n))
	}
	parts = append(parts, wdl(p.Games))
	if p.Pairs.Total() > 0 {
		parts = append(parts, fmt.Sprintf("[%s]", p.Pairs))
	}
	if stats.Enough(p.Pairs) {
		parts = append(parts, "nElo "+stats.DescribeNormalizedElo(p.Pairs), "LOS "+stats.DescribeLOS(p.Pairs))
	}
	return strings.Join(parts, ", ")
}

// shortName shortens the name of an engine, so that a line of progress has room for its Elo.
func shortName(name string) string {
	if runes := []rune(name); len(runes) > maxName {
		return string(runes[:maxName-1]) + "…"
	}
	return name
}

// maxName is the maximum length of the name of an engine in a line of progress.
const maxName = 14

// noResult replaces the score before the first pair is complete.
const noResult = "no result yet"

// faults returns the number of games lost by a fault.
func faults(s *match.Standing) int {
	n := 0
	for _, of := range s.Faults {
		for _, games := range of {
			n += games
		}
	}
	return n
}

// writeMatch writes the result of a match.
func writeMatch(w io.Writer, m *match.Match, s *match.Standing) error {
	var b strings.Builder
	p := s.Pairings[0]
	fmt.Fprintf(&b, "\n%s against %s, %s in %s\n", m.Engines[0].Name, m.Engines[1].Name, plural(p.Games.Total(), "game"), plural(p.Pairs.Total(), "pair"))
	b.WriteString(wrapped("  verdict "+stats.Verdict(m.Engines[0].Name, m.Engines[1].Name, p.Pairs), 10))
	fmt.Fprintf(&b, "  games   %s\n", wdl(p.Games))
	fmt.Fprintf(&b, "  white   %s\n", wdl(p.ByWhite[0]))
	fmt.Fprintf(&b, "  black   %s\n", wdl(p.ByWhite[1]))
	fmt.Fprintf(&b, "  pairs   %d, %d, %d, %d, %d (0, ½, 1, 1½, 2 points)\n", p.Pairs[0], p.Pairs[1], p.Pairs[2], p.Pairs[3], p.Pairs[4])
	if p.Pairs.Total() == 0 {
		fmt.Fprintf(&b, "  Elo     %s\n", noResult)
	} else {
		fmt.Fprintf(&b, "  Elo     %s\n", stats.DescribeElo(p.Pairs))
		fmt.Fprintf(&b, "  nElo    %s\n", stats.DescribeNormalizedElo(p.Pairs))
		fmt.Fprintf(&b, "  LOS     %s\n", stats.DescribeLOS(p.Pairs))
	}
	if m.Test != nil {
		h := m.Test.Hypotheses()
		lower, upper := m.Test.Bounds()
		fmt.Fprintf(&b, "  SPRT    %s [%g, %g]: LLR %.3f (%.3f, %.3f), %s\n", h.Model, h.Elo0, h.Elo1, s.LLR, lower, upper, verdict(s.State))
	}
	if beyond := s.Games - 2*s.Settled; beyond > 0 {
		fmt.Fprintf(&b, "  later   %s of incomplete or later pairs, kept but not counted\n", plural(beyond, "game"))
	}
	writeEnds(&b, s)
	_, err := io.WriteString(w, b.String())
	return err
}

// verdict describes the state of a test.
func verdict(state stats.State) string {
	if state == stats.Continue {
		return "undecided"
	}
	return state.String()
}

// writeEnds writes how the games ended, the faults of each engine, and false claims
// of engines.
func writeEnds(b *strings.Builder, s *match.Standing) {
	if s.Excluded > 0 {
		fmt.Fprintf(b, "  omitted %s decided by an engine's fault; -again replays those games\n", plural(s.Excluded, "pair"))
	}
	b.WriteString(wrapped("  ends    "+reasonCounts(s.Ends), 10))
	for i, of := range s.Faults {
		if len(of) > 0 {
			b.WriteString(wrapped(fmt.Sprintf("  faults  of %s: %s", s.Names[i], reasonCounts(of)), 10))
		}
	}
	for i, c := range s.Claims {
		if c.WrongMates > 0 {
			fmt.Fprintf(b, "  mates   of %s: %d of %d announced wins were not on time\n", s.Names[i], c.WrongMates, c.Mates)
		}
		if c.Illegal > 0 {
			fmt.Fprintf(b, "  lines   of %s: %d searches expected illegal turns\n", s.Names[i], c.Illegal)
		}
	}
}

// reasonCounts formats counts by reason, in the order of the reasons.
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
