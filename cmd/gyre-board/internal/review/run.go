package review

import (
	"context"
	"sync"
)

// Judge judges the position after ply turns with the given number of nodes. It returns an error
// if ctx is done.
type Judge func(ctx context.Context, ply int, nodes uint64) (Judgement, error)

// Run judges all positions that are not over, and those around the worst turns again with more
// nodes. The judges work in parallel, each on one position at a time. If one fails, the rest
// take over its positions. If the first fails, Run returns its error. tell gets the share of
// the work done with the new and changed verdicts, in the same order in every run.
func (r *Review) Run(ctx context.Context, nodes uint64, judges []Judge, tell func(share float64, verdicts []Verdict)) error {
	var first []int
	for ply := range r.positions {
		if !r.positions[ply].Over() {
			first = append(first, ply)
		}
	}
	done, all := 0, len(first)+2*DeeperTurns*DeeperBy
	pass := func(plies []int, effort int) error {
		return judgeAll(ctx, plies, nodes*uint64(effort), judges, func(ply int, j Judgement) {
			done += effort
			tell(float64(done)/float64(all), r.Judge(ply, j))
		})
	}
	if err := pass(first, 1); err != nil {
		return err
	}
	return pass(r.Doubtful(DeeperTurns), DeeperBy)
}

// judgeAll judges positions. It calls tell for each, in order.
func judgeAll(ctx context.Context, plies []int, nodes uint64, judges []Judge, tell func(ply int, j Judgement)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan int, len(plies)) // indexes of plies
	for i := range plies {
		queue <- i
	}
	var mu sync.Mutex
	judged, told := make([]*Judgement, len(plies)), 0
	work := func(judge Judge) error {
		for {
			select {
			case i := <-queue:
				j, err := judge(ctx, plies[i], nodes)
				if err != nil {
					queue <- i
					return err
				}
				mu.Lock()
				for judged[i] = &j; told < len(plies) && judged[told] != nil; told++ {
					tell(plies[told], *judged[told])
				}
				mu.Unlock()
			default:
				return nil
			}
		}
	}
	var others sync.WaitGroup
	for _, judge := range judges[1:] {
		others.Go(func() { _ = work(judge) }) // the rest take over its positions
	}
	err := work(judges[0])
	if err != nil {
		cancel()
	}
	others.Wait()
	if err == nil {
		err = work(judges[0]) // the positions of others that failed last
	}
	return err
}
