package report

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"gyre/bench/hub"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/bench/tune"
)

// History writes a page about all matches that a hub plays or has played by itself, and a report
// of each. The zero value is ready to use. It is safe for concurrent use.
type History struct {
	mu      sync.Mutex
	records []hub.Record
	queued  map[string]bool    // running matches without a game in progress, by name
	courses map[string]*course // by match name
	at      time.Time

	rests map[string]time.Time // how long what was read of an owner takes at the rate; only for Read
	rate  float64              // courseRate except in tests

	writing chan struct{} // held by the one that writes a report: a report needs the memory of all its games
	last    keptReport    // guarded by writing
}

// keptReport is the report that was written last.
type keptReport struct {
	state reportState
	text  []byte
}

// reportState is all that a report of a match depends on. A file that grows gets another size.
type reportState struct {
	detachedMatch
	began time.Time
	size  int64
	saved time.Time
}

// course is what the history shows of a file of games.
type course struct {
	started time.Time      // of the match: another may get the name of a deleted one
	size    int64          // of the file, when it was read
	read    time.Time      // when that was
	next    time.Time      // when it may be read again
	workers map[string]int // games by worker; "" for games played elsewhere
	minutes float64        // during which a game was in progress
	games   int
	curve   trajectory
	err     error
}

// A growing file is read again after courseInterval, and after courseFactor times the time that
// reading it took. Those of an owner are read again at courseRate bytes a second, which takes a fifth of a processor, or
// courseInterval ahead of that.
const (
	courseInterval = 10 * time.Second
	courseFactor   = 20
	courseRate     = 10 << 20
)

// curvePoints is the number of points of a curve of the history: see trajectoryOf.
const curvePoints = 30

// Observe records the detached matches at a time. status is that of the hub; nil if unknown.
func (h *History) Observe(records []hub.Record, status *hub.Status, at time.Time) {
	out := map[string]bool{}
	if status != nil {
		for id, m := range status.Matches {
			out[hub.DetachedName(id, &m)] = m.Out > 0
		}
	}
	queued := map[string]bool{}
	for _, r := range records {
		queued[r.Name] = status != nil && r.State == hub.Running && !out[r.Name]
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.records, h.queued, h.at = records, queued, at
	maps.DeleteFunc(h.courses, func(name string, c *course) bool {
		return !slices.ContainsFunc(records, func(r hub.Record) bool { return r.Name == name && r.Started.Equal(c.started) })
	})
}

// Read reads the files of games that have grown, unless it did so recently, until ctx is done or it has read for
// courseInterval. The files of the owner of whom the least was read come first. A long match takes a second or more, so call
// Read from a goroutine of its own, again and again.
func (h *History) Read(ctx context.Context) {
	due, at := h.due()
	for began := time.Now(); len(due) > 0 && ctx.Err() == nil && time.Since(began) < courseInterval; {
		first := 0
		for i := range due {
			if h.rests[due[i].Owner].Before(h.rests[due[first].Owner]) {
				first = i
			}
		}
		r := due[first]
		due = slices.Delete(due, first, first+1)
		if info, err := os.Stat(r.Games); err == nil && (!h.isKnown(r) || h.rests[r.Owner].Before(at.Add(courseInterval))) {
			h.read(r, info.Size(), at)
		}
	}
	maps.DeleteFunc(h.rests, func(_ string, until time.Time) bool { return until.Before(at) })
}

// due returns the matches whose files may be read, first those that were read least recently, and when they were observed.
func (h *History) due() (due []*hub.Record, at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range h.records {
		r := &h.records[i]
		if r.Request.Tuning != nil || r.Samples {
			continue // its file has no lines of games
		}
		known := h.courses[r.Name]
		if info, err := os.Stat(r.Games); err == nil && (known == nil || info.Size() != known.size && !h.at.Before(known.next)) {
			due = append(due, r)
		}
	}
	readAt := func(r *hub.Record) (at time.Time) {
		if known := h.courses[r.Name]; known != nil {
			at = known.read
		}
		return at
	}
	slices.SortStableFunc(due, func(a, b *hub.Record) int { return readAt(a).Compare(readAt(b)) })
	return due, h.at
}

// isKnown reports whether the file of a match was read before.
func (h *History) isKnown(r *hub.Record) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.courses[r.Name] != nil
}

