package evaluation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
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
	e := NewEvaluator(randomWeights(1))
	for _, game := range games(40) {
		var a, b Accumulator
		e.Reset(&a, &game[0])
		for i := 1; i < len(game); i++ {
			e.Update(&b, &a, &game[i-1], &game[i])
			e.Reset(&a, &game[i])
			if a != b {
				t.Fatalf("%v: kept up %x, from scratch %x", &game[i], b, a)
			}
		}
	}
}

// TestUpdateMove checks the short way for ring moves against the general one.
func TestUpdateMove(t *testing.T) {
	e := NewEvaluator(randomWeights(1))
	for _, game := range games(20) {
		for _, p := range game {
			var a, long, short Accumulator
			e.Reset(&a, &p)
			for _, turn := range p.QuietTurns(nil) {
				var child position.Position
				p.Play(&child, turn)
				e.Update(&long, &a, &p, &child)
				e.UpdateMove(&short, &a, &p, turn)
				if long != short {
					t.Fatalf("%v after %v: %x the short way, %x the long", &p, turn, short, long)
				}
			}
		}
	}
}

// TestEvaluator checks the evaluator against the definition of the evaluation,
// with weights that differ for the sides.
func TestEvaluator(t *testing.T) {
	for _, w := range []*Weights{Hand(), randomWeights(1), randomWeights(2), extremeWeights()} {
		e := NewEvaluator(w)
		for _, game := range games(20) {
			for _, p := range game[:len(game)-1] {
				f := FeaturesOf(&p)
				if got, want := e.Evaluate(&p), w.Evaluate(&f); got != want {
					t.Fatalf("%q: %v is worth %d, want %d", w.About, &p, got, want)
				}
			}
		}
	}
}

// extremeWeights returns weights that are as large as can be.
func extremeWeights() *Weights {
	w := &Weights{Tempo: math.MinInt16, Move: math.MaxInt16, Blocked: math.MinInt16, About: "extreme"}
	for index := range w.Windows {
		w.Windows[index] = math.MinInt16
	}
	w.Windows[0] = math.MaxInt16
	return w
}

// TestSymmetries checks that the 12 symmetries of a position are worth the same.
func TestSymmetries(t *testing.T) {
	e := NewEvaluator(randomWeights(1))
	for _, game := range games(10) {
		for _, p := range game[:len(game)-1] {
			want := e.Evaluate(&p)
			for s := range position.Symmetry(position.Symmetries) {
				image := s.Position(&p)
				if got := e.Evaluate(&image); got != want {
					t.Fatalf("%v: worth %d, its symmetry %d %d", &p, want, s, got)
				}
			}
		}
	}
}

// TestColours checks that a position with its colours swapped, and the side to
// move with them, is worth the same. There is none while rings are placed, as
// White begins.
func TestColours(t *testing.T) {
	e := NewEvaluator(randomWeights(1))
	for _, game := range games(10) {
		for _, p := range game[:len(game)-1] {
			if p.Placing() {
				continue
			}
			swapped := swapColours(t, &p)
			if got, want := e.Evaluate(&swapped), e.Evaluate(&p); got != want {
				t.Fatalf("%v: worth %d, with colours swapped %d", &p, want, got)
			}
		}
	}
}

// swapColours returns a position with all colours swapped.
func swapColours(t *testing.T, p *position.Position) position.Position {
	t.Helper()
	words := strings.Fields(p.String())
	board := strings.NewReplacer("W", "B", "B", "W", "w", "b", "b", "w").Replace(words[0])
	side := map[string]string{"w": "b", "b": "w"}[words[1]]
	white, black, _ := strings.Cut(words[2], "-")
	return parse(t, fmt.Sprintf("%s %s %s-%s", board, side, black, white))
}

// TestRingWorth checks the worth of a ring against the windows of the position
// without it.
func TestRingWorth(t *testing.T) {
	w := randomWeights(1)
	e := NewEvaluator(w)
	for _, game := range games(5) {
		for _, p := range game {
			var a Accumulator
			e.Reset(&a, &p)
			for b := p.Rings(position.White).Or(p.Rings(position.Black)); !b.IsEmpty(); b = b.WithoutFirst() {
				at := b.First()
				for _, side := range []position.Side{position.White, position.Black} {
					want := 0
					for row := range position.Row(position.RowCount) {
						if row.Points().Has(at) {
							index := int(windowAt(&p, row, side))
							want += int(w.Windows[index] - w.Windows[withoutPoint(row, at, index)])
						}
					}
					if got := e.RingWorth(&a, at, side); got != want/WindowUnit {
						t.Fatalf("%v: the ring on %v is worth %d with %v to move, want %d", &p, at, got, side, want/WindowUnit)
					}
				}
			}
		}
	}
}

// withoutPoint returns the index of a window with nothing on one of its points.
func withoutPoint(row position.Row, at position.Point, index int) int {
	d := digitsOf(index)
	for i, p := range row.Points().Points(nil) {
		if p == at {
			d[i] = vacant
		}
	}
	return d.index()
}

// TestAllocations checks that keeping up and scoring allocate nothing.
func TestAllocations(t *testing.T) {
	e := DefaultEvaluator()
	game := games(1)[0]
	var a, b Accumulator
	e.Reset(&a, &game[40])
	if n := testing.AllocsPerRun(100, func() {
		e.Update(&b, &a, &game[40], &game[41])
		e.Score(&b, &game[41])
	}); n != 0 {
		t.Errorf("%v allocations a position", n)
	}
}

// BenchmarkUpdate keeps the windows up over the turns of random games.
func BenchmarkUpdate(b *testing.B) {
	e := DefaultEvaluator()
	all := games(5)
	var a, next Accumulator
	b.ReportAllocs()
	for g, i := 0, 1; b.Loop(); i++ {
		if i == len(all[g]) {
			g, i = (g+1)%len(all), 1
			e.Reset(&a, &all[g][0])
		}
		e.Update(&next, &a, &all[g][i-1], &all[g][i])
		a = next
	}
}

// BenchmarkNode keeps the windows up over the ring moves of a position and
// scores each: what a search does at a node.
func BenchmarkNode(b *testing.B) {
	e := DefaultEvaluator()
	p := games(1)[0][40]
	turns := p.QuietTurns(nil)
	children := make([]position.Position, len(turns))
	for i, t := range turns {
		p.Play(&children[i], t)
	}
	var a, next Accumulator
	e.Reset(&a, &p)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i == len(turns) {
			i = 0
		}
		e.UpdateMove(&next, &a, &p, turns[i])
		e.Score(&next, &children[i])
	}
}

func BenchmarkScore(b *testing.B) {
	e := DefaultEvaluator()
	game := games(1)[0]
	var a Accumulator
	e.Reset(&a, &game[40])
	b.ReportAllocs()
	for b.Loop() {
		e.Score(&a, &game[40])
	}
}
