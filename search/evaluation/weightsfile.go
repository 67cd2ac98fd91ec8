package evaluation

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// A file of weights is, with all numbers little-endian:
//
//	magic       8 bytes
//	version     2 bytes, fileVersion
//	length      2 bytes, of what follows
//	about       that many bytes: a line of UTF-8
//	tempo, move, blocked, removed 3 x 3, windows 3125, sixes 15625
//	            each 2 bytes, in two's complement; of removed, theirs runs fastest
//	checksum    8 bytes, the xxh3 hash of all before
const (
	fileMagic   = "GyreWts\n"
	fileVersion = 2

	headBytes     = len(fileMagic) + 2 + 2
	numberBytes   = 2 * (3 + RemovedStates*RemovedStates + WindowStates + SixStates)
	checksumBytes = 8

	// MostAbout is the most bytes that Weights.About can have.
	MostAbout = 1000

	mostFileBytes = headBytes + MostAbout + numberBytes + checksumBytes
)

// The ways in which a file of weights is none. The error of ReadWeights wraps
// one of them.
var (
	ErrForeign  = errors.New("not a file of weights")
	ErrVersion  = errors.New("made for another version")
	ErrCutShort = errors.New("cut short")
	ErrTrailing = errors.New("goes on after its end")
	ErrDamaged  = errors.New("damaged")
)

// ReadWeights reads a file of weights to its end. The error of a file that
// cannot be used says why.
func ReadWeights(in io.Reader) (*Weights, error) {
	file, err := io.ReadAll(io.LimitReader(in, int64(mostFileBytes)+1))
	if err != nil {
		return nil, fmt.Errorf("reading weights: %w", err)
	}
	if err := checkFrame(file); err != nil {
		return nil, err
	}
	body := file[headBytes : len(file)-checksumBytes]
	about, encoded := body[:len(body)-numberBytes], body[len(body)-numberBytes:]
	var n fileNumbers
	if _, err := binary.Decode(encoded, binary.LittleEndian, &n); err != nil {
		return nil, fmt.Errorf("reading weights: %w", err)
	}
	w := &Weights{Windows: n.Windows, Sixes: n.Sixes, Removed: n.Removed, Tempo: n.Tempo, Move: n.Move, Blocked: n.Blocked, About: string(about)}
	if err := w.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return w, nil
}

// checkFrame checks all of a file but the weights in it.
func checkFrame(file []byte) error {
	known := min(len(file), len(fileMagic))
	switch {
	case len(file) == 0:
		return fmt.Errorf("%w: the file is empty", ErrCutShort)
	case string(file[:known]) != fileMagic[:known]:
		return fmt.Errorf("%w: it begins with %q instead of %q", ErrForeign, file[:known], fileMagic[:known])
	case len(file) < headBytes:
		return fmt.Errorf("%w: it ends after %d bytes, within its head", ErrCutShort, len(file))
	}
	version := binary.LittleEndian.Uint16(file[len(fileMagic):])
	about := int(binary.LittleEndian.Uint16(file[len(fileMagic)+2:]))
	want := headBytes + about + numberBytes + checksumBytes
	switch {
	case version != fileVersion:
		return fmt.Errorf("%w: its format has version %d, and only %d is known", ErrVersion, version, fileVersion)
	case about > MostAbout:
		return fmt.Errorf("%w: its line about itself has %d bytes, and %d are allowed", ErrDamaged, about, MostAbout)
	case len(file) < want:
		return fmt.Errorf("%w: it has %d bytes of %d", ErrCutShort, len(file), want)
	case len(file) > want:
		return fmt.Errorf("%w: it has more than its %d bytes", ErrTrailing, want)
	}
	body, checksum := file[:len(file)-checksumBytes], file[len(file)-checksumBytes:]
	if said, is := binary.LittleEndian.Uint64(checksum), xxh3.Hash(body); said != is {
		return fmt.Errorf("%w: its checksum is %016x, and it says %016x", ErrDamaged, is, said)
	}
	return nil
}

// Write writes the weights as a file that ReadWeights reads. Weights that
// ReadWeights would refuse are refused.
func (w *Weights) Write(out io.Writer) error {
	if err := w.check(); err != nil {
		return fmt.Errorf("writing weights: %w", err)
	}
	file := make([]byte, 0, mostFileBytes)
	file = append(file, fileMagic...)
	file = binary.LittleEndian.AppendUint16(file, fileVersion)
	file = binary.LittleEndian.AppendUint16(file, uint16(len(w.About)))
	file = append(file, w.About...)
	file, err := binary.Append(file, binary.LittleEndian, fileNumbers{w.Tempo, w.Move, w.Blocked, w.Removed, w.Windows, w.Sixes})
	if err != nil {
		return fmt.Errorf("writing weights: %w", err)
	}
	file = binary.LittleEndian.AppendUint64(file, xxh3.Hash(file))
	_, err = io.Copy(out, bytes.NewReader(file))
	return err
}

// fileNumbers are the numbers of weights in the order of the file.
type fileNumbers struct {
	Tempo, Move, Blocked int16
	Removed              [RemovedStates][RemovedStates]int16
	Windows              [WindowStates]int16
	Sixes                [SixStates]int16
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