// read reads the file of a match.
func (h *History) read(r *hub.Record, size int64, at time.Time) {
	began := time.Now()
	c := &course{err: errors.New("the hub failed to read its games; its log has the details")}
	defer func() { // also after a panic, so that the next call reads the other files
		c.started, c.size, c.read, c.next = r.Started, size, at, at.Add(max(courseInterval, courseFactor*time.Since(began)))
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.courses == nil {
			h.courses = map[string]*course{}
		}
		h.courses[r.Name] = c
	}()
	if h.rests == nil {
		h.rests = map[string]time.Time{}
	}
	if size <= maxRead {
		from := at
		if rests := h.rests[r.Owner]; rests.After(at) {
			from = rests
		}
		h.rests[r.Owner] = from.Add(time.Duration(float64(size) / cmp.Or(h.rate, courseRate) * float64(time.Second)))
	}
	c = readCourse(r)
}

// readCourse reads the games of a match.
func readCourse(r *hub.Record) *course {
	c := &course{workers: map[string]int{}}
	var pool match.Pool
	var played [][2]time.Time
	first := ""
	if len(r.Request.Spec.Engines) == 2 {
		first = r.Request.Spec.Engines[0].Name
	}
	c.err = readRecord(context.Background(), r, func(l *match.Line) error {
		c.games++
		c.workers[l.Worker]++
		played = append(played, [2]time.Time{l.Began, l.Began.Add(time.Duration(l.Seconds * float64(time.Second)))})
		if first != "" {
			pool.Add(l)
		}
		return nil
	})
	c.minutes = covered(played).Minutes()
	if first == "" {
		return c
	}
	var test *stats.SPRT
	if r.Request.Spec.Test != nil {
		test, _ = stats.NewSPRT(*r.Request.Spec.Test) // the match has it, so it is valid
	}
	c.curve = trajectoryOf(first, pool.Standing(test).Pooled, test, curvePoints)
	return c
}

// A hub reads no longer file of games than maxRead, in bytes, and its reports have games of maxHeld bytes: both need memory,
// and the file may be anybody's.
const (
	maxRead = 512 << 20
	maxHeld = 32 << 20
)

// checkSize returns an error if the file of a match is too long for a hub to read.
func checkSize(r *hub.Record) error {
	if info, err := os.Stat(r.Games); err == nil && info.Size() > maxRead {
		return fmt.Errorf("its file of games has %d MiB, and a hub reads %d: fetch the match, and make a report of the file", info.Size()>>20, maxRead>>20)
	}
	return nil
}

// readRecord visits the games of a detached match until ctx is done. A match without a file has none.
func readRecord(ctx context.Context, r *hub.Record, visit func(*match.Line) error) error {
	if err := checkSize(r); err != nil {
		return err
	}
	file, err := os.Open(r.Games)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	return match.ReadGames(file, "games of "+r.Name, false, func(l *match.Line) error { return cmp.Or(context.Cause(ctx), visit(l)) })
}

// covered returns the time that at least one of the intervals covers. It sorts them.
func covered(intervals [][2]time.Time) (sum time.Duration) {
	slices.SortFunc(intervals, func(a, b [2]time.Time) int { return a[0].Compare(b[0]) })
	var end time.Time
	for _, i := range intervals {
		if i[0].After(end) {
			end = i[0]
		}
		if i[1].After(end) {
			sum += i[1].Sub(end)
			end = i[1]
		}
	}
	return sum
}

// historyScript filters the history. The page refreshes as that of the hub.
//
//go:embed page/history.js
var historyScript string

// historyPage builds the history.
type historyPage struct{ document }

// maxShown is the number of matches that the history shows at first.
const maxShown = 200

