package protocol

import (
	"math"
	"strconv"
	"strings"

	"gyre/position"
)

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
