package fit

import "math"

// adam is the optimiser of Kingma and Ba, "Adam: A Method for Stochastic
// Optimization" (2015), with their constants.
type adam struct {
	mean, square []float64 // moving means of the gradient and of its square
	steps        int
}

const (
	meanDecay   = 0.9
	squareDecay = 0.999
	adamEpsilon = 1e-8
)

// newAdam returns the optimiser of so many parameters.
func newAdam(parameters int) *adam {
	return &adam{mean: make([]float64, parameters), square: make([]float64, parameters)}
}

// step moves the parameters against a gradient at a rate.
func (a *adam) step(parameters, gradient []float64, rate float64) {
	a.steps++
	meanBias := 1 - math.Pow(meanDecay, float64(a.steps))
	squareBias := 1 - math.Pow(squareDecay, float64(a.steps))
	for i, g := range gradient {
		a.mean[i] += (1 - meanDecay) * (g - a.mean[i])
		a.square[i] += (1 - squareDecay) * (g*g - a.square[i])
		parameters[i] -= rate * (a.mean[i] / meanBias) / (math.Sqrt(a.square[i]/squareBias) + adamEpsilon)
	}
}

// cosine returns the share of the rate that is left after so much of a fit, 0 at
// its beginning to 1 at its end.
func cosine(done float64) float64 { return (1 + math.Cos(math.Pi*done)) / 2 }
