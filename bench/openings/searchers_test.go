package openings

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gyre/position"
	"gyre/search/alphabeta"
)

// TestSharedSearchers lets the generators of an owner wait for one another. They make the same openings as others, use
// no more than their share of the searchers, and end when they shall. Another owner gets a searcher meanwhile.
func TestSharedSearchers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		searchers := NewSearchers(2)
		want := generate(t, quick, 3)
		ctx, stop := context.WithCancelCause(t.Context())
		mine, other := searchers.Share(ctx, "me"), searchers.Share(t.Context(), "other")
		var most, now atomic.Int32
		var all sync.WaitGroup
		open := func(b *Borrower, number int) (string, error) {
			g, err := NewGenerator(quick)
			if err != nil {
				return "", err
			}
			g.Borrower = b
			g.score = func(ctx context.Context, s *alphabeta.Searcher, p *position.Position, nodes uint64) (int, uint64) {
				most.Store(max(most.Load(), now.Add(1)))
				defer now.Add(-1)
				return scoreOf(ctx, s, p, nodes)
			}
			o, err := g.Opening(number)
			return Format(o), err
		}
		for i := range 12 {
			all.Go(func() {
				if got, err := open(mine, i%3); err != nil || got != want[i%3] {
					t.Errorf("opening %d: %s instead of %s, %v", i%3, got, want[i%3], err)
				}
			})
		}
		all.Wait()
		if most.Load() != 1 {
			t.Errorf("%d generators of an owner searched at once", most.Load())
		}
		loan, err := mine.Borrow()
		if err != nil {
			t.Fatal(err)
		}
		why := errors.New("it ended")
		for range 100 { // that have no searcher
			all.Go(func() {
				if _, err := open(mine, 0); err != why {
					t.Errorf("a generator that waits: %v", err)
				}
			})
		}
		synctest.Wait()
		if got, err := open(other, 0); err != nil || got != want[0] {
			t.Errorf("another owner: %s, %v", got, err)
		}
		stop(why)
		all.Wait()
		if err := loan.Continue(); err != why {
			t.Errorf("a generator with a searcher: %v", err)
		}
		loan.Return() // it was returned
		checkLeft(t, searchers, 2)
	})
}

// checkLeft checks that all searchers were given back, and that owners are forgotten once others had as many nodes.
func checkLeft(t *testing.T, s *Searchers, count int) {
	t.Helper()
	last, err := s.Share(t.Context(), "last").Borrow()
	if err != nil {
		t.Fatal(err)
	}
	last.Charge(1_000_000)
	last.Return()
	if len(s.idle) != count || len(s.owners) != 0 {
		t.Errorf("%d searchers are left, and %d owners are remembered", len(s.idle), len(s.owners))
	}
	s.Close()
}

