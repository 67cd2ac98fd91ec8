package server

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"gyre/bench/hub/internal/wire"
)

const (
	// filesTTL is how long a file is kept after its last use: a match in progress sends it again.
	filesTTL = 30 * 24 * time.Hour
	// partTTL is how long an incomplete file is kept after its last part.
	partTTL = time.Hour
	// hashTTL is how long the hash of a file counts while its size and its times stay the same: a disk may damage it.
	hashTTL = 10 * time.Minute
	// maxFiles bounds the files of a key, in bytes, of which each file counts as leastFile or more.
	maxFiles  = 8 << 30
	leastFile = 1 << 20
)

// files are the files that matches have sent: each in a folder of its key, under its SHA-256. Nobody
// can store other contents under a hash. Incomplete files end with part.
type files struct {
	dir  string
	room func(size int64) error // returns an error unless the disk has room; nil for no limit

	mu  sync.Mutex
	all map[string]*storedFile // by hash, and incomplete ones by owner and hash
}

// storedFile is a file, which may be incomplete.
type storedFile struct {
	owner, path string
	size        int64 // when it is complete
	// hashed is when its contents were found right, and right how the file was then; nil before.
	hashed time.Time
	right  os.FileInfo
}

const part = ".part"

// openFiles reads a folder of files. It deletes incomplete ones.
func openFiles(dir string) (*files, error) {
	f := &files{dir: dir, all: map[string]*storedFile{}}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return f, filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		switch hash := filepath.Base(path); {
		case err != nil || info.IsDir():
			return err
		case !wire.Hash.MatchString(hash) || f.all[hash] != nil: // incomplete, or twice
			return os.Remove(path)
		default:
			f.all[hash] = &storedFile{owner: filepath.Base(filepath.Dir(path)), path: path, size: info.Size()}
			return nil
		}
	})
}

// lookUp returns a complete file; nil for none.
func (f *files) lookUp(hash string) *storedFile {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.all[hash]
}

// read returns a part of a file.
func (f *files) read(r *wire.FileRequest) (data []byte, reply wire.FileReply, err error) {
	stored := f.lookUp(r.SHA256)
	if stored == nil {
		return nil, reply, nil
	}
	file, err := os.Open(stored.path)
	if errors.Is(err, os.ErrNotExist) { // somebody deleted it
		return nil, reply, f.drop(r.SHA256, stored)
	}
	if err != nil {
		return nil, reply, err
	}
	defer file.Close()
	if r.Offset == 0 {
		f.use(stored)
	}
	data = make([]byte, wire.MaxChunk)
	n, err := file.ReadAt(data, r.Offset)
	if err == io.EOF {
		err = nil
	}
	return data[:n], wire.FileReply{Found: true, Size: stored.size, Offset: r.Offset}, err
}

// drop deletes a file, unless another one has its name meanwhile.
func (f *files) drop(name string, stored *storedFile) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if stored == nil || f.all[name] != stored {
		return nil
	}
	if err := os.Remove(stored.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err // it still counts
	}
	delete(f.all, name)
	return nil
}

// use notes that a file is in use.
func (f *files) use(stored *storedFile) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now, unchanged := time.Now(), stored.unchanged()
	_ = os.Chtimes(stored.path, now, now) // otherwise it is sent again one day
	if unchanged {
		stored.right, _ = os.Stat(stored.path)
	}
}

// unchanged reports whether the contents were found right not long ago, and the file has not changed since.
func (s *storedFile) unchanged() bool {
	info, err := os.Stat(s.path)
	return err == nil && s.right != nil && time.Since(s.hashed) < hashTTL && info.Size() == s.right.Size() && info.ModTime().Equal(s.right.ModTime())
}

