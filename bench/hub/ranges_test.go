package hub

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"
)

// TestAhead lets the programs of an owner write long outputs for all ranges of two tasks but the lowest, which takes
// long. What waits in memory is bounded for both together. Then only the lowest range is handed out, and when it is
// there, all others follow, in order.
func TestAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const total, size, most = 12, maxOutput / 2, 4 * maxOutput
		shared := &memory{most: most}
		type task struct {
			*desk
			*Ranges
			kept  []uint32
			units []*unit
		}
		begin := func() *task {
			r := &task{desk: newDesk(t, "slow", "fast")}
			r.Ranges = &Ranges{memory: shared, waiting: map[int]*output{}, ahead: make(chan struct{}, maxAhead),
				Check: func(uint32, uint32, []byte) error { return nil },
				Keep:  func(first, _ uint32, _ []byte) error { r.kept = append(r.kept, first); return nil }}
			r.dispatcher.task, r.dispatcher.spec = r.Ranges, &Spec{Ranges: &RangesSpec{}}
			for i := range total {
				u := r.add(i)
				u.span = span{uint32(i), uint32(i + 1)}
				r.ahead <- struct{}{}
				r.units = append(r.units, u)
			}
			r.gets("slow", r.units[0])
			return r
		}
		output := string(bytes.Repeat([]byte("x"), size))
		play := func(r *task, worker string) (played int) {
			for u := r.ask(worker); u != nil; u = r.ask(worker) {
				r.sends(worker, output, u.number, u.attempt)
				played++
			}
			return played
		}
		one, two := begin(), begin()
		late := one.ask("fast") // before there is too much
		played := 1 + play(one, "fast") + play(two, "fast")
		one.sends("fast", output, late.number, late.attempt)
		if used := shared.used.Load(); used > most || used < most-maxOutput {
			t.Errorf("%d bytes wait, and %d may", used, most)
		}
		if played == 1 || played > most/size+1 {
			t.Errorf("%d ranges were played", played)
		}
		two.beats("slow", 0, two.units[0].attempt, true)
		time.Sleep(2 * time.Minute) // others may play what it gave back
		two.gets("fast", two.units[0])
		two.gets("fast", nil)
		two.sends("fast", output, 0, two.units[0].attempt)
		one.sends("slow", output, 0, one.units[0].attempt)
		one.sends("fast", output, late.number, 0) // again
		for _, r := range []*task{one, two} {
			play(r, "fast")
			for i, first := range r.kept {
				if first != uint32(i) {
					t.Fatalf("the ranges were stored in the order %d", r.kept)
				}
			}
			if len(r.kept) != total || shared.used.Load() > most {
				t.Errorf("%d of %d ranges were stored, %d bytes wait", len(r.kept), total, shared.used.Load())
			}
		}
		if used := shared.used.Load(); used != 0 {
			t.Errorf("%d bytes are in use at the end", used)
		}
		three := begin()
		play(three, "fast")
		three.forget()
		if used := shared.used.Load(); used != 0 {
			t.Errorf("%d bytes are in use after a task has ended", used)
		}
	})
}
