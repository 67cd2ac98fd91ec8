package position

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
