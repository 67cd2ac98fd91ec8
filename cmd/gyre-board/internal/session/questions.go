package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"gyre/bench/openings"
	"gyre/bench/review"
	"gyre/cmd/gyre-board/internal/clients"
	"gyre/cmd/gyre-board/internal/gametext"
	"gyre/cmd/gyre-board/internal/referee"
	"gyre/position"
	"gyre/protocol"
)

// A pathQuestion contains a position.
type pathQuestion struct {
	Path referee.Path `json:"path"`
}

// gameQuestion contains turns to check.
type gameQuestion struct {
	pathQuestion
	ID    json.Number `json:"id"`
	After json.Number `json:"after,omitempty"` // the ID of an earlier question: the path begins where that one ended
	Ply   int         `json:"ply,omitempty"`   // number of turns before the path, for errors
}

// checkGame checks the turns of a path.
func checkGame(s *session, q gameQuestion) (nothing, error) {
	if q.After != "" {
		from, ok := s.ends.find(q.After)
		if !ok {
			return nothing{}, errForgotten
		}
		q.Path.Rules, q.Path.Start = from.Rules().String(), from.String()
	}
	line, err := q.Path.ReadAfter(q.Ply)
	if err != nil {
		return nothing{}, err
	}
	s.ends.add(q.ID, line.End())
	return nothing{}, nil
}

// ends are the positions with which the latest gameQuestions of a session ended.
type ends struct {
	list [100]struct {
		id       json.Number
		position position.Position
	}
	added int
}

func (e *ends) add(id json.Number, p *position.Position) {
	place := &e.list[e.added%len(e.list)]
	place.id, place.position = id, *p
	e.added++
}

func (e *ends) find(id json.Number) (*position.Position, bool) {
	for i := range e.list {
		if e.list[i].id == id {
			return &e.list[i].position, true
		}
	}
	return nil, false
}

// errForgotten is the error of a question that continues an unknown one. The page asks again, and
// says where the path begins.
var errForgotten = clients.NewError("forgotten", "the earlier question is not known")

// turnQuestion contains the last turn of a path, and a better one.
type turnQuestion struct {
	pathQuestion
	Better string `json:"better"`
}

// turnAnswer explains two turns. The most important facts come first.
type turnAnswer struct {
	Against []fact `json:"against"` // the turn played
	For     []fact `json:"for"`     // the better turn
}

// fact is a review.Fact. The page puts it into words.
type fact struct {
	Kind  review.Kind `json:"kind"`
	Side  string      `json:"side"` // "w" or "b", the side that plays the turn
	Turn  string      `json:"turn,omitempty"`
	Rows  [][2]string `json:"rows,omitempty"`
	Rings []string    `json:"rings,omitempty"`
	Had   int         `json:"had,omitempty"`
	Left  int         `json:"left,omitempty"`
}

// maxFacts limits the facts about a turn.
const maxFacts = 3

// why explains what is wrong with a turn, and what is good about a better one.
func why(s *session, q turnQuestion) (turnAnswer, error) {
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
		return turnAnswer{}, referee.Because("better", err)
	}
	after := before.After(better)
	if err := referee.CheckTurns(&after, "better"); err != nil {
		return turnAnswer{}, err
	}
	return turnAnswer{factsOf(review.Against(before, line.Turns[last], better)), factsOf(review.For(before, better))}, nil
}

// factsOf returns the first facts for the page.
func factsOf(facts []review.Fact) []fact {
	list := []fact{}
	for _, f := range facts[:min(len(facts), maxFacts)] {
		view := fact{Kind: f.Kind, Side: f.Side.Letter(), Rings: position.Words(f.Rings), Had: f.Had, Left: f.Left}
		if f.Turn != position.None {
			view.Turn = f.Turn.String()
		}
		for _, row := range f.Rows {
			first, last := row.Ends()
			view.Rows = append(view.Rows, [2]string{first.String(), last.String()})
		}
		list = append(list, view)
	}
	return list
}

