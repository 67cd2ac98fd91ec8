//go:build js

package timemanager

import (
	"syscall/js"
	"time"
)

// yieldEvery is the time between two rounds of JavaScript events. There is only one
// thread, and the search never blocks. Messages to a Worker, for example stop, wait
// for the next round.
const yieldEvery = 20 * time.Millisecond

// yielder remembers when the search last yielded.
type yielder struct{ last time.Time }

// yield handles pending JavaScript events if enough time has passed.
func (y *yielder) yield(now func() time.Time) {
	if moment := now(); moment.Sub(y.last) >= yieldEvery {
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
