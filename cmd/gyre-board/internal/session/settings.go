package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gyre/position"
	"gyre/protocol"
)

// settings are what an engine has been told besides positions.
type settings struct {
	options map[string]string // by the lower case of their names; of the engine's, those that it was told
	rules   position.Rules
	ruled   bool   // whether the engine was told the rules
	game    string // the page's name of the game; a new one is told to the engine
}

// rulesOption and multiPVOption are the options that every task sets, in lower
// case.
const (
	rulesOption   = "rules"
	multiPVOption = "multipv"
)

// optionValue is the value of an option: the page may write a number or a truth
// value as such.
type optionValue string

// UnmarshalJSON reads a string, a number or a truth value.
func (v *optionValue) UnmarshalJSON(text []byte) error {
	var value any
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return err
	}
	switch value.(type) {
	case string, json.Number, bool:
		*v = optionValue(fmt.Sprint(value))
		return nil
	}
	return errors.New("the value of an option is a text, a number, true or false")
}

// newSettings returns the settings of a task. own are the page's options: those
// that the task itself needs are set over them.
func newSettings(rules position.Rules, game string, own map[string]optionValue, multiPV int, level *Level) settings {
	options := map[string]string{}
	for name, value := range own {
		options[strings.ToLower(name)] = string(value)
	}
	options[multiPVOption] = fmt.Sprint(multiPV)
	options[strings.ToLower(limitOption)] = fmt.Sprint(level.Elo > 0)
	if level.Elo > 0 {
		options[strings.ToLower(eloOption)] = fmt.Sprint(level.Elo)
	}
	return settings{options: options, rules: rules, game: game}
}

// withLines returns the settings for so many lines.
func (s settings) withLines(lines int) settings {
	s.options = maps.Clone(s.options)
	s.options[multiPVOption] = fmt.Sprint(lines)
	return s
}

// limitsStrength tells whether an engine has the options that the levels set.
func limitsStrength(client *protocol.Client) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(client.Options(), func(o protocol.Option) bool { return strings.EqualFold(o.Name, name) })
	}
	return has(limitOption) && has(eloOption)
}

// always are the options that a task sets only where the engine has them.
var always = map[string]bool{rulesOption: true, multiPVOption: true, strings.ToLower(limitOption): true, strings.ToLower(eloOption): true}

// change tells the engine what is different from what it was told before.
// Options that are wanted no more go back to their defaults.
func (s *settings) change(client *protocol.Client, want settings) error {
	if s.options == nil {
		s.options = map[string]string{}
	}
	if err := checkOptions(client.Options(), want.options); err != nil {
		return err
	}
	if !s.ruled || s.rules != want.rules {
		if err := client.SetRules(want.rules); err != nil {
			return err
		}
		s.rules, s.ruled = want.rules, true
	}
	for _, o := range client.Options() {
		name := strings.ToLower(o.Name)
		old, told := s.options[name]
		value, wanted := want.options[name]
		if name == rulesOption || !told && !wanted {
			continue
		}
		if !wanted {
			value = o.Default
		}
		if told && old == value {
			continue
		}
		if err := client.SetOption(o.Name, value); err != nil {
			return err
		}
		s.options[name] = value
	}
	if s.game != want.game {
		s.game = want.game
		return client.NewGame()
	}
	return nil
}

// checkOptions returns what is wrong with the options that a page wants. Texts
// may name files, so the page sets none; and a button is no setting.
func checkOptions(listed []protocol.Option, want map[string]string) error {
	unknown := maps.Clone(want)
	for _, o := range listed {
		name := strings.ToLower(o.Name)
		if _, wanted := want[name]; !wanted {
			continue
		}
		delete(unknown, name)
		switch o.Kind {
		case protocol.StringOption:
			return fmt.Errorf("the option %s is a text, which only the engine's own command line sets", o.Name)
		case protocol.ButtonOption:
			return fmt.Errorf("the option %s is a button, and holds no value", o.Name)
		}
	}
	for name := range unknown {
		if !always[name] {
			return fmt.Errorf("it has no option %.40q", name)
		}
	}
	return nil
}
