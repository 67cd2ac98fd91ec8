package hub

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"
	"golang.org/x/time/rate"

	"gyre/bench/hub/internal/wire"
	"gyre/bench/match"
)

// scripted is a task whose results say what they are: "invalid" is rejected, and "crash" needs to be confirmed.
type scripted struct {
	recorded map[int]string // worker and output, by unit
	slow     map[int]bool   // units that do not get to the disk
	early    map[int]bool   // units for which there is no memory before they are played, and late after that
	late     map[int]bool
	recovers bool   // whether it goes on after a crash
	here     string // what this machine plays; empty if it cannot
	replays  int    // on this machine

	found     map[finding][]int // units
	retracted []string          // workers
}

func (s *scripted) verify(_ *unit, r *resultMessage) error {
	if string(r.Output) == "invalid" {
		return errors.New("invalid")
	}
	return nil
}

func (s *scripted) needsReplay(r *resultMessage, worker string) error {
	if strings.HasPrefix(string(r.Output), "crash") {
		return fmt.Errorf("a crash on worker %s", worker)
	}
	return nil
}

func (s *scripted) record(u *unit, r *resultMessage, worker string, recorded func()) error {
	s.recorded[u.number] = worker + " " + string(r.Output)
	if !s.slow[u.number] {
		recorded()
	}
	return nil
}

func (s *scripted) mismatch(one, other *resultMessage) error {
	if string(one.Output) != string(other.Output) {
		return errors.New("the outputs differ")
	}
	return nil
}

func (s *scripted) faultEnds() bool { return !s.recovers }

func (s *scripted) replay(context.Context, *unit) (*resultMessage, error) {
	if s.here == "" {
		return nil, errNotHere
	}
	s.replays++
	return &resultMessage{Output: []byte(s.here)}, nil
}

func (s *scripted) note(u *unit, f finding) { s.found[f] = append(s.found[f], u.number) }

func (s *scripted) retract(worker string, _ bool, _ error) { s.retracted = append(s.retracted, worker) }

func (s *scripted) mayPlay(u *unit) bool { return !s.early[u.number] }

func (s *scripted) reserve(u *unit, _ *resultMessage) bool { return !s.late[u.number] }

func (s *scripted) newest() *Newest { return nil }

// desk is the dispatcher of a scripted task. A test is its hub and its workers.
type desk struct {
	*dispatcher
	t        testing.TB
	task     *scripted
	requests int
	warnings []string
}

// newDesk returns a desk with workers that each have two slots. A test calls it in a bubble of synctest.
func newDesk(t testing.TB, workers ...string) *desk {
	d := &desk{t: t, task: &scripted{recorded: map[int]string{}, slow: map[int]bool{}, found: map[finding][]int{}}}
	closed := &Hub{name: "client", conn: &nats.Conn{}, waiting: map[string]chan *nats.Msg{}, connection: context.Background(), closed: make(chan struct{})}
	d.dispatcher = &dispatcher{task: d.task, key: "client.m", work: work{hub: closed, spec: &Spec{}, settings: Settings{Silent: time.Minute, Tick: time.Second, Patience: 5 * time.Second}},
		warnings: wire.NewWarnings(func(err error) { d.warnings = append(d.warnings, err.Error()) }), start: func(do func(context.Context)) { go do(t.Context()) }}
	d.reset()
	d.connect(workers...)
	return d
}

// connect has the hub know these workers, and no others.
func (d *desk) connect(workers ...string) {
	known := map[string]WorkerStatus{}
	for _, name := range workers {
		known[name] = WorkerStatus{Name: name, Slots: 2}
	}
	d.apply(&hubState{workers: known, limit: -1})
}

// add adds a unit that is ready.
func (d *desk) add(number int) *unit {
	u := &unit{number: number}
	d.window.add(u, time.Now())
	d.lastDispatched = max(d.lastDispatched, number)
	d.ready = append(d.ready, u)
	return u
}

// message returns a message of a worker.
func (d *desk) message(subject, worker string, message any, result *resultMessage) *nats.Msg {
	d.t.Helper()
	var data []byte
	var err error
	if result != nil {
		result.Version = wire.Version
		data, err = json.Marshal(result)
	}
	text, errLines := wire.Lines(message, data)
	if err := errors.Join(err, errLines); err != nil {
		d.t.Fatal(err)
	}
	d.requests++
	return &nats.Msg{Subject: subject, Reply: wire.ReplySubjects(worker, "client") + "c." + strconv.FormatUint(uint64(d.requests), 36), Data: text}
}

// send sends a message of a worker, and waits until the dispatcher has decided on it.
func (d *desk) send(subject, worker string, message any, result *resultMessage) {
	d.t.Helper()
	d.deliver(d.message(subject, worker, message, result), 0)
}

// deliver delivers a message, after bytes of its sender that were dropped, and waits until the dispatcher has decided on it.
func (d *desk) deliver(m *nats.Msg, lost int) {
	d.t.Helper()
	from := &sender{}
	from.dropped.Add(int64(lost))
	d.receive(delivery{Msg: m, sender: from})
	for len(d.judging) > 0 {
		d.decide(<-d.judged)
	}
	for d.arbitrating > 0 {
		d.arbitrate(<-d.arbitrated)
	}
	d.awaitFaults(d.t.Context())
	for more := true; more; {
		synctest.Wait()
		select {
		case f := <-d.playedHere:
			d.settle(f)
		default:
			more = false
		}
	}
	d.handOut()
}

// next sends a request of a worker.
func (d *desk) next(worker string, m nextMessage, result *resultMessage) {
	d.t.Helper()
	m.Version = wire.Version
	d.send(wire.NextSubject(d.key, worker), worker, &m, result)
}

// ask asks for a unit, and returns the one that the worker gets; nil for none. It is always the turn of the worker.
func (d *desk) ask(worker string) *unit {
	d.t.Helper()
	for _, u := range d.ready {
		if u.asked != nil {
			u.drawn, u.turnEnds = worker, time.Now().Add(time.Minute)
		}
	}
	before := d.out()
	before = slices.DeleteFunc(before, func(u *unit) bool { return u.worker != worker })
	d.next(worker, nextMessage{Next: true}, nil)
	for _, u := range d.out() {
		if u.worker == worker && !slices.Contains(before, u) {
			return u
		}
	}
	return nil
}

// sends sends the output of an attempt at a unit.
func (d *desk) sends(worker, output string, unit, attempt int) {
	d.t.Helper()
	d.next(worker, nextMessage{Unit: unit, Attempt: attempt}, &resultMessage{Output: []byte(output)})
}

// refuses refuses an attempt at a unit.
func (d *desk) refuses(worker, why string, unit, attempt int) {
	d.t.Helper()
	d.next(worker, nextMessage{Unit: unit, Attempt: attempt}, &resultMessage{Refused: why})
}

// beats sends a heartbeat.
func (d *desk) beats(worker string, unit, attempt int, left bool) {
	d.t.Helper()
	d.send(wire.BeatSubject(d.key, worker), worker, &beatMessage{Version: wire.Version, Unit: unit, Attempt: attempt, Left: left}, nil)
}

// crashed adds a unit of which a worker reports a crash.
func (d *desk) crashed(number int, worker string) *unit {
	d.t.Helper()
	u := d.add(number)
	d.gets(worker, u)
	d.sends(worker, "crash", number, 0)
	return u
}

// records reports an error unless the result of a unit is the given one.
func (d *desk) records(unit int, want string) {
	d.t.Helper()
	if got := d.task.recorded[unit]; got != want {
		d.t.Errorf("recorded is %q, not %q", got, want)
	}
}

// gets fails the test unless a worker gets a unit, or with nil none.
func (d *desk) gets(worker string, want *unit) {
	d.t.Helper()
	if got := d.ask(worker); got != want {
		d.t.Fatalf("worker %s gets %+v instead of %+v", worker, got, want)
	}
}

// TestConfirmsItself lets a worker report a crash of an engine in every way that it could repeat, while another
// worker has no time. The report counts only after the other has confirmed it, unless there is no other that can.
func TestConfirmsItself(t *testing.T) {
	for name, report := range map[string]func(d *desk, u *unit){
		"twice": func(d *desk, u *unit) {
			d.sends("liar", "crash", 0, 0)
			d.sends("liar", "crash", 0, 1)
		},
		"after it gave the job back": func(d *desk, u *unit) {
			d.beats("liar", 0, 0, true)
			d.sends("liar", "crash", 0, 0)
		},
		"after it lost the reply": func(d *desk, u *unit) {
			d.next("liar", nextMessage{Unanswered: []uint64{1}}, nil)
			d.sends("liar", "crash", 0, 0)
		},
		"for a job that it never got": func(d *desk, u *unit) {
			d.retry(u)
			d.sends("liar", "crash", 0, 1)
		},
		"two results at once": func(d *desk, u *unit) {
			d.sends("liar", "crash", 0, 0)
			id := resultID{"liar", 0, 1}
			d.peer("liar").judged++
			d.judging[id] = &request{worker: "liar", msg: &nats.Msg{}}
			d.decide(&verdict{id: id, unit: u, result: &resultMessage{Output: []byte("crash")}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, "liar", "honest")
				u := d.add(0)
				d.gets("liar", u)
				report(d, u)
				for range 5 { // it has all the time
					time.Sleep(d.settings.Silent)
					d.ask("liar")
					for attempt := range u.attempt + 1 {
						d.sends("liar", "crash", 0, attempt)
					}
				}
				if len(d.task.recorded) > 0 {
					t.Fatalf("it is recorded: %v", d.task.recorded)
				}
				d.gets("honest", u)
				d.sends("honest", "fine", 0, u.attempt)
				d.records(0, "honest fine")
			})
		})
	}
	for name, others := range map[string]func(d *desk, u *unit){
		"the only worker": func(d *desk, _ *unit) { d.connect("one") },
		"the other refuses": func(d *desk, u *unit) {
			d.gets("other", u)
			d.refuses("other", "no", 0, u.attempt)
		},
		"the other gives it back": func(d *desk, u *unit) {
			d.gets("other", u)
			d.beats("other", 0, u.attempt, true)
		},
		"the other is suspended": func(d *desk, _ *unit) {
			d.faults["other"] = &wire.Faults{Count: wire.MaxFaults}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, "one", "other")
				u := d.crashed(0, "one")
				others(d, u)
				d.gets("one", nil)                                       // others may connect
				d.window.durations = make([]time.Duration, minDurations) // so the unit is slow soon
				for began := time.Now(); time.Since(began) < d.settings.Silent; time.Sleep(d.settings.Tick) {
					d.overdue(time.Now())
				}
				d.gets("one", u)
				d.sends("one", "crash", 0, u.attempt)
				d.records(0, "one crash")
			})
		})
	}
}

// TestStillPlays lets a worker report a crash again while another plays the unit, from which it was taken because it is slow.
// The report does not count, and the other's result does.
func TestStillPlays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "one", "other")
		u := d.crashed(0, "one")
		d.gets("other", u)
		played := u.attempt
		d.window.durations = make([]time.Duration, minDurations) // so the unit is slow soon
		for began := time.Now(); time.Since(began) < maxPatience/2; time.Sleep(d.settings.Tick) {
			d.beats("other", 0, played, false)
			d.overdue(time.Now())
			d.ask("one")
		}
		if u.worker == "other" {
			t.Fatal("nobody took it from the slow worker")
		}
		for attempt := range u.attempt + 1 {
			d.sends("one", "crash", 0, attempt)
		}
		if len(d.task.recorded) > 0 {
			t.Fatalf("recorded is %v", d.task.recorded)
		}
		d.sends("other", "fine", 0, played)
		d.records(0, "other fine")
	})
}

// TestKeepsUnit lets a worker take a unit again and again, of which another has reported a fault, and never play it. After a
// while the other may play it again.
func TestKeepsUnit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "one", "keeper")
		u := d.crashed(0, "one")
		d.gets("keeper", u)
		for began := time.Now(); time.Since(began) < 2*maxPatience; time.Sleep(d.settings.Tick) {
			d.overdue(time.Now())
			if d.ask("one") == u {
				return
			}
			d.ask("keeper")
		}
		t.Error("the other never gets it")
	})
}

