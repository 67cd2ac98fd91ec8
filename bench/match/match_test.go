package match

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/stats"
	"gyre/position/record"
	"gyre/protocol"
)

// TestMatch plays a small tournament and checks everything that it leaves.
func TestMatch(t *testing.T) {
	t.Parallel()
	m := testMatch(t, 2, 3, enginetest.Good, enginetest.Good, enginetest.Good)
	files := testFiles(t)
	observer := &listener{}
	standing := mustRun(t, m, files, observer)
	lines := readFile(t, files.Lines)
	if len(lines) != 12 || observer.ended != 12 || standing.Games != 12 || standing.Settled != 6 || !standing.Over() {
		t.Errorf("%d lines, %d heard, standing %+v", len(lines), observer.ended, standing)
	}
	for number, l := range lines {
		g := m.Schedule.Game(number)
		if l.White != m.Engines[g.Sides[0]].Name || l.Black != m.Engines[g.Sides[1]].Name || l.Round != g.Round {
			t.Errorf("game %d: %s against %s in round %d, want %+v", number, l.White, l.Black, l.Round, g)
		}
		if diff := cmp.Diff(lines[number^1].Opening, l.Opening); diff != "" {
			t.Errorf("the openings of a pair differ: %s", diff)
		}
	}
	for i, e := range standing.Encounters() {
		games := standing.Pairings[i].Games
		if e.Pairs.Total() != 2 || games.Total() != 4 || standing.Pairings[i].ByWhite[0].Total() != 2 {
			t.Errorf("pairing %d: %+v", i, standing.Pairings[i])
		}
	}
	checkRecords(t, files.Records, lines)
	if len(observer.warnings) > 0 {
		t.Errorf("warnings %v", observer.warnings)
	}
	again := &listener{}
	if mustRun(t, m, files, again); again.ended != 0 || again.resumed != 12 {
		t.Errorf("the match was over, and %d games were played", again.ended)
	}
}

// checkRecords holds the records to the lines.
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

// TestVerdict checks that a test ends the match at the same pair for any number
// of workers, and that it stays ended.
func TestVerdict(t *testing.T) {
	t.Parallel()
	test, err := stats.NewSPRT(stats.Hypotheses{Elo0: 0, Elo1: 200, Alpha: 0.3, Beta: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	var settled []int
	for _, concurrency := range []int{1, 3} {
		m := testMatch(t, 1000, concurrency, enginetest.Late, enginetest.Good)
		m.Engines[0].Limits = game.Limits{MoveTime: 30 * time.Millisecond}
		m.Patience.Stop = 20 * time.Second
		m.Test = test
		files := testFiles(t)
		s := mustRun(t, m, files, &listener{})
		if s.State != stats.AcceptH0 || s.Settled > 100 {
			t.Errorf("%v after %d pairs", s.State, s.Settled)
		}
		settled = append(settled, s.Settled)
		again := mustRun(t, m, files, &listener{})
		settled = append(settled, again.Settled)
	}
	if slices.Min(settled) != slices.Max(settled) {
		t.Errorf("pairs until the verdict: %v", settled)
	}
}

// TestProcessorsOfGames has two games at once on processors of their own: both
// engines of a game have the same, and no engine those of the other game.
func TestProcessorsOfGames(t *testing.T) {
	t.Parallel()
	m := testMatch(t, 4, 2, enginetest.Good, enginetest.Good)
	m.Processors = [][]int{{0, 1}, {2, 3}}
	var mu sync.Mutex
	asked := map[string]int{}
	for i := range m.Engines {
		start := m.Engines[i].Start
		m.Engines[i].Start = func(config protocol.Config) (*protocol.Client, error) {
			mu.Lock()
			asked[fmt.Sprint(config.Name, config.Processors)]++
			mu.Unlock()
			config.Processors = nil // this machine may have fewer
			return start(config)
		}
	}
	mustRun(t, m, testFiles(t), &listener{})
	// The check before the first game needs no processor of its own.
	if diff := cmp.Diff(map[string]int{"good0[]": 1, "good1[]": 1, "good0[0 1]": 1, "good0[2 3]": 1, "good1[0 1]": 1, "good1[2 3]": 1}, asked); diff != "" {
		t.Error(diff)
	}
	m.Concurrency = 3
	if err := m.Check(); err == nil {
		t.Error("processors for two games were taken for three")
	}
}

// TestRestartEachGame counts the processes of an engine that is started anew for each
// game, and of one that is not; one of each is that of the check.
func TestRestartEachGame(t *testing.T) {
	m := testMatch(t, 2, 1, enginetest.Good, enginetest.Good)
	dirs := [2]string{t.TempDir(), t.TempDir()}
	for i, dir := range dirs {
		m.Engines[i].Start = enginetest.Program(enginetest.Good, dir).Start
	}
	m.Engines[0].Restart = true
	mustRun(t, m, testFiles(t), &listener{})
	var started [2]int
	for i, dir := range dirs {
		var err error
		if _, started[i], err = enginetest.Left(dir); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([2]int{5, 2}, started); diff != "" {
		t.Errorf("processes started (-want +got):\n%s", diff)
	}
}
