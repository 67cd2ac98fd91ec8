package server

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
	"golang.org/x/time/rate"

	"gyre/bench/hub/internal/wire"
	"gyre/position/plaintext/plaintexttest"
)

// send puts a file in parts of a size, and returns the number of parts.
func send(t *testing.T, f *files, owner string, contents []byte, size int) (hash string, parts int) {
	t.Helper()
	sum := sha256.Sum256(contents)
	hash = hex.EncodeToString(sum[:])
	r := &wire.FileRequest{SHA256: hash, Size: int64(len(contents))}
	var data []byte
	for {
		reply, err := f.put(owner, r, data)
		if err != nil {
			t.Fatal(err)
		}
		if reply.Found {
			return hash, parts
		}
		r.Offset = reply.Offset
		data = contents[r.Offset:min(len(contents), int(r.Offset)+size)]
		parts++
	}
}

// receive gets a file; nil if there is none.
func receive(t *testing.T, f *files, hash string) (contents []byte) {
	t.Helper()
	for {
		data, reply, err := f.read(&wire.FileRequest{SHA256: hash, Offset: int64(len(contents))})
		if err != nil {
			t.Fatal(err)
		}
		if contents = append(contents, data...); !reply.Found || int64(len(contents)) == reply.Size {
			return contents
		}
	}
}

