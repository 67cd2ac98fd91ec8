package match

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/stats"
)

// TestFaultsInMatch has each faulty engine lose all its games in a match that
// goes on to its end: the fault is its own each time, and of these games only
// those lost on time count.
func TestFaultsInMatch(t *testing.T) {
	for name, want := range map[string]game.Reason{
		enginetest.StartsOnce: game.StartFailure,
		enginetest.Dies:       game.Disconnect,
		enginetest.Hangs:      game.Stall,
		enginetest.Illegal:    game.IllegalTurn,
		enginetest.Garbage:    game.ProtocolError,
		enginetest.ClosesPipe: game.Disconnect,
		enginetest.Late:       game.TimeForfeit,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := testMatch(t, 1, 2, name, enginetest.Good)
			m.Recover = true
			if want == game.Stall {
				m.Conditions.TurnPatience = time.Second
			}
			counted, leftOut := stats.Pairs{}, 1
			if want == game.TimeForfeit {
				m.Engines[0].Limits = game.Limits{MoveTime: 30 * time.Millisecond}
				m.Patience.Stop = 20 * time.Second
				counted, leftOut = stats.Pairs{1}, 0
			}
			standing := mustRun(t, m, testFiles(t), &listener{})
			if diff := cmp.Diff(counted, standing.Pairings[0].Pairs); diff != "" || standing.LeftOut != leftOut {
				t.Errorf("%d pairs left out: %s", standing.LeftOut, diff)
			}
			if diff := cmp.Diff([]map[game.Reason]int{{want: 2}, {}}, standing.Faults); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestNoVerdictFromFaults checks that a sequential test takes nothing from games
// in which an engine did not play.
func TestNoVerdictFromFaults(t *testing.T) {
	t.Parallel()
	test, err := stats.NewSPRT(stats.Hypotheses{Elo0: 0, Elo1: 200, Alpha: 0.3, Beta: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	m := testMatch(t, 20, 2, enginetest.Good, enginetest.Illegal)
	m.Test, m.Recover = test, true
	s := mustRun(t, m, testFiles(t), &listener{})
	if s.State != stats.Continue || s.LLR != 0 || s.LeftOut != 20 || s.Games != 40 {
		t.Errorf("%v, LLR %v after %d pairs, %d left out", s.State, s.LLR, s.Settled, s.LeftOut)
	}
}

// TestMatchStops checks that a match stops when an engine does not play, and that
// the games which were lost so are played again when asked for.
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
			m.Engines[1].Start = m.Engines[0].Start // mended
			if s := mustRun(t, m, files, &listener{}); s.LeftOut != 1 || s.Pairings[0].Pairs.Total() != 2 {
				t.Errorf("gone on without playing it again: %d pairs left out", s.LeftOut)
			}
			m.Again = true
			s := mustRun(t, m, files, &listener{})
			if s.LeftOut != 0 || s.Pairings[0].Pairs.Total() != 3 || len(s.Faults[1]) > 0 {
				t.Errorf("played again: %+v", s)
			}
			again := &listener{}
			if mustRun(t, m, files, again); again.ended != 0 || again.resumed != 6 {
				t.Errorf("then %d games, %d more", again.resumed, again.ended)
			}
			checkRecords(t, files.Records, readFile(t, files.Lines))
		})
	}
}

// TestDeadEngines checks that an engine that cannot play is found before the
// first game, in a match and in a tournament, and that no file is begun.
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
		{[]string{enginetest.Good, enginetest.Forgets}, nil, []string{"forgets1", "has not taken the position"}},
	} {
		t.Run(test.engines[len(test.engines)-1], func(t *testing.T) {
			t.Parallel()
			m := testMatch(t, 1, 2, test.engines...)
			m.Recover = true
			m.Engines[len(m.Engines)-1].Settings = test.settings
			files := testFiles(t)
			standing, err := m.Run(context.Background(), files, &listener{})
			if err == nil || standing != nil {
				t.Fatalf("standing %+v, error %v", standing, err)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not tell %q", err, want)
				}
			}
			if left, _ := filepath.Glob(filepath.Join(filepath.Dir(files.Lines), "*")); len(left) > 0 {
				t.Errorf("files %q", left)
			}
		})
	}
}

// TestChangedProgram checks that a match does not go on with another program
// under the same command, unless told to.
func TestChangedProgram(t *testing.T) {
	t.Parallel()
	m := testMatch(t, 1, 1, enginetest.Good, enginetest.Good)
	m.Engines[1].Build = "one"
	files := testFiles(t)
	mustRun(t, m, files, &listener{})
	if lines := readFile(t, files.Lines); lines[0].Programs != [2]string{"Test", "one Test"} || lines[1].Programs != [2]string{"one Test", "Test"} {
		t.Errorf("programs %q, %q", lines[0].Programs, lines[1].Programs)
	}
	m.Engines[1].Build = "other"
	if _, err := m.Run(context.Background(), files, &listener{}); err != nil {
		t.Errorf("a match that is over: %v", err)
	}
	m.Schedule.Rounds = 2
	standing, err := m.Run(context.Background(), files, &listener{})
	if err == nil || standing.Games != 2 {
		t.Fatalf("%d games, error %v", standing.Games, err)
	}
	for _, want := range []string{"good1", `"one Test"`, `"other Test"`, "-other-programs"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not tell %q", err, want)
		}
	}
	m.OtherPrograms = true
	if s := mustRun(t, m, files, &listener{}); s.Games != 4 {
		t.Errorf("%d games", s.Games)
	}
}

// TestUnwillingToQuit checks that an engine that has to be forced to end is told
// of, and ended.
func TestUnwillingToQuit(t *testing.T) {
	t.Parallel()
	m := testMatch(t, 1, 1, enginetest.Good, enginetest.IgnoresQuit)
	m.Patience.Quit = 500 * time.Millisecond
	observer := &listener{}
	mustRun(t, m, testFiles(t), observer)
	// On a busy machine the good one may need force too.
	if text := fmt.Sprint(observer.warnings); !strings.Contains(text, enginetest.IgnoresQuit+"1") || !strings.Contains(text, "does not quit") {
		t.Errorf("warnings %v", text)
	}
}
