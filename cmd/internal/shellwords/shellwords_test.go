package shellwords

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestWords(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{" a  b\t", []string{"a", "b"}},
		{`cmd='./gyre -x "y z"' name="a b"c`, []string{`cmd=./gyre -x "y z"`, "name=a bc"}},
		{`a\ b '\' "\""`, []string{"a b", `\`, `"`}},
		{`'' ""`, []string{"", ""}},
	} {
		got, err := Split(test.text)
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%q: %v %s", test.text, err, diff)
		}
	}
	for _, text := range []string{"'a", `"a`, `a\`} {
		if _, err := Split(text); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}

// FuzzWords splits a text, joins the words, and splits them again.
func FuzzWords(f *testing.F) {
	f.Add(`cmd='./gyre -x "y z"' name="a b"c`)
	f.Fuzz(func(t *testing.T, text string) {
		words, err := Split(text)
		if err != nil {
			return
		}
		again, err := Split(Join(words))
		if diff := cmp.Diff(words, again, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("%q: %v %s", Join(words), err, diff)
		}
	})
}
