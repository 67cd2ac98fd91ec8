package server

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
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
	// For one that a worker did not get, that is doubtedTTL: no worker can make the hub read a file all the time.
	hashTTL    = 10 * time.Minute
	doubtedTTL = time.Minute
	// maxFiles bounds the files of a key, in bytes, of which each file counts as wire.LeastFile or more.
	maxFiles = 8 << 30
	// maxShare bounds what a key has on a disk, also on a large one. A key at its share waits until resumePart of it is free.
	maxShare   = 64 << 30
	resumePart = 16
	// unusedTTL is after how long without use a file makes room for others of its key.
	unusedTTL = time.Hour
)

// files are the files that matches have sent: each in a folder of its key, under its SHA-256. Nobody
// can store other contents under a hash. Incomplete files end with part.
type files struct {
	dir  string
	room func(size int64) error // returns an error unless the disk has room; nil for no limit
	// share returns how many bytes a key may have if all keys have stored some; nil for any number.
	share func(stored int64) int64

	mu      sync.Mutex
	all     map[string]*storedFile // by hash, and incomplete ones by owner and hash
	matches map[string]wire.Stored // what the detached matches of each key have on the same disk
}

// storedFile is a file, which may be incomplete.
type storedFile struct {
	owner, path string
	size        int64     // when it is complete
	has         int64     // on the disk
	used        time.Time // when it was used last; zero if it is incomplete
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
			f.all[hash] = &storedFile{owner: filepath.Base(filepath.Dir(path)), path: path, size: info.Size(), has: info.Size(), used: info.ModTime()}
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
	f.use(stored, r.Offset == 0)
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

// use notes that a file is in use. If that is lasting, it is so also after a restart.
func (f *files) use(stored *storedFile, lasting bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	stored.used = now
	if !lasting {
		return
	}
	unchanged := stored.unchanged(hashTTL)
	_ = os.Chtimes(stored.path, now, now) // otherwise it is sent again one day
	if unchanged {
		stored.right, _ = os.Stat(stored.path)
	}
}

// unchanged reports whether the contents were found right less than ttl ago, and the file has not changed since.
func (s *storedFile) unchanged(ttl time.Duration) bool {
	info, err := os.Stat(s.path)
	return err == nil && s.right != nil && time.Since(s.hashed) < ttl && info.Size() == s.right.Size() && info.ModTime().Equal(s.right.ModTime())
}

// intact reports whether a file has its contents. It reads a file once while many matches send it.
func (f *files) intact(hash string, stored *storedFile, doubted bool) bool {
	ttl := hashTTL
	if doubted {
		ttl = doubtedTTL
	}
	f.mu.Lock()
	unchanged := stored.unchanged(ttl)
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
		if f.intact(r.SHA256, stored, r.Doubted) {
			f.use(stored, true)
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
		f.mu.Lock()
		incomplete.has = have
		f.mu.Unlock()
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
	read := time.Now()
	info, _ := os.Stat(incomplete.path) // without it the file is read again
	if sum, _, err := wire.HashFile(incomplete.path); err != nil || sum != hash {
		return reply, errors.Join(fmt.Errorf("the contents of the file have SHA-256 %s instead of %s: send it again", sum, hash), err, f.drop(name, incomplete))
	}
	reply = wire.FileReply{Found: true, Size: incomplete.size}
	f.mu.Lock()
	if f.all[hash] == nil {
		defer f.mu.Unlock()
		complete := &storedFile{owner: incomplete.owner, path: strings.TrimSuffix(incomplete.path, part), size: incomplete.size, has: incomplete.size, used: time.Now(),
			hashed: read, right: info}
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
	size := max(min(r.Size, maxFiles+1), wire.LeastFile) // a sum with more could overflow
	used, reserved := size, r.Size
	for other, stored := range f.all {
		if stored.owner == owner && other != name {
			used += stored.counted()
			if strings.HasSuffix(stored.path, part) {
				reserved += stored.size - stored.has
			}
		}
	}
	if used > maxFiles {
		return nil, fmt.Errorf("the files of key %s would have %d bytes or more, and a hub stores %d for each, with %d or more for a file: files that no match uses are deleted after %d days", owner, used, int64(maxFiles), wire.LeastFile, int(filesTTL.Hours()/24))
	}
	all := f.accounts()
	key := keyOf(owner)
	if all[key] == nil {
		all[key] = &account{}
	}
	var full error
	if key == owner { // a detached match has its own copy, which counts, and must go on
		full = f.mayStore(key, all[key], size, f.shareOf(all))
	}
	if err := cmp.Or(full, f.hasRoom(reserved)); err != nil {
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

// keyOf returns for which key the files of an owner count: its detached matches have their own; see onBehalf.
func keyOf(owner string) string { return strings.TrimPrefix(owner, wire.Hub) }

// account is what a key has on the disk.
type account struct {
	wire.Stored
	unused int64 // bytes of files that nobody has used for some time
}

// accounts returns what each key has on the disk. f.mu must be held.
func (f *files) accounts() map[string]*account {
	all := map[string]*account{}
	of := func(key string) *account {
		if all[key] == nil {
			all[key] = &account{}
		}
		return all[key]
	}
	for key, stored := range f.matches {
		of(key).Stored = stored
	}
	for _, stored := range f.all {
		a, size := of(keyOf(stored.owner)), stored.counted()
		a.Bytes += stored.has
		a.Claimed += size - stored.has
		if stored.isUnused() {
			a.unused += size
		}
	}
	return all
}

// counted returns how many bytes a file counts as.
func (s *storedFile) counted() int64 { return max(s.size, wire.LeastFile) }

// isUnused reports whether a file has not been used for some time. An incomplete one is in use.
func (s *storedFile) isUnused() bool { return !s.used.IsZero() && time.Since(s.used) > unusedTTL }

// shareOf returns how many bytes a key may have.
func (f *files) shareOf(all map[string]*account) int64 {
	if f.share == nil {
		return math.MaxInt64
	}
	stored := int64(0)
	for _, a := range all {
		stored += a.Bytes
	}
	return min(f.share(stored), maxShare)
}

// mayStore returns an error if a key would have more than it may with size more bytes. Files that nobody has used for some
// time make room. What has no key is anybody's. f.mu must be held.
func (f *files) mayStore(key string, a *account, size, most int64) error {
	if key == "" || a == nil || a.All()+size <= most {
		return nil
	}
	if over := a.All() + size - most; a.unused >= over {
		f.evict(key, over)
		return nil
	}
	return fmt.Errorf("%s has %d MiB of files, games and samples on the hub's disk, and may have %d: fetch and delete some of its detached matches; files that nobody has used for an hour make room by themselves", key, a.All()>>20, most>>20)
}

// evict deletes files of a key that nobody has used for some time, the oldest first, until size bytes no longer count.
// Matches in progress send them again. f.mu must be held.
func (f *files) evict(key string, size int64) {
	names := slices.DeleteFunc(slices.Collect(maps.Keys(f.all)), func(name string) bool { return keyOf(f.all[name].owner) != key || !f.all[name].isUnused() })
	slices.SortFunc(names, func(a, b string) int { return f.all[a].used.Compare(f.all[b].used) })
	for _, name := range names {
		if size <= 0 {
			return
		}
		stored := f.all[name]
		if err := os.Remove(stored.path); err == nil || errors.Is(err, os.ErrNotExist) {
			delete(f.all, name)
			size -= stored.counted()
		}
	}
}

// setMatches sets what the detached matches of each key have on the disk, and returns why keys may store no more, by key. One
// whose matches wait needs some room, so that they do not stop again at once.
func (f *files) setMatches(matches map[string]wire.Stored, waits map[string]bool) (full map[string]error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.matches, full = matches, map[string]error{}
	all := f.accounts()
	most := f.shareOf(all)
	for key, a := range all {
		size := int64(1)
		if waits[key] {
			size += most / resumePart
		}
		if err := f.mayStore(key, a, size, most); err != nil {
			full[key] = err
		}
	}
	return full
}

// usage returns how many bytes each key has on the disk, and how many it may have; 0 for any number.
func (f *files) usage() (stored map[string]int64, share int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.accounts()
	stored = map[string]int64{}
	for key, a := range all {
		if key != "" && a.All() > 0 {
			stored[key] = a.All()
		}
	}
	if share = f.shareOf(all); share == math.MaxInt64 {
		share = 0
	}
	return stored, share
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
