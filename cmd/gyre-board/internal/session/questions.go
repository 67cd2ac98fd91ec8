package session

import (
	"errors"
	"fmt"

	"gyre/bench/openings"
	"gyre/cmd/gyre-board/internal/coach"
	"gyre/cmd/gyre-board/internal/gametext"
	"gyre/cmd/gyre-board/internal/referee"
	"gyre/position"
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

// turnQuestion is about the last turn of a line, and one that is worth more in its place.
type turnQuestion struct {
	pathQuestion
	Better string `json:"better"`
}

// turnAnswer is what can be said of two turns, the most telling first.
type turnAnswer struct {
	Against []string `json:"against"` // the one that was played
	For     []string `json:"for"`     // the better one
}

// mostSentences are as many as a player reads.
const mostSentences = 3

// why tells what speaks against a turn, and for a better one.
func (s *session) why(q turnQuestion) (turnAnswer, error) {
	line, err := q.Path.Read()
	if err != nil {
		return turnAnswer{}, err
	}
	if len(line.Turns) == 0 {
		return turnAnswer{}, &referee.Error{Message: "there is no turn", Where: "path"}
	}
	last := len(line.Turns) - 1
	before := &line.Positions[last]
	better, err := before.ParseTurn(q.Better)
	if err != nil {
		return turnAnswer{}, &referee.Error{Message: err.Error(), Where: "better"}
	}
	return turnAnswer{sentences(coach.Against(before, line.Turns[last], better)), sentences(coach.For(before, better))}, nil
}

// sentences returns the first of the facts as sentences.
func sentences(facts []coach.Fact) []string {
	list := []string{}
	for _, fact := range facts[:min(len(facts), mostSentences)] {
		list = append(list, fact.Sentence())
	}
	return list
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

// openingsAnswer is what looks a position up in a table of openings.
type openingsAnswer struct {
	Keys  []string      `json:"keys"`  // of the positions of the path, the start first
	Turns []openingTurn `json:"turns"` // those that lead to different positions, symmetries apart
}

// openingTurn is a turn of the last position.
type openingTurn struct {
	Turn  string `json:"turn"`
	Key   string `json:"key"`   // of the position that it leads to
	Alike int    `json:"alike"` // how many turns lead to that one
}

// openings returns the keys of a path's positions, and of those that its turns lead to.
func (s *session) openings(q pathQuestion) (openingsAnswer, error) {
	line, err := q.Path.Read()
	if err != nil {
		return openingsAnswer{}, err
	}
	answer := openingsAnswer{Keys: []string{}, Turns: []openingTurn{}}
	for i := range line.Positions {
		answer.Keys = append(answer.Keys, openings.Key(&line.Positions[i]))
	}
	index := map[string]int{}
	for _, turn := range line.End().Turns(nil) {
		var child position.Position
		line.End().Play(&child, turn)
		key := openings.Key(&child)
		at, known := index[key]
		if !known {
			at = len(answer.Turns)
			index[key] = at
			answer.Turns = append(answer.Turns, openingTurn{Turn: turn.String(), Key: key})
		}
		answer.Turns[at].Alike++
	}
	return answer, nil
}
