package conformance

import (
	"os"
	"slices"
	"strings"
	"testing"

	"gyre/position"
)

// TestTable holds the rows to what the others and the documents expect of them.
func TestTable(t *testing.T) {
	document, err := os.ReadFile("../../PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	var headings []string
	for line := range strings.Lines(string(document)) {
		if hashes, heading, found := strings.Cut(strings.TrimSpace(line), " "); found && strings.Trim(hashes, "#") == "" {
			headings = append(headings, heading)
		}
	}
	var before []string
	for _, c := range Checks() {
		if slices.Contains(before, c.Name) {
			t.Errorf("two checks are named %q", c.Name)
		}
		if !slices.Contains(headings, c.Section.Heading) {
			t.Errorf("%s: PROTOCOL.md has no heading %q", c.Name, c.Section.Heading)
		}
		if c.Advice == "" {
			t.Errorf("%s: without advice", c.Name)
		}
		for _, name := range c.Needs {
			if !slices.Contains(before, name) {
				t.Errorf("%s needs %q, which does not come before it", c.Name, name)
			}
		}
		before = append(before, c.Name)
	}
}

// TestSectionsAreDocumented checks that PROTOCOL.md tells of each section, and whether
// engines need it.
func TestSectionsAreDocumented(t *testing.T) {
	document, err := os.ReadFile("../../PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(document), "\n## What an engine needs\n")
	if !found {
		t.Fatal("PROTOCOL.md does not tell what an engine needs")
	}
	for _, s := range Sections() {
		if !strings.Contains(text, "\n| `"+s.Name+"` |") {
			t.Errorf("PROTOCOL.md has no row for the section %s", s.Name)
		}
	}
}

func TestOf(t *testing.T) {
	var got []string
	for _, c := range Of("ponder") {
		if c.Section != handshake {
			got = append(got, c.Section.Name)
		}
	}
	if want := []string{"positions", "turns", "ends", "waiting", "stop", "ponder"}; !slices.Equal(slices.Compact(got), want) {
		t.Errorf("checks of %v, want of %v", slices.Compact(got), want)
	}
}

// TestMaterial checks that the positions hold whatever is asked about.
func TestMaterial(t *testing.T) {
	all, err := allPositions()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, p := range all {
		kinds[p.Position.Result().String()+" "+p.Position.Rules().String()]++
		for _, turn := range p.Position.Turns(nil) {
			switch {
			case turn.Before() > 0 && turn.After() > 0:
				kinds["rows before and after"]++
			case turn.Removals() == 2:
				kinds["two rows"]++
			case turn.Removals() == 1:
				kinds["a row"]++
			case strings.Contains(turn.String(), "pass"):
				kinds["a pass"]++
			}
		}
		for _, turn := range someTurns(&p.Position, 4) {
			if !p.Position.Legal(turn) {
				t.Errorf("%v: %v is not legal", &p.Position, turn)
			}
		}
	}
	for _, kind := range []string{"white standard", "black standard", "draw standard", "ongoing standard", "white blitz", "black blitz", "draw blitz",
		"ongoing blitz", "rows before and after", "two rows", "a row", "a pass"} {
		if kinds[kind] == 0 {
			t.Errorf("no position with %s, but %v", kind, kinds)
		}
	}
	for seed := range uint64(games) {
		for _, rules := range []position.Rules{position.Standard, position.Blitz} {
			if game := randomGame(rules, seed); len(game) > mostTurns {
				t.Errorf("a game of %d turns", len(game))
			}
		}
	}
}
