package hub

import (
	"strings"
	"testing"

	"gyre/bench/hub/internal/wire"
)

// TestFaultsUntold shows a record that counts faults without describing them.
func TestFaultsUntold(t *testing.T) {
	f := Faults{Count: 7}
	if got := f.Lines(); len(got) != 1 || !strings.Contains(got[0], "7 results rejected") {
		t.Errorf("%q", got)
	}
	if got := (&SuspendedError{f}).Error(); !strings.HasSuffix(got, "7 of its results were rejected") {
		t.Error(got)
	}
}

// TestStatusPlain shows a worker's text with control characters, line breaks and too many bytes.
func TestStatusPlain(t *testing.T) {
	said := "\x1b[2J\nworkers: 7" + strings.Repeat("!", 2*wire.MaxText)
	status := Status{
		Matches: map[string]MatchStatus{"m": {Client: said, Progress: Progress{Score: said}}},
		Workers: map[string]WorkerStatus{"w": {Slots: 1, System: said, Limited: said, Refuses: []string{said}, Why: map[string]string{said: said}, Offers: map[string]string{said: said}}},
		Faults:  map[string]Faults{"w": {Count: 1, Last: []string{said}}},
	}
	var told strings.Builder
	if err := status.Write(&told); err != nil {
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

// TestStatusWidth checks that no line of the status is wider than 80 columns, and that lines are
// folded at blanks.
func TestStatusWidth(t *testing.T) {
	score := "LLR 0.93 (-2.94, 2.94), Elo +52.1 (-3.6 to +108.4), +1234 =56 -1178 (51.1%), [123,234,345,456,567], nElo +63.9 +- 68.1, LOS 96.7%"
	status := Status{
		Matches: map[string]MatchStatus{"9b85529be0459ca3": {Client: "tower:/home/someone/matches/games.jsonl", Games: 2400, Out: 24, Progress: Progress{Score: score, Played: 2468, Total: 100000}}},
		Workers: map[string]WorkerStatus{"w": {Slots: 16, System: "linux/amd64", Refuses: []string{"9b85529b"}, Why: map[string]string{"9b85529b": strings.Repeat("its processor lacks an instruction; ", 5)}}},
		Waiting: 24,
	}
	var text strings.Builder
	if err := status.Write(&text); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(text.String()) {
		if n := len(strings.TrimRight(line, " \n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if joined := strings.Join(strings.Fields(text.String()), " "); !strings.Contains(joined, "2468 of 100000 games, 24 pairs in progress, tower:") || !strings.Contains(joined, score) {
		t.Errorf("the status is %s", text.String())
	}
}
