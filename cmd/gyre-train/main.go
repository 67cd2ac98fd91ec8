// Command gyre-train learns the engine's evaluation from its own games, and makes
// puzzles for people of them.
//
//	gyre-train COMMAND [FLAGS]
//	gyre-train help [COMMAND]
//
// The map of the files:
//
//	main.go      the table of commands
//	generate.go  generate, samples from games of the engine against itself
//	generation.go  what its games depend on
//	overhub.go   the same by the workers of a hub; range, what they run
//	inspect.go   inspect, what files of samples hold; games counted as they come
//	list.go      list, samples as text
//	fit.go       fit, a model from samples
//	samples.go   the samples that it learns from
//	fitrun.go    epoch by epoch
//	export.go    export, weights for the engine from a model
//	puzzles.go   puzzles, problems for people; puzzlecheck.go searches them anew
//	files.go     reading models and weights, and writing over files of one's own kind alone
//
// Its folders:
//
//	internal/sample     the format of files of samples, and counts of what they hold
//	internal/selfplay   games of the engine against itself
//	internal/fit        finding the model that predicts best
//	internal/model      the model, as text and rounded to weights
//
// The exit status is 0 for success, 1 for a failure, 2 for a command line that
// is wrong, and 130 after a signal.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/zeebo/xxh3"

	"gyre/bench/journal"
	"gyre/cmd/gyre-train/internal/model"
	"gyre/cmd/gyre-train/internal/sample"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
	"gyre/search/evaluation"
)

// program is gyre-train. A new command has a file of its own and a line here.
func program() *commandline.Program {
	return &commandline.Program{Name: "gyre-train", About: engine.About, Commands: []commandline.Command{
		{Name: "generate", Summary: "make samples: positions of the engine's own games, with scores and results", Run: runGenerate},
		{Name: "range", Summary: "write some games of generate to standard output, as workers of a hub do", Run: runRange},
		{Name: "inspect", Summary: "count what files of samples hold, and check them", Run: runInspect},
		{Name: "list", Summary: "write samples as text, a line each", Run: runList},
		{Name: "fit", Summary: "learn a model of the evaluation from samples", Run: runFit},
		{Name: "export", Summary: "make weights for the engine of a model, or a model of weights", Run: runExport},
		{Name: "puzzles", Summary: "make puzzles for people from the engine's games, or check them", Run: runPuzzles},
	}}
}

func main() {
	os.Exit(program().Run(os.Args[1:], os.Stdout, os.Stderr))
}

// modelOf is what a file holds: a model, or weights.
type modelOf struct {
	path     string
	checksum uint64 // xxh3 of the file
	model    *model.Model
	about    sample.About        // nil for weights
	weights  *evaluation.Weights // nil for a model
}

// readModel reads a file of a model or of weights.
func readModel(path string) (*modelOf, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m := &modelOf{path: path, checksum: xxh3.Hash(content)}
	file, err := model.Read(bytes.NewReader(content))
	if err == nil {
		m.model, m.about = file.Model, file.About
		return m, nil
	}
	if !errors.Is(err, model.ErrForeign) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	m.weights, err = evaluation.ReadWeights(bytes.NewReader(content))
	if errors.Is(err, evaluation.ErrForeign) {
		return nil, fmt.Errorf("%s: neither a model nor weights", path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: weights: %w", path, err)
	}
	m.model = model.FromWeights(m.weights)
	return m, nil
}

// String says which file it is.
func (m *modelOf) String() string {
	return fmt.Sprintf("%s, xxh3 %016x", filepath.Base(m.path), m.checksum)
}

// What the files that are written have in their first kilobyte: so a file of the
// same kind is known, which alone is written over.
const (
	modelMark   = model.Mark
	weightsMark = evaluation.FileMark
	originMark  = ": weights of the engine's evaluation\n"
)

// writeFile writes a file whole, or leaves what was there. It writes over a file
// that has the mark, and over no other: that is an error.
func writeFile(path, mark string, write func(io.Writer) error) error {
	file, err := journal.Replace(path, mark)
	if err != nil {
		return err
	}
	if err = write(file); err == nil {
		err = file.Publish()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

// checkWritable returns the error that writeFile would begin with, before work
// is done for the file.
func checkWritable(path, mark string) error {
	file, err := journal.Replace(path, mark)
	if err != nil {
		return err
	}
	return file.Close()
}

// sameFile tells whether two paths name one file.
func sameFile(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	first, err := os.Stat(a)
	second, failed := os.Stat(b)
	return err == nil && failed == nil && os.SameFile(first, second)
}
