package timemanager

import (
	"math"
	"time"

	"gyre/search"
)

// budget is how long a turn may take: a soft and a hard limit, as chess programs have
// them (Hyatt, "Using Time Wisely", 1984).
type budget struct {
	soft time.Duration // of the clock: begin no iteration later, as things go
	hard time.Duration // stop at once
}

// endless is a time that no search takes.
const endless = time.Duration(math.MaxInt64)

// The shares of the time that is left.
const (
	horizonTurns = 22   // turns that the time of a game is shared out to
	incrementUse = 0.75 // of the increment
	softShare    = 0.6  // of a turn's share: when to begin no iteration
	hardFactor   = 4    // times a turn's share: when to stop at once
	mostOfClock  = 0.7  // never more of the clock than this
	leastTime    = time.Millisecond

	overheadShare = 10 // the part of a movetime that is kept back at most: a tenth
)

// budgetFor shares out the time: what the clock and the time of the turn both allow.
func budgetFor(limits search.Limits) budget {
	b := budget{soft: endless, hard: endless}
	if limits.Infinite {
		return b
	}
	if limits.Clock != nil {
		b = shareOfClock(limits.Clock, limits.Overhead)
	}
	if limits.MoveTime != nil {
		kept := min(limits.Overhead, *limits.MoveTime/overheadShare)
		b.hard = min(b.hard, max(*limits.MoveTime-kept, leastTime))
	}
	return b
}

// shareOfClock shares out the time of a clock. The last bits of these products differ
// between architectures, and decide nothing: no search under a clock repeats.
func shareOfClock(clock *search.Clock, overhead time.Duration) budget {
	turns := horizonTurns
	if clock.MovesToGo > 0 {
		turns = min(clock.MovesToGo, horizonTurns)
	}
	left := max(clock.Left-overhead, leastTime)
	share := float64(left)/float64(turns) + incrementUse*float64(clock.Increment)
	most := mostOfClock * float64(left)
	if clock.MovesToGo == 1 {
		most = float64(left)
	}
	return budget{
		soft: max(time.Duration(min(softShare*share, most)), leastTime),
		hard: max(time.Duration(min(hardFactor*share, most)), leastTime),
	}
}

// steadiness is how sure a search is of its best turn.
type steadiness struct {
	steady int          // iterations since the best turn changed
	last   search.Score // score of the last iteration
	factor float64      // of the time to use
}

// IterationDone tells of an iteration: how steady the search is decides how much of
// the turn's time it uses. Changed says that another turn than before is best,
// effort is the share of the nodes that was spent on the best turn.
func (s *steadiness) IterationDone(score search.Score, changed bool, effort float64) {
	s.steady++
	if changed {
		s.steady = 0
	}
	s.factor = [...]float64{1.6, 1.3, 1.1, 1, 0.9}[min(s.steady, 4)]
	if drop := s.last - score; drop > 0 {
		s.factor *= 1 + min(float64(drop), 100)/150
	}
	s.factor *= 1.5 - min(effort, 0.95)*0.8
	s.last = score
}
