package hub

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"gyre/bench"
	"gyre/bench/game"
	"gyre/bench/hub/internal/wire"
	"gyre/bench/load"
	"gyre/bench/match"
	"gyre/position"
)

// ClockSpec is the speed of one of a match's engines, the reference, for which its real clocks
// are meant. A worker measures the reference in all its slots at once and multiplies all times
// by the ratio of the speeds, as fishtest's workers do. So each engine visits about the same
// number of nodes on any machine.
type ClockSpec struct {
	Engine int    `json:"engine"` // index of the reference
	Speed  uint64 `json:"speed"`  // in nodes a second
}

// The bounds of the factor of times. A faster or slower machine would not be typical of the
// match, and the match would wait for it.
const (
	minFactor = 0.5
	maxFactor = 3
)

// unsuitableFor is how long a worker does not play a match for whose clocks it was unsuitable:
// it may have been busy with something else. If other games lasted too long, slots were idle meanwhile, so each time is
// twice as long, up to maxUnsuitable.
const (
	unsuitableFor = 10 * time.Minute
	maxUnsuitable = 4 * time.Hour
)

// unsuitableError is why a worker is unsuitable for the clocks of a match.
type unsuitableError struct{ why string }

func (e *unsuitableError) Error() string { return e.why }

// factor returns the factor of times for a speed of the reference, to three decimals.
func (c *ClockSpec) factor(speed uint64) (float64, error) {
	factor := math.Round(1000*float64(c.Speed)/float64(max(speed, 1))) / 1000
	if factor < minFactor || factor > maxFactor {
		return 0, &unsuitableError{fmt.Sprintf("its reference engine visits %d nodes a second in each slot, and its clocks are meant for %d: times can be multiplied by %v to %v, not by %v",
			speed, c.Speed, minFactor, maxFactor, factor)}
	}
	return factor, nil
}

// verify returns an error unless the clocks of a result were scaled by its speed, or not at all
// if c is nil.
func (c *ClockSpec) verify(r *resultMessage) error {
	factor := 0.0
	if c != nil {
		var err error
		if factor, err = c.factor(r.Speed); err != nil {
			return err
		}
	}
	for _, line := range r.Games {
		if line.Factor != factor {
			return fmt.Errorf("game %d: its times are multiplied by %v, and the worker's speed requires %v", line.Game+1, line.Factor, factor)
		}
	}
	return nil
}

// errNoReference is why a match with real clocks cannot be played over a hub.
var errNoReference = errors.New("clocks of real time need a reference engine to scale them by, and no engine with such a clock is sent as a program; use -nodes, or -nodestime to count time in nodes")

// reference returns the index of the reference: the last engine with a real clock whose program
// is sent; -1 for none.
func reference(m *match.Match, programs []Program) int {
	for i := len(m.Engines) - 1; i >= 0; i-- {
		if m.Engines[i].Limits.RealTime() && programs[i].Path != "" {
			return i
		}
	}
	return -1
}

// floor is where the slots of a worker play: many at once, but none while one of them measures.
type floor struct {
	mu      sync.Mutex
	players int
	taken   bool          // whether a slot measures, or waits until nobody plays
	changed chan struct{} // closed and replaced when the others change; nil if nobody waits
}

// Nobody plays while a slot measures, which takes some seconds, nor while it waits for those that play: for leastClearing, or
// twice as long as their jobs usually last. So both are bounded, whatever engines do.
const (
	leastClearing = 10 * time.Minute
	maxClearing   = 4 * time.Hour
	maxMeasuring  = 5 * time.Minute
)

var (
	errLongGames     = &unsuitableError{"other games last too long, and its clocks need a measurement while nothing else is played"}
	errLongMeasuring = errors.New("it takes longer than an engine may")
)

// wait waits until a condition holds, and carries out then. The error is ctx's cause.
func (f *floor) wait(ctx context.Context, holds func() bool, then func()) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for !holds() {
		if f.changed == nil {
			f.changed = make(chan struct{})
		}
		changed := f.changed
		f.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
		}
		f.mu.Lock()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	f.change(then)
	return nil
}

// change changes who is there. f.mu must be held.
func (f *floor) change(do func()) {
	do()
	if f.changed != nil {
		close(f.changed)
		f.changed = nil
	}
}

// enter waits until a slot may play.
func (f *floor) enter(ctx context.Context) error {
	return f.wait(ctx, func() bool { return !f.taken }, func() { f.players++ })
}

// leave ends what enter began.
func (f *floor) leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.change(func() { f.players-- })
}

