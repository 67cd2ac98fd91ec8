package evaluation

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/zeebo/xxh3"
)

// randomWeights returns random weights, which differ for the two sides.
func randomWeights(seed uint64) *Weights {
	rng := rand.New(rand.NewPCG(seed, 1))
	number := func(most int) int16 { return int16(rng.IntN(2*most+1) - most) }
	w := NewWeights("random – for a test")
	for s := range w.Sets {
		set := &w.Sets[s]
		set.Tempo = number(100)
		for k, p := range patterns {
			for index := range set.Patterns[k] {
				set.Patterns[k][index] = number(300)
			}
			for index := range set.Patterns[k] {
				set.Patterns[k][index] = set.Patterns[k][p.Canonical(index)]
			}
		}
	}
	for own := range w.Removed {
		for theirs := range w.Removed[own] {
			w.Removed[own][theirs] = number(1000)
		}
	}
	w.Net = NewNet(3)
	w.Net.each(func(list *[]int16) {
		for i := range *list {
			(*list)[i] = number(200)
		}
	})
	for b := range w.Net.Base {
		w.Net.Base[b] = number(1000)
	}
	return w
}

// fileOf returns the file of weights.
func fileOf(t testing.TB, w *Weights) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := w.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// sealed returns a file with the right checksum for its bytes.
func sealed(file []byte) []byte {
	body := file[:len(file)-checksumBytes]
	return binary.LittleEndian.AppendUint64(body, xxh3.Hash(body))
}

// TestFile checks that weights survive the round trip through a file.
func TestFile(t *testing.T) {
	extreme := randomWeights(2)
	extreme.Sets[1].Patterns[0][0], extreme.Removed[2][0] = math.MaxInt16, math.MinInt16
	extreme.About = strings.Repeat("x", MaxAbout)
	for _, w := range []*Weights{NewWeights(""), randomWeights(1), extreme, DefaultEvaluator().Weights()} {
		file := fileOf(t, w)
		got, err := ReadWeights(iotest.OneByteReader(bytes.NewReader(file)))
		if err != nil {
			t.Fatalf("%q: %v", w.About, err)
		}
		if !reflect.DeepEqual(w, got) {
			t.Errorf("%q:\n%s", w.About, cmp.Diff(w, got))
		}
	}
}

// TestDamagedFiles checks the errors for all kinds of invalid files.
func TestDamagedFiles(t *testing.T) {
	good := fileOf(t, randomWeights(1))
	changed := func(change func(file []byte)) []byte {
		file := bytes.Clone(good)
		change(file)
		return file
	}
	about := len(randomWeights(1).About)
	for _, c := range []struct {
		name string
		file []byte
		want error
		says string
	}{
		{"empty", nil, ErrTruncated, "empty"},
		{"another kind of file", []byte("#!/bin/sh\necho hello\n"), ErrForeign, "not a file of weights"},
		{"a short foreign file", []byte("x"), ErrForeign, "not a file of weights"},
		{"the magic in other letters", changed(func(f []byte) { f[0] = 'g' }), ErrForeign, "not a file of weights"},
		{"lines ends translated", bytes.Replace(good, []byte("\n"), []byte("\r\n"), 1), ErrForeign, "not a file of weights"},
		{"part of the magic", good[:5], ErrTruncated, "5 bytes"},
		{"only the magic", good[:len(FileMark)], ErrTruncated, "8 bytes"},
		{"a later version", changed(func(f []byte) { f[len(FileMark)]++ }), ErrVersion, "version 6, and this program reads 5"},
		{"the version before", changed(func(f []byte) { f[len(FileMark)]-- }), ErrVersion, remake},
		{"other patterns", otherPatterns(good), ErrVersion, `its patterns are "` + strings.Replace(layout(), "five", "pent", 1) + `", and this program's "` + layout() + `"; ` + remake},
		{"damaged patterns", changed(func(f []byte) { f[headBytes+about+2] = 'F' }), ErrDamaged, "checksum"},
		{"cut within the patterns", good[:headBytes+about+9], ErrTruncated, "header"},
		{"a line too long", changed(func(f []byte) { binary.LittleEndian.PutUint16(f[len(FileMark)+2:], 1001) }), ErrDamaged, "1001 bytes"},
		{"cut by a byte", good[:len(good)-1], ErrTruncated, "bytes, want"},
		{"cut in half", good[:len(good)/2], ErrTruncated, "bytes, want"},
		{"a byte too many", append(bytes.Clone(good), 0), ErrTrailing, "more than"},
		{"twice the file", append(bytes.Clone(good), good...), ErrTrailing, "more than"},
		{"a number beyond 16 bits", withNumbers(good, func(n []byte) []byte { return append([]byte{n[0], 0xff, 0xff, 0x7f}, n[2:]...) }), ErrDamaged, "number 2 is missing or does not fit in 16 bits"},
		{"too many hidden units", withNumbers(good, func(n []byte) []byte { return append([]byte{0x82, 0x01}, n[1:]...) }), ErrDamaged, "0 to 64 units"},
		{"a number too few", withNumbers(good, func(n []byte) []byte { return n[:len(n)-2] }), ErrDamaged, "is missing or"},
		{"a number too many", withNumbers(good, func(n []byte) []byte { return append(n, 0) }), ErrDamaged, "1 bytes follow its"},
		{"a line of two lines", sealed(changed(func(f []byte) { f[headBytes] = '\n' })), ErrDamaged, "U+000A"},
		{"a line that is not UTF-8", sealed(changed(func(f []byte) { f[headBytes+about-1] = 0xff })), ErrDamaged, "UTF-8"},
	} {
		w, err := ReadWeights(bytes.NewReader(c.file))
		if !errors.Is(err, c.want) || w != nil {
			t.Errorf("%s: error %v, want %v", c.name, err, c.want)
		} else if !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %q does not say %q", c.name, err, c.says)
		}
	}
	if _, err := ReadWeights(iotest.ErrReader(io.ErrClosedPipe)); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a reader that fails: error %v", err)
	}
}

