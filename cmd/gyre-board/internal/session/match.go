package session

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"gyre/bench/game"
	"gyre/bench/openings"
	"gyre/bench/stats"
	"gyre/cmd/gyre-board/internal/referee"
	"gyre/position"
)

// matchOrder asks for a match of two players: games in pairs, each pair from an opening of
// its own, in whose second game colours are reversed. What is played by nodes or depth is
// played the same each time, however often the match was stopped.
type matchOrder struct {
	Search  int64         `json:"search"`
	Players [2]contestant `json:"players"`
	Rules   string        `json:"rules"`
	Limits  limitsOrder   `json:"limits"`  // for each turn: nodes, depth or time
	Games   int           `json:"games"`   // in all, an even number
	Seed    uint32        `json:"seed"`    // of the openings
	Results string        `json:"results"` // of the games that were played before: see standing
}

// contestant is a player of a match.
type contestant struct {
	Engine string  `json:"engine"`
	Level  *string `json:"level"` // null is full strength
}

// The events of a match. Games are numbered from 1.
type (
	// turnEvent tells now and then how far a game is.
	turnEvent struct {
		Event  string `json:"event"` // "turn"
		Search int64  `json:"search"`
		Game   int    `json:"game"`
		Turns  int    `json:"turns"`
	}
	playedEvent struct {
		Event    string       `json:"event"` // "played"
		Search   int64        `json:"search"`
		Game     int          `json:"game"`
		White    int          `json:"white"` // which of the players that was, 0 or 1
		Path     referee.Path `json:"path"`
		Opening  int          `json:"opening"` // so many of the turns
		Results  string       `json:"results"` // of all games by now
		Standing standing     `json:"standing"`
	}
	// matchedEvent ends a match of which all games are played.
	matchedEvent struct {
		Event  string `json:"event"` // "matched"
		Search int64  `json:"search"`
	}
)

// The bounds of a match, and its engines' memory: a game is short.
const (
	mostGames = 2000
	matchHash = "32" // MiB
)

// turnPause is the least time between two turns that are told.
const turnPause = 250 * time.Millisecond

// book has the opening of each pair of games, from 0. It may make those before it first.
type book interface {
	Opening(pair int) (game.Opening, error)
}

// match is a match that is being played.
type match struct {
	session  *session
	order    *matchOrder
	start    *referee.Line // without turns
	levels   [2]*Level
	openings book
	slots    []*slot // by player
	told     time.Time
}

// playMatch starts a match.
func playMatch(r *request) {
	var order matchOrder
	if !r.read(&order) {
		return
	}
	m, err := newMatch(r.session, &order)
	if err != nil {
		r.answer(nil, err)
		return
	}
	r.startApart(order.Search, []string{order.Players[0].Engine, order.Players[1].Engine}, m.run)
}

// newMatch returns a match that can be played, or what is wrong with the order.
func newMatch(s *session, order *matchOrder) (*match, error) {
	m := &match{session: s, order: order}
	var err error
	if m.start, err = (referee.Path{Rules: order.Rules}).Read(); err != nil {
		return nil, err
	}
	for i, player := range order.Players {
		if m.levels[i], err = findLevel(player.Level); err != nil {
			return nil, err
		}
	}
	if _, err = order.Limits.read(0); err != nil {
		return nil, err
	}
	if _, err = countResults(order.Results); err != nil {
		return nil, err
	}
	switch {
	case order.Limits.Infinite || order.Limits.Clock != nil:
		return nil, errors.New("limits: a match has nodes, a depth or a time for each turn")
	case order.Games < 2 || order.Games > mostGames || order.Games%2 != 0:
		return nil, fmt.Errorf("games %d is not an even number within 2 to %d", order.Games, mostGames)
	case len(order.Results) > order.Games:
		return nil, fmt.Errorf("results of %d games, of a match of %d", len(order.Results), order.Games)
	}
	return m, nil
}

// run plays the games that are left, and tells of each.
func (m *match) run(q *search, slots []*slot) {
	recipe := openings.Default
	recipe.Seed, recipe.Rules = uint64(m.order.Seed), m.start.Start().Rules()
	made, err := openings.NewGenerator(recipe)
	if err != nil {
		slots[0].tell(q, err)
		return
	}
	defer made.Close()
	m.slots, m.openings = slots, made
	results := m.order.Results
	for number := len(results); number < m.order.Games; number++ {
		line, opening, failing, err := m.play(q, number)
		if err != nil {
			failing.tell(q, fmt.Errorf("game %d: %w", number+1, err))
			return
		}
		white := number % 2
		results += string(resultFor(position.Side(white), line.End().Result()))
		told, err := countResults(results)
		if err != nil {
			// Only this package's letters are in it.
			panic(err)
		}
		m.session.send(playedEvent{Event: "played", Search: q.id, Game: number + 1, White: white,
			Path: line.Path(), Opening: opening, Results: results, Standing: told})
	}
	m.session.send(matchedEvent{Event: "matched", Search: q.id})
}

