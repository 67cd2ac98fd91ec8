package protocol

import (
	"fmt"
	"strings"

	"gyre/position"
)

// setPosition runs `position`.
func (s *Server) setPosition(c SetPosition) {
	p := position.Start(s.rules)
	if len(c.Board) > 0 {
		var err error
		if p, err = position.Parse(strings.Join(c.Board, " "), s.rules); err != nil {
			s.fault(refusePosition(c.word(), "", err))
			return
		}
	}
	s.playFrom(p, c.word(), c.Turns)
}

// playTurns runs `moves`.
func (s *Server) playTurns(c PlayTurns) { s.playFrom(s.current, c.word(), c.Turns) }

// playFrom makes p after the given turns the current position, if all are legal.
func (s *Server) playFrom(p position.Position, command string, turns []string) {
	for i, word := range turns {
		if p.Over() {
			s.fault(refuse(command, word, fmt.Sprintf("turn %d: the game is over", i+1)))
			return
		}
		t, err := p.ParseTurn(word)
		if err != nil {
			s.fault(refusePosition(command, fmt.Sprintf("turn %d", i+1), err))
			return
		}
		var child position.Position
		p.Play(&child, t)
		p = child
	}
	s.current = p
}
