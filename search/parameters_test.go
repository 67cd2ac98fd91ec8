package search_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"gyre/position"
	"gyre/search"
	"gyre/search/internal/searchtest"
)

// TestParameterTable checks that each parameter has a unique name and a default
// within its bounds.
func TestParameterTable(t *testing.T) {
	names := map[string]bool{}
	for i, def := range search.DefaultParameters() {
		p := search.Parameter(i)
		if p.String() == "" || names[p.String()] {
			t.Errorf("parameter %d has no name of its own: %q", i, p)
		}
		names[p.String()] = true
		if low, high := p.Bounds(); def < low || def > high {
			t.Errorf("%v is %d by default, out of range %d to %d", p, def, low, high)
		}
	}
}

// TestAnyParameters searches with parameters at and between their bounds: the turn
// must be legal and the limits must hold.
func TestAnyParameters(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	limits := []search.Limits{{Nodes: 400}, {Depth: 3}, {Clock: search.Clock{Left: time.Second, Increment: 10 * time.Millisecond}, NodesTime: 20}}
	draws := []func(low, high int) int{
		func(low, _ int) int { return low },
		func(_, high int) int { return high },
		func(low, high int) int { return low + rng.IntN(high-low+1) },
		func(low, high int) int { return low + rng.IntN(high-low+1) },
	}
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		for _, draw := range draws {
			var parameters search.Parameters
			for i := range parameters {
				parameters[i] = draw(search.Parameter(i).Bounds())
			}
			s.SetParameters(&parameters)
			for _, text := range []string{searchtest.Middle, searchtest.MateIn1, searchtest.PassOnly, position.StartText} {
				p := searchtest.Parse(t, text)
				for _, l := range limits {
					s.NewGame()
					out := s.Search(context.Background(), p, l, searchtest.Ignore)
					if !p.Legal(out.Best) {
						t.Errorf("%v with %v: %v is not legal", &p, parameters, out.Best)
					}
					if l.Nodes > 0 && out.Info.Nodes > l.Nodes {
						t.Errorf("%v with %v: %d nodes, the limit is %d", &p, parameters, out.Info.Nodes, l.Nodes)
					}
				}
			}
		}
	})
}
