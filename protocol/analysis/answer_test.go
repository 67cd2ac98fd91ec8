package analysis

import (
	"encoding/json"
	"math"
	"testing"

	"gyre/position"
	"gyre/protocol"
)

// TestChancesOnEveryArchitecture checks that no share of the points is so close to a rounding
// boundary that the last bit of math.Exp could change the result.
func TestChancesOnEveryArchitecture(t *testing.T) {
	const most = 30_000 // centipawns, more than any evaluation has
	for cp := -most; cp <= most; cp++ {
		x := chanceParts * share(cp)
		if distance := math.Abs(x - math.Floor(x) - 0.5); distance < 1e-9 {
			t.Errorf("%d cp: %v of %d parts", cp, x, chanceParts)
		}
		if sum := chance(protocol.Score{Value: cp}) + chance(protocol.Score{Value: -cp}); math.Abs(sum-1) > 1e-9 {
			t.Errorf("%d cp: the chances of both sides are %v", cp, sum)
		}
	}
}

// TestResults checks the answers for finished games, from the view of either side.
func TestResults(t *testing.T) {
	type root struct {
		CP, Mate *int
		Chance   float64
		Proven   bool
	}
	for text, want := range map[string]struct {
		word   string
		chance float64
	}{
		"4/7/8/9/10/9/10/9/2WW4/2BBBBB/4 b 3-0": {"mate", 0},
		"4/7/8/9/10/9/10/9/2WW4/2BBBBB/4 w 3-0": {"mate", 1},
		"4/7/8/9/10/9/10/9/2BB4/2WWWWW/4 w 0-3": {"mate", 0},
		drawn:                                   {"cp", 0.5},
	} {
		p, err := position.Parse(text, position.Standard)
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Root root }
		a := answer{id: "a", position: &p}
		if err := json.Unmarshal(a.line(), &got); err != nil {
			t.Fatal(err)
		}
		score := got.Root.Mate
		if want.word == "cp" {
			score = got.Root.CP
		}
		if score == nil || *score != 0 || got.Root.Chance != want.chance || !got.Root.Proven {
			t.Errorf("%s: %s", text, a.line())
		}
	}
}

// drawn is a drawn game: the pool is empty.
const drawn = "b1bb/wb2wbB/2wwbbww/3wwb1b1/1w1wb2wWw/1wbbwwBb1/b2WbbbB1b/1bw1bw1wb/bBWWw2w/bbbwWbw/wBbb b 0-0"
