package position

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Point is a point of the board. Its value is its place on the padded 11 by 11 board:
// column x 11 + number - 1, where column a = 0. Of the values 0..120, only
// [PointCount] are on the board.
type Point uint8

// padded is the length of tables indexed by Point.
const padded = 128

// The distances on the padded board between neighbors in each direction.
const (
	strideColumn = 1
	strideNumber = 11
	strideThird  = 12
)

// Bitboard is a set of points: bit p of the 128 is [Point] p. Columns are 11 bits
// apart, so a step along one of the three line directions is the same shift
// everywhere. The padding between columns ensures that a shift never moves a point of
// the board to a point of the board that is not its neighbor.
type Bitboard struct {
	Lo, Hi uint64 // points 0..63 and 64..127
}

// And returns the points in both sets.
func (b Bitboard) And(c Bitboard) Bitboard { return Bitboard{b.Lo & c.Lo, b.Hi & c.Hi} }

// Or returns the points in either set.
func (b Bitboard) Or(c Bitboard) Bitboard { return Bitboard{b.Lo | c.Lo, b.Hi | c.Hi} }

// Xor returns the points in exactly one of the sets.
func (b Bitboard) Xor(c Bitboard) Bitboard { return Bitboard{b.Lo ^ c.Lo, b.Hi ^ c.Hi} }

// AndNot returns the points of b that are not in c.
func (b Bitboard) AndNot(c Bitboard) Bitboard { return Bitboard{b.Lo &^ c.Lo, b.Hi &^ c.Hi} }

// IsEmpty reports whether the set is empty.
func (b Bitboard) IsEmpty() bool { return b.Lo|b.Hi == 0 }

// Meets reports whether the sets have a point in common.
func (b Bitboard) Meets(c Bitboard) bool { return b.Lo&c.Lo|b.Hi&c.Hi != 0 }

// Contains reports whether every point of c is in b.
func (b Bitboard) Contains(c Bitboard) bool { return c.AndNot(b).IsEmpty() }

// Count returns the number of points in the set.
func (b Bitboard) Count() int { return bits.OnesCount64(b.Lo) + bits.OnesCount64(b.Hi) }

// Has reports whether p is in the set.
func (b Bitboard) Has(p Point) bool {
	return (b.Lo>>p|b.Hi>>(p-64))&1 != 0
}

// First returns the lowest point of a non-empty set.
func (b Bitboard) First() Point {
	if b.Lo != 0 {
		return Point(bits.TrailingZeros64(b.Lo))
	}
	return Point(64 + bits.TrailingZeros64(b.Hi))
}

// WithoutFirst returns the set without its lowest point. Use it with First to iterate
// over a set:
//
//	for ; !b.IsEmpty(); b = b.WithoutFirst() { p := b.First(); ... }
func (b Bitboard) WithoutFirst() Bitboard {
	if b.Lo != 0 {
		return Bitboard{b.Lo & (b.Lo - 1), b.Hi}
	}
	return Bitboard{0, b.Hi & (b.Hi - 1)}
}

// Points appends the points of the set to dst, lowest first.
func (b Bitboard) Points(dst []Point) []Point {
	for ; !b.IsEmpty(); b = b.WithoutFirst() {
		dst = append(dst, b.First())
	}
	return dst
}

// BitboardOf returns the set that contains only p, a point of the board.
func BitboardOf(p Point) Bitboard {
	return Bitboard{1 << p, 1 << (p - 64)}
}

// up moves every point n places up the padded board, n < 128.
func (b Bitboard) up(n uint8) Bitboard {
	return Bitboard{b.Lo << n, b.Hi<<n | b.Lo>>(64-n) | b.Lo<<(n-64)}
}

// down moves every point n places down the padded board, 0 < n < 64.
func (b Bitboard) down(n uint) Bitboard {
	return Bitboard{b.Lo>>(n&63) | b.Hi<<((64-n)&63), b.Hi >> (n & 63)}
}

// fivesAlong returns the lowest point of every run of five points of b that are
// stride apart.
func (b Bitboard) fivesAlong(stride uint) Bitboard {
	pairs := b.And(b.down(stride))
	fours := pairs.And(pairs.down(2 * stride))
	return fours.And(b.down(4 * stride))
}

// inFives returns the points of b that are part of a run of five.
func (b Bitboard) inFives() (points Bitboard) {
	for _, stride := range strides {
		firsts := b.fivesAlong(uint(stride))
		pairs := firsts.Or(firsts.up(stride))
		fours := pairs.Or(pairs.up(2 * stride))
		points = points.Or(fours).Or(firsts.up(4 * stride))
	}
	return points
}

// hasFive reports whether b contains five adjacent points of a line.
func (b Bitboard) hasFive() bool {
	return b.anyFive(strideColumn)|b.anyFive(strideNumber)|b.anyFive(strideThird) != 0
}

