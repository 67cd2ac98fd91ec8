package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/openings"
	"gyre/cmd/internal/commandline"
	"gyre/position"
)

// TestOpeningsCommand makes openings twice, and reads them as matches do.
func TestOpeningsCommand(t *testing.T) {
	const line = "openings -count 5 -seed 3 -opening-moves 2 -opening-bound 30 -opening-nodes 100"
	first := runLine(line)
	if diff := cmp.Diff(first, runLine(line)); diff != "" || first.Status != commandline.ExitSuccess {
		t.Errorf("status %d, made again: %s", first.Status, diff)
	}
	book, err := openings.Read(strings.NewReader(first.Stdout), "openings", position.Standard)
	if err != nil || len(book) != 5 || len(book[0].Turns) != 12 {
		t.Errorf("%d openings, %v:\n%s", len(book), err, first.Stdout)
	}
	some := runLine("openings -count 5 -opening-rings 3-4 -opening-bound 0")
	if book, err := openings.Read(strings.NewReader(some.Stdout), "openings", position.Standard); err != nil || len(book) != 5 ||
		len(book[0].Turns) < 3 || len(book[0].Turns) > 4 || !strings.HasPrefix(some.Stdout, openingsMark+"5, seed 1: 3-4 rings at random\n") {
		t.Errorf("%d openings, %v:\n%s", len(book), err, some.Stdout)
	}
	if none := runLine("openings -count 2 -opening-rings 0 -opening-bound 0"); none.Status != commandline.ExitFailure || !strings.Contains(none.Stderr, "no more openings than 1 can be made so") {
		t.Errorf("%+v", none)
	}
	path := filepath.Join(t.TempDir(), "openings.txt")
	runLine(line + " -o " + path)
	if text, err := os.ReadFile(path); err != nil || string(text) != first.Stdout {
		t.Errorf("the file holds %q, %v", text, err)
	}
	for line, message := range map[string]string{
		"openings":                            "how many openings? Give -count",
		"openings -count 1 -rules chess":      `invalid value "chess" for flag -rules: rules "chess": rules are standard or blitz`,
		"openings -count 1 -opening-rings 11": `invalid value "11" for flag -opening-rings: 11 rings at random: not a number or a range from 0 to 10`,
		"openings -count 1 -opening-nodes 0":  "a bound needs nodes to search",
	} {
		if diff := cmp.Diff(usageFailure("openings: "+message, "gyre-arena help openings"), runLine(line)); diff != "" {
			t.Errorf("%s: %s", line, diff)
		}
	}
}
