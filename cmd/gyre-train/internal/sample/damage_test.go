package sample

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestDamage harms a file in every way that harms one block: all other games
// are read, and one damage is told, which lies within the block.
func TestDamage(t *testing.T) {
	const games, samples = 5, 3
	text, want, starts := testFile(t, games, samples)
	check := func(t *testing.T, harmed []byte, wantGames []Game, from, to int, last bool) {
		t.Helper()
		got, damages := read(t, bytes.NewReader(harmed))
		if diff := cmp.Diff(wantGames, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
		wantDamages := []Damage{{Offset: int64(from), Length: int64(to - from), Last: last}}
		if from == to {
			wantDamages = nil
		}
		for i := range damages {
			if damages[i].Reason == nil || !strings.Contains(damages[i].Error(), "damaged from byte ") {
				t.Fatalf("damage %v", &damages[i])
			}
			damages[i].Reason = nil
		}
		if diff := cmp.Diff(wantDamages, damages); diff != "" {
			t.Fatal(diff)
		}
	}
	for k := range games {
		from, to, others := starts[k], starts[k+1], slices.Delete(slices.Clone(want), k, k+1)
		last := k == games-1
		for at := from; at < to; at++ {
			for _, bit := range []byte{1, 0x80} {
				harmed := slices.Clone(text)
				harmed[at] ^= bit
				check(t, harmed, others, from, to, last)
			}
			check(t, slices.Delete(slices.Clone(text), at, at+1), others, from, to-1, last)
			if at > from+1 { // or the block would still be whole, one byte on
				check(t, slices.Insert(slices.Clone(text), at, mark[0]), others, from, to+1, last)
			}
			check(t, text[:at], want[:k], from, at, true)
		}
		check(t, slices.Insert(slices.Clone(text), from, 1, 2, 3), want, from, from+3, false)
		zeros := slices.Clone(text)
		clear(zeros[from:to])
		check(t, zeros, others, from, to, last)
	}
	check(t, append(slices.Clone(text), make([]byte, 3*readAhead)...), want, len(text), len(text)+3*readAhead, true)
	check(t, append(slices.Clone(text), mark...), want, len(text), len(text)+len(mark), true)
}

// TestForeignBlocks reads blocks whose checksum is right and whose contents
// cannot be: each is passed over whole.
func TestForeignBlocks(t *testing.T) {
	text, want, _ := testFile(t, 2, 2)
	good := want[0].Samples[0].Append(nil)
	wrong := slices.Clone(good)
	wrong[stateAt] |= 3 << resultShift
	inner, err := AppendGame(nil, &want[1])
	if err != nil {
		t.Fatal(err)
	}
	for reason, bad := range map[string][]byte{
		"game 0: sample 1: result 2: not -1, 0 or 1": block(0, append(slices.Clone(good), wrong...)),
		"game 9: sample 0: it is of game 0":          block(9, good),
		// A whole block may lie where the records do not begin with one.
		"game 7: sample 0: word 0 of the points is no number of 27 digits": block(7, append(bytes.Repeat([]byte{255}, 3*Size-len(inner)%Size), inner...)),
	} {
		got, damages := read(t, bytes.NewReader(append(slices.Clone(text), bad...)))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", reason, diff)
		}
		if len(damages) != 1 || damages[0].Reason.Error() != reason || damages[0].Length != int64(len(bad)) {
			t.Errorf("%s: damage %v", reason, damages)
		}
	}
}
