package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/nats-io/nats.go"
	"golang.org/x/time/rate"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/hub/internal/wire"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/position"
	"gyre/protocol"
)

// TestOnce checks that a worker with Once ends after its first match.
func TestOnce(t *testing.T) {
	long(t)
	m, programs := pairing(t, 2, enginetest.Good, enginetest.Good)
	s := newSite(t)
	h := s.connect("one")
	ended := make(chan error, 1)
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	go func() {
		w := &Worker{Hub: h, Name: "one", Slots: 1, Once: true, Cache: t.TempDir(), Tell: func(string) {}, Warn: func(err error) { t.Log(err) }}
		ended <- w.Run(ctx)
	}()
	if err := s.over(context.Background(), m, programs, filepath.Join(t.TempDir(), "games.jsonl"), &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
}

// TestStatusAfterMatch checks that a worker reports its jobs when a match ends, not at its next heartbeat.
func TestStatusAfterMatch(t *testing.T) {
	long(t)
	m, programs := pairing(t, 3, enginetest.Good, enginetest.Good)
	s := newSite(t)
	s.work("one", func(w *Worker) { w.Heartbeat = time.Hour })
	if err := s.over(context.Background(), m, programs, filepath.Join(t.TempDir(), "games.jsonl"), &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	s.await(s.connect("looks"), "one", func(w WorkerStatus) bool { return w.Pairs == 3 && w.Busy == 0 })
}

// newOne returns a worker named one that does not run.
func newOne(t *testing.T, h *Hub) *Worker {
	w := &Worker{Hub: h, Name: "one", Slots: 1, Tell: func(string) {}, Warn: func(err error) { t.Log(err) }}
	w.reset()
	return w
}

// TestPace lets a match hand out jobs that a worker gives back at once. The worker counts all that it sends to the
// match, as the hub does, so that it does not exceed its quota.
func TestPace(t *testing.T) {
	s := newSite(t)
	const key = wire.Hub + ".k"
	hostile, sent, bytes := s.connect("hostile").conn, 0, 0
	done := make(chan struct{})
	_, err := hostile.Subscribe("gyre.*."+key+".one", func(m *nats.Msg) {
		sent++
		bytes += len(m.Subject) + len(m.Reply) + len(m.Data) + wire.MessageCost
		if next, err := parseNext(m.Data); err == nil && next.Spec {
			_ = hostile.Publish(m.Reply, []byte("?"))
		} else if m.Reply != "" {
			_ = hostile.Publish(m.Reply, fmt.Appendf(nil, `{"version":%d,"job":{},"silent":%d}`, wire.Version, time.Hour))
		} else {
			close(done)
		}
	})
	if err = errors.Join(err, hostile.Flush()); err != nil {
		t.Fatal(err)
	}
	w := newOne(t, s.connect("one"))
	w.sending = rate.NewLimiter(0, wire.QuotaBurst)
	w.running[key] = &runningMatch{connection: w.Hub.reconnected()}
	if played := (&slot{worker: w}).playOne(t.Context(), []string{key}); !played {
		t.Error("it got no job")
	}
	<-done
	if counted := wire.QuotaBurst - int(w.sending.Tokens()); sent != 3 || counted < bytes {
		t.Errorf("it counts %d bytes of %d messages with %d", counted, sent, bytes)
	}
}

// TestHeldAgain holds a result that a match does not take yet. The worker sends it again, but from the second time on, no
// faster than the match lets it. A match that was away gets it at once.
func TestHeldAgain(t *testing.T) {
	s := newSite(t)
	const key = "me.k"
	match, sent := s.connect("me").conn, 0
	_, err := match.Subscribe(wire.NextSubject(key, "one"), func(m *nats.Msg) {
		sent++
		_ = match.Publish(m.Reply, fmt.Appendf(nil, `{"version":%d}`, wire.Version))
	})
	if err = errors.Join(err, match.Flush()); err != nil {
		t.Fatal(err)
	}
	w := newOne(t, s.connect("one"))
	running := map[string]*runningMatch{key: {connection: w.Hub.reconnected()}}
	result := &nextMessage{result: []byte("{}")}
	w.again["me"] = rate.NewLimiter(0, 2*(len(result.result)+messageCost))
	w.hold(&heldResult{key: key, owner: "me", message: result, since: time.Now()})
	for _, want := range []int{1, 2, 3, 3} {
		w.running = running
		if w.sendHeld(t.Context(), "me"); sent != want {
			t.Errorf("%d are sent, not %d", sent, want)
		}
	}
	w.running = nil
	w.sendHeld(t.Context(), "me")
	w.running = running
	if w.sendHeld(t.Context(), "me"); sent != 4 || len(w.held) != 1 {
		t.Errorf("after the match was away, %d are sent, and %d held", sent, len(w.held))
	}
}

// TestFlying sends results to matches that do not reply. Few are on their way to those of a key, and others are held after
// some time. Those of another key, and of the hub, do not wait for them.
func TestFlying(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newOne(t, &Hub{conn: &nats.Conn{}, waiting: map[string]chan *nats.Msg{}, connection: t.Context()})
		// send returns how long a result waits, and whether it is sent.
		send := func(owner string, size int) (waits time.Duration, sent bool) {
			key := owner + ".m"
			w.running[key] = &runningMatch{reported: time.Now(), connection: make(chan struct{})}
			began := time.Now()
			_, err := w.request(t.Context(), key, &nextMessage{result: make([]byte, size)})
			return time.Since(began), !errors.Is(err, errStuck)
		}
		const half = mostFlying / 2
		first, err := w.fly(t.Context(), "me", half)
		if err != nil {
			t.Fatal(err)
		}
		second, err := w.fly(t.Context(), "me", half)
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			owner string
			size  int
			do    func() // after a second
			waits time.Duration
			sent  bool
		}{
			{"me", 1, nil, requestTimeout, false},
			{"other", 2 * mostFlying, nil, 0, true},
			{wire.Hub, 1, nil, 0, true},
			{"me", half, first, time.Second, true},
			{"me", half, nil, 0, true}, // the one before has ended
			{"me", half + 1, nil, requestTimeout, false},
			{"me", 2 * mostFlying, second, time.Second, true},
		} {
			if test.do != nil {
				time.AfterFunc(time.Second, test.do)
			}
			if waits, sent := send(test.owner, test.size); waits != test.waits || sent != test.sent {
				t.Errorf("%d bytes to %s wait for %v, not %v; sent: %v", test.size, test.owner, waits, test.waits, sent)
			}
			time.Sleep(time.Minute) // so that the worker's pace does not count
		}
		if len(w.flying) > 0 {
			t.Errorf("left are %v", w.flying)
		}
	})
}

