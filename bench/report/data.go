package report

import (
	"cmp"
	"slices"
	"time"

	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/position"
)

// Data is what is kept of games for a page about them. Add takes the games one
// by one, in any order.
type Data struct {
	games       int
	began, last time.Time
	engines     []*engine // in the order of the pairs
	pool        match.Pool
	held        []heldGame // that can be opened
	ends        map[game.Reason]int
	lengths     []int // games by number of turns, the opening's included
	results     map[position.Result]int
	test        *stats.Hypotheses
}

// New returns the data of no games.
func New() *Data {
	return &Data{ends: map[game.Reason]int{}, results: map[position.Result]int{}}
}

// Games returns how many games were added.
func (d *Data) Games() int { return d.games }

// Test replaces the hypotheses that the games tell of.
func (d *Data) Test(h stats.Hypotheses) { d.test = &h }

// Add takes a game, one that is there already but once. It never fails: the error is
// for match.ReadLines.
func (d *Data) Add(l *match.Line) error {
	if !d.pool.Add(l) {
		return nil
	}
	d.games++
	d.hold(l)
	if d.began.IsZero() || l.Began.Before(d.began) {
		d.began = l.Began
	}
	if ended := l.Began.Add(time.Duration(l.Seconds * float64(time.Second))); ended.After(d.last) {
		d.last = ended
	}
	if d.test == nil && l.Test != nil {
		d.test = l.Test
	}
	d.ends[l.Reason]++
	result := l.Outcome()
	d.results[result]++
	turns := len(l.Opening) + len(l.Turns)
	for len(d.lengths) <= turns {
		d.lengths = append(d.lengths, 0)
	}
	d.lengths[turns]++
	sides := [2]*engine{d.engine(l.White), d.engine(l.Black)}
	for side, e := range sides {
		e.add(l, position.Side(side))
	}
	return nil
}

// engine returns the engine of a name.
func (d *Data) engine(name string) *engine {
	for _, e := range d.engines {
		if e.name == name {
			return e
		}
	}
	e := &engine{name: name, faults: map[game.Reason]int{}}
	d.engines = append(d.engines, e)
	return e
}

// standing returns what the engines did to each other, and sorts them by it.
func (d *Data) standing() *match.Standing {
	s := d.pool.Standing()
	slices.SortStableFunc(d.engines, func(a, b *engine) int {
		return cmp.Compare(slices.Index(s.Names, a.name), slices.Index(s.Names, b.name))
	})
	return s
}
