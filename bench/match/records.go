package match

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Records is the file of a match's games as records. It is made from the lines:
// anew when a match goes on, then game by game.
type Records struct {
	file      *os.File
	out       *bufio.Writer
	path      string
	published bool
}

// CreateRecords begins the file. It gets its name with Publish, and replaces one
// of that name then.
func CreateRecords(path string) (*Records, error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return nil, err
	}
	return &Records{file: file, out: bufio.NewWriter(file), path: path}, nil
}

// Add appends a game.
func (r *Records) Add(line *Line) error {
	record, err := line.Record()
	if err != nil {
		return err
	}
	if err := record.Write(r.out); err != nil {
		return fmt.Errorf("game %d: %w", line.Game, err)
	}
	return nil
}

// Flush writes what was added.
func (r *Records) Flush() error { return r.out.Flush() }

// Publish gives the file its name.
func (r *Records) Publish() error {
	if err := r.Flush(); err != nil {
		return err
	}
	if err := r.file.Chmod(0o644); err != nil {
		return err
	}
	err := os.Rename(r.file.Name(), r.path)
	r.published = err == nil
	return err
}

// Close ends the file; one that was never published goes.
func (r *Records) Close() error {
	err := errors.Join(r.out.Flush(), r.file.Close())
	if !r.published {
		return os.Remove(r.file.Name())
	}
	if err != nil {
		return fmt.Errorf("game records: %w", err)
	}
	return nil
}
