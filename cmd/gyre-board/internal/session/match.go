package session

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"gyre/bench/game"
	"gyre/bench/openings"
	"gyre/bench/review"
	"gyre/bench/stats"
	"gyre/cmd/gyre-board/internal/referee"
	"gyre/position"
)

// matchOrder requests a match of two players. Games are played in pairs. The games of a pair
// have the same opening and reversed colors. With a limit on nodes or depth, a match always has
// the same games, even if it was stopped and resumed.
type matchOrder struct {
	Search  int64         `json:"search"`
	Players [2]contestant `json:"players"`
	Rules   string        `json:"rules"`
	Limits  limitsOrder   `json:"limits"`  // for each turn: nodes, depth or time
	Games   int           `json:"games"`   // total, an even number
	Seed    uint32        `json:"seed"`    // of the openings
	Results string        `json:"results"` // of the games played before: see standing
	Stores  bool          `json:"stores"`  // whether the page sends storedOrder; pages of earlier versions do not
}

// contestant is a player of a match.
type contestant struct {
	Engine string  `json:"engine"`
	Level  *string `json:"level"` // null means full strength
}

// The events of a match. Games are counted from 1.
type (
	// turnEvent reports the progress of a game.
	turnEvent struct {
		Event  string   `json:"event"` // "turn"
		Search int64    `json:"search"`
		Game   int      `json:"game"`
		Turns  int      `json:"turns"` // number of turns played so far
		Added  []string `json:"added"` // the turns since the last event of this game
	}
	playedEvent struct {
		Event    string       `json:"event"` // "played"
		Search   int64        `json:"search"`
		Game     int          `json:"game"`
		White    int          `json:"white"` // the player with White, 0 or 1
		Path     referee.Path `json:"path"`
		Opening  int          `json:"opening"` // number of turns that are the opening
		Results  string       `json:"results"` // of all games so far
		Standing standing     `json:"standing"`
	}
	// matchedEvent ends a match after all games.
	matchedEvent struct {
		Event  string `json:"event"` // "matched"
		Search int64  `json:"search"`
	}
)

// The largest match, and the hash size of its engines.
const (
	maxGames  = 2000
	matchHash = "32" // MiB
)

// mostAhead is the number of games that a match may have played and the page not stored: a pair.
// A page that stores them slowly, or not at all, then shows and loses little more than it has stored.
const mostAhead = 2

// turnPause is the shortest interval between turn events.
const turnPause = 250 * time.Millisecond

// book returns the opening of each pair, counted from 0. It may generate the openings before it
// first.
type book interface {
	Opening(pair int) (game.Opening, error)
}

// match is a match in progress.
type match struct {
	session  *session
	order    *matchOrder
	start    *referee.Line // without turns
	levels   [2]*Level
	openings book
	slots    []*slot // by player
	reported time.Time
}

// playMatch starts a match.
func playMatch(r *request, order *matchOrder) error {
	m, err := newMatch(r.session, order)
	if err != nil {
		return err
	}
	return r.startDedicated(order.Search, []string{order.Players[0].Engine, order.Players[1].Engine}, m.run)
}

// storedOrder reports how many games of a match the page has stored, those before the match resumed
// included. The page sends it after each game: a match waits when it is mostAhead games ahead, unless
// the order says that the page sends none.
type storedOrder struct {
	Search int64 `json:"search"`
	Games  int   `json:"games"`
}

// noteStored notes the games of a match that the page has stored. It is not an error if the match has
// already ended: the messages may have crossed.
func noteStored(s *session, order storedOrder) (nothing, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q, ok := s.searches[order.Search]; ok {
		select {
		case <-q.stored: // the match needs only the latest number
		default:
		}
		q.stored <- order.Games
	}
	return nothing{}, nil
}

// newMatch returns a match, or an error if the order is invalid.
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
	switch {
	case order.Limits.Infinite || order.Limits.Clock != nil:
		return nil, errors.New("limits: a match needs nodes, a depth or a time for each turn")
	case order.Games < 2 || order.Games > maxGames || order.Games%2 != 0:
		return nil, fmt.Errorf("games %d is not an even number between 2 and %d", order.Games, maxGames)
	case len(order.Results) > order.Games:
		return nil, fmt.Errorf("results has %d games, but the match only %d", len(order.Results), order.Games)
	}
	if _, err = countResults(order.Results); err != nil {
		return nil, err
	}
	return m, nil
}

// run plays the remaining games and reports each. It waits for the page to store them if the page does
// report that.
func (m *match) run(q *job, slots []*slot) {
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
	stored := len(results)
	for number := len(results); number < m.order.Games; number++ {
		for m.order.Stores && number-stored >= mostAhead {
			select {
			case games := <-q.stored:
				stored = max(stored, games)
			case <-q.ctx.Done():
				slots[0].tell(q, q.ctx.Err())
				return
			}
		}
		line, opening, failing, err := m.play(q, number)
		if err != nil {
			failing.tell(q, fmt.Errorf("game %d: %w", number+1, err))
			return
		}
		white := number % 2
		results += string(resultFor(position.Side(white), line.End().Result()))
		standing, err := countResults(results)
		if err != nil {
			// results contains only letters that resultFor returns.
			panic(err)
		}
		m.session.send(playedEvent{Event: "played", Search: q.id, Game: number + 1, White: white,
			Path: line.Path(), Opening: opening, Results: results, Standing: standing})
	}
	m.session.send(matchedEvent{Event: "matched", Search: q.id})
}

