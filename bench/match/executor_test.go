package match

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"gyre/bench/enginetest"
	"gyre/bench/game"
)

// TestVerify takes the lines of games that were played, and none in which something was
// changed.
func TestVerify(t *testing.T) {
	t.Parallel()
	m := testMatch(t, 1, 2, enginetest.Counts, enginetest.Counts)
	for i := range m.Engines {
		m.Engines[i].Limits = game.Limits{Base: 10 * time.Second, Increment: time.Second, NodesTime: 100}
	}
	m.Conditions.Adjudication = game.Adjudication{MaxTurns: 40}
	if err := m.CheckEngines(context.Background()); err != nil {
		t.Fatal(err)
	}
	files := testFiles(t)
	mustRun(t, m, files, &listener{})
	for number, line := range readFile(t, files.Lines) {
		g := m.Schedule.Game(number)
		opening, err := m.Openings.Opening(g.Round)
		if err != nil {
			t.Fatal(err)
		}
		job := Job{Game: g, Opening: opening}
		if err := m.Verify(job, line); err != nil {
			t.Errorf("game %d: %v", number, err)
		}
		for name, change := range map[string]func(l *Line){
			"match":    func(l *Line) { l.Match = "other" },
			"number":   func(l *Line) { l.Game += 2 },
			"engine":   func(l *Line) { l.White, l.Black = l.Black, l.White },
			"program":  func(l *Line) { l.Programs[1] = "other" },
			"limits":   func(l *Line) { l.Limits[0] = "nodes=1" },
			"result":   func(l *Line) { l.Result = "black" },
			"reason":   func(l *Line) { l.Reason = game.AdjudicatedDraw },
			"score":    func(l *Line) { l.Score = "3-0" },
			"opening":  func(l *Line) { l.Opening = l.Opening[:len(l.Opening)-1] },
			"end":      func(l *Line) { l.Turns = l.Turns[:len(l.Turns)-1] },
			"more":     func(l *Line) { l.Turns = append(l.Turns, l.Turns[0]) },
			"turn":     func(l *Line) { l.Turns[2].Turn = l.Turns[0].Turn },
			"time":     func(l *Line) { l.Turns[2].MS++ },
			"nodes":    func(l *Line) { l.Turns[2].Nodes++ },
			"clock":    func(l *Line) { l.Turns[2].Nodes, l.Turns[2].MS = 100_000_000, 1_000_000 },
			"late":     func(l *Line) { l.Late = []float64{1} },
			"line":     func(l *Line) { l.Turns[2].PV = []string{l.Turns[2].Turn} },
			"duration": func(l *Line) { l.Seconds = -1 },
		} {
			changed := *line
			text, err := json.Marshal(line)
			if err == nil {
				err = json.Unmarshal(text, &changed)
			}
			if err != nil {
				t.Fatal(err)
			}
			change(&changed)
			if m.Verify(job, &changed) == nil {
				t.Errorf("game %d: another %s was taken", number, name)
			}
		}
	}
}
