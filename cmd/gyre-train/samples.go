package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/zeebo/xxh3"

	"gyre/cmd/gyre-train/internal/fit"
	"gyre/cmd/gyre-train/internal/sample"
	"gyre/cmd/internal/progress"
	"gyre/search/evaluation"
)

// source is a file of samples that is learned from.
type source struct {
	path     string
	number   int // from 0
	size     int64
	about    sample.About
	checksum uint64 // xxh3 of the whole file
	heldOut  int    // of the games
	counts   counts
	damages  int
}

// sources are all of a fit.
type sources []*source

// readSamples reads the samples of files into a dataset. Damage is told and passed
// over. The caller closes the dataset.
func readSamples(ctx context.Context, paths []string, o fit.DatasetOptions, meter *progress.Meter) (*fit.Dataset, sources, error) {
	all, err := openSources(paths)
	if err != nil {
		return nil, nil, err
	}
	total := int64(0)
	for _, s := range all {
		total += s.size
	}
	o.Expected = int(total / sample.Size)
	dataset, err := fit.NewDataset(o)
	if err != nil {
		return nil, nil, err
	}
	meter.Begin(int(total/mebibyte), 0)
	defer meter.End()
	for source, s := range all {
		s.number = source
		if err := s.read(ctx, dataset, &o, meter); err != nil {
			return nil, nil, errors.Join(fmt.Errorf("%s: %w", s.path, err), dataset.Close())
		}
	}
	return dataset, all, nil
}

// openSources looks at the heads of files. Two that were made alike hold the
// same games: to learn from both would count them twice.
func openSources(paths []string) (all sources, err error) {
	for _, path := range paths {
		s := &source{path: path}
		if err := s.open(); err != nil {
			return nil, err
		}
		for _, other := range all {
			if len(s.about.Differences(other.about)) == 0 {
				return nil, fmt.Errorf("%s and %s were made by the same command: they hold the same games", other.path, path)
			}
		}
		all = append(all, s)
	}
	return all, nil
}

// open reads the head of the file.
func (s *source) open() error {
	file, err := os.Open(s.path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	r, err := sample.NewReader(file)
	if err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	s.size, s.about = info.Size(), r.About()
	return nil
}

// read reads the samples of the file.
func (s *source) read(ctx context.Context, dataset *fit.Dataset, o *fit.DatasetOptions, meter *progress.Meter) error {
	file, err := os.Open(s.path)
	if err != nil {
		return err
	}
	defer file.Close()
	hash := xxh3.New()
	r, err := sample.NewReader(io.TeeReader(file, hash))
	if err != nil {
		return err
	}
	for shown := int64(0); ; {
		g, err := r.Next()
		damage, damaged := errors.AsType[*sample.Damage](err)
		switch {
		case damaged:
			if s.damages++; s.damages <= mostPlaces {
				meter.Tell(s.path + ": " + damage.Error())
			}
		case err == io.EOF:
			s.checksum = hash.Sum64()
			return nil
		case err != nil:
			return err
		default:
			if err := s.add(g, dataset, o); err != nil {
				return err
			}
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for ; shown < r.Offset()/mebibyte; shown++ {
			meter.Step(func() string { return s.path })
		}
	}
}

// add adds the samples of a game.
func (s *source) add(g *sample.Game, dataset *fit.Dataset, o *fit.DatasetOptions) error {
	s.counts.add(g)
	if o.HeldOut(g.Number) {
		s.heldOut++
	}
	for _, e := range examples(g) {
		e.Source = s.number
		if err := dataset.Add(e, g.Number); err != nil {
			return err
		}
	}
	return nil
}

// examples returns what is to learn from the samples of a game. A proven score that
// the game did not come to was lost by a slip, a turn made at random: neither that
// position nor those before it have a result. In the opening no search sees what
// comes of a position: there the score is that of the first sample leastLater to
// mostLater plies later, if the game has one.
func examples(g *sample.Game) (list []*fit.Example) {
	slipped := false
	for i := range slices.Backward(g.Samples) {
		one := &g.Samples[i]
		proven := one.Score == sample.MostScore || one.Score == -sample.MostScore
		if proven {
			slipped = int(one.Score) != sample.MostScore*int(one.Result)
		}
		e := fit.NewExample(&one.Position, laterScore(g.Samples[i:]), int(one.Result))
		if slipped {
			e.Result = fit.NoResult
		}
		list = append(list, e)
	}
	slices.Reverse(list)
	return list
}

// How many plies later the score of a position in the opening is taken.
const leastLater, mostLater = 12, 16

// laterScore returns the score of the first of some samples, or in the opening that
// of a later one for the same side.
func laterScore(samples []sample.Sample) int {
	one := &samples[0]
	us := one.Position.SideToMove()
	if evaluation.StageOf(&one.Position, us) != evaluation.Opening {
		return int(one.Score)
	}
	for _, later := range samples {
		switch {
		case later.Ply > one.Ply+mostLater:
			return int(one.Score)
		case later.Ply >= one.Ply+leastLater && later.Position.SideToMove() == us:
			return int(later.Score)
		case later.Ply >= one.Ply+leastLater:
			return -int(later.Score)
		}
	}
	return int(one.Score)
}

// learnedFrom names the field that counts what was learned from.
const learnedFrom = "learned from"

// about returns what was learned from.
func (all sources) about(dataset *fit.Dataset) (a sample.About) {
	games, heldOut := 0, 0
	for i, s := range all {
		games += s.counts.games
		heldOut += s.heldOut
		value := fmt.Sprintf("%s, xxh3 %016x: %d games, %v", filepath.Base(s.path), s.checksum, s.counts.games, &s.counts)
		if s.damages > 0 {
			value += fmt.Sprintf(", damaged in %d places", s.damages)
		}
		for _, f := range s.about {
			value += "; " + f.Name + ": " + f.Value
		}
		a = append(a, sample.Field{Name: fmt.Sprintf("samples %d", i+1), Value: value})
	}
	return append(a, sample.Field{Name: learnedFrom, Value: fmt.Sprintf("%d positions of %d games; held out are %d positions of %d games",
		dataset.Learned(), games-heldOut, dataset.Held(), heldOut)})
}
