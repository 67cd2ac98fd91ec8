// Package record reads and writes whole games as text. Every command of Gyre
// uses these records. It imports no package of Gyre but position
// and plaintext.
//
//	record.go  Game: its result, its tags and comments, and Write
//	read.go    Reader
//	replay.go  Error, and Replay for formats that have steps instead of whole turns
package record

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gyre/position"
	"gyre/position/plaintext"
)

// Game is the record of a whole game, or of the start of one.
//
// Its text is modeled on chess's Portable Game Notation (PGN, Edwards 1994):
//
//	[White "Anna"]
//	[Black "Ben"]
//	[Date "2026.03.13"]
//	[Result "3-1"]
//	[Rules "standard"]
//	[Position "..."]            only if the game began from another position
//	[TimeControl "300+3"]
//	[Termination "resignation"] only if the board does not show why the game ended
//
//	1.e3 2.a5 ... 11.h7-g7 {0.35/9 1.2s} ... 3-1
//
// Each turn has its own number: white's are odd and black's even, so a game that
// starts with black to move begins with number 2. A comment in braces belongs to the
// turn before it. The result appears after the turns and in its tag. It is the score,
// which is the number of rings removed by white and by black, or * for an unfinished
// game. The side with more rings has won; equal scores are a draw.
//
// If the game is over on the board, the result is the score on the board. A game can
// also end off the board: a player resigns, runs out of time or breaks the rules, or
// both agree on a result. The Termination tag then holds the reason, in PGN's words
// if it has one ("time forfeit", "rules infraction", "adjudication", "abandoned";
// also "resignation", "agreement"). The result is then the score awarded; see
// [Game.Award].
type Game struct {
	// Tags holds all tags except Result, Rules and Position, which have their own
	// fields.
	Tags     []Tag
	Start    position.Position // before the first turn
	Comment  string            // before the first turn
	Turns    []Turn
	Finished bool   // the game has a result
	Score    [2]int // if Finished: rings removed or awarded, by side
}

// Tag is one tag line of a record, [Name "Value"].
type Tag struct {
	Name  string // letters, digits and underscores
	Value string // any one line of text
}

// Turn is a turn with a comment, such as its score, depth and time. A comment has no
// closing brace, and its white space counts as single spaces.
type Turn struct {
	Turn    position.Turn
	Comment string
}

// The names of the tags that are fields of Game.
const (
	resultTag   = "Result"
	rulesTag    = "Rules"
	positionTag = "Position"
)

// isFieldTag reports whether the tag is a field of Game.
func isFieldTag(name string) bool {
	return name == resultTag || name == rulesTag || name == positionTag
}

// terminationTag names the reason why a game ended off the board. The values in
// boardTerminations say that the game did not end off the board.
const terminationTag = "Termination"

var boardTerminations = [...]string{"", "normal", "unterminated"}

// New returns the record of a game from its first position and its turns so far.
func New(start position.Position, turns ...position.Turn) Game {
	g := Game{Start: start}
	for _, t := range turns {
		g.Add(t, "")
	}
	return g
}

// tagIndex returns the index of a tag in Tags, or -1.
func (g *Game) tagIndex(name string) int {
	return slices.IndexFunc(g.Tags, func(tag Tag) bool { return tag.Name == name })
}

// Tag returns the value of a tag, or "" if the record does not have it.
func (g *Game) Tag(name string) string {
	if i := g.tagIndex(name); i >= 0 {
		return g.Tags[i].Value
	}
	return ""
}

// SetTag sets the value of a tag. It appends the tag if the record does not have it.
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

// End returns the position after the last turn. If a turn is illegal, the error is an
// [*Error] that names the first such turn.
func (g *Game) End() (position.Position, error) {
	p := g.Start
	for i, recorded := range g.Turns {
		if err := p.Check(recorded.Turn); err != nil {
			wrong := Because(0, err)
			wrong.Turn = g.numberOf(i)
			return position.Position{}, wrong
		}
		p = p.After(recorded.Turn)
	}
	return p, nil
}

