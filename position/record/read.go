package record

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"strconv"
	"strings"

	"gyre/position"
	"gyre/position/plaintext"
)

// Reader reads game records one after another. It cannot continue after an error.
type Reader struct {
	lex  lexer
	err  error // sticky
	part Game  // what was read before the error
}

// NewReader returns a reader of all records in a text, which package plaintext decodes.
func NewReader(in io.Reader) *Reader {
	return &Reader{lex: lexer{in: bufio.NewReader(plaintext.NewReader(in)), line: 1}}
}

// Read returns the next record, or io.EOF after the last one. If the text is invalid,
// the error is an [*Error] with the line, and with the turn if one is wrong. Errors of the input are returned unchanged.
//
// Turn numbers are optional, may be separated from their turns by white space, and
// must be right if present. They count turns as Write does, or from 1, or pairs of turns as in
// chess: "1. f6 e5 2. d4". White space may surround the semicolons of a turn. Turns must be legal. If the game is over on the board,
// the result must match the board. The result at the end of the turns must match the
// one in the tag. Tags with unknown names are kept. A record has no variations; see package sgf.
func (r *Reader) Read() (Game, error) {
	if r.err != nil {
		return Game{}, r.err
	}
	var game Game
	game, r.err = r.read()
	if r.err != nil {
		r.part = game
		return Game{}, r.err
	}
	return game, nil
}

// Part returns the game before the turn that the error of Read names, without a result, and reports
// whether it has any turns.
func (r *Reader) Part() (Game, bool) {
	wrong, ok := errors.AsType[*Error](r.err)
	return r.part, ok && wrong.Turn > 0 && len(r.part.Turns) > 0
}

// ReadAll returns all remaining records.
func (r *Reader) ReadAll() ([]Game, error) {
	var all []Game
	for {
		game, err := r.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, game)
	}
}

// Parse parses a text that consists of one record.
func Parse(text string) (Game, error) {
	reader := NewReader(strings.NewReader(text))
	game, err := reader.Read()
	if err == io.EOF {
		return Game{}, reject("no-game", 0, "", "no record found")
	}
	if err != nil {
		return Game{}, err
	}
	if _, err := reader.Read(); err != io.EOF {
		return Game{}, reject("", reader.lex.line, "", "more than one record")
	}
	return game, nil
}

// read reads the tokens of one record.
func (r *Reader) read() (Game, error) {
	r.lex.left = maxText
	tok, err := r.lex.next()
	if err == nil && tok.kind == endToken {
		err = io.EOF
	}
	if err == nil && tok.kind == wordToken && !begins(tok.text) {
		err = reject("no-game", tok.line, tok.text, "this text is no game record, which begins with a tag, a comment, a turn or a result")
	}
	begun := reading{own: map[string]token{}, counts: [...]bool{true, true, true}}
	for ; err == nil && tok.kind == tagToken; tok, err = r.lex.next() {
		err = begun.addTag(tok)
		if err != nil {
			break
		}
	}
	if err == nil {
		err = begun.begin()
	}
	for ; err == nil; tok, err = r.lex.next() {
		var done bool
		if done, err = begun.take(tok); done || err != nil {
			return begun.game, err
		}
	}
	// A wrong turn comes before what is wrong after it.
	return begun.game, cmp.Or(begun.takeWord(), err)
}

// begins reports whether a record may begin with a word: a number, a turn or a result.
func begins(word string) bool {
	return word == unfinished || strings.ContainsAny(word, "0123456789") || strings.EqualFold(word, "pass")
}

// reading is a record that has been read in part.
type reading struct {
	game Game
	own  map[string]token  // the tags that are fields of Game, by name
	now  position.Position // after the turns so far

	// word is the last word, which the next one may continue after a semicolon. Its text is empty
	// if there is none.
	word token
	// counts tells which ways to number turns fit the numbers so far: as Write does, from 1, and
	// in pairs.
	counts [3]bool
}

// addTag adds a tag.
func (r *reading) addTag(tok token) error {
	if _, there := r.own[tok.name]; there || r.game.tagIndex(tok.name) >= 0 {
		return reject("duplicate-tag", tok.line, tok.name, "duplicate tag")
	}
	if isFieldTag(tok.name) {
		r.own[tok.name] = tok
		return nil
	}
	if len(r.game.Tags) == MaxTags {
		return reject("too-long", tok.line, tok.name, "more than %d tags", MaxTags)
	}
	r.game.Tags = append(r.game.Tags, Tag{Name: tok.name, Value: plaintext.Visible(tok.text)})
	return nil
}

// begin sets up the start of the game, after the last tag.
func (r *reading) begin() error {
	rules, start := position.Standard, position.StartText
	if tag, there := r.own[rulesTag]; there {
		var err error
		if rules, err = position.ParseRules(tag.text); err != nil {
			return Because(tag.line, err)
		}
	}
	if tag, there := r.own[positionTag]; there {
		start = tag.text
	}
	p, err := position.Parse(start, rules)
	if err != nil {
		return Because(r.own[positionTag].line, err)
	}
	r.game.Start, r.now = p, p
	return nil
}

