// Package position implements the rules of YINSH: the board, positions, turns,
// their text and perft. It imports no other package of Gyre. Package
// position/record reads and writes whole games.
//
// Two values describe a game. [Position] is plain memory without pointers:
// [Position.Play] copies it into a child position that the caller owns. [Turn] is
// one machine word. Generating and playing turns allocates no memory.
//
//	position.go  Position, Side, Rules, Result and the hash
//	board.go     Bitboard, Point, the lines and the rows of the board
//	targets.go   where a ring can move, by table
//	turn.go      Turn, its text, and why a turn is illegal
//	generate.go  the legal turns, and the ring moves that complete a row
//	play.go      the position after a turn, turns played step by step, random games
//	perft.go     counting sequences of turns
//	symmetry.go  the 12 symmetries of the board
//	text.go      positions as text, as sets of pieces and as pictures
package position

import "github.com/zeebo/xxh3"

// Side is one of the two players. White has the first turn and is player 1 of
// the protocol. It indexes every array that is kept by side.
type Side uint8

// The two sides.
const (
	White Side = iota
	Black
)

// Opponent returns the other side.
func (s Side) Opponent() Side { return s ^ 1 }

// String returns "white" or "black".
func (s Side) String() string {
	if s == White {
		return "white"
	}
	return "black"
}

// letter is the side's name in the text of a position: 'w' or 'b'.
func (s Side) letter() byte { return s.String()[0] }

// Rules is one of the two ways to play. They differ only in the number of
// rings that win.
type Rules uint8

// The rules: the game as published, and its short form.
const (
	Standard Rules = iota // the third ring removed wins
	Blitz                 // the first ring removed wins
)

// The material of a game.
const (
	RingsPerSide  = 5  // rings that each side places before markers come into play
	MarkersInGame = 51 // two-sided markers, on the board or in the pool
	RowLength     = 5  // markers of one colour next to each other on a line
	MaxRingMoves  = 71 // ring moves of both sides in a game: markers on board + 5 x rows removed grows by one at each
)

// winningRings is the number of removed rings that wins, by rules.
var winningRings = [2]uint8{Standard: 3, Blitz: 1}

// WinningRings returns how many removed rings win the game.
func (r Rules) WinningRings() int { return int(winningRings[r&1]) }

// String returns "standard" or "blitz".
func (r Rules) String() string {
	if r == Blitz {
		return "blitz"
	}
	return "standard"
}

// ParseRules reads what [Rules.String] writes. The error is an [*Error] of the
// field "rules".
func ParseRules(text string) (Rules, error) {
	for _, r := range [...]Rules{Standard, Blitz} {
		if text == r.String() {
			return r, nil
		}
	}
	return Standard, &Error{Field: "rules", Word: text, Reason: "rules are standard or blitz"}
}

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

// zobrist holds the keys whose exclusive or is a position's hash (Zobrist,
// "A New Hashing Method with Application for Game Playing", 1970). Each key is
// the xxh3 hash of a name, so that it can only change with its name.
type zobrist struct {
	ring    [2][padded]uint64 // by side and point
	marker  [2][padded]uint64
	flip    [padded]uint64              // a marker of either colour to the other
	removed [2][RingsPerSide + 1]uint64 // by side and rings removed; none for 0
	black   uint64                      // black to move
	blitz   uint64
}

var keys = func() (k zobrist) {
	for _, s := range [...]Side{White, Black} {
		for b := board; !b.IsEmpty(); b = b.WithoutFirst() {
			p := b.First()
			k.ring[s][p] = xxh3.HashString("ring " + s.String() + " " + p.String())
			k.marker[s][p] = xxh3.HashString("marker " + s.String() + " " + p.String())
			k.flip[p] ^= k.marker[s][p]
		}
		for n := 1; n <= RingsPerSide; n++ {
			k.removed[s][n] = xxh3.HashString("removed " + s.String() + " " + string(rune('0'+n)))
		}
	}
	k.black = xxh3.HashString("black to move")
	k.blitz = xxh3.HashString("blitz")
	return k
}()

// Result is how a game stands.
type Result uint8

// The results.
const (
	Ongoing Result = iota
	WhiteWins
	BlackWins
	Draw
)

// String returns "ongoing", "white", "black" or "draw".
func (r Result) String() string {
	return [...]string{"ongoing", "white", "black", "draw"}[r&3]
}

// win is the result in which s has won.
func win(s Side) Result { return WhiteWins + Result(s) }

// decided tells whether a side has removed as many rings as win.
func (p *Position) decided() bool {
	wins := winningRings[p.rules&1]
	return p.removed[White] >= wins || p.removed[Black] >= wins
}

// Over tells whether the game is over: a side has removed the rings that win;
// or, with no row left to take off, the pool is empty or neither side can move
// a ring.
func (p *Position) Over() bool {
	switch {
	case p.decided():
		return true
	case p.Placing() || p.HasRow(p.side):
		return false
	}
	return p.onBoard == MarkersInGame || !p.CanMove(White) && !p.CanMove(Black)
}

// Result returns how the game stands: Ongoing, or who has removed more rings.
func (p *Position) Result() Result {
	switch {
	case !p.Over():
		return Ongoing
	case p.removed[White] == p.removed[Black]:
		return Draw
	case p.removed[White] > p.removed[Black]:
		return win(White)
	default:
		return win(Black)
	}
}
