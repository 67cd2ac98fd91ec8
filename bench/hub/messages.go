package hub

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"gyre/bench/game"
	"gyre/bench/hub/internal/wire"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/position"
)

// jobMessage is a job: the games of a pair with their opening, or a range of numbers.
type jobMessage struct {
	Games   []match.Game `json:"games,omitempty"`
	Rules   string       `json:"rules,omitempty"`
	Start   string       `json:"start,omitempty"`
	Opening []string     `json:"opening,omitempty"` // turns
	// Settings are options of engines in these games, by index.
	Settings map[int][]game.Setting `json:"settings,omitempty"`
	Range    *span                  `json:"range,omitempty"`
}

// nextMessage is a request of a worker to a match: it delivers the result of a job, asks for
// another job, or both, or asks for the specification.
type nextMessage struct {
	Version int  `json:"version"`
	Unit    int  `json:"unit,omitempty"`    // of the result
	Attempt int  `json:"attempt,omitempty"` // of the result
	Next    bool `json:"next,omitempty"`    // whether the worker can play a job
	Wait    bool `json:"wait,omitempty"`    // whether the match may wait for a job
	Spec    bool `json:"spec,omitempty"`    // whether it asks for the Spec, and nothing else
	// Unanswered are the numbers of earlier requests of this process to which no reply came, nor will. It plays
	// no jobs of such replies.
	Unanswered []uint64  `json:"unanswered,omitempty"`
	number     uint64    // of the request
	sent       time.Time // zero if it was not
	// result is a resultMessage as JSON, on a line of its own; empty for none.
	result []byte
}

// text returns the message: two lines of JSON.
func (m *nextMessage) text() ([]byte, error) {
	return wire.Lines(m, m.result)
}

func parseNext(text []byte) (m nextMessage, err error) {
	result, err := wire.ParseLines(text, wire.MaxHeader, &m)
	if err == nil && (m.Version != wire.Version || m.Unit < 0 || m.Attempt < 0 || len(m.Unanswered) > maxUnanswered) {
		err = fmt.Errorf("version %d, job %d, attempt %d, %d requests unanswered", m.Version, m.Unit, m.Attempt, len(m.Unanswered))
	}
	if err == nil && m.Spec && len(result) > 0 {
		err = fmt.Errorf("it asks for the specification with a result of %d bytes", len(result))
	}
	m.result = result
	return m, err
}

// maxReplyValues bounds the values of a reply of a match: the games of a job, their opening and the settings of a tuning.
const maxReplyValues = 20_000

// nextReply is the reply of a match.
type nextReply struct {
	Version int `json:"version"`
	// Done says that the result is on disk, or of no use. Otherwise the worker sends it again
	// later.
	Done bool `json:"done,omitempty"`
	// Suspended says that this match gives the worker no more jobs.
	Suspended bool        `json:"suspended,omitempty"`
	Job       *jobMessage `json:"job,omitempty"` // nil for none
	Unit      int         `json:"unit,omitempty"`
	Attempt   int         `json:"attempt,omitempty"`
	// Silent is the time after which the match gives the job to another worker, unless its
	// worker reports that it plays it.
	Silent time.Duration `json:"silent,omitempty"`
	Spec   []byte        `json:"spec,omitempty"` // as JSON
	size   int           // of all of it, in bytes
}

func parseReply(text []byte) (*nextReply, error) {
	var r nextReply
	if err := wire.Unmarshal(text, &r, maxReplyValues); err != nil || r.Version != wire.Version {
		return nil, errors.Join(errors.New("the reply is not one of a match"), err)
	}
	r.size = len(text)
	return &r, nil
}

// beatMessage says that a worker plays a job.
type beatMessage struct {
	Version int  `json:"version"`
	Unit    int  `json:"unit"`
	Attempt int  `json:"attempt"`
	Left    bool `json:"left,omitempty"` // it does not: another worker may
}

