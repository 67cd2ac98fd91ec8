package model

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"gyre/cmd/gyre-train/internal/sample"
	"gyre/search/evaluation"
)

// The text of a model is
//
//	gyre model 4
//	NAME: VALUE                what made it, any number of lines
//	                           an empty line
//	removed 1-0 203.1          centipawns by the rings removed, own and theirs: nine lines
//	neither tempo 18.2         for being to move, by stage: see evaluation.Stage
//	neither five MMMM. 24.75   by stage, pattern and index: see evaluation.Pattern.Word
//	both six MMMM.r -3.5
//	checksum 0123456789abcdef  the xxh3 hash of all before this line
//
// An index and its reversal are worth the same, so only the one with the lower
// number has a line. The lines after the empty one come in any order, and each is
// there exactly once; only a pattern without any line is worth nothing, so that a
// new row of the table leaves the models from before as good as they were. The
// checksum is the last line: no text that lost some, or in which a byte changed,
// is taken for a model.
const (
	magicName    = Mark
	magicVersion = "4"
	checksumName = "checksum "
)

// Mark is what the text of every model begins with, whatever its version.
const Mark = "gyre model "

// File is what a file of a model holds.
type File struct {
	About sample.About
	Model *Model // written to a ten-thousandth of a centipawn
}

// Write writes the file. The error is the output's, or says that something of
// the file cannot be written: a value with a line break, or what is no number.
func (f *File) Write(out io.Writer) error {
	var text bytes.Buffer
	fmt.Fprintln(&text, magicName+magicVersion)
	for _, field := range f.About {
		line := field.Name + ": " + field.Value
		if again, err := parseField(line); err != nil || again != field {
			return fmt.Errorf("%q cannot be written as a line", line)
		}
		fmt.Fprintln(&text, line)
	}
	fmt.Fprintln(&text)
	for _, n := range numbers {
		worth := *n.in(f.Model)
		if math.IsNaN(worth) || math.IsInf(worth, 0) {
			return fmt.Errorf("%s is worth %v", n.name, worth)
		}
		fmt.Fprintf(&text, "%s %s\n", n.name, decimals(worth))
	}
	text.WriteString(checksumLine(text.Bytes()))
	_, err := out.Write(text.Bytes())
	return err
}

// checksumLine returns the last line of a text, for all before it.
func checksumLine(before []byte) string {
	return fmt.Sprintf("%s%016x\n", checksumName, xxh3.Hash(before))
}

// decimals writes centipawns.
func decimals(worth float64) string {
	text := strings.TrimRight(strconv.FormatFloat(worth, 'f', 4, 64), "0")
	if text = strings.TrimSuffix(text, "."); text == "-0" {
		return "0"
	}
	return text
}

// number is a number of a model by its name.
type number struct {
	name    string
	pattern int // that it is of, noPattern for none
	in      func(*Model) *float64
}

const noPattern = -1

// numbers are the numbers of a model in the order of the text. Of an index and
// its reversal there is the lower one.
var numbers = func() (list []number) {
	add := func(name string, pattern int, in func(*Model) *float64) {
		list = append(list, number{name, pattern, in})
	}
	for own := range evaluation.RemovedStates {
		for theirs := range evaluation.RemovedStates {
			add(fmt.Sprintf("removed %d-%d", own, theirs), noPattern, func(m *Model) *float64 { return &m.Removed[own][theirs] })
		}
	}
	for s := range evaluation.StageCount {
		add(s.String()+" tempo", noPattern, func(m *Model) *float64 { return &m.Sets[s].Tempo })
	}
	for k, p := range patterns {
		for index := range p.States {
			if index != p.Canonical(index) {
				continue
			}
			for s := range evaluation.StageCount {
				add(s.String()+" "+p.Name+" "+p.Word(index), k, func(m *Model) *float64 { return &m.Sets[s].Patterns[k][index] })
			}
		}
	}
	return list
}()

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
