package review

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// TestRun reviews a game with judges of which some fail. All turns are judged, and the verdicts
// come in the same order as from one judge.
func TestRun(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	positions := []position.Position{position.Start(position.Blitz)}
	var turns []position.Turn
	for p := &positions[0]; !p.Over(); p = &positions[len(positions)-1] {
		legal := p.Turns(nil)
		turns = append(turns, legal[random.IntN(len(legal))])
		positions = append(positions, p.After(turns[len(turns)-1]))
	}
	broken := errors.New("broken")
	// after returns a judge that fails after a number of positions.
	after := func(most int) Judge {
		return func(ctx context.Context, ply int, nodes uint64) (Judgement, error) {
			if most--; most < 0 {
				return Judgement{}, broken
			}
			return Judgement{Score: cp(ply*53%200 + int(nodes)), Line: turns[ply : ply+1]}, ctx.Err()
		}
	}
	run := func(judges ...Judge) (told []Verdict, shares []float64, err error) {
		err = New(positions, turns).Run(t.Context(), 7, judges, func(share float64, verdicts []Verdict) {
			told, shares = append(told, verdicts...), append(shares, share)
		})
		return told, shares, err
	}
	want, shares, err := run(after(1000))
	if err != nil || len(want) < len(turns) || !slices.IsSorted(shares) || shares[len(shares)-1] > 1 {
		t.Fatalf("%d verdicts on %d turns, shares %v, %v", len(want), len(turns), shares, err)
	}
	for range 20 {
		got, _, err := run(after(1000), after(0), after(5), after(1000))
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Fatalf("with four judges: %v (-want +got):\n%s", err, diff)
		}
	}
	if _, _, err := run(after(3)); !errors.Is(err, broken) {
		t.Errorf("the only judge fails: %v", err)
	}
}
