package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/time/rate"

	"gyre/bench/hub/internal/wire"
)

// task is what a dispatcher plays over a hub: a match, or ranges of numbers. Its methods are
// called by the goroutine of dispatch unless they say otherwise.
type task interface {
	// verify returns why a result cannot be that of a unit; nil if it can. It may be called
	// from any goroutine.
	verify(u *unit, r *resultMessage) error
	// needsReplay returns why a unit is to be played again before its result is accepted;
	// nil to accept it.
	needsReplay(r *resultMessage, worker string) error
	// faultEnds reports whether the task ends with a result that needsReplay doubted, once it is accepted.
	faultEnds() bool
	// mayPlay reports whether there is memory for the result of a unit until it is recorded.
	mayPlay(u *unit) bool
	// reserve takes memory for a valid result. If there is none, the worker keeps the result, and sends it again.
	reserve(u *unit, r *resultMessage) bool
	// record stores a valid result for which there is memory. It calls recorded, from any goroutine, when the result
	// is on disk. An error ends the task.
	record(u *unit, r *resultMessage, worker string, recorded func()) error
	// mismatch returns how two results of a job differ; nil if they do not.
	mismatch(one, other *resultMessage) error
	// replay plays a unit on this machine, or returns errNotHere. It may be called from any
	// goroutine.
	replay(ctx context.Context, u *unit) (*resultMessage, error)
	// note notes what was found out about a unit.
	note(u *unit, f finding)
	// retract takes the results of a worker out of the task, except for the confirmed units. excludes says that it plays no
	// more of the task.
	retract(worker string, excludes bool, why error)
	// newest returns the game recorded last; nil for none.
	newest() *Newest
}

// finding is what was found out about a unit.
type finding int

const (
	confirmed finding = iota // another worker played it with the same result
	disputed                 // another worker played it with another result
	doubted                  // a worker reported a fault that would end the task
)

// errNotHere reports that this machine does not have the programs of a match.
var errNotHere = errors.New("this machine does not have the programs")

// work is what a client or a Controller has a dispatcher play.
type work struct {
	hub      *Hub
	spec     *Spec     // what workers need to know; it never changes, although files may
	blobs    []*Blob   // files that workers need
	owner    string    // the key of the client
	began    time.Time // none of its jobs was played before
	queue    Queue
	settings Settings
	score    func() Progress // nil for none; it may be called from any goroutine
	waits    func(why error) // if not nil, gets why no worker can play, and nil when one can
	// dispatching, if not nil, gets 1 before the dispatcher receives from pings, and -1 afterwards.
	dispatching func(change int)
	pings       chan struct{}
	memory      *memory // for results that wait; see Ranges
}

// dispatcher hands out the units of a task to the workers of a hub and collects their results.
// A worker asks for a unit with a request. Its next request carries the result, and the reply
// comes when the result is on disk. The dispatcher gives a unit to another worker if its worker
// is silent. Its methods are called by the goroutine of dispatch unless they say otherwise.
type dispatcher struct {
	work
	task     task
	warnings *wire.Warnings // by worker; see warnOf

	key            string    // of the match, with its owner
	text           []byte    // the specification
	needs          []string  // engines that workers must offer
	uploading      bool      // whether a goroutine sends the files again
	uploadedAt     time.Time // when one did last
	window         *window
	ready          []*unit                 // to be handed out, in this order
	idle           []*request              // that wait for a unit
	faults         map[string]*wire.Faults // by worker, as the hub has them
	peers          map[string]*peer        // workers, by name
	late           map[string]bool         // workers that have not made up for what markLate noted
	judging        map[resultID]*request   // the last request with a result that is being verified
	rechecks       map[int]*recheck        // by unit
	disputed       map[int]*recheck        // those with results that differ, also of earlier executions, by unit
	longest        time.Duration           // from giving a unit to its result, also in earlier executions; see check
	checksBegan    time.Time               // when the first unit came that is only checked; see match.Checker
	checksFor      time.Duration           // for how long the task waits for these at most; 0 for none
	excluded       map[string]bool         // workers whose results of this task are rejected
	arbitrating    int                     // mismatches that this machine decides now
	lastDispatched int                     // the highest unit dispatched; -1 for none
	slots          int                     // of the workers that take this task's jobs
	workers        map[string]bool         // the names of these workers
	excess         int                     // units that others have, or they beyond their slots
	limit          int                     // of units out, as the hub says; math.MaxInt for none
	removed        bool                    // whether the hub no longer has the key of the owner
	sharing        int                     // the matches of this key that share what it may send a worker, as the hub says
	suppliedAt     time.Time               // when a worker got a job or the specification last
	idleFor        error                   // why nobody can play, as the last warning said; nil if somebody can
	needsSetup     bool                    // whether the hub may lack the task or its files
	startedAt      time.Time
	restoredAt     time.Time // when the task was set up again after a reconnection
	tickedAt       time.Time
	checkedAt      time.Time // when only rechecks were left, or the last of these ended
	warned         string    // the last warning about the hub
	faultsAdded    int       // number of calls of blameFor
	faultsAnswered int       // how many of these the hub has replied to, or will not
	polling        bool      // whether a goroutine polls the hub
	failed         error     // ends the task
	back           <-chan struct{}
	judged         chan *verdict
	arbitrated     chan *arbitration
	faulted        atomic.Bool   // whether a result with a fault was accepted
	playingHere    chan struct{} // bounds the doubts that this machine plays at the same time
	playedHere     chan *doubt
	polled         chan *hubState
	uploaded       chan error
	blamed         chan *blamed
	judges         chan struct{} // bounds the results that are verified at the same time
	// start runs a function in a goroutine that dispatch waits for.
	start   func(func(context.Context))
	waiters map[int][]*request // with results on their way to the disk, by unit

	mu         sync.Mutex
	recording  map[int]bool  // units with results on their way to the disk
	onDisk     []int         // units whose results got there
	recorded   int           // games
	someOnDisk chan struct{} // signaled when onDisk gets an element
}