// TestUnconfirmed lets a worker report a crash, twice, next to a worker that asks for no jobs. The report counts after a
// time, which the match says: after a day if it ends the match, since the other may have a match of higher priority. It
// does not count while the other asks or plays, however long its jobs take.
func TestUnconfirmed(t *testing.T) {
	for name, test := range map[string]struct {
		before func(d *desk)
		during func(d *desk) // every second
		counts bool
	}{
		"never asks":               {counts: true},
		"connects again and again": {during: func(d *desk) { d.connect("one"); d.connect("one", "other") }, counts: true},
		"sends something else":     {during: func(d *desk) { d.next("other", nextMessage{}, nil); d.beats("other", 0, 0, false) }, counts: true},
		"got no reply to this": {during: func(d *desk) {
			d.next("other", nextMessage{Next: true, Unanswered: []uint64{uint64(d.requests) + 1}}, nil)
		}, counts: true},
		"is suspended":              {before: func(d *desk) { d.faults["other"] = &wire.Faults{Count: wire.MaxFaults} }, counts: true},
		"plays a recheck for ever":  {before: recheckedBy("other"), during: func(d *desk) { d.beats("other", 7, d.rechecks[7].unit.attempt, false) }, counts: true},
		"takes longer for each job": {before: func(d *desk) { d.gets("other", d.add(8)) }, during: func(d *desk) { d.beats("other", 8, 0, false) }},
		"has all that it may have": {before: func(d *desk) {
			for number := range d.peer("other").most() {
				d.gets("other", d.add(10+number))
			}
		}, during: func(d *desk) {
			for number := range d.peer("other").most() {
				d.beats("other", 10+number, 0, false)
			}
		}},
	} {
		for _, ends := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, ends %t", name, ends), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					d := newDesk(t, "one", "other")
					d.task.recovers = !ends
					if test.before != nil {
						test.before(d)
					}
					least, interval := time.Duration(maxPatience), time.Second
					if ends {
						least, interval = endPatience, time.Minute
					}
					if d.suspended("other") {
						least = 0
					}
					u := d.crashed(0, "one")
					d.warnings = nil
					began := time.Now()
					for ; time.Since(began) < least+2*maxPatience && d.window.open[0] != nil; time.Sleep(interval) {
						if test.during != nil {
							test.during(d)
						}
						if d.ask("one") == u {
							d.sends("one", "crash", 0, u.attempt)
						}
					}
					if got := d.task.recorded[0] == "one crash"; got != test.counts || len(d.warnings) > 1 || got && len(d.warnings) == 0 {
						t.Errorf("recorded is %q, with the warnings %q", d.task.recorded[0], d.warnings)
					}
					if time.Since(began) < least {
						t.Errorf("it counts after %v, before %v", time.Since(began), least)
					}
				})
			})
		}
	}
}

// TestPatienceStays interrupts a match that waits for others to confirm a fault. The day begins with the first report, which
// the match notes once, but the others have some time after the interruption.
func TestPatienceStays(t *testing.T) {
	for before, least := range map[time.Duration]time.Duration{0: endPatience, 20 * time.Hour: 4 * time.Hour, 100 * time.Hour: maxPatience} {
		t.Run(fmt.Sprint(before), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, "one", "other")
				u := d.add(0)
				if before > 0 {
					u.doubted = time.Now().Add(-before)
				}
				began := time.Now()
				for d.window.open[0] != nil && time.Since(began) < 2*endPatience {
					if d.ask("one") == u {
						d.sends("one", "crash", 0, u.attempt)
					}
					time.Sleep(time.Minute)
				}
				if waited := time.Since(began); waited < least || waited > least+2*maxPatience {
					t.Errorf("it waits %v", waited)
				}
				if n := len(d.task.found[doubted]); n != 1 != (before > 0) {
					t.Errorf("it is noted %d times", n)
				}
			})
		})
	}
}

// recheckedBy returns a function that gives a worker a recheck of job 7.
func recheckedBy(worker string) func(d *desk) {
	return func(d *desk) {
		d.settings.Recheck = 1
		d.gets("one", d.add(7))
		d.sends("one", "fine", 7, 0)
		d.settings.Recheck = 0
		d.gets(worker, d.rechecks[7].unit)
	}
}

// TestConfirmedLate lets another worker ask for its first job for long as late as it may, and then play the job of which
// a crash was reported. Its result counts.
func TestConfirmedLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "one", "other")
		u := d.crashed(0, "one")
		time.Sleep(maxPatience)
		d.gets("one", nil)
		d.gets("other", u)
		d.sends("other", "fine", 0, u.attempt)
		d.records(0, "other fine")
	})
}

// TestStrangeMessages lets a worker send everything that it may, many times: about units of others, old attempts, and
// units that were recorded or never handed out. Nothing changes, nothing is logged, and nothing piles up.
func TestStrangeMessages(t *testing.T) {
	missing := strings.Repeat("a", 64)
	for name, test := range map[string]struct {
		send func(d *desk, unit, attempt, i int)
		late bool // whether units that are open and undoubted count
		most int  // warnings
	}{
		"a refusal": {send: func(d *desk, unit, attempt, i int) { d.refuses("liar", fmt.Sprint("no ", i), unit, attempt) }},
		"a refusal for a missing file": {send: func(d *desk, unit, attempt, i int) {
			d.next("liar", nextMessage{Unit: unit, Attempt: attempt}, &resultMessage{Refused: "no", Missing: missing})
		}},
		"a refusal for many missing files": {send: func(d *desk, unit, attempt, i int) {
			d.next("liar", nextMessage{Unit: unit, Attempt: attempt}, &resultMessage{Refused: "no", Missing: fmt.Sprintf("%064x", i)})
		}},
		"a crash":        {send: func(d *desk, unit, attempt, _ int) { d.sends("liar", "crash", unit, attempt) }},
		"a result":       {send: func(d *desk, unit, attempt, _ int) { d.sends("liar", "fine", unit, attempt) }, late: true},
		"no good result": {send: func(d *desk, unit, attempt, _ int) { d.sends("liar", "invalid", unit, attempt) }, most: 3*wire.MaxFaults + 1},
		"a heartbeat":    {send: func(d *desk, unit, attempt, _ int) { d.beats("liar", unit, attempt, false) }},
		"a job back":     {send: func(d *desk, unit, attempt, _ int) { d.beats("liar", unit, attempt, true) }},
		"lost replies": {send: func(d *desk, unit, attempt, i int) {
			d.next("liar", nextMessage{Unanswered: []uint64{uint64(1000 + i), uint64(unit), uint64(attempt)}}, nil)
		}},
		"many lost replies": {send: func(d *desk, unit, attempt, i int) {
			d.next("liar", nextMessage{Unanswered: make([]uint64, 10*maxUnanswered)}, nil)
		}, most: 3*wire.MaxFaults + 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, "liar", "honest", "third")
				d.blobs = []*Blob{{SHA256: missing, path: "none"}}
				d.requests = 100
				d.task.slow[3] = true
				hold := func(number int, worker string) *unit {
					u := d.add(number)
					d.gets(worker, u)
					return u
				}
				other := hold(0, "liar") // it is the honest worker's now
				d.beats("liar", 0, 0, true)
				d.gets("honest", other)
				hold(2, "honest") // recorded
				d.sends("honest", "fine", 2, 0)
				hold(3, "honest") // on its way to the disk
				d.sends("honest", "fine", 3, 0)
				d.settings.Recheck = 1
				hold(4, "honest") // checked by the third
				d.sends("honest", "fine", 4, 0)
				d.settings.Recheck = 0
				d.gets("third", d.rechecks[4].unit)
				doubted := d.crashed(5, "honest") // and played by the third
				d.gets("third", doubted)
				hold(6, "liar")
				d.add(1) // never handed out
				type state struct {
					Units    []string
					Ready    []int
					Rechecks []int
					Recorded map[int]string
				}
				now := func() (s state) {
					for _, u := range d.out() {
						s.Units = append(s.Units, fmt.Sprint(u.number, " ", u.attempt, " ", u.worker, " ", u.renewed, " ", u.reply))
					}
					slices.Sort(s.Units)
					for _, u := range d.ready {
						s.Ready = append(s.Ready, u.number)
					}
					s.Rechecks = slices.Sorted(maps.Keys(d.rechecks))
					s.Recorded = maps.Clone(d.task.recorded)
					return s
				}
				before := now()
				d.warnings = nil
				time.Sleep(time.Second)
				for i := range 100 {
					for _, unit := range []int{0, 1, 2, 3, 4, 5, 6, 99} {
						for _, attempt := range []int{0, 1, 2, 1000 + i} {
							if unit == 6 && attempt == 0 || test.late && slices.Contains([]int{0, 1, 6}, unit) {
								continue // its own, or one that counts
							}
							test.send(d, unit, attempt, i)
						}
					}
				}
				after := now()
				if test.most > 0 { // it is suspended, so others get its job
					own := func(s string) bool { return strings.HasPrefix(s, "6 ") }
					before.Units, after.Units = slices.DeleteFunc(before.Units, own), slices.DeleteFunc(after.Units, own)
					after.Ready = slices.DeleteFunc(after.Ready, func(number int) bool { return number == 6 })
				}
				if diff := cmp.Diff(before, after); diff != "" {
					t.Errorf("the match has changed:\n%s", diff)
				}
				if len(d.warnings) > test.most || d.suspended("liar") != (test.most > 0) {
					t.Errorf("%d warnings, such as %q; suspended: %v", len(d.warnings), d.warnings[:min(len(d.warnings), 3)], d.suspended("liar"))
				}
				p := d.peer("liar")
				if len(d.waiters[3]) > 2 || p.judged+p.idle > 0 || len(p.unanswered) > 2*maxSlots || len(d.faults) > 1 {
					t.Errorf("left are %d requests, %+v and faults of %d workers", len(d.waiters[3]), p, len(d.faults))
				}
				if slices.ContainsFunc(d.waiters[3], func(r *request) bool { return r.msg.Data != nil }) {
					t.Error("a request that waits keeps its result")
				}
			})
		})
	}
}

// TestReplyElsewhere lets a worker ask for replies under a long subject, which is nobody's. The match keeps nothing of it.
func TestReplyElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "liar")
		for _, reply := range []string{"", "x", wire.ReplySubjects("liar", "client") + strings.Repeat("x", 4000) + ".1"} {
			text, err := (&nextMessage{Version: wire.Version, Next: true, Wait: true, Unanswered: []uint64{1, 2, 3}}).text()
			if err != nil {
				t.Fatal(err)
			}
			d.receive(delivery{Msg: &nats.Msg{Subject: wire.NextSubject(d.key, "liar"), Reply: reply, Data: text}, sender: &sender{}})
		}
		if p := d.peer("liar"); len(p.unanswered) > 0 || len(d.idle) > 0 || d.suspended("liar") {
			t.Errorf("left are %v and %d requests", p.unanswered, len(d.idle))
		}
	})
}

// TestLostConfirmation loses the reply with which a worker gets a job whose first result waits for another worker. It
// gets the job again, and only after a second loss counts as asked. A worker whose own report waits stays asked.
func TestLostConfirmation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "one", "other")
		u := d.crashed(0, "one")
		lose := func(worker string) {
			t.Helper()
			d.gets(worker, u)
			d.next(worker, nextMessage{Unanswered: []uint64{uint64(d.requests)}}, nil)
		}
		lose("other")
		time.Sleep(2 * d.settings.Silent)
		d.gets("one", nil)
		lose("other")
		lose("one")
		d.connect("one", "other", "new")
		d.gets("one", nil)
		d.gets("other", nil)
		d.gets("new", u)
	})
}

// TestRecheckOfReturned rechecks a job that a worker has given back before another played it. The worker gets the recheck
// at once.
func TestRecheckOfReturned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "one", "two")
		d.settings.Recheck = 1
		u := d.add(0)
		d.gets("two", u)
		d.beats("two", 0, 0, true)
		d.gets("one", u)
		d.sends("one", "fine", 0, u.attempt)
		d.gets("two", d.rechecks[0].unit)
	})
}

