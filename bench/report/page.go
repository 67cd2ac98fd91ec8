package report

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/position"
)

// The scripts of the games.
var (
	//go:embed page/games.js
	gamesScript string
	//go:embed page/viewer.js
	viewerScript string
)

// Mark occurs in every page about a match.
const Mark = `<meta name="generator" content="gyre-arena report">`

// matchPage builds the page about a match.
type matchPage struct {
	*Data
	document
	standing *match.Standing
	pairs    []*match.PooledPair
	ratings  *stats.Ratings // nil if games do not link all engines
	test     *stats.SPRT    // nil without a test of two engines
}

// Write writes the page. It returns an error if there are no games.
func (d *Data) Write(w io.Writer) error {
	if d.games == 0 {
		return errors.New("no games to report")
	}
	p := &matchPage{Data: d, pairs: d.pool.Pairs()}
	p.kind = Mark + "\n"
	p.head, p.scripts = boardStyle(), append(boardScripts(), viewerScript, gamesScript)
	var err error
	if d.test != nil {
		if p.test, err = stats.NewSPRT(*d.test); err != nil {
			return err
		}
	}
	p.standing = d.standing(p.test)
	if len(p.standing.Names) != 2 || len(p.standing.Pairings) == 0 {
		p.test = nil
	}
	p.ratings, err = stats.Rate(len(p.standing.Names), p.standing.Encounters(), stats.DefaultPrior)
	if _, unlinked := errors.AsType[*stats.UnlinkedError](err); err != nil && !unlinked {
		return err
	}
	p.headline()
	p.settings()
	p.resultTables()
	p.course()
	p.gamesList()
	p.details()
	p.openings()
	p.data = pageData{Games: d.held, Pairs: p.pairRows(), Board: d.board}
	return p.write(w)
}

// order returns the engines: in the order of the match if there are two, otherwise by rating.
func (p *matchPage) order() (order []int) {
	for i := range p.standing.Names {
		order = append(order, i)
	}
	if p.ratings != nil && len(order) > 2 {
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(p.ratings.Rating(b).Value, p.ratings.Rating(a).Value)
		})
	}
	return order
}

// headline adds the verdict, what was played, and the most important numbers.
func (p *matchPage) headline() {
	var names []string
	for _, i := range p.order() {
		names = append(names, p.standing.Names[i])
	}
	who := engineNames(names)
	p.title = who
	if p.detached != nil {
		p.title = p.detached.name + ": " + who
	}
	b := &p.body
	b.put("<header>\n<h1>%s</h1>\n", together(typeset(p.verdict())))
	if p.test != nil {
		b.put("<p class=\"test\">%s</p>\n", typeset(testText(p.test, p.standing.LLR, p.standing.State)))
	}
	b.put("<p class=\"when\">%s · %s · %s</p>\n", who, plural(p.games, "game"), duration(p.began, p.last))
	b.put("<p class=\"when\">White won %s, Black won %s, %s drawn</p>\n", number(p.results[position.WhiteWins]), number(p.results[position.BlackWins]), number(p.results[position.Draw]))
	if text := workersText(p.workers); text != "" {
		b.put("<p class=\"when\">%s</p>\n", text)
	}
	if p.detached != nil {
		b.put("%s", p.detached.lines())
	}
	if len(p.standing.Pairings) == 1 {
		p.facts(&p.standing.Pairings[0])
	}
	b.put("<nav aria-label=\"Sections\">")
	if p.detached != nil {
		b.put("<a href=\"./\">History</a> ")
	}
	for _, s := range [][2]string{{"settings", "Settings and command"}, {"results", "Results"}, {"course", "Charts"}, {"games-list", "Games"}, {"details", "Details"}, {"openings", "Openings"}} {
		b.put("<a href=\"#%s\">%s</a> ", s[0], s[1])
	}
	b.put("</nav>\n</header>\n")
}

