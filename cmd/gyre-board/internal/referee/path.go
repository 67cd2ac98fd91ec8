package referee

import (
	"fmt"
	"strings"

	"gyre/position"
)

// StartWord stands for the start of a game in a Path.
const StartWord = "startpos"

// Path is the way to a position, as the page tells it.
type Path struct {
	Rules string   `json:"rules"` // "standard" or "blitz"; empty means standard
	Start string   `json:"start"` // StartWord, empty for the same, or the text of a position
	Turns []string `json:"turns"` // from the start on, a word each
}

// Line is a Path that was read: legal turns and the positions around them.
type Line struct {
	Turns     []position.Turn
	Positions []position.Position // one more than Turns: before the first, then after each
}

// Read replays the path. The error is an *Error; of a turn that is not legal it
// names the number, counted from 1.
func (p Path) Read() (*Line, error) {
	start, err := p.start()
	if err != nil {
		return nil, err
	}
	line := &Line{Positions: []position.Position{start}}
	for i, word := range p.Turns {
		turn, err := line.End().ParseTurn(word)
		if err != nil {
			return nil, &Error{Message: err.Error(), Where: fmt.Sprintf("turn %d", i+1)}
		}
		line.Add(turn)
	}
	return line, nil
}

// start reads where the path begins.
func (p Path) start() (position.Position, error) {
	rules := position.Standard
	if p.Rules != "" {
		var err error
		if rules, err = position.ParseRules(p.Rules); err != nil {
			return position.Position{}, &Error{Message: err.Error(), Where: "rules"}
		}
	}
	if p.Start == "" || p.Start == StartWord {
		return position.Start(rules), nil
	}
	start, err := position.Parse(p.Start, rules)
	if err != nil {
		return position.Position{}, &Error{Message: err.Error(), Where: "start"}
	}
	return start, nil
}

// Add plays a legal turn at the end of the line.
func (l *Line) Add(turn position.Turn) {
	var child position.Position
	l.End().Play(&child, turn)
	l.Turns = append(l.Turns, turn)
	l.Positions = append(l.Positions, child)
}

// End returns the position after the last turn.
func (l *Line) End() *position.Position { return &l.Positions[len(l.Positions)-1] }

// Start returns the position before the first turn.
func (l *Line) Start() *position.Position { return &l.Positions[0] }

// Path returns the line as the page tells it.
func (l *Line) Path() Path {
	path := Path{Rules: l.Start().Rules().String(), Start: l.Start().String(), Turns: make([]string, len(l.Turns))}
	if path.Start == position.StartText {
		path.Start = StartWord
	}
	for i, turn := range l.Turns {
		path.Turns[i] = turn.String()
	}
	return path
}

// Threatened returns the line that begins and ends with the end of this one as
// it would be if the other side were to move: what that side does is what it
// threatens. The error is an *Error when it cannot be the other side's turn.
func (l *Line) Threatened() (*Line, error) {
	p := l.End()
	switch {
	case p.Over():
		return nil, refuse("", "the game is over: nothing is threatened")
	case p.Placing():
		return nil, refuse("", "nothing is threatened while rings are placed")
	case p.HasRow(p.SideToMove()):
		return nil, refuse("", "the row has to be taken off first")
	}
	fields := strings.Fields(p.String())
	fields[1] = sideLetters[p.SideToMove().Opponent()]
	other, err := position.Parse(strings.Join(fields, " "), p.Rules())
	if err != nil {
		return nil, refuse("", "%v", err)
	}
	return &Line{Positions: []position.Position{other}}, nil
}

// Error is a question that was refused.
type Error struct {
	Message string // what is wrong, for people
	Where   string // where: "rules", "start", "turn 12", "step 2", "line 7"; empty for all of it
}

// Error returns where and what in one line.
func (e *Error) Error() string {
	if e.Where == "" {
		return e.Message
	}
	return e.Where + ": " + e.Message
}

// refuse is short for an *Error whose message is formatted.
func refuse(where, format string, args ...any) *Error {
	return &Error{Message: fmt.Sprintf(format, args...), Where: where}
}
