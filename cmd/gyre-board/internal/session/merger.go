package session

import (
	"cmp"
	"slices"
	"sync"

	"gyre/position"
	"gyre/protocol"
)

// merger makes one report of those of several engines: the first tells which turns are best,
// and the others what those are worth, each of some of them. Scores of different depths
// cannot be compared, so all lines that are told have one depth.
type merger struct {
	tell  func(protocol.Info)
	lines int

	mu     sync.Mutex
	block  []protocol.Info                         // lines of the first engine's depth that comes in
	top    []protocol.Info                         // those of its last depth
	deeper map[position.Turn]map[int]protocol.Info // of the others, by turn and depth
	latest map[any]protocol.Info                   // what each engine has told last, for its nodes
	told   []protocol.Info
}

// newMerger returns a merger for so many lines.
func newMerger(lines int, tell func(protocol.Info)) *merger {
	return &merger{tell: tell, lines: lines, deeper: map[position.Turn]map[int]protocol.Info{}, latest: map[any]protocol.Info{}}
}

// lead takes a report of the first engine. It returns the best turns when that was the last
// line of a depth. Lines come from the first to the last when a depth is done; what comes
// in between, bounds and the lines of an iteration that was cut short, is of no use here.
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

// other takes a report of another engine.
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

// isLine tells whether a report has the score of a line.
func isLine(info protocol.Info) bool {
	return info.HasScore && info.Bound == protocol.Exact && len(info.PV) > 0
}

// report tells the lines of the greatest depth that all of them have, if that was not told.
// The caller holds mu.
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
	if slices.EqualFunc(lines, m.told, func(a, b protocol.Info) bool { return a.Depth == b.Depth && a.PV[0] == b.PV[0] }) {
		return
	}
	var nodes, speed uint64
	for _, info := range m.latest {
		nodes, speed = nodes+info.Nodes, speed+info.NPS
	}
	m.told = slices.Clone(lines)
	for i := range m.told {
		line := &m.told[i]
		line.MultiPV, line.Nodes, line.NPS = i+1, nodes, speed
		m.tell(*line)
	}
}

// common returns the greatest depth at which the other engines have a line of each of the
// best turns; 0 if there is none.
func (m *merger) common() int {
	var depths []int
	for depth := range m.deeper[m.top[0].PV[0]] {
		if !slices.ContainsFunc(m.top, func(line protocol.Info) bool {
			_, has := m.deeper[line.PV[0]][depth]
			return !has
		}) {
			depths = append(depths, depth)
		}
	}
	return slices.Max(append(depths, 0))
}

// best returns the best line that was told, or nil if none was.
func (m *merger) best() *protocol.Info {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.told) == 0 {
		return nil
	}
	return &m.told[0]
}

// worth orders scores: an earlier win is better, and so is a later loss.
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
