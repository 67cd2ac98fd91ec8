package sgf

import (
	"fmt"
	"strconv"
	"strings"

	"gyre/cmd/gyre-board/internal/referee"
	"gyre/position"
)

// Read reads all games of a file. The error is an *Error.
func Read(text string) ([]Game, error) {
	l := &lexer{text: text, line: 1}
	games, err := l.games()
	if err != nil {
		return nil, err
	}
	var read []Game
	for _, g := range games {
		game, err := replay(g)
		if err != nil {
			return nil, err
		}
		read = append(read, *game)
	}
	return read, nil
}

// Looks tells whether a text looks like such a file rather than like a record
// or a position: it begins with a parenthesis.
func Looks(text string) bool {
	l := &lexer{text: text}
	return l.next() == '('
}

// place is where one is in a file, on one of the ways on.
type place struct {
	node  *Node // the last turn that is complete
	steps referee.Replay
	hand  hand
	sides [2]position.Side // of the players
	begun bool             // whether sides are known
	held  Notes            // of the turn in the making
}

// replaying is a game of which a part is replayed.
type replaying struct {
	place
	above []place // where the ways on began that are open
	nodes int     // of the file that have begun

	// Of the file's node that is being read:
	acted bool // whether a player did something in it
	notes Notes
	clock [2]*property // WL and BL
}

// replay replays a game along all its ways.
func replay(g game) (*Game, error) {
	line := g.mainLine()
	read := &Game{Root: &Node{}}
	var err error
	if read.Start, err = startOf(line); err != nil {
		return nil, err
	}
	read.Own = ownOf(line)
	r := &replaying{place: place{node: read.Root, steps: referee.NewReplay(read.Start)}}
	var main *place // the end of the main line
	for _, t := range append(g, token{kind: closeToken}) {
		if t.kind == propertyToken {
			if err := r.read(t.property); err != nil {
				return nil, err
			}
			continue
		}
		r.endNode()
		switch t.kind {
		case nodeToken:
			r.nodes++
		case openToken:
			r.above = append(r.above, r.place)
		case closeToken:
			r.node.Notes.add(r.held)
			if main == nil {
				end := r.place
				main = &end
			}
			if n := len(r.above); n > 0 {
				r.place, r.above = r.above[n-1], r.above[:n-1]
			}
		}
	}
	read.finish(tagsOf(line), main)
	return read, nil
}

// read reads a property of a node.
func (r *replaying) read(p property) error {
	switch p.name {
	case "C":
		r.notes.add(Notes{Comment: strings.ToValidUTF8(p.value(), "?")})
	case "DO":
		r.notes.Fault = Doubtful
	case "BM":
		r.notes.Fault = Bad
		if p.value() == "2" {
			r.notes.Fault = VeryBad
		}
	case "AR", "CR":
		r.readArrows(p)
	case "WL":
		r.clock[0] = &p
	case "BL":
		r.clock[1] = &p
	case ownNode:
		r.notes.Own = p.value()
	}
	for _, value := range p.values {
		a, ok, err := actionOf(p, value)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		r.acted = true
		if err := r.act(a); err != nil {
			return err
		}
	}
	return nil
}

// endNode puts the notes of a node of the file where they belong: to the turn that is
// complete in it, or else to the one that comes; those of the first node to the start.
func (r *replaying) endNode() {
	r.readClock()
	ours := r.acted && !r.steps.InTurn() && r.hand == (hand{}) || r.nodes <= 1 && !r.acted
	if ours {
		r.node.Notes.add(r.notes)
	} else {
		r.held.add(r.notes)
	}
	r.notes, r.clock, r.acted = Notes{}, [2]*property{}, false
}

// act does what an action does.
func (r *replaying) act(a action) error {
	switch a.verb {
	case "resign":
		r.node.End = &End{wins(r.sideOf(a.player).Opponent()), "resignation"}
		return nil
	case "acceptdraw":
		r.node.End = &End{position.Draw, "agreement"}
		return nil
	}
	step, ok := r.hand.step(a)
	if !ok {
		return nil
	}
	if !r.begun {
		// Whoever begins plays the side that does, whichever the number of the player.
		side := r.steps.Now().SideToMove()
		r.sides[a.player], r.sides[1-a.player], r.begun = side, side.Opponent(), true
	}
	if pass, passed := r.steps.PassFor(r.sideOf(a.player)); passed {
		r.add(pass)
	}
	turn, complete, err := r.steps.Do(r.sideOf(a.player), step)
	if err != nil {
		return refuse(a.line, "%s: %v", a.verb, err)
	}
	if complete {
		r.add(turn)
	}
	return nil
}

