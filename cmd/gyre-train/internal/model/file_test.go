package model

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gyre/cmd/internal/sample"
	"gyre/position"
	"gyre/search/evaluation"
)

// example returns a file whose numbers are all different.
func example() *File {
	f := &File{About: sample.About{{Name: "made by", Value: "a test: this one"}, {Name: "seed", Value: "7"}}, Model: New()}
	for i, n := range numbers() {
		*n.in(f.Model) = float64(i-800) / 16
	}
	for s := range f.Model.Sets {
		for k := range patterns {
			worths := f.Model.Sets[s].Patterns[k]
			for index := range worths {
				worths[index] = worths[patterns[k].Canonical(index)]
			}
		}
	}
	f.Model.Net = NewNet(2)
	f.Model.Net.eachLine(func(name string, list []float64) {
		for i := range list {
			list[i] = float64(len(name)+i) / 16
		}
	})
	return f
}

// text returns the written file.
func text(t *testing.T, f *File) string {
	t.Helper()
	var out bytes.Buffer
	if err := f.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// sealed replaces the last line of a text by its checksum.
func sealed(text string) string {
	text = text[:strings.LastIndex(text, checksumName)]
	return text + checksumLine([]byte(text))
}

// TestRoundTrip writes and reads a file.
func TestRoundTrip(t *testing.T) {
	want := example()
	got, err := Read(strings.NewReader(text(t, want)))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(want, got) {
		t.Errorf("(-written +read):\n%s", cmp.Diff(want, got))
	}
}

// TestWeightsRoundTrip checks that weights survive as a model in a file.
func TestWeightsRoundTrip(t *testing.T) {
	want := evaluation.DefaultEvaluator().Weights()
	f, err := Read(strings.NewReader(text(t, &File{Model: FromWeights(want)})))
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Model.Quantize(want.About)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(want, got) {
		t.Errorf("(-before +after):\n%s", cmp.Diff(want, got))
	}
}

// TestText checks the format of some lines.
func TestText(t *testing.T) {
	f := example()
	f.Model.Sets[0].Tempo, f.Model.Removed[0][1], f.Model.Removed[2][1] = 18.25, -0.00001, 1000
	named := func(name string) int {
		return slices.IndexFunc(patterns[:], func(p evaluation.Pattern) bool { return p.Name == name })
	}
	f.Model.Sets[evaluation.OwnShort].Patterns[named("five")][2+5*2+25*1] = 12.34567
	f.Model.Sets[evaluation.Opening].Patterns[named("six")][4+5*0+25*0+125*3] = -2.5
	got := text(t, f)
	for _, line := range []string{magicName + magicVersion, "made by: a test: this one", "neither tempo 18.25", "removed 0-1 0", "removed 2-1 1000", "own five MMR.. 12.3457", "opening six m..r.. -2.5", "net bias 0.25 0.3125", "net input M 17 0.625 0.6875", "net readout 2-1 theirs 1.125 1.1875"} {
		if !strings.Contains("\n"+got, "\n"+line+"\n") {
			t.Errorf("no line %q", line)
		}
	}
	numbers := 1 // tempo
	for _, p := range patterns {
		palindromes := math.Pow(evaluation.BoardStates, float64((p.Points+1)/2))
		numbers += (p.States + int(palindromes)) / 2
	}
	net := 1 + evaluation.BoardStates*evaluation.LineClasses + 2*int(evaluation.Buckets) + 1
	want := 1 + 2 + 1 + 9 + int(evaluation.StageCount)*numbers + net + 1
	if lines := strings.Count(got, "\n"); lines != want {
		t.Errorf("%d lines, want %d", lines, want)
	}
}

// TestFewerPatterns reads a text without one of the patterns, which then has value 0.
func TestFewerPatterns(t *testing.T) {
	want := example()
	last := len(patterns) - 1
	before, _, _ := strings.Cut(text(t, want), "\nneither "+patterns[last].Name+" ")
	got, err := Read(strings.NewReader(sealed(before + "\n" + checksumName)))
	if err != nil {
		t.Fatal(err)
	}
	for s := range want.Model.Sets {
		clear(want.Model.Sets[s].Patterns[last])
	}
	want.Model.Net = Net{}
	if !reflect.DeepEqual(want, got) {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
	}
}

// TestReadRejects checks the errors for text that is not a model.
func TestReadRejects(t *testing.T) {
	whole := text(t, example())
	line := func(old, new string) string { return sealed(strings.Replace(whole, old, new, 1)) }
	const cut = "damaged: the last line is not a checksum"
	for _, test := range []struct {
		name, text string
		is         error
		want       string
	}{
		{"empty", "", ErrForeign, ErrForeign.Error()},
		{"foreign", "GyreWts\n", ErrForeign, ErrForeign.Error()},
		{"previous version", line("gyre model 4", "gyre model 3"), ErrVersion, `model of another version "3": this program reads version 4; make the model again with gyre-train fit SAMPLES -o MODEL`},
		{"next version", line("gyre model 4", "gyre model 5"), ErrVersion, `model of another version "5"`},
		{"no field", line("seed: 7", "seed 7"), nil, `line 3: "seed 7": expected NAME: VALUE`},
		{"no empty line", line("\n\n", "\n"), nil, `line 4: "removed 0-0 -50": expected NAME: VALUE`},
		{"unknown", line("removed 0-0", "remove 0-0"), nil, `line 5: unknown name "remove 0-0"`},
		{"unknown index", line("own five M....", "own five X...."), nil, `line 33: unknown name "own five X...."`},
		{"reversal", line("own five M....", "own five ....M"), nil, `line 33: unknown name "own five ....M"`},
		{"repeated", line("removed 0-1", "removed 0-0"), nil, `line 6: removed 0-0 is repeated`},
		{"letter in a number", line("removed 0-0 -50", "removed 0-0 -5O"), nil, `line 5: removed 0-0: "-5O" is not a number of centipawns`},
		{"not a number", line("removed 0-0 -50", "removed 0-0 NaN"), nil, `line 5: removed 0-0: "NaN" is not a number of centipawns`},
		{"no space", line("removed 0-0 -50", "removed"), nil, `line 5: "removed": expected a name and a number`},
		{"no bias", line("net bias ", "net pias "), nil, `"pias 0.25 0.3125": expected the bias of 1 to 64 units as the first line of the net`},
		{"too few units", line("net input M 17 0.625 0.6875", "net input M 17 0.625"), nil, `"net input M 17 0.625": expected net input M 17 and 2 numbers`},
		{"no number", line("net input M 17 0.625 0.6875", "net input M 17 0.625 x"), nil, `net input M 17: "x" is not a number`},
		{"no base", line("net base", "net face"), nil, `"net face `},
		{"a line too many", line("net base", "net basis 1\nnet base"), nil, `"net basis 1": expected net base`},
		{"missing lines", sealed(whole[:strings.Index(whole, "neither six MM")] + checksumName), nil, "the line for "},
		{"a missing line of the net", sealed(whole[:strings.Index(whole, "net base")] + checksumName), nil, "the line for net base is missing"},
		{"cut short", whole[:len(whole)/2], ErrDamaged, cut},
		{"cut by a byte", whole[:len(whole)-1], ErrDamaged, `damaged: the last line is "checksum `},
		{"only the head", magicName + magicVersion + "\n", ErrDamaged, cut},
		{"changed by hand", strings.Replace(whole, "removed 0-0 -50", "removed 0-0 -51", 1), ErrDamaged, `damaged: the last line is "checksum `},
		{"extra line", whole + "six MM.... 1\n", ErrDamaged, `damaged: the last line is "checksum `},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(test.text))
			if err == nil || !strings.HasPrefix(err.Error(), test.want) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("error %q, want %q", err, test.want)
			}
		})
	}
}