// Close sets the result from the final position: its score if the game is over,
// otherwise none.
func (g *Game) Close(end *position.Position) {
	g.Finished = end.Over()
	g.Score = [2]int{}
	if g.Finished {
		g.Score = scoreOf(end)
	}
}

// Award sets the result of a game that ended off the board at the position end. The
// winner is awarded the rings that win, and the loser keeps the rings removed. In a
// draw both sides get the lower of the two scores. Why is the value of the
// Termination tag, such as "resignation" or "time forfeit".
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

// Result returns the result of the record, which is Ongoing for an unfinished game.
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

// scoreOf returns the rings removed, by side.
func scoreOf(p *position.Position) [2]int {
	return [2]int{p.Removed(position.White), p.Removed(position.Black)}
}

// numberOf returns the number of the turn with the given index in Turns.
func (g *Game) numberOf(index int) int { return index + 1 + int(g.Start.SideToMove()) }

// ResultText returns the result as text, such as 3-1, or * for an unfinished game.
func (g *Game) ResultText() string {
	if !g.Finished {
		return unfinished
	}
	return fmt.Sprintf("%d-%d", g.Score[position.White], g.Score[position.Black])
}

// unfinished is the result of an unfinished game.
const unfinished = "*"

// checkResult returns why the result of the record is impossible, or "".
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
		return "the game is not over on the board, and there is no Termination tag with the reason"
	}
	wins := g.Start.Rules().WinningRings()
	for _, rings := range g.Score {
		if rings < 0 || rings > wins {
			return fmt.Sprintf("a score of %d rings is impossible: %d rings win the game", rings, wins)
		}
	}
	if g.Score == [2]int{wins, wins} {
		return "both sides have the rings that win"
	}
	return ""
}

// Limits on a record. They bound the memory for any input, and a record that is
// written can always be read.
const (
	maxText    = 1 << 20 // in bytes, like all lengths here
	maxComment = 1 << 14
	maxWord    = 100
	maxName    = 100
)

// MaxTags is the largest number of tags of a record.
const MaxTags = 200

// isNameByte reports whether a tag's name may contain c.
func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// isName reports whether name is a valid tag name.
func isName(name string) bool {
	for i := range len(name) {
		if !isNameByte(name[i]) {
			return false
		}
	}
	return name != "" && len(name) <= maxName
}

// oneSpaced trims text and replaces runs of white space with single spaces.
func oneSpaced(text string) string { return strings.Join(strings.Fields(text), " ") }

// checkLine checks that text is one line of valid UTF-8.
func checkLine(line int, text string) error {
	if !utf8.ValidString(text) {
		return reject("not-text", line, text, "not valid UTF-8")
	}
	if strings.ContainsFunc(text, unicode.IsControl) {
		return reject("not-text", line, text, "contains a control character, such as a line end")
	}
	return nil
}

// maxPrintable is the number of bytes that Printable keeps, up to one character more.
const maxPrintable = 1000

// Printable turns any text into a valid tag value: one line of valid and visible UTF-8 with
// single spaces, truncated if it is long.
func Printable(text string) string {
	text = oneSpaced(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, plaintext.Visible(strings.ToValidUTF8(text, "?"))))
	for i := range text {
		if i > maxPrintable {
			return text[:i]
		}
	}
	return text
}

// checkComment checks that a text with single spaces is a valid comment.
func checkComment(line int, text string) error {
	if len(text) > maxComment {
		return reject("too-long", line, text, "a comment longer than %d bytes", maxComment)
	}
	if strings.ContainsRune(text, '}') {
		return reject("", line, text, "a comment cannot contain a closing brace")
	}
	return checkLine(line, text)
}

// reject returns an error in a line, counted from 1. Line 0 stands for no line. The code may be
// empty. A word of the text precedes the reason unless it is empty.
func reject(code string, line int, word, format string, args ...any) *Error {
	err := Errorf(line, format, args...)
	if word != "" {
		err.Reason = fmt.Sprintf("%+.40q: %s", word, err.Reason)
	}
	err.Code = code
	return err
}

