package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/time/rate"

	"gyre/bench/hub/internal/wire"
)

// lane is a queue of requests of a key, or of the detached matches of an owner. Each waits for the earlier ones.
type lane struct {
	name string // see onBehalf
	kind wire.Lane
}

// laneOf returns the lane of a request.
func laneOf(w *waiting) lane {
	var of struct {
		Owner string `json:"owner"`
	}
	if w.name == wire.Hub {
		first, _, _ := bytes.Cut(w.message.Data, []byte("\n"))
		_ = json.Unmarshal(first, &of) // the handler rejects what is none
	}
	return lane{onBehalf(w.name, of.Owner), w.service.Lane()}
}

// waiting is a request to a service.
type waiting struct {
	service wire.Service
	message *nats.Msg
	name    string // of its sender
	handle  handler
}

const (
	// maxLane is how many requests of a lane may wait, and maxDataLane how many of those about files or data. The
	// requests of a lane have laneBytes bytes at most.
	maxLane     = 16
	maxDataLane = 128
	laneBytes   = wire.MaxPayload
	// laneRate is how many bytes a second the requests of a lane that read or write, and their replies, may have, and
	// laneRest how long the lane rests in addition after a request, as a multiple of the time that it took. One
	// about a file counts only if it took longTime.
	laneRate = 32 << 20
	laneRest = 3
	longTime = time.Second / 4
)

// answers are the last replies to a key, the newest at the end. The client sends a request again, with the same subject for
// the reply, if it gets none.
type answers []answer

type answer struct {
	subject string
	text    []byte
}

// The hub keeps maxAnswers replies to a key, each of longestAnswer bytes at most: longer ones are errors, and a request that
// failed may be carried out again.
const (
	maxAnswers    = maxLane
	longestAnswer = 256
)

// keep keeps the reply to a request for its copies.
func (d *door) keep(w *waiting, text []byte) {
	if len(text) > longestAnswer || !wire.IsReply(w.message.Reply, w.name, wire.Hub) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.answered) > maxNames {
		clear(d.answered)
	}
	all := append(d.answered[w.name], answer{w.message.Reply, text})
	d.answered[w.name] = slices.Clone(all[max(len(all)-maxAnswers, 0):])
}

// isCopy reports whether a request is a copy of one that waits in its lane or is being carried out, or of one that has got
// the returned reply. d.mu must be held.
func (d *door) isCopy(w *waiting, l lane) (reply []byte, is bool) {
	if !wire.IsReply(w.message.Reply, w.name, wire.Hub) {
		return nil, false
	}
	same := func(other *waiting) bool { return other.service == w.service && other.message.Reply == w.message.Reply }
	if current := d.current[l]; current != nil && same(current) || slices.ContainsFunc(d.lanes[l], same) {
		return nil, true
	}
	if l.kind == wire.StartLane {
		for _, a := range d.answered[w.name] {
			if a.subject == w.message.Reply {
				return a.text, true
			}
		}
	}
	return nil, false
}

// queue carries out a request after the earlier ones of its lane, unless it is a copy of one of them.
func (d *door) queue(w *waiting) {
	reply, full := d.enqueue(w)
	switch {
	case full:
		d.respond(w, &wire.Reply{Error: "too many requests with this key at once: wait for the replies to the earlier ones"}, nil)
	case reply != nil:
		_ = d.conn.Publish(w.message.Reply, reply) // as in respond
	}
}