// Write writes the page: the latest matches, or all. Links lead to NAME below its folder, and to the
// page of the hub, its parent.
func (h *History) Write(w io.Writer, all bool) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := &historyPage{}
	p.title, p.policy, p.scripts = "History of a Gyre hub", "connect-src 'self'; ", []string{hubScript, historyScript}
	b := &p.body
	b.put("<header>\n<h1>History</h1>\n<p class=\"when\" data-part=\"now\">%s</p>\n", h.summary())
	b.put("<p class=\"bad\" id=\"lost\" role=\"status\" hidden>The hub does not answer. Showing the last known state.</p>\n<nav aria-label=\"Pages\"><a href=\"../\">Hub</a></nav>\n</header>\n")
	b.section("tests", "Matches that the hub plays by itself")
	if len(h.records) == 0 {
		b.put("<p data-part=\"no match\">No matches yet. With <code>-detach</code> a match moves to the hub.</p>\n")
	} else {
		b.put("<div class=\"finder\" id=\"finder\">\n<label>Find <input type=\"search\" id=\"words\" placeholder=\"any words\"></label>\n<label>State <select id=\"state\"><option value=\"\">all</option>")
		for _, state := range states {
			b.put("<option>%s</option>", state)
		}
		b.put("</select></label>\n<span id=\"found\" role=\"status\"></span>\n</div>\n")
	}
	shown := len(h.records)
	if !all {
		shown = min(shown, maxShown)
	}
	for i := range shown {
		p.match(&h.records[i], h.stateOf(&h.records[i]), h.courses[h.records[i].Name])
	}
	if more := len(h.records) - shown; more > 0 {
		b.put("<p data-part=\"more\">These are the latest. <a href=\"?all\">Show %s more</a></p>\n", number(more))
	}
	return p.write(w)
}

// summary counts the matches by state.
func (h *History) summary() string {
	if h.at.IsZero() {
		return "waiting for the hub"
	}
	count := map[string]int{}
	for i := range h.records {
		count[h.stateOf(&h.records[i])]++
	}
	text := "as of " + h.at.Format(time.TimeOnly)
	for _, state := range states {
		if count[state] > 0 {
			text += fmt.Sprintf(" · %s %s", number(count[state]), state)
		}
	}
	return text
}

// states are the states of matches as stateOf names them.
var states = []string{"running", "queued", "paused", "finished", "stopped", "failed"}

// stateOf returns the state of a match in a word.
func (h *History) stateOf(r *hub.Record) string {
	if h.queued[r.Name] {
		return "queued"
	}
	return stateName(r.State)
}

// stateName returns the word for a state in pages.
func stateName(s hub.State) string {
	if s == hub.Over {
		return "finished"
	}
	return string(s)
}

// match adds a match. c is nil until its games were read.
func (p *historyPage) match(r *hub.Record, state string, c *course) {
	b := &p.body
	b.put("<article class=\"match past\">\n<div class=\"summary\" data-part=\"match %s\" data-state=\"%s\">\n<h3>", r.Name, state)
	if r.Played > 0 && !r.Samples {
		b.put("<a href=\"%s\">%s</a>", url.PathEscape(r.Name), r.Name)
	} else {
		b.put("%s", r.Name)
	}
	b.put(" <span class=\"state %s\">%s</span></h3>\n", state, state)
	m := &hub.MatchStatus{Progress: r.Progress}
	if who := engineNames(r.Engines); who != "" {
		if r.Request.Tuning != nil {
			who = "Tuning of " + who
		}
		b.put("<p>%s</p>\n", who)
	}
	b.put("<p class=\"lead\">%s</p>\n", together(typeset(verdictOf(m))))
	b.test(&r.Progress)
	for _, why := range []string{r.Reason, r.Doubt} {
		if why != "" {
			b.put("<p class=\"bad\">%s</p>\n", why)
		}
	}
	b.put("<p>%s</p>\n", strings.Join(playedParts(r, c), " · "))
	b.put("<p class=\"when\">%s</p>\n", startedText(r))
	about := conditions(r)
	if len(about) > maxConditions {
		about = "<p>Too long for this page. The file of the match has them.</p>\n"
	}
	b.put("<details><summary>Engines and conditions</summary>\n%s</details>\n</div>\n<div class=\"curve\" data-part=\"curve %s\">", about, r.Name)
	if c != nil {
		p.curve(r, c)
	}
	b.put("</div>\n</article>\n")
}

