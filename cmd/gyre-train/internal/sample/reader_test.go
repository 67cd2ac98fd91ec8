package sample

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gyre/position"
)

// testAbout is what makes test files.
var testAbout = About{{"engine", "Gyre 0.1"}, {"seed", "17"}, {"nodes", ""}}

// read returns the games of a file and what was passed over.
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

// testFile returns a file of games, cut to some samples each, and where each
// begins; the last place is the end.
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

// TestRoundTrip writes games, one of them empty, and reads them, also where the
// input comes in single bytes.
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

// TestInputThatFails passes errors of the input on.
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

// FuzzReader takes any bytes as a file: header, games and damage are all of it,
// and the games are written as they were.
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
