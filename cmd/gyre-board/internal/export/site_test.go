package export

import (
	archive "archive/zip"
	"encoding/json"
	"errors"
	"io"
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
