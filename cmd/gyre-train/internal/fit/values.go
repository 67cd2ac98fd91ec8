package fit

import (
	"gyre/cmd/gyre-train/internal/model"
	"gyre/position"
	"gyre/search/evaluation"
)

// patterns is the table of patterns.
var patterns = evaluation.Patterns()

// layout assigns the numbers of a model to slots of a list: first the sets of the stages, then
// the removed rings. A set consists of the patterns by index, in the order of the table, and
// the tempo.
type layout struct {
	pattern [evaluation.PatternCount]int // slot of each pattern's index 0, within a set
	tempo   int                          // slot of the tempo, within a set
	set     int                          // slots per set
	removed int                          // first slot of the removed rings: own + RemovedStates x theirs
	slots   int
}

// slots is the layout of all values.
var slots = func() (l layout) {
	for k, p := range patterns {
		l.pattern[k] = l.tempo
		l.tempo += p.States
	}
	l.set = l.tempo + 1
	l.removed = int(evaluation.StageCount) * l.set
	l.slots = l.removed + evaluation.RemovedStates*evaluation.RemovedStates
	return l
}()

// values holds a model's numbers by slot, in logits for the side to move, or a gradient with
// respect to them.
type values []float64

func newValues() values { return make(values, slots.slots) }

// setSlot returns the first slot of a stage's set.
func setSlot(s evaluation.Stage) int { return int(s) * slots.set }

// ofSet returns the set of a stage.
func (v values) ofSet(s evaluation.Stage) values { return v[setSlot(s):][:slots.set] }

// ofPattern returns the values of pattern k by index, within a set.
func (v values) ofPattern(k int) values { return v[slots.pattern[k]:][:patterns[k].States] }

// span is a range of slots, without its end.
type span struct{ from, to int }

// spansOf returns the slots that a fit of some patterns uses.
func spansOf(fitted Fitted) (spans []span) {
	add := func(from, to int) {
		if last := len(spans) - 1; last >= 0 && spans[last].to == from {
			spans[last].to = to
			return
		}
		spans = append(spans, span{from, to})
	}
	for stage := range evaluation.StageCount {
		set := setSlot(stage)
		for k := range patterns {
			if fitted[k] {
				add(set+slots.pattern[k], set+slots.pattern[k]+patterns[k].States)
			}
		}
		add(set+slots.tempo, set+slots.tempo+1)
	}
	add(slots.removed, slots.slots)
	return spans
}

// removedSlot returns the slot for the removed rings.
func removedSlot(own, theirs int) int { return slots.removed + own + evaluation.RemovedStates*theirs }

// logit returns the logit of a position.
func (v values) logit(f *evaluation.Features) float64 {
	set := v.ofSet(f.Stage)
	sum := v[removedSlot(f.Own, f.Theirs)] + set[slots.tempo]
	for k, indexes := range f.Indexes {
		pattern := set.ofPattern(k)
		for _, index := range indexes {
			sum += pattern[index]
		}
	}
	return sum
}

// accumulate adds times the gradient of logit to v.
func (v values) accumulate(f *evaluation.Features, times float64) {
	set := v.ofSet(f.Stage)
	v[removedSlot(f.Own, f.Theirs)] += times
	set[slots.tempo] += times
	for k, indexes := range f.Indexes {
		pattern := set.ofPattern(k)
		for _, index := range indexes {
			pattern[index] += times
		}
	}
}

// anchored returns equivalent values in which index 0 of each pattern and no removed rings are
// 0, and stages that follow from the removed rings all have the tempo of the first stage.
func (v values) anchored() values {
	w := newValues()
	copy(w, v)
	var tempo [evaluation.StageCount]float64
	for s := range evaluation.StageCount {
		set := w.ofSet(s)
		tempo[s] = set[slots.tempo]
		for k := range patterns {
			vacant := set.ofPattern(k)[0]
			for index := range set.ofPattern(k) {
				set.ofPattern(k)[index] -= vacant
			}
			tempo[s] += float64(evaluation.PlaceCount(k)) * vacant
		}
	}
	none := v[slots.removed]
	usual := tempo[0] + none
	for own := range evaluation.RemovedStates {
		for theirs := range evaluation.RemovedStates {
			w[removedSlot(own, theirs)] += tempo[stageOf(own, theirs)] - usual
		}
	}
	for s := range evaluation.StageCount {
		w.ofSet(s)[slots.tempo] = usual
		if hasTempo(s) {
			w.ofSet(s)[slots.tempo] = tempo[s] + none
		}
	}
	return w
}

