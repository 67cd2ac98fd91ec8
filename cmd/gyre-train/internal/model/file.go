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
//	NAME: VALUE                provenance, any number of lines
//	                           an empty line
//	removed 1-0 203.1          centipawns for removed rings, own and theirs: nine lines
//	neither tempo 18.2         centipawns for the move, by stage: see evaluation.Stage
//	neither five MMMM. 24.75   by stage, pattern and index: see evaluation.Pattern.Word
//	both six MMMM.r -3.5
//	net bias 0.1 0.25 ...      the net, if there is one: a number for each hidden unit
//	net input M 17 -0.3 ...    by state of the point and class of the line
//	net readout 2-1 own 3 ...  centipawns by bucket and view: own or theirs
//	net base 12.5 ...          centipawns by bucket
//	checksum 0123456789abcdef  the xxh3 hash of everything before this line
//
// An index and its reversal share a value, so only the one with the lower number has a line.
// The lines after the empty one may come in any order, each exactly once; those of the net
// keep theirs. A pattern without any
// line has value 0, so that models stay valid when a pattern is added to the table; so has
// a model without the lines of the net. The
// checksum is the last line, so that truncated or changed text is detected.
const (
	magicName    = Mark
	magicVersion = "4"
	checksumName = "checksum "
)

// Mark begins the text of every model, whatever its version.
const Mark = "gyre model "

// File is the content of a model file.
type File struct {
	About sample.About
	Model *Model // written with a precision of 0.0001 centipawns
}

// Write writes the file. It returns an error if a field contains a line break or a number is
// not finite.
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
			return fmt.Errorf("%s is %v", n.name, worth)
		}
		fmt.Fprintf(&text, "%s %s\n", n.name, decimals(worth))
	}
	if err := f.Model.Net.write(&text); err != nil {
		return err
	}
	text.WriteString(checksumLine(text.Bytes()))
	_, err := out.Write(text.Bytes())
	return err
}

// write appends the lines of the net.
func (n *Net) write(text *bytes.Buffer) (err error) {
	if n.Units() == 0 {
		return nil
	}
	n.eachLine(func(name string, list []float64) {
		text.WriteString(netPrefix + name)
		for _, value := range list {
			if math.IsNaN(value) || math.IsInf(value, 0) {
				err = fmt.Errorf("%s%s has a %v", netPrefix, name, value)
			}
			text.WriteString(" " + decimals(value))
		}
		text.WriteByte('\n')
	})
	return err
}

// netPrefix begins the lines of the net.
const netPrefix = "net "

// eachLine visits the lists of numbers of the lines of the net.
func (n *Net) eachLine(visit func(name string, list []float64)) {
	n.each(func(name string, list *[]float64) { visit(name, *list) })
	visit("base", n.Base[:])
}

// readNet sets the net to that of its lines, without their prefix.
func (n *Net) readNet(lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	bias, found := strings.CutPrefix(lines[0], "bias ")
	units := len(strings.Fields(bias))
	if !found || units > evaluation.MaxUnits {
		return fmt.Errorf("%q: expected the bias of 1 to %d units as the first line of the net", clip(lines[0]), evaluation.MaxUnits)
	}
	*n = NewNet(units)
	var err error
	n.eachLine(func(name string, list []float64) {
		if err != nil {
			return
		}
		if len(lines) == 0 {
			err = fmt.Errorf("the line for %s%s is missing", netPrefix, name)
			return
		}
		text, found := strings.CutPrefix(lines[0], name+" ")
		words := strings.Fields(text)
		if !found || len(words) != len(list) {
			err = fmt.Errorf("%q: expected %s%s and %d numbers", clip(netPrefix+lines[0]), netPrefix, name, len(list))
			return
		}
		for i, word := range words {
			if list[i], err = strconv.ParseFloat(word, 64); err != nil || math.IsNaN(list[i]) || math.IsInf(list[i], 0) {
				err = fmt.Errorf("%s%s: %q is not a number", netPrefix, name, word)
				return
			}
		}
		lines = lines[1:]
	})
	if err == nil && len(lines) > 0 {
		err = fmt.Errorf("%q: an unexpected line of the net", clip(netPrefix+lines[0]))
	}
	return err
}

// checksumLine returns the last line of a text that begins with before.
func checksumLine(before []byte) string {
	return fmt.Sprintf("%s%016x\n", checksumName, xxh3.Hash(before))
}

