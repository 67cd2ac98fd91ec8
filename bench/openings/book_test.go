package openings

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/game"
	"gyre/position"
)

// fiveLines are openings of which the last two begin like others or their mirror images.
const fiveLines = "e3 f6 a2\ne4 f6\nf6 e3\ne3 a4\nf6 a2 a3\n"

func TestSelection(t *testing.T) {
	book, err := Read(strings.NewReader(fiveLines), "book", position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	texts := func(s Selection) []string {
		t.Helper()
		selected, err := book.Select(s)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, o := range selected {
			all = append(all, Format(o))
		}
		return all
	}
	whole := strings.Split(strings.TrimSpace(fiveLines), "\n")
	for name, test := range map[string]struct {
		selection Selection
		want      []string
	}{
		"all":           {Selection{}, whole},
		"the first":     {Selection{Start: 1}, whole},
		"from an index": {Selection{Start: 4}, whole[3:]},
		"truncated":     {Selection{Plies: 1}, []string{"e3", "e4", "f6"}},
		"and from":      {Selection{Plies: 1, Start: 2}, []string{"e4", "f6"}},
		"longer":        {Selection{Plies: 9}, whole},
	} {
		if diff := cmp.Diff(test.want, texts(test.selection)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	shuffled := texts(Selection{Shuffled: true, Seed: 2})
	if diff := cmp.Diff(shuffled, texts(Selection{Shuffled: true, Seed: 2})); diff != "" {
		t.Errorf("the same seed gives another order: %s", diff)
	}
	if diff := cmp.Diff(shuffled[2:], texts(Selection{Shuffled: true, Seed: 2, Start: 3})); diff != "" {
		t.Errorf("the start is not in shuffled order: %s", diff)
	}
	if slices.Equal(shuffled, whole) || slices.Equal(shuffled, texts(Selection{Shuffled: true, Seed: 3})) {
		t.Errorf("order %q", shuffled)
	}
	slices.Sort(shuffled)
	slices.Sort(whole)
	if diff := cmp.Diff(whole, shuffled); diff != "" {
		t.Errorf("shuffling changes the openings: %s", diff)
	}
	for _, wrong := range []Selection{{Start: 6}, {Start: -1}, {Plies: -1}} {
		if _, err := book.Select(wrong); err == nil {
			t.Errorf("%+v was accepted", wrong)
		}
	}
}

func TestBook(t *testing.T) {
	p := position.Start(position.Standard)
	for _, word := range []string{"e3", "f6"} {
		turn, err := p.ParseTurn(word)
		if err != nil {
			t.Fatal(err)
		}
		p = p.After(turn)
	}
	text := "# two forms of the same opening, and more\n\ne3 F6\n" + p.String() + "\n" +
		p.String() + " moves g7 # and on\nmoves e3 f6 g7\n" + position.StartText + "\n"
	book, err := Read(strings.NewReader(text), "book", position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	var ends, written []string
	for round := range len(book) + 1 {
		o, err := book.Opening(round)
		if err != nil {
			t.Fatal(err)
		}
		end, err := o.End()
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, end.String())
		written = append(written, Format(o))
	}
	if ends[0] != p.String() || ends[1] != p.String() || ends[2] != ends[3] || ends[5] != ends[0] {
		t.Errorf("ends %q", ends)
	}
	if diff := cmp.Diff([]string{"e3 f6", p.String(), p.String() + " g7", "e3 f6 g7", position.StartText, "e3 f6"}, written); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string]string{
		"e3\nz9":                        "book:2: ",
		"4/7 w 0-0":                     "book:1: ",
		position.StartText + " e3 e3":   "book:1: ",
		"":                              "no openings",
		strings.Repeat("x", 1<<16) + "": "book:1: ",
	} {
		if _, err := Read(strings.NewReader(text), "book", position.Standard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: error %v", text, err)
		}
	}
	if _, err := (Book{}).Opening(0); err == nil {
		t.Error("an empty book has an opening")
	}
}

func FuzzBook(f *testing.F) {
	f.Add("e3 f6\n" + position.StartText + " moves a2")
	f.Fuzz(func(t *testing.T, text string) {
		book, err := Read(strings.NewReader(text), "fuzz", position.Standard)
		if err != nil {
			return
		}
		var out strings.Builder
		for _, o := range book {
			out.WriteString(Format(o) + "\n")
		}
		again, err := Read(strings.NewReader(out.String()), "fuzz", position.Standard)
		if diff := cmp.Diff(book, again, cmp.Comparer(func(a, b game.Opening) bool { return Format(a) == Format(b) })); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
	})
}