// playedParts says how many games were played, how fast, and by whom.
func playedParts(r *hub.Record, c *course) []string {
	text := plural(r.Played, "game")
	if r.Total > 0 {
		text = number(r.Played) + " of " + plural(r.Total, "game")
	}
	parts := []string{text}
	if c == nil {
		return parts
	}
	if c.err != nil {
		return append(parts, c.err.Error())
	}
	if c.minutes > 0 {
		parts = append(parts, fmt.Sprintf("%s games a minute", grouped(float64(c.games)/c.minutes, 1)))
	}
	if text := workersText(c.workers); text != "" {
		parts = append(parts, text)
	}
	return parts
}

// maxNamed is the number of workers that are named.
const maxNamed = 4

// workersText says which workers played how many games, most games first; empty for games played
// elsewhere.
func workersText(games map[string]int) string {
	var names []string
	for _, name := range slices.SortedFunc(maps.Keys(games), func(a, b string) int { return cmp.Or(games[b]-games[a], cmp.Compare(a, b)) }) {
		if name != "" {
			names = append(names, fmt.Sprintf("%s %s", name, number(games[name])))
		}
	}
	if len(names) == 0 {
		return ""
	}
	text := plural(len(names), "worker") + ": " + strings.Join(names[:min(len(names), maxNamed)], ", ")
	if more := len(names) - maxNamed; more > 0 {
		text += fmt.Sprintf(" and %s more", number(more))
	}
	return text
}

// startedText says who started a match, when, and when it ended.
func startedText(r *hub.Record) string {
	text := "Started " + r.Started.Format("2006-01-02 15:04 UTC")
	if r.Owner != "" {
		text = "Started by " + r.Owner + " on " + r.Started.Format("2006-01-02 15:04 UTC")
	}
	if r.State != hub.Running && !r.Ended.IsZero() {
		text += fmt.Sprintf(", %s %s", stateName(r.State), r.Ended.Format("2006-01-02 15:04 UTC"))
	}
	return text
}

// maxConditions bounds the conditions of a match on the page, in bytes of HTML. The page has many matches, and everybody who
// starts one chooses its options.
const maxConditions = 64 << 10

// conditions returns the engines with their options and programs, and the conditions.
func conditions(r *hub.Record) raw {
	b := &markup{}
	s := r.Request
	var rows []row
	for i := range s.Spec.Engines {
		e := &s.Spec.Engines[i]
		options := "?"
		if s.Setup != nil {
			options = cmp.Or(s.Setup.Options[e.Name], "none")
		}
		rows = append(rows, row{e.Name, options, limitsText([]string{e.Limits.String()}), cmp.Or(e.Checked, "?")})
	}
	if !r.Samples {
		b.table("Engines of "+r.Name, columns("<engine", "<options", "<limits", "<hash and program"), rows)
	}
	var words []string
	if t := s.Tuning; t != nil {
		for _, parameter := range t.Parameters {
			words = append(words, parameter.String())
		}
		words = append(words, fmt.Sprintf("batches of %s, rate %v, seed %v", plural(t.Batch, "pair"), t.Rate, t.Seed))
	}
	if s.Spec.Test != nil {
		words = append(words, fmt.Sprintf("test of %g against %g, errors %g and %g", s.Spec.Test.Elo0, s.Spec.Test.Elo1, s.Spec.Test.Alpha, s.Spec.Test.Beta))
	}
	if s.Setup != nil && s.Setup.Openings != "" {
		words = append(words, "openings: "+s.Setup.Openings)
	}
	words = append(words, "rules: "+s.Rules.String())
	if s.Priority != 0 {
		words = append(words, fmt.Sprintf("priority %d", s.Priority))
	}
	if s.Share != 0 && s.Share != 1 {
		words = append(words, fmt.Sprintf("share %g", s.Share))
	}
	b.put("<p>%s</p>\n", strings.Join(words, " · "))
	b.copyable("command-"+r.Name, "Command of "+r.Name, r.Command)
	return raw(b.String())
}

