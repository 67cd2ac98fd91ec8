package match

import (
	"gyre/bench/game"
	"gyre/bench/stats"
	"gyre/position"
)

// Ended is how a game ended. The zero value is a game that has not.
type Ended struct {
	Result position.Result
	Reason game.Reason
}

// Pair is two games from one opening: the first engine of the pairing has white
// in the first of them, and black in the second.
type Pair [2]Ended

// Whole tells whether both games have ended.
func (p Pair) Whole() bool {
	return p[0].Result != position.Ongoing && p[1].Result != position.Ongoing
}

// Counts tells whether the pair says how strong the engines are: both games have
// ended, and none because an engine did not play: see game.Reason.Broken. One
// such game takes the whole pair out, for the other game alone would favour the
// colour that it has.
func (p Pair) Counts() bool {
	return p.Whole() && !p[0].Reason.Broken() && !p[1].Reason.Broken()
}

// reversed returns the pair as the second engine sees it.
func (p Pair) reversed() Pair { return Pair{p[1], p[0]} }

// Games returns both games as the first engine sees them: that with white, then
// that with black.
func (p Pair) Games() [2]stats.Games {
	one := func(r position.Result) (g stats.Games) {
		switch r {
		case position.WhiteWins:
			g.Wins = 1
		case position.BlackWins:
			g.Losses = 1
		case position.Draw:
			g.Draws = 1
		}
		return g
	}
	return [2]stats.Games{one(p[0].Result), one(p[1].Result).Swapped()}
}

// HalfPoints is what the first engine made in the two games, from 0 to 4: the
// index of the pair's class in stats.Pairs.
func (p Pair) HalfPoints() int {
	both := p.Games()
	sum := both[0].Plus(both[1])
	return 2*sum.Wins + sum.Draws
}

// Pairing is what two engines did to each other in pairs that count, as the first
// of them sees it.
type Pairing struct {
	Engines [2]int // by index; in a schedule the first has white in the first game of a pair
	Games   stats.Games
	Pairs   stats.Pairs
	ByWhite [2]stats.Games // the same games, those with white first, then those with black
}

// Add counts a pair that counts.
func (p *Pairing) Add(pair Pair) {
	for reversed, one := range pair.Games() {
		p.Games = p.Games.Plus(one)
		p.ByWhite[reversed] = p.ByWhite[reversed].Plus(one)
	}
	p.Pairs[pair.HalfPoints()]++
}