// hasTempo reports whether a stage has its own tempo. In other stages, differences in tempo
// are part of the values of the removed rings.
func hasTempo(s evaluation.Stage) bool { return s == evaluation.Opening || s == evaluation.Blitz }

// stageOf returns the stage for the removed rings, after the opening.
func stageOf(own, theirs int) evaluation.Stage {
	return evaluation.StageBy(position.Standard, own, theirs, position.MarkersInGame)
}

// model converts the values to centipawns, unit per logit.
func (v values) model(unit float64) *model.Model {
	m := model.New()
	eachNumber(m, v, func(number, value *float64) { *number = unit * *value })
	return m
}

// valuesOf is the inverse of model.
func valuesOf(m *model.Model, unit float64) values {
	v := newValues()
	eachNumber(m, v, func(number, value *float64) { *value = *number / unit })
	return v
}

// eachNumber visits each number of a model with its slot.
func eachNumber(m *model.Model, v values, visit func(number, value *float64)) {
	for s := range evaluation.StageCount {
		set := v.ofSet(s)
		visit(&m.Sets[s].Tempo, &set[slots.tempo])
		for k := range patterns {
			for index := range m.Sets[s].Patterns[k] {
				visit(&m.Sets[s].Patterns[k][index], &set.ofPattern(k)[index])
			}
		}
	}
	for own := range m.Removed {
		for theirs := range m.Removed[own] {
			visit(&m.Removed[own][theirs], &v[removedSlot(own, theirs)])
		}
	}
}

// The kinds of parameters. The value of a five is the value of its class (all fives with the
// same numbers of rings and markers of each side) plus its own deviation. A longer pattern has
// no class: it adds to the value of the shorter patterns inside it. Each value has two parts:
// one that changes sign when the sides are swapped, and the tempo part, which does not. The
// tempo part is how much more the pattern is worth to the side to move.
//
// Each of these exists once for all stages, plus a deviation for each stage. Swapping the sides
// also swaps the stages of the two sides.
//
// The ridge penalty on deviations makes rare patterns similar to their class, and stages similar
// to each other. Other trainers call these parameters virtual or factored features.
const (
	plainKind           = iota // not part of a pattern
	classKind                  // value of a class
	classTempoKind             // its tempo part
	indexKind                  // deviation of a pattern index
	indexTempoKind             // its tempo part
	stageClassKind             // deviation of a class at a stage
	stageClassTempoKind        // its tempo part
	stageIndexKind             // deviation of an index at a stage
	stageIndexTempoKind        // its tempo part
	kinds
)

// classed is the pattern with classes: the five.
const classed = 0

// term is a parameter that a slot contains, with its sign.
type term struct {
	parameter int32
	times     float32 // 1 or -1
}

// shape maps parameters to the values of a model. An index of a pattern and its reversal share
// their value. Index 0 of each pattern and no removed rings are fixed at 0, because every
// position has the same number of them and their values would only shift the tempo.
type shape struct {
	slots []slot
	terms []term
	kind  []int // by parameter
}

// slot is a slot with terms. The values of the others are 0.
type slot struct {
	number     int32
	twin       int32 // the slot whose terms it uses: itself, or that of its reversal
	begin, end int32 // of the terms
}

// newShape returns the shape of a model with the fitted patterns.
func newShape(fitted Fitted) *shape {
	s := new(shape)
	twins := make([]int, slots.slots) // by slot
	for slot := range twins {
		twins[slot] = slot
	}
	own := make([][]term, slots.slots) // by slot
	for slot := slots.removed + 1; slot < slots.slots; slot++ {
		own[slot] = []term{{s.parameter(plainKind), 1}}
	}
	usual := s.parameter(plainKind)
	for stage := range evaluation.StageCount {
		tempo := usual
		if hasTempo(stage) {
			tempo = s.parameter(plainKind)
		}
		own[setSlot(stage)+slots.tempo] = []term{{tempo, 1}}
	}
	for k := range patterns {
		if fitted[k] {
			s.addPattern(k, own, twins)
		}
	}
	begin := make([]int32, slots.slots) // by slot, of its terms
	for number, twin := range twins {
		if len(own[twin]) == 0 {
			continue
		}
		if number == twin {
			begin[number] = int32(len(s.terms))
			s.terms = append(s.terms, own[number]...)
		}
		s.slots = append(s.slots, slot{int32(number), int32(twin), begin[twin], begin[twin] + int32(len(own[twin]))})
	}
	return s
}

