package position

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
