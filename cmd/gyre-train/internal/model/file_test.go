package model

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/cmd/gyre-train/internal/sample"
	"gyre/position"
	"gyre/search/evaluation"
)

// example returns a file whose numbers are all different.
func example() *File {
	f := &File{About: sample.About{{Name: "made by", Value: "a test: this one"}, {Name: "seed", Value: "7"}}}
	for i, n := range names {
		*n.in(&f.Model) = float64(i-800) / 16
	}
	for index := range f.Model.Windows {
		f.Model.Windows[index] = f.Model.Windows[min(index, evaluation.Reversed(index, position.RowLength))]
	}
	for index := range f.Model.Sixes {
		f.Model.Sixes[index] = f.Model.Sixes[min(index, evaluation.Reversed(index, evaluation.SixPoints))]
	}
	return f
}

// text returns a file as it is written.
func text(t *testing.T, f *File) string {
	t.Helper()
	var out bytes.Buffer
	if err := f.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestRoundTrip checks that a file is the same after it was written and read.
func TestRoundTrip(t *testing.T) {
	want := example()
	got, err := Read(strings.NewReader(text(t, want)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
}

// TestWeightsRoundTrip checks that weights are the same after they were a model
// in a file.
func TestWeightsRoundTrip(t *testing.T) {
	want := evaluation.Hand()
	f, err := Read(strings.NewReader(text(t, &File{Model: FromWeights(want)})))
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Model.Quantise(want.About)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

// TestText checks what some lines look like.
func TestText(t *testing.T) {
	f := example()
	f.Model.Tempo, f.Model.Move, f.Model.Removed[2][1] = 18.25, -0.00001, 1000
	f.Model.Windows[2+5*2+25*1] = 12.34567
	f.Model.Sixes[4+5*0+25*0+125*3] = -2.5
	got := text(t, f)
	for _, line := range []string{magic, "made by: a test: this one", "tempo 18.25", "move 0", "removed 2-1 1000", "window MMR.. 12.3457", "six m..r.. -2.5"} {
		if !strings.Contains("\n"+got, "\n"+line+"\n") {
			t.Errorf("no line %q", line)
		}
	}
	if want, got := 1+2+1+3+9+1625+7875, strings.Count(got, "\n"); got != want {
		t.Errorf("%d lines, not %d", got, want)
	}
}

// TestReadRefuses checks that what is no model is told in words.
func TestReadRefuses(t *testing.T) {
	whole := text(t, example())
	line := func(old, new string) string { return strings.Replace(whole, old, new, 1) }
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", ErrForeign.Error()},
		{"foreign", "GyreWts\n", ErrForeign.Error()},
		{"next version", line(magic, "gyre model 3"), ErrForeign.Error()},
		{"no field", line("seed: 7", "seed 7"), `line 3: "seed 7" is not NAME: VALUE`},
		{"no empty line", line("\n\n", "\n"), `line 4: "tempo -50" is not NAME: VALUE`},
		{"unknown", line("tempo", "temper"), `line 5: "temper" is no part of a model`},
		{"unknown window", line("window M....", "window X...."), `line 19: "window X...." is no part of a model`},
		{"reversal", line("window M....", "window ....M"), `line 19: "window ....M" is no part of a model`},
		{"twice", line("move", "tempo"), `line 6: tempo comes a second time`},
		{"no number", line("tempo -50", "tempo -5O"), `line 5: tempo: "-5O" is no number of centipawns`},
		{"not a number", line("tempo -50", "tempo NaN"), `line 5: tempo: "NaN" is no number of centipawns`},
		{"no blank", line("tempo -50", "tempo"), `line 5: "tempo" is no name and a number`},
		{"cut short", whole[:len(whole)/2], "there is no line for six"},
		{"only the head", magic + "\n", "there is no line for tempo, or the text ends too soon"},
		{"long line", line("seed", strings.Repeat("x", 100000)), "bufio.Scanner: token too long"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(test.text))
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("error %q, not %q", err, test.want)
			}
		})
	}
	if _, err := Read(strings.NewReader("")); !errors.Is(err, ErrForeign) {
		t.Errorf("%v is not ErrForeign", err)
	}
}

// TestWriteRefuses checks that what could not be read is not written.
func TestWriteRefuses(t *testing.T) {
	for _, test := range []struct {
		change func(*File)
		want   string
	}{
		{func(f *File) { f.Model.Windows[1] = math.NaN() }, "window R.... is worth NaN"},
		{func(f *File) { f.Model.Tempo = math.Inf(1) }, "tempo is worth +Inf"},
		{func(f *File) { f.About[0].Value = "two\nlines" }, `"made by: two\nlines" cannot be written as a line`},
		{func(f *File) { f.About[0].Name = "" }, `": a test: this one" cannot be written as a line`},
	} {
		f := example()
		test.change(f)
		if err := f.Write(new(bytes.Buffer)); err == nil || err.Error() != test.want {
			t.Errorf("error %v, not %q", err, test.want)
		}
	}
}

// FuzzRead checks that what is read is written so that it reads the same.
func FuzzRead(f *testing.F) {
	var whole bytes.Buffer
	if err := example().Write(&whole); err != nil {
		f.Fatal(err)
	}
	f.Add(whole.Bytes())
	f.Add(whole.Bytes()[:100])
	f.Add(bytes.Replace(whole.Bytes(), []byte("tempo -50"), []byte("tempo 1e300"), 1))
	f.Fuzz(func(t *testing.T, in []byte) {
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
