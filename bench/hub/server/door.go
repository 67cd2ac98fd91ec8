package server

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/time/rate"

	"gyre/bench/hub/internal/wire"
	"gyre/bench/journal"
)

// door serves the services of a hub. Clients have no other way to change anything on it. The name in
// the subject of a request is the one that the NATS server authenticated, and a reply goes only to
// the holder of that name. A request that cannot be one of this protocol is its sender's fault.
type door struct {
	conn  *nats.Conn
	files *files
	path  string // of the file that keeps lasting
	// warnings are those that keys cause.
	warnings *wire.Warnings

	telling sync.Mutex // orders what tell sends; it is taken before mu

	// mu is held only briefly. Nobody writes to a connection while holding it, and nobody takes it while holding Server.mu:
	// the NATS server needs that lock for each line that it reads, also from the hub itself. It may hold locks of its own
	// then, so nobody calls interest while holding mu, and nobody warns: who gets a warning may ask the hub something.
	mu     sync.Mutex
	untold []*nats.Msg    // for those who follow matches; see tell
	keys   map[string]Key // by name
	open   bool           // whether the hub has no keys
	// detached carries out the requests about detached matches; nil if nobody does now.
	detached func(key string, s wire.Service, text []byte) (wire.Replier, error)
	matches  map[string]*liveMatch
	workers  map[string]*liveWorker
	lasting  lasting
	changed  bool // whether lasting is not on disk
	lanes    map[lane][]*waiting
	current  map[lane]*waiting  // the request that is being carried out
	answered map[string]answers // to requests that change detached matches, by the key's name
	working  sync.WaitGroup     // the goroutines of the lanes
	closing  chan struct{}      // closed when they shall end
	quotas   map[quota]*rate.Limiter
	shown    map[string]*rate.Limiter // what all who follow matches get, in bytes, by owner
	// exchanges are what keys send each other.
	exchanges map[exchange]*rate.Limiter
	silence   map[string]time.Time // until when the hub takes nothing from a suspended key
	metered   bool                 // whether the NATS server counts what each key sends
	noRefill  bool                 // whether quotas stay exhausted
	// meet is called when a hub, this one or another on the same NATS server, says when it began; nil if there is no other.
	meet func(began string)
	// interest returns how many subscriptions receive what is sent to a subject; nil on another NATS server.
	interest func(subject string) int
	// crowded reports whether so much waits for a key that it gets no more replies to requests in lanes now; nil on another
	// NATS server.
	crowded func(name string) bool
}

// lasting is what a hub keeps when it restarts.
type lasting struct {
	Kind string `json:"kind"` // lastingKind
	// Faults are the faults of keys, by the key's name and who reported them. Those that the hub
	// itself reported count for all matches.
	Faults map[string]map[string]*record `json:"faults"`
	// Speeds are the speeds of engines, in nodes a second, by the key that stored them.
	Speeds map[string]map[string]uint64 `json:"speeds"`
}

// clone returns a copy that does not change with the original.
func (l *lasting) clone() lasting {
	c := lasting{l.Kind, map[string]map[string]*record{}, map[string]map[string]uint64{}}
	for name, records := range l.Faults {
		c.Faults[name] = map[string]*record{}
		for reporter, r := range records {
			c.Faults[name][reporter] = new(*r) // nobody changes the texts
		}
	}
	for name, speeds := range l.Speeds {
		c.Speeds[name] = maps.Clone(speeds)
	}
	return c
}

const lastingKind = "faults and speeds of a gyre hub"

// The numbers of things that a hub remembers of one key, or of all if it has no keys.
const (
	maxNames   = 10_000
	maxMatches = 1_000
	maxSpeeds  = 1_000
)

// liveMatch is a match that is played.
type liveMatch struct {
	wire.Listed
	out, limit int // as it reported
	granted    int // the limit that it got last
	reported   time.Time
	idle       bool
	changed    time.Time // when it began to be idle, or no longer was
	followed   bool      // whether those who follow matches know of it
	shown      time.Time // when they got its status last
}

// held returns how many jobs a match has or may hand out before its next report.
func (m *liveMatch) held() int { return max(m.out, m.limit, m.granted) }

// liveWorker is a connected worker.
type liveWorker struct {
	status   json.RawMessage
	reported time.Time
}

