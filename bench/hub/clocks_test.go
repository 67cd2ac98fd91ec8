package hub

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/bench/openings"
	"gyre/position"
)

// timed gives a match clocks that are meant for 1,000 nodes a second, of which each worker
// has a number of its own.
func timed(s *site, m *match.Match, nodes uint64) {
	for i := range m.Engines {
		m.Engines[i].Limits = game.TimeControl{Base: time.Hour, Increment: time.Second}
	}
	s.clock = &ClockSpec{Engine: 1, Speed: 1000}
	s.measure = measures(nodes)
}

// measures returns a measurement with a given number of nodes a second.
func measures(nodes uint64) measurer {
	return func(context.Context, *match.Match, int, int) (speed, error) { return speed{nodes: nodes}, nil }
}

// TestFactors scales times by the relative speed of a worker, within bounds.
func TestFactors(t *testing.T) {
	clock := &ClockSpec{Speed: 300_000}
	for nodes, want := range map[uint64]float64{300_000: 1, 100_000: 3, 600_000: 0.5, 171_717: 1.747, 99_000: 0, 601_000: 0, 0: 0} {
		factor, err := clock.factor(nodes)
		if _, unfit := errors.AsType[*unsuitableError](err); factor != want || unfit != (want == 0) {
			t.Errorf("%d nodes a second: %v, %v, want %v", nodes, factor, err, want)
		}
	}
}

// TestUnmeasured checks that a worker measures again later if it cannot measure an engine's speed.
func TestUnmeasured(t *testing.T) {
	m := &match.Match{Engines: []game.Engine{{Name: "stalled"}}}
	w := &Worker{Slots: 1, measure: func(context.Context, *match.Match, int, int) (speed, error) { return speed{}, errors.New("no answer") }}
	var p preparation
	err := w.scale(context.Background(), "key", &ClockSpec{Speed: 1}, m, &p)
	if err == nil || err.Error() != "the speed of engine stalled: no answer" {
		t.Fatal(err)
	}
	if w.refuse(&p, err); p.refused() == nil || p.until.IsZero() {
		t.Errorf("it is refused until %v: %v", p.until, p.refused())
	}
}

