package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/zeebo/xxh3"

	"gyre/cmd/gyre-train/internal/model"
	"gyre/cmd/gyre-train/internal/sample"
	"gyre/search/evaluation"
)

// modelOf is what a file holds: a model, or weights.
type modelOf struct {
	path     string
	checksum uint64 // xxh3 of the file
	model    evaluation.Model
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

// writeFile writes a file whole, or leaves what was there.
func writeFile(path string, write func(io.Writer) error) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.new")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("writing %s: %w", path, err), os.Remove(file.Name()))
		}
	}()
	err = errors.Join(write(file), file.Chmod(0o644), file.Sync(), file.Close())
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