// TestHeldByStuck holds many results of an owner whose matches reply to none, and some of two other owners, which come
// before and after. The others do not wait for the first, and nothing counts as sent that was not.
func TestHeldByStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newOne(t, &Hub{conn: &nats.Conn{}, waiting: map[string]chan *nats.Msg{}, connection: t.Context()})
		if _, err := w.fly(t.Context(), "stuck", mostFlying); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		var delivering sync.WaitGroup
		delivering.Go(func() { w.deliverHeld(ctx) })
		for _, keys := range [][]string{
			{"other.a", "stuck.a", "stuck.b", "stuck.a", "stuck.c", "third.a", "other.b"},
			{"stuck.a", "other.c", "third.b"}, // while the request to stuck.a waits
			{"third.c"},
		} {
			for _, key := range keys {
				w.running[key] = &runningMatch{reported: time.Now(), connection: make(chan struct{})}
				w.hold(&heldResult{key: key, owner: wire.Owner(key), message: &nextMessage{result: []byte("{}")}, since: time.Now()})
			}
			time.Sleep(retryInterval)
			synctest.Wait()
			for _, r := range w.held {
				if sent := !r.again.IsZero(); sent != (r.owner != "stuck") {
					t.Errorf("the result of %s was sent: %t", r.key, sent)
				}
			}
		}
		stop()
		delivering.Wait()
	})
}

// TestExcludedMeanwhile lets a match exclude a worker that plays a job of it. The worker ends the job at the next
// heartbeat, and sends none, nor a request, for it.
func TestExcludedMeanwhile(t *testing.T) {
	s := newSite(t)
	const key = "hostile.k"
	w := newOne(t, s.connect("one"))
	w.running[key] = &runningMatch{status: MatchStatus{Owner: "hostile"}, connection: w.Hub.reconnected()}
	hostile := s.connect("hostile").conn
	beats := make(chan []byte, 1000)
	_, err := hostile.Subscribe("gyre.*."+key+".one", func(m *nats.Msg) {
		next, err := parseNext(m.Data)
		switch {
		case m.Reply == "":
			beats <- m.Data
		case err == nil && next.Spec: // and does not reply
			w.mu.Lock()
			defer w.mu.Unlock()
			w.excluded = map[string]string{"hostile": "slander"}
		default:
			_ = hostile.Publish(m.Reply, fmt.Appendf(nil, `{"version":%d,"job":{},"silent":1}`, wire.Version))
		}
	})
	if err = errors.Join(err, hostile.Flush()); err != nil {
		t.Fatal(err)
	}
	(&slot{worker: w}).playOne(t.Context(), []string{key})
	if b, err := parseBeat(<-beats); err != nil || !b.Left {
		t.Errorf("its first heartbeat is %+v, %v", b, err)
	}
}

