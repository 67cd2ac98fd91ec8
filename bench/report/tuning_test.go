package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/tune"
)

// TestTuningPage checks the page of a tuning: the values, and the path of each parameter with
// the number of pairs behind each value.
func TestTuningPage(t *testing.T) {
	tuning := &tune.Tuning{SPSA: tune.SPSA{Iterations: 5, Rate: 0.002, Seed: 7, Parameters: []tune.Parameter{
		{Name: "<Margin>", Value: 40, Min: 0, Max: 100, Step: 6}, {Name: "Rate", Value: 160, Min: 50, Max: 400, Step: 12.5}}}, Batch: 2}
	reached := &tune.Progress{Played: 5, Path: [][]float64{{40, 160}, {41.5, 150}, {43, 155.25}, {42.6, 170.1234}}}
	var text strings.Builder
	if err := WriteTuning(&text, tuning, reached); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		TuningMark,
		`>&lt;Margin&gt;</td>`, `data-label="now">42.60</td>`, `data-label="change">+2.60</td>`, ">0 to 100</td>", `data-label="step">6</td>`,
		`data-label="now">170.12</td>`, ">50 to 400</td>", `data-label="step">12.5</td>`,
		">option.&lt;Margin&gt;=43 option.Rate=170</pre>", `data-copy="options"`, "Finished: 5 pairs played",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	want := chart{Title: "Rate", X: "pairs", Y: "value", Least: 12.5, Bounds: []bound{{"start", 160}},
		Series: []series{{Name: "Rate", X: []float64{0, 2, 4, 5}, Y: []float64{160, 150, 155.25, 170.123}}}}
	if diff := cmp.Diff(want, pathChart(tuning, reached, 1)); diff != "" {
		t.Error(diff)
	}
}