// duration describes when the games were played.
func duration(began, last time.Time) string {
	text := began.Format("2006-01-02 15:04") + " to " + last.Format("15:04 UTC")
	if began.Format(time.DateOnly) != last.Format(time.DateOnly) {
		text = began.Format("2006-01-02 15:04") + " to " + last.Format("2006-01-02 15:04 UTC")
	}
	return text
}

// verdict returns the headline.
func (p *matchPage) verdict() string {
	s := p.standing
	if len(s.Pairings) == 1 {
		met := s.Pairings[0]
		return stats.Verdict(s.Names[met.Engines[0]], s.Names[met.Engines[1]], met.Pairs)
	}
	if p.ratings == nil {
		return "No ranking: the games do not connect all engines"
	}
	order := p.order()
	best, next := order[0], order[1]
	if !p.ratings.Enough(best) || !p.ratings.Enough(next) {
		return "Too few games for a verdict"
	}
	ahead := p.ratings.Difference(best, next)
	if ahead.Low > 0 {
		return fmt.Sprintf("%s is the strongest of %d: %s ahead of %s", s.Names[best], len(order), ahead.Elo(), s.Names[next])
	}
	return fmt.Sprintf("%s leads %d engines, but %s may be as strong: %s apart", s.Names[best], len(order), s.Names[next], ahead.Elo())
}

// testText describes the state of a test in a sentence.
func testText(test *stats.SPRT, llr float64, state stats.State) string {
	h := test.Hypotheses()
	low, high := test.Bounds()
	unit := "normalized Elo"
	if h.Model == stats.Logistic {
		unit = "Elo"
	}
	llr = math.Round(100*llr)/100 + 0 // never -0
	between := fmt.Sprintf("Test of %g against %g %s: ", h.Elo0, h.Elo1, unit)
	switch state {
	case stats.AcceptH0:
		return fmt.Sprintf("%sdecided for %g (LLR %.2f, bound %.2f)", between, h.Elo0, llr, low)
	case stats.AcceptH1:
		return fmt.Sprintf("%sdecided for %g (LLR %.2f, bound %.2f)", between, h.Elo1, llr, high)
	}
	bound, hypothesis := high, h.Elo1
	if llr < 0 {
		bound, hypothesis = low, h.Elo0
	}
	return fmt.Sprintf("%sundecided (LLR %.2f of %.2f for %g)", between, llr, bound, hypothesis)
}

// facts adds the most important numbers of a match of two engines.
func (p *matchPage) facts(met *match.PairingResult) {
	first := p.standing.Names[met.Engines[0]]
	b := &p.body
	fact := func(name, value, more string) {
		b.put("<div><dt>%s</dt><dd>%s</dd><dd class=\"more\">%s</dd></div>\n", name, value, more)
	}
	b.put("<dl class=\"facts\">\n")
	elo, interval := stats.TooFew, ""
	if stats.Enough(met.Pairs) {
		text := typeset(stats.Elo(met.Pairs).String())
		elo, interval, _ = strings.Cut(text, " (")
		interval = strings.TrimSuffix(interval, ")")
		if interval == "" {
			elo, interval, _ = strings.Cut(text, ", ")
		}
		interval = "95% interval " + together(interval)
	}
	fact("Elo of "+first, elo, interval)
	g := met.Games
	fact("Score", wdl(g)[3], fmt.Sprintf("%s won, %s drawn, %s lost", number(g.Wins), number(g.Draws), number(g.Losses)))
	left := ""
	if p.standing.Excluded > 0 {
		left = fmt.Sprintf("%s excluded: an engine failed", number(p.standing.Excluded))
	}
	if rest := p.games - 2*p.standing.Settled; rest > 0 {
		why := " of incomplete or later pairs"
		if p.standing.State != stats.Continue {
			why = " finished after the test's verdict"
		}
		left = strings.TrimPrefix(left+"; "+plural(rest, "game")+why, "; ")
	}
	fact("Pairs", number(met.Pairs.Total()), left)
	fact("Likelihood that "+first+" is stronger", stats.DescribeLOS(met.Pairs), "LOS")
	b.put("</dl>\n")
}

