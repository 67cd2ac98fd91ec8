package hub

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/nats-io/nats.go"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/hub/internal/wire"
	"gyre/bench/hub/server"
	"gyre/bench/match"
	"gyre/position"
	"gyre/protocol"
)

func TestMain(m *testing.M) {
	enginetest.Play()
	if at := os.Getenv(workerVariable); at != "" {
		workAlone(at)
	}
	if os.Getenv(hubVariable) != "" {
		hubAlone()
	}
	if kind := os.Getenv(floodVariable); kind != "" {
		floodAlone(kind)
	}
	if thousandths, err := strconv.Atoi(os.Getenv(burnVariable)); err == nil {
		burnAlone(thousandths)
	}
	enginetest.Parallel()
	os.Exit(m.Run())
}

// workerVariable has the test's binary, started again, work for the hub that it names.
const workerVariable = "GYRE_TEST_WORK_FOR"

// workAlone is a worker in a process of its own.
func workAlone(at string) {
	ctx := context.Background()
	h, err := Connect(ctx, Address{URL: at, Name: "alone"})
	if err == nil {
		w := &Worker{Hub: h, Name: "alone", Slots: 2, Cache: os.Args[1], Tell: func(string) {}, Warn: func(err error) { fmt.Fprintln(os.Stderr, err) }}
		err = w.Run(ctx)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// guard ends a test that would wait forever.
const guard = 2 * time.Minute

// quick gives up on silent workers soon.
var quick = Settings{Silent: 2 * time.Second, Tick: 50 * time.Millisecond, Patience: 500 * time.Millisecond}

// site is the hub of a test. It can be killed and restarted.
type site struct {
	t     *testing.T
	store string
	// settings are those of matches that are played over it.
	settings Settings
	// clock is what real clocks are for, and measure what workers measure them by.
	clock   *ClockSpec
	measure measurer
	score   func() Progress // of matches; it may be nil
	listen  string          // where it listens; empty for this process alone
	space   func(string) (free, total uint64, err error)
	mu      sync.Mutex
	hub     *server.Server
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t, settings: quick, store: filepath.Join(t.TempDir(), "store")}
	s.start()
	t.Cleanup(s.stop)
	return s
}

func (s *site) start() {
	s.t.Helper()
	hub, err := server.Start(context.Background(), server.Config{Store: s.store, Listen: s.listen, Space: s.space, Warn: func(err error) { s.t.Log(err) }})
	if err != nil {
		s.t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hub = hub
}

func (s *site) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hub != nil {
		if err := s.hub.Close(); err != nil {
			s.t.Error(err)
		}
		s.hub = nil
	}
}

// InProcessConn connects to the hub that runs now.
func (s *site) InProcessConn() (net.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hub == nil {
		return nil, errors.New("the hub is down")
	}
	return s.hub.InProcessConn()
}

func (s *site) Credentials() ([]nats.Option, error) { return nil, nil }

// connect connects until the test ends.
func (s *site) connect(name string) *Hub {
	s.t.Helper()
	return connectTo(context.Background(), s.t, Address{Server: s, Name: name})
}

// connectTo connects to a hub until the test ends.
func connectTo(ctx context.Context, t *testing.T, a Address) *Hub {
	t.Helper()
	h, err := Connect(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

// work has a worker play until the function that comes back is called, which returns
// what Run did.
func (s *site) work(name string, change func(*Worker)) (stop func() error) {
	s.t.Helper()
	return s.workBy(s.connect(name), name, change)
}

// workBy is work over a connection.
func (s *site) workBy(h *Hub, name string, change func(*Worker)) (stop func() error) {
	s.t.Helper()
	w := &Worker{Hub: h, Name: name, Slots: 2, Cache: s.t.TempDir(), Heartbeat: 100 * time.Millisecond, measure: s.measure, inside: inside,
		Tell: func(string) {}, Warn: func(err error) { s.t.Logf("worker %s: %v", name, err) }}
	if change != nil {
		change(w)
	}
	ctx, cancel := context.WithTimeout(context.Background(), guard)
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	var once sync.Once
	var err error
	stop = func() error {
		once.Do(func() { cancel(); err = <-ended })
		return err
	}
	s.t.Cleanup(func() { _ = stop() })
	return stop
}

// watchDenials returns a function that returns the last permission that the hub denied to a
// connection, empty for none.
func watchDenials(h *Hub) (last func() string) {
	var denied atomic.Value
	h.conn.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		if errors.Is(err, nats.ErrPermissionViolation) {
			denied.Store(err.Error())
		}
	})
	return func() string {
		text, _ := denied.Load().(string)
		return text
	}
}

// listener keeps the warnings of a match, and may act after some games.
type listener struct {
	t        *testing.T
	mu       sync.Mutex
	warnings []string
	ended    int
	act      func(ended int)
	warned   func(text string)
}

func (l *listener) Resumed(*match.Standing) {}

func (l *listener) Ended(*match.Line, *match.Standing) {
	if l.ended++; l.act != nil {
		l.act(l.ended)
	}
}

func (l *listener) Warn(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.t.Log(err)
	l.warnings = append(l.warnings, err.Error())
	if l.warned != nil {
		l.warned(err.Error())
	}
}

// played reads a journal: each game once.
func played(t *testing.T, path string) map[int]*match.Line {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[int]*match.Line{}
	whole, err := match.ReadLines(bytes.NewReader(text), path, false, func(l *match.Line) error {
		if lines[l.Game] != nil {
			t.Errorf("game %d is there twice", l.Game)
		}
		lines[l.Game] = l
		return nil
	})
	if err != nil || whole != int64(len(text)) {
		t.Fatalf("%d of %d bytes, %v", whole, len(text), err)
	}
	return lines
}

// sameGames is for comparing games that were played twice.
var sameGames = cmp.Options{cmpopts.IgnoreFields(match.Line{}, "Began", "Seconds", "Worker", "Factor"), cmpopts.IgnoreFields(match.TurnLine{}, "MS")}

// journals are the file of a match over a hub, and the games of the same match here.
type journals struct {
	path  string
	local map[int]*match.Line
}

// locally plays a match without a hub.
func locally(t *testing.T, m *match.Match) journals {
	t.Helper()
	here := *m
	here.Executor = nil
	here.Engines = slices.Clone(m.Engines)
	for i := range here.Engines {
		inside(&here.Engines[i])
	}
	path := filepath.Join(t.TempDir(), "local.jsonl")
	if _, err := here.Run(context.Background(), match.Files{Lines: path}, &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	return journals{path: filepath.Join(t.TempDir(), "hub.jsonl"), local: played(t, path)}
}

// inside runs a good engine of a pairing inside this program, which is far cheaper than to start one.
func inside(e *game.Engine) {
	if strings.TrimRight(e.Name, "0123456789") == enginetest.Good {
		e.Start = enginetest.Local(enginetest.Good)
	}
}

// asPrograms has a worker start all engines as programs.
func asPrograms(w *Worker) { w.inside = nil }

// check holds the journal over the hub to that of this machine.
func (j journals) check(t *testing.T) {
	t.Helper()
	if diff := cmp.Diff(j.local, played(t, j.path), sameGames); diff != "" {
		t.Errorf("the games differ (-here +over the hub):\n%s", diff)
	}
}

// over plays a match over a hub, until its end or ctx's.
func (s *site) over(ctx context.Context, m *match.Match, programs []Program, path string, l *listener) error {
	ctx, stop := context.WithTimeout(ctx, guard)
	defer stop()
	run := *m
	run.Executor = &Executor{Hub: s.connect("client"), Programs: programs, Client: path, Clock: s.clock, Settings: s.settings, Score: s.score}
	_, err := run.Run(ctx, match.Files{Lines: path}, l)
	return err
}

// errEnough ends a run of a test.
var errEnough = errors.New("enough")

// remove deletes a folder.
func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

// long skips a test that is too long for -short.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("some seconds")
	}
	t.Parallel()
}

