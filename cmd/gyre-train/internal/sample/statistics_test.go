package sample

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// randomPositions returns the positions of a random game before its end.
func randomPositions(seed uint64) (list []position.Position) {
	rng := rand.New(rand.NewPCG(3, seed))
	for p := position.Start(position.Standard); !p.Over(); {
		list = append(list, p)
		turns := p.Turns(nil)
		p = p.After(turns[rng.IntN(len(turns))])
	}
	return list
}

// TestSymmetricKey compares the keys of images and of different positions.
func TestSymmetricKey(t *testing.T) {
	seen := map[uint64]string{}
	for seed := range uint64(10) {
		for i, p := range randomPositions(seed) {
			key := symmetricKey(&p)
			for s := range position.Symmetry(position.Symmetries) {
				if image := s.Position(&p); symmetricKey(&image) != key {
					t.Fatalf("%v: symmetry %d has another key", &p, s)
				}
			}
			if i < 4 {
				continue // games may begin alike
			}
			if other, found := seen[key]; found {
				t.Errorf("%v and %s have the same key", &p, other)
			}
			seen[key] = p.String()
		}
	}
	const board = "1BB1/1B5/2B5/9/2B4w2/9/1W1W1w4/1WW2W3/8/7/4 "
	for _, rest := range []string{"w 0-0", "b 0-0"} {
		p, err := position.Parse(board+rest, position.Standard)
		if err != nil {
			t.Fatal(err)
		}
		if other, found := seen[symmetricKey(&p)]; found {
			t.Errorf("%v and %s have the same key", &p, other)
		}
		seen[symmetricKey(&p)] = p.String()
	}
}

// TestDuplicates counts keys that occur twice, one in four of them three times, with room for all keys
// and for a few.
func TestDuplicates(t *testing.T) {
	const keys = 40_000
	for _, test := range []struct {
		room  int
		least float64
		most  float64
		oneIn int
	}{
		{keys, 55.5, 55.6, 1}, // 1.25 repetitions for 2.25 positions
		{1000, 54, 57, 64},
	} {
		d := newDuplicates(test.room)
		rng := rand.New(rand.NewPCG(1, 1))
		var all []uint64
		for i := range keys {
			key := rng.Uint64()
			all = append(all, key, key)
			if i%4 == 0 {
				all = append(all, key)
			}
		}
		rng.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		for _, key := range all {
			d.add(key)
			if len(d.times) > test.room {
				t.Fatalf("%d keys kept, room for %d", len(d.times), test.room)
			}
		}
		if got, oneIn := d.share(); got < test.least || got > test.most || oneIn != test.oneIn {
			t.Errorf("room for %d: %.2f%% repeated, of one in %d", test.room, got, oneIn)
		}
	}
}

func TestScoreBins(t *testing.T) {
	for score, want := range map[int]string{
		0: "about 0", 24: "about 0", -24: "about 0", 25: "+50", -25: "-50", 74: "+50", 75: "+100",
		-474: "-450", -475: "-500 and below", 475: "+500 and above", 19999: "+500 and above", -19999: "-500 and below",
	} {
		if got := scoreName(scoreBin(score)); got != want {
			t.Errorf("score %d: %q, want %q", score, got, want)
		}
	}
}

// TestWrite counts a few positions and checks the tables.
func TestWrite(t *testing.T) {
	list := randomPositions(5)
	c := NewStatistics()
	c.Add(&Game{Number: 0, Samples: []Sample{
		{Position: list[4], Score: 20, Result: 1, Ply: 4},
		{Position: list[14], Score: -100, Result: 1, Ply: 14},
		{Position: list[15], Score: MaxScore, Result: -1, Ply: 15},
		{Position: list[16], Score: 2000, Result: 1, Ply: 16},
	}})
	mirrored := position.Symmetry(8).Position(&list[14])
	c.Add(&Game{Number: 1, Samples: []Sample{{Position: mirrored, Ply: 14}}})
	c.Add(&Game{Number: 2})
	want := `games      3, white won 33.3%, black 0.0%, drawn 33.3%
plies      10.0 on average up to the last position of a game, at most 16
positions  5
repeated   20.00% of the positions, up to symmetry

phase            positions  share  won     drawn  lost    points
rings to place   1          20.0%  100.0%  0.0%   0.0%    100.0%
0 rings removed  4          80.0%  50.0%   25.0%  25.0%   62.5%
0-9 markers      4          80.0%  50.0%   25.0%  25.0%   62.5%

score            positions  share  won     drawn   lost    points
-100             1          20.0%  100.0%  0.0%    0.0%    100.0%  ##########
about 0          2          40.0%  50.0%   50.0%   0.0%    75.0%   ####################
+500 and above   1          20.0%  100.0%  0.0%    0.0%    100.0%  ##########
proven           1          20.0%  0.0%    0.0%    100.0%  0.0%
`
	var got strings.Builder
	if err := c.Write(&got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(squeezed(want), squeezed(got.String())); diff != "" {
		t.Errorf("%s\n%s", diff, got.String())
	}
	var nothing strings.Builder
	if err := NewStatistics().Write(&nothing); err != nil || !strings.Contains(nothing.String(), "games      0, white won 0.0%") {
		t.Errorf("%v: %s", err, nothing.String())
	}
}

// squeezed returns the lines with single spaces between words.
func squeezed(text string) (lines []string) {
	for line := range strings.Lines(text) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return lines
}
