package match

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/journal"
	"gyre/bench/stats"
	"gyre/position"
	"gyre/protocol"
)

// TestMatch plays a small tournament and checks its standing and files.
func TestMatch(t *testing.T) {
	t.Parallel()
	m := testMatch(t, 2, 3, enginetest.Good, enginetest.Good, enginetest.Good)
	files := testFiles(t)
	observer := &listener{}
	standing := mustRun(t, m, files, observer)
	lines := readFile(t, files.Lines)
	if len(lines) != 12 || observer.ended != 12 || standing.Games != 12 || standing.Settled != 6 || !standing.Over() {
		t.Errorf("%d lines, %d observed, standing %+v", len(lines), observer.ended, standing)
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
		t.Errorf("the match was over, but %d games were played", again.ended)
	}
}

// unchanged is an observer that checks that lines stay as their executor sent them: the one of a
// hub compares them with those of other workers.
type unchanged struct {
	listener
	t *testing.T
}

func (u *unchanged) Ended(line *Line, s *Standing) {
	if line.Setup != nil {
		u.t.Errorf("game %d: got setup %v", line.Game, line.Setup)
	}
	u.listener.Ended(line, s)
}

// TestSetup checks that the first line of each run says how it was started, and no other.
func TestSetup(t *testing.T) {
	t.Parallel()
	files := testFiles(t)
	for rounds := 1; rounds <= 2; rounds++ {
		m := localMatch(t, rounds, 1, enginetest.Good, enginetest.Good)
		m.Setup = &Setup{Command: fmt.Sprint(rounds)}
		mustRun(t, m, files, &unchanged{t: t})
	}
	commands := map[int]string{}
	for number, l := range readFile(t, files.Lines) {
		if l.Setup != nil {
			commands[number] = l.Setup.Command
		}
	}
	if diff := cmp.Diff(map[int]string{0: "1", 2: "2"}, commands); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestVerdict checks that a test ends the match at the same pair for any number of
// workers, and that the match then remains over.
func TestVerdict(t *testing.T) {
	test, err := stats.NewSPRT(stats.Hypotheses{Elo0: 0, Elo1: 200, Alpha: 0.3, Beta: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	var settled []int
	for _, concurrency := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			m := localMatch(t, 1000, concurrency, enginetest.Late, enginetest.Good)
			m.Engines[0].Limits = game.TimeControl{MoveTime: 30 * time.Millisecond}
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
		})
	}
	if slices.Min(settled) != slices.Max(settled) {
		t.Errorf("pairs until the verdict: %v", settled)
	}
}

// TestPoolOfTest checks that the standing of a file counts the pairs up to the verdict of the test of its
// last run, as the match does, even if the clock was set back meanwhile.
func TestPoolOfTest(t *testing.T) {
	t.Parallel()
	wide, narrow := stats.Hypotheses{Elo0: 0, Elo1: 200, Alpha: 0.3, Beta: 0.3}, stats.Hypotheses{Elo0: 0, Elo1: 20, Alpha: 0.01, Beta: 0.01}
	for name, runs := range map[string][]*stats.Hypotheses{"one run": {&wide}, "another test": {&narrow, &wide}, "no test": {&wide, nil}} {
		var pool Pool
		var test *stats.SPRT
		const rounds = 40
		last := runs[len(runs)-1]
		if last != nil {
			var err error
			if test, err = stats.NewSPRT(*last); err != nil {
				t.Fatal(err)
			}
		}
		want := NewStanding(RoundRobin(2, rounds), []string{"a", "b"}, test)
		for number := range 2 * rounds {
			run := number * len(runs) / (2 * rounds)
			line := &Line{Match: "m", Game: number, Round: number / 2, White: "a", Black: "b", Result: "white", Reason: game.RingsRemoved,
				Test: runs[run], Began: time.Unix(int64(1000-number), 0)}
			if number%2 == 1 {
				line.White, line.Black, line.Result = "b", "a", "black"
			}
			pool.Add(line)
			if err := want.Add(line); err != nil {
				t.Fatal(err)
			}
		}
		got, err := pool.Own()
		if err != nil || got.Settled != want.Settled || got.State != want.State || (want.Settled == rounds) != (last == nil) {
			t.Errorf("%s: %d pairs, %v, error %v, want %d, %v", name, got.Settled, got.State, err, want.Settled, want.State)
		}
	}
}

