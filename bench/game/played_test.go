package game

import (
	"context"
	"strings"
	"testing"
	"time"

	"gyre/bench/enginetest"
	"gyre/position"
)

// TestVerifyRealTime holds made-up times of a game that was played to clocks of twice a
// minute with 10 ms a turn, of which each turn may take 20 ms more.
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
		want   string // empty if it is taken
	}{
		"in time":                    {first(time.Millisecond), ""},
		"all time":                   {first(all), ""},
		"all time, to the rounding":  {late(first(all), 300), ""},
		"late":                       {late(first(all+15*time.Millisecond), 15*time.Millisecond), ""},
		"late, as rounded":           {late(first(all+15*time.Millisecond), 15*time.Millisecond-400), ""},
		"late, untold":               {first(all + 15*time.Millisecond), "0 answers are told to be late, by the clocks it is 1"},
		"late by something else":     {late(first(all+15*time.Millisecond), 5*time.Millisecond), "told to be late by 5ms"},
		"not late":                   {late(first(time.Second), 15*time.Millisecond), "1 answers are told to be late, by the clocks it is 0"},
		"beyond the margin":          {late(first(all+30*time.Millisecond), 30*time.Millisecond), "turn 11: it took 2m0.03s of 2m0s, and the game went on"},
		"negative":                   {first(-time.Second), "it took -1s"},
		"lost on time":               {lost(position.BlackWins, 21*time.Millisecond), ""},
		"lost within the margin":     {lost(position.BlackWins, 19*time.Millisecond), "20ms are forgiven"},
		"lost in time":               {lost(position.BlackWins), "answers are told to be late"},
		"lost by who was not to":     {lost(position.WhiteWins, time.Second), "is told to have won on time"},
		"lost with more late before": {lost(position.BlackWins, time.Millisecond, time.Second), "2 answers are told to be late, by the clocks it is 1"},
	} {
		changed := *played
		changed.Late, changed.Plies = nil, append([]Ply{}, played.Plies...)
		for i := range changed.Plies {
			changed.Plies[i].Time = time.Millisecond
		}
		test.change(&changed)
		err := changed.Verify(engines, conditions)
		if err == nil && test.want != "" || err != nil && (test.want == "" || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, not %q", name, err, test.want)
		}
	}
}

// TestVerifyFactor holds times to clocks of twice as much, that are too long for others.
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
		t.Error("times of two minutes were taken for a clock of one")
	}
}
