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

Makes weights of a model, as the engine's option EvalFile takes them, and beside
them a text of the same name with .txt that says where they come from. Or, the
other way about, makes a model of weights: text, to look at or to change (the
error about its checksum says what to put there then). What is in the first file
decides. The same model makes the same weights on every machine. Weights or a
model of the name given are replaced; any other file is not. For example:

  gyre-train export second.model -o second.weights
  gyre-train export second.weights -o again.model
`

// runExport turns a model into weights, or weights into a model.
func runExport(args []string, stdout, _ io.Writer) error {
	flags := commandline.NewFlags("export")
	path := flags.String("o", "", "`FILE` to write")
	about := flags.String("about", "", "`TEXT`, a line, that weights tell of themselves (default: what they were learned from)")
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
			return &commandline.UsageError{Command: "export", Err: fmt.Errorf("-about is for weights, and %s becomes a model", from.path)}
		}
		return exportModel(from, *path, stdout)
	}
	return exportWeights(from, *path, *about, stdout)
}

// checkExport returns what is wrong with the command line.
func checkExport(names []string, path string) error {
	var err error
	switch {
	case len(names) == 0:
		err = errors.New("no model and no weights given")
	case len(names) > 1:
		err = fmt.Errorf("unexpected word %q", names[1])
	case path == "":
		err = errors.New("where is it to go? Give -o")
	default:
		return nil
	}
	return &commandline.UsageError{Command: "export", Err: err}
}

// exportModel makes a model of weights.
func exportModel(from *modelOf, path string, stdout io.Writer) error {
	file := &model.File{Model: from.model, About: sample.About{{Name: "made of", Value: "weights " + from.String()}}}
	if from.weights.About != "" {
		file.About = append(file.About, sample.Field{Name: "about them", Value: from.weights.About})
	}
	if err := writeFile(path, modelMark, file.Write); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "%s: the model of %s\n", path, from.path)
	return err
}

// exportWeights makes weights of a model.
func exportWeights(from *modelOf, path, about string, stdout io.Writer) error {
	if about == "" {
		about = fmt.Sprintf("%s; learned from %s", from, from.about.Value(learnedFrom))
	}
	weights, err := from.model.Quantise(about)
	if err != nil {
		return fmt.Errorf("%s: %w", from.path, err)
	}
	var file bytes.Buffer
	if err := weights.Write(&file); err != nil {
		return err
	}
	origin := provenance(from, filepath.Base(path), about, xxh3.Hash(file.Bytes()))
	// The text first: no weights are left whose origin nothing tells.
	if err := checkWritable(path, weightsMark); err != nil {
		return err
	}
	if err := writeFile(path+".txt", originMark, func(out io.Writer) error { _, err := io.WriteString(out, origin); return err }); err != nil {
		return err
	}
	if err := writeFile(path, weightsMark, func(out io.Writer) error { _, err := out.Write(file.Bytes()); return err }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s: %d bytes, xxh3 %016x, and %s.txt about them\n", path, file.Len(), xxh3.Hash(file.Bytes()), path)
	return err
}

// provenance is the text beside weights.
func provenance(from *modelOf, name, about string, checksum uint64) string {
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
