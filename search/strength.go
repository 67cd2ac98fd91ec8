package search

import (
	"context"
	"math/rand/v2"

	"gyre/position"
)

// FullSkill is the level of skill at which nothing is held back; 0 is the
// lowest.
const FullSkill = 20

// What a level below [FullSkill] sees: so many turns ahead, so many lines to
// choose among, and differences in score up to a most, so that a low level
// overlooks what a high one does not.
const (
	fewestLines = 4   // to choose among, at the level below the full one,
	mostLines   = 16  // and at level 0
	widestNoise = 250 // by how much chance raises a score at level 0: about a ring
	worstLoss   = 3 * widestNoise
)

// weakened is a searcher that plays below its strength.
type weakened struct {
	Searcher
	level int
	seed  uint64
}

// Weaken returns a searcher that plays like s at a level of skill from 0 to
// [FullSkill], where it is s itself. Below, it looks less far ahead, with
// several lines, and chance decides among them, weighted by how much worse they
// are than the best one: the way of Stockfish's Skill Level (pick_best in its
// search.cpp, an idea of Heinz van Saanen), except that the weakness comes to
// nothing at the full level. A turn that wins at once is always played.
//
// Chance is drawn from the seed and the position, and what s has learned is
// forgotten before each search. So with one thread and no limit of time a
// position gets the same turn whenever it is met, and a seed for each game
// makes games differ.
//
// What is reported is what the search found, with as many lines as the limits
// ask for; the turn of the outcome need not be that of the first. A limit of
// mate asks a question and is served by s in full.
func Weaken(s Searcher, level int, seed uint64) Searcher {
	if level >= FullSkill {
		return s
	}
	return &weakened{Searcher: s, level: max(level, 0), seed: seed}
}

// Search looks for a turn of root that fits the level. See [Searcher].
func (w *weakened) Search(ctx context.Context, root position.Position, limits Limits, report func(Info)) Outcome {
	if limits.Mate > 0 {
		return w.Searcher.Search(ctx, root, limits, report)
	}
	asked := max(1, limits.MultiPV)
	limits.MultiPV = max(asked, w.lines())
	limits.Depth = w.depth(limits.Depth)
	w.NewGame()
	lines, out := collect(ctx, w.Searcher, root, limits, asked, report)
	lines = lines[:min(len(lines), w.lines())]
	return chosenOf(lines, out, func() Info {
		return w.choose(lines, rand.New(rand.NewPCG(w.seed, root.Hash())))
	})
}

// collect searches, reports so many lines as were asked for, and returns the last report
// of every line.
func collect(ctx context.Context, s Searcher, root position.Position, limits Limits, asked int, report func(Info)) (lines []Info, out Outcome) {
	lines = make([]Info, 0, limits.MultiPV)
	out = s.Search(ctx, root, limits, func(i Info) {
		if i.MultiPV <= asked {
			report(i)
		}
		switch at := i.MultiPV - 1; {
		case i.Message != "":
		case at < len(lines):
			lines[at] = i
		case at == len(lines):
			lines = append(lines, i)
		}
	})
	return lines, out
}

// chosenOf returns the outcome that plays the line chosen, or if there is none, since the
// game is over or there was no time for a line, out.
func chosenOf(lines []Info, out Outcome, choose func() Info) Outcome {
	if len(lines) == 0 {
		return out
	}
	chosen := choose()
	out = Outcome{Best: chosen.PV[0], Info: chosen}
	if len(chosen.PV) > 1 {
		out.Ponder = chosen.PV[1]
	}
	return out
}

// lines is how many lines the level chooses among.
func (w *weakened) lines() int {
	return fewestLines + (mostLines-fewestLines)*(FullSkill-1-w.level)/(FullSkill-1)
}

// depth is how many turns ahead the level looks, with a limit on it or 0.
func (w *weakened) depth(limit int) int {
	depth := 1 + w.level*3/4
	if limit > 0 {
		depth = min(depth, limit)
	}
	return depth
}

// choose picks one of the lines, the best of which comes first. Each score is
// raised by a share of what it lacks to the best, and by chance; both grow with
// the weakness. Chance is no wider than the lines are apart. Products are rounded
// before they are added: a fused multiply-add would choose otherwise now and then.
func (w *weakened) choose(lines []Info, rng *rand.Rand) Info {
	best := lines[0].Score
	if plies, proven := best.Mate(); proven && plies == 1 {
		return lines[0]
	}
	weakness := float64(FullSkill-w.level) / FullSkill
	noise := 0.0
	for _, line := range lines {
		noise = max(noise, min(float64(best-line.Score), widestNoise))
	}
	chosen, highest := 0, -float64(worstLoss)
	for i, line := range lines {
		loss := min(float64(best-line.Score), worstLoss)
		if raised := float64(-loss*(1-float64(0.9*weakness))) + float64(noise*weakness*rng.Float64()); raised > highest {
			chosen, highest = i, raised
		}
	}
	return lines[chosen]
}

