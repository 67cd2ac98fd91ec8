// Package record reads and writes whole games as text. Every command of Gyre
// uses these records. It imports no package of Gyre but position.
//
//	record.go  Game, its result, and what its tags and comments may hold
//	read.go    Reader
//	write.go   Game.Write
package record

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gyre/position"
)

// Game is a whole game, or the beginning of one, as it is kept in a file.
//
// Its text is modelled on chess's Portable Game Notation (PGN, Edwards 1994):
//
//	[White "Anna"]
//	[Black "Ben"]
//	[Date "2026.03.13"]
//	[Result "3-1"]
//	[Rules "standard"]
//	[Position "..."]            only if the game did not begin at the start
//	[TimeControl "300+3"]
//	[Termination "resignation"] only if the board does not show why the game ended
//
//	1.e3 2.a5 ... 11.h7-g7 {0.35/9 1.2s} ... 3-1
//
// Turns are numbered one by one, white's odd and black's even, so a game from a
// position with black to move begins with number 2. A comment in braces belongs
// to the turn before it. The result, at the end of the turns and in its tag, is
// the score: the rings removed by white and by black, or * for a game without
// an end. The side with more rings has won, equal is a draw.
//
// The result of a game that is over on the board is what stands there. A game
// can also end away from the board: a player resigns, oversteps the time or
// breaks the rules, or both agree. Then the Termination tag says so, in PGN's
// words where it has them ("time forfeit", "rules infraction", "adjudication",
// "abandoned"; also "resignation", "agreement"), and the result is the score
// awarded: see [Game.Award].
type Game struct {
	// Tags are all but Result, Rules and Position, which the other fields hold.
	Tags     []Tag
	Start    position.Position // before the first turn
	Comment  string            // ahead of the first turn
	Turns    []Turn
	Finished bool   // the game has a result
	Score    [2]int // if Finished: rings removed, or awarded, by side
}

// Tag is one of a record's tag lines, [Name "Value"].
type Tag struct {
	Name  string // letters, digits and underscores
	Value string // any one line of text
}

// Turn is a turn with what was noted about it, such as score, depth and
// time. White space in a comment counts as one space, and it holds no closing
// brace.
type Turn struct {
	Turn    position.Turn
	Comment string
}

// The tags that the fields of a Game hold.
const (
	resultTag   = "Result"
	rulesTag    = "Rules"
	positionTag = "Position"
)

// isFieldTag tells whether a tag's name is one of these.
func isFieldTag(name string) bool {
	return name == resultTag || name == rulesTag || name == positionTag
}

// terminationTag is why a game ended away from the board. The words of
// boardTerminations say that it did not.
const terminationTag = "Termination"

var boardTerminations = [...]string{"", "normal", "unterminated"}

// New returns the record of a game that begins at a position, without
// turns yet.
func New(start position.Position) Game { return Game{Start: start} }

// tagIndex returns where in Tags the tag of a name is, or -1.
func (g *Game) tagIndex(name string) int {
	return slices.IndexFunc(g.Tags, func(tag Tag) bool { return tag.Name == name })
}

// Tag returns the value of the tag of a name, or nothing if there is none.
func (g *Game) Tag(name string) string {
	if i := g.tagIndex(name); i >= 0 {
		return g.Tags[i].Value
	}
	return ""
}

// SetTag gives a tag a value, and adds it at the end if there was none.
func (g *Game) SetTag(name, value string) {
	if i := g.tagIndex(name); i >= 0 {
		g.Tags[i].Value = value
		return
	}
	g.Tags = append(g.Tags, Tag{Name: name, Value: value})
}

// Add appends a turn with a comment, which may be empty.
func (g *Game) Add(t position.Turn, comment string) {
	g.Turns = append(g.Turns, Turn{Turn: t, Comment: comment})
}

// End returns the position after the last turn. The error is an [*position.Error] of the
// field "record" that names the first turn that is not legal.
func (g *Game) End() (position.Position, error) {
	p := g.Start
	for i, recorded := range g.Turns {
		if err := p.Check(recorded.Turn); err != nil {
			return position.Position{}, refuse(0, recorded.Turn.String(), "turn %d: %s", g.numberOf(i), causeOf(err).Reason)
		}
		var child position.Position
		p.Play(&child, recorded.Turn)
		p = child
	}
	return p, nil
}

// Close gives the record the result that its end shows: the score there if the
// game is over, else none.
func (g *Game) Close(end *position.Position) {
	g.Finished = end.Over()
	g.Score = [2]int{}
	if g.Finished {
		g.Score = scoreOf(end)
	}
}