// newDoor opens the files and the state of a store. A damaged state is moved away.
func newDoor(store string, warn func(error)) (*door, error) {
	d := &door{path: filepath.Join(store, "state.json"), warnings: wire.NewWarnings(warn), matches: map[string]*liveMatch{}, workers: map[string]*liveWorker{},
		lanes: map[lane][]*waiting{}, current: map[lane]*waiting{}, answered: map[string]answers{}, closing: make(chan struct{}), quotas: map[quota]*rate.Limiter{}, shown: map[string]*rate.Limiter{}, exchanges: map[exchange]*rate.Limiter{}, silence: map[string]time.Time{}}
	var err error
	if d.files, err = openFiles(filepath.Join(store, "files")); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(d.path)
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	} else if err == nil {
		if bad := json.Unmarshal(text, &d.lasting); bad != nil || d.lasting.Kind != lastingKind {
			d.lasting = lasting{}
			moved := fmt.Sprintf("%s.damaged-%s", d.path, time.Now().UTC().Format("20060102-150405.000"))
			if err = os.Rename(d.path, moved); err == nil {
				warn(fmt.Errorf("the faults and speeds of the store were damaged and have been moved to %s: suspended keys may connect again", moved))
			}
		}
	}
	d.lasting.Kind = lastingKind
	if d.lasting.Faults == nil {
		d.lasting.Faults = map[string]map[string]*record{}
	}
	if d.lasting.Speeds == nil {
		d.lasting.Speeds = map[string]map[string]uint64{}
	}
	now := time.Now()
	for _, records := range d.lasting.Faults {
		for _, r := range records {
			if r != nil && r.Updated.After(now) { // the clock was wrong then
				r.Updated = now
			}
		}
	}
	d.forgetOldFaults()
	return d, err
}

