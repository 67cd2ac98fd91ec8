// Command gyre-train trains the engine's evaluation on its own games, and makes puzzles for
// people from them.
//
//	gyre-train COMMAND [FLAGS]
//	gyre-train help [COMMAND]
//
// The usual order of commands is generate (samples from games), fit (a model from samples) and
// export (weights for the engine from a model). Each file here holds one command or a
// few related ones. The packages are
//
//	cmd/internal/sample    the file format of samples, and statistics
//	cmd/internal/selfplay  games of the engine against itself
//	internal/fit           training a model
//	internal/model         the model as text, and rounded to weights
//
// The exit status is 0 for success, 1 for a failure, 2 for an invalid command line, and 130
// after an interrupt.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/zeebo/xxh3"

	"gyre/cmd/gyre-train/internal/model"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
	"gyre/cmd/internal/sample"
	"gyre/position/plaintext"
	"gyre/search/evaluation"
)

// program describes gyre-train. Each command is listed here.
func program() *commandline.Program {
	return &commandline.Program{Name: "gyre-train", About: engine.About, Commands: []commandline.Command{
		{Name: "generate", Summary: "generate samples: positions of the engine's own games, with scores and results", Run: runGenerate},
		{Name: "range", Summary: "write a range of generate's games to standard output, for workers of a hub", Run: runRange},
		{Name: "score", Summary: "make samples from the games of a match, or search samples again", Run: runScore},
		{Name: "inspect", Summary: "check files of samples and print statistics", Run: runInspect},
		{Name: "list", Summary: "print samples as text, one per line", Run: runList},
		{Name: "fit", Summary: "train a model of the evaluation on samples", Run: runFit},
		{Name: "loss", Summary: "measure how well a model predicts files of samples", Run: runLoss},
		{Name: "export", Summary: "convert a model to weights for the engine, or weights to a model", Run: runExport},
		{Name: "puzzles", Summary: "make puzzles for people from the engine's games, or check them", Run: runPuzzles},
	}}
}

func main() {
	os.Exit(program().Run(os.Args[1:], os.Stdout, os.Stderr))
}

// modelFile is the content of a file with a model or weights.
type modelFile struct {
	path     string
	checksum uint64 // xxh3 of the file
	model    *model.Model
	about    sample.About        // nil for weights
	weights  *evaluation.Weights // nil for a model
}

// readModel reads a file with a model or weights.
func readModel(path string) (*modelFile, error) {
	content, err := commandline.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(content) == 0 {
		return nil, fmt.Errorf("%s: the file is empty; give a model or weights", path)
	}
	m := &modelFile{path: path, checksum: xxh3.Hash(content)}
	file, err := model.Read(bytes.NewReader(content))
	if err == nil {
		m.model, m.about = file.Model, file.About
		return m, nil
	}
	if !errors.Is(err, model.ErrForeign) {
		return nil, plaintext.In(path, err)
	}
	m.weights, err = evaluation.ReadWeights(bytes.NewReader(content))
	if errors.Is(err, evaluation.ErrForeign) {
		return nil, fmt.Errorf("%s: neither a model nor weights; to make a model of samples, use gyre-train fit", path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: weights: %w", path, err)
	}
	m.model = model.FromWeights(m.weights)
	return m, nil
}

// String identifies the file.
func (m *modelFile) String() string {
	return fmt.Sprintf("%s, xxh3 %016x", filepath.Base(m.path), m.checksum)
}

// originMark is a text in the first kilobyte of files about weights. Only files with it are
// overwritten.
const originMark = ": weights of the engine's evaluation\n"
