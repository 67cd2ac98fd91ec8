package gamereview

import (
	"fmt"
	"strconv"

	"gyre/protocol/analysis"
)

// object is a JSON object with its fields in order. Values are objects, arrays ([]any),
// texts, whole numbers, fractions and booleans.
type object []field

type field struct {
	name  string
	value any
}

func (o *object) add(name string, value any) { *o = append(*o, field{name, value}) }

// texts converts texts to an array.
func texts(list []string) []any {
	all := []any{}
	for _, text := range list {
		all = append(all, text)
	}
	return all
}

// appendJSON appends a value. Fields of the outermost object and elements of its arrays begin
// new lines if newline is not empty.
func appendJSON(dst []byte, value any, newline string) []byte {
	switch v := value.(type) {
	case object:
		dst = append(dst, '{')
		for i, f := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(analysis.AppendQuoted(append(dst, newline...), f.name), ':')
			if list, ok := f.value.([]any); ok && newline != "" {
				dst = appendLines(dst, list, newline)
			} else {
				dst = appendJSON(dst, f.value, "")
			}
		}
		return append(append(append(dst, newline...), '}'), newline...)
	case []any:
		return appendLines(dst, v, "")
	case string:
		return analysis.AppendQuoted(dst, v)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case float64:
		return strconv.AppendFloat(dst, v, 'f', -1, 64)
	case bool:
		return strconv.AppendBool(dst, v)
	}
	panic(fmt.Sprintf("no JSON for a %T", value))
}

// appendLines appends an array with newline before each element.
func appendLines(dst []byte, list []any, newline string) []byte {
	dst = append(dst, '[')
	for i, one := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendJSON(append(dst, newline...), one, "")
	}
	return append(dst, ']')
}
