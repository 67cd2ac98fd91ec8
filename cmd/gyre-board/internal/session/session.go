// Package session serves one page: it answers questions about the rules and runs engines
// for the page.
//
// The page sends requests; each gets one reply. Searches, reviews and matches also send
// events until they end. A session reads in one goroutine, writes in another, and has one
// goroutine for each engine. When the page disconnects, all of them end, and so do the
// engines.
package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"gyre/cmd/gyre-board/internal/clients"
	"gyre/cmd/gyre-board/internal/referee"
	"gyre/cmd/gyre-board/internal/rooms"
	"gyre/position"
	"gyre/position/boundedjson"
	"gyre/protocol"
)

// MaxMessage is the length of the longest message of a page in bytes. The longest record, a
// megabyte, fits into it as JSON.
const MaxMessage = 3 << 20

// Engine is an engine that the page can choose. Only the command line defines engines; a page
// can only name them.
type Engine struct {
	Name string // unique
	// Start starts a new process of the engine and performs the handshake. It may be called
	// from several goroutines.
	Start func(protocol.Config) (*protocol.Client, error)
}

// Hub is the state shared by all sessions. Its methods are safe for concurrent use.
type Hub struct {
	version  string
	engines  []Engine
	bounds   Bounds
	patience Patience
	places   chan struct{}      // one element per session
	running  chan struct{}      // one element per running engine
	more     map[string]handler // requests in addition to handlers, by name

	mu      sync.Mutex
	options map[string][]protocol.Option // by name, of the engines that have run
}

// Bounds limit all pages together.
type Bounds struct {
	Sessions int `json:"sessions"` // open at the same time
	Engines  int `json:"engines"`  // running at the same time
	MultiPV  int `json:"multipv"`  // lines of a search
	Message  int `json:"message"`  // bytes of a message to the server
	// Reviewers is the number of engines that review a game together.
	Reviewers int `json:"reviewers"`
	// Analysts is the number of engines that analyze a position together.
	Analysts int `json:"analysts"`
}

// DefaultBounds allow several tabs with several engines each.
var DefaultBounds = Bounds{Sessions: 16, Engines: 16, MultiPV: 16, Message: MaxMessage, Reviewers: 1, Analysts: 1}

// Patience contains timeouts for engines.
type Patience struct {
	Engine protocol.Patience // for answers
	Grace  time.Duration     // for a turn, in addition to the time of the search
}

// DefaultPatience is for engines that a person is waiting for.
var DefaultPatience = Patience{
	Engine: protocol.Patience{Stop: 3 * time.Second, Quit: time.Second},
	Grace:  5 * time.Second,
}

// NewHub returns a hub with the given engines, for a program of the given version.
func NewHub(version string, engines []Engine, bounds Bounds, patience Patience) *Hub {
	return &Hub{
		version: version, engines: engines, bounds: bounds, patience: patience,
		places: make(chan struct{}, bounds.Sessions), running: make(chan struct{}, bounds.Engines),
		options: map[string][]protocol.Option{},
	}
}

// Enter reserves a place for a session, and reports whether there was one. If so, the caller
// must call leave when the session has ended.
func (h *Hub) Enter() (leave func(), ok bool) {
	select {
	case h.places <- struct{}{}:
		return func() { <-h.places }, true
	default:
		return nil, false
	}
}

// engineOf returns the engine with the given name.
func (h *Hub) engineOf(name string) (*Engine, error) {
	for i := range h.engines {
		if e := &h.engines[i]; e.Name == name {
			return e, nil
		}
	}
	return nil, fmt.Errorf("unknown engine %.40q", name)
}

// learn records the options of an engine.
func (h *Hub) learn(engine string, options []protocol.Option) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.options[engine] = options
}

// optionsOf returns the options of an engine, or nil if it has never run.
func (h *Hub) optionsOf(engine string) []protocol.Option {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.options[engine]
}

// Conn carries the messages of a page. One goroutine calls Read, and one other calls Write.
type Conn interface {
	Read(ctx context.Context) ([]byte, error)
	Write(ctx context.Context, message []byte) error
}

// outboxSize is the number of messages that wait for a slow page before their senders block.
const outboxSize = 64

