package engine

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"gyre/bench"
	"gyre/position"
	"gyre/protocol"
	"gyre/search"
)

// TestTunable checks that the parameters are options of an engine that is tunable and of
// no other, with their defaults and bounds.
func TestTunable(t *testing.T) {
	usual := search.DefaultParameters()
	listed := map[string]protocol.Option{}
	for _, o := range NewTunable().Options() {
		listed[o.Name] = o
	}
	for i := range usual {
		name := search.Parameter(i).String()
		least, most := search.Parameter(i).Bounds()
		if o := listed[name]; o.Default != strconv.Itoa(usual[i]) || o.Min != least || o.Max != most {
			t.Errorf("%s: default %s, from %d to %d; want %d, from %d to %d", name, o.Default, o.Min, o.Max, usual[i], least, most)
		}
		if err := listed[name].Set(strconv.Itoa(most + 1)); err == nil || !strings.Contains(err.Error(), "out of range") {
			t.Errorf("%s: a value beyond the bounds: %v", name, err)
		}
	}
	if got, want := len(New().Options()), len(listed)-len(usual); got != want {
		t.Errorf("%d options without tuning, want %d", got, want)
	}
}

// TestParametersReachTheSearch checks that a parameter changes what is searched, also
// after another searcher was chosen in between, and that its default changes nothing.
func TestParametersReachTheSearch(t *testing.T) {
	root := position.Start(position.Standard)
	nodes := func(settings ...string) (nodes uint64) {
		e := NewTunable()
		for i := 0; i < len(settings); i += 2 {
			if err := option(t, e, settings[i]).Set(settings[i+1]); err != nil {
				t.Fatal(err)
			}
		}
		e.Search(context.Background(), root, protocol.Limits{Depth: 4, HasDepth: true}, nil, func(i protocol.Info) { nodes = i.Nodes })
		return nodes
	}
	usual := nodes()
	if got := nodes("ReductionRate", option(t, NewTunable(), "ReductionRate").Default); got != usual {
		t.Errorf("%d nodes with a parameter at its default, %d without", got, usual)
	}
	other := nodes("ReductionRate", "900")
	if other == usual {
		t.Errorf("%d nodes whatever the reductions", usual)
	}
	if got := nodes("ReductionRate", "900", "Search", bench.MCTS, "Search", bench.AlphaBeta); got != other {
		t.Errorf("%d nodes after another searcher was chosen in between, want %d", got, other)
	}
}