// TestFriend has a friend of a worker ask all the time, so that its requests wait for rechecks. It gets no more of them than
// others, also if it gives back what it gets, and if the others ask only now and then. A worker that does not ask in time
// loses its turn.
func TestFriend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		honest := []string{"a", "b", "c", "d", "e", "f", "g"}
		d := newDesk(t, append(honest, "liar", "friend")...)
		checkers := map[string]int{}
		const units = 90
		for number := range units {
			u := d.add(number)
			d.gets("liar", u)
			d.settings.Recheck = 1
			d.sends("liar", "fine", number, u.attempt)
			again := d.rechecks[number].unit
			for i := 0; again.worker == ""; i++ {
				if i == 100 {
					t.Fatalf("nobody gets the recheck of unit %d", number)
				}
				d.next("friend", nextMessage{Next: true, Wait: true}, nil)
				time.Sleep(d.settings.Silent / 10)
				d.next(honest[(number+i)%len(honest)], nextMessage{Next: true}, nil)
			}
			if checkers[again.worker]++; again.worker == "friend" {
				d.beats("friend", number, again.attempt, true)
			} else {
				d.next(again.worker, nextMessage{Unit: number, Attempt: again.attempt}, &resultMessage{Output: []byte("fine")})
			}
			delete(d.rechecks, number)
			d.unready(again)
		}
		if got := checkers["friend"]; got > units/3 {
			t.Errorf("the friend gets %d of %d rechecks", got, units)
		}
	})
}

// crew plays all units of a desk: each worker asks once a second for as many units as it may have, and sends what it says
// of each. It returns how many results each worker sent.
func (d *desk) crew(workers []string, output func(worker string) string) map[string]int {
	d.t.Helper()
	sent := map[string]int{}
	for began := time.Now(); len(d.window.open) > 0; time.Sleep(time.Second) {
		if time.Since(began) > time.Hour {
			d.t.Fatalf("%d units are left", len(d.window.open))
		}
		for _, name := range workers {
			for before := -1; before < d.peer(name).held; {
				before = d.peer(name).held
				d.next(name, nextMessage{Next: true}, nil)
			}
		}
		for _, name := range workers {
			for _, u := range d.out() {
				if u.worker == name {
					sent[name]++
					d.sends(name, output(name), u.number, u.attempt)
				}
			}
		}
		d.overdue(time.Now())
	}
	return sent
}

// TestTwoLiars has two workers report a crash in each job that they get, 32 at once, next to honest ones. No report counts,
// and the first liar gets few jobs.
func TestTwoLiars(t *testing.T) {
	const batches, batch = 10, 32
	for name, test := range map[string]struct {
		honest int
		here   string
		bad    bool // whether the match may count a report: there is no third play
	}{
		"one honest worker":           {honest: 1},
		"eight honest workers":        {honest: 8},
		"eight, and this machine":     {honest: 8, here: "fine"},
		"nobody else, this machine":   {here: "fine"},
		"nobody else, and not here":   {bad: true},
		"many honest, and never here": {honest: 31},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				workers := []string{"liar", "friend"}
				for i := range test.honest {
					workers = append(workers, fmt.Sprint("honest", i))
				}
				d := newDesk(t, workers...)
				d.task.here = test.here
				for _, liar := range workers[:2] {
					d.slots += batch/2 - d.peer(liar).slots
					d.peer(liar).slots = batch / 2
				}
				said := func(worker string) string {
					if strings.HasPrefix(worker, "honest") {
						return "fine"
					}
					return "crash"
				}
				sent := map[string]int{}
				for number := range batches * batch {
					d.add(number)
					if number%batch < batch-1 {
						continue
					}
					for worker, n := range d.crew(workers, said) {
						sent[worker] += n
					}
				}
				crashes := 0
				for _, result := range d.task.recorded {
					if strings.HasSuffix(result, "crash") {
						crashes++
					}
				}
				t.Logf("%d crashes count; results sent: %v; played here: %d", crashes, sent, d.task.replays)
				if crashes > 0 != test.bad {
					t.Errorf("%d crashes count", crashes)
				}
				if test.honest >= 8 && sent["liar"] > batches*batch/2 {
					t.Errorf("the liar sent %d results", sent["liar"])
				}
				for _, name := range workers {
					if d.suspended(name) {
						t.Errorf("worker %s is suspended", name)
					}
				}
			})
		})
	}
}

// TestCrashesEverywhere plays an engine that crashes on every machine. The crash counts after few plays, also if the
// report of one worker is not trusted.
func TestCrashesEverywhere(t *testing.T) {
	for name, test := range map[string]struct {
		workers, plays, replays int
		here                    string
		recovers, distrusted    bool
	}{
		"one worker":                      {workers: 1, plays: 2},
		"one worker that is not trusted":  {workers: 1, plays: 2, distrusted: true},
		"two workers":                     {workers: 2, plays: 2},
		"two workers, one not trusted":    {workers: 2, plays: 2, distrusted: true},
		"three workers":                   {workers: 3, plays: 3},
		"nine workers":                    {workers: 9, plays: 3},
		"three workers, one not trusted":  {workers: 3, plays: 3, distrusted: true},
		"this machine confirms":           {workers: 9, plays: 2, here: "crash", replays: 1},
		"two workers, and this machine":   {workers: 2, plays: 2, here: "crash", replays: 1},
		"a match that goes on":            {workers: 9, plays: 2, recovers: true},
		"a match that goes on, with here": {workers: 9, plays: 2, recovers: true, here: "crash"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var workers []string
				for i := range test.workers {
					workers = append(workers, fmt.Sprint("w", i))
				}
				d := newDesk(t, workers...)
				d.task.here, d.task.recovers = test.here, test.recovers
				u := d.add(0)
				if test.distrusted {
					d.gets("w0", u)
					d.peer("w0").pausedUntil = time.Now().Add(d.settings.Silent)
				}
				plays := 0
				for _, n := range d.crew(workers, func(string) string { return "crash" }) {
					plays += n
				}
				if got := d.task.recorded[0]; !strings.HasSuffix(got, "crash") || plays != test.plays || d.task.replays != test.replays {
					t.Errorf("recorded is %q after %d plays, and %d here", got, plays, d.task.replays)
				}
			})
		})
	}
}

// TestRulings has a worker that is not trusted report a fault after each number of others that are. What follows is as in
// the table: the fault counts, this machine plays the unit, or another worker may. A game that is not the same each time is
// not played here.
func TestRulings(t *testing.T) {
	for f, row := range rulings {
		for trusted, want := range row {
			t.Run(fmt.Sprintf("%+v, trusted %d", f, trusted), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					workers := []string{"last", "a", "b", "c"}[:1+trusted]
					d := newDesk(t, append(workers, "other")...)
					if f.alone {
						d.connect(workers...)
					}
					d.task.recovers, d.task.here = !f.ends, "fine"
					u := d.crashed(0, workers[trusted])
					for _, name := range workers {
						u.asked[name] = name == "last"
					}
					u.reporters = workers[1:]
					d.peer("last").pausedUntil = time.Now().Add(time.Hour)
					d.assign(u, "last")
					d.sends("last", "crash", 0, u.attempt)
					got := another
					switch d.task.recorded[0] {
					case "last crash":
						got = counts
					case " fine":
						got = here
					}
					if got != want || got == another && !slices.Contains(d.ready, u) {
						t.Errorf("recorded is %q, and ready %v", d.task.recorded[0], d.ready)
					}
				})
			})
		}
	}
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "one", "two", "three")
		d.spec.Clock, d.task.here = &ClockSpec{}, "fine"
		u := d.crashed(0, "one")
		d.gets("two", u)
		d.sends("two", "crash", 0, u.attempt)
		if d.gets("three", u); d.task.replays > 0 {
			t.Error("it is played here")
		}
	})
}

// TestBadMachine has an engine crash on one machine only. Three times others play its jobs. Then the match names it, and
// gives it jobs only now and then. It is not suspended, so other matches use it.
func TestBadMachine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "bad", "good")
		for number := range maxDisproved {
			u := d.crashed(number, "bad")
			if d.peer("bad").isPaused() {
				t.Fatalf("it gets no jobs after %d crashes", number)
			}
			d.warnings = nil
			d.gets("good", u)
			d.sends("good", "fine", number, u.attempt)
		}
		if len(d.warnings) != 1 || d.suspended("bad") {
			t.Errorf("warnings are %q; suspended: %v", d.warnings, d.suspended("bad"))
		}
		u := d.add(maxDisproved)
		d.gets("bad", nil)
		time.Sleep(d.settings.Silent)
		d.gets("bad", u)
		d.sends("bad", "crash", u.number, u.attempt)
		d.gets("good", u)
		d.sends("good", "fine", u.number, u.attempt)
		if !d.peer("bad").isPaused() {
			t.Error("it is not paused after another crash")
		}
		time.Sleep(d.settings.Silent)
		u = d.add(maxDisproved + 1)
		d.gets("bad", u)
		d.sends("bad", "fine", u.number, u.attempt)
		d.records(u.number, "bad fine")
	})
}

// TestLargeMachine has an engine crash on the machine with most of the slots. It gets jobs all the time: the small one would
// play the match alone.
func TestLargeMachine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "large", "small")
		for name, slots := range map[string]int{"large": 8, "small": 1} {
			d.peer(name).slots = slots
		}
		d.slots = 9
		for number := range 2 * maxDisproved {
			u := d.crashed(number, "large")
			d.gets("small", u)
			d.sends("small", "fine", number, u.attempt)
			if d.peer("large").isPaused() {
				t.Fatalf("it gets no jobs after %d crashes", number+1)
			}
		}
	})
}

// TestLateFault has the second of two workers report a crash after the match has taken the unit from it. This machine plays
// the unit all the same.
func TestLateFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "one", "two")
		d.task.here = "fine"
		u := d.crashed(0, "one")
		d.gets("two", u)
		attempt := u.attempt
		time.Sleep(d.settings.Silent + time.Second)
		d.overdue(time.Now())
		d.sends("two", "crash", 0, attempt)
		if d.task.replays != 1 || !strings.HasSuffix(d.task.recorded[0], "fine") {
			t.Errorf("recorded is %q after %d plays here", d.task.recorded[0], d.task.replays)
		}
	})
}

// TestPausedConfirms has two workers report a crash while the only other one gets no jobs. The match waits for it.
func TestPausedConfirms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "liar", "friend", "honest")
		d.gets("honest", d.add(1))
		d.peer("honest").pausedUntil = time.Now().Add(d.settings.Silent)
		u := d.crashed(0, "liar")
		d.gets("friend", u)
		d.sends("friend", "crash", 0, u.attempt)
		d.gets("honest", nil)
		if len(d.task.recorded) > 0 {
			t.Fatalf("it is recorded: %v", d.task.recorded)
		}
		time.Sleep(d.settings.Silent)
		d.gets("honest", u)
		d.sends("honest", "fine", 0, u.attempt)
		d.records(0, "honest fine")
	})
}

// TestTurnEnds has workers that play and never ask again. A result waits for one of them to check it, and then for
// nobody: the first who asks does. It does not wait for one that plays here no longer.
func TestTurnEnds(t *testing.T) {
	players := []string{"a", "b", "c", "d"}
	for name, test := range map[string]struct {
		plays bool
		most  time.Duration
	}{
		"who plays all the time": {true, maxPatience + time.Minute},
		"who has left":           {false, 2 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			for range 8 { // who is drawn is a matter of luck
				synctest.Test(t, func(t *testing.T) {
					d := newDesk(t, append(players, "liar", "asks")...)
					for number, name := range players {
						d.gets(name, d.add(number))
					}
					u := d.crashed(9, "liar")
					began := time.Now()
					for u.worker == "" && time.Since(began) < time.Hour {
						for number, name := range players {
							if test.plays {
								d.beats(name, number, 0, false)
							}
						}
						d.next("asks", nextMessage{Next: true}, nil)
						time.Sleep(10 * time.Second)
					}
					if waited := time.Since(began); waited > test.most {
						t.Errorf("the unit waits for %v", waited)
					}
				})
			}
		})
	}
}

