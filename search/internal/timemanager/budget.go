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

// Bounds against a flag, whatever the shares of the time.
const (
	mostOfClock = 0.7 // never more of the clock than this
	leastTime   = time.Millisecond

	overheadShare = 10 // the part of a movetime that is kept back at most: a tenth
)

// budgetFor shares out the time by the numbers of the search: what the clock and the time
// of the turn both allow in a phase of the game.
func budgetFor(limits search.Limits, numbers *search.Parameters, p phase) budget {
	b := budget{soft: endless, hard: endless}
	if limits.Infinite {
		return b
	}
	if limits.Clock != nil {
		b = shareOfClock(limits.Clock, limits.Overhead, numbers, p)
	}
	if limits.MoveTime != nil {
		kept := min(limits.Overhead, *limits.MoveTime/overheadShare)
		b.hard = min(b.hard, max(*limits.MoveTime-kept, leastTime))
	}
	return b
}

// shareOfClock shares out the time of a clock. The conversions keep a multiplication and
// an addition from being fused: a clock of nodes gives the same on every architecture.
func shareOfClock(clock *search.Clock, overhead time.Duration, numbers *search.Parameters, p phase) budget {
	left := max(clock.Left-overhead-reserve(clock, overhead, p), leastTime)
	share := float64(float64(left) / float64(p.turns(numbers, clock.MovesToGo)))
	hardFactor := numbers[search.PlacingFactor]
	if !p.placing {
		share += float64(percent(numbers[search.IncrementUse]) * float64(clock.Increment))
		hardFactor = numbers[search.MovingFactor]
	}
	most := mostOfClock * float64(left)
	if clock.MovesToGo == 1 {
		most = float64(left)
	}
	return budget{
		soft: max(time.Duration(min(percent(numbers[search.SoftShare])*share, most)), leastTime),
		hard: max(time.Duration(min(percent(hardFactor)*share, most)), leastTime),
	}
}

// percent returns so many hundredths.
func percent(n int) float64 { return float64(n) / 100 }

// reserve is what the turns after this one need at least, as far as their increments do
// not pay for it: the overhead, and the least time of a turn. While a clock has that it
// never runs out, however long the game.
func reserve(clock *search.Clock, overhead time.Duration, p phase) time.Duration {
	turns := p.most
	if clock.MovesToGo > 0 {
		turns = min(turns, clock.MovesToGo)
	}
	return max(overhead+leastTime-clock.Increment, 0) * time.Duration(max(turns-1, 0))
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
	s.factor *= 1.5 - float64(min(effort, 0.95)*0.8)
	s.last = score
}
