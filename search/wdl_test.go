package search

import "testing"

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
	for s, want := range map[Score][3]int{winIn(3): {1000, 0, 0}, lossIn(4): {0, 0, 1000}} {
		win, draw, loss := s.WDL()
		if got := [3]int{win, draw, loss}; got != want {
			t.Errorf("%d: %v, want %v", s, got, want)
		}
	}
}
