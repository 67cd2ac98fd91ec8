package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"gyre/bench/tune"
)

//go:embed page/tuning.html
var tuningText string

// TuningMark is in every page about a tuning.
const TuningMark = `<meta name="generator" content="gyre-arena tune">`

// tuningPage is what the template shows.
type tuningPage struct {
	Title, Summary, Options string
	Parameters              []row
	Charts                  []chart
	Script                  template.JS
	ScriptHash              string
}

// WriteTuning writes a page about how far a tuning has come: its values, and a chart of
// each of them on its way.
func WriteTuning(w io.Writer, t *tune.Tuning, reached *tune.Progress) error {
	p := &tuningPage{Title: fmt.Sprintf("Tuning of %d options", len(t.Parameters)),
		Summary: fmt.Sprintf("%d of %d pairs of games, %d iterations from the same values each time; rate %g, seed %d.",
			reached.Played, t.Iterations, t.Batch, t.Rate, t.Seed)}
	var options []string
	for i, parameter := range t.Parameters {
		value := reached.Values()[i]
		p.Parameters = append(p.Parameters, row{parameter.Name, fmt.Sprint(parameter.Value), fmt.Sprintf("%.2f", value),
			fmt.Sprintf("%d to %d", parameter.Min, parameter.Max), fmt.Sprintf("%g", parameter.Step)})
		options = append(options, fmt.Sprintf("option.%s=%d", parameter.Name, tune.Round(value)))
		p.Charts = append(p.Charts, pathChart(t, reached, i))
	}
	p.Options = strings.Join(options, " ")
	p.Script, p.ScriptHash = script()
	return execute(w, tuningText, p)
}

// mostValues is how many points of a path are drawn, about.
const mostValues = 1000

// pathChart shows the way of a parameter, with where it began.
func pathChart(t *tune.Tuning, reached *tune.Progress, i int) chart {
	path := series{Name: t.Parameters[i].Name}
	stride := 1 + len(reached.Path)/mostValues
	for at, values := range reached.Path {
		if at%stride == 0 || at == len(reached.Path)-1 {
			path.X = append(path.X, float64(min(at*t.Batch, t.Iterations)))
			path.Y = append(path.Y, thousandths(values[i]))
		}
	}
	return chart{Title: path.Name, X: "pairs", Y: "value", Series: []series{path},
		Bounds: []bound{{"began", float64(t.Parameters[i].Value)}}}
}
