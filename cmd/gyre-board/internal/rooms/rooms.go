// Package rooms lets two people play each other through the server. A room holds one game.
// Anyone with the room's id can watch. Anyone with the key of a seat can play that side. Ids
// and keys are random, so a room is closed to everyone without its link.
//
//	rooms.go  Rooms: opens, finds and expires rooms
//	room.go   room: the game, its clock and its visitors
//	log.go    the log that a restarted server resumes from, and the file of finished games
//
// The server checks every turn and keeps the clocks. Every change is on disk before anyone sees it.
// If the disk is full, all clocks stand until the server can save again; if it cannot for
// [Bounds.Patience], the server must end, and the games continue after its next start.
//
// Locks are taken in this order: room.writing, log.disk, Rooms.mu, room.mu, heart.mu. Nobody writes to the disk
// with one of the last three, so whoever waits for the disk holds up only changes of the same room.
package rooms

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"gyre/cmd/gyre-board/internal/clients"
	"gyre/position"
	"gyre/position/record"
)

// Bounds limit the rooms of a server.
type Bounds struct {
	Rooms    int // open at the same time
	Visitors int // spectators of one room at the same time

	// A room without visitors closes after one of these times without a turn.
	Unstarted time.Duration // before each side has played a turn
	Idle      time.Duration // during the game
	Ended     time.Duration // after the game

	// Old is how long a room was not used that anybody's new room may replace, if there is no
	// place, although its game has hardly begun.
	Old time.Duration

	// Left is how long a game whose rings are placed was not used that a new room of the client may replace who opened it, if
	// the client has its share.
	Left time.Duration

	// Return is how long a clock waits for its player after the server has restarted, or could
	// not save.
	Return time.Duration

	// Patience is how long the server tries to save a change again before it gives up.
	Patience time.Duration

	// LogGrowth is the largest size of the log in bytes, in addition to twice what the open rooms
	// need. The server then rewrites the log.
	LogGrowth int64
}

// DefaultBounds are enough for a club.
var DefaultBounds = Bounds{
	Rooms: 3000, Visitors: 100,
	Unstarted: 24 * time.Hour, Idle: 7 * 24 * time.Hour, Ended: 24 * time.Hour, Left: 20 * time.Hour,
	Old: time.Hour, Return: time.Minute, Patience: 10 * time.Minute, LogGrowth: 1 << 20,
}

// The errors about rooms.
var (
	ErrGone    = clients.NewError("room-gone", "this room does not exist: it has closed, or the link is incomplete")
	ErrFull    = clients.NewError("room-full", "too many rooms are open: try again later")
	ErrShare   = clients.NewError("room-share", "too many rooms were opened from your address: try again later")
	ErrCrowded = clients.NewError("room-crowded", "too many people watch this game")
	ErrSeat    = clients.NewError("room-seat", "this link has no seat in the room: it only lets you watch")
	ErrOver    = clients.NewError("room-over", "the game is over")
	ErrMoved   = clients.NewError("room-moved", "the game has continued meanwhile")
)

// Terms are the conditions of a game.
type Terms struct {
	Rules string       `json:"rules"` // "standard" or "blitz"
	Clock *TimeControl `json:"clock"` // nil without clocks
}

// TimeControl is the time of each side.
type TimeControl struct {
	Base int64 `json:"base"` // milliseconds at the start
	Inc  int64 `json:"inc"`  // milliseconds added after each turn
}

// The longest time control.
const (
	maxBase = 3 * time.Hour
	maxInc  = 3 * time.Minute
)

// check returns why the terms are not possible, or nil.
func (t Terms) check() error {
	if _, err := position.ParseRules(t.Rules); err != nil {
		return err
	}
	if c := t.Clock; c != nil && (c.Base <= 0 || c.Base > maxBase.Milliseconds() || c.Inc < 0 || c.Inc > maxInc.Milliseconds()) {
		return fmt.Errorf("the clock must have at most %v and %v per turn", maxBase, maxInc)
	}
	return nil
}

// Keys are the links to a room. Whoever has them plays both sides.
type Keys struct {
	Room  string       `json:"room"`
	Seats Both[string] `json:"seats"` // the key of each seat
}

// Both has a value for each side.
type Both[T any] struct {
	White T `json:"w"`
	Black T `json:"b"`
}

// of returns the value of a side.
func (b Both[T]) of(side position.Side) T {
	if side == position.White {
		return b.White
	}
	return b.Black
}

