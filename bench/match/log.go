package match

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"gyre/bench/journal"
)

// OpenLog opens the file of lines of a match, or begins it, for this process
// alone, and visits the lines that it holds. A last line that is cut is cut off.
// The error names the line that is wrong, or is visit's with the line's number.
func OpenLog(path string, visit func(*Line) error) (*journal.Journal, error) {
	return journal.Open(path, func(in io.Reader) (int64, error) { return ReadLines(in, path, visit) })
}

// longestLine bounds a line in bytes. The longest game has some 20,000.
const longestLine = 1 << 20

// ReadLines visits the lines of a file of that name, and returns how many bytes
// the whole lines have. A last line without an end was cut when it was written,
// and is passed over. Any other line that is no game is an error, which names
// it; so is visit's.
func ReadLines(in io.Reader, name string, visit func(*Line) error) (whole int64, err error) {
	reader := bufio.NewReaderSize(in, longestLine)
	for number := 1; ; number++ {
		text, err := reader.ReadSlice('\n')
		if err == io.EOF {
			return whole, nil
		}
		if err == nil && len(bytes.TrimSpace(text)) > 0 {
			var line *Line
			if line, err = ParseLine(text); err == nil {
				err = visit(line)
			}
		}
		if err != nil {
			return whole, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		whole += int64(len(text))
	}
}