// clear waits for some time until nobody plays, and keeps others from it until the function that comes back is called. The error
// says that games last too long, or is ctx's cause.
func (f *floor) clear(ctx context.Context, patience time.Duration) (leave func(), err error) {
	if err := f.wait(ctx, func() bool { return !f.taken }, func() { f.taken = true }); err != nil {
		return nil, err
	}
	leave = func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.change(func() { f.taken = false })
	}
	clearing, stop := context.WithTimeoutCause(ctx, patience, errLongGames)
	defer stop()
	if err := f.wait(clearing, func() bool { return f.players == 0 }, func() {}); err != nil {
		leave()
		return nil, err
	}
	return leave, nil
}

// clearing returns how long a slot waits until nobody plays.
func (w *Worker) clearing() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	patience := leastClearing
	for _, seconds := range w.typical {
		patience = max(patience, time.Duration(2*seconds*float64(time.Second)))
	}
	return min(patience, maxClearing)
}

// scale sets the factor of times of a match, and reduces the worker's games at once until its
// timers are on time. The worker plays nothing while it measures.
func (w *Worker) scale(ctx context.Context, key string, clock *ClockSpec, m *match.Match, p *preparation) error {
	if clock.Engine < 0 || clock.Engine >= len(m.Engines) {
		return fmt.Errorf("its reference is engine %d of %d", clock.Engine+1, len(m.Engines))
	}
	leave, err := w.floor.clear(ctx, w.clearing())
	if err != nil {
		return err
	}
	defer leave()
	ctx, stop := context.WithTimeoutCause(ctx, maxMeasuring, errLongMeasuring)
	defer stop()
	measure := w.measure
	if measure == nil {
		measure = measureSpeed
	}
	late := ""
	for slots := w.Slots; slots > 0; slots /= 2 {
		got, err := measure(ctx, m, clock.Engine, slots)
		if err = cmp.Or(context.Cause(ctx), err); err != nil {
			return &unsuitableError{fmt.Sprintf("the speed of engine %s: %v", m.Engines[clock.Engine].Name, err)}
		}
		if got.late != "" {
			late = fmt.Sprintf("with %d at once %s, and turns may be at most %v late", slots, got.late, minMargin(m))
			continue
		}
		factor, err := clock.factor(got.nodes)
		if err != nil {
			return err
		}
		m.Conditions.TimeFactor = factor
		w.mu.Lock()
		p.speed, p.slots, p.limited = got.nodes, slots, late
		w.mu.Unlock()
		w.tell(fmt.Sprintf("match %.8s: times are multiplied by %v here, because its engine %s visits %d nodes a second in each of %d slots",
			wire.LastToken(key), factor, m.Engines[clock.Engine].Name, got.nodes, slots))
		if late != "" {
			w.warn(w.ownerOf(key), fmt.Errorf("match %.8s: %s: playing at most %d at once instead of %d until it is over", wire.LastToken(key), late, slots, w.Slots))
		}
		return nil
	}
	return &unsuitableError{"its clocks are too strict for this machine: " + late}
}

// minMargin returns the smallest margin of the real clocks of a match.
func minMargin(m *match.Match) time.Duration {
	least := time.Duration(math.MaxInt64)
	for i := range m.Engines {
		e := &m.Engines[i]
		switch {
		case !e.Limits.RealTime():
		case e.HasMargin:
			least = min(least, e.Margin)
		default:
			least = min(least, m.Conditions.Margin)
		}
	}
	return least
}

// errOverCapacity is why a slot gives a job back.
var errOverCapacity = errors.New("the worker plays fewer games at once now")

// capacity returns how many games the worker plays at once, and why that is less than its
// number of slots: it is the least that its matches allow. w.mu must be held.
func (w *Worker) capacity() (slots int, why string) {
	slots = w.Slots
	for key, p := range w.ready {
		if w.running[key] != nil && p.slots > 0 && p.slots < slots && p.refused() == nil {
			slots, why = p.slots, p.limited
		}
	}
	return slots, why
}

// overCapacity reports whether slot exceeds the worker's current limit.
func (w *Worker) overCapacity(slot int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	slots, _ := w.capacity()
	return slot >= slots
}

// speed is the speed of an engine in a slot while all slots are busy.
type speed struct {
	nodes uint64 // a second
	late  string // how late the machine's timers were meanwhile, if they were too late
}

// Timers are too late if more than maxLateTimers of them, of about twenty a second, are later
// than turns may be. minTimerMargin is the least lateness that counts.
const (
	maxLateTimers  = 3
	minTimerMargin = 2 * time.Millisecond
)

