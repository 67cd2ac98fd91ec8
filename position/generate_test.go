package position

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCompletingTurns compares the fast generation of completing turns with a filter
// on all turns.
func TestCompletingTurns(t *testing.T) {
	for _, p := range gamePositions(60) {
		var want []Turn
		for _, turn := range p.Turns(nil) {
			if turn.Removals() > 0 {
				want = append(want, turn)
			}
		}
		got := p.CompletingTurns(nil)
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%v: turns that take a row off:\n%s", &p, diff)
		}
	}
}

// TestCompletionsOfWaitingSide compares the threats of the side that is not to move
// with its turns after a pass.
func TestCompletionsOfWaitingSide(t *testing.T) {
	for _, p := range gamePositions(60) {
		waiting := p.side.Opponent()
		if p.Over() || p.HasRow(White) || p.HasRow(Black) {
			continue
		}
		passed := p
		passed.passOn()
		want := map[Turn]bool{}
		for _, turn := range passed.Turns(nil) {
			if turn.Removals() > 0 {
				want[turn&moveMask] = true
			}
		}
		got := map[Turn]bool{}
		for _, turn := range p.Completions(waiting, nil) {
			got[turn] = true
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%v: completions of %v:\n%s", &p, waiting, diff)
		}
		if can := p.CanComplete(waiting); can != (len(want) > 0) {
			t.Fatalf("%v: %v can complete a row: %v, and has %d completions", &p, waiting, can, len(want))
		}
	}
}

// crowded is a position that no game reaches: White can remove three rows of nearly
// any three in any order.
const crowded = "WWWW/W6/1wwwwww1/1wwwwwww1/1wwwwwwww1/wwwwwwwww/1wwwwwwww1/1wwwwwww1/1wwwwww1/6B/BBBB w 0-0"

// TestCountTo compares counts that end early with the lists, and checks that they end.
func TestCountTo(t *testing.T) {
	for _, p := range gamePositions(20) {
		n := len(p.Turns(nil))
		for _, most := range []int{1, 2, n - 1, n, n + 1} {
			if got, want := p.CountTo(max(most, 1)), min(n, max(most, 1)); got != want {
				t.Fatalf("%v: counts %d turns up to %d, want %d", &p, got, most, want)
			}
		}
	}
	p, err := Parse(crowded, Standard)
	if err != nil {
		t.Fatal(err)
	}
	if n := p.Count(); n < 1_000_000 {
		t.Errorf("the crowded position has %d turns", n)
	}
	// The sink must not go through all turns, whatever it is asked for: it may complete the last ring's.
	sink := turnSink{most: 1000}
	p.sinkRemovals(&sink, None)
	if sink.count < 1000 || sink.count > 1000+RingsPerSide {
		t.Errorf("counted %d turns, asked for 1000", sink.count)
	}
}

// TestPerftStopsInList checks that a stop ends a list of turns that remove rows, each of which has replies to count.
func TestPerftStopsInList(t *testing.T) {
	p, err := Parse("WWWW/W6/8/9/10/wwwwwwwww/10/9/8/6B/BBBB w 0-0", Standard)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	c := perft{plies: make([]perftPly, 3), stop: func() bool { asked++; return asked > 1 }}
	if all, got := Perft(&p, 2, nil), c.count(&p, 2); got > all/4 {
		t.Errorf("counted %d of %d sequences after the stop", got, all)
	}
}

func BenchmarkCompletions(b *testing.B) {
	all := gamePositions(10)
	list := make([]Turn, 0, 64)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p := &all[i%len(all)]
		list = p.Completions(p.side.Opponent(), list[:0])
	}
}

// TestQuietTurns compares QuietTurns and Quiet with a filter on all turns.
func TestQuietTurns(t *testing.T) {
	previous := []Turn{None, placeTurn(0), passTurn, moveTurn(60, 60)}
	for _, p := range gamePositions(60) {
		var want []Turn
		for _, turn := range p.Turns(nil) {
			if turn.Kind() == Move && turn.Removals() == 0 {
				want = append(want, turn)
			}
		}
		if diff := cmp.Diff(want, p.QuietTurns(nil)); diff != "" {
			t.Fatalf("%v: quiet turns:\n%s", &p, diff)
		}
		for _, turn := range append(previous, want...) {
			if got := p.Quiet(turn); got != slices.Contains(want, turn) {
				t.Fatalf("%v: Quiet(%v) is %v", &p, turn, got)
			}
		}
		previous = p.Turns(previous[:4])
	}
}

