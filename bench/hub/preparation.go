package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"gyre/bench/game"
	"gyre/bench/hub/internal/wire"
	"gyre/bench/match"
	"gyre/bench/openings"
	"gyre/bench/stats"
	"gyre/protocol"
)

// preparation is a match or a task of ranges on a worker, with its programs fetched and
// checked. All slots share it.
type preparation struct {
	making sync.Mutex
	spec   *Spec
	match  *match.Match      // nil before it is made, and for ranges
	ranges *protocol.Program // nil before it is made, and for a match
	speed  uint64            // of the engine that real clocks are measured by; 0 without real clocks

	// Worker.mu protects the rest.
	busy    bool          // whether a slot fetches and checks the programs
	wrong   error         // why it cannot be played here
	until   time.Time     // when to try again; zero for never
	pause   time.Duration // before the worker last asked again for jobs of a match that excluded it, or for which games lasted too long
	slots   int           // how many games at once its clocks allow; 0 for any number
	limited string        // why not more
}

// refuse sets why a match cannot be played here. If something was missing, it may be tried again
// after a heartbeat; if the machine was unsuitable, after unsuitableFor or longer.
func (w *Worker) refuse(p *preparation, why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p.wrong = why
	if _, missing := errors.AsType[*missingError](why); missing {
		p.until = time.Now().Add(w.Heartbeat)
	}
	if _, is := errors.AsType[*unsuitableError](why); is {
		unsuitable := unsuitableFor
		if errors.Is(why, errLongGames) {
			p.pause = min(max(2*p.pause, unsuitableFor), maxUnsuitable)
			unsuitable = p.pause
		}
		p.until = time.Now().Add(unsuitable)
	}
}

// errExcluded is why a worker does not ask a match for jobs that excludes it.
var errExcluded = errors.New("the match gives this worker no more jobs")

// pause lets some time pass until the worker asks again for jobs of a match that excludes it: its owner may readmit the
// worker. Each pause is longer.
func (w *Worker) pause(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running[key] == nil {
		return
	}
	p := w.ready[key]
	if p == nil {
		p = &preparation{}
		w.ready[key] = p
	}
	if p.refused() == nil { // otherwise another slot has asked, too
		p.pause = min(max(2*p.pause, w.Heartbeat), unsuitableFor)
		p.wrong, p.until = errExcluded, time.Now().Add(p.pause)
	}
}

// refused returns why the match cannot be played here; nil if it can or that is not known yet.
// Worker.mu must be held.
func (p *preparation) refused() error {
	if !p.until.IsZero() && time.Now().After(p.until) {
		p.wrong, p.until = nil, time.Time{}
	}
	return p.wrong
}

// prepare fetches the programs of a match and checks that each can play from the opening of a
// job. refused is why the match cannot be played here. An error says that ctx is done, or that
// the match or the hub does not answer.
func (w *Worker) prepare(ctx context.Context, key string, job *jobMessage) (p *preparation, refused, err error) {
	w.mu.Lock()
	if p = w.ready[key]; p == nil {
		p = &preparation{}
		w.ready[key] = p
	}
	w.mu.Unlock()
	p.making.Lock()
	defer p.making.Unlock()
	w.mu.Lock()
	refused = p.refused()
	p.busy = refused == nil && p.match == nil && p.ranges == nil
	w.mu.Unlock()
	if !p.busy {
		return p, refused, nil
	}
	defer w.prepared(p)
	making, stop := w.Hub.perConnection(ctx)
	defer stop()
	reply, err := w.request(making, key, &nextMessage{Spec: true})
	if err == nil && reply.Spec == nil {
		err = errNoMatch // any more
	}
	if err != nil {
		return nil, nil, err
	}
	refused = w.make(making, p, key, reply.Spec, job)
	switch {
	case ctx.Err() != nil:
		return nil, nil, context.Cause(ctx)
	case refused != nil && (isInterrupted(making, refused) || !w.Hub.connected()):
		return nil, nil, refused
	case refused != nil:
		refused = explain(refused)
		w.refuse(p, refused)
		w.warn(w.ownerOf(key), fmt.Errorf("cannot play match %.8s: %w", wire.LastToken(key), refused))
	}
	return p, refused, nil
}

// prepared notes that a slot has prepared a match, or could not.
func (w *Worker) prepared(p *preparation) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p.busy = false
	w.wake()
}

// make makes the match or the ranges of a specification.
func (w *Worker) make(ctx context.Context, p *preparation, key string, text []byte, job *jobMessage) error {
	spec, err := parseSpec(wire.LastToken(key), text)
	if err != nil {
		return err
	}
	if err := w.checkAllowed(spec); err != nil {
		return err
	}
	if of := spec.Ranges; of != nil {
		w.tell(fmt.Sprintf("task %.8s of %s: runs %s, SHA-256 %.12s", wire.LastToken(key), spec.Client, of.Program.Name, of.Program.SHA256))
		p.ranges, err = w.rangeProgram(ctx, key, of)
		return err
	}
	p.spec = spec
	m, err := w.makeMatch(ctx, key, spec, job)
	if err == nil && spec.Clock != nil {
		err = w.scale(ctx, key, spec.Clock, m, p)
	}
	if err == nil {
		p.match = m
	}
	return err
}

