package conformance

import (
	"strings"
	"time"

	"gyre/position"
)

// answer is what came of a search.
type answer struct {
	turn  position.Turn // None if there is none
	words []string      // of the line bestmove
	took  time.Duration
}

// search has the engine search the current position until it answers, and checks the
// answer: one line, with a legal turn, or with none if the game is over. The reports
// of the search are in said.
func (s *session) search(command string) (answer, error) {
	begin, err := s.begin(command)
	if err != nil {
		return answer{}, err
	}
	return s.bestmove(command, begin)
}

// begin begins a search, and returns when.
func (s *session) begin(command string) (time.Time, error) {
	s.forget()
	return time.Now(), s.say(command)
}

// bestmove waits for the answer to a search that began, or was released, at a time.
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

// isWord tells whether a line begins with a word.
func isWord(line, word string) bool {
	return line == word || strings.HasPrefix(line, word+" ")
}

// readTurn returns the turn of a line bestmove, which must be legal.
func readTurn(root *position.Position, words []string) (position.Turn, error) {
	if len(words) < 2 {
		return position.None, faultf("bestmove without a turn")
	}
	word := words[1]
	if root.Over() {
		if word != "none" {
			return position.None, faultf("bestmove %s, although the game is over in %v, %v rules: it is `bestmove none`", printable(word), root, root.Rules())
		}
		return position.None, nil
	}
	turn, err := root.ParseTurn(word)
	if err != nil {
		return position.None, faultf("bestmove %s is not legal in %v, %v rules: %v", printable(word), root, root.Rules(), err)
	}
	return turn, nil
}

// holds checks that a search that must not end by itself has not answered: neither
// by now, nor at the next sign of life, nor after that sign in the time of a moment.
func (s *session) holds(command string) error {
	for range 2 {
		if err := s.sync(); err != nil {
			return err
		}
		if line, found := s.first("bestmove"); found {
			return faultf("%q came before %s could end", printable(joined(line)), command)
		}
		time.Sleep(moment)
	}
	return nil
}

// moment is how long an answer that must not come is given to come all the same.
const moment = 100 * time.Millisecond
