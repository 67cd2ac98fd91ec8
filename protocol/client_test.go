package protocol

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"gyre/position"
	"gyre/search"
)

// patient waits long for events that must come, even on a busy machine.
var patient = Config{Name: "it", Patience: Patience{Handshake: patience, Answer: patience, Stop: patience, Quit: patience}}

// hasty waits briefly, after the handshake, for events that will not come.
var hasty = Config{Name: "it", Patience: Patience{
	Handshake: patience, Answer: patience, Stop: 100 * time.Millisecond, Quit: 100 * time.Millisecond}}

// started starts one of the test programs, and kills it after the test.
func started(t *testing.T, name string, config Config) *Client {
	t.Helper()
	c, err := testProgram(t, name).Start(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Kill)
	return c
}

// kindOf returns the kind of the failure err.
func kindOf(t *testing.T, err error) FailureKind {
	t.Helper()
	var failure *Failure
	if !errors.As(err, &failure) {
		t.Fatalf("error %v is no failure", err)
	}
	if text := err.Error(); text != strings.ToValidUTF8(text, "") || strings.ContainsAny(text, "\n\x07\x1b") {
		t.Errorf("unprintable error %q", text)
	}
	return failure.Kind
}

// due is a context with a deadline that the test controls.
type due struct {
	context.Context
	over chan struct{}
}

// newDue returns such a context and a function that passes its deadline.
func newDue() (ctx due, end func()) {
	ctx = due{Context: context.Background(), over: make(chan struct{})}
	return ctx, sync.OnceFunc(func() { close(ctx.over) })
}

func (d due) Done() <-chan struct{} { return d.over }

func (d due) Err() error {
	select {
	case <-d.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// TestClientGame drives a good engine in all ways, as a program and inside this program.
func TestClientGame(t *testing.T) {
	t.Parallel()
	connect := map[string]func(Config) (*Client, error){
		"program": testProgram(t, "good").Start,
		"local":   Local(func() Engine { return &demo{withBook: true} }).Start,
	}
	for name, start := range connect {
		for _, uci := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				var lines atomic.Int32
				c, err := start(Config{UCI: uci, Patience: patient.Patience, Trace: func(bool, string) { lines.Add(1) }})
				if err != nil {
					t.Fatal(err)
				}
				defer c.Kill()
				playClientGame(t, c, uci)
				if err := c.Quit(); err != nil {
					t.Error(err)
				}
				if kind := kindOf(t, c.Ready()); kind != Closed {
					t.Errorf("after quit: %v", kind)
				}
				if lines.Load() == 0 {
					t.Error("nothing was traced")
				}
			})
		}
	}
}