// Rooms are the rooms of a server. Its methods are safe for concurrent use.
type Rooms struct {
	bounds  Bounds
	secrets Secrets
	warn    func(error)
	log     *log
	heart   heart

	mu     sync.Mutex // never held during a write
	rooms  map[string]*room
	places int // that rooms have or will have, when they are on disk
	closed bool
	broken chan struct{} // closed while nothing can be saved
	since  time.Time     // when that began; zero if everything is saved
}

// Secrets make words that nobody can guess. They are parameters because the exported page's program contains this
// package's types, and must stay small.
type Secrets struct {
	Key func() string // returns a new word, as [crypto/rand.Text] does

	// Mark returns a word for a client's name, which is always the same for the same secret, and does not show the
	// name to anybody without the secret. If it is nil, rooms count for nobody after a restart.
	Mark func(secret, name string) string
}

// Open returns the rooms whose finished games are appended to the file at path. The games that
// an earlier server left unfinished continue. Three files next to it have its name with an ending: ".rooms" is the log of
// unfinished games, ".rooms.secret" the secret for the marks of clients in it, and ".rooms.damaged" gets the lines of rooms
// that are damaged. warn gets messages for the operator: that nothing can be saved, that the server saves again, that it has
// no secret, and which rooms are damaged.
func Open(path string, bounds Bounds, secrets Secrets, warn func(error)) (*Rooms, error) {
	log, kept, err := openLog(path, &bounds, secrets.Key, warn)
	if err != nil {
		return nil, err
	}
	r := &Rooms{bounds: bounds, secrets: secrets, warn: warn, log: log, rooms: map[string]*room{}, places: len(kept), heart: heart{asleep: sleepOf(time.Now())}, broken: make(chan struct{})}
	log.begin(r.all, r.stall, r.recover)
	for _, at := range kept {
		at.rooms, r.rooms[at.id] = r, at
	}
	for _, at := range kept {
		at.resume()
	}
	return r, nil
}

// Close stops all clocks and closes the files. The rooms continue after the next Open.
func (r *Rooms) Close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.log.end() // nobody waits for the disk anymore
	var mu sync.Mutex
	var err error
	var pausing sync.WaitGroup // together, so that the disk is synced once
	for _, at := range r.all() {
		pausing.Go(func() {
			if failure := at.pause(); failure != nil {
				mu.Lock()
				defer mu.Unlock()
				err = errors.Join(err, failure)
			}
		})
	}
	pausing.Wait()
	r.heart.stop()
	return errors.Join(err, r.log.close())
}

// Failed returns a channel that receives an error if nothing could be saved for Bounds.Patience.
// The server must then end.
func (r *Rooms) Failed() <-chan error { return r.log.failed }

// heart notices when the process does not run: it was stopped, its machine slept or is much too slow. It beats while
// clocks run.
type heart struct {
	asleep func() time.Duration // how long the machine has slept so far

	mu     sync.Mutex
	until  time.Time     // when it may rest
	last   time.Time     // beat
	slept  time.Duration // asleep at the last beat
	timer  *time.Timer   // of the next beat; nil while it rests
	stalls []stall       // the latest
}

// sleepOf returns a function that returns how long the machine has slept since a moment: time went on, but not the clock
// that timers and durations follow. If somebody sets the time forward, it looks the same. On Windows that clock goes on
// during a sleep, which therefore looks like a stopped process.
func sleepOf(start time.Time) func() time.Duration {
	return func() time.Duration {
		now := time.Now()
		return now.Round(0).Sub(start.Round(0)) - now.Sub(start)
	}
}

// stall is a time between two beats that was too long. If the machine slept, it includes the time that players have to
// connect again.
type stall struct {
	from, to time.Time
	slept    bool
}

const (
	beatEvery = 250 * time.Millisecond
	missed    = time.Second // how late a beat is of a process that was stalled
	maxStalls = 100         // to remember
	reconnect = time.Minute // for players after their connections were lost
)

// beatUntil lets the heart beat until a moment.
func (h *heart) beatUntil(end time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.until.Before(end) {
		h.until = end
	}
	if h.timer == nil {
		h.last, h.slept = time.Now(), h.asleep()
		h.timer = time.AfterFunc(beatEvery, h.beat)
	}
}

func (h *heart) beat() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.timer == nil {
		return
	}
	h.look()
	if h.last.After(h.until) {
		h.timer = nil
		return
	}
	h.timer.Reset(beatEvery)
}

