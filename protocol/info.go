package protocol

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"gyre/position"
	"gyre/search"
)

// Info is one report of a search, an `info` line. A number that is zero is unknown and
// not written.
type Info struct {
	Depth    int // plies searched in full
	SelDepth int // plies of the deepest line searched
	MultiPV  int // rank of this line, from 1

	Score    Score
	HasScore bool // whether Score and Bound were given
	Bound    search.Bound

	WDL    [3]int // chances of a win, a draw and a loss, in permille; the sum is 1000
	HasWDL bool

	Nodes    uint64
	NPS      uint64        // nodes per second; if zero, computed from Nodes and Time
	Time     time.Duration // since the search began
	HashFull int           // used part of the table, in permille

	PV      []position.Turn // the expected line from the root
	Illegal string          // set by ParseInfo: the first word of the pv that is not a legal turn; PV ends before it
	Unread  string          // set by ParseInfo: the first keyword whose value could not be read
	Message string          // for people: written as a separate line, `info string`
}

// Proven reports whether the score proves the result of the game: an exact mate score, a win
// that is a lower bound, or a loss that is an upper bound.
func (i *Info) Proven() bool {
	return i.HasScore && i.Score.Mate &&
		(i.Bound == search.Exact || i.Bound == search.Lower && i.Score.Value > 0 || i.Bound == search.Upper && i.Score.Value <= 0)
}

// String returns the `info` line without a line end. A report with both numbers and a
// message takes two lines. An empty report is the empty string.
func (i *Info) String() string {
	var lines []string
	if progress := i.progress(); progress != "" {
		lines = append(lines, "info"+progress)
	}
	if i.Message != "" {
		lines = append(lines, "info string "+printable(i.Message))
	}
	return strings.Join(lines, "\n")
}

// progress returns everything except the message, with a space before each word.
func (i *Info) progress() string {
	var b strings.Builder
	positive := func(word string, value int) {
		if value > 0 {
			fmt.Fprintf(&b, " %s %d", word, value)
		}
	}
	positive("depth", i.Depth)
	positive("seldepth", i.SelDepth)
	positive("multipv", i.MultiPV)
	if i.HasScore {
		b.WriteString(" score " + i.Score.String())
		if i.Bound != search.Exact {
			b.WriteString(" " + i.Bound.String() + "bound")
		}
	}
	if i.HasWDL {
		fmt.Fprintf(&b, " wdl %d %d %d", i.WDL[0], i.WDL[1], i.WDL[2])
	}
	if i.Nodes > 0 {
		fmt.Fprintf(&b, " nodes %d", i.Nodes)
	}
	if nps := i.nodesPerSecond(); nps > 0 {
		fmt.Fprintf(&b, " nps %d", nps)
	}
	positive("hashfull", i.HashFull)
	if i.Time > 0 || i.Nodes > 0 {
		fmt.Fprintf(&b, " time %d", i.Time.Milliseconds())
	}
	if len(i.PV) > 0 {
		b.WriteString(" pv " + strings.Join(position.Words(i.PV), " "))
	}
	return b.String()
}

// nodesPerSecond returns NPS or computes it; 0 if unknown.
func (i *Info) nodesPerSecond() uint64 {
	if i.NPS > 0 || i.Time <= 0 {
		return i.NPS
	}
	return perSecond(i.Nodes, i.Time)
}

// perSecond returns nodes per second. A time of zero counts as a nanosecond.
func perSecond(nodes uint64, elapsed time.Duration) uint64 {
	return uint64(float64(nodes) / max(elapsed, 1).Seconds())
}

// Score is a value from the point of view of the side to move at the root.
type Score struct {
	// Mate means that Value is the number of plies to the end of the game,
	// positive if the side to move wins.
	Mate bool
	// Value is otherwise in hundredths of the unit that PROTOCOL.md defines.
	Value int
}

// String returns the score in the words of the protocol, `cp N` or `mate N`.
func (s Score) String() string {
	if s.Mate {
		return "mate " + strconv.Itoa(s.Value)
	}
	return "cp " + strconv.Itoa(s.Value)
}

// ScoreFields are the fields of JSON that hold a score. At most one is set; neither is if
// the score is unknown.
type ScoreFields struct {
	CP   *int `json:"cp,omitempty"`
	Mate *int `json:"mate,omitempty"`
}

// Fields returns the score as fields of JSON.
func (s Score) Fields() ScoreFields {
	if s.Mate {
		return ScoreFields{Mate: &s.Value}
	}
	return ScoreFields{CP: &s.Value}
}

