package hub

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"gyre/bench/game"
	"gyre/bench/hub/internal/resources"
	"gyre/bench/hub/internal/wire"
	"gyre/bench/journal"
	"gyre/bench/match"
	"gyre/bench/openings"
	"gyre/bench/stats"
	"gyre/bench/tune"
	"gyre/position"
)

// Request describes a match, or samples, that a hub plays by itself. Hub.Detach and Ranges.Detach
// fill in the rest of it.
type Request struct {
	Name    string `json:"name"`            // on the hub: 1 to 40 letters, digits, _ and -
	Command string `json:"command"`         // that started it, for people
	Owner   string `json:"owner,omitempty"` // the key that started it; empty without keys
	// Recipe makes the openings; nil for those of Book, in the form of openings.Format. First
	// is the first opening of the recipe: another release may make others.
	Recipe *openings.Recipe `json:"recipe,omitempty"`
	First  string           `json:"first,omitempty"`
	Book   []string         `json:"book,omitempty"`
	Rules  position.Rules   `json:"rules,omitempty"`
	Queue

	Spec            *Spec          `json:"spec"`
	Schedule        match.Schedule `json:"schedule"`
	Setup           *match.Setup   `json:"setup,omitempty"`
	ContinueOnFault bool           `json:"continue_on_fault,omitempty"`
	// Tuning, if not nil, tunes the engine, whose match against itself this is.
	Tuning *tune.Tuning `json:"tuning,omitempty"`
	// Header is the beginning of a file of samples, and Size that of their ranges.
	Header []byte `json:"header,omitempty"`
	Size   uint32 `json:"size,omitempty"`
}

// parse parses a request of a client, which may have none.
func (r *Request) parse(text []byte) error {
	if err := wire.CheckJSON(text, maxRequestValues); err != nil {
		return fmt.Errorf("the hub takes no such match: %w: use fewer openings", err)
	}
	if len(text) > 0 && json.Unmarshal(text, r) != nil {
		return &wire.NonsenseError{Err: errors.New("the match to start is damaged")}
	}
	if len(r.Command) > maxCommand {
		return fmt.Errorf("the command has %d bytes, and a hub takes %d: use fewer and shorter flags", len(r.Command), maxCommand)
	}
	return nil
}

// maxCommand bounds Request.Command, in bytes: lists and pages of matches have it.
const maxCommand = 32 << 10

// DetachedMatch is the state of a detached match.
type DetachedMatch struct {
	Name    string    `json:"name"`
	Owner   string    `json:"owner,omitempty"`
	Command string    `json:"command"`
	Samples bool      `json:"samples,omitempty"` // whether it is a file of samples
	State   State     `json:"state"`
	Reason  string    `json:"reason,omitempty"` // why it failed
	Doubt   string    `json:"doubt,omitempty"`  // why samples that are stored may be wrong
	Wait    string    `json:"wait,omitempty"`   // why no worker can play it, or the hub does not
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended,omitzero"`
	Progress
}

// shorten leaves out the texts of a state that has more than most bytes, and returns how many it has otherwise.
func (d *DetachedMatch) shorten(most int) (size int) {
	text, err := json.Marshal(d)
	if err == nil && len(text) <= most {
		return len(text)
	}
	*d = DetachedMatch{Name: d.Name, Owner: d.Owner, Samples: d.Samples, State: d.State, Started: d.Started, Ended: d.Ended}
	return 0
}

// addDoubt adds why stored samples may be wrong. Several workers may be proven wrong.
func (d *DetachedMatch) addDoubt(why error) {
	if d.Doubt != "" {
		d.Doubt += "; "
	}
	d.Doubt = printableUpTo(d.Doubt+printable(why.Error()), maxDetail)
}

// State is the state of a detached match.
type State string

// The states. A paused, stopped or failed match resumes with Change, or when it is started again.
const (
	Running  State = "running"
	Paused   State = "paused"
	Over     State = "over" // all games were played, or the test has its verdict
	Stopped  State = "stopped"
	Impaired State = "failed"
)

// controlMessage is a request about a detached match, and controlReply its reply.
type controlMessage struct {
	Version int             `json:"version"`
	Name    string          `json:"name,omitempty"` // empty for all matches
	Offset  int64           `json:"offset,omitempty"`
	Request json.RawMessage `json:"request,omitempty"` // a Request, to start it
}

type controlReply struct {
	wire.Reply
	Matches []DetachedMatch `json:"matches,omitempty"`
	Data    []byte          `json:"data,omitempty"` // of the file of games, from Offset
}

// maxData bounds the data of a reply, in bytes. It has room for each line.
const maxData = journal.LongestLine

// Unlimited is the number of rounds of a match that has as many as its test needs.
const Unlimited = 100_000

// ProgressOf returns the progress of a match. outline returns the score in one line.
func ProgressOf(outline func(*match.Standing) string, m *match.Match, s *match.Standing) Progress {
	p := Progress{Engines: s.Names, Played: s.Games, Over: s.Over()}
	if s.Games > 0 {
		p.Score = outline(s)
	}
	if m.Setup != nil {
		p.Command = m.Setup.Command
	}
	if m.Schedule.Rounds < Unlimited {
		p.Total = m.Schedule.Games()
	}
	for i := range m.Engines {
		p.Limits = append(p.Limits, m.Engines[i].Limits.String())
	}
	if len(s.Pairings) == 1 {
		p.Counts = s.Pairings[0].Pairs
	}
	if m.Test != nil {
		p.Pairs, p.LLR = s.Settled, s.LLR
		p.Bounds[0], p.Bounds[1] = m.Test.Bounds()
		h := m.Test.Hypotheses()
		p.Test = &h
	}
	return p
}

// clientOf returns the client of a detached match. The hub sets it, whatever a request says.
func clientOf(name string) string { return "hub:" + name }

// Detach hands a match whose engines have been checked to the hub, which plays it. r says the
// name, the openings and the rest. A match that was stopped, or that failed, resumes.
func (h *Hub) Detach(ctx context.Context, m *match.Match, programs []Program, clock *ClockSpec, r Request) error {
	spec, blobs, err := newSpec(m, programs, clock, "")
	if err != nil {
		return err
	}
	r.Spec, r.Schedule, r.ContinueOnFault = spec, m.Schedule, m.ContinueOnFault
	r.Setup = m.Setup
	return h.hand(ctx, blobs, &r)
}

