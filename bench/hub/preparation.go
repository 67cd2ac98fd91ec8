package hub

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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
		Openings: oneOpening{jobs[0].Opening}, ContinueOnFault: true}
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

// rangeCommand is the first argument of each program of ranges: what a worker with Allow
// lets such a program do.
const rangeCommand = "range"

// allowed returns an error unless all programs of a specification may run here: with Allow
// those alone, and with nothing that has them do something else. A variable of the
// environment such as LD_PRELOAD would have them run any file that was sent.
func (w *Worker) allowed(spec *Spec) error {
	if len(w.Allow) == 0 {
		return nil
	}
	var programs []*Blob
	for i := range spec.Engines {
		if err := spec.Engines[i].givesFile(); err != nil {
			return err
		}
		if e := &spec.Engines[i]; e.Reference == "" && e.Offered == "" {
			if file, err := e.file(); err == nil { // else it runs none
				programs = append(programs, file)
			}
			if len(e.Env) > 0 {
				return fmt.Errorf("engine %s brings an environment (%.40q), and this worker runs allowed programs alone, without one", e.Name, e.Env[0])
			}
		}
	}
	if spec.Ranges != nil {
		programs = append(programs, &spec.Ranges.Program)
		if all := spec.Ranges.Arguments; len(all) == 0 || all[0].Text != rangeCommand {
			return fmt.Errorf("its program %s is run for something else than %q, and this worker runs allowed programs alone, for that", spec.Ranges.Program.Name, rangeCommand)
		}
	}
	for _, b := range programs {
		if !slices.Contains(w.Allow, b.SHA256) {
			return fmt.Errorf("its program %s, SHA-256 %s, is none of those that are allowed to run here", b.Name, b.SHA256)
		}
	}
	return nil
}

// givesFile returns an error if a match sets an option of a worker's own engine that names a
// file or folder: it could have it read or write one of the worker's.
func (s *EngineSpec) givesFile() error {
	if s.Offered == "" {
		return nil
	}
	for _, o := range s.Settings {
		if o.File != nil || game.NamesFile(o.Name) {
			return fmt.Errorf("engine %s is this worker's own, its option %.40q names a file, and this worker, which runs allowed programs alone, lets no match set such a one", s.Name, o.Name)
		}
	}
	return nil
}

// describe says what a match has a worker run.
func describe(spec *Spec) string {
	var all []string
	for i := range spec.Engines {
		e := &spec.Engines[i]
		if e.Reference != "" {
			all = append(all, fmt.Sprintf("%s (player %s of the ladder)", e.Name, e.Reference))
			continue
		}
		if e.Offered != "" {
			all = append(all, fmt.Sprintf("%s (%s, of this worker, %s)", e.Name, e.Offered, e.Limits))
			continue
		}
		if file, err := e.file(); err == nil { // else it runs none
			all = append(all, fmt.Sprintf("%s (%s, SHA-256 %.12s, %s)", e.Name, file.Name, file.SHA256, e.Limits))
		}
	}
	return strings.Join(all, " and ")
}
