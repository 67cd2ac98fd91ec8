// Package journal writes the files of long runs so that they survive crashes.
// Whatever ends a run, be it a signal or a full disk, no appended line is lost, no
// partial line remains, and no foreign file is overwritten.
//
// A [Journal] is a file that one process appends to. [Kind] reads its lines of
// JSON, each with a checksum ([AppendChecked]). [WriteFile] replaces a whole file
// atomically; a [Replacement] does so step by step. [Extend] adds to a file of text.
package journal

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"
	"gyre/position/plaintext"
)

// Journal is a file that one process appends to. Data passed to Append is on disk
// when Append returns without an error.
type Journal struct {
	file storage
	good int64 // bytes known to be on disk
	torn bool  // whether the file may hold a part of a failed piece after them

	unlock func() error // nil without a lock
}

// storage is the part of *os.File that a journal needs.
type storage interface {
	io.Writer
	Sync() error
	Truncate(size int64) error
	Close() error
}

// atEnd is a regular file that continues at its end after it was truncated.
type atEnd struct{ *os.File }

// Truncate changes the size of the file. The next Write begins there.
func (f atEnd) Truncate(size int64) error {
	err := f.File.Truncate(size)
	if err == nil {
		_, err = f.Seek(size, io.SeekStart)
	}
	return err
}

// Open opens or creates a file and locks it for this process. It passes the
// file's content to read, which returns how many bytes to keep. The rest, an
// incomplete append of a crashed run, is truncated. If read fails, or another
// process holds the lock, the file is not modified.
//
// A file that is not regular, for example a pipe or a device, is appended to
// without locking it or calling read.
func Open(path string, read func(io.Reader) (intact int64, err error)) (*Journal, error) {
	// Windows cannot truncate a file that is opened with O_APPEND. The lock makes it unnecessary.
	open := func() (*os.File, error) { return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644) }
	if info, err := os.Stat(path); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		open = func() (*os.File, error) { return openSpecial(path, info) }
	}
	file, err := open()
	if err != nil {
		return nil, err
	}
	j := &Journal{file: file}
	if err := j.begin(file, path, read); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return j, nil
}

// ErrLocked is the error for a file that another run has open.
var ErrLocked = errors.New("another run writes to it")

// begin locks and reads the file, and truncates an incomplete append.
func (j *Journal) begin(file *os.File, path string, read func(io.Reader) (int64, error)) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return nil
	}
	if err := lock(file); err != nil {
		return fmt.Errorf("%s: %w: %w", path, ErrLocked, err)
	}
	j.unlock = func() error { return unlock(file) }
	// The size is reliable only under the lock.
	if info, err = file.Stat(); err != nil {
		return err
	}
	if j.good, err = read(file); err != nil {
		return err
	}
	if info.Size() != j.good {
		if err := errors.Join(file.Truncate(j.good), file.Sync()); err != nil {
			return fmt.Errorf("%s: truncating an incomplete line: %w", path, err)
		}
	}
	j.file = atEnd{file}
	if _, err := file.Seek(0, io.SeekEnd); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// Turns are the turns of somebody who reads a file and shares the processor with others that read or search.
type Turns interface {
	// Next waits until it is its turn to read a number of bytes. The turn lasts until the next call, so that they can be
	// parsed. After an error there is no turn.
	Next(bytes int) error
	// End ends a turn, if there is one: before anything else is waited for, and when no more is read.
	End()
}

// InTurns returns a reader of in that reads in turns, and a function that ends a turn. If turns is nil, nobody waits.
func InTurns(in io.Reader, turns Turns) (reader io.Reader, end func()) {
	if turns == nil {
		return in, func() {}
	}
	return &turnReader{in, turns}, turns.End
}

// turnReader implements InTurns.
type turnReader struct {
	in    io.Reader
	turns Turns
}

// turnBytes is the most that is read in a turn. Parsing it takes some milliseconds.
const turnBytes = 64 << 10

