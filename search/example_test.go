package search_test

import (
	"context"
	"fmt"

	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/mcts"
)

// A searcher searches for the best turn of a position until a limit is reached, and
// reports its progress. Here white has removed two rings and can complete a row and
// win.
func ExampleSearcher() {
	p, err := position.Parse("4/b1b4/B1Wwwb2/1b2bwB2/2w2bbw2/ww4W2/bw1wwbwwbb/1wwwbbww1/w1wbwWbb/3bbwB/3w w 2-2", position.Standard)
	if err != nil {
		fmt.Println(err)
		return
	}
	var searcher search.Searcher = alphabeta.New(16) // MiB
	defer searcher.Close()
	out := searcher.Search(context.Background(), p, search.Limits{Depth: 3}, func(search.Info) {})
	plies, proven := out.Info.Score.Mate()
	fmt.Println(plies, proven)
	win, draw, loss := search.ScaleOf(&p).WDL(out.Info.Score)
	fmt.Println(win, draw, loss)
	after := p.After(out.Best)
	fmt.Println("won by", after.Result())
	// Output:
	// 1 true
	// 1000 0 0
	// won by white
}

// Weaken wraps any searcher. A searcher below full skill always chooses the same turn
// with one thread and the same seed.
func ExampleWeaken() {
	searcher := mcts.New(16)
	defer searcher.Close()
	weak := search.Weaken(searcher, 3, 1)
	p := position.Start(position.Blitz)
	limits := search.Limits{Nodes: 200}
	first := weak.Search(context.Background(), p, limits, func(search.Info) {}).Best
	second := weak.Search(context.Background(), p, limits, func(search.Info) {}).Best
	fmt.Println(p.Legal(first), first == second)
	// Output: true true
}

// A score is an integer: a proven result, or a number that the scale of the searched
// position converts to a share of the points.
func ExampleScore() {
	const scale search.Scale = 75
	for _, s := range []search.Score{search.WinIn(3), 75, 0, search.LossIn(2)} {
		if plies, proven := s.Mate(); proven {
			fmt.Println("ends after plies:", plies)
			continue
		}
		win, draw, loss := scale.WDL(s)
		fmt.Println("centipawns:", scale.Centipawns(s), "thousandths:", win, draw, loss)
	}
	// Output:
	// ends after plies: 3
	// centipawns: 100 thousandths: 727 8 265
	// centipawns: 0 thousandths: 495 10 495
	// ends after plies: -2
}
