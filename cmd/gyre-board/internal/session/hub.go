package session

import (
	"fmt"
	"sync"
	"time"

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
