package report

import (
	"fmt"
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
