package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Replacement is a file that is written anew, in the place of one of its own
// kind. It lies beside that file until Publish, so that no run that dies leaves a
// half.
type Replacement struct {
	*bufio.Writer
	file *os.File
	path string
	mark string
	// final tells that file has its name: after Publish, and from the beginning
	// where the path is a device or a pipe.
	final bool
}

// markReach is how many bytes from a file's beginning its mark is looked for in.
const markReach = 1024

// ForeignError is a file that would be replaced and is of another kind.
type ForeignError struct {
	Path string
	Mark string // what is not in its beginning
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s exists and is no file of this kind (its beginning lacks %q), so it stays as it is: give another name, or move it away", e.Path, e.Mark)
}

// Replace begins a file at path. The mark is a text that every file of its kind
// has in its first kilobyte: a file that is there without it, unless it is empty,
// is a *ForeignError, and stays. A device or a pipe is written to as it is.
func Replace(path, mark string) (*Replacement, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &Replacement{Writer: bufio.NewWriter(file), file: file, path: path, final: true}, nil
	}
	if err := checkMark(path, mark); err != nil {
		return nil, err
	}
	file, err := createBeside(path)
	if err != nil {
		return nil, err
	}
	return &Replacement{Writer: bufio.NewWriter(file), file: file, path: path, mark: mark}, nil
}

// createBeside creates a file of a new name beside path, for all that the user
// lets files be read by.
func createBeside(path string) (*os.File, error) {
	for n := 1; ; n++ {
		file, err := os.OpenFile(fmt.Sprintf("%s.new-%d-%d", path, os.Getpid(), n), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, os.ErrExist) {
			return file, err
		}
	}
}

// checkMark returns a *ForeignError for a file that is neither absent nor empty
// nor of the kind of the mark.
func checkMark(path, mark string) error {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	begin, err := io.ReadAll(io.LimitReader(file, markReach))
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if len(begin) > 0 && !bytes.Contains(begin, []byte(mark)) {
		return &ForeignError{Path: path, Mark: mark}
	}
	return nil
}

// Publish writes what there is and gives the file its name. More can be written
// after it.
func (r *Replacement) Publish() error {
	if err := r.Flush(); err != nil || r.final {
		return err
	}
	if err := checkMark(r.path, r.mark); err != nil { // it may have come meanwhile
		return err
	}
	// Windows renames no file that is open.
	if err := errors.Join(r.file.Sync(), r.file.Close()); err != nil {
		return err
	}
	if err := os.Rename(r.file.Name(), r.path); err != nil {
		return err
	}
	file, err := os.OpenFile(r.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	r.final, r.file = true, file
	r.Reset(file)
	return nil
}

// Close ends the file. One that was never published goes, and leaves what was
// there before.
func (r *Replacement) Close() error {
	if !r.final {
		_ = r.file.Close() // Publish may have closed it; what it holds goes anyway
		return os.Remove(r.file.Name())
	}
	return errors.Join(r.Flush(), r.file.Close())
}
