package compose

import (
	"fmt"
	"slices"
	"strings"

	"gyre/bench/puzzles"
	"gyre/position"
)

// bandWidth is the width of a rating band. At most two fifths of a theme's puzzles fall into
// one band.
const bandWidth = 500

// bands is the number of bands.
const bands = puzzles.MaxRating/bandWidth + 1

// selection is the set under construction.
type selection struct {
	chosen []puzzles.Puzzle
	seen   map[string]bool // ids
	target int
	quota  int          // puzzles of each theme; two themes are rare and stay below it
	count  []int        // by theme
	band   [][bands]int // by theme
}

// newSelection returns an empty selection with a target size.
func newSelection(target int) *selection {
	themes := len(puzzles.Themes())
	return &selection{
		target: target, seen: map[string]bool{}, quota: (target + themes - 3) / (themes - 2),
		count: make([]int, themes), band: make([][bands]int, themes),
	}
}

// full reports whether a theme has reached its quota.
func (s *selection) full(t puzzles.Theme) bool { return s.count[t] >= s.quota }

// mayNeed reports, without a search, whether a turn of p could have a theme that is not full.
func (s *selection) mayNeed(p *position.Position) bool {
	us := p.SideToMove()
	ours, theirs := puzzles.CouldMakeRow(p, us), puzzles.CouldMakeRow(p, us.Opponent())
	open := func(themes ...puzzles.Theme) bool {
		return slices.ContainsFunc(themes, func(t puzzles.Theme) bool { return !s.full(t) })
	}
	return open(puzzles.Win) || p.HasRow(us) && open(puzzles.OpponentsRow) || !ours && open(puzzles.Threaten) ||
		ours && open(puzzles.MakeRow, puzzles.TwoRows, puzzles.RightRing) || theirs && open(puzzles.StopRow, puzzles.BreakAndMake)
}

// needs reports whether a turn, with a proven win or not, could have a theme that is not full.
func (s *selection) needs(p *position.Position, turn position.Turn, wins bool) bool {
	for _, t := range puzzles.Themes() {
		if !s.full(t) && (t == puzzles.Win && wins || t == puzzles.TwoRows && turn.Removals() > 0 || t.Fits(p, turn)) {
			return true
		}
	}
	return false
}

// theme returns the theme under which to add a puzzle: of the matching themes that are not
// full, the one with the fewest puzzles. ok is false if there is none. If the removed ring
// matters, only RightRing makes that clear to the solver.
func (s *selection) theme(z *puzzles.Puzzle, strict bool) (best puzzles.Theme, ok bool) {
	if strict {
		return puzzles.RightRing, !s.full(puzzles.RightRing)
	}
	for _, t := range puzzles.Themes() {
		if t != puzzles.RightRing && z.Has(t) && !s.full(t) && (!ok || s.count[t] < s.count[best]) {
			best, ok = t, true
		}
	}
	return best, ok
}

// hasRoom reports whether the rating band of a puzzle has room for it.
func (s *selection) hasRoom(z *puzzles.Puzzle) bool {
	return s.band[z.Theme][z.Rating/bandWidth] < (2*s.quota+4)/5
}

// add adds a puzzle.
func (s *selection) add(z *puzzles.Puzzle) {
	s.band[z.Theme][z.Rating/bandWidth]++
	s.count[z.Theme]++
	s.seen[z.ID] = true
	s.chosen = append(s.chosen, *z)
}

// complete reports whether the target size is reached.
func (s *selection) complete() bool { return len(s.chosen) >= s.target }

// String returns the number of puzzles of each theme.
func (s *selection) String() string {
	var words []string
	for _, t := range puzzles.Themes() {
		words = append(words, fmt.Sprintf("%v %d", t, s.count[t]))
	}
	return strings.Join(words, ", ")
}
