package match

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/stats"
)

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