// play plays a game, counted from 0. The first player has White in games with even numbers. If a
// player fails, play returns the player's slot.
func (m *match) play(q *job, number int) (line *referee.Line, opening int, failing *slot, err error) {
	from, err := m.opening(q.ctx, number/2)
	if err != nil {
		return nil, 0, m.slots[0], err
	}
	line = &referee.Line{Positions: []position.Position{*m.start.Start()}}
	for _, turn := range from.Turns {
		line.Add(turn)
	}
	reported := 0 // number of turns
	for !line.End().Over() {
		player := (int(line.End().SideToMove()) + number) % 2
		turn, err := m.turn(q, player, number, line)
		if err != nil {
			return nil, 0, m.slots[player], err
		}
		line.Add(turn)
		if time.Since(m.reported) >= turnPause {
			m.reported = time.Now()
			m.session.send(turnEvent{Event: "turn", Search: q.id, Game: number + 1,
				Turns: len(line.Turns), Added: line.Path().Turns[reported:]})
			reported = len(line.Turns)
		}
	}
	return line, len(from.Turns), nil, nil
}

// opening returns the opening of a pair, counted from 0. In a resumed match it first generates
// the openings of earlier pairs, which takes a while.
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

// turn asks a player for the next turn.
func (m *match) turn(q *job, player, number int, line *referee.Line) (position.Turn, error) {
	sl, level := m.slots[player], m.levels[player]
	want := newSettings(m.start.Start().Rules(), fmt.Sprint("game ", number+1), nil, 1, level)
	want.hash = matchHash
	client, err := sl.configure(q.ctx, want)
	if err != nil {
		return position.None, err
	}
	limits, err := m.order.Limits.read(level.most(limitsStrength(client)))
	if err != nil {
		return position.None, err
	}
	answer, err := sl.ask(q.ctx, client, line, len(line.Turns), limits, nil)
	if err == nil {
		err = q.ctx.Err() // an interrupted search has no valid turn
	}
	return answer.Best, err
}

// standing is the state of a match from the first player's view. The results of a match are a
// string with a letter for each game: w, d or l for the first player's win, draw or loss. Every
// two games, counted from the first, are a pair. Elo and Superiority use only complete pairs.
type standing struct {
	Wins   int    `json:"wins"`
	Draws  int    `json:"draws"`
	Losses int    `json:"losses"`
	Pairs  [5]int `json:"pairs"` // by half points, 0 to 4
	// Elo is the estimated difference, null with too few games.
	Elo *eloRange `json:"elo"`
	// Superiority is the likelihood in percent that the first player is stronger. It is null
	// while all pairs have the same result.
	Superiority *float64   `json:"superiority"`
	Course      []eloPoint `json:"course"` // starts with the first pair after which the error is finite
}

// eloRange is an Elo difference with the bounds of its 95% interval. A number is null if it is
// infinite.
type eloRange struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

// rangeOf returns an interval for the page.
func rangeOf(elo stats.Interval) *eloRange {
	finite := func(x float64) *float64 {
		if math.IsInf(x, 0) {
			return nil
		}
		x = review.Tenths(x)
		return &x
	}
	return &eloRange{finite(elo.Value), finite(elo.Low), finite(elo.High)}
}

// eloPoint is the Elo estimate after a number of pairs.
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
	return [...]rune{lostLetter, drawnLetter, wonLetter}[1+result.For(side)]
}

// countResults returns the standing after the given results.
func countResults(results string) (standing, error) {
	s := standing{Course: []eloPoint{}}
	var pairs stats.Pairs
	first := 0 // half points in the first game of the pair
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
			return standing{}, fmt.Errorf("results: letter %q of game %d is not w, d or l", letter, i+1)
		}
		if i%2 == 0 {
			first = halves
			continue
		}
		pairs[first+halves]++
		if elo := stats.Elo(pairs); stats.Enough(pairs) && !math.IsInf(elo.Error(), 0) {
			s.Course = append(s.Course, eloPoint{Pairs: pairs.Total(), Elo: review.Tenths(elo.Value), Error: review.Tenths(elo.Error())})
		}
	}
	s.Pairs = pairs
	if stats.Enough(pairs) {
		s.Elo = rangeOf(stats.Elo(pairs))
		superiority := review.Tenths(100 * stats.LOS(pairs))
		s.Superiority = &superiority
	}
	return s, nil
}

// standingQuestion contains the results of a match.
type standingQuestion struct {
	Results string `json:"results"`
}

// countStanding returns the standing of a match.
func countStanding(s *session, q standingQuestion) (standing, error) {
	if len(q.Results) > maxGames {
		return standing{}, fmt.Errorf("results has %d games, but the maximum is %d", len(q.Results), maxGames)
	}
	return countResults(q.Results)
}
