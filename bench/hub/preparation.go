package hub

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/bench/stats"
)

// preparation is a match or ranges on a worker, its programs here and checked, once for
// all slots.
type preparation struct {
	making sync.Mutex
	match  *match.Match  // nil before, and for ranges
	ranges *rangeProgram // nil before, and for a match
	speed  uint64        // of the engine that real clocks are measured by; 0 without such

	mu    sync.Mutex
	wrong error     // why it cannot be played here
	until time.Time // when it is tried again; zero for never
	slots int       // how many games at once its clocks bear; 0 for any number
	held  string    // why not more
}

// fit notes the speed that real clocks were scaled by, and how many games at once they bear.
func (p *preparation) fit(speed uint64, slots int, why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.speed, p.slots, p.held = speed, slots, why
}

// most returns how many games at once the clocks of the match bear, 0 for any number, and
// why not more.
func (p *preparation) most() (slots int, why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.slots, p.held
}

// refuse notes why the match cannot be played here: for some time, if something was not
// there, or the machine too busy.
func (p *preparation) refuse(why error, lackFor time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wrong = why
	if _, lacks := errors.AsType[*lackError](why); lacks {
		p.until = time.Now().Add(lackFor)
	}
	if _, unfit := errors.AsType[*unfitError](why); unfit {
		p.until = time.Now().Add(unfitFor)
	}
}

// refused tells why the match cannot be played here; nil if it can, or is not known yet.
func (p *preparation) refused() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.until.IsZero() && time.Now().After(p.until) {
		p.wrong, p.until = nil, time.Time{}
	}
	return p.wrong
}

// oneOpening is the opening that programs are checked with.
type oneOpening struct{ opening game.Opening }

// Opening returns it for every round.
func (o oneOpening) Opening(int) (game.Opening, error) { return o.opening, nil }

// prepare gets the programs of a match ready, and has each show that it can play, from
// the opening of a job. refused is why it cannot be played here. An error says that ctx is
// done, or the hub away.
func (w *Worker) prepare(ctx context.Context, key string, job []byte) (p *preparation, refused, err error) {
	w.mu.Lock()
	if p = w.ready[key]; p == nil {
		p = &preparation{}
		w.ready[key] = p
	}
	w.mu.Unlock()
	p.making.Lock()
	defer p.making.Unlock()
	if refused = p.refused(); refused != nil || p.match != nil || p.ranges != nil {
		return p, refused, nil
	}
	making, stop := w.Hub.whole(ctx)
	defer stop()
	refused = w.make(making, p, key, job)
	switch {
	case ctx.Err() != nil:
		return nil, nil, context.Cause(ctx)
	case refused != nil && (making.Err() != nil || !w.Hub.conn.IsConnected()):
		return nil, nil, refused
	case refused != nil:
		p.refuse(refused, w.Beat)
		w.Warn(fmt.Errorf("match %.8s cannot be played here: %w", key, refused))
	}
	return p, refused, nil
}

// make makes what a specification is of.
func (w *Worker) make(ctx context.Context, p *preparation, key string, job []byte) error {
	store, err := w.Hub.js.KeyValue(ctx, matchesBucket)
	if err != nil {
		return err
	}
	entry, err := store.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return &lackError{key, errors.New("the hub does not know the match")}
	}
	if err != nil {
		return err
	}
	spec, err := parseSpec(key, entry.Value())
	if err != nil {
		return err
	}
	if err := w.allowed(spec); err != nil {
		return err
	}
	if of := spec.Ranges; of != nil {
		w.Tell(fmt.Sprintf("%.8s of %s: runs %s, SHA-256 %.12s", key, spec.Client, of.Program.Name, of.Program.SHA256))
		p.ranges, err = w.rangeProgram(ctx, key, of)
		return err
	}
	m, err := w.makeMatch(ctx, key, spec, job)
	if err == nil && spec.Clock != nil {
		err = w.scale(ctx, key, spec.Clock, m, p)
	}
	if err == nil {
		p.match = m
	}
	return err
}

// makeMatch makes the match of a specification, and checks its engines.
func (w *Worker) makeMatch(ctx context.Context, key string, spec *Spec, job []byte) (*match.Match, error) {
	jobs, err := parseJob(job, len(spec.Engines))
	if err != nil {
		return nil, err
	}
	if len(jobs) == 0 {
		return nil, errors.New("a job without games")
	}
	m := &match.Match{ID: spec.Match, Conditions: spec.Conditions, Patience: spec.Patience, Concurrency: 1,
		Openings: oneOpening{jobs[0].Opening}, Recover: true}
	if spec.Test != nil {
		if m.Test, err = stats.NewSPRT(*spec.Test); err != nil {
			return nil, err
		}
	}
	if err := w.engines(ctx, m, spec); err != nil {
		return nil, err
	}
	w.Tell(fmt.Sprintf("match %.8s of %s: runs %s", key, spec.Client, describe(spec)))
	if realTime(m) != (spec.Clock != nil) {
		return nil, errors.New("it does not tell what its clocks are for")
	}
	if err := m.CheckEngines(ctx); err != nil {
		return nil, err
	}
	for i, program := range m.Programs() {
		if want := spec.Engines[i].Checked; program != want {
			return nil, fmt.Errorf("engine %s is %q here, and has to be %q", spec.Engines[i].Name, program, want)
		}
	}
	return m, nil
}

// engines adds the engines of a specification, their files fetched.
func (w *Worker) engines(ctx context.Context, m *match.Match, spec *Spec) error {
	fetch := func(ctx context.Context, b *Blob) (string, error) { return w.cache.fetch(ctx, w.Hub, b) }
	for i := range spec.Engines {
		e, err := spec.Engines[i].engine(ctx, w.Offers, fetch)
		if err == nil {
			err = e.Check()
		}
		if err != nil {
			return fmt.Errorf("engine %s: %w", spec.Engines[i].Name, err)
		}
		m.Engines = append(m.Engines, e)
	}
	return nil
}
