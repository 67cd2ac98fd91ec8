package sample

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Reader reads a file of samples, a game at a time.
type Reader struct {
	in     *bufio.Reader
	about  About
	offset int64 // of the next byte
	game   Game
	damage *Damage // what is being passed over; nil for nothing
}

// Damage is a part of a file that holds no whole game. It is the error for it.
type Damage struct {
	Offset, Length int64 // in bytes
	Reason         error // what is wrong where it begins
	Last           bool  // nothing whole comes after it
}

// Error says where the damage is and what.
func (d *Damage) Error() string {
	return fmt.Sprintf("damaged from byte %d to %d: %v", d.Offset, d.Offset+d.Length, d.Reason)
}

// Unwrap returns the reason.
func (d *Damage) Unwrap() error { return d.Reason }

// readAhead is the size of the reader's buffer: some games.
const readAhead = 1 << 16

// NewReader begins to read a file. The error says that it is none, of another
// format, damaged in its header or cut off within it.
func NewReader(in io.Reader) (*Reader, error) {
	r := &Reader{in: bufio.NewReaderSize(in, readAhead)}
	var err error
	if r.about, r.offset, err = readHeader(r.in); err != nil {
		return nil, err
	}
	return r, nil
}

// About returns what made the file.
func (r *Reader) About() About { return r.about }

// Offset returns the number of bytes of the header and of all that was read or
// passed over since.
func (r *Reader) Offset() int64 { return r.offset }

// Next returns the next whole game, valid until the next call, or io.EOF after
// the last. A [*Damage] tells of what was passed over; the call after it goes
// on. Any other error is the input's.
func (r *Reader) Next() (*Game, error) {
	for {
		length, err := r.block()
		switch {
		case err == nil && r.damage != nil:
			return nil, r.passed(false)
		case err == nil:
			return &r.game, r.skip(length)
		case err == io.EOF && r.damage != nil:
			return nil, r.passed(true)
		case err == io.EOF:
			return nil, io.EOF
		}
		wrong, ok := errors.AsType[*blockError](err)
		if !ok {
			return nil, err
		}
		if r.damage == nil {
			r.damage = &Damage{Offset: r.offset, Reason: wrong.reason}
		}
		if err := r.resume(wrong.length); err != nil {
			return nil, err
		}
	}
}

// passed returns the damage that lies behind.
func (r *Reader) passed(last bool) *Damage {
	d := r.damage
	d.Length, d.Last, r.damage = r.offset-d.Offset, last, nil
	return d
}

// blockError says why no whole block is at a place.
type blockError struct {
	reason error
	length int // bytes that are certainly no beginning of another block
}

func (e *blockError) Error() string { return e.reason.Error() }

// block looks at the block that is next, without going past it: it reads it and
// returns its length. The error is io.EOF at the end, a *blockError, or that of
// the input.
func (r *Reader) block() (int, error) {
	start, err := r.in.Peek(recordsAt)
	if err == io.EOF && len(start) > 0 {
		return 0, &blockError{fmt.Errorf("cut off after %d bytes", len(start)), len(start)}
	}
	if err != nil {
		return 0, err
	}
	length, err := blockLength(start)
	if err != nil {
		return 0, &blockError{err, 1}
	}
	block, err := r.in.Peek(length)
	if err == io.EOF {
		return 0, &blockError{fmt.Errorf("cut off after %d of the %d bytes of a game", len(block), length), 1}
	}
	if err != nil {
		return 0, err
	}
	switch err := readBlock(block, &r.game); {
	case errors.Is(err, errChecksum):
		return 0, &blockError{err, 1}
	case err != nil:
		return 0, &blockError{err, length}
	}
	return length, nil
}

// resume passes over at least so many bytes, up to what may be the beginning of
// a block.
func (r *Reader) resume(least int) error {
	if err := r.skip(least); err != nil {
		return err
	}
	for {
		// A mark may lie across the end of what is in the buffer.
		ahead, err := r.in.Peek(max(len(mark), r.in.Buffered()))
		if at := bytes.Index(ahead, []byte(mark)); at >= 0 {
			return r.skip(at)
		}
		if err == io.EOF {
			return r.skip(len(ahead))
		}
		if err != nil {
			return err
		}
		if err := r.skip(len(ahead) - len(mark) + 1); err != nil {
			return err
		}
	}
}

// skip goes on by so many bytes.
func (r *Reader) skip(length int) error {
	n, err := r.in.Discard(length)
	r.offset += int64(n)
	return err
}
