package sgf

import (
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gyre/position"
	"gyre/position/record"
)

// recordDate is the form of dates in records.
const recordDate = "2006.01.02"

// The properties of our own.
const (
	ownStart = "GYRESTART"
	ownGame  = "GYREGAME"
	ownNode  = "GYRE"
)

// tags are what a file tells about a game.
type tags struct {
	players [2]string // by the file's numbers
	result  string    // in words, of any language
	others  []record.Tag
}

// tagsOf returns what a game tells about itself.
func tagsOf(g []property) tags {
	var t tags
	for _, p := range g {
		switch value := record.Printable(p.value()); p.name {
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

// finish gives a game its tags, and the end that the file tells of where the main
// line, which ends at a place, shows none.
func (g *Game) finish(t tags, main *place) {
	for side, name := range [2]string{position.White: "White", position.Black: "Black"} {
		player := 0
		if main.sideOf(0) != position.Side(side) {
			player = 1
		}
		if t.players[player] != "" {
			g.Tags = append(g.Tags, record.Tag{Name: name, Value: t.players[player]})
		}
	}
	g.Tags = append(g.Tags, t.others...)
	if main.node.End == nil && !main.steps.Now().Over() {
		main.node.End = t.end(main.sideOf)
	}
}

// plainResult is a result as the format has it: W+Resign, B+2, Draw.
var plainResult = regexp.MustCompile(`^(?:([WB])\+(.*)|0|Draw)$`)

// end returns the end that the words of the file tell, or nil: in the form of the
// format, or in the language of whoever saved it where they name just one of the
// players.
func (t *tags) end(sideOf func(player int) position.Side) *End {
	if found := plainResult.FindStringSubmatch(t.result); found != nil {
		why := map[string]string{"R": "resignation", "Resign": "resignation", "T": "time forfeit", "Time": "time forfeit", "F": "forfeit", "Forfeit": "forfeit"}[found[2]]
		if why == "" {
			why = "adjudication"
		}
		result := map[string]position.Result{"W": position.WhiteWins, "B": position.BlackWins, "": position.Draw}[found[1]]
		return &End{result, why}
	}
	var end *End
	for player, name := range t.players {
		if !names(t.result, name) {
			continue
		}
		if end != nil {
			return nil
		}
		end = &End{wins(sideOf(player)), "adjudication"}
	}
	return end
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

// startOf returns where a game begins. The error is an *Error.
func startOf(g []property) (position.Position, error) {
	rules, err := rulesOf(g)
	if err != nil {
		return position.Position{}, err
	}
	for _, p := range g {
		if p.name != ownStart {
			continue
		}
		start, err := position.Parse(p.value(), rules)
		if err != nil {
			return start, refuse(p.line, "%s: %v", p.name, err)
		}
		return start, nil
	}
	return position.Start(rules), nil
}

// ownOf returns what the caller keeps of the game.
func ownOf(g []property) string {
	for _, p := range g {
		if p.name == ownGame {
			return p.value()
		}
	}
	return ""
}

// rulesOf returns the rules of a game. The error is an *Error when it is not one
// of YINSH.
func rulesOf(g []property) (position.Rules, error) {
	for _, p := range g {
		if p.name != "SU" {
			continue
		}
		switch setup := strings.ToLower(p.value()); setup {
		case "yinsh":
			return position.Standard, nil
		case "yinsh-blitz":
			return position.Blitz, nil
		default:
			return position.Standard, refuse(p.line, "a game of %.40q, not of YINSH", p.value())
		}
	}
	line := 1
	if len(g) > 0 {
		line = g[0].line
	}
	return position.Standard, refuse(line, "SU, the property that names the game, is missing")
}

// dateOf returns a date such as "Fri Mar 13 19:56:26 GMT+01:00 2026", or
// "2026-03-13" as the format has it, as a record has it.
func dateOf(text string) (string, bool) {
	if date, err := time.Parse(time.DateOnly, text); err == nil {
		return date.Format(recordDate), true
	}
	words := strings.Fields(text)
	if len(words) < 4 {
		return "", false
	}
	date, err := time.Parse("Jan 2 2006", words[1]+" "+words[2]+" "+words[len(words)-1])
	return date.Format(recordDate), err == nil
}
