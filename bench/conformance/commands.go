package conformance

import (
	"slices"
	"strings"
	"time"

	"gyre/position"
	"gyre/protocol"
)

func joined(words []string) string { return strings.Join(words, " ") }

// sync waits until the engine has executed all commands.
func (s *session) sync() error {
	if err := s.say("isready"); err != nil {
		return err
	}
	_, err := s.until("readyok", s.subject.Patience, func(line string) bool { return line == "readyok" })
	return err
}

// execute sends lines and waits until the engine has executed them. Its answers are in
// output.
func (s *session) execute(lines ...string) error {
	s.clear()
	if err := s.say(lines...); err != nil {
		return err
	}
	return s.sync()
}

// shakeHands performs the handshake in the engine's dialect, and sets the options of the
// subject.
func (s *session) shakeHands() error {
	hello := s.known.dialect.String()
	if err := s.say(hello); err != nil {
		return err
	}
	if _, err := s.until(hello+"ok", s.subject.Patience, func(line string) bool { return line == hello+"ok" }); err != nil {
		return err
	}
	for _, o := range s.subject.Options {
		if err := s.execute("setoption name " + o.Name + " value " + o.Value); err != nil {
			return err
		}
		if line, rejected := s.first("info string error"); rejected && s.known.given == nil {
			s.known.given = faultf("%s=%s: %s", o.Name, o.Value, printable(joined(line)))
		}
	}
	return nil
}

// option returns the option with the given name, in upper or lower case, and reports
// whether the engine has it.
func (s *session) option(name string) (o protocol.Option, found bool) {
	i := slices.IndexFunc(s.known.options, func(o protocol.Option) bool { return strings.EqualFold(o.Name, name) })
	if i < 0 {
		return o, false
	}
	return s.known.options[i], true
}

// set sets an option. The engine must accept the value.
func (s *session) set(name, value string) error {
	if err := s.execute("setoption name " + name + " value " + value); err != nil {
		return err
	}
	if line, rejected := s.first("info string error"); rejected {
		return faultf("the engine rejects %s as a value of %s: %s", value, name, printable(joined(line)))
	}
	return nil
}

// setRules selects the rules. An engine without the option Rules plays standard rules.
func (s *session) setRules(rules position.Rules) error {
	if s.root.Rules() == rules {
		return nil
	}
	if _, has := s.option("Rules"); !has {
		return lackf("no option Rules")
	}
	s.root = position.Start(rules) // the caller sets up a position next
	return s.set("Rules", rules.String())
}

// positionLine returns the command that sets up a position and plays turns from it.
func positionLine(p position.Position, turns ...position.Turn) string {
	command := protocol.SetPosition{}
	if text := p.String(); text != position.StartText {
		command.Board = strings.Fields(text)
	}
	for _, t := range turns {
		command.Turns = append(command.Turns, t.String())
	}
	return command.String()
}

// after returns the position after legal turns.
func after(p position.Position, turns ...position.Turn) position.Position {
	for _, t := range turns {
		p = p.After(t)
	}
	return p
}

// setUp sets up a position, with its rules, and plays turns from it.
func (s *session) setUp(p position.Position, turns ...position.Turn) error {
	if err := s.setRules(p.Rules()); err != nil {
		return err
	}
	line := positionLine(p, turns...)
	if err := s.execute(line); err != nil {
		return err
	}
	if said, rejected := s.first("info string error"); rejected {
		return faultf("%s is rejected: %s", printable(line), printable(joined(said)))
	}
	s.root = after(p, turns...)
	return nil
}

// query sends a query about the position and returns the words after `response`. known
// reports whether the engine answered.
func (s *session) query(about string) (words []string, known bool, err error) {
	if err := s.execute("query " + about); err != nil {
		return nil, false, err
	}
	line, known := s.first("response")
	if !known {
		return nil, false, nil
	}
	return line[1:], true, nil
}

// answersTo sends a query about the position and expects an answer.
func (s *session) answersTo(about, want string) error {
	words, known, err := s.query(about)
	switch {
	case err != nil:
		return err
	case !known:
		return faultf("no answer to query %s", about)
	case joined(words) != want:
		return faultf("in %v, %v rules, the answer to query %s is %q instead of %q", &s.root, s.root.Rules(), about, printable(joined(words)), want)
	}
	return nil
}

// needsQuery returns a lack if the engine does not answer a query.
func (s *session) needsQuery(about string) error {
	if !s.known.queries[about] {
		return lackf("no answer to query %s", about)
	}
	return nil
}

// checkPosition checks that the engine has the current position. If the engine does not
// answer `query fen`, checkPosition compares the side to move and searches for a legal
// turn.
func (s *session) checkPosition() error {
	if s.known.queries["fen"] {
		return s.answersTo("fen", s.root.String())
	}
	if s.known.queries["p1turn"] {
		if err := s.answersTo("p1turn", turnOfWhite(&s.root)); err != nil {
			return err
		}
	}
	_, err := s.search("go depth 1")
	return err
}

func turnOfWhite(p *position.Position) string {
	if p.SideToMove() == position.White {
		return "true"
	}
	return "false"
}

// answer is the result of a search.
type answer struct {
	turn  position.Turn // None if the game is over
	words []string      // of the bestmove line
	took  time.Duration
}

// search sends a search of the current position, waits for the answer, and checks it: a
// legal turn, or none if the game is over. The reports of the search are in output.
func (s *session) search(command string) (answer, error) {
	begin, err := s.begin(command)
	if err != nil {
		return answer{}, err
	}
	return s.bestmove(command, begin)
}

// begin sends a command and returns the time before it.
func (s *session) begin(command string) (time.Time, error) {
	s.clear()
	return time.Now(), s.say(command)
}

// bestmove waits for the answer to a search. The answer's time counts from begin.
func (s *session) bestmove(command string, begin time.Time) (a answer, err error) {
	var line string
	at, err := s.until("bestmove after "+printable(command), s.subject.Patience, func(said string) bool {
		line = said
		return isWord(said, "bestmove")
	})
	if err != nil {
		return a, err
	}
	a.words, a.took = strings.Fields(line), at.Sub(begin)
	a.turn, err = readTurn(&s.root, a.words)
	return a, err
}

// isWord reports whether a line begins with a word.
func isWord(line, word string) bool {
	return line == word || strings.HasPrefix(line, word+" ")
}

// readTurn returns the turn of a bestmove line. It must be legal.
func readTurn(root *position.Position, words []string) (position.Turn, error) {
	if len(words) < 2 {
		return position.None, faultf("bestmove without a turn")
	}
	word := words[1]
	if root.Over() {
		if word != "none" {
			return position.None, faultf("bestmove %s instead of `bestmove none`: the game is over in %v, %v rules", printable(word), root, root.Rules())
		}
		return position.None, nil
	}
	turn, err := root.ParseTurn(word)
	if err != nil {
		return position.None, faultf("bestmove %s is not legal in %v, %v rules: %v", printable(word), root, root.Rules(), err)
	}
	return turn, nil
}

// holds checks that a search that must not end by itself has not answered: not now, not
// by the next readyok, and not a moment after that.
func (s *session) holds(command string) error {
	for range 2 {
		if err := s.sync(); err != nil {
			return err
		}
		if line, found := s.first("bestmove"); found {
			return faultf("%q came before the end of %s", printable(joined(line)), command)
		}
		time.Sleep(moment)
	}
	return nil
}

// moment is how long to wait for an answer that must not come.
const moment = 100 * time.Millisecond
