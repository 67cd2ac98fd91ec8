package match

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/stats"
	"gyre/position"
	"gyre/protocol"
)

func TestMain(m *testing.M) {
	enginetest.Play()
	os.Exit(m.Run())
}

// randomOpenings are random placements and a move.
type randomOpenings struct{}

func (randomOpenings) Opening(round int) (game.Opening, error) {
	rng := rand.New(rand.NewPCG(uint64(round), 2))
	o := game.Opening{Start: position.Start(position.Standard)}
	p := o.Start
	for range 11 {
		legal := p.Turns(nil)
		t := legal[rng.IntN(len(legal))]
		o.Turns = append(o.Turns, t)
		var child position.Position
		p.Play(&child, t)
		p = child
	}
	return o, nil
}

// testMatch is a match of test engines of these names.
func testMatch(t *testing.T, rounds, concurrency int, engines ...string) *Match {
	t.Helper()
	m := &Match{ID: "test", Schedule: RoundRobin(len(engines), rounds), Openings: randomOpenings{}, Concurrency: concurrency,
		Patience:   protocol.Patience{Handshake: 20 * time.Second, Answer: 20 * time.Second, Stop: 300 * time.Millisecond, Quit: 10 * time.Second},
		Conditions: game.Conditions{TurnPatience: time.Second},
	}
	pids := t.TempDir()
	for i, name := range engines {
		m.Engines = append(m.Engines, game.Engine{Name: fmt.Sprint(name, i),
			Start: game.Program(enginetest.Program(name, pids)), Limits: game.Limits{Nodes: 1}})
	}
	t.Cleanup(func() {
		if left, _, err := enginetest.Left(pids); err != nil || len(left) > 0 {
			t.Errorf("processes %v left behind, %v", left, err)
		}
	})
	return m
}

// listener keeps what an observer hears, and may act after some games.
type listener struct {
	resumed, ended int
	warnings       []error
	after          int
	act            func()
}

func (l *listener) Resumed(s *Standing) { l.resumed = s.Games }
func (l *listener) Warn(err error)      { l.warnings = append(l.warnings, err) }
func (l *listener) Ended(*Line, *Standing) {
	if l.ended++; l.ended == l.after {
		l.act()
	}
}

// testFiles are files in a new folder.
func testFiles(t *testing.T) Files {
	dir := t.TempDir()
	return Files{Lines: filepath.Join(dir, "games.jsonl"), Records: filepath.Join(dir, "games.txt")}
}

// readFile returns the lines by number, and checks that none is there twice.
func readFile(t *testing.T, path string) map[int]*Line {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[int]*Line{}
	whole, err := ReadLines(bytes.NewReader(text), path, func(l *Line) error {
		if lines[l.Game] != nil {
			t.Errorf("game %d is there twice", l.Game)
		}
		lines[l.Game] = l
		return nil
	})
	if err != nil || whole != int64(len(text)) {
		t.Fatalf("%d of %d bytes, %v", whole, len(text), err)
	}
	return lines
}

// sameGames is for comparing games played twice.
var sameGames = cmp.Options{cmpopts.IgnoreFields(Line{}, "Began", "Seconds"), cmpopts.IgnoreFields(TurnLine{}, "MS")}

