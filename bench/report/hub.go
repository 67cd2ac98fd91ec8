package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"time"

	"gyre/bench/hub"
	"gyre/bench/stats"
)

// Hub is what a page about a hub shows: how it is, and how its matches went since it was
// first looked at. The zero value is that before the first look. It is for one goroutine at a
// time.
type Hub struct {
	status *hub.Status
	at     time.Time
	past   map[string][]seen // by match
}

// seen is how far a match was at a time.
type seen struct {
	at time.Time
	hub.Running
}

// What is kept of the past of a match.
const (
	mostLooks = 600
	rateOver  = time.Minute
)

// Saw takes how the hub is at a time.
func (h *Hub) Saw(status *hub.Status, at time.Time) {
	h.status, h.at = status, at
	if h.past == nil {
		h.past = map[string][]seen{}
	}
	maps.DeleteFunc(h.past, func(key string, _ []seen) bool { _, played := status.Matches[key]; return !played })
	for key, m := range status.Matches {
		all := h.past[key]
		if len(all) > 0 && m.Games < all[len(all)-1].Games {
			all = nil // the match was broken off and gone on with, and counts anew
		}
		all = append(all, seen{at, m})
		if len(all) > mostLooks { // every second one of those before tells as much
			thin := all[:0]
			for i := (len(all) - 1) % 2; i < len(all); i += 2 {
				thin = append(thin, all[i])
			}
			all = thin
		}
		h.past[key] = all
	}
}

// rateOf returns the games a second of the last minute.
func rateOf(past []seen) string {
	last := past[len(past)-1]
	first := past[slices.IndexFunc(past, func(p seen) bool { return last.at.Sub(p.at) <= rateOver })]
	seconds := last.at.Sub(first.at).Seconds()
	if seconds <= 0 {
		return "just seen"
	}
	return fmt.Sprintf("%.2f games/s", float64(last.Games-first.Games)/seconds)
}

// wentAs returns how a match of two engines went, one point for each number of pairs at which
// it was seen.
func wentAs(past []seen) trajectory {
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

// The page of a hub, and the script that keeps it as things are.
var (
	//go:embed page/hub.html
	hubText string
	//go:embed page/hub.js
	hubScript string
)

// hubPage is what the template shows.
type hubPage struct {
	At         string
	Waiting    int // jobs
	Matches    []hubMatch
	Workers    []hub.Present
	Notes      []string // about them
	Faults     []string
	Charts     []chart
	Script     template.JS
	ScriptHash string
}

// hubMatch is a match on the page.
type hubMatch struct {
	hub.Running
	Key, Rate string
	Newest    *hubGame
	Charts    []hubChart
}

// hubGame is the newest game of a match.
type hubGame struct {
	*hub.Newest
	Key  string // of the match
	Said string // how it ended
}

// hubChart is a chart of a match, and its number on the page.
type hubChart struct {
	Number int
	Title  string
}

// Write writes the page, which asks for itself again and again where it came from.
func (h *Hub) Write(w io.Writer) error {
	p := &hubPage{At: "not asked yet", Charts: []chart{}}
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
			p.Faults = append(p.Faults, fmt.Sprintf("worker %s had %s", name, line))
		}
	}
	return execute(w, hubText, p)
}

// add adds a match.
func (p *hubPage) add(key string, now hub.Running, past []seen) {
	m := hubMatch{Running: now, Key: key, Rate: rateOf(past)}
	if g := now.Newest; g != nil {
		m.Newest = &hubGame{Newest: g, Key: key, Said: "drawn: " + g.Reason}
		if winner := map[string]string{"white": g.White, "black": g.Black}[g.Result]; winner != "" {
			m.Newest.Said = winner + " won: " + g.Reason
		}
	}
	went := wentAs(past)
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
