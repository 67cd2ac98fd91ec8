// Package sgf reads and writes boardspace.net's YINSH games: files in the Smart Game Format
// whose nodes record the players' mouse actions.
//
// Boardspace names points as Gyre does. It splits a turn into nodes: placing a marker and
// dropping a ring, or a move; removing a row, removing a ring; and "Done" after each. The
// rules determine where a turn ends, so the reader ignores "Done". It also ignores
// preparations, for example picking up a piece.
//
// The format also holds whole trees. Notes use the properties of FF[4]: C, AR and CR (arrows,
// circles), WL and BL (clocks), DO and BM (bad turns). Notes without a standard property go
// into private ones, which other programs keep or ignore: GYRESTART, the position at the
// start; GYREGAME and GYRE, texts of the caller for the game and for a node. A note that the
// reader does not understand is ignored.
package sgf

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gyre/position"
	"gyre/position/record"
)

// Game is a game of a file.
type Game struct {
	Start position.Position
	Tags  []record.Tag // of those that Holds tells of
	Own   string       // what the caller keeps of the game besides; empty for nothing
	Root  *Node        // the start
}

// Node is a position in the tree of a game: the start, or what a turn led to.
type Node struct {
	Turn     position.Turn // None at the start
	Notes    Notes
	End      *End    // where the game ended here and the board does not show it
	Children []*Node // the first is the main way on
}

// Notes are what stands beside a turn.
type Notes struct {
	Comment string
	Arrows  [][2]position.Point // a circle where both points are the same
	Clock   *Clock
	Fault   Fault
	Own     string // what the caller keeps of the node besides; empty for nothing
}

// Clock is what was left to both sides when the turn was done, in milliseconds.
type Clock struct{ White, Black float64 }

// Fault is how bad a turn is.
type Fault uint8

// The faults: as DO, BM[1] and BM[2] tell them.
const (
	NoFault Fault = iota
	Doubtful
	Bad
	VeryBad
)

// End is the end of a game that the board does not show.
type End struct {
	Result position.Result
	Why    string // "resignation", "agreement", "time forfeit", "forfeit" or "adjudication" in files of others
}

// Leaf returns the end of the main line.
func (g *Game) Leaf() *Node {
	node := g.Root
	for len(node.Children) > 0 {
		node = node.Children[0]
	}
	return node
}

// Holds tells whether the format has a place for a tag where its value stays as it is.
func Holds(tag record.Tag) bool {
	switch tag.Name {
	case "White", "Black", "Event":
		return tag.Value != "" && tag.Value == strings.Trim(record.Printable(tag.Value), `"`)
	case "Date":
		date, ok := dateOf(strings.ReplaceAll(tag.Value, ".", "-"))
		return ok && date == tag.Value
	}
	return false
}

// add adds other notes: comments and arrows come after those that are there, of
// everything else the last stays.
func (n *Notes) add(other Notes) {
	if n.Comment != "" && other.Comment != "" {
		n.Comment += "\n"
	}
	n.Comment += other.Comment
	n.Arrows = append(n.Arrows[:len(n.Arrows):len(n.Arrows)], other.Arrows...)
	if other.Clock != nil {
		n.Clock = other.Clock
	}
	if other.Fault != NoFault {
		n.Fault = other.Fault
	}
	if other.Own != "" {
		n.Own = other.Own
	}
}

// readArrows reads arrows, E5:F6, and circles, E5. What names no points of the board is
// another program's.
func (r *replaying) readArrows(p property) {
values:
	for _, value := range p.values {
		from, to, composed := strings.Cut(value, ":")
		if !composed {
			to = from
		}
		var arrow [2]position.Point
		for i, name := range [2]string{from, to} {
			point, err := position.ParsePoint(strings.TrimSpace(name))
			if err != nil {
				continue values
			}
			arrow[i] = point
		}
		r.notes.Arrows = append(r.notes.Arrows, arrow)
	}
}

// readClock reads what is left to both sides, where both are told as numbers.
func (r *replaying) readClock() {
	var clock Clock
	for i, left := range [2]*float64{&clock.White, &clock.Black} {
		p := r.clock[i]
		if p == nil {
			return
		}
		var err error
		if *left, err = millisecondsOf(p.value()); err != nil {
			return
		}
	}
	r.notes.Clock = &clock
}

// Clocks are kept in milliseconds, and the format has seconds. The point is moved in
// the text, so that a time that goes out and comes in again is the same number.

// secondsOf returns milliseconds as a number of seconds without an exponent.
func secondsOf(ms float64) string {
	text := strconv.FormatFloat(ms, 'f', -1, 64)
	sign := ""
	if text[0] == '-' {
		sign, text = "-", text[1:]
	}
	whole, part, _ := strings.Cut(text, ".")
	whole = strings.Repeat("0", max(0, 4-len(whole))) + whole
	cut := len(whole) - 3
	part = strings.TrimRight(whole[cut:]+part, "0")
	if part != "" {
		part = "." + part
	}
	return sign + whole[:cut] + part
}

// millisecondsOf reads a number of seconds as milliseconds.
func millisecondsOf(text string) (float64, error) {
	whole, part, _ := strings.Cut(strings.TrimSpace(text), ".")
	part += strings.Repeat("0", max(0, 3-len(part)))
	if strings.Trim(whole, "+-0123456789") != "" || strings.Trim(part, "0123456789") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(whole+part[:3]+"."+part[3:], 64)
}

