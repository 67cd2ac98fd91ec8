package report

import (
	_ "embed"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"gyre/bench/game"
	"gyre/bench/hub"
	"gyre/bench/stats"
)

// Hub collects the status of a hub over time and writes a page about it. The zero value is
// ready to use. It is not safe for concurrent use.
type Hub struct {
	// Address is the address of the hub for workers, with their flags, for example
	// "-hub nats://10.0.0.1:4222 -key FILE".
	Address string
	// History is the address of the page of detached matches; empty for none.
	History string
	// Detached are the detached matches at the time of the last status.
	Detached []hub.Record

	status *hub.Status
	at     time.Time
	past   map[string]*followed // matches in progress, by owner and key
	ended  []*followed          // matches that are no longer in progress, the latest first
	gone   map[string]goneWorker

	reported map[string]*followed // the last report of a match, by its owner and key
}

// followed is a match with its last status, and its progress until then.
type followed struct {
	match string // OWNER.KEY
	hub.MatchStatus
	past []seen // never empty
}

// seen is the progress of a match at a time. A match has many, so they have numbers alone: a status has the texts of
// somebody else.
type seen struct {
	at     time.Time
	games  int
	counts stats.Pairs
	llr    float64
	bounds [2]float64 // of the test
}

// at returns when the status was that of the match.
func (f *followed) at() time.Time { return f.past[len(f.past)-1].at }

// goneWorker is a worker that is no longer connected.
type goneWorker struct {
	system string
	pairs  int
	seen   time.Time
}

// Limits of what is kept.
const (
	maxSeen   = 600    // of a match
	maxKept   = 60_000 // of all matches
	leastSeen = 10     // of a match, however many there are
	rateOver  = time.Minute
	maxEnded  = 20
	maxGone   = 24 * time.Hour
)

// Report records what the client of a match reported at a time. Matches that end between two
// calls of Observe are shown as in their last report.
func (h *Hub) Report(match string, m hub.MatchStatus, at time.Time) {
	if h.reported == nil {
		h.reported = map[string]*followed{}
	}
	h.reported[match] = (&followed{match: match}).after(&m, at)
}

// after returns a match after another look at it, with its earlier progress.
func (f *followed) after(m *hub.MatchStatus, at time.Time) *followed {
	past := f.past
	if m.Games < f.Games {
		past = nil // the match was interrupted and resumed, and counts from 0
	}
	return &followed{f.match, *m, append(past, seen{at, m.Games, m.Counts, m.LLR, m.Bounds})}
}

// Observe records the status of the hub at a time.
func (h *Hub) Observe(status *hub.Status, at time.Time) {
	if h.past == nil {
		h.past, h.gone = map[string]*followed{}, map[string]goneWorker{}
	}
	if h.status != nil {
		for name, w := range h.status.Workers {
			h.gone[name] = goneWorker{w.System, w.Pairs, h.at}
		}
	}
	h.status, h.at = status, at
	maps.DeleteFunc(h.gone, func(name string, w goneWorker) bool {
		_, here := status.Workers[name]
		return here || at.Sub(w.seen) > maxGone
	})
	for id, r := range h.reported {
		if r.at().After(at) {
			continue // the status is older
		}
		if _, played := status.Matches[id]; !played {
			if f := h.past[id]; f == nil {
				h.past[id] = r
			} else if f.Games <= r.Games {
				h.past[id] = f.after(&r.MatchStatus, r.at())
			}
		}
		delete(h.reported, id)
	}
	for _, id := range slices.Sorted(maps.Keys(h.past)) {
		if _, played := status.Matches[id]; !played {
			h.ended = slices.Insert(h.ended, 0, h.past[id])
			delete(h.past, id)
		}
	}
	h.ended = slices.DeleteFunc(h.ended, func(e *followed) bool { _, resumed := status.Matches[e.match]; return resumed })
	h.ended = h.ended[:min(len(h.ended), maxEnded)]
	most := min(maxSeen, max(maxKept/max(len(status.Matches), 1), leastSeen))
	for id, m := range status.Matches {
		f := h.past[id]
		if f == nil {
			f = &followed{match: id}
		}
		f = f.after(&m, at)
		for len(f.past) > most { // drop every second entry
			thin := f.past[:0]
			for i := (len(f.past) - 1) % 2; i < len(f.past); i += 2 {
				thin = append(thin, f.past[i])
			}
			f.past = thin
		}
		h.past[id] = f
	}
}

