package timemanager

import "gyre/search"

// steadiness is how sure a search is of its best turn.
type steadiness struct {
	steady int          // iterations since the best turn changed
	last   search.Score // score of the last iteration
	factor float64      // of the time to use
}

// StartIteration tells whether to begin an iteration of so many turns, the best turn's
// score so far being best. With a clock, a single turn or a proven end need no more time.
func (m *Manager) StartIteration(depth int, best search.Score) bool {
	if m.Stopped() || m.limits.Depth > 0 && depth > m.limits.Depth {
		return false
	}
	used, runs := m.used()
	switch {
	case !runs || m.limits.Infinite:
		return true
	case m.limits.Clock == nil:
		return used < m.budget.hard
	}
	if plies, proven := best.Mate(); proven && max(plies, -plies) < depth {
		return false // a shorter way may be left, but no point in saving turns at the price of time
	}
	return !(m.single && depth > 1) && used < m.budget.hard && float64(used) < float64(m.budget.soft)*m.factor
}

// IterationDone tells of an iteration: how steady the search is decides how much of
// the turn's time it uses. Changed says that another turn than before is best,
// effort is the share of the nodes that was spent on the best turn.
func (m *Manager) IterationDone(score search.Score, changed bool, effort float64) {
	m.steady++
	if changed {
		m.steady = 0
	}
	m.factor = [...]float64{1.6, 1.3, 1.1, 1, 0.9}[min(m.steady, 4)]
	if drop := m.last - score; drop > 0 {
		m.factor *= 1 + min(float64(drop), 100)/150
	}
	m.factor *= 1.5 - min(effort, 0.95)*0.8
	m.last = score
}
