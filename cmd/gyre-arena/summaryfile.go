package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"gyre/bench/match"
	"gyre/bench/stats"
)

// summaryHelp explains the flag -json.
const summaryHelp = "`FILE` of JSON for the result: engines with ratings, pairings, differences with errors and LOS, ends; see summaryfile.go in the sources"

// summaryFormat is the first value of a summary, by which a file of one is known.
const summaryFormat = "gyre-arena summary 1"

// summary is the result of games for programs. Numbers that have no bound are null.
type summary struct {
	Format  string `json:"format"`
	Command string `json:"command"` // match, tournament, ladder or standing
	Games   int    `json:"games"`   // that have ended
	Pairs   int    `json:"pairs"`   // that count
	LeftOut int    `json:"leftOut"` // pairs that an engine's fault decided
	// Over tells whether nothing was left to play; of a standing of files nobody knows.
	Over     *bool            `json:"over,omitempty"`
	Anchor   string           `json:"anchor,omitempty"` // the engine of fixed rating; without one the mean is 0
	Engines  []engineSummary  `json:"engines"`
	Pairings []pairingSummary `json:"pairings"`
	// Differences are by engine and engine, in the order of Engines; null where games
	// do not link all engines.
	Differences [][]difference `json:"differences"`
	Test        *testSummary   `json:"test,omitempty"`
	Rating      *number        `json:"rating,omitempty"` // of the engine on the ladder
	Ends        map[string]int `json:"ends"`             // games by reason
}

// number is a value with its error, half the 95% interval.
type number struct {
	Value *float64 `json:"value"`
	Error *float64 `json:"error"`
}

// gamesSummary counts games as an engine sees them.
type gamesSummary struct {
	Wins   int `json:"wins"`
	Draws  int `json:"draws"`
	Losses int `json:"losses"`
}

// engineSummary is an engine. Its games are those of pairs that count.
type engineSummary struct {
	Name   string         `json:"name"`
	Elo    *number        `json:"elo"` // null without ratings
	Games  int            `json:"games"`
	Points float64        `json:"points"`
	Faults map[string]int `json:"faults,omitempty"` // games lost by a fault, by reason
	// Wins that it announced, those of them that did not come in time, and searches
	// that told lines with illegal turns.
	Mates      int `json:"mates"`
	WrongMates int `json:"wrongMates"`
	Illegal    int `json:"illegalLines"`
}

// pairingSummary is what two engines did to each other, as the first sees it; Elo is
// of their games alone.
type pairingSummary struct {
	First  string       `json:"first"`
	Second string       `json:"second"`
	Games  gamesSummary `json:"games"`
	White  gamesSummary `json:"white"` // those in which the first has white
	Black  gamesSummary `json:"black"`
	Pairs  stats.Pairs  `json:"pairs"` // LL, LD, DD+WL, WD, WW
	Elo    number       `json:"elo"`
	NElo   number       `json:"nelo"`
	LOS    float64      `json:"los"` // from 0 to 1
}

// difference is how much higher an engine is rated than another, and the likelihood
// that it is the stronger.
type difference struct {
	number
	LOS float64 `json:"los"`
}

// testSummary is a sequential test.
type testSummary struct {
	stats.Hypotheses
	LLR   float64 `json:"llr"`
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
	State string  `json:"state"` // continue, accept H0 or accept H1
}

// newSummary returns the summary of a standing. test may be nil.
func newSummary(command string, s *ratedStanding, test *stats.SPRT) *summary {
	out := &summary{Format: summaryFormat, Command: command, Games: s.Games, Pairs: s.Settled - s.LeftOut, LeftOut: s.LeftOut,
		Engines: []engineSummary{}, Pairings: []pairingSummary{}, Ends: map[string]int{}}
	if s.fixed.engine >= 0 {
		out.Anchor = s.Names[s.fixed.engine]
	}
	points, games := totals(s.Standing)
	for i, name := range s.Names {
		e := engineSummary{Name: name, Games: games[i], Points: points[i], Faults: map[string]int{},
			Mates: s.Claims[i].Mates, WrongMates: s.Claims[i].WrongMates, Illegal: s.Claims[i].Illegal}
		for reason, n := range s.Faults[i] {
			e.Faults[reason.String()] = n
		}
		if s.ratings != nil {
			rating := newNumber(s.fixed.rating(s.ratings, i))
			e.Elo = &rating
			out.Differences = append(out.Differences, differencesOf(s.ratings, i))
		}
		out.Engines = append(out.Engines, e)
	}
	for i := range s.Pairings {
		out.Pairings = append(out.Pairings, newPairingSummary(s.Names, &s.Pairings[i]))
	}
	for reason, n := range s.Ends {
		out.Ends[reason.String()] = n
	}
	if test != nil {
		lower, upper := test.Bounds()
		out.Test = &testSummary{test.Hypotheses(), s.LLR, lower, upper, s.State.String()}
	}
	return out
}

// differencesOf returns those of an engine.
func differencesOf(r *stats.Ratings, i int) (row []difference) {
	for j := range r.Len() {
		row = append(row, difference{newNumber(r.Difference(i, j)), r.LOS(i, j)})
	}
	return row
}

func newPairingSummary(names []string, p *match.Pairing) pairingSummary {
	counts := func(g stats.Games) gamesSummary { return gamesSummary{g.Wins, g.Draws, g.Losses} }
	return pairingSummary{First: names[p.Engines[0]], Second: names[p.Engines[1]],
		Games: counts(p.Games), White: counts(p.ByWhite[0]), Black: counts(p.ByWhite[1]), Pairs: p.Pairs,
		Elo: newNumber(stats.Elo(p.Pairs)), NElo: newNumber(stats.NormalizedElo(p.Pairs)), LOS: stats.LOS(p.Pairs)}
}

// newNumber returns an estimate without what JSON has no words for.
func newNumber(e stats.Estimate) number {
	finite := func(x float64) *float64 {
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return nil
		}
		return &x
	}
	return number{finite(e.Value), finite(e.Error)}
}

// write writes the summary as JSON, one object over several lines.
func (s *summary) write(w io.Writer) error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

// saveSummary writes the summary of a match to the file -json, if there is one.
func (c *contest) saveSummary(s *ratedStanding, m *match.Match) error {
	if c.json == "" || s == nil {
		return nil
	}
	out := newSummary(c.flags.Name(), s, m.Test)
	over := s.Over()
	out.Over = &over
	return saveSummary(c.json, out)
}

// saveSummary writes the summary to a file, over one of before; nothing for no name.
func saveSummary(path string, s *summary) error {
	if path == "" {
		return nil
	}
	return replaceFile(path, summaryFormat, s.write)
}
