package export

import (
	archive "archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gyre/bench/journal"
	"gyre/cmd/gyre-board/internal/naming"
)

// listName is the file that says of a folder what in it is ours.
const listName = "gyre-export.json"

// listing is what listName holds: the files by their paths, with their sums.
type listing struct {
	Version string            `json:"version"`
	Files   map[string]string `json:"files"`
	// Earlier are the files of the version before, which pages that are open may still
	// ask for. They go with the version after this one.
	Earlier map[string]string `json:"earlier"`
}

// list lists the files of the site.
func (s *Site) list() *listing {
	l := &listing{Version: s.Version, Files: map[string]string{}}
	for name, content := range s.Files {
		l.Files[name] = naming.Sum(content)
	}
	return l
}

// text is what the listing's file holds.
func (l *listing) text() ([]byte, error) {
	text, err := json.MarshalIndent(l, "", "  ")
	return append(text, '\n'), err
}

// ForeignError is what stands in the folder, or in its place, and is not ours.
type ForeignError struct {
	Path string
	Why  string
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s %s, so it stays as it is: give another folder, or move it away", e.Path, e.Why)
}

// WriteFolder writes the site into a folder: a new one, an empty one, or one that it was
// written into before, of which it replaces what is still as it was left. What else is
// there stays; where it is in the way, or where the folder is none of ours, the error is
// a *ForeignError, and nothing has changed. It may be ended at any time, and begun again.
func WriteFolder(ctx context.Context, folder string, s *Site) error {
	before, err := readListing(folder)
	if err != nil {
		return err
	}
	now := s.list()
	now.Earlier = before.Files
	if before.Version == s.Version {
		now.Earlier = before.Earlier
	}
	for name, wanted := range now.Files {
		if err := before.check(folder, name, wanted); err != nil {
			return err
		}
	}
	// From here on whatever is written is known as ours.
	list, err := now.text()
	if err != nil {
		return err
	}
	if err := replace(filepath.Join(folder, listName), list); err != nil {
		return err
	}
	// What the others name comes before them.
	names := slices.SortedFunc(maps.Keys(s.Files), func(a, b string) int { return rank(a) - rank(b) })
	for _, name := range names {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := replace(filepath.Join(folder, filepath.FromSlash(name)), s.Files[name]); err != nil {
			return err
		}
	}
	return before.remove(folder, now)
}

// rank orders files by when they are written: those whose names stay last.
func rank(name string) int { return slices.Index([]string{indexName, workerName}, name) }

// readListing returns what is ours in a folder: nothing where there is no folder, or an
// empty one.
func readListing(folder string) (*listing, error) {
	l := &listing{}
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return l, nil
	}
	if err != nil {
		if info, failed := os.Stat(folder); failed == nil && !info.IsDir() {
			return nil, &ForeignError{folder, "is a file"}
		}
		return nil, err
	}
	path := filepath.Join(folder, listName)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &ForeignError{folder, "holds files, and no " + listName + " that tells them as an export"}
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, l); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return l, nil
}

// left tells whether a file with that sum is as an export left it.
func (l *listing) left(name, sum string) bool { return sum == l.Files[name] || sum == l.Earlier[name] }

// check returns what is wrong with putting a file of a sum into the folder.
func (l *listing) check(folder, name, wanted string) error {
	path := filepath.Join(folder, filepath.FromSlash(name))
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if there := naming.Sum(content); there != wanted && !l.left(name, there) {
		return &ForeignError{path, "is not as an export left it"}
	}
	return nil
}

// remove removes the files that neither this version nor the one before has, where they
// are still as they were left.
func (l *listing) remove(folder string, now *listing) error {
	for name, was := range l.Earlier {
		if now.Files[name] != "" || now.Earlier[name] != "" || !filepath.IsLocal(filepath.FromSlash(name)) {
			continue
		}
		path := filepath.Join(folder, filepath.FromSlash(name))
		content, err := os.ReadFile(path)
		if err != nil || naming.Sum(content) != was {
			continue
		}
		if err := os.Remove(path); err != nil {
			return err
		}
		for parent := filepath.Dir(path); parent != folder && os.Remove(parent) == nil; parent = filepath.Dir(parent) {
			// Folders that are empty go with their files.
		}
	}
	return nil
}

// replace writes a file that a web server may read, all of it or nothing.
func replace(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".gyre-export-")
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	err = errors.Join(err, file.Chmod(0o644), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		_ = os.Remove(file.Name()) // what it holds goes anyway
	}
	return err
}

// archiveTime is when all files of an archive are said to be from: equal sites are equal
// archives. Earlier ones there are not.
var archiveTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// WriteArchive writes the site as a zip archive of a folder of that name. It replaces an
// archive of its own alone; the error of another file is a *journal.ForeignError.
func WriteArchive(file, folder string, s *Site) (err error) {
	// The name of the first file, which stands at the beginning, tells it as ours.
	r, err := journal.Replace(file, listName)
	if err != nil {
		return err
	}
	defer func() {
		if closed := r.Close(); err == nil {
			err = closed
		}
	}()
	list, err := s.list().text()
	if err != nil {
		return err
	}
	w := archive.NewWriter(r)
	if err := addFile(w, path.Join(folder, listName), list); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(s.Files)) {
		if err := addFile(w, path.Join(folder, name), s.Files[name]); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return r.Publish()
}

// addFile adds a file to an archive, packed if that is not done already.
func addFile(w *archive.Writer, name string, content []byte) error {
	header := &archive.FileHeader{Name: name, Method: archive.Deflate, Modified: archiveTime}
	if strings.HasSuffix(name, ".bin") || strings.HasSuffix(name, ".png") {
		header.Method = archive.Store
	}
	file, err := w.CreateHeader(header)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return err
}
