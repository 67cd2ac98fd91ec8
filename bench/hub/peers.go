package hub

import (
	"slices"
	"time"

	"golang.org/x/time/rate"

	"gyre/bench/hub/internal/wire"
)

// peer is what a dispatcher knows of a worker.
type peer struct {
	quota *rate.Limiter
	// specs is how much it may get of specifications, and replies of all else; see dispatcher.spend.
	specs, replies *rate.Limiter

	slots  int // as it reported
	sent   int // valid results since it was late last; see markLate
	delays int // how often it kept the match waiting; at most maxDelays
	// delayedAt is when that counted last, and gotAt when it got a unit, or became late.
	delayedAt, gotAt time.Time
	credit           int // bytes of results that it may send again
	// creditedAt is when it got the whole credit last.
	creditedAt time.Time
	held       int // units that it has
	idle       int // requests that wait for a unit
	// vainly is when a request for a unit waited long enough, if the worker has not asked again.
	vainly  time.Time
	judged  int // results that are being verified
	largest int // bytes of its largest result that counted
	// taken is when units were taken from it whose results it may still send; see wasteLate.
	taken []time.Time
	// active is when it last asked for a unit that it could have got, or reported that it plays one; at first when the
	// match saw it first.
	active time.Time
	asks   bool // it has asked for a unit
	// disproved counts the faults of engines that it reported, and another worker or this machine did not find.
	disproved   int
	pausedUntil time.Time // it gets no units before that; see dispatcher.disprove
	// unanswered are the subjects of replies that it did not get.
	unanswered map[string]bool
	told       map[string]bool // what was reported in its name; see claims
}

// unproven is how many of its slots count of a worker that has sent no results. It could take all jobs and
// play none.
const unproven = 16

// most returns how many units, and how many waiting requests and results, a worker can have: twice its slots, so that
// one that restarts does not wait. One that kept the match waiting begins with one slot. It needs two results for each
// further one, and twice as many each time that it does so again before it has all of them.
func (p *peer) most() int {
	slots := unproven + p.sent
	if p.delays > 0 {
		slots = 1 + p.sent>>p.delays
	}
	return 2 * min(max(p.slots, 1), slots)
}

// prove notes a valid result of a worker. One that may have all its slots again, or would if it had leastProof, has made up
// for its delays: one with a single slot could delay every other unit otherwise.
func (d *dispatcher) prove(worker string) {
	p := d.peer(worker)
	if p.sent++; 1+p.sent>>p.delays >= max(p.slots, leastProof) {
		p.delays = 0
		delete(d.late, worker)
	}
}

// markLate notes that a worker fell silent or kept a recheck for long, or, with delays, that all others had to wait for a
// unit of it. That counts once in Settings.Silent: all units of a worker come back together if somebody stops it.
func (d *dispatcher) markLate(worker string, delays bool) {
	p, now := d.peer(worker), time.Now()
	p.sent = 0
	if !d.late[worker] {
		d.late[worker], p.gotAt = true, now
	}
	if delays && (p.delays == 0 || now.Sub(p.delayedAt) > d.settings.Silent) {
		p.delays, p.delayedAt = min(p.delays+1, maxDelays), now
	}
}

// isStarved reports whether a late worker has not got a unit for long: the others may ask for units and play none.
func (d *dispatcher) isStarved(worker string) bool {
	return d.late[worker] && time.Since(d.peer(worker).gotAt) > d.settings.Silent
}

// yields reports whether a late worker leaves a unit to another one that waits for it.
func (d *dispatcher) yields(worker string, u *unit) bool {
	return d.late[worker] && !d.isStarved(worker) && d.isAwaited(u)
}

const (
	maxDelays  = 8 // bounds peer.delays
	leastProof = 16
)

// isPaused reports whether a worker gets no units for now, and confirms no faults.
func (p *peer) isPaused() bool { return time.Now().Before(p.pausedUntil) }

// assign gives a unit to a worker, or with an empty name to none.
func (d *dispatcher) assign(u *unit, worker string) {
	d.hold(u.worker, -1)
	u.worker = worker
	d.hold(worker, 1)
}

// hold changes how many units a worker has. If the window does not count the worker, it grows by as many units at once:
// otherwise such a worker could take every unit and leave none to the others.
func (d *dispatcher) hold(worker string, change int) {
	if worker == "" {
		return
	}
	if d.peer(worker).held += change; !d.workers[worker] {
		d.excess += change
	}
}

// peer returns what is known of a worker.
func (d *dispatcher) peer(worker string) *peer {
	p := d.peers[worker]
	if p == nil {
		p = &peer{
			quota: wire.NewQuota(1, 1), specs: rate.NewLimiter(specRate, specBurst), replies: rate.NewLimiter(jobRate, jobBurst), credit: maxHeld,
			creditedAt: time.Now(), active: time.Now(), unanswered: map[string]bool{}, told: map[string]bool{},
		}
		if d.settings.noRefill {
			p.quota.SetLimit(0)
			p.specs.SetLimit(0)
			p.replies.SetLimit(0)
		}
		d.peers[worker] = p
	}
	return p
}

// wasteCost is how often a result that cannot count is charged in addition: at the quota of the hub, results
// would fill the link of a match.
const wasteCost = 7

// waste charges a worker for a result that cannot count, or not yet, or for a heartbeat of a job that it does not have.
// Workers send results again if they do not get the reply, so as many bytes as its results had that counted cost nothing
// more, nor as many as it may hold when a match begins, or reconnects for the first time in as long as it holds them. See
// newPaceAgain for more.
func (d *dispatcher) waste(worker string, size int) {
	p := d.peer(worker)
	free := min(size, p.credit)
	p.credit -= free
	d.fine(worker, size-free)
}

// noteTaken notes that a worker has lost a unit without giving it back.
func (d *dispatcher) noteTaken(worker string) {
	p := d.peer(worker)
	p.taken = append(p.taken[max(len(p.taken)+1-2*maxSlots, 0):], time.Now())
}

// wasteLate charges a worker for a result that cannot count, or not yet. For each unit that was taken from it in the last
// heldFor, one is free up to twice the largest result of another worker: an honest one with many slots may lose all its units at
// once. Its own results set no size, as they may be lies.
func (d *dispatcher) wasteLate(worker string, size int) {
	p := d.peer(worker)
	p.taken = slices.DeleteFunc(p.taken, func(at time.Time) bool { return time.Since(at) >= heldFor })
	if len(p.taken) > 0 {
		p.taken = p.taken[1:]
		largest := 0
		for name, other := range d.peers {
			if name != worker {
				largest = max(largest, other.largest)
			}
		}
		size = max(size-2*largest, 0)
	}
	d.waste(worker, size)
}

// fine charges a worker for bytes that no worker has a reason to send.
func (d *dispatcher) fine(worker string, size int) {
	if size > 0 && !d.peer(worker).quota.AllowN(time.Now(), wasteCost*size) { // AllowN refuses even 0 while the worker owes for replies
		d.suspend(worker, errWaste)
	}
}