func parseBeat(text []byte) (b beatMessage, err error) {
	_, err = wire.ParseLines(text, wire.MaxHeader, &b)
	if err == nil && b.Version != wire.Version {
		err = fmt.Errorf("version %d", b.Version)
	}
	return b, err
}

// span is a range of numbers: from First up to, but not including, End.
type span struct {
	First uint32 `json:"first"`
	End   uint32 `json:"end"`
}

// newJob returns the message for the games of a pair.
func newJob(jobs []match.Job) *jobMessage {
	o := jobs[0].Opening
	m := &jobMessage{Settings: jobs[0].Settings, Rules: o.Start.Rules().String(), Start: o.Start.String(), Opening: position.Words(o.Turns)}
	for _, j := range jobs {
		m.Games = append(m.Games, j.Game)
	}
	return m
}

// jobs returns the games of a job of a match with that many engines.
func (m *jobMessage) jobs(engines int) ([]match.Job, error) {
	rules, err := position.ParseRules(m.Rules)
	if err != nil {
		return nil, err
	}
	o := game.Opening{}
	if o.Start, err = position.Parse(m.Start, rules); err != nil {
		return nil, err
	}
	if o.Turns, err = o.Start.ParseTurns(m.Opening); err != nil {
		return nil, err
	}
	var jobs []match.Job
	for _, g := range m.Games {
		if slices.Min(g.Sides[:]) < 0 || slices.Max(g.Sides[:]) >= engines || g.Sides[0] == g.Sides[1] {
			return nil, fmt.Errorf("game %d has engines %v", g.Number, g.Sides)
		}
		jobs = append(jobs, match.Job{Game: g, Opening: o, Settings: m.Settings})
	}
	return jobs, nil
}

// resultMessage is the result of a job.
type resultMessage struct {
	Version int           `json:"version"`
	Games   []*match.Line `json:"games,omitempty"`  // in the job's order
	Output  []byte        `json:"output,omitempty"` // of a range
	// Speed is the speed of the engine by which real clocks are scaled, in nodes a second.
	Speed uint64 `json:"speed,omitempty"`
	// Refused says why the worker cannot play this match.
	Refused string `json:"refused,omitempty"`
	// Missing is the hash of a file that is missing or damaged on the hub, if that is the reason.
	Missing string `json:"missing,omitempty"`
	System  string `json:"system"` // of the worker
}

// size returns the bytes of a result without what a worker may have added to it.
func (m *resultMessage) size() int {
	text, err := json.Marshal(m)
	if err != nil {
		return wire.MaxResult // a result that was parsed can be written
	}
	return len(text)
}

// turnBytes is about how long a turn of a result is if its engines report only score, depth and nodes, and lineBytes how long
// the rest of its game is.
const (
	turnBytes = 64
	lineBytes = 512
)

// isPlain reports whether a result of a length in bytes is no longer than its games explain, so that its size, which takes
// time, need not be known: at most two thirds of it are padding, if its engines report nothing.
func (m *resultMessage) isPlain(length int) bool {
	for _, line := range m.Games {
		length -= lineBytes + turnBytes*len(line.Turns)
	}
	return length <= 0
}

// maxResultValues bounds the values of a result. One of games has an object for each turn.
const maxResultValues = 50_000

// parseResult parses a result.
func parseResult(text []byte) (*resultMessage, error) {
	var m resultMessage
	if err := wire.Unmarshal(text, &m, maxResultValues); err != nil {
		return nil, err
	}
	if m.Version != wire.Version {
		return nil, fmt.Errorf("the result has version %d, and this program has %d", m.Version, wire.Version)
	}
	m.Refused, m.System = printable(m.Refused), printable(m.System)
	for i, line := range m.Games {
		if line == nil {
			return nil, fmt.Errorf("game %d of the result is null", i+1)
		}
		line.Detail = game.CutDetail(wire.Printable(line.Detail, game.MaxDetail+1))
	}
	return &m, nil
}

