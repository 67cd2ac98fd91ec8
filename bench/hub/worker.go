package hub

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

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

	cache    *cache
	builds   map[string]string  // of the offered engines; see game.BuildOf
	measure  measurer           // nil for measureSpeed
	inside   func(*game.Engine) // lets tests replace the start of an engine's program; nil for none
	sending  *rate.Limiter      // of what it sends to matches
	endAfter time.Duration      // lets tests replace orphanedFor; 0 for that
	floor    floor              // where its slots play, and one measures the speed of an engine
	warnings *wire.Warnings     // by owner

	mu      sync.Mutex
	running map[string]*runningMatch // matches in progress, by key
	changed chan struct{}            // closed and replaced when running has other matches, or a slot has prepared one
	report  chan struct{}            // asks for a heartbeat
	ready   map[string]*preparation
	used    map[string]float64 // seconds of slots divided by the match's share, by match
	typical map[string]float64 // seconds of a job that was played, by match
	// unanswered are the numbers of requests whose replies did not come, by match. A reply may have had a job.
	unanswered map[string][]uint64
	held       []*heldResult            // in the order in which it got them
	again      map[string]*rate.Limiter // of held results that are sent again, by owner
	lost       map[string]*rate.Limiter // of lost replies whose wait costs their match nothing, by owner
	// flying is how many bytes of results have been sent to the matches of other keys and got no reply yet, by key. landed is
	// closed and replaced when some got one.
	flying map[string]int
	landed chan struct{}
	// excluded has the owners whose matches give this worker no more work.
	excluded map[string]string
	busy     int
	jobs     int    // finished
	last     string // the match of the last job
}

// maxSlots bounds the slots of a worker.
const maxSlots = 1024

const heartbeatInterval = 10 * time.Second

// leastBeat is the least time between two heartbeats about a job.
const leastBeat = 250 * time.Millisecond

// Run plays until ctx is done, or as Once says. Then it gives unfinished jobs back to their
// matches, which hand them to other workers. The error is ctx's cause, or says that the hub has
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
	defer w.cache.clear()
	for name, o := range w.Offers {
		if err := CheckOffer(name); err != nil {
			return err
		}
		w.builds[name] = game.BuildOf(o.Program)
	}
	w.reset()
	if w.Heartbeat == 0 {
		w.Heartbeat = heartbeatInterval
	}
	playing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var all sync.WaitGroup
	all.Go(func() { w.followMatches(playing, stop) })
	all.Go(func() { w.heartbeats(playing, stop) })
	all.Go(func() { w.deliverHeld(playing) })
	for number := range w.Slots {
		all.Go(func() { (&slot{worker: w, number: number}).run(playing) })
	}
	all.Wait()
	w.warnings.Flush(true)
	err = context.Cause(playing)
	if _, suspended := errors.AsType[*SuspendedError](err); !suspended {
		w.leave()
	}
	if errors.Is(err, errDone) {
		return nil
	}
	return err
}

// tell reports what happens. The texts of a match may have anything in them.
func (w *Worker) tell(text string) { w.Tell(wire.Printable(text, maxDetail)) }

// warn reports a problem that the matches of an owner cause; see ownerOf. The texts of a match may have anything in them.
func (w *Worker) warn(owner string, err error) {
	w.warnings.Warn("the matches of "+cmp.Or(owner, "this hub"), errors.New(wire.Printable(err.Error(), maxDetail)))
}

func (w *Worker) reset() {
	w.warnings = wire.NewWarnings(w.Warn)
	w.running, w.ready, w.changed = map[string]*runningMatch{}, map[string]*preparation{}, make(chan struct{})
	w.used, w.typical, w.unanswered = map[string]float64{}, map[string]float64{}, map[string][]uint64{}
	w.flying, w.landed = map[string]int{}, make(chan struct{})
	w.report, w.sending, w.again, w.lost = make(chan struct{}, 1), newPace(), map[string]*rate.Limiter{}, map[string]*rate.Limiter{}
}

// errDone ends a worker with Once.
var errDone = errors.New("the match is over")

// leave reports to the hub, if it is connected, that the worker is gone. Otherwise its status
// expires.
func (w *Worker) leave() {
	ctx, stop := context.WithTimeout(context.Background(), closeTimeout)
	defer stop()
	if w.Hub.connected() {
		w.busy, w.Slots = 0, 0
		_ = w.reportStatus(ctx)
	}
}

