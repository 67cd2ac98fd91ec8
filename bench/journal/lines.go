package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Kind is what tells the lines of a journal from those of other files.
type Kind struct {
	Begins  string // with what every line does
	Foreign error  // why a file with other lines stays as it is
}

// longestLine bounds a line in bytes. That of the longest game has some 20,000.
const longestLine = 1 << 20

// ReadLines visits the lines of a file of that name, and returns how many bytes the whole
// lines have. A last line without an end, which is what a run that died leaves, is passed
// over, and so are empty lines. The error names the line: it is visit's, or Foreign where
// the file ends with what begins no line of the kind.
//
// Whether a whole line is one of the kind, and its checksum, are visit's to check: see
// Check.
func (k *Kind) ReadLines(in io.Reader, name string, visit func(text []byte) error) (whole int64, err error) {
	reader := bufio.NewReaderSize(in, longestLine)
	for number := 1; ; number++ {
		text, err := reader.ReadSlice('\n')
		ended := err == io.EOF
		switch {
		case ended:
			err = k.checkCut(text)
		case err == nil && len(bytes.TrimSpace(text)) > 0:
			err = visit(text)
		}
		if err != nil {
			return whole, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		if ended {
			return whole, nil
		}
		whole += int64(len(text))
	}
}

// Check tests a whole line. The error is Foreign for a line of another kind, ErrNoChecksum
// for one of this kind that has none, and another when it was changed.
func (k *Kind) Check(text []byte) error {
	err := Checked(text)
	if errors.Is(err, ErrNoChecksum) && !bytes.HasPrefix(text, []byte(k.Begins)) {
		return k.Foreign
	}
	return err
}

// checkCut returns nil for the beginning of a line. What a file system leaves of one after
// a power failure may also be zeros.
func (k *Kind) checkCut(text []byte) error {
	shown := min(len(text), len(k.Begins))
	if string(text[:shown]) != k.Begins[:shown] && len(bytes.Trim(text, "\x00")) > 0 {
		return k.Foreign
	}
	if n := len(text); n > 0 && Checked(text[:n-1]) == nil {
		return errors.New("the line's end was changed after it was written")
	}
	return nil
}
