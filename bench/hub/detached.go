package hub

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"gyre/bench/hub/internal/resources"
	"gyre/bench/hub/internal/wire"
	"gyre/bench/journal"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/bench/tune"
)

// detached is a match of a controller. The controller's mutex protects it.
type detached struct {
	folder  string
	request *Request
	bytes   int64 // of the request
	files   int64 // the total size of its files, as they count
	copied  int64 // bytes of those that the hub has copied
	state   DetachedMatch
	live    sync.Mutex // protects what changes with each game, Progress and Wait of state, so that no request makes a game wait
	size    int64      // of its other files, when they were last looked at
	// unreadable is why the hub could not read its folder, whose files it leaves as they are; otherwise nil.
	unreadable error
	stop       context.CancelCauseFunc // nil unless it is running
	ended      chan struct{}           // closed when it no longer runs
	// Its dispatcher receives from pings. dispatching is the number of its dispatchers, 0 or 1.
	pings       chan struct{}
	dispatching int
}

// set sets the request, which is on disk.
func (d *detached) set(r *Request) {
	d.request, d.files = r, r.Spec.size()
	if info, err := os.Stat(filepath.Join(d.folder, requestFile)); err == nil {
		d.bytes = info.Size()
	}
}

// file returns the file of games, or of samples.
func (d *detached) file() string {
	if d.request.kind() == samples {
		return filepath.Join(d.folder, samplesFile)
	}
	return filepath.Join(d.folder, gamesFile)
}

const (
	requestFile = "request.json"
	stateFile   = "state.json"
	gamesFile   = "games.jsonl"
	samplesFile = "samples.gyre"
	blobsFolder = "files"
)

// started reports whether a folder has a state or games. Otherwise the start of its match failed.
func started(folder string) bool {
	return slices.ContainsFunc([]string{stateFile, gamesFile, samplesFile}, func(name string) bool {
		_, err := os.Stat(filepath.Join(folder, name))
		return !errors.Is(err, os.ErrNotExist)
	})
}

// shown returns the state. c.mu must be held.
func (d *detached) shown() DetachedMatch {
	d.live.Lock()
	defer d.live.Unlock()
	return d.state
}

// waitFor sets why no worker can play it, or the hub does not; nil for no reason.
func (d *detached) waitFor(why error) {
	d.live.Lock()
	defer d.live.Unlock()
	if d.state.Wait = ""; why != nil {
		d.state.Wait = printable(why.Error())
	}
}

// show sets the progress.
func (d *detached) show(p Progress) {
	d.live.Lock()
	defer d.live.Unlock()
	d.state.Progress = p
}

// save stores the state.
func (d *detached) save() error {
	state := d.shown()
	return writeJSON(filepath.Join(d.folder, stateFile), &state)
}

func readJSON(path string, into any) error {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	return err
}

// writeJSON replaces a file of JSON, completely or not at all.
func writeJSON(path string, value any) error {
	return journal.WriteFile(path, `"name"`, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(value)
	})
}

// measure notes the size of all that its folder has, whatever a match of its kind should have there, but its files.
func (d *detached) measure() {
	others := []string{requestFile, stateFile, blobsFolder} // they count otherwise
	d.size = bytesIn(d.folder, func(path string) bool { return slices.Contains(others, path) })
}

// measureFiles notes how many bytes its files have.
func (d *detached) measureFiles() {
	d.copied = bytesIn(filepath.Join(d.folder, blobsFolder), func(string) bool { return false })
}

