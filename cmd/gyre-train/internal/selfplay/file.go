package selfplay

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"gyre/bench/journal"
	"gyre/cmd/gyre-train/internal/sample"
)

// File is the file of a run. The games in it have the numbers from 0 up, in
// order.
type File struct {
	journal *journal.Journal
	games   uint32
	buffer  []byte
}

// Open begins a file, or goes on with one that has the same about, for this
// process alone, and visits the games that it holds. It cuts off what was being
// written when a run died, and tells of it. The error says that the file is no
// file of samples, or of another command, or in use, or where it is damaged; the
// file then stays as it is.
func Open(path string, about sample.About, visit func(*sample.Game), tell func(error)) (*File, error) {
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
			return 0, nil // it died, if it ran at all, before the first game
		}
		begun = true
		whole, err := f.read(ahead, about, visit, tell)
		if err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return whole, err
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

// read visits the games and returns how many bytes hold what is whole.
func (f *File) read(in io.Reader, about sample.About, visit func(*sample.Game), tell func(error)) (whole int64, err error) {
	r, err := sample.NewReader(in)
	if err != nil {
		return 0, err
	}
	if lines := r.About().Differences(about); len(lines) > 0 {
		return 0, fmt.Errorf("another command made it: %s", strings.Join(lines, "; "))
	}
	for {
		whole = r.Offset()
		g, err := r.Next()
		damage, damaged := errors.AsType[*sample.Damage](err)
		switch {
		case err == io.EOF:
			return whole, nil
		case damaged && damage.Last:
			tell(fmt.Errorf("game %d is played again: %w", f.games, damage))
			return whole, nil
		case damaged:
			return 0, fmt.Errorf("%w; games after it are whole: to have all from game %d played again, cut the file off there", damage, f.games)
		case err != nil:
			return 0, err
		case g.Number != f.games:
			return 0, fmt.Errorf("game %d stands where game %d belongs", g.Number, f.games)
		}
		visit(g)
		f.games++
	}
}

// Games returns the number of games in the file.
func (f *File) Games() uint32 { return f.games }

// Append adds the games that come next, and returns when they are on disk.
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
