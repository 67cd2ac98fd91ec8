package position

import (
	"fmt"
	"strconv"
	"strings"
)

// StartText is the text of the position before the first turn.
const StartText = "4/7/8/9/10/9/10/9/8/7/4 w 0-0"

// String returns the position as its three fields BOARD SIDE SCORE, always in
// the canonical form. The rules are not part of it.
func (p *Position) String() string {
	var text strings.Builder
	for c := range Columns {
		if c > 0 {
			text.WriteByte('/')
		}
		p.writeColumn(&text, c)
	}
	fmt.Fprintf(&text, " %c %d-%d", p.side.letter(), p.removed[White], p.removed[Black])
	return text.String()
}

// writeColumn writes one column from its lowest number up.
func (p *Position) writeColumn(text *strings.Builder, c int) {
	vacant := 0
	flush := func() {
		if vacant > 0 {
			text.WriteString(strconv.Itoa(vacant))
		}
		vacant = 0
	}
	for n := columns[c].first; n <= columns[c].last; n++ {
		if letter := p.letterAt(pad(c, n)); letter == '.' {
			vacant++
		} else {
			flush()
			text.WriteByte(letter)
		}
	}
	flush()
}

// letterAt returns the letter of what stands on a point: W and B for rings, w
// and b for markers, and a full stop for nothing.
func (p *Position) letterAt(at Point) byte {
	for s := range Side(2) {
		switch {
		case p.rings[s].Has(at):
			return s.letter() - 'a' + 'A'
		case p.markers[s].Has(at):
			return s.letter()
		}
	}
	return '.'
}

// longestText is more than the length of any position's text.
const longestText = 200

// Parse reads the text of a position, BOARD SIDE SCORE with one space between
// the fields. It refuses what cannot stand between two turns; the error is an
// [*Error] of the field "board", "side" or "score", or "position" if there are
// not three.
func Parse(text string, rules Rules) (Position, error) {
	if len(text) > longestText {
		return Position{}, fail("position", text, "longer than any position")
	}
	fields := strings.Split(text, " ")
	if len(fields) < 3 {
		return Position{}, fail("position", text, "three fields are needed, BOARD SIDE SCORE, here %d", len(fields))
	}
	if len(fields) > 3 {
		return Position{}, fail("position", strings.Join(fields[3:], " "), "nothing may follow the three fields BOARD SIDE SCORE")
	}
	p := Position{rules: rules & 1}
	rings, markers, err := readBoard(fields[0])
	if err == nil {
		p.side, err = readSide(fields[1])
	}
	if err == nil {
		p.removed, err = readScore(fields[2])
	}
	if err == nil {
		err = p.validateScore(fields[2])
	}
	if err == nil {
		p.setUp(rings, markers)
		err = p.validate(fields)
	}
	if err != nil {
		return Position{}, err
	}
	return p, nil
}

// readBoard reads the first field.
func readBoard(field string) (rings, markers [2]Bitboard, err *Error) {
	texts := strings.Split(field, "/")
	if len(texts) != Columns {
		return rings, markers, fail("board", field, "%d columns instead of %d", len(texts), Columns)
	}
	for c, text := range texts {
		if err := readColumn(c, text, &rings, &markers); err != nil {
			return rings, markers, err
		}
	}
	return rings, markers, nil
}

// readColumn reads one column of the first field.
func readColumn(c int, text string, rings, markers *[2]Bitboard) *Error {
	number, last := columns[c].first, columns[c].last
	points := last - number + 1
	for i := 0; i < len(text); {
		if letter := text[i]; letter < '0' || letter > '9' {
			set := setFor(letter, rings, markers)
			if set == nil {
				return fail("board", text, "column %c holds %s; only W, B, w, b and numbers may stand there", 'a'+c, quote(text[i:i+1]))
			}
			if number <= last {
				*set = set.Or(pointSet(pad(c, number)))
			}
			number++
			i++
			continue
		}
		run := i
		for i < len(text) && text[i] >= '0' && text[i] <= '9' {
			i++
		}
		vacant, err := strconv.Atoi(text[run:i])
		if err != nil || text[run] == '0' || vacant > points {
			return fail("board", text, "column %c has %d points and cannot hold %s vacant ones", 'a'+c, points, text[run:i])
		}
		number += vacant
	}
	if held := number - columns[c].first; held != points {
		return fail("board", text, "column %c is too %s: %d points instead of %d", 'a'+c, longOrShort(held > points), held, points)
	}
	return nil
}

// longOrShort words a comparison.
func longOrShort(long bool) string {
	if long {
		return "long"
	}
	return "short"
}

// setFor returns the set that a letter of the board's text belongs to, or nil.
func setFor(letter byte, rings, markers *[2]Bitboard) *Bitboard {
	switch letter {
	case 'W':
		return &rings[White]
	case 'B':
		return &rings[Black]
	case 'w':
		return &markers[White]
	case 'b':
		return &markers[Black]
	}
	return nil
}

// readSide reads the second field.
func readSide(field string) (Side, *Error) {
	for s := range Side(2) {
		if field == string(s.letter()) {
			return s, nil
		}
	}
	return White, fail("side", field, "the side to move is w or b")
}

// readScore reads the third field.
func readScore(field string) (removed [2]uint8, err *Error) {
	if len(field) != 3 || field[1] != '-' || field[0] < '0' || field[0] > '9' || field[2] < '0' || field[2] > '9' {
		return removed, fail("score", field, "a score is the rings removed by white, a hyphen, and those removed by black, such as 0-0")
	}
	return [2]uint8{field[0] - '0', field[2] - '0'}, nil
}