// Limits of what a session keeps after a request, in bytes.
const (
	maxID     = 20      // of a request: a session repeats it, and keeps it with the end of a game
	maxChange = 4 << 10 // of the message of a change, which waits for the disk
)

// freeValues is the number of values of a message that are free. What the values of a longer one need while it is parsed
// and answered counts for its client's memory.
const freeValues = 1000

// session serves one page.
type session struct {
	hub    *Hub
	page   *clients.Page
	cancel context.CancelFunc
	ctx    context.Context // canceled when the page disconnects
	outbox chan outgoing
	slots  map[string]*slot // by engine name; used only by the reading goroutine
	visits map[string]visit // by the id of the room; used only by the reading goroutine
	ends   ends             // used only by the reading goroutine
	held   int              // bytes for the request that is handled; used only by the reading goroutine

	mu       sync.Mutex
	searches map[int64]*job // running
	working  sync.WaitGroup // the goroutines of slots, and the writing one
}

// Serve serves a page until it disconnects or ctx is done. It returns after everything that
// the session started has ended, except changes of rooms that wait for the disk. A nil
// page has no limits.
func (h *Hub) Serve(ctx context.Context, conn Conn, page *clients.Page) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &session{hub: h, page: cmp.Or(page, &clients.Page{}), ctx: ctx, cancel: cancel, outbox: make(chan outgoing, outboxSize), slots: map[string]*slot{}, visits: map[string]visit{}, searches: map[int64]*job{}}
	s.working.Go(func() {
		defer cancel()
		s.write(conn)
	})
	for {
		message, err := conn.Read(ctx)
		if err != nil {
			break // the page has disconnected
		}
		s.handle(message)
	}
	cancel()
	s.working.Wait()
	s.discard()
}

// discard releases the messages in the outbox after the page has disconnected.
func (s *session) discard() {
	for {
		select {
		case next := <-s.outbox:
			s.page.Release(len(next.message))
		default:
			return
		}
	}
}

// write sends the messages in the outbox until the page disconnects.
func (s *session) write(conn Conn) {
	for {
		select {
		case next := <-s.outbox:
			message := next.message
			if next.latest != nil {
				message = next.latest()
			}
			err := conn.Write(s.ctx, message)
			s.page.Release(len(next.message))
			if err != nil {
				return
			}
		case <-s.ctx.Done():
			return
		}
	}
}

// send sends a value to the page, in its client's share of bytes. Values arrive in the order of the
// calls.
func (s *session) send(value any) { s.page.Count(s.post(value)) }

// post sends a value to the page and returns its length in bytes, also if the page is gone.
func (s *session) post(value any) int {
	message := encoded(value)
	if !s.page.Hold(len(message)) {
		s.cancel()          // the client's pages do not read; the page connects again
		return len(message) // which was made
	}
	s.put(message)
	return len(message)
}

// put puts a message, which is held, into the outbox.
func (s *session) put(message []byte) {
	select {
	case s.outbox <- outgoing{message: message}:
		if s.ctx.Err() != nil {
			s.discard() // Serve may have discarded the others already
		}
	case <-s.ctx.Done():
		s.page.Release(len(message))
	}
}

// slotOf returns the slot of the engine with the given name.
func (s *session) slotOf(name string) (*slot, error) {
	if sl, ok := s.slots[name]; ok {
		return sl, nil
	}
	e, err := s.hub.engineOf(name)
	if err != nil {
		return nil, err
	}
	s.slots[name] = newSlot(s, e)
	return s.slots[name], nil
}

// newSearch adds a search to a slot, and stops the slot's other searches.
func (s *session) newSearch(id int64, sl *slot) (*job, error) {
	s.mu.Lock()
	_, taken := s.searches[id]
	s.mu.Unlock()
	if taken {
		return nil, fmt.Errorf("search %d has not ended yet", id)
	}
	s.stopAll(sl, false)
	q := &job{id: id, slot: sl, stored: make(chan int, 1)}
	q.ctx, q.cancel = context.WithCancel(s.ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.searches[id] = q
	return q, nil
}

// stopAll stops the searches of a slot. killed means that its engine is being killed.
func (s *session) stopAll(sl *slot, killed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, q := range s.searches {
		if q.slot == sl {
			if killed {
				q.killed.Store(true)
			}
			q.cancel()
		}
	}
}

// endSearch removes a search.
func (s *session) endSearch(q *job) {
	q.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.searches, q.id)
}

