package protocol

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// OptionKind is the type of an option's value, as in UCI.
type OptionKind uint8

// The kinds of options.
const (
	SpinOption   OptionKind = iota // a whole number within bounds
	CheckOption                    // true or false
	ComboOption                    // one of a list of words
	ButtonOption                   // an action without a value
	StringOption                   // free text
)

// kindWords holds the word of the protocol for each kind.
var kindWords = [...]string{"spin", "check", "combo", "button", "string"}

// String returns the word of the protocol for the kind.
func (k OptionKind) String() string { return kindWords[k] }

// Option is one setting of an engine. An engine makes its options with Spin, Check,
// Combo, Button, Text or File, each bound to a setter. A client gets them from ParseOption,
// without setters. Names may contain spaces and are not case-sensitive.
type Option struct {
	Name     string
	Kind     OptionKind
	Default  string   // as written in the handshake; empty for a button
	Min, Max int      // of a spin
	Choices  []string // of a combo

	set  func(value string) error                        // takes a value returned by Canonical
	load func(path string) (set func() error, err error) // of File
}

// Spin returns an option for whole numbers from minimum to maximum. The setter gets
// only numbers within these bounds; if it returns an error, the value is rejected.
func Spin(name string, initial, minimum, maximum int, set func(int) error) Option {
	return Option{Name: name, Kind: SpinOption, Default: strconv.Itoa(initial), Min: minimum, Max: maximum,
		set: func(value string) error {
			number, _ := strconv.Atoi(value) // written by Canonical
			return set(number)
		}}
}

// Check returns an option that is true or false.
func Check(name string, initial bool, set func(bool) error) Option {
	return Option{Name: name, Kind: CheckOption, Default: strconv.FormatBool(initial),
		set: func(value string) error { return set(value == "true") }}
}

// Combo returns an option whose value is one of choices. The setter gets the value
// spelled as in choices.
func Combo(name, initial string, choices []string, set func(string) error) Option {
	return Option{Name: name, Kind: ComboOption, Default: initial, Choices: choices, set: set}
}

// Button returns an option without a value. Setting it calls press.
func Button(name string, press func() error) Option {
	return Option{Name: name, Kind: ButtonOption, set: func(string) error { return press() }}
}

// Text returns an option whose value is a line of text.
func Text(name, initial string, set func(string) error) Option {
	return Option{Name: name, Kind: StringOption, Default: initial, set: set}
}

// File returns an option whose value names a file. load reads it, and may wait for a disk meanwhile: it
// changes nothing, because it runs next to other commands. It returns a function that makes the change.
func File(name, initial string, load func(path string) (set func() error, err error)) Option {
	o := Text(name, initial, func(path string) error {
		set, err := load(path)
		if err != nil {
			return err
		}
		return set()
	})
	o.load = load
	return o
}

// emptyText stands for an empty text, as in UCI.
const emptyText = "<empty>"

// String returns the option's line in the handshake.
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
	if o.Kind == SpinOption && o.Min != math.MinInt {
		fmt.Fprintf(&b, " min %d", o.Min)
	}
	if o.Kind == SpinOption && o.Max != math.MaxInt {
		fmt.Fprintf(&b, " max %d", o.Max)
	}
	for _, choice := range o.Choices {
		b.WriteString(" var " + choice)
	}
	return b.String()
}

// Canonical returns value in its canonical form: a number without leading zeros, true
// or false in lower case, a choice as listed. It returns an error if the option does
// not accept the value.
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

// Set calls the setter with the canonical form of value. If it returns an error, the
// option keeps its old value.
func (o Option) Set(value string) error {
	canonical, err := o.Canonical(value)
	if err != nil || o.set == nil {
		return err
	}
	return o.set(canonical)
}

var errNotNumber = errors.New("not a whole number")

// parseNumber parses a whole number from minimum to maximum. It returns errNotNumber if
// text is not a whole number of any size.
func parseNumber(text string, minimum, maximum int64) (int64, error) {
	number, err := strconv.ParseInt(text, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return 0, errNotNumber
	case err != nil || number < minimum || number > maximum:
		return 0, fmt.Errorf("out of range %d to %d", minimum, maximum)
	}
	return number, nil
}

// optionParts holds the words that begin the parts of an option's line after its type, by
// kind. The default of a StringOption extends to the end of the line, whatever its words.
var optionParts = [...][]string{
	SpinOption:   {"default", "min", "max"},
	CheckOption:  {"default"},
	ComboOption:  {"default", "var"},
	ButtonOption: nil,
	StringOption: {"default"},
}

// ParseOption parses an option's line in the handshake. The Option has no setter: its
// Set only checks the value. Default is kept as written, even if Set would reject it. A
// spin without a bound has Min math.MinInt or Max math.MaxInt.
//
// If only the default, a bound or a further word cannot be read, ParseOption returns the
// option without it, and an error. Otherwise, an error comes with an empty Option.
func ParseOption(line string) (Option, error) {
	w := &words{rest: fields(line)}
	if first, _ := w.next(); first != "option" {
		return Option{}, reject("option", first, "not an option line")
	}
	if first, more := w.next(); !more || first != "name" {
		return Option{}, reject("option", first, "no name")
	}
	// The name may contain the word `type`: the one before a kind ends it.
	end := slices.Index(w.rest, "type")
	for i := range w.rest {
		if i > 0 && w.rest[i-1] == "type" && slices.Contains(kindWords[:], w.rest[i]) {
			end = i - 1
			break
		}
	}
	if end < 0 {
		return Option{}, reject("option", strings.Join(w.rest, " "), "no type")
	}
	o := Option{Name: strings.Join(w.rest[:end], " "), Min: math.MinInt, Max: math.MaxInt}
	if o.Name == "" {
		return Option{}, reject("option", "", "no name")
	}
	w.rest = w.rest[end+1:]
	word, _ := w.next()
	kind := slices.Index(kindWords[:], word)
	if kind < 0 {
		return Option{}, reject("option", word, "unknown type")
	}
	o.Kind = OptionKind(kind)
	err := o.parts(w)
	if o.Kind != SpinOption {
		o.Min, o.Max = 0, 0
	}
	return o, err
}

// parts parses the words after the type. It returns the first error, and skips the part.
func (o *Option) parts(w *words) error {
	var wrong error
	odd := func(word, why string) { wrong = cmp.Or(wrong, reject("option", word, o.Name+": "+why)) }
	starts := func(word string) bool { return slices.Contains(optionParts[o.Kind], word) }
	if further := w.until(starts); len(further) > 0 {
		odd(further[0], "unknown word")
	}
	defaulted := o.Kind == ButtonOption || o.Kind == StringOption
	for part, more := w.next(); more; part, more = w.next() {
		list := w.all
		if o.Kind != StringOption {
			list = func() []string { return w.until(starts) }
		}
		value := strings.Join(list(), " ")
		switch part {
		case "default":
			defaulted = true
			if value != emptyText {
				o.Default = value
			}
		case "var":
			o.Choices = append(o.Choices, value)
		default:
			number, err := parseNumber(value, math.MinInt, math.MaxInt)
			switch {
			case err != nil:
				odd(value, part+" is "+err.Error())
			case part == "min":
				o.Min = int(number)
			default:
				o.Max = int(number)
			}
		}
	}
	if o.Min > o.Max {
		o.Min, o.Max = math.MinInt, math.MaxInt
		odd("", "its min is above its max")
	}
	if !defaulted {
		odd("", "no default")
	}
	return wrong
}