// Size of a curve, in pixels.
const (
	curveWidth, curveHeight = 240, 84
	curveMargin             = 4
)

// curve adds the curve of the test, or of Elo without one.
func (p *historyPage) curve(r *hub.Record, c *course) {
	points, what, decimals, lines := c.curve.llr, "LLR", 2, []float64{0}
	if r.Test != nil {
		lines = []float64{r.Bounds[0], 0, r.Bounds[1]}
	} else {
		what, decimals, points = "Elo", 1, nil
		for _, e := range c.curve.elo {
			if !bounded(e) {
				points = nil // before there always is an interval
				continue
			}
			points = append(points, e.Value)
		}
	}
	if len(points) < minPoints {
		return
	}
	x := c.curve.pairs[len(c.curve.pairs)-len(points):]
	low, high := min(slices.Min(points), slices.Min(lines)), max(slices.Max(points), slices.Max(lines))
	if high-low < 1 {
		high = low + 1
	}
	at := func(y float64) float64 {
		return math.Round(10*(curveMargin+(curveHeight-2*curveMargin)*(high-y)/(high-low))) / 10
	}
	b := &p.body
	last := grouped(points[len(points)-1], decimals)
	b.put("<svg viewBox=\"0 0 %v %v\" role=\"img\" aria-label=\"%s of %s by pairs, now %s after %s\">", curveWidth, curveHeight, what, r.Name, last, plural(int(x[len(x)-1]), "pair"))
	for _, y := range lines {
		b.put("<line class=\"%s\" x1=\"0\" x2=\"%v\" y1=\"%v\" y2=\"%v\"/>", map[bool]string{true: "zero", false: "bound"}[y == 0], curveWidth, at(y), at(y))
	}
	var path strings.Builder
	for i, y := range points {
		fmt.Fprintf(&path, "%.1f,%.1f ", curveWidth*(x[i]-x[0])/max(x[len(x)-1]-x[0], 1), at(y))
	}
	b.put("<polyline class=\"line s0\" points=\"%s\"/></svg><p class=\"note\">%s %s after %s</p>\n", strings.TrimSpace(path.String()), what, last, plural(int(x[len(x)-1]), "pair"))
}

// ErrNoReport reports that no match has the name, or that the match has no games.
var ErrNoReport = errors.New("no detached match with this name has games")