// Settings are the times and rates of a dispatcher.
type Settings struct {
	Silent time.Duration // a job goes to another worker after its worker has been silent for this long
	Tick   time.Duration // between two looks at the workers
	// Patience is the least time after which the lowest unit, if it takes three times as long
	// as others, is also played by another worker.
	Patience time.Duration
	// Recheck is the number of jobs of which one, on average, is played again by another
	// worker and compared; 0 for none.
	Recheck int
	// noRefill lets the quotas of workers count all that they ever send, for tests.
	noRefill bool
}

// Default are the settings of real matches.
var Default = Settings{Silent: time.Minute, Tick: 2 * time.Second, Patience: 5 * time.Second, Recheck: 100}

// Queue says which match a worker plays if there are several. Workers play those with the
// highest priority. Of these each gets time in proportion to its share; 0 means 1.
type Queue struct {
	Priority int     `json:"priority,omitempty"`
	Share    float64 `json:"share,omitempty"`
}

// minWindow is how many units are out even without workers, for the first one that comes.
const minWindow = 2

// reset makes a dispatcher that has handed out nothing.
func (d *dispatcher) reset() {
	d.faults, d.peers = map[string]*wire.Faults{}, map[string]*peer{}
	d.late = map[string]bool{}
	d.judging, d.waiters = map[resultID]*request{}, map[int][]*request{}
	d.rechecks, d.recording, d.someOnDisk = map[int]*recheck{}, map[int]bool{}, make(chan struct{}, 1)
	d.judged, d.arbitrated, d.polled, d.uploaded, d.blamed = make(chan *verdict), make(chan *arbitration), make(chan *hubState), make(chan error), make(chan *blamed)
	d.playingHere, d.playedHere = make(chan struct{}, 1), make(chan *doubt)
	d.judges = make(chan struct{}, runtime.GOMAXPROCS(0))
	if d.excluded == nil {
		d.excluded = map[string]bool{}
	}
	if d.disputed == nil {
		d.disputed = map[int]*recheck{}
	}
	d.startedAt = time.Now()
	d.settings = cmp.Or(d.settings, Default)
	d.window, d.lastDispatched = newWindow(d.settings.Patience), -1
}

