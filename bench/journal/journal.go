// Package journal keeps the files of long runs, so that whatever ends a run, be
// it a signal or a full disk, nothing that was appended is lost, no half of
// anything stays, and no file is replaced that is somebody else's.
//
//	journal.go  Journal: one process appends to a file; lines of JSON with a checksum,
//	            and Kind, which reads them, whole and cut; Replacement: a file written
//	            anew over one of its own kind
//	lock_*.go   keeping other processes out, and folders on disk, by system
package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/zeebo/xxh3"
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

// A line with a checksum is a JSON object whose last member is "sum": the XXH3
// hash (64 bits, Y. Collet) of all bytes of the line before the comma in front of
// it, as 16 hexadecimal digits. So it is still a line of JSON for every reader.
const (
	sumBegins = `,"sum":"`
	sumEnds   = `"}`
	sumDigits = 16
	sumLength = len(sumBegins) + sumDigits + len(sumEnds)
)

// ErrNoChecksum is why Checked refuses a line that has none.
var ErrNoChecksum = errors.New("the line has no checksum")

// AppendChecked appends a JSON object as a line with its checksum to dst. The
// object must have a member at least.
func AppendChecked(dst, object []byte) []byte {
	object = bytes.TrimSuffix(object, []byte("}"))
	dst = append(dst, object...)
	return fmt.Appendf(dst, "%s%0*x%s\n", sumBegins, sumDigits, xxh3.Hash(object), sumEnds)
}

// Checked tests the checksum of a line, with or without its line feed. The error
// is ErrNoChecksum when the line does not end as AppendChecked has it.
func Checked(line []byte) error {
	line = bytes.TrimSuffix(line, []byte("\n"))
	begin := len(line) - sumLength
	if begin < 0 || !bytes.HasPrefix(line[begin:], []byte(sumBegins)) || !bytes.HasSuffix(line, []byte(sumEnds)) {
		return ErrNoChecksum
	}
	sum := line[begin+len(sumBegins) : len(line)-len(sumEnds)]
	if want := fmt.Sprintf("%0*x", sumDigits, xxh3.Hash(line[:begin])); string(sum) != want {
		return errors.New("the line was changed after it was written: its checksum is wrong")
	}
	return nil
}

// Kind is what tells the lines of a journal from those of other files.
type Kind struct {
	Begins  string // with what every line does
	Foreign error  // why a file with other lines stays as it is
}

// longestLine bounds a line in bytes. That of the longest game has some 20,000.
const longestLine = 1 << 20

// ReadLines visits the lines of a file of that name, and returns how many bytes the whole
// lines have. A last line without an end, which is what a run that died leaves, is passed
// over, and so are empty lines. The error names the line: it is visit's, or Foreign where
// the file ends with what begins no line of the kind.
//
// Whether a whole line is one of the kind, and its checksum, are visit's to check: see
// Check.
func (k *Kind) ReadLines(in io.Reader, name string, visit func(text []byte) error) (whole int64, err error) {
	reader := bufio.NewReaderSize(in, longestLine)
	for number := 1; ; number++ {
		text, err := reader.ReadSlice('\n')
		ended := err == io.EOF
		switch {
		case ended:
			err = k.checkCut(text)
		case err == nil && len(bytes.TrimSpace(text)) > 0:
			err = visit(text)
		}
		if err != nil {
			return whole, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		if ended {
			return whole, nil
		}
		whole += int64(len(text))
	}
}

// Check tests a whole line. The error is Foreign for a line of another kind, ErrNoChecksum
// for one of this kind that has none, and another when it was changed.
func (k *Kind) Check(text []byte) error {
	err := Checked(text)
	if errors.Is(err, ErrNoChecksum) && !bytes.HasPrefix(text, []byte(k.Begins)) {
		return k.Foreign
	}
	return err
}

// checkCut returns nil for the beginning of a line. What a file system leaves of one after
// a power failure may also be zeros.
func (k *Kind) checkCut(text []byte) error {
	shown := min(len(text), len(k.Begins))
	if string(text[:shown]) != k.Begins[:shown] && len(bytes.Trim(text, "\x00")) > 0 {
		return k.Foreign
	}
	if n := len(text); n > 0 && Checked(text[:n-1]) == nil {
		return errors.New("the line's end was changed after it was written")
	}
	return nil
}

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
