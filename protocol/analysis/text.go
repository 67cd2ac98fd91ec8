package analysis

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

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