// maxQuit is how long a slot waits for engines to end. Their match may be over, and nothing else ends them then.
const maxQuit = time.Minute

// makeMatch makes the match of a specification and checks its engines.
func (w *Worker) makeMatch(ctx context.Context, key string, spec *Spec, job *jobMessage) (*match.Match, error) {
	jobs, err := job.jobs(len(spec.Engines))
	if err != nil {
		return nil, err
	}
	if len(jobs) == 0 {
		return nil, errors.New("the job has no games")
	}
	m := &match.Match{ID: spec.Match, Conditions: spec.Conditions, Patience: spec.Patience, Concurrency: 1,
		Openings: openings.Book{jobs[0].Opening}, ContinueOnFault: true}
	m.Patience.Quit = min(m.Patience.Quit, maxQuit)
	if err := cmp.Or(m.Patience.Check(), m.Conditions.Check()); err != nil {
		return nil, err
	}
	if spec.Test != nil {
		if m.Test, err = stats.NewSPRT(*spec.Test); err != nil {
			return nil, err
		}
	}
	if err := w.addEngines(ctx, m, spec); err != nil {
		return nil, err
	}
	w.tell(fmt.Sprintf("match %.8s of %s: runs %s", wire.LastToken(key), spec.Client, describe(spec)))
	if m.RealTime() != (spec.Clock != nil) {
		return nil, errors.New("it has clocks of real time but no reference speed")
	}
	if err := m.CheckEngines(ctx); err != nil {
		return nil, err
	}
	for i, program := range m.Programs() {
		if want := spec.Engines[i].Checked; program != want {
			return nil, fmt.Errorf("engine %s is %q here instead of %q", spec.Engines[i].Name, program, want)
		}
	}
	return m, nil
}

// addEngines fetches the engines of a specification and adds them to a match.
func (w *Worker) addEngines(ctx context.Context, m *match.Match, spec *Spec) error {
	fetch := func(ctx context.Context, b *Blob) (string, error) { return w.cache.fetch(ctx, w.Hub, b) }
	for i := range spec.Engines {
		e, err := spec.Engines[i].engine(ctx, w.Offers, fetch)
		if err == nil {
			err = e.Check()
		}
		if err != nil {
			return fmt.Errorf("engine %s: %w", spec.Engines[i].Name, err)
		}
		if w.inside != nil {
			w.inside(&e)
		}
		m.Engines = append(m.Engines, e)
	}
	return nil
}

// rangeCommand is the only first argument that a worker with Allow accepts for a program of
// ranges.
const rangeCommand = "range"

// checkAllowed returns an error unless Allow permits all programs of a specification. An
// environment is rejected too: with a variable such as LD_PRELOAD an allowed program would run
// any file that was sent.
func (w *Worker) checkAllowed(spec *Spec) error {
	if len(w.Allow) == 0 {
		return nil
	}
	var programs []*Blob
	for i := range spec.Engines {
		if err := spec.Engines[i].checkNoFiles(); err != nil {
			return err
		}
		if e := &spec.Engines[i]; e.Reference == "" && e.Offered == "" {
			if file, err := e.file(); err == nil { // otherwise it runs nothing
				programs = append(programs, file)
			}
			if len(e.Env) > 0 {
				return fmt.Errorf("engine %s has an environment (%.40q), and with -allow this worker runs engines without one only", e.Name, e.Env[0])
			}
		}
	}
	if spec.Ranges != nil {
		programs = append(programs, &spec.Ranges.Program)
		if all := spec.Ranges.Arguments; len(all) == 0 || all[0].Text != rangeCommand {
			return fmt.Errorf("the first argument of its program %s is not %q, and with -allow this worker accepts no other", spec.Ranges.Program.Name, rangeCommand)
		}
	}
	for _, b := range programs {
		if !slices.Contains(w.Allow, b.SHA256) {
			return fmt.Errorf("-allow does not include its program %s, SHA-256 %s", b.Name, b.SHA256)
		}
	}
	return nil
}

// checkNoFiles returns an error if a match sets an option of an offered engine that names a
// file or folder: the engine could read or write the worker's files.
func (s *EngineSpec) checkNoFiles() error {
	for _, o := range s.Settings {
		if s.Offered != "" && (o.File != nil || game.NamesFile(o.Name)) {
			return fmt.Errorf("engine %s belongs to this worker, and with -allow no match may set its option %.40q, which names a file", s.Name, o.Name)
		}
	}
	return nil
}

// checkJob is checkNoFiles for the options that a job sets.
func (w *Worker) checkJob(spec *Spec, job *jobMessage) error {
	for i := range spec.Engines {
		e := EngineSpec{Name: spec.Engines[i].Name, Offered: spec.Engines[i].Offered}
		for _, o := range job.Settings[i] {
			e.Settings = append(e.Settings, SettingSpec{Name: o.Name})
		}
		if err := e.checkNoFiles(); err != nil && len(w.Allow) > 0 {
			return err
		}
	}
	return nil
}

// describe returns the programs that a match runs on a worker.
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
		if file, err := e.file(); err == nil { // otherwise it runs nothing
			all = append(all, fmt.Sprintf("%s (%s, SHA-256 %.12s, %s)", e.Name, file.Name, file.SHA256, e.Limits))
		}
	}
	return strings.Join(all, " and ")
}
