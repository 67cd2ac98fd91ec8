package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"

	"gyre/bench/puzzles"
	"gyre/cmd/internal/commandline"
	"gyre/search/alphabeta"
)

// recheck searches the puzzles of a file anew.
func (z *puzzling) recheck(stdout, stderr io.Writer) error {
	all, err := readPuzzles(z.checked)
	if err != nil {
		return err
	}
	chosen := all
	if z.sample > 0 && z.sample < len(all) {
		chosen = sampleOf(all, z.sample, z.recipe.Seed)
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	wrong, err := z.searchAnew(ctx, chosen, stdout, stderr)
	if err != nil {
		return err
	}
	if wrong > 0 {
		return fmt.Errorf("%s: %d of %d puzzles have another right turn with %d nodes", z.checked, wrong, len(chosen), z.checkNodes)
	}
	_, err = fmt.Fprintf(stdout, "%s: %d of %d puzzles searched with %d nodes: none has another right turn\n", z.checked, len(chosen), len(all), z.checkNodes)
	return err
}

// readPuzzles reads a file of puzzles. One without any is an error.
func readPuzzles(path string) ([]puzzles.Puzzle, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	all, err := puzzles.Read(file)
	if err == nil && len(all) == 0 {
		err = errors.New("it has no puzzle")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}

// sampleOf draws so many puzzles, fewer than there are, in their order.
func sampleOf(all []puzzles.Puzzle, count int, seed uint64) (chosen []puzzles.Puzzle) {
	drawn := rand.New(rand.NewPCG(seed, 2)).Perm(len(all))[:count]
	slices.Sort(drawn)
	for _, i := range drawn {
		chosen = append(chosen, all[i])
	}
	return chosen
}

// searchAnew lists the puzzles that have another right turn and returns how many do.
func (z *puzzling) searchAnew(ctx context.Context, chosen []puzzles.Puzzle, stdout, stderr io.Writer) (wrong int, err error) {
	searcher := alphabeta.New(z.hash)
	defer searcher.Close()
	judge := puzzles.Judge{Searcher: searcher}
	meter := z.progress.Meter("puzzles", stdout, stderr)
	meter.Begin(len(chosen), 0)
	defer meter.End()
	for i := range chosen {
		fault, err := judge.Recheck(ctx, &chosen[i], z.checkNodes, puzzles.Tolerance)
		if err != nil {
			return wrong, err
		}
		if fault != nil {
			wrong++
			meter.Tell(fault.Error())
		}
		meter.Step(func() string { return fmt.Sprintf("%d wrong", wrong) })
	}
	return wrong, nil
}
