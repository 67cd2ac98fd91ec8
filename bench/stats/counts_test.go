package stats

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseGames(t *testing.T) {
	got, err := ParseGames(" 76, 89 ,123")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Games{Wins: 76, Losses: 89, Draws: 123}, got); diff != "" {
		t.Errorf("games (-want +got):\n%s", diff)
	}
}

func TestParsePairs(t *testing.T) {
	got, err := ParsePairs("5,20,40,25,10")
	if err != nil {
		t.Fatal(err)
	}
	want := Pairs{LossLoss: 5, LossDraw: 20, Even: 40, WinDraw: 25, WinWin: 10}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pairs (-want +got):\n%s", diff)
	}
}

func TestParseErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", `pairs "": 1 counts, need the 5 of LL,LD,DD+WL,WD,WW`},
		{"1,2,3", `pairs "1,2,3": 3 counts, need the 5 of LL,LD,DD+WL,WD,WW`},
		{"1,2,3,4,5,6", `pairs "1,2,3,4,5,6": 6 counts, need the 5 of LL,LD,DD+WL,WD,WW`},
		{"1,2,,4,5", `pairs: count 3 "": missing`},
		{"1,-2,3,4,5", `pairs: count 2 "-2": not a whole number of at least 0`},
		{"1,2,3,4,5.0", `pairs: count 5 "5.0": not a whole number of at least 0`},
		{"1000000001,2,3,4,5", `pairs: count 1 "1000000001": more than 1000000000`},
		{"99999999999999999999,2,3,4,5", `pairs: count 1 "99999999999999999999": more than 1000000000`},
	} {
		t.Run(test.text, func(t *testing.T) {
			_, err := ParsePairs(test.text)
			if err == nil || err.Error() != test.want {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}

func FuzzParseGames(f *testing.F) {
	f.Add("76,89,123")
	f.Fuzz(func(t *testing.T, text string) {
		games, err := ParseGames(text)
		checkRoundTrip(t, games, err, ParseGames)
	})
}

func FuzzParsePairs(f *testing.F) {
	f.Add("5,20,40,25,10")
	f.Fuzz(func(t *testing.T, text string) {
		pairs, err := ParsePairs(text)
		checkRoundTrip(t, pairs, err, ParsePairs)
	})
}

// checkRoundTrip checks that an error is a *ParseError, and that parsed counts can be parsed
// from their own text.
func checkRoundTrip[C interface {
	comparable
	String() string
}](t *testing.T, counts C, err error, parse func(string) (C, error)) {
	t.Helper()
	if err != nil {
		if _, ok := errors.AsType[*ParseError](err); !ok {
			t.Fatalf("error %v is a %T", err, err)
		}
		return
	}
	again, err := parse(counts.String())
	if err != nil || again != counts {
		t.Fatalf("%v reads back as %v, %v", counts, again, err)
	}
}