// telling returns a function that reports whether a warning contains a text.
func telling(what string) func(string) bool {
	return func(text string) bool { return strings.Contains(text, what) }
}

// untilWarned plays a match over a hub until a warning is enough, which ends it.
func (s *site) untilWarned(m *match.Match, programs []Program, enough func(text string) bool) error {
	s.t.Helper()
	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	l := &listener{t: s.t, warned: func(text string) {
		if enough(text) {
			stop(errEnough)
		}
	}}
	return s.over(ctx, m, programs, filepath.Join(s.t.TempDir(), "games.jsonl"), l)
}

// randomOpenings are random placements and a move.
type randomOpenings struct{}

func (randomOpenings) Opening(round int) (game.Opening, error) {
	rng := rand.New(rand.NewPCG(uint64(round), 2))
	o := game.Opening{Start: position.Start(position.Standard)}
	p := o.Start
	for range 11 {
		legal := p.Turns(nil)
		t := legal[rng.IntN(len(legal))]
		o.Turns = append(o.Turns, t)
		p = p.After(t)
	}
	return o, nil
}

// pairing is a match of test engines, each against each, and their programs.
func pairing(t *testing.T, pairs int, kinds ...string) (*match.Match, []Program) {
	t.Helper()
	m := &match.Match{ID: "test", Schedule: match.RoundRobin(len(kinds), pairs), Openings: randomOpenings{}, Concurrency: 2,
		Patience:   protocol.Patience{Handshake: time.Minute, Answer: time.Minute, Stop: time.Minute, Quit: time.Minute},
		Conditions: game.Conditions{TurnPatience: time.Minute, Adjudication: game.Adjudication{MaxTurns: 30}},
	}
	dir, pids := t.TempDir(), t.TempDir()
	var programs []Program
	for i, kind := range kinds {
		path, err := enginetest.Script(dir, kind, pids)
		if err != nil {
			t.Skip(err)
		}
		program := protocol.Program{Path: path}
		programs = append(programs, Program{Program: program})
		m.Engines = append(m.Engines, game.Engine{Name: fmt.Sprint(kind, i), Start: program.Start, Build: game.BuildOf(program), Limits: game.TimeControl{Nodes: 1}})
	}
	t.Cleanup(func() {
		if left, _, err := enginetest.Left(pids); err != nil || len(left) > 0 {
			t.Errorf("processes %v left behind, %v", left, err)
		}
	})
	return m, programs
}