// maxDetail bounds a description for a person, in characters.
const maxDetail = 4000

// MatchStatus is the status of a match, or of another task, while it is played.
type MatchStatus struct {
	Match  string `json:"match"`
	Client string `json:"client"` // where its journal is
	Games  int    `json:"games"`  // on disk, since it was started or resumed
	Out    int    `json:"out"`    // pairs
	// Newest is the last game; nil before the first, and for samples.
	Newest *Newest `json:"newest,omitempty"`
	// Needs are the engines that its workers must offer.
	Needs []string `json:"needs,omitempty"`
	Queue
	Owner string `json:"owner,omitempty"` // the key of the client
	// Absent reports whether the client is not connected.
	Absent bool `json:"absent,omitempty"`
	Progress
}

// text returns the status as JSON that fits in a report to the hub. It leaves out names and cuts texts if they are long.
func (m MatchStatus) text() ([]byte, error) {
	text, err := json.Marshal(m)
	if len(text) > maxStatus {
		m.Newest, m.Engines, m.Limits = nil, nil, nil
		m.Match, m.Client, m.Score, m.Command = printable(m.Match), printable(m.Client), printable(m.Score), printable(m.Command)
		text, err = json.Marshal(m)
	}
	return text, err
}

// maxStatus bounds the status of a match, in bytes. A report has some more.
const maxStatus = wire.MaxRequest - wire.MaxHeader

// Newest is the end of the game that finished last.
type Newest struct {
	Number   int    `json:"number"` // of the game, from 1
	White    string `json:"white"`
	Black    string `json:"black"`
	Result   string `json:"result"` // white, black or draw
	Reason   string `json:"reason"`
	Position string `json:"position"` // after the last turn
	Turn     string `json:"turn"`     // the last; empty for none
	Turns    int    `json:"turns"`
	Worker   string `json:"worker"`
}

// Progress is the score of a match.
type Progress struct {
	Score string `json:"score"` // one line
	// Counts are the results of the pairs of a match of two engines, from the first one's
	// view.
	Counts stats.Pairs `json:"counts,omitzero"`
	// Pairs is the number of pairs that a sequential test has counted, LLR its
	// log-likelihood ratio and Bounds where it ends; all are 0 without a test.
	Pairs  int        `json:"pairs,omitempty"`
	LLR    float64    `json:"llr,omitempty"`
	Bounds [2]float64 `json:"bounds,omitzero"`
	// Test has the hypotheses of that test.
	Test *stats.Hypotheses `json:"test,omitempty"`
	// Engines are the names of the engines and Limits their limits, in the same order. Played
	// is the number of games on disk, and Total the number of games at most; 0 if unknown.
	Engines []string `json:"engines,omitempty"`
	Limits  []string `json:"limits,omitempty"`
	Played  int      `json:"played,omitempty"`
	Total   int      `json:"total,omitempty"`
	// Command is the command line that repeats the match; empty if unknown.
	Command string `json:"command,omitempty"`
	// Over reports whether all games were played or the test has its verdict.
	Over bool `json:"over,omitempty"`
}

// WorkerStatus is the status of a connected worker.
type WorkerStatus struct {
	Name   string `json:"name"`
	System string `json:"system"` // such as linux/amd64
	Slots  int    `json:"slots"`  // games at once
	Busy   int    `json:"busy"`   // games in progress
	Pairs  int    `json:"pairs"`  // jobs finished since it started
	// Refuses has matches, as OWNER.KEY, and Why the reason for each. Limited is why the worker plays fewer
	// games at once than it has slots.
	Refuses []string          `json:"refuses,omitempty"`
	Why     map[string]string `json:"why,omitempty"`
	Limited string            `json:"limited,omitempty"`
	// Offers has the build of each engine that the worker offers, by name.
	Offers map[string]string `json:"offers,omitempty"`
}

