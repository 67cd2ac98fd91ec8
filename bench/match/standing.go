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
	"gyre/bench/stats"
	"gyre/position"
)

// Ending is how a game ended. The zero value is a game that has not ended.
type Ending struct {
	Result position.Result
	Reason game.Reason
}

// Pair is two games from one opening. The first engine of the pairing has white in the
// first game and black in the second.
type Pair [2]Ending

// Complete reports whether both games have ended.
func (p Pair) Complete() bool {
	return p[0].Result != position.Ongoing && p[1].Result != position.Ongoing
}

// Counts reports whether the pair says something about strength: both games have ended,
// and in neither did an engine fail (see game.Reason.Broken). One broken game excludes
// the pair, because the other game alone would favor the engine that had white.
func (p Pair) Counts() bool {
	return p.Complete() && !p[0].Reason.Broken() && !p[1].Reason.Broken()
}

// reversed returns the pair from the second engine's view.
func (p Pair) reversed() Pair { return Pair{p[1], p[0]} }

// Games returns both games from the first engine's view: the game with white, then the
// game with black.
func (p Pair) Games() [2]stats.Games {
	one := func(r position.Result) (g stats.Games) {
		switch r {
		case position.WhiteWins:
			g.Wins = 1
		case position.BlackWins:
			g.Losses = 1
		case position.Draw:
			g.Draws = 1
		}
		return g
	}
	return [2]stats.Games{one(p[0].Result), one(p[1].Result).Swapped()}
}

// HalfPoints returns the half points of the first engine in the two games, from 0 to 4:
// the index of the pair's class in stats.Pairs.
func (p Pair) HalfPoints() int {
	both := p.Games()
	sum := both[0].Plus(both[1])
	return 2*sum.Wins + sum.Draws
}

// PairingResult is the result between the two engines of a pairing, in pairs that count, from
// the view of the first.
type PairingResult struct {
	Engines [2]int // by index; in a schedule the first has white in the first game of a pair
	Games   stats.Games
	Pairs   stats.Pairs
	ByWhite [2]stats.Games // the same games: those with white, then those with black
}

// Add adds a pair that counts.
func (p *PairingResult) Add(pair Pair) {
	for reversed, one := range pair.Games() {
		p.Games = p.Games.Plus(one)
		p.ByWhite[reversed] = p.ByWhite[reversed].Plus(one)
	}
	p.Pairs[pair.HalfPoints()]++
}

// Standing is the results so far. Strength is measured by settled pairs only: complete
// pairs whose predecessors in the schedule are complete, too. Pairs that do not count
// (see Pair.Counts) are settled but excluded.
type Standing struct {
	Names    []string // of the engines
	Games    int      // finished
	Settled  int      // pairs
	Excluded int      // settled pairs that do not count
	Disputed []int    // pairs of which two workers sent different results, once Match.Run has ended; see Result
	Pairings []PairingResult
	Faults   []map[game.Reason]int // by engine: finished games that it lost by a fault
	Ends     map[game.Reason]int   // finished games by reason
	Claims   []Claims              // by engine, in finished games
	LLR      float64               // of the test
	State    stats.State           // of the test; Continue without one
	Pooled   []*PooledPair         // the settled pairs, in order, if this is the standing of a Pool

	schedule Schedule
	test     *stats.SPRT
	endings  []Ending // by game
}

// NewStanding returns the standing of a match before its first game. test may be nil.
func NewStanding(schedule Schedule, names []string, test *stats.SPRT) *Standing {
	s := &Standing{Names: names, Ends: map[game.Reason]int{},
		schedule: schedule, test: test, endings: make([]Ending, schedule.Games())}
	for _, engines := range schedule.Pairings {
		s.Pairings = append(s.Pairings, PairingResult{Engines: engines})
	}
	s.Claims = make([]Claims, len(names))
	for range names {
		s.Faults = append(s.Faults, map[game.Reason]int{})
	}
	return s
}

// Finished reports whether the game of a number has ended.
func (s *Standing) Finished(number int) bool { return s.endings[number].Result != position.Ongoing }

// Over reports whether the match is over: all games have ended, or the test has its
// verdict.
func (s *Standing) Over() bool { return s.State != stats.Continue || s.Games == len(s.endings) }

// maxNamed is how many games an error names.
const maxNamed = 10

// DisputedError returns an error that names some of the disputed pairs; nil if there are none.
func (s *Standing) DisputedError() error {
	if len(s.Disputed) == 0 {
		return nil
	}
	var games []string
	for i, pair := range s.Disputed {
		if i == maxNamed {
			games = append(games, "...")
			break
		}
		games = append(games, fmt.Sprintf("%d and %d", 2*pair+1, 2*pair+2))
	}
	return fmt.Errorf("pairs of which two workers have different results, and nobody decided: %d; the results that came first count, of games %s",
		len(s.Disputed), strings.Join(games, ", "))
}

