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
	"gyre/search/evaluation"
)

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
