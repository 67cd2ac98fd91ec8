package referee

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"gyre/position"
)

// TestSetUpPositions sets up positions of random games piece by piece.
func TestSetUpPositions(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 5))
	for range 200 {
		p := position.Start(position.Rules(rng.IntN(2)))
		for n := rng.IntN(60); n > 0 && !p.Over(); n-- {
			turns := p.Turns(nil)
			p = p.After(turns[rng.IntN(len(turns))])
		}
		view := viewOf(&p, 0)
		got, err := Setting{Rules: view.Rules, Side: view.Side, Points: view.Points, Removed: view.Removed}.SetUp()
		if err != nil || got.Problem != "" || got.Position != p.String() || got.Over != p.Over() || got.Prompt.Ask == "" {
			t.Fatalf("%v: %+v, %v", p, got, err)
		}
	}
}

// TestImpossibleSettings checks the reasons why a position is impossible.
func TestImpossibleSettings(t *testing.T) {
	rings := map[string]string{"a2": "W", "a3": "W", "b1": "W", "c1": "W", "d1": "W", "k7": "B", "k8": "B", "k9": "B", "k10": "B", "j10": "B"}
	with := func(more ...string) map[string]string {
		all := map[string]string{}
		for point, letter := range rings {
			all[point] = letter
		}
		for i := 0; i < len(more); i += 2 {
			all[more[i]] = more[i+1]
		}
		return all
	}
	for _, test := range []struct {
		name    string
		setting Setting
		problem string
	}{
		{"all is well", Setting{Side: "w", Points: with()}, ""},
		{"too many rings", Setting{Side: "w", Points: with("f6", "W")}, "white has 6 rings, 0 of them removed, but there are only 5"},
		{"the wrong side", Setting{Side: "w", Points: map[string]string{"f6": "W"}}, "white cannot be the side to move"},
		{"markers too early", Setting{Side: "b", Points: map[string]string{"f6": "W", "f7": "w"}}, "1 markers before all rings are placed"},
		{"a row of the other side", Setting{Side: "w", Points: with("f3", "b", "f4", "b", "f5", "b", "f6", "b", "f7", "b")}, "black has a row, f3-f7, but is not the side to move"},
		{"both have won", Setting{Side: "w", Rules: "blitz", Points: map[string]string{}, Removed: [2]int{1, 1}}, "both sides have removed the 1 rings that win"},
	} {
		got, err := test.setting.SetUp()
		if err != nil || (got.Problem == "") != (test.problem == "") || !strings.Contains(got.Problem, test.problem) || (got.Position == "") != (test.problem != "") {
			t.Errorf("%s: %+v, %v", test.name, got, err)
		}
	}
}

// TestMalformedSettings checks which field an error reports.
func TestMalformedSettings(t *testing.T) {
	for _, test := range []struct {
		setting Setting
		where   string
	}{
		{Setting{Rules: "fast", Side: "w"}, "rules"},
		{Setting{Side: "x"}, "side"},
		{Setting{Side: "w", Points: map[string]string{"z9": "W"}}, "points"},
		{Setting{Side: "w", Points: map[string]string{"f6": "x"}}, "points"},
	} {
		_, err := test.setting.SetUp()
		if fault, ok := errors.AsType[*Error](err); !ok || fault.Where != test.where {
			t.Errorf("%+v: %v", test.setting, err)
		}
	}
}