// hand sends the hub the files of a request, and then the request.
func (h *Hub) hand(ctx context.Context, blobs []*Blob, r *Request) error {
	for _, b := range blobs {
		if err := h.resilient(ctx, func(ctx context.Context) error { return h.putBlob(ctx, h.name, b, false) }); err != nil {
			return h.wrap(err)
		}
	}
	text, err := json.Marshal(r)
	if err == nil {
		_, err = h.control(ctx, wire.Start, &controlMessage{Name: r.Name, Request: text})
	}
	return err
}

// Change stops, pauses, resumes or deletes a detached match: operation is "stop", "pause", "resume" or
// "delete". Only its owner and holders of an administrator's key can. Resume is for a match that is
// paused, was stopped or failed, and delete, which also deletes its games, for one that is not running.
func (h *Hub) Change(ctx context.Context, operation, name string) error {
	if operation == "delete" { // the hub accepts it twice, in case the first reply is lost
		if _, err := h.Detached(ctx, name); err != nil {
			return err
		}
	}
	_, err := h.control(ctx, wire.Service(operation), &controlMessage{Name: name})
	return err
}

// Detached returns the state of a detached match.
func (h *Hub) Detached(ctx context.Context, name string) (*DetachedMatch, error) {
	_, d, err := h.Fetch(ctx, name, -1)
	return d, err
}

// AllDetached returns the states of all detached matches, the newest first.
func (h *Hub) AllDetached(ctx context.Context) ([]DetachedMatch, error) {
	reply, err := h.control(ctx, wire.Fetch, &controlMessage{})
	if err != nil {
		return nil, err
	}
	return reply.Matches, nil
}

// Fetch returns complete lines of the games of a detached match, or any part of samples, from an
// offset in bytes, and its state. It returns none at the end of the file, and with a negative offset.
func (h *Hub) Fetch(ctx context.Context, name string, offset int64) ([]byte, *DetachedMatch, error) {
	reply, err := h.control(ctx, wire.Fetch, &controlMessage{Name: name, Offset: offset})
	if err != nil {
		return nil, nil, err
	}
	if len(reply.Matches) != 1 {
		return nil, nil, h.wrap(errors.New("the reply does not have the match"))
	}
	if reply.Matches[0].Samples {
		return reply.Data, &reply.Matches[0], nil
	}
	lines := reply.Data[:bytes.LastIndexByte(reply.Data, '\n')+1]
	if len(lines) == 0 && len(reply.Data) >= maxData { // not the last line, which may be incomplete
		return nil, nil, h.wrap(fmt.Errorf("the games of match %s are damaged at byte %d: %w", name, offset, journal.ErrLongLine))
	}
	return lines, &reply.Matches[0], nil
}

// control sends a request about detached matches. It waits for a hub that is down.
func (h *Hub) control(ctx context.Context, operation wire.Service, m *controlMessage) (*controlReply, error) {
	m.Version = wire.Version
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	if len(text) > wire.MaxPayload-(1<<10) {
		return nil, fmt.Errorf("the match has %d bytes with its openings, and a hub takes %d: use fewer openings", len(text), wire.MaxPayload)
	}
	var reply controlReply
	err = h.resilient(ctx, func(ctx context.Context) error {
		reply = controlReply{}
		_, err := h.ask(ctx, operation, h.token(), json.RawMessage(text), nil, &reply)
		return err
	})
	makePrintable(reflect.ValueOf(reply.Matches), maxDetail)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, nats.ErrNoResponders) && h.connected():
		err = errors.New("it does not play matches by itself: no gyre-hub runs there")
	}
	return &reply, h.wrap(err)
}

// Controller plays the detached matches of a hub. Each has a folder with its request, its
// state, its files and its games. A match that was running when the hub ended resumes.
type Controller struct {
	Hub      *Hub
	Door     Door
	Store    string // folder; the matches are in its folder matches
	Settings Settings
	// OpenRanges opens a file of samples that begins with a header, or resumes it; nil if the
	// hub plays none.
	OpenRanges func(path string, header []byte, warn func(error)) (RangeFile, error)
	Warn       func(error)

	playing sync.WaitGroup
	serving sync.WaitGroup
	// warnings are those of matches, by owner; see reports.
	warnings *wire.Warnings
	begun    sync.Once // makes warnings
	// searchers make the openings of all matches.
	searchers *openings.Searchers

	mu      sync.Mutex
	open    bool                     // whether Run takes requests
	matches map[string]*detached     // by name
	owners  map[string]*owner        // by key
	busy    map[string]chan struct{} // names of matches that a request changes; closed at its end
}

// Door receives requests of clients; see server.Server.
type Door interface {
	Serve(do func(key string, s wire.Service, text []byte) (wire.Replier, error)) (stop func())
	IsAdmin(key string) bool
	// Room returns an error if the store's disk has no room for size more bytes.
	Room(size int64) error
	// SetStored sets what the detached matches of each key have on the store's disk, and returns why keys may store no more,
	// by key. Keys whose matches wait for that need some room.
	SetStored(matches map[string]wire.Stored, waits map[string]bool) (full map[string]error)
	// Stuck returns the reason why nothing can be stored at the moment, or nil.
	Stuck() error
}

// RangeFile stores outputs of ranges in order; see Ranges.Check and Ranges.Keep.
type RangeFile interface {
	Games() uint32 // the number of items that are stored
	Check(first, end uint32, output []byte) error
	Keep(first, end uint32, output []byte) error
	Close() error
}

// detached is a match of a controller. The controller's mutex protects it.
type detached struct {
	folder  string
	request *Request
	bytes   int64 // of the request
	files   int64 // the total size of its files, as they count
	copied  int64 // bytes of those that the hub has copied
	state   DetachedMatch
	live    sync.Mutex              // protects what changes with each game, Progress and Wait of state, so that no request makes a game wait
	size    int64                   // of the file, when it was last looked at
	stop    context.CancelCauseFunc // nil unless it is running
	ended   chan struct{}           // closed when it no longer runs
	// Its dispatcher receives from pings. dispatching is the number of its dispatchers, 0 or 1.
	pings       chan struct{}
	dispatching int
}

