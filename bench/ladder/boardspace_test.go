package ladder

import (
	"math/rand/v2"
	"testing"

	"gyre/position"
)

// counted is the evaluation of the description, move by move.
func counted(p *position.Position, s position.Side) int {
	sum := 1000*p.Removed(s) + p.Markers(s).Count()
	mine := *p
	if p.SideToMove() != s || p.Placing() {
		return -1 // turns tell of the side to move alone
	}
	for _, t := range mine.Turns(nil) {
		if t.Quiet() {
			sum += 1 + mine.Flipped(t).Count()
		}
	}
	return sum
}

// TestBoardspaceJudgement compares the evaluation of one side with what its turns say,
// in positions in which no row is made, and checks that it is fair.
func TestBoardspaceJudgement(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	compared := 0
	for range 5 {
		p := position.Start(position.Standard)
		for !p.Over() {
			turns := p.Turns(nil)
			own := p.SideToMove()
			want := counted(&p, own)
			for _, turn := range turns {
				if turn.Removals() > 0 || turn.Kind() != position.Move {
					want = -1
				}
			}
			if want >= 0 {
				compared++
				if got := boardspaceSide(&p, own); got != want {
					t.Fatalf("%v: %d, want %d", &p, got, want)
				}
			}
			for s := range position.Symmetry(position.Symmetries) {
				image := s.Position(&p)
				if judgeBoardspace(&image) != judgeBoardspace(&p) {
					t.Fatalf("%v is worth %d, its image %v %d", &p, judgeBoardspace(&p), &image, judgeBoardspace(&image))
				}
			}
			var child position.Position
			p.Play(&child, turns[rng.IntN(len(turns))])
			p = child
		}
		if score := judgeBoardspace(&p); score != won && score != -won && score != 0 {
			t.Errorf("the end of a game is worth %d", score)
		}
	}
	if compared < 50 {
		t.Errorf("%d positions compared", compared)
	}
}

// TestBoardspaceDepth checks that a robot looks as far as its name says: its turn has
// the score of a search without bounds to that depth.
func TestBoardspaceDepth(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	p := position.Start(position.Standard)
	for range 40 {
		turns := p.Turns(nil)
		var child position.Position
		p.Play(&child, turns[rng.IntN(len(turns))])
		p = child
	}
	for depth := 1; depth <= 2; depth++ {
		c := boardspace(depth).choose(&p, func() bool { return false })
		var child position.Position
		p.Play(&child, c.turn)
		want := minimax(&p, depth, judgeBoardspace)
		if c.score != want || -minimax(&child, depth-1, judgeBoardspace) != want || c.depth != depth {
			t.Errorf("depth %d: %v with score %d at depth %d, want %d", depth, c.turn, c.score, c.depth, want)
		}
	}
}
