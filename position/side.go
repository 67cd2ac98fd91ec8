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