// TestChangedBytes changes bytes all over a text and checks that each change is detected.
func TestChangedBytes(t *testing.T) {
	whole := text(t, example())
	const edge, step = 100, 50021 // a large step for the numbers, because each change reads the whole text
	for at := 0; at < len(whole); {
		for _, bit := range []byte{1, 0x20} {
			changed := []byte(whole)
			changed[at] ^= bit
			if _, err := Read(bytes.NewReader(changed)); err == nil {
				t.Fatalf("changing byte %d, %q, to %q was not detected", at, whole[at], changed[at])
			}
		}
		if at < edge || at >= len(whole)-edge {
			at += 7
		} else {
			at = min(at+step, len(whole)-edge)
		}
	}
}

// TestChangedByHand changes a number and uses the checksum from the error message.
func TestChangedByHand(t *testing.T) {
	changed := strings.Replace(text(t, example()), "removed 0-0 -50", "removed 0-0 -51", 1)
	_, err := Read(strings.NewReader(changed))
	if err == nil {
		t.Fatal("the change was not detected")
	}
	named := regexp.MustCompile(`should be "(checksum [0-9a-f]{16})"`).FindStringSubmatch(err.Error())
	if named == nil {
		t.Fatalf("no checksum in %q", err)
	}
	f, err := Read(strings.NewReader(changed[:strings.LastIndex(changed, checksumName)] + named[1] + "\n"))
	if err != nil || f.Model.Removed[0][0] != -51 {
		t.Errorf("%+v, error %v", f, err)
	}
}

