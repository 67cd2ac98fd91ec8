package tune

import (
	"encoding/json"
	"errors"
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

// kind is that of a file of iterations.
var kind = journal.Kind{
	Begins:  `{"tuning":`,
	Foreign: errors.New("this is no line of a tuning, so the file stays as it is: give another name"),
}

// text returns the line with its checksum and its end.
func (l line) text() ([]byte, error) {
	object, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	return journal.AppendChecked(nil, object), nil
}

// Identity returns what tells this tuning from others: the same for any number of
// iterations at once.
func (t *Tuning) Identity() string {
	var all []string
	for _, p := range t.Parameters {
		all = append(all, p.String())
	}
	text := fmt.Sprint(t.ID, " ", strings.Join(all, " "), " ", t.Iterations, " ", t.Rate, " ", t.Seed, " ", t.Batch)
	return fmt.Sprintf("%016x", xxh3.HashString(text))
}

// open opens the file at path, or begins it, and reads the iterations that it holds.
func (r *run) open(path string) (*journal.Journal, error) {
	return journal.Open(path, func(in io.Reader) (int64, error) { return kind.ReadLines(in, path, r.read) })
}

// read takes a whole line.
func (r *run) read(text []byte) error {
	if err := kind.Check(text); err != nil {
		return err
	}
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return err
	}
	_, twice := r.results[l.Iteration]
	switch {
	case l.Tuning != r.Identity():
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
