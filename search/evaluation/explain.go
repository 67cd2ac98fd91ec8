package evaluation

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"gyre/position"
)

// mostShown is how many patterns are shown.
const mostShown = 6

// Explain describes the evaluation of a position: its terms and their sum, in
// centipawns for the side to move, then the patterns that count most, in numbers
// and with these numbers on a drawing of the board.
func (e *Evaluator) Explain(p *position.Position) string {
	if p.Over() {
		return "the game is over: " + p.Result().String()
	}
	f := FeaturesOf(p)
	t := e.weights.terms(f)
	us, them := p.SideToMove(), p.SideToMove().Opponent()

	var text strings.Builder
	line := func(name string, worth int, detail string, args ...any) {
		fmt.Fprintf(&text, "%-14s %+6d  %s\n", name, worth, fmt.Sprintf(detail, args...))
	}
	line("patterns", t.patternSum(), "%s", t.patternDetail())
	line("rings removed", t.removed, "%d by %v, %d by %v%s", p.Removed(us), us, p.Removed(them), them, [StageCount]string{
		OwnShort:    fmt.Sprintf("; the next row of %v wins", us),
		TheirsShort: fmt.Sprintf("; the next row of %v wins", them),
		BothShort:   "; the next row wins",
		Opening:     "; the opening",
	}[f.Stage])
	line("to move", t.tempo, "%v", us)
	line(us.String(), t.sum(), "the evaluation, in centipawns for the side to move")

	shown := e.mostWorth(f)
	if len(shown) > 0 {
		fmt.Fprintf(&text, "\nthe patterns that count most, for %v:\n", us)
	}
	notes := map[position.Point]string{}
	for i, s := range shown {
		number := strconv.Itoa(i + 1)
		ends := fmt.Sprintf("%v-%v", s.points[0], s.points[len(s.points)-1])
		fmt.Fprintf(&text, "%3s %+8.1f  %-8s %s\n", number, decimals(s.worth), ends, letters(p, s.points))
		for _, at := range s.points {
			notes[at] += number
		}
	}
	text.WriteByte('\n')
	text.WriteString(strings.TrimSuffix(p.DrawNotes(notes), "\n"))
	fmt.Fprintf(&text, "\n\nweights: %s", e.weights.About)
	return text.String()
}

// patternDetail tells what each pattern is worth at all its places.
func (t *terms) patternDetail() string {
	var list []string
	for k, worth := range t.patterns {
		list = append(list, fmt.Sprintf("%s %+.1f at %d places", patterns[k].Name, decimals(worth), PlaceCount(k)))
	}
	return strings.Join(list, ", ")
}

// decimals returns a worth in FinestUnit-ths of a centipawn in centipawns.
func decimals(worth int) float64 { return float64(worth) / FinestUnit }

// standing is a pattern at a place, with its worth there.
type standing struct {
	points []position.Point
	worth  int // in FinestUnit-ths of a centipawn
}

// mostWorth returns what is worth most, to either side: at most mostShown, and
// nothing that is worth nothing.
func (e *Evaluator) mostWorth(f *Features) []standing {
	var all []standing
	for k, indexes := range f.Indexes {
		for at, index := range indexes {
			if worth := e.weights.worth(f.Stage, k, int(index)); worth != 0 {
				all = append(all, standing{patternPlaces[k][at].points(), worth})
			}
		}
	}
	size := func(s standing) int { return max(s.worth, -s.worth) }
	sort.SliceStable(all, func(i, j int) bool { return size(all[i]) > size(all[j]) })
	return all[:min(len(all), mostShown)]
}

// letters returns what stands on points in the letters of the board.
func letters(p *position.Position, points []position.Point) string {
	const letters = ".WwBb" // by state, for White
	var text strings.Builder
	for _, at := range points {
		text.WriteByte(letters[stateAt(p, at, position.White)])
	}
	return text.String()
}
