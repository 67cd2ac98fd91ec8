package fit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gyre/cmd/gyre-train/internal/model"
	"gyre/search/evaluation"
)

// Options say how to fit.
type Options struct {
	// Share is that of the game's result in the target, 0 to 1; the rest is the
	// search's score. While the opening lasts they have half each, unless the share is
	// 0 or 1.
	Share float64
	Scale float64 // centipawns to a logit of the scores; 0 to fit it first for each phase of each source, where they matter
	Unit  float64 // centipawns to a logit of the model

	Epochs   int     // times that every example is seen; 0 for as many as are likely to do
	Batch    int     // about how many examples make a step
	Rate     float64 // of learning, at the beginning; it decays to 0 as a cosine does
	Patience int     // epochs without a better loss held out after which to stop; 0 for a third of all, at least 2

	// Ridge is the L2 penalty on what an index of a pattern is worth beside its
	// class, if it has one, and Even that on what it is worth to the side to move
	// more than to the other: half of it for each logit squared is added to the sum
	// of all losses.
	// Apart is the penalty on what a class or an index is worth at a stage beside
	// what it is worth at all.
	Ridge, Even, Apart float64

	Patterns Fitted // that are worth something

	Start   *model.Model // where to begin; nil for a model that knows nothing
	Threads int          // at most; the result does not depend on it
	Step    func()       // called after each batch; may be nil
}

// Fitted is whether each pattern of the table is fitted. It is a flag: their
// names with commas between.
type Fitted [evaluation.PatternCount]bool

// AllPatterns returns that every pattern is fitted.
func AllPatterns() (f Fitted) {
	for k := range f {
		f[k] = true
	}
	return f
}

// String returns the names of the patterns that are fitted.
func (f *Fitted) String() string {
	var names []string
	for k, fitted := range f {
		if fitted {
			names = append(names, patterns[k].Name)
		}
	}
	return strings.Join(names, ",")
}

// Set reads names of patterns; the empty text is none.
func (f *Fitted) Set(text string) error {
	var read Fitted
	for name := range strings.SplitSeq(text, ",") {
		k := slices.IndexFunc(patterns[:], func(p evaluation.Pattern) bool { return p.Name == name })
		if k < 0 && text != "" {
			all := AllPatterns()
			return fmt.Errorf("no pattern is called %q; there are %s", name, &all)
		}
		if k >= 0 {
			read[k] = true
		}
	}
	*f = read
	return nil
}

// Default are the options of the engine's evaluation.
var Default = Options{Share: 0.25, Unit: 100, Batch: 1000, Rate: 0.01, Ridge: 300, Even: 1000, Apart: 300, Patterns: AllPatterns(), Threads: 1}

// Check returns what is wrong with the options, nil if nothing.
func (o *Options) Check() error {
	switch {
	case !(o.Share >= 0 && o.Share <= 1):
		return fmt.Errorf("a share of %v: give one from 0 to 1", o.Share)
	case !(o.Scale >= 0):
		return fmt.Errorf("a scale of %v: give one above 0, or 0 to fit it", o.Scale)
	case o.Epochs < 0:
		return fmt.Errorf("%d epochs: give at least one, or 0 to have them chosen", o.Epochs)
	case o.Batch < 1:
		return fmt.Errorf("batches of %d: give at least one", o.Batch)
	case !(o.Rate > 0):
		return fmt.Errorf("a rate of %v: give one above 0", o.Rate)
	case !(o.Ridge >= 0) || !(o.Even >= 0) || !(o.Apart >= 0):
		return errors.New("a penalty below 0")
	case o.Patience < 0:
		return fmt.Errorf("a patience of %d epochs: give at least one, or 0 to have it chosen", o.Patience)
	case !(o.Unit > 0):
		return fmt.Errorf("a unit of %v centipawns: give one above 0", o.Unit)
	case o.Threads < 1:
		return fmt.Errorf("%d threads: give at least one", o.Threads)
	}
	return nil
}

// Where no number of epochs is given there are usualEpochs, or so many that they
// have leastSteps batches: few positions need to be seen more often.
const (
	usualEpochs = 5
	leastSteps  = 2000
)

// Steps returns how many batches an epoch of a dataset has, and how many epochs
// there are.
func (o *Options) Steps(d *Dataset) (batches, epochs int) {
	batches = (d.Learned() + o.Batch - 1) / o.Batch
	epochs = o.Epochs
	if epochs == 0 && batches > 0 {
		epochs = max(usualEpochs, (leastSteps+batches-1)/batches)
	}
	return batches, epochs
}
