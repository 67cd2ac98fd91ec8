package hub

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"gyre/bench/hub/internal/wire"
	"gyre/bench/journal"
	"gyre/bench/match"
	"gyre/bench/openings"
)

// Controller plays the detached matches of a hub. Each has a folder with its request, its
// state, its files and its games. A match that was running when the hub ended resumes.
type Controller struct {
	Hub      *Hub
	Door     Door
	Store    string // folder; the matches are in its folder matches
	Settings Settings
	// OpenRanges opens a file of samples that begins with a header, or resumes it, reading it in turns; nil if the
	// hub plays none.
	OpenRanges func(path string, header []byte, turns journal.Turns, warn func(error)) (RangeFile, error)
	Warn       func(error)

	playing sync.WaitGroup
	serving sync.WaitGroup
	// warnings are those of matches, by owner; see reports.
	warnings *wire.Warnings
	begun    sync.Once // makes warnings
	// searchers make the openings of all matches. Whoever has one may also read or hash a file.
	searchers *openings.Searchers

	mu      sync.Mutex
	open    bool                    // whether Run takes requests
	matches map[string]*detached    // by name
	owners  map[string]*owner       // by key
	busy    map[string]*reservation // by the names of matches that a request changes
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

// Record is a detached match with its request and its file of games.
type Record struct {
	DetachedMatch
	Request *Request // not to be changed
	Games   string   // the file; it may not exist yet
}

// Records returns all matches that it can read, the newest first.
func (c *Controller) Records() []Record {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []Record
	for _, d := range c.matches {
		if d.unreadable != nil {
			continue
		}
		all = append(all, Record{d.shown(), d.request, d.file()})
	}
	slices.SortFunc(all, func(a, b Record) int { return newestFirst(&a.DetachedMatch, &b.DetachedMatch) })
	return all
}

// newestFirst orders matches by their start.
func newestFirst(a, b *DetachedMatch) int {
	return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(a.Name, b.Name))
}

// Run plays the matches until ctx is done.
func (c *Controller) Run(ctx context.Context) error {
	c.mu.Lock()
	c.matches, c.busy, c.owners = map[string]*detached{}, map[string]*reservation{}, map[string]*owner{}
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

// followStore interrupts all matches while nothing can be stored, and those of a key that has its share of the disk. It
// starts those that were interrupted.
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
	for key := range full {
		c.owner(key) // as after a restart
	}
	for key, own := range c.owners {
		if full[key] != nil && !own.waits {
			c.reports().Warn("key "+key, fmt.Errorf("matches wait: %w", full[key]))
		}
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
		if folder.Type().IsRegular() { // no match's
			continue
		}
		if strings.HasSuffix(folder.Name(), deleting) || !started(d.folder) {
			if err := os.RemoveAll(d.folder); err != nil {
				c.Warn(err)
			}
			continue
		}
		if err := d.read(); err != nil {
			d.setUnreadable(err)
			c.Warn(d.unreadable)
		}
		d.set(d.request)
		d.measure()
		c.matches[d.request.Name] = d
		if d.unreadable != nil {
			d.measureFiles()
		} else if err := d.clear(); err != nil { // the hub may have ended before
			c.warn(d, err)
		}
	}
	return nil
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
		release, err := c.reserve(key, message.Name)
		if err != nil {
			return nil, err
		}
		defer release()
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

// reservation keeps other requests from changing a match.
type reservation struct {
	key   string        // of the request
	ended chan struct{} // closed at its end
}

// reserve waits until no other request changes a match, and returns a function that lets the next one change it. If the other
// is of another key, it returns an error instead, unless the match is this key's own: that may take long. c.mu must be held,
// also for that function.
func (c *Controller) reserve(key, name string) (release func(), err error) {
	for c.busy[name] != nil {
		earlier, d := c.busy[name], c.matches[name]
		if own := d != nil && d.request.Owner == key; earlier.key != key && !own && !c.Door.IsAdmin(key) {
			return nil, fmt.Errorf("another key is changing a match %s: use another name, or try again later", name)
		}
		c.mu.Unlock()
		<-earlier.ended
		c.mu.Lock()
	}
	mine := &reservation{key, make(chan struct{})}
	c.busy[name] = mine
	return func() {
		delete(c.busy, name)
		close(mine.ended)
	}, nil
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
		return fmt.Errorf("match %s belongs to %s: only its owner and a key for administrators can stop, pause, resume or delete it", m.Name, cmp.Or(d.state.Owner, "the hub"))
	case d.unreadable != nil && operation != wire.Delete:
		return d.unreadable
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
	}
	if err := r.Spec.checkSizes(); err != nil {
		return nil, err
	}
	switch {
	case r.Spec.Ranges == nil:
		return r.match(c.searchers.Share(ctx, key))
	case c.OpenRanges == nil:
		return nil, errors.New("this hub does not generate samples")
	case r.Size == 0 || len(r.Header) == 0:
		return nil, errors.New("the request is not complete")
	}
	return nil, nil
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

// grow gives a match that does not run the games that a request for the same match has in addition.
func (c *Controller) grow(ctx context.Context, d *detached, r *Request) error {
	switch {
	case d.unreadable != nil:
		return d.unreadable
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

// fetchFiles copies the files of a request for a match from the hub, which may lose its store. It returns an error if the
// owner would have more than its share of the disk. c.mu must be held.
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
	files := &cache{dir: filepath.Join(d.folder, blobsFolder), room: c.Door.Room, turns: c.searchers.Share(ctx, r.Owner).HashTurns()}
	defer files.clear()
	for _, b := range r.Spec.blobs() {
		if _, err := files.fetch(ctx, c.Hub, b); err != nil {
			return err
		}
	}
	return nil
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
	d.waitFor(nil)
	return d.save()
}

// now returns the time in whole seconds.
func now() time.Time { return time.Now().UTC().Truncate(time.Second) }

// deleting is what the name of a folder ends with while the match is being deleted. No name of a
// match has a period.
const deleting = ".deleted"

// delete deletes a match that is not running. c.mu must be held; it is not while the files are deleted.
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
	own, left := c.owner(d.request.Owner), d.stored().Bytes
	own.claimed += left
	defer func() { own.claimed -= left }()
	c.mu.Unlock() // as in fetchFiles
	defer c.mu.Lock()
	return os.RemoveAll(gone) // load repeats it if the hub ends here
}

// maxEntry bounds the state of a match in the list of all, in bytes.
const maxEntry = 16 << 10

// fetch replies with the state of a match and some of its games, or with all states. c.mu must be held; it is
// not while the list of all is made or games are read.
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
	path := d.file()
	c.mu.Unlock() // a disk may be slow
	defer c.mu.Lock()
	file, err := os.Open(path)
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
