package model

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"gyre/cmd/gyre-train/internal/sample"
	"gyre/position"
	"gyre/search/evaluation"
)

// ErrForeign is the error of a file that is no model.
var ErrForeign = errors.New("not a model: it does not begin with " + strconv.Quote(magic))

// numbers are the numbers of a model by name.
var numbers = func() map[string]func(*evaluation.Model) *float64 {
	all := map[string]func(*evaluation.Model) *float64{}
	for _, n := range names {
		all[n.name] = n.in
	}
	return all
}()

// Read reads a file. The error says in which line something is wrong, or what is
// missing.
func Read(in io.Reader) (*File, error) {
	lines := bufio.NewScanner(in)
	if !lines.Scan() || lines.Text() != magic {
		return nil, errors.Join(ErrForeign, lines.Err())
	}
	f := &File{}
	seen := map[string]bool{}
	about := true
	for at := 2; lines.Scan(); at++ {
		var err error
		switch line := lines.Text(); {
		case about && line == "":
			about = false
		case about:
			err = f.readAbout(line)
		default:
			err = f.readNumber(line, seen)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", at, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	for _, n := range names {
		if !seen[n.name] {
			return nil, fmt.Errorf("there is no line for %s, or the text ends too soon", n.name)
		}
	}
	for index := range f.Model.Windows {
		f.Model.Windows[index] = f.Model.Windows[min(index, evaluation.Reversed(index, position.RowLength))]
	}
	for index := range f.Model.Sixes {
		f.Model.Sixes[index] = f.Model.Sixes[min(index, evaluation.Reversed(index, evaluation.SixPoints))]
	}
	return f, nil
}

// readAbout reads a line of what made the model.
func (f *File) readAbout(line string) error {
	field, err := parseField(line)
	f.About = append(f.About, field)
	return err
}

// parseField reads NAME: VALUE.
func parseField(line string) (sample.Field, error) {
	name, value, found := strings.Cut(line, ": ")
	if !found || name == "" || strings.ContainsAny(line, "\r\n") ||
		strings.TrimSpace(name) != name || strings.TrimSpace(value) != value {
		return sample.Field{}, fmt.Errorf("%q is not NAME: VALUE", line)
	}
	return sample.Field{Name: name, Value: value}, nil
}

// readNumber reads a line of the model.
func (f *File) readNumber(line string, seen map[string]bool) error {
	end := strings.LastIndexByte(line, ' ')
	if end < 0 {
		return fmt.Errorf("%q is no name and a number", line)
	}
	name, text := line[:end], line[end+1:]
	in, known := numbers[name]
	switch {
	case !known:
		return fmt.Errorf("%q is no part of a model", name)
	case seen[name]:
		return fmt.Errorf("%s comes a second time", name)
	}
	worth, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(worth) || math.IsInf(worth, 0) {
		return fmt.Errorf("%s: %q is no number of centipawns", name, text)
	}
	*in(&f.Model), seen[name] = worth, true
	return nil
}
