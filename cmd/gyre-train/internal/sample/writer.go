package sample

import "io"

// Writer writes a file of samples, a game at a time, each with one call of the
// output's Write.
type Writer struct {
	out    io.Writer
	buffer []byte
}

// NewWriter begins a file.
func NewWriter(out io.Writer, about About) (*Writer, error) {
	header, err := AppendHeader(nil, about)
	if err != nil {
		return nil, err
	}
	_, err = out.Write(header)
	return &Writer{out: out, buffer: header}, err
}

// Write writes a game.
func (w *Writer) Write(g *Game) error {
	block, err := AppendGame(w.buffer[:0], g)
	if err != nil {
		return err
	}
	w.buffer = block
	_, err = w.out.Write(block)
	return err
}
