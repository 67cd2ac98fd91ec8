package journal

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/zeebo/xxh3"
)

// A line with a checksum is a JSON object whose last member is "sum": the XXH3
// hash (64 bits, Y. Collet) of all bytes of the line before the comma in front of
// it, as 16 hexadecimal digits. So it is still a line of JSON for every reader.
const (
	sumBegins = `,"sum":"`
	sumEnds   = `"}`
	sumDigits = 16
	sumLength = len(sumBegins) + sumDigits + len(sumEnds)
)

// ErrNoChecksum is why Checked refuses a line that has none.
var ErrNoChecksum = errors.New("the line has no checksum")

// AppendChecked appends a JSON object as a line with its checksum to dst. The
// object must have a member at least.
func AppendChecked(dst, object []byte) []byte {
	object = bytes.TrimSuffix(object, []byte("}"))
	dst = append(dst, object...)
	return fmt.Appendf(dst, "%s%0*x%s\n", sumBegins, sumDigits, xxh3.Hash(object), sumEnds)
}

// Checked tests the checksum of a line, with or without its line feed. The error
// is ErrNoChecksum when the line does not end as AppendChecked has it.
func Checked(line []byte) error {
	line = bytes.TrimSuffix(line, []byte("\n"))
	begin := len(line) - sumLength
	if begin < 0 || !bytes.HasPrefix(line[begin:], []byte(sumBegins)) || !bytes.HasSuffix(line, []byte(sumEnds)) {
		return ErrNoChecksum
	}
	sum := line[begin+len(sumBegins) : len(line)-len(sumEnds)]
	if want := fmt.Sprintf("%0*x", sumDigits, xxh3.Hash(line[:begin])); string(sum) != want {
		return errors.New("the line was changed after it was written: its checksum is wrong")
	}
	return nil
}
