package analysis

import (
	"math"
	"strconv"
	"time"

	"gyre/position"
	"gyre/protocol"
	"gyre/search"
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
func (a *answer) line() []byte {
	return append(a.head(), a.tail()...)
}

// head returns the part of the answer that belongs to the query.
func (a *answer) head() []byte {
	var w writer
	w.open("", '{')
	w.text("id", a.id)
	w.number("turnNumber", a.turns)
	w.boolean("isDuringSearch", a.during)
	return append(w.line, ',')
}

// tail returns the part of the answer that the position and the search determine.
func (a *answer) tail() []byte {
	var w writer
	w.text("fen", a.position.String())
	w.text("sideToMove", "wb"[a.position.SideToMove():][:1])
	if a.position.Over() {
		a.writeResult(&w)
	} else if len(a.lines) > 0 {
		best := &a.lines[0]
		w.open("root", '{')
		writeWorth(&w, best)
		w.number("nodes", int(best.Nodes))
		w.number("depth", best.Depth)
		w.boolean("proven", best.Proven())
		w.close('}')
	}
	w.open("lines", '[')
	for i := range a.lines {
		writeLine(&w, &a.lines[i])
	}
	w.close(']')
	w.number("timeMs", int(a.elapsed.Milliseconds()))
	w.close('}')
	return w.line
}

// writeResult writes the root of a game that is over.
func (a *answer) writeResult(w *writer) {
	score, worth := "mate", 0.0
	switch a.position.Result() {
	case position.Draw:
		score, worth = "cp", 0.5
	case position.WonBy(a.position.SideToMove()):
		worth = 1
	}
	w.open("root", '{')
	w.number(score, 0)
	w.fraction("chance", worth)
	w.number("nodes", 0)
	w.number("depth", 0)
	w.boolean("proven", true)
	w.close('}')
}

// writeLine writes one of the lines.
func writeLine(w *writer, line *protocol.Info) {
	w.open("", '{')
	w.text("turn", line.PV[0].String())
	writeWorth(w, line)
	w.open("pv", '[')
	for _, t := range line.PV {
		w.text("", t.String())
	}
	w.close(']')
	w.close('}')
}

// writeWorth writes the score, the bound and the chance.
func writeWorth(w *writer, line *protocol.Info) {
	name := "cp"
	if line.Score.Mate {
		name = "mate"
	}
	w.number(name, line.Score.Value)
	if line.Bound != search.Exact {
		w.text("bound", line.Bound.String())
	}
	w.fraction("chance", chance(line.Score))
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
	var w writer
	w.open("", '{')
	reason := e.Reason
	if e.HasID {
		w.text("id", e.ID)
	} else if input != "" {
		reason = input + ": " + reason
	}
	w.text("error", reason)
	if e.Field != "" {
		w.text("field", e.Field)
	}
	if !e.HasID {
		w.number("line", number)
	}
	w.close('}')
	return w.line
}

// warningLine returns the warning of an unknown field in a line without a valid id.
func warningLine(name string, number int) []byte {
	var w writer
	w.open("", '{')
	w.text("warning", warning(name))
	w.text("field", name)
	w.number("line", number)
	w.close('}')
	return w.line
}

// textsLine returns an object of texts; names and texts alternate.
func textsLine(namesAndTexts ...string) []byte {
	var w writer
	w.open("", '{')
	for i := 0; i < len(namesAndTexts); i += 2 {
		w.text(namesAndTexts[i], namesAndTexts[i+1])
	}
	w.close('}')
	return w.line
}

// writer writes a line of JSON. The name of a value in an array is empty.
type writer struct{ line []byte }

// name begins a value.
func (w *writer) name(name string) {
	if n := len(w.line); n > 0 && w.line[n-1] != '{' && w.line[n-1] != '[' {
		w.line = append(w.line, ',')
	}
	if name != "" {
		w.line = append(AppendQuoted(w.line, name), ':')
	}
}

// raw writes a value that is already JSON.
func (w *writer) raw(name, value string) {
	w.name(name)
	w.line = append(w.line, value...)
}

// text writes a string.
func (w *writer) text(name, value string) {
	w.name(name)
	w.line = AppendQuoted(w.line, value)
}

func (w *writer) number(name string, n int)       { w.raw(name, strconv.Itoa(n)) }
func (w *writer) boolean(name string, yes bool)   { w.raw(name, strconv.FormatBool(yes)) }
func (w *writer) fraction(name string, f float64) { w.raw(name, strconv.FormatFloat(f, 'f', -1, 64)) }
func (w *writer) open(name string, bracket byte)  { w.raw(name, string(rune(bracket))) }
func (w *writer) close(bracket byte)              { w.line = append(w.line, bracket) }
