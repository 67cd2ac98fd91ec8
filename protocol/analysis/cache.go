package analysis

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"

	"gyre/position"
)

// Cache keeps answers in a file, so that the same search need not run again. Several
// goroutines and several processes may use the same file.
//
// The file is text. After a header each line is a record: the checksum of the rest (xxh3
// in 16 hexadecimal digits), a space, the key, a tab, and the end of the answer as JSON.
// Records are only appended, each with one Write, so a process that is killed damages at
// most the record that it writes. Lines with a wrong checksum are ignored. When the file
// has reached its limit, a new file with the newest half replaces it.
type Cache struct {
	mu      sync.Mutex
	path    string
	program string // identifies the program and its options, at the beginning of each key
	limit   int64  // bytes
	file    *os.File
	read    int64            // bytes of the file that are in the index
	lines   int              // in these bytes
	index   map[uint64]int64 // where a record begins, by the hash of its key
	failed  bool             // nothing more is written
	warn    func(string)     // reports damage and failures
	rename  func(from, to string) error
}

// cacheHeader is the first line of a cache.
const cacheHeader = "gyre analysis cache 1\n"

// leastCache is the least limit of a cache in bytes: more than its longest record.
const leastCache = 1 << 20

// OpenCache opens a cache file, and creates it if it does not exist. program identifies
// everything but the query that an answer depends on, such as the revision, the weights and
// the size of the hash table; answers of other programs are ignored. The file grows to limit
// bytes at most. warn receives each message about damage and failed writes, which never stop
// an analysis. OpenCache fails if the file cannot be read, or if it is not a cache.
func OpenCache(path, program string, limit int64, warn func(string)) (*Cache, error) {
	c := &Cache{path: path, program: program, limit: max(limit, leastCache), warn: warn, rename: os.Rename}
	return c, c.open()
}

// Close closes the file.
func (c *Cache) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.file.Close()
}

// open opens the file and reads it.
func (c *Cache) open() error {
	file, err := os.OpenFile(c.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	c.file, c.read, c.lines, c.index = file, 0, 0, map[uint64]int64{}
	start := make([]byte, len(cacheHeader))
	n, err := file.ReadAt(start, 0)
	switch {
	case err != nil && err != io.EOF:
	case !strings.HasPrefix(cacheHeader, string(start[:n])):
		err = fmt.Errorf("%s:1: not an analysis cache: name a new file or one that -cache has written", c.path)
	case n < len(cacheHeader):
		_, err = file.WriteString(cacheHeader[n:]) // to a new file, or after a beginning of it
	case !endsLine(file):
		_, err = file.WriteString("\n") // after a record that was not finished
	default:
		err = nil
	}
	if err == nil {
		err = c.update()
	}
	if err != nil {
		_ = file.Close()
	}
	return err
}

// endsLine reports whether the last byte of a file is a newline.
func endsLine(file *os.File) bool {
	info, err := file.Stat()
	if err != nil {
		return false
	}
	var last [1]byte
	_, err = file.ReadAt(last[:], info.Size()-1)
	return err == nil && last[0] == '\n'
}

// update adds the records to the index that this or another process has appended.
func (c *Cache) update() error {
	info, err := c.file.Stat()
	if err != nil || info.Size() <= c.read {
		return err
	}
	in := bufio.NewReaderSize(io.NewSectionReader(c.file, c.read, info.Size()-c.read), 1<<16)
	damaged, first := 0, 0
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			break // what follows the last newline may still be written
		}
		if err != nil {
			return err
		}
		c.lines++
		if key, _, ok := recordOf(line); ok {
			c.index[xxh3.HashString(key)] = c.read
		} else if string(line) != cacheHeader && len(line) > 1 {
			if damaged++; first == 0 {
				first = c.lines
			}
		}
		c.read += int64(len(line))
	}
	if damaged > 0 {
		c.warn(fmt.Sprintf("%s:%d: %d damaged records ignored", c.path, first, damaged))
	}
	return nil
}

