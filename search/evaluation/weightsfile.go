package evaluation

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"
)

// A file of weights is, with all numbers little-endian:
//
//	magic     8 bytes
//	version   2 bytes, fileVersion
//	about     2 bytes, its length, and so many bytes: a line of UTF-8
//	patterns  2 bytes, its length, and so many bytes: the patterns that it has
//	          weights of, as "NAME POINTS STATES UNIT" with ", " between
//	length    4 bytes, of the numbers
//	numbers   as zigzag varints (encoding/binary): tempo by stage; removed, 3 x 3,
//	          theirs runs fastest; of each pattern in that order its weights by
//	          stage, of an index and its reversal the lower one's
//	checksum  8 bytes, the xxh3 hash of all before
//
// A pattern of the table that a file does not name is worth nothing: so a new row
// of the table leaves the files from before as good as they were. A file with a
// pattern that the table does not have is refused.
const (
	fileMagic   = FileMark
	fileVersion = 4

	headBytes     = len(fileMagic) + 2 + 2
	lengthBytes   = 4
	checksumBytes = 8

	// mostFileBytes is more than any file of weights has, also one of another
	// program.
	mostFileBytes = 1 << 24
)

// FileMark is what every file of weights begins with, whatever its version.
const FileMark = "GyreWts\n"

// layoutRow is a pattern as a file names it, such as "five 5 3125 16".
func (p *Pattern) layoutRow() string {
	return fmt.Sprintf("%s %d %d %d", p.Name, p.Points, p.States, p.Unit)
}

// layout is the table of patterns as a file names it.
func layout() string {
	var rows []string
	for k := range patterns {
		rows = append(rows, patterns[k].layoutRow())
	}
	return strings.Join(rows, ", ")
}

// parseLayout returns the patterns that a layout names, and whether the table has
// them all and none comes twice.
func parseLayout(text string) (rows []int, known bool) {
	for _, row := range strings.Split(text, ", ") {
		k := slices.IndexFunc(patterns[:], func(p Pattern) bool { return p.layoutRow() == row })
		if k < 0 || slices.Contains(rows, k) {
			return nil, false
		}
		rows = append(rows, k)
	}
	return rows, true
}

// The ways in which a file of weights is none. The error of ReadWeights wraps
// one of them.
var (
	ErrForeign  = errors.New("not a file of weights")
	ErrVersion  = errors.New("made for another version")
	ErrCutShort = errors.New("cut short")
	ErrTrailing = errors.New("goes on after its end")
	ErrDamaged  = errors.New("damaged")
)

// remake says how to make weights of another version anew.
const remake = "make it anew from its samples: gyre-train fit SAMPLES -o MODEL, then gyre-train export MODEL -o WEIGHTS"

// ReadWeights reads a file of weights to its end. The error of a file that
// cannot be used says why.
func ReadWeights(in io.Reader) (*Weights, error) {
	file, err := io.ReadAll(io.LimitReader(in, mostFileBytes))
	if err != nil {
		return nil, fmt.Errorf("reading weights: %w", err)
	}
	about, rows, numbers, err := splitFile(file)
	if err != nil {
		return nil, err
	}
	w := NewWeights(about)
	if err := w.readNumbers(rows, numbers); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err := checkAbout(w.About); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return w, nil
}

// splitFile checks all of a file but the weights in it, and returns its line
// about itself, the patterns that it has and its numbers.
func splitFile(file []byte) (about string, rows []int, numbers []byte, err error) {
	if err := checkHead(file); err != nil {
		return "", nil, nil, err
	}
	about, rest, ok := cutText(file[len(fileMagic)+2:])
	named, rest, alsoOK := cutText(rest)
	switch {
	case ok && len(about) > MostAbout:
		return "", nil, nil, fmt.Errorf("%w: its line about itself has %d bytes, and %d are allowed", ErrDamaged, len(about), MostAbout)
	case !ok || !alsoOK || len(rest) < lengthBytes+checksumBytes:
		return "", nil, nil, fmt.Errorf("%w: it ends after %d bytes, within its head", ErrCutShort, len(file))
	}
	body, checksum := file[:len(file)-checksumBytes], binary.LittleEndian.Uint64(file[len(file)-checksumBytes:])
	rows, known := parseLayout(named)
	length := int(binary.LittleEndian.Uint32(rest))
	rest = rest[lengthBytes:]
	want := len(file) - len(rest) + length + checksumBytes
	switch whole := checksum == xxh3.Hash(body); {
	case whole && !known:
		return "", nil, nil, fmt.Errorf("%w: its patterns are %q, and this program's %q; %s", ErrVersion, named, layout(), remake)
	case known && len(file) < want:
		return "", nil, nil, fmt.Errorf("%w: it has %d bytes of %d", ErrCutShort, len(file), want)
	case known && len(file) > want:
		return "", nil, nil, fmt.Errorf("%w: it has more than its %d bytes", ErrTrailing, want)
	case !whole:
		return "", nil, nil, fmt.Errorf("%w: its checksum is %016x, and it says %016x", ErrDamaged, xxh3.Hash(body), checksum)
	}
	return about, rows, rest[:length], nil
}

