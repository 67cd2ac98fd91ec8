package analysis

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"gyre/position"
	"gyre/protocol"
)

// Request is a line to the program: a [Query], a [Terminate] or a [QueryVersion].
type Request interface{ request() }

// Query asks for the analysis of positions of one game.
type Query struct {
	ID         string
	Start      position.Position
	Turns      []position.Turn // legal, one after the other
	At         []uint16        // how many of the turns were played, ascending, for each position wanted
	Limits     Limits
	Priority   int           // the higher, the sooner
	DuringEach time.Duration // after which to tell what a search has found so far; 0 for never
}

// Terminate asks to end all queries of an id.
type Terminate struct{ ID, TerminateID string }

// QueryVersion asks what the program is.
type QueryVersion struct{ ID string }

func (*Query) request()        {}
func (*Terminate) request()    {}
func (*QueryVersion) request() {}

// Limits is what bounds the search of a position. The first limit that is reached
// ends it; there is one at least.
type Limits struct {
	Nodes   uint64        // positions to visit; 0 for any number
	Time    time.Duration // 0 for any time
	MultiPV int           // lines wanted, at least 1
}

// DefaultNodes is the limit of a query without one.
const DefaultNodes = 100_000

// The bounds of numbers in queries.
const (
	mostTime     = 1_000_000_000_000 // ms
	mostMultiPV  = 64
	mostPriority = 1_000_000
)

// positionAfter returns the position after so many turns.
func (q *Query) positionAfter(turns int) position.Position {
	p := q.Start
	for _, t := range q.Turns[:turns] {
		var child position.Position
		p.Play(&child, t)
		p = child
	}
	return p
}

// Error is a line that was refused, and why. It has no ID where the line tells none.
type Error struct {
	ID     string
	HasID  bool
	Field  string // that is wrong; empty where the line is no JSON object
	Reason string
}

// Error returns the field and the reason.
func (e *Error) Error() string {
	if e.Field == "" {
		return e.Reason
	}
	return e.Field + ": " + e.Reason
}

// Parse reads a line. Unknown are the names of fields that nobody knows, the first
// [MostUnknown] at most; the rest of the line holds. The error is an *[Error].
func Parse(line string) (request Request, unknown []string, err error) {
	fields, err := fieldsOf(line)
	if err != nil {
		return nil, nil, &Error{Reason: "not a JSON object: " + err.Error()}
	}
	r := &reader{fields: fields, used: make([]bool, len(fields))}
	r.read("id", func(value string) (err error) { r.id, err = stringOf(value); return err })
	if r.err == nil && !r.given("id") {
		r.refuse("id", errors.New("missing"))
	}
	r.hasID = r.err == nil
	request = r.request()
	if r.err != nil {
		return nil, nil, r.err
	}
	return request, r.unknown(), nil
}

// MostUnknown is how many unknown fields of a line are told.
const MostUnknown = 16

// reader reads the fields of a line.
type reader struct {
	fields []field
	used   []bool // by field: somebody has asked for it
	id     string
	hasID  bool
	err    error // the first, an *Error
}

// refuse tells what is wrong with a field.
func (r *reader) refuse(name string, err error) {
	if r.err == nil {
		r.err = &Error{ID: r.id, HasID: r.hasID, Field: name, Reason: err.Error()}
	}
}

// read has a field read, unless it is left out or null.
func (r *reader) read(name string, take func(value string) error) {
	found := false
	for i, f := range r.fields {
		if f.name != name {
			continue
		}
		if found {
			r.refuse(name, errors.New("stands there twice"))
		}
		found, r.used[i] = true, true
		if r.err == nil && f.value != "null" {
			if err := take(f.value); err != nil {
				r.refuse(name, err)
			}
		}
	}
}

// given tells whether a field is there.
func (r *reader) given(name string) bool {
	for _, f := range r.fields {
		if f.name == name && f.value != "null" {
			return true
		}
	}
	return false
}

// unknown returns the names of the first fields that nobody has asked for.
func (r *reader) unknown() (names []string) {
	for i, f := range r.fields {
		if !r.used[i] && len(names) < MostUnknown {
			names = append(names, f.name)
		}
	}
	return names
}

// request reads what the line asks for.
func (r *reader) request() Request {
	action := ""
	r.read("action", func(value string) (err error) { action, err = stringOf(value); return err })
	switch {
	case !r.given("action"):
		return r.query()
	case action == "terminate":
		t := &Terminate{ID: r.id}
		r.read("terminateId", func(value string) (err error) { t.TerminateID, err = stringOf(value); return err })
		if !r.given("terminateId") {
			r.refuse("terminateId", errors.New("missing"))
		}
		return t
	case action == "query_version":
		return &QueryVersion{ID: r.id}
	}
	r.refuse("action", fmt.Errorf("%q: neither terminate nor query_version", action))
	return nil
}

// query reads a query.
func (r *reader) query() *Query {
	q := &Query{ID: r.id, Limits: Limits{MultiPV: 1}}
	r.start(q)
	r.read("turns", func(value string) error { return q.readTurns(value) })
	r.read("analyzeTurns", func(value string) error { return q.readAt(value) })
	if !r.given("analyzeTurns") {
		q.At = []uint16{uint16(len(q.Turns))}
	}
	r.whole("maxNodes", 1, math.MaxInt64, func(n int64) { q.Limits.Nodes = uint64(n) })
	r.whole("maxTimeMs", 1, mostTime, func(n int64) { q.Limits.Time = time.Duration(n) * time.Millisecond })
	r.whole("multiPV", 1, mostMultiPV, func(n int64) { q.Limits.MultiPV = int(n) })
	r.whole("priority", -mostPriority, mostPriority, func(n int64) { q.Priority = int(n) })
	r.read("reportDuringSearchEvery", func(value string) (err error) { q.DuringEach, err = seconds(value); return err })
	if q.Limits.Nodes == 0 && q.Limits.Time == 0 {
		q.Limits.Nodes = DefaultNodes
	}
	return q
}

