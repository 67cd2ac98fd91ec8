package session

import (
	"time"

	"gyre/position"
	"gyre/protocol"
)

// The events: messages to the page that answer no request.
type (
	// infoEvent tells how a search goes: all lines as they are now.
	infoEvent struct {
		Event   string     `json:"event"` // "info"
		Search  int64      `json:"search"`
		Side    string     `json:"side"` // "w" or "b", whose turn it is and whose scores they are
		Lines   []infoLine `json:"lines"`
		Message string     `json:"message,omitempty"` // what the engine said last to people
	}
	// bestEvent ends a search.
	bestEvent struct {
		Event   string  `json:"event"` // "best"
		Search  int64   `json:"search"`
		Turn    *string `json:"turn"`    // null when the search was stopped before it had one
		Elapsed int64   `json:"elapsed"` // milliseconds
		Stopped bool    `json:"stopped"` // whether it ended because the page wanted something else
	}
	// failedEvent ends a search or a review whose engine has failed.
	failedEvent struct {
		Event  string `json:"event"` // "failed"
		Search int64  `json:"search"`
		Engine string `json:"engine"`
		Reason string `json:"reason"`
		Lost   bool   `json:"lost"` // whether the engine has to be started again
	}
)

// infoLine is one line of a search. What the engine did not tell is zero.
type infoLine struct {
	MultiPV  int        `json:"multipv"` // rank, from 1
	Depth    int        `json:"depth"`
	SelDepth int        `json:"seldepth"`
	Score    *scoreView `json:"score"` // null when not told
	Bound    string     `json:"bound"` // "", "lower" or "upper"
	Nodes    uint64     `json:"nodes"`
	NPS      uint64     `json:"nps"`
	Time     int64      `json:"time"`     // milliseconds
	HashFull int        `json:"hashfull"` // permille
	PV       []string   `json:"pv"`
}

// scoreView is a score: one of the two is there.
type scoreView struct {
	CP   *int `json:"cp,omitempty"`   // hundredths of the unit of the protocol
	Mate *int `json:"mate,omitempty"` // turns of both sides to the end; negative when the side loses
}

// viewScore returns a score as the page gets it.
func viewScore(s protocol.Score) *scoreView {
	value := s.Value
	if s.Mate {
		return &scoreView{Mate: &value}
	}
	return &scoreView{CP: &value}
}

// boundWords are the words for bounds.
var boundWords = map[protocol.Bound]string{protocol.LowerBound: "lower", protocol.UpperBound: "upper"}

// longestPV is how many turns of a line are shown.
const longestPV = 24

// update takes over what a report tells; a report without a score or a line
// leaves those of the one before.
func (l *infoLine) update(i protocol.Info) {
	if i.HasScore {
		l.Score, l.Bound = viewScore(i.Score), boundWords[i.Bound]
	}
	if len(i.PV) > 0 {
		l.PV = words(i.PV[:min(len(i.PV), longestPV)])
	}
	setIfTold(&l.Depth, i.Depth)
	setIfTold(&l.SelDepth, i.SelDepth)
	setIfTold(&l.Nodes, i.Nodes)
	setIfTold(&l.NPS, i.NPS)
	setIfTold(&l.Time, i.Time.Milliseconds())
	setIfTold(&l.HashFull, i.HashFull)
}

// setIfTold sets a number that is not zero, which means not told.
func setIfTold[N int | int64 | uint64](to *N, n N) {
	if n != 0 {
		*to = n
	}
}

// words returns the words of turns.
func words(turns []position.Turn) []string {
	list := make([]string, len(turns))
	for i, turn := range turns {
		list[i] = turn.String()
	}
	return list
}

// stopped is the end of a search that never had a turn.
func stopped(search int64) bestEvent {
	return bestEvent{Event: "best", Search: search, Stopped: true}
}

// found is the end of a search that has its turn.
func found(search int64, answer protocol.Answer, wasStopped bool) bestEvent {
	event := bestEvent{Event: "best", Search: search, Elapsed: answer.Elapsed.Round(time.Millisecond).Milliseconds(), Stopped: wasStopped}
	if answer.Best != position.None {
		word := answer.Best.String()
		event.Turn = &word
	}
	return event
}