// dispatch hands out units, in their order, until the channel is closed and all of them are
// recorded, or ctx is done. Then the error is ctx's cause.
func (d *dispatcher) dispatch(ctx context.Context, units <-chan *unit) error {
	d.reset()
	var err error
	if d.key, d.text, err = d.spec.key(); err != nil {
		return err
	}
	d.key = d.hub.token() + "." + d.key
	d.needs = d.spec.needs()
	// Workers may ask as soon as they see the task.
	messages, unsubscribe, err := d.hub.subscribe(wire.NextSubject(d.key, wire.Any), wire.BeatSubject(d.key, wire.Any))
	if err != nil {
		return d.hub.wrap(err)
	}
	working, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	d.start = func(do func(context.Context)) { all.Go(func() { do(working) }) }
	err = Contained(func() error { // a panic ends this task, and no other one
		if d.dispatching != nil {
			d.dispatching(1)
			defer d.dispatching(-1)
		}
		return d.run(working, messages, units)
	})
	stop()
	d.end()
	unsubscribe()
	for len(messages) > 0 { // requests that came meanwhile
		m := <-messages
		d.reply(&request{worker: wire.LastToken(m.Subject), msg: m.Msg}, &nextReply{})
	}
	all.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// warnOnce reports an error of the hub, unless it is the one reported last.
func (d *dispatcher) warnOnce(err error) {
	if text, _, _ := strings.Cut(err.Error(), "\n"); text != d.warned { // a panic's stack differs each time
		d.warned = text
		d.warnOf("", err)
	}
}

// upload sends the files that the hub does not have. doubted is the hash of a file that a worker did not get; empty for
// none. It may be called from any goroutine.
func (d *dispatcher) upload(ctx context.Context, doubted string) error {
	for _, b := range d.blobs {
		if err := d.hub.putBlob(ctx, d.owner, b, b.SHA256 == doubted); err != nil {
			return err
		}
	}
	return nil
}

// poll sends the files that the hub lacks, if the task needs a setup, and then reports the status. The match serves workers
// meanwhile.
func (d *dispatcher) poll() {
	request, setsUp, restoredAt := d.status(), d.needsSetup, d.restoredAt
	d.polling = true
	d.start(func(ctx context.Context) {
		ctx, stop := d.hub.perConnection(ctx)
		defer stop()
		h := &hubState{}
		if setsUp {
			h.err = Contained(func() error { return d.upload(ctx, "") })
		}
		if h.err == nil {
			h = d.report(ctx, request)
		}
		h.setsUp, h.restoredAt, h.interrupted = setsUp, restoredAt, isInterrupted(ctx, h.err)
		d.polled <- h
	})
}

// learn takes what a poll found out. If a setup fails, the next tick tries again, unless it is the first one and a file is
// missing here.
func (d *dispatcher) learn(h *hubState) {
	d.polling = false
	_, local := errors.AsType[*fileError](h.err)
	switch err := d.hub.wrap(h.err); {
	case err == nil:
		if d.apply(h); h.setsUp && h.restoredAt.Equal(d.restoredAt) {
			d.needsSetup, d.warned = false, ""
			d.renewAll() // workers could not see the match before
		}
	case local && d.restoredAt.IsZero():
		d.failed = err
	case h.interrupted || !h.setsUp && !d.hub.connected():
	default:
		if d.warnOnce(err); h.setsUp {
			if d.idleFor = err; d.waits != nil {
				d.waits(err)
			}
		}
	}
	if d.needsSetup && h.interrupted {
		d.poll()
	}
}

// restore sets the task up again after a reconnection: the hub may have a new store. It forgets for
// how long workers have been silent, as learn does after the setup: no message could arrive.
func (d *dispatcher) restore() {
	d.restoredAt, d.needsSetup, d.back = time.Now(), true, d.hub.reconnected()
	if d.renewAll(); !d.polling {
		d.poll()
	}
}

// resendInterval is the least time between two uploads that workers cause.
const resendInterval = 5 * time.Second

// reupload sends the files again after a worker found one missing or damaged on the hub. The match goes on
// meanwhile.
func (d *dispatcher) reupload(missing string) {
	if d.uploading || d.needsSetup || time.Since(d.uploadedAt) < resendInterval || !slices.ContainsFunc(d.blobs, func(b *Blob) bool { return b.SHA256 == missing }) {
		return
	}
	d.uploading = true
	away(d, d.uploaded, func(ctx context.Context) error {
		ctx, stop := d.hub.perConnection(ctx)
		defer stop()
		err := d.upload(ctx, missing)
		if isInterrupted(ctx, err) {
			err = nil // restore sends them
		}
		return err
	})
}

// away runs do in a goroutine and sends its outcome to the loop of the task, which serves workers meanwhile, unless the task
// ends first.
func away[T any](d *dispatcher, outcome chan<- T, do func(context.Context) T) {
	d.start(func(ctx context.Context) {
		result := do(ctx)
		if ctx.Err() != nil { // it may be wrong
			return
		}
		select {
		case outcome <- result:
		case <-ctx.Done():
		}
	})
}

// end reports the number of warnings that were left out and the final status of the task, removes the task from the hub
// and replies to all workers that wait.
func (d *dispatcher) end() {
	d.warnings.Flush(true)
	for _, all := range d.waiters {
		for _, r := range all {
			d.reply(r, &nextReply{})
		}
	}
	for _, r := range d.idle {
		d.reply(r, &nextReply{})
	}
	if d.polling { // no earlier status may follow the last one
		<-d.polled
	}
	ctx, stop := context.WithTimeout(context.Background(), closeTimeout)
	defer stop()
	if d.hub.connected() {
		h := d.report(ctx, d.status())
		if h.panicked != nil {
			d.warnOnce(h.panicked)
		}
		if h.err == nil { // those who follow keep an earlier one
			r := &wire.ReportRequest{Key: wire.LastToken(d.key), Ended: true}
			_, _ = d.hub.ask(ctx, wire.Report, d.hub.token(), r, nil, &wire.ReportReply{}) // the status expires
		}
	}
}

// run hands out units and takes results until there are no more of either.
func (d *dispatcher) run(ctx context.Context, messages <-chan delivery, units <-chan *unit) error {
	tick := time.NewTicker(d.settings.Tick)
	defer tick.Stop()
	d.needsSetup, d.back = true, d.hub.reconnected()
	d.poll()
	d.learn(<-d.polled)
	d.tickedAt = time.Now()
	for d.failed == nil && !d.isLate() && (units != nil || len(d.window.open) > 0 || d.unrecorded() || d.checking()) {
		var next <-chan *unit
		if d.jobs() < d.windowSize() && !(d.checks() && d.areRechecksFull(0)) {
			next = units
		}
		select {
		case u, open := <-next:
			if !open {
				units = nil
				continue
			}
			d.take(u)
		case m := <-messages:
			d.receive(m)
		case v := <-d.judged:
			d.decide(v)
		case a := <-d.arbitrated:
			d.arbitrate(a)
		case f := <-d.playedHere:
			d.settle(f)
		case h := <-d.polled:
			d.learn(h)
		case err := <-d.uploaded:
			if d.uploading, d.uploadedAt = false, time.Now(); err != nil {
				d.warnOnce(d.hub.wrap(err))
			}
		case b := <-d.blamed:
			d.noteBlamed(b)
		case <-d.someOnDisk:
			d.replyRecorded()
		case <-d.pings:
		case <-d.back:
			d.restore()
		case <-tick.C:
			d.tick()
		case <-d.hub.closed:
			return d.hub.wrap(ErrNoAccess)
		case <-ctx.Done():
			return nil
		}
		d.handOut()
	}
	if d.isLate() {
		d.warnOf("", fmt.Errorf("the match ends, although other workers have not checked all of the results that they were to check: they had %v", d.checksFor))
	}
	for _, c := range d.rechecks {
		d.abandon(c)
	}
	for _, c := range d.disputed { // that this machine has not decided in time
		d.convict(c)
	}
	d.awaitFaults(ctx)
	return d.failed
}

// take makes a unit ready to be played, or to be checked.
func (d *dispatcher) take(u *unit) {
	if u.earlier != nil {
		d.check(u)
		return
	}
	d.window.add(u, time.Now())
	d.lastDispatched = max(d.lastDispatched, u.number)
	d.ready = append(d.ready, u)
}

// jobs returns how many units are out. A recheck counts only while a worker has it: there may be
// none for it.
func (d *dispatcher) jobs() int {
	n := len(d.window.open)
	for _, c := range d.rechecks {
		if c.unit.worker != "" {
			n++
		}
	}
	return n
}

// windowSize returns how many units may be out: none before the limit is known.
func (d *dispatcher) windowSize() int {
	return min(max(minWindow, 2*d.slots)+d.excess, d.limit)
}

// request is a request of a worker that has no reply yet.
type request struct {
	worker string
	msg    *nats.Msg
	next   bool      // whether the worker can play a unit
	paid   bool      // whether it had a result that counts, which pays for the reply
	at     time.Time // when it came
}

// resultID identifies a result.
type resultID struct {
	worker        string
	unit, attempt int
}

// rejected says why a result is rejected.
func (id resultID) rejected(why error) error {
	return fmt.Errorf("its result of job %d was rejected: %w", id.unit, why)
}

// receive takes a message of a worker.
func (d *dispatcher) receive(m delivery) {
	// First what costs nothing: size and rate, then suspension, then the contents.
	worker, size := wire.LastToken(m.Subject), m.take()
	p, r := d.peer(worker), &request{worker: worker, msg: m.Msg, at: time.Now()}
	if !d.suspended(worker) && !p.quota.AllowN(r.at, size+wire.MessageCost) {
		d.suspend(worker, errQuota)
	}
	if lost := size - len(m.Data); lost > 0 && !d.suspended(worker) { // more than it may have in the queue
		d.waste(worker, lost)
		size -= lost
	}
	isBeat := m.Subject == wire.BeatSubject(d.key, worker)
	if d.suspended(worker) {
		if !isBeat && p.quota.Tokens() >= 0 {
			d.reply(r, &nextReply{Done: true, Suspended: true})
		}
		return
	}
	if isBeat {
		if b, err := parseBeat(m.Data); err != nil {
			d.blame(worker, fmt.Errorf("it sent a match an invalid heartbeat: %w", err))
		} else if !d.beat(worker, b) {
			d.waste(worker, size+wire.MessageCost)
		}
		return
	}
	message, err := parseNext(m.Data)
	if err != nil {
		d.blame(worker, fmt.Errorf("it sent a match an invalid request: %w", err))
		d.reply(r, &nextReply{})
		return
	}
	if !wire.IsReply(m.Reply, worker, d.hub.token()) { // no reply can go there, and what the subject says is not kept
		d.fine(worker, size)
		return
	}
	p.vainly = time.Time{}
	r.next, m.Data = message.Next, nil // a request may wait for long, and only judge needs its result
	d.forgetReplies(p, r, message.Unanswered)
	if message.Spec {
		if p.specs.TokensAt(r.at) < 0 { // it asks again, and pays for that as for a request to the hub
			p.quota.ReserveN(r.at, min(len(d.text), wire.MaxRequest))
			return
		}
		d.reply(r, &nextReply{Spec: d.text})
		return
	}
	if len(message.result) == 0 {
		switch {
		case d.give(r, false):
		case message.Wait && d.takesUnit(r) && p.idle < p.most():
			p.idle++
			d.idle = append(d.idle, r)
		default:
			d.reply(r, &nextReply{})
		}
		return
	}
	id := resultID{worker, message.Unit, message.Attempt}
	u := d.window.open[id.unit]
	if c := d.rechecks[id.unit]; u == nil && c != nil {
		u = c.unit
	}
	switch {
	case d.judging[id] != nil: // sent again
		d.judging[id] = r
		d.waste(worker, size)
	case u == nil || p.judged >= p.most() || slices.Contains(u.rejected, id) || !u.takesFrom(worker):
		// Of a match that was resumed and has not come to this unit yet, or more than it can have.
		later := u == nil && id.unit > d.lastDispatched && !d.checks() || p.judged >= p.most()
		switch d.wasteLate(worker, size); {
		case d.suspended(worker):
			d.reply(r, &nextReply{Done: true, Suspended: true})
		case later:
			d.reply(r, &nextReply{})
		default:
			d.finish(r, id.unit)
		}
	case d.window.open[id.unit] == u && !d.task.mayPlay(u):
		d.decline(r, u, id, size)
	default:
		p.judged++
		d.judging[id] = r
		away(d, d.judged, func(context.Context) *verdict { return d.judge(id, u, message.result) })
	}
}

// forgetReplies hands out the units again that a worker has not received: it got no reply to the requests with
// the given numbers. Those of these that still wait stop waiting.
func (d *dispatcher) forgetReplies(p *peer, r *request, unanswered []uint64) {
	if len(unanswered) == 0 { // as nearly always
		return
	}
	connection := r.msg.Reply[:strings.LastIndexByte(r.msg.Reply, '.')+1]
	for _, number := range unanswered {
		if len(p.unanswered) >= 2*maxSlots {
			clear(p.unanswered)
		}
		p.unanswered[connection+strconv.FormatUint(number, 36)] = true
	}
	d.idle = slices.DeleteFunc(d.idle, func(waits *request) bool {
		return waits.worker == r.worker && d.stopWaiting(waits, p.unanswered[waits.msg.Reply])
	})
	if p.held == 0 {
		return
	}
	for _, u := range d.out() {
		if u.worker == r.worker && p.unanswered[u.reply] {
			since := u.since
			u.loser, u.firstGiven = r.worker, u.given
			d.retry(u)
			u.since = since // the same worker may play it, but has no more time for it
			u.holders = slices.DeleteFunc(u.holders, func(holder string) bool { return holder == r.worker })
			u.lose(r.worker)
		}
	}
}

// stopWaiting counts a request that waited no more if it got a reply, and reports whether it did.
func (d *dispatcher) stopWaiting(r *request, replied bool) bool {
	if replied {
		d.peer(r.worker).idle--
	}
	return replied
}

// beat notes that a worker plays a unit, or does not, and reports whether it had the unit.
func (d *dispatcher) beat(worker string, b beatMessage) (had bool) {
	units := []*unit{d.window.open[b.Unit]}
	if c := d.rechecks[b.Unit]; c != nil {
		units = append(units, c.unit)
	}
	for _, u := range units {
		if u != nil && u.attempt == b.Attempt && u.worker == worker {
			had, u.renewed = true, time.Now()
			if b.Left {
				delete(u.gotAt, worker)
				d.returned(u)
			} else if u == d.window.open[b.Unit] { // nobody takes a recheck from one that reports for ever
				d.peer(worker).active = u.renewed
			}
		}
	}
	return had
}

// out returns the units that workers may play now, rechecks included.
func (d *dispatcher) out() (all []*unit) {
	for _, u := range d.window.open {
		all = append(all, u)
	}
	for _, c := range d.rechecks {
		all = append(all, c.unit)
	}
	return all
}

// renewAll forgets for how long workers have been silent: no message could arrive. They send again what they hold.
func (d *dispatcher) renewAll() {
	for _, u := range d.out() {
		u.renewed, u.given = time.Now(), time.Now()
	}
	for _, p := range d.peers {
		p.active = time.Now()
		if time.Since(p.creditedAt) >= heldFor { // its messages may have ended the connection
			p.credit, p.creditedAt = maxHeld, time.Now()
		}
	}
}

// mayPlay reports whether a worker may play a ready unit. One that was taken from it waits for another worker, but
// not for ever. One that is played again to check a result goes to each worker once, in an order that is drawn. If no
// others are left, those may play it again that played it first, but not to check their own result.
func (d *dispatcher) mayPlay(u *unit, worker string) bool {
	waited := time.Since(u.since)
	if len(d.workers) > len(u.holders) && waited < d.settings.Silent && slices.Contains(u.holders, worker) {
		return false
	}
	if _, asked := u.asked[worker]; !asked {
		return u.asked == nil || d.draw(u, worker)
	}
	known := min(waited, time.Since(d.restoredAt)) >= min(d.settings.Silent, heartbeatInterval) // workers that reconnect have reported
	return known && d.window.open[u.number] == u && !d.awaitsOthers(u, worker)
}

// draw reports whether it is a worker's turn to check a result. If the first who asks were to, one that asks all the time
// would check nearly all results, such as those of a friend. It is the turn of one that plays here or asks, for a while:
// then the first who asks gets the unit, so that no match waits for long.
func (d *dispatcher) draw(u *unit, worker string) bool {
	now := time.Now()
	if only := d.turnOf(u, now); only != "" {
		return worker == only
	}
	switch {
	case u.drawn == "":
		u.turnEnds = now.Add(max(d.window.patience(), d.settings.Silent))
	case now.After(u.turnEnds):
		return true
	}
	var playing []string
	for name := range d.workers {
		if d.mayConfirm(u, name) && d.isPlaying(name) && !d.late[name] {
			playing = append(playing, name)
		}
	}
	if len(playing) == 0 {
		return true // the hub does not know this worker yet
	}
	u.drawn = playing[rand.IntN(len(playing))]
	return worker == u.drawn
}

// turnOf returns the only worker that may take a ready unit for now; empty if others may.
func (d *dispatcher) turnOf(u *unit, now time.Time) string {
	if u.drawn != "" && !now.After(u.turnEnds) && d.mayConfirm(u, u.drawn) && d.isPlaying(u.drawn) {
		return u.drawn
	}
	return ""
}

// isPlaying reports whether a worker has lately asked for a unit, or reported that it plays one.
func (d *dispatcher) isPlaying(worker string) bool {
	p := d.peer(worker)
	return p.asks && !p.isPaused() && time.Since(p.active) <= d.settings.Silent
}

// mayConfirm reports whether a worker has not been asked yet to play a unit again, and asks for units: one that plays
// nothing here must not keep a match from its end.
func (d *dispatcher) mayConfirm(u *unit, worker string) bool {
	_, asked := u.asked[worker]
	return d.workers[worker] && !asked && !d.suspended(worker) && time.Since(d.peer(worker).active) <= max(maxPatience, u.patience)
}

// anotherFor reports whether another worker may confirm the first result of a unit.
func (d *dispatcher) anotherFor(u *unit) bool {
	for name := range d.workers {
		if d.mayConfirm(u, name) {
			return true
		}
	}
	return false
}

// awaitsOthers reports whether a worker may still confirm the fault of a unit: one that may be asked to, or one that was asked,
// is not the named one, and has reported no fault. It may still play the unit, even after that was taken from it.
func (d *dispatcher) awaitsOthers(u *unit, worker string) bool {
	if d.anotherFor(u) {
		return true
	}
	for name, asked := range u.asked {
		if asked && name != worker && d.workers[name] && !slices.Contains(u.reporters, name) && !d.suspended(name) && time.Since(u.gotAt[name]) <= max(maxPatience, u.patience) {
			return true
		}
	}
	return false
}

// handOut gives ready units to the requests that wait for one, first to those of starved workers. If there are none, the
// units of workers that have kept the match waiting are given again: the first result counts. It runs after each message,
// and thousands of requests and units may wait, so it looks only at workers for which there may be a unit, and once at each.
func (d *dispatcher) handOut() {
	if len(d.idle) == 0 {
		return
	}
	if len(d.ready) == 0 && d.lateHaveUnits() {
		takers := slices.Collect(d.takers())
		for _, u := range d.out() {
			if len(d.ready) < len(d.idle) && d.late[u.worker] && d.anyTakes(u, slices.Values(takers)) {
				d.takeBack(u)
			}
		}
	}
	for _, starved := range []bool{true, false} {
		turns, others := d.turns()
		if len(turns) == 0 && !others {
			return
		}
		vain := map[string]bool{} // workers that may take none
		d.idle = slices.DeleteFunc(d.idle, func(r *request) bool {
			if starved != d.isStarved(r.worker) || vain[r.worker] || !others && !turns[r.worker] {
				return false
			}
			given := d.stopWaiting(r, d.give(r, false))
			vain[r.worker] = !given
			return given
		})
	}
}

// turns returns the workers whose turn it is to take one of the ready units, and whether there are others that may be
// given.
func (d *dispatcher) turns() (workers map[string]bool, others bool) {
	workers = map[string]bool{}
	now, full := time.Now(), d.isFull()
	for _, u := range d.ready {
		if !d.mayGive(u, full) {
			continue
		}
		only := d.turnOf(u, now)
		if only == "" {
			return nil, true
		}
		workers[only] = true
	}
	return workers, false
}

// isFull reports whether as many units are out as the hub lets this match have.
func (d *dispatcher) isFull() bool { return d.limit < math.MaxInt && d.jobs() >= d.limit }

// mayGive reports whether a ready unit may be given to a worker: it is out already or there is room for it, and there is
// memory for its result.
func (d *dispatcher) mayGive(u *unit, full bool) bool {
	out := d.window.open[u.number] == u
	return (!full || out) && (!out || d.task.mayPlay(u))
}

// lateHaveUnits reports whether workers that have kept the match waiting have units.
func (d *dispatcher) lateHaveUnits() bool {
	for name := range d.late {
		if d.peer(name).held > 0 {
			return true
		}
	}
	return false
}

// takers returns the workers that wait for a unit, or ask again soon, and have not kept the match waiting.
func (d *dispatcher) takers() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name, p := range d.peers {
			if (p.idle > 0 || time.Since(p.vainly) < jobWait) && !d.late[name] && d.mayGet(name) && !yield(name) {
				return
			}
		}
	}
}

