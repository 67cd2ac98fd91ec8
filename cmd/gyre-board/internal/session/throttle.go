package session

import (
	"slices"
	"sync"
	"time"

	"gyre/protocol"
)

// throttlePause is the least time between two info events of a search: ten a
// second at most, whatever the engine sends.
const throttlePause = 100 * time.Millisecond

// throttle merges the reports of a search: of each line the latest wins. Whatever
// has changed is sent when the pause since the last event is over.
type throttle struct {
	send func(lines []infoLine, message string)

	mu      sync.Mutex
	lines   []infoLine // by rank
	message string
	changed chan struct{} // holds a token while there is news
	ended   chan struct{}
	sending sync.WaitGroup
}

// newThrottle returns a throttle that sends until finish. What send is given it
// may keep.
func newThrottle(send func(lines []infoLine, message string)) *throttle {
	t := &throttle{send: send, changed: make(chan struct{}, 1), ended: make(chan struct{})}
	t.sending.Go(t.run)
	return t
}

// take merges a report in. It never waits for the page.
func (t *throttle) take(i protocol.Info) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i.Message != "" {
		t.message = i.Message
	}
	if i.Message == "" || i.HasScore || len(i.PV) > 0 {
		t.line(max(i.MultiPV, 1)).update(i)
	}
	select {
	case t.changed <- struct{}{}:
	default:
	}
}

// line returns the line of a rank, a new one if need be.
func (t *throttle) line(rank int) *infoLine {
	at, ok := slices.BinarySearchFunc(t.lines, rank, func(l infoLine, rank int) int { return l.MultiPV - rank })
	if !ok {
		t.lines = slices.Insert(t.lines, at, infoLine{MultiPV: rank, PV: []string{}})
	}
	return &t.lines[at]
}

// run sends the news until finish.
func (t *throttle) run() {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-t.ended:
			return
		case <-pause.C:
		}
		select {
		case <-t.ended:
			return
		case <-t.changed:
		}
		t.flush()
		pause.Reset(throttlePause)
	}
}

// flush sends what there is.
func (t *throttle) flush() {
	t.mu.Lock()
	lines, message := slices.Clone(t.lines), t.message
	t.mu.Unlock()
	t.send(lines, message)
}

// finish sends the last news, if there are any. Nothing is sent after it.
func (t *throttle) finish() {
	close(t.ended)
	t.sending.Wait()
	select {
	case <-t.changed:
		t.flush()
	default:
	}
}