// Report returns the report of a match, which the caller must not change. It is written once for all readers until the match
// changes. Once ctx is done, it no longer waits for the reports of others.
func (h *History) Report(ctx context.Context, name string) ([]byte, error) {
	h.mu.Lock()
	i := slices.IndexFunc(h.records, func(r hub.Record) bool { return r.Name == name })
	if i < 0 || h.records[i].Samples {
		h.mu.Unlock()
		return nil, ErrNoReport
	}
	r, state := h.records[i], h.stateOf(&h.records[i])
	if h.writing == nil {
		h.writing = make(chan struct{}, 1)
	}
	writing := h.writing
	h.mu.Unlock()
	select {
	case writing <- struct{}{}:
		defer func() { <-writing }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if err := cmp.Or(context.Cause(ctx), checkSize(&r)); err != nil {
		return nil, err
	}
	of := reportState{detachedMatch: detachedMatch{name: r.Name, state: state, reason: r.Reason, started: startedText(&r)}, began: r.Started}
	if info, err := os.Stat(r.Games); err == nil { // before reading, so that later growth makes it outdated
		of.size, of.saved = info.Size(), info.ModTime()
	}
	if h.last.text != nil && h.last.state == of {
		return h.last.text, nil
	}
	h.last = keptReport{} // frees its memory for the next one
	var text bytes.Buffer
	if err := writeReport(ctx, &text, &r, &of.detachedMatch); err != nil {
		return nil, err
	}
	h.last = keptReport{of, bytes.Clone(text.Bytes())} // without spare capacity
	return h.last.text, nil
}

// writeReport writes the report of a match.
func writeReport(ctx context.Context, w io.Writer, r *hub.Record, detached *detachedMatch) error {
	if t := r.Request.Tuning; t != nil {
		reached, err := t.Read(ctx, r.Games)
		if err != nil {
			return err
		}
		return writeTuning(w, t, reached, detached)
	}
	d := New()
	d.detached, d.room = detached, maxHeld
	if err := readRecord(ctx, r, d.Add); err != nil {
		return err
	}
	if d.Games() == 0 {
		return ErrNoReport
	}
	return d.Write(w)
}

// TuningMark occurs in every page about a tuning.
const TuningMark = `<meta name="generator" content="gyre-arena tune">`

// WriteTuning writes a page about the progress of a tuning: its values, and a chart of each.
func WriteTuning(w io.Writer, t *tune.Tuning, reached *tune.Progress) error {
	return writeTuning(w, t, reached, nil)
}

// writeTuning writes the page. detached is not nil if a hub tunes by itself.
func writeTuning(w io.Writer, t *tune.Tuning, reached *tune.Progress, detached *detachedMatch) error {
	p := &document{kind: TuningMark + "\n"}
	b := &p.body
	p.title = "Tuning of " + plural(len(t.Parameters), "option")
	state := fmt.Sprintf("%s of %s played", number(reached.Played), plural(t.Iterations, "pair"))
	if reached.Played >= t.Iterations {
		state = "Finished: " + plural(t.Iterations, "pair") + " played"
	}
	b.put("<header>\n<h1>%s</h1>\n<p class=\"lead\">%s</p>\n", p.title, state)
	b.put("<p class=\"when\">Pairs of games; batches of %s, rate %v, seed %v. %s</p>\n", plural(t.Batch, "pair"), t.Rate, t.Seed,
		"A tuning finds values; let a match decide whether they are better.")
	if detached != nil {
		p.title = detached.name + ": " + p.title
		b.put("%s<nav aria-label=\"Pages\"><a href=\"./\">History</a></nav>\n", detached.lines())
	}
	b.put("</header>\n")
	b.section("values", "Values")
	var rows []row
	var options []string
	for i, parameter := range t.Parameters {
		value := reached.Values()[i]
		change := value - float64(parameter.Value)
		rows = append(rows, row{parameter.Name, number(parameter.Value), grouped(value, 2), typeset(fmt.Sprintf("%+.2f", change)),
			number(parameter.Min) + " to " + number(parameter.Max), grouped(parameter.Step, decimals(parameter.Step))})
		options = append(options, fmt.Sprintf("option.%s=%d", parameter.Name, tune.Round(value)))
	}
	b.table("Values", columns("<option", "start", "now", "change", "range", "step"), rows)
	b.put("<p>For the description of an engine, <code>-engine</code>:</p>\n")
	b.copyable("options", "Options", strings.Join(options, " "))
	b.section("course", "Course")
	b.put("<p class=\"note\">An axis spans at least one step of its option, so smaller changes look small.</p>\n<noscript><p>The charts need JavaScript. The table shows the values.</p></noscript>\n<div class=\"charts\">\n")
	for i := range t.Parameters {
		p.addChart(pathChart(t, reached, i))
	}
	b.put("</div>\n")
	return p.write(w)
}

// decimals returns the decimals that a step needs, at most 2.
func decimals(step float64) int {
	for n := range 2 {
		if scaled := step * []float64{1, 10}[n]; scaled == float64(int(scaled)) {
			return n
		}
	}
	return 2
}

// pathChart returns the chart of a parameter's values, with the initial value as a line.
func pathChart(t *tune.Tuning, reached *tune.Progress, i int) chart {
	path := series{Name: t.Parameters[i].Name}
	for _, point := range reached.Path {
		path.X = append(path.X, float64(point.Iteration))
		path.Y = append(path.Y, thousandths(point.Values[i]))
	}
	return chart{Title: path.Name, X: "pairs", Y: "value", Least: t.Parameters[i].Step, Series: []series{path},
		Bounds: []bound{{"start", float64(t.Parameters[i].Value)}}}
}
