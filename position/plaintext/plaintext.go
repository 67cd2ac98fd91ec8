// Package plaintext decodes the text files that people give to Gyre: of any editor, system and
// language. Every reader of games, openings, problems and configurations uses it.
//
// A text is UTF-8. If it is not, it has the encoding that the property CA of the Smart Game Format
// names, or else Windows-1252. A byte-order mark is skipped, and every line ends in "\n". A file
// that is no such text, such as a compressed one, is an *Error. If a text names an encoding of
// several bytes a character, such as Shift_JIS, each such character becomes U+FFFD.
package plaintext

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// Error says that a file is no text that Gyre reads.
type Error struct {
	What string // what the file is, and what to do
}

// Error returns what the file is, and what to do.
func (e *Error) Error() string { return e.What }

// LineError is an error in a line of a text.
type LineError struct {
	Line int // from 1
	Err  error
}

// Error returns the line and the error, as in "line 3: no number".
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the error without the line.
func (e *LineError) Unwrap() error { return e.Err }

// In returns the error of a reader with the name of the file: "FILE:LINE: ERROR" for a [LineError].
func In(file string, err error) error {
	if at, ok := err.(*LineError); ok {
		return fmt.Errorf("%s:%d: %w", file, at.Line, at.Err)
	}
	return fmt.Errorf("%s: %w", file, err)
}

// mark is the byte-order mark of UTF-8. Editors on Windows write it.
const mark = "\ufeff"

// heads are the beginnings of files that are no text in UTF-8 or of one byte a character. A longer
// one comes before its own beginning.
var heads = [...]struct{ head, what string }{
	{"\xff\xfe\x00\x00", "this is a text in UTF-32: save it as UTF-8"},
	{"\x00\x00\xfe\xff", "this is a text in UTF-32: save it as UTF-8"},
	{"\xff\xfe", "this is a text in UTF-16: save it as UTF-8"},
	{"\xfe\xff", "this is a text in UTF-16: save it as UTF-8"},
	{"\x1f\x8b", "this file is compressed by gzip: unpack it first"},
	{"PK\x03\x04", "this is a zip archive: unpack it first"},
}

// Check returns an *Error if a text begins as a file that is none.
func Check(text string) error {
	for _, h := range heads {
		if strings.HasPrefix(text, h.head) {
			return &Error{h.what}
		}
	}
	return nil
}

// Decode returns the text of a file in UTF-8, without a byte-order mark and with "\n" at the ends of
// lines. The error is an *Error.
func Decode(content string) (string, error) {
	if err := Check(content); err != nil {
		return "", err
	}
	if utf8.ValidString(content) {
		content = strings.TrimPrefix(content, mark)
		return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(content), nil
	}
	name := named(content)
	if slices.Contains(manyBytes[:], name) {
		content = replaced(content, strings.Contains(name, "JIS") || name == "WINDOWS932" || name == "WINDOWS31J")
	}
	r := NewReader(strings.NewReader(content)).(*reader)
	if upper, known := uppers[name]; known {
		r.upper, r.single = upper, true
	}
	text, err := io.ReadAll(r)
	return string(text), err
}

// Entries returns the lines of a text without blanks around them, and their numbers, from 1. It
// leaves out empty lines and comments, which begin with #.
func Entries(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		number := 0
		for line := range strings.Lines(text) {
			number++
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !yield(number, line) {
				return
			}
		}
	}
}

// NewReader returns a reader of the decoded text of a stream. It cannot know whether a whole text
// is UTF-8: each byte that is not a part of a character in UTF-8 is one in Windows-1252. The
// error is an *Error, or that of the stream. It reads no more of the stream than it must.
func NewReader(in io.Reader) io.Reader {
	return &reader{in: bufio.NewReader(in), upper: uppers["WINDOWS1252"]}
}

// reader decodes a stream.
type reader struct {
	in     *bufio.Reader
	upper  string // the characters of bytes from 0x80 on
	single bool   // whether each byte is a character
	begun  bool
	ended  bool   // whether the last character was a "\r", which ends a line
	out    []byte // decoded, but not read yet
	err    error  // comes after out
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if !r.begun {
		r.begun = true
		r.err = r.begin()
	}
	for len(r.out) == 0 && r.err == nil {
		r.decode(len(p))
	}
	n := copy(p, r.out)
	if r.out = r.out[n:]; n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, r.err
}

// begin skips a byte-order mark, or returns an *Error. It waits for a byte only as long as the
// bytes before it begin as one of the heads.
func (r *reader) begin() error {
	size := 0
	var head []byte
	for more := true; more; {
		size++
		var err error
		if head, err = r.in.Peek(size); err != nil {
			break // the stream is short, or fails again
		}
		more = strings.HasPrefix(mark, string(head)) && size < len(mark)
		for _, h := range heads {
			more = more || strings.HasPrefix(h.head, string(head)) && size < len(h.head)
		}
	}
	if strings.HasPrefix(string(head), mark) {
		_, err := r.in.Discard(len(mark))
		return err
	}
	return Check(string(head))
}