// TestWriteRejects checks that Write rejects what Read could not read.
func TestWriteRejects(t *testing.T) {
	for _, test := range []struct {
		change func(*File)
		want   string
	}{
		{func(f *File) { f.Model.Sets[3].Patterns[0][1] = math.NaN() }, "both five R.... is NaN"},
		{func(f *File) { f.Model.Sets[0].Tempo = math.Inf(1) }, "neither tempo is +Inf"},
		{func(f *File) { f.About[0].Value = "two\nlines" }, `"made by: two\nlines" cannot be written as a line`},
		{func(f *File) { f.About[0].Name = "" }, `": a test: this one" cannot be written as a line`},
	} {
		f := example()
		test.change(f)
		if err := f.Write(new(bytes.Buffer)); err == nil || err.Error() != test.want {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
}

// FuzzRead checks that a file survives being written and read again.
func FuzzRead(f *testing.F) {
	var whole bytes.Buffer
	if err := example().Write(&whole); err != nil {
		f.Fatal(err)
	}
	f.Add(whole.Bytes())
	f.Add(whole.Bytes()[:100])
	f.Add([]byte(sealed(strings.Replace(whole.String(), "removed 0-0 -50", "removed 0-0 1e300", 1))))
	f.Fuzz(func(t *testing.T, in []byte) {
		if bytes.Contains(in, []byte(checksumName)) {
			in = []byte(sealed(string(in))) // otherwise the checksum would rarely match
		}
		file, err := Read(bytes.NewReader(in))
		if err != nil {
			return
		}
		first := text(t, file)
		again, err := Read(strings.NewReader(first))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first, text(t, again)); diff != "" {
			t.Errorf("(-first +again):\n%s", diff)
		}
	})
}

// ongoing returns the positions of random games before their end.
func ongoing(games int) (all []position.Position) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range games {
		p := position.Start(position.Standard)
		for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(turns[:0]) {
			all = append(all, p)
			p = p.After(turns[rng.IntN(len(turns))])
		}
	}
	return all
}

// randomModel returns a random model.
func randomModel() *Model {
	rng := rand.New(rand.NewPCG(5, 6))
	m := New()
	for s := range m.Sets {
		set := &m.Sets[s]
		set.Tempo = 20 * rng.NormFloat64()
		for k, p := range patterns {
			for index := range set.Patterns[k] {
				set.Patterns[k][index] = 10 * rng.NormFloat64()
			}
			for index := range set.Patterns[k] {
				set.Patterns[k][index] = set.Patterns[k][p.Canonical(index)]
			}
		}
	}
	for own := range m.Removed {
		for theirs := range m.Removed[own] {
			m.Removed[own][theirs] = 200 * rng.NormFloat64()
		}
	}
	m.Net = NewNet(3)
	return m
}

// roundingBound returns the maximum difference, in centipawns, between the evaluations of rounded
// weights and their model: half a unit for each weight, plus the rounding of the pattern sum.
func roundingBound() float64 {
	bound := 0.5 + 0.5 + 0.5 // removed, tempo, the sum
	for k, p := range patterns {
		bound += 0.5 / float64(p.Unit) * float64(evaluation.PlaceCount(k))
	}
	return bound
}

// TestQuantize checks that rounded weights evaluate like their model, within the bound.
func TestQuantize(t *testing.T) {
	m := randomModel()
	m.Net = Net{} // which Evaluate leaves out
	w, err := m.Quantize("a test")
	if err != nil {
		t.Fatal(err)
	}
	furthest, bound := 0.0, roundingBound()
	for _, p := range ongoing(20) {
		f := evaluation.FeaturesOf(&p)
		apart := math.Abs(m.Evaluate(f) - float64(w.Evaluate(f)))
		if apart > bound {
			t.Fatalf("%v: difference of %.2f centipawns, the bound is %.2f", &p, apart, bound)
		}
		furthest = max(furthest, apart)
	}
	if furthest == 0 {
		t.Error("all evaluations are equal: the test compared nothing")
	}
}

// TestQuantizeRejects checks models that weights cannot represent.
func TestQuantizeRejects(t *testing.T) {
	for _, c := range []struct {
		change func(*Model)
		says   string
	}{
		{func(m *Model) { m.Sets[1].Patterns[0][0] = 2048 }, "own five .....: 2048 centipawns"},
		{func(m *Model) { m.Sets[0].Patterns[0][1] += 5 }, "reversal"},
		{func(m *Model) { m.Sets[0].Patterns[1][0] = -2049 }, "neither six ......: -2049 centipawns"},
		{func(m *Model) { m.Sets[0].Patterns[1][1] += 5 }, "six R..... is"},
		{func(m *Model) { m.Removed[1][2] = math.NaN() }, "rings removed 1-2: NaN"},
		{func(m *Model) { m.Sets[4].Tempo = math.Inf(1) }, "opening tempo: +Inf"},
		{func(m *Model) { m.Net.Readout[1][0][2] = 128 }, "net readout, unit 2: 128 centipawns"},
		{func(m *Model) { m.Net.Base[5] = -2049 }, "net base 1-2: -2049"},
	} {
		m := randomModel()
		c.change(m)
		if w, err := m.Quantize(""); w != nil || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("error %v, want %q", err, c.says)
		}
	}
}