// TestFiles sends files, one of them in parts over a restart, and damages and deletes stored ones.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	open := func() *files {
		f, err := openFiles(dir)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f, contents := open(), bytes.Repeat([]byte("0123456789"), 100_000)
	hash, parts := send(t, f, "me", contents, wire.MaxChunk)
	if !bytes.Equal(receive(t, f, hash), contents) || parts != 4 {
		t.Errorf("another file came back, of %d parts", parts)
	}
	if _, parts := send(t, f, "other", contents, wire.MaxChunk); parts != 0 {
		t.Errorf("a file that is there was sent again in %d parts", parts)
	}
	if empty, _ := send(t, f, "me", nil, 1); receive(t, f, empty) != nil || f.lookUp(empty) == nil {
		t.Error("an empty file has contents")
	}
	f = open() // after a restart
	if !bytes.Equal(receive(t, f, hash), contents) {
		t.Error("after a restart there is another file")
	}
	path := f.lookUp(hash).path
	if err := os.WriteFile(path, contents[1:], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, parts := send(t, f, "me", contents, wire.MaxChunk); parts != 4 || !bytes.Equal(receive(t, f, hash), contents) {
		t.Errorf("a damaged file was sent in %d parts", parts)
	}
	// Damage that no time of the file shows is found later: many matches send the same file. It is found soon if a worker
	// did not get the file.
	damage := func() {
		t.Helper()
		info, err := os.Stat(path)
		if err = errors.Join(err, os.WriteFile(path, append([]byte("x"), contents[1:]...), 0o600), os.Chtimes(path, info.ModTime(), info.ModTime())); err != nil {
			t.Fatal(err)
		}
	}
	damage()
	for _, test := range []struct {
		age            time.Duration // of the hash
		doubted, found bool
	}{{0, true, true}, {doubtedTTL, false, true}, {doubtedTTL, true, false}} {
		f.lookUp(hash).hashed = time.Now().Add(-test.age)
		reply, err := f.put("me", &wire.FileRequest{SHA256: hash, Size: int64(len(contents)), Doubted: test.doubted}, nil)
		if err != nil || reply.Found != test.found {
			t.Errorf("%v after its hash, the hub has a damaged file, doubted %v: %v, %v", test.age, test.doubted, reply.Found, err)
		}
	}
	send(t, f, "me", contents, wire.MaxChunk) // which reads it when it is complete
	damage()
	for _, sender := range []string{"me", "other"} {
		if _, parts := send(t, f, sender, contents, wire.MaxChunk); parts != 0 {
			t.Error("an unchanged file is read each time that it is sent")
		}
	}
	receive(t, f, hash)
	f.lookUp(hash).hashed = time.Now().Add(-hashTTL)
	if _, parts := send(t, f, "me", contents, wire.MaxChunk); parts != 4 || !bytes.Equal(receive(t, f, hash), contents) {
		t.Errorf("a file that the disk has damaged was sent in %d parts", parts)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if got := receive(t, f, hash); got != nil {
		t.Errorf("a deleted file has %d bytes", len(got))
	}
	if _, parts := send(t, f, "me", contents, wire.MaxChunk); parts != 4 {
		t.Errorf("a deleted file was sent in %d parts", parts)
	}
}

// TestWrongFiles sends contents with another hash, parts out of order, and more than a key may store.
func TestWrongFiles(t *testing.T) {
	f, err := openFiles(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	hash := hex.EncodeToString(bytes.Repeat([]byte{7}, 32))
	if _, err := f.put("me", &wire.FileRequest{SHA256: hash, Size: 3}, []byte("abc")); err == nil || f.lookUp(hash) != nil {
		t.Errorf("other contents: %v", err)
	}
	if reply, err := f.put("me", &wire.FileRequest{SHA256: hash, Size: 9, Offset: 3}, []byte("abc")); err != nil || reply.Offset != 0 {
		t.Errorf("the second part first: %+v, %v", reply, err)
	}
	if reply, err := f.put("me", &wire.FileRequest{SHA256: hash, Size: 2}, []byte("abc")); err != nil || reply.Offset != 0 {
		t.Errorf("more than its size: %+v, %v", reply, err)
	}
	if _, err := f.put("me", &wire.FileRequest{SHA256: hash, Size: maxFiles + 1}, nil); err == nil {
		t.Error("a key may store any number of bytes")
	}
	other := hex.EncodeToString(bytes.Repeat([]byte{8}, 32))
	if _, err := f.put("me", &wire.FileRequest{SHA256: other, Size: math.MaxInt64}, nil); err == nil {
		t.Error("a file may be larger than all files of a key together")
	}
	for i := range maxFiles / wire.LeastFile {
		f.all[fmt.Sprint("me/", i)] = &storedFile{owner: "me", size: 1}
	}
	if _, err := f.put("me", &wire.FileRequest{SHA256: other, Size: 1}, nil); err == nil {
		t.Error("a key may store any number of small files")
	}
	if _, err := f.put("other", &wire.FileRequest{SHA256: other, Size: 1}, nil); err != nil {
		t.Errorf("another key: %v", err)
	}
}

// TestFileOfTwo lets two keys send the same file at the same time. The hub keeps one, also one that is damaged and sent
// again by the other, and counts it.
func TestFileOfTwo(t *testing.T) {
	dir := t.TempDir()
	f, err := openFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	stored := func() (paths []string) {
		t.Helper()
		paths, err := filepath.Glob(filepath.Join(dir, "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return slices.DeleteFunc(paths, func(path string) bool { return strings.HasSuffix(path, part) })
	}
	contents := []byte("an engine")
	sum := sha256.Sum256(contents)
	r := &wire.FileRequest{SHA256: hex.EncodeToString(sum[:]), Size: int64(len(contents))}
	for _, owner := range []string{"one", "two"} {
		if _, err := f.put(owner, r, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, owner := range []string{"one", "two"} {
		if reply, err := f.put(owner, r, contents); err != nil || !reply.Found {
			t.Errorf("%+v, %v", reply, err)
		}
	}
	if all := stored(); len(all) != 1 {
		t.Fatalf("the hub has %q", all)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*", "*"+part)); err != nil || len(left) > 0 || len(f.all) != 1 {
		t.Errorf("%q of the second are left, %d files count, %v", left, len(f.all), err)
	}
	if err := os.WriteFile(stored()[0], []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	send(t, f, "two", contents, len(contents))
	if all := stored(); len(all) != 1 || filepath.Base(filepath.Dir(all[0])) != "two" {
		t.Errorf("the hub has %q", all)
	}
}

// TestReservedFiles lets a key announce files as large as it may, and send nothing of them. Others send theirs, up to
// what the disk has room for, and only what is sent takes room.
func TestReservedFiles(t *testing.T) {
	f, err := openFiles(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const free = maxFiles + maxFiles/2
	stored := int64(0)
	f.room = func(size int64) error {
		if stored+size > free {
			return syscall.ENOSPC
		}
		return nil
	}
	put := func(owner string, file byte, size int64, data []byte) error {
		hash := hex.EncodeToString(bytes.Repeat([]byte{file}, 32))
		_, err := f.put(owner, &wire.FileRequest{SHA256: hash, Size: size}, data)
		return err
	}
	for _, test := range []struct {
		owner  string
		file   byte
		size   int64
		data   []byte
		stored int64 // before, on the disk
		has    bool
	}{
		{"idle", 1, maxFiles, nil, 0, true},
		{"idle", 2, wire.LeastFile, nil, 0, false}, // more than the key may have
		{"one", 1, maxFiles, nil, 0, true},
		{"two", 2, maxFiles, nil, 0, true},
		{"three", 3, maxFiles / 2, nil, maxFiles, true},
		{"three", 4, 1, nil, maxFiles, false}, // the key needs all that is left
		{"three", 3, maxFiles / 2, []byte("abc"), free - 2, false},
		{"three", 3, maxFiles / 2, []byte("ab"), free - 2, true},
		{"three", 4, 1, nil, free - maxFiles/2 + 1, true}, // of the other file, two bytes are on the disk
		{"four", 5, maxFiles, nil, maxFiles, false},
	} {
		stored = test.stored
		if err := put(test.owner, test.file, test.size, test.data); (err == nil) != test.has {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

// TestShareOfRunning has a key reach its share while its match runs. The hub still takes the programs of the match again, whose
// copy counts already, from its own copy.
func TestShareOfRunning(t *testing.T) {
	f, err := openFiles(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f.share = func(int64) int64 { return 4 * wire.LeastFile }
	f.setMatches(map[string]wire.Stored{"me": {Bytes: 4 * wire.LeastFile}}, nil)
	r := &wire.FileRequest{SHA256: strings.Repeat("ab", 32), Size: 1}
	for owner, takes := range map[string]bool{"me": false, wire.Hub + "me": true} {
		if _, err := f.put(owner, r, nil); (err == nil) != takes {
			t.Errorf("files of %s: %v", owner, err)
		}
	}
}

// TestShares lets a key fill its share of a disk with each kind of bytes. Its matches have to wait, it may send no more files,
// and others may go on. When it has freed some, its matches resume. Files that it has not used for long make room by themselves.
func TestShares(t *testing.T) {
	const most = 4 * wire.LeastFile
	hashOf := func(file byte) string { return hex.EncodeToString(bytes.Repeat([]byte{file}, 32)) }
	announce := func(f *files, owner string, size int64) error {
		_, err := f.put(owner, &wire.FileRequest{SHA256: hashOf(1), Size: size}, nil)
		return err
	}
	matches := func(mine wire.Stored) map[string]wire.Stored {
		return map[string]wire.Stored{"me": mine, "other": {Bytes: wire.LeastFile}, "": {Bytes: 100 * most}}
	}
	contents := bytes.Repeat([]byte("x"), most)
	for _, test := range []struct {
		name string
		// fill has the key store most bytes.
		fill func(*testing.T, *files)
		mine wire.Stored // what its matches have
		old  bool        // whether files fill it, which make room when they are old
	}{
		{name: "games, samples and openings", mine: wire.Stored{Bytes: most}},
		{name: "files that a match is about to copy", mine: wire.Stored{Claimed: most}},
		{name: "files", old: true, fill: func(t *testing.T, f *files) { send(t, f, "me", contents, wire.MaxChunk) }},
		{name: "files of its detached matches", old: true, fill: func(t *testing.T, f *files) { send(t, f, wire.Hub+"me", contents, wire.MaxChunk) }},
		{name: "small files", old: true, fill: func(t *testing.T, f *files) {
			for i := range most / wire.LeastFile {
				send(t, f, "me", []byte{byte(i)}, 1)
			}
		}},
		{name: "a file that it has announced", fill: func(t *testing.T, f *files) {
			if err := announce(f, "me", most); err != nil {
				t.Fatal(err)
			}
		}},
		{name: "all of them", mine: wire.Stored{Bytes: wire.LeastFile, Claimed: wire.LeastFile}, fill: func(t *testing.T, f *files) {
			send(t, f, "me", []byte("y"), 1)
			send(t, f, wire.Hub+"me", []byte("z"), 1)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, err := openFiles(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			f.share = func(int64) int64 { return most }
			if test.fill != nil {
				test.fill(t, f)
			}
			full := f.setMatches(matches(test.mine), nil)
			if full["me"] == nil || len(full) > 1 {
				t.Errorf("those who may store no more: %v", full)
			}
			if f.put("me", &wire.FileRequest{SHA256: hashOf(2), Size: 1}, nil); f.lookUp("me/"+hashOf(2)) != nil {
				t.Error("the key may announce a file")
			}
			if err := announce(f, "other", 2*wire.LeastFile); err != nil {
				t.Errorf("the file of another key: %v", err)
			}
			stored, share := f.usage()
			if stored["me"] != most || stored["other"] != 3*wire.LeastFile || stored[""] != 0 || share != most {
				t.Errorf("%v of %d bytes", stored, share)
			}
			switch {
			case test.mine.All() == most:
				almost := wire.Stored{Bytes: most - most/resumePart/2}
				if f.setMatches(matches(almost), nil)["me"] != nil || f.setMatches(matches(almost), map[string]bool{"me": true})["me"] == nil {
					t.Error("a key that waits needs some room, and others need none")
				}
				if f.setMatches(matches(wire.Stored{}), map[string]bool{"me": true})["me"] != nil {
					t.Error("the key waits for ever")
				}
			case test.old:
				for _, stored := range f.all {
					stored.used = stored.used.Add(-2 * unusedTTL)
				}
				if full := f.setMatches(matches(test.mine), map[string]bool{"me": true}); len(full) > 0 {
					t.Errorf("files that nobody uses leave no room: %v", full)
				}
				if err := announce(f, "me", most); err != nil {
					t.Errorf("files that nobody uses leave no room for another: %v", err)
				}
				if reopened, err := openFiles(f.dir); err != nil || len(reopened.all) > 0 {
					t.Errorf("the folder has %d files, %v", len(reopened.all), err)
				}
			}
		})
	}
}

// TestCompletedTogether lets two keys complete the same file at the same moment, and finds a file damaged or deleted
// that is sent again meanwhile. The files on the disk are always those that count.
func TestCompletedTogether(t *testing.T) {
	contents := []byte("an engine")
	sum := sha256.Sum256(contents)
	hash := hex.EncodeToString(sum[:])
	r := &wire.FileRequest{SHA256: hash, Size: int64(len(contents))}
	for name, do := range map[string]func(f *files) error{
		"two complete it": func(f *files) error {
			var all []*storedFile
			for _, owner := range []string{"one", "two"} {
				_, err := f.put(owner, r, nil)
				incomplete := f.lookUp(owner + "/" + hash)
				if err = errors.Join(err, os.WriteFile(incomplete.path, contents, 0o600)); err != nil {
					return err
				}
				all = append(all, incomplete)
			}
			for _, incomplete := range all {
				if reply, err := f.complete(incomplete.owner+"/"+hash, hash, incomplete); err != nil || !reply.Found {
					return fmt.Errorf("%+v, %w", reply, err)
				}
			}
			return nil
		},
		"an earlier one is found damaged": func(f *files) error {
			_, err := f.put("one", r, contents)
			before := f.lookUp(hash)
			err = errors.Join(err, f.drop(hash, before))
			_, again := f.put("one", r, contents)
			return errors.Join(err, again, f.drop(hash, before))
		},
	} {
		f, err := openFiles(t.TempDir())
		if err == nil {
			err = do(f)
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		found, err := filepath.Glob(filepath.Join(f.dir, "*", "*"))
		if err != nil || len(found) != 1 || len(f.all) != 1 || f.lookUp(hash).path != found[0] {
			t.Errorf("%s: %q are on the disk, and %d count, %v", name, found, len(f.all), err)
		}
	}
}

// TestExpire deletes the files that nobody has used for a month, and incomplete ones after an hour.
func TestExpire(t *testing.T) {
	f, err := openFiles(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	used, _ := send(t, f, "me", []byte("used"), 4)
	old, _ := send(t, f, "me", []byte("old"), 3)
	hash := hex.EncodeToString(bytes.Repeat([]byte{7}, 32))
	if _, err := f.put("me", &wire.FileRequest{SHA256: hash, Size: 9}, nil); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-filesTTL + 2*partTTL)
	for _, hash := range []string{used, old} {
		if err := os.Chtimes(f.lookUp(hash).path, long, long); err != nil {
			t.Fatal(err)
		}
	}
	receive(t, f, used)
	if err := f.expire(time.Now()); err != nil || len(f.all) != 3 {
		t.Errorf("at once %d files remain, %v", len(f.all), err)
	}
	if err := f.expire(time.Now().Add(3 * partTTL)); err != nil || f.lookUp(used) == nil || len(f.all) != 1 {
		t.Errorf("after a month %d files remain, %v", len(f.all), err)
	}
	if left, err := os.ReadDir(filepath.Join(f.dir, "me")); err != nil || len(left) != 1 {
		t.Errorf("the folder has %v, %v", left, err)
	}
}

// newTestDoor is a door with keys for a worker attic, matches me and other, of which me has a limit of
// 5 jobs, and an administrator boss.
func newTestDoor(t *testing.T) *door {
	t.Helper()
	d, err := newDoor(t.TempDir(), func(err error) { t.Log(err) })
	if err != nil {
		t.Fatal(err)
	}
	d.setKeys([]Key{{Name: "attic", Role: wire.ForWorker}, {Name: "me", Role: wire.ForMatch, Jobs: 5}, {Name: "other", Role: wire.ForMatch}, {Name: "boss", Role: wire.ForAdmin}}, false)
	return d
}

// TestGrant lets matches of a key come and go. What they may have out never exceeds the limit, also
// before they have heard of a lower share.
func TestGrant(t *testing.T) {
	d := newTestDoor(t)
	live := func(id string, m *liveMatch) {
		m.Owner, m.reported = "me", time.Now()
		d.matches[id] = m
	}
	live("me.a", &liveMatch{})
	if got := d.grant("me.a", 5); got != 5 {
		t.Errorf("the only match gets %d", got)
	}
	live("me.b", &liveMatch{})
	if got := d.grant("me.b", 5); got != 0 {
		t.Errorf("a second match gets %d before the first knows", got)
	}
	d.matches["me.a"].limit, d.matches["me.a"].out = 5, 4
	if got := d.grant("me.a", 5); got != 3 {
		t.Errorf("the first gets %d of its share of 3", got)
	}
	if got := d.grant("me.b", 5); got != 0 {
		t.Errorf("the second gets %d while the first has 4 out", got)
	}
	d.matches["me.a"].limit, d.matches["me.a"].out = 3, 3
	if got := d.grant("me.b", 5); got != 2 {
		t.Errorf("then the second gets %d", got)
	}
	d.matches["me.c"] = &liveMatch{Listed: wire.Listed{Owner: "other"}, out: 100}
	delete(d.matches, "me.a")
	if got := d.grant("me.b", 5); got != 5 {
		t.Errorf("the last one gets %d", got)
	}
}

// TestBlame checks for whose matches a fault counts.
func TestBlame(t *testing.T) {
	for _, test := range []struct {
		reporter, owner string
		want            []string // who sees the worker suspended
	}{
		{"me", "", []string{"me"}},
		{"me", "other", []string{"me"}}, // only the hub may report for others
		{wire.Hub, "other", []string{"other"}},
		{wire.Hub, "", []string{wire.Hub, "me", "other"}},
		{"boss", "", []string{wire.Hub, "me", "other"}},
	} {
		d := newTestDoor(t)
		if _, err := d.blame(test.reporter, &wire.BlameRequest{Worker: "attic", Why: "a lie", Suspend: true, Owner: test.owner}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, name := range []string{wire.Hub, "me", "other"} {
			if f := d.faults(countFor(name))["attic"]; f != nil && f.Suspended() {
				got = append(got, name)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("a fault reported by %q for %q (-want +got):\n%s", test.reporter, test.owner, diff)
		}
		if everywhere := len(test.want) == 3; (d.suspended("attic") != nil) != everywhere {
			t.Errorf("a fault reported by %q: suspended %v", test.reporter, !everywhere)
		}
	}
	d := newTestDoor(t)
	for _, worker := range []string{"me", "cellar", "a.b", "*"} {
		if _, err := d.blame("boss", &wire.BlameRequest{Worker: worker, Suspend: true}); err == nil {
			t.Errorf("%s is a worker", worker)
		}
	}
}

// TestListedFaults checks which faults of a worker a key sees, and that those which count for the matches of one key have its
// name. Only the hub and administrators suspend a worker for all.
func TestListedFaults(t *testing.T) {
	d := newTestDoor(t)
	for reporter, r := range map[string]wire.BlameRequest{"me": {Suspend: true}, "other": {Suspend: true}, "boss": {}} {
		r.Worker, r.Why = "attic", "a lie to "+reporter
		if _, err := d.blame(reporter, &r); err != nil {
			t.Fatal(err)
		}
	}
	every := map[string]string{"attic": "boss 1", "me.attic": "me 3", "other.attic": "other 3"}
	for _, test := range []struct {
		name string
		want map[string]string // the last fault's reporter and their number
	}{
		{"me", map[string]string{"attic": "boss 1", "me.attic": "me 3"}},
		{"attic", map[string]string{"attic": "boss 1"}},
		{"boss", every},
		{wire.Hub, every},
	} {
		got := map[string]string{}
		for id, f := range d.status(test.name).Faults {
			got[id] = fmt.Sprintf("%s %d", strings.TrimPrefix(strings.Join(f.Last, " "), "a lie to "), f.Count)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("faults that %s sees (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestPrintableFaults blames workers for faults with control characters. None reaches the log of the hub or a status.
func TestPrintableFaults(t *testing.T) {
	var warned []string
	d := newTestDoor(t)
	d.warnings = wire.NewWarnings(func(err error) { warned = append(warned, err.Error()) })
	d.setKeys([]Key{{Name: "boss", Role: wire.ForAdmin}, {Name: "a", Role: wire.ForWorker}, {Name: "b", Role: wire.ForWorker}, {Name: "c", Role: wire.ForWorker}}, false)
	for i, r := range []wire.BlameRequest{{}, {Suspend: true}, {Mismatch: true}} {
		r.Worker, r.Why = string(rune('a'+i)), "a\x1b[2Jlie\n"
		if _, err := d.blame("boss", &r); err != nil {
			t.Fatal(err)
		}
	}
	all := d.faults(countFor("boss"))
	if len(all) != 3 || len(warned) != 1 {
		t.Errorf("%v, %q", all, warned)
	}
	for _, f := range all {
		warned = append(append(warned, f.Last...), f.LastMismatch)
	}
	for _, text := range warned {
		if text != wire.Printable(text, len(text)) {
			t.Errorf("%q", text)
		}
	}
}

// TestFaultsExpire checks that a suspension ends after a day, and that it outlives a restart, also of a machine whose
// clock was years ahead.
func TestFaultsExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTestDoor(t)
		d.offend("attic", errors.New("a flood"), true)
		d.offend("cellar", errors.New("a flood"), true)
		d.lasting.Faults["cellar"][wire.Hub].Updated = time.Now().AddDate(4, 0, 0).UTC()
		if err := d.save(); err != nil {
			t.Fatal(err)
		}
		again, err := newDoor(filepath.Dir(d.path), func(err error) { t.Error(err) })
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []*door{d, again} {
			if f := d.suspended("attic"); f == nil || f.Reason() != ", the last because: a flood" {
				t.Errorf("%+v", f)
			}
		}
		time.Sleep(wire.FaultsTTL + time.Second)
		for _, name := range []string{"attic", "cellar"} {
			if f := again.suspended(name); f != nil {
				t.Errorf("after a day %s has %+v", name, f)
			}
		}
	})
}

// TestOldFaults deletes the faults that no longer count, at a start and while the hub runs. Later ones stay.
func TestOldFaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTestDoor(t)
		d.setKeys([]Key{{Name: "me", Role: wire.ForMatch}, {Name: "attic", Role: wire.ForWorker}, {Name: "cellar", Role: wire.ForWorker}}, false)
		blame := func(by, worker string) {
			if _, err := d.blame(by, &wire.BlameRequest{Worker: worker, Why: "a lie"}); err != nil {
				t.Fatal(err)
			}
		}
		blame("me", "attic")
		blame(wire.Hub, "attic")
		blame("me", "cellar")
		time.Sleep(wire.FaultsTTL / 2)
		blame("me", "cellar")
		if err := d.save(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(wire.FaultsTTL/2 + time.Second)
		again, err := newDoor(filepath.Dir(d.path), func(err error) { t.Error(err) })
		if err != nil {
			t.Fatal(err)
		}
		d.forgetOldFaults()
		for what, d := range map[string]*door{"the hub": d, "the next hub": again} {
			if all := d.lasting.Faults; len(all) != 1 || len(all["cellar"]) != 1 || all["cellar"]["me"].Count != 2 {
				t.Errorf("%s keeps %v", what, all)
			}
		}
	})
}

// TestUnchangedState saves a state that has not changed since it was saved: that costs nothing, however much it has.
func TestUnchangedState(t *testing.T) {
	d := newTestDoor(t)
	for i := range 1000 {
		d.offend(fmt.Sprint("worker", i), errors.New("a flood"), false)
	}
	save := func() {
		if err := d.save(); err != nil {
			t.Fatal(err)
		}
	}
	save()
	if n := testing.AllocsPerRun(10, save); n > 0 {
		t.Errorf("an unchanged state is copied or encoded, in %v parts", n)
	}
}

// TestDamagedState starts with damaged states. Each is moved away with a warning.
func TestDamagedState(t *testing.T) {
	d := newTestDoor(t)
	d.offend("attic", errors.New("a flood"), true)
	if err := d.save(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(d.path)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"empty": nil, "half": whole[:len(whole)/2], "another kind": []byte(`{"kind":"x"}`)} {
		dir, warned := t.TempDir(), 0
		if err := os.WriteFile(filepath.Join(dir, "state.json"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			d, err := newDoor(dir, func(error) { warned++ })
			if err == nil {
				d.changed = true
				err = d.save()
			}
			if err != nil || d.suspended("attic") != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if moved, err := filepath.Glob(filepath.Join(dir, "state.json.damaged-*")); err != nil || len(moved) != 1 || warned != 1 {
			t.Errorf("%s: %v, %d warnings, %v", name, moved, warned, err)
		}
	}
}

// TestCharge suspends keys that send too much, whatever it is, and none that sends what it may.
func TestCharge(t *testing.T) {
	for _, test := range []struct {
		name           string
		size, messages int // a second
		suspended      bool
	}{
		{"attic", wire.QuotaRate / 2, 1000, false},
		{"attic", 2 * wire.QuotaRate, 1, true},
		{"attic", 0, 2 * wire.QuotaRate / wire.MessageCost, true},
		{"me", 2 * wire.QuotaRate, 1000, false},
		{"me", 2 * wire.MatchFactor * wire.QuotaRate, 1, true},
		{wire.Hub, 100 * wire.MatchFactor * wire.QuotaRate, 1, false},
	} {
		d, at := newTestDoor(t), time.Now()
		for range 60 {
			at = at.Add(time.Second)
			d.charge(test.name, test.size, test.messages, at)
		}
		if got := d.suspended(test.name) != nil; got != test.suspended {
			t.Errorf("%+v: suspended %v", test, got)
		}
	}
}

// TestUnsuspend checks whose faults a key can have forgotten.
func TestUnsuspend(t *testing.T) {
	for _, test := range []struct {
		by, key   string
		forgotten []string // by their reporters
	}{
		{"boss", "attic", []string{wire.Hub, "me", "other"}},
		{wire.Hub, "attic", []string{wire.Hub, "me", "other"}},
		{"me", "attic", []string{"me"}},
		{"attic", "attic", nil},
		{"boss", "cellar", nil},
		{"me", "cellar", nil},
	} {
		d := newTestDoor(t)
		for _, reporter := range []string{wire.Hub, "me", "other"} {
			if _, err := d.blame(reporter, &wire.BlameRequest{Worker: "attic", Why: "a lie", Suspend: true}); err != nil {
				t.Fatal(err)
			}
		}
		d.silence["attic"] = time.Now().Add(time.Hour)
		if _, err := d.unsuspend(test.by, &wire.UnsuspendRequest{Key: test.key}); (err == nil) != (test.forgotten != nil) {
			t.Errorf("%+v: %v", test, err)
		}
		var forgotten []string
		for _, reporter := range []string{wire.Hub, "me", "other"} {
			if d.lasting.Faults["attic"][reporter] == nil {
				forgotten = append(forgotten, reporter)
			}
		}
		if diff := cmp.Diff(test.forgotten, forgotten); diff != "" {
			t.Errorf("%s unsuspends %s (-want +got):\n%s", test.by, test.key, diff)
		}
		if (d.suspended("attic") == nil) != (len(forgotten) == 3) {
			t.Errorf("%s unsuspends %s: suspended %v", test.by, test.key, d.suspended("attic"))
		}
		if _, silent := d.silence["attic"]; silent != (d.suspended("attic") != nil) {
			t.Errorf("%s unsuspends %s: silent %v", test.by, test.key, silent)
		}
	}
}

// TestPanickingRequest lets a request panic, before it is carried out, too. The log has the stack, and the door continues.
func TestPanickingRequest(t *testing.T) {
	warned := ""
	d, err := newDoor(t.TempDir(), func(err error) { warned = err.Error() })
	if err != nil {
		t.Fatal(err)
	}
	receive := func(want string) {
		t.Helper()
		warned = ""
		d.receive(wire.Hello, nats.NewMsg(wire.ServiceSubject(wire.Hello, "me")), func(string, []byte) (wire.Replier, []byte, error) { panic("of a test") })
		if !strings.Contains(warned, "a request of me to hello: panic: "+want) || !strings.Contains(warned, "server_test.go") {
			t.Errorf("the log has %q", warned)
		}
	}
	quotas := d.quotas
	for range 2 {
		d.quotas = nil
		receive("assignment to entry in nil map")
		d.quotas = quotas
		receive("of a test")
	}
}

// TestPanickingConnections lets the hub panic because of a line that a connection sends, and while one signs in. The log has
// the stack, that connection ends, and the hub serves others.
func TestPanickingConnections(t *testing.T) {
	warnings := make(chan string, wire.WarningBurst)
	s, secret := startBy(t, Config{Warn: func(err error) { warnings <- err.Error() }}, "one", wire.ForWorker)
	addTwo(t, s)
	closed := make(chan struct{})
	conn, other := connect(t, s, secret, nats.NoReconnect(), nats.ClosedHandler(func(*nats.Conn) { close(closed) })), connect(t, s, secret)
	expect := func(where string) {
		t.Helper()
		for text := range warnings {
			if !strings.Contains(text, "panic: ") {
				t.Logf("other: %s", text)
				continue
			}
			if !strings.Contains(text, where) {
				t.Errorf("the log has %q", text)
			}
			break
		}
		if err := other.Flush(); err != nil {
			t.Errorf("another connection: %v", err)
		}
	}
	s.mu.Lock()
	inboxes := s.inboxes
	s.inboxes = nil
	s.mu.Unlock()
	if err := conn.Publish(wire.NextSubject("two.m", "one"), []byte("{}")); err != nil {
		t.Fatal(err)
	}
	expect(").admits(")
	<-closed
	s.mu.Lock()
	s.inboxes = inboxes
	own := s.own
	s.own = nil
	s.mu.Unlock()
	if _, err := nats.Connect(s.URL(), nats.Nkey(secret.Public, secret.Pair.Sign)); !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("it signs in: %v", err)
	}
	expect(").check(")
	s.mu.Lock()
	s.own = own
	s.mu.Unlock()
	connect(t, s, secret)
}

// TestManyWarnings lets a key cause a panic with each of its requests. The log of the hub has few of them, the number of the
// others, and those of another key.
func TestManyWarnings(t *testing.T) {
	var texts []string
	d, err := newDoor(t.TempDir(), func(err error) { texts = append(texts, err.Error()) })
	if err != nil {
		t.Fatal(err)
	}
	d.conn = &nats.Conn{}
	panics := func(name string) {
		d.carryOut(&waiting{wire.Hello, &nats.Msg{}, name, func(string, []byte) (wire.Replier, []byte, error) { panic("of a test") }})
	}
	const many = 200
	for range many {
		panics("loud")
	}
	if len(texts) != wire.WarningBurst {
		t.Errorf("the log has %d warnings", len(texts))
	}
	if panics("quiet"); len(texts) != wire.WarningBurst+1 {
		t.Error("the log has no warning of another key")
	}
	d.warnings.Flush(true)
	left := 0
	if _, err := fmt.Sscanf(texts[len(texts)-1], "%d more warnings of", &left); err != nil || left != many-wire.WarningBurst {
		t.Errorf("the last one is %q", texts[len(texts)-1])
	}
}

// TestLongStatuses lets a key report matches with long statuses. They keep neither the statuses of others from
// a reply, nor what workers send from the network.
func TestLongStatuses(t *testing.T) {
	s, _ := startFor(t, "me", wire.ForMatch)
	s.door.mu.Lock()
	s.door.interest = func(string) int { return 1 }
	s.door.shown["me"] = rate.NewLimiter(0, showBurst) // no slow machine lets it send more
	s.door.keys["other"] = Key{Name: "other", Role: wire.ForMatch}
	s.door.mu.Unlock()
	follower := ownConn(t, s)
	followed, err := follower.SubscribeSync(wire.MatchSubject(wire.AnyMatch))
	if err = errors.Join(err, followed.SetPendingLimits(-1, -1), follower.Flush()); err != nil {
		t.Fatal(err)
	}
	const matches = 100
	for i := range matches {
		status := fmt.Sprintf("%q", strings.Repeat("x", 256<<10))
		if _, err := s.door.report("me", &wire.ReportRequest{Key: fmt.Sprint(i), Status: json.RawMessage(status)}); err != nil {
			t.Fatal(err)
		}
	}
	reply, err := s.door.report("other", &wire.ReportRequest{Key: "m", Status: json.RawMessage("{}")})
	if err = errors.Join(err, s.conn.Flush(), follower.Flush()); err != nil || len(reply.Workers) > 0 {
		t.Fatal(reply, err)
	}
	if n, _, err := followed.Pending(); err != nil || n >= matches {
		t.Errorf("a worker gets %d statuses of one key, %v", n, err)
	}
	var last *nats.Msg
	for n, _, _ := followed.Pending(); n > 0; n-- {
		last, _ = followed.NextMsg(time.Minute)
	}
	if last == nil || last.Subject != wire.MatchSubject("other.m") {
		t.Error("the status of another key does not come")
	}
	status := s.door.status(wire.Hub)
	if text, err := json.Marshal(status); err != nil || len(text) > wire.MaxPayload || status.Matches["other.m"].Status == nil {
		t.Errorf("the status of the hub has %d bytes, %v", len(text), err)
	}
}

// TestEscapedStatuses reports statuses of characters that JSON may escape. They take no more bytes where they are shown than
// their sender has sent.
func TestEscapedStatuses(t *testing.T) {
	s, _ := startFor(t, "me", wire.ForMatch)
	s.door.mu.Lock()
	s.door.interest = func(string) int { return 1 }
	s.door.mu.Unlock()
	follower := ownConn(t, s)
	followed, err := follower.SubscribeSync(wire.MatchSubject(wire.AnyMatch))
	if err = errors.Join(err, follower.Flush()); err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"x", "<", ">", "&", "\u2028", "\x7f", "é", `\\`, `\u003c`} {
		status := `"` + strings.Repeat(what, 10<<10/len(what)) + `"`
		if _, err := s.door.report("me", &wire.ReportRequest{Key: "m", Status: json.RawMessage(status)}); err != nil {
			t.Fatal(err)
		}
		shown, err := followed.NextMsg(time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		listed, err := wire.Lines(s.door.status(wire.Hub), nil)
		if most := len(status) + wire.MessageCost/2; err != nil || len(shown.Data) > most || len(listed) > most {
			t.Errorf("a status of %d bytes of %q is shown in %d bytes and listed in %d, %v", len(status), what, len(shown.Data), len(listed), err)
		}
		s.door.mu.Lock()
		clear(s.door.matches) // the next one waits for no turn
		s.door.mu.Unlock()
	}
}

// TestHostileStatuses lets keys report statuses and faults that make replies too long or too deeply nested. Others
// still get replies that they can parse, with the statuses of the rest.
func TestHostileStatuses(t *testing.T) {
	fill := func(what string) string { return strings.Repeat(what, 60<<10/len(what)) }
	nested := func(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }
	for name, status := range map[string]string{
		"nested as deeply as a parser allows": nested(9_999), "nested a little less": nested(9_998), "nested": nested(200),
		"text that JSON may escape": `"` + fill("<") + `"`, "text that is no UTF-8": "\"" + fill("\xff") + "\"",
		"a key twice": `{"slots":1,"slots":2}`, "a huge number": `{"slots":1e999}`, "a long number": `{"slots":` + fill("9") + "}",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // no status expires
				d := newTestDoor(t)
				d.keys["bad"] = Key{Name: "bad", Role: wire.ForWorker}
				if _, err := d.join("attic", []byte(`{"slots":1}`)); err != nil {
					t.Fatal(err)
				}
				if _, err := d.report("me", &wire.ReportRequest{Key: "m", Status: json.RawMessage("{}")}); err != nil {
					t.Fatal(err)
				}
				parsed := func(reply wire.Replier) []byte {
					t.Helper()
					text, err := wire.Lines(reply, nil)
					if err != nil || len(text) > wire.MaxPayload {
						t.Fatalf("a reply has %d bytes, %v", len(text), err)
					}
					return text
				}
				if _, err := d.join("bad", []byte(status)); err != nil {
					t.Log(err)
				}
				for i := range 50 {
					var r wire.ReportRequest
					if err := json.Unmarshal(fmt.Appendf(nil, `{"key":"%d","status":%s}`, i, status), &r); err != nil {
						break // the hub takes no such request
					}
					if _, err := d.report("other", &r); err != nil {
						t.Log(err)
						break
					}
				}
				reply, err := d.report("me", &wire.ReportRequest{Key: "m", Status: json.RawMessage("{}")})
				if err != nil {
					t.Fatal(err)
				}
				var report wire.ReportReply
				if _, err := wire.ParseLines(parsed(reply), wire.MaxPayload, &report); err != nil || report.Workers["attic"] == nil {
					t.Errorf("the report of a match gets the workers %.40q, %v", report.Workers, err)
				}
				var all wire.StatusReply
				if _, err := wire.ParseLines(parsed(d.status(wire.Hub)), wire.MaxPayload, &all); err != nil || all.Matches["me.m"].Status == nil {
					t.Errorf("the status of the hub has the match %q, %v", all.Matches["me.m"].Status, err)
				}
			})
		})
	}
	t.Run("faults", func(t *testing.T) {
		d := newTestDoor(t)
		for i := range 1000 {
			worker := fmt.Sprint("worker", i)
			d.keys[worker] = Key{Name: worker, Role: wire.ForWorker}
			for n := range 6 {
				if _, err := d.blame("other", &wire.BlameRequest{Worker: worker, Why: strings.Repeat("<", wire.MaxText), Mismatch: n == 0}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if text, err := json.Marshal(d.status(wire.Hub)); err != nil || len(text) > wire.MaxPayload {
			t.Errorf("the status of the hub has %d bytes, %v", len(text), err)
		}
		if got := len(d.status(wire.Hub).Faults); got != 1000 {
			t.Errorf("the status of the hub has the faults of %d workers", got)
		}
		for _, records := range d.lasting.Faults {
			records[wire.Hub] = records["other"]
			for i := range 100 {
				records[fmt.Sprint("key", i)] = records["other"]
			}
		}
		all := d.status(wire.Hub)
		if text, err := json.Marshal(all); err != nil || len(text) > wire.MaxPayload {
			t.Errorf("with many keys, the status of the hub has %d bytes, %v", len(text), err)
		}
		for worker := range d.lasting.Faults {
			if all.Faults[worker] == nil {
				t.Errorf("with many keys, the status lacks the faults of %s that count for all", worker)
			}
		}
	})
}

// TestManyValues reports statuses with as many values as the hub and their readers take, and one more, which is their
// sender's fault.
func TestManyValues(t *testing.T) {
	for values, taken := range map[int]bool{wire.MaxValues: true, wire.MaxValues + 1: false} {
		d := newTestDoor(t)
		status := []byte("[" + strings.TrimSuffix(strings.Repeat("0,", values-1), ",") + "]")
		_, joined := d.join("attic", status)
		_, reported := d.report("me", &wire.ReportRequest{Key: "m", Status: status})
		for _, err := range []error{joined, reported} {
			if _, nonsense := errors.AsType[*wire.NonsenseError](err); nonsense == taken || nonsense != (err != nil) {
				t.Errorf("a status of %d values: %v", values, err)
			}
		}
		if len(d.status(wire.Hub).Workers) != len(d.status(wire.Hub).Matches) || len(d.workers) > 0 != taken {
			t.Errorf("a status of %d values: the hub has %d", values, len(d.workers))
		}
	}
}

// TestSharing reports matches of several keys. Each gets the number of those that its own key plays now, and a detached one
// that of those that the hub plays for its owner.
func TestSharing(t *testing.T) {
	d := newTestDoor(t)
	for i, test := range []struct {
		name string
		r    wire.ReportRequest
		want int
	}{
		{"me", wire.ReportRequest{Key: "a"}, 1}, {"me", wire.ReportRequest{Key: "b"}, 2}, {"me", wire.ReportRequest{Key: "a"}, 2}, {"other", wire.ReportRequest{Key: "a"}, 1},
		{wire.Hub, wire.ReportRequest{Key: "c", Owner: "me"}, 1}, {wire.Hub, wire.ReportRequest{Key: "d", Owner: "me"}, 2}, {wire.Hub, wire.ReportRequest{Key: "e", Owner: "other"}, 1},
		{wire.Hub, wire.ReportRequest{Key: "f"}, 0}, {wire.Hub, wire.ReportRequest{Key: "d", Owner: "me", Ended: true}, 0}, {wire.Hub, wire.ReportRequest{Key: "c", Owner: "me"}, 1}, {"me", wire.ReportRequest{Key: "b"}, 2}, {"me", wire.ReportRequest{Key: "a", Ended: true}, 0}, {"me", wire.ReportRequest{Key: "b"}, 1},
	} {
		test.r.Status = json.RawMessage("{}")
		if reply, err := d.report(test.name, &test.r); err != nil || reply.Sharing != test.want {
			t.Errorf("report %d of %s gets %+v, %v", i, test.name, reply, err)
		}
	}
}

// TestIdleMatches lets one match of a key play while many are idle. It shares what the key may send with none of them, but
// with all that begin to play at the same moment as it does.
func TestIdleMatches(t *testing.T) {
	const others = 100
	synctest.Test(t, func(t *testing.T) {
		d := newTestDoor(t)
		report := func(key string, idle bool) int {
			t.Helper()
			reply, err := d.report("other", &wire.ReportRequest{Key: key, Idle: idle, Status: json.RawMessage("{}")})
			if err != nil {
				t.Fatal(err)
			}
			return reply.Sharing
		}
		for _, test := range []struct {
			idle, busy bool // whether the others are idle, and the one is busy
			after      time.Duration
			want       int // with how many the one shares
		}{
			{true, false, 0, others + 1}, {true, true, 0, others + 1}, {true, true, settleTime, 1}, {true, true, time.Minute / 2, 1},
			{false, true, 0, others + 1}, {false, true, settleTime, others + 1}, {true, true, 0, 1}, {true, false, settleTime, others + 1},
			{false, true, 0, others + 1}, {true, true, settleTime, 1},
		} {
			time.Sleep(test.after)
			for i := range others {
				report(fmt.Sprint("idle", i), test.idle)
			}
			if got := report("busy", !test.busy); got != test.want {
				t.Errorf("%+v: it shares with %d", test, got)
			}
		}
	})
}

// TestRemovedKey removes the key of the owner of a detached match. The match gets no jobs and workers do not see it until the
// key is back, and the hub carries out no request of the key that waited. Other matches get theirs.
func TestRemovedKey(t *testing.T) {
	d := newTestDoor(t)
	keys := slices.Collect(maps.Values(d.keys))
	reports := func(owner string, limit int, removed bool) {
		t.Helper()
		reply, err := d.report(wire.Hub, &wire.ReportRequest{Key: "k" + owner, Owner: owner})
		if err != nil || reply.Limit != limit || reply.Removed != removed {
			t.Errorf("the match of %q gets %+v, %v", owner, reply, err)
		}
		if m := d.matches[wire.Hub+".k"+owner]; m.followed == removed {
			t.Errorf("the match of %q is shown: %v", owner, m.followed)
		}
	}
	others := func() {
		t.Helper()
		for _, owner := range []string{"other", "boss", ""} {
			reports(owner, -1, false)
		}
	}
	carriedOut := 0
	d.setDetached(func(string, wire.Service, []byte) (wire.Replier, error) { carriedOut++; return nil, nil })
	request := &waiting{name: "me", message: nats.NewMsg(""), handle: d.control(wire.Start)}
	reports("me", 5, false)
	others()
	d.setKeys(slices.DeleteFunc(slices.Clone(keys), func(k Key) bool { return k.Name == "me" }), false)
	d.carryOut(request)
	reports("me", 0, true)
	others()
	if carriedOut > 0 {
		t.Error("a request of a removed key is carried out")
	}
	d.setKeys(keys, false)
	d.carryOut(request)
	if reports("me", 5, false); carriedOut != 1 {
		t.Error("no request is carried out after the key is back")
	}
	d.setKeys(nil, true) // a hub without keys
	reports("me", -1, false)
}

// TestMatchesOfOwner reports as many detached matches of a key as it may have. Those of others still begin.
func TestMatchesOfOwner(t *testing.T) {
	d := newTestDoor(t)
	report := func(owner string, i int) error {
		_, err := d.report(wire.Hub, &wire.ReportRequest{Key: fmt.Sprint(owner, i), Owner: owner})
		return err
	}
	for i := range maxMatches {
		if err := report("me", i); err != nil {
			t.Fatal(err)
		}
	}
	if err := report("me", maxMatches); err == nil {
		t.Error("a key may have any number of matches")
	}
	if err := report("other", 0); err != nil {
		t.Errorf("another key: %v", err)
	}
}

// startFor starts a server with one key, and returns the secret of that key.
func startFor(t *testing.T, name string, role wire.Role) (*Server, *wire.Secret) {
	t.Helper()
	return startBy(t, Config{}, name, role)
}

// startBy is startFor with more of a configuration.
func startBy(t *testing.T, config Config, name string, role wire.Role) (*Server, *wire.Secret) {
	t.Helper()
	store := t.TempDir()
	path := filepath.Join(store, name+".key")
	if err := AddKey(store, name, role, 0, path); err != nil {
		t.Fatal(err)
	}
	config.Store, config.Listen = store, "127.0.0.1:-1"
	s, err := Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // the test is over
	secret, err := wire.ReadSecret(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return s, secret
}

// connect connects with a key until the test ends.
func connect(t *testing.T, s *Server, secret *wire.Secret, options ...nats.Option) *nats.Conn {
	t.Helper()
	conn, err := nats.Connect(s.URL(), append(options, nats.Nkey(secret.Public, secret.Pair.Sign), nats.ErrorHandler(ignore))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

// TestKeyForms reads a key and the keys of a store, whose files an editor has saved in other forms.
func TestKeyForms(t *testing.T) {
	store := t.TempDir()
	path := filepath.Join(store, "one.key")
	if err := AddKey(store, "one", wire.ForWorker, 0, path); err != nil {
		t.Fatal(err)
	}
	sample := func(path, note string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return note + string(text)
	}
	t.Run("a key", func(t *testing.T) {
		plaintexttest.Run(t, sample(path, "# "+plaintexttest.Name+"\n"), func(content string) (string, error) {
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			secret, err := wire.ReadSecret(t.Context(), path)
			if err != nil {
				return "", err
			}
			return fmt.Sprint(secret.Role, secret.Name, secret.Public), nil
		})
	})
	t.Run("the keys of a store", func(t *testing.T) {
		plaintexttest.Run(t, sample(keysPath(store), ""), func(content string) (string, error) {
			if err := os.WriteFile(keysPath(store), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			keys, err := ReadKeys(store)
			return fmt.Sprint(keys), err
		})
	})
}

// TestRefusedMessages sends what a key does not permit. That costs more than other messages, so the hub soon
// suspends the key and ends its connections.
func TestRefusedMessages(t *testing.T) {
	for name, refused := range map[string]func(*nats.Conn) error{
		"a request of another key": func(c *nats.Conn) error { return c.Publish(wire.ServiceSubject(wire.Hello, "other"), nil) },
		"a result of another key":  func(c *nats.Conn) error { return c.Publish(wire.NextSubject("x.y", "other"), nil) },
		"a reply of the hub":       func(c *nats.Conn) error { return c.Publish(wire.ReplySubjects("other", wire.Hub)+"c.1", nil) },
		"a request to JetStream":   func(c *nats.Conn) error { return c.Publish("$JS.API.INFO", nil) },
		"a subscription to all": func(c *nats.Conn) error {
			all, err := c.Subscribe(">", func(*nats.Msg) {})
			if err == nil {
				err = all.Unsubscribe() // the client becomes slow with thousands of them
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, role := range []wire.Role{wire.ForWorker, wire.ForMatch, wire.ForAdmin} {
				s, secret := startFor(t, "one", role)
				exhaust(s, "one")
				closed := make(chan struct{})
				conn := connect(t, s, secret, nats.NoReconnect(), nats.ClosedHandler(func(*nats.Conn) { close(closed) }))
				for range 3 * wire.QuotaBurst / requestCost { // as others would take more than ten times as many
					if refused(conn) != nil {
						break // the hub has ended the connection
					}
				}
				expectSuspended(t, s, role, closed)
			}
		})
	}
}

// expectSuspended waits until a connection is closed, and checks that its key "one" is suspended.
func expectSuspended(t *testing.T, s *Server, role wire.Role, closed <-chan struct{}) {
	t.Helper()
	select {
	case <-closed:
	case <-time.After(5 * time.Minute):
		t.Errorf("%s: still connected", role)
	}
	if s.door.suspended("one") == nil {
		t.Errorf("%s: not suspended", role)
	}
}

// TestLines sends lines of the NATS protocol that are no messages, over and over. Each counts as a message, so the hub
// suspends the key and ends its connection.
func TestLines(t *testing.T) {
	for name, line := range map[string]string{
		"pings":                      "PING\r\n",
		"replies to pings":           "PONG\r\n",
		"one subscription":           "SUB gyre.to.one.x.c.1 1\r\nUNSUB 1\r\n",
		"the end of no subscription": "UNSUB 1\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, role := range []wire.Role{wire.ForWorker, wire.ForMatch, wire.ForAdmin} {
				s, secret := startFor(t, "one", role)
				exhaust(s, "one")
				conn := slowly(t, s, secret)
				closed := make(chan struct{})
				go func() {
					defer close(closed)
					_, _ = io.Copy(io.Discard, conn) // until the hub ends the connection
				}()
				const atOnce = 512
				for range 3 * wire.QuotaBurst / wire.MessageCost / atOnce {
					if _, err := io.WriteString(conn, strings.Repeat(line, atOnce)); err != nil {
						break // the hub has ended the connection
					}
				}
				expectSuspended(t, s, role, closed)
			}
		})
	}
}

// TestForgedLog lets somebody without a key write the number of another's connection into the log of the NATS server, in
// the form of a message that it refuses. Nobody is charged for that.
func TestForgedLog(t *testing.T) {
	s, secret := startBy(t, Config{Websocket: "127.0.0.1:-1"}, "one", wire.ForWorker)
	conn := connect(t, s, secret)
	number, err := conn.GetClientID()
	if err != nil {
		t.Fatal(err)
	}
	left := func() float64 {
		s.door.mu.Lock()
		defer s.door.mu.Unlock()
		return s.door.quotas[quota{"one", false}].Tokens()
	}
	exhaust(s, "one")
	before := left()
	for _, name := range []string{"cid", "wid"} {
		for _, separator := range []string{" - ", " ", ""} {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.Replace(s.WebsocketURL(), "ws://", "http://", 1), nil)
			if err != nil {
				t.Fatal(err)
			}
			for key, value := range map[string]string{"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
				"Origin": fmt.Sprintf("%s%s:%d - Publish Violation", separator, name, number)} {
				request.Header.Set(key, value)
			}
			reply, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			if err := reply.Body.Close(); err != nil || reply.StatusCode != http.StatusForbidden {
				t.Errorf("status %d, %v", reply.StatusCode, err)
			}
		}
	}
	// What the connection itself sends is charged together with what came before.
	if err := conn.Flush(); err != nil {
		t.Fatal(err)
	}
	for left() == before {
		time.Sleep(time.Millisecond)
	}
	if charged := before - left(); charged >= requestCost {
		t.Errorf("the connection is charged %v bytes", charged)
	}
}

// exhaust lets a key send no more than the quota of a worker at once, and nothing later: no slow machine gains by
// waiting.
func exhaust(s *Server, name string) {
	s.door.mu.Lock()
	defer s.door.mu.Unlock()
	for _, suspended := range []bool{false, true} {
		s.door.quotas[quota{name, suspended}] = rate.NewLimiter(0, wire.QuotaBurst)
	}
}

// TestNoHeaders sends messages with headers to every subject of a hub, to a match and to a worker. The hub
// ends the connection, and nobody gets one.
func TestNoHeaders(t *testing.T) {
	s, err := Start(t.Context(), Config{Store: t.TempDir(), Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	other, err := nats.Connect(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	received, err := other.SubscribeSync(">")
	if err = errors.Join(err, other.Flush()); err != nil {
		t.Fatal(err)
	}
	for _, subject := range []string{
		wire.ServiceSubject(wire.Join, "attic"), wire.NextSubject("me.m", "attic"), wire.NextSubject("~.m", "attic"), wire.BeatSubject("me.m", "attic"),
		wire.ReplySubjects("attic", "me") + "c.1", wire.MatchSubject("me.m"),
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "nats://"))
		if err != nil {
			t.Fatal(err)
		}
		header := "NATS/1.0\r\none: two\r\n\r\n"
		_, err = fmt.Fprintf(conn, "CONNECT {\"headers\":true}\r\nHPUB %s %d %d\r\n%s\r\nPING\r\n", subject, len(header), len(header), header)
		if err != nil {
			t.Fatal(err)
		}
		lines, pong := bufio.NewScanner(conn), false
		for !pong && lines.Scan() { // until the hub ends it
			pong = lines.Text() == "PONG"
		}
		if pong {
			t.Errorf("%s: the hub takes the message", subject)
		}
		_ = conn.Close() // the hub may have
	}
	if err := errors.Join(other.Publish("end", nil), other.Flush()); err != nil {
		t.Fatal(err)
	}
	if got, err := received.NextMsg(time.Minute); err != nil || got.Subject != "end" {
		t.Errorf("somebody gets %+v, %v", got, err)
	}
}

// slowly connects with a key and subscribes to subjects. It reads no more than the reply to its PING.
func slowly(t *testing.T, s *Server, secret *wire.Secret, subjects ...string) net.Conn {
	t.Helper()
	conn, _ := slowlyBy(t, s, secret, subjects...)
	return conn
}

// slowlyBy is slowly, and also returns what the key has signed.
func slowlyBy(t *testing.T, s *Server, secret *wire.Secret, subjects ...string) (conn net.Conn, nonce string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "nats://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() }) // the hub may have
	line, err := bufio.NewReaderSize(conn, 16).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var info struct{ Nonce string }
	if err := json.Unmarshal([]byte(strings.TrimPrefix(line, "INFO ")), &info); err != nil {
		t.Fatal(err)
	}
	signature, err := secret.Pair.Sign([]byte(info.Nonce))
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("CONNECT {\"nkey\":%q,\"sig\":%q}\r\n", secret.Public, base64.RawURLEncoding.EncodeToString(signature))
	if _, err := io.WriteString(conn, text+"PING\r\n"); err != nil {
		t.Fatal(err)
	}
	if !readPong(conn) {
		t.Fatal("the hub rejects the key")
	}
	if len(subjects) > 0 && !subscribe(conn, subjects...) {
		t.Fatalf("the hub rejects subscriptions to %q", subjects)
	}
	return conn, info.Nonce
}

// readPong reads no more than the reply to a PING, and reports whether it came before the hub ended the connection.
func readPong(conn net.Conn) bool {
	one := make([]byte, 1)
	for pong := []byte{}; !bytes.HasSuffix(pong, []byte("PONG\r\n")); {
		if _, err := conn.Read(one); err != nil {
			return false
		}
		pong = append(pong, one...)
	}
	return true
}

// subscribe subscribes to subjects, with their index for N, and reports whether the hub has not ended the connection.
func subscribe(conn net.Conn, subjects ...string) bool {
	text := ""
	for i, subject := range subjects {
		text += strings.ReplaceAll("SUB "+subject+" N\r\n", "N", fmt.Sprint(i))
	}
	_, err := io.WriteString(conn, text+"PING\r\n")
	return err == nil && readPong(conn)
}

// repliesTo returns what connections of a key subscribe to, from number first up to, but not including, end.
func repliesTo(name string, first, end int) (subjects []string) {
	for i := range end - first {
		subjects = append(subjects, fmt.Sprintf("%sc%d.*", wire.ReplySubjects(name, wire.Any), first+i))
	}
	return subjects
}

// TestSecondConnect signs in again over a connection, with the same key, another one or none, or with other options. The
// hub ends the connection, and charges its key for all that it sent: a new count would begin at 0, and take a message that
// is not complete for one that is.
func TestSecondConnect(t *testing.T) {
	s, one := startFor(t, "one", wire.ForWorker)
	s.stopGuard() // nobody else charges
	s.guarding.Wait()
	two := addTwo(t, s)
	sign := func(secret *wire.Secret, nonce string) string {
		signature, err := secret.Pair.Sign([]byte(nonce))
		if err != nil {
			t.Fatal(err)
		}
		return base64.RawURLEncoding.EncodeToString(signature)
	}
	for name, again := range map[string]func(nonce string) string{
		"the same key":         func(nonce string) string { return fmt.Sprintf(`{"nkey":%q,"sig":%q}`, one.Public, sign(one, nonce)) },
		"another key":          func(nonce string) string { return fmt.Sprintf(`{"nkey":%q,"sig":%q}`, two.Public, sign(two, nonce)) },
		"no key":               func(string) string { return `{"nkey":"","sig":""}` },
		"a user":               func(string) string { return `{"user":"two","pass":"two"}` },
		"the options of now":   func(string) string { return `{}` }, // with the key and signature of before
		"replies to itself":    func(string) string { return `{"echo":true}` },
		"a word for each line": func(string) string { return `{"verbose":true}` },
		"headers":              func(string) string { return `{"headers":true,"no_responders":true}` },
	} {
		t.Run(name, func(t *testing.T) {
			exhaust(s, "one")
			conn, nonce := slowlyBy(t, s, one)
			const size = 1 << 20
			text := fmt.Sprintf("PUB %s %d\r\n%s\r\nCONNECT %s\r\nPING\r\n", wire.NextSubject("me.m", "one"), size, make([]byte, size), again(nonce))
			if _, err := io.WriteString(conn, text); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(conn)
			for lines.Scan() { // until the hub ends it
				if lines.Text() == "PONG" {
					t.Fatal("the hub keeps the connection")
				}
			}
			for s.server.NumClients() > 1 {
				time.Sleep(time.Millisecond) // it ends
			}
			s.charge()
			s.door.mu.Lock()
			defer s.door.mu.Unlock()
			if left := s.door.quotas[quota{"one", false}].Tokens(); left > wire.QuotaBurst-size-connectCost {
				t.Errorf("the key is not charged for what it sent: %v bytes are left of %d", left, wire.QuotaBurst)
			}
		})
	}
}

// TestKeyLimits opens more connections with a key than it may, makes too many subscriptions, and reads nothing over
// connections for which much waits. None of that may fill the memory of the hub.
func TestKeyLimits(t *testing.T) {
	t.Run("subscriptions", func(t *testing.T) {
		s, secret := unmetered(t, "one", wire.ForWorker)
		closed := bufio.NewReader(slowly(t, s, secret, repliesTo("one", 0, keySubscriptions*workerConnections+1)...))
		if _, err := io.Copy(io.Discard, closed); err != nil && !errors.Is(err, syscall.ECONNRESET) {
			t.Fatal(err)
		}
		if f := s.door.suspended("one"); f == nil || !strings.Contains(f.Reason(), "subscriptions") {
			t.Errorf("the faults are %+v", f)
		}
	})
	t.Run("replies", func(t *testing.T) {
		s, secret := unmetered(t, "one", wire.ForWorker)
		slowly(t, s, secret, slices.Repeat(repliesTo("one", 0, 1), maxCopies)...)
		w := &waiting{name: "one", message: &nats.Msg{Reply: wire.ReplySubjects("one", wire.Hub) + "c0.1"}}
		if text, err := wire.Lines(&wire.Reply{Version: wire.Version}, nil); err != nil || s.door.respond(w, &wire.Reply{}, nil) != maxCopies*len(text) {
			t.Errorf("a reply to %d subscriptions costs no more than one, %v", maxCopies, err)
		}
	})
	t.Run("waiting bytes", func(t *testing.T) {
		s, secret := unmetered(t, "one", wire.ForWorker)
		s.stopGuard()
		s.guarding.Wait()
		const connections = 4
		for i := range connections {
			slowly(t, s, secret, repliesTo("one", i, i+1)...)
		}
		before := s.server.NumClients()
		for i := range 3 * connections {
			if err := s.conn.Publish(fmt.Sprintf("%sc%d.1", wire.ReplySubjects("one", wire.Hub), i%connections), make([]byte, wire.MaxPayload)); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.conn.Flush(); err != nil {
			t.Fatal(err)
		}
		s.charge()
		list, err := s.server.Connz(nil)
		if err != nil {
			t.Fatal(err)
		}
		waiting := 0
		for _, c := range list.Conns {
			waiting += c.Pending
		}
		if closed := before - s.server.NumClients(); closed == 0 || closed == connections || waiting > maxKeyPending {
			t.Errorf("%d of %d connections are closed, and %d bytes wait", closed, connections, waiting)
		}
	})
	t.Run("connections", func(t *testing.T) {
		s, secret := unmetered(t, "one", wire.ForWorker)
		for i := range workerConnections + 1 {
			conn, err := nats.Connect(s.URL(), nats.Nkey(secret.Public, secret.Pair.Sign), nats.NoReconnect())
			if (err == nil) != (i < workerConnections) {
				t.Fatalf("connection %d: error %v", i+1, err)
			}
			if err == nil {
				defer conn.Close()
			}
		}
	})
	for files, want := range map[int][2]int{256: {128, 64}, 1024: {512, 256}, 4096: {3584, 1792}, math.MaxInt: {64 << 10, 64 << 10}} {
		if got := [2]int{maxOpen(files, false), maxOpen(files, true)}; got != want {
			t.Errorf("with %d files open at most, %d connections are taken, not %d", files, got, want)
		}
	}
}

// TestCopies lets a key for matches open all connections that it may have. Each asks for the same messages as often as it
// may, in any form, and reads none. The hub keeps the last subscriptions alone, so that each message waits only for these,
// and others get their replies.
func TestCopies(t *testing.T) {
	to, next, beat := "gyre.to.one.one.c.1", wire.NextSubject("one.m", "attic"), wire.BeatSubject("one.m", "attic")
	for name, test := range map[string]struct {
		subjects []string // of each connection
		sent     string
		kept     bool // whether any subscription stays
	}{
		"replies to a connection":  {[]string{"gyre.to.one.*.c.*", "gyre.to.one.*.c.*", "gyre.to.one.*.c.*", "gyre.to.one.*.c.*"}, to, false},
		"one for each connection":  {[]string{"gyre.to.one.*.c.*"}, to, true},
		"two for each connection":  {[]string{"gyre.to.one.*.c.*", "gyre.to.one.*.c.*"}, to, true},
		"replies by four patterns": {[]string{to, "gyre.to.one.*.c.1", "gyre.to.one.one.c.*", "gyre.to.one.*.c.*"}, to, false},
		"narrow, and then wide":    {[]string{"gyre.to.one.one.c.1", "gyre.to.one.*.c.*"}, to, true},
		"in queues":                {[]string{"gyre.to.one.*.c.* a", "gyre.to.one.*.c.*\tb", "gyre.to.one.one.c.1 c"}, to, false},
		"any connection":           {[]string{"gyre.to.one.one.*.1"}, to, false},
		"all replies":              {[]string{"gyre.to.one.*.*.*"}, to, false},
		"results of a match":       {[]string{wire.NextSubject("one.m", wire.Any), next, next}, next, false},
		"results of any match":     {[]string{wire.NextSubject("one.*", wire.Any)}, next, false},
		"heartbeats":               {[]string{beat, beat, beat}, beat, false},
		"a name again":             {[]string{"gyre.next.one.x.* 7\r\nSUB gyre.to.one.*.c.* 7\r\nSUB gyre.to.one.*.d.*"}, to, false},
		"names of rejected ones":   {slices.Repeat([]string{"gyre.match.*.* N\r\nSUB gyre.to.one.*.c.*"}, 3), to, false},
		"names that are free":      {[]string{"gyre.to.one.*.c.* 7\r\nUNSUB 7\r\nSUB gyre.to.one.*.c.*", "gyre.to.one.*.c.* 8\r\nUNSUB 8 5\r\nSUB gyre.to.one.*.c.* 9\r\nUNSUB 9\r\nSUB gyre.to.one.one.c.1"}, to, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, secret := unmetered(t, "one", wire.ForMatch)
			s.stopGuard() // nobody closes a connection for which much waits
			s.guarding.Wait()
			two := addTwo(t, s)
			s.door.noRefill = true
			other := connect(t, s, two)
			replies, err := other.SubscribeSync(wire.ReplySubjects("two", wire.Hub) + "c.*")
			if err != nil {
				t.Fatal(err)
			}
			copies := func(right func(n int) bool) { // soon: a connection ends before its subscriptions
				t.Helper()
				for until := time.Now().Add(time.Minute); !right(s.door.interest(test.sent)); time.Sleep(time.Millisecond) {
					if time.Now().After(until) {
						t.Fatalf("%d subscriptions get a message", s.door.interest(test.sent))
					}
				}
			}
			sender := slowly(t, s, secret)
			last := false // whether the hub keeps the last connection
			connections := 8 * maxCopies
			if test.kept {
				connections = maxConnections - 1
			}
			for range connections {
				last = subscribe(slowly(t, s, secret), test.subjects...)
				copies(func(n int) bool { return n <= maxCopies })
			}
			if copies(func(n int) bool { return n > 0 == test.kept }); last != test.kept {
				t.Errorf("the hub keeps the last connection: %v", last)
			}
			const sent = wire.ReplyBurst / wire.MaxReply
			for range sent {
				if size := wire.Limit(test.sent); test.sent == to {
					_, err = fmt.Fprintf(sender, "PUB %s %d\r\n%s\r\n", to, size-len(to), make([]byte, size-len(to)))
				} else {
					err = ownConn(t, s).Publish(test.sent, make([]byte, size))
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if _, err := io.WriteString(sender, "PING\r\n"); err != nil || !readPong(sender) {
				t.Fatal("the sender is not connected", err)
			}
			list, err := s.server.Connz(nil)
			if err != nil {
				t.Fatal(err)
			}
			waiting := 0
			for _, c := range list.Conns {
				waiting += c.Pending
			}
			if most := sent * maxCopies * (wire.Limit(test.sent) + 100); waiting > most { // with the lines before them
				t.Errorf("%d bytes wait, and %d may", waiting, most)
			}
			hello := fmt.Appendf(nil, `{"version":%d}`, wire.Version)
			if err := other.PublishRequest(wire.ServiceSubject(wire.Hello, "two"), wire.ReplySubjects("two", wire.Hub)+"c.1", hello); err != nil {
				t.Fatal(err)
			}
			if _, err := replies.NextMsg(time.Minute); err != nil {
				t.Errorf("another key gets no reply: %v", err)
			}
		})
	}
}

// TestStatusesForAll lets as many workers as may share a key take the statuses of matches. All keep their connections.
func TestStatusesForAll(t *testing.T) {
	s, secret := unmetered(t, "one", wire.ForWorker)
	s.stopGuard() // it would remove the connection that ends
	s.guarding.Wait()
	var all []net.Conn
	for range workerConnections - 1 {
		all = append(all, slowly(t, s, secret, wire.MatchSubject(wire.AnyMatch)))
	}
	if copies := s.door.interest(wire.MatchSubject("one.m")); copies != len(all) {
		t.Errorf("of %d connections %d get statuses", len(all), copies)
	}
	if subscribe(all[0], slices.Repeat([]string{wire.MatchSubject("one.m")}, 3)...) {
		t.Errorf("more subscriptions stay than the key may have connections")
	}
}

// TestHeldBytes ends connections for which much waits, in every way. The NATS server keeps what it tries to write, so that
// counts for the key until it has given up. The hub replies to no requests for data meanwhile.
func TestHeldBytes(t *testing.T) {
	for name, end := range map[string]func(s *Server, conn net.Conn, number uint64) error{
		"the hub ends it": func(s *Server, _ net.Conn, number uint64) error { return s.server.DisconnectClientByID(number) },
		"an invalid line": func(_ *Server, conn net.Conn, _ uint64) error {
			_, err := io.WriteString(conn, "NONSENSE\r\n")
			return err
		},
		"a message that is too long": func(_ *Server, conn net.Conn, _ uint64) error {
			_, err := fmt.Fprintf(conn, "PUB %s %d\r\n", wire.NextSubject("me.m", "one"), wire.MaxPayload)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, secret := unmetered(t, "one", wire.ForWorker)
			s.stopGuard()
			s.guarding.Wait()
			conn := slowly(t, s, secret, repliesTo("one", 0, 1)...)
			const size = 3 * wire.MaxPayload
			for range size / wire.MaxPayload {
				if err := s.conn.Publish(wire.ReplySubjects("one", wire.Hub)+"c0.1", make([]byte, wire.MaxPayload)); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.conn.Flush(); err != nil {
				t.Fatal(err)
			}
			number := uint64(0)
			for n := range s.connections {
				number = n
			}
			if err := end(s, conn, number); err != nil {
				t.Fatal(err)
			}
			for s.server.NumClients() > 1 {
				time.Sleep(time.Millisecond) // it ends
			}
			s.charge()
			if held := s.waiting["one"]; held < size || !s.crowded("one") || s.crowded("two") || len(s.connections) > 0 {
				t.Errorf("%d bytes wait for the key, of %d", held, size)
			}
			s.limitKeys(nil, time.Now().Add(heldTime+time.Second))
			if held := s.waiting["one"]; held > 0 || len(s.held) > 0 {
				t.Errorf("%d bytes wait for the key later", held)
			}
		})
	}
}

// TestCrowded asks for data while too much waits for a key. Its requests wait, and those of others do not.
func TestCrowded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, looks, began := newTestDoor(t), 0, time.Now()
		d.crowded = func(name string) bool {
			if name == "me" {
				looks++
			}
			return name == "me" && looks < 100
		}
		served := map[string]time.Duration{}
		for _, name := range []string{"me", "other"} {
			d.queue(&waiting{wire.Status, &nats.Msg{}, name, func(string, []byte) (wire.Replier, []byte, error) {
				d.mu.Lock()
				defer d.mu.Unlock()
				served[name] = time.Since(began)
				return nil, nil, nil
			}})
		}
		d.working.Wait()
		if served["other"] != 0 || served["me"] != 99*meterInterval {
			t.Errorf("requests are carried out after %v", served)
		}
		d.crowded = func(string) bool { return true }
		d.queue(&waiting{wire.Status, &nats.Msg{}, "me", nil})
		d.close() // it does not wait for the key
	})
}

// unmetered starts a server with one key, which may send any number of bytes.
func unmetered(t *testing.T, name string, role wire.Role) (*Server, *wire.Secret) {
	t.Helper()
	return unmeteredBy(t, Config{}, name, role)
}

// unmeteredBy is unmetered with more of a configuration.
func unmeteredBy(t *testing.T, config Config, name string, role wire.Role) (*Server, *wire.Secret) {
	t.Helper()
	s, secret := startBy(t, config, name, role)
	s.door.mu.Lock()
	defer s.door.mu.Unlock()
	s.door.quotas[quota{name, false}] = rate.NewLimiter(rate.Inf, 0)
	return s, secret
}

// addTwo adds a key for matches, called two, to a hub that runs.
func addTwo(t *testing.T, s *Server) *wire.Secret {
	t.Helper()
	path := filepath.Join(t.TempDir(), "two.key")
	if err := AddKey(s.config.Store, "two", wire.ForMatch, 0, path); err != nil {
		t.Fatal(err)
	}
	two, err := wire.ReadSecret(t.Context(), path)
	keys, bad := ReadKeys(s.config.Store)
	if err = errors.Join(err, bad); err != nil {
		t.Fatal(err)
	}
	s.setKeys(keys)
	return two
}

// ownConn connects as the hub itself.
func ownConn(t *testing.T, s *Server) *nats.Conn {
	t.Helper()
	options, err := s.Credentials()
	if err != nil {
		t.Fatal(err)
	}
	conn, err := nats.Connect("", append(options, nats.InProcessServer(s))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

// TestUnfinished sends all but the last byte of messages over all connections of a key. The hub keeps few of them, and
// their bytes fill little of its memory.
func TestUnfinished(t *testing.T) {
	for _, test := range []struct {
		role        wire.Role
		connections int
		subject     string
	}{
		{wire.ForWorker, workerConnections, wire.NextSubject("me.m", "one")},
		{wire.ForMatch, maxConnections, wire.ServiceSubject(wire.Start, "one")},
	} {
		s, secret := unmetered(t, "one", test.role)
		heap := func() int {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return int(m.HeapAlloc)
		}
		size := wire.Limit(test.subject)
		text := fmt.Appendf(nil, "PUB %s %d\r\n%s", test.subject, size, make([]byte, size-1))
		before := heap()
		var held []net.Conn
		for range test.connections {
			conn := slowly(t, s, secret)
			if _, err := conn.Write(text); err == nil {
				held = append(held, conn)
			}
		}
		for s.server.NumClients() > 1+maxUnfinished/size {
			time.Sleep(time.Millisecond) // the hub ends the others
		}
		if s.server.NumClients() == 1 {
			t.Errorf("%s: the hub keeps no message", test.subject)
		}
		const others = 32 << 20 // buffers of the connections
		if grown := heap() - before; grown > maxUnfinished+others {
			t.Errorf("%s: the hub keeps %d of %d messages, and %d bytes", test.subject, s.server.NumClients()-1, len(held), grown)
		}
		for _, conn := range held {
			_ = conn.Close() // the hub may have
		}
	}
}

// TestFinished sends the longest replies over many connections, one after another, and nothing after them. Messages that
// are complete do not count, so the hub keeps all connections.
func TestFinished(t *testing.T) {
	s, secret := unmetered(t, "one", wire.ForMatch)
	s.stopGuard() // nobody else looks which are complete
	s.guarding.Wait()
	received, err := ownConn(t, s).SubscribeSync("gyre.to.*.one.*.*")
	if err != nil {
		t.Fatal(err)
	}
	const connections = 3 * maxUnfinished / wire.MaxReply
	text := fmt.Appendf(nil, "PUB %s %d\r\n%s\r\n", wire.ReplySubjects("other", "one")+"c.1", wire.MaxReply, make([]byte, wire.MaxReply))
	for range connections {
		conn := slowly(t, s, secret)
		if _, err := conn.Write(text); err != nil {
			t.Fatal(err)
		}
		if _, err := received.NextMsg(time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	s.mu.Lock()
	sent := 0
	for _, c := range s.connections {
		sent += c.bytes
	}
	s.mu.Unlock()
	if sent == connections*wire.MaxReply {
		t.Error("the key does not pay for the looks at its connections")
	}
	if n := s.server.NumClients(); n != 2+connections {
		t.Errorf("the hub keeps %d connections of %d", n-2, connections)
	}
}

// slowMatch starts a hub with a match of the key me over a slow line, and the keys of workers, which may send any number of
// bytes. received reads the next message to the match and returns its sender.
func slowMatch(t *testing.T, workers ...string) (s *Server, secrets map[string]*wire.Secret, received func() string) {
	t.Helper()
	s, me := startBy(t, Config{writeDeadline: time.Hour}, "me", wire.ForMatch) // however slow this machine is
	keys := []Key{{Name: "me", Role: wire.ForMatch, Public: me.Public}}
	secrets = map[string]*wire.Secret{"me": me}
	for _, name := range workers {
		pair, err := nkeys.CreateUser()
		if err != nil {
			t.Fatal(err)
		}
		public, err := pair.PublicKey()
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, Key{Name: name, Role: wire.ForWorker, Public: public})
		secrets[name] = &wire.Secret{Name: name, Role: wire.ForWorker, Public: public, Pair: pair}
	}
	s.stopGuard() // it would read the keys
	s.guarding.Wait()
	s.setKeys(keys)
	s.door.mu.Lock()
	s.door.noRefill = true
	for _, name := range workers {
		s.door.quotas[quota{name, false}] = rate.NewLimiter(rate.Inf, 0)
	}
	s.door.mu.Unlock()
	conn := slowly(t, s, me, wire.NextSubject("me.m", wire.Any))
	lines := bufio.NewReaderSize(conn, 4<<10)
	return s, secrets, func() string {
		t.Helper()
		line, err := lines.ReadString('\n')
		for err == nil && line == "PING\r\n" { // the server sends some after a while
			line, err = lines.ReadString('\n')
		}
		words := strings.Fields(line)
		if err != nil || len(words) < 4 {
			t.Fatalf("%q, %v", line, err)
		}
		size, err := strconv.Atoi(words[len(words)-1])
		if err == nil {
			_, err = io.CopyN(io.Discard, lines, int64(size+len("\r\n")))
		}
		if err != nil {
			t.Fatal(err)
		}
		return wire.LastToken(words[1])
	}
}

// TestSlowMatch lets a worker send useless messages to a match over a slow line, over one connection or many. It gets no
// more through than the line has room for, so the match keeps its connection, and gets what another worker sends. A match
// that reads all gets all.
func TestSlowMatch(t *testing.T) {
	for _, connections := range []int{1, workerConnections} {
		t.Run(fmt.Sprint(connections), func(t *testing.T) {
			s, secrets, received := slowMatch(t, "one", "two")
			var ones []*nats.Conn
			for range connections {
				ones = append(ones, connect(t, s, secrets["one"], nats.NoReconnect()))
			}
			two := connect(t, s, secrets["two"], nats.NoReconnect())
			send := func(c *nats.Conn, name string, size int) {
				if err := c.Publish(wire.NextSubject("me.m", name), make([]byte, size)); err != nil {
					t.Fatal(err)
				}
			}
			flush := func(all ...*nats.Conn) {
				for _, c := range all {
					if err := c.Flush(); err != nil {
						t.Fatal(err)
					}
				}
			}
			const fast, all = 4, 24 // each more than it may send to one that is slow
			for range fast {
				send(ones[0], "one", wire.MaxResult)
				if flush(ones[0]); received() != "one" {
					t.Fatal("another message came")
				}
			}
			for i := range all {
				c := ones[i%connections]
				if send(c, "one", wire.MaxResult); i%4 == 3 { // a key may have few unfinished messages
					flush(ones...)
				}
			}
			flush(ones...)
			send(two, "two", wire.MaxResult/4)
			flush(two)
			if waits := s.backlogOf("me"); waits > maxReplied {
				t.Errorf("%d bytes wait", waits)
			}
			got := 0
			for received() == "one" {
				got++
			}
			if got == 0 || got == all {
				t.Errorf("%d of %d messages came", got, all)
			}
			for !admits(s, "one", wire.MaxResult) {
				time.Sleep(time.Millisecond) // until the next look
			}
			send(ones[0], "one", wire.MaxResult)
			if flush(ones[0]); received() != "one" {
				t.Error("another message came")
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			for _, c := range s.connections {
				if c.refused > 0 {
					t.Errorf("%d messages count as refused", c.refused)
				}
			}
		})
	}
}

// TestManySenders lets the keys of several workers send a match over a slow line as much as they can: first each begins as
// many messages as it may before it completes one, and then it sends more of them. The match keeps its connection, gets some
// of these messages, and gets the result of another worker.
func TestManySenders(t *testing.T) {
	for _, senders := range []int{2, 4, 16} {
		t.Run(fmt.Sprint(senders), func(t *testing.T) {
			names := []string{"honest"}
			for i := range senders {
				names = append(names, fmt.Sprint("sender", i))
			}
			s, secrets, received := slowMatch(t, names...)
			const begun, more = maxUnfinished / wire.MaxResult, 4
			write := func(conn net.Conn, text []byte) {
				if _, err := conn.Write(text); err != nil {
					t.Fatal(err)
				}
			}
			// answered waits until the hub has read all that was written.
			answered := func(conn net.Conn) {
				if write(conn, []byte("PING\r\n")); !readPong(conn) {
					t.Fatal("the hub ended the connection of a sender")
				}
			}
			contents := append(make([]byte, wire.MaxResult), "\r\n"...)
			line := func(name string, size int) []byte {
				return fmt.Appendf(nil, "PUB %s %d\r\n", wire.NextSubject("me.m", name), size)
			}
			all := map[string][]net.Conn{}
			for _, name := range names[1:] {
				for range begun {
					conn := slowly(t, s, secrets[name])
					write(conn, line(name, wire.MaxResult))
					all[name] = append(all[name], conn)
				}
			}
			for unread := true; unread; time.Sleep(time.Millisecond) { // until the hub has read these lines
				unread = false
				s.mu.Lock()
				for _, c := range s.connections {
					unread = unread || strings.HasPrefix(c.name, "sender") && c.begun == 0
				}
				s.mu.Unlock()
			}
			for _, name := range names[1:] {
				for _, conn := range all[name] {
					write(conn, contents)
					answered(conn)
				}
			}
			for range more {
				for _, name := range names[1:] {
					write(all[name][0], append(line(name, wire.MaxResult), contents...))
					answered(all[name][0])
				}
			}
			honest := slowly(t, s, secrets["honest"])
			write(honest, append(line("honest", 6500), contents[wire.MaxResult-6500:]...))
			answered(honest)
			got := 0
			for received() != "honest" {
				got++
			}
			if got == 0 || got == senders*(begun+more) {
				t.Errorf("%d of %d messages came", got, senders*(begun+more))
			}
		})
	}
}

// TestLongReplySubjects lets a worker send a match over a slow line many short messages with long subjects for their replies.
// The match keeps its connection, and gets the result of another worker.
func TestLongReplySubjects(t *testing.T) {
	s, secrets, received := slowMatch(t, "worker", "honest")
	reply := "gyre." + strings.Repeat("x", 4000)
	worker := connect(t, s, secrets["worker"], nats.NoReconnect())
	for range 2 * maxPending / len(reply) {
		if err := worker.PublishRequest(wire.NextSubject("me.m", "worker"), reply, []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
	honest := connect(t, s, secrets["honest"], nats.NoReconnect())
	if err := errors.Join(worker.Flush(), honest.Publish(wire.NextSubject("me.m", "honest"), make([]byte, 6500)), honest.Flush()); err != nil {
		t.Fatal(err)
	}
	for received() != "honest" { // fails if the hub has ended the connection
	}
}

// TestHeldRoom lets a key begin messages to a match that reads all it gets, and complete none. What another worker sends
// comes, however much that is.
func TestHeldRoom(t *testing.T) {
	for _, holder := range []string{"worker", "me"} { // the key of a match may not send this at all
		t.Run(holder, func(t *testing.T) {
			s, secrets, received := slowMatch(t, "worker", "honest")
			for range 3 {
				if _, err := fmt.Fprintf(slowly(t, s, secrets[holder]), "PUB %s %d\r\n", wire.NextSubject("me.m", holder), wire.MaxResult); err != nil {
					t.Fatal(err)
				}
			}
			for begun := 0; begun < 3; time.Sleep(time.Millisecond) { // until the hub has read these lines
				begun = 0
				s.mu.Lock()
				for _, c := range s.connections {
					if c.name == holder && c.last > 0 {
						begun++
					}
				}
				s.mu.Unlock()
			}
			honest := connect(t, s, secrets["honest"], nats.NoReconnect())
			const size = 40_000
			for i := range 10 * wire.MaxResult / size {
				if err := errors.Join(honest.Publish(wire.NextSubject("me.m", "honest"), make([]byte, size)), honest.Flush()); err != nil {
					t.Fatal(err)
				}
				if err := honest.LastError(); err != nil {
					t.Fatalf("message %d: %v", i, err)
				}
				if from := received(); from != "honest" {
					t.Fatalf("%s sends message %d", from, i)
				}
			}
		})
	}
}

// admits reports whether a worker may begin to send size bytes to a match of me.
func admits(s *Server, from string, size int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.admits(from, "me", size)
}

// TestNotedMessages lets many connections of a worker begin messages to a match at once, while the hub looks what waits for
// the match. Each look finds all messages that it has admitted.
func TestNotedMessages(t *testing.T) {
	const connections, size = 15, backlogStep / 8
	d := newTestDoor(t)
	d.setKeys([]Key{{Name: "me", Role: wire.ForMatch}, {Name: "one", Public: "one", Role: wire.ForWorker}}, false)
	for round := range 5000 {
		in := &inbox{shares: map[string]int{}}
		s := &Server{door: d, inboxes: map[string]*inbox{"me": in}, connections: map[uint64]*connection{}, keys: map[string]Key{"one": {Name: "one", Role: wire.ForWorker}}}
		for number := range uint64(connections) {
			s.connections[number] = &connection{grant: grant{public: "one", name: "one"}}
		}
		var all sync.WaitGroup
		for number := range uint64(connections) {
			all.Go(func() { s.take(number, wire.NextSubject("me.m", "one"), count{lines: 1, bytes: size}) })
		}
		all.Wait()
		if known := in.waiting + in.begun; known < connections*size || in.shares["one"] < connections*size {
			t.Fatalf("round %d: the hub knows of %d bytes, and of %d of the worker, which has begun to send %d", round, known, in.shares["one"], connections*size)
		}
	}
}

// TestRoomLeft lets workers fill their shares, one after another, with messages as large as the hub admits. There is room for
// a result of another worker, and never more than may wait.
func TestRoomLeft(t *testing.T) {
	for _, senders := range []int{1, 2, 4, 16} {
		d := newTestDoor(t)
		d.setKeys([]Key{{Name: "me", Role: wire.ForMatch}}, false)
		in := &inbox{shares: map[string]int{}, looking: true} // nobody else looks
		s := &Server{door: d, inboxes: map[string]*inbox{"me": in}}
		for i := range senders {
			for size := wire.MaxResult; size > 0; {
				if !admits(s, fmt.Sprint("sender", i), size) {
					size /= 2
				}
			}
		}
		if in.begun <= maxBehind || in.begun > maxReplied {
			t.Errorf("%d workers: %d bytes wait", senders, in.begun)
		}
		if !admits(s, "honest", 20_000) || admits(s, "honest", wire.MaxPayload) {
			t.Errorf("%d workers: %d bytes wait, and another worker has a share of %d", senders, in.begun, in.shares["honest"])
		}
	}
}

// TestMessageOf reads lines of the log. No line makes the meter count less than nothing.
func TestMessageOf(t *testing.T) {
	for line, want := range map[string]struct {
		subject string
		size    int
	}{
		"a.b 12": {"a.b", 12}, "a.b reply 12": {"a.b", 12}, "a.b\treply \t 12 ": {"a.b", 12}, "a.b 0": {"a.b", 0},
		"a.b -12": {}, "a.b +12": {}, "a.b 99999999999999999999": {}, "a.b": {}, "": {}, "12": {}, "a.b 1_2": {},
	} {
		if subject, size := messageOf(line); subject != want.subject || size != want.size {
			t.Errorf("%q begins %d bytes to %q", line, size, subject)
		}
	}
	for _, other := range [][]any{nil, {"PUB"}, {[]any{"PUB"}}, {[]any{"PUB", 12}}} {
		if verb, rest := lineOf(other); rest != "" || verb != "" && verb != "PUB" {
			t.Errorf("%v begins with %q before %q", other, verb, rest)
		}
	}
	for line, want := range map[string]int{"MSG a.b 1 12": 24, "MSG a.b 1 c.d 12": 28, "MSG a.b 1 0": 11, "PONG": 0, "-ERR 12": 0, "": 0} {
		if size := sizeOf([]any{[]any{line}}); size != want {
			t.Errorf("%q sends %d bytes, not %d", line, size, want)
		}
	}
}

// TestKeptLines sends lines whose words the hub keeps, and then others that take their place in the buffer of the NATS server.
// The hub still has the words.
func TestKeptLines(t *testing.T) {
	s, secret := startFor(t, "one", wire.ForWorker)
	conn := slowly(t, s, secret, repliesTo("one", 0, 2)...)
	for range 3 {
		if _, err := io.WriteString(conn, strings.Repeat("PING\r\n", 100)); err != nil {
			t.Fatal(err)
		}
		for range 100 {
			if !readPong(conn) {
				t.Fatal("the hub ended the connection")
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.connections {
		if names := slices.Sorted(maps.Keys(c.subscribed)); !slices.Equal(names, []string{"0", "1"}) {
			t.Errorf("the subscriptions are %q", names)
		}
	}
}

// TestLargeMessages begins messages that are larger than their subjects allow. The hub does not read them, and each is
// a fault of the key.
func TestLargeMessages(t *testing.T) {
	for subject, role := range map[string]wire.Role{
		wire.NextSubject("me.m", "one"): wire.ForWorker, wire.BeatSubject("me.m", "one"): wire.ForWorker, wire.ServiceSubject(wire.Get, "one"): wire.ForWorker,
		wire.ServiceSubject(wire.Put, "one"): wire.ForMatch, wire.ServiceSubject(wire.Stop, "one"): wire.ForMatch, wire.ReplySubjects("two", "one") + "c.1": wire.ForMatch,
	} {
		s, secret := startFor(t, "one", role)
		conn := slowly(t, s, secret)
		if _, err := fmt.Fprintf(conn, "PUB %s %d\r\n", subject, wire.Limit(subject)+1); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, conn); err != nil && !errors.Is(err, syscall.ECONNRESET) { // until the hub ends it
			t.Fatal(err)
		}
		s.door.mu.Lock()
		if f := s.door.lasting.Faults["one"][wire.Hub]; f == nil || f.Count != 1 {
			t.Errorf("%s: the faults are %+v", subject, f)
		}
		s.door.mu.Unlock()
	}
}

// TestManyReplies lets a match key reply to a worker, with more than the hub takes, over several connections. The worker
// gets no more, and keeps its connection, however slow its line is. Another one gets replies of the same match.
func TestManyReplies(t *testing.T) {
	s, secret := unmetered(t, "one", wire.ForMatch)
	keys, err := ReadKeys(s.config.Store)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"slow", "other"} {
		keys = append(keys, Key{Name: name, Role: wire.ForWorker, Public: name})
	}
	s.setKeys(keys)
	s.door.noRefill = true
	received := ownConn(t, s)
	replies, err := received.SubscribeSync("gyre.to.*.one.*.*")
	if err = errors.Join(err, received.Flush()); err != nil {
		t.Fatal(err)
	}
	reply := func(name string) (delivered bool) {
		t.Helper()
		conn, err := nats.Connect(s.URL(), nats.Nkey(secret.Public, secret.Pair.Sign), nats.NoReconnect())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		err = conn.Publish(wire.ReplySubjects(name, "one")+"c.1", make([]byte, wire.MaxReply/2))
		return errors.Join(err, conn.Flush()) == nil // the hub may end the connection before all is written
	}
	for i := range 2*wire.ReplyBurst/wire.MaxReply + 2 {
		if delivered := reply("slow"); delivered != (i < 2*wire.ReplyBurst/wire.MaxReply-1) {
			t.Errorf("reply %d is delivered: %v", i, delivered)
		}
	}
	if !reply("other") {
		t.Error("another worker gets no reply")
	}
	if err := received.Flush(); err != nil {
		t.Fatal(err)
	}
	if got, _, err := replies.Pending(); err != nil || got != 2*wire.ReplyBurst/wire.MaxReply {
		t.Errorf("%d replies came, %v", got, err)
	}
	if f := s.door.lasting.Faults["one"]; f != nil {
		t.Errorf("the faults are %+v", f)
	}
}

// TestReplyPace replies to workers. A match waits for what it sends one of them beyond some seconds' worth, which it need
// not for others. What nobody gets takes no memory.
func TestReplyPace(t *testing.T) {
	d, now := newTestDoor(t), time.Now()
	for i, test := range []struct {
		from, to string
		waits    time.Duration
	}{
		{"me", "attic", 0}, {"me", "attic", 0}, // as many as it may at once
		{"me", "attic", 2 * time.Second}, {"me", "attic", 4 * time.Second}, {"me", "other", 0}, {"other", "attic", 0}, {"me", "nobody", 0},
		{"me", "attic", 6 * time.Second}, {"me", "attic", 8 * time.Second}, {"me", "attic", 10 * time.Second}, {"me", "attic", 12 * time.Second}, {"me", "attic", 12 * time.Second},
	} {
		subject := wire.ReplySubjects(test.to, test.from) + "c.1"
		if wait := d.pace(test.from, subject, wire.MaxReply-len(subject), now); wait != test.waits {
			t.Errorf("reply %d from %s to %s waits for %v, not %v", i, test.from, test.to, wait, test.waits)
		}
	}
	if len(d.exchanges) != 3 {
		t.Errorf("the hub keeps the paces of %d exchanges", len(d.exchanges))
	}
}

// TestShownInTurn lets a key report as many matches as it may have, or one with the longest status, at the usual times and
// all at once. All are shown within the time that workers remember them, but no faster than a key may.
func TestShownInTurn(t *testing.T) {
	for _, test := range []struct{ matches, size int }{{1, wire.MaxRequest}, {64, 4 << 10}, {maxMatches, 1 << 10}} {
		synctest.Test(t, func(t *testing.T) {
			const interval, times = 2 * time.Second, 60
			d, bytes := newTestDoor(t), 0
			for i := range test.matches {
				d.matches[fmt.Sprint("me.", i)] = &liveMatch{Listed: wire.Listed{Owner: "me", Status: json.RawMessage(fmt.Sprintf("%q", strings.Repeat("x", test.size)))}}
			}
			ids := slices.Sorted(maps.Keys(d.matches))
			for i := range times {
				for _, id := range ids {
					m := d.matches[id]
					if d.show(id, m); m.shown.Equal(time.Now()) {
						bytes += len(m.Status)
					}
					if i == 0 && !m.followed && test.matches*test.size < showBurst/4 || time.Since(m.shown) > wire.LiveTTL && i > int(wire.LiveTTL/interval) {
						t.Fatalf("of %d matches, %s was shown at %v, and it is %v", test.matches, id, m.shown, time.Now())
					}
				}
				time.Sleep(interval)
			}
			if most := showBurst + showRate*times*int(interval/time.Second); bytes > most {
				t.Errorf("%d bytes of statuses are shown of %d matches, and may be %d", bytes, test.matches, most)
			}
		})
	}
}

// TestDoorStays floods the hub with requests over many connections, which is more than it can read. It lets them wait
// and keeps its own connection.
func TestDoorStays(t *testing.T) {
	s, secret := unmetered(t, "one", wire.ForMatch)
	request := fmt.Appendf(nil, `{"sha256":%q,"size":%d,"offset":1}`, strings.Repeat("a", 64), maxFiles)
	request = append(append(request, '\n'), make([]byte, wire.MaxChunk)...)
	text := fmt.Appendf(nil, "PUB %s %d\r\n%s\r\n", wire.ServiceSubject(wire.Put, "one"), len(request), request)
	const connections, requests = 16, 64
	var sending sync.WaitGroup
	for range connections {
		conn := slowly(t, s, secret)
		sending.Go(func() {
			for range requests {
				if _, err := conn.Write(text); err != nil {
					t.Error(err)
				}
			}
			if _, err := io.WriteString(conn, "PING\r\n"); err != nil {
				t.Error(err)
			}
			lines := bufio.NewScanner(conn)
			for lines.Scan() && lines.Text() != "PONG" {
			}
			if err := lines.Err(); err != nil || lines.Text() != "PONG" {
				t.Errorf("%q, %v", lines.Text(), err)
			}
		})
	}
	sending.Wait()
	if n := s.conn.Stats().Reconnects; n > 0 {
		t.Errorf("the hub has lost its own connection %d times", n)
	}
}

// pipeDialer connects to nothing but the other end of a pipe.
type pipeDialer struct{ net.Conn }

func (d pipeDialer) Dial(string, string) (net.Conn, error) { return d.Conn, nil }

// TestUnlocked lets a NATS server read no more of a status while it goes to those who follow matches, and lets keys change
// while requests are carried out. It also looks whether the door is locked whenever it calls somebody else. Nobody else waits
// for the locks: the NATS server needs them to read from the hub.
func TestUnlocked(t *testing.T) {
	for name, do := range map[string]func(d *door) error{
		"a suspension": func(d *door) error { d.offend("attic", errors.New("a flood"), true); return nil },
		"faults": func(d *door) error {
			for range wire.MaxFaults {
				d.offend("attic", errors.New("nonsense"), false)
			}
			return nil
		},
		"the fault of one key too many": func(d *door) error {
			for i := range maxNames {
				d.lasting.Faults[fmt.Sprint(i)] = nil
			}
			d.offend("attic", errors.New("nonsense"), false)
			return nil
		},
		"a fault that an administrator reports": func(d *door) error {
			_, err := d.blame("boss", &wire.BlameRequest{Worker: "attic", Why: "a lie", Suspend: true})
			return err
		},
		"a request that panics": func(d *door) error {
			d.carryOut(&waiting{wire.Hello, &nats.Msg{}, "attic", func(string, []byte) (wire.Replier, []byte, error) { panic("of a test") }})
			return nil
		},
		"a reply": func(d *door) error {
			d.respond(&waiting{name: "attic", message: &nats.Msg{Reply: wire.ReplySubjects("attic", wire.Hub) + "c.1"}}, &wire.Reply{}, nil)
			return nil
		},
		"a report": func(d *door) error {
			_, err := d.report("me", &wire.ReportRequest{Key: "m", Status: json.RawMessage("{}")})
			return err
		},
		"a look for matches that are absent": func(d *door) error {
			d.matches["me.m"] = &liveMatch{}
			d.hideAbsent()
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			d, calls := newTestDoor(t), 0
			called := func() {
				calls++
				if free := d.mu.TryLock(); !free {
					t.Error("the door is locked")
				} else {
					d.mu.Unlock()
				}
			}
			d.conn = &nats.Conn{}
			d.warnings = wire.NewWarnings(func(error) { called() })
			d.interest = func(string) int { called(); return 0 }
			if err := do(d); err != nil || calls == 0 {
				t.Errorf("%d calls, %v", calls, err)
			}
		})
	}
	t.Run("a status", func(t *testing.T) {
		near, far := net.Pipe()
		began, rest := make(chan error), make(chan error)
		go func() {
			lines := bufio.NewReader(far)
			_, err := io.WriteString(far, "INFO {\"max_payload\":1048576}\r\n")
			for line := ""; err == nil && line != "PING\r\n"; {
				line, err = lines.ReadString('\n')
			}
			if err == nil {
				_, err = io.WriteString(far, "PONG\r\n")
			}
			if err == nil {
				_, err = lines.ReadString('\n') // of the status
			}
			began <- err
			<-began
			_, _ = io.Copy(io.Discard, lines) // the test ends the connection
			close(rest)
		}()
		conn, err := nats.Connect("nats://pipe", nats.SetCustomDialer(pipeDialer{near}), nats.NoReconnect())
		if err != nil {
			t.Fatal(err)
		}
		d := newTestDoor(t)
		d.conn = conn
		reported := make(chan error)
		go func() {
			_, err := d.report("me", &wire.ReportRequest{Key: "m", Status: fmt.Appendf(nil, "%q", strings.Repeat("x", 256<<10))})
			reported <- err
		}()
		if err := <-began; err != nil {
			t.Fatal(err)
		}
		if free := d.mu.TryLock(); !free {
			t.Error("the door is locked")
		} else {
			d.mu.Unlock()
		}
		close(began)
		if err := <-reported; err != nil {
			t.Error(err)
		}
		conn.Close()
		<-rest
	})
	t.Run("keys", func(t *testing.T) {
		s, _ := startFor(t, "me", wire.ForMatch)
		s.door.mu.Lock()
		set := make(chan struct{})
		go func() {
			s.setKeys([]Key{{Name: "other", Public: "P", Role: wire.ForMatch}})
			close(set)
		}()
		for applied := false; !applied; runtime.Gosched() {
			if s.mu.TryLock() { // it is never free if whoever sets keys waits for the door
				applied = s.keys["P"].Name == "other"
				s.mu.Unlock()
			}
		}
		s.door.mu.Unlock()
		<-set
	})
}

// TestEndedConnections sends messages over connections that end before the hub looks at them, and then opens many
// without a key. The hub charges the key for all bytes.
func TestEndedConnections(t *testing.T) {
	s, secret := startFor(t, "one", wire.ForWorker)
	s.stopGuard()
	s.guarding.Wait()
	const connections, strangers, size = 8, 300, 100_000
	left := rate.NewLimiter(0, connections*(2*size+connectCost))
	s.door.mu.Lock()
	s.door.quotas[quota{"one", false}] = left
	s.door.mu.Unlock()
	for range connections {
		conn, err := nats.Connect(s.URL(), nats.Nkey(secret.Public, secret.Pair.Sign))
		if err == nil {
			err = errors.Join(conn.Publish(wire.NextSubject("me.m", "one"), make([]byte, size)), conn.Flush())
		}
		if err != nil {
			t.Fatal(err)
		}
		conn.Close()
	}
	for range strangers {
		if _, err := nats.Connect(s.URL()); !errors.Is(err, nats.ErrAuthorization) {
			t.Fatal(err)
		}
	}
	for s.server.NumClients() > 1 { // until all have ended
		time.Sleep(time.Millisecond)
	}
	before := left.Tokens()
	s.charge()
	if charged := before - left.Tokens(); charged < connections*size {
		t.Errorf("the hub charges %v bytes for %d messages of %d", charged, connections, size)
	}
	if len(s.connections) > 0 {
		t.Errorf("the hub still knows %d connections", len(s.connections))
	}
}

// TestExcluded lets a match exclude a worker with several connections and readmit it all the time. The server then denies
// the worker's messages to the owner's matches, on all of its connections. None of them ends, so that the worker can fetch
// a program however long that takes.
func TestExcluded(t *testing.T) {
	s, secret := startFor(t, "one", wire.ForWorker)
	s.stopGuard()
	s.guarding.Wait()
	hub := ownConn(t, s)
	received, err := hub.SubscribeSync("gyre.*.*.*.one")
	if err = errors.Join(err, hub.Flush()); err != nil {
		t.Fatal(err)
	}
	var workers []*nats.Conn
	for range 3 {
		worker := connect(t, s, secret, nats.NoReconnect())
		workers = append(workers, worker)
	}
	for i := range 20 {
		excluded := i%2 == 1
		if excluded {
			err = s.door.addFault("one", "me", func(f *wire.Faults) { f.Suspend(errors.New("a lie")) })
		} else if i > 0 {
			_, err = s.door.unsuspend("me", &wire.UnsuspendRequest{Key: "one"})
		}
		if err != nil {
			t.Fatal(err)
		}
		s.charge()
		for _, worker := range workers {
			want := []string{wire.NextSubject("me.m", "one"), wire.BeatSubject("me.m", "one"), wire.NextSubject("other.m", "one")}
			for _, subject := range want {
				if err := worker.Publish(subject, nil); err != nil {
					t.Fatal(err)
				}
			}
			if err := worker.Flush(); err != nil {
				t.Fatalf("excluded %v: the connection has ended: %v", excluded, err)
			}
			if excluded {
				want = want[2:]
			}
			for _, subject := range want {
				if m, err := received.NextMsg(time.Minute); err != nil || m.Subject != subject {
					t.Errorf("excluded %v: the owners get %+v, %v, not %s", excluded, m, err, subject)
				}
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.connections {
		if c.refused > 0 {
			t.Errorf("%d messages count as refused", c.refused)
		}
	}
}

// TestDenied sends messages that the server denies to an excluded worker. Each costs no more than any other one, as the
// worker may not know yet. What the worker never was allowed still costs more.
func TestDenied(t *testing.T) {
	s, secret := startFor(t, "one", wire.ForWorker)
	s.stopGuard()
	s.guarding.Wait()
	err := s.door.addFault("one", "me", func(f *wire.Faults) { f.Suspend(errors.New("a lie")) })
	if err != nil {
		t.Fatal(err)
	}
	conn := connect(t, s, secret)
	number, err := conn.GetClientID()
	if err != nil {
		t.Fatal(err)
	}
	for subject, refused := range map[string]int{
		wire.NextSubject("me.m", "one"):           0,
		wire.BeatSubject("me.m", "one"):           0,
		wire.BeatSubject("me.m", "other"):         1,
		wire.BeatSubject("me.m.n", "one"):         1,
		wire.ServiceSubject(wire.Hello, "me.one"): 1,
		"gyre.match.me.one.one":                   1,
	} {
		s.mu.Lock()
		s.connections[number].count = count{}
		s.mu.Unlock()
		if err := errors.Join(conn.Publish(subject, []byte("abc")), conn.Flush()); err != nil {
			t.Fatal(err)
		}
		if last := conn.LastError(); !errors.Is(last, nats.ErrPermissionViolation) {
			t.Errorf("%s: %v", subject, last)
		}
		s.mu.Lock()
		got := s.connections[number].count
		s.mu.Unlock()
		if got.refused != refused || got.bytes != 3 || got.lines < 2 { // the message and the ping
			t.Errorf("%s counts as %+v, not as %d refused", subject, got, refused)
		}
	}
}

// TestForgedSignatures signs in with signatures that are not the key's for the nonce of the connection.
func TestForgedSignatures(t *testing.T) {
	s, secret := startFor(t, "one", wire.ForMatch)
	other, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	begin := func() (conn net.Conn, lines *bufio.Scanner, nonce string) {
		t.Helper()
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "nats://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() }) // the hub may have
		lines = bufio.NewScanner(conn)
		var info struct{ Nonce string }
		if lines.Scan(); json.Unmarshal([]byte(strings.TrimPrefix(lines.Text(), "INFO ")), &info) != nil || info.Nonce == "" {
			t.Fatalf("the hub greets with %q", lines.Text())
		}
		return conn, lines, info.Nonce
	}
	sign := func(pair nkeys.KeyPair, text string) string {
		t.Helper()
		signature, err := pair.Sign([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return base64.RawURLEncoding.EncodeToString(signature)
	}
	_, _, earlier := begin()
	for name, test := range map[string]struct {
		signature func(nonce string) string
		right     bool
	}{
		"its own":                      {func(nonce string) string { return sign(secret.Pair, nonce) }, true},
		"that of another connection":   {func(string) string { return sign(secret.Pair, earlier) }, false},
		"that of another key":          {func(nonce string) string { return sign(other, nonce) }, false},
		"of nothing":                   {func(string) string { return sign(secret.Pair, "") }, false},
		"none":                         {func(string) string { return "" }, false},
		"its own with something after": {func(nonce string) string { return sign(secret.Pair, nonce) + "AAAA" }, false},
	} {
		conn, lines, nonce := begin()
		if _, err := fmt.Fprintf(conn, "CONNECT {\"verbose\":false,\"nkey\":%q,\"sig\":%q}\r\nPING\r\n", secret.Public, test.signature(nonce)); err != nil {
			t.Fatal(err)
		}
		if got := lines.Scan() && lines.Text() == "PONG"; got != test.right {
			t.Errorf("with the signature %s the hub says %q", name, lines.Text())
		}
	}
}

// TestAbsent ends the connection of a match whose key may show no more statuses. The hub tells those who follow it
// all the same, and that the match is back when it reports again. It does not show a match that nobody serves.
func TestAbsent(t *testing.T) {
	s, secret := startFor(t, "one", wire.ForMatch)
	follower := ownConn(t, s)
	followed, err := follower.SubscribeSync(wire.MatchSubject(wire.AnyMatch))
	if err = errors.Join(err, follower.Flush()); err != nil {
		t.Fatal(err)
	}
	limit := func(burst int) {
		s.door.mu.Lock()
		defer s.door.mu.Unlock()
		s.door.shown["one"] = rate.NewLimiter(0, burst)
	}
	report := wire.ServiceSubject(wire.Report, "one")
	for _, reports := range []bool{true, false} { // whether it reports once more
		limit(showBurst)
		match, err := nats.Connect(s.URL(), nats.Nkey(secret.Public, secret.Pair.Sign))
		if err != nil {
			t.Fatal(err)
		}
		serving, err := match.SubscribeSync(wire.NextSubject("one.served", wire.Any))
		for _, name := range []string{"unserved", "served"} {
			err = errors.Join(err, match.Publish(report, []byte(`{"key":"`+name+`","status":{}}`)))
		}
		if err = errors.Join(err, match.Flush()); err != nil {
			t.Fatal(err)
		}
		for _, there := range []bool{true, false} {
			got, err := followed.NextMsg(time.Minute)
			if err != nil || got.Subject != wire.MatchSubject("one.served") || len(got.Data) > 0 != there {
				t.Fatalf("followers got %+v, %v, want a status: %v", got, err, there)
			}
			limit(0)
			if reports && there {
				if err := errors.Join(serving.Unsubscribe(), match.Publish(report, []byte(`{"key":"served","status":{}}`)), match.Flush()); err != nil {
					t.Fatal(err)
				}
			}
			match.Close()
		}
	}
}

// TestBackMeanwhile lets a match come back while the hub hides the matches that are absent. It shows the match.
func TestBackMeanwhile(t *testing.T) {
	d, served, looks := newTestDoor(t), 1, 0
	d.conn = &nats.Conn{}
	d.interest = func(string) int { return served }
	report := func() {
		if _, err := d.report("me", &wire.ReportRequest{Key: "m", Status: json.RawMessage("{}")}); err != nil {
			t.Fatal(err)
		}
	}
	report()
	d.interest = func(string) int {
		looks++
		if looks == 1 {
			report() // which looks, too
			return 0
		}
		return served
	}
	if d.hideAbsent(); looks != 2 || d.matches["me.m"].Absent {
		t.Errorf("after %d looks the match is %+v", looks, d.matches["me.m"])
	}
	served, d.matches["me.m"].followed = 0, false // so nobody gets to know
	if d.hideAbsent(); !d.matches["me.m"].Absent {
		t.Error("the hub shows a match that is absent")
	}
}

// TestTooLarge takes a request that is too large. It is one fault: where the hub counts what keys send, take has added it when
// the request began.
func TestTooLarge(t *testing.T) {
	for name, test := range map[string]struct {
		metered, open bool
		faults        int
	}{"own server": {true, false, 0}, "own server without keys": {true, true, 1}, "other server": {false, false, 1}} {
		d := newTestDoor(t)
		d.metered, d.open = test.metered, test.open
		m := nats.NewMsg(wire.ServiceSubject(wire.Join, "attic"))
		m.Data = make([]byte, wire.Join.Limit()+1)
		d.receive(wire.Join, m, func(string, []byte) (wire.Replier, []byte, error) {
			t.Errorf("%s: the request is carried out", name)
			return nil, nil, nil
		})
		faults := 0
		for _, f := range d.lasting.Faults["attic"] {
			faults += f.Count
		}
		if faults != test.faults {
			t.Errorf("%s: the door adds %d faults, want %d", name, faults, test.faults)
		}
	}
}

// TestSuspendedFlood takes requests of every service from a key that is suspended, as on another NATS
// server, which does not disconnect it. None is carried out, and few get a reply.
func TestSuspendedFlood(t *testing.T) {
	const most = 100
	for _, name := range []string{"attic", "me", "boss"} {
		d, handled := newTestDoor(t), 0
		d.offend(name, errors.New("a flood"), true)
		before := d.suspended(name)
		for _, s := range append(wire.ForAdmin.Services(), wire.ForWorker.Services()...) {
			m := nats.NewMsg(wire.ServiceSubject(s, name))
			m.Data = bytes.Repeat([]byte("["), s.Limit()+1)
			for _, m.Data = range [][]byte{m.Data, m.Data[:10], nil} {
				for range 1000 {
					d.receive(s, m, func(string, []byte) (wire.Replier, []byte, error) { handled++; return nil, nil, nil })
				}
			}
		}
		d.working.Wait()
		if diff := cmp.Diff(before, d.suspended(name)); diff != "" || handled > 0 {
			t.Errorf("%s: %d requests are carried out, and the faults change (-before +after):\n%s", name, handled, diff)
		}
		replies := 0
		for range 1000 {
			if !d.charge(name, requestCost, 1, time.Now()) {
				replies++
			}
		}
		if replies > most {
			t.Errorf("%s: %d of 1000 requests get a reply", name, replies)
		}
	}
}

// TestPermissions checks that no role may publish or subscribe to everything.
func TestPermissions(t *testing.T) {
	for _, role := range []wire.Role{wire.ForWorker, wire.ForMatch, wire.ForAdmin, wire.ForHub} {
		publish, subscribe := wire.Permissions(Key{Name: "x", Role: role}, false)
		if len(publish) == 0 || len(subscribe) == 0 {
			t.Errorf("%s may do anything", role)
		}
		if text, err := json.Marshal(append(publish, subscribe...)); err != nil || bytes.Contains(text, []byte(`">"`)) {
			t.Errorf("%s: %s", role, text)
		}
	}
}

// TestLanesOfOwners lets the detached matches of an owner, which the hub plays, send more reports and files than a lane
// takes, and one of them takes long. Those of another owner do not wait for them.
func TestLanesOfOwners(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTestDoor(t)
		release, served := make(chan struct{}), map[string]int{}
		var mu sync.Mutex
		send := func(s wire.Service, owner string, request any) {
			m := nats.NewMsg(wire.ServiceSubject(s, wire.Hub))
			var err error
			if m.Data, err = wire.Lines(request, []byte(`{"owner":"me"}`)); err != nil {
				t.Fatal(err)
			}
			d.receive(s, m, func(string, []byte) (wire.Replier, []byte, error) {
				if owner == "me" {
					<-release
				}
				mu.Lock()
				defer mu.Unlock()
				served[owner+" "+string(s)]++
				return nil, nil, nil
			})
		}
		for range maxDataLane {
			for _, owner := range []string{"me", "other"} {
				send(wire.Report, owner, &wire.ReportRequest{Key: "m", Owner: owner})
				send(wire.Put, owner, &wire.FileRequest{Owner: owner})
			}
			synctest.Wait()
		}
		if want := map[string]int{"other report": maxDataLane, "other put": maxDataLane}; !cmp.Equal(served, want) {
			t.Errorf("%v are served, and not %v", served, want)
		}
		close(release)
		d.close()
	})
}

// TestCopiedRequests sends copies of a request that is being carried out, of one that waits, and of one that has got its
// reply. The client does so if it gets no reply. Each is carried out once, unless it changes nothing, and gets its reply again.
func TestCopiedRequests(t *testing.T) {
	s, secret := startFor(t, "me", wire.ForMatch)
	conn := connect(t, s, secret)
	for _, service := range wire.Detached {
		t.Run(string(service), func(t *testing.T) {
			replies, err := conn.SubscribeSync(wire.ReplySubjects("me", wire.Any) + string(service) + ".*")
			if err = errors.Join(err, conn.Flush()); err != nil {
				t.Fatal(err)
			}
			begun, release, carriedOut := make(chan struct{}, 8*maxLane), make(chan struct{}), map[string]int{}
			receive := func(number string) {
				m := nats.NewMsg(wire.ServiceSubject(service, "me"))
				m.Reply, m.Data = wire.ReplySubjects("me", wire.Hub)+string(service)+"."+number, []byte("{}")
				s.door.receive(service, m, func(string, []byte) (wire.Replier, []byte, error) {
					begun <- struct{}{}
					<-release
					carriedOut[number]++ // one at a time
					return &wire.Reply{}, nil, nil
				})
			}
			expect := func(number string) {
				t.Helper()
				if m, err := replies.NextMsgWithContext(t.Context()); err != nil || wire.LastToken(m.Subject) != number || bytes.Contains(m.Data, []byte("error")) {
					t.Fatalf("%+v, %v, and not the reply to %s", m, err, number)
				}
			}
			receive("1")
			<-begun
			for range 2 * maxLane { // more than may wait
				receive("1")
				receive("2")
			}
			close(release)
			expect("1")
			expect("2")
			s.door.working.Wait()
			receive("2")
			expect("2")
			s.door.working.Wait()
			want := map[string]int{"1": 1, "2": 1}
			if service == wire.Fetch {
				want["2"] = 2
			}
			if !cmp.Equal(carriedOut, want) {
				t.Errorf("%v are carried out, and not %v", carriedOut, want)
			}
		})
	}
}

// TestTwoHubs starts a hub on a NATS server on which another one serves, of which it has heard nothing. The one that
// began later ends, and the other serves.
func TestTwoHubs(t *testing.T) {
	t.Parallel()
	host, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoSigs: true, NoLog: true, MaxPayload: wire.MaxPayload})
	if err != nil {
		t.Fatal(err)
	}
	host.Start()
	t.Cleanup(func() { host.Shutdown(); host.WaitForShutdown() })
	if !host.ReadyForConnections(startTimeout) {
		t.Fatal("the NATS server does not start")
	}
	deaf, stop := context.WithDeadline(t.Context(), time.Now()) // no time to hear another hub
	defer stop()
	var hubs []*Server
	start := func(ctx context.Context) (*Server, error) {
		store := t.TempDir()
		if err := AddKey(store, "me", wire.ForMatch, 0, filepath.Join(t.TempDir(), "key")); err != nil {
			t.Fatal(err)
		}
		return Start(ctx, Config{Store: store, NATS: host.ClientURL(), Warn: func(err error) { t.Log(err) }})
	}
	for range 2 {
		s, err := start(deaf)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		hubs = append(hubs, s)
	}
	select {
	case err := <-hubs[1].Failed():
		if !errors.Is(err, errOtherHub) {
			t.Errorf("the second hub ends with %v", err)
		}
	case <-time.After(startTimeout):
		t.Error("two hubs serve")
	}
	// What the first one has heard until now comes before its reply.
	if _, err := hubs[0].conn.Request(wire.ServiceSubject(wire.Hello, wire.Hub), fmt.Appendf(nil, `{"version":%d}`, wire.Version), startTimeout); err != nil {
		t.Error(err)
	}
	select {
	case err := <-hubs[0].Failed():
		t.Errorf("the first hub ends with %v", err)
	default:
	}
	if _, err := start(t.Context()); !errors.Is(err, errOtherHub) {
		t.Errorf("a third hub: %v", err)
	}
}

// TestReportsDoNotWait sends a report and a status after a part of a file, which takes long. Both are carried out meanwhile: a
// match whose reports wait for a minute is over for its workers.
func TestReportsDoNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTestDoor(t)
		d.open = true
		var mu sync.Mutex
		var served []wire.Service
		for _, s := range []wire.Service{wire.Put, wire.Report, wire.Status} {
			d.receive(s, nats.NewMsg(wire.ServiceSubject(s, "me")), func(string, []byte) (wire.Replier, []byte, error) {
				if s == wire.Put {
					time.Sleep(wire.LiveTTL)
				}
				mu.Lock()
				defer mu.Unlock()
				served = append(served, s)
				return nil, nil, nil
			})
		}
		time.Sleep(wire.LiveTTL / 2)
		synctest.Wait()
		mu.Lock()
		if want := []wire.Service{wire.Report, wire.Status}; !slices.Equal(served, want) {
			t.Errorf("%v are served during a long request, and not %v", served, want)
		}
		mu.Unlock()
		time.Sleep(5 * wire.LiveTTL)
		d.close()
	})
}

// TestRests sends two requests. The second waits after the first, so that the requests of other keys get their turn: for as
// long as its bytes need and, if they say nothing about the work, for a multiple of the time that the first one took, but not
// long if a match needed long to end.
func TestRests(t *testing.T) {
	for _, test := range []struct {
		service     wire.Service
		took        time.Duration
		least, most time.Duration
	}{
		{wire.Start, 0, 1, longTime},
		{wire.Start, longTime / 10, laneRest * longTime / 10, longTime},
		{wire.Start, longTime, laneRest * longTime, time.Second},
		{wire.Start, time.Hour, laneRest * longTime, time.Second},
		{wire.Resume, longTime / 10, laneRest * longTime / 10, longTime},
		{wire.Fetch, longTime - 1, laneRest * (longTime - 1), time.Second},
		{wire.Fetch, time.Hour, laneRest * time.Hour, laneRest*time.Hour + time.Second},
		{wire.Status, longTime / 10, laneRest * longTime / 10, longTime},
		{wire.Report, longTime / 10, laneRest * longTime / 10, longTime},
		{wire.Get, longTime / 10, 1, longTime / 10},
		{wire.Put, longTime / 10, 1, longTime / 10},
		{wire.Get, longTime, laneRest * longTime, time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := newTestDoor(t)
			d.open = true
			var began []time.Time
			for range 2 {
				d.receive(test.service, nats.NewMsg(wire.ServiceSubject(test.service, "me")), func(string, []byte) (wire.Replier, []byte, error) {
					began = append(began, time.Now())
					time.Sleep(test.took)
					return nil, nil, nil
				})
			}
			time.Sleep(5 * time.Hour)
			synctest.Wait()
			if len(began) != 2 {
				t.Fatalf("%d requests are carried out", len(began))
			}
			if rest := began[1].Sub(began[0]) - test.took; rest < test.least || rest > test.most {
				t.Errorf("after a request to %s that took %v the lane rests for %v", test.service, test.took, rest)
			}
			d.close()
		})
	}
}
