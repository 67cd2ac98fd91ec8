package main

import (
	"errors"
	"fmt"
	"html"
	"io"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/cmd/internal/commandline"
)

const versionsSynopsis = `usage: gyre-arena versions -engine SPEC -engine SPEC ... LIMIT [FLAGS]

Plays versions of an engine against each other and draws their Elo as a curve.
Name the versions from the oldest to the newest:

  gyre-arena versions -engine 'name=1.0 cmd=./gyre-1.0' \
      -engine 'name=1.1 cmd=./gyre-1.1' -engine 'name=1.2 cmd=./gyre-1.2' \
      -nodes 2000 -games 100 -out versions -svg versions.svg

Each version plays the one before it and the one before that; -all plays all
pairings. The folder -out has a file for each pairing, as match writes it, for
report and standing. The same command plays only games that are missing, so
after a release add the new version at the end. The command rejects files that
were played under other conditions.

The ratings are by maximum likelihood from all games together. The oldest
version has Elo 0, and each 95% interval is that of the difference to it.

Ctrl-C stops the games; the same command resumes them.
`

// versionsRun is the command versions.
type versionsRun struct {
	*matchConfig
	dir, svg string
	all      bool
	names    []string // of the versions, the oldest first
}

// runVersions plays versions of an engine against each other.
func runVersions(args []string, stdout, stderr io.Writer) error {
	c := &versionsRun{dir: "versions"}
	c.matchConfig = newMatchConfig("versions",
		matchFlag{"all", "Engines", 0, &c.all, "play all pairings (default: each version against the two before it)"},
		matchFlag{"out", "Output", unrecorded, &c.dir, "`DIR` of the games, a file for each pairing; games that it holds are not played again"},
		matchFlag{"svg", "Output", 0, &c.svg, "`FILE` for the curve as a picture (default: none)"})
	c.records = "none"
	if err := c.parse(args, versionsSynopsis, stdout); err != nil {
		return err
	}
	if c.pairs == 0 && c.games == 0 {
		c.pairs = 50
	}
	pairings, err := c.pairings()
	if err != nil {
		return &commandline.UsageError{Command: "versions", Err: err}
	}
	if err := c.checkOutputs(match.Files{}, output{"-svg", c.svg, svgMark}); err != nil {
		return err
	}
	for _, p := range pairings {
		if err := p.sameConditions(); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(c.dir, 0o777); err != nil {
		return err
	}
	var files []string
	for i, p := range pairings {
		title := fmt.Sprintf("pairing %d of %d: %s against %s, %s", i+1, len(pairings), p.match.Engines[0].Name, p.match.Engines[1].Name, p.out)
		if err := p.play(title, stdout, stderr); err != nil {
			_, failed := fmt.Fprintf(stdout, "resume with:\n  %s\n", c.repeat())
			return errors.Join(err, failed)
		}
		files = append(files, p.out)
	}
	return c.write(files, stdout, stderr)
}

// versionPairing is a match of two versions: the newer one, then the older one.
type versionPairing struct {
	matchConfig
	match *match.Match
}

// pairings returns the matches to play, in an order that links all versions early.
func (c *versionsRun) pairings() ([]*versionPairing, error) {
	if len(c.specs.texts) < 2 {
		return nil, errors.New("a curve needs at least two versions; give -engine once for each, the oldest first")
	}
	names, err := c.versions()
	if err != nil {
		return nil, err
	}
	c.names = names
	reach := 2
	if c.all {
		reach = len(names) - 1
	}
	var all []*versionPairing
	for back := 1; back <= reach; back++ {
		for i := back; i < len(names); i++ {
			p := &versionPairing{matchConfig: *c.matchConfig}
			p.specs.texts = []string{c.specs.texts[i], c.specs.texts[i-back]}
			p.out = filepath.Join(c.dir, url.PathEscape(names[i])+"-vs-"+url.PathEscape(names[i-back])+".jsonl")
			if p.match, err = p.matchConfig.match(match.RoundRobin); err != nil {
				return nil, err
			}
			all = append(all, p)
		}
	}
	return all, nil
}

// versions returns the names of the versions, the oldest first.
func (c *versionsRun) versions() (names []string, err error) {
	for _, text := range c.specs.texts {
		e, err := parseEngine(text, engineSpec{}, commandline.LocalBackslash())
		switch {
		case err != nil:
			return nil, err
		case e.name == "":
			return nil, fmt.Errorf("-engine %q has no name; add name=VERSION, which must stay the same", text)
		case slices.Contains(names, e.name):
			return nil, fmt.Errorf("two versions have the name %q", e.name)
		}
		names = append(names, e.name)
	}
	return names, nil
}

// sameConditions returns an error that says what differs if the file of a pairing holds
// games that were played differently.
func (p *versionPairing) sameConditions() error {
	p.match.Setup = p.setup()
	return p.match.CheckFile(p.out, p.unchecked)
}

// play plays the missing games of a pairing.
func (p *versionPairing) play(title string, stdout, stderr io.Writer) error {
	if err := p.buildEngines(p.match, stdout); err != nil {
		return err
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	shown := p.observer(ctx, p.match, func(s *match.Standing) string { return scoreLine(s, nil) }, stdout, stderr)
	shown.announce = func() error {
		_, err := fmt.Fprintln(stdout, title)
		p.warnRepeats(stderr, p.match)
		return err
	}
	standing, err := p.run(ctx, p.match, p.files(time.Now()), shown)
	if standing != nil {
		err = errors.Join(err, p.load.write(stdout, standing))
	}
	return err
}

// write writes the ratings of all versions, and the curve.
func (c *versionsRun) write(files []string, stdout, stderr io.Writer) error {
	pool, err := readPool(files, c.unchecked)
	if err != nil {
		return err
	}
	s := pool.Standing(nil)
	names := c.names
	fixed := anchored{engine: slices.Index(s.Names, names[0])}
	table, err := rated(s, fixed)
	if err != nil {
		return err
	}
	if err := errors.Join(warnOfPool(stderr, pool), writeTournament(stdout, table), saveSummary(stdout, c.json, newSummary("versions", table, nil))); err != nil {
		return err
	}
	if table.unlinked != nil {
		return table.unlinked
	}
	points := make([]versionPoint, 0, len(names))
	for i, name := range names {
		at := slices.Index(s.Names, name)
		p := versionPoint{name: name, elo: fixed.rating(table.ratings, at), few: !table.ratings.Enough(at)}
		if i > 0 {
			p.gain = table.ratings.Difference(at, slices.Index(s.Names, names[i-1]))
		}
		points = append(points, p)
	}
	if err := writeGains(stdout, points); err != nil || c.svg == "" {
		return err
	}
	under := strings.TrimSuffix(fmt.Sprintf("%d games, %s", s.Games, c.limits), ", ")
	return save(stdout, c.svg, svgMark, "the curve", func(w io.Writer) error { return drawVersions(w, under, points) })
}

// versionPoint is a point of the curve.
type versionPoint struct {
	name string
	elo  stats.Interval // against the oldest version
	gain stats.Interval // against the version before
	few  bool           // too few games for a rating
}

// writeGains writes the versions in the order of their age.
func writeGains(w io.Writer, points []versionPoint) error {
	rows := [][]string{{"version", "Elo", "95% interval", "gain", "95% interval"}}
	for i, p := range points {
		row := []string{p.name, stats.Signed(p.elo.Value), "fixed", "", ""}
		switch {
		case i > 0 && p.few:
			row = []string{p.name, "", stats.TooFew, "", stats.TooFew}
		case i > 0 && points[i-1].few:
			row = []string{p.name, stats.Signed(p.elo.Value), p.elo.Range(), "", stats.TooFew}
		case i > 0:
			row = []string{p.name, stats.Signed(p.elo.Value), p.elo.Range(), stats.Signed(p.gain.Value), p.gain.Range()}
		}
		rows = append(rows, row)
	}
	var b strings.Builder
	b.WriteString("\nversions, the oldest first\n")
	writeTable(&b, rows)
	_, err := io.WriteString(w, b.String())
	return err
}

// svgMark is the start of a curve. A file without it is not overwritten.
const svgMark = `<svg xmlns="http://www.w3.org/2000/svg" class="gyre-versions" `

// svgStyle is the style of a curve. It has its own background, because a page may be light
// where the reader's system is dark.
const svgStyle = `<style>
.gyre-versions { font: 14px system-ui, sans-serif; fill: #1f2328; --back: #fff; --line: #0969da; --grid: #d8dee4 }
.gyre-versions .title { font-size: 18px; font-weight: 600 }
.gyre-versions .value { font-weight: 600 }
.gyre-versions .grid { stroke: var(--grid) }
.gyre-versions .mark { stroke: var(--line); stroke-width: 2; fill: none }
.gyre-versions circle { fill: var(--line) }
@media (prefers-color-scheme: dark) { .gyre-versions { fill: #e6edf3; --back: #0d1117; --line: #58a6ff; --grid: #30363d } }
</style>
`

// drawVersions draws the curve as SVG.
func drawVersions(w io.Writer, under string, points []versionPoint) error {
	const width, left, right, top, plot, letter = 700.0, 64.0, 24.0, 84.0, 240.0, 8.5
	low, high, longest := 0.0, 0.0, 0
	var about []string
	for _, p := range points {
		low, high = min(low, bound(p.elo.Low, p.elo.Value)), max(high, bound(p.elo.High, p.elo.Value))
		longest = max(longest, utf8.RuneCountInString(p.name))
		about = append(about, p.name+" "+p.elo.String())
	}
	step := max(10, stats.NiceStep(high-low, 6))
	low, high = step*math.Floor(low/step), step*math.Ceil(max(high, low+step)/step)
	slot := (width - left - right) / float64(len(points))
	slanted := float64(longest)*letter > slot
	height := top + plot + 44
	if slanted {
		height += 0.7 * letter * float64(longest)
	}
	x := func(i int) float64 { return left + slot*(float64(i)+0.5) }
	y := func(elo float64) float64 { return top + plot*(high-elo)/(high-low) }
	var b strings.Builder
	put := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	put(svgMark+`viewBox="0 0 %.0f %.0f" width="%[1]g" height="%.0[2]f" role="img" aria-label="%s">`, width, height, html.EscapeString("Elo by version: "+strings.Join(about, "; ")))
	b.WriteString(svgStyle)
	put(`<rect width="100%%" height="100%%" style="fill: var(--back)"/>`)
	put(`<text class="title" x="20" y="32">Elo by version, with 95%% intervals</text>`)
	put(`<text x="20" y="54">%s</text>`, html.EscapeString("against "+points[0].name+"; "+under))
	for k := range int(math.Round((high-low)/step)) + 1 {
		elo := low + step*float64(k)
		put(`<path class="grid" d="M%.1f %.1fH%.1f"/><text text-anchor="end" x="%.1f" y="%.1f">%s</text>`, left, y(elo), width-right, left-8, y(elo)+5, strconv.FormatFloat(elo, 'f', -1, 64))
	}
	for i := range points[1:] {
		put(`<path class="mark" opacity="0.4" d="M%.1f %.1fL%.1f %.1f"/>`, x(i), y(points[i].elo.Value), x(i+1), y(points[i+1].elo.Value))
	}
	for i, p := range points {
		from, to := y(bound(p.elo.Low, p.elo.Value)), y(bound(p.elo.High, p.elo.Value))
		put(`<g><title>%s</title>`, html.EscapeString(about[i]))
		if p.elo.Low < p.elo.High {
			put(`<path class="mark" d="M%.1f %.1fV%.1fM%.1f %.1fh12M%.1f %.1fh12"/>`, x(i), from, to, x(i)-6, from, x(i)-6, to)
		}
		put(`<circle cx="%.1f" cy="%.1f" r="5"/>`, x(i), y(p.elo.Value))
		if slot >= 44 {
			put(`<text class="value" text-anchor="middle" x="%.1f" y="%.1f">%+.0f</text>`, x(i), to-10, p.elo.Value+0)
		}
		turned := ""
		if slanted {
			turned = fmt.Sprintf(` transform="rotate(-40 %.1f %.1f)"`, x(i), top+plot+24)
		}
		put(`<text text-anchor="%s" x="%.1f" y="%.1f"%s>%s</text></g>`, map[bool]string{false: "middle", true: "end"}[slanted], x(i), top+plot+24, turned, html.EscapeString(p.name))
	}
	put(`</svg>`)
	_, err := io.WriteString(w, b.String())
	return err
}

// bound returns an end of an interval, or the value if the interval has no such end.
func bound(end, value float64) float64 {
	if math.IsInf(end, 0) {
		return value
	}
	return end
}
