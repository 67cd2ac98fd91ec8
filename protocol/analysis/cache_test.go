package analysis

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/protocol"
	"gyre/search"
)

// counted counts the searches of a demo.
type counted struct {
	demo
	mu       sync.Mutex
	searches int
}

func (c *counted) Search(ctx context.Context, root position.Position, limits search.Limits, multiPV int, report func(protocol.Info)) {
	c.mu.Lock()
	c.searches++
	c.mu.Unlock()
	c.demo.Search(ctx, root, limits, multiPV, report)
}

// openCache opens a cache for a program and fails the test if it gives a warning.
func openCache(t *testing.T, path, program string, limit int64) *Cache {
	t.Helper()
	c, err := OpenCache(path, program, limit, func(message string) { t.Error(message) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// answersOf returns the answers to queries, and the number of searches.
func answersOf(t *testing.T, cache *Cache, queries string) (answers string, searches int) {
	t.Helper()
	a := &counted{}
	var out bytes.Buffer
	s := NewServer([]Analyst{a}, build, &out)
	if cache != nil {
		s.UseCache(cache)
	}
	if err := s.Serve(t.Context(), []Input{{Reader: strings.NewReader(queries)}}); err != nil {
		t.Fatal(err)
	}
	if p := s.Progress(); int(p.Answers-p.Cached) != a.searches {
		t.Errorf("%+v after %d searches", p, a.searches)
	}
	return out.String(), a.searches
}

const cachedQueries = `{"id":"a","turns":["f6","g7","e4"],"analyzeTurns":[0,1,2,3],"maxNodes":7}
{"id":"b","turns":["f6"],"maxNodes":7,"multiPV":3}
{"id":"c","turns":["f6"],"maxNodes":8}
{"id":"d","turns":["f6"],"maxTimeMs":8}
{"id":"e","turns":["f6"],"rules":"blitz","maxNodes":7}
`

// TestCache checks that a later run gives the same bytes without a search, and that
// everything that an answer depends on is part of the key.
func TestCache(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache")
	first, searches := answersOf(t, openCache(t, path, "one", 0), cachedQueries)
	if searches != 8 {
		t.Errorf("%d searches for 8 different positions, limits, rules and numbers of lines", searches)
	}
	again := openCache(t, path, "one", 0)
	second, searches := answersOf(t, again, cachedQueries)
	if diff := cmp.Diff(first, second); diff != "" || searches != 0 {
		t.Errorf("%d searches again (-first +second):\n%s", searches, diff)
	}
	// The same positions in another query.
	renamed, searches := answersOf(t, again, `{"id":"z","turns":["f6"],"analyzeTurns":[1],"maxNodes":7,"reportDuringSearchEvery":1}`)
	if want := strings.Replace(strings.Split(first, "\n")[1], `"id":"a"`, `"id":"z"`, 1) + "\n"; renamed != want || searches != 0 {
		t.Errorf("got %q, want %q", renamed, want)
	}
	if _, searches = answersOf(t, openCache(t, path, "two", 0), cachedQueries); searches != 8 {
		t.Errorf("another program searches %d times, want 8", searches)
	}
}

// TestCacheShared uses one file from two caches at the same time.
func TestCacheShared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache")
	one, two := openCache(t, path, "x", 0), openCache(t, path, "x", 0)
	var writing sync.WaitGroup
	for i, c := range []*Cache{one, two} {
		writing.Go(func() {
			for n := range 200 {
				c.put(fmt.Sprint(i, n), []byte(strings.Repeat("answer", n)))
			}
		})
	}
	writing.Wait()
	for _, c := range []*Cache{one, two, openCache(t, path, "x", 0)} {
		for i := range 2 {
			for n := range 200 {
				if got := c.get(fmt.Sprint(i, n)); string(got) != strings.Repeat("answer", n) {
					t.Fatalf("answer %d of writer %d: %q", n, i, got)
				}
			}
		}
	}
}

// TestCacheLimit checks that the file stays below its limit and keeps the newest records,
// and that another process follows.
func TestCacheLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache")
	writer, reader := openCache(t, path, "x", 0), openCache(t, path, "x", 0)
	value := []byte(strings.Repeat("v", 10_000))
	for n := range 1000 {
		writer.put(fmt.Sprint(n), fmt.Appendf(value, "%d", n))
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > leastCache {
			t.Fatalf("%d bytes after %d records", info.Size(), n+1)
		}
		if got := reader.get(fmt.Sprint(n)); string(got) != fmt.Sprint(string(value), n) {
			t.Fatalf("record %d is not found by the other one", n)
		}
	}
	kept := 0
	for n := range 1000 {
		if writer.get(fmt.Sprint(n)) != nil {
			kept++
		} else if kept > 0 {
			t.Errorf("record %d is gone, but not one before it", n)
		}
	}
	if least := leastCache / 2 / (len(value) + 100); kept < least {
		t.Errorf("%d records are kept, want %d", kept, least)
	}
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
		t.Errorf("%d files, %v", len(files), err)
	}
}

