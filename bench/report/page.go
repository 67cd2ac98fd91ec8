package report

import (
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"
	"time"

	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/position"
)

// The page's template, and the style that it shares with the page of a tuning.
var (
	//go:embed page/page.html
	pageText string
	//go:embed page/style.css
	styleText string
)

// page is what the template shows.
type page struct {
	Title, When, Summary string
	Test                 []row
	Ratings, Encounters  []row
	Colours, Uses        []row
	Ends, Openings       []row
	Names                []string
	Charts               []chart
	Games                []heldGame
	Script               template.JS
	ScriptHash           string // by which the page lets it run
}

// Write writes the page. The error is that of the writer, or says that there are
// no games.
func (d *Data) Write(w io.Writer) error {
	if d.games == 0 {
		return errors.New("no games to report")
	}
	standing := d.standing()
	pairs := d.pool.Pairs()
	p := &page{Colours: colourRows(d.engines), Uses: useRows(d.engines), Ends: endRows(d.ends, d.engines),
		Openings: openingRows(pairs), Games: d.held, Encounters: encounterRows(standing)}
	for _, e := range d.engines {
		p.Names = append(p.Names, e.name)
	}
	p.Title = strings.Join(p.Names, ", ")
	if len(p.Names) == 2 {
		p.Title = p.Names[0] + " against " + p.Names[1]
	}
	p.When = fmt.Sprintf("%s to %s", d.began.Format(time.DateTime), d.last.Format(time.DateTime)+" UTC")
	p.Summary = fmt.Sprintf("%d games: white won %d, black %d, %d drawn.", d.games,
		d.results[position.WhiteWins], d.results[position.BlackWins], d.results[position.Draw])
	var err error
	if p.Ratings, err = ratingRows(d.engines, standing); err != nil {
		return err
	}
	if err := d.draw(p, pairs, standing); err != nil {
		return err
	}
	p.Script, p.ScriptHash = script(boardScript, gamesScript)
	return execute(w, pageText, p)
}

// execute writes a page of a template, with the style and the rows of its tables.
func execute(w io.Writer, text string, page any) error {
	t, err := template.New("page").Parse(text)
	if err == nil {
		_, err = t.New("style").Parse(styleText)
	}
	if err != nil {
		return err
	}
	return t.Execute(w, page)
}

// draw adds the charts and the test.
func (d *Data) draw(p *page, pairs []*match.PooledPair, standing *match.Standing) error {
	add := func(c chart, enough bool) {
		if enough {
			p.Charts = append(p.Charts, c)
		}
	}
	if met := standing.Pairings; len(met) == 1 {
		var test *stats.SPRT
		if d.test != nil {
			var err error
			if test, err = stats.NewSPRT(*d.test); err != nil {
				return err
			}
			p.Test = testRows(test, met[0].Pairs)
		}
		c := trajectoryOf(standing.Names[met[0].Engines[0]], pairs, test)
		add(eloChart(c))
		if test != nil {
			low, high := test.Bounds()
			add(llrChart(c, low, high))
		}
	}
	add(lengthChart(d.lengths), true)
	add(turnChart("Time a turn", "ms", d.engines, func(t perTurn) (float64, bool) {
		return t.milliseconds / math.Max(float64(t.turns), 1), t.turns > 0
	}))
	add(turnChart("Depth reached", "turns", d.engines, func(t perTurn) (float64, bool) {
		return float64(t.depths) / math.Max(float64(t.deep), 1), t.deep > 0
	}))
	return nil
}

// testRows says what a test decides between, and where it stands.
func testRows(test *stats.SPRT, pairs stats.Pairs) []row {
	h := test.Hypotheses()
	low, high := test.Bounds()
	return []row{{h.Model.String(), fmt.Sprintf("%g", h.Elo0), fmt.Sprintf("%g", h.Elo1), fmt.Sprintf("%.3f", test.LLR(pairs)),
		fmt.Sprintf("%.3f", low), fmt.Sprintf("%.3f", high), test.State(pairs).String()}}
}
