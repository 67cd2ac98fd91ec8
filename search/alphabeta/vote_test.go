package alphabeta

import (
	"testing"

	"gyre/position"
	"gyre/search"
)

// TestElect checks which thread's turn is played.
func TestElect(t *testing.T) {
	const none = -search.Infinity
	type thread struct {
		turn          position.Turn
		depth         int
		score, before search.Score
		static        search.Score
	}
	for _, c := range []struct {
		name    string
		threads []thread
		want    int
	}{
		{"one thread", []thread{{turn: 1, depth: 9, score: 40}}, 0},
		{"all the same: the first leads", []thread{{turn: 1, depth: 9, score: 40}, {turn: 1, depth: 9, score: 40}}, 0},
		{"no vote is heavier: the first leads", []thread{{turn: 1, depth: 9, score: 40}, {turn: 2, depth: 9, score: 40}}, 0},
		{"a deeper thread", []thread{{turn: 1, depth: 9, score: 40}, {turn: 2, depth: 10, score: 40}}, 1},
		{"a higher score", []thread{{turn: 1, depth: 9, score: 40}, {turn: 2, depth: 9, score: 60}}, 1},
		{"much higher outweighs a turn deeper", []thread{{turn: 1, depth: 9, score: 90}, {turn: 2, depth: 10, score: 40}}, 0},
		{"two against one", []thread{{turn: 1, depth: 9, score: 50}, {turn: 2, depth: 9, score: 45}, {turn: 2, depth: 8, score: 45}}, 1},
		{"the deepest of those for the turn", []thread{{turn: 1, depth: 9, score: 40}, {turn: 2, depth: 8, score: 40}, {turn: 2, depth: 9, score: 40}}, 2},
		{"a quicker win", []thread{{turn: 1, depth: 9, score: search.WinIn(7)}, {turn: 2, depth: 5, score: search.WinIn(5)}}, 1},
		{"a win against votes", []thread{{turn: 1, depth: 20, score: 900}, {turn: 2, depth: 5, score: search.WinIn(5)}, {turn: 1, depth: 20, score: 900}}, 1},
		{"a loss that the others see, too late for a vote", []thread{{turn: 1, depth: 9, score: search.LossIn(6)}, {turn: 2, depth: 8, score: -80}}, 1},
		{"an iteration that did not get to it", []thread{{turn: 1, depth: 9, score: none, before: 40}, {turn: 2, depth: 9, score: 40}}, 1},
		{"no iteration at all", []thread{{turn: 1, depth: 3, score: 0}, {turn: 2, depth: 1, score: none, before: none, static: 300}}, 0},
	} {
		var workers []*worker
		for _, th := range c.threads {
			w := &worker{rootDepth: th.depth}
			w.roots = []rootTurn{{turn: th.turn, score: th.score, before: th.before, static: th.static}}
			workers = append(workers, w)
		}
		if got := elect(workers); got != workers[c.want] {
			for i := range workers {
				if got == workers[i] {
					t.Errorf("%s: thread %d is chosen, want %d", c.name, i, c.want)
				}
			}
		}
	}
}
