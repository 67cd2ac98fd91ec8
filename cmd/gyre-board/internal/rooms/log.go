package rooms

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"gyre/bench/journal"
	"gyre/position"
	"gyre/position/record"
)

// entry is a line of the log. Unused fields are omitted.
type entry struct {
	Room  string           `json:"room"`
	Do    string           `json:"do"`
	At    int64            `json:"at,omitempty"` // didOpen: milliseconds since 1970
	Terms *Terms           `json:"terms,omitempty"`
	Seats *Both[string]    `json:"seats,omitempty"`
	Owner string           `json:"owner,omitempty"` // didOpen: see Rooms.mark
	Side  string           `json:"side,omitempty"`
	Name  string           `json:"name,omitempty"`
	Turn  string           `json:"turn,omitempty"`
	Left  [2]time.Duration `json:"left,omitzero"` // nanoseconds
	End   *End             `json:"end,omitempty"`
	From  int64            `json:"from,omitempty"`  // didEnd: size of the results file before the record
	Names *[2]string       `json:"names,omitempty"` // didEnd: of the players in the record; earlier versions did not store them
	Next  *Keys            `json:"next,omitempty"`
}

// The values of entry.Do.
const (
	didOpen   = "open"
	didName   = "name"
	didTurn   = "turn"
	didPause  = "pause" // the server ended
	didEnd    = "end"   // the game is over; its record follows
	didRecord = "record"
	didNext   = "next"
	didClose  = "close"
)

// logPrefix is the beginning of every line of the log.
const logPrefix = `{"room":"`

// What is added to the name of the results file.
const (
	logEnding    = ".rooms"
	secretEnding = logEnding + ".secret"
)

// kind is the kind of the log's lines.
var kind = journal.Kind{Prefix: logPrefix, Foreign: errors.New("this is not a log of rooms: move the file away, or choose another name for the results")}

// log stores what happens in the rooms, and the records of finished games. Its methods are safe
// for concurrent use.
//
// What waits for the disk is written together, and synced once. So nobody waits for more than the write that has begun and
// the next one, no matter how many changes others make.
//
// If a file cannot be written, for example because the disk is full, the log tries again for a
// while, and the change that waits is not shown to anybody. If that does not help, the log gives
// up, and so must the server.
type log struct {
	path     string         // of the results
	secret   string         // for the marks of clients; empty if it cannot be kept
	patience time.Duration  // how long to try again
	growth   int64          // bytes in addition to twice the open rooms, after which to rewrite
	rooms    func() []*room // that are open, the oldest first
	stalled  func(error)    // called when writing fails
	resumed  func()         // called when it succeeds again
	warn     func(error)    // gets messages for the operator
	failed   chan error     // receives why the log has given up

	ending context.Context // done when the server ends, or the log has given up
	end    context.CancelFunc

	mu      sync.Mutex // never held during a write
	waiting []*change

	disk    queue // held while something is written, also while that is tried again
	lines   file
	results file
	size    int64 // of the results
	written int64 // size of the lines
	rewrite int64 // size after which the log is rewritten
}

// change is a change of a room that waits for the disk.
type change struct {
	room   *room
	entry  entry
	record []byte        // of the game, if it ends
	apply  func()        // makes the change in memory, once it is on disk
	done   chan struct{} // closed then, or when it has failed
	err    error         // set before done is closed
}

// queue is a lock. Go gives it to whoever has waited longest, although the language does not promise that. So a turn that
// already waits when the time is up is judged before the game is lost, no matter how long the disk takes.
type queue chan struct{}

func newQueue() queue   { return make(queue, 1) }
func (q queue) Lock()   { q <- struct{}{} }
func (q queue) Unlock() { <-q }

// TryLock takes the lock if it is free, and reports whether it was.
func (q queue) TryLock() bool {
	select {
	case q <- struct{}{}:
		return true
	default:
		return false
	}
}

// file is the part of a journal that the log needs.
type file interface {
	Append(piece []byte) error
	Close() error
}

