package compose

import (
	"fmt"
	"slices"
	"strings"

	"gyre/bench/puzzles"
	"gyre/position"
)

// bandWidth is the width of the bands of ratings that a theme's puzzles are spread
// over: none gets more than two fifths of them.
const bandWidth = 500

// bands is how many there are.
const bands = puzzles.MostRating/bandWidth + 1

// selection is a set in the making.
type selection struct {
	chosen []puzzles.Puzzle
	seen   map[string]bool // ids
	wanted int
	quota  int          // of a theme; two of them are rare
	count  []int        // by theme
	band   [][bands]int // by theme
}

// newSelection returns an empty set of so many puzzles to come.
func newSelection(wanted int) *selection {
	themes := len(puzzles.Themes())
	return &selection{
		wanted: wanted, seen: map[string]bool{}, quota: (wanted + themes - 3) / (themes - 2),
		count: make([]int, themes), band: make([][bands]int, themes),
	}
}

// full tells whether a theme has all its puzzles.
func (s *selection) full(t puzzles.Theme) bool { return s.count[t] >= s.quota }

// mayWant tells, without a search, whether some turn of a position could be of a theme
// that is not full.
func (s *selection) mayWant(p *position.Position) bool {
	us := p.SideToMove()
	ours, theirs := puzzles.CouldMakeRow(p, us), puzzles.CouldMakeRow(p, us.Opponent())
	open := func(themes ...puzzles.Theme) bool {
		return slices.ContainsFunc(themes, func(t puzzles.Theme) bool { return !s.full(t) })
	}
	return open(puzzles.Win) || p.HasRow(us) && open(puzzles.OpponentsRow) || !ours && open(puzzles.Threaten) ||
		ours && open(puzzles.MakeRow, puzzles.TwoRows, puzzles.RightRing) || theirs && open(puzzles.StopRow, puzzles.BreakAndMake)
}

// wants tells whether a turn, of a proven win or not, could be of a theme that is not
// full.
func (s *selection) wants(p *position.Position, turn position.Turn, wins bool) bool {
	for _, t := range puzzles.Themes() {
		if !s.full(t) && (t == puzzles.Win && wins || t == puzzles.TwoRows && turn.Removals() > 0 || t.Fits(p, turn)) {
			return true
		}
	}
	return false
}

// theme returns the theme that a puzzle comes in under, of those that fit it the one
// with the fewest puzzles, and whether there is one that is not full. Where the ring
// counts only RightRing says so to who solves it.
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

// hasRoom tells whether the band of a puzzle's rating has room for it.
func (s *selection) hasRoom(z *puzzles.Puzzle) bool {
	return s.band[z.Theme][z.Rating/bandWidth] < (2*s.quota+4)/5
}

// add puts a puzzle into the set.
func (s *selection) add(z *puzzles.Puzzle) {
	s.band[z.Theme][z.Rating/bandWidth]++
	s.count[z.Theme]++
	s.seen[z.ID] = true
	s.chosen = append(s.chosen, *z)
}

// whole tells whether there are as many as wanted.
func (s *selection) whole() bool { return len(s.chosen) >= s.wanted }

// String returns how many puzzles there are by theme.
func (s *selection) String() string {
	var words []string
	for _, t := range puzzles.Themes() {
		words = append(words, fmt.Sprintf("%v %d", t, s.count[t]))
	}
	return strings.Join(words, ", ")
}
