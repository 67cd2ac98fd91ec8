package hub

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gyre/bench/hub/internal/wire"
)

// errNoWorkers reports that nobody plays.
var errNoWorkers = errors.New("there is no worker yet: games begin when one connects")

// errNoKey reports that a detached match waits for the key of its owner.
var errNoKey = errors.New("the hub no longer has the key that started it: it resumes when the key is back, or an administrator may stop it")

// noWorkersFor returns why nobody plays a match that needs offered engines.
func noWorkersFor(needs []string) error {
	if len(needs) == 0 {
		return errNoWorkers
	}
	return fmt.Errorf("there is no worker yet that offers %s: games begin when one connects", strings.Join(needs, " and "))
}

// hubState is what a task reads from the hub.
type hubState struct {
	faultsAnswered int // dispatcher.faultsAnswered before
	faults         map[string]*wire.Faults
	workers        map[string]WorkerStatus
	limit          int       // of units out; negative for none
	removed        bool      // whether the hub no longer has the key of the owner
	sharing        int       // the matches of this key that share what it may send a worker
	panicked       error     // a panic of the score, which the status lacks then
	err            error     // why the rest is missing
	setsUp         bool      // whether files were sent before
	restoredAt     time.Time // dispatcher.restoredAt before
	interrupted    bool      // whether the connection was interrupted meanwhile
}

// statusRequest is the status of a task without its score.
type statusRequest struct {
	request        wire.ReportRequest
	status         MatchStatus
	faultsAnswered int // dispatcher.faultsAnswered
}

// status returns the status of the task without its score.
func (d *dispatcher) status() *statusRequest {
	d.mu.Lock()
	recorded := d.recorded
	d.mu.Unlock()
	r := &statusRequest{faultsAnswered: d.faultsAnswered}
	r.status = MatchStatus{Match: d.spec.Match, Client: d.spec.Client, Games: recorded, Out: d.jobs(), Newest: d.task.newest(), Needs: d.needs,
		Queue: d.queue, Owner: d.owner}
	r.request = wire.ReportRequest{Key: wire.LastToken(d.key), Owner: d.owner, Out: r.status.Out, Idle: d.isIdle()}
	if d.limit < math.MaxInt {
		r.request.Limit = d.limit
	}
	return r
}

// isIdle reports whether no worker has a unit, and none got one or the specification for a while.
func (d *dispatcher) isIdle() bool {
	for _, p := range d.peers {
		if p.held > 0 {
			return false
		}
	}
	return time.Since(d.suppliedAt) > wire.LiveTTL
}

// report adds the score to a status and sends it to the hub, which also says that the task is played.
// It may be called from any goroutine.
func (d *dispatcher) report(ctx context.Context, r *statusRequest) *hubState {
	ctx, stop := context.WithTimeout(ctx, requestTimeout)
	defer stop()
	h := &hubState{faultsAnswered: r.faultsAnswered}
	if d.score != nil {
		h.panicked = Contained(func() error {
			r.status.Progress = d.score()
			return nil
		})
	}
	if r.request.Status, h.err = r.status.text(); h.err != nil {
		return h
	}
	var reply wire.ReportReply
	_, h.err = d.hub.ask(ctx, wire.Report, d.hub.token(), &r.request, nil, &reply)
	h.faults, h.workers, h.limit, h.removed, h.sharing = reply.Faults, d.hub.roster.parse(reply.Workers), reply.Limit, reply.Removed, reply.Sharing
	return h
}

// apply updates the faults, the limit, and the slots of the workers that take this task's jobs.
func (d *dispatcher) apply(h *hubState) {
	if h.panicked != nil {
		d.warnOnce(h.panicked)
	}
	if d.faultsAdded == h.faultsAnswered { // otherwise they may lack the last one
		for name, f := range h.faults {
			if f.Suspended() && !d.suspended(name) {
				if d.peers[name] != nil { // it has worked for this match
					d.warnOf(name, fmt.Errorf("worker %s is suspended by the hub for a day%s", name, printable(f.Reason())))
				}
				d.release(name)
			}
		}
		d.faults = h.faults // the hub forgets them after a day
		if d.faults == nil {
			d.faults = map[string]*wire.Faults{}
		}
	}
	if d.limit, d.removed, d.sharing = h.limit, h.removed, h.sharing; h.limit < 0 {
		d.limit = math.MaxInt
	}
	restarted := time.Since(d.restoredAt) < heartbeatInterval // workers report soon
	if len(h.workers) == 0 && restarted {
		return
	}
	d.slots, d.workers = 0, map[string]bool{}
	for _, p := range d.peers {
		if !restarted {
			p.slots = 0
		}
	}
	for name, w := range h.workers {
		d.peer(name).slots = w.Slots
		if w.Slots == 0 { // it has left
			d.release(name)
		}
		if !d.suspended(name) && !slices.Contains(w.Refuses, d.key) && w.Slots > 0 && offersAll(w.Offers, d.needs) {
			d.slots += d.peer(name).most() / 2
			d.workers[name] = true
		}
	}
	d.excess = 0
	for name, p := range d.peers {
		if d.excess += p.held; d.workers[name] {
			d.excess -= min(p.held, p.most())
		}
	}
	var why error
	switch {
	case h.removed:
		why = errNoKey
	case d.slots == 0:
		why = noWorkersFor(d.needs)
	}
	if fmt.Sprint(why) != fmt.Sprint(d.idleFor) {
		if d.idleFor = why; why != nil {
			d.warnOf("", d.hub.wrap(why)) // a worker may come and go all the time
		}
		if d.waits != nil {
			d.waits(why)
		}
	}
}
