package stats

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWriteReport(t *testing.T) {
	const strengths = "elo 26.106693\nelo_error 34.826425\nnelo 36.354623\nnelo_error 48.151231\nlos 93.053547\n"
	for _, test := range []struct {
		name string
		c    Counts
		sprt *SPRT
		want string
	}{
		{"strengths alone", Pairs{5, 20, 40, 25, 10}, nil, strengths},
		{"with a test", Pairs{5, 20, 40, 25, 10}, newTest(t, Normalized, 0, 20),
			strengths + "llr 0.866512\nlower -2.944439\nupper 2.944439\nstate continue\n"},
		{"one-sided", Games{Losses: 4250}, newTest(t, Normalized, -10, 0),
			"elo -inf\nelo_error inf\nnelo -inf\nnelo_error inf\nlos 0.000000\n" +
				"llr -120.548268\nlower -2.944439\nupper 2.944439\nstate accept H0\n"},
		{"nothing", Games{}, newTest(t, Logistic, 0, 5),
			"elo 0.000000\nelo_error inf\nnelo 0.000000\nnelo_error inf\nlos 50.000000\n" +
				"llr 0.000000\nlower -2.944439\nupper 2.944439\nstate continue\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			if err := WriteReport(&out, test.c, test.sprt); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, out.String()); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
		})
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func TestWriteReportReturnsTheWritersError(t *testing.T) {
	want := errors.New("disk full")
	if err := WriteReport(brokenWriter{want}, Games{}, nil); !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}