// recordOf returns the key and the answer of a line, and reports whether it is intact.
func recordOf(line []byte) (key string, answer []byte, ok bool) {
	const sum = 16 // hexadecimal digits
	line, ended := bytes.CutSuffix(line, []byte("\n"))
	if !ended || len(line) <= sum || line[sum] != ' ' {
		return "", nil, false
	}
	want, err := strconv.ParseUint(string(line[:sum]), 16, 64)
	if err != nil || want != xxh3.Hash(line[sum+1:]) {
		return "", nil, false
	}
	word, answer, ok := bytes.Cut(line[sum+1:], []byte("\t"))
	return string(word), answer, ok
}

// key identifies a search.
func (c *Cache) key(q *Query, p *position.Position) string {
	return fmt.Sprintf("%s %s %s nodes=%d ms=%d multipv=%d", c.program, p.Rules(), p, q.Limits.Nodes, q.Limits.MoveTime.Milliseconds(), q.MultiPV)
}

// get returns the end of the answer with a key, or nil.
func (c *Cache) get(key string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found := c.find(key); found != nil {
		return found
	}
	// Another process may have answered it.
	if err := c.follow(); err != nil {
		c.fail(err)
		return nil
	}
	return c.find(key)
}

func (c *Cache) find(key string) []byte {
	at, ok := c.index[xxh3.HashString(key)]
	if !ok {
		return nil
	}
	line, err := bufio.NewReader(io.NewSectionReader(c.file, at, 1<<40)).ReadBytes('\n')
	if err != nil {
		return nil
	}
	if found, answer, ok := recordOf(line); ok && found == key {
		return answer
	}
	return nil
}

// follow reads what other processes have appended, and opens the file again if one of them
// has replaced it.
func (c *Cache) follow() error {
	if c.failed {
		return nil
	}
	current, err := os.Stat(c.path)
	if err == nil {
		var mine os.FileInfo
		if mine, err = c.file.Stat(); err == nil && os.SameFile(current, mine) {
			return c.update()
		}
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	_ = c.file.Close() // every record was written at once
	return c.open()
}

// put appends an answer. A failure is reported once.
func (c *Cache) put(key string, answer []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed {
		return
	}
	rest := append(append([]byte(key), '\t'), answer...)
	record := append(fmt.Appendf(nil, "%016x ", xxh3.Hash(rest)), rest...)
	record = append(record, '\n')
	err := c.follow()
	if err == nil && c.read+int64(len(record)) > c.limit {
		err = c.shrink()
	}
	if err == nil {
		_, err = c.file.Write(record)
	}
	if err != nil {
		c.fail(err)
	}
}

// fail reports an error and stops writing.
func (c *Cache) fail(err error) {
	c.failed = true
	c.warn(fmt.Sprintf("%v: answers are no longer kept", err))
}

// shrink replaces the file by one with the newest half of its records.
func (c *Cache) shrink() error {
	before, err := c.file.Stat()
	if err != nil {
		return err
	}
	in := io.NewSectionReader(c.file, 0, c.read)
	if _, err := in.Seek(max(0, c.read-c.limit/2), io.SeekStart); err != nil {
		return err
	}
	out, err := os.CreateTemp(filepath.Dir(c.path), filepath.Base(c.path)+".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name()) // fails after the rename
	lines := bufio.NewReader(in)
	to := bufio.NewWriter(out)
	_, _ = to.WriteString(cacheHeader) // Flush returns the error
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			return errors.Join(err, out.Close())
		}
		if _, _, ok := recordOf(line); ok { // the first line may be the end of one
			_, _ = to.Write(line)
		}
	}
	if err := errors.Join(to.Flush(), out.Chmod(before.Mode().Perm()), out.Close()); err != nil {
		return err
	}
	_ = c.file.Close() // every record was written at once, and Windows replaces no open file
	return errors.Join(c.rename(out.Name(), c.path), c.open())
}