// isAwaited reports whether another worker, which is not late, waits for a unit.
func (d *dispatcher) isAwaited(u *unit) bool { return d.anyTakes(u, d.takers()) }

// anyTakes reports whether one of some workers, which does not have a unit, may take it.
func (d *dispatcher) anyTakes(u *unit, workers iter.Seq[string]) bool {
	for name := range workers {
		if name != u.worker && d.mayPlay(u, name) {
			return true
		}
	}
	return false
}

// takesUnit reports whether a request that has no reply yet is one for a unit, and its worker may still get the reply.
func (d *dispatcher) takesUnit(r *request) bool {
	return r.next && r.msg != nil && !d.peer(r.worker).unanswered[r.msg.Reply]
}

// mayGet reports whether a worker may get a unit.
func (d *dispatcher) mayGet(worker string) bool {
	p := d.peer(worker)
	return !d.removed && !d.suspended(worker) && !p.isPaused() && p.held < p.most() && p.replies.Tokens() >= 0
}

// give replies to a request with a ready unit and reports whether there is one for its worker.
func (d *dispatcher) give(r *request, done bool) bool {
	p := d.peer(r.worker)
	if !d.takesUnit(r) || !d.mayGet(r.worker) {
		return false
	}
	p.active, p.asks = time.Now(), true
	full := d.isFull()
	at := slices.IndexFunc(d.ready, func(u *unit) bool {
		return d.mayGive(u, full) && d.mayPlay(u, r.worker) && !d.yields(r.worker, u)
	})
	if at < 0 {
		return false
	}
	u := d.ready[at]
	d.ready = slices.Delete(d.ready, at, at+1)
	d.assign(u, r.worker)
	if u.asked != nil {
		if _, again := u.asked[r.worker]; !again { // nobody waits longer because it gets the unit again and again
			if u.gotAt == nil {
				u.gotAt = map[string]time.Time{}
			}
			u.gotAt[r.worker] = time.Now()
		}
		u.asked[r.worker], u.drawn = true, ""
	}
	p.gotAt = time.Now()
	u.given, u.renewed, u.reply = p.gotAt, p.gotAt, r.msg.Reply
	if u.loser == r.worker {
		u.given = u.firstGiven
	}
	d.reply(r, &nextReply{Done: done, Job: u.job, Unit: u.number, Attempt: u.attempt, Silent: d.settings.Silent})
	return true
}