// TestPoolOfReplays checks that games which replaced those of a fault count once, in any order of the
// file and a copy that was made before.
func TestPoolOfReplays(t *testing.T) {
	t.Parallel()
	began := int64(0)
	line := func(number int, reason game.Reason) *Line {
		began++ // tells games without turns apart
		l := &Line{Match: "m", Game: number, Round: number / 2, White: "a", Black: "b", Result: "white", Reason: reason, Began: time.Unix(began, 0)}
		if number%2 == 1 {
			l.White, l.Black = "b", "a"
		}
		return l
	}
	first, second := line(0, game.RingsRemoved), line(1, game.RingsRemoved)
	for name, files := range map[string][][]*Line{
		"one crash":   {{line(0, game.Stall), second}, {first, second}},
		"two crashes": {{line(0, game.Stall), second}, {line(0, game.Disconnect), second}, {first, second}},
		"both games":  {{line(0, game.Stall), line(1, game.Stall)}, {first, second}},
		"only crash":  {{line(0, game.Stall)}, {first, second}},
	} {
		for _, reversed := range []bool{false, true} {
			files := slices.Clone(files)
			if reversed {
				slices.Reverse(files)
			}
			var pool Pool
			for _, l := range slices.Concat(files...) {
				pool.Add(l)
			}
			if s := pool.Standing(nil); s.Games != 2 || s.Settled != 1 || s.Excluded != 0 || len(s.Faults[0])+len(s.Faults[1]) > 0 {
				t.Errorf("%s, reversed %v: %d games, %d pairs, %d excluded, faults %v", name, reversed, s.Games, s.Settled, s.Excluded, s.Faults)
			}
		}
	}
}

// TestMixedOptions checks that engines of one name with different options in different matches are
// reported, but not those whose options are the same or unknown.
func TestMixedOptions(t *testing.T) {
	t.Parallel()
	with := func(options string) *Setup {
		s := &Setup{Flags: map[string][]string{"nodes": {"1"}}}
		if options != "" {
			s.Options = map[string]string{"b": options}
		}
		return s
	}
	for name, test := range map[string]struct {
		setups []*Setup // by match
		mixed  int
	}{
		"other values": {[]*Setup{with("Skill=5"), with("Skill=15")}, 1},
		"none":         {[]*Setup{with(""), with("Skill=15")}, 1},
		"the same":     {[]*Setup{with("Skill=5"), with("Skill=5")}, 0},
		"unknown":      {[]*Setup{with("Skill=5"), nil, {Command: "gyre-arena"}}, 0},
	} {
		var pool Pool
		for i, setup := range test.setups {
			pool.Add(&Line{Match: fmt.Sprint(i), White: "a", Black: "b", Result: "white", Reason: game.RingsRemoved, Setup: setup})
			pool.Add(&Line{Match: fmt.Sprint(i), Game: 1, White: "b", Black: "a", Result: "white", Reason: game.RingsRemoved})
		}
		if mixed := pool.Mixed(); len(mixed) != test.mixed {
			t.Errorf("%s: %q", name, mixed)
		}
	}
}

// TestProcessors checks that two concurrent games have separate processors, and that both
// engines of a game have the same ones.
func TestProcessors(t *testing.T) {
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
	// The check before the first game uses all processors.
	if diff := cmp.Diff(map[string]int{"good0[]": 1, "good1[]": 1, "good0[0 1]": 1, "good0[2 3]": 1, "good1[0 1]": 1, "good1[2 3]": 1}, asked); diff != "" {
		t.Error(diff)
	}
	m.Concurrency = 3
	if err := m.Check(); err == nil {
		t.Error("processors for two games were accepted for three")
	}
}

