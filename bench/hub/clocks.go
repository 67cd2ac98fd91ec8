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
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"gyre/bench"
	"gyre/bench/game"
	"gyre/bench/load"
	"gyre/bench/match"
	"gyre/position"
)

// ClockSpec is what the real clocks of a match are meant for: a machine on which one of its
// engines, the reference, has a speed. A worker measures that engine in all its slots at
// once, and multiplies all times by how many times it is slower, as fishtest's workers do:
// so each engine visits about as many nodes wherever it plays.
type ClockSpec struct {
	Engine int    `json:"engine"` // the reference, by index
	Speed  uint64 `json:"speed"`  // nodes a second
}

// How much times are multiplied by. A machine beyond these is another one than the match is
// about, and would be waited for.
const (
	leastFactor = 0.5
	mostFactor  = 3
)

// unfitFor is how long a worker leaves a match alone for whose clocks it was not fit: what
// kept it busy may be over then.
const unfitFor = 10 * time.Minute

// unfitError is why a worker is not fit for the clocks of a match.
type unfitError struct{ why string }

// Error says why.
func (e *unfitError) Error() string { return e.why }

// factor returns what times are multiplied by where the reference has a speed, to three
// decimals.
func (c *ClockSpec) factor(speed uint64) (float64, error) {
	factor := math.Round(1000*float64(c.Speed)/float64(max(speed, 1))) / 1000
	if factor < leastFactor || factor > mostFactor {
		return 0, &unfitError{fmt.Sprintf("the engine that its clocks are measured by visits %d nodes a second in each slot, and they are for %d: times are multiplied by %v to %v, not by %v",
			speed, c.Speed, leastFactor, mostFactor, factor)}
	}
	return factor, nil
}

// judge returns why the clocks of a result cannot have been scaled by the speed that it
// tells of; without real clocks there is none.
func (c *ClockSpec) judge(r *resultMessage) error {
	factor := 0.0
	if c != nil {
		var err error
		if factor, err = c.factor(r.Speed); err != nil {
			return err
		}
	}
	for _, line := range r.Games {
		if line.Factor != factor {
			return fmt.Errorf("game %d: its times are multiplied by %v, and by the worker's speed it is %v", line.Game+1, line.Factor, factor)
		}
	}
	return nil
}

// realTime tells whether an engine of a match has a clock of real time.
func realTime(m *match.Match) bool {
	for i := range m.Engines {
		if m.Engines[i].Limits.RealTime() {
			return true
		}
	}
	return false
}

// errNoReference is why a match with real clocks cannot be played over a hub.
var errNoReference = errors.New("real time is worth another number of nodes on each machine, and no engine that has it is a program that is sent, whose speed would tell how many; give -nodes, or -nodestime to count time in nodes")

// reference returns the engine that clocks are measured by: the last one with a real clock
// whose program is sent; -1 for none.
func reference(m *match.Match, programs []Program) int {
	for i := len(m.Engines) - 1; i >= 0; i-- {
		if m.Engines[i].Limits.RealTime() && programs[i].Path != "" {
			return i
		}
	}
	return -1
}

// scale multiplies the times of a match by what they are worth here, and has the worker
// play as few games at once as its timers need meanwhile. Nothing else is played while it
// measures.
func (w *Worker) scale(ctx context.Context, key string, clock *ClockSpec, m *match.Match, p *preparation) error {
	if clock.Engine < 0 || clock.Engine >= len(m.Engines) {
		return fmt.Errorf("its clocks are measured by engine %d of %d", clock.Engine+1, len(m.Engines))
	}
	w.playing.Lock()
	defer w.playing.Unlock()
	measure := w.measure
	if measure == nil {
		measure = measureSpeed
	}
	late := ""
	for slots := w.Slots; slots > 0; slots /= 2 {
		got, err := measure(ctx, m, clock.Engine, slots)
		if err != nil {
			return &unfitError{fmt.Sprintf("the speed of engine %s: %v", m.Engines[clock.Engine].Name, err)}
		}
		if got.late != "" {
			late = fmt.Sprintf("with %d at once %s, and turns may be late by %v", slots, got.late, leastMargin(m))
			continue
		}
		factor, err := clock.factor(got.nodes)
		if err != nil {
			return err
		}
		m.Conditions.TimeFactor = factor
		p.fit(got.nodes, slots, late)
		w.Tell(fmt.Sprintf("match %.8s: times are multiplied by %v here, as its engine %s visits %d nodes a second in each of %d slots",
			key, factor, m.Engines[clock.Engine].Name, got.nodes, slots))
		if late != "" {
			w.Warn(fmt.Errorf("match %.8s: %s: at most %d at once until it is over, not %d", key, late, slots, w.Slots))
		}
		return nil
	}
	return &unfitError{"its clocks are too fine for this machine: " + late}
}

