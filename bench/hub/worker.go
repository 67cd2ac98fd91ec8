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

	"gyre/bench/game"
	"gyre/bench/hub/internal/wire"
	"gyre/bench/match"
)

// Worker plays jobs of all matches of a hub.
type Worker struct {
	Hub   *Hub
	Name  string // if the hub has no keys; otherwise the key's name counts
	Slots int    // games at once, at least 1
	Cache string // folder for programs and files
	// Allow, if not empty, has the SHA-256 of the only programs that may run: engines
	// without an environment from the match, and programs of ranges with "range" as their
	// first argument.
	Allow []string
	// Offers are the worker's own engines, by the names under which matches request them.
	Offers map[string]Offer
	// Once ends the worker when the first match that it has played in is over.
	Once bool
	// Tell and Warn report what happens, from several goroutines.
	Tell func(string)
	Warn func(error)
	// Heartbeat is the time between two reports to the hub; 0 for the default.
	Heartbeat time.Duration

	cache   *cache
	builds  map[string]string // of the offered engines; see game.BuildOf
	measure measurer          // nil for measureSpeed
	// playing is read-locked by each slot that plays. While it is locked, the worker
	// measures the speed of an engine.
	playing sync.RWMutex

	mu      sync.Mutex
	running map[string]bool // matches in progress, by key
	changed chan struct{}   // closed and replaced when running changes
	ready   map[string]*preparation
	busy    int
	pairs   int
	last    string // the match of the last job
}

// maxSlots bounds the slots of a worker.
const maxSlots = 1024

const heartbeatInterval = 10 * time.Second

