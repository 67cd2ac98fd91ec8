package strength_test

import (
	"context"
	"fmt"

	"gyre/position"
	"gyre/search"
	"gyre/search/mcts"
	"gyre/search/strength"
)

// Weaken wraps any searcher. A searcher below full skill always chooses the same turn
// with one thread and the same seed.
func ExampleWeaken() {
	searcher := mcts.New(16)
	defer searcher.Close()
	weak := strength.Weaken(searcher, 3, 1)
	p := position.Start(position.Blitz)
	limits := search.Limits{Nodes: 200}
	first := weak.Search(context.Background(), p, limits, func(search.Info) {}).Best
	second := weak.Search(context.Background(), p, limits, func(search.Info) {}).Best
	fmt.Println(p.Legal(first), first == second)
	// Output: true true
}