// Read implements io.Reader.
func (r *turnReader) Read(into []byte) (int, error) {
	into = into[:min(len(into), turnBytes)]
	if err := r.turns.Next(len(into)); err != nil {
		return 0, err
	}
	return r.in.Read(into)
}

// Seek implements io.Seeker.
func (r *turnReader) Seek(offset int64, whence int) (int64, error) {
	if seeker, ok := r.in.(io.Seeker); ok {
		return seeker.Seek(offset, whence)
	}
	return 0, errors.ErrUnsupported
}

// Append writes piece and waits until it is on disk. After an error, no part of the piece
// remains, earlier pieces do, and you can append again: a full disk may have space by then.
// If even removing the part fails, the next Append starts with that.
func (j *Journal) Append(piece []byte) error {
	err := j.removePart()
	if err == nil {
		j.torn = true
		err = j.write(piece)
	}
	if err != nil {
		_ = j.removePart() // the first error is the one to report
		return fmt.Errorf("new lines cannot be saved: %w", err)
	}
	j.good += int64(len(piece))
	j.torn = false
	return nil
}

func (j *Journal) write(piece []byte) error {
	if _, err := j.file.Write(piece); err != nil {
		return err
	}
	return j.sync()
}

// sync waits until the file is on disk. Pipes and terminals cannot be synced.
func (j *Journal) sync() error {
	if err := j.file.Sync(); !errors.Is(err, os.ErrInvalid) && !isNotSyncable(err) {
		return err
	}
	return nil
}

// removePart removes what a failed Append may have left. The system may drop data that it failed to
// write and report success the next time, so a piece is always written again as a whole.
func (j *Journal) removePart() error {
	if !j.torn {
		return nil
	}
	if err := errors.Join(j.file.Truncate(j.good), j.sync()); err != nil {
		return err
	}
	j.torn = false
	return nil
}

// The pauses between the attempts of Retry. Each is twice as long as the one before.
const (
	firstPause   = 250 * time.Millisecond
	longestPause = 5 * time.Second
)

// Retry calls attempt, for example an Append, until it succeeds or ctx is done. It calls failing
// with the error of the first attempt. If ctx is done, it returns the error of the last.
func Retry(ctx context.Context, attempt func() error, failing func(error)) error {
	err := attempt()
	if err == nil {
		return nil
	}
	failing(err)
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
		if err = attempt(); err == nil {
			return nil
		}
	}
}

// Close releases the lock and closes the file.
func (j *Journal) Close() error {
	var err error
	if j.unlock != nil {
		err = j.unlock()
	}
	return errors.Join(err, j.file.Close())
}

// OtherRunError is the error for resuming a file that a run with other settings began. The
// file is unchanged.
type OtherRunError struct {
	Flag string // names the file on the command line, for example -out
	// Differences are settings that differ, for example "seed: 1, now 2"; empty if the file
	// does not record its settings.
	Differences []string
}

// Error says what differs, and what to do.
func (e *OtherRunError) Error() string {
	differ := strings.Join(e.Differences, "; ")
	if differ == "" {
		differ = "engines, openings or conditions differ"
	}
	return fmt.Sprintf("begun with other settings (%s); repeat the earlier ones, or give another %s", differ, e.Flag)
}

