package game

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/position"
)

// traced keeps what a player is told.
func traced(p *Player) func() []string {
	var mu sync.Mutex
	var lines []string
	p.trace = func(toEngine bool, line string) {
		mu.Lock()
		defer mu.Unlock()
		if toEngine {
			lines = append(lines, line)
		}
	}
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return lines
	}
}

// turnsOf returns the turns of a game.
func turnsOf(played *Played) (all []string) {
	for i := range played.Plies {
		all = append(all, played.Plies[i].Turn.String())
	}
	return all
}

// TestPonder plays a game of an engine that ponders against one that has no such
// option. Each pondering ends by ponderhit or stop, both come, and the game is that of
// engines that do not ponder.
func TestPonder(t *testing.T) {
	t.Parallel()
	game := func(name string, conditions Conditions) (*Played, []string) {
		players := [2]*Player{testPlayer(t, name, timing), testPlayer(t, enginetest.Good, timing)}
		told := traced(players[0])
		played, err := Play(context.Background(), players, testOpening(3, 12), conditions)
		if err != nil {
			t.Fatal(err)
		}
		return played, told()
	}
	plain, _ := game(enginetest.Good, Conditions{Ponder: true})
	off, told := game(enginetest.Ponders, Conditions{})
	if diff := cmp.Diff(turnsOf(plain), turnsOf(off)); diff != "" || strings.Contains(strings.Join(told, "\n"), "onder") {
		t.Errorf("without -ponder: %s, %q", diff, told)
	}
	played, told := game(enginetest.Ponders, Conditions{Ponder: true})
	checkGame(t, played)
	if diff := cmp.Diff(turnsOf(plain), turnsOf(played)); diff != "" || played.Reason.Fault() {
		t.Errorf("%v: %s", played.Reason, diff)
	}
	hits, stops, set, pondering := 0, 0, false, false
	for _, line := range told {
		switch {
		case line == "setoption name Ponder value true":
			set = true
		case strings.HasPrefix(line, "go ponder"):
			pondering = true
			if !strings.Contains(line, "p1time") {
				t.Errorf("no clock in %q", line)
			}
		case line == "ponderhit" || line == "stop":
			if !pondering {
				t.Errorf("%s to an engine that does not ponder", line)
			}
			pondering = false
			if line == "stop" {
				stops++
			} else {
				hits++
			}
		case pondering && (strings.HasPrefix(line, "go") || strings.HasPrefix(line, "position")):
			t.Errorf("%q while it ponders", line)
		}
	}
	if !set || pondering || hits < 5 || stops < 2 {
		t.Errorf("set: %t, still pondering: %t, %d hits, %d stops", set, pondering, hits, stops)
	}
}

// TestPonderByOption has an engine ponder because its description sets the option, and
// refuses that with a clock of nodes.
func TestPonderByOption(t *testing.T) {
	t.Parallel()
	players := [2]*Player{testPlayer(t, enginetest.Ponders, timing), testPlayer(t, enginetest.Good, nodes)}
	players[0].Engine.Settings = []Setting{{"ponder", "true"}}
	told := traced(players[0])
	if _, err := Play(context.Background(), players, testOpening(3, 12), Conditions{Adjudication: Adjudication{MaxTurns: 20}}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(told(), "\n"), "\nponderhit") {
		t.Errorf("it does not ponder: %q", told())
	}
	p := &Player{Engine: &Engine{Settings: []Setting{{"Ponder", "true"}}, Limits: Limits{Base: 1, NodesTime: 1}}}
	client, err := testPlayer(t, enginetest.Ponders, nodes).start(Conditions{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Kill()
	if err := p.tellPonder(client, Conditions{}); err == nil || !strings.Contains(err.Error(), "one excludes the other") {
		t.Errorf("error %v", err)
	}
}

// TestDiesPondering charges an engine with its death when its turn was made.
func TestDiesPondering(t *testing.T) {
	t.Parallel()
	players := [2]*Player{testPlayer(t, enginetest.PondersDies, timing), testPlayer(t, enginetest.Good, timing)}
	played, err := Play(context.Background(), players, testOpening(3, 12), Conditions{Ponder: true})
	if err != nil {
		t.Fatal(err)
	}
	if played.Reason != Disconnect || played.Result != position.BlackWins || !strings.Contains(played.Detail, "exit status 9") {
		t.Errorf("%v by %v: %s", played.Result, played.Reason, played.Detail)
	}
}
