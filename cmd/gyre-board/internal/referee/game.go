// Package referee checks the turns and the positions that the page sends. It keeps no state:
// each question contains its position.
package referee

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"gyre/position"
	"gyre/position/record"
	"gyre/protocol"
)

// StartWord is the Start of a Path that begins with the empty board.
const StartWord = "startpos"

// Path is a position as the page sends it: a start and the turns played from there.
type Path struct {
	Rules string   `json:"rules"` // "standard" or "blitz"; empty means standard
	Start string   `json:"start"` // StartWord, empty for the same, or a position
	Turns []string `json:"turns"`
}

// maxTurns is the largest number of legal turns of a position that is read. Games have far fewer, but
// a position that somebody set up can have more than a million, and every list of them takes
// seconds and hundreds of megabytes.
const maxTurns = protocol.MaxTurns

// CheckTurns returns an *Error if a position has too many legal turns. It does not list them.
func CheckTurns(p *position.Position, where string) error {
	if p.CountTo(maxTurns+1) <= maxTurns {
		return nil
	}
	return Errorf(where, "the position has more than %d legal turns", maxTurns).With("many-turns", "most", maxTurns)
}

// Line is a Path that was read: legal turns and the positions around them. None of the positions has
// more than maxTurns legal turns.
type Line struct {
	Turns     []position.Turn
	Positions []position.Position // before the first turn, then after each
}

// Read replays the path. Its error is an *Error; for an illegal turn it contains the turn's
// number, counted from 1.
func (p Path) Read() (*Line, error) { return p.ReadAfter(0) }

// ReadAfter is Read for a path that continues a game after some turns: numbers in errors
// count them.
func (p Path) ReadAfter(ply int) (*Line, error) {
	start, err := p.start()
	if err != nil {
		return nil, err
	}
	line := &Line{Positions: []position.Position{start}}
	for i, word := range p.Turns {
		turn, err := line.End().ParseTurn(word)
		if err != nil {
			return nil, Because(fmt.Sprintf("turn %d", ply+i+1), err)
		}
		line.Add(turn)
		if err := CheckTurns(line.End(), fmt.Sprintf("turn %d", ply+i+1)); err != nil {
			return nil, err
		}
	}
	return line, nil
}

// start returns the position at the start of the path.
func (p Path) start() (position.Position, error) {
	rules := position.Standard
	if p.Rules != "" {
		var err error
		if rules, err = position.ParseRules(p.Rules); err != nil {
			return position.Position{}, Because("rules", err)
		}
	}
	if p.Start == "" || p.Start == StartWord {
		return position.Start(rules), nil
	}
	start, err := position.Parse(p.Start, rules)
	if err != nil {
		return position.Position{}, Because("start", err)
	}
	return start, CheckTurns(&start, "start")
}

// Add plays a legal turn at the end of the line.
func (l *Line) Add(turn position.Turn) {
	child := l.End().After(turn)
	l.Turns = append(l.Turns, turn)
	l.Positions = append(l.Positions, child)
}

// End returns the position after the last turn.
func (l *Line) End() *position.Position { return &l.Positions[len(l.Positions)-1] }

// Start returns the position before the first turn.
func (l *Line) Start() *position.Position { return &l.Positions[0] }

// Path returns the line in the form that the page uses.
func (l *Line) Path() Path {
	path := Path{Rules: l.Start().Rules().String(), Start: l.Start().String(), Turns: position.Words(l.Turns)}
	if path.Start == position.StartText {
		path.Start = StartWord
	}
	return path
}

// Threatened returns a line that starts at the end of l with the other side to move: the best
// turn there is the threat. If it cannot be the other side's turn, the error is an *Error.
func (l *Line) Threatened() (*Line, error) {
	p := l.End()
	switch {
	case p.Over():
		return nil, Errorf("", "the game is over: nothing is threatened")
	case p.Placing():
		return nil, Errorf("", "nothing is threatened while rings are placed")
	case p.HasRow(p.SideToMove()):
		return nil, Errorf("", "the row must be removed first")
	}
	pieces := p.Pieces()
	pieces.SideToMove = p.SideToMove().Opponent()
	other, err := pieces.Position()
	if err != nil {
		return nil, Errorf("", "%v", err)
	}
	if err := CheckTurns(&other, ""); err != nil {
		return nil, err
	}
	return &Line{Positions: []position.Position{other}}, nil
}

