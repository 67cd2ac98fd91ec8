package referee

import (
	"strings"
	"testing"
)

// read reads a path that must be legal.
func read(t testing.TB, path Path) *Line {
	t.Helper()
	line, err := path.Read()
	if err != nil {
		t.Fatal(err)
	}
	return line
}

func TestPathsThatAreRefused(t *testing.T) {
	for _, test := range []struct {
		path    Path
		prefix  []Step
		where   string
		message string
	}{
		{Path{Rules: "fast"}, nil, "rules", "fast"},
		{Path{Start: "4/7 w 0-0"}, nil, "start", "2 columns instead of 11"},
		{Path{Turns: []string{"f6", "f6"}}, nil, "turn 2", "f6 is not vacant"},
		{Path{Turns: []string{"z9"}}, nil, "turn 1", "z9"},
		{Path{}, []Step{{Do: DoPlace, To: "f6"}, {Do: DoPlace, To: "f7"}}, "step 2", "ring on f7 is not possible here"},
		{Path{}, []Step{{Do: DoRow}}, "step 1", "is not possible here"},
		{Path{}, []Step{{Do: "dance\n"}}, "step 1", "dance"},
	} {
		line, err := test.path.Read()
		if err == nil {
			_, err = line.Steps(test.prefix)
		}
		fault, ok := err.(*Error)
		if !ok || fault.Where != test.where || !strings.Contains(fault.Message, test.message) {
			t.Errorf("%v: %v", test.path, err)
		}
	}
}

func TestThreatened(t *testing.T) {
	const standing = "W2B/6B/8/9/10/1Wwwbw1b1/10/9/B7/B6/WWWB "
	line, err := read(t, Path{Start: standing + "w 0-0"}).Threatened()
	if err != nil || line.End().String() != standing+"b 0-0" || len(line.Turns) != 0 {
		t.Errorf("%v, %v", line, err)
	}
	for _, path := range []Path{
		{},
		{Start: "W2B/4w1B/8/4w4/2bbbbb3/9/10/9/8/7/W2B b 3-2"},
		{Start: "W3/W6/W7/9/10/1wwwwww2/10/9/8/6B/BBBB w 2-0"},
	} {
		if line, err := read(t, path).Threatened(); err == nil {
			t.Errorf("%v: %v", path, line.End().String())
		}
	}
}
