package position_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"gyre/position"
)

// deepPerft is the count from which a perft is skipped with -short.
const deepPerft = 100_000

func TestPerft(t *testing.T) {
	for _, vector := range perftVectors(t) {
		p := mustParse(t, vector.position, "standard")
		for i, want := range vector.counts {
			t.Run(fmt.Sprintf("line%d/depth%d", vector.line, i+1), func(t *testing.T) {
				if testing.Short() && want > deepPerft {
					t.Skipf("%d sequences", want)
				}
				if got := position.Perft(&p, i+1, nil); got != uint64(want) {
					t.Errorf("%s: perft(%d) = %d, want %d", vector.position, i+1, got, want)
				}
			})
		}
	}
}

// TestLastTwoPliesOfPerft compares the special count of the last two plies with
// playing the turns.
func TestLastTwoPliesOfPerft(t *testing.T) {
	visited := 0
	everywhere(t, func(t *testing.T, p *position.Position, turns []position.Turn) {
		if visited++; visited%8 != 0 && p.Pool() != 2 || len(turns) > 200 {
			return
		}
		position.Divide(p, 3, nil, func(turn position.Turn, nodes uint64) {
			var child, grandchild position.Position
			p.Play(&child, turn)
			want := 0
			for _, reply := range child.Turns(nil) {
				child.Play(&grandchild, reply)
				want += grandchild.Count()
			}
			if nodes != uint64(want) {
				t.Errorf("after %s perft(2) = %d, want %d", turn, nodes, want)
			}
		})
	})
}

func TestPerftOfNothing(t *testing.T) {
	p := position.Start(position.Standard)
	for _, depth := range []int{0, -1} {
		if got := position.Perft(&p, depth, nil); got != 1 {
			t.Errorf("perft(%d) = %d, want 1", depth, got)
		}
	}
}

func TestDivide(t *testing.T) {
	p := mustParse(t, perftVectors(t)[0].position, "standard")
	const depth = 2
	visited, sum := map[position.Turn]bool{}, uint64(0)
	total := position.Divide(&p, depth, nil, func(turn position.Turn, nodes uint64) {
		child := p.After(turn)
		if want := position.Perft(&child, depth-1, nil); nodes != want || visited[turn] {
			t.Errorf("%s: %d below it, want %d; visited before: %t", turn, nodes, want, visited[turn])
		}
		visited[turn] = true
		sum += nodes
	})
	if len(visited) != p.Count() || sum != total || total != position.Perft(&p, depth, nil) {
		t.Errorf("%d turns of %d with sum %d, total %d", len(visited), p.Count(), sum, total)
	}
}

func TestPerftStops(t *testing.T) {
	p := position.Start(position.Standard)
	var stop atomic.Bool
	stop.Store(true)
	// too deep to finish
	position.Perft(&p, 20, stop.Load)
	seen := 0
	stop.Store(false)
	position.Divide(&p, 3, stop.Load, func(position.Turn, uint64) {
		seen++
		stop.Store(true)
	})
	if seen != 1 {
		t.Errorf("%d turns visited, want the one before the stop", seen)
	}
}