// Faults are the faults of a worker within the last day.
type Faults = wire.Faults

// Status is the status of a hub: its matches by owner and key, as OWNER.KEY, and its workers by name. Matches of different
// owners may have the same key.
type Status struct {
	Matches map[string]MatchStatus  `json:"matches"` // in progress
	Workers map[string]WorkerStatus `json:"workers"` // connected
	Waiting int                     `json:"waiting"` // jobs that no worker has finished
	// Faults are those of workers within the last day: by name those that count for all matches, and by KEY.WORKER those
	// that count only for the matches of one key. A key that is not for an administrator sees its own.
	Faults map[string]Faults `json:"faults"`
	// Stored is how many bytes each key has on the hub's disk, and Share how many it may have; 0 for any number. A key that
	// is not for an administrator sees its own.
	Stored map[string]int64 `json:"stored,omitempty"`
	Share  int64            `json:"share,omitempty"`
}

// Status returns the status of the hub, of which the workers must not be changed. If the hub has keys, it needs one for matches.
func (h *Hub) Status(ctx context.Context) (*Status, error) {
	reply, err := h.status(ctx)
	if err != nil {
		return nil, h.wrap(err)
	}
	s := &Status{Matches: map[string]MatchStatus{}, Workers: h.roster.parse(reply.Workers), Faults: map[string]Faults{}, Stored: reply.Stored, Share: reply.Share}
	for id := range reply.Matches {
		listed := reply.Matches[id]
		m := parseListed(&listed)
		if m == nil {
			continue
		}
		s.Matches[id] = *m
		s.Waiting += m.Out
	}
	for name, f := range reply.Faults {
		makePrintable(reflect.ValueOf(f), maxDetail)
		s.Faults[name] = *f
	}
	maps.DeleteFunc(s.Workers, func(_ string, w WorkerStatus) bool { return w.Slots == 0 })
	return s, nil
}

// ShortKey returns the beginning of the key of a match OWNER.KEY, for people.
func ShortKey(match string) string { return fmt.Sprintf("%.8s", wire.LastToken(match)) }

// DetachedName returns the name of a match OWNER.KEY that the hub plays by itself; empty for others.
func DetachedName(match string, m *MatchStatus) string {
	name, is := strings.CutPrefix(m.Client, clientOf(""))
	if !is || wire.Owner(match) != wire.Hub {
		return ""
	}
	return name
}

// status returns the status as the hub sends it.
func (h *Hub) status(ctx context.Context) (*wire.StatusReply, error) {
	reply := &wire.StatusReply{}
	_, err := h.ask(ctx, wire.Status, h.token(), struct{}{}, nil, reply)
	return reply, err
}

// maxCount is more than a match or a worker can count.
const maxCount = math.MaxInt32

// bound keeps a count that a match or a worker claims within what is possible.
func bound(n *int, most int) { *n = min(max(*n, 0), most) }

// parseListed returns the status of a match; nil if its client wrote something else.
func parseListed(listed *wire.Listed) *MatchStatus {
	m := &MatchStatus{}
	if wire.Unmarshal(listed.Status, m, wire.MaxValues) != nil {
		return nil
	}
	makePrintable(reflect.ValueOf(m), maxDetail)
	for _, n := range []*int{&m.Games, &m.Out, &m.Played, &m.Total, &m.Pairs} {
		bound(n, maxCount)
	}
	for i := range m.Counts {
		bound(&m.Counts[i], maxCount)
	}
	for _, x := range []*float64{&m.LLR, &m.Bounds[0], &m.Bounds[1]} { // a page rounds and draws them
		*x = min(max(*x, -maxCount), maxCount)
	}
	if m.Newest != nil && !isPosition(m.Newest.Position) { // a page draws it
		m.Newest = nil
	}
	m.Owner, m.Absent = listed.Owner, listed.Absent
	return m
}

