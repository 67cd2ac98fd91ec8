package stats

import "testing"

// TestNiceStep checks steps at and around each limit.
func TestNiceStep(t *testing.T) {
	for _, test := range []struct{ span, most, want float64 }{
		{0, 6, 0}, {6, 6, 1}, {6.1, 6, 2}, {12, 6, 2}, {12.1, 6, 5}, {30, 6, 5}, {30.1, 6, 10}, {60, 6, 10}, {200, 6, 50}, {400, 6, 100},
		{5000, 6, 1000}, {0.3, 3, 0.1}, {0.007, 5, 0.002}, {5, 5, 1}, {45, 5, 10},
	} {
		if got := NiceStep(test.span, test.most); got < test.want*(1-1e-12) || got > test.want*(1+1e-12) {
			t.Errorf("span %v in at most %v parts: %v, want %v", test.span, test.most, got, test.want)
		}
	}
}