// cutText splits a text with its length before it off.
func cutText(file []byte) (text string, rest []byte, ok bool) {
	if len(file) < 2 {
		return "", nil, false
	}
	length := int(binary.LittleEndian.Uint16(file))
	if file = file[2:]; length > len(file) {
		return "", nil, false
	}
	return string(file[:length]), file[length:], true
}

// checkHead checks the magic and the version of a file.
func checkHead(file []byte) error {
	known := min(len(file), len(fileMagic))
	switch {
	case len(file) == 0:
		return fmt.Errorf("%w: the file is empty", ErrCutShort)
	case string(file[:known]) != fileMagic[:known]:
		return fmt.Errorf("%w: it begins with %q instead of %q", ErrForeign, file[:known], fileMagic[:known])
	case len(file) < headBytes:
		return fmt.Errorf("%w: it ends after %d bytes, within its head", ErrCutShort, len(file))
	}
	if version := binary.LittleEndian.Uint16(file[len(fileMagic):]); version != fileVersion {
		return fmt.Errorf("%w: its format has version %d, and this program reads %d; %s", ErrVersion, version, fileVersion, remake)
	}
	return nil
}

// Write writes the weights as a file that ReadWeights reads. Weights that
// [Weights.Check] refuses are refused.
func (w *Weights) Write(out io.Writer) error {
	if err := w.Check(); err != nil {
		return fmt.Errorf("writing weights: %w", err)
	}
	file := binary.LittleEndian.AppendUint16([]byte(fileMagic), fileVersion)
	for _, text := range []string{w.About, layout()} {
		file = binary.LittleEndian.AppendUint16(file, uint16(len(text)))
		file = append(file, text...)
	}
	rows, _ := parseLayout(layout())
	numbers := w.numbers(rows)
	file = append(binary.LittleEndian.AppendUint32(file, uint32(len(numbers))), numbers...)
	file = binary.LittleEndian.AppendUint64(file, xxh3.Hash(file))
	_, err := io.Copy(out, bytes.NewReader(file))
	return err
}

// The weights that the engine plays with unless it is told otherwise.
// gyre.weights.txt tells how they were made.
//
//go:embed gyre.weights
var embedded []byte

// Checksum returns the XXH3 hash of the file of weights that the program carries, as
// gyre.weights.txt names it.
func Checksum() uint64 { return xxh3.Hash(embedded) }

// DefaultEvaluator returns the evaluator of the weights that the program
// carries, always the same one.
var DefaultEvaluator = sync.OnceValue(func() *Evaluator {
	w, err := ReadWeights(bytes.NewReader(embedded))
	if err != nil {
		panic("the weights in the program: " + err.Error()) // a test reads them
	}
	return NewEvaluator(w)
})

// numbers returns the numbers of a file with some patterns, as they stand in it.
func (w *Weights) numbers(rows []int) (numbers []byte) {
	w.eachNumber(rows, func(number *int16) { numbers = binary.AppendVarint(numbers, int64(*number)) })
	return numbers
}

// readNumbers reads the numbers of a file with some patterns.
func (w *Weights) readNumbers(rows []int, numbers []byte) error {
	count, wrong := 0, false
	w.eachNumber(rows, func(number *int16) {
		value, length := binary.Varint(numbers)
		if wrong = wrong || length <= 0 || value != int64(int16(value)); wrong {
			return
		}
		*number, numbers = int16(value), numbers[length:]
		count++
	})
	switch {
	case wrong:
		return fmt.Errorf("number %d is none of 16 bits", count+1)
	case len(numbers) > 0:
		return fmt.Errorf("%d bytes follow its %d numbers", len(numbers), count)
	}
	w.reverse()
	return nil
}

// eachNumber visits the numbers of a file with some patterns, in their order.
func (w *Weights) eachNumber(rows []int, visit func(number *int16)) {
	for s := range w.Sets {
		visit(&w.Sets[s].Tempo)
	}
	for own := range w.Removed {
		for theirs := range w.Removed[own] {
			visit(&w.Removed[own][theirs])
		}
	}
	for _, k := range rows {
		lower := patterns[k].lower()
		for s := range w.Sets {
			for _, index := range lower {
				visit(&w.Sets[s].Patterns[k][index])
			}
		}
	}
}

// lower returns the indexes that are not above their reversal.
func (p *Pattern) lower() (list []int) {
	for index := range p.States {
		if index == p.Canonical(index) {
			list = append(list, index)
		}
	}
	return list
}

// reverse gives each index the weight of the lower one of it and its reversal.
func (w *Weights) reverse() {
	for k := range patterns {
		for index := range patterns[k].States {
			lower := patterns[k].Canonical(index)
			for s := range w.Sets {
				w.Sets[s].Patterns[k][index] = w.Sets[s].Patterns[k][lower]
			}
		}
	}
}