// TestWaste lets a worker send large results that cannot count, or heartbeats, no faster than the hub allows. The match
// excludes it. A worker that sends each of its results again is not excluded, however large they are, nor one that sends
// as much as it may, or reports in all its slots jobs that others have.
func TestWaste(t *testing.T) {
	const size = wire.MaxResult / 2 // in base64
	output := strings.Repeat("x", size)
	held := maxHeld / base64.StdEncoding.EncodedLen(size)
	var sending, again *rate.Limiter
	for name, test := range map[string]struct {
		send     func(d *desk, number int)
		excluded bool
	}{
		"that it held": {func(d *desk, number int) {
			if number < held {
				d.sends("one", output, 0, 0)
			}
		}, false},
		"of a job that has a result": {func(d *desk, _ int) { d.sends("one", output, 0, 0) }, true},
		"of a job that waits for another": {func(d *desk, number int) {
			d.sends("one", output, 1, number)
		}, true},
		"of a job that it did not get": {func(d *desk, _ int) {
			d.next("one", nextMessage{Unit: 2}, &resultMessage{Refused: "no", Output: []byte(output)})
		}, true},
		"of a job that it refuses each time": {func(d *desk, number int) {
			u := d.add(number)
			d.gets("one", u)
			d.next("one", nextMessage{Unit: number}, &resultMessage{Refused: "no", Output: []byte(output)})
			d.unready(u)
			d.window.finish(u, time.Second)
		}, true},
		"a crash in a job of another": {func(d *desk, _ int) {
			d.next("one", nextMessage{Unit: 2}, &resultMessage{Output: []byte("crash" + output)})
		}, true},
		"with a request for the specification": {func(d *desk, _ int) {
			d.next("one", nextMessage{Spec: true}, &resultMessage{Output: []byte(output)})
		}, true},
		"of a job that nobody has yet": {func(d *desk, number int) { d.sends("one", output, 1000+number, 0) }, true},
		"of a range that is on its way to the disk": {func(d *desk, _ int) {
			d.spec.Ranges, d.recording[0] = &RangesSpec{}, true
			d.sends("one", output, 0, 0)
		}, true},
		"of a range for which there is no memory": {func(d *desk, _ int) {
			d.task.early = map[int]bool{2: true}
			d.sends("one", output, 2, 0)
		}, true},
		"of ranges for which there is no memory when they come": {func(d *desk, number int) {
			d.task.late = map[int]bool{2: true}
			d.sends("one", output, 2, number)
		}, true},
		"of ranges that it got while there was memory": {func(d *desk, number int) {
			u := d.add(number)
			d.gets("one", u)
			d.task.early = map[int]bool{number: true}
			d.sends("one", output, number, 0)
			d.unready(u)
			d.window.finish(u, time.Second)
		}, false},
		"of a result that is being judged": {func(d *desk, number int) {
			d.judging[resultID{"one", 2, 0}] = &request{worker: "one"}
			text := fmt.Appendf(nil, "{\"version\":%d,\"unit\":2}\n%s", wire.Version, output+output[:size/3])
			m := &nats.Msg{Subject: wire.NextSubject(d.key, "one"), Reply: wire.ReplySubjects("one", "client") + "c." + strconv.Itoa(number), Data: text}
			d.receive(delivery{Msg: m, sender: &sender{}})
			clear(d.judging)
		}, true},
		"more than it can have": {func(d *desk, _ int) {
			p := d.peer("one")
			p.judged += p.most()
			d.sends("one", output, 2, 0)
			p.judged -= p.most()
		}, true},
		"heartbeats of jobs of others": {func(d *desk, _ int) {
			for range wire.QuotaRate / wire.MessageCost / 2 {
				d.beats("one", 2, 0, false)
			}
		}, true},
		"heartbeats of all its slots": {func(d *desk, _ int) {
			for range maxSlots * int(time.Second) / int(d.settings.Silent/4) {
				d.beats("one", 2, 0, false)
			}
		}, false},
		"all that it may": {func(d *desk, number int) {
			if number == 3 {
				sending, again = newPace(), newPaceAgain()
			}
			for cost := len(output) + messageCost; number < 20 && sending.AllowN(time.Now(), cost); {
				if again.AllowN(time.Now(), cost) {
					d.sends("one", output, 1000+number, 0)
					continue
				}
				u := d.add(d.lastDispatched + 1)
				d.gets("one", u)
				d.sends("one", output, u.number, 0)
			}
		}, false},
		"each twice": {func(d *desk, number int) {
			d.gets("one", d.add(number))
			d.sends("one", output, number, 0)
			d.sends("one", output, number, 0)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, "one", "two")
				d.gets("two", d.add(0))
				d.sends("two", "fine", 0, 0)
				d.gets("two", d.crashed(1, "one"))
				d.gets("two", d.add(2))
				for number := 3; number < 2*held && !d.suspended("one"); number++ {
					test.send(d, number)
					time.Sleep(time.Second) // as the quota allows more than each sends
				}
				if d.suspended("one") != test.excluded {
					t.Errorf("excluded: %v", d.suspended("one"))
				}
				if len(d.waiters)+d.peer("one").judged > 0 {
					t.Errorf("left are %+v", d.peer("one"))
				}
			})
		})
	}
}

// TestManyLate takes all units from a worker with many slots, in each way in which it can lose them. Then it sends their results,
// which are as long as those of samples, as fast as it may. They cost nothing more.
func TestManyLate(t *testing.T) {
	const slots = 160
	type late struct {
		*desk
		jobs map[string]map[int]int // attempts, by worker and unit
	}
	takes := func(d late, worker string) {
		for d.ask(worker) != nil {
		}
		d.jobs[worker] = map[int]int{}
		for _, u := range d.out() {
			if u.worker == worker {
				d.jobs[worker][u.number] = u.attempt
			}
		}
	}
	sleeps := func(d late) {
		time.Sleep(d.settings.Silent + 1)
		d.overdue(time.Now())
	}
	isSlow := func(d late) {
		time.Sleep(maxPatience + 1)
		for number, attempt := range d.jobs["large"] {
			d.beats("large", number, attempt, false)
		}
		d.ask("other")
		d.overdue(time.Now())
	}
	slow := func(d late) { takes(d, "large"); isSlow(d); takes(d, "other") }
	faster := func(d late) { takes(d, "other"); sleeps(d); takes(d, "large") }
	for name, test := range map[string]struct {
		checked bool // whether the units are rechecks
		loses   func(d late)
		verdict bool // whether its results are being verified when others count
	}{
		"it sleeps": {loses: func(d late) { takes(d, "large"); sleeps(d); takes(d, "other") }},
		"it sleeps, and there is no memory": {loses: func(d late) {
			takes(d, "large")
			sleeps(d)
			d.task.early = map[int]bool{}
			for number := range slots {
				d.task.early[number] = true
			}
		}},
		"it is slow":                                          {loses: slow},
		"it is slow with rechecks":                            {checked: true, loses: slow},
		"results of another count meanwhile":                  {loses: faster},
		"rechecks of another count meanwhile":                 {checked: true, loses: faster},
		"results of another count while its own are verified": {loses: faster, verdict: true},
		"another waits": {loses: func(d late) {
			takes(d, "large")
			d.markLate("large", false)
			for range slots {
				d.next("other", nextMessage{Next: true, Wait: true}, nil)
			}
			takes(d, "other")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := late{newDesk(t, "large", "other", "first"), map[string]map[int]int{}}
				output := strings.Repeat("x", 512<<10)
				if name != "it sleeps" {
					output = output[:4<<10] // one way is enough to see it excluded
				}
				for _, name := range []string{"large", "other"} {
					d.peer(name).slots, d.peer(name).sent = slots, slots
				}
				d.gets("other", d.add(slots))
				d.sends("other", output, slots, 0)
				var units []*unit
				for number := range slots {
					u := d.add(number)
					units = append(units, u)
					if test.checked {
						d.unready(u)
						d.window.finish(u, 0)
						d.recheck(u, "first", &resultMessage{Output: []byte(output)}, 0)
					}
				}
				test.loses(d)
				credit := d.peer("large").credit
				for _, name := range []string{"other", "large"} {
					pace := newPace()
					for number, attempt := range d.jobs[name] {
						if err := pace.WaitN(t.Context(), base64.StdEncoding.EncodedLen(len(output))+messageCost); err != nil {
							t.Fatal(err)
						}
						if name == "large" && test.verdict {
							id := resultID{name, number, attempt}
							d.peer(name).judged, d.judging[id] = d.peer(name).judged+1, &request{worker: name, msg: &nats.Msg{}}
							d.decide(&verdict{id: id, unit: units[number], size: len(output)})
						} else {
							d.sends(name, output, number, attempt)
						}
						if d.suspended(name) {
							t.Fatalf("%s is excluded", name)
						}
					}
				}
				if left := d.peer("large").credit; left != credit {
					t.Errorf("they cost %d bytes", credit-left)
				}
				if len(d.jobs["large"]) != slots {
					t.Errorf("it lost %d units", len(d.jobs["large"]))
				}
			})
		})
	}
}

// TestPretendsLate lets a worker lose as many units as it may have, and send useless results instead of those that it owes. No
// more of these are free than it lost units in the last hour, nor more bytes of each than twice a result of another worker.
func TestPretendsLate(t *testing.T) {
	const (
		slots   = 160
		perhaps = maxHeld + wire.QuotaBurst/(wasteCost+1) + 4*wire.MaxResult // is free without them, with what is refilled meanwhile
		size    = wire.MaxResult / 4 * 3                                     // as base64, nearly the maximum
	)
	long := strings.Repeat("x", size-100)
	loses := func(d *desk) { time.Sleep(d.settings.Silent + 1) }
	for name, test := range map[string]struct {
		other, before string        // the results of another worker, and its own before: empty for none
		loses         func(d *desk) // until it has lost its units
		again         bool          // whether it sends the same result each time
		free          int           // bytes that it may send in addition
	}{
		"long ones":                    {other: "fine", loses: loses},
		"long ones, as one of its own": {other: "fine", before: long, loses: loses},
		"one again and again":          {other: long, loses: loses, again: true, free: slots * wire.MaxResult},
		"of units that it gave back": {other: long, loses: func(d *desk) {
			for _, u := range d.out() {
				d.beats("pretender", u.number, u.attempt, true)
			}
		}},
		"of units that it lost long ago": {other: long, loses: func(d *desk) {
			loses(d)
			d.overdue(time.Now())
			time.Sleep(heldFor)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, "pretender", "other")
				p := d.peer("pretender")
				for number, worker := range []string{"pretender", "other"} {
					output := []string{test.before, test.other}[number]
					if output != "" {
						d.gets(worker, d.add(number))
						d.sends(worker, output, number, 0)
					}
				}
				p.slots, p.sent = slots, slots
				for number := range slots {
					d.gets("pretender", d.add(2+number))
				}
				test.loses(d)
				d.overdue(time.Now())
				for _, u := range d.out() {
					d.unready(u)
					d.window.finish(u, 0)
				}
				sent, number := 0, 2
				for ; !d.suspended("pretender") && sent < 2*(test.free+perhaps); sent += wire.MaxResult {
					d.sends("pretender", long, number, 0)
					if !test.again {
						number++
					}
					time.Sleep(time.Second) // as the quota allows more
				}
				if sent > test.free+perhaps {
					t.Errorf("excluded: %t, after %d MiB instead of %d", d.suspended("pretender"), sent>>20, (test.free+perhaps)>>20)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "pretender")
		for range 3 * maxSlots {
			d.noteTaken("pretender")
		}
		if n := len(d.peer("pretender").taken); n > 2*maxSlots {
			t.Errorf("%d lost units are noted", n)
		}
	})
}

