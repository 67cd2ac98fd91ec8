package record

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"gyre/position"
)

// Bounds on a record, so that no input takes memory without end, and nothing is
// written that could not be read.
const (
	longestText    = 1 << 20 // bytes, as all lengths here
	longestComment = 1 << 14
	longestWord    = 100
	longestName    = 100
	mostTags       = 200
)

// isNameByte tells whether a tag's name may have a byte.
func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// isName tells whether a tag may have a name.
func isName(name string) bool {
	for i := range len(name) {
		if !isNameByte(name[i]) {
			return false
		}
	}
	return name != "" && len(name) <= longestName
}

// oneSpaced returns a text with its white space as single spaces, none at its
// ends.
func oneSpaced(text string) string { return strings.Join(strings.Fields(text), " ") }

// checkLine checks that a text is one line of valid UTF-8.
func checkLine(line int, text string) error {
	if !utf8.ValidString(text) {
		return refuse(line, text, "not valid UTF-8")
	}
	if strings.ContainsFunc(text, unicode.IsControl) {
		return refuse(line, text, "a control character, such as a line end")
	}
	return nil
}

// longestPrintable is how many bytes of a text Printable keeps, but for the last character.
const longestPrintable = 1000

// Printable returns a text of any origin as one that a tag can hold: one line of valid
// UTF-8 with single spaces, cut when it is long.
func Printable(text string) string {
	text = oneSpaced(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?")))
	for i := range text {
		if i > longestPrintable {
			return text[:i]
		}
	}
	return text
}

// checkComment checks that a text with single spaces can be a comment.
func checkComment(line int, text string) error {
	if len(text) > longestComment {
		return refuse(line, text, "a comment of more than %d bytes", longestComment)
	}
	if strings.ContainsRune(text, '}') {
		return refuse(line, text, "a comment cannot hold a closing brace")
	}
	return checkLine(line, text)
}

// refuse is an error of the field "record" in a line, from 1; line 0 is
// none.
func refuse(line int, word, format string, args ...any) *position.Error {
	err := &position.Error{Field: "record", Word: word, Reason: fmt.Sprintf(format, args...)}
	if line > 0 {
		err.Reason = fmt.Sprintf("line %d: %s", line, err.Reason)
	}
	return err
}

// inLine makes an error of package position one of the record.
func inLine(line int, err error) error {
	cause := causeOf(err)
	return refuse(line, cause.Word, "%s: %s", cause.Field, cause.Reason)
}

// causeOf returns an error of package position, whose errors are all of one type.
func causeOf(err error) *position.Error {
	var cause *position.Error
	if !errors.As(err, &cause) {
		return &position.Error{Reason: err.Error()}
	}
	return cause
}
