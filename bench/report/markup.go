package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/position/drawing"
)

// The style and the scripts of the pages. Every page has the parts and the charts.
var (
	//go:embed page/style.css
	styleText string
	//go:embed page/parts.js
	partsScript string
	//go:embed page/axes.js
	axesScript string
	//go:embed page/charts.js
	chartsScript string
	//go:embed page/cursor.js
	cursorScript string
	//go:embed page/board.js
	boardScript string
)

// markup builds the HTML of a page. It replaces html/template, which makes the linker keep
// every exported method of the program: four megabytes.
type markup struct{ strings.Builder }

// raw is HTML that put does not escape.
type raw string

// put adds HTML. It escapes every value that the format uses, except for raw ones.
func (m *markup) put(format string, values ...any) {
	for i, value := range values {
		if _, isRaw := value.(raw); !isRaw {
			values[i] = html.EscapeString(fmt.Sprint(value))
		}
	}
	fmt.Fprintf(m, format, values...)
}

// section starts a section with a heading that is a link to itself.
func (m *markup) section(id, title string) {
	m.put("\n<h2 id=\"%s\"><a href=\"#%s\">%s</a></h2>\n", id, id, title)
}

// column is a column of a table. Text is aligned to the left, numbers to the right. On a phone,
// cards have two values in a line; a long value has its own.
type column struct {
	name       string
	text, long bool
}

// columns returns columns by their names. A name that starts with "<" is a column of text, one
// that ends with "…" has long values.
func columns(names ...string) (all []column) {
	for _, name := range names {
		name, text := strings.CutPrefix(name, "<")
		name, long := strings.CutSuffix(name, "…")
		all = append(all, column{name, text, long})
	}
	return all
}

// row is one line of a table.
type row []string

// table adds a table. On a phone its rows become cards and would lose their table roles, so the
// roles are explicit.
func (m *markup) table(label string, columns []column, rows []row) {
	m.put("<table class=\"cards\" role=\"table\" aria-label=\"%s\">\n<thead role=\"rowgroup\"><tr role=\"row\">", label)
	for _, c := range columns {
		m.put("<th role=\"columnheader\" scope=\"col\"%s>%s</th>", class(c), c.name)
	}
	m.put("</tr></thead>\n<tbody role=\"rowgroup\">\n")
	for _, r := range rows {
		m.put("<tr role=\"row\">")
		for i, cell := range r {
			m.put("<td role=\"cell\" data-label=\"%s\"%s>%s</td>", columns[i].name, class(columns[i]), cell)
		}
		m.put("</tr>\n")
	}
	m.put("</tbody></table>\n")
}

// class returns the class of a column's cells.
func class(c column) raw {
	switch {
	case c.text && c.long:
		return ` class="text span"`
	case c.text:
		return ` class="text"`
	case c.long:
		return ` class="span"`
	}
	return ""
}

// copyable adds a text with a button that copies it. The id is unique in the page.
func (m *markup) copyable(id, label, text string) {
	m.put("<div class=\"copyable\"><pre id=\"%s\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">%s</pre><button type=\"button\" data-copy=\"%s\">Copy</button></div>\n", id, label, text, id)
}

// document is a page without its frame.
type document struct {
	kind    string // the head's line that marks such files
	title   string
	head    raw    // more of the head
	policy  string // more of the content security policy
	body    markup
	charts  []chart
	data    pageData
	scripts []string // after those of all pages
}

// pageData is the object that the scripts read.
type pageData struct {
	Charts []chart    `json:"charts"`
	Games  []heldGame `json:"games,omitempty"`
	Pairs  []pairRow  `json:"pairs,omitempty"`
	Board  string     `json:"board,omitempty"` // URL
}

// addChart adds a chart, and its place in the page.
func (d *document) addChart(c chart) {
	d.body.put("<figure class=\"chart\" id=\"chart-%v\" data-part=\"%s\"><figcaption>%s</figcaption></figure>\n", len(d.charts), c.Title, c.Title)
	d.charts = append(d.charts, c)
}

// write writes the page.
func (d *document) write(w io.Writer) error {
	script, hash := joined(d.scripts...)
	var m markup
	m.put("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n%s<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>%s</title>\n%s", raw(d.kind), d.title, d.head)
	m.put("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action 'none'; %sstyle-src 'unsafe-inline'; script-src '%s'\">\n", raw(d.policy), raw(hash))
	m.put("<style>\n%s</style>\n</head>\n<body>\n<main>\n%s</main>\n", raw(styleText), raw(d.body.String()))
	d.data.Charts = append([]chart{}, d.charts...) // never null in JSON
	text, err := json.Marshal(d.data)              // it escapes <, > and &, so it cannot end the element
	if err != nil {
		return err
	}
	m.put("<script type=\"application/json\" id=\"data\">%s</script>\n", raw(text))
	m.put("<script>%s</script>\n</body>\n</html>\n", raw(script))
	_, err = io.WriteString(w, m.String())
	return err
}

