package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"gyre/bench/hub/internal/wire"
	"gyre/bench/match"
)

// task is what a dispatcher plays over a hub: a match, or ranges of numbers. Its methods are
// called by the goroutine of dispatch.
type task interface {
	name() string
	// spec returns what workers need to know, and the files they need.
	spec() (*Spec, []*Blob, error)
	// verify returns why a result cannot be that of a unit; nil if it can.
	verify(u *unit, r *resultMessage) error
	// needsReplay returns why a unit is to be played again before its result is accepted;
	// nil to accept it.
	needsReplay(r *resultMessage, worker string) error
	// record stores a valid result. It calls recorded, from any goroutine, when the result
	// is on disk. An error ends the task.
	record(u *unit, r *resultMessage, worker string, recorded func()) error
	// deterministic reports whether a job has the same result each time. mismatch returns
	// how two results of a job differ; nil if they do not.
	deterministic() bool
	mismatch(one, other *resultMessage) error
	// newest returns the game recorded last; nil for none.
	newest() *Newest
}

// dispatcher hands out the units of a task to the workers of a hub and collects their results.
// Its methods are called by the goroutine of dispatch unless they say otherwise.
type dispatcher struct {
	hub      *Hub
	task     task
	client   string // where the results are stored
	score    func() Progress
	settings Settings
	warn     func(error)

	key     string
	text    []byte               // the specification
	blobs   []*Blob              // files that workers need
	needs   []string             // engines that workers must offer
	resent  map[string]time.Time // when a file was sent again, by hash
	window  *window
	faults  map[string]*wire.Faults // by worker, as the hub has them
	pending map[int][]received      // results whose units are not dispatched yet, by unit
	// pendingBytes is the size of those results by worker.
	pendingBytes   map[string]int
	rejected       map[string]bool // subjects of rejected results
	rechecks       map[int]*recheck
	lastDispatched int      // the highest unit dispatched; -1 for none
	slots          int      // of the workers that take this task's jobs
	workers        int      // the number of these workers
	noWorkers      bool     // whether a warning about missing workers was given
	last           sequence // of the last result
	needsSetup     bool     // whether the last setup failed
	setupAt        time.Time
	warned         string // the last warning about the hub
	failed         error  // of task.record
	back           <-chan struct{}
	sent           chan sending  // jobs that the hub has not accepted
	ended          chan struct{} // closed when dispatch returns

	mu          sync.Mutex
	recording   map[sequence]bool // results on their way to the disk
	recorded    int               // games
	allRecorded chan struct{}     // signaled when recording is empty
}

// Settings are the times and rates of a dispatcher.
type Settings struct {
	Silent time.Duration // a job goes to another worker after its worker has been silent for this long
	Tick   time.Duration // between two looks at the workers
	// Recheck is the number of jobs of which one, on average, is played again by another
	// worker and compared; 0 for none.
	Recheck int
}

// Default are the settings of real matches.
var Default = Settings{Silent: time.Minute, Tick: 2 * time.Second, Recheck: 100}

// minWindow is how many units are out even without workers, for the first one that comes.
const minWindow = 2