// Award gives the record the result of a game that ended away from the board,
// at the position end: the winner is awarded the rings that win and the loser
// keeps his; in a draw both keep the lower number of the two. Why is the value
// of the Termination tag, such as "resignation" or "time forfeit".
func (g *Game) Award(end *position.Position, result position.Result, why string) {
	score := scoreOf(end)
	switch result {
	case position.WhiteWins:
		score[position.White] = end.Rules().WinningRings()
	case position.BlackWins:
		score[position.Black] = end.Rules().WinningRings()
	case position.Draw:
		score[position.White] = min(score[position.White], score[position.Black])
		score[position.Black] = score[position.White]
	case position.Ongoing:
		score = [2]int{}
	}
	g.Finished, g.Score = result != position.Ongoing, score
	g.SetTag(terminationTag, why)
}

// Result returns who won by the record: Ongoing for a game without an end.
func (g *Game) Result() position.Result {
	switch {
	case !g.Finished:
		return position.Ongoing
	case g.Score[position.White] > g.Score[position.Black]:
		return position.WhiteWins
	case g.Score[position.White] < g.Score[position.Black]:
		return position.BlackWins
	}
	return position.Draw
}

// scoreOf returns the rings removed by side.
func scoreOf(p *position.Position) [2]int {
	return [2]int{p.Removed(position.White), p.Removed(position.Black)}
}

// numberOf returns the number of the turn with an index in Turns.
func (g *Game) numberOf(index int) int { return index + 1 + int(g.Start.SideToMove()) }

// resultWord returns the result as it stands in the text.
func (g *Game) resultWord() string {
	if !g.Finished {
		return unfinished
	}
	return fmt.Sprintf("%d-%d", g.Score[position.White], g.Score[position.Black])
}

// unfinished is the result of a game without an end.
const unfinished = "*"

// checkResult returns why the record cannot have its result, or nothing.
func (g *Game) checkResult(end *position.Position) string {
	if end.Over() {
		if score := scoreOf(end); !g.Finished || g.Score != score {
			return fmt.Sprintf("the game is over with %d-%d", score[position.White], score[position.Black])
		}
		return ""
	}
	if !g.Finished {
		return ""
	}
	if slices.Contains(boardTerminations[:], g.Tag(terminationTag)) {
		return "the game is not over on the board, and no Termination tag says why it ended"
	}
	wins := g.Start.Rules().WinningRings()
	for _, rings := range g.Score {
		if rings < 0 || rings > wins {
			return fmt.Sprintf("no side can have %d rings, as %d win", rings, wins)
		}
	}
	if g.Score == [2]int{wins, wins} {
		return "both sides have the rings that win"
	}
	return ""
}

// Bounds on a record, so that no input takes memory without end, and nothing is
// written that could not be read.
const (
	longestText    = 1 << 20 // bytes, as all lengths here
	longestComment = 1 << 14
	longestWord    = 100
	longestName    = 100
	mostTags       = 200
)

// isNameByte tells whether a tag's name may have a byte.
func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// isName tells whether a tag may have a name.
func isName(name string) bool {
	for i := range len(name) {
		if !isNameByte(name[i]) {
			return false
		}
	}
	return name != "" && len(name) <= longestName
}

// oneSpaced returns a text with its white space as single spaces, none at its
// ends.
func oneSpaced(text string) string { return strings.Join(strings.Fields(text), " ") }

// checkLine checks that a text is one line of valid UTF-8.
func checkLine(line int, text string) error {
	if !utf8.ValidString(text) {
		return refuse(line, text, "not valid UTF-8")
	}
	if strings.ContainsFunc(text, unicode.IsControl) {
		return refuse(line, text, "a control character, such as a line end")
	}
	return nil
}

// longestPrintable is how many bytes of a text Printable keeps, but for the last character.
const longestPrintable = 1000

// Printable returns a text of any origin as one that a tag can hold: one line of valid
// UTF-8 with single spaces, cut when it is long.
func Printable(text string) string {
	text = oneSpaced(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?")))
	for i := range text {
		if i > longestPrintable {
			return text[:i]
		}
	}
	return text
}

// checkComment checks that a text with single spaces can be a comment.
func checkComment(line int, text string) error {
	if len(text) > longestComment {
		return refuse(line, text, "a comment of more than %d bytes", longestComment)
	}
	if strings.ContainsRune(text, '}') {
		return refuse(line, text, "a comment cannot hold a closing brace")
	}
	return checkLine(line, text)
}

// refuse is an error of the field "record" in a line, from 1; line 0 is
// none.
func refuse(line int, word, format string, args ...any) *position.Error {
	err := &position.Error{Field: "record", Word: word, Reason: fmt.Sprintf(format, args...)}
	if line > 0 {
		err.Reason = fmt.Sprintf("line %d: %s", line, err.Reason)
	}
	return err
}

// inLine makes an error of package position one of the record.
func inLine(line int, err error) error {
	cause := causeOf(err)
	return refuse(line, cause.Word, "%s: %s", cause.Field, cause.Reason)
}

// causeOf returns an error of package position, whose errors are all of one type.
func causeOf(err error) *position.Error {
	var cause *position.Error
	if !errors.As(err, &cause) {
		return &position.Error{Reason: err.Error()}
	}
	return cause
}
