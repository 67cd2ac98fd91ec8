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

	"github.com/nats-io/nats.go/jetstream"

	"gyre/bench/match"
)

// task is what is played over a hub, as a dealer needs it. Its methods are called by the
// goroutine of deal.
type task interface {
	name() string
	// spec returns what workers need to know of it, and the files that they need.
	spec() (*Spec, []*Blob, error)
	// judge returns why a result cannot be that of a unit, nil if it can.
	judge(u *unit, r *resultMessage) error
	// doubt returns why a unit is to be played once more before its result is believed,
	// nil if it is believed.
	doubt(r *resultMessage, worker string) error
	// keep takes a result over that is good. kept is to be called when it is on disk,
	// from any goroutine. An error ends all.
	keep(u *unit, r *resultMessage, worker string, kept func()) error
	// repeats tells whether a job has the same result each time, and differ how two
	// results of one that does are not the same; nil if they are.
	repeats() bool
	differ(one, other *resultMessage) error
	// newest returns the game that was kept last; nil for none.
	newest() *Newest
}

// dealer hands the units of a task out to the workers of a hub, and takes their results.
// Each of its methods is called by the goroutine of deal, unless it says otherwise.
type dealer struct {
	hub      *Hub
	of       task
	client   string // says where the results go
	score    func() Progress
	settings Settings
	warn     func(error)

	key    string
	text   []byte               // what workers need to know
	blobs  []*Blob              // what they need
	needs  []string             // engines that they have to offer
	healed map[string]time.Time // when that was sent anew, by hash
	window *window
	faults map[string]*Faults // by worker, of this task
	early  map[int][]arrival  // by unit, which is not yet handed out
	ahead  map[string]int     // by worker: the bytes of those
	judged map[string]bool    // by subject: results that were not accepted
	handed int                // the highest unit that was handed out, -1 for none
	slots  int                // of all workers that take jobs of this task
	crew   int                // how many these are
	twice  map[int]*twice     // by unit: those that are played again to compare
	alone  bool               // whether it was told that there are none
	last   stored             // the last result that came
	broken bool               // whether restore has yet to be done
	woken  time.Time          // when it was last begun
	failed error              // of keep
	back   <-chan struct{}    // closed when the connection was broken and is back

	mu      sync.Mutex
	held    map[stored]bool // results on their way to the disk
	kept    int             // games
	settled chan struct{}   // told of all that are kept
}

// Settings are how long things may take, and what is played twice.
type Settings struct {
	Silent time.Duration // after so long without a word of its worker a job goes to another
	Tick   time.Duration // between two looks at the workers
	// One job in so many is played again by another worker, and compared; 0 for none.
	Twice int
}

// Default are the settings of a hub.
var Default = Settings{Silent: time.Minute, Tick: 2 * time.Second, Twice: 100}

// leastOut is how many units are out although there is no worker, for the first to come.
const leastOut = 2