// TestRestartEachGame counts the processes of an engine that is restarted for each game, and
// of one that is not. One process of each is that of the check.
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

// TestInterruptedMatch interrupts a match after each number of games, adds an incomplete
// line, and resumes it. The games are those of an uninterrupted match.
func TestInterruptedMatch(t *testing.T) {
	t.Parallel()
	m := localMatch(t, 3, 2, enginetest.Good, enginetest.Good)
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

// TestFaultsInMatch checks that a faulty engine loses all its games in a match that
// continues to its end. Only games lost on time count.
func TestFaultsInMatch(t *testing.T) {
	check := func(t *testing.T, m *Match, want game.Reason) {
		m.ContinueOnFault = true
		counted, leftOut := stats.Pairs{}, 1
		if want == game.TimeForfeit {
			m.Engines[0].Limits = game.TimeControl{MoveTime: 30 * time.Millisecond}
			m.Patience.Stop = 20 * time.Second
			counted, leftOut = stats.Pairs{1}, 0
		}
		standing := mustRun(t, m, testFiles(t), &listener{})
		if diff := cmp.Diff(counted, standing.Pairings[0].Pairs); diff != "" || standing.Excluded != leftOut {
			t.Errorf("%d pairs left out: %s", standing.Excluded, diff)
		}
		if diff := cmp.Diff([]map[game.Reason]int{{want: 2}, {}}, standing.Faults); diff != "" {
			t.Error(diff)
		}
	}
	for name, want := range map[string]game.Reason{
		enginetest.StartsOnce: game.StartFailure,
		enginetest.Dies:       game.Disconnect,
		enginetest.Illegal:    game.IllegalTurn,
		enginetest.Garbage:    game.ProtocolError,
		enginetest.ClosesPipe: game.Disconnect,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, testMatch(t, 1, 2, name, enginetest.Good), want)
		})
	}
	for name, want := range map[string]game.Reason{
		enginetest.Hangs: game.Stall,
		enginetest.Late:  game.TimeForfeit,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { check(t, localMatch(t, 1, 2, name, enginetest.Good), want) })
		})
	}
}

// TestNoVerdictFromFaults checks that a sequential test ignores games in which an engine
// failed.
func TestNoVerdictFromFaults(t *testing.T) {
	t.Parallel()
	test, err := stats.NewSPRT(stats.Hypotheses{Elo0: 0, Elo1: 200, Alpha: 0.3, Beta: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	m := localMatch(t, 20, 2, enginetest.Good, enginetest.Illegal)
	m.Test, m.ContinueOnFault = test, true
	s := mustRun(t, m, testFiles(t), &listener{})
	if s.State != stats.Continue || s.LLR != 0 || s.Excluded != 20 || s.Games != 40 {
		t.Errorf("%v, LLR %v after %d pairs, %d left out", s.State, s.LLR, s.Settled, s.Excluded)
	}
}

// TestMatchStops checks that a match stops if an engine fails, and that such games are
// replayed on request.
func TestMatchStops(t *testing.T) {
	for _, name := range []string{enginetest.StartsOnce, enginetest.Dies, enginetest.Illegal} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := testMatch(t, 3, 1, enginetest.Good, name)
			files := testFiles(t)
			standing, err := m.Run(context.Background(), files, &listener{})
			broken, ok := errors.AsType[*BrokenError](err)
			if !ok || broken.Line.Loser() != m.Engines[1].Name || standing.Games != 1 {
				t.Fatalf("%d games, error %v", standing.Games, err)
			}
			m.Engines[1].Start = m.Engines[0].Start // repaired
			if s := mustRun(t, m, files, &listener{}); s.Excluded != 1 || s.Pairings[0].Pairs.Total() != 2 {
				t.Errorf("resumed without a replay: %d pairs left out", s.Excluded)
			}
			m.ReplayFaults = true
			s := mustRun(t, m, files, &listener{})
			if s.Excluded != 0 || s.Pairings[0].Pairs.Total() != 3 || len(s.Faults[1]) > 0 {
				t.Errorf("replayed: %+v", s)
			}
			again := &listener{}
			if mustRun(t, m, files, again); again.ended != 0 || again.resumed != 6 {
				t.Errorf("then %d games, %d more", again.resumed, again.ended)
			}
			checkRecords(t, files.Records, readFile(t, files.Lines))
		})
	}
}

