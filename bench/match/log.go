package match

import (
	"io"

	"gyre/bench/journal"
)

// OpenLog opens the file of lines of a match, or begins it, for this process
// alone, and visits the lines that it holds. A last line that is cut is cut off.
// The error names the line that is wrong, or is visit's with the line's number.
func OpenLog(path string, visit func(*Line) error) (*journal.Journal, error) {
	return journal.Open(path, func(in io.Reader) (int64, error) { return ReadLines(in, path, visit) })
}
