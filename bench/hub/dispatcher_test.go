package hub

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/hub/internal/wire"
	"gyre/bench/journal"
	"gyre/bench/match"
	"gyre/bench/stats"
)

// TestSameGames plays a match on two workers and compares its games with those of a local match.
func TestSameGames(t *testing.T) {
	t.Parallel()
	m, programs := pairing(t, 3, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	s := newSite(t)
	s.work("one", asPrograms)
	s.work("two", asPrograms)
	if err := s.over(context.Background(), m, programs, j.path, &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	j.check(t)
	for number, line := range played(t, j.path) {
		if line.Worker != "one" && line.Worker != "two" {
			t.Errorf("game %d was played by worker %q", number, line.Worker)
		}
	}
}

// TestFaultsOfMachines breaks the hub, its store or a worker in the middle of a match. The games
// are those of a match without faults.
func TestFaultsOfMachines(t *testing.T) {
	t.Parallel()
	for name, breaks := range map[string]func(t *testing.T, s *site, stop func() error){
		"the hub restarts":            func(_ *testing.T, s *site, _ func() error) { s.stop(); s.start() },
		"the hub's store is lost":     func(t *testing.T, s *site, _ func() error) { s.stop(); remove(t, s.store); s.start() },
		"a worker leaves in its game": func(_ *testing.T, s *site, stop func() error) { _ = stop(); s.work("two", nil) },
	} {
		t.Run(name, func(t *testing.T) {
			long(t)
			m, programs := pairing(t, 10, enginetest.Good, enginetest.Good)
			j := locally(t, m)
			s := newSite(t)
			stop := s.work("one", nil)
			l := &listener{t: t, act: func(ended int) {
				if ended == 5 {
					breaks(t, s, stop)
				}
			}}
			if err := s.over(context.Background(), m, programs, j.path, l); err != nil {
				t.Fatal(err)
			}
			j.check(t)
		})
	}
}

// TestGoOn interrupts a match several times and resumes it, as after Ctrl-C and as after a crash
// between the results and the journal.
func TestGoOn(t *testing.T) {
	long(t)
	m, programs := pairing(t, 8, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	s := newSite(t)
	s.work("one", nil)
	s.work("two", nil)
	for range 3 {
		ctx, stop := context.WithCancelCause(context.Background())
		err := s.over(ctx, m, programs, j.path, &listener{t: t, act: func(ended int) {
			if ended == 3 {
				stop(errEnough)
			}
		}})
		if err != nil && !errors.Is(err, errEnough) {
			t.Fatal(err)
		}
	}
	if err := s.over(context.Background(), m, programs, j.path, &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	j.check(t)
}

// sequential returns a match of at most 400 pairs with a sequential test.
func sequential(t *testing.T) (*match.Match, []Program) {
	t.Helper()
	m, programs := pairing(t, 400, enginetest.Good, enginetest.Good)
	var err error
	if m.Test, err = stats.NewSPRT(stats.Hypotheses{Model: stats.Logistic, Elo0: 0, Elo1: 200, Alpha: 0.05, Beta: 0.05}); err != nil {
		t.Fatal(err)
	}
	return m, programs
}

// TestVerdict decides a test while pairs are in progress. The verdict counts the same pairs as a
// local match, and the hub keeps no jobs.
func TestVerdict(t *testing.T) {
	long(t)
	m, programs := sequential(t)
	run := func(crew match.Executor) *match.Standing {
		ctx, stop := context.WithTimeout(context.Background(), guard)
		defer stop()
		run := *m
		run.Executor = crew
		standing, err := run.Run(ctx, files(filepath.Join(t.TempDir(), "games.jsonl")), &listener{t: t})
		if err != nil {
			t.Fatal(err)
		}
		return standing
	}
	want := run(nil)
	s := newSite(t)
	s.work("one", nil)
	s.work("two", nil)
	h := s.connect("client")
	got := run(&Executor{Hub: h, Programs: programs, Client: "here", Settings: quick})
	if want.State == stats.Continue || got.State != want.State || got.Settled != want.Settled || got.LLR != want.LLR {
		t.Errorf("over the hub: %v after %d pairs with an LLR of %v, here %v after %d with %v", got.State, got.Settled, got.LLR, want.State, want.Settled, want.LLR)
	}
	if status, err := h.Status(context.Background()); err != nil || status.Waiting > 0 || len(status.Matches) > 0 {
		t.Errorf("left on the hub: %+v, %v", status, err)
	}
}

// counter counts the games of a match.
type counter struct {
	*listener
	games atomic.Int64
}

func (c *counter) Ended(l *match.Line, s *match.Standing) {
	c.games.Store(int64(s.Games))
	c.listener.Ended(l, s)
}

// TestFollow follows the reports of a match. The last one has all games, also in its score.
func TestFollow(t *testing.T) {
	t.Parallel()
	m, programs := pairing(t, 3, enginetest.Good, enginetest.Good)
	s := newSite(t)
	s.work("one", nil)
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	last := make(chan MatchStatus, 1)
	followed := make(chan error, 1)
	h := s.connect("page")
	go func() {
		followed <- h.Follow(ctx, func(match string, m *MatchStatus) {
			if wire.Owner(match) == "client" && m != nil && m.Games == 6 && m.Out == 0 && len(last) == 0 {
				last <- *m
				stop()
			}
		})
	}()
	run := *m
	c := &counter{listener: &listener{t: t}}
	score := func() Progress { return Progress{Played: int(c.games.Load())} }
	run.Executor = &Executor{Hub: s.connect("client"), Programs: programs, Client: "here", Settings: quick, Score: score}
	if _, err := run.Run(context.Background(), files(filepath.Join(t.TempDir(), "games.jsonl")), c); err != nil {
		t.Fatal(err)
	}
	if err := <-followed; err != nil {
		t.Fatal(err)
	}
	select {
	case m := <-last:
		if m.Played != 6 || m.Client != "here" {
			t.Errorf("the last report is %+v", m)
		}
	default:
		t.Error("no report has all games")
	}
}

// TestStatusOfOwners reports matches of two owners with the same key. The status has both, and only that of the hub is a
// detached match, whatever the other claims.
func TestStatusOfOwners(t *testing.T) {
	s := newSite(t)
	for _, name := range []string{"", "other"} {
		h, text := s.connect(name), []byte(`{"client":"hub:idea"}`)
		if _, err := h.ask(t.Context(), wire.Report, h.token(), &wire.ReportRequest{Key: "k", Status: text}, nil, &wire.ReportReply{}); err != nil {
			t.Fatal(err)
		}
	}
	status, err := s.connect("").Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for match, m := range status.Matches {
		names[match] = DetachedName(match, &m)
	}
	if diff := cmp.Diff(map[string]string{"~.k": "idea", "other.k": ""}, names); diff != "" {
		t.Errorf("the status has (-want +got):\n%s", diff)
	}
}

// TestLateRequests sends a match requests while it reports its end. Each gets a reply, so that no
// worker waits for one.
func TestLateRequests(t *testing.T) {
	t.Parallel()
	m, programs := pairing(t, 1, enginetest.Good, enginetest.Good)
	s := newSite(t)
	s.work("one", nil)
	client, late := s.connect("client"), s.connect("late").conn
	running := make(chan string, 1)
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	go func() {
		_ = client.Follow(ctx, func(key string, _ *MatchStatus) {
			select {
			case running <- key:
			default:
			}
		})
	}()
	text, err := (&nextMessage{Version: wire.Version, Next: true, Wait: true}).text()
	if err != nil {
		t.Fatal(err)
	}
	replies, err := late.SubscribeSync(wire.ReplySubjects("late", "client") + "x.x")
	if err != nil {
		t.Fatal(err)
	}
	c := &counter{listener: &listener{t: t}}
	key, sent := "", 0
	run := *m
	run.Executor = &Executor{Hub: client, Programs: programs, Client: "here", Settings: quick, Score: func() Progress {
		if c.games.Load() == 2 {
			if key == "" {
				key = <-running
			}
			sent++
			if err := errors.Join(late.PublishRequest(wire.NextSubject(key, "late"), replies.Subject, text), late.Flush()); err != nil {
				t.Error(err)
			}
		}
		return Progress{}
	}}
	if _, err := run.Run(context.Background(), files(filepath.Join(t.TempDir(), "games.jsonl")), c); err != nil {
		t.Fatal(err)
	}
	for i := range sent {
		if _, err := replies.NextMsgWithContext(ctx); err != nil {
			t.Fatalf("%d of %d replies: %v", i, sent, err)
		}
	}
	if sent == 0 {
		t.Error("the match did not report its end")
	}
}

// TestSlowReport delays a report of a match's status until more games are over: the match plays
// them meanwhile.
func TestSlowReport(t *testing.T) {
	t.Parallel()
	m, programs := pairing(t, 8, enginetest.Good, enginetest.Good)
	s := newSite(t)
	s.work("one", nil)
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	c := &counter{listener: &listener{t: t}}
	held, waited := make(chan struct{}), make(chan struct{})
	var once sync.Once
	c.act = func(ended int) {
		switch ended {
		case 2: // of the first pair: no further pair is over before a report is held up
			select {
			case <-held:
			case <-ctx.Done():
				t.Error("no report was held up")
			}
		case 10:
			close(waited)
		}
	}
	run := *m
	run.Executor = &Executor{Hub: s.connect("client"), Programs: programs, Client: "here", Settings: Settings{Silent: time.Minute, Tick: time.Millisecond, Patience: 5 * time.Second}, Score: func() Progress {
		if c.games.Load() > 0 {
			once.Do(func() {
				close(held)
				select {
				case <-waited:
				case <-ctx.Done():
					t.Errorf("%d games are over", c.games.Load())
				}
			})
		}
		return Progress{}
	}}
	if _, err := run.Run(context.Background(), files(filepath.Join(t.TempDir(), "games.jsonl")), c); err != nil {
		t.Fatal(err)
	}
}

// TestPanickingReport lets all reports of a match's status panic. The match shows that, and is played.
func TestPanickingReport(t *testing.T) {
	t.Parallel()
	m, programs := pairing(t, 3, enginetest.Good, enginetest.Good)
	s := newSite(t)
	s.work("one", nil)
	l := &listener{t: t}
	s.score = func() Progress { panic("report") }
	if err := s.over(t.Context(), m, programs, filepath.Join(t.TempDir(), "games.jsonl"), l); err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(l.warnings, "\n"); l.ended != 6 || !strings.Contains(text, "panic: report\ngoroutine") {
		t.Errorf("after %d games it warned of: %s", l.ended, text)
	}
}

// TestRestored checks that a match keeps its known workers for a while after the hub restarted
// without them.
func TestRestored(t *testing.T) {
	long(t)
	s := newSite(t)
	var warned error
	d := &dispatcher{work: work{hub: s.connect("")}, faults: map[string]*Faults{}, peers: map[string]*peer{}, window: newWindow(0), slots: 4, restoredAt: time.Now().Add(time.Hour), warnings: wire.NewWarnings(func(err error) { warned = err })}
	if d.apply(&hubState{}); d.slots != 4 || d.idleFor != nil || warned != nil {
		t.Errorf("at once: %d slots, %v", d.slots, warned)
	}
	d.restoredAt = time.Time{}
	if d.apply(&hubState{}); d.slots != 0 || !errors.Is(warned, errNoWorkers) {
		t.Errorf("after a while: %d slots, %v", d.slots, warned)
	}
}

// TestHeldResults interrupts a match while a worker plays its jobs. The worker delivers the
// results, several times and in reverse order, after the match has resumed. No job is played
// twice, and the journal has each game once.
func TestHeldResults(t *testing.T) {
	long(t)
	m, programs := pairing(t, 2, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	s := newSite(t)
	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	type heldJob struct {
		handJob
		result *resultMessage
	}
	held := map[int]heldJob{}
	hand := s.byHand("one", func(job handJob, result *resultMessage) bool {
		held[job.Unit] = heldJob{job, result}
		if len(held) == 2 {
			stop(errEnough)
		}
		return len(held) < 2
	})
	if err := s.over(ctx, m, programs, j.path, &listener{t: t}); !errors.Is(err, errEnough) {
		t.Fatal(err)
	}
	<-hand
	h := s.connect("one")
	if _, err := send(context.Background(), h, held[0].handJob, "one", held[0].result); !errors.Is(err, errNoMatch) {
		t.Errorf("without the match: %v", err)
	}
	var delivered sync.WaitGroup
	delivered.Go(func() {
		running := func() bool { // as workers do, it waits for the match
			all, err := matchesOn(context.Background(), h)
			return err == nil && len(all) > 0
		}
		for !running() {
		}
		for _, i := range []int{1, 0, 1} {
			s.deliver(h, held[i].handJob, "one", held[i].result)
		}
	})
	if err := s.over(context.Background(), m, programs, j.path, &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	delivered.Wait()
	j.check(t)
}

// TestRecheckLimit checks that a recheck counts against the limit of the client's key only while a
// worker plays it. Until then it delays no other job.
func TestRecheckLimit(t *testing.T) {
	u, again := &unit{number: 4}, &unit{number: 3, asked: map[string]bool{"one": false}}
	d := &dispatcher{task: &scripted{}, work: work{hub: &Hub{}}, window: newWindow(0), rechecks: map[int]*recheck{3: {unit: again}}, ready: []*unit{again}, peers: map[string]*peer{}, limit: 2, slots: 8}
	give := func(worker string, want bool, jobs int) {
		t.Helper()
		if got := d.give(&request{worker: worker, msg: &nats.Msg{}, next: true}, false); got != want || d.jobs() != jobs {
			t.Errorf("worker %s got a job: %v, and %d are out", worker, got, d.jobs())
		}
	}
	if d.jobs() != 0 {
		t.Errorf("%d jobs are out", d.jobs())
	}
	d.window.add(u, time.Now())
	d.window.add(&unit{number: 5}, time.Now())
	d.ready = append(d.ready, u)
	give("two", true, 2)
	if u.worker != "two" {
		t.Errorf("unit 4 is played by %q", u.worker)
	}
	delete(d.window.open, 5)
	give("two", true, 2)
	if again.worker != "two" {
		t.Errorf("the recheck is played by %q", again.worker)
	}
}

// TestHold holds more results than a worker may. It drops the oldest ones of the owner with most.
func TestHold(t *testing.T) {
	const most = maxHeld / wire.MaxResult
	for _, test := range []struct {
		owners  string // a letter for each result
		dropped int
		from    int
	}{
		{strings.Repeat("a", most+3), 3, 0},
		{"ab" + strings.Repeat("c", most), 2, 2},
		{strings.Repeat("a", most) + "bcb", 3, 0},
		{strings.Repeat("ab", most), most, 0},
	} {
		w := &Worker{}
		for i, owner := range test.owners {
			w.hold(&heldResult{owner: string(owner), pairs: i, message: &nextMessage{Next: true, result: make([]byte, wire.MaxResult)}})
		}
		var got, want []int
		for _, r := range w.held {
			if got = append(got, r.pairs); r.message.Next {
				t.Errorf("%s: result %d asks for a job", test.owners, r.pairs)
			}
		}
		for i := range test.owners {
			if i < test.from || i >= test.from+test.dropped {
				want = append(want, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: it holds %v, want %v", test.owners, got, want)
		}
	}
}

// TestFaultsGone checks that faults are counted again after earlier ones were lost, and that a running
// match accepts the worker's results again.
func TestFaultsGone(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	h := s.connect("")
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	count := func() {
		t.Helper()
		if err := addFault(ctx, h, "attic", errors.New("a lie")); err != nil {
			t.Fatal(err)
		}
	}
	warned := ""
	match := &dispatcher{work: work{hub: h}, key: "m", window: newWindow(0), peers: map[string]*peer{}, warnings: wire.NewWarnings(func(err error) { warned = err.Error() })}
	suspended := func() bool {
		t.Helper()
		reply := wire.ReportReply{}
		if _, err := h.ask(ctx, wire.Report, h.token(), &wire.ReportRequest{Key: "m"}, nil, &reply); err != nil {
			t.Fatal(err)
		}
		match.apply(&hubState{faults: reply.Faults})
		return match.suspended("attic")
	}
	for range wire.MaxFaults {
		count()
	}
	if !suspended() {
		t.Errorf("after %d faults: %+v", wire.MaxFaults, match.faults)
	}
	s.stop()
	remove(t, filepath.Join(s.store, "state.json"))
	s.start()
	h = s.connect("")
	if suspended() {
		t.Errorf("after they were deleted: %+v, %s", match.faults, warned)
	}
	count()
	count()
	if f, err := faultsOf(ctx, h, "attic"); err != nil || f.Count != 2 {
		t.Errorf("the hub holds %+v, %v, and not 2 faults", f, err)
	}
}

// lies are ways in which a worker can falsify a result.
var lies = []lie{
	{"the other result", func(r *resultMessage) { r.Games[1].Result = "white"; r.Games[1].Reason = game.RingsRemoved }, "the end is"},
	{"a turn that is not legal", func(r *resultMessage) { r.Games[0].Turns[3].Turn = r.Games[0].Turns[1].Turn }, "game 1"},
	{"a game that is cut short", func(r *resultMessage) { r.Games[0].Turns = r.Games[0].Turns[:5] }, "its turns do not show it"},
	{"another engine", func(r *resultMessage) { r.Games[0].Programs[0] = "other" }, "programs"},
	{"another opening", func(r *resultMessage) { r.Games[0].Opening = r.Games[0].Opening[:4] }, "game 1"},
	{"other limits", func(r *resultMessage) { r.Games[1].Limits[1] = "nodes=1000000" }, "limits"},
	{"one game twice", func(r *resultMessage) { r.Games[1] = r.Games[0] }, "game 2"},
	{"a game less", func(r *resultMessage) { r.Games = r.Games[:1] }, "1 games instead of 2"},
	{"another version", func(r *resultMessage) { r.Version++ }, "version"},
	{"a line that nobody can read", func(r *resultMessage) { r.Games[0].Turns[3].Illegal = strings.Repeat("A", journal.LongestLine) }, "illegal"},
	{"another worker", func(r *resultMessage) { r.Games[1].Worker = "other" }, "worker"},
	{"a setup", func(r *resultMessage) { r.Games[0].Setup = &match.Setup{} }, "setup"},
}

// TestLiars lets a worker send each kind of false result. None reaches the journal. The match names
// the worker, suspends it after three, and another worker plays its jobs.
func TestLiars(t *testing.T) {
	t.Parallel()
	testLiars(t, lies, func(*site, *match.Match) {})
}

// lie falsifies a result; want is in the warning about it.
type lie struct {
	name string
	lie  func(*resultMessage)
	want string
}

// testLiars lets a worker lie until it is suspended, in a match modified by change.
func testLiars(t *testing.T, lies []lie, change func(*site, *match.Match)) {
	for first := 0; first < len(lies); first += wire.MaxFaults {
		told := lies[first : first+wire.MaxFaults]
		t.Run(told[0].name, func(t *testing.T) {
			long(t)
			m, programs := pairing(t, 5, enginetest.Good, enginetest.Good)
			s := newSite(t)
			change(s, m)
			j := locally(t, m)
			h := s.connect("liar")
			n := 0
			s.byHand("liar", func(job handJob, result *resultMessage) bool {
				told[n].lie(result)
				s.deliver(h, job, "liar", result)
				if n++; n == len(told) {
					s.work("honest", nil)
				}
				return n < len(told)
			})
			l := &listener{t: t}
			if err := s.over(context.Background(), m, programs, j.path, l); err != nil {
				t.Fatal(err)
			}
			j.check(t)
			warned := strings.Join(l.warnings, "\n")
			for _, lie := range told {
				if !strings.Contains(warned, lie.want) {
					t.Errorf("%s: no warning contains %q", lie.name, lie.want)
				}
			}
			if !strings.Contains(warned, "worker liar is suspended") {
				t.Error("the liar goes on")
			}
			if f, err := faultsOf(context.Background(), s.connect(""), "liar"); err != nil || !f.Suspended() {
				t.Errorf("the hub has %+v about the liar, %v", f, err)
			}
			again := &Worker{Hub: h, Name: "liar", Slots: 1, Cache: t.TempDir()}
			if _, barred := errors.AsType[*SuspendedError](again.Run(context.Background())); !barred {
				t.Error("the liar was let in again")
			}
		})
	}
}

// TestNonsense lets a worker send what cannot be a message of a worker. It is blamed for each.
func TestNonsense(t *testing.T) {
	long(t)
	m, programs := pairing(t, 5, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	s := newSite(t)
	h := s.connect("liar")
	s.byHand("liar", func(job handJob, _ *resultMessage) bool {
		for subject, text := range map[string]string{
			wire.NextSubject(job.key, "liar"): "[[[[", wire.BeatSubject(job.key, "liar"): `{"version":8}`,
		} {
			if err := h.conn.Publish(subject, []byte(text)); err != nil {
				t.Error(err)
			}
		}
		_, _ = h.request(context.Background(), job.key, "liar", &nextMessage{Unit: job.Unit, Attempt: job.Attempt, result: []byte("[]")})
		s.work("honest", nil)
		return false
	})
	l := &listener{t: t}
	if err := s.over(context.Background(), m, programs, j.path, l); err != nil {
		t.Fatal(err)
	}
	j.check(t)
	if f, err := faultsOf(context.Background(), s.connect(""), "liar"); err != nil || f.Count != 3 {
		t.Errorf("the hub holds %+v against it, %v", f, err)
	}
}

// TestUnacknowledged ends a worker after it has sent results and before it gets the replies.
func TestUnacknowledged(t *testing.T) {
	long(t)
	m, programs := pairing(t, 4, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	s := newSite(t)
	h := s.connect("one")
	n := 0
	s.byHand("one", func(job handJob, result *resultMessage) bool {
		ctx, stop := context.WithTimeout(context.Background(), time.Millisecond)
		defer stop()
		_, _ = send(ctx, h, job, "one", result)
		if n++; n == 2 {
			s.work("two", nil)
		}
		return n < 2
	})
	if err := s.over(context.Background(), m, programs, j.path, &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	j.check(t)
}

// TestConvicted lets a worker forge scores. A replay by the rules cannot detect that, but another
// worker that plays the same job has other scores, and this machine or a third worker decides who
// is wrong. The liar is suspended, and all its games are retracted and played again.
func TestConvicted(t *testing.T) {
	t.Parallel()
	// How the liar answers for the worker that plays a job again, which may be its own next attempt.
	answer := func(s *site, h *Hub, job handJob, worker string, result *resultMessage) {
		job.Attempt++
		if _, err := send(context.Background(), h, job, worker, result); err != nil {
			s.t.Error(err)
		}
	}
	for name, test := range map[string]struct {
		here  bool
		after func(s *site, h *Hub, job handJob, result *resultMessage)
	}{
		"decided here":      {here: true},
		"decided elsewhere": {},
		"it repeats its result": {after: func(s *site, h *Hub, job handJob, result *resultMessage) {
			answer(s, h, job, "liar", result)
		}},
		"it refuses the job": {after: func(s *site, h *Hub, job handJob, _ *resultMessage) {
			answer(s, h, job, "liar", &resultMessage{Version: wire.Version, Refused: "no"})
		}},
		"another confirms its result": {after: func(s *site, h *Hub, job handJob, result *resultMessage) {
			answer(s, s.connect("friend"), job, "friend", result)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			long(t)
			m, programs := pairing(t, 10, enginetest.Good, enginetest.Good)
			j := locally(t, m)
			if err := m.CheckEngines(context.Background()); err != nil {
				t.Fatal(err)
			}
			if !test.here {
				for i := range m.Engines {
					m.Engines[i].Program, m.Engines[i].Start = m.Programs()[i], nil
				}
				if err := m.CheckEngines(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			s := newSite(t)
			s.settings.Recheck = 1
			h := s.connect("liar")
			// The others are listed from the start, so every job is rechecked, but they play only
			// after the liar's first games.
			others := []string{"honest", "third"}
			present := func(names ...string) { // it expires
				for _, name := range names {
					err := join(context.Background(), h, name, WorkerStatus{Name: name, System: system, Slots: 1})
					if _, suspended := errors.AsType[*SuspendedError](err); err != nil && !suspended {
						t.Error(err)
					}
				}
			}
			present("liar", others[0], others[1])
			n := 0
			s.byHand("liar", func(job handJob, result *resultMessage) bool {
				present("liar")
				score := 1 + *result.Games[0].Turns[2].CP
				result.Games[0].Turns[2].CP = &score
				s.deliver(h, job, "liar", result)
				if test.after != nil && n < 2 {
					test.after(s, h, job, result)
				}
				if n++; n == 2 {
					for _, name := range others {
						s.work(name, nil)
					}
				}
				return true
			})
			l := &listener{t: t}
			if err := s.over(context.Background(), m, programs, j.path, l); err != nil {
				t.Fatal(err)
			}
			j.check(t)
			for number, line := range played(t, j.path) {
				if line.Worker == "liar" {
					t.Errorf("game %d of the liar stays", number)
				}
			}
			text, err := os.ReadFile(j.path)
			if excluded := bytes.Contains(text, []byte(`"excluded":"liar"`)); err != nil || excluded == test.here {
				t.Errorf("the exclusion is on disk: %t, %v", excluded, err)
			}
			told, convicted := strings.Join(l.warnings, "\n"), "worker liar plays no more of this match"
			if test.here {
				convicted = "worker liar is suspended"
			}
			for _, want := range []string{"different results of the same job", convicted, "games of worker liar, which are played again", "turn 14 is"} {
				if !strings.Contains(told, want) {
					t.Errorf("no warning contains %q", want)
				}
			}
			status, err := s.connect("").Status(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if f := status.Faults["liar"]; f.Suspended() != test.here || f.Mismatches == 0 {
				t.Errorf("faults of the liar: %+v", f)
			}
			if f := status.Faults["honest"]; f.Suspended() {
				t.Errorf("faults of the honest worker: %+v", f)
			}
		})
	}
}

// excluder is an executor that excludes a worker, and plays nothing.
type excluder struct{ worker string }

func (e excluder) Play(_ context.Context, _ *match.Match, _ <-chan match.Job, results chan<- match.Result, _ func(error)) error {
	results <- match.Result{Retraction: &match.Retraction{Worker: e.worker, Why: "it lied", Excludes: true}}
	close(results)
	return nil
}

// TestStaysExcluded resumes a match that has excluded its only worker. It gets no jobs, and its status says why.
func TestStaysExcluded(t *testing.T) {
	t.Parallel()
	m, programs := pairing(t, 1, enginetest.Good, enginetest.Good)
	m.Executor = excluder{"one"}
	path := filepath.Join(t.TempDir(), "games.jsonl")
	if standing, err := m.Run(t.Context(), files(path), &listener{t: t}); err == nil || standing == nil {
		t.Fatalf("the match is over: %+v", standing)
	}
	s := newSite(t)
	s.work("one", nil)
	ctx, stop := context.WithCancelCause(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.over(ctx, m, programs, path, &listener{t: t}) }()
	s.await(s.connect(""), "one", func(w WorkerStatus) bool { return len(w.Refuses) > 0 })
	stop(errEnough)
	if err := <-ended; !errors.Is(err, errEnough) || len(played(t, path)) > 0 {
		t.Errorf("it ends with %v after %d games", err, len(played(t, path)))
	}
}

// TestBoughtVerdict has a worker make up scores. None of its pairs is drawn to be played again until the test has its
// verdict, but the checks before the end of the match find it.
func TestBoughtVerdict(t *testing.T) {
	long(t)
	m, programs := sequential(t)
	j := locally(t, m)
	s := newSite(t)
	s.settings.Recheck = math.MaxInt
	h := s.connect("liar")
	n := 0
	s.byHand("liar", func(job handJob, result *resultMessage) bool {
		for _, line := range result.Games {
			score := 1 + *line.Turns[2].CP
			line.Turns[2].CP = &score
		}
		s.deliver(h, job, "liar", result)
		if n++; n == 3 {
			s.work("honest", nil)
		}
		return true
	})
	l := &listener{t: t}
	if err := s.over(context.Background(), m, programs, j.path, l); err != nil {
		t.Fatal(err)
	}
	for number, line := range played(t, j.path) {
		if line.Worker == "liar" {
			t.Errorf("game %d of the liar stays", number)
		}
	}
	if told := strings.Join(l.warnings, "\n"); !strings.Contains(told, "worker liar is suspended") {
		t.Errorf("the liar is not suspended:\n%s", told)
	}
	m.OtherPrograms = true // so the engines of the match that is over are not checked
	if err := s.over(context.Background(), m, programs, j.path, l); err != nil {
		t.Error(err)
	}
}

// TestChecksInterrupted interrupts the check of the only pair of a match. Another worker confirms it all the same. A result of
// a job that the match has not handed out, such as one that the verdict of a test has aborted, is of no use: the worker may
// forget it.
func TestChecksInterrupted(t *testing.T) {
	for name, interrupt := range map[string]func(s *site, h *Hub, job handJob, result *resultMessage, stop func()) (again bool){
		"the hub restarts": func(s *site, _ *Hub, _ handJob, _ *resultMessage, _ func()) bool {
			s.stop()
			s.start()
			return false
		},
		"the match restarts": func(_ *site, _ *Hub, _ handJob, _ *resultMessage, stop func()) bool {
			stop()
			return true
		},
		"an aborted job": func(s *site, h *Hub, job handJob, result *resultMessage, _ func()) bool {
			job.Unit, job.Attempt = 7, 0
			if done, err := send(t.Context(), h, job, "two", result); !done || err != nil {
				t.Errorf("the match does not let a worker forget a result: %v", err)
			}
			return false
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, programs := pairing(t, 1, enginetest.Good, enginetest.Good)
			m.Fixed = true
			s := newSite(t)
			s.settings.Recheck, s.settings.Silent = math.MaxInt, time.Minute
			h := s.connect("two")
			present := func() {
				if err := join(context.Background(), h, "two", WorkerStatus{Name: "two", System: system, Slots: 1}); err != nil {
					t.Error(err)
				}
			}
			present()
			s.work("one", nil)
			ctx, stop := context.WithCancelCause(context.Background())
			defer stop(nil)
			interrupted := false
			l := &listener{t: t, act: func(ended int) {
				if ended < 2 {
					return
				}
				present()
				s.byHand("two", func(job handJob, result *resultMessage) bool {
					if !interrupted {
						interrupted = true
						if interrupt(s, h, job, result, func() { stop(errEnough) }) {
							return true
						}
					}
					for done := false; !done && t.Context().Err() == nil; { // the match may not be back yet
						done, _ = send(t.Context(), h, job, "two", result)
					}
					return false
				})
			}}
			path := filepath.Join(t.TempDir(), "games.jsonl")
			err := s.over(ctx, m, programs, path, l)
			if errors.Is(err, errEnough) {
				present()
				err = s.over(context.Background(), m, programs, path, l)
			}
			if err != nil {
				t.Fatal(err)
			}
			if text, err := os.ReadFile(path); err != nil || !bytes.Contains(text, []byte(`"confirmed":[0]`)) {
				t.Errorf("the pair is not confirmed: %s, %v", text, err)
			}
		})
	}
}

// TestHalfPair compares a unit with one game: the match had the other one already. Its pair is neither confirmed nor
// disputed, but it is not over, so a fault of it stays reported.
func TestHalfPair(t *testing.T) {
	for f, want := range map[finding][2]int{confirmed: {0, 1}, disputed: {0, 1}, doubted: {1, 1}} {
		for i, want := range want {
			e := &Executor{results: make(chan match.Result, 1)}
			e.note(&unit{jobs: make([]match.Job, i+1)}, f)
			if n := len(e.results); n != want {
				t.Errorf("%d pairs are noted as %v of %d games", n, f, i+1)
			}
		}
	}
}

// TestProgramsReadOnce deletes the programs of a match that an executor has read. It needs them for another match only.
func TestProgramsReadOnce(t *testing.T) {
	m, programs := pairing(t, 1, enginetest.Good, enginetest.Good)
	if err := m.CheckEngines(t.Context()); err != nil {
		t.Fatal(err)
	}
	e := &Executor{Hub: &Hub{}, Programs: programs}
	for range 2 {
		if !e.Checks(m) {
			t.Error("it does not check the match")
		}
		for i := range programs {
			_ = os.Remove(programs[i].Path)
		}
	}
	if other := *m; e.Checks(&other) {
		t.Error("it checks a match without programs")
	}
}

// TestCheckedPair checks the only pair of a match, whose first line has the setup. The results of both workers are equal.
func TestCheckedPair(t *testing.T) {
	m, programs := pairing(t, 1, enginetest.Good, enginetest.Good)
	m.Setup = &match.Setup{Version: "1"}
	s := newSite(t)
	s.settings.Recheck = math.MaxInt
	watching := s.connect("")
	for _, name := range []string{"one", "two"} {
		s.work(name, nil)
		s.await(watching, name, func(w WorkerStatus) bool { return w.Slots > 0 })
	}
	l := &listener{t: t, warned: func(text string) {
		if strings.Contains(text, "different results") || strings.Contains(text, "unchecked") {
			t.Error(text)
		}
	}}
	path := filepath.Join(t.TempDir(), "games.jsonl")
	e := &Executor{Hub: s.connect("client"), Programs: programs, Client: path, Settings: s.settings}
	m.Executor = e
	if _, err := m.Run(t.Context(), files(path), l); err != nil {
		t.Fatal(err)
	}
	if e.longest == 0 {
		t.Error("how long the pair took is not known when it is checked")
	}
	if text, err := os.ReadFile(path); err != nil || !bytes.Contains(text, []byte(`"confirmed":[0]`)) || !bytes.Contains(text, []byte(`"setup"`)) {
		t.Errorf("the pair is not confirmed: %s, %v", text, err)
	}
}

// TestTwiceTheSame plays all jobs twice on honest workers. It expects no warning.
func TestTwiceTheSame(t *testing.T) {
	long(t)
	m, programs := pairing(t, 10, enginetest.Good, enginetest.Good)
	s := newSite(t)
	s.settings.Recheck = 1
	watching, again := s.connect(""), atomic.Int64{}
	_, err := watching.conn.Subscribe("gyre.next.>", func(m *nats.Msg) {
		if next, err := parseNext(m.Data); err == nil && len(next.result) > 0 && next.Attempt == 1 {
			again.Add(1)
		}
	})
	if err = errors.Join(err, watching.conn.Flush()); err != nil {
		t.Fatal(err)
	}
	s.work("one", nil)
	s.work("two", nil)
	for _, name := range []string{"one", "two"} {
		s.await(watching, name, func(w WorkerStatus) bool { return w.Slots > 0 })
	}
	l := &listener{t: t, warned: func(text string) {
		if strings.Contains(text, "different results") || strings.Contains(text, "rejected") {
			t.Error(text)
		}
	}}
	j := locally(t, m)
	if err := s.over(context.Background(), m, programs, j.path, l); err != nil {
		t.Fatal(err)
	}
	j.check(t)
	if again.Load() == 0 {
		t.Error("no job was played twice")
	}
}

// TestLostReply loses the reply with a job, as a hub does that is killed. The worker says so in its next request, and
// plays the job at once, although its match would wait for its worker for an hour.
func TestLostReply(t *testing.T) {
	t.Parallel()
	m, programs := pairing(t, 2, enginetest.Good, enginetest.Good)
	s := newSite(t)
	s.settings.Silent, s.settings.Patience = time.Hour, time.Hour
	j := locally(t, m)
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- s.over(ctx, m, programs, j.path, &listener{t: t}) }()
	watching, h, key := s.connect("watching"), s.connect("one"), ""
	for key == "" && ctx.Err() == nil {
		running, err := matchesOn(ctx, watching)
		if err != nil {
			t.Fatal(err)
		}
		for key = range running {
		}
	}
	const number = 36 // in base 36: 10
	subject := wire.ReplySubjects("one", wire.Owner(key)) + h.id + ".10"
	replies, err := watching.conn.SubscribeSync(subject)
	if err = errors.Join(err, watching.conn.Flush()); err != nil {
		t.Fatal(err)
	}
	text, err := (&nextMessage{Version: wire.Version, Next: true, Wait: true}).text()
	if err == nil {
		err = h.conn.PublishRequest(wire.NextSubject(key, "one"), subject, text)
	}
	if err != nil {
		t.Fatal(err)
	}
	if reply, err := replies.NextMsgWithContext(ctx); err != nil || !bytes.Contains(reply.Data, []byte(`"job"`)) {
		t.Fatalf("the reply that is lost is %+v, %v", reply, err)
	}
	w := newOne(t, h)
	w.unanswered[key], w.running[key] = []uint64{number}, &runningMatch{connection: h.reconnected()}
	reply, err := w.request(ctx, key, &nextMessage{Next: true, Wait: true})
	if err != nil || reply.Job == nil || reply.Unit != 0 || reply.Attempt != 1 || len(w.unanswered[key]) != 0 {
		t.Fatalf("the next request gets %+v, %v, and left are %v", reply, err, w.unanswered[key])
	}
	h.beat(key, "one", beatMessage{Version: wire.Version, Unit: reply.Unit, Attempt: reply.Attempt, Left: true})
	s.workBy(h, "one", nil)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	j.check(t)
	// A request without a reply is noted.
	cut, cancel := context.WithCancel(ctx)
	sent, err := watching.conn.Subscribe(wire.NextSubject("client.none", "two"), func(*nats.Msg) { cancel() })
	if err = errors.Join(err, watching.conn.Flush()); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sent.Unsubscribe() }()
	two := &Worker{Hub: s.connect("two"), Name: "two", Slots: 1}
	two.reset()
	two.running["client.none"] = &runningMatch{connection: two.Hub.reconnected()}
	if _, err := two.request(cut, "client.none", &nextMessage{Next: true}); err == nil || len(two.unanswered["client.none"]) != 1 {
		t.Errorf("after a request without a reply, %v, noted are %v", err, two.unanswered)
	}
}

// TestWindow checks that the lowest unit, and no other, is dispatched again after three times the
// median.
func TestWindow(t *testing.T) {
	w, at := newWindow(Default.Patience), time.Unix(1000, 0)
	add := func(number int) *unit {
		u := &unit{number: number}
		w.add(u, at)
		return u
	}
	slow, later := add(0), add(1)
	for i := range 10 {
		w.finish(add(i+2), 20*time.Second)
	}
	if got := w.slow(at.Add(60 * time.Second)); got != nil {
		t.Errorf("after the time of three: unit %d", got.number)
	}
	if got := w.slow(at.Add(61 * time.Second)); got != slow {
		t.Errorf("after more: %+v", got)
	}
	w.retry(slow, at.Add(61*time.Second))
	if got := w.slow(at.Add(62 * time.Second)); got != nil || slow.attempt != 1 {
		t.Errorf("handed out again: %+v, attempt %d", got, slow.attempt)
	}
	w.finish(slow, 70*time.Second)
	if got := w.slow(at.Add(71 * time.Second)); got != later {
		t.Errorf("then: %+v", got)
	}
}

// TestFairness checks which match a worker prefers: one with the highest priority, and of these
// the one that used the least time for its share. A new match gets no time for the past.
func TestFairness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &Worker{Slots: 1}
		w.reset()
		begin := func(key string, m MatchStatus) {
			w.updateRunning(nil, func(running map[string]*runningMatch) { running[key] = &runningMatch{status: m} })
		}
		begin("a", MatchStatus{})
		begin("b", MatchStatus{Queue: Queue{Share: 3}})
		seconds := map[string]time.Duration{}
		play := func(jobs int) {
			for range jobs {
				keys, _ := w.playable(0)
				finish := w.begin(keys[0])
				took := map[string]time.Duration{"a": 50 * time.Second, "b": 10 * time.Second, "c": 20 * time.Second, "d": time.Second}[keys[0]]
				time.Sleep(took)
				seconds[keys[0]] += took
				finish(true)
			}
		}
		play(400)
		if ratio := seconds["b"].Seconds() / seconds["a"].Seconds(); ratio < 2.9 || ratio > 3.1 {
			t.Errorf("shares 1 and 3 get %v", seconds)
		}
		clear(seconds)
		begin("c", MatchStatus{})
		play(400)
		if ratio := seconds["c"].Seconds() / seconds["a"].Seconds(); ratio < 0.9 || ratio > 1.1 {
			t.Errorf("an old match and a new one with the same share get %v", seconds)
		}
		clear(seconds)
		begin("d", MatchStatus{Queue: Queue{Priority: 1}})
		if play(100); len(seconds) != 1 || seconds["d"] == 0 {
			t.Errorf("with a match of a higher priority: %v", seconds)
		}
	})
}

// TestGreedyWorker lets a worker ask for jobs that it does not play. It gets twice as many as it has
// slots, and others get them as soon as it is suspended.
func TestGreedyWorker(t *testing.T) {
	d := &dispatcher{task: &scripted{}, work: work{hub: &Hub{}}, window: newWindow(0), peers: map[string]*peer{}, limit: 1000, slots: 8, faults: map[string]*wire.Faults{},
		warnings: wire.NewWarnings(func(err error) { t.Log(err) })}
	for i := range 100 {
		u := &unit{number: i}
		d.window.add(u, time.Now())
		d.ready = append(d.ready, u)
	}
	take := func(worker string) (jobs int) {
		for d.give(&request{worker: worker, msg: &nats.Msg{}, next: true}, false) {
			jobs++
		}
		return jobs
	}
	if got := take("unknown"); got != 2 {
		t.Errorf("a worker that has not reported its slots gets %d jobs", got)
	}
	d.peer("greedy").slots = 3
	if got := take("greedy"); got != 6 {
		t.Errorf("a worker with 3 slots gets %d jobs", got)
	}
	d.peer("boasting").slots = maxSlots
	if got := take("boasting"); got != 2*unproven {
		t.Errorf("a worker with many slots gets %d jobs before it has sent a result", got)
	}
	d.peer("boasting").sent = 3
	if got := take("boasting"); got != 6 {
		t.Errorf("a worker gets %d jobs more after 3 results", got)
	}
	for _, others := range []bool{false, true} {
		d.settings.Silent, d.workers = time.Minute, map[string]bool{"unknown": true}
		if others {
			d.workers["other"] = true
		}
		first := d.window.open[0]
		d.retry(first)
		if got := d.give(&request{worker: "unknown", msg: &nats.Msg{}, next: true}, false); !got || (first.worker == "unknown") == others {
			t.Errorf("a job that was taken from a worker, while others work: %v, goes to %q", others, first.worker)
		}
	}
	// Workers that are not connected do not take the places of the jobs of others.
	d.apply(&hubState{workers: map[string]WorkerStatus{"honest": {Slots: 8}}, limit: -1})
	if out := d.peer("unknown").held + d.peer("greedy").held + d.peer("boasting").held; d.windowSize() != 16+out {
		t.Errorf("with %d jobs at others, %d may be out", out, d.windowSize())
	}
	d.apply(&hubState{faults: map[string]*wire.Faults{"greedy": {Count: wire.MaxFaults}}, limit: -1})
	d.peer("honest").slots, d.peer("honest").sent = 100, 100
	if got := take("honest"); got != 100-2-38 {
		t.Errorf("after the suspension another worker gets %d jobs", got)
	}
}

// TestFullQueue fills the queue of a match with messages of one worker. Those of another arrive, and what
// was dropped counts.
func TestFullQueue(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	messages, unsubscribe, err := s.connect("").subscribe(wire.NextSubject("~.m", wire.Any))
	if err != nil {
		t.Fatal(err)
	}
	const sent, size = maxRequests + 1000, 100
	h := s.connect("flood")
	for range sent {
		if err := h.conn.Publish(wire.NextSubject("~.m", "flood"), make([]byte, size)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(h.conn.Publish(wire.NextSubject("~.m", "other"), nil), h.conn.Flush()); err != nil {
		t.Fatal(err)
	}
	unsubscribe()
	others, bytes := 0, 0
	for len(messages) > 0 {
		m := <-messages
		if bytes += m.take(); wire.LastToken(m.Subject) == "other" {
			others++
		}
	}
	if others != 1 || bytes < sent*size {
		t.Errorf("%d messages of the other worker came, and %d of %d bytes count", others, bytes, sent*size)
	}
}

// TestFaultsUntold prints a record that counts faults without a description of them.
func TestFaultsUntold(t *testing.T) {
	f := Faults{Count: 7}
	if got := f.Lines(); len(got) != 1 || !strings.Contains(got[0], "7 faults") {
		t.Errorf("%q", got)
	}
	if got := (&SuspendedError{f}).Error(); !strings.HasSuffix(got, "suspended this key for a day") {
		t.Error(got)
	}
}

// TestFaultLines prints faults that count for all matches, and some that count only for those of one key.
func TestFaultLines(t *testing.T) {
	lied := Faults{Count: 3, Last: []string{"it lied"}}
	s := &Status{Faults: map[string]Faults{"attic": lied, "mal.attic": lied, "mal.cellar": {Mismatches: 1, LastMismatch: "attic"}}}
	want := []string{
		"worker attic: 3 faults in the last day; suspended, the last because: it lied",
		"worker attic, for the matches of mal: 3 faults in the last day; suspended, the last because: it lied",
		"worker cellar, for the matches of mal: 1 result recently unlike another worker's for the same job, the last unlike that of attic",
	}
	var text strings.Builder
	if err := s.Write(&text, unwrapped); err != nil {
		t.Fatal(err)
	}
	if _, got, _ := strings.Cut(text.String(), "workers: 0\n"); got != strings.Join(want, "\n")+"\n" {
		t.Errorf("%s", got)
	}
}

// unwrapped ends a line of a status without breaking it.
func unwrapped(line string, _ int) string { return line + "\n" }

// TestFaultCut checks that the text of a fault is cut between characters.
func TestFaultCut(t *testing.T) {
	var f Faults
	f.Add(errors.New(strings.Repeat("é", 2*wire.MaxText)))
	if got := f.Last[0]; got != strings.Repeat("é", wire.MaxText) {
		t.Errorf("%q", got)
	}
}
