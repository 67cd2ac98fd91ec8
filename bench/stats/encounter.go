package stats

import (
	"cmp"
	"fmt"
	"slices"
)

// Encounter is what two engines did to each other, seen from the first. Engines
// are named by their indices. A game is counted either in Games or, with the
// other of its pair, in Pairs.
type Encounter struct {
	First, Second int
	Games         Games
	Pairs         Pairs
}

// UnlinkedError says that nothing compares two engines: no games lead from the
// one to the other, not even through others.
type UnlinkedError struct {
	First, Second int
}

// Error names the two engines by their indices.
func (e *UnlinkedError) Error() string {
	return fmt.Sprintf("engines %d and %d are not linked by any games", e.First, e.Second)
}

// swapped returns the same games as the second engine sees them.
func (e Encounter) swapped() Encounter {
	return Encounter{First: e.Second, Second: e.First, Games: e.Games.Swapped(), Pairs: e.Pairs.Swapped()}
}

// games is the number of games, those in pairs included.
func (e Encounter) games() int { return e.Games.Total() + 2*e.Pairs.Total() }

// points is the number of points that the first engine scored.
func (e Encounter) points() float64 {
	halves := 2*e.Games.Wins + e.Games.Draws
	for i, n := range e.Pairs {
		halves += i * n
	}
	return float64(halves) / 2
}

// scatter is the sum of the squared distances of the points from those expected
// at a score of p a game, over single games and whole pairs.
func (e Encounter) scatter(p float64) float64 {
	sum := 0.0
	for _, c := range []Counts{e.Games, e.Pairs} {
		worth := float64(c.GamesPerOutcome())
		classes := c.Classes()
		for i, n := range classes {
			off := worth * (classScore(i, len(classes)) - p)
			sum += float64(n) * off * off
		}
	}
	return sum
}

// merge checks the encounters of so many engines and returns one for each two
// that met, First below Second, in ascending order.
func merge(engines int, encounters []Encounter) ([]Encounter, error) {
	var merged []Encounter
	index := map[[2]int]int{}
	for i, e := range encounters {
		if err := e.check(engines); err != nil {
			return nil, fmt.Errorf("encounter %d: %w", i, err)
		}
		if e.games() == 0 {
			continue
		}
		if e.First > e.Second {
			e = e.swapped()
		}
		key := [2]int{e.First, e.Second}
		at, met := index[key]
		if !met {
			index[key] = len(merged)
			merged = append(merged, e)
			continue
		}
		merged[at].Games = merged[at].Games.Plus(e.Games)
		merged[at].Pairs = merged[at].Pairs.Plus(e.Pairs)
	}
	slices.SortFunc(merged, func(a, b Encounter) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
	})
	return merged, nil
}

// check returns what is wrong with e among so many engines, nil if nothing.
func (e Encounter) check(engines int) error {
	for _, i := range []int{e.First, e.Second} {
		if i < 0 || i >= engines {
			return fmt.Errorf("engine %d: not one of the %d engines", i, engines)
		}
	}
	if e.First == e.Second {
		return fmt.Errorf("engine %d met itself", e.First)
	}
	for _, c := range []Counts{e.Games, e.Pairs} {
		for _, n := range c.Classes() {
			if n < 0 {
				return fmt.Errorf("engines %d and %d: negative count %d", e.First, e.Second, n)
			}
		}
	}
	return nil
}

// linked returns an *UnlinkedError unless games lead from engine 0 to all others.
func linked(engines int, encounters []Encounter) error {
	reached := make([]bool, engines)
	reached[0] = true
	for grown := true; grown; {
		grown = false
		for _, e := range encounters {
			if reached[e.First] != reached[e.Second] {
				reached[e.First], reached[e.Second] = true, true
				grown = true
			}
		}
	}
	for i, r := range reached {
		if !r {
			return &UnlinkedError{First: 0, Second: i}
		}
	}
	return nil
}
