package fit

import (
	"gyre/cmd/gyre-train/internal/model"
	"gyre/position"
	"gyre/search/evaluation"
)

// patterns is the table of patterns.
var patterns = evaluation.Patterns()

// layout is where the numbers of a model stand in a list, each in its slot: the
// sets of the stages one after the other, then the rings removed. A set has the
// patterns by their index, in the order of the table, and then the tempo.
type layout struct {
	pattern [evaluation.PatternCount]int // the slot of each pattern's index 0, within a set
	tempo   int                          // counts once always; within a set
	set     int                          // slots of a set
	removed int                          // + own rings removed + RemovedStates x theirs
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

// values are a model's numbers by slot, in logits of the share of the points
// that the side to move expects; or a gradient by them.
type values []float64

// newValues returns values that are all 0.
func newValues() values { return make(values, slots.slots) }

// setSlot returns the first slot of a stage's set.
func setSlot(s evaluation.Stage) int { return int(s) * slots.set }

// ofSet returns the values of a stage.
func (v values) ofSet(s evaluation.Stage) values { return v[setSlot(s):][:slots.set] }

// ofPattern returns the values of a pattern by index, of those of a stage.
func (v values) ofPattern(k int) values { return v[slots.pattern[k]:][:patterns[k].States] }

// removedSlot returns the slot of the rings removed.
func removedSlot(own, theirs int) int { return slots.removed + own + evaluation.RemovedStates*theirs }

// logit returns what a position is worth.
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

// accumulate adds so many times the gradient of logit to v.
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

// anchored returns values by which positions are worth the same, and index 0 of
// each pattern and no rings removed nothing, and the tempo that of the first stage
// wherever the rings removed tell the stage.
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

// hasTempo tells whether a stage has a tempo of its own. At the others what it is worth
// more or less to be to move is among what the rings removed are worth.
func hasTempo(s evaluation.Stage) bool { return s == evaluation.Opening || s == evaluation.Blitz }

// stageOf returns the stage with so many rings removed, after the opening.
func stageOf(own, theirs int) evaluation.Stage {
	return evaluation.StageBy(position.Standard, own, theirs, position.MarkersInGame)
}

// model returns the values in centipawns, so many to a logit.
func (v values) model(unit float64) *model.Model {
	m := model.New()
	eachNumber(m, v, func(number, value *float64) { *number = unit * *value })
	return m
}

// valuesOf undoes model.
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

// The kinds of parameters. A five is worth what its class is worth, that is all
// fives with as many rings and markers of each side, and what it is worth itself
// beside that. A longer pattern has no class: it is worth what the shorter ones
// in it leave open. Each of these has a part that changes its sign when the sides
// change places, and one that does not: the tempo part, what it is worth to the
// side to move more than it would cost it if it were the other's.
//
// All that is once for every stage, and once for each stage beside that; the stages
// of the two sides change places with them.
//
// So what is seen seldom is worth what its like are worth, and at a stage what it is
// worth at all stages, as far as a ridge penalty on the other parameters says. Other
// trainers call such parameters virtual or factored features.
const (
	plainKind           = iota // beside the patterns
	classKind                  // of a class
	classTempoKind             //
	indexKind                  // of an index of a pattern
	indexTempoKind             //
	stageClassKind             // of a class at a stage beside what it is worth at all of them
	stageClassTempoKind        //
	stageIndexKind             // of an index so
	stageIndexTempoKind        //
	kinds
)

// classed is the pattern that has classes: the five.
const classed = 0

// term says that a slot holds so many times a parameter.
type term struct {
	parameter int32
	times     float32 // 1 or -1
}

// shape is how the values of a model are made of the parameters that are fitted.
// An index of a pattern and its reversal have the same. Index 0 of each pattern
// and no rings removed are worth nothing: what they were worth would be the
// tempo's, for every position has as many of them.
type shape struct {
	terms []term // of the slots that have some of their own, one slot after the other
	begin []int  // by slot where its own begin; and the number of all
	twin  []int  // by slot that whose terms it has: its own, or an index those of its reversal
	kind  []int  // by parameter
}

// newShape returns the shape of a model in which some patterns are worth
// something.
func newShape(fitted Fitted) *shape {
	s := &shape{begin: make([]int, 1, slots.slots+1), twin: make([]int, slots.slots)}
	for slot := range s.twin {
		s.twin[slot] = slot
	}
	own := make([][]term, slots.slots) // terms by slot
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
			s.addPattern(k, own)
		}
	}
	for _, terms := range own {
		s.terms = append(s.terms, terms...)
		s.begin = append(s.begin, len(s.terms))
	}
	return s
}