// save stores what lasts if it has changed. A hub that is killed forgets the changes of the last
// second.
func (d *door) save() error {
	d.mu.Lock()
	if !d.changed {
		d.mu.Unlock()
		return nil
	}
	d.changed = false
	copied := d.lasting.clone()
	d.mu.Unlock()
	text, err := json.MarshalIndent(&copied, "", "  ") // others need d.mu meanwhile
	if err != nil {
		return err
	}
	err = journal.WriteFile(d.path, lastingKind, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil { // the next call tries again
		d.mu.Lock()
		defer d.mu.Unlock()
		d.changed = true
	}
	return err
}

// setKeys replaces the keys.
func (d *door) setKeys(keys []Key, open bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.keys, d.open = map[string]Key{}, open
	for _, k := range keys {
		d.keys[k.Name] = k
	}
}

// serve begins to serve over a connection.
func (d *door) serve(conn *nats.Conn) error {
	d.conn = conn
	services := map[wire.Service]handler{
		wire.Hello: parsing(d.hello),
		wire.Join: func(name string, text []byte) (wire.Replier, []byte, error) {
			r, err := d.join(name, text)
			return r, nil, err
		},
		wire.Report:    parsing(d.report),
		wire.Blame:     parsing(d.blame),
		wire.Unsuspend: parsing(d.unsuspend),
		wire.Speed:     parsing(d.speed),
		wire.Status:    parsing(func(name string, _ *struct{}) (*wire.StatusReply, error) { return d.status(name), nil }),
		wire.Get: func(_ string, text []byte) (wire.Replier, []byte, error) {
			r, _, err := fileRequest(text)
			if err != nil {
				return nil, nil, err
			}
			data, reply, err := d.files.read(r)
			return &reply, data, err
		},
		wire.Put: func(name string, text []byte) (wire.Replier, []byte, error) {
			r, data, err := fileRequest(text)
			if err != nil {
				return nil, nil, err
			}
			reply, err := d.files.put(onBehalf(name, r.Owner), r, data)
			return &reply, nil, err
		},
	}
	for _, s := range wire.Detached {
		services[s] = d.control(s)
	}
	for s, handle := range services {
		subscription, err := conn.Subscribe(wire.ServiceSubject(s, wire.Any), func(m *nats.Msg) { d.receive(s, m, handle) })
		if err == nil {
			err = subscription.SetPendingLimits(-1, maxWaiting)
		}
		if err != nil {
			return err
		}
	}
	return conn.Flush()
}

// control returns the handler of a service for detached matches.
func (d *door) control(s wire.Service) handler {
	return func(name string, text []byte) (wire.Replier, []byte, error) {
		d.mu.Lock()
		do, removed := d.detached, d.isRemoved(name)
		d.mu.Unlock()
		switch {
		case removed: // while the request waited
			return nil, nil, nil
		case do == nil:
			return &wire.Reply{Unserved: true, Error: "this hub plays no detached matches, or not yet"}, nil, nil
		}
		reply, err := do(name, s, text)
		return reply, nil, err
	}
}

// setDetached sets who carries out the requests about detached matches; nil for nobody.
func (d *door) setDetached(do func(key string, s wire.Service, text []byte) (wire.Replier, error)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.detached = do
}

// maxWaiting bounds the requests to a service that wait, in bytes. Clients send others again.
const maxWaiting = wire.MaxPayload

// handler carries out a request of a key. A nil reply sends none: the client asks again.
type handler func(name string, text []byte) (reply wire.Replier, data []byte, err error)

// parsing makes a handler of a function with a typed request.
func parsing[R any, A wire.Replier](do func(name string, request *R) (A, error)) handler {
	return func(name string, text []byte) (wire.Replier, []byte, error) {
		request := new(R)
		if err := wire.Unmarshal(text, request, wire.MaxValues); err != nil {
			return nil, nil, &wire.NonsenseError{Err: err}
		}
		reply, err := do(name, request)
		return reply, nil, err
	}
}

// fileRequest parses a request about a file.
func fileRequest(text []byte) (*wire.FileRequest, []byte, error) {
	r := &wire.FileRequest{}
	data, err := wire.ParseLines(text, wire.MaxRequest, r)
	if err == nil && (!wire.Hash.MatchString(r.SHA256) || r.Size < 0 || r.Offset < 0 || len(data) > wire.MaxChunk) {
		err = errors.New("it names no file or no part of one")
	}
	if err != nil {
		return nil, nil, &wire.NonsenseError{Err: err}
	}
	return r, data, nil
}

// onBehalf returns under which name the hub serves a request: the detached matches of an owner, which the hub plays, have
// their own.
func onBehalf(name, owner string) string {
	if name == wire.Hub && wire.Name.MatchString(owner) {
		return wire.Hub + owner
	}
	return name
}

// receive takes a request. A panic ends this request alone.
func (d *door) receive(s wire.Service, m *nats.Msg, handle handler) {
	name := wire.LastToken(m.Subject)
	if name == wire.Hub || wire.Name.MatchString(name) {
		w := &waiting{s, m, name, handle}
		d.contained(w, func() { d.admit(w) })
	}
}

// contained handles a request, and reports whether that did not panic. Otherwise the log of the hub has the stack.
func (d *door) contained(w *waiting, handle func()) bool {
	err := wire.Contained(func() error {
		handle()
		return nil
	})
	if err != nil {
		d.warnOf(w.name, fmt.Errorf("a request of %s to %s: %w", w.name, w.service, err))
	}
	return err == nil
}

// admit carries out a request, or lets it wait. First comes what costs nothing: rate, suspension and size, then the contents.
func (d *door) admit(w *waiting) {
	name, s := w.name, w.service
	f, size, messages := d.suspended(name), requestCost, 0
	if f == nil && (s == wire.Get || s == wire.Put) { // their lane slows them down
		size = 0
	}
	if !d.metered {
		size, messages = size+len(w.message.Data), 1
	}
	silenced := d.charge(name, size, messages, time.Now())
	if f == nil {
		f = d.suspended(name) // now
	}
	switch {
	case silenced:
	case f != nil:
		d.respond(w, &wire.Reply{Error: "the hub has suspended this key for a day" + f.Reason(), Suspended: f}, nil)
	case len(w.message.Data) > s.Limit():
		if !d.counted() {
			d.offend(name, fmt.Errorf("it sent a request of %d bytes to %s", len(w.message.Data), s), false)
		}
	case s.Lane() != wire.NoLane:
		d.queue(w)
	default:
		d.carryOut(w)
	}
}

// counted reports whether take has already added the fault of a request that is too large, because the server knows who
// sends it.
func (d *door) counted() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.metered && !d.open
}