// measureSpeed searches the positions of the bench with an engine of a match in one process for
// each slot at once, and measures how late timers are meanwhile.
func measureSpeed(ctx context.Context, m *match.Match, engine, slots int) (speed, error) {
	positions, err := benchPositions(m)
	if err != nil {
		return speed{}, err
	}
	margin := max(minMargin(m), minTimerMargin)
	watch := load.NewWatch(margin)
	watching, stop := context.WithCancel(ctx)
	var watched sync.WaitGroup
	watched.Go(func() { watch.Run(watching, func(string) {}) })
	perSecond, errs := make([]float64, slots), make([]error, slots)
	var all sync.WaitGroup
	for i := range slots {
		all.Go(func() {
			var nodes uint64
			var took time.Duration
			p := game.NewPlayer(&m.Engines[engine], m.Patience, nil)
			if nodes, took, errs[i] = p.Speed(ctx, positions, m.Conditions); errs[i] == nil {
				perSecond[i] = float64(nodes) / took.Seconds()
			}
		})
	}
	all.Wait()
	stop()
	watched.Wait()
	if err := cmp.Or(errs...); err != nil { // they usually agree
		return speed{}, err
	}
	sum := 0.0
	for _, one := range perSecond {
		sum += one
	}
	got := speed{nodes: uint64(sum / float64(slots))}
	if watch.Lateness.Over(margin) > maxLateTimers {
		got.late = fmt.Sprintf("timers are up to %v late", watch.Lateness.Worst().Round(100*time.Microsecond))
	}
	return got, nil
}

// benchPositions returns the positions of the bench with the rules of a match.
func benchPositions(m *match.Match) (positions []position.Position, err error) {
	opening, err := m.Openings.Opening(0)
	if err != nil {
		return nil, err
	}
	all, err := bench.Positions()
	for i := range all {
		if all[i].Position.Rules() == opening.Start.Rules() {
			positions = append(positions, all[i].Position)
		}
	}
	return positions, err
}

// Reference returns the speed that the real clocks of a match are meant for, and a line that
// says so; nil for a match without real clocks. It is the speed of the last engine with a real
// clock that is sent:
//
//   - given, unless it is 0;
//   - otherwise the speed that the hub has stored for the same program, options and rules;
//   - otherwise the speed on this machine with all processors busy. Reference measures it for
//     some seconds and stores it on the hub, unless the machine was busy with other things.
func (h *Hub) Reference(ctx context.Context, m *match.Match, programs []Program, given uint64) (clock *ClockSpec, line string, err error) {
	if !m.RealTime() {
		return nil, "", nil
	}
	at := reference(m, programs)
	if at < 0 {
		return nil, "", errNoReference
	}
	clock = &ClockSpec{Engine: at, Speed: given}
	from := "as given"
	if given == 0 {
		clock.Speed, from, err = h.speedOf(ctx, m, at, &programs[at], measureSpeed)
	}
	name := m.Engines[at].Name
	if err != nil {
		return nil, "", fmt.Errorf("the speed of engine %s: %w", name, err)
	}
	return clock, fmt.Sprintf("clocks are meant for machines on which %s visits %d nodes a second in each game, %s; other machines get more or less time", name, clock.Speed, from), nil
}

// speedOf returns the speed of an engine that the hub has stored; otherwise it measures the
// speed and stores it.
func (h *Hub) speedOf(ctx context.Context, m *match.Match, engine int, program *Program, measure measurer) (nodes uint64, from string, err error) {
	key, err := speedKey(m, engine, program)
	if err != nil {
		return 0, "", err
	}
	var stored wire.SpeedReply
	if _, err := h.ask(ctx, wire.Speed, h.token(), &wire.SpeedRequest{Key: key}, nil, &stored); err != nil || stored.Speed > 0 {
		return stored.Speed, "as stored on the hub", h.wrap(err)
	}
	got, err := measure(ctx, m, engine, load.Processors())
	if err != nil {
		return 0, "", err
	}
	if got.late != "" {
		return got.nodes, "as on this one now, which is busy with other things (" + got.late + "), so the next match measures again", nil
	}
	if _, err = h.ask(ctx, wire.Speed, h.token(), &wire.SpeedRequest{Key: key, Speed: got.nodes}, nil, &stored); err == nil && stored.Speed != got.nodes {
		return stored.Speed, "as stored on the hub", nil // by another match of the same key
	}
	return got.nodes, "as on this one now", h.wrap(err)
}

// measurer is measureSpeed, or its replacement in a test.
type measurer func(ctx context.Context, m *match.Match, engine, slots int) (speed, error)

// speedKey returns the key of the speed of an engine: a hash of its file, arguments and options,
// and of the rules, which select the positions that it searches.
func speedKey(m *match.Match, engine int, program *Program) (string, error) {
	opening, err := m.Openings.Opening(0)
	if err != nil {
		return "", err
	}
	s := EngineSpec{Args: program.Args, Env: program.Env}
	if _, err := s.addFiles(&m.Engines[engine], program); err != nil {
		return "", err
	}
	file := s.Programs[system]
	file.Name = ""
	s.Programs = map[string]Blob{system: file}
	text, err := json.Marshal(struct {
		EngineSpec
		Rules position.Rules
	}{s, opening.Start.Rules()})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}
