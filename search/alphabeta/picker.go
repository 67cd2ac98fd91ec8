package alphabeta

import (
	"math"

	"gyre/position"
	"gyre/search/evaluation"
	"gyre/search/internal/root"
)

// picker hands out the turns of a node, the most promising first, and makes
// them in stages, so that a cut spares making the rest.
type picker struct {
	worker   *worker
	node     *ply
	stage    pickStage
	known    entry // what the table knows of the node
	previous position.Turn
	special  [3]position.Turn        // killers and countermove
	depth    int                     // to which the node is searched
	turns    []position.Turn         // of the stage
	ranks    []rank                  // of the turns
	static   []evaluation.QuietScore // after each of the turns, if they are all quiet
	next     int                     // how many of them are handed out
	last     int                     // place of the turn handed out last
	handed   int                     // turns handed out, in all stages
}

// rank is how promising a turn of a list is, above its place from the end of
// the list: so no two are equal, and the highest names its turn.
type rank int64

// placeBits is the width of the place in a rank.
const placeBits = 31

// handedOut is the rank of a turn that was handed out.
const handedOut rank = math.MinInt64

// rankOf returns the rank of the turn at a place of a list.
func rankOf(score int32, place int) rank {
	return rank(score)<<placeBits | rank(1<<placeBits-1-place)
}

// place returns the place of the turn of a rank in its list.
func (r rank) place() int { return 1<<placeBits - 1 - int(r&(1<<placeBits-1)) }

// pickStage is what a picker does next.
type pickStage uint8

const (
	pickTable      pickStage = iota // the turn that the table knows, if it is quiet
	makeCompleting                  // turns that take rows off, by their static worth
	pickCompleting
	pickSpecial // killers and countermove
	makeQuiet   // the other ring moves, by what they lead to and by history
	pickQuiet
	makeRest // a pass, if nothing else was there
	makePlacings
	pickRest
)

// start sets the picker up for the node at a ply that is searched to a depth.
func (k *picker) start(w *worker, at, depth int, known entry) {
	k.worker, k.node, k.depth, k.known = w, &w.stack[at], depth, known
	k.turns, k.next, k.handed = k.turns[:0], 0, 0
	k.previous = position.None
	if at > 0 {
		k.previous = w.stack[at-1].turn
	}
	if k.node.position.Placing() {
		k.stage = makePlacings
		return
	}
	k.stage = pickTable
	side := k.node.position.SideToMove()
	k.special = [3]position.Turn{k.node.killers[0], k.node.killers[1], w.history.reply(side, k.previous)}
}

// pick returns the next turn, or None at the end. Every legal turn comes once,
// and no other.
func (k *picker) pick() position.Turn {
	for {
		t, more := k.step()
		if t != position.None {
			k.handed++
			return t
		}
		if !more {
			return position.None
		}
	}
}

// step does the work of one stage. It returns a turn or goes on to the next
// stage, if there is more.
func (k *picker) step() (t position.Turn, more bool) {
	p := &k.node.position
	switch k.stage {
	case pickTable:
		k.stage = makeCompleting
		if p.Quiet(k.known.Turn) {
			return k.known.Turn, true
		}
	case makeCompleting:
		k.turns = p.CompletingTurns(k.turns[:0])
		k.rateCompleting()
		k.stage = pickCompleting
	case pickCompleting:
		if t := k.highest(); t != position.None {
			return t, true
		}
		k.stage, k.next = pickSpecial, 0
	case pickSpecial:
		if t := k.nextSpecial(); t != position.None {
			return t, true
		}
		k.stage = makeQuiet
	case makeQuiet:
		k.turns = p.QuietTurns(k.turns[:0])
		k.rateByStatic()
		k.stage = pickQuiet
	case pickQuiet:
		for t := k.highest(); t != position.None; t = k.highest() {
			if t != k.known.Turn && !k.isSpecial(t, len(k.special)) {
				return t, true
			}
		}
		k.stage = makeRest
	case makeRest:
		if k.handed > 0 {
			return position.None, false
		}
		k.turns = p.Turns(k.turns[:0])
		k.rateByHistory()
		k.stage = pickRest
	case makePlacings:
		k.turns = root.Placings(p, k.turns[:0])
		k.rateByHistory()
		k.stage = pickRest
	case pickRest:
		t := k.highest()
		return t, t != position.None
	}
	return position.None, true
}

// nextSpecial returns the next killer or countermove that is a quiet turn of
// the node, or None.
func (k *picker) nextSpecial() position.Turn {
	for k.next < len(k.special) {
		t := k.special[k.next]
		k.next++
		if t != k.known.Turn && !k.isSpecial(t, k.next-1) && k.node.position.Quiet(t) {
			return t
		}
	}
	return position.None
}

// isSpecial tells whether t is one of the first special turns.
func (k *picker) isSpecial(t position.Turn, first int) bool {
	for _, special := range k.special[:first] {
		if t == special {
			return true
		}
	}
	return false
}

// tableFirst is the rating of the table's turn.
const tableFirst = 1 << 30

// rateByHistory rates the turns by history.
func (k *picker) rateByHistory() {
	k.ranks, k.next = k.ranks[:0], 0
	side := k.node.position.SideToMove()
	for i, t := range k.turns {
		score := k.worker.history.score(side, t, k.previous)
		if k.known.sameTurn(t) {
			score = tableFirst
		}
		k.ranks = append(k.ranks, rankOf(score, i))
	}
}

// staticWeight is how much of history a centipawn of the static score outweighs.
const staticWeight = 64

// rateByStatic rates the turns, which are quiet, by the static scores after them:
// at the last ply, where that is all that becomes of them, by nothing else, before
// it with their history.
func (k *picker) rateByStatic() {
	k.ranks, k.next = k.ranks[:0], 0
	p := &k.node.position
	k.static = k.worker.evaluator.ScoreQuiet(&k.node.accumulator, p, k.turns, k.static[:0])
	for i, t := range k.turns {
		score := int32(k.static[i].Score)
		if k.depth > 1 {
			score = staticWeight*score + k.worker.history.score(p.SideToMove(), t, k.previous)
		}
		k.ranks = append(k.ranks, rankOf(score, i))
	}
}

// staticScore returns the static score after the turn handed out last, nil if the
// picker does not know it.
func (k *picker) staticScore() *evaluation.QuietScore {
	if k.stage != pickQuiet {
		return nil
	}
	return &k.static[k.last]
}

// highest returns the turn rated highest of those that are left, or None. It
// looks for it without branches: which one it is cannot be predicted.
func (k *picker) highest() position.Turn {
	if k.next >= len(k.turns) {
		return position.None
	}
	k.next++
	best := handedOut
	for _, r := range k.ranks {
		best = max(best, r)
	}
	k.last = best.place()
	k.ranks[k.last] = handedOut
	return k.turns[k.last]
}
