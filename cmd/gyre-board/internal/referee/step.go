package referee

import "gyre/position"

// The things that a Step can do.
const (
	DoPlace = "place" // a ring on To
	DoMove  = "move"  // the ring at From to To
	DoPass  = "pass"
	DoRow   = "row"  // take the row with the ends Row off
	DoRing  = "ring" // take the ring at From off, for the row just taken
)

// doWords are the things to do by the kind of step.
var doWords = [...]string{
	position.StepPlace:    DoPlace,
	position.StepMove:     DoMove,
	position.StepPass:     DoPass,
	position.StepTakeRow:  DoRow,
	position.StepTakeRing: DoRing,
}

// Step is one part of a turn. Fields that it does not need are left out.
type Step struct {
	Do     string     `json:"do"`
	From   string     `json:"from,omitempty"`
	To     string     `json:"to,omitempty"`
	Row    *[2]string `json:"row,omitempty"`    // its ends; read in either order
	Flips  []string   `json:"flips,omitempty"`  // markers that a move flips, in the order of the path; not read
	Points []string   `json:"points,omitempty"` // markers of a row, from end to end; not read
}

// stepOf returns a step that is legal at p as the page takes it.
func stepOf(p *position.Position, s position.Step) Step {
	step := Step{Do: doWords[s.Kind]}
	switch s.Kind {
	case position.StepPlace:
		step.To = s.To.String()
	case position.StepMove:
		step.From, step.To = s.From.String(), s.To.String()
		step.Flips = flipsOnTheWay(p, s.From, s.To)
	case position.StepTakeRing:
		step.From = s.From.String()
	case position.StepTakeRow:
		ends := endsOf(s.Row)
		step.Row = &ends
		step.Points = names(s.Row.Points().Points(nil))
	}
	return step
}

// flipsOnTheWay returns the markers between two points of a line, in the order
// in which a ring that moves from one to the other passes them.
func flipsOnTheWay(p *position.Position, from, to position.Point) []string {
	markers := p.AllMarkers()
	var on []position.Point
	for _, point := range between(from, to) {
		if markers.Has(point) {
			on = append(on, point)
		}
	}
	return names(on)
}

// between returns the points strictly between two points of one line, in order.
func between(from, to position.Point) []position.Point {
	column, number := from.Column(), from.Number()
	dc, dn := sign(to.Column()-column), sign(to.Number()-number)
	var points []position.Point
	for {
		column, number = column+dc, number+dn
		point, ok := position.PointAt(column, number)
		if !ok || point == to {
			return points
		}
		points = append(points, point)
	}
}

// sign returns -1, 0 or 1.
func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

// names returns the names of points.
func names(points []position.Point) []string {
	list := make([]string, len(points))
	for i, point := range points {
		list[i] = point.String()
	}
	return list
}

// matches tells whether the page's step means a legal one.
func (s Step) matches(legal position.Step) bool {
	if s.Do != doWords[legal.Kind] {
		return false
	}
	switch legal.Kind {
	case position.StepPlace:
		return isPoint(s.To, legal.To)
	case position.StepMove:
		return isPoint(s.From, legal.From) && isPoint(s.To, legal.To)
	case position.StepTakeRing:
		return isPoint(s.From, legal.From)
	case position.StepTakeRow:
		return s.Row != nil && isRow(*s.Row, legal.Row)
	}
	return true
}

// isPoint tells whether a text names a point.
func isPoint(text string, point position.Point) bool {
	p, err := position.ParsePoint(text)
	return err == nil && p == point
}

// isRow tells whether two texts name the ends of a row, in either order.
func isRow(ends [2]string, row position.Row) bool {
	first, last := row.Ends()
	return isPoint(ends[0], first) && isPoint(ends[1], last) || isPoint(ends[0], last) && isPoint(ends[1], first)
}