// addPattern adds the parameters of a pattern, and the terms of its slots.
func (s *shape) addPattern(k int, own [][]term) {
	p := &patterns[k]
	byClass, byIndex := named{}, named{}
	atClass, atIndex := named{}, named{}
	for index := 1; index < p.States; index++ {
		swapped := p.Swapped(index)
		class, otherClass := classOf(index), classOf(swapped)
		canonical, otherCanonical := p.Canonical(index), p.Canonical(swapped)
		for stage := range evaluation.StageCount {
			slot := setSlot(stage) + slots.pattern[k]
			if canonical < index {
				s.twin[slot+index] = slot + canonical
				continue
			}
			var terms []term
			other := stage.Swapped()
			if k == classed {
				terms = append(terms, s.pair(byClass, name{of: class}, name{of: otherClass}, classKind, classTempoKind)...)
				terms = append(terms, s.pair(atClass, name{stage, class}, name{other, otherClass}, stageClassKind, stageClassTempoKind)...)
			}
			terms = append(terms, s.pair(byIndex, name{of: canonical}, name{of: otherCanonical}, indexKind, indexTempoKind)...)
			terms = append(terms, s.pair(atIndex, name{stage, canonical}, name{other, otherCanonical}, stageIndexKind, stageIndexTempoKind)...)
			own[slot+index] = terms
		}
	}
}

// name names what parameters are of: a class or an index, and a stage if it is of
// one alone.
type name struct {
	stage evaluation.Stage
	of    int
}

// named holds the terms of what has a name.
type named map[name][]term

// parameter adds a parameter.
func (s *shape) parameter(kind int) int32 {
	s.kind = append(s.kind, kind)
	return int32(len(s.kind) - 1)
}

// pair returns the terms of what is called this, and other when the sides change
// places; those known already, or new ones.
func (s *shape) pair(known named, this, other name, kind, tempoKind int) []term {
	if terms, ok := known[this]; ok {
		return terms
	}
	if this == other {
		known[this] = []term{{s.parameter(tempoKind), 1}}
		return known[this]
	}
	change, stay := s.parameter(kind), s.parameter(tempoKind)
	known[this] = []term{{change, 1}, {stay, 1}}
	known[other] = []term{{change, -1}, {stay, 1}}
	return known[this]
}

// ofSlot returns the terms of a slot.
func (s *shape) ofSlot(slot int) []term {
	twin := s.twin[slot]
	return s.terms[s.begin[twin]:s.begin[twin+1]]
}

// expand returns the values that parameters make.
func (s *shape) expand(parameters []float64) values {
	v := newValues()
	s.expandInto(v, parameters)
	return v
}

// expandInto sets v to the values that parameters make.
func (s *shape) expandInto(v values, parameters []float64) {
	for slot, twin := range s.twin {
		if twin < slot {
			v[slot] = v[twin]
			continue
		}
		sum := 0.0
		for _, t := range s.ofSlot(slot) {
			sum += float64(t.times) * parameters[t.parameter]
		}
		v[slot] = sum
	}
}

// fold returns the gradient by parameters of that by slots.
func (s *shape) fold(bySlot values) []float64 {
	gradient := make([]float64, len(s.kind))
	s.foldInto(gradient, bySlot)
	return gradient
}

// foldInto sets gradient to that by parameters, of that by slots. Most slots are of
// nothing that a batch has.
func (s *shape) foldInto(gradient []float64, bySlot values) {
	clear(gradient)
	for slot, by := range bySlot {
		if by == 0 {
			continue
		}
		for _, t := range s.ofSlot(slot) {
			gradient[t.parameter] += float64(t.times) * by
		}
	}
}

// parameters returns those that make values by which every position is worth what
// it is by these, in which an index and its reversal have the same. The terms of
// the classes take what they can of them.
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
		for slot := range s.twin {
			for _, t := range s.ofSlot(slot) {
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

// classOf returns a number that indexes share that have as many points of each
// state.
func classOf(index int) (class int) {
	for ; index > 0; index /= evaluation.BoardStates {
		if state := index % evaluation.BoardStates; state > 0 {
			class += []int{1, 6, 36, 216}[state-1]
		}
	}
	return class
}