// The matches of a key may together send a worker specRate bytes of specifications a second, and specBurst at once, as much
// of other replies as jobRate and jobBurst say, and mostBehind more of those that are no jobs: less than the hub lets their
// key send it, which would hold up the replies to all workers. A worker needs a specification once each time that it starts.
const (
	specRate, specBurst = wire.ReplyRate / 16, wire.ReplyBurst / 4
	jobRate, jobBurst   = wire.ReplyRate * 3 / 4, wire.ReplyBurst / 4
	mostBehind          = wire.ReplyBurst / 4
)

// spend takes the bytes of a reply, once for each match that shares them, from what a worker may get.
func (d *dispatcher) spend(l *rate.Limiter, size int) {
	for rest := size * max(d.sharing, 1); rest > 0; rest -= l.Burst() {
		l.ReserveN(time.Now(), min(rest, l.Burst()))
	}
}

// reply sends a reply, which counts as a message of the worker that asked for it: a request is short, and a reply may be
// long. A worker that does not get it, such as one that asks too often, asks again, and plays nothing meanwhile.
func (d *dispatcher) reply(r *request, reply *nextReply) {
	p := d.peer(r.worker)
	pace := p.replies
	if reply.Spec != nil {
		pace = p.specs
	}
	if !r.paid && pace.Tokens() < -mostBehind {
		r.msg = nil
		return
	}
	reply.Version = wire.Version
	size, err := d.hub.respond(r.msg, r.worker, reply)
	if err != nil {
		d.failed = err
	}
	d.spend(pace, size)
	if reply.Job != nil || reply.Spec != nil {
		d.suppliedAt = time.Now()
	}
	if !r.paid {
		p.quota.ReserveN(time.Now(), size+wire.MessageCost)
	}
	r.msg = nil
}

