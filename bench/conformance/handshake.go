package conformance

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gyre/position"
	"gyre/protocol"
)

// The names of checks that other checks need.
const (
	startsUp      = "the engine answers ugi or uci"
	ready         = "isready gets readyok"
	givesTurn     = "go gets a legal turn"
	oursAnswered  = "the engine answers the queries fen, moves and version"
	readyInSearch = "isready gets readyok during a search"
	stops         = "an infinite search answers at stop, and not before"
)

var handshakeChecks = []Check{
	{Section: handshake, Name: startsUp, fresh: true, run: checkHandshake,
		Says:   "answers with the engine's name, its options, and `ugiok` or `uciok`",
		Advice: "flush standard output after each line"},
	{Section: handshake, Name: ready, Needs: []string{startsUp}, run: (*session).sync,
		Says: "answers `readyok` at once, even during a search."},
	{Section: handshake, Name: "the engine gives its name and author", Needs: []string{ready}, run: checkID,
		At: asked, Says: "`ugi` or `uci` with `id name` and `id author`",
		Advice: "print `id name NAME` and `id author AUTHOR` before ugiok"},
	{Section: handshake, Name: "the engine answers both handshakes", Optional: true, Needs: []string{ready}, fresh: true, run: checkOtherHandshake,
		At: asked, Says: "the other handshake",
		Advice: "answer `uci` like `ugi`, with `uciok` at the end"},
	{Section: handshake, Name: "the engine answers the queries of UGI", Needs: []string{ready}, run: checkUGIQueries,
		At: asked, Says: "with `ugi` the queries `gameover`, `p1turn` and `result`",
		Advice: "answer each with a line `response ...`; UGI tournament managers send them"},
	{Section: handshake, Name: oursAnswered, Optional: true, Needs: []string{ready}, run: checkOurQueries,
		At: asked, Says: "the queries `fen`, `moves` and `version`",
		Advice: "answer each with one line `response ...`, or not at all"},
}

// checkHandshake tries one dialect, and then the other. A client does the same: it waits
// half of its time for the first.
func checkHandshake(s *session) error {
	for _, dialect := range []protocol.Dialect{protocol.UGI, protocol.UCI} {
		hello := dialect.String()
		if err := s.say(hello); err != nil {
			return err
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
		s.known.shaken, s.known.handshake = true, slices.Clone(s.output)
		s.readOptions()
		return nil
	}
	return silentf("no ugiok within %v after ugi and no uciok within %v after uci", s.subject.Patience/2, s.subject.Patience/2)
}

// readOptions records the options of the handshake.
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
			s.known.optionFault = faultf("%s: the option is listed twice", printable(line))
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
			for _, line := range s.known.handshake {
				if strings.Contains(line, id+" ") {
					return faultf("no line of the handshake begins with `%s`: the engine wrote %s", id, printable(line))
				}
			}
			return faultf("no `%s` in the handshake", id)
		}
	}
	return nil
}

// checkOtherHandshake tries the dialect that the engine did not answer first.
func checkOtherHandshake(s *session) error {
	other := protocol.UCI
	if s.known.dialect == protocol.UCI {
		other = protocol.UGI
	}
	if err := s.execute(other.String()); err != nil {
		return err
	}
	if _, found := s.first(other.String() + "ok"); !found {
		return lackf("no answer to %s", other)
	}
	return nil
}

// ask records which queries the engine answers, and returns those that it does not.
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
		s.remark = "not needed with uci"
	}
	return err
}

func checkOurQueries(s *session) error {
	missing, err := s.ask("fen", "moves", "version")
	if err == nil && len(missing) > 0 {
		err = lackf("no answer to: query %s; positions are checked by searches instead", strings.Join(missing, ", query "))
	}
	return err
}

const (
	listsOptions  = "the handshake lists valid options"
	rejectsValues = "an invalid value of an option is an error"
	unknownOption = "an unknown option is an error"
)

var optionChecks = []Check{
	{Section: options, Name: listsOptions, Needs: []string{ready}, run: checkOptionLines,
		Says:   "Every default is a valid value, and every name is listed once.",
		Advice: "print `option name N type spin|check|combo|button|string default D`, with `min A max B` for a spin and `var V` for each value of a combo; the default must be a valid value, and each name must appear once"},
	{Section: options, Name: "the engine accepts the options given on the command line", Needs: []string{ready}, run: checkGiven,
		At: handshake.Place, Says: "sets an option;",
		Advice: "use an option that the engine lists, and a value that it accepts"},
	{Section: options, Name: "each option accepts its default, and buttons can be pressed", Needs: []string{listsOptions}, fresh: true, run: checkDefaults,
		Says: "Every default is a valid value"},
	{Section: options, Name: "names and values are not case-sensitive", Needs: []string{listsOptions}, fresh: true, run: checkCase,
		At: lines.Place, Says: "Turns, option names and option values are not case-sensitive.",
		Advice: "ignore the case of option names, of true and false, and of the words of a combo"},
	{Section: options, Name: unknownOption, Needs: []string{ready}, run: checkUnknownOption,
		Says:   "An unknown option or an invalid value gets `info string error setoption: \"WORD\": REASON`.",
		Advice: "print the error, so that the user notices a typo"},
	{Section: options, Name: rejectsValues, Needs: []string{listsOptions}, run: checkBadValues,
		Says:   "An unknown option or an invalid value gets `info string error setoption: \"WORD\": REASON`.",
		Advice: "check values against the bounds in the handshake, and keep the old value"},
}

