// Package session serves one page: it answers questions about the rules and runs engines
// for the page.
//
// The page sends requests; each gets one reply. Searches, reviews and matches also send
// events until they end. A session reads in one goroutine, writes in another, and has one
// goroutine for each engine. When the page disconnects, all of them end, and so do the
// engines.
package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"gyre/cmd/gyre-board/internal/referee"
	"gyre/protocol"
)

// MostMessage is the longest message of a page in bytes: enough for the longest
// record, a megabyte, as JSON.
const MostMessage = 3 << 20

// Engine is an engine that the page can choose. Only the command line makes
// one: a page names them and no more.
type Engine struct {
	Name string // unique
	// Start starts the engine and shakes hands with it. It is called from
	// several goroutines, each time for an engine of its own.
	Start func(protocol.Config) (*protocol.Client, error)
}

// Hub is what all sessions share. Its methods may be called from any goroutine.
type Hub struct {
	version  string
	engines  []Engine
	bounds   Bounds
	patience Patience
	places   chan struct{} // holds a token for each session
	running  chan struct{} // holds a token for each engine that runs

	mu      sync.Mutex
	options map[string][]optionView // of the engines that have run, by name
}

// Bounds are how much all pages together may have.
type Bounds struct {
	Sessions int `json:"sessions"` // open at once
	Engines  int `json:"engines"`  // running at once
	MultiPV  int `json:"multipv"`  // lines of a search
	Message  int `json:"message"`  // bytes of a message to the server
	// Reviewers are how many engines judge the positions of a game at once.
	Reviewers int `json:"reviewers"`
	// Analysts are how many engines analyse a position at once.
	Analysts int `json:"analysts"`
}

// DefaultBounds are enough for several tabs with several engines each.
var DefaultBounds = Bounds{Sessions: 16, Engines: 16, MultiPV: 16, Message: MostMessage, Reviewers: 1, Analysts: 1}

// Patience is how long engines are waited for.
type Patience struct {
	Engine protocol.Patience // for answers
	Grace  time.Duration     // for a turn, beyond the time that the search should take
}

// DefaultPatience is for engines that a person waits for.
var DefaultPatience = Patience{
	Engine: protocol.Patience{Stop: 3 * time.Second, Quit: time.Second},
	Grace:  5 * time.Second,
}

// NewHub returns a hub with these engines, for a program of that version.
func NewHub(version string, engines []Engine, bounds Bounds, patience Patience) *Hub {
	return &Hub{
		version: version, engines: engines, bounds: bounds, patience: patience,
		places: make(chan struct{}, bounds.Sessions), running: make(chan struct{}, bounds.Engines),
		options: map[string][]optionView{},
	}
}

// Enter takes a session's place. It reports false when there is none left; else
// the caller calls leave when the session has ended.
func (h *Hub) Enter() (leave func(), ok bool) {
	select {
	case h.places <- struct{}{}:
		return func() { <-h.places }, true
	default:
		return nil, false
	}
}

// engineOf returns the engine of a name.
func (h *Hub) engineOf(name string) (*Engine, error) {
	for i := range h.engines {
		if e := &h.engines[i]; e.Name == name {
			return e, nil
		}
	}
	return nil, fmt.Errorf("there is no engine %.40q", name)
}

// learn notes the options of an engine.
func (h *Hub) learn(engine string, options []protocol.Option) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.options[engine] = viewOptions(options)
}

// optionsOf returns the options of an engine, nil if it has never run.
func (h *Hub) optionsOf(engine string) []optionView {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.options[engine]
}

// Conn carries the messages of a page. Read is called by one goroutine and
// Write by one other.
type Conn interface {
	Read(ctx context.Context) ([]byte, error)
	Write(ctx context.Context, message []byte) error
}

// outboxSize is how many messages wait for a slow page before those who have
// more to say wait too.
const outboxSize = 64

