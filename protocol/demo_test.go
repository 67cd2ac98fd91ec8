package protocol

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"gyre/position"
)

// demo is an engine for tests. Each iteration reports made-up numbers, and the
// turn is the first in the alphabet. What it is told is kept for the tests to see.
type demo struct {
	hash, threads, multiPV, overhead, nodesTime, skill, elo int
	search                                                  string
	showWDL                                                 bool
	book                                                    string
	cleared, newGames                                       int

	withBook    bool        // list an option of free text as well
	returnEarly bool        // from an infinite search, instead of waiting
	ignore      bool        // answer no legal turn
	limits      Limits      // of the last search
	searching   atomic.Bool // whether a search runs
	overlaps    atomic.Int32
	searches    atomic.Int32 // begun
}

func (d *demo) ID() (name, author, version string) { return "Gyre", "the Gyre authors", "0.1" }

func (d *demo) Options() []Option {
	number := func(into *int) func(int) error {
		return func(n int) error { *into = n; return nil }
	}
	options := []Option{
		Spin("Hash", 64, 1, 65536, number(&d.hash)),
		Button("Clear Hash", func() error { d.cleared++; return nil }),
		Spin("Threads", 1, 1, 128, number(&d.threads)),
		Spin("MultiPV", 1, 1, 64, number(&d.multiPV)),
		Spin("MoveOverhead", 10, 0, 5000, number(&d.overhead)),
		Spin("nodestime", 0, 0, 1000000, number(&d.nodesTime)),
		Combo("Search", "alphabeta", []string{"alphabeta", "mcts"}, func(s string) error { d.search = s; return nil }),
		Text("EvalFile", "", func(string) error { return nil }),
		Spin("Skill", 20, 0, 20, number(&d.skill)),
		Check("UCI_LimitStrength", false, func(bool) error { return nil }),
		Spin("UCI_Elo", 3000, 0, 3000, number(&d.elo)),
		Check("ShowWDL", false, func(on bool) error { d.showWDL = on; return nil }),
	}
	if !d.withBook {
		return options
	}
	return append(options, Text("Book File", "", func(name string) error {
		if name == "missing" {
			return fmt.Errorf("cannot be opened")
		}
		d.book = name
		return nil
	}))
}

func (d *demo) NewGame() { d.newGames++ }

func (d *demo) Search(ctx context.Context, root position.Position, limits Limits, ponderHit <-chan struct{}, report func(Info)) (best, ponder position.Turn) {
	d.searches.Add(1)
	if d.searching.Swap(true) {
		d.overlaps.Add(1)
	}
	defer d.searching.Store(false)
	d.limits = limits
	line := demoLine(root, limits)
	if d.ignore {
		return position.None, position.None
	}
	deepest := 3
	if limits.HasDepth {
		deepest = min(limits.Depth, 20)
	}
	for depth := 1; depth <= deepest && !(depth > 1 && ctx.Err() != nil); depth++ {
		elapsed := depth
		if d.nodesTime > 0 {
			elapsed = 100 * depth / d.nodesTime
		}
		report(Info{
			Depth: depth, SelDepth: depth + 1, MultiPV: 1,
			Score: Score{Value: 10 * depth}, HasScore: true,
			WDL: [3]int{340, 400, 260}, HasWDL: d.showWDL,
			Nodes: uint64(100 * depth), Time: time.Duration(elapsed) * time.Millisecond,
			HashFull: depth, PV: line[:min(depth, len(line))],
		})
	}
	switch {
	case d.returnEarly:
	case limits.Infinite:
		<-ctx.Done()
	case limits.Ponder:
		select {
		case <-ctx.Done():
		case <-ponderHit:
		}
	}
	if len(line) > 1 {
		ponder = line[1]
	}
	return line[0], ponder
}

// demoLine plays turns that are first in the alphabet from root, at most four.
func demoLine(root position.Position, limits Limits) []position.Turn {
	var line []position.Turn
	for p := root; len(line) < 4 && !p.Over(); {
		t := slices.MinFunc(p.Turns(nil), func(a, b position.Turn) int { return strings.Compare(a.String(), b.String()) })
		if len(line) == 0 && len(limits.SearchTurns) > 0 {
			t = limits.SearchTurns[0]
		}
		line = append(line, t)
		var child position.Position
		p.Play(&child, t)
		p = child
	}
	return line
}

func (d *demo) Evaluate(p *position.Position) string {
	return fmt.Sprintf("mobility  white %d, black %d\ntotal     0 cp", p.Mobility(position.White), p.Mobility(position.Black))
}

func (d *demo) Bench(ctx context.Context, args []string, out io.Writer) error {
	if len(args) > 0 && args[0] == "forever" {
		<-ctx.Done()
		return nil
	}
	if len(args) > 0 {
		return fmt.Errorf("does not know %q", args[0])
	}
	_, err := fmt.Fprintln(out, "600 nodes 600000 nps")
	return err
}