// Score returns the score, and whether it is known.
func (f ScoreFields) Score() (s Score, known bool) {
	switch {
	case f.Mate != nil:
		return Score{Mate: true, Value: *f.Mate}, true
	case f.CP != nil:
		return Score{Value: *f.CP}, true
	}
	return Score{}, false
}

// maxPV is the most turns read of a pv. No game is longer.
const maxPV = 200

// infoWords are the keywords of an `info` line, those of UCI that are not read included.
// They end a pv.
var infoWords = map[string]func(*infoReader){
	"depth":      func(r *infoReader) { r.count(&r.info.Depth) },
	"seldepth":   func(r *infoReader) { r.count(&r.info.SelDepth) },
	"multipv":    (*infoReader).rank,
	"hashfull":   func(r *infoReader) { r.count(&r.info.HashFull) },
	"nodes":      func(r *infoReader) { r.large(&r.info.Nodes) },
	"nps":        func(r *infoReader) { r.large(&r.info.NPS) },
	"time":       (*infoReader).time,
	"cp":         func(r *infoReader) { r.score(false) },
	"mate":       func(r *infoReader) { r.score(true) },
	"lowerbound": func(r *infoReader) { r.info.Bound = search.Lower },
	"upperbound": func(r *infoReader) { r.info.Bound = search.Upper },
	"wdl":        (*infoReader).wdl,
	"pv":         nil, // read by ParseInfo: its turns end at the next word of this table
	"score":      (*infoReader).expectScore,
	"string":     func(r *infoReader) { r.info.Message = printable(strings.Join(r.all(), " ")) },

	"currmove": nil, "currmovenumber": nil, "tbhits": nil, "sbhits": nil, "cpuload": nil, "refutation": nil, "currline": nil,
}

// ParseInfo parses an `info` line of a search at root, and reports whether the line is
// one. It is lenient, as UCI asks: it skips unknown words and numbers that it cannot read,
// and ends the pv before the first turn that is not legal.
func ParseInfo(line string, root *position.Position) (Info, bool) {
	r := &infoReader{words: words{rest: fields(line)}, root: root}
	if first, _ := r.next(); first != "info" {
		return Info{}, false
	}
	for {
		word, ok := r.next()
		if !ok {
			break
		}
		if word == "pv" {
			r.turns()
		} else if read := infoWords[word]; read != nil {
			r.keyword = word
			read(r)
		}
	}
	if !r.info.HasScore {
		r.info.Bound = search.Exact
	}
	return r.info, true
}

// infoReader parses the words of an `info` line.
type infoReader struct {
	words
	root    *position.Position
	info    Info
	keyword string // being read
}

// unread records that the value of the keyword could not be read.
func (r *infoReader) unread() { r.info.Unread = cmp.Or(r.info.Unread, r.keyword) }

// number takes the next word if it is a whole number from minimum to maximum.
func (r *infoReader) number(minimum, maximum int64) (int64, bool) {
	if len(r.rest) == 0 {
		r.unread()
		return 0, false
	}
	n, err := strconv.ParseInt(r.rest[0], 10, 64)
	if err != nil || n < minimum || n > maximum {
		r.unread()
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

func (r *infoReader) rank() {
	if n, ok := r.number(1, math.MaxInt32); ok {
		r.info.MultiPV = int(n)
	}
}

func (r *infoReader) large(into *uint64) {
	if n, ok := r.number(0, math.MaxInt64); ok {
		*into = uint64(n)
	}
}

func (r *infoReader) time() {
	if n, ok := r.number(0, maxMilliseconds); ok {
		r.info.Time = milliseconds(n)
	}
}

// expectScore checks that a value or a bound follows `score`.
func (r *infoReader) expectScore() {
	if len(r.rest) == 0 || !slices.Contains([]string{"cp", "mate", "lowerbound", "upperbound"}, r.rest[0]) {
		r.unread()
	}
}

func (r *infoReader) score(mate bool) {
	if n, ok := r.number(-math.MaxInt32, math.MaxInt32); ok {
		r.info.Score, r.info.HasScore = Score{Mate: mate, Value: int(n)}, true
	}
}

// wdl sets WDL if three numbers follow.
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

// turns parses the turns after pv.
func (r *infoReader) turns() {
	r.info.Illegal = ""
	list := r.until(func(word string) bool {
		_, known := infoWords[word]
		return known
	})
	list = list[:min(len(list), maxPV)]
	var err error
	if r.info.PV, err = r.root.ParseTurns(list); err != nil {
		r.info.Illegal = printable(list[len(r.info.PV)])
		r.keyword = "pv"
		r.unread()
	}
}
