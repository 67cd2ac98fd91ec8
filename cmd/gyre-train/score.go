package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"gyre/bench"
	"gyre/bench/match"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/progress"
	"gyre/cmd/internal/sample"
	"gyre/cmd/internal/selfplay"
	"gyre/position"
	"gyre/search"
)

const scoreSynopsis = `usage: gyre-train score FILE ... -o FILE [FLAGS]

Makes samples from games of other players: it searches the positions of the games and
records each with its score and the game's result. A FILE holds games that gyre-arena
wrote with -out, or samples, which are searched again. Openings and games that a
forfeit or a fault decided are left out. Examples:

  gyre-train score match.jsonl -o match.gyre -nodes 5000
  gyre-train score few.gyre -o apart.gyre -nodes 5000 -apart 100
  gyre-train score match.jsonl -o ends.gyre -nodes 200000 -pool 6 -solved

The second line keeps the positions whose score changes by a point or more, the
third late positions that the search solves.

The same flags and files produce the same file at any number of threads. Ctrl-C stops
the run. Repeat the command to resume it.
`

// scoring holds the command line.
type scoring struct {
	names    []string // files of games or samples
	path     string
	judge    judge
	nodes    uint64
	hash     int
	pool     int // maximum number of markers in the pool
	apart    int // minimum change of the score; 0 for any
	solved   bool
	threads  int
	progress progress.Flags

	games []*sample.Game // of all files
}

// runScore runs the command.
func runScore(args []string, stdout, stderr io.Writer) error {
	s := &scoring{}
	flags := commandline.NewFlags("score")
	flags.StringVar(&s.path, "o", "", "output `FILE`; if it has games of the same command, only the missing ones are searched")
	flags.StringVar(&s.judge.evalFile, "evalfile", "", "`FILE` of weights to search with (default: the engine's own)")
	flags.Uint64Var(&s.nodes, "nodes", selfplay.Default.Nodes, "`nodes` per search")
	flags.IntVar(&s.hash, "hash", selfplay.Default.Hash, "memory of each thread's search, in `MiB`")
	flags.IntVar(&s.pool, "pool", position.MarkersInGame, "keep positions with at most this number of `markers` in the pool")
	flags.IntVar(&s.apart, "apart", 0, "keep samples whose score changes by this number of `centipawns` or more")
	flags.BoolVar(&s.solved, "solved", false, "keep positions that the search solves, with the result it proves")
	flags.IntVar(&s.threads, "threads", runtime.NumCPU(), "`games` at once")
	s.progress.Add(flags)
	names, err := commandline.ParseMixed(flags, args, scoreSynopsis, stdout)
	if err != nil {
		return err
	}
	s.names = names
	if err := s.check(); err != nil {
		return &commandline.UsageError{Command: "score", Err: err}
	}
	return s.run(stdout, stderr)
}

// check reports what is wrong with the command line, or nil.
func (s *scoring) check() error {
	switch {
	case len(s.names) == 0:
		return errors.New("no file of games or samples given")
	case s.path == "":
		return errors.New("no output file given; use -o FILE")
	case slices.ContainsFunc(s.names, func(name string) bool { return commandline.SameFile(name, s.path) }):
		return fmt.Errorf("-o would overwrite %s; use another name", s.path)
	case s.pool < 1:
		return fmt.Errorf("a pool of %d markers: must be at least 1, because without markers the game is over", s.pool)
	case s.apart < 0:
		return fmt.Errorf("%d centipawns apart: must not be negative", s.apart)
	case s.threads < 1:
		return fmt.Errorf("%d threads: must be at least 1", s.threads)
	}
	recipe := selfplay.Default
	recipe.Nodes, recipe.Hash = s.nodes, s.hash
	return recipe.Check()
}

// run searches the missing games.
func (s *scoring) run(stdout, stderr io.Writer) error {
	ctx, release := commandline.UntilInterrupted()
	defer release()
	meter := s.progress.Meter("games", stdout, stderr)
	warn := func(err error) { meter.Print(err.Error()) }
	about, err := s.prepare(ctx, warn)
	if err != nil {
		return err
	}
	held := &counts{}
	file, err := selfplay.Open(s.path, about, held.add, func(err error) { warn(fmt.Errorf("%s: %w", s.path, err)) })
	if err != nil {
		return err
	}
	end := uint32(len(s.games))
	meter.Begin(int(end), int(file.Games()))
	err = selfplay.Each(ctx, s.scorer, s.threads, min(file.Games(), end), end, held.keep(file, meter))
	meter.End()
	err = errors.Join(err, file.Close())
	if err := errors.Join(err, held.sayResume(err, stdout, s.path, uint(end))); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s: %d games, %v\n", s.path, held.games, held)
	return err
}

