package puzzles

import (
	"errors"
	"fmt"
	"regexp"

	"gyre/position"
)

// idForm is the form of an id.
var idForm = regexp.MustCompile(`^[a-z0-9]{1,16}$`)

// Check returns what is wrong with a puzzle by the rules of the game alone, nil if
// nothing. Its solution must be legal.
func (z *Puzzle) Check() error {
	switch {
	case !idForm.MatchString(z.ID):
		return fmt.Errorf("id %q: one to 16 small letters and digits are wanted", z.ID)
	case z.Rating < 0 || z.Rating > MostRating:
		return fmt.Errorf("rating %d: not from 0 to %d", z.Rating, MostRating)
	case z.Mate < 0 || z.Mate > MostMate:
		return fmt.Errorf("mate %d: not from 1 to %d, nor left out", z.Mate, MostMate)
	case len(z.Solution)%2 == 0:
		return fmt.Errorf("a solution of %d turns: it begins and ends with the solver's", len(z.Solution))
	case !z.Has(z.Theme):
		return fmt.Errorf("theme %v: it does not fit the solution", z.Theme)
	}
	return z.checkEnd()
}

// checkEnd checks how the solution ends: with a game that the solver has won, after as
// many turns as it wins in, or going on.
func (z *Puzzle) checkEnd() error {
	p := z.Position
	for _, t := range z.Solution {
		p = after(&p, t)
	}
	turns := (len(z.Solution) + 1) / 2
	switch won := p.Result() == wonBy(z.Position.SideToMove()); {
	case p.Over() && !won:
		return errors.New("the solver has not won at the end of the solution")
	case won && z.Mate != turns:
		return fmt.Errorf("the solution wins in %d, and mate is %d", turns, z.Mate)
	case !won && z.Mate > 0 && turns >= z.Mate:
		return fmt.Errorf("the solution has not won after %d turns of the solver, and mate is %d", turns, z.Mate)
	}
	return nil
}

// wonBy is the result in which a side has won.
func wonBy(side position.Side) position.Result {
	return position.WhiteWins + position.Result(side)
}
