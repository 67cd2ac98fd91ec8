package position

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// StartText is the text of the position before the first turn.
const StartText = "4/7/8/9/10/9/10/9/8/7/4 w 0-0"

// String returns the position as its three fields BOARD SIDE SCORE in canonical form.
// The rules are not included.
func (p *Position) String() string {
	var text strings.Builder
	for c := range Columns {
		if c > 0 {
			text.WriteByte('/')
		}
		p.writeColumn(&text, c)
	}
	fmt.Fprintf(&text, " %s %d-%d", p.side.Letter(), p.removed[White], p.removed[Black])
	return text.String()
}

// Words returns the texts of turns, points or rows. It never returns nil, so that JSON has
// an empty list.
func Words[T fmt.Stringer](list []T) []string {
	words := make([]string, len(list))
	for i, one := range list {
		words[i] = one.String()
	}
	return words
}

// writeColumn writes one column, lowest number first.
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

// letterAt returns the letter of the piece at a point: W and B for rings, w and b for
// markers, and a dot for a vacant point.
func (p *Position) letterAt(at Point) byte {
	for s := range Side(2) {
		switch {
		case p.rings[s].Has(at):
			return s.Letter()[0] - 'a' + 'A'
		case p.markers[s].Has(at):
			return s.Letter()[0]
		}
	}
	return '.'
}

// maxPositionText is longer than any position's text.
const maxPositionText = 200

