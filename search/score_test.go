package search

import (
	"math"
	"testing"
)

// TestCentipawns checks what PROTOCOL.md says of scores: 100 centipawns are worth 73
// of 100 points, 50 are worth 62, and 200 are worth 88.
func TestCentipawns(t *testing.T) {
	for s, want := range map[Score][2]int{0: {0, 50}, 75: {100, 73}, 38: {51, 62}, 150: {200, 88}, -75: {-100, 27}} {
		win, draw, _ := s.WDL()
		if got := [2]int{s.Centipawns(), (win + draw/2 + 5) / 10}; got != want {
			t.Errorf("%d: %d centipawns and %d points, want %v", s, got[0], got[1], want)
		}
	}
}

// TestWDL checks that the chances add up, are fair at equality, opposite for
// the two sides and certain for proven ends.
func TestWDL(t *testing.T) {
	lastWin := -1
	for s := Score(-2000); s <= 2000; s += 50 {
		win, draw, loss := s.WDL()
		if win+draw+loss != 1000 || win < 0 || draw < 0 || loss < 0 {
			t.Errorf("%d: %d, %d, %d", s, win, draw, loss)
		}
		otherWin, _, otherLoss := (-s).WDL()
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
	for s, want := range map[Score][3]int{WinIn(3): {1000, 0, 0}, LossIn(4): {0, 0, 1000}} {
		win, draw, loss := s.WDL()
		if got := [3]int{win, draw, loss}; got != want {
			t.Errorf("%d: %v, want %v", s, got, want)
		}
	}
}

// TestWDLOnEveryArchitecture checks that no chance lies so near the middle of two
// thousandths that the last bits of its calculation decide how it is rounded.
func TestWDLOnEveryArchitecture(t *testing.T) {
	for s := -Infinity; s <= Infinity; s++ {
		if _, proven := s.Mate(); proven {
			continue
		}
		wins, draws := s.thousandths()
		for _, chance := range []float64{wins, draws} {
			if d := math.Abs(chance - math.Floor(chance) - 0.5); d < 1e-9 {
				t.Errorf("%d: a chance of %v thousandths", s, chance)
			}
		}
	}
}

// TestLogarithm compares it with that of package math.
func TestLogarithm(t *testing.T) {
	for x := 1e-9; x < 1e9; x *= 1.001 {
		if got, want := logarithm(x), math.Log(x); math.Abs(got-want) > 1e-14*max(1, math.Abs(want)) {
			t.Errorf("ln %v = %v, want %v", x, got, want)
		}
	}
}
