package timemanager

import (
	"context"
	"syscall/js"
	"testing"
	"time"

	"gyre/search"
)

// TestYieldHearsStop counts nodes as a search does, which never waits for anything, while
// an event of JavaScript is on its way that stops it: it is heard at the first or second
// time to yield. Each look at the limits takes a millisecond, by a clock of the test.
func TestYieldHearsStop(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	message := js.FuncOf(func(js.Value, []js.Value) any {
		stop()
		return nil
	})
	defer message.Release()
	channel := js.Global().Get("MessageChannel").New()
	port := channel.Get("port1")
	port.Set("onmessage", message)
	defer port.Call("close")

	v := &virtual{}
	m := beginBy(ctx, search.Limits{Infinite: true}, &usual, &start, false, v.now)
	defer m.End()
	const told, most = 10, 10_000
	looks := 0
	for nodes := uint64(0); !m.Stopped() && looks < most; looks++ {
		if looks == told {
			channel.Get("port2").Call("postMessage", js.Null())
		}
		v.set(time.Duration(looks) * time.Millisecond)
		nodes = m.Check(nodes)
	}
	if latest := told + 2*int(yieldEvery/time.Millisecond); looks > latest {
		t.Errorf("stopped after %d ms, want %d at most", looks, latest)
	}
}
