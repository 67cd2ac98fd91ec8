package stats

import "math"

// NiceStep returns the smallest step of 1, 2 or 5 times a power of ten that divides span into
// at most most parts, for the axis of a chart (Heckbert, "Nice Numbers for Graph Labels",
// Graphics Gems, 1990). It returns 0 for an empty span.
func NiceStep(span, most float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(span/most)))
	for _, times := range []float64{1, 2, 5} {
		if span <= most*times*power*(1+1e-9) {
			return times * power
		}
	}
	return 10 * power
}