// textQuestion contains a text that the user pasted or opened.
type textQuestion struct {
	Text  string `json:"text"`
	Rules string `json:"rules,omitempty"` // for texts without rules; empty means standard
	Line  int    `json:"line,omitempty"`  // number of the text's first line, for errors; 0 means 1
}

// textContent is what was read of a text.
type textContent struct {
	gametext.Text
	Skipped []refusal `json:"skipped,omitempty"` // what could not be read
}

// readText reads the games in a text.
func readText(s *session, q textQuestion) (textContent, error) {
	text, err := gametext.Read(q.Text, q.Rules, s.hold)
	if fault, ok := errors.AsType[*referee.Error](err); ok {
		err = q.placed(fault)
	}
	content := textContent{Text: text}
	for _, fault := range text.Skipped {
		content.Skipped = append(content.Skipped, refused(q.placed(fault)))
	}
	return content, err
}

// placed returns a fault of the text with its line in the file.
func (q *textQuestion) placed(fault *referee.Error) *referee.Error {
	var line int
	if _, err := fmt.Sscanf(fault.Where, "line %d", &line); err != nil || q.Line <= 1 {
		return fault
	}
	_, rest, _ := strings.Cut(fault.Where, ", ")
	where := strings.TrimSuffix(fmt.Sprintf("line %d, %s", line+q.Line-1, rest), ", ")
	return &referee.Error{Message: fault.Message, Where: where, Fault: fault.Fault}
}

// textOrder requests a game as text.
type textOrder struct {
	gametext.Game
	Format string `json:"format,omitempty"` // gametext.KindRecord (the default) or gametext.KindSGF
}

// textAnswer contains a text to save.
type textAnswer struct {
	Text string `json:"text"`
}

// writeText writes a game as a record or as SGF.
func writeText(s *session, order textOrder) (answer textAnswer, err error) {
	switch order.Format {
	case "", gametext.KindRecord:
		answer.Text, err = gametext.Write(order.Game)
	case gametext.KindSGF:
		answer.Text, err = gametext.WriteSGF(order.Game)
	default:
		err = fmt.Errorf("unknown format %.20q; use %s or %s", order.Format, gametext.KindRecord, gametext.KindSGF)
	}
	return answer, err
}

// setUp checks a position that the user sets up.
func setUp(s *session, setting referee.Setting) (referee.SetUp, error) { return setting.SetUp() }

// openingsAnswer contains the keys with which the page looks up openings.
type openingsAnswer struct {
	Keys  []string      `json:"keys"`  // of the positions of the path, the start first
	Turns []openingTurn `json:"turns"` // one for each set of symmetric turns
}

// openingTurn is a turn at the end of the path.
type openingTurn struct {
	Turn  string `json:"turn"`
	Key   string `json:"key"`   // of the position after the turn
	Alike int    `json:"alike"` // number of turns that lead to the same key
}

// Turns of openingTurns that count for the client's memory; positions of games have fewer than freeTurns.
const (
	freeTurns = 2000
	turnSize  = 512 // bytes
)

// findOpenings returns the keys of a path's positions, and of the positions after its turns.
func findOpenings(s *session, q pathQuestion) (openingsAnswer, error) {
	line, err := q.Path.Read()
	if err != nil {
		return openingsAnswer{}, err
	}
	if turns := line.End().CountTo(protocol.MaxTurns); turns > freeTurns {
		if err := s.hold(turns * turnSize); err != nil {
			return openingsAnswer{}, err
		}
	}
	answer := openingsAnswer{Keys: []string{}, Turns: []openingTurn{}}
	for i := range line.Positions {
		answer.Keys = append(answer.Keys, openings.Key(&line.Positions[i]))
	}
	index := map[string]int{}
	for _, turn := range line.End().Turns(nil) {
		if s.ctx.Err() != nil {
			return openingsAnswer{}, s.ctx.Err() // nobody waits for the answer
		}
		child := line.End().After(turn)
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
