// Package model holds the weights of the evaluation as real numbers, as a fit finds them, and
// their text format.
package model

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"

	"gyre/cmd/internal/sample"
	"gyre/position/plaintext"
	"gyre/search/evaluation"
)

// Model holds the weights of the evaluation before rounding: those of [evaluation.Weights] as
// real numbers, in centipawns for the side to move. Create it with New.
type Model struct {
	Sets    [evaluation.StageCount]Set
	Removed [evaluation.RemovedStates][evaluation.RemovedStates]float64
	Net     Net
}

// Net is the part of a model for the crossings, an [evaluation.Net]: the units of hidden units
// range from 0 to 1. Create it with NewNet. Without units it adds nothing.
type Net struct {
	Bias    []float64                                                 // by unit
	Inputs  [evaluation.BoardStates][evaluation.LineClasses][]float64 // by unit
	Readout [evaluation.Buckets][2][]float64                          // by unit, in centipawns
	Base    [evaluation.Buckets]float64                               // in centipawns
}

// NewNet returns a net in which every number is 0.
func NewNet(units int) (n Net) {
	n.each(func(_ string, list *[]float64) { *list = make([]float64, units) })
	return n
}

// Units returns the number of hidden units.
func (n *Net) Units() int { return len(n.Bias) }

// each visits the lists of numbers by unit, with their names.
func (n *Net) each(visit func(name string, list *[]float64)) {
	visit("bias", &n.Bias)
	for state := range n.Inputs {
		for class := range n.Inputs[state] {
			visit(fmt.Sprintf("input %c %d", stateLetters[state], class), &n.Inputs[state][class])
		}
	}
	for b := range n.Readout {
		visit(fmt.Sprintf("readout %v own", evaluation.Bucket(b)), &n.Readout[b][0])
		visit(fmt.Sprintf("readout %v theirs", evaluation.Bucket(b)), &n.Readout[b][1])
	}
}

// stateLetters holds the letters of [evaluation.Pattern.Word] for the states of a point.
var stateLetters = func() (letters [evaluation.BoardStates]byte) {
	for state := range letters {
		letters[state] = patterns[0].Word(state)[0]
	}
	return letters
}()

// Set is the part of a model for one stage.
type Set struct {
	Patterns [evaluation.PatternCount][]float64 // by pattern and index
	Tempo    float64
}

// patterns is the table of patterns.
var patterns = evaluation.Patterns()

// New returns a model in which every number is 0.
func New() *Model {
	m := &Model{}
	for s := range m.Sets {
		for k := range patterns {
			m.Sets[s].Patterns[k] = make([]float64, patterns[k].States)
		}
	}
	return m
}

// pairs visits each number of a model with its rounded value in w, which has as many hidden units. unit
// is the value of 1 after rounding. name is valid until visit returns.
func pairs(m *Model, w *evaluation.Weights, visit func(number *float64, rounded *int16, unit int, name func() string)) {
	for s := range m.Sets {
		stage, set, roundedSet := evaluation.Stage(s), &m.Sets[s], &w.Sets[s]
		for k := range patterns {
			p, index := &patterns[k], 0
			name := func() string { return fmt.Sprintf("%v %s %s", stage, p.Name, p.Word(index)) }
			for index = range set.Patterns[k] {
				visit(&set.Patterns[k][index], &roundedSet.Patterns[k][index], p.Unit, name)
			}
		}
		visit(&set.Tempo, &roundedSet.Tempo, 1, func() string { return fmt.Sprintf("%v tempo", stage) })
	}
	for own := range m.Removed {
		for theirs := range m.Removed[own] {
			visit(&m.Removed[own][theirs], &w.Removed[own][theirs], 1, func() string { return fmt.Sprintf("rings removed %d-%d", own, theirs) })
		}
	}
	if m.Net.Units() == 0 {
		return
	}
	list := func(numbers []float64, rounded []int16, unit int, name string) {
		for k := range numbers {
			visit(&numbers[k], &rounded[k], unit, func() string { return fmt.Sprintf("net %s, unit %d", name, k) })
		}
	}
	list(m.Net.Bias, w.Net.Bias, evaluation.HiddenUnit, "bias")
	for state := range m.Net.Inputs {
		for class := range m.Net.Inputs[state] {
			list(m.Net.Inputs[state][class], w.Net.Inputs[state][class], evaluation.HiddenUnit, "input")
		}
	}
	for b := range m.Net.Readout {
		visit(&m.Net.Base[b], &w.Net.Base[b], evaluation.FinestUnit, func() string { return fmt.Sprintf("net base %v", evaluation.Bucket(b)) })
		for view := range m.Net.Readout[b] {
			list(m.Net.Readout[b][view], w.Net.Readout[b][view], evaluation.ReadoutUnit, "readout")
		}
	}
}