// withNumbers returns a valid file with other numbers in place of those of
// randomWeights(1).
func withNumbers(file []byte, other func([]byte) []byte) []byte {
	rows, _ := parseLayout(layout())
	end := len(file) - checksumBytes
	begin := end - len(randomWeights(1).numbers(rows))
	numbers := other(bytes.Clone(file[begin:end]))
	changed := binary.LittleEndian.AppendUint32(bytes.Clone(file[:begin-lengthBytes]), uint32(len(numbers)))
	return sealed(append(append(changed, numbers...), make([]byte, checksumBytes)...))
}

// otherPatterns returns a valid file for another table of patterns.
func otherPatterns(file []byte) []byte {
	return sealed(bytes.Replace(file, []byte("five 5 3125 16"), []byte("pent 5 3125 16"), 1))
}

// TestFewerPatterns reads a file that lacks a pattern of the table: the pattern gets
// value 0.
func TestFewerPatterns(t *testing.T) {
	want := randomWeights(1)
	file := fileOf(t, want)
	last := PatternCount - 1
	row := patterns[last].layoutRow()
	fewer := strings.TrimSuffix(layout(), ", "+row)
	old := binary.LittleEndian.AppendUint16(nil, uint16(len(layout())))
	now := binary.LittleEndian.AppendUint16(nil, uint16(len(fewer)))
	file = bytes.Replace(file, append(old, layout()...), append(now, fewer...), 1)
	rows, _ := parseLayout(fewer)
	file = withNumbers(file, func([]byte) []byte { return want.numbers(rows) })
	got, err := ReadWeights(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for s := range want.Sets {
		clear(want.Sets[s].Patterns[last])
	}
	if !reflect.DeepEqual(want, got) {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
	}
}

// TestFlippedBits checks that every flipped bit is detected: all near the ends of a
// file, and a sample between.
func TestFlippedBits(t *testing.T) {
	const ends, every = 100, 307 // bytes, bits
	file := fileOf(t, randomWeights(1))
	for bit := range 8 * len(file) {
		if at := bit / 8; at >= ends && at < len(file)-ends && bit%every > 0 {
			continue
		}
		file[bit/8] ^= 1 << (bit % 8)
		if _, err := ReadWeights(bytes.NewReader(file)); err == nil {
			t.Errorf("bit %d of byte %d is flipped, and nothing is said", bit%8, bit/8)
		}
		file[bit/8] ^= 1 << (bit % 8)
	}
}

// TestInvalidWeights checks that Write writes nothing that ReadWeights would reject.
func TestInvalidWeights(t *testing.T) {
	five, six := patternNamed(t, "five"), patternNamed(t, "six")
	for _, c := range []struct {
		change func(*Weights)
		says   string
	}{
		{func(w *Weights) { w.About = "two\nlines" }, "U+000A"},
		{func(w *Weights) { w.About = "\xff" }, "UTF-8"},
		{func(w *Weights) { w.About = strings.Repeat("x", MaxAbout+1) }, "1001 bytes"},
		{func(w *Weights) { w.Sets[2].Patterns[five][1]++ }, "stage theirs: five R.... is worth"},
		{func(w *Weights) { w.Sets[0].Patterns[six][1]++ }, "stage neither: six R..... is worth"},
		{func(w *Weights) { w.Sets[4].Patterns[six] = w.Sets[4].Patterns[five] }, "stage opening: pattern six has 3125 weights, and needs 15625"},
	} {
		w := randomWeights(1)
		c.change(w)
		var out bytes.Buffer
		if err := w.Write(&out); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("error %v does not say %q", err, c.says)
		}
		if out.Len() > 0 {
			t.Errorf("%d bytes were written, although the weights are rejected for %q", out.Len(), c.says)
		}
	}
}

