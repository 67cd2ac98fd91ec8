package selfplay

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"gyre/bench/journal"
	"gyre/cmd/gyre-train/internal/sample"
)

// Engine creates a searcher for each thread of a run.
type Engine func() Searcher

// job is a game to play.
type job struct {
	number uint32
	done   chan struct{} // closed when the following fields are set
	game   *sample.Game
	err    error
}

// gamesAhead is the number of finished games per thread that may wait for an earlier one.
const gamesAhead = 8

// Run plays the games with numbers from first to end-1 on the given number of threads. It passes
// them to keep in order, several at once if they are ready. It stops at the first error: of
// keep, of a game, or ctx's cause.
func Run(ctx context.Context, r *Recipe, engine Engine, threads int, first, end uint32, keep func([]*sample.Game) error) error {
	ctx, cancel := context.WithCancel(ctx)
	jobs := make(chan *job)
	order := make(chan *job, gamesAhead*threads)
	var players sync.WaitGroup
	defer players.Wait()
	defer cancel()
	for range threads {
		players.Go(func() {
			p := NewPlayer(r, engine())
			for j := range jobs {
				j.game, j.err = p.Game(ctx, j.number)
				close(j.done)
			}
		})
	}
	players.Go(func() {
		defer close(order)
		defer close(jobs)
		for number := first; number < end; number++ {
			j := &job{number: number, done: make(chan struct{})}
			select {
			case order <- j:
			case <-ctx.Done():
				return
			}
			jobs <- j // players take it soon even after a cancellation
		}
	})
	kept, err := collect(order, keep)
	if err == nil && kept < int(end-first) {
		err = context.Cause(ctx)
	}
	return err
}

// collect passes games to keep in their order and returns their number.
func collect(order <-chan *job, keep func([]*sample.Game) error) (kept int, err error) {
	var batch []*sample.Game
	hand := func() error {
		if len(batch) == 0 {
			return nil
		}
		err := keep(batch)
		kept += len(batch)
		batch = nil
		return err
	}
	for j := range order {
		if !j.ready() {
			if err := hand(); err != nil {
				return kept, err
			}
			<-j.done
		}
		if j.err != nil {
			return kept, errors.Join(j.err, hand())
		}
		batch = append(batch, j.game)
	}
	return kept, hand()
}

// ready reports whether the game is finished.
func (j *job) ready() bool {
	select {
	case <-j.done:
		return true
	default:
		return false
	}
}

// File is the file of a run. Its games are numbered from 0, in order.
type File struct {
	journal *journal.Journal
	games   uint32
	buffer  []byte
}

// Open creates or resumes the file of a run and locks it for this process. When resuming, it
// visits the existing games, reports an incomplete last game to warn and cuts it off. It
// returns an error, and does not change the file, if the file is not one of samples, belongs to
// another command, is in use, or is damaged elsewhere.
func Open(path string, about sample.About, visit func(*sample.Game), warn func(error)) (*File, error) {
	header, err := sample.AppendHeader(nil, about)
	if err != nil {
		return nil, err
	}
	f := &File{}
	begun := false
	f.journal, err = journal.Open(path, func(in io.Reader) (int64, error) {
		ahead := bufio.NewReaderSize(in, len(header))
		start, err := ahead.Peek(len(header))
		if err == io.EOF && strings.HasPrefix(string(header), string(start)) {
			return 0, nil // interrupted before the first game
		}
		begun = true
		intact, err := f.read(ahead, about, visit, warn)
		if err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return intact, err
	})
	if err == nil && !begun {
		err = f.journal.Append(header)
	}
	if err != nil && f.journal != nil {
		err = errors.Join(err, f.journal.Close())
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// read visits the games and returns the length of the complete part.
func (f *File) read(in io.Reader, about sample.About, visit func(*sample.Game), warn func(error)) (intact int64, err error) {
	r, err := sample.NewReader(in)
	if err != nil {
		return 0, err
	}
	if lines := r.About().Differences(about); len(lines) > 0 {
		return 0, fmt.Errorf("made by another command: %s; use another file, or the same command", strings.Join(lines, "; "))
	}
	for {
		intact = r.Offset()
		g, err := r.Next()
		damage, damaged := errors.AsType[*sample.Damage](err)
		switch {
		case err == io.EOF:
			return intact, nil
		case damaged && damage.Last:
			warn(fmt.Errorf("replaying game %d: %w", f.games, damage))
			return intact, nil
		case damaged:
			return 0, fmt.Errorf("%w; later games are intact; to replay all games from %d on, truncate the file there", damage, f.games)
		case err != nil:
			return 0, err
		case g.Number != f.games:
			return 0, fmt.Errorf("found game %d, expected game %d", g.Number, f.games)
		}
		visit(g)
		f.games++
	}
}

// Games returns the number of games in the file.
func (f *File) Games() uint32 { return f.games }

// Append appends the next games and returns once they are on disk.
func (f *File) Append(games []*sample.Game) error {
	f.buffer = f.buffer[:0]
	for _, g := range games {
		var err error
		if f.buffer, err = sample.AppendGame(f.buffer, g); err != nil {
			return err
		}
	}
	if err := f.journal.Append(f.buffer); err != nil {
		return err
	}
	f.games += uint32(len(games))
	return nil
}

// Close closes the file.
func (f *File) Close() error { return f.journal.Close() }