// FromWeights converts weights to a model.
func FromWeights(w *evaluation.Weights) *Model {
	m := New()
	if units := w.Net.Units(); units > 0 {
		m.Net = NewNet(units)
	}
	pairs(m, w, func(number *float64, rounded *int16, unit int, _ func() string) {
		*number = float64(*rounded) / float64(unit)
	})
	return m
}

// Evaluate returns the evaluation of a position with features f without its crossings, in
// centipawns for the side to move.
func (m *Model) Evaluate(f *evaluation.Features) float64 {
	set := &m.Sets[f.Stage]
	worth := m.Removed[f.Own][f.Theirs] + set.Tempo
	for k, indexes := range f.Indexes {
		for _, index := range indexes {
			worth += set.Patterns[k][index]
		}
	}
	return worth
}

// Quantize rounds a model to weights with the given description. It returns an error if a number
// is out of range or not a number, or if the values of an index and its reversal differ.
//
// The same model gives the same weights on every architecture: numbers are multiplied and
// rounded without an addition, so there is no multiply-add to fuse.
func (m *Model) Quantize(about string) (*evaluation.Weights, error) {
	w := evaluation.NewWeights(about)
	if units := m.Net.Units(); units > 0 {
		w.Net = evaluation.NewNet(units)
	}
	var err error
	pairs(m, w, func(number *float64, rounded *int16, unit int, name func() string) {
		product := math.Round(*number * float64(unit))
		if err == nil && !(product >= math.MinInt16 && product <= math.MaxInt16) {
			err = fmt.Errorf("%s: %g centipawns are beyond the range of a weight, ±%g", name(), *number, math.MaxInt16/float64(unit))
		}
		*rounded = int16(product)
	})
	if err == nil {
		err = w.Check()
	}
	if err != nil {
		return nil, fmt.Errorf("rounding weights: %w", err)
	}
	return w, nil
}

// Rounding describes the rounding of Quantize.
func Rounding() string {
	text := ""
	for _, p := range patterns {
		text += fmt.Sprintf("%s to 1/%d centipawn, ", p.Name, p.Unit)
	}
	return text + "all else to whole centipawns"
}

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
// The lines after the empty one may come in any order, each exactly once; those of the net keep
// theirs. A pattern without lines has value 0, and a model without net lines has no net. So
// older models stay valid. The checksum is the last line, so that truncated or changed text is
// detected.
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
	for _, n := range numbers() {
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
var numbers = sync.OnceValue(func() (list []number) {
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
})

// The errors for text that is not a model. Other errors of Read are those of the input or name a
// line.
var (
	ErrForeign = errors.New("not a model: it does not begin with " + strconv.Quote(magicName+magicVersion))
	ErrVersion = errors.New("model of another version")
	ErrDamaged = errors.New("damaged")
)

// maxBytes is larger than every model.
const maxBytes = 1 << 26

// numbersByName maps the names of numbers to their places in the list.
var numbersByName = sync.OnceValue(func() map[string]int {
	all := map[string]int{}
	for i, n := range numbers() {
		all[n.name] = i
	}
	return all
})

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
	seen := make([]bool, len(numbers()))
	about := true
	var net []string
	for i, line := range lines {
		rest, ofNet := strings.CutPrefix(line, netPrefix)
		switch {
		case about && line == "":
			about = false
		case about:
			var field sample.Field
			field, err = parseField(line)
			f.About = append(f.About, field)
		case ofNet:
			net = append(net, rest)
		default:
			err = f.readNumber(line, seen)
		}
		if err != nil {
			return nil, &plaintext.LineError{Line: i + 2, Err: err}
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

// complete reports which line is missing, or nil. seen records the numbers with a line.
func complete(seen []bool) error {
	begun := map[int]bool{noPattern: true}
	for i, n := range numbers() {
		if seen[i] {
			begun[n.pattern] = true
		}
	}
	for i, n := range numbers() {
		if !seen[i] && begun[n.pattern] {
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
func (f *File) readNumber(line string, seen []bool) error {
	end := strings.LastIndexByte(line, ' ')
	if end < 0 {
		return fmt.Errorf("%q: expected a name and a number", line)
	}
	name, text := line[:end], line[end+1:]
	i, known := numbersByName()[name]
	switch {
	case !known:
		return fmt.Errorf("unknown name %q", name)
	case seen[i]:
		return fmt.Errorf("%s is repeated", name)
	}
	worth, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(worth) || math.IsInf(worth, 0) {
		return fmt.Errorf("%s: %q is not a number of centipawns", name, text)
	}
	*numbers()[i].in(f.Model), seen[i] = worth, true
	return nil
}
