package evaluation

import (
	"math/rand/v2"
	"testing"

	"gyre/position"
)

// games returns the positions of random games, turn by turn.
func games(n int) (all [][]position.Position) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range n {
		p := position.Start(position.Standard)
		game := []position.Position{p}
		for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(nil) {
			var child position.Position
			p.Play(&child, turns[rng.IntN(len(turns))])
			p = child
			game = append(game, p)
		}
		all = append(all, game)
	}
	return all
}

// TestAccumulator checks that what is kept up equals what is computed from
// scratch.
func TestAccumulator(t *testing.T) {
	for _, game := range games(40) {
		var a, b Accumulator
		a.Reset(&game[0])
		for i := 1; i < len(game); i++ {
			b.Update(&a, &game[i-1], &game[i])
			a.Reset(&game[i])
			if a != b {
				t.Fatalf("%v: kept up %d, from scratch %d", &game[i], b.sum, a.sum)
			}
		}
	}
}

// TestSymmetries checks that the 12 symmetries of a position are worth the same.
func TestSymmetries(t *testing.T) {
	for _, game := range games(10) {
		for _, p := range game {
			want := Evaluate(&p)
			for s := range position.Symmetry(position.Symmetries) {
				image := s.Position(&p)
				if got := Evaluate(&image); got != want {
					t.Fatalf("%v: worth %d, its symmetry %d %d", &p, want, s, got)
				}
			}
		}
	}
}

// TestUpdateMove checks the short way for ring moves against the general one.
func TestUpdateMove(t *testing.T) {
	for _, game := range games(20) {
		for _, p := range game {
			var a, long, short Accumulator
			a.Reset(&p)
			for _, turn := range p.QuietTurns(nil) {
				var child position.Position
				p.Play(&child, turn)
				long.Update(&a, &p, &child)
				short.UpdateMove(&a, &p, turn)
				if long != short {
					t.Fatalf("%v after %v: %d the short way, %d the long", &p, turn, short.sum, long.sum)
				}
			}
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	all := games(5)
	var a, next Accumulator
	b.ReportAllocs()
	for g, i := 0, 1; b.Loop(); i++ {
		if i == len(all[g]) {
			g, i = (g+1)%len(all), 1
			a.Reset(&all[g][0])
		}
		next.Update(&a, &all[g][i-1], &all[g][i])
		a = next
	}
}

func BenchmarkScore(b *testing.B) {
	game := games(1)[0]
	var a Accumulator
	a.Reset(&game[40])
	b.ReportAllocs()
	for b.Loop() {
		a.Score(&game[40])
	}
}
