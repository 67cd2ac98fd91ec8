package rooms

import (
	"bytes"
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
	Room  string   `json:"room"`
	Do    string   `json:"do"`
	At    int64    `json:"at,omitempty"` // didOpen: milliseconds since 1970
	Terms *Terms   `json:"terms,omitempty"`
	Seats *Seats   `json:"seats,omitempty"`
	Side  string   `json:"side,omitempty"`
	Name  string   `json:"name,omitempty"`
	Turn  string   `json:"turn,omitempty"`
	Left  [2]int64 `json:"left,omitzero"` // nanoseconds
	End   *End     `json:"end,omitempty"`
	From  int64    `json:"from,omitempty"` // didEnd: size of the results file before the record
	Next  *Keys    `json:"next,omitempty"`
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

// saved is a room as the log describes it.
type saved struct {
	id       string
	seats    Seats
	terms    Terms
	began    time.Time
	names    [2]string
	turns    []position.Turn
	now      position.Position
	left     [2]time.Duration
	hasLeft  bool
	end      *End
	ended    bool
	from     int64 // size of the results file before the record
	recorded bool
	next     *Keys
}

// openLog opens both files, appends the records that a crash has prevented, and returns the open
// rooms in the order in which they were opened.
func openLog(path string) (*log, []*saved, error) {
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
func (l *log) open() ([]*saved, error) {
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
	for _, s := range rooms {
		if !s.ended || s.recorded {
			continue
		}
		if err := l.complete(s); err != nil {
			return nil, err
		}
	}
	return rooms, nil
}

// readLog reads the log and returns its open rooms, and the number of closed ones.
func readLog(path string) (open []*saved, closed int, err error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = file.Close() }()
	known := map[string]*saved{}
	var all []*saved
	_, err = kind.ReadLines(file, path, func(text []byte) error {
		if err := kind.Check(text); err != nil {
			return err
		}
		var e entry
		if err := json.Unmarshal(text, &e); err != nil {
			return err
		}
		if e.Do == didOpen {
			s, err := e.opened()
			if err != nil {
				return err
			}
			known[e.Room] = s
			all = append(all, s)
			return nil
		}
		s, ok := known[e.Room]
		if !ok {
			return fmt.Errorf("the room %.40q was not opened", e.Room)
		}
		if e.Do == didClose {
			delete(known, e.Room)
			return nil
		}
		return s.apply(e)
	})
	for _, s := range all {
		if known[s.id] == s {
			open = append(open, s)
		}
	}
	return open, len(all) - len(open), err
}

// opened returns the room of a didOpen entry.
func (e entry) opened() (*saved, error) {
	if e.Terms == nil || e.Seats == nil {
		return nil, errors.New("the room has no terms or no seats")
	}
	if err := e.Terms.check(); err != nil {
		return nil, err
	}
	rules, err := position.ParseRules(e.Terms.Rules)
	if err != nil {
		return nil, err
	}
	return &saved{id: e.Room, seats: *e.Seats, terms: *e.Terms, began: time.UnixMilli(e.At), now: position.Start(rules)}, nil
}

// apply applies a later entry.
func (s *saved) apply(e entry) error {
	switch e.Do {
	case didName:
		for side, letter := range sideLetters {
			if e.Side == letter {
				s.names[side] = e.Name
			}
		}
	case didTurn:
		turn, err := s.now.ParseTurn(e.Turn)
		if err != nil {
			return err
		}
		s.turns = append(s.turns, turn)
		s.now = s.now.After(turn)
		s.setLeft(e.Left)
	case didPause:
		s.setLeft(e.Left)
	case didEnd:
		s.end, s.ended, s.from = e.End, true, e.From
		s.setLeft(e.Left)
	case didRecord:
		s.recorded = true
	case didNext:
		s.next = e.Next
	default:
		return fmt.Errorf("unknown entry %.40q", e.Do)
	}
	return nil
}

// setLeft sets the time left.
func (s *saved) setLeft(left [2]int64) {
	s.left, s.hasLeft = [2]time.Duration{time.Duration(left[0]), time.Duration(left[1])}, true
}

// entries returns entries that describe the room.
func (s *saved) entries() []entry {
	all := []entry{{Room: s.id, Do: didOpen, At: s.began.UnixMilli(), Terms: &s.terms, Seats: &s.seats}}
	for side, name := range s.names {
		if name != "" {
			all = append(all, entry{Room: s.id, Do: didName, Side: sideLetters[side], Name: name})
		}
	}
	left := leftOf(s.left)
	for _, turn := range s.turns {
		all = append(all, entry{Room: s.id, Do: didTurn, Turn: turn.String(), Left: left})
	}
	if s.ended {
		all = append(all, entry{Room: s.id, Do: didEnd, End: s.end, Left: left, From: s.from})
	}
	if s.recorded {
		all = append(all, entry{Room: s.id, Do: didRecord})
	}
	if s.next != nil {
		all = append(all, entry{Room: s.id, Do: didNext, Next: s.next})
	}
	return all
}

// rewrite replaces the log with one of the given rooms.
func rewrite(path string, rooms []*saved) error {
	return journal.WriteFile(path, logPrefix, func(w io.Writer) error {
		for _, s := range rooms {
			for _, e := range s.entries() {
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
	object, err := json.Marshal(e)
	if err != nil {
		panic(err) // entries can be marshaled
	}
	return journal.AppendChecked(nil, object)
}

// append appends an entry. It is on disk when append returns.
func (l *log) append(e entry) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.Append(e.line())
}

// finish appends the record of a room whose game has ended. The caller holds the room's mutex.
func (l *log) finish(at *room) error {
	text, err := recordOf(at.terms, at.began, at.names, at.turns, at.end)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	ended := entry{Room: at.id, Do: didEnd, End: at.end, Left: leftOf(at.clock.left), From: l.size}
	if err := l.lines.Append(ended.line()); err != nil {
		return err
	}
	if err := l.results.Append(text); err != nil {
		return err
	}
	l.size += int64(len(text))
	at.recorded = true
	return l.lines.Append(entry{Room: at.id, Do: didRecord}.line())
}

// complete appends the record of a game whose end is in the log, after a crash. The file may
// contain a beginning of the record, or all of it.
func (l *log) complete(s *saved) error {
	text, err := recordOf(s.terms, s.began, s.names, s.turns, s.end)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(l.path)
	if err != nil {
		return err
	}
	rest := text
	if tail := content[min(s.from, int64(len(content))):]; bytes.HasPrefix(tail, text) {
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
	s.recorded = true
	return l.lines.Append(entry{Room: s.id, Do: didRecord}.line())
}

// close closes both files.
func (l *log) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(l.lines.Close(), l.results.Close())
}

// recordOf returns the record of a game.
func recordOf(terms Terms, began time.Time, names [2]string, turns []position.Turn, end *End) ([]byte, error) {
	rules, err := position.ParseRules(terms.Rules)
	if err != nil {
		return nil, err
	}
	game := record.New(position.Start(rules))
	for _, turn := range turns {
		game.Add(turn, "")
	}
	for side, tag := range [2]string{position.White: "White", position.Black: "Black"} {
		name := names[side]
		if name == "" {
			name = "?"
		}
		game.SetTag(tag, name)
	}
	game.SetTag("Date", began.UTC().Format("2006.01.02"))
	if c := terms.Clock; c != nil {
		game.SetTag("TimeControl", fmt.Sprintf("%g+%g", float64(c.Base)/1000, float64(c.Inc)/1000))
	}
	last, err := game.End()
	if err != nil {
		return nil, err
	}
	game.Close(&last)
	if end != nil {
		result := position.Ongoing
		switch end.Winner {
		case "w":
			result = position.WhiteWins
		case "b":
			result = position.BlackWins
		}
		game.Award(&last, result, end.Why)
	}
	var text bytes.Buffer
	if err := game.Write(&text); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}
