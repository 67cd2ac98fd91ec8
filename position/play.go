package position

import (
	"math/bits"
	"math/rand/v2"
)

// Play sets child to the position after a legal turn and does not change p. The turn
// must come from [Position.Turns] or [Position.ParseTurn]; otherwise the child is not
// a valid position.
func (p *Position) Play(child *Position, t Turn) {
	*child = *p
	if t&^moveMask == 0 && t.Kind() == Move {
		child.moveRing(t.From(), t.To())
	} else {
		child.playParts(t)
	}
	child.passOn()
}

// After returns the position after a legal turn, as [Position.Play] sets it. Where speed
// matters, Play into a position that is reused.
func (p *Position) After(t Turn) (child Position) {
	p.Play(&child, t)
	return child
}

// AfterAll returns the position after turns that are played one after the other. All must
// be legal.
func (p *Position) AfterAll(turns ...Turn) Position {
	after := *p
	for _, t := range turns {
		after = after.After(t)
	}
	return after
}

// passOn makes the other side the side to move.
func (p *Position) passOn() {
	p.side ^= 1
	p.hash ^= keys.black
}

// playParts plays a turn part by part.
func (p *Position) playParts(t Turn) {
	for i := range t.Before() {
		p.remove(t.Removal(i))
	}
	switch t.Kind() {
	case Place:
		p.placeRing(t.To())
	case Move:
		p.moveRing(t.From(), t.To())
	}
	for i := t.Before(); i < t.Removals(); i++ {
		p.remove(t.Removal(i))
	}
}

// placeRing places a ring of the side to move.
func (p *Position) placeRing(at Point) {
	p.rings[p.side] = p.rings[p.side].Or(BitboardOf(at))
	p.placed++
	p.addToLines(at, ringDigit)
	p.hash ^= keys.ring[p.side][at&(padded-1)]
}

// moveRing puts a marker of the side to move into one of its rings, moves the ring,
// and flips the markers it jumps over. In the line indexes, the ring's point changes
// from ring to marker and the target from vacant to ring: both digits grow by one.
func (p *Position) moveRing(from, to Point) {
	us := p.side & 1
	them := us ^ 1
	from &= padded - 1
	to &= padded - 1
	flipped := Between(from, to).And(p.markers[us].Or(p.markers[them]))
	leaves, enters := BitboardOf(from), BitboardOf(to)
	p.rings[us] = p.rings[us].Xor(leaves).Or(enters)
	p.markers[us] = p.markers[us].Xor(flipped).Or(leaves)
	p.markers[them] = p.markers[them].Xor(flipped)
	p.onBoard++
	p.addToLines(from, markerDigit-ringDigit)
	p.addToLines(to, ringDigit-vacantDigit)
	p.hash ^= keys.ring[us][from] ^ keys.ring[us][to] ^ keys.marker[us][from]
	for ; !flipped.IsEmpty(); flipped = flipped.WithoutFirst() {
		p.hash ^= keys.flip[flipped.First()&(padded-1)]
	}
}

// remove removes a row of the side to move and one of its rings.
func (p *Position) remove(r Removal) {
	us := p.side & 1
	points := r.Row.Points()
	p.markers[us] = p.markers[us].AndNot(points)
	p.onBoard -= RowLength
	for ; !points.IsEmpty(); points = points.WithoutFirst() {
		at := points.First() & (padded - 1)
		p.addToLines(at, ^uint16(markerDigit)+1)
		p.hash ^= keys.marker[us][at]
	}
	p.rings[us] = p.rings[us].AndNot(BitboardOf(r.Ring))
	p.addToLines(r.Ring, ^uint16(ringDigit)+1)
	p.hash ^= keys.ring[us][r.Ring&(padded-1)]
	p.hash ^= keys.removed[us][p.removed[us]]
	p.removed[us]++
	p.hash ^= keys.removed[us][p.removed[us]]
}

// StepKind is the kind of a [Step].
type StepKind uint8