// TestOrphaned ends a match while a worker is busy with a job of it that would take as long as the match likes. The job ends
// some time later, whatever the worker waits for, and it says so. One of a match that is there continues.
func TestOrphaned(t *testing.T) {
	t.Parallel()
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip(err)
	}
	m, _ := pairing(t, 1, enginetest.Hangs, enginetest.Hangs)
	m.Conditions.TurnPatience, m.Patience = 24*time.Hour, protocol.Patience{Handshake: 24 * time.Hour, Answer: 24 * time.Hour, Stop: 24 * time.Hour, Quit: 24 * time.Hour}
	silent := *m
	silent.Engines = slices.Clone(m.Engines)
	for i := range silent.Engines {
		silent.Engines[i].Start = enginetest.Local(enginetest.Silent)
		m.Engines[i].Start = enginetest.Local(enginetest.Hangs)
	}
	opening, err := m.Openings.Opening(0)
	if err != nil {
		t.Fatal(err)
	}
	games, err := json.Marshal(newJob([]match.Job{{Game: match.Game{Sides: [2]int{0, 1}}, Opening: opening}}))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		job   string
		begin func(*Worker) *preparation
	}{
		"the specification": {"{}", func(*Worker) *preparation { return nil }},
		"a measurement": {"{}", func(w *Worker) *preparation {
			if _, err := w.floor.clear(t.Context(), leastClearing); err != nil {
				t.Error(err)
			}
			return &preparation{match: m}
		}},
		"a turn":      {string(games), func(*Worker) *preparation { return &preparation{match: m, spec: &Spec{}} }},
		"a handshake": {string(games), func(*Worker) *preparation { return &preparation{match: &silent, spec: &Spec{}} }},
		"a program of ranges": {`{"range":{"first":100000,"end":100000}}`, func(*Worker) *preparation {
			return &preparation{ranges: &protocol.Program{Path: sleep}}
		}},
	} {
		s := newSite(t)
		const key = "gone.k"
		told := make(chan string, 10)
		w := &Worker{Hub: s.connect("one"), Name: "one", Slots: 1, endAfter: 100 * time.Millisecond, Tell: func(text string) { told <- text }, Warn: func(err error) { t.Log(err) }}
		w.reset()
		w.running[key] = &runningMatch{connection: w.Hub.reconnected()}
		if p := test.begin(w); p != nil {
			w.ready[key] = p
		}
		gone := s.connect("gone").conn
		var beats atomic.Int32
		_, err := gone.Subscribe("gyre.*."+key+".one", func(m *nats.Msg) {
			if next, err := parseNext(m.Data); m.Reply != "" && err == nil && !next.Spec {
				_ = gone.Publish(m.Reply, fmt.Appendf(nil, `{"version":%d,"job":%s,"silent":1}`, wire.Version, test.job))
			} else if m.Reply == "" {
				if beats.Add(1) == 4 { // it has continued, as the match is there
					w.mu.Lock()
					defer w.mu.Unlock()
					delete(w.running, key)
				}
			}
		})
		if err = errors.Join(err, gone.Flush()); err != nil {
			t.Fatal(err)
		}
		hand := &slot{worker: w}
		ctx, stop := context.WithTimeout(t.Context(), guard)
		hand.playOne(ctx, []string{key})
		stop()
		select {
		case text := <-told:
			if !strings.Contains(text, errOrphaned.Error()) || beats.Load() < 4 {
				t.Errorf("%s: it says %q after %d beats", name, text, beats.Load())
			}
		default:
			t.Errorf("%s: it says nothing", name)
		}
		hand.closeEngines()
	}
}

// TestExcludedAsks has a match exclude a worker, which asks it again after longer and longer pauses, and other matches
// meanwhile.
func TestExcludedAsks(t *testing.T) {
	s := newSite(t)
	const key, other = "strict.k", "kind.k"
	w := newOne(t, s.connect("one"))
	w.Slots, w.Heartbeat = 2, time.Second
	for _, running := range []string{key, other} {
		w.running[running] = &runningMatch{connection: w.Hub.reconnected()}
	}
	strict := s.connect("strict").conn
	_, err := strict.Subscribe(wire.NextSubject(key, "one"), func(m *nats.Msg) {
		_ = strict.Publish(m.Reply, fmt.Appendf(nil, `{"version":%d,"done":true,"suspended":true}`, wire.Version))
	})
	if err = errors.Join(err, strict.Flush()); err != nil {
		t.Fatal(err)
	}
	for want := time.Second; want < 2*unsuitableFor; want *= 2 {
		if keys, _ := w.playable(0); len(keys) != 2 {
			t.Fatalf("after a pause it may ask %v", keys)
		}
		for number := range w.Slots { // the slots ask at the same time
			(&slot{worker: w, number: number}).playOne(t.Context(), []string{key})
		}
		if keys, _ := w.playable(0); len(keys) != 1 || keys[0] != other {
			t.Errorf("excluded, it may ask %v", keys)
		}
		if got := w.ready[key].pause; got != min(want, unsuitableFor) {
			t.Errorf("it pauses for %v instead of %v", got, min(want, unsuitableFor))
		}
		w.ready[key].until = time.Now().Add(-1)
	}
}

