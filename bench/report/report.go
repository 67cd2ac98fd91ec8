// Package report writes HTML pages about matches, tunings and hubs. A page is one file that
// needs no other file and runs only its own scripts.
//
// [Data] collects the games of a match and writes a page about it. [WriteTuning] writes a
// page about a tuning, and [Hub] one about a hub, which refreshes itself. [History] has the
// matches that a hub plays by itself. The style and the
// scripts are in folder page.
//
//	report.go   Data: the games of a match
//	page.go     the page about a match: its verdict, settings and tables
//	hub.go      Hub: the page about a hub
//	history.go  History: the page about the matches that a hub plays by itself; the
//	            page about a tuning
//	markup.go   HTML, escaped, charts, and the other parts that all pages share
package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/bench/review"
	"gyre/bench/stats"
	"gyre/position"
	"gyre/protocol"
)

// Data collects the games of a match for a page. Games are added in the order of their files.
type Data struct {
	games       int
	began, last time.Time
	engines     []*engine // in the order of the encounters
	pool        match.Pool
	held        []heldGame // games that the page can show
	room        int        // for further held games, in bytes as costOf counts them; negative for any number
	left        int        // games for which there was no room
	ends        map[game.Reason]int
	lengths     []int // number of games by number of turns, including the opening's
	results     map[position.Result]int
	test        *stats.Hypotheses // that of the last game; nil for none
	replaced    bool              // whether Test set the test
	matches     []*setup
	shown       map[shownKey][]int // numbers of held games
	board       string
	workers     map[string]int // games by worker
	detached    *detachedMatch // nil unless a hub plays the match by itself
}

// detachedMatch describes a detached match in a report.
type detachedMatch struct{ name, state, reason, started string }

// lines returns the lines of the heading.
func (d *detachedMatch) lines() raw {
	var m markup
	m.put("<p class=\"when\">%s · %s</p>\n", d.state, d.started)
	if d.reason != "" {
		m.put("<p class=\"bad\">%s</p>\n", d.reason)
	}
	return raw(m.String())
}

// setup is how a match was started.
type setup struct {
	match, rules string
	started      *match.Setup // of the last run that has one; nil for none
}

// New returns empty data.
func New() *Data {
	return &Data{room: -1, ends: map[game.Reason]int{}, results: map[position.Result]int{}, shown: map[shownKey][]int{}, workers: map[string]int{}, board: DefaultBoard}
}

// DefaultBoard is the URL of a board that gyre-board serves on the reader's machine.
const DefaultBoard = "http://127.0.0.1:7117/"

// Board sets the URL of the board in which the page opens games, instead of DefaultBoard.
func (d *Data) Board(url string) { d.board = url }

// Games returns the number of games added.
func (d *Data) Games() int { return d.games }

// Test sets the hypotheses to test, replacing those of the games.
func (d *Data) Test(h stats.Hypotheses) { d.test, d.replaced = &h, true }

