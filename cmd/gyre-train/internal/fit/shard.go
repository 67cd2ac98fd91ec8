package fit

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// pile is examples on disk, in a file without a name where the system allows it,
// so that nothing is left behind when the program is killed. It is written
// first, then read as often as wanted.
type pile struct {
	file    *os.File
	out     *bufio.Writer
	in      *bufio.Reader // nil until rewind
	count   int
	unnamed bool // whether the file has lost its name already
}

// pileBuffer is the memory of a pile while it is written, in bytes.
const pileBuffer = 64 << 10

// newPile returns an empty pile in a folder, that of temporary files if it is "".
func newPile(folder string) (*pile, error) {
	file, err := os.CreateTemp(folder, "gyre-train-*.pile")
	if err != nil {
		return nil, err
	}
	unnamed := os.Remove(file.Name()) == nil
	return &pile{file: file, out: bufio.NewWriterSize(file, pileBuffer), unnamed: unnamed}, nil
}

// add puts a record on the pile.
func (p *pile) add(r record) error {
	p.count++
	_, err := p.out.Write(r[:])
	return err
}

// rewind ends the writing and begins to read from the first record.
func (p *pile) rewind() error {
	if err := p.out.Flush(); err != nil {
		return err
	}
	if _, err := p.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	p.in = bufio.NewReaderSize(p.file, pileBuffer)
	return nil
}

// read appends the next records of the pile to dst, at most n; none at its end.
func (p *pile) read(dst []record, n int) ([]record, error) {
	dst = slices.Grow(dst, n)
	for range n {
		var r record
		switch _, err := io.ReadFull(p.in, r[:]); {
		case err == io.EOF:
			return dst, nil
		case err != nil:
			return dst, fmt.Errorf("reading back a temporary file: %w", err)
		}
		dst = append(dst, r)
	}
	return dst, nil
}

// readAll appends all records of the pile to dst.
func (p *pile) readAll(dst []record) ([]record, error) {
	if err := p.rewind(); err != nil {
		return dst, err
	}
	begin := len(dst)
	dst, err := p.read(dst, p.count)
	if err == nil && len(dst)-begin < p.count {
		err = fmt.Errorf("a temporary file has lost %d of %d positions", p.count-(len(dst)-begin), p.count)
	}
	return dst, err
}

// close gives the disk space back.
func (p *pile) close() error {
	err := p.file.Close()
	if !p.unnamed {
		err = errors.Join(err, os.Remove(p.file.Name()))
	}
	return err
}
