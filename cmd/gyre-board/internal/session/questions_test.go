package session

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// openingsAfter returns the answer to openings after the given turns.
func openingsAfter(t *testing.T, turns string) openingsAnswer {
	t.Helper()
	got := answers(t, `{"id":1,"do":"openings","path":{"turns":[`+turns+`]}}`)
	var reply struct{ OK openingsAnswer }
	if len(got) != 1 || json.Unmarshal([]byte(got[0]), &reply) != nil {
		t.Fatal(got)
	}
	return reply.OK
}

// TestOpeningsAreInTheTable checks the keys of the first turns. Symmetric turns have one key,
// and the page's table contains the keys.
func TestOpeningsAreInTheTable(t *testing.T) {
	middle, first := openingsAfter(t, `"f6"`), openingsAfter(t, "")
	alike := 0
	for _, turn := range middle.Turns {
		alike += turn.Alike
	}
	if len(middle.Keys) != 2 || len(middle.Turns) != len(first.Turns)-1 || alike != 84 {
		t.Errorf("%d keys, %d turns of %d, and %d first ones", len(middle.Keys), len(middle.Turns), alike, len(first.Turns))
	}
	file, err := os.Open("../../page/parts/explorer/openings.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	known := map[string]bool{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		key, _, _ := strings.Cut(lines.Text(), " ")
		known[key] = true
	}
	if !known["#"] || !known[middle.Keys[1]] || len(known) < 200 {
		t.Errorf("the table of %d positions does not know the middle", len(known))
	}
	found := 0
	for _, turn := range first.Turns {
		if known[turn.Key] {
			found++
		}
	}
	if found < 5 {
		t.Errorf("the table knows %d of the first turns", found)
	}
}
