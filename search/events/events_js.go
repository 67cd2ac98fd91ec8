//go:build js

// Package events lets long work handle pending events in a browser, which has one
// thread. On other systems it does nothing.
package events

import (
	"syscall/js"
	"time"
)

// YieldEvery is the time between two rounds of JavaScript events. A browser has one thread,
// and a search never blocks. So a message such as stop waits until the search yields.
const YieldEvery = 20 * time.Millisecond

// Yielder lets long work in a browser handle events, for example stop. On other systems it
// does nothing.
type Yielder struct{ last time.Time }

// Yield handles pending JavaScript events if enough time has passed since the last call that
// did. now is the clock.
func (y *Yielder) Yield(now func() time.Time) {
	if moment := now(); moment.Sub(y.last) >= YieldEvery {
		y.last = moment
		handleEvents()
	}
}

// handleEvents handles all pending events: it returns when a message that it posts to
// itself arrives. A timer would work, too, but browsers delay repeated timers by
// milliseconds.
func handleEvents() {
	handled := make(chan struct{})
	message := js.FuncOf(func(js.Value, []js.Value) any {
		close(handled)
		return nil
	})
	defer message.Release()
	channel := js.Global().Get("MessageChannel").New()
	port := channel.Get("port1")
	port.Set("onmessage", message)
	defer port.Call("close")
	channel.Get("port2").Call("postMessage", js.Null())
	<-handled
}