// rateOf returns the games per second over the last minute, 0 if they are not known yet.
func rateOf(past []seen) float64 {
	last := past[len(past)-1]
	first := past[slices.IndexFunc(past, func(p seen) bool { return last.at.Sub(p.at) <= rateOver })]
	seconds := last.at.Sub(first.at).Seconds()
	if seconds <= 0 {
		return 0
	}
	return float64(last.games-first.games) / seconds
}

// trajectorySeen returns the trajectory of a match, with one point for each recorded number of pairs.
func trajectorySeen(past []seen) trajectory {
	var c trajectory
	for i, l := range past {
		pairs := l.counts.Total()
		if pairs == 0 || i+1 < len(past) && past[i+1].counts.Total() == pairs {
			continue
		}
		c.pairs = append(c.pairs, float64(pairs))
		c.elo = append(c.elo, stats.Elo(l.counts))
		if l.bounds[0] < l.bounds[1] {
			c.llr = append(c.llr, l.llr)
		}
	}
	return c
}

// hubScript refreshes the page.
//
//go:embed page/hub.js
var hubScript string

// hubPage builds the page of a hub.
type hubPage struct {
	*Hub
	document
}

// Write writes the page. The page refreshes itself from the address it was loaded from.
func (h *Hub) Write(w io.Writer) error {
	p := &hubPage{Hub: h}
	p.title, p.policy, p.scripts = "Gyre hub", "connect-src 'self'; ", append(boardScripts(), hubScript)
	p.head = boardStyle() + "<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>\n"
	b := &p.body
	b.put("<header>\n<h1>Gyre hub</h1>\n<p class=\"when\" data-part=\"now\">%s</p>\n", p.summary())
	b.put("<p class=\"bad\" id=\"lost\" role=\"status\" hidden>The hub does not answer. Showing the last known state.</p>\n")
	if h.History != "" {
		b.put("<nav aria-label=\"Pages\"><a href=\"%s\">History</a></nav>\n", h.History)
	}
	b.put("</header>\n")
	b.section("matches", "Matches")
	if h.status == nil || len(h.status.Matches) == 0 {
		b.put("<p data-part=\"no match\">No matches running.</p>\n")
	} else {
		for _, id := range slices.Sorted(maps.Keys(h.status.Matches)) {
			p.match(h.past[id], false)
		}
	}
	if len(h.ended) > 0 {
		b.section("ended", "Matches no longer running")
		for _, e := range h.ended {
			p.match(e, true)
		}
	}
	p.workers()
	b.put("<noscript><p>The board and the charts need JavaScript.</p></noscript>\n")
	return p.write(w)
}

// summary returns the state of the hub in a line.
func (p *hubPage) summary() string {
	if p.status == nil {
		return "waiting for the hub"
	}
	slots, busy := 0, 0
	for _, w := range p.status.Workers {
		slots, busy = slots+w.Slots, busy+w.Busy
	}
	workers := "no workers"
	if n := len(p.status.Workers); n > 0 {
		workers = fmt.Sprintf("%s with %s of %s slots busy", plural(n, "worker"), number(busy), number(slots))
	}
	matches := plural(len(p.status.Matches), "match")
	if len(p.status.Matches) != 1 {
		matches = number(len(p.status.Matches)) + " matches"
	}
	return fmt.Sprintf("as of %s · %s · %s", p.at.Format(time.TimeOnly), matches, workers)
}