// TestUseless lets a worker send the longest messages of every useless kind, more slowly than the hub allows, over a
// connection that ends again and again. The match excludes it after as many bytes as it may hold, or at once if no worker
// sends such messages.
func TestUseless(t *testing.T) {
	const (
		never   = wire.QuotaBurst/(wasteCost+1) + 4*wire.MaxResult // with what is refilled meanwhile
		perhaps = maxHeld + never
	)
	text := strings.Repeat("x", wire.MaxResult-100)
	// play gives a worker a unit, whose result is valid.
	play := func(d *desk, format string) []byte {
		u := d.add(d.lastDispatched + 1)
		d.gets("one", u)
		return fmt.Appendf(nil, "{\"version\":%d,\"unit\":%d}\n"+format, wire.Version, u.number, wire.Version)
	}
	for name, test := range map[string]struct {
		message func(d *desk) []byte
		reply   bool // whether it asks for one
		most    int  // bytes
		lost    int  // bytes before each of them for which the match had no room
	}{
		"nobody gets a reply": {func(*desk) []byte {
			return fmt.Appendf(nil, "{\"version\":%d,\"unit\":2000000000}\n%s", wire.Version, text)
		}, false, never, 0},
		"a valid result of which nobody gets a reply": {func(d *desk) []byte {
			return append(play(d, `{"version":%d,"output":""}`), strings.Repeat(" ", len(text)-1000)...)
		}, false, never, 0},
		"another version": {func(*desk) []byte { return fmt.Appendf(nil, "{\"version\":%d}\n%s", wire.Version-1, text) }, true, never, 0},
		"no request":      {func(*desk) []byte { return []byte(text) }, true, never, 0},
		"a job of nobody": {func(*desk) []byte {
			return fmt.Appendf(nil, "{\"version\":%d,\"unit\":2000000000}\n%s", wire.Version, text)
		}, true, perhaps, 0},
		"too late": {func(*desk) []byte { return fmt.Appendf(nil, "{\"version\":%d,\"unit\":0}\n%s", wire.Version, text) }, true, perhaps, 0},
		"a job of another": {func(*desk) []byte {
			return fmt.Appendf(nil, "{\"version\":%d,\"unit\":1,\"attempt\":7}\n{\"version\":%d,\"refused\":%q}", wire.Version, wire.Version, text)
		}, true, perhaps, 0},
		"an unknown member":                {func(d *desk) []byte { return play(d, `{"version":%d,"output":"","more":"`+text+`"}`) }, true, perhaps, 0},
		"an unknown member of a game":      {func(d *desk) []byte { return play(d, `{"version":%d,"games":[{"more":"`+text+`"}]}`) }, true, perhaps, 0},
		"a member again":                   {func(d *desk) []byte { return play(d, `{"version":%d,"system":"`+text+`","system":""}`) }, true, perhaps, 0},
		"spaces":                           {func(d *desk) []byte { return play(d, `{"version":%d}`+strings.Repeat(" ", len(text))) }, true, perhaps, 0},
		"a long name of the system":        {func(d *desk) []byte { return play(d, `{"version":%d,"system":"`+text+`"}`) }, true, perhaps, 0},
		"what was dropped before requests": {func(*desk) []byte { return fmt.Appendf(nil, "{\"version\":%d,\"next\":true}", wire.Version) }, true, perhaps, wire.MaxResult},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, "one", "two")
				d.gets("two", d.add(0))
				d.sends("two", "fine", 0, 0)
				d.gets("two", d.add(1))
				sent := 0
				for !d.suspended("one") && sent < 2*perhaps {
					m := &nats.Msg{Subject: wire.NextSubject(d.key, "one"), Data: test.message(d)}
					if len(m.Data) > wire.Limit(m.Subject) {
						t.Fatalf("the message has %d bytes", len(m.Data))
					}
					if test.reply {
						m.Reply = wire.ReplySubjects("one", "client") + "c." + strconv.Itoa(sent)
					}
					sent += len(m.Data) + test.lost
					d.deliver(m, test.lost)
					for _, u := range d.out() {
						if u.worker == "one" {
							d.beats("one", u.number, u.attempt, true)
							d.unready(u)
							d.window.finish(u, time.Second)
						}
					}
					time.Sleep(time.Second) // as the quota allows more
					d.renewAll()
				}
				if sent > test.most {
					t.Errorf("excluded: %v, after %d bytes instead of %d", d.suspended("one"), sent, test.most)
				}
			})
		})
	}
}

// TestClaims lets a worker send a new excuse for each job that it gets. The match reports a few of them.
func TestClaims(t *testing.T) {
	for name, claim := range map[string]func(d *desk, u *unit){
		"refusals": func(d *desk, u *unit) { d.refuses("liar", fmt.Sprint("no ", u.number), u.number, u.attempt) },
		"crashes":  func(d *desk, u *unit) { d.sends("liar", "crash", u.number, u.attempt) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, "liar", "honest")
				for number := range 200 {
					u := d.add(number)
					d.gets("liar", u)
					claim(d, u)
				}
				if len(d.warnings) == 0 || len(d.warnings) > maxTold+1 {
					t.Errorf("%d warnings", len(d.warnings))
				}
			})
		})
	}
}

// TestManyWarnings lets a worker cause warnings of a match all the time, in each way in which it can, and the owner of a match
// warnings of a hub and of a worker. Few are reported at once, and at the end the number of the others is.
func TestManyWarnings(t *testing.T) {
	const many = 200
	for name, begin := range map[string]func(t *testing.T, report func(error)) (cause func(i int), end func()){
		"a worker that comes and goes": func(t *testing.T, report func(error)) (func(int), func()) {
			d := newDesk(t, "quiet")
			d.dispatcher.warnings = wire.NewWarnings(report)
			return func(int) { d.connect(); d.connect("loud") }, d.end
		},
		"a worker that is suspended and readmitted": func(t *testing.T, report func(error)) (func(int), func()) {
			d := newDesk(t, "loud")
			d.dispatcher.warnings = wire.NewWarnings(report)
			return func(int) {
				loud := map[string]WorkerStatus{"loud": {Name: "loud", Slots: 2}}
				faults := &wire.Faults{}
				faults.Suspend(errQuota)
				d.apply(&hubState{workers: loud, limit: -1, faultsAnswered: d.faultsAdded, faults: map[string]*wire.Faults{"loud": faults}})
				d.apply(&hubState{workers: loud, limit: -1, faultsAnswered: d.faultsAdded})
			}, d.end
		},
		"a worker with other results": func(t *testing.T, report func(error)) (func(int), func()) {
			d := newDesk(t, "loud", "quiet")
			d.dispatcher.warnings = wire.NewWarnings(report)
			return func(i int) {
				c := &recheck{unit: &unit{number: i}, workers: []string{"quiet", "loud"}, results: []*resultMessage{{Output: []byte("a")}, {Output: []byte("b")}}}
				d.abandon(c)
			}, d.end
		},
		"a detached match that fails": func(t *testing.T, report func(error)) (func(int), func()) {
			c := &Controller{Warn: report}
			return func(i int) {
				c.warn(&detached{request: &Request{Name: fmt.Sprint("m", i), Owner: "loud"}}, errors.New("it failed"))
			}, func() { c.reports().Flush(true) }
		},
		"a match that a worker cannot play": func(t *testing.T, report func(error)) (func(int), func()) {
			w := &Worker{Warn: report}
			w.reset()
			return func(i int) { w.warn("loud", fmt.Errorf("cannot play match %d", i)) }, func() { w.warnings.Flush(true) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var texts []string
				cause, end := begin(t, func(err error) { texts = append(texts, err.Error()) })
				for i := range many {
					cause(i)
				}
				reported := len(texts) // those of the worker, and of another one or of the match
				if reported == 0 || reported > 2*wire.WarningBurst {
					t.Errorf("%d warnings at once", reported)
				}
				end()
				left := 0
				for _, text := range texts[reported:] {
					n := 0
					if _, err := fmt.Sscanf(text, "%d more warnings of", &n); err != nil {
						t.Errorf("at the end comes %q", text)
					}
					left += n
				}
				if len(texts) > reported+2 || left+reported < many {
					t.Errorf("%d were reported and %d left out", reported, left)
				}
			})
		})
	}
}

// TestLowestUnit lets a worker claim again and again that it did not get the lowest unit. As all later units wait for it,
// it goes to another worker after some time.
func TestLowestUnit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "liar", "honest")
		u := d.add(0)
		for began := time.Now(); time.Since(began) <= maxPatience; time.Sleep(time.Second) {
			d.gets("liar", u)
			d.next("liar", nextMessage{Unanswered: []uint64{uint64(d.requests)}}, nil)
		}
		if d.window.slow(time.Now()) != u {
			t.Errorf("it is not slow: %+v", u)
		}
	})
}

// TestHoarders plays a match for two hours next to workers that take all jobs that they can get, report that they
// play them, and send few results or none. The honest workers play most of what they play without these, also if only some
// jobs may be out.
func TestHoarders(t *testing.T) {
	const lasts = 20 * time.Second // a job of an honest worker
	for name, test := range map[string]struct {
		hoarders []string
		limit    int           // of the jobs that are out; negative for none
		sends    time.Duration // every so often a hoarder sends a result; 0 for never
		least    float64       // share of the units that are played without hoarders
	}{
		"one":                       {hoarders: []string{"a"}, limit: -1, least: 0.9},
		"one, few jobs":             {hoarders: []string{"a"}, limit: 8, least: 0.5},
		"two, few jobs":             {hoarders: []string{"a", "b"}, limit: 8, least: 0.25},
		"one sends some, few jobs":  {hoarders: []string{"a"}, limit: 8, sends: lasts, least: 0.5},
		"two, more jobs":            {hoarders: []string{"a", "b"}, limit: 32, least: 0.6},
		"one sends some, more jobs": {hoarders: []string{"a"}, limit: 32, sends: lasts, least: 0.6},
	} {
		t.Run(name, func(t *testing.T) {
			play := func(hoarders []string) (played int) {
				synctest.Test(t, func(t *testing.T) {
					d := newDesk(t)
					workers := map[string]WorkerStatus{}
					for _, name := range hoarders {
						workers[name] = WorkerStatus{Slots: maxSlots}
					}
					honest := []string{"one", "two", "three", "four"}
					for _, name := range honest {
						workers[name] = WorkerStatus{Slots: 2}
					}
					d.apply(&hubState{workers: workers, limit: test.limit})
					type job struct {
						unit    *unit
						attempt int
						end     time.Time
					}
					jobs, added := map[string][]job{}, 0
					fill := func() {
						for d.jobs() < d.windowSize() && len(d.ready) < 100 {
							d.add(added)
							added++
						}
					}
					sent := time.Now()
					for began := time.Now(); time.Since(began) < 2*time.Hour; time.Sleep(time.Second) {
						d.overdue(time.Now())
						fill()
						for _, name := range hoarders {
							for u := d.ask(name); u != nil; u = d.ask(name) {
								fill()
							}
							for _, u := range d.out() {
								if u.worker != name {
									continue
								}
								if test.sends > 0 && time.Since(sent) >= test.sends {
									sent = time.Now()
									d.sends(name, "fine", u.number, u.attempt)
								} else {
									d.beats(name, u.number, u.attempt, false)
								}
							}
						}
						for _, name := range honest {
							jobs[name] = slices.DeleteFunc(jobs[name], func(j job) bool {
								if time.Now().Before(j.end) {
									return false
								}
								if d.sends(name, "fine", j.unit.number, j.attempt); d.task.recorded[j.unit.number] == name+" fine" {
									played++
								}
								return true
							})
							for len(jobs[name]) < 2 {
								u := d.ask(name)
								if u == nil {
									break
								}
								jobs[name] = append(jobs[name], job{u, u.attempt, time.Now().Add(lasts)})
								fill()
							}
						}
					}
				})
				return played
			}
			alone := play(nil)
			if got := float64(play(test.hoarders)) / float64(alone); got < test.least {
				t.Errorf("honest workers play %.2f of their %d jobs", got, alone)
			}
		})
	}
}