// handJob is a job that a test plays by hand.
type handJob struct {
	key string // of its match
	nextReply
}

// byHand plays jobs one by one as a worker does, and calls deliver with each result, until
// deliver returns false or the match suspends the worker.
func (s *site) byHand(name string, deliver func(job handJob, result *resultMessage) bool) (done <-chan struct{}) {
	s.t.Helper()
	w := &Worker{Hub: s.connect(name), Name: name, Slots: 1, measure: s.measure, cache: &cache{dir: s.t.TempDir()}, Heartbeat: time.Second, inside: inside,
		Tell: func(string) {}, Warn: func(err error) { s.t.Log(err) }}
	w.reset()
	watching := s.connect("")
	ctx, stop := context.WithTimeout(context.Background(), guard)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		hand := &slot{worker: w}
		defer hand.closeEngines()
		for more := true; more && ctx.Err() == nil; {
			running, err := matchesOn(ctx, watching)
			if err != nil {
				s.t.Log(err)
			}
			for key, m := range running {
				w.mu.Lock()
				w.running[key] = &runningMatch{*m, time.Now(), w.Hub.reconnected()}
				w.mu.Unlock()
				reply, err := w.Hub.request(ctx, key, name, &nextMessage{Next: true, Wait: true})
				if err == nil && reply.Done { // it is suspended
					return
				}
				if err != nil || reply.Job == nil {
					continue
				}
				result, err := hand.playGames(ctx, key, reply.Job)
				more = err == nil && deliver(handJob{key, *reply}, result)
			}
		}
	}()
	s.t.Cleanup(func() { stop(); <-ended })
	return ended
}

// replies counts the subjects of freshReply.
var replies atomic.Uint64

// freshReply returns a subject for the reply of another to a request in a name. No other request has it: the hub takes two with
// the same one for copies.
func freshReply(name, from string) string {
	return wire.ReplySubjects(name, from) + "c." + strconv.FormatUint(replies.Add(1), 36)
}