// match adds a match: in progress, or as it was when last seen.
func (p *hubPage) match(m *followed, ended bool) {
	b := &p.body
	b.put("<article class=\"match\">\n<div class=\"summary\" data-part=\"match %s\">\n<h3>%s</h3>\n", m.match, together(typeset(verdictOf(&m.MatchStatus))))
	if who := engineNames(m.Engines); who != "" {
		b.put("<p>%s</p>\n", who)
	}
	b.put("<p>%s</p>\n", p.playedText(m, ended))
	b.test(&m.Progress)
	if len(m.Limits) > 0 {
		each := slices.Compact(slices.Clone(m.Limits))
		b.put("<p>Limits: %s</p>\n", limitsText(each))
	}
	b.put("<p class=\"when\">%s · %s</p>\n", m.Client, hub.ShortKey(m.match))
	if m.Command != "" {
		b.put("<details><summary>Command to repeat it</summary>\n")
		b.copyable("command-"+m.match, "Command", m.Command)
		b.put("</details>\n")
	}
	b.put("</div>\n")
	if ended {
		b.put("</article>\n")
		return
	}
	if g := m.Newest; g != nil {
		p.newest(m.match, g)
	}
	b.put("<div class=\"charts\">\n")
	p.matchCharts(m)
	b.put("</div>\n</article>\n")
}

// test adds the state of the test of a match that has one.
func (m *markup) test(p *hub.Progress) {
	if p.Test == nil {
		return
	}
	if test, err := stats.NewSPRT(*p.Test); err == nil {
		m.put("<p>%s</p>\n", typeset(testText(test, test.LLR(p.Counts), test.State(p.Counts))))
	}
}

// engineNames returns the names of the engines of a match in a line.
func engineNames(names []string) string {
	if len(names) == 2 {
		return names[0] + " against " + names[1]
	}
	return strings.Join(names, ", ")
}

// verdictOf returns the verdict of a match so far in words.
func verdictOf(m *hub.MatchStatus) string {
	if len(m.Engines) == 2 {
		return stats.Verdict(m.Engines[0], m.Engines[1], m.Counts)
	}
	if m.Score == "" {
		return "No result yet"
	}
	return m.Score
}

// playedText says how many games were played, how fast, and how long it will take.
func (h *Hub) playedText(m *followed, ended bool) string {
	played := max(m.Played, m.Games)
	text := plural(played, "game")
	if m.Total > 0 {
		text = number(played) + " of " + plural(m.Total, "game")
	}
	if ended {
		name := hub.DetachedName(m.match, &m.MatchStatus)
		for _, r := range h.Detached {
			if r.State != hub.Running && r.Name == name && r.Request.Spec.Match == m.Match {
				text += " · " + stateName(r.State) + " at " + r.Ended.In(m.at().Location()).Format(time.DateTime)
				if r.Reason != "" {
					text += ": " + r.Reason
				}
				return text
			}
		}
		// The last games of a match may end between two looks at it.
		decided := m.Bounds[0] < m.Bounds[1] && (m.LLR <= m.Bounds[0] || m.LLR >= m.Bounds[1])
		if m.Over || decided || m.Total > 0 && played == m.Total {
			return text + " · finished at " + m.at().Format(time.DateTime)
		}
		return text + " when last seen at " + m.at().Format(time.DateTime) + "; it has finished or stopped since"
	}
	rate := rateOf(m.past)
	if len(m.past) < 2 || m.past[0].at.Equal(m.at()) {
		text += " · measuring speed"
	} else {
		text += fmt.Sprintf(" · %.2f games a second", rate)
	}
	if left := m.Total - played; m.Total > 0 && rate > 0 {
		text += " · " + about(time.Duration(float64(left)/rate*float64(time.Second))) + " left"
	} else if m.Total == 0 && m.Test != nil {
		text += " · until the test decides"
	}
	return text + " · " + plural(m.Out, "job") + " in progress"
}

// about formats a duration roughly.
func about(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("about %d s", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("about %d min", int(d.Minutes()+0.5))
	case d < 48*time.Hour:
		return fmt.Sprintf("about %d h", int(d.Hours()+0.5))
	}
	return fmt.Sprintf("about %d days", int(d.Hours()/24+0.5))
}