// Add adds a game. It returns an error if the game cannot belong to this match.
func (s *Standing) Add(line *Line) error {
	if line.Game >= len(s.endings) {
		return fmt.Errorf("game %d: the match has only %d games", line.Game+1, len(s.endings))
	}
	g := s.schedule.Game(line.Game)
	if white, black := s.Names[g.Sides[position.White]], s.Names[g.Sides[position.Black]]; line.White != white || line.Black != black {
		return fmt.Errorf("game %d: %s against %s, but the schedule has %s against %s", line.Game+1, line.White, line.Black, white, black)
	}
	if s.Finished(line.Game) {
		return fmt.Errorf("game %d: duplicate", line.Game+1)
	}
	s.endings[line.Game] = Ending{line.Outcome(), line.Reason}
	s.countEnd(s.endings[line.Game], g.Sides)
	for side, claims := range line.Claims() {
		at := &s.Claims[g.Sides[side]]
		*at = at.plus(claims)
	}
	for s.State == stats.Continue && 2*s.Settled < len(s.endings) && s.pair(s.Settled).Complete() {
		s.settle(s.schedule.Pairings[s.schedule.Game(2*s.Settled).Pairing], s.pair(s.Settled))
	}
	return nil
}

// settle counts the next pair, between two engines, and updates the test.
func (s *Standing) settle(engines [2]int, pair Pair) {
	s.Settled++
	if !pair.Counts() {
		s.Excluded++
		return
	}
	p := s.addPair(engines, pair)
	if s.test != nil {
		s.LLR, s.State = s.test.LLR(p.Pairs), s.test.State(p.Pairs)
	}
}

func (s *Standing) pair(number int) Pair { return Pair(s.endings[2*number : 2*number+2]) }

// Between returns the games of engine i against engine j, from the view of i, and whether they
// are a pairing.
func (s *Standing) Between(i, j int) (games stats.Games, met bool) {
	for k := range s.Pairings {
		switch p := &s.Pairings[k]; p.Engines {
		case [2]int{i, j}:
			return p.Games, true
		case [2]int{j, i}:
			return p.Games.Swapped(), true
		}
	}
	return stats.Games{}, false
}

// Totals returns the games of each engine against all others, from its view.
func (s *Standing) Totals() []stats.Games {
	totals := make([]stats.Games, len(s.Names))
	for _, p := range s.Pairings {
		first, second := p.Engines[0], p.Engines[1]
		totals[first], totals[second] = totals[first].Plus(p.Games), totals[second].Plus(p.Games.Swapped())
	}
	return totals
}

// Encounters returns the results in the form of stats.Rate.
func (s *Standing) Encounters() []stats.Encounter {
	var all []stats.Encounter
	for _, p := range s.Pairings {
		all = append(all, stats.Encounter{First: p.Engines[0], Second: p.Engines[1], Pairs: p.Pairs})
	}
	return all
}

// countEnd counts the end of a game between two engines, White first. It ignores a game
// that has not ended.
func (s *Standing) countEnd(end Ending, sides [2]int) {
	if end.Result == position.Ongoing {
		return
	}
	s.Games++
	s.Ends[end.Reason]++
	if end.Reason.Fault() {
		s.Faults[sides[loser(end.Result)]][end.Reason]++
	}
}

// addPair adds a pair between two engines to their pairing, whatever its order of engines, and
// returns the pairing.
func (s *Standing) addPair(engines [2]int, pair Pair) *PairingResult {
	reversed := [2]int{engines[1], engines[0]}
	at := slices.IndexFunc(s.Pairings, func(p PairingResult) bool { return p.Engines == engines || p.Engines == reversed })
	if at < 0 {
		at = len(s.Pairings)
		s.Pairings = append(s.Pairings, PairingResult{Engines: engines})
	}
	p := &s.Pairings[at]
	if p.Engines == reversed {
		pair = pair.reversed()
	}
	p.Add(pair)
	return p
}