// settings adds what was compared and how to repeat it.
func (p *matchPage) settings() {
	b := &p.body
	b.section("settings", "Settings and command")
	var rows []row
	for _, i := range p.order() {
		e := p.engines[i]
		var options []string
		for _, m := range p.matches {
			if m.started != nil {
				options = withText(options, m.started.Options[e.name])
			}
		}
		if len(options) == 0 && slices.ContainsFunc(p.matches, func(m *setup) bool { return m.started != nil }) {
			options = []string{"none"}
		}
		rows = append(rows, row{e.name, known(options), limitsText(e.limits), known(e.programs)})
	}
	b.table("Engines", columns("<engine", "<options…", "<limits…", "<hash and program…"), rows)
	for i, m := range p.matches {
		var lines []string
		if m.started == nil {
			b.put("<p>Match %s, %s rules. Its file does not contain the command.</p>\n", m.match, m.rules)
			continue
		}
		s := m.started
		b.put("<p>Match %s, %s rules, gyre-arena %s. Repeat it with:</p>\n", m.match, m.rules, s.Version)
		b.copyable(fmt.Sprintf("command-%d", i+1), "Command", s.Command)
		for _, e := range s.Engines {
			lines = append(lines, "engine "+e)
		}
		if s.Openings != "" {
			b.put("<p>Openings: %s</p>\n", s.Openings)
		}
		for _, file := range s.Files {
			b.put("<p>%s</p>\n", file)
		}
		b.put("<details><summary>Engines in full</summary>\n")
		b.copyable(fmt.Sprintf("setup-%d", i+1), "Engines", strings.Join(lines, "\n"))
		b.put("</details>\n")
	}
	for _, mixed := range p.pool.Mixed() {
		b.put("<p class=\"bad\">Careful: %s.</p>\n", mixed)
	}
}

// known returns texts in one line, or a question mark for none.
func known(texts []string) string {
	if len(texts) == 0 {
		return "?"
	}
	return strings.Join(texts, "; ")
}

// limitsText describes limits in words, as "6,000 nodes a turn".
func limitsText(all []string) string {
	var texts []string
	for _, text := range all {
		var limits game.TimeControl
		var words []string
		for _, word := range strings.Fields(text) {
			name, value, _ := strings.Cut(word, "=")
			if _, err := limits.Set(name, value); err != nil {
				words = append(words, word)
				continue
			}
			switch name {
			case "nodes":
				words = append(words, grouped(float64(limits.Nodes), 0)+" nodes a turn")
			case "movetime":
				words = append(words, limits.MoveTime.String()+" a turn")
			case "depth":
				words = append(words, fmt.Sprintf("depth %d", limits.Depth))
			case "tc":
				words = append(words, "clock "+value)
			case "nodestime":
				words = append(words, grouped(float64(limits.NodesTime), 0)+" nodes count as 1 ms")
			default:
				words = append(words, "no limit")
			}
		}
		texts = append(texts, strings.Join(words, ", "))
	}
	return known(texts)
}

// resultTables adds the results of the engines against each other.
func (p *matchPage) resultTables() {
	b := &p.body
	b.section("results", "Results")
	if len(p.standing.Names) > 2 {
		p.rating()
		p.cross()
	}
	b.table("Results of each two engines", columns("<first against second", "won", "drawn", "lost", "score", "pairs by points (0 ½ 1 1½ 2)…", "Elo…", "nElo…", "LOS"), encounterRows(p.standing, p.order()))
	b.put("<p class=\"note\">Results are those of the first engine in complete pairs. In parentheses is the 95%% interval, and ± is the 95%% margin of error. nElo is Elo normalized by the spread of results. LOS is the likelihood that the first engine is stronger.</p>\n")
}

