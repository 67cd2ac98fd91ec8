// Package strength makes a searcher play below its full strength: [Weaken] at a skill
// level, [Limit] at a rating.
package strength

import (
	"context"
	"math/rand/v2"
	"time"

	"gyre/position"
	"gyre/search"
)

// FullSkill is the skill level of full strength. The lowest level is 0.
const FullSkill = 20

// The view of a level below [FullSkill]: a limited depth, lines to choose from, and a
// cap on score differences, so that a low level misses what a high level sees.
const (
	minLines = 4   // to choose from at the level below the full one,
	maxLines = 16  // and at level 0
	maxNoise = 250 // maximum noise on a score at level 0: about a ring
	maxLoss  = 3 * maxNoise
)

// weakened is a searcher that plays below full strength.
type weakened struct {
	chooser
	level int
}

// Weaken returns a searcher that plays like s at a skill level from 0 to [FullSkill].
// At [FullSkill] it returns s. Below, it searches less deeply and with several lines,
// and picks a line at random, weighted by the loss compared with the best line. This
// is Stockfish's Skill Level (pick_best in its search.cpp, an idea of Heinz van
// Saanen), except that the weakness vanishes at the full level. It always plays a
// turn that wins at once.
//
// The random choice depends on the seed and the position, and s forgets what it has
// learned before each search. So with one thread and no time limit, the same position
// always gets the same turn. Use a different seed for each game to make games differ.
//
// If s has a method NewGameFor, as alphabeta.Searcher has, the next search uses only a part
// of its table. Call NewGame before another searcher uses s.
//
// The reports are those of the search, with as many lines as the limits request. The
// turn of the outcome need not be that of the first line. If limits.Mate is set, s
// answers at full strength.
func Weaken(s search.Searcher, level int, seed uint64) search.Searcher {
	if level >= FullSkill {
		return s
	}
	return &weakened{chooser{s, seed}, max(level, 0)}
}

// Search chooses a turn of root that fits the level. See [search.Searcher].
func (w *weakened) Search(ctx context.Context, root position.Position, limits search.Limits, report func(search.Info)) search.Outcome {
	if limits.Mate > 0 {
		return w.Searcher.Search(ctx, root, limits, report)
	}
	limits.Depth = w.depth(limits.Depth)
	return w.play(ctx, root, limits, w.lines(), report, w.choose)
}

// chooser is a searcher that plays one of several lines, chosen at random.
type chooser struct {
	search.Searcher
	seed uint64
}

// play forgets what the searcher has learned, searches count lines, and plays the one that choose
// picks. The time to forget counts as time of the search. It reports as many lines as the limits
// request. If there are no lines, because the game is over or there was no time, it returns the
// outcome of the search.
func (c *chooser) play(ctx context.Context, root position.Position, limits search.Limits, count int, report func(search.Info), choose func([]search.Info, *rand.Rand) search.Info) search.Outcome {
	asked := max(1, limits.MultiPV)
	limits.MultiPV = max(asked, count)
	lines := make([]search.Info, 0, limits.MultiPV)
	limits, spent := c.forget(limits, root.SideToMove())
	out := c.Searcher.Search(ctx, root, limits, func(i search.Info) {
		i.Time += spent
		if i.MultiPV <= asked {
			report(i)
		}
		lines = search.KeepLine(lines, i)
	})
	if len(lines) == 0 {
		return out
	}
	chosen := choose(lines[:min(len(lines), count)], rand.New(rand.NewPCG(c.seed, root.Hash())))
	out = search.Outcome{Best: chosen.PV[0], Info: chosen}
	if len(chosen.PV) > 1 {
		out.Ponder = chosen.PV[1]
	}
	return out
}

// forget makes the searcher forget what it has learned. If it can, it then uses no more memory
// than a search within the limits needs, so that the next call takes little time. It returns the
// limits for the rest of the search, and the time that it took. A clock of nodes does not count
// that time, and a pondering search has it for free.
func (c *chooser) forget(limits search.Limits, side position.Side) (search.Limits, time.Duration) {
	began := time.Now()
	if s, ok := c.Searcher.(interface{ NewGameFor(nodes uint64) }); ok {
		s.NewGameFor(max(min(limits.MaxNodes(side), nodesTo(limits.Depth)), leastNodes))
	} else {
		c.NewGame()
	}
	spent := time.Since(began)
	if limits.NodesTime > 0 {
		return limits, 0
	}
	if limits.Ponder {
		select {
		case <-limits.PonderHit:
		default:
			return limits, spent
		}
	}
	for _, left := range []*time.Duration{&limits.MoveTime, &limits.Clock[side].Left} {
		if *left > 0 {
			*left = max(*left-spent, 1)
		}
	}
	return limits, spent
}

// leastNodes is a number of nodes whose memory takes no time to clear. They are enough for
// the turn of a mate search without a mate.
const leastNodes = 100_000

// nodesTo returns about as many nodes as the search of a level to its depth visits at most. Each turn
// doubles them, because a higher level also has fewer lines.
func nodesTo(depth int) uint64 { return 1024 << min(depth, 40) }

// lines returns the number of lines that the level chooses from.
func (w *weakened) lines() int {
	return minLines + (maxLines-minLines)*(FullSkill-1-w.level)/(FullSkill-1)
}

// depth returns the number of turns that the level looks ahead, given the limit on
// depth or 0.
func (w *weakened) depth(limit int) int {
	depth := 1 + w.level*3/4
	if limit > 0 {
		depth = min(depth, limit)
	}
	return depth
}

