package engine

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench"
	"gyre/position"
	"gyre/protocol"
	"gyre/search"
)

var _ protocol.Engine = New()

// TestLimits checks what each limit of the protocol becomes.
func TestLimits(t *testing.T) {
	e := New()
	moveTime := 250 * time.Millisecond
	base := search.Limits{MultiPV: 1, Overhead: defaults.overhead}
	with := func(change func(*search.Limits)) search.Limits {
		l := base
		change(&l)
		return l
	}
	clocks := [2]protocol.Clock{
		position.White: {Set: true, Left: time.Minute, Increment: time.Second},
		position.Black: {Set: true, Left: time.Hour},
	}
	for _, c := range []struct {
		name string
		in   protocol.Limits
		want search.Limits
	}{
		{"depth", protocol.Limits{Depth: 7, HasDepth: true}, with(func(l *search.Limits) { l.Depth = 7 })},
		{"nodes", protocol.Limits{Nodes: 9, HasNodes: true}, with(func(l *search.Limits) { l.Nodes = 9 })},
		{"mate", protocol.Limits{Mate: 3}, with(func(l *search.Limits) { l.Mate = 3 })},
		{"movetime", protocol.Limits{MoveTime: moveTime, HasMoveTime: true}, with(func(l *search.Limits) { l.MoveTime = &moveTime })},
		{"infinite", protocol.Limits{Infinite: true}, with(func(l *search.Limits) { l.Infinite = true })},
		{"the mover's clock", protocol.Limits{Clock: clocks, MovesToGo: 4},
			with(func(l *search.Limits) { l.Clock = &search.Clock{Left: time.Hour, MovesToGo: 4} })},
	} {
		if diff := cmp.Diff(c.want, e.limits(c.in, position.Black)); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

// TestNodesTime checks that the option reaches the search, and that none is the default.
func TestNodesTime(t *testing.T) {
	e := New()
	for _, o := range e.Options() {
		if o.Name != "nodestime" {
			continue
		}
		if before := e.limits(protocol.Limits{}, position.White).NodesTime; o.Default != "0" || before != 0 {
			t.Errorf("%d nodes to a millisecond by default, which is told as %s", before, o.Default)
		}
		if err := o.Set("600"); err != nil {
			t.Fatal(err)
		}
	}
	if got := e.limits(protocol.Limits{}, position.White).NodesTime; got != 600 {
		t.Errorf("%d nodes to a millisecond, want 600", got)
	}
}

// TestInfo checks how scores, bounds and proven ends are told.
func TestInfo(t *testing.T) {
	root := position.Start(position.Standard)
	scale := search.Score(search.ScaleOf(&root))
	for _, c := range []struct {
		in   search.Info
		want string
	}{
		{search.Info{Depth: 3, MultiPV: 1, Score: scale, Nodes: 10}, "score cp 100 "},
		{search.Info{Depth: 3, MultiPV: 1, Score: -scale, Bound: search.Upper, Nodes: 10}, "score cp -100 upperbound "},
		{search.Info{Depth: 3, MultiPV: 1, Score: search.Win - 3, Nodes: 10}, "score mate 3 wdl 1000 0 0 "},
		{search.Info{Depth: 3, MultiPV: 1, Score: 4 - search.Win, Bound: search.Lower, Nodes: 10}, "score mate -4 lowerbound wdl 0 0 1000 "},
		{search.Info{Message: "no win in 2 turns"}, "info string no win in 2 turns"},
	} {
		i := infoOf(&root, c.in, true)
		if got := i.String(); !strings.Contains(got+" ", c.want) {
			t.Errorf("%q has no %q", got, c.want)
		}
	}
}

// TestBenchWords checks the words after bench.
func TestBenchWords(t *testing.T) {
	e := New()
	for _, words := range []string{"0", "x", "3 4", "tactics 0", "tactics now", "tactics 5 5", "mcts x", "mcts 0", "mcts 5 5", "alphabeta x", "1000"} {
		var out bytes.Buffer
		err := e.Bench(context.Background(), strings.Fields(words), &out)
		if err == nil || !strings.Contains(err.Error(), "bench takes") {
			t.Errorf("bench %s: %v", words, err)
		}
	}
	var out bytes.Buffer
	for _, words := range []string{"1", "alphabeta 1", "mcts 10"} {
		out.Reset()
		if err := e.Bench(context.Background(), strings.Fields(words), &out); err != nil || !strings.Contains(out.String(), "signature ") {
			t.Errorf("bench %s: %v, %q", words, err, out.String())
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := e.Bench(ctx, []string{"20"}, &out); err == nil {
		t.Error("a bench that is cancelled ends without an error")
	}
}

// TestSkill checks that the option reaches the search, that the full level is
// the default and the same as none, and that games differ below it.
func TestSkill(t *testing.T) {
	root := position.Start(position.Standard)
	choose := func(level string, games int) position.Turn {
		e := New()
		if err := e.setHash(1); err != nil {
			t.Fatal(err)
		}
		for _, o := range e.Options() {
			if o.Name != "Skill" {
				continue
			}
			if o.Default != "20" {
				t.Errorf("default %s, want 20", o.Default)
			}
			if err := o.Set(level); level != "" && err != nil {
				t.Fatal(err)
			}
		}
		for range games {
			e.NewGame()
		}
		best, _ := e.Search(context.Background(), root, protocol.Limits{Nodes: 300, HasNodes: true}, nil, func(protocol.Info) {})
		if !root.Legal(best) {
			t.Fatalf("Skill %s: %v is not legal", level, best)
		}
		return best
	}
	best := choose("", 0)
	different := map[position.Turn]bool{}
	for games := range 8 {
		if full := choose("20", games); full != best {
			t.Errorf("game %d: %v at the full level, %v without one", games, full, best)
		}
		different[choose("0", games)] = true
	}
	if len(different) == 1 {
		t.Error("eight games at level 0 begin with one turn")
	}
}

// TestSearchersServe lets both searchers answer through the engine.
func TestSearchersServe(t *testing.T) {
	for _, method := range []string{bench.AlphaBeta, bench.MCTS, bench.AlphaBeta} {
		e := New()
		if err := e.setMethod(method); err != nil {
			t.Fatal(err)
		}
		root := position.Start(position.Standard)
		reports := 0
		best, _ := e.Search(context.Background(), root, protocol.Limits{Nodes: 100, HasNodes: true}, nil, func(protocol.Info) { reports++ })
		if !root.Legal(best) || reports == 0 {
			t.Errorf("%s: %v after %d reports", method, best, reports)
		}
	}
}

// TestOptionsAreSpecified checks that PROTOCOL.md shows every option as it is.
func TestOptionsAreSpecified(t *testing.T) {
	text, err := os.ReadFile("../../../PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range New().Options() {
		if line := "\n< " + o.String() + "\n"; !strings.Contains(string(text), line) {
			t.Errorf("PROTOCOL.md shows no %q", strings.TrimSpace(line))
		}
	}
}
