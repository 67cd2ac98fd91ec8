package session

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"gyre/cmd/gyre-board/internal/referee"
	"gyre/position"
	"gyre/protocol"
	"gyre/search"
)

// Parallel analysis: the first engine searches all turns. The others each search some of the
// best turns found so far, and therefore go deeper in the same time. Distributing all turns
// would not help: most work is in the best lines, and every engine would repeat it.
const (
	dealFrom    = 5    // the depth of the first distribution; before, the best turns change too often
	analystHash = "32" // hash size of the others in MiB
)

// analyze searches the end of a line with the slot's engine and, as far as the bounds allow,
// one more for each line. If one of the others fails, analyze continues without it.
func analyze(ctx context.Context, sl *slot, want settings, line *referee.Line, limits search.Limits, lines int, tell func(protocol.Info)) (protocol.Answer, error) {
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
	want.hash = analystHash
	a := &analysis{want: want, line: line, merger: newMerger(line.End().CountTo(lines), tell)}
	a.limits = search.Limits{Infinite: limits.Depth == 0, Depth: limits.Depth}
	for _, other := range sl.others[:others] {
		a.analysts = append(a.analysts, &analyst{slot: other, changed: make(chan struct{}, 1), stop: func() {}})
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

// analysis is the state shared by the engines of an analysis.
type analysis struct {
	want   settings
	line   *referee.Line
	limits search.Limits // of the others, which are stopped when the first one ends
	merger *merger

	mu       sync.Mutex
	analysts []*analyst
	best     []position.Turn // turns to distribute
}

// analyst is one of the other engines. analysis.mu protects its fields except slot.
type analyst struct {
	slot    *slot
	share   []position.Turn // turns to search
	stop    func()          // stops the search
	changed chan struct{}   // has an element if share has changed
}

// deal distributes turns evenly. Engines keep the turns that they already have.
func (a *analysis) deal(best []position.Turn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.best = best
	a.dealOut()
}

// dealOut distributes a.best. The caller holds mu.
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
		case one.changed <- struct{}{}:
		default:
		}
	}
}

// work searches an engine's share until ctx is done. If the engine fails, its turns go to the
// others.
func (a *analysis) work(ctx context.Context, one *analyst) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-one.changed:
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

// search searches the given turns, with a line for each, until ctx is done.
func (a *analysis) search(ctx context.Context, sl *slot, share []position.Turn) error {
	if len(share) == 0 {
		return nil
	}
	client, err := sl.configure(ctx, a.want.with(multiPVOption, fmt.Sprint(len(share))))
	if err != nil {
		return err
	}
	limits := a.limits
	limits.SearchTurns = share
	_, err = sl.ask(ctx, client, a.line, len(a.line.Turns), limits, func(info protocol.Info) { a.merger.other(sl, info) })
	return err
}

// merger merges the reports of several engines. The first engine determines the best turns;
// the others report scores of some of them. Scores of different depths cannot be compared, so
// all merged lines have the same depth.
type merger struct {
	tell  func(protocol.Info)
	lines int

	mu       sync.Mutex
	block    []protocol.Info                         // lines of the first engine's current depth so far
	top      []protocol.Info                         // lines of its last complete depth
	deeper   map[position.Turn]map[int]protocol.Info // lines of the others by turn and depth
	latest   map[any]protocol.Info                   // the last report of each engine, for its node count
	reported []protocol.Info
}

// newMerger returns a merger for the given number of lines.
func newMerger(lines int, tell func(protocol.Info)) *merger {
	return &merger{tell: tell, lines: lines, deeper: map[position.Turn]map[int]protocol.Info{}, latest: map[any]protocol.Info{}}
}

// lead adds a report of the first engine. If it completes a depth, lead returns the best
// turns. A complete depth is reported line by line from the first to the last. lead ignores
// everything else: bounds, and lines of an interrupted iteration.
func (m *merger) lead(info protocol.Info) (best []position.Turn) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.latest[nil] = info
	rank := max(info.MultiPV, 1)
	if rank == 1 || !isLine(info) {
		m.block = m.block[:0]
	}
	if !isLine(info) || rank != len(m.block)+1 || rank > 1 && info.Depth != m.block[0].Depth {
		return nil
	}
	m.block = append(m.block, info)
	if len(m.block) < m.lines {
		return nil
	}
	m.top = slices.Clone(m.block)
	m.report()
	for _, line := range m.top {
		best = append(best, line.PV[0])
	}
	return best
}

// other adds a report of another engine.
func (m *merger) other(engine any, info protocol.Info) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.latest[engine] = info
	if !isLine(info) {
		return
	}
	turn := info.PV[0]
	if m.deeper[turn] == nil {
		m.deeper[turn] = map[int]protocol.Info{}
	}
	m.deeper[turn][info.Depth] = info
	m.report()
}

// isLine reports whether a report contains the exact score of a line.
func isLine(info protocol.Info) bool {
	return info.HasScore && info.Bound == search.Exact && len(info.PV) > 0
}

// report reports the lines of the greatest depth that all of them have, if they are new. The
// caller holds mu.
func (m *merger) report() {
	if len(m.top) == 0 {
		return
	}
	lines := m.top
	if depth := m.common(); depth > m.top[0].Depth {
		lines = nil
		for _, line := range m.top {
			lines = append(lines, m.deeper[line.PV[0]][depth])
		}
		slices.SortStableFunc(lines, func(a, b protocol.Info) int { return cmp.Compare(worth(b.Score), worth(a.Score)) })
	}
	if slices.EqualFunc(lines, m.reported, func(a, b protocol.Info) bool { return a.Depth == b.Depth && a.PV[0] == b.PV[0] }) {
		return
	}
	var nodes, speed uint64
	for _, info := range m.latest {
		nodes, speed = nodes+info.Nodes, speed+info.NPS
	}
	m.reported = slices.Clone(lines)
	for i := range m.reported {
		line := &m.reported[i]
		line.MultiPV, line.Nodes, line.NPS = i+1, nodes, speed
		m.tell(*line)
	}
}

// common returns the greatest depth at which the other engines have searched all best turns,
// or 0.
func (m *merger) common() int {
	deepest := 0
	for depth := range m.deeper[m.top[0].PV[0]] {
		if !slices.ContainsFunc(m.top, func(line protocol.Info) bool {
			_, has := m.deeper[line.PV[0]][depth]
			return !has
		}) {
			deepest = max(deepest, depth)
		}
	}
	return deepest
}

// best returns the best line reported, or nil.
func (m *merger) best() *protocol.Info {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.reported) == 0 {
		return nil
	}
	return &m.reported[0]
}

// worth orders scores. An earlier win is better, and so is a later loss.
func worth(s protocol.Score) int {
	const decided = 1 << 30
	switch {
	case s.Mate && s.Value > 0:
		return decided - s.Value
	case s.Mate:
		return -decided - s.Value
	}
	return s.Value
}
