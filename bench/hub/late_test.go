package hub

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"

	"gyre/bench/hub/internal/wire"
)

// TestStarved plays a match of which all honest workers are late, next to a worker that asks for units all the time in any
// way, and plays none. The match ends.
func TestStarved(t *testing.T) {
	const units = 8
	own := func(d *desk) uint64 { return uint64(d.requests + 1) } // the number of the next request
	for name, ask := range map[string]func(d *desk){              // once a second
		"it waits for no unit": func(d *desk) { d.next("idler", nextMessage{Wait: true}, nil) },
		"it got no reply to what it asks": func(d *desk) {
			d.next("idler", nextMessage{Next: true, Wait: true, Unanswered: []uint64{own(d)}}, nil)
		},
		"it gets no reply to what it asked": func(d *desk) {
			d.next("idler", nextMessage{Next: true, Wait: true}, nil)
			d.next("idler", nextMessage{Unanswered: []uint64{own(d) - 1}}, nil)
		},
		"it plays none": func(d *desk) { d.next("idler", nextMessage{Next: true, Wait: true}, nil) },
		"it gives all back": func(d *desk) {
			d.next("idler", nextMessage{Next: true, Wait: true}, nil)
			for _, u := range d.out() {
				if u.worker == "idler" {
					d.beats("idler", u.number, u.attempt, true)
				}
			}
		},
		"it got none": func(d *desk) {
			var lost []uint64
			for _, u := range d.out() {
				if u.worker == "idler" {
					number, err := strconv.ParseUint(wire.LastToken(u.reply), 36, 64)
					if err != nil {
						d.t.Fatal(err)
					}
					lost = append(lost, number)
				}
			}
			d.next("idler", nextMessage{Next: true, Wait: true, Unanswered: lost}, nil)
		},
		"others follow it": func(d *desk) {
			for range 4 { // with a new name every ten seconds
				d.next(fmt.Sprint("idler", time.Now().Unix()/10), nextMessage{Next: true, Wait: true}, nil)
			}
		},
		"it reports for ever": func(d *desk) {
			d.next("idler", nextMessage{Next: true, Wait: true}, nil)
			for _, u := range d.out() {
				if u.worker == "idler" {
					d.beats("idler", u.number, u.attempt, false)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, "idler", "one", "two")
				d.window.durations = slices.Repeat([]time.Duration{20 * time.Second}, minDurations)
				for number := range 2 { // both fall silent once
					u := d.add(number)
					name := []string{"one", "two"}[number]
					d.gets(name, u)
				}
				time.Sleep(d.settings.Silent + time.Second)
				d.overdue(time.Now())
				if len(d.late) != 2 {
					t.Fatalf("%v are late", d.late)
				}
				for number := 2; number < units; number++ {
					d.add(number)
				}
				type job struct {
					unit    *unit
					attempt int
					ends    time.Time
				}
				jobs := map[string][]job{}
				for began := time.Now(); len(d.window.open) > 0; time.Sleep(time.Second) {
					if time.Since(began) > time.Hour {
						t.Fatalf("%d of %d units are left", len(d.window.open), units)
					}
					d.replyIdle(time.Now())
					d.overdue(time.Now())
					d.handOut()
					for _, name := range []string{"one", "two"} {
						if d.peer(name).idle == 0 && len(jobs[name]) < 2 {
							d.next(name, nextMessage{Next: true, Wait: true}, nil)
						}
						for _, u := range d.out() {
							if u.worker == name && !slices.ContainsFunc(jobs[name], func(j job) bool { return j.unit == u && j.attempt == u.attempt }) {
								jobs[name] = append(jobs[name], job{u, u.attempt, time.Now().Add(20 * time.Second)})
							}
						}
						jobs[name] = slices.DeleteFunc(jobs[name], func(j job) bool {
							if time.Now().Before(j.ends) {
								d.beats(name, j.unit.number, j.attempt, false)
								return false
							}
							d.sends(name, "fine", j.unit.number, j.attempt)
							return true
						})
					}
					ask(d)
				}
			})
		})
	}
}

// TestStopped takes all units of a worker back while another waits: it counts once that the other had to wait, and not at
// all if the units have not taken longer than usual. The worker soon has all its slots again.
func TestStopped(t *testing.T) {
	const slots, usual = 64, time.Minute
	for name, back := range map[string]func(d *desk, u *unit){
		"it leaves":    func(d *desk, u *unit) { d.beats("one", u.number, u.attempt, true) },
		"it vanishes":  func(d *desk, _ *unit) { d.release("one") },
		"it refuses":   func(d *desk, u *unit) { d.refuses("one", "no", u.number, u.attempt) },
		"it is slow":   func(d *desk, u *unit) { d.overdue(time.Now()) },
		"it is silent": func(d *desk, u *unit) { u.renewed = time.Time{}; d.overdue(time.Now()) },
	} {
		for _, after := range []time.Duration{usual / 2, 3*usual + time.Second} {
			t.Run(name+" after "+after.String(), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					d := newDesk(t)
					d.apply(&hubState{workers: map[string]WorkerStatus{"one": {Slots: slots}, "other": {Slots: slots}}, limit: -1})
					d.window.durations = slices.Repeat([]time.Duration{usual}, keptDurations)
					p := d.peer("one")
					p.sent = slots
					var units []*unit
					for number := range slots {
						units = append(units, d.add(number))
						d.gets("one", units[number])
					}
					time.Sleep(after)
					for _, u := range units {
						u.renewed = time.Now()
					}
					for range slots {
						d.next("other", nextMessage{Next: true, Wait: true}, nil)
					}
					for _, u := range units {
						back(d, u)
					}
					most := 1
					if after < usual {
						most = 0
					}
					if p.delays > most {
						t.Errorf("its delays count %d times", p.delays)
					}
					for p.sent = 0; d.late["one"] || p.most() < 2*slots; d.prove("one") {
						if p.sent > 2*slots {
							t.Fatalf("after %d results it is late: %t, and may have %d units", p.sent, d.late["one"], p.most())
						}
					}
				})
			})
		}
	}
}

