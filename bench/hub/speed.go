package hub

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
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