// TestLastJobs plays batches of jobs, each of which begins when all results of the one before are there, next to a worker
// that takes jobs whenever it can, and delivers the result of the last one late or never. It delays few of the batches.
func TestLastJobs(t *testing.T) {
	const (
		lasts   = 20 * time.Second // a job of an honest worker
		batches = 40
		slots   = 2 // of each of two honest workers
	)
	hold := func(d *desk, u *unit, i int) { d.beats("holder", u.number, u.attempt, false) }
	for name, do := range map[string]func(d *desk, u *unit, held int){ // every second with each of its units
		"it reports for ever":     hold,
		"it is silent":            func(*desk, *unit, int) {},
		"it gives them back late": func(d *desk, u *unit, held int) { d.beats("holder", u.number, u.attempt, held >= 50) },
		"it refuses them late": func(d *desk, u *unit, held int) {
			if hold(d, u, held); held >= 50 {
				d.refuses("holder", "no", u.number, u.attempt)
			}
		},
		"its engines crash late": func(d *desk, u *unit, held int) {
			if hold(d, u, held); held >= 50 {
				d.sends("holder", "crash", u.number, u.attempt)
			}
		},
		"it says that it did not get them": func(d *desk, u *unit, held int) {
			if hold(d, u, held); held == 10 {
				number, err := strconv.ParseUint(wire.LastToken(u.reply), 36, 64)
				if err != nil {
					d.t.Fatal(err)
				}
				d.next("holder", nextMessage{Next: true, Unanswered: []uint64{number}}, nil)
			}
		},
		"it leaves late": func(d *desk, u *unit, held int) {
			if hold(d, u, held); held == 50 {
				d.release("holder")
			}
		},
		"it plays most of them": func(d *desk, u *unit, held int) {
			if hold(d, u, held); d.peer("holder").delays > 0 && held >= int(lasts/time.Second) {
				d.sends("holder", "fine", u.number, u.attempt)
			}
		},
	} {
		for _, size := range []int{1, 2 * slots, 3 * slots, 8 * slots} {
			t.Run(fmt.Sprint(name, ", batches of ", size), func(t *testing.T) {
				play := func(workers ...string) (took time.Duration) {
					synctest.Test(t, func(t *testing.T) {
						d := newDesk(t, workers...)
						d.task.recovers = true
						d.window.durations = slices.Repeat([]time.Duration{lasts}, minDurations)
						type job struct {
							unit    *unit
							attempt int
							began   time.Time
						}
						jobs := map[string][]job{}
						began := time.Now()
						for batch := range batches {
							for number := batch * size; number < (batch+1)*size; number++ {
								d.add(number)
								d.handOut()
							}
							for d.overdue(time.Now()); len(d.window.open) > 0; time.Sleep(time.Second) {
								d.replyIdle(time.Now())
								d.overdue(time.Now())
								d.handOut()
								for _, name := range workers {
									for _, u := range d.out() {
										if u.worker == name && !slices.ContainsFunc(jobs[name], func(j job) bool { return j.unit == u && j.attempt == u.attempt }) {
											jobs[name] = append(jobs[name], job{u, u.attempt, time.Now()})
										}
									}
									jobs[name] = slices.DeleteFunc(jobs[name], func(j job) bool {
										played := time.Since(j.began)
										switch {
										case name != "holder" && played >= lasts:
											d.sends(name, "fine", j.unit.number, j.attempt)
											return true
										case name == "holder" && (j.unit.worker != name || j.unit.attempt != j.attempt || d.window.open[j.unit.number] == nil):
											return true
										case name == "holder":
											do(d, j.unit, int(played/time.Second))
										default:
											d.beats(name, j.unit.number, j.attempt, false)
										}
										return false
									})
									for range slots - min(len(jobs[name]), slots) - d.peer(name).idle {
										d.next(name, nextMessage{Next: true, Wait: true}, nil)
									}
								}
							}
						}
						took = time.Since(began)
					})
					return took
				}
				alone := play("one", "two")
				if got := float64(play("holder", "one", "two")) / float64(alone); got > 1.5 {
					t.Errorf("the batches take %.2f times as long as alone, which is %v", got, alone)
				}
			})
		}
	}
}

// TestDelays keeps a match waiting for the lowest job. Its worker loses all jobs that it has had for as long, and may have
// fewer, but not if the match itself was away meanwhile.
func TestDelays(t *testing.T) {
	for _, away := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			d := newDesk(t, "one", "other")
			d.window.durations = slices.Repeat([]time.Duration{time.Minute}, minDurations)
			var units []*unit
			for number := range 3 {
				units = append(units, d.add(number))
				if number == 2 {
					time.Sleep(time.Minute)
				}
				d.gets("one", units[number])
			}
			time.Sleep(d.window.patience() - 30*time.Second)
			if away {
				d.renewAll()
			}
			for _, u := range units {
				d.beats("one", u.number, u.attempt, false)
			}
			d.gets("other", nil)
			d.overdue(time.Now())
			taken := 2 // the third is younger
			if away {
				taken = 1
			}
			for number, u := range units {
				if got := u.worker == ""; got != (number < taken) {
					t.Errorf("away %t: job %d was taken: %t", away, number, got)
				}
			}
			if p := d.peer("one"); p.delays > 0 == away || away != (p.most() == 4) {
				t.Errorf("away %t: %d delays, and it may have %d jobs", away, p.delays, p.most())
			}
		})
	}
}

// TestHeldRechecks lets a worker take rechecks and report for ever that it plays them. Others get them then.
func TestHeldRechecks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "one", "holder", "other")
		d.settings.Recheck = 1
		d.gets("one", d.add(0))
		d.sends("one", "fine", 0, 0)
		u := d.rechecks[0].unit
		d.gets("holder", u)
		for began := time.Now(); u.worker == "holder"; time.Sleep(d.settings.Tick) {
			d.beats("holder", 0, u.attempt, false)
			d.overdue(time.Now())
			if time.Since(began) > maxPatience+d.settings.Silent {
				t.Fatal("it keeps the recheck")
			}
		}
		d.gets("holder", nil)
		d.gets("other", u)
		d.sends("other", "fine", 0, u.attempt)
		if !slices.Equal(d.task.found[confirmed], []int{0}) {
			t.Errorf("confirmed is %v", d.task.found[confirmed])
		}
	})
}

// TestRepliesPaid lets a worker cause replies that its requests do not pay for, no faster than the hub allows. The match, whose
// key pays for them on the hub, excludes it. A worker that asks in all its slots as fast as it may is not excluded, nor one
// whose results count.
func TestRepliesPaid(t *testing.T) {
	idle := func(d *desk) { d.next("one", nextMessage{Next: true}, nil) }
	for name, test := range map[string]struct {
		send     func(d *desk)
		each     int // how often a second
		excluded bool
	}{
		"requests":                  {idle, wire.QuotaRate / wire.MessageCost * 3 / 4, true},
		"requests with old results": {func(d *desk) { d.sends("one", "fine", 0, 0) }, wire.QuotaRate / wire.MessageCost * 3 / 4, true},
		"requests in the own pace":  {func(d *desk) { idle(d) }, wire.QuotaRate / messageCost, false},
		"the specification":         {func(d *desk) { d.next("one", nextMessage{Spec: true}, nil) }, 200, true},
		"long jobs that it plays": {func(d *desk) {
			u := d.add(d.lastDispatched + 1)
			u.job = &jobMessage{Start: strings.Repeat("x", 5000)}
			d.gets("one", u)
			d.sends("one", "fine", u.number, u.attempt)
		}, 50, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, "one")
				d.text = make([]byte, wire.MaxReply/2)
				d.gets("one", d.add(0))
				d.sends("one", "fine", 0, 0)
				d.peer("one").credit = 0
				pace := newPace()
				for range 20 {
					for range test.each {
						switch {
						case d.suspended("one"):
							idle(d)
						case test.excluded || pace.AllowN(time.Now(), requestPace):
							test.send(d)
						}
					}
					time.Sleep(time.Second)
				}
				if d.suspended("one") != test.excluded {
					t.Errorf("excluded: %v, with %v left", d.suspended("one"), d.peer("one").quota.Tokens())
				}
				if left := d.peer("one").quota.Tokens(); left < -2*float64(len(d.text)) {
					t.Errorf("after it is excluded, it gets replies, which leave %v", left)
				}
			})
		})
	}
}

// TestManyReplies lets a worker take jobs and give them back all the time. The match sends it no more than the hub lets it.
// A worker with many slots gets long jobs for all of them.
func TestManyReplies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "greedy", "large")
		long := &jobMessage{Opening: []string{strings.Repeat("x", 10<<10)}}
		for number := range d.peer("large").most() {
			u := d.add(number)
			u.job = long
			d.gets("large", u)
		}
		u := d.add(100)
		u.job = &jobMessage{Opening: []string{strings.Repeat("x", wire.MaxReply*9/10)}}
		got := 0
		const seconds = 60
		for range seconds {
			if d.ask("greedy") == u {
				got++
				d.beats("greedy", 100, u.attempt, true)
			}
			u.holders = nil // there is nobody else
			time.Sleep(time.Second)
		}
		if most := (wire.ReplyBurst + seconds*wire.ReplyRate) / (wire.MaxReply * 9 / 10); got < 3 || got > most {
			t.Errorf("it gets %d jobs, and may get %d", got, most)
		}
		u.job.Opening[0] += strings.Repeat("x", wire.MaxReply)
		time.Sleep(time.Minute)
		if d.ask("greedy"); d.failed == nil {
			t.Error("the match sends more than the hub takes")
		}
	})
}

// TestShareReplies lets a worker ask matches of one key for specifications and jobs all the time. Together they send it no
// more than the hub lets them.
func TestShareReplies(t *testing.T) {
	const seconds, each, job, spec = 20, 100, 5_000, 20_000
	for _, matches := range []int{0, 1, 2, 10, 100} {
		t.Run(fmt.Sprint(matches), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, "greedy")
				d.apply(&hubState{workers: map[string]WorkerStatus{"greedy": {Name: "greedy", Slots: 2}}, limit: -1, sharing: matches})
				d.text = make([]byte, spec*3/4) // in base64
				u := d.add(0)
				u.job = &jobMessage{Opening: []string{strings.Repeat("x", job)}}
				p := d.peer("greedy")
				p.quota.SetLimit(rate.Inf)
				sent, specs, jobs := 0, 0, 0
				for range seconds * each {
					before := p.specs.Tokens()
					if d.next("greedy", nextMessage{Spec: true}, nil); p.specs.Tokens() < before {
						specs++
						sent += spec
					}
					before = p.replies.Tokens()
					if d.ask("greedy") == u {
						jobs++
						sent += job
						d.beats("greedy", 0, u.attempt, true)
					} else if p.replies.Tokens() < before {
						sent += len(wire.ReplySubjects("greedy", "client")) + len(`c.1{"version":9}`)
					}
					time.Sleep(time.Second / each)
				}
				all := max(matches, 1)
				if most := wire.ReplyBurst + seconds*wire.ReplyRate + all*(spec+job); sent*all > most {
					t.Errorf("%d matches send it %d bytes, and may send it %d", all, sent*all, most)
				}
				if specs == 0 || jobs == 0 {
					t.Errorf("it gets %d specifications and %d jobs", specs, jobs)
				}
			})
		})
	}
}

// TestManyStarts starts many machines with one key at once, which all ask for the specification, and again if they get none.
// All get it, and the key is not excluded.
func TestManyStarts(t *testing.T) {
	for size, within := range map[int]time.Duration{2_000: time.Second, 100_000: 10 * time.Minute, wire.MaxReply / 2: time.Hour} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, "one")
				d.text = make([]byte, size)
				p, began := d.peer("one"), time.Now()
				for waiting := 64; waiting > 0 && time.Since(began) <= within; {
					before := waiting
					for range before {
						tokens := p.specs.Tokens()
						if d.next("one", nextMessage{Spec: true}, nil); p.specs.Tokens() < tokens {
							waiting--
						}
					}
					if waiting > 0 {
						time.Sleep(requestTimeout)
					}
					if d.suspended("one") || waiting > 0 && time.Since(began) > within {
						t.Fatalf("after %v, %d machines wait; suspended: %v", time.Since(began), waiting, d.suspended("one"))
					}
				}
			})
		})
	}
}

// TestWaitsForKey removes the key of the owner of a match, and adds it again. Meanwhile the match hands out no units, and
// says why. Results of those that are out count.
func TestWaitsForKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "one")
		var waits error
		d.waits = func(why error) { waits = why }
		d.gets("one", d.add(0))
		workers := map[string]WorkerStatus{"one": {Name: "one", Slots: 2}}
		u := d.add(1)
		d.apply(&hubState{workers: workers, limit: 0, removed: true})
		d.gets("one", nil)
		if d.windowSize() > 0 || !errors.Is(waits, errNoKey) || len(d.warnings) != 1 {
			t.Errorf("it may hand out %d units, waits for %v, and warns %q", d.windowSize(), waits, d.warnings)
		}
		d.sends("one", "fine", 0, 0)
		if d.apply(&hubState{workers: workers, limit: -1}); waits != nil || d.windowSize() == 0 || d.task.recorded[0] != "one fine" {
			t.Errorf("it waits for %v, and has recorded %v", waits, d.task.recorded)
		}
		d.gets("one", u)
	})
}

