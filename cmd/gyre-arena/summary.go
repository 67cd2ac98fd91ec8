package main

import (
	"fmt"
	"io"
	"strings"

	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/bench/stats"
)

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
