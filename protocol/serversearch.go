package protocol

import (
	"fmt"
	"strings"

	"gyre/position"
)

// noTurn is what bestmove says when there is no turn to tell.
const noTurn = "none"

// search runs `go`. One that is refused is answered with a turn all the same,
// found in a search of the least depth. After `quit` there is no turn.
func (s *Server) search(c Go, e entry) {
	if s.quitting {
		s.out.line("bestmove " + noTurn)
		return
	}
	turns, err := s.rootTurns(c)
	if err != nil {
		s.fault(err)
	}
	if e.refused || err != nil {
		c, turns = Go{Limits: Limits{Depth: 1, HasDepth: true}}, nil
	}
	root := s.current
	limits := c.Limits.settle(root.SideToMove())
	limits.SearchTurns = turns
	tellReply := s.ponder && s.dialect == UCI
	j := &job{signals: e.signals, openEnded: limits.Infinite, pondering: limits.Ponder}
	s.start(j, func() (string, error) { return s.think(root, limits, j.signals, tellReply) })
}

// think has the engine search and returns the line that answers. It runs in a
// goroutine of its own.
func (s *Server) think(root position.Position, limits Limits, signals *signals, tellReply bool) (string, error) {
	if root.Over() {
		s.out.note("the game is over: " + resultWord(root.Result()))
		return "bestmove " + noTurn, nil
	}
	best, reply := s.engine.Search(signals.ctx, root, limits, signals.hit, func(i Info) { s.out.line(i.String()) })
	if !root.Legal(best) {
		err := refuse("go", best.String(), "the engine gave no legal turn; the first one stands in")
		return "bestmove " + root.Turns(nil)[0].String(), err
	}
	answer := "bestmove " + best.String()
	var child position.Position
	if root.Play(&child, best); tellReply && child.Legal(reply) {
		answer += " ponder " + reply.String()
	}
	return answer, nil
}

// rootTurns returns the turns that a search is confined to.
func (s *Server) rootTurns(c Go) ([]position.Turn, error) {
	var turns []position.Turn
	for _, word := range c.Turns {
		t, err := s.current.ParseTurn(word)
		if err != nil {
			return nil, refusePosition(c.word(), "searchmoves", err)
		}
		turns = append(turns, t)
	}
	return turns, nil
}

// resultWord returns the word that `query result` answers.
func resultWord(r position.Result) string {
	switch r {
	case position.WhiteWins:
		return "p1win"
	case position.BlackWins:
		return "p2win"
	case position.Draw:
		return "draw"
	}
	return "none"
}

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