// finish replies to a request with a result that needs no more work than to get to the disk.
func (d *dispatcher) finish(r *request, unit int) {
	waits := d.isRecording(unit)
	switch {
	case waits && d.spec.Ranges != nil: // they are stored in order, and this one may wait for long
		if !d.give(r, false) {
			d.reply(r, &nextReply{})
		}
	case waits:
		all := slices.DeleteFunc(d.waiters[unit], func(earlier *request) bool { return earlier.worker == r.worker }) // sent again
		d.waiters[unit] = append(all, r)
	case !d.give(r, true):
		d.reply(r, &nextReply{Done: true})
	}
}

// isRecording reports whether the result of a unit is on its way to the disk.
func (d *dispatcher) isRecording(unit int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.recording[unit]
}

// replyRecorded replies to the requests whose results are on disk now.
func (d *dispatcher) replyRecorded() {
	d.mu.Lock()
	units := d.onDisk
	d.onDisk = nil
	d.mu.Unlock()
	for _, unit := range units {
		for _, r := range d.waiters[unit] {
			d.finish(r, unit)
		}
		delete(d.waiters, unit)
	}
}

// retry makes another attempt at a unit ready.
func (d *dispatcher) retry(u *unit) {
	if u.worker != "" && !slices.Contains(u.holders, u.worker) {
		u.holders = append(u.holders, u.worker)
	}
	d.assign(u, "")
	d.window.retry(u, time.Now())
	if !slices.Contains(d.ready, u) {
		d.ready = slices.Insert(d.ready, 0, u)
	}
}

