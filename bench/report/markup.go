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
	"strconv"
	"strings"

	"gyre/cmd/gyre-board/page"
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

// table adds a table. On a phone its rows become cards, so it states its roles, which it
// would lose there.
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

// figures adds a place for each chart, from number first on.
func (m *markup) figures(first int, charts []chart) {
	for i, c := range charts {
		m.put("<figure class=\"chart\" id=\"chart-%v\" data-part=\"%s\"><figcaption>%s</figcaption></figure>\n", first+i, c.Title, c.Title)
	}
}

// document is a page without its frame.
type document struct {
	kind    string // the head's line that marks such files
	title   string
	head    raw    // more of the head
	policy  string // more of the content security policy
	body    markup
	data    []pageData
	scripts []string // after those of all pages
}

// pageData is a value that the scripts read from the element with the id.
type pageData struct {
	id    string
	value any
}

// write writes the page.
func (d *document) write(w io.Writer) error {
	script, hash := joined(d.scripts...)
	var m markup
	m.put("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n%s<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>%s</title>\n%s", raw(d.kind), d.title, d.head)
	m.put("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action 'none'; %sstyle-src 'unsafe-inline'; script-src '%s'\">\n", raw(d.policy), raw(hash))
	m.put("<style>\n%s</style>\n</head>\n<body>\n<main>\n%s</main>\n", raw(styleText), raw(d.body.String()))
	for _, each := range d.data {
		// JSON escapes <, > and &, so it cannot end the element.
		text, err := json.Marshal(each.value)
		if err != nil {
			return err
		}
		m.put("<script type=\"application/json\" id=\"%s\">%s</script>\n", each.id, raw(text))
	}
	m.put("<script>%s</script>\n</body>\n</html>\n", raw(script))
	_, err := io.WriteString(w, m.String())
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
func boardScripts() []string { return []string{page.DrawingScript(), boardScript} }

// boardStyle returns the style of pages with boards.
func boardStyle() raw { return raw("<style>\n" + page.DrawingStyle() + "</style>\n") }

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
