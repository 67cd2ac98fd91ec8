package analysis

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// mostNested is how deep arrays and objects may lie in one another, as in
// encoding/json.
const mostNested = 10000

// field is a field of an object: its name, and its value as it stands in the text.
type field struct{ name, value string }

// fieldsOf returns the fields of the object (RFC 8259) that a text is, in their
// order. The error tells at which byte the text is none.
func fieldsOf(text string) ([]field, error) {
	var fields []field
	s := &scanner{text: text}
	s.spaces()
	if s.peek() != '{' {
		s.fail("an object begins with {")
	}
	s.group(1, func(name, value string) { fields = append(fields, field{unquote(name), value}) })
	s.spaces()
	if s.at < len(text) {
		s.fail("more after the end of the object")
	}
	return fields, s.err
}

// items shows the values of an array, which is whole and right, as they stand in it.
func items(value string, visit func(value string)) {
	(&scanner{text: value}).group(1, func(_, value string) { visit(value) })
}

// scanner passes over JSON.
type scanner struct {
	text string
	at   int
	err  error // the first
}

// fail tells what is wrong with the text here.
func (s *scanner) fail(what string) {
	if s.err == nil {
		s.err = fmt.Errorf("byte %d: %s", s.at+1, what)
	}
}

// peek returns the next byte, 0 at the end.
func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

// take passes over a byte if it is the next, and tells whether it was.
func (s *scanner) take(b byte) bool {
	if s.peek() != b || s.at == len(s.text) {
		return false
	}
	s.at++
	return true
}

// spaces passes over blanks.
func (s *scanner) spaces() {
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.at]) >= 0 {
		s.at++
	}
}

// group passes over an object or an array that lies so deep, and shows visit the
// values in it with the names, in their quotes, that an object gives them.
func (s *scanner) group(nested int, visit func(name, value string)) {
	end := s.peek() + 2 // in ASCII { and }, [ and ] stand that far apart
	if nested > mostNested {
		s.fail("nested too deeply")
	}
	s.at++
	s.spaces()
	if s.take(end) {
		return
	}
	for s.err == nil {
		name := ""
		s.spaces()
		if end == '}' {
			name = s.quotedText()
			s.spaces()
			if !s.take(':') {
				s.fail("a name wants a colon behind it")
			}
			s.spaces()
		}
		from := s.at
		s.value(nested)
		if s.err == nil && visit != nil {
			visit(name, s.text[from:s.at])
		}
		s.spaces()
		switch {
		case s.take(end):
			return
		case !s.take(','):
			s.fail("neither a comma nor the end of the array or object")
		}
	}
}

// value passes over a value that lies so deep.
func (s *scanner) value(nested int) {
	switch s.peek() {
	case '{', '[':
		s.group(nested+1, nil)
	case '"':
		s.quotedText()
	case 't':
		s.word("true")
	case 'f':
		s.word("false")
	case 'n':
		s.word("null")
	default:
		s.number()
	}
}

// word passes over a word.
func (s *scanner) word(word string) {
	if !strings.HasPrefix(s.text[s.at:], word) {
		s.fail("not a value")
		return
	}
	s.at += len(word)
}

// number passes over a number.
func (s *scanner) number() {
	s.take('-')
	if !s.take('0') {
		s.digits()
	}
	if s.take('.') {
		s.digits()
	}
	if s.take('e') || s.take('E') {
		if !s.take('+') {
			s.take('-')
		}
		s.digits()
	}
}

// digits passes over one or more.
func (s *scanner) digits() {
	from := s.at
	for b := s.peek(); '0' <= b && b <= '9'; b = s.peek() {
		s.at++
	}
	if s.at == from {
		s.fail("not a value")
	}
}

// quotedText passes over a text in quotes, and returns it with them.
func (s *scanner) quotedText() string {
	from := s.at
	if !s.take('"') {
		s.fail("text in quotes is wanted")
	}
	for s.err == nil && !s.take('"') {
		switch b := s.peek(); {
		case s.at == len(s.text):
			s.fail("the quotes are not closed")
		case b < ' ':
			s.fail("a control character in quotes")
		case b == '\\':
			s.escape()
		default:
			s.at++
		}
	}
	return s.text[from:s.at]
}

// escape passes over a backslash and what belongs to it.
func (s *scanner) escape() {
	s.at++
	switch b := s.peek(); {
	case b == 'u' && hexadecimal(s.text[s.at+1:]) >= 0:
		s.at += len("u0000")
	case b != 0 && strings.IndexByte(`"\/bfnrt`, b) >= 0:
		s.at++
	default:
		s.fail("an unknown escape")
	}
}

// appendQuoted appends a text in quotes, as JSON has it. What is no UTF-8 becomes
// U+FFFD.
func appendQuoted(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < ' ':
			const digits = "0123456789abcdef"
			dst = append(dst, '\\', 'u', '0', '0', digits[r>>4], digits[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// unquote returns what a text in quotes, which is whole and right, stands for. Bytes
// that are no UTF-8 and halves of surrogate pairs count as U+FFFD each, as in
// encoding/json.
func unquote(quoted string) string {
	text := quoted[1 : len(quoted)-1]
	if strings.IndexByte(text, '\\') < 0 && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		if r == '\\' {
			r, size = unescape(text)
		}
		b.WriteRune(r)
		text = text[size:]
	}
	return b.String()
}

// unescape returns the character that a text begins with, escaped, and how many bytes
// it takes.
func unescape(text string) (rune, int) {
	if text[1] != 'u' {
		return rune("\"\\/\b\f\n\r\t"[strings.IndexByte(`"\/bfnrt`, text[1])]), len(`\n`)
	}
	const size = len(`\u0000`)
	r := hexadecimal(text[2:])
	if !utf16.IsSurrogate(r) {
		return r, size
	}
	if strings.HasPrefix(text[size:], `\u`) {
		if pair := utf16.DecodeRune(r, hexadecimal(text[size+2:])); pair != utf8.RuneError {
			return pair, 2 * size
		}
	}
	return utf8.RuneError, size
}

// hexadecimal returns the number that the first four digits of a text are, below 0 if
// they are none.
func hexadecimal(text string) rune {
	if len(text) < 4 {
		return -1
	}
	n, err := strconv.ParseUint(text[:4], 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}
