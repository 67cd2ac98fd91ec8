package mcts_test

import (
	"context"
	"fmt"

	"gyre/position"
	"gyre/search"
	"gyre/search/mcts"
)

// A searcher keeps its tree between the turns of a game: the next search continues with
// the part below the turns played. NewGame drops the tree.
func Example() {
	s := mcts.New(16) // MiB
	defer s.Close()
	s.NewGame()
	p := position.Start(position.Standard)
	for range 4 {
		out := s.Search(context.Background(), p, search.Limits{Nodes: 200}, func(search.Info) {})
		p = p.After(out.Best)
	}
	fmt.Println(p.Rings(position.White).Count(), p.Rings(position.Black).Count())
	// Output: 2 2
}

// A canceled context ends a search. The outcome still has the best turn so far.
func ExampleSearcher_Search_cancel() {
	s := mcts.New(16)
	defer s.Close()
	p := position.Start(position.Standard)
	ctx, cancel := context.WithCancel(context.Background())
	out := s.Search(ctx, p, search.Limits{Infinite: true}, func(i search.Info) {
		if i.Nodes >= 1000 {
			cancel()
		}
	})
	fmt.Println(p.Legal(out.Best))
	// Output: true
}