// rating adds the ratings with their intervals, as a chart.
func (p *matchPage) rating() {
	b := &p.body
	if p.ratings == nil {
		b.put("<p>No ratings: the games do not connect all engines.</p>\n")
		return
	}
	low, high := 0.0, 0.0
	for i := range p.ratings.Len() {
		r := p.ratings.Rating(i)
		for _, x := range []float64{r.Value, r.Low, r.High} {
			if !math.IsInf(x, 0) {
				low, high = min(low, x), max(high, x)
			}
		}
	}
	step := max(1, stats.NiceStep(max(high-low, 1), 5))
	low, high = math.Floor(low/step)*step, math.Ceil(high/step)*step
	if low == high {
		high += step
	}
	at := func(elo float64) raw {
		return raw(fmt.Sprintf("%.2f%%", 100*(max(low, min(elo, high))-low)/(high-low)))
	}
	b.put("<figure class=\"ratings\"><figcaption>Ratings with 95%% intervals, relative to the mean</figcaption>\n")
	for _, i := range p.order() {
		r := p.ratings.Rating(i)
		text := stats.TooFew
		if p.ratings.Enough(i) {
			text = typeset(r.String())
		}
		b.put("<div class=\"rated\"><span class=\"name\">%s</span><span class=\"elo\">%s</span><svg class=\"track\" aria-hidden=\"true\">", p.standing.Names[i], text)
		for elo := low; elo <= high+step/2; elo += step {
			b.put("<line class=\"%s\" x1=\"%s\" x2=\"%s\" y1=\"0\" y2=\"100%%\"/>", map[bool]string{true: "zero", false: "grid"}[math.Abs(elo) < step/2], at(elo), at(elo))
		}
		if p.ratings.Enough(i) {
			b.put("<line class=\"interval\" x1=\"%s\" x2=\"%s\" y1=\"50%%\" y2=\"50%%\"/><circle class=\"f0\" cx=\"%s\" cy=\"50%%\" r=\"5\"/>", at(r.Low), at(r.High), at(r.Value))
		}
		b.put("</svg></div>\n")
	}
	b.put("<div class=\"rated\" aria-hidden=\"true\"><span></span><span></span><svg class=\"scale\">")
	for elo := low; elo <= high+step/2; elo += step {
		anchor := "middle"
		switch {
		case elo < low+step/2:
			anchor = "start"
		case elo > high-step/2:
			anchor = "end"
		}
		b.put("<text class=\"tick\" x=\"%s\" y=\"15\" text-anchor=\"%s\">%s</text>", at(elo), anchor, grouped(elo, 0))
	}
	b.put("</svg></div>\n</figure>\n")
}

// cross adds the cross table.
func (p *matchPage) cross() {
	b := &p.body
	order := p.order()
	b.put("<div class=\"wide\" role=\"region\" aria-label=\"Cross table\" tabindex=\"0\"><table>\n<caption>Points of the row's engine against the column's</caption>\n<thead><tr><th scope=\"col\">#</th><th scope=\"col\" class=\"text\">engine</th><th scope=\"col\">points</th><th scope=\"col\" class=\"extra\">games</th><th scope=\"col\">score</th>")
	for place := range order {
		b.put("<th scope=\"col\">%v</th>", place+1)
	}
	b.put("</tr></thead>\n<tbody>\n")
	totals := p.standing.Totals()
	for place, i := range order {
		total := totals[i]
		var cells []string
		for _, j := range order {
			g, met := p.standing.Between(i, j)
			switch {
			case i == j:
				cells = append(cells, "·")
			case !met:
				cells = append(cells, "–")
			default:
				cells = append(cells, points(g))
			}
		}
		b.put("<tr><td>%v</td><th scope=\"row\" class=\"text\">%s</th><td>%s</td><td class=\"extra\">%s</td><td>%s</td>", place+1, p.standing.Names[i], points(total), number(total.Total()), wdl(total)[3])
		for _, cell := range cells {
			b.put("<td>%s</td>", cell)
		}
		b.put("</tr>\n")
	}
	b.put("</tbody></table></div>\n")
}

// points formats the points of games, with ½.
func points(g stats.Games) string {
	text := number(g.Wins + g.Draws/2)
	if g.Draws%2 == 0 {
		return text
	}
	return strings.TrimPrefix(text+"½", "0")
}

