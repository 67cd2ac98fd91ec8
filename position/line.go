package position

// Direction is one of the three directions of lines.
type Direction uint8

// The directions, each with the step from a point to the next one along it:
// along a column, along the points of one number, and along both at once.
const (
	AlongColumn Direction = iota
	AlongNumber
	AlongThird
	Directions = 3
)

// strides holds the distances by direction.
var strides = [Directions]uint8{strideColumn, strideNumber, strideThird}

// The lines of a direction are numbered 0..10 by what all their points share:
// the column, the number, or column - number.
const (
	linesPerDirection = 11
	lineSlots         = 16 // the room for them in a Position: a power of two spares the bounds check
)

// lineRef tells where a point stands on one of its three lines.
type lineRef struct {
	offset uint32 // of the point's place in the tables of targets; the line's index is added to it
	power  uint16 // 3 to the power of place: what one step of the point's state adds to the line's index
	line   uint8  // 0..10 within the direction
	place  uint8  // 0.. from the end of the line with the lower points
}

// lineRefs are the three lines of each point, by direction.
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

// linePoints are the points of each of the three lines through a point.
var linePoints = func() (points [padded][Directions]Bitboard) {
	for b := board; !b.IsEmpty(); b = b.WithoutFirst() {
		p := b.First()
		for d := range Direction(Directions) {
			for rest := board; !rest.IsEmpty(); rest = rest.WithoutFirst() {
				if q := rest.First(); lineNumber(p, d) == lineNumber(q, d) {
					points[p][d] = points[p][d].Or(pointSet(q))
				}
			}
		}
	}
	return points
}()

// lineNumber is the number 0..10 of the line of a direction through p.
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

// gaps holds, by the distance of two points of a line on the padded board, the
// points strictly between them, for the lower one at point 0. Steps of at most
// nine along the three directions never make the same distance.
var gaps = func() (gaps [padded]Bitboard) {
	for _, stride := range strides {
		var between Bitboard
		for steps := uint8(1); steps < longestLine; steps++ {
			gaps[steps*stride] = between
			between = between.Or(pointSet(Point(steps * stride)))
		}
	}
	return gaps
}()

// between returns the points strictly between two points of one line.
func between(p, q Point) Bitboard {
	low, high := min(p, q), max(p, q)
	return gaps[(high-low)&(padded-1)].up(uint8(low))
}

// DirectionOf returns the direction of the line through two different points,
// and whether they share one.
func DirectionOf(p, q Point) (Direction, bool) {
	for d := range Direction(Directions) {
		if lineRefs[p&(padded-1)][d].line == lineRefs[q&(padded-1)][d].line {
			return d, p != q
		}
	}
	return 0, false
}