// set sets the request, which is on disk.
func (d *detached) set(r *Request) {
	d.request, d.files = r, r.Spec.size()
	if info, err := os.Stat(filepath.Join(d.folder, requestFile)); err == nil {
		d.bytes = info.Size()
	}
}

// file returns the file of games, or of samples.
func (d *detached) file() string {
	if d.request.Spec.Ranges != nil {
		return filepath.Join(d.folder, samplesFile)
	}
	return filepath.Join(d.folder, gamesFile)
}

// Record is a detached match with its request and its file of games.
type Record struct {
	DetachedMatch
	Request *Request // not to be changed
	Games   string   // the file; it may not exist yet
}

// Records returns all matches, the newest first.
func (c *Controller) Records() []Record {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []Record
	for _, d := range c.matches {
		all = append(all, Record{d.shown(), d.request, d.file()})
	}
	slices.SortFunc(all, func(a, b Record) int { return newestFirst(&a.DetachedMatch, &b.DetachedMatch) })
	return all
}

// newestFirst orders matches by their start.
func newestFirst(a, b *DetachedMatch) int {
	return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(a.Name, b.Name))
}

const (
	requestFile = "request.json"
	stateFile   = "state.json"
	gamesFile   = "games.jsonl"
	samplesFile = "samples.gyre"
	blobsFolder = "files"
)

// errStopped is why a detached match ends before it is over.
var errStopped = errors.New("the match was stopped")

// Run plays the matches until ctx is done.
func (c *Controller) Run(ctx context.Context) error {
	c.mu.Lock()
	c.matches, c.busy, c.owners = map[string]*detached{}, map[string]chan struct{}{}, map[string]*owner{}
	if c.searchers == nil {
		c.searchers = openings.NewSearchers(max(runtime.GOMAXPROCS(0)/2, 1)) // the other processors are for requests
	}
	c.mu.Unlock()
	err := c.load()
	if err == nil {
		c.followStore(ctx)
		c.setOpen(true)
		stop := c.Door.Serve(func(key string, operation wire.Service, text []byte) (wire.Replier, error) {
			return c.serve(ctx, key, operation, text)
		})
		tick := time.NewTicker(storeInterval)
		for ctx.Err() == nil {
			select {
			case <-tick.C:
				c.followStore(ctx)
			case <-ctx.Done():
			}
		}
		tick.Stop()
		stop()
		c.setOpen(false)
	}
	// Not deferred: a panic must not wait for the matches.
	c.serving.Wait()
	c.playing.Wait()
	c.reports().Flush(true)
	c.searchers.Close()
	return err
}

// storeInterval is the time between two looks at the store.
const storeInterval = time.Second / 2

// stuckError is why a match waits: nothing can be stored, or its owner has its share of the disk.
type stuckError struct{ error }

// followStore interrupts all matches while nothing can be stored, and those of a key that has its share of the disk. It starts
// those that were interrupted.
func (c *Controller) followStore(ctx context.Context) {
	c.reports().Flush(false)
	why := c.Door.Stuck()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, d := range c.matches {
		if d.stop != nil {
			d.measure()
		}
	}
	full := c.full()
	for key, own := range c.owners {
		own.waits = full[key] != nil
	}
	for _, d := range slices.SortedFunc(maps.Values(c.matches), func(a, b *detached) int { return newestFirst(&b.state, &a.state) }) {
		switch {
		case c.busy[d.request.Name] != nil: // a request changes it
		case why != nil && d.stop != nil:
			d.stop(&stuckError{why})
		case full[d.request.Owner] != nil && d.stop != nil:
			d.stop(&stuckError{full[d.request.Owner]})
		case full[d.request.Owner] != nil && d.state.State == Running:
			d.waitFor(full[d.request.Owner])
		case why == nil && d.stop == nil && d.state.State == Running:
			c.start(ctx, d)
		}
	}
}

// measure notes the size of the file.
func (d *detached) measure() {
	if info, err := os.Stat(d.file()); err == nil {
		d.size = info.Size()
	}
}

// measureFiles notes how many bytes its files have.
func (d *detached) measureFiles() {
	d.copied = 0
	_ = filepath.WalkDir(filepath.Join(d.folder, blobsFolder), func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			if info, err := entry.Info(); err == nil {
				d.copied += info.Size()
			}
		}
		return nil // it has no folder, or one is gone
	})
}

// full returns why keys may store no more, by key: they have their share of the disk. c.mu must be held.
func (c *Controller) full() map[string]error {
	stored, waits := map[string]wire.Stored{}, map[string]bool{}
	for _, d := range c.matches {
		stored[d.request.Owner] = stored[d.request.Owner].Plus(d.stored())
	}
	for key, own := range c.owners {
		stored[key] = stored[key].Plus(wire.Stored{Claimed: own.claimed})
		waits[key] = own.waits
	}
	return c.Door.SetStored(stored, waits)
}

// stored returns what a match has on the disk. Its state repeats the longest texts of its request.
func (d *detached) stored() wire.Stored {
	s := wire.Stored{Bytes: d.size + d.bytes, Claimed: d.bytes}
	if d.state.State != Over { // otherwise its files are deleted
		s.Bytes += d.copied
		s.Claimed += max(d.files-d.copied, 0)
	}
	return s
}

func (c *Controller) setOpen(open bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open = open
}

// pingTimeout is how long a healthy loop may take to answer.
const pingTimeout = 5 * time.Second

// Answers returns an error if the controller, or the dispatcher of one of its matches, does not answer
// within some seconds.
func (c *Controller) Answers(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, pingTimeout)
	defer stop()
	c.mu.Lock()
	open, dispatchers := c.open, map[string]chan struct{}{}
	for name, d := range c.matches {
		if d.stop != nil && d.dispatching > 0 {
			dispatchers[name] = d.pings
		}
	}
	c.mu.Unlock()
	if !open {
		return errors.New("requests about detached matches get no reply")
	}
	if why := c.Door.Stuck(); why != nil {
		return fmt.Errorf("the hub can store nothing: %w", why)
	}
	for name, pings := range dispatchers {
		if !ping(ctx, pings) && c.dispatches(name) {
			return fmt.Errorf("match %s does not answer its workers", name)
		}
	}
	return nil
}

