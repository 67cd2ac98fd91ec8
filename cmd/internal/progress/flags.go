package progress

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"
)

// Flags are the flags -progress and -every.
type Flags struct {
	kind  string
	every time.Duration
}

// kinds are the values of the flag -progress.
var kinds = []string{"auto", "bar", "lines", "none"}

// Add adds the flags to a set.
func (f *Flags) Add(flags *flag.FlagSet) {
	flags.StringVar(&f.kind, "progress", "auto", "`bar`, lines, none, or auto: a bar on a terminal, else lines")
	flags.DurationVar(&f.every, "every", 10*time.Second, "`time` between two lines of progress")
}

// Check returns what is wrong with the flags, nil if nothing.
func (f *Flags) Check() error {
	if !slices.Contains(kinds, f.kind) {
		return fmt.Errorf("-progress %q: none of %s", f.kind, strings.Join(kinds, ", "))
	}
	return nil
}

// Meter returns the meter that the flags ask for, of work that is counted in a
// unit. Lines go to stdout; a bar, and what is told, to stderr.
func (f *Flags) Meter(unit string, stdout, stderr io.Writer) *Meter {
	m := &Meter{unit: unit, stderr: stderr, every: f.every}
	kind := f.kind
	if kind == "auto" {
		kind = "lines"
		if isTerminal(stderr) {
			kind = "bar"
		}
	}
	switch kind {
	case "bar":
		m.bar = newBar(stderr)
	case "lines":
		m.lines = stdout
	}
	return m
}

// isTerminal tells whether a writer is one.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