// firstTags are written before all other tags, in this order.
var firstTags = [...]string{"White", "Black", "Date", resultTag, rulesTag, positionTag, "TimeControl", terminationTag}

// maxLine is the maximum length of a line of turns in bytes. Only a longer word
// exceeds it.
const maxLine = 80

// Write writes the record in canonical form: the known tags in a fixed order, the
// other tags in their own order, an empty line, the turns in lines of at most 80
// bytes, and an empty line. Records can therefore follow one another. Write never
// writes a record that cannot be read back. If a turn is illegal, the result
// impossible, or a tag or comment invalid, the error is an
// [*Error]. Errors of out are returned unchanged.
func (g *Game) Write(out io.Writer) error {
	end, err := g.End()
	if err != nil {
		return err
	}
	if reason := g.checkResult(&end); reason != "" {
		return reject("wrong-result", 0, g.ResultText(), "%s", reason)
	}
	var text strings.Builder
	if err := g.writeTags(&text); err != nil {
		return err
	}
	text.WriteByte('\n')
	if err := g.writeTurns(&text); err != nil {
		return err
	}
	text.WriteByte('\n')
	if text.Len() > maxText {
		return reject("too-long", 0, "", "longer than %d bytes", maxText)
	}
	_, err = io.WriteString(out, text.String())
	return err
}

// writeTags writes the tag lines.
func (g *Game) writeTags(text *strings.Builder) error {
	var others []Tag
	known := map[string]string{resultTag: g.ResultText(), rulesTag: g.Start.Rules().String()}
	if start := position.Start(g.Start.Rules()); g.Start != start {
		known[positionTag] = g.Start.String()
	}
	if len(g.Tags) > MaxTags {
		return reject("too-long", 0, g.Tags[MaxTags].Name, "more than %d tags", MaxTags)
	}
	for i, tag := range g.Tags {
		if g.tagIndex(tag.Name) != i || isFieldTag(tag.Name) {
			return reject("duplicate-tag", 0, tag.Name, "duplicate tag")
		}
		if !isName(tag.Name) {
			return reject("bad-tag", 0, tag.Name, "a tag's name consists of letters, digits and underscores")
		}
		if err := checkLine(0, tag.Value); err != nil {
			return err
		}
		if slices.Contains(firstTags[:], tag.Name) {
			known[tag.Name] = tag.Value
		} else {
			others = append(others, tag)
		}
	}
	for _, name := range firstTags {
		if value, there := known[name]; there {
			writeTag(text, name, value)
		}
	}
	for _, tag := range others {
		writeTag(text, tag.Name, tag.Value)
	}
	return nil
}

// writeTag writes one tag line.
func writeTag(text *strings.Builder, name, value string) {
	value = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value)
	fmt.Fprintf(text, "[%s \"%s\"]\n", name, value)
}

// writeTurns writes the turns with their comments, and the result.
func (g *Game) writeTurns(text *strings.Builder) error {
	lines := wrapper{text: text}
	if err := lines.comment(g.Comment); err != nil {
		return err
	}
	for i, recorded := range g.Turns {
		lines.word(fmt.Sprintf("%d.%s", g.numberOf(i), recorded.Turn))
		if err := lines.comment(recorded.Comment); err != nil {
			return err
		}
	}
	lines.word(g.ResultText())
	text.WriteByte('\n')
	return nil
}

// wrapper wraps words into lines.
type wrapper struct {
	text   *strings.Builder
	column int
}

// word writes a word on the current line or the next one.
func (w *wrapper) word(word string) {
	switch {
	case w.column == 0:
	case w.column+1+len(word) > maxLine:
		w.text.WriteByte('\n')
		w.column = 0
	default:
		w.text.WriteByte(' ')
		w.column++
	}
	w.text.WriteString(word)
	w.column += len(word)
}

// comment writes a comment unless it is empty.
func (w *wrapper) comment(comment string) error {
	comment = oneSpaced(comment)
	if err := checkComment(0, comment); err != nil {
		return err
	}
	if comment != "" {
		for _, word := range strings.Split("{"+comment+"}", " ") {
			w.word(word)
		}
	}
	return nil
}