// TestPresence looks for a match at regular intervals, and then late, as after the process was stopped. Only what was looked for
// in time is absent.
func TestPresence(t *testing.T) {
	const interval = time.Minute
	type look struct {
		after time.Duration
		there bool
		want  time.Duration
	}
	for name, looks := range map[string][]look{
		"there":             {{interval, true, 0}, {interval, true, 0}},
		"absent":            {{interval, true, 0}, {interval, false, interval}, {interval, false, 2 * interval}, {interval, true, 0}},
		"late":              {{interval, true, 0}, {3 * interval, false, 0}, {interval, false, interval}},
		"absent, then late": {{interval, false, interval}, {interval, false, 2 * interval}, {time.Hour, false, 0}, {interval, false, interval}},
		"a little late":     {{2 * interval, false, 2 * interval}, {0, false, 2 * interval}},
	} {
		now := time.Now()
		p := newPresence(now, interval)
		for i, look := range looks {
			now = now.Add(look.after)
			if got := p.absence(now, look.there); got != look.want {
				t.Errorf("%s: at look %d it has been absent for %v, not %v", name, i, got, look.want)
			}
		}
	}
}

// TestLongResult plays a job whose result no match takes. The worker refuses the match, so that its status says why.
func TestLongResult(t *testing.T) {
	w := &Worker{}
	w.reset()
	for size, refused := range map[int]bool{wire.MaxResult / 2: false, wire.MaxResult: true} {
		p := &preparation{}
		w.ready["m"] = p
		text, pairs, err := w.encode("m", &resultMessage{Version: wire.Version, Output: make([]byte, size)})
		if err != nil || len(text) > wire.MaxResult || pairs > 0 == refused || p.refused() != nil != refused {
			t.Errorf("%d bytes: %d bytes of %d pairs, refused because of %v, %v", size, len(text), pairs, p.refused(), err)
		}
	}
}

// TestManyRefusals lets a client have a thousand matches that a worker refuses for long reasons. The hub still takes the
// status of the worker, and does not blame it.
func TestManyRefusals(t *testing.T) {
	s := newSite(t)
	w := newOne(t, s.connect("one"))
	for i := range 1000 {
		key := fmt.Sprint("hostile.", i)
		w.running[key], w.ready[key] = &runningMatch{}, &preparation{wrong: errors.New(strings.Repeat("<", wire.MaxText))}
	}
	if err := w.reportStatus(t.Context()); err != nil {
		t.Error(err)
	}
	s.await(s.connect("looks"), "one", func(w WorkerStatus) bool { return len(w.Refuses) > 0 && len(w.Refuses) == len(w.Why) })
	if f, err := faultsOf(t.Context(), s.connect(""), "one"); err != nil || f.Count > 0 {
		t.Errorf("the hub holds %+v against it, %v", f, err)
	}
}

