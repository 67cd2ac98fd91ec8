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
)

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