// carryOut carries out a request and replies to it, also after a panic. It returns the size of the reply.
func (d *door) carryOut(w *waiting) (size int) {
	if !d.contained(w, func() { size = d.answer(w) }) {
		size = d.respond(w, &wire.Reply{Error: "the hub failed on this request; its log says where"}, nil)
	}
	return size
}

// answer is carryOut for a request that does not panic.
func (d *door) answer(w *waiting) int {
	reply, data, err := w.handle(w.name, w.message.Data)
	if nonsense, ok := errors.AsType[*wire.NonsenseError](err); ok {
		d.offend(w.name, fmt.Errorf("it sent %s an invalid request: %w", w.service, nonsense), false)
	}
	if err != nil {
		reply, data = &wire.Reply{Error: err.Error()}, nil
	}
	if reply == nil {
		return 0
	}
	return d.respond(w, reply, data)
}

// respond replies to a request, if the reply goes to its sender, and returns how many bytes that costs: each of the
// key's subscriptions to the reply gets them.
func (d *door) respond(w *waiting, reply wire.Replier, data []byte) int {
	reply.Outcome().Version = wire.Version
	text, err := wire.Lines(reply, data)
	if err == nil && w.service.Lane() == wire.StartLane {
		d.keep(w, text)
	}
	if err == nil && len(text) <= wire.MaxPayload && wire.IsReply(w.message.Reply, w.name, wire.Hub) {
		_ = d.conn.Publish(w.message.Reply, text) // the client asks again
		if d.interest != nil {
			return len(text) * max(d.interest(w.message.Reply), 1)
		}
	}
	return len(text)
}

// hello says whether both have the same version.
func (d *door) hello(name string, r *wire.HelloRequest) (*wire.Reply, error) {
	if d.meet != nil && name == wire.Hub && r.Began != "" {
		d.meet(r.Began)
	}
	return &wire.Reply{}, wire.CheckVersion(r.Version)
}

// join takes the status of a worker.
func (d *door) join(name string, text []byte) (*wire.JoinReply, error) {
	status, err := quotable(text)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.workers[name] == nil && len(d.workers) >= maxNames {
		return nil, fmt.Errorf("the hub has %d workers already", len(d.workers))
	}
	d.workers[name] = &liveWorker{status, time.Now()}
	reply := &wire.JoinReply{Excluded: map[string]string{}}
	for owner, r := range d.lasting.Faults[name] {
		if r.Suspended() && r.fresh() {
			reply.Excluded[owner] = strings.TrimPrefix(r.Reason(), ", ")
		}
	}
	return reply, nil
}

// quotable returns a status as in a reply, so that its length counts, or an error if readers would reject it, or the reply.
func quotable(status []byte) (json.RawMessage, error) {
	text, err := wire.Marshal(json.RawMessage(status))
	if err = cmp.Or(err, wire.CheckJSON(status, wire.MaxValues)); err != nil {
		return nil, &wire.NonsenseError{Err: err}
	}
	return text, nil
}

// report takes the status of a match. The reply says what the match needs to know.
func (d *door) report(name string, r *wire.ReportRequest) (*wire.ReportReply, error) {
	if !wire.Name.MatchString(r.Key) {
		return nil, &wire.NonsenseError{Err: errors.New("it names no match")}
	}
	status, err := quotable(r.Status)
	if err != nil {
		return nil, err
	}
	id := name + "." + r.Key
	absent := d.absent(id) // it subscribes before it reports
	defer d.tell()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.forgetSilent()
	reply := &wire.ReportReply{Limit: -1}
	m, owner := d.matches[id], name
	if name == wire.Hub || d.open {
		owner = r.Owner
	}
	if r.Ended {
		if m != nil {
			delete(d.matches, id)
			d.hide(id, m)
		}
		return reply, nil
	}
	if m == nil {
		own := 0
		for _, other := range d.matches {
			if other.Owner == owner {
				own++
			}
		}
		if own >= maxMatches {
			return nil, fmt.Errorf("this key plays %d matches already", own)
		}
		m = &liveMatch{}
		d.matches[id] = m
	}
	m.Owner, m.Status = owner, status
	m.out, m.limit, m.reported = r.Out, r.Limit, time.Now()
	if m.changed.IsZero() || m.idle != r.Idle {
		m.idle, m.changed = r.Idle, m.reported
	}
	m.Absent, reply.Removed = absent, d.isRemoved(m.Owner)
	if absent || reply.Removed {
		d.hide(id, m)
	} else {
		d.show(id, m)
	}
	switch key := d.keys[m.Owner]; {
	case reply.Removed: // and hidden, so that workers end its jobs
		reply.Limit = 0
	case key.Jobs > 0:
		reply.Limit = d.grant(id, key.Jobs)
	}
	if name != wire.Hub || m.Owner != "" {
		reply.Sharing = d.sharing(name, m)
	}
	reply.Faults = d.faults(countFor(d.reporter(name, m.Owner)))
	reply.Workers = d.workerStatuses()
	return reply, nil
}

