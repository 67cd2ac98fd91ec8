// Package report writes HTML pages about matches, tunings and hubs. A page is one file that
// needs no other file and runs only its own scripts.
//
// [Data] collects the games of a match and writes a page about it. [WriteTuning] writes a
// page about a tuning, and [Hub] one about a hub, which refreshes itself. The templates, the
// style and the scripts that draw charts and games are in folder page.
package report

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
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

// Data collects the games of a match for a page. Games may be added in any order.
type Data struct {
	games       int
	began, last time.Time
	engines     []*engine // in the order of the encounters
	pool        match.Pool
	held        []heldGame // games that the page can show
	ends        map[game.Reason]int
	lengths     []int // number of games by number of turns, including the opening's
	results     map[position.Result]int
	test        *stats.Hypotheses
}

// New returns empty data.
func New() *Data {
	return &Data{ends: map[game.Reason]int{}, results: map[position.Result]int{}}
}

// Games returns the number of games added.
func (d *Data) Games() int { return d.games }

// Test sets the hypotheses to test, replacing those of the games.
func (d *Data) Test(h stats.Hypotheses) { d.test = &h }

// Add adds a game. A game that was added before is ignored. The error is always nil; it makes
// Add usable with match.ReadLines.
func (d *Data) Add(l *match.Line) error {
	if !d.pool.Add(l) {
		return nil
	}
	d.games++
	d.hold(l)
	if d.began.IsZero() || l.Began.Before(d.began) {
		d.began = l.Began
	}
	if ended := l.Began.Add(time.Duration(l.Seconds * float64(time.Second))); ended.After(d.last) {
		d.last = ended
	}
	if d.test == nil && l.Test != nil {
		d.test = l.Test
	}
	d.ends[l.Reason]++
	result := l.Outcome()
	d.results[result]++
	turns := len(l.Opening) + len(l.Turns)
	for len(d.lengths) <= turns {
		d.lengths = append(d.lengths, 0)
	}
	d.lengths[turns]++
	sides := [2]*engine{d.engine(l.White), d.engine(l.Black)}
	for side, e := range sides {
		e.add(l, position.Side(side))
	}
	return nil
}

// engine returns the data of the engine called name.
func (d *Data) engine(name string) *engine {
	for _, e := range d.engines {
		if e.name == name {
			return e
		}
	}
	e := &engine{name: name, faults: map[game.Reason]int{}}
	d.engines = append(d.engines, e)
	return e
}

// standing computes the standing and sorts the engines by it.
func (d *Data) standing() *match.Standing {
	s := d.pool.Standing()
	slices.SortStableFunc(d.engines, func(a, b *engine) int {
		return cmp.Compare(slices.Index(s.Names, a.name), slices.Index(s.Names, b.name))
	})
	return s
}

// engine holds the data of one engine.
type engine struct {
	name    string
	limits  string
	byColor [2]stats.Games
	faults  map[game.Reason]int

	turns                 int
	milliseconds, longest float64
	nodes                 uint64
	searching             float64 // milliseconds of the turns with known nodes
	depths, deep          int     // sum and number of the known depths
	byTurn                []perTurn
}

// perTurn holds sums for one turn number.
type perTurn struct {
	turns, deep  int
	milliseconds float64
	depths       int
}

// add adds a game in which the engine plays side.
func (e *engine) add(l *match.Line, side position.Side) {
	e.limits = l.Limits[side]
	g := &e.byColor[side]
	switch {
	case l.Outcome() == position.Draw:
		g.Draws++
	case l.Result == side.String():
		g.Wins++
	default:
		g.Losses++
		if l.Reason.Fault() {
			e.faults[l.Reason]++
		}
	}
	first := l.SideOf(0)
	for i := range l.Turns {
		if first^position.Side(i%2) == side {
			e.turn(&l.Turns[i], len(l.Opening)+i)
		}
	}
}

// turn adds one of its turns.
func (e *engine) turn(t *match.TurnLine, number int) {
	for len(e.byTurn) <= number {
		e.byTurn = append(e.byTurn, perTurn{})
	}
	at := &e.byTurn[number]
	e.turns++
	at.turns++
	e.milliseconds += t.MS
	at.milliseconds += t.MS
	e.longest = max(e.longest, t.MS)
	if t.Nodes > 0 {
		e.nodes += t.Nodes
		e.searching += t.MS
	}
	if t.Depth > 0 {
		e.depths += t.Depth
		e.deep++
		at.depths += t.Depth
		at.deep++
	}
}

// games returns the results of all its games.
func (e *engine) games() stats.Games { return e.byColor[0].Plus(e.byColor[1]) }

