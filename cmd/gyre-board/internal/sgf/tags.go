package sgf

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gyre/position"
	"gyre/position/record"
)

// longestTag is how many bytes of a text are kept for a tag or a comment.
const longestTag = 1000

// tags are what a file tells about a game.
type tags struct {
	players [2]string // by the file's numbers
	result  string    // in words, of any language
	others  []record.Tag
}

// tagsOf returns what a game tells about itself.
func tagsOf(g game) tags {
	var t tags
	for _, p := range g {
		switch value := printable(p.value); p.name {
		case "GN":
			t.others = append(t.others, record.Tag{Name: "Event", Value: value})
		case "DT":
			if date, ok := dateOf(value); ok {
				t.others = append(t.others, record.Tag{Name: "Date", Value: date})
			}
		case "RE":
			t.result = value
		case "P0", "P1":
			if name, ok := strings.CutPrefix(value, "id "); ok {
				t.players[p.name[1]-'0'] = strings.Trim(name, `"`)
			}
		}
	}
	return t
}

// winner returns the result that the words of the file tell, where they name
// just one of the players: it is told in the language of whoever saved it.
func (t *tags) winner(sideOf func(player int) position.Side) position.Result {
	named := position.Ongoing
	for player, name := range t.players {
		if !names(t.result, name) {
			continue
		}
		if named != position.Ongoing {
			return position.Ongoing
		}
		named = wins(sideOf(player))
	}
	return named
}

// names tells whether a text names a player: the name stands in it as a word, or
// as words, of its own.
func names(text, player string) bool {
	inWord := func(r rune, size int) bool { return size > 0 && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	for player != "" {
		before, after, found := strings.Cut(text, player)
		if !found {
			return false
		}
		if !inWord(utf8.DecodeLastRuneInString(before)) && !inWord(utf8.DecodeRuneInString(after)) {
			return true
		}
		text = after
	}
	return false
}

// rulesOf returns the rules of a game. The error is an *Error when it is not one
// of YINSH.
func rulesOf(g game) (position.Rules, error) {
	for _, p := range g {
		if p.name != "SU" {
			continue
		}
		switch setup := strings.ToLower(p.value); setup {
		case "yinsh":
			return position.Standard, nil
		case "yinsh-blitz":
			return position.Blitz, nil
		default:
			return position.Standard, refuse(p.line, "a game of %.40q, not of YINSH", p.value)
		}
	}
	line := 1
	if len(g) > 0 {
		line = g[0].line
	}
	return position.Standard, refuse(line, "SU, the property that names the game, is missing")
}

// dateOf returns a date such as "Fri Mar 13 19:56:26 GMT+01:00 2026" as a record
// has it.
func dateOf(text string) (string, bool) {
	words := strings.Fields(text)
	if len(words) < 4 {
		return "", false
	}
	date, err := time.Parse("Jan 2 2006", words[1]+" "+words[2]+" "+words[len(words)-1])
	return date.Format("2006.01.02"), err == nil
}

// printable returns a text as one line of valid UTF-8, cut when it is long.
func printable(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	text = strings.Join(strings.Fields(text), " ")
	for i := range text {
		if i > longestTag {
			return text[:i]
		}
	}
	return text
}
