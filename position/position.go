package position

// Position is a game of YINSH between two turns: what is on the board, whose
// turn it is, the rings removed and the rules. It is a plain value of 176
// bytes; copying it copies all.
//
// Invariants, for every Position that this package hands out: rings and markers
// stand on different points; lines, hash, placed and onBoard agree with them;
// the side that just moved has no row, unless the game is over. The zero value
// is not a position: begin with [Start] or [Parse].
type Position struct {
	rings   [2]Bitboard
	markers [2]Bitboard
	lines   [Directions][lineSlots]uint16 // the index of each line: see targets.go
	hash    uint64
	removed [2]uint8 // rings taken off as the price of a row
	placed  uint8    // rings that have come into play, of both sides: 0..10
	onBoard uint8    // markers on the board
	side    Side
	rules   Rules
}

// Start returns the position before the first turn.
func Start(rules Rules) Position {
	p := Position{rules: rules}
	p.hash = p.hashFromScratch()
	return p
}

// SideToMove returns the side whose turn it is, or would be if the game were
// not over.
func (p *Position) SideToMove() Side { return p.side }

// Rules returns the rules of the game.
func (p *Position) Rules() Rules { return p.rules }

// Rings returns the points of a side's rings.
func (p *Position) Rings(s Side) Bitboard { return p.rings[s&1] }

// Markers returns the points of the markers that show a side's colour.
func (p *Position) Markers(s Side) Bitboard { return p.markers[s&1] }

// AllMarkers returns the points of all markers.
func (p *Position) AllMarkers() Bitboard { return p.markers[White].Or(p.markers[Black]) }

// Vacant returns the points with neither ring nor marker.
func (p *Position) Vacant() Bitboard {
	return board.AndNot(p.AllMarkers()).AndNot(p.rings[White]).AndNot(p.rings[Black])
}

// Removed returns how many rings a side has taken off for its rows.
func (p *Position) Removed(s Side) int { return int(p.removed[s&1]) }

// Pool returns how many markers are not on the board.
func (p *Position) Pool() int { return MarkersInGame - int(p.onBoard) }

// Placing tells whether rings are still to be placed: the side to move then
// places one.
func (p *Position) Placing() bool { return p.placed < 2*RingsPerSide }

// Hash returns the Zobrist hash: equal for equal positions however they were
// reached, and the same in every run and version that keeps the names of the
// keys.
func (p *Position) Hash() uint64 { return p.hash }

// Equal tells whether two positions are the same: the same pieces, side to
// move, rings removed and rules.
func (p Position) Equal(q Position) bool { return p == q }

// Rows appends the rows that a side has on the board to dst. A position
// between turns has none of the side that just moved; those of the side to
// move are taken off at the start of its turn.
func (p *Position) Rows(s Side, dst []Row) []Row { return rowsIn(p.markers[s&1], dst) }

// addToLines adds digits times the power of the point's place to the indexes
// of the three lines through it.
func (p *Position) addToLines(at Point, digits uint16) {
	refs := &lineRefs[at&(padded-1)]
	p.lines[AlongColumn][refs[AlongColumn].line%lineSlots] += digits * refs[AlongColumn].power
	p.lines[AlongNumber][refs[AlongNumber].line%lineSlots] += digits * refs[AlongNumber].power
	p.lines[AlongThird][refs[AlongThird].line%lineSlots] += digits * refs[AlongThird].power
}

// setUp puts pieces on an empty board: the rest of what a position keeps
// follows from them.
func (p *Position) setUp(rings, markers [2]Bitboard) {
	p.rings, p.markers = rings, markers
	p.placed = uint8(rings[White].Count()+rings[Black].Count()) + p.removed[White] + p.removed[Black]
	p.onBoard = uint8(p.AllMarkers().Count())
	p.lines = [Directions][lineSlots]uint16{}
	for b := rings[White].Or(rings[Black]); !b.IsEmpty(); b = b.WithoutFirst() {
		p.addToLines(b.First(), ringDigit)
	}
	for b := p.AllMarkers(); !b.IsEmpty(); b = b.WithoutFirst() {
		p.addToLines(b.First(), markerDigit)
	}
	p.hash = p.hashFromScratch()
}

// hashFromScratch computes what [Position.Hash] keeps up.
func (p *Position) hashFromScratch() uint64 {
	hash := uint64(0)
	for s := range p.rings {
		for b := p.rings[s]; !b.IsEmpty(); b = b.WithoutFirst() {
			hash ^= keys.ring[s][b.First()]
		}
		for b := p.markers[s]; !b.IsEmpty(); b = b.WithoutFirst() {
			hash ^= keys.marker[s][b.First()]
		}
		hash ^= keys.removed[s][p.removed[s]]
	}
	if p.side == Black {
		hash ^= keys.black
	}
	if p.rules == Blitz {
		hash ^= keys.blitz
	}
	return hash
}