// isPosition reports whether a text is a position of one of the rules.
func isPosition(text string) bool {
	_, standard := position.Parse(text, position.Standard)
	_, blitz := position.Parse(text, position.Blitz)
	return standard == nil || blitz == nil
}

// roster has the statuses of workers that came last. All matches of a hub get those of all workers every few seconds, and few
// have changed. It is safe for concurrent use.
type roster struct {
	mu   sync.Mutex
	last map[string]parsedWorker // by worker
}

// parsedWorker is a status as text, and what it says; nil if it is something else.
type parsedWorker struct {
	text   json.RawMessage
	status *WorkerStatus
}

// parse returns the statuses of workers, except for those that are something else. They must not be changed.
func (r *roster) parse(all map[string]json.RawMessage) map[string]WorkerStatus {
	r.mu.Lock()
	defer r.mu.Unlock()
	last, workers := r.last, make(map[string]WorkerStatus, len(all))
	r.last = make(map[string]parsedWorker, len(all))
	for name, text := range all {
		parsed, known := last[name]
		if !known || !bytes.Equal(parsed.text, text) {
			parsed = parsedWorker{text: text}
			_ = Contained(func() error { // it may be anything, and all matches read it
				parsed.status = parseWorker(name, text)
				return nil
			})
		}
		r.last[name] = parsed
		if parsed.status != nil {
			workers[name] = *parsed.status
		}
	}
	return workers
}

// parseWorker returns the status of a worker; nil if it wrote something else.
func parseWorker(name string, text json.RawMessage) *WorkerStatus {
	w := &WorkerStatus{}
	if wire.Unmarshal(text, w, wire.MaxValues) != nil {
		return nil
	}
	makePrintable(reflect.ValueOf(w), wire.MaxText)
	if w.Name = name; w.Why == nil {
		w.Why = map[string]string{}
	}
	bound(&w.Slots, maxSlots)
	bound(&w.Busy, w.Slots)
	bound(&w.Pairs, maxCount)
	return w
}

// Follow calls do with each status of a match that its client reports, by owner and key, until
// ctx is done or the connection is closed. Clients report every few seconds, and once more when a
// match ends, which Status may miss. After that the status is nil.
func (h *Hub) Follow(ctx context.Context, do func(match string, m *MatchStatus)) error {
	messages, unsubscribe, err := h.subscribe(wire.MatchSubject(wire.AnyMatch))
	if err != nil {
		return h.wrap(err)
	}
	defer unsubscribe()
	for {
		select {
		case m := <-messages:
			m.take()
			var listed wire.Listed
			var status *MatchStatus
			if json.Unmarshal(m.Data, &listed) == nil { // otherwise the message is empty: the match has ended
				status = parseListed(&listed)
			}
			do(strings.TrimPrefix(m.Subject, wire.MatchSubject("")), status)
		case <-ctx.Done():
			return nil
		case <-h.closed:
			return nil
		}
	}
}