// TestEnvironment checks that engines run in their own folder, with only the environment that the
// match gives them.
func TestEnvironment(t *testing.T) {
	if testing.Short() {
		t.Skip("a second")
	}
	t.Setenv("GYRE_TEST_SECRET", "of this machine")
	m, programs := pairing(t, 1, enginetest.Good, enginetest.Good)
	for i := range programs {
		// It writes into its own folder, which differs between this machine and the worker.
		beginWith(t, programs[i].Path, `echo "$PWD|$GYRE_TEST_SECRET|$GYRE_TEST_GIVEN" >"$0.told"`)
		programs[i].Env = []string{"GYRE_TEST_GIVEN=by the match"}
		m.Engines[i].Start, m.Engines[i].Build = programs[i].Start, game.BuildOf(programs[i].Program)
	}
	s := newSite(t)
	var cache string
	s.work("one", func(w *Worker) { asPrograms(w); cache = w.Cache })
	if err := s.over(context.Background(), m, programs, filepath.Join(t.TempDir(), "games.jsonl"), &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	told, err := filepath.Glob(filepath.Join(cache, "*", "*.told"))
	if err != nil || len(told) == 0 {
		t.Fatalf("no engine told of itself: %v", err)
	}
	for _, path := range told {
		text, err := os.ReadFile(path)
		if want := filepath.Dir(path) + "||by the match\n"; err != nil || string(text) != want {
			t.Errorf("an engine told %q, not %q; %v", text, want, err)
		}
	}
}

// beginWith lets an engine of enginetest.Script run a command of the shell first.
func beginWith(t *testing.T, path, command string) {
	t.Helper()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	text := fmt.Sprintf("#!%s\n%s\nexec '%s.engine'\n", shell, command, path)
	if err := errors.Join(os.Rename(path, path+".engine"), os.WriteFile(path, []byte(text), 0o700)); err != nil {
		t.Fatal(err)
	}
}

// TestEngineThatDoesNotStart expects the name of a worker on which an engine cannot start, although
// it starts on the match's machine.
func TestEngineThatDoesNotStart(t *testing.T) {
	long(t)
	m, programs := pairing(t, 1, enginetest.Good, enginetest.Good)
	// It starts only where its file has the name that it has here.
	path := programs[1].Path
	beginWith(t, path, "test \"$0\" = '"+path+"' || exit 3")
	m.Engines[1].Build = game.BuildOf(programs[1].Program)
	s := newSite(t)
	s.work("one", asPrograms)
	if err := s.untilWarned(m, programs, telling("engine good1 cannot play")); !errors.Is(err, errEnough) {
		t.Errorf("the match ended with %v", err)
	}
}

// TestAllow checks that a worker with Allow runs only the allowed programs.
func TestAllow(t *testing.T) {
	long(t)
	m, programs := pairing(t, 2, enginetest.Good, enginetest.Slow)
	s := newSite(t)
	var all []string
	for i := range programs {
		sum, err := HashOf(programs[i].Path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, sum)
	}
	stop := s.work("wary", func(w *Worker) { asPrograms(w); w.Allow = all[:1] })
	if err := s.untilWarned(m, programs, telling("SHA-256 "+all[1])); !errors.Is(err, errEnough) {
		t.Errorf("the match ended with %v", err)
	}
	_ = stop()
	s.work("other", func(w *Worker) { asPrograms(w); w.Allow = all })
	if err := s.over(context.Background(), m, programs, filepath.Join(t.TempDir(), "games.jsonl"), &listener{t: t}); err != nil {
		t.Error(err)
	}
}

// TestAllowWhole rejects a match that makes an allowed program run another one.
func TestAllowWhole(t *testing.T) {
	program := Blob{SHA256: "abc", Name: "engine"}
	engine := func(env ...string) *Spec {
		return &Spec{Engines: []EngineSpec{{Name: "one", Programs: map[string]Blob{system: program}, Env: env}}}
	}
	offered := func(option string, file *Blob) *Spec {
		return &Spec{Engines: []EngineSpec{{Name: "own", Offered: "own", Settings: []SettingSpec{{Name: option, Value: "1", File: file}}}}}
	}
	ranges := func(all ...ArgumentSpec) *Spec { return &Spec{Ranges: &RangesSpec{Program: program, Arguments: all}} }
	for _, test := range []struct {
		name string
		spec *Spec
		want string // in the error; empty for none
	}{
		{"an engine", engine(), ""},
		{"an engine with a library", engine("LD_PRELOAD=../def/file"), "has an environment"},
		{"ranges", ranges(ArgumentSpec{Text: "range"}, ArgumentSpec{Text: "-nodes=1"}), ""},
		{"another command", ranges(ArgumentSpec{Text: "learn"}), "accepts no other"},
		{"no command", ranges(), "accepts no other"},
		{"an engine of the worker's", offered("Hash", nil), ""},
		{"one that is to write a log", offered("LogFile", nil), "names a file"},
		{"one that is given a file", offered("Weights", &program), "names a file"},
		{"a file as a command", ranges(ArgumentSpec{File: &program}), "accepts no other"},
	} {
		err := (&Worker{Allow: []string{"abc"}}).checkAllowed(test.spec)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v", test.name, err)
		}
		if err := (&Worker{}).checkAllowed(test.spec); err != nil {
			t.Errorf("%s, for a worker that allows all: %v", test.name, err)
		}
	}
	// The settings of a job are the match's, too.
	for _, test := range []struct {
		name, option string
		engine       int
		all, allowed bool // whether the worker allows all programs, and the job
	}{
		{"an option of the worker's engine", "Hash", 1, false, true},
		{"a file of the worker's engine", "LogFile", 1, false, false},
		{"a file of the worker's engine, for a worker that allows all", "LogFile", 1, true, true},
		{"a file of an engine that is sent", "LogFile", 0, false, true},
	} {
		w := &Worker{Allow: []string{"abc"}, Slots: 1}
		if test.all {
			w.Allow = nil
		}
		w.reset()
		w.ready["key"] = &preparation{match: &match.Match{Engines: make([]game.Engine, 2)}, spec: &Spec{Engines: []EngineSpec{{Name: "sent"}, {Name: "own", Offered: "own"}}}}
		start := position.Start(position.Standard)
		job := &jobMessage{Rules: position.Standard.String(), Start: start.String(),
			Settings: map[int][]game.Setting{test.engine: {{Name: test.option, Value: "1"}}}}
		result, err := (&slot{worker: w}).playGames(t.Context(), "key", job)
		if err != nil || (result.Refused == "") != test.allowed || !test.allowed && !strings.Contains(result.Refused, "names a file") {
			t.Errorf("a job sets %s: %+v, %v", test.name, result, err)
		}
	}
}

