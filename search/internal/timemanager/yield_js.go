//go:build js

package timemanager

import (
	"syscall/js"
	"time"
)

// yieldEvery is how much time passes between two looks at the events of JavaScript. There
// is one thread, which the search does not leave by itself: what a Worker is told
// meanwhile, such as to stop, waits for the next of them.
const yieldEvery = 20 * time.Millisecond

// yielder remembers when the search last yielded.
type yielder struct{ last time.Time }

// yield lets the events of JavaScript be handled that wait, if it is time to.
func (y *yielder) yield(now func() time.Time) {
	if moment := now(); moment.Sub(y.last) >= yieldEvery {
		y.last = moment
		handleEvents()
	}
}

// handleEvents returns when the events before a message to ourselves have been handled.
// A timer would do as well, but browsers have those of loops wait for milliseconds.
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