// takeBack takes a unit from a worker that is silent or slow. It may still send the result.
func (d *dispatcher) takeBack(u *unit) {
	d.noteTaken(u.worker)
	d.retry(u)
}

// release makes the units of a worker ready for others.
func (d *dispatcher) release(worker string) {
	for _, u := range d.out() {
		if u.worker == worker {
			d.returned(u)
		}
	}
}

// unready removes a unit from those to be handed out: an earlier attempt had a result.
func (d *dispatcher) unready(u *unit) {
	d.ready = slices.DeleteFunc(d.ready, func(other *unit) bool { return other == u })
}

// tick checks the workers and everything that waits.
func (d *dispatcher) tick() {
	now := time.Now()
	d.warnings.Flush(false)
	slept := now.Sub(d.tickedAt) > max(d.settings.Silent/2, 2*d.settings.Tick)
	d.tickedAt = now
	if !d.hub.connected() {
		return // restore follows
	}
	switch {
	case d.needsSetup && !d.polling:
		d.restore()
	case slept: // this process, or the machine: workers may have reported meanwhile
		d.renewAll()
	}
	d.replyIdle(now)
	if !d.needsSetup {
		d.overdue(now)
	}
	if !d.polling {
		d.poll()
	}
}

// replyIdle replies to the requests that have waited long enough.
func (d *dispatcher) replyIdle(now time.Time) {
	d.idle = slices.DeleteFunc(d.idle, func(r *request) bool {
		if now.Sub(r.at) < jobWait {
			return false
		}
		d.peer(r.worker).vainly = now
		d.reply(r, &nextReply{})
		return d.stopWaiting(r, true)
	})
}