// Differences lists the settings that differ between an earlier run and this one, by name.
// A setting may have several values. Of a value of several words only those that differ are
// shown.
func Differences(before, now map[string][]string) (differ []string) {
	names := slices.Concat(slices.Collect(maps.Keys(before)), slices.Collect(maps.Keys(now)))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		was, is := before[name], now[name]
		for i := range max(len(was), len(is)) {
			var words [2][]string
			for side, values := range [][]string{was, is} {
				if i < len(values) {
					words[side] = strings.Fields(values[i])
				}
			}
			if slices.Equal(words[0], words[1]) {
				continue
			}
			about := name
			if max(len(was), len(is)) > 1 {
				about = fmt.Sprintf("%s %d", name, i+1)
			}
			own := [2][]string{without(words[0], words[1]), without(words[1], words[0])}
			if len(own[0])+len(own[1]) == 0 { // in another order
				own = words
			}
			shown := func(words []string) string { return cmp.Or(strings.TrimRight(strings.Join(words, " "), ",:;"), "none") }
			differ = append(differ, fmt.Sprintf("%s: %s, now %s", about, shown(own[0]), shown(own[1])))
		}
	}
	return differ
}

// without returns the words that others lacks.
func without(words, others []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return slices.Contains(others, word) })
}

// A checked line is a JSON object whose last member is "sum": the XXH3 hash (64
// bits, Y. Collet) of all bytes of the line before the comma that precedes the
// member, as 16 hexadecimal digits. Any JSON reader can parse such a line.
const (
	sumBegins = `,"sum":"`
	sumEnds   = `"}`
	sumDigits = 16
	sumLength = len(sumBegins) + sumDigits + len(sumEnds)
)

// ErrNoChecksum is the error for a line without a checksum.
var ErrNoChecksum = errors.New("the line has no checksum")

// LongestLine is the maximum length of a line in bytes, with its line feed. The line of the
// longest game has about 20,000.
const LongestLine = 1 << 20

// ErrLongLine is the error for a line that is longer than LongestLine. Kind.ReadLines would not
// read it, nor any line after it.
var ErrLongLine = fmt.Errorf("a line of a file may have %d bytes", LongestLine)

// AppendChecked appends a value as a JSON object with its checksum and a line feed to dst.
// The object must have at least one member. If the line is too long, the error is ErrLongLine.
func AppendChecked(dst []byte, value any) ([]byte, error) {
	object, err := json.Marshal(value)
	if err != nil {
		return dst, err
	}
	object = bytes.TrimSuffix(object, []byte("}"))
	if length := len(object) + sumLength + len("\n"); length > LongestLine {
		return dst, fmt.Errorf("%w, and this one would have %d", ErrLongLine, length)
	}
	dst = append(dst, object...)
	return fmt.Appendf(dst, "%s%0*x%s\n", sumBegins, sumDigits, xxh3.Hash(object), sumEnds), nil
}

