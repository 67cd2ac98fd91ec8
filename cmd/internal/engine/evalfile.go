package engine

import (
	"errors"
	"io/fs"
	"os"

	"gyre/search/evaluation"
)

// setEvalFile sets the weights of the evaluation: those in a file, or with an
// empty path those that the program carries. What was found with other weights
// is forgotten. If the file cannot be used, all stays as it was.
func (e *Engine) setEvalFile(path string) error {
	evaluator := evaluation.DefaultEvaluator()
	if path != "" {
		weights, err := ReadWeights(path)
		if err != nil {
			return err
		}
		evaluator = evaluation.NewEvaluator(weights)
	}
	e.evaluator = evaluator
	e.searcher.SetEvaluator(evaluator)
	return nil
}

// errNotRegular refuses what may never come to an end, such as a pipe.
var errNotRegular = errors.New("not a regular file")

// ReadWeights reads weights from the file of a path. The error leaves it to the
// caller to name the file.
func ReadWeights(path string) (*evaluation.Weights, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, withoutPath(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, withoutPath(err)
	}
	defer file.Close()
	return evaluation.ReadWeights(file)
}

// withoutPath returns what is wrong with a file, without its path.
func withoutPath(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