func playClientGame(t *testing.T, c *Client, uci bool) {
	t.Helper()
	if c.Name() != "Gyre 1.0.0" || c.Author() != "the Gyre authors" || len(c.Options()) != len(NewServer(&demo{withBook: true}, strings.NewReader(""), io.Discard).options) || (c.Dialect() == UCI) != uci {
		t.Fatalf("shook hands with %q of %q in %v, options %v", c.Name(), c.Author(), c.Dialect(), c.Options())
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(c.SetOption("ponder", "true"))
	must(c.SetOption("Hash", "32"))
	must(c.SetOption("Clear Hash", ""))
	must(c.SetOption("Book File", ""))
	for _, wrong := range [][2]string{{"Hash", "0"}, {"hush", "1"}, {"Book File", "a\nquit"}} {
		var rejected *Error
		if err := c.SetOption(wrong[0], wrong[1]); !errors.As(err, &rejected) {
			t.Errorf("%q: error %v", wrong, err)
		}
	}
	must(c.NewGame())
	turns := turnsOf(t, "f6 g7")
	must(c.SetPosition(position.Start(position.Standard), turns))
	fen, err := c.Query("fen")
	must(err)
	if want := "4/7/8/9/10/4W4/5B4/9/8/7/4 w 0-0"; fen != want {
		t.Errorf("fen %q, want %q", fen, want)
	}
	var depths []int
	answer, err := c.Go(context.Background(), search.Limits{Depth: 3}, func(i Info) { depths = append(depths, i.Depth) })
	must(err)
	if diff := cmp.Diff([]int{1, 2, 3}, depths); diff != "" {
		t.Error(diff)
	}
	if answer.Word != "a2" || answer.Best.String() != "a2" || answer.Last.Depth != 3 || len(answer.Last.PV) != 3 || answer.Elapsed <= 0 {
		t.Errorf("answer %+v", answer)
	}
	if (answer.Ponder != position.None) != uci {
		t.Errorf("ponder %v", answer.Ponder)
	}
	only := search.Limits{Nodes: 1, SearchTurns: turnsOf(t, "b3")}
	answer, err = c.Go(context.Background(), only, nil)
	must(err)
	if answer.Word != "b3" {
		t.Errorf("answer %+v", answer)
	}
	openSearches(t, c)
}

// openSearches checks searches without a limit.
func openSearches(t *testing.T, c *Client) {
	t.Helper()
	for name, act := range map[string]func() error{"stop": c.Stop, "ponderhit": c.PonderHit} {
		first := sync.OnceFunc(func() {
			if err := act(); err != nil {
				t.Error(err)
			}
		})
		limits := search.Limits{Infinite: name == "stop", Ponder: true, Depth: 2}
		answer, err := c.Go(context.Background(), limits, func(Info) { first() })
		if err != nil || answer.Word != "a2" {
			t.Errorf("%s: %+v, %v", name, answer, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	if answer, err := c.Go(ctx, search.Limits{Infinite: true}, func(Info) { cancel() }); err != nil || answer.Word != "a2" {
		t.Errorf("cancelled: %+v, %v", answer, err)
	}
	late, end := newDue()
	if answer, err := c.Go(late, search.Limits{Infinite: true}, func(Info) { end() }); kindOf(t, err) != SearchTimeout || answer.Word != "a2" {
		t.Errorf("timed out: %+v, %v", answer, err)
	}
	if err := c.Ready(); err != nil {
		t.Errorf("after a late answer: %v", err)
	}
	if _, err := c.Go(ctx, search.Limits{Infinite: true}, nil); !errors.Is(err, context.Canceled) || c.Failure() != nil {
		t.Errorf("cancelled before it began: %v, %v", err, c.Failure())
	}
}

// greeter is an engine that answers the handshake.
func greeter(conn io.ReadWriter) {
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		if lines.Text() == "ugi" {
			_, _ = io.WriteString(conn, "ugiok\n")
		}
	}
}

// TestLateCancel closes Cancel when the handshake is over. A client that is returned stays usable.
func TestLateCancel(t *testing.T) {
	for range 200 {
		synctest.Test(t, func(t *testing.T) {
			ours, engine := net.Pipe()
			go greeter(engine)
			cancel := make(chan struct{})
			config := patient
			config.Cancel = cancel
			config.Trace = func(toEngine bool, line string) {
				if line == "ugiok" {
					close(cancel)
				}
			}
			c, err := Connect(ours, config)
			if err != nil {
				if kind := kindOf(t, err); kind != Closed {
					t.Errorf("the handshake failed: %v", err)
				}
				return
			}
			synctest.Wait()
			if err := c.Failure(); err != nil {
				t.Errorf("a client that was returned: %v", err)
			}
			c.Kill()
		})
	}
}

// TestUCIOnly checks that the client tries the second greeting.
func TestUCIOnly(t *testing.T) {
	t.Parallel()
	config := patient
	config.Patience.Handshake = 4 * time.Second
	c := started(t, "uci only", config)
	if c.Dialect() != UCI || c.Name() != "Pretender" {
		t.Errorf("%v, %q", c.Dialect(), c.Name())
	}
	if err := c.VerifyPosition(); err != nil {
		t.Errorf("verified: %v", err)
	}
	answer, err := c.Go(context.Background(), search.Limits{MoveTime: 1}, nil)
	if err != nil || answer.Ponder.String() != "a3" {
		t.Errorf("answer %+v, %v", answer, err)
	}
	if err := c.Quit(); err != nil {
		t.Error(err)
	}
}

// TestClientSetRules sets the rules of an engine that has the option Rules, each change
// once, and of an engine that plays standard rules only.
func TestClientSetRules(t *testing.T) {
	t.Parallel()
	var sent []string
	config := patient
	config.Trace = func(toEngine bool, line string) {
		if toEngine && strings.HasPrefix(line, "setoption") {
			sent = append(sent, line)
		}
	}
	c, err := Local(func() Engine { return new(demo) }).Start(config)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Kill()
	for _, rules := range []position.Rules{position.Blitz, position.Blitz, position.Standard} {
		if err := c.SetRules(rules); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Ready(); err != nil {
		t.Fatal(err)
	}
	want := []string{"setoption name Rules value blitz", "setoption name Rules value standard"}
	if diff := cmp.Diff(want, sent); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	config = patient
	config.UCI = true
	standard := started(t, "uci only", config)
	if err := standard.SetRules(position.Standard); err != nil {
		t.Error(err)
	}
	var rejected *Error
	if err := standard.SetRules(position.Blitz); !errors.As(err, &rejected) || rejected.Word != "blitz" {
		t.Errorf("blitz of an engine without the option: %v", err)
	}
	if err := standard.Ready(); err != nil {
		t.Errorf("a rejection ends the engine: %v", err)
	}
}

// TestFailuresAtStart checks failures before the first search.
func TestFailuresAtStart(t *testing.T) {
	t.Parallel()
	config := hasty
	config.Patience.Handshake = 300 * time.Millisecond
	for name, want := range map[string]FailureKind{"silent": NoHandshake, "sleeper": NoHandshake} {
		if _, err := testProgram(t, name).Start(config); kindOf(t, err) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := testProgram(t, "dies at start").Start(hasty)
	var failure *Failure
	if !errors.As(err, &failure) || failure.Kind != Died || failure.Status != "exit status 3" {
		t.Fatalf("error %v", err)
	}
	if diff := cmp.Diff([]string{"no such? weights"}, failure.Stderr); diff != "" {
		t.Error(diff)
	}
	if _, err := (Program{Path: "./no such program"}).Start(hasty); kindOf(t, err) != CannotStart {
		t.Errorf("error %v", err)
	}
}

// TestFailuresInSearch checks failures in a search, and after which of them the engine can
// still be used.
func TestFailuresInSearch(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		want   FailureKind
		usable bool
	}{
		{"dies in search", Died, false},
		{"closes output", ClosedOutput, false},
		{"never answers", SearchTimeout, false},
		{"endless flood", SearchTimeout, false},
		{"answers late", SearchTimeout, true},
		{"noise", Garbage, false},
		{"bare answer", Garbage, false},
		{"illegal", IllegalTurn, true},
		{"gives up", IllegalTurn, true},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			config, ctx := patient, context.Background()
			if test.want == SearchTimeout && !test.usable {
				config = hasty
			}
			if test.want == SearchTimeout {
				late, end := newDue()
				ctx = late
				config.Trace = func(toEngine bool, line string) {
					if toEngine && strings.HasPrefix(line, "go ") {
						end()
					}
				}
			}
			c := started(t, test.name, config)
			answer, err := c.Go(ctx, search.Limits{Depth: 1}, nil)
			if kindOf(t, err) != test.want {
				t.Fatalf("error %v", err)
			}
			if usable := c.Failure() == nil; usable != test.usable {
				t.Errorf("usable %t, %v", usable, c.Failure())
			}
			switch test.name {
			case "answers late":
				if answer.Word != "a2" || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("late answer %+v, %v", answer, err)
				}
			case "illegal":
				if answer.Word != "a1?" {
					t.Errorf("illegal answer %+v", answer)
				}
			case "dies in search":
				var f *Failure
				if errors.As(err, &f); f.Status != "exit status 7" || len(f.Stderr) != tailLines || f.Stderr[tailLines-1] != "index out of range" {
					t.Errorf("failure %+v", f)
				}
			}
		})
	}
}

// TestSilentClients checks the time limits outside of searches.
func TestSilentClients(t *testing.T) {
	t.Parallel()
	config := hasty
	config.Patience.Answer = 100 * time.Millisecond
	if c := started(t, "never ready", config); kindOf(t, c.Ready()) != NoAnswer {
		t.Errorf("never ready: %v", c.Failure())
	}
	if c := started(t, "does not quit", config); kindOf(t, c.Quit()) != NoAnswer {
		t.Errorf("does not quit: %v", c.Failure())
	}
	c := started(t, "deaf", config)
	var err error
	for err == nil {
		if err = c.SetPosition(position.Start(position.Blitz), nil); err == nil {
			err = c.Ready()
		}
	}
	if kindOf(t, err) != NoAnswer {
		t.Errorf("deaf: %v", err)
	}
}

// answering returns a client of an engine that has an answer for each command.
func answering(t *testing.T, config Config, answers map[string]string) *Client {
	t.Helper()
	ours, engine := net.Pipe()
	go func() {
		for lines := bufio.NewScanner(engine); lines.Scan(); {
			_, _ = io.WriteString(engine, answers[lines.Text()]) // fails after the test has ended
		}
	}()
	c, err := Connect(ours, config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestGluedAnswer checks that the error about a missing answer quotes a line that may be the answer, with
// something in front of it.
func TestGluedAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // time passes only after the line has arrived
		c := answering(t, patient, map[string]string{"ugi": "id name Glued\nugiok\n", "isready": "0readyok\n"})
		defer c.Kill()
		if err := c.Ready(); kindOf(t, err) != NoAnswer || !strings.Contains(err.Error(), `"0readyok"`) {
			t.Errorf("error %v", err)
		}
	})
}