// The template of the page, and the style that all pages share.
var (
	//go:embed page/page.html
	pageText string
	//go:embed page/style.css
	styleText string
)

// page is the data of the template.
type page struct {
	Title, When, Summary string
	Test                 []row
	Ratings, Encounters  []row
	Colors, Uses         []row
	Ends, Openings       []row
	Names                []string
	Charts               []chart
	Games                []heldGame
	Script               template.JS
	ScriptHash           string // for the content security policy
}

// Write writes the page. It returns an error if there are no games.
func (d *Data) Write(w io.Writer) error {
	if d.games == 0 {
		return errors.New("no games to report")
	}
	standing := d.standing()
	pairs := d.pool.Pairs()
	p := &page{Colors: colorRows(d.engines), Uses: useRows(d.engines), Ends: endRows(d.ends, d.engines),
		Openings: openingRows(pairs), Games: d.held, Encounters: encounterRows(standing)}
	for _, e := range d.engines {
		p.Names = append(p.Names, e.name)
	}
	p.Title = strings.Join(p.Names, ", ")
	if len(p.Names) == 2 {
		p.Title = p.Names[0] + " against " + p.Names[1]
	}
	p.When = fmt.Sprintf("%s to %s", d.began.Format(time.DateTime), d.last.Format(time.DateTime)+" UTC")
	p.Summary = fmt.Sprintf("%d games: White won %d, Black won %d, %d drawn.", d.games,
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

// execute executes a template with the shared style.
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

// draw adds the charts and the state of the test.
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
	add(turnChart("Time per turn", "ms", d.engines, func(t perTurn) (float64, bool) {
		return t.milliseconds / math.Max(float64(t.turns), 1), t.turns > 0
	}))
	add(turnChart("Depth reached", "turns", d.engines, func(t perTurn) (float64, bool) {
		return float64(t.depths) / math.Max(float64(t.deep), 1), t.deep > 0
	}))
	return nil
}

// testRows describes the hypotheses and the state of a test.
func testRows(test *stats.SPRT, pairs stats.Pairs) []row {
	h := test.Hypotheses()
	low, high := test.Bounds()
	state := test.State(pairs).String()
	if state == stats.Continue.String() {
		state = "undecided"
	}
	return []row{{h.Model.String(), fmt.Sprintf("%g", h.Elo0), fmt.Sprintf("%g", h.Elo1), fmt.Sprintf("%.3f", test.LLR(pairs)),
		fmt.Sprintf("%.3f", low), fmt.Sprintf("%.3f", high), state}}
}

// row is one line of a table.
type row []string

// wdl returns wins, draws, losses and the score in percent.
func wdl(g stats.Games) row {
	share := "-"
	if g.Total() > 0 {
		share = fmt.Sprintf("%.1f%%", 100*(float64(g.Wins)+float64(g.Draws)/2)/float64(g.Total()))
	}
	return row{fmt.Sprint(g.Wins), fmt.Sprint(g.Draws), fmt.Sprint(g.Losses), share}
}

// encounterRows returns a row for each pair of engines that met.
func encounterRows(s *match.Standing) []row {
	var rows []row
	for _, e := range s.Pairings {
		r := append(row{s.Names[e.Engines[0]], s.Names[e.Engines[1]]}, wdl(e.Games)...)
		r = append(r, e.Pairs.String(), stats.DescribeElo(e.Pairs), strings.ReplaceAll(stats.DescribeNormalizedElo(e.Pairs), "+-", "±"), stats.DescribeLOS(e.Pairs))
		rows = append(rows, r)
	}
	return rows
}

// ratingRows returns a row for each engine, with its rating if games connect all engines.
func ratingRows(engines []*engine, s *match.Standing) ([]row, error) {
	ratings, err := stats.Rate(len(engines), s.Encounters(), stats.DefaultPrior)
	if _, unlinked := errors.AsType[*stats.UnlinkedError](err); err != nil && !unlinked {
		return nil, err
	}
	var rows []row
	for i, e := range engines {
		rating := "?"
		if ratings != nil {
			rating = stats.TooFew
			if ratings.Enough(i) {
				rating = ratings.Rating(i).String()
			}
		}
		rows = append(rows, append(row{e.name, e.limits, rating}, wdl(e.games())...))
	}
	return rows, nil
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
		r := row{e.name, fmt.Sprint(e.turns)}
		mean, speed, depth := "-", "-", "-"
		if e.turns > 0 {
			mean = fmt.Sprintf("%.1f ms", e.milliseconds/float64(e.turns))
		}
		if e.searching > 0 {
			speed = fmt.Sprintf("%.0f", float64(e.nodes)/e.searching*1000)
		}
		if e.deep > 0 {
			depth = fmt.Sprintf("%.2f", float64(e.depths)/float64(e.deep))
		}
		rows = append(rows, append(r, mean, fmt.Sprintf("%.1f ms", e.longest), depth, fmt.Sprint(e.nodes), speed))
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
		r := row{reason.String(), fmt.Sprint(ends[reason])}
		for _, e := range engines {
			count := ""
			if reason.Fault() {
				count = fmt.Sprint(e.faults[reason])
			}
			r = append(r, count)
		}
		rows = append(rows, r)
	}
	return rows
}