// openLog opens both files, appends the records that a crash has prevented, and returns the open
// rooms in the order in which they were opened.
func openLog(path string, bounds *Bounds, newKey func() string, warn func(error)) (*log, []*room, error) {
	l := &log{disk: newQueue(), path: path, patience: bounds.Patience, growth: bounds.LogGrowth, failed: make(chan error, 1), warn: warn}
	l.stalled, l.resumed, l.rooms = func(error) {}, func() {}, func() []*room { return nil }
	l.ending, l.end = context.WithCancel(context.Background())
	l.end() // until the server has started, the first failure is final
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil, nil, fmt.Errorf("%s: this is a pipe or a device, which keeps no games: give the name of a file", path)
	}
	// The lock of the results protects the log, too.
	results, err := journal.Open(path, l.readResults)
	if err != nil {
		return nil, nil, err
	}
	l.results = results
	rooms, err := l.open()
	if err != nil {
		err = errors.Join(err, l.results.Close())
		if l.lines != nil {
			err = errors.Join(err, l.lines.Close())
		}
		return nil, nil, err
	}
	if l.secret, err = secretIn(path+secretEnding, newKey); err != nil {
		warn(fmt.Errorf("%w; until the server can read and write this file when it starts, rooms count for nobody after a restart", err))
	}
	return l, rooms, nil
}

// minSecret is the length of a secret that nobody can guess, as [crypto/rand.Text] returns one.
const minSecret = 26

// secretIn returns the secret in a file, which only the owner of the process can read. Without a whole one in it, the
// file gets a new one. If that fails, there is none.
func secretIn(path string, newKey func() string) (string, error) {
	content, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	if secret, whole := strings.CutSuffix(string(content), "\n"); whole && len(secret) >= minSecret {
		return secret, nil
	}
	secret := newKey()
	if err := os.WriteFile(path, []byte(secret+"\n"), 0o600); err != nil {
		return "", err
	}
	return secret, nil
}

// begin lets the log serve open rooms.
func (l *log) begin(rooms func() []*room, stalled func(error), resumed func()) {
	l.rooms, l.stalled, l.resumed = rooms, stalled, resumed
	l.ending, l.end = context.WithCancel(context.Background())
}

// readResults checks that the results file contains records. The file is kept as it is: a crash
// may have left the beginning of a record, which complete completes.
func (l *log) readResults(in io.Reader) (int64, error) {
	content, err := io.ReadAll(in)
	if err != nil {
		return 0, err
	}
	l.size = int64(len(content))
	trimmed := bytes.TrimSpace(content)
	if len(trimmed) > 0 && trimmed[0] != '[' {
		return l.size, fmt.Errorf("%s exists and does not contain records of games; choose another name", l.path)
	}
	return l.size, nil
}

// open reads the log and rewrites it with the open rooms only.
func (l *log) open() ([]*room, error) {
	path := l.path + logEnding
	_ = journal.RemoveTemporary(path, logPrefix) // otherwise they only take space
	rooms, dead, damaged, err := readLog(path)
	if err != nil {
		return nil, err
	}
	if len(damaged) > 0 {
		if err := l.setAside(damaged); err != nil {
			return nil, err
		}
	}
	if dead+len(damaged) > 0 {
		if _, err := rewrite(path, rooms); err != nil {
			return nil, err
		}
	}
	// An incomplete last line is removed here.
	lines, err := journal.Open(path, func(in io.Reader) (int64, error) {
		intact, err := kind.ReadLines(in, path, func([]byte) error { return nil })
		l.written = intact
		return intact, err
	})
	if err != nil {
		return nil, err
	}
	l.lines, l.rewrite = lines, 2*l.written+l.growth
	// In the order of the file: only the last of its records can be incomplete.
	inFile := slices.SortedStableFunc(slices.Values(rooms), func(a, b *room) int { return cmp.Compare(a.from, b.from) })
	for _, at := range inFile {
		if at.ended && !at.recorded {
			if err := l.complete(at); err != nil {
				return nil, err
			}
		}
	}
	// No other record may follow an incomplete one, so these games come second.
	for _, at := range rooms {
		if at.over() && !at.recorded {
			if err := l.finish(at, at.end, at.clock.left); err != nil {
				return nil, err
			}
		}
	}
	return rooms, nil
}