// TestTraceOrder checks that commands are in the trace before their answers, although the trace is
// slow.
func TestTraceOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var lines []string
		config := patient
		config.Trace = func(toEngine bool, line string) {
			if toEngine {
				time.Sleep(time.Second)
			}
			mu.Lock()
			defer mu.Unlock()
			lines = append(lines, line)
		}
		c := answering(t, config, map[string]string{"ugi": "ugiok\n", "isready": "readyok\n"})
		defer c.Kill()
		if err := errors.Join(c.NewGame(), c.Ready()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		if diff := cmp.Diff([]string{"ugi", "ugiok", "uginewgame", "isready", "readyok"}, lines); diff != "" {
			t.Errorf("trace (-want +got):\n%s", diff)
		}
	})
}

// TestQuery checks that a query without an answer is rejected, and ends neither the client nor its
// patience.
func TestQuery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the time limits pass at once
		c, err := Local(func() Engine { return new(demo) }).Start(patient)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Kill()
		for _, about := range []string{"", " ", "\t", "fen\nquit", " fen", "fen result", "\x00", "nothing"} {
			answer, err := c.Query(about)
			if rejected, ok := errors.AsType[*Error](err); !ok || rejected.Word != about || answer != "" {
				t.Errorf("%q: %q, %v", about, answer, err)
			}
		}
		if fen, err := c.Query("fen"); err != nil || fen != position.StartText {
			t.Errorf("fen: %q, %v", fen, err)
		}
	})
}

