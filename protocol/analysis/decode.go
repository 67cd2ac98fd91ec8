package analysis

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gyre/protocol"
)

// What can be wrong with a value.
var (
	errNoString = errors.New("not a string")
	errNoNumber = errors.New("not a number")
	errNoWhole  = errors.New("not a whole number")
	errNoArray  = errors.New("not an array")
)

// stringOf returns what a value in quotes stands for.
func stringOf(value string) (string, error) {
	if value[0] != '"' {
		return "", about(value, errNoString)
	}
	return unquote(value), nil
}

// whole returns the whole number from least to most that a value is, however it is
// written.
func whole(value string, least, most int64) (int64, error) {
	n, exact, err := decimal(value, 0)
	switch {
	case err != nil:
		return 0, err
	case !exact:
		return 0, about(value, errNoWhole)
	case n < least || n > most:
		return 0, about(value, fmt.Errorf("out of range %d to %d", least, most))
	}
	return n, nil
}

// The bounds of times in seconds.
const (
	shortest = time.Millisecond
	longest  = 1_000_000 * time.Second
)

// seconds returns the time that a value is.
func seconds(value string) (time.Duration, error) {
	n, _, err := decimal(value, len("000000000"))
	if t := time.Duration(n); err == nil && (t < shortest || t > longest) {
		err = about(value, errors.New("out of range 0.001 to 1000000"))
	}
	return time.Duration(n), err
}

// decimal returns a number times a power of ten without its fraction, and whether it
// has none. A number beyond all bounds is the largest or the smallest of its type.
func decimal(value string, power int) (n int64, exact bool, err error) {
	digits := strings.TrimPrefix(value, "-")
	sign := value[:len(value)-len(digits)]
	if digits[0] < '0' || digits[0] > '9' {
		return 0, false, about(value, errNoNumber)
	}
	if e := strings.IndexAny(digits, "eE"); e >= 0 {
		exponent, _ := strconv.Atoi(digits[e+1:]) // out of range is as good as the bound
		power += max(-protocol.MaxLine, min(exponent, protocol.MaxLine))
		digits = digits[:e]
	}
	if point := strings.IndexByte(digits, '.'); point >= 0 {
		power -= len(digits) - point - 1
		digits = digits[:point] + digits[point+1:]
	}
	exact = true
	if power < 0 {
		left := max(0, len(digits)+power)
		exact = strings.Trim(digits[left:], "0") == ""
		digits = digits[:left]
	}
	const plenty = 20 // digits after another are more than a number can have
	n, _ = strconv.ParseInt(sign+"0"+digits+strings.Repeat("0", max(0, min(power, plenty))), 10, 64)
	return n, exact, nil
}

// array has the values of an array taken, up to the first that is refused.
func array(value string, take func(value string) error) (err error) {
	if value[0] != '[' {
		return about(value, errNoArray)
	}
	items(value, func(value string) {
		if err == nil {
			err = take(value)
		}
	})
	return err
}

// about puts the value before what is wrong with it, shortened where it is long.
func about(value string, err error) error {
	const longest = 40
	if len(value) > longest {
		value = value[:longest] + "..."
	}
	return fmt.Errorf("%s: %w", value, err)
}
