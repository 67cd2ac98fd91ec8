package conformance

import (
	"errors"
	"slices"
	"strings"

	"gyre/position"
	"gyre/protocol"
)

// The names of checks that others need.
const (
	startsUp      = "ugi or uci is answered"
	ready         = "isready is answered"
	givesTurn     = "go is answered with a legal turn"
	oursAnswered  = "the queries fen, moves and version are answered"
	readyInSearch = "isready is answered during a search"
	stops         = "an infinite search answers stop, and nothing else"
)

var handshakeChecks = []Check{
	{Section: handshake, Name: startsUp, fresh: true, run: checkHandshake,
		Advice: "answer `ugi` with lines id and option, then a line `ugiok`; flush standard output after each line"},
	{Section: handshake, Name: ready, Needs: []string{startsUp}, run: (*session).sync,
		Advice: "answer `isready` with `readyok` at once"},
	{Section: handshake, Name: "it tells its name and author", Needs: []string{ready}, run: checkID,
		Advice: "say `id name NAME` and `id author AUTHOR` before ugiok"},
	{Section: handshake, Name: "both handshakes are answered", Optional: true, Needs: []string{ready}, fresh: true, run: checkOtherHandshake,
		Advice: "answer `uci` as `ugi`, with `uciok` at the end"},
	{Section: handshake, Name: "the queries of UGI are answered", Needs: []string{ready}, run: checkUGIQueries,
		Advice: "answer `query gameover`, `query p1turn` and `query result` with a line `response ...`: tournament managers for UGI ask"},
	{Section: handshake, Name: oursAnswered, Optional: true, Needs: []string{ready}, run: checkOurQueries,
		Advice: "answer with one line `response ...`, or not at all"},
}

// checkHandshake says hello in one dialect, and then in the other. A client does the
// same: it waits half its time for the first.
func checkHandshake(s *session) error {
	for _, dialect := range []protocol.Dialect{protocol.UGI, protocol.UCI} {
		hello := dialect.String()
		if said := s.say(hello); said != nil {
			return said
		}
		if _, err := s.until(hello+"ok", s.subject.Patience/2, func(line string) bool {
			return line == "ugiok" || line == "uciok"
		}); err != nil {
			if f, isFault := errors.AsType[*fault](err); !isFault || !f.silent {
				return err
			}
			continue
		}
		_, ugi := s.first("ugiok")
		s.known.dialect = protocol.UCI
		if ugi {
			s.known.dialect = protocol.UGI
		}
		s.known.shaken, s.known.handshake = true, slices.Clone(s.said)
		s.readOptions()
		return nil
	}
	return faultf("neither ugiok within %v of ugi nor uciok within %v of uci", s.subject.Patience/2, s.subject.Patience/2)
}

// readOptions takes down the options of the handshake.
func (s *session) readOptions() {
	for _, line := range s.known.handshake {
		if !isWord(line, "option") {
			continue
		}
		o, err := protocol.ParseOption(line)
		_, twice := s.option(o.Name)
		switch {
		case err != nil:
			s.known.optionFault = faultf("%s: %v", printable(line), err)
		case twice:
			s.known.optionFault = faultf("%s: an option of that name is listed already", printable(line))
		default:
			s.known.options = append(s.known.options, o)
		}
	}
}

func checkID(s *session) error {
	for _, id := range []string{"id name", "id author"} {
		if !slices.ContainsFunc(s.known.handshake, func(line string) bool {
			text, found := strings.CutPrefix(line, id+" ")
			return found && strings.TrimSpace(text) != ""
		}) {
			return faultf("no `%s` in the handshake", id)
		}
	}
	return nil
}

// checkOtherHandshake says hello in the dialect that the engine did not answer first.
func checkOtherHandshake(s *session) error {
	other := protocol.UCI
	if s.known.dialect == protocol.UCI {
		other = protocol.UGI
	}
	if err := s.tell(other.String()); err != nil {
		return err
	}
	if _, found := s.first(other.String() + "ok"); !found {
		return lackf("%s is not answered", other)
	}
	return nil
}

// ask learns which of some queries the engine answers, at the start of a game.
func (s *session) ask(queries ...string) (missing []string, err error) {
	if err := s.setUp(position.Start(position.Standard)); err != nil {
		return nil, err
	}
	for _, about := range queries {
		_, known, err := s.query(about)
		if err != nil {
			return nil, err
		}
		s.known.queries[about] = known
		if !known {
			missing = append(missing, about)
		}
	}
	return missing, nil
}

func checkUGIQueries(s *session) error {
	missing, err := s.ask("gameover", "p1turn", "result")
	if err == nil && len(missing) > 0 && s.known.dialect == protocol.UGI {
		err = faultf("no answer to: query %s", strings.Join(missing, ", query "))
	}
	if err == nil && len(missing) > 0 {
		s.remark = "not those of UCI"
	}
	return err
}

func checkOurQueries(s *session) error {
	missing, err := s.ask("fen", "moves", "version")
	if err == nil && len(missing) > 0 {
		err = lackf("no answer to: query %s; what they tell is tested by play instead", strings.Join(missing, ", query "))
	}
	return err
}
