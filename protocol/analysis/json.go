package analysis

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxNested is the deepest nesting of arrays and objects, as in encoding/json.
const maxNested = 10000

// field is a field of an object. The value is JSON text.
type field struct{ name, value string }

// fieldsOf returns the fields of a JSON object (RFC 8259), in their order. The error
// names the byte at which the text is invalid.
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

// items calls visit with each value of a valid array, as JSON text.
func items(value string, visit func(value string)) {
	(&scanner{text: value}).group(1, func(_, value string) { visit(value) })
}

// scanner scans JSON text. Each method skips the element that it is named for.
type scanner struct {
	text string
	at   int
	err  error // the first
}

// fail records an error at the current byte, unless there is one already.
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

// take skips the next byte if it is b, and reports whether it was.
func (s *scanner) take(b byte) bool {
	if s.peek() != b || s.at == len(s.text) {
		return false
	}
	s.at++
	return true
}

func (s *scanner) spaces() {
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.at]) >= 0 {
		s.at++
	}
}

// group scans an object or an array at the given nesting depth. If visit is not nil, it
// is called with each value and, in an object, with its quoted name.
func (s *scanner) group(nested int, visit func(name, value string)) {
	end := s.peek() + 2 // in ASCII, } is { + 2, and ] is [ + 2
	if nested > maxNested {
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
				s.fail("a name needs a colon after it")
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

// value scans a value inside a group at the given nesting depth.
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

func (s *scanner) word(word string) {
	if !strings.HasPrefix(s.text[s.at:], word) {
		s.fail("not a value")
		return
	}
	s.at += len(word)
}

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

func (s *scanner) digits() {
	from := s.at
	for b := s.peek(); '0' <= b && b <= '9'; b = s.peek() {
		s.at++
	}
	if s.at == from {
		s.fail("not a value")
	}
}

// quotedText skips a string, and returns it with its quotes.
func (s *scanner) quotedText() string {
	from := s.at
	if !s.take('"') {
		s.fail("expected text in quotes")
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

// escape skips an escape sequence.
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

// AppendQuoted appends text as a JSON string. Invalid UTF-8 becomes U+FFFD.
func AppendQuoted(dst []byte, text string) []byte {
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

// unquote returns the text of a valid JSON string. Invalid bytes and unpaired surrogates
// each become U+FFFD, as in encoding/json.
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

// unescape decodes the escape sequence at the beginning of a text, and returns its length
// in bytes.
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

// hexadecimal parses the first four bytes of a text as a hexadecimal number. It returns a
// negative number if they are not one.
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
