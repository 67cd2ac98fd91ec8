package protocol

import (
	"strings"

	"gyre/position"
)

// rulesOption is the option that says by which rules the next games are played.
const rulesOption = "Rules"

// joinOptions returns the engine's options and, before them, those of the
// server that the engine does not list. An option that both have keeps the
// engine's line, and both setters get each value.
func (s *Server) joinOptions(engine []Option) []Option {
	own := []Option{
		Combo(rulesOption, position.Standard.String(),
			[]string{position.Standard.String(), position.Blitz.String()}, s.setRules),
		Check("Ponder", false, s.setPonder),
	}
	var added []Option
	options := append([]Option(nil), engine...)
	for _, o := range own {
		at := findOption(options, o.Name)
		if at < 0 {
			added = append(added, o)
			continue
		}
		engineSet, serverSet := options[at].set, o.set
		options[at].set = func(value string) error {
			if engineSet != nil {
				if err := engineSet(value); err != nil {
					return err
				}
			}
			return serverSet(value)
		}
		// The engine's default is what the server has to begin with, too.
		_ = serverSet(options[at].Default)
	}
	return append(added, options...)
}

// findOption returns the index of the option with the given name, or -1.
func findOption(options []Option, name string) int {
	for i, o := range options {
		if strings.EqualFold(o.Name, name) {
			return i
		}
	}
	return -1
}

// setOption runs `setoption`.
func (s *Server) setOption(c SetOption) {
	at := findOption(s.options, c.Name)
	if at < 0 {
		s.fault(refuse(c.word(), c.Name, "no such option"))
		return
	}
	o := s.options[at]
	if !c.HasValue && o.Kind != ButtonOption {
		s.fault(refuse(c.word(), o.Name, "needs a value"))
		return
	}
	if err := o.Set(c.Value); err != nil {
		s.fault(refuse(c.word(), c.Value, o.Name+": "+err.Error()))
	}
}

// setPonder is the setter of Ponder.
func (s *Server) setPonder(on bool) error {
	s.ponder = on
	return nil
}

// setRules is the setter of Rules. The current position stays as it is on the
// board, if the new rules allow it; else the start takes its place.
func (s *Server) setRules(value string) error {
	rules, err := position.ParseRules(value)
	if err != nil {
		return err
	}
	s.rules = rules
	kept, err := position.Parse(s.current.String(), rules)
	if err != nil {
		kept = position.Start(rules)
		s.out.note("the position cannot be under " + rules.String() + " rules; back to the start")
	}
	s.current = kept
	return nil
}
