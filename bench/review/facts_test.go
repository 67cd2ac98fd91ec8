package review

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gyre/position"
)

// allMarkers is the number of markers on the board and in the pool.
const allMarkers = 51

// TestFactsHold checks the facts about good and bad turns of random games against a slow
// implementation of the rules.
func TestFactsHold(t *testing.T) {
	games := 120
	if testing.Short() {
		games = 30
	}
	rng := rand.New(rand.NewPCG(14, 5))
	seen := map[Kind]int{}
	for game := range games {
		p := position.Start([]position.Rules{position.Standard, position.Blitz}[game%2])
		for !p.Over() {
			turns := p.Turns(nil)
			turn, better := turns[rng.IntN(len(turns))], turns[rng.IntN(len(turns))]
			if rows := p.CompletingTurns(nil); len(rows) > 0 {
				better = rows[rng.IntN(len(rows))]
				if rng.IntN(2) == 0 {
					turn = rows[rng.IntN(len(rows))]
				}
			}
			for _, fact := range Against(&p, turn, better) {
				seen[fact.Kind]++
				check(t, &p, turn, better, fact)
			}
			for _, fact := range For(&p, turn) {
				seen[fact.Kind]++
				check(t, &p, turn, better, fact)
			}
			p = p.After(turn)
		}
	}
	t.Logf("facts by kind: %v", seen)
	for _, kind := range []Kind{
		Wins, LosesNext, TakesRows, GivesRows, OpensRow, LeavesRow, StopsRows,
		MissesRow, PaysOther, Threatens, LosesFours, GainsFours, FewMarkers,
	} {
		if seen[kind] == 0 {
			t.Errorf("fact of kind %s was never reported", kind)
		}
	}
}

// check checks a fact about a turn against the slow rules.
func check(t *testing.T, p *position.Position, turn, better position.Turn, f Fact) {
	t.Helper()
	side, other := p.SideToMove(), p.SideToMove().Opponent()
	before := slowOf(p)
	after, moved := before.played(turn, side)
	holds := f.Side == side && f.Kind != "" && f.Sentence() != ""
	switch f.Kind {
	case Wins:
		holds = holds && slowWin(p, turn, after)
	case LosesNext:
		child := p.After(turn)
		end, _ := after.played(f.Turn, other)
		holds = holds && child.Check(f.Turn) == nil && slowWin(&child, f.Turn, end)
	case TakesRows:
		for i, row := range f.Rows {
			holds = holds && (i < turn.Before() && before.holds(row, side) || i >= turn.Before() && moved.holds(row, side))
		}
		holds = holds && len(f.Rows) == turn.Removals()
	case GivesRows:
		for _, row := range f.Rows {
			holds = holds && after.holds(row, other)
		}
		holds = holds && len(f.Rows) == after.fives(other, 5)
	case OpensRow:
		holds = holds && !before.canMakeRow(other) && slowMakes(after, f.Turn, other)
	case LeavesRow:
		holds = holds && before.canMakeRow(other) && slowMakes(after, f.Turn, other)
	case StopsRows:
		holds = holds && before.canMakeRow(other) && !after.canMakeRow(other)
	case MissesRow:
		holds = holds && p.Check(f.Turn) == nil && f.Turn.Removals() == f.Left && turn.Removals() == f.Had && f.Left > f.Had
	case PaysOther:
		holds = holds && p.Check(f.Turn) == nil && f.Turn == better && f.Turn.From() == turn.From() && f.Turn.To() == turn.To() && f.Turn.Removals() > 0 &&
			slices.Equal(f.Rows, rowsOf(turn)) && slices.Equal(f.Rings, ringsOf(f.Turn)) && !slices.Equal(f.Rings, ringsOf(turn))
	case Threatens:
		holds = holds && !before.canMakeRow(side) && slowMakes(after, f.Turn, side)
	case LosesFours:
		holds = holds && before.fives(side, 4) == f.Had && after.fives(side, 4) == f.Left && f.Left < f.Had
	case GainsFours:
		holds = holds && before.fives(side, 4) == f.Had && after.fives(side, 4) == f.Left && f.Left > f.Had
	case FewMarkers:
		holds = holds && allMarkers-after.markers() == f.Left
	}
	if !holds {
		t.Errorf("%v, turn %v: %v is not true (%+v)", p, turn, f.Kind, f)
	}
}

// slowMakes reports whether a turn is a ring move of a side that makes a row.
func slowMakes(s slow, turn position.Turn, side position.Side) bool {
	m := slowMove{turn.From(), turn.To()}
	return turn.Kind() == position.Move && slices.Contains(s.moves(side), m) && s.after(m, side).fives(side, 5) > 0
}

