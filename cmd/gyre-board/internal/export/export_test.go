package export

import (
	archive "archive/zip"
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
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/journal"
	"gyre/cmd/gyre-board/internal/naming"
)

// siteOf returns a site with the given files.
func siteOf(version string, files map[string]string) *Site {
	s := &Site{Version: version, Files: map[string][]byte{}}
	for name, text := range files {
		s.Files[name] = []byte(text)
	}
	return s
}

// Sites of three versions.
var (
	first  = siteOf("1", map[string]string{"index.html": "one", "sw.js": "w1", "page-1/a/b.js": "b1", "page-1/c.js": "c1"})
	second = siteOf("2", map[string]string{"index.html": "two", "sw.js": "w2", "page-2/a/b.js": "b2"})
	third  = siteOf("3", map[string]string{"index.html": "three", "sw.js": "w3", "page-3/a/b.js": "b3"})
)

// holds returns the files of a folder, except the listing, by path.
func holds(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || name == listName {
			return err
		}
		text, err := os.ReadFile(filepath.Join(folder, name))
		found[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// want compares a folder with the files of sites and others.
func want(t *testing.T, when, folder string, others map[string]string, sites ...*Site) {
	t.Helper()
	files := maps.Clone(others)
	if files == nil {
		files = map[string]string{}
	}
	for _, s := range sites {
		for name, content := range s.Files {
			files[name] = string(content)
		}
	}
	if diff := cmp.Diff(files, holds(t, folder)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", when, diff)
	}
}

// put writes a user's file.
func put(t *testing.T, folder, name, text string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestWriteFolder writes several versions. Each keeps the files of the previous version, and
// all user's files.
func TestWriteFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "folder")
	write := func(s *Site) {
		t.Helper()
		if err := WriteFolder(t.Context(), folder, s); err != nil {
			t.Fatal(err)
		}
	}
	write(first)
	want(t, "new", folder, nil, first)
	mine := map[string]string{"CNAME": "example.org"}
	put(t, folder, "CNAME", "example.org")
	write(first)
	want(t, "again", folder, mine, first)
	write(second)
	want(t, "the second", folder, mine, first, second)
	write(second)
	want(t, "the second again", folder, mine, first, second)
	write(third)
	want(t, "the third", folder, mine, second, third)
	if _, err := os.Stat(filepath.Join(folder, "page-1")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of the first version: %v", err)
	}
	empty := t.TempDir()
	if err := WriteFolder(t.Context(), empty, first); err != nil {
		t.Errorf("an empty folder: %v", err)
	}
}

// TestWriteFolderEnded interrupts the writing after each file, and then repeats it.
func TestWriteFolderEnded(t *testing.T) {
	for after := range len(second.Files) {
		folder := filepath.Join(t.TempDir(), "folder")
		if err := WriteFolder(t.Context(), folder, first); err != nil {
			t.Fatal(err)
		}
		ended := &countdown{Context: t.Context(), left: after}
		if err := WriteFolder(ended, folder, second); !errors.Is(err, context.Canceled) {
			t.Fatalf("ended after %d files: %v", after, err)
		}
		if err := WriteFolder(t.Context(), folder, second); err != nil {
			t.Fatal(err)
		}
		want(t, fmt.Sprintf("after %d files", after), folder, nil, first, second)
	}
}

// countdown is a context that is canceled after left calls of Err.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Value returns nil, so that the cause is Err's.
func (c *countdown) Value(any) any { return nil }

// TestWriteFolderRejects checks that folders and files of others stay unchanged.
func TestWriteFolderRejects(t *testing.T) {
	for _, test := range []struct {
		name    string
		arrange func(folder string)
		message string // after the path of the file or folder
		path    string
	}{
		{"a folder of files", func(folder string) { put(t, folder, "letter.txt", "hello") },
			" contains files, but not gyre-export.json of an export", ""},
		{"a file", func(folder string) { put(t, filepath.Dir(folder), filepath.Base(folder), "text") }, " is a file", ""},
		{"an index that was changed", func(folder string) {
			if err := WriteFolder(t.Context(), folder, first); err != nil {
				t.Fatal(err)
			}
			put(t, folder, "index.html", "mine")
		}, " was changed since the export", "index.html"},
		{"a file where one has to be", func(folder string) {
			if err := WriteFolder(t.Context(), folder, first); err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(folder, "page-2", "a"), "b.js", "mine")
		}, " was changed since the export", "page-2/a/b.js"},
	} {
		folder := filepath.Join(t.TempDir(), "folder")
		test.arrange(folder)
		before := map[string]string{}
		if test.name != "a file" {
			before = holds(t, folder)
		}
		err := WriteFolder(t.Context(), folder, second)
		wanted := filepath.Join(folder, filepath.FromSlash(test.path)) + test.message + "; move it away, or choose another folder"
		if err == nil || err.Error() != wanted {
			t.Errorf("%s: %v, want %s", test.name, err, wanted)
		}
		if test.name != "a file" {
			want(t, test.name, folder, before)
		}
	}
}