// sideOf returns the side of a player; before the first ring, player 0 is white.
func (p *place) sideOf(player int) position.Side {
	if !p.begun {
		return position.Side(player)
	}
	return p.sides[player]
}

// wins returns the result that a side wins.
func wins(side position.Side) position.Result {
	if side == position.White {
		return position.WhiteWins
	}
	return position.BlackWins
}

// add goes on by a turn that is complete.
func (r *replaying) add(turn position.Turn) {
	child := &Node{Turn: turn, Notes: r.held}
	r.node.Children = append(r.node.Children, child)
	r.node, r.held = child, Notes{}
}

// The pieces and places that actions name.
const (
	whiteRing   = "wr"
	blackRing   = "br"
	whiteMarker = "w"
	blackMarker = "b"
	onBoard     = "board"
)

// action is what a player did: P0[12 place wr G 2] is number 12 of player 0.
type action struct {
	line   int
	player int // 0 or 1
	verb   string
	object string // a piece or a place; may be empty
	points []position.Point
}

// actionOf reads a value of a property as an action, and tells whether it is one.
// Others tell about the players or the time.
func actionOf(p property, value string) (a action, ok bool, err error) {
	words := strings.Fields(value)
	if len(words) < 2 || p.name != "P0" && p.name != "P1" {
		return a, false, nil
	}
	if _, err := strconv.Atoi(words[0]); err != nil {
		return a, false, nil
	}
	a = action{line: p.line, player: int(p.name[1] - '0'), verb: strings.ToLower(words[1])}
	words = words[2:]
	if a.verb == "start" {
		return a, true, nil
	}
	if len(words)%2 == 1 {
		a.object, words = strings.ToLower(words[0]), words[1:]
	}
	for ; len(words) > 0; words = words[2:] {
		point, err := position.ParsePoint(words[0] + words[1])
		if err != nil {
			return a, false, refuse(p.line, "%v", err)
		}
		a.points = append(a.points, point)
	}
	return a, true, nil
}

// is tells whether the action is a verb with so many points.
func (a *action) is(verb string, points int) bool { return a.verb == verb && len(a.points) == points }

// hand is what a player holds between two actions.
type hand struct {
	ring bool           // a ring to be placed
	from position.Point // where the ring stood that is to be dropped
	full bool           // whether from holds
}

// step returns the step that an action makes, with what the hand holds, and
// tells whether it makes one. What it does not know makes no step.
func (h *hand) step(a action) (position.Step, bool) {
	ring := a.object == whiteRing || a.object == blackRing
	marker := a.object == whiteMarker || a.object == blackMarker
	switch {
	case a.is("place", 1) && ring:
		*h = hand{}
		return position.Step{Kind: position.StepPlace, To: a.points[0]}, true
	case a.is("place", 1) && marker, a.is("pick", 1) && a.object == onBoard:
		*h = hand{from: a.points[0], full: true}
	case a.is("pick", 0) && ring:
		*h = hand{ring: true}
	case a.is("drop", 1) && a.object == onBoard && h.ring:
		*h = hand{}
		return position.Step{Kind: position.StepPlace, To: a.points[0]}, true
	case a.is("drop", 1) && a.object == onBoard && h.full:
		from := h.from
		*h = hand{}
		if from != a.points[0] {
			return position.Step{Kind: position.StepMove, From: from, To: a.points[0]}, true
		}
	case a.is("drop", 0):
		*h = hand{} // back where it came from
	case a.is("move", 2):
		*h = hand{}
		return position.Step{Kind: position.StepMove, From: a.points[0], To: a.points[1]}, true
	case a.is("remove", 2) && marker:
		row, ok := position.RowBetween(a.points[0], a.points[1])
		return position.Step{Kind: position.StepTakeRow, Row: row}, ok
	case a.is("remove", 1) && ring:
		return position.Step{Kind: position.StepTakeRing, From: a.points[0]}, true
	case a.verb == "pass":
		return position.Step{Kind: position.StepPass}, true
	}
	return position.Step{}, false
}

// Error is a file that cannot be read.
type Error struct {
	Line   int // from 1
	Reason string
}

// Error returns line and reason.
func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// refuse is short for an *Error whose reason is formatted.
func refuse(line int, format string, args ...any) *Error {
	return &Error{Line: line, Reason: fmt.Sprintf(format, args...)}
}

