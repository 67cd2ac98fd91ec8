package session

import (
	"slices"
	"sync"
	"time"

	"gyre/protocol"
)

// digestPause is the least time between two info events of a search: ten a
// second at most, whatever the engine sends.
const digestPause = 100 * time.Millisecond

// digest merges the reports of a search: of each line the latest wins. Whatever
// has changed is sent when the pause since the last event is over.
type digest struct {
	send func(lines []infoLine, message string)

	mu      sync.Mutex
	lines   []infoLine // by rank
	message string
	changed chan struct{} // holds a token while there is news
	ended   chan struct{}
	sending sync.WaitGroup
}

// newDigest returns a digest that sends until finish. What send is given it
// may keep.
func newDigest(send func(lines []infoLine, message string)) *digest {
	d := &digest{send: send, changed: make(chan struct{}, 1), ended: make(chan struct{})}
	d.sending.Go(d.run)
	return d
}

// take merges a report in. It never waits for the page.
func (d *digest) take(i protocol.Info) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i.Message != "" {
		d.message = i.Message
	}
	if i.Message == "" || i.HasScore || len(i.PV) > 0 {
		d.line(max(i.MultiPV, 1)).update(i)
	}
	select {
	case d.changed <- struct{}{}:
	default:
	}
}

// line returns the line of a rank, a new one if need be.
func (d *digest) line(rank int) *infoLine {
	at, ok := slices.BinarySearchFunc(d.lines, rank, func(l infoLine, rank int) int { return l.MultiPV - rank })
	if !ok {
		d.lines = slices.Insert(d.lines, at, infoLine{MultiPV: rank, PV: []string{}})
	}
	return &d.lines[at]
}

// run sends the news until finish.
func (d *digest) run() {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-d.ended:
			return
		case <-pause.C:
		}
		select {
		case <-d.ended:
			return
		case <-d.changed:
		}
		d.flush()
		pause.Reset(digestPause)
	}
}

// flush sends what there is.
func (d *digest) flush() {
	d.mu.Lock()
	lines, message := slices.Clone(d.lines), d.message
	d.mu.Unlock()
	d.send(lines, message)
}

// finish sends the last news, if there are any. Nothing is sent after it.
func (d *digest) finish() {
	close(d.ended)
	d.sending.Wait()
	select {
	case <-d.changed:
		d.flush()
	default:
	}
}