// TestClocks plays a match with clocks on two workers, one of them half as fast as the reference:
// each game records the factor of its times.
func TestClocks(t *testing.T) {
	long(t)
	m, programs := pairing(t, 10, enginetest.Good, enginetest.Good)
	s := newSite(t)
	timed(s, m, 500)
	j := locally(t, m)
	s.work("half", nil)
	s.work("quick", func(w *Worker) { w.measure = measures(1250) })
	if err := s.over(context.Background(), m, programs, j.path, &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	j.check(t)
	for number, line := range played(t, j.path) {
		if want := map[string]float64{"half": 2, "quick": 0.8}[line.Worker]; line.Factor != want {
			t.Errorf("game %d, by worker %s: times multiplied by %v, not %v", number, line.Worker, line.Factor, want)
		}
	}
}

// TestUnfit connects a worker that is too slow for the clocks of a match, and one that is too
// fast. The match and the status name both with the reason, and another worker plays.
func TestUnfit(t *testing.T) {
	long(t)
	m, programs := pairing(t, 3, enginetest.Good, enginetest.Good)
	s := newSite(t)
	timed(s, m, 1000)
	j := locally(t, m)
	h := s.connect("")
	s.work("slow", func(w *Worker) { w.measure = measures(300) })
	s.work("quick", func(w *Worker) { w.measure = measures(5000) })
	reasons := map[string]string{"slow": "visits 300 nodes a second in each slot, and its clocks are meant for 1000: times can be multiplied by 0.5 to 3, not by 3.333", "quick": "not by 0.2"}
	left := len(reasons)
	l := &listener{t: t, warned: func(text string) {
		for name, why := range reasons {
			if strings.Contains(text, "worker "+name) && strings.Contains(text, "cannot play this match") && strings.Contains(text, why) {
				left--
				delete(reasons, name)
				s.await(h, name, func(p WorkerStatus) bool { return len(p.Refuses) == 1 && strings.Contains(p.Why[p.Refuses[0]], why) })
			}
		}
		if left == 0 {
			left--
			var told strings.Builder
			status, err := h.Status(context.Background())
			if err == nil {
				err = status.Write(&told, unwrapped)
			}
			if err != nil || !strings.Contains(told.String(), "not by 3.333") {
				t.Errorf("status tells %q, %v", told.String(), err)
			}
			s.work("fit", nil)
		}
	}}
	if err := s.over(context.Background(), m, programs, j.path, l); err != nil {
		t.Fatal(err)
	}
	j.check(t)
	for number, line := range played(t, j.path) {
		if line.Worker != "fit" || line.Factor != 1 {
			t.Errorf("game %d was played by worker %s, times multiplied by %v", number, line.Worker, line.Factor)
		}
	}
}

// TestLateTimers connects a worker whose timers are late with two games at a time. It plays one
// game at a time, reports that, and plays more at a time after the match. A worker whose timers
// are late even with one game plays none.
func TestLateTimers(t *testing.T) {
	long(t)
	m, programs := pairing(t, 6, enginetest.Good, enginetest.Good)
	s := newSite(t)
	timed(s, m, 1000)
	m.Conditions.Margin = 20 * time.Millisecond
	j := locally(t, m)
	h := s.connect("")
	var mu sync.Mutex
	var tried []int
	var warned []string
	late := func(from int) measurer {
		return func(_ context.Context, _ *match.Match, _, slots int) (speed, error) {
			mu.Lock()
			defer mu.Unlock()
			if from > 1 {
				tried = append(tried, slots)
			}
			if slots < from {
				return speed{nodes: 1000}, nil
			}
			return speed{nodes: 1, late: "timers are up to 31ms late"}, nil
		}
	}
	s.work("busier", func(w *Worker) { w.measure = late(1) })
	begun := false
	l := &listener{t: t, act: func(ended int) {
		if ended > 1 { // the last may be over for the worker before it is told here
			return
		}
		s.await(h, "busy", func(p WorkerStatus) bool {
			return p.Slots == 1 && strings.Contains(p.Limited, "with 2 at once timers are")
		})
	}, warned: func(text string) {
		if begun || !strings.Contains(text, "worker busier") || !strings.Contains(text, "too strict for this machine: with 1 at once timers are") {
			return
		}
		begun = true
		s.await(h, "busier", func(p WorkerStatus) bool { return len(p.Refuses) == 1 })
		s.work("busy", func(w *Worker) {
			w.Slots, w.measure = 4, late(2)
			w.Warn = func(err error) {
				mu.Lock()
				defer mu.Unlock()
				warned = append(warned, err.Error())
			}
		})
	}}
	if err := s.over(context.Background(), m, programs, j.path, l); err != nil {
		t.Fatal(err)
	}
	j.check(t)
	s.await(h, "busy", func(p WorkerStatus) bool { return p.Slots == 4 && p.Limited == "" })
	mu.Lock()
	defer mu.Unlock()
	if diff := cmp.Diff([]int{4, 2, 1}, tried); diff != "" {
		t.Errorf("games at once that were measured (-want +got): %s", diff)
	}
	if all := strings.Join(warned, "\n"); !strings.Contains(all, "at most 1 at once instead of 4 until it is over") {
		t.Errorf("the worker told %q", all)
	}
}

// TestFewerSlots checks that the slots beyond the strictest limit of the matches in play are idle.
func TestFewerSlots(t *testing.T) {
	w := &Worker{Slots: 8, running: map[string]*runningMatch{"a": {}, "b": {}, "c": {}},
		ready: map[string]*preparation{"a": {slots: 4, limited: "a"}, "b": {slots: 2, limited: "b"}, "over": {slots: 1, limited: "over"}}}
	for slot, want := range []int{3, 3, 0, 0} {
		if keys, _ := w.playable(slot); len(keys) != want || w.overCapacity(slot) != (want == 0) {
			t.Errorf("slot %d plays in %q", slot, keys)
		}
	}
	delete(w.running, "b")
	if slots, why := w.capacity(); slots != 4 || why != "a" {
		t.Errorf("%d at once: %q", slots, why)
	}
	w.refuse(w.ready["a"], errors.New("its engine is broken"))
	if slots, why := w.capacity(); slots != 8 || why != "" {
		t.Errorf("with a match that it plays no more %d at once: %q", slots, why)
	}
}

// TestFloor lets a slot measure among others that play for various times. It does not keep them waiting for longer than games
// and measurements may last, nor does it wait longer.
func TestFloor(t *testing.T) {
	for _, test := range []struct {
		game, measurement time.Duration
		typical           time.Duration // of earlier jobs
		measures          bool
		waits             time.Duration // of another slot
	}{
		{0, 10 * time.Second, 0, true, 10 * time.Second},
		{time.Minute, 10 * time.Second, time.Second, true, 70 * time.Second},
		{24 * time.Hour, 0, 0, false, leastClearing},
		{24 * time.Hour, 0, time.Second, false, leastClearing},
		{40 * time.Minute, 10 * time.Second, 30 * time.Minute, true, 40*time.Minute + 10*time.Second},
		{24 * time.Hour, 0, 30 * time.Minute, false, time.Hour},
		{24 * time.Hour, 0, 24 * time.Hour, false, maxClearing},
		{time.Minute, 24 * time.Hour, 0, false, time.Minute + maxMeasuring},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := &Worker{Slots: 2, Tell: func(string) {}, measure: func(ctx context.Context, _ *match.Match, _, _ int) (speed, error) {
				select {
				case <-time.After(test.measurement):
					return speed{nodes: 1}, nil
				case <-ctx.Done():
					return speed{}, ctx.Err()
				}
			}}
			w.typical = map[string]float64{"short": 1, "long": test.typical.Seconds()}
			var all sync.WaitGroup
			if err := w.floor.enter(t.Context()); err != nil {
				t.Fatal(err)
			}
			all.Go(func() { time.Sleep(test.game); w.floor.leave() })
			all.Go(func() {
				m := &match.Match{Engines: []game.Engine{{Name: "one"}}}
				err := w.scale(t.Context(), "key", &ClockSpec{Speed: 1}, m, &preparation{})
				if _, unsuitable := errors.AsType[*unsuitableError](err); unsuitable == test.measures || test.measures && err != nil {
					t.Errorf("%+v: error %v", test, err)
				}
			})
			synctest.Wait()
			began := time.Now()
			if err := w.floor.enter(t.Context()); err != nil || time.Since(began) != test.waits {
				t.Errorf("%+v: another slot waits for %v, %v", test, time.Since(began), err)
			}
			w.floor.leave()
			ended, end := context.WithCancel(t.Context())
			end()
			leave, err := w.floor.clear(t.Context(), leastClearing)
			if err == nil {
				if err := w.floor.enter(ended); !errors.Is(err, context.Canceled) {
					t.Errorf("it waits for a slot that measures: %v", err)
				}
				leave()
			} else if test.game < time.Hour {
				t.Error(err)
			}
			all.Wait()
		})
	}
}

