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

// TuningMark occurs in every page about a tuning.
const TuningMark = `<meta name="generator" content="gyre-arena tune">`

// tuningPage is the data of the template.
type tuningPage struct {
	Title, Summary, Options string
	Parameters              []row
	Charts                  []chart
	Script                  template.JS
	ScriptHash              string
}

// WriteTuning writes a page about the progress of a tuning: its values, and a chart of each.
func WriteTuning(w io.Writer, t *tune.Tuning, reached *tune.Progress) error {
	p := &tuningPage{Title: fmt.Sprintf("Tuning of %d options", len(t.Parameters)),
		Summary: fmt.Sprintf("%d of %d pairs of games, batches of %d iterations, rate %g, seed %d.",
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

// maxValues is the approximate maximum number of points of a path.
const maxValues = 1000

// pathChart returns the chart of a parameter's values, with the initial value as a line.
func pathChart(t *tune.Tuning, reached *tune.Progress, i int) chart {
	path := series{Name: t.Parameters[i].Name}
	stride := 1 + len(reached.Path)/maxValues
	for at, values := range reached.Path {
		if at%stride == 0 || at == len(reached.Path)-1 {
			path.X = append(path.X, float64(min(at*t.Batch, t.Iterations)))
			path.Y = append(path.Y, thousandths(values[i]))
		}
	}
	return chart{Title: path.Name, X: "pairs", Y: "value", Series: []series{path},
		Bounds: []bound{{"start", float64(t.Parameters[i].Value)}}}
}