// TestDeadEngines checks that an engine that cannot play is found before the first game, in
// a match and in a tournament, and that no file is created.
func TestDeadEngines(t *testing.T) {
	for _, test := range []struct {
		engines  []string
		settings []game.Setting // of the last
		want     []string
	}{
		{[]string{enginetest.Good, enginetest.Exits}, nil, []string{"exits1", "no weights", "exit status 3"}},
		{[]string{enginetest.Good, enginetest.Good, enginetest.Exits}, nil, []string{"exits2", "no weights"}},
		{[]string{enginetest.Good, enginetest.Picky}, []game.Setting{{Name: "Hash", Value: "7"}}, []string{"picky1", "Hash", `"7"`, "no weights there"}},
		{[]string{enginetest.Good, enginetest.Good}, []game.Setting{{Name: "Hush", Value: "7"}}, []string{"good1", `"Hush"`, "no such option"}},
		{[]string{enginetest.Good, enginetest.Forgets}, nil, []string{"forgets1", "did not accept the position"}},
	} {
		t.Run(test.engines[len(test.engines)-1], func(t *testing.T) {
			t.Parallel()
			m := testMatch(t, 1, 2, test.engines...)
			m.ContinueOnFault = true
			m.Engines[len(m.Engines)-1].Settings = test.settings
			files := testFiles(t)
			standing, err := m.Run(context.Background(), files, &listener{})
			if err == nil || standing != nil {
				t.Fatalf("standing %+v, error %v", standing, err)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not contain %q", err, want)
				}
			}
			if left, _ := filepath.Glob(filepath.Join(filepath.Dir(files.Lines), "*")); len(left) > 0 {
				t.Errorf("files %q", left)
			}
		})
	}
}

// TestChangedProgram checks that another program under the same command is rejected unless
// OtherPrograms is set, also by a match that is over: its result is that of the old program.
func TestChangedProgram(t *testing.T) {
	t.Parallel()
	test, err := stats.NewSPRT(stats.Hypotheses{Elo0: 0, Elo1: 200, Alpha: 0.3, Beta: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	missing := func(protocol.Config) (*protocol.Client, error) { return nil, fs.ErrNotExist }
	for _, before := range []struct {
		name   string
		rounds int
		test   *stats.SPRT
	}{{"played", 1, nil}, {"decided", 1000, test}} {
		for _, after := range []struct {
			name    string
			change  func(*Match)
			changed bool // whether the error is a *ChangedError
			more    bool // whether games are added
			warned  bool
		}{
			{"over", func(*Match) {}, true, false, false},
			{"unfinished", func(m *Match) { m.Schedule.Rounds, m.Test = 1001, nil }, true, false, false},
			{"over and accepted", func(m *Match) { m.OtherPrograms = true }, false, false, false},
			{"unfinished and accepted", func(m *Match) { m.Schedule.Rounds, m.OtherPrograms, m.Test = before.rounds+1, true, nil }, false, true, false},
			{"over and the same", func(m *Match) { m.Engines[1].Build = "one" }, false, false, false},
			{"over and missing", func(m *Match) { m.Engines[1].Start = missing }, false, false, true},
		} {
			if before.test != nil && after.more {
				continue // a thousand pairs
			}
			t.Run(before.name+", then "+after.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					m := localMatch(t, before.rounds, 1, enginetest.Late, enginetest.Good)
					m.Engines[0].Limits = game.TimeControl{MoveTime: 30 * time.Millisecond}
					m.Patience.Stop = 20 * time.Second
					m.Engines[1].Build, m.Test = "one", before.test
					files := testFiles(t)
					first := mustRun(t, m, files, &listener{})
					if lines := readFile(t, files.Lines); lines[0].Programs != [2]string{"Test", "one Test"} || lines[1].Programs != [2]string{"one Test", "Test"} {
						t.Errorf("programs %q, %q", lines[0].Programs, lines[1].Programs)
					}
					m.Engines[1].Build = "other"
					after.change(m)
					observer := &listener{}
					standing, err := m.Run(context.Background(), files, observer)
					changed, is := errors.AsType[*ChangedError](err)
					if is != after.changed || (err != nil) != after.changed || standing == nil || (standing.Games > first.Games) != after.more {
						t.Fatalf("%+v, error %v", standing, err)
					}
					if is && (changed.Engine != "good1" || changed.Program != "other Test" || changed.Played != "one Test" || changed.Over != standing.Over()) {
						t.Errorf("%+v", changed)
					}
					if after.warned != (len(observer.warnings) > 0) {
						t.Errorf("warnings %v", observer.warnings)
					}
				})
			})
		}
	}
}