// deal hands units out, in the order in which they come, until they are closed and all have
// their results on disk, or ctx is done: the error is its cause then.
func (d *dealer) deal(ctx context.Context, units <-chan *unit) error {
	d.window, d.handed = newWindow(), -1
	d.faults, d.judged = map[string]*Faults{}, map[string]bool{}
	d.early, d.ahead = map[int][]arrival{}, map[string]int{}
	d.twice, d.healed = map[int]*twice{}, map[string]time.Time{}
	d.held, d.settled = map[stored]bool{}, make(chan struct{}, 1)
	if d.settings == (Settings{}) {
		d.settings = Default
	}
	var err error
	d.back = d.hub.returned()
	d.whole(ctx, func(ctx context.Context) { err = d.begin(ctx) })
	if err == nil {
		err = d.run(ctx, units)
		d.leave(err == nil && ctx.Err() == nil)
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return err
}

// run hands units out and takes results until there are no more of either.
func (d *dealer) run(ctx context.Context, units <-chan *unit) error {
	arrivals := &arrivals{hub: d.hub, filter: resultsOf(d.key), came: make(chan arrival)}
	listening, stop := context.WithCancel(ctx)
	var listener sync.WaitGroup
	listener.Go(func() { arrivals.listen(listening) })
	defer listener.Wait()
	defer stop()
	tick := time.NewTicker(d.settings.Tick)
	defer tick.Stop()
	for units != nil || len(d.window.open) > 0 || d.unkept() {
		var next <-chan *unit
		if len(d.window.open) < max(leastOut, 2*d.slots) {
			next = units
		}
		select {
		case u, open := <-next:
			if !open {
				units = nil
				continue
			}
			d.whole(ctx, func(ctx context.Context) { d.handOut(ctx, u) })
		case a := <-arrivals.came:
			d.whole(ctx, func(ctx context.Context) { d.arrived(ctx, a) })
		case <-d.settled:
		case <-d.back:
			d.back = d.hub.returned()
			d.whole(ctx, d.restore)
		case <-tick.C:
			d.whole(ctx, d.tick)
		case <-d.hub.closed:
			return d.wrong(ErrNoAccess)
		case <-ctx.Done():
			return nil
		}
		if d.failed != nil {
			return d.failed
		}
	}
	return nil
}

// whole does something over one connection.
func (d *dealer) whole(ctx context.Context, do func(context.Context)) {
	ctx, stop := d.hub.whole(ctx)
	defer stop()
	do(ctx)
}

// handOut puts a unit out. A result that was there before is taken first.
func (d *dealer) handOut(ctx context.Context, u *unit) {
	d.window.add(u, time.Now())
	d.handed = max(d.handed, u.number)
	for _, a := range d.waited(u.number) {
		d.take(ctx, a)
	}
	if d.window.open[u.number] == u && !u.out {
		d.send(ctx, u)
	}
}

// send has the broker take the job of a unit. What it does not take now it is sent at the
// next tick.
func (d *dealer) send(ctx context.Context, u *unit) {
	sending, stop := context.WithTimeout(ctx, replyWithin)
	defer stop()
	text, err := json.Marshal(u.job)
	if err == nil {
		_, err = d.hub.js.Publish(sending, jobSubject(d.key, u.number, u.attempt), text)
	}
	if u.out = err == nil || isRefusedAgain(err); !u.out && ctx.Err() == nil {
		d.warn(d.wrong(fmt.Errorf("job %d is not yet handed out: %w", u.number+1, err)))
	}
}

// sendAll has the broker take the jobs that it has not yet taken.
func (d *dealer) sendAll(ctx context.Context) {
	for _, u := range d.window.unsent() {
		d.send(ctx, u)
	}
	for _, c := range d.twice {
		if !c.unit.out {
			d.send(ctx, c.unit)
		}
	}
}

// again has another attempt at a unit made.
func (d *dealer) again(ctx context.Context, u *unit) {
	d.window.again(u, time.Now())
	d.send(ctx, u)
}

// tick looks at the workers, and at what waits.
func (d *dealer) tick(ctx context.Context) {
	if !d.hub.conn.IsConnected() {
		return // restore comes when it is
	}
	if d.broken {
		d.restore(ctx)
		return
	}
	d.sendAll(ctx)
	if u := d.window.slow(time.Now()); u != nil {
		d.again(ctx, u)
	}
	for _, err := range []error{d.look(ctx), d.report(ctx), d.forget(ctx)} {
		if err != nil && ctx.Err() == nil && d.hub.conn.IsConnected() {
			d.warn(d.wrong(err))
		}
	}
}

// begin sends the match and its files to the hub.
func (d *dealer) begin(ctx context.Context) error {
	if d.key == "" { // files may change later, and the match does not
		spec, blobs, err := d.of.spec()
		if err != nil {
			return err
		}
		if d.key, d.text, err = spec.key(); err != nil {
			return err
		}
		d.blobs, d.needs = blobs, spec.needs()
	}
	if err := d.hub.ensure(ctx); err != nil {
		return d.wrong(err)
	}
	for _, b := range d.blobs {
		if err := d.hub.putBlob(ctx, b, false); err != nil {
			return d.wrong(err)
		}
	}
	matches, err := d.hub.js.KeyValue(ctx, matchesBucket)
	if err == nil {
		_, err = matches.Create(ctx, d.key, d.text)
		if errors.Is(err, jetstream.ErrKeyExists) {
			err = nil
		}
	}
	if err == nil {
		_, err = d.hub.js.CreateOrUpdateConsumer(ctx, jobsStream, jetstream.ConsumerConfig{
			Durable: d.key, FilterSubject: jobsOf(d.key), AckPolicy: jetstream.AckExplicitPolicy,
			AckWait: d.settings.Silent, MaxAckPending: -1, InactiveThreshold: idleFor,
		})
	}
	if err == nil {
		err = d.report(ctx)
	}
	if err == nil {
		err = d.look(ctx)
	}
	return d.wrong(err)
}

// wrong names the hub in an error.
func (d *dealer) wrong(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("hub %s: %w", d.hub.url, err)
}

// restore makes what the hub may have lost while the connection was broken. Jobs that
// it has kept it does not take again.
func (d *dealer) restore(ctx context.Context) {
	d.woken = time.Now()
	err := d.begin(ctx)
	if d.broken = err != nil; d.broken { // done again at the next tick
		if ctx.Err() == nil {
			d.warn(err)
		}
		return
	}
	for _, u := range d.window.open {
		u.out = false
	}
	for _, c := range d.twice {
		c.unit.out = false
	}
	d.sendAll(ctx)
}

// healEvery is how often the hub is sent at most what it has lost.
const healEvery = 5 * time.Second

// heal sends the hub anew what a worker did not find there whole: its store may have been
// damaged.
func (d *dealer) heal(ctx context.Context, lacks string) {
	if time.Since(d.healed[lacks]) < healEvery {
		return
	}
	d.healed[lacks] = time.Now()
	err := d.begin(ctx)
	for _, b := range d.blobs {
		if b.SHA256 == lacks && err == nil {
			err = d.wrong(d.hub.putBlob(ctx, b, true))
		}
	}
	if err != nil && ctx.Err() == nil {
		d.warn(err)
	}
}

// leave takes back what no worker has begun, and tells the hub that the match is not
// played any more.
func (d *dealer) leave(whole bool) {
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Second)
	defer stop()
	if !d.hub.conn.IsConnected() {
		return // what nobody renews goes by itself
	}
	// What fails here goes by itself too, later.
	if running, err := d.hub.js.KeyValue(ctx, runningBucket); err == nil {
		_ = running.Delete(ctx, d.key)
	}
	if whole {
		_ = d.hub.js.DeleteConsumer(ctx, jobsStream, d.key)
		_ = d.forget(ctx)
	}
	if stream, err := d.hub.js.Stream(ctx, jobsStream); err == nil {
		_ = stream.Purge(ctx, jetstream.WithPurgeSubject(jobsOf(d.key)))
	}
}

