package position

import "strconv"

// The size of the board.
const (
	PointCount = 85
	Columns    = 11
)

// column tells which numbers a column has.
type column struct{ first, last int }

// columns are the columns a to k.
var columns = [Columns]column{
	{2, 5}, {1, 7}, {1, 8}, {1, 9}, {1, 10}, {2, 10}, {2, 11}, {3, 11}, {4, 11}, {5, 11}, {7, 10},
}

// board is the set of all points.
var board = func() (b Bitboard) {
	for c, numbers := range columns {
		for n := numbers.first; n <= numbers.last; n++ {
			b = b.Or(pointSet(pad(c, n)))
		}
	}
	return b
}()

// pad is the point at a column and number that are known to be on the board.
func pad(column, number int) Point { return Point(column*11 + number - 1) }

// PointAt returns the point at column 0..10 and number 1..11, and whether the
// board has it.
func PointAt(column, number int) (Point, bool) {
	if column < 0 || column >= Columns || number < columns[column].first || number > columns[column].last {
		return 0, false
	}
	return pad(column, number), true
}

// Board returns the set of all 85 points.
func Board() Bitboard { return board }

// ColumnNumbers returns the lowest and the highest number of a column 0..10.
func ColumnNumbers(column int) (first, last int) {
	return columns[column].first, columns[column].last
}

// Column returns the column, 0 for a to 10 for k.
func (p Point) Column() int { return int(p) / 11 }

// Number returns the number within the column, 1 to 11.
func (p Point) Number() int { return int(p)%11 + 1 }

// OnBoard tells whether the board has the point.
func (p Point) OnBoard() bool { return p < padded && board.Has(p) }

// String returns the point's name, such as "f6".
func (p Point) String() string {
	return string(rune('a'+p.Column())) + strconv.Itoa(p.Number())
}

// ParsePoint reads the name of a point in either case. The error is an
// [*Error] of the field "point".
func ParsePoint(text string) (Point, error) {
	p, rest, ok := cutPoint(text)
	if !ok || rest != "" {
		return 0, fail("point", text, "a point is a letter a to k and a number that the column has, such as f6")
	}
	return p, nil
}

// cutPoint reads a point at the start of a text and returns what follows it.
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