// TestIgnoresQuit checks that an engine that ignores `quit` is killed with a warning.
func TestIgnoresQuit(t *testing.T) {
	t.Parallel()
	m := testMatch(t, 1, 1, enginetest.Good, enginetest.IgnoresQuit)
	m.Patience.Quit = 500 * time.Millisecond
	observer := &listener{}
	mustRun(t, m, testFiles(t), observer)
	// On a busy machine the other engine may be killed, too.
	if text := fmt.Sprint(observer.warnings); !strings.Contains(text, enginetest.IgnoresQuit+"1") || !strings.Contains(text, "did not quit") {
		t.Errorf("warnings %v", text)
	}
}

// TestInvalidMatches checks matches that Run does not start or resume.
func TestInvalidMatches(t *testing.T) {
	t.Parallel()
	good := func() *Match { return testMatch(t, 1, 1, enginetest.Good, enginetest.Good) }
	ended := func(number, white, black int, result, reason string) string {
		const form = `{"match":"test","game":%d,"round":%d,"white":"good%d","black":"good%d","result":%q,"reason":%q,"rules":"standard"}`
		checked, err := journal.AppendChecked(nil, json.RawMessage(fmt.Sprintf(form, number, number/2, white, black, result, reason)))
		if err != nil {
			t.Fatal(err)
		}
		return string(checked)
	}
	line := func(number, white, black int, result string) string {
		return ended(number, white, black, result, "adjudicated draw")
	}
	first := line(0, 0, 1, "draw")
	for _, test := range []struct {
		name  string
		spoil func(*Match)
		text  string
		want  string
	}{
		{"duplicate name", func(m *Match) { m.Engines[1].Name = "good0" }, "", "two engines have this name"},
		{"a name of two lines", func(m *Match) { m.Engines[1].Name = "a\nb" }, "", "plain text in one line"},
		{"a name of bytes", func(m *Match) { m.Engines[1].Name = "a\xff" }, "", "plain text in one line"},
		{"no name", func(m *Match) { m.Engines[1].Name = "" }, "", "no name"},
		{"no limits", func(m *Match) { m.Engines[1].Limits = game.TimeControl{} }, "", "no limit"},
		{"no games", func(m *Match) { m.Schedule.Rounds = 0 }, "", "no games"},
		{"too many games", func(m *Match) { m.Schedule.Rounds = 1 << 40 }, "", "more than"},
		{"a long identity", func(m *Match) { m.ID = strings.Repeat("a", journal.LongestLine/2) }, "", "half of a line"},
		{"a long name", func(m *Match) { m.Engines[1].Name = strings.Repeat("a", journal.LongestLine/2) }, "", "half of a line"},
		{"a long program", func(m *Match) { m.Engines[1].Program = strings.Repeat("a", journal.LongestLine/2) }, "", "half of a line"},
		{"a long setup", func(m *Match) { m.Setup = &Setup{Command: strings.Repeat("a", journal.LongestLine/2)} }, "", "half of a line"},
		{"no workers", func(m *Match) { m.Concurrency = 0 }, "", "concurrency 0"},
		{"an opening that fails", func(m *Match) { m.Openings = noOpenings{} }, "", "round 1: none left"},
		{"unknown option", func(m *Match) { m.Engines[0].Settings = []game.Setting{{Name: "x", Value: "y"}} }, "", `no such option`},
		{"another match", func(m *Match) { m.ID = "other" }, first, "another -out"},
		{"extra game", nil, line(2, 0, 1, "draw"), "give -pairs 2 or more"},
		{"duplicate game", nil, first + first, ":2: game 1: duplicate"},
		{"the wrong sides", nil, line(0, 1, 0, "draw"), ":1: game 1: good1 against good0"},
		{"the wrong sides of a broken game", nil, ended(0, 1, 0, "white", "stall") + `{"match":"te`, ":1: game 1: good1 against good0"},
		{"damage inside", nil, "{\n" + first, ":1: "},
		{"no result", nil, line(0, 0, 1, "won"), `result "won"`},
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

// noOpenings has no openings.
type noOpenings struct{}

func (noOpenings) Opening(int) (game.Opening, error) { return game.Opening{}, errors.New("none left") }

// TestMatchByNodes plays a match with a virtual clock three times, with one and two
// concurrent games. Games, times of turns and the clocks sent to engines are the same, and
// the lines say that the times are virtual.
func TestMatchByNodes(t *testing.T) {
	t.Parallel()
	var first map[int]*Line
	var firstClocks []string
	for _, concurrency := range []int{1, 1, 2} {
		m := localMatch(t, 3, concurrency, enginetest.Counts, enginetest.Counts)
		for i := range m.Engines {
			m.Engines[i].Limits = game.TimeControl{Base: 40 * time.Millisecond, Increment: time.Duration(9+i) * time.Millisecond, NodesTime: 100}
		}
		var mu sync.Mutex
		var clocks []string
		m.Trace = func(engine string, toEngine bool, line string) {
			mu.Lock()
			defer mu.Unlock()
			if toEngine && strings.HasPrefix(line, "go ") {
				clocks = append(clocks, engine+" "+line)
			}
		}
		files := testFiles(t)
		mustRun(t, m, files, &listener{})
		lines := readFile(t, files.Lines)
		slices.Sort(clocks) // concurrent games finish in any order
		if first == nil {
			first, firstClocks = lines, clocks
		}
		if diff := cmp.Diff(first, lines, cmpopts.IgnoreFields(Line{}, "Began", "Seconds")); diff != "" {
			t.Errorf("%d concurrent games: %s", concurrency, diff)
		}
		if diff := cmp.Diff(firstClocks, clocks); diff != "" {
			t.Errorf("%d concurrent games, clocks: %s", concurrency, diff)
		}
	}
	flags := 0
	for _, l := range first {
		if l.Reason == game.TimeForfeit {
			flags++
		}
	}
	record, err := first[0].Record()
	if err != nil {
		t.Fatal(err)
	}
	const white = "tc=0.04+0.009 nodestime=100"
	if first[0].Limits[0] != white || record.Tag("WhiteLimits") != white || first[0].Turns[0].MS != 10.07 || flags == 0 {
		t.Errorf("limits %q, record %q, first turn %v ms, %d flags", first[0].Limits, record.Tag("WhiteLimits"), first[0].Turns[0].MS, flags)
	}
}

// TestSchedules checks that each pair has both colors, and that each round has every
// pairing.
func TestSchedules(t *testing.T) {
	for name, s := range map[string]Schedule{
		"two": RoundRobin(2, 3), "round-robin": RoundRobin(4, 2), "gauntlet": Gauntlet(4, 2),
		"additional rounds": {Pairings: Gauntlet(4, 2).Pairings, Rounds: 2, Extended: []int{2, 0}, Extra: 3},
	} {
		if err := s.Check(4); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		counts := map[[3]int]int{} // by round and sides
		for n := range s.Games() {
			g := s.Game(n)
			if other := s.Game(n ^ 1); other.Sides != [2]int{g.Sides[1], g.Sides[0]} || other.Round != g.Round || other.Pair != g.Pair {
				t.Errorf("%s: %+v and %+v are not a pair", name, g, other)
			}
			counts[[3]int{g.Round, g.Sides[0], g.Sides[1]}]++
		}
		if len(counts) != s.Games() {
			t.Errorf("%s: %d different games of %d", name, len(counts), s.Games())
		}
	}
	if diff := cmp.Diff([][2]int{{0, 1}, {0, 2}, {1, 2}}, RoundRobin(3, 1).Pairings); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][2]int{{0, 1}, {0, 2}}, Gauntlet(3, 1).Pairings); diff != "" {
		t.Error(diff)
	}
	if RoundRobin(2, 1).Check(1) == nil {
		t.Error("a schedule of one engine was accepted")
	}
	for _, wrong := range []Schedule{
		{Pairings: RoundRobin(2, 1).Pairings, Rounds: 1, Extended: []int{1}, Extra: 1}, // an unknown pairing
		{Pairings: RoundRobin(2, 1).Pairings, Rounds: 1, Extended: []int{0}, Extra: -1},
		{Pairings: RoundRobin(2, 1).Pairings, Rounds: 1, Extended: []int{0}, Extra: maxGames},
		{Pairings: RoundRobin(2, 1).Pairings, Rounds: maxGames / 2, Extended: []int{0}, Extra: 1},
	} {
		if wrong.Check(2) == nil {
			t.Errorf("%+v was accepted", wrong)
		}
	}
}

