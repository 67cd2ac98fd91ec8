package record

import (
	"bufio"
	"io"
	"strings"
)

// token is one piece of a record's text.
type token struct {
	kind tokenKind
	line int    // where it begins, from 1
	text string // a word, a comment's text or a tag's value
	name string // of a tag
}

type tokenKind uint8

const (
	endToken     tokenKind = iota // of the input
	wordToken                     // a number, a turn, a result, or several of them without a space
	commentToken                  // {text}, its white space as single spaces
	tagToken                      // [name "text"]
)

// lexer cuts the text of records into tokens. Tokens of one record after
// the other may be taken from it.
type lexer struct {
	in   *bufio.Reader
	line int
	left int // bytes that the record may still have
}

// atRecord tells that a new record begins.
func (l *lexer) atRecord() { l.left = longestText }

// next returns the next token. Errors that are not of the text are the input's.
func (l *lexer) next() (token, error) {
	c, err := l.skipSpace()
	tok := token{line: l.line}
	if err == io.EOF {
		return tok, nil
	}
	if err != nil {
		return tok, err
	}
	switch c {
	case '[':
		tok.kind = tagToken
		tok.name, tok.text, err = l.tag()
	case '{':
		tok.kind = commentToken
		tok.text, err = l.comment()
	default:
		tok.kind = wordToken
		l.unread(c)
		tok.text, err = l.word()
	}
	return tok, err
}

// read returns the next byte and counts lines.
func (l *lexer) read() (byte, error) {
	if l.left == 0 {
		return 0, refuse(l.line, "", "longer than %d bytes", longestText)
	}
	c, err := l.in.ReadByte()
	if err != nil {
		return 0, err
	}
	l.left--
	if c == '\n' {
		l.line++
	}
	return c, nil
}

// unread takes back the byte last read.
func (l *lexer) unread(c byte) {
	_ = l.in.UnreadByte() // cannot fail after a byte was read
	l.left++
	if c == '\n' {
		l.line--
	}
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// skipSpace returns the first byte that is not white space.
func (l *lexer) skipSpace() (byte, error) {
	for {
		if c, err := l.read(); err != nil || !isSpace(c) {
			return c, err
		}
	}
}

// word reads up to white space, a bracket, a brace or the end.
func (l *lexer) word() (string, error) {
	var text strings.Builder
	for {
		c, err := l.read()
		if err == io.EOF {
			return text.String(), nil
		}
		if err != nil {
			return "", err
		}
		if isSpace(c) || text.Len() > 0 && (c == '[' || c == '{') {
			l.unread(c)
			return text.String(), nil
		}
		if text.Len() == longestWord {
			return "", refuse(l.line, text.String(), "a word of more than %d bytes", longestWord)
		}
		text.WriteByte(c)
	}
}

// comment reads up to the closing brace.
func (l *lexer) comment() (string, error) {
	begun := l.line
	text, err := l.until('}')
	if err == io.EOF {
		return "", refuse(begun, "{", "the comment has no closing brace")
	}
	if err != nil {
		return "", err
	}
	text = oneSpaced(text)
	return text, checkComment(begun, text)
}

// until reads up to a byte, which it takes and leaves out.
func (l *lexer) until(end byte) (string, error) {
	var text strings.Builder
	for {
		c, err := l.read()
		if err != nil || c == end {
			return text.String(), err
		}
		text.WriteByte(c)
	}
}

// tag reads what follows the opening bracket, up to the closing one.
func (l *lexer) tag() (name, value string, err error) {
	begun := l.line
	c, err := l.skipSpace()
	for ; err == nil && isNameByte(c) && len(name) < longestName; c, err = l.read() {
		name += string(c)
	}
	if err == nil && isSpace(c) {
		c, err = l.skipSpace()
	}
	if err == nil && (name == "" || c != '"') {
		return name, "", badTag(begun, name)
	}
	if err == nil {
		value, err = l.quoted(begun, name)
	}
	if err == nil {
		c, err = l.skipSpace()
	}
	if err == io.EOF || err == nil && c != ']' {
		return name, value, badTag(begun, name)
	}
	if err != nil {
		return name, value, err
	}
	return name, value, checkLine(begun, value)
}

// badTag is the error of a tag that has not the form of one.
func badTag(line int, name string) error {
	return refuse(line, "["+name, `a tag has the form [Name "value"], with \" and \\ for " and \ in the value`)
}

// quoted reads a tag's value up to the closing quotation mark.
func (l *lexer) quoted(line int, name string) (string, error) {
	var value strings.Builder
	for {
		c, err := l.read()
		if err == nil && c == '"' {
			return value.String(), nil
		}
		if err == nil && c == '\\' {
			if c, err = l.read(); err == nil && c != '"' && c != '\\' {
				return "", badTag(line, name)
			}
		}
		if err != nil {
			return "", err
		}
		value.WriteByte(c)
	}
}