// session is one page, from its first message to its last.
type session struct {
	hub    *Hub
	ctx    context.Context // done when the page has gone
	outbox chan []byte
	slots  map[string]*slot // by the names of their engines; belongs to the reading goroutine

	mu       sync.Mutex
	searches map[int64]*search // those that have not ended
	working  sync.WaitGroup    // the slots and the writing
}

// Serve answers a page until it goes or ctx is done. When it returns, all that
// the session has started has ended.
func (h *Hub) Serve(ctx context.Context, conn Conn) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &session{hub: h, ctx: ctx, outbox: make(chan []byte, outboxSize), slots: map[string]*slot{}, searches: map[int64]*search{}}
	s.working.Go(func() {
		defer cancel()
		s.write(conn)
	})
	for {
		message, err := conn.Read(ctx)
		if err != nil {
			break // the page has gone
		}
		s.handle(message)
	}
	cancel()
	s.working.Wait()
}

// write sends what is in the outbox until the page has gone.
func (s *session) write(conn Conn) {
	for {
		select {
		case message := <-s.outbox:
			if conn.Write(s.ctx, message) != nil {
				return
			}
		case <-s.ctx.Done():
			return
		}
	}
}

// send sends a value to the page. What is sent first arrives first.
func (s *session) send(value any) {
	message, err := json.Marshal(value)
	if err != nil {
		// Only values of this package are sent, and all of them can be.
		panic(err)
	}
	select {
	case s.outbox <- message:
	case <-s.ctx.Done():
	}
}

// request is a message of the page.
type request struct {
	session *session
	message []byte

	ID json.Number `json:"id"` // the page's number, which the reply repeats
	Do string      `json:"do"`
}

// reply answers a request: with OK or with Error.
type reply struct {
	ID    json.Number `json:"id,omitempty"`
	OK    any         `json:"ok,omitempty"`
	Error *refusal    `json:"error,omitempty"`
}

// refusal says what was wrong with a request.
type refusal struct {
	Message string `json:"message"`
	Where   string `json:"where"`
}

// nothing is the OK of a request that has only to be heard.
type nothing struct{}

// handlers are what a page can ask for. Each answers its request once.
var handlers = map[string]func(*request){
	"hello": answering((*session).hello),
	"game":  answering((*session).game),
	"steps": answering((*session).steps),
	"read":  answering((*session).readText),
	"write": answering((*session).writeText),
	"why":   answering((*session).why),
	"setup": answering((*session).setUp),

	"openings": answering((*session).openings),
	"standing": answering((*session).standing),

	"think":   think,
	"threat":  threat,
	"review":  reviewGame,
	"worth":   weigh,
	"match":   playMatch,
	"stop":    answering((*session).stop),
	"engine":  describe,
	"restart": restart,
}

// answering makes a handler of a question that is answered at once.
func answering[Q, A any](ask func(*session, Q) (A, error)) func(*request) {
	return func(r *request) {
		var question Q
		if !r.read(&question) {
			return
		}
		answer, err := ask(r.session, question)
		r.answer(answer, err)
	}
}

// handle answers a message.
func (s *session) handle(message []byte) {
	r := &request{session: s, message: message}
	if err := json.Unmarshal(message, r); err != nil {
		r.answer(nil, fmt.Errorf("not a request: %w", err))
		return
	}
	do, ok := handlers[r.Do]
	if !ok {
		r.answer(nil, fmt.Errorf("nothing is called %.40q here", r.Do))
		return
	}
	do(r)
}

// read reads what the request asks; when that fails it is answered.
func (r *request) read(question any) bool {
	if err := json.Unmarshal(r.message, question); err != nil {
		r.answer(nil, fmt.Errorf("%s: %w", r.Do, err))
		return false
	}
	return true
}

// answer sends the reply.
func (r *request) answer(answer any, err error) {
	if err == nil {
		r.session.send(reply{ID: r.ID, OK: answer})
		return
	}
	why := &refusal{Message: err.Error()}
	if fault, ok := errors.AsType[*referee.Error](err); ok {
		*why = refusal{Message: fault.Message, Where: fault.Where}
	}
	r.session.send(reply{ID: r.ID, Error: why})
}
