package rooms

import (
	"crypto/subtle"
	"errors"
	"sync"
	"time"

	"gyre/position"
)

// The clocks start after this many turns: the first turn of each side is untimed.
const untimed = 2

// room is a game between two people.
type room struct {
	rooms *Rooms
	id    string
	seats Both[string]
	terms Terms

	mu       sync.Mutex
	began    time.Time
	used     time.Time // when something last happened
	now      position.Position
	turns    []position.Turn
	names    [2]string
	visitors map[*Visitor]struct{}
	end      *End
	ended    bool  // the log has the end
	from     int64 // if ended: size of the results file before the record
	recorded bool
	next     *Keys // of the rematch
	closed   bool
	expiry   *time.Timer // closes the room; nil until something happens
	clock    clock
}

// clock holds the time left of both sides.
type clock struct {
	left    [2]time.Duration
	side    position.Side // whose time is running
	running bool
	since   time.Time
	flag    *time.Timer // fires when the running time is up
}

// at returns the time left of both sides at a moment.
func (c *clock) at(now time.Time) [2]time.Duration {
	left := c.left
	if c.running {
		left[c.side] = max(0, left[c.side]-now.Sub(c.since))
	}
	return left
}

// stop stops the clock at a moment.
func (c *clock) stop(now time.Time) {
	c.left = c.at(now)
	c.running = false
	if c.flag != nil {
		c.flag.Stop()
	}
}

// End is the end of a game that the board does not show.
type End struct {
	Winner string `json:"winner"` // "w" or "b"; empty if nobody wins
	Why    string `json:"why"`    // "resignation", "time forfeit" or "abandoned"
}

// The reasons for an End, in the words of the Termination tag of records.
const (
	byResignation = "resignation"
	byTime        = "time forfeit"
	byAbsence     = "abandoned"
)

// sideLetters are the sides as the page writes them.
var sideLetters = [2]string{position.White: "w", position.Black: "b"}

// State is a room as a visitor sees it.
type State struct {
	Room     string       `json:"room"`
	Seat     string       `json:"seat"` // the visitor's side: "w", "b", or empty for a spectator
	Rules    string       `json:"rules"`
	Clock    *TimeControl `json:"clock"` // the time control; null without clocks
	Names    Both[string] `json:"names"` // of the players; may be empty
	Turns    []string     `json:"turns"`
	Left     *Both[int64] `json:"left"`    // milliseconds; null without clocks
	Running  string       `json:"running"` // the side whose clock runs: "w", "b" or empty
	End      *End         `json:"end"`     // null unless the game has ended off the board
	Over     bool         `json:"over"`
	Here     Both[bool]   `json:"here"`     // whether the player is connected
	Watching int          `json:"watching"` // number of spectators
	Began    int64        `json:"began"`    // milliseconds since 1970
	Next     *Next        `json:"next"`     // the rematch; null without one
}

// Next is the room of a rematch.
type Next struct {
	Room string `json:"room"`
	Key  string `json:"key"`  // of the visitor's seat; empty for spectators
	Side string `json:"side"` // of the visitor; empty for spectators
}

// newRoom returns a room without turns. The terms must be possible. The caller sets rooms.
func newRoom(id string, seats Both[string], terms Terms, began time.Time) *room {
	rules, err := position.ParseRules(terms.Rules)
	if err != nil {
		panic(err) // terms were checked
	}
	at := &room{
		id: id, seats: seats, terms: terms, began: began, used: began,
		now: position.Start(rules), visitors: map[*Visitor]struct{}{},
	}
	if terms.Clock != nil {
		base := time.Duration(terms.Clock.Base) * time.Millisecond
		at.clock.left = [2]time.Duration{base, base}
	}
	return at
}

// sideOf returns the side of a seat's key.
func (at *room) sideOf(key string) (position.Side, error) {
	for side := range sideLetters {
		if subtle.ConstantTimeCompare([]byte(key), []byte(at.seats.of(position.Side(side)))) == 1 {
			return position.Side(side), nil
		}
	}
	return 0, ErrSeat
}

// over reports whether the game has ended.
func (at *room) over() bool { return at.end != nil || at.now.Over() }

// isRunning reports whether both sides have played a turn and the game has not ended.
func (at *room) isRunning() bool { return len(at.turns) >= untimed && !at.over() }

// lastUse returns when something last happened.
func (at *room) lastUse() int64 {
	at.mu.Lock()
	defer at.mu.Unlock()
	return at.used.UnixNano()
}

