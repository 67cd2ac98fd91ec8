package position_test

import (
	"slices"
	"testing"

	"gyre/position"
)

// What picks out some of the turns, or tells about one, must agree with the list of all turns, also where rows are
// many and pools are empty.
func TestQuietAndCompletingTurns(t *testing.T) {
	everywhere(t, func(t *testing.T, p *position.Position, turns []position.Turn) {
		var quiet, completing []position.Turn
		for _, turn := range turns {
			switch {
			case turn.Removals() > 0:
				completing = append(completing, turn)
			case turn.Kind() == position.Move:
				quiet = append(quiet, turn)
			}
		}
		if got := p.QuietTurns(nil); !slices.Equal(got, quiet) {
			t.Errorf("quiet turns are %q, want %q", wordsOf(got), wordsOf(quiet))
		}
		got := p.CompletingTurns(nil)
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(completing))) {
			t.Errorf("completing turns are %q, want %q", wordsOf(got), wordsOf(completing))
		}
		for _, turn := range someOf(turns) {
			if got, want := p.Quiet(turn), slices.Contains(quiet, turn); got != want {
				t.Errorf("quiet of %s is %t", turn, got)
			}
		}
	})
}

func TestTargetsAndMobility(t *testing.T) {
	everywhere(t, func(t *testing.T, p *position.Position, _ []position.Turn) {
		r := newReference(p.String(), p.Rules().String())
		for _, side := range []position.Side{position.White, position.Black} {
			moves := 0
			for _, from := range r.find(referenceRing[side]) {
				moves += len(r.destinations(from))
				at, err := position.ParsePoint(from.String())
				if err != nil {
					t.Fatal(err)
				}
				var want []string
				for _, to := range r.destinations(from) {
					want = append(want, to.String())
				}
				var got []string
				for targets := p.Targets(at); !targets.IsEmpty(); targets = targets.WithoutFirst() {
					got = append(got, targets.First().String())
				}
				if !slices.Equal(sorted(got), sorted(want)) {
					t.Errorf("the ring on %s can go to %q, want %q", at, got, want)
				}
			}
			if p.Mobility(side) != moves || p.CanMove(side) != (moves > 0) {
				t.Errorf("%s has %d moves, want %d", side, p.Mobility(side), moves)
			}
			if got, want := len(p.Rows(side, nil)), len(r.rows(int(side))); got != want || p.HasRow(side) != (want > 0) {
				t.Errorf("%s has %d rows, want %d", side, got, want)
			}
		}
	})
}

// The parts that a packed turn is asked for are those that its word names.
func TestTurnParts(t *testing.T) {
	p := mustParse(t, "W2B/4W1B/2wwbww1/9/10/1wwwww3/B9/9/B7/7/WWWB w 0-0", "standard")
	turn, err := p.ParseTurn("XF7-F3XK7;b5-D5;xc7-c3xk8")
	if err != nil {
		t.Fatal(err)
	}
	if turn.String() != "xf3-f7xk7;b5-d5;xc3-c7xk8" {
		t.Errorf("written as %s", turn)
	}
	if turn.Kind() != position.Move || turn.Before() != 1 || turn.After() != 1 || turn.Removals() != 2 {
		t.Errorf("kind %d with %d and %d removals", turn.Kind(), turn.Before(), turn.After())
	}
	if turn.From().String() != "b5" || turn.To().String() != "d5" {
		t.Errorf("moves %s to %s", turn.From(), turn.To())
	}
	for i, want := range []string{"xf3-f7xk7", "xc3-c7xk8"} {
		if got := turn.Removal(i).String(); got != want {
			t.Errorf("removal %d is %s, want %s", i, got, want)
		}
	}
}