// arrived takes a result as it comes.
func (d *dealer) arrived(ctx context.Context, a arrival) {
	if a.at.since != d.last.since {
		d.early, d.ahead = map[int][]arrival{}, map[string]int{} // they come again
	}
	d.last = a.at
	d.take(ctx, a)
}

// take takes a result: to the disk, if it is what was to be played.
func (d *dealer) take(ctx context.Context, a arrival) {
	from, err := parseSubject(a.msg.Subject())
	if err != nil {
		return // nothing that a worker has published
	}
	u := d.window.open[from.unit]
	switch {
	case u == nil && from.unit > d.handed:
		d.wait(from, a) // its turn will come
		return
	case u == nil: // a second result, or one that is on disk
		d.compare(ctx, from, a.msg.Data())
		return
	case d.judged[a.msg.Subject()]: // it came again after a break
		return
	}
	if result := d.judge(ctx, u, from, a.msg.Data()); result != nil {
		d.accept(u, from.worker, a.at, result)
		d.checkSome(ctx, u, from.worker, result)
		return
	}
	d.judged[a.msg.Subject()] = true
	if from.attempt == u.attempt {
		d.again(ctx, u)
	}
}

// What may wait of a worker for its units to be handed out, in bytes: results of a match
// that is gone on with are there before them. What is more is played again.
const (
	mostAheadOf = 128 << 20
	leastSize   = 1 << 10 // counted for each
)

