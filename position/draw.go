package position

import (
	"bytes"
	"strconv"
	"strings"
)

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
