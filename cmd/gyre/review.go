package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"gyre/bench/report/gamereview"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
	"gyre/position/record"
	"gyre/protocol"
)

const reviewSynopsis = `usage: gyre review [FLAGS] GAME

Reviews a game: what each turn lost, the accuracy of both sides, and the better
lines. GAME is a file with game records or an SGF file of boardspace.net. The numbers
are those of gyre-board's review with the same nodes.

  gyre review game.sgf                   print the mistakes
  gyre review game.sgf -o review.html    write a page with the board and a graph
  gyre review game.sgf -o review.json    write the numbers; -json prints them
`

// reviewCommand is the command review.
var reviewCommand = commandline.Command{Name: "gyre review", Run: runReview, About: engine.About}

// The hash table of each engine in MiB: that of gyre-board's reviews.
const reviewHash = "16"

// maxReviewNodes is the largest -nodes.
const maxReviewNodes = 1_000_000_000

// runReview reviews a game.
func runReview(args []string, stdout, stderr io.Writer) error {
	flags := commandline.NewFlags("")
	out := flags.String("o", "", "`FILE` to write, which must not exist: .html for a page that needs no network, or .json")
	asJSON := flags.Bool("json", false, "print JSON")
	nodes := flags.Uint64("nodes", 100_000, "`nodes` to search for each position; the worst turns get more")
	number := flags.Int("game", 1, "`number` of the game in the file")
	threads := flags.Int("threads", min(runtime.GOMAXPROCS(0), engine.MaxThreads), "`number` of positions searched in parallel; it does not affect the result")
	names, err := commandline.ParseMixed(flags, args, reviewSynopsis, stdout)
	if err != nil {
		return err
	}
	kind := strings.ToLower(filepath.Ext(*out))
	switch {
	case len(names) != 1:
		err = errors.New("name one file with a game")
	case *nodes < 1 || *nodes > maxReviewNodes:
		err = fmt.Errorf("-nodes %d: out of range 1 to %d", *nodes, maxReviewNodes)
	case *threads < 1 || *threads > engine.MaxThreads:
		err = fmt.Errorf("-threads %d: out of range 1 to %d", *threads, engine.MaxThreads)
	case *out != "" && kind != ".html" && kind != ".json":
		err = fmt.Errorf("-o %s: the name must end in .html or .json", *out)
	case *out != "" && *asJSON:
		err = errors.New("-json prints to standard output: leave out -o, or name a .json file with it")
	}
	if err != nil {
		return &commandline.UsageError{Err: err}
	}
	game, err := readGame(names[0], *number, stderr)
	if err != nil {
		return err
	}
	if *out != "" {
		if _, err := os.Lstat(*out); err == nil {
			return fmt.Errorf("%s: the file exists and is not overwritten: move it away or choose another name", *out)
		}
		if _, err := os.Stat(filepath.Dir(*out)); err != nil { // before the search, not after it
			return &fs.PathError{Op: "create", Path: *out, Err: fs.ErrNotExist}
		}
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	var engines []gamereview.Engine
	for range min(*threads, len(game.Positions)) {
		e := engine.New()
		defer e.Close() // it has no error
		if err := setOption(e, "Hash", reviewHash); err != nil {
			return err
		}
		engines = append(engines, e)
	}
	last := time.Now()
	done, err := gamereview.Run(ctx, game, engines, *nodes, func(share float64) {
		if time.Since(last) >= progressPeriod {
			last = time.Now()
			fmt.Fprintf(stderr, "gyre review: %.0f%%\n", 100*share)
		}
	})
	if err != nil {
		return fmt.Errorf("%s: %w", names[0], err)
	}
	name, _, version := (*engine.Engine)(nil).ID()
	done.Engine = name + " " + version
	switch {
	case *asJSON:
		_, err = stdout.Write(done.JSON())
		return err
	case *out == "":
		return done.WriteText(stdout)
	}
	content := done.Page()
	if kind == ".json" {
		content = done.JSON()
	}
	if err := writeNew(*out, content); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "wrote the review to %s\n", *out)
	return err
}

// setOption sets an option of an engine.
func setOption(e protocol.Engine, name, value string) error {
	for _, o := range e.Options() {
		if o.Name == name {
			return o.Set(value)
		}
	}
	return fmt.Errorf("the engine has no option %s", name)
}

// maxSkipped is how many skipped parts of a file are named.
const maxSkipped = 10

// readGame reads a game of a file, counted from 1. It warns of what it skips.
func readGame(name string, number int, stderr io.Writer) (*gamereview.Game, error) {
	text, err := commandline.ReadFile(name)
	if err != nil {
		return nil, err
	}
	games, skipped, err := gamereview.Read(string(text))
	switch {
	case err != nil:
		if wrong, ok := errors.AsType[*record.Error](err); ok {
			return nil, errors.New(wrong.In(name))
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	case len(games) == 0:
		return nil, fmt.Errorf("%s: no game found: give a game record or an SGF file", name)
	case number < 1 || number > len(games):
		return nil, &commandline.UsageError{Err: fmt.Errorf("-game %d: %s has the games 1 to %d", number, name, len(games))}
	}
	for _, one := range skipped[:min(len(skipped), maxSkipped)] {
		fmt.Fprintf(stderr, "gyre review: warning: %s\n", one.In(name))
	}
	if more := len(skipped) - maxSkipped; more > 0 {
		fmt.Fprintf(stderr, "gyre review: warning: %s: skipped %d more parts\n", name, more)
	}
	if len(games) > 1 {
		fmt.Fprintf(stderr, "gyre review: game %d of the %d in %s; -game N reviews another\n", number, len(games), name)
	}
	return &games[number-1], nil
}

// writeNew writes a file that must not exist. A failed write leaves no file.
func writeNew(name string, content []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}
