package protocol

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
)

// MaxLine is the longest line, in bytes without its end, that either end accepts. The
// turns of the longest game take some two thousand bytes, and all the turns of a
// crowded position some ten thousand.
const MaxLine = 1 << 20

// LineReader splits a stream into lines. It holds one line at a time, and little memory while
// lines are short.
type LineReader struct {
	in *bufio.Reader
}

// NewLineReader returns a reader of the lines of a stream.
func NewLineReader(in io.Reader) *LineReader {
	return &LineReader{in: bufio.NewReaderSize(in, 16<<10)}
}

// Next returns the next line without its end. If the line is longer than MaxLine, Next
// returns the beginning, with cut set, and discards the rest. A last line without an
// end counts; the error of the stream follows it.
func (r *LineReader) Next() (line string, cut bool, err error) {
	text, err := r.in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		text = bytes.Clone(text)
	}
	for err == bufio.ErrBufferFull && len(text) < MaxLine+len("\r\n") {
		var more []byte
		more, err = r.in.ReadSlice('\n')
		text = append(text, more...)
	}
	line = string(bytes.TrimRight(text, "\r\n"))
	if len(line) > MaxLine {
		line, cut = line[:MaxLine], true
	}
	for err == bufio.ErrBufferFull {
		cut = true
		_, err = r.in.ReadSlice('\n')
	}
	if line != "" || cut {
		return line, cut, nil // an error comes again with the next call
	}
	return "", false, err
}

// lineWriter writes whole lines, from any goroutine. After the first error, which becomes
// the cause of failed, it discards everything.
type lineWriter struct {
	mu     sync.Mutex
	out    io.Writer
	failed context.Context
	fail   context.CancelCauseFunc
}

func newLineWriter(out io.Writer) *lineWriter {
	w := &lineWriter{out: out}
	w.failed, w.fail = context.WithCancelCause(context.Background())
	return w
}

// line writes text and a line end with one Write. It ignores empty text.
func (w *lineWriter) line(text string) {
	if text == "" {
		return
	}
	// w.failed keeps the error.
	_, _ = w.Write([]byte(strings.TrimSuffix(text, "\n") + "\n"))
}

func (w *lineWriter) linef(format string, args ...any) { w.line(fmt.Sprintf(format, args...)) }

// fault reports an error to the client.
func (w *lineWriter) fault(err error) { w.line("info string error " + printable(err.Error())) }

// note writes an `info string`.
func (w *lineWriter) note(text string) { w.line("info string " + printable(text)) }

// Write writes p unchanged.
func (w *lineWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := context.Cause(w.failed); err != nil {
		return 0, err
	}
	n, err := w.out.Write(p)
	if err != nil {
		w.fail(err)
	}
	return n, err
}
