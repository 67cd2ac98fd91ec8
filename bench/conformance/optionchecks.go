package conformance

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"gyre/protocol"
)

const (
	listsOptions  = "the handshake lists its options as the protocol has them"
	refusesValues = "values that an option cannot have are errors"
	unknownOption = "an option that does not exist is an error"
)

var optionChecks = []Check{
	{Section: options, Name: listsOptions, Needs: []string{ready}, run: checkOptionLines,
		Advice: "say `option name N type spin|check|combo|button|string default D`, with `min A max B` for a spin and `var V` for each value of a combo; defaults are values, and names are told once"},
	{Section: options, Name: "the options given are taken", Needs: []string{ready}, run: checkGiven,
		Advice: "take the option, or give one that the engine lists"},
	{Section: options, Name: "each option takes its default, and buttons can be pressed", Needs: []string{listsOptions}, fresh: true, run: checkDefaults,
		Advice: "take what the handshake tells"},
	{Section: options, Name: "names and values are read in either case", Needs: []string{listsOptions}, fresh: true, run: checkCase,
		Advice: "compare names of options, true and false, and the words of a combo without regard to case"},
	{Section: options, Name: unknownOption, Needs: []string{ready}, run: checkUnknownOption,
		Advice: "say `info string error setoption: \"NAME\": no such option`: a user who mistypes a name hears of it"},
	{Section: options, Name: refusesValues, Needs: []string{listsOptions}, run: checkBadValues,
		Advice: "check values against what the handshake tells, say `info string error setoption: \"VALUE\": REASON`, and keep the old value"},
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
			return faultf("the default of %s is no value of it: %v", o.Name, err)
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
		if err := s.tell(line); err != nil {
			return err
		}
		if said, refused := s.first("info string error"); refused {
			return faultf("%s: %s", printable(line), printable(joined(said)))
		}
	}
	return nil
}

// checkCase turns the case of names around, and that of values where these are words
// of the protocol.
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
	return s.refuses("setoption name No Such Option value 1")
}

// refuses checks that a command is answered with an error.
func (s *session) refuses(line string) error {
	if err := s.tell(line); err != nil {
		return err
	}
	if _, refused := s.first("info string error"); !refused {
		return faultf("no `info string error` to: %s", printable(line))
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
			if err := s.refuses("setoption name " + o.Name + " value " + value); err != nil {
				return err
			}
		}
	}
	return nil
}