// TestTotals adds up the results of engines, and finds those of two.
func TestTotals(t *testing.T) {
	s := &Standing{Names: []string{"a", "b", "c"}, Pairings: []PairingResult{
		{Engines: [2]int{0, 1}, Games: stats.Games{Wins: 3, Losses: 1, Draws: 2}},
		{Engines: [2]int{2, 0}, Games: stats.Games{Wins: 5, Draws: 1}},
	}}
	want := []stats.Games{{Wins: 3, Losses: 6, Draws: 3}, {Wins: 1, Losses: 3, Draws: 2}, {Wins: 5, Draws: 1}}
	if diff := cmp.Diff(want, s.Totals()); diff != "" {
		t.Error(diff)
	}
	if points := s.Totals()[0].Points(); points != 4.5 {
		t.Errorf("%v points, want 4.5", points)
	}
	for _, pair := range []struct {
		i, j  int
		games stats.Games
		met   bool
	}{
		{0, 1, stats.Games{Wins: 3, Losses: 1, Draws: 2}, true}, {1, 0, stats.Games{Wins: 1, Losses: 3, Draws: 2}, true},
		{0, 2, stats.Games{Losses: 5, Draws: 1}, true}, {1, 2, stats.Games{}, false}, {1, 1, stats.Games{}, false},
	} {
		if games, met := s.Between(pair.i, pair.j); games != pair.games || met != pair.met {
			t.Errorf("%d and %d: %v, %v", pair.i, pair.j, games, met)
		}
	}
}

// TestMissing lists the games that have not ended. Those of the longest schedule need little memory.
func TestMissing(t *testing.T) {
	schedule := RoundRobin(2, maxGames/2)
	c := &collector{standing: NewStanding(schedule, []string{"one", "two"}, nil)}
	if got, want := c.missing(), []numbers{{0, maxGames}}; !slices.Equal(got, want) {
		t.Errorf("of a new match %v are missing", got)
	}
	for _, ended := range []int{0, 3, 4, maxGames - 1} {
		c.standing.endings[ended].Result = position.Draw
	}
	if got, want := c.missing(), []numbers{{1, 3}, {5, maxGames - 1}}; !slices.Equal(got, want) {
		t.Errorf("%v are missing, want %v", got, want)
	}
}