// look notes a stall that ends now. The caller holds mu.
func (h *heart) look() {
	now, slept := time.Now(), h.asleep()
	found := stall{h.last, now, slept-h.slept >= missed}
	if found.slept {
		found.to = now.Add(reconnect)
	}
	if h.timer != nil && (found.slept || now.Sub(h.last) >= beatEvery+missed) {
		h.stalls = append(h.stalls[max(0, len(h.stalls)+1-maxStalls):], found)
	}
	h.last, h.slept = now, slept
}

// stalledAt reports whether the process was stalled at a moment, or just before: whoever waited then for the process may be
// late. slept says that connections may have been lost. The heart must have beaten until that moment.
func (h *heart) stalledAt(moment time.Time) (stalled, slept bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.look()
	for _, s := range h.stalls {
		if !s.from.After(moment) && s.to.After(moment.Add(-missed)) {
			stalled, slept = true, slept || s.slept
		}
	}
	return stalled, slept
}

// stop stops the heart.
func (h *heart) stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.timer != nil {
		h.timer.Stop()
		h.timer = nil
	}
}

// all returns the open rooms, the oldest first.
func (r *Rooms) all() []*room {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.SortedFunc(maps.Values(r.rooms), func(a, b *room) int {
		return cmp.Or(a.began.Compare(b.began), strings.Compare(a.id, b.id))
	})
}

// stall pauses all clocks, because nothing can be saved.
func (r *Rooms) stall(cause error) {
	now := time.Now()
	r.mu.Lock()
	r.since = now
	close(r.broken)
	r.mu.Unlock()
	r.warn(fmt.Errorf("%s: %w: no turn is shown and all clocks stand; trying again for %v", r.log.path, cause, r.bounds.Patience))
	for _, at := range r.all() {
		at.setPaused(true, now)
	}
}

// recover lets the clocks continue after stall.
func (r *Rooms) recover() {
	r.mu.Lock()
	took := time.Since(r.since).Round(time.Second)
	r.since, r.broken = time.Time{}, make(chan struct{})
	r.mu.Unlock()
	r.warn(fmt.Errorf("%s: the server saves again after %v; nothing is lost, and the clocks run", r.log.path, took))
	for _, at := range r.all() {
		at.setPaused(false, time.Now())
	}
}

// stalled returns a channel that is closed while nothing can be saved.
func (r *Rooms) stalled() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.broken
}

// Create opens a room, which counts for the client that opens it until the room closes. If there
// is no place, or the client has its share, another room closes for it; see choose.
func (r *Rooms) Create(terms Terms, owner *clients.Client) (Keys, error) {
	if err := terms.check(); err != nil {
		return Keys{}, err
	}
	if !owner.MayOpenRoom() {
		return Keys{}, ErrShare
	}
	leaving, err := r.reserve(owner)
	if err != nil {
		return Keys{}, err
	}
	if leaving != nil {
		err = leaving.close()
		leaving.writing.Unlock()
	}
	var keys Keys
	if err == nil {
		keys, err = r.open(terms, owner)
	}
	if err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.places--
		owner.Give(clients.Room)
	}
	return keys, err
}

// reserve takes a place for a room, also of the share of its owner. If there is none, it returns a room that the caller
// must close, and whose place the new room takes. The caller then holds writing of that room.
func (r *Rooms) reserve(owner *clients.Client) (leaving *room, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.adopt(owner)
	switch {
	case r.closed:
		return nil, ErrGone
	case !owner.Take(clients.Room):
		leaving = r.choose(func(at *room) bool { return at.owner == owner }, r.bounds.Left)
		if leaving == nil {
			return nil, ErrShare
		}
		owner.Take(clients.Room) // what that room counted for
	case r.places < r.bounds.Rooms:
		r.places++
	default:
		leaving = r.choose(func(at *room) bool {
			return at.owner.Held(clients.Room) >= owner.Held(clients.Room) || at.unusedFor(r.bounds.Old)
		}, r.bounds.Idle)
		if leaving == nil {
			owner.Give(clients.Room)
			return nil, ErrFull
		}
	}
	return leaving, nil
}

// adopt lets the rooms that the client opened on an earlier server count for it. Those of other clients of its network do
// not: the client could close them. The caller holds mu.
func (r *Rooms) adopt(owner *clients.Client) {
	mark := r.mark(owner)
	if mark == "" {
		return
	}
	for _, at := range r.rooms {
		if at.owner == nil && at.mark == mark && !at.replaced && owner.Take(clients.Room) {
			at.owner = owner
		}
	}
}