// TestWritesIndexLast checks that files are written before the files that refer to them.
func TestWritesIndexLast(t *testing.T) {
	names := slices.Collect(maps.Keys(first.Files))
	slices.SortFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	if last := names[len(names)-2:]; !slices.Equal(last, []string{"index.html", "sw.js"}) {
		t.Errorf("the last are %q", last)
	}
}

// pageOf returns a small page whose main module contains the given text.
func pageOf(text string) fstest.MapFS {
	return fstest.MapFS{
		"index.html": {Data: []byte("<head>\n" + tokenField + "<script src=\"early.js\"></script>\n<script type=\"module\" src=\"main.js\"></script>\n<link rel=\"icon\" href=\"favicon.svg\">\n<use href=\"favicon.svg#part\"/>\n")},
		"main.js":    {Data: []byte(text)}, "early.js": {Data: []byte("1")}, "link/program.js": {Data: []byte("2")}, "parts/help/help.js": {Data: []byte("3")}, "favicon.svg": {Data: []byte("<svg/>")},
	}
}

// makeSite returns the site of a page and a program.
func makeSite(t *testing.T, text, wasm string) *Site {
	t.Helper()
	s, err := NewSite(pageOf(text), []byte(wasm), "")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSite checks that all files in the index exist, and the hashes in the service worker.
func TestSite(t *testing.T) {
	s := makeSite(t, "main", "wasm")
	index := string(s.Files[indexName])
	named := regexp.MustCompile(`(?:href|src)="([^"]*)"|name="gyre-program" content="([^"]*)"`).FindAllStringSubmatch(index, -1)
	if len(named) < 6 {
		t.Errorf("the index names %q", named)
	}
	for _, names := range named {
		if name, _, _ := strings.Cut(names[1]+names[2], "#"); s.Files[name] == nil {
			t.Errorf("the index names %s, which is not there", name)
		}
	}
	_, list, _ := strings.Cut(string(s.Files[workerName]), "const FILES = ")
	list, _, _ = strings.Cut(list, ";\n")
	var sums map[string]string
	if err := json.Unmarshal([]byte(list), &sums); err != nil {
		t.Fatal(err)
	}
	wanted := map[string]string{"./": naming.Sum(s.Files[indexName])}
	for name, content := range s.Files {
		if name != indexName && name != workerName {
			wanted[name] = naming.Sum(content)
		}
	}
	if diff := cmp.Diff(wanted, sums); diff != "" {
		t.Errorf("the service worker's files (-want +got):\n%s", diff)
	}
}

// TestVersions checks that files of two versions share a name only if they are equal, and that
// equal pages have the same version.
func TestVersions(t *testing.T) {
	one := makeSite(t, "main", "wasm")
	if diff := cmp.Diff(one, makeSite(t, "main", "wasm")); diff != "" {
		t.Errorf("made again (-want +got):\n%s", diff)
	}
	for _, other := range []*Site{makeSite(t, "other", "wasm"), makeSite(t, "main", "other")} {
		if other.Version == one.Version {
			t.Errorf("two versions are %s", one.Version)
		}
		for name, content := range one.Files {
			if there := other.Files[name]; there != nil && string(there) != string(content) && name != indexName && name != workerName {
				t.Errorf("%s differs", name)
			}
		}
	}
}

// TestArchive checks the content of the archive, and that it replaces only earlier archives.
func TestArchive(t *testing.T) {
	file := filepath.Join(t.TempDir(), "board.zip")
	for _, s := range []*Site{makeSite(t, "other", "wasm"), makeSite(t, "main", "wasm")} {
		if err := WriteArchive(file, "board", s); err != nil {
			t.Fatal(err)
		}
	}
	r, err := archive.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	got := map[string]string{}
	for _, f := range r.File {
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(content)
		if err != nil {
			t.Fatal(err)
		}
		got[f.Name] = string(text)
	}
	s := makeSite(t, "main", "wasm")
	for name, content := range s.Files {
		if got["board/"+name] != string(content) {
			t.Errorf("%s is %q", name, got["board/"+name])
		}
	}
	if len(got) != len(s.Files)+1 {
		t.Errorf("the archive holds %q", slices.Sorted(maps.Keys(got)))
	}
	// The unpacked folder accepts the next version.
	folder := t.TempDir()
	for name, text := range got {
		put(t, filepath.Join(folder, filepath.Dir(name)), filepath.Base(name), text)
	}
	if err := WriteFolder(t.Context(), filepath.Join(folder, "board"), makeSite(t, "next", "wasm")); err != nil {
		t.Errorf("the archive unpacked: %v", err)
	}
	mine := filepath.Join(t.TempDir(), "mine.zip")
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	err = WriteArchive(mine, "board", s)
	if text, failed := os.ReadFile(mine); failed != nil || string(text) != "mine" {
		t.Errorf("another file is %q, %v", text, failed)
	}
	if _, foreign := errors.AsType[*journal.ForeignError](err); !foreign {
		t.Errorf("another file: %v", err)
	}
}