// anyFive returns zero if fivesAlong is empty. It is small enough to be inlined,
// which makes its shifts constant.
func (b Bitboard) anyFive(stride uint) uint64 {
	lo, hi := b.Lo&(b.Lo>>stride|b.Hi<<(64-stride)), b.Hi&(b.Hi>>stride)
	return lo&(lo>>(2*stride)|hi<<(64-2*stride))&(b.Lo>>(4*stride)|b.Hi<<(64-4*stride)) |
		hi&(hi>>(2*stride))&(b.Hi>>(4*stride))
}

// The size of the board.
const (
	PointCount = 85
	Columns    = 11
)

// column holds the lowest and highest number of a column.
type column struct{ first, last int }

// columns are the columns a to k.
var columns = [Columns]column{
	{2, 5}, {1, 7}, {1, 8}, {1, 9}, {1, 10}, {2, 10}, {2, 11}, {3, 11}, {4, 11}, {5, 11}, {7, 10},
}

// board is the set of all points.
var board = func() (b Bitboard) {
	for c, numbers := range columns {
		for n := numbers.first; n <= numbers.last; n++ {
			b = b.Or(BitboardOf(pad(c, n)))
		}
	}
	return b
}()

// pad returns the point at a column and number that are on the board.
func pad(column, number int) Point { return Point(column*11 + number - 1) }

// PointAt returns the point at column 0..10 and number 1..11, and whether it is on
// the board.
func PointAt(column, number int) (Point, bool) {
	if column < 0 || column >= Columns || number < columns[column].first || number > columns[column].last {
		return 0, false
	}
	return pad(column, number), true
}

// Board returns the set of all 85 points.
func Board() Bitboard { return board }

// ColumnNumbers returns the lowest and the highest number of column 0..10.
func ColumnNumbers(column int) (first, last int) {
	return columns[column].first, columns[column].last
}

// Column returns the column, 0 for a to 10 for k.
func (p Point) Column() int { return int(p) / 11 }

// Number returns the number within the column, 1 to 11.
func (p Point) Number() int { return int(p)%11 + 1 }

// OnBoard reports whether the point is on the board.
func (p Point) OnBoard() bool { return p < padded && board.Has(p) }

// String returns the point's name, such as "f6".
func (p Point) String() string { return string(p.append(nil)) }

func (p Point) append(text []byte) []byte {
	return strconv.AppendInt(append(text, 'a'+byte(p.Column())), int64(p.Number()), 10)
}

// ParsePoint parses the name of a point in upper or lower case. The error is an
// [*Error] with the field "point".
func ParsePoint(text string) (Point, error) {
	p, rest, ok := cutPoint(text)
	if !ok || rest != "" {
		if numbers := numbersOf(text); numbers != "" {
			return 0, fail("", "point", text, "%s", numbers)
		}
		return 0, fail("", "point", text, "a point is a letter a to k and a number that the column has, such as f6")
	}
	return p, nil
}

// numbersOf returns a sentence about the numbers of a column if a text is a letter and a
// number that the column does not have, and "" otherwise.
func numbersOf(text string) string {
	if _, rest, ok := cutPoint(text); ok && rest == "" || len(text) < 2 || strings.Trim(text[1:], "0123456789") != "" {
		return ""
	}
	column := int(text[0]|0x20) - 'a'
	if column < 0 || column >= Columns {
		return ""
	}
	first, last := ColumnNumbers(column)
	return fmt.Sprintf("column %c has the numbers %d to %d", 'a'+column, first, last)
}

// cutPoint parses a point at the start of text and returns the text after it.
func cutPoint(text string) (p Point, rest string, ok bool) {
	if len(text) < 2 {
		return 0, text, false
	}
	column := int(text[0]|0x20) - 'a'
	digits := 1
	for digits < len(text) && digits < 3 && text[digits] >= '0' && text[digits] <= '9' {
		digits++
	}
	if digits == 1 || text[1] == '0' {
		return 0, text, false
	}
	number := int(text[1] - '0')
	if digits == 3 {
		number = 10*number + int(text[2]-'0')
	}
	p, ok = PointAt(column, number)
	return p, text[digits:], ok
}

// Direction is one of the three directions of lines.
type Direction uint8

// The directions, named after what stays the same or changes along them: the numbers
// of one column, the columns of one number, and both at once.
const (
	AlongColumn Direction = iota
	AlongNumber
	AlongThird
	Directions = 3
)

// strides holds the distance between neighbors, by direction.
var strides = [Directions]uint8{strideColumn, strideNumber, strideThird}

// The lines of a direction are numbered 0..10 by what their points share: the column,
// the number, or column - number.
const lineSlots = 16 // room for them in a Position: a power of two saves the bounds check