// readLog reads the log and returns its open rooms, the number of closed ones, and why others are damaged, by their ids.
// A line of a closed room is ignored: earlier versions stored names late.
func readLog(path string) (open []*room, closed int, damaged map[string]error, err error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, 0, nil, nil
	}
	if err != nil {
		return nil, 0, nil, err
	}
	defer func() { _ = file.Close() }()
	known, damaged := map[string]*room{}, map[string]error{}
	var all []*room
	line := 0
	_, err = kind.ReadLines(file, path, func(text []byte) error {
		line++
		wrong := kind.Check(text)
		var e entry
		if err := json.Unmarshal(text, &e); err != nil || errors.Is(wrong, kind.Foreign) {
			return cmp.Or(wrong, err)
		}
		at, seen := known[e.Room]
		switch {
		case damaged[e.Room] != nil || seen && at == nil:
			return nil
		case wrong != nil && !seen && e.Do != didOpen:
			return wrong // it may be of any room
		case wrong != nil:
		case e.Do == didOpen:
			if at, wrong = e.opened(); wrong == nil {
				known[e.Room] = at
				all = append(all, at)
			}
		case !seen:
			wrong = errors.New("the room was not opened")
		case e.Do == didClose:
			known[e.Room] = nil
			closed++
		default:
			wrong = at.apply(e)
		}
		if wrong != nil {
			damaged[e.Room] = fmt.Errorf("%s:%d: room %.40q: %w", path, line, e.Room, wrong)
		}
		return nil
	})
	for _, at := range all {
		if known[at.id] == at && damaged[at.id] == nil {
			open = append(open, at)
		}
	}
	return open, closed, damaged, err
}

// damagedEnding is added to the name of the log.
const damagedEnding = ".damaged"

// setAside copies the lines of damaged rooms to a file of their own, because no log will contain them anymore.
func (l *log) setAside(damaged map[string]error) (err error) {
	from := l.path + logEnding
	to := from + damagedEnding
	var lines []byte
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	_, err = kind.ReadLines(file, from, func(text []byte) error {
		var e entry
		if err := json.Unmarshal(text, &e); err != nil {
			return err
		}
		if damaged[e.Room] != nil {
			lines = append(lines, text...)
		}
		return nil
	})
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	// Damage may have changed any part of the lines that are there.
	aside, err := journal.Open(to, func(in io.Reader) (int64, error) {
		return kind.ReadLines(in, to, func([]byte) error { return nil })
	})
	if err != nil {
		return err
	}
	if err := errors.Join(aside.Append(lines), aside.Close()); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(damaged)) {
		l.warn(fmt.Errorf("%w; its lines are now in %s, and the other games continue", damaged[id], to))
	}
	return nil
}

// opened returns the room of a didOpen entry.
func (e entry) opened() (*room, error) {
	if e.Terms == nil || e.Seats == nil {
		return nil, errors.New("the room has no terms or no seats")
	}
	if err := e.Terms.check(); err != nil {
		return nil, err
	}
	at := newRoom(e.Room, *e.Seats, *e.Terms, time.UnixMilli(e.At))
	at.mark = e.Owner
	return at, nil
}

// apply applies a later entry to a room that is not open yet.
func (at *room) apply(e entry) error {
	switch e.Do {
	case didName:
		for side := range position.Side(2) {
			if e.Side == side.Letter() {
				at.names[side] = e.Name
			}
		}
	case didTurn:
		turn, err := at.now.ParseTurn(e.Turn)
		if err != nil {
			return err
		}
		at.add(turn)
		at.clock.set(e.Left)
	case didPause:
		at.clock.set(e.Left)
	case didEnd:
		if e.From < 0 {
			return fmt.Errorf("a record cannot begin at %d", e.From)
		}
		at.end, at.ended, at.from, at.players = e.End, true, e.From, e.Names
		at.clock.set(e.Left)
	case didRecord:
		at.recorded = true
	case didNext:
		at.next = e.Next
	default:
		return fmt.Errorf("unknown entry %.40q", e.Do)
	}
	return nil
}