// limited is a searcher that plays at a rating.
type limited struct {
	Searcher
	effort effort
	seed   uint64
}

// effort is what a rating is played with: a number of nodes a turn, or a look at every
// turn with chance added to the scores.
type effort struct {
	nodes uint64  // a turn; 0 for a look one turn ahead
	noise float64 // the most that chance adds to a score then, in centipawns
}

// LimitStrength returns a searcher that plays like s at a rating on the scale of
// gyre-arena ladder, where uniformly random play has 0: from [LeastElo] to [MostElo], which
// are what other numbers count as.
//
// A rating has its number of nodes a turn, whatever the time; the search ends earlier by
// the limits alone. Below what one turn ahead is worth the searcher looks so far at every
// turn, and chance is added to the scores, the more the lower the rating. It is drawn from
// the seed and the position, so with one thread and no limit of time a game repeats. On
// the opponent's time such a searcher only waits. A limit of mate asks a question and is
// served by s in full.
func LimitStrength(s Searcher, elo int, seed uint64) Searcher {
	return &limited{Searcher: s, effort: effortOf(elo), seed: seed}
}

// Search looks for a turn of root. See [Searcher].
func (l *limited) Search(ctx context.Context, root position.Position, limits Limits, report func(Info)) Outcome {
	if limits.Mate > 0 {
		return l.Searcher.Search(ctx, root, limits, report)
	}
	if limits.Ponder != nil {
		select {
		case <-limits.Ponder:
		case <-ctx.Done():
		}
		limits.Ponder = nil
	}
	if nodes := l.effort.nodes; nodes > 0 {
		if limits.Nodes == 0 || limits.Nodes > nodes {
			limits.Nodes = nodes
		}
		return l.Searcher.Search(ctx, root, limits, report)
	}
	limits.Depth = 1
	asked := max(1, limits.MultiPV)
	limits.MultiPV = root.Count()
	l.NewGame()
	lines, out := collect(ctx, l.Searcher, root, limits, asked, report)
	return chosenOf(lines, out, func() Info {
		return l.choose(lines, rand.New(rand.NewPCG(l.seed, root.Hash())))
	})
}

// mostCounted is the score that a proven end counts as, and any beyond it.
const mostCounted = 1000

// choose picks the line with the highest sum of its score and chance. A product is
// rounded before it is added: a fused multiply-add would choose otherwise now and then.
func (l *limited) choose(lines []Info, rng *rand.Rand) (chosen Info) {
	highest := -float64(Infinity)
	for _, line := range lines {
		score := float64(min(max(line.Score, -mostCounted), mostCounted))
		if score += float64(l.effort.noise * rng.Float64()); score > highest {
			chosen, highest = line, score
		}
	}
	return chosen
}

// The ratings that UCI_Elo can be.
const (
	LeastElo = 0
	MostElo  = 3000
)

// milestone is a rating with the number that it is played with.
type milestone struct {
	elo    int
	number int
}

// noises are the most that chance adds to a score one turn ahead, in centipawns, by
// rating. Measured by games against the players of the ladder and each other: "Levels" in
// bench/EXPERIMENTS.md. Random play, the least, would be chance without an end.
var noises = []milestone{
	{0, 1_000_000}, {12, 128_000}, {25, 64_000}, {50, 32_000}, {98, 16_000}, {172, 8_000}, {295, 4_000}, {390, 2_800},
	{496, 2_000}, {610, 1_400}, {730, 1_000}, {850, 700}, {955, 500}, {1060, 350}, {1165, 250}, {1240, 180}, {1390, 90}, {1515, 0},
}

// nodeCounts are nodes a turn by rating, measured by games of each against the next: some
// 195 for each doubling. The least is what one turn ahead without chance is worth, the
// most is extrapolated.
var nodeCounts = []milestone{
	{1515, 120}, {1655, 200}, {1765, 300}, {1965, 600}, {2130, 1_000}, {2290, 1_700}, {2450, 3_000}, {2600, 5_500},
	{2775, 10_000}, {2970, 20_000}, {3000, 22_500},
}

// effortOf returns what a rating is played with.
func effortOf(elo int) effort {
	elo = min(max(elo, LeastElo), MostElo)
	if elo < nodeCounts[0].elo {
		return effort{noise: float64(interpolate(noises, elo))}
	}
	return effort{nodes: uint64(interpolate(nodeCounts, elo))}
}

// interpolate returns the number of a rating on the straight line between the milestones
// around it, in whole numbers, which are the same on every architecture.
func interpolate(milestones []milestone, elo int) int {
	for i := 1; i < len(milestones); i++ {
		if low, high := milestones[i-1], milestones[i]; elo <= high.elo {
			return low.number + (high.number-low.number)*(elo-low.elo)/(high.elo-low.elo)
		}
	}
	return milestones[len(milestones)-1].number
}
