package hub

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/hub/internal/wire"
	"gyre/bench/hub/server"
	"gyre/bench/journal"
	"gyre/bench/match"
	"gyre/bench/openings"
	"gyre/bench/stats"
	"gyre/bench/tune"
)

// control plays the detached matches of a hub until the function is called.
func (s *site) control(h *Hub) (stop func()) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	c := &Controller{Hub: h, Door: s.hub, Store: s.store, Settings: s.settings, Warn: func(err error) { s.t.Log(err) }}
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	return func() {
		cancel()
		if err := <-ended; err != nil {
			s.t.Error(err)
		}
	}
}

// requestFor returns the request for a match of test engines.
func requestFor(t *testing.T, m *match.Match, name string) Request {
	t.Helper()
	r := Request{Name: name, Command: "match"}
	for round := range m.Schedule.Rounds {
		o, err := m.Openings.Opening(round)
		if err != nil {
			t.Fatal(err)
		}
		r.Book = append(r.Book, openings.Format(o))
	}
	return r
}

// awaitState waits until a detached match is in a state, and has some games.
func awaitState(ctx context.Context, t *testing.T, h *Hub, name string, state State, games int) {
	t.Helper()
	awaitDetached(ctx, t, h, name, func(d *DetachedMatch) bool { return d.State == state && d.Played >= games })
}

