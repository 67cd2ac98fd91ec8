package position_test

import "strings"

// A referenceTurn is a whole turn as canonical text, and the position that it leads to.
type referenceTurn struct {
	word  string
	after reference
}

// turns lists every whole turn of the side to move; none when the game is over.
func (r *reference) turns() []referenceTurn {
	switch {
	case r.won():
		return nil
	case r.placing():
		return r.placements()
	}
	return r.beforeMove(nil)
}

// won says whether a side has taken off the rings that win.
func (r *reference) won() bool { return r.removed[0] >= r.winning || r.removed[1] >= r.winning }

func (r *reference) placements() []referenceTurn {
	var turns []referenceTurn
	for _, p := range r.find(vacant) {
		child := *r
		child.put(p, referenceRing[r.side])
		turns = append(turns, child.finished([]string{p.String()}))
	}
	return turns
}

// beforeMove goes on with a turn in which the given parts are done and no ring is moved yet.
func (r *reference) beforeMove(done []string) []referenceTurn {
	if len(r.rows(r.side)) > 0 {
		return r.eachRemoval(done, (*reference).beforeMove)
	}
	if r.stuck() {
		if len(done) == 0 {
			return nil
		}
		return []referenceTurn{r.finished(done)}
	}
	if !r.canMove(r.side) {
		return []referenceTurn{r.finished(append(done, "pass"))}
	}
	var turns []referenceTurn
	for _, from := range r.find(referenceRing[r.side]) {
		for _, to := range r.destinations(from) {
			child := *r
			child.move(from, to)
			turns = append(turns, child.afterMove(extended(done, from.String()+"-"+to.String()))...)
		}
	}
	return turns
}

// afterMove goes on with a turn in which the given parts are done, the ring's move among them.
func (r *reference) afterMove(done []string) []referenceTurn {
	if len(r.rows(r.side)) > 0 {
		return r.eachRemoval(done, (*reference).afterMove)
	}
	return []referenceTurn{r.finished(done)}
}

// eachRemoval takes off each row of the mover with each of his rings, and goes on as told if that did not win.
func (r *reference) eachRemoval(done []string, goOn func(*reference, []string) []referenceTurn) []referenceTurn {
	var turns []referenceTurn
	for _, row := range r.rows(r.side) {
		first, direction := row[0], row[1]
		for _, ring := range r.find(referenceRing[r.side]) {
			child := *r
			for i := 0; i < 5; i++ {
				child.put(first.step(direction, i), vacant)
			}
			child.put(ring, vacant)
			child.removed[r.side]++
			parts := extended(done, "x"+first.String()+"-"+first.step(direction, 4).String()+"x"+ring.String())
			if child.won() {
				turns = append(turns, child.finished(parts))
			} else {
				turns = append(turns, goOn(&child, parts)...)
			}
		}
	}
	return turns
}

// finished ends the turn: its parts become a word, and the other side is next.
func (r *reference) finished(parts []string) referenceTurn {
	child := *r
	child.side = 1 - r.side
	return referenceTurn{strings.Join(parts, ";"), child}
}

func extended(parts []string, part string) []string {
	return append(append([]string(nil), parts...), part)
}

// destinations lists where a ring may go: straight over vacant points,
// then over one unbroken run of markers to the first vacant point behind it; never over a ring.
func (r *reference) destinations(from referencePoint) []referencePoint {
	var found []referencePoint
	for _, direction := range referenceDirections {
		p := from.step(direction, 1)
		for r.at(p) == vacant {
			found = append(found, p)
			p = p.step(direction, 1)
		}
		if !r.isMarker(p) {
			continue
		}
		for r.isMarker(p) {
			p = p.step(direction, 1)
		}
		if r.at(p) == vacant {
			found = append(found, p)
		}
	}
	return found
}

func (r *reference) isMarker(p referencePoint) bool {
	return r.at(p) == referenceMarker[0] || r.at(p) == referenceMarker[1]
}

// move leaves a marker where the ring was, moves the ring, and flips the markers between.
func (r *reference) move(from, to referencePoint) {
	r.put(to, r.at(from))
	r.put(from, referenceMarker[r.side])
	for _, direction := range referenceDirections {
		for distance := 1; distance <= 10; distance++ {
			if from.step(direction, distance) != to {
				continue
			}
			for i := 1; i < distance; i++ {
				p := from.step(direction, i)
				switch r.at(p) {
				case referenceMarker[0]:
					r.put(p, referenceMarker[1])
				case referenceMarker[1]:
					r.put(p, referenceMarker[0])
				}
			}
		}
	}
}

func (r *reference) canMove(side int) bool {
	for _, from := range r.find(referenceRing[side]) {
		if len(r.destinations(from)) > 0 {
			return true
		}
	}
	return false
}

// stuck says, of a position without a row to take off first, whether the board has ended the game:
// the pool is empty, or no side can move a ring.
func (r *reference) stuck() bool {
	return r.pool() == 0 || !r.canMove(0) && !r.canMove(1)
}

// result is "ongoing", "white", "black" or "draw".
func (r *reference) result() string {
	over := r.won() || !r.placing() && len(r.rows(r.side)) == 0 && r.stuck()
	switch {
	case !over:
		return "ongoing"
	case r.removed[0] > r.removed[1]:
		return "white"
	case r.removed[0] < r.removed[1]:
		return "black"
	}
	return "draw"
}

// play plays the turn with that word; false if there is none.
func (r *reference) play(word string) (reference, bool) {
	for _, turn := range r.turns() {
		if turn.word == word {
			return turn.after, true
		}
	}
	return *r, false
}

// perft counts the sequences of that many whole turns.
func (r *reference) perft(depth int) int {
	if depth == 0 {
		return 1
	}
	turns := r.turns()
	if depth == 1 {
		return len(turns)
	}
	count := 0
	for i := range turns {
		count += turns[i].after.perft(depth - 1)
	}
	return count
}
