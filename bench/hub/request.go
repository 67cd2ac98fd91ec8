package hub

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"gyre/bench/game"
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
	stored, err := json.Marshal(r) // may have more values than the client sent
	if err = cmp.Or(err, json.Unmarshal(stored, &Request{})); err != nil {
		return fmt.Errorf("the hub takes no such match: it could not read it after a restart: %w: use fewer engines or options", err)
	}
	if len(r.Command) > maxCommand {
		return fmt.Errorf("the command has %d bytes, and a hub takes %d: use fewer and shorter flags", len(r.Command), maxCommand)
	}
	return nil
}

// maxCommand bounds Request.Command, in bytes: lists and pages of matches have it.
const maxCommand = 32 << 10

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

// kind is what a request is for. It decides which file a match has, and what plays it.
type kind string

const (
	games   kind = "games"
	tunings kind = "a tuning"
	samples kind = "samples"
)

func (r *Request) kind() kind {
	switch {
	case r.Spec.Ranges != nil:
		return samples
	case r.Tuning != nil:
		return tunings
	}
	return games
}

// same reports whether a request is for the same match, perhaps with another number of games.
func (r *Request) same(other *Request) bool {
	return r.kind() == other.kind() && r.Spec.Match == other.Spec.Match && r.Owner == other.Owner && bytes.Equal(r.Header, other.Header)
}

// differences lists what differs between a request and a later one of the same name.
func (r *Request) differences(now *Request) []string {
	switch {
	case r.Owner != now.Owner:
		return []string{"another owner started it"}
	case r.kind() != now.kind():
		return []string{fmt.Sprintf("it was for %s, now for %s", r.kind(), now.kind())}
	}
	return r.Setup.Differences(now.Setup)
}

// size returns the total size of a match's files, as its request claims. Files of another size are rejected.
func (s *Spec) size() (size int64) {
	for _, b := range s.blobs() {
		size += min(max(b.Size, wire.LeastFile), maxDetachedSize+1) // a sum with more could overflow
	}
	return size
}

// A hub accepts requests from many clients, and so bounds what one may cost.
const (
	maxOpeningNodes = 100_000 // in the search for Recipe.Bound
	// maxOpeningWork is how many nodes the searches of all candidates for one opening may visit.
	maxOpeningWork = 10_000_000
	maxTuned       = 100_000 // iterations of a batch
	// maxParameters bounds those of a tuning: each job has their values for both sides, and maxReplyValues bounds it.
	maxParameters = 1000
	// maxRequestValues is how many values a request may have, of which the openings are most; see wire.Unmarshal.
	maxRequestValues = 150_000
	// maxEngines is how many engines a match may have: each plays each.
	maxEngines = 100
)

// match returns the match of a request, or why the hub cannot play it. Its engines are not on this
// machine. searchers are for its openings.
func (r *Request) match(searchers *openings.Borrower) (*match.Match, error) {
	s := r.Spec
	if n := len(s.Engines); n > maxEngines {
		return nil, fmt.Errorf("%d engines: a hub plays matches of at most %d", n, maxEngines)
	}
	m := &match.Match{ID: s.Match, Schedule: r.Schedule, Conditions: s.Conditions, Patience: s.Patience, Concurrency: 1, ContinueOnFault: r.ContinueOnFault, Setup: r.Setup, Fixed: true}
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
		generator.Work, generator.Borrower = maxOpeningWork, searchers
		first, err := generator.Opening(0)
		if err != nil {
			return nil, err
		}
		if openings.Format(first) != r.First {
			return nil, errors.New("this hub makes other openings: use the same release everywhere")
		}
		m.Openings = containedGenerator{generator}
	} else {
		m.Openings, err = searchers.Read(strings.NewReader(strings.Join(r.Book, "\n")), "openings", r.Rules)
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

// containedGenerator is a generator whose panics are errors. A match calls it in a goroutine of its own, and its recipe is
// that of a client.
type containedGenerator struct{ *openings.Generator }

// Opening implements match.Openings.
func (g containedGenerator) Opening(round int) (o game.Opening, err error) {
	err = Contained(func() (err error) {
		o, err = g.Generator.Opening(round)
		return err
	})
	return o, err
}

// DetachedMatch is the state of a detached match.
type DetachedMatch struct {
	Name    string    `json:"name"`
	Owner   string    `json:"owner,omitempty"`
	Command string    `json:"command"`
	Samples bool      `json:"samples,omitempty"` // whether it is a file of samples
	State   State     `json:"state"`
	Reason  string    `json:"reason,omitempty"` // why it failed
	Doubt   string    `json:"doubt,omitempty"`  // why games or samples that are stored may be wrong
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
	d.Doubt = wire.Printable(d.Doubt+printable(why.Error()), maxDetail)
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