// whole reads a field that is a whole number from least to most.
func (r *reader) whole(name string, least, most int64, set func(n int64)) {
	r.read(name, func(value string) error {
		n, err := whole(value, least, most)
		if err == nil {
			set(n)
		}
		return err
	})
}

// start reads the rules and the position that a query begins from.
func (r *reader) start(q *Query) {
	rules := position.Standard
	r.read("rules", func(value string) error {
		word, err := stringOf(value)
		if err == nil {
			rules, err = position.ParseRules(word)
		}
		return err
	})
	q.Start = position.Start(rules)
	r.read("start", func(value string) error {
		words, err := stringOf(value)
		if err == nil {
			q.Start, err = position.Parse(words, rules)
		}
		return err
	})
}

// mostTurns is how many turns a game can have at most, and more: of its ring moves each
// may be answered by a pass.
const mostTurns = 1000

// readTurns reads the turns of a query.
func (q *Query) readTurns(value string) error {
	now := q.Start
	var turns []position.Turn
	err := array(value, func(value string) error {
		number := len(turns) + 1
		word, err := stringOf(value)
		if err != nil {
			return fmt.Errorf("number %d: %w", number, err)
		}
		t, err := now.ParseTurn(word)
		switch {
		case err != nil:
			return fmt.Errorf("number %d: %w", number, err)
		case number > mostTurns:
			return fmt.Errorf("more than %d", mostTurns)
		}
		var child position.Position
		now.Play(&child, t)
		now, turns = child, append(turns, t)
		return nil
	})
	q.Turns = append(q.Turns, turns...) // without room for more: thousands of queries may wait
	return err
}

// readAt reads which positions are wanted.
func (q *Query) readAt(value string) error {
	wanted := make([]bool, len(q.Turns)+1)
	err := array(value, func(value string) error {
		n, err := whole(value, 0, int64(len(q.Turns)))
		wanted[n] = true
		return err
	})
	for n, yes := range wanted {
		if yes {
			q.At = append(q.At, uint16(n))
		}
	}
	if err == nil && len(q.At) == 0 {
		err = errors.New("no number in the array")
	}
	return err
}

// What can be wrong with a value.
var (
	errNoString = errors.New("not a string")
	errNoNumber = errors.New("not a number")
	errNoWhole  = errors.New("not a whole number")
	errNoArray  = errors.New("not an array")
)

// stringOf returns what a value in quotes stands for.
func stringOf(value string) (string, error) {
	if value[0] != '"' {
		return "", about(value, errNoString)
	}
	return unquote(value), nil
}

// whole returns the whole number from least to most that a value is, however it is
// written.
func whole(value string, least, most int64) (int64, error) {
	n, exact, err := decimal(value, 0)
	switch {
	case err != nil:
		return 0, err
	case !exact:
		return 0, about(value, errNoWhole)
	case n < least || n > most:
		return 0, about(value, fmt.Errorf("out of range %d to %d", least, most))
	}
	return n, nil
}

// The bounds of times in seconds.
const (
	shortest = time.Millisecond
	longest  = 1_000_000 * time.Second
)

// seconds returns the time that a value is.
func seconds(value string) (time.Duration, error) {
	n, _, err := decimal(value, len("000000000"))
	if t := time.Duration(n); err == nil && (t < shortest || t > longest) {
		err = about(value, errors.New("out of range 0.001 to 1000000"))
	}
	return time.Duration(n), err
}

// decimal returns a number times a power of ten without its fraction, and whether it
// has none. A number beyond all bounds is the largest or the smallest of its type.
func decimal(value string, power int) (n int64, exact bool, err error) {
	digits := strings.TrimPrefix(value, "-")
	sign := value[:len(value)-len(digits)]
	if digits[0] < '0' || digits[0] > '9' {
		return 0, false, about(value, errNoNumber)
	}
	if e := strings.IndexAny(digits, "eE"); e >= 0 {
		exponent, _ := strconv.Atoi(digits[e+1:]) // out of range is as good as the bound
		power += max(-protocol.MaxLine, min(exponent, protocol.MaxLine))
		digits = digits[:e]
	}
	if point := strings.IndexByte(digits, '.'); point >= 0 {
		power -= len(digits) - point - 1
		digits = digits[:point] + digits[point+1:]
	}
	exact = true
	if power < 0 {
		left := max(0, len(digits)+power)
		exact = strings.Trim(digits[left:], "0") == ""
		digits = digits[:left]
	}
	const plenty = 20 // digits after another are more than a number can have
	n, _ = strconv.ParseInt(sign+"0"+digits+strings.Repeat("0", max(0, min(power, plenty))), 10, 64)
	return n, exact, nil
}

// array has the values of an array taken, up to the first that is refused.
func array(value string, take func(value string) error) (err error) {
	if value[0] != '[' {
		return about(value, errNoArray)
	}
	items(value, func(value string) {
		if err == nil {
			err = take(value)
		}
	})
	return err
}

// about puts the value before what is wrong with it, shortened where it is long.
func about(value string, err error) error {
	const longest = 40
	if len(value) > longest {
		value = value[:longest] + "..."
	}
	return fmt.Errorf("%s: %w", value, err)
}
