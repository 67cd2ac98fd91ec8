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