// maxRefusals bounds the refused matches and reasons in a status, in bytes: the hub rejects longer ones. longestEscape
// is the most bytes that JSON needs for a byte of text.
const (
	maxRefusals   = wire.MaxRequest / 2
	longestEscape = 6
)

func (w *Worker) reportStatus(ctx context.Context) error {
	w.mu.Lock()
	s := WorkerStatus{Name: w.Name, System: system, Busy: w.busy, Pairs: w.jobs, Why: map[string]string{}, Offers: w.builds}
	s.Slots, s.Limited = w.capacity()
	size := 0
	for _, key := range slices.Sorted(maps.Keys(w.ready)) {
		if why := w.ready[key].refused(); why != nil && w.running[key] != nil {
			text := fmt.Sprintf("%.*s", wire.MaxText, why)
			if size += 2*len(key) + longestEscape*len(text); size > maxRefusals {
				break // a hostile client can have any number of matches
			}
			s.Refuses = append(s.Refuses, key)
			s.Why[key] = text
		}
	}
	w.mu.Unlock()
	var reply wire.JoinReply
	if _, err := w.Hub.ask(ctx, wire.Join, w.Name, s, nil, &reply); err != nil {
		return w.Hub.wrap(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for owner, why := range reply.Excluded {
		if _, known := w.excluded[owner]; !known {
			w.warn(owner, fmt.Errorf("the matches of %s give this worker no more work for a day: %s", owner, why))
		}
	}
	w.excluded = reply.Excluded
	return nil
}

// heartbeats sends heartbeats until ctx is done, the first at once and one whenever a match begins, is
// prepared or ends, and forgets silent matches. It soon retries after an error: the hub may be down, or not ready
// yet.
func (w *Worker) heartbeats(ctx context.Context, stop context.CancelCauseFunc) {
	tick := time.NewTicker(w.Heartbeat)
	defer tick.Stop()
	pace := rate.NewLimiter(rate.Every(leastBeat), 8) // a match may begin and end all the time
	retry := time.After(0)
	warned := false
	for changed := w.matchesChanged(); ; {
		select {
		case <-tick.C:
		case <-changed: // so that the status is right when a match ends
			changed = w.matchesChanged()
		case <-w.report:
		case <-retry:
		case <-w.Hub.reconnected():
		case <-w.Hub.closed:
			stop(w.Hub.wrap(ErrNoAccess))
			return
		case <-ctx.Done():
			return
		}
		if pace.Wait(ctx) != nil {
			return
		}
		retry = nil
		w.warnings.Flush(false)
		w.forgetSilent(stop)
		if !w.Hub.connected() {
			continue
		}
		asking, done := w.Hub.perConnection(ctx)
		err := w.reportStatus(asking)
		interrupted := isInterrupted(asking, err)
		done()
		if suspended, ok := errors.AsType[*SuspendedError](err); ok {
			stop(suspended)
			return
		}
		if err == nil {
			warned = false
			w.forgetSilent(stop) // also those that exclude the worker now
		} else if !interrupted {
			retry = time.After(retryInterval)
			if !warned {
				warned = true
				w.warn("", fmt.Errorf("%w: waiting for it", err))
			}
		}
	}
}

// runningMatch is a match in progress, as its client reported it.
type runningMatch struct {
	status     MatchStatus
	reported   time.Time
	connection <-chan struct{} // closed when the connection over which it was reported has ended
}

// The bounds of shares. With others the time that a match used would be no number that compares.
const (
	leastShare = 1e-6
	mostShare  = 1e6
)

// share returns the share of the match, 1 if it has none.
func (r *runningMatch) share() float64 {
	if r.status.Share > 0 {
		return min(max(r.status.Share, leastShare), mostShare)
	}
	return 1
}

// followMatches keeps track of the matches in progress that the worker can play, until ctx is
// done.
func (w *Worker) followMatches(ctx context.Context, stop context.CancelCauseFunc) {
	err := w.Hub.Follow(ctx, func(key string, m *MatchStatus) {
		w.updateRunning(stop, func(running map[string]*runningMatch) {
			if m != nil && offersAll(w.Offers, m.Needs) {
				running[key] = &runningMatch{*m, time.Now(), w.Hub.reconnected()}
			} else {
				delete(running, key)
			}
		})
	})
	if err != nil {
		stop(err)
	}
}

// forgetSilent forgets the matches whose clients no longer report them.
func (w *Worker) forgetSilent(stop context.CancelCauseFunc) {
	w.updateRunning(stop, func(running map[string]*runningMatch) {
		maps.DeleteFunc(running, func(_ string, r *runningMatch) bool { return time.Since(r.reported) > wire.LiveTTL })
	})
}

// updateRunning changes the matches in progress, and forgets all about others.
func (w *Worker) updateRunning(stop context.CancelCauseFunc, change func(map[string]*runningMatch)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	running := maps.Clone(w.running)
	change(running)
	maps.DeleteFunc(running, func(_ string, r *runningMatch) bool { _, excluded := w.excluded[r.status.Owner]; return excluded })
	if w.Once && w.last != "" && w.running[w.last] != nil && running[w.last] == nil {
		stop(errDone)
	}
	least := math.Inf(1) // a new match gets no time for the past
	for key := range w.running {
		if running[key] != nil {
			least = min(least, w.used[key])
		}
	}
	changed := len(running) != len(w.running)
	for key := range running {
		if w.running[key] == nil {
			changed = true
			if !math.IsInf(least, 1) {
				w.used[key] = max(w.used[key], least)
			}
		}
	}
	w.running = running
	over := func(key string) bool { return running[key] == nil } // one that resumes is prepared again
	maps.DeleteFunc(w.ready, func(key string, _ *preparation) bool { return over(key) })
	maps.DeleteFunc(w.used, func(key string, _ float64) bool { return over(key) })
	maps.DeleteFunc(w.typical, func(key string, _ float64) bool { return over(key) })
	maps.DeleteFunc(w.unanswered, func(key string, _ []uint64) bool { return over(key) })
	if changed {
		w.wake()
	}
}

// wake lets the slots look again for matches that they can play. w.mu must be held.
func (w *Worker) wake() {
	close(w.changed)
	w.changed = make(chan struct{})
}

// matchesChanged returns a channel that is closed when a match begins or ends, or a slot has prepared one.
func (w *Worker) matchesChanged() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.changed
}

// playable returns the matches that a slot can play in, the preferred one first, and a channel
// that is closed when they change. Of the matches with the highest priority, the one that used
// the least time for its share is preferred. Matches that another slot prepares are left out: that may take minutes.
func (w *Worker) playable(slot int) ([]string, <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var keys []string
	if slots, _ := w.capacity(); slot >= slots {
		return nil, w.changed
	}
	for key := range w.running {
		if p := w.ready[key]; p == nil || p.refused() == nil && !p.busy {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(w.running[b].status.Priority, w.running[a].status.Priority), cmp.Compare(w.used[a], w.used[b]), cmp.Compare(a, b))
	})
	return keys, w.changed
}

