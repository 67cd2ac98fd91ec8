package protocol

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// OptionKind is the type of an option's value, as in UCI.
type OptionKind uint8

// The kinds of options: a whole number within bounds, true or false, one of
// some words, an order without a value, and free text.
const (
	SpinOption OptionKind = iota
	CheckOption
	ComboOption
	ButtonOption
	StringOption
)

// kindWords are the words of the protocol for the kinds, by kind.
var kindWords = [...]string{"spin", "check", "combo", "button", "string"}

// String returns the word of the protocol for the kind.
func (k OptionKind) String() string {
	if int(k) < len(kindWords) {
		return kindWords[k]
	}
	return fmt.Sprintf("OptionKind(%d)", uint8(k))
}

// Option is one setting of an engine: what a handshake tells of it and, in the
// engine that has it, the setter that it is bound to. Make one with Spin,
// Check, Combo, Button or Text; ParseOption reads one that another engine
// lists. Names may hold spaces, and are the same in upper and lower case.
type Option struct {
	Name     string
	Kind     OptionKind
	Default  string   // as it is written in the handshake; empty for a button
	Min, Max int      // of a spin
	Choices  []string // of a combo

	set func(value string) error // takes a value that Canonical has made
}

// Spin is an option with whole numbers from least to most. The setter gets
// only numbers within these bounds; an error of its own refuses the value.
func Spin(name string, initial, least, most int, set func(int) error) Option {
	return Option{Name: name, Kind: SpinOption, Default: strconv.Itoa(initial), Min: least, Max: most,
		set: func(value string) error {
			number, err := strconv.Atoi(value)
			if err != nil {
				return err
			}
			return set(number)
		}}
}

// Check is an option that is on or off.
func Check(name string, initial bool, set func(bool) error) Option {
	return Option{Name: name, Kind: CheckOption, Default: strconv.FormatBool(initial),
		set: func(value string) error { return set(value == "true") }}
}

// Combo is an option with one of the given words. The setter gets it as it is
// spelled here.
func Combo(name, initial string, choices []string, set func(string) error) Option {
	return Option{Name: name, Kind: ComboOption, Default: initial, Choices: choices, set: set}
}

// Button is an order: setting it runs press.
func Button(name string, press func() error) Option {
	return Option{Name: name, Kind: ButtonOption, set: func(string) error { return press() }}
}

// Text is an option with any one line of text.
func Text(name, initial string, set func(string) error) Option {
	return Option{Name: name, Kind: StringOption, Default: initial, set: set}
}

// emptyText is how an empty text is written, as in UCI.
const emptyText = "<empty>"

// String returns the line of the handshake that tells of the option.
func (o Option) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "option name %s type %s", o.Name, o.Kind)
	switch {
	case o.Kind == ButtonOption:
	case o.Default == "":
		b.WriteString(" default " + emptyText)
	default:
		b.WriteString(" default " + o.Default)
	}
	if o.Kind == SpinOption {
		fmt.Fprintf(&b, " min %d max %d", o.Min, o.Max)
	}
	for _, choice := range o.Choices {
		b.WriteString(" var " + choice)
	}
	return b.String()
}

// Canonical returns value as the option understands it, or says why it does
// not: a number without leading zeros, true or false in lower case, a choice as
// it was listed.
func (o Option) Canonical(value string) (string, error) {
	switch o.Kind {
	case SpinOption:
		number, err := parseNumber(value, int64(o.Min), int64(o.Max))
		return strconv.FormatInt(number, 10), err
	case CheckOption:
		for _, word := range []string{"true", "false"} {
			if strings.EqualFold(word, value) {
				return word, nil
			}
		}
		return "", errors.New("neither true nor false")
	case ComboOption:
		for _, choice := range o.Choices {
			if strings.EqualFold(choice, value) {
				return choice, nil
			}
		}
		return "", errors.New("none of " + strings.Join(o.Choices, ", "))
	case StringOption:
		if value == emptyText {
			return "", nil
		}
		return value, nil
	}
	return "", nil
}

// Set gives the option a value as it was read. An error says why the value was
// refused; the old one then stays.
func (o Option) Set(value string) error {
	canonical, err := o.Canonical(value)
	if err != nil || o.set == nil {
		return err
	}
	return o.set(canonical)
}

// errNotNumber refuses a word that is no whole number of any size.
var errNotNumber = errors.New("not a whole number")

// parseNumber reads a whole number from least to most.
func parseNumber(text string, least, most int64) (int64, error) {
	number, err := strconv.ParseInt(text, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return 0, errNotNumber
	case err != nil || number < least || number > most:
		return 0, fmt.Errorf("out of range %d to %d", least, most)
	}
	return number, nil
}

// optionWords begin the parts of an option's line.
var optionWords = []string{"name", "type", "default", "min", "max", "var"}

// ParseOption reads the line of a handshake that tells of an option. The
// Option has no setter: its Set only checks the value. A default of a kind that
// has one is kept as it is written, also when the option itself would refuse it.
func ParseOption(line string) (Option, error) {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "option" {
		return Option{}, refuse("option", firstOf(words), "not an option line")
	}
	var o Option
	typed, defaulted := false, false
	for rest := words[1:]; len(rest) > 0; {
		part := rest[0]
		if !slices.Contains(optionWords, part) {
			return Option{}, refuse("option", part, "unknown word")
		}
		var value string
		value, rest = optionPart(part, typed && o.Kind == StringOption, rest[1:])
		switch part {
		case "name":
			o.Name = value
		case "type":
			kind := slices.Index(kindWords[:], value)
			if kind < 0 {
				return Option{}, refuse("option", value, "unknown type")
			}
			o.Kind, typed = OptionKind(kind), true
		case "default":
			o.Default, defaulted = value, true
		case "min", "max":
			number, err := strconv.Atoi(value)
			if err != nil {
				return Option{}, refuse("option", value, part+" is not a number")
			}
			if part == "min" {
				o.Min = number
			} else {
				o.Max = number
			}
		case "var":
			o.Choices = append(o.Choices, value)
		}
	}
	return o.complete(typed, defaulted)
}

// optionPart returns the value of the part that begins rest, and the words
// after it. A name goes up to the word `type`, a text to the end of the line,
// and any other value to the next part.
func optionPart(part string, text bool, rest []string) (value string, after []string) {
	end := slices.IndexFunc(rest, func(word string) bool {
		switch {
		case part == "name":
			return word == "type"
		case part == "default" && text:
			return false
		}
		return slices.Contains(optionWords, word)
	})
	if end < 0 {
		end = len(rest)
	}
	return strings.Join(rest[:end], " "), rest[end:]
}

// complete returns the option with nothing that its kind does not have, or an
// error when a part that it needs is missing.
func (o Option) complete(typed, defaulted bool) (Option, error) {
	switch {
	case o.Name == "":
		return Option{}, refuse("option", "", "without a name")
	case !typed:
		return Option{}, refuse("option", o.Name, "without a type")
	case o.Kind == SpinOption && o.Min > o.Max:
		return Option{}, refuse("option", o.Name, "its least value is above its most")
	case !defaulted && (o.Kind == SpinOption || o.Kind == CheckOption || o.Kind == ComboOption):
		return Option{}, refuse("option", o.Name, "without a default")
	}
	if o.Kind != SpinOption {
		o.Min, o.Max = 0, 0
	}
	if o.Kind != ComboOption {
		o.Choices = nil
	}
	if o.Kind == ButtonOption || o.Default == emptyText {
		o.Default = ""
	}
	return o, nil
}

// firstOf returns the first word, or nothing.
func firstOf(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}