// The kinds of steps.
const (
	StepPlace    StepKind = iota // place a ring on To
	StepMove                     // move the ring at From to To
	StepPass                     // pass, because no ring can move
	StepTakeRow                  // remove Row
	StepTakeRing                 // remove the ring at From, for the row just removed
)

// Step is one part of a turn. Fields that its kind does not mention are zero.
type Step struct {
	Kind     StepKind
	From, To Point
	Row      Row
}

// Partial is a turn that is played step by step: the parts so far and the board after
// them. It is a plain value; an assignment copies all of it, so a program can undo a
// step by keeping a copy. Start with [Begin].
type Partial struct {
	now   Position
	turn  Turn
	stage stage
	row   Row // removed, but not its ring yet
}

// stage is the kind of step that a turn needs next.
type stage uint8

const (
	stageMiddle   stage = iota // place, move or pass; the removals at the start are done
	stageTakeRow               // remove a row
	stageTakeRing              // remove a ring
	stageComplete              // none
)

// Begin returns a turn without any parts. If the game is over, it is complete and its
// turn is None.
func Begin(p *Position) Partial {
	b := Partial{now: *p}
	b.settle()
	return b
}

// Complete reports whether the turn is complete.
func (b *Partial) Complete() bool { return b.stage == stageComplete }

// Turn returns the parts so far. The result is a legal turn once it is complete.
func (b *Partial) Turn() Turn { return b.turn }

// Position returns the board after the parts so far, with the side to move unchanged.
// A removed row stays on the board until its ring is removed.
func (b *Partial) Position() *Position { return &b.now }

// Steps appends the legal next steps to dst. A complete turn has none.
func (b *Partial) Steps(dst []Step) []Step {
	own := b.now.rings[b.now.side]
	switch b.stage {
	case stageTakeRow:
		var list [maxRows]Row
		for _, row := range b.now.Rows(b.now.side, list[:0]) {
			dst = append(dst, Step{Kind: StepTakeRow, Row: row})
		}
	case stageTakeRing:
		for ; !own.IsEmpty(); own = own.WithoutFirst() {
			dst = append(dst, Step{Kind: StepTakeRing, From: own.First()})
		}
	case stageMiddle:
		dst = b.middleSteps(dst)
	}
	return dst
}

// middleSteps appends the placings, the ring moves or the pass.
func (b *Partial) middleSteps(dst []Step) []Step {
	if b.now.Placing() {
		for vacant := b.now.Vacant(); !vacant.IsEmpty(); vacant = vacant.WithoutFirst() {
			dst = append(dst, Step{Kind: StepPlace, To: vacant.First()})
		}
		return dst
	}
	if !b.now.CanMove(b.now.side) {
		return append(dst, Step{Kind: StepPass})
	}
	for own := b.now.rings[b.now.side]; !own.IsEmpty(); own = own.WithoutFirst() {
		from := own.First()
		for targets := b.now.Targets(from); !targets.IsEmpty(); targets = targets.WithoutFirst() {
			dst = append(dst, Step{Kind: StepMove, From: from, To: targets.First()})
		}
	}
	return dst
}

// Apply plays a step, which must be one of Steps.
func (b *Partial) Apply(s Step) {
	switch s.Kind {
	case StepTakeRow:
		b.row, b.stage = s.Row, stageTakeRing
		return
	case StepTakeRing:
		removal := Removal{Row: b.row, Ring: s.From}
		b.now.remove(removal)
		b.turn = b.turn.withRemoval(removal)
		b.row = 0
	case StepPlace:
		b.now.placeRing(s.To)
		b.turn = b.turn.with(placeTurn(s.To))
	case StepMove:
		b.now.moveRing(s.From, s.To)
		b.turn = b.turn.with(moveTurn(s.From, s.To))
	case StepPass:
		b.turn = b.turn.with(passTurn)
	}
	b.settle()
}

