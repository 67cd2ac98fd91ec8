package fit

import (
	"gyre/position"
	"gyre/search/evaluation"
)

// Kinds are the parts that a model's numbers are made of. A window is worth what
// its class is worth, that is all windows with as many rings and markers of each
// side, and what it is worth more itself. Both have a part that changes its sign
// when the sides change places, and one that does not: what the window is worth
// to the side to move more than it would cost it if it were the other's. So what
// is seen seldom is worth what its like are worth, as far as a ridge penalty on
// the other parts says. A six has no class: it is worth only what the windows in it
// leave open.
const (
	plainKind      = iota // beside the windows
	classKind             // of a class of windows
	classMoveKind         // that a class is worth more to the side to move
	windowKind            // of a window
	windowMoveKind        // that a window is worth more to the side to move
	sixKind               // of a six
	sixMoveKind           // that a six is worth more to the side to move
	kinds
)

// part says that a slot holds so many times a parameter.
type part struct {
	parameter int
	times     float64
}

// shape is how the values of a model are made of the parameters that are fitted.
// Windows, sixes and their reversals have the same. The empty ones and no rings
// removed are worth nothing: what they were worth would be the tempo's, for every
// position has as many of them.
type shape struct {
	parts [slots][]part
	kind  []int // by parameter
}

// movesUnit is how many ring moves the parameter for them stands for, so that
// all parameters are of about a size.
const movesUnit = 10

// newShape returns the shape, with or without sixes, and with or without ring moves
// and blocked rings.
func newShape(sixes, mobility bool) *shape {
	s := &shape{}
	for slot := removedSlot + 1; slot < slots; slot++ {
		if !mobility && (slot == moveSlot || slot == blockedSlot) {
			continue
		}
		times := 1.0
		if slot == moveSlot {
			times = 1.0 / movesUnit
		}
		s.parts[slot] = []part{{s.parameter(plainKind), times}}
	}
	byClass, byWindow := map[int][]part{}, map[int][]part{}
	for index := 1; index < windowSlots; index++ {
		class, otherClass := classOf(index), classOf(evaluation.Swapped(index, position.RowLength))
		window, otherWindow := canonical(index, position.RowLength), canonical(evaluation.Swapped(index, position.RowLength), position.RowLength)
		s.parts[index] = append(s.parts[index], s.pair(byClass, class, otherClass, classKind, classMoveKind)...)
		s.parts[index] = append(s.parts[index], s.pair(byWindow, window, otherWindow, windowKind, windowMoveKind)...)
	}
	if !sixes {
		return s
	}
	bySix := map[int][]part{}
	for index := 1; index < evaluation.SixStates; index++ {
		six, otherSix := canonical(index, evaluation.SixPoints), canonical(evaluation.Swapped(index, evaluation.SixPoints), evaluation.SixPoints)
		s.parts[sixSlot+index] = s.pair(bySix, six, otherSix, sixKind, sixMoveKind)
	}
	return s
}

// parameter adds a parameter.
func (s *shape) parameter(kind int) int {
	s.kind = append(s.kind, kind)
	return len(s.kind) - 1
}

// pair returns the parts of what is called name, and other when the sides change
// places; those known already, or new ones.
func (s *shape) pair(known map[int][]part, name, other, kind, moveKind int) []part {
	if parts, ok := known[name]; ok {
		return parts
	}
	if name == other {
		known[name] = []part{{s.parameter(moveKind), 1}}
		return known[name]
	}
	change, stay := s.parameter(kind), s.parameter(moveKind)
	known[name] = []part{{change, 1}, {stay, 1}}
	known[other] = []part{{change, -1}, {stay, 1}}
	return known[name]
}

// expand returns the values that parameters make.
func (s *shape) expand(parameters []float64) *values {
	v := new(values)
	for slot := range v {
		for _, p := range s.parts[slot] {
			v[slot] += p.times * parameters[p.parameter]
		}
	}
	return v
}

// fold returns the gradient by parameters of that by slots.
func (s *shape) fold(bySlot *values) []float64 {
	gradient := make([]float64, len(s.kind))
	for slot := range bySlot {
		for _, p := range s.parts[slot] {
			gradient[p.parameter] += p.times * bySlot[slot]
		}
	}
	return gradient
}

// parameters returns those that make values by which every position is worth what
// it is by these, of which a window and its reversal have the same. The parts of
// the classes take what they can of them.
func (s *shape) parameters(v *values) []float64 {
	v = v.anchored()
	parameters := make([]float64, len(s.kind))
	for kind := range kinds {
		made := s.expand(parameters)
		var rest values
		for slot := range rest {
			rest[slot] = v[slot] - made[slot]
		}
		sums, weight := s.fold(&rest), make([]float64, len(s.kind))
		for slot := range s.parts {
			for _, p := range s.parts[slot] {
				weight[p.parameter] += p.times * p.times
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

// canonical returns the lower index of so many points and their reversal.
func canonical(index, points int) int { return min(index, evaluation.Reversed(index, points)) }

// classOf returns a number that windows share that have as many points of each
// state.
func classOf(index int) (class int) {
	for ; index > 0; index /= pointStates {
		if state := index % pointStates; state > 0 {
			class += []int{1, 6, 36, 216}[state-1]
		}
	}
	return class
}
