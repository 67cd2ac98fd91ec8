package session

import (
	"errors"
	"fmt"

	"gyre/cmd/gyre-board/internal/gametext"
	"gyre/cmd/gyre-board/internal/referee"
)

// A pathQuestion is about a position.
type pathQuestion struct {
	Path referee.Path `json:"path"`
}

// game tells all about a game.
func (s *session) game(q pathQuestion) (referee.Game, error) {
	line, err := q.Path.Read()
	if err != nil {
		return referee.Game{}, err
	}
	return line.Game(), nil
}

// stepsQuestion is about a turn in the making.
type stepsQuestion struct {
	pathQuestion
	Prefix []referee.Step `json:"prefix"`
}

// steps tells what can be done next in a turn.
func (s *session) steps(q stepsQuestion) (referee.Steps, error) {
	line, err := q.Path.Read()
	if err != nil {
		return referee.Steps{}, err
	}
	return line.Steps(q.Prefix)
}

// textQuestion is a text that somebody pasted or opened.
type textQuestion struct {
	Text  string `json:"text"`
	Rules string `json:"rules,omitempty"` // where the text does not tell; empty means standard
	Line  int    `json:"line,omitempty"`  // the number of its first line, for errors; 0 means 1
}

// readText reads the games of a text.
func (s *session) readText(q textQuestion) (gametext.Text, error) {
	text, err := gametext.Read(q.Text, q.Rules)
	if fault, ok := errors.AsType[*referee.Error](err); ok && q.Line > 1 {
		var line int
		if _, scanned := fmt.Sscanf(fault.Where, "line %d", &line); scanned == nil {
			return text, &referee.Error{Message: fault.Message, Where: fmt.Sprintf("line %d", line+q.Line-1)}
		}
	}
	return text, err
}

// textOrder is a game to save as a text.
type textOrder struct {
	gametext.Game
	Format string `json:"format,omitempty"` // gametext.KindRecord, or empty for that, or gametext.KindSGF
}

// textAnswer is a text to save.
type textAnswer struct {
	Text string `json:"text"`
}

// writeText writes a game as a record, or as a file in the Smart Game Format.
func (s *session) writeText(order textOrder) (answer textAnswer, err error) {
	switch order.Format {
	case "", gametext.KindRecord:
		answer.Text, err = gametext.Write(order.Game)
	case gametext.KindSGF:
		answer.Text, err = gametext.WriteSGF(order.Game)
	default:
		err = fmt.Errorf("no format is called %.20q", order.Format)
	}
	return answer, err
}

// setUp checks a position that the page sets up piece by piece.
func (s *session) setUp(setting referee.Setting) (referee.SetUp, error) { return setting.SetUp() }