// settle sets the stage from the board and the parts so far.
func (b *Partial) settle() {
	p := &b.now
	switch {
	case p.decided():
		b.stage = stageComplete
	case p.HasRow(p.side):
		b.stage = stageTakeRow
	case b.turn.Kind() != RemovalsOnly || p.Over():
		b.stage = stageComplete
	default:
		b.stage = stageMiddle
	}
}

// Playout plays random steps from p until the game is over. It changes p to the final
// position and returns the result and the number of turns. At every step, each
// legal choice is equally likely. A step chooses the point of a placed ring, a ring move,
// the row to remove, or the ring to remove for it.
func (p *Position) Playout(rng *rand.PCG) (Result, int) {
	turns := 0
	if p.Over() {
		return p.Result(), turns
	}
	for p.Placing() {
		p.placeRing(p.randomVacant(rng))
		p.passOn()
		turns++
	}
	fives := p.AllMarkers().hasFive() // false only if neither side has a row
	for ; ; turns++ {
		removed := p.removed[p.side]
		if fives && p.takeRandomRows(rng) {
			break
		}
		if p.onBoard == MarkersInGame {
			return p.Result(), turns
		}
		if from, to, ok := p.randomMove(rng); ok {
			p.moveRing(from, to)
			fives = p.AllMarkers().hasFive()
			if fives && p.takeRandomRows(rng) {
				break
			}
		} else if !p.CanMove(p.side.Opponent()) {
			if p.removed[p.side] == removed {
				return p.Result(), turns
			}
			break // the turn consisted of removals
		}
		p.passOn()
	}
	p.passOn()
	return p.Result(), turns + 1
}

// takeRandomRows removes rows of the side to move, with random rings, until none is
// left. It reports whether that won the game.
func (p *Position) takeRandomRows(rng *rand.PCG) bool {
	for p.HasRow(p.side) {
		var list [maxRows]Row
		rows := p.Rows(p.side, list[:0])
		row := rows[below(rng, len(rows))]
		rings := p.rings[p.side]
		for range below(rng, rings.Count()) {
			rings = rings.WithoutFirst()
		}
		p.remove(Removal{Row: row, Ring: rings.First()})
		if p.decided() {
			return true
		}
	}
	return false
}

// randomVacant returns a random vacant point.
func (p *Position) randomVacant(rng *rand.PCG) Point {
	vacant := p.Vacant()
	for {
		if at := Point(rng.Uint64() & (padded - 1)); vacant.Has(at) {
			return at
		}
	}
}

// randomMove returns a random ring move of the side to move, and whether it has one.
func (p *Position) randomMove(rng *rand.PCG) (from, to Point, ok bool) {
	var rings [RingsPerSide]Point
	var moves [RingsPerSide]int
	total, i := 0, 0
	for b := p.rings[p.side]; !b.IsEmpty(); b = b.WithoutFirst() {
		rings[i] = b.First()
		moves[i] = p.mobilityOf(rings[i])
		total += moves[i]
		i++
	}
	if total == 0 {
		return 0, 0, false
	}
	n := below(rng, total)
	for i = 0; n >= moves[i]; i++ {
		n -= moves[i]
	}
	return rings[i], p.nthTarget(rings[i], n), true
}

// nthTarget returns the target with index n of the ring at from, 0 <= n < its
// mobility.
func (p *Position) nthTarget(from Point, n int) Point {
	for d := range Direction(Directions) {
		ref := &lineRefs[from&(padded-1)][d]
		places := p.targetsOn(ref, d).places()
		if here := bits.OnesCount16(places); n >= here {
			n -= here
			continue
		}
		for range n {
			places &= places - 1
		}
		return from + (Point(bits.TrailingZeros16(places))-Point(ref.place))*Point(strides[d])
	}
	return from
}

// below returns a random number in [0, n).
func below(rng *rand.PCG, n int) int {
	high, _ := bits.Mul64(rng.Uint64(), uint64(n))
	return int(high)
}
