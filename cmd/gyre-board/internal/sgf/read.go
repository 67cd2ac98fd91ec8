package sgf

import "gyre/position/record"

// Read reads all games of a file as records. The error is an *Error.
func Read(text string) ([]record.Game, error) {
	l := &lexer{text: text, line: 1}
	games, err := l.games()
	if err != nil {
		return nil, err
	}
	var records []record.Game
	for _, g := range games {
		game, err := replay(g)
		if err != nil {
			return nil, err
		}
		records = append(records, game)
	}
	return records, nil
}

// Looks tells whether a text looks like such a file rather than like a record
// or a position: it begins with a parenthesis.
func Looks(text string) bool {
	l := &lexer{text: text}
	return l.next() == '('
}