// lineRef is the place of a point on one of its three lines.
type lineRef struct {
	offset uint32 // of the point's place in the target tables; add the line's index to it
	power  uint16 // 3 to the power of place: the change of the line's index per step of the point's state
	line   uint8  // 0..10 within the direction
	place  uint8  // 0.. from the lower end of the line
}

// lineRefs holds the places of each point on its three lines, by direction.
var lineRefs = func() (refs [padded][Directions]lineRef) {
	for d := range Direction(Directions) {
		for rest := board; !rest.IsEmpty(); rest = rest.WithoutFirst() {
			first := rest.First()
			if (first - Point(strides[d])).OnBoard() {
				continue // not the first of its line
			}
			length := 0
			for p := first; p.OnBoard(); p += Point(strides[d]) {
				length++
			}
			power := uint16(1)
			for place := range length {
				p := first + Point(place)*Point(strides[d])
				refs[p][d] = lineRef{
					offset: targetsOffset(length, place),
					power:  power,
					line:   lineNumber(p, d),
					place:  uint8(place),
				}
				power *= 3
			}
		}
	}
	return refs
}()

// linePoints holds the points of each of the three lines through a point.
var linePoints = func() (points [padded][Directions]Bitboard) {
	var lines [Directions][lineSlots]Bitboard
	for b := board; !b.IsEmpty(); b = b.WithoutFirst() {
		for d := range Direction(Directions) {
			line := &lines[d][lineNumber(b.First(), d)]
			*line = line.Or(BitboardOf(b.First()))
		}
	}
	for b := board; !b.IsEmpty(); b = b.WithoutFirst() {
		for d := range Direction(Directions) {
			points[b.First()][d] = lines[d][lineNumber(b.First(), d)]
		}
	}
	return points
}()

// lineNumber returns the number 0..10 of the line through p in direction d.
func lineNumber(p Point, d Direction) uint8 {
	switch d {
	case AlongColumn:
		return uint8(p.Column())
	case AlongNumber:
		return uint8(p.Number() - 1)
	default:
		return uint8(p.Column() - p.Number() + 6)
	}
}

// gaps holds the points strictly between two points of a line, for a lower point of
// 0, and directions the direction of the line. Both are indexed by the distance of the two on
// the padded board. Steps of at most nine never have the same distance in two directions.
var gaps, directions = func() (gaps [padded]Bitboard, directions [padded]Direction) {
	for d, stride := range strides {
		var between Bitboard
		for steps := uint8(1); steps < longestLine; steps++ {
			gaps[steps*stride], directions[steps*stride] = between, Direction(d)
			between = between.Or(BitboardOf(Point(steps * stride)))
		}
	}
	return gaps, directions
}()

// Between returns the points strictly between two points of a line.
func Between(p, q Point) Bitboard {
	low, high := min(p, q), max(p, q)
	return gaps[(high-low)&(padded-1)].up(uint8(low))
}

// DirectionOf returns the direction of the line through p and q, and whether they are
// different points of one line.
func DirectionOf(p, q Point) (Direction, bool) {
	d := directions[(max(p, q)-min(p, q))&(padded-1)] % Directions
	return d, p != q && lineRefs[p&(padded-1)][d].line == lineRefs[q&(padded-1)][d].line
}

// Row is a place for a row: five adjacent points of a line. The [RowCount] rows are
// numbered 0..122 by direction, then by their lower end.
type Row uint8

// RowCount is the number of rows on the board.
const RowCount = 123

// rowTables holds the points and ends of all rows.
type rowTables struct {
	points [RowCount]Bitboard
	first  [RowCount]Point
	last   [RowCount]Point
	at     [Directions][padded]Row // by direction and lower end; valid only where a row starts
}

var rows = func() (t rowTables) {
	next := Row(0)
	for d := range Direction(Directions) {
		firsts := board.fivesAlong(uint(strides[d]))
		for ; !firsts.IsEmpty(); firsts = firsts.WithoutFirst() {
			first := firsts.First()
			for i := range Point(RowLength) {
				p := first + i*Point(strides[d])
				t.points[next] = t.points[next].Or(BitboardOf(p))
				t.last[next] = p
			}
			t.first[next] = first
			t.at[d][first] = next
			next++
		}
	}
	return t
}()

// Points returns the five points of the row.
func (r Row) Points() Bitboard { return rows.points[r%RowCount] }

// Ends returns the two ends in the order in which they are written: by letter, then
// by number.
func (r Row) Ends() (first, last Point) { return rows.first[r%RowCount], rows.last[r%RowCount] }

// String returns the ends of the row, such as "b3-b7".
func (r Row) String() string { return string(r.append(nil)) }

func (r Row) append(text []byte) []byte {
	first, last := r.Ends()
	return last.append(append(first.append(text), '-'))
}

