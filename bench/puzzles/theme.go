package puzzles

import (
	"fmt"
	"slices"
	"strings"

	"gyre/position"
)

// Theme is what a puzzle is about.
type Theme uint8

// The themes. Each is a fact about the first turn unless the comment says otherwise. A side
// "could make a row" if one of its moves would complete a row if it were its turn.
const (
	MakeRow      Theme = iota // the ring move completes a row, the only one removed
	StopRow                   // no row is removed; the opponent could make one before and cannot after
	TwoRows                   // the solver's turns remove two rows or more in total
	BreakAndMake              // the opponent could make a row before and cannot after; the ring move completes one, or the solver could make its first after it
	RightRing                 // rows are removed, and removing any other ring is worse
	Win                       // a win is proven
	OpponentsRow              // a turn of the solver removes a row that the opponent completed
	Threaten                  // no row is removed; the solver could not make a row before and can after
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

// ParseTheme returns the theme called name.
func ParseTheme(name string) (Theme, error) {
	at := slices.Index(themeNames[:], name)
	if at < 0 {
		return 0, fmt.Errorf("unknown theme %q: use one of %s", name, strings.Join(themeNames[:], ", "))
	}
	return Theme(at), nil
}

// String returns the name of the theme, for example "make-row".
func (t Theme) String() string { return themeNames[t] }

// Has reports whether a theme fits a puzzle and its solution. For RightRing it reports only
// whether another ring could be removed; a [Judge] can find out which ring is better.
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

// Fits reports whether the legal turn of p has the theme by itself, without a solution. It
// is always false for Win.
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

// stops reports whether the opponent could make a row before turn and cannot after it.
func stops(p *position.Position, turn position.Turn) bool {
	them := p.SideToMove().Opponent()
	child := p.After(turn)
	return CouldMakeRow(p, them) && !child.Over() && !CouldMakeRow(&child, them)
}

// threatens reports whether the side to move could not make a row before turn and can
// after it.
func threatens(p *position.Position, turn position.Turn) bool {
	us := p.SideToMove()
	child := p.After(turn)
	return !CouldMakeRow(p, us) && !child.Over() && CouldMakeRow(&child, us)
}

// CouldMakeRow reports whether side has a row or could make one if it were its turn.
func CouldMakeRow(p *position.Position, side position.Side) bool {
	return p.HasRow(side) || p.CanComplete(side)
}

// Same reports whether two turns of a position are the same answer: the same ring moves to
// the same point, and the same rows are removed before and after the move, in any order. If
// rings is set, the removed rings must be the same too.
func Same(a, b position.Turn, rings bool) bool {
	if a.Kind() != b.Kind() || a.Before() != b.Before() || a.After() != b.After() {
		return false
	}
	if a.Kind() != position.RemovalsOnly && a.Kind() != position.Pass && (a.From() != b.From() || a.To() != b.To()) {
		return false
	}
	return removedBy(a, 0, a.Before(), rings) == removedBy(b, 0, b.Before(), rings) &&
		removedBy(a, a.Before(), a.Removals(), rings) == removedBy(b, b.Before(), b.Removals(), rings)
}

// removed is the set of rows and rings that a turn removes.
type removed struct {
	rows  [position.RowCount]bool
	rings position.Bitboard
}

// removedBy returns what removals first to end-1 of a turn remove.
func removedBy(t position.Turn, first, end int, rings bool) (all removed) {
	for i := first; i < end; i++ {
		r := t.Removal(i)
		all.rows[r.Row] = true
		if rings {
			all.rings = all.rings.Or(setOf(r.Ring))
		}
	}
	return all
}

// setOf returns the set that holds only p.
func setOf(p position.Point) position.Bitboard {
	if p < 64 {
		return position.Bitboard{Lo: 1 << p}
	}
	return position.Bitboard{Hi: 1 << (p - 64)}
}

// OtherRings returns the turns of p that differ from turn only in the removed rings.
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

// Split divides the turns of p into those that are the same answer as turn, and the others.
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