// wait keeps a result until its unit is handed out.
func (d *dealer) wait(from origin, a arrival) {
	size := leastSize + len(a.msg.Data())
	if d.isBarred(from.worker) || d.ahead[from.worker]+size > mostAheadOf {
		return
	}
	d.ahead[from.worker] += size
	d.early[from.unit] = append(d.early[from.unit], a)
}

// waited returns the results that waited for a unit, which wait no more.
func (d *dealer) waited(unit int) []arrival {
	all := d.early[unit]
	delete(d.early, unit)
	for _, a := range all {
		if from, err := parseSubject(a.msg.Subject()); err == nil {
			d.ahead[from.worker] -= leastSize + len(a.msg.Data())
		}
	}
	return all
}

// judge returns a result if it is what was to be played, nil if not.
func (d *dealer) judge(ctx context.Context, u *unit, from origin, text []byte) *resultMessage {
	if d.isBarred(from.worker) {
		return nil
	}
	result, err := parseResult(text, from.worker)
	if errors.Is(err, errStray) {
		d.warn(fmt.Errorf("a result of worker %s is refused: %w", from.worker, err))
		return nil
	}
	if err == nil && result.Refused != "" {
		d.warn(fmt.Errorf("worker %s (%.40s) cannot play this match: %.300s", from.worker, result.System, result.Refused))
		if result.Lacks != "" {
			d.heal(ctx, result.Lacks)
		}
		return nil
	}
	if err == nil {
		err = d.of.judge(u, result)
	}
	if err != nil {
		d.blame(ctx, from, text, err)
		return nil
	}
	if why := d.of.doubt(result, from.worker); why != nil && !u.doubted {
		u.doubted = true
		d.warn(why)
		return nil
	}
	return result
}

// accept has a result go to the disk.
func (d *dealer) accept(u *unit, worker string, at stored, result *resultMessage) {
	d.window.ended(u, time.Now())
	d.mu.Lock()
	d.held[at] = true
	d.mu.Unlock()
	d.failed = d.of.keep(u, result, worker, func() { d.keep(u.games, at) })
}

// keep notes that games are on disk. It may be called from any goroutine.
func (d *dealer) keep(games int, at stored) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kept += games
	delete(d.held, at)
	if len(d.held) == 0 {
		select {
		case d.settled <- struct{}{}:
		default:
		}
	}
}

// unkept tells whether games are on their way to the disk.
func (d *dealer) unkept() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.held) > 0
}

// forget has the hub forget the results before the first that is not on disk.
func (d *dealer) forget(ctx context.Context) error {
	first := d.last.sequence + 1
	waiting := func(at stored) {
		if at.since == d.last.since {
			first = min(first, at.sequence)
		}
	}
	d.mu.Lock()
	for at := range d.held {
		waiting(at)
	}
	d.mu.Unlock()
	for _, all := range d.early {
		for _, a := range all {
			waiting(a.at)
		}
	}
	if first <= 1 {
		return nil
	}
	ctx, stop := context.WithTimeout(ctx, replyWithin)
	defer stop()
	stream, err := d.hub.js.Stream(ctx, resultsStream)
	if err == nil {
		err = stream.Purge(ctx, jetstream.WithPurgeSubject(resultsOf(d.key)), jetstream.WithPurgeSequence(first))
	}
	return err
}

// twice is a unit that is played again by another worker, to compare the results: a replay
// by the rules cannot know scores, nor whether an engine would have made those turns.
type twice struct {
	unit   *unit
	by     string // the worker of the result that stands
	result *resultMessage
}

