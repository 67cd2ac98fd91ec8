// Package journal keeps the files of long runs, so that whatever ends a run, be
// it a signal or a full disk, nothing that was appended is lost, no half of
// anything stays, and no file is replaced that is somebody else's.
//
//	journal.go      Journal: one process appends to a file
//	checksum.go     lines of JSON with a checksum at their end
//	lines.go        Kind: reading such lines, whole and cut, and no others
//	replacement.go  Replacement: a file written anew over one of its own kind
//	system_*.go     keeping other processes out, and folders on disk, by system
package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Journal is a file that one process appends to. What Append was given is on
// disk for good when it has returned without an error.
type Journal struct {
	file   storage
	good   int64 // bytes that were appended whole
	failed error // the first error of Append, which ends the journal

	unlock func() error // nil when there is no lock
}

// storage is what a journal needs of a file.
type storage interface {
	io.Writer
	Sync() error
	Truncate(size int64) error
	Close() error
}

// Open opens a file, or begins it, and locks it for this process. What it holds is
// given to read, which returns how many bytes from its beginning are to stay:
// the rest, of what was being appended when a run died, is cut off. After an
// error of read, or if the file is another run's, it stays as it is.
//
// Only Unix systems lock files. On others two runs of the same file are not kept
// apart.
//
// A file that is not regular, such as a pipe or a device, is appended to without
// a lock, and read is not called.
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

// begin locks and reads the file, and takes what it did to the disk.
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
	// Only under the lock does the size stay as it is.
	if info, err = file.Stat(); err != nil {
		return err
	}
	if j.good, err = read(file); err != nil {
		return err
	}
	if info.Size() != j.good {
		if err := errors.Join(file.Truncate(j.good), file.Sync()); err != nil {
			return fmt.Errorf("%s: cutting off what is not whole: %w", path, err)
		}
	}
	return syncFolder(filepath.Dir(path))
}

// Append adds a piece and waits until it is on disk. After an error the journal
// takes no more: every further call returns that error. The piece that failed is
// cut off again where the file lets us; what was appended before it stays.
func (j *Journal) Append(piece []byte) error {
	if j.failed != nil {
		return j.failed
	}
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
	// The first error is the one to tell.
	_ = j.file.Truncate(j.good)
	_ = j.file.Sync()
	j.failed = fmt.Errorf("what was to be appended cannot be kept: %w", err)
	return j.failed
}

// Close closes the file and lets other processes have it.
func (j *Journal) Close() error {
	var err error
	if j.unlock != nil {
		err = j.unlock()
	}
	return errors.Join(err, j.file.Close())
}
