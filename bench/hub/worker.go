package hub

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"gyre/bench/game"
)

// Worker plays jobs of all matches that are played over a hub.
type Worker struct {
	Hub   *Hub
	Name  string // if the hub is without keys; with one it is the key's
	Slots int    // games at once, at least 1
	Cache string // folder of programs and files
	// Allow, if not empty, are the SHA-256 of the only programs that may run: engines
	// without an environment of the match, and programs of ranges with "range" first.
	Allow []string
	// Offers are its own engines, by the names that matches ask for them by.
	Offers map[string]Offer
	// Once ends the worker when the first match that it has played in is not played
	// any more.
	Once bool
	// Tell and Warn are told what happens, from several goroutines.
	Tell func(string)
	Warn func(error)
	// Beat is how often the worker tells that it is there; 0 for the usual time.
	Beat time.Duration

	cache   *cache
	builds  map[string]string // of what it offers: see game.BuildOf
	measure measurer          // measureSpeed if nil
	// playing is read-locked by each slot that plays, so that nothing else runs while the
	// speed of an engine is measured.
	playing sync.RWMutex

	mu      sync.Mutex
	running map[string]bool // matches, by key
	changed chan struct{}   // closed and made anew when running changes
	ready   map[string]*preparation
	busy    int
	pairs   int
	last    string // the match of the last pair
}

// mostSlots bounds the slots of a worker.
const mostSlots = 1024

// usualBeat is how often a worker tells that it is there.
const usualBeat = 10 * time.Second

// Run plays until ctx is done, or as Once says. Games under way are then broken off and
// given back to the hub, which hands them to another worker. The error is ctx's cause,
// or that the hub gives the worker no more work.
func (w *Worker) Run(ctx context.Context) error {
	if w.Slots < 1 || w.Slots > mostSlots {
		return fmt.Errorf("%d slots: not from 1 to %d", w.Slots, mostSlots)
	}
	dir, err := filepath.Abs(w.Cache)
	if err != nil {
		return err
	}
	if w.Hub.name != "" {
		w.Name = w.Hub.name
	}
	if !names.MatchString(w.Name) {
		return fmt.Errorf("the worker's name %q: not 1 to 40 letters, digits, _ and -", w.Name)
	}
	w.cache, w.builds = &cache{dir: dir}, map[string]string{}
	for name, o := range w.Offers {
		if err := CheckOffer(name); err != nil {
			return err
		}
		w.builds[name] = game.BuildOf(o.Program)
	}
	w.running, w.ready, w.changed = map[string]bool{}, map[string]*preparation{}, make(chan struct{})
	if w.Beat == 0 {
		w.Beat = usualBeat
	}
	playing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if err := w.enter(playing); err != nil {
		return err
	}
	var all sync.WaitGroup
	all.Go(func() { w.follow(playing, stop) })
	all.Go(func() { w.beats(playing, stop) })
	for number := range w.Slots {
		all.Go(func() { (&slot{worker: w, number: number}).run(playing) })
	}
	all.Wait()
	w.leave()
	if err := context.Cause(playing); !errors.Is(err, errDone) {
		return err
	}
	return nil
}

// errDone ends a worker that was to play once.
var errDone = errors.New("the match is over")

// leave tells the hub that the worker is gone, if the hub is there.
func (w *Worker) leave() {
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Second)
	defer stop()
	if w.Hub.conn.IsConnected() {
		w.busy, w.Slots = 0, 0
		_ = w.present(ctx) // it goes by itself too
	}
}

// present tells the hub that the worker is there.
func (w *Worker) present(ctx context.Context) error {
	w.mu.Lock()
	p := Present{Name: w.Name, System: system, Busy: w.busy, Pairs: w.pairs, Why: map[string]string{}, Offers: w.builds}
	p.Slots, p.Held = w.atOnce()
	for key, made := range w.ready {
		if why := made.refused(); why != nil && w.running[key] {
			p.Refuses = append(p.Refuses, key)
			p.Why[key] = fmt.Sprintf("%.*s", longestTold, why)
		}
	}
	w.mu.Unlock()
	slices.Sort(p.Refuses)
	return put(ctx, w.Hub, workersBucket, w.Name, p)
}

// beat asks what is held against the worker, and tells the hub that it is there. One that
// is barred may do no more than ask.
func (w *Worker) beat(ctx context.Context) error {
	faults, err := w.Hub.faultsOf(ctx, w.Name)
	if err == nil && faults.Barred() {
		return &BarredError{Faults: *faults}
	}
	if err == nil {
		err = w.present(ctx)
	}
	if err != nil {
		return fmt.Errorf("hub %s: %w", w.Hub.url, err)
	}
	return nil
}

// enter beats once, which shows whether the worker may. A hub that was begun just now, and a
// NATS server since whose beginning no match was, have no workers yet: it waits until they do.
func (w *Worker) enter(ctx context.Context) error {
	told := false
	for {
		err := w.beat(ctx)
		if !errors.Is(err, jetstream.ErrBucketNotFound) {
			return err
		}
		if !told {
			told = true
			w.Warn(fmt.Errorf("%w: it is asked until it has", err))
		}
		select {
		case <-time.After(backAfter):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// BarredError tells a worker that it gets no more work.
type BarredError struct{ Faults Faults }

// Error tells what was wrong last.
func (e *BarredError) Error() string {
	return fmt.Sprintf("the hub gives this worker no more work for a day: %d of its results were refused%s", e.Faults.Count, e.Faults.because())
}

// beats goes on telling until ctx is done. What failed is tried again soon.
func (w *Worker) beats(ctx context.Context, stop context.CancelCauseFunc) {
	tick := time.NewTicker(w.Beat)
	defer tick.Stop()
	var again <-chan time.Time
	for {
		retried := false
		select {
		case <-tick.C:
		case <-again:
			retried = true
		case <-w.Hub.returned():
		case <-w.Hub.closed:
			stop(fmt.Errorf("hub %s: %w", w.Hub.url, ErrNoAccess))
			return
		case <-ctx.Done():
			return
		}
		again = nil
		if !w.Hub.conn.IsConnected() {
			continue
		}
		asking, stopAsking := w.Hub.whole(ctx)
		err := w.beat(asking)
		stopAsking()
		if barred, ok := errors.AsType[*BarredError](err); ok {
			stop(barred)
			return
		}
		if err != nil && ctx.Err() == nil && !errors.Is(err, context.Canceled) {
			again = time.After(backAfter)
			if !retried {
				w.Warn(err)
			}
		}
	}
}
