package hub

import (
	"context"
	"fmt"
	"sync"
	"time"

	"gyre/bench/match"
	"gyre/protocol"
)

// Crew is the workers of a hub as the crew of one match. Each of its methods that is not
// public is called by the goroutine of Play, unless it says otherwise.
type Crew struct {
	Hub *Hub
	// Programs are those of the match's engines: their files are sent to the hub.
	Programs []protocol.Program
	// Client says where the match's journal is. The same match of the same client
	// takes results that came while it was not played.
	Client string
	// Score returns the match's score in a line; it may be nil. It may be called from
	// any goroutine.
	Score func() string
	// Settings are Default but in tests.
	Settings Settings

	match  *match.Match
	key    string
	window *window
	faults map[string]*Faults // by worker, of this match
	early  map[int][]arrival  // by pair, which is not yet handed out
	judged map[string]bool    // by subject: results that were not accepted
	handed int                // the highest pair that was handed out, -1 for none
	slots  int                // of all workers that take jobs of this match
	alone  bool               // whether it was told that there are none
	last   stored             // the last result that came
	broken bool               // whether restore has yet to be done
	back   <-chan struct{}    // closed when the connection was broken and is back
	warn   func(error)

	results chan<- match.Result

	mu      sync.Mutex
	held    map[stored]int // results on their way to the disk: their games that are not there yet
	kept    int            // games
	settled chan struct{}  // told of all that are kept
}

// Settings are how long things may take.
type Settings struct {
	Silent time.Duration // after so long without a word of its worker a job goes to another
	Tick   time.Duration // between two looks at the workers
}

// Default are the settings of a hub.
var Default = Settings{Silent: time.Minute, Tick: 2 * time.Second}

// leastOut is how many pairs are out although there is no worker, for the first to come.
const leastOut = 2

// Play has the workers of the hub play the games: see match.Crew.
func (c *Crew) Play(ctx context.Context, m *match.Match, jobs <-chan match.Job, results chan<- match.Result, warn func(error)) {
	defer close(results)
	c.match, c.results, c.warn = m, results, warn
	c.window, c.handed = newWindow(), -1
	c.faults, c.early, c.judged = map[string]*Faults{}, map[int][]arrival{}, map[string]bool{}
	c.held, c.settled = map[stored]int{}, make(chan struct{}, 1)
	if c.Settings == (Settings{}) {
		c.Settings = Default
	}
	var err error
	c.back = c.Hub.returned()
	c.whole(ctx, func(ctx context.Context) { err = c.begin(ctx) })
	if err == nil {
		err = c.run(ctx, jobs)
		c.leave(err == nil && ctx.Err() == nil)
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		results <- match.Result{Err: err}
	}
}

// run hands jobs out and takes results until there are no more of either.
func (c *Crew) run(ctx context.Context, jobs <-chan match.Job) error {
	arrivals := &arrivals{hub: c.Hub, filter: resultsOf(c.key), came: make(chan arrival)}
	listening, stop := context.WithCancel(ctx)
	var listener sync.WaitGroup
	listener.Go(func() { arrivals.listen(listening) })
	defer listener.Wait()
	defer stop()
	tick := time.NewTicker(c.Settings.Tick)
	defer tick.Stop()
	var half []match.Job // of a pair whose second game is yet to come
	for jobs != nil || len(c.window.pairs) > 0 || c.unkept() {
		var next <-chan match.Job
		if len(half) > 0 || len(c.window.pairs) < max(leastOut, 2*c.slots) {
			next = jobs
		}
		select {
		case j, open := <-next:
			if len(half) > 0 && (!open || j.Game.Pair != half[0].Game.Pair) {
				c.whole(ctx, func(ctx context.Context) { c.handOut(ctx, half) })
				half = nil
			}
			if !open {
				jobs = nil
			} else if half = append(half, j); len(half) == 2 {
				c.whole(ctx, func(ctx context.Context) { c.handOut(ctx, half) })
				half = nil
			}
		case a := <-arrivals.came:
			c.whole(ctx, func(ctx context.Context) { c.arrived(ctx, a) })
		case <-c.settled:
		case <-c.back:
			c.back = c.Hub.returned()
			c.whole(ctx, c.restore)
		case <-tick.C:
			c.whole(ctx, c.tick)
		case <-c.Hub.closed:
			return c.wrong(ErrNoAccess)
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

// whole does something over one connection.
func (c *Crew) whole(ctx context.Context, do func(context.Context)) {
	ctx, stop := c.Hub.whole(ctx)
	defer stop()
	do(ctx)
}

// handOut puts the games of a pair out. A result that was there before is taken first.
func (c *Crew) handOut(ctx context.Context, jobs []match.Job) {
	p := c.window.add(jobs, time.Now())
	c.handed = p.number
	early := c.early[p.number]
	delete(c.early, p.number)
	for _, a := range early {
		c.take(ctx, a)
	}
	if c.window.pairs[p.number] == p && !p.out {
		c.send(ctx, p)
	}
}

// send has the broker take the job of a pair. What it does not take now it is sent at the
// next tick.
func (c *Crew) send(ctx context.Context, p *openPair) {
	text, err := newJob(p.jobs)
	if err == nil {
		_, err = c.Hub.js.Publish(ctx, jobSubject(c.key, p.number, p.attempt), text)
	}
	if p.out = err == nil || isRefusedAgain(err); !p.out && ctx.Err() == nil {
		c.warn(c.wrong(fmt.Errorf("pair %d is not yet handed out: %w", p.number+1, err)))
	}
}

// again has another attempt at a pair made.
func (c *Crew) again(ctx context.Context, p *openPair) {
	c.window.again(p, time.Now())
	c.send(ctx, p)
}

// tick looks at the workers, and at what waits.
func (c *Crew) tick(ctx context.Context) {
	if !c.Hub.conn.IsConnected() {
		return // restore comes when it is
	}
	if c.broken {
		c.restore(ctx)
		return
	}
	for _, p := range c.window.unsent() {
		c.send(ctx, p)
	}
	if p := c.window.slow(time.Now()); p != nil {
		c.again(ctx, p)
	}
	for _, err := range []error{c.look(ctx), c.report(ctx), c.forget(ctx)} {
		if err != nil && ctx.Err() == nil && c.Hub.conn.IsConnected() {
			c.warn(c.wrong(err))
		}
	}
}
