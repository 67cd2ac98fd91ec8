package match

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"gyre/bench/journal"
)

// openLog opens the file of lines of a match, or begins it, for this process
// alone, and visits the lines that it holds: see ReadLines. A last line that is
// cut is cut off. After an error the file stays as it was.
func openLog(path string, unchecked bool, visit func(*Line) error) (*journal.Journal, error) {
	return journal.Open(path, func(in io.Reader) (int64, error) { return ReadLines(in, path, unchecked, visit) })
}

// kind is that of a file of lines.
var kind = journal.Kind{
	Begins:  `{"match":`, // the first field of Line
	Foreign: errors.New("this is no line of an arena's games, so the file stays as it is: give another name"),
}

// ReadLines visits the lines of a file of that name, and returns how many bytes
// the whole lines have. A last line without an end, which is what a run that died
// leaves, is passed over. Anything else that is not exactly what Append wrote is
// an error, which names the line; so is visit's. With unchecked, lines without a
// checksum, as earlier versions wrote them, are taken as they are.
func ReadLines(in io.Reader, name string, unchecked bool, visit func(*Line) error) (whole int64, err error) {
	return kind.ReadLines(in, name, func(text []byte) error {
		line, err := readLine(text, unchecked)
		if err != nil {
			return err
		}
		return visit(line)
	})
}

// latest passes the games of a file on of which some were played again: of those
// with the same number the last. Games that an engine's fault decided are held
// back until all of the file was read, for only such can be played again.
type latest struct {
	visit func(*Line) error
	held  map[int]*Line
}

// add takes the next game of the file.
func (l *latest) add(line *Line) error {
	if line.Reason.Broken() {
		if l.held == nil {
			l.held = map[int]*Line{}
		}
		l.held[line.Game] = line
		return nil
	}
	delete(l.held, line.Game)
	return l.visit(line)
}

// rest visits the games held back that were not played again.
func (l *latest) rest() error {
	for _, number := range slices.Sorted(maps.Keys(l.held)) {
		if err := l.visit(l.held[number]); err != nil {
			return err
		}
	}
	return nil
}

// ReadGames visits the games of a file as they stand: see ReadLines, and of a game
// that was played again the last time alone.
func ReadGames(in io.Reader, name string, unchecked bool, visit func(*Line) error) error {
	l := latest{visit: visit}
	if _, err := ReadLines(in, name, unchecked, l.add); err != nil {
		return err
	}
	if err := l.rest(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// readLine reads a whole line.
func readLine(text []byte, unchecked bool) (*Line, error) {
	err := kind.Check(text)
	switch {
	case errors.Is(err, journal.ErrNoChecksum) && !unchecked:
		return nil, fmt.Errorf("%w: it was changed, or an earlier version wrote it; -unchecked takes such lines as they are", err)
	case err != nil && !errors.Is(err, journal.ErrNoChecksum):
		return nil, err
	}
	return parseLine(text)
}