// Parse parses a position, BOARD SIDE SCORE with one space between the fields. It
// rejects a position that cannot occur between two turns. The error is an [*Error]
// with the field "board", "side" or "score", or "position" if there are not three
// fields.
func Parse(text string, rules Rules) (Position, error) {
	if len(text) > maxPositionText {
		return Position{}, fail("too-long", "position", text, "longer than any position")
	}
	fields := strings.Split(text, " ")
	if len(fields) != 3 {
		return Position{}, fail("field-count", "position", text, "a position has three fields, BOARD SIDE SCORE, not %d", named{"count", len(fields)})
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

// readBoard parses the first field.
func readBoard(field string) (rings, markers [2]Bitboard, err *Error) {
	texts := strings.Split(field, "/")
	if len(texts) != Columns {
		return rings, markers, fail("column-count", "board", field, "%d columns instead of %d", named{"count", len(texts)}, named{"wanted", Columns})
	}
	for c, text := range texts {
		if err := readColumn(c, text, &rings, &markers); err != nil {
			return rings, markers, err
		}
	}
	return rings, markers, nil
}

// readColumn parses one column of the first field.
func readColumn(c int, text string, rings, markers *[2]Bitboard) *Error {
	number, last := columns[c].first, columns[c].last
	points := last - number + 1
	for i := 0; i < len(text); {
		if letter := text[i]; letter < '0' || letter > '9' {
			set := setFor(letter, rings, markers)
			if set == nil {
				return fail("column-sign", "board", text, "column %s contains %+q; only W, B, w, b and numbers are allowed", named{"column", string(rune('a' + c))}, named{"sign", text[i : i+1]})
			}
			if number <= last {
				*set = set.Or(BitboardOf(pad(c, number)))
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
			return fail("column-length", "board", text, "column %s has %d points and cannot hold %s vacant ones", named{"column", string(rune('a' + c))}, named{"wanted", points}, text[run:i])
		}
		number += vacant
	}
	if held := number - columns[c].first; held != points {
		return fail("column-length", "board", text, "column %s is too %s: %d points instead of %d", named{"column", string(rune('a' + c))}, longOrShort(held > points), held, named{"wanted", points})
	}
	return nil
}

func longOrShort(long bool) string {
	if long {
		return "long"
	}
	return "short"
}

// setFor returns the set for a letter of the board's text, or nil.
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

// readSide parses the second field.
func readSide(field string) (Side, *Error) {
	for s := range Side(2) {
		if field == s.Letter() {
			return s, nil
		}
	}
	return White, fail("bad-side", "side", field, "the side to move is w or b")
}

// readScore parses the third field.
func readScore(field string) (removed [2]uint8, err *Error) {
	if len(field) != 3 || field[1] != '-' || field[0] < '0' || field[0] > '9' || field[2] < '0' || field[2] > '9' {
		return removed, fail("bad-score", "score", field, "a score is the rings removed by white, a hyphen, and those removed by black, such as 0-0")
	}
	return [2]uint8{field[0] - '0', field[2] - '0'}, nil
}

// validate checks that a position with a valid score can occur between two turns.
// Fields holds the text it was parsed from.
func (p *Position) validate(fields []string) *Error {
	if err := p.validateRings(fields); err != nil {
		return err
	}
	if p.onBoard > MarkersInGame {
		return fail("many-markers", "board", fields[0], "%d markers, but the game has only %d", named{"count", p.onBoard}, named{"most", MarkersInGame})
	}
	if waiting := p.side.Opponent(); p.HasRow(waiting) && !p.Over() {
		var list [maxRows]Row
		return fail("waiting-row", "board", fields[0], "%s has a row, %s, but is not the side to move", waiting, named{"row", p.Rows(waiting, list[:0])[0]})
	}
	return nil
}

// validateScore checks the number of rings removed.
func (p *Position) validateScore(field string) *Error {
	wins := winningRings[p.rules&1]
	for s := range Side(2) {
		if p.removed[s] > wins {
			return fail("bad-removed", "score", field, "%s has removed %d rings, but %d win the game", s, p.removed[s], named{"most", wins})
		}
	}
	if p.removed[White] == wins && p.removed[Black] == wins {
		return fail("bad-removed", "score", field, "both sides have removed the %d rings that win", named{"most", wins})
	}
	return nil
}

// validateRings checks the rings on the board against the rings removed and the phase
// of the game.
func (p *Position) validateRings(fields []string) *Error {
	var played [2]int
	for s := range Side(2) {
		played[s] = p.rings[s].Count() + int(p.removed[s])
		if played[s] > RingsPerSide {
			return fail("many-rings", "board", fields[0], "%s has %d rings, %d of them removed, but there are only %d", s, named{"count", played[s]}, named{"removed", p.removed[s]}, named{"most", RingsPerSide})
		}
	}
	if played[White] == RingsPerSide && played[Black] == RingsPerSide {
		return nil
	}
	switch {
	case p.removed[White]+p.removed[Black] > 0:
		return fail("early-pieces", "score", fields[2], "rings are removed before all rings are placed")
	case p.onBoard > 0:
		return fail("early-pieces", "board", fields[0], "%d markers before all rings are placed", p.onBoard)
	case played[White] != played[Black]+int(p.side):
		return fail("early-side", "side", fields[1], "with %d white and %d black rings placed, %s cannot be the side to move", played[White], played[Black], p.side)
	}
	return nil
}

// Pieces defines a position completely; a [Position] derives its other fields from
// it. It is for formats that hold millions of positions. For people, use [Parse] and
// [Position.String].
type Pieces struct {
	Rings, Markers [2]Bitboard // by side
	Removed        [2]int      // rings removed to pay for a row, by side
	SideToMove     Side
	Rules          Rules
}

// Pieces returns the pieces of the position.
func (p *Position) Pieces() Pieces {
	return Pieces{
		Rings: p.rings, Markers: p.markers, SideToMove: p.side, Rules: p.rules,
		Removed: [2]int{int(p.removed[White]), int(p.removed[Black])},
	}
}

// Position returns the position with these pieces. Like [Parse], it rejects a
// position that cannot occur between two turns. The error is an [*Error] with the
// field "board", "side", "score" or "rules".
func (c *Pieces) Position() (Position, error) {
	if err := c.check(); err != nil {
		return Position{}, err
	}
	p := Position{side: c.SideToMove, rules: c.Rules, removed: [2]uint8{uint8(c.Removed[White]), uint8(c.Removed[Black])}}
	err := p.validateScore("")
	if err == nil {
		p.setUp(c.Rings, c.Markers)
		err = p.validate([]string{"", "", ""})
	}
	if err != nil {
		return Position{}, err
	}
	return p, nil
}

// check rejects values that no position's text can contain.
func (c *Pieces) check() *Error {
	switch {
	case c.SideToMove > Black:
		return fail("", "side", "", "%d is not a side", c.SideToMove)
	case c.Rules > Blitz:
		return fail("", "rules", "", "%d is not a value of Rules", c.Rules)
	}
	for _, removed := range c.Removed {
		if removed < 0 || removed > RingsPerSide {
			return fail("", "score", "", "%d rings removed", removed)
		}
	}
	taken := Bitboard{}
	for _, set := range [...]Bitboard{c.Rings[White], c.Rings[Black], c.Markers[White], c.Markers[Black]} {
		if beyond := set.AndNot(board); !beyond.IsEmpty() {
			return fail("", "board", "", "point %d is not on the board", beyond.First())
		}
		if twice := set.And(taken); !twice.IsEmpty() {
			return fail("", "board", "", "two pieces on %v", twice.First())
		}
		taken = taken.Or(set)
	}
	return nil
}

// The dimensions of the drawing. Columns are far apart and neighbors in a column are
// two lines apart, so that the three directions of lines look nearly alike.
const (
	drawnColumn = 4 // characters from one column to the next
	drawnMargin = 3 // characters left of the first column
	drawnLines  = 21
	longestNote = 6
	drawnWidth  = drawnMargin + drawnColumn*Columns + 2 + longestNote
)

// drawnAt returns the line, counted from the top, and the character of a point. The
// point may be off the board, above or below its column.
func drawnAt(column, number int) (line, at int) {
	const topLine = 16 // the largest 2 x number - column: e10, g11
	return topLine - (2*number - column), drawnMargin + drawnColumn*column
}

// Draw returns the board as a text picture of 21 lines. Lines are shorter than 80
// characters and have no trailing spaces. A ring is W or B, a marker w or b, and a
// vacant point a dot. Each column has its letter at its lower end, and the points of
// one number have that number at both ends.
func (p *Position) Draw() string { return p.DrawNotes(nil) }

// DrawNotes is like Draw, with ASCII notes after points. A note has room for six
// characters, or fewer near the names of the lines. A longer note is truncated and
// ends with a plus.
func (p *Position) DrawNotes(notes map[Point]string) string {
	var canvas [drawnLines][]byte
	for i := range canvas {
		canvas[i] = []byte(strings.Repeat(" ", drawnWidth))
	}
	put := func(column, number, offset int, text string) {
		line, at := drawnAt(column, number)
		copy(canvas[line][at+offset:], text)
	}
	for column := range Columns {
		first, last := ColumnNumbers(column)
		put(column, first-1, 0, string(rune('a'+column)))
		for number := first; number <= last; number++ {
			point, _ := PointAt(column, number)
			put(column, number, 0, string(p.letterAt(point)))
		}
	}
	for number := 1; number <= Columns; number++ {
		left, _ := numberEnds(number)
		name := strconv.Itoa(number)
		put(left, number, -len(name)-1, name)
	}
	for b := board; !b.IsEmpty(); b = b.WithoutFirst() {
		column, number := b.First().Column(), b.First().Number()
		name := ""
		if _, right := numberEnds(number); column == right {
			name = " " + strconv.Itoa(number)
		}
		line, at := drawnAt(column, number)
		note := cutNote(notes[b.First()], blanksIn(canvas[line][at+1:])-len(name)-1)
		put(column, number, 1, note+name)
	}
	var b strings.Builder
	for _, line := range canvas {
		b.WriteString(strings.TrimRight(string(line), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// blanksIn returns the number of spaces at the start of a line.
func blanksIn(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }

// cutNote truncates a note to the room for it.
func cutNote(note string, room int) string {
	if room = min(room, longestNote); len(note) > room {
		return note[:room-1] + "+"
	}
	return note
}

// numberEnds returns the first and the last column that have a number.
func numberEnds(number int) (left, right int) {
	left = Columns
	for column := range Columns {
		if first, last := ColumnNumbers(column); number >= first && number <= last {
			left, right = min(left, column), column
		}
	}
	return left, right
}

// Error describes what is wrong with a text or a turn. Every error of this package is
// an *Error.
type Error struct {
	Field  string // the part that is wrong: "board", "side", "score", "turn", "point", "rules", ...
	Word   string // the offending text as given, possibly empty
	Reason string // what is wrong with it
	Fault
}

// Fault names what is wrong, for programs that have their own words.
type Fault struct {
	Code   string            `json:"code"` // empty if no text that people enter has the error
	Values map[string]string `json:"values,omitempty"`
}

// NewFault returns the fault with a code, and with values as pairs of a name and a value. It
// cuts long values.
func NewFault(code string, pairs ...any) Fault {
	f := Fault{Code: code}
	for i := 0; i < len(pairs); i += 2 {
		if f.Values == nil {
			f.Values = map[string]string{}
		}
		f.Values[fmt.Sprint(pairs[i])] = fmt.Sprintf("%.80s", fmt.Sprint(pairs[i+1]))
	}
	return f
}

// Error returns field, word and reason in one line. A long word is truncated.
func (e *Error) Error() string {
	if e.Word == "" {
		return e.Field + ": " + e.Reason
	}
	return fmt.Sprintf("%s %s: %s", e.Field, quote(e.Word), e.Reason)
}

// quote quotes a word of any bytes and truncates it, so that it fits into a line of
// text.
func quote(word string) string {
	const longest = 60
	if len(word) > longest {
		return strconv.QuoteToASCII(word[:longest]) + "..."
	}
	return strconv.QuoteToASCII(word)
}

// named is a part of a reason that is also a value of the fault.
type named struct {
	name  string
	value any
}

// Format implements [fmt.Formatter].
func (n named) Format(s fmt.State, verb rune) {
	_, _ = fmt.Fprintf(s, fmt.FormatString(s, verb), n.value)
}

// fail returns an *Error with a code, which may be empty, and a formatted reason.
func fail(code, field, word, format string, args ...any) *Error {
	var pairs []any
	for _, a := range args {
		if n, ok := a.(named); ok {
			pairs = append(pairs, n.name, n.value)
		}
	}
	return &Error{Field: field, Word: word, Reason: fmt.Sprintf(format, args...), Fault: NewFault(code, pairs...)}
}
