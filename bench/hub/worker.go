package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"gyre/bench/game"
	"gyre/bench/match"
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

// follow keeps track of the matches that are played.
func (w *Worker) follow(ctx context.Context, stop context.CancelCauseFunc) {
	for ctx.Err() == nil {
		watching, stopWatching := w.Hub.whole(ctx)
		err := w.watch(watching, stop)
		stopWatching()
		if err != nil {
			select {
			case <-time.After(backAfter):
			case <-ctx.Done():
			}
		}
	}
}

// watch follows the matches until the connection is back after a break.
func (w *Worker) watch(ctx context.Context, stop context.CancelCauseFunc) error {
	store, err := w.Hub.js.KeyValue(ctx, runningBucket)
	if err != nil {
		return err
	}
	watcher, err := store.WatchAll(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = watcher.Stop() }() // it goes with the connection too
	heard := map[string]time.Time{}
	stale := time.NewTicker(runningFor / 4)
	defer stale.Stop()
	for {
		select {
		case entry, open := <-watcher.Updates():
			switch {
			case !open:
				return errors.New("the watch ended")
			case entry == nil: // all that there was
			case entry.Operation() == jetstream.KeyValuePut:
				heard[entry.Key()] = time.Now()
				if !w.offersFor(entry.Value()) {
					delete(heard, entry.Key())
				}
			default:
				delete(heard, entry.Key())
			}
		case <-stale.C:
			maps.DeleteFunc(heard, func(_ string, at time.Time) bool { return time.Since(at) > runningFor })
		case <-ctx.Done():
			return nil
		}
		w.setRunning(heard, stop)
	}
}

// offersFor tells whether the worker offers what a match that is played needs.
func (w *Worker) offersFor(running []byte) bool {
	var r Running
	return json.Unmarshal(running, &r) == nil && offersAll(w.Offers, r.Needs)
}

// setRunning notes which matches are played.
func (w *Worker) setRunning(heard map[string]time.Time, stop context.CancelCauseFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.Once && w.last != "" && w.running[w.last] && heard[w.last].IsZero() {
		stop(errDone)
	}
	same := len(heard) == len(w.running)
	for key := range heard {
		same = same && w.running[key]
	}
	if same {
		return
	}
	w.running = map[string]bool{}
	for key := range heard {
		w.running[key] = true
	}
	close(w.changed)
	w.changed = make(chan struct{})
}

// open returns the matches that a slot of the worker can play in, in order, and what is
// closed when there are others.
func (w *Worker) open(slot int) ([]string, <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var keys []string
	if slots, _ := w.atOnce(); slot >= slots {
		return nil, w.changed
	}
	for _, key := range slices.Sorted(maps.Keys(w.running)) {
		if made := w.ready[key]; made == nil || made.refused() == nil {
			keys = append(keys, key)
		}
	}
	return keys, w.changed
}

// count notes games that are played, and pairs that were.
func (w *Worker) count(busy, pairs int, key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy += busy
	w.pairs += pairs
	w.last = key
}

// slot plays one game at a time. Its engines stay from job to job of a match.
type slot struct {
	worker *Worker
	number int           // from 0
	key    string        // of the match that its engines are of
	plays  *match.Worker // nil for none
	turn   int           // which of several matches is next

	consumers map[string]jetstream.Consumer // by match
}

// jobWait is how long a slot waits for a job of one match before it asks for one of
// another.
const jobWait = time.Second

// ackWithin is how long a slot waits until the hub has taken an acknowledgement. A hub
// that has lost its store since it gave the job says nothing to it.
const ackWithin = 5 * time.Second

// run takes jobs of all matches in turn until ctx is done.
func (s *slot) run(ctx context.Context) {
	defer s.free()
	for ctx.Err() == nil {
		keys, changed := s.worker.open(s.number)
		if !slices.Contains(keys, s.key) {
			s.free()
		}
		maps.DeleteFunc(s.consumers, func(key string, _ jetstream.Consumer) bool { return !slices.Contains(keys, key) })
		if len(keys) == 0 {
			select {
			case <-changed:
			case <-time.After(s.worker.Beat): // what was not there may be there now
			case <-ctx.Done():
			}
			continue
		}
		s.turn++
		if !s.next(ctx, keys[s.turn%len(keys)]) {
			select { // the hub is away, or the match was not yet made there
			case <-changed:
			case <-time.After(backAfter):
			case <-ctx.Done():
			}
		}
	}
}