// TestDeafInput checks that an engine that does not read cannot block the client.
func TestDeafInput(t *testing.T) {
	t.Parallel()
	config := hasty
	config.Patience.Answer = 100 * time.Millisecond
	c := started(t, "deaf", config)
	var err error
	for n := 0; err == nil && n < 100_000; n++ {
		err = c.send(Query{About: strings.Repeat("x", 4096)})
	}
	if kindOf(t, err) != NoAnswer {
		t.Errorf("error %v", err)
	}
}

// TestBanner checks that the client accepts a few lines of noise.
func TestBanner(t *testing.T) {
	t.Parallel()
	c := started(t, "banner", patient)
	if answer, err := c.Go(context.Background(), search.Limits{}, nil); err != nil || answer.Word != "a2" {
		t.Errorf("answer %+v, %v", answer, err)
	}
}

// TestFlood checks that twenty megabytes of reports, and a line of ten megabytes, take
// almost no memory.
func TestFlood(t *testing.T) {
	for _, name := range []string{"flood", "long line"} {
		if name == "flood" && testing.Short() {
			continue
		}
		c := started(t, name, patient)
		var before, now runtime.MemStats
		runtime.ReadMemStats(&before)
		reports := 0
		answer, err := c.Go(context.Background(), search.Limits{Depth: 5}, func(Info) {
			if reports++; reports%10_000 == 0 {
				runtime.GC() // which is late on a busy machine
				runtime.ReadMemStats(&now)
				if now.HeapInuse > before.HeapInuse+10<<20 {
					t.Errorf("the heap has grown from %d to %d bytes", before.HeapInuse, now.HeapInuse)
				}
			}
		})
		if err != nil || answer.Word != "a2" || reports == 0 {
			t.Errorf("%s: %+v, %v after %d reports", name, answer, err, reports)
		}
	}
}

