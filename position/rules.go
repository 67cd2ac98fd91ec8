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