// verify checks the checksum of a line with or without its line end. It returns
// ErrNoChecksum if the line does not end with a checksum.
func verify(line []byte) error {
	line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
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

// Kind distinguishes the lines of one kind of journal from those of other files.
type Kind struct {
	Prefix  string // the prefix of every line
	Foreign error  // the error for a file with other lines
}

// ReadLines calls visit for each line of a file, and returns the number of bytes in
// complete lines. It skips empty lines and an incomplete last line, which a crashed
// run leaves. Errors start with the given file name and the line number. They are
// those of visit, or Foreign if the incomplete last line is not of this kind. A byte-order mark is
// skipped, and a file that is no plain text is named as what it is. Other programs may have changed
// line feeds to carriage return and line feed.
//
// ReadLines does not check complete lines; visit can do so with Check.
func (k *Kind) ReadLines(in io.Reader, name string, visit func(text []byte) error) (intact int64, err error) {
	reader := bufio.NewReaderSize(in, LongestLine)
	head, _ := reader.Peek(4) // an error comes again
	if err := plaintext.Check(string(head)); err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	for number := 1; ; number++ {
		text, err := reader.ReadSlice('\n')
		length := len(text)
		if number == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		ended := err == io.EOF
		switch {
		case ended:
			err = k.checkCut(text)
		case err == nil && len(bytes.TrimSpace(text)) > 0:
			err = visit(text)
		}
		if err != nil {
			return intact, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		if ended {
			return intact, nil
		}
		intact += int64(length)
	}
}

// Check checks a complete line. It returns Foreign for a line of another kind,
// ErrNoChecksum for a line of this kind without a checksum, and another error for a
// line that was changed.
func (k *Kind) Check(text []byte) error {
	err := verify(text)
	if (err == nil || errors.Is(err, ErrNoChecksum)) && !bytes.HasPrefix(text, []byte(k.Prefix)) {
		return k.Foreign
	}
	return err
}

// checkCut checks an incomplete line. After a power failure some file systems leave
// zeros in place of data.
func (k *Kind) checkCut(text []byte) error {
	shown := min(len(text), len(k.Prefix))
	if string(text[:shown]) != k.Prefix[:shown] && len(bytes.Trim(text, "\x00")) > 0 {
		return k.Foreign
	}
	if n := len(text); n > 0 && verify(text[:n-1]) == nil {
		return errors.New("the line's end was changed after it was written")
	}
	return nil
}

// Replacement is a file that replaces another of the same kind atomically. Until
// Publish it has a temporary name in the same folder, so a crash leaves the old file
// intact.
type Replacement struct {
	*bufio.Writer
	file *os.File
	path string
	mark string
	// final says that file has its final name: after Publish, or from the start if
	// path is a device or a pipe, or after Extend.
	final  bool
	unlock func() error // nil without a lock
}

// markReach is how many bytes at the beginning of a file are searched for its mark.
const markReach = 1024

// ForeignError is the error for an existing file of another kind, which must not be
// overwritten.
type ForeignError struct {
	Path string
	Mark string // the text missing from the beginning of the file
}

// Error returns a message that names the file and its missing mark.
func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s exists and is not a file of this kind (its beginning lacks %q); choose another name or move the file away", e.Path, e.Mark)
}

// Replace starts a new file that Publish will rename to path. The mark is a text in
// the first kilobyte of every file of this kind. If path exists without it and is
// not empty, Replace returns a *ForeignError. If path is a device or a pipe, data is
// written to it directly.
func Replace(path, mark string) (*Replacement, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		file, err := openSpecial(path, info)
		if err != nil {
			return nil, err
		}
		return &Replacement{Writer: bufio.NewWriter(file), file: file, path: path, final: true}, nil
	}
	if err := checkMark(path, mark); err != nil {
		return nil, err
	}
	file, err := createTemporary(path)
	if err != nil {
		return nil, err
	}
	return &Replacement{Writer: bufio.NewWriter(file), file: file, path: path, mark: mark}, nil
}

// Extend opens or creates a file for more text at its end, and locks it for this process until it is
// closed. Unlike a Journal it does not wait until the text is on disk. See [Replace]
// for mark, devices and pipes. If another process holds the lock, the error is ErrLocked.
func Extend(path, mark string) (*Replacement, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return Replace(path, mark)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666) // Windows locks no file that is only appended to
	if err != nil {
		return nil, err
	}
	if err := lock(file); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w: %w", path, ErrLocked, err), file.Close())
	}
	r := &Replacement{Writer: bufio.NewWriter(file), file: file, path: path, mark: mark, final: true, unlock: func() error { return unlock(file) }}
	if err := checkMark(path, mark); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// WriteFile replaces a file atomically with what write writes. See [Replace] for mark.
func WriteFile(path, mark string, write func(io.Writer) error) error {
	file, err := Replace(path, mark)
	if err != nil {
		return err
	}
	if err = write(file); err == nil {
		err = file.Publish()
	}
	return errors.Join(err, file.Close())
}

// MayWrite returns the error that WriteFile would return at once, without changing the
// file. It does not open a pipe, whose reader would take the end of that for the end of the file.
func MayWrite(path, mark string) error {
	if info, err := os.Stat(path); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		return nil
	}
	file, err := Replace(path, mark)
	if err != nil {
		return err
	}
	return file.Close()
}

