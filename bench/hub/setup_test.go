package hub

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/nats-io/nats.go"

	"gyre/bench/enginetest"
	"gyre/bench/match"
)

func TestMain(m *testing.M) {
	enginetest.Play()
	if at := os.Getenv(workerVariable); at != "" {
		workAlone(at)
	}
	if os.Getenv(hubVariable) != "" {
		hubAlone()
	}
	os.Exit(m.Run())
}

// guard ends a test that would wait for ever.
const guard = 8 * time.Minute

// quick has silent workers given up soon.
var quick = Settings{Silent: 2 * time.Second, Tick: 50 * time.Millisecond}

// site is a hub of a test, which can be killed and begun again.
type site struct {
	t     *testing.T
	store string
	// settings are those of matches that are played over it.
	settings Settings
	// clock is what real clocks are for, and measure what workers measure them by.
	clock   *ClockSpec
	measure measurer
	listen  string // where it listens; empty for this process alone
	mu      sync.Mutex
	hub     *Server
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
	hub, err := StartServer(context.Background(), ServerConfig{Store: s.store, Listen: s.listen})
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

func (s *site) credentials() ([]nats.Option, error) { return nil, nil }

// connect connects until the test ends.
func (s *site) connect(name string) *Hub {
	s.t.Helper()
	h, err := Connect(context.Background(), Address{Server: s, Name: name})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(h.Close)
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
	w := &Worker{Hub: h, Name: name, Slots: 2, Cache: s.t.TempDir(), Beat: 100 * time.Millisecond, measure: s.measure,
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
	here.Crew = nil
	path := filepath.Join(t.TempDir(), "local.jsonl")
	if _, err := here.Run(context.Background(), match.Files{Lines: path}, &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	return journals{path: filepath.Join(t.TempDir(), "hub.jsonl"), local: played(t, path)}
}

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
	run.Crew = &Crew{Hub: s.connect("client"), Programs: programs, Client: path, Clock: s.clock, Settings: s.settings}
	_, err := run.Run(ctx, match.Files{Lines: path}, l)
	return err
}
