package session

import (
	"encoding/json"
	"errors"
	"fmt"

	"gyre/cmd/gyre-board/internal/referee"
)

// request is a message of the page.
type request struct {
	session *session
	message []byte

	ID json.Number `json:"id"` // the page's number, which the reply repeats
	Do string      `json:"do"`
}

// reply answers a request: with OK or with Error.
type reply struct {
	ID    json.Number `json:"id,omitempty"`
	OK    any         `json:"ok,omitempty"`
	Error *refusal    `json:"error,omitempty"`
}

// refusal says what was wrong with a request.
type refusal struct {
	Message string `json:"message"`
	Where   string `json:"where"`
}

// nothing is the OK of a request that has only to be heard.
type nothing struct{}

// handlers are what a page can ask for. Each answers its request once.
var handlers = map[string]func(*request){
	"hello": answering((*session).hello),
	"game":  answering((*session).game),
	"steps": answering((*session).steps),
	"read":  answering((*session).readText),
	"write": answering((*session).writeText),
	"why":   answering((*session).why),
	"setup": answering((*session).setUp),

	"openings": answering((*session).openings),
	"standing": answering((*session).standing),

	"think":   think,
	"threat":  threat,
	"review":  reviewGame,
	"worth":   weigh,
	"match":   playMatch,
	"stop":    answering((*session).stop),
	"engine":  describe,
	"restart": restart,
}

// answering makes a handler of a question that is answered at once.
func answering[Q, A any](ask func(*session, Q) (A, error)) func(*request) {
	return func(r *request) {
		var question Q
		if !r.read(&question) {
			return
		}
		answer, err := ask(r.session, question)
		r.answer(answer, err)
	}
}

// handle answers a message.
func (s *session) handle(message []byte) {
	r := &request{session: s, message: message}
	if err := json.Unmarshal(message, r); err != nil {
		r.answer(nil, fmt.Errorf("not a request: %w", err))
		return
	}
	do, ok := handlers[r.Do]
	if !ok {
		r.answer(nil, fmt.Errorf("nothing is called %.40q here", r.Do))
		return
	}
	do(r)
}

// read reads what the request asks; when that fails it is answered.
func (r *request) read(question any) bool {
	if err := json.Unmarshal(r.message, question); err != nil {
		r.answer(nil, fmt.Errorf("%s: %w", r.Do, err))
		return false
	}
	return true
}

// answer sends the reply.
func (r *request) answer(answer any, err error) {
	if err == nil {
		r.session.send(reply{ID: r.ID, OK: answer})
		return
	}
	why := &refusal{Message: err.Error()}
	if fault, ok := errors.AsType[*referee.Error](err); ok {
		*why = refusal{Message: fault.Message, Where: fault.Where}
	}
	r.session.send(reply{ID: r.ID, Error: why})
}
