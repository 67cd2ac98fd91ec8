package ladder

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/stats"
)

func TestOutsideRatings(t *testing.T) {
	if _, err := OutsideRatings(); err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	want := []Outside{
		{"weak", stats.Estimate{Value: -12.5, Error: 40}, 80, day, "cmd=./weak nodes=1"},
		{"Bot-3", stats.Estimate{Value: 1400, Error: 55.5}, 200, day, "'cmd=java -jar  bot.jar' limit=none"},
	}
	var b strings.Builder
	if err := WriteOutside(&b, []Outside{want[1], want[0]}); err != nil {
		t.Fatal(err)
	}
	got, err := ParseOutside(b.String())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" || !strings.Contains(strings.SplitN(b.String(), "\n", 2)[0], OutsideMark) {
		t.Errorf("%s in %s", diff, b.String())
	}
	for _, wrong := range []string{
		"x 1 2 3 2026-11-22", "x a 2 3 2026-11-22 cmd=x", "x 1 -2 3 2026-11-22 cmd=x", "x 1 2 0 2026-11-22 cmd=x",
		"x 1 2 3 yesterday cmd=x", "x 1 2 3 2026-11-22 cmd=x\nx 1 2 3 2026-11-22 cmd=y",
	} {
		if _, err := ParseOutside(wrong); err == nil || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%q: error %v", wrong, err)
		}
	}
	for _, wrong := range []Outside{{Name: "a b", Games: 1, Engine: "cmd=x"}, {Name: "a", Games: 1}, {Name: "#a", Games: 1, Engine: "cmd=x"}} {
		if err := WriteOutside(io.Discard, []Outside{wrong}); err == nil {
			t.Errorf("%+v was written", wrong)
		}
	}
}

// FuzzOutside checks that ratings which parse survive a round trip.
func FuzzOutside(f *testing.F) {
	f.Add("a 1 2 3 2026-11-22 cmd=x nodes=5\n# none\nb -1.5 0 1 2026-01-01 y\n")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ParseOutside(text)
		if err != nil {
			return
		}
		var first, second strings.Builder
		if WriteOutside(&first, all) != nil {
			return
		}
		again, err := ParseOutside(first.String())
		if err == nil {
			err = WriteOutside(&second, again)
		}
		if diff := cmp.Diff(first.String(), second.String()); err != nil || diff != "" {
			t.Errorf("%v: %s", err, diff)
		}
	})
}

func TestRatings(t *testing.T) {
	all, err := Ratings()
	if err != nil {
		t.Fatal(err)
	}
	if all[0].Name != Anchor || all[0].Elo.Value != 0 || all[0].Elo.Error != 0 {
		t.Errorf("the anchor is %+v", all[0])
	}
	var text strings.Builder
	if err := WriteRatings(&text, "made\nup", all); err != nil {
		t.Fatal(err)
	}
	again, err := ParseRatings(text.String())
	if diff := cmp.Diff(all, again); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	for wrong, want := range map[string]string{
		"":                         "no line for random",
		"random 0":                 "line 1: expected NAME",
		"\nnobody 0 0":             `line 2: unknown reference player "nobody"`,
		"random zero 0":            `"zero"`,
		"random 0 -1":              `"-1"`,
		"random 0 0\nrandom 0 0\n": "line 2: random is rated twice",
	} {
		if _, err := ParseRatings(wrong); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v", wrong, err)
		}
	}
}

func FuzzRatings(f *testing.F) {
	f.Add(ratingsText)
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ParseRatings(text)
		if err != nil {
			return
		}
		var out strings.Builder
		if err := WriteRatings(&out, "", all); err != nil {
			t.Fatal(err)
		}
		if _, err := ParseRatings(out.String()); err != nil {
			t.Errorf("%v in %q", err, out.String())
		}
	})
}
