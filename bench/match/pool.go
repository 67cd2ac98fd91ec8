package match

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"gyre/bench/game"
	"gyre/position"
)

// Pool counts games of one or more matches together, from any number of files. Engines
// with the same name count as one: see Mixed. The zero value is empty.
type Pool struct {
	// Repeated is the number of games that were identical to an earlier one. Each counts once.
	Repeated int

	matches map[string]int // numbered in order of appearance
	pairs   map[pairKey]*PooledPair
	seen    map[gameKey]bool
	played  map[string]*playedAs // by engine
}

// PooledPair is a pair of games of a pool.
type PooledPair struct {
	First, Second string // engines; the first has white in the first game
	Round         int
	Opening       string // position and turns
	Ends          Pair

	key pairKey
}

// pairKey identifies a pair. A match that was played twice has two runs.
type pairKey struct {
	match, number, run int
	first, second      string
}

// gameKey identifies a game, including its turns.
type gameKey struct {
	match, number int
	turns         uint64
}

// playedAs counts an engine's games by program and by limits, and its claims.
type playedAs struct {
	programs, limits map[string]int
	claims           Claims
}

// Add adds a game and reports whether it is new. A duplicate, for example from a copy of a
// file, counts once. A game that counts replaces one that an engine's fault decided.
func (p *Pool) Add(line *Line) bool {
	if p.matches == nil {
		*p = Pool{matches: map[string]int{}, pairs: map[pairKey]*PooledPair{}, seen: map[gameKey]bool{}, played: map[string]*playedAs{}}
	}
	at, known := p.matches[line.Match]
	if !known {
		at = len(p.matches)
		p.matches[line.Match] = at
	}
	game := gameKey{at, line.Game, hashOf(line)}
	if p.seen[game] {
		p.Repeated++
		return false
	}
	p.seen[game] = true
	key := pairKey{match: at, number: line.Game / 2, first: line.White, second: line.Black}
	if line.Game%2 == 1 {
		key.first, key.second = line.Black, line.White
	}
	end := Ended{line.Outcome(), line.Reason}
	for !p.pair(key, line).take(line.Game%2, end) {
		key.run++
	}
	claims := line.Claims()
	for side, name := range []string{line.White, line.Black} {
		as := p.played[name]
		if as == nil {
			as = &playedAs{programs: map[string]int{}, limits: map[string]int{}}
			p.played[name] = as
		}
		as.programs[line.Programs[side]]++
		as.limits[line.Limits[side]]++
		as.claims = as.claims.plus(claims[side])
	}
	return true
}

// hashOf returns a hash of a game's turns, engines and end.
func hashOf(line *Line) uint64 {
	hash := xxh3.New()
	// Writing to a hash never fails.
	for _, turn := range line.Opening {
		_, _ = hash.WriteString(turn + " ")
	}
	for i := range line.Turns {
		_, _ = hash.WriteString(line.Turns[i].Turn + " ")
	}
	_, _ = hash.WriteString(line.White + "\n" + line.Black + "\n" + line.Result + "\n" + line.Reason.String())
	if len(line.Turns) == 0 { // only the time distinguishes two games
		_ = binary.Write(hash, binary.LittleEndian, line.Began.UnixNano())
	}
	return hash.Sum64()
}

// pair returns the pair of a key, and creates it if necessary.
func (p *Pool) pair(key pairKey, line *Line) *PooledPair {
	pair := p.pairs[key]
	if pair == nil {
		pair = &PooledPair{First: key.first, Second: key.second, Round: line.Round, key: key,
			Opening: strings.TrimSpace(line.Start + " " + strings.Join(line.Opening, " "))}
		p.pairs[key] = pair
	}
	return pair
}

// SeenFrom returns the pair from one engine's view.
func (p *PooledPair) SeenFrom(name string) Pair {
	if name == p.First {
		return p.Ends
	}
	return p.Ends.reversed()
}

// take records the end of game 0 or 1. It returns false if that game has ended already,
// unless the earlier end is broken and the new one is not.
func (p *PooledPair) take(number int, end Ended) bool {
	before := p.Ends[number]
	if before.Result != position.Ongoing && (!before.Reason.Broken() || end.Reason.Broken()) {
		return false
	}
	p.Ends[number] = end
	return true
}

// Pairs returns the pairs in the order of matches and numbers.
func (p *Pool) Pairs() []*PooledPair {
	return slices.SortedFunc(maps.Values(p.pairs), func(a, b *PooledPair) int {
		return cmp.Or(cmp.Compare(a.key.match, b.key.match), cmp.Compare(a.key.run, b.key.run), cmp.Compare(a.key.number, b.key.number),
			cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
	})
}

// Standing returns the results of all pairs that count, with engines in the order of the
// pairs. It has no schedule; Settled is the number of complete pairs.
func (p *Pool) Standing() *Standing {
	s := &Standing{Ends: map[game.Reason]int{}}
	index := map[string]int{}
	engine := func(name string) int {
		at, known := index[name]
		if !known {
			at = len(s.Names)
			index[name] = at
			s.Names, s.Faults = append(s.Names, name), append(s.Faults, map[game.Reason]int{})
			s.Claims = append(s.Claims, p.played[name].claims)
		}
		return at
	}
	for _, pair := range p.Pairs() {
		sides := [2]int{engine(pair.First), engine(pair.Second)}
		for reversed, end := range pair.Ends {
			s.ended(end, [2]int{sides[reversed], sides[1-reversed]})
		}
		if pair.Ends.Complete() {
			s.Settled++
		}
		switch {
		case pair.Ends.Counts():
			s.meet(sides, pair.Ends)
		case pair.Ends.Complete():
			s.LeftOut++
		}
	}
	return s
}

// Mixed returns a line for each engine that was a different program, or had different
// limits, in different games.
func (p *Pool) Mixed() []string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(p.played)) {
		as := p.played[name]
		delete(as.programs, "") // from versions that did not record it
		if n := len(as.programs); n > 1 {
			lines = append(lines, fmt.Sprintf("%s is %d different programs (%s), counted as one", name, n, countsOf(as.programs)))
		}
		if n := len(as.limits); n > 1 {
			lines = append(lines, fmt.Sprintf("%s had %d different limits (%s), counted as one", name, n, countsOf(as.limits)))
		}
	}
	return lines
}

// countsOf formats the counts of each text.
func countsOf(counts map[string]int) string {
	var parts []string
	for _, text := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s: %d games", text, counts[text]))
	}
	return strings.Join(parts, ", ")
}