// TestUnsuitable lets a worker refuse a match again and again. It waits longer each time only if slots were idle before it did.
func TestUnsuitable(t *testing.T) {
	for why, grows := range map[error]bool{error(errLongGames): true, fmt.Errorf("again: %w", errLongGames): true, &unsuitableError{"too slow"}: false} {
		synctest.Test(t, func(t *testing.T) {
			w, p := &Worker{}, &preparation{}
			want := unsuitableFor
			for range 8 {
				w.refuse(p, why)
				if got := time.Until(p.until); got != want {
					t.Fatalf("%v: it waits %v, not %v", why, got, want)
				}
				time.Sleep(want + 1)
				if p.refused() != nil {
					t.Fatal("it does not try again")
				}
				if grows {
					want = min(2*want, maxUnsuitable)
				}
			}
		})
	}
}

// TestRefusedJobs checks that a job that was refused, or given back, says nothing about how long games last.
func TestRefusedJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &Worker{}
		w.reset()
		for _, job := range []struct {
			played bool
			want   time.Duration
		}{{false, leastClearing}, {true, time.Hour}, {false, time.Hour}} {
			finish := w.begin("m")
			time.Sleep(time.Hour - time.Second)
			if finish(job.played); w.clearing().Round(time.Minute) != job.want {
				t.Errorf("%+v: it waits for %v", job, w.clearing())
			}
		}
	})
}