// TestConnectionCut checks an engine inside this program that closes its connection.
func TestConnectionCut(t *testing.T) {
	t.Parallel()
	c, err := Local(func() Engine { return new(demo) }).Start(patient)
	if err != nil {
		t.Fatal(err)
	}
	first := sync.OnceFunc(c.wire.conn.(*pipes).server.Interrupt)
	if _, err := c.Go(context.Background(), search.Limits{Infinite: true}, func(Info) { first() }); err != nil {
		t.Errorf("the last answer is lost: %v", err)
	}
	if kind := kindOf(t, c.Ready()); kind != ClosedOutput {
		t.Errorf("%v", kind)
	}
}

// closing is an engine that counts its Close calls.
type closing struct {
	demo
	closed chan struct{}
}

func (c *closing) Close() error {
	close(c.closed)
	return nil
}

// TestLocalCloses checks that a local engine is closed once after its client has ended,
// however the client ended.
func TestLocalCloses(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*Client){
		"quit": func(c *Client) { _ = c.Quit() },
		"kill": (*Client).Kill,
		"kill during a search": func(c *Client) {
			_, _ = c.Go(context.Background(), search.Limits{Infinite: true}, func(Info) { go c.Kill() })
		},
	} {
		engine := &closing{closed: make(chan struct{})}
		c, err := Local(func() Engine { return engine }).Start(patient)
		if err != nil {
			t.Fatal(err)
		}
		end(c)
		select {
		case <-engine.closed:
		case <-time.After(patience):
			t.Errorf("%s: the engine is not closed", name)
		}
		c.Kill()
	}
}

// writesOf is a connection that records each Write.
type writesOf struct {
	io.ReadWriteCloser
	mu     sync.Mutex
	writes []string
}

func (w *writesOf) Write(text []byte) (int, error) {
	w.mu.Lock()
	w.writes = append(w.writes, string(text))
	w.mu.Unlock()
	return w.ReadWriteCloser.Write(text)
}

// since returns the writes after the first n.
func (w *writesOf) since(n int) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.writes[n:])
}

// written returns a client of a demo, which ends with the test, its connection, and the
// number of writes so far.
func written(t *testing.T) (c *Client, conn *writesOf, before int) {
	t.Helper()
	conn = &writesOf{ReadWriteCloser: localConn(&demo{})}
	c, err := Connect(conn, patient)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Kill)
	return c, conn, len(conn.since(0))
}

