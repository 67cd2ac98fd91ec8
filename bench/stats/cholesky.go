package stats

import "math"

// symmetric is a symmetric matrix by rows, both triangles filled in.
type symmetric [][]float64

// newSymmetric returns the zero matrix of n rows.
func newSymmetric(n int) symmetric {
	cells := make([]float64, n*n)
	rows := make(symmetric, n)
	for i := range rows {
		rows[i] = cells[i*n : (i+1)*n]
	}
	return rows
}

// cholesky is the lower triangle L of a positive definite matrix L L^T.
type cholesky [][]float64

// factor returns the Cholesky factor of a, which must be positive definite.
func (a symmetric) factor() cholesky {
	l := cholesky(newSymmetric(len(a)))
	for i := range a {
		for j := 0; j <= i; j++ {
			rest := a[i][j]
			for k := range j {
				rest -= l[i][k] * l[j][k]
			}
			if i == j {
				l[i][i] = math.Sqrt(rest)
			} else {
				l[i][j] = rest / l[j][j]
			}
		}
	}
	return l
}

// solve returns the x for which L L^T x = b.
func (l cholesky) solve(b []float64) []float64 {
	x := make([]float64, len(b))
	for i := range x {
		x[i] = b[i]
		for k := range i {
			x[i] -= l[i][k] * x[k]
		}
		x[i] /= l[i][i]
	}
	for i := len(x) - 1; i >= 0; i-- {
		for k := i + 1; k < len(x); k++ {
			x[i] -= l[k][i] * x[k]
		}
		x[i] /= l[i][i]
	}
	return x
}
