package stats

// maxHalvings ends a bisection that does not settle earlier.
const maxHalvings = 200

// tilt returns the distribution likeliest to show the shares p among those
// under which the mean of phi is zero: p_i / (1 + theta phi_i) with the theta
// for which sum p_i phi_i / (1 + theta phi_i) = 0.
//
// All of p is positive, and phi takes both signs. Then the sum falls from +Inf
// to -Inf as theta goes from -1/max(phi) to -1/min(phi), and the one root lies
// between.
//
// A rare class can put the root next to an end, where 1 + theta phi_i loses its
// digits. So theta is written as (1-u)/m, with m the distance of phi's end from
// zero on the root's side: the denominators become 1 + phi_i/m - u phi_i/m,
// which is u itself for the class at the end.
func tilt(p, phi []float64) []float64 {
	mean := 0.0
	for i, f := range phi {
		mean += p[i] * f
	}
	// With the sign of phi turned so that its mean is positive, theta is too.
	turn := float64(sign(mean))
	m := 0.0
	for _, f := range phi {
		m = max(m, -turn*f)
	}
	ratios := make([]float64, len(phi))
	for i, f := range phi {
		ratios[i] = turn * f / m
	}
	u := risingRoot(func(u float64) float64 {
		sum := 0.0
		for i, r := range ratios {
			sum += p[i] * r / (1 + r - u*r)
		}
		return sum
	})
	tilted := make([]float64, len(p))
	for i, r := range ratios {
		tilted[i] = p[i] / (1 + r - u*r)
	}
	return tilted
}

// risingRoot bisects 0 to 1 for the root of f, which rises through zero once
// above 0 and at or below 1. The root is positive, and good to a float64's
// relative precision. f is not called at 0.
func risingRoot(f func(float64) float64) float64 {
	low, high := 0.0, 1.0
	for range maxHalvings {
		middle := low + (high-low)/2
		if middle <= low || middle >= high {
			break
		}
		if f(middle) < 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