// settleTime is how long a match that is no longer idle shares with all others of its key: they may begin at the same moment,
// such as when a worker connects, and each has reported that by then.
const settleTime = 10 * time.Second

// sharing returns how many matches share what they may send a worker, as m has to see it: those of its owner that the same key
// reports, which is the hub's if they are detached. d.mu must be held.
func (d *door) sharing(key string, m *liveMatch) (n int) {
	all := m.idle || m.reported.Sub(m.changed) < settleTime
	for id, other := range d.matches {
		if wire.Owner(id) == key && other.Owner == m.Owner && (all || !other.idle) {
			n++
		}
	}
	return n
}

// All workers get the statuses of a match. Those of a key may have showRate bytes a second, and showBurst at once: as many
// matches as it may have are shown twice within wire.LiveTTL.
const (
	showRate  = 128 << 10
	showBurst = 4 << 20
)

// show keeps the status of a match for tell to send, unless its owner has sent too many. d.mu must be held.
func (d *door) show(id string, m *liveMatch) {
	if !d.open && d.shown[m.Owner] == nil {
		d.shown[m.Owner] = rate.NewLimiter(showRate, showBurst)
	}
	text, err := wire.Marshal(&m.Listed)
	if err == nil && (d.open || d.isDue(m, len(text)+wire.MessageCost, time.Now())) {
		m.followed = true
		d.untold = append(d.untold, &nats.Msg{Subject: wire.MatchSubject(id), Data: text})
	}
}

// tell sends what show and hide have kept to those who follow matches, in order. d.mu must not be held: publishing may wait
// for the NATS server, whose connections may wait for d.mu.
func (d *door) tell() {
	d.telling.Lock()
	defer d.telling.Unlock()
	d.mu.Lock()
	untold := d.untold
	d.untold = nil
	d.mu.Unlock()
	for _, m := range untold {
		_ = d.conn.PublishMsg(m) // the next report comes soon, and silent matches are forgotten
	}
}

// isDue reports whether the owner of a match may show as many bytes now. Its matches take turns, so that none of them keeps
// another from those who follow. d.mu must be held.
func (d *door) isDue(m *liveMatch, size int, now time.Time) bool {
	own := 0
	for _, other := range d.matches {
		if other.Owner == m.Owner {
			own++
		}
	}
	due := now.Sub(m.shown) >= time.Duration(own*size)*time.Second/showRate && d.shown[m.Owner].AllowN(now, size)
	if due {
		m.shown = now
	}
	return due
}

// hide tells those who follow matches that one has ended or is absent. Nothing may keep that from them: a worker
// waits long for the reply of a match that it believes to be there. d.mu must be held.
func (d *door) hide(id string, m *liveMatch) {
	if m.followed {
		m.followed, m.shown = false, time.Time{}
		d.untold = append(d.untold, &nats.Msg{Subject: wire.MatchSubject(id)})
	}
}

// absent reports whether nobody receives what workers send to a match, as far as the hub knows.
func (d *door) absent(match string) bool {
	return d.interest != nil && d.interest(wire.NextSubject(match, wire.Hub)) == 0
}

// hideAbsent hides the matches that have become absent.
func (d *door) hideAbsent() {
	reported := map[string]time.Time{}
	d.mu.Lock()
	for id, m := range d.matches {
		if !m.Absent {
			reported[id] = m.reported
		}
	}
	d.mu.Unlock()
	maps.DeleteFunc(reported, func(id string, _ time.Time) bool { return !d.absent(id) })
	defer d.tell()
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, last := range reported {
		if m := d.matches[id]; m != nil && m.reported.Equal(last) { // it is not back since
			m.Absent = true
			d.hide(id, m)
		}
	}
}