// TestMissing reports files that the hub lacks. Only a file of the match causes an upload, if the worker plays the job. The
// dispatcher does not wait for it, and there is one at a time.
func TestMissing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "one", "two")
		hash := strings.Repeat("a", 64)
		d.blobs = []*Blob{{SHA256: hash}}
		d.add(0)
		u := d.ask("one")
		report := func(worker, missing string, uploads bool) {
			t.Helper()
			if d.next(worker, nextMessage{Unit: 0, Attempt: u.attempt}, &resultMessage{Refused: "no", Missing: missing}); d.uploading != uploads {
				t.Errorf("after a report of worker %s it uploads: %v", worker, d.uploading)
			}
			if worker == "one" {
				time.Sleep(d.settings.Silent)
				d.gets("one", u)
			}
		}
		report("two", hash, false)
		report("one", "", false)
		report("one", strings.Repeat("b", 64), false)
		report("one", hash, true)
		report("one", hash, true)
		<-d.uploaded
		d.uploading, d.uploadedAt = false, time.Now()
		synctest.Wait()
		select {
		case <-d.uploaded:
			t.Error("there are two uploads")
		default:
		}
		d.uploadedAt = time.Now()
		report("one", hash, false)
		report("one", hash, true)
	})
}

// TestLateRecheck checks that a recheck is not played again after its late result has come. If its worker refuses,
// another plays it.
func TestLateRecheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "one", "two", "three", "four")
		d.settings.Recheck = 1
		d.add(3)
		d.ask("one")
		d.sends("one", "fine", 3, 0)
		u := d.rechecks[3].unit
		left := func(want int) {
			t.Helper()
			if len(d.rechecks) != want {
				t.Errorf("%d rechecks are left", len(d.rechecks))
			}
		}
		d.gets("one", nil)
		d.sends("four", "fine", 3, u.attempt) // which never got it
		left(1)
		d.gets("two", u)
		d.refuses("two", "broken", 3, u.attempt)
		d.sends("two", "fine", 3, u.attempt-1)
		left(1)
		d.gets("three", u)
		d.retry(u)
		d.gets("four", u)
		d.sends("three", "fine", 3, u.attempt-1)
		left(0)
		if len(d.ready) > 0 || !slices.Equal(d.task.found[confirmed], []int{3}) || d.peer("four").held > 0 {
			t.Errorf("ready %v, confirmed %v", d.ready, d.task.found[confirmed])
		}
	})
}

// TestEndOfRechecks ends a match whose last recheck gets no result that decides. It waits only while somebody may play
// it, and names both workers of two results that differ.
func TestEndOfRechecks(t *testing.T) {
	for name, test := range map[string]struct {
		play       func(d *desk, u *unit)
		waits      bool
		mismatches int
	}{
		"nobody asks":          {play: func(*desk, *unit) {}, waits: true},
		"one falls silent":     {play: func(d *desk, u *unit) { d.gets("two", u) }, waits: true},
		"one refuses":          {play: func(d *desk, u *unit) { d.gets("two", u); d.refuses("two", "no", 0, u.attempt) }, waits: true},
		"the others have left": {play: func(d *desk, _ *unit) { d.connect("one") }},
		"the others are suspended": {play: func(d *desk, _ *unit) {
			d.faults["two"], d.faults["three"] = &wire.Faults{Count: 3}, &wire.Faults{Count: 3}
		}},
		"one refuses, another left": {play: func(d *desk, u *unit) {
			d.gets("two", u)
			d.refuses("two", "no", 0, u.attempt)
			d.connect("one", "two")
		}},
		"all refuse": {play: func(d *desk, u *unit) {
			for _, worker := range []string{"two", "three"} {
				d.gets(worker, u)
				d.refuses(worker, "no", 0, u.attempt)
			}
		}},
		"the third refuses": {play: func(d *desk, u *unit) {
			d.gets("two", u)
			d.sends("two", "other", 0, u.attempt)
			d.gets("two", nil)
			d.gets("three", u)
			d.refuses("three", "no", 0, u.attempt)
		}, mismatches: 1},
		"no third is there": {play: func(d *desk, u *unit) {
			d.connect("one", "two")
			d.gets("two", u)
			d.sends("two", "other", 0, u.attempt)
		}, mismatches: 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, "one", "two", "three")
				d.settings.Recheck = 1
				d.add(0)
				d.ask("one")
				d.sends("one", "fine", 0, 0)
				test.play(d, d.rechecks[0].unit)
				d.replyRecorded()
				began := time.Now()
				if err := d.run(t.Context(), nil, nil); err != nil {
					t.Fatal(err)
				}
				if waited := time.Since(began); waited > 0 != test.waits || waited > 2*d.settings.Silent+d.settings.Tick {
					t.Errorf("it waits %v", waited)
				}
				for worker, want := range map[string]int{"one": test.mismatches, "two": test.mismatches, "three": 0} {
					if f := d.faults[worker]; f != nil && f.Mismatches != want || f == nil && want > 0 {
						t.Errorf("faults of worker %s: %+v", worker, f)
					}
				}
				if len(d.rechecks) > 0 {
					t.Errorf("rechecks %v are left", d.rechecks)
				}
			})
		})
	}
}

// TestConvicts compares results of one unit and checks who plays no more of the match, and who is suspended: not an honest
// worker that two others contradict, which may be of one person.
func TestConvicts(t *testing.T) {
	for name, test := range map[string]struct {
		here               string
		outputs            []string // of the workers one, two, and so on
		excluded, suspends string
		confirmed          bool
	}{
		"equal":                           {outputs: []string{"x", "x"}, confirmed: true},
		"decided here against the first":  {here: "x", outputs: []string{"y", "x"}, suspends: "one"},
		"decided here against the second": {here: "x", outputs: []string{"x", "y"}, suspends: "two", confirmed: true},
		"neither is as here":              {here: "x", outputs: []string{"y", "z"}},
		"nobody decides":                  {outputs: []string{"x", "y"}},
		"two against one":                 {outputs: []string{"x", "y", "y"}, excluded: "one"},
		"two against the second":          {outputs: []string{"x", "y", "x"}, excluded: "two", confirmed: true},
		"three against one":               {outputs: []string{"x", "y", "y", "y"}, suspends: "one"},
		"three against the second":        {outputs: []string{"x", "y", "x", "x"}, suspends: "two", confirmed: true},
		"two against two":                 {outputs: []string{"x", "y", "y", "x"}},
		"all differ":                      {outputs: []string{"x", "y", "z", "w"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				names := []string{"one", "two", "three", "four"}[:len(test.outputs)]
				d := newDesk(t, names...)
				d.settings.Recheck, d.task.here = 1, test.here
				d.gets("one", d.add(0))
				d.sends("one", test.outputs[0], 0, 0)
				u := d.rechecks[0].unit
				d.settings.Recheck = 0
				for i, name := range names[1:] {
					d.gets(name, u)
					d.sends(name, test.outputs[i+1], 0, u.attempt)
				}
				if err := d.run(t.Context(), nil, nil); err != nil {
					t.Fatal(err)
				}
				var suspended, excluded, convicted string
				for _, name := range names {
					switch f := d.faults[name]; {
					case f != nil && f.Suspended():
						suspended += name
						convicted += name
					case d.suspended(name):
						excluded += name
						convicted += name
					}
				}
				decided := test.confirmed || convicted != ""
				if len(d.disputed) > 0 == decided || len(d.task.found[disputed]) > 0 == (name == "equal") {
					t.Errorf("found %v, and left are %v", d.task.found, d.disputed)
				}
				if suspended != test.suspends || excluded != test.excluded || strings.Join(d.task.retracted, " ") != convicted || len(d.task.found[confirmed]) > 0 != test.confirmed {
					t.Errorf("suspended %q, excluded %q, retracted %v, confirmed %v", suspended, excluded, d.task.retracted, d.task.found[confirmed])
				}
				if convicted != "" {
					d.add(1)
					d.gets(convicted, nil)
				}
			})
		})
	}
}

// TestExcludedWaits excludes a worker whose request waits for a unit. It gets none.
func TestExcludedWaits(t *testing.T) {
	for name, exclude := range map[string]func(d *desk){
		"from the match": func(d *desk) { d.exclude("one", errWaste) },
		"by the hub": func(d *desk) {
			suspended := &wire.Faults{}
			suspended.Suspend(errWaste)
			d.apply(&hubState{workers: map[string]WorkerStatus{"one": {Name: "one", Slots: 2}}, limit: -1, faults: map[string]*wire.Faults{"one": suspended}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, "one")
				d.next("one", nextMessage{Next: true, Wait: true}, nil)
				exclude(d)
				u := d.add(0)
				if d.handOut(); u.worker != "" {
					t.Error("it gets a unit")
				}
			})
		})
	}
}

// TestPendingDispute ends an execution, as a verdict does, before a third play has decided which of two results is right. The
// checks before the end of the match decide that, if there is a third player.
func TestPendingDispute(t *testing.T) {
	for name, test := range map[string]struct {
		pending  func(d *desk, u *unit) // before the end of the execution
		here     string                 // what this machine plays
		third    string                 // what a third worker plays; empty if it is gone
		convicts string
	}{
		"the first is wrong":               {third: "y", convicts: "one"},
		"the second is wrong":              {third: "x", convicts: "two"},
		"the third was playing":            {pending: func(d *desk, u *unit) { d.gets("three", u) }, third: "y", convicts: "one"},
		"the third had left":               {pending: func(d *desk, u *unit) { d.connect("one", "two"); d.abandon(d.rechecks[0]) }, third: "y", convicts: "one"},
		"this machine decides":             {here: "y", convicts: "one"},
		"this machine differs":             {here: "z"},
		"there is no third":                {},
		"the third has yet another result": {third: "z"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, "one", "two", "three")
				d.settings.Recheck = 1
				d.gets("one", d.add(0))
				d.sends("one", "x", 0, 0)
				u := d.rechecks[0].unit
				d.gets("two", u)
				d.sends("two", "y", 0, u.attempt)
				if test.pending != nil {
					test.pending(d, u)
				}
				ctx, stop := context.WithCancel(t.Context())
				stop()
				if err := d.run(ctx, nil, nil); err != nil || len(d.disputed) != 1 {
					t.Fatalf("disputed are %v, %v", d.disputed, err)
				}
				next := newDesk(t, "one", "two")
				if test.third != "" {
					next.connect("one", "two", "three")
				}
				next.disputed, next.task.here = d.disputed, test.here
				unit := checked(0, "one", 0)
				unit.earlier.Output = []byte("x")
				next.take(unit)
				next.gets("two", nil)
				next.gets("one", nil)
				if test.third != "" {
					again := next.rechecks[0].unit
					next.gets("three", again)
					next.sends("three", test.third, 0, again.attempt)
				}
				if err := next.run(t.Context(), nil, nil); err != nil {
					t.Fatal(err)
				}
				if got := strings.Join(next.task.retracted, " "); got != test.convicts || len(next.disputed) > 0 == (test.convicts != "") {
					t.Errorf("retracted are the results of %q, and disputed %v", got, next.disputed)
				}
				if told := len(d.faults) + len(next.faults); told == 0 {
					t.Error("the difference is not reported")
				}
				if test.convicts == "two" != slices.Contains(next.task.found[confirmed], 0) {
					t.Errorf("found %v", next.task.found)
				}
			})
		})
	}
}