// mark returns the word for a client in the log, or "" if it has none.
func (r *Rooms) mark(owner *clients.Client) string {
	name := owner.Name()
	if name == "" || r.log.secret == "" || r.secrets.Mark == nil {
		return ""
	}
	return r.secrets.Mark(r.log.secret, name)
}

// open opens a room, for which there is a place.
func (r *Rooms) open(terms Terms, owner *clients.Client) (Keys, error) {
	key := r.secrets.Key
	keys := Keys{Room: key(), Seats: Both[string]{White: key(), Black: key()}}
	at := newRoom(keys.Room, keys.Seats, terms, time.Now())
	at.rooms, at.owner, at.mark = r, owner, r.mark(owner)
	e := entry{Room: keys.Room, Do: didOpen, At: at.began.UnixMilli(), Terms: &terms, Seats: &keys.Seats, Owner: at.mark}
	if err := r.log.append(at, e, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.rooms[keys.Room] = at
		at.mu.Lock()
		defer at.mu.Unlock()
		at.paused = !r.since.IsZero()
		at.keepOpen()
	}); err != nil {
		return Keys{}, err
	}
	return keys, nil
}

// choose returns a room to close that nobody visits and for which may is true, or nil. Games that have ended go
// first, then the rooms of the client that has opened most, and of
// these the one that was not used for longest. A game goes only until all rings are placed, and once
// it has begun only if it was not used for Bounds.Old; later, only if it was not used for left. A room that
// is being changed stays. The room counts for nobody then: its place is for another. The caller holds mu, and writing of
// the room then.
//
// So a client who opens many rooms loses its own first, and the recent room of another who has
// opened fewer never closes for it.
func (r *Rooms) choose(may func(*room) bool, left time.Duration) *room {
	type candidate struct {
		room  *room
		ended bool
		owned int
		used  time.Time
	}
	var all []candidate
	for _, at := range r.rooms {
		at.mu.Lock()
		c := candidate{at, at.over(), at.owner.Held(clients.Room), at.used}
		at.mu.Unlock()
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b candidate) int {
		switch {
		case a.ended != b.ended && a.ended:
			return -1
		case a.ended != b.ended:
			return 1
		}
		return cmp.Or(cmp.Compare(b.owned, a.owned), a.used.Compare(b.used))
	})
	for _, c := range all {
		if may(c.room) && c.room.writing.TryLock() {
			if c.room.beginClosing(func() bool { return c.room.mayLeave(left) }) {
				c.room.owner.Give(clients.Room)
				c.room.owner, c.room.replaced = nil, true
				return c.room
			}
			c.room.writing.Unlock()
		}
	}
	return nil
}

// forget removes a closed room.
func (r *Rooms) forget(at *room) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.rooms, at.id)
	if !at.replaced {
		r.places--
	}
	at.owner.Give(clients.Room)
}

// find returns the room with an id.
func (r *Rooms) find(id string) (*room, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at, ok := r.rooms[id]; ok && !r.closed {
		return at, nil
	}
	return nil, ErrGone
}

// Count returns the number of open rooms.
func (r *Rooms) Count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.rooms)
}

// maxNameRunes is the length of the longest name of a player.
const maxNameRunes = 40

// cleanName returns a player's name as one short line.
func cleanName(name string) string {
	runes := []rune(record.Printable(strings.ToValidUTF8(name, "")))
	return strings.TrimSpace(string(runes[:min(len(runes), maxNameRunes)]))
}

// Visitor is a page that shows a room.
type Visitor struct {
	room      *room
	client    *clients.Client
	side      string // "w", "b", or "" for a spectator
	number    int    // counts up, so the oldest visitor has the lowest
	changed   chan struct{}
	displaced string // why others took its place, or ""; guarded by room.mu
}

// Changed returns a channel that receives a value after the room has changed. Changes that the
// visitor has not seen yet count as one.
func (v *Visitor) Changed() <-chan struct{} { return v.changed }

// Rematch opens a room with the same terms and reversed sides after a game has ended. Both
// players then see its keys in [State.Next]. The room counts for the client who asks.
func (r *Rooms) Rematch(id, key string, owner *clients.Client) error {
	at, err := r.find(id)
	if err != nil {
		return err
	}
	if err := at.mayRematch(key); err != nil {
		return err
	}
	keys, err := r.Create(at.terms, owner)
	if err != nil {
		return err
	}
	return at.setNext(keys)
}