// hashChecks come after turnChecks, which they need.
var hashChecks = []Check{
	{Section: options, Name: "after the largest Hash, the engine still plays", Optional: true, Needs: []string{listsOptions, givesTurn}, fresh: true, run: checkLargestHash,
		Says:   "A `Hash` larger than the machine's memory is rejected too.",
		Advice: "print an error and keep the old table"},
}

func checkOptionLines(s *session) error {
	if s.known.optionFault != nil {
		return s.known.optionFault
	}
	for _, o := range s.known.options {
		if o.Kind == protocol.ButtonOption || o.Kind == protocol.StringOption {
			continue
		}
		if _, err := o.Canonical(o.Default); err != nil {
			return faultf("the default of %s is not a valid value: %v", o.Name, err)
		}
	}
	s.remark = fmt.Sprintf("%d options", len(s.known.options))
	return nil
}

func checkGiven(s *session) error {
	for _, o := range s.subject.Options {
		if _, has := s.option(o.Name); !has && s.known.given == nil {
			return faultf("the handshake lists no option %s", o.Name)
		}
	}
	return s.known.given
}

func checkDefaults(s *session) error {
	for _, o := range s.known.options {
		line := "setoption name " + o.Name
		if o.Kind != protocol.ButtonOption {
			line += " value " + cmp.Or(o.Default, "<empty>")
		}
		if err := s.accepts(line); err != nil {
			return err
		}
	}
	return nil
}

// checkLargestHash sets Hash to its maximum, which the engine may reject if the machine has
// too little memory.
func checkLargestHash(s *session) error {
	o, has := s.option("Hash")
	if !has || o.Kind != protocol.SpinOption {
		return lackf("no option Hash")
	}
	if err := s.execute(fmt.Sprintf("setoption name %s value %d", o.Name, o.Max)); err != nil {
		return err
	}
	if _, rejected := s.complaint(); rejected {
		s.remark = fmt.Sprintf("%d MiB rejected", o.Max)
	}
	_, err := s.search("go depth 1")
	return err
}

// checkCase changes the case of names, and of values that are words of the protocol.
func checkCase(s *session) error {
	for _, o := range s.known.options {
		name, value := otherCase(o.Name), cmp.Or(o.Default, "<empty>")
		switch o.Kind {
		case protocol.ButtonOption:
			continue
		case protocol.CheckOption, protocol.ComboOption:
			value = otherCase(value)
		}
		if err := s.set(name, value); err != nil {
			return err
		}
	}
	return nil
}

func otherCase(text string) string {
	if lower := strings.ToLower(text); lower != text {
		return lower
	}
	return strings.ToUpper(text)
}

func checkUnknownOption(s *session) error {
	return s.rejects("setoption name No Such Option value 1")
}

// accepts checks that a command has no error.
func (s *session) accepts(line string) error {
	if err := s.execute(line); err != nil {
		return err
	}
	if said, rejected := s.complaint(); rejected {
		return faultf("%s: %s", printable(line), printable(joined(said)))
	}
	return nil
}

// rejects checks that the answer to a command is an error.
func (s *session) rejects(line string) error {
	if err := s.execute(line); err != nil {
		return err
	}
	if _, rejected := s.complaint(); !rejected {
		return faultf("no `info string error` after: %s", printable(line))
	}
	return nil
}

func checkBadValues(s *session) error {
	for _, o := range s.known.options {
		var bad []string
		switch o.Kind {
		case protocol.SpinOption:
			bad = []string{"many"}
			if o.Max < math.MaxInt {
				bad = append(bad, fmt.Sprint(o.Max+1))
			}
			if o.Min > math.MinInt {
				bad = append(bad, fmt.Sprint(o.Min-1))
			}
		case protocol.CheckOption:
			bad = []string{"perhaps"}
		case protocol.ComboOption:
			bad = []string{"no-such-value"}
		}
		for _, value := range bad {
			if err := s.rejects("setoption name " + o.Name + " value " + value); err != nil {
				return err
			}
		}
	}
	return nil
}
