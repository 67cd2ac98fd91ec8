package openings

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// small is a quick exploration.
var small = Exploration{Seed: 3, Games: 12, Nodes: 20, Plies: 4, Slips: 0.2, MinGames: 2, ScoreNodes: 30}

// TestExplorationRepeats explores on one thread and on three with the same result: each
// position once, with at least the minimum number of games.
func TestExplorationRepeats(t *testing.T) {
	var found [2][]Explored
	for i, threads := range []int{1, 3} {
		done, of := 0, 0
		var err error
		if found[i], err = small.Run(context.Background(), threads, func(d, o int) { done, of = d, o }); err != nil {
			t.Fatal(err)
		}
		if done != of || done != small.Games+len(found[i]) {
			t.Errorf("%d of %d done", done, of)
		}
	}
	if diff := cmp.Diff(found[0], found[1]); diff != "" || len(found[0]) < 3 {
		t.Errorf("%d positions (-one thread +three):\n%s", len(found[0]), diff)
	}
	first := 0
	start := position.Start(position.Standard)
	keys := map[string]bool{}
	for _, turn := range start.Turns(nil) {
		child := start.After(turn)
		keys[Key(&child)] = true
	}
	for i, x := range found[0] {
		if x.Games < small.MinGames || x.HalfPoints < 0 || x.HalfPoints > 2*x.Games || i > 0 && x.Key <= found[0][i-1].Key {
			t.Errorf("%v", x)
		}
		if keys[x.Key] {
			first += x.Games
		}
	}
	if first < small.Games/2 || first > small.Games {
		t.Errorf("%d of %d games are counted after the first turn", first, small.Games)
	}
}

// TestExplorationEnds cancels an exploration.
func TestExplorationEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	if _, err := small.Run(ctx, 1, func(int, int) { cancel(why) }); !errors.Is(err, why) {
		t.Errorf("%v", err)
	}
}

// TestKeysAreSymmetric compares the keys of symmetric images.
func TestKeysAreSymmetric(t *testing.T) {
	p, err := position.Parse("W2B/6B/8/9/10/1Wwwbw1b1/10/9/B7/B6/1WWB b 1-0", position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	for s := range position.Symmetry(position.Symmetries) {
		image := s.Position(&p)
		if Key(&image) != Key(&p) {
			t.Errorf("symmetry %d: %s, want %s", s, Key(&image), Key(&p))
		}
	}
	start := position.Start(position.Standard)
	if Key(&start) == Key(&p) {
		t.Error("two positions have the same key")
	}
}

// TestInvalidExplorations checks that invalid explorations are rejected.
func TestInvalidExplorations(t *testing.T) {
	if err := DefaultExploration.Check(); err != nil {
		t.Error(err)
	}
	for _, change := range []func(*Exploration){
		func(e *Exploration) { e.Games = 0 }, func(e *Exploration) { e.Nodes = 0 }, func(e *Exploration) { e.Plies = 99 },
		func(e *Exploration) { e.Slips = 2 }, func(e *Exploration) { e.MinGames = 0 },
	} {
		e := DefaultExploration
		change(&e)
		if e.Check() == nil {
			t.Errorf("%v was accepted", e)
		}
	}
}
