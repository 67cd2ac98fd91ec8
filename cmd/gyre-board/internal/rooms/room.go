package rooms

import (
	"crypto/subtle"
	"errors"
	"slices"
	"sync"
	"time"

	"gyre/cmd/gyre-board/internal/clients"
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

	mark     string          // of the client that opened it; may be empty
	owner    *clients.Client // for whom it counts; nil after a restart, until that client opens a room; guarded by Rooms.mu
	replaced bool            // whether another room takes its place; guarded by Rooms.mu

	// writing is held from the decision about a change until it is on disk and shown, which takes
	// long if the disk is full. Names have no part in it.
	writing queue

	sealed bool // whether the log has or will have the room's last entry; guarded by log.mu

	mu       sync.Mutex // never held during a write
	began    time.Time
	used     time.Time // when something last happened
	now      position.Position
	turns    []position.Turn
	names    [2]string
	wanted   [2]string // names that are not on disk yet
	renaming bool      // whether a goroutine stores them
	visitors map[*Visitor]struct{}
	moved    time.Time   // when visitors were last notified of who is here
	moving   *time.Timer // notifies them of later changes; nil if there are none
	entered  int         // number of visitors so far
	end      *End
	ended    bool       // the log has the end
	from     int64      // if ended: size of the results file before the record
	players  *[2]string // if ended: the names in the record; nil in a log of an earlier version
	recorded bool
	next     *Keys // of the rematch
	closing  bool  // whether nobody can enter anymore
	closed   bool
	paused   bool        // the clock stands, because nothing can be saved
	expiry   *time.Timer // closes the room; nil until something happens
	clock    clock
}

// clock holds the time left of both sides.
type clock struct {
	left    [2]time.Duration
	saved   [2]time.Duration // left, as the log has it
	side    position.Side    // whose time is running
	running bool
	since   time.Time
	flag    *time.Timer // fires when the running time is up, or the wait for the player; nil without either

	returned bool // whether the time of this turn was returned, because the process was stalled
}

// at returns the time left of both sides at a moment.
func (c *clock) at(now time.Time) [2]time.Duration {
	left := c.left
	if c.running {
		// A turn may have arrived while an earlier one was being saved.
		left[c.side] = max(0, left[c.side]-max(0, now.Sub(c.since)))
	}
	return left
}

// set sets the time left of both sides to what the log has.
func (c *clock) set(left [2]time.Duration) { c.left, c.saved = left, left }

// stop stops the clock at a moment.
func (c *clock) stop(now time.Time) {
	c.left = c.at(now)
	c.running = false
	c.unflag()
}

