package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"gyre/bench/hub"
	"gyre/cmd/gyre-train/internal/sample"
	"gyre/cmd/gyre-train/internal/selfplay"
	"gyre/cmd/internal/commandline"
	"gyre/position"
	"gyre/protocol"
)

const rangeSynopsis = `usage: gyre-train range [FLAGS] FIRST END > FILE

Plays the games with the numbers from FIRST up to before END that generate would, and
writes them to standard output: what a worker of a hub runs for generate -hub.
`

// runRange plays some games of a generation.
func runRange(args []string, stdout, stderr io.Writer) error {
	g := &generation{recipe: selfplay.Default}
	words, err := commandline.ParseMixed(g.flags("range"), args, rangeSynopsis, stdout)
	if err != nil {
		return err
	}
	g.recipe.Rules = g.rules.Rules
	var ends [2]uint64
	if len(words) != len(ends) {
		err = errors.New("which games? Give the first number, and the one after the last")
	}
	for i := 0; i < len(words) && err == nil; i++ {
		ends[i], err = strconv.ParseUint(words[i], 10, 32)
	}
	if err = errors.Join(err, g.recipe.Check()); err != nil {
		return &commandline.UsageError{Command: "range", Err: err}
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	tell := func(err error) { _, _ = fmt.Fprintln(stderr, err) } // the games matter
	if err := errors.Join(g.load(), g.readLate(tell)); err != nil {
		return err
	}
	about, err := g.about(ctx)
	if err != nil {
		return err
	}
	text, err := sample.AppendHeader(nil, about)
	if err != nil {
		return err
	}
	if _, err := stdout.Write(text); err != nil {
		return err
	}
	return selfplay.Run(ctx, &g.recipe, g.searcher, 1, uint32(ends[0]), uint32(ends[1]), func(games []*sample.Game) error {
		text = text[:0]
		for _, game := range games {
			if text, err = sample.AppendGame(text, game); err != nil {
				return err
			}
		}
		_, err := stdout.Write(text)
		return err
	})
}

// rangeSize is how many games a worker plays at a time: some minutes, half a megabyte.
const rangeSize = 256

// overHub has the workers of the hub play games, and gives them to keep in order.
func (g *generation) overHub(ctx context.Context, about sample.About, first, end uint32, keep func([]*sample.Game) error, score func() string, warn func(error)) error {
	h, err := hub.Connect(ctx, hub.Address{URL: g.hub, Key: g.key, CA: g.ca, Role: hub.ForMatch, Makes: true})
	if err != nil {
		return err
	}
	defer h.Close()
	program, err := os.Executable()
	if err != nil {
		return err
	}
	r := &hub.Ranges{Hub: h, Name: "samples", Client: hub.ClientOf(g.path), Score: func() hub.Progress { return hub.Progress{Score: score()} }, Warn: warn,
		Program: protocol.Program{Path: program}, Arguments: g.arguments(), Size: rangeSize,
		Check: func(first, end uint32, output []byte) error {
			_, err := rangeGames(about, first, end, output)
			return err
		},
		Keep: func(first, end uint32, output []byte) error {
			games, err := rangeGames(about, first, end, output)
			if err == nil {
				err = keep(games)
			}
			return err
		}}
	return r.Run(ctx, first, end)
}

// arguments returns those of the command range that plays the same games.
func (g *generation) arguments() []hub.Argument {
	all := []hub.Argument{{Text: "range"}}
	g.flags("range").VisitAll(func(f *flag.Flag) {
		value := f.Value.String()
		switch names := f.Name == "from" || f.Name == "evalfile"; {
		case !names:
			all = append(all, hub.Argument{Text: "-" + f.Name + "=" + value})
		case value != "":
			all = append(all, hub.Argument{Text: "-" + f.Name}, hub.Argument{File: value})
		}
	})
	return all
}

// rangeGames reads what the command range wrote. The error says why it cannot be the
// games of that range.
func rangeGames(about sample.About, first, end uint32, output []byte) ([]*sample.Game, error) {
	in := bytes.NewReader(output)
	r, err := sample.NewReader(in)
	if err != nil {
		return nil, err
	}
	if lines := r.About().Differences(about); len(lines) > 0 {
		return nil, fmt.Errorf("they were made with another engine or recipe: %s", lines[0])
	}
	var games []*sample.Game
	for number := first; number < end; number++ {
		g, err := r.Next()
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", number, err)
		}
		if g.Number != number {
			return nil, fmt.Errorf("game %d stands where game %d belongs", g.Number, number)
		}
		if err := follows(g); err != nil {
			return nil, fmt.Errorf("game %d: %w", number, err)
		}
		games = append(games, &sample.Game{Number: number, Samples: slices.Clone(g.Samples)})
	}
	if r.Offset() != int64(len(output)) {
		return nil, fmt.Errorf("%d bytes after game %d", int64(len(output))-r.Offset(), end-1)
	}
	return games, nil
}

// follows returns an error unless each position follows from the one before it by a legal
// turn, where none is left out between them.
func follows(g *sample.Game) error {
	var turns []position.Turn
	for i := 1; i < len(g.Samples); i++ {
		before, after := &g.Samples[i-1], &g.Samples[i]
		if after.Ply <= before.Ply {
			return fmt.Errorf("turn %d comes after turn %d", after.Ply, before.Ply)
		}
		if after.Ply > before.Ply+1 {
			continue
		}
		turns = before.Position.Turns(turns[:0])
		if !slices.ContainsFunc(turns, func(t position.Turn) bool {
			var child position.Position
			before.Position.Play(&child, t)
			return child == after.Position
		}) {
			return fmt.Errorf("no turn leads to the position before turn %d", after.Ply+1)
		}
	}
	return nil
}