// speedPosition is a position with published perft figures: its perft 4 is
// 10,995,086.
const speedPosition = "wwW1/wwwW3/8/bb2B3b/W4WB1b1/WB3b3/4B5/5B3/8/7/4 w 0-0"

func mustParse(tb testing.TB, text string, rules Rules) Position {
	tb.Helper()
	p, err := Parse(text, rules)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func BenchmarkPerft4(b *testing.B) {
	p := mustParse(b, speedPosition, Standard)
	b.ReportAllocs()
	turns := uint64(0)
	for b.Loop() {
		turns += Perft(&p, 4, nil)
	}
	b.ReportMetric(float64(turns)/b.Elapsed().Seconds()/1e6, "Mturns/s")
}

// BenchmarkPlainPerft4 counts the same turns as BenchmarkPerft4 by the shortest program: it lists and
// plays every turn. The speed of the search and of perft are stated relative to it.
func BenchmarkPlainPerft4(b *testing.B) {
	var count func(p *Position, depth int) uint64
	count = func(p *Position, depth int) (total uint64) {
		if depth == 0 {
			return 1
		}
		for _, t := range p.Turns(nil) {
			child := p.After(t)
			total += count(&child, depth-1)
		}
		return total
	}
	p := mustParse(b, speedPosition, Standard)
	turns := uint64(0)
	for b.Loop() {
		turns += count(&p, 4)
	}
	b.ReportMetric(float64(turns)/b.Elapsed().Seconds()/1e6, "Mturns/s")
}

func BenchmarkRandomGames(b *testing.B) {
	rng := rand.NewPCG(1, 2)
	b.ReportAllocs()
	games, turns := 0, 0
	for b.Loop() {
		p := Start(Standard)
		_, n := p.Playout(rng)
		games++
		turns += n
	}
	b.ReportMetric(float64(games)/b.Elapsed().Seconds(), "games/s")
	b.ReportMetric(float64(turns)/float64(games), "turns/game")
}

// gamePositions returns the positions of random games after all rings are placed.
func gamePositions(games int) (all []Position) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range games {
		p := Start(Standard)
		for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(nil) {
			var child Position
			p.Play(&child, turns[rng.IntN(len(turns))])
			p = child
			if !p.Placing() {
				all = append(all, p)
			}
		}
	}
	return all
}

func BenchmarkTurns(b *testing.B) {
	all := gamePositions(10)
	list := make([]Turn, 0, 4096)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		list = all[i%len(all)].Turns(list[:0])
	}
}

func BenchmarkCount(b *testing.B) {
	all := gamePositions(10)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		all[i%len(all)].Count()
	}
}

func BenchmarkPlay(b *testing.B) {
	p := mustParse(b, speedPosition, Standard)
	turns := p.Turns(nil)
	var child Position
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.Play(&child, turns[i%len(turns)])
	}
}

// TestTargetTables compares the table of targets with a walk along each line.
func TestTargetTables(t *testing.T) {
	for _, length := range []int{4, 7, 8, 9, 10} {
		digits := make([]uint8, length)
		for index := range power3[length] {
			rest := index
			for i := range digits {
				digits[i] = uint8(rest % 3)
				rest /= 3
			}
			for place, digit := range digits {
				if digit != ringDigit {
					continue
				}
				want, five := walk(digits, place)
				got := targetSets[targetsOffset(length, place)+index]
				if got.places() != want || got.leavesFive() != five || int(got&targetCount) != bits.OnesCount16(want) {
					t.Fatalf("digits %v, place %d: targets %#x, want places %#x, leaves five %t", digits, place, got, want, five)
				}
			}
		}
	}
}

// walk applies the rule for ring moves along a line. It returns the places that the ring reaches, and
// whether five markers are in a row when a marker takes its place.
func walk(digits []uint8, place int) (targets uint16, five bool) {
	row := 1
	for _, step := range []int{-1, +1} {
		at := place + step
		next := func(digit uint8) bool { return at >= 0 && at < len(digits) && digits[at] == digit }
		for ; next(vacantDigit); at += step {
			targets |= 1 << at
		}
		begin := at
		for next(markerDigit) {
			at += step
		}
		if at != begin && next(vacantDigit) {
			targets |= 1 << at
		}
		if begin == place+step { // the markers are next to the ring
			row += max(at-begin, begin-at)
		}
	}
	return targets, row >= RowLength
}