// Enter adds a visitor to a room. With the key of a seat, the visitor plays that side, and name
// is shown unless it is empty. An empty key means a spectator.
func (r *Rooms) Enter(id, key, name string) (*Visitor, error) {
	at, err := r.find(id)
	if err != nil {
		return nil, err
	}
	at.mu.Lock()
	defer at.mu.Unlock()
	if at.closed {
		return nil, ErrGone
	}
	v := &Visitor{room: at, changed: make(chan struct{}, 1)}
	if key != "" {
		side, err := at.sideOf(key)
		if err != nil {
			return nil, err
		}
		v.side = sideLetters[side]
		if err := at.setName(side, cleanName(name)); err != nil {
			return nil, err
		}
		// After a restart, the clock waits for its player.
		if at.now.SideToMove() == side && !at.clock.running {
			at.runClock()
		}
	} else if len(at.visitors) >= r.bounds.Visitors {
		return nil, ErrCrowded
	}
	at.visitors[v] = struct{}{}
	at.changed()
	return v, nil
}

// setName sets the name of a player, unless it is empty.
func (at *room) setName(side position.Side, name string) error {
	if name == "" || name == at.names[side] {
		return nil
	}
	if err := at.rooms.log.append(entry{Room: at.id, Do: didName, Side: sideLetters[side], Name: name}); err != nil {
		return err
	}
	at.names[side] = name
	return nil
}

// Leave removes the visitor.
func (v *Visitor) Leave() {
	at := v.room
	at.mu.Lock()
	defer at.mu.Unlock()
	if _, here := at.visitors[v]; !here {
		return
	}
	delete(at.visitors, v)
	at.keepOpen()
	at.changed()
}

// changed notifies all visitors.
func (at *room) changed() {
	for v := range at.visitors {
		select {
		case v.changed <- struct{}{}:
		default: // it has not seen the last change yet
		}
	}
}

// State returns the room as the visitor sees it now.
func (v *Visitor) State() State {
	at := v.room
	at.mu.Lock()
	defer at.mu.Unlock()
	s := State{
		Room: at.id, Seat: v.side, Rules: at.terms.Rules, Clock: at.terms.Clock,
		Names: Both[string]{at.names[position.White], at.names[position.Black]},
		Turns: position.Words(at.turns), End: at.end, Over: at.over(), Began: at.began.UnixMilli(),
	}
	if at.terms.Clock != nil {
		left := at.clock.at(time.Now())
		s.Left = &Both[int64]{left[position.White].Milliseconds(), left[position.Black].Milliseconds()}
		if at.clock.running {
			s.Running = sideLetters[at.clock.side]
		}
	}
	for other := range at.visitors {
		switch other.side {
		case "w":
			s.Here.White = true
		case "b":
			s.Here.Black = true
		default:
			s.Watching++
		}
	}
	if at.next != nil {
		s.Next = &Next{Room: at.next.Room}
		switch v.side { // the sides are reversed
		case "w":
			s.Next.Key, s.Next.Side = at.next.Seats.Black, "b"
		case "b":
			s.Next.Key, s.Next.Side = at.next.Seats.White, "w"
		}
	}
	return s
}

// Play plays a turn for the seat with the given key. ply is the number of turns before it. To
// repeat a turn that has been played is not an error: the answer may have been lost.
func (r *Rooms) Play(id, key string, ply int, word string) error {
	at, err := r.find(id)
	if err != nil {
		return err
	}
	at.mu.Lock()
	defer at.mu.Unlock()
	side, err := at.sideOf(key)
	if err != nil {
		return err
	}
	if 0 <= ply && ply < len(at.turns) && at.turns[ply].String() == word {
		return nil // repeated
	}
	switch {
	case at.closed:
		return ErrGone
	case at.over():
		return ErrOver
	case ply != len(at.turns) || at.now.SideToMove() != side:
		return ErrMoved
	}
	turn, err := at.now.ParseTurn(word)
	if err != nil {
		return err
	}
	now := time.Now()
	left := at.clock.at(now)
	if at.clock.running && left[side] == 0 {
		return at.finish(&End{Winner: sideLetters[side.Opponent()], Why: byTime}, ErrOver)
	}
	if at.terms.Clock != nil && len(at.turns) >= untimed {
		left[side] += time.Duration(at.terms.Clock.Inc) * time.Millisecond
	}
	if err := at.rooms.log.append(entry{Room: at.id, Do: didTurn, Turn: turn.String(), Left: left}); err != nil {
		return err
	}
	at.clock.stop(now)
	at.clock.left = left
	at.add(turn)
	at.runClock()
	at.keepOpen()
	if at.now.Over() {
		return at.finish(nil, nil)
	}
	at.changed()
	return nil
}

// add adds a legal turn.
func (at *room) add(turn position.Turn) {
	at.turns = append(at.turns, turn)
	at.now = at.now.After(turn)
}

// runClock starts the clock of the side to move, if the game has clocks and is running.
func (at *room) runClock() {
	if at.terms.Clock == nil || !at.isRunning() || at.closed {
		return
	}
	c := &at.clock
	c.side, c.running, c.since = at.now.SideToMove(), true, time.Now()
	at.startFlag(c.left[c.side], len(at.turns))
}