// TestPrintable checks that no text of a match reaches the worker's terminal with control characters.
func TestPrintable(t *testing.T) {
	var told []string
	w := &Worker{Tell: func(text string) { told = append(told, text) }, Warn: func(err error) { told = append(told, err.Error()) }}
	w.reset()
	w.tell("match of a\x1b[2J.jsonl")
	w.warn("", errors.New("cannot play match:\nengine b\a"))
	told = append(told, (&SuspendedError{Faults{Last: []string{"\x1b[2J"}}}).Error())
	for _, text := range told {
		if wire.Printable(text, len(text)) != text {
			t.Errorf("%q", text)
		}
	}
	if got := wire.Printable("\a"+strings.Repeat("\U0001f48d", 1000), 3); got != "?\U0001f48d\U0001f48d" {
		t.Errorf("the beginning of a long text is %q", got)
	}
	long := strings.Repeat("\a", wire.MaxResult) // of a worker
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	printable(long)
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > wire.MaxResult/2 {
		t.Errorf("a text that is cut takes %d bytes", after.TotalAlloc-before.TotalAlloc)
	}
}

// TestMatchForgotten checks that a worker forgets a match that is over.
func TestMatchForgotten(t *testing.T) {
	w := &Worker{}
	w.reset()
	play := func(keys ...string) {
		w.updateRunning(nil, func(running map[string]*runningMatch) {
			clear(running)
			for _, key := range keys {
				running[key] = &runningMatch{}
			}
		})
	}
	play("a", "b")
	for _, key := range []string{"a", "b"} {
		w.ready[key] = &preparation{}
		w.begin(key)(true)
	}
	late := w.begin("a")
	play("b")
	late(true) // a job that ends after its match
	play("b")
	for what, n := range map[string]int{"preparations": len(w.ready), "times": len(w.used), "typical times": len(w.typical)} {
		if n != 1 {
			t.Errorf("%d %s instead of that of b", n, what)
		}
	}
}

// behaviours are what a match does whoever plays its games: what it is of, and what is wrong
// with how it ended, nil if nothing.
var behaviours = map[string]struct {
	engines []string
	pairs   int // of each two of them
	recover bool
	wrong   func(*match.Standing, error) error
}{
	"a tournament": {[]string{enginetest.Good, enginetest.Good, enginetest.Good}, 2, false, func(s *match.Standing, err error) error {
		if err != nil || s.Games != 12 || s.Settled != 6 || !s.Over() || len(s.Pairings) != 3 {
			return fmt.Errorf("%+v, %w", s, err)
		}
		return nil
	}},
	"faults that it goes on after": {[]string{enginetest.Illegal, enginetest.Good}, 2, true, func(s *match.Standing, err error) error {
		faults := cmp.Diff([]map[game.Reason]int{{game.IllegalTurn: 4}, {}}, s.Faults)
		if err != nil || faults != "" || s.Excluded != 2 || s.Pairings[0].Pairs.Total() != 0 || !s.Over() {
			return fmt.Errorf("%d pairs left out, %s, %w", s.Excluded, faults, err)
		}
		return nil
	}},
	"a fault that ends it": {[]string{enginetest.Good, enginetest.Illegal}, 20, false, func(s *match.Standing, err error) error {
		broken, ok := errors.AsType[*match.BrokenError](err)
		if !ok || broken.Line.Loser() != s.Names[1] || s.Over() {
			return fmt.Errorf("%d games, %w", s.Games, err)
		}
		return nil
	}},
}

// TestCrews plays matches with workers in this process and with those of a hub, which start the engines
// as programs. Both end the same way, and with the same games if all games were played.
func TestCrews(t *testing.T) {
	t.Parallel()
	for name, test := range behaviours {
		t.Run(name, func(t *testing.T) {
			long(t)
			m, programs := pairing(t, test.pairs, test.engines...)
			m.ContinueOnFault = test.recover
			s := newSite(t)
			s.work("one", asPrograms)
			s.work("two", asPrograms)
			run := func(crew match.Executor) (*match.Standing, map[int]*match.Line) {
				ctx, stop := context.WithTimeout(context.Background(), guard)
				defer stop()
				m.Executor = crew
				path := filepath.Join(t.TempDir(), "games.jsonl")
				standing, err := m.Run(ctx, files(path), &listener{t: t})
				if standing == nil {
					t.Fatal(err)
				}
				if wrong := test.wrong(standing, err); wrong != nil {
					t.Fatalf("over the hub %v: %v", crew != nil, wrong)
				}
				return standing, played(t, path)
			}
			here, games := run(nil)
			there, same := run(&Executor{Hub: s.connect("client"), Programs: programs, Client: "here", Settings: quick})
			if !here.Over() {
				return // it ended in whatever game was the first
			}
			if diff := cmp.Diff(games, same, sameGames); diff != "" {
				t.Errorf("the games differ (-here +over the hub):\n%s", diff)
			}
			if diff := cmp.Diff(here, there, cmp.AllowUnexported(match.Standing{}), cmpopts.IgnoreTypes(&stats.SPRT{})); diff != "" {
				t.Errorf("the standings differ (-here +over the hub):\n%s", diff)
			}
		})
	}
}