// Add adds a game. A game that was added before is ignored. The error is always nil; it makes
// Add usable with match.ReadLines.
func (d *Data) Add(l *match.Line) error {
	if !d.pool.Add(l) {
		return nil
	}
	d.games++
	d.hold(l)
	d.note(l)
	if d.began.IsZero() || l.Began.Before(d.began) {
		d.began = l.Began
	}
	if ended := l.Began.Add(time.Duration(l.Seconds * float64(time.Second))); ended.After(d.last) {
		d.last = ended
	}
	if !d.replaced {
		d.test = d.pool.Test()
	}
	d.workers[l.Worker]++
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

// note keeps how the match of a game was started.
func (d *Data) note(l *match.Line) {
	i := slices.IndexFunc(d.matches, func(s *setup) bool { return s.match == l.Match })
	if i < 0 {
		i = len(d.matches)
		d.matches = append(d.matches, &setup{match: l.Match, rules: l.Rules})
	}
	if l.Setup != nil {
		d.matches[i].started = l.Setup
	}
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

// standing computes the standing with a test, if any, and sorts the engines by it.
func (d *Data) standing(test *stats.SPRT) *match.Standing {
	s := d.pool.Standing(test)
	slices.SortStableFunc(d.engines, func(a, b *engine) int {
		return cmp.Compare(slices.Index(s.Names, a.name), slices.Index(s.Names, b.name))
	})
	return s
}

// engine holds the data of one engine.
type engine struct {
	name             string
	limits, programs []string // each once
	byColor          [2]stats.Games
	faults           map[game.Reason]int

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
	e.limits = withText(e.limits, l.Limits[side])
	e.programs = withText(e.programs, l.Programs[side])
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

// withText returns a list with a text, unless the text is empty or already in the list.
func withText(list []string, text string) []string {
	if text == "" || slices.Contains(list, text) {
		return list
	}
	return append(list, text)
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

// heldGame is a game in the page. It has no positions, because the script plays the turns.
type heldGame struct {
	ID     int    `json:"id"` // used in links, from 1
	White  string `json:"white"`
	Black  string `json:"black"`
	Result string `json:"result"`
	Reason string `json:"reason"`
	Fault  bool   `json:"fault"`
	Detail string `json:"detail,omitempty"`
	Round  int    `json:"round"`
	Score  string `json:"score"`           // rings removed by, or awarded to, White and Black
	Rules  string `json:"rules,omitempty"` // if not standard
	Start  string `json:"start,omitempty"` // board, side to move and removed rings, if not the start of a game
	// Termination is the tag of a record whose game did not end on the board.
	Termination string   `json:"termination,omitempty"`
	Date        string   `json:"date"`
	Turns       []string `json:"turns"`   // including those of the opening
	Opening     int      `json:"opening"` // number of turns in the opening
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

// costOf returns about how many bytes a held game needs, in memory and in the page.
func costOf(l *match.Line) int {
	return 500 + 50*(len(l.Opening)+len(l.Turns)) + len(l.Detail) + len(l.Start)
}

// hold keeps a game for the page. Games with illegal turns are skipped because the page cannot
// show them.
func (d *Data) hold(l *match.Line) {
	if cost := costOf(l); d.room >= 0 {
		if cost > d.room || d.left > 0 {
			d.left++
			return
		}
		d.room -= cost
	}
	played, err := l.Played()
	if err != nil {
		return
	}
	g := heldGame{ID: len(d.held) + 1, White: l.White, Black: l.Black, Result: l.Result, Reason: l.Reason.String(), Fault: l.Reason.Fault(),
		Detail: l.Detail, Round: l.Round + 1, Score: l.Score, Date: l.Began.Format("2006.01.02"), Turns: slices.Clone(l.Opening), Opening: len(l.Opening), Scores: []*int{}}
	if start := played.Opening.Start.String(); start != position.StartText {
		g.Start = start
	}
	if l.Rules != position.Standard.String() {
		g.Rules = l.Rules
	}
	record := played.Record()
	g.Termination = record.Tag("Termination")
	if g.Score == "" {
		g.Score = fmt.Sprintf("%d-%d", record.Score[position.White], record.Score[position.Black])
	}
	last, known := 0.0, false
	for i := range l.Turns {
		g.Turns = append(g.Turns, l.Turns[i].Turn)
		score := whiteScore(&l.Turns[i], l.SideOf(i))
		g.Scores = append(g.Scores, score)
		if score == nil {
			continue
		}
		chances := review.Chances(protocol.Score{Mate: max(*score, -*score) >= mateScore, Value: *score})
		if swing := int(math.Round(math.Abs(chances - last))); known && swing > g.Swing {
			g.Swing, g.SwingAt = swing, len(l.Opening)+i+1
		}
		last, known = chances, true
	}
	d.held = append(d.held, g)
	key := shownKey{l.White, l.Black, strings.TrimSpace(l.Start + " " + strings.Join(l.Opening, " ")), l.Round}
	d.shown[key] = append(d.shown[key], g.ID)
}

// shownKey identifies a game of a pair, except for repetitions.
type shownKey struct {
	white, black, opening string
	round                 int
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
