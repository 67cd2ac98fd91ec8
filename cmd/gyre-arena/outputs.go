package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"gyre/bench/journal"
	"gyre/bench/match"
)

// replaceFile writes a file that comes about whole or not at all. A file that is
// there and does not begin with the mark is somebody else's and stays.
func replaceFile(path, mark string, write func(io.Writer) error) error {
	file, err := journal.Replace(path, mark)
	if err != nil {
		return err
	}
	if err := write(file); err != nil {
		return errors.Join(err, file.Close())
	}
	return errors.Join(file.Publish(), file.Close())
}

// mayReplace returns why replaceFile would refuse a file, and leaves it as it is.
func mayReplace(path, mark string) error {
	file, err := journal.Replace(path, mark)
	if err != nil {
		return err
	}
	return file.Close()
}

// namedFile is a file with the flag that it is named by.
type namedFile struct{ flag, path string }

// checkNames refuses one file for two purposes, of which one is to write to it.
func (c *contest) checkNames(files match.Files) error {
	records := "-records"
	if c.records == "" {
		records = "the records of -out (-records gives them another name, or none)"
	}
	outputs := []namedFile{{"-out", files.Lines}, {records, files.Records}, {"-trace", c.trace}, {"-json", c.json}}
	if o := c.flags.Lookup("o"); o != nil {
		outputs = append(outputs, namedFile{"-o", o.Value.String()})
	}
	if o := c.flags.Lookup("outside"); o != nil {
		outputs = append(outputs, namedFile{"-outside", o.Value.String()})
	}
	inputs := []namedFile{{"-openings", c.book}, {"-config", c.config}}
	for i, output := range outputs {
		for _, other := range append(outputs[i+1:len(outputs):len(outputs)], inputs...) {
			if sameFile(output.path, other.path) {
				return fmt.Errorf("%s is named twice, for %s and for %s", output.path, output.flag, other.flag)
			}
		}
	}
	return nil
}

// sameFile tells whether two names are of one file, which may not be there yet.
// Devices may be named as often as one likes.
func sameFile(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	first, err1 := os.Stat(a)
	second, err2 := os.Stat(b)
	if err1 == nil && err2 == nil {
		return first.Mode().IsRegular() && os.SameFile(first, second)
	}
	a, err1 = filepath.Abs(a)
	b, err2 = filepath.Abs(b)
	return err1 == nil && err2 == nil && a == b
}