// isRemoved reports whether the hub had a key of this name and has it no more: its detached matches wait until it is back.
// d.mu must be held.
func (d *door) isRemoved(name string) bool {
	return !d.open && name != "" && name != wire.Hub && d.keys[name].Name == ""
}

// grant returns how many jobs a match may have out, of the limit that all matches of its owner share
// equally. It gets no more than the others have left. d.mu must be held.
func (d *door) grant(id string, limit int) int {
	m := d.matches[id]
	all, before, held := 1, 0, 0
	for other, o := range d.matches {
		if other == id || o.Owner != m.Owner {
			continue
		}
		all++
		held += o.held()
		if other < id {
			before++
		}
	}
	share := limit / all
	if before < limit%all {
		share++
	}
	m.granted = min(share, max(limit-held, 0))
	return m.granted
}

// forgetSilent forgets the matches and workers that no longer report. d.mu must be held.
func (d *door) forgetSilent() {
	now := time.Now()
	maps.DeleteFunc(d.matches, func(_ string, m *liveMatch) bool { return now.Sub(m.reported) > wire.LiveTTL })
	maps.DeleteFunc(d.workers, func(_ string, w *liveWorker) bool { return now.Sub(w.reported) > wire.LiveTTL })
}

// knows reports whether the hub has a key of a name.
func (d *door) knows(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.keys[name].Name != ""
}

// isAdmin reports whether a key is for an administrator.
func (d *door) isAdmin(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.keys[name].Role == wire.ForAdmin
}

// speed returns the speed of an engine that a key has stored, or stores the given one.
func (d *door) speed(name string, r *wire.SpeedRequest) (*wire.SpeedReply, error) {
	if !wire.Hash.MatchString(r.Key) {
		return nil, &wire.NonsenseError{Err: errors.New("it names no engine")}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	speeds := d.lasting.Speeds[name]
	if speeds[r.Key] == 0 && r.Speed > 0 {
		if len(speeds) >= maxSpeeds {
			return nil, fmt.Errorf("the hub stores the speeds of %d engines for this key, and no more", maxSpeeds)
		}
		if speeds == nil {
			speeds = map[string]uint64{}
			d.lasting.Speeds[name] = speeds
		}
		speeds[r.Key], d.changed = r.Speed, true
	}
	return &wire.SpeedReply{Speed: speeds[r.Key]}, nil
}

// workerStatuses returns the statuses of the workers that fit in a reply. d.mu must be held.
func (d *door) workerStatuses() map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	for name, w := range d.workers {
		all[name] = w.status
	}
	for _, name := range tooLong(all, func(status json.RawMessage) int { return len(status) }) {
		delete(all, name)
	}
	return all
}

// tooLong returns the names of the longest texts. Without them, the others fill at most a quarter of a reply, so no key
// keeps a reply from anybody.
func tooLong[T any](all map[string]T, length func(T) int) (names []string) {
	size := 0
	for _, name := range slices.SortedFunc(maps.Keys(all), func(a, b string) int { return cmp.Or(length(all[a])-length(all[b]), strings.Compare(a, b)) }) {
		if size += length(all[name]) + len(name) + wire.MessageCost/8; size > wire.MaxPayload/4 {
			names = append(names, name)
		}
	}
	return names
}

// status returns the status of the hub for a key. Administrators also see what others have on its disk, and the faults that
// count only for the matches of others.
func (d *door) status(name string) *wire.StatusReply {
	stored, share := d.files.usage()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.forgetSilent()
	s := &wire.StatusReply{Matches: map[string]wire.Listed{}, Workers: d.workerStatuses(), Stored: stored, Share: share}
	all := d.open || name == wire.Hub || d.keys[name].Role == wire.ForAdmin
	s.Faults = d.listed(func(owner string) bool { return all || owner == name })
	if !all {
		maps.DeleteFunc(s.Stored, func(key string, _ int64) bool { return key != name })
	}
	for id, m := range d.matches {
		s.Matches[id] = m.Listed
	}
	for _, id := range tooLong(s.Matches, func(m wire.Listed) int { return len(m.Status) }) {
		delete(s.Matches, id)
	}
	return s
}
