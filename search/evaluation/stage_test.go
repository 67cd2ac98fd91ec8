package evaluation

import (
	"testing"

	"gyre/position"
)

// TestStageOf checks the stages of positions for White and for Black.
func TestStageOf(t *testing.T) {
	const (
		few  = "4/1W3B1/1W5B/9/1W1www4/9/W9/8W/1B6/6B/1B2"
		some = "4/1W3B1/1W5B/9/1W1wwwb3/9/W9/8W/1B6/6B/1B2"
	)
	for _, c := range []struct {
		text  string
		rules position.Rules
		want  [2]Stage
	}{
		{few + " w 0-0", position.Standard, [2]Stage{Opening, Opening}},
		{some + " w 0-0", position.Standard, [2]Stage{NeitherShort, NeitherShort}},
		{"4/1W3B1/1W5B/9/1W8/9/W9/9/1B6/6B/1B2 w 1-0", position.Standard, [2]Stage{NeitherShort, NeitherShort}},
		{"4/1W3B1/1W5B/9/1W8/9/10/9/1B6/6B/1B2 b 2-0", position.Standard, [2]Stage{OwnShort, TheirsShort}},
		{"4/1W3B1/1W5B/9/1W8/9/W9/9/8/6B/4 w 1-2", position.Standard, [2]Stage{TheirsShort, OwnShort}},
		{"4/1W3B1/1W5B/9/1W8/9/10/9/8/6B/4 w 2-2", position.Standard, [2]Stage{BothShort, BothShort}},
		{few + " w 0-0", position.Blitz, [2]Stage{Blitz, Blitz}},
		{some + " b 0-0", position.Blitz, [2]Stage{Blitz, Blitz}},
	} {
		p, err := position.Parse(c.text, c.rules)
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]Stage{StageOf(&p, position.White), StageOf(&p, position.Black)}; got != c.want {
			t.Errorf("%s by the %v rules: stages %v, want %v", c.text, c.rules, got, c.want)
		}
	}
}

// TestStagesInGames checks that random games have every stage, that each is the
// other side's swapped, and that the accumulator knows it. So the tests over such
// games leave none out.
func TestStagesInGames(t *testing.T) {
	e := NewEvaluator(randomWeights(1))
	seen := map[Stage]int{}
	for _, p := range ongoing(100) {
		var a Accumulator
		e.Reset(&a, &p)
		white, black := StageOf(&p, position.White), StageOf(&p, position.Black)
		if white.Swapped() != black || a.stage != white {
			t.Fatalf("%v: stages %v and %v, the accumulator's %v", &p, white, black, a.stage)
		}
		seen[white]++
	}
	for s := range StageCount {
		if seen[s] == 0 {
			t.Errorf("no position at the stage %v: the tests leave it out", s)
		}
	}
}
