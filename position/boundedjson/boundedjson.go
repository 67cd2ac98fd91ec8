// Package boundedjson parses JSON of somebody else with little memory. Two bytes of JSON may be an element that needs
// hundreds in memory, so a program counts the values before it parses them.
package boundedjson

import (
	"encoding/json"
	"fmt"
)

// Count returns how many values a text of JSON has at most, and how many levels of arrays and objects. It does not
// check the text, and takes no memory.
func Count(text []byte) (values, levels int) {
	values, _, levels = count(text)
	return values, levels
}

// count is Count, and also counts the objects among the values.
func count(text []byte) (values, objects, levels int) {
	values = 1
	level := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			values++
			if text[i] == '{' {
				objects++
			}
			level++
			levels = max(levels, level)
		case ',':
			values++
		case '}', ']':
			level--
		}
	}
	return values, objects, levels
}

// What values need in memory while they are parsed, in bytes, in addition to a few times their length. An empty object
// may be an element of a hundred bytes in a list, which is copied as it grows.
const (
	objectSize = 160
	otherSize  = 48
)

// Size returns how many bytes the values of a text need in memory while they are parsed, in addition to a few times
// its length. Like Count, it does not check the text, and takes no memory.
func Size(text []byte) int {
	values, objects, _ := count(text)
	return (values-objects)*otherSize + objects*objectSize
}

// Check returns an error if a text has too many values, or is nested too deeply.
func Check(text []byte, mostValues, mostLevels int) error {
	values, levels := Count(text)
	if levels > mostLevels {
		return fmt.Errorf("it is nested more than %d levels deep", mostLevels)
	}
	if values > mostValues {
		return fmt.Errorf("it has more than %d values", mostValues)
	}
	return nil
}

// Unmarshal parses a text, unless Check rejects it.
func Unmarshal(text []byte, value any, mostValues, mostLevels int) error {
	if err := Check(text, mostValues, mostLevels); err != nil {
		return err
	}
	return json.Unmarshal(text, value)
}