// TestClockLiars lets workers send false speeds, factors and times.
func TestClockLiars(t *testing.T) {
	t.Parallel()
	testLiars(t, []lie{
		{"a speed that nobody has", func(r *resultMessage) { r.Speed = 10 }, "not by 100"},
		{"times multiplied by more", func(r *resultMessage) { r.Games[0].Factor = 3 }, "multiplied by 3, and the worker's speed requires 2"},
		{"a turn beyond its clock", func(r *resultMessage) { r.Games[0].Turns[0].MS = 3 * 3600_000 }, "it took 3h0m0s of 2h0m0s, but the game continued"},
		{"a turn before it began", func(r *resultMessage) { r.Games[1].Turns[1].MS = -1 }, "it took -1ms"},
		{"times that are not multiplied", func(r *resultMessage) { r.Games[1].Factor = 0 }, "multiplied by 0, and"},
		{"a loss on time", func(r *resultMessage) {
			g := r.Games[1]
			g.Turns, g.Reason, g.Result = g.Turns[:4], game.TimeForfeit, "white"
		}, "late answers are recorded"},
	}, func(s *site, m *match.Match) { timed(s, m, 500) })
}

// TestReference measures the speed of a program once. The hub then knows it for the same options
// and rules, but not for others, and not if the machine was busy.
func TestReference(t *testing.T) {
	long(t)
	m, programs := pairing(t, 1, enginetest.Counts, enginetest.Counts)
	s := newSite(t)
	ctx, h := context.Background(), s.connect("")
	if clock, told, err := h.Reference(ctx, m, programs, 0); clock != nil || told != "" || err != nil {
		t.Errorf("without clocks: %v, %q, %v", clock, told, err)
	}
	timed(s, m, 0)
	ask := func(nodes uint64) string {
		got, from, err := h.speedOf(ctx, m, 1, &programs[1], measures(nodes))
		return fmt.Sprint(got, " ", from, " ", err)
	}
	if first, again := ask(700), ask(800); !strings.HasPrefix(first, "700 as on this one") || !strings.HasPrefix(again, "700 as stored on the hub") {
		t.Errorf("%s, then %s", first, again)
	}
	m.Engines[1].Settings = []game.Setting{{Name: "Hash", Value: "2"}}
	late := func(context.Context, *match.Match, int, int) (speed, error) {
		return speed{nodes: 1, late: "late"}, nil
	}
	if got, from, err := h.speedOf(ctx, m, 1, &programs[1], late); got != 1 || !strings.Contains(from, "busy with other things (late)") || err != nil {
		t.Errorf("on a busy machine: %d %s %v", got, from, err)
	}
	if other := ask(900); !strings.HasPrefix(other, "900 as on this one") {
		t.Errorf("with other options: %s", other)
	}
	standard := m.Openings
	m.Openings = openings.Book{game.Opening{Start: position.Start(position.Blitz)}}
	if other := ask(950); !strings.HasPrefix(other, "950 as on this one") {
		t.Errorf("by other rules: %s", other)
	}
	m.Openings = standard
	clock, told, err := h.Reference(ctx, m, programs, 5)
	if diff := cmp.Diff(&ClockSpec{Engine: 1, Speed: 5}, clock); diff != "" || !strings.Contains(told, "counts1 visits 5 nodes a second in each game, as given") || err != nil {
		t.Errorf("as given: %s, %q, %v", diff, told, err)
	}
	if got, err := measureSpeed(ctx, m, 1, 2); got.nodes == 0 || err != nil {
		t.Errorf("measured: %+v, %v", got, err)
	}
	m.Engines[1].Limits = game.TimeControl{Nodes: 1}
	if at := reference(m, programs); at != 0 {
		t.Errorf("engine %d is the reference of one with a clock and one without", at)
	}
	if got := reference(m, []Program{{Reference: "random"}, programs[1]}); got != -1 {
		t.Errorf("engine %d is the reference, of which none is sent", got)
	}
}
