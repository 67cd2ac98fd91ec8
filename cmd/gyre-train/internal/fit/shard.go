package fit

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// shard is examples on disk, in a file without a name where the system allows it,
// so that nothing is left behind when the program is killed. It is written
// first, then read as often as wanted.
type shard struct {
	file    *os.File
	out     *bufio.Writer
	in      *bufio.Reader // nil until rewind
	count   int
	unnamed bool // whether the file has lost its name already
}

// shardBuffer is the memory of a shard while it is written, in bytes.
const shardBuffer = 64 << 10

// newShard returns an empty shard in a folder, that of temporary files if it is "".
func newShard(folder string) (*shard, error) {
	file, err := os.CreateTemp(folder, "gyre-train-*.shard")
	if err != nil {
		return nil, err
	}
	unnamed := os.Remove(file.Name()) == nil
	return &shard{file: file, out: bufio.NewWriterSize(file, shardBuffer), unnamed: unnamed}, nil
}

// add appends a record.
func (s *shard) add(r record) error {
	s.count++
	_, err := s.out.Write(r[:])
	return err
}

// rewind ends the writing and begins to read from the first record.
func (s *shard) rewind() error {
	if err := s.out.Flush(); err != nil {
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	s.in = bufio.NewReaderSize(s.file, shardBuffer)
	return nil
}

// read appends the next records of the shard to dst, at most n; none at its end.
func (s *shard) read(dst []record, n int) ([]record, error) {
	dst = slices.Grow(dst, n)
	for range n {
		var r record
		switch _, err := io.ReadFull(s.in, r[:]); {
		case err == io.EOF:
			return dst, nil
		case err != nil:
			return dst, fmt.Errorf("reading back a temporary file: %w", err)
		}
		dst = append(dst, r)
	}
	return dst, nil
}

// readAll appends all records of the shard to dst.
func (s *shard) readAll(dst []record) ([]record, error) {
	if err := s.rewind(); err != nil {
		return dst, err
	}
	begin := len(dst)
	dst, err := s.read(dst, s.count)
	if err == nil && len(dst)-begin < s.count {
		err = fmt.Errorf("a temporary file has lost %d of %d positions", s.count-(len(dst)-begin), s.count)
	}
	return dst, err
}

// close gives the disk space back.
func (s *shard) close() error {
	err := s.file.Close()
	if !s.unnamed {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}