// TestLateOwners lets an owner come late, and again after a pause. It has no more nodes before the other's turn than one
// that was there all the time.
func TestLateOwners(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		searchers := NewSearchers(1)
		early, late := searchers.Share(t.Context(), "early"), searchers.Share(t.Context(), "late")
		first, err := early.Borrow()
		if err != nil {
			t.Fatal(err)
		}
		for round := range 3 {
			first.Charge(1_000_000)
			var second *Loan
			var all sync.WaitGroup
			all.Go(func() {
				var err error
				if second, err = late.Borrow(); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
			if err := first.Continue(); err != nil || second != nil { // both had as many
				t.Errorf("round %d: %v, %v", round, second, err)
			}
			first.Charge(10)
			all.Go(func() {
				if err := first.Continue(); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
			if second == nil {
				t.Fatalf("round %d: it is not its turn", round)
			}
			for range 3 {
				if second.Charge(3); second.Continue() != nil {
					t.Error(err)
				}
			}
			if nodes := early.Charged(); nodes != uint64(round+1)*1_000_010 {
				t.Errorf("round %d: %d nodes meanwhile", round, nodes)
			}
			second.Return()
			all.Wait()
		}
		first.Return()
		checkLeft(t, searchers, 1)
	})
}

// TestSharedRecall lets a generator look for an opening that its recipe does not give, while another owner's searches.
// It yields between candidates, and pays for each of them.
func TestSharedRecall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		searchers := NewSearchers(1)
		block, err := searchers.Share(t.Context(), "first").Borrow()
		if err != nil {
			t.Fatal(err)
		}
		const nodes, openings = 300, 20
		mine, other := searchers.Share(t.Context(), "me"), searchers.Share(t.Context(), "other")
		var all sync.WaitGroup
		for _, b := range []*Borrower{mine, other} { // in this order
			g, err := NewGenerator(Recipe{Seed: 1, Rings: Rings{5, 5}, Bound: 1, Nodes: nodes})
			if err != nil {
				t.Fatal(err)
			}
			g.Borrower = b
			g.score = func(context.Context, *alphabeta.Searcher, *position.Position, uint64) (int, uint64) {
				if one, two := mine.Charged(), other.Charged(); b == other && max(one, two)-min(one, two) > 2*nodes {
					t.Errorf("one owner had %d nodes, the other %d", one, two)
				}
				return 0, nodes
			}
			if b == mine {
				g.Learn(0, []string{"none", "none", "none", "none", "none"})
			}
			all.Go(func() {
				if _, err := g.Opening(openings); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		block.Return()
		all.Wait()
		if charged := mine.Charged(); charged < maxTries*candidateWork {
			t.Errorf("the owner who looked for an opening had %d nodes", charged)
		}
		checkLeft(t, searchers, 1)
	})
}

// load are matches of an owner that need openings.
type load struct {
	nodes   uint64 // of each search
	passes  int    // one candidate in this many passes
	matches int
	pause   time.Duration // before the next opening
	reads   bool          // journals instead
}

// TestFairSearchers lets owners make openings whose searches differ in cost. Nobody gets more than a fair share of the nodes,
// nobody gets much less, and the openings are the same as without sharing. A search takes a microsecond for each node.
func TestFairSearchers(t *testing.T) {
	const runs, bytes = 20 * time.Second, 64 << 10
	heavy := load{nodes: 100_000, passes: 100, matches: 1}
	light := load{nodes: 2000, passes: 3, matches: 1}
	with := func(l load, change func(*load)) load { change(&l); return l }
	many := with(heavy, func(l *load) { l.matches = 20 })
	late := with(heavy, func(l *load) { l.passes, l.pause = 1, time.Millisecond })
	for name, test := range map[string]struct {
		searchers, honest int
		each, other       load
		least             float64 // of the share of an honest owner
	}{
		"one against one":               {1, 1, light, heavy, 0.8},
		"three against one":             {1, 3, light, heavy, 0.8},
		"ten against one":               {1, 10, light, heavy, 0.8},
		"against many matches":          {1, 3, light, many, 0.8},
		"against one that pauses":       {1, 1, with(light, func(l *load) { l.passes = 1 }), late, 0.8},
		"two searchers, three owners":   {2, 2, light, heavy, 0.8},
		"four searchers, eleven owners": {4, 10, light, many, 0.8},
		"against readers":               {1, 3, light, load{matches: 20, reads: true}, 0.8},
		"readers against one":           {1, 3, load{matches: 1, reads: true}, heavy, 0.8},
		"with pauses":                   {1, 3, with(light, func(l *load) { l.pause = 50 * time.Microsecond }), heavy, 0.8},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				searchers := NewSearchers(test.searchers)
				ctx, stop := context.WithCancel(t.Context())
				var all sync.WaitGroup
				// generator makes one whose searches take as long as pause says.
				generator := func(l load, seed int, pause func(time.Duration)) *Generator {
					g, err := NewGenerator(Recipe{Seed: uint64(seed), Rings: Rings{3, 6}, Bound: 1, Nodes: l.nodes})
					if err != nil {
						t.Fatal(err)
					}
					tries := 0
					g.score = func(_ context.Context, _ *alphabeta.Searcher, _ *position.Position, nodes uint64) (score int, visited uint64) {
						pause(time.Duration(candidateWork+searchWork+nodes) * time.Microsecond)
						if tries++; tries%l.passes == 0 {
							return 0, nodes
						}
						return 100, nodes
					}
					return g
				}
				run := func(owner string, l load) (b *Borrower) {
					b = searchers.Share(ctx, owner)
					for seed := range l.matches {
						if l.reads {
							all.Go(func() {
								turns := b.Turns()
								defer turns.End()
								for turns.Next(bytes) == nil {
									time.Sleep(bytes / journalBytes * time.Microsecond)
								}
							})
							continue
						}
						g, alone := generator(l, seed, time.Sleep), generator(l, seed, func(time.Duration) {})
						g.Borrower = b
						all.Go(func() {
							for number := 0; ; number++ {
								got, err := g.Opening(number)
								if err != nil {
									return
								}
								want, err := alone.Opening(number)
								if got, want := Format(got), Format(want); got != want || err != nil {
									t.Errorf("opening %d is %s instead of %s, %v", number, got, want, err)
								}
								time.Sleep(l.pause)
							}
						})
					}
					return b
				}
				other := run("other", test.other)
				var honest []*Borrower
				for i := range test.honest {
					honest = append(honest, run(fmt.Sprint("honest", i), test.each))
				}
				time.Sleep(runs)
				share := float64(runs/time.Microsecond) * float64(test.searchers) / float64(test.honest+1)
				used := float64(other.Charged())
				for _, b := range honest {
					if got := float64(b.Charged()); got < test.least*share {
						t.Errorf("an honest owner got %.0f nodes, %.2f of its share", got, got/share)
					}
				}
				if used > 1.05*share {
					t.Errorf("the other owner got %.0f nodes, %.2f of its share", used, used/share)
				}
				t.Logf("the other owner got %.2f of its share", used/share)
				stop()
				all.Wait()
				checkLeft(t, searchers, test.searchers)
			})
		})
	}
}
