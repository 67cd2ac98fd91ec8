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
	line   int
	name   string
	values []string // at least one
}

// value returns the first value.
func (p *property) value() string { return p.values[0] }

// tokenKind is what a token of a game is.
type tokenKind uint8

const (
	nodeToken     tokenKind = iota // a semicolon: a node begins
	openToken                      // a way on begins
	closeToken                     // it ends
	propertyToken                  // of the node that has begun
)

// token is a piece of a game.
type token struct {
	kind tokenKind
	property
}

// game is what stands between the parentheses of a game.
type game []token

// mainLine returns the properties along the first way on: it ends with the first
// parenthesis that closes.
func (g game) mainLine() []property {
	var line []property
	for _, t := range g {
		switch t.kind {
		case propertyToken:
			line = append(line, t.property)
		case closeToken:
			return line
		}
	}
	return line
}

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

// games reads all games of a file.
func (l *lexer) games() ([]game, error) {
	var games []game
	for l.next() != 0 {
		g, err := l.game()
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

// mostOpen is how many parentheses can be open at once. Those of a game are fewer,
// as each has a turn of its own.
const mostOpen = 1000

// game reads what stands between two parentheses.
func (l *lexer) game() (game, error) {
	if l.next() != '(' {
		return nil, refuse(l.line, "a game begins with a parenthesis, not with %q", l.text[l.at])
	}
	var g game
	l.at++
	for open := 1; ; {
		switch c := l.next(); c {
		case 0:
			return nil, refuse(l.line, "the file ends within a game")
		case '(':
			if open++; open > mostOpen {
				return nil, refuse(l.line, "more than %d parentheses are open", mostOpen)
			}
			g = append(g, token{kind: openToken})
			l.at++
		case ')':
			l.at++
			if open--; open == 0 {
				return g, nil
			}
			g = append(g, token{kind: closeToken})
		case ';':
			l.at++
			g = append(g, token{kind: nodeToken})
		default:
			p, err := l.property()
			if err != nil {
				return nil, err
			}
			g = append(g, token{propertyToken, p})
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
	for l.next() == '[' {
		value, err := l.value()
		if err != nil {
			return p, err
		}
		p.values = append(p.values, value)
	}
	if len(p.values) == 0 {
		return p, refuse(p.line, "%s has no value", p.name)
	}
	return p, nil
}

// isNameByte tells whether a property's name may have a byte.
func isNameByte(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
}

// value reads what stands in brackets. A backslash takes the next character as
// it is, and takes out the end of a line.
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
			if c == '\r' && strings.HasPrefix(l.text[l.at:], "\r\n") {
				l.at++
				c = '\n'
			}
			if c == '\n' {
				l.line++
				continue
			}
		}
		if c == '\n' {
			l.line++
		}
		b.WriteByte(c)
	}
	return "", refuse(begin, "a bracket that is not closed")
}

// escape returns a value as it stands in brackets.
func escape(value string) string {
	return strings.NewReplacer(`\`, `\\`, `]`, `\]`).Replace(value)
}