// TestDeterministic checks which options keep the hub from comparing the games of a match, because
// its engines do not repeat them.
func TestDeterministic(t *testing.T) {
	for _, test := range []struct {
		option, value string
		want          bool
	}{
		{"Hash", "64", true},
		{"Threads", "1", true},
		{"Threads", "2", false},
		{"Skill", "20", true},
		{"skill", "5", false},
		{"UCI_LimitStrength", "true", false},
		{"UCI_LimitStrength", "false", true},
		{"OwnBook", "true", false},
	} {
		s := &Spec{Engines: []EngineSpec{{}, {Settings: []SettingSpec{{Name: test.option, Value: test.value}}}}}
		if got := s.deterministic(); got != test.want {
			t.Errorf("deterministic with %s=%s is %v, want %v", test.option, test.value, got, test.want)
		}
	}
}

// TestShares lets matches with extreme shares use the time of a worker: what each used stays a number.
func TestShares(t *testing.T) {
	for _, share := range []float64{0, -1, 5e-324, 1, math.MaxFloat64} {
		w := &Worker{}
		w.reset()
		w.running["m"] = &runningMatch{status: MatchStatus{Queue: Queue{Share: share}}}
		for range 3 {
			w.begin("m")(true)
		}
		if used := w.used["m"]; math.IsNaN(used) || math.IsInf(used, 0) {
			t.Errorf("share %v: the match used %v", share, used)
		}
	}
}

// TestSlowMatches lets a match reply late, or not at all, to requests for jobs. The time counts as its own, in proportion to
// its share, unless it may keep the request or a single reply is lost, so that the worker then prefers another match.
func TestSlowMatches(t *testing.T) {
	const key, other = "a.slow", "b.fast" // without time used, the first one is preferred
	for name, test := range map[string]struct {
		takes time.Duration
		wait  bool
		times int
		used  time.Duration
	}{
		"at once":                 {0, false, 1, 0},
		"late":                    {9 * time.Second, false, 1, 9 * time.Second},
		"not at all":              {2 * requestTimeout, false, 1, 0},
		"not at all, twice":       {2 * requestTimeout, false, 2, requestTimeout},
		"kept":                    {jobWait, true, 1, 0},
		"kept too long":           {9 * time.Second, true, 1, 9*time.Second - jobWait},
		"kept, and no end, twice": {2 * requestTimeout, true, 2, requestTimeout - jobWait},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &standIn{reply: func(subject, _ string) (string, time.Duration) {
					text := fmt.Sprintf(`{"version":%d}`, wire.Version)
					if strings.HasPrefix(subject, "gyre.next.") {
						return text, test.takes
					}
					return text, 0
				}}
				w := newOne(t, connectTo(t.Context(), t, Address{Server: s, Name: "one"}))
				for _, key := range []string{key, other} {
					w.running[key] = &runningMatch{status: MatchStatus{Queue: Queue{Share: 2}}, connection: make(chan struct{})}
				}
				for range test.times {
					_, err := (&slot{worker: w}).ask(t.Context(), key, &nextMessage{Next: true, Wait: test.wait})
					if silent := test.takes > requestTimeout; silent != (err != nil) {
						t.Errorf("silent: %t; %v", silent, err)
					}
				}
				if used := w.used[key]; math.Abs(2*used-test.used.Seconds()) > 1 {
					t.Errorf("the match used %v s, not half of %v", used, test.used)
				}
				if keys, _ := w.playable(0); (keys[0] == other) != (test.used > 0) {
					t.Errorf("the worker prefers %s", keys[0])
				}
			})
		})
	}
}

