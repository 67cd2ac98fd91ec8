package session

import (
	"gyre/protocol"
)

// MostMessage is the longest message of a page in bytes. The longest game with
// comments has some ten thousand.
const MostMessage = 256 << 10

// Engine is an engine that the page can choose. Only the command line makes
// one: a page names them and no more.
type Engine struct {
	Name string // unique
	// Start starts the engine and shakes hands with it. It is called from
	// several goroutines, each time for an engine of its own.
	Start func(protocol.Config) (*protocol.Client, error)
}

// Room is what all sessions share. Its methods may be called from any goroutine.
type Room struct {
	version string
	engines []Engine
	bounds  Bounds
	places  chan struct{} // a token for each session
}

// Bounds are how much all pages together may have.
type Bounds struct {
	Sessions int `json:"sessions"` // open at once
	Engines  int `json:"engines"`  // running at once
	MultiPV  int `json:"multipv"`  // lines of a search
	Message  int `json:"message"`  // bytes of a message to the server
}

// DefaultBounds are enough for several tabs with several engines each.
var DefaultBounds = Bounds{Sessions: 16, Engines: 16, MultiPV: 16, Message: MostMessage}

// NewRoom returns a room with these engines, for a program of that version.
func NewRoom(version string, engines []Engine, bounds Bounds) *Room {
	return &Room{version: version, engines: engines, bounds: bounds, places: make(chan struct{}, bounds.Sessions)}
}

// Enter takes a session's place. It reports false when there is none left; else
// the caller calls leave when the session has ended.
func (r *Room) Enter() (leave func(), ok bool) {
	select {
	case r.places <- struct{}{}:
		return func() { <-r.places }, true
	default:
		return nil, false
	}
}
