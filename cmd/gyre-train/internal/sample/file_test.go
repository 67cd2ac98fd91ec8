package sample

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gyre/position"
)

// TestHeaders reads files with invalid headers.
func TestHeaders(t *testing.T) {
	text, _, starts := testFile(t, 1, 1)
	header := text[:starts[0]]
	for cut := range header {
		if _, err := NewReader(bytes.NewReader(text[:cut])); err != errCut {
			t.Errorf("cut to %d bytes: %v", cut, err)
		}
	}
	for at := range header {
		harmed := slices.Clone(text)
		harmed[at] ^= 4
		if r, err := NewReader(bytes.NewReader(harmed)); err == nil {
			t.Errorf("byte %d changed: read header %v", at, r.About())
		}
	}
	for text, want := range map[string]string{
		"GIF89a, which is something else": "not a file of samples",
		"x":                               "not a file of samples",
		magic + "2\n" + strings.Repeat("\x00", 12):       `format "2", but this program reads "1"`,
		magic + format + strings.Repeat("\xff", 12):      "its text has length 4294967295",
		magic + format + "\x01" + strings.Repeat(" ", 3): "ends within its header",
	} {
		if _, err := NewReader(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// TestWriterRefuses checks that invalid games and headers are rejected.
func TestWriterRefuses(t *testing.T) {
	good := randomGame(1, position.Standard).Samples[0]
	for want, change := range map[string]func(*Game){
		"257 samples":       func(g *Game) { g.Samples = slices.Repeat(g.Samples, 257) },
		"belongs to game 1": func(g *Game) { g.Number = 2 },
		"score -20001":      func(g *Game) { g.Samples[0].Score = -MaxScore - 1 },
		"result 2":          func(g *Game) { g.Samples[0].Result = 2 },
	} {
		g := &Game{Number: 1, Samples: []Sample{good}}
		change(g)
		if block, err := AppendGame(nil, g); err == nil || !strings.Contains(err.Error(), want) || len(block) > 0 {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	for _, about := range []About{{{"", "x"}}, {{"a:b", "x"}}, {{"a", "x\ny"}}, {{"a", " x"}}, {{"a ", "x"}}, {{"a", strings.Repeat("x", maxText)}}} {
		if _, err := AppendHeader(nil, about); err == nil {
			t.Errorf("%.40q was accepted", about)
		}
	}
}

func TestDifferences(t *testing.T) {
	a := About{{"seed", "1"}, {"nodes", "5"}, {"rules", "standard"}}
	b := About{{"seed", "2"}, {"nodes", "5"}, {"openings", "some"}}
	want := []string{`seed "1", not "2"`, `rules "standard", not ""`, `no openings, not "some"`}
	if diff := cmp.Diff(want, a.Differences(b)); diff != "" {
		t.Error(diff)
	}
	if same := a.Differences(a); same != nil {
		t.Error(same)
	}
}

// testAbout is the header of test files.
var testAbout = About{{"engine", "Gyre 0.1"}, {"seed", "17"}, {"nodes", ""}}

// read returns the games of a file and the skipped damage.
func read(t *testing.T, in io.Reader) (games []Game, damages []Damage) {
	t.Helper()
	r, err := NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	for {
		g, err := r.Next()
		damage, damaged := errors.AsType[*Damage](err)
		switch {
		case damaged:
			damages = append(damages, *damage)
		case err == io.EOF:
			return games, damages
		case err != nil:
			t.Fatal(err)
		default:
			games = append(games, Game{g.Number, slices.Clone(g.Samples)})
		}
	}
}

// testFile returns a file of games, truncated to a few samples each, and the offsets of the games. The
// last offset is the end.
func testFile(t *testing.T, games, samples int) (text []byte, want []Game, starts []int) {
	t.Helper()
	text, err := AppendHeader(nil, testAbout)
	if err != nil {
		t.Fatal(err)
	}
	for i := range games {
		g := randomGame(uint32(i), position.Standard)
		from := min(25, len(g.Samples))
		g.Samples = g.Samples[from:min(from+samples, len(g.Samples))]
		starts = append(starts, len(text))
		if text, err = AppendGame(text, g); err != nil {
			t.Fatal(err)
		}
		want = append(want, *g)
	}
	return text, want, append(starts, len(text))
}

// TestRoundTrip writes games, one of them empty, and reads them back, also from an input that delivers
// single bytes.
func TestRoundTrip(t *testing.T) {
	text, want, _ := testFile(t, 60, 256)
	text, err := AppendGame(text, &Game{Number: 60})
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, Game{Number: 60})
	for _, in := range []io.Reader{bytes.NewReader(text), iotest.OneByteReader(bytes.NewReader(text))} {
		games, damages := read(t, in)
		if len(damages) > 0 {
			t.Errorf("damage %+v", damages)
		}
		if diff := cmp.Diff(want, games, cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	}
	r, err := NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(testAbout, r.About()); diff != "" {
		t.Error(diff)
	}
	for err == nil {
		_, err = r.Next()
	}
	if err != io.EOF || r.Offset() != int64(len(text)) {
		t.Errorf("the end is at %d of %d: %v", r.Offset(), len(text), err)
	}
}

// TestInputThatFails checks that errors of the input are returned.
func TestInputThatFails(t *testing.T) {
	text, _, _ := testFile(t, 3, 3)
	broken := errors.New("broken disk")
	for cut := range text {
		in := io.MultiReader(bytes.NewReader(text[:cut]), iotest.ErrReader(broken))
		r, err := NewReader(in)
		for err == nil {
			_, err = r.Next()
		}
		if !errors.Is(err, broken) {
			t.Fatalf("after %d bytes: %v", cut, err)
		}
	}
}

// FuzzReader reads arbitrary bytes. Header, games and damage must cover all of them, and writing the
// games must reproduce them.
func FuzzReader(f *testing.F) {
	seed, err := AppendHeader(nil, testAbout)
	if err != nil {
		f.Fatal(err)
	}
	for number := range uint32(3) {
		g := randomGame(number, position.Blitz)
		g.Samples = g.Samples[:2]
		if seed, err = AppendGame(seed, g); err != nil {
			f.Fatal(err)
		}
	}
	f.Add(seed)
	f.Add(seed[:len(seed)-5])
	f.Add(append(seed, mark...))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := NewReader(bytes.NewReader(text))
		if err != nil {
			return
		}
		again, err := AppendHeader(nil, r.About())
		if err != nil {
			t.Fatal(err)
		}
		for {
			at := r.Offset()
			g, err := r.Next()
			if damage, ok := errors.AsType[*Damage](err); ok {
				if damage.Offset != int64(len(again)) || damage.Length < 1 {
					t.Fatalf("%v, after %d bytes", damage, len(again))
				}
				again = append(again, text[damage.Offset:damage.Offset+damage.Length]...)
				continue
			}
			if err == io.EOF {
				break
			}
			if err != nil || at != int64(len(again)) {
				t.Fatalf("at %d, after %d bytes: %v", at, len(again), err)
			}
			if again, err = AppendGame(again, g); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(again, text) {
			t.Errorf("%x was written as %x", text, again)
		}
	})
}

// TestDamage damages one block in every way. All other games must be read, and one damage within the
// block must be reported.
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
			if at > from+1 { // otherwise the block is valid, one byte later
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

// TestForeignBlocks reads blocks with a valid checksum and invalid content. Each must be skipped whole.
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
		"game 0: sample 1: result 2: must be -1, 0 or 1": block(0, append(slices.Clone(good), wrong...)),
		"game 9: sample 0: belongs to game 0":            block(9, good),
		// A valid block may lie inside records that are invalid.
		"game 7: sample 0: points: word 0 is out of range": block(7, append(bytes.Repeat([]byte{255}, 3*Size-len(inner)%Size), inner...)),
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