// patternNamed returns the row of a pattern in the table.
func patternNamed(t *testing.T, name string) int {
	t.Helper()
	for k := range patterns {
		if patterns[k].Name == name {
			return k
		}
	}
	t.Fatalf("the table has no pattern %q", name)
	return 0
}

// FuzzReadWeights reads any bytes. Weights that can be read must survive the round
// trip, byte by byte if the file has every pattern.
func FuzzReadWeights(f *testing.F) {
	f.Add([]byte(nil))
	f.Add([]byte(FileMark))
	f.Add(fileOf(f, NewWeights("none")))
	f.Add(fileOf(f, randomWeights(1)))
	f.Fuzz(func(t *testing.T, file []byte) {
		comesBack(t, file)
		// Most bytes fail by their checksum. Correct it, so that the rest is read,
		// too.
		if len(file) >= headBytes+checksumBytes {
			comesBack(t, sealed(bytes.Clone(file)))
		}
	})
}

// comesBack checks that a valid file survives the round trip.
func comesBack(t *testing.T, file []byte) {
	w, err := ReadWeights(bytes.NewReader(file))
	if err != nil {
		return
	}
	again := fileOf(t, w)
	if len(again) == len(file) && bytes.Contains(file, []byte(layout())) && !bytes.Equal(again, file) {
		t.Errorf("%d bytes come back changed", len(file))
	}
	if twice, err := ReadWeights(bytes.NewReader(again)); err != nil || !reflect.DeepEqual(w, twice) {
		t.Errorf("%d bytes read otherwise when they are written again: %v", len(file), err)
	}
}

var update = flag.Bool("update", false, "update testdata/explain.txt")

// plainWeights returns weights by which a marker is worth 2 centipawns in every five and
// six that contains it, and a ring 3.
func plainWeights() *Weights {
	w := NewWeights("a marker 2, a ring 3")
	worths := [BoardStates]int{ownMarker: 2, theirMarker: -2, ownRing: 3, theirRing: -3}
	for s := range w.Sets {
		for k, p := range patterns {
			if p.Name != "five" && p.Name != "six" {
				continue // a new pattern changes no explanation
			}
			for index := range p.States {
				for digits := index; digits > 0; digits /= BoardStates {
					w.Sets[s].Patterns[k][index] += int16(p.Unit * worths[digits%BoardStates])
				}
			}
		}
		w.Sets[s].Tempo = 19 + int16(s)
	}
	w.Removed = [RemovedStates][RemovedStates]int16{{0, -200, -365}, {200, 0, -224}, {365, 224, 0}}
	return w
}

// TestExplain compares explanations with those in testdata/explain.txt: a line that
// starts with "= " and a position, then its explanation by plainWeights. Update them
// with
//
//	go test ./search/evaluation -run Explain -update
func TestExplain(t *testing.T) {
	const file = "testdata/explain.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	e := NewEvaluator(plainWeights())
	var renewed strings.Builder
	cases := strings.Split(string(text), "= ")[1:]
	if len(cases) == 0 {
		t.Fatal("no positions to explain")
	}
	for _, c := range cases {
		name, want, _ := strings.Cut(c, "\n")
		p := parse(t, name)
		got := e.Explain(&p) + "\n"
		renewed.WriteString("= " + name + "\n" + got)
		if diff := cmp.Diff(want, got); diff != "" && !*update {
			t.Errorf("%s: if it should change, run the test with -update (-was +is):\n%s", name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(renewed.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// term matches the lines of the terms and of the sum.
var term = regexp.MustCompile(`(?m)^\D+? +([+-]\d+)  `)

// TestExplainAddsUp checks that the terms of an explanation add up to its sum, and
// that the sum is the evaluation.
func TestExplainAddsUp(t *testing.T) {
	e := NewEvaluator(randomWeights(3))
	for _, p := range ongoing(5) {
		var numbers []int
		for _, found := range term.FindAllStringSubmatch(e.Explain(&p), -1) {
			n, err := strconv.Atoi(found[1])
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, n)
		}
		if len(numbers) != 5 {
			t.Fatalf("%v: %d numbers", &p, len(numbers))
		}
		total := 0
		for _, n := range numbers[:4] {
			total += n
		}
		if want := e.Evaluate(&p); total != want || numbers[4] != want {
			t.Fatalf("%v: the terms add up to %d, the sum is %d, the evaluation %d", &p, total, numbers[4], want)
		}
	}
}

// TestExplainOver checks the explanation of a finished game.
func TestExplainOver(t *testing.T) {
	p := parse(t, "4/7/8/9/10/9/10/9/2WW4/2BBBBB/4 w 3-0")
	if got, want := DefaultEvaluator().Explain(&p), "the game is over: white"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
