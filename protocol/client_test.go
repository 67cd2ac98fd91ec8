package protocol

import (
	"context"
	"errors"
	"strings"
	"sync"
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
	c, err := testProgram(t, name).Start(config)
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

// due is a context whose time is over when it is told so.
type due struct {
	context.Context
	over chan struct{}
}

// newDue returns a context, and what ends its time.
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

// TestClientGame drives a good engine in all ways: as a program and within this
// program.
func TestClientGame(t *testing.T) {
	connect := map[string]func(Config) (*Client, error){
		"program": testProgram(t, "good").Start,
		"local":   Local(func() Engine { return &demo{withBook: true} }).Start,
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
	if c.Name() != "Gyre 0.1" || c.Author() != "the Gyre authors" || len(c.Options()) != 15 || (c.Dialect() == UCI) != uci {
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
		first := sync.OnceFunc(func() {
			if err := act(); err != nil {
				t.Error(err)
			}
		})
		limits := Limits{Infinite: name == "stop", Ponder: true, HasDepth: true, Depth: 2}
		answer, err := c.Go(context.Background(), limits, func(Info) { first() })
		if err != nil || answer.Word != "a2" {
			t.Errorf("%s: %+v, %v", name, answer, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	if answer, err := c.Go(ctx, Limits{Infinite: true}, func(Info) { cancel() }); err != nil || answer.Word != "a2" {
		t.Errorf("cancelled: %+v, %v", answer, err)
	}
	late, end := newDue()
	if answer, err := c.Go(late, Limits{Infinite: true}, func(Info) { end() }); kindOf(t, err) != SearchTimeout || answer.Word != "a2" {
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
	if err := c.VerifyPosition(); err != nil {
		t.Errorf("verified: %v", err)
	}
	answer, err := c.Go(context.Background(), Limits{HasMoveTime: true}, nil)
	if err != nil || answer.Ponder.String() != "a3" {
		t.Errorf("answer %+v, %v", answer, err)
	}
	if err := c.Quit(); err != nil {
		t.Error(err)
	}
}

// ruled is a demo that notes the rules that it is told.
type ruled struct {
	demo
	told []string
}

func (r *ruled) Options() []Option {
	return []Option{Combo("rules", "standard", []string{"standard", "blitz"}, func(rules string) error {
		r.told = append(r.told, rules)
		return nil
	})}
}

// TestClientSetRules tells the rules, each change once, to an engine that asks for
// them, and to one that plays by standard rules only.
func TestClientSetRules(t *testing.T) {
	engine := new(ruled)
	c, err := Local(func() Engine { return engine }).Start(patient)
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
	if diff := cmp.Diff([]string{"blitz", "standard"}, engine.told); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
	config := patient
	config.Handshake = UCIHandshake
	standard := started(t, "uci only", config)
	if err := standard.SetRules(position.Standard); err != nil {
		t.Error(err)
	}
	var refused *Error
	if err := standard.SetRules(position.Blitz); !errors.As(err, &refused) || refused.Word != "blitz" {
		t.Errorf("blitz of an engine without the option: %v", err)
	}
	if err := standard.Ready(); err != nil {
		t.Errorf("a refusal ends the engine: %v", err)
	}
}
