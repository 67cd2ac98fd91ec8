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
	"gyre/search"
)

// Request is one line of input: a [Query], a [Terminate] or a [QueryVersion].
type Request interface{ id() string }

// Query requests the analysis of positions of one game.
type Query struct {
	ID         string
	Start      position.Position
	Turns      []position.Turn // the legal turns of the game
	At         []uint16        // the positions to analyze, ascending: how many turns were played
	Limits     search.Limits   // Nodes, MoveTime or both
	MultiPV    int             // lines to report, at least 1
	Priority   int             // higher ones start first
	DuringEach time.Duration   // the interval of reports during a search; 0 for none
}

// Terminate requests the end of all queries with the id TerminateID, or of all queries.
type Terminate struct {
	ID, TerminateID string
	All             bool // TerminateID is empty then
}

// QueryVersion requests the version of the program.
type QueryVersion struct{ ID string }

func (q *Query) id() string        { return q.ID }
func (t *Terminate) id() string    { return t.ID }
func (v *QueryVersion) id() string { return v.ID }

// DefaultNodes is the node limit of a query without limits.
const DefaultNodes = 100_000

// The bounds of numbers in queries.
const (
	maxTime     = 1_000_000_000_000 // ms
	maxMultiPV  = 64
	maxPriority = 1_000_000
)

// positionAfter returns the position after the given number of turns.
func (q *Query) positionAfter(turns int) position.Position {
	return q.Start.AfterAll(q.Turns[:turns]...)
}

// Error describes a rejected line.
type Error struct {
	ID     string
	HasID  bool   // whether the line has a valid id
	Field  string // the invalid field; empty if the line is not a JSON object
	Reason string
}

// Error returns the field and the reason.
func (e *Error) Error() string {
	if e.Field == "" {
		return e.Reason
	}
	return e.Field + ": " + e.Reason
}

// Parse parses a line. It ignores unknown fields and returns the names of the first
// [MaxUnknown] of them, even with an error, unless the action is not known. The error is an
// *[Error].
func Parse(line string) (request Request, unknown []string, err error) {
	fields, err := fieldsOf(line)
	if err != nil {
		return nil, nil, &Error{Reason: "not a JSON object: " + err.Error()}
	}
	r := &reader{fields: fields, used: make([]bool, len(fields))}
	r.require("id", &r.id)
	r.hasID = r.err == nil
	request = r.request()
	if request != nil {
		unknown = r.unknown()
	}
	if r.err != nil {
		return nil, unknown, r.err
	}
	return request, unknown, nil
}

// otherNames are fields of KataGo's analysis engine and other spellings, in lower case, with the
// names that they have here.
var otherNames = map[string]string{
	"moves": "turns", "maxvisits": "maxNodes", "maxplayouts": "maxNodes", "visits": "maxNodes", "nodes": "maxNodes",
	"maxtime": "maxTimeMs", "movetime": "maxTimeMs", "initialstones": "start", "initialplayer": "start", "fen": "start", "position": "start",
	"analyseturns": "analyzeTurns", "turnnumbers": "analyzeTurns", "priorities": "priority", "pvs": "multiPV",
}

// suggestion returns the known field that an unknown one probably means, or "".
func suggestion(name string) string {
	lower := strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
	for _, known := range []string{
		"id", "action", "terminateId", "start", "rules", "turns", "analyzeTurns", "maxNodes", "maxTimeMs", "multiPV", "priority", "reportDuringSearchEvery",
	} {
		if strings.ToLower(known) == lower {
			return known
		}
	}
	return otherNames[lower]
}

// warning describes an unknown field.
func warning(name string) string {
	if known := suggestion(name); known != "" && known != name {
		return "unknown; did you mean " + known + "?"
	}
	return "unknown"
}

// MaxUnknown is how many unknown fields of a line are reported.
const MaxUnknown = 16

// reader reads the fields of a line.
type reader struct {
	fields []field
	used   []bool // by field: whether it is known
	id     string
	hasID  bool
	err    error // the first, an *Error
}

// reject records an error about a field, unless there is one already.
func (r *reader) reject(name string, err error) {
	if r.err == nil {
		r.err = &Error{ID: r.id, HasID: r.hasID, Field: name, Reason: err.Error()}
	}
}

// read calls take with the value of a field, unless the field is missing or null, and reports
// whether it is neither. After an error it calls nothing.
func (r *reader) read(name string, take func(value string) error) (given bool) {
	found := false
	for i, f := range r.fields {
		if f.name != name {
			continue
		}
		if found {
			r.reject(name, errors.New("given twice"))
		}
		found, r.used[i] = true, true
		if f.value == "null" {
			continue
		}
		given = true
		if r.err == nil {
			if err := take(f.value); err != nil {
				r.reject(name, err)
			}
		}
	}
	return given
}

// text reads a field that is a string.
func (r *reader) text(name string, into *string) (given bool) {
	return r.read(name, func(value string) (err error) { *into, err = stringOf(value); return err })
}

// require reads a field that is a string and must be given.
func (r *reader) require(name string, into *string) {
	if !r.text(name, into) {
		r.reject(name, errors.New("missing"))
	}
}

