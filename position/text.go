package position

import (
	"bytes"
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

// validate checks that the position, with a score that can be, can stand
// between two turns. Fields are the words that it was read from.
func (p *Position) validate(fields []string) *Error {
	if err := p.validateRings(fields); err != nil {
		return err
	}
	if p.onBoard > MarkersInGame {
		return fail("board", fields[0], "%d markers, and the game has only %d", p.onBoard, MarkersInGame)
	}
	if waiting := p.side.Opponent(); p.HasRow(waiting) && !p.Over() {
		var list [mostRows]Row
		return fail("board", fields[0], "%s has a row, %s, and is not to move", waiting, p.Rows(waiting, list[:0])[0])
	}
	return nil
}

// validateScore checks the rings removed.
func (p *Position) validateScore(field string) *Error {
	wins := winningRings[p.rules&1]
	for s := range Side(2) {
		if p.removed[s] > wins {
			return fail("score", field, "%s has removed %d rings, and %d win the game", s, p.removed[s], wins)
		}
	}
	if p.removed[White] == wins && p.removed[Black] == wins {
		return fail("score", field, "both sides have removed the %d rings that win", wins)
	}
	return nil
}

// validateRings checks the rings on the board against those removed and the
// phase of the game.
func (p *Position) validateRings(fields []string) *Error {
	var played [2]int
	for s := range Side(2) {
		played[s] = p.rings[s].Count() + int(p.removed[s])
		if played[s] > RingsPerSide {
			return fail("board", fields[0], "%s has %d rings with the %d removed, and there are only %d", s, played[s], p.removed[s], RingsPerSide)
		}
	}
	if played[White] == RingsPerSide && played[Black] == RingsPerSide {
		return nil
	}
	switch {
	case p.removed[White]+p.removed[Black] > 0:
		return fail("score", fields[2], "rings are removed while rings are still to be placed")
	case p.onBoard > 0:
		return fail("board", fields[0], "%d markers while rings are still to be placed", p.onBoard)
	case played[White] != played[Black]+int(p.side):
		return fail("side", fields[1], "with %d white and %d black rings placed it cannot be the turn of %s", played[White], played[Black], p.side)
	}
	return nil
}

// Pieces is all that tells a position from others; whatever else a [Position]
// keeps follows from it. It is for formats that hold positions by the million:
// people read and write [Parse] and [Position.String].
type Pieces struct {
	Rings, Markers [2]Bitboard // by side
	Removed        [2]int      // rings taken off as the price of a row, by side
	SideToMove     Side
	Rules          Rules
}

// Pieces returns what the position is made of.
func (p *Position) Pieces() Pieces {
	return Pieces{
		Rings: p.rings, Markers: p.markers, SideToMove: p.side, Rules: p.rules,
		Removed: [2]int{int(p.removed[White]), int(p.removed[Black])},
	}
}

// Position returns the position that the pieces make. It refuses what cannot
// stand between two turns, as [Parse] does; the error is an [*Error] of the
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

// check looks for what no text of a position could say.
func (c *Pieces) check() *Error {
	switch {
	case c.SideToMove > Black:
		return fail("side", "", "%d is no side", c.SideToMove)
	case c.Rules > Blitz:
		return fail("rules", "", "%d are no rules", c.Rules)
	}
	for _, removed := range c.Removed {
		if removed < 0 || removed > RingsPerSide {
			return fail("score", "", "%d rings removed", removed)
		}
	}
	taken := Bitboard{}
	for _, set := range [...]Bitboard{c.Rings[White], c.Rings[Black], c.Markers[White], c.Markers[Black]} {
		if beyond := set.AndNot(board); !beyond.IsEmpty() {
			return fail("board", "", "place %d is not on the board", beyond.First())
		}
		if twice := set.And(taken); !twice.IsEmpty() {
			return fail("board", "", "two pieces stand on %v", twice.First())
		}
		taken = taken.Or(set)
	}
	return nil
}

// The drawing's measures: columns are spread wide, and points next to each
// other in one column are two lines apart, so that the three directions of
// lines come out nearly alike.
const (
	drawnColumn = 4 // characters from a column to the next
	drawnMargin = 3 // characters to the left of the first column
	drawnLines  = 21
	longestNote = 6
	drawnWidth  = drawnMargin + drawnColumn*Columns + 2 + longestNote
)

// drawnAt returns the line, counted from the top, and the character of a point,
// or of where it would be in the same column beyond the board's edge.
func drawnAt(column, number int) (line, at int) {
	const topLine = 16 // twice the number less the column, at its most: e10, g11
	return topLine - (2*number - column), drawnMargin + drawnColumn*column
}

// Draw returns the board as a picture in text for people: 21 lines of less than
// 80 characters, without spaces at their ends. A ring is W or B, a marker w or
// b, and a vacant point a dot. Columns have their letter at their lower end;
// the lines of one number have it at both ends.
func (p *Position) Draw() string { return p.DrawNotes(nil) }

// DrawNotes is Draw with notes in ASCII behind points. Each has room for six
// characters, or fewer near the names of the lines; of one that is longer the
// end is left out, with a plus in its place.
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
			put(column, number, 0, p.drawnPoint(point))
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

// blanksIn returns with how many blanks a line begins.
func blanksIn(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }

// cutNote returns a note without what there is no room for.
func cutNote(note string, room int) string {
	if room = min(room, longestNote); len(note) > room {
		return note[:room-1] + "+"
	}
	return note
}

// drawnPoint returns the letter for what stands on a point.
func (p *Position) drawnPoint(point Point) string {
	for side, letters := range [2]string{White: "Ww", Black: "Bb"} {
		switch {
		case p.Rings(Side(side)).Has(point):
			return letters[:1]
		case p.Markers(Side(side)).Has(point):
			return letters[1:]
		}
	}
	return "."
}

// numberEnds returns the first and the last column that has a number.
func numberEnds(number int) (left, right int) {
	left = Columns
	for column := range Columns {
		if first, last := ColumnNumbers(column); number >= first && number <= last {
			left, right = min(left, column), column
		}
	}
	return left, right
}

// Error says what is wrong with a text and where. Every error of this package
// is an *Error: those of reading points, turns, rules and positions, and of turns
// that are not legal.
type Error struct {
	Field  string // the part that is wrong: "board", "side", "score", "turn", "point", "rules", ...
	Word   string // the offending text as it was given, possibly empty
	Reason string // what is wrong with it
}

// Error returns field, word and reason in one line. A long word is cut.
func (e *Error) Error() string {
	if e.Word == "" {
		return e.Field + ": " + e.Reason
	}
	return fmt.Sprintf("%s %s: %s", e.Field, quote(e.Word), e.Reason)
}

// quote makes a word of any bytes and length fit to stand in a line of text.
func quote(word string) string {
	const longest = 60
	if len(word) > longest {
		return strconv.QuoteToASCII(word[:longest]) + "..."
	}
	return strconv.QuoteToASCII(word)
}

// fail is short for an *Error whose reason is formatted.
func fail(field, word, format string, args ...any) *Error {
	return &Error{Field: field, Word: word, Reason: fmt.Sprintf(format, args...)}
}
