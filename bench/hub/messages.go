package hub

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/position"
)

// jobMessage is a job: the games of a pair that are to be played, from their opening, or
// a range of numbers.
type jobMessage struct {
	Version int          `json:"version"`
	Games   []match.Game `json:"games,omitempty"`
	Rules   string       `json:"rules,omitempty"`
	Start   string       `json:"start,omitempty"`
	Opening []string     `json:"opening,omitempty"` // turns
	// Settings are options of engines in these games, by index.
	Settings map[int][]game.Setting `json:"settings,omitempty"`
	Range    *span                  `json:"range,omitempty"`
	// NotBy is the worker that is to leave the job to others: it has done it.
	NotBy string `json:"not_by,omitempty"`
}

// span is a range of numbers: from First up to before End.
type span struct {
	First uint32 `json:"first"`
	End   uint32 `json:"end"`
}

// newJob returns the message of the games of a pair.
func newJob(jobs []match.Job) jobMessage {
	o := jobs[0].Opening
	m := jobMessage{Version: Version, Settings: jobs[0].Settings, Rules: o.Start.Rules().String(), Start: o.Start.String()}
	for _, j := range jobs {
		m.Games = append(m.Games, j.Game)
	}
	for _, t := range o.Turns {
		m.Opening = append(m.Opening, t.String())
	}
	return m
}

// parseJob reads a message of newJob.
func parseJob(text []byte, engines int) ([]match.Job, error) {
	var m jobMessage
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, err
	}
	if m.Version != Version {
		return nil, fmt.Errorf("a job of version %d, and this program is of %d", m.Version, Version)
	}
	rules, err := position.ParseRules(m.Rules)
	if err != nil {
		return nil, err
	}
	o := game.Opening{}
	if o.Start, err = position.Parse(m.Start, rules); err != nil {
		return nil, err
	}
	board := o.Start
	for _, word := range m.Opening {
		t, err := board.ParseTurn(word)
		if err != nil {
			return nil, err
		}
		o.Turns = append(o.Turns, t)
		board = board.After(t)
	}
	var jobs []match.Job
	for _, g := range m.Games {
		if slices.Min(g.Sides[:]) < 0 || slices.Max(g.Sides[:]) >= engines || g.Sides[0] == g.Sides[1] {
			return nil, fmt.Errorf("game %d is of engines %v", g.Number, g.Sides)
		}
		jobs = append(jobs, match.Job{Game: g, Opening: o, Settings: m.Settings})
	}
	return jobs, nil
}

// resultMessage is what came of a job.
type resultMessage struct {
	Version int           `json:"version"`
	Worker  string        `json:"worker"`           // its name, as in the subject
	Games   []*match.Line `json:"games,omitempty"`  // in the job's order
	Output  []byte        `json:"output,omitempty"` // of a range
	// Speed is that of the engine by which real clocks are scaled, in nodes a second.
	Speed uint64 `json:"speed,omitempty"`
	// Refused says why the worker can play no game of this match.
	Refused string `json:"refused,omitempty"`
	// Lacks is the hash of the file, or the key of the match, that the hub does not have
	// or has not whole, if that is why.
	Lacks  string `json:"lacks,omitempty"`
	System string `json:"system"` // of the worker
}

// errStray is why a result is held against nobody: a worker can have the server answer it
// under the subject of another's result, with what it cannot choose.
var errStray = errors.New("it does not name that worker in it, and is held against nobody")

// parseResult reads a result of a job under the subject of a worker.
func parseResult(text []byte, worker string) (*resultMessage, error) {
	var m resultMessage
	err := json.Unmarshal(text, &m)
	if m.Worker != worker {
		return nil, errStray
	}
	if err != nil {
		return nil, err
	}
	if m.Version != Version {
		return nil, fmt.Errorf("a result of version %d, and this program is of %d", m.Version, Version)
	}
	m.Refused, m.System = plain(m.Refused), plain(m.System)
	for i, line := range m.Games {
		if line == nil {
			return nil, fmt.Errorf("game %d of the result is none", i+1)
		}
		line.Detail = shown(line.Detail, longestDetail)
	}
	return &m, nil
}

// longestDetail bounds what is kept of how an engine was at fault, in characters.
const longestDetail = 4000

// Running is what the hub is told of a match that is played.
type Running struct {
	Match  string `json:"match"`
	Client string `json:"client"` // where its journal is
	Games  int    `json:"games"`  // on disk, since it was begun or gone on with
	Out    int    `json:"out"`    // pairs
	// Newest is the game that came last; nil before the first, and for samples.
	Newest *Newest `json:"newest,omitempty"`
	// Needs are the engines that its workers have to offer.
	Needs []string `json:"needs,omitempty"`
	Progress
}

// Newest is the end of a game that has just come from a worker.
type Newest struct {
	Number   int    `json:"number"` // of the game, from 1
	White    string `json:"white"`
	Black    string `json:"black"`
	Result   string `json:"result"` // white, black or draw
	Reason   string `json:"reason"`
	Position string `json:"position"` // after the last turn
	Turn     string `json:"turn"`     // the last; empty for none
	Turns    int    `json:"turns"`
	Worker   string `json:"worker"`
}

// Progress is how far a match is.
type Progress struct {
	Score string `json:"score"` // in a line
	// Counts are the pairs of a match of two engines by what the first of them made.
	Counts stats.Pairs `json:"counts,omitzero"`
	// Pairs are those that a sequential test has counted, LLR what it has come to, and
	// Bounds where it ends; all 0 without one.
	Pairs  int        `json:"pairs,omitempty"`
	LLR    float64    `json:"llr,omitempty"`
	Bounds [2]float64 `json:"bounds,omitzero"`
}

// Present is what the hub is told of a worker that is there.
type Present struct {
	Name    string   `json:"name"`
	System  string   `json:"system"` // such as linux/amd64
	Slots   int      `json:"slots"`  // games at once
	Busy    int      `json:"busy"`   // games that are played now
	Pairs   int      `json:"pairs"`  // played so far
	Refuses []string `json:"refuses,omitempty"`
	// Why tells why it refuses a match, and Held why it plays fewer games at once now than
	// it was begun for.
	Why  map[string]string `json:"why,omitempty"`
	Held string            `json:"held,omitempty"`
	// Offers are engines of its own, by name: what tells their programs from others.
	Offers map[string]string `json:"offers,omitempty"`
}

// Faults are what a worker did wrong, of late.
type Faults struct {
	Count int      `json:"count"`
	Last  []string `json:"last"` // the last few
	// Differ is how many results were others than those of another worker for the same
	// job: nobody knows which of both was wrong. Beside is what the last one was.
	Differ int    `json:"differ,omitempty"`
	Beside string `json:"beside,omitempty"`
}

// mostFaults is how many results of a worker are refused before it gets no more work.
const mostFaults = 3

// Barred tells whether the worker gets no more work.
func (f *Faults) Barred() bool { return f.Count >= mostFaults }
