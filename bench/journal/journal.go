// Package journal keeps files that long runs append to, so that whatever ends a
// run, be it a signal or a full disk, nothing that was appended is lost and no
// half of anything stays.
//
//	journal.go  Journal: one process appends to a file
//	lock_*.go   keeping other processes out, by system
package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Journal is a file that one process appends to. What Append was given is on
// disk for good when it has returned.
type Journal struct {
	file storage
	good int64 // bytes that were appended whole

	unlock func() error // nil when there is no lock
}

// storage is what a journal needs of a file.
type storage interface {
	io.Writer
	Sync() error
	Truncate(size int64) error
	Close() error
}

// Open opens a file, or begins it, for this process alone. What it holds is
// given to read, which returns how many bytes from its beginning are to stay:
// the rest, of what was being appended when a run died, is cut off. After an
// error of read, or if the file is another run's, it stays as it is.
func Open(path string, read func(io.Reader) (whole int64, err error)) (*Journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	j := &Journal{file: file}
	if err := j.begin(file, path, read); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return j, nil
}

// begin locks and reads the file.
func (j *Journal) begin(file *os.File, path string, read func(io.Reader) (int64, error)) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() { // nothing to lock, to read or to cut
		return nil
	}
	if err := lock(file); err != nil {
		return fmt.Errorf("%s: another run writes to it: %w", path, err)
	}
	j.unlock = func() error { return unlock(file) }
	if j.good, err = read(file); err != nil {
		return err
	}
	if info.Size() == j.good {
		return nil
	}
	if err := file.Truncate(j.good); err != nil {
		return fmt.Errorf("cutting off what is not whole: %w", err)
	}
	return nil
}

// Append adds a piece and waits until it is on disk. After an error the file
// holds what it held before, as far as can be, and the journal takes no more.
func (j *Journal) Append(piece []byte) error {
	_, err := j.file.Write(piece)
	if err == nil {
		err = j.file.Sync()
		if errors.Is(err, os.ErrInvalid) || isNotSyncable(err) {
			err = nil // a pipe or a terminal
		}
	}
	if err == nil {
		j.good += int64(len(piece))
		return nil
	}
	// What can be saved is; the first error is the one to tell.
	_ = j.file.Truncate(j.good)
	_ = j.file.Sync()
	return fmt.Errorf("the games cannot be kept: %w", err)
}

// Close closes the file.
func (j *Journal) Close() error {
	var err error
	if j.unlock != nil {
		err = j.unlock()
	}
	return errors.Join(err, j.file.Close())
}