// recordDate is the form of dates in records.
const recordDate = "2006.01.02"

// The properties of our own.
const (
	ownStart = "GYRESTART"
	ownGame  = "GYREGAME"
	ownNode  = "GYRE"
)

// tags are what a file tells about a game.
type tags struct {
	players [2]string // by the file's numbers
	result  string    // in words, of any language
	others  []record.Tag
}

// tagsOf returns what a game tells about itself.
func tagsOf(g []property) tags {
	var t tags
	for _, p := range g {
		switch value := record.Printable(p.value()); p.name {
		case "GN":
			t.others = append(t.others, record.Tag{Name: "Event", Value: value})
		case "DT":
			if date, ok := dateOf(value); ok {
				t.others = append(t.others, record.Tag{Name: "Date", Value: date})
			}
		case "RE":
			t.result = value
		case "P0", "P1":
			if name, ok := strings.CutPrefix(value, "id "); ok {
				t.players[p.name[1]-'0'] = strings.Trim(name, `"`)
			}
		}
	}
	return t
}

// finish gives a game its tags, and the end that the file tells of where the main
// line, which ends at a place, shows none.
func (g *Game) finish(t tags, main *place) {
	for side, name := range [2]string{position.White: "White", position.Black: "Black"} {
		player := 0
		if main.sideOf(0) != position.Side(side) {
			player = 1
		}
		if t.players[player] != "" {
			g.Tags = append(g.Tags, record.Tag{Name: name, Value: t.players[player]})
		}
	}
	g.Tags = append(g.Tags, t.others...)
	if main.node.End == nil && !main.steps.Now().Over() {
		main.node.End = t.end(main.sideOf)
	}
}

// plainResult is a result as the format has it: W+Resign, B+2, Draw.
var plainResult = regexp.MustCompile(`^(?:([WB])\+(.*)|0|Draw)$`)

// end returns the end that the words of the file tell, or nil: in the form of the
// format, or in the language of whoever saved it where they name just one of the
// players.
func (t *tags) end(sideOf func(player int) position.Side) *End {
	if found := plainResult.FindStringSubmatch(t.result); found != nil {
		why := map[string]string{"R": "resignation", "Resign": "resignation", "T": "time forfeit", "Time": "time forfeit", "F": "forfeit", "Forfeit": "forfeit"}[found[2]]
		if why == "" {
			why = "adjudication"
		}
		result := map[string]position.Result{"W": position.WhiteWins, "B": position.BlackWins, "": position.Draw}[found[1]]
		return &End{result, why}
	}
	var end *End
	for player, name := range t.players {
		if !names(t.result, name) {
			continue
		}
		if end != nil {
			return nil
		}
		end = &End{wins(sideOf(player)), "adjudication"}
	}
	return end
}

// names tells whether a text names a player: the name stands in it as a word, or
// as words, of its own.
func names(text, player string) bool {
	inWord := func(r rune, size int) bool { return size > 0 && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	for player != "" {
		before, after, found := strings.Cut(text, player)
		if !found {
			return false
		}
		if !inWord(utf8.DecodeLastRuneInString(before)) && !inWord(utf8.DecodeRuneInString(after)) {
			return true
		}
		text = after
	}
	return false
}

// startOf returns where a game begins. The error is an *Error.
func startOf(g []property) (position.Position, error) {
	rules, err := rulesOf(g)
	if err != nil {
		return position.Position{}, err
	}
	for _, p := range g {
		if p.name != ownStart {
			continue
		}
		start, err := position.Parse(p.value(), rules)
		if err != nil {
			return start, refuse(p.line, "%s: %v", p.name, err)
		}
		return start, nil
	}
	return position.Start(rules), nil
}

// ownOf returns what the caller keeps of the game.
func ownOf(g []property) string {
	for _, p := range g {
		if p.name == ownGame {
			return p.value()
		}
	}
	return ""
}

// rulesOf returns the rules of a game. The error is an *Error when it is not one
// of YINSH.
func rulesOf(g []property) (position.Rules, error) {
	for _, p := range g {
		if p.name != "SU" {
			continue
		}
		switch setup := strings.ToLower(p.value()); setup {
		case "yinsh":
			return position.Standard, nil
		case "yinsh-blitz":
			return position.Blitz, nil
		default:
			return position.Standard, refuse(p.line, "a game of %.40q, not of YINSH", p.value())
		}
	}
	line := 1
	if len(g) > 0 {
		line = g[0].line
	}
	return position.Standard, refuse(line, "SU, the property that names the game, is missing")
}

// dateOf returns a date such as "Fri Mar 13 19:56:26 GMT+01:00 2026", or
// "2026-03-13" as the format has it, as a record has it.
func dateOf(text string) (string, bool) {
	if date, err := time.Parse(time.DateOnly, text); err == nil {
		return date.Format(recordDate), true
	}
	words := strings.Fields(text)
	if len(words) < 4 {
		return "", false
	}
	date, err := time.Parse("Jan 2 2006", words[1]+" "+words[2]+" "+words[len(words)-1])
	return date.Format(recordDate), err == nil
}
