package tune

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/zeebo/xxh3"

	"gyre/bench/journal"
)

// line is an iteration on disk.
type line struct {
	Tuning    string `json:"tuning"` // which it belongs to
	Iteration int    `json:"iteration"`
	Program   string `json:"program"`
	Plus      []int  `json:"plus"` // the values of the sides, by parameter
	Minus     []int  `json:"minus"`
	Result
}

// lineBegins is what every line begins with.
const lineBegins = `{"tuning":`

// longestLine bounds a line in bytes.
const longestLine = 1 << 20

// text returns the line with its checksum and its end.
func (l line) text() ([]byte, error) {
	object, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	return journal.AppendChecked(nil, object), nil
}

// identity returns what tells this tuning from others: the same for any number of
// iterations at once.
func (t *Tuning) identity() string {
	var all []string
	for _, p := range t.Parameters {
		all = append(all, p.String())
	}
	text := fmt.Sprint(t.ID, " ", strings.Join(all, " "), " ", t.Iterations, " ", t.Rate, " ", t.Seed, " ", t.Batch)
	return fmt.Sprintf("%016x", xxh3.HashString(text))
}

// open opens the file at path, or begins it, and reads the iterations that it holds.
func (r *run) open(path string) (*journal.Journal, error) {
	return journal.Open(path, func(in io.Reader) (whole int64, err error) {
		reader := bufio.NewReaderSize(in, longestLine)
		for number := 1; ; number++ {
			text, err := reader.ReadSlice('\n')
			if err == io.EOF { // what a run that died leaves of a line is cut off
				if begun := min(len(text), len(lineBegins)); string(text[:begun]) != lineBegins[:begun] && len(bytes.Trim(text, "\x00")) > 0 {
					return whole, fmt.Errorf("%s:%d: %w", path, number, errForeign)
				}
				return whole, nil
			}
			if err == nil {
				err = r.read(text)
			}
			if err != nil {
				return whole, fmt.Errorf("%s:%d: %w", path, number, err)
			}
			whole += int64(len(text))
		}
	})
}

// errForeign is why a file is left alone.
var errForeign = fmt.Errorf("this is no line of a tuning, so the file stays as it is: give another name")

// read takes a whole line.
func (r *run) read(text []byte) error {
	if !bytes.HasPrefix(text, []byte(lineBegins)) {
		return errForeign
	}
	if err := journal.Checked(text); err != nil {
		return err
	}
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return err
	}
	_, twice := r.results[l.Iteration]
	switch {
	case l.Tuning != r.identity():
		return fmt.Errorf("iteration %d is of another tuning, with other parameters, iterations, engines, openings or conditions", l.Iteration)
	case l.Iteration < 1 || l.Iteration > r.Iterations || twice:
		return fmt.Errorf("iteration %d: of %d, each once", l.Iteration, r.Iterations)
	case l.Program != r.Program && !r.OtherPrograms:
		return fmt.Errorf("the engine has changed: its command starts %q, but iteration %d was played by %q; "+
			"begin another tuning with a new -out, or go on all the same with -other-programs", r.Program, l.Iteration, l.Program)
	}
	r.results[l.Iteration] = l.Result
	return nil
}
