package timemanager

import (
	"context"
	"syscall/js"
	"testing"
	"time"

	"gyre/search"
	"gyre/search/events"
)

// TestYieldHandlesStop counts nodes like a search that never blocks, while a
// JavaScript event that stops it is pending. The first or second yield must handle
// the event. Each check of the limits takes a millisecond by the test's clock.
func TestYieldHandlesStop(t *testing.T) {
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
	m := beginBy(ctx, search.Limits{Infinite: true}, &defaults, &start, false, v.now)
	defer m.End()
	const signaled, most = 10, 10_000
	looks := 0
	for nodes := uint64(0); !m.Stopped() && looks < most; looks++ {
		if looks == signaled {
			channel.Get("port2").Call("postMessage", js.Null())
		}
		v.set(time.Duration(looks) * time.Millisecond)
		nodes = m.Check(nodes)
	}
	if latest := signaled + 2*int(events.YieldEvery/time.Millisecond); looks > latest {
		t.Errorf("stopped after %d ms, want %d at most", looks, latest)
	}
}