// dispatch hands out units, in their order, until the channel is closed and all of them are
// recorded, or ctx is done. Then the error is ctx's cause.
func (d *dispatcher) dispatch(ctx context.Context, units <-chan *unit) error {
	d.window, d.lastDispatched = newWindow(), -1
	d.faults, d.rejected = map[string]*wire.Faults{}, map[string]bool{}
	d.pending, d.pendingBytes = map[int][]received{}, map[string]int{}
	d.rechecks, d.resent = map[int]*recheck{}, map[string]time.Time{}
	d.recording, d.allRecorded = map[sequence]bool{}, make(chan struct{}, 1)
	d.sent, d.ended = make(chan sending), make(chan struct{})
	defer close(d.ended)
	if d.settings == (Settings{}) {
		d.settings = Default
	}
	err := d.describe()
	if err == nil {
		err = d.firstSetup(ctx)
	}
	if err == nil {
		err = d.run(ctx, units)
		d.release(err != nil || match.EndOf(ctx) == match.Interrupted)
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return err
}

// describe makes the specification. It never changes afterwards, although files may.
func (d *dispatcher) describe() error {
	spec, blobs, err := d.task.spec()
	if err != nil {
		return err
	}
	d.blobs, d.needs = blobs, spec.needs()
	d.key, d.text, err = spec.key()
	return err
}

// firstSetup sets the task up on the hub. It waits for a hub that fails meanwhile.
func (d *dispatcher) firstSetup(ctx context.Context) error {
	for {
		d.back = d.hub.reconnected()
		var err error
		d.perConnection(ctx, func(ctx context.Context) { err = d.setUp(ctx) })
		if _, local := errors.AsType[*fileError](err); err == nil || local || errors.Is(err, ErrNoAccess) {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		d.warnOnce(err)
		select {
		case <-d.back:
		case <-time.After(retryInterval):
		case <-d.hub.closed:
			return d.hub.wrap(ErrNoAccess)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// warnOnce reports an error of the hub, unless it is the one reported last.
func (d *dispatcher) warnOnce(err error) {
	if text := err.Error(); text != d.warned {
		d.warned = text
		d.warn(err)
	}
}

// setUp sends the task and its files to the hub.
func (d *dispatcher) setUp(ctx context.Context) error {
	d.setupAt = time.Now()
	err := d.hub.ensure(ctx)
	for _, b := range d.blobs {
		if err == nil {
			err = d.hub.putBlob(ctx, b, false)
		}
	}
	if err == nil {
		_, err = d.hub.create(ctx, wire.MatchesBucket, d.key, d.text)
	}
	if err == nil {
		err = d.hub.createQueue(ctx, d.key, d.settings.Silent)
	}
	if err == nil {
		err = d.reportStatus(ctx)
	}
	if err == nil {
		err = d.countWorkers(ctx)
	}
	if err == nil {
		d.warned = ""
	}
	return d.hub.wrap(err)
}

// restore sets the task up again after a reconnection: the hub may have a new store. It
// ignores jobs that it still has.
func (d *dispatcher) restore(ctx context.Context) {
	err := d.setUp(ctx)
	if d.needsSetup = err != nil; d.needsSetup { // the next tick tries again
		if ctx.Err() == nil {
			d.warnOnce(err)
		}
		return
	}
	for _, u := range d.window.open {
		u.out = false
	}
	for _, c := range d.rechecks {
		c.unit.out = false
	}
	d.sendAll()
}

// resendInterval is the least time between two uploads of the same file, and the time after
// which a job without a reply is sent again. A change of the leader of a cluster can lose a reply.
const resendInterval = 5 * time.Second

// reupload sends the hub a file, or the specification, that a worker found missing or damaged
// there.
func (d *dispatcher) reupload(ctx context.Context, missing string) {
	if time.Since(d.resent[missing]) < resendInterval {
		return
	}
	d.resent[missing] = time.Now()
	err := d.setUp(ctx)
	for _, b := range d.blobs {
		if b.SHA256 == missing && err == nil {
			err = d.hub.wrap(d.hub.putBlob(ctx, b, true))
		}
	}
	if err != nil && ctx.Err() == nil {
		d.warnOnce(err)
	}
}

// release removes the task from the hub. If it may be resumed, its queue and results stay.
// Errors are ignored: everything expires by itself.
func (d *dispatcher) release(resumable bool) {
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Second)
	defer stop()
	if !d.hub.connected() {
		return
	}
	_ = d.hub.remove(ctx, wire.RunningBucket, d.key)
	if !resumable {
		_ = d.hub.deleteQueue(ctx, d.key)
		_ = d.hub.deleteResults(ctx, d.key, 0)
	}
	d.hub.flush(ctx)
	_ = d.hub.deleteJobs(ctx, d.key)
}

// run hands out units and takes results until there are no more of either.
func (d *dispatcher) run(ctx context.Context, units <-chan *unit) error {
	subscription := &subscription{hub: d.hub, match: d.key, results: make(chan received)}
	subscribed, stop := context.WithCancel(ctx)
	var subscriber sync.WaitGroup
	subscriber.Go(func() { subscription.run(subscribed) })
	defer subscriber.Wait()
	defer stop()
	tick := time.NewTicker(d.settings.Tick)
	defer tick.Stop()
	for units != nil || len(d.window.open) > 0 || d.unrecorded() {
		var next <-chan *unit
		if len(d.window.open) < max(minWindow, 2*d.slots) {
			next = units
		}
		select {
		case u, open := <-next:
			if !open {
				units = nil
				continue
			}
			d.perConnection(ctx, func(ctx context.Context) { d.dispatchUnit(ctx, u) })
		case r := <-subscription.results:
			d.perConnection(ctx, func(ctx context.Context) { d.receive(ctx, r) })
		case s := <-d.sent:
			d.resend(s)
		case <-d.allRecorded:
		case <-d.back:
			d.back = d.hub.reconnected()
			d.perConnection(ctx, d.restore)
		case <-tick.C:
			d.perConnection(ctx, d.tick)
		case <-d.hub.closed:
			return d.hub.wrap(ErrNoAccess)
		case <-ctx.Done():
			return nil
		}
		if d.failed != nil {
			return d.failed
		}
	}
	return nil
}

// perConnection calls do with a context that ends when the connection is re-established.
func (d *dispatcher) perConnection(ctx context.Context, do func(context.Context)) {
	ctx, stop := d.hub.perConnection(ctx)
	defer stop()
	do(ctx)
}

// dispatchUnit dispatches a unit, after the results that came before it.
func (d *dispatcher) dispatchUnit(ctx context.Context, u *unit) {
	d.window.add(u, time.Now())
	d.lastDispatched = max(d.lastDispatched, u.number)
	for _, r := range d.takePending(u.number) {
		d.handle(ctx, r)
	}
	if d.window.open[u.number] == u && !u.out {
		d.send(u)
	}
}

// sending is a job that the hub has not accepted.
type sending struct {
	unit    *unit
	attempt int
	err     error
}

// send sends the job of a unit to the hub. It does not wait for the reply; see resend.
func (d *dispatcher) send(u *unit) {
	text, err := json.Marshal(u.job)
	if err != nil {
		d.failed = err
		return
	}
	u.out = true
	s := sending{unit: u, attempt: u.attempt}
	d.hub.publishOnceAsync(wire.JobSubject(d.key, u.number, u.attempt), text, func(err error) {
		if s.err = err; err == nil {
			return
		}
		select {
		case d.sent <- s:
		case <-d.ended:
		}
	})
}

// resend has a job sent again at the next tick, because the hub has not accepted it.
func (d *dispatcher) resend(s sending) {
	if s.attempt != s.unit.attempt {
		return
	}
	s.unit.out = false
	if d.hub.connected() {
		d.warnOnce(d.hub.wrap(s.err))
	}
}

// sendAll sends all jobs that the hub has not accepted yet.
func (d *dispatcher) sendAll() {
	for _, u := range d.window.unsent() {
		d.send(u)
	}
	for _, c := range d.rechecks {
		if !c.unit.out {
			d.send(c.unit)
		}
	}
}

// retry dispatches another attempt at a unit.
func (d *dispatcher) retry(u *unit) {
	d.window.retry(u, time.Now())
	d.send(u)
}

// tick checks the workers and everything that waits.
func (d *dispatcher) tick(ctx context.Context) {
	if !d.hub.connected() {
		return // restore follows
	}
	if d.needsSetup {
		d.restore(ctx)
		return
	}
	d.sendAll()
	if u := d.window.slow(time.Now()); u != nil {
		d.retry(u)
	}
	for _, err := range []error{d.countWorkers(ctx), d.reportStatus(ctx), d.trimResults(ctx)} {
		if err != nil && ctx.Err() == nil && d.hub.connected() {
			d.warnOnce(d.hub.wrap(err))
		}
	}
}

// receive takes a result as the hub delivers it.
func (d *dispatcher) receive(ctx context.Context, r received) {
	if r.at.connection != d.last.connection {
		d.pending, d.pendingBytes = map[int][]received{}, map[string]int{} // the hub delivers them again
	}
	d.last = r.at
	d.handle(ctx, r)
}

// handle records a result if it is valid.
func (d *dispatcher) handle(ctx context.Context, r received) {
	from, err := wire.ParseSubject(r.msg.Subject())
	if err != nil {
		return // not from a worker
	}
	u := d.window.open[from.Unit]
	switch {
	case u == nil && from.Unit > d.lastDispatched:
		d.addPending(from, r)
		return
	case u == nil: // a second result, or one that is on disk
		d.compare(ctx, from, r.msg.Data())
		return
	case d.rejected[r.msg.Subject()]: // delivered again after a reconnection
		return
	}
	if result := d.judge(ctx, u, from, r.msg.Data()); result != nil {
		d.accept(u, from.Worker, r.at, result)
		d.recheck(u, from.Worker, result)
		return
	}
	d.rejected[r.msg.Subject()] = true
	if from.Attempt == u.attempt {
		d.retry(u)
	}
}

const (
	// maxPendingBytes bounds the results of a worker that wait for their units, in bytes.
	// The hub has results of units of a resumed match before these are dispatched. Units
	// of further results are played again.
	maxPendingBytes = 128 << 20
	// pendingOverhead is counted for each result.
	pendingOverhead = 1 << 10
)

// addPending keeps a result until its unit is dispatched.
func (d *dispatcher) addPending(from wire.Origin, r received) {
	size := pendingOverhead + len(r.msg.Data())
	if d.suspended(from.Worker) || d.pendingBytes[from.Worker]+size > maxPendingBytes {
		return
	}
	d.pendingBytes[from.Worker] += size
	d.pending[from.Unit] = append(d.pending[from.Unit], r)
}

// takePending removes and returns the results that waited for a unit.
func (d *dispatcher) takePending(unit int) []received {
	all := d.pending[unit]
	delete(d.pending, unit)
	for _, r := range all {
		if from, err := wire.ParseSubject(r.msg.Subject()); err == nil {
			d.pendingBytes[from.Worker] -= pendingOverhead + len(r.msg.Data())
		}
	}
	return all
}

// judge parses a result and returns it if it is valid and final; otherwise nil.
func (d *dispatcher) judge(ctx context.Context, u *unit, from wire.Origin, text []byte) *resultMessage {
	if d.suspended(from.Worker) {
		return nil
	}
	result, err := parseResult(text, from.Worker)
	if errors.Is(err, errStray) {
		d.warn(fmt.Errorf("rejected a result of worker %s: %w", from.Worker, err))
		return nil
	}
	if err == nil && result.Refused != "" {
		d.warn(fmt.Errorf("worker %s (%.40s) cannot play this match: %.300s", from.Worker, result.System, result.Refused))
		if result.Missing != "" {
			d.reupload(ctx, result.Missing)
		}
		return nil
	}
	if err == nil {
		err = d.task.verify(u, result)
	}
	if err != nil {
		d.blame(ctx, from, text, err)
		return nil
	}
	if why := d.task.needsReplay(result, from.Worker); why != nil && !u.replayed {
		u.replayed = true
		d.warn(why)
		return nil
	}
	return result
}

// accept records a result.
func (d *dispatcher) accept(u *unit, worker string, at sequence, result *resultMessage) {
	d.window.finish(u, time.Now())
	d.mu.Lock()
	d.recording[at] = true
	d.mu.Unlock()
	d.failed = d.task.record(u, result, worker, func() { d.noteRecorded(u.games, at) })
}

// noteRecorded notes that games are on disk. It may be called from any goroutine.
func (d *dispatcher) noteRecorded(games int, at sequence) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.recorded += games
	delete(d.recording, at)
	if len(d.recording) == 0 {
		select {
		case d.allRecorded <- struct{}{}:
		default:
		}
	}
}

// unrecorded reports whether results are on their way to the disk.
func (d *dispatcher) unrecorded() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.recording) > 0
}

// trimResults deletes the results on the hub before the first that is not on disk.
func (d *dispatcher) trimResults(ctx context.Context) error {
	first := d.last.number + 1
	waiting := func(at sequence) {
		if at.connection == d.last.connection {
			first = min(first, at.number)
		}
	}
	d.mu.Lock()
	for at := range d.recording {
		waiting(at)
	}
	d.mu.Unlock()
	for _, all := range d.pending {
		for _, r := range all {
			waiting(r.at)
		}
	}
	if first <= 1 {
		return nil
	}
	return d.hub.deleteResults(ctx, d.key, first)
}

// recheck is a unit that another worker plays again, to compare the results: a replay by the
// rules cannot verify scores, nor that the engine would have made those turns.
type recheck struct {
	unit   *unit
	worker string // whose result was recorded
	result *resultMessage
}

// recheck has a unit, chosen at random, played again by another worker if there is one. No
// worker knows which units are chosen, and the match does not wait for them.
func (d *dispatcher) recheck(u *unit, worker string, result *resultMessage) {
	if d.settings.Recheck == 0 || d.workers < 2 || !d.task.deterministic() || rand.IntN(d.settings.Recheck) > 0 {
		return
	}
	again := *u
	again.attempt++
	again.job.NotBy = worker
	d.rechecks[u.number] = &recheck{unit: &again, worker: worker, result: result}
	d.send(&again)
}

// compare compares the second result of a unit with the first, if the unit is rechecked.
func (d *dispatcher) compare(ctx context.Context, from wire.Origin, text []byte) {
	c := d.rechecks[from.Unit]
	if c == nil || from.Attempt != c.unit.attempt || d.suspended(from.Worker) {
		return
	}
	second, err := parseResult(text, from.Worker)
	if errors.Is(err, errStray) {
		return
	}
	delete(d.rechecks, from.Unit)
	if from.Worker == c.worker || err == nil && second.Refused != "" {
		return // it proves nothing
	}
	if err == nil {
		err = d.task.verify(c.unit, second)
	}
	if err != nil {
		d.blame(ctx, from, text, err)
		return
	}
	if how := d.task.mismatch(c.result, second); how != nil {
		d.reportMismatch(ctx, c, from, second, how)
	}
}

// reportMismatch names two workers whose results of one unit differ, and logs both results.
func (d *dispatcher) reportMismatch(ctx context.Context, c *recheck, from wire.Origin, second *resultMessage, how error) {
	entry, err := json.Marshal(map[string]any{"job": from.Unit, "workers": []string{c.worker, from.Worker}, "why": how.Error(), "results": []*resultMessage{c.result, second}})
	if err == nil {
		err = d.hub.publish(ctx, wire.LogSubject(d.key, from.Unit, from.Worker), entry)
	}
	for worker, other := range map[string]string{c.worker: from.Worker, from.Worker: c.worker} {
		err = errors.Join(err, d.hub.updateFaults(ctx, worker, func(f *wire.Faults) {
			f.Mismatches++
			f.LastMismatch = fmt.Sprintf("worker %s: %.300v", other, how)
		}))
	}
	d.warn(fmt.Errorf("workers %s and %s have different results of the same job: one of them is wrong, or the program does not play the same each time; the result of %s counts: %w",
		c.worker, from.Worker, c.worker, how))
	if err != nil && ctx.Err() == nil {
		d.warn(fmt.Errorf("the mismatch is not stored on the hub: %w", d.hub.wrap(err)))
	}
}

// suspended reports whether the results of a worker are rejected.
func (d *dispatcher) suspended(worker string) bool {
	f := d.faults[worker]
	return f != nil && f.Suspended()
}

// blame rejects a result: it logs the result and adds a fault of its worker on the hub. After
// wire.MaxFaults faults the worker is suspended.
func (d *dispatcher) blame(ctx context.Context, from wire.Origin, result []byte, why error) {
	f := d.faults[from.Worker]
	if f == nil {
		f = &wire.Faults{}
		d.faults[from.Worker] = f
	}
	f.Add(why)
	d.warn(fmt.Errorf("rejected a result of worker %s: %w", from.Worker, why))
	if f.Suspended() {
		d.warn(fmt.Errorf("worker %s is suspended for a day: %d of its results were rejected", from.Worker, f.Count))
	}
	entry, err := json.Marshal(map[string]any{"worker": from.Worker, "job": from.Unit, "attempt": from.Attempt, "why": why.Error(), "result": json.RawMessage(jsonOr(result))})
	if err == nil {
		err = d.hub.publish(ctx, wire.LogSubject(d.key, from.Unit, from.Worker), entry)
	}
	err = errors.Join(err, d.hub.updateFaults(ctx, from.Worker, func(f *wire.Faults) { f.Add(why) }))
	if err != nil && ctx.Err() == nil {
		d.warn(fmt.Errorf("the fault is not stored on the hub: %w", d.hub.wrap(err)))
	}
}

// jsonOr returns text if it is JSON, otherwise text as a JSON string.
func jsonOr(text []byte) []byte {
	if json.Valid(text) {
		return text
	}
	quoted, _ := json.Marshal(string(text)) // a string can always be quoted
	return quoted
}

// errNoWorkers reports that nobody plays.
var errNoWorkers = errors.New("there is no worker yet: games begin when one connects")

// noWorkersFor returns why nobody plays a match that needs offered engines.
func noWorkersFor(needs []string) error {
	if len(needs) == 0 {
		return errNoWorkers
	}
	return fmt.Errorf("there is no worker yet that offers %s: games begin when one connects", strings.Join(needs, " and "))
}

// countWorkers updates the faults, and counts the slots of the workers that take this task's
// jobs.
func (d *dispatcher) countWorkers(ctx context.Context) error {
	faults, err := snapshot[*wire.Faults](ctx, d.hub, wire.FaultsBucket)
	if err != nil {
		return err
	}
	d.faults = faults // the hub forgets them after a day
	workers, err := snapshot[WorkerStatus](ctx, d.hub, wire.WorkersBucket)
	if err != nil {
		return err
	}
	if len(workers) == 0 && time.Since(d.setupAt) < heartbeatInterval {
		return nil // workers of a restarted hub report soon
	}
	d.slots, d.workers = 0, 0
	for name, w := range workers {
		if !d.suspended(name) && !slices.Contains(w.Refuses, d.key) && w.Slots > 0 && offersAll(w.Offers, d.needs) {
			d.slots += min(w.Slots, maxSlots)
			d.workers++
		}
	}
	if d.slots == 0 && !d.noWorkers {
		d.warn(d.hub.wrap(noWorkersFor(d.needs)))
	}
	d.noWorkers = d.slots == 0
	return nil
}

// reportStatus stores the status of the task on the hub, which also says that it is played.
func (d *dispatcher) reportStatus(ctx context.Context) error {
	d.mu.Lock()
	recorded := d.recorded
	d.mu.Unlock()
	s := MatchStatus{Match: d.task.name(), Client: d.client, Games: recorded, Out: len(d.window.open), Newest: d.task.newest(), Needs: d.needs}
	if d.score != nil {
		s.Progress = d.score()
	}
	return d.hub.put(ctx, wire.RunningBucket, d.key, s)
}

// unit is what one job plays: a pair of games, or a range of numbers.
type unit struct {
	number int // from 0, in the order of dispatch
	games  int
	jobs   []match.Job // of a pair
	span   span        // of a range
	job    jobMessage

	attempt  int       // from 0
	out      bool      // whether the hub has its job
	since    time.Time // when its last attempt was dispatched
	first    time.Time // when its first attempt was dispatched
	replayed bool      // whether a result was not believed
}

// window holds the units that are out.
type window struct {
	open      map[int]*unit   // by number
	durations []time.Duration // of the last units, from dispatch to result
}

const (
	keptDurations = 101
	minDurations  = 5 // units; before them, only maxPatience counts
	slowFactor    = 3
	maxPatience   = 10 * time.Minute
	minPatience   = 5 * time.Second // faster units are never played twice
)

func newWindow() *window { return &window{open: map[int]*unit{}} }

// add adds a unit.
func (w *window) add(u *unit, now time.Time) {
	u.since, u.first = now, now
	w.open[u.number] = u
}

// finish removes a unit that has its result.
func (w *window) finish(u *unit, now time.Time) {
	delete(w.open, u.number)
	if len(w.durations) == keptDurations {
		w.durations = w.durations[1:]
	}
	w.durations = append(w.durations, now.Sub(u.first))
}

// retry starts another attempt at a unit.
func (w *window) retry(u *unit, now time.Time) {
	u.attempt++
	u.out, u.since = false, now
}

// slow returns the lowest unit if it has been out for more than three times the median, since
// all later units wait for it; otherwise nil.
func (w *window) slow(now time.Time) *unit {
	var lowest *unit
	for _, u := range w.open {
		if lowest == nil || u.number < lowest.number {
			lowest = u
		}
	}
	if lowest == nil || now.Sub(lowest.since) <= w.patience() {
		return nil
	}
	return lowest
}

// patience returns how long a unit may be out.
func (w *window) patience() time.Duration {
	if len(w.durations) < minDurations {
		return maxPatience
	}
	sorted := slices.Sorted(slices.Values(w.durations))
	return min(max(slowFactor*sorted[len(sorted)/2], minPatience), maxPatience)
}

// unsent returns the units whose jobs the hub does not have, in order.
func (w *window) unsent() []*unit {
	var all []*unit
	for _, u := range w.open {
		if !u.out {
			all = append(all, u)
		}
	}
	slices.SortFunc(all, func(a, b *unit) int { return a.number - b.number })
	return all
}