// TestCacheReplaced checks that the file is closed while a smaller one replaces it, because Windows
// replaces no open file. If that fails, as it does there while another process has the file open,
// there is one warning, and the answers are still found.
func TestCacheReplaced(t *testing.T) {
	var warnings []string
	path := filepath.Join(t.TempDir(), "cache")
	c, err := OpenCache(path, "x", 0, func(message string) { warnings = append(warnings, message) })
	if err != nil {
		t.Fatal(err)
	}
	renames := 0
	c.rename = func(from, to string) error {
		if _, err := c.file.Stat(); !errors.Is(err, os.ErrClosed) {
			t.Errorf("the file is open: %v", err)
		}
		if renames++; renames > 1 {
			return os.ErrPermission
		}
		return os.Rename(from, to)
	}
	value := []byte(strings.Repeat("v", leastCache/10))
	for n := 0; renames < 2; n++ {
		c.put(fmt.Sprint(n), value)
	}
	c.put("last", value)
	if len(warnings) != 1 || renames != 2 || !cmp.Equal(c.get("9"), value) || c.get("last") != nil {
		t.Errorf("warnings %q after %d replacements, an answer of %d bytes", warnings, renames, len(c.get("9")))
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// TestCacheDamaged cuts a file at every place, and changes it at every place after its header. Each
// answer is right or absent, and later records are found.
func TestCacheDamaged(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "cache")
	c := openCache(t, path, "x", 0)
	for n := range 5 {
		c.put(fmt.Sprint("key ", n), []byte(strings.Repeat("answer", n+1)))
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for at := range text {
		files := [][]byte{text[:at]}
		if at >= len(cacheHeader) {
			changed := bytes.Clone(text)
			changed[at] ^= byte(1 + random.IntN(255))
			files = append(files, changed)
		}
		for i, damaged := range files {
			if err := os.WriteFile(path, damaged, 0o666); err != nil {
				t.Fatal(err)
			}
			c, err := OpenCache(path, "x", 0, func(string) {})
			if err != nil {
				t.Fatal(err)
			}
			c.put("later", []byte("found"))
			reopened, err := OpenCache(path, "x", 0, func(string) {})
			if err != nil {
				t.Fatalf("damage at byte %d: %v", at, err)
			}
			right := 0
			for n := range 5 {
				switch got := reopened.get(fmt.Sprint("key ", n)); {
				case string(got) == strings.Repeat("answer", n+1):
					right++
				case got != nil:
					t.Fatalf("damage at byte %d: answer %d is %q", at, n, got)
				}
			}
			if i == 1 && right < 3 { // a changed newline joins two records
				t.Errorf("damage at byte %d: %d records are left, want at least 3", at, right)
			}
			if string(reopened.get("later")) != "found" {
				t.Fatalf("damage at byte %d: a later record is lost", at)
			}
			c.Close()
			reopened.Close()
		}
	}
}

// TestCacheWarns checks the message about damage, and that an unwritable file stops
// nothing.
func TestCacheWarns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache")
	c := openCache(t, path, "x", 0)
	c.put("a", []byte("1"))
	if err := os.WriteFile(path, []byte(cacheHeader+"0123456789abcdef a\t2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var messages []string
	damaged, err := OpenCache(path, "x", 0, func(message string) { messages = append(messages, message) })
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{path + ":2: 1 damaged records ignored"}; !cmp.Equal(messages, want) || damaged.get("a") != nil {
		t.Errorf("messages %q, want %q", messages, want)
	}
	messages = nil
	damaged.file.Close()
	damaged.put("b", []byte("3"))
	damaged.put("b", []byte("3"))
	if len(messages) != 1 || !strings.Contains(messages[0], "answers are no longer kept") {
		t.Errorf("messages after failed writes: %q", messages)
	}
}

// TestCacheForeign checks that a file of the user is rejected and stays as it was.
func TestCacheForeign(t *testing.T) {
	for _, text := range []string{"1.f6 2.g7 *\n", "gyre analysis cache 2\n", "gyre analysis cat"} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenCache(path, "x", 0, nil); err == nil || !strings.Contains(err.Error(), path+":1: not an analysis cache") {
			t.Errorf("%q: %v", text, err)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != text {
			t.Errorf("the file is now %q, %v", now, err)
		}
	}
	if _, err := OpenCache(t.TempDir(), "x", 0, nil); err == nil {
		t.Error("a folder was opened")
	}
}

// TestCacheTerminated checks that the answer of a terminated search is not kept.
func TestCacheTerminated(t *testing.T) {
	cache := openCache(t, filepath.Join(t.TempDir(), "cache"), "x", 0)
	in, feed := io.Pipe()
	roots := make(chan position.Position)
	var out bytes.Buffer
	s := NewServer([]Analyst{&demo{forever: roots}}, build, &out)
	s.UseCache(cache)
	ended := make(chan error)
	go func() { ended <- s.Serve(t.Context(), []Input{{Reader: in}}) }()
	fmt.Fprintln(feed, `{"id":"1","maxNodes":7}`)
	<-roots
	fmt.Fprintln(feed, `{"id":"2","action":"terminate","terminateId":"1"}`)
	feed.Close()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if _, searches := answersOf(t, cache, `{"id":"1","maxNodes":7}`); searches != 1 {
		t.Error("the answer of a terminated search was kept")
	}
}

// FuzzCache opens any file: an answer is found only in a record with the right checksum.
func FuzzCache(f *testing.F) {
	path := filepath.Join(f.TempDir(), "cache")
	c, err := OpenCache(path, "x", 0, nil)
	if err != nil {
		f.Fatal(err)
	}
	c.put("key", []byte("answer"))
	c.Close()
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(text[:len(cacheHeader)/2])
	f.Add([]byte(cacheHeader + "\n\n" + strings.Repeat("0", 40)))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "cache")
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		c, err := OpenCache(path, "x", 0, func(string) {})
		if err != nil {
			return
		}
		defer c.Close()
		if got := c.get("key"); got != nil && !bytes.Contains(text, append([]byte(" key\t"), got...)) {
			t.Errorf("found %q", got)
		}
		c.put("new", []byte("x"))
		if got := c.get("new"); string(got) != "x" {
			t.Errorf("found %q instead of the record just written", got)
		}
		again, err := OpenCache(path, "x", 0, func(string) {})
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		if got := again.get("new"); string(got) != "x" {
			t.Errorf("found %q later", got)
		}
	})
}
