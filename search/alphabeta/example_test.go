package alphabeta_test

import (
	"context"
	"fmt"

	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
)

// A program asks for a turn within limits, and reads the progress of the search.
// Limits.MoveTime and Limits.Clock limit the time.
func Example() {
	s := alphabeta.New(16) // MiB
	defer s.Close()
	p := position.Start(position.Standard)
	depth := 0
	out := s.Search(context.Background(), p, search.Limits{Nodes: 5000}, func(i search.Info) {
		depth = i.Depth // also i.Score, i.Nodes, i.PV and more
	})
	fmt.Println(p.Legal(out.Best), depth > 0)
	// Output: true true
}

// With Limits.Mate the searcher proves whether the side to move can win within a number
// of turns. Here it wins in two: its own turn, the reply, and another turn.
func ExampleSearcher_Search_mate() {
	s := alphabeta.New(16)
	defer s.Close()
	p, err := position.Parse("bB1B/1bwb2b/2wb4/Wwbbw4/2wwbB1W2/2w1ww1ww/3wbbwb1w/9/3Www2/7/4 b 2-2", position.Standard)
	if err != nil {
		fmt.Println(err)
		return
	}
	out := s.Search(context.Background(), p, search.Limits{Mate: 2}, func(search.Info) {})
	plies, proven := out.Info.Score.Mate()
	fmt.Println(out.Best, plies, proven)
	// Output: e6-h6 3 true
}

// With Limits.MultiPV the searcher reports several lines: here the three best turns.
func ExampleSearcher_Search_multiPV() {
	s := alphabeta.New(16)
	defer s.Close()
	s.SetThreads(2)
	p := position.Start(position.Blitz)
	lines := map[int]search.Info{} // by rank
	s.Search(context.Background(), p, search.Limits{Depth: 2, MultiPV: 3}, func(i search.Info) { lines[i.MultiPV] = i })
	for rank := 1; rank <= len(lines); rank++ {
		fmt.Println(rank, p.Legal(lines[rank].PV[0]))
	}
	// Output:
	// 1 true
	// 2 true
	// 3 true
}
