package protocol

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"gyre/position"
)

// Info is one report of a search, an `info` line. A number that is zero was
// not given, and is not written.
type Info struct {
	Depth    int // plies that were searched in full
	SelDepth int // plies of the deepest line looked at
	MultiPV  int // rank of this line among those asked for, from 1

	Score    Score
	HasScore bool // whether Score and Bound were given
	Bound    Bound

	WDL    [3]int // permille of wins, draws and losses expected; they add up to 1000
	HasWDL bool

	Nodes    uint64
	NPS      uint64        // nodes a second; the server works it out from Nodes and Time when zero
	Time     time.Duration // since the search began
	HashFull int           // permille of the table that is in use

	PV      []position.Turn // the line expected from the root on
	Illegal string          // the word at which a line that was read was no turn any more, and ended; never written
	Message string          // for people; a line of its own, `info string`
}

// Proven tells whether the report proves how the game ends: by a mate score that is exact,
// or a win at least. A loss at most may be that of this line alone.
func (i *Info) Proven() bool {
	return i.HasScore && i.Score.Mate && (i.Bound == Exact || i.Bound == LowerBound && i.Score.Value > 0)
}

// String returns the `info` line, or the two lines when the report holds both
// numbers and a message, without the last line break. An empty report is the
// empty string.
func (i *Info) String() string {
	var b strings.Builder
	i.writeNumbers(&b)
	if len(i.PV) > 0 {
		b.WriteString(" pv")
		for _, t := range i.PV {
			b.WriteByte(' ')
			b.WriteString(t.String())
		}
	}
	if b.Len() == 0 && i.Message == "" {
		return ""
	}
	line := ""
	if b.Len() > 0 {
		line = "info" + b.String()
	}
	if i.Message == "" {
		return line
	}
	if line != "" {
		line += "\n"
	}
	return line + "info string " + printable(i.Message)
}

// writeNumbers writes everything but the line of turns and the message, with
// a space before each word.
func (i *Info) writeNumbers(b *strings.Builder) {
	positive := func(word string, value int) {
		if value > 0 {
			fmt.Fprintf(b, " %s %d", word, value)
		}
	}
	positive("depth", i.Depth)
	positive("seldepth", i.SelDepth)
	positive("multipv", i.MultiPV)
	if i.HasScore {
		b.WriteString(" score " + i.Score.String())
		if i.Bound != Exact {
			b.WriteString(" " + i.Bound.String())
		}
	}
	if i.HasWDL {
		fmt.Fprintf(b, " wdl %d %d %d", i.WDL[0], i.WDL[1], i.WDL[2])
	}
	if i.Nodes > 0 {
		fmt.Fprintf(b, " nodes %d", i.Nodes)
	}
	if nps := i.nodesPerSecond(); nps > 0 {
		fmt.Fprintf(b, " nps %d", nps)
	}
	positive("hashfull", i.HashFull)
	if i.Time > 0 || i.Nodes > 0 {
		fmt.Fprintf(b, " time %d", i.Time.Milliseconds())
	}
}

// nodesPerSecond returns the speed, given or worked out; 0 when unknown.
func (i *Info) nodesPerSecond() uint64 {
	if i.NPS > 0 || i.Time <= 0 {
		return i.NPS
	}
	return perSecond(i.Nodes, i.Time)
}

// perSecond returns nodes a second for nodes done in elapsed; an unmeasurably
// short time counts as a nanosecond.
func perSecond(nodes uint64, elapsed time.Duration) uint64 {
	return uint64(float64(nodes) / max(elapsed, 1).Seconds())
}

// Score is a value from the point of view of the side to move at the root.
type Score struct {
	// Mate tells that the end of the game is seen: Value is then the number
	// of plies to it, positive when the side to move wins.
	Mate bool
	// Value is in hundredths of the unit that PROTOCOL.md defines, unless Mate.
	Value int
}

// String returns the score in the words of the protocol, `cp N` or `mate N`.
func (s Score) String() string {
	if s.Mate {
		return "mate " + strconv.Itoa(s.Value)
	}
	return "cp " + strconv.Itoa(s.Value)
}

// Bound tells how a reported score relates to the true one.
type Bound uint8

// A score is exact, or the true one is at least (LowerBound) or at most
// (UpperBound) as high.
const (
	Exact Bound = iota
	LowerBound
	UpperBound
)