// enqueue adds a request to its lane, or reports that the lane is full. If the request is a copy, enqueue only returns the
// earlier reply, if there is one.
func (d *door) enqueue(w *waiting) (reply []byte, full bool) {
	l, most := laneOf(w), maxLane
	if l.kind == wire.FileLane || l.kind == wire.DataLane {
		most = maxDataLane
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if text, is := d.isCopy(w, l); is {
		return text, false
	}
	before, working := d.lanes[l]
	size := len(w.message.Data)
	for _, earlier := range before {
		size += len(earlier.message.Data)
	}
	full = len(before) >= most || size > laneBytes
	if !full && !d.closed() {
		d.lanes[l] = append(before, w)
		if !working {
			d.working.Go(func() { d.drain(l) })
		}
	}
	return nil, full
}

// drain carries out the requests of a lane until there are no more. A key that asks for much data is
// slowed down, so that others get their replies.
func (d *door) drain(l lane) {
	for {
		d.mu.Lock()
		all := d.lanes[l]
		if len(all) == 0 || d.closed() {
			delete(d.lanes, l)
			d.mu.Unlock()
			return
		}
		w := all[0]
		d.mu.Unlock()
		if d.crowded != nil && d.crowded(l.name) {
			select {
			case <-time.After(meterInterval):
			case <-d.closing:
			}
			continue
		}
		d.mu.Lock()
		d.lanes[l], d.current[l] = d.lanes[l][1:], w
		d.mu.Unlock()
		began := time.Now()
		size := len(w.message.Data) + d.carryOut(w)
		d.mu.Lock()
		delete(d.current, l)
		d.mu.Unlock()
		if strings.HasPrefix(l.name, wire.Hub) {
			continue
		}
		rest := time.Duration(max(size, requestCost)) * time.Second / laneRate // so nobody who waits for replies exceeds the quota
		took := time.Since(began)
		isFile := l.kind == wire.FileLane // the bytes of others do not say how much work they are
		if l.kind == wire.StartLane {     // the time may be that of a match that ends
			took = min(took, longTime)
		}
		if !isFile || took >= longTime {
			rest += laneRest * took
		}
		select {
		case <-time.After(rest):
		case <-d.closing:
		}
	}
}

func (d *door) closed() bool {
	select {
	case <-d.closing:
		return true
	default:
		return false
	}
}

// close ends the lanes. The connection must be closed.
func (d *door) close() {
	d.mu.Lock()
	close(d.closing)
	d.mu.Unlock()
	d.working.Wait()
}

// quota is which quota a key has.
type quota struct {
	name      string
	suspended bool
}

// A suspended key has suspendedFactor and suspendedBurst times the quota of a worker: enough to ask for the reason.
// connectCost is what a connection costs, in bytes, and requestCost a request to the hub that is not about a
// file, or a message that the key may not send.
const (
	suspendedFactor = 1.0 / 32
	suspendedBurst  = 1.0 / 8
	connectCost     = 1 << 20
	// silenceTime is how long the hub takes nothing from a suspended key that exceeds that.
	silenceTime = time.Minute
	requestCost = 64 << 10
)

// exchange is which key sends messages to which other one.
type exchange struct{ from, to string }

// between returns how much a key may send another one; nil if nobody gets it. d.mu must be held.
func (d *door) between(from, to string, limit rate.Limit, burst int) *rate.Limiter {
	if d.open || d.keys[to].Name == "" {
		return nil
	}
	if len(d.exchanges) > 2*maxNames {
		clear(d.exchanges)
	}
	x := exchange{from, to}
	if d.exchanges[x] == nil {
		d.exchanges[x] = rate.NewLimiter(limit, burst)
		if d.noRefill {
			d.exchanges[x].SetLimit(0)
		}
	}
	return d.exchanges[x]
}

// pace returns for how long a key has to wait before it replies to another key, so that less waits for the receiver than
// would end its connection. Above maxReplyWait, it may not reply.
func (d *door) pace(from, subject string, size int, now time.Time) time.Duration {
	to := wire.Receiver(subject)
	if to == "" {
		return 0
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	l := d.between(from, to, wire.ReplyRate, wire.ReplyBurst)
	if l == nil {
		return 0
	}
	reserved := l.ReserveN(now, size+len(subject))
	wait := reserved.DelayFrom(now) // for ever if there is no refill
	if wait > maxReplyWait {
		reserved.CancelAt(now)
	}
	return wait
}

// silenced reports whether the hub takes nothing from a suspended key now.
func (d *door) silenced(name string, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return now.Before(d.silence[name])
}

// charge counts what a key has sent, and suspends the key if that is too much. It reports whether the key
// is suspended and still sends too much.
func (d *door) charge(name string, size, messages int, now time.Time) (silenced bool) {
	if name == wire.Hub {
		return false
	}
	suspended := d.suspended(name) != nil
	silenced, flood := d.spend(name, suspended, size+wire.MessageCost*messages, now)
	if flood != nil {
		d.offend(name, flood, true)
	}
	return silenced
}

// spend counts bytes of a key. It reports whether the key is suspended and sends too much, or why to suspend it.
func (d *door) spend(name string, suspended bool, size int, now time.Time) (silenced bool, flood error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open { // any name may be anybody's
		return false, nil
	}
	factor, burst := 1.0, 1.0
	switch {
	case suspended:
		factor, burst = suspendedFactor, suspendedBurst
	case d.keys[name].Role != wire.ForWorker:
		factor, burst = wire.MatchFactor, wire.MatchBurst
	}
	if len(d.quotas) > 2*maxNames {
		clear(d.quotas)
		clear(d.silence)
	}
	q := quota{name, suspended}
	if d.quotas[q] == nil {
		d.quotas[q] = wire.NewQuota(factor, burst)
		if d.noRefill {
			d.quotas[q].SetLimit(0)
		}
	}
	exceeded := !d.quotas[q].AllowN(now, size)
	switch {
	case suspended && exceeded:
		d.silence[name] = now.Add(silenceTime)
		return true, nil
	case suspended:
		return now.Before(d.silence[name]), nil
	case !exceeded:
		return false, nil
	}
	delete(d.quotas, q) // a new one when the suspension ends
	return false, fmt.Errorf("it sent more than %.0f MiB faster than %.0f MiB a second; each message, like any other line of the NATS protocol, counts as %d KiB more, and a request to the hub, or a message that its key does not permit, as %d KiB more",
		burst*wire.QuotaBurst/(1<<20), factor*wire.QuotaRate/(1<<20), wire.MessageCost>>10, requestCost>>10)
}
