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

// Pool is games of one match or of several, from any number of files, that are to be
// counted together. Engines of the same name are taken as one: see Mixed. The zero
// value is an empty one.
type Pool struct {
	// Repeated is how many games were there before, turn for turn. They count once.
	Repeated int

	matches map[string]int // in the order in which they were met
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

// pairKey tells a pair from others. A match that was played twice has two runs.
type pairKey struct {
	match, number, run int
	first, second      string
}

// gameKey tells a game from others, by its turns too.
type gameKey struct {
	match, number int
	turns         uint64
}

// playedAs is how many games an engine played as which program and within which limits,
// and what it claimed in them.
type playedAs struct {
	programs, limits map[string]int
	claims           Claims
}

// Add takes a game, and reports whether it is another than those before: the same
// one, as copies of a file have it, counts once. A game that counts takes the place of
// one that an engine's fault decided.
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

// hashOf returns the hash of a game's turns and end.
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
	if len(line.Turns) == 0 { // then the time alone tells two games apart
		_ = binary.Write(hash, binary.LittleEndian, line.Began.UnixNano())
	}
	return hash.Sum64()
}

// pair returns the pair of a key, a new one if there is none yet.
func (p *Pool) pair(key pairKey, line *Line) *PooledPair {
	pair := p.pairs[key]
	if pair == nil {
		pair = &PooledPair{First: key.first, Second: key.second, Round: line.Round, key: key,
			Opening: strings.TrimSpace(line.Start + " " + strings.Join(line.Opening, " "))}
		p.pairs[key] = pair
	}
	return pair
}

// SeenFrom returns the pair as one of its engines sees it.
func (p *PooledPair) SeenFrom(name string) Pair {
	if name == p.First {
		return p.Ends
	}
	return p.Ends.reversed()
}

// take takes the end of the first game or the second, unless that is there already
// and counts at least as much.
func (p *PooledPair) take(number int, end Ended) bool {
	before := p.Ends[number]
	if before.Result != position.Ongoing && (!before.Reason.Broken() || end.Reason.Broken()) {
		return false
	}
	p.Ends[number] = end
	return true
}

// Pairs returns the pairs, by match and number.
func (p *Pool) Pairs() []*PooledPair {
	return slices.SortedFunc(maps.Values(p.pairs), func(a, b *PooledPair) int {
		return cmp.Or(cmp.Compare(a.key.match, b.key.match), cmp.Compare(a.key.run, b.key.run), cmp.Compare(a.key.number, b.key.number),
			cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
	})
}

// Standing returns the results of all pairs that count, engines in the order of the
// pairs. It has no schedule: Settled is the number of pairs of which both games have
// ended.
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
		if pair.Ends.Whole() {
			s.Settled++
		}
		switch {
		case pair.Ends.Counts():
			s.meet(sides, pair.Ends)
		case pair.Ends.Whole():
			s.LeftOut++
		}
	}
	return s
}

// Mixed tells, a line each, which engines were different programs in different games,
// or had different limits, though they have one name.
func (p *Pool) Mixed() []string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(p.played)) {
		as := p.played[name]
		delete(as.programs, "") // of versions that did not tell
		if n := len(as.programs); n > 1 {
			lines = append(lines, fmt.Sprintf("%s is %d programs (%s), counted as one", name, n, countsOf(as.programs)))
		}
		if n := len(as.limits); n > 1 {
			lines = append(lines, fmt.Sprintf("%s had %d limits (%s), counted as one", name, n, countsOf(as.limits)))
		}
	}
	return lines
}

// countsOf writes counts by text.
func countsOf(counts map[string]int) string {
	var parts []string
	for _, text := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s: %d games", text, counts[text]))
	}
	return strings.Join(parts, ", ")
}