// encoded returns a value as JSON.
func encoded(value any) []byte {
	message, err := json.Marshal(value)
	if err != nil {
		// This package sends only its own types, and all of them can be marshaled.
		panic(err)
	}
	return message
}

// outgoing is a message that waits to be sent.
type outgoing struct {
	message []byte
	latest  func() []byte // unless nil, makes the message when its turn comes, for which nothing is held
}

// request is a message from the page.
type request struct {
	session *session
	message []byte

	ID json.Number `json:"id"` // the page's number, repeated in the reply
	Do string      `json:"do"`
}

// reply answers a request. It has either OK or Error.
type reply struct {
	ID    json.Number `json:"id,omitempty"`
	OK    any         `json:"ok,omitempty"`
	Error *refusal    `json:"error,omitempty"`
}

// refusal describes the error of a request.
type refusal struct {
	Message string `json:"message"`
	Where   string `json:"where"`
	Code    string `json:"code,omitempty"` // what is wrong, for the page: see clients.Error

	Fault *position.Fault `json:"fault,omitempty"` // what is wrong with a text or an engine, for the page's words
}

// nothing is the OK of a request without an answer.
type nothing struct{}

// handler answers a request once, or returns an error.
type handler func(*request) error

// handlers are the requests by name.
var handlers = map[string]handler{
	"hello": answering(hello),
	"game":  answering(checkGame),
	"read":  answering(readText),
	"write": answering(writeText),
	"why":   answering(why),
	"setup": answering(setUp),

	"openings": answering(findOpenings),
	"standing": answering(countStanding),

	"think":   ordering(think),
	"threat":  ordering(threat),
	"review":  ordering(reviewGame),
	"worth":   ordering(weigh),
	"match":   ordering(playMatch),
	"stored":  answering(noteStored),
	"stop":    answering(stop),
	"engine":  ordering(describe),
	"restart": ordering(restart),
}

// ordering returns the handler of an order.
func ordering[Q any](take func(*request, *Q) error) handler {
	return func(r *request) error {
		order := new(Q)
		if err := r.read(order); err != nil {
			return err
		}
		return take(r, order)
	}
}

// answering returns the handler of a question with an immediate answer.
func answering[Q, A any](ask func(*session, Q) (A, error)) handler {
	return func(r *request) error {
		var question Q
		if err := r.read(&question); err != nil {
			return err
		}
		answer, err := ask(r.session, question)
		if err != nil {
			return err
		}
		return r.session.reply(reply{ID: r.ID, OK: answer})
	}
}

// handle handles a message.
func (s *session) handle(message []byte) {
	r := &request{session: s, message: message}
	defer s.release()
	if err := json.Unmarshal(message, r); err != nil {
		r.answer(nil, fmt.Errorf("not a request: %w", err))
		return
	}
	if len(r.ID) > maxID {
		r.ID = ""
		r.answer(nil, fmt.Errorf("the id of a request has at most %d digits", maxID))
		return
	}
	if values, _ := boundedjson.Count(message); values > freeValues {
		if err := s.hold(boundedjson.Size(message)); err != nil {
			r.answer(nil, err)
			return
		}
	}
	do, ok := handlers[r.Do]
	if !ok {
		do, ok = s.hub.more[r.Do]
	}
	err := fmt.Errorf("unknown request %.40q", r.Do)
	if ok {
		err = do(r)
	}
	if err != nil {
		s.release() // so that there is a place for the reply
		r.answer(nil, err)
	}
}

// hold counts bytes that the request needs until it is answered.
func (s *session) hold(bytes int) error {
	if !s.page.Hold(bytes) {
		return clients.ErrRequests
	}
	s.held += bytes
	return nil
}

// release returns the bytes of hold.
func (s *session) release() {
	s.page.Release(s.held)
	s.held = 0
}

