package evaluation

import (
	"math"
	"testing"

	"gyre/position"
	"gyre/search"
)

// TestCentipawns checks the statement of PROTOCOL.md about scores: 100 centipawns are
// worth 73 of 100 points, 50 are worth 62, and 200 are worth 88.
func TestCentipawns(t *testing.T) {
	const scale Scale = 75
	for s, want := range map[search.Score][2]int{0: {0, 50}, 75: {100, 73}, 38: {51, 62}, 150: {200, 88}, -75: {-100, 27}} {
		win, draw, _ := scale.WDL(s)
		if got := [2]int{scale.Centipawns(s), (win + draw/2 + 5) / 10}; got != want {
			t.Errorf("%d: %d centipawns and %d points, want %v", s, got[0], got[1], want)
		}
	}
}

// scales returns the scales of all parts of the game.
func scales() []Scale {
	list := []Scale{openingScale, blitzScale}
	for more := range removedScales {
		list = append(list, removedScales[more][:more+1]...)
	}
	return list
}

// TestScaleOf checks the scale of positions, for either side to move and either side
// ahead.
func TestScaleOf(t *testing.T) {
	const (
		few  = "4/1W3B1/1W5B/9/1W1www4/9/W9/8W/1B6/6B/1B2 w "
		some = "4/1W3B1/1W5B/9/1W1wwwb3/9/W9/8W/1B6/6B/1B2 b "
	)
	for _, test := range []struct {
		text  string
		rules position.Rules
		want  Scale
	}{
		{few + "0-0", position.Standard, openingScale},
		{some + "0-0", position.Standard, removedScales[0][0]},
		{"4/1W3B1/1W5B/9/1W8/9/W9/9/1B6/6B/1B2 w 1-0", position.Standard, removedScales[1][0]},
		{"4/1W3B1/1W5B/9/1W8/9/10/9/1B6/6B/1B2 b 2-0", position.Standard, removedScales[2][0]},
		{"4/1W3B1/1W5B/9/1W8/9/W9/9/8/6B/4 w 1-2", position.Standard, removedScales[2][1]},
		{"4/1W3B1/1W5B/9/1W8/9/10/9/8/6B/4 w 2-2", position.Standard, removedScales[2][2]},
		{few + "0-0", position.Blitz, blitzScale},
	} {
		p, err := position.Parse(test.text, test.rules)
		if err != nil {
			t.Fatal(err)
		}
		if got := ScaleOf(&p); got != test.want {
			t.Errorf("%s has the scale %v, not %v", test.text, got, test.want)
		}
	}
}

// TestScales checks that every part of the game has a scale, and that none is far
// from the others.
func TestScales(t *testing.T) {
	for _, scale := range scales() {
		if !(scale > 40 && scale < 160) {
			t.Errorf("a scale of %v", scale)
		}
	}
}

// TestWDL checks that the probabilities add up, are equal for both sides at score 0,
// opposite for opposite scores, and certain for proven results.
func TestWDL(t *testing.T) {
	for _, scale := range scales() {
		lastWin := -1
		for s := search.Score(-2000); s <= 2000; s += 50 {
			win, draw, loss := scale.WDL(s)
			if win+draw+loss != 1000 || win < 0 || draw < 0 || loss < 0 {
				t.Errorf("%d: %d, %d, %d", s, win, draw, loss)
			}
			otherWin, _, otherLoss := scale.WDL(-s)
			if d := win - otherLoss; d < -1 || d > 1 {
				t.Errorf("%d: a win %d, for the other side a loss %d", s, win, otherLoss)
			}
			if d := loss - otherWin; d < -1 || d > 1 {
				t.Errorf("%d: a loss %d, for the other side a win %d", s, loss, otherWin)
			}
			if win < lastWin {
				t.Errorf("%d wins less often than a lower score", s)
			}
			lastWin = win
		}
		for s, want := range map[search.Score][3]int{search.WinIn(3): {1000, 0, 0}, search.LossIn(4): {0, 0, 1000}} {
			win, draw, loss := scale.WDL(s)
			if got := [3]int{win, draw, loss}; got != want {
				t.Errorf("%d: %v, want %v", s, got, want)
			}
		}
	}
}

// TestWDLOnEveryArchitecture checks that no probability is close enough to a rounding
// boundary for the last bits of its calculation to matter.
func TestWDLOnEveryArchitecture(t *testing.T) {
	for _, scale := range scales() {
		for s := -search.Infinity; s <= search.Infinity; s++ {
			if _, proven := s.Mate(); proven {
				continue
			}
			wins, draws := scale.thousandths(s)
			for _, chance := range []float64{wins, draws} {
				if d := math.Abs(chance - math.Floor(chance) - 0.5); d < 1e-9 {
					t.Errorf("%d by the scale %v: a chance of %v thousandths", s, scale, chance)
				}
			}
		}
	}
}

// TestLogarithm compares logarithm with math.Log.
func TestLogarithm(t *testing.T) {
	for x := 1e-9; x < 1e9; x *= 1.001 {
		if got, want := logarithm(x), math.Log(x); math.Abs(got-want) > 1e-14*max(1, math.Abs(want)) {
			t.Errorf("ln %v = %v, want %v", x, got, want)
		}
	}
}
