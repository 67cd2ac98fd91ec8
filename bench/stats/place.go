package stats

import "math"

// Opponent is an engine of a known rating, and what another did against it.
type Opponent struct {
	Elo   Estimate
	Games Games // as the other sees them
	Pairs Pairs // as the other sees them, and not among Games
}

// Place returns the rating of an engine that has met opponents of known ratings:
// the likeliest under the Bradley-Terry model with a draw as half a win and half
// a loss, with prior virtual games, half of them won, against each opponent met,
// as for Rate. prior must be positive; it keeps the rating finite.
//
// The error is that of the likelihood's curvature, with those of the opponents'
// ratings, taken as independent, by the weight that each has. Without games the
// rating is 0 with an infinite error.
func Place(opponents []Opponent, prior float64) Estimate {
	low, high := -placeReach, placeReach
	for range 100 {
		middle := (low + high) / 2
		if excess, _ := placeAt(opponents, prior, middle); excess > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	rating := (low + high) / 2
	_, weights := placeAt(opponents, prior, rating)
	total := 0.0
	for _, w := range weights {
		total += w
	}
	if total == 0 {
		return Estimate{Error: math.Inf(1)}
	}
	reach := confidence * naturalElo / math.Sqrt(total)
	variance := reach * reach
	for i, w := range weights {
		part := w / total * opponents[i].Elo.Error
		variance += part * part
	}
	return Estimate{Value: rating, Error: math.Sqrt(variance)}
}

// placeReach bounds ratings, in Elo, far beyond any that games can show.
const placeReach = 100_000.0

// placeAt returns the points that an engine of a rating made beyond those
// expected of it, and the weight of each opponent: the information of its games.
func placeAt(opponents []Opponent, prior, elo float64) (excess float64, weights []float64) {
	for _, o := range opponents {
		e := Encounter{Games: o.Games, Pairs: o.Pairs}
		games := float64(e.games())
		if games == 0 {
			weights = append(weights, 0)
			continue
		}
		p := ScoreOfElo(elo - o.Elo.Value)
		excess += e.points() + prior/2 - (games+prior)*p
		weights = append(weights, (games+prior)*p*(1-p))
	}
	return excess, weights
}
