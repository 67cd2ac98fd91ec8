package report

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/stats"
)

// written returns the page of d.
func written(t *testing.T, d *Data) string {
	t.Helper()
	var out strings.Builder
	if err := d.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// held returns the charts in the page.
func held(t *testing.T, page string) (charts []chart) {
	t.Helper()
	_, after, _ := strings.Cut(page, `<script type="application/json" id="charts">`)
	text, _, found := strings.Cut(after, "</script>")
	if !found {
		t.Fatalf("no chart data in the page: %s", page)
	}
	if err := json.Unmarshal([]byte(text), &charts); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return charts
}

// TestThePageHoldsItsCharts compares the charts in the page with the games: Elo and the test
// after each pair, game lengths, and each engine's times and depths by turn.
func TestThePageHoldsItsCharts(t *testing.T) {
	d := testData(t)
	h := stats.Hypotheses{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05}
	d.Test(h)
	test, err := stats.NewSPRT(h)
	if err != nil {
		t.Fatal(err)
	}
	low, high := test.Bounds()
	llr := series{}
	for i, counts := range []stats.Pairs{{0, 0, 0, 0, 1}, {1, 0, 0, 0, 1}, {1, 0, 1, 0, 1}, {1, 0, 1, 1, 1}} {
		llr.X = append(llr.X, float64(i+1))
		llr.Y = append(llr.Y, thousandths(test.LLR(counts)))
	}
	turns, faint := []float64{3, 4, 5}, "Mean of all games. Faint: fewer than 10 games."
	want := []chart{
		{Title: "Log-likelihood ratio (LLR) of the test", Note: "The test ends at H0 or H1.", X: "pairs", Y: "LLR", Zero: true, Series: []series{llr},
			Bounds: []bound{{"H0", thousandths(low)}, {"H1", thousandths(high)}}},
		{Title: "Pair results", Note: "Points of new in the two games of a pair.", X: "points", Y: "pairs", Bars: true, Labels: []string{"0", "½", "1", "1½", "2"}, Zero: true,
			Series: []series{{X: []float64{0, 1, 2, 3, 4}, Y: []float64{1, 0, 1, 1, 1}}}, Bounds: []bound{}},
		{Title: "Games by length", X: "turns", Y: "games", Bars: true, Zero: true, Series: []series{{X: []float64{5}, Y: []float64{9}}}, Bounds: []bound{}},
		{Title: "Time per turn", Note: faint, X: "turn", Y: "ms", Zero: true, Bounds: []bound{},
			Series: []series{{Name: "new", X: turns, Y: []float64{10, 30, 20}, Games: []int{5, 4, 5}}, {Name: "<old>", X: turns, Y: []float64{10, 30, 20}, Games: []int{4, 5, 4}}}},
		{Title: "Depth reached", Note: faint, X: "turn", Y: "turns", Zero: true, Bounds: []bound{},
			Series: []series{{Name: "new", X: []float64{3, 5}, Y: []float64{4, 6}, Games: []int{5, 5}}, {Name: "<old>", X: []float64{3, 5}, Y: []float64{4, 6}, Games: []int{4, 4}}}},
	}
	if diff := cmp.Diff(want, held(t, written(t, d))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNamesStayText checks that engine names cannot inject scripts or end the page's script.
func TestNamesStayText(t *testing.T) {
	for _, name := range []string{`</script><script>alert(1)</script>`, `<!--<script>`, `"]}];alert(1)//`, "a\u2028b", `<img src=x onerror=alert(1)>`} {
		d := New()
		for number := range 2 {
			l := testLine(number, "white")
			if l.White = name; number == 1 {
				l.White, l.Black = "new", name
			}
			if err := d.Add(l); err != nil {
				t.Fatal(err)
			}
		}
		page := written(t, d)
		if scripts, ends := strings.Count(page, "<script"), strings.Count(page, "</script"); scripts != 5 || ends != 5 {
			t.Errorf("%q: %d scripts and %d ends of scripts, want 5 and 5", name, scripts, ends)
		}
		if strings.ContainsAny(name, "<") && strings.Contains(page, name) {
			t.Errorf("%q is not escaped", name)
		}
		charts := held(t, page)
		if got := charts[len(charts)-1].Series[0].Name; got != name {
			t.Errorf("the charts name it %q, want %q", got, name)
		}
	}
}

// TestScriptRuns checks that the content security policy allows the page's script by its hash,
// and no other.
func TestScriptRuns(t *testing.T) {
	text, hash := joined(viewerScript, gamesScript)
	page := written(t, testData(t))
	if !strings.Contains(page, "<script>"+text+"</script>") {
		t.Error("the page does not contain its script")
	}
	if !strings.Contains(page, "script-src '"+hash+"'\"") || strings.Contains(page, "script-src 'unsafe") {
		t.Errorf("the policy does not consist of the script's hash %s", hash)
	}
}

// TestLongMatch checks a match with more pairs than a chart has points.
func TestLongMatch(t *testing.T) {
	d := New()
	for number := range 5000 {
		result := []string{"white", "black", "draw", "white"}[(number*7+number/3)%4]
		if err := d.Add(testLine(number, result)); err != nil {
			t.Fatal(err)
		}
	}
	c := trajectoryOf("new", d.pool.Pairs(), nil)
	if n := len(c.pairs); n < maxPoints || n > 2*maxPoints || c.pairs[n-1] != 2500 {
		t.Errorf("%d points, the last %v", n, c.pairs[n-1])
	}
	if elo, enough := eloChart("new", c); !enough || elo.Settled < 200 || elo.Settled > 300 {
		t.Errorf("enough: %v, settled after %v pairs, want a tenth of 2500", enough, elo.Settled)
	}
}

// TestEloChartStarts checks that the chart of Elo starts with the first pair from which on there
// always is an interval, and not before ten pairs.
func TestEloChartStarts(t *testing.T) {
	open := stats.Elo(stats.Pairs{0, 0, 0, 0, 14})
	c := trajectory{}
	for pairs := 1; pairs <= 20; pairs++ {
		e := stats.Elo(stats.Pairs{1, 0, 2, 0, pairs})
		if pairs == 12 {
			e = open
		}
		c.pairs, c.elo = append(c.pairs, float64(pairs)), append(c.elo, e)
	}
	for last, want := range map[int]float64{11: 10, 20: 13} {
		got, enough := eloChart("new", trajectory{pairs: c.pairs[:last], elo: c.elo[:last]})
		if !enough || got.Series[0].X[0] != want {
			t.Errorf("of %d pairs the chart starts at %v, want %v", last, got.Series, want)
		}
	}
}

// TestEmptyCharts checks that empty charts are omitted.
func TestEmptyCharts(t *testing.T) {
	if _, enough := eloChart("new", trajectory{pairs: []float64{1}, elo: []stats.Interval{{Value: 1, Low: -1, High: 3}}}); enough {
		t.Error("a chart was made of the Elo after one pair")
	}
	if _, enough := llrChart(trajectory{pairs: []float64{1, 2}, elo: make([]stats.Interval, 2)}, 0, 0); enough {
		t.Error("a chart was made without a test")
	}
	if _, enough := turnChart("", "", []*engine{{byTurn: make([]perTurn, 5)}}, func(perTurn) (float64, int) { return 0, 0 }); enough {
		t.Error("a chart was made of an engine without data")
	}
}