// pairTexts are the results of a pair, by half points.
var pairTexts = [...]string{"LL", "LD", "DD+WL", "WD", "WW"}

// openingRows returns a row for each pair.
func openingRows(pairs []*match.PooledPair) []row {
	var rows []row
	for _, p := range pairs {
		outcome := "incomplete"
		switch {
		case p.Ends.Counts():
			outcome = pairTexts[p.Ends.HalfPoints()]
		case p.Ends.Complete():
			outcome = "excluded"
		}
		r := row{fmt.Sprint(p.Round + 1), p.First, p.Second, outcome}
		for _, end := range p.Ends {
			text := ""
			if end.Result != position.Ongoing {
				text = fmt.Sprintf("%s, %s", end.Result, end.Reason)
			}
			r = append(r, text)
		}
		rows = append(rows, append(r, p.Opening))
	}
	return rows
}

// The scripts that show games: a board and the list of games.
var (
	//go:embed page/board.js
	boardScript string
	//go:embed page/games.js
	gamesScript string
)

// heldGame is a game in the page. It has no positions, because the script plays the turns.
type heldGame struct {
	ID      int      `json:"id"` // used in links, from 1
	White   string   `json:"white"`
	Black   string   `json:"black"`
	Result  string   `json:"result"`
	Reason  string   `json:"reason"`
	Fault   bool     `json:"fault"`
	Detail  string   `json:"detail,omitempty"`
	Round   int      `json:"round"`
	Start   string   `json:"start"`   // board, side to move and removed rings
	Turns   []string `json:"turns"`   // including those of the opening
	Opening int      `json:"opening"` // number of turns in the opening
	// Scores are the scores after the opening, in hundredths for White. A score beyond 10,000
	// is a forced win, and null is unknown.
	Scores []*int `json:"scores"`
	// Swing is the largest change of White's chances between consecutive scores, in percent.
	// SwingAt is the number of its turn.
	Swing   int `json:"swing"`
	SwingAt int `json:"swingAt"`
}

// mateScore stands for a forced win. It is beyond all other scores.
const mateScore = 10_001

// hold keeps a game for the page. Games with illegal turns are skipped because the page cannot
// show them.
func (d *Data) hold(l *match.Line) {
	played, err := l.Played()
	if err != nil {
		return
	}
	g := heldGame{ID: len(d.held) + 1, White: l.White, Black: l.Black, Result: l.Result, Reason: l.Reason.String(), Fault: l.Reason.Fault(),
		Detail: l.Detail, Round: l.Round + 1, Start: played.Opening.Start.String(), Turns: slices.Clone(l.Opening), Opening: len(l.Opening), Scores: []*int{}}
	last, known := 0.5, false
	for i := range l.Turns {
		g.Turns = append(g.Turns, l.Turns[i].Turn)
		score := whiteScore(&l.Turns[i], l.SideOf(i))
		g.Scores = append(g.Scores, score)
		if score == nil {
			continue
		}
		chance := whiteChance(*score)
		if swing := int(math.Round(100 * math.Abs(chance-last))); known && swing > g.Swing {
			g.Swing, g.SwingAt = swing, len(l.Opening)+i+1
		}
		last, known = chance, true
	}
	d.held = append(d.held, g)
}

// whiteScore returns the score of a turn for White, or nil if unknown.
func whiteScore(t *match.TurnLine, side position.Side) *int {
	score := 0
	switch {
	case t.CP != nil:
		score = max(-mateScore+1, min(*t.CP, mateScore-1))
	case t.Mate != nil && *t.Mate > 0:
		score = mateScore
	case t.Mate != nil:
		score = -mateScore
	default:
		return nil
	}
	if side == position.Black {
		score = -score
	}
	return &score
}

// whiteChance returns White's expected score, by the logistic curve on which 400 hundredths
// are odds of ten to one. It is 0 or 1 for a forced win.
func whiteChance(score int) float64 {
	switch {
	case score >= mateScore:
		return 1
	case score <= -mateScore:
		return 0
	}
	return 1 / (1 + math.Pow(10, -float64(score)/400))
}