// decimals formats centipawns.
func decimals(worth float64) string {
	text := strings.TrimRight(strconv.FormatFloat(worth, 'f', 4, 64), "0")
	if text = strings.TrimSuffix(text, "."); text == "-0" {
		return "0"
	}
	return text
}

// number is a named number of a model.
type number struct {
	name    string
	pattern int // its pattern, or noPattern
	in      func(*Model) *float64
}

const noPattern = -1

// numbers lists the numbers of a model in the order of the text, without reversals.
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

// The errors for text that is not a model. Other errors of Read are those of the input or name a
// line.
var (
	ErrForeign = errors.New("not a model: it does not begin with " + strconv.Quote(magicName+magicVersion))
	ErrVersion = errors.New("model of another version")
	ErrDamaged = errors.New("damaged")
)

// maxBytes is larger than every model.
const maxBytes = 1 << 26

// numbersByName maps the names of numbers.
var numbersByName = func() map[string]number {
	all := map[string]number{}
	for _, n := range numbers {
		all[n.name] = n
	}
	return all
}()

// Read reads a file. The error says that the text is not a model, that it is damaged, which line
// is wrong, or which is missing.
func Read(in io.Reader) (*File, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxBytes))
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
	var net []string
	for i, line := range lines {
		rest, ofNet := strings.CutPrefix(line, netPrefix)
		switch {
		case about && line == "":
			about = false
		case about:
			err = f.readAbout(line)
		case ofNet:
			net = append(net, rest)
		default:
			err = f.readNumber(line, seen)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+2, err)
		}
	}
	if err := errors.Join(complete(seen), f.Model.Net.readNet(net)); err != nil {
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

// complete reports which line is missing, or nil.
func complete(seen map[string]bool) error {
	begun := map[int]bool{noPattern: true}
	for name := range seen {
		begun[numbersByName[name].pattern] = true
	}
	for _, n := range numbers {
		if begun[n.pattern] && !seen[n.name] {
			return fmt.Errorf("the line for %s is missing", n.name)
		}
	}
	return nil
}

// checkText checks the first and the last line and returns the lines between them.
func checkText(text []byte) (lines []string, err error) {
	first, rest, _ := strings.Cut(string(text), "\n")
	version, found := strings.CutPrefix(first, magicName)
	switch {
	case !found:
		return nil, ErrForeign
	case version != magicVersion:
		return nil, fmt.Errorf("%w %q: this program reads version %s; make the model again with gyre-train fit SAMPLES -o MODEL", ErrVersion, version, magicVersion)
	}
	end := bytes.LastIndex(text, []byte("\n"+checksumName)) + 1
	if end == 0 {
		return nil, fmt.Errorf("%w: the last line is not a checksum; the file is incomplete", ErrDamaged)
	}
	said, want := string(text[end:]), checksumLine(text[:end])
	if said != want {
		return nil, fmt.Errorf("%w: the last line is %q, but should be %q; if you changed the text yourself, write that instead", ErrDamaged, clip(said), strings.TrimSpace(want))
	}
	body := strings.TrimSuffix(strings.TrimSuffix(rest, said), "\n")
	return strings.Split(body, "\n"), nil
}

// clip shortens a text for a message.
func clip(text string) string {
	const most = 60
	return strings.TrimSuffix(text[:min(len(text), most)], "\n")
}

// readAbout parses a line of the provenance.
func (f *File) readAbout(line string) error {
	field, err := parseField(line)
	f.About = append(f.About, field)
	return err
}

// parseField parses NAME: VALUE.
func parseField(line string) (sample.Field, error) {
	name, value, found := strings.Cut(line, ": ")
	if !found || name == "" || strings.ContainsAny(line, "\r\n") ||
		strings.TrimSpace(name) != name || strings.TrimSpace(value) != value {
		return sample.Field{}, fmt.Errorf("%q: expected NAME: VALUE", line)
	}
	return sample.Field{Name: name, Value: value}, nil
}

// readNumber parses a line of the model.
func (f *File) readNumber(line string, seen map[string]bool) error {
	end := strings.LastIndexByte(line, ' ')
	if end < 0 {
		return fmt.Errorf("%q: expected a name and a number", line)
	}
	name, text := line[:end], line[end+1:]
	n, known := numbersByName[name]
	switch {
	case !known:
		return fmt.Errorf("unknown name %q", name)
	case seen[name]:
		return fmt.Errorf("%s is repeated", name)
	}
	worth, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(worth) || math.IsInf(worth, 0) {
		return fmt.Errorf("%s: %q is not a number of centipawns", name, text)
	}
	*n.in(f.Model), seen[name] = worth, true
	return nil
}
