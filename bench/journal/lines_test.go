package journal

import (
	"errors"
	"strings"
	"testing"
)

// TestReadLines reads files of one kind of line, whole, cut, changed and foreign.
func TestReadLines(t *testing.T) {
	kind := Kind{Begins: `{"it":`, Foreign: errors.New("foreign")}
	line := string(AppendChecked(nil, []byte(`{"it":1}`)))
	for _, test := range []struct {
		name, text string
		lines      int
		rest       int    // bytes that are not of whole lines
		fails      string // what the error holds
	}{
		{"nothing", "", 0, 0, ""},
		{"two", line + line, 2, 0, ""},
		{"an empty line between", line + "\n" + line, 2, 0, ""},
		{"a line cut early", line + line[:3], 1, 3, ""},
		{"a line cut late", line + line[:len(line)-2], 1, len(line) - 2, ""},
		{"zeros after a power failure", line + "\x00\x00\x00", 1, 3, ""},
		{"another end of a whole line", line + line[:len(line)-1] + "x", 1, len(line), "f:2: the line's end was changed"},
		{"a byte changed", line + strings.Replace(line, "1", "2", 1), 1, len(line), "f:2: the line was changed"},
		{"no checksum", line + `{"it":1}` + "\n", 1, 9, "f:2: the line has no checksum"},
		{"a foreign line", "e3 f6\n" + line, 0, 6 + len(line), "f:1: foreign"},
		{"a foreign line without an end", line + "e3", 1, 2, "f:2: foreign"},
		{"a line too long", line + strings.Repeat("x", longestLine+1) + "\n", 1, longestLine + 2, "f:2: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			lines := 0
			whole, err := kind.ReadLines(strings.NewReader(test.text), "f", func(text []byte) error {
				if err := kind.Check(text); err != nil {
					return err
				}
				lines++
				return nil
			})
			if lines != test.lines || whole != int64(len(test.text)-test.rest) {
				t.Errorf("%d lines, %d bytes", lines, whole)
			}
			if (err == nil) != (test.fails == "") || err != nil && !strings.HasPrefix(err.Error(), test.fails) {
				t.Errorf("error %v, want %q", err, test.fails)
			}
		})
	}
}
