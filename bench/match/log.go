package match

import (
	"bufio"
	"bytes"
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

// longestLine bounds a line in bytes. The longest game has some 20,000.
const longestLine = 1 << 20

// ReadLines visits the lines of a file of that name, and returns how many bytes
// the whole lines have. A last line without an end, which is what a run that died
// leaves, is passed over. Anything else that is not exactly what Append wrote is
// an error, which names the line; so is visit's. With unchecked, lines without a
// checksum, as earlier versions wrote them, are taken as they are.
func ReadLines(in io.Reader, name string, unchecked bool, visit func(*Line) error) (whole int64, err error) {
	reader := bufio.NewReaderSize(in, longestLine)
	for number := 1; ; number++ {
		text, err := reader.ReadSlice('\n')
		if err == io.EOF {
			if err := cutLine(text); err != nil {
				return whole, fmt.Errorf("%s:%d: %w", name, number, err)
			}
			return whole, nil
		}
		if err == nil && len(bytes.TrimSpace(text)) > 0 {
			var line *Line
			if line, err = readLine(text, unchecked); err == nil {
				err = visit(line)
			}
		}
		if err != nil {
			return whole, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		whole += int64(len(text))
	}
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

// lineBegins is what every line begins with: the first field of Line.
const lineBegins = `{"match":`

// errForeign is why a file is left alone.
var errForeign = errors.New("this is no line of an arena's games, so the file stays as it is: give another name")

// readLine reads a whole line.
func readLine(text []byte, unchecked bool) (*Line, error) {
	err := journal.Checked(text)
	switch {
	case errors.Is(err, journal.ErrNoChecksum) && !bytes.HasPrefix(text, []byte(lineBegins)):
		return nil, errForeign
	case errors.Is(err, journal.ErrNoChecksum) && !unchecked:
		return nil, fmt.Errorf("%w: it was changed, or an earlier version wrote it; -unchecked takes such lines as they are", err)
	case err != nil && !errors.Is(err, journal.ErrNoChecksum):
		return nil, err
	}
	return parseLine(text)
}

// cutLine returns nil for the beginning of a line. What a file system leaves of
// one after a power failure may also be zeros.
func cutLine(text []byte) error {
	shown := min(len(text), len(lineBegins))
	if string(text[:shown]) != lineBegins[:shown] && len(bytes.Trim(text, "\x00")) > 0 {
		return errForeign
	}
	if n := len(text); n > 0 && journal.Checked(text[:n-1]) == nil {
		return errors.New("the line's end was changed after it was written")
	}
	return nil
}