// begin notes that a slot plays a job of a match, and returns the function that ends it. It
// charges the match for the time: at once what its last jobs took, and the difference at the end.
func (w *Worker) begin(key string) (finish func(played bool)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	began := time.Now()
	share := 1.0
	if r := w.running[key]; r != nil {
		share = r.share()
	}
	expected, known := w.typical[key]
	if !known {
		expected = 1
	}
	w.used[key] += expected / share
	w.busy++
	w.last = key
	return func(played bool) {
		w.mu.Lock()
		defer w.mu.Unlock()
		took := time.Since(began).Seconds()
		w.used[key] += (took - expected) / share
		if played { // otherwise it may have waited for other games
			w.typical[key] = (expected + took) / 2
		}
		w.busy--
	}
}

// slot plays one game at a time. It keeps its engines from job to job of a match.
type slot struct {
	worker *Worker
	number int           // from 0
	key    string        // the match of its engines
	plays  *match.Worker // nil for none
}

// run plays jobs until ctx is done.
func (s *slot) run(ctx context.Context) {
	defer s.closeEngines()
	for ctx.Err() == nil {
		keys, changed := s.worker.playable(s.number)
		if !slices.Contains(keys, s.key) {
			s.closeEngines()
		}
		wait := s.worker.Heartbeat // a refused match may be playable again
		if len(keys) > 0 {
			began := time.Now()
			if s.playOne(ctx, keys) {
				continue
			}
			wait = max(retryInterval-time.Since(began), 0) // a match may have kept the request
		}
		select { // there is no match, or none has a job
		case <-changed:
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
}

// playOne plays jobs of the first match that has one, until that has no more or another match
// is preferred. It reports whether it played one.
func (s *slot) playOne(ctx context.Context, keys []string) (played bool) {
	for i, key := range keys {
		reply, err := s.ask(ctx, key, &nextMessage{Next: true, Wait: i == len(keys)-1})
		if err != nil {
			continue
		}
		if reply.Suspended {
			s.worker.pause(key)
			s.worker.askForHeartbeat() // its reply says why, if the hub knows
		}
		for reply != nil && reply.Job != nil {
			reply, played = s.play(ctx, key, reply), true
		}
		if played {
			break
		}
	}
	return played
}

// ask sends a request to a match. The wait for the reply counts as time of the match, less what it may keep the request:
// otherwise one that does not reply would cost the slots time and always be preferred to those that have jobs. If few replies
// are lost, the time is nobody's: the worker asks the match again after one job of another match; see forgives.
func (s *slot) ask(ctx context.Context, key string, m *nextMessage) (*nextReply, error) {
	w := s.worker
	reply, err := w.request(ctx, key, m)
	if m.sent.IsZero() {
		return reply, err
	}
	lost := errors.Is(err, context.DeadlineExceeded)
	if lost && m.Next {
		w.disclaim(key)
	}
	took := time.Since(m.sent)
	if m.Wait {
		took = max(took-jobWait, 0)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if r := w.running[key]; r != nil && !(lost && w.forgives(r.status.Owner)) {
		w.used[key] += took.Seconds() / r.share()
	}
	return reply, err
}

// lostInterval is how often each slot forgives the matches of an owner a lost reply: if they never reply, they get a thirtieth
// of the time more than their share.
const lostInterval = 30 * requestTimeout

// forgives reports whether the wait for a lost reply costs a match of an owner nothing. w.mu must be held.
func (w *Worker) forgives(owner string) bool {
	if w.lost[owner] == nil {
		w.lost[owner] = rate.NewLimiter(rate.Every(lostInterval/time.Duration(w.Slots)), w.Slots)
	}
	return w.lost[owner].Allow()
}

// disclaim tells a match at once which replies were lost, so that it gives their jobs to others, and waits for no reply: the
// next request says so again.
func (w *Worker) disclaim(key string) {
	m := &nextMessage{Unanswered: w.unansweredBy(key)}
	if message, err := w.Hub.next(key, w.Name, m); err == nil {
		_ = w.Hub.conn.PublishMsg(message)
		w.sending.ReserveN(time.Now(), requestPace)
	}
}

// unansweredBy returns the numbers of requests to a match whose replies did not come, as many as fit in a request.
func (w *Worker) unansweredBy(key string) []uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.unanswered[key]
	return all[:min(len(all), maxUnanswered)]
}

// play plays a job and delivers its result. It returns the reply, which may have another job;
// nil for none.
func (s *slot) play(ctx context.Context, key string, job *nextReply) *nextReply {
	w := s.worker
	beat := beatMessage{Version: wire.Version, Unit: job.Unit, Attempt: job.Attempt}
	playing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	owner := w.ownerOf(key)
	endAfter := cmp.Or(w.endAfter, orphanedFor)
	hub, sending, interval := w.Hub, w.sending, max(min(job.Silent, endAfter)/4, leastBeat, time.Duration(w.Slots)*leastBeat/128)
	go func() { // reads nothing of the worker without its lock, as it may leave before
		tick := time.NewTicker(interval)
		defer tick.Stop()
		here := newPresence(time.Now(), interval)
		for {
			select {
			case <-tick.C:
				if w.excludedBy(owner) { // the match takes nothing
					stop(errExcluded)
					return
				}
				if here.absence(time.Now(), w.isRunning(key) || !hub.connected()) > endAfter {
					stop(errOrphaned)
					return
				}
				hub.beat(key, w.Name, beat)
				sending.ReserveN(time.Now(), messageCost)
			case <-playing.Done():
				return
			}
		}
	}()
	finish := w.begin(key)
	result, err := s.playGames(playing, key, job.Job)
	finish(err == nil && result.Refused == "")
	if errors.Is(err, errOrphaned) {
		w.tell(fmt.Sprintf("match %.8s: %v", wire.LastToken(key), err))
	}
	if err != nil { // ctx is done, the worker is over its capacity, or the match does not answer, excludes it or is over
		left := beat // its goroutine may still read it
		left.Left = true
		w.Hub.beat(key, w.Name, left)
		w.sending.ReserveN(time.Now(), messageCost) // no request waits for this, but later ones do
		return nil
	}
	text, pairs, err := w.encode(key, result)
	if err != nil {
		w.warn(w.ownerOf(key), err)
		return nil
	}
	keys, _ := w.playable(s.number)
	m := &nextMessage{Unit: job.Unit, Attempt: job.Attempt, Next: len(keys) > 0 && keys[0] == key, result: text}
	reply, err := s.ask(ctx, key, m)
	if err == nil && reply.Done {
		w.mu.Lock()
		w.jobs += pairs
		w.mu.Unlock()
		if !w.isRunning(key) { // it may have ended before this job counted
			w.askForHeartbeat()
		}
		return reply
	}
	w.hold(&heldResult{key: key, owner: cmp.Or(owner, wire.Owner(key)), message: m, pairs: pairs, since: time.Now()})
	return reply
}

// encode returns the text of a result of a match, and how many pairs it has. The worker refuses a match whose results are
// too long: it would play the job again and again.
func (w *Worker) encode(key string, result *resultMessage) (text []byte, pairs int, err error) {
	text, err = json.Marshal(result)
	if len(text) > wire.MaxResult { // the hub would take it for a flood
		why := fmt.Errorf("the result of a job has %d bytes, and a match takes %d", len(text), wire.MaxResult)
		w.mu.Lock()
		p := w.ready[key]
		w.mu.Unlock()
		if p != nil { // the match is not over
			w.refuse(p, why)
		}
		result = &resultMessage{Version: wire.Version, System: system, Refused: why.Error()}
		text, err = json.Marshal(result)
	}
	if result.Refused == "" {
		pairs = 1
	}
	return text, pairs, err
}

// orphanedFor is how long a job continues whose match is not there, while the hub is: longer than a match takes to come back
// after a restart, its own or that of the hub.
const orphanedFor = 5 * time.Minute

// errOrphaned is why a job ends early. It could last as long as an engine that hangs, or a program of ranges.
var errOrphaned = errors.New("its job ends early, because the match was stopped, or has not been there for some minutes")

// presence says for how long a match has been absent to a process that looks at regular intervals.
type presence struct {
	interval time.Duration
	looked   time.Time // last
	there    time.Time // when the match was there, or nobody could know, last
}

func newPresence(now time.Time, interval time.Duration) *presence {
	return &presence{interval: interval, looked: now, there: now}
}

// absence returns for how long the match has been absent, after a look at it. If the look is late, the process was stopped,
// or the machine slept, and the match could not report.
func (p *presence) absence(now time.Time, there bool) time.Duration {
	if there || now.Sub(p.looked) > 2*p.interval {
		p.there = now
	}
	p.looked = now
	return now.Sub(p.there)
}

// isRunning reports whether a match is in progress.
func (w *Worker) isRunning(key string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.running[key] != nil
}

// ownerOf returns who has a match in progress; empty if it is over.
func (w *Worker) ownerOf(key string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r := w.running[key]; r != nil {
		return r.status.Owner
	}
	return ""
}

// excludedBy reports whether the matches of an owner give this worker no more work.
func (w *Worker) excludedBy(owner string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, excluded := w.excluded[owner]
	return excluded
}

// askForHeartbeat sends a heartbeat soon.
func (w *Worker) askForHeartbeat() {
	select {
	case w.report <- struct{}{}:
	default:
	}
}

// messageCost is what a message of a worker to a match costs without its result, in bytes: with its subjects no less
// than on the hub.
const messageCost = wire.MessageCost + wire.MaxHeader

// requestPace is what a request without a result costs, which pays for the reply.
const requestPace = messageCost + wire.MessageCost

// newPace returns the rate at which a worker sends, whatever its matches do: a hostile one could make the hub suspend
// it. It stays below what the hub lets it send, where a message to a match that excludes the worker costs no more.
func newPace() *rate.Limiter {
	return rate.NewLimiter(wire.QuotaRate*3/4, wire.QuotaBurst/2)
}

// newPaceAgain returns the rate at which a worker sends the matches of an owner results again: they may not be able to count
// yet, or not any more, and then each costs more. Together with all else that it sends, that stays below what a match lets it send.
func newPaceAgain() *rate.Limiter {
	return rate.NewLimiter(wire.QuotaRate/4/(wasteCost+1), wire.MaxResult+messageCost)
}

// absent reports whether nobody would reply to a request to a match now.
func (w *Worker) absent(key string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.running[key]
	if r == nil {
		return true
	}
	select {
	case <-r.connection: // the match reconnects, too, and then reports
		return true
	default:
		return false
	}
}

// request sends a request to a match as soon as the worker may, and returns the reply. The error is
// errNoMatch if the match is not there, and errStuck if a result was not sent for that reason.
func (w *Worker) request(ctx context.Context, key string, m *nextMessage) (*nextReply, error) {
	if w.absent(key) {
		return nil, errNoMatch
	}
	cost := len(m.result) + messageCost
	if len(m.result) == 0 {
		cost = requestPace
	} else if owner := wire.Owner(key); owner != wire.Hub {
		land, err := w.fly(ctx, owner, len(m.result))
		if err != nil {
			return nil, err
		}
		defer land()
	}
	if err := w.sending.WaitN(ctx, cost); err != nil {
		return nil, err
	}
	m.Unanswered, m.sent = w.unansweredBy(key), time.Now()
	reply, err := w.Hub.request(ctx, key, w.Name, m)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil && len(m.result) == 0 {
		w.sending.ReserveN(time.Now(), min(reply.size, wire.MaxRequest)) // a hostile match may send far more
	}
	// Another slot may have changed the list, so it is never changed in place.
	if all := w.unanswered[key]; err == nil {
		w.unanswered[key] = slices.DeleteFunc(slices.Clone(all), func(number uint64) bool { return slices.Contains(m.Unanswered, number) })
	} else if m.Next {
		w.unanswered[key] = append(all[:len(all):len(all)], m.number)
	}
	return reply, err
}

// mostFlying is how many bytes of results without a reply a worker sends the matches of a key, or one result. The hub lets
// nothing through beyond that if their line is slow, and the messages of other matches must not wait for them.
const mostFlying = wire.MaxResult

// errStuck reports that the matches of a key do not reply to the results that were sent to them.
var errStuck = errors.New("the matches of this key do not reply")

// fly waits until a result may be sent to the matches of a key, and returns a function to call when it has its reply. The
// error is errStuck if they reply to none of the earlier ones.
func (w *Worker) fly(ctx context.Context, owner string, size int) (land func(), err error) {
	waiting, stop := context.WithTimeout(ctx, requestTimeout)
	defer stop()
	for {
		w.mu.Lock()
		before, landed := w.flying[owner], w.landed
		free := before == 0 || before+size <= mostFlying
		if free {
			w.flying[owner] += size
		}
		w.mu.Unlock()
		if free {
			return func() {
				w.mu.Lock()
				defer w.mu.Unlock()
				if w.flying[owner] -= size; w.flying[owner] == 0 {
					delete(w.flying, owner)
				}
				close(w.landed)
				w.landed = make(chan struct{})
			}, nil
		}
		select {
		case <-landed:
		case <-waiting.Done():
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, errStuck
		}
	}
}

// maxUnanswered is how many numbers fit in a request. The next one has the others.
const maxUnanswered = 32

// heldResult is a result that its match has not taken yet.
type heldResult struct {
	key     string // of the match
	owner   string // who has the match
	message *nextMessage
	pairs   int
	since   time.Time
	again   time.Time // when it was sent again last; zero if its match has not got that
}

// The held results of a worker are bounded in bytes and in age. Others are dropped: their jobs
// are played again.
const (
	maxHeld = 64 << 20
	heldFor = time.Hour
)

// hold keeps a result until its match takes it. If there are too many, it drops the oldest one of the owner with the
// most bytes, so that no owner's matches make it drop those of others.
func (w *Worker) hold(r *heldResult) {
	r.message.Next = false
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = append(w.held, r)
	size, sizes := 0, map[string]int{}
	for _, one := range w.held {
		size += len(one.message.result)
		sizes[one.owner] += len(one.message.result)
	}
	for size > maxHeld {
		oldest := slices.MaxFunc(w.held, func(a, b *heldResult) int { return cmp.Compare(sizes[a.owner], sizes[b.owner]) })
		size -= len(oldest.message.result)
		sizes[oldest.owner] -= len(oldest.message.result)
		w.drop(oldest)
	}
}

// drop removes a held result. The caller holds w.mu.
func (w *Worker) drop(r *heldResult) {
	w.held = slices.DeleteFunc(w.held, func(one *heldResult) bool { return one == r })
}

// deliverHeld delivers held results until ctx is done. Each owner has its own goroutine, as its matches may not reply.
func (w *Worker) deliverHeld(ctx context.Context) {
	tick := time.NewTicker(retryInterval)
	defer tick.Stop()
	sending, sent := map[string]bool{}, make(chan string) // owners
	for {
		select {
		case <-tick.C:
		case owner := <-sent:
			delete(sending, owner)
			continue
		case <-ctx.Done():
			for range sending {
				<-sent
			}
			return
		}
		for owner := range w.owed() {
			if !sending[owner] {
				sending[owner] = true
				go func() {
					w.sendHeld(ctx, owner)
					sent <- owner
				}()
			}
		}
	}
}

// owed drops held results that are too old, and returns the owners of the others.
func (w *Worker) owed() map[string]bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	owners := map[string]bool{}
	w.held = slices.DeleteFunc(w.held, func(r *heldResult) bool { return time.Since(r.since) > heldFor })
	for _, r := range w.held {
		owners[r.owner] = true
	}
	return owners
}

// sendHeld sends each held result of an owner once, if its match is there.
func (w *Worker) sendHeld(ctx context.Context, owner string) {
	w.mu.Lock()
	if w.again[owner] == nil {
		w.again[owner] = newPaceAgain()
	}
	var held []*heldResult
	again, absent := w.again[owner], map[string]bool{} // by match
	for _, r := range w.held {
		if r.owner != owner {
			continue
		}
		held = append(held, r)
		if w.running[r.key] == nil { // when it is back, it does not know the result
			absent[r.key], r.again = true, time.Time{}
		}
	}
	w.mu.Unlock()
	slices.SortStableFunc(held, func(a, b *heldResult) int { return a.again.Compare(b.again) })
	for _, r := range held {
		if absent[r.key] {
			continue
		}
		if !r.again.IsZero() && !again.AllowN(time.Now(), len(r.message.result)+messageCost) {
			return // the others were sent later
		}
		reply, err := w.request(ctx, r.key, r.message)
		if errors.Is(err, errStuck) {
			return
		}
		if err != nil {
			absent[r.key] = true // until the next tick
		}
		if !errors.Is(err, errNoMatch) { // it may have come
			r.again = time.Now()
		}
		if err == nil && reply.Done {
			w.mu.Lock()
			w.drop(r)
			w.jobs += r.pairs
			w.mu.Unlock()
		}
	}
}

// playGames plays the games of a job. An error says that ctx is done, that the worker is over its
// capacity, or that the match does not answer.
func (s *slot) playGames(ctx context.Context, key string, job *jobMessage) (*resultMessage, error) {
	result := &resultMessage{Version: wire.Version, System: system}
	p, why, err := s.worker.prepare(ctx, key, job)
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
	if err := s.worker.floor.enter(ctx); err != nil {
		return nil, err
	}
	defer s.worker.floor.leave()
	if s.worker.overCapacity(s.number) { // a measurement may have reduced it
		return nil, errOverCapacity
	}
	result.Speed = p.speed
	if p.ranges != nil {
		result.Output, err = runRange(ctx, *p.ranges, job.Range)
		return result, s.refuse(ctx, p, result, err)
	}
	jobs, err := job.jobs(len(p.match.Engines))
	if err == nil {
		err = s.worker.checkJob(p.spec, job)
	}
	if err != nil {
		result.Refused = err.Error()
		return result, nil
	}
	if s.key != key || s.plays == nil {
		s.closeEngines()
		s.key, s.plays = key, p.match.NewWorker(func(err error) { s.worker.warn(s.worker.ownerOf(key), err) })
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
		s.worker.refuse(p, err)
		result.Games, result.Output, result.Refused = nil, nil, err.Error()
	}
	return nil
}

func (s *slot) closeEngines() {
	if s.plays != nil {
		s.plays.Close()
		s.plays, s.key = nil, ""
	}
}
