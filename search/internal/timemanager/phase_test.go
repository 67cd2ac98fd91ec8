package timemanager

import (
	"math/rand/v2"
	"testing"
	"time"

	"gyre/position"
	"gyre/search"
)

// randomGame plays a game at random, and calls visit with each position of it that has
// a turn.
func randomGame(rules position.Rules, rng *rand.Rand, visit func(p *position.Position)) {
	p := position.Start(rules)
	for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(turns[:0]) {
		visit(&p)
		var child position.Position
		p.Play(&child, turns[rng.IntN(len(turns))])
		p = child
	}
}

// TestPhaseOfGames checks the phases of random games: the ring moves made, as counted,
// and that never more turns come than they say. Where a side has to pass the count of
// markers tells less, so such games are left out.
func TestPhaseOfGames(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	checked := 0
	for n := range 60 {
		rules := []position.Rules{position.Standard, position.Blitz}[n%2]
		var phases [2][]phase
		passes := false
		randomGame(rules, rng, func(p *position.Position) {
			us := p.SideToMove()
			phases[us] = append(phases[us], phaseOf(p))
			passes = passes || !p.Placing() && !p.CanMove(us)
		})
		if passes {
			continue
		}
		checked++
		for _, side := range phases {
			for i, p := range side {
				if placing, moves := i < position.RingsPerSide, max(i-position.RingsPerSide, 0); p.placing != placing || p.moves != moves {
					t.Fatalf("%v, turn %d: phase %+v, want %d ring moves made, placing: %t", rules, i, p, moves, placing)
				}
				if left := len(side) - i; left > p.most {
					t.Fatalf("%v, turn %d: %d turns come, %d at most by phase %+v", rules, i, left, p.most, p)
				}
			}
		}
	}
	if checked < 20 {
		t.Errorf("only %d games without a pass", checked)
	}
}

// TestClockNeverRunsOut plays clocks down over whole games, with turns that take all that
// the hard limit allows and the overhead besides.
func TestClockNeverRunsOut(t *testing.T) {
	const ms = time.Millisecond
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		base, increment, overhead time.Duration
		control                   int // turns to a time control that adds the base again; 0 without
	}{
		{400 * ms, 4 * ms, 1 * ms, 0},
		{1000 * ms, 10 * ms, 10 * ms, 0},
		{1000 * ms, 10 * ms, 1 * ms, 0},
		{1000 * ms, 0, 10 * ms, 0},
		{2000 * ms, 20 * ms, 10 * ms, 0},
		{10_000 * ms, 100 * ms, 10 * ms, 0},
		{60_000 * ms, 0, 10 * ms, 0},
		{60_000 * ms, 0, 500 * ms, 0},
		{time.Hour, 0, 5000 * ms, 0},
		{20 * ms, 20 * ms, 5 * ms, 0},
		{10_000 * ms, 1 * ms, 10 * ms, 10},
		{500 * ms, 0, 10 * ms, 1},
		{500 * ms, 0, 10 * ms, 40},
	} {
		for range 20 {
			left, turns := [2]time.Duration{c.base, c.base}, [2]int{}
			randomGame(position.Standard, rng, func(p *position.Position) {
				us := p.SideToMove()
				clock := search.Clock{Left: left[us], Increment: c.increment}
				if c.control > 0 {
					clock.MovesToGo = c.control - turns[us]%c.control
				}
				b := shareOfClock(&clock, c.overhead, &usual, phaseOf(p))
				if b.soft > b.hard {
					t.Fatalf("%+v, turn %d: the soft limit %v is beyond the hard one %v", c, turns[us], b.soft, b.hard)
				}
				if left[us] -= b.hard + c.overhead; left[us] < 0 {
					t.Fatalf("%+v: a clock runs out in turn %d of a side, with %+v", c, turns[us], clock)
				}
				left[us] += c.increment
				if turns[us]++; clock.MovesToGo == 1 {
					left[us] += c.base
				}
			})
		}
	}
}
