package model

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"gyre/cmd/gyre-train/internal/sample"
)

// The ways in which a text is no model. The error of Read wraps one of them
// unless it is the input's or names a line.
var (
	ErrForeign = errors.New("not a model: it does not begin with " + strconv.Quote(magicName+magicVersion))
	ErrVersion = errors.New("a model of another version")
	ErrDamaged = errors.New("damaged")
)

// mostBytes is more than any model has.
const mostBytes = 1 << 26

// numbersByName are the numbers of a model by name.
var numbersByName = func() map[string]number {
	all := map[string]number{}
	for _, n := range numbers {
		all[n.name] = n
	}
	return all
}()

// Read reads a file. The error says that the text is no model, or damaged, or in
// which line something is wrong, or what is missing.
func Read(in io.Reader) (*File, error) {
	text, err := io.ReadAll(io.LimitReader(in, mostBytes))
	if err != nil {
		return nil, err
	}
	lines, err := checkText(text)
	if err != nil {
		return nil, err
	}
	f := &File{Model: New()}
	seen := map[string]bool{}
	about := true
	for i, line := range lines {
		switch {
		case about && line == "":
			about = false
		case about:
			err = f.readAbout(line)
		default:
			err = f.readNumber(line, seen)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+2, err)
		}
	}
	if err := complete(seen); err != nil {
		return nil, err
	}
	for k := range patterns {
		for index := range patterns[k].States {
			lower := patterns[k].Canonical(index)
			for s := range f.Model.Sets {
				f.Model.Sets[s].Patterns[k][index] = f.Model.Sets[s].Patterns[k][lower]
			}
		}
	}
	return f, nil
}

// complete returns an error if a line is missing of what the lines seen begin.
func complete(seen map[string]bool) error {
	begun := map[int]bool{noPattern: true}
	for name := range seen {
		begun[numbersByName[name].pattern] = true
	}
	for _, n := range numbers {
		if begun[n.pattern] && !seen[n.name] {
			return fmt.Errorf("there is no line for %s", n.name)
		}
	}
	return nil
}

// checkText checks the first and the last line of a text, and returns those
// between.
func checkText(text []byte) (lines []string, err error) {
	first, rest, _ := strings.Cut(string(text), "\n")
	version, found := strings.CutPrefix(first, magicName)
	switch {
	case !found:
		return nil, ErrForeign
	case version != magicVersion:
		return nil, fmt.Errorf("%w: %q, and this program reads %s; make it anew from its samples: gyre-train fit SAMPLES -o MODEL", ErrVersion, version, magicVersion)
	}
	end := bytes.LastIndex(text, []byte("\n"+checksumName)) + 1
	if end == 0 {
		return nil, fmt.Errorf("%w: its last line is not its checksum; it was cut short, or is not finished", ErrDamaged)
	}
	said, want := string(text[end:]), checksumLine(text[:end])
	if said != want {
		return nil, fmt.Errorf("%w: its last line is %q, and should be %q; only if you changed the text yourself, put that there", ErrDamaged, clip(said), strings.TrimSpace(want))
	}
	body := strings.TrimSuffix(strings.TrimSuffix(rest, said), "\n")
	return strings.Split(body, "\n"), nil
}

// clip returns the beginning of a text, so much as a message can bear.
func clip(text string) string {
	const most = 60
	return strings.TrimSuffix(text[:min(len(text), most)], "\n")
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
	n, known := numbersByName[name]
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
	*n.in(f.Model), seen[name] = worth, true
	return nil
}
