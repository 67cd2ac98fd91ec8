package mcts

// valueOf returns the share of the points that a turn is worth by what is known: part mean
// of its visits, part minimax of what is below it (implicit minimax backups: Lanctot et
// al., "Monte Carlo Tree Search with Heuristic Evaluations using Implicit Minimax
// Backups", 2014).
func (n *numbers) valueOf(b *branch) float64 {
	minimax := b.chance().share()
	if mean, visited := b.mean(); visited {
		return float64(n.minimax*minimax) + float64((1-n.minimax)*mean)
	}
	return minimax
}

// backUpMinimax sets a branch to the minimax of its children, and proves it if they
// do; that can only be if one of them has just been proven.
func backUpMinimax(b *branch, children []branch, proven bool) {
	if proven {
		if p := prove(children); p != unproven {
			b.setProof(p)
			return
		}
	}
	best := hopeless
	for i := range children {
		best = max(best, children[i].chance())
		if children[i].visits.Load() == 0 && children[i].proof() != drawn {
			break
		}
	}
	b.setChance(min(max(best, 1), certain-1).opponent())
}

// prove returns what the proofs of a position's children, all of them, prove
// of the position (MCTS-Solver: Winands, Björnsson and Saito, "Monte-Carlo Tree
// Search Solver", 2008). A child that is won makes the position lost for the
// side that leads to it; it is won if every child is lost.
func prove(children []branch) proof {
	quickest, longest, draws, open := turnsMask, 0, false, false
	for i := range children {
		switch p := children[i].proof(); p.end() {
		case won:
			quickest = min(quickest, p.turns())
		case lost:
			longest = max(longest, p.turns())
		case drawn:
			draws = true
		default:
			open = true
		}
	}
	switch {
	case quickest < turnsMask:
		return lost | proof(quickest+1)
	case open:
		return unproven
	case draws:
		return drawn
	}
	return won | proof(longest+1)
}