// joined returns the scripts of all pages followed by others, and their hash for the content
// security policy, which allows no other script.
func joined(more ...string) (text, hash string) {
	for _, each := range append([]string{partsScript, axesScript, chartsScript, cursorScript}, more...) {
		text += "\n" + each
	}
	sum := sha256.Sum256([]byte(text))
	return text, "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// boardScripts returns the scripts of pages with boards.
func boardScripts() []string { return []string{drawing.Script(), boardScript} }

// boardStyle returns the style of pages with boards.
func boardStyle() raw { return raw("<style>\n" + drawing.Style() + "</style>\n") }

// typeset replaces the signs of numbers by their typographic forms.
func typeset(text string) string {
	var b strings.Builder
	text = strings.ReplaceAll(text, "+-", "±")
	for i, r := range text {
		after := i+1 < len(text) && (text[i+1] >= '0' && text[i+1] <= '9')
		if r == '-' && after && (i == 0 || strings.ContainsRune(" (", rune(text[i-1]))) {
			r = '−'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// grouped formats a number with a number of decimals and with commas between thousands.
func grouped(x float64, decimals int) string {
	text := strconv.FormatFloat(math.Abs(x), 'f', decimals, 64)
	whole, rest, _ := strings.Cut(text, ".")
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if rest != "" {
		whole += "." + rest
	}
	if x < 0 && strings.Trim(text, "0.") != "" {
		whole = "−" + whole
	}
	return whole
}

// number formats a whole number.
func number(n int) string { return grouped(float64(n), 0) }

// plural returns a count with its noun: one, or the plural with an s.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return number(n) + " " + noun + "s"
}

// chart is the JSON data of a chart for the script.
type chart struct {
	Title   string   `json:"title"`
	Note    string   `json:"note,omitempty"` // an explanation below the title
	X       string   `json:"x"`              // units of the axes
	Y       string   `json:"y"`
	Bars    bool     `json:"bars"`             // draw bars instead of lines
	Labels  []string `json:"labels,omitempty"` // of the bars, at 0, 1, 2 and so on
	Zero    bool     `json:"zero"`             // include 0 on the vertical axis
	Least   float64  `json:"least,omitempty"`  // minimum span of the vertical axis
	Settled float64  `json:"settled"`          // scale the vertical axis by values from this X on
	Series  []series `json:"series"`
	Bounds  []bound  `json:"bounds"` // horizontal lines
}

// series is a line or a set of bars. Low and High are error bounds, if present, and Games the
// numbers of games behind each value.
type series struct {
	Name  string    `json:"name"`
	X     []float64 `json:"x"` // ascending integers
	Y     []float64 `json:"y"`
	Low   []float64 `json:"low,omitempty"`
	High  []float64 `json:"high,omitempty"`
	Games []int     `json:"games,omitempty"`
}

// bound is a horizontal line.
type bound struct {
	Name string  `json:"name"`
	Y    float64 `json:"y"`
}

// minPoints is the minimum number of points of a line.
const minPoints = 2

// thousandths rounds a number for display. It never returns -0.
func thousandths(value float64) float64 { return math.Round(value*1000)/1000 + 0 }

// eloChart returns the chart of the Elo estimate of the named engine, and false if there are
// too few points. It starts with the first pair from which on there always is an interval.
func eloChart(name string, c trajectory) (chart, bool) {
	first := len(c.elo)
	for first > 0 && bounded(c.elo[first-1]) && c.pairs[first-1] >= minPairs {
		first--
	}
	elo := series{}
	for i, e := range c.elo[first:] {
		elo.X = append(elo.X, c.pairs[first+i])
		elo.Y = append(elo.Y, thousandths(e.Value))
		elo.Low = append(elo.Low, thousandths(e.Low))
		elo.High = append(elo.High, thousandths(e.High))
	}
	if len(elo.X) < minPoints {
		return chart{}, false
	}
	// The first values vary widely, so the later ones set the scale.
	return chart{Title: "Elo of " + name + " so far, with its 95% interval", Note: fmt.Sprintf("From pair %.0f on there is an interval.", elo.X[0]), X: "pairs", Y: "Elo", Zero: true,
		Settled: elo.X[len(elo.X)/10], Series: []series{elo}, Bounds: []bound{}}, true
}

// minPairs is the number of pairs from which on the chart of Elo shows it: see stats.Enough.
const minPairs = 10

// llrChart returns the chart of a test's log-likelihood ratio and bounds.
func llrChart(c trajectory, low, high float64) (chart, bool) {
	if len(c.llr) < minPoints {
		return chart{}, false
	}
	llr := series{X: c.pairs}
	for _, value := range c.llr {
		llr.Y = append(llr.Y, thousandths(value))
	}
	return chart{Title: "Log-likelihood ratio (LLR) of the test", Note: "The test passes at H1 and fails at H0.", X: "pairs", Y: "LLR", Zero: true, Series: []series{llr},
		Bounds: []bound{{"H0", thousandths(low)}, {"H1", thousandths(high)}}}, true
}

// lengthChart returns the histogram of game lengths.
func lengthChart(lengths []int) chart {
	games := series{}
	for turns, count := range lengths {
		if len(games.X) == 0 && count == 0 {
			continue // shorter than every game
		}
		games.X = append(games.X, float64(turns))
		games.Y = append(games.Y, float64(count))
	}
	return chart{Title: "Games by length", X: "turns", Y: "games", Bars: true, Zero: true, Series: []series{games}, Bounds: []bound{}}
}

// pairChart returns the bar chart of the results of pairs.
func pairChart(first string, pairs stats.Pairs) chart {
	c := chart{Title: "Pair results", Note: "Points of " + first + " in the two games of a pair.", X: "points", Y: "pairs", Bars: true,
		Labels: pairTexts[:], Zero: true, Bounds: []bound{}}
	results := series{}
	for points, count := range pairs {
		results.X, results.Y = append(results.X, float64(points)), append(results.Y, float64(count))
	}
	c.Series = []series{results}
	return c
}

// fewGames is the number of games below which a point of a mean does not set the scale, and is
// drawn faintly.
const fewGames = 10

// turnChart returns the chart of a mean by turn number, for the engines with enough data. mean
// also returns the number of turns behind it, 0 for none. An engine plays a turn number once in
// a game.
func turnChart(title, y string, engines []*engine, mean func(perTurn) (float64, int)) (chart, bool) {
	c := chart{Title: title, X: "turn", Y: y, Zero: true, Bounds: []bound{}}
	for _, e := range engines {
		s := series{Name: e.name}
		for number, t := range e.byTurn {
			if value, games := mean(t); games > 0 {
				s.X = append(s.X, float64(number+1))
				s.Y = append(s.Y, thousandths(value))
				s.Games = append(s.Games, games)
				if games < fewGames {
					c.Note = fmt.Sprintf("Mean of all games. Faint: fewer than %d games.", fewGames)
				}
			}
		}
		if len(s.X) >= minPoints {
			c.Series = append(c.Series, s)
		}
	}
	return c, len(c.Series) > 0
}

// trajectory is the course of a match between two engines.
type trajectory struct {
	pairs []float64 // number of finished pairs
	elo   []stats.Interval
	llr   []float64 // nil without a test
}

// chartPoints is the number of points of a chart: see trajectoryOf.
const chartPoints = 1000

// trajectoryOf returns the trajectory of the only encounter, over those of its settled pairs that
// count, from the point of view of the named engine. If there are more pairs than points, it skips some, and
// then has at least that number of points and less than twice that.
func trajectoryOf(name string, pairs []*match.PooledPair, test *stats.SPRT, points int) trajectory {
	var c trajectory
	var counts stats.Pairs
	pairs = slices.DeleteFunc(slices.Clone(pairs), func(p *match.PooledPair) bool { return !p.Ends.Counts() })
	step := max(1, len(pairs)/points)
	for i, p := range pairs {
		counts[p.SeenFrom(name).HalfPoints()]++
		if i%step != 0 && i != len(pairs)-1 {
			continue
		}
		c.pairs = append(c.pairs, float64(counts.Total()))
		c.elo = append(c.elo, stats.Elo(counts))
		if test != nil {
			c.llr = append(c.llr, test.LLR(counts))
		}
	}
	return c
}

// bounded reports whether an estimate can be drawn: its interval has two ends that are not
// too far apart.
func bounded(e stats.Interval) bool {
	return !math.IsInf(e.Value, 0) && e.Error() < 2000
}
