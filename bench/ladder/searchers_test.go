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

// TestSearchersSeeAWin gives the searchers positions in which a turn wins at
// once: where a turn that ends the game exists, alpha-beta takes it.
func TestSearchersSeeAWin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	found := 0
	for found < 10 {
		p := position.Start(position.Blitz)
		for !p.Over() {
			turns := p.Turns(nil)
			var child position.Position
			for _, turn := range turns {
				if p.Play(&child, turn); child.Over() && child.Result() == position.WhiteWins+position.Result(p.SideToMove()) {
					found++
					c := byNodes(10_000).choose(&p, func() bool { return false })
					var after position.Position
					if p.Play(&after, c.turn); after.Result() != child.Result() || c.score != won {
						t.Errorf("%v: %v with score %d", &p, c.turn, c.score)
					}
					break
				}
			}
			p.Play(&child, turns[rng.IntN(len(turns))])
			p = child
		}
	}
}

// TestAlphaBetaIsMinimax compares its scores with those of a search without
// bounds.
func TestAlphaBetaIsMinimax(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 5 {
		p := position.Start(position.Standard)
		for range 30 {
			turns := p.Turns(nil)
			if len(turns) == 0 {
				break
			}
			var child position.Position
			p.Play(&child, turns[rng.IntN(len(turns))])
			p = child
		}
		a := byNodes(1 << 40)
		a.stopped = func() bool { return false }
		if got, want := a.search(&p, 2, -won-1, won+1), minimax(&p, 2, judge); got != want {
			t.Errorf("%v: %d, want %d", &p, got, want)
		}
	}
}

func minimax(p *position.Position, depth int, judge func(*position.Position) int) int {
	if depth == 0 || p.Over() {
		return judge(p)
	}
	best := -won - 1
	for _, t := range p.Turns(nil) {
		var child position.Position
		p.Play(&child, t)
		best = max(best, -minimax(&child, depth-1, judge))
	}
	return best
}
