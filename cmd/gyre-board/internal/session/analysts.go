package session

import (
	"context"
	"slices"
	"sync"

	"gyre/cmd/gyre-board/internal/referee"
	"gyre/position"
	"gyre/protocol"
)

// An analysis of several engines: the first searches all turns, as it would alone, and each
// of the others one of those that it finds best, which goes deeper in the same time. All
// turns dealt out to all engines would gain nothing: most of the work is in the best lines,
// which then each engine has of its own.
const (
	dealFrom    = 5    // the depth from which on turns are dealt: before it they change all the time
	analystHash = "32" // MiB of the others' memory
)

// together tells whether an order is an analysis that several engines may do: one of full
// strength, without a count of nodes.
func (order *thinkOrder) together() bool { return order.Level == nil && order.Limits.Nodes == 0 }

// analyse searches the end of a line for so many lines as ask does, with the slot's engine
// and others of its kind, as many as the bounds allow and there are lines. Where one of the
// others fails it goes on without it.
func (sl *slot) analyse(ctx context.Context, want settings, line *referee.Line, limits protocol.Limits, lines int, tell func(protocol.Info)) (protocol.Answer, error) {
	client, err := sl.running()
	if err != nil {
		return protocol.Answer{}, err
	}
	others := min(sl.session.hub.bounds.Analysts-1, lines)
	if others < 1 {
		return sl.ask(ctx, client, line, len(line.Turns), limits, tell)
	}
	for len(sl.others) < others {
		sl.others = append(sl.others, &slot{session: sl.session, engine: sl.engine})
	}
	a := &analysis{want: want, line: line, merger: newMerger(min(lines, len(line.End().Turns(nil))), tell)}
	a.limits = protocol.Limits{Infinite: !limits.HasDepth, Depth: limits.Depth, HasDepth: limits.HasDepth}
	for _, other := range sl.others[:others] {
		a.analysts = append(a.analysts, &analyst{slot: other, news: make(chan struct{}, 1), stop: func() {}})
	}
	working, end := context.WithCancel(ctx)
	var all sync.WaitGroup
	for _, one := range a.analysts {
		all.Go(func() { a.work(working, one) })
	}
	answer, err := sl.ask(ctx, client, line, len(line.Turns), limits, func(info protocol.Info) {
		if best := a.merger.lead(info); len(best) > 0 && info.Depth >= dealFrom {
			a.deal(best)
		}
	})
	end()
	all.Wait()
	if best := a.merger.best(); best != nil && err == nil {
		answer.Best, answer.Last = best.PV[0], *best
	}
	return answer, err
}

// analysis is what all engines of one have in common.
type analysis struct {
	want   settings
	line   *referee.Line
	limits protocol.Limits // of the others, which are stopped when the first ends
	merger *merger

	mu       sync.Mutex
	analysts []*analyst
	best     []position.Turn // the turns that are dealt
}

// analyst is one of the other engines. Its fields besides the slot belong to the analysis's
// mu.
type analyst struct {
	slot  *slot
	share []position.Turn // that it searches
	stop  func()          // ends its search
	news  chan struct{}   // holds a token while it has another share than it knows
}

// deal gives each turn to an engine, as evenly as can be, and leaves to each what it has.
func (a *analysis) deal(best []position.Turn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.best = best
	a.dealOut()
}

// dealOut deals the best turns. The caller holds mu.
func (a *analysis) dealOut() {
	if len(a.analysts) == 0 {
		return
	}
	most := (len(a.best) + len(a.analysts) - 1) / len(a.analysts)
	left := slices.Clone(a.best)
	shares := make([][]position.Turn, len(a.analysts))
	for i, one := range a.analysts {
		for _, turn := range one.share {
			if at := slices.Index(left, turn); at >= 0 && len(shares[i]) < most {
				shares[i] = append(shares[i], turn)
				left = slices.Delete(left, at, at+1)
			}
		}
	}
	for i, one := range a.analysts {
		take := min(most-len(shares[i]), len(left))
		share := append(shares[i], left[:take]...)
		left = left[take:]
		if slices.Equal(share, one.share) {
			continue
		}
		one.share = share
		one.stop()
		select {
		case one.news <- struct{}{}:
		default:
		}
	}
}

// work searches what an engine is dealt until ctx is done, or the engine fails, which
// leaves its turns to the others.
func (a *analysis) work(ctx context.Context, one *analyst) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-one.news:
		}
		a.mu.Lock()
		share := slices.Clone(one.share)
		searching, stop := context.WithCancel(ctx)
		one.stop = stop
		a.mu.Unlock()
		err := a.search(searching, one.slot, share)
		stopped := searching.Err() != nil
		stop()
		if err != nil && !stopped {
			one.slot.reset()
			a.mu.Lock()
			a.analysts = slices.DeleteFunc(a.analysts, func(other *analyst) bool { return other == one })
			a.dealOut()
			a.mu.Unlock()
			return
		}
	}
}

// search has an engine search some turns, a line for each, until ctx is done.
func (a *analysis) search(ctx context.Context, sl *slot, share []position.Turn) error {
	if len(share) == 0 {
		return nil
	}
	client, err := sl.settleSmall(ctx, a.want.withLines(len(share)), analystHash)
	if err != nil {
		return err
	}
	limits := a.limits
	limits.SearchTurns = share
	_, err = sl.ask(ctx, client, a.line, len(a.line.Turns), limits, func(info protocol.Info) { a.merger.other(sl, info) })
	return err
}