// prepare loads the weights and reads the files, and returns the header of the output.
func (s *scoring) prepare(ctx context.Context, warn func(error)) (sample.About, error) {
	if err := s.judge.load(); err != nil {
		return nil, err
	}
	about, err := s.judge.about(ctx, s.hash)
	if err != nil {
		return nil, err
	}
	for i, name := range s.names {
		sum, err := s.read(name, warn)
		if err != nil {
			return nil, err
		}
		about = append(about, sample.Field{Name: fmt.Sprintf("games %d", i+1), Value: fmt.Sprintf("%s, xxh3 %016x", filepath.Base(name), sum)})
	}
	if len(s.games) == 0 {
		return nil, fmt.Errorf("no games in %s", strings.Join(s.names, ", "))
	}
	if len(s.games) > math.MaxUint32 {
		return nil, fmt.Errorf("%d games: a file can hold at most %d", len(s.games), uint32(math.MaxUint32))
	}
	return append(about, sample.About{
		{Name: "nodes a turn", Value: strconv.FormatUint(s.nodes, 10)},
		{Name: "hash", Value: fmt.Sprintf("%d MiB", s.hash)},
		{Name: "pool", Value: strconv.Itoa(s.pool)},
		{Name: "apart", Value: strconv.Itoa(s.apart)},
		{Name: "solved", Value: strconv.FormatBool(s.solved)},
	}...), nil
}

// read reads the games of a file and returns its checksum.
func (s *scoring) read(name string, warn func(error)) (sum uint64, err error) {
	file, err := commandline.OpenRegular(name)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	hash := xxh3.New()
	begin, err := bufio.NewReader(io.TeeReader(file, hash)).Peek(1)
	if err == nil {
		_, err = io.Copy(hash, file)
	}
	if err != nil && err != io.EOF {
		return 0, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	if string(begin) != "{" {
		return hash.Sum64(), s.readSamples(file, name, warn)
	}
	if s.apart > 0 {
		return 0, fmt.Errorf("%s: -apart compares scores of samples, and games have scores of other engines; use it with samples", name)
	}
	return hash.Sum64(), match.ReadGames(file, name, false, s.addLine)
}

// readSamples reads a file of samples. It reports damage to warn and skips it.
func (s *scoring) readSamples(in io.Reader, name string, warn func(error)) error {
	r, err := sample.NewReader(in)
	if err != nil {
		return fmt.Errorf("%s: %w; give samples, or games of gyre-arena", name, err)
	}
	return r.Each(func(g *sample.Game) error {
		s.games = append(s.games, &sample.Game{Samples: slices.Clone(g.Samples)})
		return nil
	}, func(d *sample.Damage) { warn(fmt.Errorf("%s: %w", name, d)) })
}

// addLine adds the positions of a game after its opening, unless the game ended by a fault.
func (s *scoring) addLine(line *match.Line) error {
	if line.Reason.Fault() {
		return nil
	}
	played, err := line.Played()
	if err != nil {
		return fmt.Errorf("game %d: %w", line.Game, err)
	}
	g := &sample.Game{}
	here := played.Opening.Start.AfterAll(played.Opening.Turns...)
	for i := range played.Plies {
		g.Samples = append(g.Samples, sample.Sample{Position: here, Ply: uint8(len(line.Opening) + i),
			Result: int8(played.Result.For(here.SideToMove()))})
		here = here.After(played.Plies[i].Turn)
	}
	s.games = append(s.games, g)
	return nil
}

// scorer returns a function that searches the positions of a game, with a searcher of its own.
func (s *scoring) scorer() selfplay.Maker {
	searcher := s.judge.searcher(s.hash)
	return func(ctx context.Context, number uint32) (*sample.Game, error) {
		searcher.NewGame()
		scored := &sample.Game{Number: number}
		for _, one := range s.games[number].Samples {
			if one.Position.Pool() > s.pool {
				continue
			}
			before := one.Score
			solved, err := s.search(ctx, searcher, &one)
			if err != nil {
				return nil, err
			}
			change := int(one.Score) - int(before)
			if max(change, -change) < s.apart || s.solved && !solved {
				continue
			}
			one.Game = number
			scored.Samples = append(scored.Samples, one)
		}
		return scored, nil
	}
}

// search sets the score of a sample and, with -solved, its result if the search solved it: if it proved
// a result, or ended before its limit because nothing was left to search.
func (s *scoring) search(ctx context.Context, searcher bench.Searcher, one *sample.Sample) (solved bool, err error) {
	searching, stop := context.WithCancel(ctx)
	defer stop()
	out := searcher.Search(searching, one.Position, search.Limits{Nodes: s.nodes}, func(i search.Info) {
		if _, proven := i.Score.Mate(); proven && i.Bound == search.Exact && s.solved {
			stop() // more nodes can find only a quicker end
		}
	})
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	one.Score = selfplay.Clamped(out.Info.Score)
	_, proven := out.Info.Score.Mate()
	solved = proven || out.Info.Nodes < s.nodes && out.Info.Score == 0
	if s.solved && solved {
		one.Result = int8(max(-1, min(1, out.Info.Score)))
	}
	return solved, nil
}