// unknown returns the names of the first unknown fields.
func (r *reader) unknown() (names []string) {
	for i, f := range r.fields {
		if !r.used[i] && len(names) < MaxUnknown {
			names = append(names, f.name)
		}
	}
	return names
}

func (r *reader) request() Request {
	action := ""
	if !r.text("action", &action) {
		return r.query()
	}
	switch action {
	case "terminate":
		t := &Terminate{ID: r.id}
		r.require("terminateId", &t.TerminateID)
		return t
	case "terminate_all":
		return &Terminate{ID: r.id, All: true}
	case "query_version":
		return &QueryVersion{ID: r.id}
	}
	r.reject("action", fmt.Errorf("%q: must be terminate, terminate_all or query_version", action))
	return nil
}

func (r *reader) query() *Query {
	q := &Query{ID: r.id, MultiPV: 1}
	r.start(q)
	r.read("turns", q.readTurns)
	if !r.read("analyzeTurns", q.readAt) {
		q.At = []uint16{uint16(len(q.Turns))}
	}
	r.whole("maxNodes", 1, math.MaxInt64, func(n int64) { q.Limits.Nodes = uint64(n) })
	r.whole("maxTimeMs", 1, maxTime, func(n int64) { q.Limits.MoveTime = time.Duration(n) * time.Millisecond })
	r.whole("multiPV", 1, maxMultiPV, func(n int64) { q.MultiPV = int(n) })
	r.whole("priority", -maxPriority, maxPriority, func(n int64) { q.Priority = int(n) })
	r.read("reportDuringSearchEvery", func(value string) (err error) { q.DuringEach, err = seconds(value); return err })
	if q.Limits.Nodes == 0 && q.Limits.MoveTime == 0 {
		q.Limits.Nodes = DefaultNodes
	}
	return q
}

// whole reads a field that is a whole number from minimum to maximum.
func (r *reader) whole(name string, minimum, maximum int64, set func(n int64)) {
	r.read(name, func(value string) error {
		n, err := whole(value, minimum, maximum)
		if err == nil {
			set(n)
		}
		return err
	})
}

// start reads the rules and the first position of a query.
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

func (q *Query) readTurns(value string) error {
	now := q.Start
	var turns []position.Turn
	err := array(value, func(value string) error {
		word, err := stringOf(value)
		var t position.Turn
		if err == nil {
			t, err = now.ParseTurn(word)
		}
		if err != nil {
			return fmt.Errorf("number %d: %w", len(turns)+1, err)
		}
		now, turns = now.After(t), append(turns, t)
		return nil
	})
	q.Turns = append(q.Turns, turns...) // without spare capacity: thousands of queries may wait
	return err
}

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
		err = errors.New("the array is empty")
	}
	return err
}

// stringOf returns the text of a JSON string.
func stringOf(value string) (string, error) {
	if value[0] != '"' {
		return "", about(value, errors.New("not a string"))
	}
	return unquote(value), nil
}

// whole parses a whole number from minimum to maximum, in any JSON notation.
func whole(value string, minimum, maximum int64) (int64, error) {
	n, exact, fits, err := decimal(value, 0)
	switch {
	case err != nil:
		return 0, err
	case !exact:
		return 0, about(value, errors.New("not a whole number"))
	case !fits || n < minimum || n > maximum:
		return 0, about(value, fmt.Errorf("out of range %d to %d", minimum, maximum))
	}
	return n, nil
}

// The bounds of times in seconds.
const (
	shortest = time.Millisecond
	longest  = 1_000_000 * time.Second
)

// seconds parses a time in seconds.
func seconds(value string) (time.Duration, error) {
	n, _, _, err := decimal(value, len("000000000"))
	if t := time.Duration(n); err == nil && (t < shortest || t > longest) {
		err = about(value, errors.New("out of range 0.001 to 1000000"))
	}
	return time.Duration(n), err
}

// decimal parses a number, multiplies it by 10^power and drops the fraction. exact
// reports whether the fraction was zero, and fits whether the number fits in an int64. A
// number that does not fit becomes the largest or the smallest int64.
func decimal(value string, power int) (n int64, exact, fits bool, err error) {
	digits := strings.TrimPrefix(value, "-")
	sign := value[:len(value)-len(digits)]
	if digits[0] < '0' || digits[0] > '9' {
		return 0, false, false, about(value, errors.New("not a number"))
	}
	if e := strings.IndexAny(digits, "eE"); e >= 0 {
		exponent, _ := strconv.Atoi(digits[e+1:]) // out of range, it is the bound
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
	const plenty = 20 // digits: more than an int64 has
	n, err = strconv.ParseInt(sign+"0"+digits+strings.Repeat("0", max(0, min(power, plenty))), 10, 64)
	return n, exact, err == nil, nil
}

// array calls take with the values of an array until take returns an error.
func array(value string, take func(value string) error) error {
	if value[0] != '[' {
		return about(value, errors.New("not an array"))
	}
	for _, item := range items(value) {
		if err := take(string(item)); err != nil {
			return err
		}
	}
	return nil
}

// about prefixes an error with the value, shortened if it is long.
func about(value string, err error) error {
	const longest = 40
	if len(value) > longest {
		value = value[:longest] + "..."
	}
	return fmt.Errorf("%s: %w", value, err)
}