// course adds the charts.
func (p *matchPage) course() {
	b := &p.body
	b.section("course", "Charts")
	b.put("<noscript><p>The charts and the games need JavaScript. The tables show the results.</p></noscript>\n<div class=\"charts\">\n")
	add := func(c chart, enough bool) {
		if enough {
			p.addChart(c)
		}
	}
	if met := p.standing.Pairings; len(met) == 1 {
		first := p.standing.Names[met[0].Engines[0]]
		c := trajectoryOf(first, p.standing.Pooled, p.test, chartPoints)
		elo, enough := eloChart(first, c)
		add(elo, enough)
		if !enough {
			b.put("<p class=\"note\">No chart of Elo: it needs an interval, and there is none before %v pairs or while one engine wins everything.</p>\n", minPairs)
		}
		if p.test != nil {
			low, high := p.test.Bounds()
			add(llrChart(c, low, high))
		}
		add(pairChart(first, met[0].Pairs), true)
	}
	add(lengthChart(p.lengths), true)
	add(turnChart("Time per turn", "ms", p.engines, func(t perTurn) (float64, int) {
		return t.milliseconds / math.Max(float64(t.turns), 1), t.turns
	}))
	add(turnChart("Depth reached", "turns", p.engines, func(t perTurn) (float64, int) {
		return float64(t.depths) / math.Max(float64(t.deep), 1), t.deep
	}))
	b.put("</div>\n")
}

// gamesList adds the list of games and the viewer. The script fills them.
func (p *matchPage) gamesList() {
	p.body.section("games-list", "Games")
	if p.left > 0 {
		p.body.put("<p class=\"note\">The results are of all games. The page has all but the last %s: fetch the match, and make a report of its file.</p>\n", number(p.left))
	}
	p.body.put("%s", raw(gamesText))
}

// gamesText is the place for the games.
//
//go:embed page/games.html
var gamesText string

// details adds the tables that few readers need.
func (p *matchPage) details() {
	b := &p.body
	b.section("details", "Details")
	b.put("<h3>By color</h3>\n")
	b.table("Results by color", columns("<engine", "<color", "won", "drawn", "lost", "score"), colorRows(p.engines))
	b.put("<p class=\"note\">All games, including those of pairs that are not counted.</p>\n<h3>How games ended</h3>\n")
	ends := columns("<reason", "games")
	var atFault []*engine
	for _, e := range p.engines {
		if len(e.faults) > 0 {
			atFault = append(atFault, e)
			ends = append(ends, column{name: "lost by " + e.name})
		}
	}
	b.table("How games ended", ends, endRows(p.ends, atFault))
	b.put("<h3>Depth, time and speed</h3>\n")
	b.table("Depth, time and speed", columns("<engine", "turns", "mean time", "longest", "mean depth", "nodes", "nodes per second"), useRows(p.engines))
}

// openings adds the place for the results by opening. The script fills it.
func (p *matchPage) openings() {
	p.body.section("openings", "Openings")
	p.body.put("<p class=\"note\">Each opening is played twice with colors reversed. Its name opens the first game after the opening.</p>\n<div class=\"rows\" id=\"pair-rows\" role=\"region\" aria-label=\"Results by opening\" tabindex=\"0\"></div>\n")
}

// wdl returns wins, draws, losses and the score in percent.
func wdl(g stats.Games) row {
	share := "–"
	if g.Total() > 0 {
		share = fmt.Sprintf("%.1f%%", 100*g.Points()/float64(g.Total()))
	}
	return row{number(g.Wins), number(g.Draws), number(g.Losses), share}
}

