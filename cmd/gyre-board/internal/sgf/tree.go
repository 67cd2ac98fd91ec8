package sgf

import (
	"fmt"
	"strings"
)

// Error is a file that cannot be read.
type Error struct {
	Line   int // from 1
	Reason string
}

// Error returns line and reason.
func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// refuse is short for an *Error whose reason is formatted.
func refuse(line int, format string, args ...any) *Error {
	return &Error{Line: line, Reason: fmt.Sprintf(format, args...)}
}

// property is one of a node's, such as P0[12 Done].
type property struct {
	line  int
	name  string
	value string // the first one, if there are several
}

// game is a game's nodes along its main line, one after the other.
type game []property

// lexer goes through a file.
type lexer struct {
	text string
	at   int
	line int
}

// next returns the next character that is not white space, 0 at the end, and
// leaves it there.
func (l *lexer) next() byte {
	for l.at < len(l.text) {
		switch c := l.text[l.at]; c {
		case '\n':
			l.line++
			l.at++
		case ' ', '\t', '\r', '\v', '\f':
			l.at++
		default:
			return c
		}
	}
	return 0
}

// games reads all games of a file. Of variations the first is the game, and the
// others are passed over.
func (l *lexer) games() ([]game, error) {
	var games []game
	for l.next() != 0 {
		g, err := l.tree()
		if err != nil {
			return nil, err
		}
		games = append(games, g)
	}
	if len(games) == 0 {
		return nil, refuse(l.line, "there is no game")
	}
	return games, nil
}

// tree reads what stands between two parentheses. It counts the open ones
// instead of calling itself, so that no input is too deep.
func (l *lexer) tree() (game, error) {
	if l.next() != '(' {
		return nil, refuse(l.line, "a game begins with a parenthesis, not with %q", l.text[l.at])
	}
	var g game
	over := false // the main line is: it ends with the first parenthesis that closes
	for open := 0; ; {
		switch c := l.next(); c {
		case 0:
			return nil, refuse(l.line, "the file ends within a game")
		case '(':
			l.at++
			open++
		case ')':
			l.at++
			open--
			over = true
			if open == 0 {
				return g, nil
			}
		case ';':
			l.at++
		default:
			p, err := l.property()
			if err != nil {
				return nil, err
			}
			if !over {
				g = append(g, p)
			}
		}
	}
}

// property reads a name with its values.
func (l *lexer) property() (property, error) {
	p := property{line: l.line}
	begin := l.at
	for l.at < len(l.text) && isNameByte(l.text[l.at]) {
		l.at++
	}
	p.name = l.text[begin:l.at]
	if p.name == "" {
		return p, refuse(l.line, "%q stands where a property should", l.text[l.at])
	}
	values := 0
	for ; l.next() == '['; values++ {
		value, err := l.value()
		if err != nil {
			return p, err
		}
		if values == 0 {
			p.value = value
		}
	}
	if values == 0 {
		return p, refuse(p.line, "%s has no value", p.name)
	}
	return p, nil
}

// isNameByte tells whether a property's name may have a byte.
func isNameByte(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
}

// value reads what stands in brackets. A backslash takes the next character as
// it is.
func (l *lexer) value() (string, error) {
	begin := l.line
	l.at++
	var b strings.Builder
	for ; l.at < len(l.text); l.at++ {
		c := l.text[l.at]
		switch {
		case c == ']':
			l.at++
			return b.String(), nil
		case c == '\\' && l.at+1 < len(l.text):
			l.at++
			c = l.text[l.at]
		}
		if c == '\n' {
			l.line++
		}
		b.WriteByte(c)
	}
	return "", refuse(begin, "a bracket that is not closed")
}