// TestToldAtOnce checks that commands sent without a wait reach the engine in one write with
// the next command, in order. An engine that wakes twice per turn plays fewer games.
func TestToldAtOnce(t *testing.T) {
	t.Parallel()
	c, conn, before := written(t)
	if err := c.NewGame(); err != nil {
		t.Fatal(err)
	}
	if err := c.SetPosition(position.Start(position.Standard), turnsOf(t, "a2 b3")); err != nil {
		t.Fatal(err)
	}
	if sent := conn.since(before); len(sent) > 0 {
		t.Errorf("before the next command the engine got %q", sent)
	}
	if _, err := c.Go(t.Context(), search.Limits{Depth: 1}, nil); err != nil {
		t.Fatal(err)
	}
	if err := c.SetPosition(position.Start(position.Standard), turnsOf(t, "a2")); err != nil {
		t.Fatal(err)
	}
	if err := c.Ready(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"uginewgame\nposition startpos moves a2 b3\ngo depth 1\n",
		"position startpos moves a2\nisready\n",
	}
	if diff := cmp.Diff(want, conn.since(before)); diff != "" {
		t.Errorf("writes (-want +got):\n%s", strings.TrimSpace(diff))
	}
}

// TestToldOnce cancels searches before their commands are sent: the engine gets only the
// last position.
func TestToldOnce(t *testing.T) {
	t.Parallel()
	c, conn, before := written(t)
	over, stop := context.WithCancel(t.Context())
	stop()
	for _, turns := range []string{"a2", "a2 b3", "a2 b3 c4"} {
		if err := errors.Join(c.NewGame(), c.SetPosition(position.Start(position.Standard), turnsOf(t, turns))); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Go(over, search.Limits{Depth: 1}, nil); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if err := c.Ready(); err != nil {
		t.Fatal(err)
	}
	want := []string{"uginewgame\nposition startpos moves a2 b3 c4\nisready\n"}
	if diff := cmp.Diff(want, conn.since(before)); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
}

// TestRejectedOption checks that an option that the engine rejects is an error with the
// engine's message, and that the engine can still be used.
func TestRejectedOption(t *testing.T) {
	t.Parallel()
	c := started(t, "rejects options", patient)
	err := c.SetOption("Level", "7")
	if _, rejected := errors.AsType[*Error](err); !rejected {
		t.Fatalf("error %v", err)
	}
	for _, want := range []string{"by it", `"7"`, "Level", "not today"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not contain %q", err, want)
		}
	}
	if _, err := c.Go(context.Background(), search.Limits{Depth: 1}, nil); err != nil {
		t.Errorf("a search after it: %v", err)
	}
}

// TestLastComplaint checks that a failure contains the engine's last error since the
// position was set up, and no older one.
func TestLastComplaint(t *testing.T) {
	t.Parallel()
	c := started(t, "only startpos", patient)
	end := positionAfter(t, "a2 a3 a4")
	if err := c.SetPosition(end, turnsOf(t, "b3")); err != nil {
		t.Fatal(err)
	}
	_, err := c.Go(context.Background(), search.Limits{Depth: 1}, nil)
	if kindOf(t, err) != IllegalTurn || !strings.Contains(err.Error(), "only startpos") {
		t.Errorf("error %v", err)
	}
	if err := c.VerifyPosition(); kindOf(t, err) != WrongPosition || !strings.Contains(err.Error(), "only startpos") {
		t.Errorf("verified: %v", err)
	}
	start := position.Start(position.Standard)
	if err := c.SetPosition(start, turnsOf(t, "a2")); err != nil {
		t.Fatal(err)
	}
	_, err = c.Go(context.Background(), search.Limits{Depth: 1}, nil)
	if kindOf(t, err) != IllegalTurn || strings.Contains(err.Error(), "only startpos") {
		t.Errorf("error %v", err)
	}
	if err := c.VerifyPosition(); err != nil {
		t.Errorf("an engine without query fen: %v", err)
	}
}