// Run plays until ctx is done, or as Once says. Then it gives unfinished jobs back to the hub,
// which hands them to other workers. The error is ctx's cause, or says that the hub has
// suspended the worker.
func (w *Worker) Run(ctx context.Context) error {
	if w.Slots < 1 || w.Slots > maxSlots {
		return fmt.Errorf("%d slots: use 1 to %d", w.Slots, maxSlots)
	}
	dir, err := filepath.Abs(w.Cache)
	if err != nil {
		return err
	}
	if w.Hub.name != "" {
		w.Name = w.Hub.name
	}
	if !wire.Name.MatchString(w.Name) {
		return fmt.Errorf("the worker's name %q: use 1 to 40 letters, digits, _ and -", w.Name)
	}
	w.cache, w.builds = &cache{dir: dir}, map[string]string{}
	for name, o := range w.Offers {
		if err := CheckOffer(name); err != nil {
			return err
		}
		w.builds[name] = game.BuildOf(o.Program)
	}
	w.running, w.ready, w.changed = map[string]bool{}, map[string]*preparation{}, make(chan struct{})
	if w.Heartbeat == 0 {
		w.Heartbeat = heartbeatInterval
	}
	playing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if err := w.join(playing); err != nil {
		return err
	}
	var all sync.WaitGroup
	all.Go(func() { w.followMatches(playing, stop) })
	all.Go(func() { w.heartbeats(playing, stop) })
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

// errDone ends a worker with Once.
var errDone = errors.New("the match is over")

// join sends the first heartbeat, which shows whether the worker is suspended. It waits for a
// hub that is down or not ready yet.
func (w *Worker) join(ctx context.Context) error {
	warned := false
	for {
		back := w.Hub.reconnected()
		asking, stop := w.Hub.perConnection(ctx)
		err := w.heartbeat(asking)
		stop()
		if hub, ok := errors.AsType[*hubError](err); !ok || ctx.Err() != nil {
			return err
		} else if !warned && !hub.starting() {
			warned = true
			w.Warn(fmt.Errorf("%w: waiting for it", err))
		}
		select {
		case <-back:
		case <-time.After(retryInterval):
		case <-w.Hub.closed:
			return w.Hub.wrap(ErrNoAccess)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// leave reports to the hub, if it is connected, that the worker is gone. Otherwise its status
// expires.
func (w *Worker) leave() {
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Second)
	defer stop()
	if w.Hub.connected() {
		w.busy, w.Slots = 0, 0
		_ = w.reportStatus(ctx)
	}
}

// reportStatus stores the status of the worker on the hub.
func (w *Worker) reportStatus(ctx context.Context) error {
	w.mu.Lock()
	s := WorkerStatus{Name: w.Name, System: system, Busy: w.busy, Pairs: w.pairs, Why: map[string]string{}, Offers: w.builds}
	s.Slots, s.Limited = w.capacity()
	for key, p := range w.ready {
		if why := p.refused(); why != nil && w.running[key] {
			s.Refuses = append(s.Refuses, key)
			s.Why[key] = fmt.Sprintf("%.*s", wire.MaxText, why)
		}
	}
	w.mu.Unlock()
	slices.Sort(s.Refuses)
	return w.Hub.put(ctx, wire.WorkersBucket, w.Name, s)
}

// heartbeat checks whether the worker is suspended, and reports its status. A suspended worker
// may only check.
func (w *Worker) heartbeat(ctx context.Context) error {
	faults, err := w.Hub.faultsOf(ctx, w.Name)
	if err == nil && faults.Suspended() {
		return &SuspendedError{Faults: *faults}
	}
	if err == nil {
		err = w.reportStatus(ctx)
	}
	return w.Hub.wrap(err)
}

// SuspendedError reports that the hub gives a worker no more work.
type SuspendedError struct{ Faults Faults }

// Error includes the last fault.
func (e *SuspendedError) Error() string {
	return fmt.Sprintf("the hub has suspended this worker for a day: %d of its results were rejected%s", e.Faults.Count, e.Faults.Reason())
}

// heartbeats sends heartbeats until ctx is done. It soon retries after an error.
func (w *Worker) heartbeats(ctx context.Context, stop context.CancelCauseFunc) {
	tick := time.NewTicker(w.Heartbeat)
	defer tick.Stop()
	var retry <-chan time.Time
	for {
		retried := false
		select {
		case <-tick.C:
		case <-retry:
			retried = true
		case <-w.Hub.reconnected():
		case <-w.Hub.closed:
			stop(w.Hub.wrap(ErrNoAccess))
			return
		case <-ctx.Done():
			return
		}
		retry = nil
		if !w.Hub.connected() {
			continue
		}
		asking, done := w.Hub.perConnection(ctx)
		err := w.heartbeat(asking)
		interrupted := asking.Err() != nil
		done()
		if suspended, ok := errors.AsType[*SuspendedError](err); ok {
			stop(suspended)
			return
		}
		if err != nil && ctx.Err() == nil && !interrupted {
			retry = time.After(retryInterval)
			if !retried {
				w.Warn(err)
			}
		}
	}
}

// followMatches keeps track of the matches in progress until ctx is done.
func (w *Worker) followMatches(ctx context.Context, stop context.CancelCauseFunc) {
	for ctx.Err() == nil {
		watching, done := w.Hub.perConnection(ctx)
		err := w.watchMatches(watching, stop)
		done()
		if err != nil {
			select {
			case <-time.After(retryInterval):
			case <-ctx.Done():
			}
		}
	}
}

// watchMatches follows the matches until the connection is re-established.
func (w *Worker) watchMatches(ctx context.Context, stop context.CancelCauseFunc) error {
	reported := map[string]time.Time{}
	return w.Hub.watch(ctx, wire.RunningBucket, wire.RunningTTL/4, func(key string, status []byte) {
		switch {
		case key == "":
			maps.DeleteFunc(reported, func(_ string, at time.Time) bool { return time.Since(at) > wire.RunningTTL })
		case status != nil && w.offersFor(status):
			reported[key] = time.Now()
		default:
			delete(reported, key)
		}
		w.setRunning(reported, stop)
	})
}

// offersFor reports whether the worker offers the engines that a match needs.
func (w *Worker) offersFor(status []byte) bool {
	var s MatchStatus
	return json.Unmarshal(status, &s) == nil && offersAll(w.Offers, s.Needs)
}

// setRunning updates the matches in progress.
func (w *Worker) setRunning(reported map[string]time.Time, stop context.CancelCauseFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.Once && w.last != "" && w.running[w.last] && reported[w.last].IsZero() {
		stop(errDone)
	}
	same := len(reported) == len(w.running)
	for key := range reported {
		same = same && w.running[key]
	}
	if same {
		return
	}
	w.running = map[string]bool{}
	for key := range reported {
		w.running[key] = true
	}
	close(w.changed)
	w.changed = make(chan struct{})
}

// playable returns the matches that a slot can play in, sorted, and a channel that is closed
// when they change.
func (w *Worker) playable(slot int) ([]string, <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var keys []string
	if slots, _ := w.capacity(); slot >= slots {
		return nil, w.changed
	}
	for _, key := range slices.Sorted(maps.Keys(w.running)) {
		if p := w.ready[key]; p == nil || p.refused() == nil {
			keys = append(keys, key)
		}
	}
	return keys, w.changed
}

// count adds to the games in progress and the pairs finished, of a match.
func (w *Worker) count(busy, pairs int, key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy += busy
	w.pairs += pairs
	w.last = key
}

// slot plays one game at a time. It keeps its engines from job to job of a match.
type slot struct {
	worker *Worker
	number int           // from 0
	key    string        // the match of its engines
	plays  *match.Worker // nil for none
	turn   int           // counts jobs, to alternate between matches

	queues map[string]*queue // by match
}

// ackTimeout is how long a slot waits until the hub has stored an acknowledgment. A hub that
// has lost its store since it handed out the job does not reply.
const ackTimeout = 5 * time.Second

// run plays jobs of all matches alternately until ctx is done.
func (s *slot) run(ctx context.Context) {
	defer s.closeEngines()
	for ctx.Err() == nil {
		keys, changed := s.worker.playable(s.number)
		if !slices.Contains(keys, s.key) {
			s.closeEngines()
		}
		maps.DeleteFunc(s.queues, func(key string, _ *queue) bool { return !slices.Contains(keys, key) })
		if len(keys) == 0 {
			select {
			case <-changed:
			case <-time.After(s.worker.Heartbeat): // a refused match may be playable again
			case <-ctx.Done():
			}
			continue
		}
		s.turn++
		if !s.next(ctx, keys[s.turn%len(keys)]) {
			select { // the hub is gone, or does not have the match yet
			case <-changed:
			case <-time.After(retryInterval):
			case <-ctx.Done():
			}
		}
	}
}

// next plays a job of a match, if there is one soon. It reports whether the hub replied.
func (s *slot) next(ctx context.Context, key string) bool {
	q := s.queues[key]
	if q == nil {
		asking, stop := s.worker.Hub.perConnection(ctx)
		defer stop()
		var err error
		if q, err = s.worker.Hub.queue(asking, key); err != nil {
			return false
		}
		if s.queues == nil {
			s.queues = map[string]*queue{}
		}
		s.queues[key] = q
	}
	msg, err := q.next(ctx)
	if err != nil {
		s.queues = nil
		return false
	}
	if msg == nil {
		return true
	}
	renew := max(q.silent/4, 10*time.Millisecond)
	playing, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		tick := time.NewTicker(renew)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = msg.InProgress() // otherwise another worker plays it too, and both results are valid
			case <-playing.Done():
				return
			}
		}
	}()
	s.play(playing, key, msg)
	return true
}

