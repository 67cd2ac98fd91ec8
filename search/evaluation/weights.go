package evaluation

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gyre/position"
)

// Bound limits the evaluation: no position is worth more than Bound, so that no
// evaluation is taken for a proven end.
const Bound = 20000

// Weights is what an evaluation knows: the worth, for the side to move, of what
// [Features] tell of a position. It is plain numbers; an [Evaluator] is made
// from it to be fast. Begin with [NewWeights].
type Weights struct {
	// Sets holds what counts by stage.
	Sets [StageCount]Set
	// Removed is the worth of the rings removed, by the own and by theirs, in
	// centipawns.
	Removed [RemovedStates][RemovedStates]int16
	// About tells in one line where the weights come from.
	About string
}

// Set is the weights of a stage.
type Set struct {
	// Patterns is the worth of each pattern by its index, in the unit of the
	// pattern. An index and its reversal are worth the same.
	Patterns [PatternCount][]int16
	// Tempo is the worth of being to move, in centipawns.
	Tempo int16
}

// RemovedStates is the number of rings that a side can have removed while the
// game goes on: none to two.
const RemovedStates = 3

// NewWeights returns weights by which nothing is worth anything.
func NewWeights(about string) *Weights {
	w := &Weights{About: about}
	for s := range w.Sets {
		for k := range patterns {
			w.Sets[s].Patterns[k] = make([]int16, patterns[k].States)
		}
	}
	return w
}

// clone returns a copy that shares no memory.
func (w *Weights) clone() *Weights {
	c := *w
	for s := range c.Sets {
		for k := range patterns {
			c.Sets[s].Patterns[k] = slices.Clone(w.Sets[s].Patterns[k])
		}
	}
	return &c
}

// terms are the parts of an evaluation, for the side to move.
type terms struct {
	patterns       [PatternCount]int // in FinestUnit-ths of a centipawn
	removed, tempo int               // in centipawns
}

// patternSum returns what all patterns are worth, in centipawns.
func (t *terms) patternSum() (sum int) {
	for _, worth := range t.patterns {
		sum += worth
	}
	return inCentipawns(sum)
}

// inCentipawns returns the whole number of centipawns nearest to a worth in
// FinestUnit-ths of one, of two the higher: whole centipawns may be added before or
// after.
func inCentipawns(worth int) int { return (worth + FinestUnit/2) >> finestShift }

// finestShift is the logarithm of FinestUnit.
const finestShift = 4

// sum is the evaluation in centipawns.
func (t *terms) sum() int { return bounded(t.patternSum() + t.removed + t.tempo) }

// bounded returns a worth within Bound.
func bounded(worth int) int { return max(-Bound, min(Bound, worth)) }

// Evaluate returns the worth in centipawns, for the side to move, of a position
// with such features. This is what the evaluation is by definition; an
// [Evaluator] computes the same faster.
func (w *Weights) Evaluate(f *Features) int {
	t := w.terms(f)
	return t.sum()
}

// terms returns the parts of the evaluation.
func (w *Weights) terms(f *Features) terms {
	t := terms{removed: w.removed(f.Own, f.Theirs), tempo: int(w.Sets[f.Stage].Tempo)}
	for k, indexes := range f.Indexes {
		for _, index := range indexes {
			t.patterns[k] += w.worth(f.Stage, k, int(index))
		}
	}
	return t
}

// worth returns what an index of a pattern is worth at a stage, in FinestUnit-ths of
// a centipawn.
func (w *Weights) worth(s Stage, pattern, index int) int {
	return int(w.Sets[s].Patterns[pattern][index]) * (FinestUnit / patterns[pattern].Unit)
}

// removed returns the worth of rings removed. With more than RemovedStates
// allows the game is over, and the worth is without measure.
func (w *Weights) removed(own, theirs int) int {
	switch over := RemovedStates - 1; {
	case own > over && theirs > over:
		return 0
	case own > over:
		return Bound
	case theirs > over:
		return -Bound
	}
	return int(w.Removed[own][theirs])
}

// Check returns what is wrong with the weights: a pattern with more or fewer
// weights than indexes, an index that is worth something else than its reversal,
// or a line about them that cannot be printed. It returns nil if nothing is.
func (w *Weights) Check() error {
	for s := range w.Sets {
		if err := w.Sets[s].check(); err != nil {
			return fmt.Errorf("stage %v: %w", Stage(s), err)
		}
	}
	return checkAbout(w.About)
}

// check returns what is wrong with the set, nil if nothing.
func (s *Set) check() error {
	for k := range patterns {
		p := &patterns[k]
		if len(s.Patterns[k]) != p.States {
			return fmt.Errorf("pattern %s has %d weights, and needs %d", p.Name, len(s.Patterns[k]), p.States)
		}
		for index, worth := range s.Patterns[k] {
			if twin := p.Reversed(index); s.Patterns[k][twin] != worth {
				return fmt.Errorf("%s %s is worth %d, and its reversal %s is worth %d", p.Name, p.Word(index), worth, p.Word(twin), s.Patterns[k][twin])
			}
		}
	}
	return nil
}

// MostAbout is the most bytes that Weights.About can have.
const MostAbout = 1000

// checkAbout reports whether a text can stand in a file as the line about it.
func checkAbout(about string) error {
	switch {
	case len(about) > MostAbout:
		return fmt.Errorf("the line about the weights has %d bytes, and %d are allowed", len(about), MostAbout)
	case !utf8.ValidString(about):
		return errors.New("the line about the weights is not UTF-8")
	}
	for _, r := range about {
		if !unicode.IsPrint(r) {
			return fmt.Errorf("the line about the weights holds %U, which cannot be printed", r)
		}
	}
	return nil
}

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
