package puzzles

import (
	"fmt"
	"slices"

	"gyre/position"
)

// Theme is what a puzzle is about.
type Theme uint8

// The themes, each with the fact that it is, of the first turn where nothing else is
// said. A side could make a row where one of its moves would if it were to move.
const (
	MakeRow      Theme = iota // the ring move makes a row, and just that is taken off
	StopRow                   // no row is taken; the opponent could make one before and cannot after
	TwoRows                   // the solver's turns take two rows off or more, together
	BreakAndMake              // the opponent could make a row before and cannot after; the ring move makes one, or the solver first can then
	RightRing                 // rows are taken off, and every other ring pays too much
	Win                       // a win is proven
	OpponentsRow              // a turn of the solver takes off a row that the opponent's turn made
	Threaten                  // no row is taken; the solver could make none before and can after
	themeCount
)

// themeNames are the names of the themes in files.
var themeNames = [themeCount]string{"make-row", "stop-row", "two-rows", "break-and-make", "right-ring", "win", "opponents-row", "threaten-row"}

// Themes lists all themes.
func Themes() (all []Theme) {
	for t := range themeCount {
		all = append(all, t)
	}
	return all
}

// ParseTheme returns the theme of a name.
func ParseTheme(name string) (Theme, error) {
	at := slices.Index(themeNames[:], name)
	if at < 0 {
		return 0, fmt.Errorf("theme %q: none of %v", name, themeNames)
	}
	return Theme(at), nil
}

// String returns the name of the theme, such as "make-row".
func (t Theme) String() string { return themeNames[t] }

// Has tells whether a theme fits a puzzle with its solution. Of RightRing it tells
// whether another ring could pay: what that is worth a [Judge] tells.
func (z *Puzzle) Has(theme Theme) bool {
	rows, given := 0, false
	for i := 0; i < len(z.Solution); i += 2 {
		rows += z.Solution[i].Removals()
		given = given || z.Solution[i].Before() > 0
	}
	switch theme {
	case TwoRows:
		return rows > 1
	case OpponentsRow:
		return given
	case Win:
		return z.Mate > 0
	}
	return theme.Fits(&z.Position, z.Solution[0])
}

// Fits tells whether a legal turn of p is of the theme by itself: no solution that
// begins with it need be known. Win fits no turn so.
func (t Theme) Fits(p *position.Position, turn position.Turn) bool {
	switch t {
	case MakeRow:
		return turn.Before() == 0 && turn.After() == 1
	case StopRow:
		return turn.Removals() == 0 && stops(p, turn)
	case TwoRows:
		return turn.Removals() > 1
	case BreakAndMake:
		return stops(p, turn) && (turn.After() > 0 || threatens(p, turn))
	case RightRing:
		return len(OtherRings(p, turn)) > 0
	case OpponentsRow:
		return turn.Before() > 0
	case Threaten:
		return turn.Removals() == 0 && threatens(p, turn)
	}
	return false
}

// stops tells whether the opponent could make a row before a turn and cannot after it.
func stops(p *position.Position, turn position.Turn) bool {
	them := p.SideToMove().Opponent()
	child := after(p, turn)
	return CouldMakeRow(p, them) && !child.Over() && !CouldMakeRow(&child, them)
}

// threatens tells whether the side that makes a turn could make no row before it and
// can after it.
func threatens(p *position.Position, turn position.Turn) bool {
	us := p.SideToMove()
	child := after(p, turn)
	return !CouldMakeRow(p, us) && !child.Over() && CouldMakeRow(&child, us)
}

// CouldMakeRow tells whether a side has a row or could make one if it were to move.
func CouldMakeRow(p *position.Position, side position.Side) bool {
	return p.HasRow(side) || p.CanComplete(side)
}

// Same tells whether two turns of a position are the same answer: the same ring
// moves to the same point, and the same rows are taken off before it and after it.
// Their order never counts; the rings that pay do if rings is set.
func Same(a, b position.Turn, rings bool) bool {
	if a.Kind() != b.Kind() || a.Before() != b.Before() || a.After() != b.After() {
		return false
	}
	if a.Kind() != position.RemovalsOnly && a.Kind() != position.Pass && (a.From() != b.From() || a.To() != b.To()) {
		return false
	}
	return taken(a, 0, a.Before(), rings) == taken(b, 0, b.Before(), rings) &&
		taken(a, a.Before(), a.Removals(), rings) == taken(b, b.Before(), b.Removals(), rings)
}

// removed are rows and rings taken off, in any order.
type removed struct {
	rows  [position.RowCount]bool
	rings position.Bitboard
}

// taken returns what some removals of a turn take off.
func taken(t position.Turn, first, end int, rings bool) (all removed) {
	for i := first; i < end; i++ {
		r := t.Removal(i)
		all.rows[r.Row] = true
		if rings {
			all.rings = all.rings.Or(pointSet(r.Ring))
		}
	}
	return all
}

// pointSet is the set of one point.
func pointSet(p position.Point) position.Bitboard {
	if p < 64 {
		return position.Bitboard{Lo: 1 << p}
	}
	return position.Bitboard{Hi: 1 << (p - 64)}
}

// OtherRings returns the turns of p that are the same answer as one but for the rings
// that pay.
func OtherRings(p *position.Position, turn position.Turn) (others []position.Turn) {
	if turn.Removals() == 0 {
		return nil
	}
	for _, t := range p.Turns(nil) {
		if Same(t, turn, false) && !Same(t, turn, true) {
			others = append(others, t)
		}
	}
	return others
}

// Split parts the turns of p into those that are the same answer as one, and others.
func Split(p *position.Position, turn position.Turn, rings bool) (same, others []position.Turn) {
	for _, t := range p.Turns(nil) {
		if Same(t, turn, rings) {
			same = append(same, t)
		} else {
			others = append(others, t)
		}
	}
	return same, others
}
