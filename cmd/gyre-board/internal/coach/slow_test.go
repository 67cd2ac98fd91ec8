package coach

import "gyre/position"

// slow is a position as what stands on each of its points, with the rules written anew and
// as plainly as can be: it checks what is said.
type slow map[position.Point]byte // 'W', 'B', 'w', 'b'

// The letters by side.
var (
	ringOf   = [2]byte{position.White: 'W', position.Black: 'B'}
	markerOf = [2]byte{position.White: 'w', position.Black: 'b'}
)

// slowOf reads the pieces of a position.
func slowOf(p *position.Position) slow {
	s := slow{}
	for _, side := range []position.Side{position.White, position.Black} {
		for _, point := range p.Rings(side).Points(nil) {
			s[point] = ringOf[side]
		}
		for _, point := range p.Markers(side).Points(nil) {
			s[point] = markerOf[side]
		}
	}
	return s
}

// ways are the six ways along the lines.
var ways = [][2]int{{0, 1}, {1, 0}, {1, 1}, {0, -1}, {-1, 0}, {-1, -1}}

// along returns the points from one on in a way, without it.
func along(from position.Point, way [2]int) (points []position.Point) {
	for i := 1; ; i++ {
		point, ok := position.PointAt(from.Column()+i*way[0], from.Number()+i*way[1])
		if !ok {
			return points
		}
		points = append(points, point)
	}
}

// slowMove is a ring move.
type slowMove struct{ from, to position.Point }

// moves returns all ring moves of a side.
func (s slow) moves(side position.Side) (all []slowMove) {
	for _, from := range position.Board().Points(nil) {
		if s[from] != ringOf[side] {
			continue
		}
		for _, way := range ways {
			jumped := false
			for _, to := range along(from, way) {
				switch s[to] {
				case 0:
					all = append(all, slowMove{from, to})
				case 'w', 'b':
					jumped = true
					continue
				}
				if jumped || s[to] != 0 {
					break
				}
			}
		}
	}
	return all
}

// after returns the pieces after a ring move.
func (s slow) after(m slowMove, side position.Side) slow {
	child := slow{}
	for point, piece := range s {
		child[point] = piece
	}
	child[m.from], child[m.to] = markerOf[side], ringOf[side]
	for _, way := range ways {
		line := along(m.from, way)
		for i, point := range line {
			if point != m.to {
				continue
			}
			for _, between := range line[:i] {
				switch child[between] {
				case 'w':
					child[between] = 'b'
				case 'b':
					child[between] = 'w'
				}
			}
		}
	}
	return child
}

// played returns the pieces after a whole turn, and before what it takes off at its end.
func (s slow) played(turn position.Turn, side position.Side) (end, moved slow) {
	take := func(s slow, from, to int) slow {
		child := slow{}
		for point, piece := range s {
			child[point] = piece
		}
		for i := from; i < to; i++ {
			delete(child, turn.Removal(i).Ring)
			for _, point := range turn.Removal(i).Row.Points().Points(nil) {
				delete(child, point)
			}
		}
		return child
	}
	moved = take(s, 0, turn.Before())
	switch turn.Kind() {
	case position.Place:
		moved[turn.To()] = ringOf[side]
	case position.Move:
		moved = moved.after(slowMove{turn.From(), turn.To()}, side)
	}
	return take(moved, turn.Before(), turn.Removals()), moved
}

// holds tells whether all points of a row hold a side's markers.
func (s slow) holds(row position.Row, side position.Side) bool {
	return s.count(row.Points().Points(nil), side) == 5
}

// count returns how many of the points hold a side's markers.
func (s slow) count(points []position.Point, side position.Side) (count int) {
	for _, point := range points {
		if s[point] == markerOf[side] {
			count++
		}
	}
	return count
}

// fives returns at how many places five points in a row hold so many markers of a side.
func (s slow) fives(side position.Side, markers int) (count int) {
	for _, from := range position.Board().Points(nil) {
		for _, way := range ways[:3] {
			if line := along(from, way); len(line) >= 4 && s.count(append([]position.Point{from}, line[:4]...), side) == markers {
				count++
			}
		}
	}
	return count
}

// canMakeRow tells whether a side has a row, or makes one by a ring move.
func (s slow) canMakeRow(side position.Side) bool {
	if s.fives(side, 5) > 0 {
		return true
	}
	for _, m := range s.moves(side) {
		if s.after(m, side).fives(side, 5) > 0 {
			return true
		}
	}
	return false
}

// markers returns how many markers are on the board.
func (s slow) markers() (count int) {
	for _, piece := range s {
		if piece == 'w' || piece == 'b' {
			count++
		}
	}
	return count
}
