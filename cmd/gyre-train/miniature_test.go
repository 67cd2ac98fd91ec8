package main

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gyre/cmd/gyre-train/internal/model"
	"gyre/cmd/internal/commandline"
	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/evaluation"
)

// TestMiniature runs the whole pipeline on a small scale, in two generations: games of an engine with
// zero weights, a fit and an export, and the same again with games of these weights. The final
// weights then play a match against scrambled ones. All of it is reproducible.
func TestMiniature(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	const (
		games    = 200
		openings = 20  // of the match; each is played twice
		nodes    = 200 // of each search of the match
		least    = 0.8 // share of the points that the weights must win
	)
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	writeWeights(t, in("nothing.weights"), evaluation.NewWeights("nothing"))
	generate := func(samples, weights string) {
		do(t, "generate", "-o", in(samples), "-games", strconv.Itoa(games), "-nodes", "100", "-placing-nodes", "25",
			"-hash", "1", "-seed", "3", "-evalfile", in(weights))
	}
	// An engine with zero weights has no scores to learn from, only results.
	generate("first.gyre", "nothing.weights")
	do(t, "fit", in("first.gyre"), "-o", in("first.model"), "-share", "1", "-epochs", "8", "-batch", "200")
	do(t, "export", in("first.model"), "-o", in("first.weights"))

	generate("second.gyre", "first.weights")
	if counts := do(t, "inspect", in("first.gyre"), in("second.gyre")); !strings.Contains(counts, strconv.Itoa(2*games)) {
		t.Errorf("inspect does not count %d games:\n%s", 2*games, counts)
	}
	do(t, "fit", in("second.gyre"), "-o", in("second.model"), "-plot", in("second.svg"), "-epochs", "8", "-batch", "200")
	do(t, "export", in("second.model"), "-o", in("second.weights"))

	fitted, err := readModel(in("second.weights"))
	if err != nil {
		t.Fatal(err)
	}
	points := contest(fitted.weights, scrambled(fitted.weights, 4), openings, nodes)
	t.Logf("the weights won %.1f of %d points", points, 2*openings)
	if points < least*2*openings {
		t.Errorf("the weights won only %.1f of %d points against scrambled ones", points, 2*openings)
	}
}

// do runs a command line that must succeed and returns its output.
func do(t *testing.T, words ...string) string {
	t.Helper()
	got := runArgs(words...)
	if got.Status != commandline.ExitSuccess || got.Stderr != "" {
		t.Fatalf("%s: status %d\n%s%s", strings.Join(words, " "), got.Status, got.Stdout, got.Stderr)
	}
	return got.Stdout
}

// writeWeights writes a file of weights.
func writeWeights(t *testing.T, path string, w *evaluation.Weights) {
	t.Helper()
	var file bytes.Buffer
	if err := w.Write(&file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// scrambled returns weights with the same numbers at random places and with random signs.
func scrambled(w *evaluation.Weights, seed uint64) *evaluation.Weights {
	rng := rand.New(rand.NewPCG(seed, 0))
	scrambled := model.FromWeights(w)
	shuffle := func(numbers []float64) {
		rng.Shuffle(len(numbers), func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
		for i := range numbers {
			numbers[i] *= float64(2*rng.IntN(2) - 1)
		}
	}
	for k, p := range evaluation.Patterns() {
		for s := range scrambled.Sets {
			worths := scrambled.Sets[s].Patterns[k]
			numbers := slices.Clone(worths)
			shuffle(numbers)
			for index := range worths {
				worths[index] = numbers[p.Canonical(index)]
			}
		}
	}
	for own := range scrambled.Removed {
		shuffle(scrambled.Removed[own][:])
	}
	random, err := scrambled.Quantize("random")
	if err != nil {
		panic(err) // the range of the numbers did not change
	}
	return random
}

// contest plays each opening twice, with colors reversed, and returns the points of the first weights.
func contest(first, second *evaluation.Weights, openings int, nodes uint64) (points float64) {
	players := [2]*alphabeta.Searcher{alphabeta.New(1), alphabeta.New(1)}
	players[0].SetEvaluator(evaluation.NewEvaluator(first))
	players[1].SetEvaluator(evaluation.NewEvaluator(second))
	for game := range 2 * openings {
		rng := rand.New(rand.NewPCG(uint64(game/2), 1))
		p := position.Start(position.Standard)
		for p.Placing() {
			turns := p.Turns(nil)
			p = p.After(turns[rng.IntN(len(turns))])
		}
		white := game % 2 // the engine that plays White
		for _, s := range players {
			s.NewGame()
		}
		for !p.Over() {
			mover := players[white]
			if p.SideToMove() == position.Black {
				mover = players[1-white]
			}
			out := mover.Search(context.Background(), p, search.Limits{Nodes: nodes}, func(search.Info) {})
			p = p.After(out.Best)
		}
		switch r := p.Result(); {
		case r == position.Draw:
			points += 0.5
		case (r == position.WhiteWins) == (white == 0):
			points++
		}
	}
	return points
}