// slowWin reports whether a turn wins the game: by the number of rings, or by having more
// when the pool is empty.
func slowWin(p *position.Position, turn position.Turn, after slow) bool {
	side := p.SideToMove()
	mine, theirs := p.Removed(side)+turn.Removals(), p.Removed(side.Opponent())
	return mine >= p.Rules().WinningRings() || after.markers() == allMarkers && mine > theirs
}

// TestFacts checks the facts about given turns.
func TestFacts(t *testing.T) {
	const (
		early   = "W2B/4W1B/2wwbww1/9/10/1wwwww3/B9/9/B7/7/WWWB w 0-0"
		f3      = "W2B/W5B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 1-0"
		several = "w3/bbB1b2/wwwwww2/W3bb1w1/wwwww1www1/Wb1BWbBww/1w3bb1bw/w1bww1bwW/b1bww1b1/bwb3w/bw1w w 1-2"
	)
	for _, test := range []struct {
		position, turn, better string
		against, forBetter     []string // as text and as sentences
	}{
		{f3, "a2-a3", "f3-f2;xf3-f7xa2", []string{"misses-row 0 1", "White could remove a row with f3-f2;xf3-f7xa2."}, []string{"takes-rows f3-f7"}},
		{f3, "f3-f2;xf3-f7xa2", "f3-f2;xf3-f7xb1", []string{"pays-other f3-f7 b1"}, []string{"takes-rows f3-f7"}},
		{"W3/W6/W7/9/10/1wwwwww2/10/9/8/6B/BBBB w 2-0", "xf3-f7xa2", "xf4-f8xa2", nil, []string{"wins"}},
		{early, "xf3-f7xk7;b5-d5;xc3-c7xk8", "xf3-f7xk7;b5-b6", nil, []string{"takes-rows f3-f7"}},
		// With several rows, the facts say how many.
		{several, "xc1-c5xf6;xe1-e5xd1", "xc1-c5xh11;xe1-e5xf6", []string{"pays-other c1-c5 e1-e5 h11 f6", "For the same rows, White could remove the rings on h11 and f6."}, nil},
	} {
		p, err := position.Parse(test.position, position.Standard)
		if err != nil {
			t.Fatal(err)
		}
		turn, err := p.ParseTurn(test.turn)
		if err != nil {
			t.Fatal(err)
		}
		better, err := p.ParseTurn(test.better)
		if err != nil {
			t.Fatal(err)
		}
		for _, said := range []struct {
			facts []Fact
			want  []string
		}{{Against(&p, turn, better), test.against}, {For(&p, better), test.forBetter}} {
			var got []string
			for _, fact := range said.facts {
				got = append(got, text(fact), fact.Sentence())
			}
			for _, want := range said.want {
				if !slices.Contains(got, want) {
					t.Errorf("%s at %s: %q lacks %q", test.turn, test.position, got, want)
				}
			}
		}
	}
}

// text returns a fact as text: its kind, rows and rings, and its numbers.
func text(f Fact) string {
	text := string(f.Kind)
	for _, row := range f.Rows {
		first, last := row.Ends()
		text += fmt.Sprintf(" %v-%v", first, last)
	}
	for _, ring := range f.Rings {
		text += fmt.Sprintf(" %v", ring)
	}
	if f.Had+f.Left > 0 {
		text += fmt.Sprintf(" %d %d", f.Had, f.Left)
	}
	return text
}

// slow maps points to pieces. Its methods implement the rules a second time, as simply as
// possible, to check the package.
type slow map[position.Point]byte // 'W', 'B', 'w', 'b'

// The pieces by side.
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

// ways are the six directions.
var ways = [][2]int{{0, 1}, {1, 0}, {1, 1}, {0, -1}, {-1, 0}, {-1, -1}}

// along returns the points from a point in a direction, without the point itself.
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

// played returns the pieces after a whole turn, and before its final removals.
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

// holds reports whether all points of a row hold a side's markers.
func (s slow) holds(row position.Row, side position.Side) bool {
	return s.count(row.Points().Points(nil), side) == 5
}

// count returns the number of points that hold a side's markers.
func (s slow) count(points []position.Point, side position.Side) (count int) {
	for _, point := range points {
		if s[point] == markerOf[side] {
			count++
		}
	}
	return count
}

// fives returns the number of rows of five points with exactly the given number of markers.
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

// canMakeRow reports whether a side has a row, or can make one by a ring move.
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

// markers returns the number of markers on the board.
func (s slow) markers() (count int) {
	for _, piece := range s {
		if piece == 'w' || piece == 'b' {
			count++
		}
	}
	return count
}