func mustRun(t *testing.T, m *Match, files Files, observer Observer) *Standing {
	t.Helper()
	s, err := m.Run(context.Background(), files, observer)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

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
	records, err := position.NewRecordReader(file).ReadAll()
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

// TestInterruptedMatch stops a match after every number of games, and once with
// the last line cut, and lets it go on: the games are those of a match that was
// never stopped.
func TestInterruptedMatch(t *testing.T) {
	t.Parallel()
	m := testMatch(t, 3, 2, enginetest.Good, enginetest.Good)
	whole := testFiles(t)
	want := mustRun(t, m, whole, &listener{})
	wantLines := readFile(t, whole.Lines)
	stop := errors.New("stopped")
	for games := 1; games < 6; games++ {
		files := testFiles(t)
		ctx, cancel := context.WithCancelCause(context.Background())
		_, err := m.Run(ctx, files, &listener{after: games, act: func() { cancel(stop) }})
		if err != nil && !errors.Is(err, stop) {
			t.Fatal(err)
		}
		appendText(t, files.Lines, `{"match":"test","game":5,"whi`)
		got := mustRun(t, m, files, &listener{})
		lines := readFile(t, files.Lines)
		if diff := cmp.Diff(wantLines, lines, sameGames); diff != "" {
			t.Errorf("stopped after %d games: %s", games, diff)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(Standing{}), cmpopts.IgnoreTypes(&stats.SPRT{})); diff != "" {
			t.Errorf("stopped after %d games: %s", games, diff)
		}
		checkRecords(t, files.Records, lines)
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

// TestFaultsInMatch has each faulty engine lose all its games in a match that
// goes on to its end.
func TestFaultsInMatch(t *testing.T) {
	for name, want := range map[string]game.Reason{
		enginetest.Exits:      game.StartFailure,
		enginetest.Dies:       game.Disconnect,
		enginetest.Hangs:      game.Stall,
		enginetest.Illegal:    game.IllegalTurn,
		enginetest.Garbage:    game.ProtocolError,
		enginetest.ClosesPipe: game.Disconnect,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := testMatch(t, 1, 2, name, enginetest.Good)
			standing := mustRun(t, m, testFiles(t), &listener{})
			if diff := cmp.Diff(stats.Pairs{1}, standing.Pairings[0].Pairs); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff([]map[game.Reason]int{{want: 2}, {}}, standing.Faults); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestUnwillingToQuit checks that an engine that has to be forced to end is told
// of, and ended.
func TestUnwillingToQuit(t *testing.T) {
	t.Parallel()
	m := testMatch(t, 1, 1, enginetest.Good, enginetest.IgnoresQuit)
	m.Patience.Quit = 1500 * time.Millisecond // a program with the race detector takes a second to end
	observer := &listener{}
	mustRun(t, m, testFiles(t), observer)
	if len(observer.warnings) != 1 || !strings.Contains(observer.warnings[0].Error(), "quit") {
		t.Errorf("warnings %v", observer.warnings)
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
		m := testMatch(t, 1000, concurrency, enginetest.Illegal, enginetest.Good)
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

// TestRefusedMatches checks what Run does not begin, or does not go on with.
func TestRefusedMatches(t *testing.T) {
	t.Parallel()
	good := func() *Match { return testMatch(t, 1, 1, enginetest.Good, enginetest.Good) }
	line := `{"match":"test","game":%d,"white":"good%d","black":"good%d","result":"draw","reason":"adjudicated draw","rules":"standard"}` + "\n"
	first := fmt.Sprintf(line, 0, 0, 1)
	for _, test := range []struct {
		name  string
		spoil func(*Match)
		text  string
		want  string
	}{
		{"two of a name", func(m *Match) { m.Engines[1].Name = "good0" }, "", "two of that name"},
		{"no name", func(m *Match) { m.Engines[1].Name = "" }, "", "no name"},
		{"no limits", func(m *Match) { m.Engines[1].Limits = game.Limits{} }, "", "no limit"},
		{"no games", func(m *Match) { m.Schedule.Rounds = 0 }, "", "no games"},
		{"too many games", func(m *Match) { m.Schedule.Rounds = 1 << 40 }, "", "more than"},
		{"no workers", func(m *Match) { m.Concurrency = 0 }, "", "concurrency 0"},
		{"an opening that fails", func(m *Match) { m.Openings = noOpenings{} }, "", "round 1: none left"},
		{"no such option", func(m *Match) { m.Engines[0].Settings = []game.Setting{{Name: "x", Value: "y"}} }, "", `no such option`},
		{"another match", func(m *Match) { m.ID = "other" }, first, ":1: game 0 is of another match"},
		{"a game too many", nil, fmt.Sprintf(line, 2, 0, 1), ":1: game 2: the match has only 2 games"},
		{"a game twice", nil, first + first, ":2: game 0 is there twice"},
		{"the wrong sides", nil, fmt.Sprintf(line, 0, 1, 0), ":1: game 0: good1 against good0"},
		{"damage inside", nil, "{\n" + first, ":1: "},
		{"no result", nil, strings.Replace(first, "draw", "won", 1), `result "won"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, files := good(), testFiles(t)
			if test.spoil != nil {
				test.spoil(m)
			}
			if err := os.WriteFile(files.Lines, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := m.Run(context.Background(), files, &listener{})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v", err)
			}
			if text, _ := os.ReadFile(files.Lines); string(text) != test.text {
				t.Errorf("the file is now %q", text)
			}
		})
	}
}

// noOpenings has none.
type noOpenings struct{}

func (noOpenings) Opening(int) (game.Opening, error) { return game.Opening{}, errors.New("none left") }