// TestVerifyPosition compares positions with engines that know `query fen`.
func TestVerifyPosition(t *testing.T) {
	t.Parallel()
	for name, right := range map[string]bool{"good": true, "forgets": false} {
		t.Run(name, func(t *testing.T) {
			c := started(t, name, patient)
			if err := c.SetPosition(position.Start(position.Standard), nil); err != nil {
				t.Fatal(err)
			}
			if err := c.VerifyPosition(); err != nil {
				t.Errorf("at the start: %v", err)
			}
			if err := c.SetPosition(position.Start(position.Standard), turnsOf(t, "a2 b3")); err != nil {
				t.Fatal(err)
			}
			err := c.VerifyPosition()
			if right != (err == nil) {
				t.Fatalf("after two turns: %v", err)
			}
			if err != nil && (kindOf(t, err) != WrongPosition || !strings.Contains(err.Error(), position.StartText)) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestPositionsTold sets up histories that extend each other, go back, branch off and are
// rejected in between. The engine has each position that was not rejected.
func TestPositionsTold(t *testing.T) {
	t.Parallel()
	c := started(t, "good", patient)
	start := position.Start(position.Standard)
	for _, step := range []struct {
		start position.Position
		turns string
		legal bool
	}{
		{start, "a2", true},
		{start, "a2 b3 c4", true},
		{start, "a2 b3 c4 c4", false},
		{start, "a2 b3 c4 d5", true},
		{start, "a2 b3", true},
		{start, "a2 c4 b3", true},
		{positionAfter(t, "a2 c4"), "b3", true},
		{positionAfter(t, "a2 c4"), "b3 d5", true},
		{start, "", true},
		{start, "a2 a2", false},
	} {
		var turns []position.Turn
		for _, word := range strings.Fields(step.turns) {
			turns = append(turns, turnsOf(t, word)...) // placings are turns from the start, too
		}
		err := c.SetPosition(step.start, turns)
		if (err == nil) != step.legal {
			t.Errorf("%q: %v", step.turns, err)
		}
		if err := c.VerifyPosition(); err != nil {
			t.Errorf("%q: %v", step.turns, err)
		}
	}
}

// TestSecondAnswer checks that an unsolicited turn is a failure, but not an answer to stop
// that comes after the turn.
func TestSecondAnswer(t *testing.T) {
	t.Parallel()
	c := started(t, "answers twice", patient)
	if _, err := c.Go(context.Background(), search.Limits{Depth: 1}, nil); err != nil {
		t.Fatal(err)
	}
	err := c.Ready()
	if kindOf(t, err) != Garbage || !strings.Contains(err.Error(), `"a3"`) {
		t.Errorf("error %v", err)
	}
	c = started(t, "answers stop too", patient)
	if _, err := c.Go(context.Background(), search.Limits{Depth: 1}, nil); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.Stop(), c.Ready(), c.Ready()); err != nil {
		t.Errorf("after stop: %v", err)
	}
}

// TestLinesAfterAnswer checks that a waiter gets its answer after the lines that came with
// it are delivered, so that none of them is taken for a later answer.
func TestLinesAfterAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, engine := net.Pipe()
		delivered := 0
		slow := func(bool, string) { time.Sleep(time.Second) }
		w := newWire(ours, slow, func(string) { delivered++ })
		waiting := w.expect(func(line string, _ time.Time) bool { return line == "readyok" })
		go func() { _, _ = io.WriteString(engine, "readyok\nbestmove a2\nbestmove a3\nbest") }()
		if err := w.wait(t.Context(), waiting); err != nil {
			t.Fatal(err)
		}
		if delivered != 2 {
			t.Errorf("%d lines were delivered before the answer, want 2", delivered)
		}
		w.close()
		<-w.ended
	})
}

// TestPatienceBounds checks time limits.
func TestPatienceBounds(t *testing.T) {
	for limit, valid := range map[time.Duration]bool{-1: false, 0: true, longestPatience: true, longestPatience + 1: false} {
		for _, p := range []Patience{{Handshake: limit}, {Answer: limit}, {Stop: limit}, {Quit: limit}} {
			if err := p.Check(); (err == nil) != valid {
				t.Errorf("%+v: error %v", p, err)
			}
		}
	}
}

