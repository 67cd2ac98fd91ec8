package timemanager

import (
	"math"
	"time"

	"gyre/search"
)

// budget is how long a turn may take.
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

// shareOfClock shares out the time of a clock.
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
