package protocol

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// TestFailuresAtStart checks what can go wrong before the first search.
func TestFailuresAtStart(t *testing.T) {
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
	c, err := Local(func() Engine { return new(demo) }).Start(patient)
	if err != nil {
		t.Fatal(err)
	}
	first := sync.OnceFunc(c.wire.conn.(*pipes).server.Interrupt)
	if _, err := c.Go(context.Background(), Limits{Infinite: true}, func(Info) { first() }); err != nil {
		t.Errorf("the last answer is lost: %v", err)
	}
	if kind := kindOf(t, c.Ready()); kind != ClosedOutput {
		t.Errorf("%v", kind)
	}
}

// closing is an engine that tells when it is closed.
type closing struct {
	demo
	closed chan struct{}
}

func (c *closing) Close() error {
	close(c.closed)
	return nil
}

// TestLocalCloses checks that an engine of this program is closed once, when
// its client has ended, however that was.
func TestLocalCloses(t *testing.T) {
	for name, end := range map[string]func(*Client){
		"quit":                 func(c *Client) { _ = c.Quit() },
		"kill":                 (*Client).Kill,
		"kill during a search": func(c *Client) { _, _ = c.Go(context.Background(), Limits{Infinite: true}, func(Info) { go c.Kill() }) },
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