// bytesIn returns how many bytes the files in a folder have, but those under some paths.
func bytesIn(folder string, without func(path string) bool) (size int64) {
	_ = fs.WalkDir(os.DirFS(folder), ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil: // it is gone
		case without(path) && entry.IsDir():
			return fs.SkipDir
		case !without(path) && entry.Type().IsRegular():
			if info, err := entry.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	return size
}

// stored returns what a match has on the disk. Its state repeats the longest texts of its request.
func (d *detached) stored() wire.Stored {
	s := wire.Stored{Bytes: d.size + d.bytes + d.copied, Claimed: d.bytes}
	if d.state.State != Over { // otherwise it needs no files
		s.Claimed += max(d.files-d.copied, 0)
	}
	return s
}

// clear deletes the files that a match does not need: all if it is over. A request for more games sends them again.
func (d *detached) clear() error {
	defer d.measureFiles()
	folder := filepath.Join(d.folder, blobsFolder)
	if d.state.State == Over {
		return os.RemoveAll(folder)
	}
	needed := map[string]bool{}
	for _, b := range d.request.Spec.blobs() {
		needed[b.SHA256] = true
	}
	there, err := os.ReadDir(folder)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, one := range there {
		if !needed[one.Name()] {
			err = errors.Join(err, os.RemoveAll(filepath.Join(folder, one.Name())))
		}
	}
	return err
}

// read reads the match of its folder.
func (d *detached) read() error {
	name := filepath.Base(d.folder)
	err := readJSON(filepath.Join(d.folder, requestFile), &d.request)
	if err == nil {
		err = readJSON(filepath.Join(d.folder, stateFile), &d.state)
	}
	switch {
	case err != nil:
		return err
	case d.request.Spec == nil:
		return errors.New("the request is not complete")
	case d.request.Name != name:
		return fmt.Errorf("the request is for match %s", d.request.Name)
	}
	d.request.Spec.Client = clientOf(name)
	d.request.Spec.capTimes()
	return nil
}

// setUnreadable makes it stand for a folder that the hub cannot read as a match. What is there counts for its owner, who
// can fetch and delete it; for the hub, if even that is unknown.
func (d *detached) setUnreadable(why error) {
	var known struct {
		Owner string `json:"owner"`
	}
	for _, file := range []string{requestFile, stateFile} {
		if readJSON(filepath.Join(d.folder, file), &known) == nil && known.Owner != "" {
			break
		}
	}
	d.unreadable = fmt.Errorf("match %s: the hub cannot read it: %w: fetch its games, and delete it", filepath.Base(d.folder), why)
	d.state = DetachedMatch{Name: filepath.Base(d.folder), Owner: known.Owner, State: Impaired, Reason: printable(d.unreadable.Error())}
	d.request = &Request{Name: d.state.Name, Owner: cmp.Or(known.Owner, wire.Hub), Spec: &Spec{}}
	if _, err := os.Stat(filepath.Join(d.folder, samplesFile)); err == nil {
		d.state.Samples, d.request.Spec.Ranges = true, &RangesSpec{}
	}
}

func (d *detached) overError() error {
	return fmt.Errorf("match %s is over: fetch it", d.request.Name)
}

// start plays a match until it is over, it is stopped, or ctx is done. If its owner has too many, the match waits until
// followStore starts it. c.mu must be held.
func (c *Controller) start(ctx context.Context, d *detached) {
	if err := c.crowded(d.request.Owner); err != nil {
		d.waitFor(err)
		return
	}
	own := c.owner(d.request.Owner)
	own.running++
	playing, stop := context.WithCancelCause(ctx)
	d.stop, d.ended, d.pings = stop, make(chan struct{}), make(chan struct{})
	d.waitFor(nil)
	c.playing.Go(func() {
		defer stop(nil)
		err := Contained(func() error { return c.play(playing, d) })
		c.mu.Lock()
		defer c.mu.Unlock()
		close(d.ended)
		own.running--
		d.measure()
		d.stop = nil
		d.waitFor(nil)
		switch {
		case err == nil:
			d.state.State = Over
		case errors.Is(err, errStopped) || ctx.Err() != nil:
			return // end stores its state, or it resumes when the hub is back
		case isStuck(err): // its state on disk is Running, and its games are there
			d.waitFor(err)
			return
		default:
			d.state.State, d.state.Reason = Impaired, printable(err.Error())
			c.warn(d, err)
		}
		d.state.Ended = now()
		err = d.save()
		if err == nil {
			err = d.clear()
		}
		if err != nil {
			c.warn(d, err)
		}
	})
}

// Contained returns the error of do, or one with the stack if do panics.
func Contained(do func() error) error { return wire.Contained(do) }

// errStopped is why a detached match ends before it is over.
var errStopped = errors.New("the match was stopped")

// stuckError is why a match waits: nothing can be stored, or its owner has its share of the disk.
type stuckError struct{ error }

// isStuck reports whether a match ended because something could not be stored. followStore resumes it.
func isStuck(err error) bool {
	_, stuck := errors.AsType[*stuckError](err)
	return stuck || resources.IsFull(err)
}

func (c *Controller) play(ctx context.Context, d *detached) error {
	m, err := c.check(ctx, d.request.Owner, d.request)
	if err != nil {
		return err
	}
	turns := c.searchers.Share(ctx, d.request.Owner).Turns()
	if m == nil {
		return c.generate(ctx, d, turns)
	}
	executor := &Executor{Clock: d.request.Spec.Clock, given: c.work(d)}
	if d.request.Tuning != nil {
		return c.tune(ctx, d, m, executor, turns)
	}
	m.Executor = executor
	standing, err := m.Run(ctx, match.Files{Lines: d.file(), Turns: turns}, &detachedObserver{c: c, d: d, match: m})
	if standing != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		if d.state.Doubt = ""; standing.DisputedError() != nil {
			d.state.addDoubt(standing.DisputedError())
		}
	}
	return err
}

// work returns what a dispatcher needs for a match.
func (c *Controller) work(d *detached) *work {
	r := d.request
	c.mu.Lock()
	memory, began := c.owner(r.Owner).memory, d.state.Started
	c.mu.Unlock()
	return &work{hub: c.Hub, began: began, pings: d.pings, memory: memory, spec: r.Spec, blobs: r.Spec.stored(filepath.Join(d.folder, blobsFolder)), owner: r.Owner, queue: r.Queue, settings: c.Settings,
		score: func() Progress {
			d.live.Lock()
			defer d.live.Unlock()
			return d.state.Progress
		},
		waits: d.waitFor,
		dispatching: func(change int) {
			c.mu.Lock()
			defer c.mu.Unlock()
			d.dispatching += change
		}}
}

