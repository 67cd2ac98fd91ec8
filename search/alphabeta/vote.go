package alphabeta

import (
	"gyre/position"
	"gyre/search"
)

// votes is how much the threads speak for a turn.
type votes struct {
	turn   position.Turn
	weight int
}

// What the weight of a vote is made of: how many centipawns a thread's best turn is above
// the worst of theirs, with a base that all have, times the depth that it is known to.
const (
	voteBase = 20   // centipawns
	voteMost = 1000 // centipawns that a score counts as at most, a proven end too
)

// elect returns the thread whose best turn is to be played, of some that searched the same
// root: the turn with the most votes by score and depth (Stockfish's get_best_thread), and
// of the threads for it the one that knows it deepest. A proven win needs no vote: the
// quickest is played. The first thread leads, and keeps the lead where nothing decides.
func elect(workers []*worker) *worker {
	worst := search.Score(voteMost)
	for _, w := range workers {
		score, _ := w.standing()
		worst = min(worst, counted(score))
	}
	var all []votes
	best := workers[0]
	for _, w := range workers {
		score, depth := w.standing()
		all = vote(all, w.roots[0].turn, (int(counted(score)-worst)+voteBase)*depth)
		if leader, _ := best.standing(); score >= search.WinThreshold && score > leader {
			best = w
		}
	}
	if score, _ := best.standing(); score >= search.WinThreshold {
		return best
	}
	for _, w := range workers[1:] {
		_, depth := w.standing()
		_, leaders := best.standing()
		mine, theirs := weightOf(all, w.roots[0].turn), weightOf(all, best.roots[0].turn)
		if mine > theirs || mine == theirs && w.roots[0].turn == best.roots[0].turn && depth > leaders {
			best = w
		}
	}
	return best
}

// counted returns a score as far as it counts for a vote.
func counted(s search.Score) search.Score { return min(max(s, -voteMost), voteMost) }

// vote adds a weight for a turn.
func vote(all []votes, turn position.Turn, weight int) []votes {
	for i := range all {
		if all[i].turn == turn {
			all[i].weight += weight
			return all
		}
	}
	return append(all, votes{turn, weight})
}

// weightOf returns the weight of the votes for a turn.
func weightOf(all []votes, turn position.Turn) int {
	for _, v := range all {
		if v.turn == turn {
			return v.weight
		}
	}
	return 0
}

// standing returns the score of the thread's best turn, and the depth that it is known to:
// one less than that of the iteration if this one did not get to it, and 0 with the static
// score if none did.
func (w *worker) standing() (score search.Score, depth int) {
	r := &w.roots[0]
	switch {
	case r.score > -search.Infinity:
		return r.score, w.rootDepth
	case r.before > -search.Infinity:
		return r.before, max(w.rootDepth-1, 1)
	}
	return r.static, 0
}
