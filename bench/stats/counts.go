package stats

// Counts are outcomes sorted into evenly spaced classes, from the worst for the
// engine that they are counted for to the best. Games and Pairs are the two.
type Counts interface {
	// Classes returns the number of outcomes in each class. Class i of k is
	// worth the score i/(k-1); none of the numbers is negative.
	Classes() []int
	// GamesPerOutcome is how many games make up one outcome.
	GamesPerOutcome() int
}

// Games counts single games. Taken as independent of each other, which holds
// for games from different openings; for an opening played twice with sides
// reversed Pairs is the better count.
type Games struct {
	Wins, Losses, Draws int
}

// Classes returns losses, draws, wins: the scores 0, 1/2 and 1.
func (g Games) Classes() []int { return []int{g.Losses, g.Draws, g.Wins} }

// GamesPerOutcome is 1.
func (g Games) GamesPerOutcome() int { return 1 }

// Total is the number of games.
func (g Games) Total() int { return g.Wins + g.Losses + g.Draws }

// Plus returns the two counts together.
func (g Games) Plus(h Games) Games {
	return Games{Wins: g.Wins + h.Wins, Losses: g.Losses + h.Losses, Draws: g.Draws + h.Draws}
}

// Swapped returns the same games as the opponent sees them.
func (g Games) Swapped() Games {
	return Games{Wins: g.Losses, Losses: g.Wins, Draws: g.Draws}
}

// Pair is the outcome of two games from one opening with sides reversed, as an
// index into Pairs: the half points won in them.
type Pair int

// The outcomes of a pair. Two draws and a win with a loss score the same and
// share a class.
const (
	LossLoss Pair = iota
	LossDraw
	Even
	WinDraw
	WinWin
)

// Pairs counts pairs of games by the half points won in them (the pentanomial
// counts): LL, LD, DD+WL, WD, WW.
type Pairs [5]int

// Classes returns the five counts: the scores 0, 1/4, 1/2, 3/4 and 1.
func (p Pairs) Classes() []int { return p[:] }

// GamesPerOutcome is 2.
func (p Pairs) GamesPerOutcome() int { return 2 }

// Total is the number of pairs, half the number of games.
func (p Pairs) Total() int {
	total := 0
	for _, n := range p {
		total += n
	}
	return total
}

// Plus returns the two counts together.
func (p Pairs) Plus(q Pairs) Pairs {
	for i := range p {
		p[i] += q[i]
	}
	return p
}

// Swapped returns the same pairs as the opponent sees them.
func (p Pairs) Swapped() Pairs {
	return Pairs{p[4], p[3], p[2], p[1], p[0]}
}
