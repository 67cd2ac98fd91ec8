package match

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Log is the file of lines of a match. A line is on disk for good when Append
// has returned.
type Log struct {
	file storage
	path string
	good int64 // bytes of whole lines

	unlock func() error // nil when there is no lock
}

// storage is what a log needs of a file.
type storage interface {
	io.Writer
	Sync() error
	Truncate(size int64) error
	Close() error
}

// OpenLog opens a file of lines, or begins it, for this process alone, and
// visits the lines that it holds. A last line that is cut is cut off. The error
// names the line that is wrong, or is visit's with the line's number.
func OpenLog(path string, visit func(*Line) error) (*Log, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	l := &Log{file: file, path: path}
	if err := l.begin(file, visit); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return l, nil
}

// begin locks and reads the file.
func (l *Log) begin(file *os.File, visit func(*Line) error) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() { // nothing to lock, to read or to cut
		return nil
	}
	if err := lock(file); err != nil {
		return fmt.Errorf("%s: another run writes to it: %w", l.path, err)
	}
	l.unlock = func() error { return unlock(file) }
	if l.good, err = ReadLines(file, l.path, visit); err != nil {
		return err
	}
	if info.Size() == l.good {
		return nil
	}
	if err := file.Truncate(l.good); err != nil {
		return fmt.Errorf("cutting off a line that is not whole: %w", err)
	}
	return nil
}

// Append adds whole lines and waits until they are on disk. After an error the
// file holds what it held before, as far as can be, and the log takes no more.
func (l *Log) Append(lines []byte) error {
	_, err := l.file.Write(lines)
	if err == nil {
		err = l.file.Sync()
		if errors.Is(err, os.ErrInvalid) || isNotSyncable(err) {
			err = nil // a pipe or a terminal
		}
	}
	if err == nil {
		l.good += int64(len(lines))
		return nil
	}
	// What can be saved is; the first error is the one to tell.
	_ = l.file.Truncate(l.good)
	_ = l.file.Sync()
	return fmt.Errorf("the games cannot be kept: %w", err)
}

// Close closes the file.
func (l *Log) Close() error {
	var err error
	if l.unlock != nil {
		err = l.unlock()
	}
	return errors.Join(err, l.file.Close())
}