// encounterRows returns a row for each pair of engines that met, in an order of the engines.
func encounterRows(s *match.Standing, order []int) []row {
	place := make([]int, len(order))
	for at, engine := range order {
		place[engine] = at
	}
	met := slices.Clone(s.Pairings)
	for i, e := range met {
		if first, second := e.Engines[0], e.Engines[1]; place[first] > place[second] {
			met[i] = match.PairingResult{Engines: [2]int{second, first}, Games: e.Games.Swapped(), Pairs: e.Pairs.Swapped()}
		}
	}
	slices.SortFunc(met, func(a, b match.PairingResult) int {
		return cmp.Or(cmp.Compare(place[a.Engines[0]], place[b.Engines[0]]), cmp.Compare(place[a.Engines[1]], place[b.Engines[1]]))
	})
	var rows []row
	for _, e := range met {
		r := append(row{s.Names[e.Engines[0]] + " against " + s.Names[e.Engines[1]]}, wdl(e.Games)...)
		r = append(r, strings.ReplaceAll(e.Pairs.String(), ",", "\u00a0"), together(typeset(stats.DescribeElo(e.Pairs))), together(typeset(stats.DescribeNormalizedElo(e.Pairs))), stats.DescribeLOS(e.Pairs))
		rows = append(rows, r)
	}
	return rows
}

// together keeps a number with its unit, an interval, and a margin of error in one line.
func together(text string) string {
	return strings.NewReplacer(" Elo (", "\u00a0Elo (", "95%: ", "95%:\u00a0", " to ", "\u00a0to\u00a0", "± ", "±\u00a0").Replace(text)
}

// colorRows returns two rows for each engine.
func colorRows(engines []*engine) []row {
	var rows []row
	for _, e := range engines {
		for side, g := range e.byColor {
			rows = append(rows, append(row{e.name, position.Side(side).String()}, wdl(g)...))
		}
	}
	return rows
}

// useRows returns the time, depth and nodes of each engine.
func useRows(engines []*engine) []row {
	var rows []row
	for _, e := range engines {
		mean, speed, depth := "–", "–", "–"
		if e.turns > 0 {
			mean = grouped(e.milliseconds/float64(e.turns), 1) + " ms"
		}
		if e.searching > 0 {
			speed = grouped(float64(e.nodes)/e.searching*1000, 0)
		}
		if e.deep > 0 {
			depth = grouped(float64(e.depths)/float64(e.deep), 2)
		}
		rows = append(rows, row{e.name, number(e.turns), mean, grouped(e.longest, 1) + " ms", depth, grouped(float64(e.nodes), 0), speed})
	}
	return rows
}

// endRows returns a row for each reason games ended with. For faults, the row counts the
// games lost by each engine.
func endRows(ends map[game.Reason]int, engines []*engine) []row {
	var rows []row
	for _, reason := range game.Reasons() {
		if ends[reason] == 0 {
			continue
		}
		r := row{reason.String(), number(ends[reason])}
		for _, e := range engines {
			count := ""
			if reason.Fault() {
				count = number(e.faults[reason])
			}
			r = append(r, count)
		}
		rows = append(rows, r)
	}
	return rows
}

// pairTexts are the results of a pair, in points.
var pairTexts = [...]string{"0", "½", "1", "1½", "2"}

// pairRow is a pair in the page. The script knows its games by their numbers.
type pairRow struct {
	Round   int    `json:"round"`
	First   string `json:"first"`
	Second  string `json:"second"`
	Outcome string `json:"outcome"`
	Games   [2]int `json:"games"` // 0 for a game that the page does not have
}

// pairRows returns a row for each pair.
func (p *matchPage) pairRows() []pairRow {
	taken := map[shownKey]int{}
	rows := []pairRow{}
	for _, pair := range p.pairs {
		r := pairRow{Round: pair.Round + 1, First: pair.First, Second: pair.Second, Outcome: "incomplete"}
		switch {
		case pair.Ends.Counts():
			r.Outcome = pairTexts[pair.Ends.HalfPoints()]
		case pair.Ends.Complete():
			r.Outcome = "excluded"
		}
		for side, key := range [2]shownKey{{pair.First, pair.Second, pair.Opening, pair.Round}, {pair.Second, pair.First, pair.Opening, pair.Round}} {
			if ids := p.shown[key]; pair.Ends[side].Result != position.Ongoing && taken[key] < len(ids) {
				r.Games[side] = ids[taken[key]]
				taken[key]++
			}
		}
		rows = append(rows, r)
	}
	return rows
}