// choose picks one of the lines; the first is the best. It raises each score by a
// share of its distance from the best, and by noise; both grow with the weakness. The
// noise is no wider than the spread of the lines. Products are rounded before they
// are added, because a fused multiply-add could change the choice.
func (w *weakened) choose(lines []search.Info, rng *rand.Rand) search.Info {
	best := lines[0].Score
	if plies, proven := best.Mate(); proven && plies == 1 {
		return lines[0]
	}
	weakness := float64(FullSkill-w.level) / FullSkill
	noise := 0.0
	for _, line := range lines {
		noise = max(noise, min(float64(best-line.Score), maxNoise))
	}
	chosen, highest := 0, -float64(maxLoss)
	for i, line := range lines {
		loss := min(float64(best-line.Score), maxLoss)
		if raised := float64(-loss*(1-float64(0.9*weakness))) + float64(noise*weakness*rng.Float64()); raised > highest {
			chosen, highest = i, raised
		}
	}
	return lines[chosen]
}

// limited is a searcher that plays at a rating.
type limited struct {
	chooser
	effort effort
}

// effort is the handicap of a rating: a number of nodes per turn, or a search one
// turn deep with noise on the scores.
type effort struct {
	nodes uint64  // per turn; 0 for one turn ahead with noise
	noise float64 // maximum noise on a score in that case, in centipawns
}

// Limit returns a searcher that plays like s at a rating, where uniformly random play
// has rating 0. The scale was that of gyre-arena ladder for an early engine; see
// UCI_Elo in PROTOCOL.md. Ratings are clamped to [MinElo] and [MaxElo].
//
// A rating sets a number of nodes per turn, independent of the time. The search still
// ends early if a limit is reached. For a rating below the strength of looking one
// turn ahead, the searcher looks one turn ahead and adds noise to the scores, more
// for a lower rating. The noise depends on the seed and the position, so with one
// thread and no time limit a game repeats. A higher rating keeps what it has learned in earlier
// turns, so there a game repeats from NewGame on. While pondering, the searcher only waits.
// If limits.Mate is set, s answers at full strength.
func Limit(s search.Searcher, elo int, seed uint64) search.Searcher {
	return &limited{chooser{s, seed}, effortOf(elo)}
}

// Search chooses a turn of root. See [search.Searcher].
func (l *limited) Search(ctx context.Context, root position.Position, limits search.Limits, report func(search.Info)) search.Outcome {
	if limits.Mate > 0 {
		return l.Searcher.Search(ctx, root, limits, report)
	}
	if limits.Ponder {
		select {
		case <-limits.PonderHit:
		case <-ctx.Done():
		}
		limits.Ponder = false
	}
	if nodes := l.effort.nodes; nodes > 0 {
		if limits.Nodes == 0 || limits.Nodes > nodes {
			limits.Nodes = nodes
		}
		return l.Searcher.Search(ctx, root, limits, report)
	}
	limits.Depth = 1
	return l.play(ctx, root, limits, root.Count(), report, l.choose)
}

// maxCounted caps scores and proven results.
const maxCounted = 1000

// choose picks the line with the highest sum of score and noise. The product is
// rounded before it is added, because a fused multiply-add could change the choice.
func (l *limited) choose(lines []search.Info, rng *rand.Rand) (chosen search.Info) {
	highest := -float64(search.Infinity)
	for _, line := range lines {
		score := float64(min(max(line.Score, -maxCounted), maxCounted))
		if score += float64(l.effort.noise * rng.Float64()); score > highest {
			chosen, highest = line, score
		}
	}
	return chosen
}

// The range of UCI_Elo.
const (
	MinElo = 0
	MaxElo = 3000
)

// milestone is a measured pair of rating and handicap.
type milestone struct {
	elo    int
	number int
}

// noises holds the maximum noise on a score one turn ahead, in centipawns, by rating.
// It was measured in games of an early engine against the players of the ladder and
// between these ratings; "What each rating is worth" in bench/EXPERIMENTS.md has
// what they are worth now, with the commands. Random play, the lowest rating, would
// need infinite noise.
var noises = []milestone{
	{0, 1_000_000}, {12, 128_000}, {25, 64_000}, {50, 32_000}, {98, 16_000}, {172, 8_000}, {295, 4_000}, {390, 2_800},
	{496, 2_000}, {610, 1_400}, {730, 1_000}, {850, 700}, {955, 500}, {1060, 350}, {1165, 250}, {1240, 180}, {1390, 90}, {1515, 0},
}

// nodeCounts holds nodes per turn by rating, measured in games of each count against
// the next: a doubling is worth some 195 points. The lowest rating is that of one
// turn ahead without noise; the highest is extrapolated.
var nodeCounts = []milestone{
	{1515, 120}, {1655, 200}, {1765, 300}, {1965, 600}, {2130, 1_000}, {2290, 1_700}, {2450, 3_000}, {2600, 5_500},
	{2775, 10_000}, {2970, 20_000}, {3000, 22_500},
}

// effortOf returns the handicap of a rating.
func effortOf(elo int) effort {
	elo = min(max(elo, MinElo), MaxElo)
	if elo < nodeCounts[0].elo {
		return effort{noise: float64(interpolate(noises, elo))}
	}
	return effort{nodes: uint64(interpolate(nodeCounts, elo))}
}

// interpolate returns the value for a rating, by linear interpolation between the
// milestones around it. It uses integers, which give the same result on every
// architecture.
func interpolate(milestones []milestone, elo int) int {
	for i := 1; i < len(milestones); i++ {
		if low, high := milestones[i-1], milestones[i]; elo <= high.elo {
			return low.number + (high.number-low.number)*(elo-low.elo)/(high.elo-low.elo)
		}
	}
	return milestones[len(milestones)-1].number
}
