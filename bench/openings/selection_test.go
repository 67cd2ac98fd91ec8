package openings

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// fiveLines are openings of which the last two begin as others, or their mirror.
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
		"cut":           {Selection{Plies: 1}, []string{"e3", "e4", "f6"}},
		"cut, and from": {Selection{Plies: 1, Start: 2}, []string{"e4", "f6"}},
		"cut nowhere":   {Selection{Plies: 9}, whole},
	} {
		if diff := cmp.Diff(test.want, texts(test.selection)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	shuffled := texts(Selection{Shuffled: true, Seed: 2})
	if diff := cmp.Diff(shuffled, texts(Selection{Shuffled: true, Seed: 2})); diff != "" {
		t.Errorf("the same seed has another order: %s", diff)
	}
	if diff := cmp.Diff(shuffled[2:], texts(Selection{Shuffled: true, Seed: 2, Start: 3})); diff != "" {
		t.Errorf("the start is not of the order at random: %s", diff)
	}
	if slices.Equal(shuffled, whole) || slices.Equal(shuffled, texts(Selection{Shuffled: true, Seed: 3})) {
		t.Errorf("order %q", shuffled)
	}
	slices.Sort(shuffled)
	slices.Sort(whole)
	if diff := cmp.Diff(whole, shuffled); diff != "" {
		t.Errorf("other openings at random: %s", diff)
	}
	for _, wrong := range []Selection{{Start: 6}, {Start: -1}, {Plies: -1}} {
		if _, err := book.Select(wrong); err == nil {
			t.Errorf("%+v was taken", wrong)
		}
	}
}