// intact reports whether a file has its contents. It reads a file once while many matches send it.
func (f *files) intact(hash string, stored *storedFile) bool {
	f.mu.Lock()
	unchanged := stored.unchanged()
	f.mu.Unlock()
	if unchanged {
		return true
	}
	info, err := os.Stat(stored.path)
	if err != nil {
		return false
	}
	if sum, _, err := wire.HashFile(stored.path); err != nil || sum != hash {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	stored.hashed, stored.right = time.Now(), info
	return true
}

// put stores a part of a file, unless the file is there with its contents. The reply says which part
// is needed next. Only one goroutine at a time may put files of the same owner.
func (f *files) put(owner string, r *wire.FileRequest, data []byte) (reply wire.FileReply, err error) {
	name := owner + "/" + r.SHA256
	if stored := f.lookUp(r.SHA256); stored != nil {
		if len(data) > 0 { // another key has completed it meanwhile
			return wire.FileReply{Found: true, Size: stored.size}, f.drop(name, f.lookUp(name))
		}
		if f.intact(r.SHA256, stored) {
			f.use(stored)
			return wire.FileReply{Found: true, Size: stored.size}, nil
		}
		if err := f.drop(r.SHA256, stored); err != nil { // it is damaged
			return reply, err
		}
	}
	incomplete, err := f.reserve(owner, name, r)
	if err != nil {
		return reply, err
	}
	file, err := os.OpenFile(incomplete.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return reply, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return reply, err
	}
	have := info.Size()
	if r.Offset == have && have+int64(len(data)) <= r.Size {
		if err := f.hasRoom(int64(len(data))); err != nil {
			return reply, err
		}
		if _, err := file.WriteAt(data, have); err != nil {
			return reply, err
		}
		have += int64(len(data))
	}
	if have < r.Size {
		return wire.FileReply{Offset: have}, nil
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return reply, err
	}
	return f.complete(name, r.SHA256, incomplete)
}

// complete keeps an incomplete file that has all its bytes, unless they are others, or another key has completed the same
// file.
func (f *files) complete(name, hash string, incomplete *storedFile) (reply wire.FileReply, err error) {
	if sum, _, err := wire.HashFile(incomplete.path); err != nil || sum != hash {
		return reply, errors.Join(fmt.Errorf("the contents of the file have SHA-256 %s instead of %s: send it again", sum, hash), err, f.drop(name, incomplete))
	}
	reply = wire.FileReply{Found: true, Size: incomplete.size}
	f.mu.Lock()
	if f.all[hash] == nil {
		defer f.mu.Unlock()
		complete := &storedFile{owner: incomplete.owner, path: strings.TrimSuffix(incomplete.path, part), size: incomplete.size}
		if err := os.Rename(incomplete.path, complete.path); err != nil {
			return wire.FileReply{}, err
		}
		delete(f.all, name)
		f.all[hash] = complete
		return reply, nil
	}
	f.mu.Unlock()
	return reply, f.drop(name, incomplete)
}

// hasRoom returns an error unless the disk has room for size more bytes.
func (f *files) hasRoom(size int64) error {
	if f.room == nil {
		return nil
	}
	return f.room(size)
}

// reserve returns the incomplete file of a request. The disk has room for all of it and of the other incomplete files of
// its owner; what others have announced takes no room before they send it.
func (f *files) reserve(owner, name string, r *wire.FileRequest) (*storedFile, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if incomplete := f.all[name]; incomplete != nil && incomplete.size == r.Size {
		return incomplete, nil
	}
	used, reserved := max(min(r.Size, maxFiles+1), leastFile), r.Size // a sum with more could overflow
	for other, stored := range f.all {
		if stored.owner == owner && other != name {
			used += max(stored.size, leastFile)
			if strings.HasSuffix(stored.path, part) {
				reserved += stored.size
			}
		}
	}
	if used > maxFiles {
		return nil, fmt.Errorf("the files of key %s would have %d bytes or more, and a hub stores %d for each, with %d or more for a file: files that no match uses are deleted after %d days", owner, used, int64(maxFiles), leastFile, int(filesTTL.Hours()/24))
	}
	if err := f.hasRoom(reserved); err != nil {
		return nil, err
	}
	dir := filepath.Join(f.dir, owner)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	incomplete := &storedFile{owner: owner, path: filepath.Join(dir, r.SHA256+part), size: r.Size}
	if err := os.Remove(incomplete.path); err != nil && !errors.Is(err, os.ErrNotExist) { // of another size
		return nil, err
	}
	f.all[name] = incomplete
	return incomplete, nil
}

// expire deletes the files that nobody has used for long, and incomplete ones.
func (f *files) expire(now time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var err error
	for name, stored := range f.all {
		ttl := filesTTL
		if strings.HasSuffix(stored.path, part) {
			ttl = partTTL
		}
		info, failed := os.Stat(stored.path)
		if errors.Is(failed, os.ErrNotExist) || failed == nil && now.Sub(info.ModTime()) > ttl {
			delete(f.all, name)
			if failed = os.Remove(stored.path); errors.Is(failed, os.ErrNotExist) {
				failed = nil
			}
		}
		err = errors.Join(err, failed)
	}
	return err
}
