package protocol

import (
	"fmt"
	"sort"
	"strings"

	"gyre/position"
)

// shakeHands runs `ugi` and `uci`.
func (s *Server) shakeHands(c Handshake) {
	s.dialect = c.Dialect
	name, author, version := s.engine.ID()
	lines := []string{"id name " + printable(name+" "+version), "id author " + printable(author)}
	for _, o := range s.options {
		lines = append(lines, o.String())
	}
	s.out.line(strings.Join(append(lines, c.Dialect.accepted()), "\n"))
}

// query runs `query`.
func (s *Server) query(c Query) {
	var answer string
	switch c.About {
	case "gameover":
		answer = fmt.Sprint(s.current.Over())
	case "p1turn":
		answer = fmt.Sprint(s.current.SideToMove() == position.White)
	case "result":
		answer = resultWord(s.current.Result())
	case "moves":
		var words []string
		for _, t := range s.current.Turns(nil) {
			words = append(words, t.String())
		}
		sort.SliceStable(words, func(i, j int) bool { return words[i] < words[j] })
		answer = strings.Join(words, " ")
	case "fen":
		answer = s.current.String()
	case "version":
		name, _, version := s.engine.ID()
		answer = printable(Version + " " + name + " " + version)
	default:
		s.fault(refuse(c.word(), c.About, "knows gameover, p1turn, result, moves, fen and version"))
		return
	}
	s.out.line(strings.TrimSpace("response " + answer))
}

// draw runs `d`.
func (s *Server) draw() {
	p := &s.current
	state := "to move"
	switch {
	case p.Over():
		state = "would be next, but the game is over: " + resultWord(p.Result())
	case p.Placing():
		state = "to place a ring"
	}
	s.out.linef("%s\nfen    %s\nside   %s %s\nrules  %s\nrings  removed %d-%d\npool   %d\nhash   %016x",
		p.Draw(), p, p.SideToMove(), state, p.Rules(),
		p.Removed(position.White), p.Removed(position.Black), p.Pool(), p.Hash())
}

// help runs `help`.
func (s *Server) help() {
	name, author, version := s.engine.ID()
	lines := []string{name + " " + version + " by " + author + ", protocol " + Version}
	for _, f := range forms() {
		lines = append(lines, fmt.Sprintf("  %-56s %s", f.usage, f.about))
	}
	s.out.line(strings.Join(lines, "\n"))
}