// take adds a token after the tags, and reports whether it ends the record.
func (r *reading) take(tok token) (done bool, err error) {
	if tok.kind == wordToken && r.word.text != "" && (tok.text[0] == ';' || strings.HasSuffix(r.word.text, ";")) {
		r.word.text += tok.text
		if len(r.word.text) > maxWord {
			return false, reject("too-long", r.word.line, r.word.text, "a word longer than %d bytes", maxWord)
		}
		return false, nil
	}
	if err := r.takeWord(); err != nil {
		return false, err
	}
	switch tok.kind {
	case endToken:
		return false, reject("no-result", tok.line, "", "the record ends without a result, such as 3-1, or * for an unfinished game")
	case tagToken:
		return false, reject("tag-inside", tok.line, "["+tok.name, "a tag inside the record above, which has no result yet")
	case commentToken:
		return false, r.addComment(tok)
	}
	if done, err := r.takeResult(tok); done || err != nil {
		return done, err
	}
	r.word = tok
	return false, nil
}

// takeWord adds the last word, if there is one that is not added yet.
func (r *reading) takeWord() error {
	word := r.word
	if r.word = (token{}); word.text == "" {
		return nil
	}
	return r.takeTurn(word)
}

// addComment adds a comment. It joins consecutive comments.
func (r *reading) addComment(tok token) error {
	comment := &r.game.Comment
	if n := len(r.game.Turns); n > 0 {
		comment = &r.game.Turns[n-1].Comment
	}
	*comment = strings.TrimSpace(*comment + " " + tok.text)
	return checkComment(tok.line, *comment)
}

// NoVariations is the reason why a text with parentheses outside of comments is no record.
const NoVariations = "a record has no variations; remove the parentheses and what is in them, or use SGF"

// HasVariation reports whether a word of turns begins or ends a variation, as in chess.
func HasVariation(word string) bool { return strings.ContainsAny(word, "()") }

// takeTurn adds a turn, its number, or both in one word.
func (r *reading) takeTurn(tok token) error {
	word := tok.text
	if HasVariation(word) {
		wrong := reject("variation", tok.line, word, NoVariations)
		wrong.Turn = r.game.numberOf(len(r.game.Turns))
		return wrong
	}
	if number, rest, dotted := strings.Cut(word, "."); dotted {
		turns := len(r.game.Turns)
		due := r.game.numberOf(turns)
		fits := false
		for i, count := range [...]int{due, turns + 1, turns/2 + 1} {
			r.counts[i] = r.counts[i] && number == strconv.Itoa(count)
			fits = fits || r.counts[i]
		}
		if !fits {
			return reject("", tok.line, word, "expected the number of turn %d", due).With("turn-number", "number", due)
		}
		if word = strings.TrimLeft(rest, "."); word == "" {
			return nil
		}
	}
	turn, err := r.now.ParseTurn(word)
	if err != nil {
		wrong := Because(tok.line, err)
		wrong.Turn = r.game.numberOf(len(r.game.Turns))
		return wrong
	}
	r.game.Add(turn, "")
	r.now = r.now.After(turn)
	return nil
}

// takeResult sets the result, if the word is one.
func (r *reading) takeResult(tok token) (done bool, err error) {
	word := tok.text
	if word != unfinished {
		score, ok := readScore(word)
		if !ok {
			return false, nil
		}
		r.game.Finished, r.game.Score = true, score
	}
	if tag, there := r.own[resultTag]; there && tag.text != word {
		return false, reject("other-result", tok.line, word, "the tag in line %d says that the result is %+.60q", tag.line, tag.text)
	}
	if reason := r.game.checkResult(&r.now); reason != "" {
		return false, reject("wrong-result", tok.line, word, "%s", reason)
	}
	return true, nil
}

// readScore parses a result such as 3-1, and reports whether the word is one.
func readScore(word string) (score [2]int, ok bool) {
	if len(word) != 3 || word[1] != '-' || !isDigit(word[0]) || !isDigit(word[2]) {
		return score, false
	}
	return [2]int{int(word[0] - '0'), int(word[2] - '0')}, true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// token is one token of a record's text.
type token struct {
	kind tokenKind
	line int    // of its start, from 1
	text string // a word, a comment's text or a tag's value
	name string // of a tag
}

type tokenKind uint8

const (
	endToken     tokenKind = iota // the end of the input
	wordToken                     // a number, a turn, a result, or several of them without a space
	commentToken                  // {text}, with white space normalized to single spaces
	tagToken                      // [name "text"]
)

// lexer splits the text of consecutive records into tokens.
type lexer struct {
	in   *bufio.Reader
	line int
	left int // bytes that the record may still have
}

// next returns the next token. Errors of the input are returned unchanged.
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
		return 0, reject("too-long", l.line, "", "longer than %d bytes", maxText)
	}
	c, err := l.in.ReadByte()
	if foreign, ok := errors.AsType[*plaintext.Error](err); ok {
		return 0, Foreign(foreign)
	}
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

// word reads up to white space, a bracket, a brace or EOF.
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
		if text.Len() == maxWord {
			return "", reject("too-long", l.line, text.String(), "a word longer than %d bytes", maxWord)
		}
		text.WriteByte(c)
	}
}

// comment reads up to the closing brace.
func (l *lexer) comment() (string, error) {
	begun := l.line
	text, err := l.until('}')
	if err == io.EOF {
		return "", reject("open-comment", begun, "{", "the comment has no closing brace")
	}
	if err != nil {
		return "", err
	}
	text = oneSpaced(text)
	return text, checkComment(begun, text)
}

// until reads up to the byte end and consumes it, but does not return it.
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

// tag reads a tag after its opening bracket, including the closing one.
func (l *lexer) tag() (name, value string, err error) {
	begun := l.line
	c, err := l.skipSpace()
	for ; err == nil && isNameByte(c) && len(name) < maxName; c, err = l.read() {
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

// badTag returns the error for a malformed tag.
func badTag(line int, name string) error {
	return reject("bad-tag", line, "["+name, `a tag has the form [Name "value"], with \" and \\ for " and \ in the value`)
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
