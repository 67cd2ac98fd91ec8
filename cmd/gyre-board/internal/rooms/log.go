package rooms

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
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
	Side  string           `json:"side,omitempty"`
	Name  string           `json:"name,omitempty"`
	Turn  string           `json:"turn,omitempty"`
	Left  [2]time.Duration `json:"left,omitzero"` // nanoseconds
	End   *End             `json:"end,omitempty"`
	From  int64            `json:"from,omitempty"` // didEnd: size of the results file before the record
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

// logEnding is added to the name of the results file.
const logEnding = ".rooms"

// kind is the kind of the log's lines.
var kind = journal.Kind{Prefix: logPrefix, Foreign: errors.New("this is not a log of rooms: move the file away, or choose another name for the results")}

// log stores what happens in the rooms, and the records of finished games. Its methods are safe
// for concurrent use.
type log struct {
	mu      sync.Mutex
	lines   *journal.Journal
	results *journal.Journal
	path    string // of the results
	size    int64  // of the results
}

// openLog opens both files, appends the records that a crash has prevented, and returns the open
// rooms in the order in which they were opened.
func openLog(path string) (*log, []*room, error) {
	l := &log{path: path}
	var err error
	// The lock of the results protects the log, too.
	if l.results, err = journal.Open(path, l.readResults); err != nil {
		return nil, nil, err
	}
	rooms, err := l.open()
	if err != nil {
		err = errors.Join(err, l.results.Close())
		if l.lines != nil {
			err = errors.Join(err, l.lines.Close())
		}
		return nil, nil, err
	}
	return l, rooms, nil
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
	rooms, dead, err := readLog(path)
	if err != nil {
		return nil, err
	}
	if dead > 0 {
		if err := rewrite(path, rooms); err != nil {
			return nil, err
		}
	}
	// An incomplete last line is removed here.
	if l.lines, err = journal.Open(path, func(in io.Reader) (int64, error) {
		return kind.ReadLines(in, path, func([]byte) error { return nil })
	}); err != nil {
		return nil, err
	}
	for _, at := range rooms {
		if at.ended && !at.recorded {
			if err := l.complete(at); err != nil {
				return nil, err
			}
		}
	}
	// No other record may follow an incomplete one, so these games come second.
	for _, at := range rooms {
		if at.over() && !at.recorded {
			if err := l.finish(at); err != nil {
				return nil, err
			}
		}
	}
	return rooms, nil
}

// readLog reads the log and returns its open rooms, and the number of closed ones.
func readLog(path string) (open []*room, closed int, err error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = file.Close() }()
	known := map[string]*room{}
	var all []*room
	_, err = kind.ReadLines(file, path, func(text []byte) error {
		if err := kind.Check(text); err != nil {
			return err
		}
		var e entry
		if err := json.Unmarshal(text, &e); err != nil {
			return err
		}
		if e.Do == didOpen {
			at, err := e.opened()
			if err != nil {
				return err
			}
			known[e.Room] = at
			all = append(all, at)
			return nil
		}
		at, ok := known[e.Room]
		if !ok {
			return fmt.Errorf("the room %.40q was not opened", e.Room)
		}
		if e.Do == didClose {
			delete(known, e.Room)
			return nil
		}
		return at.apply(e)
	})
	for _, at := range all {
		if known[at.id] == at {
			open = append(open, at)
		}
	}
	return open, len(all) - len(open), err
}

// opened returns the room of a didOpen entry.
func (e entry) opened() (*room, error) {
	if e.Terms == nil || e.Seats == nil {
		return nil, errors.New("the room has no terms or no seats")
	}
	if err := e.Terms.check(); err != nil {
		return nil, err
	}
	return newRoom(e.Room, *e.Seats, *e.Terms, time.UnixMilli(e.At)), nil
}

// apply applies a later entry to a room that is not open yet.
func (at *room) apply(e entry) error {
	switch e.Do {
	case didName:
		for side, letter := range sideLetters {
			if e.Side == letter {
				at.names[side] = e.Name
			}
		}
	case didTurn:
		turn, err := at.now.ParseTurn(e.Turn)
		if err != nil {
			return err
		}
		at.add(turn)
		at.clock.left = e.Left
	case didPause:
		at.clock.left = e.Left
	case didEnd:
		at.end, at.ended, at.from, at.clock.left = e.End, true, e.From, e.Left
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
	all := []entry{{Room: at.id, Do: didOpen, At: at.began.UnixMilli(), Terms: &at.terms, Seats: &at.seats}}
	for side, name := range at.names {
		if name != "" {
			all = append(all, entry{Room: at.id, Do: didName, Side: sideLetters[side], Name: name})
		}
	}
	for _, turn := range at.turns {
		all = append(all, entry{Room: at.id, Do: didTurn, Turn: turn.String(), Left: at.clock.left})
	}
	if at.ended {
		all = append(all, entry{Room: at.id, Do: didEnd, End: at.end, Left: at.clock.left, From: at.from})
	}
	if at.recorded {
		all = append(all, entry{Room: at.id, Do: didRecord})
	}
	if at.next != nil {
		all = append(all, entry{Room: at.id, Do: didNext, Next: at.next})
	}
	return all
}

// rewrite replaces the log with one of the given rooms.
func rewrite(path string, rooms []*room) error {
	return journal.WriteFile(path, logPrefix, func(w io.Writer) error {
		for _, at := range rooms {
			for _, e := range at.entries() {
				if _, err := w.Write(e.line()); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// line returns the entry as a line with a checksum.
func (e entry) line() []byte {
	text, err := journal.AppendChecked(nil, e)
	if err != nil {
		panic(err) // entries can be marshaled
	}
	return text
}

// append appends an entry. It is on disk when append returns.
func (l *log) append(e entry) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.Append(e.line())
}

// finish appends the record of a room whose game has ended. The caller holds the room's mutex.
func (l *log) finish(at *room) error {
	text, err := recordOf(at)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	ended := entry{Room: at.id, Do: didEnd, End: at.end, Left: at.clock.left, From: l.size}
	if err := l.lines.Append(ended.line()); err != nil {
		return err
	}
	at.ended, at.from = true, l.size
	if err := l.results.Append(text); err != nil {
		return err
	}
	l.size += int64(len(text))
	at.recorded = true
	return l.lines.Append(entry{Room: at.id, Do: didRecord}.line())
}

// complete appends the record of a game whose end is in the log, after a crash. The file may
// contain a beginning of the record, or all of it.
func (l *log) complete(at *room) error {
	text, err := recordOf(at)
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
	return l.lines.Append(entry{Room: at.id, Do: didRecord}.line())
}

// close closes both files.
func (l *log) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(l.lines.Close(), l.results.Close())
}

// recordOf returns the record of a room's game.
func recordOf(at *room) ([]byte, error) {
	game := record.New(position.Start(at.now.Rules()), at.turns...)
	for side, tag := range [2]string{position.White: "White", position.Black: "Black"} {
		game.SetTag(tag, cmp.Or(at.names[side], "?"))
	}
	game.SetTag("Date", at.began.UTC().Format("2006.01.02"))
	if c := at.terms.Clock; c != nil {
		game.SetTag("TimeControl", fmt.Sprintf("%g+%g", float64(c.Base)/1000, float64(c.Inc)/1000))
	}
	game.Close(&at.now)
	if at.end != nil {
		result := position.Ongoing
		switch at.end.Winner {
		case "w":
			result = position.WhiteWins
		case "b":
			result = position.BlackWins
		}
		game.Award(&at.now, result, at.end.Why)
	}
	var text bytes.Buffer
	if err := game.Write(&text); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}
