package search_test

import (
	"context"
	"fmt"

	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/evaluation"
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
	win, draw, loss := evaluation.ScaleOf(&p).WDL(out.Info.Score)
	fmt.Println(win, draw, loss)
	after := p.After(out.Best)
	fmt.Println("won by", after.Result())
	// Output:
	// 1 true
	// 1000 0 0
	// won by white
}