// entries returns entries that describe a room that is not open yet.
func (at *room) entries() []entry {
	all := []entry{{Room: at.id, Do: didOpen, At: at.began.UnixMilli(), Terms: &at.terms, Seats: &at.seats, Owner: at.mark}}
	for side, name := range at.names {
		if name != "" {
			all = append(all, entry{Room: at.id, Do: didName, Side: position.Side(side).Letter(), Name: name})
		}
	}
	for _, turn := range at.turns {
		all = append(all, entry{Room: at.id, Do: didTurn, Turn: turn.String(), Left: at.clock.left})
	}
	if at.ended {
		all = append(all, entry{Room: at.id, Do: didEnd, End: at.end, Left: at.clock.left, From: at.from, Names: at.players})
	}
	if at.recorded {
		all = append(all, entry{Room: at.id, Do: didRecord})
	}
	if at.next != nil {
		all = append(all, entry{Room: at.id, Do: didNext, Next: at.next})
	}
	return all
}

// rewrite replaces the log with one of the given rooms, and returns its size.
func rewrite(path string, rooms []*room) (size int64, err error) {
	err = journal.WriteFile(path, logPrefix, func(w io.Writer) error {
		for _, at := range rooms {
			at.mu.Lock()
			all := at.entries()
			at.mu.Unlock()
			for _, e := range all {
				n, err := w.Write(e.line())
				if size += int64(n); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return size, err
}

// line returns the entry as a line with a checksum.
func (e entry) line() []byte {
	text, err := journal.AppendChecked(nil, e)
	if err != nil {
		panic(err) // entries can be marshaled
	}
	return text
}

// append appends an entry about a room. It calls apply, which makes the same change in memory, when the entry
// is on disk.
func (l *log) append(at *room, e entry, apply func()) error {
	return l.save(&change{room: at, entry: e, apply: apply})
}

// save writes a change, together with all others that wait. None follows the one that closes the room.
func (l *log) save(c *change) error {
	c.done = make(chan struct{})
	l.mu.Lock()
	if c.room.sealed {
		l.mu.Unlock()
		return ErrGone
	}
	c.room.sealed = c.entry.Do == didClose
	l.waiting = append(l.waiting, c)
	l.mu.Unlock()
	select {
	case <-c.done: // somebody else has written it
	case l.disk <- struct{}{}:
		l.writeWaiting()
		l.disk.Unlock()
	}
	return c.err
}

// writeWaiting writes all changes that wait. First the lines of all come to the disk, then the records of games that have
// ended, and then the lines that these are there. The caller holds disk.
func (l *log) writeWaiting() {
	l.mu.Lock()
	all := l.waiting
	l.waiting = nil
	l.mu.Unlock()
	if len(all) == 0 {
		return
	}
	var lines, records, recorded []byte
	var ends []*change
	for _, c := range all {
		if c.record != nil {
			c.entry.From = l.size + int64(len(records))
			records = append(records, c.record...)
			recorded = append(recorded, entry{Room: c.entry.Room, Do: didRecord}.line()...)
			ends = append(ends, c)
		}
		lines = append(lines, c.entry.line()...)
	}
	err := l.write(&l.lines, lines)
	for _, c := range all {
		if c.record == nil || err != nil {
			c.finish(err)
		}
	}
	if err == nil && len(ends) > 0 {
		if err = l.write(&l.results, records); err == nil {
			l.size += int64(len(records))
			err = l.write(&l.lines, recorded)
		}
		for _, c := range ends {
			c.finish(err)
		}
	}
	if err == nil {
		l.compact()
	}
}

// finish makes the change in memory, unless it has failed, and ends the waiting for it.
func (c *change) finish(err error) {
	if c.err = err; err == nil {
		c.apply()
	}
	close(c.done)
}

// write appends to one of the files, and tries again if that fails. The caller holds disk.
func (l *log) write(to *file, piece []byte) error {
	err := l.retry(func() error { return (*to).Append(piece) })
	if err == nil && to == &l.lines {
		l.written += int64(len(piece))
	}
	return err
}

// retry calls attempt until it succeeds or the log gives up. The caller holds disk.
func (l *log) retry(attempt func() error) error {
	ctx, stop := context.WithTimeout(l.ending, l.patience)
	defer stop()
	stalled := false
	err := journal.Retry(ctx, attempt, func(err error) {
		if l.ending.Err() == nil {
			stalled = true
			l.stalled(err)
		}
	})
	switch {
	case err == nil && stalled:
		l.resumed()
	case err != nil && l.ending.Err() == nil:
		l.failed <- err // the first, because the context ends with it
		l.end()
	}
	return err
}

// compact rewrites the log without closed rooms and outdated names, if it has become
// long. All changes on disk are also in memory now, because the caller holds disk.
func (l *log) compact() {
	if l.written <= l.rewrite {
		return
	}
	path := l.path + logEnding
	// Windows cannot replace an open file. Closing it loses nothing: all lines are on disk.
	_ = l.lines.Close()
	if size, err := rewrite(path, l.rooms()); err == nil {
		l.written = size
	} // otherwise the old file is still there
	l.rewrite = 2*l.written + l.growth
	_ = l.retry(func() error {
		lines, err := journal.Open(path, func(in io.Reader) (int64, error) { return io.Copy(io.Discard, in) })
		if err == nil {
			l.lines = lines
		}
		return err
	})
}

// finish appends the end of a room's game and its record, and then ends the game in memory. end
// is nil if it ended on the board. The caller holds the room's writing.
func (l *log) finish(at *room, end *End, left [2]time.Duration) error {
	at.mu.Lock()
	names := at.names // a player may be renamed before the end is on disk
	text, err := recordOf(at, names, end)
	at.mu.Unlock()
	if err != nil {
		return err
	}
	c := &change{room: at, entry: entry{Room: at.id, Do: didEnd, End: end, Left: left, Names: &names}, record: text}
	c.apply = func() {
		at.mu.Lock()
		defer at.mu.Unlock()
		at.clock.stop(time.Now())
		at.clock.set(left)
		at.end, at.ended, at.from, at.players, at.recorded = end, true, c.entry.From, &names, true
	}
	return l.save(c)
}

// complete appends the record of a game whose end is in the log, after a crash. The file may
// contain a beginning of the record, or all of it.
func (l *log) complete(at *room) error {
	text, err := recordOf(at, *cmp.Or(at.players, &at.names), at.end)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(l.path)
	if err != nil {
		return err
	}
	rest := text
	if tail := content[min(at.from, int64(len(content))):]; bytes.HasPrefix(tail, text) {
		rest = nil
	} else if bytes.HasPrefix(text, tail) {
		rest = text[len(tail):]
	}
	if len(rest) > 0 {
		if err := l.results.Append(rest); err != nil {
			return err
		}
		l.size = int64(len(content) + len(rest))
	}
	at.recorded = true
	return l.write(&l.lines, entry{Room: at.id, Do: didRecord}.line())
}

// close closes both files.
func (l *log) close() error {
	l.disk.Lock()
	defer l.disk.Unlock()
	return errors.Join(l.lines.Close(), l.results.Close())
}

// recordOf returns the record of a room's game, which has ended off the board if end is not nil.
func recordOf(at *room, names [2]string, end *End) ([]byte, error) {
	game := record.New(position.Start(at.now.Rules()), at.turns...)
	for side, tag := range [2]string{position.White: "White", position.Black: "Black"} {
		game.SetTag(tag, cmp.Or(names[side], "?"))
	}
	game.SetTag("Date", at.began.UTC().Format("2006.01.02"))
	if c := at.terms.Clock; c != nil {
		game.SetTag("TimeControl", fmt.Sprintf("%g+%g", float64(c.Base)/1000, float64(c.Inc)/1000))
	}
	game.Close(&at.now)
	if end != nil {
		result := position.Ongoing
		switch end.Winner {
		case "w":
			result = position.WhiteWins
		case "b":
			result = position.BlackWins
		}
		game.Award(&at.now, result, end.Why)
	}
	var text bytes.Buffer
	if err := game.Write(&text); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}