// Error reports an invalid question.
type Error struct {
	Message string          // what is wrong
	Where   string          // for example "rules", "start", "turn 12", "step 2" or "line 7"; empty for the whole question
	Fault   *position.Fault // what is wrong, for the page's words, or nil
}

// FaultOf returns the fault of an error of this package or of the packages position and record, or
// nil if it has no code.
func FaultOf(err error) *position.Fault {
	var fault position.Fault
	if known, ok := errors.AsType[*Error](err); ok {
		return known.Fault
	} else if read, ok := errors.AsType[*record.Error](err); ok {
		fault = read.Fault
	} else if cause, ok := errors.AsType[*position.Error](err); ok {
		fault = cause.Fault
	}
	if fault.Code == "" {
		return nil
	}
	return &fault
}

// Because converts an error. It keeps the fault, and the place of a [record.Error].
func Because(where string, err error) *Error {
	if read, ok := errors.AsType[*record.Error](err); ok {
		return &Error{Message: read.Reason, Where: cmp.Or(where, read.Where()), Fault: FaultOf(err)}
	}
	return &Error{Message: err.Error(), Where: where, Fault: FaultOf(err)}
}

// Error returns the place and the message in one line.
func (e *Error) Error() string {
	if e.Where == "" {
		return e.Message
	}
	return e.Where + ": " + e.Message
}

// With sets the fault of an error: see [position.NewFault].
func (e *Error) With(code string, pairs ...any) *Error {
	fault := position.NewFault(code, pairs...)
	e.Fault = &fault
	return e
}

// Errorf returns an *Error with a formatted message. where may be empty.
func Errorf(where, format string, args ...any) *Error {
	return &Error{Message: fmt.Sprintf(format, args...), Where: where}
}

// Setting is a position that a user sets up piece by piece.
type Setting struct {
	Rules   string            `json:"rules"`
	Side    string            `json:"side"`    // side to move, "w" or "b"
	Points  map[string]string `json:"points"`  // W and B are rings, w and b markers; vacant points are missing
	Removed [2]int            `json:"removed"` // rings removed by white and by black
}

// SetUp is the result of checking a Setting.
type SetUp struct {
	Position string          `json:"position"`        // BOARD SIDE SCORE; empty if the position is impossible
	Problem  string          `json:"problem"`         // why the position is impossible, or refused, or empty
	Fault    *position.Fault `json:"fault,omitempty"` // the problem, for the page's words
	Over     bool            `json:"over"`            // whether the game is over
}

// SetUp checks a setting. For malformed settings the error is an *Error.
func (s Setting) SetUp() (SetUp, error) {
	pieces, err := s.pieces()
	if err != nil {
		return SetUp{}, err
	}
	p, err := pieces.Position()
	if fault, ok := errors.AsType[*position.Error](err); ok {
		return SetUp{Problem: fault.Reason, Fault: FaultOf(err)}, nil
	}
	if err != nil {
		return SetUp{}, Errorf("", "%v", err)
	}
	if err := CheckTurns(&p, ""); err != nil {
		return SetUp{Problem: err.Error(), Fault: FaultOf(err)}, nil
	}
	return SetUp{Position: p.String(), Over: p.Over()}, nil
}

// pieces returns the pieces of the setting.
func (s Setting) pieces() (position.Pieces, error) {
	pieces := position.Pieces{Removed: s.Removed}
	var err error
	if s.Rules != "" {
		if pieces.Rules, err = position.ParseRules(s.Rules); err != nil {
			return pieces, Errorf("rules", "%v", err)
		}
	}
	switch s.Side {
	case position.White.Letter():
	case position.Black.Letter():
		pieces.SideToMove = position.Black
	default:
		return pieces, Errorf("side", "%.20q is not a side; use w or b", s.Side)
	}
	sets := map[string]*position.Bitboard{}
	for side := range position.Side(2) {
		sets[strings.ToUpper(side.Letter())], sets[side.Letter()] = &pieces.Rings[side], &pieces.Markers[side]
	}
	for name, letter := range s.Points {
		point, err := position.ParsePoint(name)
		if err != nil {
			return pieces, Errorf("points", "%v", err)
		}
		set := sets[letter]
		if set == nil {
			return pieces, Errorf("points", "%.20q on %s is not a piece; use W, B, w or b", letter, name)
		}
		*set = set.Or(position.BitboardOf(point))
	}
	return pieces, nil
}