// TestLostReplies loses the replies of one of two matches to some requests for jobs, the others of which last a second. The
// worker tells the match when it gives up, and plays its next job soon. A match that never replies gets little more than its share
// of the time.
func TestLostReplies(t *testing.T) {
	const key, other, lasts = "a.m", "b.m", 10 * time.Minute
	for name, test := range map[string]struct{ slots, lost int }{
		"one of one slot":      {1, 1},
		"one of two slots":     {2, 1},
		"one of each slot":     {2, 2},
		"all, with one slot":   {1, math.MaxInt},
		"all, with four slots": {4, math.MaxInt},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				var message nextMessage   // the last one, to a match
				var first, last time.Time // when a reply was lost
				var told, again time.Duration
				lost, jobs := 0, map[string]int{}
				s := &standIn{receive: lastNext(&mu, &message)}
				s.reply = func(subject, _ string) (string, time.Duration) {
					mu.Lock()
					defer mu.Unlock()
					isKey, takes := strings.HasPrefix(subject, "gyre.next."+key), time.Duration(0)
					if len(message.result) > 0 {
						takes = time.Second // of the game
					}
					switch text := fmt.Sprintf(`{"version":%d,"done":true`, wire.Version); {
					case !message.Next:
						if isKey && len(message.Unanswered) > 0 && told == 0 {
							told = time.Since(first)
						}
						return text + "}", takes
					case isKey && lost < test.lost && (jobs[key] > 5 || test.lost > test.slots):
						if lost, last = lost+1, time.Now(); lost == 1 {
							first = last
						}
						return "", 0
					default:
						if isKey && lost > 0 && again == 0 {
							again = time.Since(last)
						}
						jobs[subject[len("gyre.next."):][:len(key)]]++
						return fmt.Sprintf(`%s,"job":{},"silent":%d}`, text, time.Hour), takes
					}
				}
				w := newOne(t, connectTo(t.Context(), t, Address{Server: s, Name: "one"}))
				w.Slots = test.slots
				for _, key := range []string{key, other} {
					w.running[key] = &runningMatch{status: MatchStatus{Owner: wire.Owner(key)}, connection: make(chan struct{})}
					w.ready[key] = &preparation{match: &match.Match{}, spec: &Spec{}}
				}
				ctx, stop := context.WithTimeout(t.Context(), lasts)
				defer stop()
				var playing sync.WaitGroup
				for number := range w.Slots {
					playing.Go(func() { (&slot{worker: w, number: number}).run(ctx) })
				}
				playing.Wait()
				mu.Lock()
				defer mu.Unlock()
				if told != requestTimeout {
					t.Errorf("the match hears of the lost reply after %v", told)
				}
				if all := int(lasts.Seconds()) * test.slots; test.lost > test.slots {
					if got := jobs[other]; got < all*45/100 {
						t.Errorf("the other match gets %d jobs of %d", got, all)
					}
				} else if again > requestTimeout+2*time.Second || jobs[key] < all*2/5 {
					t.Errorf("the match gets its next job %v after the request whose reply was lost, and %d of %d", again, jobs[key], all)
				}
			})
		})
	}
}

// lastNext returns a function for standIn.receive that keeps the last message if it is a request to a match.
func lastNext(mu *sync.Mutex, last *nextMessage) func(subject string, data []byte) {
	return func(subject string, data []byte) {
		mu.Lock()
		defer mu.Unlock()
		if *last = (nextMessage{}); strings.HasPrefix(subject, "gyre.next.") {
			*last, _ = parseNext(data)
		}
	}
}

// TestSlowPreparation has the hub take half a minute for the program of a match. One slot waits for it, and the others play
// another match.
func TestSlowPreparation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const takes, other = 30 * time.Second, "b.m"
		key, text, err := (&Spec{Version: wire.Version, Ranges: &RangesSpec{System: system, Program: Blob{SHA256: strings.Repeat("0", 64), Size: 1, Name: "x"}}}).key()
		if err != nil {
			t.Fatal(err)
		}
		key = "a." + key
		var mu sync.Mutex
		var message nextMessage // the last one, to a match
		jobs := 0               // of the other match
		s := &standIn{receive: lastNext(&mu, &message)}
		s.reply = func(subject, _ string) (string, time.Duration) {
			mu.Lock()
			defer mu.Unlock()
			reply, after := &nextReply{Version: wire.Version, Done: true, Silent: time.Hour}, time.Duration(0)
			switch {
			case strings.HasPrefix(subject, wire.ServiceSubject(wire.Get, "")):
				after = takes
			case message.Spec:
				reply.Spec = text
			case message.Next:
				reply.Job = &jobMessage{}
			}
			if len(message.result) > 0 {
				after = time.Second // of the game
				jobs++
			}
			answer, err := json.Marshal(reply)
			if err != nil {
				t.Error(err)
			}
			return string(answer), after
		}
		w := newOne(t, connectTo(t.Context(), t, Address{Server: s, Name: "one"}))
		w.Slots, w.Heartbeat, w.cache = 2, time.Hour, &cache{dir: t.TempDir()}
		w.running[other], w.ready[other] = &runningMatch{connection: make(chan struct{})}, &preparation{match: &match.Match{}, spec: &Spec{}}
		ctx, stop := context.WithTimeout(t.Context(), takes)
		defer stop()
		var playing sync.WaitGroup
		for number := range w.Slots {
			playing.Go(func() { (&slot{worker: w, number: number}).run(ctx) })
			time.Sleep(time.Second / 2)
		}
		w.updateRunning(nil, func(running map[string]*runningMatch) { running[key] = &runningMatch{connection: make(chan struct{})} })
		playing.Wait()
		mu.Lock()
		defer mu.Unlock()
		if all := int(takes.Seconds()); jobs < all-5 || w.ready[key] == nil {
			t.Errorf("while a slot prepares a match, %v, the other one sends %d results of another in %v", w.ready[key], jobs, takes)
		}
	})
}