// TestPatience checks when a context of WithPatience is done, and with which error.
func TestPatience(t *testing.T) {
	for _, test := range []struct {
		name   string
		lasts  time.Duration // the context of the parent; 0 for no limit
		cancel time.Duration // when it is canceled; 0 for never
		want   error
		after  time.Duration
	}{
		{"alone", 0, 0, context.DeadlineExceeded, 10 * time.Second},
		{"released", 0, 3 * time.Second, context.Canceled, 3 * time.Second},
		{"a shorter parent", 3 * time.Second, 0, context.DeadlineExceeded, 3 * time.Second},
		{"a longer parent", time.Minute, 0, context.DeadlineExceeded, 10 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				parent := t.Context()
				if test.lasts > 0 {
					var stop context.CancelFunc
					parent, stop = context.WithTimeout(parent, test.lasts)
					defer stop()
				}
				waiting, release := WithPatience(parent, 10*time.Second)
				defer release()
				child, stop := context.WithCancel(waiting)
				defer stop()
				if test.cancel > 0 {
					time.AfterFunc(test.cancel, release)
				}
				if waiting.Err() != nil {
					t.Errorf("at first: %v", waiting.Err())
				}
				<-child.Done()
				if waiting.Err() != test.want || child.Err() != test.want || time.Since(began) != test.after {
					t.Errorf("%v, its child %v, after %v; want %v after %v", waiting.Err(), child.Err(), time.Since(began), test.want, test.after)
				}
			})
		})
	}
	t.Run("a program that does not run", func(t *testing.T) {
		ticks := make(chan time.Time)
		p := &awake{Context: t.Context(), done: make(chan struct{})}
		go p.wait(ticks)
		for i := range patienceTicks { // each after an hour, of which a ticker keeps one tick
			if p.Err() != nil {
				t.Fatalf("after %d ticks: %v", i, p.Err())
			}
			ticks <- time.Unix(0, 0).Add(time.Duration(i) * time.Hour)
		}
		if <-p.Done(); p.Err() != context.DeadlineExceeded {
			t.Errorf("at the end: %v", p.Err())
		}
	})
}

// positionAfter returns the position after turns from the start.
func positionAfter(t *testing.T, words string) position.Position {
	t.Helper()
	p := position.Start(position.Standard)
	for _, turn := range turnsOf(t, words) {
		p = p.After(turn)
	}
	return p
}

// TestFolderOfProgram checks that each error names the folder, not the program, if the program
// cannot run there.
func TestFolderOfProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(t.TempDir(), "missing")
	for name, try := range map[string]func(Program) error{
		"Start": func(p Program) error { _, err := p.Start(hasty); return err },
		"Run":   func(p Program) error { _, err := p.Run(); return err },
		"Find":  Program.Find,
	} {
		for _, dir := range []string{missing, file} {
			if err := try(Program{Path: self, Dir: dir}); err == nil || !strings.Contains(err.Error(), dir) || strings.Contains(err.Error(), self+":") {
				t.Errorf("%s in %s: %v", name, dir, err)
			}
		}
	}
}

// TestManyOptions checks that the client knows all options of an engine that is being tuned, and warns
// of those beyond the limit.
func TestManyOptions(t *testing.T) {
	var warnings []string
	c := &Client{config: Config{Name: "many", Warn: func(message string) { warnings = append(warnings, message) }}, warned: map[string]bool{}}
	for i := range maxOptions {
		c.addOption("option name P" + strconv.Itoa(i) + " type spin default 5 min 0 max 10")
	}
	if len(c.options) != 10_000 || len(warnings) > 0 {
		t.Fatalf("%d options, warnings %q", len(c.options), warnings)
	}
	for _, name := range []string{"Q", "R"} {
		c.addOption("option name " + name + " type button")
	}
	if len(c.options) != maxOptions || len(warnings) != 1 {
		t.Errorf("%d options, warnings %q", len(c.options), warnings)
	}
}