// unflag stops the timer.
func (c *clock) unflag() {
	if c.flag != nil {
		c.flag.Stop()
		c.flag = nil
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

// State is a room as a visitor sees it.
type State struct {
	Room      string       `json:"room"`
	Seat      string       `json:"seat"` // the visitor's side: "w", "b", or empty for a spectator
	Rules     string       `json:"rules"`
	Clock     *TimeControl `json:"clock"` // the time control; null without clocks
	Names     Both[string] `json:"names"` // of the players; may be empty
	Turns     []string     `json:"turns"`
	Left      *Both[int64] `json:"left"`    // milliseconds; null without clocks
	Running   string       `json:"running"` // the side whose clock runs: "w", "b" or empty
	Paused    bool         `json:"paused"`  // whether the server cannot save turns at the moment; the clocks stand
	End       *End         `json:"end"`     // null unless the game has ended off the board
	Over      bool         `json:"over"`
	Here      Both[bool]   `json:"here"`      // whether the player is connected
	Watching  int          `json:"watching"`  // number of spectators
	Began     int64        `json:"began"`     // milliseconds since 1970
	Next      *Next        `json:"next"`      // the rematch; null without one
	Displaced string       `json:"displaced"` // why others took the visitor's place, as the code of an error; later changes are then not announced
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
		id: id, seats: seats, terms: terms, began: began, used: began, writing: newQueue(),
		now: position.Start(rules), visitors: map[*Visitor]struct{}{},
	}
	if terms.Clock != nil {
		base := time.Duration(terms.Clock.Base) * time.Millisecond
		at.clock.set([2]time.Duration{base, base})
	}
	return at
}

// sideOf returns the side of a seat's key.
func (at *room) sideOf(key string) (position.Side, error) {
	for side := range position.Side(2) {
		if subtle.ConstantTimeCompare([]byte(key), []byte(at.seats.of(side))) == 1 {
			return side, nil
		}
	}
	return 0, ErrSeat
}

// over reports whether the game has ended.
func (at *room) over() bool { return at.end != nil || at.now.Over() }

// isRunning reports whether both sides have played a turn and the game has not ended.
func (at *room) isRunning() bool { return len(at.turns) >= untimed && !at.over() }

// unusedFor reports whether nothing has happened for a while.
func (at *room) unusedFor(d time.Duration) bool {
	at.mu.Lock()
	defer at.mu.Unlock()
	return time.Since(at.used) >= d
}

// mayLeave reports whether the room may close to make place for another. A game whose rings are placed must not have been used
// for left. The caller holds mu.
func (at *room) mayLeave(left time.Duration) bool {
	switch {
	case len(at.visitors) > 0:
		return false
	case at.isRunning():
		if at.now.Placing() {
			left = at.rooms.bounds.Old
		}
		return time.Since(at.used) >= left
	}
	return true
}

// maxVisits is the number of visits to a seat at the same time, so that nobody takes the places of the
// opponent or of spectators. A new visit ends the oldest one.
const maxVisits = 8

// Enter adds a visitor to a room. With the key of a seat, the visitor plays that side, and name
// is shown unless it is empty. An empty key means a spectator, who takes one of the places of spectators
// for a client.
func (r *Rooms) Enter(id, key, name string, client *clients.Client) (*Visitor, error) {
	at, err := r.find(id)
	if err != nil {
		return nil, err
	}
	return at.enter(&Visitor{room: at, client: client, changed: make(chan struct{}, 1)}, nil, key, name)
}

// Again enters the room again, maybe with another key or name. If there is no error, the new visit takes the place of this
// one.
func (v *Visitor) Again(key, name string) (*Visitor, error) {
	return v.room.enter(&Visitor{room: v.room, client: v.client, changed: make(chan struct{}, 1)}, v, key, name)
}

// enter adds a visitor, in the place of an earlier visit of the same page unless that is nil.
func (at *room) enter(v, before *Visitor, key, name string) (*Visitor, error) {
	if key == "" {
		return v, at.admit(v, before)
	}
	side, err := at.sideOf(key)
	if err != nil {
		return nil, err
	}
	v.side = side.Letter()
	if err := at.admit(v, before); err != nil {
		return nil, err
	}
	at.rename(side, cleanName(name))
	return v, nil
}

// admit lets a visitor in, in the place of an earlier visit unless that is nil.
func (at *room) admit(v, before *Visitor) error {
	at.mu.Lock()
	defer at.mu.Unlock()
	if at.closing {
		return ErrGone
	}
	most := maxVisits
	if v.side == "" {
		most = at.rooms.bounds.Visitors
	}
	var alike []*Visitor
	for other := range at.visitors {
		if other.side == v.side && other != before {
			alike = append(alike, other)
		}
	}
	if len(alike) >= most {
		leaving := v.replaces(alike)
		if leaving == nil {
			return ErrCrowded
		}
		delete(at.visitors, leaving)
		leaving.displaced = ErrCrowded.Code()
		if leaving.side != "" {
			leaving.displaced = clients.ErrBoards.Code()
		}
		leaving.notify()
	}
	delete(at.visitors, before)
	at.entered++
	v.number = at.entered
	at.visitors[v] = struct{}{}
	// After a restart, the clock waits for its player.
	if v.side == at.now.SideToMove().Letter() && !at.clock.running && at.runClock() {
		at.changed()
	}
	at.peopleChanged()
	return nil
}

// replaces returns the visit among those like the new one that ends for it, or nil. The oldest visit to a seat is probably
// a lost connection. A spectator's place goes to a client who has fewer: the oldest of the client who has most. A network of
// clients counts as two.
func (v *Visitor) replaces(alike []*Visitor) (leaving *Visitor) {
	slices.SortFunc(alike, func(a, b *Visitor) int { return a.number - b.number })
	if v.side != "" {
		return alike[0]
	}
	held, together := map[*clients.Client]int{}, map[*clients.Client]int{}
	for _, other := range append(alike, v) {
		held[other.client]++
		together[other.client.Network()]++
	}
	share := func(v *Visitor) int { return max(held[v.client], (together[v.client.Network()]+1)/2) }
	most := share(v)
	for _, other := range alike {
		if share(other) > most {
			leaving, most = other, share(other)
		}
	}
	return leaving
}

// rename stores and then shows the name of a player, unless it is empty. It returns without waiting
// if nothing can be saved at the moment.
func (at *room) rename(side position.Side, name string) {
	at.mu.Lock()
	begin := name != "" && name != at.names[side] && !at.renaming
	at.wanted[side] = name
	if begin {
		at.renaming = true
	}
	at.mu.Unlock()
	if !begin {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		at.storeNames()
	}()
	select {
	case <-done:
	case <-at.rooms.stalled():
	}
}

// storeNames stores the wanted names until there are none.
func (at *room) storeNames() {
	for {
		at.mu.Lock()
		side := position.White
		for side < 2 && (at.wanted[side] == "" || at.wanted[side] == at.names[side]) {
			side++
		}
		at.renaming = side < 2 && !at.closed
		if !at.renaming {
			at.mu.Unlock()
			return
		}
		name := at.wanted[side]
		at.mu.Unlock()
		if err := at.rooms.log.append(at, entry{Room: at.id, Do: didName, Side: side.Letter(), Name: name}, func() {
			at.mu.Lock()
			defer at.mu.Unlock()
			at.names[side] = name
			at.peopleChanged()
		}); err != nil {
			return // the room closes, or the server ends
		}
	}
}

// store stores a change, and then makes it and shows it. It waits as long as the log does.
func (at *room) store(e entry, change func()) error {
	return at.rooms.log.append(at, e, func() {
		at.mu.Lock()
		defer at.mu.Unlock()
		change()
		at.changed()
	})
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
	at.peopleChanged()
}

// peopleInterval is the time between two notifications of who is here, and by which name. Anybody with a link can cause
// these.
const peopleInterval = 200 * time.Millisecond

// peopleChanged notifies all visitors of who is here, or by which name, at most once in peopleInterval. The caller
// holds mu.
func (at *room) peopleChanged() {
	wait := peopleInterval - time.Since(at.moved)
	switch {
	case at.moving != nil: // it is about to notify them
	case wait <= 0:
		at.moved = time.Now()
		at.changed()
	default:
		at.moving = time.AfterFunc(wait, func() {
			at.mu.Lock()
			defer at.mu.Unlock()
			at.moving, at.moved = nil, time.Now()
			at.changed()
		})
	}
}

// changed notifies all visitors. The caller holds mu.
func (at *room) changed() {
	for v := range at.visitors {
		v.notify()
	}
}

// notify notifies the visitor of a change.
func (v *Visitor) notify() {
	select {
	case v.changed <- struct{}{}:
	default: // it has not seen the last change yet
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
		Turns: position.Words(at.turns), End: at.end, Over: at.over(), Paused: at.paused, Began: at.began.UnixMilli(), Displaced: v.displaced,
	}
	if at.terms.Clock != nil {
		left := at.clock.at(time.Now())
		s.Left = &Both[int64]{left[position.White].Milliseconds(), left[position.Black].Milliseconds()}
		if at.clock.running {
			s.Running = at.clock.side.Letter()
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

// seat returns the room with an id, and the side of the seat with the given key.
func (r *Rooms) seat(id, key string) (at *room, side position.Side, err error) {
	if at, err = r.find(id); err == nil {
		side, err = at.sideOf(key)
	}
	return at, side, err
}

// Play plays a turn for the seat with the given key. ply is the number of turns before it. To
// repeat a turn that has been played is not an error: the answer may have been lost.
//
// The turn is on disk when Play returns. If nothing can be saved at the moment, Play waits, and
// nobody's time runs.
func (r *Rooms) Play(id, key string, ply int, word string) error {
	now := time.Now() // waiting for the disk costs no time
	at, side, err := r.seat(id, key)
	if err != nil {
		return err
	}
	at.writing.Lock()
	defer at.writing.Unlock()
	turn, left, err := at.judge(side, ply, word, now)
	switch {
	case errors.Is(err, errLate):
		if err := at.finish(&End{Winner: side.Opponent().Letter(), Why: byTime}, left); err != nil {
			return err
		}
		return ErrOver
	case err != nil || turn == position.None:
		return err
	}
	if err := at.store(entry{Room: at.id, Do: didTurn, Turn: turn.String(), Left: left}, func() {
		at.clock.stop(now)
		at.clock.set(left)
		at.add(turn)
		at.runClock()
		at.keepOpen()
	}); err != nil {
		return err
	}
	if at.now.Over() {
		return at.finish(nil, left)
	}
	return nil
}

// errLate reports that the time was up when a turn arrived.
var errLate = errors.New("the time is up")

// judge returns a turn that arrived at a moment, and the clocks after it. The turn is
// position.None if it has been played before.
func (at *room) judge(side position.Side, ply int, word string, now time.Time) (turn position.Turn, left [2]time.Duration, err error) {
	at.mu.Lock()
	defer at.mu.Unlock()
	left = at.clock.at(now)
	switch {
	case 0 <= ply && ply < len(at.turns) && at.turns[ply].String() == word:
		return position.None, left, nil
	case at.closed:
		return position.None, left, ErrGone
	case at.over():
		return position.None, left, ErrOver
	case ply != len(at.turns) || at.now.SideToMove() != side:
		return position.None, left, ErrMoved
	}
	if turn, err = at.now.ParseTurn(word); err != nil {
		return position.None, left, err
	}
	if at.timeIsUp(now) {
		return position.None, left, errLate
	}
	left = at.clock.at(now)
	if at.terms.Clock != nil && len(at.turns) >= untimed {
		left[side] += time.Duration(at.terms.Clock.Inc) * time.Millisecond
	}
	return turn, left, nil
}

// add adds a legal turn.
func (at *room) add(turn position.Turn) {
	at.clock.returned = false
	at.turns = append(at.turns, turn)
	at.now = at.now.After(turn)
}

// runClock starts the clock of the side to move, if the game has clocks and is running, and reports whether it did. The
// caller holds mu.
func (at *room) runClock() bool {
	if at.terms.Clock == nil || !at.isRunning() || at.closed || at.paused {
		return false
	}
	c := &at.clock
	c.unflag()
	c.side, c.running, c.since = at.now.SideToMove(), true, time.Now()
	ply := len(at.turns)
	c.flag = time.AfterFunc(c.left[c.side], func() { at.fall(ply) })
	at.rooms.heart.beatUntil(c.since.Add(c.left[c.side]))
	return true
}

// timeIsUp reports whether the time of the side to move was up at a moment. But if the process was stalled when it
// was up, the side gets back the time of this turn, once: its turn may have waited for the process, and its player
// could not know how much time was left. If the machine slept, the clock also waits for the player. The caller holds mu.
func (at *room) timeIsUp(now time.Time) bool {
	c := &at.clock
	if !c.running || c.at(now)[c.side] > 0 {
		return false
	}
	stalled, slept := at.rooms.heart.stalledAt(c.since.Add(c.left[c.side]))
	if c.returned || !stalled {
		return true
	}
	c.stop(c.since)
	c.returned = true
	if slept {
		at.awaitReturn()
	} else {
		at.runClock()
	}
	at.changed()
	return false
}

// stopClock stops the clock at a moment. The caller holds mu.
func (at *room) stopClock(now time.Time) {
	at.timeIsUp(now)
	at.clock.stop(now)
}

// fall ends the game if the time of the side to move is up, and it has not played meanwhile.
func (at *room) fall(ply int) {
	at.writing.Lock()
	defer at.writing.Unlock()
	at.mu.Lock()
	now := time.Now()
	up := len(at.turns) == ply && !at.over() && !at.closed && at.timeIsUp(now)
	left, side := at.clock.at(now), at.clock.side
	at.mu.Unlock()
	if up {
		// The log reports an error, and the server ends.
		_ = at.finish(&End{Winner: side.Opponent().Letter(), Why: byTime}, left)
	}
}

// setPaused stops the clock at a moment, or lets it continue once its player is here.
func (at *room) setPaused(paused bool, now time.Time) {
	at.mu.Lock()
	defer at.mu.Unlock()
	if paused {
		at.stopClock(now)
	}
	at.paused = paused
	if !paused {
		at.awaitPlayer()
	}
	at.changed()
}

// awaitPlayer starts the clock once the player to move is here, but waits for at most
// Bounds.Return. The caller holds mu.
func (at *room) awaitPlayer() {
	if at.terms.Clock == nil || !at.isRunning() {
		return
	}
	for v := range at.visitors {
		if v.side == at.now.SideToMove().Letter() {
			at.runClock()
			return
		}
	}
	at.awaitReturn()
}

// awaitReturn starts the clock after Bounds.Return, or once the player to move enters: whoever is here may have lost the
// connection. The caller holds mu.
func (at *room) awaitReturn() {
	at.clock.unflag()
	var wait *time.Timer
	wait = time.AfterFunc(at.rooms.bounds.Return, func() {
		at.mu.Lock()
		defer at.mu.Unlock()
		if at.clock.flag == wait && at.runClock() {
			at.changed()
		}
	})
	at.clock.flag = wait
}

// Resign ends a game. The seat with the given key loses.
func (r *Rooms) Resign(id, key string) error {
	now := time.Now()
	at, side, err := r.seat(id, key)
	if err != nil {
		return err
	}
	at.writing.Lock()
	defer at.writing.Unlock()
	at.mu.Lock()
	left, closed, over := at.clock.at(now), at.closed, at.over()
	at.mu.Unlock()
	switch {
	case closed:
		return ErrGone
	case over:
		return ErrOver
	}
	return at.finish(&End{Winner: side.Opponent().Letter(), Why: byResignation}, left)
}

// finish appends the end of the game, off the board if end is not nil, and its record to the files,
// and then shows it. The caller holds writing.
func (at *room) finish(end *End, left [2]time.Duration) error {
	if err := at.rooms.log.finish(at, end, left); err != nil {
		return err
	}
	at.mu.Lock()
	defer at.mu.Unlock()
	at.keepOpen()
	at.changed()
	return nil
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
	at.writing.Lock()
	defer at.writing.Unlock()
	at.mu.Lock()
	closed, next := at.closed, at.next
	at.mu.Unlock()
	switch {
	case closed:
		return ErrGone
	case next != nil:
		return ErrMoved // both asked at the same time: the unused room expires
	}
	return at.store(entry{Room: at.id, Do: didNext, Next: &keys}, func() { at.next = &keys })
}

// keepOpen restarts the time after which an unused room closes. The caller holds mu.
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
		return
	}
	at.mu.Lock()
	defer at.mu.Unlock()
	at.keepOpen()
}

// closeIf closes the room if ready returns true, and reports whether it is closed then.
func (at *room) closeIf(ready func() bool) bool {
	at.writing.Lock()
	defer at.writing.Unlock()
	if !at.beginClosing(ready) {
		at.mu.Lock()
		defer at.mu.Unlock()
		return at.closed
	}
	return at.close() == nil
}

// beginClosing lets nobody enter anymore if ready returns true, and reports whether it did. The caller holds writing.
func (at *room) beginClosing(ready func() bool) bool {
	at.mu.Lock()
	defer at.mu.Unlock()
	if at.closed || !ready() {
		return false
	}
	at.closing = true
	return true
}

// close closes the room, which keeps the record of an unfinished game. The caller holds writing.
func (at *room) close() error {
	at.mu.Lock()
	running, left := at.isRunning(), at.clock.at(time.Now())
	at.mu.Unlock()
	if running {
		if err := at.finish(&End{Why: byAbsence}, left); err != nil {
			return err // the log remembers the game
		}
	}
	return at.rooms.log.append(at, entry{Room: at.id, Do: didClose}, func() {
		at.rooms.forget(at)
		at.mu.Lock()
		defer at.mu.Unlock()
		at.shut()
	})
}

// shut ends all activity of the room. The caller holds mu.
func (at *room) shut() {
	at.stopClock(time.Now())
	at.closing, at.closed = true, true
	if at.expiry != nil {
		at.expiry.Stop()
	}
	at.changed()
}

// pause stops the room when the server ends. The time used so far stays used.
func (at *room) pause() error {
	at.writing.Lock()
	defer at.writing.Unlock()
	at.mu.Lock()
	closed := at.closed
	at.shut()
	left, saved := at.clock.left, at.clock.saved // these differ, too, if the clock waits for its player
	at.mu.Unlock()
	if closed || left == saved {
		return nil
	}
	return at.store(entry{Room: at.id, Do: didPause, Left: left}, func() { at.clock.set(left) })
}

// resume opens a room of an earlier server. Its clock waits for the player to move.
func (at *room) resume() {
	at.mu.Lock()
	defer at.mu.Unlock()
	at.keepOpen()
	at.awaitPlayer()
}