// Pool counts games of one or more matches together, from any number of files. Engines
// with the same name count as one: see Mixed. The zero value is empty.
type Pool struct {
	// Repeated is the number of games that were identical to an earlier one. Each counts once.
	Repeated int

	matches map[string]int // numbered in order of appearance
	pairs   map[pairKey]*PooledPair
	seen    map[gameKey]bool
	played  map[string]*playedAs // by engine
	setups  map[int]*Setup       // by match, of those that record options
	test    *stats.Hypotheses    // see Test
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

// playedAs counts an engine's games by program, by limits and by match, and its claims.
type playedAs struct {
	programs, limits map[string]int
	matches          map[int]int
	claims           Claims
}

// Add adds a game and reports whether it is new. A duplicate, for example from a copy of a
// file, counts once. A game that counts replaces one that an engine's fault decided.
func (p *Pool) Add(line *Line) bool {
	if p.matches == nil {
		*p = Pool{matches: map[string]int{}, pairs: map[pairKey]*PooledPair{}, seen: map[gameKey]bool{}, played: map[string]*playedAs{}, setups: map[int]*Setup{}}
	}
	at, known := p.matches[line.Match]
	if !known {
		at = len(p.matches)
		p.matches[line.Match] = at
	}
	if s := line.Setup; s != nil && len(s.Options)+len(s.Flags) > 0 { // earlier versions recorded neither
		p.setups[at] = s
	}
	game := gameKey{at, line.Game, hashOf(line)}
	if p.seen[game] {
		p.Repeated++
		return false
	}
	p.seen[game] = true
	p.test = line.Test
	key := pairKey{match: at, number: line.Game / 2, first: line.White, second: line.Black}
	if line.Game%2 == 1 {
		key.first, key.second = line.Black, line.White
	}
	p.place(key, line)
	claims := line.Claims()
	for side, name := range []string{line.White, line.Black} {
		as := p.played[name]
		if as == nil {
			as = &playedAs{programs: map[string]int{}, limits: map[string]int{}, matches: map[int]int{}}
			p.played[name] = as
		}
		as.programs[line.Programs[side]]++
		as.limits[line.Limits[side]]++
		as.matches[at]++
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

// place records the end of a game in the first run of its pair that lacks it. A game that counts replaces
// those that an engine's fault decided, in whatever order they come.
func (p *Pool) place(key pairKey, line *Line) {
	number, end := line.Game%2, Ending{line.Outcome(), line.Reason}
	var runs []*PooledPair
	for ; p.pairs[key] != nil; key.run++ {
		runs = append(runs, p.pairs[key])
	}
	for _, pair := range runs {
		switch at := &pair.Ends[number]; {
		case at.Result == position.Ongoing:
		case at.Reason.Broken() && !end.Reason.Broken():
			*at = Ending{}
		case end.Reason.Broken() && !at.Reason.Broken():
			return
		}
	}
	for _, pair := range runs {
		if pair.Ends[number].Result == position.Ongoing {
			pair.Ends[number] = end
			return
		}
	}
	pair := &PooledPair{First: key.first, Second: key.second, Round: line.Round, key: key,
		Opening: strings.TrimSpace(line.Start + " " + strings.Join(line.Opening, " "))}
	pair.Ends[number] = end
	p.pairs[key] = pair
}

// SeenFrom returns the pair from one engine's view.
func (p *PooledPair) SeenFrom(name string) Pair {
	if name == p.First {
		return p.Ends
	}
	return p.Ends.reversed()
}

// Pairs returns the pairs in the order of matches and numbers.
func (p *Pool) Pairs() []*PooledPair {
	return slices.SortedFunc(maps.Values(p.pairs), func(a, b *PooledPair) int {
		return cmp.Or(cmp.Compare(a.key.match, b.key.match), cmp.Compare(a.key.run, b.key.run), cmp.Compare(a.key.number, b.key.number),
			cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
	})
}

// Standing returns the results of the pairs that count, with engines in the order of the pairs. It
// has no schedule, so each complete pair is settled. In a pool of one match of two engines, the
// pairs are settled that the match settles: those behind a gap, or after the verdict of the test,
// are not. A test, which may be nil, is ignored if there are more engines.
func (p *Pool) Standing(test *stats.SPRT) *Standing {
	s := &Standing{Ends: map[game.Reason]int{}}
	alone := false // one match of two engines
	if len(p.played) == 2 {
		s.test, alone = test, len(p.matches) == 1
	}
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
			s.countEnd(end, [2]int{sides[reversed], sides[1-reversed]})
		}
		gap := alone && pair.key.run == 0 && pair.key.number != s.Settled // a further run lacks the games that are the same
		if pair.Ends.Complete() && s.State == stats.Continue && !gap {
			s.settle(sides, pair.Ends)
			s.Pooled = append(s.Pooled, pair)
		}
	}
	return s
}

// Test returns the hypotheses of the sequential test of the last game added, nil without one: a resumed
// match may have another test, or none. Clocks may be set back, so the order of the file counts.
func (p *Pool) Test() *stats.Hypotheses { return p.test }

// Own returns the standing with the match's own test, so that it counts what the match counted.
// Several matches have no common test.
func (p *Pool) Own() (*Standing, error) {
	if p.test == nil || len(p.matches) != 1 {
		return p.Standing(nil), nil
	}
	test, err := stats.NewSPRT(*p.test)
	if err != nil {
		return nil, err
	}
	return p.Standing(test), nil
}

// Mixed returns a line for each engine that was a different program, or had different
// limits or options, in different games.
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
		options := map[string]int{}
		for at, games := range as.matches {
			if s := p.setups[at]; s != nil {
				options[cmp.Or(s.Options[name], "none")] += games
			}
		}
		if n := len(options); n > 1 {
			lines = append(lines, fmt.Sprintf("%s had %d different options (%s), counted as one", name, n, countsOf(options)))
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