// String returns the word of the protocol for the bound; it is empty for Exact.
func (b Bound) String() string {
	switch b {
	case Exact:
		return ""
	case LowerBound:
		return "lowerbound"
	case UpperBound:
		return "upperbound"
	}
	return fmt.Sprintf("Bound(%d)", uint8(b))
}

// mostInLine is the most turns read of a line of turns; no game is longer.
const mostInLine = 200

// infoWords have a meaning of their own in an `info` line and so end the turns
// of a line.
var infoWords = map[string]func(*infoReader){
	"depth":      func(r *infoReader) { r.count(&r.info.Depth) },
	"seldepth":   func(r *infoReader) { r.count(&r.info.SelDepth) },
	"multipv":    func(r *infoReader) { r.count(&r.info.MultiPV) },
	"hashfull":   func(r *infoReader) { r.count(&r.info.HashFull) },
	"nodes":      func(r *infoReader) { r.large(&r.info.Nodes) },
	"nps":        func(r *infoReader) { r.large(&r.info.NPS) },
	"time":       (*infoReader).time,
	"cp":         func(r *infoReader) { r.score(false) },
	"mate":       func(r *infoReader) { r.score(true) },
	"lowerbound": func(r *infoReader) { r.info.Bound = LowerBound },
	"upperbound": func(r *infoReader) { r.info.Bound = UpperBound },
	"wdl":        (*infoReader).wdl,
	"pv":         nil, // these three are read where they are met
	"score":      nil,
	"string":     nil,
}

// ParseInfo reads an `info` line of a search at root, and reports whether it is
// one. It is as lenient as UCI asks: unknown words and wrong numbers are passed
// over, and the line of turns ends before the first that is not legal.
func ParseInfo(line string, root *position.Position) (Info, bool) {
	r := &infoReader{words: words{rest: strings.Fields(line)}, root: root}
	if first, _ := r.next(); first != "info" {
		return Info{}, false
	}
	for {
		word, ok := r.next()
		if !ok {
			break
		}
		switch word {
		case "pv":
			r.turns()
		case "string":
			r.info.Message = printable(strings.Join(r.all(), " "))
		default:
			if read := infoWords[word]; read != nil {
				read(r)
			}
		}
	}
	if !r.info.HasScore {
		r.info.Bound = Exact
	}
	return r.info, true
}

// infoReader reads the words of an `info` line into info.
type infoReader struct {
	words
	root *position.Position
	info Info
}

// number takes the next word if it is a whole number from least to most.
func (r *infoReader) number(least, most int64) (int64, bool) {
	if len(r.rest) == 0 {
		return 0, false
	}
	n, err := strconv.ParseInt(r.rest[0], 10, 64)
	if err != nil || n < least || n > most {
		return 0, false
	}
	r.rest = r.rest[1:]
	return n, true
}

func (r *infoReader) count(into *int) {
	if n, ok := r.number(0, math.MaxInt32); ok {
		*into = int(n)
	}
}

func (r *infoReader) large(into *uint64) {
	if n, ok := r.number(0, math.MaxInt64); ok {
		*into = uint64(n)
	}
}

func (r *infoReader) time() {
	if n, ok := r.number(0, longestTime); ok {
		r.info.Time = milliseconds(n)
	}
}

func (r *infoReader) score(mate bool) {
	if n, ok := r.number(-math.MaxInt32, math.MaxInt32); ok {
		r.info.Score, r.info.HasScore = Score{Mate: mate, Value: int(n)}, true
	}
}

// wdl reads three numbers, or nothing.
func (r *infoReader) wdl() {
	var wdl [3]int
	for i := range wdl {
		n, ok := r.number(0, 1000)
		if !ok {
			return
		}
		wdl[i] = int(n)
	}
	r.info.WDL, r.info.HasWDL = wdl, true
}

// turns reads the line of turns.
func (r *infoReader) turns() {
	r.info.PV, r.info.Illegal = nil, ""
	list := r.until(func(word string) bool {
		_, known := infoWords[word]
		return known
	})
	p := *r.root
	for _, word := range list[:min(len(list), mostInLine)] {
		t, err := p.ParseTurn(word)
		if err != nil {
			r.info.Illegal = printable(word)
			return
		}
		r.info.PV = append(r.info.PV, t)
		var child position.Position
		p.Play(&child, t)
		p = child
	}
}
