package evaluation

import (
	"math/rand/v2"
	"testing"

	"gyre/position"
)

// games returns the positions of random games, turn by turn.
func games(n int) (all [][]position.Position, turns [][]position.Turn) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range n {
		p := position.Start(position.Standard)
		game, played := []position.Position{p}, []position.Turn(nil)
		for legal := p.Turns(nil); len(legal) > 0; legal = p.Turns(nil) {
			var child position.Position
			turn := legal[rng.IntN(len(legal))]
			p.Play(&child, turn)
			p = child
			game, played = append(game, p), append(played, turn)
		}
		all, turns = append(all, game), append(turns, played)
	}
	return all, turns
}

// TestAccumulator checks that what is kept up equals what is computed from
// scratch.
func TestAccumulator(t *testing.T) {
	all, turns := games(40)
	for g, game := range all {
		var a, b Accumulator
		a.Reset(&game[0])
		for i := 1; i < len(game); i++ {
			b.Update(&a, &game[i-1], turns[g][i-1])
			a.Reset(&game[i])
			if a != b {
				t.Fatalf("%v: kept up %d, from scratch %d", &game[i], b.sum, a.sum)
			}
		}
	}
}

// TestSymmetries checks that the 12 symmetries of a position are worth the same.
func TestSymmetries(t *testing.T) {
	all, _ := games(10)
	for _, game := range all {
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

func BenchmarkUpdate(b *testing.B) {
	all, turns := games(5)
	var a, next Accumulator
	b.ReportAllocs()
	for g, i := 0, 1; b.Loop(); i++ {
		if i == len(all[g]) {
			g, i = (g+1)%len(all), 1
			a.Reset(&all[g][0])
		}
		next.Update(&a, &all[g][i-1], turns[g][i-1])
		a = next
	}
}

func BenchmarkScore(b *testing.B) {
	all, _ := games(1)
	game := all[0]
	var a Accumulator
	a.Reset(&game[40])
	b.ReportAllocs()
	for b.Loop() {
		a.Score(&game[40])
	}
}