// decode decodes what has arrived, up to about a number of bytes, and at least one character.
func (r *reader) decode(size int) {
	r.out = r.out[:0]
	for len(r.out) == 0 || len(r.out) < size && r.in.Buffered() > 0 {
		c, n, err := r.in.ReadRune()
		if err != nil {
			r.err = err
			return
		}
		if c == utf8.RuneError && n == 1 || r.single && n > 1 {
			_ = r.in.UnreadRune() // cannot fail after ReadRune
			b, _ := r.in.ReadByte()
			c = r.character(b)
		}
		switch {
		case c == '\r':
			r.out = append(r.out, '\n')
		case c != '\n' || !r.ended:
			r.out = utf8.AppendRune(r.out, c)
		}
		r.ended = c == '\r'
	}
}

// character returns the character of a byte from 0x80 on.
func (r *reader) character(b byte) rune {
	at := byte(0x80)
	for _, c := range r.upper {
		if at == b {
			return c
		}
		at++
	}
	return rune(b) // as in Latin-1: the table ends before it
}

// Visible returns text without the characters that nobody sees, above all those that change the
// direction of the text around them: with U+202E, a name can rearrange the line in which it is
// shown. Every reader of names uses it. Joiners, which scripts and emoji need, stay.
func Visible(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == 0x061C, c == 0x180E, 0x200E <= c && c <= 0x200F, 0x202A <= c && c <= 0x202E, 0x2066 <= c && c <= 0x206F, // directions
			c == 0x00AD, c == 0x200B, 0x2060 <= c && c <= 0x2065, c == 0xFEFF, 0xFFF9 <= c && c <= 0xFFFB, 0xE0000 <= c && c <= 0xE007F: // no width
			return -1
		case c == 0x2028, c == 0x2029: // ends of a line and a paragraph
			return ' '
		}
		return c
	}, text)
}

// named returns the name of the encoding in the property CA of a file, such as WINDOWS1252, in
// capitals and without hyphens, or the empty string.
func named(content string) string {
	for rest := content; ; {
		_, after, found := strings.Cut(rest, "CA[")
		if !found {
			return ""
		}
		before := rest[:len(rest)-len(after)-len("CA[")]
		rest = after
		if n := len(before); n > 0 && before[n-1] >= 'A' && before[n-1] <= 'Z' {
			continue // another property
		}
		name, _, closed := strings.Cut(rest[:min(len(rest), 40)], "]")
		if !closed {
			return ""
		}
		return strings.NewReplacer("-", "", "_", "", " ", "", "CP", "WINDOWS").Replace(strings.ToUpper(name))
	}
}

// replaced replaces the characters of several bytes in a text: the second byte of one may be a bracket
// or a backslash otherwise. In Shift_JIS, the bytes 0xa1 to 0xdf are characters by themselves.
func replaced(content string, shiftJIS bool) string {
	var text strings.Builder
	for i := 0; i < len(content); i++ {
		b := content[i]
		switch {
		case b < 0x80:
			text.WriteByte(b)
			continue
		case i+1 < len(content) && content[i+1] >= '0' && !(shiftJIS && b >= 0xa1 && b <= 0xdf):
			i++
		}
		text.WriteRune(utf8.RuneError)
	}
	return text.String()
}

// manyBytes are the encodings of several bytes a character, as named writes them.
var manyBytes = [...]string{
	"SHIFTJIS", "SJIS", "WINDOWS31J", "WINDOWS932", "EUCJP", "EUCKR", "KSC5601", "WINDOWS949", "UHC",
	"GB2312", "GBK", "GB18030", "EUCCN", "WINDOWS936", "BIG5", "BIG5HKSCS", "WINDOWS950", "EUCTW",
}

// uppers are the characters of the bytes from 0x80 on, by encoding. The bytes after a table are
// those of Latin-1. Other encodings, such as ISO-8859-1, are read as Windows-1252, which is what
// programs that name it write.
var uppers = map[string]string{
	"WINDOWS1252": "€�‚ƒ„…†‡ˆ‰Š‹Œ�Ž��‘’“”•–—˜™š›œ�žŸ",
	"WINDOWS1250": "€�‚�„…†‡�‰Š‹ŚŤŽŹ�‘’“”•–—�™š›śťžź\u00a0ˇ˘Ł¤Ą¦§¨©Ş«¬\u00ad®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙",
	"WINDOWS1251": "ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—�™љ›њќћџ\u00a0ЎўЈ¤Ґ¦§Ё©Є«¬\u00ad®Ї°±Ііґµ¶·ё№є»јЅѕїАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя",
	"KOI8R":       "─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u00a0⌡°²·÷═║╒ё╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡Ё╢╣╤╥╦╧╨╩╪╫╬©юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ",
	"ISO88592":    "\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f\u00a0Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u00adŽŻ°ą˛ł´ľśˇ¸šşťź˝žżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙",
}
