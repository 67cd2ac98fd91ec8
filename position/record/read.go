package record

import (
	"bufio"
	"errors"
	"io"
	"strconv"
	"strings"

	"gyre/position"
)

// RecordReader reads game records one after another. After an error other than
// io.EOF it is of no more use.
type RecordReader struct {
	lexer recordLexer
	err   error // sticks
}

// NewRecordReader returns a reader of all the records in a text.
func NewRecordReader(in io.Reader) *RecordReader {
	return &RecordReader{lexer: recordLexer{in: bufio.NewReader(in), line: 1}}
}

// Read returns the next record, or io.EOF after the last. An error of the text
// is an [*position.Error] of the field "record" whose reason begins with the line; any
// other is the input's.
//
// Numbers of turns may be left out, and may stand apart from their turns; those
// that stand there must be right. Turns must be legal, and the result possible:
// that of the board if the game is over there, the same at the end of the turns
// and in its tag. Tags of unknown names are kept.
func (r *RecordReader) Read() (Record, error) {
	if r.err != nil {
		return Record{}, r.err
	}
	var record Record
	record, r.err = r.read()
	if r.err != nil {
		return Record{}, r.err
	}
	return record, nil
}

// ReadAll returns all the records that are left.
func (r *RecordReader) ReadAll() ([]Record, error) {
	var all []Record
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, record)
	}
}

// ParseRecord reads a text that is one record.
func ParseRecord(text string) (Record, error) {
	reader := NewRecordReader(strings.NewReader(text))
	record, err := reader.Read()
	if err == io.EOF {
		return Record{}, recordError(0, "", "nothing there")
	}
	if err != nil {
		return Record{}, err
	}
	if _, err := reader.Read(); err != io.EOF {
		return Record{}, recordError(reader.lexer.line, "", "more than one record")
	}
	return record, nil
}

// read reads a record from its first token on.
func (r *RecordReader) read() (Record, error) {
	r.lexer.atRecord()
	token, err := r.lexer.next()
	if err == nil && token.kind == endToken {
		err = io.EOF
	}
	reading := recordReading{own: map[string]recordToken{}}
	for ; err == nil && token.kind == tagToken; token, err = r.lexer.next() {
		err = reading.addTag(token)
		if err != nil {
			break
		}
	}
	if err == nil {
		err = reading.begin()
	}
	for ; err == nil; token, err = r.lexer.next() {
		var done bool
		if done, err = reading.take(token); done || err != nil {
			break
		}
	}
	return reading.record, err
}

// recordReading is a record of which a part is read.
type recordReading struct {
	record Record
	own    map[string]recordToken // the tags that fields of a Record hold, by name
	now    position.Position      // after the turns so far
}

// addTag takes a tag.
func (r *recordReading) addTag(token recordToken) error {
	if _, there := r.own[token.name]; there || r.record.tagIndex(token.name) >= 0 {
		return recordError(token.line, token.name, "a second tag of this name")
	}
	if isFieldTag(token.name) {
		r.own[token.name] = token
		return nil
	}
	if len(r.record.Tags) == mostTags {
		return recordError(token.line, token.name, "more than %d tags", mostTags)
	}
	r.record.Tags = append(r.record.Tags, Tag{Name: token.name, Value: token.text})
	return nil
}

// begin sets up the start of the game when all tags are there.
func (r *recordReading) begin() error {
	rules, start := position.Standard, position.StartText
	if tag, there := r.own[rulesTag]; there {
		var err error
		if rules, err = position.ParseRules(tag.text); err != nil {
			return inLine(tag.line, err)
		}
	}
	if tag, there := r.own[positionTag]; there {
		start = tag.text
	}
	p, err := position.Parse(start, rules)
	if err != nil {
		return inLine(r.own[positionTag].line, err)
	}
	r.record.Start, r.now = p, p
	return nil
}

// take takes a token after the tags, and tells whether it ends the record.
func (r *recordReading) take(token recordToken) (done bool, err error) {
	switch token.kind {
	case endToken:
		return false, recordError(token.line, "", "the record ends without a result, such as 3-1, or * for a game without an end")
	case tagToken:
		return false, recordError(token.line, "["+token.name, "a tag before the result that ends the record above")
	case commentToken:
		return false, r.addComment(token)
	}
	if done, err := r.takeResult(token); done || err != nil {
		return done, err
	}
	return false, r.takeTurn(token)
}

// addComment takes a comment. Several in a row become one.
func (r *recordReading) addComment(token recordToken) error {
	comment := &r.record.Comment
	if n := len(r.record.Turns); n > 0 {
		comment = &r.record.Turns[n-1].Comment
	}
	*comment = strings.TrimSpace(*comment + " " + token.text)
	return checkComment(token.line, *comment)
}

// takeTurn takes a turn, its number, or both in one word.
func (r *recordReading) takeTurn(token recordToken) error {
	word := token.text
	if number, rest, dotted := strings.Cut(word, "."); dotted {
		due := r.record.numberOf(len(r.record.Turns))
		if number != strconv.Itoa(due) {
			return recordError(token.line, word, "the number of turn %d is due", due)
		}
		if word = rest; word == "" {
			return nil
		}
	}
	turn, err := r.now.ParseTurn(word)
	if err != nil {
		return inLine(token.line, err)
	}
	r.record.Add(turn, "")
	var child position.Position
	r.now.Play(&child, turn)
	r.now = child
	return nil
}

// takeResult takes the result, if the word is one.
func (r *recordReading) takeResult(token recordToken) (done bool, err error) {
	word := token.text
	if word != unfinished {
		score, ok := readScore(word)
		if !ok {
			return false, nil
		}
		r.record.Finished, r.record.Score = true, score
	}
	if tag, there := r.own[resultTag]; there && tag.text != word {
		return false, recordError(token.line, word, "the tag in line %d says that the result is %+.60q", tag.line, tag.text)
	}
	if reason := r.record.checkResult(&r.now); reason != "" {
		return false, recordError(token.line, word, "%s", reason)
	}
	return true, nil
}

// readScore reads a result such as 3-1, and tells whether the word is one.
func readScore(word string) (score [2]int, ok bool) {
	if len(word) != 3 || word[1] != '-' || !isDigit(word[0]) || !isDigit(word[2]) {
		return score, false
	}
	return [2]int{int(word[0] - '0'), int(word[2] - '0')}, true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
