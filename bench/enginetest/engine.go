package enginetest

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"time"

	"gyre/position"
)

// faultySearch is the search of a game in which the faulty engines misbehave.
const faultySearch = 3

// server is an engine that is always ready and picks its turns by the hash of
// the position: always the same one in the same position.
type server struct {
	current  position.Position
	rules    position.Rules
	searches int // of this game

	fault    func(s *server, line string) // called instead of the faulty search and for the stop after it; nil for none
	faulting bool
	greets   bool // whether it answers the handshake
	quits    bool // whether it ends when told to, or at the end of input
	picky    bool // whether it refuses every option but Rules
	onlyFrom bool // whether it takes no position but from the start
	forgets  bool // whether it answers queries with the start
	counts   bool // whether it has the option nodestime and tells nodes as CountedNodes has them
	frail    bool // whether it dies in every search
	mute     bool // whether it tells nothing but its turns
	lies     bool // whether it announces a win with each turn, by a line that is not legal
	ponders  bool // whether it has the option Ponder and tells the turn that it expects
	waits    bool // whether it ponders
	mortal   bool // whether it dies when its turn is made that it ponders on
}

// serve answers what is said on standard input.
func (s *server) serve() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		line := lines.Text()
		first, rest, _ := strings.Cut(line, " ")
		switch {
		case first == "ugi" && s.greets:
			fmt.Println("id name Test\nid author Nobody\noption name Hash type spin default 1 min 1 max 1024\n" +
				"option name MoveOverhead type spin default 10 min 0 max 5000\n" +
				"option name Rules type combo default standard var standard var blitz")
			if s.counts {
				fmt.Println("option name nodestime type spin default 0 min 0 max 1000000")
			}
			if s.ponders {
				fmt.Println("option name Ponder type check default false")
			}
			fmt.Println("ugiok")
		case first == "setoption" && strings.HasPrefix(rest, "name Rules value "):
			s.rules, _ = position.ParseRules(strings.TrimPrefix(rest, "name Rules value "))
		case first == "setoption" && s.picky:
			fmt.Printf("info string error setoption: %q: no weights there\n", rest)
		case first == "isready":
			fmt.Println("readyok")
		case first == "uginewgame":
			s.searches = 0
		case first == "position":
			s.setPosition(rest)
		case line == "query fen":
			if s.forgets {
				s.current = position.Start(s.rules)
			}
			fmt.Println("response", &s.current)
		case first == "go" && strings.Contains(line, " ponder"):
			s.waits = true
		case s.waits && (first == "ponderhit" || first == "stop"):
			s.waits = false
			if s.mortal && first == "ponderhit" {
				os.Exit(9)
			}
			s.search(line)
		case first == "go":
			s.search(line)
		case first == "stop" && s.faulting:
			s.fault(s, line)
		case first == "quit" && s.quits:
			return
		}
	}
	if !s.quits {
		time.Sleep(time.Hour)
	}
}

// setPosition takes `fen BOARD SIDE SCORE` or `startpos`, and turns after `moves`.
func (s *server) setPosition(text string) {
	board, moves, _ := strings.Cut(strings.TrimPrefix(text, "fen "), " moves ")
	if board == "startpos" {
		board = position.StartText
	}
	if s.onlyFrom && board != position.StartText {
		fmt.Println("info string error position: only startpos")
		return
	}
	p, err := position.Parse(board, s.rules)
	for _, word := range strings.Fields(moves) {
		var turn position.Turn
		if err == nil {
			turn, err = p.ParseTurn(word)
		}
		if err == nil {
			var child position.Position
			p.Play(&child, turn)
			p = child
		}
	}
	if err != nil {
		fmt.Println("info string error", err)
		return
	}
	s.current = p
}

// search answers `go`, or misbehaves.
func (s *server) search(line string) {
	if s.frail {
		die()
	}
	s.searches++
	s.faulting = s.fault != nil && s.searches == faultySearch
	if s.faulting {
		s.fault(s, line)
		return
	}
	s.answer()
}

// answer gives a turn.
func (s *server) answer() {
	s.faulting = false
	t := s.pick()
	if s.mute {
		fmt.Println("bestmove", t)
		return
	}
	if s.lies {
		fmt.Printf("info depth 1 score mate 1 nodes 10 time 1 pv %v %v\nbestmove %v\n", t, t, t)
		return
	}
	fmt.Printf("info depth 1 score cp %d nodes 10 time 1 pv %v%s\n", int(s.current.Hash()%41)-20, t, s.expected(t))
	if s.counts { // the last report has no score
		fmt.Printf("info nodes %d\n", CountedNodes(s.searches))
	}
	fmt.Println("bestmove", t)
}

// CountedNodes is how many nodes the engines that count use for a search of a game,
// numbered from 1.
func CountedNodes(search int) uint64 { return 1000 + 7*uint64(search) }

// pick returns the turn for the current position.
func (s *server) pick() position.Turn { return pick(&s.current) }

// pick returns the turn that all engines make that make one.
func pick(p *position.Position) position.Turn {
	turns := p.Turns(nil)
	return turns[p.Hash()%uint64(len(turns))]
}

// expected returns, for an engine that ponders, the turn that it expects after its own:
// that which comes two times of three, else another one.
func (s *server) expected(t position.Turn) string {
	var child position.Position
	if s.current.Play(&child, t); !s.ponders || child.Over() {
		return ""
	}
	if child.Hash()%3 > 0 {
		return " " + pick(&child).String()
	}
	return " " + child.Turns(nil)[0].String()
}