// next takes a job of a match, if one comes soon, and plays it. It tells whether the hub
// could be asked.
func (s *slot) next(ctx context.Context, key string) bool {
	consumer, err := s.consumers[key], error(nil)
	if consumer == nil {
		asking, stop := s.worker.Hub.whole(ctx)
		defer stop()
		if consumer, err = s.worker.Hub.js.Consumer(asking, jobsStream, key); err != nil {
			return false
		}
		if s.consumers == nil {
			s.consumers = map[string]jetstream.Consumer{}
		}
		s.consumers[key] = consumer
	}
	msg, err := nextJob(ctx, consumer)
	if err != nil {
		s.consumers = nil
		return false
	}
	if msg == nil {
		return true
	}
	renew := max(consumer.CachedInfo().Config.AckWait/4, 10*time.Millisecond)
	playing, broken := context.WithCancel(ctx)
	defer broken()
	go func() {
		tick := time.NewTicker(renew)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = msg.InProgress() // without it the job goes to another, and both results are good
			case <-playing.Done():
				return
			}
		}
	}()
	s.play(playing, key, msg)
	return true
}

// nextJob returns a job of a match; nil if none comes in time, or ctx is done. It listens a
// second longer than the hub looks for one: what comes to nobody is handed out again only when
// it has been silent for a while. So a job that comes after ctx is done is given back.
func nextJob(ctx context.Context, consumer jetstream.Consumer) (jetstream.Msg, error) {
	batch, err := consumer.Fetch(1, jetstream.FetchMaxWait(jobWait))
	if err != nil {
		return nil, err
	}
	select {
	case msg := <-batch.Messages():
		if msg == nil {
			return nil, batch.Error()
		}
		return msg, nil
	case <-ctx.Done():
		go func() {
			if msg := <-batch.Messages(); msg != nil {
				_ = msg.Nak() // without it the hub waits, and hands it out too
			}
		}()
		return nil, nil
	}
}

// play plays a job, and publishes what came of it before the job is acknowledged.
func (s *slot) play(ctx context.Context, key string, msg jetstream.Msg) {
	w := s.worker
	from, err := parseSubject(msg.Subject())
	if err != nil || from.match != key {
		_ = msg.Term() // no job at all
		return
	}
	var job jobMessage
	if json.Unmarshal(msg.Data(), &job) == nil && job.NotBy == w.Name {
		_ = msg.NakWithDelay(jobWait) // another takes it meanwhile
		return
	}
	w.count(1, 0, key)
	defer w.count(-1, 0, key)
	result, err := s.games(ctx, key, msg.Data())
	if err != nil { // ctx is done, or there are too many slots
		_ = msg.Nak() // without it the hub waits, and hands it out too
		return
	}
	text, err := json.Marshal(result)
	if err != nil {
		w.Warn(err)
		return
	}
	subject := resultSubject(key, from.unit, from.attempt, w.Name)
	for {
		sending, stop := w.Hub.whole(ctx)
		_, err := w.Hub.js.Publish(sending, subject, text)
		stop()
		if err == nil || isRefusedAgain(err) {
			break
		}
		select {
		case <-time.After(backAfter):
		case <-ctx.Done():
			return // the hub has neither, and hands the job out again
		}
	}
	acking, stop := context.WithTimeout(ctx, ackWithin)
	defer stop()
	_ = msg.DoubleAck(acking) // without it the pair is played twice, and one result is taken
	if result.Refused == "" {
		w.count(0, 1, key)
	}
}

// games plays the games of a job. An error says that ctx is done, or the slot one too many.
func (s *slot) games(ctx context.Context, key string, text []byte) (*resultMessage, error) {
	result := &resultMessage{Version: Version, Worker: s.worker.Name, System: system}
	made, why, err := s.worker.prepare(ctx, key, text)
	if err != nil {
		return nil, err
	}
	if why != nil {
		result.Refused = why.Error()
		if lack, ok := errors.AsType[*lackError](why); ok {
			result.Lacks = lack.lacks
		}
		return result, nil
	}
	s.worker.playing.RLock()
	defer s.worker.playing.RUnlock()
	if s.worker.crowds(s.number) { // perhaps by what was measured until now
		return nil, errCrowded
	}
	result.Speed = made.speed
	if made.ranges != nil {
		result.Output, err = made.ranges.run(ctx, text)
		return result, s.gaveUp(ctx, made, result, err)
	}
	jobs, err := parseJob(text, len(made.match.Engines))
	if err != nil {
		result.Refused = err.Error()
		return result, nil
	}
	if s.key != key || s.plays == nil {
		s.free()
		s.key, s.plays = key, made.match.NewWorker(s.worker.Warn)
	}
	for _, j := range jobs {
		line, err := s.plays.Play(ctx, j)
		if err != nil || ctx.Err() != nil {
			return result, s.gaveUp(ctx, made, result, err)
		}
		result.Games = append(result.Games, line)
	}
	return result, nil
}

// gaveUp makes a result tell that its match cannot be played here, if there is an error.
// The one that it returns is ctx's cause.
func (s *slot) gaveUp(ctx context.Context, made *preparation, result *resultMessage, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		made.refuse(err, s.worker.Beat)
		result.Games, result.Output, result.Refused = nil, nil, err.Error()
	}
	return nil
}

// free ends the slot's engines.
func (s *slot) free() {
	if s.plays != nil {
		s.plays.Close()
		s.plays, s.key = nil, ""
	}
}
