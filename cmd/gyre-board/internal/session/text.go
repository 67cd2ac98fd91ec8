package session

import "gyre/cmd/gyre-board/internal/gametext"

// textQuestion is a text that somebody pasted or opened.
type textQuestion struct {
	Text  string `json:"text"`
	Rules string `json:"rules"` // where the text does not tell; empty means standard
}

// readText reads the games of a text.
func (s *session) readText(q textQuestion) (gametext.Text, error) {
	return gametext.Read(q.Text, q.Rules)
}

// textAnswer is a text to save.
type textAnswer struct {
	Text string `json:"text"`
}

// writeText writes a game as a record.
func (s *session) writeText(game gametext.Game) (textAnswer, error) {
	text, err := gametext.Write(game)
	return textAnswer{text}, err
}
