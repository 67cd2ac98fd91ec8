package search

import (
	"context"
	"math/rand/v2"

	"gyre/position"
)

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
