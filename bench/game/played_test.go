package game

import (
	"context"
	"strings"
	"testing"
	"time"

	"gyre/bench/enginetest"
	"gyre/position"
)

// TestVerifyRealTime replaces the times of a game and verifies them against clocks of two
// minutes plus 20 ms per turn, with a margin of 20 ms.
func TestVerifyRealTime(t *testing.T) {
	t.Parallel()
	conditions := Conditions{TimeFactor: 2, Margin: 20 * time.Millisecond, Adjudication: Adjudication{MaxTurns: 18}}
	players := [2]*Player{testPlayer(t, enginetest.Good, timing), testPlayer(t, enginetest.Good, timing)}
	played, err := Play(context.Background(), players, testOpening(3, 10), conditions)
	if err != nil || len(played.Plies) != 8 || played.Final.SideToMove() != position.White {
		t.Fatalf("%+v, %v", played, err)
	}
	engines := [2]*Engine{players[0].Engine, players[1].Engine}
	const all = 2 * time.Minute
	first := func(took time.Duration) func(*Played) {
		return func(p *Played) { p.Plies[0].Time = took }
	}
	late := func(first func(*Played), late ...time.Duration) func(*Played) {
		return func(p *Played) { first(p); p.Late = late }
	}
	lost := func(by position.Result, late ...time.Duration) func(*Played) {
		return func(p *Played) { p.Plies, p.Reason, p.Result, p.Late = p.Plies[:4], TimeForfeit, by, late }
	}
	for name, test := range map[string]struct {
		change func(*Played)
		want   string // the error; empty for none
	}{
		"in time":                          {first(time.Millisecond), ""},
		"all time":                         {first(all), ""},
		"all time, to rounding":            {late(first(all), 300), ""},
		"late":                             {late(first(all+15*time.Millisecond), 15*time.Millisecond), ""},
		"late, rounded":                    {late(first(all+15*time.Millisecond), 15*time.Millisecond-400), ""},
		"late, not recorded":               {first(all + 15*time.Millisecond), "0 late answers are recorded, but by the clocks there are 1"},
		"late by another time":             {late(first(all+15*time.Millisecond), 5*time.Millisecond), "recorded as late by 5ms"},
		"not late":                         {late(first(time.Second), 15*time.Millisecond), "1 late answers are recorded, but by the clocks there are 0"},
		"beyond the margin":                {late(first(all+30*time.Millisecond), 30*time.Millisecond), "turn 11: it took 2m0.03s of 2m0s, but the game continued"},
		"negative":                         {first(-time.Second), "it took -1s"},
		"lost on time":                     {lost(position.BlackWins, 21*time.Millisecond), ""},
		"lost within the margin":           {lost(position.BlackWins, 19*time.Millisecond), "within the margin of 20ms"},
		"lost in time":                     {lost(position.BlackWins), "late answers are recorded"},
		"lost by the wrong side":           {lost(position.WhiteWins, time.Second), "is recorded as the winner on time"},
		"lost with an earlier late answer": {lost(position.BlackWins, time.Millisecond, time.Second), "2 late answers are recorded, but by the clocks there are 1"},
	} {
		changed := *played
		changed.Late, changed.Plies = nil, append([]Ply{}, played.Plies...)
		for i := range changed.Plies {
			changed.Plies[i].Time = time.Millisecond
		}
		test.change(&changed)
		err := changed.Verify(engines, conditions)
		if err == nil && test.want != "" || err != nil && (test.want == "" || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: error %v, want %q", name, err, test.want)
		}
	}
}

// TestVerifyFactor verifies times against doubled clocks and against the original ones.
func TestVerifyFactor(t *testing.T) {
	t.Parallel()
	conditions := Conditions{TimeFactor: 2, Adjudication: Adjudication{MaxTurns: 18}}
	players := [2]*Player{testPlayer(t, enginetest.Good, timing), testPlayer(t, enginetest.Good, timing)}
	played, err := Play(context.Background(), players, testOpening(3, 10), conditions)
	if err != nil {
		t.Fatal(err)
	}
	engines := [2]*Engine{players[0].Engine, players[1].Engine}
	played.Late = nil
	for i := range played.Plies {
		played.Plies[i].Time = 25 * time.Second
	}
	if err := played.Verify(engines, conditions); err != nil {
		t.Error(err)
	}
	conditions.TimeFactor = 1
	if played.Verify(engines, conditions) == nil {
		t.Error("times within two minutes were accepted for a clock of one minute")
	}
}