// overdue takes units back: those of silent workers, the lowest one if it is slow, with all others that its worker has had
// for as long, and rechecks that take long. Nothing waits for a recheck, but each takes the place of another unit if
// the owner's key limits them. It abandons rechecks that nobody can play.
func (d *dispatcher) overdue(now time.Time) {
	for _, u := range d.out() {
		if u.worker != "" && now.Sub(u.renewed) > d.settings.Silent {
			d.markLate(u.worker, false)
			d.takeBack(u)
		}
	}
	patience := d.window.patience()
	if u := d.window.slow(now); u != nil && u.worker != "" { // otherwise it is ready
		worker, given := u.worker, u.given
		d.takeBack(u)
		if now.Sub(given) > patience && d.othersPlay(worker) {
			d.delayed(worker, now.Add(-patience))
		}
	}
	for _, c := range d.rechecks {
		switch {
		case c.unit.worker != "" && now.Sub(c.unit.given) > max(d.patienceFor(c), d.settings.Silent):
			d.markLate(c.unit.worker, false)
			d.takeBack(c.unit)
		case d.stuck(c) && now.Sub(c.unit.since) > 2*d.settings.Silent:
			d.abandon(c)
		}
	}
}

// isWaitedFor reports whether a unit has taken its worker longer than usual, and another worker waits because there are no
// others.
func (d *dispatcher) isWaitedFor(u *unit) bool {
	return len(d.ready) == 0 && time.Since(u.given) > d.window.patience()/slowFactor && d.isAwaited(u)
}

// returned makes a unit ready that its worker gives back without a result that counts.
func (d *dispatcher) returned(u *unit) {
	if d.isWaitedFor(u) {
		d.markLate(u.worker, true)
	}
	d.retry(u)
}

// othersPlay reports whether another worker plays or asks for units.
func (d *dispatcher) othersPlay(worker string) bool {
	for name := range d.workers {
		if name != worker && !d.suspended(name) && d.isPlaying(name) {
			return true
		}
	}
	return false
}

// delayed takes all units from a worker that it got before a time, after all others had to wait for one of them. It says
// that it plays them, but may be slow, or keep them to keep the match from its end.
func (d *dispatcher) delayed(worker string, before time.Time) {
	d.markLate(worker, true)
	for _, u := range d.window.open {
		if u.worker == worker && u.given.Before(before) {
			d.takeBack(u)
		}
	}
}
