package sample

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/zeebo/xxh3"

	"gyre/position"
)

// randomGame returns a game of random turns and scores.
func randomGame(number uint32, rules position.Rules) *Game {
	rng := rand.New(rand.NewPCG(7, uint64(number)))
	g := &Game{Number: number}
	p := position.Start(rules)
	for ply := 0; !p.Over(); ply++ {
		g.Samples = append(g.Samples, Sample{
			Position: p, Score: int16(rng.IntN(2*MaxScore+1) - MaxScore), Result: int8(rng.IntN(3) - 1),
			Ply: uint8(ply), Game: number,
		})
		turns := p.Turns(nil)
		p = p.After(turns[rng.IntN(len(turns))])
	}
	return g
}

// TestSampleRoundTrip encodes and decodes the positions of random games.
func TestSampleRoundTrip(t *testing.T) {
	for number := range uint32(20) {
		for _, s := range randomGame(number, position.Rules(number%2)).Samples {
			record := s.Append(nil)
			if len(record) != Size {
				t.Fatalf("%d bytes, want %d", len(record), Size)
			}
			got, err := Decode(record)
			if diff := cmp.Diff(s, got); diff != "" || err != nil {
				t.Fatalf("%v (-want +got):\n%s", err, diff)
			}
		}
	}
}

// TestInvalidSamples changes one field of an encoded sample.
func TestInvalidSamples(t *testing.T) {
	good := randomGame(3, position.Standard).Samples[15]
	over := position.Start(position.Standard)
	for !over.Over() {
		over = over.After(over.Turns(nil)[0])
	}
	for _, test := range []struct {
		want   string
		change func(record []byte)
	}{
		{"points: word 0", func(b []byte) { binary.LittleEndian.PutUint64(b, 1<<64-1) }},
		{"points: the last word", func(b []byte) { binary.LittleEndian.PutUint16(b[24:], 625) }},
		{"board: ", func(b []byte) { binary.LittleEndian.PutUint64(b[8:], 5*5*5*5*5*5-1) }},
		{"score: ", func(b []byte) { b[stateAt] |= 15 << removedShift }},
		{"result 2", func(b []byte) { b[stateAt] |= 3 << resultShift }},
		{"score 20001", func(b []byte) { binary.LittleEndian.PutUint16(b[scoreAt:], 20001) }},
		{"score -32768", func(b []byte) { binary.LittleEndian.PutUint16(b[scoreAt:], 1<<15) }},
		{"the game is over", func(b []byte) { copy(b, (&Sample{Position: over}).Append(nil)) }},
	} {
		record := good.Append(nil)
		test.change(record)
		if s, err := Decode(record); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: error %v, want %q", &s.Position, err, test.want)
		}
	}
	if _, err := Decode(make([]byte, Size-1)); err == nil {
		t.Error("a truncated sample was accepted")
	}
}

// FuzzDecode decodes arbitrary bytes. Encoding the result must reproduce them.
func FuzzDecode(f *testing.F) {
	for _, s := range randomGame(1, position.Standard).Samples {
		f.Add(s.Append(nil))
	}
	f.Fuzz(func(t *testing.T, record []byte) {
		s, err := Decode(record)
		if err != nil {
			return
		}
		if again := s.Append(nil); !bytes.Equal(again, record) {
			t.Errorf("%x was written as %x", record, again)
		}
	})
}

// block returns a block with arbitrary records and a valid checksum.
func block(number uint32, records []byte) []byte {
	b := append([]byte(mark), make([]byte, 8)...)
	b = binary.LittleEndian.AppendUint32(b, number)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(records)))
	b = append(b, records...)
	binary.LittleEndian.PutUint64(b[checksumAt:], xxh3.Hash(b[numberAt:]))
	return b
}

func BenchmarkDecode(b *testing.B) {
	record := randomGame(3, position.Standard).Samples[40].Append(nil)
	for b.Loop() {
		if _, err := Decode(record); err != nil {
			b.Fatal(err)
		}
	}
}

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

// TestWriterRejects checks that invalid games and headers are rejected.
func TestWriterRejects(t *testing.T) {
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
	want := []string{"openings: none, now some", "rules: standard, now none", "seed: 1, now 2"}
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
	err = r.Each(func(g *Game) error {
		games = append(games, Game{g.Number, slices.Clone(g.Samples)})
		return nil
	}, func(d *Damage) { damages = append(damages, *d) })
	if err != nil {
		t.Fatal(err)
	}
	return games, damages
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
		if !reflect.DeepEqual(wantGames, got) { // far faster than cmp
			if diff := cmp.Diff(wantGames, got, cmpopts.EquateEmpty()); diff != "" {
				t.Fatal(diff)
			}
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
			key := p.SymmetricHash()
			for s := range position.Symmetry(position.Symmetries) {
				if image := s.Position(&p); image.SymmetricHash() != key {
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
		if other, found := seen[p.SymmetricHash()]; found {
			t.Errorf("%v and %s have the same key", &p, other)
		}
		seen[p.SymmetricHash()] = p.String()
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