// property is one of a node's, such as P0[12 Done].
type property struct {
	line   int
	name   string
	values []string // at least one
}

// value returns the first value.
func (p *property) value() string { return p.values[0] }

// tokenKind is what a token of a game is.
type tokenKind uint8

const (
	nodeToken     tokenKind = iota // a semicolon: a node begins
	openToken                      // a way on begins
	closeToken                     // it ends
	propertyToken                  // of the node that has begun
)

// token is a piece of a game.
type token struct {
	kind tokenKind
	property
}

// game is what stands between the parentheses of a game.
type game []token

// mainLine returns the properties along the first way on: it ends with the first
// parenthesis that closes.
func (g game) mainLine() []property {
	var line []property
	for _, t := range g {
		switch t.kind {
		case propertyToken:
			line = append(line, t.property)
		case closeToken:
			return line
		}
	}
	return line
}

// lexer goes through a file.
type lexer struct {
	text string
	at   int
	line int
}

// next returns the next character that is not white space, 0 at the end, and
// leaves it there.
func (l *lexer) next() byte {
	for l.at < len(l.text) {
		switch c := l.text[l.at]; c {
		case '\n':
			l.line++
			l.at++
		case ' ', '\t', '\r', '\v', '\f':
			l.at++
		default:
			return c
		}
	}
	return 0
}

// games reads all games of a file.
func (l *lexer) games() ([]game, error) {
	var games []game
	for l.next() != 0 {
		g, err := l.game()
		if err != nil {
			return nil, err
		}
		games = append(games, g)
	}
	if len(games) == 0 {
		return nil, refuse(l.line, "there is no game")
	}
	return games, nil
}

// mostOpen is how many parentheses can be open at once. Those of a game are fewer,
// as each has a turn of its own.
const mostOpen = 1000

// game reads what stands between two parentheses.
func (l *lexer) game() (game, error) {
	if l.next() != '(' {
		return nil, refuse(l.line, "a game begins with a parenthesis, not with %q", l.text[l.at])
	}
	var g game
	l.at++
	for open := 1; ; {
		switch c := l.next(); c {
		case 0:
			return nil, refuse(l.line, "the file ends within a game")
		case '(':
			if open++; open > mostOpen {
				return nil, refuse(l.line, "more than %d parentheses are open", mostOpen)
			}
			g = append(g, token{kind: openToken})
			l.at++
		case ')':
			l.at++
			if open--; open == 0 {
				return g, nil
			}
			g = append(g, token{kind: closeToken})
		case ';':
			l.at++
			g = append(g, token{kind: nodeToken})
		default:
			p, err := l.property()
			if err != nil {
				return nil, err
			}
			g = append(g, token{propertyToken, p})
		}
	}
}

// property reads a name with its values.
func (l *lexer) property() (property, error) {
	p := property{line: l.line}
	begin := l.at
	for l.at < len(l.text) && isNameByte(l.text[l.at]) {
		l.at++
	}
	p.name = l.text[begin:l.at]
	if p.name == "" {
		return p, refuse(l.line, "%q stands where a property should", l.text[l.at])
	}
	for l.next() == '[' {
		value, err := l.value()
		if err != nil {
			return p, err
		}
		p.values = append(p.values, value)
	}
	if len(p.values) == 0 {
		return p, refuse(p.line, "%s has no value", p.name)
	}
	return p, nil
}

// isNameByte tells whether a property's name may have a byte.
func isNameByte(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
}

// value reads what stands in brackets. A backslash takes the next character as
// it is, and takes out the end of a line.
func (l *lexer) value() (string, error) {
	begin := l.line
	l.at++
	var b strings.Builder
	for ; l.at < len(l.text); l.at++ {
		c := l.text[l.at]
		switch {
		case c == ']':
			l.at++
			return b.String(), nil
		case c == '\\' && l.at+1 < len(l.text):
			l.at++
			c = l.text[l.at]
			if c == '\r' && strings.HasPrefix(l.text[l.at:], "\r\n") {
				l.at++
				c = '\n'
			}
			if c == '\n' {
				l.line++
				continue
			}
		}
		if c == '\n' {
			l.line++
		}
		b.WriteByte(c)
	}
	return "", refuse(begin, "a bracket that is not closed")
}

// escape returns a value as it stands in brackets.
func escape(value string) string {
	return strings.NewReplacer(`\`, `\\`, `]`, `\]`).Replace(value)
}