// TestPlayedAfterDispute has another worker play a unit whose results differed, after one of them was retracted. Its own
// result is not one of the two, and it does not check itself.
func TestPlayedAfterDispute(t *testing.T) {
	for name, rechecks := range map[string]int{"drawn during the match": 1, "drawn before its end": 0} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, "third", "second")
				d.disputed[0] = &recheck{unit: &unit{}, workers: []string{"first", "second"}, judged: 2,
					results: []*resultMessage{{Output: []byte("wrong")}, {Output: []byte("fine")}}}
				d.settings.Recheck, d.task.here = rechecks, "fine"
				d.gets("third", d.add(0))
				d.sends("third", "fine", 0, 0)
				if rechecks == 0 {
					d.take(checked(0, "third", 0))
				}
				if len(d.disputed) > 0 || d.arbitrating > 0 {
					t.Error("the results before count")
				}
				u := d.rechecks[0].unit
				d.gets("third", nil)
				d.gets("second", u)
				d.sends("second", "fine", 0, u.attempt)
				if !slices.Equal(d.task.found[confirmed], []int{0}) || len(d.task.retracted) > 0 {
					t.Errorf("found %v, retracted %v", d.task.found, d.task.retracted)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) { // only the names of the workers before are known
		d := newDesk(t, "third", "fourth")
		d.disputed[0] = &recheck{unit: &unit{}, workers: []string{"first", "second"}}
		d.take(checked(0, "third", 0))
		d.gets("third", nil)
		d.gets("fourth", d.rechecks[0].unit)
	})
}

// TestChecks takes units of an earlier execution, to be checked by another worker than the one that played them. The task
// takes no more of them than may wait, and its end waits for those that somebody may play.
func TestChecks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "one", "two")
		check := func(number int, worker string) *recheck {
			d.take(&unit{number: number, games: 2, earlier: &resultMessage{Games: []*match.Line{{Worker: worker}}, Output: []byte("fine")}})
			return d.rechecks[number]
		}
		first := check(0, "one")
		d.gets("one", nil)
		d.gets("two", first.unit)
		d.sends("two", "fine", 0, first.unit.attempt)
		second := check(1, "gone")
		d.gets("one", second.unit)
		d.sends("one", "fine", 1, second.unit.attempt)
		if !slices.Equal(d.task.found[confirmed], []int{0, 1}) || d.checking() || len(d.task.recorded) > 0 {
			t.Errorf("confirmed %v, recorded %v, and checking is %t", d.task.found[confirmed], d.task.recorded, d.checking())
		}
		third := check(2, "one")
		d.gets("two", third.unit)
		for began := time.Now(); d.checking(); time.Sleep(d.settings.Tick) { // it plays for long
			d.beats("two", 2, third.unit.attempt, false)
			if waited := time.Since(began); waited > 2*d.settings.Silent+maxPatience {
				t.Fatalf("it still waits after %v", waited)
			}
		}
		for number := range maxRechecks {
			check(3+number, "one")
		}
		if !d.areRechecksFull(0) {
			t.Error("more may wait")
		}
		d.connect("one")
		if check(1000, "one") != nil {
			t.Error("a worker is to check itself")
		}
		if err := d.run(t.Context(), nil, nil); err != nil || len(d.rechecks) > 0 {
			t.Errorf("%d rechecks are left: %v", len(d.rechecks), err)
		}
	})
}

// checked returns a unit that is only checked, as a worker says that it has played it.
func checked(number int, worker string, took time.Duration) *unit {
	return &unit{number: number, games: 2, earlier: &resultMessage{Games: []*match.Line{{Worker: worker, Seconds: took.Seconds()}}, Output: []byte("fine")}}
}

// TestLongChecks checks jobs that take long. The task waits for a worker that plays one three times as long as the longest
// job took in this match, whatever its worker says. If no other job was played since the task began, that counts, within
// bounds.
func TestLongChecks(t *testing.T) {
	for name, test := range map[string]struct{ began, longest, took, least, most time.Duration }{
		"short":                  {began: 10 * time.Hour, took: time.Second, least: maxPatience, most: 13 * time.Minute},
		"long":                   {began: 10 * time.Hour, took: 2 * time.Hour, least: 6 * time.Hour, most: 6*time.Hour + maxChecks},
		"not so long":            {began: time.Hour, took: 1000 * time.Hour, least: 3 * time.Hour, most: 3*time.Hour + maxChecks},
		"for days":               {began: 1000 * time.Hour, took: 240 * time.Hour, least: 3 * mostHeld, most: 3*mostHeld + maxChecks},
		"for centuries":          {began: 1000 * time.Hour, took: math.MaxInt64, least: 3 * mostHeld, most: 3*mostHeld + maxChecks},
		"short, but said long":   {began: 1000 * time.Hour, longest: 10 * time.Minute, took: 240 * time.Hour, least: 30 * time.Minute, most: 30*time.Minute + maxChecks},
		"long, but said short":   {began: 1000 * time.Hour, longest: 2 * time.Hour, least: 6 * time.Hour, most: 6*time.Hour + maxChecks},
		"one was held for weeks": {began: 1000 * time.Hour, longest: 500 * time.Hour, least: 3 * mostHeld, most: 3*mostHeld + maxChecks},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, "one", "two")
				d.began = time.Now().Add(-test.began)
				if test.longest > 0 {
					d.gets("three", d.add(1))
					time.Sleep(test.longest)
					d.sends("three", "fine", 1, 0)
					d.replyRecorded()
				}
				d.take(checked(0, "one", test.took))
				u := d.rechecks[0].unit
				d.gets("two", u)
				began := time.Now()
				for ; d.checking() && !d.isLate() && time.Since(began) < 2*test.most; time.Sleep(d.settings.Tick) {
					d.beats("two", 0, u.attempt, false)
					if d.overdue(time.Now()); u.worker == "" && time.Since(began) < test.least {
						t.Fatalf("the worker loses it after %v", time.Since(began))
					}
				}
				if waited := time.Since(began); waited < test.least || waited > test.most+d.settings.Tick {
					t.Errorf("it waits %v", waited)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) { // a result for a job that nobody got since the match was resumed
		d := newDesk(t, "one", "two")
		d.settings.Recheck = 1
		d.add(0)
		d.sends("one", "fine", 0, 0)
		if got := d.patienceFor(d.rechecks[0]); got != maxPatience {
			t.Errorf("it waits %v", got)
		}
	})
	synctest.Test(t, func(t *testing.T) { // one that is drawn during the match
		d := newDesk(t, "one", "two")
		d.settings.Recheck = 1
		d.window.durations = slices.Repeat([]time.Duration{time.Minute}, minDurations)
		d.gets("one", d.add(0))
		time.Sleep(time.Hour)
		d.sends("one", "fine", 0, 0)
		u := d.rechecks[0].unit
		d.gets("two", u)
		time.Sleep(2 * time.Hour)
		d.beats("two", 0, u.attempt, false)
		if d.overdue(time.Now()); u.worker != "two" {
			t.Error("the worker loses the recheck")
		}
	})
}

// TestChecksEnd checks more jobs than one worker can play in the time that checks have. The task ends then, and says so.
func TestChecksEnd(t *testing.T) {
	for name, took := range map[string]time.Duration{"short": time.Minute, "long": 10 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, "one", "two")
				d.began = time.Now().Add(-time.Hour)
				units, messages, ended := make(chan *unit), make(chan delivery), make(chan error)
				began := time.Now()
				go func() { ended <- d.run(t.Context(), messages, units) }()
				for number := range 100 {
					units <- checked(number, "one", took)
				}
				close(units)
				for playing := true; playing; {
					synctest.Wait()
					message := d.message(wire.NextSubject(d.key, "two"), "two", &nextMessage{Version: wire.Version, Next: true}, nil)
					for _, c := range d.rechecks {
						switch u := c.unit; {
						case u.worker == "":
						case time.Since(u.given) < took:
							message = d.message(wire.BeatSubject(d.key, "two"), "two", &beatMessage{Version: wire.Version, Unit: u.number, Attempt: u.attempt}, nil)
						default:
							m := &nextMessage{Version: wire.Version, Unit: u.number, Attempt: u.attempt, Next: true}
							message = d.message(wire.NextSubject(d.key, "two"), "two", m, &resultMessage{Output: []byte("fine")})
						}
					}
					messages <- delivery{Msg: message, sender: &sender{}}
					select {
					case err := <-ended:
						if playing = false; err != nil {
							t.Error(err)
						}
					case <-time.After(30 * time.Second):
					}
				}
				if waited, most := time.Since(began), maxChecks+slowFactor*took; waited < most || waited > most+d.settings.Tick {
					t.Errorf("it ends after %v", waited)
				}
				if played := len(d.task.found[confirmed]); played < 5 || len(d.rechecks) > 0 || len(d.warnings) < 2 {
					t.Errorf("%d are confirmed, %d are left, and the warnings are %q", played, len(d.rechecks), d.warnings)
				}
			})
		})
	}
}

// TestLateDurations sends a result soon after its unit went to another worker, and one of a unit that nobody has got. How long
// these took is not known, so other jobs do not look slow.
func TestLateDurations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "one", "two")
		for number := range 3 * minDurations {
			u := d.add(number)
			if number%3 > 0 {
				d.gets("one", u)
				time.Sleep(time.Minute)
			}
			if number%3 == 1 {
				d.retry(u)
				d.gets("two", u)
			}
			d.sends("one", "fine", number, 0)
			if number%3 == 2 != (d.task.recorded[number] == "one fine" && len(d.window.durations) == number/3+1) {
				t.Fatalf("after unit %d, recorded are %v and the durations %v", number, d.task.recorded, d.window.durations)
			}
		}
		if got := d.window.patience(); got != slowFactor*time.Minute {
			t.Errorf("a job is slow after %v", got)
		}
	})
}

// TestStuckRechecks checks that rechecks which nobody plays do not pile up.
func TestStuckRechecks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "one", "two")
		d.settings.Recheck = 1
		for number := range 2 * maxRechecks {
			u := d.add(number)
			d.gets("one", u)
			d.sends("one", "fine", number, 0)
		}
		if len(d.rechecks) != maxRechecks {
			t.Errorf("%d rechecks wait", len(d.rechecks))
		}
		d.connect("one")
		for _, want := range []int{maxRechecks, 0} { // the other may come back soon
			if d.overdue(time.Now()); len(d.rechecks) != want || len(d.ready) != want {
				t.Errorf("%d rechecks wait, and %d are ready, instead of %d", len(d.rechecks), len(d.ready), want)
			}
			time.Sleep(2*d.settings.Silent + d.settings.Tick)
		}
		d = newDesk(t, "one", "two")
		d.settings.Recheck = 1
		long := strings.Repeat("x", maxRecheckBytes/8)
		for number := range 10 {
			d.gets("one", d.add(number))
			d.sends("one", long, number, 0)
		}
		if n := len(d.rechecks); n == 0 || n*len(long) > maxRecheckBytes {
			t.Errorf("%d rechecks wait with their results of %d bytes", n, len(long))
		}
	})
}

// TestLongDisputes lets a worker send long results of the jobs that it plays again, which differ from short ones. The match
// keeps no more bytes of disputed results than it may.
func TestLongDisputes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "one", "two")
		d.settings.Recheck = 1
		long := strings.Repeat("x", maxRecheckBytes/8)
		const jobs = 20
		for number := range jobs {
			u := d.add(number)
			d.gets("one", u)
			d.sends("one", "fine", number, u.attempt)
			again := d.ask("two")
			if again == nil || again.number != number {
				t.Fatalf("worker two gets %+v", again)
			}
			d.sends("two", long, number, again.attempt)
			synctest.Wait()
			for d.arbitrating > 0 {
				d.arbitrate(<-d.arbitrated)
			}
		}
		kept := 0
		for _, c := range d.disputed {
			for _, r := range c.results {
				kept += r.size()
			}
		}
		if len(d.disputed) != jobs || kept == 0 || kept > maxRecheckBytes {
			t.Errorf("%d bytes of %d disputed jobs are kept", kept, len(d.disputed))
		}
	})
}

// TestIdle gives a worker the specification and a unit. The match is idle before, and again a while after the worker has
// left both.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "one")
		d.text = []byte("{}")
		expect := func(when string, want bool) {
			t.Helper()
			if got := d.status().request.Idle; got != want {
				t.Errorf("%s: idle %v", when, got)
			}
		}
		u := d.add(0)
		expect("a unit waits", true)
		d.next("one", nextMessage{}, nil)
		expect("a worker has got nothing", true)
		d.next("one", nextMessage{Spec: true}, nil)
		expect("a worker has got the specification", false)
		time.Sleep(2 * wire.LiveTTL)
		expect("it got that long ago", true)
		d.gets("one", u)
		time.Sleep(2 * wire.LiveTTL)
		expect("it has had the unit for long", false)
		d.beats("one", 0, u.attempt, true)
		expect("it has left the unit", true)
	})
}
