package report

import (
	"cmp"
	"slices"
	"strings"
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
	engines     []*engine // in the order of the schedule, as far as it shows
	pairs       map[int]*pair
	ends        map[game.Reason]int
	lengths     []int // games by number of turns, the opening's included
	results     map[position.Result]int
	test        *stats.Hypotheses
}

// pair is two games from one opening with colours reversed.
type pair struct {
	number  int
	first   string // who has white in the first game
	second  string
	round   int
	opening string
	ends    match.Pair
}

// New returns the data of no games.
func New() *Data {
	return &Data{pairs: map[int]*pair{}, ends: map[game.Reason]int{}, results: map[position.Result]int{}}
}

// Games returns how many games were added.
func (d *Data) Games() int { return d.games }

// Test replaces the hypotheses that the games tell of.
func (d *Data) Test(h stats.Hypotheses) { d.test = &h }

// Add takes a game. It never fails: the error is for match.ReadLines.
func (d *Data) Add(l *match.Line) error {
	d.games++
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
	p := d.pairs[l.Game/2]
	if p == nil {
		p = &pair{number: l.Game / 2, first: l.White, second: l.Black, round: l.Round, opening: openingOf(l)}
		if l.Game%2 == 1 {
			p.first, p.second = p.second, p.first
		}
		d.pairs[p.number] = p
	}
	p.ends[l.Game%2] = match.Ended{Result: result, Reason: l.Reason}
	sides := [2]*engine{d.engine(l.White, l.Game), d.engine(l.Black, l.Game)}
	for side, e := range sides {
		e.add(l, position.Side(side))
	}
	return nil
}

// openingOf returns the opening of a game in a line.
func openingOf(l *match.Line) string {
	return strings.TrimSpace(l.Start + " " + strings.Join(l.Opening, " "))
}

// engine returns the engine of a name, which is met in a game.
func (d *Data) engine(name string, number int) *engine {
	for _, e := range d.engines {
		if e.name == name {
			e.firstMet = min(e.firstMet, number)
			return e
		}
	}
	e := &engine{name: name, firstMet: number, faults: map[game.Reason]int{}}
	d.engines = append(d.engines, e)
	return e
}

// inOrder returns the pairs by number, and sorts the engines.
func (d *Data) inOrder() []*pair {
	var all []*pair
	for _, p := range d.pairs {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *pair) int { return cmp.Compare(a.number, b.number) })
	first := func(e *engine) int { // the second engine of a pair after its first
		if p := d.pairs[e.firstMet/2]; p != nil && p.second == e.name {
			return e.firstMet/2*2 + 1
		}
		return e.firstMet / 2 * 2
	}
	slices.SortStableFunc(d.engines, func(a, b *engine) int { return cmp.Compare(first(a), first(b)) })
	return all
}

// encounter is what two engines did to each other.
type encounter struct {
	first, second string
	match.Pairing
}

// encounters returns those of all engines that met, in the order in which they
// first did.
func encounters(pairs []*pair) []*encounter {
	var all []*encounter
	index := map[[2]string]*encounter{}
	for _, p := range pairs {
		if !p.ends.Counts() {
			continue
		}
		key := [2]string{p.first, p.second}
		e := index[key]
		if e == nil {
			e = &encounter{first: p.first, second: p.second}
			index[key] = e
			all = append(all, e)
		}
		e.Add(p.ends)
	}
	return all
}