// send delivers a result and returns whether the match is done with it. The error is errNoMatch if the match
// is not there.
func send(ctx context.Context, h *Hub, job handJob, worker string, result *resultMessage) (done bool, err error) {
	text, err := json.Marshal(result)
	if err != nil {
		return false, err
	}
	if running, err := matchesOn(ctx, h); err != nil {
		_, suspended := errors.AsType[*SuspendedError](err)
		return suspended, err // a match takes nothing from a suspended worker, and is done with its results
	} else if m, is := running[job.key]; !is || m.Absent {
		return false, errNoMatch
	}
	reply, err := h.request(ctx, job.key, worker, &nextMessage{Unit: job.Unit, Attempt: job.Attempt, result: text})
	return err == nil && reply.Done, err
}

// deliver delivers a result until the match is done with it.
func (s *site) deliver(h *Hub, job handJob, worker string, result *resultMessage) {
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	for done, err := send(ctx, h, job, worker, result); !done && !errors.Is(err, errNoMatch); done, err = send(ctx, h, job, worker, result) {
		if ctx.Err() != nil {
			s.t.Errorf("the result of job %d was not taken: %v", job.Unit, err)
			return
		}
	}
}

// keyed is a store with keys, of which one is for a worker and one for matches, and their
// files.
func keyed(t *testing.T) (store, worker, player string) {
	t.Helper()
	store, dir := filepath.Join(t.TempDir(), "store"), t.TempDir()
	worker, player = filepath.Join(dir, "attic.key"), filepath.Join(dir, "me.key")
	if err := errors.Join(server.AddKey(store, "attic", ForWorker, 0, worker), server.AddKey(store, "me", ForMatch, 0, player)); err != nil {
		t.Fatal(err)
	}
	return store, worker, player
}

// addKey adds a key to a store, and returns its file.
func addKey(t *testing.T, store, name string, role Role) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name+".key")
	if err := server.AddKey(store, name, role, 0, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// guarded is a hub with such keys on a free port.
func guarded(t *testing.T) (s *server.Server, store, worker, player string) {
	t.Helper()
	return guardedBy(t, server.Config{})
}

// guardedBy is guarded with more of a configuration.
func guardedBy(t *testing.T, config server.Config) (s *server.Server, store, worker, player string) {
	t.Helper()
	store, worker, player = keyed(t)
	config.Store, config.Listen, config.Warn = store, "127.0.0.1:-1", func(err error) { t.Log(err) }
	s, err := server.Start(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, store, worker, player
}

// files are those of a match without records.
func files(lines string) match.Files { return match.Files{Lines: lines} }

// await waits until what the hub knows of a worker is as it should be.
func (s *site) await(h *Hub, worker string, want func(WorkerStatus) bool) {
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	for {
		present, err := workersOn(ctx, h)
		switch {
		case err == nil && want(present[worker]):
			return
		case ctx.Err() != nil:
			s.t.Errorf("of worker %s the hub knows %+v, %v", worker, present[worker], err)
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// addFault adds a fault of a worker.
func addFault(ctx context.Context, h *Hub, worker string, why error) error {
	return h.blame(ctx, &wire.BlameRequest{Worker: worker, Why: why.Error()})
}

// matchesOn returns the matches in progress, by owner and key.
func matchesOn(ctx context.Context, h *Hub) (map[string]*MatchStatus, error) {
	reply, err := h.status(ctx)
	all := map[string]*MatchStatus{}
	for id := range reply.Matches {
		listed := reply.Matches[id]
		all[id] = parseListed(&listed)
	}
	return all, err
}

// workersOn returns the workers that a hub knows.
func workersOn(ctx context.Context, h *Hub) (map[string]WorkerStatus, error) {
	reply, err := h.status(ctx)
	return (&roster{}).parse(reply.Workers), err
}

// faultsOf returns the faults of a worker, of all that a key sees.
func faultsOf(ctx context.Context, h *Hub, worker string) (f Faults, err error) {
	s, err := h.Status(ctx)
	if err == nil {
		for id, some := range s.Faults {
			if id == worker || strings.HasSuffix(id, "."+worker) {
				f.Merge(&some)
			}
		}
	}
	return f, err
}

// join reports a status in the name of a worker.
func join(ctx context.Context, h *Hub, name string, s WorkerStatus) error {
	_, err := h.ask(ctx, wire.Join, name, s, nil, &wire.JoinReply{})
	return err
}
