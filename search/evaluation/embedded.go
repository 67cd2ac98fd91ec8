package evaluation

import (
	"bytes"
	_ "embed"
	"sync"
)

// The weights that the engine plays with unless it is told otherwise.
// gyre.weights.txt tells how they were made.
//
//go:embed gyre.weights
var embedded []byte

// Default returns the weights that the program carries.
func Default() *Weights { return DefaultEvaluator().Weights() }

// DefaultEvaluator returns the evaluator of the weights that the program
// carries, always the same one.
var DefaultEvaluator = sync.OnceValue(func() *Evaluator {
	w, err := ReadWeights(bytes.NewReader(embedded))
	if err != nil {
		panic("the weights in the program: " + err.Error()) // a test reads them
	}
	return NewEvaluator(w)
})