// RangeFile stores outputs of ranges in order; see Ranges.Check and Ranges.Keep.
type RangeFile interface {
	Games() uint32 // the number of items that are stored
	Check(first, end uint32, output []byte) error
	Keep(first, end uint32, output []byte) error
	Close() error
}

func (c *Controller) generate(ctx context.Context, d *detached, turns journal.Turns) error {
	r := d.request
	warn := func(err error) { c.warn(d, err) }
	file, err := c.OpenRanges(d.file(), r.Header, turns, warn)
	if err != nil {
		return err
	}
	first, total := file.Games(), r.Spec.Ranges.Total
	count := func() {
		n := file.Games()
		d.show(Progress{Score: "samples of gyre-train", Played: int(n), Total: int(total), Over: n >= total, Command: r.Command})
	}
	count()
	if first < total {
		err = (&Ranges{Size: r.Size, given: c.work(d), Warn: warn, Check: file.Check,
			Keep: func(first, end uint32, output []byte) error {
				defer count()
				return file.Keep(first, end, output)
			},
			doubt: func(why error) {
				c.mu.Lock()
				d.state.addDoubt(why)
				err := d.save()
				c.mu.Unlock()
				if err != nil {
					warn(err)
				}
			}}).Run(ctx, first, total)
	}
	return errors.Join(err, file.Close())
}

func (c *Controller) tune(ctx context.Context, d *detached, m *match.Match, executor *Executor, turns journal.Turns) error {
	if err := m.CheckEngines(ctx); err != nil {
		return err
	}
	t := *d.request.Tuning
	t.Turns = turns
	player := &tune.Games{Match: m, Parameters: t.Parameters, Executor: executor, Warn: func(err error) { c.warn(d, err) }}
	player.Begin(ctx)
	_, err := t.Run(ctx, d.file(), player, &detachedTuning{c: c, d: d})
	player.End()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// detachedTuning follows a detached tuning.
type detachedTuning struct {
	c *Controller
	d *detached
}

// Resumed implements tune.Observer.
func (o *detachedTuning) Resumed(p *tune.Progress) { o.Ended(p) }

// Ended implements tune.Observer.
func (o *detachedTuning) Ended(p *tune.Progress) {
	t, e := o.d.request.Tuning, &o.d.request.Spec.Engines[0]
	o.d.show(Progress{Score: t.Brief(p), Engines: []string{e.Name}, Limits: []string{e.Limits.String()},
		Played: 2 * p.Played, Total: 2 * t.Iterations, Over: p.Played == t.Iterations})
}

// detachedObserver follows a detached match.
type detachedObserver struct {
	c     *Controller
	d     *detached
	match *match.Match
}

// Resumed implements match.Observer.
func (o *detachedObserver) Resumed(s *match.Standing) { o.Ended(nil, s) }

// Ended implements match.Observer.
func (o *detachedObserver) Ended(_ *match.Line, s *match.Standing) {
	o.d.show(ProgressOf(scoreOf, o.match, s))
}

// Warn implements match.Observer.
func (o *detachedObserver) Warn(err error) { o.c.warn(o.d, err) }

// ProgressOf returns the progress of a match. outline returns the score in one line.
func ProgressOf(outline func(*match.Standing) string, m *match.Match, s *match.Standing) Progress {
	p := Progress{Engines: s.Names, Played: s.Games, Over: s.Over()}
	if s.Games > 0 {
		p.Score = outline(s)
	}
	if m.Setup != nil {
		p.Command = m.Setup.Command
	}
	if m.Schedule.Rounds < Unlimited {
		p.Total = m.Schedule.Games()
	}
	for i := range m.Engines {
		p.Limits = append(p.Limits, m.Engines[i].Limits.String())
	}
	if len(s.Pairings) == 1 {
		p.Counts = s.Pairings[0].Pairs
	}
	if m.Test != nil {
		p.Pairs, p.LLR = s.Settled, s.LLR
		p.Bounds[0], p.Bounds[1] = m.Test.Bounds()
		h := m.Test.Hypotheses()
		p.Test = &h
	}
	return p
}

// scoreOf returns the score of a match in one line: of two engines the first one's Elo, and the
// verdict once the match is over; otherwise each engine's points.
func scoreOf(s *match.Standing) string {
	if len(s.Pairings) == 1 {
		p := s.Pairings[0]
		if p.Pairs.Total() == 0 {
			return "no result yet"
		}
		elo := "Elo " + stats.TooFew
		switch first, second := s.Names[p.Engines[0]], s.Names[p.Engines[1]]; {
		case s.Over():
			elo = stats.Verdict(first, second, p.Pairs)
		case stats.Enough(p.Pairs):
			elo = first + " " + stats.Elo(p.Pairs).Elo()
		}
		return fmt.Sprintf("%s, +%d =%d -%d", elo, p.Games.Wins, p.Games.Draws, p.Games.Losses)
	}
	var parts []string
	for i, games := range s.Totals() {
		parts = append(parts, fmt.Sprintf("%s %.1f", s.Names[i], games.Points()))
	}
	return strings.Join(parts, ", ")
}
