package hub

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/match"
)

// lies are what a worker may make of a true result.
var lies = []lie{
	{"the other result", func(r *resultMessage) { r.Games[1].Result = "white"; r.Games[1].Reason = game.RingsRemoved }, "the end is"},
	{"a turn that is not legal", func(r *resultMessage) { r.Games[0].Turns[3].Turn = r.Games[0].Turns[1].Turn }, "game 1"},
	{"a game that is cut short", func(r *resultMessage) { r.Games[0].Turns = r.Games[0].Turns[:5] }, "its turns do not tell"},
	{"another engine", func(r *resultMessage) { r.Games[0].Programs[0] = "other" }, "programs"},
	{"another opening", func(r *resultMessage) { r.Games[0].Opening = r.Games[0].Opening[:4] }, "game 1"},
	{"other limits", func(r *resultMessage) { r.Games[1].Limits[1] = "nodes=1000000" }, "limits"},
	{"one game twice", func(r *resultMessage) { r.Games[1] = r.Games[0] }, "game 2"},
	{"a game less", func(r *resultMessage) { r.Games = r.Games[:1] }, "1 games, and 2"},
	{"another version", func(r *resultMessage) { r.Version++ }, "version"},
}

// byHand plays jobs of a match one by one as a worker would, and has publish do the rest,
// until that says that it was enough.
func (s *site) byHand(name string, publish func(job jetstream.Msg, from origin, result *resultMessage) bool) (done <-chan struct{}) {
	s.t.Helper()
	w := &Worker{Hub: s.connect(name), Name: name, Slots: 1, measure: s.measure, cache: &cache{dir: s.t.TempDir()}, ready: map[string]*preparation{},
		Tell: func(string) {}, Warn: func(err error) { s.t.Log(err) }}
	ctx, stop := context.WithTimeout(context.Background(), guard)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		hand := &slot{worker: w}
		defer hand.free()
		for more := true; more && ctx.Err() == nil; {
			running, err := snapshot[Running](ctx, w.Hub, runningBucket)
			for key := range running {
				consumer, err := w.Hub.js.Consumer(ctx, jobsStream, key)
				if err != nil {
					continue
				}
				job, err := consumer.Next(jetstream.FetchMaxWait(jobWait))
				if err != nil {
					continue
				}
				from, err := parseSubject(job.Subject())
				if err != nil {
					s.t.Error(err)
				}
				result, err := hand.games(ctx, key, job.Data())
				more = err == nil && publish(job, from, result)
			}
			if err != nil {
				s.t.Log(err)
			}
		}
	}()
	s.t.Cleanup(func() { stop(); <-ended })
	return ended
}

// publish publishes a result.
func (s *site) publish(h *Hub, from origin, worker string, result *resultMessage) {
	if err := send(context.Background(), h, from, worker, result); err != nil {
		s.t.Error(err)
	}
}

// send sends a result.
func send(ctx context.Context, h *Hub, from origin, worker string, result *resultMessage) error {
	text, err := json.Marshal(result)
	if err == nil {
		_, err = h.js.Publish(ctx, resultSubject(from.match, from.unit, from.attempt, worker), text)
	}
	return err
}

// TestLiars has a worker send each kind of result that is not true. None gets into the
// journal; the worker is named, gets no more work after three, and what it had is played
// by another.
func TestLiars(t *testing.T) {
	testLiars(t, lies, func(*site, *match.Match) {})
}

// lie is what a worker makes of a true result, and what the warning tells of it.
type lie struct {
	name string
	lie  func(*resultMessage)
	want string
}

// testLiars has a worker lie in a match that change has changed, as often as it may.
func testLiars(t *testing.T, lies []lie, change func(*site, *match.Match)) {
	for first := 0; first < len(lies); first += mostFaults {
		told := lies[first : first+mostFaults]
		t.Run(told[0].name, func(t *testing.T) {
			long(t)
			m, programs := pairing(t, 5, enginetest.Good, enginetest.Good)
			s := newSite(t)
			change(s, m)
			j := locally(t, m)
			h := s.connect("liar")
			n := 0
			s.byHand("liar", func(job jetstream.Msg, from origin, result *resultMessage) bool {
				told[n].lie(result)
				s.publish(h, from, "liar", result)
				_ = job.Ack()
				if n++; n == len(told) {
					s.work("honest", nil)
				}
				return n < len(told)
			})
			l := &listener{t: t}
			if err := s.over(context.Background(), m, programs, j.path, l); err != nil {
				t.Fatal(err)
			}
			j.check(t)
			warned := strings.Join(l.warnings, "\n")
			for _, lie := range told {
				if !strings.Contains(warned, lie.want) {
					t.Errorf("%s: no warning tells %q", lie.name, lie.want)
				}
			}
			if !strings.Contains(warned, "worker liar gets no more work") {
				t.Error("the liar goes on")
			}
			if f, err := h.faultsOf(context.Background(), "liar"); err != nil || !f.Barred() {
				t.Errorf("the hub knows %+v of the liar, %v", f, err)
			}
			again := &Worker{Hub: h, Name: "liar", Slots: 1, Cache: t.TempDir()}
			if _, barred := errors.AsType[*BarredError](again.Run(context.Background())); !barred {
				t.Error("the liar was let in again")
			}
		})
	}
}

// TestStray has the server answer a request of a worker under the subject of another's
// result: the other is not blamed, and plays on.
func TestStray(t *testing.T) {
	long(t)
	m, programs := pairing(t, 5, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	s := newSite(t)
	h := s.connect("liar")
	s.byHand("liar", func(_ jetstream.Msg, from origin, _ *resultMessage) bool {
		stray := resultSubject(from.match, from.unit, from.attempt, "honest")
		if err := h.conn.PublishRequest("$JS.API.INFO", stray, nil); err != nil {
			t.Error(err)
		}
		s.work("honest", nil)
		return false
	})
	l := &listener{t: t}
	if err := s.over(context.Background(), m, programs, j.path, l); err != nil {
		t.Fatal(err)
	}
	j.check(t)
	if !strings.Contains(strings.Join(l.warnings, "\n"), "held against nobody") {
		t.Error("no warning tells of the answer")
	}
	if f, err := h.faultsOf(context.Background(), "honest"); err != nil || f.Count > 0 {
		t.Errorf("the hub holds %+v against the other, %v", f, err)
	}
}

// TestUnacknowledged has a worker die between its results and their acknowledgements.
func TestUnacknowledged(t *testing.T) {
	long(t)
	m, programs := pairing(t, 4, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	s := newSite(t)
	h := s.connect("one")
	n := 0
	s.byHand("one", func(_ jetstream.Msg, from origin, result *resultMessage) bool {
		s.publish(h, from, "one", result)
		if n++; n == 2 {
			s.work("two", nil)
		}
		return n < 2
	})
	if err := s.over(context.Background(), m, programs, j.path, &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	j.check(t)
}
