package protocol

import (
	"slices"
	"strconv"
	"strings"
)

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
