package evaluation

import (
	"fmt"
	"strings"

	"gyre/position"
)

// Explain describes the evaluation of a position in words: its terms for White,
// a line each, and the sum for the side to move.
func Explain(p *position.Position) string {
	if p.Over() {
		return "the game is over: " + p.Result().String()
	}
	var a Accumulator
	a.Reset(p)
	var text strings.Builder
	line := func(name string, worth int, detail string, args ...any) {
		fmt.Fprintf(&text, "%-14s %+6d  %s\n", name, worth, fmt.Sprintf(detail, args...))
	}
	line("windows", int(a.sum)/windowUnit, "markers and rings in the 123 windows of five")
	line("rings removed", materialWorth(p), "%d-%d", p.Removed(position.White), p.Removed(position.Black))
	line("mobility", mobilityWorth(p), "%d ring moves to %d", p.Mobility(position.White), p.Mobility(position.Black))
	line("to move", tempoWorth(p), "%s", p.SideToMove())
	white := a.Score(p)
	if p.SideToMove() == position.Black {
		white = -white
	}
	line("white", white, "the sum")
	fmt.Fprintf(&text, "%-14s %+6d  the evaluation, in centipawns for the side to move", p.SideToMove(), a.Score(p))
	return text.String()
}
