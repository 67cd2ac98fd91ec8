package hub

import (
	"errors"
	"strings"
	"testing"

	"gyre/bench/hub/internal/wire"
)

// TestFaultsUntold prints a record that counts faults without a description of them.
func TestFaultsUntold(t *testing.T) {
	f := Faults{Count: 7}
	if got := f.Lines(); len(got) != 1 || !strings.Contains(got[0], "7 results rejected") {
		t.Errorf("%q", got)
	}
	if got := (&SuspendedError{f}).Error(); !strings.HasSuffix(got, "7 of its results were rejected") {
		t.Error(got)
	}
}

// unwrapped ends a line of a status without breaking it.
func unwrapped(line string, _ int) string { return line + "\n" }

// TestStatusPlain prints a worker's text with control characters, with line breaks, and with too
// many bytes.
func TestStatusPlain(t *testing.T) {
	said := "\x1b[2J\nworkers: 7" + strings.Repeat("!", 2*wire.MaxText)
	status := Status{
		Matches: map[string]MatchStatus{"m": {Client: said, Progress: Progress{Score: said}}},
		Workers: map[string]WorkerStatus{"w": {Slots: 1, System: said, Limited: said, Refuses: []string{said}, Why: map[string]string{said: said}, Offers: map[string]string{said: said}}},
		Faults:  map[string]Faults{"w": {Count: 1, Last: []string{said}}},
	}
	var told strings.Builder
	if err := status.Write(&told, unwrapped); err != nil {
		t.Fatal(err)
	}
	text := told.String()
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "matches running: 1,") && line != "workers: 1\n" && !strings.HasPrefix(line, "worker w") {
			t.Errorf("a worker's text begins the line %q", line)
		}
	}
	if strings.ContainsRune(text, '\x1b') || strings.Contains(text, strings.Repeat("!", wire.MaxText)) {
		t.Errorf("status shows %q", text)
	}
}

// TestFaultCut checks that the text of a fault is cut between characters.
func TestFaultCut(t *testing.T) {
	var f Faults
	f.Add(errors.New(strings.Repeat("é", 2*wire.MaxText)))
	if got := f.Last[0]; got != strings.Repeat("é", wire.MaxText) {
		t.Errorf("%q", got)
	}
}