// RowBetween returns the row with the given ends, in either order, and whether it
// exists.
func RowBetween(p, q Point) (Row, bool) {
	d, ok := DirectionOf(p, q)
	if !ok || !p.OnBoard() || !q.OnBoard() {
		return 0, false
	}
	low, high := min(p, q), max(p, q)
	if high-low != (RowLength-1)*Point(strides[d]) {
		return 0, false
	}
	return rows.at[d][low], true
}

// rowsIn appends the rows whose five points are all in b, by number.
func rowsIn(b Bitboard, dst []Row) []Row {
	for d := range Direction(Directions) {
		firsts := b.fivesAlong(uint(strides[d]))
		for ; !firsts.IsEmpty(); firsts = firsts.WithoutFirst() {
			dst = append(dst, rows.at[d][firsts.First()])
		}
	}
	return dst
}

// maxRows is the capacity of row lists on the stack. RowCount is a safe bound for the
// rows of one side, but not a sharp one.
const maxRows = RowCount

// Symmetry is one of the 12 symmetries of the board, the group D6: 0 is the identity,
// 1..5 rotate the board by that many times 60 degrees, and 6..11 mirror it first and
// then rotate it.
type Symmetry uint8

// Symmetries is the number of symmetries.
const Symmetries = 12

// symmetricPoints holds the image of each point under each symmetry.
var symmetricPoints = func() (to [Symmetries][padded]Point) {
	for s := range Symmetry(Symmetries) {
		for b := board; !b.IsEmpty(); b = b.WithoutFirst() {
			p := b.First()
			x, y := p.Column()-5, p.Number()-6
			if s >= 6 {
				x, y = y, x
			}
			for range s % 6 {
				x, y = y, y-x
			}
			to[s][p] = pad(x+5, y+6)
		}
	}
	return to
}()

// Inverse returns the symmetry that undoes s: the opposite rotation, or s itself if it
// mirrors the board.
func (s Symmetry) Inverse() Symmetry {
	if s %= Symmetries; s < 6 {
		return (6 - s) % 6
	}
	return s
}

// Point returns the image of a point.
func (s Symmetry) Point(p Point) Point { return symmetricPoints[s%Symmetries][p&(padded-1)] }

// Points returns the image of a set of points.
func (s Symmetry) Points(b Bitboard) (image Bitboard) {
	for ; !b.IsEmpty(); b = b.WithoutFirst() {
		image = image.Or(BitboardOf(s.Point(b.First())))
	}
	return image
}

// Row returns the image of a row.
func (s Symmetry) Row(r Row) Row {
	first, last := r.Ends()
	row, _ := RowBetween(s.Point(first), s.Point(last))
	return row
}

// Turn returns the image of a turn. It is legal in the image of a position if t is
// legal in that position.
func (s Symmetry) Turn(t Turn) (image Turn) {
	for i := range t.Before() {
		image = image.withRemoval(s.removal(t.Removal(i)))
	}
	switch t.Kind() {
	case Place:
		image = image.with(placeTurn(s.Point(t.To())))
	case Move:
		image = image.with(moveTurn(s.Point(t.From()), s.Point(t.To())))
	case Pass:
		image = image.with(passTurn)
	}
	for i := t.Before(); i < t.Removals(); i++ {
		image = image.withRemoval(s.removal(t.Removal(i)))
	}
	return image
}

// removal returns the image of a removal.
func (s Symmetry) removal(r Removal) Removal {
	return Removal{Row: s.Row(r.Row), Ring: s.Point(r.Ring)}
}

// Position returns the image of a position.
func (s Symmetry) Position(p *Position) Position {
	image := Position{removed: p.removed, side: p.side, rules: p.rules}
	var rings, markers [2]Bitboard
	for side := range rings {
		rings[side] = s.Points(p.rings[side])
		markers[side] = s.Points(p.markers[side])
	}
	image.setUp(rings, markers)
	return image
}

// SymmetricHash returns the same hash for all positions that are images of each
// other: the lowest hash of the 12 images.
func (p *Position) SymmetricHash() uint64 {
	var images [Symmetries]uint64 // hashes of the pieces
	for side := range p.rings {
		for rings := p.rings[side]; !rings.IsEmpty(); rings = rings.WithoutFirst() {
			for s := range images {
				images[s] ^= keys.ring[side][Symmetry(s).Point(rings.First())]
			}
		}
		for markers := p.markers[side]; !markers.IsEmpty(); markers = markers.WithoutFirst() {
			for s := range images {
				images[s] ^= keys.marker[side][Symmetry(s).Point(markers.First())]
			}
		}
	}
	rest := p.hash ^ images[0] // of what all images share
	lowest := p.hash
	for _, image := range images[1:] {
		lowest = min(lowest, image^rest)
	}
	return lowest
}