// addPattern adds the parameters of a pattern, and the terms of its slots or their twins.
func (s *shape) addPattern(k int, own [][]term, twins []int) {
	p := &patterns[k]
	byClass, byIndex := make(named, p.States), make(named, p.States)
	atClass, atIndex := make(named, int(evaluation.StageCount)*p.States), make(named, int(evaluation.StageCount)*p.States)
	var terms []term // of all slots
	for index := 1; index < p.States; index++ {
		swapped := p.Swapped(index)
		class, otherClass := classOf(index), classOf(swapped)
		canonical, otherCanonical := p.Canonical(index), p.Canonical(swapped)
		for stage := range evaluation.StageCount {
			slot := setSlot(stage) + slots.pattern[k]
			if canonical < index {
				twins[slot+index] = slot + canonical
				continue
			}
			begin := len(terms)
			at, other := int(stage)*p.States, int(stage.Swapped())*p.States
			if k == classed {
				terms = append(terms, s.pair(byClass, class, otherClass, classKind, classTempoKind)...)
				terms = append(terms, s.pair(atClass, at+class, other+otherClass, stageClassKind, stageClassTempoKind)...)
			}
			terms = append(terms, s.pair(byIndex, canonical, otherCanonical, indexKind, indexTempoKind)...)
			terms = append(terms, s.pair(atIndex, at+canonical, other+otherCanonical, stageIndexKind, stageIndexTempoKind)...)
			own[slot+index] = terms[begin:]
		}
	}
}

// named holds the terms of each class or index, or of each at every stage: stage x the states of the pattern
// plus the class or index.
type named [][]term

func (s *shape) parameter(kind int) int32 {
	s.kind = append(s.kind, kind)
	return int32(len(s.kind) - 1)
}

// pair returns the terms of this, which becomes other when the sides are swapped. It creates
// them if necessary.
func (s *shape) pair(known named, this, other, kind, tempoKind int) []term {
	if known[this] != nil {
		return known[this]
	}
	if this == other {
		known[this] = []term{{s.parameter(tempoKind), 1}}
		return known[this]
	}
	change, stay := s.parameter(kind), s.parameter(tempoKind)
	both := []term{{change, 1}, {stay, 1}, {change, -1}, {stay, 1}}
	known[this], known[other] = both[:2], both[2:]
	return known[this]
}

func (s *shape) expand(parameters []float64) values {
	v := newValues()
	s.expandInto(v, parameters)
	return v
}

// expandInto sets the values with terms to those for the parameters.
func (s *shape) expandInto(v values, parameters []float64) {
	for i := range s.slots {
		at := &s.slots[i]
		if at.twin < at.number {
			v[at.number] = v[at.twin]
			continue
		}
		sum := 0.0
		for _, t := range s.terms[at.begin:at.end] {
			sum += float64(t.times) * parameters[t.parameter]
		}
		v[at.number] = sum
	}
}

// fold converts a gradient by slot to one by parameter.
func (s *shape) fold(bySlot values) []float64 {
	gradient := make([]float64, len(s.kind))
	s.foldInto(gradient, bySlot)
	return gradient
}

// foldInto sets gradient to the gradient by parameter. Most slots do not occur in a batch.
func (s *shape) foldInto(gradient []float64, bySlot values) {
	clear(gradient)
	for i := range s.slots {
		at := &s.slots[i]
		by := bySlot[at.number]
		if by == 0 {
			continue
		}
		for _, t := range s.terms[at.begin:at.end] {
			gradient[t.parameter] += float64(t.times) * by
		}
	}
}

// parameters returns parameters that evaluate every position like v, in which an index and its
// reversal are equal. Class terms explain as much as possible.
func (s *shape) parameters(v values) []float64 {
	v = v.anchored()
	parameters := make([]float64, len(s.kind))
	for kind := range kinds {
		made := s.expand(parameters)
		rest := newValues()
		for slot := range rest {
			rest[slot] = v[slot] - made[slot]
		}
		sums, weight := s.fold(rest), make([]float64, len(s.kind))
		for _, at := range s.slots {
			for _, t := range s.terms[at.begin:at.end] {
				weight[t.parameter]++
			}
		}
		for i := range parameters {
			if s.kind[i] == kind {
				parameters[i] = sums[i] / weight[i]
			}
		}
	}
	return parameters
}

// classOf returns a number shared by all indexes with the same number of points in each state. It is less
// than the number of states of the pattern with classes.
func classOf(index int) (class int) {
	for ; index > 0; index /= evaluation.BoardStates {
		if state := index % evaluation.BoardStates; state > 0 {
			class += []int{1, 6, 36, 216}[state-1]
		}
	}
	return class
}
