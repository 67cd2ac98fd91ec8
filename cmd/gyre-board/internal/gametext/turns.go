package gametext

import (
	"fmt"
	"regexp"
	"strings"

	"gyre/cmd/gyre-board/internal/referee"
	"gyre/position"
)

// turnNumber is the number of a turn ahead of it, resultWord the result at the end
// of a record, and joint what stands between the parts of a turn.
var (
	turnNumber = regexp.MustCompile(`^[0-9]+\.+`)
	resultWord = regexp.MustCompile(`^(\*|[0-9]-[0-9])$`)
	joint      = regexp.MustCompile(`\s*;\s*`)
)

// readTurns reads a list of turns, with their numbers or without. Blanks may stand
// around the semicolons in a turn, and a blank for the hyphen of a move.
func readTurns(text, rules string) (Text, error) {
	var words []string
	for _, word := range strings.Fields(joint.ReplaceAllString(text, ";")) {
		if word = turnNumber.ReplaceAllString(word, ""); word != "" {
			words = append(words, word)
		}
	}
	if n := len(words); n > 0 && resultWord.MatchString(words[n-1]) {
		words = words[:n-1]
	}
	return textOf(KindTurns, referee.Path{Rules: rules, Turns: hyphened(words, rules)})
}

// hyphened returns words with the two points of a move as one word: a point alone
// is a turn only while rings are placed. Rows may be taken off before the move.
func hyphened(words []string, rules string) []string {
	line, err := referee.Path{Rules: rules}.Read()
	if err != nil {
		return words
	}
	var turns []string
	for i := 0; i < len(words); i++ {
		word := words[i]
		last := word[strings.LastIndexByte(word, ';')+1:]
		if _, err := position.ParsePoint(strings.ToLower(last)); err == nil && !line.End().Placing() && i+1 < len(words) {
			i++
			word += "-" + words[i]
		}
		turns = append(turns, word)
		turn, err := line.End().ParseTurn(word)
		if err != nil {
			return append(turns, words[i+1:]...)
		}
		line.Add(turn)
	}
	return turns
}

// piece is a tag, a comment or a word of records.
var piece = regexp.MustCompile(`\[[^"\]]*"(?:\\.|[^"\\])*"\s*\]|\{[^}]*\}|[^\s{\[]+`)

// withoutNumbers returns the text of records without the numbers of turns, which may count
// each turn, or both sides' as one, as chess does: "1. f6 e5 2. d4". Blanks around the
// semicolons in a turn go too. It is ok if there was anything of this to leave out.
func withoutNumbers(text string) (plain string, ok bool) {
	var out strings.Builder
	turns, joined := 0, false
	each, pairs := true, true // what the numbers may count
	for _, word := range piece.FindAllString(text, -1) {
		switch word[0] {
		case '[':
			turns, each, pairs = 0, true, true
			out.WriteString("\n" + word)
			continue
		case '{':
			out.WriteString(" " + word)
			continue
		}
		if found := turnNumber.FindString(word); found != "" {
			number := strings.TrimRight(found, ".")
			each = each && number == fmt.Sprint(turns+1)
			pairs = pairs && number == fmt.Sprint(turns/2+1)
			if !each && !pairs {
				return "", false
			}
			word, ok = word[len(found):], true
		}
		if word == "" {
			continue
		}
		if joined || word[0] == ';' {
			ok = true
		} else {
			turns++
			out.WriteByte(' ')
		}
		out.WriteString(word)
		joined = strings.HasSuffix(word, ";")
	}
	return out.String(), ok
}