// startFlag ends the game for the side to move in the given time, unless it plays before.
func (at *room) startFlag(in time.Duration, ply int) {
	if at.clock.flag != nil {
		at.clock.flag.Stop()
	}
	at.clock.flag = time.AfterFunc(in, func() {
		at.mu.Lock()
		defer at.mu.Unlock()
		if !at.clock.running || len(at.turns) != ply || at.closed {
			return
		}
		// The log reports a failure to the next request.
		_ = at.finish(&End{Winner: sideLetters[at.clock.side.Opponent()], Why: byTime}, nil)
	})
}

// Resign ends a game. The seat with the given key loses.
func (r *Rooms) Resign(id, key string) error {
	at, err := r.find(id)
	if err != nil {
		return err
	}
	at.mu.Lock()
	defer at.mu.Unlock()
	side, err := at.sideOf(key)
	switch {
	case err != nil:
		return err
	case at.closed:
		return ErrGone
	case at.over():
		return ErrOver
	}
	return at.finish(&End{Winner: sideLetters[side.Opponent()], Why: byResignation}, nil)
}

// finish ends the game, off the board if end is not nil, and appends its record to the file of
// finished games. It returns result, or the error of the log.
func (at *room) finish(end *End, result error) error {
	at.clock.stop(time.Now())
	at.end = end
	err := at.rooms.log.finish(at)
	at.keepOpen()
	at.changed()
	if err != nil {
		return err
	}
	return result
}

// mayRematch returns nil if the seat with the given key may ask for a rematch.
func (at *room) mayRematch(key string) error {
	at.mu.Lock()
	defer at.mu.Unlock()
	if _, err := at.sideOf(key); err != nil {
		return err
	}
	switch {
	case at.closed:
		return ErrGone
	case !at.over():
		return errors.New("the game is not over")
	case at.next != nil:
		return ErrMoved
	}
	return nil
}

// setNext announces the room of a rematch. This room may have closed to make place for that one.
func (at *room) setNext(keys Keys) error {
	at.mu.Lock()
	defer at.mu.Unlock()
	if at.closed {
		return ErrGone
	}
	if at.next != nil {
		return ErrMoved // both asked at the same time: the unused room expires
	}
	if err := at.rooms.log.append(entry{Room: at.id, Do: didNext, Next: &keys}); err != nil {
		return err
	}
	at.next = &keys
	at.changed()
	return nil
}

// keepOpen restarts the time after which an unused room closes.
func (at *room) keepOpen() {
	at.used = time.Now()
	bounds := &at.rooms.bounds
	in := bounds.Unstarted
	switch {
	case at.over():
		in = bounds.Ended
	case at.isRunning():
		in = bounds.Idle
	}
	if at.expiry != nil {
		at.expiry.Stop()
	}
	if !at.closed {
		at.expiry = time.AfterFunc(in, at.expire)
	}
}

// expire closes the room if nobody visits it. Otherwise it looks again later.
func (at *room) expire() {
	if at.closeIf(func() bool { return len(at.visitors) == 0 }) {
		at.rooms.forget(at.id)
		return
	}
	at.mu.Lock()
	defer at.mu.Unlock()
	at.keepOpen()
}

// closeIf closes the room if ready returns true, and reports whether it did. The record of an
// unfinished game is kept.
func (at *room) closeIf(ready func() bool) bool {
	at.mu.Lock()
	defer at.mu.Unlock()
	if at.closed || !ready() {
		return at.closed
	}
	if at.isRunning() {
		at.clock.stop(time.Now())
		at.end = &End{Why: byAbsence}
		if at.rooms.log.finish(at) != nil {
			at.end = nil
			return false // the log remembers the game
		}
	}
	if at.rooms.log.append(entry{Room: at.id, Do: didClose}) != nil {
		return false
	}
	at.shut()
	return true
}

// shut ends all activity of the room.
func (at *room) shut() {
	at.closed = true
	at.clock.stop(time.Now())
	if at.expiry != nil {
		at.expiry.Stop()
	}
	at.changed()
}

// pause stops the room when the server ends. The time used so far stays used.
func (at *room) pause() error {
	at.mu.Lock()
	defer at.mu.Unlock()
	if at.closed {
		return nil
	}
	ran := at.clock.running
	at.shut()
	if !ran {
		return nil
	}
	return at.rooms.log.append(entry{Room: at.id, Do: didPause, Left: at.clock.left})
}

// resume opens a room of an earlier server. Its clock waits for the player to move.
func (at *room) resume() {
	at.mu.Lock()
	defer at.mu.Unlock()
	at.keepOpen()
	if at.terms.Clock == nil || !at.isRunning() {
		return
	}
	ply := len(at.turns)
	time.AfterFunc(at.rooms.bounds.Return, func() {
		at.mu.Lock()
		defer at.mu.Unlock()
		if len(at.turns) == ply && !at.clock.running {
			at.runClock()
			at.changed()
		}
	})
}
