package search_test

import (
	"context"
	"testing"

	"gyre/search"
	"gyre/search/internal/searchtest"
)

// TestResize checks that a size that cannot be had is refused and changes
// nothing, and that one that can be had is taken.
func TestResize(t *testing.T) {
	p := searchtest.Parse(t, searchtest.Middle)
	for _, kind := range searchers {
		t.Run(kind.name, func(t *testing.T) {
			nodes := func(s search.Searcher) uint64 {
				return s.Search(context.Background(), p, search.Limits{Depth: 4, Nodes: 5000}, searchtest.Ignore).Info.Nodes
			}
			s, twin := kind.make(), kind.make()
			defer s.Close()
			defer twin.Close()
			if a, b := nodes(s), nodes(twin); a != b {
				t.Fatalf("%d and %d nodes of equal searches", a, b)
			}
			if err := s.Resize(1 << 30); err == nil {
				t.Fatal("a pebibyte is granted")
			}
			if a, b := nodes(s), nodes(twin); a != b {
				t.Errorf("%d nodes after a size that was refused, %d without it", a, b)
			}
			if err := s.Resize(3); err != nil {
				t.Fatal(err)
			}
			out := s.Search(context.Background(), p, search.Limits{Nodes: 500}, searchtest.Ignore)
			if !p.Legal(out.Best) || out.Info.HashFull > 1000 {
				t.Errorf("after resizing: %v is not legal, or %d thousandths full", out.Best, out.Info.HashFull)
			}
		})
	}
}

// TestClose checks that closing is harmless, however often.
func TestClose(t *testing.T) {
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		s.Close()
		s.Close()
	})
}
