package protocol

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// patient waits long for what must come, on however busy a machine.
var patient = Config{Name: "it", Patience: Patience{Handshake: patience, Answer: patience, Stop: patience, Quit: patience}}

// hasty does not wait long, after the handshake, for what will not come.
var hasty = Config{Name: "it", Patience: Patience{
	Handshake: patience, Answer: patience, Stop: 100 * time.Millisecond, Quit: 100 * time.Millisecond}}

// started starts one of the programs, and kills it after the test.
func started(t *testing.T, name string, config Config) *Client {
	t.Helper()
	c, err := Start(testProgram(t, name), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Kill)
	return c
}

// kindOf returns the kind of failure that err is.
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

// soon is a context that ends soon.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// TestClientGame drives a good engine in all ways: as a program and within this
// program.
func TestClientGame(t *testing.T) {
	connect := map[string]func(Config) (*Client, error){
		"program": func(config Config) (*Client, error) { return Start(testProgram(t, "good"), config) },
		"local":   func(config Config) (*Client, error) { return StartLocal(&demo{withBook: true}, config) },
	}
	for name, start := range connect {
		for _, choice := range []HandshakeChoice{EitherHandshake, UCIHandshake} {
			t.Run(name, func(t *testing.T) {
				var lines atomic.Int32
				c, err := start(Config{Handshake: choice, Patience: patient.Patience, Trace: func(bool, string) { lines.Add(1) }})
				if err != nil {
					t.Fatal(err)
				}
				defer c.Kill()
				playClientGame(t, c, choice == UCIHandshake)
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
	if c.Name() != "Gyre 0.1" || c.Author() != "the Gyre authors" || len(c.Options()) != 12 || (c.Dialect() == UCI) != uci {
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
		var refused *Error
		if err := c.SetOption(wrong[0], wrong[1]); !errors.As(err, &refused) {
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
	answer, err := c.Go(context.Background(), Limits{HasDepth: true, Depth: 3}, func(i Info) { depths = append(depths, i.Depth) })
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
	only := Limits{HasNodes: true, Nodes: 1, SearchTurns: turnsOf(t, "b3")}
	answer, err = c.Go(context.Background(), only, nil)
	must(err)
	if answer.Word != "b3" {
		t.Errorf("answer %+v", answer)
	}
	openSearches(t, c)
}

// openSearches checks searches that somebody has to end.
func openSearches(t *testing.T, c *Client) {
	t.Helper()
	for name, act := range map[string]func() error{"stop": c.Stop, "ponderhit": c.PonderHit} {
		time.AfterFunc(10*time.Millisecond, func() {
			if err := act(); err != nil {
				t.Error(err)
			}
		})
		limits := Limits{Infinite: name == "stop", Ponder: true, HasDepth: true, Depth: 2}
		answer, err := c.Go(context.Background(), limits, nil)
		if err != nil || answer.Word != "a2" {
			t.Errorf("%s: %+v, %v", name, answer, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(10*time.Millisecond, cancel)
	if answer, err := c.Go(ctx, Limits{Infinite: true}, nil); err != nil || answer.Word != "a2" {
		t.Errorf("cancelled: %+v, %v", answer, err)
	}
	if answer, err := c.Go(soon(t), Limits{Infinite: true}, nil); kindOf(t, err) != SearchTimeout || answer.Word != "a2" {
		t.Errorf("timed out: %+v, %v", answer, err)
	}
	if err := c.Ready(); err != nil {
		t.Errorf("after a late answer: %v", err)
	}
	if _, err := c.Go(ctx, Limits{Infinite: true}, nil); !errors.Is(err, context.Canceled) || c.Failure() != nil {
		t.Errorf("cancelled before it began: %v, %v", err, c.Failure())
	}
}

// TestUCIOnly checks that the second greeting is tried.
func TestUCIOnly(t *testing.T) {
	config := patient
	config.Patience.Handshake = 4 * time.Second
	c := started(t, "uci only", config)
	if c.Dialect() != UCI || c.Name() != "Pretender" {
		t.Errorf("%v, %q", c.Dialect(), c.Name())
	}
	answer, err := c.Go(context.Background(), Limits{HasMoveTime: true}, nil)
	if err != nil || answer.Ponder.String() != "a3" {
		t.Errorf("answer %+v, %v", answer, err)
	}
	if err := c.Quit(); err != nil {
		t.Error(err)
	}
}

// TestFailuresAtStart checks what can go wrong before the first search.
func TestFailuresAtStart(t *testing.T) {
	config := hasty
	config.Patience.Handshake = 300 * time.Millisecond
	for name, want := range map[string]FailureKind{"silent": NoHandshake, "sleeper": NoHandshake} {
		if _, err := Start(testProgram(t, name), config); kindOf(t, err) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := Start(testProgram(t, "dies at start"), hasty)
	var failure *Failure
	if !errors.As(err, &failure) || failure.Kind != Died || failure.Status != "exit status 3" {
		t.Fatalf("error %v", err)
	}
	if diff := cmp.Diff([]string{"no such? weights"}, failure.Stderr); diff != "" {
		t.Error(diff)
	}
	if _, err := Start(Program{Path: "./no such program"}, hasty); kindOf(t, err) != CannotStart {
		t.Errorf("error %v", err)
	}
}

// TestFailuresInSearch checks what can go wrong in a search, and after which
// failures the engine can still be used.
func TestFailuresInSearch(t *testing.T) {
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
			c := started(t, test.name, config)
			if test.want == SearchTimeout {
				ctx = soon(t)
			}
			answer, err := c.Go(ctx, Limits{HasDepth: true, Depth: 1}, nil)
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

// TestSilentClients checks the waits outside of searches.
func TestSilentClients(t *testing.T) {
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
		err = c.SetPosition(position.Start(position.Blitz), nil)
	}
	if kindOf(t, err) != NoAnswer {
		t.Errorf("deaf: %v", err)
	}
}

// TestDeafInput checks that an engine that reads nothing does not block us.
func TestDeafInput(t *testing.T) {
	config := hasty
	config.Patience.Answer = 100 * time.Millisecond
	c := started(t, "deaf", config)
	var err error
	for n := 0; err == nil && n < 100_000; n++ {
		err = c.tell(Query{About: strings.Repeat("x", 4096)})
	}
	if kindOf(t, err) != NoAnswer {
		t.Errorf("error %v", err)
	}
}

// TestBanner checks that a little noise is put up with.
func TestBanner(t *testing.T) {
	c := started(t, "banner", patient)
	if answer, err := c.Go(context.Background(), Limits{}, nil); err != nil || answer.Word != "a2" {
		t.Errorf("answer %+v, %v", answer, err)
	}
}

// TestFlood checks that a hundred megabytes of reports, and a line of ten, take
// no memory to speak of.
func TestFlood(t *testing.T) {
	for _, name := range []string{"flood", "long line"} {
		if name == "flood" && testing.Short() {
			continue
		}
		c := started(t, name, patient)
		var before, now runtime.MemStats
		runtime.ReadMemStats(&before)
		reports := 0
		answer, err := c.Go(context.Background(), Limits{HasDepth: true, Depth: 5}, func(Info) {
			if reports++; reports%100_000 == 0 {
				runtime.ReadMemStats(&now)
				if now.HeapInuse > before.HeapInuse+64<<20 {
					t.Errorf("the heap has grown from %d to %d bytes", before.HeapInuse, now.HeapInuse)
				}
			}
		})
		if err != nil || answer.Word != "a2" || reports == 0 {
			t.Errorf("%s: %+v, %v after %d reports", name, answer, err, reports)
		}
	}
}

// TestConnectionCut checks an engine that is no program and hangs up.
func TestConnectionCut(t *testing.T) {
	c, err := StartLocal(new(demo), patient)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(10*time.Millisecond, func() { c.wire.conn.(*local).server.Interrupt() })
	if _, err := c.Go(context.Background(), Limits{Infinite: true}, nil); err != nil {
		t.Errorf("the last answer is lost: %v", err)
	}
	if kind := kindOf(t, c.Ready()); kind != ClosedOutput {
		t.Errorf("%v", kind)
	}
}