// dispatches reports whether a match hands out jobs. It may have ended a moment ago.
func (c *Controller) dispatches(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.matches[name]
	return d != nil && d.stop != nil && d.dispatching > 0
}

// ping reports whether a loop receives from a channel.
func ping(ctx context.Context, pings chan<- struct{}) bool {
	select {
	case pings <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// load reads the matches of the store. followStore resumes those that were running.
func (c *Controller) load() error {
	folders, err := os.ReadDir(filepath.Join(c.Store, "matches"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, folder := range folders {
		d := &detached{folder: filepath.Join(c.Store, "matches", folder.Name())}
		if strings.HasSuffix(folder.Name(), deleting) || !started(d.folder) {
			if err := os.RemoveAll(d.folder); err != nil {
				c.Warn(err)
			}
			continue
		}
		err := readJSON(filepath.Join(d.folder, requestFile), &d.request)
		if err == nil {
			err = readJSON(filepath.Join(d.folder, stateFile), &d.state)
		}
		if err == nil && d.request.Spec == nil {
			err = errors.New("the request is not complete")
		}
		if err != nil {
			c.Warn(fmt.Errorf("ignored the match in %s: %w", d.folder, err))
			continue
		}
		d.request.Spec.Client = clientOf(d.request.Name)
		d.set(d.request)
		d.measure()
		c.matches[d.request.Name] = d
		if err := d.clear(); err != nil { // the hub may have ended before
			c.warn(d, err)
		}
	}
	return nil
}

func readJSON(path string, into any) error {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	return err
}

// writeJSON replaces a file of JSON, completely or not at all.
func writeJSON(path string, value any) error {
	return journal.WriteFile(path, `"name"`, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(value)
	})
}

// save stores the state.
func (d *detached) save() error {
	state := d.shown()
	return writeJSON(filepath.Join(d.folder, stateFile), &state)
}

// shown returns the state. c.mu must be held.
func (d *detached) shown() DetachedMatch {
	d.live.Lock()
	defer d.live.Unlock()
	return d.state
}

// waitFor sets why no worker can play it, or the hub does not; nil for no reason.
func (d *detached) waitFor(why error) {
	d.live.Lock()
	defer d.live.Unlock()
	if d.state.Wait = ""; why != nil {
		d.state.Wait = printable(why.Error())
	}
}

// show sets the progress.
func (d *detached) show(p Progress) {
	d.live.Lock()
	defer d.live.Unlock()
	d.state.Progress = p
}

// serve carries out a request of a client. There is no reply if the controller ends.
func (c *Controller) serve(ctx context.Context, key string, operation wire.Service, text []byte) (wire.Replier, error) {
	var message controlMessage
	if err := json.Unmarshal(text, &message); err != nil {
		return nil, &wire.NonsenseError{Err: err}
	}
	if err := wire.CheckVersion(message.Version); err != nil {
		return nil, err
	}
	c.mu.Lock()
	if !c.open {
		c.mu.Unlock()
		return nil, nil // the client asks again when the hub is back
	}
	c.serving.Add(1)
	c.mu.Unlock()
	defer c.serving.Done()
	request := &Request{}
	if operation == wire.Start {
		if err := request.parse(message.Request); err != nil {
			return nil, err
		}
		if _, err := c.check(ctx, key, request); err != nil {
			if ctx.Err() != nil {
				err = nil // as above
			}
			return nil, err
		}
		message.Name = request.Name
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if operation != wire.Fetch {
		defer c.reserve(message.Name)()
	}
	reply := &controlReply{}
	var err error
	if operation == wire.Start {
		err = c.accept(ctx, key, request)
	} else {
		err = c.carryOut(ctx, key, operation, &message, reply)
	}
	if err != nil {
		return nil, explain(err)
	}
	return reply, nil
}

// reserve waits until no other request changes a match, and returns a function that lets the next one
// change it. c.mu must be held, also for that function.
func (c *Controller) reserve(name string) (release func()) {
	for c.busy[name] != nil {
		earlier := c.busy[name]
		c.mu.Unlock()
		<-earlier
		c.mu.Lock()
	}
	ended := make(chan struct{})
	c.busy[name] = ended
	return func() {
		delete(c.busy, name)
		close(ended)
	}
}

// panicError is a panic with its stack.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }

// contained calls do, and returns its panic as a panicError.
func contained(do func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &panicError{value, debug.Stack()}
		}
	}()
	return do()
}

// carryOut carries out an operation for a key, other than a start. c.mu must be held.
func (c *Controller) carryOut(ctx context.Context, key string, operation wire.Service, m *controlMessage, reply *controlReply) error {
	if operation == wire.Fetch {
		return c.fetch(m, reply)
	}
	d := c.matches[m.Name]
	switch {
	case d == nil && operation == wire.Delete:
		return nil // by an earlier request
	case d == nil:
		return c.unknown(m.Name)
	case d.request.Owner != "" && d.request.Owner != key && !c.Door.IsAdmin(key):
		return fmt.Errorf("match %s belongs to %s: only its owner and a key for administrators can stop, pause, resume or delete it", m.Name, d.request.Owner)
	}
	switch operation {
	case wire.Stop:
		return c.end(d, Stopped)
	case wire.Pause:
		return c.end(d, Paused)
	case wire.Resume:
		return c.begin(ctx, d)
	case wire.Delete:
		return c.delete(d)
	}
	return fmt.Errorf("unknown operation %.40q", operation)
}

// check returns the match of a request of a key, nil for samples, or why the hub does not play it. That may
// take some seconds, so c.mu must not be held.
func (c *Controller) check(ctx context.Context, key string, r *Request) (*match.Match, error) {
	switch {
	case r.Spec == nil || !wire.Name.MatchString(r.Name):
		return nil, errors.New("the name of a detached match needs 1 to 40 letters, digits, _ and -")
	case r.Spec.Version != wire.Version:
		return nil, fmt.Errorf("the match has version %d, and this hub has %d: start it again with this release", r.Spec.Version, wire.Version)
	case len(r.Spec.blobs()) > maxFiles:
		return nil, fmt.Errorf("the match has %d files, and may have %d", len(r.Spec.blobs()), maxFiles)
	case r.Spec.Ranges == nil:
		return r.match(c.searchers.Share(ctx, key))
	case c.OpenRanges == nil:
		return nil, errors.New("this hub does not generate samples")
	case r.Size == 0 || len(r.Header) == 0:
		return nil, errors.New("the request is not complete")
	}
	return nil, nil
}

// started reports whether a folder has a state or games. Otherwise the start of its match failed.
func started(folder string) bool {
	return slices.ContainsFunc([]string{stateFile, gamesFile, samplesFile}, func(name string) bool {
		_, err := os.Stat(filepath.Join(folder, name))
		return !errors.Is(err, os.ErrNotExist)
	})
}

// accept starts a new match, or a stopped or failed one again. c.mu must be held.
func (c *Controller) accept(ctx context.Context, key string, r *Request) (err error) {
	if key != wire.Hub {
		r.Owner = key
	}
	r.Spec.Client = clientOf(r.Name) // so that no two matches have the same key
	if d := c.matches[r.Name]; d != nil {
		if err := c.grow(ctx, d, r); err != nil {
			return err
		}
		return c.begin(ctx, d)
	}
	if err := c.room(r); err != nil {
		return err
	}
	d := &detached{folder: filepath.Join(c.Store, "matches", r.Name), request: r}
	d.state = DetachedMatch{Name: r.Name, Owner: r.Owner, Command: r.Command, Samples: r.Spec.Ranges != nil, Started: now()}
	if err := os.MkdirAll(filepath.Dir(d.folder), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(d.folder, 0o700); errors.Is(err, os.ErrExist) { // also where file names do not distinguish case
		return fmt.Errorf("match %s: the hub has a folder of this name already, of another match or of one that it cannot read: use another name", r.Name)
	} else if err != nil {
		return err
	}
	defer func() {
		if err != nil && !started(d.folder) {
			_ = os.RemoveAll(d.folder) // load repeats it
		}
	}()
	if err := writeJSON(filepath.Join(d.folder, requestFile), r); err != nil {
		return err
	}
	d.set(r)
	return c.begin(ctx, d)
}

// What the detached matches of a key may have on a hub: their number, the bytes of their requests, which stay in
// memory, and the bytes of the files and the number of the games of those that are not over.
const (
	maxDetached      = 1000
	maxRequestBytes  = 64 << 20
	maxDetachedSize  = 8 << 30
	maxFiles         = 1000       // of a match
	maxDetachedGames = 50_000_000 // each needs two bytes of memory, and some 15 more once it has been played
	// maxRunning bounds those that run. Each has open files, and a share of what the hub plays and reports.
	maxRunning = 64
)

// room returns an error if the owner of a new match, or of one that gets more games, would have too much on this hub.
// c.mu must be held.
func (c *Controller) room(r *Request) error {
	if r.Owner == "" { // anybody's, on a hub without keys
		return nil
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	matches, requests, files, games := 1, int64(len(text)), r.Spec.size(), r.listed()
	for _, d := range c.matches {
		if d.request.Owner != r.Owner || d.request.Name == r.Name {
			continue
		}
		matches++
		requests += d.bytes
		if d.state.State != Over {
			files += d.files
			games += d.request.listed()
		}
	}
	if matches > maxDetached || requests > maxRequestBytes || files > maxDetachedSize {
		return fmt.Errorf("%s would have %d matches on this hub, with %d bytes of openings and settings and %d bytes of files, and may have %d, %d and %d: delete some", r.Owner, matches, requests, files, maxDetached, maxRequestBytes, int64(maxDetachedSize))
	}
	if games > maxDetachedGames {
		return fmt.Errorf("the detached matches of %s that are not over would have %d games, of which each opening of a file counts as %d, and may have %d: delete some, or start this one with fewer games or openings", r.Owner, games, openingGames, maxDetachedGames)
	}
	return nil
}

// size returns the total size of a match's files, as its request claims. Files of another size are rejected.
func (s *Spec) size() (size int64) {
	for _, b := range s.blobs() {
		size += min(max(b.Size, wire.LeastFile), maxDetachedSize+1) // a sum with more could overflow
	}
	return size
}

// same reports whether a request is for the same match, perhaps with another number of games.
func (r *Request) same(other *Request) bool {
	return r.Spec.Match == other.Spec.Match && r.Owner == other.Owner && bytes.Equal(r.Header, other.Header)
}

// differences lists what differs between a request and a later one of the same name.
func (r *Request) differences(now *Request) []string {
	if r.Owner != now.Owner {
		return []string{"another owner started it"}
	}
	return r.Setup.Differences(now.Setup)
}

// games returns the number of games of a match, or of items of ranges. The number of a tuning is a
// part of its identity.
func (r *Request) games() int {
	if r.Spec.Ranges != nil {
		return int(r.Spec.Ranges.Total)
	}
	return r.Schedule.Games()
}

// openingGames is how many games need the memory of an opening.
const openingGames = 128

// listed returns the number of games that a match keeps in memory while it runs. Each opening counts as some.
func (r *Request) listed() int {
	if r.Spec.Ranges != nil {
		return 0
	}
	return r.games() + openingGames*len(r.Book)
}

// grow gives a match that does not run the games that a request for the same match has in addition.
func (c *Controller) grow(ctx context.Context, d *detached, r *Request) error {
	switch {
	case !d.request.same(r):
		return fmt.Errorf("match %s: %w", r.Name, &journal.OtherRunError{Flag: "-name", Differences: d.request.differences(r)})
	case r.games() <= d.request.games():
		return nil
	case d.stop != nil:
		return fmt.Errorf("match %s is running: stop it, or wait until it is over, before you add games", r.Name)
	}
	if err := cmp.Or(c.room(r), c.mayBegin(d)); err != nil {
		return err
	}
	if err := c.fetchFiles(ctx, d, r); err != nil {
		return errors.Join(err, d.clear())
	}
	// The state comes first: if the hub ends here, the same request adds the games.
	d.state.State = Stopped
	if err := d.save(); err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(d.folder, requestFile), r); err != nil {
		return err
	}
	d.set(r)
	d.state.Command = r.Command
	return nil
}

// begin starts or resumes a match. It does nothing for a running one: the reply to the first
// request may have been lost. c.mu must be held.
func (c *Controller) begin(ctx context.Context, d *detached) error {
	switch {
	case d.stop != nil:
		return nil
	case d.state.State == Over:
		return d.overError()
	}
	if err := c.mayBegin(d); err != nil {
		return err
	}
	if err := c.fetchFiles(ctx, d, d.request); err != nil {
		return err
	}
	d.state.State, d.state.Reason, d.state.Ended = Running, "", time.Time{}
	if err := d.save(); err != nil {
		return err
	}
	c.matches[d.request.Name] = d
	c.start(ctx, d)
	return nil
}

// owner is what the matches of a key share. Those without an owner share one, too.
type owner struct {
	running int
	memory  *memory
	claimed int64 // bytes of the files that are being copied, for matches for which they do not count yet
	waits   bool  // whether its matches wait, because it has its share of the disk
}

// owner returns what the matches of a key share. c.mu must be held.
func (c *Controller) owner(key string) *owner {
	if c.owners == nil {
		c.owners = map[string]*owner{}
	}
	if c.owners[key] == nil {
		c.owners[key] = &owner{memory: newMemory()}
	}
	return c.owners[key]
}

// crowded returns an error if a key has as many running matches as it may. c.mu must be held.
func (c *Controller) crowded(key string) error {
	if n := c.owner(key).running; key != "" && n >= maxRunning {
		return fmt.Errorf("%s has %d running matches on this hub, and may have %d: stop or pause one, or wait until one is over", key, n, maxRunning)
	}
	return nil
}

// mayBegin returns why no match of an owner may begin. c.mu must be held.
func (c *Controller) mayBegin(d *detached) error {
	return cmp.Or(c.Door.Room(0), c.crowded(d.request.Owner))
}

// fetchFiles copies the files of a request for a match from the hub, which may lose its store. It returns an error if the owner
// would have more than its share of the disk. c.mu must be held.
func (c *Controller) fetchFiles(ctx context.Context, d *detached, r *Request) error {
	claim := r.Spec.size()
	switch {
	case c.matches[r.Name] != d:
		claim += d.stored().All() - d.files
	case d.state.State != Over: // they count already
		claim = max(claim-d.files, 0)
	}
	own := c.owner(r.Owner)
	own.claimed += claim
	defer func() { own.claimed -= claim }()
	if err := c.full()[r.Owner]; err != nil {
		return err
	}
	defer d.measureFiles()
	c.mu.Unlock() // for other matches; this one is reserved
	defer c.mu.Lock()
	files := &cache{dir: filepath.Join(d.folder, blobsFolder), room: c.Door.Room}
	defer files.clear()
	for _, b := range r.Spec.blobs() {
		if _, err := files.fetch(ctx, c.Hub, b); err != nil {
			return err
		}
	}
	return nil
}

func (d *detached) overError() error {
	return fmt.Errorf("match %s is over: fetch it", d.request.Name)
}

// maxListed is the number of matches that an error names.
const maxListed = 10

// unknown returns an error that no match has the name, with the names that exist. The caller must
// hold c.mu.
func (c *Controller) unknown(name string) error {
	names, more := slices.Sorted(maps.Keys(c.matches)), ""
	if n := len(names) - maxListed; n > 0 {
		names, more = names[:maxListed], fmt.Sprintf(" and %d more, which attach without a name lists", n)
	}
	return fmt.Errorf("there is no detached match %.40q; there are: %s%s", name, cmp.Or(strings.Join(names, ", "), "none"), more)
}

// end stops or pauses a match, and waits until it no longer runs. c.mu must be held.
func (c *Controller) end(d *detached, how State) error {
	if d.stop != nil {
		d.stop(errStopped)
		c.mu.Unlock() // as in begin
		<-d.ended
		c.mu.Lock()
	}
	switch d.state.State {
	case Over:
		return d.overError()
	case how: // nothing changes, and nobody pays for what is written
		return nil
	case Running:
		d.state.Ended = now()
	}
	d.state.State = how
	return d.save()
}

// now returns the time in whole seconds.
func now() time.Time { return time.Now().UTC().Truncate(time.Second) }

// deleting is what the name of a folder ends with while the match is being deleted. No name of a
// match has a period.
const deleting = ".deleted"

func (c *Controller) delete(d *detached) error {
	if d.stop != nil {
		return fmt.Errorf("match %s is running: stop it first", d.request.Name)
	}
	gone := d.folder + deleting
	err := os.RemoveAll(gone) // an earlier deletion under this name may have failed
	if err == nil {
		err = os.Rename(d.folder, gone)
	}
	if err != nil {
		return err
	}
	delete(c.matches, d.request.Name)
	return os.RemoveAll(gone) // load repeats it if the hub ends here
}

// maxEntry bounds the state of a match in the list of all, in bytes.
const maxEntry = 16 << 10

// fetch replies with the state of a match and some of its games, or with all states. c.mu must be held; it is
// not while the list of all is made.
func (c *Controller) fetch(m *controlMessage, reply *controlReply) error {
	if m.Name == "" {
		for _, d := range c.matches {
			reply.Matches = append(reply.Matches, d.shown())
		}
		c.mu.Unlock()
		defer c.mu.Lock()
		slices.SortFunc(reply.Matches, func(a, b DetachedMatch) int { return newestFirst(&a, &b) })
		left := wire.MaxPayload / 2
		for i := range reply.Matches { // no match keeps the reply from anybody
			left -= reply.Matches[i].shorten(min(maxEntry, left))
		}
		return nil
	}
	d := c.matches[m.Name]
	if d == nil {
		return c.unknown(m.Name)
	}
	reply.Matches = []DetachedMatch{d.shown()}
	reply.Matches[0].shorten(wire.MaxPayload / 2)
	if m.Offset < 0 {
		return nil
	}
	file, err := os.Open(d.file())
	if errors.Is(err, os.ErrNotExist) {
		return nil // no game is over yet
	}
	if err != nil {
		return err
	}
	defer file.Close()
	reply.Data = make([]byte, maxData)
	n, _ := file.ReadAt(reply.Data, m.Offset) // the end of the file, or an error that repeats
	reply.Data = reply.Data[:n]
	return nil
}

// start plays a match until it is over, it is stopped, or ctx is done. If its owner has too many, the match waits until
// followStore starts it. c.mu must be held.
func (c *Controller) start(ctx context.Context, d *detached) {
	if err := c.crowded(d.request.Owner); err != nil {
		d.waitFor(err)
		return
	}
	own := c.owner(d.request.Owner)
	own.running++
	playing, stop := context.WithCancelCause(ctx)
	d.stop, d.ended, d.pings = stop, make(chan struct{}), make(chan struct{})
	d.waitFor(nil)
	c.playing.Go(func() {
		defer stop(nil)
		err := contained(func() error { return c.play(playing, d) })
		c.mu.Lock()
		defer c.mu.Unlock()
		close(d.ended)
		own.running--
		d.measure()
		d.stop = nil
		d.waitFor(nil)
		switch {
		case err == nil:
			d.state.State = Over
		case errors.Is(err, errStopped) || ctx.Err() != nil:
			return // end stores its state, or it resumes when the hub is back
		case isStuck(err): // its state on disk is Running, and its games are there
			d.waitFor(err)
			return
		default:
			d.state.State, d.state.Reason = Impaired, printable(err.Error())
			c.warn(d, err)
		}
		d.state.Ended = now()
		err = d.save()
		if err == nil {
			err = d.clear()
		}
		if err != nil {
			c.warn(d, err)
		}
	})
}

// isStuck reports whether a match ended because something could not be stored. followStore resumes it.
func isStuck(err error) bool {
	_, stuck := errors.AsType[*stuckError](err)
	return stuck || resources.IsFull(err)
}

// clear deletes the files that a match does not need: all if it is over. A request for more games sends them again.
func (d *detached) clear() error {
	defer d.measureFiles()
	folder := filepath.Join(d.folder, blobsFolder)
	if d.state.State == Over {
		return os.RemoveAll(folder)
	}
	needed := map[string]bool{}
	for _, b := range d.request.Spec.blobs() {
		needed[b.SHA256] = true
	}
	there, err := os.ReadDir(folder)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, one := range there {
		if !needed[one.Name()] {
			err = errors.Join(err, os.RemoveAll(filepath.Join(folder, one.Name())))
		}
	}
	return err
}

// reports returns the warnings of matches, by owner.
func (c *Controller) reports() *wire.Warnings {
	c.begun.Do(func() { c.warnings = wire.NewWarnings(c.Warn) })
	return c.warnings
}

// warn reports a problem of a match.
func (c *Controller) warn(d *detached, err error) {
	from := "matches without a key"
	if d.request.Owner != "" {
		from = "key " + d.request.Owner
	}
	c.reports().Warn(from, fmt.Errorf("match %s: %w", d.request.Name, err))
}

func (c *Controller) play(ctx context.Context, d *detached) error {
	m, err := c.check(ctx, d.request.Owner, d.request)
	if err != nil {
		return err
	}
	if m == nil {
		return c.generate(ctx, d)
	}
	executor := &Executor{Clock: d.request.Spec.Clock, given: c.work(d)}
	if d.request.Tuning != nil {
		return c.tune(ctx, d, m, executor)
	}
	m.Executor = executor
	_, err = m.Run(ctx, match.Files{Lines: d.file()}, &detachedObserver{c: c, d: d, match: m})
	return err
}

// work returns what a dispatcher needs for a match.
func (c *Controller) work(d *detached) *work {
	r := d.request
	c.mu.Lock()
	memory := c.owner(r.Owner).memory
	c.mu.Unlock()
	return &work{hub: c.Hub, pings: d.pings, memory: memory, spec: r.Spec, blobs: r.Spec.stored(filepath.Join(d.folder, blobsFolder)), owner: r.Owner, queue: r.Queue, settings: c.Settings,
		score: func() Progress {
			d.live.Lock()
			defer d.live.Unlock()
			return d.state.Progress
		},
		waits: d.waitFor,
		dispatching: func(change int) {
			c.mu.Lock()
			defer c.mu.Unlock()
			d.dispatching += change
		}}
}

func (c *Controller) generate(ctx context.Context, d *detached) error {
	r := d.request
	warn := func(err error) { c.warn(d, err) }
	file, err := c.OpenRanges(d.file(), r.Header, warn)
	if err != nil {
		return err
	}
	first, total := file.Games(), r.Spec.Ranges.Total
	count := func() {
		n := file.Games()
		d.show(Progress{Score: "samples of gyre-train", Played: int(n), Total: int(total), Over: n >= total, Command: r.Command})
	}
	count()
	if first < total {
		err = (&Ranges{Size: r.Size, given: c.work(d), Warn: warn, Check: file.Check,
			Keep: func(first, end uint32, output []byte) error {
				defer count()
				return file.Keep(first, end, output)
			},
			doubt: func(why error) {
				c.mu.Lock()
				d.state.addDoubt(why)
				err := d.save()
				c.mu.Unlock()
				if err != nil {
					warn(err)
				}
			}}).Run(ctx, first, total)
	}
	return errors.Join(err, file.Close())
}

// tuning returns the tuning with no more iterations at once than the hub has memory for, which changes no result.
func (r *Request) tuning() *tune.Tuning {
	t := *r.Tuning
	t.Concurrency = min(t.Concurrency, maxValues/len(t.Parameters))
	return &t
}

func (c *Controller) tune(ctx context.Context, d *detached, m *match.Match, executor *Executor) error {
	if err := m.CheckEngines(ctx); err != nil {
		return err
	}
	t := d.request.tuning()
	player := &tune.Games{Match: m, Parameters: t.Parameters, Executor: executor, Warn: func(err error) { c.warn(d, err) }}
	player.Begin(ctx)
	_, err := t.Run(ctx, d.file(), player, &detachedTuning{c: c, d: d})
	player.End()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// detachedTuning follows a detached tuning.
type detachedTuning struct {
	c *Controller
	d *detached
}

// Resumed implements tune.Observer.
func (o *detachedTuning) Resumed(p *tune.Progress) { o.Ended(p) }

// Ended implements tune.Observer.
func (o *detachedTuning) Ended(p *tune.Progress) {
	t, e := o.d.request.Tuning, &o.d.request.Spec.Engines[0]
	o.d.show(Progress{Score: t.Brief(p), Engines: []string{e.Name}, Limits: []string{e.Limits.String()},
		Played: 2 * p.Played, Total: 2 * t.Iterations, Over: p.Played == t.Iterations})
}

// detachedObserver follows a detached match.
type detachedObserver struct {
	c     *Controller
	d     *detached
	match *match.Match
}

// Resumed implements match.Observer.
func (o *detachedObserver) Resumed(s *match.Standing) { o.Ended(nil, s) }

// Ended implements match.Observer.
func (o *detachedObserver) Ended(_ *match.Line, s *match.Standing) {
	o.d.show(ProgressOf(scoreOf, o.match, s))
}

// Warn implements match.Observer.
func (o *detachedObserver) Warn(err error) { o.c.warn(o.d, err) }

// scoreOf returns the score of a match in one line: of two engines the first one's Elo, and the
// verdict once the match is over; otherwise each engine's points.
func scoreOf(s *match.Standing) string {
	if len(s.Pairings) == 1 {
		p := s.Pairings[0]
		if p.Pairs.Total() == 0 {
			return "no result yet"
		}
		elo := "Elo " + stats.TooFew
		switch first, second := s.Names[p.Engines[0]], s.Names[p.Engines[1]]; {
		case s.Over():
			elo = stats.Verdict(first, second, p.Pairs)
		case stats.Enough(p.Pairs):
			elo = first + " " + stats.Elo(p.Pairs).Elo()
		}
		return fmt.Sprintf("%s, +%d =%d -%d", elo, p.Games.Wins, p.Games.Draws, p.Games.Losses)
	}
	var parts []string
	for i, games := range s.Totals() {
		parts = append(parts, fmt.Sprintf("%s %.1f", s.Names[i], games.Points()))
	}
	return strings.Join(parts, ", ")
}

// A hub accepts requests from many clients, and so bounds what one may cost.
const (
	maxOpeningNodes = 100_000 // in the search for Recipe.Bound
	// maxOpeningWork is how many nodes the searches of all candidates for one opening may visit.
	maxOpeningWork = 10_000_000
	maxTuned       = 100_000 // iterations of a batch
	// maxParameters bounds those of a tuning: each job has their values for both sides, and maxReplyValues bounds it. maxValues
	// bounds the parameters times the iterations played at once, each of which keeps its values.
	maxParameters = 1000
	maxValues     = 100_000
	// maxRequestValues is how many values a request may have, of which the openings are most; see wire.Unmarshal.
	maxRequestValues = 150_000
	// maxEngines is how many engines a match may have: each plays each.
	maxEngines = 100
)

// match returns the match of a request, or why the hub cannot play it. Its engines are not on this
// machine. lend lends searchers for its openings.
func (r *Request) match(lend openings.Lender) (*match.Match, error) {
	s := r.Spec
	if n := len(s.Engines); n > maxEngines {
		return nil, fmt.Errorf("%d engines: a hub plays matches of at most %d", n, maxEngines)
	}
	m := &match.Match{ID: s.Match, Schedule: r.Schedule, Conditions: s.Conditions, Patience: s.Patience, Concurrency: 1, ContinueOnFault: r.ContinueOnFault, Setup: r.Setup}
	m.Conditions.PV = s.PV
	for i := range s.Engines {
		e := &s.Engines[i]
		if e.Offered != "" && !wire.Name.MatchString(e.Offered) {
			return nil, fmt.Errorf("no worker offers an engine under the name %.40q", e.Offered)
		}
		m.Engines = append(m.Engines, game.Engine{Name: e.Name, Program: e.Checked, Limits: e.Limits, Margin: e.Margin, HasMargin: e.OwnMark, Restart: e.Restart})
	}
	var err error
	if s.Test != nil {
		if m.Test, err = stats.NewSPRT(*s.Test); err != nil {
			return nil, err
		}
		if lower, upper := m.Test.Bounds(); math.IsInf(upper-lower, 0) { // JSON cannot have them
			return nil, errors.New("the test has no bounds: its alpha or beta is too small")
		}
	}
	if r.Recipe != nil {
		if r.Recipe.Bound > 0 && r.Recipe.Nodes > maxOpeningNodes {
			return nil, fmt.Errorf("%d nodes for each opening: a hub searches at most %d", r.Recipe.Nodes, maxOpeningNodes)
		}
		generator, err := openings.NewGenerator(*r.Recipe)
		if err != nil {
			return nil, err
		}
		generator.Work, generator.Lend = maxOpeningWork, lend
		first, err := generator.Opening(0)
		if err != nil {
			return nil, err
		}
		if openings.Format(first) != r.First {
			return nil, errors.New("this hub makes other openings: use the same release everywhere")
		}
		m.Openings = generator
	} else {
		_, giveBack, err := lend() // many openings take as long as a search
		if err != nil {
			return nil, err
		}
		m.Openings, err = openings.Read(strings.NewReader(strings.Join(r.Book, "\n")), "openings", r.Rules)
		giveBack()
		if err != nil {
			return nil, err
		}
	}
	if r.Tuning != nil {
		if r.Tuning.Identity() != m.ID || len(m.Engines) != 2 {
			return nil, errors.New("the tuning is not that of the match")
		}
		if err := r.Tuning.Check(); err != nil {
			return nil, err
		}
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	if t := r.Tuning; t != nil {
		switch {
		case t.Iterations > m.Schedule.Games()/2:
			return nil, fmt.Errorf("the tuning has %d iterations, and the match %d games", t.Iterations, m.Schedule.Games())
		case t.Batch > maxTuned:
			return nil, fmt.Errorf("the tuning has batches of %d iterations: a hub plays at most %d", t.Batch, maxTuned)
		case len(t.Parameters) > maxParameters:
			return nil, fmt.Errorf("the tuning has %d parameters: a hub tunes at most %d", len(t.Parameters), maxParameters)
		}
	}
	return m, nil
}