// newest adds the board of the game that ended last.
func (p *hubPage) newest(match string, g *hub.Newest) {
	said := "drawn: " + g.Reason
	if winner := map[string]string{"white": g.White, "black": g.Black}[g.Result]; winner != "" {
		said = winner + " " + wonBy(g.Reason, g.Position)
	}
	last := ""
	if g.Turn != "" {
		last = ", the last " + g.Turn
	}
	b := &p.body
	b.put("<figure class=\"newest\" data-part=\"newest %s\">\n<div class=\"board\" role=\"img\" data-position=\"%s\" data-turn=\"%s\" aria-label=\"Last position of game %v: %s\"></div>\n",
		match, g.Position, g.Turn, g.Number, g.Position)
	b.put("<figcaption>Game %s, the most recent: %s (White) against %s, %s after %v turns%s; played by %s</figcaption>\n</figure>\n",
		number(g.Number), g.White, g.Black, said, g.Turns, last, g.Worker)
}

// matchCharts adds the charts of a match, or says why there are none.
func (p *hubPage) matchCharts(m *followed) {
	if len(m.Engines) != 2 && m.Counts.Total() == 0 {
		p.body.put("<p class=\"note\">No charts: they show matches of two engines.</p>\n")
		return
	}
	first := "the first engine"
	if len(m.Engines) > 0 {
		first = m.Engines[0]
	}
	went := trajectorySeen(m.past)
	show := func(c chart, enough bool, why string) {
		if !enough {
			p.body.put("<p class=\"note\">%s</p>\n", why)
			return
		}
		p.addChart(c)
	}
	elo, enough := eloChart(first, went)
	show(elo, enough, fmt.Sprintf("The chart of Elo begins after %d pairs, with the first interval.", minPairs))
	if m.Bounds[0] < m.Bounds[1] {
		llr, enough := llrChart(went, m.Bounds[0], m.Bounds[1])
		show(llr, enough, "The chart of the test begins after two pairs.")
	} else {
		p.body.put("<p class=\"note\">No chart of a test: the match has none.</p>\n")
	}
}

// workers adds the workers, those that are gone, and their faults.
func (p *hubPage) workers() {
	b := &p.body
	b.section("workers", "Workers")
	var rows []row
	var notes []string
	if p.status != nil {
		for _, name := range slices.Sorted(maps.Keys(p.status.Workers)) {
			w := p.status.Workers[name]
			rows = append(rows, row{name, "connected", w.System, fmt.Sprintf("%d of %d", w.Busy, w.Slots), number(w.Pairs)})
			for _, note := range w.Notes() {
				notes = append(notes, fmt.Sprintf("worker %s %s", name, note))
			}
		}
		for _, name := range slices.Sorted(maps.Keys(p.gone)) {
			w := p.gone[name]
			rows = append(rows, row{name, "last seen " + ago(p.at.Sub(w.seen)), w.system, "–", number(w.pairs)})
		}
	}
	b.put("<div data-part=\"workers\">\n")
	if len(rows) > 0 {
		b.table("Workers", columns("<name", "<state…", "<system…", "busy slots…", "jobs"), rows)
	}
	if p.status == nil || len(p.status.Workers) == 0 {
		b.put("<p>No workers connected.</p>\n")
	}
	for _, note := range notes {
		b.put("<p>%s</p>\n", note)
	}
	if p.status != nil {
		for _, line := range p.status.FaultLines() {
			b.put("<p class=\"bad\">%s</p>\n", line)
		}
	}
	b.put("</div>\n")
	if p.Address != "" {
		b.put("<p>Start a worker on another machine:</p>\n")
		b.copyable("worker-command", "Command of a worker", "gyre-arena worker "+p.Address)
		b.put("<p>Play a match on the workers:</p>\n")
		b.copyable("match-command", "Command of a match", "gyre-arena match -engine 'name=new cmd=./gyre' \\\n    -engine 'name=old cmd=./gyre-old' -nodes 6000 -pairs 200 \\\n    -out match.jsonl "+p.Address)
	}
}

// ago formats how long ago something was.
func ago(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s ago", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	}
	return fmt.Sprintf("%d h ago", int(d.Hours()))
}

// wonBy says how a game was won, for a reason as records name it and the last position, whose
// text ends with the numbers of removed rings.
func wonBy(reason, position string) string {
	switch removed := position[strings.LastIndex(position, " ")+1:]; {
	case reason != game.RingsRemoved.String():
		return "won: " + reason
	case strings.Contains(removed, "3"):
		return "won by removing three rings"
	}
	return "won by removing a ring"
}