// awaitDetached waits until the state of a detached match is as it should be.
func awaitDetached(ctx context.Context, t *testing.T, h *Hub, name string, reached func(*DetachedMatch) bool) {
	t.Helper()
	for {
		d, err := h.Detached(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		if reached(d) {
			return
		}
		if d.State == Over || d.State == Impaired {
			t.Fatalf("%+v", d)
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			t.Fatalf("%+v", d)
		}
	}
}

// TestDetached hands a match to a hub without workers, which says so. One comes, the client
// leaves, the hub loses its store and restarts in the middle of the match, somebody stops the
// match, and the same command resumes it. When it is over, it gets more games. All are those of a local
// match. Until the end its worker plays one job at a time, so that it is not over too early.
func TestDetached(t *testing.T) {
	long(t)
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	longer, programs := pairing(t, 14, enginetest.Good, enginetest.Good)
	j := locally(t, longer)
	if err := longer.CheckEngines(ctx); err != nil {
		t.Fatal(err)
	}
	shorter := *longer
	m := &shorter
	m.Schedule.Rounds = 12
	s := newSite(t)
	end := s.control(s.connect(""))
	client := s.connect("")
	if err := client.Detach(ctx, m, programs, nil, requestFor(t, m, "new")); err != nil {
		t.Fatal(err)
	}
	awaitDetached(ctx, t, client, "new", func(d *DetachedMatch) bool { return d.Wait == errNoWorkers.Error() })
	worker := s.connect("one")
	if err := (&Worker{Hub: worker, Name: "one", Slots: 1}).reportStatus(ctx); err != nil {
		t.Fatal(err)
	}
	awaitDetached(ctx, t, client, "new", func(d *DetachedMatch) bool { return d.Wait == "" })
	client.Close()
	watching := s.connect("")
	games := 0
	playPair := func() {
		t.Helper()
		games += 2
		<-s.byHand("one", func(job handJob, result *resultMessage) bool {
			s.deliver(worker, job, "one", result)
			return false
		})
		awaitState(ctx, t, watching, "new", Running, games)
	}
	change := func(operations ...string) {
		t.Helper()
		for _, operation := range operations {
			if err := watching.Change(ctx, operation, "new"); err != nil {
				t.Fatal(err)
			}
		}
	}
	is := func(state State) {
		t.Helper()
		if d, err := watching.Detached(ctx, "new"); err != nil || d.State != state || d.Played != games {
			t.Errorf("%+v, %v instead of %s with %d games", d, err, state, games)
		}
	}
	playPair()
	end()
	s.stop()
	remove(t, filepath.Join(s.store, "files"))
	remove(t, filepath.Join(s.store, "state.json"))
	s.start()
	end = s.control(s.connect(""))
	defer func() { end() }()
	playPair()
	change("stop")
	is(Stopped)
	other := *m
	other.ID = "other"
	if err := watching.Detach(ctx, &other, programs, nil, requestFor(t, m, "new")); err == nil || !strings.Contains(err.Error(), "match new: begun with other settings") {
		t.Errorf("another match by its name: %v", err)
	}
	for range 2 { // the second time it is running
		if err := watching.Detach(ctx, m, programs, nil, requestFor(t, m, "new")); err != nil {
			t.Fatal(err)
		}
	}
	// Resumed at once, it goes on; paused, it stays so over a restart.
	change("pause", "resume")
	playPair()
	if err := watching.Detach(ctx, longer, programs, nil, requestFor(t, longer, "new")); err == nil || !strings.Contains(err.Error(), "before you add games") {
		t.Errorf("more games while it runs: %v", err)
	}
	change("pause")
	is(Paused)
	end()
	end = s.control(s.connect(""))
	is(Paused)
	change("resume", "resume")
	s.work("two", nil)
	awaitState(ctx, t, watching, "new", Over, 24)
	if there, err := os.ReadDir(filepath.Join(s.store, "matches", "new", blobsFolder)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a match that is over keeps its files: %v, %v", there, err)
	}
	for _, what := range []string{"pause", "resume", "stop"} {
		if err := watching.Change(ctx, what, "new"); err == nil || !strings.Contains(err.Error(), "is over") {
			t.Errorf("%s of a match that is over: %v", what, err)
		}
	}
	if err := watching.Detach(ctx, m, programs, nil, requestFor(t, m, "new")); err == nil || !strings.Contains(err.Error(), "is over") {
		t.Errorf("a match that is over: %v", err)
	}
	if err := watching.Detach(ctx, longer, programs, nil, requestFor(t, longer, "new")); err != nil {
		t.Fatal(err)
	}
	awaitState(ctx, t, watching, "new", Over, 28)
	var text []byte
	for {
		data, _, err := watching.Fetch(ctx, "new", int64(len(text)))
		if err != nil {
			t.Fatal(err)
		}
		if len(data) == 0 {
			break
		}
		text = append(text, data...)
	}
	if err := os.WriteFile(j.path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	j.check(t)
	all, err := watching.AllDetached(ctx)
	if err != nil || len(all) != 1 || all[0].Total != 28 || !strings.Contains(all[0].Score, " Elo (95%: ") {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := watching.Detached(ctx, "none"); err == nil || !strings.Contains(err.Error(), `no detached match "none"; there are: new`) {
		t.Errorf("an unknown match: %v", err)
	}
}

// TestDetachedDispute has two workers send different results of a pair, and no third one. The state of the detached match says
// so when it is over.
func TestDetachedDispute(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	m, programs := pairing(t, 1, enginetest.Good, enginetest.Good)
	if err := m.CheckEngines(ctx); err != nil {
		t.Fatal(err)
	}
	s := newSite(t)
	s.settings.Recheck, s.settings.Silent = math.MaxInt, time.Minute
	defer s.control(s.connect(""))()
	other := s.connect("other")
	if err := join(ctx, other, "other", WorkerStatus{Name: "other", System: system, Slots: 1}); err != nil {
		t.Fatal(err)
	}
	s.work("one", nil)
	if err := other.Detach(ctx, m, programs, nil, requestFor(t, m, "new")); err != nil {
		t.Fatal(err)
	}
	awaitState(ctx, t, other, "new", Running, 2)
	s.byHand("other", func(job handJob, result *resultMessage) bool {
		score := 1 + *result.Games[0].Turns[2].CP
		result.Games[0].Turns[2].CP = &score
		s.deliver(other, job, "other", result)
		return false
	})
	awaitState(ctx, t, other, "new", Over, 2)
	want := (&match.Standing{Disputed: []int{0}}).DisputedError().Error()
	if d, err := other.Detached(ctx, "new"); err != nil || d.Doubt != want {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestResilient restarts the hub during a request. It is sent again; other errors are not repeated.
func TestResilient(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	s := newSite(t)
	h := s.connect("")
	attempts := 0
	err := h.resilient(ctx, func(attempt context.Context) error {
		if attempts++; attempts > 1 {
			return nil
		}
		s.stop()
		s.start()
		<-attempt.Done()
		return context.Cause(attempt)
	})
	if err != nil || attempts != 2 {
		t.Errorf("%d attempts, %v", attempts, err)
	}
	attempts = 0
	if err := h.resilient(ctx, func(context.Context) error { attempts++; return errNotFound }); err != errNotFound || attempts != 1 {
		t.Errorf("%d attempts, %v", attempts, err)
	}
}

// TestDefiniteErrors answers requests with each kind of error, over a connection that is down and after it was interrupted. Only
// errors of the connection are repeated, for as long as a request waits for the hub.
func TestDefiniteErrors(t *testing.T) {
	for _, test := range []struct {
		err      error
		repeated bool
	}{
		{errReconnected, true},
		{explain(context.Canceled), true},
		{context.DeadlineExceeded, true},
		{nats.ErrNoResponders, true},
		{nats.ErrTimeout, true},
		{nats.ErrDisconnected, true},
		{nats.ErrConnectionClosed, true},
		{nats.ErrConnectionReconnecting, true},
		{nats.ErrStaleConnection, true},
		{nats.ErrReconnectBufExceeded, true},
		{fmt.Errorf("sending: %w", explain(nats.ErrDisconnected)), true},
		{&net.OpError{Op: "write", Err: syscall.ECONNRESET}, true},
		{errors.New("only its owner can stop it"), false}, // a reply of the hub
		{errNotFound, false},
		{&SuspendedError{}, false},
		{ErrNoAccess, false},
		{nats.ErrPermissionViolation, false},
		{nats.ErrAuthorization, false},
		{explain(nats.ErrMaxPayload), false},
		{&fileError{os.ErrNotExist}, false},
		{&fileError{io.EOF}, false},
		{&os.PathError{Op: "open", Err: syscall.ENOENT}, false},
	} {
		for _, interrupted := range []bool{false, true} { // before the error
			synctest.Test(t, func(t *testing.T) {
				h := &Hub{conn: &nats.Conn{}, connection: context.Background(), closed: make(chan struct{})} // it is down
				began, attempts := time.Now(), 0
				err := h.resilient(t.Context(), func(context.Context) error {
					if attempts++; interrupted && attempts == 1 {
						return errReconnected
					}
					return test.err
				})
				took, most := time.Since(began), retryInterval
				if test.repeated {
					most = replyTimeout + 2*retryInterval
				}
				if !errors.Is(err, test.err) || took > most || test.repeated && took < replyTimeout {
					t.Errorf("%v, interrupted before: %v: %v after %v and %d attempts", test.err, interrupted, err, took, attempts)
				}
			})
		}
	}
}

// TestOwner checks who may stop and delete a detached match.
func TestOwner(t *testing.T) {
	long(t)
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	s, store, _, mine := guarded(t)
	dir := t.TempDir()
	other, boss := filepath.Join(dir, "other.key"), filepath.Join(dir, "boss.key")
	if err := errors.Join(server.AddKey(store, "other", ForMatch, 0, other), server.AddKey(store, "boss", ForAdmin, 0, boss)); err != nil {
		t.Fatal(err)
	}
	connect := func(a Address) *Hub { return joined(ctx, t, a) }
	at := &site{t: t, hub: s, store: store, settings: quick}
	defer at.control(connect(Address{Server: s}))()
	m, programs := pairing(t, 2, enginetest.Good, enginetest.Good)
	if err := m.CheckEngines(ctx); err != nil {
		t.Fatal(err)
	}
	me, stranger := connect(Address{URL: s.URL(), Key: mine, Role: ForMatch}), connect(Address{URL: s.URL(), Key: other, Role: ForMatch})
	for _, name := range []string{"a", "b"} {
		if err := me.Detach(ctx, m, programs, nil, requestFor(t, m, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{stranger.Change(ctx, "stop", "a"), stranger.Change(ctx, "pause", "a"), stranger.Change(ctx, "resume", "a"), stranger.Change(ctx, "delete", "a")} {
		if err == nil || !strings.Contains(err.Error(), "belongs to me") {
			t.Errorf("a stranger: %v", err)
		}
	}
	if d, err := stranger.Detached(ctx, "a"); err != nil || d.Owner != "me" || d.State != Running {
		t.Errorf("%+v, %v", d, err)
	}
	short, stopShort := context.WithTimeout(ctx, 200*time.Millisecond)
	defer stopShort()
	if _, err := stranger.ask(short, wire.Stop, "me", &controlMessage{Version: wire.Version, Name: "a"}, nil, &controlReply{}); err == nil {
		t.Error("a key was used under another name")
	}
	for name, h := range map[string]*Hub{"a": me, "b": connect(Address{URL: s.URL(), Key: boss, Role: ForMatch})} {
		if err := h.Change(ctx, "delete", name); err == nil || !strings.Contains(err.Error(), "is running: stop it first") {
			t.Errorf("deletion of a running match: %v", err)
		}
		if err := h.Change(ctx, "stop", name); err != nil {
			t.Error(err)
		}
		awaitState(ctx, t, me, name, Stopped, 0)
		if err := h.Change(ctx, "delete", name); err != nil {
			t.Error(err)
		}
		if _, err := h.control(ctx, wire.Delete, &controlMessage{Name: name}); err != nil {
			t.Errorf("a deletion whose reply was lost, requested again: %v", err)
		}
		if err := h.Change(ctx, "delete", name); err == nil || !strings.Contains(err.Error(), "there is no detached match") {
			t.Errorf("deletion of a deleted match: %v", err)
		}
	}
	all, err := me.AllDetached(ctx)
	folders, err1 := os.ReadDir(filepath.Join(store, "matches"))
	if err := errors.Join(err, err1); err != nil || len(all) != 0 || len(folders) != 0 {
		t.Errorf("%v and %v remain, %v", all, folders, err)
	}
}

// TestDeletionGoesOn starts a hub that ended in the middle of a deletion and of a start.
func TestDeletionGoesOn(t *testing.T) {
	s := newSite(t)
	matches := filepath.Join(s.store, "matches")
	for _, name := range []string{"old" + deleting, "new"} {
		if err := os.MkdirAll(filepath.Join(matches, name, blobsFolder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	c := &Controller{Hub: s.connect(""), Store: s.store, Warn: func(err error) { t.Error(err) }, matches: map[string]*detached{}}
	if err := c.load(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(matches); err != nil || len(left) != 0 || len(c.matches) != 0 {
		t.Errorf("%d matches, the folder: %v, %v", len(c.matches), left, err)
	}
}

// TestDetachedRecipe makes the openings of a match from a recipe. If making one panics, the match gets an error.
func TestDetachedRecipe(t *testing.T) {
	m, programs := pairing(t, 2, enginetest.Good, enginetest.Good)
	recipe := openings.Recipe{Seed: 3, Rings: openings.AllRings, Moves: 2}
	generator, err := openings.NewGenerator(recipe)
	if err != nil {
		t.Fatal(err)
	}
	m.Openings = generator
	if err := m.CheckEngines(context.Background()); err != nil {
		t.Fatal(err)
	}
	spec, _, err := newSpec(m, programs, nil, "hub:x")
	if err != nil {
		t.Fatal(err)
	}
	first, err := generator.Opening(0)
	if err != nil {
		t.Fatal(err)
	}
	r := Request{Name: "x", Spec: spec, Schedule: m.Schedule, Recipe: &recipe, First: openings.Format(first)}
	searchers := openings.NewSearchers(1).Share(t.Context(), "me")
	made, err := r.match(searchers)
	if err != nil {
		t.Fatal(err)
	}
	want, err1 := generator.Opening(1)
	got, err2 := made.Openings.Opening(1)
	if err := errors.Join(err1, err2); err != nil || openings.Format(want) != openings.Format(got) {
		t.Errorf("opening %q, want %q, %v", openings.Format(got), openings.Format(want), err)
	}
	const later = 1000
	made.Openings.(containedGenerator).Borrower = &openings.Borrower{} // of nobody
	if _, err := made.Openings.Opening(later); err == nil || !strings.Contains(err.Error(), "panic: ") || !strings.Contains(err.Error(), "searchers.go") {
		t.Errorf("after a panic: %v", err)
	}
	if _, learns := made.Openings.(match.Learner); !learns {
		t.Error("the openings need a search when the match resumes")
	}
	r.First = "f5"
	if _, err := r.match(searchers); err == nil || !strings.Contains(err.Error(), "makes other openings") {
		t.Errorf("another release: %v", err)
	}
}

// TestWrongRequests sends requests to start a match that no program of a release would send. The hub
// rejects each of them, and continues.
func TestWrongRequests(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	s := newSite(t)
	defer s.control(s.connect(""))()
	client := s.connect("")
	m, programs := pairing(t, 1, enginetest.Good, enginetest.Good)
	if err := m.CheckEngines(ctx); err != nil {
		t.Fatal(err)
	}
	tuned := func(r *Request) *tune.Tuning {
		r.Tuning = &tune.Tuning{SPSA: tune.SPSA{Parameters: []tune.Parameter{{Name: "Margin", Value: 5, Max: 10, Step: 1}}, Iterations: 1, Rate: 0.5}, Concurrency: 1, Batch: 1}
		return r.Tuning
	}
	for name, test := range map[string]struct {
		change func(*Request)
		want   string
	}{
		"no specification":    {func(r *Request) { r.Spec = nil }, "needs 1 to 40"},
		"fewer rounds":        {func(r *Request) { r.Schedule.Extended, r.Schedule.Extra = []int{0}, -5 }, "additional rounds: negative"},
		"too many games":      {func(r *Request) { r.Schedule.Rounds = 1 << 40 }, "more than"},
		"no bounds":           {func(r *Request) { r.Spec.Test = &stats.Hypotheses{Elo1: 5, Alpha: 5e-324, Beta: 0.05} }, "no bounds"},
		"long searches":       {func(r *Request) { r.Recipe = &openings.Recipe{Rings: openings.AllRings, Bound: 1, Nodes: 1 << 60} }, "a hub searches at most"},
		"many engines":        {func(r *Request) { r.Spec.Engines = make([]EngineSpec, maxEngines+1) }, "engines: a hub plays"},
		"many openings":       {func(r *Request) { r.Book = make([]string, maxRequestValues) }, "use fewer openings"},
		"too many iterations": {func(r *Request) { tuned(r).Iterations = 10 }, "10 iterations, and the match 2 games"},
		"many files": {func(r *Request) {
			for i := range maxFiles + 1 {
				r.Spec.Engines[0].Settings = append(r.Spec.Engines[0].Settings, SettingSpec{Name: "File", File: &Blob{SHA256: fmt.Sprint(i)}})
			}
		}, "files, and may have"},
		"a file of two sizes": {func(r *Request) {
			for i := range int64(2) {
				r.Spec.Engines[i].Settings = append(r.Spec.Engines[i].Settings, SettingSpec{Name: "File", File: &Blob{SHA256: strings.Repeat("a", 64), Size: i * maxDetachedSize}})
			}
		}, "names file aaaaaaaa with 0 and with 8589934592 bytes"},
		"a long command": {func(r *Request) { r.Command = strings.Repeat("'", maxCommand+1) }, "shorter flags"},
		"a large batch":  {func(r *Request) { tuned(r).Batch = 1 << 60 }, "batches of"},
		"many parameters": {func(r *Request) {
			for t := tuned(r); len(t.Parameters) <= maxParameters; {
				t.Parameters = append(t.Parameters, tune.Parameter{Name: fmt.Sprint("p", len(t.Parameters)), Max: 10, Step: 1})
			}
		}, "a hub tunes at most"},
		"a strange offer":   {func(r *Request) { r.Spec.Engines[0].Offered = strings.Repeat("x", 41) }, "no worker offers"},
		"a missing program": {func(*Request) {}, "does not have file"},
	} {
		spec, _, err := newSpec(m, programs, nil, "hub:wrong")
		if err != nil {
			t.Fatal(err)
		}
		r := requestFor(t, m, "wrong")
		r.Spec, r.Schedule = spec, m.Schedule
		if test.change(&r); r.Tuning != nil {
			spec.Match = r.Tuning.Identity()
		}
		if err := client.hand(ctx, nil, &r); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if all, err := client.AllDetached(ctx); err != nil || len(all) > 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if left, err := os.ReadDir(filepath.Join(s.store, "matches")); err == nil && len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// TestManyParameters checks that a worker can read a job of a tuning with as many parameters as it may have.
func TestManyParameters(t *testing.T) {
	all := make([]game.Setting, maxParameters)
	job, err := json.Marshal(newJob([]match.Job{{Settings: map[int][]game.Setting{0: all, 1: all}}}))
	if err == nil {
		err = wire.CheckJSON(job, maxReplyValues)
	}
	if err != nil {
		t.Error(err)
	}
}

// TestTuningsAtOnce runs as many tunings as a key may have, each with a large batch, on a hub without workers. They need
// few goroutines: an iteration begins only when a worker may have its games.
func TestTuningsAtOnce(t *testing.T) {
	const batch = 200
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	s := newSite(t)
	m, _ := pairing(t, batch, enginetest.Good, enginetest.Good)
	programs := []Program{{Offered: "one"}, {Offered: "one"}} // without files
	if err := m.CheckEngines(ctx); err != nil {
		t.Fatal(err)
	}
	r := requestFor(t, m, "")
	r.Schedule = m.Schedule
	for i := range maxRunning {
		r.Tuning = &tune.Tuning{SPSA: tune.SPSA{Parameters: []tune.Parameter{{Name: "Margin", Value: 5, Max: 10, Step: 1}}, Iterations: batch, Rate: 0.5},
			ID: fmt.Sprint("tuning", i), Concurrency: batch, Batch: batch}
		m.ID = r.Tuning.Identity()
		spec, _, err := newSpec(m, programs, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		r.Spec = spec
		s.storeRunning("me", fmt.Sprint("m", i), r)
	}
	watching := s.connect("")
	before := runtime.NumGoroutine()
	defer s.control(s.connect("hub"))()
	for handing := 0; handing < maxRunning; time.Sleep(10 * time.Millisecond) {
		all, err := matchesOn(ctx, watching)
		if err != nil {
			t.Fatal(err)
		}
		handing = 0
		for _, of := range all {
			if of.Out >= minWindow {
				handing++
			}
		}
	}
	if n := runtime.NumGoroutine() - before; n > maxRunning*batch/5 {
		t.Errorf("%d tunings with batches of %d iterations have %d goroutines", maxRunning, batch, n)
	}
}

// TestUnknownName names some of many matches.
func TestUnknownName(t *testing.T) {
	c := &Controller{matches: map[string]*detached{}}
	for _, test := range []struct {
		matches int
		want    string
	}{{0, "there are: none"}, {2, "there are: m10, m11"}, {14, "m18, m19 and 4 more, which attach without a name lists"}} {
		for i := range test.matches {
			c.matches[fmt.Sprint("m", 10+i)] = nil
		}
		if err := c.unknown("x"); !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("%d matches: %v", test.matches, err)
		}
	}
}

// TestDoubts checks that a second doubt about samples does not replace the first.
func TestDoubts(t *testing.T) {
	var d DetachedMatch
	for _, worker := range []string{"attic", "cellar"} {
		r := &Ranges{doubt: d.addDoubt, Warn: func(error) {}}
		r.retract(worker, false, errors.New("its result was wrong"))
	}
	for _, worker := range []string{"attic", "cellar"} {
		if !strings.Contains(d.Doubt, "earlier results of worker "+worker+" may be wrong") {
			t.Errorf("worker %s is missing: %s", worker, d.Doubt)
		}
	}
	for range 100 { // by a key that lifts what its matches report
		d.addDoubt(errors.New(strings.Repeat("x", wire.MaxText)))
	}
	if len(d.Doubt) > maxDetail {
		t.Errorf("the doubts have %d characters", len(d.Doubt))
	}
}

// TestKeyNames hands over a match for somebody else, with keys whose names a program may have a use for.
func TestKeyNames(t *testing.T) {
	s := newSite(t)
	c := &Controller{Door: s.hub, Store: s.store, Warn: func(error) {}, matches: map[string]*detached{}}
	for _, key := range []string{"nobody", "admin", "hub", "-", "_"} {
		if !wire.Name.MatchString(key) {
			t.Fatalf("no key can be called %q", key)
		}
		r := &Request{Name: "m", Owner: "me", Spec: &Spec{Match: key}}
		c.mu.Lock()
		err := c.accept(t.Context(), key, r) // it has no files to fetch
		c.mu.Unlock()
		c.playing.Wait()
		if err != nil || r.Owner != key {
			t.Errorf("the match of key %s belongs to %s, %v", key, r.Owner, err)
		}
		delete(c.matches, "m")
		remove(t, filepath.Join(c.Store, "matches", "m"))
	}
}

// TestCopiedSpec hands over the specification of another's match under other names, and reads it from a store in which
// somebody else's name is. Each match has a key of its own: under one key, the results of a match would be faults in the
// other, and its end would hide the other.
func TestCopiedSpec(t *testing.T) {
	s := newSite(t)
	c := &Controller{Door: s.hub, Store: s.store, Warn: func(err error) { t.Log(err) }, matches: map[string]*detached{}, searchers: openings.NewSearchers(1)}
	for owner, name := range map[string]string{"me": "mine", "other": "theirs", "third": "copied"} {
		r := &Request{Name: name, Spec: &Spec{Version: wire.Version, Client: clientOf("mine")}}
		c.mu.Lock()
		err := c.accept(t.Context(), owner, r) // it has no files to fetch, and fails without engines
		c.mu.Unlock()
		if err != nil {
			t.Fatal(err)
		}
	}
	c.playing.Wait()
	stored := filepath.Join(s.store, "matches", "copied")
	if err := writeJSON(filepath.Join(stored, requestFile), &Request{Name: "copied", Spec: &Spec{Version: wire.Version, Client: clientOf("mine")}}); err != nil {
		t.Fatal(err)
	}
	if err := c.load(); err != nil {
		t.Fatal(err)
	}
	names := map[string]string{} // by key
	for name, d := range c.matches {
		key, _, err := d.request.Spec.key()
		if err != nil {
			t.Fatal(err)
		}
		if other, taken := names[key]; taken {
			t.Errorf("matches %s and %s have the same key", name, other)
		}
		names[key] = name
	}
}

// TestLanes lets a request wait for another one of the same match. Other requests, also of the same key,
// do not wait, and the number of those that wait is bounded.
func TestLanes(t *testing.T) {
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	s := newSite(t)
	c := &Controller{Hub: s.connect(""), Door: s.hub, Store: s.store, Warn: func(err error) { t.Log(err) }}
	running, end := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- c.Run(running) }()
	h := s.connect("one")
	if _, err := h.AllDetached(ctx); err != nil {
		t.Fatal(err)
	}
	c.mu.Lock()
	release, err := c.reserve("one", "x")
	c.mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	const most = 16 // in a lane
	replies := make(chan error, most+2)
	for range most + 2 {
		go func() { _, err := h.control(ctx, wire.Stop, &controlMessage{Name: "x"}); replies <- err }()
	}
	if err := <-replies; err == nil || !strings.Contains(err.Error(), "too many requests") {
		t.Errorf("one too many: %v", err)
	}
	for _, name := range []string{"one", "two"} {
		if _, err := s.connect(name).AllDetached(ctx); err != nil {
			t.Error(err)
		}
	}
	if err := s.connect("two").Change(ctx, "stop", "y"); err == nil || !strings.Contains(err.Error(), "no detached match") {
		t.Error(err)
	}
	if err := c.Answers(ctx); err != nil {
		t.Error(err)
	}
	c.mu.Lock()
	release()
	c.mu.Unlock()
	refused := 1
	for range most + 1 {
		switch err := <-replies; {
		case err != nil && strings.Contains(err.Error(), "too many requests") && refused == 1:
			refused++ // it came before the lane took the first one
		case err == nil || !strings.Contains(err.Error(), "no detached match"):
			t.Error(err)
		}
	}
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	short, stopShort := context.WithTimeout(ctx, 10*time.Millisecond)
	defer stopShort()
	if err := c.Answers(short); err == nil {
		t.Error("a controller that has ended answers")
	}
}

// TestGamesDoNotWait reports a game while a request of somebody changes or lists matches.
func TestGamesDoNotWait(t *testing.T) {
	c := &Controller{}
	d := &detached{request: &Request{Spec: &Spec{}}}
	work := c.work(d)
	shown := make(chan Progress)
	c.mu.Lock()
	defer c.mu.Unlock()
	go func() {
		d.show(Progress{Played: 5})
		work.waits(errNoWorkers)
		shown <- work.score()
	}()
	select {
	case p := <-shown:
		if state := d.shown(); p.Played != 5 || state.Played != 5 || state.Wait != errNoWorkers.Error() {
			t.Errorf("%+v, %+v", p, state)
		}
	case <-time.After(guard):
		t.Error("a game waits")
	}
}

// TestNothingChanges stops and pauses matches that are stopped and paused. The hub writes nothing.
func TestNothingChanges(t *testing.T) {
	for _, state := range []State{Stopped, Paused} {
		d := &detached{folder: filepath.Join(t.TempDir(), "missing"), state: DetachedMatch{State: state}}
		if err := new(Controller).end(d, state); err != nil {
			t.Errorf("%s: %v", state, err)
		}
	}
}

// TestAnswers asks a controller whose match no longer answers.
func TestAnswers(t *testing.T) {
	s := newSite(t)
	c := &Controller{open: true, Door: s.hub, matches: map[string]*detached{"stuck": {stop: func(error) {}, dispatching: 1}}}
	ctx, stopAsking := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer stopAsking()
	if err := c.Answers(ctx); err == nil || !strings.Contains(err.Error(), "match stuck") {
		t.Error(err)
	}
}

// TestPanics lets a match panic. That is reported with its stack, and the controller continues.
func TestPanics(t *testing.T) {
	var warned atomic.Value
	c := &Controller{Store: t.TempDir(), Warn: func(err error) { warned.Store(err.Error()) },
		OpenRanges: func(string, []byte, journal.Turns, func(error)) (RangeFile, error) { panic("of OpenRanges") }}
	d := &detached{folder: t.TempDir(), request: &Request{Name: "x", Owner: "me", Size: 1, Header: []byte("header"), Spec: &Spec{Version: wire.Version, Ranges: &RangesSpec{}}}}
	c.matches = map[string]*detached{"x": d}
	c.mu.Lock()
	d.state.State = Running
	c.start(t.Context(), d)
	c.mu.Unlock()
	c.playing.Wait()
	if text, _ := warned.Load().(string); !strings.Contains(text, "panic: of OpenRanges") || !strings.Contains(text, "detached_test.go") {
		t.Errorf("the log has %q", text)
	}
	if all := c.Records(); len(all) != 1 || all[0].State != Impaired {
		t.Errorf("%+v", all)
	}
}

// TestRoom gives a key as many detached matches as it may have, and one a long command line. Other keys may still
// start matches, and the list of all fits in a reply.
func TestRoom(t *testing.T) {
	c := &Controller{Store: t.TempDir(), matches: map[string]*detached{}}
	add := func(owner, name, command string) {
		c.matches[name] = &detached{request: &Request{Name: name, Owner: owner, Spec: &Spec{}}, state: DetachedMatch{Name: name, Owner: owner, Command: command, State: Running}}
	}
	add("other", "theirs", "short")
	add("me", "long", strings.Repeat("x", wire.MaxPayload))
	fresh := func(owner string) *Request { return &Request{Name: "fresh", Owner: owner, Spec: &Spec{}} }
	for i := range maxDetached - 2 {
		add("me", fmt.Sprint("m", i), strings.Repeat("x", maxEntry/2))
	}
	if err := c.room(fresh("me")); err != nil {
		t.Error("the last match that a key may start:", err)
	}
	add("me", "last", strings.Repeat("x", maxEntry/2))
	if c.room(fresh("me")) == nil {
		t.Error("a key may start any number of matches")
	}
	if err := errors.Join(c.room(fresh("other")), c.room(fresh(""))); err != nil {
		t.Errorf("another key, and a hub without keys: %v", err)
	}
	sized := func(name string, sizes ...int64) *Request {
		s := &Spec{Ranges: &RangesSpec{}}
		for i, size := range sizes {
			s.Ranges.Arguments = append(s.Ranges.Arguments, ArgumentSpec{File: &Blob{SHA256: fmt.Sprint(i), Size: size}})
		}
		return &Request{Name: name, Owner: "large", Spec: s}
	}
	many := func(games int) *Request {
		return &Request{Name: "many", Owner: "large", Spec: &Spec{}, Schedule: match.RoundRobin(2, games/2)}
	}
	c.matches["large"] = &detached{}
	c.matches["large"].set(sized("large", maxDetachedSize-2*wire.LeastFile))
	long := sized("long", 1)
	long.Book = []string{strings.Repeat("x", maxRequestBytes)}
	read := many(0)
	read.Book = make([]string, maxDetachedGames/openingGames+1)
	for _, test := range []struct {
		name    string
		request *Request
		has     bool // whether there is room for it
	}{
		{"openings that need the memory of too many games", read, false},
		{"a small one", sized("small", 1), true},
		{"one that is too large with the other", sized("small", 2*wire.LeastFile+1), false},
		{"two files that are too large together", sized("small", wire.LeastFile, wire.LeastFile+1), false},
		{"two small files", sized("small", 1, 1), true},
		{"too many small files", sized("small", 1, 1, 1), false},
		{"a file that claims a negative size", sized("small", 2*wire.LeastFile, -10), false},
		{"files whose sizes overflow", sized("small", math.MaxInt64, math.MaxInt64), false},
		{"one in place of the other", sized("large", maxDetachedSize), true},
		{"a larger one in place of the other", sized("large", maxDetachedSize+1), false},
		{"a request that is too long", long, false},
		{"many games", many(maxDetachedGames), true},
		{"too many games", many(maxDetachedGames + 2), false},
	} {
		if err := c.room(test.request); (err == nil) != test.has {
			t.Errorf("%s: error %v", test.name, err)
		}
	}
	c.matches["large"].request.Spec = &Spec{}
	var reply controlReply
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.fetch(&controlMessage{Name: "long", Offset: -1}, &reply); err != nil {
		t.Fatal(err)
	}
	if text, err := json.Marshal(&reply); err != nil || len(text) > wire.MaxPayload || reply.Matches[0].State != Running {
		t.Errorf("the state of a match has %d bytes, %v", len(text), err)
	}
	reply = controlReply{}
	if err := c.fetch(&controlMessage{}, &reply); err != nil {
		t.Fatal(err)
	}
	if text, err := json.Marshal(&reply); err != nil || len(text) > wire.MaxPayload || len(reply.Matches) != len(c.matches) {
		t.Errorf("the list of %d matches has %d, and %d bytes, %v", len(c.matches), len(reply.Matches), len(text), err)
	}
}

// TestFolderTaken starts a match whose folder belongs to something else: to one that the hub cannot read, or to a match
// whose name differs in case only, on a disk that ignores case.
func TestFolderTaken(t *testing.T) {
	c := &Controller{Store: t.TempDir(), matches: map[string]*detached{}}
	path := filepath.Join(c.Store, "matches", "new", gamesFile)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("theirs"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := c.accept(t.Context(), "me", &Request{Name: "new", Spec: &Spec{}}); err == nil || !strings.Contains(err.Error(), "has a folder of this name already") {
		t.Errorf("error %v", err)
	}
	all, err := os.ReadDir(filepath.Dir(path))
	if text, _ := os.ReadFile(path); err != nil || len(all) != 1 || string(text) != "theirs" {
		t.Errorf("the folder has %v, %q, %v", all, text, err)
	}
}

// TestFullStore fills the disk of a hub in the middle of a detached match, in two steps, and frees space again. First the
// hub takes no new match and no new file, and says so, while the match goes on; then the match waits, and resumes. It
// has the games of a local match.
func TestFullStore(t *testing.T) {
	long(t)
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	m, programs := pairing(t, 4, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	if err := m.CheckEngines(ctx); err != nil {
		t.Fatal(err)
	}
	const plenty, low, full = 1 << 40, 100 << 20, 1 << 20
	var free atomic.Uint64
	free.Store(plenty)
	s := &site{t: t, settings: quick, store: filepath.Join(t.TempDir(), "store"), space: func(string) (uint64, uint64, error) { return free.Load(), plenty, nil }}
	s.start()
	t.Cleanup(s.stop)
	defer s.control(s.connect(""))()
	client, worker := s.connect(""), s.connect("one")
	detach := func(name string) error { return client.Detach(ctx, m, programs, nil, requestFor(t, m, name)) }
	if err := detach("new"); err != nil {
		t.Fatal(err)
	}
	playPair := func(games int) {
		t.Helper()
		<-s.byHand("one", func(job handJob, result *resultMessage) bool {
			s.deliver(worker, job, "one", result)
			return false
		})
		awaitState(ctx, t, client, "new", Running, games)
	}
	refuses := func() {
		t.Helper()
		if err := detach("other"); err == nil || !strings.Contains(err.Error(), "takes no new files and matches") {
			t.Errorf("another match: %v", err)
		}
		if err := client.putBlob(ctx, "", &Blob{SHA256: strings.Repeat("0", 64), Size: 1}, false); err == nil || !strings.Contains(err.Error(), "takes no new files and matches") {
			t.Errorf("another file: %v", err)
		}
	}
	playPair(2)
	free.Store(low)
	refuses()
	playPair(4)
	free.Store(full)
	awaitDetached(ctx, t, client, "new", func(d *DetachedMatch) bool {
		return d.State == Running && strings.Contains(d.Wait, "its disk is full")
	})
	refuses()
	free.Store(low)
	awaitDetached(ctx, t, client, "new", func(d *DetachedMatch) bool { return !strings.Contains(d.Wait, "its disk is full") })
	playPair(6) // its journal has the first four
	free.Store(plenty)
	if err := detach("other"); err != nil {
		t.Error(err)
	}
	s.work("two", nil)
	for _, name := range []string{"new", "other"} {
		awaitState(ctx, t, client, name, Over, 8)
		text, _, err := client.Fetch(ctx, name, 0)
		if err = errors.Join(err, os.WriteFile(j.path, text, 0o600)); err != nil {
			t.Fatal(err)
		}
		j.check(t)
	}
}

// TestShare lets the games of a key reach its share of a hub's disk. Its matches wait and give the reason, also after a restart,
// and no others begin before it has deleted some. Then they resume. Those of others go on.
func TestShare(t *testing.T) {
	long(t)
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	const total = 1 << 30
	s := &site{t: t, settings: quick, store: filepath.Join(t.TempDir(), "store"), space: func(string) (uint64, uint64, error) { return total, total, nil }}
	s.start()
	t.Cleanup(s.stop)
	own, end := s.connect(""), func() {}
	end = s.control(own)
	defer func() { end() }()
	m, programs := pairing(t, 1, enginetest.Good, enginetest.Good)
	if err := m.CheckEngines(ctx); err != nil {
		t.Fatal(err)
	}
	me, other := s.connect("me"), s.connect("other")
	for name, h := range map[string]*Hub{"mine": me, "more": me, "theirs": other} { // no worker plays them
		if err := h.Detach(ctx, m, programs, nil, requestFor(t, m, name)); err != nil {
			t.Fatal(err)
		}
	}
	// A match that waits for workers has read its file.
	awaitDetached(ctx, t, me, "mine", func(d *DetachedMatch) bool { return d.Wait != "" })
	path := filepath.Join(s.store, "matches", "mine", gamesFile)
	if err := os.Truncate(path, total); err != nil { // it takes no space
		t.Fatal(err)
	}
	full := func(err error) bool { return err != nil && strings.Contains(err.Error(), "delete some") }
	refused := func() {
		t.Helper()
		for _, name := range []string{"mine", "more"} {
			awaitDetached(ctx, t, me, name, func(d *DetachedMatch) bool { return d.State == Running && full(errors.New(d.Wait)) })
			if err := me.Change(ctx, "resume", name); !full(err) {
				t.Errorf("match %s resumes: %v", name, err)
			}
		}
		if err := me.Detach(ctx, m, programs, nil, requestFor(t, m, "new")); !full(err) {
			t.Errorf("another match begins: %v", err)
		}
		if d, err := other.Detached(ctx, "theirs"); err != nil || d.State != Running {
			t.Errorf("that of another key: %+v, %v", d, err)
		}
	}
	refused()
	end()
	end = s.control(own)
	refused()
	status, err := me.Status(ctx)
	if err != nil || status.Stored["me"] < total || status.Share >= total || status.Stored["other"] == 0 {
		t.Errorf("%v, %v", status, err)
	}
	if err := me.Change(ctx, "delete", "mine"); err != nil {
		t.Error(err)
	}
	s.work("one", nil)
	for _, name := range []string{"more", "theirs"} { // by themselves
		awaitState(ctx, t, me, name, Over, 2)
	}
	if err := me.Detach(ctx, m, programs, nil, requestFor(t, m, "new")); err != nil {
		t.Error(err)
	}
	awaitState(ctx, t, me, "new", Over, 2)
}

// shares is a Door that keeps what a Controller says of the matches of keys. Those of a key that has more than most bytes wait.
type shares struct {
	Door
	most   int64
	stored map[string]wire.Stored
	admin  string // the key for administrators
}

// errShare is why they wait.
var errShare = errors.New("it has its share of the disk")

func (s *shares) Room(int64) error { return nil }

func (s *shares) Stuck() error { return nil }

func (s *shares) IsAdmin(key string) bool { return key == s.admin && key != "" }

func (s *shares) SetStored(matches map[string]wire.Stored, _ map[string]bool) (full map[string]error) {
	s.stored, full = matches, map[string]error{}
	for key, stored := range matches {
		if stored.All() > s.most {
			full[key] = errShare
		}
	}
	return full
}

// TestStored holds what a Controller says of the bytes of a key's matches to what is on the disk, for each kind of bytes.
func TestStored(t *testing.T) {
	const size = 1000
	file := Blob{SHA256: strings.Repeat("0", 64), Size: size}
	games := &Spec{Engines: []EngineSpec{{Programs: map[string]Blob{system: file}}}}
	samples := &Spec{Ranges: &RangesSpec{Program: file}}
	for _, test := range []struct {
		name    string
		spec    *Spec
		state   State
		files   []string // in the folder of the match, of size bytes each
		bytes   int64
		claimed int64
	}{
		{"games", games, Running, []string{gamesFile}, size, wire.LeastFile},
		{"samples", samples, Running, []string{samplesFile}, size, wire.LeastFile},
		{"both", games, Running, []string{gamesFile, samplesFile}, 2 * size, wire.LeastFile},
		{"a copy of a file", games, Running, []string{filepath.Join(blobsFolder, file.SHA256, "file")}, size, wire.LeastFile - size},
		{"openings and settings", games, Over, []string{requestFile}, size, size},
		{"a match that waits", games, Paused, []string{gamesFile}, size, wire.LeastFile},
		{"a match that has failed", samples, Impaired, []string{samplesFile, filepath.Join(blobsFolder, file.SHA256, "file")}, 2 * size, wire.LeastFile - size},
		{"a match that is over", games, Over, []string{gamesFile, filepath.Join(blobsFolder, file.SHA256, "file")}, size, 0},
	} {
		d := &detached{folder: t.TempDir(), state: DetachedMatch{State: test.state}}
		for _, name := range test.files {
			path := filepath.Join(d.folder, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, make([]byte, size), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		d.set(&Request{Name: "new", Owner: "me", Spec: test.spec})
		d.measure()
		if err := d.clear(); err != nil {
			t.Fatal(err)
		}
		door := &shares{}
		c := &Controller{Door: door, matches: map[string]*detached{"new": d}}
		if full := c.full(); door.stored["me"] != (wire.Stored{Bytes: test.bytes, Claimed: test.claimed}) || full["me"] == nil {
			t.Errorf("%s: %+v, %v", test.name, door.stored, full)
		}
	}
	// A new match, one that is over, and one that has such files already would copy them.
	for _, test := range []struct {
		name  string
		state State // empty for a new one
		size  int64 // of its file in the request
		has   bool  // whether its share has room for that
	}{
		{"a new match", "", 2 * wire.LeastFile, true},
		{"a new match with a large file", "", 2*wire.LeastFile + 1, false},
		{"more games of one that is over", Over, 2*wire.LeastFile + 1, false},
		{"more games of one that was stopped", Stopped, 2 * wire.LeastFile, true},
		{"a larger file", Stopped, 2*wire.LeastFile + 1, false},
	} {
		door := &shares{most: 2 * wire.LeastFile}
		c := &Controller{Hub: &Hub{}, Door: door, matches: map[string]*detached{}}
		d := &detached{folder: t.TempDir(), request: &Request{Name: "new", Owner: "me", Spec: games}, state: DetachedMatch{State: test.state}}
		if test.state != "" {
			d.set(d.request)
			c.matches["new"] = d
		}
		r := &Request{Name: "new", Owner: "me", Spec: &Spec{Engines: []EngineSpec{{Programs: map[string]Blob{system: {SHA256: "none", Size: test.size}}}}}}
		c.mu.Lock()
		err := c.fetchFiles(t.Context(), d, r)
		c.mu.Unlock()
		if full := errors.Is(err, errShare); full == test.has {
			t.Errorf("%s: error %v", test.name, err)
		}
		if c.full(); c.matches["new"] != nil && door.stored["me"] != d.stored() || c.matches["new"] == nil && door.stored["me"].All() != 0 {
			t.Errorf("%s: %+v counts afterwards", test.name, door.stored["me"])
		}
	}
}

// TestFullFile fails to write the samples of a detached task because the disk is full. The task waits, and resumes.
func TestFullFile(t *testing.T) {
	s := newSite(t)
	c := &Controller{Hub: s.connect(""), Door: s.hub, Store: s.store, Warn: func(err error) { t.Log(err) }}
	opened := 0
	c.OpenRanges = func(path string, _ []byte, _ journal.Turns, _ func(error)) (RangeFile, error) {
		if opened++; opened == 1 {
			return nil, &os.PathError{Op: "write", Path: path, Err: syscall.ENOSPC}
		}
		return complete{}, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), guard)
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	defer func() { cancel(); <-ended }()
	client := s.connect("")
	r := &Request{Name: "new", Spec: &Spec{Version: wire.Version, Ranges: &RangesSpec{Total: 1}}, Header: []byte("x"), Size: 1}
	if err := client.hand(ctx, nil, r); err != nil {
		t.Fatal(err)
	}
	for d, err := client.Detached(ctx, "new"); err != nil || d.State != Over; d, err = client.Detached(ctx, "new") {
		if err != nil || d.State != Running {
			t.Fatalf("%+v, %v", d, err)
		}
		time.Sleep(10 * time.Millisecond)
	}
	if opened != 2 {
		t.Errorf("the file was opened %d times", opened)
	}
}

// TestReadInTurns reads the file of a task while another key has the only searcher. The task waits for its turn, and can be paused meanwhile.
func TestReadInTurns(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), guard)
	s := newSite(t)
	c := &Controller{Hub: s.connect(""), Door: s.hub, Store: s.store, Warn: func(err error) { t.Log(err) }, searchers: openings.NewSearchers(1)}
	opened, read := make(chan struct{}, 2), make(chan error, 2)
	c.OpenRanges = func(_ string, _ []byte, turns journal.Turns, _ func(error)) (RangeFile, error) {
		opened <- struct{}{}
		defer turns.End()
		err := turns.Next(1)
		read <- err
		return complete{}, err
	}
	loan, err := c.searchers.Share(ctx, "other").Borrow()
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	defer func() { cancel(); <-ended }()
	client := s.connect("me")
	r := &Request{Name: "new", Spec: &Spec{Version: wire.Version, Ranges: &RangesSpec{Total: 1}}, Header: []byte("x"), Size: 1}
	if err := client.hand(ctx, nil, r); err != nil {
		t.Fatal(err)
	}
	<-opened
	if err := client.Change(ctx, "pause", "new"); err != nil {
		t.Fatal(err)
	}
	if err := <-read; !errors.Is(err, errStopped) {
		t.Errorf("paused, it has read with the error %v", err)
	}
	if d, err := client.Detached(ctx, "new"); err != nil || d.State != Paused {
		t.Errorf("%+v, %v", d, err)
	}
	if err := client.Change(ctx, "resume", "new"); err != nil {
		t.Fatal(err)
	}
	<-opened
	loan.Return()
	if err := <-read; err != nil {
		t.Error(err)
	}
}

// TestMoreWithoutFiles asks for more of a match without its files. It stays as it was, and so does the disk.
func TestMoreWithoutFiles(t *testing.T) {
	for _, state := range []State{Over, Stopped} {
		s := newSite(t)
		ctx, cancel := context.WithTimeout(t.Context(), guard)
		there, err := os.Create(filepath.Join(t.TempDir(), "there"))
		if err != nil {
			t.Fatal(err)
		}
		_ = there.Close()
		sent, err := blobOf(there.Name())
		if err != nil {
			t.Fatal(err)
		}
		r := Request{Spec: &Spec{Version: wire.Version, Ranges: &RangesSpec{Total: 1}}, Header: []byte("x"), Size: 1}
		s.storeRunning("", "new", r)
		folder := filepath.Join(s.store, "matches", "new")
		if err := writeJSON(filepath.Join(folder, stateFile), &DetachedMatch{Name: "new", State: state, Samples: true}); err != nil {
			t.Fatal(err)
		}
		before, err := os.ReadFile(filepath.Join(folder, requestFile))
		if err != nil {
			t.Fatal(err)
		}
		c := &Controller{Hub: s.connect(""), Door: s.hub, Store: s.store, Warn: func(err error) { t.Error(err) },
			OpenRanges: func(string, []byte, journal.Turns, func(error)) (RangeFile, error) { return complete{}, nil }}
		ended := make(chan error, 1)
		go func() { ended <- c.Run(ctx) }()
		client := s.connect("")
		r.Name = "new"
		r.Spec.Ranges = &RangesSpec{Total: 2, Program: sent, Arguments: []ArgumentSpec{{File: &Blob{SHA256: strings.Repeat("0", 64), Size: 1}}}}
		if err := client.hand(ctx, []*Blob{&sent}, &r); err == nil {
			t.Errorf("%s: more is accepted without a file", state)
		}
		if d, err := client.Detached(ctx, "new"); err != nil || d.State != state {
			t.Errorf("%s: it is %+v, %v", state, d, err)
		}
		if after, err := os.ReadFile(filepath.Join(folder, requestFile)); err != nil || string(after) != string(before) {
			t.Errorf("%s: the request is %s, %v", state, after, err)
		}
		if left, _ := os.ReadDir(filepath.Join(folder, blobsFolder)); len(left) > 0 {
			t.Errorf("%s: %d files are left", state, len(left))
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// complete is a file of samples that has all.
type complete struct{ RangeFile }

func (complete) Games() uint32 { return 1 }

func (complete) Close() error { return nil }

// TestReservedName sends a request to stop a match that names another match, too. It waits for the request that changes
// the first one.
func TestReservedName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &Controller{open: true, busy: map[string]*reservation{}}
		c.mu.Lock()
		release, err := c.reserve("key", "a")
		c.mu.Unlock()
		if err != nil {
			t.Fatal(err)
		}
		served := make(chan error, 1)
		go func() {
			_, err := c.serve(t.Context(), "key", wire.Stop, fmt.Appendf(nil, `{"version":%d,"name":"a","request":{"name":"b"}}`, wire.Version))
			served <- err
		}()
		synctest.Wait()
		select {
		case err := <-served:
			t.Errorf("it does not wait: %v", err)
		default:
			c.mu.Lock()
			release()
			c.mu.Unlock()
			<-served
		}
	})
}

// TestForeignReservation lets keys change a match while a request of another key does, which may copy files for long. Only its
// owner and an administrator wait.
func TestForeignReservation(t *testing.T) {
	for name, test := range map[string]struct {
		key   string
		owner string // of the match; empty if it is being started
		waits bool
	}{
		"the same key": {"one", "", true}, "another key": {"two", "", false}, "an administrator": {"boss", "", true},
		"a stranger": {"two", "one", false}, "the owner": {"two", "two", true},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := &Controller{open: true, Door: &shares{admin: "boss"}, busy: map[string]*reservation{}, matches: map[string]*detached{}}
			if test.owner != "" {
				c.matches["a"] = &detached{request: &Request{Name: "a", Owner: test.owner}}
			}
			c.mu.Lock()
			release, err := c.reserve("one", "a")
			c.mu.Unlock()
			if err != nil {
				t.Fatal(err)
			}
			served := make(chan error, 1)
			go func() {
				c.mu.Lock()
				defer c.mu.Unlock()
				next, err := c.reserve(test.key, "a")
				if served <- err; err == nil {
					next()
				}
			}()
			synctest.Wait()
			select {
			case err := <-served:
				if test.waits || err == nil {
					t.Errorf("%s does not wait: %v", name, err)
				}
			default:
				if !test.waits {
					t.Errorf("%s waits", name)
				}
			}
			c.mu.Lock()
			release()
			c.mu.Unlock()
		})
	}
}

// storeRunning writes a match of a key that was running when its hub ended.
func (s *site) storeRunning(key, name string, r Request) {
	s.t.Helper()
	r.Name, r.Owner = name, key
	folder := filepath.Join(s.store, "matches", name)
	state := &DetachedMatch{Name: name, Owner: key, State: Running, Samples: r.Spec.Ranges != nil}
	if err := errors.Join(os.MkdirAll(folder, 0o700), writeJSON(filepath.Join(folder, requestFile), &r), writeJSON(filepath.Join(folder, stateFile), state)); err != nil {
		s.t.Fatal(err)
	}
}

// TestStoredTimes resumes matches that an earlier release stored with a margin or a patience of more than a day. New ones are
// rejected.
func TestStoredTimes(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	const long = 24*time.Hour + 1
	changes := map[string]func(*Spec){
		"margin":        func(s *Spec) { s.Conditions.Margin = long },
		"turn":          func(s *Spec) { s.Conditions.TurnPatience = long },
		"engine-margin": func(s *Spec) { s.Engines[1].Margin, s.Engines[1].OwnMark = long, true },
		"handshake":     func(s *Spec) { s.Patience.Handshake = long },
		"answer":        func(s *Spec) { s.Patience.Answer = long },
		"stop":          func(s *Spec) { s.Patience.Stop = long },
		"quit":          func(s *Spec) { s.Patience.Quit = long },
	}
	s := newSite(t)
	m, programs := pairing(t, 1, enginetest.Good, enginetest.Good)
	if err := m.CheckEngines(ctx); err != nil {
		t.Fatal(err)
	}
	h := s.connect("")
	request := func(name string) (*Request, []*Blob) {
		r := requestFor(t, m, name)
		spec, blobs, err := newSpec(m, programs, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		changes[name](spec)
		r.Spec, r.Schedule, r.Setup = spec, m.Schedule, m.Setup
		return &r, blobs
	}
	for name := range changes {
		r, blobs := request(name)
		s.storeRunning("me", name, *r)
		for _, b := range r.Spec.stored(filepath.Join(s.store, "matches", name, blobsFolder)) {
			for _, own := range blobs {
				if own.SHA256 != b.SHA256 {
					continue
				}
				program, err := os.ReadFile(own.path)
				if err == nil {
					err = writeFile(b.path, func(w io.Writer) error { _, err := w.Write(program); return err })
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	defer s.control(s.connect(""))()
	s.work("one", nil)
	for name := range changes {
		awaitState(ctx, t, h, name, Over, 2)
		r, blobs := request(name)
		r.Name += "-new"
		if err := h.hand(ctx, blobs, r); err == nil || !strings.Contains(err.Error(), "must be from 0 to 24h0m0s") {
			t.Errorf("%s: a new match is started: %v", name, err)
		}
	}
}

// TestOpeningsTakeTurns resumes many matches of a key whose openings take long. They wait for one another, also when one
// of them is stopped, and the hub starts a match of another key meanwhile.
func TestOpeningsTakeTurns(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	s := newSite(t)
	m, programs := pairing(t, 1, enginetest.Good, enginetest.Good)
	if err := m.CheckEngines(ctx); err != nil {
		t.Fatal(err)
	}
	spec, _, err := newSpec(m, programs, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	const matches = 20
	for i := range matches { // each would fail as soon as it has an opening
		s.storeRunning("me", fmt.Sprint("m", i), Request{Spec: spec, Schedule: m.Schedule, Recipe: &openings.Default, First: "none"})
	}
	c := &Controller{Hub: s.connect(""), Door: s.hub, Store: s.store, Warn: func(err error) { t.Log(err) }, searchers: openings.NewSearchers(2)}
	loan, err := c.searchers.Share(ctx, "me").Borrow() // as another match that searches
	if err != nil {
		t.Fatal(err)
	}
	running, end := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- c.Run(running) }()
	me, other := s.connect("me"), s.connect("other")
	if err := errors.Join(other.Detach(ctx, m, programs, nil, requestFor(t, m, "theirs")), c.Answers(ctx), me.Change(ctx, "stop", "m0")); err != nil {
		t.Error(err)
	}
	all, err := me.AllDetached(ctx)
	if err != nil || len(all) != matches+1 {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, d := range all {
		if want := map[string]State{"m0": Stopped}[d.Name]; d.State != cmp.Or(want, Running) {
			t.Errorf("%+v", d)
		}
	}
	loan.Return()
	for d := (&DetachedMatch{}); d.State != Impaired; {
		if d, err = me.Detached(ctx, "m1"); err != nil {
			t.Fatal(err)
		}
	}
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestRunning runs as many matches of a key as may run at once. Another one does not begin, and of those that ran when the
// hub ended, some wait until others are over.
func TestRunning(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	s := newSite(t)
	var open, most atomic.Int32
	release := make(chan struct{})
	c := &Controller{Hub: s.connect(""), Door: s.hub, Store: s.store, Warn: func(err error) { t.Error(err) },
		OpenRanges: func(string, []byte, journal.Turns, func(error)) (RangeFile, error) {
			most.Store(max(most.Load(), open.Add(1)))
			<-release
			open.Add(-1)
			return complete{}, nil
		}}
	r := Request{Spec: &Spec{Version: wire.Version, Ranges: &RangesSpec{Total: 1}}, Header: []byte("x"), Size: 1}
	for i := range maxRunning + 2 {
		s.storeRunning("me", fmt.Sprint("m", i), r)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	me, other := s.connect("me"), s.connect("other")
	if _, err := me.AllDetached(ctx); err != nil { // it waits for the controller
		t.Fatal(err)
	}
	for r.Name = "more"; ; {
		if err := me.hand(ctx, nil, &r); err == nil || !strings.Contains(err.Error(), fmt.Sprint("may have ", maxRunning)) {
			t.Fatalf("another match: %v", err)
		}
		waiting := 0
		all, err := me.AllDetached(ctx)
		for i := range all {
			if all[i].State != Running {
				t.Fatalf("%+v", all[i])
			}
			if all[i].Wait != "" {
				waiting++
			}
		}
		if err != nil || len(all) != maxRunning+2 || waiting != 2 {
			t.Fatalf("%d of %d wait, %v", waiting, len(all), err)
		}
		if open.Load() == maxRunning {
			break
		}
	}
	r.Name = "theirs"
	if err := other.hand(ctx, nil, &r); err != nil {
		t.Error("another key:", err)
	}
	close(release)
	for i := range maxRunning + 2 {
		awaitState(ctx, t, me, fmt.Sprint("m", i), Over, 0)
	}
	r.Name = "more"
	if err := me.hand(ctx, nil, &r); err != nil {
		t.Error(err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if n := most.Load(); n > maxRunning+1 {
		t.Errorf("%d matches ran at once", n)
	}
}

// TestSlowFetch fetches the games of a match from a pipe that nobody writes to, as from a slow disk. Other requests do not wait.
func TestSlowFetch(t *testing.T) {
	d := &detached{folder: t.TempDir(), request: &Request{Name: "slow", Spec: &Spec{}}}
	pipe := filepath.Join(d.folder, gamesFile)
	if err := exec.Command("mkfifo", pipe).Run(); err != nil || runtime.GOOS == "windows" { // whose mkfifo makes a file
		t.Skip(err)
	}
	c := &Controller{matches: map[string]*detached{"slow": d}}
	fetched := make(chan error, 1)
	locked := make(chan struct{})
	c.mu.Lock()
	go func() {
		defer c.mu.Unlock()
		fetched <- c.fetch(&controlMessage{Name: "slow"}, &controlReply{})
	}()
	go func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		close(locked)
	}()
	select {
	case <-locked:
	case <-time.After(guard):
		t.Error("another request waits")
	}
	writer, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits for the reader
	if err != nil {
		t.Fatal(err)
	}
	_ = writer.Close()
	if err := <-fetched; err != nil {
		t.Error(err)
	}
}

// TestFetchLongLine fetches games from files with lines of various lengths. One that is longer than a line may be is not
// the end of the file.
func TestFetchLongLine(t *testing.T) {
	s := newSite(t)
	lengths := []int{1, journal.LongestLine, journal.LongestLine + 1}
	for i, length := range lengths {
		folder := filepath.Join(s.store, "matches", fmt.Sprint("m", i))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf(`{"name":"m%d","spec":{},"state":"stopped"}`, i)
		for file, text := range map[string]string{requestFile: name, stateFile: name, gamesFile: "first\n" + strings.Repeat("x", length-1) + "\nincomplete"} {
			if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	defer s.control(s.connect(""))()
	client := s.connect("")
	for i, length := range lengths {
		var offset int64
		data, _, err := []byte("x"), (*DetachedMatch)(nil), error(nil)
		for err == nil && len(data) > 0 {
			data, _, err = client.Fetch(t.Context(), fmt.Sprint("m", i), offset)
			offset += int64(len(data))
		}
		want := int64(len("first\n") + length)
		if length > journal.LongestLine {
			want = int64(len("first\n"))
		}
		if long := length > journal.LongestLine; offset != want || errors.Is(err, journal.ErrLongLine) != long || !long && err != nil {
			t.Errorf("a line of %d bytes: %d are fetched, %v", length, offset, err)
		}
	}
}

// kindsOn are requests of each kind that a match of a name may have, all with the same identity.
func kindsOn(name string, rounds int) map[kind]*Request {
	tuning := &tune.Tuning{SPSA: tune.SPSA{Parameters: []tune.Parameter{{Name: "Margin", Value: 5, Max: 10, Step: 1}}, Iterations: 1, Rate: 0.5}, Concurrency: 1, Batch: 1}
	return map[kind]*Request{
		games:   {Name: name, Spec: &Spec{Match: "same"}, Header: []byte("x"), Schedule: match.RoundRobin(2, rounds)},
		tunings: {Name: name, Spec: &Spec{Match: "same"}, Header: []byte("x"), Schedule: match.RoundRobin(2, rounds), Tuning: tuning},
		samples: {Name: name, Spec: &Spec{Match: "same", Ranges: &RangesSpec{Total: uint32(rounds)}}, Header: []byte("x"), Size: 1},
	}
}

// TestOtherKind asks for more of a match with a request of each kind. Only one of its own kind adds to it: the file of
// another kind would count for nobody.
func TestOtherKind(t *testing.T) {
	for before := range kindsOn("new", 1) {
		for now := range kindsOn("new", 1) {
			c := &Controller{Door: &shares{most: math.MaxInt64}, Hub: &Hub{}, Store: t.TempDir(), Warn: func(error) {}, matches: map[string]*detached{}}
			d := &detached{folder: filepath.Join(c.Store, "matches", "new"), state: DetachedMatch{Name: "new", State: Stopped}}
			earlier, later := kindsOn("new", 1)[before], kindsOn("new", 2)[now]
			if err := errors.Join(os.MkdirAll(d.folder, 0o700), writeJSON(filepath.Join(d.folder, requestFile), earlier)); err != nil {
				t.Fatal(err)
			}
			d.set(earlier)
			c.matches["new"] = d
			c.mu.Lock()
			err := c.grow(t.Context(), d, later)
			c.mu.Unlock()
			if _, other := errors.AsType[*journal.OtherRunError](err); other == (before == now) || before == now && err != nil {
				t.Errorf("%s, then %s: %v", before, now, err)
			}
			if grown := d.request == later; grown != (before == now) {
				t.Errorf("%s, then %s: %+v", before, now, d.request)
			}
		}
	}
}

// TestUnreadable starts a hub with folders that it cannot read as matches. They count for their owners, or for the hub,
// who see and delete them; nothing else changes them.
func TestUnreadable(t *testing.T) {
	const size = 5000
	mine := func(name string) string { return fmt.Sprintf(`{"name":%q,"owner":"me","spec":{}}`, name) }
	state := `{"name":"x","owner":"me","state":"running"}`
	values := strings.TrimSuffix(strings.Repeat("{},", maxSpecValues), ",")
	for _, test := range []struct {
		name           string
		request, state string // empty for none
		owner          string
	}{
		{"a long specification", `{"name":"x","owner":"me","spec":{"engines":[` + values + `]}}`, state, "me"},
		{"no specification", `{"name":"x","owner":"me"}`, state, "me"},
		{"a value of another type", `{"name":"x","owner":"me","spec":{"engines":5}}`, state, "me"},
		{"a damaged request", `{"name":"x"`, state, "me"},
		{"no request", "", state, "me"},
		{"a damaged state", mine("x"), `{"name"`, "me"},
		{"no state", mine("x"), "", "me"},
		{"another name", mine("other"), state, "me"},
		{"nothing but games", "", "", wire.Hub},
		{"both damaged", `{`, `{`, wire.Hub},
		{"no owner", `{`, `{"name":"x"}`, wire.Hub},
	} {
		for _, file := range []string{gamesFile, samplesFile} {
			door := &shares{most: math.MaxInt64}
			c := &Controller{Door: door, Hub: &Hub{}, Store: t.TempDir(), Warn: func(error) {}, matches: map[string]*detached{}, busy: map[string]*reservation{}}
			folder := filepath.Join(c.Store, "matches", "x")
			if err := os.MkdirAll(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			want := int64(0)
			for name, text := range map[string]string{requestFile: test.request, stateFile: test.state, file: strings.Repeat("g", size)} {
				if text == "" {
					continue
				}
				if want += int64(len(text)); name == stateFile {
					want -= int64(len(text)) // the request counts for it
				}
				if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := c.load(); err != nil {
				t.Fatal(err)
			}
			c.mu.Lock()
			c.full()
			if got := door.stored[test.owner]; got.Bytes != want || len(door.stored) != 1 {
				t.Errorf("%s, %s: %+v counts instead of %d", test.name, file, door.stored, want)
			}
			var all controlReply
			if err := c.fetch(&controlMessage{}, &all); err != nil || len(all.Matches) != 1 || all.Matches[0].State != Impaired || all.Matches[0].Name != "x" {
				t.Errorf("%s: the list has %+v, %v", test.name, all.Matches, err)
			}
			before := contents(t, folder)
			try := func(key string, operation wire.Service) error {
				return c.carryOut(t.Context(), key, operation, &controlMessage{Name: "x"}, &controlReply{})
			}
			for _, operation := range []wire.Service{wire.Stop, wire.Pause, wire.Resume} {
				if err := try(test.owner, operation); err == nil {
					t.Errorf("%s: %s succeeds", test.name, operation)
				}
			}
			for _, r := range kindsOn("x", 2) {
				r.Spec.Match = ""
				if err := c.accept(t.Context(), "me", r); err == nil {
					t.Errorf("%s: it is started again", test.name)
				}
			}
			if err := try("stranger", wire.Delete); err == nil {
				t.Errorf("%s: a stranger deletes it", test.name)
			}
			c.mu.Unlock()
			if len(c.Records()) != 0 {
				t.Errorf("%s: it is in the history", test.name)
			}
			c.mu.Lock()
			if after := contents(t, folder); !maps.Equal(before, after) {
				t.Errorf("%s: its folder has changed from %v to %v", test.name, before, after)
			}
			deleter := test.owner
			if deleter == wire.Hub {
				deleter, door.admin = "boss", "boss"
			}
			err := try(deleter, wire.Delete)
			c.mu.Unlock()
			if left, _ := os.ReadDir(filepath.Dir(folder)); err != nil || len(left) > 0 || len(c.matches) > 0 {
				t.Errorf("%s: %v and %v are left after a deletion, %v", test.name, left, c.matches, err)
			}
		}
	}
}

// contents returns the files of a folder, with their contents.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	all, there := map[string]string{}, os.DirFS(folder)
	err := fs.WalkDir(there, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(there, path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestHashesTakeTurns starts a match whose files the hub has, which it hashes. That waits for another match of the key that
// reads or searches, and the key is charged for the bytes. When the hub ends, nobody waits.
func TestHashesTakeTurns(t *testing.T) {
	const size = 1 << 20
	text := make([]byte, size)
	sum := sha256.Sum256(text)
	r := &Request{Name: "new", Owner: "me", Spec: &Spec{Ranges: &RangesSpec{Program: Blob{SHA256: hex.EncodeToString(sum[:]), Size: size}}}}
	for _, ends := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ctx, end := context.WithCancel(t.Context())
			defer end()
			c := &Controller{Door: &shares{most: math.MaxInt64}, Hub: &Hub{}, Store: t.TempDir(), matches: map[string]*detached{}, searchers: openings.NewSearchers(2)}
			d := &detached{folder: filepath.Join(c.Store, "matches", "new"), request: r}
			path := filepath.Join(d.folder, blobsFolder, r.Spec.Ranges.Program.SHA256, "file")
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, text, 0o600)); err != nil {
				t.Fatal(err)
			}
			var loans [2]*openings.Loan
			for i, owner := range []string{"me", "other"} {
				var err error
				if loans[i], err = c.searchers.Share(t.Context(), owner).Borrow(); err != nil {
					t.Fatal(err)
				}
				defer loans[i].Return()
			}
			fetched := make(chan error, 1)
			go func() {
				c.mu.Lock()
				defer c.mu.Unlock()
				fetched <- c.fetchFiles(ctx, d, r)
			}()
			synctest.Wait()
			select {
			case err := <-fetched:
				t.Errorf("it does not wait: %v", err)
				return
			default:
			}
			if ends {
				end()
			} else {
				loans[0].Return()
			}
			if err := <-fetched; (err != nil) != ends || ends && !errors.Is(err, context.Canceled) {
				t.Errorf("the hub ends: %t, error %v", ends, err)
			}
			if err := loans[1].Lead(); (err == nil) == ends { // the owner of the match has had more
				t.Errorf("the hub ends: %t, charged differently: %v", ends, err)
			}
		})
	}
}

// TestGrownSpec sends specifications that have more values once they are written. The hub takes those that it can read
// after a restart.
func TestGrownSpec(t *testing.T) {
	for _, test := range []struct {
		engines, arguments int
		takes              bool
	}{{1, 10, true}, {maxEngines, 10, true}, {1, maxSpecValues - 100, true}, {maxEngines, maxSpecValues - 500, false}} {
		text := `{"name":"x","spec":{"engines":[` + strings.Repeat("{},", test.engines-1) + `{"args":[` + strings.Repeat(`"",`, test.arguments) + `""]}]}}`
		r := &Request{}
		err := r.parse([]byte(text))
		if (err == nil) != test.takes {
			t.Errorf("%d engines and %d arguments: error %v", test.engines, test.arguments, err)
		}
		path := filepath.Join(t.TempDir(), requestFile)
		if err := writeJSON(path, r); err != nil {
			t.Fatal(err)
		}
		if read := readJSON(path, &Request{}); (read == nil) != test.takes {
			t.Errorf("%d engines and %d arguments: read with error %v", test.engines, test.arguments, read)
		}
	}
}
