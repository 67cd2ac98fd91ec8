package match

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/position"
	"gyre/position/record"
	"gyre/protocol"
)

func TestMain(m *testing.M) {
	enginetest.Play()
	os.Exit(m.Run())
}

// randomOpenings are random placements and one move.
type randomOpenings struct{}

func (randomOpenings) Opening(round int) (game.Opening, error) {
	rng := rand.New(rand.NewPCG(uint64(round), 2))
	o := game.Opening{Start: position.Start(position.Standard)}
	p := o.Start
	for range 11 {
		legal := p.Turns(nil)
		t := legal[rng.IntN(len(legal))]
		o.Turns = append(o.Turns, t)
		p = p.After(t)
	}
	return o, nil
}

// testMatch returns a match of the named test engines.
func testMatch(t *testing.T, rounds, concurrency int, engines ...string) *Match {
	t.Helper()
	m := &Match{ID: "test", Schedule: RoundRobin(len(engines), rounds), Openings: randomOpenings{}, Concurrency: concurrency,
		Patience:   protocol.Patience{Handshake: 20 * time.Second, Answer: 20 * time.Second, Stop: 300 * time.Millisecond, Quit: 10 * time.Second},
		Conditions: game.Conditions{TurnPatience: time.Minute},
	}
	pids := t.TempDir()
	for i, name := range engines {
		m.Engines = append(m.Engines, game.Engine{Name: fmt.Sprint(name, i),
			Start: enginetest.Program(name, pids).Start, Limits: game.TimeControl{Nodes: 1}})
	}
	t.Cleanup(func() {
		if left, _, err := enginetest.Left(pids); err != nil || len(left) > 0 {
			t.Errorf("processes %v left behind, %v", left, err)
		}
	})
	return m
}

// localMatch returns a match of test engines inside this program, for tests with simulated
// time.
func localMatch(t *testing.T, rounds, concurrency int, engines ...string) *Match {
	t.Helper()
	m := testMatch(t, rounds, concurrency, engines...)
	for i, name := range engines {
		m.Engines[i].Start = enginetest.Local(name)
	}
	return m
}

// listener is an observer that counts, and may act after some games.
type listener struct {
	resumed, ended int
	warnings       []error
	after          int
	act            func()
}

func (l *listener) Resumed(s *Standing) { l.resumed = s.Games }

func (l *listener) Warn(err error) { l.warnings = append(l.warnings, err) }

func (l *listener) Ended(*Line, *Standing) {
	if l.ended++; l.ended == l.after {
		l.act()
	}
}

// testFiles returns files in a new folder.
func testFiles(t *testing.T) Files {
	dir := t.TempDir()
	return Files{Lines: filepath.Join(dir, "games.jsonl"), Records: filepath.Join(dir, "games.txt")}
}

// readFile returns the lines by number, of replayed games the last one, and checks that
// there are no other duplicates.
func readFile(t *testing.T, path string) map[int]*Line {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[int]*Line{}
	intact, err := ReadLines(bytes.NewReader(text), path, false, func(l *Line) error {
		if before := lines[l.Game]; before != nil && !before.Reason.Broken() {
			t.Errorf("game %d: duplicate", l.Game)
		}
		lines[l.Game] = l
		return nil
	})
	if err != nil || intact != int64(len(text)) {
		t.Fatalf("%d of %d bytes, %v", intact, len(text), err)
	}
	return lines
}

// sameGames compares lines without their real times.
var sameGames = cmp.Options{cmpopts.IgnoreFields(Line{}, "Began", "Seconds"), cmpopts.IgnoreFields(TurnLine{}, "MS")}

func mustRun(t *testing.T, m *Match, files Files, observer Observer) *Standing {
	t.Helper()
	s, err := m.Run(context.Background(), files, observer)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// checkRecords compares the records with the lines.
func checkRecords(t *testing.T, path string, lines map[int]*Line) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := record.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i := range records {
		r := &records[i]
		var number int
		if _, err := fmt.Sscan(r.Tag("Round"), &number); err != nil {
			t.Fatal(err)
		}
		l := lines[number-1]
		if l == nil || seen[r.Tag("Round")] {
			t.Errorf("record of game %d", number-1)
			continue
		}
		seen[r.Tag("Round")] = true
		if r.Tag("White") != l.White || r.Result() != l.Outcome() || len(r.Turns) != len(l.Opening)+len(l.Turns) {
			t.Errorf("game %d: record %+v", number-1, r.Tags)
		}
	}
	if len(seen) != len(lines) {
		t.Errorf("%d records of %d games", len(seen), len(lines))
	}
}

func appendText(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}