// leastMargin returns what the strictest of the real clocks of a match forgives.
func leastMargin(m *match.Match) time.Duration {
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

// errCrowded is why a slot gives a job back.
var errCrowded = errors.New("the worker plays fewer games at once now")

// atOnce returns how many games the worker plays at once, and why these are fewer than it
// has slots: what the strictest of the matches that it plays in needs. w.mu is held.
func (w *Worker) atOnce() (slots int, why string) {
	slots = w.Slots
	for key, made := range w.ready {
		if most, late := made.most(); w.running[key] && most > 0 && most < slots && made.refused() == nil {
			slots, why = most, late
		}
	}
	return slots, why
}

// crowds tells whether a slot, by its number, is one too many now.
func (w *Worker) crowds(slot int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	slots, _ := w.atOnce()
	return slot >= slots
}

// speed is what an engine does in a slot while all slots are busy.
type speed struct {
	nodes uint64 // a second
	late  string // how late the machine's timers were meanwhile, if that is too late
}

// Timers are too late when more than fewLate of them, some twenty a second, are later than
// turns may be: fewer have many causes. finest is the least that they are held to.
const (
	fewLate = 3
	finest  = 2 * time.Millisecond
)

// measureSpeed has an engine of a match search the positions of the bench in several
// processes at once, one for each slot, and looks how late timers are meanwhile.
func measureSpeed(ctx context.Context, m *match.Match, engine, slots int) (speed, error) {
	positions, err := benchPositions(m)
	if err != nil {
		return speed{}, err
	}
	margin := max(leastMargin(m), finest)
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
	if err := cmp.Or(errs...); err != nil { // mostly all are the same
		return speed{}, err
	}
	sum := 0.0
	for _, one := range perSecond {
		sum += one
	}
	got := speed{nodes: uint64(sum / float64(slots))}
	if watch.Lateness.Over(margin) > fewLate {
		got.late = fmt.Sprintf("timers come up to %v late", watch.Lateness.Worst().Round(100*time.Microsecond))
	}
	return got, nil
}

// benchPositions returns those of the bench that have the rules of a match.
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

// Reference returns what the real clocks of a match are meant for, and says so in a line;
// nil for a match without. That is the speed of the last engine with such a clock that is
// sent: the one given, if that is not 0; else that which the hub knows of the same program
// with the same options and rules; else that of this machine with all of its processors
// busy, which is measured now, for some seconds, and which the hub then knows, unless
// something else kept the machine busy meanwhile.
func (h *Hub) Reference(ctx context.Context, m *match.Match, programs []Program, given uint64) (clock *ClockSpec, told string, err error) {
	if !realTime(m) {
		return nil, "", nil
	}
	at := reference(m, programs)
	if at < 0 {
		return nil, "", errNoReference
	}
	clock = &ClockSpec{Engine: at, Speed: given}
	from := "as was said"
	if given == 0 {
		clock.Speed, from, err = h.speedOf(ctx, m, at, &programs[at], measureSpeed)
	}
	name := m.Engines[at].Name
	if err != nil {
		return nil, "", fmt.Errorf("the speed of engine %s: %w", name, err)
	}
	return clock, fmt.Sprintf("clocks are for machines on which %s visits %d nodes a second in each game, %s; others get more time or less", name, clock.Speed, from), nil
}

// speedOf returns the speed of an engine that the hub knows; one that it does not know is
// measured, and the hub knows it then.
func (h *Hub) speedOf(ctx context.Context, m *match.Match, engine int, program *Program, measure measurer) (nodes uint64, from string, err error) {
	key, err := speedKey(m, engine, program)
	if err != nil {
		return 0, "", err
	}
	bucket, err := h.js.KeyValue(ctx, speedsBucket)
	if err != nil {
		return 0, "", fmt.Errorf("hub %s: %w", h.url, err)
	}
	for {
		entry, err := bucket.Get(ctx, key)
		switch {
		case err == nil:
			nodes, err = strconv.ParseUint(string(entry.Value()), 10, 64)
			return nodes, "as the hub knows of it", err
		case !errors.Is(err, jetstream.ErrKeyNotFound):
			return 0, "", fmt.Errorf("hub %s: %w", h.url, err)
		}
		got, err := measure(ctx, m, engine, load.Processors())
		if err == nil && got.late != "" {
			return got.nodes, "as on this one now, which is busy with other things (" + got.late + "), so that the next match measures again", nil
		}
		if err == nil {
			_, err = bucket.Create(ctx, key, []byte(strconv.FormatUint(got.nodes, 10)))
		}
		if !errors.Is(err, jetstream.ErrKeyExists) { // then another was quicker, and its speed holds
			return got.nodes, "as on this one now", err
		}
	}
}

// measurer is measureSpeed, or what a test has in its place.
type measurer func(ctx context.Context, m *match.Match, engine, slots int) (speed, error)

// speedKey is what the speed of an engine belongs to: its file, what it is told, and the
// rules, which say by what positions it is measured.
func speedKey(m *match.Match, engine int, program *Program) (string, error) {
	opening, err := m.Openings.Opening(0)
	if err != nil {
		return "", err
	}
	s := EngineSpec{Args: program.Args, Env: program.Env}
	if _, err := s.addFiles(&m.Engines[engine], program); err != nil {
		return "", err
	}
	s.Program.Name, s.Others = "", nil
	text, err := json.Marshal(struct {
		EngineSpec
		Rules position.Rules
	}{s, opening.Start.Rules()})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}
