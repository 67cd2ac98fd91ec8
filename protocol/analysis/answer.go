package analysis

import (
	"math"
	"strings"
	"time"

	"gyre/position"
	"gyre/protocol"
)

// answer is the answer for a position, during its search or at its end.
type answer struct {
	id       string
	turns    int // played before the position
	during   bool
	position *position.Position
	lines    []protocol.Info // best first; none if the game is over or no search ran
	elapsed  time.Duration
}

// line returns the answer as JSON.
func (a *answer) line() []byte { return append(a.head(), a.tail()...) }

// head returns the part of the answer that belongs to the query.
func (a *answer) head() []byte {
	head := jsonOf(struct {
		ID       string `json:"id"`
		Turns    int    `json:"turnNumber"`
		IsDuring bool   `json:"isDuringSearch"`
	}{a.id, a.turns, a.during})
	head[len(head)-1] = ','
	return head
}

// tail returns the part of the answer that the position and the search determine.
func (a *answer) tail() []byte {
	var root *rootAnswer
	if a.position.Over() {
		root = a.result()
	} else if len(a.lines) > 0 {
		best := &a.lines[0]
		root = &rootAnswer{valueOf(best), best.Nodes, best.Depth, best.Proven()}
	}
	lines := []lineAnswer{}
	for i := range a.lines {
		line := &a.lines[i]
		lines = append(lines, lineAnswer{line.PV[0].String(), valueOf(line), position.Words(line.PV)})
	}
	return jsonOf(struct {
		FEN        string       `json:"fen"`
		SideToMove string       `json:"sideToMove"`
		Root       *rootAnswer  `json:"root,omitempty"`
		Lines      []lineAnswer `json:"lines"`
		TimeMS     int64        `json:"timeMs"`
	}{a.position.String(), a.position.SideToMove().Letter(), root, lines, a.elapsed.Milliseconds()})[1:]
}

// value is what a position or a line is worth.
type value struct {
	protocol.ScoreFields
	Bound  string  `json:"bound,omitempty"`
	Chance float64 `json:"chance"`
}

// rootAnswer is the value of the position.
type rootAnswer struct {
	value
	Nodes  uint64 `json:"nodes"`
	Depth  int    `json:"depth"`
	Proven bool   `json:"proven"`
}

// lineAnswer is one of the lines.
type lineAnswer struct {
	Turn string `json:"turn"`
	value
	PV []string `json:"pv"`
}

// valueOf returns the value of a line.
func valueOf(line *protocol.Info) value {
	return value{line.Score.Fields(), line.Bound.String(), chance(line.Score)}
}

// result returns the value of a position whose game is over.
func (a *answer) result() *rootAnswer {
	score, share := protocol.Score{Mate: true}, 0.0
	switch a.position.Result() {
	case position.Draw:
		score.Mate, share = false, 0.5
	case position.WonBy(a.position.SideToMove()):
		share = 1
	}
	return &rootAnswer{value: value{ScoreFields: score.Fields(), Chance: share}, Proven: true}
}

// chance returns the expected share of the points, from 0 to 1, for a score of an
// unfinished game. It is rounded to ten-thousandths. The last bit of math.Exp differs
// between architectures, but no score's share is close enough to a rounding boundary for
// that to matter.
func chance(s protocol.Score) float64 {
	switch {
	case !s.Mate:
		return math.Round(chanceParts*share(s.Value)) / chanceParts
	case s.Value > 0:
		return 1
	}
	return 0
}

// chanceParts is the number of steps of a chance.
const chanceParts = 10000

// share returns the expected share of the points by the formula of PROTOCOL.md.
func share(centipawns int) float64 { return 1 / (1 + math.Exp(-float64(centipawns)/100)) }

// faultLine returns the answer to a rejected line. input is the name of the input, if any,
// and number the number of the line.
func faultLine(e *Error, input string, number int) []byte {
	answer := struct {
		ID    *string `json:"id,omitempty"`
		Error string  `json:"error"`
		Field string  `json:"field,omitempty"`
		Line  int     `json:"line,omitempty"`
	}{Error: e.Reason, Field: e.Field, Line: number}
	if e.HasID {
		answer.ID, answer.Line = &e.ID, 0
	} else if input != "" {
		answer.Error = input + ": " + e.Reason
	}
	return jsonOf(answer)
}

// warningLine returns the warning of an unknown field in a line without a valid id.
func warningLine(name string, number int) []byte {
	return jsonOf(struct {
		Warning string `json:"warning"`
		Field   string `json:"field"`
		Line    int    `json:"line"`
	}{warning(name), name, number})
}

// textsLine returns an object of texts; names and texts alternate.
func textsLine(namesAndTexts ...string) []byte {
	var parts []string
	for i := 0; i < len(namesAndTexts); i += 2 {
		parts = append(parts, string(jsonOf(namesAndTexts[i]))+":"+string(jsonOf(namesAndTexts[i+1])))
	}
	return []byte("{" + strings.Join(parts, ",") + "}")
}
