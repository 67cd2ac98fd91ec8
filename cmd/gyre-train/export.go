package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/zeebo/xxh3"

	"gyre/cmd/gyre-train/internal/model"
	"gyre/cmd/gyre-train/internal/sample"
	"gyre/cmd/internal/commandline"
)

const exportSynopsis = `usage: gyre-train export FILE -o FILE [-about TEXT]

Converts a model to weights for the engine's option EvalFile. It also writes a text
file about their provenance, with .txt added to the name. Or converts weights to a
model, which is text that you can read and change. (If you change it, an error about
the checksum says what to write instead.) The type of the first file decides. The
same model produces the same weights on every machine. Existing weights or models
are overwritten; other files are not. Examples:

  gyre-train export second.model -o second.weights
  gyre-train export second.weights -o again.model
`

// runExport runs the command.
func runExport(args []string, stdout, _ io.Writer) error {
	flags := commandline.NewFlags("export")
	path := flags.String("o", "", "output `FILE`")
	about := flags.String("about", "", "one-line `TEXT` stored in the weights (default: what they were learned from)")
	names, args := commandline.LeadingWords(args)
	err := commandline.Parse(flags, args, exportSynopsis, stdout)
	if err == nil {
		err = checkExport(names, *path)
	}
	if err != nil {
		return err
	}
	from, err := readModel(names[0])
	if err != nil {
		return err
	}
	if from.weights != nil {
		if *about != "" {
			return &commandline.UsageError{Command: "export", Err: fmt.Errorf("-about has no effect because %s is converted to a model; leave it out", from.path)}
		}
		return exportModel(from, *path, stdout)
	}
	return exportWeights(from, *path, *about, stdout)
}

// checkExport reports what is wrong with the command line, or nil.
func checkExport(names []string, path string) error {
	var err error
	switch {
	case len(names) == 0:
		err = errors.New("no model or weights given")
	case len(names) > 1:
		err = fmt.Errorf("unexpected argument %q", names[1])
	case path == "":
		err = errors.New("no output file given; use -o FILE")
	default:
		return nil
	}
	return &commandline.UsageError{Command: "export", Err: err}
}

// exportModel converts weights to a model.
func exportModel(from *modelFile, path string, stdout io.Writer) error {
	file := &model.File{Model: from.model, About: sample.About{{Name: "made of", Value: "weights " + from.String()}}}
	if from.weights.About != "" {
		file.About = append(file.About, sample.Field{Name: "about them", Value: from.weights.About})
	}
	if err := writeFile(path, modelMark, file.Write); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "%s: model of the weights in %s\n", path, from.path)
	return err
}

// exportWeights converts a model to weights.
func exportWeights(from *modelFile, path, about string, stdout io.Writer) error {
	if about == "" {
		about = fmt.Sprintf("%s; learned from %s", from, from.about.Value(learnedFrom))
	}
	weights, err := from.model.Quantize(about)
	if err != nil {
		return fmt.Errorf("%s: %w", from.path, err)
	}
	var file bytes.Buffer
	if err := weights.Write(&file); err != nil {
		return err
	}
	origin := provenance(from, filepath.Base(path), about, xxh3.Hash(file.Bytes()))
	// Write the text first, so that weights never exist without it.
	if err := checkWritable(path, weightsMark); err != nil {
		return err
	}
	if err := writeFile(path+".txt", originMark, func(out io.Writer) error { _, err := io.WriteString(out, origin); return err }); err != nil {
		return err
	}
	if err := writeFile(path, weightsMark, func(out io.Writer) error { _, err := out.Write(file.Bytes()); return err }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s: %d bytes, xxh3 %016x; their provenance is in %s.txt\n", path, file.Len(), xxh3.Hash(file.Bytes()), path)
	return err
}

// provenance returns the text about weights.
func provenance(from *modelFile, name, about string, checksum uint64) string {
	text := name + originMark + "\n"
	for _, f := range append(sample.About{
		{Name: "checksum", Value: fmt.Sprintf("xxh3 %016x", checksum)},
		{Name: "about", Value: about},
		{Name: "rounded", Value: model.Rounding()},
		{Name: "model", Value: from.String()},
	}, from.about...) {
		text += fmt.Sprintf("%s: %s\n", f.Name, f.Value)
	}
	return text
}
