package search_test

import (
	"context"
	"fmt"

	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/mcts"
)

// A searcher looks for the best turn of a position until a limit is reached, and
// reports as it goes. White, with two rings off, can complete a row here and win.
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
	var after position.Position
	p.Play(&after, out.Best)
	fmt.Println("won by", after.Result())
	// Output:
	// 1 true
	// 1000 0 0
	// won by white
}

// Both searchers have the same form. A level of skill holds back what they know:
// with one thread and a seed they always choose the same turn.
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

// Scores are whole numbers: proven ends, or a number that stands for a share of the
// points, by the scale of the position that was searched.
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
