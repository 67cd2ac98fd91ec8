package sample

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/zeebo/xxh3"
)

// magic begins every file of samples; the number of the format follows.
const (
	magic  = "gyre samples "
	format = "1\n"
)

// mostText bounds the text of a header, in bytes.
const mostText = 1 << 16

// AppendHeader appends the beginning of a file to dst. The error tells what
// cannot be written about it.
func AppendHeader(dst []byte, about About) ([]byte, error) {
	text, err := about.text()
	if err != nil {
		return dst, err
	}
	dst = append(dst, magic+format...)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(text)))
	dst = binary.LittleEndian.AppendUint64(dst, xxh3.HashString(text))
	return append(dst, text...), nil
}

// readHeader undoes AppendHeader. It returns the length of the header too.
func readHeader(in io.Reader) (about About, length int64, err error) {
	var start [len(magic) + len(format) + 12]byte
	n, err := io.ReadFull(in, start[:])
	if name := string(start[:len(magic)]); name != magic && !strings.HasPrefix(magic, string(start[:n])) {
		return nil, 0, errors.New("not a file of samples")
	}
	if err != nil {
		return nil, 0, cutShort(err)
	}
	if number := string(start[len(magic) : len(magic)+len(format)]); number != format {
		return nil, 0, fmt.Errorf("samples of format %q, and this program reads %q", strings.TrimSpace(number), strings.TrimSpace(format))
	}
	size := binary.LittleEndian.Uint32(start[len(magic)+len(format):])
	if size > mostText {
		return nil, 0, fmt.Errorf("the header is damaged: its text would have %d bytes", size)
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(in, text); err != nil {
		return nil, 0, cutShort(err)
	}
	if xxh3.Hash(text) != binary.LittleEndian.Uint64(start[len(start)-8:]) {
		return nil, 0, errors.New("the header is damaged: its checksum is wrong")
	}
	about, err = parseAbout(string(text))
	return about, int64(len(start)) + int64(size), err
}

// errCut is the error of a file that ends within its header.
var errCut = errors.New("the file ends within its header")

// cutShort is the error for a header that could not be read.
func cutShort(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errCut
	}
	return err
}
