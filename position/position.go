// Package position implements the rules of YINSH: the board, positions, turns,
// their text and perft. It imports no other package of Gyre. Package
// position/record reads and writes whole games.
//
// Two values describe a game. [Position] is plain memory without pointers:
// [Position.Play] copies it into a child position that the caller owns. [Turn] is
// one machine word. Generating and playing turns allocates no memory.
//
//	position.go  Position, Side, Rules, Result and the hash
//	board.go     Bitboard, Point, the lines, the rows and the symmetries of the board
//	targets.go   where a ring can move, by table
//	turn.go      Turn, its text, and why a turn is illegal
//	generate.go  the legal turns, and the ring moves that complete a row
//	play.go      the position after a turn, turns played step by step, random games
//	perft.go     counting sequences of turns
//	text.go      positions as text, as sets of pieces and as pictures
package position

import "github.com/zeebo/xxh3"

// Side is one of the two players. White plays first and is player 1 in the protocol.
// A Side indexes every array that is kept per side.
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

// Letter returns the letter of the side in the text of a position, "w" or "b".
func (s Side) Letter() string { return s.String()[:1] }

// Rules is one of the two variants of the game. They differ only in the number of
// removed rings that wins.
type Rules uint8

// The rules: the game as published, and its short version.
const (
	Standard Rules = iota // the third ring removed wins
	Blitz                 // the first ring removed wins
)

// The material of a game.
const (
	RingsPerSide  = 5  // rings that each side places before it moves one
	MarkersInGame = 51 // two-sided markers, on the board or in the pool
	RowLength     = 5  // markers of one color next to each other on a line
	MaxRingMoves  = 71 // ring moves of both sides in a game: markers on board + 5 x rows removed grows by one with each
)

// winningRings is the number of removed rings that wins the game, by rules.
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

// ParseRules parses the output of [Rules.String]. The error is an [*Error] with the
// field "rules".
func ParseRules(text string) (Rules, error) {
	for _, r := range [...]Rules{Standard, Blitz} {
		if text == r.String() {
			return r, nil
		}
	}
	return Standard, fail("bad-rules", "rules", text, "rules are standard or blitz")
}

// Position is the state of a game between two turns: the pieces on the board, the
// side to move, the rings removed and the rules. It is a plain value of 176 bytes; an
// assignment copies all of it.
//
// Invariants of every Position that this package returns: rings and markers are on
// different points; lines, hash, placed and onBoard match them; the side that just
// moved has no row, unless the game is over. The zero value is not a valid position:
// start with [Start] or [Parse].
type Position struct {
	rings   [2]Bitboard
	markers [2]Bitboard
	lines   [Directions][lineSlots]uint16 // the index of each line; see targets.go
	hash    uint64
	removed [2]uint8 // rings removed to pay for a row
	placed  uint8    // rings that both sides have placed: 0..10
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

// SideToMove returns the side to move. If the game is over, it returns the side that
// would be next.
func (p *Position) SideToMove() Side { return p.side }

// Rules returns the rules of the game.
func (p *Position) Rules() Rules { return p.rules }

// Rings returns the points of the rings of s.
func (p *Position) Rings(s Side) Bitboard { return p.rings[s&1] }

// Markers returns the points of the markers that show the color of s.
func (p *Position) Markers(s Side) Bitboard { return p.markers[s&1] }

// AllMarkers returns the points of all markers.
func (p *Position) AllMarkers() Bitboard { return p.markers[White].Or(p.markers[Black]) }

// Vacant returns the points with neither ring nor marker.
func (p *Position) Vacant() Bitboard {
	return board.AndNot(p.AllMarkers()).AndNot(p.rings[White]).AndNot(p.rings[Black])
}

// Removed returns the number of rings that s has removed for its rows.
func (p *Position) Removed(s Side) int { return int(p.removed[s&1]) }

// Pool returns the number of markers that are not on the board.
func (p *Position) Pool() int { return MarkersInGame - int(p.onBoard) }

// Placing reports whether rings remain to be placed. The side to move then places
// one.
func (p *Position) Placing() bool { return p.placed < 2*RingsPerSide }

// Hash returns the Zobrist hash of the position. Equal positions have equal hashes,
// no matter how they were reached. The hash is the same in every run, and in every
// version that keeps the names of the keys.
func (p *Position) Hash() uint64 { return p.hash }

// Equal reports whether two positions have the same pieces, side to move, removed
// rings and rules.
func (p Position) Equal(q Position) bool { return p == q }

// Rows appends the rows of s on the board to dst. In a position between turns, the
// side that just moved has no rows; the side to move removes its rows at the start of
// its turn.
func (p *Position) Rows(s Side, dst []Row) []Row { return rowsIn(p.markers[s&1], dst) }

// addToLines adds digits, times the power of the point's place, to the indexes of the
// three lines through the point.
func (p *Position) addToLines(at Point, digits uint16) {
	refs := &lineRefs[at&(padded-1)]
	p.lines[AlongColumn][refs[AlongColumn].line%lineSlots] += digits * refs[AlongColumn].power
	p.lines[AlongNumber][refs[AlongNumber].line%lineSlots] += digits * refs[AlongNumber].power
	p.lines[AlongThird][refs[AlongThird].line%lineSlots] += digits * refs[AlongThird].power
}

// setUp puts pieces on an empty board and computes the fields that follow from them.
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

// hashFromScratch computes the hash that [Position.Hash] returns and Play updates.
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

// zobrist holds the keys of the position hash, which is the XOR of the keys that
// apply (Zobrist, "A New Hashing Method with Application for Game Playing", 1970).
// Each key is the xxh3 hash of a name, so a key changes only if its name does.
type zobrist struct {
	ring    [2][padded]uint64 // by side and point
	marker  [2][padded]uint64
	flip    [padded]uint64              // changes a marker's color
	removed [2][RingsPerSide + 1]uint64 // by side and rings removed; zero for 0 rings
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

// Result is the outcome of a game so far.
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

// WonBy returns the result in which s has won.
func WonBy(s Side) Result { return WhiteWins + Result(s) }

// For returns 1 if s has won, -1 if its opponent has won, and 0 if the game is drawn or
// not over.
func (r Result) For(s Side) int {
	switch r {
	case WonBy(s):
		return 1
	case WonBy(s.Opponent()):
		return -1
	}
	return 0
}

// decided reports whether a side has removed enough rings to win.
func (p *Position) decided() bool {
	wins := winningRings[p.rules&1]
	return p.removed[White] >= wins || p.removed[Black] >= wins
}

// Over reports whether the game is over. It is over when a side has removed enough
// rings to win. It is also over when the side to move has no row to remove and either
// the pool is empty or neither side can move a ring.
func (p *Position) Over() bool {
	switch {
	case p.decided():
		return true
	case p.Placing() || p.HasRow(p.side):
		return false
	}
	return p.onBoard == MarkersInGame || !p.CanMove(White) && !p.CanMove(Black)
}

// Result returns Ongoing, or the winner by rings removed.
func (p *Position) Result() Result {
	switch {
	case !p.Over():
		return Ongoing
	case p.removed[White] == p.removed[Black]:
		return Draw
	case p.removed[White] > p.removed[Black]:
		return WonBy(White)
	default:
		return WonBy(Black)
	}
}