// MayWriteIn returns the error of making a file in a folder, or below the nearest one that exists. It leaves
// nothing there.
func MayWriteIn(folder string) error {
	for at := folder; ; at = filepath.Dir(at) {
		file, err := os.CreateTemp(at, ".gyre-")
		if errors.Is(err, fs.ErrNotExist) && at != filepath.Dir(at) {
			// In a file instead of a folder, Windows finds nothing.
			if info, _ := os.Stat(at); info == nil || info.IsDir() {
				continue
			}
		}
		if err == nil {
			return errors.Join(file.Close(), os.Remove(file.Name()))
		}
		if e, isPath := errors.AsType[*fs.PathError](err); isPath {
			err = &fs.PathError{Op: e.Op, Path: folder, Err: e.Err}
		}
		return err
	}
}

// Publish writes buffered data and renames the file to its final name. Both are on disk when
// Publish returns without an error. You can write more afterwards.
func (r *Replacement) Publish() error {
	if err := r.Flush(); err != nil || r.final {
		return err
	}
	// The file at path may have been created or replaced since Replace.
	if err := checkMark(r.path, r.mark); err != nil {
		return err
	}
	// Windows cannot rename an open file.
	if err := errors.Join(r.file.Sync(), r.file.Close()); err != nil {
		return err
	}
	if err := os.Rename(r.file.Name(), r.path); err != nil {
		return err
	}
	synced := syncFolder(filepath.Dir(r.path))
	file, err := os.OpenFile(r.path, os.O_WRONLY|os.O_APPEND, 0) // never truncated
	if err != nil {
		return err
	}
	r.final, r.file = true, file
	r.Reset(file)
	return synced
}

// Close closes the file. Without Publish it removes the new file and keeps the old
// one.
func (r *Replacement) Close() error {
	if !r.final {
		_ = r.file.Close() // a failed Publish may have closed it already
		return os.Remove(r.file.Name())
	}
	err := r.Flush()
	if r.unlock != nil {
		err = errors.Join(err, r.unlock())
	}
	return errors.Join(err, r.file.Close())
}

// openSpecial opens a pipe or a device to write to. Without a reader of the pipe it fails at once:
// waiting for one could last for ever.
func openSpecial(path string, info fs.FileInfo) (*os.File, error) {
	pipe := info.Mode()&fs.ModeNamedPipe != 0
	flags := os.O_WRONLY
	if pipe {
		flags |= withoutWaiting
	}
	file, err := os.OpenFile(path, flags, 0)
	if err != nil && pipe && isWithoutReader(err) {
		return nil, fmt.Errorf("%s: no program reads from this pipe: start one first", path)
	}
	return file, err
}

// createTemporary creates a file with an unused name next to path, with the
// permissions of the user's umask.
func createTemporary(path string) (*os.File, error) {
	for n := 1; ; n++ {
		file, err := os.OpenFile(fmt.Sprintf("%s.new-%d-%d", path, os.Getpid(), n), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if e, ok := errors.AsType[*os.PathError](err); ok { // the user knows the file by its name
			e.Path = path
		}
		return file, err
	}
}

// RemoveTemporary removes the new files for path that crashed processes have left. See [Replace] for mark: other files stay.
// The caller holds a lock without which nobody replaces path.
func RemoveTemporary(path, mark string) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	found, err := os.ReadDir(filepath.Dir(path))
	temporaryName := regexp.MustCompile(`^\.new-[0-9]+-[0-9]+$`) // see createTemporary
	for _, entry := range found {
		added, ours := strings.CutPrefix(entry.Name(), filepath.Base(path))
		name := filepath.Join(filepath.Dir(path), entry.Name())
		if ours && temporaryName.MatchString(added) && entry.Type().IsRegular() && checkMark(name, mark) == nil {
			err = errors.Join(err, os.Remove(name))
		}
	}
	return err
}

// checkMark returns a *ForeignError if path exists, is not empty, and lacks the mark.
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
