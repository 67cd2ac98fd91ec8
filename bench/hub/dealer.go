package hub

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"
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