// checkSome has one unit in so many played again by another worker, if there is one. No
// worker knows beforehand which, and nobody waits for it.
func (d *dealer) checkSome(ctx context.Context, u *unit, worker string, result *resultMessage) {
	if d.settings.Twice == 0 || d.crew < 2 || !d.of.repeats() || rand.IntN(d.settings.Twice) > 0 {
		return
	}
	again := *u
	again.attempt++
	again.job.NotBy = worker
	d.twice[u.number] = &twice{unit: &again, by: worker, result: result}
	d.send(ctx, &again)
}

// compare holds the second result of a unit to the first, if that was asked for.
func (d *dealer) compare(ctx context.Context, from origin, text []byte) {
	c := d.twice[from.unit]
	if c == nil || from.attempt != c.unit.attempt || d.isBarred(from.worker) {
		return
	}
	second, err := parseResult(text, from.worker)
	if errors.Is(err, errStray) {
		return
	}
	delete(d.twice, from.unit)
	if from.worker == c.by || err == nil && second.Refused != "" {
		return // it tells nothing
	}
	if err == nil {
		err = d.of.judge(c.unit, second)
	}
	if err != nil {
		d.blame(ctx, from, text, err)
		return
	}
	if how := d.of.differ(c.result, second); how != nil {
		d.tellApart(ctx, c, from, second, how)
	}
}

// tellApart names two workers whose results of one unit differ, and logs both.
func (d *dealer) tellApart(ctx context.Context, c *twice, from origin, second *resultMessage, how error) {
	entry, err := json.Marshal(map[string]any{"job": from.unit, "workers": []string{c.by, from.worker}, "why": how.Error(), "results": []*resultMessage{c.result, second}})
	if err == nil {
		_, err = d.hub.js.Publish(ctx, fmt.Sprintf("gyre.log.%s.%d.%s", d.key, from.unit, from.worker), entry)
	}
	for worker, other := range map[string]string{c.by: from.worker, from.worker: c.by} {
		err = errors.Join(err, d.hub.hold(ctx, worker, func(f *Faults) {
			f.Differ++
			f.Beside = fmt.Sprintf("worker %s: %.300v", other, how)
		}))
	}
	d.warn(fmt.Errorf("workers %s and %s have different results of the same job; one of them is wrong, or the program is not the same each time; that of %s stands: %w",
		c.by, from.worker, c.by, how))
	if err != nil && ctx.Err() == nil {
		d.warn(d.wrong(fmt.Errorf("the difference is not on the hub: %w", err)))
	}
}

// isBarred tells whether results of a worker are taken no more.
func (d *dealer) isBarred(worker string) bool {
	f := d.faults[worker]
	return f != nil && f.Barred()
}

// blame holds a result that was refused against its worker: in the log whole, in the
// bucket of faults as a count, which the hub keeps for a day. After mostFaults the worker
// gets no more work.
func (d *dealer) blame(ctx context.Context, from origin, result []byte, why error) {
	f := d.faults[from.worker]
	if f == nil {
		f = &Faults{}
		d.faults[from.worker] = f
	}
	f.add(why)
	d.warn(fmt.Errorf("a result of worker %s is refused: %w", from.worker, why))
	if f.Barred() {
		d.warn(fmt.Errorf("worker %s gets no more work: %d of its results were refused", from.worker, f.Count))
	}
	entry, err := json.Marshal(map[string]any{"worker": from.worker, "job": from.unit, "attempt": from.attempt, "why": why.Error(), "result": json.RawMessage(jsonOr(result))})
	if err == nil {
		_, err = d.hub.js.Publish(ctx, fmt.Sprintf("gyre.log.%s.%d.%s", d.key, from.unit, from.worker), entry)
	}
	if err = errors.Join(err, d.hub.count(ctx, from.worker, why)); err != nil && ctx.Err() == nil {
		d.warn(d.wrong(fmt.Errorf("the fault is not on the hub: %w", err)))
	}
}

// learnFaults takes over what the hub holds against workers: it forgets after a day.
func (d *dealer) learnFaults(ctx context.Context) error {
	held, err := snapshot[*Faults](ctx, d.hub, faultsBucket)
	if err == nil {
		d.faults = held
	}
	return err
}