// reply sends a reply, which takes the place of what the request needed. If there is no place, the page may ask
// again later: if it lost its connection instead, it would ask the same at once.
func (s *session) reply(answer reply) error {
	message := encoded(answer)
	s.page.Count(len(message)) // which was made
	s.release()
	if !s.page.Hold(len(message)) {
		return clients.ErrRequests
	}
	s.put(message)
	return nil
}

// read reads the fields of the request.
func (r *request) read(question any) error {
	if err := json.Unmarshal(r.message, question); err != nil {
		return fmt.Errorf("%s: %w", r.Do, err)
	}
	return nil
}

// answer sends the reply.
func (r *request) answer(answer any, err error) {
	if err == nil {
		r.session.send(reply{ID: r.ID, OK: answer})
		return
	}
	why := &refusal{Message: err.Error(), Code: codeOf(err), Fault: faultOf(err)}
	if fault, ok := errors.AsType[*referee.Error](err); ok {
		*why = refused(fault)
	}
	r.session.send(reply{ID: r.ID, Error: why})
}

// codeOf returns the word by which the page knows an error, or "".
func codeOf(err error) string {
	if known, ok := errors.AsType[*clients.Error](err); ok {
		return known.Code()
	}
	return ""
}

// refused describes a fault.
func refused(fault *referee.Error) refusal {
	return refusal{Message: fault.Message, Where: fault.Where, Fault: fault.Fault}
}

// start answers the request, and then calls run in the engine's goroutine. It stops the engine's
// current search. run sends the event that ends the search, or returns an error.
func (r *request) start(order *searchOrder, run func(*slot, *job) error) error {
	sl, err := r.session.slotOf(order.Engine)
	if err != nil {
		return err
	}
	q, err := r.session.newSearch(order.Search, sl)
	if err != nil {
		return err
	}
	answered := make(chan struct{}) // the reply goes out before the events
	err = sl.add(func() {
		<-answered
		defer r.session.endSearch(q)
		if err := run(sl, q); err != nil {
			sl.tell(q, err)
		}
	})
	if err != nil {
		r.session.endSearch(q)
		return err
	}
	r.answer(nothing{}, nil)
	close(answered)
	return nil
}

// startDedicated is like start, but with engines that serve only this order and end with it.
// The page's own engines are not affected. run sends the event that ends the search.
func (r *request) startDedicated(id int64, engines []string, run func(*job, []*slot)) error {
	s := r.session
	slots := make([]*slot, len(engines))
	for i, name := range engines {
		e, err := s.hub.engineOf(name)
		if err != nil {
			return err
		}
		slots[i] = &slot{session: s, engine: e, dedicated: true}
	}
	// Such an order takes time and memory before its engines start.
	if !s.page.Take(clients.Order) {
		return clients.ErrOrderShare
	}
	q, err := s.newSearch(id, slots[0])
	if err != nil {
		s.page.Give(clients.Order)
		return err
	}
	r.answer(nothing{}, nil)
	s.working.Go(func() {
		defer s.page.Give(clients.Order)
		defer s.endSearch(q)
		for _, sl := range slots {
			defer sl.end()
		}
		run(q, slots)
	})
	return nil
}

// WithRooms lets the hub's pages open and enter rooms, which are games between people on
// different machines. Call it before the first session. The exported page has no rooms: its
// program does not call WithRooms, so the linker omits them.
func (h *Hub) WithRooms(all *rooms.Rooms) {
	h.more = roomHandlers(all)
}

// roomHandlers are the requests about rooms by name.
func roomHandlers(all *rooms.Rooms) map[string]handler {
	return map[string]handler{
		"enter": answering(func(s *session, order enterOrder) (rooms.State, error) { return s.enterRoom(all, order) }),
		"leave": answering(func(s *session, order roomOrder) (nothing, error) {
			s.leaveRoom(order.Room)
			return nothing{}, nil
		}),
		"host": saving(func(s *session, terms rooms.Terms) (rooms.Keys, error) { return all.Create(terms, s.page.Client) }),
		// A page repeats a turn after a lost connection, which is harmless.
		"play": saving(func(_ *session, order playOrder) (nothing, error) {
			return nothing{}, all.Play(order.Room, order.Key, order.Ply, order.Turn)
		}),
		"resign": saving(func(_ *session, order roomOrder) (nothing, error) {
			return nothing{}, all.Resign(order.Room, order.Key)
		}),
		"rematch": saving(func(s *session, order roomOrder) (nothing, error) {
			return nothing{}, all.Rematch(order.Room, order.Key, s.page.Client)
		}),
	}
}

