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

// Bound limits the evaluation, so that no evaluation looks like a proven result.
const Bound = 20000

// Weights defines an evaluation: the value of each part of [Features] for the side to
// move. Create it with [NewWeights]. An [Evaluator] computes the same evaluation
// faster.
type Weights struct {
	// Sets holds the weights of each stage.
	Sets [StageCount]Set
	// Removed is the value of the rings removed in centipawns, by own and the
	// opponent's.
	Removed [RemovedStates][RemovedStates]int16
	// Net values the crossings. It may be empty.
	Net Net
	// About says in one line where the weights come from.
	About string
}

// Set holds the weights of a stage.
type Set struct {
	// Patterns is the value of each pattern by index, in the unit of the pattern. An
	// index and its reversal have the same value.
	Patterns [PatternCount][]int16
	// Tempo is the value of being to move, in centipawns.
	Tempo int16
}

// RemovedStates is the number of possible counts of rings removed while the game is
// not over: 0 to 2.
const RemovedStates = 3

// NewWeights returns weights that are all 0.
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
	c.Net = w.Net.clone()
	return &c
}

// terms holds the terms of an evaluation for the side to move.
type terms struct {
	patterns       [PatternCount]int // in units of 1/FinestUnit centipawn
	removed, tempo int               // in centipawns
	crossings      int               // in centipawns
}

// patternSum returns the sum of all patterns in centipawns.
func (t *terms) patternSum() (sum int) {
	for _, worth := range t.patterns {
		sum += worth
	}
	return inCentipawns(sum)
}

// inCentipawns rounds a value in units of 1/FinestUnit centipawn to the nearest
// centipawn, and halves up. So whole centipawns may be added before or after.
func inCentipawns(worth int) int { return (worth + FinestUnit/2) >> finestShift }

// finestShift is the binary logarithm of FinestUnit.
const finestShift = 4

// sum returns the evaluation in centipawns. The crossings are added to the bounded sum of
// the other terms, because a search adds them later.
func (t *terms) sum() int {
	return bounded(bounded(t.patternSum()+t.removed+t.tempo) + t.crossings)
}

// bounded clamps a value to Bound.
func bounded(worth int) int { return max(-Bound, min(Bound, worth)) }

// Evaluate returns the evaluation of features in centipawns for the side to move. It
// is the definition of the evaluation; an [Evaluator] computes the same faster.
func (w *Weights) Evaluate(f *Features) int {
	t := w.terms(f)
	return t.sum()
}

// terms returns the terms of the evaluation.
func (w *Weights) terms(f *Features) terms {
	t := terms{removed: w.removed(f.Own, f.Theirs), tempo: int(w.Sets[f.Stage].Tempo)}
	for k, indexes := range f.Indexes {
		for _, index := range indexes {
			t.patterns[k] += w.worth(f.Stage, k, int(index))
		}
	}
	if b, ok := BucketOf(f.Stage, f.Own, f.Theirs); ok && !w.Net.silent(b) {
		crossings := f.Board.Crossings()
		t.crossings = inCentipawns(w.Net.evaluate(b, crossings[:]))
	}
	return t
}

// worth returns the value of an index of a pattern at a stage, in units of
// 1/FinestUnit centipawn.
func (w *Weights) worth(s Stage, pattern, index int) int {
	return int(w.Sets[s].Patterns[pattern][index]) * (FinestUnit / patterns[pattern].Unit)
}

// removed returns the value of rings removed. With RemovedStates or more the game is
// over, and the value is not meaningful.
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

// Check returns an error if the weights are inconsistent: a pattern with too many or
// too few weights, an index whose value differs from its reversal's, or an About that
// is not one printable line.
func (w *Weights) Check() error {
	for s := range w.Sets {
		if err := w.Sets[s].check(); err != nil {
			return fmt.Errorf("stage %v: %w", Stage(s), err)
		}
	}
	if err := w.Net.check(); err != nil {
		return err
	}
	return checkAbout(w.About)
}

// check checks a set.
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

// MaxAbout is the maximum length of Weights.About in bytes.
const MaxAbout = 1000

// checkAbout checks that a text is a valid About line.
func checkAbout(about string) error {
	switch {
	case len(about) > MaxAbout:
		return fmt.Errorf("the line about the weights has %d bytes, but only %d are allowed", len(about), MaxAbout)
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

// maxShown is the number of patterns that Explain shows.
const maxShown = 6

// Explain describes the evaluation of a position: its terms and their sum, in
// centipawns for the side to move, then the patterns with the largest values, as a
// numbered list and on a drawing of the board.
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
	if e.weights.Net.Units() > 0 {
		line("crossings", t.crossings, "a net of %d units at %d points", e.weights.Net.Units(), position.PointCount)
	}
	line("rings removed", t.removed, "%d by %v, %d by %v%s", p.Removed(us), us, p.Removed(them), them, [StageCount]string{
		OwnShort:    fmt.Sprintf("; the next row of %v wins", us),
		TheirsShort: fmt.Sprintf("; the next row of %v wins", them),
		BothShort:   "; the next row wins",
		Opening:     "; the opening",
	}[f.Stage])
	line("to move", t.tempo, "%v", us)
	line(us.String(), t.sum(), "the evaluation, in centipawns for the side to move")

	shown := e.largest(f)
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

// patternDetail returns the value of each pattern, summed over all its places.
func (t *terms) patternDetail() string {
	var list []string
	for k, worth := range t.patterns {
		list = append(list, fmt.Sprintf("%s %+.1f at %d places", patterns[k].Name, decimals(worth), PlaceCount(k)))
	}
	return strings.Join(list, ", ")
}

// decimals converts units of 1/FinestUnit centipawn to centipawns.
func decimals(worth int) float64 { return float64(worth) / FinestUnit }

// contribution is a pattern at a place, and its value there.
type contribution struct {
	points []position.Point
	worth  int // in units of 1/FinestUnit centipawn
}

// largest returns the contributions with the largest absolute values: at most
// maxShown, and none that is 0.
func (e *Evaluator) largest(f *Features) []contribution {
	var all []contribution
	for k, indexes := range f.Indexes {
		for at, index := range indexes {
			if worth := e.weights.worth(f.Stage, k, int(index)); worth != 0 {
				all = append(all, contribution{patternPlaces[k][at].points(), worth})
			}
		}
	}
	size := func(s contribution) int { return max(s.worth, -s.worth) }
	sort.SliceStable(all, func(i, j int) bool { return size(all[i]) > size(all[j]) })
	return all[:min(len(all), maxShown)]
}

// letters returns the pieces on points in the letters of the board.
func letters(p *position.Position, points []position.Point) string {
	const letters = ".WwBb" // by state, for White
	var text strings.Builder
	for _, at := range points {
		text.WriteByte(letters[stateAt(p, at, position.White)])
	}
	return text.String()
}
