package analysis

import (
	"errors"
	"fmt"
	"math"
	"time"

	"gyre/position"
)

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
