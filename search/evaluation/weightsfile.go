package evaluation

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// A file of weights is, with all numbers little-endian:
//
//	magic     8 bytes
//	version   2 bytes, fileVersion
//	about     2 bytes, its length, and so many bytes: a line of UTF-8
//	patterns  2 bytes, its length, and so many bytes: fileLayout, the table of
//	          patterns that the numbers are for
//	numbers   2 bytes each, in two's complement: tempo; removed, 3 x 3, theirs
//	          runs fastest; the weights of each pattern in the order of the table
//	checksum  8 bytes, the xxh3 hash of all before
//
// So a file that was made for another table of patterns is known by its layout.
const (
	fileMagic   = FileMark
	fileVersion = 3

	headBytes     = len(fileMagic) + 2 + 2
	checksumBytes = 8

	// MostAbout is the most bytes that Weights.About can have.
	MostAbout = 1000

	// mostFileBytes is more than any file of weights has, also one of another
	// program.
	mostFileBytes = 1 << 24
)

// FileMark is what every file of weights begins with, whatever its version.
const FileMark = "GyreWts\n"

// fileLayout is the table of patterns as a file has it: "NAME POINTS STATES UNIT"
// for each, such as "five 5 3125 16, six 6 15625 16".
var fileLayout = func() string {
	var rows []string
	for _, p := range patterns {
		rows = append(rows, fmt.Sprintf("%s %d %d %d", p.Name, p.Points, p.States, p.Unit))
	}
	return strings.Join(rows, ", ")
}()

// numberBytes is the length of the numbers in a file.
var numberBytes = func() int {
	numbers := 1 + RemovedStates*RemovedStates
	for _, p := range patterns {
		numbers += p.States
	}
	return 2 * numbers
}()

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
	about, numbers, err := splitFile(file)
	if err != nil {
		return nil, err
	}
	w := NewWeights(about)
	if err := w.eachNumber(func(part any) (err error) {
		n, err := binary.Decode(numbers, binary.LittleEndian, part)
		numbers = numbers[n:]
		return err
	}); err != nil {
		return nil, fmt.Errorf("reading weights: %w", err)
	}
	if err := w.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return w, nil
}

// eachNumber visits the parts that are the numbers of a file, in their order.
func (w *Weights) eachNumber(visit func(part any) error) error {
	err := errors.Join(visit(&w.Tempo), visit(&w.Removed))
	for k := range w.Patterns {
		err = errors.Join(err, visit(w.Patterns[k]))
	}
	return err
}

// splitFile checks all of a file but the weights in it, and returns its line
// about itself and its numbers.
func splitFile(file []byte) (about string, numbers []byte, err error) {
	if err := checkHead(file); err != nil {
		return "", nil, err
	}
	rest := file[len(fileMagic)+2:]
	texts := [2]string{}
	for i, most := range []int{MostAbout, mostFileBytes} {
		length := int(binary.LittleEndian.Uint16(rest))
		if length > most {
			return "", nil, fmt.Errorf("%w: its line about itself has %d bytes, and %d are allowed", ErrDamaged, length, most)
		}
		if len(rest) < 2+length+2 {
			return "", nil, fmt.Errorf("%w: it ends after %d bytes, within its head", ErrCutShort, len(file))
		}
		texts[i], rest = string(rest[2:2+length]), rest[2+length:]
	}
	body, checksum := file[:max(0, len(file)-checksumBytes)], file[max(0, len(file)-checksumBytes):]
	whole := len(checksum) == checksumBytes && binary.LittleEndian.Uint64(checksum) == xxh3.Hash(body)
	want := len(file) - len(rest) + numberBytes + checksumBytes
	switch {
	case whole && texts[1] != fileLayout:
		return "", nil, fmt.Errorf("%w: its patterns are %q, and this program's %q; %s", ErrVersion, texts[1], fileLayout, remake)
	case len(file) < want:
		return "", nil, fmt.Errorf("%w: it has %d bytes of %d", ErrCutShort, len(file), want)
	case len(file) > want:
		return "", nil, fmt.Errorf("%w: it has more than its %d bytes", ErrTrailing, want)
	case !whole:
		return "", nil, fmt.Errorf("%w: its checksum is %016x, and it says %016x", ErrDamaged, xxh3.Hash(body), binary.LittleEndian.Uint64(checksum))
	}
	return texts[0], rest[:numberBytes], nil
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
	for _, text := range []string{w.About, fileLayout} {
		file = binary.LittleEndian.AppendUint16(file, uint16(len(text)))
		file = append(file, text...)
	}
	if err := w.eachNumber(func(part any) (err error) {
		file, err = binary.Append(file, binary.LittleEndian, part)
		return err
	}); err != nil {
		return fmt.Errorf("writing weights: %w", err)
	}
	file = binary.LittleEndian.AppendUint64(file, xxh3.Hash(file))
	_, err := io.Copy(out, bytes.NewReader(file))
	return err
}

// checkAbout tells whether a text can stand in a file as the line about it.
func checkAbout(about string) error {
	switch {
	case len(about) > MostAbout:
		return fmt.Errorf("the line about the weights has %d bytes, and %d are allowed", len(about), MostAbout)
	case !utf8.ValidString(about):
		return errors.New("the line about the weights is not UTF-8")
	}
	for _, r := range about {
		if !unicode.IsPrint(r) {
			return fmt.Errorf("the line about the weights holds %U, which cannot be printed", r)
		}
	}
	return nil
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
