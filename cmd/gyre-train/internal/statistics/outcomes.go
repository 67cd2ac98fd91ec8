package statistics

import "gyre/cmd/gyre-train/internal/sample"

// Outcomes are positions of one kind, by how their games ended for the side to
// move.
type Outcomes struct{ Lost, Drawn, Won int }

// add counts a position.
func (o *Outcomes) add(s *sample.Sample) {
	switch {
	case s.Result < 0:
		o.Lost++
	case s.Result > 0:
		o.Won++
	default:
		o.Drawn++
	}
}

// Total returns the number of positions.
func (o *Outcomes) Total() int { return o.Lost + o.Drawn + o.Won }

// Points returns the share of the points that the side to move got, in percent.
func (o *Outcomes) Points() float64 {
	return percent(2*o.Won+o.Drawn, 2*o.Total())
}

// percent returns a part of a whole, 0 where there is no whole.
func percent(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}