// TestMakesUp counts the results after which a late worker is no longer late.
func TestMakesUp(t *testing.T) {
	for _, test := range []struct{ slots, silent, once, twice, often int }{
		{1, 15, 30, 60, 3840},
		{16, 15, 30, 60, 3840},
		{64, 63, 126, 252, 16128},
	} {
		synctest.Test(t, func(t *testing.T) {
			// results returns how many results a worker sends after it kept the match waiting so often, or else fell silent.
			results := func(delays int) (sent int) {
				d := newDesk(t)
				d.apply(&hubState{workers: map[string]WorkerStatus{"one": {Slots: test.slots}}, limit: -1})
				d.markLate("one", delays > 0)
				for range delays - 1 {
					time.Sleep(d.settings.Silent + time.Second)
					d.markLate("one", true)
				}
				for ; d.late["one"]; sent++ {
					d.prove("one")
				}
				return sent
			}
			for delays, want := range map[int]int{0: test.silent, 1: test.once, 2: test.twice, 2 * maxDelays: test.often} {
				if got := results(delays); got != want {
					t.Errorf("%d slots, %d delays: it sends %d results, not %d", test.slots, delays, got, want)
				}
			}
		})
	}
}

// TestRefusingTaker has a worker that refuses the match, and for which the window has no room, take all units it can get between
// two reports to the hub. Another worker still gets one each time.
func TestRefusingTaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		d.apply(&hubState{workers: map[string]WorkerStatus{"honest": {Slots: 2}, "taker": {Slots: 32, Refuses: []string{d.key}}}, limit: -1})
		number := 0
		fill := func() {
			for ; d.jobs() < d.windowSize(); number++ {
				d.add(number)
			}
		}
		for round := range 40 {
			for fill(); d.ask("taker") != nil; {
				fill()
			}
			u := d.ask("honest")
			if u == nil {
				t.Fatalf("round %d: the other worker gets no unit while the taker has %d", round, d.peer("taker").held)
			}
			d.sends("honest", "fine", u.number, u.attempt)
		}
	})
}

// TestFreeWaste has a worker owe for replies, and send what costs nothing: that excludes nobody.
func TestFreeWaste(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, "one")
		for quota := d.peer("one").quota; quota.Tokens() >= 0; {
			quota.ReserveN(time.Now(), quota.Burst())
		}
		if d.waste("one", 1); d.suspended("one") {
			t.Error("it is excluded for what its credit pays")
		}
	})
}

// TestWaits checks which requests a match keeps until it has a unit: those whose workers still wait for one.
func TestWaits(t *testing.T) {
	for name, test := range map[string]struct {
		last  nextMessage
		waits int // requests, with one before
	}{
		"for a unit":                        {nextMessage{Next: true, Wait: true}, 2},
		"for no unit":                       {nextMessage{Wait: true}, 1},
		"without a reply to itself":         {nextMessage{Next: true, Wait: true, Unanswered: []uint64{2}}, 1},
		"without a reply to the one before": {nextMessage{Next: true, Wait: true, Unanswered: []uint64{1}}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, "one", "two")
				d.next("one", nextMessage{Next: true, Wait: true}, nil)
				d.next("one", test.last, nil)
				if len(d.idle) != test.waits || d.peer("one").idle != test.waits {
					t.Errorf("%d requests wait, counted as %d, want %d", len(d.idle), d.peer("one").idle, test.waits)
				}
			})
		})
	}
}

// BenchmarkHandOut measures what a dispatcher does after each message while all ready units wait for others.
func BenchmarkHandOut(b *testing.B) {
	for name, fill := range map[string]func(d *desk){
		"a thousand workers wait, and it is not their turn": func(d *desk) {
			workers := []string{"drawn"}
			for i := range 1000 {
				workers = append(workers, fmt.Sprint("worker", i))
			}
			d.connect(workers...)
			for number := range 30 {
				u := d.add(number)
				u.asked, u.drawn, u.turnEnds = map[string]bool{}, "drawn", time.Now().Add(time.Hour)
			}
			d.peer("drawn").active, d.peer("drawn").asks = time.Now().Add(time.Hour), true
			for _, name := range workers[1:] {
				d.queueUp(name)
			}
		},
		"a worker waits for others to take what it has lost": func(d *desk) {
			for number := range 1000 {
				d.add(number).holders = []string{"one"}
			}
			for range 2 * maxSlots {
				d.queueUp("one")
			}
		},
	} {
		b.Run(name, func(b *testing.B) {
			d := newDesk(b, "one", "two")
			d.settings.Silent = time.Hour // the clock is real
			fill(d)
			for b.Loop() {
				d.handOut()
			}
			if waiting := len(d.idle); waiting < 1000 {
				b.Fatalf("%d requests wait", waiting)
			}
		})
	}
}

// queueUp adds a request of a worker that waits for a unit.
func (d *desk) queueUp(worker string) {
	d.requests++
	d.peer(worker).idle++
	reply := wire.ReplySubjects(worker, "client") + "c." + strconv.Itoa(d.requests)
	d.idle = append(d.idle, &request{worker: worker, msg: &nats.Msg{Reply: reply}, next: true, at: time.Now()})
}
