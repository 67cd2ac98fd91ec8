package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"time"

	"gyre/bench/game"
	"gyre/bench/hub"
	"gyre/bench/stats"
)

// Hub collects the status of a hub over time and writes a page about it. The zero value is
// ready to use. It is not safe for concurrent use.
type Hub struct {
	status *hub.Status
	at     time.Time
	past   map[string][]seen // by match key
}

// seen is the progress of a match at a time.
type seen struct {
	at time.Time
	hub.MatchStatus
}

// Limits of what is kept about a match.
const (
	maxSeen  = 600
	rateOver = time.Minute
)

// Observe records the status of the hub at a time.
func (h *Hub) Observe(status *hub.Status, at time.Time) {
	h.status, h.at = status, at
	if h.past == nil {
		h.past = map[string][]seen{}
	}
	maps.DeleteFunc(h.past, func(key string, _ []seen) bool { _, played := status.Matches[key]; return !played })
	for key, m := range status.Matches {
		all := h.past[key]
		if len(all) > 0 && m.Games < all[len(all)-1].Games {
			all = nil // the match was interrupted and resumed, and counts from 0
		}
		all = append(all, seen{at, m})
		if len(all) > maxSeen { // drop every second entry
			thin := all[:0]
			for i := (len(all) - 1) % 2; i < len(all); i += 2 {
				thin = append(thin, all[i])
			}
			all = thin
		}
		h.past[key] = all
	}
}

// rateOf returns the rate of games over the last minute.
func rateOf(past []seen) string {
	last := past[len(past)-1]
	first := past[slices.IndexFunc(past, func(p seen) bool { return last.at.Sub(p.at) <= rateOver })]
	seconds := last.at.Sub(first.at).Seconds()
	if seconds <= 0 {
		return "measuring speed"
	}
	return fmt.Sprintf("%.2f games/s", float64(last.Games-first.Games)/seconds)
}

// trajectorySeen returns the trajectory of a match, with one point for each recorded number of pairs.
func trajectorySeen(past []seen) trajectory {
	var c trajectory
	for i, l := range past {
		pairs := l.Counts.Total()
		if pairs == 0 || i+1 < len(past) && past[i+1].Counts.Total() == pairs {
			continue
		}
		c.pairs = append(c.pairs, float64(pairs))
		c.elo = append(c.elo, stats.Elo(l.Counts))
		if l.Bounds[0] < l.Bounds[1] {
			c.llr = append(c.llr, l.LLR)
		}
	}
	return c
}

// The page of a hub, and the script that refreshes it.
var (
	//go:embed page/hub.html
	hubText string
	//go:embed page/hub.js
	hubScript string
)

// hubPage is the data of the template.
type hubPage struct {
	At         string
	Waiting    int // number of jobs
	Matches    []hubMatch
	Workers    []hub.WorkerStatus
	Notes      []string // about workers
	Faults     []string
	Charts     []chart
	Script     template.JS
	ScriptHash string
}

// hubMatch is a match on the page.
type hubMatch struct {
	hub.MatchStatus
	Key, Rate string
	Newest    *hubGame
	Charts    []hubChart
}

// hubGame is the most recent game of a match.
type hubGame struct {
	*hub.Newest
	Key  string // of the match
	Said string // how the game ended
}

// hubChart is a chart of a match, with its number on the page.
type hubChart struct {
	Number int
	Title  string
}

// Write writes the page. The page refreshes itself from the address it was loaded from.
func (h *Hub) Write(w io.Writer) error {
	p := &hubPage{At: "waiting for the hub", Charts: []chart{}}
	p.Script, p.ScriptHash = script(boardScript, hubScript)
	if h.status == nil {
		return execute(w, hubText, p)
	}
	p.At, p.Waiting = "as of "+h.at.Format(time.TimeOnly), h.status.Waiting
	for _, key := range slices.Sorted(maps.Keys(h.status.Matches)) {
		p.add(key, h.status.Matches[key], h.past[key])
	}
	for _, name := range slices.Sorted(maps.Keys(h.status.Workers)) {
		worker := h.status.Workers[name]
		p.Workers = append(p.Workers, worker)
		for _, note := range worker.Notes() {
			p.Notes = append(p.Notes, fmt.Sprintf("worker %s %s", name, note))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(h.status.Faults)) {
		f := h.status.Faults[name]
		for _, line := range f.Lines() {
			p.Faults = append(p.Faults, fmt.Sprintf("worker %s: %s", name, line))
		}
	}
	return execute(w, hubText, p)
}

// add adds a match.
func (p *hubPage) add(key string, now hub.MatchStatus, past []seen) {
	m := hubMatch{MatchStatus: now, Key: key, Rate: rateOf(past)}
	if g := now.Newest; g != nil {
		m.Newest = &hubGame{Newest: g, Key: key, Said: "drawn: " + g.Reason}
		if winner := map[string]string{"white": g.White, "black": g.Black}[g.Result]; winner != "" {
			m.Newest.Said = winner + " " + wonBy(g.Reason)
		}
	}
	went := trajectorySeen(past)
	show := func(c chart, enough bool) {
		if enough {
			m.Charts = append(m.Charts, hubChart{len(p.Charts), c.Title})
			p.Charts = append(p.Charts, c)
		}
	}
	show(eloChart(went))
	show(llrChart(went, now.Bounds[0], now.Bounds[1]))
	p.Matches = append(p.Matches, m)
}

// wonBy says how a game was won, for a reason as records name it.
func wonBy(reason string) string {
	if reason == game.RingsRemoved.String() {
		return "won by removing the winning ring"
	}
	return "won: " + reason
}
