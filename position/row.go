package position

// Row is five points next to each other on a line: the place of a row of
// markers that can be taken off. There are [RowCount], numbered 0..122 by
// direction and then by their lower end.
type Row uint8

// RowCount is the number of places for a row on the board.
const RowCount = 123

// rowTables are the tables of rows, made once.
type rowTables struct {
	points [RowCount]Bitboard
	first  [RowCount]Point
	last   [RowCount]Point
	at     [Directions][padded]Row // by direction and lower end; only where there is one
}

var rows = func() (t rowTables) {
	next := Row(0)
	for d := range Direction(Directions) {
		firsts := board.fivesAlong(uint(strides[d]))
		for ; !firsts.IsEmpty(); firsts = firsts.WithoutFirst() {
			first := firsts.First()
			for i := range Point(RowLength) {
				p := first + i*Point(strides[d])
				t.points[next] = t.points[next].Or(pointSet(p))
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

// Ends returns the two ends as they are written: in the order of their letters,
// then of their numbers.
func (r Row) Ends() (first, last Point) { return rows.first[r%RowCount], rows.last[r%RowCount] }

// String returns the ends of the row, such as "b3-b7".
func (r Row) String() string {
	first, last := r.Ends()
	return first.String() + "-" + last.String()
}

// RowBetween returns the row with the given ends, in either order, and whether
// there is one.
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

// rowsIn appends the rows whose five points are all in b, in the order of
// their numbers.
func rowsIn(b Bitboard, dst []Row) []Row {
	for d := range Direction(Directions) {
		firsts := b.fivesAlong(uint(strides[d]))
		for ; !firsts.IsEmpty(); firsts = firsts.WithoutFirst() {
			dst = append(dst, rows.at[d][firsts.First()])
		}
	}
	return dst
}

// mostRows is the most rows that one side's markers can hold, RowCount for
// want of a sharper bound: the capacity of lists on the stack.
const mostRows = RowCount