// play plays a job. It acknowledges the job after the hub has stored the result.
func (s *slot) play(ctx context.Context, key string, msg message) {
	w := s.worker
	from, err := wire.ParseSubject(msg.Subject())
	if err != nil || from.Match != key {
		_ = msg.Term() // not a job
		return
	}
	var job jobMessage
	if json.Unmarshal(msg.Data(), &job) == nil && job.NotBy == w.Name {
		_ = msg.NakWithDelay(jobWait) // another worker takes it meanwhile
		return
	}
	w.count(1, 0, key)
	defer w.count(-1, 0, key)
	result, err := s.playGames(ctx, key, msg.Data())
	if err != nil { // ctx is done, or the worker is over its capacity
		_ = msg.Nak() // otherwise the hub hands it out later
		return
	}
	text, err := json.Marshal(result)
	if err != nil {
		w.Warn(err)
		return
	}
	subject := wire.ResultSubject(key, from.Unit, from.Attempt, w.Name)
	for {
		sending, stop := w.Hub.perConnection(ctx)
		err := w.Hub.publishOnce(sending, subject, text)
		stop()
		if err == nil {
			break
		}
		select {
		case <-time.After(retryInterval):
		case <-ctx.Done():
			return // the hub hands the job out again
		}
	}
	acking, stop := context.WithTimeout(ctx, ackTimeout)
	defer stop()
	_ = msg.DoubleAck(acking) // otherwise the pair is played twice, and one result counts
	if result.Refused == "" {
		w.count(0, 1, key)
	}
}

// playGames plays the games of a job. An error says that ctx is done, or that the worker is
// over its capacity.
func (s *slot) playGames(ctx context.Context, key string, text []byte) (*resultMessage, error) {
	result := &resultMessage{Version: wire.Version, Worker: s.worker.Name, System: system}
	p, why, err := s.worker.prepare(ctx, key, text)
	if err != nil {
		return nil, err
	}
	if why != nil {
		result.Refused = why.Error()
		if missing, ok := errors.AsType[*missingError](why); ok {
			result.Missing = missing.what
		}
		return result, nil
	}
	s.worker.playing.RLock()
	defer s.worker.playing.RUnlock()
	if s.worker.overCapacity(s.number) { // a measurement may have reduced it
		return nil, errOverCapacity
	}
	result.Speed = p.speed
	if p.ranges != nil {
		result.Output, err = p.ranges.run(ctx, text)
		return result, s.refuse(ctx, p, result, err)
	}
	jobs, err := parseJob(text, len(p.match.Engines))
	if err != nil {
		result.Refused = err.Error()
		return result, nil
	}
	if s.key != key || s.plays == nil {
		s.closeEngines()
		s.key, s.plays = key, p.match.NewWorker(s.worker.Warn)
	}
	for _, j := range jobs {
		line, err := s.plays.Play(ctx, j)
		if err != nil || ctx.Err() != nil {
			return result, s.refuse(ctx, p, result, err)
		}
		result.Games = append(result.Games, line)
	}
	return result, nil
}

// refuse makes a result say that the match cannot be played here, if err is not nil. It
// returns ctx's cause.
func (s *slot) refuse(ctx context.Context, p *preparation, result *resultMessage, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		p.refuse(err, s.worker.Heartbeat)
		result.Games, result.Output, result.Refused = nil, nil, err.Error()
	}
	return nil
}

// closeEngines ends the slot's engines.
func (s *slot) closeEngines() {
	if s.plays != nil {
		s.plays.Close()
		s.plays, s.key = nil, ""
	}
}
