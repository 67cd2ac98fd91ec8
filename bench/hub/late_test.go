package hub

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// TestStopped takes all units of a worker back while another waits: it counts once that the other had to wait, and not at
// all if the units have not taken longer than usual. The worker soon has all its slots again.
func TestStopped(t *testing.T) {
	const slots, usual = 64, time.Minute
	for name, back := range map[string]func(d *desk, u *unit){
		"it leaves":    func(d *desk, u *unit) { d.beats("one", u.number, u.attempt, true) },
		"it vanishes":  func(d *desk, _ *unit) { d.release("one") },
		"it refuses":   func(d *desk, u *unit) { d.refuses("one", "no", u.number, u.attempt) },
		"it is slow":   func(d *desk, u *unit) { d.overdue(d.t.Context(), time.Now()) },
		"it is silent": func(d *desk, u *unit) { u.renewed = time.Time{}; d.overdue(d.t.Context(), time.Now()) },
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