// jsonOr returns a text that is JSON: what is not as a string.
func jsonOr(text []byte) []byte {
	if json.Valid(text) {
		return text
	}
	quoted, _ := json.Marshal(string(text)) // a string can always be quoted
	return quoted
}

// alone returns why nobody plays a match.
func alone(needs []string) error {
	if len(needs) == 0 {
		return errAlone
	}
	return fmt.Errorf("no worker is there yet that offers %s: games begin when one comes", strings.Join(needs, " and "))
}

// errAlone tells that nobody plays.
var errAlone = errors.New("no worker is there yet: games begin when one comes")

// look counts the slots of the workers that take jobs of this match, and learns which are
// barred.
func (d *dealer) look(ctx context.Context) error {
	if err := d.learnFaults(ctx); err != nil {
		return err
	}
	present, err := snapshot[Present](ctx, d.hub, workersBucket)
	if err != nil {
		return err
	}
	if len(present) == 0 && time.Since(d.woken) < usualBeat {
		return nil // a hub that was begun anew is told by each of them soon
	}
	d.slots, d.crew = 0, 0
	for name, worker := range present {
		if !d.isBarred(name) && !slices.Contains(worker.Refuses, d.key) && worker.Slots > 0 && offersAll(worker.Offers, d.needs) {
			d.slots += min(worker.Slots, mostSlots)
			d.crew++
		}
	}
	if d.slots == 0 && !d.alone {
		d.warn(d.wrong(alone(d.needs)))
	}
	d.alone = d.slots == 0
	return nil
}

// report tells the hub how the match goes, and that it is played.
func (d *dealer) report(ctx context.Context) error {
	d.mu.Lock()
	kept := d.kept
	d.mu.Unlock()
	r := Running{Match: d.of.name(), Client: d.client, Games: kept, Out: len(d.window.open), Newest: d.of.newest(), Needs: d.needs}
	if d.score != nil {
		r.Progress = d.score()
	}
	return put(ctx, d.hub, runningBucket, d.key, r)
}

// unit is what goes out as one job: a pair of games, or a range of others.
type unit struct {
	number int // from 0; greater for those handed out later
	games  int
	jobs   []match.Job // of a pair
	span   span        // of a range
	job    jobMessage

	attempt int       // of its last job, from 0
	out     bool      // whether the broker has taken that job
	since   time.Time // when that was handed out
	first   time.Time // when the unit was, the first time
	doubted bool      // whether a result was not believed
}

// window is the units that are out.
type window struct {
	open   map[int]*unit   // by number
	lasted []time.Duration // of units, from being handed out to their results: the last ones
}

// Which units are slow.
const (
	lastedKept  = 101
	lastedLeast = 5 // units; before them only slowest counts
	slowFactor  = 3
	slowest     = 10 * time.Minute
	slowLeast   = 5 * time.Second // less is no reason to play a unit twice
)

func newWindow() *window { return &window{open: map[int]*unit{}} }

// add puts a unit out.
func (w *window) add(u *unit, now time.Time) {
	u.since, u.first = now, now
	w.open[u.number] = u
}

// ended takes a unit that has its result.
func (w *window) ended(u *unit, now time.Time) {
	delete(w.open, u.number)
	if len(w.lasted) == lastedKept {
		w.lasted = w.lasted[1:]
	}
	w.lasted = append(w.lasted, now.Sub(u.first))
}

// again has a unit handed out anew.
func (w *window) again(u *unit, now time.Time) {
	u.attempt++
	u.out, u.since = false, now
}

// slow returns the lowest unit when all that are played after it wait for it: when it is
// out for more than three times the median. nil for none.
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

// patience is how long a unit may be out.
func (w *window) patience() time.Duration {
	if len(w.lasted) < lastedLeast {
		return slowest
	}
	sorted := slices.Sorted(slices.Values(w.lasted))
	return min(max(slowFactor*sorted[len(sorted)/2], slowLeast), slowest)
}

// unsent returns the units that the broker has yet to take, in order.
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