// Write writes the status for people. wrap breaks a line for the width of the reader, indents all
// lines but the first, and ends the last one.
func (s *Status) Write(w io.Writer, wrap func(line string, indent int) string) error {
	var text strings.Builder
	fmt.Fprintf(&text, "matches running: %d, jobs in progress: %d\n", len(s.Matches), s.Waiting)
	for _, id := range slices.Sorted(maps.Keys(s.Matches)) {
		m := s.Matches[id]
		played := fmt.Sprintf("%d games since start", m.Games)
		if m.Total > 0 {
			played = fmt.Sprintf("%d of %d games", max(m.Played, m.Games), m.Total)
		}
		client := m.Client
		if m.Absent {
			client += ", which is not connected"
		}
		text.WriteString(wrap(fmt.Sprintf("  %s  %s, %d jobs in progress, %s", ShortKey(id), played, m.Out, client), 12))
		if m.Score != "" {
			text.WriteString(wrap(strings.Repeat(" ", 12)+m.Score, 12))
		}
	}
	fmt.Fprintf(&text, "workers: %d\n", len(s.Workers))
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, name := range slices.Sorted(maps.Keys(s.Workers)) {
		w := s.Workers[name]
		fmt.Fprintf(table, "  %s\t%s\t%d of %d slots busy\t%d jobs finished\n", name, w.System, w.Busy, w.Slots, w.Pairs)
	}
	_ = table.Flush() // a strings.Builder does not fail
	for _, name := range slices.Sorted(maps.Keys(s.Workers)) {
		w := s.Workers[name]
		for _, note := range w.Notes() {
			text.WriteString(wrap(fmt.Sprintf("worker %s %s", name, note), 4))
		}
	}
	for _, line := range s.FaultLines() {
		text.WriteString(wrap(line, 4))
	}
	for _, key := range slices.Sorted(maps.Keys(s.Stored)) {
		share := ""
		if s.Share > 0 {
			share = fmt.Sprintf(" of %d", s.Share>>20)
		}
		who := "key " + key + " has"
		if key == wire.Hub {
			who, share = "matches that the hub cannot read have", ""
		}
		text.WriteString(wrap(fmt.Sprintf("%s %d%s MiB on the hub's disk", who, s.Stored[key]>>20, share), 4))
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// FaultLines returns lines about the faults of workers. They name the key for whose matches alone faults count: it can report
// any worker, with any text.
func (s *Status) FaultLines() (lines []string) {
	for _, id := range slices.Sorted(maps.Keys(s.Faults)) {
		who := "worker " + id
		if owner, worker, isOwn := strings.Cut(id, "."); isOwn {
			who = fmt.Sprintf("worker %s, for the matches of %s", worker, owner)
		}
		f := s.Faults[id]
		for _, line := range f.Lines() {
			lines = append(lines, who+": "+line)
		}
	}
	return lines
}

// maxNotes is the number of refused matches, and of offered engines, that the notes about a worker name.
const maxNotes = 10

// Notes returns lines about the matches that the worker cannot play, the engines that it
// offers, and why it plays fewer games at once than it could. A worker can claim any
// number of matches and engines: the notes name the first ones and count the others.
func (w *WorkerStatus) Notes() (notes []string) {
	list := func(verb string, all []string, describe func(string) string) {
		for _, each := range all[:min(len(all), maxNotes)] {
			notes = append(notes, verb+" "+describe(each))
		}
		if more := len(all) - maxNotes; more > 0 {
			notes = append(notes, fmt.Sprintf("%s %d more", verb, more))
		}
	}
	list("cannot play", w.Refuses, func(id string) string { return ShortKey(id) + ": " + w.Why[id] })
	list("offers", slices.Sorted(maps.Keys(w.Offers)), func(name string) string { return fmt.Sprintf("%s (build %s)", name, w.Offers[name]) })
	if w.Limited != "" {
		notes = append(notes, "plays fewer games at once: "+w.Limited)
	}
	return notes
}

// makePrintable makes all texts of a value printable, also those in its parts and the keys of its maps. Each
// has longest characters at most.
func makePrintable(v reflect.Value, longest int) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			makePrintable(v.Elem(), longest)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				makePrintable(v.Field(i), longest)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			makePrintable(v.Index(i), longest)
		}
	case reflect.Map:
		for key, value := range maps.Collect(v.Seq2()) {
			parts := [2]reflect.Value{reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()}
			parts[0].Set(key)
			parts[1].Set(value)
			makePrintable(parts[0], longest)
			makePrintable(parts[1], longest)
			v.SetMapIndex(key, reflect.Value{})
			v.SetMapIndex(parts[0], parts[1])
		}
	case reflect.String:
		v.SetString(wire.Printable(v.String(), longest))
	}
}

// printable is wire.Printable for a short text.
func printable(text string) string { return wire.Printable(text, wire.MaxText) }