// play plays the game of a number, from 0. In those with an even number the first player is
// White. Where a player fails it returns that one's slot.
func (m *match) play(q *search, number int) (line *referee.Line, opening int, failing *slot, err error) {
	from, err := m.opening(q.ctx, number/2)
	if err != nil {
		return nil, 0, m.slots[0], err
	}
	line = &referee.Line{Positions: []position.Position{*m.start.Start()}}
	for _, turn := range from.Turns {
		line.Add(turn)
	}
	for !line.End().Over() {
		player := (int(line.End().SideToMove()) + number) % 2
		turn, err := m.turn(q, player, number, line)
		if err != nil {
			return nil, 0, m.slots[player], err
		}
		line.Add(turn)
		if time.Since(m.told) >= turnPause {
			m.told = time.Now()
			m.session.send(turnEvent{Event: "turn", Search: q.id, Game: number + 1, Turns: len(line.Turns)})
		}
	}
	return line, len(from.Turns), nil, nil
}

// opening returns the opening of a pair, from 0. Where a match goes on, those of the pairs
// before it are made first, which takes a while.
func (m *match) opening(ctx context.Context, pair int) (game.Opening, error) {
	for before := range pair {
		if err := ctx.Err(); err != nil {
			return game.Opening{}, err
		}
		if _, err := m.openings.Opening(before); err != nil {
			return game.Opening{}, err
		}
	}
	return m.openings.Opening(pair)
}

// turn asks a player for the next turn of a game.
func (m *match) turn(q *search, player, number int, line *referee.Line) (position.Turn, error) {
	sl, level := m.slots[player], m.levels[player]
	want := newSettings(m.start.Start().Rules(), fmt.Sprint("game ", number+1), nil, 1, level)
	client, err := sl.settleSmall(q.ctx, want, matchHash)
	if err != nil {
		return position.None, err
	}
	limits, err := m.order.Limits.read(level.most(limitsStrength(client)))
	if err != nil {
		return position.None, err
	}
	answer, err := sl.ask(q.ctx, client, line, len(line.Turns), limits, nil)
	if err == nil {
		err = q.ctx.Err() // a turn of a search that was cut short is not the player's
	}
	return answer.Best, err
}

// standing is where a match stands, as its first player sees it. The results of a match are
// a text with a letter for each game, in their order: w, d or l, as that player won, drew or
// lost it. Two that follow each other, from the first on, are a pair. What is said of the
// strength goes by whole pairs.
type standing struct {
	Wins   int    `json:"wins"`
	Draws  int    `json:"draws"`
	Losses int    `json:"losses"`
	Pairs  [5]int `json:"pairs"` // by half points, 0 to 4
	Elo    string `json:"elo"`   // in words, with its error; empty without pairs
	// Superiority is how likely it is that the first player is the stronger one, in per
	// cent; null while all pairs ended alike.
	Superiority *float64   `json:"superiority"`
	Course      []eloPoint `json:"course"` // from the pair on with which the error has bounds
}

// eloPoint is what is known of the Elo after so many pairs.
type eloPoint struct {
	Pairs int     `json:"pairs"`
	Elo   float64 `json:"elo"`
	Error float64 `json:"error"` // half of the 95% interval
}

// The letters of results.
const (
	wonLetter   = 'w'
	drawnLetter = 'd'
	lostLetter  = 'l'
)

// resultFor returns the letter of a result for a side.
func resultFor(side position.Side, result position.Result) rune {
	winner := map[position.Result]position.Side{position.WhiteWins: position.White, position.BlackWins: position.Black}
	switch by, won := winner[result]; {
	case !won:
		return drawnLetter
	case by == side:
		return wonLetter
	}
	return lostLetter
}

// countResults returns where a match of these results stands. The error names a letter that
// is none.
func countResults(results string) (standing, error) {
	s := standing{Course: []eloPoint{}}
	var pairs stats.Pairs
	first := 0 // half points in the first game of a pair
	for i, letter := range []byte(results) {
		halves := 0
		switch letter {
		case wonLetter:
			s.Wins++
			halves = 2
		case drawnLetter:
			s.Draws++
			halves = 1
		case lostLetter:
			s.Losses++
		default:
			return standing{}, fmt.Errorf("results: the letter %q of game %d is none of w, d, l", letter, i+1)
		}
		if i%2 == 0 {
			first = halves
			continue
		}
		pairs[first+halves]++
		if elo := stats.Elo(pairs); elo.Error > 0 && !math.IsInf(elo.Error, 0) {
			s.Course = append(s.Course, eloPoint{Pairs: pairs.Total(), Elo: tenths(elo.Value), Error: tenths(elo.Error)})
		}
	}
	s.Pairs = pairs
	if pairs.Total() > 0 {
		s.Elo = stats.DescribeElo(pairs)
	}
	if stats.MomentsOf(pairs).Variance > 0 {
		superiority := tenths(100 * stats.LOS(pairs))
		s.Superiority = &superiority
	}
	return s, nil
}

// standingQuestion asks where a match stands.
type standingQuestion struct {
	Results string `json:"results"`
}

// standing tells where a match stands.
func (s *session) standing(q standingQuestion) (standing, error) {
	if len(q.Results) > mostGames {
		return standing{}, fmt.Errorf("results of %d games: more than %d", len(q.Results), mostGames)
	}
	return countResults(q.Results)
}
