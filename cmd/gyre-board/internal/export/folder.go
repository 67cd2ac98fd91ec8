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
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gyre/bench/journal"
	"gyre/cmd/gyre-board/internal/naming"
)

// listName is the file that lists the exported files of a folder.
const listName = "gyre-export.json"

// listing is the content of listName: hashes by path.
type listing struct {
	Version string            `json:"version"`
	Files   map[string]string `json:"files"`
	// Earlier are the files of the previous version, which open pages may still request. The
	// next version removes them.
	Earlier map[string]string `json:"earlier"`
}

// listingOf returns the listing of a site's files.
func listingOf(s *Site) *listing {
	l := &listing{Version: s.Version, Files: map[string]string{}}
	for name, content := range s.Files {
		l.Files[name] = naming.Sum(content)
	}
	return l
}

// text returns the listing as JSON.
func (l *listing) text() ([]byte, error) {
	text, err := json.MarshalIndent(l, "", "  ")
	return append(text, '\n'), err
}

// foreignError returns the error for a file or folder that no export wrote.
func foreignError(path, why string) error {
	return fmt.Errorf("%s %s; move it away, or choose another folder", path, why)
}

// MayWrite returns the error that WriteFolder, and WriteArchive if archive is not empty, would
// return for any site. It leaves nothing on the disk.
func MayWrite(folder, archive string) error {
	if _, err := readListing(folder); err != nil {
		return err
	}
	if err := journal.MayWriteIn(folder); err != nil || archive == "" {
		return err
	}
	return journal.MayWrite(archive, listName)
}

// WriteFolder writes the site into a folder. The folder must be new, empty, or from an earlier
// export, whose unchanged files it replaces. It keeps all other files. If one of them is in the
// way, or the folder is not from an export, it returns an error and changes nothing. An
// interrupted call can be repeated.
func WriteFolder(ctx context.Context, folder string, s *Site) error {
	before, err := readListing(folder)
	if err != nil {
		return err
	}
	now := listingOf(s)
	now.Earlier = before.Files
	if before.Version == s.Version {
		now.Earlier = before.Earlier
	}
	for name, wanted := range now.Files {
		if err := before.check(folder, name, wanted); err != nil {
			return err
		}
	}
	// From here on, every file that is written is listed.
	list, err := now.text()
	if err != nil {
		return err
	}
	if err := replace(filepath.Join(folder, listName), list); err != nil {
		return err
	}
	// Write files before the files that refer to them.
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

// rank orders files for writing: files whose names never change come last.
func rank(name string) int { return slices.Index([]string{indexName, workerName}, name) }

// readListing returns the listing of a folder. It is empty for a new or empty folder.
func readListing(folder string) (*listing, error) {
	l := &listing{}
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return l, nil
	}
	if err != nil {
		if info, failed := os.Stat(folder); failed == nil && !info.IsDir() {
			return nil, foreignError(folder, "is a file")
		}
		return nil, err
	}
	path := filepath.Join(folder, listName)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, foreignError(folder, "contains files, but not "+listName+" of an export")
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, l); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return l, nil
}

// check returns an error if a file with the hash wanted cannot be written into the folder.
func (l *listing) check(folder, name, wanted string) error {
	path := filepath.Join(folder, filepath.FromSlash(name))
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if there := naming.Sum(content); there != wanted && there != l.Files[name] && there != l.Earlier[name] {
		return foreignError(path, "was changed since the export")
	}
	return nil
}

// remove removes unchanged files of the version before the previous one.
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
			// Remove parent folders that are now empty.
		}
	}
	return nil
}

// replace writes a file atomically, readable by web servers.
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
		_ = os.Remove(file.Name()) // its content is lost anyway
	}
	return err
}

// archiveTime is the time of all files in an archive, so that equal sites give equal archives.
// It is the earliest time that zip can represent.
var archiveTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// WriteArchive writes the site as a zip archive of a folder with the given name. It replaces
// only archives from earlier exports; for other files the error is a *journal.ForeignError.
func WriteArchive(file, folder string, s *Site) error {
	list, err := listingOf(s).text()
	if err != nil {
		return err
	}
	// The name of the first file, near the start, identifies the archive.
	return journal.WriteFile(file, listName, func(out io.Writer) error {
		w := archive.NewWriter(out)
		if err := addFile(w, path.Join(folder, listName), list); err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(s.Files)) {
			if err := addFile(w, path.Join(folder, name), s.Files[name]); err != nil {
				return err
			}
		}
		return w.Close()
	})
}

// addFile adds a file to an archive, compressed unless it already is.
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