// saving returns the handler of a change of a room. The answer comes once the change is on disk.
// Meanwhile the page can ask for other things: the disk may be full for minutes.
func saving[Q, A any](change func(*session, Q) (A, error)) handler {
	return func(r *request) error {
		if len(r.message) > maxChange {
			return fmt.Errorf("%s: the message has more than %d bytes", r.Do, maxChange)
		}
		var order Q
		if err := r.read(&order); err != nil {
			return err
		}
		s := r.session
		if !s.page.Take(clients.Change) {
			return clients.ErrRequests
		}
		// The session may end before: Serve does not wait for a full disk.
		go func() {
			defer s.page.Give(clients.Change)
			answer, err := change(s, order)
			r.answer(answer, err)
		}()
		return nil
	}
}

// roomOrder is about a room. Without the key of a seat, the page can only watch.
type roomOrder struct {
	Room string `json:"room"`
	Key  string `json:"key,omitempty"`
}

// enterOrder enters a room. The name is shown to the others unless it is empty.
type enterOrder struct {
	roomOrder
	Name string `json:"name,omitempty"`
}

// roomEvent is sent when a room has changed that the page has entered.
type roomEvent struct {
	Event string      `json:"event"`
	State rooms.State `json:"state"`
}

// maxVisits is the number of rooms that a page can be in at the same time.
const maxVisits = 8

// visit is a room that the page has entered. It names no type of the rooms but their State: the linker would keep all
// that a session's fields can reach.
type visit struct {
	again func(order enterOrder) (rooms.State, error) // enters it again
	end   context.CancelFunc
}

// enterRoom enters a room. Every change of the room is an event until the page leaves it.
func (s *session) enterRoom(all *rooms.Rooms, order enterOrder) (rooms.State, error) {
	if before, here := s.visits[order.Room]; here {
		return before.again(order)
	}
	if len(s.visits) >= maxVisits {
		return rooms.State{}, fmt.Errorf("a page can be in at most %d rooms", maxVisits)
	}
	visitor, err := all.Enter(order.Room, order.Key, order.Name, s.page.Client)
	if err != nil {
		return rooms.State{}, err
	}
	return s.visit(order.Room, visitor), nil
}

// visit keeps a visitor of a room, in the place of an earlier one, and returns the room's state.
func (s *session) visit(room string, visitor *rooms.Visitor) rooms.State {
	s.leaveRoom(room)
	ctx, leave := context.WithCancel(s.ctx)
	again := func(order enterOrder) (rooms.State, error) {
		next, err := visitor.Again(order.Key, order.Name)
		if err != nil {
			return rooms.State{}, err
		}
		return s.visit(room, next), nil
	}
	s.visits[room] = visit{again, leave}
	s.working.Go(func() {
		defer visitor.Leave()
		for {
			select {
			case <-ctx.Done():
				return
			case <-visitor.Changed():
				if s.page.WaitEvent(ctx, s.postState(ctx, visitor)) != nil {
					return
				}
			}
		}
	})
	return visitor.State()
}

// postState sends the newest state of a room, once the messages before it are sent, and returns its length in bytes. So
// no old states wait for a slow page.
func (s *session) postState(ctx context.Context, visitor *rooms.Visitor) int {
	made := make(chan int, 1)
	latest := func() []byte {
		message := encoded(roomEvent{"room", visitor.State()})
		made <- len(message)
		return message
	}
	select {
	case s.outbox <- outgoing{latest: latest}:
	case <-ctx.Done():
		return 0
	}
	select {
	case bytes := <-made:
		return bytes
	case <-ctx.Done():
		return 0
	}
}

// leaveRoom leaves a room if the page has entered it.
func (s *session) leaveRoom(id string) {
	if v, ok := s.visits[id]; ok {
		v.end()
		delete(s.visits, id)
	}
}

// playOrder plays a turn in a room.
type playOrder struct {
	roomOrder
	Ply  int    `json:"ply"` // number of turns before this one
	Turn string `json:"turn"`
}
